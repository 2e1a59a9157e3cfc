"""Write the figures that bench/gpu_run.py has brought into bench/RESULTS.md: python bench/gpu_results.py FOLDER

What is missing in the folder is named in the chapter; a chapter without any speed stays as it is. `--print` writes nothing.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from pathlib import Path
from typing import Any

import results
from environments_gpu import PROFILED_STEPS, N
from gpu import games, kinds

STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio")
WARP, SHOWN_STALLS = 32, 3


def read(path: Path) -> dict[str, Any]:
    """A file of figures; empty if it is not there."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def merged(folder: Path, compared: str, speeds: tuple[str, ...]) -> dict[str, Any]:
    """One result of the comparisons of all games and of the speeds, each from a file of its own, and what is missing."""
    whole: dict[str, Any] = {"agreement": [], "games": [], "pgx": [], "missing": []}
    for game in games():
        part = read(folder / f"compared-{compared}-{game.name}.json")
        whole = part | whole | {"agreement": whole["agreement"] + part.get("agreement", [])}
        if not (folder / f"compared-{compared}-{game.name}.done").exists():
            whole["missing"].append(f"some or all comparisons of {game.name}")
    for name in speeds:
        part = read(folder / f"{name}.json")
        whole |= {key: rows for key, rows in part.items() if rows and key not in ("agreement", "missing")}
    there = {(row["game"], row["players"]) for row in whole["games"]}
    whole["missing"] += [f"{game.name} with {players}" for game, players in kinds(games()) if (game.name, players) not in there]
    if "machine" in whole:
        whole["machine"]["command"] = "bench/gpu_run.py"
    return whole


def counters(folder: Path) -> list[dict[str, Any]]:
    """What the GPU has counted in one launch of random play, game by game."""
    found = []
    for path in sorted(folder.glob("counters-*.log")):
        lines = path.read_text("utf-8", "replace").splitlines()
        head = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), None)
        if head is None:
            continue
        rows = list(csv.DictReader(lines[head:]))
        if len(rows) < 2:  # the first one is of units
            continue
        _, game, players = path.stem.split("-")
        found.append({"game": game, "players": int(players), "observed": game == "connect_four"} | counted(rows[1]))
    return found


def counted(row: dict[str, str]) -> dict[str, Any]:
    """The counters that say what bounds a kernel, of all that were read."""
    values: dict[str, float] = {}
    for name, text in row.items():
        try:
            values[name] = float(text.replace(",", ""))
        except (AttributeError, ValueError):
            continue
    stalls = {found[1]: value for name, value in values.items() if (found := STALL.fullmatch(name))}
    stalls.pop("selected", None)
    whole = sum(stalls.values()) or 1
    most = sorted(stalls, key=lambda name: -stalls[name])[:SHOWN_STALLS]
    steps = N / WARP * PROFILED_STEPS
    return {
        "threads": values.get("smsp__thread_inst_executed_per_inst_executed.ratio"),
        "occupancy": values.get("sm__warps_active.avg.pct_of_peak_sustained_active"),
        "issued": values.get("smsp__issue_active.avg.per_cycle_active"),
        "instructions": values["smsp__inst_executed.sum"] / steps if "smsp__inst_executed.sum" in values else None,
        "registers": values.get("launch__registers_per_thread"),
        "stalls": {name: stalls[name] / whole for name in most},
    }


def main() -> None:
    """Read the folder that is named, and write or print both chapters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="what bench/gpu_run.py has filled")
    parser.add_argument("--print", action="store_true", help="print the chapters, write nothing")
    asked = parser.parse_args()
    if not asked.folder.is_dir():
        raise SystemExit(f"there is no folder {asked.folder}")
    moves = merged(asked.folder, "moves", ("speeds-moves", "speeds-pgx"))
    batches = merged(asked.folder, "batches", ("speeds-batches",)) | {"counters": counters(asked.folder)}
    if (moves.get("dry") or batches.get("dry")) and not asked.print:
        raise SystemExit("these are figures of a dry run: add --print to look at them")
    for name, result, chapter in (
        ("gpu", moves, results.gpu_part),
        ("environments_gpu", batches, results.environments_gpu_part),
    ):
        if not result["games"]:
            print(f"the chapter {name} stays as it is: no speed was measured")
        elif asked.print:
            print(chapter(result), end="\n\n")
        else:
            results.write(name, chapter(result))
            print(f"the chapter {name} is written" + "".join(f"; missing: {what}" for what in result["missing"]))


if __name__ == "__main__":
    main()
