"""The games that the tests of environments play, and options that make them short."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.engine.game import game_names, get_game
from tests.conftest import CONNECT_FOUR

GAMES = {name: get_game(name) for name in game_names()} | {"connect_four": get_game(CONNECT_FOUR)}
SHORT: dict[str, dict[str, Any]] = {"cleocatra": {"end_score": 8, "turn_limit": 40}, "egizia": {"ships_per_player": 3}}
CASES = [
    pytest.param(name, players, marks=pytest.mark.xdist_group(name), id=f"{name}-{players}")
    for name, game in GAMES.items()
    for players in game.players
]
EACH_GAME = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in GAMES]
