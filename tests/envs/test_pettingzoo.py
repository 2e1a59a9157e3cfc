"""The games in PettingZoo: its own checks, unchanged, and what they do not look at."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from perankh.envs import pettingzoo_env
from perankh.errors import BadOption, IllegalAction
from tests.envs.games import CASES, EACH_GAME, GAMES, SHORT

CYCLES = 120
# What api_test says of every environment whose observation is a dictionary, of empty boards and of seats that do not act.
pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{message}")
    for message in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "Observation numpy array is all zeros",
        "Action mask numpy array is all zeros",
    )
]


def make(name: str, players: int | None = None, **more: Any) -> Any:
    return pettingzoo_env(GAMES[name], players, **SHORT.get(name, {}), **more)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_the_checks_of_pettingzoo(name: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(make(name, players), num_cycles=CYCLES)
    seed_test(lambda: make(name, players), num_cycles=CYCLES)
    render_test(lambda render_mode: make(name, players, render_mode=render_mode))
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "players"), CASES)
def test_every_agent_sees_what_its_seat_sees_and_all_are_rewarded(name: str, players: int) -> None:
    env, game = make(name, players), GAMES[name]
    env.reset(seed=players)
    random = np.random.default_rng(0)
    while True:
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            break
        state = env.batch.state(0)
        p = game.actors(state)[0]
        assert agent == f"player_{p}"
        seen, reward, _, _, info = env.last()
        assert seen["observation"].tolist() == game.observation_of(state, p)
        assert np.flatnonzero(seen["action_mask"]).tolist() == game.legal(state, p)
        assert np.array_equal(info["action_mask"], seen["action_mask"])
        assert reward == 0
        other = env.observe(f"player_{(p + 1) % players}")
        assert other["observation"].tolist() == game.observation_of(state, (p + 1) % players)
        assert not other["action_mask"].any()
        env.step(random.choice(np.flatnonzero(seen["action_mask"])))
    state = env.batch.state(0)
    ranks = game.ranks(state)
    for p, agent in enumerate(env.possible_agents):
        seen, reward, _, _, info = env.last()
        assert env.agent_selection == agent
        assert seen["observation"].tolist() == game.observation_of(state, p)
        assert info == {"rank": ranks[p], "score": game.scores(state)[p]}
        margin = sum(rank > ranks[p] for rank in ranks) - sum(rank < ranks[p] for rank in ranks)
        assert reward == pytest.approx(margin / (players - 1))
        env.step(None)
    assert env.agents == []


def test_arrays_that_were_handed_out_do_not_change() -> None:
    env = make("connect_four")
    env.reset(seed=1)
    env.step(3)
    seen, *_, info = env.last()
    before, mask = seen["observation"].copy(), info["action_mask"].copy()
    for _ in range(5):
        env.step(3)
    assert np.array_equal(seen["observation"], before)
    assert np.array_equal(info["action_mask"], mask)
    assert not np.array_equal(env.last()[0]["observation"], before)


def test_a_copy_goes_on_by_itself() -> None:
    env = make("connect_four")
    env.reset(seed=1)
    for _ in range(5):
        env.step(3)
    before = env.last()[0]
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.step(3)
        assert twin.last()[0]["action_mask"].tolist() == [1, 1, 1, 0, 1, 1, 1]
        assert twin.agent_selection != env.agent_selection
        assert all(np.array_equal(env.last()[0][name], before[name]) for name in before)


def test_a_game_is_cut_off_at_its_limit() -> None:
    env = make("connect_four", limit=3)
    env.reset(seed=1)
    for column in (0, 1, 2):
        env.step(column)
    assert env.truncations == {"player_0": True, "player_1": True}
    assert not any(env.terminations.values())


def test_bad_input_is_refused() -> None:
    with pytest.raises(BadOption, match="players"):
        make("mural", 7)
    with pytest.raises(BadOption, match="no option colour"):
        make("mural", colour="red")
    with pytest.raises(BadOption, match="render_mode"):
        make("mural", render_mode="film")
    env = make("connect_four")
    with pytest.raises(BadOption, match="reset"):
        env.step(0)
    env.reset(seed=0)
    for action in (None, "d", 2.0):
        with pytest.raises(IllegalAction, match="player_0 takes a whole number"):
            env.step(action)
    with pytest.raises(IllegalAction, match="action 7"):
        env.step(7)
    env.step(3)
    with pytest.raises(BadOption, match="nothing to render"):
        env.render()


@pytest.mark.parametrize("name", EACH_GAME)
def test_pictures_are_those_of_a_spectator(name: str) -> None:
    env = make(name, render_mode="svg")
    env.reset(seed=4)
    assert env.render().startswith("<svg")
    text = make(name, render_mode="ansi")
    text.reset(seed=4)
    game = GAMES[name]
    assert text.render() == game.text.board(game.veiled(text.batch.state(0), -1), -1, "en")
