"""On a machine with a CUDA GPU: do batches there equal native ones bit for bit, and how many steps a second do they make.

The exit status is 1 if any array differs. Steps with actions from torch are measured if torch sees the GPU. With `--json FILE`
the file is written anew after every figure, and `--resume` measures only what is not in it. `--dry` is for trying the program out
without a GPU: native batches take the place of those on the GPU, with few games.
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
from gpu import Kept, games, gpu_name, kinds

from perankh.engine.game import Game, get_game
from perankh.engine.simulate import option_sets
from perankh.envs import Batch, batch

PACKAGES = ("perankh", "numba", "numba-cuda", "numpy", "torch")
N = 65_536  # games of a timed batch
COMPARED, STEPS = 64, 300  # games and steps compared for each player count and option set
BETWEEN = 40  # steps after which something else happens
SECONDS = 1.0  # that a measurement takes at least
DRY_N, DRY_SECONDS, DRY_COMPARED, DRY_STEPS = 64, 0.01, 2, 100
PROFILED, PROFILED_STEPS = 5, 20  # launches of random play, of which a profiler looks at one, and the steps of each
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


def compared(game: Game, players: int, options: list[dict[str, Any]], autoreset: str, dry: bool) -> dict[str, Any]:
    """Play the same random steps in both, with option sets in turn, one by one and in a compiled loop."""
    n = (DRY_COMPARED if dry else COMPARED) * len(options)
    native, cuda = (
        batch(game, n, players=players, options=options, seed=2**90, autoreset=autoreset, limit=STEPS // 2, device=device)
        for device in ("native", "native" if dry else "cuda")
    )
    native.reset()
    cuda.reset()
    wrong = difference(native, cuda)
    step = 0
    while step < (DRY_STEPS if dry else STEPS) and not wrong:
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
    if not wrong and not np.allclose(native.rollout([0, n - 1], 200), cuda.rollout([0, n - 1], 200)):
        wrong = "rollout"
    if not wrong and not np.array_equal(native.observe(1), cuda.runner.get(cuda.observe(1))):
        wrong = "observe"
    wrong = wrong or with_opponents(game, players, options, autoreset, dry)
    return {
        "game": game.name,
        "players": players,
        "sets": len(options),
        "autoreset": autoreset,
        "equal": not wrong,
        "wrong": wrong,
        "step": step,
    }


def with_opponents(game: Game, players: int, options: list[dict[str, Any]], autoreset: str, dry: bool) -> str:
    """The first array that differs where a learner in another seat of each game plays against random opponents."""
    common: dict[str, Any] = {"players": players, "options": options, "autoreset": autoreset, "limit": STEPS // 2}
    native, cuda = (
        batch(game, DRY_COMPARED * len(options), opponents="random", seat="random", device=device, **common)
        for device in ("native", "native" if dry else "cuda")
    )
    native.reset()
    cuda.reset()
    for _ in range(BETWEEN):
        actions = native.random_actions().copy()
        cuda.random_actions()  # so that opponents draw the same ones
        native.step(actions)
        cuda.step(actions)
        if wrong := difference(native, cuda):
            return f"opponents: {wrong}"
        if not np.array_equal(native.learner_reward, cuda.runner.get(cuda.learner_reward)):
            return "learner_reward"
    return ""


def agreement(game: Game, sets: int, kept: Kept, dry: bool) -> Iterator[dict[str, Any]]:
    """Every player count, with the option sets mixed in one batch, and every way of resetting."""
    for players in game.players:
        options = option_sets(game, players, sets)
        for autoreset in ("same_step", "next_step", "disabled") if players == game.players[0] else ("same_step",):
            if not kept.has("agreement", game=game.name, players=players, autoreset=autoreset):
                yield compared(game, players, options, autoreset, dry)


# --- Speed ------------------------------------------------------------------------------------------------------


def timed(work: Callable[[int], int], wait: Callable[[], None], seconds: float) -> float:
    """Steps a second; `work(k)` makes k rounds and returns its steps."""
    work(3)
    wait()
    rounds = 8
    while True:
        began = time.perf_counter()
        steps = work(rounds)
        wait()
        spent = time.perf_counter() - began
        if spent > seconds:
            return steps / spent
        rounds = max(2 * rounds, int(rounds * 1.1 * seconds / spent))


def torch_steps(b: Batch, device: str) -> Callable[[int], int] | None:
    """Steps with actions that torch draws on the device, uniformly among the legal ones."""
    try:
        import torch
    except ImportError:
        return None
    if device == "cuda" and not torch.cuda.is_available():
        return None
    legal, count = torch.as_tensor(b.legal, device=device), torch.as_tensor(b.legal_count, device=device)
    observation = torch.as_tensor(b.observation, device=device)
    assert observation.data_ptr() == address(b.observation), "torch has made a copy"

    def work(rounds: int) -> int:
        for _ in range(rounds):
            chosen = (torch.rand(b.n, device=device) * count).long()
            b.step(legal.gather(1, chosen[:, None])[:, 0].long())
        return rounds * b.n

    return work


def address(array: Any) -> int:
    """Where an array lies."""
    facts = getattr(array, "__cuda_array_interface__", None) or array.__array_interface__
    return int(facts["data"][0])


def speeds(game: Game, players: int, dry: bool) -> dict[str, Any]:
    """The rates of one game."""
    n, seconds, device = (DRY_N, DRY_SECONDS, "cpu") if dry else (N, SECONDS, "cuda")
    b = batch(game, n, players=players, device="native" if dry else "cuda")
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

    stepping = torch_steps(b, device)
    return {
        "game": game.name,
        "players": players,
        "compile": spent,
        "steps": timed(stepping, wait, seconds) if stepping else 0.0,
        "random": timed(play(observe=False), wait, seconds),
        "observed": timed(play(observe=True), wait, seconds),
    }


def profiled(game: Game, players: int, observe: bool, dry: bool) -> None:
    """Random play for a profiler: one launch that deals, and some more, each with the same work."""
    b = batch(game, DRY_N if dry else N, players=players, device="native" if dry else "cuda")
    b.reset()
    for _ in range(PROFILED):
        b.play_random(PROFILED_STEPS, observe)
    b.wait()


def main() -> int:
    """Compare, measure, print, and keep what was asked for; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names or folders; default: every game and the example")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures in FILE, each as soon as it is measured")
    parser.add_argument("--resume", action="store_true", help="measure only what is not in FILE")
    parser.add_argument("--write", action="store_true", help="write the part on batches on the GPU of bench/RESULTS.md")
    parser.add_argument("--sets", type=int, default=8, help="option sets compared for each player count")
    parser.add_argument("--compare-only", action="store_true", help="bit for bit, without the speeds")
    parser.add_argument("--speed-only", action="store_true", help="the speeds alone")
    parser.add_argument("--profile", type=int, metavar="PLAYERS", help="only play, for a profiler, with so many players")
    parser.add_argument("--observe", action="store_true", help="with --profile: write every observation")
    parser.add_argument("--dry", action="store_true", help="without a GPU, to try the program out")
    asked = parser.parse_args()
    chosen = [get_game(name) for name in asked.games] or games()
    if asked.profile:
        for game in chosen:
            profiled(game, asked.profile, asked.observe, asked.dry)
        return 0
    begun = {"machine": results.machine(PACKAGES) | {"gpu": gpu_name()}, "n": DRY_N if asked.dry else N, "dry": asked.dry}
    kept = Kept(asked.json, asked.resume, begun | {"agreement": [], "games": []})
    for game in chosen:
        for row in () if asked.speed_only else agreement(game, asked.sets, kept, asked.dry):
            kept.add("agreement", row)
            print(json.dumps(row), flush=True)
    for game, players in () if asked.compare_only else kinds(chosen):
        if not kept.has("games", game=game.name, players=players):
            row = speeds(game, players, asked.dry)
            kept.add("games", row)
            print(json.dumps(row), flush=True)
    print(results.environments_gpu_part(kept.result))
    if asked.write:
        results.write("environments_gpu", results.environments_gpu_part(kept.result))
    return 0 if all(row["equal"] for row in kept.result["agreement"]) else 1


if __name__ == "__main__":
    sys.exit(main())
