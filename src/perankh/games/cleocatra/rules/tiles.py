"""The tiles: the triangular grid of cells, the layout in its frame, and sets of tiles."""

from __future__ import annotations

from perankh.engine.api import Constants, masks, rule, sets

from .components import KINDS
from .state import CELLS, State

WIDTH = 16
FIRST_CELL = 17


@rule
def points_up(cell: int) -> bool:
    """Whether the triangle on a cell points up (CLE-G1)."""
    return ((cell >> 4) + cell) & 1 == 0


@rule
def across(cell: int) -> int:
    """The neighbour below an up cell, above a down cell (CLE-G2)."""
    return cell + WIDTH if points_up(cell) else cell - WIDTH


# [cell] -> the set of cells that share an edge with it (CLE-G2); no tile ever lies in the outermost rows and columns (CLE-G5)
BESIDE = Constants(
    sets.bits_of((c for c in (cell - 1, cell + 1, across(cell)) if 0 <= c < CELLS), CELLS) for cell in range(CELLS)
)


@rule
def layout(s: State) -> int:
    """The set of all tiles laid."""
    return masks.all_below(s.laid)


@rule
def deck_size(s: State) -> int:
    """Tiles in the deck."""
    size = 0
    for c in range(KINDS):
        size += s.deck[c]
    return size


@rule
def tile_on(s: State, cell: int) -> int:
    """The tile on a cell, as a set of one; 0 for none."""
    found = 0
    for t in range(s.laid):
        if s.cell[t] == cell:
            found = masks.added(found, t)
    return found


@rule
def beside(s: State, tiles: int) -> int:
    """The set of tiles that share an edge with a tile of a set (CLE-G2)."""
    found = 0
    while tiles:
        found |= s.neighbours[masks.first(tiles)]
        tiles = masks.rest(tiles)
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
def write_cells(s: State, tiles: int, out: list[int]) -> int:
    """Write the cells of a set of tiles, ascending; returns how many there are."""
    n = 0
    while tiles:
        cell = s.cell[masks.first(tiles)]
        i = n
        while i > 0 and out[i - 1] > cell:
            out[i] = out[i - 1]
            i -= 1
        out[i] = cell
        n += 1
        tiles = masks.rest(tiles)
    return n


# --- Laying and moving tiles ----------------------------------------------------------------------------------


@rule
def mark_sites(s: State) -> None:
    """Find the empty cells beside a tile; a lifted tile does not count, and its own cell is no site (CLE-G7, CLE-A6)."""
    for t in range(s.laid):
        if not masks.has(s.chosen, t):
            sets.unite(s.sites, BESIDE[s.cell[t]])
    for t in range(s.laid):
        sets.remove(s.sites, s.cell[t])


@rule
def put_tile(s: State, t: int, cell: int) -> None:
    """Put tile t on a cell; then the layout is shifted back into the frame (CLE-G4, CLE-G8)."""
    sets.clear(s.sites)
    join(s, t, cell)
    shift_into_frame(s)
    s.loose = find_loose(s)


@rule
def join(s: State, t: int, cell: int) -> None:
    """Tile t lies on a cell now and has the neighbours that it finds there (CLE-G2)."""
    s.cell[t] = cell
    s.neighbours[t] = 0
    for i in range(s.laid):
        if s.cell[i] == cell - 1 or s.cell[i] == cell + 1 or s.cell[i] == across(cell):
            s.neighbours[i] = masks.added(s.neighbours[i], t)
            s.neighbours[t] = masks.added(s.neighbours[t], i)
        else:
            s.neighbours[i] = masks.removed(s.neighbours[i], t)


@rule
def shift_into_frame(s: State) -> None:
    """Shift the layout so that its least row is 1 and its least column 1, or 2 to keep up and down (CLE-G4)."""
    top, left = CELLS, CELLS
    for t in range(s.laid):
        top = min(top, s.cell[t] >> 4)
        left = min(left, s.cell[t] & 15)
    down, right = 1 - top, 1 - left
    if (down + right) & 1:
        right += 1
    for t in range(s.laid):
        s.cell[t] += WIDTH * down + right


@rule
def find_loose(s: State) -> int:
    """The tiles that are not surrounded and without which the others hang together (CLE-A4, CLE-A5)."""
    ends, joints, edges = 0, 0, 0
    for t in range(s.laid):
        n = masks.count(s.neighbours[t])
        edges += n
        if n == 1:
            ends = masks.added(ends, t)
        elif n == 2:
            joints = masks.added(joints, t)
    if edges == 2 * (s.laid - 1):  # each edge counted twice: there is no ring, so every joint is needed
        return ends
    loose = ends
    while joints:
        tile = joints & -joints
        if connected(s, layout(s) & ~tile):
            loose |= tile
        joints &= ~tile
    return loose
