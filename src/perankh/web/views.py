"""Views of tables: what one viewer may see. Worker processes word and draw them; what several viewers share is made once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import orjson

from perankh.bots import LEVELS, level_called, needs_no_compiler
from perankh.bots.network import untrained
from perankh.engine.chance import forget_chance
from perankh.engine.events import GameEvent
from perankh.engine.words import LANGUAGES
from perankh.match.archive import ArchivedMatch
from perankh.match.match import Match
from perankh.scene import Difference, Picture
from perankh.web import access, rendering, replays, series, undo, visits, votes
from perankh.web.hints import may_hint
from perankh.web.identity import same
from perankh.web.position import SPECTATOR, Position
from perankh.web.refusal import Refused, refused
from perankh.web.rendering import Fault, Seats, Wanted
from perankh.web.seats import names_shown
from perankh.web.services import LOG, LOOK, VIEW, Services
from perankh.web.table import Table
from perankh.workers import WorkerFailed

T = TypeVar("T")
# What a view of a table without a match has in place of what is drawn and worded of a position.
EMPTY: dict[str, Any] = {"scene": None, "moves": b"[]", "text": "", "prompt": None, "result": None, "default": None}
EMPTY |= {"aliases": {}, "step_prompts": {}, "forced": None, "closed": {}, "chapter": None, "happened": []}
LINES_AT_ONCE = 500  # log lines are made for so many moves in one job
MOST_ASKED = 200  # answers about one position that are kept
logger = logging.getLogger(__name__)


class Log:
    """What happened at a table for one viewer in one language: for each move its lines and its events as JSON."""

    def __init__(self) -> None:
        self.played: tuple[tuple[int, int], ...] = ()  # the moves that the lines are about
        self.names: tuple[str, ...] = ()  # what the lines call the players
        self.lines: list[list[bytes]] = []
        self.events: list[list[bytes]] = []
        self.lock = asyncio.Lock()

    def keep_common(self, played: tuple[tuple[int, int], ...], names: tuple[str, ...]) -> None:
        """Forget the lines of moves that have been taken back; all lines, if a player has another name."""
        if names != self.names:
            self.names, self.played, self.lines, self.events = names, (), [], []
        shorter = min(len(self.played), len(played))
        if self.played[:shorter] != played[:shorter]:
            common = next(n for n in range(shorter) if self.played[n] != played[n])
            self.played, self.lines, self.events = self.played[:common], self.lines[:common], self.events[:common]

    def add(self, match: Match, viewer: int, made: list[tuple[list[str], bool]]) -> None:
        """Add the lines of the first moves that have none, and the events, of which the viewer may not know all values.

        Whether a move was forced is shown to its own seat only: to others it could give a hand away.
        """
        first, last = len(self.played), len(self.played) + len(made)
        happened = match.events(viewer, first, last)
        moves = zip(match.played[first:last], made, happened, strict=True)
        for number, ((p, _), (texts, forced), events) in enumerate(moves, first + 1):
            more = {"forced": True} if forced and p == viewer else {}
            self.lines.append([orjson.dumps({"n": number, "seat": p, "text": text} | more) for text in texts])
            self.events.append([orjson.dumps({"n": number} | event_facts(event)) for event in events])
        self.played = match.played[:last]


def event_facts(event: GameEvent) -> dict[str, Any]:
    """An event as views list it; an unknown value is None."""
    return {"kind": event.kind.name.lower(), "seat": event.seat, **event.by_name()}


class Drawing(NamedTuple):
    """A part of what is made for all who watch a position: the work for all, and which of its results is meant."""

    work: asyncio.Task[list[dict[str, Any] | Fault]]
    place: int

    @property
    def failed(self) -> bool:
        """Was it tried without success?"""
        if not self.work.done():
            return False
        return self.work.cancelled() or self.work.exception() is not None or isinstance(self.work.result()[self.place], Fault)

    async def parts(self) -> dict[str, Any]:
        """The parts of the view, when they are made."""
        made = (await asyncio.shield(self.work))[self.place]
        if isinstance(made, Fault):
            raise WorkerFailed(made.error)
        return made


class Views:
    """Makes the views of all tables, as dictionaries for `frames`."""

    def __init__(self, services: Services) -> None:
        self.services = services
        # The newest picture of a table for each viewer, language and shape.
        self.pictures: WeakKeyDictionary[Table, dict[tuple[int, str, str], Picture]] = WeakKeyDictionary()
        self.drawings: WeakKeyDictionary[Position, dict[Wanted, Drawing]] = WeakKeyDictionary()
        self.asked: WeakKeyDictionary[Position, dict[Any, asyncio.Task[Any]]] = WeakKeyDictionary()  # what was found out before
        self.logs: WeakKeyDictionary[Table, dict[tuple[int, str], Log]] = WeakKeyDictionary()

    async def present(
        self, table: Table, who: str | None, viewer: int | None, lang: str, shape: str, since: int = 0, text: bool = True
    ) -> dict[str, Any]:
        """The table as somebody sees it now, with the log from move `since` + 1 on; `text`: with the text board."""
        if table.dealt is None:
            return await self.lobby(table, who, table.checked_viewer(who, viewer), lang)
        await table.hold_back(who)
        p, own, position = table.checked_viewer(who, viewer), table.own(who), table.position
        facts, players = table_facts(table, who, p), player_facts(table, who)  # of this moment, as the position is
        parts = await finished(self.drawing(table, Wanted(p, lang, shape, may_act(table, own, p), text)).parts())
        log, events = await self.log(table, position, p, lang, since, parts["lines"])
        view = put_together(facts, players, as_counted(position.match, position.match.number, parts), log, since)
        view |= {"events": events, "by": mover(position.match, position.match.number)}
        view["question"] = question_facts(table, position, own, p, view.pop("default"))
        return view

    async def lobby(self, table: Table, who: str | None, viewer: int, lang: str) -> dict[str, Any]:
        """A table before the deal: who sits there and who has started. There is no match to see anything of."""
        players, seats = player_facts(table, who), shown_seats(table)
        view = lobby_facts(table, who, viewer)
        late = [player["seat"] for player in players if not player["started"] and player["kind"] != "open"]
        waits = None if any(seat.kind == "open" for seat in table.seats) else late
        words = self.services.run(VIEW, table.id, rendering.lobby, table.game.place, table.options, seats, waits, lang)
        parts = EMPTY | await finished(words)
        view = put_together(view, players, parts, [], 0) | {"events": [], "by": None, "question": None}
        view["palette"] = parts["palette"]
        del view["default"]
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
        state, moves = match.path_to(at)
        wanted = Wanted(p, lang, shape, False, True)
        given = (match.game.place, state.to_bytes(), moves, last_events(match, at, p), wanted, shown)
        parts = await finished(self.services.replay(LOOK, table.id, replays.look_back, *given))
        log, events = await self.log(table, position, p, lang, since)
        view = put_together(facts, players, as_counted(match, at, parts), log, since) | {
            "at": at,
            "question": None,
            "events": events,
        }
        view["by"] = mover(match, at)
        if at != match.number:
            view["result"] = None
        table.start_answer_time(who)
        del view["default"]
        return view

    def drawing(self, table: Table, wanted: Wanted) -> Drawing:
        """The drawn and worded parts of the present position, being made: in one job for all who watch."""
        position = table.position
        drawings = self.drawings.setdefault(position, {})
        found = drawings.get(wanted)
        if found is None or found.failed:
            missing = [wanted, *(one for one in all_wanted(table) if one != wanted and one not in drawings)]
            number, viewers = table.number, {one.viewer for one in missing}
            seen = {p: (position.seen_by(p).to_bytes(), last_events(table.match, number, p)) for p in viewers}
            given = (table.game.place, seen, missing, shown_facts(table))
            work = self.services.start(self.draw(table, missing, *given))
            drawings |= {one: Drawing(work, place) for place, one in enumerate(missing)}
            found = drawings[wanted]
        return found

    async def draw(self, table: Table, wanted: list[Wanted], *given: Any) -> list[dict[str, Any] | Fault]:
        """Have the parts of views made. Of the pictures, the worker process sends what differs from those it has sent before."""
        newest = self.pictures.setdefault(table, {})
        before = [newest.get(one[:3]) for one in wanted]
        known = [picture.serial if picture else 0 for picture in before]
        made: list[dict[str, Any] | Fault] = await self.services.run(VIEW, table.id, rendering.render, *given, known)
        for one, earlier, parts in zip(wanted, before, made, strict=True):
            if not isinstance(parts, Fault):
                drawn: Any = parts["scene"]
                picture: Picture = drawn.applied_to(earlier) if isinstance(drawn, Difference) and earlier else drawn
                picture.serial = parts["serial"]
                parts["scene"] = newest[one[:3]] = picture
        return made

    async def reason_against(
        self, table: Table, who: str | None, seat: int, chosen: list[str], under: list[str], lang: str, shape: str
    ) -> str | None:
        """Why a click of an own seat was refused; None if the rules have nothing to say about it, or it is another's turn."""
        if table.checked_seat(seat) not in table.own(who):
            raise refused(403, "not_yours")
        if table.dealt is None or not may_act(table, (seat,), seat):
            return None
        record, seats = table.position.seen_by(seat).to_bytes(), shown_seats(table)
        given = (table.game.place, record, seat, chosen, under, lang, shape, seats)
        return await finished(self.services.run(VIEW, table.id, rendering.reason_against_click, *given))

    async def points(self, table: Table, who: str | None, viewer: int | None, lang: str) -> list[dict[str, Any]]:
        """The points of all seats by their sources, as far as a viewer may know."""
        if table.dealt is None:
            return []
        await table.hold_back(who)
        p, position = table.checked_viewer(who, viewer), table.position
        record, told = position.seen_by(p).to_bytes(), points_told(position.match, p)
        given = (table.game.place, record, told, lang)
        return await finished(self.services.run(VIEW, table.id, rendering.points_now, *given))

    async def gains(self, table: Table, who: str | None, seat: int) -> dict[str, Any]:
        """What each move that an own seat may make gains at once, by code and by sprite; nothing in another's turn."""
        if not self.may_preview(table, who, seat):
            return {"moves": {}, "aliases": {}}
        position = table.position
        given = (table.game.place, position.seen_by(seat).to_bytes(), seat)
        found: dict[str, Any] = await self.once(table, position, rendering.gains, given, (seat,))
        return found

    async def preview(self, table: Table, who: str | None, seat: int, chosen: list[str], lang: str, shape: str) -> Any:
        """What clicks of an own seat would do, as far as it is certain; None if they make no move now."""
        if not self.may_preview(table, who, seat):
            return None
        position, seats = table.position, shown_seats(table)
        given = (table.game.place, position.seen_by(seat).to_bytes(), seat, chosen, lang, shape, seats)
        return await self.once(table, position, rendering.preview, given, (seat, tuple(chosen), lang, shape, seats.names[lang]))

    def may_preview(self, table: Table, who: str | None, seat: int) -> bool:
        """Is it an own seat's turn to decide? Another's seat is refused."""
        if table.checked_seat(seat) not in table.own(who):
            raise refused(403, "not_yours")
        return table.dealt is not None and may_act(table, (seat,), seat)

    async def once(self, table: Table, position: Position, work: Any, given: tuple[Any, ...], key: tuple[Any, ...]) -> Any:
        """The result of work about a position, which is done once for all who ask while it lasts."""
        known = self.asked.setdefault(position, {})
        found = known.get((work, key))
        if found is None or (found.done() and (found.cancelled() or found.exception())):
            if len(known) >= MOST_ASKED:
                known.clear()
            found = known[work, key] = self.services.start(self.services.run(VIEW, table.id, work, *given))
        return await finished(asyncio.shield(found))

    async def explanation(
        self, table: Table, who: str | None, viewer: int | None, under: list[str], at: int | None, lang: str, shape: str
    ) -> dict[str, str] | None:
        """What the topmost sprite of some is for that the game explains, now or after `at` moves."""
        p = table.checked_viewer(who, viewer)
        if table.dealt is None:
            return None
        await table.hold_back(who)
        match, folder, seats = table.match, table.game.place, shown_seats(table)
        if at is None or at == match.number:
            given = (folder, table.position.seen_by(p).to_bytes(), p, under, lang, shape, seats)
            return await finished(self.services.run(VIEW, table.id, rendering.explanation, *given))
        if not 0 <= at <= match.number:
            raise refused(404, "no_position", at=at, number=match.number)
        state, moves = match.path_to(at)
        past = (folder, state.to_bytes(), moves, p, under, lang, shape, seats)
        return await finished(self.services.replay(LOOK, table.id, replays.explanation, *past))

    async def log(
        self, table: Table, position: Position, viewer: int, lang: str, since: int, last: list[str] | None = None
    ) -> tuple[list[bytes], list[bytes]]:
        """The lines of the log and the events from move `since` + 1 on, as JSON; each is made once.

        `last`: the lines of the last move, if they are known.
        """
        match, log = position.match, self.logs.setdefault(table, {}).setdefault((viewer, lang), Log())
        async with log.lock:
            names = names_shown(table.game, table.seats, table.colours, lang)
            log.keep_common(match.played, names)
            while (first := len(log.played)) < match.number:
                if last is not None and first == match.number - 1 and position.forced is not None:
                    log.add(match, viewer, [(last, position.forced)])
                else:
                    log.add(match, viewer, await self.new_lines(table, match, viewer, lang, first, names))
            shown = slice(max(0, since), match.number)
            return list(chain.from_iterable(log.lines[shown])), list(chain.from_iterable(log.events[shown]))

    async def new_lines(
        self, table: Table, match: Match, viewer: int, lang: str, first: int, names: tuple[str, ...]
    ) -> list[tuple[list[str], bool]]:
        """The lines of a number of moves after the first so many, and whether each was forced."""
        if isinstance(match, ArchivedMatch):
            past = (match, first, min(first + LINES_AT_ONCE, match.number), viewer, lang, names)
            return await finished(self.services.replay(LOG, table.id, replays.archived_lines, *past))
        state, before = match.path_to(first)
        moves = (*before, *match.played[first : first + LINES_AT_ONCE])
        given = (match.game.place, state.to_bytes(), moves, len(before), viewer, lang, names)
        return await finished(self.services.replay(LOG, table.id, replays.log_lines, *given))


def as_counted(match: Match, number: int, parts: dict[str, Any]) -> dict[str, Any]:
    """The parts of a view with the points as the rules counted them that a match was played under."""
    return parts | {"scores": match.scores_at(number)} if isinstance(match, ArchivedMatch) else parts


async def finished(work: Awaitable[T]) -> T:
    """The result of work in another process; a refusal if it could not be done."""
    try:
        return await work
    except Refused:
        raise
    except Exception as error:  # also a fault in a game's drawing or texts: it must not end the connection
        logger.error("a view could not be made: %r", error)
        raise refused(503, "no_view") from None


def last_events(match: Match, number: int, viewer: int) -> list[Any]:
    """The events of the move that led to a position, as plain numbers, as a viewer may know them."""
    return [event.as_numbers() for event in match.events(viewer, number - 1, number)[0]] if number else []


def points_told(match: Match, viewer: int) -> list[Any]:
    """All events so far that changed points, as plain numbers, as a viewer may know them."""
    events = (event for events in match.events(viewer) for event in events)
    return [event.as_numbers() for event in events if "points" in event.kind.names]


def mover(match: Match, number: int) -> int | None:
    """The seat whose move led to a position; None at the start."""
    return match.played[number - 1][0] if number else None


# --- Facts -----------------------------------------------------------------------------------------------------------------


def may_act(table: Table, own: tuple[int, ...], viewer: int) -> bool:
    """Are there moves for this viewer to choose from?"""
    return viewer in own and viewer in table.acting_persons() and not table.readonly


def all_wanted(table: Table) -> set[Wanted]:
    """What is to be made for those who watch a table."""
    found = set()
    for watcher in table.watchers:
        own = table.own(watcher.who)
        p = watcher.viewer if watcher.viewer is not None else own[0] if own else SPECTATOR
        if p == SPECTATOR or p in own:  # who may see more, when nothing is secret, asks for it
            found.add(Wanted(p, watcher.lang, watcher.shape, may_act(table, own, p), not watcher.changes))
    return found


def shown_facts(table: Table) -> dict[str, Any]:
    """The public facts of a table that a view words or draws."""
    match, final = table.match, None
    if table.over:
        final = match.state.copy()
        forget_chance(final)
    return {
        "moved": match.number > 0,
        "seats": shown_seats(table),
        "options": match.options,
        "acting": match.actors,
        "final": final.to_bytes() if final else None,
        "told": points_told(match, SPECTATOR) if final else [],
        "forfeited": table.forfeits.seats,
        "resigned": table.resigned,
        "ended": table.ended,
        "broken": table.broken,
        "archived": match.outcome if isinstance(match, ArchivedMatch) else None,
    }


def shown_seats(table: Table) -> Seats:
    """What the players are called, in every language, and their colours."""
    names = {lang: names_shown(table.game, table.seats, table.colours, lang) for lang in LANGUAGES}
    return Seats(names, table.colours)


def lobby_facts(table: Table, who: str | None, viewer: int) -> dict[str, Any]:
    """The parts of a view that need no words and no match."""
    own, clock = table.own(who), table.clock
    rules = {"days": clock.days} if clock and clock.days else clock and {"minutes": clock.minutes, "increment": clock.increment}
    return {
        "type": "view",
        "table": table.id,
        "game": table.game.name,
        "edition": table.game.edition.name if table.game.edition else None,
        "status": table.status,
        "readonly": table.readonly,
        "hot_seat": table.hot_seat,
        "number": 0,
        "at": 0,
        "viewer": viewer,
        "own": own,
        "cover": False,
        "clock": rules,
        "spectators": table.spectators,
        "public": table.public,
        "password": table.password is not None,
        "creator": same(table.creator, who),
        "may_delete": access.may_delete(table, who),
        "series": series.facts(table),
        "seen": visits.seen_by(table, who),
        "deal": table.deal.facts(table.over or table.readonly) if table.deal else None,
        "seed_hash": None,
        "seed": None,
        "earlier_rules": False,
        "settings": table.settings.shown(),
        "request": votes.request_facts(table, who),
        "notices": [],
        "may_undo": False,
        "may_hint": False,
        "may_change": False,
        "next": table.next,
    }


def must_cover(table: Table, own: Sequence[int], viewer: int) -> bool:
    """Do several players share a screen of whom the next one to act knows other things than the one who looks at it?"""
    others = [p for p in own if p != viewer and p in table.match.actors] if table.status == "playing" else []
    return any(table.position.seen_by(p) != table.position.seen_by(viewer) for p in others)


def table_facts(table: Table, who: str | None, viewer: int) -> dict[str, Any]:
    """The parts of a view that need no words and do not depend on the position shown."""
    match, own = table.match, table.own(who)
    mine, facts = viewer in own, lobby_facts(table, who, viewer)
    return facts | {
        "number": match.number,
        "at": match.number,
        "seed_hash": match.seed_hash,
        "seed": f"{match.seed:032x}" if table.over or table.readonly else None,
        "earlier_rules": isinstance(match, ArchivedMatch),
        "cover": mine and must_cover(table, own, viewer),
        "notices": [notice.json() for notice in table.notices],
        "may_undo": facts["request"] is None and mine and undo.refusal(table, viewer) is None,
        "may_hint": mine and may_hint(table, viewer),
        "may_change": mine and undo.still_sealed(table, viewer),
    }


def player_facts(table: Table, who: str | None) -> list[dict[str, Any]]:
    """The seats as a view lists them, without what is worded or drawn."""
    state = table.match.state if table.status == "playing" else None
    acting = table.match.actors if state else []
    own, persons, now, askable = table.own(who), table.acting_persons(), table.services.now(), votes.askable(table, who)
    compiled = table.game.place in table.services.compiled or table.lesson is not None
    searching = bool(state and any(seat.kind == "bot" for seat in table.seats) and untrained(table.game, state))
    return [
        {
            "seat": p,
            "kind": "me" if seat.kind == "person" and p in own else seat.kind,
            "bot": seat.bot,
            "ready": seat.kind != "bot" or compiled or bool(state and needs_no_compiler(table.game, seat.bot or "random", state)),
            "trained": not (searching and seat.kind == "bot" and level_called(seat.bot or "") in LEVELS),
            "started": table.dealt is not None or bool(table.deal and table.deal.contributions[p]),
            "connected": seat.kind == "bot" or table.connected(p),
            "acting": p in acting,
            "clock": table.clock.shown(p, persons, now) if table.clock else None,
            "out_of_time": table.clock is not None and p in table.clock.out,
            "vacation": table.clock.vacation_left(p, now) if table.clock else 0,
            "resigned": p in table.resigned,
            "vacant": votes.is_vacant(table, p),
            "askable": askable[p],
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
    shown = zip(players, parts["names"], parts["colours"], parts["scores"], strict=False)
    return facts | {
        "title": parts["title"],
        "options": parts["options"],
        "players": [player | {"name": name, "colour": colour, "score": score} for player, name, colour, score in shown],
        "prompt": parts["waiting"] if parts["prompt"] is None else parts["prompt"],
        "step_prompts": parts["step_prompts"],
        "moves": parts["moves"],
        "aliases": parts["aliases"],
        "forced": parts["forced"],
        "closed": parts["closed"],
        "chapter": parts["chapter"],
        "scene": parts["scene"],
        "text": parts["text"],
        "result": parts["result"],
        "happened": parts["happened"],
        "default": parts["default"],
        "log_from": max(0, min(since, facts["number"])) + 1,
        "log": log,
    }
