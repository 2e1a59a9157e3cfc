"""Connections: time-outs, sizes, and room for newcomers.

Uvicorn waits for a request as long as it takes, and takes as many connections as come. The classes here are its protocols with
a deadline for whatever the other side owes: a header, the rest of a body, the next request, or the reading of an answer. A
connection that the server works for has no deadline. When there are too many, those that wait longest are closed, beginning with
the address that has the most.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from perankh.web.limits import Limits
from perankh.web.site import Site, group

MOST_HEADERS = 128  # lines of a header
MOST_PIPELINED = 16  # requests that wait on one connection behind the one being answered
MOST_DISCARDED = 16_000_000  # bytes of a body that are read and dropped after the request was refused
MOST_UNREAD = 2_000_000  # bytes that wait for the reader of a live connection
LINGER = 2.0  # seconds in which the rest of a refused body is read, so that its sender sees the answer
CONTROL_FRAMES = (10, 100)  # pings and fragments a second of a live connection, and how many at once
REASONS = {
    408: "Request Timeout",
    413: "Content Too Large",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}

quiet = logging.getLogger("uvicorn.error.requests")  # errors of ours are logged, bad requests are not
quiet.setLevel(logging.ERROR)


def short_answer(status: int) -> bytes:
    """A whole answer for a connection that is closed."""
    text = REASONS[status]
    retry = "retry-after: 5\r\n" if status == 503 else ""
    head = f"HTTP/1.1 {status} {text}\r\ncontent-type: text/plain\r\ncontent-length: {len(text)}\r\n{retry}"
    return f"{head}connection: close\r\n\r\n{text}".encode()


class Connections:
    """All open connections, by address; those that wait for the other side can be closed for newcomers."""

    def __init__(self, limits: Limits, site: Site) -> None:
        self.limits = limits
        self.site = site
        self.open: set[Connection] = set()
        self.counts: Counter[str] = Counter()
        self.waiting: dict[str, dict[Connection, None]] = {}  # by address, the longest waiting first

    def has_room(self, connection: Connection) -> bool:
        """Is there room for a new connection, or can some be made?"""
        address = connection.address
        if self.counts[address] >= self.limits.address_connections and not connection.proxy:
            return self.close_one(address)
        if len(self.open) >= self.limits.connections:
            return self.close_one(max(self.waiting, key=self.counts.__getitem__, default=""))
        return True

    def close_one(self, address: str) -> bool:
        """Close the connection of an address that waits longest."""
        found = next(iter(self.waiting.get(address, ())), None)
        if found is None:
            return False
        self.leave(found)
        found.transport.abort()
        return True

    def enter(self, connection: Connection) -> None:
        """Count a connection."""
        self.open.add(connection)
        self.counts[connection.address] += 1

    def leave(self, connection: Connection) -> None:
        """A connection is no more; nothing happens if it was not counted."""
        if connection in self.open:
            self.set_waiting(connection, False)
            self.open.discard(connection)
            self.counts[connection.address] -= 1
            if not self.counts[connection.address]:
                del self.counts[connection.address]

    def set_waiting(self, connection: Connection, waits: bool) -> None:
        """Does a connection wait for the other side?"""
        address = connection.address
        if waits and connection in self.open:
            self.waiting.setdefault(address, {}).setdefault(connection)
        elif not waits and address in self.waiting:
            self.waiting[address].pop(connection, None)
            if not self.waiting[address]:
                del self.waiting[address]

    def check(self, now: float) -> None:
        """Close what is past its deadline."""
        for connection in list(self.open):
            connection.check(now)


class Config(uvicorn.Config):
    """Uvicorn's settings, with the connections."""

    def __init__(self, app: Any, connections: Connections, **settings: Any) -> None:
        self.all_connections = connections
        super().__init__(app, http=HttpConnection, ws=LiveConnection, **settings)


class Connection(asyncio.Protocol):
    """What both kinds of connection share: an address and a deadline."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    all_connections: Connections
    address = ""
    proxy = False  # does a trusted proxy hold the connection?
    deadline = math.inf  # when the other side must have done its part, in the loop's time
    unread: int | None = None  # bytes that waited for the reader when the deadline passed last
    stalled: float | None = None  # since when the reader takes too little
    closing = False

    def set_address(self, config: Any, client: tuple[str, int] | None) -> None:
        """Take over where the connection comes from."""
        self.all_connections = config.all_connections
        self.limits = self.all_connections.limits
        peer = client[0] if client else ""
        self.address, self.proxy = group(peer), self.all_connections.site.trusts(peer)

    def check(self, now: float) -> None:
        """End the connection if its deadline has passed and nothing is being read either."""
        if self.transport.is_closing() and not self.closing:
            self.closing = True
            self.deadline = now + self.limits.write_time
        if now < self.deadline:
            return
        unread = self.transport.get_write_buffer_size()
        least = self.limits.write_time * self.limits.write_rate
        if unread and (self.unread is None or unread <= self.unread - least):
            self.unread = unread
            self.stalled = now
            self.deadline = now + self.limits.write_time
        elif self.closing or unread:
            self.transport.abort()
        else:
            self.expire()

    def expire(self) -> None:
        """The other side did not do its part."""
        self.transport.abort()


class HttpConnection(Connection, HttpToolsProtocol):
    """A connection with requests."""

    def __init__(self, *settings: Any, **named: Any) -> None:
        super().__init__(*settings, **named)
        self.logger = quiet
        self.arriving = ""  # what of a request is arriving: "", "head" or "body"
        self.since = self.loop.time()  # since when
        self.size = 0  # bytes of it that came
        self.body_size = 0  # bytes of the body itself
        self.answered = self.since  # when the last answer was given
        self.requests = 0
        self.upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A new connection: taken, or closed with a short answer."""
        super().connection_made(transport)
        self.set_address(self.config, self.client)
        if self.all_connections.has_room(self):
            self.all_connections.enter(self)
            self.update()
        else:
            self.close_with(503)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self.all_connections.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something came."""
        before = self.arriving, self.requests
        super().data_received(data)
        after = self.arriving, self.requests
        if after == before or (not before[0] and after == ("head", before[1])):  # all of it belongs to what is arriving
            self.size += len(data)
        if self.upgraded or self.transport.is_closing():
            return
        if self.arriving == "body":
            refused = self.cycle is not None and self.cycle.response_complete
            if self.size > (MOST_DISCARDED if refused else 2 * self.limits.body + 65_536):
                self.close_with(413)
        elif self.size > self.limits.header_size:
            self.close_with(431)
        self.update()

    def update(self) -> None:
        """Find out whose turn it is, and until when."""
        limits, answering = self.limits, self.cycle is not None and not self.cycle.response_complete
        busy = bool(self.pipeline) or (answering and not self.arriving)
        if busy:
            self.deadline = math.inf if self.stalled is None else self.stalled + limits.write_time
        elif self.arriving == "head":
            self.deadline = self.since + limits.header_time
        elif self.arriving == "body" and not answering:  # refused already
            self.deadline = self.answered + LINGER
        elif self.arriving == "body":
            self.deadline = self.since + limits.body_time + self.body_size / limits.body_rate
        elif self.proxy:
            self.deadline = self.since + limits.proxy_idle_time
        else:
            self.deadline = self.since + (limits.idle_time if self.requests else limits.header_time)
        self.all_connections.set_waiting(self, not busy)

    def begin(self, arriving: str) -> None:
        """Another part of a request is arriving."""
        self.arriving, self.since, self.size = arriving, self.loop.time(), 0

    # The parser's calls; an error raised in one of them is answered with 400.

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        if len(self.pipeline) >= MOST_PIPELINED:
            raise ValueError("too many requests wait on this connection")
        self.begin("head")
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A line of the header, or one after the body."""
        if len(self.headers) >= MOST_HEADERS:
            raise ValueError("the header has too many lines")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The header is complete."""
        self.begin("body")
        self.body_size = 0
        self.requests += 1
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self.body_size += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete."""
        self.begin("")
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """An answer was given; the next request may come."""
        super().on_response_complete()
        self._unset_keepalive_if_required()
        self.answered, self.unread = self.loop.time(), None
        if not self.arriving:
            self.since = self.answered
        self.update()

    def handle_websocket_upgrade(self) -> None:
        """The connection becomes a live one."""
        self.upgraded = True
        self.all_connections.leave(self)
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        """The reader does not keep up."""
        super().pause_writing()
        self.stalled, self.unread = self.loop.time(), None
        self.update()

    def resume_writing(self) -> None:
        """The reader keeps up again."""
        super().resume_writing()
        self.stalled = None
        self.update()

    def expire(self) -> None:
        """Close an idle connection; say why if a request had begun."""
        if self.arriving and not (self.cycle and self.cycle.response_started):
            self.close_with(408)
        else:
            self.transport.close()

    def close_with(self, status: int) -> None:
        """Close with a short answer."""
        self.transport.write(short_answer(status))
        self.transport.close()


class LiveConnection(Connection, WebSocketsSansIOProtocol):
    """A connection with frames. Uvicorn's pings find out whether the other side is still there."""

    opened = 0.0
    control_frames = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection that was one with requests before."""
        super().connection_made(transport)
        self.opened = self.loop.time()
        self.set_address(self.config, self.client)
        self.all_connections.enter(self)
        self.deadline = self.opened + self.limits.header_time

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self.all_connections.leave(self)
        super().connection_lost(exc)

    def check(self, now: float) -> None:
        """End the connection if it was not opened in time, or if its reader takes nothing."""
        if self.handshake_complete and not self.closing:
            self.deadline = math.inf if self.stalled is None else self.stalled + self.limits.write_time
        super().check(now)

    def pause_writing(self) -> None:
        """The reader does not keep up."""
        super().pause_writing()
        self.stalled, self.unread = self.loop.time(), None

    def resume_writing(self) -> None:
        """The reader keeps up again."""
        super().resume_writing()
        self.stalled = None

    async def send(self, message: Any) -> None:
        """Send a message of the application; a refusal ends the handshake too."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        """Pass a message on. Text that is not UTF-8 ends the connection, as the protocol says, and is no fault of the server."""
        if self.curr_msg_data_type != "text" or is_utf8(b"".join(self.frames)):
            super().send_receive_event_to_app()
        elif not self.close_sent:
            self.frames = []
            self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()

    def handle_cont(self, event: Frame) -> None:
        """A fragment."""
        if self.may_go_on():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """A ping, answered by a pong."""
        if self.may_go_on():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """The answer to a ping, or one that nobody asked for."""
        if self.may_go_on():
            super().handle_pong(event)

    def may_go_on(self) -> bool:
        """Count a frame that the application does not see; too many, or too many unread answers, end the connection."""
        self.control_frames += 1
        rate, most = CONTROL_FRAMES
        many = self.control_frames > most + rate * (self.loop.time() - self.opened)
        if many or self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()
        return not self.transport.is_closing()


def is_utf8(data: bytes) -> bool:
    """Is this text?"""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
