"""Who knows what."""

from __future__ import annotations

from perankh.engine.api import rule

from . import market
from .components import PAIR, ROUNDS
from .state import FACE_DOWN, REJECTED, SECRET, State, Step

HIDDEN = ("unseen", "hidden")


@rule
def veil(s: State, p: int) -> None:
    """The pair is seen by its taker alone, a card rejected onto a closed pile by its rejecter alone (IMH-M4)."""
    for i in range(PAIR + ROUNDS):
        sees = s.rejecter[i - REJECTED] == p if i >= REJECTED else s.step == Step.PAIR and s.chooser == p
        if s.hidden[i] >= SECRET and not sees:
            s.unseen[s.hidden[i] - SECRET] += 1
            s.hidden[i] = FACE_DOWN


@rule
def redeal(s: State) -> None:
    """Unseen cards for the pair that somebody looks at and for the rejected cards of others."""
    if s.step == Step.PAIR:
        market.look_at_pair(s, s.chooser)
    for i in range(REJECTED, REJECTED + ROUNDS):
        if s.hidden[i] == FACE_DOWN:
            s.hidden[i] = SECRET + market.turn_up(s)
