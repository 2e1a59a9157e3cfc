"""Stored rows that make no sense: the table shows its last sound position and says so, and nobody else notices."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import Person, Server

CLOCK = {"minutes": 9, "increment": 0}
NOBODY = {"what": "undo", "by": "", "asked_by": 5, "seat": 5, "number": 4}

# What is done to a table after the moves a b c d: a statement, and how many moves are still shown (None: no position at all).
DAMAGE = {
    "move missing": ("DELETE FROM moves WHERE table_id = ? AND number = 1", 1),
    "first move missing": ("DELETE FROM moves WHERE table_id = ? AND number = 0", 0),
    "last move missing": ("DELETE FROM moves WHERE table_id = ? AND number = 3", 3),
    "negative number": ("UPDATE moves SET number = -1 WHERE table_id = ? AND number = 2", 0),
    "no such seat": ("UPDATE moves SET seat = 7 WHERE table_id = ? AND number = 2", 2),
    "other seat": ("UPDATE moves SET seat = 1 WHERE table_id = ? AND number = 2", 2),
    "seat is text": ("UPDATE moves SET seat = 'x' WHERE table_id = ? AND number = 2", 2),
    "unknown code": ("UPDATE moves SET code = 'zz' WHERE table_id = ? AND number = 2", 2),
    "time is text": ("UPDATE moves SET stamp = 'x' WHERE table_id = ? AND number = 2", 2),
    "other length": ("UPDATE tables SET number = 9 WHERE id = ?", 4),
    "clock is no JSON": ("UPDATE tables SET clock = '{' WHERE id = ?", 4),
    "clock of another kind": ("UPDATE tables SET clock = '[1, 2]' WHERE id = ?", 4),
    "clock of one player": ("UPDATE tables SET clock = replace(clock, '[', '[1, ') WHERE id = ?", 4),
    "clock of texts": ("""UPDATE tables SET clock = '{"minutes": 1, "increment": 1, "left": ["a", "b"]}' WHERE id = ?""", 4),
    "request is no JSON": ("UPDATE tables SET request = 'yes' WHERE id = ?", 4),
    "request of nobody": (f"UPDATE tables SET request = '{json.dumps(NOBODY)}' WHERE id = ?", 4),
    "settings are no JSON": ("UPDATE tables SET settings = 'x' WHERE id = ?", 4),
    "notices are no list": ("UPDATE tables SET notices = '7' WHERE id = ?", 4),
    "seat missing": ("DELETE FROM seats WHERE table_id = ? AND seat = 1", 4),
    "seat of another kind": ("UPDATE seats SET kind = 'cat' WHERE table_id = ? AND seat = 1", 4),
    "unknown bot": ("UPDATE seats SET kind = 'bot', bot = 'cat' WHERE table_id = ? AND seat = 1", 4),
    "name of two lines": ("UPDATE seats SET name = 'a' || char(10) || 'b' WHERE table_id = ? AND seat = 1", 4),
    "options are no JSON": ("UPDATE tables SET options = '{' WHERE id = ?", None),
    "unknown option": ("""UPDATE tables SET options = '{"cat": 1}' WHERE id = ?""", None),
    "players": ("UPDATE tables SET players = 5 WHERE id = ?", None),
    "seed": ("UPDATE tables SET seed = 'x' WHERE id = ?", None),
}


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Person, dict[str, str]]]:
    """A server with one table for each kind of damage, one whose moves are not legal, and a sound one."""
    folder: Path = tmp_path_factory.mktemp("damaged")
    server = Server(folder / "data")
    server.log = folder / "log"
    server.start()
    red = Person(server)
    found = {}
    for name in (*DAMAGE, "illegal", "sound"):
        found[name] = red.table(seats=[{"kind": "me", "name": "Aiko"}, {"kind": "me"}], clock=CLOCK)
        for number, code in enumerate("aaaaaa" if name == "illegal" else "abcd"):
            red.move(found[name], number, code, seat=number % 2)
    server.kill()
    database = sqlite3.connect(server.data / "perankh.db")
    with database:
        for name, (statement, _) in DAMAGE.items():
            database.execute(statement, [found[name]])
        # A seventh stone on a column of six.
        database.execute("UPDATE tables SET number = 7 WHERE id = ?", [found["illegal"]])
        database.execute("INSERT INTO moves (table_id, number, seat, code, stamp) VALUES (?, 6, 0, 'a', 0)", [found["illegal"]])
    database.close()
    yield server.start(), red, found
    server.kill()


@pytest.mark.parametrize("name", [*DAMAGE, "illegal"])
def test_a_damaged_table_shows_its_last_sound_position(damaged: tuple[Any, Person, dict[str, str]], name: str) -> None:
    server, red, found = damaged
    table, shown = found[name], DAMAGE[name][1] if name in DAMAGE else 6
    page = red.http.get(f"/t/{table}?lang=ja")
    if shown is None:
        assert "damaged" in red.view(table, 409)["error"]
        assert page.status_code == 409
        assert "壊れています" in page.text
    else:
        view = red.view(table)
        assert (view["status"], view["number"], view["moves"], view["seed"]) == ("broken", shown, [], None)
        assert "damaged" in view["prompt"]
        assert "壊れています" in red.view(table, lang="ja")["prompt"]
        assert sum(sprite["id"].startswith("stone-") and sprite["y"] > 132 for sprite in view["scene"]["sprites"]) == shown
        assert page.status_code == 200
        for at in range(shown + 1):
            assert red.view(table, at=at)["at"] == at
        assert "damaged" in red.move(table, shown, "e", 409, seat=shown % 2)["error"]
        red.ask("POST", f"/api/tables/{table}/undo", {}, 409)
        red.ask("POST", f"/api/tables/{table}/seats", {}, 409)
        red.ask("PATCH", f"/api/tables/{table}/seats/0", {"name": "Ben"}, 409)
        red.ask("POST", f"/api/tables/{table}/hint", {}, 409)
        Person(server).view(table, 403, viewer=0)  # what was hidden stays so
        with red.live(table) as live:
            assert live.view()["status"] == "broken"
            assert live.move(shown, "e", shown % 2)["type"] == "refused"
        assert {own["id"]: own["status"] for own in red.ask("GET", "/api/tables")}[table] == "broken"
    lines = [line for line in server.log.read_text().splitlines() if table in line]
    assert lines
    assert "damaged" in lines[0]


def test_other_tables_go_on(damaged: tuple[Any, Person, dict[str, str]]) -> None:
    _, red, found = damaged
    assert red.view(found["sound"])["status"] == "playing"
    red.move(found["sound"], 4, "e", seat=0)
