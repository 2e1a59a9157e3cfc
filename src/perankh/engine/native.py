"""The compiled runner: many random games in one machine-code loop, on all cores."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba.core import config as numba_config
from numba.core import event
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from perankh.engine import loops, parts
from perankh.engine.editions import PACKAGE
from perankh.engine.rule import is_rule
from perankh.engine.state import Record
from perankh.errors import BadGame

if TYPE_CHECKING:
    from perankh.engine.game import Game

KEPT_BUILDS = 4  # of each entry
KEPT_EDITIONS = 50  # whose machine code is kept
READY = "ready"  # the file that says that the machine code of an entry lies beside it
settings: Any = numba_config
_compile_lock = threading.RLock()


def cache_folder() -> Path:
    """Where machine code is kept: PERANKH_CACHE, or the user's cache folder."""
    if "PERANKH_CACHE" in os.environ:
        return Path(os.environ["PERANKH_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "perankh"


@cache
def machine_hash() -> str:
    """What machine code depends on beside its sources: the processor, the compiler and its settings.

    A cache folder may be shared by different machines, or come with an image that was made on another one.
    """
    facts = (
        sys.version,
        numba.__version__,
        parts.supported(),
        settings.OPT,
        settings.BOUNDSCHECK,
        *cpu_target.target_context.codegen().magic_tuple(),
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:8]


def build_folder(game: Game, entry: str, build: str) -> Path:
    """Where one build of an entry is kept."""
    return cache_folder() / game.package.rpartition(".")[2] / entry / build


class Entry:
    """A compiled function that Python calls, kept on disk in a folder named after all that its machine code is made from."""

    def __init__(self, game: Game, function: Any) -> None:
        self.translation = game.translation
        self.function = function
        layout = hashlib.sha256(repr(game.State.dtype.descr).encode()).hexdigest()[:8]
        build = f"{self.translation.fingerprint(function)}-{layout}-{machine_hash()}"
        self.folder = build_folder(game, function.__name__, build)
        self.dispatcher: Any = None
        self.loaded = False  # is the machine code in this process?

    def __call__(self, *arguments: Any) -> Any:
        if not self.loaded:
            with _compile_lock, kept_in(self.folder):
                if self.dispatcher is None:
                    self.dispatcher = self.translation.entry(self.function, self.folder / "entry.py")
                try:
                    result = self.dispatcher(*arguments)
                except NumbaError as error:
                    raise BadGame(one_line(error)) from error
                if self.folder.is_dir():
                    (self.folder / READY).touch()
                self.loaded = True
                return result
        return self.dispatcher(*arguments)

    @property
    def ready(self) -> bool:
        """Can it be called without waiting for the compiler?"""
        return self.loaded or (self.folder / READY).is_file()


def one_line(error: NumbaError) -> str:
    """A compiler's error as file, line and cause."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    causes = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in")]
    file, line = places[0] if places else ("", "")
    return f"{Path(file).name}:{line}: rules do not compile: {causes[0] if causes else type(error).__name__}"


def forget_oldest(folders: Iterable[Path], kept: int) -> None:
    """Delete all but those that were used last."""
    for old in sorted(folders, key=lambda path: path.stat().st_mtime, reverse=True)[kept:]:
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Point Numba's disk cache at a folder; of older builds, and of the editions used longest ago, a few are left."""
    package = folder.parent.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "entry.py").touch(exist_ok=True)
        for used in (folder, package):
            os.utime(used)
        forget_oldest(folder.parent.iterdir(), KEPT_BUILDS)
        if package.name.startswith(PACKAGE):
            forget_oldest(package.parent.glob(f"{PACKAGE}*"), KEPT_EDITIONS)
    except OSError:
        pass  # a read-only home: nothing is kept
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


class CompileProgress(event.Listener):
    """Counts the functions that Numba finishes compiling, for a bar a person can watch."""

    def __init__(self, report: Any) -> None:
        self.report = report
        self.done = 0

    def on_start(self, _: Any) -> None:
        pass

    def on_end(self, _: Any) -> None:
        self.done += 1
        self.report(self.done)


@contextmanager
def compiling(report: Any) -> Iterator[None]:
    """Tell `report` how many functions have been compiled, as they are."""
    with _compile_lock, event.install_listener("numba:compile", CompileProgress(report)):
        yield


class NativeRunner:
    """A game's loops as machine code. Everything releases the interpreter while it runs."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.play_games = Entry(game, loops.play_games)
        self.play_moves = Entry(game, loops.play_moves)
        self.begin = Entry(game, loops.begin)
        self.actors = Entry(game, loops.actors_of)
        self.legal = Entry(game, loops.legal_of)
        self.step = Entry(game, loops.step)
        self.veil = Entry(game, loops.veil_slot)
        self.redeal = Entry(game, loops.redeal_slot)
        self.observe = Entry(game, loops.observe_slot)

    def slots(self, count: int) -> tuple[Any, Any]:
        """An array of records and the bytes under it."""
        slots = np.zeros(count, self.game.State.dtype)
        return slots, slots.view(np.uint8).reshape(count, -1)

    def warm(self, report: Any = None) -> None:
        """Compile (or load from disk) the loop of random games; `report` is called with the number of functions compiled."""
        with _compile_lock:
            if self.play_games.loaded:
                return
            with compiling(report or (lambda _: None)):
                blank = self.game.blank(self.game.players[0])
                self.run(self.series(blank, (0, 0, 0, 0), 0), 0, 0)

    def function_count(self) -> int:
        """How many rules there are to compile, for a progress bar."""
        modules = [module for name, module in sys.modules.items() if name.startswith(f"{self.game.package}.rules")]
        return sum(is_rule(value) and value.__module__ == m.__name__ for m in [*modules, loops] for value in vars(m).values())

    def run(self, series: loops.Series, first: int, count: int) -> Any:
        """Play random games on the calling thread and return their reports, a row each."""
        slots, raw = self.slots(2)
        report = np.zeros((count, loops.REPORT), np.int64)
        space = loops.Space(slots, raw, np.zeros(self.game.actions, np.int16))
        self.play_games(space, series, first, count, report)
        return report

    def run_threads(self, series: loops.Series, count: int, threads: int, progress: Callable[[int], None]) -> Any:
        """The same on several threads, from the first game on; `progress` is called with the number of games done."""
        self.warm()
        piece = max(1, min(20_000, count // (threads * 8)))
        report = np.zeros((count, loops.REPORT), np.int64)
        with ThreadPoolExecutor(threads) as pool:
            jobs = {pool.submit(self.run, series, first, min(piece, count - first)): first for first in range(0, count, piece)}
            done = 0
            for job in as_completed(jobs):
                rows = job.result()
                report[jobs[job] : jobs[job] + len(rows)] = rows
                done += len(rows)
                progress(done)
        return report

    def series(self, blank: Record, keys: tuple[int, int, int, int], seed: int, limit: int = 0, watch: int = 0) -> loops.Series:
        """A series of games, ready for the compiled loops."""
        blanks = np.zeros(1, self.game.State.dtype)
        blank.pack(blanks[0])
        return loops.Series(blanks, np.array(keys, np.int64), seed, limit, watch)
