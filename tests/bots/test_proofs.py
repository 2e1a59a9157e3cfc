"""What the search proves where nothing is hidden, held to all continuations of the position."""

from __future__ import annotations

import random
from functools import lru_cache

import pytest

from perankh.bots import Budget, searcher_of
from perankh.bots.ismcts import LOST, WON
from perankh.engine.game import Game, get_game
from perankh.engine.state import Record

from ..conftest import CONNECT_FOUR

pytestmark = pytest.mark.xdist_group("connect_four")
LEFT = 9  # empty cells of the positions that are solved


def late_positions(game: Game, wanted: int) -> list[Record]:
    """Positions of random play with few empty cells."""
    found: list[Record] = []
    draw = random.Random(1)
    while len(found) < wanted:
        state = game.new_state(2, 1)
        while game.actors(state) and state.placed < 42 - LEFT:
            p = game.actors(state)[0]
            game.rules.apply(state, p, draw.choice(game.legal(state, p)))
        if game.actors(state):
            found.append(state)
    return found


def outcomes(game: Game, state: Record) -> dict[int, int]:
    """Of every legal action: 1, 0 or -1 if the player to move wins, draws or loses with best play."""
    solved: dict[bytes, int] = {}

    def solve(s: Record, p: int) -> int:
        key = s.to_bytes()
        if key not in solved:
            if not game.actors(s):
                ranks = game.ranks(s)
                solved[key] = (ranks[1 - p] > ranks[p]) - (ranks[1 - p] < ranks[p])
            else:
                solved[key] = max(-solve(after(s, p, a), 1 - p) for a in game.legal(s, p))
        return solved[key]

    def after(s: Record, p: int, a: int) -> Record:
        copy = s.copy()
        game.rules.apply(copy, p, a)
        return copy

    p = game.actors(state)[0]
    return {a: -solve(after(state, p, a), 1 - p) for a in game.legal(state, p)}


@lru_cache
def solved_positions() -> list[tuple[Record, dict[int, int]]]:
    """Positions with the outcome of every move."""
    game = get_game(CONNECT_FOUR)
    return [(state, outcomes(game, state)) for state in late_positions(game, 12)]


def test_what_is_proven_is_true_and_is_found() -> None:
    game, proofs = get_game(CONNECT_FOUR), 0
    for state, truth in solved_positions():
        found = searcher_of(game).search(state, game.actors(state)[0], 3, Budget(20_000, settles=False))
        assert all(truth[action] == {WON: 1, LOST: -1}[fate] for action, fate in found.proven.items())
        assert truth[found.best] == max(truth.values())
        if max(truth.values()) == 1:
            assert found.proven[found.best] == WON
        proofs += len(found.proven)
    assert proofs > 10
    assert {value for _, truth in solved_positions() for value in truth.values()} >= {-1, 1}


def test_a_search_ends_when_a_win_is_proven() -> None:
    game = get_game(CONNECT_FOUR)
    won = [state for state, truth in solved_positions() if max(truth.values()) == 1]
    found = searcher_of(game).search(won[0], game.actors(won[0])[0], 3, Budget(500_000))
    assert found.iterations < 100_000
    assert found.proven[found.best] == WON


def test_moves_that_draw_chance_prove_nothing() -> None:
    """Near the end of Cleocatra, only what follows without a draw is proven, so that every proof holds in all worlds."""
    game = get_game("cleocatra")
    draw = random.Random(4)
    state = game.new_state(2, 4)
    states = []
    while actors := game.actors(state):
        states.append(state.copy())
        game.rules.apply(state, actors[0], draw.choice(game.legal(state, actors[0])))
    last = states[-1]
    p = game.actors(last)[0]
    searcher = searcher_of(game)
    found = searcher.search(last, p, 1, Budget(3_000, settles=False))
    for action, fate in found.proven.items():
        for seed in range(5):
            world = game.redealt(game.veiled(last, p), seed)
            game.rules.apply(world, p, action)
            if not game.actors(world):
                ranks = game.ranks(world)
                assert (ranks[p] < ranks[1 - p]) == (fate == WON)
    assert found.best in game.legal(last, p)
