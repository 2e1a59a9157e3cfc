"""Setting up."""

from __future__ import annotations

from perankh.engine.api import below, rule

from . import market, rounds
from .components import START_STONES, STONES
from .state import State


@rule
def setup(s: State) -> None:
    """Quarries, sleds, the deck, a start player, and the first round (IMH-S1 to S7)."""
    market.shuffle_all(s)
    start = s.start_player
    if start < 0:
        start = below(s, s.players)
    for i in range(s.players):
        p = (start + i) % s.players
        s.sled[p] = START_STONES[i]
        s.quarry[p] = STONES - START_STONES[i]
    s.turn = start
    rounds.begin_round(s)
