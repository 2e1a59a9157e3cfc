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
    if who not in table.visits:
        if len(table.visits) >= MOST_VISITS and not table.own(who):
            raise refused(409, "many_visits")
        table.visits[who] = Visit()
    return table.visits[who]


def write_visit(connection: Connection, table: str, who: str, facts: dict[str, Any]) -> None:
    """Store something of what is kept of a person at a table, unless the table is deleted meanwhile."""
    if storage.select_version(connection, table) is not None:
        storage.put(connection, storage.visits, {"table_id": table, "owner": who}, facts, Visit().row())


async def keep(
    table: Table, people: Sequence[str], facts: dict[str, Any] | None = None, also: Callable[[Connection], None] = nothing
) -> None:
    """Store everything that is kept of some persons, as a change of the table with other facts. The caller holds the lock."""
    rows = {who: table.visits[who].row() for who in people}

    def write(connection: Connection) -> None:
        also(connection)
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
