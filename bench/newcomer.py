"""What a newcomer waits for: `python bench/newcomer.py dist/perankh-*.whl --write`.

An environment is made, the wheel is installed into it from the package index without a cache, the server is started, and a
browser opens the first page, begins a match and makes a move; then the README's example makes a first step of an environment.
Each part is measured in wall time and in processor time of everything that was started for it, but for the browser.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from results import described, load, machine, table, write

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
README_STEP = re.compile(r"^```python\n(from perankh\.envs.*?)^```$", re.MULTILINE | re.DOTALL)
GAME = "mural"


def processor_seconds(process: psutil.Process) -> float:
    """What a process and all it has started have used."""
    used = 0.0
    for one in (process, *process.children(recursive=True)):
        try:
            times = one.cpu_times()
        except psutil.NoSuchProcess:
            continue
        used += times.user + times.system + times.children_user + times.children_system
    return used


class Steps:
    """The parts, with the seconds of each."""

    def __init__(self) -> None:
        self.found: list[tuple[str, float, float]] = []

    @contextmanager
    def step(self, name: str, used: Callable[[], float]) -> Iterator[None]:
        """Measure what is done meanwhile; `used` says how much processor time was used so far."""
        began, before = time.perf_counter(), used()
        yield
        self.found.append((name, time.perf_counter() - began, used() - before))
        print(f"{name:32} {self.found[-1][1]:7.1f} s, {self.found[-1][2]:6.1f} s of processors", flush=True)

    def run(self, name: str, *command: str, cwd: Path, environment: dict[str, str]) -> None:
        """Measure a command."""

        def ended() -> float:
            times = os.times()
            return times.children_user + times.children_system

        with self.step(name, ended):
            subprocess.run(command, cwd=cwd, env=environment, check=True, stdout=subprocess.DEVNULL)


def first_move(steps: Steps, python: Path, cwd: Path, environment: dict[str, str]) -> None:
    """Start the server, and play in a browser until the first own move is made."""
    from tests.browser.tools import chromium, click_lit, wait_for_choice, window

    command = [str(python), "-u", "-m", "perankh"]
    settings = environment | {"PERANKH_PORT": "0", "PERANKH_NO_OPEN": "1", "PERANKH_DATA": str(cwd / "data")}
    with chromium() as browser:
        began = time.perf_counter()
        with subprocess.Popen(command, cwd=cwd, env=settings, stdout=subprocess.PIPE, text=True) as server:
            process = psutil.Process(server.pid)
            assert server.stdout
            try:
                line = next(line for line in server.stdout if "http://" in line)
                address = line[line.index("http://") :].split()[0].rstrip("/")
                steps.found.append(("start the server", time.perf_counter() - began, processor_seconds(process)))

                def used() -> float:
                    return processor_seconds(process)

                context = window(browser, address, pace="normal")
                page = context.new_page()
                with steps.step("first page", used):
                    page.goto("/")
                with steps.step("a table, until one can choose", used):
                    page.locator(f"[data-alone={GAME}]").click()
                    page.locator("dialog.offer [data-key=play]").click()
                    page.wait_for_url("**/t/*")
                    wait_for_choice(page)
                chance, moves = random.Random(1), page.locator("#when").get_attribute("max")
                with steps.step("first own move", used):
                    while page.locator("#when").get_attribute("max") == moves:
                        click_lit(page, chance)
                context.close()
            finally:
                server.terminate()


def measured(wheel: Path) -> dict[str, Any]:
    """All parts, one after the other, with nothing kept from before."""
    before, steps = load(), Steps()
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        python = folder / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        environment |= {"XDG_CACHE_HOME": str(folder / "cache"), "PIP_NO_CACHE_DIR": "1"}
        tools: dict[str, Any] = {"cwd": folder, "environment": environment}
        steps.run("make an environment", sys.executable, "-m", "venv", str(folder / "environment"), **tools)
        constraints = str(ROOT / "constraints.txt")
        install = (str(python), "-m", "pip", "install", "--quiet", "--constraint", constraints, str(wheel.resolve()))
        steps.run("download and install", *install, **tools)
        first_move(steps, python, folder, environment)
        (example,) = README_STEP.findall((ROOT / "README.md").read_text("utf-8"))
        steps.run("first step of an environment", str(python), "-c", example, **tools)
        size = sum(path.stat().st_size for path in (folder / "environment").rglob("*") if path.is_file())
    facts = machine(("perankh", "numba", "numpy", "fastapi"))
    return {"machine": facts, "steps": steps.found, "load": (before, load()), "installed": size, "wheel": wheel.stat().st_size}


def part(found: dict[str, Any]) -> str:
    """The chapter."""
    rows = [(name, f"{wall:.1f} s", f"{used:.1f} s") for name, wall, used in found["steps"]]
    before, after = found["load"]
    wheel, installed = f"{found['wheel'] / 1e6:.1f} MB", f"{found['installed'] / 1e6:.0f} MB"
    return f"""## A newcomer's first minutes

{described(found["machine"])} Load of the machine before and after: {before}, {after}.

The wheel has {wheel}, the environment with everything in it {installed}. Nothing is kept from before: no
downloads, no compiled code.

{table(("part", "wall", "processor time"), *rows)}
"""


def main() -> None:
    """Measure, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--write", action="store_true", help="write the chapter into RESULTS.md")
    options = parser.parse_args()
    found = measured(options.wheel)
    print(part(found))
    if options.write:
        write("newcomer", part(found))


if __name__ == "__main__":
    main()
