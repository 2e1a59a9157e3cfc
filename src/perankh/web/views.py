"""Views of tables: what one viewer may see. Worker processes word and draw them; what several viewers share is made once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable
from itertools import chain
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import orjson

from perankh.engine.chance import forget_chance
from perankh.engine.state import Record
from perankh.errors import PerankhError
from perankh.match.match import Match
from perankh.web import rendering, undo, votes
from perankh.web.hints import may_hint
from perankh.web.position import Position
from perankh.web.refusal import Refused, refused
from perankh.web.services import VIEW, Services
from perankh.web.table import Table

T = TypeVar("T")
logger = logging.getLogger(__name__)


class Log:
    """The log of a table for one viewer in one language: for each move its lines as JSON."""

    def __init__(self) -> None:
        self.played: tuple[tuple[int, int], ...] = ()  # the moves that the lines are about
        self.lines: list[list[orjson.Fragment]] = []
        self.lock = asyncio.Lock()

    def keep_common(self, played: tuple[tuple[int, int], ...]) -> None:
        """Forget the lines of moves that have been taken back."""
        shorter = min(len(self.played), len(played))
        if self.played[:shorter] != played[:shorter]:
            common = next(n for n in range(shorter) if self.played[n] != played[n])
            self.played, self.lines = self.played[:common], self.lines[:common]

    def add(self, played: tuple[tuple[int, int], ...], made: list[list[str]]) -> None:
        """Add the lines of the moves that have none."""
        for (p, _), texts in zip(played[len(self.played) :], made, strict=True):
            number = len(self.lines) + 1
            self.lines.append([orjson.Fragment(orjson.dumps({"n": number, "seat": p, "text": text})) for text in texts])
        self.played = played


class Views:
    """Makes the views of all tables, as dictionaries ready to be sent as JSON."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.rendered: WeakKeyDictionary[Position, dict[Any, asyncio.Task[dict[str, Any]]]] = WeakKeyDictionary()
        self.logs: WeakKeyDictionary[Table, dict[tuple[int, str], Log]] = WeakKeyDictionary()

    async def present(
        self, table: Table, who: str | None, viewer: int | None, lang: str, shape: str, since: int = 0
    ) -> dict[str, Any]:
        """The table as somebody sees it now, with the log from move `since` + 1 on."""
        await table.hold_back(who)
        p, own, position = table.checked_viewer(who, viewer), table.own(who), table.position
        facts, players = table_facts(table, who, p), player_facts(table, who)  # of this moment, as the position is
        parts = self.parts(table, p, lang, shape, may_act(table, own, p))
        log = await self.log(table, position, p, lang, since)
        view = put_together(facts, players, await finished(parts), log, since)
        view["events"] = event_facts(position.match, p, since)
        view["question"] = question_facts(table, position, own, p, view.pop("default"))
        return view

    async def past(
        self, table: Table, who: str | None, viewer: int | None, lang: str, shape: str, at: int, since: int = 0
    ) -> dict[str, Any]:
        """The table as it stood after `at` moves."""
        await table.hold_back(who)
        p, position = table.checked_viewer(who, viewer), table.position
        match = position.match
        if not 0 <= at <= match.number:
            raise refused(404, "no_position", at=at, number=match.number)
        facts, players, shown = table_facts(table, who, p), player_facts(table, who), shown_facts(table)
        seen = await asyncio.to_thread(lambda: match.game.veiled(match.at(at).state, p))
        led = last_events(match, at, p)
        given = (str(match.game.folder), seen.to_bytes(), led, p, lang, shape, False, shown)
        parts = self.services.run(VIEW, table.id, rendering.render, *given)
        view = put_together(facts, players, await finished(parts), await self.log(table, position, p, lang, since), since)
        view |= {"at": at, "question": None, "events": event_facts(match, p, since)}
        if at != match.number:
            view["result"] = None
        table.start_answer_time(who)
        del view["default"]
        return view

    def parts(self, table: Table, viewer: int, lang: str, shape: str, may_act: bool) -> asyncio.Future[dict[str, Any]]:
        """The rendered parts of the present position, being made; shared by all who see the same."""
        tasks = self.rendered.setdefault(table.position, {})
        key = (viewer, lang, shape, may_act)
        task = tasks.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            seen, folder = table.position.seen_by(viewer), str(table.game.folder)
            led = last_events(table.match, table.number, viewer)
            given = (folder, seen.to_bytes(), led, *key, shown_facts(table))
            work = self.services.run(VIEW, table.id, rendering.render, *given)
            task = tasks[key] = self.services.start(work)
        return asyncio.shield(task)

    async def log(self, table: Table, position: Position, viewer: int, lang: str, since: int) -> list[Any]:
        """The lines of the log from move `since` + 1 on; each is made once."""
        match, log = position.match, self.logs.setdefault(table, {}).setdefault((viewer, lang), Log())
        async with log.lock:
            log.keep_common(match.played)
            first = len(log.played)
            if first < match.number:
                states = [position.seen_by(viewer)]
                if first < match.number - 1:
                    states = await asyncio.to_thread(seen_states, match, first + 1, viewer)
                events = ([event.as_numbers() for event in events] for events in match.events(viewer, first))
                moves = list(zip((state.to_bytes() for state in states), events, strict=True))
                given = (str(match.game.folder), viewer, lang, moves)
                made = await finished(self.services.run(VIEW, table.id, rendering.log_lines, *given))
                log.add(match.played, made)
            return list(chain.from_iterable(log.lines[max(0, since) : match.number]))


async def finished(work: Awaitable[T]) -> T:
    """The result of work in another process; a refusal if it could not be done."""
    try:
        return await work
    except Refused:
        raise
    except PerankhError as error:
        logger.error("a view could not be made: %s", error)
        raise refused(503, "no_view") from None


def last_events(match: Match, number: int, viewer: int) -> list[Any]:
    """The events of the move that led to a position, as plain numbers, as a viewer may know them."""
    return [event.as_numbers() for event in match.events(viewer, number - 1)[0]] if number else []


def seen_states(match: Match, first: int, viewer: int) -> list[Record]:
    """The states of a match from a number of moves on, as a viewer may see them."""
    return [match.game.veiled(position.state, viewer) for position in match.positions(first)]


# --- Facts -----------------------------------------------------------------------------------------------------------------


def event_facts(match: Match, viewer: int, since: int) -> list[dict[str, Any]]:
    """What happened from move `since` + 1 on, as far as the viewer may know; an unknown value is None."""
    first = max(0, min(since, match.number))
    return [
        {"n": number, "kind": event.kind.name.lower(), "seat": event.seat, **event.by_name()}
        for number, events in enumerate(match.events(viewer, first), first + 1)
        for event in events
    ]


def may_act(table: Table, own: tuple[int, ...], viewer: int) -> bool:
    """Are there moves for this viewer to choose from?"""
    return viewer in own and viewer in table.acting_persons() and not table.readonly


def shown_facts(table: Table) -> dict[str, Any]:
    """The public facts of a table that a view words or draws."""
    match, final = table.match, None
    if match.over:
        final = match.state.copy()
        forget_chance(final)
    return {
        "names": match.names,
        "options": match.options,
        "acting": match.actors if table.status == "playing" else None,
        "final": final.to_bytes() if final else None,
        "forfeited": table.forfeited,
        "broken": table.broken,
    }


def table_facts(table: Table, who: str | None, viewer: int) -> dict[str, Any]:
    """The parts of a view that need no words and do not depend on the position shown."""
    match, own, asked = table.match, table.own(who), votes.request_facts(table, who)
    mine = viewer in own
    return {
        "type": "view",
        "table": table.id,
        "game": table.game.name,
        "status": table.status,
        "readonly": table.readonly,
        "number": match.number,
        "at": match.number,
        "viewer": viewer,
        "own": own,
        "seed_hash": match.seed_hash,
        "seed": f"{match.seed:032x}" if match.over or table.readonly else None,
        "settings": table.settings.json(),
        "request": asked,
        "notices": [notice.json() for notice in table.notices],
        "may_undo": asked is None and mine and undo.refusal(table, viewer) is None,
        "may_hint": mine and may_hint(table, viewer),
        "may_change": mine and undo.still_sealed(table, viewer),
        "next": table.next,
    }


def player_facts(table: Table, who: str | None) -> list[dict[str, Any]]:
    """The seats as a view lists them, without what is worded or drawn."""
    acting = table.match.actors if table.status == "playing" else []
    own, persons, now = table.own(who), table.acting_persons(), time.monotonic()
    compiled = table.game.name in table.services.compiled
    return [
        {
            "seat": p,
            "kind": "me" if seat.kind == "person" and p in own else seat.kind,
            "bot": seat.bot,
            "ready": seat.kind != "bot" or seat.bot == "random" or compiled,
            "connected": seat.kind == "bot" or table.connected(p),
            "acting": p in acting,
            "clock": table.clock.shown(p, persons, now) if table.clock else None,
            "out_of_time": table.clock is not None and p in table.clock.out,
            "vacant": votes.is_vacant(table, p),
            "askable": votes.askable(table, who, p),
        }
        for p, seat in enumerate(table.seats)
    ]


def question_facts(
    table: Table, position: Position, own: tuple[int, ...], viewer: int, default: str | None
) -> dict[str, Any] | None:
    """The question that has to be answered in time, as a part of a view that is sent now."""
    question = table.question
    if question is None or position is not table.position:
        return None
    now = time.monotonic()
    question.send(own, now)  # whoever's eyes it is seen with
    return {"left": round(1000 * question.left(viewer, now)), "of": round(1000 * question.length), "default": default}


def put_together(
    facts: dict[str, Any], players: list[dict[str, Any]], parts: dict[str, Any], log: list[Any], since: int
) -> dict[str, Any]:
    """A view from the facts of a table, the rendered parts of a position, and lines of the log."""
    rendered = zip(players, parts["names"], parts["colours"], parts["scores"], strict=False)
    return facts | {
        "title": parts["title"],
        "options": parts["options"],
        "players": [player | {"name": name, "colour": colour, "score": score} for player, name, colour, score in rendered],
        "prompt": parts["waiting"] if parts["prompt"] is None else parts["prompt"],
        "moves": orjson.Fragment(parts["moves"]),
        "scene": orjson.Fragment(parts["scene"]),
        "text": parts["text"],
        "result": parts["result"],
        "default": parts["default"],
        "log_from": max(0, min(since, facts["number"])) + 1,
        "log": log,
    }
