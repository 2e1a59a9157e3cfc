"""Whose tables are whose, in storage: what becomes of them when a person goes, and when two persons become one."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.web import storage
from perankh.web.agreements import KEPT_NOTICES
from perankh.web.levels import USUAL

GONE = "gone"  # stands in `holders` for a person who has deleted himself: a seat that was held stays one
seats, holders, tables = storage.seats, storage.holders, storage.tables


def tables_of(connection: Connection, person: str) -> list[str]:
    """The tables at which somebody sits, has sat, or asks to sit."""
    asking = sa.select(tables.c.id).where(storage.has_request, tables.c.request.contains(person))
    sitting = sa.select(seats.c.table_id).where(seats.c.owner == person)
    sat = sa.select(holders.c.table_id).where(holders.c.owner == person)
    return sorted(connection.execute(sa.union(asking, sitting, sat)).scalars())


def tables_about(connection: Connection, person: str) -> list[str]:
    """These, and the tables that somebody has set up or visited."""
    made = sa.select(tables.c.id).where(tables.c.creator == person)
    visited = sa.select(storage.visits.c.table_id).where(storage.visits.c.owner == person)
    said = sa.select(storage.messages.c.table_id).where(storage.messages.c.owner == person)
    found = connection.execute(sa.union(made, visited, said)).scalars()
    return sorted({*tables_of(connection, person), *found})


# --- Somebody goes ------------------------------------------------------------------------------------------------------------


def leave(connection: Connection, person: str) -> None:
    """Take a person off all tables. Those at which no other person ever sat are deleted; the others go on without the name."""
    found = tables_of(connection, person)
    storage.take_tables(connection, found)
    shared = set()
    for part in storage.in_parts(found):
        for table in (seats, holders):
            others = sa.select(table.c.table_id).where(table.c.table_id.in_(part), table.c.owner != person)
            shared |= set(connection.execute(others).scalars())
    storage.delete_tables(connection, [id for id in found if id not in shared])
    for part in storage.in_parts(sorted(shared)):
        for row in connection.execute(sa.select(tables).where(tables.c.id.in_(part))).all():
            leave_table(connection, row, person)
    connection.execute(tables.update().where(tables.c.creator == person).values(creator=None))


def leave_table(connection: Connection, row: Any, person: str) -> None:
    """Take a person off a table at which others sit or sat: before the deal the seat is open, then a bot plays it to the end."""
    own, held = seats_of(connection, seats, row.id, person), seats_of(connection, holders, row.id, person)
    facts: dict[str, Any] = {}
    changed: dict[str, Any] = {"owner": None, "name": ""}
    notices = [notice | {"name": ""} if notice["seat"] in (*own, *held) else notice for notice in json.loads(row.notices or "[]")]
    if not row.seed:
        changed |= {"kind": "open", "bot": None}
        if row.deal:
            deal = json.loads(row.deal)
            deal["contributions"] = [None if p in own else given for p, given in enumerate(deal["contributions"])]
            facts["deal"] = json.dumps(deal)
    elif row.acting:
        bot = json.loads(row.settings or "{}").get("stand_in", USUAL)
        changed |= {"kind": "bot", "bot": bot}
        first = notices[-1]["id"] + 1 if notices else 0
        for id, p in enumerate(own, first):
            notices.append({"id": id, "what": "left", "seat": p, "number": row.number, "name": "", "bot": bot})
    if row.notices or notices:
        facts["notices"] = json.dumps(notices[-KEPT_NOTICES:])
    if row.request:
        asked = json.loads(row.request)
        if asked["by"] == person or asked["seat"] in own:
            facts["request"] = None
    if facts:
        storage.update_table(connection, row.id, facts)
    connection.execute(seats.update().where(seats.c.table_id == row.id, seats.c.owner == person).values(**changed))
    known = seats_of(connection, holders, row.id, GONE)
    connection.execute(holders.delete().where(holders.c.table_id == row.id, holders.c.owner == person))
    nameless = [(GONE, p) for p in held if p not in known]
    if nameless:
        storage.insert_holders(connection, row.id, nameless)


def seats_of(connection: Connection, table: sa.Table, id: str, owner: str) -> list[int]:
    """The seats of a table that somebody has (`seats`) or has had (`holders`)."""
    wanted = sa.select(table.c.seat).where(table.c.table_id == id, table.c.owner == owner).order_by(table.c.seat)
    return list(connection.execute(wanted).scalars())


# --- Two become one ----------------------------------------------------------------------------------------------------------


def shared_table(connection: Connection, one: str, other: str) -> str | None:
    """A table whose match is not over and at which both have a seat, or had one: together they would know two hands."""
    both = sorted({*tables_of(connection, one)} & {*tables_of(connection, other)})
    for part in storage.in_parts(both):
        going_on = sa.select(tables.c.id).where(tables.c.id.in_(part), storage.goes_on)
        found = connection.execute(going_on.where(tables.c.readonly == 0).order_by(tables.c.id)).scalars().first()
        if found:
            return str(found)
    return None


def move(connection: Connection, old: str, new: str) -> None:
    """Give all seats of a person to another."""
    storage.take_tables(connection, tables_about(connection, old))
    both = sa.select(holders.c.table_id, holders.c.seat).where(holders.c.owner == new)
    connection.execute(holders.delete().where(holders.c.owner == old, sa.tuple_(holders.c.table_id, holders.c.seat).in_(both)))
    connection.execute(holders.update().where(holders.c.owner == old).values(owner=new))
    connection.execute(seats.update().where(seats.c.owner == old).values(owner=new))
    connection.execute(tables.update().where(tables.c.creator == old).values(creator=new))
    asked = sa.select(tables.c.id, tables.c.request).where(storage.has_request, tables.c.request.contains(old))
    for row in connection.execute(asked).all():
        storage.update_table(connection, row.id, {"request": json.dumps(json.loads(row.request) | {"by": new})})
