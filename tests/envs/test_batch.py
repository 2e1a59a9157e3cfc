"""Batches: the same games as the interpreted rules play, and what is reported about them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from perankh.engine.game import Game, game_names, get_game
from perankh.engine.simulate import option_sets
from perankh.engine.state import Record
from perankh.envs import Batch, batch
from perankh.errors import BadFile, BadOption, IllegalAction, PerankhError

from ..conftest import CONNECT_FOUR

four = pytest.mark.xdist_group("connect_four-batch")
GAMES = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in game_names()]
GAMES.append(pytest.param(str(CONNECT_FOUR), marks=four))


class Reference:
    """One slot of a batch, played by the interpreted rules through the functions of `Game`."""

    def __init__(self, game: Game, players: int, options: dict[str, Any], seed: int, games: int) -> None:
        self.game, self.players, self.options, self.seed, self.games = game, players, options, seed, games
        self.number = -1
        self.deal()

    def deal(self) -> None:
        self.number += 1
        self.state: Record = self.game.new_state(self.players, self.seed + self.number * self.games, self.options)
        self.moves = 0
        self.ended = False

    @property
    def seat(self) -> int:
        return -1 if self.ended else min(self.game.actors(self.state))

    def compare(self, b: Batch, i: int) -> None:
        """The slot shows this position to the seat that acts."""
        seat = self.seat
        assert b.seat[i] == seat
        assert b.moves[i] == self.moves
        assert b.players[i] == self.players
        assert b.number[i] == self.number
        legal = self.game.legal(self.state, seat) if seat >= 0 else []
        assert np.flatnonzero(b.mask[i]).tolist() == legal
        assert b.legal[i, : b.legal_count[i]].tolist() == legal
        if seat >= 0:
            assert b.observation[i].tolist() == self.game.observation_of(self.state, seat)

    def apply(self, b: Batch, i: int, a: int) -> None:
        """Make a move, and compare what the step has reported about it."""
        seat = self.seat
        self.game.apply(self.state, seat, a)
        self.moves += 1
        self.ended = not self.game.actors(self.state)
        assert b.terminated[i] == self.ended
        assert not b.truncated[i]
        if not self.ended:
            assert not b.reward[i].any()
            return
        ranks = self.game.ranks(self.state)
        gained = [
            (sum(other > own for other in ranks) - sum(other < own for other in ranks)) / (self.players - 1) for own in ranks
        ]
        np.testing.assert_allclose(b.reward[i, : self.players], gained, rtol=1e-6)
        assert not b.reward[i, self.players :].any()
        assert b.ranks[i, : self.players].tolist() == ranks
        assert b.scores[i, : self.players].tolist() == self.game.scores(self.state)
        assert b.final_observation[i].tolist() == self.game.observation_of(self.state, seat)


def features_or_skip(name: str) -> Game:
    game = get_game(name)
    return game


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_plays_what_the_interpreted_rules_play(name: str) -> None:
    """Every option set and player count in one batch, with resets."""
    game = get_game(name)
    kinds = [(players, options) for players in game.players for options in option_sets(game, players)]
    for count in game.players:
        sets = [options for players, options in kinds if players == count]
        n = len(sets)
        b = batch(game, n, players=count, options=sets, seed=2**100 + count)
        b.reset()
        slots = [Reference(game, count, sets[i], 2**100 + count + i, n) for i in range(n)]
        for _ in range(60):
            for i, slot in enumerate(slots):
                slot.compare(b, i)
            actions = b.random_actions().copy()
            b.step(actions)
            for i, slot in enumerate(slots):
                slot.apply(b, i, int(actions[i]))
                if slot.ended:
                    slot.deal()
