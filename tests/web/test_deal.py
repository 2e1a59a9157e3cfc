"""The lobby and the deal: nobody foresees, chooses or shops for a deal, and nobody looks through a seat that another plays."""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

from perankh.match.deal import Contribution, Deal, server_contribution
from perankh.match.file import parse

from ..conftest import CONNECT_FOUR
from .conftest import Person

New = Callable[[], Person]
EGIZIA = {"game": "egizia", "players": 2, "ready": False}


def contribution() -> str:
    return secrets.token_hex(32)


def seats(table: str) -> str:
    return f"/api/tables/{table}/seats"


def cards(view: Any) -> str:
    """Everything that a view shows of a deal."""
    return json.dumps([view[part] for part in ("scene", "text", "moves", "log", "events", "seed_hash")])


NOTHING = json.dumps([None, "", [], [], [], None])


# --- The attacks ---------------------------------------------------------------------------------------------------------------


def test_sitting_looking_and_leaving_shows_nothing(person: New) -> None:
    host, spy = person(), person()
    table = host.table(**EGIZIA)
    for _ in range(3):
        assert spy.sit(table, ready=False)["seat"] == 1
        for query in ({}, {"viewer": 1}, {"viewer": -1}, {"lang": "ja", "shape": "tall"}):
            assert cards(spy.view(table, **query)) == NOTHING
        assert cards(host.view(table, viewer=0)) == NOTHING
        host.view(table, 403, viewer=1)
        host.view(table, 409, at=0)
        spy.ask("GET", f"/api/tables/{table}/file", None, 409)
        spy.ask("GET", f"/api/tables/{table}/analysis", None, 409)
        spy.ask("POST", f"/api/tables/{table}/hint", {}, 409)
        spy.ask("POST", f"/api/tables/{table}/undo", {}, 409)
        with spy.live(table, viewer=1) as live:
            assert cards(live.view()) == NOTHING
            live.send(type="look", at=0)
            assert live.answer()["type"] == "error"
            live.send(type="settings", viewer=0)
            assert live.answer()["error"] == "That is not your seat."
        spy.ask("PATCH", f"{seats(table)}/1", {"kind": "open"}, 200)
        assert spy.view(table)["own"] == []


def test_deals_cannot_be_looked_at_before_they_count(person: New) -> None:
    """Sixty tables: each shows a commitment and nothing that depends on the deal, until everybody is bound to it."""
    shopper, friend = person(), person()
    commitments = set()
    for _ in range(60):
        made = shopper.ask("POST", "/api/tables", EGIZIA, 201)
        shopper.start(made["id"], contribution=contribution())
        view = shopper.view(made["id"])
        assert cards(view) == NOTHING
        assert view["deal"]["commitment"] == made["commitment"]
        assert view["deal"]["secret"] is None
        commitments.add(made["commitment"])
    assert len(commitments) == 60
    friend.sit(made["id"])
    assert cards(shopper.view(made["id"])) != NOTHING


def test_nobody_sees_the_hand_of_a_seat_that_another_has_held(person: New) -> None:
    host, friend, spy = person(), person(), person()
    table = host.table(**EGIZIA | {"ready": True})
    friend.sit(table)
    assert cards(friend.view(table)) != NOTHING
    friend.ask("PATCH", f"{seats(table)}/1", {"kind": "open"}, 200)
    for who in (host, friend, spy):
        assert who.sit(table, 409, seat=1)["error"]
        assert who.sit(table, 409)["error"]
        who.view(table, 403, viewer=1)
    assert host.view(table)["players"][1]["kind"] == "bot"
    host.ask("PATCH", f"{seats(table)}/1", {"kind": "open"}, 403)
    host.ask("PATCH", f"{seats(table)}/1", {"kind": "me"}, 403)


def test_one_person_has_one_seat(person: New) -> None:
    host, friend = person(), person()
    refusal = host.ask("POST", "/api/tables", EGIZIA | {"seats": [{"kind": "me"}] * 2}, 422)
    assert "hot_seat" in refusal["error"]
    table = host.table(**EGIZIA | {"players": 3})
    assert "already" in host.sit(table, 409)["error"]
    assert "already" in host.sit(table, 409, seat=1)["error"]
    friend.sit(table, seat=2)
    assert "already" in friend.sit(table, 409, seat=1)["error"]
    shared = host.table(**EGIZIA | {"players": 3, "hot_seat": True})
    assert host.sit(shared)["seat"] == 1
    assert friend.sit(shared)["seat"] == 2
    assert friend.view(shared)["hot_seat"]
    assert host.start(shared)["status"] == "playing"
    assert cards(host.view(shared, viewer=0)) != cards(host.view(shared, viewer=1))
    friend.view(shared, 403, viewer=0)


# --- The chain ---------------------------------------------------------------------------------------------------------------


def test_a_program_follows_the_whole_chain(person: New) -> None:
    red, yellow = person(), person()
    made = red.ask("POST", "/api/tables", {"game": "connect_four", "players": 2}, 201)
    table, commitment = made["id"], made["commitment"]
    assert yellow.view(table)["deal"] == {
        "commitment": commitment,
        "seed_given": False,
        "contributions": [None, None],
        "secret": None,
    }
    mine, yours = contribution(), contribution()
    yellow.sit(table, ready=False, contribution=yours)
    view = red.view(table)
    assert [player["started"] for player in view["players"]] == [False, True]
    assert view["deal"]["contributions"] == [None, {"by": "player", "value": yours}]
    with red.live(table) as live:
        live.send(type="start", contribution=mine)
        dealt = live.view(lambda view: view["status"] == "playing")
    assert dealt["deal"]["secret"] is None
    for number, code in enumerate("abababa"):
        (red, yellow)[number % 2].move(table, number, code)
    over = yellow.view(table)
    secret = bytes.fromhex(over["deal"]["secret"])
    assert hashlib.sha256(secret).hexdigest() == commitment
    assert [given["value"] for given in over["deal"]["contributions"]] == [mine, yours]
    digest = hashlib.sha256(b"perankh deal\n" + secret + bytes.fromhex(mine) + bytes.fromhex(yours)).hexdigest()
    assert over["seed"] == digest[:32]
    assert over["seed_hash"] == dealt["seed_hash"] == hashlib.sha256(digest[:32].encode()).hexdigest()
    match = parse(red.ask("GET", f"/api/tables/{table}/file"), None, CONNECT_FOUR)
    assert match.deal == Deal(secret, tuple(Contribution("player", bytes.fromhex(value)) for value in (mine, yours)))


def test_the_server_contributes_for_bots_and_for_those_who_do_not(person: New) -> None:
    red = person()
    table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}], ready=False)
    before = red.view(table)["deal"]
    assert before["contributions"][0] is None
    assert before["contributions"][1]["by"] == "server"
    red.start(table)
    with red.live(table) as live:
        while (view := live.view(lambda view: view["moves"] or view["status"] == "over"))["status"] != "over":
            live.move(view["number"], view["moves"][0]["code"])
    secret = bytes.fromhex(view["deal"]["secret"])
    expected = [server_contribution(secret, p).value.hex() for p in range(2)]
    assert [given["value"] for given in view["deal"]["contributions"]] == expected
    assert expected[1] == before["contributions"][1]["value"]


def test_a_contribution_is_given_once(person: New) -> None:
    red, yellow = person(), person()
    table = red.table(ready=False)
    mine = contribution()
    for _ in range(2):  # the second time because the answer was lost
        red.start(table, contribution=mine)
    assert "stands" in red.start(table, 409, contribution=contribution())["error"]
    red.start(table)  # ready already
    for bad in ("", "abc", mine.upper(), mine + "00", "g" * 64, "0x" + mine[2:]):
        assert "64 hexadecimal digits" in red.start(table, 422, contribution=bad)["error"]
        yellow.sit(table, 422, contribution=bad)
    yellow.start(table, 403)
    red.start(table, 403, seat=1)
    red.start(table, 404, seat=7)
    assert red.view(table)["deal"]["contributions"] == [{"by": "player", "value": mine}, None]
    yellow.sit(table)
    red.start(table, contribution=mine)
    red.start(table, 409, contribution=contribution())
    assert red.view(table)["status"] == "playing"


def test_whoever_leaves_takes_the_contribution_along_and_the_others_stay_ready(person: New) -> None:
    red, blue, late = person(), person(), person()
    table = red.table(**EGIZIA | {"players": 3, "ready": True})
    blue.sit(table, contribution=contribution())
    assert [player["started"] for player in red.view(table)["players"]] == [True, True, False]
    blue.ask("PATCH", f"{seats(table)}/1", {"name": "Blau"}, 200)
    assert red.view(table)["players"][1]["started"]
    blue.ask("PATCH", f"{seats(table)}/1", {"kind": "open"}, 200)
    assert [player["started"] for player in red.view(table)["players"]] == [True, False, False]
    late.sit(table, seat=1, ready=False)
    assert not late.view(table)["players"][1]["started"]
    red.ask("PATCH", f"{seats(table)}/2", {"kind": "bot", "bot": "random"}, 200)
    assert late.view(table)["prompt"].startswith("Waiting for ")
    assert late.start(table)["status"] == "playing"


def test_a_lobby_survives_a_crash_with_its_secret(own_server: Any) -> None:
    red, yellow = Person(own_server), Person(own_server)
    table = red.table(ready=False)
    mine = contribution()
    red.start(table, contribution=mine)
    before = red.view(table)
    own_server.kill()
    own_server.start()
    after = red.view(table)
    assert after["deal"] == before["deal"]
    assert [player["started"] for player in after["players"]] == [True, False]
    yellow.sit(table)
    dealt = red.view(table)
    own_server.kill()
    own_server.start()
    assert red.view(table)["seed_hash"] == dealt["seed_hash"]
    for number, code in enumerate("abababa"):
        (red, yellow)[number % 2].move(table, number, code)
    deal = red.view(table)["deal"]
    assert hashlib.sha256(bytes.fromhex(deal["secret"])).hexdigest() == before["deal"]["commitment"]


def test_a_given_seed_is_said_to_be_given(person: New) -> None:
    red = person()
    table = red.table(seats=[{"kind": "me"}] * 2, seed=5)
    for number, code in enumerate("abababa"):
        red.move(table, number, code, seat=number % 2)
    view = red.view(table)
    assert view["deal"]["seed_given"]
    assert view["seed"] == f"{5:032x}"
    text = red.ask("GET", f"/api/tables/{table}/file")
    assert "commitment" not in text
    replayed = red.view(red.ask("POST", "/api/replays", None, 201, content=text.encode())["id"])
    assert replayed["deal"] is None
    assert replayed["status"] == "over"


def test_a_damaged_deal_is_noticed(own_server: Any) -> None:
    red, yellow = Person(own_server), Person(own_server)
    lobby, emptied = red.table(ready=False), red.table(ready=False)
    running, changed, sound = red.table(), red.table(), red.table()
    for table in (running, changed, sound):
        yellow.sit(table)
        red.move(table, 0, "a")
    own_server.kill()
    with closing(sqlite3.connect(own_server.data / "perankh.db")) as database:
        database.execute("UPDATE tables SET deal = '{}' WHERE id IN (?, ?)", [lobby, running])
        database.execute("UPDATE tables SET deal = NULL WHERE id = ?", [emptied])
        (stored,) = database.execute("SELECT deal FROM tables WHERE id = ?", [changed]).fetchone()
        deal = json.loads(stored) | {"secret": contribution()}
        database.execute("UPDATE tables SET deal = ? WHERE id = ?", [json.dumps(deal), changed])
        database.commit()
    own_server.start()
    for table in (lobby, emptied):
        assert "damaged" in red.view(table, 409)["error"]
    for table in (running, changed):
        assert red.view(table)["status"] == "broken"
    assert red.view(sound)["status"] == "playing"
