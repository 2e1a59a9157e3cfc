"""The clauses of rules.md, each held by a test that fails when the clause is broken."""

from pathlib import Path
from typing import Any

from perankh.engine.game import get_game
from perankh.testing import clause

GAME = get_game(Path(__file__).parents[1])


def start(players: int, start_player: int) -> Any:
    """A game that has just been set up."""
    return GAME.new_state(players, seed=1, options={"start_player": start_player})


@clause("GAME-S1")
def test_the_start_player_begins_with_a_full_heap() -> None:
    state = start(players=3, start_player=2)
    assert state.stones == 15
    assert GAME.actors(state) == [2]


@clause("GAME-T1")
def test_players_take_one_to_three_stones_in_turn() -> None:
    state = start(players=2, start_player=0)
    assert GAME.legal(state, 0) == [0, 1, 2]
    GAME.apply(state, 0, 2)
    assert state.stones == 12
    assert GAME.actors(state) == [1]
    state.stones = 2
    assert GAME.legal(state, 1) == [0, 1]


@clause("GAME-E1")
def test_the_last_stone_wins() -> None:
    state = start(players=2, start_player=0)
    state.stones = 1
    GAME.apply(state, 0, 0)
    assert GAME.ending(state) == "heap_empty"
    assert GAME.scores(state) == [1, 0]
    assert GAME.ranks(state) == [1, 2]
