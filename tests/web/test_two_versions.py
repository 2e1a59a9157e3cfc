"""A rolling restart: a newer version brings the data up to date while an older server plays on, and both serve one table."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from perankh.web.data import address_of
from perankh.web.storage import VERSION

from ..forked import Program, finished
from . import newer_version
from .conftest import Person, Server
from .test_cluster import wait_until_ready


class NewerServer(Server):
    """A server of the next version."""

    def launch(self, arguments: list[str], environment: dict[str, str]) -> Any:
        return Program(newer_version.__file__, arguments, environment, files=(os.devnull, os.devnull, "/dev/stderr"))


def stored(database: str, query: str) -> list[Any]:
    engine = sa.create_engine(address_of(database))
    try:
        with engine.connect() as connection:
            return list(connection.execute(sa.text(query)).scalars())
    finally:
        engine.dispose()


@pytest.fixture
def older(database: str) -> Iterator[Any]:
    running = Server(database, workers=1, bot_pause=0, drain=1).start()
    wait_until_ready([running])
    yield running
    running.kill()


def test_an_older_server_plays_on_beside_a_newer_one(database: str, older: Any) -> None:
    red, yellow = Person(older), Person(older)
    table = red.table()
    yellow.sit(table)
    with_bot = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    for number, code in enumerate("abcdef"):  # statements that are run often are prepared by the driver from here on
        (red, yellow)[number % 2].move(table, number, code)
    newer = NewerServer(database, workers=1, bot_pause=0)
    with red.live(table) as live:
        live.view(lambda view: view["number"] == 6)
        newer.start()
        try:
            assert stored(database, "SELECT version FROM schema") == [VERSION + 1]
            wait_until_ready([older, newer])
            blue = Person(newer)
            blue.token = yellow.token
            assert red.move(table, 6, "g") == {"number": 6}  # at the older one
            assert blue.move(table, 7, "a") == {"number": 7}  # at the newer one
            assert live.view(lambda view: view["number"] == 8)["status"] == "playing"  # who looks at the older one sees it
            assert red.move(table, 8, "b") == {"number": 8}
            assert red.view(table)["scene"] == Person(newer).view(table)["scene"]
            for person in (red, blue):  # both set up tables, chat, leave and delete
                made = person.table()
                person.view(made)
                person.ask("POST", f"/api/tables/{made}/chat", {"text": "hello"})
                person.ask("DELETE", f"/api/tables/{made}")
            view = red.view(with_bot)
            red.move(with_bot, view["number"], view["moves"][0]["code"])
            with red.live(with_bot) as bots:
                bots.view(lambda view: view["number"] >= 2 and view["moves"])
            # The older one stops; whoever was there goes on at the newer one.
            older.process.send_signal(signal.SIGTERM)
            older.process.wait(30)
            assert blue.move(table, 9, "c") == {"number": 9}
        finally:
            newer.kill(signal.SIGTERM)
    assert stored(database, f"SELECT code FROM moves WHERE table_id = '{table}' ORDER BY number") == list("abcdefgabc")
    assert set(stored(database, "SELECT weather FROM moves")) == {7}


def test_an_older_server_does_not_start_on_newer_data(database: str) -> None:
    newer = NewerServer(database, workers=1).start()
    newer.kill(signal.SIGTERM)
    began = time.monotonic()
    ended = finished("perankh.cli", "serve", "--no-open", "--port", "0", "--data", database)
    assert ended.returncode != 0
    assert f"the data are of version {VERSION + 1}; this Per-Ankh knows up to {VERSION}: use a newer one" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1
    assert time.monotonic() - began < 110
