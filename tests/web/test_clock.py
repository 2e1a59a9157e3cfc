"""Clocks: on the server's own time, through restarts; what happens when somebody's time runs out."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

from perankh.match.forfeits import places
from perankh.web.clock import Clock
from perankh.web.tables import ALIVE_EVERY

from .conftest import Person, Server
from .test_earlier_data import BEFORE_COMPANY
from .test_votes import ask, change, kinds, vote

DOWN = 1.0  # seconds in which no server runs


def two(server: Any, **wanted: Any) -> tuple[Person, Person, str]:
    """Two people at a table with a clock of a minute, ready to play."""
    red, yellow = Person(server), Person(server)
    table = red.table(
        **{"clock": {"minutes": 1, "increment": 0}, "seats": [{"kind": "me", "name": "Aiko"}, {"kind": "open"}]} | wanted
    )
    yellow.sit(table, name="Ben")
    return red, yellow, table


def clocks(view: Any) -> list[float]:
    return [player["clock"] for player in view["players"]]


def rows(server: Any, query: str) -> list[Any]:
    """What is stored."""
    database = sqlite3.connect(server.data / "perankh.db")
    try:
        return database.execute(query).fetchall()
    finally:
        database.close()


def leave_seconds(server: Any, seat: int, seconds: float) -> None:
    """Have a seat begin the next run of the server with only so many seconds."""
    server.kill()
    with sqlite3.connect(server.data / "perankh.db") as database:
        (text,) = database.execute("SELECT clock FROM tables").fetchone()
        clock = json.loads(text)
        clock["left"][seat], clock["since"] = seconds, None
        database.execute("UPDATE tables SET clock = ?", [json.dumps(clock)])
    database.close()
    server.start()


# --- Time -----------------------------------------------------------------------------------------------------------------------


def test_the_clock_runs_for_whoever_decides_and_every_move_keeps_its_time(own_server: Any) -> None:
    red = Person(own_server)
    table = red.table(clock={"minutes": 1, "increment": 30})
    time.sleep(0.3)
    assert clocks(red.view(table)) == [60.0, 60.0]
    yellow = Person(own_server)
    yellow.sit(table)
    time.sleep(1.1)
    red.move(table, 0, "a")
    time.sleep(0.6)
    yellow.move(table, 1, "b")
    first, second = clocks(red.view(table))
    assert 60 < first < 89
    assert 60 < second < 89.5
    (one,), (two,) = rows(own_server, "SELECT spent FROM moves ORDER BY number")
    assert 1.1 <= one < 29
    assert 0.6 <= two < 29
    assert abs(60 + 30 - two - second) < 0.1


def test_time_in_which_no_server_runs_does_not_count(own_server: Any) -> None:
    red, _, table = two(own_server)
    alive: set[float] = set()
    deadline = time.monotonic() + 40
    while len(alive) < 3:  # the server has twice stored again that it is alive
        assert time.monotonic() < deadline
        time.sleep(0.2)
        alive |= {row[0] for row in rows(own_server, "SELECT alive FROM runs")}
    before = clocks(red.view(table))[0]
    own_server.kill()
    ((last,),) = rows(own_server, "SELECT alive FROM runs")
    clock = json.loads(rows(own_server, "SELECT clock FROM tables")[0][0])
    counted = clock["left"][0] - (last - clock["since"])
    assert before - 1 < counted < before + ALIVE_EVERY + 5  # a killed server forgets no more than this
    time.sleep(DOWN)
    started = time.monotonic()  # a server that starts may count
    own_server.start()
    after = clocks(red.view(table))[0]
    assert counted - (time.monotonic() - started) <= after <= counted + 0.1


def test_a_stopped_server_forgets_nothing(own_server: Any) -> None:
    red, _, table = two(own_server)
    time.sleep(1.5)
    before, when = clocks(red.view(table))[0], time.monotonic()
    own_server.kill(signal.SIGTERM)
    stopped = time.monotonic()
    time.sleep(DOWN)
    started = time.monotonic()
    own_server.start()
    after = clocks(red.view(table))[0]
    assert before - (stopped - when) - (time.monotonic() - started) <= after <= before


def test_the_clock_runs_on_while_the_table_is_not_in_memory(tmp_path: Path) -> None:
    server = Server(tmp_path, idle=0.1).start()
    try:
        begin = time.monotonic()
        red, _, table = two(server)
        time.sleep(3)
        assert clocks(red.view(table))[0] <= 60 - 2.9
        assert clocks(red.view(table))[0] >= 60 - (time.monotonic() - begin) - 0.1
    finally:
        server.kill()


def test_the_clock_counts_the_time_of_those_who_decide() -> None:
    clock = Clock.fresh(1, 5, 3)
    clock.advance([0], 100.0)  # it stands before the start
    assert clock.left == [60, 60, 60]
    clock.since = 100.0
    assert clock.shown(0, [0, 2], 110.0) == 50
    clock.moved(0, [0, 2], 110.0)
    assert clock.left == [55, 60, 50]
    clock.moved(1, [2], 130.0)  # a bot's move gives it nothing
    assert clock.left == [55, 60, 30]
    assert clock.fallen([2], 159.9) == []
    assert clock.fallen([0, 2], 160.0) == [2]
    assert clock.shown(2, [2], 200.0) == 0
    clock.advance([2], 120.0)  # a clock set back takes nothing and gives nothing
    assert clock.left == [55, 60, 30]
    assert Clock(**clock.json()) == clock


def test_another_run_counts_until_the_last_was_known_to_be_alive() -> None:
    stored = Clock.fresh(1, 0, 2).json() | {"since": 1000.0, "run": "another"}
    for runs, counted in (({"another": 1007.5}, 7.5), ({"another": 990.0}, 0.0), ({}, 0.0)):
        clock = Clock.restored(json.loads(json.dumps(stored)), runs, 20.0, "this")
        assert clock.shown(0, [0], 20.0) == 60 - counted
        clock.advance([0], 21.0)
        assert clock.left == [60 - counted - 1, 60.0]


# --- Time-outs ------------------------------------------------------------------------------------------------------------------


def test_a_bot_plays_on_for_whoever_runs_out_of_time_until_the_others_give_time_back(own_server: Any) -> None:
    red, yellow, table = two(own_server, stand_in="apprentice")
    leave_seconds(own_server, 0, 0.7)
    with yellow.live(table) as second:
        view = second.view(lambda view: view["number"] == 1)
        assert (view["players"][0]["kind"], view["players"][0]["bot"], view["players"][0]["clock"]) == ("bot", "apprentice", 0.0)
        assert view["players"][0]["out_of_time"]
        assert view["notices"] == [
            {"id": 0, "what": "time_out", "seat": 0, "number": 0, "name": "Aiko", "bot": "apprentice", "days": 0}
        ]
        red.move(table, 1, "g", 409)
        assert "run out" in change(red, table, 0, "me", 409)["error"]
        assert red.view(table)["players"][0]["askable"] == ["time"]
        ask(Person(own_server), table, "time", 0, 403)
        ask(yellow, table, "time", 1, 409)
        ask(red, table, "time", 0)
        vote(red, table, "time", status=403)
        vote(yellow, table, "time")
        view = second.view(lambda view: view["players"][0]["kind"] == "person")
        assert kinds(view) == ["time_out", "time_back"]
        assert (view["players"][0]["clock"], view["players"][0]["out_of_time"]) == (60.0, False)
        yellow.move(table, 1, "a")
        red.move(table, 2, "a")


def test_whoever_forfeits_is_ranked_last(own_server: Any) -> None:
    red, yellow, table = two(own_server, on_timeout="forfeit")
    for number, code in enumerate("ababab"):
        (red, yellow)[number % 2].move(table, number, code)
    # Red has three in a row and the move; the scribe, who plays on, takes the fourth.
    leave_seconds(own_server, 0, 0.5)
    with yellow.live(table) as second:
        view = second.view(lambda view: view["status"] == "over")
    assert view["result"]["scores"] == [1, 0]
    assert (view["result"]["ranks"], view["result"]["forfeited"]) == ([2, 1], [0])
    assert kinds(view) == ["time_out"]
    following = yellow.ask("POST", f"/api/tables/{table}/rematch")["id"]
    assert yellow.view(following)["settings"]["on_timeout"] == "forfeit"
    text = red.ask("GET", f"/api/tables/{table}/file")
    assert "\nlost-on-time: 0\nending: line\nscores: 1 0\n" in text
    shown = red.view(red.ask("POST", "/api/replays", None, 201, content=text.encode())["id"])["result"]
    assert (shown["ranks"], shown["forfeited"], shown["resigned"]) == ([2, 1], [0], [])


def test_places_with_forfeits() -> None:
    assert places([1, 2, 2, 4], []) == [1, 2, 2, 4]
    assert places([1, 2, 2, 4], [0]) == [4, 1, 1, 3]
    assert places([1, 2, 2, 4], [0, 3]) == [3, 1, 1, 4]
    assert places([1, 2], [0, 1]) == [1, 2]


def test_a_table_may_just_go_on(own_server: Any) -> None:
    red, yellow, table = two(own_server, on_timeout="go_on", clock={"minutes": 1, "increment": 30})
    leave_seconds(own_server, 0, 0.5)
    with yellow.live(table) as second:
        view = second.view(lambda view: view["notices"])
        assert (view["players"][0]["kind"], view["players"][0]["out_of_time"]) == ("person", True)
        red.move(table, 0, "a")
        yellow.move(table, 1, "b")
        red.move(table, 2, "a")
        view = second.view(lambda view: view["number"] == 3)
        assert clocks(view)[0] == 0
        assert clocks(view)[1] > 60
        assert kinds(view) == ["time_out"]  # announced once
        ask(yellow, table, "time", 0)
        view = second.view(lambda view: view["notices"][-1]["what"] == "time_back")
        assert clocks(view)[0] == 60


def test_clocks_of_the_version_before(tmp_path: Path) -> None:
    server = Server(tmp_path).start()
    red, yellow, table = two(server)
    red.move(table, 0, "a")
    server.kill()
    with sqlite3.connect(tmp_path / "perankh.db") as database:
        old = {"minutes": 1, "increment": 0, "left": [50.0, 0.0], "since": time.time() - 5000, "base": 0}
        database.execute("UPDATE tables SET clock = ?", [json.dumps(old)])
        for statement in BEFORE_COMPANY:
            database.execute(statement)
        for column in ("settings", "request", "notices"):
            database.execute(f"ALTER TABLE tables DROP COLUMN {column}")
        database.execute("ALTER TABLE tables ADD COLUMN undo TEXT")
        database.execute("ALTER TABLE moves DROP COLUMN spent")
        database.execute("DROP TABLE runs")
        database.execute("UPDATE schema SET version = 4")
    database.close()
    try:
        server.start()
        view = yellow.view(table)
        assert clocks(view)[0] == 50.0
        assert view["players"][1]["out_of_time"]
        red.ask("PATCH", f"/api/tables/{table}/seats/0", {"kind": "open"})
        assert red.view(table)["players"][0]["askable"] == ["join"]
    finally:
        server.kill()
