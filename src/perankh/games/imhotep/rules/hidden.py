"""Who knows what."""

from __future__ import annotations

from perankh.engine.api import rule

from . import market
from .components import PAIR, ROUNDS
from .state import REJECTED, FaceDown, State, Step

HIDDEN = ("unseen", "hidden")


@rule
def veil(s: State, p: int) -> None:
    """The pair is seen by its taker alone, a card rejected onto a closed pile by its rejecter alone (IMH-M4)."""
    for i in range(PAIR + ROUNDS):
        sees = s.rejecter[i - REJECTED] == p if i >= REJECTED else s.step == Step.PAIR and s.chooser == p
        if s.hidden[i] >= FaceDown.SECRET and not sees:
            s.unseen[s.hidden[i] - FaceDown.SECRET] += 1
            s.hidden[i] = FaceDown.UNSEEN


@rule
def redeal(s: State) -> None:
    """Unseen cards for the pair that somebody looks at and for the rejected cards of others."""
    if s.step == Step.PAIR:
        market.look_at_pair(s, s.chooser)
    for i in range(REJECTED, REJECTED + ROUNDS):
        if s.hidden[i] == FaceDown.UNSEEN:
            s.hidden[i] = FaceDown.SECRET + market.turn_up(s)
