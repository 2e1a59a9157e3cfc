"""Moves a second on the CPU: every game at its speeds, and Connect Four against other libraries, side by side in one run."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import results
from tqdm import tqdm

from perankh.engine.game import game_names, get_game

HERE = Path(__file__).parent
CONNECT_FOUR = str(HERE.parent / "examples" / "connect_four")
SPEEDS = ("interpreted", "native")
PACKAGES = ("perankh", "numba", "numpy", "open_spiel", "pgx", "jax", "pettingzoo")

PEERS = {
    "openspiel_rollouts": (
        "OpenSpiel, C++ rollouts",
        "`RandomRolloutEvaluator`, all in C++; moves = games x measured mean length",
    ),
    "pgx": ("pgx on the CPU", "`jit` of a loop of `vmap`ped steps with auto reset, best of several batch sizes"),
    "openspiel_python": ("OpenSpiel, Python loop", "`legal_actions`, `apply_action`"),
    "pettingzoo": ("PettingZoo", "`connect_four_v3`, the loop of its manual"),
}


class Worker:
    """A contestant in a process of its own, with the package of `tree`. Idle between stints, so that rounds can take turns."""

    def __init__(self, core: int, name: str, argument: str = "", tree: Path = HERE.parent) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "peers.py"), str(core), name, argument],
            env={**os.environ, "PYTHONPATH": str(tree / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ready(self) -> str:
        """Wait until the contestant has imported and compiled; the reason why it cannot play, or an empty string."""
        try:
            self._answer()
        except EOFError as error:
            return str(error)
        return ""

    def stint(self, seconds: float) -> float:
        """Let it play; its moves a second."""
        assert self.process.stdin
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> Any:
        assert self.process.stdout
        assert self.process.stderr
        for line in self.process.stdout:
            # A library may greet on standard output; only our own lines are JSON.
            try:
                return json.loads(line)
            except json.JSONDecodeError:
                continue
        raise EOFError((self.process.stderr.read().strip().splitlines() or ["it ended without a word"])[-1])

    def close(self) -> None:
        """Send the contestant home."""
        self.process.communicate()


def kinds_of(names: list[str]) -> list[tuple[str, int]]:
    """What is measured: every game with the fewest and with the most players."""
    return [(name, players) for name in names for players in sorted({2, get_game(name).players[-1]})]


def measure_game(name: str, players: int, core: int, rounds: int, seconds: float, bar: Any) -> dict[str, Any]:
    """One game at its speeds."""
    workers = {speed: Worker(core, speed, f"{players} {name}") for speed in SPEEDS}
    for worker in workers.values():
        if why := worker.ready():
            raise SystemExit(f"{name}: {why}")
    measured: dict[str, list[float]] = {speed: [] for speed in SPEEDS}
    for _ in range(rounds):
        for speed in SPEEDS:
            measured[speed].append(workers[speed].stint(seconds))
            bar.update()
    for worker in workers.values():
        worker.close()
    return {"game": get_game(name).name, "players": players} | {speed: results.spread(measured[speed]) for speed in SPEEDS}


def measure_peers(core: int, rounds: int, seconds: float, bar: Any) -> dict[str, Any]:
    """Connect Four against the other libraries: in every round ours, a peer, ours, the next peer, ..."""
    ours, peers = Worker(core, "native", f"2 {CONNECT_FOUR}"), [Worker(core, peer) for peer in PEERS]
    if why := ours.ready():
        raise SystemExit(f"connect_four: {why}")
    missing = {worker.name: why for worker in peers if (why := worker.ready())}
    peers = [worker for worker in peers if worker.name not in missing]
    our_rates: list[float] = []
    found: dict[str, tuple[list[float], list[float]]] = {worker.name: ([], []) for worker in peers}
    for _ in range(rounds):
        for worker in peers:
            our_rate, peer_rate = ours.stint(seconds), worker.stint(seconds)
            our_rates.append(our_rate)
            found[worker.name][0].append(peer_rate)
            found[worker.name][1].append(our_rate / peer_rate)
            bar.update(2)
    for worker in [ours, *peers]:
        worker.close()
    return {
        "ours": results.spread(our_rates or [ours_alone(core, seconds)]),
        "peers": [
            {"name": PEERS[name][0], "how": PEERS[name][1], "rate": results.spread(peer), "ratio": results.spread(ratio)}
            for name, (peer, ratio) in found.items()
        ],
        "missing": [{"name": PEERS[name][0], "why": why} for name, why in missing.items()],
    }


def ours_alone(core: int, seconds: float) -> float:
    """Our rate where no peer is installed."""
    worker = Worker(core, "native", f"2 {CONNECT_FOUR}")
    worker.ready()
    rate = worker.stint(seconds)
    worker.close()
    return rate


def measure(rounds: int, seconds: float) -> dict[str, Any]:
    """The whole run."""
    core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else -1
    kinds = kinds_of([*(name for name in game_names() if name != "connect_four"), CONNECT_FOUR])
    result: dict[str, Any] = {
        "machine": results.machine(PACKAGES),
        "rounds": rounds,
        "seconds": seconds,
        "load": [results.load()],
    }
    with tqdm(
        total=rounds * (len(SPEEDS) * len(kinds) + 2 * len(PEERS)), desc="bench", unit="stint", leave=False, disable=None
    ) as bar:
        result["games"] = [measure_game(*kind, core, rounds, seconds, bar) for kind in kinds]
        result |= measure_peers(core, rounds, seconds, bar)
    result["load"].append(results.load())
    return result


def main() -> None:
    """Measure, print, and keep what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short rounds: rough figures in under a minute")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures in FILE")
    parser.add_argument("--write", action="store_true", help="write the CPU part of bench/RESULTS.md")
    asked = parser.parse_args()
    result = measure(3, 0.3) if asked.quick else measure(5, 0.3)
    print(results.cpu_part(result))
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=1), "utf-8")
    if asked.write:
        results.write("cpu", results.cpu_part(result))


if __name__ == "__main__":
    main()
