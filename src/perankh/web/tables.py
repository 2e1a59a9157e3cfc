"""All tables: loaded from storage on demand, dropped when idle; new tables; the watch over clocks."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import re
import secrets
import time
from dataclasses import replace
from string import ascii_letters, digits
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.engine.game import Game, checked_seed
from perankh.errors import BadOption, PerankhError
from perankh.match.file import name_of_game
from perankh.match.forfeits import Forfeits
from perankh.web import access, catalog, correspondence, earlier_rules, loading, replays, storage, visits, votes
from perankh.web.agreements import Settings
from perankh.web.clock import Clock
from perankh.web.deal import TableDeal
from perankh.web.position import Position
from perankh.web.refusal import Refused, because, refused
from perankh.web.scheduler import NOBODY
from perankh.web.seats import Seat, seats_wanted
from perankh.web.series import begun_by_first_seat, ranks_of
from perankh.web.services import UPLOAD, Services
from perankh.web.table import Table, change
from perankh.web.table_records import Series

logger = logging.getLogger(__name__)
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{12}")
WATCH_EVERY = 0.5  # seconds between two checks of the clocks
ALIVE_EVERY = 3.0  # seconds of a clock that are lost at most when the server is killed
IDLE = 300.0  # seconds after which a table that nobody uses is dropped from memory
STORE_EVERY = 5.0  # seconds between two times that what players have seen is stored
MOST_OWN = 500  # tables that one person has set up and that are not over, and match files shown
OWN_TABLES = 100  # the most that the list of own tables holds
PUBLIC_TABLES = 30  # the most that the list of public tables holds
PUBLIC_FOR = 14 * 86_400.0  # seconds since the last change for which a public table is listed
LONGEST_FILE = 200_000
LONGEST_MATCH = 5_000  # moves of a match that is uploaded


class Tables:
    """The tables in memory."""

    def __init__(self, services: Services, idle: float, most_own: int = MOST_OWN) -> None:
        """`most_own`: tables of one person that are not over."""
        self.services = services
        self.most_own = most_own
        self.idle = idle
        self.tables: dict[str, Table] = {}
        self.loading: dict[str, asyncio.Task[Table]] = {}
        self.clocks_run = False  # has any clock run since the server started?
        self.kept_alive = -math.inf  # when it was last stored that the server is alive
        self.swept = services.now()  # when the clocks of all tables were last looked at
        self.refused: set[str] = set()  # tables with running clocks that cannot go on: of other rules, or damaged
        self.stored_visits = -math.inf  # when what players have seen was last stored

    async def watch(self) -> None:
        """Check the clocks; forget tables that nobody uses."""
        while True:
            await asyncio.sleep(WATCH_EVERY)
            now = time.monotonic()
            await self.keep_alive(ALIVE_EVERY)
            if self.services.now() - self.swept >= correspondence.SWEEP_EVERY:
                await self.sweep()
            store_visits = now - self.stored_visits >= STORE_EVERY
            self.stored_visits = now if store_visits else self.stored_visits
            for table in list(self.tables.values()):
                try:
                    fallen = table.clock and table.clock.fallen(table.acting_persons(), self.services.now())
                    if fallen and self.services.is_in_charge(table.id):
                        await table.check_clock()
                    await votes.watch(table)
                    if self.services.cluster:
                        table.wake_bots()  # those of a server that has ended
                    if store_visits:
                        await visits.store_all(table)
                except storage.Unavailable:
                    pass  # the storage has told it
                except PerankhError as error:
                    logger.warning("table %s: %s", table.id, error)
                busy = table.watchers or table.question or table.lock.locked() or (table.bot_task and not table.bot_task.done())
                if not busy and now - table.used > self.idle:
                    table.drop()
                if table.gone and self.tables.get(table.id) is table:
                    del self.tables[table.id]
                    self.services.note_presence(table.id, soon=True)

    async def sweep(self) -> None:
        """Load the tables at which somebody's time has run out, or a bot has to play, while nobody looked."""
        now, opened, run = self.services.now(), self.services.opened, self.services.clock_run
        self.swept = now
        try:
            running, due = await self.services.storage.read(
                lambda connection: correspondence.due_tables(connection, now, opened, run)
            )
        except PerankhError:
            return  # the database does not answer; the next look will tell
        self.clocks_run = self.clocks_run or running
        for id in [id for id in due if id not in self.tables and id not in self.refused][: correspondence.AT_ONCE]:
            try:
                table = await self.known(id)
                table.attendance.note(NOBODY)  # so that the bots play on, until a person has to decide
                table.wake_bots()
            except PerankhError as error:
                logger.warning("table %s: %s", id, error)
                if isinstance(error, Refused) and error.status == 409:
                    self.refused.add(id)

    async def keep_alive(self, every: float = 0.0) -> None:
        """While clocks run, store every so many seconds that this server is alive: a later one counts the time until then."""
        now = self.services.now()
        self.clocks_run = self.clocks_run or any(table.clock and table.clock.since for table in self.tables.values())
        if self.clocks_run and now - self.kept_alive >= every:
            self.kept_alive = now
            try:
                await self.services.storage.write(lambda connection: storage.update_run(connection, self.services.clock_run, now))
            except sa.exc.SQLAlchemyError as error:
                logger.warning("the time of the clocks could not be stored: %s", error)

    def drop_all(self) -> None:
        """Forget all tables: what is stored is something else now. Whoever watches connects anew."""
        for table in self.tables.values():
            table.drop()
        self.tables.clear()

    # --- Loading ----------------------------------------------------------------------------------------------------------

    async def get(self, id: str, who: str | None) -> Table:
        """A table by its id, if it is open to whoever asks."""
        table = await self.known(id)
        access.check(table, who)
        return table

    async def known(self, id: str) -> Table:
        """A table by its id, from memory or from storage."""
        table = self.tables.get(id)
        if table and not table.gone and self.services.storage.shared:
            await table.look_again()
            if table.gone:  # it was dropped while this waited for its lock; somebody else may have read it anew since
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
        rows = await self.services.storage.read(lambda connection: loading.select_rows(connection, id))
        if rows is None:
            raise refused(404, "no_table")
        game, archive = await earlier_rules.game_of(self.services, rows.table)
        if rows.table.players not in game.players:
            raise loading.nothing_to_show(id, f"{rows.table.players} players")
        table = Table(self.services, id, game, {}, [])
        table.epoch = epoch
        await loading.fill(table, rows, archive=archive)
        await self.services.check_compiled(game)
        if epoch != self.services.storage.epoch:
            return await self.load(id)  # all rows were replaced meanwhile
        table.update_question()
        self.tables[id] = table
        if self.services.cluster:
            await self.services.cluster.read_people(table)
        await table.check_clock()
        table.changed()
        return table

    # --- New tables --------------------------------------------------------------------------------------------------------

    async def create(
        self,
        who: str,
        game: Game,
        players: int,
        options: dict[str, Any],
        wanted: list[dict[str, Any]],
        clock: Clock | None,
        seed: int | None,
        settings: Settings,
        hot_seat: bool = False,
        ready: bool = False,
        public: bool = False,
        password: str | None = None,
        best_of: int | None = None,
    ) -> tuple[str, str]:
        """Set up a new table; its id and its commitment. `ready`: whoever does has started, and lets the server contribute."""
        await self.check_quota(who)
        seats = seats_wanted(game, self.services.bots, who, players, wanted, hot_seat)
        try:
            shown = game.shown_options(game.blank(players, options))
            shown = begun_by_first_seat(game, shown) if best_of else shown
            deal = TableDeal.fresh(players, None if seed is None else checked_seed(seed))
        except BadOption as error:
            raise because(422, error) from None
        table = Table(self.services, new_id(), game, shown, seats)
        table.clock, table.series = clock, Series.first(best_of, players) if best_of else None
        table.creator, table.public, table.password = who, public, await access.hashed(password)
        table.settings, table.deal, table.hot_seat = settings, deal, hot_seat
        for p in table.own(who) if ready else ():
            deal.contribute(p, None)
        await self.open(table)
        return table.id, deal.commitment

    async def check_quota(self, who: str) -> None:
        """Refuse one more table to somebody who has too many."""
        if await self.services.storage.read(lambda connection: storage.count_own(connection, who)) >= self.most_own:
            raise refused(409, "too_many_tables", most=self.most_own)

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
        if table.clock:
            table.clock.run = self.services.clock_run
            table.clock.since = self.services.now() if table.status == "playing" else None
        facts = {
            "id": table.id,
            "game": game.name,
            "rules": game.version,
            "components": game.components_fingerprint,
            "edition": game.edition.text() if game.edition else None,
            "players": len(table.seats),
            "options": json.dumps(table.options),
            "seed": f"{match.seed:032x}" if match else "",
            "deal": table.deal.json() if table.deal else None,
            "hot_seat": int(table.hot_seat),
            "clock": json.dumps(table.clock.json()) if table.clock else None,
            "settings": json.dumps(table.settings.json()),
            "creator": table.creator,
            "public": int(table.public),
            "password": table.password,
            "series": table.series.json() if table.series else None,
            "readonly": int(table.readonly),
            "resigned": json.dumps(table.resigned),
            "ended": int(table.ended),
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
            for who, visit in table.visits.items():
                visits.write_visit(connection, table.id, who, visit.row())
            if old:
                storage.change_table(connection, old.id, old.version, {"next": table.id})

        await table.store(write)
        if old:
            old.version += 1
        await self.services.check_compiled(table.game)
        self.tables[table.id] = table
        table.changed()

    async def replay(self, text: str, who: str | None = None) -> str:
        """A table that only shows a match file; whoever brought it may delete it. It can name only games that are offered."""
        if count_moves(text) > LONGEST_MATCH:
            raise refused(422, "too_long", limit=LONGEST_MATCH)
        if who:
            await self.check_quota(who)
        try:
            game = catalog.offered(name_of_game(text))
            match = await self.services.replay(UPLOAD, "", replays.match_in, text, game.place)
        except Refused as error:
            raise (Refused(422, error.reason) if error.status == 404 else error) from None
        except PerankhError as error:
            raise refused(422, "bad_file", what=error) from None
        table = Table(self.services, new_id(), match.game, match.options, [Seat("person", name=name) for name in match.names])
        forfeits, match.forfeits = match.forfeits, Forfeits()  # here they are facts of the table
        table.resigned, table.ended = list(forfeits.resigned), forfeits.ended
        table.settings = replace(table.settings, late=forfeits.late)
        table.position, table.readonly, table.creator = Position(match), True, who
        table.deal = TableDeal.of(match.deal) if match.deal else None
        await self.keep_new(table)
        return table.id

    async def own_tables(self, who: str) -> list[dict[str, Any]]:
        """The tables of a token, newest first."""
        (found, seated), runs = await self.services.storage.read(
            lambda connection: (storage.select_own(connection, who, OWN_TABLES), storage.select_runs(connection))
        )
        listed = []
        for table in found:
            if table.id in self.tables:
                self.tables[table.id].start_answer_time(who)
            seats = [row for row in seated if row.table_id == table.id]
            status = "waiting" if not table.seed else "playing" if table.acting else "over"
            if (table.id in self.tables and self.tables[table.id].broken) or not isinstance(table.acting, int):
                status = "broken"
            elif status == "playing" and not earlier_rules.is_current(table):
                status = "stopped"
            mine = [row.seat for row in seats if row.owner == who and row.kind == "person"]
            lesson = correspondence.is_lesson(table.settings)  # nobody waits there
            listed.append(
                {
                    "id": table.id,
                    "game": table.game,
                    "status": status,
                    "seats": [{"seat": row.seat, "name": row.name, "kind": own_kind(row, who), "bot": row.bot} for row in seats],
                    "number": table.number,
                    "your_turn": status == "playing" and not lesson and any(table.acting >> p & 1 for p in mine),
                    "asked": correspondence.asked_of(table, seats, who),
                    "lesson": lesson,
                    "practice": correspondence.is_practice(table.settings),
                    "since": correspondence.turn_since(table, mine),
                    "left": correspondence.time_left(table, mine, runs, self.services) if status == "playing" else None,
                    "updated": table.updated,
                }
            )
        return listed

    async def due_tables(self, who: str) -> list[dict[str, Any]]:
        """The tables that wait for somebody, that one first which has waited longest."""
        return correspondence.due(await self.own_tables(who))

    async def public_tables(self) -> list[dict[str, Any]]:
        """The tables that are listed for everybody: those with open seats first, then the newest."""
        since = time.time() - PUBLIC_FOR
        found, seated = await self.services.storage.read(
            lambda connection: storage.select_public(connection, since, PUBLIC_TABLES)
        )
        listed = []
        for table in found:
            seats = [row for row in seated if row.table_id == table.id]
            here = self.tables.get(table.id)
            listed.append(
                {
                    "id": table.id,
                    "game": table.game,
                    "status": "playing" if table.seed else "waiting",
                    "seats": [{"seat": row.seat, "name": row.name, "kind": row.kind, "bot": row.bot} for row in seats],
                    "open": sum(row.kind == "open" for row in seats),
                    "password": table.password is not None,
                    "clock": correspondence.clock_facts(table.clock),
                    "best_of": correspondence.best_of(table.series),
                    "spectators": here.spectators if here else 0,
                    "updated": table.updated,
                }
            )
        return sorted(listed, key=lambda table: (table["status"] != "waiting" or not table["open"], -table["updated"]))


@change
async def rematch(table: Table, tables: Tables, who: str | None) -> str:
    """The next table with the same people and options, everybody one seat on; made once."""
    if not table.own(who):
        raise refused(403, "not_seated")
    table.check_open()
    if not table.over:
        raise refused(409, "not_over")
    if table.next is None:
        seats = [seat.at_next_table(table.services.bots) for seat in [*table.seats[1:], table.seats[0]]]
        following = Table(table.services, new_id(), table.game, table.options, seats)
        following.deal, following.hot_seat = TableDeal.fresh(len(seats)), table.hot_seat
        colours = (*table.colours[1:], table.colours[0])  # everybody keeps the own one
        following.settings = replace(table.settings, colours=colours, lesson="", practice=None)
        following.creator = table.creator
        following.public, following.password = table.public, table.password
        following.visits = {who: replace(visit, seen=None) for who, visit in table.visits.items()}
        following.clock = table.clock.for_next_match() if table.clock else None
        following.series = table.series.following(ranks_of(table)) if table.series else None
        await tables.open(following, table)
        table.next = following.id
        table.changed()
        following.call_late(who)
    return table.next


def own_kind(row: Any, who: str) -> str:
    """The kind of a stored seat as the list of own tables shows it."""
    return "me" if row.kind == "person" and row.owner == who else str(row.kind)


def count_moves(text: str) -> int:
    """How many moves the lines of a match file hold, to judge the work before it is done."""
    lines = (line.partition(": ") for line in text.splitlines())
    return sum(len(codes.split()) for seat, _, codes in lines if seat.isdecimal())


def new_id() -> str:
    """Twelve random characters, the first of which is no dash: on a command line it would look like an option."""
    return secrets.choice(ascii_letters + digits) + secrets.token_urlsafe(9)[1:]
