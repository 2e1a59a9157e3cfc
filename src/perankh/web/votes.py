"""Consent: what one person asks for and the other persons at the table have to agree to.

`undo` takes a move back, `time` gives a seat time after a time-out, `stand_in` lets a bot play for an absent person, `join`
seats a newcomer on a seat that was left, `vacation` stops the clock of a seat for some days, `delete` deletes the table. Bots
agree to everything. A request that has lost its object is void.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from perankh.web import access, undo
from perankh.web.agreements import Request
from perankh.web.clock import DAY, LONGEST_VACATION
from perankh.web.identity import same
from perankh.web.refusal import refused
from perankh.web.seats import Seat, checked_name
from perankh.web.table import Table, change

ASKABLE = ("time", "stand_in", "join", "vacation")  # what can be asked about a seat
ABOUT_TIME = ("time", "vacation")  # what of it is about the clock
LONG_ABSENCE = 5  # absence times after which a stand-in needs nobody's consent, if nobody is there to give it
PAUSE = 30.0  # seconds after a newcomer was turned down in which no other may ask


# --- Facts -----------------------------------------------------------------------------------------------------------------


def voters(table: Table, request: Request) -> list[int]:
    """The seats of the persons who decide: neither whoever asks nor the person of the seat; nor who has resigned."""
    involved = (request.by, table.seats[request.seat].owner)
    seated = [p for p, seat in enumerate(table.seats) if seat.owner and not any(same(seat.owner, who) for who in involved)]
    return [p for p in seated if p not in table.resigned or request.what == "delete"]


def missing(table: Table, request: Request) -> list[int]:
    """The seats whose persons still have to agree.

    Taking back and deleting need everybody: an absent person would lose something unseen. For the rest, those who are away do
    not count as long as one of the others is there to decide. If none is, a stand-in comes after a long absence; everything else
    waits.
    """
    needed = voters(table, request)
    if request.what not in ("undo", "delete"):
        present = [p for p in needed if not table.away(p)]
        if not present and request.what == "stand_in" and away_long(table, request.seat):
            return []
        needed = present or needed
    return [p for p in needed if p not in request.agreed]


def away_long(table: Table, p: int) -> bool:
    """Has the person of a seat been away for so long that one person alone may ask for a stand-in?"""
    return table.away_for(p) >= LONG_ABSENCE * table.settings.absence


def away_stage(table: Table, p: int) -> int:
    """How long the person of a seat has been away: 0 not, 1 for the absence time, 2 for long."""
    seconds, absence = table.away_for(p), table.settings.absence
    return (seconds >= absence) + (seconds >= LONG_ABSENCE * absence)


def is_vacant(table: Table, p: int) -> bool:
    """Has the person of a seat left it for good?"""
    return table.seats[p].owner is None and any(seat == p for _, seat in table.holders)


def knows_other_hand(table: Table, who: str | None, p: int) -> bool:
    """Has somebody ever held another seat of this match? Where one person may have several, it does not matter."""
    return not table.hot_seat and any(seat != p and same(owner, who) for owner, seat in table.holders)


def refusal(table: Table, who: str | None, what: str, p: int) -> str | None:
    """Why somebody cannot ask for something about a seat (a key of refusals.toml), or None."""
    seat = table.seats[p]
    if what == "delete":
        return None if table.own(who) else "not_seated"
    if table.readonly or table.broken or table.status != "playing":
        return "damaged" if table.broken else "readonly" if table.readonly else "over" if table.status == "over" else "waiting"
    if what == "join":
        if not is_vacant(table, p):
            return "taken"
        if p in table.resigned or (table.clock and p in table.clock.out):
            return "resigned" if p in table.resigned else "out_of_time"
        return "knows_hand" if knows_other_hand(table, who, p) else None
    if not table.own(who):
        return "not_seated"
    if what == "vacation" and not (table.clock and table.clock.days):
        return "no_days"
    if what == "vacation" and not (same(seat.owner, who) and seat.kind == "person"):
        return "not_yours"
    if what == "time":
        return None if table.clock and p in table.clock.out and seat.owner and p not in table.resigned else "in_time"
    if table.clock and table.clock.vacation_left(p, table.services.now()):
        return "on_vacation"
    if what == "vacation":
        return None
    if seat.kind != "person" or same(seat.owner, who) or not table.away(p):
        return "not_away"
    others = voters(table, Request(what, who or "", None, p, table.number))
    return "not_away_long" if all(table.away(q) for q in others) and not away_long(table, p) else None


def pending(table: Table) -> Request | None:
    """The request that is being voted on; None if there is none, or if it has lost its object."""
    request = table.request
    if request is not None and request.what == "delete":
        return request
    if request is None or table.broken or table.status != "playing":
        return None
    if request.what == "undo":
        return request if request.number == table.number else None
    key = refusal(table, request.by, request.what, request.seat)
    return request if key in (None, "not_away_long") else None  # whoever had to agree may have gone away since


def request_facts(table: Table, who: str | None) -> dict[str, Any] | None:
    """The request that is being voted on, as a part of a view."""
    request = pending(table)
    if request is None:
        return None
    waiting = missing(table, request)
    return {
        "id": request.id,
        "what": request.what,
        "asked_by": request.asked_by,
        "seat": request.seat,
        "name": request.name,
        "days": request.days,
        "bot": table.stand_in if request.what == "stand_in" else None,
        "agreed": request.agreed,
        "waiting": waiting,
        "can_vote": any(p in waiting for p in table.own(who)),
        "mine": same(request.by, who),
    }


def askable(table: Table, who: str | None) -> list[list[str]]:
    """What somebody may ask for now about each seat."""
    if table.status != "playing":
        return [[] for _ in table.seats]
    asked = [what for what in ASKABLE if table.clock or what not in ABOUT_TIME]
    return [[what for what in asked if refusal(table, who, what, p) is None] for p in range(len(table.seats))]


# --- Asking and voting -----------------------------------------------------------------------------------------------------


@change
async def ask(table: Table, who: str, what: str, p: int, name: str | None = None, days: int | None = None) -> None:
    """Ask for something about a seat; it happens at once if nobody has to agree."""
    await table.tick()
    table.checked_seat(p)
    key = refusal(table, who, what, p)
    if key:
        raise refused(
            403 if key in ("not_seated", "not_yours") else 409, key, minutes=round(LONG_ABSENCE * table.settings.absence / 60)
        )
    own = table.own(who)
    given = newcomers_name(table, p, name) if what == "join" else ""
    if what == "vacation" and not 1 <= (days or 0) <= LONGEST_VACATION:
        raise refused(422, "bad_vacation", most=LONGEST_VACATION)
    by = own[0] if own and what != "join" else None
    await propose(table, Request(what, who, by, p, table.number, given, days=days or 0))


@change
async def ask_undo(table: Table, who: str | None, seat: int | None) -> None:
    """Ask to take back the last own decision; alone among bots, and while it is sealed, it happens at once."""
    own = table.own(who)
    if seat is not None and table.checked_seat(seat) not in own:
        raise refused(403, "not_yours")
    if not own or who is None:
        raise refused(403, "not_seated")
    table.check_open()
    decided = [p for p, _ in table.match.played if p in own]
    p = seat if seat is not None else decided[-1] if decided else own[0]
    if undo.still_sealed(table, p):
        await undo.take_back(table, p, table.match.played[table.marks[p][0] + 1 :])
        return
    reason = undo.refusal(table, p)
    if reason:
        raise refused(409, reason)
    await propose(table, Request("undo", who, p, p, table.number))


def newcomers_name(table: Table, p: int, name: str | None) -> str:
    """The name under which a newcomer is shown to those who have to agree; not that of another player."""
    given = checked_name(name or "").strip()
    if not given:
        raise refused(422, "name_needed")
    if any(seat.name.casefold() == given.casefold() for q, seat in enumerate(table.seats) if q != p):
        raise refused(409, "name_taken")
    return given


async def propose(table: Table, request: Request) -> None:
    """Put a request to the others, unless another is before them. Those at the table go before newcomers."""
    before = pending(table)
    if before and not same(before.by, request.by) and (before.what != "join" or request.what == "join"):
        raise refused(409, "vote_pending")
    if request.what == "join" and time.monotonic() - table.turned_down < PAUSE:
        raise refused(409, "turned_down")
    if before and replace(before, id=request.id, agreed=[], number=request.number) == request:
        return
    if not missing(table, request):
        await grant(table, request)
        return
    table.request = request
    await table.keep(*table.save())
    table.changed()
    table.services.call(table, missing(table, request), "answer")


@change
async def vote(table: Table, who: str | None, what: str, agree: bool, id: str | None = None) -> None:
    """Agree to the request, refuse it, or withdraw the own one."""
    table.check_open()
    request = pending(table)
    own = table.own(who)
    mine = request is not None and same(request.by, who)
    if not own and not mine:
        raise refused(403, "not_seated")
    if request is None or request.what != what or id not in (None, request.id):
        raise refused(409, "no_vote")
    deciding = [p for p in voters(table, request) if p in own]
    if not deciding and (agree or not mine):
        raise refused(403, "not_yours")
    if agree:
        request.agreed = sorted({*request.agreed, *deciding})
        if not missing(table, request):
            await grant(table, request)
            return
    else:
        table.request = None
        if not mine:
            table.announce("declined", deciding[0])
            if request.what == "join":
                table.turned_down = time.monotonic()
    await table.keep(*table.save())
    table.changed()


async def grant(table: Table, request: Request) -> None:
    """Do what all have agreed to. The caller holds the lock."""
    p = request.seat
    seat = table.seats[p]
    table.request = None
    if request.what == "undo":
        await undo.take_back(table, p)
    elif request.what == "stand_in":
        await table.replace_seat(p, Seat("bot", seat.owner, table.stand_in, seat.name))
    elif request.what == "delete":
        await access.remove(table)
    elif request.what == "vacation":
        assert table.clock
        table.clock.advance(table.acting_persons(), table.services.now())
        table.clock.vacation[p] = DAY * request.days
        table.announce("vacation", p, days=request.days)
        await table.keep_seats()
    elif request.what == "join":
        await table.replace_seat(p, Seat("person", request.by, None, request.name))
        table.touch(request.by)
    else:
        assert table.clock
        table.clock.advance(table.acting_persons(), table.services.now())
        table.clock.give_time(p)
        table.announce("time_back", p)
        table.seats[p] = Seat("person", seat.owner, None, seat.name)
        await table.keep_seats()


async def watch(table: Table) -> None:
    """Settle what only time decides: a request whose voters have gone away, and who counts as away."""
    if table.request and table.services.is_in_charge(table.id):
        await settle(table)
    if table.status == "playing":
        stages = [away_stage(table, p) if seat.owner else 0 for p, seat in enumerate(table.seats)]
        if stages != table.away_stages:
            table.away_stages = stages
            table.changed()


@change
async def settle(table: Table) -> None:
    """Grant a request that nobody is left to vote on, and forget one that has lost its object."""
    request = pending(table)
    if request and not missing(table, request):
        await grant(table, request)
    elif table.request and not request:
        table.request = None
        await table.keep(*table.save())
        table.changed()
