"""The words of Egizia: names and texts of seats, crews, cards, tiles, statues and places, put together from what is printed."""

from __future__ import annotations

from pathlib import Path

from perankh.engine.api import Words
from perankh.engine.text import listed
from perankh.scene import SeatColours

from ..rules import components
from ..rules.components import Bonus, Kind
from ..rules.state import LOCATIONS, Location, State, Step

WORDS = Words(Path(__file__).parents[1] / "words.toml")
seat_name = WORDS.seat_name
SEAT_COLOURS = SeatColours("red", "black", "white", "grey")
LETTERS = "RBWG"  # a ship or brick on the text board, by seat
YES_OR_NO = ("obelisk_full", "pyramid_full", "every_statue", "grain_market_top", "stone_market_top")  # measures of 0 or 1
CREW_WORDS = (*components.CREWS, "any", "other")

# --- What an owner corrects ----------------------------------------------------------------------------------------


def piece_names(lang: str) -> dict[str, str]:
    """What the pieces of the components say, in a few words, by their dotted names."""
    groups = (
        (components.CARD_TABLES, card_title),
        ([f"nile_tiles.{name}" for name in components.TILE_NAMES], tile_title),
        ([f"colonnade_tiles.{name}" for name in components.BONUS_NAMES], bonus_title),
        ([f"statues.{name}" for name in components.STATUE_NAMES], statue_title),
        ([f"sphinx.{name}" for name in components.SPHINX_NAMES], sphinx_name),
    )
    return {name: capital(title(number, lang)) for names, title in groups for number, name in enumerate(names)}


# --- Small words --------------------------------------------------------------------------------------------------


def step_key(s: State) -> str:
    """The step in the keys of the words."""
    return Step(s.step).name.lower()


def capital(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def counted(what: str, n: int, lang: str) -> str:
    """So many points, stones or cards."""
    return WORDS.say(f"count.{what}.{'one' if n == 1 else 'many'}", lang, n=n)


def points_text(n: int, lang: str) -> str:
    """A number of points in words."""
    return counted("points", n, lang)


def stones_text(n: int, lang: str) -> str:
    """A number of stones in words."""
    return counted("stones", n, lang)


def crew_name(crew: int, lang: str) -> str:
    """A crew; ANY and OTHER too."""
    return WORDS.say(f"crew.{CREW_WORDS[crew]}", lang)


def crew_colour(crew: int, lang: str) -> str:
    """A crew in one word."""
    return WORDS.say(f"crew.short.{components.CREWS[crew]}", lang)


def colour_name(colour: int, lang: str) -> str:
    """The colour of a field."""
    return WORDS.say(f"colour.{components.COLOURS[colour]}", lang)


def market_name(market: int, lang: str) -> str:
    """The grain or the stone market."""
    return WORDS.say(f"market.{components.MARKETS[market]}", lang)


def dock_name(dock: int, lang: str) -> str:
    """The monuments of a dock."""
    return WORDS.say(f"dock.{dock}", lang)


def dock_code_name(dock: int, lang: str) -> str:
    """A dock with its code and its monuments."""
    name = dock_name(dock, lang)
    return f"D{dock + 1}（{name}）" if lang == "ja" else f"D{dock + 1} ({name})"


def ring_text(position: int, lang: str) -> str:
    """A position of the ring, and what it waters."""
    return WORDS.say(f"ring.{position}", lang)


def ring_name(position: int, lang: str) -> str:
    """A position of the ring."""
    return WORDS.say(f"ring.name.{position}", lang)


# --- Places -------------------------------------------------------------------------------------------------------


def location_code(location: int) -> str:
    """C4, T6, D2.1 or, for speculation, D2.s."""
    if location < Location.TILE:
        return f"C{location + 1}"
    if location < Location.DOCK:
        return f"T{location - Location.TILE + 1}"
    if location < Location.BANK:
        dock, space = divmod(location - Location.DOCK, components.DOCK_SPACES)
        return f"D{dock + 1}.{space + 1}"
    return f"D{location - Location.BANK + 1}.s"


LOCATION_CODES = tuple(map(location_code, range(LOCATIONS)))


def dock_of(location: int) -> int:
    """The dock of a location, -1 for a card or tile space."""
    if location < Location.DOCK:
        return -1
    return location - Location.BANK if location >= Location.BANK else (location - Location.DOCK) // components.DOCK_SPACES


def location_name(location: int, lang: str) -> str:
    """A location in words."""
    code = LOCATION_CODES[location]
    if location < Location.TILE:
        return WORDS.say("location.card", lang, code=code)
    if location < Location.DOCK:
        return WORDS.say("location.tile", lang, code=code)
    dock = dock_of(location)
    if location < Location.BANK:
        return WORDS.say("location.dock", lang, code=code, dock=dock_name(dock, lang))
    return WORDS.say("location.speculation", lang, code=f"D{dock + 1}", dock=dock_name(dock, lang))


# --- Parts of effects ---------------------------------------------------------------------------------------------


def gist(name: str, numbers: list[int], lang: str) -> str:
    """A part of an effect in two or three words."""
    if name == "crew":
        return WORDS.say("gist.crew", lang, crew=crew_name(numbers[0], lang), n=numbers[1])
    if name == "market":
        return WORDS.say("gist.market", lang, market=market_name(numbers[0], lang), n=numbers[1])
    return WORDS.say(f"gist.{name}", lang, n=numbers[0] if numbers else 0)


def part_text(name: str, numbers: list[int], lang: str) -> str:
    """A part of an effect as a clause."""
    if name == "crew":
        key = ("crew" if numbers[0] < components.ANY else CREW_WORDS[numbers[0]]) + ("_down" if numbers[1] < 0 else "")
        return WORDS.say(f"part.{key}", lang, crew=crew_name(numbers[0], lang), n=abs(numbers[1]), least=components.CREW_LEAST)
    if name == "market":
        key = "market_one" if numbers[1] == 1 else "market_many"
        return WORDS.say(f"part.{key}", lang, market=market_name(numbers[0], lang), n=numbers[1])
    if name == "lower_crew":
        return WORDS.say("part.lower_crew", lang, points=points_text(numbers[0], lang), less=points_text(numbers[1], lang))
    n = numbers[0] if numbers else 0
    return WORDS.say(f"part.{name}", lang, n=n, stones=stones_text(n, lang), points=points_text(n, lang))


def parts_text(effects: list[tuple[str, list[int]]], lang: str) -> str:
    """Parts of an effect from left to right; the same choice of a crew several times is said once."""
    name, numbers = effects[0]
    chosen = name == "crew" and numbers[0] >= components.ANY and numbers[1] > 0
    if len(effects) > 1 and chosen and all(effect == effects[0] for effect in effects):
        key = f"part.{CREW_WORDS[numbers[0]]}_times"
        return WORDS.say(key, lang, times=len(effects), n=numbers[1])
    return WORDS.say("when.then", lang).join(part_text(*effect, lang) for effect in effects)


def ability_text(name: str, numbers: list[int], lang: str) -> str:
    """What a card lets its owner do later, or what it scores at the end."""
    if name == "vp_per":
        measure, n, k = numbers
        key = "vp_per_one" if k == 1 else "vp_per"
        return WORDS.say(f"ability.{key}", lang, points=points_text(n, lang), k=k, what=measure_name(measure, lang))
    if name == "vp_per_monument":
        return WORDS.say("ability.vp_per_monument", lang, points=points_text(numbers[0], lang), k=numbers[1])
    return WORDS.say(f"ability.{name}", lang, n=numbers[0] if numbers else 0)


def measure_name(measure: int, lang: str) -> str:
    """What a measure counts."""
    return WORDS.say(f"measure.{components.MEASURES[measure]}", lang)


def measure_short(measure: int, lang: str) -> str:
    """What a measure counts, in one or two words."""
    return WORDS.say(f"measure.short.{components.MEASURES[measure]}", lang)


# --- Nile cards ---------------------------------------------------------------------------------------------------


def field_title(colour: int, grain: int, lang: str) -> str:
    """A field by its colour and its grain."""
    return capital(WORDS.say("kind.field", lang, colour=colour_name(colour, lang), n=grain))


def card_title(c: int, lang: str) -> str:
    """The short name of a Nile card; STARTER is the starter field."""
    if c == components.STARTER:
        return starter_title(0, lang)
    effects = components.CARD_EFFECTS[c]
    if components.CARD_KIND[c] == Kind.QUARRY:
        return WORDS.say("kind.quarry", lang, n=components.CARD_VALUE[c])
    if components.CARD_KIND[c] == Kind.FIELD:
        title = field_title(components.CARD_COLOUR[c], components.CARD_VALUE[c], lang)
        return WORDS.say("kind.with", lang, field=title, effect=gists(effects, lang)) if effects else title
    name, numbers = effects[0]
    if name in components.PARTS and name not in ("improve", "lower_crew"):
        return capital(gists(effects, lang))
    what = measure_short(numbers[0], lang) if name == "vp_per" else ""
    return WORDS.say(f"title.{name}", lang, n=numbers[0] if numbers else 0, what=what)


def gists(effects: list[tuple[str, list[int]]], lang: str) -> str:
    """An effect in a few words; a part that comes several times is counted."""
    found = []
    for i, (name, numbers) in enumerate(effects):
        times = effects.count((name, numbers))
        if (name, numbers) in effects[:i]:
            continue
        if times > 1 and name == "crew" and numbers[0] == components.OTHER:
            found.append(WORDS.say("gist.others", lang, times=times, n=numbers[1]))
        else:
            sign = "×" if lang == "ja" else "x"
            found.append(gist(name, numbers, lang) + (f" {sign}{times}" if times > 1 else ""))
    return listed(found, lang)


def own_card_title(s: State, p: int, c: int, lang: str) -> str:
    """The name of a Nile card before p; with a number where p has several of the name."""
    title = card_title(c, lang)
    same = [card for card in range(components.CARDS) if s.held[p] >> card & 1 and card_title(card, lang) == title]
    return WORDS.say("kind.numbered", lang, title=title, n=same.index(c) + 1) if c in same and len(same) > 1 else title


def card_code(c: int) -> str:
    """The id of a Nile card."""
    return "starter" if c == components.STARTER else components.CARD_NAMES[c]


def card_text(c: int, lang: str) -> str:
    """What a Nile card does, as one or two sentences."""
    if c == components.STARTER:
        return starter_text(0, lang)
    effects = components.CARD_EFFECTS[c]
    texts = []
    if components.CARD_KIND[c] == Kind.QUARRY:
        texts.append(WORDS.say("when.quarry", lang, stones=stones_text(components.CARD_VALUE[c], lang)))
    elif components.CARD_KIND[c] == Kind.FIELD:
        texts.append(field_text(components.CARD_COLOUR[c], components.CARD_VALUE[c], lang))
    if effects:
        when = "immediate" if effects[0][0] == "improve" else components.TIMING_OF[effects[0][0]]
        texts.append(WORDS.say(f"when.{when}", lang, text=effect_text(c, lang)))
    return ("" if lang == "ja" else " ").join(texts)


def effect_text(c: int, lang: str) -> str:
    """The effect of a Nile card as a clause, without when it works."""
    name, numbers = components.CARD_EFFECTS[c][0]
    return parts_text(components.CARD_EFFECTS[c], lang) if name in components.PARTS else ability_text(name, numbers, lang)


def field_text(colour: int, grain: int, lang: str) -> str:
    """When a field of this colour yields its grain."""
    return WORDS.say(f"field.{components.COLOURS[colour]}", lang, n=grain)


def starter_title(turned: int, lang: str) -> str:
    """The starter field on its front (0) or reverse (1)."""
    return WORDS.say("kind.starter", lang, n=components.STARTER_GRAIN[turned])


def starter_text(turned: int, lang: str) -> str:
    """What the starter field yields on its front (0) or reverse (1)."""
    return field_text(components.STARTER_COLOUR[turned], components.STARTER_GRAIN[turned], lang)


def starter_quarry_title(lang: str) -> str:
    """The starter quarry."""
    return WORDS.say("kind.starter_quarry", lang, n=components.STARTER_QUARRY)


def starter_quarry_text(lang: str) -> str:
    """What the starter quarry gives."""
    return WORDS.say("when.quarry", lang, stones=stones_text(components.STARTER_QUARRY, lang))


def field_name(s: State, p: int, field: int, lang: str) -> str:
    """A field of p."""
    return starter_title(s.turned[p], lang) if field == components.STARTER else own_card_title(s, p, field, lang)


# --- Tiles --------------------------------------------------------------------------------------------------------


def tile_title(t: int, lang: str) -> str:
    """The short name of a Nile tile."""
    return capital(gists(components.TILE_EFFECTS[t], lang))


def tile_text(t: int, lang: str) -> str:
    """What a Nile tile does."""
    return WORDS.say("when.tile", lang, text=parts_text(components.TILE_EFFECTS[t], lang))


def tile_code(t: int) -> str:
    """The id of a Nile tile."""
    return components.TILE_NAMES[t]


def bonus_title(g: int, lang: str) -> str:
    """The name of a colonnade tile."""
    return WORDS.say(f"bonus.name.{components.BONUSES[components.BONUS_EFFECT[g]]}", lang)


def bonus_text(g: int, lang: str, said: str = "does") -> str:
    """What a colonnade tile does, and how often: to whoever has it (`does`), or of whoever wins it (`told`)."""
    use = components.USES[components.BONUS_USE[g]]
    text = bonus_effect_text(g, lang, said)
    return WORDS.say(f"bonus.use.{use}", lang, text=text[:1].lower() + text[1:]) if use else text


def bonus_effect_text(g: int, lang: str, said: str = "does") -> str:
    """What a colonnade tile does, without how often."""
    effect = components.BONUS_EFFECT[g]
    usual = components.GRAIN_BEYOND if effect == Bonus.GRAIN_OVERFLOW else components.STONE_BEYOND
    return WORDS.say(
        f"bonus.{said}.{components.BONUSES[effect]}",
        lang,
        n=components.BONUS_NUMBER[g],
        usual=usual,
        grain=components.STARTER_GRAIN[1],
    )


def bonus_code(g: int) -> str:
    """The id of a colonnade tile."""
    return components.BONUS_NAMES[g]


# --- Statues and Sphinx cards -------------------------------------------------------------------------------------


def statue_title(i: int, lang: str) -> str:
    """A statue and what it counts."""
    return WORDS.say("statue.title", lang, what=measure_short(components.STATUE_MEASURE[i], lang))


def statue_text(i: int, lang: str) -> str:
    """What a statue counts, what its spaces cost, and what they score."""
    steps = [
        WORDS.say("statue.step", lang, least=least, points=points_text(vp, lang))
        for least, vp in zip(components.STATUE_LEAST[i], components.STATUE_VP[i], strict=True)
    ]
    costs = listed([str(cost) for cost in components.STATUE_COST[i]], lang)
    return WORDS.say(
        "statue.text", lang, what=measure_name(components.STATUE_MEASURE[i], lang), costs=costs, steps=listed(steps, lang)
    )


def sphinx_name(c: int, lang: str) -> str:
    """A Sphinx card by its condition, in a few words."""
    measure, least = components.SPHINX_MEASURE[c], components.SPHINX_LEAST[c]
    if measure == components.TRACK:
        return WORDS.say("sphinx.name_track", lang, n=least)
    what = measure_short(measure, lang)
    return what if components.MEASURES[measure] in YES_OR_NO else WORDS.say("sphinx.name", lang, what=what, n=least)


def sphinx_text(c: int, lang: str) -> str:
    """The condition of a Sphinx card and its points."""
    if components.SPHINX_MEASURE[c] == components.TRACK:
        return WORDS.say("sphinx.track", lang, n=components.SPHINX_LEAST[c])
    condition = WORDS.say(f"met.{components.MEASURES[components.SPHINX_MEASURE[c]]}", lang, n=components.SPHINX_LEAST[c])
    return WORDS.say("sphinx.text", lang, points=points_text(components.SPHINX_VP[c], lang), condition=condition)


def sphinx_named(c: int, lang: str) -> str:
    """A Sphinx card with its name and its text."""
    return WORDS.say("sphinx.named", lang, name=sphinx_name(c, lang), text=sphinx_text(c, lang))
