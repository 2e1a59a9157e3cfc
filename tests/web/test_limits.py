"""What holds against those who want to shut others out: connections, rates, names of the server, foreign sites."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from perankh.cli import main
from perankh.errors import BadOption
from perankh.web import editions
from perankh.web.cli import add_serve
from perankh.web.guard import COSTLY
from perankh.web.limits import Buckets, Limits, Shares
from perankh.web.serve import within_files
from perankh.web.settings import Settings
from perankh.web.site import group, make_site

from ..conftest import ROOT
from .conftest import FOUR, Person, Server

spec = importlib.util.spec_from_file_location("web_connections", ROOT / "bench" / "web_connections.py")
assert spec
assert spec.loader
attack = importlib.util.module_from_spec(spec)
spec.loader.exec_module(attack)

PATIENCE = 90  # seconds, far more than the server's time-outs here
PROXY = "127.0.0.9"
linux = pytest.mark.skipif(sys.platform != "linux", reason="the whole of 127.0.0.0/8 is this machine only on Linux")


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server with short time-outs, few connections and few tables."""
    times = dict.fromkeys(("header_time", "idle_time", "body_time", "write_time", "ping_time"), 1)
    caps = {"connections": 60, "address_connections": 40, "sockets": 4, "refill": 3, "costly": 20, "trusted_proxies": PROXY}
    running = Server(tmp_path_factory.mktemp("strict"), **times, **caps).start()
    yield running
    running.kill()


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server that answers an address three times a second, after twenty at once."""
    limits = {"rate": 20, "refill": 3, "trusted_proxies": PROXY}
    running = Server(tmp_path_factory.mktemp("slow"), **limits).start()
    yield running
    running.kill()


def rest_of(connection: socket.socket) -> bytes:
    """Whatever comes until the server ends the connection; fails if it does not."""
    connection.settimeout(PATIENCE)
    found = b""
    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
        while piece := connection.recv(65_536):
            found += piece
    return found


def trickle(connection: socket.socket, pieces: Iterator[bytes]) -> bytes:
    """Send a piece every now and then until the server ends the connection; fails if it does not."""
    connection.settimeout(0.1)
    deadline = time.monotonic() + PATIENCE
    found = b""
    for piece in pieces:
        assert time.monotonic() < deadline, "the connection is still open"
        try:
            connection.sendall(piece)
            new = connection.recv(65_536)
        except TimeoutError:
            continue
        except OSError:
            break
        found += new
        if not new:
            break
    return found


def endless(piece: bytes) -> Iterator[bytes]:
    while True:
        yield piece


@lru_cache
def client_at(source: str) -> httpx.Client:
    """Somebody at one of this machine's addresses."""
    return httpx.Client(transport=httpx.HTTPTransport(local_address=source, verify=False), timeout=PATIENCE)


def get(server: Any, source: str, **headers: str) -> httpx.Response:
    """An answer, asked for from one of this machine's addresses."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return client_at(source).get(f"{server.address}/api/games", headers=given)


# --- Time-outs ----------------------------------------------------------------------------------------------------------------


def test_silent_connections_are_closed(strict: Any) -> None:
    with attack.connect(strict.port) as fresh, attack.connect(strict.port) as used:
        used.sendall(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert rest_of(fresh) == b""
        assert rest_of(used).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("beginning", "piece"),
    [
        (b"", b"\r\n"),
        (b"GET / HTTP/1.1\r\n", b"X-Slow: 1\r\n"),
        (attack.HALF_BODY, b" "),
        (attack.HALF_BODY.replace(b"Content-Length: 200", b"Transfer-Encoding: chunked")[:-1], b"1\r\n \r\n"),
        (attack.HALF_BODY.replace(b"200", b"200000000"), b" "),  # refused for its length, sent on nevertheless
        (attack.HALF_BODY.replace(b"200", b"200000000"), b" " * 5000),
        (attack.HALF_BODY.replace(b"/api/tables", b"/api/replays"), b" "),
    ],
    ids=["nothing", "head", "body", "chunks", "refused", "refused and faster", "upload"],
)
def test_slow_senders_are_cut_off(strict: Any, beginning: bytes, piece: bytes) -> None:
    with attack.connect(strict.port) as connection:
        connection.sendall(beginning)
        found = trickle(connection, endless(piece))
    assert found[:13] in (b"", b"HTTP/1.1 408 ", b"HTTP/1.1 413 ")


def test_those_who_do_not_read_are_cut_off(strict: Any) -> None:
    ask = b"GET /static/board.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", strict.port))
        connection.settimeout(0.1)
        deadline = time.monotonic() + PATIENCE
        with contextlib.suppress(ConnectionError):
            while time.monotonic() < deadline:
                with contextlib.suppress(TimeoutError):
                    connection.sendall(ask * 8)
                time.sleep(0.05)
            pytest.fail("the connection is still open")


def test_headers_and_queues_are_bounded(strict: Any) -> None:
    for raw, status in (
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000, b"431"),
        (b"GET /" + b"x" * 40_000, b"431"),
        (b"GET / HTTP/1.1\r\n" + b"X: 1\r\n" * 200, b"400"),
    ):
        with attack.connect(strict.port) as connection:
            connection.sendall(raw)
            assert rest_of(connection).startswith(b"HTTP/1.1 " + status)
    with attack.connect(strict.port) as connection:
        connection.sendall(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n" * 500)
        assert rest_of(connection).count(b"HTTP/1.1 200 ") < 100


def handshake(port: int, table: str) -> socket.socket:
    """A live connection over a bare socket, so that nothing answers pings."""
    connection: socket.socket = attack.connect(port)
    key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    head = f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    connection.sendall(f"{head}{key}\r\n".encode())
    assert connection.recv(12) == b"HTTP/1.1 101"
    return connection


def test_dead_live_connections_are_closed(strict: Any) -> None:
    person = Person(strict)
    table = person.table()
    with person.live(table) as live:  # answers pings, and stays
        live.view()
        with handshake(strict.port, table) as dead:
            rest_of(dead)
        live.send(type="ping")
        assert live.answer()["type"] == "pong"


def test_floods_of_pings_end_a_live_connection(strict: Any) -> None:
    with handshake(strict.port, Person(strict).table()) as flood:
        flood.settimeout(PATIENCE)
        with contextlib.suppress(ConnectionError):
            flood.sendall(b"\x89\x80\0\0\0\0" * 200_000)
        assert rest_of(flood).count(b"\x8a\x00") < 100_000


# --- Room for newcomers -------------------------------------------------------------------------------------------------------


@linux
def test_a_visitor_gets_in_among_many_idle_connections(strict: Any) -> None:
    """Even from the same address; an own one here, since half-sent bodies count as new tables."""
    sent = (b"", b"", b"", attack.HALF_HEAD, attack.HALF_BODY)
    with attack.held(strict.port, 300, sent, ["127.0.0.41"]) as many:
        assert attack.visit(strict.port, "127.0.0.41") < PATIENCE
        assert attack.still_open(many) <= 40


@linux
def test_the_address_with_the_most_gives_way_and_players_stay(strict: Any) -> None:
    player = Person(strict)
    with player.live(player.table()) as live:
        live.view()
        with attack.held(strict.port, 200, (b"", attack.HALF_HEAD), attack.sources(5)) as greedy:
            assert attack.visit(strict.port, "127.0.0.77") < PATIENCE
            assert attack.still_open(greedy) <= 60
        live.send(type="ping")
        assert live.answer()["type"] == "pong"


@linux
def test_live_connections_are_limited_by_address(strict: Any) -> None:
    table = Person(strict).table()
    address = f"{strict.address.replace('http', 'ws')}/api/tables/{table}/live"

    def open_from(source: str) -> Any:
        return stack.enter_context(connect(address, sock=attack.connect(strict.port, source), max_size=None))

    with contextlib.ExitStack() as stack:
        for _ in range(4):
            assert json.loads(open_from("127.0.0.5").recv(PATIENCE))["type"] == "view"
        with pytest.raises(ConnectionClosed) as closed:
            open_from("127.0.0.5").recv(PATIENCE)
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1013
        assert json.loads(open_from("127.0.0.6").recv(PATIENCE))["type"] == "view"


def test_shares_go_to_those_who_have_less() -> None:
    shares, ended = Shares(most=6, most_each=5), []
    for number in range(5):
        assert shares.enter("a", lambda number=number: ended.append(number))  # type: ignore[misc]
    assert not shares.enter("a", lambda: None)
    assert shares.enter("b", lambda: None)
    assert ended == []
    last = lambda: None  # noqa: E731
    assert shares.enter("c", last)
    assert ended == [4]  # the newest of the address with the most
    assert shares.count == 6
    shares.leave("c", last)
    shares.leave("c", last)
    assert shares.count == 5
    assert set(shares.held) == {"a", "b"}


def test_files_are_left_for_the_server_itself() -> None:
    for files in (256, 1024, 4096, 65_536):
        limits, backlog = within_files(Limits(), files)
        assert limits.connections + backlog < files - 60
        assert limits.connections >= min(4000, files // 2)


@pytest.mark.skipif(sys.platform == "win32", reason="limits on files are Unix's")
def test_more_connections_than_files(tmp_path: Path) -> None:
    command = f"ulimit -n 256; exec {sys.executable} -m perankh.cli serve"
    settings = {"PORT": "0", "DATA": str(tmp_path), "NO_OPEN": "yes", "ADDRESS_CONNECTIONS": "5000"}
    environment = os.environ | {f"PERANKH_{name}": value for name, value in settings.items()}
    pipe = subprocess.PIPE
    process = subprocess.Popen(["sh", "-c", command], stdout=pipe, stderr=pipe, text=True, env=environment)
    assert process.stdout
    try:
        found = re.search(r":(\d+)/", process.stdout.readline())
        assert found
        port = int(found[1])
        with attack.held(port, 600) as many:
            assert attack.visit(port) < PATIENCE
            assert attack.still_open(many) < 256
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors


# --- Rates --------------------------------------------------------------------------------------------------------------------


def refusals(ask: Callable[[int], int], times: int = 60) -> int:
    """How many of many requests are refused as too many."""
    return [ask(number) for number in range(times)].count(429)


@linux
def test_made_up_tokens_and_forwarded_addresses_do_not_help(slow: Any) -> None:
    def ask(number: int) -> int:
        token = f"{number:043}"
        headers = {"Authorization": f"Bearer {token}", "X_Forwarded_For": f"10.0.0.{number}"}
        return get(slow, source="127.0.0.21", **headers).status_code

    assert refusals(ask) > 0
    assert get(slow, source="127.0.0.22").status_code == 200  # others are served


@linux
def test_a_trusted_proxy_is_believed_from_the_right(slow: Any) -> None:
    assert refusals(lambda number: get(slow, source=PROXY, X_Forwarded_For=f"10.1.0.{number}").status_code) == 0
    assert refusals(lambda number: get(slow, source=PROXY, X_Forwarded_For=f"10.2.0.{number}, 10.3.0.1").status_code) > 0
    assert refusals(lambda number: get(slow, source=PROXY, X_Forwarded_For=f"2001:db8::{number:x}").status_code) > 0


@linux
@pytest.mark.parametrize(
    "path",
    [
        "/api/tables",
        "/api/replays",
        "/api/lessons/connect_four",
        *(f"/api/tables/AAAAAAAAAAAA/{what}" for what in ("rematch", "practice", "hint")),
    ],
)
def test_what_costs_much_is_limited_by_address(strict: Any, path: str) -> None:
    client = client_at("127.0.0.31")
    answers = [client.post(strict.address + path, json={}, headers=bearer(number)) for number in range(60)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert int(refused[0].headers["retry-after"]) == refused[0].json()["retry_after"] >= 1
    assert get(strict, "127.0.0.31").status_code == 200  # other requests are answered
    assert client_at("127.0.0.32").post(strict.address + path, json={}).status_code != 429  # so are other addresses


@linux
@pytest.mark.parametrize(
    ("path", "body", "source"), [("/api/me", {"name": "Ada"}, "127.0.0.33"), ("/api/alerts", {"remind": 5}, "127.0.0.34")]
)
def test_what_is_kept_of_invented_persons_is_limited_by_address(
    strict: Any, path: str, body: dict[str, Any], source: str
) -> None:
    client = client_at(source)
    statuses = [client.patch(strict.address + path, json=body, headers=bearer(number)).status_code for number in range(60)]
    assert set(statuses) == {200, 429}
    assert statuses.count(200) < 40


def test_no_address_fills_the_server_with_editions() -> None:
    taken = {name for name, method, path in COSTLY if method == "POST" and path.fullmatch("/api/editions")}
    rate, at_once = min(getattr(Limits(), name) for name in taken)
    assert editions.MOST / rate > 20 * 86_400  # an address that makes editions day and night needs weeks
    assert at_once >= editions.MOST_OWN


def test_whoever_takes_no_seat_leaves_nothing_behind(own_server: Any) -> None:
    first = Person(own_server)
    table = first.table(seats=[{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "random"}])
    for _ in range(5):
        Person(own_server).ask("POST", f"/api/tables/{table}/seats", {"name": "Nobody"}, 409)
    with contextlib.closing(sqlite3.connect(own_server.data / "perankh.db")) as database:
        assert database.execute("SELECT name FROM persons").fetchall() == [("Ada",)]


@pytest.mark.parametrize("ending", ["%0A", "%0D", "%00", "%0A%0A", "%20", "%E2%80%A8", "/", "//", "%2F", ";", "."])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/tables"),
        ("POST", "/api/replays"),
        ("POST", "/api/lessons/connect_four"),
        ("POST", "/api/editions/draft"),
        ("POST", "/api/me/join"),
        ("POST", "/api/me/export"),
        ("POST", "/api/alerts/channels"),
        ("POST", "/api/tables/AAAAAAAAAAAA/enter"),
        ("POST", "/api/tables/AAAAAAAAAAAA/hint"),
    ],
)
def test_an_address_written_otherwise_gets_around_no_limit(strict: Any, method: str, path: str, ending: str) -> None:
    answer = httpx.request(method, f"{strict.address}{path}{ending}", json={}, follow_redirects=False, verify=False)
    assert answer.status_code in (307, 404, 405), answer.text  # nothing is done, or the usual address is named


def bearer(number: int) -> dict[str, str]:
    return {"Authorization": f"Bearer {number:043}"}


@linux
def test_frames_are_limited_by_address_too(slow: Any) -> None:
    table = Person(slow).table()
    address = f"{slow.address.replace('http', 'ws')}/api/tables/{table}/live"
    began, pongs = time.monotonic(), 0
    for number in range(4):
        raw = attack.connect(slow.port, "127.0.0.41")
        headers = bearer(number)
        with contextlib.suppress(InvalidStatus), connect(address, sock=raw, additional_headers=headers, max_size=None) as live:
            for _ in range(15):
                live.send('{"type": "ping"}')
            answers: list[str] = []
            while len(answers) < 15:
                kind = json.loads(live.recv(PATIENCE))["type"]
                answers += [kind] if kind != "view" else []
            pongs += answers.count("pong")
    assert 5 <= pongs <= 20 + 3 * (time.monotonic() - began)


def test_buckets_say_how_long_to_wait() -> None:
    buckets = Buckets(rate=0.1, most=2)
    assert [buckets.take("a") for _ in range(3)] == [True, True, False]
    assert 8 < buckets.wait("a") <= 10
    assert buckets.wait("b") == 0


def test_addresses_are_counted_by_network() -> None:
    assert group("2001:db8:0:1::5") == group("2001:db8:0:1:ffff::9") != group("2001:db8:0:2::5")
    assert group("::ffff:192.0.2.7") == group("192.0.2.7") != group("192.0.2.8")
    assert group("fe80::1%eth0") != group("fe80::2%eth0")
    assert group("") == ""
    assert group("testclient") == "testclient"


# --- Names of the server, foreign sites ---------------------------------------------------------------------------------------


def test_other_names_are_refused_even_with_a_matching_origin(server: Any) -> None:
    name = f"evil.example:{server.port}"
    for host in (name, "127.0.0.1.evil.example", "[::1", "localhost@evil.example"):
        headers = {"Host": host, "Origin": f"http://{host}"}
        assert httpx.post(f"{server.address}/api/tables", json=FOUR, headers=headers).status_code == 421
    page = httpx.get(server.address, headers={"Host": "evil.example", "Accept": "text/html", "Accept-Language": "ja"})
    assert page.status_code == 421
    assert "evil.example" in page.text
    assert 'lang="ja"' in page.text
    assert httpx.get(f"{server.address}/api/games", headers={"Host": "evil.example"}).status_code == 421
    table = Person(server).table()
    with pytest.raises(InvalidStatus) as refused, attack.connect(server.port) as raw:
        connect(f"ws://{name}/api/tables/{table}/live", sock=raw, origin=f"http://{name}")  # type: ignore[arg-type]
    assert refused.value.response.status_code == 421
    for known in ("localhost", "LOCALHOST.", f"127.0.0.1:{server.port}", "[::1]:9", "[0:0::1]"):
        assert httpx.get(f"{server.address}/api/games", headers={"Host": known}).status_code == 200, known


def test_requests_say_where_they_come_from(server: Any) -> None:
    for headers, status in (
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": server.address}, 201),
        ({"Origin": "http://localhost:1"}, 403),  # allowed as a host, and yet another site
        ({"Origin": f"https://127.0.0.1:{server.port}"}, 201),  # a proxy may add the s
        ({}, 201),
    ):
        assert httpx.post(f"{server.address}/api/tables", json=FOUR, headers=headers).status_code == status, headers


def test_sites() -> None:
    local = make_site("127.0.0.1")
    assert local.knows("localhost:8000")
    assert not local.knows("192.0.2.7:8000")
    assert not local.knows("")
    everywhere = make_site("0.0.0.0")
    for name in ("192.0.2.7:8000", "[2001:db8::1]", socket.gethostname(), "localhost"):
        assert everywhere.knows(name), name
    assert not everywhere.knows("games.example.org")
    assert make_site("0.0.0.0", allowed_hosts=["Games.example.org"]).knows("games.example.org:80")
    public = make_site("127.0.0.1", "https://games.example.org/", ["other.example"])
    assert public.knows("games.example.org")
    assert not public.knows("127.0.0.1")
    assert public.is_own("https://games.example.org", "games.example.org")
    assert public.is_own("https://other.example", "other.example")
    for origin in ("http://games.example.org", "https://games.example.org:444", "null", "https://evil.example", "", "https://"):
        assert not public.is_own(origin, "games.example.org"), origin
    proxies = make_site(trusted_proxies=["10.0.0.0/8", "::1"])
    assert proxies.client("192.0.2.1", ["1.1.1.1"]) == "192.0.2.1"
    assert proxies.client("10.0.0.1", ["1.1.1.1, 2.2.2.2:99", "10.9.9.9"]) == "2.2.2.2"
    assert proxies.client("::1", ["[2001:db8::1]:80"]) == "2001:db8::1"
    assert proxies.client("10.0.0.1", ["1.1.1.1, nonsense, 10.0.0.2"]) == "10.0.0.2"
    assert proxies.client("10.0.0.1", []) == "10.0.0.1"


@pytest.mark.parametrize(
    "settings",
    [
        {"public_address": "games.example.org"},
        {"public_address": "ftp://games.example.org"},
        {"public_address": "https://games.example.org/path?x=1"},
        {"public_address": "https://games.example.org//path"},
        {"public_address": "https://games.example.org/a b"},
        {"public_address": "https://games.example.org/../x"},
        {"public_address": "https://"},
        {"public_address": "https://user@games.example.org"},
        {"allowed_hosts": ["https://games.example.org"]},
        {"allowed_hosts": ["games.example.org:80"]},
        {"allowed_hosts": [""]},
        {"trusted_proxies": ["proxy.example"]},
        {"trusted_proxies": ["10.0.0.1/8"]},
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(BadOption):
        make_site("127.0.0.1", **settings)


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("PERANKH_PORT", "eighty", "PERANKH_PORT: 'eighty' is not a whole number"),
        ("PERANKH_NO_OPEN", "perhaps", "PERANKH_NO_OPEN: 'perhaps' is not one of"),
        ("PERANKH_CONNECTIONS", "0", "PERANKH_CONNECTIONS: '0' is not a whole number from 1"),
        ("PERANKH_TRUSTED_PROXY", "10.0.0.1, x", "trusted proxy 'x'"),
        ("PERANKH_PUBLIC_ADDRESS", "x", "public address 'x'"),
    ],
)
def test_bad_variables_are_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variable: str, value: str, said: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert main(["serve"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]
    assert main(["games", "--json"]) == 0  # other commands do not care


def test_every_option_of_the_server_is_documented() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    add_serve(parser)
    text = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    defaults = {one.name: one.default for one in fields(Settings)}
    for option in parser._actions:
        assert f"| `{option.option_strings[0]}" in text, option.option_strings
        default = defaults.get(option.dest)
        said = text.partition(f"| `{option.option_strings[0]}")[2].partition("\n")[0]
        assert f"{default if type(default) is int else ''}" in said, option.dest


@linux
def test_cookies_are_secure_if_the_proxy_says_so(strict: Any) -> None:
    for source, secure in ((PROXY, True), ("127.0.0.1", False)):
        headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1", "Sec-Fetch-Site": "same-origin"}
        cookie = client_at(source).post(f"{strict.address}/api/tables", json=FOUR, headers=headers).headers["set-cookie"]
        assert ("secure" in cookie.lower()) == secure


# --- Pages and headers --------------------------------------------------------------------------------------------------------


def test_a_page_that_does_not_exist_links_nowhere_else(server: Any) -> None:
    for path in (b"//evil.example/x", b"/\\evil.example/x", b"//evil.example/x?next=//evil.example"):
        with attack.connect(server.port) as connection:
            connection.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            page = rest_of(connection).decode()
        assert page.startswith("HTTP/1.1 404 ")
        links = re.findall(r'(?:href|src|action)="([^"]*)"', page)
        assert any(link.startswith("?") and "lang=ja" in link for link in links)
        assert all(re.match(r"[?#]|/($|[^/\\])", link) for link in links), links


def test_caching(server: Any) -> None:
    person = Person(server)
    table = person.table()
    for path in ("/api/tables", f"/api/tables/{table}", f"/api/tables/{table}/file", "/api/nothing"):
        assert person.http.get(path).headers["cache-control"] == "private, no-store", path
    (script,) = set(re.findall(r'"(/static/home\.js\?v=[^"]+)"', person.http.get("/").text))
    assert "immutable" in person.http.get(script).headers["cache-control"]
    assert person.http.get("/static/home.js").headers["cache-control"] == "no-cache"
    assert "max-age" in person.http.get("/art/connect_four.svg").headers["cache-control"]
