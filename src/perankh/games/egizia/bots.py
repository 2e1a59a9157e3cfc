"""Heuristics for Egizia: the future value of crews, stores and ships, in tenths of a point."""

from __future__ import annotations

from perankh.engine.api import masks, rule

from .rules import feeding, nile, scoring, sphinx
from .rules.components import FIELD_MASK, GRAIN_LOSS, QUARRY_MASK, ROUNDS, Market
from .rules.state import Action, Phase, State, Step

PERSONALITIES = ("greedy", "aggressive")
CREW, STONE, QUARRY, HUNGER, MARKET_SPACE, CARD, SPHINX_CARD = 7, 5, 4, 8, 6, 14, 16
DOCK, SECOND_DOCK, DOWNSTREAM = 30, 15, 3
PRIOR_WEIGHT = 0.1
BLUNDER_RATES = {"scribe": 0.15, "priest": 0.1, "architect": 0.05}


def absurd(s: State, p: int, a: int) -> bool:
    """Passing while a place on the river is free: ships that stay at home do nothing."""
    return s.step == Step.LOCATION and a == Action.PASS


@rule
def heuristic(s: State, p: int) -> int:
    """Points, those the position would score at the end, and an estimate for everything still of use."""
    if s.step == Step.OVER:
        return 10 * s.vp[p]
    final = scoring.majority_points(s, p) + scoring.nile_points(s, p) + scoring.sphinx_points(s, p)
    final += scoring.statue_points(s, p) + scoring.stone_points(s, p)
    return 10 * (s.vp[p] + final) + growth(s, p) + docks_ahead(s, p)


@rule
def growth(s: State, p: int) -> int:
    """The future value of strength, stones and cards, less the points that unfed crews will cost."""
    left = ROUNDS - s.round + (0 if s.phase == Phase.BUILDING else 1)
    hunger = max(0, feeding.need(s, p) - nile.grain_of(s, p, s.ring))
    loss = GRAIN_LOSS[s.market[p][Market.GRAIN] - 1]
    value: int = left * (CREW * feeding.need(s, p) + QUARRY * nile.stone_production(s, p) - HUNGER * hunger * loss)
    value += STONE * s.stones[p] if left > 0 else 0
    value += MARKET_SPACE * (s.market[p][Market.GRAIN] + s.market[p][Market.STONE])
    value += CARD * masks.count(s.held[p] & ~(FIELD_MASK | QUARRY_MASK))
    return value + SPHINX_CARD * sphinx.hand_size(s, p)


@rule
def docks_ahead(s: State, p: int) -> int:
    """Ships at docks, worth more when there are several; moving downstream early costs spaces upstream."""
    if s.phase != Phase.PLACEMENT and s.phase != Phase.BUILDING:
        return 0
    waiting = s.present[p] | s.built[p]
    docks = masks.count(waiting)
    value = DOCK * docks + (SECOND_DOCK if docks > 1 else 0)
    return value - (DOWNSTREAM * s.frontier[p] if s.phase == Phase.PLACEMENT else 0)


@rule
def rollout_choice(s: State, p: int, choices: list[int], n: int, bits: int) -> int:
    """A random choice that seldom passes, declines or stops building while there is something to do."""
    if s.step == Step.BUILD:
        return 0 if bits & 7 else 1
    idle = 0
    while idle < n and is_idle(choices[idle]):
        idle += 1
    if idle == n or bits & 7 == 0:
        return (bits * n) >> 32
    return idle + ((bits * (n - idle)) >> 32)


@rule
def is_idle(action: int) -> bool:
    """Does this action do nothing?"""
    return action == Action.PASS or action == Action.NONE or action == Action.FINISH
