"""A plain player of Egizia, to hold the bots to."""

from __future__ import annotations

from typing import Any

from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.games.egizia.rules.state import Action, Step


class Steady:
    """A plain player of Egizia: the nearest free place, docks before others; builds what it can, feeds what it can."""

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:  # noqa: ARG002 - as bots have it
        """P's action."""
        s = veiled if isinstance(veiled, Record) else game.State.unpack(veiled)
        actions = [int(action) for action in game.legal(s, p)]
        if s.step == Step.LOCATION:
            places = [action for action in actions if action >= Action.PLACE]
            return min(places, default=actions[0])
        if Action.BUILD in actions:
            return int(Action.BUILD)
        useful = [action for action in actions if action > Action.FINISH]
        return max(useful, default=actions[0])
