"""What works without the modules and functions of POSIX systems, as on Windows: no Windows is at hand, so they are hidden."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from .conftest import CONNECT_FOUR, ROOT
from .web.conftest import PATIENCE, Person

HIDDEN = """
import asyncio, multiprocessing.forkserver, multiprocessing.popen_spawn_posix
import os, psutil, select, signal, subprocess, sys, tempfile
# These know the system they were made for, and are loaded before anything is hidden.
from multiprocessing import connection, context, resource_tracker, synchronize
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "uvloop"):
    sys.modules[name] = None
for name in ("O_CLOEXEC", "fork", "forkpty", "geteuid", "getloadavg", "getuid", "nice", "pwrite", "sched_getaffinity"):
    delattr(os, name)
for name in ("SIGHUP", "SIGUSR1", "SIGALRM", "SIGCHLD", "setitimer"):  # multiprocessing itself needs SIGKILL here
    delattr(signal, name)
del select.poll
multiprocessing.get_all_start_methods = lambda: ["spawn"]
def add_signal_handler(*_):
    raise NotImplementedError
asyncio.SelectorEventLoop.add_signal_handler = add_signal_handler
"""


def run(code: str, cwd: Path) -> str:
    done = subprocess.run([sys.executable, "-c", HIDDEN + code], cwd=cwd, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_commands_and_server_need_can_be_imported(tmp_path: Path) -> None:
    code = """
import perankh.arena.cli, perankh.checks, perankh.cli, perankh.terminal, perankh.site.export
import perankh.web.app, perankh.web.preloaded, perankh.web.serve
print(perankh.web.serve.data_folder().name, perankh.cli.main(["games"]))
"""
    assert run(code, tmp_path).endswith("perankh 0\n")


def test_a_match_is_played_and_saved(tmp_path: Path) -> None:
    code = """
import perankh
m = perankh.new("mural", players=2, seed=1)
m.play(m.moves()[0])
m.save("match.perankh")
print(perankh.load("match.perankh").number)
"""
    assert run(code, tmp_path) == "1\n"


def test_tables_are_kept_backed_up_and_restored(tmp_path: Path) -> None:
    code = """
import types
sys.modules["msvcrt"] = types.SimpleNamespace(locking=lambda *_: None, LK_NBLCK=2)
from pathlib import Path
from perankh.cli import main
from perankh.web.storage import Storage
Storage(Path("data")).close()
done = [main(["backup", "--data", "data", "kept.db"]), main(["restore", "--data", "other", "kept.db"])]
print(done, Path("other/perankh.db").is_file())
"""
    assert run(code, tmp_path).endswith("[0, 0] True\n")


def test_the_lock_of_windows(tmp_path: Path) -> None:
    """The same bytes cannot be locked twice, and the number of the process that holds them can be read."""
    code = """
import types
taken = {}
def locking(file, kind, count):
    place = (os.fstat(file).st_ino, os.lseek(file, 0, os.SEEK_CUR))
    if taken.setdefault(place, file) != file:
        raise OSError("locked")
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
from pathlib import Path
from perankh.web.data import FileLock, InUse
held = FileLock(Path("perankh.db"))
assert list(taken)[0][1] > 1000
try:
    FileLock(Path("perankh.db"))
except InUse as error:
    print(f"process {os.getpid()} uses" in str(error))
held.release()
"""
    assert run(code, tmp_path) == "True\n"


def test_no_path_of_one_system_is_in_the_program() -> None:
    for path in (ROOT / "src" / "perankh").rglob("*.py"):
        if "docs" not in path.parts:
            assert '"/tmp' not in path.read_text("utf-8"), path


def test_a_server_with_spawned_workers_plays_against_a_bot(tmp_path: Path) -> None:
    """Worker processes are started anew instead of forked, pipes are waited for without poll, and loops know no signals."""
    code = """
import types
sys.modules["msvcrt"] = types.SimpleNamespace(locking=lambda *_: None, LK_NBLCK=2)
from perankh.cli import main
from perankh.workers import FORKED
assert not FORKED
sys.exit(main(["serve", "--port", "0", "--no-open", "--workers", "1", "--data", "data"]))
"""
    command = [sys.executable, "-u", "-c", HIDDEN + code]
    environment = {**os.environ, "PERANKH_GAMES": str(CONNECT_FOUR.parent)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8") as server:
        try:
            assert server.stdout
            line = next((line for line in server.stdout if "http://" in line), "")
            address = re.search(r"http://127\.0\.0\.1:\d+", line)
            assert address, "the server did not start"
            person = Person(SimpleNamespace(address=address[0]))
            table = person.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
            person.move(table, 0, "d")
            until = time.monotonic() + PATIENCE
            while person.view(table)["number"] < 2:
                assert time.monotonic() < until
                time.sleep(0.1)
        finally:
            server.terminate()
        assert server.wait(30) in (0, -15)


def test_a_machine_that_works_for_servers_is_told_to_stop(tmp_path: Path) -> None:
    code = """
from perankh.web.work import set_when_told_to_stop
async def main():
    stopping = asyncio.Event()
    set_when_told_to_stop(stopping)
    signal.raise_signal(signal.SIGTERM)
    await asyncio.wait_for(stopping.wait(), 10)
    print("stopped")
asyncio.run(main())
"""
    assert run(code, tmp_path) == "stopped\n"


@pytest.mark.parametrize(("chosen", "shown"), [("", "ナイルの壁画"), ("cp1252", "??????")])
def test_every_letter_can_be_printed(chosen: str, shown: str, tmp_path: Path) -> None:
    """Files and pipes of a Western Windows have its letters only; what is chosen by a variable stays."""
    code = f"""
import io
sys.stdout = io.TextIOWrapper(sys.stdout.buffer, "cp1252")
if {chosen!r}:
    os.environ["PYTHONIOENCODING"] = {chosen!r}
from perankh.cli import main
sys.exit(main(["games", "--lang", "ja"]))
"""
    assert shown in run(code, tmp_path)
