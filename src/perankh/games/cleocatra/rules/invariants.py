"""What always holds in Cleocatra."""

from __future__ import annotations

from perankh.engine.api import masks, rule, sets

from . import components, rescue, rescuer_actions, tiles
from .components import KINDS, SEATS, TILES
from .state import CELLS, End, Mode, State, Step

INVARIANTS = (
    "layout, revealed tile and deck together have the tiles of each colour",
    "each tile laid has one colour and a cell of its own, and its neighbours are the tiles beside it",
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
    "the loose tiles are those that could be moved if there were no tokens",
    "the sites are the empty cells beside a tile, while a tile is to be laid",
)
MOST_COLOURS = min(4, KINDS)
MOST_ASSISTANTS = min(3, components.RESCUERS - 1)


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
        if wrong == 0 and s.colour[c] & tiles.layout(before) != before.colour[c]:
            wrong = 16
    return wrong


@rule
def tiles_wrong(s: State) -> int:
    """Counts, cells, frame and shape of the layout."""
    for c in range(KINDS):
        in_box = components.TILE_COUNTS[c] - components.REMOVED[c] if s.players == 2 else components.TILE_COUNTS[c]
        revealed = 1 if s.revealed == c + 1 else 0
        if s.deck[c] < 0 or s.deck[c] + revealed + masks.count(s.colour[c]) != in_box:
            return 1
    seen = 0
    for c in range(KINDS):
        if seen & s.colour[c]:
            return 2
        seen |= s.colour[c]
    if seen != tiles.layout(s):
        return 2
    for t in range(TILES):
        if t < s.laid and (tiles.tile_on(s, s.cell[t]) != 1 << t or s.neighbours[t] != tiles_around(s, s.cell[t])):
            return 2
        if t >= s.laid and (s.cell[t] or s.neighbours[t]):
            return 2
    if not tiles.connected(s, tiles.layout(s)):
        return 3
    if not in_frame(s):
        return 4
    loose = loose_tiles(s)
    if s.laid > 1 and masks.count(loose) < 2:
        return 5
    return 17 if s.loose != loose else sites_wrong(s)


@rule
def tiles_around(s: State, cell: int) -> int:
    """The tiles on the cells that share an edge with a cell."""
    return tiles.tile_on(s, cell - 1) | tiles.tile_on(s, cell + 1) | tiles.tile_on(s, tiles.across(cell))


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
def loose_tiles(s: State) -> int:
    """The tiles that are neither surrounded nor needed to hold the others together."""
    loose = 0
    for t in range(s.laid):
        if s.laid > 1 and masks.count(s.neighbours[t]) < 3 and tiles.connected(s, tiles.layout(s) & ~(1 << t)):
            loose |= 1 << t
    return loose


@rule
def sites_wrong(s: State) -> int:
    """Whether the sites are those of the tile that is to be laid."""
    if s.revealed == 0 and s.step != Step.SEARCH_CELL:
        return 0 if sets.is_empty(s.sites) else 18
    for cell in range(CELLS):
        around = tiles_around(s, cell) & ~s.chosen
        if sets.has(s.sites, cell) != (around != 0 and tiles.tile_on(s, cell) == 0):
            return 18
    return 0


@rule
def tokens_wrong(s: State, before: State) -> int:
    """Rescuers and inspectors."""
    one, two, three = 0, 0, 0
    for p in range(SEATS):
        if rescuer_actions.hand(s, p) < 0 or (p >= s.players and s.rescuers[p]):
            return 6
        three |= two & s.rescuers[p]
        two |= one & s.rescuers[p]
        one |= s.rescuers[p]
    if three or one & ~tiles.layout(s):
        return 6
    if rescue.unused_inspectors(s) < 0 or s.inspectors & ~tiles.layout(s):
        return 7
    if rescue.unused_inspectors(s) > rescue.unused_inspectors(before):
        return 8
    if s.mode != Mode.HARD:
        earlier = masks.count(before.inspectors) + inspector_due(before) + points_made(s, before)
        now = masks.count(s.inspectors) + inspector_due(s)
        if min(components.INSPECTORS, now) != min(components.INSPECTORS, earlier):
            return 9
    return 0


@rule
def inspector_due(s: State) -> int:
    """1 if a Rescue is scored and its inspector not yet put."""
    return 1 if s.step == Step.INSPECTOR_TO or s.step == Step.INSPECTOR_FROM else 0


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
    most = MOST_COLOURS * components.COLOUR_POINTS + MOST_ASSISTANTS * components.ASSISTANT_POINTS
    if s.mode == Mode.HARD:
        most += components.CLEOCATRA_BONUS
    for p in range(SEATS):
        gain = s.score[p] - before.score[p]
        # The last choice of an extra Rescue may also score the Rescue that waited for it.
        rescues = 2 if before.interrupted and not s.interrupted else 1
        if gain < 0 or gain > most * rescues or (gain > 0 and gain < components.COLOUR_POINTS):
            return 10
        if s.over and s.mode != Mode.HARD and s.score[p] > s.end_score + most - 1:
            return 11
    return 0


@rule
def turns_wrong(s: State, before: State) -> int:
    """Turn order and the end."""
    n = s.players
    ended = s.turns - before.turns
    in_setup = s.step == Step.SETUP_CELL or before.step == Step.SETUP_CELL
    expected = s.start + s.turns - (1 if s.over else 0)
    if ended < 0 or ended > 1 or (not in_setup and s.turn != expected % n):
        return 12
    if s.start != before.start or (s.step == Step.OVER) != (s.over != 0):
        return 12
    if s.over and s.end == End.ROUND and s.turns % n:
        return 13
    if s.mode != Mode.HARD and s.turns > s.end_score * n * (4 * n + 1):
        return 14
    return 0


@rule
def marks_wrong(s: State) -> bool:
    """Whether something is left over from a choice that is done."""
    if s.step < 0 or s.step > Step.OVER:
        return True
    if (s.revealed != 0) != (s.step == Step.SETUP_CELL or s.step == Step.SCOUT_CELL):
        return True
    if (s.extra != 0) != (s.interrupted != 0) or (s.scoring & ~s.returning and s.returning):
        return True
    if s.returning == 0 and (s.second or s.inspector_put):
        return True
    if s.over:
        return (s.fresh | s.chosen | s.other | s.scoring | s.returning | s.extra) != 0
    return False
