"""Stones between quarry and sled."""

from __future__ import annotations

from perankh.engine.api import rule, tell

from .components import SLED
from .events import Event
from .state import State


@rule
def fetchable(s: State, p: int, most: int) -> int:
    """How many stones p can bring from the quarry to the sled: as many as allowed, as fit, as are there (IMH-T2)."""
    return min(most, SLED - s.sled[p], s.quarry[p])


@rule
def fetch(s: State, p: int, stones: int) -> None:
    """Stones from the quarry to the sled (IMH-T2)."""
    bring(s, p, stones)
    tell(s, Event.FETCHED, p, stones)


@rule
def bring(s: State, p: int, stones: int) -> None:
    """The same, as the reward of a temple cell (IMH-N6)."""
    s.quarry[p] -= stones
    s.sled[p] += stones


@rule
def take_back(s: State, stone: int) -> None:
    """A stone goes back to its owner's quarry (IMH-M3, T11)."""
    s.quarry[stone - 1] += 1
    tell(s, Event.STONE_RETURNED, stone - 1)
