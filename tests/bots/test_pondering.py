"""Positions that the strongest bot thinks about while others do."""

from __future__ import annotations

import random

import pytest

from perankh.bots.network import network_for
from perankh.bots.pondering import likely_positions, ponder
from perankh.engine.game import get_game

from ..conftest import CONNECT_FOUR


@pytest.mark.parametrize(("name", "least"), [("imhotep", 0.6), ("cleocatra", 0.4), ("mural", 0.3)])
def test_positions_that_come_about_are_foreseen(name: str, least: float) -> None:
    """Of a match of networks with two players. What is drawn from a deck or a bag cannot be foreseen."""
    game, chance = get_game(name), random.Random(4)
    state, foreseen, thought = game.new_state(2, 4), [], 0
    while actors := game.actors(state):
        p = actors[0]
        network = network_for(game, state)
        assert network
        if p == 0 and (not foreseen or foreseen[-1] is not None):
            likely = likely_positions(game.place, game.veiled(state, 1).to_bytes(), 1, thought, 4)
            assert len(set(likely)) == len(likely) <= 4
            foreseen.append(None)
        elif p == 1 and foreseen and foreseen[-1] is None:
            foreseen[-1] = game.veiled(state, 1).to_bytes().hex() in likely
            thought += 1
        preferences, _ = network.run(game.observation_of(state, p))
        legal = [int(action) for action in game.legal(state, p)]
        game.rules.apply(state, p, max(legal, key=lambda action: (int(preferences[action]), chance.random())))
    known = [hit for hit in foreseen if hit is not None]
    assert len(known) > 5
    assert sum(known) >= least * len(known)


def test_what_is_found_is_legal_and_the_same_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    game = get_game("egizia")
    monkeypatch.setattr("perankh.bots.levels.is_ready", lambda _: False)
    state = game.new_state(4, 2)
    p = (game.actors(state)[0] + 2) % 4
    for likely in likely_positions(game.place, game.veiled(state, p).to_bytes(), p, 1, 3):
        then = game.State.from_bytes(bytes.fromhex(likely))
        assert p in game.actors(then)
        assert then.to_bytes() == game.veiled(then, p).to_bytes()  # nothing in it that the seat may not know
        assert ponder(game.place, then.to_bytes(), p, 1) in game.legal(then, p)


def test_without_a_network_nothing_is_foreseen() -> None:
    game = get_game(CONNECT_FOUR)
    assert likely_positions(game.place, game.new_state(2, 1).to_bytes(), 1, 1, 4) == []
