"""What is stored about a person is listed, exported, and gone after "delete me"."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from perankh.match.file import parse
from perankh.web import ownership, personal, storage
from perankh.web.devices import insert_device
from perankh.web.identity import digest
from perankh.web.people import Me, ensure_person
from perankh.web.storage import Storage, metadata

from ..conftest import ROOT
from .conftest import Person, Server, counted
from .receivers import Receiver, Subscriber, wait_until

DOCUMENT = (ROOT / "docs" / "privacy.md").read_text("utf-8")
NAME = "Nefertari Unmistakable"


# --- The list ----------------------------------------------------------------------------------------------------------------


def test_the_document_lists_every_column() -> None:
    rows = re.findall(r"^\| (`\w+\.\w+`[^|]*) \|[^|]+\|[^|]+\|$", DOCUMENT, re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`(\w+\.\w+)`", row)]
    assert sorted(listed) == sorted(str(column) for table in metadata.tables.values() for column in table.c)


def test_every_column_with_a_person_is_registered() -> None:
    registered = [column for stored in personal.STORED for column in stored.columns]
    for table in metadata.tables.values():
        for column in table.c:
            refers = any(key.column is storage.persons.c.id for key in column.foreign_keys)
            if column.name in ("person", "owner", "creator") or refers:
                assert any(column is one for one in registered), f"{column}: add it to web/personal.py"
    for stored in personal.STORED:
        assert len(stored.columns) == 1 or (stored.erase and stored.move and not stored.exported), stored.name
        assert {column.name for column in stored.columns} & {"id", "person"} <= {*stored.secret}, stored.name


# --- Deleting ----------------------------------------------------------------------------------------------------------------


def everything(data: Path) -> dict[str, str]:
    """All values in which something is found, by table and column."""
    with closing(sqlite3.connect(data / "perankh.db")) as database:
        found = {}
        for table in metadata.tables.values():
            for column in table.c:
                values = database.execute(f"SELECT {column.name} FROM {table.name}").fetchall()
                found[str(column)] = " ".join(str(value) for (value,) in values)
        return found


def people_of(column: str, data: Path) -> str:
    """What stands in a column that names persons."""
    return everything(data)[column]


@pytest.fixture
def calling(tmp_path: Path, receiver: Receiver) -> Iterator[Any]:
    """A server of one's own that calls people by push."""
    running = Server(tmp_path / "data", alert_hosts=receiver.host).start()
    yield running
    running.kill()


def test_nothing_is_left_of_a_person(calling: Any, receiver: Receiver) -> None:
    own_server = calling
    me, phone, friend, third = (Person(own_server) for _ in range(4))
    me.ask("PATCH", "/api/me", {"name": NAME, "colour": "red"}, 200)
    me.ask("POST", "/api/me/recovery", status=201)
    phone.ask("POST", "/api/me/join", {"code": me.ask("POST", "/api/me/code", status=201)["code"]}, 200)
    me.ask("POST", "/api/editions", {"game": "mural", "name": NAME, "changes": {"turn.first_hand": 2}}, 201)
    bots = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    alone, theirs = me.table(seats=bots), friend.table()
    shared, lobby, over, left = (me.table() for _ in range(4))
    for table in (shared, over, left):
        friend.sit(table, name="Friend")
    third.sit(theirs)
    friend.sit(lobby, ready=False, name="Friend")
    for number, column in enumerate("abababa"):
        (friend if number % 2 else me).move(over, number, column)
    me.move(alone, 0, "a")
    me.move(shared, 0, "a")
    me.ask("PATCH", f"/api/tables/{shared}/seats/0", {"kind": "bot"}, 200)  # announcements with the name
    me.ask("PATCH", f"/api/tables/{shared}/seats/0", {"kind": "me"}, 200)
    me.ask("PATCH", f"/api/tables/{left}/seats/0", {"kind": "open"}, 200)
    third.ask("PATCH", f"/api/tables/{theirs}/seats/1", {"kind": "open"}, 200)
    me.ask("POST", f"/api/tables/{theirs}/requests", {"what": "join", "seat": 1, "name": NAME}, 200)
    subscription = Subscriber(receiver, "/push/me").subscription
    me.ask("POST", "/api/alerts/channels", {"kind": "push", "subscription": subscription}, 201)
    me.ask("PATCH", "/api/alerts", {"kinds": ["push"], "remind": 12}, 200)
    me.ask("PUT", f"/api/tables/{shared}/alerts", {"kinds": ["push"]}, 200)
    with me.live(shared, chat=1) as talking:
        talking.view()
        talking.send(type="say", text="Well met", name=NAME)
        talking.until(lambda frame: frame["type"] == "chat" and frame["messages"])
        talking.send(type="seen", number=1)
        talking.send(type="ping")
        talking.until(lambda frame: frame["type"] == "pong")
    me.ask("POST", "/api/me/code", status=201)  # which nobody uses
    counted(me)
    wait_until(lambda: people_of("visits.owner", own_server.data) and people_of("alert_turns.owner", own_server.data))
    marks = [NAME, *(digest(person.token) for person in (me, phone) if person.token)]
    before = everything(own_server.data)
    where = {column for column, text in before.items() if any(mark in text for mark in marks)}
    registered = {str(column) for stored in personal.STORED for column in stored.columns}
    names = {"persons.name", "seats.name", "tables.notices", "messages.name", "editions.name", "editions.content"}
    assert where == registered - {"passkeys.person", "presence.people"} | names | {
        "devices.id",
        "alert_channels.device",
    }  # nobody is elsewhere
    bytes_before = b"".join(path.read_bytes() for path in own_server.data.glob("perankh.db*"))
    assert all(mark.encode() in bytes_before for mark in marks)

    with friend.live(shared) as watched, phone.live(shared) as mine:
        assert mine.view()["own"] == [0]
        me.ask("DELETE", "/api/me", {"everything": False}, 422)
        me.ask("DELETE", "/api/me", {"everything": True}, 200)
        watched.view(lambda view: view["players"][0]["kind"] == "bot")  # the friend plays on undisturbed
        with pytest.raises(ConnectionClosed):
            mine.until(lambda frame: False)
    after = everything(own_server.data)
    assert {column for column, text in after.items() if any(mark in text for mark in marks)} == set()
    # Nor is it in what SQLite has freed, or in its journal.
    for path in own_server.data.glob("perankh.db*"):
        assert not any(mark.encode() in path.read_bytes() for mark in marks), path

    friend.view(alone, 404)
    view = friend.view(shared)
    seat = view["players"][0]
    assert (view["number"], seat["kind"], seat["bot"], seat["name"]) == (1, "bot", "scribe", "Scribe")
    assert [(notice["what"], notice["name"]) for notice in view["notices"]][-1] == ("left", "")
    friend.move(shared, 1, "b")
    assert friend.view(shared)["players"][0]["vacant"]  # others may ask for the seat
    assert [player["kind"] for player in friend.view(lobby)["players"]] == ["open", "me"]
    third.sit(lobby)
    friend.start(lobby)
    assert friend.view(lobby)["status"] == "playing"
    assert friend.view(theirs)["request"] is None
    assert friend.view(over)["status"] == "over"
    assert friend.view(over)["players"][0]["name"] == "Red"
    assert friend.view(left)["own"] == [1]
    # Whoever has an old token is somebody new, of whom nothing is known.
    for person in (me, phone):
        assert person.view(shared)["own"] == []
        assert person.ask("GET", "/api/tables") == []
        assert person.ask("GET", "/api/me")["name"] == ""
    own_server.kill()
    own_server.start()
    assert friend.view(shared)["own"] == [1]


# --- Both databases ----------------------------------------------------------------------------------------------------------


def table_row(id: str, **facts: Any) -> dict[str, Any]:
    usual = {"game": "connect_four", "rules": 1, "components": "", "players": 2, "options": "{}", "seed": f"{7:032x}"}
    return usual | {"id": id, "readonly": 0, "number": 0, "acting": 1, "created": 1.0, "updated": 1.0} | facts


def seat_rows(*owners: str | None) -> list[dict[str, Any]]:
    return [{"kind": "person" if owner else "bot", "owner": owner, "bot": None, "name": ""} for owner in owners]


def people_in(engine: sa.Engine) -> set[str]:
    """The tables in which the persons alpha and beta are found."""
    found = set()
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            text = str(connection.execute(sa.select(table)).all())
            found |= {f"{table.name} {person}" for person in ("alpha", "beta", "phone") if person in text}
    return found


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_moving_exporting_and_deleting_on_both_databases(kind: str, database: str, tmp_path: Path) -> None:
    kept = Storage(database if kind == "postgresql" else tmp_path)
    try:
        with kept.engine.execution_options(writes=True).begin() as connection:
            for person in ("alpha", "beta"):
                ensure_person(connection, Me(person, person, "Firefox"))
            insert_device(connection, "beta", "phone", "Chrome")
            key = {"public_key": "k", "sign_count": 2**32 - 1, "name": "Chrome", "created": 1.0}
            connection.execute(storage.passkeys.insert().values(id="key", person="beta", **key))
            connection.execute(storage.persons.update().where(storage.persons.c.id == "beta").values(name="Bo", recovery="r"))
            storage.insert_table(connection, table_row("solo"), seat_rows("alpha", None))
            asked = json.dumps({"what": "join", "by": "beta", "asked_by": None, "seat": 1, "number": 0, "name": "Bo"})
            storage.insert_table(connection, table_row("asked", request=asked), seat_rows("gamma", None))
            storage.insert_table(connection, table_row("both", acting=0), seat_rows("alpha", "beta"))
            storage.insert_holders(connection, "both", [("alpha", 0), ("beta", 1), ("beta", 0)])
            storage.insert_table(connection, table_row("running"), seat_rows("alpha", "gamma"))
            storage.insert_holders(connection, "running", [("alpha", 0)])
        with kept.engine.execution_options(writes=True).begin() as connection:
            assert ownership.shared_table(connection, "alpha", "beta") is None
            assert ownership.shared_table(connection, "alpha", "gamma") == "running"
            assert personal.export(connection, "beta")["person"] == [
                {"name": "Bo", "colour": "", "recovery_made": None, "created": pytest.approx(0, abs=1e10)}
            ]
            personal.move(connection, "beta", "alpha")
        of_alpha = {f"{table} alpha" for table in ("seats", "holders", "tables", "passkeys", "devices", "persons")}
        assert people_in(kept.engine) == of_alpha | {"devices beta", "devices phone"}
        with kept.engine.connect() as connection:
            row = connection.execute(sa.select(storage.persons)).one()
            assert (row.id, row.name, row.recovery) == ("alpha", "Bo", "r")
            assert len(personal.export(connection, "alpha")["devices"]) == 3
        with kept.engine.execution_options(writes=True).begin() as connection:
            personal.erase(connection, "alpha")
        assert people_in(kept.engine) == set()
        with kept.engine.connect() as connection:
            # Both persons at "both" were the same one in the end: nobody else ever sat there.
            assert set(connection.execute(sa.select(storage.tables.c.id)).scalars()) == {"asked", "running"}
            assert connection.execute(sa.select(storage.holders.c.owner)).scalars().all() == [ownership.GONE]
            assert connection.execute(sa.select(storage.tables.c.request)).scalars().all() == [None, None]
    finally:
        kept.close()


# --- Export ------------------------------------------------------------------------------------------------------------------


def test_the_export_holds_everything_of_mine(own_server: Any) -> None:
    me, friend = Person(own_server), Person(own_server)
    me.ask("PATCH", "/api/me", {"name": NAME, "colour": "red"}, 200)
    words = me.ask("POST", "/api/me/recovery", status=201)["words"]
    over, running, lobby, theirs = me.table(), me.table(game="mural"), me.table(), friend.table()
    for table in (over, running):
        friend.sit(table)
    for number, column in enumerate("abababa"):
        (friend if number % 2 else me).move(over, number, column)
    counted(me)
    headers = {"Authorization": f"Bearer {me.token}"}
    answer = me.http.post("/api/me/export", headers=headers)
    assert answer.headers["content-disposition"] == 'attachment; filename="perankh-me.zip"'
    packed = zipfile.ZipFile(io.BytesIO(answer.content))
    assert packed.testzip() is None
    index = json.loads(packed.read("perankh.json"))
    described = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", DOCUMENT.partition("## Export")[2], re.MULTILINE)
    assert set(re.findall(r"\w+", " ".join(described))) - {"reason"} == {*index, *index["matches"][0]}
    assert (index["format"], index["person"][0]["name"]) == ("perankh export 1", NAME)
    matches = {match["table"]: match for match in index["matches"]}
    assert set(matches) == {over, running, lobby}
    assert [seat["mine"] for seat in matches[over]["seats"]] == [True, False]
    assert (matches[over]["place"], matches[running]["place"]) == (1, None)
    match = parse(packed.read(matches[over]["file"]).decode(), game=ROOT / "examples" / "connect_four")
    assert match.over
    assert match.names[0] == NAME
    unfinished = packed.read(matches[running]["file"]).decode()
    assert "\nseed: " not in unfinished
    assert matches[lobby]["file"] is None
    whole = answer.content + packed.read("perankh.json")
    secrets = [me.token, digest(me.token or ""), *(" ".join(words[lang]) for lang in words)]
    assert not any(str(secret).encode() in whole for secret in secrets)
    assert theirs.encode() not in whole
