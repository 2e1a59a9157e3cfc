"""What always holds in Connect Four."""

from __future__ import annotations

from perankh.engine.api import rule

from .rules import COLUMNS, HEIGHT, ROWS, State

INVARIANTS = (
    "no cell holds two stones",
    "each column is filled from below",
    "the seats take turns",
    "stones stay where they fell",
)


@rule
def violated(s: State, before: State) -> int:
    """The first invariant that does not hold, counted from 1, or 0."""
    both = s.stones[0] | s.stones[1]
    if s.stones[0] & s.stones[1]:
        return 1
    placed = 0
    for column in range(COLUMNS):
        filled = (both >> (HEIGHT * column)) & ((1 << HEIGHT) - 1)
        if filled != (1 << s.height[column]) - 1 or s.height[column] > ROWS:
            return 2
        placed += s.height[column]
    if placed != s.placed or (s.over == 0 and s.turn != placed % 2):
        return 3
    for p in range(2):
        if s.stones[p] & before.stones[p] != before.stones[p]:
            return 4
    return 0
