"""On a machine with a CUDA GPU: do CUDA and native agree bit for bit, how fast is each game, and how fast is pgx beside it.

The exit status is 1 if any game differs. With `--json FILE`, the file is written anew after every figure, and `--resume` measures
only what is not in it. `--dry` is for trying the program out without a GPU: the processor plays, and few games.
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
from perankh.engine.loops import DIGESTS, INVARIANTS, MOVES, VIOLATION
from perankh.engine.simulate import LONGEST_GAME, option_sets
from perankh.envs import batch

CONNECT_FOUR = Path(__file__).parents[1] / "examples" / "connect_four"
PACKAGES = ("perankh", "numba", "numba-cuda", "numpy", "jax", "pgx")
BATCHES = (65_536, 262_144)
COMPARED = 1_000  # games compared for each player count and option set
KEYS = (7, 0, 0, 0)
LAUNCH = 0.3  # seconds a timed launch should take
PGX_BATCH, PGX_STEPS, PGX_ROUNDS = 65_536, 4_000, 5
DRY_BATCH, DRY_MOVES, DRY_COMPARED = 64, 50, 3
FIRST = ("mural", "imhotep", "maqha", "egizia", "cleocatra")  # the games whose figures are wanted most


def games() -> list[Game]:
    """Every game that can be found, and the example."""
    return [*(get_game(name) for name in game_names() if name != "connect_four"), get_game(CONNECT_FOUR)]


def kinds(chosen: list[Game]) -> list[tuple[Game, int]]:
    """Each game with the fewest players and with the most, those first whose figures are wanted most."""
    order = {name: k for k, name in enumerate(FIRST)}
    pairs = [(game, players) for game in chosen for players in sorted({game.players[0], game.players[-1]})]
    return sorted(pairs, key=lambda pair: order.get(pair[0].name, len(FIRST)))


class Processor:
    """Takes the place of a game's CUDA runner in a dry run."""

    def __init__(self, game: Game) -> None:
        self.native = game.native

    def run(self, series: Any, count: int) -> Any:
        """Play random games and return their reports."""
        return self.native.run(series, 0, count)

    def moves_per_second(self, series: Any, size: int, moves: int, repeats: int = 1) -> float:  # noqa: ARG002
        """The rate of some whole games."""
        began = time.perf_counter()
        made = self.native.run(series._replace(limit=LONGEST_GAME), 0, DRY_MOVES)[:, MOVES].sum()
        return float(made) / (time.perf_counter() - began)


# --- What was measured -------------------------------------------------------------------------------------------


class Kept:
    """The figures of a run, in a file that is written anew after each of them."""

    def __init__(self, path: Path | None, resume: bool, begun: dict[str, Any]) -> None:
        self.path = path
        self.result = begun
        if resume and path and path.exists():
            self.result = begun | json.loads(path.read_text("utf-8"))

    def has(self, chapter: str, **facts: Any) -> bool:
        """Was this measured already?"""
        return any(facts.items() <= row.items() for row in self.result[chapter])

    def add(self, chapter: str, row: dict[str, Any]) -> None:
        """Keep a figure."""
        self.result[chapter].append(row)
        if self.path:
            unfinished = self.path.with_suffix(".unfinished")
            unfinished.write_text(json.dumps(self.result, indent=1), "utf-8")
            unfinished.replace(self.path)


# --- Agreement --------------------------------------------------------------------------------------------------


def agreement(game: Game, sets: int, kept: Kept, dry: bool) -> Iterator[dict[str, Any]]:
    """For each player count and option set: are the reports of the same games equal, digests of every state included?"""
    gpu, compared = (Processor(game), DRY_COMPARED) if dry else (game.cuda, COMPARED)
    for players in game.players:
        for options in option_sets(game, players, sets):
            if kept.has("agreement", game=game.name, players=players, options=options):
                continue
            blank = game.blank(players, options)
            series = game.native.series(blank, KEYS, 5, LONGEST_GAME, INVARIANTS | DIGESTS)
            native = game.native.run(series, 0, compared)
            cuda = gpu.run(series, compared)
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


def rate(game: Game, blank: Any, size: int, dry: bool = False) -> float:
    """Moves a second of launches long enough that starting them does not count."""
    gpu: Any = Processor(game) if dry else game.cuda
    series = game.native.series(blank, KEYS, 5)
    rough = gpu.moves_per_second(series, size, 100, repeats=1)
    moves = int(min(50_000, max(100, rough * LAUNCH / size)))
    return float(gpu.moves_per_second(series, size, moves))


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
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures in FILE, each as soon as it is measured")
    parser.add_argument("--resume", action="store_true", help="measure only what is not in FILE")
    parser.add_argument("--write", action="store_true", help="write the GPU part of bench/RESULTS.md")
    parser.add_argument("--compare-only", action="store_true", help="bit for bit, without the speeds")
    parser.add_argument("--speed-only", action="store_true", help="the speeds alone, without pgx")
    parser.add_argument("--sets", type=int, default=24, help="option sets compared for each player count (24)")
    parser.add_argument("--pgx-only", action="store_true", help="Connect Four beside pgx alone")
    parser.add_argument("--dry", action="store_true", help="without a GPU, to try the program out")
    asked = parser.parse_args()
    sizes = [DRY_BATCH] if asked.dry else list(BATCHES)
    begun = {
        "machine": results.machine(PACKAGES) | {"gpu": gpu_name()},
        "dry": asked.dry,
        "compared": DRY_COMPARED if asked.dry else COMPARED,
    }
    kept = Kept(asked.json, asked.resume, begun | {"batches": sizes, "agreement": [], "games": [], "pgx": []})
    chosen = [] if asked.pgx_only else [get_game(name) for name in asked.games] or games()
    for game in chosen:
        for row in () if asked.speed_only else agreement(game, asked.sets, kept, asked.dry):
            kept.add("agreement", row)
            changed = {name: value for name, value in row["options"].items() if value != game.options[name].default}
            told = ", ".join(f"{name}={value}" for name, value in changed.items()) or "defaults"
            fault = f"DIFFERENT in {row['different_games']} games, {row['violations']} violations"
            print(f"{game.name}, {row['players']} players, {told}: {'equal' if row['equal'] else fault}", flush=True)
    for game, players in () if asked.compare_only else kinds(chosen):
        if not kept.has("games", game=game.name, players=players):
            measured = {str(size): rate(game, game.blank(players), size, asked.dry) for size in sizes}
            kept.add("games", {"game": game.name, "players": players, "rates": measured})
            told = ", ".join(f"{int(size):,} games {results.rate(r)}" for size, r in measured.items())
            print(f"{game.name}, {players} players: {told}", flush=True)
    for observed in () if asked.compare_only or asked.speed_only else (True, False):
        if not kept.has("pgx", observed=observed) and (pgx := beside_pgx(observed)):
            kept.add("pgx", pgx)
            print(results.pgx_table(pgx), flush=True)
    if asked.write:
        results.write("gpu", results.gpu_part(kept.result))
    sets = kept.result["agreement"]
    wrong = sum(not row["equal"] for row in sets)
    print(f"verdict: {wrong} of {len(sets)} sets differ" if wrong else f"verdict: {len(sets)} sets equal, bit for bit")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
