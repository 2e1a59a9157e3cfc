"""Data of earlier versions."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

from perankh.web.storage import SHARING, VERSION

from .conftest import Person

COMPANY = ("creator", "public", "password", "series", "resigned", "ended", "turn_since")
FEW = ("waiting", "running", "closed", "listed", "with_clock", "with_request", "counted", "to_archive", "by_updated", "by_next")
BEFORE_WORK = ("DROP TABLE machines", "DROP TABLE jobs", "DROP TABLE one_time_secrets", "ALTER TABLE servers DROP COLUMN offers")
BEFORE_ARCHIVES = (
    *BEFORE_WORK,
    "DROP TABLE archives",
    "DROP INDEX holders_by_owner",
    *(f"DROP INDEX tables_{name}" for name in FEW),
    "ALTER TABLE tables DROP COLUMN archived",
)
# Back to the fifth version, and from there to the second.
BEFORE_SHARING = (
    *(f"DROP TABLE {table.name}" for table in SHARING),
    *(f"ALTER TABLE tables DROP COLUMN {name}" for name in ("rewinds", "version")),
)
BEFORE_EDITIONS = ("DROP TABLE editions", "ALTER TABLE tables DROP COLUMN edition")
BEFORE_HOST = ("DROP INDEX tables_by_creator", "DROP TABLE bans", "DROP TABLE admin_changes")
BEFORE_COMPANY = (
    *BEFORE_ARCHIVES,
    *BEFORE_SHARING,
    *BEFORE_EDITIONS,
    *BEFORE_HOST,
    "DROP TABLE visits",
    "DROP TABLE messages",
    *(f"ALTER TABLE tables DROP COLUMN {name}" for name in COMPANY),
)
TO_SECOND = (
    *BEFORE_COMPANY,
    "ALTER TABLE tables DROP COLUMN deal",
    "ALTER TABLE tables DROP COLUMN hot_seat",
    "DROP TABLE holders",
    "DROP TABLE analyses",
    "DROP TABLE runs",
    *(f"ALTER TABLE tables DROP COLUMN {column}" for column in ("settings", "request", "notices")),
    "ALTER TABLE tables ADD COLUMN undo TEXT",
    "ALTER TABLE moves DROP COLUMN spent",
    *(f"DROP TABLE {table}" for table in ("passkeys", "devices", "persons", "results")),
    "UPDATE schema SET version = 2",
)


def go_back(server: Any, *statements: str) -> None:
    """Stop a server, turn its data into those of an earlier version, and start it again."""
    server.kill()
    with closing(sqlite3.connect(server.data / "perankh.db")) as database:
        for statement in (*TO_SECOND, *statements):
            database.execute(statement)
        database.commit()
    server.start()


def asked(server: Any, question: str, *values: Any) -> list[Any]:
    """Rows of a server's data."""
    with closing(sqlite3.connect(server.data / "perankh.db")) as database:
        return database.execute(question, values).fetchall()


def test_bots_of_the_first_version_go_on_as_scribes(own_server: Any) -> None:
    red = Person(own_server)
    table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "scribe"}])
    go_back(own_server, "UPDATE seats SET bot = 'greedy' WHERE bot = 'scribe'", "UPDATE schema SET version = 1")
    assert red.view(table)["players"][1]["bot"] == "scribe"
    with red.live(table) as live:
        live.move(0, "d")
        assert live.view(lambda view: view["number"] == 2)["moves"]
    assert asked(own_server, "SELECT version FROM schema") == [(VERSION,)]


def test_matches_of_the_second_version_go_on_and_tables_that_waited_are_dealt_anew(own_server: Any) -> None:
    red, yellow = Person(own_server), Person(own_server)
    running = red.table()
    yellow.sit(running)
    red.move(running, 0, "a")
    shared = red.table(seats=[{"kind": "me"}] * 2)
    left = red.table(seats=[{"kind": "me"}] * 2)
    red.move(left, 0, "a", seat=0)
    waiting = red.table(ready=False)
    before = red.view(running)
    go_back(
        own_server,
        f"UPDATE tables SET seed = '{7:032x}', acting = 1 WHERE id = '{waiting}'",  # it was dealt, and waited for somebody
        f"UPDATE seats SET kind = 'open', owner = NULL WHERE table_id = '{left}' AND seat = 1",
    )
    after = red.view(running)
    assert (after["status"], after["number"], after["seed_hash"], after["deal"]) == ("playing", 1, before["seed_hash"], None)
    yellow.move(running, 1, "b")
    assert red.view(shared)["hot_seat"]
    assert red.view(shared)["own"] == [0, 1]
    # Nobody sits down in the middle of a match: a bot goes on.
    assert red.view(left)["players"][1]["kind"] == "bot"
    yellow.sit(left, 409)
    view = red.view(waiting)
    assert (view["status"], view["scene"], view["own"]) == ("waiting", None, [0])
    assert asked(own_server, "SELECT seed FROM tables WHERE id = ?", waiting) == [("",)]
    yellow.sit(waiting)
    red.start(waiting)
    assert red.view(waiting)["status"] == "playing"
    assert asked(own_server, "SELECT seed FROM tables WHERE id = ?", waiting) != [(f"{7:032x}",)]


def test_somebody_of_the_fifth_version_is_a_person_with_one_device(own_server: Any) -> None:
    red, phone = Person(own_server), Person(own_server)
    table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    own_server.kill()
    with closing(sqlite3.connect(own_server.data / "perankh.db")) as database:
        for name in ("passkeys", "devices", "persons", "results"):
            database.execute(f"DROP TABLE {name}")
        for statement in BEFORE_COMPANY:
            database.execute(statement)
        database.execute("UPDATE schema SET version = 5")
        database.commit()
    own_server.start()
    assert red.view(table)["own"] == [0]  # by the same cookie as before
    code = red.ask("POST", "/api/me/code", status=201)["code"]
    phone.ask("POST", "/api/me/join", {"code": code}, 200)
    assert phone.view(table)["own"] == [0]
    assert len(red.ask("GET", "/api/me")["devices"]) == 2


def test_who_has_held_which_seat_is_kept(own_server: Any) -> None:
    red, yellow, late = (Person(own_server) for _ in range(3))
    table = red.table()
    yellow.sit(table)
    own = [red.view(table)["own"], yellow.view(table)["own"]]
    assert own == [[0], [1]]
    yellow.ask("PATCH", f"/api/tables/{table}/seats/1", {"kind": "open"}, 200)
    late.sit(table, 409)
    held = asked(own_server, "SELECT owner, seat FROM holders WHERE table_id = ? ORDER BY seat", table)
    assert [seat for _, seat in held] == [0, 1]
    assert len({owner for owner, _ in held}) == 2
