"""Trained networks: exact numbers, refusals, and bots that play by them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perankh.bots import LEVELS, Budget, decide, network, searcher_of
from perankh.bots.levels import GuidedBot, NetworkBot, SearchBot
from perankh.bots.network import (
    FILE,
    UNIT,
    Layer,
    Network,
    columns_of,
    evaluated,
    facts_of,
    load_network,
    packed,
    softened,
    untrained,
)
from perankh.bots.searcher import Searcher
from perankh.checks.bots import levels_in_order
from perankh.engine.game import Game, get_game
from perankh.errors import BadFile

from ..conftest import CONNECT_FOUR
from .test_bots import positions

WIDTH = 32
pytestmark = pytest.mark.xdist_group("connect_four")


def random_network(game: Game, seed: int, facts: dict[str, Any] | None = None, seats: bool = False) -> Network:
    """A network that was not trained."""
    draw = np.random.default_rng(seed)

    def layer(inputs: int, outputs: int) -> Layer:
        weights, bias = draw.integers(-32_767, 32_768, (inputs, outputs)), draw.integers(-200, 200, outputs)
        return Layer(weights.astype(float), bias.astype(float), 17)

    sizes = {
        "in": (game.features.size, WIDTH),
        "second": (WIDTH, WIDTH),
        "third": (WIDTH, WIDTH),
        "policy": (WIDTH, game.actions),
    }
    if seats:
        sizes |= {"others": (WIDTH, 8), "seats": (8, columns_of(4))}
    layers = {name: layer(*size) for name, size in (sizes | {"value": (WIDTH, 1)}).items()}
    options = {name: list(option.values) for name, option in game.options.items() if option.kind == "choice"}
    return Network(layers, facts_of(game) | {"options": options} | (facts or {}))


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lets a game have a network."""

    def give(game: Game, found: Network | None) -> None:
        def opened(path: Path) -> Network | str:
            return found if found and path.parent == game.folder else network.NONE

        network.trained_for.cache_clear()
        monkeypatch.setattr(network, "opened", opened)

    yield give
    network.trained_for.cache_clear()


def test_the_numbers_do_not_depend_on_the_order_of_sums() -> None:
    game = get_game(CONNECT_FOUR)
    made = random_network(game, 3)
    order, hidden = np.random.default_rng(1).permutation(game.features.size), np.random.default_rng(2).permutation(WIDTH)
    layers = dict(made.layers)
    first = layers["in"]
    layers["in"] = Layer(first.weights[order][:, hidden], first.bias[hidden], first.shift)
    for name in ("second", "third"):
        layer = layers[name]
        layers[name] = Layer(layer.weights[hidden][:, hidden], layer.bias[hidden], layer.shift)
    for name in ("policy", "value"):
        layers[name] = Layer(layers[name].weights[hidden], layers[name].bias, layers[name].shift)
    other = Network(layers, made.facts)
    for state, p in positions(game, 2, 4, 2):
        row = np.array(game.observation_of(state, p))
        logits, value = made.evaluate(row)
        again, same = other.evaluate(row[order])
        assert logits.tolist() == again.tolist()
        assert value == same
        assert -1 < value < 1


def test_a_network_is_kept_in_a_file(tmp_path: Path) -> None:
    game = get_game("mural")
    made = random_network(game, 5)
    (tmp_path / FILE).write_bytes(packed(made))
    read = load_network(tmp_path / FILE)
    row = game.observation_of(game.new_state(2, 1), 0)
    assert read.evaluate(row)[0].tolist() == made.evaluate(row)[0].tolist()
    assert read.missing(game, {"area_map": "irregular", "start_player": 1}) == ""
    for broken in (b"", b"PK\x03\x04 nothing", (tmp_path / FILE).read_bytes()[:-100]):
        (tmp_path / "broken.npz").write_bytes(broken)
        with pytest.raises(BadFile, match="no network"):
            load_network(tmp_path / "broken.npz")


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"rules": 999}, "other rules than"),
        ({"components": "another"}, "other components than"),
        ({"features": "another"}, "other features than"),
        ({"game": "mural"}, "other game than"),
    ],
)
def test_a_network_for_something_else_is_refused(facts: dict[str, Any], message: str, trained: Any) -> None:
    game = get_game(CONNECT_FOUR)
    made = random_network(game, 1, facts)
    assert message in made.missing(game, {})
    trained(game, made)
    state = game.new_state(2, 1)
    assert evaluated(game, state, 0) is None
    assert decide(str(game.folder), state.to_bytes(), 0, "seer", 7) in game.legal(state, 0)  # by search


def test_a_network_that_does_not_fit_is_not_searched_with(trained: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its layers have other sizes, which compiled code would not notice."""
    game = get_game(CONNECT_FOUR)
    trained(game, random_network(game, 1, {"features": "another"}))
    monkeypatch.setattr(Searcher, "guided_search", lambda *_: pytest.fail("searched with a network that does not fit"))
    monkeypatch.setattr("perankh.checks.bots.DUELS", (("random", "random"),))
    reason = "the network was trained with other features than the game has now"
    assert f"warning: {reason}; the bots search instead" in levels_in_order(game, 1.0, lambda _: None)
    assert searcher_of(game).ready
    assert LEVELS["pharaoh"].decide(game, game.new_state(2, 1), 0, 1) in range(game.actions)


@pytest.mark.parametrize("another", [b"nothing", b"of another version"])
def test_a_network_that_cannot_be_read_is_refused(another: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "connect_four"
    shutil.copytree(CONNECT_FOUR, folder)
    game = get_game(folder)
    reason = "network.npz: this is no network"
    if another == b"of another version":
        another = packed(random_network(game, 1, {"format": network.FORMAT + 1}))
        reason = "network.npz: this is a network of another version"
    (folder / FILE).write_bytes(another)
    state = game.new_state(2, 1)
    assert untrained(game, state) == reason
    assert evaluated(game, state, 0) is None
    for bot in ("scribe", "seer", "pharaoh"):
        assert decide(str(folder), state.to_bytes(), 0, bot, 7) in game.legal(state, 0)


def test_options_that_were_not_trained_are_searched(trained: Any) -> None:
    game = get_game("cleocatra")
    trained(game, random_network(game, 1))
    for options, able in (({}, True), ({"mode": "hard"}, True), ({"end_score": 5}, False)):
        state = game.new_state(2, 1, options)
        assert (evaluated(game, state, game.actors(state)[0]) is not None) == able
    assert "end_score = 5" in network.trained_for(game, (("end_score", 5),))


def test_bots_play_by_the_network_and_without_what_is_hidden(trained: Any) -> None:
    game = get_game("mural")
    made = random_network(game, 2)
    trained(game, made)
    seen = set()
    for state, p in positions(game, 3, 8, 9)[:8]:
        logits, _ = made.evaluate(game.observation_of(state, p))
        actions = game.legal(state, p)
        best = max(actions, key=lambda a: (logits[a], -a))
        veiled = game.veiled(state, p)
        assert NetworkBot().decide(game, veiled, p, 1) == best
        assert NetworkBot().decide(game, veiled.pack(), p, 1) == best
        assert decide(str(game.folder), veiled.to_bytes(), p, "seer", 3) == best
        seen.add(NetworkBot(temperature=5.0).decide(game, veiled, p, 1))
        assert NetworkBot().decide(game, game.veiled(game.redealt(veiled, 5), p), p, 1) == best
    assert len(seen) > 1


def test_the_guided_search_repeats_itself_and_follows_the_network(trained: Any) -> None:
    game = get_game(CONNECT_FOUR)
    made = random_network(game, 4)
    trained(game, made)
    found = searcher_of(game)
    for state, p in positions(game, 2, 6, 3)[:4]:
        veiled = game.veiled(state, p)
        results = [found.guided_search(made, veiled, p, 11, Budget(300)) for _ in range(2)]
        assert results[0] == results[1]
        assert 150 < results[0].iterations <= 300  # it ends when nothing can change the choice
        assert results[0].best in game.legal(state, p)
        assert abs(sum(results[0].wins[:2]) - 1) < 1e-6
        first = found.guided_search(made, veiled, p, 11, Budget(1))
        logits, _ = made.evaluate(game.observation_of(state, p))
        assert first.best == max(game.legal(state, p), key=lambda a: (logits[a], -a))


@pytest.mark.parametrize("seats", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_expects_its_own(players: int, seats: bool, tmp_path: Path) -> None:
    """The file, the numbers of the interpreted network and the rewards of the compiled search say the same."""
    game = get_game("imhotep")
    made = random_network(game, 6, seats=seats)
    (tmp_path / FILE).write_bytes(packed(made))
    read, differ, same = load_network(tmp_path / FILE), False, 0
    for state, p in positions(game, players, 8, 3)[:8]:
        row = game.observation_of(game.veiled(state, p), p)
        rewards = made.rewards(row, players)
        assert rewards[0] == made.evaluate(row)[1]
        assert sum(rewards) == pytest.approx(0)
        assert read.rewards(row, players) == rewards
        differ = differ or max(rewards[1:]) - min(rewards[1:]) > 0.1
        found = searcher_of(game).guided_search(made, game.veiled(state, p), p, 1, Budget(1))
        after = state.copy()
        game.rules.apply(after, p, found.best)
        while len(game.legal(after, q := game.actors(after)[0])) == 1:  # the search goes on where nothing is to choose
            game.rules.apply(after, q, int(game.legal(after, q)[0]))
        expected = made.rewards(game.observation_of(game.veiled(after, q), q), players)
        wins = [found.wins[(q + k) % players] for k in range(players)]
        same += wins == pytest.approx([0.5 + 0.5 * reward for reward in expected], abs=0.01)
    assert same >= 5  # in the others, chance is drawn in another way
    assert differ == (seats and players > 2)


def test_the_guided_search_finds_a_win_that_the_network_does_not_see(trained: Any) -> None:
    game = get_game(CONNECT_FOUR)
    made = random_network(game, 9)
    trained(game, made)
    state = game.new_state(2, 1)
    for action in (3, 0, 3, 0, 3, 1):  # three in a column
        game.rules.apply(state, game.actors(state)[0], action)
    found = searcher_of(game).guided_search(made, game.veiled(state, 0), 0, 5, Budget(2_000))
    assert found.best == 3
    assert found.value > 0.9


def test_without_a_network_the_strongest_bot_searches(trained: Any) -> None:
    game = get_game(CONNECT_FOUR)
    trained(game, None)
    state = game.new_state(2, 1)
    by_search = SearchBot(iterations=20_000, expert=True).decide(game, state, 0, 3)
    assert GuidedBot().decide(game, state, 0, 3) == by_search


def test_softened_choices() -> None:
    logits = [0, 3 * UNIT, 2 * UNIT]
    assert softened(logits, 0.0, 1) == 1
    draw = random.Random(0)
    for temperature, least, most in ((1.0, 0.6, 0.75), (0.2, 0.98, 1.0), (100.0, 0.28, 0.42)):
        chosen = [softened(logits, temperature, draw.getrandbits(64)) for _ in range(600)]
        assert least <= chosen.count(1) / 600 <= most
    assert softened(logits, 1.0, 77) == softened(logits, 1.0, 77)
