"""Random frames over live connections: well-formed and not, in and out of order, by spectators and by players."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import os
import random
import struct
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.frames import CloseCode

from .honest import Honest, loaded
from .house import House
from .people import GONE, Broken, Person, Tally, addresses, seated
from .witness import Witness

TABLES = (("maqha", 3), ("connect_four", 2), ("mural", 3), ("egizia", 2), ("imhotep", 2), ("cleocatra", 2))
RATE = 25.0  # frames a second and connection: more would be answered with 429 alone
JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, -(2**63), 10**30, 1.5, -0.0, 1e308, "", "0", " ", "\x00", "\ud83d", "😀" * 40),
    *([], {}, [[]], {"type": "move"}, [1, 2, 3], "move", "ja", "tall", "wide", "en", "../../etc/passwd", "{{7*7}}", "é" * 200),
)
TYPES = ("move", "settings", "look", "undo", "vote", "start", "say", "seen", "ping")
NAMES = ("type", "number", "code", "seat", "lang", "shape", "viewer", "at", "since", "what", "agree", "id", "contribution")
NAMES += ("text", "phrase", "name")
TEXTS = ("hello", "<script>alert(1)</script>", "\u202e", "\x00", "{{7*7}}", "x" * 301, "é" * 299, "😀" * 150, " ", "' OR 1=1 --")


class Facts:
    """What an attacker knows of its table: the last view."""

    def __init__(self) -> None:
        self.number = 0
        self.seats = 2
        self.codes: list[str] = ["a"]
        self.own: list[int] = []
        self.known = asyncio.Event()

    def learn(self, view: Any) -> None:
        """Take what is useful from a view."""
        self.known.set()
        self.number, self.seats, self.own = view["number"], len(view["players"]), view["own"]
        if view["moves"]:
            self.codes = [move["code"] for move in view["moves"]]


def well_formed(luck: random.Random, facts: Facts) -> dict[str, Any]:
    """A frame that the server understands, now and then at the wrong time."""
    seat = luck.choice([*facts.own, *range(facts.seats)])
    match luck.choices(TYPES, (54, 6, 4, 4, 4, 4, 6, 4, 14))[0]:
        case "move":
            number = facts.number + luck.choice((0, 0, 0, 0, -1, 1, -5, 1000))
            frame: dict[str, Any] = {"type": "move", "number": number, "code": luck.choice(facts.codes)}
            return frame | ({"seat": seat} if luck.random() < 0.5 else {})
        case "settings":
            return {"type": "settings", "lang": luck.choice(("en", "ja")), "viewer": luck.choice((-1, seat))}
        case "look":
            return {"type": "look", "at": luck.choice((None, 0, facts.number, luck.randint(0, facts.number + 2))), "since": 10**6}
        case "undo":
            return {"type": "undo", "seat": seat}
        case "vote":
            return {"type": "vote", "what": luck.choice(("undo", "undo", "bot", "time")), "agree": luck.random() < 0.2}
        case "start":
            return {"type": "start", "contribution": luck.randbytes(32).hex(), "seat": seat}
        case "say":
            said = {"text": luck.choice(TEXTS)} if luck.random() < 0.7 else {"phrase": luck.choice(("hello", "luck", "rude"))}
            return {"type": "say", "name": luck.choice(("Owl", "", "two\nlines"))} | said
        case "seen":
            return {"type": "seen", "number": luck.choice((0, facts.number, facts.number + 5))}
        case kind:
            return {"type": kind}


def malformed(luck: random.Random, facts: Facts) -> dict[str, Any]:
    """A frame with a part of the wrong kind, without a part, or with one too many."""
    frame = well_formed(luck, facts)
    name = luck.choice([*frame, *NAMES])
    if luck.random() < 0.2:
        frame.pop(name, None)
    else:
        frame[name] = luck.choice(JUNK)
    return frame


def random_frame(luck: random.Random, facts: Facts) -> str | bytes | list[str] | list[bytes]:
    """Something to send: a text, bytes, or the pieces of a fragmented frame."""
    kind = luck.random()
    text = json.dumps(well_formed(luck, facts) if kind < 0.45 else malformed(luck, facts))
    if kind < 0.72:
        return text
    if kind < 0.80:  # half-formed
        return text[: luck.randrange(len(text))] + luck.choice(("", "}", ",", '"', "\n", "]"))
    if kind < 0.86:  # changed characters
        places = list(text)
        for _ in range(luck.randint(1, 4)):
            places[luck.randrange(len(places))] = chr(luck.choice((0, 34, 92, 123, 125, 0x7F, 0x2028, 0xFFFF, 0x1F600)))
        return "".join(places)
    if kind < 0.90:  # bytes
        return luck.choice((text.encode(), luck.randbytes(luck.randint(0, 300)), text.encode("utf-16")))
    if kind < 0.94:  # in pieces
        cuts = sorted(luck.randrange(len(text) + 1) for _ in range(luck.randint(1, 5)))
        return [text[i:j] for i, j in itertools.pairwise((0, *cuts, len(text)))]
    if kind < 0.97:  # deep, wide or long
        long = '{"type": "ping", "x": "' + "x" * luck.randint(100, 60_000) + '"}'
        return luck.choice(("[" * luck.randint(1, 2000), '{"type":' * luck.randint(1, 400), long))
    return luck.choice(('{"type": "ping", "type": "move"}', "NaN", '{"type": "move", "number": 1e999}', "[]", "1", '"x"'))


class FrameAttack:
    """Connections that send random frames to a few tables of their own and to those of honest players."""

    def __init__(self, house: House, witness: Witness, seed: int, count: int, sockets: int) -> None:
        self.house = house
        self.witness = witness
        self.seed = seed
        self.count = count
        self.sockets = sockets
        self.tally = Tally()
        self.sent = 0
        self.reconnects = 0
        self.where = addresses(20)
        self.tables: list[tuple[str, str, list[Person]]] = []

    async def run(self, honest: list[str]) -> None:
        """Send all frames, then play the attackers' own tables to their end and fetch the files."""
        for game, players in TABLES if self.sockets > 16 else TABLES[:2]:
            table, people = await seated(self.house, self.where, game, players)
            self.tables.append((table, game, people))
            self.witness.rewound.add(table)
        jobs = []
        for n in range(self.sockets):
            table, _, people = self.tables[n % len(self.tables)]
            if n % 4 == 3 and honest:
                jobs.append(self.attack(n, honest[n % len(honest)], Person(self.house, next(self.where))))
            elif n % 4 == 2:
                jobs.append(self.attack(n, table, Person(self.house, next(self.where))))
            else:
                jobs.append(self.attack(n, table, people[n // len(self.tables) % len(people)]))
        jobs += [self.break_protocol(n) for n in range(max(1, self.sockets // 4))]
        await asyncio.gather(*jobs)
        await asyncio.gather(*(self.end(number, *table) for number, table in enumerate(self.tables)))

    async def end(self, number: int, table: str, game: str, people: list[Person]) -> None:
        """Play a table of the attackers to its end, so that its seed is known."""
        last = Honest(self.house, self.witness, self.seed, 50 + number)
        last.stopping = True  # no pauses
        await last.finish(table, people)
        await self.witness.over(table, people[0], loaded(game))

    async def attack(self, number: int, table: str, person: Person) -> None:
        """One connection, opened anew whenever the server ends it."""
        luck = random.Random(f"frames {self.seed} {number}")
        left, last = self.count // self.sockets, ""
        facts = Facts()
        while left > 0:
            try:
                query = luck.choice(("since=0", "lang=ja&shape=tall&chat=1", "viewer=-1&since=5", "since=0&chat=1"))
                async with person.live(table, query) as socket:
                    reading = asyncio.create_task(self.read(socket, person, facts))
                    try:
                        known = asyncio.create_task(facts.known.wait())
                        await asyncio.wait([reading, known], return_when=asyncio.FIRST_COMPLETED)
                        while left > 0 and not reading.done():
                            left -= 1
                            self.sent += 1
                            last = await self.send(socket, luck, facts)
                            await asyncio.sleep(2 * luck.random() / RATE)
                        await asyncio.sleep(0.2)
                    finally:
                        reading.cancel()
                        await asyncio.wait([reading])
                        if not reading.cancelled() and isinstance(error := reading.exception(), Broken):
                            self.tally.fail(str(error))
                        if socket.close_code == CloseCode.INTERNAL_ERROR:
                            self.tally.fail("the server failed after", last)
            except GONE:
                self.reconnects += 1
                left -= 1
                await asyncio.sleep(0.05)

    async def send(self, socket: ClientConnection, luck: random.Random, facts: Facts) -> str:
        """Send a random frame, or a control frame; returns what it was."""
        kind = luck.random()
        if kind < 0.01:
            await socket.ping(luck.randbytes(luck.randint(0, 125)))
            return "a ping"
        if kind < 0.02:
            await socket.pong(luck.randbytes(luck.randint(0, 125)))
            return "a pong"
        if kind < 0.022:
            await socket.close(luck.choice((CloseCode.NORMAL_CLOSURE, 3000, 4999)), "x" * luck.randint(0, 120))
            return "a close"
        frame = random_frame(luck, facts)
        with contextlib.suppress(UnicodeEncodeError):  # half a character cannot be sent as text
            await socket.send(frame)
        return repr(frame)

    async def read(self, socket: ClientConnection, person: Person, facts: Facts) -> None:
        """Take what comes; every view is kept for the check of secrets."""
        async for text in socket:
            frame = self.witness.see(person, text)
            kind = frame.get("type")
            if kind == "view":
                facts.learn(frame)
            self.tally.statuses[0 if kind == "view" else 200 if kind in ("done", "pong", "chat") else 400] += 1
            if kind not in ("view", "done", "pong", "refused", "error", "chat"):
                raise Broken(f"an unknown frame: {text[:200]!r}")

    async def break_protocol(self, number: int) -> None:
        """Frames against the protocol itself, written by hand: not masked, with reserved bits, of wrong lengths, unfinished."""
        luck = random.Random(f"protocol {self.seed} {number}")
        person = Person(self.house, next(self.where))
        for _ in range(max(2, self.count // self.sockets // 40)):
            try:
                reader, writer = await person.open()
                key = base64.b64encode(os.urandom(16)).decode()
                table = luck.choice(self.tables)[0]
                lines = [f"GET /api/tables/{table}/live HTTP/1.1", f"Host: {self.house.host}", "Upgrade: websocket"]
                lines += ["Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
                writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
                status = int((await asyncio.wait_for(reader.readline(), 20)).split()[1])
                self.tally.count(status, "a handshake")
                for _ in range(luck.randint(1, 5)):
                    self.sent += 1
                    writer.write(broken_frame(luck))
                await asyncio.wait_for(writer.drain(), 5)
                if luck.random() < 0.5:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(reader.read(1 << 16), 0.3)
                writer.close()
            except (*GONE, IndexError, ValueError):
                self.reconnects += 1
            await asyncio.sleep(0.02)


def broken_frame(luck: random.Random) -> bytes:
    """A frame of the protocol, with anything in any part of its head."""
    payload = luck.choice((b'{"type":"ping"}', luck.randbytes(luck.randint(0, 200)), b"\xff\xfe\xc0", b""))
    first = luck.choice((0x81, 0x82, 0x01, 0x00, 0x80, 0x88, 0x89, 0x8A, 0xF1, 0x83, 0x8F, 0xC1, luck.randrange(256)))
    masked = luck.choice((0x80, 0x80, 0x80, 0))
    size = luck.choice((len(payload), len(payload), luck.randrange(126), 126, 127))
    head = bytes([first, masked | min(size, 127)])
    if size == 126:
        head += struct.pack(">H", luck.choice((len(payload), 65535)))
    elif size == 127:
        head += struct.pack(">Q", luck.choice((len(payload), 2**63, 2**32)))
    mask = luck.randbytes(4)
    body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)) if masked else payload
    return head + (mask if masked else b"") + body
