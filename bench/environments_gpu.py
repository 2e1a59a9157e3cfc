"""On a machine with a CUDA GPU: do batches there equal native ones bit for bit, and how many steps a second do they make.

The exit status is 1 if any array differs. Steps with actions from torch are measured if torch sees the GPU.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import results
from gpu import games, gpu_name

from perankh.engine.game import Game, get_game
from perankh.engine.simulate import option_sets
from perankh.envs import Batch, batch

PACKAGES = ("perankh", "numba", "numba-cuda", "numpy", "torch")
N = 65_536  # games of a timed batch
COMPARED, STEPS = 64, 300  # games and steps compared for each player count and option set
BETWEEN = 40  # steps after which something else happens
SECONDS = 1.0  # that a measurement takes at least
NAMES = ("seat", "observation", "mask", "reward", "terminated", "truncated", "ranks", "scores", "moves", "number", "players")


# --- Agreement --------------------------------------------------------------------------------------------------


def difference(native: Batch, cuda: Batch) -> str:
    """The first array that differs, or an empty string. Final observations count where a game has ended."""
    for name in NAMES:
        if not np.array_equal(getattr(native, name), cuda.runner.get(getattr(cuda, name))):
            return name
    ended = native.terminated | native.truncated
    same = np.array_equal(native.final_observation[ended], cuda.runner.get(cuda.final_observation)[ended])
    return "" if same else "final_observation"


def between_steps(b: Batch, kind: int) -> None:
    """What else may happen to games; what was dealt ahead is of no use then, or of use later."""
    some = list(range(0, b.n, 3))
    if kind == 1:
        b.reset(only=some)
    elif kind == 2:
        b.reset(seed=[2**100 + i for i in some], only=some)
    elif kind == 3:
        b.play_random(20)
    elif kind == 4:
        b.load(0, b.save(b.n - 1))
    elif kind == 5:
        b.reset(seed=2**70)
    else:
        b.reset()


def compared(game: Game, players: int, options: list[dict[str, Any]], autoreset: str) -> dict[str, Any]:
    """Play the same random steps in both, with option sets in turn, one by one and in a compiled loop."""
    n = COMPARED * len(options)
    native, cuda = (
        batch(game, n, players=players, options=options, seed=2**90, autoreset=autoreset, limit=STEPS // 2, device=device)
        for device in ("native", "cuda")
    )
    native.reset()
    cuda.reset()
    wrong = difference(native, cuda)
    step = 0
    while step < STEPS and not wrong:
        actions = native.random_actions()
        if not np.array_equal(actions, cuda.runner.get(cuda.random_actions())):
            wrong = "random_actions"
        native.step(actions)
        cuda.step(actions)
        step += 1
        if step % BETWEEN == 0:
            for b in (native, cuda):
                between_steps(b, step // BETWEEN)
        wrong = wrong or difference(native, cuda)
    if not wrong:
        native.play_random(50)
        cuda.play_random(50)
        wrong = difference(native, cuda)
    if not wrong and native.save(n - 1) != cuda.save(n - 1):
        wrong = "save"
    if not wrong and not np.allclose(native.rollout(0, 200), cuda.rollout(0, 200)):
        wrong = "rollout"
    return {
        "game": game.name,
        "players": players,
        "sets": len(options),
        "autoreset": autoreset,
        "equal": not wrong,
        "wrong": wrong,
        "step": step,
    }


def agreement(game: Game, sets: int) -> Iterator[dict[str, Any]]:
    """Every player count, with the option sets mixed in one batch, and every way of resetting."""
    for players in game.players:
        options = option_sets(game, players, sets)
        for autoreset in ("same_step", "next_step", "disabled") if players == game.players[0] else ("same_step",):
            yield compared(game, players, options, autoreset)


# --- Speed ------------------------------------------------------------------------------------------------------


def timed(work: Callable[[int], int], wait: Callable[[], None]) -> float:
    """Steps a second; `work(k)` makes k rounds and returns its steps."""
    work(3)
    wait()
    rounds = 8
    while True:
        began = time.perf_counter()
        steps = work(rounds)
        wait()
        spent = time.perf_counter() - began
        if spent > SECONDS:
            return steps / spent
        rounds *= 2


def torch_steps(b: Batch) -> Callable[[int], int] | None:
    """Steps with actions that torch draws on the device, uniformly among the legal ones."""
    try:
        import torch
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    legal, count = torch.as_tensor(b.legal, device="cuda"), torch.as_tensor(b.legal_count, device="cuda")
    observation = torch.as_tensor(b.observation, device="cuda")
    assert observation.data_ptr() == b.observation.__cuda_array_interface__["data"][0], "torch has made a copy"

    def work(rounds: int) -> int:
        for _ in range(rounds):
            chosen = (torch.rand(b.n, device="cuda") * count).long()
            b.step(legal.gather(1, chosen[:, None])[:, 0].long())
        return rounds * b.n

    return work


def speeds(game: Game, players: int) -> dict[str, Any]:
    """The rates of one game."""
    b = batch(game, N, players=players, device="cuda")
    wait = b.wait
    began = time.perf_counter()
    b.reset()
    wait()
    spent = time.perf_counter() - began

    def play(observe: bool, steps: int = 50) -> Callable[[int], int]:
        def work(rounds: int) -> int:
            for _ in range(rounds):
                b.play_random(steps, observe)
            return rounds * steps * b.n

        return work

    stepping = torch_steps(b)
    return {
        "game": game.name,
        "players": players,
        "compile": spent,
        "steps": timed(stepping, wait) if stepping else 0.0,
        "random": timed(play(observe=False), wait),
        "observed": timed(play(observe=True), wait),
    }


def main() -> int:
    """Compare, measure, print, and keep what was asked for; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names or folders; default: every game and the example")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures in FILE")
    parser.add_argument("--write", action="store_true", help="write the part on batches on the GPU of bench/RESULTS.md")
    parser.add_argument("--sets", type=int, default=8, help="option sets compared for each player count")
    parser.add_argument("--compare-only", action="store_true", help="bit for bit, without the speeds")
    parser.add_argument("--speed-only", action="store_true", help="the speeds alone")
    asked = parser.parse_args()
    chosen = [get_game(name) for name in asked.games] or games()
    result: dict[str, Any] = {"machine": results.machine(PACKAGES) | {"gpu": gpu_name()}, "n": N, "agreement": [], "games": []}
    for game in chosen:
        for row in () if asked.speed_only else agreement(game, asked.sets):
            result["agreement"].append(row)
            print(json.dumps(row), flush=True)
        for players in () if asked.compare_only else sorted({game.players[0], game.players[-1]}):
            result["games"].append(speeds(game, players))
            print(json.dumps(result["games"][-1]), flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=1), "utf-8")
    print(results.environments_gpu_part(result))
    if asked.write:
        results.write("environments_gpu", results.environments_gpu_part(result))
    return 0 if all(row["equal"] for row in result["agreement"]) else 1


if __name__ == "__main__":
    sys.exit(main())
