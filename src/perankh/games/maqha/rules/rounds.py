"""The rounds of the advanced rules: cards turned up, and what happens between two rounds."""

from __future__ import annotations

from perankh.engine.api import rule, sets, tell

from . import bidding, scoring
from .components import CARDS, SLOTS
from .events import Event
from .state import Ending, State, Step


@rule
def number_of(s: State) -> int:
    """The number of the round, from 1 on."""
    return (s.dealt + SLOTS - 1) // SLOTS


@rule
def reveal(s: State) -> None:
    """Turn up five cards, or what is left; what was carried over joins slot A (MAQ-R1, MAQ-K2)."""
    s.slots = min(SLOTS, CARDS - s.dealt)
    for k in range(s.slots):
        sets.add(s.lot[k], s.deck[s.dealt + k])
    sets.unite(s.lot[0], s.carried)
    sets.clear(s.carried)
    s.dealt += s.slots
    tell(s, Event.ROUND_BEGAN, -1, number_of(s))
    for k in range(s.slots):
        tell(s, Event.REVEALED, -1, k, sets.number(s.lot[k]))
    s.face_up = 0
    s.step = Step.BID


@rule
def end_round(s: State) -> None:
    """Collection, the Eye, and a new round, or the end with the last card (MAQ-E1 to MAQ-E5, MAQ-F1)."""
    collect(s)
    if s.dealt == CARDS:
        scoring.end_game(s, Ending.NO_SPILL)
    else:
        hand_out_eye(s)
        reveal(s)


@rule
def collect(s: State) -> None:
    """Bid cards and markers return, and the mask goes onto the last banked lot (MAQ-E1, MAQ-E2)."""
    bidding.take_hands(s)
    for k in range(SLOTS):
        s.proxy[k] = -1
    sets.assign(s.mask, s.last_lot)
    tell(s, Event.MASK_LAID, -1, sets.number(s.mask))


@rule
def hand_out_eye(s: State) -> None:
    """The Eye returns; a sole player with the fewest banked cards exchanges his 5 for it (MAQ-E3, MAQ-E4)."""
    s.eye = -1
    fewest = CARDS + 1
    for p in range(s.players):
        cards = sets.count(s.banked[p])
        if cards == fewest:
            s.eye = -1
        elif cards < fewest:
            fewest = cards
            s.eye = p
    bidding.take_hands(s)
    if s.eye >= 0:
        tell(s, Event.EYE_TAKEN, s.eye, fewest)
    else:
        tell(s, Event.EYE_FREE, -1)
