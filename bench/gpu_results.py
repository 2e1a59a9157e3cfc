"""Write the figures that bench/gpu_machine.sh has brought into bench/RESULTS.md."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import results
from gpu import games


def merged(folder: Path, compared: str, speeds: tuple[str, ...]) -> dict[str, Any]:
    """One result of the comparisons of all games and of the speeds, each from a file of its own."""
    parts = [json.loads((folder / f"{compared}-{game.name}.json").read_text("utf-8")) for game in games()]
    whole: dict[str, Any] = parts[0] | {"agreement": [row for part in parts for row in part["agreement"]]}
    for name in speeds:
        measured = json.loads((folder / f"speeds-{name}.json").read_text("utf-8"))
        whole |= {key: rows for key, rows in measured.items() if key in ("machine", "games", "pgx") and rows}
    whole["machine"]["command"] = "bench/gpu_machine.sh"
    return whole


def main() -> None:
    """Read the folder that is named, and write both parts."""
    folder = Path(sys.argv[1])
    try:
        moves, batches = merged(folder, "games", ("moves", "pgx")), merged(folder, "batches", ("batches",))
    except OSError as error:
        raise SystemExit(f"a part of the run is missing: {error}") from error
    results.write("gpu", results.gpu_part(moves))
    results.write("environments_gpu", results.environments_gpu_part(batches))


if __name__ == "__main__":
    main()
