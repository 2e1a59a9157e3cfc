"""The live connection of a table: views as they change, moves and their answers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from perankh.web import access, chat, metrics, traces, visits, votes
from perankh.web.catalog import checked_format
from perankh.web.frames import Sent, dumps
from perankh.web.identity import device_of, devices_of, who_is
from perankh.web.limits import Buckets, Shares
from perankh.web.logs import request_id
from perankh.web.refusal import Refused, refused
from perankh.web.table import Table, Watcher
from perankh.web.views import Views

router = APIRouter()
GONE, TOO_MANY, NO_TABLE = 1012, 1013, 4404  # why a connection is closed
FRAMES = ("start", "move", "settings", "look", "whole", "undo", "vote", "looking", "say", "seen", "ping")  # each: `take_...`
Handler = Callable[[dict[str, Any]], Awaitable[dict[str, Any] | None]]
LONGEST_WAIT = 1.0  # seconds before a frame that came too soon is refused
TRY_AGAIN, LONGEST_PAUSE = 0.5, 30.0  # seconds before a view that could not be made is tried again; longer every time


@router.websocket("/api/tables/{id}/live")
async def live(socket: WebSocket, id: str) -> None:
    """A live connection from its beginning to its end."""
    await socket.accept()
    sockets: Shares = socket.app.state.sockets
    address = socket.state.address

    def give_way() -> None:
        socket.app.state.tables.services.start(end(socket, TOO_MANY))

    def sign_out() -> None:
        socket.app.state.tables.services.start(end(socket, GONE))

    try:
        if sockets.enter(address, give_way):
            device = device_of(socket)
            with devices_of(socket).connected(device, sign_out):
                table: Table = await socket.app.state.tables.get(id, who_is(socket))
                await Connection(socket, table, device).serve()
        else:
            await socket.close(TOO_MANY)
    except Refused as refusal:
        await refuse(socket, refusal)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the other side went away while it was being answered
    finally:
        sockets.leave(address, give_way)


async def end(socket: WebSocket, code: int) -> None:
    """Close a live connection, if it is still open."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(code)


async def refuse(socket: WebSocket, refusal: Refused) -> None:
    """Say why there is no connection, and close it."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(dumps(error_frame(refusal)).decode())
        await socket.close(GONE if refusal.status == 503 else NO_TABLE)


class Connection:
    """A live connection of somebody who watches a table, and perhaps plays at it."""

    def __init__(self, socket: WebSocket, table: Table, device: str | None) -> None:
        """Take who watches, and how, from the address of the connection."""
        self.socket = socket
        self.device = device
        self.table = table
        self.views: Views = socket.app.state.views
        query, who = socket.query_params, who_is(socket)
        lang, shape = checked_format(query.get("lang", "en"), query.get("shape", "wide"))
        viewer = whole(query["viewer"]) if "viewer" in query else None
        since = max(0, whole(query["since"])) if "since" in query else None
        changes = "changes" in query and whole(query["changes"]) == 1
        table.checked_viewer(who, viewer)
        self.watcher = Watcher(who, viewer, lang, shape, (since or 0) if changes else since, changes)
        self.watcher.chat = "chat" in query and whole(query["chat"]) == 1
        self.sent = Sent()
        self.shown = table.number  # moves of the view that was sent last

    async def serve(self) -> None:
        """Send views and take frames until the connection ends."""
        self.table.watchers.add(self.watcher)
        self.show_presence()
        senders = [asyncio.create_task(self.send_views())]
        if self.watcher.chat:
            self.watcher.talk.set()
            senders.append(asyncio.create_task(self.send_chat()))
        for sender in senders:
            sender.add_done_callback(self.report)
        try:
            while True:
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await self.take_frame(message.get("text") or message.get("bytes") or b"")
        finally:
            self.table.watchers.discard(self.watcher)
            for sender in senders:
                sender.cancel()
            await asyncio.wait(senders)
            self.show_presence()
            await self.keep_seen()

    def report(self, sender: asyncio.Task[None]) -> None:
        """Log a view or message that could not be sent."""
        error = None if sender.cancelled() else sender.exception()
        if error and not isinstance(error, (WebSocketDisconnect, RuntimeError)):
            logging.getLogger(__name__).error("table %s: a view could not be made: %r", self.table.id, error)

    def show_presence(self) -> None:
        """Somebody came or went: the others at the table see it, if it is a player."""
        self.watcher.news.set()
        self.table.services.note_presence(self.table.id, soon=True)
        self.table.touch(self.watcher.who)
        if self.table.own(self.watcher.who):
            self.table.changed()
            self.table.services.start(devices_of(self.socket).use(self.device))
        else:
            self.table.changed_slowly()

    async def keep_seen(self) -> None:
        """Store how far somebody has seen the match who goes away."""
        with contextlib.suppress(Refused):
            if not self.table.gone:
                await visits.store_all(self.table)

    async def send_chat(self) -> None:
        """Send what is said, and all of it when somebody hears more or less than before."""
        watcher, table = self.watcher, self.table
        last = 0
        hears: tuple[str, ...] = ()
        while True:
            await watcher.talk.wait()
            watcher.talk.clear()
            if table.gone or not access.may_enter(table, watcher.who):
                return  # the sender of views ends the connection
            anew = watcher.whole_talk or hears != chat.channels(table, watcher.who)
            watcher.whole_talk, hears = False, chat.channels(table, watcher.who)
            try:
                frame = await chat.frame(table, watcher.who, last, anew)
            except Refused:
                watcher.whole_talk = True
                await asyncio.sleep(TRY_AGAIN)
                watcher.talk.set()
                continue
            last = table.chat.last if table.chat else last
            await self.send(frame)

    async def send_views(self) -> None:
        """Send the newest view whenever something has changed; a slow client skips those between."""
        watcher, table, pause = self.watcher, self.table, TRY_AGAIN
        watcher.renames = table.renames
        while True:
            await watcher.news.wait()
            watcher.news.clear()
            if table.gone or not access.may_enter(table, watcher.who):
                await self.socket.close(GONE if table.gone else NO_TABLE)
                return
            if table.over:
                watcher.talk.set()  # players hear the gallery from now on
            rewinds = table.rewinds
            if watcher.renames != table.renames and watcher.since is not None:
                watcher.since = 0  # all lines of the log are told anew
            watcher.renames = table.renames
            try:
                asked = (watcher.who, watcher.viewer, watcher.lang, watcher.shape, watcher.since or 0, not watcher.changes)
                with traces.span("view", parent=table.trace):
                    view = await self.views.present(table, *asked)
            except Refused as refusal:
                if refusal.status in (429, 503):
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(watcher.news.wait(), pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
                else:
                    watcher.viewer = None  # the seat is no longer this person's
                watcher.news.set()
                continue
            pause = TRY_AGAIN
            if watcher.changes and self.sent.lacks_lines(view):
                await self.take_whole({})
                continue
            if watcher.since is not None:
                watcher.since = view["number"] if table.rewinds == rewinds else 0  # moves were taken back meanwhile
            await self.send(self.sent.frame(view) if watcher.changes else view)
            number, stored = table.moved
            if view.get("number") == number != self.shown:
                metrics.MOVE_SHOWN.observe(time.monotonic() - stored)
            self.shown = view.get("number", 0)

    async def send(self, frame: dict[str, Any]) -> None:
        """Send a frame."""
        await self.socket.send_text(dumps(frame).decode())

    # --- Frames -----------------------------------------------------------------------------------------------------------

    async def take_frame(self, raw: str | bytes) -> None:
        """Answer one frame; a bad one gets an error and the connection stays."""
        with traces.span("live", {"perankh.request": request_id.get()}, is_request=True) as span:
            try:
                await self.check_rates()
                frame = self.checked(raw)
                await self.socket.app.state.turns.wait(self.socket.state.address, frame.get("type") == "move")
                if frame.get("type") in FRAMES:
                    span.name(f"live {frame['type']}")
                answer = await self.handle(frame)
            except Refused as refusal:
                answer = error_frame(refusal)
                span.set({"perankh.refused": refusal.status})
            if answer and self.socket.application_state is WebSocketState.CONNECTED:
                await self.send(answer)

    async def check_rates(self) -> None:
        """Refuse a frame that comes too soon, after a moment in which no further one is read."""
        state = self.socket.app.state
        asked: list[tuple[Buckets, str | None]] = [(state.addresses, self.socket.state.address), (state.frames, self.watcher.who)]
        for buckets, key in asked:
            if key is not None and not buckets.take(key):
                await asyncio.sleep(min(LONGEST_WAIT, buckets.wait(key)))
                raise refused(429, "too_many")

    def checked(self, raw: str | bytes) -> dict[str, Any]:
        """A frame as plain values, if it is small enough and a JSON object."""
        most = self.socket.app.state.limits.frame
        if len(raw) > most:
            raise refused(413, "too_large", limit=most)
        try:
            frame = orjson.loads(raw)
        except (orjson.JSONDecodeError, RecursionError):
            raise refused(422, "bad_frame", what="it is not JSON") from None
        if not isinstance(frame, dict):
            raise refused(422, "bad_frame", what="it is not an object")
        return frame

    async def handle(self, frame: dict[str, Any]) -> dict[str, Any] | None:
        """Do what a frame asks; the answer, if there is one besides a new view."""
        kind = frame.get("type")
        if kind not in FRAMES:
            raise refused(422, "bad_frame", what=f"its type is none of {', '.join(FRAMES)}")
        access.check(self.table, self.watcher.who)
        handler: Handler = getattr(self, f"take_{kind}")
        return await handler(frame)

    async def take_start(self, frame: dict[str, Any]) -> None:
        """Ready, with a contribution or without."""
        contribution, seat = part(frame, "contribution", str, None), part(frame, "seat", int, None)
        await self.table.services.finish(self.table.start(self.watcher.who, seat, contribution))

    async def take_move(self, frame: dict[str, Any]) -> dict[str, Any]:
        """A move: done, or refused with the reason."""
        number, code, seat = part(frame, "number", int), part(frame, "code", str), part(frame, "seat", int, None)
        try:
            self.table.start_answer_time(self.watcher.who)
            with self.socket.app.state.turns.make_move():
                made = await self.table.services.finish(self.table.move(self.watcher.who, number, code, seat))
        except Refused as refusal:
            current = refusal.facts.get("number", self.table.number)
            return {"type": "refused", "code": code[:100]} | refusal.json() | {"number": number, "current": current}
        return {"type": "done", "number": number, "made": made}

    async def take_settings(self, frame: dict[str, Any]) -> None:
        """Another viewer, language or shape."""
        watcher = self.watcher
        lang, shape = part(frame, "lang", str, watcher.lang), part(frame, "shape", str, watcher.shape)
        viewer = part(frame, "viewer", int, watcher.viewer)
        self.table.checked_viewer(watcher.who, viewer)
        watcher.viewer = viewer
        watcher.lang, watcher.shape = checked_format(lang, shape)
        await self.take_whole(frame)

    async def take_whole(self, _: dict[str, Any]) -> None:
        """The present view anew, with all lines of the log."""
        if self.watcher.since is not None:
            self.watcher.since = 0
        self.sent.forget()
        self.watcher.news.set()

    async def take_look(self, frame: dict[str, Any]) -> dict[str, Any] | None:
        """An earlier position, or the present one again."""
        at, since = part(frame, "at", int, None), part(frame, "since", int, 0)
        if at is None:
            self.watcher.news.set()
            return None
        watcher = self.watcher
        return await self.views.past(self.table, watcher.who, watcher.viewer, watcher.lang, watcher.shape, at, since)

    async def take_undo(self, frame: dict[str, Any]) -> None:
        """Ask to take back the last own decision."""
        await self.table.services.finish(votes.ask_undo(self.table, self.watcher.who, part(frame, "seat", int, None)))

    async def take_vote(self, frame: dict[str, Any]) -> None:
        """Agree or not."""
        what, agree, id = part(frame, "what", str), part(frame, "agree", bool), part(frame, "id", str, None)
        await self.table.services.finish(votes.vote(self.table, self.watcher.who, what, agree, id))

    async def take_looking(self, frame: dict[str, Any]) -> None:
        """The page has come to the front, or has gone from there: whoever does not look may be called."""
        self.watcher.looking = part(frame, "on", bool)
        self.table.services.note_presence(self.table.id, soon=True)

    async def take_say(self, frame: dict[str, Any]) -> None:
        """Say something in the chat."""
        who, text, phrase = self.watcher.who, part(frame, "text", str, None), part(frame, "phrase", str, None)
        if who is None:
            raise refused(403, "no_token")
        asked = (who, text, phrase, part(frame, "name", str, None), self.socket.app.state.pace, self.socket.state.address)
        await self.table.services.finish(chat.say(self.table, *asked))

    async def take_seen(self, frame: dict[str, Any]) -> None:
        """How far a player has seen the match."""
        visits.see(self.table, self.watcher.who, part(frame, "number", int))

    async def take_ping(self, _: dict[str, Any]) -> dict[str, Any]:
        """A sign of life."""
        return {"type": "pong"}


def whole(text: str) -> int:
    """A small whole number out of an address."""
    if len(text) > 9 or not text.lstrip("-").isdecimal():
        raise refused(422, "bad_request", what="a whole number is needed")
    try:
        return int(text)
    except ValueError:
        raise refused(422, "bad_request", what="a whole number is needed") from None


def part(frame: dict[str, Any], name: str, kind: type, default: Any = ...) -> Any:
    """A part of a frame, of the kind it must have."""
    value: Any = frame.get(name, default)
    if value is ...:
        raise refused(422, "bad_frame", what=f"{name} is missing")
    if value is default:
        return value
    if type(value) is not kind or (isinstance(value, int) and not -1 <= value <= 10**9):
        raise refused(422, "bad_frame", what=f"{name} is not right")
    return value


def error_frame(refusal: Refused) -> dict[str, Any]:
    """A refusal as a frame."""
    return {"type": "error"} | refusal.json()
