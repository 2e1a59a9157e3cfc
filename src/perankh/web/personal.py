"""What is stored about a person: the one list by which it is deleted, moved and exported.

A module that stores something about persons adds an entry to STORED, and its columns to docs/privacy.md. Tests compare both with
the schema.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, Connection

from perankh.web import alert_storage, one_time, ownership
from perankh.web.storage import (
    alert_channels,
    alert_choices,
    alert_people,
    alert_turns,
    devices,
    editions,
    holders,
    messages,
    one_time_secrets,
    passkeys,
    persons,
    presence,
    seats,
    tables,
    visits,
)


@dataclass(frozen=True)
class Stored:
    """One kind of thing that is stored about persons.

    Without functions of its own it is the rows of one table: they are deleted, given to another person, and exported.
    """

    name: str  # under which it is exported
    columns: tuple[Column[Any], ...]  # that hold the id of a person, alone or within a text
    secret: tuple[str, ...] = ()  # columns that are not exported: keys, hashes, and the id itself
    erase: Callable[[Connection, str], None] | None = None  # takes a person
    move: Callable[[Connection, str, str], None] | None = None  # takes a person and the one he turns out to be
    exported: bool = True  # or is it exported in another way?


def join_persons(connection: Connection, old: str, new: str) -> None:
    """Of two persons who become one, the second keeps what he has chosen and takes over what he has not."""
    rows = {row.id: row._asdict() for row in connection.execute(sa.select(persons).where(persons.c.id.in_((old, new))))}
    if old not in rows:
        return
    connection.execute(persons.delete().where(persons.c.id == old))
    taken = {name: rows[old][name] for name in ("name", "colour") if not rows[new][name]}
    if rows[new]["recovery"] is None:
        taken |= {name: rows[old][name] for name in ("recovery", "recovery_made")}
    if taken:
        connection.execute(persons.update().where(persons.c.id == new).values(**taken))


def forget_presence(connection: Connection, person: str, new: str = "") -> None:  # noqa: ARG001
    """Forget where somebody was seen; servers write anew who is there when somebody comes or goes."""
    connection.execute(presence.delete().where(presence.c.people.contains(person)))


# In the order in which they are deleted: what refers to persons comes before them.
STORED = (
    Stored(
        "matches",
        (seats.c.owner, holders.c.owner, tables.c.request, tables.c.creator),
        erase=ownership.leave,
        move=ownership.move,
        exported=False,  # as match files
    ),
    Stored("presence", (presence.c.people,), erase=forget_presence, move=forget_presence, exported=False),  # for seconds
    Stored("codes", (one_time_secrets.c.owner,), erase=one_time.forget, move=one_time.forget, exported=False),  # for minutes
    Stored("editions", (editions.c.owner,), secret=("owner",)),
    Stored("chat", (messages.c.owner,), secret=("owner",)),
    Stored("visits", (visits.c.owner,), secret=("owner",)),
    Stored("alerts", (alert_people.c.owner,), secret=("owner",)),
    Stored("alert_channels", (alert_channels.c.owner,), secret=("owner", "secret", "device"), erase=alert_storage.forget_person),
    Stored("alert_choices", (alert_choices.c.owner,), secret=("owner",)),
    Stored("alert_turns", (alert_turns.c.owner,), secret=("owner",)),
    Stored("passkeys", (passkeys.c.person,), secret=("person", "public_key", "sign_count")),
    Stored("devices", (devices.c.person,), secret=("id", "person")),
    Stored("person", (persons.c.id,), secret=("id", "recovery"), move=join_persons),
)


def erase(connection: Connection, person: str) -> None:
    """Delete everything that is stored about a person."""
    for stored in STORED:
        if stored.erase:
            stored.erase(connection, person)
        else:
            (column,) = stored.columns
            connection.execute(column.table.delete().where(column == person))


def move(connection: Connection, old: str, new: str) -> None:
    """Give everything that is stored about a person to another; what the other has already, of what there can be one, stays."""
    for stored in STORED:
        if stored.move:
            stored.move(connection, old, new)
        else:
            (column,) = stored.columns
            move_rows(connection, column, old, new)


def move_rows(connection: Connection, column: Column[Any], old: str, new: str) -> None:
    """Give the rows of a table to another person, one by one; a row for which there is no place is deleted."""
    table = column.table
    keys = list(table.primary_key)
    for row in connection.execute(sa.select(*keys).where(column == old)).all():
        this = sa.and_(*(key == value for key, value in zip(keys, row, strict=True)))
        try:
            with connection.begin_nested():
                connection.execute(sa.update(table).where(this).values({column.name: new}))
        except sa.exc.IntegrityError:
            connection.execute(sa.delete(table).where(this))


def export(connection: Connection, person: str) -> dict[str, list[dict[str, Any]]]:
    """Everything that is stored about a person besides matches, by kind, without secrets."""
    found = {}
    for stored in STORED:
        if stored.exported:
            (column,) = stored.columns
            shown = [one for one in column.table.c if one.name not in stored.secret]
            rows = connection.execute(sa.select(*shown).where(column == person)).all()
            found[stored.name] = [row._asdict() for row in rows]
    return found
