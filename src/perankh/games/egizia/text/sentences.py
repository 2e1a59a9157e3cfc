"""What each choice of Egizia means, with its cost and its gain, and what is asked at each step."""

from __future__ import annotations

from perankh.engine.api import masks
from perankh.engine.text import listed

from ..rules import components, effects, feeding, monuments, nile, placement, scoring, tracks
from ..rules.components import Bonus, Dock, Market
from ..rules.state import Action, Location, State, Step
from . import names
from .names import WORDS

# --- Questions ----------------------------------------------------------------------------------------------------


# --- Sentences ----------------------------------------------------------------------------------------------------


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    if a == Action.PASS:
        return WORDS.say("do.pass", lang)
    if a == Action.NONE:
        return say_none(s, p, lang)
    if a in (Action.FINISH, Action.BUILD, Action.DECLINE):
        return say_build(s, a, lang)
    if a < Action.CREW:
        return say_place(s, p, a - Action.PLACE, lang)
    if a < Action.RING:
        return say_crew(s, p, a - Action.CREW, lang)
    if a < Action.CARD:
        position = 1 + a - Action.RING
        return WORDS.say("do.ring_stay" if position == s.ring else "do.ring", lang, ring=names.ring_text(position, lang))
    if a < Action.BONUS:
        return say_card(s, p, a - Action.CARD, lang)
    if a < Action.SPHINX:
        return say_tile(s, a, lang)
    if a < Action.FEED:
        return say_sphinx(s, p, a - Action.SPHINX, lang)
    if a < Action.NUMBER:
        return say_feeding(s, p, a, lang)
    if a < Action.OBELISK:
        return say_number(a - Action.NUMBER + 1, lang)
    if a < Action.MARKET:
        return say_brick(s, p, a, lang)
    return say_market(s, p, a - Action.MARKET, lang)


def say_none(s: State, p: int, lang: str) -> str:
    """Use, take or keep nothing."""
    if s.step == Step.GRAIN:
        return WORDS.say("do.grain_none", lang, result=say_shortage(s, p, feeding.need(s, p) - s.harvest, lang))
    if s.step == Step.LEFTOVER:
        return WORDS.say("do.leftover_none", lang, what=names.card_title(masks.first(s.held[p] & components.LEFTOVER), lang))
    if s.step == Step.KEEP:
        return WORDS.say("do.keep_none", lang, points=names.points_text(s.draw_size[s.draws - 1] * components.RETURNED_VP, lang))
    if s.step == Step.LATE:
        return WORDS.say("do.late_none", lang, dock=names.dock_code_name(s.docking - 1, lang))
    if s.step in (Step.DOUBLE, Step.SECOND, Step.BASIC2, Step.LEADER, Step.POWER, Step.KEEP_MORE, Step.KEEP_SECOND):
        return WORDS.say(f"do.{names.step_key(s)}_none", lang, n=s.power)
    return WORDS.say("do.use_none", lang)


def say_build(s: State, a: int, lang: str) -> str:
    """Build, do not build, or stop."""
    if a == Action.FINISH:
        return WORDS.say("do.finish", lang)
    dock = names.dock_code_name(s.docking - 1, lang) if s.docking else ""
    return WORDS.say("do.build" if a == Action.BUILD else "do.decline", lang, dock=dock)


def say_shortage(s: State, p: int, missing: int, lang: str) -> str:
    """What so much missing grain costs."""
    if missing <= 0:
        return WORDS.say("do.enough", lang)
    return WORDS.say(
        "do.missing", lang, n=missing, points=names.points_text(missing * components.GRAIN_LOSS[s.market[p][0] - 1], lang)
    )


# --- Ships --------------------------------------------------------------------------------------------------------


def say_place(s: State, p: int, location: int, lang: str) -> str:
    """Put a ship somewhere, with what it brings and what ability it takes."""
    text = say_location(s, location, lang)
    index = placement.index_of(location)
    upstream = index <= s.frontier[p]
    if placement.is_occupied_tile(s, location):
        cards = placement.occupied_cards_for(s, p, index)
        shared = placement.shared_tile_opens(s, p, index)
        place = tracks.usable_tile(s, p, Bonus.SHARED_TILE) if shared else -1
        text = WORDS.say("do.shared", lang, text=text, ability=ability_name(s, cards, place, lang))
        upstream = upstream and not (shared and placement.shares_last_tile(s, p, index))
    if upstream and placement.can_go_upstream(s, p):
        ability = ability_name(s, placement.upstream_cards(s, p), tracks.usable_tile(s, p, Bonus.UPSTREAM), lang)
        text = WORDS.say("do.upstream", lang, text=text, ability=ability)
    return text


def ability_name(s: State, cards: int, place: int, lang: str) -> str:
    """The one ability that can be used, or "one of your choice"."""
    if cards == 0 and place >= 0:
        return names.bonus_title(s.bonus_tile[place], lang)
    if place < 0 and cards and cards & (cards - 1) == 0:
        return names.card_title(masks.nth(cards, 0), lang)
    return WORDS.say("do.ability", lang)


def say_location(s: State, location: int, lang: str) -> str:
    """What a ship finds at a location."""
    place = names.LOCATION_CODES[location]
    if location < Location.TILE:
        card = s.river[location] - 1
        return WORDS.say("do.card", lang, place=place, card=names.card_title(card, lang), text=names.card_text(card, lang))
    if location < Location.DOCK:
        tile = s.laid[location - Location.TILE]
        return WORDS.say("do.tile", lang, place=place, text=names.parts_text(components.TILE_EFFECTS[tile], lang))
    dock = names.dock_of(location)
    if location >= Location.BANK:
        return WORDS.say("do.speculate", lang, place=f"D{dock + 1}", dock=names.dock_name(dock, lang))
    space = (location - Location.DOCK) % components.DOCK_SPACES
    key = "do.dock_sphinx" if dock == Dock.SPHINX else "do.dock"
    return WORDS.say(key, lang, place=place, dock=names.dock_name(dock, lang), n=space + 1, most=components.SPHINX_MOST[space])


# --- Crews, cards and tiles ---------------------------------------------------------------------------------------


def say_crew(s: State, p: int, crew: int, lang: str) -> str:
    """Raise, lower or flip a crew."""
    name, old = names.crew_name(crew, lang), s.strength[p][crew]
    if s.step == Step.RAISE:
        return WORDS.say("do.raise", lang, crew=name, old=old, new=min(s.crew_max, old + effects.number_of_part(s, 2)))
    if s.step == Step.LOWER:
        points = effects.number_of_part(s, 1)
        key = "lower" if points else "lower_only"
        return WORDS.say(f"do.{key}", lang, crew=name, old=old, new=old - 1, points=names.points_text(points, lang))
    if s.step == Step.BASIC:
        return WORDS.say("do.basic", lang, crew=name, n=old)
    return WORDS.say("do.add", lang, crew=name, n=s.power + old)


def say_card(s: State, p: int, card: int, lang: str) -> str:
    """Use a card, take one, or improve a field."""
    if s.step == Step.LEFTOVER and (nile.river_cards(s) >> card) & 1:
        place = names.LOCATION_CODES[s.river.index(1 + card)]
        return WORDS.say("do.leftover", lang, card=names.card_title(card, lang), place=place, text=names.card_text(card, lang))
    if s.step == Step.ATTACH:
        colour = names.colour_name(max(0, nile.field_colour(s, p, card) - 1), lang)
        return WORDS.say("do.improve", lang, field=names.field_name(s, p, card, lang), colour=colour)
    name = names.own_card_title(s, p, card, lang)
    if s.step == Step.GRAIN:
        harvest = s.harvest + components.ABILITY_NUMBERS[card][0]
        return WORDS.say("do.grain", lang, card=name, harvest=harvest, need=feeding.need(s, p))
    if s.step == Step.POWER:
        return WORDS.say("do.power", lang, card=name, n=s.power + components.ABILITY_NUMBERS[card][0])
    if s.step == Step.DOUBLE:
        return WORDS.say("do.double", lang, what=name)
    return WORDS.say("do.use", lang, what=name, text=names.effect_text(card, lang))


def say_tile(s: State, a: int, lang: str) -> str:
    """Use a colonnade tile or a speculation token."""
    dock = names.dock_code_name(s.docking - 1, lang) if s.docking else ""
    if a == Action.TOKEN:
        return WORDS.say("do.late", lang, what=WORDS.say("do.token", lang), dock=dock)
    tile = a - Action.BONUS
    name = names.bonus_title(tile, lang)
    if s.step == Step.LATE:
        return WORDS.say("do.late", lang, what=name, dock=dock)
    return WORDS.say("do.use", lang, what=name, text=names.bonus_effect_text(tile, lang))


def say_sphinx(s: State, p: int, card: int, lang: str) -> str:
    """Keep a Sphinx card, or return it."""
    if s.step == Step.START:
        other = next((dealt - 1 for dealt in s.dealt[p] if dealt != 1 + card), card)
        return WORDS.say(
            "do.keep_start", lang, card=names.sphinx_named(card, lang), other=names.sphinx_named(other, lang).rstrip(".。")
        )
    return WORDS.say("do.return" if s.step == Step.RETURN else "do.keep", lang, card=sphinx_now(s, p, card, lang))


def sphinx_now(s: State, p: int, card: int, lang: str) -> str:
    """A Sphinx card, and how far p has got with it."""
    named, what = names.sphinx_named(card, lang), components.SPHINX_MEASURE[card]
    if what != components.TRACK and components.MEASURES[what] in names.YES_OR_NO:
        return WORDS.say(
            "space.met" if scoring.measure(s, p, what) >= components.SPHINX_LEAST[card] else "space.not_met", lang, card=named
        )
    return WORDS.say("space.now", lang, card=named, n=s.vp[p] if what == components.TRACK else scoring.measure(s, p, what))


# --- Feeding ------------------------------------------------------------------------------------------------------


def say_feeding(s: State, p: int, a: int, lang: str) -> str:
    """Give stones for missing grain, or sell surplus grain."""
    if a >= Action.SELL:
        groups = a - Action.SELL
        if groups == 0:
            return WORDS.say("do.sell_none", lang)
        return WORDS.say("do.sell", lang, n=groups * components.GRAIN_GROUP, points=names.points_text(groups, lang))
    stones = a - Action.FEED
    result = say_shortage(s, p, s.shortage - stones * feeding.grain_of_stone(s, p), lang)
    return WORDS.say("do.feed", lang, stones=names.stones_text(stones, lang), result=result)


# --- Building -----------------------------------------------------------------------------------------------------


def say_number(n: int, lang: str) -> str:
    """Draw so many Sphinx cards."""
    words = {"cards": names.counted("cards", n, lang), "stones": names.stones_text(n, lang)}
    return WORDS.say(
        "do.number",
        lang,
        points=names.points_text(n * components.RETURNED_VP, lang),
        less=names.points_text((n - 1) * components.RETURNED_VP, lang),
        **words,
    )


def say_brick(s: State, p: int, a: int, lang: str) -> str:
    """Put a brick: cost, points, and what else it brings."""
    cost = monuments.cost_of(s, p, a)
    words = {"stones": names.stones_text(cost, lang), "points": names.points_text(cost + monuments.brick_points(s, p), lang)}
    if a == Action.OBELISK:
        height = monuments.obelisk_height(s)
        side = WORDS.say("side.below" if height < components.DOUBLE_LINE[monuments.board(s)] else "side.above", lang)
        text = WORDS.say("do.obelisk", lang, n=height + 1, side=side, **words)
    elif a == Action.COLUMN:
        text = say_column(s, p, words, lang)
    elif a < Action.ROW:
        text = say_statue(s, p, a - Action.STATUE, words, lang)
    else:
        text = say_row(s, p, a - Action.ROW, words, lang)
    return WORDS.say("do.brick", lang, text=text, budget=s.budget - cost)


def say_column(s: State, p: int, words: dict[str, str], lang: str) -> str:
    """The next column, with the tile or the bonus it wins."""
    n = s.columns[p] + 1
    text = WORDS.say("do.column", lang, n=n, **words)
    for column, tile in ((components.YELLOW_COLUMN, s.bonus_tile[0]), (components.PURPLE_COLUMN, s.bonus_tile[1])):
        if n == column:
            text = WORDS.say("do.column_tile", lang, text=text, tile=names.bonus_title(tile, lang))
    if n == components.COLUMNS:
        text = WORDS.say("do.column_last", lang, text=text, points=names.points_text(monuments.finishing_points(s, p), lang))
    return text


def say_statue(s: State, p: int, place: int, words: dict[str, str], lang: str) -> str:
    """The next space of a statue, and what it can score."""
    statue, space = s.statue[place] - 1, s.level[p][place]
    what = components.STATUE_MEASURE[statue]
    text = WORDS.say(
        "do.statue",
        lang,
        n=space + 1,
        what=names.measure_short(what, lang),
        stones=words["stones"],
        points=names.points_text(components.STATUE_VP[statue][space], lang),
        least=components.STATUE_LEAST[statue][space],
        now=scoring.measure(s, p, what),
    )
    more = monuments.brick_points(s, p)
    return WORDS.say("do.statue_points", lang, text=text, points=names.points_text(more, lang)) if more else text


def say_row(s: State, p: int, row: int, words: dict[str, str], lang: str) -> str:
    """The next space of a pyramid row, and who is paid if it completes the row."""
    length = monuments.row_length(s, row)
    text = WORDS.say("do.row", lang, row=row + 1, n=length + 1, **words)
    if length + 1 < components.ROW_SPACES[monuments.board(s)][row]:
        return text
    then = s.copy()
    then.pyramid[row][length] = 1 + p
    winner = monuments.row_winner(then, row)
    points = names.points_text(monuments.row_bricks(then, winner, row) * components.ROW_VP, lang)
    return WORDS.say("do.row_full", lang, text=text, who=names.seat_name(winner, lang), points=points)


def say_market(s: State, p: int, market: int, lang: str) -> str:
    """A step on a market and what it brings."""
    space = s.market[p][market] + 1
    name = names.market_name(market, lang)
    if market == Market.GRAIN and space > components.GRAIN_SPACES:
        gain = names.points_text(tracks.tile_number(s, p, Bonus.GRAIN_OVERFLOW, components.GRAIN_BEYOND), lang)
        return WORDS.say("do.market_beyond", lang, market=name, gain=gain)
    if market == Market.STONE and space > tracks.stone_top(s):
        gain = names.stones_text(tracks.tile_number(s, p, Bonus.STONE_OVERFLOW, components.STONE_BEYOND), lang)
        return WORDS.say("do.market_beyond", lang, market=name, gain=gain)
    return WORDS.say("do.market", lang, market=name, n=space, text=space_text(s, market, space, lang))


def space_text(s: State, market: int, space: int, lang: str) -> str:
    """What a space of a market does."""
    if market == Market.GRAIN:
        key = "space.sale" if components.GRAIN_SALE[space - 1] else "space.loss"
        return WORDS.say(key, lang, n=components.GRAIN_LOSS[space - 1])
    entering = components.STONE_ENTERING[s.stone_market_spaces][space - 1]
    texts = [WORDS.say("space.entering", lang, stones=names.stones_text(entering, lang))] if entering else []
    if components.STONE_END[s.stone_market_spaces][space - 1]:
        texts.append(WORDS.say("space.end", lang))
    return listed(texts, lang) or WORDS.say("space.plain", lang)
