"""Heuristics for Maqha: how likely a lot spills the glass, what a bid for it is worth, and what passing it costs."""

from __future__ import annotations

from perankh.engine.api import Table, rule

from .scoring import points
from .table import (
    ANSWERED_RAISE,
    BIDDING,
    CARD_KIND,
    CARD_POINTS,
    CARD_TOKENS,
    CARDS,
    DECIDE,
    EYE,
    HANDS,
    KICK,
    VOLUME,
    State,
    has_glass,
    holds,
    in_lot,
    is_classic,
    liquid_of,
)

# Search finds little that the Scribe does not know, so blunder rates set the levels apart.
BLUNDER_RATES = {"apprentice": 0.9, "scribe": 0.52, "priest": 0.3, "architect": 0.13}
BOLD, EAGER = 25, 20  # percent of risk up to which a lot is thrown, and a hand is raised for one that was passed
CHANCE = Table((999, 990, 950, 900, 750, 500, 250, 100, 50, 10, 1))  # of a thousand level glasses so many hold
LOAD = Table(  # these microlitres of tokens and waves [liquid][chance]
    (
        (2083, 2473, 2902, 3148, 3578, 4063, 4542, 4947, 5175, 5575, 5921),
        (1570, 1890, 2230, 2420, 2751, 3122, 3485, 3795, 3968, 4264, 4539),
        (1466, 1761, 2078, 2260, 2569, 2916, 3253, 3541, 3701, 3980, 4232),
    )
)
LAST = len(CHANCE) - 1
POINT = 1000  # what a point is worth beside what may come of bids and hands
ODDS = Table((0, 10, 4, 7, 12, 12, 40))  # [bid card] -> of 40 such bids against three at random so many win
PASSED = 1 << 18  # a lot given away: a quarter of what a lost game counts for


@rule
def holding(liquid: int, load: int) -> int:
    """How many of a thousand level glasses hold a load."""
    if load <= LOAD[liquid][0]:
        return int(CHANCE[0])
    i = 1
    while i < LAST and LOAD[liquid][i] < load:
        i += 1
    low, high = int(LOAD[liquid][i - 1]), int(LOAD[liquid][i])
    fall = int(CHANCE[i - 1]) - int(CHANCE[i])
    return max(1, int(CHANCE[i - 1]) - fall * (load - low) // (high - low))


@rule
def risk(s: State, slot: int) -> int:
    """How many percent of the glasses that have held so far would spill with the lot of a slot."""
    volume, kick = 0, 0
    for card in range(CARDS):
        if in_lot(s, card, slot):
            kind = CARD_KIND[card]
            volume += CARD_TOKENS[card] * VOLUME[kind]
            kick = max(kick, KICK[kind] * (3 if CARD_TOKENS[card] > 1 else 2) // 2)
    liquid = liquid_of(s)
    return 100 - 100 * holding(liquid, int(s.added) + volume + kick) // holding(liquid, int(s.peak))


@rule
def lure(s: State, slot: int) -> int:
    """The value of a lot to its winner: its points, weighted by how far its risk is below BOLD."""
    value = 0
    for card in range(CARDS):
        if in_lot(s, card, slot):
            value += int(CARD_POINTS[card])
    return value * max(0, BOLD - risk(s, slot))


@rule
def hopes(s: State, p: int) -> int:
    """P's expected gain: from sealed bids their lots, from each card in hand the average of the lots still open."""
    fixed, slots = int(s.fixed[p]), int(s.slots)
    value, rest = 0, 0
    for slot in range(s.shown, fixed):
        value += ODDS[s.order[p][slot]] * lure(s, slot)
    for slot in range(fixed, slots):
        rest += lure(s, slot)
    for card in range(1, EYE + 1):
        if fixed < slots and holds(s, p, card):
            value += ODDS[card] * rest // (slots - fixed)
    return value


@rule
def heuristic(s: State, p: int) -> int:
    """Points, the expected gain of bids, the cost of a passed lot, and whether a raised hand is worth its risk."""
    value = POINT * points(s, p)
    if is_classic(s) or not has_glass(s):
        return value
    if s.step == BIDDING:
        value += hopes(s, p)
    elif s.step == HANDS and s.thrower == p:
        value -= PASSED
    elif s.step == HANDS and s.answer[p] >= ANSWERED_RAISE:
        value += POINT * (EAGER - risk(s, int(s.slot)))
    return value


@rule
def rollout_choice(s: State, p: int, choices: list[int], n: int, bits: int) -> int:
    """Throw, raise a hand and bid high while the glass will likely hold; one time in eight a random choice."""
    if is_classic(s) or not has_glass(s) or bits & 7 == 0:
        return (bits * n) >> 32
    if s.step == DECIDE:
        return 0 if risk(s, int(s.slot)) <= BOLD else 1
    if s.step == HANDS:
        return 1 if risk(s, int(s.slot)) <= EAGER else 0
    if s.step == BIDDING:
        pick = ((bits & 0xFFFFFF) * ((n + 1) // 2)) >> 24
        return pick if risk(s, int(s.fixed[p])) > BOLD else n - 1 - pick
    return (bits * n) >> 32
