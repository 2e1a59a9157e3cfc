"""All tables: loaded from storage on demand, dropped when idle; new tables; the watch over clocks."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import re
import secrets
import time
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.engine.game import checked_seed
from perankh.errors import BadOption, PerankhError
from perankh.match.file import name_of_game
from perankh.web import catalog, replays, storage, votes
from perankh.web.agreements import Notice, Settings
from perankh.web.clock import Clock, this_run
from perankh.web.deal import TableDeal
from perankh.web.position import Position
from perankh.web.refusal import Refused, because, refused
from perankh.web.seats import Seat, seats_wanted
from perankh.web.secrecy import marks_of
from perankh.web.services import LOAD, UPLOAD, Services
from perankh.web.soundness import Faults, replay, stored_clock, stored_match, stored_request, stored_seats
from perankh.web.table import Table

logger = logging.getLogger(__name__)
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{12}")
WATCH_EVERY = 0.5  # seconds between two checks of the clocks
ALIVE_EVERY = 3.0  # seconds of a clock that are lost at most when the server is killed
IDLE = 300.0  # seconds after which a table that nobody uses is dropped from memory
OWN_TABLES = 100  # the most that the list of own tables holds
LONGEST_FILE = 200_000
LONGEST_MATCH = 5_000  # moves of a match that is uploaded


class Tables:
    """The tables in memory."""

    def __init__(self, services: Services, idle: float) -> None:
        self.services = services
        self.idle = idle
        self.tables: dict[str, Table] = {}
        self.loading: dict[str, asyncio.Task[Table]] = {}
        self.clocks_run = False  # has any clock run since the server started?
        self.kept_alive = -math.inf  # when it was last stored that the server is alive

    async def watch(self) -> None:
        """Check the clocks; forget tables that nobody uses."""
        while True:
            await asyncio.sleep(WATCH_EVERY)
            now = time.monotonic()
            await self.keep_alive(ALIVE_EVERY)
            for table in list(self.tables.values()):
                try:
                    if table.clock and table.clock.fallen(table.acting_persons(), now):
                        async with table.lock:
                            await table.tick()
                    await votes.watch(table)
                except PerankhError as error:
                    logger.warning("table %s: %s", table.id, error)
                busy = table.watchers or table.question or table.lock.locked() or (table.bot_task and not table.bot_task.done())
                if not busy and now - table.used > self.idle:
                    table.drop()
                if table.gone and self.tables.get(table.id) is table:
                    del self.tables[table.id]

    async def keep_alive(self, every: float = 0.0) -> None:
        """While clocks run, store every so many seconds that this server is alive: a later one counts the time until then."""
        now = time.monotonic()
        self.clocks_run = self.clocks_run or any(table.clock and table.clock.since for table in self.tables.values())
        if self.clocks_run and now - self.kept_alive >= every:
            self.kept_alive = now
            try:
                await self.services.storage.write(lambda connection: storage.update_run(connection, this_run(), now))
            except sa.exc.SQLAlchemyError as error:
                logger.warning("the time of the clocks could not be stored: %s", error)

    def drop_all(self) -> None:
        """Forget all tables: what is stored is something else now. Whoever watches connects anew."""
        for table in self.tables.values():
            table.drop()
        self.tables.clear()

    # --- Loading ----------------------------------------------------------------------------------------------------------

    async def get(self, id: str) -> Table:
        """A table by its id, from memory or from storage."""
        table = self.tables.get(id)
        if table is None or table.gone:
            if not TABLE_ID.fullmatch(id):
                raise refused(404, "no_table")
            if id not in self.loading:
                self.loading[id] = self.services.start(self.load(id))
                self.loading[id].add_done_callback(lambda _: self.loading.pop(id, None))
            table = await asyncio.shield(self.loading[id])
        table.used = time.monotonic()
        return table

    async def load(self, id: str) -> Table:
        """Read a table, and have it replayed in a worker process."""
        epoch = self.services.storage.epoch
        stored = await self.services.storage.read(lambda connection: storage.select_table(connection, id))
        if stored is None:
            raise refused(404, "no_table")
        row, seated, made, held = stored
        game = catalog.offered(row.game)
        if (game.version, game.components_fingerprint) != (row.rules, row.components):
            raise refused(409, "changed_rules", game=game.name)
        if row.players not in game.players:
            raise self.nothing_to_show(id, f"{row.players} players")
        faults = Faults()
        seats = stored_seats(seated, row.players, faults)
        options = faults.stored("options", lambda: json.loads(row.options))
        deal = faults.stored("deal", lambda: TableDeal.from_json(row.deal, row.players)) if row.deal else None
        table = Table(self.services, id, game, options or {}, seats)
        table.epoch = epoch
        table.next, table.readonly, table.deal = row.next, bool(row.readonly), deal
        table.hot_seat, table.holders = bool(row.hot_seat), held
        if row.seed == "":
            await self.restore_agreements(table, row, faults)
            if faults or not deal or row.number or made or not isinstance(options, dict):
                raise self.nothing_to_show(id, "; ".join(faults) or "there is no deal")
        else:
            try:
                dealt = stored_match(game, row, options, [seat.name for seat in seats], deal, faults)
            except PerankhError as error:
                raise self.nothing_to_show(id, str(error)) from None
            match, wrong = await self.services.replay(LOAD, id, replay, dealt, made, row.number)
            faults += wrong
            table.position = Position(match)
            await self.restore_agreements(table, row, faults)
            if faults:
                logger.error("table %s is damaged and can only be looked at: %s", id, "; ".join(faults))
                table.broken, table.clock, table.request = True, None, None
            else:
                table.marks = await asyncio.to_thread(marks_of, match)
                table.spent = [move.spent for move in made]
        await self.services.check_compiled(game)
        if epoch != self.services.storage.epoch:
            return await self.load(id)  # all rows were replaced meanwhile
        table.update_question()
        self.tables[id] = table
        async with table.lock:
            await table.tick()
        table.changed()
        return table

    async def restore_agreements(self, table: Table, row: Any, faults: Faults) -> None:
        """The stored clock, settings, request and announcements of a table."""
        if row.clock:
            runs = await self.services.storage.read(storage.select_runs)
            table.clock = faults.stored("clock", lambda: stored_clock(row.clock, runs, row.players))
            if table.clock and table.clock.since is None and table.status == "playing":
                table.clock.since = time.monotonic()  # a clock of an earlier version
        if row.settings:
            table.settings = faults.stored("settings", lambda: Settings(**json.loads(row.settings))) or table.settings
        if row.request:
            table.request = faults.stored("request", lambda: stored_request(row.request, row.players))
        if row.notices:
            notices = faults.stored("notices", lambda: [Notice(**notice) for notice in json.loads(row.notices)])
            table.notices = notices or []

    def nothing_to_show(self, id: str, what: str) -> Refused:
        """The refusal of a table whose stored rows describe no match at all."""
        logger.error("table %s is damaged and cannot be shown: %s", id, what)
        return refused(409, "damaged")

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
        settings: Settings,
        hot_seat: bool = False,
        ready: bool = False,
    ) -> tuple[str, str]:
        """Set up a new table; its id and its commitment. `ready`: whoever does has started, and lets the server contribute."""
        game = catalog.offered(name)
        seats = seats_wanted(who, players, wanted, hot_seat)
        try:
            shown = game.shown_options(game.blank(players, options))
            deal = TableDeal.fresh(players, None if seed is None else checked_seed(seed))
        except BadOption as error:
            raise because(422, error) from None
        table = Table(self.services, new_id(), game, shown, seats)
        table.clock = Clock.fresh(*clock, players) if clock else None
        table.settings, table.deal, table.hot_seat = settings, deal, hot_seat
        for p in table.own(who) if ready else ():
            deal.contribute(p, None)
        await self.open(table)
        return table.id, deal.commitment

    async def open(self, table: Table, old: Table | None = None) -> None:
        """Store a new table; the match is dealt at once if nobody has to start."""
        match = table.new_match()
        if match:
            table.position = Position(match)
        await self.keep_new(table, old)

    async def keep_new(self, table: Table, old: Table | None = None) -> None:
        """Store a new table (and, with a rematch, that the old one leads to it)."""
        match, game, now = table.match if table.dealt else None, table.game, time.time()
        table.spent = [None] * table.number
        if table.clock and table.status == "playing":
            table.clock.since = time.monotonic()
        facts = {
            "id": table.id,
            "game": game.name,
            "rules": game.version,
            "components": game.components_fingerprint,
            "players": len(table.seats),
            "options": json.dumps(table.options),
            "seed": f"{match.seed:032x}" if match else "",
            "deal": table.deal.json() if table.deal else None,
            "hot_seat": int(table.hot_seat),
            "clock": json.dumps(table.clock.json()) if table.clock else None,
            "settings": json.dumps(table.settings.json()),
            "readonly": int(table.readonly),
            "created": now,
        } | table.facts(match)
        rows = [dict(vars(seat)) for seat in table.seats]
        codes = game.text.CODES
        made = [(p, codes[a], now, None) for p, a in match.played] if match else []
        held = table.new_holders() if match else []

        def write(connection: Connection) -> None:
            storage.insert_table(connection, facts, rows)
            if held:
                storage.insert_holders(connection, table.id, held)
            if made:
                storage.insert_moves(connection, table.id, 0, made)
            if old:
                storage.update_table(connection, old.id, {"next": table.id})

        await table.keep(write)
        await self.services.check_compiled(table.game)
        self.tables[table.id] = table
        table.changed()

    async def rematch(self, table: Table, who: str | None) -> str:
        """The next table with the same people and options, everybody one seat on; made once."""
        if not table.own(who):
            raise refused(403, "not_seated")
        async with table.lock:
            table.check_open()
            if not table.over:
                raise refused(409, "not_over")
            if table.next is None:
                seats = [seat.at_next_table() for seat in [*table.seats[1:], table.seats[0]]]
                following = Table(self.services, new_id(), table.game, table.options, seats)
                following.deal, following.hot_seat = TableDeal.fresh(len(seats)), table.hot_seat
                following.settings = table.settings
                if table.clock:
                    following.clock = Clock.fresh(table.clock.minutes, table.clock.increment, len(seats))
                await self.open(following, table)
                table.next = following.id
                table.changed()
            return table.next

    async def replay(self, text: str) -> str:
        """A table that only shows a match file. The file can name only games that are offered."""
        if count_moves(text) > LONGEST_MATCH:
            raise refused(422, "too_long", limit=LONGEST_MATCH)
        try:
            game = catalog.offered(name_of_game(text))
            match = await self.services.replay(UPLOAD, "", replays.match_in, text, str(game.folder))
        except Refused as error:
            raise (Refused(422, error.reason) if error.status == 404 else error) from None
        except PerankhError as error:
            raise refused(422, "bad_file", what=error) from None
        table = Table(self.services, new_id(), match.game, match.options, [Seat("person", name=name) for name in match.names])
        table.position, table.readonly = Position(match), True
        table.deal = TableDeal.of(match.deal) if match.deal else None
        await self.keep_new(table)
        return table.id

    async def own_tables(self, who: str) -> list[dict[str, Any]]:
        """The tables of a token, newest first."""
        found, seated = await self.services.storage.read(lambda connection: storage.select_own(connection, who, OWN_TABLES))
        listed = []
        for table in found:
            if table.id in self.tables:
                self.tables[table.id].start_answer_time(who)
            seats = [row for row in seated if row.table_id == table.id]
            status = "waiting" if not table.seed else "playing" if table.acting else "over"
            if (table.id in self.tables and self.tables[table.id].broken) or not isinstance(table.acting, int):
                status = "broken"
            mine = [row.seat for row in seats if row.owner == who and row.kind == "person"]
            listed.append(
                {
                    "id": table.id,
                    "game": table.game,
                    "status": status,
                    "seats": [{"seat": row.seat, "name": row.name, "kind": own_kind(row, who), "bot": row.bot} for row in seats],
                    "number": table.number,
                    "your_turn": status == "playing" and any(table.acting >> p & 1 for p in mine),
                    "updated": table.updated,
                }
            )
        return listed


def own_kind(row: Any, who: str) -> str:
    """The kind of a stored seat as the list of own tables shows it."""
    return "me" if row.kind == "person" and row.owner == who else str(row.kind)


def count_moves(text: str) -> int:
    """How many moves the lines of a match file hold, to judge the work before it is done."""
    lines = (line.partition(": ") for line in text.splitlines())
    return sum(len(codes.split()) for seat, _, codes in lines if seat.isdecimal())


def new_id() -> str:
    """Twelve random characters."""
    return secrets.token_urlsafe(9)
