"""Mining of puzzles: what the network disputes makes none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from perankh.bots.mining import disputed
from perankh.engine.game import get_game
from perankh.engine.puzzles import Puzzle, read_puzzles, write_puzzles

from ..conftest import CONNECT_FOUR
from ..test_cli import perankh


def clearest(puzzles: tuple[Puzzle, ...]) -> Puzzle:
    """The puzzle whose solution is best by most."""
    return max(puzzles, key=lambda one: min(one.cost(action)[0] for action in one.choices if action != one.solution))


@pytest.mark.xdist_group("mural")
def test_a_solution_that_the_network_disputes_is_dropped(tmp_path: Path) -> None:
    game, path = get_game("mural"), tmp_path / "puzzles.toml"
    right = clearest(game.puzzles)
    worst = min(right.choices, key=lambda action: right.choices[action])
    write_puzzles(game, [right, replace(right, id="wrong", solution=worst)], path)
    done = perankh("puzzles", "mural", "--recheck", "--count", "1", "--iterations", "4000", "--out", str(path))
    assert "dropped 1: wrong" in done.stdout, done.stderr
    assert read_puzzles(game, path) == (right,)


def test_without_a_network_nothing_is_disputed() -> None:
    game = get_game(CONNECT_FOUR)
    puzzle = Puzzle("four", 2, 0, {}, 1, (), game.legal(game.new_state(2, 1), 0)[0], (), 0, 1.0, {})
    assert not disputed(game, puzzle, 1_000)
