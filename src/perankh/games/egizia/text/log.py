"""The log: lines made from the events of a move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from perankh.engine.api import EventKind, GameEvent
from perankh.engine.text import listed

from ..rules import components
from ..rules.events import Event, Obstacle
from ..rules.state import Final, Location, State
from . import names
from .names import WORDS

# Events of one seat that follow each other and are told in one line
GAINS = (Event.RAISED, Event.MARKET_MOVED, Event.STONES_GAINED, Event.BEYOND_GRAIN, Event.SCORED, Event.TOKEN_GAINED)
USES = (Event.USED_CARD, Event.USED_BONUS, Event.USED_TOKEN)
FINALS: dict[EventKind, Final] = {
    Event.MAJORITY_SCORED: Final.MAJORITY,
    Event.NILE_CARD_SCORED: Final.NILE,
    Event.SPHINX_CARD_SCORED: Final.SPHINX,
    Event.STATUE_SCORED: Final.STATUES,
    Event.STONES_SCORED: Final.STONES,
}
# Events that say the same of several seats, cards or tiles, told in one line
TOGETHER = (Event.STONES_DEALT, Event.CARD_LAID, Event.TILE_LAID, Event.MINED, Event.COOPERATED, Event.CLOSED_UP)
Group = list[GameEvent]


def log_lines(s: State, events: Sequence[GameEvent], viewer: int, lang: str) -> list[str]:
    """The lines that tell a move: one for what one reads as one happening."""
    lines = []
    for _, found in groupby(events, topic):
        group = list(found)
        lines += LINES.get(group[0].kind, one_by_one)(s, group, lang)
    return lines


def topic(event: GameEvent) -> object:
    """What events have in common that are told together."""
    if event.kind in GAINS:
        return "gains", event.seat
    if event.kind in FINALS or event.kind == Event.ON_TRACK:
        return "final", event.seat
    if event.kind in USES or event.kind == Event.BUILDS_LATE:
        return "uses"
    if event.kind in (Event.ROUND_BEGAN, Event.IN_ORDER):
        return "round"
    if event.kind in (Event.PAID_TO_DRAW, Event.DREW):
        return "draw"
    if event.kind in (Event.FLIPPED, Event.SAW):
        return event.kind, event.seat
    return event.kind if event.kind in TOGETHER else event


def say(key: str, lang: str, **words: object) -> str:
    """A text of the log."""
    return WORDS.say(f"log.{key}", lang, **words)


# --- Events told one by one ---------------------------------------------------------------------------------------


def one_by_one(s: State, group: Group, lang: str) -> list[str]:
    """A line for each event, by its own words."""
    return [say(key_of(event), lang, **words_of(s, event, lang)) for event in group]


def key_of(event: GameEvent) -> str:
    """The key of an event's line: its name, and whether the viewer knows the card or points are scored."""
    key = event.kind.name.lower()
    if event.kind in (Event.KEPT_DEALT, Event.KEPT, Event.PUT_UNDER) and event.card is not None:
        return f"{key}_own"
    if event.kind == Event.STATUE_BUILT and event.points:
        return f"{key}_points"
    if event.kind == Event.LOWERED and not event.points:
        return f"{key}_only"
    return f"{key}_tied" if event.kind == Event.WON and event.tied else key


def words_of(s: State, event: GameEvent, lang: str) -> dict[str, object]:
    """What can be said of an event, by the names of its values."""
    words: dict[str, object] = {"who": names.seat_name(event.seat, lang)} if event.seat >= 0 else {}
    for name, value in zip(event.kind.names, event.values, strict=True):
        if value is None:
            continue
        if name in NAMED:
            words[name] = NAMED[name](value, lang)
        elif name in ("strength", "power", "level", "column", "space"):
            words["n"] = value
        else:
            words |= more_words(s, event, name, value, lang)
    return words


NAMED: dict[str, Callable[[int, str], str]] = {
    "colour": names.colour_name,
    "crew": names.crew_name,
    "dock": names.dock_code_name,
    "market": names.market_name,
    "other": names.sphinx_name,
    "position": names.ring_text,
    "stones": names.stones_text,
    "total": names.points_text,
}
SPHINX_CARDS = (Event.KEPT_DEALT, Event.KEPT, Event.PUT_UNDER)  # events about Sphinx cards; in the others cards are Nile cards


def more_words(s: State, event: GameEvent, name: str, value: int, lang: str) -> dict[str, object]:
    """What can be said of a value whose meaning depends on its event or on the table."""
    if name == "card":
        return {name: names.sphinx_name(value, lang) if event.kind in SPHINX_CARDS else names.card_title(value, lang)}
    if name == "cards":
        return {name: names.counted(name, value, lang)}
    if name == "tile" and event.kind in (Event.BONUS_WON, Event.USED_BONUS):
        return {name: names.bonus_title(value, lang), "text": names.bonus_text(value, lang, "told")}
    if name == "tile":
        return {name: names.tile_title(value, lang)}
    if name == "location":
        return location_words(value, lang)
    if name == "field":
        return {name: names.field_name(s, event.seat, value, lang)}
    if name == "place":
        return {"statue": names.measure_short(components.STATUE_MEASURE[s.statue[value] - 1], lang)}
    if name == "points":
        return {name: names.points_text(abs(value), lang)}
    if name == "obstacle":
        return {"why": say(f"obstacle.{Obstacle(value).name.lower()}", lang)}
    return {name: value + 1 if name == "row" else value}


def location_words(location: int, lang: str) -> dict[str, object]:
    """A location, with its dock if it has one."""
    dock = names.dock_of(location)
    if dock < 0:
        return {"place": names.LOCATION_CODES[location]}
    place = f"D{dock + 1}" if location >= Location.BANK else names.LOCATION_CODES[location]
    return {"place": place, "dock": names.dock_name(dock, lang)}


# --- Events told together -------------------------------------------------------------------------------------------


def gains(s: State, group: Group, lang: str) -> list[str]:
    """What a seat gains by an effect: strengths and market spaces reached, stones, points and tokens."""
    if len(group) == 1 and group[0].kind == Event.RAISED:
        return one_by_one(s, group, lang)
    reached: dict[str, str] = {}
    for kind, key in ((Event.RAISED, "crew"), (Event.MARKET_MOVED, "market")):
        for event in group:
            if event.kind == kind:
                reached[f"{key} {getattr(event, key)}"] = say(f"part.{key}", lang, **words_of(s, event, lang))
    parts = list(reached.values())
    stones = sum(event.stones for event in group if event.kind == Event.STONES_GAINED)
    points = points_in(group)
    if stones:
        parts.append(say("part.stones", lang, stones=names.stones_text(stones, lang)))
    if points:
        parts.append(say("part.points", lang, points=names.points_text(points, lang)))
    parts += [say("part.token", lang) for event in group if event.kind == Event.TOKEN_GAINED]
    return [say("gained", lang, who=names.seat_name(group[0].seat, lang), changes=listed(parts, lang))]


def points_in(group: Group) -> int:
    """The points of all events."""
    return sum(event.points for event in group if "points" in event.kind.names)


def uses(s: State, group: Group, lang: str) -> list[str]:
    """Cards, tiles and tokens used; the last of them perhaps for a late ship."""
    used = [event for event in group if event.kind in USES]
    lines = [say("used", lang, what=used_name(event, lang), **words_of(s, event, lang)) for event in used]
    if group[-1].kind == Event.BUILDS_LATE:
        lines[-1] = say("builds_late", lang, what=used_name(used[-1], lang), **words_of(s, group[-1], lang))
    return lines


def used_name(event: GameEvent, lang: str) -> str:
    """The card, tile or token that was used."""
    if event.kind == Event.USED_TOKEN:
        return WORDS.say("do.token", lang)
    return names.card_title(event.card, lang) if event.kind == Event.USED_CARD else names.bonus_title(event.tile, lang)


def flipped(s: State, group: Group, lang: str) -> list[str]:
    """Crews turned face down, and the strength they bring the build to."""
    crews = listed([say("part.flipped", lang, crew=names.crew_name(event.crew, lang)) for event in group], lang)
    return [say("flipped", lang, who=names.seat_name(group[0].seat, lang), crews=crews, n=group[-1].power)]


def drawing(s: State, group: Group, lang: str) -> list[str]:
    """Sphinx cards paid for and drawn."""
    if len(group) == 1:
        return one_by_one(s, group, lang)
    return [say("drew_paid", lang, **words_of(s, group[0], lang) | words_of(s, group[1], lang))]


def saw(s: State, group: Group, lang: str) -> list[str]:
    """The Sphinx cards drawn, for the eyes of their seat."""
    cards = [names.sphinx_name(event.card, lang) for event in group if event.card is not None]
    return [say("saw", lang, cards=listed(cards, lang))] if cards else []


def round_began(s: State, group: Group, lang: str) -> list[str]:
    """A new round and its turn order."""
    order = listed([names.seat_name(event.seat, lang) for event in group[1:]], lang)
    return [say("round_began", lang, round=group[0].round, order=order)]


def laid(s: State, group: Group, lang: str) -> list[str]:
    """Cards or tiles laid out along the river."""
    key = "card" if group[0].kind == Event.CARD_LAID else "tile"
    found = [words_of(s, event, lang) for event in group]
    items = ("；" if lang == "ja" else "; ").join(f"{words['place']} {words[key]}" for words in found)
    return [say(f"{key}_laid", lang, items=items)]


def for_all(s: State, group: Group, lang: str) -> list[str]:
    """A line that says the same of several seats: stones at the start, mining, the cooperation bonus."""
    parts = []
    for event in group:
        who = names.seat_name(event.seat, lang)
        if event.kind == Event.STONES_DEALT:
            parts.append(say("part.dealt", lang, who=who, n=event.stones))
        elif event.kind == Event.MINED:
            key = "part.mined_full" if event.total == components.STORE else "part.mined"
            parts.append(say(key, lang, who=who, n=event.stones, total=event.total))
        else:
            parts.append(say("part.cooperated", lang, who=who, n=event.points))
    return [say(group[0].kind.name.lower(), lang, who=listed(parts, lang))]


def closed_up(s: State, group: Group, lang: str) -> list[str]:
    """Ships that move up at a dock, after one has left it."""
    who = listed([names.seat_name(event.seat, lang) for event in group], lang)
    return [say("closed_up", lang, who=who, dock=names.dock_code_name(group[0].dock, lang))]


def final(s: State, group: Group, lang: str) -> list[str]:
    """Final scoring of a seat by source, and what each of its Sphinx cards brings."""
    parts = []
    for part in Final:
        n = points_in([event for event in group if FINALS.get(event.kind) == part])
        parts.append(say(f"source.{part.name.lower()}", lang, n=n))
    who, track = names.seat_name(group[0].seat, lang), group[0].track
    lines = [say("final", lang, who=who, track=track, parts=listed(parts, lang), total=track + points_in(group))]
    cards = []
    for event in group:
        if event.kind == Event.SPHINX_CARD_SCORED:
            points = names.points_text(event.points, lang)
            cards.append(say("part.sphinx", lang, card=names.sphinx_name(event.card, lang), points=points))
    return [*lines, say("final_sphinx", lang, who=who, items=listed(cards, lang))] if cards else lines


LINES: dict[object, Callable[[State, Group, str], list[str]]] = {
    **dict.fromkeys(GAINS, gains),
    **dict.fromkeys(USES, uses),
    Event.FLIPPED: flipped,
    Event.SAW: saw,
    Event.PAID_TO_DRAW: drawing,
    Event.ROUND_BEGAN: round_began,
    Event.CARD_LAID: laid,
    Event.TILE_LAID: laid,
    **dict.fromkeys((Event.STONES_DEALT, Event.MINED, Event.COOPERATED), for_all),
    Event.CLOSED_UP: closed_up,
    Event.ON_TRACK: final,
}
