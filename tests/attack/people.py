"""People who talk to the server: requests written by hand over real sockets, each person from an address of its own.

Every address of 127.0.0.0/8 is this computer, so one program can be many visitors to limits that go by address.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from .house import House

PATIENCE = 60.0  # seconds after which a request counts as not answered
GONE = (OSError, EOFError, TimeoutError, WebSocketException, asyncio.IncompleteReadError)


class Broken(Exception):
    """A promise was broken."""


def addresses(group: int) -> Iterator[str]:
    """Addresses of this computer, others for every group."""
    for n in range(60_000):
        yield f"127.{group}.{n // 250}.{1 + n % 250}"


@dataclass
class Answer:
    """What the server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as plain values."""
        return json.loads(self.body)


@dataclass
class Tally:
    """What the server answered to an attack, and what it must not answer."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    overload: int = 0  # answers 503, which say that there is too much to do

    def count(self, status: int, sent: object) -> None:
        """Count an answer; a server error is a fault, with what caused it."""
        self.statuses[status] += 1
        if status == 503:
            self.overload += 1
        elif status >= 500:
            self.faults.append(f"{status} in answer to {shown(sent)}")

    def fail(self, what: str, sent: object = "") -> None:
        """Count a fault."""
        self.faults.append(f"{what} {shown(sent)}")

    def text(self) -> str:
        """The answers by status."""
        return " ".join(f"{status}:{count}" for status, count in sorted(self.statuses.items()))


def shown(sent: object, most: int = 4000) -> str:
    """What was sent, so that it can be sent again."""
    text = sent if isinstance(sent, str) else repr(sent)
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


class Person:
    """Somebody with an address and, once it is needed, a token. Requests go over one connection, one after the other."""

    def __init__(self, house: House, address: str = "127.0.0.1", token: str | None = None) -> None:
        self.house = house
        self.address = address
        self.token = token
        self.stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.lock = asyncio.Lock()

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A new connection."""
        opening = asyncio.open_connection("127.0.0.1", self.house.port, local_addr=(self.address, 0), limit=1 << 24)
        return await asyncio.wait_for(opening, PATIENCE)

    def close(self) -> None:
        """End the connection."""
        if self.stream:
            self.stream[1].close()
            self.stream = None

    async def send_raw(self, request: bytes, head_only: bool = False, patience: float = PATIENCE) -> Answer:
        """Send bytes and read an answer. EOFError if the server ends the connection instead."""
        async with self.lock:
            kept = self.stream is not None
            try:
                return await self._exchange(request, head_only, patience)
            except (OSError, EOFError):
                self.close()
                if not kept:
                    raise
            return await self._exchange(request, head_only, patience)  # the connection had been idle for too long

    async def _exchange(self, request: bytes, head_only: bool, patience: float) -> Answer:
        self.stream = self.stream or await self.open()
        reader, writer = self.stream
        try:
            writer.write(request)
            answer = await asyncio.wait_for(read_answer(reader, head_only), patience)
        except BaseException:
            self.close()
            raise
        if answer.headers.get("connection", "").lower() == "close":
            self.close()
        return answer

    async def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None, patience: float = PATIENCE
    ) -> Answer:
        """A well-formed request; a new token is kept."""
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        given = {"Host": self.house.host, "Content-Length": str(len(content))}
        if body is not None and not isinstance(body, bytes):
            given["Content-Type"] = "application/json"
        if self.token:
            given["Authorization"] = f"Bearer {self.token}"
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in (given | (headers or {})).items())]
        request = ("\r\n".join(lines) + "\r\n\r\n").encode() + content
        answer = await self.send_raw(request, method == "HEAD", patience)
        if answer.status in (200, 201) and b'"token"' in answer.body:
            self.token = answer.json().get("token") or self.token
        return answer

    async def must(self, method: str, path: str, body: Any = None, **settings: Any) -> Any:
        """The JSON answer of a request that must succeed. Too much at once is asked again a little later."""
        for _ in range(60):
            answer = await self.ask(method, path, body, **settings)
            if answer.status not in (429, 503):
                break
            await asyncio.sleep(0.5)
        if answer.status >= 300:
            raise Broken(f"{method} {path} {body}: {answer.status} {answer.body[:300]!r}")
        return answer.json()

    # --- Tables ---------------------------------------------------------------------------------------------------------

    async def table(self, game: str, players: int, **wanted: Any) -> str:
        """Set up a table; the first seat is one's own."""
        return str((await self.must("POST", "/api/tables", {"game": game, "players": players, **wanted}))["id"])

    async def sit(self, table: str, **wanted: Any) -> int:
        """Sit down."""
        return int((await self.must("POST", f"/api/tables/{table}/seats", wanted))["seat"])

    async def view(self, table: str, query: str = "") -> Any:
        """The table as one sees it."""
        return await self.must("GET", f"/api/tables/{table}{query}")

    @asynccontextmanager
    async def live(self, table: str, query: str = "since=0", **settings: Any) -> AsyncIterator[ClientConnection]:
        """A live connection."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        url = f"ws://{self.house.host}/api/tables/{table}/live?{query}"
        options = {"compression": None, "max_size": None, "open_timeout": PATIENCE, "close_timeout": 1, **settings}
        async with connect(url, additional_headers=headers, local_addr=(self.address, 0), **options) as socket:
            yield socket


async def read_answer(reader: asyncio.StreamReader, head_only: bool = False) -> Answer:
    """Read one answer of HTTP/1.1."""
    status = 100
    while status == 100:  # continue
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip("\r\n").split("\r\n")
        status = int(first.split(" ", 2)[1])
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if head_only or status in (204, 304) or status < 200:
        return Answer(status, headers, b"")
    if "content-length" in headers:
        return Answer(status, headers, await reader.readexactly(int(headers["content-length"])))
    if headers.get("transfer-encoding") == "chunked":
        body = b""
        while size := int((await reader.readline()).split(b";")[0], 16):
            body += await reader.readexactly(size)
            await reader.readexactly(2)
        await reader.readline()
        return Answer(status, headers, body)
    return Answer(status, headers | {"connection": "close"}, await reader.read())


async def next_view(socket: ClientConnection, patience: float = PATIENCE) -> Any:
    """The next view that comes over a live connection."""
    async with asyncio.timeout(patience):
        while True:
            frame = json.loads(await socket.recv())
            if frame["type"] == "view":
                return frame


def need(condition: bool, promise: str) -> None:
    """Raise the promise that was broken, unless the condition holds."""
    if not condition:
        raise Broken(promise)


async def seated(house: House, where: Iterator[str], game: str, players: int, **wanted: Any) -> tuple[str, list[Person]]:
    """People on all seats of a new table whose match has begun."""
    people = [Person(house, next(where)) for _ in range(players)]
    table = await people[0].table(game, players, ready=True, **wanted)
    for other in people[1:]:
        await other.sit(table, ready=True)
    return table, people
