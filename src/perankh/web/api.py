"""The routes of the table under /api, and the pictures."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from perankh.web import access, catalog, chat, files, hints, resigning, tables, votes
from perankh.web.agreements import Settings
from perankh.web.analysis import Analyst
from perankh.web.clock import DAY, DAYS, Clock
from perankh.web.editions import Editions
from perankh.web.frames import dumps
from perankh.web.identity import Visitor, who_is
from perankh.web.live import router as live_router
from perankh.web.people import Me, People, device_name
from perankh.web.refusal import Refused, refused
from perankh.web.seats import checked_name, usual_seats
from perankh.web.table import Table
from perankh.web.tables import LONGEST_FILE, Tables
from perankh.web.views import Views, shown_seats

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
    """Time for each player: minutes for the whole match, with seconds added a move; or days for each move."""

    minutes: int | None = Field(default=None, ge=1, le=600)
    increment: int = Field(default=0, ge=0, le=300)
    days: Literal[1, 2, 3, 7, 14] | None = None

    def made(self, players: int) -> Clock:
        """The clock before the match."""
        if (self.minutes is None) == (self.days is None) or (self.days and self.increment):
            raise refused(422, "bad_clock", days=", ".join(map(str, DAYS)))
        return Clock.fresh(self.minutes or 0, self.increment, players, self.days or 0)


class NewTable(Body):
    """A table to be set up. `absence`: minutes after which a person counts as away. `public`: for the list on the home page."""

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
    public: bool = False
    password: str | None = Field(default=None, max_length=1000)
    best_of: Literal[3, 5] | None = None
    edition: Name | None = None
    seed: int | None = None


class TableChange(Body):
    """What its creator may change about a table; an empty password: none."""

    public: bool | None = None
    password: str | None = Field(default=None, max_length=1000)


class Entry(Body):
    """The password of a table."""

    password: str = Field(max_length=1000)


class Resigned(Body):
    """On which own seat."""

    seat: SeatNumber


class Said(Body):
    """A text or a ready-made phrase; a spectator's name."""

    text: str | None = Field(default=None, max_length=2000)
    phrase: Name | None = None
    name: Name | None = None


class ChatChange(Body):
    """Whom one does not want to hear, or wants to hear again ("*": everybody); whether to hear the gallery."""

    mute: Name | None = None
    unmute: Name | None = None
    listen: bool | None = None


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
    colour: int | None = Field(default=None, ge=0, le=99)


class MoveMade(Body):
    """A move: how many were made before, and its code."""

    number: int = Field(ge=0, le=10**9)
    code: Name
    seat: SeatNumber | None = None


class HintAsked(Body):
    """For which own seat, and after how many moves."""

    seat: SeatNumber | None = None
    number: int | None = Field(default=None, ge=0, le=10**9)
    first: bool = False


class EarlierHintAsked(Body):
    """On the decision after how many moves; `first`: what can be said at once."""

    number: int = Field(ge=0, le=10**9)
    first: bool = False


class ClickRefused(Body):
    """A click that means nothing now: for which own seat, what was clicked before, and what is under it."""

    seat: SeatNumber
    chosen: list[Name] = Field(default_factory=list, max_length=8)
    under: list[Name] = Field(max_length=16)


class ClicksThought(Body):
    """Clicks that one thinks of: for which own seat, and on which sprites, one after the other."""

    seat: SeatNumber
    chosen: list[Name] = Field(min_length=1, max_length=16)


class SpriteAsked(Body):
    """What is under the pointer, the topmost first; as which viewer, and after how many moves."""

    under: list[Name] = Field(min_length=1, max_length=16)
    viewer: int | None = Field(default=None, ge=-1, le=99)
    at: int | None = Field(default=None, ge=0, le=10**9)


class UndoAsked(Body):
    """For which own seat."""

    seat: SeatNumber | None = None


class Asked(Body):
    """What is asked for, about which seat; a newcomer's name, the days of a vacation."""

    what: Literal["time", "stand_in", "join", "vacation", "delete"]
    seat: SeatNumber
    name: Name | None = None
    days: int | None = Field(default=None, ge=-1000, le=1000)


class Vote(Body):
    """Yes or no, and to which request."""

    what: Literal["undo", "time", "stand_in", "join", "vacation", "delete"]
    agree: bool
    id: Name | None = None


def tables_of(request: Request) -> Tables:
    """The tables of this server."""
    tables: Tables = request.app.state.tables
    return tables


async def table_of(request: Request, id: str) -> Table:
    """A table by its id; whoever asks has been heard of, and the answer may tell of an open question."""
    who = who_is(request)
    table = await tables_of(request).get(id, who)
    table.touch(who)
    table.start_answer_time(who)
    return table


def plain(value: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(dumps(value), status, media_type="application/json")


# --- Games and tables ------------------------------------------------------------------------------------------------------


@router.get("/api/games")
async def games(request: Request) -> Response:
    """The games, their options and their bots."""
    bots = tables_of(request).services.bots
    return plain([catalog.game_facts(game) | {"bots": bots.of(game)} for game in catalog.offered_games().values()])


@router.post("/api/tables", status_code=201)
async def new_table(request: Request, response: Response, wanted: NewTable) -> dict[str, Any]:
    """Set up a table."""
    if wanted.seed is not None and not request.app.state.allow_seeds:
        raise refused(403, "no_seeds")
    visitor = Visitor(request)
    tables = tables_of(request)
    people: People = request.app.state.people
    editions: Editions = request.app.state.editions
    seats = [seat.model_dump() for seat in wanted.seats] if wanted.seats is not None else usual_seats(wanted.players)
    mine = next((seat for seat in seats if seat["kind"] == "me"), None)
    given = mine["name"] if mine else None
    if mine:
        mine["name"] = await own_name(people, visitor, given)
    clock = wanted.clock.made(wanted.players) if wanted.clock else None
    usual = DAY if clock and clock.days else tables.services.away
    absence = usual if wanted.absence is None else 60.0 * wanted.absence
    settings = Settings(absence, wanted.on_timeout, tables.services.bots.checked_stand_in(wanted.stand_in))
    game = await editions.game(wanted.game, wanted.edition)
    asked = (visitor.who, game, wanted.players, dict(wanted.options), seats, clock, wanted.seed, settings)
    company = (wanted.public, wanted.password, wanted.best_of)
    id, commitment = await tables.services.finish(tables.create(*asked, wanted.hot_seat, wanted.ready, *company))
    await keep_name(people, visitor, given)
    return visitor.welcome(response, {"id": id, "commitment": commitment})


async def own_name(people: People, visitor: Visitor, name: str | None) -> str:
    """The name under which somebody sits down: the one given, or the one that is kept."""
    return (await people.profile(visitor.who))[0] if name is None else checked_name(name)


async def keep_name(people: People, visitor: Visitor, name: str | None) -> None:
    """Keep the first name that somebody has given, once a seat is taken under it: nothing is stored of those who take none."""
    if name:
        with suppress(Refused):  # the seat is taken: where the name cannot be stored just now, this is the least of it
            await people.keep_name(Me(visitor.who, visitor.device, device_name(visitor.connection)), checked_name(name))


@router.get("/api/tables")
async def own_tables(request: Request) -> Response:
    """The tables at which one sits, newest first."""
    who = who_is(request)
    return plain(await tables_of(request).own_tables(who) if who else [])


@router.get("/api/due")
async def due_tables(request: Request) -> Response:
    """The tables at which it is one's turn, that one first which has waited longest."""
    who = who_is(request)
    return plain(await tables_of(request).due_tables(who) if who else [])


@router.get("/api/public")
async def public_tables(request: Request) -> Response:
    """The tables that are listed for everybody."""
    return plain(await tables_of(request).public_tables())


@router.patch("/api/tables/{table}")
async def change_table(request: Request, table: str, wanted: TableChange) -> dict[str, Any]:
    """List a table or not, change its password."""
    found = await table_of(request, table)
    await found.services.finish(access.change_access(found, who_is(request), wanted.public, wanted.password))
    return {"public": found.public, "password": found.password is not None}


@router.delete("/api/tables/{table}")
async def delete_table(request: Request, table: str) -> dict[str, Any]:
    """Delete a table with everything that belongs to it."""
    found = await table_of(request, table)
    await found.services.finish(access.delete(found, who_is(request)))
    return {"deleted": table}


@router.post("/api/tables/{table}/enter")
async def enter(request: Request, response: Response, table: str, given: Entry) -> dict[str, Any]:
    """Give the password of a table."""
    found, visitor = await tables_of(request).known(table), Visitor(request)
    await found.services.finish(access.enter(found, visitor.who, given.password, request.app.state.password_tries))
    return visitor.welcome(response, {"id": table})


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
    who = who_is(request)
    found = await tables_of(request).get(table, who)
    found.touch(who)
    lang, shape = catalog.checked_format(lang, shape)
    views: Views = request.app.state.views
    if at is None:
        return plain(await views.present(found, who, viewer, lang, shape, since))
    return plain(await views.past(found, who, viewer, lang, shape, at, since))


@router.get("/api/tables/{table}/points")
async def points(request: Request, table: str, lang: Lang = "en", viewer: int | None = None) -> dict[str, Any]:
    """The points of all seats by what they were for."""
    found, who = await table_of(request, table), who_is(request)
    lang, _ = catalog.checked_format(lang, "wide")
    views: Views = request.app.state.views
    return {"sources": await views.points(found, who, viewer, lang)}


@router.post("/api/tables/{table}/seats")
async def sit_down(request: Request, response: Response, table: str, wanted: SitDown) -> dict[str, Any]:
    """Sit down on an open seat."""
    found = await table_of(request, table)
    visitor = Visitor(request)
    people: People = request.app.state.people
    given = None if found.own(visitor.who) else wanted.name
    name = await own_name(people, visitor, given) if not found.own(visitor.who) else wanted.name
    colour = (await people.profile(visitor.who))[1] if wanted.seat is None else ""
    seat = found.sit(visitor.who, wanted.seat, name, wanted.ready, wanted.contribution, colour)
    taken = await found.services.finish(seat)
    await keep_name(people, visitor, given)
    return visitor.welcome(response, {"seat": taken})


@router.patch("/api/tables/{table}/seats/{seat}")
async def change_seat(request: Request, table: str, seat: SeatPath, wanted: SeatChange) -> dict[str, Any]:
    """Rename a seat, hand it to a bot, leave it, take it back."""
    found = await table_of(request, table)
    visitor = Visitor(request)
    await found.services.finish(found.change_seat(visitor.who, seat, wanted.name, wanted.kind, wanted.bot, wanted.colour))
    if wanted.name and list(found.own(visitor.who)) == [seat]:
        await keep_name(request.app.state.people, visitor, wanted.name)
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
    with request.app.state.turns.make_move():
        return {"number": await found.services.finish(found.move(who_is(request), made.number, made.code, made.seat))}


@router.post("/api/tables/{table}/hint")
async def hint(request: Request, table: str, asked: HintAsked, lang: Lang = "en") -> dict[str, Any]:
    """What the strongest bot would do, what it brings and why; nothing is played."""
    found = await table_of(request, table)
    return await hints.hint(found, asker_of(request, found, asked.first, lang), asked.seat, asked.number)


@router.post("/api/tables/{table}/advice")
async def hint_on_earlier(request: Request, table: str, asked: EarlierHintAsked, lang: Lang = "en") -> dict[str, Any]:
    """The same of an earlier decision, of matches that are over and of one's own alone against bots."""
    found = await table_of(request, table)
    return await hints.hint_on_earlier(found, asker_of(request, found, asked.first, lang), asked.number)


def asker_of(request: Request, table: Table, first: bool, lang: str) -> hints.Asker:
    """Who asks for advice."""
    lang, limits = catalog.checked_format(lang, "wide")[0], request.app.state.hint_limits
    return hints.Asker(who_is(request), first, lang, shown_seats(table), limits)


@router.post("/api/tables/{table}/why")
async def why(request: Request, table: str, click: ClickRefused, lang: Lang = "en", shape: Lang = "wide") -> dict[str, Any]:
    """Why a click was refused, where the rules can tell."""
    found, (lang, shape) = await table_of(request, table), catalog.checked_format(lang, shape)
    views: Views = request.app.state.views
    given = (click.seat, click.chosen, click.under, lang, shape)
    return {"reason": await views.reason_against(found, who_is(request), *given)}


@router.get("/api/tables/{table}/gains")
async def gains(request: Request, table: str, seat: Annotated[int, Query(ge=0, le=99)]) -> Response:
    """What each move that one may make gains at once."""
    found = await table_of(request, table)
    views: Views = request.app.state.views
    return plain(await views.gains(found, who_is(request), seat))


@router.post("/api/tables/{table}/preview")
async def preview(request: Request, table: str, thought: ClicksThought, lang: Lang = "en", shape: Lang = "wide") -> Response:
    """What clicks would do, as far as it is certain."""
    found, (lang, shape) = await table_of(request, table), catalog.checked_format(lang, shape)
    views: Views = request.app.state.views
    return plain({"preview": await views.preview(found, who_is(request), thought.seat, thought.chosen, lang, shape)})


@router.post("/api/tables/{table}/explain")
async def explain(request: Request, table: str, asked: SpriteAsked, lang: Lang = "en", shape: Lang = "wide") -> Response:
    """What a sprite is for, in words."""
    found, (lang, shape) = await table_of(request, table), catalog.checked_format(lang, shape)
    views: Views = request.app.state.views
    given = (asked.viewer, asked.under, asked.at, lang, shape)
    return plain({"explanation": await views.explanation(found, who_is(request), *given)})


@router.post("/api/tables/{table}/undo")
async def ask_undo(request: Request, table: str, asked: UndoAsked) -> dict[str, Any]:
    """Ask to take back the last own decision."""
    found = await table_of(request, table)
    await found.services.finish(votes.ask_undo(found, who_is(request), asked.seat))
    return {"number": found.number}


@router.post("/api/tables/{table}/requests")
async def ask(request: Request, response: Response, table: str, asked: Asked) -> dict[str, Any]:
    """Ask the others for time, for a stand-in, for a seat that was left, for a vacation, or to delete the table."""
    found, visitor = await table_of(request, table), Visitor(request)
    await found.services.finish(votes.ask(found, visitor.who, asked.what, asked.seat, asked.name, asked.days))
    return visitor.welcome(response, {"number": found.number})


@router.post("/api/tables/{table}/votes")
async def vote(request: Request, table: str, given: Vote) -> dict[str, Any]:
    """Agree or not."""
    found = await table_of(request, table)
    await found.services.finish(votes.vote(found, who_is(request), given.what, given.agree, given.id))
    return {"number": found.number}


@router.post("/api/tables/{table}/resign")
async def resign(request: Request, table: str, given: Resigned) -> dict[str, Any]:
    """Give a match up."""
    found = await table_of(request, table)
    await found.services.finish(resigning.resign(found, who_is(request), given.seat))
    return {"status": found.status}


@router.post("/api/tables/{table}/rematch")
async def rematch(request: Request, table: str) -> dict[str, Any]:
    """The next table with the same people."""
    found = await table_of(request, table)
    return {"id": await found.services.finish(tables.rematch(found, tables_of(request), who_is(request)))}


# --- Chat --------------------------------------------------------------------------------------------------------------------


@router.get("/api/tables/{table}/chat")
async def hear(request: Request, table: str, since: Annotated[int, Query(ge=0, le=10**9)] = 0) -> Response:
    """What was said, as far as one hears it; after the message `since`."""
    found = await table_of(request, table)
    return plain(await chat.frame(found, who_is(request), since, whole=not since))


@router.post("/api/tables/{table}/chat")
async def say(request: Request, response: Response, table: str, said: Said) -> dict[str, Any]:
    """Say something."""
    found, visitor = await table_of(request, table), Visitor(request)
    asked = (visitor.who, said.text, said.phrase, said.name, request.app.state.pace, request.state.address)
    return visitor.welcome(response, {"id": await found.services.finish(chat.say(found, *asked))})


@router.patch("/api/tables/{table}/chat")
async def change_chat(request: Request, response: Response, table: str, wanted: ChatChange) -> dict[str, Any]:
    """Mute somebody, or hear the gallery."""
    found, visitor = await table_of(request, table), Visitor(request)
    await found.services.finish(chat.change_hearing(found, visitor.who, wanted.mute, wanted.unmute, wanted.listen))
    return visitor.welcome(response, chat.facts(found, visitor.who))


# --- Files -------------------------------------------------------------------------------------------------------------------


@router.get("/api/tables/{table}/file")
async def match_file(request: Request, table: str) -> Response:
    """The match file; with the seed once the match is over."""
    found = await table_of(request, table)
    text = await files.match_text(found, who_is(request))
    name = files.file_name(found.game.name, found.id)
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
    return {"id": await tables_of(request).services.finish(tables_of(request).replay(text, who_is(request)))}


@router.get("/api/tables/{table}/analysis")
async def analysis(request: Request, table: str, lang: Lang = "en", since: Annotated[int, Query(ge=0, le=10**9)] = 0) -> Response:
    """What a strong player thinks of a match that is over, as far as it is worked out; asking has the work go on."""
    found, lang = await table_of(request, table), catalog.checked_format(lang, "wide")[0]
    analyst: Analyst = request.app.state.analyst
    return plain(analyst.ask(found).json(lang, since))


@router.get("/api/tables/{table}/analysis/line")
async def analysis_line(
    request: Request,
    table: str,
    number: Annotated[int, Query(ge=0, le=10**9)],
    step: Annotated[int, Query(ge=0, le=99)],
    lang: Lang = "en",
    shape: Lang = "wide",
) -> Response:
    """A position of the line that is expected after a better move."""
    found, (lang, shape) = await table_of(request, table), catalog.checked_format(lang, shape)
    analyst: Analyst = request.app.state.analyst
    return plain(await analyst.line(found, number, step, lang, shape, shown_seats(found)))


@router.get("/art/{game}.svg", include_in_schema=False)
async def art(game: str) -> Response:
    """The symbols with which a game is drawn."""
    return Response(catalog.art(catalog.offered(game)), media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})


@router.get("/picture/{game}/{name}.svg", include_in_schema=False)
async def picture(
    request: Request,
    game: str,
    name: str,
    lang: Lang = "en",
    shape: Lang = "wide",
    step: Annotated[int, Query(ge=0, le=99)] = 0,
    table: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """A picture of a game's guide; of a table, with the numbers of its edition."""
    lang, shape = catalog.checked_format(lang, shape)
    played, draw = catalog.offered(game), catalog.picture
    if table and (found := (await table_of(request, table)).game).name == game and found.edition:
        played, draw = found, catalog.edition_picture
    drawn = await asyncio.to_thread(draw, played, name, lang, shape, step)
    headers = {"cache-control": "private, max-age=3600" if table else "max-age=3600", "content-security-policy": PICTURE_POLICY}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@router.get("/cover/{game}.svg", include_in_schema=False)
async def cover(game: str, lang: Lang = "en") -> Response:
    """The picture that stands for a game."""
    drawn = await asyncio.to_thread(catalog.cover, catalog.offered(game), catalog.checked_format(lang, "wide")[0])
    headers = {"cache-control": "max-age=3600", "content-security-policy": PICTURE_POLICY}
    return Response(drawn, media_type="image/svg+xml", headers=headers)
