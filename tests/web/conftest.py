"""A real server process, and people who talk to it over real sockets."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from perankh.web.services import Services
from perankh.web.storage import Storage
from perankh.web.tables import Tables

from ..conftest import ROOT
from ..forked import Program
from .postgresql import fresh_database, postgresql

spec = importlib.util.spec_from_file_location("web_server", ROOT / "bench" / "web_server.py")
assert spec
assert spec.loader
web_server = sys.modules["web_server"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(web_server)


class Server(web_server.Server):  # type: ignore[misc, name-defined]
    """A server that starts at once, and judges a decision of the short matches of tests in a tenth of a second."""

    def __init__(self, data: Path | str, games: Path | None = None, **settings: Any) -> None:
        super().__init__(data, games, **{"decision_time": 0.1} | settings)

    def launch(self, arguments: list[str], environment: dict[str, str]) -> Program:
        errors = str(self.log or "/dev/stderr")
        return Program(web_server.__file__, arguments, environment, files=(os.devnull, os.devnull, errors))


FOUR = {"game": "connect_four", "players": 2}
PATIENCE = 90.0  # seconds in which everything comes, also where processors are shared with tests that compile


def pytest_itemcollected(item: pytest.Item) -> None:
    """A group for each file; the tests of a worker share a server."""
    item.add_marker(pytest.mark.xdist_group(f"web-{item.path.stem}"))


def in_a_loop(work: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine returns. It runs in a thread of its own: this one may have an event loop, of a browser."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


class Live:
    """A live connection. `view` waits for a view that fits; every frame that came is kept."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []

    def next(self, timeout: float = PATIENCE) -> Any:
        text = self.socket.recv(timeout)
        assert isinstance(text, str)
        self.frames.append(text)
        return json.loads(text)

    def send(self, **frame: Any) -> None:
        self.socket.send(json.dumps(frame))

    def until(self, fits: Callable[[Any], bool], timeout: float = PATIENCE) -> Any:
        deadline = time.monotonic() + timeout
        while True:
            frame = self.next(max(0.01, deadline - time.monotonic()))
            if fits(frame):
                return frame

    def view(self, fits: Callable[[Any], bool] = lambda view: True) -> Any:
        return self.until(lambda frame: frame["type"] == "view" and fits(frame))

    def answer(self) -> Any:
        return self.until(lambda frame: frame["type"] != "view")

    def move(self, number: int, code: str, seat: int | None = None) -> Any:
        self.send(type="move", number=number, code=code, **({} if seat is None else {"seat": seat}))
        return self.answer()


class Person:
    """Somebody with a token (or, before the first need, without one)."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.address, timeout=PATIENCE, verify=False)  # certificates take long to load
        self.token: str | None = None
        self.live_headers: dict[str, str] = {}

    def ask(self, method: str, path: str, body: Any = None, status: int | None = None, **settings: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = self.http.request(method, path, json=body, headers=headers | settings.pop("headers", {}), **settings)
        assert answer.status_code == (status or answer.status_code), answer.text
        assert answer.status_code < 500, answer.text
        found = answer.json() if "json" in answer.headers.get("content-type", "") else answer.text
        if status is None:
            assert answer.status_code < 300, answer.text
        if isinstance(found, dict) and "token" in found:
            self.token = found["token"]
        return found

    def table(self, **wanted: Any) -> str:
        """A table at which this person is ready; several own seats share a device."""
        mine = [seat for seat in wanted.get("seats") or [] if seat["kind"] == "me"]
        usual = {"ready": True, "hot_seat": len(mine) > 1}
        return str(self.ask("POST", "/api/tables", FOUR | usual | wanted, 201)["id"])

    def sit(self, table: str, status: int = 200, **wanted: Any) -> Any:
        """Sit down and be ready."""
        return self.ask("POST", f"/api/tables/{table}/seats", {"ready": True} | wanted, status)

    def start(self, table: str, status: int = 200, **given: Any) -> Any:
        return self.ask("POST", f"/api/tables/{table}/start", given, status)

    def view(self, table: str, status: int = 200, **query: Any) -> Any:
        return self.ask("GET", f"/api/tables/{table}", None, status, params=query)

    def move(self, table: str, number: int, code: str, status: int = 200, **more: Any) -> Any:
        return self.ask("POST", f"/api/tables/{table}/moves", {"number": number, "code": code, **more}, status)

    @contextmanager
    def live(self, table: str, **query: Any) -> Iterator[Live]:
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        url = f"{self.server.address.replace('http', 'ws')}/api/tables/{table}/live?{asked}"
        headers = self.live_headers | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        with connect(url, additional_headers=headers, max_size=None) as socket:
            yield Live(socket)


def counted(person: Person) -> Any:
    """Somebody's standing and matches, when all results are counted."""
    while (answer := person.ask("GET", "/api/me/matches"))["counting"]:
        pass
    return answer


def last_move(view: Any) -> str:
    """The lines of the log about the last move."""
    return " ".join(line["text"] for line in view["log"] if line["n"] == view["number"])


def tables_in(folder: Path, bot_pause: tuple[float, float] = (0, 0)) -> Tables:
    """Tables in this process, stored in a folder."""
    return Tables(Services(Storage(folder), bot_pause, away=60, work_limit=60), idle=300)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The server that most tests share."""
    running = Server(tmp_path_factory.mktemp("server"), away=0.5).start()
    yield running
    running.kill()


@pytest.fixture
def person(server: Any) -> Callable[[], Person]:
    """Somebody new each time it is called."""
    return lambda: Person(server)


@pytest.fixture(scope="session")
def database_server() -> Iterator[str]:
    """A real PostgreSQL server, started once."""
    with postgresql() as address:
        yield address


@pytest.fixture
def database(database_server: str) -> str:
    """An empty database of it."""
    return fresh_database(database_server)


@pytest.fixture(params=["sqlite", "postgresql"])
def any_data(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where data can be kept: each test runs on both kinds of database."""
    if request.param == "sqlite":
        return str(tmp_path / "data")
    return fresh_database(request.getfixturevalue("database_server"))


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Any]:
    """A server of one's own, to be killed and started again."""
    running = Server(tmp_path / "data").start()
    yield running
    running.kill()
