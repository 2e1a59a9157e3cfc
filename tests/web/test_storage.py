"""What happens when data are old, in use, locked, full, broken or readable by others."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from perankh.errors import PerankhError
from perankh.web.storage import Storage, Taken, Unavailable, insert_moves, insert_table, tables

from .conftest import Person, Server


@pytest.fixture
def logged_server(tmp_path: Path) -> Iterator[Any]:
    """A server of one's own whose log lines are in a file."""
    running = Server(tmp_path / "data")
    running.log = tmp_path / "log"
    yield running.start()
    running.kill()


@contextmanager
def database_of(server: Any) -> Iterator[sqlite3.Connection]:
    """The server's database, changed behind its back."""
    database = sqlite3.connect(server.data / "perankh.db")
    with database:
        yield database
    database.close()


# --- Failures ------------------------------------------------------------------------------------------------------------------


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Another process holds the database."""
    program = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN EXCLUSIVE'); "
    program += "print('locked', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", program, str(database)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout
    assert holder.stdin
    assert holder.stdout.readline() == b"locked\n"
    try:
        yield
    finally:
        holder.stdin.close()
        holder.wait(20)
        holder.stdout.close()


def move_everywhere(red: Person, found: list[str], code: str) -> list[int]:
    """Make the first move at many tables at the same moment; the statuses of the answers."""
    headers = {"Authorization": f"Bearer {red.token}"}

    def move(table: str) -> int:
        return red.http.post(f"/api/tables/{table}/moves", json={"number": 0, "code": code}, headers=headers).status_code

    with ThreadPoolExecutor(len(found)) as pool:
        return list(pool.map(move, found))


def test_a_locked_database_fails_all_who_wait_at_once(logged_server: Any) -> None:
    red = Person(logged_server)
    found = [red.table(seats=[{"kind": "me"}] * 2) for _ in range(12)]
    with locked(logged_server.data / "perankh.db"):
        began = time.monotonic()
        assert move_everywhere(red, found, "a") == [503] * 12
        assert time.monotonic() - began < 12  # one or two waits of two seconds; one wait for each would take 24
        assert red.view(found[0])["number"] == 0  # reads go on
    assert move_everywhere(red, found, "b") == [200] * 12
    lines = logged_server.log.read_text().splitlines()
    assert [line for line in lines if "failed: database is locked" in line], lines
    assert len(lines) <= 2
    assert all(line.startswith("storage: ") for line in lines)


def test_the_server_stops_soon_though_its_database_is_locked(logged_server: Any) -> None:
    red = Person(logged_server)
    found = [red.table(seats=[{"kind": "me"}] * 2) for _ in range(8)]
    with locked(logged_server.data / "perankh.db"):

        def move() -> None:
            with suppress(httpx.HTTPError):  # answered, or cut off by the end of the server
                move_everywhere(red, found, "a")

        moving = threading.Thread(target=move, daemon=True)
        moving.start()
        time.sleep(0.3)
        began = time.monotonic()
        logged_server.kill(signal.SIGTERM)
        assert time.monotonic() - began < 12  # about five seconds
        moving.join(20)


def test_a_full_disk_is_logged_and_answered(logged_server: Any) -> None:
    """The server may write no more: every write is refused, reads go on, and the log says so. With space again it goes on."""
    red = Person(logged_server)
    found = [red.table(seats=[{"kind": "me"}] * 2) for _ in range(6)]
    resource.prlimit(logged_server.process.pid, resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
    assert move_everywhere(red, found, "a") == [503] * 6
    answer = red.http.post("/api/tables", json={"game": "connect_four", "players": 2})
    assert answer.status_code == 503
    assert set(answer.json()["reason"]) == {"en", "ja"}
    assert red.view(found[0])["number"] == 0
    resource.prlimit(logged_server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert move_everywhere(red, found, "b") == [200] * 6
    log = logged_server.log.read_text()
    assert "storage: " in log
    assert "disk" in log
    assert "Traceback" not in log
    assert "INSERT" not in log
    assert len(log.splitlines()) <= 3


def facts(id: str) -> dict[str, Any]:
    """A row of the tables."""
    return {
        "id": id,
        "game": "g",
        "rules": 1,
        "components": "c",
        "players": 1,
        "options": "{}",
        "seed": "0",
        "readonly": 0,
        "number": 0,
        "acting": 1,
        "created": 0.0,
        "updated": 0.0,
    }


def together(storage: Storage, works: list[Any]) -> list[Any]:
    """The outcomes of writes that are in one batch."""

    async def run() -> list[Any]:
        free = threading.Event()
        first = asyncio.create_task(storage.write(lambda _: free.wait(20)))
        await asyncio.sleep(0.1)
        waiting = [asyncio.create_task(storage.write(work)) for work in works]
        await asyncio.sleep(0.1)
        free.set()
        await first
        return await asyncio.gather(*waiting, return_exceptions=True)

    with ThreadPoolExecutor(1) as thread:  # this one may have an event loop, of a browser
        return thread.submit(asyncio.run, run()).result()


def test_a_write_that_fails_by_its_own_fault_fails_alone(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    row = {"kind": "open", "owner": None, "bot": None, "name": ""}

    def table(id: str) -> Any:
        return lambda connection: insert_table(connection, facts(id), [row])

    def move(id: str) -> Any:
        return lambda connection: insert_moves(connection, id, 0, [(0, "a", 0.0, None)])

    assert together(storage, [table("one")]) == [None]
    outcomes = together(storage, [move("one"), move("one"), table("two"), table("two"), lambda _: 1 // 0, table("three")])
    assert [type(outcome) for outcome in outcomes] == [type(None), Taken, type(None), Unavailable, ZeroDivisionError, type(None)]
    with storage.engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(tables)) == 3
    storage.close()


# --- The lock ------------------------------------------------------------------------------------------------------------------


def serve(data: Any, **more: Any) -> subprocess.CompletedProcess[str]:
    """What `perankh serve` says if it does not start."""
    command = [sys.executable, "-m", "perankh.cli", "serve", "--no-open", "--port", "0", "--data", str(data)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **more)


def test_a_second_server_on_the_same_data_is_refused(own_server: Any) -> None:
    lock = own_server.data / "perankh.lock"
    done = serve(own_server.data)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"{lock}: process {own_server.process.pid} uses these data" in done.stderr
    with pytest.raises(PerankhError, match=str(lock)):
        Storage(f"sqlite+pysqlite:///{own_server.data}/perankh.db")
    red = Person(own_server)
    table = red.table(seats=[{"kind": "me"}] * 2)
    own_server.kill()
    assert lock.exists()  # left behind, and no hindrance
    own_server.start()
    assert red.view(table)["number"] == 0


def test_a_lock_is_free_again_after_closing(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    with pytest.raises(PerankhError, match="uses these data"):
        Storage(tmp_path)
    storage.close()
    Storage(tmp_path).close()


# --- Files ---------------------------------------------------------------------------------------------------------------------


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277])
def test_nobody_else_can_read_the_data(tmp_path: Path, umask: int) -> None:
    old = os.umask(umask)
    try:
        storage = Storage(tmp_path / "data")
        together(storage, [lambda _: None])
    finally:
        os.umask(old)
    found = modes(tmp_path / "data")
    assert found.pop("data") == 0o700
    assert set(found) == {"perankh.db", "perankh.db-wal", "perankh.db-shm", "perankh.lock"}
    assert set(found.values()) == {0o600}
    storage.close()


def test_files_that_others_could_read_are_tightened(own_server: Any) -> None:
    Person(own_server).table()
    own_server.kill()
    for path in own_server.data.iterdir():
        path.chmod(0o666)
    own_server.start()
    found = modes(own_server.data)
    found.pop(own_server.data.name)
    assert len(found) == 4
    assert set(found.values()) == {0o600}


def test_bad_data_are_refused_on_one_line(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("text")
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "perankh.db").write_text("this is no database " * 100)
    (tmp_path / "cut").mkdir()
    Storage(tmp_path / "cut").close()
    whole = (tmp_path / "cut" / "perankh.db").read_bytes()
    (tmp_path / "cut" / "perankh.db").write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "perankh.db").mkdir()
    bad = {
        str(file): "it is not a folder",
        str(file / "folder"): "Not a directory",
        "/proc/nothing/here": "No such file or directory",
        str(tmp_path / "text"): "file is not a database",
        str(tmp_path / "cut"): "malformed",
        str(tmp_path / "inside"): "Is a directory",
        str(tmp_path / ("x" * 300)): "File name too long",
        "postgresql://nobody:secret@127.0.0.1:1/none": "refused",
        "postgresql://host:port/name": "is not one like",
        "mysql://localhost/perankh": "PostgreSQL or SQLite",
        "sqlite://": "needs a file",
        "://": "is not one like",
    }
    for address, message in bad.items():
        with pytest.raises(PerankhError, match=message) as caught:
            Storage(address)
        assert "\n" not in str(caught.value)
        assert "secret" not in str(caught.value)
    done = serve(file)
    assert (done.returncode, done.stderr) == (2, f"perankh: {file}: cannot be used for data: it is not a folder\n")
