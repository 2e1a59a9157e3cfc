"""What is kept of a person at a table: how far a player has seen it, whether a visitor may enter, whom he does not hear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

from perankh.web import storage
from perankh.web.refusal import refused
from perankh.web.table import Table, nothing
from perankh.web.table_records import Visit

MOST_VISITS = 1000  # persons of whom something is kept at one table


def of(table: Table, who: str) -> Visit:
    """What is kept of a person; something begins to be kept if there was nothing."""
    return table.visits.setdefault(who, Visit())


def make_room(table: Table, who: str) -> list[str]:
    """Whom to forget so that something can be kept of a person: a spectator who is not there, so that nobody fills a table."""
    if who in table.visits or len(table.visits) < MOST_VISITS or table.own(who):
        return []
    here = {watcher.who for watcher in table.watchers}.union(*(people.watching for people in table.others()))
    gone = (one for one, visit in table.visits.items() if not visit.admitted and one not in here and not table.own(one))
    forgotten = next(gone, None)
    if forgotten is None:
        raise refused(409, "many_visits")
    del table.visits[forgotten]
    return [forgotten]


def write_visit(connection: Connection, table: str, who: str, facts: dict[str, Any]) -> None:
    """Store something of what is kept of a person at a table, unless the table is deleted meanwhile."""
    if storage.select_version(connection, table) is not None:
        storage.put(connection, storage.visits, {"table_id": table, "owner": who}, facts, Visit().row())


async def keep(
    table: Table, people: Sequence[str], facts: dict[str, Any] | None = None, also: Callable[[Connection], None] = nothing
) -> None:
    """Store all or nothing that is kept of some persons, as a change of the table with other facts. The caller holds the lock."""
    rows = {who: table.visits[who].row() for who in people if who in table.visits}
    gone = [who for who in people if who not in table.visits]

    def write(connection: Connection) -> None:
        also(connection)
        if gone:
            kept = storage.visits.c
            connection.execute(storage.visits.delete().where(kept.table_id == table.id, kept.owner.in_(gone)))
        for who, row in rows.items():
            write_visit(connection, table.id, who, row)

    await table.keep(facts or {}, write)


async def store(table: Table, who: str) -> None:
    """Store how far a player has seen the match. That changes nothing for others: the version of the table stays."""
    visit = table.visits[who]
    seen, visit.stored = {"seen": visit.seen}, True
    try:
        await table.services.storage.write(lambda connection: write_visit(connection, table.id, who, seen), table.epoch)
    except storage.Unavailable:
        visit.stored = False
        raise


def see(table: Table, who: str | None, number: int) -> None:
    """A player has seen the match up to a number of moves; stored with the next `store_all`."""
    if who is None or not table.own(who) or table.dealt is None:
        return
    visit, number = of(table, who), min(number, table.number)
    if visit.seen != number:
        visit.seen, visit.stored = number, False


async def store_all(table: Table) -> None:
    """Store what has changed."""
    for who in [who for who, visit in table.visits.items() if not visit.stored]:
        await store(table, who)


def seen_by(table: Table, who: str | None) -> int | None:
    """How many moves a player has seen; None where nothing is known."""
    visit = table.visits.get(who) if who and table.own(who) else None
    return min(visit.seen, table.number) if visit and visit.seen is not None else None
