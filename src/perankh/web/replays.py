"""What worker processes find by replaying matches: earlier positions, log lines, decisions.

A match is given by a state and the moves from there on. States arrive whole; what leaves a process is veiled for its viewer.
"""

from __future__ import annotations

from collections.abc import Sequence

from perankh.bots import restored
from perankh.bots.analysis import decisions
from perankh.engine.game import Game
from perankh.engine.state import Record

Moves = Sequence[tuple[int, int]]


def state_after(folder: str, record: bytes, moves: Moves) -> tuple[Game, Record]:
    """A game, and the state after legal moves."""
    game, state = restored(folder, record)
    for p, action in moves:
        game.apply(state, p, action)
    return game, state


def decision_numbers(folder: str, record: bytes, moves: Moves) -> list[int]:
    """The numbers of the moves at which there was a choice."""
    game, state = restored(folder, record)
    return [number for number, *_ in decisions(game, state, list(moves))]
