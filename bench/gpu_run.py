"""All figures of the GPU in one call, on a machine with a GPU and with what bench/carry.sh packs: python3 bench/gpu_run.py FOLDER

First every game in processes of its own, at the same time: kernels are compiled and compared with native code, bit for bit. Then
the speeds, one after the other, with the kernels loaded from disk, those first that are wanted most; at last the counters of the
GPU, if Nsight Compute is there. Every part has a time limit of its own, and `--minutes` is one for all of them. FOLDER gets
each figure as soon as it is measured. A second call with the same folder measures only what is missing, unless it gets `--again`.
`bench/gpu_results.py FOLDER` then writes bench/RESULTS.md. `--dry` tries all of it out without a GPU, in a minute.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from gpu import CONNECT_FOUR, games

BENCH = Path(__file__).parent
SETS = "2"  # option sets compared for each player count
COUNTED = ((("mural", 2), ("imhotep", 2), ("maqha", 4), ("egizia", 2), ("cleocatra", 2)), (("connect_four", 2),))
SECTIONS = ("LaunchStats", "Occupancy", "SchedulerStats", "WarpStateStats", "InstructionStats", "MemoryWorkloadAnalysis")
SKIPPED = 3  # launches before the one whose counters are read: the deal and two of random play


LEAST_SECONDS = 5.0  # that are left, or a part is not begun


class Part(NamedTuple):
    """A program with its time limit; those of a group run at the same time, as many as there are processors."""

    group: str
    name: str
    seconds: float
    command: list[str]


def program(name: str, *arguments: str) -> list[str]:
    """One of the programs of this folder."""
    return [sys.executable, str(BENCH / f"{name}.py"), *arguments]


def parts(folder: Path, dry: bool) -> list[Part]:
    """What is run, in this order."""
    found = []
    common = ["--resume", *(["--dry"] if dry else [])]
    for game in games():
        place = str(CONNECT_FOUR) if game.name == "connect_four" else game.name
        for kind, name in (("batches", "environments_gpu"), ("moves", "gpu")):
            kept = ["--json", str(folder / f"compared-{kind}-{game.name}.json")]
            command = program(name, place, "--compare-only", "--sets", SETS, *kept, *common)
            found.append(Part("compare", f"compared-{kind}-{game.name}", 270, command))
        command = program("gpu", place, "--speed-only", *common[1:])  # its figures count for nothing: others are at work
        found.append(Part("compare", f"compiled-{game.name}", 270, command))
    for name, seconds, command in (
        ("speeds-batches", 170, program("environments_gpu", "--speed-only")),
        ("speeds-moves", 80, program("gpu", "--speed-only")),
        ("speeds-pgx", 100, program("gpu", "--pgx-only")),
    ):
        found.append(Part(name, name, seconds, [*command, "--json", str(folder / f"{name}.json"), *common]))
    for observed, pairs in enumerate(COUNTED):
        for name, players in pairs:
            place = str(CONNECT_FOUR) if name == "connect_four" else name
            played = program("environments_gpu", place, "--profile", str(players), *common[1:])
            if observed:
                played.append("--observe")
            found.append(Part(f"counters-{name}", f"counters-{name}-{players}", 60, [*([] if dry else counters()), *played]))
    return found


def counters() -> list[str]:
    """Nsight Compute, as it looks at one launch of random play and prints all it counts as a table."""
    sections = [word for name in SECTIONS for word in ("--section", name)]
    return ["ncu", "--csv", "--page", "raw", *sections, "--kernel-name", "regex:run", "--launch-skip", str(SKIPPED), "-c", "1"]


def run(part: Part, folder: Path, end: float) -> str:
    """Run a part until its own time or that of all is over. Returns what became of it, with its seconds."""
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    environment["PYTHONPATH"] = os.pathsep.join([str(BENCH.parent / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    began = time.monotonic()
    seconds = min(part.seconds, end - began)
    if seconds < LEAST_SECONDS:
        return "no time left"
    with (folder / f"{part.name}.log").open("w", encoding="utf-8") as log:
        try:
            process = subprocess.Popen(
                part.command, stdout=log, stderr=subprocess.STDOUT, env=environment, cwd=BENCH.parent, start_new_session=True
            )
        except OSError as error:
            return f"not started: {error}"
        try:
            status = process.wait(seconds)
            what = "done" if status == 0 else f"failed with {status}"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with whatever it has started
            process.wait()
            what = "out of time"
    if what == "done":
        mark(part, folder).touch()
    return f"{what} after {time.monotonic() - began:.0f} s"


def mark(part: Part, folder: Path) -> Path:
    """The file that says that a part is done."""
    return folder / f"{part.name}.done"


def main() -> int:
    """Run all parts and say what became of them; 0 if all are done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the figures go")
    parser.add_argument("--minutes", type=float, default=9.6, help="the limit for all parts together (9.6)")
    parser.add_argument("--again", action="store_true", help="measure everything again")
    parser.add_argument("--dry", action="store_true", help="without a GPU, to try the programs out")
    asked = parser.parse_args()
    end = time.monotonic() + 60 * asked.minutes
    folder: Path = asked.folder.resolve()
    if asked.again:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    listed = parts(folder, asked.dry)
    for name in dict.fromkeys(part.group for part in listed):
        group = [part for part in listed if part.group == name and not mark(part, folder).exists()]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = {pool.submit(run, part, folder, end): part for part in group}
            for job in as_completed(jobs):
                print(f"{jobs[job].name}: {job.result()}", flush=True)
    undone = [part.name for part in listed if not mark(part, folder).exists()]
    print(f"not done: {', '.join(undone)}; call again with the same folder" if undone else "all is done")
    return 1 if undone else 0


if __name__ == "__main__":
    sys.exit(main())
