"""Practice: tables whose match begins in a position of a match that is over, with a person on one seat and bots on the others.

What the seat could not know is dealt anew, to fit what it knew, or stays as it was. Practice is marked as such and never counts.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from perankh.engine.game import fresh_seed
from perankh.match.match import Match
from perankh.web.agreements import Settings
from perankh.web.identity import Visitor
from perankh.web.position import Position
from perankh.web.refusal import refused
from perankh.web.seats import Seat
from perankh.web.services import LOOK
from perankh.web.table import Table
from perankh.web.tables import Tables, new_id

router = APIRouter()


class PracticeWanted(BaseModel):
    """From which position, on which seat, against which bot, and what becomes of what the seat could not know."""

    model_config = ConfigDict(extra="forbid", strict=True)

    number: Annotated[int, Field(ge=0, le=10**9)]
    seat: Annotated[int, Field(ge=0, le=99)]
    bot: Annotated[str, Field(max_length=100)]
    hidden: Literal["known", "real"] = "known"


@router.post("/api/tables/{table}/practice", status_code=201)
async def practise(request: Request, response: Response, table: str, wanted: PracticeWanted) -> dict[str, Any]:
    """A new table that begins in a position of a match that is over."""
    visitor = Visitor(request)
    tables: Tables = request.app.state.tables
    found = await tables.get(table, visitor.who)
    name = (await request.app.state.people.profile(visitor.who))[0]
    seed = fresh_seed() if wanted.hidden == "known" else None
    bot = tables.services.bots.checked(found.game, wanted.bot)
    made = begin(tables, found, visitor.who, wanted.number, wanted.seat, bot, seed, name)
    return visitor.welcome(response, {"id": await tables.services.finish(made)})


async def begin(tables: Tables, table: Table, who: str, number: int, p: int, bot: str | None, seed: int | None, name: str) -> str:
    """Set up the table."""
    if not (table.over or table.readonly):
        raise refused(409, "not_over")
    table.checked_seat(p)
    if number > table.number:
        raise refused(404, "no_position", at=number, number=table.number)
    await tables.check_quota(who)
    seats = [Seat("person", who, None, name) if q == p else Seat("bot", None, bot) for q in range(len(table.seats))]
    names = [seat.name for seat in seats]
    match = await tables.services.replay(LOOK, table.id, begun, table.match, number, p, seed, names)
    if match.over:
        raise refused(409, "practice_over")
    new = Table(tables.services, new_id(), table.game, match.options, seats)
    new.settings = Settings(tables.services.away, colours=table.settings.colours, practice=stored(match))
    new.creator, new.position = who, Position(match)
    await tables.keep_new(new)
    return new.id


def begun(match: Match, number: int, p: int, seed: int | None, names: list[str]) -> Match:
    """The match that begins in a position of another: runs in a worker process."""
    found = match.at(number).practice(p, seed)
    found.rename(*names)
    return found


def stored(match: Match) -> dict[str, Any]:
    """Where a match of practice was begun, as the settings of its table keep it."""
    assert match.origin
    codes = match.game.text.CODES
    redeals = [[count, p, None if seed is None else f"{seed:032x}"] for count, p, seed in match.origin.redeals]
    return {"moves": [[p, codes[action]] for p, action in match.origin.moves], "redeals": redeals}
