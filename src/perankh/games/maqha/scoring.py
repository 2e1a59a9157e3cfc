"""Points and places of Maqha."""

from __future__ import annotations

from perankh.engine.api import rule

from .table import (
    ANKH,
    ANUBIS,
    BANKED,
    CARD_KIND,
    CARD_POINTS,
    CARDS,
    COIN,
    LAST_LOT_TIMES,
    NO_SPILL,
    SET_BONUS,
    State,
    is_classic,
)


@rule
def banked_cards(s: State, p: int) -> int:
    """Score cards that p has banked (MAQ-E4, MAQ-V8)."""
    n = 0
    for card in range(CARDS):
        if s.place[card] == BANKED + p:
            n += 1
    return n


@rule
def banked_of_kind(s: State, p: int, kind: int) -> int:
    """Score cards of one kind that p has banked (MAQ-V3)."""
    n = 0
    for card in range(CARDS):
        if s.place[card] == BANKED + p and CARD_KIND[card] == kind:
            n += 1
    return n


@rule
def sets(s: State, p: int) -> int:
    """Sets of a coin, an ankh and an anubis card, whatever their points (MAQ-V3)."""
    return min(banked_of_kind(s, p, COIN), min(banked_of_kind(s, p, ANKH), banked_of_kind(s, p, ANUBIS)))


@rule
def last_lot_doubles(s: State) -> bool:
    """Does the last banked lot count twice: after a spill or an accident, or by option? (MAQ-V4, MAQ-V6, MAQ-X1)"""
    if s.over == 0:
        return False
    return s.over != NO_SPILL or s.double_without_spill != 0


@rule
def points(s: State, p: int) -> int:
    """Printed points of the banked cards, the last banked lot twice, and a bonus for each set (MAQ-V1 to MAQ-V6)."""
    total = SET_BONUS * sets(s, p)
    doubles = last_lot_doubles(s)
    for card in range(CARDS):
        if s.place[card] == BANKED + p:
            total += CARD_POINTS[card] * (LAST_LOT_TIMES if doubles and (s.last_lot >> card) & 1 else 1)
    return total


@rule
def scores(s: State, out: list[int]) -> None:
    """The points of each player as they stand; the classic rules know none."""
    for p in range(s.players):
        out[p] = points(s, p)


@rule
def ahead(s: State, q: int, p: int) -> bool:
    """Is q placed before p? The spiller is behind everybody (MAQ-C2, MAQ-V7, MAQ-V8)."""
    if s.spiller == p:
        return q != p
    if s.spiller == q or is_classic(s):
        return False
    lead = points(s, q) - points(s, p)
    if lead == 0 and s.tie_cards:
        lead = banked_cards(s, q) - banked_cards(s, p)
    return lead > 0


@rule
def ranks(s: State, out: list[int]) -> None:
    """The place of each player, equal players sharing one (MAQ-C2, MAQ-C4, MAQ-V7, MAQ-V8)."""
    for p in range(s.players):
        out[p] = 1
        for q in range(s.players):
            if ahead(s, q, p):
                out[p] += 1
