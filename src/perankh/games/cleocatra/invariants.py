"""What always holds in Cleocatra."""

from __future__ import annotations

from perankh.engine.api import rule

from .possible import hand, unused_inspectors
from .table import (
    ASSISTANT_POINTS,
    CELLS,
    CLEOCATRA_BONUS,
    COLOUR_POINTS,
    EXTRA_DONE,
    HARD,
    INSPECTOR_FROM,
    INSPECTOR_TO,
    INSPECTORS,
    KINDS,
    OVER,
    REMOVED,
    RESCUERS,
    SCOUT_CELL,
    SEATS,
    SETUP_CELL,
    TILE_COUNTS,
    TILES,
    State,
    beside,
    connected,
    count,
    layout,
)

INVARIANTS = (
    "layout, revealed tile and deck together have the tiles of each colour",
    "each tile laid has one colour and a cell of its own, and the grid shows just these",
    "the layout is connected",
    "the layout lies in the frame: least row 1, least col 1 or 2, rows to 7, cols to 14",
    "two tiles or more could be moved if there were no tokens",
    "a player has as many rescuers as the box gives, at most two stand on a tile, none beside the layout",
    "no more inspectors are out than there are, on tiles of the layout",
    "the number of unused inspectors never rises",
    "in basic mode as many inspectors are out as Rescues were scored, up to all",
    "scores never fall, and a Rescue gives no more points than its colours, assistants and bonus can",
    "in basic mode the final score exceeds the end score by less than one Rescue",
    "turns are counted on by the seat on turn, and the turn passes clockwise",
    "at the end of a round-by-round game all have had the same number of turns",
    "a basic game is finite",
    "between decisions only the step under way leaves marks",
    "tiles, once laid, keep their number and colour",
)
MOST_COLOURS = min(4, KINDS)
MOST_ASSISTANTS = min(3, RESCUERS - 1)


@rule
def violated(s: State, before: State) -> int:
    """The first invariant that does not hold, counted from 1, or 0."""
    wrong = tiles_wrong(s)
    if wrong == 0:
        wrong = tokens_wrong(s, before)
    if wrong == 0:
        wrong = points_wrong(s, before)
    if wrong == 0:
        wrong = turns_wrong(s, before)
    if wrong == 0 and marks_wrong(s):
        wrong = 15
    for c in range(KINDS):
        if wrong == 0 and s.colour[c] & layout(before) != before.colour[c]:
            wrong = 16
    return wrong


@rule
def tiles_wrong(s: State) -> int:
    """Counts, cells, frame and shape of the layout."""
    for c in range(KINDS):
        all_told = TILE_COUNTS[c] - REMOVED[c] if s.players == 2 else TILE_COUNTS[c]
        revealed = 1 if s.revealed == c + 1 else 0
        if s.deck[c] < 0 or s.deck[c] + revealed + count(s.colour[c]) != all_told:
            return 1
    seen, shown = 0, 0
    for c in range(KINDS):
        if seen & s.colour[c]:
            return 2
        seen |= s.colour[c]
    for cell in range(CELLS):
        if s.on[cell]:
            shown += 1
    if seen != layout(s) or shown != s.laid:
        return 2
    for t in range(TILES):
        if (t < s.laid and s.on[s.cell[t]] != 1 << t) or (t >= s.laid and s.cell[t]):
            return 2
    if not connected(s, layout(s)):
        return 3
    if not in_frame(s):
        return 4
    if s.laid > 1 and not two_loose(s):
        return 5
    return 0


@rule
def in_frame(s: State) -> bool:
    """Whether the layout lies as CLE-G4 and CLE-G5 say."""
    top, left, bottom, right = CELLS, CELLS, 0, 0
    for t in range(s.laid):
        row, col = s.cell[t] >> 4, s.cell[t] & 15
        top, bottom = min(top, row), max(bottom, row)
        left, right = min(left, col), max(right, col)
    return top == 1 and 1 <= left <= 2 and bottom <= 7 and right <= 14


@rule
def two_loose(s: State) -> bool:
    """Whether two tiles are neither surrounded nor needed to hold the others together."""
    loose = 0
    for t in range(s.laid):
        if count(beside(s, 1 << t)) < 3 and connected(s, layout(s) & ~(1 << t)):
            loose += 1
    return loose >= 2


@rule
def tokens_wrong(s: State, before: State) -> int:
    """Rescuers and inspectors."""
    one, two, three = 0, 0, 0
    for p in range(SEATS):
        if hand(s, p) < 0 or (p >= s.players and s.rescuers[p]):
            return 6
        three |= two & s.rescuers[p]
        two |= one & s.rescuers[p]
        one |= s.rescuers[p]
    if three or one & ~layout(s):
        return 6
    if unused_inspectors(s) < 0 or s.inspectors & ~layout(s):
        return 7
    if unused_inspectors(s) > unused_inspectors(before):
        return 8
    if s.mode != HARD:
        earlier = count(before.inspectors) + inspector_due(before)
        if min(INSPECTORS, count(s.inspectors) + inspector_due(s)) != min(INSPECTORS, earlier + points_made(s, before)):
            return 9
    return 0


@rule
def inspector_due(s: State) -> int:
    """1 if a Rescue is scored and its inspector not yet put."""
    return 1 if s.step == INSPECTOR_TO or s.step == INSPECTOR_FROM else 0


@rule
def points_made(s: State, before: State) -> int:
    """1 if anybody's score has risen."""
    for p in range(SEATS):
        if s.score[p] != before.score[p]:
            return 1
    return 0


@rule
def points_wrong(s: State, before: State) -> int:
    """Scores."""
    most = MOST_COLOURS * COLOUR_POINTS + MOST_ASSISTANTS * ASSISTANT_POINTS
    if s.mode == HARD:
        most += CLEOCATRA_BONUS
    for p in range(SEATS):
        gain = s.score[p] - before.score[p]
        # The last choice of an extra Rescue may also score the Rescue that waited for it.
        rescues = 2 if before.interrupted and not s.interrupted else 1
        if gain < 0 or gain > most * rescues or (gain > 0 and gain < COLOUR_POINTS):
            return 10
        if s.over and s.mode != HARD and s.score[p] > s.end_score + most - 1:
            return 11
    return 0


@rule
def turns_wrong(s: State, before: State) -> int:
    """Turn order and the end."""
    n = s.players
    ended = s.turns - before.turns
    in_setup = s.step == SETUP_CELL or before.step == SETUP_CELL
    expected = s.start + s.turns - (1 if s.over else 0)
    if ended < 0 or ended > 1 or (not in_setup and s.turn != expected % n):
        return 12
    if s.start != before.start or (s.step == OVER) != (s.over != 0):
        return 12
    if s.over and s.end == 0 and s.turns % n:
        return 13
    if s.mode != HARD and s.turns > s.end_score * n * (4 * n + 1):
        return 14
    return 0


@rule
def marks_wrong(s: State) -> bool:
    """Whether something is left over from a choice that is done."""
    if s.step < 0 or s.step >= EXTRA_DONE:
        return True
    if (s.revealed != 0) != (s.step == SETUP_CELL or s.step == SCOUT_CELL):
        return True
    if (s.extra != 0) != (s.interrupted != 0) or (s.scoring & ~s.returning and s.returning):
        return True
    if s.returning == 0 and (s.second or s.inspector_put):
        return True
    if s.over:
        return (s.fresh | s.chosen | s.other | s.scoring | s.returning | s.extra) != 0
    return False
