"""On a machine with a CUDA GPU: do CUDA and native agree bit for bit, how fast is each game, and how fast is pgx beside it.

The exit status is 1 if any game differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import peers
import results

from perankh.engine.game import Game, game_names, get_game
from perankh.engine.loops import DIGESTS, INVARIANTS, VIOLATION
from perankh.engine.simulate import LONGEST_GAME, option_sets
from perankh.envs import batch

CONNECT_FOUR = Path(__file__).parents[1] / "examples" / "connect_four"
PACKAGES = ("perankh", "numba", "numba-cuda", "numpy", "jax", "pgx")
BATCHES = (65_536, 262_144)
COMPARED = 1_000  # games compared for each player count and option set
KEYS = (7, 0, 0, 0)
LAUNCH = 0.3  # seconds a timed launch should take
PGX_BATCH, PGX_STEPS, PGX_ROUNDS = 65_536, 4_000, 5


def games() -> list[Game]:
    """Every game that can be found, and the example."""
    return [*(get_game(name) for name in game_names() if name != "connect_four"), get_game(CONNECT_FOUR)]


# --- Agreement --------------------------------------------------------------------------------------------------


def agreement(game: Game, sets: int) -> Iterator[dict[str, Any]]:
    """For each player count and option set: are the reports of the same games equal, digests of every state included?"""
    for players in game.players:
        for options in option_sets(game, players, sets):
            blank = game.blank(players, options)
            series = game.native.series(blank, KEYS, 5, LONGEST_GAME, INVARIANTS | DIGESTS)
            native = game.native.run(series, 0, COMPARED)
            cuda = game.cuda.run(series, COMPARED)
            wrong = np.flatnonzero((native != cuda).any(axis=1))
            violated = int((native[:, VIOLATION] != 0).sum())
            yield {
                "game": game.name,
                "players": players,
                "options": options,
                "equal": not len(wrong) and not violated,
                "different_games": len(wrong),
                "first_different": int(wrong[0]) if len(wrong) else None,
                "violations": violated,
            }


# --- Speed ------------------------------------------------------------------------------------------------------


def rate(game: Game, blank: Any, size: int) -> float:
    """Moves a second of launches long enough that starting them does not count."""
    series = game.native.series(blank, KEYS, 5)
    rough = game.cuda.moves_per_second(series, size, 100, repeats=1)
    moves = int(min(50_000, max(100, rough * LAUNCH / size)))
    return float(game.cuda.moves_per_second(series, size, moves))


def observed_rate(game: Game, size: int, steps: int) -> float:
    """Moves a second in a batch that writes every observation and every list of legal actions."""
    games = batch(game, size, device="cuda")
    games.reset()
    games.play_random(10, True)
    games.wait()
    began = time.perf_counter()
    games.play_random(steps, True)
    games.wait()
    return size * steps / (time.perf_counter() - began)


def beside_pgx(observed: bool) -> dict[str, Any] | None:
    """Connect Four here and in pgx, in turns; with the observations of every step, or without any."""
    # Without this JAX takes most of the memory of the GPU at once.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    try:
        import jax
        import pgx  # noqa: F401 - is it here?
    except ImportError as error:
        print(f"pgx is not measured: {error}")
        return None
    if jax.default_backend() == "cpu":
        print("pgx is not measured: JAX does not see the GPU")
        return None
    play = peers.pgx_connect_four(PGX_BATCH, PGX_STEPS, observed)
    game = get_game(CONNECT_FOUR)
    blank = game.blank(2)
    ours, theirs = [], []
    for _ in range(PGX_ROUNDS):
        ours.append(observed_rate(game, PGX_BATCH, PGX_STEPS) if observed else rate(game, blank, PGX_BATCH))
        began = time.perf_counter()
        made = play()
        theirs.append(made / (time.perf_counter() - began))
    return {
        "batch": PGX_BATCH,
        "observed": observed,
        "platform": jax.default_backend(),
        "ours": results.spread(ours),
        "rate": results.spread(theirs),
        "ratio": results.spread([our / their for our, their in zip(ours, theirs, strict=True)]),
    }


def gpu_name() -> str:
    """The GPU as its driver names it."""
    asked = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "a CUDA GPU"


def main() -> int:
    """Compare, measure, print, and keep what was asked for; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names or folders; default: every game and the example")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures in FILE")
    parser.add_argument("--write", action="store_true", help="write the GPU part of bench/RESULTS.md")
    parser.add_argument("--compare-only", action="store_true", help="bit for bit, without the speeds")
    parser.add_argument("--speed-only", action="store_true", help="the speeds alone, without pgx")
    parser.add_argument("--sets", type=int, default=24, help="option sets compared for each player count (24)")
    parser.add_argument("--pgx-only", action="store_true", help="Connect Four beside pgx alone")
    asked = parser.parse_args()
    result: dict[str, Any] = {"machine": results.machine(PACKAGES) | {"gpu": gpu_name()}, "compared": COMPARED}
    result |= {"batches": list(BATCHES), "agreement": [], "games": [], "pgx": []}
    chosen = [] if asked.pgx_only else [get_game(name) for name in asked.games] or games()
    for game in chosen:
        for row in () if asked.speed_only else agreement(game, asked.sets):
            result["agreement"].append(row)
            changed = {name: value for name, value in row["options"].items() if value != game.options[name].default}
            told = ", ".join(f"{name}={value}" for name, value in changed.items()) or "defaults"
            fault = f"DIFFERENT in {row['different_games']} games, {row['violations']} violations"
            print(f"{game.name}, {row['players']} players, {told}: {'equal' if row['equal'] else fault}", flush=True)
    if not asked.compare_only:
        for game in chosen:
            for players in sorted({game.players[0], game.players[-1]}):
                measured = {str(size): rate(game, game.blank(players), size) for size in BATCHES}
                result["games"].append({"game": game.name, "players": players, "rates": measured})
                told = ", ".join(f"{int(size):,} games {results.rate(r)}" for size, r in measured.items())
                print(f"{game.name}, {players} players: {told}", flush=True)
        for observed in () if asked.speed_only else (False, True):
            if pgx := beside_pgx(observed):
                result["pgx"].append(pgx)
                print(results.pgx_table(pgx), flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=1), "utf-8")
    if asked.write:
        results.write("gpu", results.gpu_part(result))
    wrong = sum(not row["equal"] for row in result["agreement"])
    print(
        f"verdict: {wrong} of {len(result['agreement'])} sets differ" if wrong else "verdict: CUDA and native agree bit for bit"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
