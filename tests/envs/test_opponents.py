"""A learner in one seat, bots and policies in the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from perankh.envs import Batch, batch
from perankh.errors import BadOption, IllegalAction

from ..conftest import CONNECT_FOUR

pytestmark = pytest.mark.xdist_group("connect_four-batch")


def lowest_column(observation: Any, mask: Any, seats: Any) -> Any:
    """A policy: the first legal action."""
    assert observation.shape[0] == mask.shape[0] == seats.shape[0]
    return mask.argmax(axis=1)


def ready(**settings: Any) -> Batch:
    b = batch(CONNECT_FOUR, 4, **{"device": "interpreted", "opponents": lowest_column, **settings})
    b.reset()
    return b


@pytest.mark.parametrize("device", ["interpreted", "native"])
def test_a_step_returns_when_the_learner_acts_again(device: str) -> None:
    b = ready(device=device, seat=1)
    assert b.seat.tolist() == [1] * 4
    assert b.moves.tolist() == [1] * 4
    b.step([1, 2, 3, 4])
    assert b.moves.tolist() == [3] * 4
    assert b.seat.tolist() == [1] * 4
    assert all(list(b.state(i).height[:2]) == [2, i == 0] for i in range(4))


def test_an_opponent_can_win_before_the_learner_acts_again() -> None:
    b = ready(seat=1)
    for column in (1, 1):
        step = b.step([column] * 4)
        assert not step.terminated.any()
    step = b.step([2] * 4)
    assert step.terminated.all()
    assert step.reward.tolist() == [[1, -1]] * 4
    assert b.learner_reward.tolist() == [-1] * 4
    assert b.moves.tolist() == [1] * 4  # of the next game, which the opponent has begun
    state = b.game.new_state(2, 0)
    for k, column in enumerate((0, 1, 0, 1, 0, 2, 0)):
        b.game.apply(state, k % 2, column)
    assert b.final_observation[0].tolist() == b.game.observation_of(state, 1)
    step = b.step([2] * 4)
    assert not step.terminated.any()
    assert not b.learner_reward.any()


def test_without_autoreset_an_ended_game_waits() -> None:
    for autoreset in ("disabled", "next_step"):
        b = ready(seat=1, autoreset=autoreset)
        for column in (1, 1, 2):
            b.step([column] * 4)
        assert b.seat.tolist() == [-1] * 4
        assert b.learner_reward.tolist() == [-1] * 4
        b.step([0] * 4)
        assert b.seat.tolist() == [-1 if autoreset == "disabled" else 1] * 4
        assert not b.learner_reward.any()
    b.reset(only=[2])
    assert b.seat[2] == 1


def test_a_random_seat_changes_from_game_to_game() -> None:
    b = ready(seat="random", opponents="random", device="native")
    seats = set()
    lines = np.zeros(2)
    for _ in range(200):
        seats |= set(b.seat.tolist())
        assert np.array_equal(b.seat, b.learner)
        b.step(b.random_actions())
        ended = b.terminated
        assert np.array_equal(np.abs(b.learner_reward[ended]), np.abs(b.reward[ended]).max(axis=1))
        lines += [(b.learner_reward > 0).sum(), (b.learner_reward < 0).sum()]
    assert seats == {0, 1}
    assert lines.min() > 5


def test_bots_play_the_other_seats() -> None:
    b = ready(seat=0, opponents={1: "random"})
    b.step(b.random_actions())
    with pytest.raises(BadOption, match="random steps are for batches without opponents"):
        b.play_random(1)
    three = batch("mural", 2, players=3, device="interpreted", opponents={0: "random", 2: lowest_column}, seat=1)
    three.reset()
    for _ in range(5):
        assert three.seat.tolist() == [1, 1]
        three.step(three.random_actions())
    strong = batch(CONNECT_FOUR, 2, opponents="priest", seat=1)
    strong.reset()
    same = batch(CONNECT_FOUR, 2, opponents="priest", seat=1)
    same.reset()
    won = 0.0
    for _ in range(30):
        actions = strong.random_actions().copy()
        strong.step(actions)
        same.step(actions)
        assert np.array_equal(strong.observation, same.observation)
        won += strong.learner_reward.sum()
    assert won <= -6


def test_if_an_opponent_fails_nothing_has_happened() -> None:
    answers: list[Any] = []

    def policy(observation: Any, mask: Any, seats: Any) -> Any:
        answer = answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    for device in ("interpreted", "native"):
        b = ready(seat=0, opponents=policy, device=device)
        before, shown = [b.save(i) for i in range(4)], b.observation.copy()
        for answer, error, message in (
            (np.array([0, 0, 9, 0]), IllegalAction, "slot 2, seat 1: action 9"),
            (np.array([0, 0, 0]), IllegalAction, "opponents: a policy returns 4 whole numbers"),
            (np.zeros(4), IllegalAction, "not float64"),
            (RuntimeError("out of memory"), RuntimeError, "out of memory"),
        ):
            answers[:] = [answer]
            with pytest.raises(error, match=message):
                b.step([0, 1, 2, 3])
            assert [b.save(i) for i in range(4)] == before
            assert np.array_equal(b.observation, shown)
        answers[:] = [np.array([1, 1, 1, 1])]
        b.step([0, 1, 2, 3])
        assert b.moves.tolist() == [2] * 4


def test_a_loaded_game_goes_on_with_the_learner() -> None:
    free = batch(CONNECT_FOUR, 1, device="interpreted")
    free.reset()
    free.step([3])
    b = ready(seat=0)
    b.load(2, free.save(0))
    assert b.seat[2] == 0
    assert b.moves[2] == 2
    assert b.state(2).height[3] == 1
