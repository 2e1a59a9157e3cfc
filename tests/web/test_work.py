"""Machines that work for servers (`perankh work`): who does what, what they get to know, and what becomes of their work."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import secrets
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from perankh.bots import decide, restored
from perankh.engine.game import get_game
from perankh.errors import BadOption, PerankhError
from perankh.web import catalog, jobs
from perankh.web.services import Services
from perankh.web.storage import Storage
from perankh.web.work import work
from perankh.workers import WorkerFailed

from ..forked import Program
from .conftest import Person, Server, in_a_loop
from .postgresql import fresh_database

ROOT = Path(__file__).resolve().parents[2]
FOUR = str(ROOT / "examples" / "connect_four")
PATIENCE = 180.0  # seconds after which a test gives up on a loaded machine


def wait_for(what: Callable[[], Any]) -> Any:
    """Wait until something is true; what it is."""
    deadline = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return found


class Machine:
    """A process of `perankh work`."""

    def __init__(self, data: str, games: Path = ROOT / "examples", slots: int = 1) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.out, self.errors = (Path(self.folder.name) / name for name in ("out", "errors"))
        files = (os.devnull, str(self.out), str(self.errors))
        environment = os.environ | {"PERANKH_GAMES": str(games)}
        self.process = Program("perankh.cli", ["work", "--data", data, "--workers", str(slots)], environment, files=files)

    def started(self) -> Machine:
        """Wait until it works."""
        assert self.process.first_line(self.out).startswith("Servers to work for: 1;"), self.errors.read_text()
        return self

    def refused(self) -> str:
        """Wait until it has ended by itself; what it said."""
        status, said = self.process.wait(PATIENCE), self.errors.read_text("utf-8")
        assert status == 2, said
        return said.strip()

    def end(self, how: int = signal.SIGKILL) -> int:
        """End it, by default without a warning; its status."""
        self.process.send_signal(signal.SIGCONT)
        self.process.send_signal(how)
        status = self.process.wait(PATIENCE)
        self.folder.cleanup()
        return status


@pytest.fixture(scope="module")
def data(database_server: str) -> str:
    """A database for a server and the machines that work for it."""
    return fresh_database(database_server)


@pytest.fixture(scope="module")
def server(data: str) -> Iterator[Any]:
    """A server without processes of its own that think."""
    running = Server(data, workers=1, thinking="elsewhere").start()
    yield running
    running.kill()


@pytest.fixture
def machine(data: str, server: Any) -> Iterator[Machine]:
    """A machine that works for the server."""
    found = Machine(data).started()
    yield found
    found.end()


def rows(data: str, what: str = "SELECT * FROM jobs ORDER BY stamp") -> list[dict[str, Any]]:
    """Rows of the database."""
    with psycopg.connect(data, row_factory=psycopg.rows.dict_row) as connection:
        return list(connection.execute(what))  # type: ignore[call-overload]


def against_bot(server: Any, bot: str = "scribe") -> tuple[Person, str]:
    """Somebody who plays Connect Four against a bot, and the table."""
    red = Person(server)
    return red, red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": bot}])


def analysed(who: Person, table: str) -> Any:
    """The analysis of a table when it is done."""

    def done() -> Any:
        found = who.ask("GET", f"/api/tables/{table}/analysis")
        assert found["state"] != "failed"
        return found if found["state"] == "done" else None

    return wait_for(done)


# --- Real processes -----------------------------------------------------------------------------------------------------------


def test_bots_and_hints_come_from_a_machine(server: Any, machine: Machine, data: str) -> None:
    red, table = against_bot(server)
    with red.live(table) as live:
        for number in (0, 2):
            assert live.move(number, "ab"[number // 2])["type"] == "done"
            view = live.until(lambda frame, n=number: frame["type"] == "view" and frame["number"] == n + 2, PATIENCE)
    assert [line["seat"] for line in view["log"]] == [0, 1, 0, 1]
    hint = red.ask("POST", f"/api/tables/{table}/hint", {})
    assert hint["code"] in "abcdefg"
    assert hint["reasons"] is not None
    assert rows(data) == []  # what was answered is gone
    assert len(rows(data, "SELECT * FROM machines")) == 1


def test_a_machine_that_is_killed_in_the_middle_of_an_analysis(server: Any, data: str) -> None:
    first = Machine(data).started()
    red = Person(server)
    table = red.table(seats=[{"kind": "me"}, {"kind": "me"}])
    for number, code in enumerate("abababa"):
        red.move(table, number, code)
    red.ask("GET", f"/api/tables/{table}/analysis")
    wait_for(lambda: red.ask("GET", f"/api/tables/{table}/analysis")["done"] >= 1)
    while True:  # stop it while it has a job
        first.process.send_signal(signal.SIGSTOP)
        held = [row for row in rows(data) if row["machine"] and row["answer"] is None]
        if held:
            break
        first.process.send_signal(signal.SIGCONT)
        time.sleep(0.05)
    assert held[0]["attempts"] == 1
    assert held[0]["urgency"] == jobs.ANALYSES
    first.end()
    second = Machine(data).started()
    try:
        again = wait_for(lambda: [row for row in rows(data) if row["id"] == held[0]["id"] and row["attempts"] == 2])
        assert again[0]["machine"] != held[0]["machine"]
        found = analysed(red, table)
        assert found["done"] == found["total"] > 1
        assert found["report"]
    finally:
        assert second.end(signal.SIGTERM) == 0
    assert rows(data, "SELECT * FROM machines WHERE until > extract(epoch FROM clock_timestamp())") == []


def test_a_machine_that_is_told_to_stop_finishes_what_it_has_begun(server: Any, data: str) -> None:
    first = Machine(data).started()
    red, table = against_bot(server, "architect")
    red.move(table, 0, "a")
    wait_for(lambda: [row for row in rows(data) if row["machine"]] or red.view(table)["number"] == 2)
    assert first.end(signal.SIGTERM) == 0
    assert wait_for(lambda: red.view(table)["number"] == 2)


def test_without_a_machine_bots_wait_and_hints_are_refused(server: Any, data: str) -> None:
    wait_for(lambda: server_state(server) == "no machine")
    red, table = against_bot(server)
    headers = {"Authorization": f"Bearer {red.token}"}
    assert red.http.post(f"/api/tables/{table}/hint", json={}, headers=headers).status_code == 503
    red.move(table, 0, "a")
    assert rows(data) == []  # nothing is handed out that nobody can do
    assert red.view(table)["number"] == 1
    machine = Machine(data).started()
    assert wait_for(lambda: red.view(table)["number"] == 2)
    machine.end()


def server_state(server: Any) -> str:
    """How a server says that its bots are."""
    import httpx

    found: str = httpx.get(f"{server.address}/health/ready", timeout=60, verify=False).json()["workers"]["thinking"]
    return found


def test_a_machine_with_other_rules_is_refused_with_the_reason(server: Any, data: str, tmp_path: Path) -> None:
    shutil.copytree(FOUR, tmp_path / "connect_four")
    rules = tmp_path / "connect_four" / "rules.py"
    text = rules.read_text("utf-8")
    assert "VERSION = 1\n" in text
    rules.write_text(text.replace("VERSION = 1\n", "VERSION = 2\n"), "utf-8")
    said = Machine(data, tmp_path).refused()
    assert said.endswith("connect_four has version 2 of its rules here, and 1 at the server")
    assert "\n" not in said
    assert "the game connect_four of the server is not here" in Machine(data, tmp_path / "nothing").refused()


def test_a_machine_needs_no_more_rights_than_the_document_gives(server: Any, data: str) -> None:
    """The statements of docs/hosting.md, for a user of another name."""
    name = f"worker_{secrets.token_hex(4)}"
    page = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    statements = re.findall(r"^ +((?:CREATE ROLE|GRANT) .*;)$", page, re.MULTILINE)
    assert len(statements) == 4
    with psycopg.connect(data, autocommit=True) as connection:
        for statement in statements:
            connection.execute(re.sub(r"\bworker\b", name, statement))  # type: ignore[call-overload]
    narrow = data.replace("perankh@", f"{name}@")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        rows(narrow, "SELECT seed FROM tables")
    machine = Machine(narrow).started()
    try:
        red, table = against_bot(server)
        red.move(table, 0, "a")
        assert wait_for(lambda: red.view(table)["number"] == 2)
    finally:
        assert machine.end(signal.SIGTERM) == 0


# --- Rows ---------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def storage(database: str) -> Iterator[Storage]:
    """An empty database."""
    found = Storage(database)
    yield found
    found.close()


def insert(storage: Storage, **facts: Any) -> None:
    """A job of a server that is alive."""
    usual = {"server": "s", "urgency": jobs.BOTS, "stamp": 1.0, "needs": "this", "seconds": 9.0, "request": "{}", "attempts": 0}
    with storage.engine.begin() as connection:
        connection.execute(jobs.jobs.insert().values(usual | facts))


def taken(storage: Storage, machine: str = "m", needs: tuple[str, ...] = ("this",), least: int = jobs.ANALYSES) -> Any:
    """The id of the job that a machine gets."""
    with storage.engine.begin() as connection:
        found = jobs.take(connection, machine, needs, least)
        return found and found.id


def test_people_come_before_bots_and_bots_before_analyses(storage: Storage) -> None:
    for id, urgency, stamp in (
        ("a", jobs.ANALYSES, 1.0),
        ("b2", jobs.BOTS, 3.0),
        ("b1", jobs.BOTS, 2.0),
        ("p", jobs.PEOPLE, 4.0),
    ):
        insert(storage, id=id, urgency=urgency, stamp=stamp)
    assert [taken(storage) for _ in range(5)] == ["p", "b1", "b2", "a", None]
    insert(storage, id="a2", urgency=jobs.ANALYSES)
    assert taken(storage, least=jobs.BOTS) is None


def test_machines_take_only_what_they_have_the_game_for(storage: Storage) -> None:
    insert(storage, id="one", needs="other")
    assert taken(storage) is None
    assert taken(storage, needs=("this", "other")) == "one"


def test_two_machines_never_take_the_same_job_and_do_not_wait_for_each_other(storage: Storage) -> None:
    insert(storage, id="one", stamp=1.0)
    insert(storage, id="two", stamp=2.0)
    with storage.engine.begin() as first, storage.engine.begin() as second:
        assert jobs.take(first, "m1", ["this"], jobs.ANALYSES).id == "one"
        assert jobs.take(second, "m2", ["this"], jobs.ANALYSES).id == "two"


def test_a_job_whose_machine_is_silent_is_tried_again_and_the_late_answer_is_not_taken(storage: Storage) -> None:
    insert(storage, id="one")
    with storage.engine.begin() as connection:
        first = jobs.take(connection, "m1", ["this"], jobs.ANALYSES)
    assert taken(storage, "m2") is None
    with storage.engine.begin() as connection:
        jobs.prolong(connection, "m1", 1, ["one"])
        connection.execute(jobs.jobs.update().values(until=0.0))  # m1 is silent for longer than its lease
    with storage.engine.begin() as connection:
        second = jobs.take(connection, "m2", ["this"], jobs.ANALYSES)
        assert (second.id, second.attempts) == ("one", 2)
        assert not jobs.write_answer(connection, first, {"result": 1})
        assert jobs.write_answer(connection, second, {"result": 2})
        assert not jobs.write_answer(connection, second, {"result": 3})
        assert json.loads(connection.execute(jobs.jobs.select()).one().answer) == {"result": 2}
    assert taken(storage, "m3") is None


def test_a_machine_that_leaves_gives_its_jobs_back(storage: Storage) -> None:
    insert(storage, id="one")
    assert taken(storage, "m1") == "one"
    with storage.engine.begin() as connection:
        jobs.leave(connection, "m1")
        assert connection.execute(jobs.jobs.select()).one().attempts == 0
    assert taken(storage, "m2") == "one"


# --- The side of the server ---------------------------------------------------------------------------------------------------


class Handed:
    """Services whose bots think elsewhere, and the rows that come of it; the test is the machine."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.services = Services(storage, (0, 0), 60, 60, 1, elsewhere=True)
        assert self.services.jobs
        self.jobs = self.services.jobs
        self.jobs.server = "s"
        with storage.engine.begin() as connection:
            connection.execute(jobs.servers.insert().values(id="s", until=time.time() + 1000, offers=jobs.offers()))
            connection.execute(jobs.machines.insert().values(id="m", until=time.time() + 1000, slots=2, offers=jobs.offers()))

    async def ask(self, game: str, p: int) -> tuple[asyncio.Task[Any], Any]:
        """Ask for the decision of a bot at the start of a match; the task, and the row of the job."""
        found = get_game(game)
        state = found.new_state(2, 7)
        seen = found.veiled(state, p)
        await self.look()
        task = asyncio.create_task(self.services.bot_decision("table", (), found, seen, p, "random"))
        await asyncio.sleep(0)
        await self.look()
        with self.storage.engine.begin() as connection:
            return task, connection.execute(jobs.jobs.select()).one()

    async def look(self) -> None:
        """What a server does every second."""
        await self.jobs.run(self.jobs.look_after)
        await self.jobs.run(self.jobs.exchange)

    def change(self, **facts: Any) -> None:
        """Change all jobs."""
        with self.storage.engine.begin() as connection:
            connection.execute(jobs.jobs.update().values(facts))

    async def close(self) -> None:
        """End."""
        await self.services.close()


def test_what_leaves_the_server_is_what_the_seat_may_know(storage: Storage) -> None:
    async def play() -> None:
        handed = Handed(storage)
        game = get_game("maqha")
        p = game.actors(game.new_state(2, 7))[0]
        task, row = await handed.ask("maqha", p)
        asked = json.loads(row.request)
        record = base64.b64decode(asked["record"])
        _, state = restored(game.place, record)
        assert game.veiled(state, p).to_bytes() == record
        assert game.new_state(2, 7).to_bytes() != record
        assert str(game.folder) not in row.request  # folders of one machine are of no use to another
        handed.change(answer=jobs.answer_to(row.request))
        await handed.look()
        assert await task in game.legal(state, p)
        await handed.close()

    in_a_loop(play())


def test_a_job_that_ends_three_machines_is_given_up(storage: Storage) -> None:
    async def play() -> None:
        handed = Handed(storage)
        task, _ = await handed.ask("mural", 0)
        handed.change(machine="m", attempts=2, until=0.0)
        await handed.look()
        assert not task.done()  # somebody may try once more
        handed.change(attempts=3)
        await handed.look()
        assert await task is None  # any move, as when a process of the server's own fails
        assert rows_in(storage) == []
        await handed.close()

    in_a_loop(play())


def test_nonsense_from_a_machine_is_a_failure(storage: Storage) -> None:
    async def play() -> None:
        for text in ("", "[]", "7", '{"other": 1}', '{"error": "it failed"}'):
            handed = Handed(storage)
            task, _ = await handed.ask("mural", 0)
            handed.change(answer=text)
            await handed.look()
            assert await task is None, text
            await handed.close()
            with storage.engine.begin() as connection:
                for table in (jobs.machines, jobs.servers):
                    connection.execute(table.delete())

    in_a_loop(play())


def test_a_job_whose_row_is_lost_is_handed_out_again(storage: Storage) -> None:
    async def play() -> None:
        handed = Handed(storage)
        task, row = await handed.ask("mural", 0)
        with storage.engine.begin() as connection:
            connection.execute(jobs.jobs.delete())
        await handed.look()
        await handed.look()
        assert [again.id for again in rows_in(storage)] == [row.id]
        task.cancel()
        await handed.close()
        assert rows_in(storage) == []  # nobody waits any more

    in_a_loop(play())


def test_no_more_is_handed_out_than_machines_can_do_and_nothing_for_machines_that_differ(storage: Storage) -> None:
    async def play() -> None:
        handed = Handed(storage)
        game = get_game("mural")
        seen = game.veiled(game.new_state(2, 7), 0)
        tasks = [asyncio.create_task(handed.services.bot_decision(f"t{n}", (), game, seen, 0, "random")) for n in range(9)]
        await asyncio.sleep(0)
        await handed.jobs.run(handed.jobs.exchange)
        assert rows_in(storage) == []  # it is not known yet that there is a machine
        await handed.look()
        assert len(rows_in(storage)) == 1  # of two slots one is for other people
        with storage.engine.begin() as connection:
            connection.execute(jobs.machines.update().values(offers=jobs.offers().replace('"version":"', '"version":"0')))
        await handed.look()
        assert (handed.jobs.machines, handed.jobs.slots) == (0, 0)
        for task in tasks:
            task.cancel()
        await handed.close()

    in_a_loop(play())


def rows_in(storage: Storage) -> list[Any]:
    """All jobs."""
    with storage.engine.begin() as connection:
        return list(connection.execute(jobs.jobs.select()).all())


# --- Refusals -----------------------------------------------------------------------------------------------------------------


def test_what_differs_is_said_in_words() -> None:
    here = json.loads(jobs.offers())
    assert jobs.differences(jobs.offers(), jobs.offers()) == []
    newer = json.dumps(here | {"version": "99"})
    assert jobs.differences(jobs.offers(), newer) == [f"this is Per-Ankh {here['version']}, and the server is 99"]
    games = dict(here["games"])
    games["mural"] = [games["mural"][0], "0" * 64]
    assert jobs.differences(jobs.offers(), json.dumps(here | {"games": games})) == [
        "the printed numbers of mural are not those of the server"
    ]
    more = json.dumps(here | {"games": here["games"] | {"chess": [1, "0"]}})
    assert jobs.differences(jobs.offers(), more) == ["the game chess of the server is not here"]
    assert jobs.differences(more, jobs.offers()) == []  # a machine may have more games


def test_a_machine_calls_only_what_is_offered() -> None:
    place = catalog.offered("mural").place
    _, request = jobs.request_for(decide, place, b"", 0, "random", 1)
    for other in ("os:system", "perankh.web.storage:migrate", "perankh.bots.levels:restored"):
        with pytest.raises(PerankhError, match="is not among the work for machines"):
            jobs.answer_to(request.replace("perankh.bots.levels:decide", other))


def test_work_and_thinking_elsewhere_need_postgresql(tmp_path: Path) -> None:
    with pytest.raises(PerankhError, match="machines work for servers that share a PostgreSQL database"):
        work(str(tmp_path))
    storage = Storage(tmp_path)
    with pytest.raises(BadOption, match="if the data are in PostgreSQL"):
        Services(storage, (0, 0), 60, 60, 1, elsewhere=True)
    with storage.engine.begin() as connection:
        assert connection.execute(jobs.jobs.select()).all() == []
    storage.close()


def test_data_of_another_version_are_refused(database: str) -> None:
    with pytest.raises(PerankhError, match="there are no data yet"):
        work(database)
    Storage(database).close()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE schema SET version = version + 1")
    with pytest.raises(PerankhError, match="and this Per-Ankh is for version"):
        work(database)
    with pytest.raises(PerankhError, match="cannot be used for work"):
        work("postgresql://nobody@127.0.0.1:1/nothing")


def test_a_pool_that_is_shut_down_takes_nothing(storage: Storage) -> None:
    async def play() -> None:
        handed = Handed(storage)
        await handed.close()
        with pytest.raises(WorkerFailed):
            handed.jobs.submit(decide, catalog.offered("mural").place, b"", 0, "random", 1, timeout=1.0)

    in_a_loop(play())
