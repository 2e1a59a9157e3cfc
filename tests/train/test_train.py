"""Training on the processor: a network learns, goes on from a checkpoint, and is what the bots then play by."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from perankh.bots.network import FILE, LAYERS, load_network, network_of
from perankh.bots.styles import read_styles
from perankh.cli import main
from perankh.engine.game import get_game
from perankh.errors import BadFile, BadOption
from perankh.train import levels, train, values
from perankh.train.learner import NEVER, Learner, Settings, shown
from perankh.train.network import TorchNetwork
from perankh.train.run import (
    CHECKPOINT,
    FIRST,
    contest,
    final_rewards,
    games_of,
    kinds_of_games,
    load_parts,
    load_rival,
    trained_options,
    usual_settings,
)
from perankh.train.search import BatchSearch, Found, Improvement, turns

from ..conftest import CONNECT_FOUR

pytestmark = pytest.mark.xdist_group("connect_four")
SMALL = Settings(games=256, steps=32, minibatch=2048, evaluated=64)
STEPS = 300_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a network was trained."""
    torch.set_num_threads(1)  # other tests run at the same time
    out = tmp_path_factory.mktemp("trained")
    train(get_game(CONNECT_FOUR), out, 10, steps=STEPS, device="cpu", settings=SMALL, report=lambda _: None)
    return out


def trained_in(folder: Path) -> TorchNetwork:
    game = get_game(CONNECT_FOUR)
    network = TorchNetwork(game.features.size, game.actions)
    network.load_state_dict(torch.load(folder / CHECKPOINT, weights_only=True)["network"])
    return network


def test_a_network_learns_to_beat_random_play(folder: Path) -> None:
    game = get_game(CONNECT_FOUR)
    network = trained_in(folder)
    assert contest(game, 2, network, None, "cpu", 400) > 0.7
    assert abs(contest(game, 2, None, None, "cpu", 400) - 0.5) < 0.1
    assert "against random, 2 players" in (folder / "report.md").read_text("utf-8")


def test_the_bots_get_the_same_network_in_whole_numbers(folder: Path) -> None:
    game, network, kept = get_game(CONNECT_FOUR), trained_in(folder), load_network(folder / FILE)
    state = game.new_state(2, 1)
    for action in (3, 3, 2, 4, 5, 1, 3):
        row = game.observation_of(state, game.actors(state)[0])
        with torch.no_grad():
            logits, value = network(torch.tensor([row], dtype=torch.float32))
        found, promised = kept.evaluate(row)
        assert (torch.tensor(found) / 256 - logits[0]).abs().max() < 0.1
        assert abs(promised - float(value)) < 0.05
        game.rules.apply(state, game.actors(state)[0], action)
    assert kept.missing(game, {}) == ""
    assert kept.facts["training"]["steps"] > 0


def test_levels_are_found_and_written(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "MATCHES", 60)
    monkeypatch.setattr(levels, "TRIES", 3)
    shutil.copytree(folder, tmp_path / "out")
    assert sorted(path.stem for path in (folder / "snapshots").iterdir()) == ["12", "16", "24", "32", "8"]
    assert main(["train", str(CONNECT_FOUR), "--levels", "--top", "priest", "--out", str(tmp_path / "out")]) == 0
    styles = read_styles(tmp_path / "out" / "levels.toml")
    assert list(styles) == ["apprentice", "scribe", "priest"]
    assert styles["priest"].temperature_for(2) == 0
    ratings = [style.rating or 0 for style in styles.values()]
    assert ratings == sorted(ratings)
    assert ratings[-1] > 100  # random play is 0
    assert main(["train", str(CONNECT_FOUR), "--levels", "--top", "clerk", "--out", str(tmp_path / "out")]) == 2
    assert main(["train", str(CONNECT_FOUR), "--levels", "--out", str(tmp_path / "nothing")]) == 2


def test_the_same_seed_and_steps_make_the_same_network(tmp_path: Path) -> None:
    settings = Settings(games=64, steps=16, minibatch=512, evaluated=16)

    def weights(name: str, seed: int) -> bytes:
        train(
            get_game(CONNECT_FOUR),
            tmp_path / name,
            1000,
            steps=6_000,
            seed=seed,
            device="cpu",
            settings=settings,
            report=lambda _: None,
        )
        with np.load(tmp_path / name / FILE) as kept:
            return b"".join(kept[part].tobytes() for part in sorted(kept) if part != "facts")

    assert weights("one", 1) == weights("again", 1) != weights("other", 2)


def test_a_training_goes_on_from_its_checkpoint(folder: Path, tmp_path: Path) -> None:
    before = torch.load(folder / CHECKPOINT, weights_only=True)["training"]
    (tmp_path / CHECKPOINT).write_bytes((folder / CHECKPOINT).read_bytes())
    game = get_game(CONNECT_FOUR)
    after = train(game, tmp_path, 60, steps=STEPS + 20_000, device="cpu", settings=SMALL, resume=True, report=lambda _: None)
    assert after.steps >= STEPS + 20_000
    assert after.curve[: len(before["curve"])] == before["curve"]
    with pytest.raises(BadFile, match="no checkpoint"):
        train(game, tmp_path / "empty", 0.01, device="cpu", settings=SMALL, resume=True, report=lambda _: None)


@pytest.mark.parametrize("file", [CHECKPOINT, FILE])
def test_a_fresh_network_learns_against_one_that_does_not_change(file: str, folder: Path, tmp_path: Path) -> None:
    game = get_game(CONNECT_FOUR)
    told: list[str] = []
    train(game, tmp_path, 60, steps=20_000, device="cpu", settings=SMALL, against=folder / file, report=told.append)
    assert "against the rival, 2 players" in told[-1]


def test_a_rival_is_the_network_of_its_file(folder: Path) -> None:
    game = get_game(CONNECT_FOUR)
    rows = torch.tensor([game.observation_of(game.new_state(2, 1), 0)], dtype=torch.int8)
    checkpoint, file = (load_rival(game, folder / name, "cpu")(rows) for name in (CHECKPOINT, FILE))
    assert torch.allclose(checkpoint[0], file[0], atol=0.05)
    with pytest.raises(BadFile, match="trained with other game"):
        load_rival(get_game("imhotep"), folder / FILE, "cpu")


def test_a_network_learns_what_a_search_finds(folder: Path, tmp_path: Path) -> None:
    game, told = get_game(CONNECT_FOUR), list[str]()
    (tmp_path / FILE).write_bytes((folder / FILE).read_bytes())
    settings = replace(usual_settings("cpu", 16), evaluated=400)
    state = train(game, tmp_path, 60, steps=24_000, device="cpu", settings=settings, report=told.append)
    assert max(row["against the first, 2 players"] for row in state.curve[1:]) > 0.55
    first, better = load_network(tmp_path / FIRST), load_network(tmp_path / FILE)
    assert first.facts == load_network(folder / FILE).facts
    assert better.facts["training"] == first.facts["training"]
    assert better.facts["searched"]["steps"] == state.steps
    assert better.facts["searched"]["simulations"] == 16
    again = train(game, tmp_path, 60, steps=24_000, device="cpu", settings=settings, resume=True, report=told.append)
    assert again.steps == state.steps  # it had learned enough before
    assert load_network(tmp_path / FIRST).facts == first.facts
    with pytest.raises(BadFile, match="to improve"):
        train(game, tmp_path / "empty", 0.1, device="cpu", search=16, report=told.append)
    assert not (tmp_path / "empty").exists()


def searched(network: TorchNetwork, moves: Sequence[int], simulations: int) -> tuple[Found, BatchSearch]:
    """What a search finds after some moves of Connect Four."""
    game = get_game(CONNECT_FOUR)
    games = games_of(game, 2, [2], None, 1, "cpu", "disabled")
    worlds = games_of(game, 2, [2], None, 2, "cpu", "disabled", illegal="raise")
    games.reset()
    for action in moves:
        games.step(np.full(2, action))
    search = BatchSearch(games, worlds, simulations, "cpu")
    return search.run(network), search


def test_other_seats_values_are_learned_and_all_else_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, told = get_game("mural"), list[str]()
    monkeypatch.setattr(values, "GAMES", 96)
    monkeypatch.setattr(values, "TESTED", 0.25)
    made, first = values.learn_values(game, tmp_path, 0.001, device="cpu", report=told.append), network_of(game)
    assert first
    for name in LAYERS:
        assert (made.layers[name].weights == first.layers[name].weights).all()
        assert (made.layers[name].bias == first.layers[name].bias).all()
    assert made.facts["values"]["games"] == 96
    assert {name: made.facts[name] for name in first.facts if name != "values"} == {
        name: fact for name, fact in first.facts.items() if name != "values"
    }
    for players, line in zip((3, 4), told, strict=True):
        before, after = map(int, re.findall(r"(-?\d+)%", line))
        assert line.startswith(f"{players} players")
        assert after > before
    kept, row = load_network(tmp_path / FILE), game.observation_of(game.new_state(4, 1), 0)
    assert kept.rewards(row, 4) == made.rewards(row, 4)


def test_with_two_players_there_are_no_other_seats_to_learn(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="nothing to learn"):
        values.learn_values(get_game(CONNECT_FOUR), tmp_path, 1)
    assert main(["train", "mural", "--values", "--search", "8", "--out", str(tmp_path)]) == 2


def test_rewards_count_the_seats_that_there_are() -> None:
    games = games_of(get_game("maqha"), 30, [2, 3, 4], None, 5, "cpu", "disabled")
    games.reset()
    while (games.seat >= 0).any():
        games.step(games.random_actions())
    rewards, ranks, players = final_rewards(games, "cpu").numpy(), games.ranks, games.players
    for i in range(games.n):
        for p in range(4):
            others = [ranks[i, q] for q in range(players[i]) if q != p]
            beaten = sum(np.sign(int(rank) - int(ranks[i, p])) for rank in others) / len(others) if p < players[i] else 0
            assert rewards[i, p] == pytest.approx(beaten)


def test_a_search_without_a_trained_network_finds_wins_and_threats() -> None:
    game = get_game(CONNECT_FOUR)
    torch.manual_seed(1)
    network = TorchNetwork(game.features.size, game.actions)
    win, search = searched(network, (3, 0, 3, 0, 3, 1), 32)  # a fourth in column 3
    assert win.action.tolist() == [3, 3]
    assert bool((win.chances[:, 3] > 0.9).all())
    assert bool((win.value > 0.2).all())
    assert search.tree.visits[:, 0].sum(dim=1).tolist() == [32, 32]
    threat, _ = searched(network, (3, 0, 3, 0, 3), 300)  # the other one has to stop it
    assert bool((threat.chances[:, 3] > 0.9).all())
    full, _ = searched(network, (0, 0, 0, 0, 0, 0), 16)
    assert bool((full.chances[:, 0] == 0).all())


@torch.no_grad()
def test_a_search_beats_the_network_that_guides_it(folder: Path) -> None:
    game, network = get_game(CONNECT_FOUR), trained_in(folder)
    games, worlds = (games_of(game, 60, [2], None, seed, "cpu", "disabled", illegal="raise") for seed in (1, 2))
    games.reset()
    search, mine = BatchSearch(games, worlds, 32, "cpu"), torch.arange(60) % 2
    torch.manual_seed(1)
    while bool((shown(games, "seat", "cpu") >= 0).any()):
        logits = network(shown(games, "observation", "cpu"))[0].masked_fill(~shown(games, "mask", "cpu"), NEVER)
        drawn = logits.softmax(dim=1).multinomial(1)[:, 0]
        games.advance(torch.where(shown(games, "seat", "cpu") == mine, search.run(network).action, drawn).numpy())
    assert float(final_rewards(games, "cpu")[torch.arange(60), mine].mean()) > 0.6


def test_root_actions_drop_out_by_halves() -> None:
    assert turns(4, 12) == [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert turns(1, 3) == [0, 1, 2]
    assert turns(2, 4) == [0, 0, 1, 1]
    for considered in range(17):
        assert len(turns(considered, 24)) == 24


def test_values_change_preferences_and_stand_in_for_what_was_not_tried() -> None:
    better, expected = Improvement(softness=1.0, weight=0.1)(
        torch.zeros(1, 4), torch.tensor([[6.0, 3.0, 1.0, 0.0]]), torch.tensor([[4.8, 1.5, 0.5, 0.0]]), torch.tensor([0.2])
    )
    assert float(expected[0]) == pytest.approx((0.2 + 10 * 0.6) / 11)
    assert better[0, 0] > better[0, 3] > better[0, 1]
    assert float(better[0, 3]) == 0
    assert float(better[0, 1]) == pytest.approx(float(better[0, 2]))


def test_new_normalisation_leaves_a_network_as_it_was(folder: Path) -> None:
    network = load_rival(get_game(CONNECT_FOUR), folder / FILE, "cpu")
    rows = torch.randint(0, 2, (50, network.first.in_features))
    before = network(rows)[0]
    network.normalise(rows, torch.ones(network.first.in_features), keep=True)
    assert float(network.mean.abs().max()) > 0
    assert torch.allclose(network(rows)[0], before, atol=1e-4)


def test_what_is_no_checkpoint_of_the_game_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.pt").write_bytes(b"nothing")
    (tmp_path / "half.pt").write_bytes((folder / CHECKPOINT).read_bytes()[:2000])
    torch.save({"training": torch.load(folder / CHECKPOINT, weights_only=True)["training"]}, tmp_path / "empty.pt")
    for name in ("missing.pt", "broken.pt", "half.pt", "empty.pt"):
        with pytest.raises(BadFile, match="no checkpoint that fits"):
            load_parts(tmp_path / name, "connect_four", "cpu", network=trained_in(folder))
    with pytest.raises(BadFile, match="from a training of connect_four, not of mural"):
        load_parts(folder / CHECKPOINT, "mural", "cpu")
    with pytest.raises(BadFile, match="no checkpoint that fits"):
        load_parts(folder / CHECKPOINT, "connect_four", "cpu", network=TorchNetwork(3, 2))


def test_earlier_selves_play_the_other_seats() -> None:
    game = get_game(CONNECT_FOUR)
    games = games_of(game, 40, [2], None, 1, "cpu", "same_step")
    games.reset()
    network = TorchNetwork(game.features.size, game.actions)
    learner = Learner(games, network, Settings(games=40, minibatch=64, steps=12, league=0.5, selves=2), "cpu")
    learner.league.replace(0, network)
    learner.collect()
    own, seat = learner.played["own"], learner.played["seat"]
    assert bool(own[:, :30].all())  # itself, and a part whose earlier self is missing
    assert bool((own[:, 30:] == (seat[:, 30:] == learner.league.learner[30:])).all())


def test_advantages_reach_back_over_the_decisions_of_the_same_seat() -> None:
    game = get_game(CONNECT_FOUR)
    games = games_of(game, 1, [2], None, 1, "cpu", "same_step")
    games.reset()
    learner = Learner(games, TorchNetwork(game.features.size, game.actions), Settings(games=1, steps=6, decay=0.5), "cpu")
    rows = learner.played
    rows["seat"][:, 0] = torch.tensor([0, 1, 0, 1, 0, 1])
    rows["value"][:, 0] = torch.tensor([0.1, 0.2, 0.3, 0.4, 0.5, 0.7])
    rows["ended"][:, 0] = torch.tensor([False, False, True, False, False, False])
    rows["reward"][2, 0] = torch.tensor([1.0, -1.0])
    found, known = learner.advantages(torch.tensor([0.6]), torch.tensor([0]))
    # seat 0 before its last decision in the old game, seat 1 there, that last decision, then the new game: what seat 1 decides
    # last has no outcome, but what it promises is the outcome of what seat 1 decided before
    expected = [0.3 - 0.1 + 0.5 * 0.7, -1.0 - 0.2, 1.0 - 0.3, 0.7 - 0.4, 0.6 - 0.5, 0.0]
    assert torch.allclose(found[:, 0], torch.tensor(expected))
    assert known[:, 0].tolist() == [True] * 5 + [False]


@pytest.mark.parametrize("name", ["imhotep", "maqha"])
def test_half_of_the_games_have_the_usual_options(name: str) -> None:
    game = get_game(name)
    sets = kinds_of_games(game, 1)
    assert sets[::2] == [{}] * (len(sets) // 2)
    values = trained_options(game)
    for chosen in sets:
        assert all(value in values[option] for option, value in chosen.items())
    assert len({repr(chosen) for chosen in sets}) > 5


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    arguments: Any = ["train", str(CONNECT_FOUR), "--device", "cpu", "--out", str(tmp_path)]
    assert main([*arguments, "--minutes", "0"]) == 2
    assert "minutes" in capsys.readouterr().err
    assert main([*arguments, "--steps", "1"]) == 0
    assert "network.npz" in capsys.readouterr().out
    assert load_network(tmp_path / FILE).facts["game"] == "connect_four"


def test_a_critic_sees_what_is_hidden(tmp_path: Path) -> None:
    settings = Settings(games=24, minibatch=256, steps=8, evaluated=4)
    game = get_game("mural")
    train(game, tmp_path, 60, steps=1, device="cpu", settings=settings, report=lambda _: None)
    kept = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    assert kept["critic"]["value.weight"].shape == kept["network"]["value.weight"].shape
    assert not torch.equal(kept["critic"]["mean"], kept["network"]["mean"])
    after = train(game, tmp_path, 60, steps=400, device="cpu", settings=settings, resume=True, report=lambda _: None)
    assert after.steps >= 400
