"""Data of earlier versions."""

from __future__ import annotations

import sqlite3
from typing import Any

from perankh.web.storage import VERSION

from .conftest import Person


def test_bots_of_the_first_version_go_on_as_scribes(own_server: Any) -> None:
    red = Person(own_server)
    table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "scribe"}])
    own_server.kill()
    with sqlite3.connect(own_server.data / "perankh.db") as database:
        database.execute("UPDATE seats SET bot = 'greedy' WHERE bot = 'scribe'")
        database.execute("UPDATE schema SET version = 1")
    database.close()
    own_server.start()
    assert red.view(table)["players"][1]["bot"] == "scribe"
    with red.live(table) as live:
        live.move(0, "d")
        assert live.view(lambda view: view["number"] == 2)["moves"]
    with sqlite3.connect(own_server.data / "perankh.db") as database:
        assert database.execute("SELECT version FROM schema").fetchone() == (VERSION,)
    database.close()
