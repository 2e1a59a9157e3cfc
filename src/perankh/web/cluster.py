"""Several servers on one PostgreSQL database: which are alive, who looks after which table, who is where, what has changed.

Each server says once a second that it is alive. A table has at most one server that looks after its clock, its bots and its
questions: it holds the lease of the table, which ends with the server. Servers tell each other what has changed by the
notifications of the database. A notification only says where to look: nothing depends on its arrival but how soon that happens.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql

from perankh.errors import PerankhError
from perankh.web import jobs, storage
from perankh.web.data import cause_of, servers_connected
from perankh.web.storage import asked, leases, presence, servers, shared_clock

if TYPE_CHECKING:
    from perankh.web.alerts import Alerts
    from perankh.web.devices import Devices
    from perankh.web.limits import Buckets
    from perankh.web.storage import Storage
    from perankh.web.table import Table
    from perankh.web.tables import Tables

BEAT = 1.0  # seconds between two signs of life
SOON = 0.1  # seconds until the others know that somebody has come or gone
LEASE = 5.0  # seconds without a sign of life after which a server counts as dead
FORGOTTEN = 30.0  # seconds after which its rows are deleted
HEARD_EVERY = 5.0  # seconds between two times that it is told that somebody at a table was heard of
ASK_EVERY = 0.5  # seconds between two tries to get a lease
RECONNECT = 0.3  # seconds between two tries to listen, and to learn what was heard of
EXACT = 0.05  # seconds that the answer with the time of the database may take to be believed
NOW = sa.text("SELECT extract(epoch FROM clock_timestamp())::float8")
ALERTS = "alerts"  # the lease of whoever sends messages
logger = logging.getLogger(__name__)


@dataclass
class People:
    """Who is at a table by way of one server; times are those by which clocks run."""

    watching: dict[str, bool] = field(default_factory=dict)  # who has the table open: does he look at it?
    strangers: int = 0  # those without a token
    heard: dict[str, float] = field(default_factory=dict)  # when a player was last heard of


class Cluster:
    """What a server knows of the others, and they of it."""

    def __init__(self, tables: Tables, devices: Devices, alerts: Alerts, limits: Mapping[str, Buckets]) -> None:
        """`limits`: what all servers count together, by name."""
        self.id = secrets.token_hex(8)
        self.tables = tables
        self.services = tables.services
        self.storage: Storage = tables.services.storage
        self.devices = devices
        self.alerts = alerts
        self.alive: frozenset[str] = frozenset()
        self.beaten = float("-inf")  # when the others were last told that this server is alive
        self.held: set[str] = set()  # the leases of this server
        self.others: dict[str, str | None] = {}  # who has which lease, as far as it is known
        self.asked: dict[str, float] = {}  # when a lease was last asked for
        self.unwritten: set[str] = set()  # tables where somebody has come or gone, or was heard of
        self.heard: dict[str, float] = {}  # when it was last told that somebody at a table was heard of
        self.newer: dict[str, int] = {}  # by table: the version that it is being brought up to
        self.limits = limits
        self.taken: list[str] = []  # what was taken here from what all servers count, and is to be told
        self.numbers = itertools.count()
        for name, buckets in limits.items():
            buckets.tell = partial(self.tell_taken, name)
        self.hurry = asyncio.Event()
        self.listener = Listener(self.storage.engine, self.hear, self.look_again)
        if self.services.jobs:
            self.services.jobs.server = self.id

    async def open(self) -> None:
        """Join the others."""
        await self.storage.write(set_clock)
        await self.beat()
        self.listener.start()

    async def close(self) -> None:
        """Leave: the others take over at once."""
        self.listener.stop()
        with suppress(PerankhError):
            await self.storage.write(self.leave)

    def leave(self, connection: Connection) -> None:
        """Delete what there is of this server."""
        count_alive(connection)
        for table in (leases, presence):
            connection.execute(table.delete().where(table.c.server == self.id))
        connection.execute(servers.delete().where(servers.c.id == self.id))
        storage.tell(connection, "servers")

    # --- Signs of life -------------------------------------------------------------------------------------------------------

    async def watch(self) -> None:
        """Tell the others again and again that this server is alive."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.hurry.wait(), BEAT)
                await asyncio.sleep(SOON)
            self.hurry.clear()
            with suppress(PerankhError):  # the storage has told it
                await self.beat()

    async def beat(self) -> None:
        """Say that this server is alive and who is where; see which others are."""
        began, changed = time.monotonic(), {id: self.people_at(id) for id in self.unwritten}
        self.unwritten.clear()
        unused = {id for id in self.held if id != ALERTS and id not in self.tables.tables and id not in self.tables.loading}

        def write(connection: Connection) -> set[str]:
            now = count_alive(connection)
            self.set_time(connection)
            storage.put(connection, servers, {"id": self.id}, {"until": now + LEASE}, {"offers": jobs.offers()})
            for id, people in changed.items():
                self.write_people(connection, id, people)
            for id in unused:
                connection.execute(leases.delete().where(leases.c.table_id == id, leases.c.server == self.id))
                storage.tell(connection, f"lease {id}")
            forget_dead(connection, now)
            return alive_at(connection, now)

        try:
            alive = frozenset(await self.storage.write(write))
        except PerankhError:
            self.unwritten |= set(changed)
            raise
        self.beaten = began
        self.held -= unused
        gone, self.alive = self.alive - alive, alive
        if gone:
            for table in list(self.tables.tables.values()):
                if gone & set(table.elsewhere) or self.others.get(table.id) in gone:
                    table.changed()

    def set_time(self, connection: Connection) -> None:
        """Measure how far the time of the database, without that in which no server ran, is ahead of this machine's clock."""
        lost = connection.execute(sa.select(shared_clock.c.lost)).scalar_one()
        before = time.monotonic()
        now = connection.execute(NOW).scalar_one()
        after = time.monotonic()
        if after - before < EXACT or not self.storage.ahead:
            self.storage.ahead = now - lost - (before + after) / 2

    @property
    def is_alive(self) -> bool:
        """Do the others count on this server?"""
        return time.monotonic() - self.beaten < LEASE

    # --- Leases --------------------------------------------------------------------------------------------------------------

    def holds(self, lease: str) -> bool:
        """Does this server hold a lease? If no server that is alive does, it tries to get it."""
        if lease in self.held:
            return self.is_alive
        if self.others.get(lease) not in self.alive and time.monotonic() - self.asked.get(lease, 0.0) > ASK_EVERY:
            self.asked[lease] = time.monotonic()
            self.services.start(self.claim(lease))
        return False

    async def claim(self, lease: str) -> None:
        """Get a lease that nobody holds, or learn who does."""
        dead = leases.c.server.not_in(sa.select(servers.c.id).where(servers.c.until > sa.func.extract("epoch", CLOCK)))
        wanted = postgresql.insert(leases).values(table_id=lease, server=self.id)
        taken = wanted.on_conflict_do_update(index_elements=["table_id"], set_={"server": self.id}, where=dead)

        def write(connection: Connection) -> str | None:
            connection.execute(taken)
            return connection.execute(sa.select(leases.c.server).where(leases.c.table_id == lease)).scalar()

        with suppress(PerankhError):
            holder = await self.storage.write(write, table=f" {lease}")  # leases come before tables
            self.others[lease] = holder
            if holder == self.id:
                self.held.add(lease)
                if lease in self.tables.tables:
                    self.tables.tables[lease].wake_bots()

    # --- Who is where --------------------------------------------------------------------------------------------------------

    def note(self, table: str, soon: bool) -> None:
        """Somebody has come to a table, or gone (`soon`), or was heard of."""
        now = time.monotonic()
        if soon:
            self.unwritten.add(table)
            self.hurry.set()
        elif now - self.heard.get(table, 0.0) > HEARD_EVERY:
            self.heard[table] = now
            self.unwritten.add(table)

    def people_at(self, id: str) -> People | None:
        """Who is at a table by way of this server."""
        table = self.tables.tables.get(id)
        if table is None:
            self.heard.pop(id, None)
            self.others.pop(id, None)
            self.asked.pop(id, None)
            return None
        watching: dict[str, bool] = {}
        for watcher in table.watchers:
            if watcher.who:
                watching[watcher.who] = watching.get(watcher.who, False) or watcher.looking
        ahead = self.services.now() - time.monotonic()
        owners = {seat.owner for seat in table.seats if seat.owner}
        heard = {who: self.services.heard[id, who] + ahead for who in owners if (id, who) in self.services.heard}
        return People(watching, sum(watcher.who is None for watcher in table.watchers), heard)

    def write_people(self, connection: Connection, id: str, people: People | None) -> None:
        """Store who is at a table by way of this server."""
        if people is None:
            connection.execute(presence.delete().where(presence.c.table_id == id, presence.c.server == self.id))
        else:
            key = {"table_id": id, "server": self.id}
            storage.put(connection, presence, key, {"people": json.dumps(asdict(people))}, {})
        storage.tell(connection, f"presence {id} {self.id}")

    async def read_people(self, table: Table) -> None:
        """Learn who is at a table by way of the other servers."""
        with suppress(PerankhError):
            found = await self.storage.read(lambda connection: select_people(connection, table.id))
            found.pop(self.id, None)
            if found != table.elsewhere:
                table.elsewhere = found
                table.changed()

    # --- Limits ------------------------------------------------------------------------------------------------------------

    def tell_taken(self, limit: str, key: str) -> None:
        """Somebody has used a part of what a limit allows: the others count it too."""
        # The number makes each different: of several that are the same in one transaction, one would arrive.
        self.taken.append(f"taken {self.id} {next(self.numbers)} {limit} {key}")
        if len(self.taken) == 1:
            self.services.start(quietly(self.send_taken()))

    async def send_taken(self) -> None:
        """Tell what has come together."""
        told, self.taken = self.taken, []

        def write(connection: Connection) -> None:
            for what in told:
                storage.tell(connection, what)

        await self.storage.write(write)

    # --- What has changed ------------------------------------------------------------------------------------------------------

    def hear(self, what: str) -> None:
        """Another server, or this one, has changed something."""
        kind, _, rest = what.partition(" ")
        about = rest.split()
        table = self.tables.tables.get(about[0]) if about else None
        if kind == "servers":
            self.hurry.set()
        elif kind == "done" and about == [self.id] and self.services.jobs:
            self.services.jobs.hurry.set()
        elif kind == "taken":
            server, _, limit, key = rest.split(" ", 3)
            if server != self.id and limit in self.limits:  # a newer version may have others
                self.limits[limit].lower(key)
        elif kind == "devices":
            self.services.start(quietly(self.devices.learn(about)))
        elif kind == "alerts" and about != [self.id]:
            self.services.start(quietly(self.alerts.learn_people()))
        elif table is None or table.gone:
            pass
        elif kind == "table" and int(about[1]) > table.version:
            self.catch_up(table, int(about[1]))
        elif kind == "asked":
            self.services.start(quietly(table.learn_asked()))
        elif kind == "presence" and about[1] != self.id:
            self.services.start(self.read_people(table))
        elif kind == "lease" and table.id not in self.held:
            self.others.pop(table.id, None)
            self.asked.pop(table.id, None)
            table.wake_bots()

    def catch_up(self, table: Table, version: int) -> None:
        """Bring a table up to a version, by one task however many changes there are."""
        is_waiting = table.id in self.newer
        self.newer[table.id] = max(version, self.newer.get(table.id, 0))
        if not is_waiting:
            self.services.start(self.bring_up(table))

    async def bring_up(self, table: Table) -> None:
        """Take over what other servers have changed: those who watch the table wait for it, and nobody tells of it again."""
        try:
            while not table.gone and table.version < self.newer[table.id]:
                try:
                    await table.look_again()
                except PerankhError:  # it was dropped, or the database does not answer
                    await asyncio.sleep(RECONNECT)
        finally:
            del self.newer[table.id]

    def look_again(self) -> None:
        """The connection by which this server hears of the others is new: what has changed before is not known."""
        self.services.start(self.look_until_seen())

    async def look_until_seen(self) -> None:
        """Look at everything until the database has answered."""
        while True:
            try:
                await self.look_at_everything()
                return
            except PerankhError:
                await asyncio.sleep(RECONNECT)

    async def look_at_everything(self) -> None:
        """Look at everything that is in memory."""
        await self.devices.load()
        await self.alerts.learn_people()
        known = {table.id: table for table in self.tables.tables.values()}
        self.others.clear()
        versions = await self.storage.read(lambda connection: select_versions(connection, known))
        for id, table in known.items():
            if versions.get(id, table.version + 1) != table.version:
                self.catch_up(table, versions.get(id, table.version + 1))
            await self.read_people(table)


async def quietly(work: Any) -> None:
    """Do something that is done again at the next occasion if the database does not answer."""
    with suppress(PerankhError):
        await work


class Listener:
    """A thread with a connection of its own that hears what servers tell each other, or machines that work for them."""

    def __init__(
        self, engine: sa.Engine, hear: Callable[[str], None], connected: Callable[[], None], channel: str = storage.CHANNEL
    ) -> None:
        self.engine = engine
        self.hear = hear
        self.connected = connected
        self.channel = channel
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.listen_forever, name="perankh-listener", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self.loop = asyncio.get_running_loop()
        self.thread.start()

    def stop(self) -> None:
        """End soon."""
        self.stopped.set()

    def listen_forever(self) -> None:
        """Connect again and again; after each time, everything has to be looked at."""
        while not self.stopped.is_set():
            try:
                self.listen()
            except Exception as error:
                logger.warning("the changes of others cannot be heard for a moment: %s", cause_of(error))
                self.stopped.wait(RECONNECT)

    def listen(self) -> None:
        """Hear what there is until the connection ends."""
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.detach()  # nobody else uses it afterwards
            connection.execute(sa.text(f"LISTEN {self.channel}"))
            self.call(self.connected)
            driver: Any = connection.connection.dbapi_connection
            while not self.stopped.is_set():
                for notice in driver.notifies(timeout=BEAT):
                    self.call(self.hear, notice.payload)
                connection.execute(sa.select(1))  # a connection that is dead shows it now

    def call(self, function: Callable[..., None], *given: Any) -> None:
        """Have something done in the event loop."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(function, *given)


# --- Rows ----------------------------------------------------------------------------------------------------------------------

CLOCK = sa.func.clock_timestamp()


def set_clock(connection: Connection) -> None:
    """Before the first server of several: the time in which none ran counts against nobody."""
    now = connection.execute(NOW).scalar_one()
    made = postgresql.insert(shared_clock).values(id=0, alive=now, lost=0.0)
    connection.execute(made.on_conflict_do_nothing())
    row = connection.execute(sa.select(shared_clock).with_for_update()).one()
    if servers_connected(connection) <= 1:
        lost = row.lost + max(0.0, now - row.alive)
        connection.execute(shared_clock.update().values(alive=now, lost=lost))


def count_alive(connection: Connection) -> float:
    """Keep that some server is alive; the time of the database."""
    now: float = connection.execute(NOW).scalar_one()
    connection.execute(shared_clock.update().where(shared_clock.c.alive < now).values(alive=now))
    return now


def alive_at(connection: Connection, now: float) -> set[str]:
    """The servers that are alive."""
    return set(connection.execute(sa.select(servers.c.id).where(servers.c.until > now)).scalars())


def forget_dead(connection: Connection, now: float) -> None:
    """Delete what is left of servers that have long been dead."""
    dead = servers.delete().where(servers.c.until < now - FORGOTTEN).returning(servers.c.id)
    for id in connection.execute(dead).scalars().all():
        for table in (leases, presence):
            connection.execute(table.delete().where(table.c.server == id))


def select_people(connection: Connection, table: str) -> dict[str, People]:
    """Who is at a table, by server."""
    rows = connection.execute(sa.select(presence.c.server, presence.c.people).where(presence.c.table_id == table))
    return {row.server: People(**json.loads(row.people)) for row in rows}


def write_asked(connection: Connection, table: str, seat: int, decision: str, stamp: float) -> None:
    """Keep when a question was first sent to a seat."""
    made = postgresql.insert(asked).values(table_id=table, seat=seat, turn=decision, stamp=stamp)
    other = asked.c.turn != made.excluded.turn
    changed = {"turn": decision, "stamp": stamp}
    connection.execute(made.on_conflict_do_update(index_elements=["table_id", "seat"], set_=changed, where=other))
    storage.tell(connection, f"asked {table}")


def select_asked(connection: Connection, table: str) -> list[tuple[int, str, float]]:
    """By seat: the decision about which it was last asked, and when."""
    rows = connection.execute(sa.select(asked).where(asked.c.table_id == table))
    return [(row.seat, row.turn, row.stamp) for row in rows]


def is_looking(connection: Connection, table: str, who: str) -> bool:
    """Does somebody look at a table, by way of whatever server?"""
    if connection.dialect.name != "postgresql":
        return False
    alive = alive_at(connection, connection.execute(NOW).scalar_one())
    return any(people.watching.get(who) for server, people in select_people(connection, table).items() if server in alive)


def select_versions(connection: Connection, ids: Iterable[str]) -> dict[str, int]:
    """The versions of tables."""
    kept = storage.tables.c
    found: dict[str, int] = {}
    for part in storage.in_parts(list(ids)):
        rows = connection.execute(sa.select(kept.id, kept.version).where(kept.id.in_(part)))
        found |= {row.id: row.version for row in rows}
    return found
