"""Short programs that a user would write, each with what it must come to."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from pathlib import Path

import pytest

import perankh

from ..conftest import CONNECT_FOUR


def test_a_random_match() -> None:
    m = perankh.new("cleocatra", players=3, seed=7)
    while not m.over:
        m.play(random.choice(m.moves()))

    assert m.winners
    assert m.reason("en")


@pytest.mark.xdist_group("connect_four")
def test_two_bots_play() -> None:
    m = perankh.new(CONNECT_FOUR, players=2, seed=1)
    bots = ["priest", "random"]
    while not m.over:
        m.play(m.bot(bots[m.actors[0]]))

    assert m.ending == "line"
    assert m.winners == [0]


@pytest.mark.xdist_group("connect_four")
def test_a_person_and_a_bot() -> None:
    m = perankh.new(CONNECT_FOUR, players=2, seed=1)
    m.play("d")
    answer = m.bot("scribe")
    m.play(answer)

    assert m.history()[1] == answer
    assert answer.player == 1


def test_looking_through_a_file(tmp_path: Path) -> None:
    m = perankh.new("mural", players=2, seed=7)
    for _ in range(30):
        m.play(random.choice(m.moves()))
    m.save(tmp_path / "match.perankh")

    scores = []
    for position in perankh.load(tmp_path / "match.perankh").positions():
        scores.append(position.scores)

    assert len(scores) == 31
    assert scores[-1] == m.scores


def test_undo_and_redo() -> None:
    m = perankh.new("imhotep", players=2, seed=3)
    while m.number < 5:
        m.play(random.choice(m.moves()))
    m.undo(2)
    earlier = m.copy()
    m.redo()

    assert earlier.number == 3
    assert m.number == 4
    assert m.at(3) == earlier


def test_trying_every_move() -> None:
    m = perankh.new("mural", players=2, seed=7)
    after = {}
    for move in m.moves():
        trial = m.copy()
        trial.play(move)
        after[move] = trial.scores

    assert set(after) == set(m.moves())
    assert m.number == 0


def test_counting_moves() -> None:
    m = perankh.new("mural", players=2, seed=7)
    while not m.over:
        m.play(m.moves()[-1])
    counted = Counter(move.code for move in m.history())

    assert counted["deck"] > 10
    assert counted.total() == m.number


def test_moves_in_a_set() -> None:
    m = perankh.new("maqha", players=3, seed=1)
    seen = set()
    for position in m.positions():
        seen |= set(position.moves())

    assert seen == set(m.moves())
    assert hash(m.moves()[0]) == hash(m.moves()[0])


def test_what_each_player_sees() -> None:
    m = perankh.new("egizia", players=2, seed=5)
    for player in range(2):
        view = m.view(player)
        assert view.moves == [move for move in m.moves() if move.player == player]
        assert str(view)
        assert view.svg().startswith("<svg")


def test_a_refused_move_says_why() -> None:
    m = perankh.new("mural", players=2, seed=7)
    with pytest.raises(perankh.IllegalMove) as refused:
        m.play("stop")

    assert refused.value.reason["en"] == "A turn cannot be passed: place at least one card first."


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)), perankh.Match.copy])
@pytest.mark.parametrize("game", [*perankh.game_names(), CONNECT_FOUR])
def test_a_match_can_be_copied_and_sent(game: str | Path, twin: object) -> None:
    m = perankh.new(game, players=2, seed=4, names=["Ani", ""])
    while m.number < 40 and not m.over:
        m.play(m.moves()[0])
    m.undo(2)
    other = twin(m)  # type: ignore[operator]
    assert other == m
    assert other.state == m.state
    assert other.names == m.names
    assert other.log() == m.log()
    other.redo(2)
    assert other != m
    assert other.at(m.number) == m
    m.play(m.moves()[0])
    assert other.number == m.number + 1


def test_a_move_can_be_sent() -> None:
    move = perankh.new("mural", players=2, seed=7).moves()[1]
    other = pickle.loads(pickle.dumps(move))
    assert other == move
    assert other.sentences == move.sentences


def test_everything_public_is_listed() -> None:
    assert {"Match", "Move", "View", "new", "load", "game_names", "bot_names", "errors"} <= set(dir(perankh))
    for name in dir(perankh):
        assert getattr(perankh, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Board'"):
        perankh.Board  # noqa: B018
    assert perankh.game_names() == ["cleocatra", "egizia", "imhotep", "maqha", "mural"]
    assert perankh.bot_names()[0] == "random"
    assert (Path(perankh.__file__).parent / "py.typed").is_file()
