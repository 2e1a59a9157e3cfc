"""What is measured: our games, and the same game in other libraries, all at plain random play.

Each contestant is a function that prepares itself and returns a stint: called with a number of seconds, it plays that long
and answers with its moves a second. As a program (`peers.py CORE NAME [ARGUMENT]`) this file is a worker: one contestant in a
process of its own, pinned to one core, that plays a stint for every line it is sent. A CORE of -1 pins it to none.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

Stint = Callable[[float], float]

MEAN_GAMES = 20_000  # games that settle the mean length where a peer does not count moves
BATCHES = (256, 1024, 4096)  # batch sizes that pgx may choose from on a CPU


def stint_of(play: Callable[[], int]) -> Stint:
    """A stint out of a function that plays for a while and returns how many moves it made.

    The time is that of the processor, in all threads: what else the machine does hardly matters then.
    """

    def stint(seconds: float) -> float:
        moves, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds:
            moves += play()
        return moves / spent

    return stint


# --- Ours -------------------------------------------------------------------------------------------------------


def ours(argument: str, run: Callable[[Any, int, int, int], Any]) -> Stint:
    """A game of ours ("3 imhotep"); `run(game, players, count, seed)` plays that many games and returns their report."""
    from perankh.engine.game import get_game
    from perankh.engine.loops import MOVES, VIOLATION

    players, _, name = argument.partition(" ")
    game = get_game(name)

    def play(count: int) -> int:
        report = run(game, int(players), count, random.getrandbits(31))
        if report[:, VIOLATION].any():
            raise SystemExit(f"{name}: a game did not come to its end")
        return int(report[:, MOVES].sum())

    play(1)
    # As many games a call as take some time, so that neither the call nor the clock is measured.
    count, spent = 1, 0.0
    while spent < 0.05:
        count *= 2
        began = time.process_time()
        play(count)
        spent = time.process_time() - began
    return stint_of(lambda: play(count))


def interpreted(argument: str) -> Stint:
    """The rules as plain Python."""
    from perankh.engine.simulate import simulate

    def run(game: Any, players: int, count: int, seed: int) -> Any:
        return simulate(game, players, count, seed=seed, device="interpreted", watch=0).report

    return ours(argument, run)


def native(argument: str) -> Stint:
    """The rules as machine code, on one thread."""
    from perankh.engine.simulate import simulate

    def run(game: Any, players: int, count: int, seed: int) -> Any:
        return simulate(game, players, count, seed=seed, threads=1, watch=0).report

    return ours(argument, run)


def batch_steps(argument: str) -> Stint:
    """Steps of a batch ("1024 2 mural": games, players, game) with masks, observations and random actions, on one thread."""
    from perankh.envs import batch

    n, players, name = argument.split(" ", 2)
    games = batch(name, int(n), players=int(players))
    games.reset()
    rounds = max(1, 4096 // int(n))

    def play() -> int:
        for _ in range(rounds):
            games.step(games.random_actions())
        return rounds * games.n

    play()
    return stint_of(play)


# --- Peers: Connect Four elsewhere ------------------------------------------------------------------------------


def openspiel_python(_: str = "") -> Stint:
    """OpenSpiel driven from Python, a call a move."""
    return stint_of(lambda: spiel_moves(100))


def spiel_moves(games: int) -> int:
    """Play random games through OpenSpiel's Python interface; returns the moves made."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    moves, chance = 0, random.random
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])
            moves += 1
    return moves


def openspiel_tensors(_: str = "") -> Stint:
    """The same with what a learner needs of every position: the mask of legal actions and the observation tensor."""
    import pyspiel

    game = pyspiel.load_game("connect_four")

    def play() -> int:
        moves, chance = 0, random.random
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.legal_actions_mask()
                state.observation_tensor()
                state.apply_action(actions[int(chance() * len(actions))])
                moves += 1
        return moves

    return stint_of(play)


def openspiel_rollouts(_: str = "") -> Stint:
    """OpenSpiel's random rollouts, all in C++.

    Python cannot call the evaluator itself, but a search of one simulation evaluates the root and nothing else: exactly
    `rollouts` random games from the empty board.
    """
    import pyspiel

    rollouts = 10_000
    game = pyspiel.load_game("connect_four")
    mean = spiel_moves(MEAN_GAMES) / MEAN_GAMES
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)
    state = game.new_initial_state()

    def play() -> int:
        value = bot.mcts_search(state).total_reward
        # Whoever begins wins 11 in 100 random games more than the other: another value means other games were played.
        if not 0.05 < value < 0.17:
            raise SystemExit(f"OpenSpiel's rollouts are worth {value}, not the value of the empty board")
        return round(rollouts * mean)

    return stint_of(play)


def pgx(_: str = "") -> Stint:
    """The JAX library pgx on the CPU, with the batch size that suits it best."""
    # One core against one core: XLA would otherwise start a thread pool.
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["JAX_PLATFORMS"] = "cpu"
    stints = [stint_of(pgx_connect_four(batch, max(1, 100_000 // batch))) for batch in BATCHES]
    return max(stints, key=lambda stint: stint(0.3))


def pgx_steps(argument: str) -> Stint:
    """The steps of so many games of pgx on the CPU, observations included, one compiled call a step."""
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["JAX_PLATFORMS"] = "cpu"
    return stint_of(pgx_observed(int(argument), max(1, 4096 // int(argument))))


def pgx_observed(batch: int, steps: int) -> Callable[[], int]:
    """`steps` random moves in each of `batch` games of pgx; every step returns observations, masks and rewards."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make("connect_four")
    move = jax.vmap(auto_reset(env.step, env.init))

    def step(state: Any, key: Any) -> Any:
        key, choosing, resetting = jax.random.split(key, 3)
        actions = jax.vmap(nth_legal)(state.legal_action_mask, jax.random.uniform(choosing, (batch,)))
        return move(state, actions, jax.random.split(resetting, batch)), key

    compiled = jax.jit(step, donate_argnums=0)
    carried = {
        "state": jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), batch)),
        "key": jax.random.key(1),
    }

    def play() -> int:
        for _ in range(steps):
            carried["state"], carried["key"] = compiled(carried["state"], carried["key"])
        carried["state"].observation.block_until_ready()
        return batch * steps

    play()
    return play


def nth_legal(mask: Any, chance: Any) -> Any:
    """A legal action for a random number. One number a game is cheaper than the usual seven of jax.random.categorical."""
    import jax.numpy as jnp

    seen = jnp.cumsum(mask.astype(jnp.int32))
    return jnp.argmax(seen > jnp.floor(chance * seen[-1]).astype(jnp.int32))


def pgx_connect_four(batch: int, steps: int, observed: bool = False) -> Callable[[], int]:
    """`steps` random moves in each of `batch` games of pgx, in one compiled loop with automatic reset.

    `observed`: every observation is made; otherwise XLA drops them, since nobody looks at them.
    """
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init))

    def move(_: Any, carried: Any) -> Any:
        state, key, ended = carried
        key, choosing, resetting = jax.random.split(key, 3)
        actions = jax.vmap(nth_legal)(state.legal_action_mask, jax.random.uniform(choosing, (batch,)))
        state = step(state, actions, jax.random.split(resetting, batch))
        return state, key, ended + (state.observation.sum() if observed else state.terminated.sum())

    # Only this sum comes back: XLA is free to drop what nobody looks at.
    loop = jax.jit(lambda state, key: jax.lax.fori_loop(0, steps, move, (state, key, 0))[1:])
    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), batch))
    carried = {"key": jax.random.key(1)}

    def play() -> int:
        carried["key"], ended = loop(states, carried["key"])
        ended.block_until_ready()
        return batch * steps

    play()
    return play


def pettingzoo(_: str = "") -> Stint:
    """PettingZoo's own game."""
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    from pettingzoo.classic import connect_four_v3

    return agents_in_turn(connect_four_v3.env())


def pettingzoo_env(name: str) -> Stint:
    """A game of ours in PettingZoo's API."""
    from perankh.envs import pettingzoo_env

    return agents_in_turn(pettingzoo_env(name))


def agents_in_turn(env: Any) -> Stint:
    """PettingZoo's turn-based loop as its manual writes it."""
    import numpy as np

    def play() -> int:
        moves = 0
        env.reset()
        for _agent in env.agent_iter():
            observation, _reward, over, cut, _info = env.last()
            if over or cut:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(random.random() * len(legal))]))
            moves += 1
        return moves

    play()  # which loads compiled code
    return stint_of(play)


CONTESTANTS: dict[str, Callable[[str], Stint]] = {
    "interpreted": interpreted,
    "native": native,
    "batch_steps": batch_steps,
    "openspiel_python": openspiel_python,
    "openspiel_tensors": openspiel_tensors,
    "openspiel_rollouts": openspiel_rollouts,
    "pgx": pgx,
    "pgx_steps": pgx_steps,
    "pettingzoo": pettingzoo,
    "pettingzoo_env": pettingzoo_env,
}


def main(core: str, name: str, argument: str = "") -> None:
    """Be the worker of one contestant: get ready, say so, then play a stint for each line with a number of seconds."""
    if int(core) >= 0 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {int(core)})  # before any library asks how many cores there are
    random.seed(1)
    stint = CONTESTANTS[name](argument)
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        print(json.dumps(stint(float(line))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
