"""The networks of the package: complete, small, for these very rules, and used without a compiler."""

from __future__ import annotations

import random
from typing import Any

import pytest

from perankh.bots import LEVELS, decide, needs_no_compiler
from perankh.bots.network import FILE, network_of, trained_for
from perankh.bots.styles import each, styles_of, trained_style
from perankh.engine.game import Game, game_names, get_game
from perankh.train.run import trained_options

NAMES = [name for name in game_names() if get_game(name).folder.parent.name == "games"]
BY_NETWORK = list(LEVELS)[:-1]


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_networks_for_all_levels_below_two_megabytes(name: str) -> None:
    game = get_game(name)
    styles = styles_of(game)
    assert list(styles) == BY_NETWORK
    files = {path.name for path in game.folder.glob("*.npz")}
    assert files == {FILE, *(file for style in styles.values() for file in each(style.network))}
    assert sum((game.folder / file).stat().st_size for file in files) <= 2_000_000
    ratings = [style.rating or 0 for style in styles.values()]
    assert ratings == sorted(ratings)
    assert ratings[0] > 0  # random play


@pytest.mark.parametrize("name", NAMES)
def test_networks_are_for_the_rules_as_they_are(name: str) -> None:
    game = get_game(name)
    for file in {file for style in styles_of(game).values() for file in each(style.network)}:
        network = network_of(game, file)
        assert network is not None
        assert network.missing(game, {}) == ""
        assert network.facts["options"] == trained_options(game)
        assert network.facts["training"]["seconds"] <= 20 * 60


def positions(game: Game, players: int, seed: int, options: dict[str, Any] | None = None) -> Any:
    """Positions of a match of random moves, each with the seat that acts."""
    chance, state = random.Random(seed), game.new_state(players, seed, options or {})
    while game.actors(state):
        p = chance.choice(game.actors(state))
        yield state, p
        game.rules.apply(state, p, chance.choice([int(action) for action in game.legal(state, p)]))


@pytest.mark.parametrize("name", NAMES)
def test_levels_decide_without_a_compiler(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = get_game(name)
    monkeypatch.setattr("perankh.bots.levels.is_ready", lambda _: False)
    for players in game.players:
        for number, (state, p) in enumerate(positions(game, players, players)):
            if number % 9 or number > 60:
                continue
            veiled = game.veiled(state, p)
            for level in LEVELS:
                assert needs_no_compiler(game, level, veiled)
                assert decide(game.place, veiled.to_bytes(), p, level, number) in game.legal(state, p)


@pytest.mark.parametrize("name", NAMES)
def test_options_that_were_not_trained_are_said(name: str) -> None:
    game = get_game(name)
    numbers = {option: described for option, described in game.options.items() if described.kind == "whole"}
    others = {
        option: described.default + (1 if described.default < described.high else -1) for option, described in numbers.items()
    }
    for option, value in others.items():
        state = game.new_state(game.players[-1], 1, {option: value})
        assert trained_style(game, "scribe", state) is None
        assert f"not trained with {option} = {value}" in trained_for(game, tuple(game.shown_options(state).items()))
