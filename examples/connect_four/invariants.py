"""What always holds in Connect Four, looked at before and after every move."""

from __future__ import annotations

from perankh.engine.api import rule

from .rules import COLUMN_BITS, COLUMNS, ROWS, State

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
