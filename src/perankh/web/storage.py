"""Persistence of tables, seats and moves (SQLAlchemy Core), for SQLite and PostgreSQL.

All writes go through one thread, which commits together whatever waits: an answer is given only after the commit, and
many tables share the price of one.
"""

from __future__ import annotations

import asyncio
import json
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)
from sqlalchemy.dialects import postgresql, sqlite

from perankh.errors import PerankhError
from perankh.web import metrics, traces
from perankh.web.data import (
    AdvisoryLock,
    FileLock,
    Prepared,
    address_of,
    cause_of,
    file_of,
    lock_data,
    make_private,
    one_at_a_time,
    open_engine,
    run_in_driver,
    shown,
)
from perankh.web.refusal import Refused, refused
from perankh.web.writes import Failures, Job, is_conflict, is_outage, settle_in

T = TypeVar("T")
READERS = 4  # threads that read
TRIES, PAUSE = 3, 0.3  # to open the data, and seconds between two
LONGEST_TRY = 5.0  # seconds after which no other follows: nobody answers
MOST_TOGETHER = 256  # writes in one transaction
CHANNEL = "perankh"  # on which servers tell each other what has changed

metadata = MetaData()
schema = Table("schema", metadata, Column("version", Integer, nullable=False))
tables = Table(
    "tables",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("game", String(80), nullable=False),
    Column("rules", Integer, nullable=False),  # version of the rules it is played under
    Column("components", String(64), nullable=False),  # fingerprint of the printed numbers
    Column("edition", Text),  # JSON: name and changes of the edition, if the numbers are not the game's own
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
    Column("creator", String(64)),  # digest of the token of whoever set it up
    Column("public", Integer, nullable=False, server_default="0"),  # is it listed on the home page?
    Column("password", Text),  # salt and hash of the word that visitors need
    Column("series", Text),  # JSON: the series that the match belongs to, and its score before the match
    Column("resigned", Text),  # JSON: the seats that have resigned
    Column("ended", Integer, nullable=False, server_default="0"),  # is it over because of who has resigned?
    Column("turn_since", Text),  # JSON: by seat, since when it has to decide
    Column("readonly", Integer, nullable=False),
    Column("number", Integer, nullable=False),  # moves made
    Column("rewinds", Integer, nullable=False, server_default="0"),  # how often moves were taken back
    Column("version", Integer, nullable=False, server_default="0"),  # how often the table has changed, in whatever way
    Column("acting", Integer, nullable=False),  # bit mask of the seats that may act; 0: over
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
    Column("archived", Integer, nullable=False, server_default="-1"),  # moves made when `archives` was last written
    Index("tables_by_creator", "creator"),
    Index("tables_by_updated", "updated", "id"),
    Index("tables_by_next", "next"),
)
# Conditions in which indexes hold few of the tables. Their values are literals: a database cannot tell that a parameter fits.
ZERO: sa.ColumnElement[int] = sa.literal_column("0")
ONE: sa.ColumnElement[int] = sa.literal_column("1")
NOTHING: sa.ColumnElement[str] = sa.literal_column("''")
is_waiting = tables.c.seed == NOTHING
is_running = tables.c.acting != ZERO
goes_on = sa.or_(is_running, is_waiting)
is_listed = sa.and_(tables.c.public == ONE, goes_on)
has_clock = sa.and_(tables.c.clock.is_not(None), is_running)
has_request = tables.c.request.is_not(None)
is_closed = tables.c.readonly == ONE
counts_for_creator = sa.or_(is_running, is_waiting, is_closed)
stands_still = sa.or_(tables.c.acting == ZERO, is_closed)
to_archive = sa.and_(stands_still, tables.c.seed != NOTHING, tables.c.archived != tables.c.number)


# They are as long as what is in play, however much is stored.
for name, columns, condition in (
    ("tables_waiting", ("updated", "id"), is_waiting),
    ("tables_running", ("updated", "id"), is_running),
    ("tables_closed", ("updated", "id"), is_closed),
    ("tables_listed", ("updated",), is_listed),
    ("tables_with_clock", ("id",), has_clock),
    ("tables_with_request", ("id",), has_request),
    ("tables_counted", ("creator",), counts_for_creator),
    ("tables_to_archive", ("id",), to_archive),
):
    Index(name, *(tables.c[column] for column in columns), sqlite_where=condition, postgresql_where=condition)
# Does a table teach, and did it ever?
is_lesson = sa.func.coalesce(tables.c.settings, "").like('%"lesson": "begun"%')
was_lesson = sa.or_(is_lesson, sa.func.coalesce(tables.c.settings, "").like('%"lesson": "over"%'))
# Was the match of a table begun in the middle of another?
is_practice = sa.func.coalesce(tables.c.settings, "").like('%"practice": {%')

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(12), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # person, open or bot
    Column("owner", String(64)),  # the person
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
    Index("holders_by_owner", "owner"),
)
visits = Table(
    "visits",
    metadata,
    Column("table_id", String(12), ForeignKey("tables.id"), primary_key=True),
    Column("owner", String(64), primary_key=True),  # digest of the token
    Column("seen", Integer),  # moves that a player has seen
    Column("admitted", Integer, nullable=False),  # has given the password
    Column("muted", Text, nullable=False),  # JSON: whom somebody does not want to hear in the chat
    Column("listens", Integer, nullable=False),  # does a player read the spectators' channel?
    Index("visits_by_owner", "owner"),
)
messages = Table(
    "messages",
    metadata,
    Column("table_id", String(12), ForeignKey("tables.id"), primary_key=True),
    Column("id", Integer, primary_key=True),  # counted by table
    Column("owner", String(64), nullable=False),  # digest of the token of whoever said it
    Column("channel", String(8), nullable=False),  # table or gallery
    Column("seat", Integer),  # none: a spectator
    Column("name", String(40), nullable=False),
    Column("number", Integer, nullable=False),  # moves made then
    Column("stamp", Float, nullable=False),  # when, in seconds since 1970
    Column("phrase", String(20)),  # a ready-made phrase by its key, in place of a text
    Column("text", Text, nullable=False),
    Index("messages_by_owner", "owner"),
)
archives = Table(
    "archives",
    metadata,
    Column("table_id", String(12), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, nullable=False),  # moves of the match
    Column("content", LargeBinary, nullable=False),  # all positions and events, so that they can be shown under other rules
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
results = Table(
    "results",
    metadata,
    Column("table_id", String(12), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, nullable=False),  # moves of the match
    Column("places", Text, nullable=False),  # JSON: the place of each seat, from 1; null: the match cannot be replayed any more
    Column("ended", Float, nullable=False),  # when the last move was made
)
# A person is known by the digest of the first token; rows are there once something is kept besides seats.
persons = Table(
    "persons",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("colour", String(20), nullable=False),  # of the palette; empty: none chosen
    Column("recovery", String(64), unique=True),  # what is derived from the recovery phrase
    Column("recovery_made", Float),
    Column("created", Float, nullable=False),
)
devices = Table(
    "devices",
    metadata,
    Column("id", String(64), primary_key=True),  # digest of the token
    Column("person", String(64), ForeignKey("persons.id"), nullable=False),
    Column("name", String(60), nullable=False),  # browser and system
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),  # the day it was last used
    Column("ended", Float),  # when it was signed out
    Index("devices_by_person", "person"),
)
passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(1400), primary_key=True),  # of the credential, base64url
    Column("person", String(64), ForeignKey("persons.id"), nullable=False),
    Column("public_key", Text, nullable=False),  # base64url
    Column("sign_count", BigInteger, nullable=False),
    Column("name", String(60), nullable=False),  # browser and system it was made with
    Column("created", Float, nullable=False),
    Column("used", Float),
    Index("passkeys_by_person", "person"),
)
# Who is called when it is his turn, and how. An owner is the digest of a token, as in `seats`.
alert_people = Table(
    "alert_people",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("timezone", String(64), nullable=False),
    Column("quiet_from", Integer),  # minutes after midnight there; none: no quiet hours
    Column("quiet_to", Integer),
    Column("remind", Integer, nullable=False),  # hours until a reminder; 0: none
    Column("kinds", String(40), nullable=False),  # the kinds of channels for tables without a choice of their own
)
alert_channels = Table(
    "alert_channels",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("kind", String(8), nullable=False),  # push, mail or webhook
    Column("target", Text, nullable=False),  # a subscription as JSON, or an address
    Column("origin", Text, nullable=False),  # the address of the site in the links of messages
    Column("lang", String(8), nullable=False),
    Column("secret", String(43), nullable=False, unique=True),  # in the links that confirm it and end it
    Column("confirmed", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("failures", Integer, nullable=False),  # messages in a row that could not be delivered
    Column("device", String(64), nullable=False, server_default=""),  # that added it; empty in rows of earlier versions
    Index("alert_channels_by_owner", "owner"),
)
alert_choices = Table(
    "alert_choices",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("table_id", String(12), primary_key=True),
    Column("kinds", String(40), nullable=False),  # of channels, separated by spaces
    Index("alert_choices_by_table", "table_id"),
)
alert_turns = Table(
    "alert_turns",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("owner", String(64), primary_key=True),  # who has to act
    Column("number", Integer, nullable=False),  # moves made when the turn began
    Column("due", Float),  # when to send the next message about it; none: no more
    Column("told", Integer, nullable=False),  # messages sent, or seen to be needless
)
alert_messages = Table(
    "alert_messages",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("channel", String(16), nullable=False),
    Column("table_id", String(12), nullable=False),  # empty: a request to confirm an address
    Column("number", Integer, nullable=False),  # of the turn
    Column("kind", String(8), nullable=False),  # turn, reminder, start, answer or confirm
    Column("attempts", Integer, nullable=False),
    Column("due", Float, nullable=False),
    Index("alert_messages_by_channel", "channel"),
    Index("alert_messages_by_table", "table_id"),
)
editions = Table(
    "editions",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("owner", String(64), nullable=False),  # the person who made it
    Column("game", String(80), nullable=False),
    Column("name", String(40), nullable=False),
    Column("content", Text, nullable=False),  # JSON: its name and its changes
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
    Index("editions_by_owner", "owner"),
)
server_keys = Table("server_keys", metadata, Column("name", String(20), primary_key=True), Column("value", Text, nullable=False))
# What the host decides by `perankh admin`; a running server looks at both every few seconds.
bans = Table(
    "bans",
    metadata,
    Column("network", String(43), primary_key=True),  # that is not let in
    Column("reason", Text, nullable=False),  # for the host's own memory
    Column("created", Float, nullable=False),
    Column("until", Float),  # none: for good
)
admin_changes = Table(
    "admin_changes",
    metadata,
    Column("changed", String(12), primary_key=True),  # a table that the host has closed or deleted
    Column("stamp", Float, nullable=False),
)
# Servers that share a PostgreSQL database. Times are those of the database.
servers = Table(
    "servers",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("until", Float, nullable=False),  # it counts as alive until then, in seconds since 1970
    Column("offers", Text),  # JSON: its version and its games, which machines that work for it need too
)
shared_clock = Table(
    "shared_clock",
    metadata,
    Column("id", Integer, primary_key=True),  # there is one row
    Column("alive", Float, nullable=False),  # when any server was last known to be alive, in seconds since 1970
    Column("lost", Float, nullable=False),  # seconds in which no server ran: they count against nobody
)
leases = Table(
    "leases",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("server", String(16), nullable=False),  # looks after its clock, its bots and its questions
)
presence = Table(
    "presence",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("server", String(16), primary_key=True),
    Column("people", Text, nullable=False),  # JSON: who has the table open there, and who was heard of when
)
asked = Table(
    "asked",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("turn", String(24), nullable=False),  # which of its decisions it is about
    Column("stamp", Float, nullable=False),  # when a question that has to be answered in time was first sent to its person
)
machines = Table(
    "machines",
    metadata,
    Column("id", String(16), primary_key=True),  # a process of `perankh work`
    Column("until", Float, nullable=False),  # as of servers
    Column("slots", Integer, nullable=False),  # jobs that it does at the same time
    Column("offers", Text, nullable=False),  # as of servers
)
jobs = Table(
    "jobs",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("server", String(16), nullable=False),  # that waits for the answer
    Column("urgency", Integer, nullable=False),  # the lowest number goes first
    Column("stamp", Float, nullable=False),  # when it was handed out
    Column("needs", String(200), nullable=False),  # the version of Per-Ankh and of the game
    Column("seconds", Float, nullable=False),  # that it may take
    Column("request", Text, nullable=False),  # JSON; states are veiled, except those of matches that are over
    Column("machine", String(16)),  # that does it
    Column("until", Float),  # the end of its lease: then another machine tries it
    Column("attempts", Integer, nullable=False),
    Column("answer", Text),  # JSON
)
# What can be used once and for some minutes, at whatever server.
one_time_secrets = Table(
    "one_time_secrets",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("kind", String(8), nullable=False),  # code (to transfer a person) or passkey (a challenge)
    Column("owner", String(64), nullable=False),  # the person it is for; empty: anybody
    Column("until", Float, nullable=False),  # in seconds since 1970
    Index("one_time_secrets_by_kind", "kind", "until"),
    Index("one_time_secrets_by_owner", "owner"),
)
SHARING = (servers, shared_clock, leases, presence, asked)
ALERTS = (alert_people, alert_channels, alert_choices, alert_turns, alert_messages, server_keys)


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
        connection.execute(tables.update().where(tables.c.id == row.id).values(clock=json.dumps(clock)))


def add_analyses(connection: Connection) -> None:
    """To version 3: analyses of finished matches are kept."""
    analyses.create(connection, checkfirst=True)


def add_alerts(connection: Connection) -> None:
    """To version 7: persons can be called when it is their turn."""
    for table in ALERTS:
        table.create(connection, checkfirst=True)


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


def add_people(connection: Connection) -> None:
    """To version 6: persons with several devices, and results. Whoever was there before is a person with one device."""
    for table in (results, persons, devices, passkeys):
        table.create(connection, checkfirst=True)


def add_company(connection: Connection) -> None:
    """To version 8: public tables and passwords, series, resignations, chat, and what each person has seen."""
    for column in ("creator VARCHAR(64)", "password TEXT", "series TEXT", "resigned TEXT", "turn_since TEXT"):
        connection.execute(sa.text(f"ALTER TABLE tables ADD COLUMN {column}"))
    for column in ("public", "ended"):
        connection.execute(sa.text(f"ALTER TABLE tables ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0"))
    visits.create(connection)
    messages.create(connection)


def add_host(connection: Connection) -> None:
    """To version 9: what the host decides, and how many tables somebody has set up."""
    bans.create(connection)
    admin_changes.create(connection)
    next(index for index in tables.indexes if index.name == "tables_by_creator").create(connection)


def add_editions(connection: Connection) -> None:
    """To version 10: games with printed numbers that somebody has corrected."""
    connection.execute(sa.text("ALTER TABLE tables ADD COLUMN edition TEXT"))
    editions.create(connection)


def add_sharing(connection: Connection) -> None:
    """To version 11: several servers share a database; the changes of a table are counted."""
    for column in ("rewinds", "version"):
        connection.execute(sa.text(f"ALTER TABLE tables ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0"))
    for table in SHARING:
        table.create(connection)


def add_archives(connection: Connection) -> None:
    """To version 12: archives of finished matches, and indexes by which nothing reads all rows."""
    known = {column["name"] for column in sa.inspect(connection).get_columns("tables")}
    if "archived" not in known:
        connection.execute(sa.text("ALTER TABLE tables ADD COLUMN archived INTEGER NOT NULL DEFAULT -1"))
    archives.create(connection, checkfirst=True)
    for table in (tables, holders, alert_choices, alert_messages):
        for index in table.indexes:
            index.create(connection, checkfirst=True)


def add_work(connection: Connection) -> None:
    """To version 13: work for machines of their own; codes and challenges that every server knows."""
    if "offers" not in {column["name"] for column in sa.inspect(connection).get_columns("servers")}:
        connection.execute(sa.text("ALTER TABLE servers ADD COLUMN offers TEXT"))
    for table in (machines, jobs, one_time_secrets):
        table.create(connection)


def add_devices_of_channels(connection: Connection) -> None:
    """To version 14: which device takes push messages."""
    if "device" not in {column["name"] for column in sa.inspect(connection).get_columns("alert_channels")}:
        connection.execute(sa.text("ALTER TABLE alert_channels ADD COLUMN device VARCHAR(64) NOT NULL DEFAULT ''"))


# Steps from one version of the schema to the next, oldest first; a new file is made by `metadata` at the newest version.
# Since version 11 a step only adds, and what it adds has a default: servers of the version before run on during it.
MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    name_levels,
    add_analyses,
    add_lobby,
    clocks_of_runs,
    add_people,
    add_alerts,
    add_company,
    add_host,
    add_editions,
    add_sharing,
    add_archives,
    add_work,
    add_devices_of_channels,
)
VERSION = 1 + len(MIGRATIONS)


class Taken(PerankhError):
    """The number of a move is used already: another server made it."""


class Stale(PerankhError):
    """A table is not what was read: somebody else has changed it."""


class Unavailable(Refused):
    """The database cannot be read or written now."""

    def __init__(self) -> None:
        super().__init__(503, refused(503, "storage").reason)


class Storage:
    """The database. `read` and `write` take a function of a connection and run it away from the event loop.

    `address` is a folder or the address of a database. One Storage at a time has an SQLite file: it holds its lock. Several can
    have a PostgreSQL database.
    """

    def __init__(self, address: str | Path) -> None:
        url = address_of(address)
        database = file_of(url)
        if database:
            make_private(database)
        self.engine = open_engine(url)
        self.writing = self.engine.execution_options(writes=True)
        self.failures = Failures()
        try:
            self.lock = self.take_data()
        except sa.exc.SQLAlchemyError as error:
            raise PerankhError(f"{shown(url)}: cannot be used for data: {cause_of(error)}") from None
        # Several statements of one reader see the same moment; SQLite does that by itself.
        self.reading = self.engine.execution_options(isolation_level="REPEATABLE READ") if self.shared else self.engine
        self.closing = False
        self.lost = False  # does another server have the data?
        self.ahead = 0.0  # how far the time by which clocks run is ahead of this machine's monotonic clock
        self.epoch = 0  # how often all rows were replaced by others
        self.readers = ThreadPoolExecutor(READERS, "perankh-reader")
        self.waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.kept: Connection | None = None  # the writer's connection to an SQLite file
        self.writer = threading.Thread(target=self.write_forever, name="perankh-writer", daemon=True)
        self.writer.start()

    def take_data(self) -> FileLock | AdvisoryLock:
        """Take the lock of the data and bring them up to date; anew if the connection to a server is cut meanwhile."""
        began, attempt = time.monotonic(), 0
        while True:
            attempt, lock = attempt + 1, None
            try:
                lock = lock_data(self.engine, shared=True)
                with self.writing.begin() as connection:
                    if self.shared:
                        one_at_a_time(connection)
                    migrate(connection)
                return lock
            except BaseException as error:
                self.engine.dispose()
                if lock:
                    lock.release()
                was_cut = self.shared and isinstance(error, sa.exc.OperationalError)
                if not was_cut or attempt == TRIES or time.monotonic() - began > LONGEST_TRY:
                    raise
                time.sleep(PAUSE)

    def now(self) -> float:
        """What clocks run by."""
        return time.monotonic() + self.ahead

    @property
    def shared(self) -> bool:
        """May other servers use the same data?"""
        return self.engine.dialect.name == "postgresql"

    def close(self) -> None:
        """Finish what waits and close. If the database does not answer, what waits fails at once."""
        self.closing = True
        self.waiting.put(None)
        self.writer.join()
        self.readers.shutdown()
        if self.kept:
            self.kept.close()
        self.engine.dispose()
        self.lock.release()

    async def keeps_lock(self) -> bool:
        """Are the data still ours? If another server has taken them over, nothing is written any more."""

        def look(_: Connection) -> bool:
            return self.lock.is_held()

        self.lost = self.lost or not await self.read(look)
        return not self.lost

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a reading function in a thread."""

        def run() -> T:
            try:
                with self.reading.connect() as connection:
                    return work(connection)
            except sa.exc.SQLAlchemyError as error:
                self.failures.report("a read failed", error)
                metrics.DATABASE_ERRORS.labels("read").inc()
                raise Unavailable from None

        if self.closing:
            raise Unavailable
        with traces.span("database read", {"db.system.name": self.engine.dialect.name}):
            return await asyncio.get_running_loop().run_in_executor(self.readers, run)

    async def write(self, work: Callable[[Connection], T], epoch: int | None = None, table: str = "") -> T:
        """Run a writing function in the writer's thread; returns after its commit. It fails if `epoch` is past.

        `table`: that it changes. All servers change tables in the same order, so that they never wait for each other in a circle.
        """

        def run(connection: Connection) -> T:
            if epoch not in (None, self.epoch):
                raise Unavailable
            return work(connection)

        job = Job(run, asyncio.get_running_loop().create_future(), table)
        self.waiting.put(job)
        with traces.span("database write", {"db.system.name": self.engine.dialect.name}):
            return await job.done  # type: ignore[no-any-return]

    async def replace(self, work: Callable[[Connection], T]) -> T:
        """Run a function that replaces all rows by others. Whoever has read the rows before cannot write any more."""

        def run(connection: Connection) -> T:
            done = work(connection)
            self.epoch += 1
            return done

        return await self.write(run)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction of the writer, which keeps its connection to a file; one to a server can break, and is tested first."""
        if self.shared:
            with self.writing.begin() as connection:
                yield connection
            return
        self.kept = self.kept or self.writing.connect()
        try:
            with self.kept.begin():
                yield self.kept
        finally:
            if self.kept.in_transaction():  # it could not even be rolled back
                self.kept.close()
                self.kept = None

    def write_forever(self) -> None:
        """The writer's thread: take all that waits, commit it at once, settle the jobs."""
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
                batch.sort(key=lambda job: job.table)
                self.run_batch(batch)
                for loop in {job.loop for job in batch}:
                    settle_in(loop, [job for job in batch if job.loop is loop])

    def run_batch(self, batch: list[Job]) -> None:
        """Run all jobs in one transaction. A job that fails by its own fault fails alone; if the database fails, all do."""
        if self.lost or (self.closing and self.failures.lasting):
            fail_all(batch)
            return
        began = time.monotonic()
        error = self.run_together(batch)
        metrics.DATABASE_COMMIT.observe(time.monotonic() - began)
        self.failures.lasting = error is not None and is_outage(error)
        if error is None:
            metrics.DATABASE_WRITES.inc(len(batch))
            return
        failed = next((job for job in batch if job.error is error), None)
        if failed and not isinstance(error, sa.exc.SQLAlchemyError):
            rest = [job for job in batch if job is not failed]
            if rest:
                self.run_batch(rest)
            return
        if self.failures.lasting:
            metrics.DATABASE_ERRORS.labels("write").inc(len(batch))
            self.failures.report(f"{len(batch)} writes failed" if len(batch) > 1 else "a write failed", error)
            fail_all(batch)
        elif len(batch) > 1:
            for number, job in enumerate(batch, 1):
                self.run_batch([job])
                if self.failures.lasting:
                    fail_all(batch[number:])
                    return
        elif is_conflict(error) and batch[0].try_again():
            self.run_batch(batch)
        elif isinstance(error, sa.exc.SQLAlchemyError):
            metrics.DATABASE_ERRORS.labels("write").inc()
            self.failures.report("a write failed", error)
            fail_all(batch)
        else:
            fail_all(batch)

    def run_together(self, batch: list[Job]) -> Exception | None:
        """Run jobs in one transaction; returns what went wrong."""
        try:
            with self.transaction() as connection:
                for job in batch:
                    job.run(connection)
        except Exception as error:
            return error
        return None


def fail_all(batch: list[Job]) -> None:
    """None of these writes is stored."""
    for job in batch:
        job.error = Unavailable()


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


INSERT_MOVE = Prepared(moves.insert())
SELECT_VERSION = sa.select(tables.c.version).where(tables.c.id == sa.bindparam("wanted_table"))
TELL = "SELECT pg_notify(%(channel)s, %(what)s)"

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
    try:
        for number, (seat, code, stamp, spent) in enumerate(rows, first):
            values = {"table_id": table, "number": number, "seat": seat, "code": code, "stamp": stamp, "spent": spent}
            INSERT_MOVE.run(connection, values)
    except sa.exc.IntegrityError:
        raise Taken(f"move {first} of table {table} is made already") from None


def delete_moves(connection: Connection, table: str, first: int) -> None:
    """Take moves back, from number `first` on."""
    connection.execute(moves.delete().where(moves.c.table_id == table, moves.c.number >= first))


def change_table(connection: Connection, table: str, version: int, facts: dict[str, Any]) -> None:
    """Change facts of a table that is still of a version, which grows by one; Stale if somebody else was quicker.

    Nobody else can change the table from here to the end of the transaction.
    """
    if not change_of(tuple(facts)).run(connection, facts | {"changed_table": table, "known_version": version}):
        raise Stale(f"table {table} is not of version {version} any more")
    tell(connection, f"table {table} {version + 1}")


@lru_cache
def change_of(names: tuple[str, ...]) -> Prepared:
    """The statement that changes some facts of a table; made once, since making it takes longer than running it."""
    changed: dict[str, Any] = {name: sa.bindparam(name) for name in names}
    known = sa.and_(tables.c.id == sa.bindparam("changed_table"), tables.c.version == sa.bindparam("known_version"))
    return Prepared(tables.update().where(known).values(changed | {"version": tables.c.version + ONE}))


def take_tables(connection: Connection, ids: Sequence[str]) -> None:
    """Have tables to oneself to the end of the transaction. Servers that know them read them anew after it."""
    for id in sorted(ids):
        count = tables.update().where(tables.c.id == id).values(version=tables.c.version + 1).returning(tables.c.version)
        version = connection.execute(count).scalar()
        if version is not None:
            tell(connection, f"table {id} {version}")


def update_table(connection: Connection, table: str, facts: dict[str, Any]) -> None:
    """Change facts of a table that one has to oneself."""
    connection.execute(tables.update().where(tables.c.id == table).values(**facts))


def put(connection: Connection, table: Table, key: dict[str, Any], facts: dict[str, Any], usual: dict[str, Any]) -> None:
    """Change facts of a row; if there is none, make one, with what is usual for the other facts."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    made = insert(table).values(usual | facts | key)
    connection.execute(made.on_conflict_do_update(index_elements=list(key), set_=facts))


def tell(connection: Connection, what: str, channel: str = CHANNEL) -> None:
    """Tell all servers, or whoever listens to another channel, something when the transaction is committed."""
    if connection.dialect.name == "postgresql":
        run_in_driver(connection, TELL, {"channel": channel, "what": what})


def select_version(connection: Connection, table: str) -> int | None:
    """How often a table has changed; None if there is none."""
    return connection.execute(SELECT_VERSION, {"wanted_table": table}).scalar()


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


def select_holders(connection: Connection, table: str) -> set[tuple[str, int]]:
    """Who has held which seat of a table."""
    held = connection.execute(sa.select(holders.c.owner, holders.c.seat).where(holders.c.table_id == table)).all()
    return {(row.owner, row.seat) for row in held}


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
    return found, seated, made, select_holders(connection, table)


def delete_tables(connection: Connection, ids: Sequence[str]) -> None:
    """Delete tables and everything that belongs to them."""
    take_tables(connection, ids)
    for part in in_parts(ids):
        for other in reversed(metadata.sorted_tables):
            if "table_id" in other.c:
                connection.execute(other.delete().where(other.c.table_id.in_(part)))
        connection.execute(tables.update().where(tables.c.next.in_(part)).values(next=None))
        connection.execute(tables.delete().where(tables.c.id.in_(part)))


def close_tables(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Make tables such that can only be looked at, and nobody has to act there; which of them there are."""
    take_tables(connection, ids)
    found: list[str] = []
    for part in in_parts(ids):
        found += connection.execute(sa.select(tables.c.id).where(tables.c.id.in_(part))).scalars()
    for part in in_parts(found):
        ended = {"readonly": 1, "acting": 0, "clock": None, "request": None}
        connection.execute(tables.update().where(tables.c.id.in_(part)).values(**ended))
    return found


def in_parts(ids: Sequence[str], size: int = 500) -> Iterator[Sequence[str]]:
    """A long list in parts: a statement has a limited number of values."""
    return (ids[first : first + size] for first in range(0, len(ids), size))


def count_own(connection: Connection, creator: str) -> int:
    """How many tables somebody has set up that are not over, or only show a match file."""
    wanted = sa.select(sa.func.count()).select_from(tables).where(tables.c.creator == creator, counts_for_creator)
    return int(connection.scalar(wanted) or 0)


def select_own(connection: Connection, owner: str, limit: int) -> tuple[Sequence[Any], Sequence[Any]]:
    """The tables at which somebody sits, those that go on before those that are over, newest first; and all their seats."""
    mine, over = sa.select(seats.c.table_id).where(seats.c.owner == owner), sa.case((goes_on, 0), else_=1)
    wanted = sa.select(tables).where(tables.c.id.in_(mine)).order_by(over, tables.c.updated.desc())
    return with_seats(connection, wanted.limit(limit))


def select_public(connection: Connection, since: float, limit: int) -> tuple[Sequence[Any], Sequence[Any]]:
    """The tables that are listed for everybody and not over, if anything has happened there lately; and all their seats."""
    wanted = sa.select(tables).where(is_listed, tables.c.updated > since).order_by(tables.c.updated.desc())
    return with_seats(connection, wanted.limit(limit))


def with_seats(connection: Connection, wanted: sa.Select[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    """Tables for a list, and all their seats."""
    found = connection.execute(wanted).all()
    seated = connection.execute(
        sa.select(seats).where(seats.c.table_id.in_([row.id for row in found])).order_by(seats.c.table_id, seats.c.seat)
    ).all()
    return found, seated
