"""The games in Gymnasium: its own checks, unchanged, and a vector of games against single ones."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from perankh.envs import gymnasium_env, gymnasium_vector_env
from perankh.errors import BadOption, IllegalAction
from tests.envs.games import CASES, GAMES, SHORT

SEED = 11


def last_legal(observation: Any, mask: Any, seats: Any) -> Any:
    """A policy without chance: the highest of the legal actions."""
    return mask.shape[1] - 1 - np.argmax(mask[:, ::-1], axis=1)


def make(name: str, players: int | None = None, opponents: Any = last_legal, **more: Any) -> Any:
    return gymnasium_env(GAMES[name], players=players, opponents=opponents, **SHORT.get(name, {}), **more)


def make_vector(name: str, n: int, players: int | None = None, opponents: Any = last_legal, **more: Any) -> Any:
    return gymnasium_vector_env(GAMES[name], n, players=players, opponents=opponents, **SHORT.get(name, {}), **more)


def choose(random: Any, mask: Any) -> int:
    """A random legal action; 0 where there is none."""
    return int(random.choice(np.flatnonzero(mask))) if mask.any() else 0


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@pytest.mark.parametrize(("name", "players"), CASES)
def test_the_check_of_gymnasium(name: str, players: int) -> None:
    """It tries actions without looking at the mask, so that illegal ones must lose the game here."""
    check_env(make(name, players, "random", illegal="end", seat=players - 1, render_mode="ansi"))


@pytest.mark.parametrize(("name", "players"), CASES)
def test_only_the_own_decisions_are_asked_for(name: str, players: int) -> None:
    env, game = make(name, players, "random", seat="random"), GAMES[name]
    random, seats = np.random.default_rng(0), set()
    for seed in range(4):
        seen, info = env.reset(seed=seed)
        seat, over = info["seat"], False
        seats.add(seat)
        while not over:
            state = env.batch.state(0)
            assert seat == game.actors(state)[0]
            assert seen.tolist() == game.observation_of(state, seat)
            assert np.flatnonzero(info["action_mask"]).tolist() == game.legal(state, seat)
            seen, reward, terminated, truncated, info = env.step(choose(random, info["action_mask"]))
            over = terminated or truncated
            assert over or reward == 0
        state = env.batch.state(0)
        ranks = game.ranks(state)
        assert info["ranks"].tolist() == ranks
        assert info["scores"].tolist() == game.scores(state)
        margin = sum(rank > ranks[seat] for rank in ranks) - sum(rank < ranks[seat] for rank in ranks)
        assert reward == pytest.approx(margin / (players - 1))
        assert seen.tolist() == game.observation_of(state, seat)
    assert len(seats) > 1


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_vector_of_games_plays_what_single_games_play(name: str, players: int) -> None:
    """Under all three ways to go on after the end of a game. Game k of slot i has the seed + i + k * n.

    Games that end before the learner decides anything are passed over, so that k is asked of the batch.
    """
    n = 3

    def deal(i: int) -> Any:
        return singles[i].reset(seed=SEED + i + int(vector.batch.number[i]) * n)

    for mode in ("next_step", "same_step", "disabled"):
        vector = make_vector(name, n, players, autoreset=mode)
        check_spaces(vector, n, mode)
        singles = [make(name, players) for _ in range(n)]
        observations, infos = vector.reset(seed=SEED)
        first = [deal(i) for i in range(n)]
        assert np.array_equal(observations, [seen for seen, _ in first])
        masks = np.array([info["action_mask"] for _, info in first])
        assert np.array_equal(infos["action_mask"], masks)
        random, waiting, ended = np.random.default_rng(1), [False] * n, 0
        for _ in range(40):
            actions = np.array([choose(random, mask) for mask in masks])
            observations, rewards, terminations, truncations, infos = vector.step(actions)
            assert vector.observation_space.contains(observations)
            masks = infos["action_mask"]
            for i, env in enumerate(singles):
                if waiting[i]:  # the step after the end: the action is ignored
                    seen, info = deal(i)
                    result: tuple[Any, ...] = (seen, 0.0, False, False, info)
                    waiting[i] = False
                else:
                    result = env.step(int(actions[i]))
                seen, reward, terminated, truncated, info = result
                assert (rewards[i], terminations[i], truncations[i]) == (reward, terminated, truncated)
                if terminated or truncated:
                    ended += 1
                    results = infos["final_info"] if mode == "same_step" else infos
                    assert results["ranks"][i].tolist() == info["ranks"].tolist()
                    assert results["_ranks"][i]
                    if mode == "same_step":
                        assert np.array_equal(infos["final_obs"][i], seen)
                        assert infos["_final_obs"][i]
                        seen, info = deal(i)
                    else:
                        waiting[i] = mode == "next_step"
                assert np.array_equal(observations[i], seen)
                assert np.array_equal(masks[i], info["action_mask"])
            over = terminations | truncations
            if mode == "disabled" and over.any():
                observations, infos = vector.reset(options={"reset_mask": over})
                masks = infos["action_mask"]
                assert infos["_action_mask"].tolist() == over.tolist()
                for i in np.flatnonzero(over).tolist():
                    seen, info = deal(i)
                    assert np.array_equal(observations[i], seen)
                    assert np.array_equal(masks[i], info["action_mask"])
        assert ended > 0 or name in ("mural", "cleocatra", "imhotep")


def check_spaces(vector: VectorEnv[Any, Any, Any], n: int, mode: str) -> None:
    modes = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP, "disabled": AutoresetMode.DISABLED}
    assert vector.metadata["autoreset_mode"] == modes[mode]
    assert vector.num_envs == n
    assert vector.observation_space.shape == (n, *vector.single_observation_space.shape)
    assert vector.action_space.shape == (n,)


@pytest.mark.xdist_group("connect_four")
@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_wrappers_of_gymnasium_count_episodes(mode: str) -> None:
    vector = RecordEpisodeStatistics(make_vector("connect_four", 4, autoreset=mode))
    _, infos = vector.reset(seed=SEED)
    random, returns = np.random.default_rng(2), []
    for _ in range(40):
        actions = np.array([choose(random, mask) for mask in infos["action_mask"]])
        _, rewards, terminations, _, infos = vector.step(actions)
        returns += rewards[terminations].tolist()
    assert list(vector.return_queue) == returns
    assert len(returns) > 5
    assert min(vector.length_queue) >= 4


@pytest.mark.xdist_group("connect_four")
def test_seeds_of_a_list_are_those_of_the_slots() -> None:
    vector, seeds = make_vector("mural", 3, seat=1, autoreset="disabled"), [5, 9, 2]
    observations, _ = vector.reset(seed=seeds)
    single = make("mural", seat=1)
    assert np.array_equal(observations, [single.reset(seed=seed)[0] for seed in seeds])
    some, infos = vector.reset(seed=[1, 9, 2], options={"reset_mask": np.array([False, True, True])})
    assert np.array_equal(some, observations)
    assert infos["_seat"].tolist() == [False, True, True]


@pytest.mark.xdist_group("connect_four")
def test_bots_are_opponents_too() -> None:
    games = []
    for env in (make("connect_four", opponents="apprentice"), make_vector("connect_four", 1, opponents={1: "apprentice"})):
        seen, _ = env.reset(seed=5)
        moves = []
        for column in (0, 1, 2):
            seen = env.step(column if env is not None and not isinstance(env, VectorEnv) else np.array([column]))[0]
            moves.append(seen.reshape(-1).tolist())
        games.append(moves)
    assert games[0] == games[1]


@pytest.mark.xdist_group("connect_four")
def test_a_copy_goes_on_by_itself() -> None:
    env = make("connect_four", opponents="apprentice")
    env.reset(seed=5)
    twins = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    seen = [twin.step(2)[0].tolist() for twin in twins]
    assert not env.batch.observation[0].tolist() == seen[0] == seen[1]
    assert env.step(2)[0].tolist() == seen[0]
    assert env.action_masks().tolist() == twins[0].batch.mask[0].tolist()


@pytest.mark.xdist_group("connect_four")
def test_illegal_actions() -> None:
    env = make("connect_four")
    env.reset(seed=0)
    with pytest.raises(IllegalAction, match="whole number"):
        env.step("d")
    with pytest.raises(IllegalAction, match="action 7"):
        env.step(7)
    lenient = make("connect_four", illegal="end")
    lenient.reset(seed=0)
    _, reward, terminated, truncated, _ = lenient.step(7)
    assert (reward, terminated, truncated) == (-1, True, False)
    with pytest.raises(BadOption, match="the game is over"):
        lenient.step(0)
    vector = make_vector("connect_four", 2, illegal="end", autoreset="disabled")
    vector.reset(seed=0)
    _, rewards, terminations, truncations, _ = vector.step(np.array([3, 7]))
    assert rewards.tolist() == [0, -1]
    assert terminations.tolist() == [False, True]
    assert not truncations.any()
    with pytest.raises(BadOption, match="reset_mask"):
        vector.step(np.array([3, 3]))
    strict = make_vector("connect_four", 2)
    strict.reset(seed=0)
    with pytest.raises(IllegalAction, match="slot 1"):
        strict.step(np.array([3, 7]))
    with pytest.raises(IllegalAction, match="2 whole numbers"):
        strict.step(np.array([0.5, 1]))
    with pytest.raises(BadOption, match="a number for every game"):
        strict.reset(seed=[1, None])


@pytest.mark.xdist_group("connect_four")
def test_pictures_are_those_of_the_learner() -> None:
    env = make("mural", seat=1, render_mode="ansi")
    env.reset(seed=3)
    game = GAMES["mural"]
    assert env.render() == game.text.board(game.veiled(env.batch.state(0), 1), 1, "en")
    vector = make_vector("connect_four", 2, render_mode="svg")
    vector.reset(seed=3)
    assert [picture[:4] for picture in vector.render()] == ["<svg", "<svg"]
