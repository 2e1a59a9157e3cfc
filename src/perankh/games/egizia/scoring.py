"""What is counted in Egizia, and the final scoring."""

from __future__ import annotations

from perankh.engine.api import rule

from .cards import count, field_colour, grain_of, has, stone_production
from .monuments import (
    all_bricks,
    board,
    obelisk_bricks,
    obelisk_height,
    pyramid_bricks,
    row_bricks,
    row_length,
    statue_bricks,
)
from .printed import (
    ABILITY_NUMBERS,
    BASICS,
    CARDS,
    COLOURS,
    DOUBLE_LINE,
    FIELD_CARDS,
    FIELD_MASK,
    GRAIN_SPACES,
    LEADER,
    MAJORITY,
    MEASURES,
    OBELISK_HEIGHT,
    PYRAMID_ROWS,
    QUARRY_MASK,
    ROW_SPACES,
    SPHINX_CARDS,
    SPHINX_LEAST,
    SPHINX_MEASURE,
    SPHINX_VP,
    STARTER,
    STATUE_LEAST,
    STATUE_MEASURE,
    STATUE_SPACES,
    STATUE_TYPE,
    STATUE_VP,
    STATUES_IN_PLAY,
    STONE_END,
    STONE_GROUP,
    TRACK,
    VP_PER,
    VP_PER_MONUMENT,
)
from .sphinx import hand, hand_size
from .table import FINAL, State
from .tracks import stone_top, strength_of

NUMBER_OF_COLOURS = len(COLOURS)
NUMBER_OF_FIELDS = len(FIELD_CARDS)
PARTS_OF_FINAL = len(FINAL)
M_OBELISK, M_ABOVE, M_OBELISK_FULL, M_COLUMNS, M_PYRAMID, M_ROWS, M_ROWS_FULL, M_PYRAMID_FULL, M_STATUES = range(9)
M_EVERY_STATUE, M_EACH_MONUMENT, M_BRICKS, M_EACH_BASIC, M_LEADER, M_STRENGTH, M_GRAIN, M_STONES_MADE, M_FIELDS = range(9, 18)
M_QUARRIES, M_COLOURS, M_STONES, M_MARKETS, M_GRAIN_TOP, M_STONE_TOP, M_SPHINX = range(18, len(MEASURES))

# --- Measures -----------------------------------------------------------------------------------------------------


@rule
def measure(s: State, p: int, what: int) -> int:
    """What statues, Sphinx cards and Nile end cards count for p."""
    if what <= M_BRICKS:
        return measure_monuments(s, p, what)
    if what == M_EACH_BASIC:
        return least_basic(s, p)
    if what == M_LEADER:
        return int(s.strength[p][LEADER])
    if what == M_STRENGTH:
        return strength_of(s, p)
    if what == M_GRAIN:
        return grain_of(s, p, NUMBER_OF_COLOURS)
    if what == M_STONES_MADE:
        return stone_production(s, p)
    if what == M_FIELDS:
        return 1 + count(int(s.held[p]) & FIELD_MASK)
    if what == M_QUARRIES:
        return count(int(s.held[p]) & QUARRY_MASK)
    if what == M_COLOURS:
        return colours_of(s, p)
    if what == M_STONES:
        return int(s.stones[p])
    if what == M_MARKETS:
        return int(s.market[p][0]) + int(s.market[p][1])
    if what == M_GRAIN_TOP:
        return 1 if s.market[p][0] == GRAIN_SPACES else 0
    if what == M_STONE_TOP:
        return 1 if s.market[p][1] == stone_top(s) else 0
    return hand_size(s, p)


@rule
def measure_monuments(s: State, p: int, what: int) -> int:
    """Measures of bricks, and of what all have built together."""
    if what == M_OBELISK:
        return obelisk_bricks(s, p, 0)
    if what == M_ABOVE:
        return obelisk_bricks(s, p, int(DOUBLE_LINE[board(s)]))
    if what == M_OBELISK_FULL:
        return 1 if obelisk_height(s) == OBELISK_HEIGHT[board(s)] else 0
    if what == M_COLUMNS:
        return int(s.columns[p])
    if what == M_PYRAMID:
        return pyramid_bricks(s, p)
    if what == M_ROWS:
        return rows_of(s, p)
    if what == M_ROWS_FULL:
        return full_rows(s)
    if what == M_PYRAMID_FULL:
        return 1 if full_rows(s) == rows_of_board(s) else 0
    if what == M_STATUES:
        return statue_bricks(s, p)
    if what == M_EVERY_STATUE:
        return every_statue(s, p)
    if what == M_EACH_MONUMENT:
        return min(
            min(obelisk_bricks(s, p, 0), int(s.columns[p])),
            min(statue_bricks(s, p), pyramid_bricks(s, p)),
        )
    return all_bricks(s, p)


@rule
def rows_of(s: State, p: int) -> int:
    """Pyramid rows with a brick of p."""
    n = 0
    for row in range(PYRAMID_ROWS):
        if row_bricks(s, p, row) > 0:
            n += 1
    return n


@rule
def rows_of_board(s: State) -> int:
    """Rows of the pyramid in use."""
    n = 0
    while n < PYRAMID_ROWS and ROW_SPACES[board(s)][n] > 0:
        n += 1
    return n


@rule
def full_rows(s: State) -> int:
    """Full rows of the pyramid, from the bottom."""
    n = 0
    while n < rows_of_board(s) and row_length(s, n) == ROW_SPACES[board(s)][n]:
        n += 1
    return n


@rule
def every_statue(s: State, p: int) -> int:
    """1 if p has a brick on each statue in play."""
    for place in range(STATUES_IN_PLAY):
        if s.statue[place] > 0 and s.level[p][place] == 0:
            return 0
    return 1


@rule
def least_basic(s: State, p: int) -> int:
    """The strength of p's weakest basic crew."""
    least = int(s.strength[p][0])
    for crew in range(1, BASICS):
        least = min(least, int(s.strength[p][crew]))
    return least


@rule
def colours_of(s: State, p: int) -> int:
    """How many colours p's fields show, improvers included (EGZ-N5)."""
    seen = 1 << field_colour(s, p, STARTER)
    for i in range(NUMBER_OF_FIELDS):
        if has(s.held[p], FIELD_CARDS[i]):
            seen |= 1 << field_colour(s, p, int(FIELD_CARDS[i]))
    return count(seen)


# --- Final scoring ------------------------------------------------------------------------------------------------


@rule
def score_game(s: State) -> None:
    """The five parts of the final scoring, all counted on the VP of the track before them (EGZ-Z1)."""
    for p in range(s.players):
        s.final[p][0] = majority_points(s, p)
        s.final[p][1] = nile_points(s, p)
        s.final[p][2] = sphinx_points(s, p)
        s.final[p][3] = statue_points(s, p)
        s.final[p][4] = stone_points(s, p)
    for p in range(s.players):
        for part in range(PARTS_OF_FINAL):
            s.vp[p] += s.final[p][part]


@rule
def majority_points(s: State, p: int) -> int:
    """Most bricks on the pyramid, at least one; all who tie score (EGZ-Z2)."""
    own = pyramid_bricks(s, p)
    for q in range(s.players):
        if pyramid_bricks(s, q) > own:
            return 0
    return MAJORITY if own > 0 or s.pyramid_majority_zero else 0


@rule
def nile_points(s: State, p: int) -> int:
    """Nile cards that score at the end (EGZ-Z3)."""
    points = 0
    for card in range(CARDS):
        if has(s.held[p], card):
            if has(VP_PER, card):
                points += measure(s, p, ABILITY_NUMBERS[card][0]) // ABILITY_NUMBERS[card][2] * ABILITY_NUMBERS[card][1]
            elif has(VP_PER_MONUMENT, card):
                points += monuments_with(s, p, ABILITY_NUMBERS[card][1]) * ABILITY_NUMBERS[card][0]
    return points


@rule
def monuments_with(s: State, p: int, bricks: int) -> int:
    """Monuments among obelisk, colonnade, statues and pyramid with so many own bricks."""
    n = 1 if obelisk_bricks(s, p, 0) >= bricks else 0
    n += 1 if s.columns[p] >= bricks else 0
    n += 1 if statue_bricks(s, p) >= bricks else 0
    return n + (1 if pyramid_bricks(s, p) >= bricks else 0)


@rule
def sphinx_points(s: State, p: int) -> int:
    """Each Sphinx card whose condition is met (EGZ-Z4)."""
    cards = hand(s, p)
    points = 0
    for card in range(SPHINX_CARDS):
        if has(cards, card):
            points += card_points(s, p, card)
    return points


@rule
def card_points(s: State, p: int, card: int) -> int:
    """VP of one Sphinx card for p as things stand (EGZ-Z4)."""
    if SPHINX_MEASURE[card] == TRACK:
        return max(0, int(s.vp[p])) // int(SPHINX_LEAST[card])
    return int(SPHINX_VP[card]) if measure(s, p, SPHINX_MEASURE[card]) >= SPHINX_LEAST[card] else 0


@rule
def statue_points(s: State, p: int) -> int:
    """For each statue the highest space that p has built and whose threshold p meets (EGZ-Z5)."""
    points = 0
    for place in range(STATUES_IN_PLAY):
        if s.statue[place] > 0:
            points += one_statue(s, p, place)
    return points


@rule
def one_statue(s: State, p: int, place: int) -> int:
    """VP of one statue for p as things stand (EGZ-Z5)."""
    statue = s.statue[place] - 1
    reached = measure(s, p, STATUE_MEASURE[statue])
    for space in range(STATUE_SPACES - 1, -1, -1):
        if space < s.level[p][place] and reached >= STATUE_LEAST[statue][space]:
            return int(STATUE_VP[STATUE_TYPE[statue]][space])
    return 0


@rule
def stone_points(s: State, p: int) -> int:
    """Stones left, on the upper spaces of the stone market (EGZ-Z6)."""
    return s.stones[p] // STONE_GROUP if STONE_END[s.stone_market_spaces][s.market[p][1] - 1] else 0
