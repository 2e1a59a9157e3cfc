"""Whatever is sent, the answer is a refusal with its reason, and the others play on."""

from __future__ import annotations

import contextlib
import json
import socket
import string
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from .conftest import Live, Person, Server

New = Callable[[], Person]
quick = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

words = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        ["start", "move", "settings", "look", "undo", "vote", "ping", "a", "me", "bot", "open", "undo", "connect_four"]
    ),
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-2, 4) | st.floats() | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=8,
)
NAMES = (
    *(
        "type",
        "game",
        "players",
        "options",
        "seats",
        "clock",
        "minutes",
        "seed",
        "seat",
        "name",
        "kind",
        "bot",
        "changes",
        "edition",
    ),
    *("number", "code", "what", "agree", "at", "since", "viewer", "lang", "shape", "hot_seat", "ready", "contribution"),
)
names = st.sampled_from(NAMES)
objects = st.dictionaries(names, values, max_size=6)
ROUTES = [
    ("POST", "/api/tables"),
    ("POST", "/api/tables/{}/seats"),
    ("PATCH", "/api/tables/{}/seats/1"),
    ("PATCH", "/api/tables/{}/seats/{}"),
    ("POST", "/api/tables/{}/start"),
    ("POST", "/api/tables/{}/moves"),
    ("POST", "/api/tables/{}/undo"),
    ("POST", "/api/tables/{}/why"),
    ("POST", "/api/tables/{}/votes"),
    ("POST", "/api/replays"),
    ("POST", "/api/editions"),
    ("POST", "/api/editions/draft"),
    ("PUT", "/api/editions/{}"),
]


@pytest.fixture(scope="module")
def victim(server: Any) -> Iterator[tuple[Person, str, Live]]:
    """Somebody who plays on at a table while others send nonsense to it."""
    red = Person(server)
    table = red.table(seats=[{"kind": "me"}, {"kind": "open"}])
    with red.live(table) as live:
        yield red, table, live


def still_there(victim: tuple[Person, str, Live]) -> None:
    _, _, live = victim
    live.send(type="ping")
    assert live.until(lambda frame: frame["type"] == "pong")


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_bodies(server: Any, victim: tuple[Person, str, Live], method: str, path: str) -> None:
    fool = Person(server)

    @quick
    @given(body=objects | values, raw=st.none() | st.binary(max_size=40), place=words)
    def fuzz(body: Any, raw: bytes | None, place: str) -> None:
        address = path.format(victim[1], json.dumps(place).strip('"').replace("/", "").replace("?", "").replace("#", "") or "x")
        content = raw if raw is not None else json.dumps(body).encode()
        answer = fool.http.request(method, address, content=content, headers={"content-type": "application/json"})
        assert answer.status_code < 500, (answer.status_code, answer.text)
        if answer.status_code >= 400:
            assert set(answer.json()["reason"]) == {"en", "ja"}

    fuzz()
    still_there(victim)


@quick
@given(
    path=st.sampled_from(["", "/file", "/start", "/live", "/x"]),
    table=st.text(string.printable, max_size=14) | st.just(""),
    query=st.dictionaries(names, st.text(max_size=12), max_size=4),
)
def test_addresses(server: Any, path: str, table: str, query: dict[str, str]) -> None:
    fool = Person(server)
    cleaned = "".join(letter for letter in table if letter.isalnum() or letter in "-_%.") or "AAAAAAAAAAAA"
    answer = fool.http.get(f"/api/tables/{cleaned}{path}", params=query)
    assert answer.status_code < 500, answer.text
    fool.http.close()


def test_queries(server: Any, victim: tuple[Person, str, Live]) -> None:
    fool = Person(server)

    @quick
    @given(query=st.dictionaries(names, st.text(max_size=12) | st.integers().map(str), max_size=5))
    def fuzz(query: dict[str, str]) -> None:
        answer = fool.http.get(f"/api/tables/{victim[1]}", params=query)
        assert answer.status_code < 500, answer.text

    fuzz()
    still_there(victim)


def test_frames(server: Any, victim: tuple[Person, str, Live]) -> None:
    fool = Person(server)
    with fool.live(victim[1]) as live:
        live.view()

        @quick
        @given(frame=objects | values)
        def fuzz(frame: Any) -> None:
            live.socket.send(json.dumps(frame))
            live.send(type="ping")
            while (answer := live.next())["type"] != "pong":
                assert answer["type"] in ("view", "error", "refused"), answer

        fuzz()
        for raw in (
            "",
            "{",
            "[]",
            "null",
            '"ping"',
            "1" * 4097,
            '{"type": "move"}',
            "[" * 4000,
            '{"type": "ping", "x": "\\ud800"}',
        ):
            live.socket.send(raw)
            assert live.answer()["type"] == "error"
        live.socket.send(b"\xff\x00")
        assert live.answer()["type"] == "error"
        live.socket.send(json.dumps({"type": "ping"}).encode())
        assert live.answer()["type"] == "pong"
    still_there(victim)


def test_a_small_frame_that_unpacks_to_a_large_one_ends_its_connection(server: Any) -> None:
    red = Person(server)
    table = red.table()
    with red.live(table) as live:
        live.view()
        live.socket.send("0" * 50_000_000)  # 50 KB compressed, less than a frame may have
        with pytest.raises(ConnectionClosedError) as closed:
            live.until(lambda frame: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    assert red.view(table)["number"] == 0


def test_text_that_is_none_ends_its_connection_without_a_traceback(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    server.log = tmp_path / "log"
    server.start()
    try:
        red = Person(server)
        table = red.table(seats=[{"kind": "me"}, {"kind": "me"}])
        with red.live(table) as live:
            for bad in (b"\xff", b'{"type": "ping", "a": "\xc3\x28"}', [b"\xe3\x81", b"\x82", b"\xe3"]):
                with red.live(table) as other:
                    other.view()
                    other.socket.send(bad, text=True)
                    with pytest.raises(ConnectionClosedError):
                        other.until(lambda frame: False)
                    assert other.socket.close_code == 1007
            live.socket.send([b'{"type": "ping", "a": "\xe3\x81', b'\x82"}'], text=True)  # a character in two fragments
            assert live.answer()["type"] == "pong"
    finally:
        server.kill()
    assert "Traceback" not in server.log.read_text("utf-8")


def test_nested_and_strange_bodies(person: New) -> None:
    fool = person().http
    for raw in (
        b"[" * 100_000,
        b'{"game":' * 20_000,
        b'{"game": "\\ud800", "players": 2}',
        b'{"players": ' + b"9" * 5000 + b"}",
        b"\xff",
    ):
        answer = fool.post("/api/tables", content=raw, headers={"content-type": "application/json"})
        assert 400 <= answer.status_code < 500, answer.text
    big = fool.post("/api/tables", content=b" " * 256_001, headers={"content-type": "application/json"})
    assert big.status_code == 413
    surrogate = b'{"game": "connect_four", "players": 2, "options": {"\\udfff": "\\ud800"}}'
    answer = fool.post("/api/tables", content=surrogate, headers={"content-type": "application/json"})
    assert answer.status_code == 422


def test_tokens_that_are_none(person: New) -> None:
    fool = person()
    for header in ("Bearer", "Bearer x", "Basic abc", "Bearer " + "x" * 44):
        assert fool.http.get("/api/tables", headers={"Authorization": header}).status_code == 401
    assert fool.http.get("/api/tables", headers={"Cookie": "perankh=nonsense"}).json() == []


def test_other_sites_are_kept_out(person: New, server: Any) -> None:
    red = person()
    table = red.table()
    for origin in (
        "http://evil.example",
        "null",
        f"http://evil.example:{server.port}",
        "http://[",
        f"{server.address}.evil.example",
    ):
        answer = red.http.post(f"/api/tables/{table}/seats", json={}, headers={"Origin": origin})
        assert answer.status_code == 403, origin
        with pytest.raises(InvalidStatus):
            connect(f"{server.address.replace('http', 'ws')}/api/tables/{table}/live", origin=origin)  # type: ignore[arg-type]
    own = red.http.post(f"/api/tables/{table}/seats", json={}, headers={"Origin": server.address})
    assert own.status_code == 200


def test_every_answer_bears_the_headers_of_the_house(person: New) -> None:
    http = person().http
    for path in ("/", "/api/games", "/api/nothing", "/nothing", "/art/connect_four.svg", "/api/tables/AAAAAAAAAAAA"):
        headers = http.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'; script-src 'self'"), path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers


def test_no_table_no_connection(person: New) -> None:
    for table in ("AAAAAAAAAAAA", "x"):
        with person().live(table) as live:
            assert live.next()["type"] == "error"
    with pytest.raises(InvalidStatus, match="404"), person().live("%00"):
        pass
    with person().live(person().table(), viewer="x") as live:
        assert live.next()["type"] == "error"


def test_raw_bytes_on_the_port(server: Any, victim: tuple[Person, str, Live]) -> None:
    for raw in (
        b"\x00" * 64,
        b"GET / HTTP/1.1\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"\r\n" * 99,
    ):
        with socket.create_connection(("127.0.0.1", server.port), 5) as connection:
            connection.sendall(raw)
            connection.settimeout(0.2)
            with contextlib.suppress(TimeoutError):
                assert b" 500 " not in connection.recv(4096)
    still_there(victim)


def test_whoever_asks_too_much_waits(tmp_path: Any) -> None:
    server = Server(tmp_path, rate=20).start()
    try:
        red = Person(server)
        table = red.table()
        with red.live(table) as live:
            for _ in range(60):
                live.send(type="ping")
            kinds = [live.answer()["type"] for _ in range(60)]
            assert kinds.count("pong") >= 20
            assert "error" in kinds
        time.sleep(1.2)  # frames and requests of an address share a rate
        codes = [red.http.get("/api/games").status_code for _ in range(60)]
        assert set(codes) == {200, 429}
    finally:
        server.kill()
