"""Attack a real server and see whether it keeps its promises: python -m tests.attack [--short] [--only NAME] [--seed N]

While attacks are made, honest players play matches with hidden cards, and another visitor measures how long pages, moves and
bots take. The status is 1 if anything is wrong: an answer 5xx (503, which says that there is too much to do, is counted
apart), a fault in the server's log, a hidden card at somebody who may not know it, a visitor who waits ten times as long and
longer than a quarter of a second. Whoever waited ten times as long, however short that was, is named in a line of its own.
Addresses under 127.0.0.0/8 stand for different visitors, which needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from . import company, impostors, machine, visitors
from .canary import KINDS, Measuring, percentile
from .document import limits_table
from .files import FileAttack
from .frames import FrameAttack
from .honest import Honest
from .house import House
from .machine import TIMES_SLOWER
from .people import Broken
from .registry import ATTACKS
from .requests import RequestAttack
from .witness import Witness

RANDOM = ("frames", "requests", "files")
MODULES = (company, visitors, impostors, machine)  # their attacks list themselves
FELT = 0.25  # seconds: nobody minds what takes less


@dataclass
class Row:
    """One attack in the table of results."""

    name: str
    began: float
    ended: float
    figures: str
    faults: list[str]


@dataclass(frozen=True)
class Size:
    """How much is sent."""

    frames: int = 100_000
    sockets: int = 48
    requests: int = 20_000
    files: int = 5_000
    honest: int = 3
    quiet: float = 30.0  # seconds to measure before the attacks


SHORT = Size(frames=400, sockets=8, requests=400, files=200, honest=1, quiet=1.0)


class Run:
    """One run of the program against one server."""

    def __init__(self, house: House, size: Size, seed: int, short: bool) -> None:
        self.house = house
        self.size = size
        self.seed = seed
        self.short = short
        self.witness = Witness()
        self.rows: list[Row] = []
        self.honest = [Honest(house, self.witness, seed, n) for n in range(size.honest)]

    async def attack(self, names: list[str]) -> Measuring:
        """Measure in quiet, then make the attacks one after the other while honest people play."""
        canary = await asyncio.to_thread(Measuring, self.house, self.seed)
        if not self.short:
            os.nice(19)  # attackers have processors of their own; here they take what server and visitor leave
        began = time.monotonic()
        await asyncio.sleep(self.size.quiet)
        self.rows.append(Row("quiet", began, time.monotonic(), "", []))
        playing = [asyncio.create_task(honest.play()) for honest in self.honest]
        await asyncio.sleep(0.5)
        for name in names:
            await self.make(name)
        for honest in self.honest:
            honest.stopping = True
        done, late = await asyncio.wait(playing, timeout=180)
        faults = [f"an honest player: {task.exception()}" for task in done if task.exception()]
        faults += ["an honest match does not end"] * len(late)
        await asyncio.to_thread(canary.stop)
        moves, matches = sum(h.moves for h in self.honest), sum(h.matches for h in self.honest)
        self.rows.append(Row("honest players", began, began, f"{matches} matches, {moves} moves", faults))
        self.rows.append(Row("another visitor", began, began, "", canary.faults))
        return canary

    async def make(self, name: str) -> None:
        """Make one attack."""
        began = time.monotonic()
        tables = [honest.latest[0] for honest in self.honest if honest.latest]
        try:
            if name == "frames":
                frames = FrameAttack(self.house, self.witness, self.seed, self.size.frames, self.size.sockets)
                await frames.run(tables)
                figures = f"{frames.sent} frames, {frames.reconnects} connections ended; {frames.tally.text()}"
                faults = frames.tally.faults
            elif name == "requests":
                requests = RequestAttack(self.house, self.witness, self.seed, self.size.requests)
                await requests.run(tables)
                figures, faults = requests.figures(), requests.tally.faults
            elif name == "files":
                files = FileAttack(self.house, self.seed, self.size.files)
                await files.run()
                figures, faults = files.figures(), files.tally.faults
            else:
                attack = ATTACKS[name]
                figures, faults = await attack.make(self.house, self.seed), []
        except Broken as broken:
            figures, faults = "", [str(broken)]
        except Exception as error:
            figures, faults = "", [f"the attack itself failed: {type(error).__name__}: {error}"]
        self.rows.append(Row(name, began, time.monotonic(), figures, faults))
        print(f"{name}: {time.monotonic() - began:.1f} s {figures} {'; '.join(faults[:3])}", file=sys.stderr, flush=True)

    def check_latency(self, canary: Measuring) -> None:
        """Nobody else may wait ten times as long as in quiet, and longer than is felt; the shorter waits are listed."""
        quiet, longer = self.rows[0], []
        for row in self.rows:
            if row.ended == row.began:
                continue
            parts = []
            for what in KINDS:
                before = percentile(canary.between(what, quiet.began, quiet.ended), 0.95)
                during = percentile(canary.between(what, row.began, row.ended), 0.95)
                times = f" ({during / before:.1f} times)" if row is not quiet and before else ""
                parts.append(f"{what} {1000 * during:.0f} ms{times}")
                most = max(TIMES_SLOWER * before, 5.0 if self.short else FELT)
                if row is not quiet and before and during > TIMES_SLOWER * before:
                    longer.append(f"{what} {during / before:.1f} times during {row.name}")
                if row is not quiet and during > most:
                    row.faults.append(f"another visitor's {what} took {during:.2f} s, in quiet {before:.3f} s")
            row.figures += f"; visitor (p95): {', '.join(parts)}"
        self.rows.append(Row(f"waits above {TIMES_SLOWER:g} times", 0, 0, "; ".join(longer) or "none", []))


def names_for(given: argparse.Namespace) -> list[str]:
    """The attacks to make."""
    known = [*RANDOM, *ATTACKS]
    if given.only:
        names: list[str] = given.only.split(",")
        for name in names:
            if name not in known:
                raise SystemExit(f"there is no attack {name!r}; there are: {', '.join(known)}")
        return names
    return [name for name in known if not given.short or name in RANDOM or not ATTACKS[name].long]


def main() -> int:
    """Run the attacks and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a few hundred of everything, for everyday tests")
    parser.add_argument("--only", metavar="NAMES", help="only these attacks, separated by commas")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of everything random (default 1)")
    parser.add_argument("--frames", type=int, metavar="N", help="how many random frames")
    parser.add_argument("--requests", type=int, metavar="N", help="how many random requests")
    parser.add_argument("--files", type=int, metavar="N", help="how many mutated files")
    parser.add_argument("--limits", action="store_true", help="print the table of limits for docs/security.md")
    parser.add_argument("--list", action="store_true", help="print the attacks and what they do")
    given = parser.parse_args()
    if given.list:
        for name, attack in ATTACKS.items():
            print(f"{name:34} {attack.about}")
        return 0
    if given.limits:
        print(limits_table(), end="")
        return 0
    names = names_for(given)
    size = SHORT if given.short else Size()
    asked = {name: getattr(given, name) for name in RANDOM if getattr(given, name)}
    size = Size(**{**vars(size), **asked})
    with tempfile.TemporaryDirectory() as folder, House(Path(folder) / "house") as house:
        run = Run(house, size, given.seed, given.short)
        canary = asyncio.run(run.attack(names))
        took = house.stop()
        run.rows.append(Row("stopping the server", 0, 0, f"{took:.1f} s", [f"took {took:.0f} s"] if took > 15 else []))
        run.rows.append(Row("the server's log", 0, 0, "", house.faults()[:20]))
        run.check_latency(canary)
    run.witness.compare()
    witness = run.witness
    figures = f"{witness.received} views received, {witness.checked} different ones compared with other worlds"
    figures += f", {witness.unclear} of positions that were taken back"
    run.rows.append(Row("hidden cards", 0, 0, figures, witness.faults[:20]))
    return report(run.rows, given.seed)


def report(rows: list[Row], seed: int) -> int:
    """Print the table, and what failed; returns the exit status."""
    for row in rows:
        verdict = "FAILED" if row.faults else "ok"
        print(f"{verdict:7} {row.name:34} {max(0, row.ended - row.began):6.1f} s  {row.figures}")
    wrong = [row for row in rows if row.faults]
    for row in wrong:
        print(f"\n{row.name} (seed {seed}):")
        for fault in row.faults[:20]:
            print(f"  {fault}")
        if len(row.faults) > 20:
            print(f"  and {len(row.faults) - 20} more")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
