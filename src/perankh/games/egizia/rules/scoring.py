"""What is counted in Egizia, and the final scoring."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import components, monuments, nile, sphinx, tracks
from .components import Crew, Market, Measure
from .events import Event
from .state import PARTS_OF_FINAL, Final, State, Step

ENDINGS = ("five_rounds",)

# --- Measures -----------------------------------------------------------------------------------------------------


@rule
def measure(s: State, p: int, what: int) -> int:
    """What statues, Sphinx cards and Nile end cards count for p."""
    if what == Measure.EACH_BASIC:
        return least_basic(s, p)
    if what == Measure.LEADER:
        return s.strength[p][Crew.LEADER]
    if what == Measure.STRENGTH:
        return tracks.strength_of(s, p)
    if what == Measure.GRAIN:
        return nile.grain_of(s, p, components.NUMBER_OF_COLOURS)
    if what == Measure.STONE_PRODUCTION:
        return nile.stone_production(s, p)
    if what == Measure.FIELDS:
        return 1 + masks.count(s.held[p] & components.FIELD_MASK)
    if what == Measure.QUARRIES:
        return masks.count(s.held[p] & components.QUARRY_MASK)
    if what == Measure.COLOURS:
        return colours_of(s, p)
    if what == Measure.STONES:
        return s.stones[p]
    if what == Measure.MARKETS:
        return s.market[p][Market.GRAIN] + s.market[p][Market.STONE]
    if what == Measure.GRAIN_MARKET_TOP:
        return 1 if s.market[p][Market.GRAIN] == components.GRAIN_SPACES else 0
    if what == Measure.STONE_MARKET_TOP:
        return 1 if s.market[p][Market.STONE] == tracks.stone_top(s) else 0
    if what == Measure.SPHINX_CARDS:
        return sphinx.hand_size(s, p)
    return measure_monuments(s, p, what)


@rule
def measure_monuments(s: State, p: int, what: int) -> int:
    """Measures of bricks, and of what all have built together."""
    if what == Measure.OBELISK:
        return monuments.obelisk_bricks(s, p, 0)
    if what == Measure.OBELISK_ABOVE:
        return monuments.obelisk_bricks(s, p, components.DOUBLE_LINE[monuments.board(s)])
    if what == Measure.OBELISK_FULL:
        return 1 if monuments.obelisk_height(s) == components.OBELISK_HEIGHT[monuments.board(s)] else 0
    if what == Measure.COLUMNS:
        return s.columns[p]
    if what == Measure.PYRAMID:
        return monuments.pyramid_bricks(s, p)
    if what == Measure.PYRAMID_ROWS:
        return rows_of(s, p)
    if what == Measure.ROWS_FULL:
        return full_rows(s)
    if what == Measure.PYRAMID_FULL:
        return 1 if full_rows(s) == rows_of_board(s) else 0
    if what == Measure.STATUES:
        return monuments.statue_bricks(s, p)
    if what == Measure.EVERY_STATUE:
        return every_statue(s, p)
    if what == Measure.EACH_MONUMENT:
        return min(
            min(monuments.obelisk_bricks(s, p, 0), s.columns[p]),
            min(monuments.statue_bricks(s, p), monuments.pyramid_bricks(s, p)),
        )
    return monuments.all_bricks(s, p)


@rule
def rows_of(s: State, p: int) -> int:
    """Pyramid rows with a brick of p."""
    n = 0
    for row in range(components.PYRAMID_ROWS):
        if monuments.row_bricks(s, p, row) > 0:
            n += 1
    return n


@rule
def rows_of_board(s: State) -> int:
    """Rows of the pyramid in use."""
    n = 0
    while n < components.PYRAMID_ROWS and components.ROW_SPACES[monuments.board(s)][n] > 0:
        n += 1
    return n


@rule
def full_rows(s: State) -> int:
    """Full rows of the pyramid, from the bottom."""
    n = 0
    while n < rows_of_board(s) and monuments.row_length(s, n) == components.ROW_SPACES[monuments.board(s)][n]:
        n += 1
    return n


@rule
def every_statue(s: State, p: int) -> int:
    """1 if p has a brick on each statue in play."""
    for place in range(components.STATUES_IN_PLAY):
        if s.statue[place] > 0 and s.level[p][place] == 0:
            return 0
    return 1


@rule
def least_basic(s: State, p: int) -> int:
    """The strength of p's weakest basic crew."""
    least = s.strength[p][0]
    for crew in range(1, components.BASICS):
        least = min(least, s.strength[p][crew])
    return least


@rule
def colours_of(s: State, p: int) -> int:
    """How many colours p's fields show, improvers included (EGZ-N5)."""
    seen = 0
    fields = nile.fields_of(s, p)
    while fields:
        seen = masks.added(seen, nile.field_colour(s, p, masks.first(fields)))
        fields = masks.rest(fields)
    return masks.count(seen)


# --- Final scoring ------------------------------------------------------------------------------------------------


@rule
def score_game(s: State) -> None:
    """The five parts of the final scoring, all counted on the VP of the track before them (EGZ-Z1)."""
    tell(s, Event.GAME_OVER, -1)
    for p in range(s.players):
        s.final[p][Final.MAJORITY] = majority_points(s, p)
        s.final[p][Final.NILE] = nile_points(s, p)
        s.final[p][Final.SPHINX] = sphinx_points(s, p)
        s.final[p][Final.STATUES] = statue_points(s, p)
        s.final[p][Final.STONES] = stone_points(s, p)
        tell_final(s, p)
    for p in range(s.players):
        for part in range(PARTS_OF_FINAL):
            s.vp[p] += s.final[p][part]
    tell_winner(s)


@rule
def tell_final(s: State, p: int) -> None:
    """What each part of p's final scoring consists of."""
    tell(s, Event.ON_TRACK, p, s.vp[p])
    tell(s, Event.MAJORITY_SCORED, p, s.final[p][Final.MAJORITY])
    cards = s.held[p] & (components.VP_PER | components.VP_PER_MONUMENT)
    while cards:
        tell(s, Event.NILE_CARD_SCORED, p, masks.first(cards), nile_card_points(s, p, masks.first(cards)))
        cards = masks.rest(cards)
    cards = sphinx.hand(s, p)
    while cards:
        tell(s, Event.SPHINX_CARD_SCORED, p, masks.first(cards), sphinx_card_points(s, p, masks.first(cards)))
        cards = masks.rest(cards)
    for place in range(components.STATUES_IN_PLAY):
        if s.level[p][place] > 0:
            tell(s, Event.STATUE_SCORED, p, place, one_statue(s, p, place))
    tell(s, Event.STONES_SCORED, p, s.stones[p], s.final[p][Final.STONES])


@rule
def tell_winner(s: State) -> None:
    """Who has won, and whether the turn order decided it (EGZ-Z7)."""
    winner = s.order[s.players - 1]
    for i in range(s.players - 1, -1, -1):
        if s.vp[s.order[i]] > s.vp[winner]:
            winner = s.order[i]
    tied = 0
    for p in range(s.players):
        if p != winner and s.vp[p] == s.vp[winner]:
            tied = 1
    tell(s, Event.WON, winner, s.vp[winner], tied)


@rule
def majority_points(s: State, p: int) -> int:
    """Most bricks on the pyramid, at least one; all who tie score (EGZ-Z2)."""
    own = monuments.pyramid_bricks(s, p)
    for q in range(s.players):
        if monuments.pyramid_bricks(s, q) > own:
            return 0
    return components.MAJORITY if own > 0 or s.pyramid_majority_zero else 0


@rule
def nile_points(s: State, p: int) -> int:
    """Nile cards that score at the end (EGZ-Z3)."""
    points = 0
    cards = s.held[p] & (components.VP_PER | components.VP_PER_MONUMENT)
    while cards:
        points += nile_card_points(s, p, masks.first(cards))
        cards = masks.rest(cards)
    return points


@rule
def nile_card_points(s: State, p: int, card: int) -> int:
    """VP of one Nile card that scores at the end, as things stand (EGZ-Z3)."""
    numbers = components.ABILITY_NUMBERS[card]
    points: int = monuments_with(s, p, numbers[1]) * numbers[0]
    if masks.has(components.VP_PER, card):
        points = measure(s, p, numbers[0]) // numbers[2] * numbers[1]
    return points


@rule
def monuments_with(s: State, p: int, bricks: int) -> int:
    """Monuments among obelisk, colonnade, statues and pyramid with so many own bricks."""
    n = 1 if monuments.obelisk_bricks(s, p, 0) >= bricks else 0
    n += 1 if s.columns[p] >= bricks else 0
    n += 1 if monuments.statue_bricks(s, p) >= bricks else 0
    return n + (1 if monuments.pyramid_bricks(s, p) >= bricks else 0)


@rule
def sphinx_points(s: State, p: int) -> int:
    """Each Sphinx card whose condition is met (EGZ-Z4)."""
    points = 0
    cards = sphinx.hand(s, p)
    while cards:
        points += sphinx_card_points(s, p, masks.first(cards))
        cards = masks.rest(cards)
    return points


@rule
def sphinx_card_points(s: State, p: int, card: int) -> int:
    """VP of one Sphinx card for p as things stand (EGZ-Z4)."""
    what, least = components.SPHINX_MEASURE[card], components.SPHINX_LEAST[card]
    points: int = components.SPHINX_VP[card]
    if what == components.TRACK:
        points = max(0, s.vp[p]) // least
    elif measure(s, p, what) < least:
        points = 0
    return points


@rule
def statue_points(s: State, p: int) -> int:
    """For each statue the highest space that p has built and whose threshold p meets (EGZ-Z5)."""
    points = 0
    for place in range(components.STATUES_IN_PLAY):
        if s.statue[place] > 0:
            points += one_statue(s, p, place)
    return points


@rule
def one_statue(s: State, p: int, place: int) -> int:
    """VP of one statue for p as things stand (EGZ-Z5)."""
    statue = s.statue[place] - 1
    reached = measure(s, p, components.STATUE_MEASURE[statue])
    points: int = 0
    for space in range(s.level[p][place]):
        if reached >= components.STATUE_LEAST[statue][space]:
            points = components.STATUE_VP[statue][space]
    return points


@rule
def stone_points(s: State, p: int) -> int:
    """Stones left, on the upper spaces of the stone market (EGZ-Z6)."""
    scores_stones = components.STONE_END[s.stone_market_spaces][s.market[p][Market.STONE] - 1]
    return s.stones[p] // components.STONE_GROUP if scores_stones else 0


@rule
def ending(s: State) -> int:
    """The game ends after the last round (EGZ-U4)."""
    return 1 if s.step == Step.OVER else 0


@rule
def scores(s: State, out: list[int]) -> None:
    """The VP of each player; at the end with the final scoring."""
    for p in range(s.players):
        out[p] = s.vp[p]


@rule
def ranks(s: State, out: list[int]) -> None:
    """Most VP; of equals the one later in the turn order of the round (EGZ-Z7)."""
    for i in range(s.players):
        p = s.order[i]
        out[p] = 1
        for j in range(s.players):
            q = s.order[j]
            if s.vp[q] > s.vp[p] or (s.vp[q] == s.vp[p] and j > i):
                out[p] += 1
