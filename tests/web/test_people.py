"""Persons: what they keep, their devices, transfer codes, recovery phrases, signing out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request
from websockets.exceptions import ConnectionClosed

from perankh.engine.words import LANGUAGES
from perankh.web import codes, one_time, recovery
from perankh.web.codes import checked_code
from perankh.web.devices import MOST_DEVICES, name_of_device
from perankh.web.me import code_link, origin_for_others
from perankh.web.site import make_site
from perankh.web.storage import Storage, one_time_secrets

from .conftest import FOUR, Person, Server

People = Callable[[], Person]
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0"


def code_of(person: Person) -> str:
    return str(person.ask("POST", "/api/me/code", status=201)["code"])


def join(person: Person, status: int = 200, **way: Any) -> Any:
    return person.ask("POST", "/api/me/join", way, status)


def added(person: Person, new: Person) -> Person:
    """A second device of a person."""
    join(new, code=code_of(person))
    return new


def about(person: Person) -> Any:
    return person.ask("GET", "/api/me")


# --- What is kept ------------------------------------------------------------------------------------------------------------


def test_nobody_is_anybody_before_something_is_kept(person: People) -> None:
    stranger = person()
    assert about(stranger)["known"] is False
    assert stranger.token is None
    for method, path, body in (
        ("DELETE", "/api/me", {"everything": True}),
        ("DELETE", "/api/me/devices", None),
        ("POST", "/api/me/export", None),
        ("DELETE", "/api/me/recovery", None),
    ):
        assert "Nothing is known" in stranger.ask(method, path, body, 401)["error"]
    stranger.ask("PATCH", "/api/me", {"name": " 愛子 ", "colour": "blue"}, 200)
    assert stranger.token
    found = about(stranger)
    assert (found["known"], found["name"], found["colour"]) == (True, "愛子", "blue")
    assert len(found["devices"]) == 1
    assert "mauve" in stranger.ask("PATCH", "/api/me", {"colour": "mauve"}, 422)["error"]
    stranger.ask("PATCH", "/api/me", {"name": "x" * 41}, 422)
    assert about(stranger)["name"] == "愛子"


def test_the_name_and_the_colour_come_to_the_table(person: People) -> None:
    red, blue = person(), person()
    table = red.table(seats=[{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}], players=3, game="imhotep")
    assert about(red)["name"] == "Ada"  # the first name is kept
    again = red.table()
    assert red.view(again)["players"][0]["name"] == "Ada"
    assert red.view(red.table(seats=[{"kind": "me", "name": ""}, {"kind": "open"}]))["players"][0]["name"] != "Ada"
    red.table(seats=[{"kind": "me", "name": "Other"}, {"kind": "open"}])
    assert about(red)["name"] == "Ada"
    host = person()
    nameless = host.table()
    host.ask("PATCH", f"/api/tables/{nameless}/seats/0", {"name": "Cyd"}, 200)  # entered in the lobby
    assert about(host)["name"] == "Cyd"
    seats = red.view(table)["players"]
    colours = [player["colour"] for player in seats]
    blue.ask("PATCH", "/api/me", {"name": "Bo", "colour": colours[2]}, 200)
    assert blue.sit(table)["seat"] == 2
    assert blue.view(table)["players"][2]["name"] == "Bo"


def test_devices_are_named_by_browser_and_system() -> None:
    safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1"
    chrome = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
    names = [name_of_device(agent) for agent in (FIREFOX, safari, chrome, "python-httpx/0.28", "")]
    assert names == ["Firefox · Windows", "Safari · iPhone", "Chrome · Android", "", ""]


# --- Transfer codes ----------------------------------------------------------------------------------------------------------


def test_a_code_adds_a_device_that_is_the_same_person_everywhere(person: People) -> None:
    laptop, phone, other = person(), person(), person()
    table = laptop.table(seats=[{"kind": "me", "name": "Ada"}, {"kind": "open"}])
    other.sit(table)
    assert join(phone, code=code_of(laptop).lower().replace("-", " "))["name"] == "Ada"
    assert phone.view(table)["own"] == [0]
    assert [row["id"] for row in phone.ask("GET", "/api/tables")] == [table]
    phone.sit(table, 409, seat=1)  # one person has one hand, on two devices too
    phone.move(table, 0, "a")
    other.move(table, 1, "b")
    laptop.move(table, 2, "c")
    laptop.ask("POST", f"/api/tables/{table}/undo", {}, 200)
    phone.ask("POST", f"/api/tables/{table}/votes", {"what": "undo", "agree": True}, 403)  # a vote is for others
    assert {device["here"] for device in about(phone)["devices"]} == {True, False}
    assert [device["here"] for device in about(laptop)["devices"]] == [True, False]
    # Both have tokens of their own, and neither can be used to find the other.
    assert phone.token != laptop.token


def test_a_code_is_good_once_and_only_the_last_one_counts(person: People) -> None:
    laptop, phone, third = person(), person(), person()
    old, new = code_of(laptop), code_of(laptop)
    assert "no longer" in join(phone, 403, code=old)["error"]
    assert "This device is yours" in join(laptop, 409, code=new)["error"]  # and it is not used up by that
    join(phone, code=new)
    join(third, 403, code=new)
    for wrong in ("", "short", "x" * 10 + "U", "UUUUU-UUUUU"):
        assert "10 letters" in join(third, 422, code=wrong)["error"]
    assert "one of code" in third.ask("POST", "/api/me/join", {"code": new, "phrase": "a"}, 422)["error"]
    assert third.token is None


@pytest.mark.parametrize(
    ("public", "host", "found"),
    [
        ("https://games.example", "games.example", "https://games.example"),
        ("https://games.example:8443", "games.example", "https://games.example:8443"),
        (None, "192.168.1.7:8000", "http://192.168.1.7:8000"),
        (None, "127.0.0.1:8000", None),  # there is nothing to scan: another device would reach itself
        (None, "localhost:8000", None),
    ],
)
def test_the_link_of_a_code_is_for_others(public: str | None, host: str, found: str | None) -> None:
    app = SimpleNamespace(state=SimpleNamespace(site=make_site("0.0.0.0", public)))
    scope = {
        "type": "http",
        "scheme": "http",
        "path": "/",
        "query_string": b"",
        "headers": [(b"host", host.encode())],
        "app": app,
    }
    assert origin_for_others(Request(scope)) == found
    link = code_link(found, "12345-67890") if found else ""
    assert link.partition("#")[0] in ("", f"{found}/me")  # what is after the # goes to no server and to no other page


def test_codes_end_and_are_read_generously(any_data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(one_time.time, "time", lambda: now)
    storage = Storage(any_data)
    with storage.engine.execution_options(writes=True).begin() as connection:
        code = codes.make_code(connection, "me")
        assert code not in repr(connection.execute(one_time_secrets.select()).all())  # only its digest is kept
        now += codes.LIFETIME
        assert codes.person_of(connection, code) == "me"
        now += 1
        assert codes.person_of(connection, code) is None
        assert codes.take_code(connection, code) is None
        monkeypatch.setattr(one_time, "MOST", 3)
        made = []
        for n in range(5):
            now += 1
            made.append(codes.make_code(connection, str(n)))
        assert [codes.person_of(connection, one) for one in made] == [None, None, "2", "3", "4"]
        assert [codes.take_code(connection, made[4]) for _ in range(2)] == ["4", None]
        assert one_time.owner_of(connection, "passkey", made[3].encode()) is None  # a code is no answer to anything else
    storage.close()
    assert checked_code(" ｏi1l0-abcde ") == "01110ABCDE"
    assert len(codes.SIGNS) ** codes.LENGTH >= 2**50


def test_what_a_device_had_comes_along(person: People) -> None:
    laptop, phone, other = person(), person(), person()
    mine = phone.table(seats=[{"kind": "me", "name": "Ada"}, {"kind": "open"}])
    other.sit(mine)
    phone.move(mine, 0, "a")
    together = laptop.table()
    phone.sit(together)
    old = phone.token
    code = code_of(laptop)
    assert "twice at a table" in join(phone, 409, code=code)["error"]
    assert phone.view(together)["own"] == [1]
    for number, column in enumerate("abababa"):  # once it is over, nobody has two hands
        (phone if number % 2 else laptop).move(together, number, column)
    with other.live(mine) as watched:
        watched.view()
        join(phone, code=code_of(laptop))
        assert phone.token != old
        watched.send(type="ping")
        assert watched.until(lambda frame: frame["type"] == "pong")  # the other one plays on undisturbed
    assert laptop.view(mine)["own"] == phone.view(mine)["own"] == [0]
    assert laptop.view(together)["own"] == [0, 1]
    other.move(mine, 1, "b")
    laptop.move(mine, 2, "a")
    assert about(laptop)["name"] == "Ada"  # chosen on the phone, and nowhere else
    stale = person()
    stale.token = old
    assert stale.view(mine)["own"] == []  # the token of before is nobody's


def test_two_persons_with_everything_become_one(person: People) -> None:
    laptop, phone, tablet, new = (person() for _ in range(4))
    phrase = phone.ask("POST", "/api/me/recovery", status=201)["words"]["en"]
    added(phone, tablet)
    table = tablet.table()
    added(laptop, phone)
    assert tablet.view(table)["own"] == laptop.view(table)["own"] == [0]
    assert len(about(laptop)["devices"]) == 3
    join(new, phrase=" ".join(phrase))  # of the two, one had a phrase: it is good for both
    assert len(about(laptop)["devices"]) == 4


def test_there_is_a_limit_to_devices(own_server: Any) -> None:
    laptop = Person(own_server)
    code_of(laptop)
    for _ in range(MOST_DEVICES - 1):
        added(laptop, Person(own_server))
    assert str(MOST_DEVICES) in join(Person(own_server), 409, code=code_of(laptop))["error"]
    assert laptop.ask("DELETE", "/api/me/devices", status=200) == {"signed_out": MOST_DEVICES - 1}
    added(laptop, Person(own_server))


# --- Signing out -------------------------------------------------------------------------------------------------------------


def test_a_device_that_is_signed_out_is_nobody(person: People, server: Any) -> None:
    laptop, phone, other = person(), person(), person()
    table = laptop.table()
    other.sit(table)
    added(laptop, phone)
    code = code_of(laptop)
    with phone.live(table) as live, laptop.live(table) as mine:
        assert live.view()["own"] == [0]
        mine.view()
        here = next(device["id"] for device in about(phone)["devices"] if not device["here"])
        phone.ask("DELETE", f"/api/me/devices/{here}", status=200)  # the first device, whose digest is the person's id
        with pytest.raises(ConnectionClosed):
            mine.until(lambda frame: False)
        live.move(0, "a")
    for method, path in (("GET", "/api/me"), ("GET", f"/api/tables/{table}"), ("POST", "/api/me/code")):
        assert "signed out" in laptop.ask(method, path, status=401)["error"]
    # A browser is simply somebody new.
    cookie = {"Cookie": f"perankh={laptop.token}", "Origin": server.address}
    assert laptop.http.get("/api/me", headers=cookie).json()["known"] is False
    assert laptop.http.get(f"/api/tables/{table}", headers=cookie).json()["own"] == []
    made = laptop.http.post("/api/tables", json=FOUR, headers=cookie)
    assert laptop.token
    assert laptop.token not in made.headers["set-cookie"]
    join(person(), 403, code=code)  # codes shown before are no longer good
    phone.move(table, 2, "b", 409)
    phone.ask("DELETE", "/api/me/devices/000000000000", status=404)
    phone.ask("DELETE", "/api/me/devices/%25", status=422)


def test_signed_out_stays_signed_out_after_a_restart(own_server: Any) -> None:
    laptop, phone, tablet = (Person(own_server) for _ in range(3))
    table = laptop.table()
    added(laptop, phone)
    added(laptop, tablet)
    phone.ask("DELETE", "/api/me/devices", status=200)
    own_server.kill()
    own_server.start()
    assert phone.view(table)["own"] == [0]
    laptop.view(table, 401)
    tablet.view(table, 401)
    added(phone, person := Person(own_server))
    assert person.view(table)["own"] == [0]


def test_a_browser_keeps_its_cookie_for_another_year(server: Any, person: People) -> None:
    laptop = person()
    laptop.table()
    cookie = {"Cookie": f"perankh={laptop.token}"}
    kept = laptop.http.get("/", headers=cookie).headers["set-cookie"]
    assert f"perankh={laptop.token}" in kept
    assert "HttpOnly" in kept
    assert "Max-Age=31536000" in kept
    assert "set-cookie" not in laptop.http.get("/", headers={"Cookie": "perankh=broken"}).headers


# --- The recovery phrase -----------------------------------------------------------------------------------------------------


def test_a_phrase_brings_one_back_in_any_language(person: People) -> None:
    lost, new, third = person(), person(), person()
    table = lost.table()
    words = lost.ask("POST", "/api/me/recovery", status=201)["words"]
    assert set(words) == set(LANGUAGES)
    assert all(len(words[lang]) == recovery.LENGTH for lang in LANGUAGES)
    wrong = " ".join([*words["en"][:-1], "pharaoh"])
    assert "Word 10, pharaoh," in join(new, 422, phrase=wrong)["error"]
    assert "not 9" in join(new, 422, phrase=" ".join(words["en"][:-1]))["error"]
    other = "river" if words["en"][0] != "river" else "lake"
    assert "Nobody" in join(new, 403, phrase=" ".join([other, *words["en"][1:]]))["error"]
    join(new, phrase="　".join(words["ja"]))
    assert new.view(table)["own"] == [0]
    join(third, phrase=", ".join(f"{n}. {word.upper()}" for n, word in enumerate(words["en"], 1)))
    assert third.view(table)["own"] == [0]
    again = new.ask("POST", "/api/me/recovery", status=201)["words"]
    join(person(), 403, phrase=" ".join(words["en"]))
    new.ask("DELETE", "/api/me/recovery", status=200)
    join(person(), 403, phrase=" ".join(again["en"]))
    assert about(new)["recovery"] is None


def test_the_list_of_words() -> None:
    assert len(recovery.LIST) == 256
    assert len(recovery.NUMBER_OF) == 256 * len(LANGUAGES)
    assert recovery.LENGTH * 8 >= 80
    for word in recovery.NUMBER_OF:
        assert recovery.in_hiragana(word) == word
    # A changed list would make all phrases useless that people have written down.
    told = hashlib.sha256(str(recovery.LIST).encode()).hexdigest()
    assert told == "e4bcdb0ffad1a31f5f2d37cfe078637e81e2e3fa393944330c87989e84e75e3d"
    assert recovery.verifier_of(bytes(10)) == "d1774f3c5aabb8afbdffe60ee796c88327b983510e2c1dd0f00875555fd0e0e1"


# --- Trying too often --------------------------------------------------------------------------------------------------------


def test_tries_are_limited_by_address(tmp_path: Any) -> None:
    server = Server(tmp_path, costly=3, refill=0.001).start()
    try:
        guesser = Person(server)
        statuses = [guesser.http.post("/api/me/join", json={"code": f"0000{n}-00000"}).status_code for n in range(5)]
        assert statuses == [403, 403, 403, 429, 429]
        assert guesser.http.post("/api/me/recovery").status_code == 429
    finally:
        server.kill()
