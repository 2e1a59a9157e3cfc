"""Heuristics for Maqha: how likely a lot spills the glass, what a bid for it is worth, and what passing it costs."""

from __future__ import annotations

from perankh.engine.api import Constants, rule, sets

from .rules import glass, scoring
from .rules.actions import DROP, PASS
from .rules.components import CARD_KIND, CARD_TOKENS, KICK, MARGIN, MARGIN_SHARE, VOLUME
from .rules.state import Answer, RuleSet, State, Step

# Search finds little that the Scribe does not know, so blunder rates set the levels apart.
BLUNDER_RATES = {"apprentice": 0.9, "scribe": 0.52, "priest": 0.3, "architect": 0.13}
UNTRAINED = ("hands", "real_vessel")  # networks decide in turn, and by the simulated vessel
SAFE = 5  # percent of risk up to which nobody who plays by a network passes a lot
BOLD, EAGER = 25, 20  # percent of risk up to which a lot is thrown, and a hand is raised for one that was passed
CHANCE = Constants(1000 - share for share in MARGIN_SHARE)  # of a thousand level glasses so many hold MARGIN[liquid][i]
LAST = len(CHANCE) - 1
POINT = 1000  # what a point is worth beside what may come of bids and hands
ODDS = Constants((0, 10, 4, 7, 12, 12, 40))  # [bid card] -> of 40 such bids against three at random so many win
PASSED = 1 << 18  # a lot given away: a quarter of what a lost game counts for


@rule
def holding(liquid: int, load: int) -> int:
    """How many of a thousand level glasses hold a load."""
    chance: int = CHANCE[0]
    if load > MARGIN[liquid][0]:
        i = 1
        while i < LAST and MARGIN[liquid][i] < load:
            i += 1
        low, high = MARGIN[liquid][i - 1], MARGIN[liquid][i]
        fall = CHANCE[i - 1] - CHANCE[i]
        chance = CHANCE[i - 1] - fall * (load - low) // (high - low)
    return max(1, chance)


@rule
def risk(s: State, slot: int) -> int:
    """How many percent of the glasses that have held so far would spill with the lot of a slot."""
    volume, kick = 0, 0
    card = sets.first(s.lot[slot])
    while card >= 0:
        kind = CARD_KIND[card]
        volume += CARD_TOKENS[card] * VOLUME[kind]
        kick = max(kick, KICK[kind] * (3 if CARD_TOKENS[card] > 1 else 2) // 2)
        card = sets.after(s.lot[slot], card)
    liquid = glass.liquid_of(s)
    return 100 - 100 * holding(liquid, s.added + volume + kick) // holding(liquid, s.peak)


@rule
def worth(s: State, slot: int) -> int:
    """The value of a lot to its winner: its points, weighted by how far its risk is below BOLD."""
    return scoring.printed_points(s.lot[slot]) * max(0, BOLD - risk(s, slot))


@rule
def expected(s: State, p: int) -> int:
    """P's expected gain: from sealed bids their lots, from each card in hand the average of the lots still open."""
    value, rest = 0, 0
    for slot in range(s.face_up, s.fixed[p]):
        value += ODDS[s.order[p][slot]] * worth(s, slot)
    for slot in range(s.fixed[p], s.slots):
        rest += worth(s, slot)
    if s.fixed[p] < s.slots:
        card = sets.first(s.hand[p])
        while card >= 0:
            value += ODDS[card] * rest // (s.slots - s.fixed[p])
            card = sets.after(s.hand[p], card)
    return value


def absurd(s: State, p: int, a: int) -> bool:
    """Dropping more than the single coin that a classic turn needs, and passing a lot that the glass will hold."""
    if s.step == Step.TURN:
        return a > DROP
    return s.step == Step.DECIDE and a == PASS and glass.is_used(s) and risk(s, s.slot) <= SAFE


@rule
def heuristic(s: State, p: int) -> int:
    """Points, the expected gain of bids, the cost of a passed lot, and whether a raised hand is worth its risk."""
    value = POINT * scoring.points(s, p)
    if s.rules == RuleSet.CLASSIC or not glass.is_used(s):
        return value
    if s.step == Step.BID:
        value += expected(s, p)
    elif s.step == Step.HANDS and s.thrower == p:
        value -= PASSED
    elif s.step == Step.HANDS and s.answer[p] >= Answer.RAISE:
        value += POINT * (EAGER - risk(s, s.slot))
    return value


@rule
def rollout_choice(s: State, p: int, choices: list[int], n: int, bits: int) -> int:
    """Throw, raise a hand and bid high while the glass will likely hold; one time in eight a random choice."""
    if s.rules == RuleSet.CLASSIC or not glass.is_used(s) or bits & 7 == 0:
        return (bits * n) >> 32
    if s.step == Step.DECIDE:
        return 0 if risk(s, s.slot) <= BOLD else 1
    if s.step == Step.HANDS:
        return 1 if risk(s, s.slot) <= EAGER else 0
    if s.step == Step.BID:
        pick = ((bits & 0xFFFFFF) * ((n + 1) // 2)) >> 24
        return pick if risk(s, s.fixed[p]) > BOLD else n - 1 - pick
    return (bits * n) >> 32
