"""Heuristics for Imhotep: the future value of stones and cards, in tenths of a point."""

from __future__ import annotations

from perankh.engine.api import rule

from .rules import building, scoring
from .rules.components import FIRST_BLUE, KINDS, ROUNDS, SHIPS, SPACES
from .rules.state import Berth, State, Step

PERSONALITIES = ("greedy", "aggressive")
SLED, ABOARD, TEMPLE_ROUND, BLUE = 4, 13, 6, 12


@rule
def heuristic(s: State, p: int) -> int:
    """Points, those the position would score at the end, and an estimate for stones and cards still to be used."""
    if s.step == Step.OVER:
        return 10 * s.score[p]
    value = 10 * (s.score[p] + scoring.final_points(s, p)) + SLED * s.sled[p]
    for ship in range(SHIPS):
        for space in range(SPACES):
            if s.berth[ship] == Berth.WAITING and s.cargo[ship][space] == 1 + p:
                value += ABOARD
    for cell in range(building.width(s)):
        if building.visible(s, cell) == 1 + p:
            value += TEMPLE_ROUND * min(2, ROUNDS - s.round + 1)
    for kind in range(FIRST_BLUE, KINDS):
        value += BLUE * s.held[p][kind]
    return value
