"""What lies on the table of Cleocatra: the printed numbers, the state, and the triangular grid of tiles.

Tiles are numbered in the order in which they are laid. A set of tiles is a number with bit t set for tile t, and wherever a
single tile is kept (the fresh one, the scoring one) it is a set of one, 0 for none. A cell is 16 * row + col; the layout is
kept in a frame, so that it never leaves the grid of 9 rows and 16 columns (CLE-G4 to CLE-G6).
"""

from __future__ import annotations

from perankh.engine.api import Record, choice, components, flag, number, numbers, rule, seat, whole

# --- What is printed ------------------------------------------------------------------------------------------

COMPONENTS = components(__file__)
COLOURS = tuple(COMPONENTS.value("tiles", "colours"))
CATS = tuple(COMPONENTS.value("tiles", "cats"))
if sorted(CATS) != ["bastet", "cleocatra", "mafdet", "mut", "princess"]:
    COMPONENTS.fail("tiles", "cats must name mafdet, bastet, mut, princess and cleocatra, each once")
if len(set(COLOURS)) != 5 or len(COLOURS) != 5 or not all(isinstance(name, str) and name.isidentifier() for name in COLOURS):
    COMPONENTS.fail("tiles", "colours must be five different words, one for each cat")
MAFDET, BASTET, MUT, PRINCESS, CLEOCATRA = (CATS.index(cat) for cat in ("mafdet", "bastet", "mut", "princess", "cleocatra"))
KINDS = len(COLOURS)

TILE_COUNTS = COMPONENTS.wholes("tiles", "counts", KINDS, 0, 13)
REMOVED = COMPONENTS.wholes("tiles_removed_with_2_players", "counts", KINDS, 0, 13)
if any(removed > count for removed, count in zip(REMOVED, TILE_COUNTS, strict=True)):
    COMPONENTS.fail("tiles_removed_with_2_players", "counts take away more tiles of a colour than there are")
TILES = sum(TILE_COUNTS)
RESCUERS = COMPONENTS.whole("rescuers", "per_player", 1, 9)
INSPECTORS = COMPONENTS.whole("inspectors", "count", 1, 9)
if TILES > 13:
    COMPONENTS.fail("tiles", f"counts make {TILES} tiles; the grid holds 13")
for seats, tiles in ((4, TILES), (2, TILES - sum(REMOVED))):
    # Own rescuers and full pairs of others leave a tile: so everybody always has something to do.
    if tiles <= RESCUERS + (seats - 1) * RESCUERS // 2:
        COMPONENTS.fail("tiles", f"{tiles} tiles with {seats} players are too few for {RESCUERS} rescuers each")
COLOUR_POINTS = COMPONENTS.whole("scoring", "per_colour", 1, 9)
ASSISTANT_POINTS = COMPONENTS.whole("scoring", "per_assistant", 0, 9)
CLEOCATRA_BONUS = COMPONENTS.whole("scoring", "cleocatra_bonus", 0, 9)
END_SCORE = COMPONENTS.whole("end", "score", 1, 1000)

# --- Facts of the game ----------------------------------------------------------------------------------------

SEATS = 4
WIDTH, CELLS = 16, 144
FIRST_CELL = 17

# Actions: 0 to 143 choose a cell, the rest are named.
SCOUT, SEARCH, SWAP, DISPATCH, TEAM_UP, RESCUE, HERD = range(144, 151)
DECLINE, KEEP, TAKE_BACK, OWNER = 151, 152, 153, 154
ACTIONS = OWNER + SEATS

# Steps: what is to be decided now.
STEPS = (
    *("setup_cell", "action1", "action2", "extra", "scout_cell", "search_tile", "search_cell"),
    *("swap_own", "swap_other", "swap_owner", "team_cell", "herd_from", "herd_to", "rescue_tile"),
    *("count_tile", "inspector_from", "inspector_to", "mut", "any_tile", "relocate_from", "relocate_to", "over"),
)
SETUP_CELL, ACTION1, ACTION2, EXTRA, SCOUT_CELL, SEARCH_TILE, SEARCH_CELL = range(7)
SWAP_OWN, SWAP_OTHER, SWAP_OWNER, TEAM_CELL, HERD_FROM, HERD_TO, RESCUE_TILE = range(7, 14)
COUNT_TILE, INSPECTOR_FROM, INSPECTOR_TO, MUT_STEP, ANY_TILE, RELOCATE_FROM, RELOCATE_TO, OVER = range(14, 22)
EXTRA_DONE, TURN_DONE = 22, 23  # only within a choice: what `apply` goes on with

# Values of the options.
HARD, SCORED, MUST, ALL, END_TURN = 1, 1, 1, 1, 1


class State(Record):
    """The table, and how far the turn has got."""

    mode: int = choice("basic", "hard")  # hard adds Herd and the powers of the cats (CLE-H1)
    start_player: int = seat()  # who begins
    inspector: int = choice("free", "scored")  # where the first inspector of a Rescue goes
    inspector_move: int = choice("may", "must")  # whether one of three inspectors has to move
    assistants: int = choice("counted", "all")  # which own rescuers beside the scoring tile give a point
    end: int = choice("round", "turn")  # when the game ends once the score is reached
    end_score: int = whole(END_SCORE, 1, 1000, samples=(END_SCORE, 5))  # points that bring the end
    extra_self: int = flag(True)  # whether the scoring player may get the extra action
    turn_limit: int = whole(0, 0, 100000, samples=(0, 24))  # turns after which the round is the last, 0: none

    deck: list[int] = numbers("i1", KINDS)  # tiles of each colour still face down
    laid: int = number("i1")  # tiles in the layout, 0 to 13
    cell: list[int] = numbers("i2", TILES)  # where each tile lies, 0 if not laid
    on: list[int] = numbers("i2", CELLS)  # the tile on each cell, as a set; kept for speed
    colour: list[int] = numbers("i2", KINDS)  # the set of tiles of each colour in the layout
    rescuers: list[int] = numbers("i2", SEATS)  # the set of tiles with a rescuer of each seat
    inspectors: int = number("i2")  # the set of tiles with an inspector
    score: list[int] = numbers("i2", SEATS)  # points of each seat

    start: int = number("i1")  # the start player
    turn: int = number("i1")  # seat on turn, or setting up
    turns: int = number("i4")  # turns completed
    over: int = number("i1")  # 0, or 1 + the index of the reason in ENDINGS
    step: int = number("i1")  # what is to be decided, an index into STEPS
    owed: int = number("i1")  # 1 once the turn has come to its second action, else 0
    revealed: int = number("i1")  # 1 + colour of a tile that is turned up and not yet laid, 0: none
    fresh: int = number("i2")  # the tile laid or moved in this turn
    chosen: int = number("i2")  # the first tile of a choice in two steps (what is lifted, where it comes from)
    other: int = number("i2")  # the tile chosen for the rescuer to swap with
    extra: int = number("i1")  # 1 + seat that takes the extra action of Cleocatra, 0: none
    interrupted: int = number("i2")  # the scoring tile of the Rescue that waits for the extra action
    scoring: int = number("i2")  # the scoring tile of the Rescue under way
    returning: int = number("i2")  # tiles from which rescuers return when that Rescue is over
    inspector_put: int = number("i2")  # where the first inspector of that Rescue went
    second: int = number("i1")  # 1 while the second inspector of the Princess is handled


# --- Sets and the grid ----------------------------------------------------------------------------------------


@rule
def count(tiles: int) -> int:
    """How many tiles are in a set."""
    n = 0
    while tiles:
        tiles &= tiles - 1
        n += 1
    return n


@rule
def layout(s: State) -> int:
    """The set of all tiles laid."""
    return (1 << s.laid) - 1


@rule
def across(cell: int) -> int:
    """The neighbour below an up cell, above a down cell (CLE-G1, CLE-G2)."""
    if ((cell >> 4) + cell) & 1:
        return cell - WIDTH
    return cell + WIDTH


@rule
def beside(s: State, tiles: int) -> int:
    """The set of tiles that share an edge with a tile of a set (CLE-G2)."""
    found = 0
    for t in range(s.laid):
        if (tiles >> t) & 1:
            cell = s.cell[t]
            found |= s.on[cell - 1] | s.on[cell + 1] | s.on[across(cell)]
    return found


@rule
def connected(s: State, tiles: int) -> bool:
    """Whether the tiles of a set hang together edge to edge."""
    reached = tiles & -tiles
    edge = reached
    while edge:
        edge = beside(s, edge) & tiles & ~reached
        reached |= edge
    return reached == tiles


@rule
def insert(out: list[int], n: int, cell: int) -> int:
    """Put a cell in its place in the n ascending cells of `out`; a cell that is there already is not repeated."""
    i = n
    while i > 0 and out[i - 1] > cell:
        i -= 1
    if i > 0 and out[i - 1] == cell:
        return n
    for j in range(n, i, -1):
        out[j] = out[j - 1]
    out[i] = cell
    return n + 1


@rule
def cells(s: State, tiles: int, out: list[int]) -> int:
    """Write the cells of a set of tiles, ascending."""
    n = 0
    for t in range(s.laid):
        if (tiles >> t) & 1:
            n = insert(out, n, s.cell[t])
    return n


@rule
def sites(s: State, lifted: int, out: list[int]) -> int:
    """Write the empty cells beside a tile; a lifted tile does not count, and its own cell is no site (CLE-G7, CLE-A6)."""
    n = 0
    for t in range(s.laid):
        if (lifted >> t) & 1 == 0:
            cell = s.cell[t]
            if s.on[cell - 1] == 0:
                n = insert(out, n, cell - 1)
            if s.on[cell + 1] == 0:
                n = insert(out, n, cell + 1)
            if s.on[across(cell)] == 0:
                n = insert(out, n, across(cell))
    return n


@rule
def put_tile(s: State, t: int, cell: int) -> None:
    """Put tile t on a cell and shift the layout back into the frame (CLE-G4)."""
    s.cell[t] = cell
    top, left = CELLS, WIDTH
    for i in range(s.laid):
        top = min(top, s.cell[i] >> 4)
        left = min(left, s.cell[i] & 15)
    down, right = 1 - top, 1 - left
    if (down + right) & 1:
        right += 1
    for i in range(s.laid):
        if i != t:
            s.on[s.cell[i]] = 0
    for i in range(s.laid):
        s.cell[i] += WIDTH * down + right
        s.on[s.cell[i]] = 1 << i


@rule
def deck_size(s: State) -> int:
    """Tiles in the deck."""
    size = 0
    for c in range(KINDS):
        size += s.deck[c]
    return size
