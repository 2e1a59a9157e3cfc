"""Sealed bids for the lots of a round, and who wins them."""

from __future__ import annotations

from perankh.engine.api import rule, sets, tell

from .components import CARDS, EYE, EYE_HAND, FIRST_HALF, NUMBERS, SLOTS, USUAL_HAND
from .events import Event
from .state import State, Step


@rule
def take_hands(s: State) -> None:
    """Everybody's five bid cards; who holds the Eye has it for the 5 (MAQ-S4, MAQ-E1, MAQ-E4)."""
    for p in range(s.players):
        sets.assign(s.hand[p], EYE_HAND if s.eye == p else USUAL_HAND)
        s.fixed[p] = 0


@rule
def half_end(s: State) -> int:
    """How many slots have their bids when the half under way is bid for (MAQ-R2, MAQ-B1, MAQ-B3)."""
    return min(FIRST_HALF, s.slots) if s.face_up == 0 else s.slots


@rule
def waiting(s: State) -> int:
    """The seats that have bids of this half to fix, as bits (MAQ-B1)."""
    end = half_end(s)
    mask = 0
    for p in range(s.players):
        if s.fixed[p] < end:
            mask |= 1 << p
    return mask


@rule
def bid(s: State, p: int, card: int) -> None:
    """Assign a hand card to the next slot; the last card of five goes to E by itself (MAQ-B1 to MAQ-B4)."""
    fix(s, p, card)
    if s.fixed[p] == SLOTS - 1 and s.slots == SLOTS:
        fix(s, p, sets.first(s.hand[p]))
    if waiting(s) == 0:
        show(s)


@rule
def fix(s: State, p: int, card: int) -> None:
    """Put one card, sealed, to the next slot (MAQ-B2)."""
    tell(s, Event.BID, p, s.fixed[p], card)
    sets.remove(s.hand[p], card)
    s.order[p][s.fixed[p]] = card
    s.fixed[p] += 1


@rule
def show(s: State) -> None:
    """All have ordered their cards: resolve the slots of this half, then throw their lots (MAQ-B2, MAQ-B5, MAQ-T1)."""
    s.slot = s.face_up
    s.face_up = half_end(s)
    for k in range(s.slot, s.face_up):
        for p in range(s.players):
            tell(s, Event.SHOWN, p, k, s.order[p][k])
        s.winner[k] = slot_winner(s, k)
        if s.winner[k] >= 0:
            tell(s, Event.WON, s.winner[k], k, sets.number(s.lot[k]))
        else:
            carry_over(s, k)
    s.step = Step.NEXT_LOT


@rule
def slot_winner(s: State, k: int) -> int:
    """Who wins a slot: the Eye, else of the numbers bid once a 1 against a 5, else the highest; -1 nobody (MAQ-B5, MAQ-B6)."""
    one, five, highest = -1, -1, -1
    for p in range(s.players):
        card = s.order[p][k]
        if card == EYE:
            return p
        if not is_struck_out(s, p, k):
            if card == 1:
                one = p
            if card == NUMBERS:
                five = p
            if highest < 0 or card > s.order[highest][k]:
                highest = p
    return one if one >= 0 and five >= 0 else highest


@rule
def is_struck_out(s: State, p: int, k: int) -> bool:
    """Has somebody else bid the same number for the slot? (MAQ-B5)"""
    for q in range(s.players):
        if q != p and s.order[q][k] == s.order[p][k]:
            return True
    return False


@rule
def carry_over(s: State, k: int) -> None:
    """Nobody won: the lot joins the next slot, waits for the next round, or is set aside (MAQ-K1, MAQ-K2, MAQ-K4)."""
    if k < s.slots - 1:
        tell(s, Event.CARRIED, -1, k, sets.number(s.lot[k]), k + 1)
        sets.unite(s.lot[k + 1], s.lot[k])
    elif s.dealt < CARDS:
        tell(s, Event.CARRIED, -1, k, sets.number(s.lot[k]), -1)
        sets.unite(s.carried, s.lot[k])
    else:
        tell(s, Event.SET_ASIDE, -1, k, sets.number(s.lot[k]))
        sets.unite(s.aside, s.lot[k])
    sets.clear(s.lot[k])
