"""The routes of the table under /api, and the pictures."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from perankh.web import catalog, hints, replays, votes
from perankh.web.agreements import Settings, checked_stand_in
from perankh.web.analysis import Analyst
from perankh.web.frames import dumps
from perankh.web.identity import Visitor, who_is
from perankh.web.live import router as live_router
from perankh.web.refusal import refused
from perankh.web.services import LOOK
from perankh.web.table import Table
from perankh.web.tables import LONGEST_FILE, Tables
from perankh.web.views import Views

router = APIRouter()
router.include_router(live_router)

PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
SeatNumber = Annotated[int, Field(ge=0, le=99)]
SeatPath = Annotated[int, Path(ge=0, le=99)]
Name = Annotated[str, Field(max_length=100)]
Lang = Annotated[str, Query(max_length=20)]


class Body(BaseModel):
    """What a request may say; anything else is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SeatWanted(Body):
    """A seat of a new table."""

    kind: Literal["me", "open", "bot"]
    bot: Name | None = None
    name: Name | None = None


class ClockWanted(Body):
    """Time for each player."""

    minutes: int = Field(ge=1, le=600)
    increment: int = Field(default=0, ge=0, le=300)


class NewTable(Body):
    """A table to be set up. `absence`: minutes after which a person counts as away."""

    game: Name
    players: int = Field(ge=1, le=99)
    options: dict[str, str | int | bool] = Field(default_factory=dict, max_length=50)
    seats: list[SeatWanted] | None = Field(default=None, max_length=99)
    clock: ClockWanted | None = None
    on_timeout: Literal["bot", "forfeit", "go_on"] = "bot"
    stand_in: Name | None = None
    absence: int | None = Field(default=None, ge=1, le=10_080)
    hot_seat: bool = False
    ready: bool = False
    seed: int | None = None


class SitDown(Body):
    """Which seat to take, under which name; and whether to start at once."""

    seat: SeatNumber | None = None
    name: Name | None = None
    ready: bool = False
    contribution: Name | None = None


class Start(Body):
    """What one adds to the deal, and for which own seat."""

    contribution: Name | None = None
    seat: SeatNumber | None = None


class SeatChange(Body):
    """What is to change about a seat."""

    name: Name | None = None
    kind: Literal["bot", "open", "me"] | None = None
    bot: Name | None = None


class MoveMade(Body):
    """A move: how many were made before, and its code."""

    number: int = Field(ge=0, le=10**9)
    code: Name
    seat: SeatNumber | None = None


class HintAsked(Body):
    """For which own seat, and after how many moves."""

    seat: SeatNumber | None = None
    number: int | None = Field(default=None, ge=0, le=10**9)


class ClickRefused(Body):
    """A click that means nothing now: for which own seat, what was clicked before, and what is under it."""

    seat: SeatNumber
    chosen: list[Name] = Field(default_factory=list, max_length=8)
    under: list[Name] = Field(max_length=16)


class UndoAsked(Body):
    """For which own seat."""

    seat: SeatNumber | None = None


class Asked(Body):
    """What is asked for, about which seat; a newcomer's name."""

    what: Literal["time", "stand_in", "join"]
    seat: SeatNumber
    name: Name | None = None


class Vote(Body):
    """Yes or no, and to which request."""

    what: Literal["undo", "time", "stand_in", "join"]
    agree: bool
    id: Name | None = None


def tables_of(request: Request) -> Tables:
    """The tables of this server."""
    tables: Tables = request.app.state.tables
    return tables


async def table_of(request: Request, id: str) -> Table:
    """A table by its id; whoever asks has been heard of, and the answer may tell of an open question."""
    table, who = await tables_of(request).get(id), who_is(request)
    table.touch(who)
    table.start_answer_time(who)
    return table


def plain(value: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(dumps(value), status, media_type="application/json")


# --- Games and tables ------------------------------------------------------------------------------------------------------


@router.get("/api/games")
async def games() -> Response:
    """The games and their options."""
    return plain([catalog.game_facts(game) for game in catalog.offered_games().values()])


@router.post("/api/tables", status_code=201)
async def new_table(request: Request, response: Response, wanted: NewTable) -> dict[str, Any]:
    """Set up a table."""
    if wanted.seed is not None and not request.app.state.allow_seeds:
        raise refused(403, "no_seeds")
    visitor = Visitor(request)
    tables = tables_of(request)
    seats = [seat.model_dump() for seat in wanted.seats] if wanted.seats is not None else None
    clock = (wanted.clock.minutes, wanted.clock.increment) if wanted.clock else None
    absence = tables.services.away if wanted.absence is None else 60.0 * wanted.absence
    settings = Settings(absence, wanted.on_timeout, checked_stand_in(wanted.stand_in))
    asked = (visitor.who, wanted.game, wanted.players, dict(wanted.options), seats, clock, wanted.seed, settings)
    id, commitment = await tables.services.finish(tables.create(*asked, wanted.hot_seat, wanted.ready))
    return visitor.welcome(response, {"id": id, "commitment": commitment})


@router.get("/api/tables")
async def own_tables(request: Request) -> Response:
    """The tables at which one sits, newest first."""
    who = who_is(request)
    return plain(await tables_of(request).own_tables(who) if who else [])


@router.get("/api/tables/{table}")
async def view(
    request: Request,
    table: str,
    at: int | None = None,
    lang: Lang = "en",
    shape: Lang = "wide",
    since: int = 0,
    viewer: int | None = None,
) -> Response:
    """A table as one may see it, now or after `at` moves."""
    found, who = await tables_of(request).get(table), who_is(request)
    found.touch(who)
    lang, shape = catalog.checked_format(lang, shape)
    views: Views = request.app.state.views
    if at is None:
        return plain(await views.present(found, who, viewer, lang, shape, since))
    return plain(await views.past(found, who, viewer, lang, shape, at, since))


@router.post("/api/tables/{table}/seats")
async def sit_down(request: Request, response: Response, table: str, wanted: SitDown) -> dict[str, Any]:
    """Sit down on an open seat."""
    found = await table_of(request, table)
    visitor = Visitor(request)
    seat = found.sit(visitor.who, wanted.seat, wanted.name, wanted.ready, wanted.contribution)
    return visitor.welcome(response, {"seat": await found.services.finish(seat)})


@router.patch("/api/tables/{table}/seats/{seat}")
async def change_seat(request: Request, table: str, seat: SeatPath, wanted: SeatChange) -> dict[str, Any]:
    """Rename a seat, hand it to a bot, leave it, take it back."""
    found = await table_of(request, table)
    await found.services.finish(found.change_seat(who_is(request), seat, wanted.name, wanted.kind, wanted.bot))
    return {"seat": seat}


@router.post("/api/tables/{table}/start")
async def start(request: Request, table: str, given: Start) -> dict[str, Any]:
    """Be ready, and add to the deal."""
    found = await table_of(request, table)
    await found.services.finish(found.start(who_is(request), given.seat, given.contribution))
    return {"status": found.status}


# --- Playing -----------------------------------------------------------------------------------------------------------------


@router.post("/api/tables/{table}/moves")
async def move(request: Request, table: str, made: MoveMade) -> dict[str, Any]:
    """Make a move."""
    found = await table_of(request, table)
    return {"number": await found.services.finish(found.move(who_is(request), made.number, made.code, made.seat))}


@router.post("/api/tables/{table}/hint")
async def hint(request: Request, table: str, asked: HintAsked, lang: Lang = "en") -> dict[str, Any]:
    """What the strongest bot would do; nothing is played."""
    found, lang = await table_of(request, table), catalog.checked_format(lang, "wide")[0]
    return await hints.hint(found, who_is(request), asked.seat, asked.number, lang, request.app.state.hint_limits)


@router.post("/api/tables/{table}/why")
async def why(request: Request, table: str, click: ClickRefused, lang: Lang = "en", shape: Lang = "wide") -> dict[str, Any]:
    """Why a click was refused, where the rules can tell."""
    found, (lang, shape) = await table_of(request, table), catalog.checked_format(lang, shape)
    views: Views = request.app.state.views
    given = (click.seat, click.chosen, click.under, lang, shape)
    return {"reason": await views.reason_against(found, who_is(request), *given)}


@router.post("/api/tables/{table}/undo")
async def ask_undo(request: Request, table: str, asked: UndoAsked) -> dict[str, Any]:
    """Ask to take back the last own decision."""
    found = await table_of(request, table)
    await found.services.finish(votes.ask_undo(found, who_is(request), asked.seat))
    return {"number": found.number}


@router.post("/api/tables/{table}/requests")
async def ask(request: Request, response: Response, table: str, asked: Asked) -> dict[str, Any]:
    """Ask the others for time, for a stand-in, or for a seat that was left."""
    found, visitor = await table_of(request, table), Visitor(request)
    await found.services.finish(votes.ask(found, visitor.who, asked.what, asked.seat, asked.name))
    return visitor.welcome(response, {"number": found.number})


@router.post("/api/tables/{table}/votes")
async def vote(request: Request, table: str, given: Vote) -> dict[str, Any]:
    """Agree or not."""
    found = await table_of(request, table)
    await found.services.finish(votes.vote(found, who_is(request), given.what, given.agree, given.id))
    return {"number": found.number}


@router.post("/api/tables/{table}/rematch")
async def rematch(request: Request, table: str) -> dict[str, Any]:
    """The next table with the same people."""
    found = await table_of(request, table)
    return {"id": await found.services.finish(tables_of(request).rematch(found, who_is(request)))}


# --- Files -------------------------------------------------------------------------------------------------------------------


@router.get("/api/tables/{table}/file")
async def match_file(request: Request, table: str) -> Response:
    """The match file; with the seed once the match is over."""
    found = await table_of(request, table)
    await found.hold_back(who_is(request))
    match = found.match
    open_, known = match.over or found.readonly, found.open_moves
    first = len(known) if match.played[: len(known)] == known else 0
    count, text = await found.services.replay(LOOK, found.id, replays.file_text, match, open_, first)
    found.open_moves = match.played[:count]
    if text is None:
        raise refused(409, "secret_moves")
    name = f"{found.game.name}-{found.id}.perankh"
    return Response(text, media_type="text/plain", headers={"content-disposition": f'attachment; filename="{name}"'})


@router.post("/api/replays", status_code=201)
async def replay(request: Request) -> dict[str, Any]:
    """A table for looking only, from the text of a match file."""
    body = await request.body()
    if len(body) > LONGEST_FILE:
        raise refused(413, "too_large", limit=LONGEST_FILE)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise refused(422, "bad_file", what="is not UTF-8 text") from None
    return {"id": await tables_of(request).services.finish(tables_of(request).replay(text))}


@router.get("/api/tables/{table}/analysis")
async def analysis(request: Request, table: str, lang: Lang = "en", since: Annotated[int, Query(ge=0, le=10**9)] = 0) -> Response:
    """What a strong player thinks of a match that is over, as far as it is worked out; asking has the work go on."""
    found, lang = await table_of(request, table), catalog.checked_format(lang, "wide")[0]
    analyst: Analyst = request.app.state.analyst
    return plain(analyst.ask(found).json(lang, since))


@router.get("/art/{game}.svg", include_in_schema=False)
async def art(game: str) -> Response:
    """The symbols with which a game is drawn."""
    return Response(catalog.art(catalog.offered(game)), media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})


@router.get("/picture/{game}/{name}.svg", include_in_schema=False)
async def picture(game: str, name: str, lang: Lang = "en", shape: Lang = "wide") -> Response:
    """A picture of a game's guide."""
    lang, shape = catalog.checked_format(lang, shape)
    drawn = await asyncio.to_thread(catalog.picture, catalog.offered(game), name, lang, shape)
    headers = {"cache-control": "max-age=3600", "content-security-policy": PICTURE_POLICY}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@router.get("/cover/{game}.svg", include_in_schema=False)
async def cover(game: str, lang: Lang = "en") -> Response:
    """The picture that stands for a game."""
    drawn = await asyncio.to_thread(catalog.cover, catalog.offered(game), catalog.checked_format(lang, "wide")[0])
    headers = {"cache-control": "max-age=3600", "content-security-policy": PICTURE_POLICY}
    return Response(drawn, media_type="image/svg+xml", headers=headers)
