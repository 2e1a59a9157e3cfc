"""What works without the modules and functions of POSIX systems, as on Windows: no Windows is at hand, so they are hidden."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .conftest import ROOT

HIDDEN = """
import asyncio, multiprocessing.forkserver, os, psutil, subprocess, sys, tempfile  # these know the system they were made for
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "uvloop"):
    sys.modules[name] = None
for name in ("O_CLOEXEC", "fork", "forkpty", "geteuid", "getloadavg", "getuid", "nice", "pwrite", "sched_getaffinity"):
    delattr(os, name)
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
