"""All tables: loaded from storage on demand, dropped when idle; the bots' worker process; the watch over clocks."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from sqlalchemy import Connection

from perankh.bots import BOTS
from perankh.engine.game import Game, checked_seed
from perankh.engine.state import Record
from perankh.errors import BadOption, MoveError, PerankhError
from perankh.match.file import parse
from perankh.match.match import Match
from perankh.web import storage, views
from perankh.web.clock import Clock
from perankh.web.knowledge import marks_of
from perankh.web.limits import Buckets
from perankh.web.refusal import because, refused
from perankh.web.room import Room, Seat
from perankh.web.storage import Storage
from perankh.web.study import Analyst
from perankh.web.worker import Worker, WorkerFailed

T = TypeVar("T")
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{12}")
WATCH_EVERY = 0.5  # seconds between looks at the clocks
AWAY = 60.0  # seconds after which others may hand a seat to a bot
IDLE = 300.0  # seconds after which a room that nobody uses is dropped
OWN_TABLES = 100  # the most that the list of own tables tells
LONGEST_FILE = 200_000
HINTS = (0.5, 6.0)  # new hints a second, and how many at once, for one person


class Rooms:
    """The tables in memory and everything they share."""

    def __init__(self, store: Storage, bot_pause: tuple[float, float], idle: float, away: float) -> None:
        self.storage = store
        self.bot_pause = bot_pause  # seconds a bot seems to think at the start of its turn, at least and at most
        self.idle = idle
        self.away = away
        self.rooms: dict[str, Room] = {}
        self.loading: dict[str, asyncio.Task[Room]] = {}
        self.artist = Worker()  # draws
        self.thinker = Worker()  # plays for the bots, and gives hints
        self.analyst = Analyst(self)  # studies matches that are over
        self.hints = Buckets(*HINTS)
        self.is_warming = False  # are the games being compiled?
        self.tasks: set[asyncio.Task[Any]] = set()

    def open(self, warm: bool) -> None:
        """Begin the watch, and have the artist come; `warm`: have the games compiled meanwhile."""
        self.start(self.watch())
        self.start(self.artist.start())
        if warm:
            self.start(self.warm())

    async def warm(self) -> None:
        """Compile the bots of games not yet on the disk, in a process of its own; until then they play interpreted."""
        compiler, self.is_warming = Worker(), True
        try:
            for game in views.offered_games().values():
                await compiler.ask("warm", str(game.folder))
        except (WorkerFailed, OSError) as error:
            logging.getLogger(__name__).warning("the bots could not be compiled: %s", error)
        finally:
            self.is_warming = False
            await compiler.close()

    async def close(self) -> None:
        """Stop bots and watch."""
        for task in [*self.tasks, *(room.bot_task for room in self.rooms.values() if room.bot_task)]:
            task.cancel()
        await self.artist.close()
        await self.thinker.close()
        await self.analyst.close()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task that is kept until it is done."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def surely(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish a change even if whoever asked for it goes away."""
        return await asyncio.shield(self.start(work))

    async def watch(self) -> None:
        """Look at the clocks; drop rooms that nobody uses."""
        while True:
            await asyncio.sleep(WATCH_EVERY)
            now = time.time()
            for room in list(self.rooms.values()):
                try:
                    if room.clock and room.clock.fallen(room.acting_persons(), now):
                        async with room.lock:
                            await room.tick()
                except PerankhError as error:
                    logging.getLogger(__name__).warning("table %s: %s", room.id, error)
                busy = room.watchers or room.window or room.lock.locked() or (room.bot_task and not room.bot_task.done())
                if not busy and now - room.used > self.idle:
                    self.drop(room)

    def drop(self, room: Room) -> None:
        """Forget a room; those who watch it connect anew."""
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]
        room.gone = True
        for watcher in room.watchers:
            watcher.bell.set()

    # --- Loading ----------------------------------------------------------------------------------------------------------

    async def get(self, id: str) -> Room:
        """A table by its id, from memory or from storage."""
        if id not in self.rooms:
            if not TABLE_ID.fullmatch(id):
                raise refused(404, "no_table")
            if id not in self.loading:
                self.loading[id] = self.start(self.load(id))
                self.loading[id].add_done_callback(lambda _: self.loading.pop(id, None))
            room = await asyncio.shield(self.loading[id])
        else:
            room = self.rooms[id]
        room.used = time.time()
        return room

    async def load(self, id: str) -> Room:
        """Read a table and replay it, in a thread."""
        stored = await self.storage.read(lambda connection: storage.select_table(connection, id))
        if stored is None:
            raise refused(404, "no_table")
        table, seated, made = stored
        game = views.offered(table.game)
        if (game.version, game.components_fingerprint) != (table.rules, table.components):
            raise refused(409, "changed_rules", game=game.name)
        seats = [Seat(row.kind, row.owner, row.bot, row.name) for row in seated]
        clock = Clock(**json.loads(table.clock)) if table.clock else None

        def replay() -> Match:
            names = [seat.name for seat in seats]
            match = Match(game, table.players, int(table.seed, 16), json.loads(table.options), names)
            for number, (p, code, stamp) in enumerate(made):
                if clock and number >= clock.base:
                    clock.moved(p, [q for q in match.actors if seats[q].kind == "person"], stamp)
                match.play(views.action_of(game)[code], p)
            return match

        try:
            match = await asyncio.to_thread(replay)
        except (BadOption, KeyError, MoveError):
            raise refused(409, "changed_rules", game=game.name) from None
        room = Room(self, id, match, seats)
        room.marks = await asyncio.to_thread(marks_of, match)
        room.clock, room.next, room.readonly = clock, table.next, bool(table.readonly)
        room.undo = json.loads(table.undo) if table.undo else None
        self.rooms[id] = room
        async with room.lock:
            await room.tick()
        room.changed()
        return room

    # --- New tables --------------------------------------------------------------------------------------------------------

    async def create(
        self,
        who: str,
        name: str,
        players: int,
        options: dict[str, Any],
        wanted: list[dict[str, Any]] | None,
        clock: tuple[int, int] | None,
        seed: int | None,
    ) -> str:
        """Set up a new table; returns its id."""
        game = views.offered(name)
        seats = self.seats_wanted(who, players, wanted)
        try:
            match = Match(game, players, checked_seed(seed), options, [seat.name for seat in seats])
        except BadOption as error:
            raise because(422, error) from None
        room = Room(self, new_id(), match, seats)
        room.clock = Clock.fresh(*clock, players) if clock else None
        await self.keep_new(room)
        return room.id

    def seats_wanted(self, who: str, players: int, wanted: list[dict[str, Any]] | None) -> list[Seat]:
        """The seats as somebody wants them: the first for oneself and the others open, unless said otherwise."""
        if wanted is None:
            return [Seat("person", who), *(Seat("open") for _ in range(players - 1))]
        if len(wanted) != players:
            raise refused(422, "seats_count", players=players)
        seats = []
        for seat in wanted:
            kind, bot, name = seat["kind"], seat.get("bot") or "scribe", seat.get("name") or ""
            if kind == "bot" and bot not in BOTS:
                raise refused(422, "no_bot", bot=bot, bots=", ".join(BOTS))
            seats.append(
                Seat("person", who, None, name)
                if kind == "me"
                else Seat("bot", None, bot, name)
                if kind == "bot"
                else Seat("open", name=name)
            )
        return seats

    async def keep_new(self, room: Room, old: Room | None = None) -> None:
        """Store a new table (and, with a rematch, that the old one leads to it)."""
        match, now = room.match, time.time()
        if room.clock and room.status == "playing":
            room.clock.since = now
        facts = {
            "id": room.id,
            "game": match.game.name,
            "rules": match.game.version,
            "components": match.game.components_fingerprint,
            "players": match.players,
            "options": json.dumps(match.options),
            "seed": f"{match.seed:032x}",
            "clock": json.dumps(room.clock.json()) if room.clock else None,
            "readonly": int(room.readonly),
            "created": now,
        } | room.facts(match)
        rows = [dict(vars(seat)) for seat in room.seats]
        codes = match.game.face.CODES
        made = [(p, codes[a], now) for p, a in match.played]

        def write(connection: Connection) -> None:
            storage.insert_table(connection, facts, rows)
            if made:
                storage.insert_moves(connection, room.id, 0, made)
            if old:
                storage.update_table(connection, old.id, {"next": room.id})

        await room.keep(write)
        self.rooms[room.id] = room
        room.changed()

    async def rematch(self, room: Room, who: str | None) -> str:
        """The next table with the same people and options, everybody one seat on; made once."""
        if not room.own(who):
            raise refused(403, "not_seated")
        async with room.lock:
            room.check_open()
            if not room.match.over:
                raise refused(409, "not_over")
            if room.next is None:
                seats = [again(seat) for seat in [*room.seats[1:], room.seats[0]]]
                match = Match(room.game, room.match.players, None, room.match.options, [seat.name for seat in seats])
                following = Room(self, new_id(), match, seats)
                if room.clock:
                    following.clock = Clock.fresh(room.clock.minutes, room.clock.increment, match.players)
                await self.keep_new(following, room)
                room.next = following.id
                room.changed()
            return room.next

    async def replay(self, text: str) -> str:
        """A table for looking only, from a match file."""
        found = re.match(r"perankh match 1\ngame: ([^\n]{1,80})\n", text)
        game = views.offered_games().get(found[1].strip()) if found else None
        if found and game is None:
            raise refused(422, "no_game", game=found[1])
        try:
            match = await asyncio.to_thread(parse, text, None, game)
        except (PerankhError, ValueError) as error:
            raise refused(422, "bad_file", what=error) from None
        room = Room(self, new_id(), match, [Seat("person", name=name) for name in match.names])
        room.readonly = True
        room.marks = {}
        await self.keep_new(room)
        return room.id

    async def own_tables(self, who: str) -> list[dict[str, Any]]:
        """The tables of a token, newest first."""
        found, seated = await self.storage.read(lambda connection: storage.select_own(connection, who, OWN_TABLES))
        listed = []
        for table in found:
            seats = [row for row in seated if row.table_id == table.id]
            waiting = any(row.kind == "open" for row in seats)
            status = "over" if not table.acting else "waiting" if waiting else "playing"
            mine = [row.seat for row in seats if row.owner == who and row.kind == "person"]
            listed.append(
                {
                    "id": table.id,
                    "game": table.game,
                    "status": status,
                    "seats": [{"seat": row.seat, "name": row.name, "kind": own_kind(row, who)} for row in seats],
                    "number": table.number,
                    "your_turn": status == "playing" and any(table.acting >> p & 1 for p in mine),
                    "updated": table.updated,
                }
            )
        return listed

    # --- What takes long ---------------------------------------------------------------------------------------------------

    async def think(self, game: Game, seen: Record, p: int, bot: str) -> int:
        """A bot's decision, worked out in another process from the veiled state alone; -1 if it could not be."""
        try:
            action: int = await self.thinker.ask("think", str(game.folder), vars(seen), p, bot, secrets.randbits(64))
            return action
        except (WorkerFailed, OSError) as error:
            logging.getLogger(__name__).warning("a bot failed: %s", error)
            return -1

    async def advise(self, game: Game, seen: Record, p: int) -> int:
        """The strongest bot's decision from the veiled state; -1 if there is none to be had."""
        try:
            action: int = await self.thinker.ask("advise", str(game.folder), vars(seen), p, secrets.randbits(64))
            return action
        except (WorkerFailed, OSError) as error:
            logging.getLogger(__name__).warning("a hint failed: %s", error)
            return -1

    async def draw(self, game: Game, seen: Record, viewer: int, lang: str, shape: str, may_act: bool) -> dict[str, Any]:
        """The parts of a view that follow from a position: drawn by the artist, or here if there is none."""
        if self.artist.ready:
            try:
                drawn: dict[str, Any] = await self.artist.ask("draw", str(game.folder), vars(seen), viewer, lang, shape, may_act)
                return drawn
            except (WorkerFailed, OSError) as error:
                logging.getLogger(__name__).warning("the artist failed: %s", error)
                if self.artist.process is None:
                    self.start(self.artist.start())
        return views.position(game, seen, viewer, lang, shape, may_act)


def own_kind(row: Any, who: str) -> str:
    """The kind of a stored seat as its list tells it."""
    return "me" if row.kind == "person" and row.owner == who else str(row.kind)


def again(seat: Seat) -> Seat:
    """The seat at the next table; who handed his to a bot sits down himself again."""
    return Seat("person", seat.owner, None, seat.name) if seat.owner else Seat(seat.kind, None, seat.bot, seat.name)


def new_id() -> str:
    """Twelve random characters."""
    return secrets.token_urlsafe(9)
