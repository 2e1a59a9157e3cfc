"""Programs of this project, started in a moment: forked from a process that has imported most of what they need."""

from __future__ import annotations

import gc
import importlib
import itertools
import multiprocessing.forkserver
import multiprocessing.util
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from perankh.web import catalog
from perankh.workers import CONTEXT, FORKED, preload

from .conftest import ROOT

for module in ("perankh.cli", "perankh.web.serve", "perankh.web.preloaded", __name__):
    preload(module)
gc.collect()
gc.freeze()  # as in perankh.web.preloaded: this module is the last that is loaded before servers are forked


class Program:
    """The `main` of a module, or a file, as a process with arguments. It is used as a `subprocess.Popen` is."""

    def __init__(
        self,
        program: str,
        arguments: Sequence[str],
        environment: Mapping[str, str] | None = None,
        cwd: Path = ROOT,
        files: tuple[str, str, str] = (os.devnull, os.devnull, os.devnull),
    ) -> None:
        """`files`: where standard input comes from, and where output and errors go (appended)."""
        given = (program, list(arguments), dict(os.environ if environment is None else environment), str(cwd), files)
        self.process = CONTEXT.Process(target=run, args=given)
        self.process.start()
        self.pid: int = self.process.pid

    def poll(self) -> int | None:
        """How the process ended; None while it runs."""
        code: int | None = self.process.exitcode
        return code

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end."""
        self.process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process."""
        self.send_signal(signal.SIGKILL)

    def first_line(self, out: Path, patience: float = 180.0) -> str:
        """What the program writes first into the file of its output; "" if it ends without a word."""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            ended = self.poll() is not None
            line, rest, _ = out.read_text("utf-8").partition("\n") if out.exists() else ("", "", "")
            if rest or ended:
                return line
            time.sleep(0.02)
        raise TimeoutError(f"{out} is empty after {patience:g} s")


def run(program: str, arguments: list[str], environment: dict[str, str], cwd: str, files: tuple[str, str, str]) -> None:
    """In the process: become the program."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    catalog.offered_games.cache_clear()  # by the environment of another process
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.stdout.flush()
    sys.stderr.flush()
    for number, (path, flags) in enumerate(zip(files, (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT | os.O_APPEND] * 2), strict=True)):
        opened = os.open(path, flags)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, mode, encoding="utf-8") for number, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    sys.argv = [program, *arguments]
    if FORKED:
        fork_workers_from_here()
    if program.endswith(".py"):
        runpy.run_path(program, run_name="__main__")
    else:
        sys.exit(importlib.import_module(program).main())


def fork_workers_from_here() -> None:
    """Have worker processes forked from a copy of this process: it has imported what they need, which takes seconds."""
    start = multiprocessing.util.spawnv_passfds
    multiprocessing.util.spawnv_passfds = copy_of_this  # type: ignore[assignment]
    multiprocessing.forkserver.ensure_running()
    multiprocessing.util.spawnv_passfds = start


def copy_of_this(path: str, arguments: list[str], passed: list[int]) -> int:
    """Run a program of Python in a copy of this process, as a new process with these files would."""
    if pid := os.fork():
        return pid
    try:
        kept = [2, *sorted(passed), os.sysconf("SC_OPEN_MAX")]
        for one, following in itertools.pairwise(kept):
            os.closerange(one + 1, following)
        exec(arguments[-1], {})
    finally:
        os._exit(0)


def finished(
    program: str, *arguments: str, typed: str = "", environment: Mapping[str, str] | None = None, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; its output and how it ended."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("in", "out", "errors")]
        files[0].write_text(typed, "utf-8")
        names: Any = tuple(map(str, files))
        code = Program(program, arguments, environment, cwd, names).wait()
        said, errors = (path.read_text("utf-8") if path.exists() else "" for path in files[1:])
    return subprocess.CompletedProcess([program, *arguments], code, said, errors)
