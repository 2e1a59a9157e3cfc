"""Bots think from veiled states and play legally; greedy sees what lies before it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from perankh.bots import BOTS, think
from perankh.engine.game import game_names, get_game
from perankh.match import Match

from ..conftest import CONNECT_FOUR


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", [*game_names(), str(CONNECT_FOUR)])
def test_a_bot_plays_legally_from_the_veiled_state_alone(name: str, bot: str) -> None:
    match, luck = Match(name, get_game(name).players[-1], 11), random.Random(4)
    for number in range(400):
        if match.over:
            break
        p = match.actors[-1]
        veiled = match.game.veiled(match.state, p)
        before = veiled.copy()
        action = think(str(match.game.folder), vars(veiled), p, bot if number % 8 == 0 else "random", luck.getrandbits(64))
        assert veiled == before
        match.play(action, p)
    assert number > 6


@pytest.mark.parametrize(("columns", "best"), [("abacad", "a"), ("gfgfgf", "g"), ("aabbcc", "d")])
def test_greedy_takes_four_in_a_row(columns: str, best: str) -> None:
    match = Match(CONNECT_FOUR, 2, 1)
    for code in columns:
        match.play(code)
    choices = {think(str(CONNECT_FOUR), vars(match.view(0).state), 0, "greedy", seed) for seed in range(8)}
    assert choices == {match.game.face.CODES.index(best)}


def test_a_game_may_say_what_a_position_is_worth(altered: Any, tmp_path: Path) -> None:
    game = altered()
    (game.folder / "bots.py").write_text("def worth(s, p):\n    return s.height[6]\n", "utf-8")
    match = Match(game, 2, 1)
    assert {think(str(game.folder), vars(match.state), 0, "greedy", seed) for seed in range(8)} == {6}
