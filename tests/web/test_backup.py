"""Backups of a server that plays on, and what is restored from them, while it runs or not."""

from __future__ import annotations

import contextlib
import sqlite3
import stat
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from perankh.errors import PerankhError
from perankh.web import alert_storage, storage
from perankh.web.backup import backup, checked, restore
from perankh.web.storage import VERSION, Storage

from ..forked import finished
from .conftest import Person, Server
from .test_earlier_data import BEFORE_COMPANY


def run(*arguments: Any) -> subprocess.CompletedProcess[str]:
    """A command, as people run it."""
    return finished("perankh.cli", *map(str, arguments))


def rows(database: Path, statement: str) -> list[Any]:
    connection = sqlite3.connect(database)
    found = connection.execute(statement).fetchall()
    connection.close()
    return found


def test_a_backup_and_a_restore_while_people_play(own_server: Any, tmp_path: Path) -> None:
    """Moves go on during the backup. What is restored under the running server is what everybody sees, and plays on from."""
    red = Person(own_server)
    table = red.table(seats=[{"kind": "me", "name": "Aiko"}, {"kind": "me"}])
    for number, code in enumerate("abc"):
        red.move(table, number, code, seat=number % 2)
    busy = Person(own_server)
    end = threading.Event()

    def play_on() -> None:
        while not end.is_set():
            with contextlib.suppress(AssertionError, httpx.HTTPError):  # refused while all rows are replaced
                other = busy.table(seats=[{"kind": "me"}] * 2)
                for number, code in enumerate("ababab"):
                    busy.move(other, number, code, seat=number % 2)

    playing = threading.Thread(target=play_on)
    playing.start()
    try:
        file = tmp_path / "backup.db"
        done = run("backup", "--data", own_server.data, file)
        assert done.returncode == 0, done.stderr
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert list(tmp_path.glob(".*")) == []
        counts = checked(file)
        assert counts["tables"] > 0
        # One moment: each table has exactly the moves that it says it has.
        torn = "SELECT id FROM tables WHERE number != (SELECT count(*) FROM moves WHERE table_id = id)"
        assert rows(file, torn) == []

        red.move(table, 3, "d", seat=1)
        later = red.table(seats=[{"kind": "me"}] * 2)
        with red.live(table) as live:
            assert live.view()["number"] == 4
            with pytest.raises(PerankhError, match="--force"):
                restore(own_server.data, file, force=False)
            restored = run("restore", "--data", own_server.data, "--force", file)
            assert restored.returncode == 0, restored.stderr
            with pytest.raises(ConnectionClosed):
                live.until(lambda _: False)
        assert red.view(table)["number"] == 3
        assert red.view(table)["players"][0]["name"] == "Aiko"
        red.view(later, 404)
        red.move(table, 3, "g", seat=1)
    finally:
        end.set()
        playing.join(60)
    kept = next(own_server.data.glob("perankh-replaced-*.db"))
    assert str(kept) in restored.stdout
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert rows(kept, f"SELECT number FROM tables WHERE id = '{table}'") == [(4,)]
    assert rows(kept, torn) == rows(own_server.data / "perankh.db", torn) == []
    names = {path.name for path in own_server.data.iterdir()}
    assert names == {"perankh.db", "perankh.db-wal", "perankh.db-shm", "perankh.lock", kept.name}
    own_server.kill()
    own_server.start()
    assert red.view(table)["number"] == 4


def test_restore_without_a_server(own_server: Any, tmp_path: Path) -> None:
    red = Person(own_server)
    table = red.table(seats=[{"kind": "me"}] * 2)
    red.move(table, 0, "a", seat=0)
    own_server.kill()
    data, file = own_server.data, tmp_path / "backup.db"
    counts = backup(data, file)
    assert (counts["tables"], counts["moves"]) == (1, 1)
    with pytest.raises(PerankhError, match="there is such a file already"):
        backup(data, file)
    with pytest.raises(PerankhError, match="there are tables already; --force"):
        restore(data, file, force=False)
    (data / "perankh.db").write_bytes(b"the disk has lost this" * 1000)
    with pytest.raises(PerankhError, match="--force"):
        restore(data, file, force=False)
    restored, kept = restore(data, file, force=True)
    assert restored == counts
    assert kept
    assert kept.read_bytes().startswith(b"the disk has lost this")
    own_server.start()
    assert red.view(table)["number"] == 1
    assert restore(tmp_path / "new" / "folder", file, force=False) == (counts, None)
    assert stat.S_IMODE((tmp_path / "new" / "folder").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "new" / "folder" / "perankh.db").stat().st_mode) == 0o600
    moved = Server(tmp_path / "new" / "folder").start()
    try:
        there = Person(moved)
        there.token = red.token
        there.move(table, 1, "b", seat=1)
    finally:
        moved.kill()


def test_what_is_no_backup_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    Storage(data).close()
    good = tmp_path / "good.db"
    backup(data, good)
    text, cut, other, newer = (tmp_path / name for name in ("text", "cut", "other", "newer"))
    text.write_text("no database")
    cut.write_bytes(good.read_bytes()[:5000])
    with contextlib.closing(sqlite3.connect(other)) as database, database:
        database.execute("CREATE TABLE tables (id)")
    newer.write_bytes(good.read_bytes())
    with contextlib.closing(sqlite3.connect(newer)) as database, database:
        database.execute("UPDATE schema SET version = ?", [VERSION + 1])
    before = (data / "perankh.db").read_bytes()
    for path, message in {
        text: "is no backup",
        cut: "damaged",
        other: "is no backup",
        newer: "knows up to",
        tmp_path / "none": "No such file",
        tmp_path: "Is a directory",
    }.items():
        with pytest.raises(PerankhError, match=message):
            restore(data, path, force=True)
    assert (data / "perankh.db").read_bytes() == before
    with pytest.raises(PerankhError, match="there are no data"):
        backup(tmp_path / "nowhere", tmp_path / "b")
    with pytest.raises(PerankhError, match="cannot be written"):
        backup(data, tmp_path / "no" / "folder" / "b")
    assert not (tmp_path / "nowhere").exists()
    done = run("backup", "--data", tmp_path / "nowhere", tmp_path / "b")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


FIRST_VERSION = """
CREATE TABLE schema (version INTEGER NOT NULL);
CREATE TABLE tables (
    id VARCHAR(12) NOT NULL PRIMARY KEY, game VARCHAR(80) NOT NULL, rules INTEGER NOT NULL, components VARCHAR(64) NOT NULL,
    players INTEGER NOT NULL, options TEXT NOT NULL, seed VARCHAR(32) NOT NULL, clock TEXT, undo TEXT, next VARCHAR(12),
    readonly INTEGER NOT NULL, number INTEGER NOT NULL, acting INTEGER NOT NULL, created FLOAT NOT NULL, updated FLOAT NOT NULL
);
CREATE TABLE seats (
    table_id VARCHAR(12) NOT NULL REFERENCES tables (id), seat INTEGER NOT NULL, kind VARCHAR(8) NOT NULL, owner VARCHAR(64),
    bot VARCHAR(20), name VARCHAR(40) NOT NULL, PRIMARY KEY (table_id, seat)
);
CREATE INDEX seats_by_owner ON seats (owner);
CREATE TABLE moves (
    table_id VARCHAR(12) NOT NULL REFERENCES tables (id), number INTEGER NOT NULL, seat INTEGER NOT NULL,
    code VARCHAR(40) NOT NULL, stamp FLOAT NOT NULL, PRIMARY KEY (table_id, number)
);
INSERT INTO schema VALUES (1);
INSERT INTO tables VALUES ('abcdefghijkl', 'connect_four', 1, 'c', 2, '{}', '0123456789abcdef0123456789abcdef',
    NULL, NULL, NULL, 0, 1, 2, 1.5, 2.5);
INSERT INTO seats VALUES ('abcdefghijkl', 0, 'person', 'o', NULL, 'Aiko'), ('abcdefghijkl', 1, 'bot', NULL, 'greedy', '');
INSERT INTO moves VALUES ('abcdefghijkl', 0, 0, 'a', 2.5);
"""


def test_data_of_the_first_version(tmp_path: Path) -> None:
    """They can be copied before a newer server has changed them, and are brought up to date when they are restored."""
    old, file, new = tmp_path / "old", tmp_path / "backup.db", tmp_path / "new"
    old.mkdir()
    with contextlib.closing(sqlite3.connect(old / "perankh.db")) as database, database:
        database.executescript(FIRST_VERSION)
    assert backup(old, file) == {"schema": 1, "tables": 1, "seats": 2, "moves": 1}
    assert rows(file, "SELECT version FROM schema") == [(1,)]
    restore(new, file, force=False)
    assert rows(new / "perankh.db", "SELECT version FROM schema") == [(VERSION,)]
    assert rows(new / "perankh.db", "SELECT bot, name FROM seats ORDER BY seat") == [(None, "Aiko"), ("scribe", "")]
    Storage(new).close()


# --- PostgreSQL ----------------------------------------------------------------------------------------------------------------


def test_a_server_on_postgresql(database: str, tmp_path: Path) -> None:
    """Tables are played and kept there; they are not replaced under a server; a backup moves everything from SQLite and back."""
    first = Server(tmp_path / "data").start()
    red = Person(first)
    try:
        table = red.table(seats=[{"kind": "me", "name": "愛子"}, {"kind": "me"}], clock={"minutes": 5, "increment": 1})
        red.move(table, 0, "a", seat=0)
    finally:
        first.kill()
    file = tmp_path / "backup.db"
    counts = backup(tmp_path / "data", file)
    assert restore(database, file, force=False)[0] == counts
    second = Server(database)  # type: ignore[arg-type]
    second.log = tmp_path / "log"
    second.start()
    try:
        there = Person(second)
        there.token = red.token
        assert there.view(table)["players"][0]["name"] == "愛子"
        with there.live(table) as live:
            live.view()
            assert live.move(1, "b", 1)["type"] == "done"
            live.send(type="seen", number=1)
        there.ask("POST", f"/api/tables/{table}/chat", {"text": "こんにちは"})
        there.ask("PATCH", f"/api/tables/{table}/chat", {"mute": "*"})
        there.ask("PATCH", f"/api/tables/{table}", {"public": True, "password": "sesame"})
        assert there.ask("GET", "/api/public")[0]["password"]
        Storage(database).close()  # other servers may use them too
        with pytest.raises(PerankhError, match="a server uses these data"):
            restore(database, file, force=True)
        copy = tmp_path / "back.db"
        assert backup(database, copy)["moves"] == 2
        second.kill()
        second.start()  # its lock ended with it
        assert there.view(table)["number"] == 2
        assert there.view(table)["seen"] == 1
        assert there.ask("GET", f"/api/tables/{table}/chat")["muted"] == ["*"]
        lost = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid != pg_backend_pid() AND datname = 'postgres'"
        with psycopg.connect(database) as connection:
            connection.execute(lost)  # the database was started anew, say
        for _ in range(3):
            answer = there.http.get(f"/api/tables/{table}", headers={"Authorization": f"Bearer {there.token}"})
            assert answer.status_code in (200, 503)
        there.move(table, 2, "c", seat=0)
    finally:
        second.kill()
    assert restore(tmp_path / "home", copy, force=False)[0]["moves"] == 2
    home = Server(tmp_path / "home").start()
    try:
        back = Person(home)
        back.token = red.token
        assert back.view(table)["number"] == 2
        assert back.view(table)["players"][0]["name"] == "愛子"
    finally:
        home.kill()
    with psycopg.connect(database) as connection:
        for statement in (*BEFORE_COMPANY, "UPDATE schema SET version = 5"):
            connection.execute(statement)
    Storage(database).close()  # data of the version before are brought up to date
    counts, kept = restore(database, copy, force=True)
    assert counts["moves"] == 2
    assert kept
    assert checked(kept)["moves"] == 3


def test_alerts_are_stored_on_postgresql(database: str) -> None:
    """Every statement about alerts; their course is tested with SQLite."""
    kept, table = Storage(database), "abcdefghijkl"
    with kept.engine.connect() as connection:  # without a commit: nothing stays
        facts = {"id": table, "game": "mural", "rules": 1, "components": "", "players": 2, "options": "{}", "seed": "1"}
        facts |= {"readonly": 0, "number": 3, "acting": 2, "created": 0.0, "updated": 0.0}
        seats = [{"kind": "person", "owner": owner, "bot": None, "name": owner} for owner in ("ann", "bob")]
        storage.insert_table(connection, facts, seats)
        storage.insert_moves(connection, table, 0, [(seat, "a", 0.0, None) for seat in (0, 1, 0)])
        assert [alert_storage.key_of_server(connection, "test", made) for made in ("one", "two")] == ["one", "one"]
        channel = {"owner": "bob", "kind": "mail", "target": "bob@example.org", "origin": "", "lang": "en", "failures": 0}
        for id in ("first", "second"):  # the second replaces the first
            alert_storage.insert_channel(connection, channel | {"id": id, "secret": id, "confirmed": 0, "created": time.time()})
        assert [row.id for row in alert_storage.select_channels(connection, "bob")] == ["second"]
        alert_storage.update_channel(connection, "second", confirmed=1)
        assert alert_storage.owners(connection) == {"bob"}
        assert alert_storage.acting(connection) == {(table, "bob"): 3}
        for number, past in ((1, True), (3, False)):
            turn = alert_storage.Turn(table, "bob", number, None)
            alert_storage.put_turn(connection, turn)
            assert alert_storage.is_past(connection, turn) is past
            assert alert_storage.has_turn(connection, "bob", table, number)
        alert_storage.update_person(connection, "bob", {"kinds": "mail"})
        assert alert_storage.kinds_at(connection, "bob", table) == ["mail"]
        alert_storage.update_choice(connection, "bob", table, "")
        assert alert_storage.kinds_at(connection, "bob", table) == []
        message = alert_storage.Message("message", "second", table, 3, "turn", 1.0)
        alert_storage.insert_messages(connection, [message])
        message.attempts = 1
        assert alert_storage.update_message(connection, message)
        assert not alert_storage.update_message(connection, message)  # as another server would, later
        assert alert_storage.select_messages(connection) == [message]
        assert alert_storage.select_words(connection, table, "bob") == ("mural", ["ann"])
        alert_storage.delete_unconfirmed(connection)
        assert alert_storage.sits_at(connection, "bob", table)
        alert_storage.forget_person(connection, "bob")
        assert alert_storage.select_messages(connection) == alert_storage.select_turns(connection) == []
        assert alert_storage.owners(connection) == set()
    kept.close()
