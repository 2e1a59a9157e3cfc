"""The live connection of a table: views as they change, moves and their answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from perankh.web import views
from perankh.web.identity import who_is
from perankh.web.limits import Buckets
from perankh.web.refusal import Refused, refused
from perankh.web.room import Room, Watcher

router = APIRouter()
GONE, TOO_MANY, NO_TABLE = 1012, 1013, 4404  # why a connection is closed


@router.websocket("/api/tables/{table}/live")
async def live(socket: WebSocket, table: str) -> None:
    """A live connection from its beginning to its end."""
    await socket.accept()
    sockets, address = socket.app.state.sockets, socket.client.host if socket.client else ""
    sockets[address] += 1
    try:
        if sockets[address] > socket.app.state.limits.sockets:
            await socket.close(TOO_MANY)
        else:
            await attend(socket, table)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the other side went away while it was being answered
    finally:
        sockets[address] -= 1
        if not sockets[address]:
            del sockets[address]


async def attend(socket: WebSocket, table: str) -> None:
    """Serve a live connection that was accepted."""
    try:
        room: Room = await socket.app.state.rooms.get(table)
        watcher = watcher_of(socket, room)
    except Refused as refusal:
        await socket.send_text(error_frame(refusal))
        await socket.close(NO_TABLE)
        return
    room.watchers.add(watcher)
    enter(room, watcher)
    sender = asyncio.create_task(send_views(socket, room, watcher))
    sender.add_done_callback(lambda ended: report(ended, room))
    try:
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                break
            await take_frame(socket, room, watcher, message.get("text") or message.get("bytes") or b"")
    finally:
        room.watchers.discard(watcher)
        sender.cancel()
        await asyncio.wait([sender])
        enter(room, watcher)


def report(sender: asyncio.Task[None], room: Room) -> None:
    """Note a view that could not be made."""
    error = None if sender.cancelled() else sender.exception()
    if error and not isinstance(error, (WebSocketDisconnect, RuntimeError)):
        logging.getLogger(__name__).error("table %s: a view could not be made: %r", room.id, error)


def watcher_of(socket: WebSocket, room: Room) -> Watcher:
    """Who watches, and how, from the address of the connection."""
    query = socket.query_params
    lang, shape = views.checked_eyes(query.get("lang", "en"), query.get("shape", "wide"))
    viewer = whole(query["viewer"]) if "viewer" in query else None
    who = who_is(socket)
    room.eyes(who, viewer)
    return Watcher(who, viewer, lang, shape, max(0, whole(query["since"])) if "since" in query else None)


def enter(room: Room, watcher: Watcher) -> None:
    """Somebody came or went: the others at the table see it, if it is a player."""
    watcher.bell.set()
    room.touch(watcher.who)
    if room.own(watcher.who):
        room.changed()


def whole(text: str) -> int:
    """A small whole number out of an address."""
    if len(text) > 9 or not text.lstrip("-").isdecimal():
        raise refused(422, "bad_request", what="a whole number is needed")
    try:
        return int(text)
    except ValueError:
        raise refused(422, "bad_request", what="a whole number is needed") from None


async def send_views(socket: WebSocket, room: Room, watcher: Watcher) -> None:
    """Send the newest view whenever something has changed; a slow client skips those between."""
    while True:
        await watcher.bell.wait()
        watcher.bell.clear()
        if room.gone:
            await socket.close(GONE)
            return
        try:
            text, number = await room.sight.view(watcher.who, watcher.viewer, watcher.lang, watcher.shape, watcher.told or 0)
        except Refused:
            watcher.viewer = None  # the seat is no longer this person's
            watcher.bell.set()
            continue
        if watcher.told is not None:
            watcher.told = number
        await socket.send_text(text)


# --- Frames ------------------------------------------------------------------------------------------------------------------


async def take_frame(socket: WebSocket, room: Room, watcher: Watcher, raw: str | bytes) -> None:
    """Answer one frame; a bad one gets an error and the connection stays."""
    limits, frames = socket.app.state.limits, socket.app.state.frames
    try:
        answered = await handle(room, watcher, checked(raw, limits.frame, frames, watcher, socket))
    except Refused as refusal:
        answered = error_frame(refusal)
    if answered is not None and socket.application_state is WebSocketState.CONNECTED:
        await socket.send_text(answered)


def checked(raw: str | bytes, limit: int, frames: Buckets, watcher: Watcher, socket: WebSocket) -> dict[str, Any]:
    """A frame as plain values, if it is small enough, not too soon, and a JSON object."""
    if not frames.take(watcher.who or f"address {socket.client.host if socket.client else ''}"):
        raise refused(429, "too_many")
    if len(raw) > limit:
        raise refused(413, "too_large", limit=limit)
    try:
        frame = orjson.loads(raw)
    except (orjson.JSONDecodeError, RecursionError):
        raise refused(422, "bad_frame", what="it is not JSON") from None
    if not isinstance(frame, dict):
        raise refused(422, "bad_frame", what="it is not an object")
    return frame


async def handle(room: Room, watcher: Watcher, frame: dict[str, Any]) -> str | None:
    """Do what a frame asks; the answer, if there is one besides a new view."""
    kind = frame.get("type")
    handler = HANDLERS.get(kind) if isinstance(kind, str) else None
    if handler is None:
        raise refused(422, "bad_frame", what=f"its type is none of {', '.join(HANDLERS)}")
    return await handler(room, watcher, frame)


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


async def take_move(room: Room, watcher: Watcher, frame: dict[str, Any]) -> str:
    """A move: done, or refused with the reason."""
    number, code, seat = part(frame, "number", int), part(frame, "code", str), part(frame, "seat", int, None)
    try:
        made = await room.rooms.surely(room.move(watcher.who, number, code, seat))
    except Refused as refusal:
        facts = {"type": "refused", "number": number, "code": code[:100]} | refusal.json()
        return dumps(facts | {"number": number, "current": refusal.facts.get("number", room.number)})
    return dumps({"type": "done", "number": number, "made": made})


async def take_settings(room: Room, watcher: Watcher, frame: dict[str, Any]) -> None:
    """Other eyes, another language, another shape."""
    lang, shape = part(frame, "lang", str, watcher.lang), part(frame, "shape", str, watcher.shape)
    viewer = part(frame, "viewer", int, watcher.viewer)
    room.eyes(watcher.who, viewer)
    watcher.viewer = viewer
    watcher.lang, watcher.shape = views.checked_eyes(lang, shape)
    if watcher.told is not None:
        watcher.told = 0  # the log is another one now
    watcher.bell.set()


async def take_look(room: Room, watcher: Watcher, frame: dict[str, Any]) -> str | None:
    """An earlier position, or the present one again."""
    at, since = part(frame, "at", int, None), part(frame, "since", int, 0)
    if at is None:
        watcher.bell.set()
        return None
    return await room.sight.look_back(watcher.who, watcher.viewer, watcher.lang, watcher.shape, at, since)


async def take_undo(room: Room, watcher: Watcher, frame: dict[str, Any]) -> None:
    """Ask to take back the last own decision."""
    seat = part(frame, "seat", int, None)
    await room.rooms.surely(room.ask_undo(watcher.who, seat))


async def take_vote(room: Room, watcher: Watcher, frame: dict[str, Any]) -> None:
    """Agree or not."""
    if part(frame, "what", str) != "undo":
        raise refused(422, "bad_frame", what="what is not right")
    await room.rooms.surely(room.vote(watcher.who, part(frame, "agree", bool)))


async def take_ping(room: Room, watcher: Watcher, frame: dict[str, Any]) -> str:  # noqa: ARG001
    """A sign of life."""
    return dumps({"type": "pong"})


Handler = Callable[[Room, Watcher, dict[str, Any]], Awaitable[str | None]]
HANDLERS: dict[str, Handler] = {
    "move": take_move,
    "settings": take_settings,
    "look": take_look,
    "undo": take_undo,
    "vote": take_vote,
    "ping": take_ping,
}


def error_frame(refusal: Refused) -> str:
    """A refusal as a frame."""
    return dumps({"type": "error"} | refusal.json())


def dumps(value: dict[str, Any]) -> str:
    """JSON; broken characters in what a client sent are replaced."""
    return orjson.dumps(value).decode()
