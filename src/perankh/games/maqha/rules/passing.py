"""Passing a lot: the others raise a hand or not, and the first hand throws."""

from __future__ import annotations

from perankh.engine.api import below, rule, sets, tell

from . import throwing
from .components import MARKERS, SEATS, SLOTS, STAMPS
from .events import Event
from .state import Answer, HandTie, State, Step


@rule
def markers_out(s: State) -> int:
    """Proxy markers on bid cards of this round (MAQ-P8)."""
    n = 0
    for k in range(SLOTS):
        if s.proxy[k] >= 0:
            n += 1
    return n


@rule
def is_allowed(s: State) -> bool:
    """A pass is always allowed, unless all markers are out and limit it (MAQ-P1, MAQ-P8)."""
    return not s.proxy_limit or markers_out(s) < MARKERS


@rule
def clear_answers(s: State) -> None:
    """The hands of the last pass go down; until then everybody sees them (MAQ-P5)."""
    sets.clear(s.answered)
    for p in range(SEATS):
        s.answer[p] = Answer.NONE


@rule
def declare(s: State, p: int) -> None:
    """The winner of a lot passes it: all others are asked at the same time (MAQ-P1, MAQ-P2)."""
    tell(s, Event.PASSED, p, sets.number(s.lot[s.slot]))
    s.step = Step.HANDS


@rule
def waiting(s: State) -> int:
    """The seats that have to answer the pass, as bits (MAQ-P2)."""
    mask = 0
    for p in range(s.players):
        if p != s.thrower and not sets.has(s.answered, p):
            mask |= 1 << p
    return mask


@rule
def answer(s: State, p: int, given: int) -> None:
    """A hand is raised, with its stamp, or not; with the last answer all are shown (MAQ-P2, MAQ-P3)."""
    tell(s, Event.ANSWERED, p, given - Answer.RAISE)
    s.answer[p] = given
    sets.add(s.answered, p)
    if waiting(s) == 0:
        show_hands(s)


@rule
def show_hands(s: State) -> None:
    """The first hand throws for the passer; without one the passer throws (MAQ-P3, MAQ-P6 to MAQ-P8)."""
    passer = s.thrower
    first = STAMPS
    for k in range(1, s.players):
        p = (passer + k) % s.players
        if s.answer[p] >= Answer.RAISE:
            tell(s, Event.HAND_UP, p, s.answer[p] - Answer.RAISE)
            first = min(first, s.answer[p] - Answer.RAISE)
        else:
            tell(s, Event.HAND_DOWN, p)
    if first == STAMPS:
        tell(s, Event.NO_PROXY, passer)
    else:
        s.thrower = proxy_of(s, Answer.RAISE + first)
        s.proxy[s.slot] = s.thrower
        tell(s, Event.PROXY, s.thrower, passer)
    throwing.begin(s)


@rule
def proxy_of(s: State, first: int) -> int:
    """Of those who gave the first answer, the one nearest to the passer's left, or any by chance (MAQ-P3)."""
    tied = 0
    for p in range(s.players):
        if s.answer[p] == first:
            tied += 1
    skip = below(s, tied) if s.hand_tie == HandTie.RANDOM and tied > 1 else 0
    p = (s.thrower + 1) % s.players
    while s.answer[p] != first or skip > 0:
        if s.answer[p] == first:
            skip -= 1
        p = (p + 1) % s.players
    return p
