"""Levels that play by networks: which network, how freely, and what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from perankh.bots import LEVELS, decide, needs_no_compiler, searcher
from perankh.bots.cli import prepare_bot
from perankh.bots.network import FILE, UNIT, packed, softened
from perankh.bots.styles import LEVELS_FILE, Style, read_styles
from perankh.engine.game import Game, get_game
from perankh.errors import BadGame

from ..conftest import CONNECT_FOUR
from .test_network import random_network

pytestmark = pytest.mark.xdist_group("connect_four")


@pytest.fixture
def trained_game(tmp_path: Path) -> Game:
    """A copy of Connect Four with two networks and levels that play by them."""
    folder = tmp_path / "connect_four"
    shutil.copytree(CONNECT_FOUR, folder)
    game = get_game(folder)
    (folder / FILE).write_bytes(packed(random_network(game, 1)))
    (folder / "network-8.npz").write_bytes(packed(random_network(game, 2)))
    levels = '[apprentice]\nnetwork = "network-8.npz"\ntemperature = 1.5\nrating = 120\n[vizier]\ntemperature = 0\n'
    (folder / LEVELS_FILE).write_text(levels, "utf-8")
    return game


def test_levels_play_by_the_network_that_is_named(trained_game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game, state = trained_game, trained_game.new_state(2, 1)
    monkeypatch.setattr(searcher.Searcher, "action_values", lambda *_: pytest.fail("no search is needed"))
    monkeypatch.setattr(searcher.Searcher, "search", lambda *_: pytest.fail("no search is needed"))
    preferences, _ = random_network(game, 1).evaluate(game.observation_of(state, 0))
    best = max(game.legal(state, 0), key=lambda action: preferences[action])
    assert LEVELS["vizier"].decide(game, state, 0, 5) == best
    assert LEVELS["vizier"].decide(game, state.pack(), 0, 5) == best
    early, _ = random_network(game, 2).evaluate(game.observation_of(state, 0))
    liked = [action for action in game.legal(state, 0) if early[action] >= max(early) - 3 * 1.5 * UNIT]
    played = {LEVELS["apprentice"].decide(game, state, 0, seed) for seed in range(300)}
    assert len(played) > 1
    assert played <= set(liked)
    assert LEVELS["apprentice"].decide(game, state, 0, 9) == LEVELS["apprentice"].decide(game, state, 0, 9)


def test_no_compiler_is_needed_where_there_is_a_network(trained_game: Game) -> None:
    state = trained_game.new_state(2, 1)
    able = {bot for bot in ("random", *LEVELS) if needs_no_compiler(trained_game, bot, state)}
    assert able == {"random", "apprentice", "vizier", "pharaoh"}
    folder = str(trained_game.folder)
    assert decide(folder, state.to_bytes(), 0, "vizier", 1) == LEVELS["vizier"].decide(trained_game, state, 0, 1)
    assert not needs_no_compiler(get_game(CONNECT_FOUR), "vizier", state)


def test_the_terminal_compiles_only_for_bots_that_search(
    trained_game: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiled: list[str] = []
    monkeypatch.setattr("perankh.bots.cli.compile_bots", lambda game: compiled.append(game.name))
    prepare_bot(trained_game, "vizier", trained_game.new_state(2, 1))
    assert not compiled
    prepare_bot(trained_game, "pharaoh", trained_game.new_state(2, 1))
    assert compiled == [trained_game.name]
    assert capsys.readouterr().err == ""
    egizia = get_game("egizia")
    prepare_bot(egizia, "scribe", egizia.new_state(2, 1, {"crew_max": 8}))
    assert compiled[-1] == "egizia"
    assert capsys.readouterr().err == "the network was not trained with crew_max = 8: the bots search instead\n"


def test_moves_far_below_the_best_are_never_drawn() -> None:
    preferences = [0, -2 * UNIT, -4 * UNIT]
    assert {softened(preferences, 1.0, seed) for seed in range(500)} == {0, 1}
    assert {softened(preferences, 2.0, seed) for seed in range(500)} == {0, 1, 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[vizier", "levels.toml: "),
        ("vizier = 3", "vizier may have network, rating, temperature"),
        ("[vizier]\nspeed = 3", "vizier may have network, rating, temperature"),
        ('[vizier]\nnetwork = "lost.npz"', "'lost.npz', which is not in the folder"),
        ("[vizier]\ntemperature = -1", "the temperature -1, not one from 0 to 10"),
        ("[vizier]\ntemperature = true", "the temperature True, not one from 0 to 10"),
        ("[vizier]\nrating = 1.5", "the rating 1.5, not a whole number"),
    ],
)
def test_levels_that_make_no_sense_are_refused(tmp_path: Path, text: str, message: str) -> None:
    save: Any = tmp_path / LEVELS_FILE
    save.write_text(text, "utf-8")
    (tmp_path / FILE).write_bytes(b"")
    with pytest.raises(BadGame, match=message):
        read_styles(save)


def test_styles_are_read(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"")
    (tmp_path / LEVELS_FILE).write_text("[scribe]\ntemperature = 0.5\nrating = 700\n", "utf-8")
    assert read_styles(tmp_path / LEVELS_FILE) == {"scribe": Style(FILE, 0.5, 700)}
