"""Ends rules that do not come to an end: interpreted ones by an exception, compiled ones with the process they run in."""

from __future__ import annotations

import ctypes
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from perankh.engine.game import Game, game_at, seed_of
from perankh.errors import PerankhError
from perankh.workers import WorkerPool, preload

LONGEST_MOVE = 20.0  # seconds that one interpreted rule, or the work of a check on one position, may take
LONGEST_SILENCE = 300.0  # seconds without progress that a compiled check may take; compiling is part of it
IDLE = 60.0  # seconds after which a worker process without a check ends
POLL = 0.2  # seconds between two looks


class EndlessRules(PerankhError):
    """A rule or a game does not come to an end."""


# --- Interpreted rules ----------------------------------------------------------------------------------------


class Hung(BaseException):
    """Raised by the watchdog in the thread it watches."""


def note(crash: Exception, where: str) -> None:
    """Add to an exception where it was met, unless it knows or says so itself."""
    if not isinstance(crash, PerankhError) and not hasattr(crash, "__notes__"):
        crash.add_note(where)


class Watchdog:
    """Watches the rule functions of a game that the current thread calls, and the positions that `walk` hands to a check."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.position = ""  # the position that a check works on; "" between positions
        self.left = ""  # the position that a check had worked on when it left the walk, if nothing has been done since
        self.doing: Callable[[], str] | None = None  # what is watched, in words; None while nothing is
        self.since = time.monotonic()
        self.found = ""  # what took too long
        self.stop = threading.Event()
        self.watched = threading.get_ident()

    def expect(self, position: str) -> None:
        """Work on a position begins: the time runs anew. "": it is over."""
        self.position, self.left = position, "" if position else self.position
        self.doing, self.since = (lambda: position) if position else None, time.monotonic()

    def call(self, game: Game, name: str, function: Any, s: Any, *arguments: Any) -> Any:
        """Call a rule function and watch it."""
        described = partial(self.described, game, name, s, arguments)
        self.doing, self.since = described, time.monotonic()
        try:
            result = function(s, *arguments)
        except Exception as crash:
            note(crash, f"in {described()}")
            raise
        self.expect(self.position)
        return result

    def described(self, game: Game, name: str, s: Any, arguments: tuple[Any, ...]) -> str:
        """A call in words: players, options, seed and move, as far as they are known."""
        facts = [f"{key} {value}" for key, value in zip(("seat", "action"), arguments, strict=False) if isinstance(value, int)]
        where = self.position or f"{s.players} players, {game.shown_options(s) or 'default options'}, seed {seed_of(s)}"
        return f"{name}{' of ' if facts else ''}{', '.join(facts)} ({where})"

    def watch(self) -> None:
        """Wait for the end, or for something that takes too long."""
        while not self.stop.wait(POLL):
            doing = self.doing
            if doing and time.monotonic() - self.since > self.seconds:
                self.found = doing()
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.watched), ctypes.py_object(Hung))
                return


_watchdog: Watchdog | None = None


def expect(position: str) -> None:
    """Tell the watchdog, if there is one, which position a check works on; "" if on none."""
    if _watchdog:
        _watchdog.expect(position)


@contextmanager
def watching(game: Game) -> Iterator[None]:
    """Fail with EndlessRules if a rule function of the game, or the work on one position, takes too long."""
    global _watchdog
    dog = _watchdog = Watchdog(LONGEST_MOVE)
    functions = dict(game.functions)
    game.functions.update({name: partial(dog.call, game, name, function) for name, function in functions.items()})
    thread = threading.Thread(target=dog.watch, daemon=True)
    thread.start()
    try:
        try:
            yield
        except Exception as crash:
            if where := dog.position or dog.left:
                note(crash, f"with {where}")
            raise
        finally:
            dog.stop.set()
            thread.join()
            game.functions.update(functions)
            _watchdog = None
    except Hung:
        raise EndlessRules(f"not at its end after {dog.seconds:g} s: {dog.found}") from None


# --- Compiled rules -------------------------------------------------------------------------------------------


_pool: tuple[WorkerPool, dict[str, str]] | None = None


def worker() -> WorkerPool:
    """The worker process for compiled checks, kept for the next: it has the machine code loaded."""
    global _pool
    settings = {name: value for name, value in os.environ.items() if name.startswith(("PERANKH_", "NUMBA_"))}
    if _pool and _pool[1] != settings:
        _pool[0].shutdown()
    if not _pool or _pool[0].closed:
        preload(__name__)
        _pool = WorkerPool(idle=IDLE), settings
    return _pool[0]


def in_worker(check: Any, game: Game, effort: float, progress: Callable[[float], None]) -> str:
    """Run a check in a worker process, which is killed if the check makes no progress for too long."""
    pool = worker()
    with tempfile.TemporaryDirectory() as folder:
        share = Path(folder) / "share"
        job = pool.submit(run_here, check, game.place, effort, str(share))
        known, since = "", time.monotonic()
        while True:
            try:
                return job.result(POLL)
            except NotYet:
                if job.done():
                    raise
            now = share.read_text() if share.is_file() else ""
            if now and now != known:
                known, since = now, time.monotonic()
                progress(float(now.partition(" ")[0]))
            if time.monotonic() - since > LONGEST_SILENCE:
                pool.shutdown()
                raise EndlessRules(f"no progress for {LONGEST_SILENCE:g} s: a rule does not end, or the machine is too slow")


def run_here(check: Any, place: str, effort: float, path: str) -> str:
    """In the worker process: run a check, and write the share that is done into a file, with the time as a sign of life."""
    share = Path(path)
    last = 0.0

    def progress(done: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > POLL:
            last = now
            share.with_suffix(".new").write_text(f"{done} {now}")
            with suppress(PermissionError):  # Windows: the file is being read
                share.with_suffix(".new").replace(share)

    game = game_at(place)
    with watching(game):
        found: str = check(game, effort, progress)
    return found
