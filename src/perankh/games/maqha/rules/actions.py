"""What may be done, and what follows from it."""

from __future__ import annotations

from perankh.engine.api import rule, sets

from . import bidding, classic, passing, rounds, scoring, throwing
from .components import CELLS, STAMPS
from .state import Answer, Hands, State, Step

DROP = 0  # DROP + n - 1: n coins, classic rules
BID = 10  # BID + card - 1: a bid card, the Eye last
THROW, PASS, STAY = 16, 17, 18
RAISE = 19  # RAISE + stamp
SINGLE = RAISE + STAMPS  # SINGLE + kind: one token of it (tray: the next token)
ALL = SINGLE + 3  # all tokens left together
CELL = ALL + 1  # CELL + cell of the tray
HELD = CELL + CELLS  # what the players' own vessel did
SPILLED = HELD + 1
ACCIDENT = SPILLED + 1  # ACCIDENT + seat
NOBODY = ACCIDENT + 4  # an accident that nobody caused
ACTIONS = NOBODY + 1


@rule
def actors(s: State) -> int:
    """Everybody who has not fixed his bids or answered a pass, or the one who throws (MAQ-B1, MAQ-P2, MAQ-T1, MAQ-C1)."""
    if s.step == Step.OVER:
        return 0
    if s.step == Step.BID:
        return bidding.waiting(s)
    if s.step == Step.HANDS:
        return passing.waiting(s)
    return 1 << s.thrower


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """Everything p may choose at this step; with a real vessel also to report an accident (MAQ-X1)."""
    n = 0
    if s.step == Step.TURN:
        n = span(out, 0, DROP, classic.most_coins(s))
    elif s.step == Step.BID:
        n = legal_bids(s, p, out)
    elif s.step == Step.DECIDE:
        n = span(out, 0, THROW, 2)
    elif s.step == Step.HANDS:
        n = span(out, 0, STAY, 1)
        n = span(out, n, RAISE, s.hand_window if s.hands == Hands.LIVE else 1)
    elif s.step == Step.RELEASE or s.step == Step.KIND:
        n = legal_tokens(s, out)
    elif s.step == Step.CELL:
        n = span(out, 0, CELL, CELLS)
    else:
        n = span(out, 0, HELD, 2)
    if s.real_vessel:
        n = span(out, n, ACCIDENT, s.players)
        n = span(out, n, NOBODY, 1)
    return n


@rule
def span(out: list[int], n: int, first: int, count: int) -> int:
    """Write `count` actions from `first` on behind the n that are there; returns how many there are now."""
    for i in range(count):
        out[n + i] = first + i
    return n + count


@rule
def legal_bids(s: State, p: int, out: list[int]) -> int:
    """The bid cards in p's hand (MAQ-B1, MAQ-B7)."""
    n = sets.write(s.hand[p], out, 0)
    for i in range(n):
        out[i] += BID - 1
    return n


@rule
def legal_tokens(s: State, out: list[int]) -> int:
    """One token of a kind that is left; into a glass also all together (MAQ-T3, MAQ-Y3)."""
    n = 0
    for kind in range(3):
        if s.to_go[kind] > 0:
            out[n] = SINGLE + kind
            n += 1
    if s.step == Step.RELEASE:
        out[n] = ALL
        n += 1
    return n


@rule
def apply(s: State, p: int, a: int) -> None:
    """One choice, and all that follows from it without another."""
    if a >= ACCIDENT:
        scoring.accident(s, p, -1 if a == NOBODY else a - ACCIDENT)
    elif s.step == Step.TURN:
        classic.drop_coins(s, p, a - DROP + 1)
    elif s.step == Step.BID:
        bidding.bid(s, p, a - BID + 1)
    elif s.step == Step.DECIDE:
        passing.clear_answers(s)
        if a == PASS:
            passing.declare(s, p)
        else:
            throwing.begin(s)
    elif s.step == Step.HANDS:
        passing.answer(s, p, Answer.STAY if a == STAY else Answer.RAISE + a - RAISE)
    elif s.step == Step.RELEASE:
        if a == ALL:
            throwing.release_all(s)
        else:
            throwing.release_one(s, a - SINGLE)
    elif s.step == Step.KIND:
        throwing.choose_kind(s, p, a - SINGLE)
    elif s.step == Step.CELL:
        throwing.place_on_tray(s, p, a - CELL)
    else:
        throwing.enter_outcome(s, p, a == SPILLED)
    while proceed(s):
        pass


@rule
def proceed(s: State) -> bool:
    """What follows by itself: the next lot, its next token, its success, the next half or round; False: nothing (MAQ-R2)."""
    if s.step == Step.NEXT_LOT:
        throwing.next_lot(s)
    elif s.step == Step.THROWING:
        throwing.go_on(s)
    elif s.step == Step.THROWN:
        throwing.succeed(s)
    elif s.step == Step.ROUND_DONE:
        rounds.end_round(s)
    else:
        return False
    return True
