"""The classic rules: coins in turn."""

from __future__ import annotations

from perankh.engine.api import rule, tell

from . import scoring
from .components import Kind
from .events import Event
from .state import Ending, State, Step


@rule
def most_coins(s: State) -> int:
    """The most coins a turn may drop (MAQ-C1)."""
    return min(s.supply[Kind.COIN], s.classic_limit) if s.classic_limit else s.supply[Kind.COIN]


@rule
def drop_coins(s: State, p: int, coins: int) -> None:
    """Coins of the player in turn, all in one release (MAQ-C1, MAQ-C2)."""
    tell(s, Event.DROPPED, p, coins)
    s.supply[Kind.COIN] -= coins
    s.to_go[Kind.COIN] = coins
    s.step = Step.OUTCOME if s.real_vessel else Step.THROWING


@rule
def end_turn(s: State) -> None:
    """Nothing spilled: a draw after the last coin, else the player to the left (MAQ-C3, MAQ-C4)."""
    if s.supply[Kind.COIN] == 0:
        scoring.end_game(s, Ending.NO_SPILL)
    else:
        s.thrower = (s.thrower + 1) % s.players
        s.step = Step.TURN
