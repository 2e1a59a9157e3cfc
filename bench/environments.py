"""Steps a second of batches on one core: every game, and Connect Four beside other libraries, in turns in one run."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import results
from run import CONNECT_FOUR, Worker, kinds_of
from tqdm import tqdm

from perankh.engine.game import game_names, get_game

SIZES = (1, 64, 1024, 4096)
PACKAGES = ("perankh", "numba", "numpy", "open_spiel", "pgx", "jax", "pettingzoo")
# A library, what it is called, its number of games, and what of ours is beside it: beside one game at a time our usual size.
PEERS = [("pgx_steps", "pgx on the CPU", n, "batch_steps", f"{n} 2 {CONNECT_FOUR}") for n in SIZES] + [
    ("openspiel_tensors", "OpenSpiel from Python, with masks and tensors", 1, "batch_steps", f"1024 2 {CONNECT_FOUR}"),
    ("pettingzoo", "PettingZoo `connect_four_v3`", 1, "batch_steps", f"1024 2 {CONNECT_FOUR}"),
    ("pettingzoo", "PettingZoo `connect_four_v3`; ours is `pettingzoo_env`", 1, "pettingzoo_env", str(CONNECT_FOUR)),
]


def measure_game(name: str, players: int, core: int, rounds: int, seconds: float, bar: Any) -> dict[str, Any]:
    """A game with so many players, at every size."""
    found = {}
    for n in SIZES:
        worker = Worker(core, "batch_steps", f"{n} {players} {name}")
        if why := worker.ready():
            raise SystemExit(f"{name}: {why}")
        found[str(n)] = results.spread([worker.stint(seconds) for _ in range(rounds)])
        worker.close()
        bar.update()
    return {"game": get_game(name).name, "players": players, "rates": found}


def measure_peer(
    peer: str, shown: str, n: int, own: str, argument: str, core: int, rounds: int, seconds: float
) -> dict[str, Any]:
    """A library and ours in turns."""
    theirs = Worker(core, peer, str(n))
    if why := theirs.ready():
        return {"name": shown, "why": why}
    ours = Worker(core, own, argument)
    if why := ours.ready():
        raise SystemExit(f"connect_four: {why}")
    pairs = [(ours.stint(seconds), theirs.stint(seconds)) for _ in range(rounds)]
    ours.close()
    theirs.close()
    return {
        "name": shown,
        "n": n,
        "ours": results.spread([our for our, _ in pairs]),
        "rate": results.spread([their for _, their in pairs]),
        "ratio": results.spread([our / their for our, their in pairs]),
    }


def measure(names: list[str], rounds: int, seconds: float) -> dict[str, Any]:
    """The whole run."""
    core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else -1
    kinds = kinds_of(names)
    result: dict[str, Any] = {
        "machine": results.machine(PACKAGES),
        "rounds": rounds,
        "seconds": seconds,
        "sizes": SIZES,
        "load": [results.load()],
    }
    with tqdm(total=len(kinds) * len(SIZES) + len(PEERS), desc="bench", unit="batch", leave=False, disable=None) as bar:
        result["games"] = [measure_game(name, players, core, rounds, seconds, bar) for name, players in kinds]
        beside = []
        for peer in PEERS if "connect_four" in (get_game(name).name for name in names) else []:
            beside.append(measure_peer(*peer, core, rounds, seconds))
            bar.update()
    result["peers"] = [row for row in beside if "why" not in row]
    result["missing"] = [row for row in beside if "why" in row]
    result["load"].append(results.load())
    return result


def main() -> None:
    """Measure, print, and keep what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names or folders; default: every game and the example")
    parser.add_argument("--quick", action="store_true", help="short rounds: rough figures")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures in FILE")
    parser.add_argument("--write", action="store_true", help="write the part on batches of bench/RESULTS.md")
    asked = parser.parse_args()
    names = asked.games or [*(name for name in game_names() if name != "connect_four"), CONNECT_FOUR]
    result = measure(names, 3, 0.2) if asked.quick else measure(names, 5, 0.3)
    print(results.environments_part(result))
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=1), "utf-8")
    if asked.write:
        results.write("environments", results.environments_part(result))


if __name__ == "__main__":
    main()
