"""What a running server does about the host's decisions: bans and closed tables within seconds, old tables every hour."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import signal
import time
from collections.abc import Sequence
from functools import partial

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.errors import PerankhError
from perankh.web import metrics, storage
from perankh.web.bans import Bans, select_bans
from perankh.web.limits import Shares
from perankh.web.storage import admin_changes, tables
from perankh.web.tables import Tables

LOOK_EVERY = 2.0  # seconds between two looks for what `perankh admin` has done
SWEEP_EVERY = 3600.0  # seconds between two looks for tables that are too old
AT_ONCE = 200  # tables deleted in one transaction: others write between
FORGOTTEN_AFTER = 3600.0  # seconds for which a change by the host is kept for servers to see
DAY = 86_400.0
logger = logging.getLogger(__name__)


class Upkeep:
    """Looks after the host's decisions while a server runs."""

    def __init__(self, kept: Tables, bans: Bans, sockets: Shares, keep_tables: int = 0, keep_lobbies: int = 0) -> None:
        """`keep_tables`, `keep_lobbies`: days after which tables without a change are deleted; 0 for never."""
        self.tables = kept
        self.storage = kept.services.storage
        self.bans = bans
        self.sockets = sockets
        self.keep_tables = keep_tables
        self.keep_lobbies = keep_lobbies
        self.seen: set[tuple[str, float]] = set()

    async def open(self) -> None:
        """Take over what was decided before the start."""
        await self.look()

    async def watch(self) -> None:
        """Look again and again."""
        swept = float("-inf")
        while True:
            try:
                if not await self.storage.keeps_lock():
                    logger.error("another server has taken over the data; this one stops")
                    signal.raise_signal(signal.SIGTERM)
                    return
                await self.look()
                if time.monotonic() - swept >= SWEEP_EVERY:
                    swept = time.monotonic()
                    await self.sweep()
            except PerankhError:
                pass  # the database does not answer; the storage has told it
            await asyncio.sleep(LOOK_EVERY)

    # --- Decisions of the host ----------------------------------------------------------------------------------------------

    async def look(self) -> None:
        """See what the host has banned, closed or deleted."""

        def read(connection: Connection) -> tuple[Sequence[str], set[tuple[str, float]]]:
            changed = connection.execute(sa.select(admin_changes.c.changed, admin_changes.c.stamp)).all()
            return [row.network for row in select_bans(connection)], {(row.changed, row.stamp) for row in changed}

        banned, changed = await self.storage.read(read)
        networks = tuple(ipaddress.ip_network(text) for text in banned)
        if networks != self.bans.networks:
            self.bans.networks = networks
            self.end_banned()
        fresh, self.seen = changed - self.seen, changed
        for id, _ in fresh:
            await self.forget(id)

    def end_banned(self) -> None:
        """End the live connections of those who are not let in any more."""
        for address, ends in list(self.sockets.held.items()):
            if self.bans.cover(address):
                for end in list(ends):
                    end()

    async def forget(self, id: str) -> None:
        """Drop a table that the host has changed: whoever watches gets it as it is stored."""
        table = self.tables.tables.pop(id, None)
        if table:
            table.drop()

    # --- Tables that are too old -----------------------------------------------------------------------------------------------

    async def sweep(self) -> int:
        """Delete tables that are too old, some at a time; how many there were."""
        now, count = time.time(), 0
        await self.storage.write(lambda connection: forget_changes(connection, now - FORGOTTEN_AFTER))
        while found := await self.storage.read(self.too_old):
            for id in found:
                table = self.tables.tables.pop(id, None)
                if table:
                    table.drop()
            await self.storage.write(partial(storage.delete_tables, ids=found))
            count += len(found)
            metrics.TABLES_DELETED.inc(len(found))
        if count:
            logger.warning("%d tables were deleted: nothing has changed there for longer than they are kept", count)
        return count

    def too_old(self, connection: Connection) -> list[str]:
        """Some of the tables that are not kept any longer; those at which somebody is are."""
        now, old = time.time(), []
        if self.keep_tables:
            old.append(tables.c.updated < now - DAY * self.keep_tables)
        if self.keep_lobbies:
            old.append(sa.and_(storage.is_waiting, tables.c.updated < now - DAY * self.keep_lobbies))
        watched = [table.id for table in list(self.tables.tables.values()) if table.watchers]
        elsewhere = sa.select(storage.presence.c.table_id)
        kept = sa.and_(tables.c.id.not_in(watched), tables.c.id.not_in(elsewhere))
        found: list[str] = []
        for condition in old:
            wanted = sa.select(tables.c.id).where(condition, kept).order_by(tables.c.updated)
            found += connection.execute(wanted.limit(AT_ONCE)).scalars()
        return list(dict.fromkeys(found))


def forget_changes(connection: Connection, before: float) -> None:
    """Forget changes by the host that every server has seen, and bans that are over."""
    connection.execute(admin_changes.delete().where(admin_changes.c.stamp < before))
    connection.execute(storage.bans.delete().where(storage.bans.c.until < time.time()))
