"""Training on the processor: a network learns, goes on from a checkpoint, and is what the bots then play by."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from perankh.bots.network import FILE, load_network
from perankh.bots.searcher import SearchResult
from perankh.bots.styles import read_styles
from perankh.cli import main
from perankh.engine.game import get_game
from perankh.errors import BadFile
from perankh.train import improve, levels, train
from perankh.train.improve import chances_after, learn
from perankh.train.learner import Learner, Settings
from perankh.train.network import TorchNetwork
from perankh.train.run import CHECKPOINT, contest, games_of, kinds_of_games, load_parts, load_rival, trained_options

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
    state = improve(game, tmp_path, 60, iterations=64, workers=1, share=300, steps=600, report=told.append)
    assert 600 <= state.steps < 900
    assert "against the first, 2 players" in told[-1]
    better = load_network(tmp_path / FILE)
    assert better.facts["searched"]["decisions"] == state.steps
    assert better.facts["training"] == load_network(folder / FILE).facts["training"]
    again = improve(game, tmp_path, 60, iterations=64, steps=600, resume=True, report=told.append)
    assert again.curve == state.curve  # it had learned enough before
    with pytest.raises(BadFile, match="to improve"):
        improve(game, tmp_path / "empty", 0.1, iterations=128, report=told.append)


def test_chances_and_values_are_learned_and_illegal_actions_left_alone(folder: Path) -> None:
    game, network = get_game(CONNECT_FOUR), trained_in(folder)
    state = game.new_state(2, 1)
    row = torch.tensor([game.observation_of(state, 0)], dtype=torch.int8)
    wanted = torch.tensor([[0.0, 0.0, 0.1, 0.9, 0.0, 0.0, -1.0]], dtype=torch.float16)
    rows = {"observation": row, "chances": wanted, "value": torch.tensor([0.5])}
    learn(network, torch.optim.Adam(network.parameters(), 1e-3), rows, 200)
    with torch.no_grad():
        logits, value = network(row)
    assert logits[0, :6].softmax(dim=0).tolist() == pytest.approx([0, 0, 0.1, 0.9, 0, 0], abs=0.05)
    assert float(value) == pytest.approx(0.5, abs=0.05)


def test_values_that_a_search_finds_change_the_chances() -> None:
    game = get_game(CONNECT_FOUR)
    preferences = np.zeros(game.actions)
    found = SearchResult(100, {0: 60, 1: 30, 2: 10}, {0: 0.8, 1: 0.5, 2: 0.5}, [0.5, 0.5])
    chances, expected = chances_after(preferences, found, [0, 1, 2, 3])
    assert expected == pytest.approx(0.68)
    assert chances.sum() == pytest.approx(1)
    assert chances[0] > 0.5 > chances[3] > chances[2] > chances[1]  # of the last, nothing is known


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
