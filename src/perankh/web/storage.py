"""Persistence of tables, seats and moves (SQLAlchemy Core), for SQLite and PostgreSQL.

All writes go through one thread, which commits together whatever waits: an answer is given only after the commit, and
many tables share the price of one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import Column, Connection, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

from perankh.errors import PerankhError
from perankh.web.data import address_of, cause_of, file_of, lock_data, make_private, open_engine, shown
from perankh.web.refusal import Refused, refused

T = TypeVar("T")
READERS = 4  # threads that read
MOST_TOGETHER = 256  # writes in one transaction
LOG_EVERY = 5.0  # seconds between two log lines about failures
logger = logging.getLogger(__name__)

metadata = MetaData()
schema = Table("schema", metadata, Column("version", Integer, nullable=False))
tables = Table(
    "tables",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("game", String(80), nullable=False),
    Column("rules", Integer, nullable=False),  # version of the rules it is played under
    Column("components", String(64), nullable=False),  # fingerprint of the printed numbers
    Column("players", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("seed", String(32), nullable=False),  # hexadecimal; secret while the match runs; empty before the deal
    Column("deal", Text),  # JSON: the secret, and what each seat has contributed; none in tables of earlier versions
    Column("hot_seat", Integer, nullable=False, server_default="0"),  # may somebody have several seats?
    Column("clock", Text),  # JSON: the rules of the clock and its last checkpoint
    Column("settings", Text),  # JSON: what happens on time-outs and with absent persons
    Column("request", Text),  # JSON: the request that waits for consent
    Column("notices", Text),  # JSON: the latest announcements
    Column("next", String(12)),  # table of the rematch
    Column("readonly", Integer, nullable=False),
    Column("number", Integer, nullable=False),  # moves made
    Column("acting", Integer, nullable=False),  # bit mask of the seats that may act; 0: over
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
)
seats = Table(
    "seats",
    metadata,
    Column("table_id", String(12), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # person, open or bot
    Column("owner", String(64)),  # digest of the token
    Column("bot", String(20)),
    Column("name", String(40), nullable=False),
    Index("seats_by_owner", "owner"),
)
moves = Table(
    "moves",
    metadata,
    Column("table_id", String(12), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # moves made before
    Column("seat", Integer, nullable=False),
    Column("code", String(40), nullable=False),
    Column("stamp", Float, nullable=False),  # when, in seconds since 1970
    Column("spent", Float),  # seconds of this decision, at tables with a clock
)
holders = Table(
    "holders",
    metadata,
    Column("table_id", String(12), ForeignKey("tables.id"), primary_key=True),
    Column("owner", String(64), primary_key=True),  # who has held a seat of the match at any time, and so knows its hand
    Column("seat", Integer, primary_key=True),
)
runs = Table(
    "runs",
    metadata,
    Column("id", String(16), primary_key=True),  # a run of the server
    Column("alive", Float, nullable=False),  # when it was last known to be alive, on its monotonic clock
)
analyses = Table(
    "analyses",
    metadata,
    Column("table_id", String(12), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # moves made before the decision
    Column("judged", Text, nullable=False),  # JSON
)


def name_levels(connection: Connection) -> None:
    """To version 2: bots have levels; what was called greedy is the scribe."""
    connection.execute(seats.update().where(seats.c.bot == "greedy").values(bot="scribe"))


def clocks_of_runs(connection: Connection) -> None:
    """To version 5: clocks are measured by runs of the server; settings, requests of every kind, notices."""
    runs.create(connection)
    for column in ("settings", "request", "notices"):
        connection.execute(sa.text(f"ALTER TABLE tables ADD COLUMN {column} TEXT"))
    connection.execute(sa.text("ALTER TABLE tables DROP COLUMN undo"))
    connection.execute(sa.text("ALTER TABLE moves ADD COLUMN spent FLOAT"))
    for row in connection.execute(sa.select(tables.c.id, tables.c.clock).where(tables.c.clock.is_not(None))).all():
        old = json.loads(row.clock)
        left = old["left"]
        clock = {"minutes": old["minutes"], "increment": old["increment"], "left": left, "used": [0.0] * len(left)}
        clock |= {"out": [p for p, seconds in enumerate(left) if seconds <= 0], "since": None, "run": ""}
        update_table(connection, row.id, {"clock": json.dumps(clock)})


def add_analyses(connection: Connection) -> None:
    """To version 3: analyses of finished matches are kept."""
    analyses.create(connection, checkfirst=True)


def add_lobby(connection: Connection) -> None:
    """To version 4: matches are dealt when everybody has started. Where nothing was played yet and a seat is open, deal anew."""
    connection.execute(sa.text("ALTER TABLE tables ADD COLUMN deal TEXT"))
    connection.execute(sa.text("ALTER TABLE tables ADD COLUMN hot_seat INTEGER NOT NULL DEFAULT 0"))
    holders.create(connection)
    old = connection.execute(sa.select(seats.c.table_id, seats.c.seat, seats.c.owner).where(seats.c.owner.is_not(None))).all()
    if old:
        connection.execute(holders.insert(), [row._asdict() for row in old])
    several = sa.select(holders.c.table_id).group_by(holders.c.table_id, holders.c.owner).having(sa.func.count() > 1)
    connection.execute(tables.update().where(tables.c.id.in_(several)).values(hot_seat=1))
    waiting = sa.select(seats.c.table_id).where(seats.c.kind == "open")
    undealt = sa.and_(tables.c.number == 0, tables.c.readonly == 0, tables.c.id.in_(waiting))
    connection.execute(holders.delete().where(holders.c.table_id.in_(sa.select(tables.c.id).where(undealt))))
    for table in connection.execute(sa.select(tables.c.id, tables.c.players).where(undealt)).all():
        deal = {"secret": secrets.token_hex(32), "contributions": [None] * table.players, "seed": None}
        connection.execute(tables.update().where(tables.c.id == table.id).values(seed="", acting=0, deal=json.dumps(deal)))
    # Nobody sits down in the middle of a match any more.
    dealt = sa.select(tables.c.id).where(tables.c.seed != "")
    left = seats.update().where(seats.c.kind == "open", seats.c.table_id.in_(dealt))
    connection.execute(left.values(kind="bot", bot="scribe"))


# Steps from one version of the schema to the next, oldest first; a new file is made by `metadata` at the newest version.
MIGRATIONS: tuple[Callable[[Connection], None], ...] = (name_levels, add_analyses, add_lobby, clocks_of_runs)
VERSION = 1 + len(MIGRATIONS)


class Taken(PerankhError):
    """The number of a move is used already: another server made it."""


class Unavailable(Refused):
    """The database cannot be read or written now."""

    def __init__(self) -> None:
        super().__init__(503, refused(503, "storage").reason)


class Storage:
    """The database. `read` and `write` take a function of a connection and run it away from the event loop.

    `address` is a folder or the address of a database. One Storage at a time has the data: it holds their lock.
    """

    def __init__(self, address: str | Path) -> None:
        url = address_of(address)
        database = file_of(url)
        if database:
            make_private(database)
        self.engine = open_engine(url)
        self.failures = Failures()
        try:
            self.lock = lock_data(self.engine)
            try:
                with self.engine.execution_options(writes=True).begin() as connection:
                    migrate(connection)
            except BaseException:
                self.engine.dispose()
                self.lock.release()
                raise
        except sa.exc.SQLAlchemyError as error:
            raise PerankhError(f"{shown(url)}: cannot be used for data: {cause_of(error)}") from None
        self.closing = False
        self.epoch = 0  # how often all rows were replaced by others
        self.readers = ThreadPoolExecutor(READERS, "perankh-reader")
        self.waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.writer = threading.Thread(target=self.write_forever, name="perankh-writer", daemon=True)
        self.writer.start()

    def close(self) -> None:
        """Finish what waits and close. If the database does not answer, what waits fails at once."""
        self.closing = True
        self.waiting.put(None)
        self.writer.join()
        self.readers.shutdown()
        self.engine.dispose()
        self.lock.release()

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a reading function in a thread."""

        def run() -> T:
            try:
                with self.engine.connect() as connection:
                    return work(connection)
            except sa.exc.SQLAlchemyError as error:
                self.failures.report("a read failed", error)
                raise Unavailable from None

        return await asyncio.get_running_loop().run_in_executor(self.readers, run)

    async def write(self, work: Callable[[Connection], T], epoch: int | None = None) -> T:
        """Run a writing function in the writer's thread; returns after its commit. It fails if `epoch` is past."""

        def run(connection: Connection) -> T:
            if epoch not in (None, self.epoch):
                raise Unavailable
            return work(connection)

        job = Job(run, asyncio.get_running_loop().create_future())
        self.waiting.put(job)
        return await job.done  # type: ignore[no-any-return]

    async def replace(self, work: Callable[[Connection], T]) -> T:
        """Run a function that replaces all rows by others. Whoever has read the rows before cannot write any more."""

        def run(connection: Connection) -> T:
            done = work(connection)
            self.epoch += 1
            return done

        return await self.write(run)

    def write_forever(self) -> None:
        """The writer's thread: take all that waits, commit it at once, settle the jobs."""
        engine = self.engine.execution_options(writes=True)
        open_ = True
        while open_:
            batch: list[Job] = []
            job = self.waiting.get()
            while job is not None:
                batch.append(job)
                if len(batch) >= MOST_TOGETHER or self.waiting.empty():
                    break
                job = self.waiting.get()
            open_ = job is not None
            if batch:
                self.run_batch(engine, batch)
                for loop in {job.loop for job in batch}:
                    settle_in(loop, [job for job in batch if job.loop is loop])

    def run_batch(self, engine: sa.Engine, batch: list[Job]) -> None:
        """Run all jobs in one transaction. A job that fails by its own fault fails alone; if the database fails, all do."""
        if self.closing and self.failures.lasting:
            fail_all(batch)
            return
        error = run_together(engine, batch)
        self.failures.lasting = error is not None and is_outage(error)
        if error is None:
            return
        if self.failures.lasting:
            self.failures.report(f"{len(batch)} writes failed" if len(batch) > 1 else "a write failed", error)
            fail_all(batch)
        elif len(batch) > 1:
            for number, job in enumerate(batch, 1):
                self.run_batch(engine, [job])
                if self.failures.lasting:
                    fail_all(batch[number:])
                    return
        elif isinstance(error, sa.exc.SQLAlchemyError):
            self.failures.report("a write failed", error)
            fail_all(batch)
        else:
            batch[0].error = error


class Failures:
    """Log lines about failures of the database: the first at once, then at most one every few seconds, with their number."""

    def __init__(self) -> None:
        self.lasting = False  # did the last write fail because the database does not answer?
        self.lock = threading.Lock()
        self.logged = float("-inf")  # when the last line was written
        self.unlogged = 0

    def report(self, what: str, error: Exception) -> None:
        """Log a failure, unless there was a line just now."""
        with self.lock:
            now = time.monotonic()
            if now - self.logged < LOG_EVERY:
                self.unlogged += 1
                return
            more = f" (and {self.unlogged} failures since the last line)" if self.unlogged else ""
            self.logged, self.unlogged = now, 0
        logger.error("storage: %s: %s%s", what, cause_of(error), more)


class Job:
    """A write that waits for its turn, and then its result."""

    def __init__(self, work: Callable[[Connection], Any], done: asyncio.Future[Any]) -> None:
        self.work = work
        self.done = done
        self.loop = done.get_loop()
        self.result: Any = None
        self.error: Exception | None = None

    def run(self, connection: Connection) -> None:
        """Do the work and keep its result."""
        self.result, self.error = self.work(connection), None

    def settle(self) -> None:
        """Give the result to whoever waits, if somebody still does."""
        if not self.done.done():
            if self.error is not None:
                self.done.set_exception(self.error)
            else:
                self.done.set_result(self.result)


def run_together(engine: sa.Engine, batch: list[Job]) -> Exception | None:
    """Run jobs in one transaction; returns what went wrong."""
    try:
        with engine.begin() as connection:
            for job in batch:
                job.run(connection)
    except Exception as error:
        return error
    return None


def is_outage(error: Exception) -> bool:
    """Does an error concern the database as a whole (locked, full, gone, broken) rather than one write?"""
    if isinstance(error, (sa.exc.IntegrityError, sa.exc.DataError, sa.exc.ProgrammingError, sa.exc.NotSupportedError)):
        return False
    return isinstance(error, (sa.exc.DBAPIError, sa.exc.TimeoutError))


def fail_all(batch: list[Job]) -> None:
    """None of these writes is stored."""
    for job in batch:
        job.error = Unavailable()


def settle_in(loop: asyncio.AbstractEventLoop, jobs: list[Job]) -> None:
    """Settle the jobs of one event loop there."""

    def settle() -> None:
        for job in jobs:
            job.settle()

    if not loop.is_closed():
        loop.call_soon_threadsafe(settle)


def migrate(connection: Connection) -> None:
    """Make the tables, or bring older ones up to date."""
    if not sa.inspect(connection).has_table("schema"):
        metadata.create_all(connection)
        connection.execute(schema.insert().values(version=VERSION))
        return
    version = connection.execute(sa.select(schema.c.version)).scalar_one()
    if version > VERSION:
        raise PerankhError(f"the data are of version {version}; this Per-Ankh knows up to {VERSION}: use a newer one")
    for number, step in enumerate(MIGRATIONS[version - 1 :], version + 1):
        step(connection)
        connection.execute(schema.update().values(version=number))


INSERT_MOVES = moves.insert()

# --- What the table asks for ----------------------------------------------------------------------------------------------


def insert_table(connection: Connection, facts: dict[str, Any], rows: Sequence[dict[str, Any]]) -> None:
    """A new table and its seats."""
    connection.execute(tables.insert().values(**facts))
    connection.execute(seats.insert(), [{"table_id": facts["id"], "seat": p, **row} for p, row in enumerate(rows)])


def insert_holders(connection: Connection, table: str, rows: Sequence[tuple[str, int]]) -> None:
    """Who has come to hold which seat."""
    connection.execute(holders.insert(), [{"table_id": table, "owner": owner, "seat": seat} for owner, seat in rows])


def insert_moves(connection: Connection, table: str, first: int, rows: Sequence[tuple[int, str, float, float | None]]) -> None:
    """Moves from number `first` on; Taken if a number is used."""
    values = [
        {"table_id": table, "number": number, "seat": seat, "code": code, "stamp": stamp, "spent": spent}
        for number, (seat, code, stamp, spent) in enumerate(rows, first)
    ]
    try:
        connection.execute(INSERT_MOVES, values)
    except sa.exc.IntegrityError:
        raise Taken(f"move {first} of table {table} is made already") from None


def delete_moves(connection: Connection, table: str, first: int) -> None:
    """Take moves back, from number `first` on."""
    connection.execute(moves.delete().where(moves.c.table_id == table, moves.c.number >= first))


def update_table(connection: Connection, table: str, facts: dict[str, Any]) -> None:
    """Change facts of a table."""
    connection.execute(update_of(tuple(facts)), facts | {"changed_table": table})


@lru_cache
def update_of(names: tuple[str, ...]) -> sa.Update:
    """The statement that changes some facts of a table; made once, since making it takes longer than running it."""
    changed: dict[str, Any] = {name: sa.bindparam(name) for name in names}
    return tables.update().where(tables.c.id == sa.bindparam("changed_table")).values(changed)


def update_seats(connection: Connection, table: str, rows: Sequence[dict[str, Any]]) -> None:
    """Write all seats of a table anew."""
    for p, row in enumerate(rows):
        connection.execute(seats.update().where(seats.c.table_id == table, seats.c.seat == p).values(**row))


def update_run(connection: Connection, run: str, alive: float) -> None:
    """Keep that a run of the server is alive."""
    if not connection.execute(runs.update().where(runs.c.id == run).values(alive=alive)).rowcount:
        connection.execute(runs.insert().values(id=run, alive=alive))


def select_runs(connection: Connection) -> dict[str, float]:
    """When each run of the server was last known to be alive."""
    return {row.id: row.alive for row in connection.execute(sa.select(runs))}


def select_table(connection: Connection, table: str) -> tuple[Any, Sequence[Any], Sequence[Any], set[tuple[str, int]]] | None:
    """A table with its seats, its moves in order, and who has held which seat."""
    found = connection.execute(sa.select(tables).where(tables.c.id == table)).first()
    if found is None:
        return None
    seated = connection.execute(sa.select(seats).where(seats.c.table_id == table).order_by(seats.c.seat)).all()
    made = connection.execute(
        sa.select(moves.c.number, moves.c.seat, moves.c.code, moves.c.stamp, moves.c.spent)
        .where(moves.c.table_id == table)
        .order_by(moves.c.number)
    ).all()
    held = connection.execute(sa.select(holders.c.owner, holders.c.seat).where(holders.c.table_id == table)).all()
    return found, seated, made, {(row.owner, row.seat) for row in held}


def select_own(connection: Connection, owner: str, limit: int) -> tuple[Sequence[Any], Sequence[Any]]:
    """The tables at which somebody sits, newest first, and all their seats."""
    mine = sa.select(seats.c.table_id).where(seats.c.owner == owner)
    wanted = sa.select(tables).where(tables.c.id.in_(mine)).order_by(tables.c.updated.desc()).limit(limit)
    found = connection.execute(wanted).all()
    seated = connection.execute(
        sa.select(seats).where(seats.c.table_id.in_([row.id for row in found])).order_by(seats.c.table_id, seats.c.seat)
    ).all()
    return found, seated


def select_analysis(connection: Connection, table: str) -> list[str]:
    """The analysed decisions of a table in order, as JSON."""
    wanted = sa.select(analyses.c.judged).where(analyses.c.table_id == table).order_by(analyses.c.number)
    return list(connection.execute(wanted).scalars())


def insert_analysis(connection: Connection, table: str, number: int, judged: str) -> None:
    """One more analysed decision of a table; one that is there already is replaced."""
    connection.execute(analyses.delete().where(analyses.c.table_id == table, analyses.c.number == number))
    connection.execute(analyses.insert().values(table_id=table, number=number, judged=judged))
