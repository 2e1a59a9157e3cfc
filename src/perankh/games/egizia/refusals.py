"""Why a choice of Egizia is not open now, with the reason of the rules."""

from __future__ import annotations

from .building import is_up, least_cost, most_cards, most_with
from .cards import has, is_field, owns_field
from .effects import number_of_part
from .feeding import groups_for_sale, need
from .monuments import board, cost_of, first_space, has_brick, last_space
from .placement import index_of, is_occupied_tile, open_spaces
from .printed import (
    CARD_OPEN,
    CREW_LEAST,
    DOCK_SPACES,
    GRAIN_GROUP,
    LEADER,
    OCCUPIED_TILE,
    OTHER,
    PURPLE_COLUMN,
    RIVER,
    ROW_SPACES,
    SPHINX_DOCK,
    SPHINX_NAMES,
    STARTER,
    STATUE_SPACES,
    TILE_OPEN,
    YELLOW_COLUMN,
)
from .sentences import dock_code_name, prompt
from .speech import LOCATION_CODES, WORDS, bonus_text, bonus_title, card_text, card_title, crew_name, dock_of, stones_text
from .table import (
    ADD_LEADER,
    ATTACH,
    BASIC,
    BASIC_2,
    BONUS,
    CARD,
    COLUMN,
    CREW,
    DOUBLE,
    FEED,
    FEED_STONES,
    FINISH,
    FIRST_DOCK,
    FIRST_SPECULATION,
    FIRST_TILE,
    GRAIN_CARD,
    KEEP,
    KEEP_MORE,
    KEEP_SECOND,
    LATE,
    LEFT_OVER,
    LOCATION,
    LOWER,
    MARKET,
    MOVE_RING,
    NAME_NUMBER,
    NONE,
    NUMBER,
    OBELISK,
    OCCUPIED,
    PASS,
    PLACE,
    POWER,
    RAISE,
    RETURN,
    RING,
    ROW,
    SECOND,
    SELL,
    SELL_GRAIN,
    SPACE,
    SPHINX,
    START,
    STATUE,
    TOKEN,
    UPSTREAM,
    State,
)

ABILITY_STEPS = (OCCUPIED, UPSTREAM, DOUBLE, SECOND, GRAIN_CARD, POWER, KEEP_MORE)
CREW_STEPS = (RAISE, LOWER, BASIC, BASIC_2, ADD_LEADER)
TILE_STEPS = (OCCUPIED, UPSTREAM, SECOND, LATE)
SPHINX_STEPS = (START, KEEP, KEEP_SECOND, RETURN)
MUST_CHOOSE = (OCCUPIED, UPSTREAM, BASIC, KEEP_SECOND, RETURN, ATTACH, RAISE, LOWER)


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not open to p now."""
    key = reason(s, p, a)
    if key in ("step", "must_choose"):
        return WORDS.say(f"no.{key}", lang, prompt=prompt(s, p, lang))
    return WORDS.say(f"no.{key}", lang, **reason_words(s, p, a, lang))


def reason_words(s: State, p: int, a: int, lang: str) -> dict[str, object]:
    """What can be said in a reason."""
    words: dict[str, object] = {"players": s.players, "power": s.power, "budget": s.budget}
    words |= {"stones": stones_text(s.stones[p], lang), "group": GRAIN_GROUP}
    dock = s.docking - 1
    if s.docking:
        words |= {"cost": least_cost(s, p), "most": most_cards(s, p)}
    if PLACE <= a < CREW:
        words |= {"place": LOCATION_CODES[a - PLACE], "frontier": RIVER[s.frontier[p] - 1]}
        dock = dock_of(a - PLACE)
    elif CREW <= a < RING:
        words |= {"crew": crew_name(a - CREW, lang), "n": CREW_LEAST if s.step == LOWER else s.crew_max}
    elif CARD <= a < BONUS:
        words |= {"card": card_title(a - CARD, lang), "text": card_text(a - CARD, lang)}
    elif BONUS <= a < TOKEN:
        tile = a - BONUS
        column = YELLOW_COLUMN if s.bonus_tile[0] == tile else PURPLE_COLUMN
        words |= {"tile": bonus_title(tile, lang), "text": bonus_text(tile, lang), "n": column}
    elif SPHINX <= a < FEED:
        words["name"] = SPHINX_NAMES[a - SPHINX]
    elif FEED <= a < NUMBER:
        words["n"] = s.shortage if a < SELL else max(0, s.harvest - need(s, p))
    elif OBELISK <= a < MARKET:
        words |= {"n": 1 + a - (ROW if a >= ROW else STATUE), "cost": cost_of(s, p, a)}
    if s.step == MOVE_RING:
        words["n"] = number_of_part(s, 1)
    if dock >= 0:
        words["dock"] = dock_code_name(dock, lang)
    return words


def reason(s: State, p: int, a: int) -> str:
    """The key of the reason."""
    if a == PASS and s.step == LOCATION:
        return "must_place"
    if a == NONE:
        return why_not_none(s)
    if a == FINISH and s.step == SPACE:
        return "first_brick"
    if PLACE <= a < CREW and s.step == LOCATION:
        return why_not_place(s, p, a - PLACE)
    if CREW <= a < RING and s.step in CREW_STEPS:
        return why_not_crew(s, p, a - CREW)
    if RING <= a < CARD and s.step == MOVE_RING:
        return "ring_far"
    if CARD <= a < BONUS:
        return why_not_card(s, p, a - CARD)
    if BONUS <= a < TOKEN and s.step in TILE_STEPS:
        return why_not_tile(s, p, a - BONUS)
    if a == TOKEN and s.step == LATE:
        return "no_token"
    if SPHINX <= a < FEED and s.step in SPHINX_STEPS:
        return "not_drawn"
    if FEED <= a < NUMBER:
        return why_not_feed(s, p, a)
    if NUMBER <= a < OBELISK and s.step == NAME_NUMBER:
        return "dock_most"
    if OBELISK <= a < MARKET and s.step == SPACE:
        return why_not_brick(s, p, a)
    return "step"


def why_not_none(s: State) -> str:
    """Why something has to be chosen."""
    if s.step == START:
        return "keep_exactly"
    if s.step in (BASIC_2, POWER):
        return "more_power"
    return "must_choose" if s.step in MUST_CHOOSE else "step"


# --- Placing ------------------------------------------------------------------------------------------------------


def why_not_place(s: State, p: int, location: int) -> str:
    """Why a ship cannot go there."""
    if is_closed(s, location):
        return "closed"
    upstream = index_of(location) <= s.frontier[p]
    if location < FIRST_TILE:
        return "taken" if s.card_ship[location] else "upstream"
    if location < FIRST_DOCK:
        if is_occupied_tile(s, location) and not upstream:
            return "tile_taken"
        return "upstream"
    dock = dock_of(location)
    if (s.present[p] >> dock) & 1:
        return "one_ship"
    if upstream:
        return "upstream"
    if location < FIRST_SPECULATION:
        return "dock_taken"
    return "bank_taken" if s.speculator[dock] else "not_full"


def is_closed(s: State, location: int) -> bool:
    """Whether a location is out of use with so many players."""
    if location < FIRST_TILE:
        return not CARD_OPEN[s.players - 2][location]
    if location < FIRST_DOCK:
        return not TILE_OPEN[s.players - 2][location - FIRST_TILE]
    return location < FIRST_SPECULATION and (location - FIRST_DOCK) % DOCK_SPACES >= open_spaces(s)


# --- Crews, cards and tiles ---------------------------------------------------------------------------------------


def why_not_crew(s: State, p: int, crew: int) -> str:
    """Why a crew cannot be raised, lowered or flipped."""
    if s.step == RAISE:
        chosen = number_of_part(s, 1) == OTHER and (s.raised >> crew) & 1
        return "crew_other" if chosen else "crew_most"
    if s.step == LOWER:
        return "crew_least"
    if s.step == ADD_LEADER:
        return "leader_only"
    if crew == LEADER:
        return "leader_alone" if s.step == BASIC else "leader_later"
    if not is_up(s, p, crew):
        return "flipped"
    return "weak" if s.step == BASIC and most_with(s, p, crew) < least_cost(s, p) else "more_power"


def why_not_card(s: State, p: int, card: int) -> str:
    """Why a card cannot be used, taken or improved."""
    if s.step == ATTACH:
        return "green" if is_field(card) and owns_field(s, p, card) else "not_field"
    if s.step == LEFT_OVER:
        return "not_on_river"
    if s.step not in ABILITY_STEPS:
        return "step"
    if card == STARTER or not has(s.held[p], card):
        return "not_held"
    return "spent" if has(s.spent & OCCUPIED_TILE, card) else "no_help"


def why_not_tile(s: State, p: int, tile: int) -> str:
    """Why a colonnade tile cannot be used."""
    if tile not in s.bonus_tile:
        return "not_in_game"
    place = s.bonus_tile.index(tile)
    if s.columns[p] < (YELLOW_COLUMN, PURPLE_COLUMN)[place]:
        return "not_won"
    return "eye_closed" if (s.closed_eye[p] >> place) & 1 else "tile_no_help"


# --- Feeding and building -----------------------------------------------------------------------------------------


def why_not_feed(s: State, p: int, a: int) -> str:
    """Why so many stones cannot be given, or so much grain not be sold."""
    if a >= SELL:
        return "few_grain" if s.step == SELL_GRAIN and a - SELL > groups_for_sale(s, p) else "step"
    if s.step != FEED_STONES:
        return "step"
    return "few_stones" if a - FEED > s.stones[p] else "few_missing"


def why_not_brick(s: State, p: int, a: int) -> str:
    """Why no brick can be put there."""
    dock = s.docking - 1
    if dock == SPHINX_DOCK or not first_space(dock) <= a < last_space(dock):
        return "other_dock"
    if not has_brick(s, p):
        return "no_brick"
    if cost_of(s, p, a) > 0:
        return "dear"
    if a == OBELISK:
        return "obelisk_full"
    if a == COLUMN:
        return "columns_full"
    return why_not_statue(s, p, a - STATUE) if a < ROW else why_not_row(s, a - ROW)


def why_not_statue(s: State, p: int, place: int) -> str:
    """Why a statue cannot be built."""
    if not s.statue[place]:
        return "no_statue"
    return "statue_full" if s.level[p][place] == STATUE_SPACES else "carved"


def why_not_row(s: State, row: int) -> str:
    """Why a row of the pyramid cannot be built."""
    spaces = ROW_SPACES[board(s)][row]
    if not spaces:
        return "no_row"
    return "row_full" if all(s.pyramid[row][:spaces]) else "no_ground"
