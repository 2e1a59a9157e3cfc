"""Hints: what the strongest bot would do in a player's place, for those who play alone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from perankh.web.identity import same
from perankh.web.knowledge import same_decision
from perankh.web.refusal import Refused, refused
from perankh.web.window import answer_in

if TYPE_CHECKING:
    from perankh.web.room import Room


def is_alone(room: Room, p: int) -> bool:
    """Are all other seats played by bots, none of them in place of somebody who may come back?"""
    owner = room.seats[p].owner
    others = [seat for q, seat in enumerate(room.seats) if q != p]
    return all(seat.kind == "bot" and (seat.owner is None or same(seat.owner, owner)) for seat in others)


def may_hint(room: Room, p: int) -> bool:
    """May the person of a seat ask for hints when it is to decide?"""
    return room.status == "playing" and not room.readonly and room.seats[p].kind == "person" and is_alone(room, p)


async def hint(room: Room, who: str | None, seat: int | None, number: int | None, lang: str) -> dict[str, Any]:
    """What the strongest bot would do on an own seat that is to decide. Nothing is played."""
    p = seat_asking(room, who, seat)
    if number is not None and not await is_present(room, p, number):
        raise stale(room)
    state, rewinds, number = room.match.state, room.rewinds, room.number
    if room.advice is None or room.advice[0] is not state or room.advice[1] != p:
        if not room.rooms.hints.take(who or ""):
            raise refused(429, "many_hints")
        room.advice = (state, p, room.rooms.start(room.rooms.advise(room.game, room.sight.veil(p), p)))
    action = await asyncio.shield(room.advice[2])
    if room.rewinds != rewinds or not same_decision(room.game, state, p, room.match.played[number:]):
        raise stale(room)
    if action < 0:
        room.advice = None
        raise refused(503, "no_hint")
    seen = room.sight.veil(p)
    offered = answer_in(room.game, seen, action, 0)
    face = room.game.face
    return {"code": face.CODES[offered], "sentence": face.sentence(seen, p, offered, lang), "number": room.number}


def seat_asking(room: Room, who: str | None, seat: int | None) -> int:
    """The own seat a hint is for; refuses if there is none to be had."""
    own = room.own(who)
    if seat is not None and room.checked_seat(seat) not in own:
        raise refused(403, "not_yours")
    if not own:
        raise refused(403, "not_seated")
    room.check_open()
    if room.match.over:
        raise refused(409, "over")
    if room.status == "waiting":
        raise refused(409, "waiting")
    p = seat if seat is not None else next((q for q in own if q in room.match.actors), own[0])
    if room.seats[p].kind != "person":
        raise refused(409, "with_bot")
    if not is_alone(room, p):
        raise refused(409, "hint_alone")
    if p not in room.match.actors:
        raise refused(409, "not_your_turn")
    return p


async def is_present(room: Room, p: int, number: int) -> bool:
    """Does seat p still face the decision it faced after so many moves?"""
    if number == room.number:
        return True
    if number > room.number:
        return False
    before = (await asyncio.to_thread(room.match.at, number)).state
    return same_decision(room.game, before, p, room.match.played[number:])


def stale(room: Room) -> Refused:
    """The refusal of a hint for a position that is past, or not yet there."""
    return Refused(409, refused(409, "hint_stale").reason, number=room.number)
