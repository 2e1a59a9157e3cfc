"""Giving up: the seat comes last, and a stand-in plays on for the others as long as there is a match to be played."""

from __future__ import annotations

from perankh.web.position import Position
from perankh.web.refusal import refused
from perankh.web.seats import Seat
from perankh.web.table import Table, change


def refusal(table: Table, p: int) -> str | None:
    """Why the person of a seat cannot resign (a key of refusals.toml), or None."""
    if table.status != "playing" or table.readonly:
        return "damaged" if table.broken else "waiting" if table.status == "waiting" else "over"
    return "resigned" if p in table.resigned else None


def is_decided(table: Table) -> bool:
    """Is there nothing left to play for: one seat that has not resigned, or bots alone?"""
    going_on = [seat for p, seat in enumerate(table.seats) if p not in table.resigned]
    return len(going_on) < 2 or not any(seat.owner for seat in going_on)


@change
async def resign(table: Table, who: str | None, p: int) -> None:
    """Resign on an own seat. With two players that ends the match; with more the others play on, against the stand-in."""
    table.check_open()
    if table.checked_seat(p) not in table.own(who):
        raise refused(403, "not_yours")
    key = refusal(table, p)
    if key:
        raise refused(409, key)
    if table.clock:
        table.clock.advance(table.acting_persons(), table.services.now())
    seat = table.seats[p]
    table.resigned = [*table.resigned, p]
    if is_decided(table):
        table.announce("resigned", p)
        table.ended, table.request = True, None
        table.position = Position(table.match)  # what was drawn of the one before has no result
    else:
        table.announce("resigned", p, bot=table.stand_in)
        table.seats[p] = Seat("bot", seat.owner, table.stand_in, seat.name)
    await table.keep_seats()
