"""Several servers on one PostgreSQL database: any table at any server, and whatever happens happens once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import httpx
import psycopg
import pytest
import sqlalchemy as sa

from perankh.engine.game import get_game
from perankh.web import undo
from perankh.web.agreements import Settings
from perankh.web.alerts import Alerts, AlertSettings
from perankh.web.app import create_app
from perankh.web.cluster import Cluster, select_asked, set_clock, write_asked
from perankh.web.data import servers_connected
from perankh.web.devices import Devices
from perankh.web.limits import Limits
from perankh.web.passkeys import Party
from perankh.web.refusal import Refused
from perankh.web.services import Services
from perankh.web.storage import Storage, Unavailable, moves, shared_clock, take_tables
from perankh.web.storage import migrate as bring_up_to_date
from perankh.web.table import Table
from perankh.web.tables import Tables

from .conftest import PATIENCE, Person, Server, in_a_loop
from .postgresql import fresh_database
from .receivers import wait_until
from .test_passkeys import Authenticator

LOCAL = Party("localhost", "http://localhost")
ROUNDS = 6  # of each race
SEED = 7  # of a match in which the second move is a choice


@pytest.fixture(scope="module")
def servers(database_server: str) -> Iterator[list[Any]]:
    """Two servers on one database."""
    address = fresh_database(database_server)
    running = [Server(address, workers=1, away=0.5).start() for _ in range(2)]
    wait_until_ready(running)
    yield running
    for server in running:
        server.kill()


@pytest.fixture
def own_servers(database: str) -> Iterator[list[Any]]:
    """Two servers of one's own, of which one is killed."""
    running = [Server(database, workers=1, bot_pause=0.2).start() for _ in range(2)]
    wait_until_ready(running)
    yield running
    for server in running:
        server.kill()


def wait_until_ready(servers: list[Any]) -> None:
    """Wait until the worker processes of servers have started."""
    deadline = time.monotonic() + 120
    for server in servers:
        while httpx.get(f"{server.address}/health/ready", timeout=60, verify=False).status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.1)


class Everywhere:
    """The same person at every server."""

    def __init__(self, servers: list[Any]) -> None:
        self.at = [Person(server) for server in servers]

    def known(self) -> Everywhere:
        """When a token was handed out at one server, it is used at all."""
        token = next(person.token for person in self.at if person.token)
        for person in self.at:
            person.token = token
        return self

    def views(self, table: str) -> list[Any]:
        """What is shown at each server."""
        return [person.view(table) for person in self.at]


def at_once(*calls: tuple[Any, ...]) -> list[Any]:
    """Call functions with arguments, all at the same moment; what came of each."""
    with ThreadPoolExecutor(len(calls)) as threads:
        return [job.result() for job in [threads.submit(*call) for call in calls]]


def tried(person: Person, method: str, path: str, body: Any) -> tuple[int, Any]:
    """The status and the answer of a request."""
    headers = {"Authorization": f"Bearer {person.token}"} if person.token else {}
    answer = person.http.request(method, path, json=body, headers=headers)
    assert answer.status_code < 500, answer.text
    return answer.status_code, answer.json()


def two(servers: list[Any], **wanted: Any) -> tuple[Everywhere, Everywhere, str]:
    """Two people at a table, who started at different servers."""
    red, yellow = Everywhere(servers), Everywhere(servers)
    table = red.at[0].table(**wanted)
    yellow.at[1].sit(table)
    return red.known(), yellow.known(), table


def same(views: list[Any]) -> Any:
    """What two servers show, which is the same."""
    parts = ("number", "status", "scene", "log", "request", "notices", "seed_hash", "deal", "next", "own")
    for part in parts:
        assert views[0][part] == views[1][part], part
    return views[0]


def test_a_match_goes_from_server_to_server_with_every_request(servers: list[Any]) -> None:
    red, yellow, table = two(servers)
    with yellow.at[1].live(table) as live:
        for number, code in enumerate("abcdefgabcdefg"):
            (red, yellow)[number % 2].at[number // 2 % 2].move(table, number, code)
            assert same(red.views(table))["number"] == number + 1
        view = live.view(lambda view: view["number"] == 14)
        assert len(view["log"]) >= 14


def test_of_two_moves_under_one_number_one_is_made(servers: list[Any]) -> None:
    red, yellow, table = two(servers)
    for number in range(ROUNDS):
        who = (red, yellow)[number % 2]
        sent = [{"number": number, "code": code} for code in "ab"]
        path = f"/api/tables/{table}/moves"
        outcomes = at_once(*((tried, who.at[place], "POST", path, sent[place]) for place in (0, 1)))
        assert sorted(status for status, _ in outcomes) == [200, 409]
        refused = next(answer for status, answer in outcomes if status == 409)
        assert refused["number"] == number + 1  # the same answer as for a number that was used long ago
        won = "ab"[[status for status, _ in outcomes].index(200)]
        view = same(red.views(table))
        assert view["number"] == number + 1
        assert who.at[0].move(table, number, won) == {"number": number}


def test_a_move_that_is_sent_to_both_is_made_once(servers: list[Any]) -> None:
    red, yellow, table = two(servers)
    for number in range(ROUNDS):
        who = (red, yellow)[number % 2]
        code = "abcdefg"[number]
        assert at_once(*((person.move, table, number, code) for person in who.at)) == [{"number": number}] * 2
    assert same(red.views(table))["number"] == ROUNDS


def test_taking_back_and_moving_at_the_same_time(servers: list[Any]) -> None:
    """One person has both seats, so an undo needs nobody's consent."""
    both = Everywhere(servers)
    table = both.at[0].table(seats=[{"kind": "me"}, {"kind": "me"}])
    both.known()
    number = 0
    for _ in range(ROUNDS):
        both.at[0].move(table, number, "abcdefg"[number % 7])
        number += 1
        code = "abcdefg"[number % 7]
        (undone, _), (made, answer) = at_once(
            (tried, both.at[0], "POST", f"/api/tables/{table}/undo", {"seat": (number - 1) % 2}),
            (tried, both.at[1], "POST", f"/api/tables/{table}/moves", {"number": number, "code": code}),
        )
        view = same(both.views(table))
        if made == 200:  # before the undo, which then took it back as well, or could not; or after it was refused
            assert answer == {"number": number}
            assert view["number"] in (number - 1, number + 1)
        else:
            assert (undone, view["number"]) == (200, number - 1)
        number = view["number"]


def test_two_votes_at_the_same_time_grant_once(servers: list[Any]) -> None:
    people = [Everywhere(servers) for _ in range(3)]
    table = people[0].at[0].table(game="maqha", players=3)
    people[1].at[1].sit(table)
    people[2].at[0].sit(table)
    for one in people:
        one.known()
    people[0].at[0].ask("POST", f"/api/tables/{table}/requests", {"what": "delete", "seat": 0})
    vote = {"what": "delete", "agree": True}
    outcomes = at_once(
        (tried, people[1].at[0], "POST", f"/api/tables/{table}/votes", vote),
        (tried, people[2].at[1], "POST", f"/api/tables/{table}/votes", vote),
    )
    assert [status for status, _ in outcomes] == [200, 200]
    for person in people[0].at:
        person.view(table, 404)


def test_a_deleted_table_is_shown_to_nobody_who_asks_while_the_news_arrive(servers: list[Any]) -> None:
    for _ in range(ROUNDS):
        red = Everywhere(servers)
        table = red.at[0].table()
        red.known()
        red.at[1].view(table)  # the other server has it in memory
        red.at[0].ask("POST", f"/api/tables/{table}/requests", {"what": "delete", "seat": 0})
        assert at_once(*[(tried, red.at[1], "GET", f"/api/tables/{table}", None)] * 8) == [(404, ANY)] * 8


def test_all_start_at_the_same_time_and_it_is_dealt_once(servers: list[Any]) -> None:
    for _ in range(3):
        red, yellow = Everywhere(servers), Everywhere(servers)
        table = red.at[0].table(ready=False)
        yellow.at[1].sit(table, ready=False)
        red.known()
        yellow.known()
        path = f"/api/tables/{table}/start"
        given = [{"contribution": digits * 32} for digits in ("11", "22")]
        at_once((red.at[0].ask, "POST", path, given[0]), (yellow.at[1].ask, "POST", path, given[1]))
        view = same(red.views(table))
        assert view["status"] == "playing"
        assert [given["value"] for given in view["deal"]["contributions"]] == ["11" * 32, "22" * 32]


def test_one_seat_goes_to_one_person_and_whoever_leaves_leaves(servers: list[Any]) -> None:
    for _ in range(3):
        red = Everywhere(servers)
        table = red.at[0].table()
        red.known()
        comers = [Person(server) for server in servers]
        wanted = {"seat": 1, "ready": False}
        outcomes = at_once(*((tried, who, "POST", f"/api/tables/{table}/seats", wanted) for who in comers))
        assert sorted(status for status, _ in outcomes) == [200, 409]
        won = [status for status, _ in outcomes].index(200)
        comers[won].token = outcomes[won][1]["token"]
        at_once(
            (comers[won].ask, "PATCH", f"/api/tables/{table}/seats/1", {"kind": "open"}),
            (red.at[won].ask, "PATCH", f"/api/tables/{table}/seats/0", {"name": "Aiko"}),
        )
        players = same(red.views(table))["players"]
        assert (players[0]["kind"], players[0]["name"], players[1]["kind"]) == ("me", "Aiko", "open")


def test_what_is_said_at_the_same_time_is_all_said(servers: list[Any]) -> None:
    red, yellow, table = two(servers)
    with red.at[0].live(table, chat=1) as live:
        for n in range(ROUNDS // 2):
            at_once(
                (red.at[0].ask, "POST", f"/api/tables/{table}/chat", {"text": f"red {n}"}),
                (yellow.at[1].ask, "POST", f"/api/tables/{table}/chat", {"text": f"yellow {n}"}),
            )
        heard: list[Any] = []
        while len(heard) < 2 * (ROUNDS // 2):
            heard += live.until(lambda frame: frame["type"] == "chat")["messages"]
    said = [[(one["id"], one["text"]) for one in person.ask("GET", f"/api/tables/{table}/chat")["messages"]] for person in red.at]
    assert said[0] == said[1] == [(one["id"], one["text"]) for one in heard]
    assert {text for _, text in said[0]} == {f"{who} {n}" for who in ("red", "yellow") for n in range(ROUNDS // 2)}


def test_who_is_there_is_known_everywhere(servers: list[Any]) -> None:
    red, yellow, table = two(servers)
    with yellow.at[1].live(table) as there, Person(servers[1]).live(table) as _:
        there.view()
        with red.at[0].live(table) as live:
            view = live.view(lambda view: view["players"][1]["connected"] and view["spectators"] == 1)
            assert view["players"][0]["connected"]
            there.view(lambda view: view["players"][0]["connected"])
    with red.at[0].live(table) as live:
        live.view(lambda view: not view["players"][1]["connected"])


def test_a_clock_shows_the_same_time_everywhere(servers: list[Any]) -> None:
    red, _, table = two(servers, clock={"minutes": 5, "increment": 0})
    red.at[1].move(table, 0, "a")
    time.sleep(1.5)
    one, other = ([player["clock"] for player in view["players"]] for view in red.views(table))
    assert one[0] == other[0] > 290
    assert 290 < one[1] < 299
    assert abs(one[1] - other[1]) < 1


def test_a_rematch_is_made_once(servers: list[Any]) -> None:
    red, _, table = two(servers)
    red.at[0].ask("POST", f"/api/tables/{table}/resign", {"seat": 0})
    made = at_once(*((person.ask, "POST", f"/api/tables/{table}/rematch", {}) for person in red.at))
    assert made[0] == made[1]


def test_a_device_that_is_signed_out_is_signed_out_everywhere(servers: list[Any]) -> None:
    first = Everywhere(servers)
    table = first.at[0].table()
    first.known()
    code = first.at[0].ask("POST", "/api/me/code", {})["code"]
    second = Person(servers[0])
    second.token = second.ask("POST", "/api/me/join", {"code": code})["token"]
    elsewhere = Person(servers[1])
    elsewhere.token = second.token
    assert elsewhere.view(table)["own"] == [0]  # at once
    first.at[0].ask("DELETE", "/api/me/devices")
    deadline = time.monotonic() + 60
    while tried(elsewhere, "GET", f"/api/tables/{table}", None)[0] != 401:
        assert time.monotonic() < deadline


def test_a_code_of_one_server_is_good_once_at_any_other(servers: list[Any]) -> None:
    laptop = Everywhere(servers)
    table = laptop.at[0].table()
    laptop.known()
    code = laptop.at[0].ask("POST", "/api/me/code", {})["code"]
    phones = [Person(server) for server in servers]
    outcomes = at_once(*((tried, phone, "POST", "/api/me/join", {"code": code}) for phone in phones))
    assert sorted(status for status, _ in outcomes) == [200, 403]
    won = [status for status, _ in outcomes].index(200)
    phones[won].token = outcomes[won][1]["token"]
    assert phones[won].view(table)["own"] == [0]
    codes = [person.ask("POST", "/api/me/code", {})["code"] for person in laptop.at]
    assert [tried(phones[1 - won], "POST", "/api/me/join", {"code": code})[0] for code in codes] == [403, 200]  # the last counts


def test_a_passkey_is_made_and_used_with_challenges_of_other_servers(servers: list[Any]) -> None:
    laptop, phone, key = Everywhere(servers), Person(servers[1]), Authenticator()
    laptop.at[0].table()
    laptop.known()
    here = {"headers": {"Host": "localhost", "Origin": "http://localhost"}}
    options = laptop.at[0].ask("POST", "/api/me/passkeys/options", {}, **here)["options"]
    made = key.make(options, LOCAL)
    laptop.at[1].ask("POST", "/api/me/passkeys", {"passkey": made}, 201, **here)
    options = laptop.at[0].ask("POST", "/api/me/passkeys/challenge", {}, **here)["options"]
    signed = key.use(options, LOCAL)
    phone.ask("POST", "/api/me/join", {"passkey": signed}, 200, **here)  # its token is a cookie
    assert [len(person.ask("GET", "/api/me")["devices"]) for person in laptop.at] == [2, 2]
    Person(servers[0]).ask("POST", "/api/me/join", {"passkey": signed}, 409, **here)  # a challenge is answered once


def test_bots_go_on_at_another_server_when_theirs_is_killed(own_servers: list[Any]) -> None:
    red = Everywhere(own_servers)
    table = red.at[0].table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    red.known()
    with red.at[1].live(table) as live:
        for number in range(0, 8, 2):
            live.until(lambda frame, number=number: frame["type"] == "view" and frame["number"] == number and frame["moves"], 60)
            assert live.move(number, "aabb"[number // 2])["type"] == "done"  # four in one column would end the match
            if number == 2:
                own_servers[0].kill()
        view = live.until(lambda frame: frame.get("number") == 8 and frame["type"] == "view", 60)
        assert sorted({(line["n"], line["seat"]) for line in view["log"]}) == [(n, (n - 1) % 2) for n in range(1, 9)]


def test_connections_to_the_database_may_be_cut(own_servers: list[Any]) -> None:
    red, yellow, table = two(own_servers)
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid != pg_backend_pid() AND datname = current_database()"
    for number in range(4):
        with psycopg.connect(own_servers[0].data, autocommit=True) as connection:
            connection.execute(cut)
        who, deadline = (red, yellow)[number % 2].at[number // 2], time.monotonic() + 90
        headers = {"Authorization": f"Bearer {who.token}"}
        sent = {"number": number, "code": "abcd"[number]}
        while who.http.post(f"/api/tables/{table}/moves", json=sent, headers=headers).status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    assert same(red.views(table))["number"] == 4
    with red.at[0].live(table) as live:
        live.view()
        red.at[1].move(table, 4, "e")
        live.view(lambda view: view["number"] == 5)


def test_a_server_opens_its_data_though_its_connections_are_cut_meanwhile(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = 0

    def migrate(connection: sa.Connection) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            with psycopg.connect(database, autocommit=True) as other:
                others = "datname = current_database() AND pid != pg_backend_pid()"
                other.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # type: ignore[call-overload]
        bring_up_to_date(connection)

    monkeypatch.setattr("perankh.web.storage.migrate", migrate)
    opened = Storage(database)
    assert tries == 2
    assert opened.lock.is_held()
    opened.close()


def test_a_server_that_starts_while_the_database_is_cut_off_waits_for_it(database: str) -> None:
    name = sa.make_url(database).database or ""

    def admit(wanted: bool) -> None:
        with psycopg.connect(database.replace(f"/{name}?", "/postgres?"), autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {wanted}")  # type: ignore[call-overload]
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))

    async def start() -> None:
        storage = Storage(database)
        admit(False)
        app = create_app(storage, workers=1)
        open_again = asyncio.get_running_loop().run_in_executor(None, lambda: (time.sleep(1.5), admit(True)))
        async with asyncio.timeout(60), app.router.lifespan_context(app):
            assert open_again.done()  # it could not start before

    in_a_loop(start())


def test_what_an_address_may_do_seldom_is_counted_by_all_servers_together(database: str) -> None:
    async def run() -> None:
        apps = [create_app(Storage(database), workers=1, limits=Limits(tables=(1e-9, 6.0))) for _ in range(2)]
        async with apps[0].router.lifespan_context(apps[0]), apps[1].router.lifespan_context(apps[1]):
            first, second = (app.state.costly["tables"] for app in apps)
            assert all(buckets.take("10.0.0.1") for buckets in (first, first, second, first, second, second))
            while not (first.wait("10.0.0.1") and second.wait("10.0.0.1")):  # each hears of all that the other has granted
                await asyncio.sleep(0.02)
            assert not first.take("10.0.0.1")
            assert not second.take("10.0.0.1")
            assert first.take("10.0.0.2")
            pace = [app.state.pace for app in apps]
            pace[0].check("somebody", "10.0.0.1")
            while "somebody" not in pace[1].persons.levels:
                await asyncio.sleep(0.02)
            assert "10.0.0.1" in pace[1].addresses.levels

    in_a_loop(asyncio.wait_for(run(), PATIENCE))


# --- Within one server -------------------------------------------------------------------------------------------------------


async def opened(storage: Storage) -> tuple[Tables, str]:
    """The tables of a server, and one that is set up."""
    tables = Tables(Services(storage, (0, 0), 60, 60, 1), 300)
    wanted = [{"kind": "me"}, {"kind": "open"}]
    id, _ = await tables.create("me", get_game("mural"), 2, {}, wanted, None, SEED, Settings(60))
    return tables, id


def test_a_background_task_that_fails_begins_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        services = Services(Storage(tmp_path), (0, 0), 60, 60, 1)
        begun, done = 0, asyncio.Event()

        async def watch() -> None:
            nonlocal begun
            begun += 1
            if begun == 1:
                raise ZeroDivisionError
            done.set()

        services.keep_running(watch)
        await asyncio.wait_for(done.wait(), 30)
        await services.close()
        services.storage.close()

    in_a_loop(run())
    assert "ZeroDivisionError" in caplog.text


def test_whoever_waited_for_a_table_that_was_dropped_gets_the_one_that_others_have(database: str) -> None:
    """Of two objects for one table, one would hear of nothing any more."""

    async def play() -> None:
        storage = Storage(database)
        tables, id = await opened(storage)
        old = tables.tables[id]
        async with old.lock:
            waiting = asyncio.create_task(tables.known(id))
            await asyncio.sleep(0)
            old.drop()
            new = await tables.known(id)
        assert new is not old
        assert await waiting is new
        assert tables.tables[id] is new
        await tables.services.close()
        storage.close()

    in_a_loop(play())


def test_a_change_that_could_not_be_read_at_once_is_read_later(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        storage = Storage(database)
        tables, id = await opened(storage)
        cluster = Cluster(tables, Devices(storage), Alerts(tables.services, tables, AlertSettings()), {})
        table, read, failures = tables.tables[id], storage.read, 0

        async def read_at_the_second_try(work: Any) -> Any:
            nonlocal failures
            failures += 1
            if failures == 1:
                raise Unavailable
            return await read(work)

        for look in (lambda: cluster.hear(f"table {id} {table.version + 1}"), cluster.look_again):
            await storage.write(lambda connection: take_tables(connection, [id]))  # as another server does
            known, failures = table.version, 0
            monkeypatch.setattr(storage, "read", read_at_the_second_try)
            look()
            while table.version == known:
                await asyncio.sleep(0.05)
            monkeypatch.setattr(storage, "read", read)
            assert not table.gone
        await tables.services.close()
        storage.close()

    in_a_loop(asyncio.wait_for(play(), 60))


def test_a_move_is_decided_on_what_is_stored_without_reading_first(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two servers that hear nothing of each other."""

    async def play() -> None:
        storages = Storage(database), Storage(database)
        tables, id = await opened(storages[0])
        others = Tables(Services(storages[1], (0, 0), 60, 60, 1), 300)
        here = tables.tables[id]
        await here.sit("you", None, None, True, None)
        await here.start("me", None, None)
        there = await others.known(id)

        def next_move(table: Table) -> tuple[str, int, str, int]:
            p = table.match.actors[0]
            return ("me", "you")[p], table.number, table.game.text.CODES[table.match.legal(p)[-1]], p

        def stored() -> list[str]:
            with storages[0].engine.connect() as connection:
                rows = connection.execute(sa.select(moves.c.code).where(moves.c.table_id == id).order_by(moves.c.number))
                return list(rows.scalars())

        async def not_at_all(work: Any) -> Any:
            raise AssertionError("something is read before a move")

        first = next_move(here)
        with monkeypatch.context() as patched:
            patched.setattr(storages[0], "read", not_at_all)
            assert await here.move(*first) == 0
        second = next_move(here)
        assert len(here.match.legal(second[3])) > 1  # a real choice can be taken back
        assert (here.number, there.number) == (1, 0)
        with pytest.raises(Refused):
            await here.move(second[0], 2, *second[2:])
        assert await there.move(*second) == 1  # its number was ahead of what was known there
        assert (here.number, there.number) == (1, 2)
        with pytest.raises(Refused) as refusal:
            await here.move(*second[:2], "nonsense", second[3])
        assert (refusal.value.status, refusal.value.facts["number"]) == (409, 2)
        assert await here.move(*second) == 1  # sent again
        assert stored() == [first[2], second[2]]
        async with there.lock:
            await undo.take_back(there, second[3])
        assert (here.number, there.number) == (2, 1)
        assert await here.move(*second) == 1  # it was made, as far as was known; it is made anew
        assert stored() == [first[2], second[2]]
        assert here.rewinds == 1
        await here.move(*next_move(here))
        with pytest.raises(Refused):
            await there.move(*second[:2], first[2], second[3])
        assert len(stored()) == there.number == 3
        for services, storage in zip((tables.services, others.services), storages, strict=True):
            await services.close()
            storage.close()

    in_a_loop(asyncio.wait_for(play(), 120))


def test_the_first_server_that_sends_a_question_begins_the_time_to_answer(database: str) -> None:
    storage = Storage(database)
    with storage.engine.begin() as connection:
        for stamp in (5.0, 7.0):
            write_asked(connection, "one", 1, "0 3", stamp)
        assert select_asked(connection, "one") == [(1, "0 3", 5.0)]
        write_asked(connection, "one", 1, "0 4", 9.0)  # its next decision
        assert select_asked(connection, "one") == [(1, "0 4", 9.0)]
    storage.close()


def test_the_time_in_which_no_server_runs_counts_against_nobody(database: str) -> None:
    storage = Storage(database)
    with storage.engine.begin() as connection:
        set_clock(connection)
        connection.execute(shared_clock.update().values(alive=shared_clock.c.alive - 100))
        other = Storage(database)  # another server runs: the time was not lost
        set_clock(connection)
        assert connection.execute(sa.select(shared_clock.c.lost)).scalar_one() < 50
    other.close()
    with storage.engine.connect() as connection:
        wait_until(lambda: servers_connected(connection) == 1)
    with storage.engine.begin() as connection:
        set_clock(connection)
        assert 100 <= connection.execute(sa.select(shared_clock.c.lost)).scalar_one() < 150
    storage.close()
