"""Data of earlier versions."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from perankh.table.storage import VERSION

from .conftest import Person

pytestmark = pytest.mark.xdist_group("table")


def test_bots_of_the_first_version_go_on_as_scribes(own_house: Any) -> None:
    red = Person(own_house)
    table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "scribe"}])
    own_house.kill()
    with sqlite3.connect(own_house.data / "perankh.db") as database:
        database.execute("UPDATE seats SET bot = 'greedy' WHERE bot = 'scribe'")
        database.execute("UPDATE schema SET version = 1")
    database.close()
    own_house.start()
    assert red.view(table)["players"][1]["bot"] == "scribe"
    with red.live(table) as live:
        live.move(0, "d")
        assert live.view(lambda view: view["number"] == 2)["moves"]
    with sqlite3.connect(own_house.data / "perankh.db") as database:
        assert database.execute("SELECT version FROM schema").fetchone() == (VERSION,)
    database.close()
