"""Play over days: clocks of days a move with a time that is moved, vacations, whose turn waits longest, what was seen last."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from perankh.web import clock, votes
from perankh.web.agreements import Settings
from perankh.web.catalog import offered
from perankh.web.clock import DAY, Clock
from perankh.web.seats import usual_seats
from perankh.web.services import Services
from perankh.web.storage import Storage
from perankh.web.tables import Tables
from perankh.web.words import WORDS

from .conftest import FOUR, Person
from .test_votes import ask, vote

New = Callable[[], Person]
RED, YELLOW = "r" * 64, "y" * 64


class Moment:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def pass_days(self, count: float) -> None:
        self.now += count * DAY


def run(work: Callable[[], Awaitable[None]]) -> None:
    with ThreadPoolExecutor(1) as thread:  # browser tests leave an event loop running in this one
        thread.submit(asyncio.run, work()).result()  # type: ignore[arg-type]


def opened(folder: Path, moment: Moment) -> Tables:
    return Tables(Services(Storage(folder), (0, 0), away=60, work_limit=60, now=moment), idle=300)


async def closed(tables: Tables) -> None:
    await tables.keep_alive()
    await tables.services.close()
    tables.services.storage.close()
    clock._runs.clear()  # the next is another run of the server


async def two(tables: Tables, days_a_move: int = 2) -> str:
    """A table of two with a clock of days, dealt."""
    fresh = Clock.fresh(0, 0, 2, days_a_move)
    begins = {"start_player": 0}
    id, _ = await tables.create(
        RED, offered("mural"), 2, begins, usual_seats(2), fresh, None, Settings(60.0, stand_in="apprentice"), ready=True
    )
    await (await tables.known(id)).sit(YELLOW, None, "Ben", True, None)
    return id


async def until(fits: Callable[[], bool]) -> None:
    for _ in range(600):
        if fits():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it does not happen")


# --- The clock ----------------------------------------------------------------------------------------------------------------


def test_every_move_has_all_the_days_again() -> None:
    clock = Clock.fresh(0, 0, 2, 3)
    clock.since = 0.0
    assert clock.left == [3 * DAY, 3 * DAY]
    assert clock.moved(0, [0], 2 * DAY) == 2 * DAY
    assert clock.left == [3 * DAY, 3 * DAY]
    assert clock.shown(1, [1], 4 * DAY) == DAY
    assert clock.fallen([1], 5 * DAY - 1) == []
    assert clock.fallen([1], 5 * DAY) == [1]
    clock.fall(1)
    clock.give_time(1)
    assert clock.left[1] == DAY


def test_a_choice_taken_back_does_not_make_time() -> None:
    clock = Clock.fresh(0, 0, 2, 1)
    clock.since = 0.0
    spent = clock.moved(0, [0, 1], DAY / 2)
    clock.choose_again(0, spent)
    assert clock.left == [DAY / 2, DAY / 2]
    assert clock.moved(0, [0, 1], 0.75 * DAY) == 0.75 * DAY  # all of one decision
    minutes = Clock.fresh(5, 10, 2)
    minutes.choose_again(0, 3.0)
    assert minutes.left == [290.0, 300.0]


def test_a_vacation_stops_the_clock_of_one_seat_until_it_ends() -> None:
    clock = Clock.fresh(0, 0, 2, 2)
    clock.since = 0.0
    clock.vacation[0] = 5 * DAY
    assert clock.vacation_left(0, DAY) == 4 * DAY
    assert clock.fallen([0, 1], 4 * DAY) == [1]
    clock.advance([0, 1], 4 * DAY)
    assert (clock.left[0], clock.vacation) == (2 * DAY, [DAY, 0.0])
    clock.advance([0], 6 * DAY)  # a day of vacation, and a day
    assert clock.left[0] == DAY
    assert clock.fallen([0], 6.9 * DAY) == []
    assert clock.fallen([0], 7 * DAY) == [0]
    assert Clock(**clock.json()) == clock
    earlier = {name: value for name, value in clock.json().items() if name not in ("days", "vacation")}
    assert (Clock(**earlier).vacation, Clock(**earlier).days) == ([0.0, 0.0], 0)


def test_time_runs_out_while_nobody_looks_and_not_while_the_server_is_down(tmp_path: Path) -> None:
    async def story() -> None:
        moment = Moment()
        tables = opened(tmp_path, moment)
        id = await two(tables)
        moment.pass_days(1.5)
        await closed(tables)
        moment.now = 5.0  # the clock of another run; meanwhile nobody's time has passed
        tables = opened(tmp_path, moment)
        await tables.sweep()
        moment.pass_days(0.4)
        await tables.sweep()
        assert tables.tables == {}  # 1.9 days: there is time left, and nothing has to be loaded
        assert tables.clocks_run
        (listed,) = await tables.own_tables(RED)
        assert listed["left"] == pytest.approx(0.1 * DAY, abs=1)
        moment.pass_days(0.2)
        await tables.sweep()
        table = tables.tables[id]
        assert (table.seats[0].kind, table.seats[0].bot, table.seats[0].owner) == ("bot", "apprentice", RED)
        assert [notice.what for notice in table.notices] == ["time_out"]
        await until(lambda: table.match.actors == [1])  # the stand-in plays, though nobody attends
        assert (await tables.due_tables(YELLOW))[0]["id"] == id
        await closed(tables)

    run(story)


def test_a_vacation_by_consent_holds_over_restarts(tmp_path: Path) -> None:
    async def story() -> None:
        moment = Moment()
        tables = opened(tmp_path, moment)
        id = await two(tables)
        table = await tables.known(id)
        await votes.ask(table, RED, "vacation", 0, days=10)
        await votes.vote(table, YELLOW, "vacation", True)
        moment.pass_days(4)
        await tables.keep_alive()
        await closed(tables)
        moment.now = 77.0
        tables = opened(tmp_path, moment)
        await tables.sweep()
        moment.pass_days(5.5)
        await tables.sweep()
        assert tables.tables == {}
        table = await tables.known(id)
        assert table.clock
        assert table.clock.vacation_left(0, moment.now) == pytest.approx(0.5 * DAY, abs=1)
        assert table.seats[0].kind == "person"
        await table.change_seat(RED, 0, None, "me", None)  # back before its end
        assert [notice.what for notice in table.notices] == ["vacation", "back"]
        moment.pass_days(2)
        async with table.lock:
            await table.tick()
        assert table.seats[0].kind == "bot"
        await closed(tables)

    run(story)


# --- At the table ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [{"days": 4}, {"days": 0}, {"days": 2, "minutes": 5}, {"days": 2, "increment": 5}, {}])
def test_clocks_that_cannot_be(person: New, clock: dict[str, int]) -> None:
    person().ask("POST", "/api/tables", FOUR | {"clock": clock}, 422)


def test_vacations_are_asked_for_agreed_on_and_shown(person: New) -> None:
    red, yellow, guest = person(), person(), person()
    plain = red.table()
    yellow.sit(plain, name="Ben")
    assert "days" in ask(red, plain, "vacation", 0, 409, days=3)["error"]
    table = red.table(clock={"days": 3})
    yellow.sit(table, name="Ben")
    view = red.view(table)
    assert (view["clock"], view["settings"]["absence"]) == ({"days": 3}, DAY)
    assert view["players"][0]["clock"] == pytest.approx(3 * DAY, abs=60)
    assert [player["askable"] for player in view["players"]] == [["vacation"], []]
    for wrong in ({}, {"days": 0}, {"days": 31}, {"days": -5}):
        ask(red, table, "vacation", 0, 422, **wrong)
    ask(guest, table, "vacation", 0, 403, days=3)
    ask(yellow, table, "vacation", 0, 403, days=3)  # for somebody else
    ask(red, table, "vacation", 0, days=3)
    with yellow.live(table) as live:
        asked = live.view(lambda view: view["request"])["request"]
        assert (asked["what"], asked["days"], asked["waiting"], asked["can_vote"]) == ("vacation", 3, [1], True)
        vote(red, table, "vacation", status=403)
        vote(yellow, table, "vacation", agree=False)
        ask(red, table, "vacation", 0, days=5)
        vote(yellow, table, "vacation")
        view = live.view(lambda view: view["players"][0]["vacation"] > 4 * DAY)
        assert (view["notices"][-1]["what"], view["notices"][-1]["days"]) == ("vacation", 5)
        assert view["players"][0]["clock"] == pytest.approx(3 * DAY, abs=60)
        ask(red, table, "vacation", 0, 409, days=1)
        assert "vacation" in ask(yellow, table, "stand_in", 0, 409)["error"]
        red.move(table, 0, "a")  # one may play on vacation
        red.ask("PATCH", f"/api/tables/{table}/seats/0", {"kind": "me"})
        live.view(lambda view: view["players"][0]["vacation"] == 0)


def test_the_turn_that_waits_longest_comes_first(person: New) -> None:
    red, yellow = person(), person()
    tables = []
    for _ in range(3):
        tables.append(red.table(clock={"days": 1}))
        yellow.sit(tables[-1])
    assert [table["id"] for table in red.ask("GET", "/api/due")] == tables
    assert yellow.ask("GET", "/api/due") == person().ask("GET", "/api/due") == []
    red.move(tables[0], 0, "a")
    assert [table["id"] for table in red.ask("GET", "/api/due")] == tables[1:]
    (due,) = yellow.ask("GET", "/api/due")
    assert (due["id"], due["your_turn"]) == (tables[0], True)
    assert due["left"] == pytest.approx(DAY, abs=60)
    yellow.move(tables[0], 1, "a")  # now it has waited for less time than the others
    yellow.ask("PATCH", f"/api/tables/{tables[1]}/seats/1", {"name": "Ben"})  # a change that is no move
    found = red.ask("GET", "/api/due")
    assert [table["id"] for table in found] == [*tables[1:], tables[0]]
    assert [table["since"] for table in found] == sorted(table["since"] for table in found)
    page = red.ask("GET", "/?lang=en")
    assert [page.index(f"/t/{table}") for table in (*tables[1:], tables[0])] == sorted(page.index(f"/t/{id}") for id in tables)
    assert person().view(tables[0])["seen"] is None


def test_tables_that_wait_for_a_start_or_an_answer_are_due_too(person: New) -> None:
    red, yellow = person(), person()
    table = red.table(ready=False, clock={"days": 1})
    assert red.ask("GET", "/api/due") == []  # it waits for somebody to sit down
    yellow.sit(table)
    assert [(due["id"], due["asked"], due["your_turn"]) for due in red.ask("GET", "/api/due")] == [(table, "start", False)]
    assert yellow.ask("GET", "/api/due") == []  # has started
    assert WORDS.say("home.asked_start", "ja") in red.ask("GET", "/?lang=ja")
    red.start(table)
    red.ask("POST", f"/api/tables/{table}/requests", {"what": "vacation", "seat": 0, "days": 3})
    assert [(due["id"], due["asked"]) for due in yellow.ask("GET", "/api/due")] == [(table, "answer")]
    assert WORDS.say("home.asked_answer", "en") in yellow.ask("GET", "/?lang=en")
    assert [due["asked"] for due in red.ask("GET", "/api/due")] == [None]  # the own turn, and the own request
    request = red.view(table)["request"]["id"]
    yellow.ask("POST", f"/api/tables/{table}/votes", {"what": "vacation", "agree": True, "id": request})
    assert yellow.ask("GET", "/api/due") == []
    red.move(table, 0, "a")
    red.ask("POST", f"/api/tables/{table}/undo", {})
    assert [(due["asked"], due["your_turn"]) for due in yellow.ask("GET", "/api/due")] == [("answer", True)]
    yellow.move(table, 1, "a")  # the move cannot be taken back any more
    assert yellow.ask("GET", "/api/due") == []


def test_what_somebody_has_seen_is_kept_for_all_devices(own_server: Any) -> None:
    red, yellow, guest = (Person(own_server) for _ in range(3))
    table = red.table()
    yellow.sit(table)
    red.move(table, 0, "a")
    yellow.move(table, 1, "b")
    assert red.view(table)["seen"] is None
    with red.live(table) as live, guest.live(table) as watching:
        live.send(type="seen", number=1)
        watching.send(type="seen", number=2)  # nothing is kept of spectators
        for bad in ({}, {"number": "1"}, {"number": -7}):
            live.send(type="seen", **bad)
            assert live.answer()["type"] == "error"
        live.send(type="ping")
        live.answer()
        watching.send(type="ping")
        watching.answer()
    assert (red.view(table)["seen"], guest.view(table)["seen"], yellow.view(table)["seen"]) == (1, None, None)
    with red.live(table) as live:
        live.send(type="seen", number=1000)
        live.send(type="ping")
        live.answer()
    assert red.view(table)["seen"] == 2
    red.ask("GET", "/api/tables")
    own_server.kill(15)
    own_server.start()
    assert red.view(table)["seen"] == 2
