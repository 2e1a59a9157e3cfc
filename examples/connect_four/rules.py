"""Connect Four: seven columns of six, four in a row wins.

A player's stones are the bits of one number. Each column takes COLUMN_BITS of them, the lowest cell first; the topmost bit
stays empty, so that lines do not run over from one column into the next.
"""

from __future__ import annotations

from enum import IntEnum

from perankh.engine.api import EventKind, Feature, Record, components, number, numbers, put_bits, rule, tell

COMPONENTS = components(__file__)
COLUMNS = COMPONENTS.whole("board", "columns", 4, 8)
ROWS = COMPONENTS.whole("board", "rows", 4, 6)
COLUMN_BITS = ROWS + 1
TOP = 1 << (ROWS - 1)  # the highest cell of the first column

PLAYERS = range(2, 3)
ACTIONS = COLUMNS  # action a: drop a stone into column a
ENDINGS = ("line", "full")
VERSION = 1


class Over(IntEnum):
    """How the game ended; a line and a full board are in the order of ENDINGS."""

    NOT_YET = 0
    LINE = 1
    FULL = 2


class Event(EventKind):
    """What happens, with the names of its values."""

    DROPPED = "column", "row"
    LINE = "points"
    FULL = ""


class State(Record):
    """The board."""

    stones: list[int] = numbers("i8", 2)  # the stones of each seat: bit COLUMN_BITS * column + row, row 0 at the bottom
    height: list[int] = numbers("i1", COLUMNS)  # stones in each column, 0 to ROWS
    placed: int = number("i1")  # stones on the board, 0 to COLUMNS * ROWS
    turn: int = number("i1")  # seat to move, 0 or 1; once a line stands, its owner
    over: int = number("i1")  # how the game ended, or that it goes on


@rule
def setup(s: State) -> None:
    """The board starts empty and the first seat begins (C4-S1)."""
    s.turn = 0


@rule
def actors(s: State) -> int:
    """The seat to move, until the game is over (C4-T1)."""
    return 0 if s.over else 1 << s.turn


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """Every column with room: its top cell is empty (C4-T1)."""
    taken = s.stones[0] | s.stones[1]
    n = 0
    for column in range(COLUMNS):
        if (taken >> COLUMN_BITS * column) & TOP == 0:
            out[n] = column
            n += 1
    return n


@rule
def apply(s: State, p: int, a: int) -> None:
    """Drop a stone; then the game is over, or it is the other seat's turn (C4-T1, C4-E1, C4-E2)."""
    drop(s, p, a)
    if has_line(s.stones[p]):
        s.over = Over.LINE
        tell(s, Event.LINE, p, 1)
    elif s.placed == COLUMNS * ROWS:
        s.over = Over.FULL
        tell(s, Event.FULL, -1)
    else:
        s.turn = 1 - p


@rule
def drop(s: State, p: int, column: int) -> None:
    """The stone falls to the lowest empty cell of the column (C4-T2)."""
    tell(s, Event.DROPPED, p, column, s.height[column])
    s.stones[p] |= 1 << (COLUMN_BITS * column + s.height[column])
    s.height[column] += 1
    s.placed += 1


@rule
def has_line(stones: int) -> bool:
    """Four in a row: upright, level, falling or rising (C4-E1)."""
    for distance in (1, COLUMN_BITS, COLUMN_BITS - 1, COLUMN_BITS + 1):
        pairs = stones & (stones >> distance)
        if pairs & (pairs >> (2 * distance)):
            return True
    return False


@rule
def ending(s: State) -> int:
    """A line, or a full board without one (C4-E1, C4-E2)."""
    return s.over


@rule
def scores(s: State, out: list[int]) -> None:
    """One point for the line, none for anything else (C4-E1, C4-E2)."""
    for p in range(2):
        out[p] = 1 if s.over == Over.LINE and s.turn == p else 0


FEATURES = (
    Feature("board.own", "own stones, column by column, from the bottom", (COLUMNS, ROWS)),
    Feature("board.other", "the other seat's stones", (COLUMNS, ROWS)),
)
DERIVED = ("height", "placed", "turn", "over")  # from the stones


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """A feature a cell, 1 where a stone lies: the own stones, then the other seat's (C4-S1)."""
    i = 0
    for seat in (p, 1 - p):
        i = put_bits(out, i, cells(s.stones[seat]), COLUMNS * ROWS)
    return i


@rule
def cells(stones: int) -> int:
    """A seat's stones without the bit above each column that stays empty."""
    bits = 0
    for column in range(COLUMNS):
        bits |= (stones >> (COLUMN_BITS * column) & (1 << ROWS) - 1) << (ROWS * column)
    return bits


INVARIANTS = (
    "no cell holds two stones",
    "each column is filled from below",
    "the seats take turns",
    "stones stay where they fell",
)


@rule
def violated(s: State, before: State) -> int:
    """The first invariant that does not hold, counted from 1, or 0 (C4-S1, C4-T1, C4-T2)."""
    if s.stones[0] & s.stones[1]:
        return 1
    placed = 0
    for column in range(COLUMNS):
        filled = ((s.stones[0] | s.stones[1]) >> (COLUMN_BITS * column)) & ((1 << COLUMN_BITS) - 1)
        if s.height[column] > ROWS or filled != (1 << s.height[column]) - 1:
            return 2
        placed += s.height[column]
    if s.placed != placed or (s.over == 0 and s.turn != placed % 2):
        return 3
    for p in range(2):
        if s.stones[p] & before.stones[p] != before.stones[p]:
            return 4
    return 0
