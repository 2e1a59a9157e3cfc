"""Lessons: tables of a kind of their own, where a game's `lesson.toml` says what is taught and what the other seats do."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from perankh.engine.game import Game
from perankh.engine.lesson import Lesson
from perankh.web import catalog
from perankh.web.agreements import Settings
from perankh.web.identity import Visitor, who_is
from perankh.web.refusal import refused
from perankh.web.table import Table, change
from perankh.web.tables import Tables

router = APIRouter()


class LessonStep(BaseModel):
    """A step of a lesson, counted from 0."""

    model_config = ConfigDict(extra="forbid", strict=True)

    step: Annotated[int, Field(ge=0, le=99)]


@router.post("/api/lessons/{game}")
async def learn(request: Request, response: Response, game: str) -> dict[str, Any]:
    """The table of one's lesson: the one that was begun, or a new one."""
    visitor, found = Visitor(request), catalog.offered(game)
    if found.lesson is None:
        raise refused(404, "no_lesson", game=found.name)
    tables: Tables = request.app.state.tables
    id = await begun(tables, visitor.who, found)
    if id is None:
        name = (await request.app.state.people.profile(visitor.who))[0]
        id = await tables.services.finish(new_lesson(tables, visitor.who, found, found.lesson, name))
    return visitor.welcome(response, {"id": id})


@router.post("/api/tables/{table}/lesson")
async def go_on(request: Request, table: str, wanted: LessonStep) -> dict[str, Any]:
    """Bring the match of a lesson to the position of a step, by the moves that are skipped over."""
    who = who_is(request)
    found: Table = await request.app.state.tables.get(table, who)
    await found.services.finish(skip_to(found, who, wanted.step))
    return {"number": found.number}


async def begun(tables: Tables, who: str, game: Game) -> str | None:
    """Somebody's lesson of a game that is not over."""
    for listed in await tables.own_tables(who):
        if listed["lesson"] and listed["game"] == game.name and listed["status"] == "playing":
            table = await tables.get(listed["id"], who)
            if table.lesson:
                return table.id
    return None


async def new_lesson(tables: Tables, who: str, game: Game, lesson: Lesson, name: str) -> str:
    """Set up the table of a lesson: its deal, its options, bots beside the learner."""
    bot = {"kind": "bot"}
    seats = [{"kind": "me", "name": name} if p == lesson.seat else bot for p in range(lesson.players)]
    settings = Settings(tables.services.away, lesson="begun")
    asked = (who, game, lesson.players, lesson.options, seats, None, lesson.seed, settings)
    return (await tables.create(*asked, ready=True))[0]


@change
async def skip_to(table: Table, who: str | None, number: int) -> None:
    """Make the moves before a step, once however often it is asked for; after the last step the match is like any other."""
    if not table.own(who):
        raise refused(403, "not_seated")
    lesson = table.lesson
    last = lesson is not None and number == len(lesson.steps)
    at, before = (len(lesson.moves), 0) if lesson and last else place_of(lesson, number)
    if lesson is None or not at - before <= table.number <= at:
        raise refused(409, "no_step", step=number + 1)
    if table.number < at:
        await table.skip(lesson.moves[table.number : at])
    if last:
        table.settings = replace(table.settings, lesson="over")
        await table.keep_seats()
    table.touch(who)


def place_of(lesson: Lesson | None, number: int) -> tuple[int, int]:
    """How many moves are made at a step, and how many of them are skipped over."""
    step = lesson.steps[number] if lesson and number < len(lesson.steps) else None
    return (step.at, len(step.before)) if step else (-1, 0)
