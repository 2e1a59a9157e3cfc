"""What the host does by `perankh admin`: on the database itself, whether a server runs on it or not.

A running server looks every few seconds at what was banned, closed or deleted (`upkeep`). What it would still write about a table
meanwhile fails or is made undone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.errors import BadOption, PerankhError
from perankh.match.file import text_of
from perankh.web import catalog, earlier_rules, storage
from perankh.web.data import cause_of, open_existing, shown
from perankh.web.row_validation import dealt_match, replay
from perankh.web.storage import admin_changes, seats, tables

DAY = 86_400.0


@contextmanager
def opened(data: Any, writes: bool = True) -> Iterator[Connection]:
    """A connection to the data in one transaction; refuses data that are not there or not of this version."""
    engine = open_existing(data)
    try:
        with engine.execution_options(writes=writes).begin() as connection:
            found = sa.inspect(connection).has_table("schema")
            version = connection.execute(sa.select(storage.schema.c.version)).scalar_one() if found else None
            if version != storage.VERSION:
                said = f"the data are of version {version}, this Per-Ankh is of {storage.VERSION}: start its server once"
                raise PerankhError(f"{shown(engine.url)}: {said if found else 'there are no data'}")
            yield connection
    except sa.exc.SQLAlchemyError as error:
        raise PerankhError(f"{shown(engine.url)}: {cause_of(error)}") from None
    finally:
        engine.dispose()


def listed(
    connection: Connection, game: str | None = None, status: str | None = None, days: int = 0, limit: int = 100
) -> list[dict[str, Any]]:
    """Tables, the one that changed last first. `days`: those at which nothing has changed for so long."""
    wanted = sa.select(tables).order_by(tables.c.updated.desc(), tables.c.id.desc()).limit(limit)
    if game:
        wanted = wanted.where(tables.c.game == game)
    if status:
        wanted = wanted.where(condition_of(status))
    if days:
        wanted = wanted.where(tables.c.updated < time.time() - DAY * days)
    rows = connection.execute(wanted).all()
    names: dict[str, list[str]] = {row.id: [] for row in rows}
    for part in storage.in_parts(list(names)):
        asked = sa.select(seats).where(seats.c.table_id.in_(part)).order_by(seats.c.table_id, seats.c.seat)
        for seat in connection.execute(asked):
            names[seat.table_id].append(seat.bot if seat.kind == "bot" else seat.name or seat.kind)
    return [
        {
            "id": row.id,
            "game": row.game,
            "status": status_of(row),
            "moves": row.number,
            "seats": names[row.id],
            "public": bool(row.public),
            "created": row.created,
            "updated": row.updated,
        }
        for row in rows
    ]


def status_of(row: Any) -> str:
    """What a table is doing, as the host sees it."""
    if row.readonly:
        return "closed"
    return "waiting" if not row.seed else "playing" if row.acting else "over"


def condition_of(status: str) -> sa.ColumnElement[bool]:
    """The tables of a status."""
    opened, dealt = tables.c.readonly == 0, tables.c.seed != ""
    return {
        "closed": storage.is_closed,
        "waiting": sa.and_(opened, storage.is_waiting),
        "playing": sa.and_(opened, dealt, storage.is_running),
        "over": sa.and_(opened, dealt, tables.c.acting == 0),
    }[status]


def close(connection: Connection, ids: Sequence[str]) -> None:
    """Close tables: they can be looked at, and nothing can be changed any more. All of them, or none."""
    check_known(connection, ids)
    storage.close_tables(connection, ids)
    note_changes(connection, ids)


def delete(connection: Connection, ids: Sequence[str]) -> None:
    """Delete tables with everything that belongs to them. All of them, or none."""
    check_known(connection, ids)
    storage.delete_tables(connection, ids)
    note_changes(connection, ids)


def check_known(connection: Connection, ids: Sequence[str]) -> None:
    """Refuse ids of tables that are not there."""
    known: set[str] = set()
    for part in storage.in_parts(ids):
        known |= set(connection.execute(sa.select(tables.c.id).where(tables.c.id.in_(part))).scalars())
    for id in ids:
        if id not in known:
            raise BadOption(f"there is no table {id!r}; nothing was changed")


def note_changes(connection: Connection, ids: Sequence[str]) -> None:
    """Have running servers look at tables anew."""
    for part in storage.in_parts(ids):
        connection.execute(admin_changes.delete().where(admin_changes.c.changed.in_(part)))
    connection.execute(admin_changes.insert(), [{"changed": id, "stamp": time.time()} for id in dict.fromkeys(ids)])


def match_file(connection: Connection, id: str) -> str:
    """The match file of a table as the host may see it: with the seed, also while the match goes on."""
    stored = storage.select_table(connection, id)
    if stored is None:
        raise BadOption(f"there is no table {id!r}")
    row, seated, made, _ = stored
    if not row.seed:
        raise BadOption(f"the match of table {id} has not begun")
    names = [seat.name for seat in seated]
    if not row.acting and not earlier_rules.is_current(row):
        return text_of(earlier_rules.stored_archive(connection, row, names))
    match, wrong = replay(dealt_match(catalog.game_of(row), row, names), made, row.number)
    if wrong:
        raise PerankhError(f"table {id} is damaged: {'; '.join(wrong)}")
    return text_of(match)
