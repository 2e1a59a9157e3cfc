"""What happens when data are old, in use, locked, full, broken or readable by others."""

from __future__ import annotations

import asyncio
import os
import re
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
from perankh.web.analysis import insert_analysis, select_analysis
from perankh.web.data import InUse, lock_data
from perankh.web.standing import insert_result
from perankh.web.storage import (
    ALERTS,
    VERSION,
    Stale,
    Storage,
    Taken,
    Unavailable,
    analyses,
    change_table,
    close_tables,
    count_own,
    delete_moves,
    delete_tables,
    insert_holders,
    insert_moves,
    insert_table,
    metadata,
    results,
    schema,
    select_own,
    select_runs,
    select_table,
    tables,
    update_run,
    update_table,
    visits,
)
from perankh.web.visits import Visit, write_visit

from ..forked import finished
from .conftest import Person, Server, in_a_loop
from .test_earlier_data import BEFORE_COMPANY, TO_SECOND

BEFORE_ALERTS = tuple(f"DROP TABLE {table.name}" for table in ALERTS)


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
        assert move_everywhere(red, found, "a") == [503] * 12
        assert red.view(found[0])["number"] == 0  # reads go on
    assert move_everywhere(red, found, "b") == [200] * 12
    lines = logged_server.log.read_text().splitlines()
    assert [line for line in lines if "failed: database is locked" in line], lines
    assert len(lines) <= 2  # one or two waits of two seconds, not one for each
    assert [line for line in lines if not line.startswith("storage: ")] == []


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
        logged_server.kill(signal.SIGTERM)  # fails if this takes long
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


def test_a_write_that_fails_by_its_own_fault_fails_alone(any_data: str) -> None:
    storage = Storage(any_data)
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


def serve(data: Any) -> subprocess.CompletedProcess[str]:
    """What `perankh serve` says if it does not start."""
    return finished("perankh.cli", "serve", "--no-open", "--port", "0", "--data", str(data))


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


def test_a_folder_has_one_server_and_is_free_after_closing(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    with pytest.raises(PerankhError, match="uses these data"):
        Storage(tmp_path)
    storage.close()
    Storage(tmp_path).close()


def test_whoever_still_reads_after_closing_is_told_that_the_data_are_unavailable(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    storage.close()
    with pytest.raises(Unavailable):
        in_a_loop(storage.read(lambda connection: connection.scalar(sa.select(1))))


def test_what_is_found_out_about_a_table_that_is_deleted_meanwhile_is_dropped(
    any_data: str, caplog: pytest.LogCaptureFixture
) -> None:
    storage = Storage(any_data)
    row = {"kind": "open", "owner": None, "bot": None, "name": ""}
    together(storage, [lambda c: insert_table(c, facts("there"), [row])])

    def found(table: str) -> list[Any]:
        result = {"table_id": table, "number": 3, "places": "null", "ended": 1.0}
        return [
            lambda c: insert_analysis(c, table, 2, "{}"),
            lambda c: insert_result(c, result),
            lambda c: write_visit(c, table, "ann", Visit().row()),
        ]

    assert together(storage, found("there") + found("gone")) == [True, None, None, False, None, None]
    with storage.engine.connect() as connection:
        for kept in (analyses, results, visits):
            assert list(connection.execute(sa.select(kept.c.table_id)).scalars()) == ["there"]
    assert caplog.text == ""  # the storage has not failed
    storage.close()


def test_a_table_is_changed_by_whoever_knows_its_version(any_data: str) -> None:
    storage = Storage(any_data)
    row = {"kind": "open", "owner": None, "bot": None, "name": ""}
    together(storage, [lambda c: insert_table(c, facts("one"), [row])])
    writes = [lambda c, n=n: change_table(c, "one", 0, {"number": n}) for n in (1, 2, 3)]
    outcomes = together(storage, writes)
    assert [type(outcome) for outcome in outcomes] == [type(None), Stale, Stale]
    with storage.engine.connect() as connection:
        stored = select_table(connection, "one")
    assert stored
    assert (stored[0].number, stored[0].version) == (1, 1)
    storage.close()


def test_a_lock_of_postgresql_that_is_lost_is_taken_again_or_ends_all_writing(database: str) -> None:
    """The lock ends with its connection: when the database is restarted, or the network fails."""
    first = Storage(database)

    def lose_lock() -> None:
        with first.engine.connect() as connection:
            connection.execute(
                sa.text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid != pg_backend_pid()")
            )

    def keeps_lock() -> bool:
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, first.keeps_lock()).result()

    assert keeps_lock()
    lose_lock()
    assert keeps_lock()
    with pytest.raises(PerankhError, match="a server uses these data"):
        lock_data(first.engine)
    lose_lock()
    deadline = time.monotonic() + 60
    while True:
        try:
            alone = lock_data(first.engine)  # as `perankh restore` has it
            break
        except InUse:  # the connection has not ended yet
            assert time.monotonic() < deadline
    assert not keeps_lock()
    with pytest.raises(PerankhError, match="a backup is being restored"):
        Storage(database)
    alone.release()
    second = Storage(database)
    row = {"kind": "open", "owner": None, "bot": None, "name": ""}
    write = lambda connection: insert_table(connection, facts("one"), [row])  # noqa: E731
    assert [type(outcome) for outcome in together_lost(first, write)] == [Unavailable]
    assert together(second, [write]) == [None]
    first.close()
    second.close()


def together_lost(storage: Storage, work: Any) -> list[Any]:
    """The outcome of one write."""

    async def run() -> list[Any]:
        return await asyncio.gather(storage.write(work), return_exceptions=True)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, run()).result()


def test_moves_are_stored_read_taken_back_and_deleted(any_data: str) -> None:
    """What tables do with their rows, on both databases."""
    storage = Storage(any_data)
    row = {"kind": "person", "owner": "a" * 64, "bot": None, "name": "愛子"}
    made = [(0, "a", 1.5, None), (0, "b", 2.5, 0.25)]
    try:
        assert together(storage, [lambda c: insert_table(c, facts("one") | {"creator": "a" * 64}, [row])]) == [None]
        with pytest.raises(Taken):
            raise together(storage, [lambda c: insert_moves(c, "none", 0, made)])[0]  # there is no such table
        together(storage, [lambda c: insert_moves(c, "one", 0, made), lambda c: update_table(c, "one", {"number": 2})])
        together(storage, [lambda c: insert_holders(c, "one", [("a" * 64, 0)]), lambda c: insert_analysis(c, "one", 0, "{}")])
        together(storage, [lambda c: insert_analysis(c, "one", 0, "[]"), lambda c: update_run(c, "run", 3.0)])
        together(storage, [lambda c: update_run(c, "run", 4.0), lambda c: delete_moves(c, "one", 1)])
        with storage.engine.connect() as connection:
            stored = select_table(connection, "one")
            assert stored
            table, seats, moves, holders = stored
            assert (table.number, [seat.name for seat in seats], holders) == (2, ["愛子"], {("a" * 64, 0)})
            assert [tuple(move) for move in moves] == [(0, 0, "a", 1.5, None)]
            assert (select_analysis(connection, "one"), select_runs(connection)) == (["[]"], {"run": 4.0})
            assert [row.id for row in select_own(connection, "a" * 64, 5)[0]] == ["one"]
            assert (count_own(connection, "a" * 64), count_own(connection, "b" * 64)) == (1, 0)
        together(storage, [lambda c: close_tables(c, ["one", "two"])])
        with storage.engine.connect() as connection:
            closed = select_table(connection, "one")
            assert closed
            assert (closed[0].readonly, closed[0].acting) == (1, 0)
        together(storage, [lambda c: delete_tables(c, ["one"])])
        with storage.engine.connect() as connection:
            assert select_table(connection, "one") is None
            for other in metadata.sorted_tables:
                if "table_id" in other.c:
                    assert not connection.execute(sa.select(other)).all(), other.name
    finally:
        storage.close()


@pytest.mark.parametrize("first", [1, 5])
def test_data_of_earlier_versions_are_brought_up_to_date_step_by_step(any_data: str, first: int) -> None:
    """A database that ran through the migrations has the columns and indexes of a new one."""
    storage = Storage(any_data)
    fresh = shape(storage.engine)
    with storage.engine.execution_options(writes=True).begin() as connection:
        for statement in (*(TO_SECOND if first == 1 else BEFORE_COMPANY), *BEFORE_ALERTS):
            connection.execute(sa.text(statement))
        connection.execute(schema.update().values(version=first))
    storage.close()
    statements: list[tuple[str, Any]] = []
    sa.event.listen(sa.Engine, "before_cursor_execute", note := lambda *given: statements.append(given[2:4]))
    storage = Storage(any_data)
    sa.event.remove(sa.Engine, "before_cursor_execute", note)
    assert shape(storage.engine) == fresh
    shared = next(n for n, (text, values) in enumerate(statements) if text.startswith("UPDATE schema") and 11 in flat(values))
    changing = [text for text, _ in statements[shared:] if not text.lstrip().startswith(("SELECT", "PRAGMA", "UPDATE schema"))]
    assert changing
    assert all(ADDING.match(text.lstrip()) for text in changing), "servers of the version before may still run"
    with storage.engine.connect() as connection:
        assert connection.scalar(sa.select(schema.c.version)) == VERSION
    storage.close()


ADDING = re.compile(r"CREATE (TABLE|INDEX)|ALTER TABLE \w+ ADD COLUMN \w+ (?!.*NOT NULL(?! DEFAULT))")


def flat(values: Any) -> list[Any]:
    """The values of a statement, by name or by place."""
    return list(values.values()) if isinstance(values, dict) else list(values)


def shape(engine: sa.Engine) -> dict[str, Any]:
    """The columns and indexes of all tables of a database."""
    found = sa.inspect(engine)
    return {
        name: (
            sorted((column["name"], str(column["type"]).replace("DOUBLE PRECISION", "FLOAT"), column["nullable"])
                   for column in found.get_columns(name)),
            sorted(str(index["name"]) for index in found.get_indexes(name)),
        )
        for name in found.get_table_names()
    }  # fmt: skip


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
