"""The table of Maqha as numbers for learners: the own seat first, then the others clockwise."""

from __future__ import annotations

from perankh.engine.api import put, put_one_hot, rule, sets

from . import glass, scoring
from .components import CARDS, CELLS, EYE, READINGS, SEATS, SLOTS
from .state import RuleSet, State, Step, Vessel

PER_SEAT = 11 + SLOTS + EYE
IN_DECK, IN_SLOT, IN_CARRIED, IN_ASIDE, IN_FAILED, IN_BANKED = 0, 1, 6, 7, 8, 9  # where a card is; by slot, by seat from p on
PLACES = IN_BANKED + SEATS
DECISIONS = Step.OVER + 1  # the steps in which somebody decides, and the end


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """Seats, cards, slots, readings, tray, step, and single facts, one after the other."""
    i = 0
    for k in range(SEATS):
        if k < s.players:
            i = put_seat(s, (p + k) % s.players, out, i)
        else:
            i = put_one_hot(out, i, -1, PER_SEAT)
    for card in range(CARDS):
        i = put_one_hot(out, i, where_is(s, p, card), PLACES)
        i = put(out, i, sets.has(s.last_lot, card))
    for k in range(SLOTS):
        i = put(out, i, seat_from(s, p, s.winner[k]) if k < s.face_up else 0)
        i = put(out, i, seat_from(s, p, s.proxy[k]))
    for k in range(READINGS):
        i = put(out, i, s.reading[k])
        i = put(out, i, s.reading_at[k])
    for cell in range(CELLS):
        i = put(out, i, s.height[cell])
        i = put(out, i, s.top[cell])
    i = put_one_hot(out, i, s.step, DECISIONS)
    i = put_vessel(s, out, i)
    i = put_round(s, p, out, i)
    return put_options(s, p, out, i)


@rule
def seat_from(s: State, p: int, q: int) -> int:
    """Seat q counted from p on, p itself as 1; 0 for nobody."""
    return 1 + (q - p) % s.players if q >= 0 else 0


@rule
def put_seat(s: State, q: int, out: list[int], i: int) -> int:
    """A seat: here, throws, points, banked cards by kind, bids, answer, hand."""
    i = put(out, i, 1)
    i = put(out, i, s.thrower == q)
    i = put(out, i, s.spiller == q)
    i = put(out, i, scoring.points(s, q))
    for kind in range(3):
        i = put(out, i, scoring.of_kind(s, q, kind))
    i = put(out, i, s.fixed[q])
    i = put(out, i, s.step == Step.HANDS and sets.has(s.answered, q))
    i = put(out, i, s.answer[q])
    i = put(out, i, glass.steadiness(s, q))
    for k in range(SLOTS):
        i = put(out, i, s.order[q][k] if k < s.fixed[q] else 0)
    for card in range(1, EYE + 1):
        i = put(out, i, sets.has(s.hand[q], card) or is_sealed(s, q, card))
    return i


@rule
def is_sealed(s: State, q: int, card: int) -> bool:
    """Is this one of q's bids that are not face up?"""
    for k in range(s.face_up, s.fixed[q]):
        if s.order[q][k] == card:
            return True
    return False


@rule
def where_is(s: State, p: int, card: int) -> int:
    """Where a score card is, the seats counted from p; -1 in the classic rules, which have none."""
    if s.rules == RuleSet.CLASSIC:
        return -1
    for k in range(SLOTS):
        if sets.has(s.lot[k], card):
            return IN_SLOT + k
    for k in range(s.players):
        if sets.has(s.banked[(p + k) % s.players], card):
            return IN_BANKED + k
    if sets.has(s.carried, card):
        return IN_CARRIED
    if sets.has(s.aside, card):
        return IN_ASIDE
    return IN_FAILED if sets.has(s.failed, card) else IN_DECK


@rule
def put_vessel(s: State, out: list[int], i: int) -> int:
    """Tokens, and what is known of the glass."""
    for kind in range(3):
        i = put(out, i, s.supply[kind])
        i = put(out, i, s.to_go[kind])
        i = put(out, i, s.inside[kind])
    i = put(out, i, s.added)
    i = put(out, i, s.wave)
    i = put(out, i, s.peak)
    i = put(out, i, s.surge)
    i = put(out, i, s.readings)
    i = put(out, i, s.reading[s.readings - 1] if s.readings > 0 else 0)
    i = put(out, i, s.sign)
    return put(out, i, s.kind + 1)


@rule
def put_round(s: State, p: int, out: list[int], i: int) -> int:
    """How far the round is, and who holds the Eye."""
    i = put(out, i, s.dealt)
    i = put(out, i, s.slots)
    i = put(out, i, s.face_up)
    i = put(out, i, s.slot)
    i = put(out, i, seat_from(s, p, s.eye))
    return put(out, i, s.players)


@rule
def put_options(s: State, p: int, out: list[int], i: int) -> int:
    """The options, the end, and whether p is the one who passed."""
    i = put(out, i, s.rules == RuleSet.CLASSIC)
    i = put(out, i, s.vessel == Vessel.TRAY)
    i = put(out, i, glass.liquid_of(s))
    i = put(out, i, s.classic_limit)
    i = put(out, i, s.hands)
    i = put(out, i, s.hand_tie)
    i = put(out, i, s.hand_window)
    i = put(out, i, s.bot_hand_tick)
    i = put(out, i, s.proxy_limit)
    i = put(out, i, s.double_without_spill)
    i = put(out, i, s.tie_cards)
    i = put(out, i, s.reading_error)
    i = put(out, i, s.rim_line)
    i = put(out, i, s.real_vessel)
    i = put(out, i, s.over)
    return put(out, i, s.step == Step.HANDS and s.thrower == p)
