"""What each choice of Egizia means, with its cost and its gain, and what is asked at each step."""

from __future__ import annotations

from perankh.engine.text import listed

from .building import least_cost, most_cards
from .cards import field_colour, nth, river_cards
from .effects import number_of_part
from .feeding import grain_of_stone, need
from .monuments import board, cost_of, obelisk_height, row_bricks, row_length
from .placement import (
    can_go_upstream,
    index_of,
    is_occupied_tile,
    occupied_cards_for,
    shared_tile_opens,
    shares_last_tile,
    upstream_cards,
)
from .printed import (
    ABILITY_NUMBERS,
    BRICK_VP,
    CARDS,
    COLUMNS,
    DOCK_SPACES,
    DOUBLE_LINE,
    FINISH_VP,
    GRAIN,
    GRAIN_BEYOND,
    GRAIN_GROUP,
    GRAIN_LOSS,
    GRAIN_OVERFLOW,
    GRAIN_SALE,
    GRAIN_SPACES,
    LEFTOVER,
    MEASURES,
    PURPLE_COLUMN,
    RETURNED_VP,
    RIVER,
    ROW_SPACES,
    ROW_VP,
    SHARED_TILE,
    SPHINX_DOCK,
    SPHINX_LEAST,
    SPHINX_MEASURE,
    SPHINX_MOST,
    STARTER,
    STATUE_LEAST,
    STATUE_MEASURE,
    STATUE_NAMES,
    STATUE_TYPE,
    STATUE_VP,
    STONE,
    STONE_BEYOND,
    STONE_END,
    STONE_ENTERING,
    STONE_OVERFLOW,
    TILE_EFFECTS,
    TRACK,
    UPSTREAM_TILE,
    YELLOW_COLUMN,
)
from .scoring import measure
from .speech import (
    LOCATION_CODES,
    WORDS,
    bonus_code,
    bonus_effect_text,
    bonus_title,
    card_code_title,
    card_text,
    card_title,
    colour_name,
    counted,
    crew_name,
    dock_name,
    dock_of,
    effect_text,
    market_name,
    measure_short,
    parts_text,
    points_text,
    ring_text,
    seat_name,
    sphinx_named,
    starter_title,
    stones_text,
    tile_text,
    tile_title,
)
from .table import (
    ADD_LEADER,
    BASIC,
    BASIC_2,
    BEFORE_DRAW,
    BONUS,
    BUILD,
    CARD,
    COLUMN,
    CREW,
    DECLINE,
    DOUBLE,
    FEED,
    FINISH,
    FIRST_DOCK,
    FIRST_SPECULATION,
    FIRST_TILE,
    GRAIN_CARD,
    KEEP,
    KEEP_MORE,
    LATE,
    LEFT_OVER,
    LOCATION,
    LOWER,
    LOWER_BONUS,
    MARKET,
    NEXT_BUILD,
    NONE,
    NUMBER,
    OBELISK,
    PASS,
    PLACE,
    POWER,
    RAISE,
    RING,
    ROW,
    SECOND,
    SELL,
    SPHINX,
    START,
    STATUE,
    STEPS,
    TOKEN,
    State,
)
from .tracks import stone_top, tile_number, usable_tile

YES_OR_NO = ("obelisk_full", "pyramid_full", "every_statue", "grain_market_top", "stone_market_top")  # measures of 0 or 1

# --- Questions ----------------------------------------------------------------------------------------------------


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    key = STEPS[s.step]
    if s.step == LOCATION and s.extra:
        key = "location_extra"
    elif s.step == LOCATION and s.frontier[p]:
        key = "location_below"
    elif s.step == KEEP_MORE and s.keep2_when == BEFORE_DRAW:
        key = "keep_more_before"
    return WORDS.say(f"prompt.{key}", lang, **question_words(s, p, lang))


def question_words(s: State, p: int, lang: str) -> dict[str, object]:
    """What can be said in a question."""
    words: dict[str, object] = {
        "ships": s.ships[p],
        "stones": stones_text(s.stones[p], lang),
        "power": s.power,
        "budget": s.budget,
    }
    words["place"] = LOCATION_CODES[s.target - 1] if s.target else RIVER[s.frontier[p] - 1]
    words["points"] = points_text(GRAIN_LOSS[s.market[p][0] - 1], lang)
    words |= {
        "harvest": s.harvest,
        "need": need(s, p),
        "shortage": s.shortage,
        "surplus": s.harvest - need(s, p),
        "group": GRAIN_GROUP,
    }
    if s.step == DOUBLE:
        words["text"] = tile_text(s.laid[s.target - 1 - FIRST_TILE], lang)
    if s.source:
        words |= {"source": source_title(s, lang), "n": number_of_part(s, 2 if s.step == RAISE else 1)}
        words["points"] = points_text(number_of_part(s, 1), lang)
    if s.step == LEFT_OVER:
        words["card"] = card_title(nth(int(s.held[p]) & LEFTOVER, 0), lang)
    if s.docking:
        words["dock"] = dock_code_name(s.docking - 1, lang)
        words |= {"cost": least_cost(s, p), "most": most_cards(s, p)}
    if s.step == KEEP:
        words["points"] = points_text(RETURNED_VP, lang)
    return words


def source_title(s: State, lang: str) -> str:
    """The card or tile whose effect is being carried out."""
    source = s.source - 1
    return card_title(source, lang) if source < CARDS else tile_title(source - CARDS, lang)


def dock_code_name(dock: int, lang: str) -> str:
    """A dock with its code and its monuments."""
    name = dock_name(dock, lang)
    return f"D{dock + 1}（{name}）" if lang == "ja" else f"D{dock + 1} ({name})"


# --- Sentences ----------------------------------------------------------------------------------------------------


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    if a == PASS:
        return WORDS.say("do.pass", lang)
    if a == NONE:
        return say_none(s, p, lang)
    if a in (FINISH, BUILD, DECLINE):
        return say_build(s, a, lang)
    if a < CREW:
        return say_place(s, p, a - PLACE, lang)
    if a < RING:
        return say_crew(s, p, a - CREW, lang)
    if a < CARD:
        position = 1 + a - RING
        return WORDS.say("do.ring_stay" if position == s.ring else "do.ring", lang, ring=ring_text(position, lang))
    if a < BONUS:
        return say_card(s, p, a - CARD, lang)
    if a < SPHINX:
        return say_tile(s, a, lang)
    if a < FEED:
        return say_sphinx(s, p, a - SPHINX, lang)
    if a < NUMBER:
        return say_feeding(s, p, a, lang)
    if a < OBELISK:
        return say_number(a - NUMBER + 1, lang)
    if a < MARKET:
        return say_brick(s, p, a, lang)
    return say_market(s, p, a - MARKET, lang)


def say_none(s: State, p: int, lang: str) -> str:
    """Use, take or keep nothing."""
    if s.step == GRAIN_CARD:
        return WORDS.say("do.grain_none", lang, result=say_shortage(s, p, need(s, p) - s.harvest, lang))
    if s.step == LEFT_OVER:
        return WORDS.say("do.leftover_none", lang, what=card_title(nth(int(s.held[p]) & LEFTOVER, 0), lang))
    if s.step == KEEP:
        return WORDS.say("do.keep_none", lang, points=points_text(s.draw_size[s.draws - 1] * RETURNED_VP, lang))
    if s.step == LATE:
        return WORDS.say("do.late_none", lang, dock=dock_code_name(s.docking - 1, lang))
    if s.step in (DOUBLE, SECOND, BASIC_2, ADD_LEADER, POWER, KEEP_MORE) or STEPS[s.step] == "keep_second":
        return WORDS.say(f"do.{STEPS[s.step]}_none", lang, n=s.power)
    return WORDS.say("do.use_none", lang)


def say_build(s: State, a: int, lang: str) -> str:
    """Build, do not build, or stop."""
    if a == FINISH:
        return WORDS.say("do.finish", lang)
    dock = dock_code_name(s.docking - 1, lang) if s.docking else ""
    return WORDS.say("do.build" if a == BUILD else "do.decline", lang, dock=dock)


def say_shortage(s: State, p: int, missing: int, lang: str) -> str:
    """What so much missing grain costs."""
    if missing <= 0:
        return WORDS.say("do.enough", lang)
    return WORDS.say("do.missing", lang, n=missing, points=points_text(missing * GRAIN_LOSS[s.market[p][0] - 1], lang))


# --- Ships --------------------------------------------------------------------------------------------------------


def say_place(s: State, p: int, location: int, lang: str) -> str:
    """Put a ship somewhere, with what it brings and what ability it takes."""
    text = say_location(s, location, lang)
    index = index_of(location)
    upstream = index <= s.frontier[p]
    if is_occupied_tile(s, location):
        cards = occupied_cards_for(s, p, index)
        shared = shared_tile_opens(s, p, index)
        place = usable_tile(s, p, SHARED_TILE) if shared else -1
        text = WORDS.say("do.shared", lang, text=text, ability=ability_name(s, cards, place, lang))
        upstream = upstream and not (shared and shares_last_tile(s, p, index))
    if upstream and can_go_upstream(s, p):
        ability = ability_name(s, upstream_cards(s, p), usable_tile(s, p, UPSTREAM_TILE), lang)
        text = WORDS.say("do.upstream", lang, text=text, ability=ability)
    return text


def ability_name(s: State, cards: int, place: int, lang: str) -> str:
    """The one ability that can be used, or "one of your choice"."""
    if cards == 0 and place >= 0:
        return bonus_title(s.bonus_tile[place], lang)
    if place < 0 and cards and cards & (cards - 1) == 0:
        return card_title(nth(cards, 0), lang)
    return WORDS.say("do.ability", lang)


def say_location(s: State, location: int, lang: str) -> str:
    """What a ship finds at a location."""
    place = LOCATION_CODES[location]
    if location < FIRST_TILE:
        card = s.river[location] - 1
        return WORDS.say("do.card", lang, place=place, card=card_title(card, lang), text=card_text(card, lang))
    if location < FIRST_DOCK:
        tile = s.laid[location - FIRST_TILE]
        return WORDS.say("do.tile", lang, place=place, text=parts_text(TILE_EFFECTS[tile], lang))
    dock = dock_of(location)
    if location >= FIRST_SPECULATION:
        return WORDS.say("do.speculate", lang, place=f"D{dock + 1}", dock=dock_name(dock, lang))
    space = (location - FIRST_DOCK) % DOCK_SPACES
    key = "do.dock_sphinx" if dock == SPHINX_DOCK else "do.dock"
    return WORDS.say(key, lang, place=place, dock=dock_name(dock, lang), n=space + 1, most=SPHINX_MOST[space])


# --- Crews, cards and tiles ---------------------------------------------------------------------------------------


def say_crew(s: State, p: int, crew: int, lang: str) -> str:
    """Raise, lower or flip a crew."""
    name, old = crew_name(crew, lang), s.strength[p][crew]
    if s.step == RAISE:
        return WORDS.say("do.raise", lang, crew=name, old=old, new=min(s.crew_max, old + number_of_part(s, 2)))
    if s.step == LOWER:
        return WORDS.say("do.lower", lang, crew=name, old=old, new=old - 1, points=points_text(number_of_part(s, 1), lang))
    if s.step == BASIC:
        return WORDS.say("do.basic", lang, crew=name, n=old)
    return WORDS.say("do.add", lang, crew=name, n=s.power + old)


def say_card(s: State, p: int, card: int, lang: str) -> str:
    """Use a card, take one, or improve a field."""
    if s.step == LEFT_OVER and (river_cards(s) >> card) & 1:
        place = LOCATION_CODES[s.river.index(1 + card)]
        return WORDS.say("do.leftover", lang, card=card_title(card, lang), place=place, text=card_text(card, lang))
    if STEPS[s.step] == "attach":
        colour = colour_name(max(0, field_colour(s, p, card) - 1), lang)
        return WORDS.say("do.improve", lang, field=field_name(s, p, card, lang), colour=colour)
    name = card_code_title(card, lang)
    if s.step == GRAIN_CARD:
        harvest = s.harvest + ABILITY_NUMBERS[card][0]
        return WORDS.say("do.grain", lang, card=name, harvest=harvest, need=need(s, p))
    if s.step == POWER:
        return WORDS.say("do.power", lang, card=name, n=s.power + ABILITY_NUMBERS[card][0])
    if s.step == DOUBLE:
        return WORDS.say("do.double", lang, what=name)
    return WORDS.say("do.use", lang, what=name, text=effect_text(card, lang))


def field_name(s: State, p: int, field: int, lang: str) -> str:
    """A field of p with its code."""
    return starter_title(s.turned[p], lang) if field == STARTER else card_code_title(field, lang)


def say_tile(s: State, a: int, lang: str) -> str:
    """Use a colonnade tile or a speculation token."""
    dock = dock_code_name(s.docking - 1, lang) if s.docking else ""
    if a == TOKEN:
        return WORDS.say("do.late", lang, what=WORDS.say("do.token", lang), dock=dock)
    tile = a - BONUS
    name = f"{bonus_title(tile, lang)} [{bonus_code(tile)}]"
    if s.step == LATE:
        return WORDS.say("do.late", lang, what=name, dock=dock)
    return WORDS.say("do.use", lang, what=name, text=bonus_effect_text(tile, lang))


def say_sphinx(s: State, p: int, card: int, lang: str) -> str:
    """Keep a Sphinx card, or return it."""
    if s.step == START:
        other = next((dealt - 1 for dealt in s.dealt[p] if dealt != 1 + card), card)
        return WORDS.say("do.keep_start", lang, card=sphinx_named(card, lang), other=sphinx_named(other, lang).rstrip(".。"))
    return WORDS.say("do.return" if STEPS[s.step] == "return" else "do.keep", lang, card=sphinx_now(s, p, card, lang))


def sphinx_now(s: State, p: int, card: int, lang: str) -> str:
    """A Sphinx card, and how far p has got with it."""
    named, what = sphinx_named(card, lang), SPHINX_MEASURE[card]
    if what != TRACK and MEASURES[what] in YES_OR_NO:
        return WORDS.say("space.met" if measure(s, p, what) >= SPHINX_LEAST[card] else "space.not_met", lang, card=named)
    return WORDS.say("space.now", lang, card=named, n=s.vp[p] if what == TRACK else measure(s, p, what))


# --- Feeding ------------------------------------------------------------------------------------------------------


def say_feeding(s: State, p: int, a: int, lang: str) -> str:
    """Give stones for missing grain, or sell surplus grain."""
    if a >= SELL:
        groups = a - SELL
        if groups == 0:
            return WORDS.say("do.sell_none", lang)
        return WORDS.say("do.sell", lang, n=groups * GRAIN_GROUP, points=points_text(groups, lang))
    stones = a - FEED
    result = say_shortage(s, p, s.shortage - stones * grain_of_stone(s, p), lang)
    return WORDS.say("do.feed", lang, stones=stones_text(stones, lang), result=result)


# --- Building -----------------------------------------------------------------------------------------------------


def say_number(n: int, lang: str) -> str:
    """Draw so many Sphinx cards."""
    words = {"cards": counted("cards", n, lang), "stones": stones_text(n, lang)}
    return WORDS.say(
        "do.number", lang, points=points_text(n * RETURNED_VP, lang), less=points_text((n - 1) * RETURNED_VP, lang), **words
    )


def say_brick(s: State, p: int, a: int, lang: str) -> str:
    """Put a brick: cost, points, and what else it brings."""
    cost = cost_of(s, p, a)
    words = {"stones": stones_text(cost, lang), "points": points_text(cost + tile_points(s, p), lang)}
    if a == OBELISK:
        height = obelisk_height(s)
        side = WORDS.say("side.below" if height < DOUBLE_LINE[board(s)] else "side.above", lang)
        text = WORDS.say("do.obelisk", lang, n=height + 1, side=side, **words)
    elif a == COLUMN:
        text = say_column(s, p, words, lang)
    elif a < ROW:
        text = say_statue(s, p, a - STATUE, words, lang)
    else:
        text = say_row(s, p, a - ROW, words, lang)
    return WORDS.say("do.brick", lang, text=text, budget=s.budget - cost)


def tile_points(s: State, p: int) -> int:
    """What p's colonnade tile adds to the next brick."""
    return 0 if s.new_tile and s.g3_start == NEXT_BUILD else tile_number(s, p, BRICK_VP, 0)


def finishing_points(s: State) -> int:
    """The bonus of whoever finishes the colonnade next."""
    lower = 1 if s.players == 2 and s.finish_bonus_2p == LOWER_BONUS else 0
    return int(FINISH_VP[lower][s.columns[: s.players].count(COLUMNS)])


def say_column(s: State, p: int, words: dict[str, str], lang: str) -> str:
    """The next column, with the tile or the bonus it wins."""
    n = s.columns[p] + 1
    text = WORDS.say("do.column", lang, n=n, **words)
    for column, tile in ((YELLOW_COLUMN, s.bonus_tile[0]), (PURPLE_COLUMN, s.bonus_tile[1])):
        if n == column:
            text = WORDS.say("do.column_tile", lang, text=text, tile=bonus_title(tile, lang))
    if n == COLUMNS:
        text = WORDS.say("do.column_last", lang, text=text, points=points_text(finishing_points(s), lang))
    return text


def say_statue(s: State, p: int, place: int, words: dict[str, str], lang: str) -> str:
    """The next space of a statue, and what it can score."""
    statue, space = s.statue[place] - 1, s.level[p][place]
    what = STATUE_MEASURE[statue]
    text = WORDS.say(
        "do.statue",
        lang,
        n=space + 1,
        name=STATUE_NAMES[statue],
        what=measure_short(what, lang),
        stones=words["stones"],
        points=points_text(STATUE_VP[STATUE_TYPE[statue]][space], lang),
        least=STATUE_LEAST[statue][space],
        now=measure(s, p, what),
    )
    more = tile_points(s, p)
    return WORDS.say("do.statue_points", lang, text=text, points=points_text(more, lang)) if more else text


def say_row(s: State, p: int, row: int, words: dict[str, str], lang: str) -> str:
    """The next space of a pyramid row, and who is paid if it completes the row."""
    length = row_length(s, row)
    text = WORDS.say("do.row", lang, row=row + 1, n=length + 1, **words)
    if length + 1 < ROW_SPACES[board(s)][row]:
        return text
    bricks = [row_bricks(s, q, row) + int(q == p) for q in range(s.players)]
    winner = row_winner([*s.pyramid[row][:length], 1 + p])
    return WORDS.say(
        "do.row_full", lang, text=text, who=seat_name(winner, lang), points=points_text(bricks[winner] * ROW_VP, lang)
    )


def row_winner(bricks: list[int]) -> int:
    """Who has most bricks of a full row (1 + seat each), of equals the one furthest right."""
    return max(reversed(bricks), key=bricks.count) - 1


def say_market(s: State, p: int, market: int, lang: str) -> str:
    """A step on a market and what it brings."""
    space = s.market[p][market] + 1
    name = market_name(market, lang)
    if market == GRAIN and space > GRAIN_SPACES:
        gain = points_text(tile_number(s, p, GRAIN_OVERFLOW, GRAIN_BEYOND), lang)
        return WORDS.say("do.market_beyond", lang, market=name, gain=gain)
    if market == STONE and space > stone_top(s):
        gain = stones_text(tile_number(s, p, STONE_OVERFLOW, STONE_BEYOND), lang)
        return WORDS.say("do.market_beyond", lang, market=name, gain=gain)
    return WORDS.say("do.market", lang, market=name, n=space, text=space_text(s, market, space, lang))


def space_text(s: State, market: int, space: int, lang: str) -> str:
    """What a space of a market does."""
    if market == GRAIN:
        key = "space.sale" if GRAIN_SALE[space - 1] else "space.loss"
        return WORDS.say(key, lang, n=GRAIN_LOSS[space - 1])
    entering = STONE_ENTERING[s.stone_market_spaces][space - 1]
    texts = [WORDS.say("space.entering", lang, stones=stones_text(entering, lang))] if entering else []
    if STONE_END[s.stone_market_spaces][space - 1]:
        texts.append(WORDS.say("space.end", lang))
    return listed(texts, lang) or WORDS.say("space.plain", lang)
