"""What is stored about alerts: channels, choices, open turns, and messages that wait to be sent."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.web import correspondence
from perankh.web.storage import (
    alert_channels,
    alert_choices,
    alert_messages,
    alert_people,
    alert_turns,
    is_lesson,
    is_running,
    moves,
    put,
    seats,
    select_runs,
    server_keys,
    tables,
)

if TYPE_CHECKING:
    from perankh.web.services import Services

KINDS = ("push", "mail", "webhook")
UNCONFIRMED = 48 * 3600.0  # seconds after which an address that nobody has confirmed is forgotten


@dataclass
class Person:
    """When somebody wants to be called; minutes after midnight in his time zone, hours until a reminder."""

    timezone: str = "UTC"
    quiet_from: int | None = None
    quiet_to: int | None = None
    remind: int = 24
    kinds: str = ""  # for tables without a choice of their own, separated by spaces


@dataclass
class Turn:
    """A turn of somebody who can be called; one message is sent about it, and reminders."""

    table_id: str
    owner: str
    number: int
    due: float | None
    told: int = 0


@dataclass
class Message:
    """A message that waits to be sent."""

    id: str
    channel: str
    table_id: str
    number: int
    kind: str
    due: float
    attempts: int = 0


# --- The server's key -----------------------------------------------------------------------------------------------------------


def key_of_server(connection: Connection, name: str, made: str) -> str:
    """A key of this server; `made` becomes it if there is none yet."""
    kept = sa.select(server_keys.c.value).where(server_keys.c.name == name)
    if connection.execute(kept).first() is None:
        put(connection, server_keys, {"name": name}, {"name": name}, {"value": made})
    return str(connection.execute(kept).scalar_one())


# --- Persons and choices --------------------------------------------------------------------------------------------------------


def select_person(connection: Connection, owner: str) -> Person:
    """What somebody has chosen, or the usual."""
    row = connection.execute(sa.select(alert_people).where(alert_people.c.owner == owner)).first()
    return Person(row.timezone, row.quiet_from, row.quiet_to, row.remind, row.kinds) if row else Person()


def update_person(connection: Connection, owner: str, changes: dict[str, Any]) -> None:
    """Change what somebody has chosen."""
    facts = vars(select_person(connection, owner)) | changes
    connection.execute(alert_people.delete().where(alert_people.c.owner == owner))
    connection.execute(alert_people.insert().values(owner=owner, **facts))


def select_choice(connection: Connection, owner: str, table: str) -> str | None:
    """The kinds of channels that somebody has chosen for a table; None without a choice."""
    chosen = sa.and_(alert_choices.c.owner == owner, alert_choices.c.table_id == table)
    return connection.execute(sa.select(alert_choices.c.kinds).where(chosen)).scalar()


def kinds_at(connection: Connection, owner: str, table: str) -> list[str]:
    """The kinds of channels by which somebody wants to be called to a table."""
    chosen = select_choice(connection, owner, table)
    return (select_person(connection, owner).kinds if chosen is None else chosen).split()


def update_choice(connection: Connection, owner: str, table: str, kinds: str | None) -> None:
    """Choose the kinds of channels for a table; None: as for all tables."""
    chosen = sa.and_(alert_choices.c.owner == owner, alert_choices.c.table_id == table)
    connection.execute(alert_choices.delete().where(chosen))
    if kinds is not None:
        connection.execute(alert_choices.insert().values(owner=owner, table_id=table, kinds=kinds))


def forget_person(connection: Connection, owner: str) -> None:
    """Delete everything that is stored about somebody's alerts."""
    own = sa.select(alert_channels.c.id).where(alert_channels.c.owner == owner)
    connection.execute(alert_messages.delete().where(alert_messages.c.channel.in_(own)))
    for table in (alert_people, alert_channels, alert_choices, alert_turns):
        connection.execute(table.delete().where(table.c.owner == owner))


def sits_at(connection: Connection, owner: str, table: str) -> bool:
    """Has somebody a seat at a table?"""
    return (
        connection.execute(sa.select(seats.c.seat).where(seats.c.table_id == table, seats.c.owner == owner)).first() is not None
    )


# --- Channels -------------------------------------------------------------------------------------------------------------------


def select_channels(connection: Connection, owner: str) -> Sequence[Any]:
    """The channels of somebody, oldest first."""
    wanted = sa.select(alert_channels).where(alert_channels.c.owner == owner).order_by(alert_channels.c.created)
    return connection.execute(wanted).all()


def channel_by(connection: Connection, **facts: str) -> Any:
    """A channel by its id or by its secret; None if there is none."""
    wanted = sa.and_(*(alert_channels.c[name] == value for name, value in facts.items()))
    return connection.execute(sa.select(alert_channels).where(wanted)).first()


def insert_channel(connection: Connection, facts: dict[str, Any]) -> None:
    """A new channel, in place of one with the same target. A subscription is one browser's, whoever has used it before."""
    same = sa.and_(alert_channels.c.kind == facts["kind"], alert_channels.c.target == facts["target"])
    if facts["kind"] != "push":
        same = sa.and_(same, alert_channels.c.owner == facts["owner"])
    for old in connection.execute(sa.select(alert_channels.c.id).where(same)).scalars().all():
        delete_channel(connection, old)
    connection.execute(alert_channels.insert().values(**facts))


def update_channel(connection: Connection, id: str, **facts: Any) -> None:
    """Change facts of a channel."""
    connection.execute(alert_channels.update().where(alert_channels.c.id == id).values(**facts))


def delete_channel(connection: Connection, id: str) -> None:
    """Forget a channel, and what waits for it."""
    connection.execute(alert_messages.delete().where(alert_messages.c.channel == id))
    connection.execute(alert_channels.delete().where(alert_channels.c.id == id))


def forget_devices(connection: Connection, owner: str, devices: Sequence[str], unknown: bool) -> None:
    """Devices that are signed out get no push messages any more; `unknown`: nor do those that earlier versions did not note."""
    gone = [*devices, ""] if unknown else devices
    for channel in select_channels(connection, owner):
        if channel.kind == "push" and channel.device in gone:
            delete_channel(connection, channel.id)


def delete_unconfirmed(connection: Connection) -> None:
    """Forget the addresses that nobody has confirmed in time."""
    old = sa.and_(alert_channels.c.confirmed == 0, alert_channels.c.created < time.time() - UNCONFIRMED)
    for id in connection.execute(sa.select(alert_channels.c.id).where(old)).scalars().all():
        delete_channel(connection, id)


def owners(connection: Connection) -> set[str]:
    """Those who can be called."""
    return set(connection.execute(sa.select(alert_channels.c.owner).where(alert_channels.c.confirmed == 1)).scalars())


# --- Turns and messages ---------------------------------------------------------------------------------------------------------


def acting(connection: Connection, owner: str | None = None) -> dict[tuple[str, str], int]:
    """Whose turn it is, of those who can be called (or of one of them): table and owner, and the moves made."""
    people = sa.select(alert_channels.c.owner).where(alert_channels.c.confirmed == 1)
    ours = seats.c.owner == owner
    if owner is None:  # looked for at the tables in play, not by the index of all seats that these persons ever had
        in_play = seats.c.table_id.in_(sa.select(tables.c.id).where(is_running))
        ours = sa.and_(in_play, sa.func.coalesce(seats.c.owner, "").in_(people))
    wanted = (
        sa.select(tables.c.id, tables.c.number, tables.c.acting, seats.c.seat, seats.c.owner)
        .join(seats, seats.c.table_id == tables.c.id)
        .where(ours, seats.c.kind == "person", tables.c.readonly == 0, tables.c.seed != "", is_running, ~is_lesson)
    )
    rows = connection.execute(wanted)
    return {(row.id, row.owner): row.number for row in rows if isinstance(row.acting, int) and row.acting >> row.seat & 1}


def select_turns(connection: Connection) -> list[Turn]:
    """All turns that are noted."""
    return [Turn(row.table_id, row.owner, row.number, row.due, row.told) for row in connection.execute(sa.select(alert_turns))]


def has_turn(connection: Connection, owner: str, table: str, number: int) -> bool:
    """Is this turn noted, and still going on?"""
    noted = sa.select(alert_turns.c.number).where(alert_turns.c.table_id == table, alert_turns.c.owner == owner)
    return connection.execute(noted).scalar() == number and (table, owner) in acting(connection, owner)


def is_awaited(connection: Connection, owner: str, message: Message) -> bool:
    """Does a table still wait for what a message asks of somebody?"""
    row = connection.execute(sa.select(tables).where(tables.c.id == message.table_id)).first()
    seated = connection.execute(sa.select(seats).where(seats.c.table_id == message.table_id).order_by(seats.c.seat)).all()
    return row is not None and correspondence.asked_of(row, seated, owner) == message.kind


def left_of(connection: Connection, owner: str, table: str, services: Services) -> tuple[float, float] | None:
    """At a clock of days: the seconds that somebody has left to decide, and those of their vacation before that."""
    row = connection.execute(sa.select(tables.c.clock, tables.c.acting).where(tables.c.id == table)).first()
    if row is None or not row.clock:
        return None
    own = sa.select(seats.c.seat).where(seats.c.table_id == table, seats.c.owner == owner, seats.c.kind == "person")
    mine = list(connection.execute(own).scalars())
    return correspondence.days_left(row, mine, select_runs(connection), services)


def is_past(connection: Connection, turn: Turn) -> bool:
    """Has somebody moved in this turn, and then somebody else? Then it is over, though its end may not have been noted."""
    own = set(
        connection.execute(
            sa.select(seats.c.seat).where(seats.c.table_id == turn.table_id, seats.c.owner == turn.owner)
        ).scalars()
    )
    since = sa.select(moves.c.seat).where(moves.c.table_id == turn.table_id, moves.c.number >= turn.number)
    made = list(connection.execute(since.order_by(moves.c.number)).scalars())
    first = next((n for n, seat in enumerate(made) if seat in own), len(made))
    return any(seat not in own for seat in made[first:])


def begin_turn(connection: Connection, turn: Turn) -> None:
    """Note a turn, unless it is noted already and still the same."""
    noted = sa.and_(alert_turns.c.table_id == turn.table_id, alert_turns.c.owner == turn.owner)
    row = connection.execute(sa.select(alert_turns).where(noted).with_for_update()).first()
    if row is None or is_past(connection, Turn(row.table_id, row.owner, row.number, row.due, row.told)):
        put_turn(connection, turn)


def put_turn(connection: Connection, turn: Turn) -> None:
    """Note a turn, or what has been sent about it."""
    key = {"table_id": turn.table_id, "owner": turn.owner}
    put(connection, alert_turns, key, {"number": turn.number, "due": turn.due, "told": turn.told}, {})


def delete_turn(connection: Connection, turn: Turn) -> None:
    """A turn is over."""
    connection.execute(alert_turns.delete().where(alert_turns.c.table_id == turn.table_id, alert_turns.c.owner == turn.owner))


def select_messages(connection: Connection) -> list[Message]:
    """All messages that wait."""
    rows = connection.execute(sa.select(alert_messages))
    return [Message(row.id, row.channel, row.table_id, row.number, row.kind, row.due, row.attempts) for row in rows]


def channels_with(connection: Connection, table: str, kind: str) -> set[str]:
    """The channels for which a message of a kind about a table waits."""
    kept = alert_messages.c
    wanted = sa.select(kept.channel).where(kept.table_id == table, kept.kind == kind)
    return set(connection.execute(wanted).scalars())


def insert_messages(connection: Connection, messages: Sequence[Message]) -> None:
    """Messages to be sent."""
    if messages:
        connection.execute(alert_messages.insert(), [dict(vars(message)) for message in messages])


def update_message(connection: Connection, message: Message, tried: int = 1) -> bool:
    """A message is tried now, or will be later; False if another server has tried it meanwhile."""
    ours = sa.and_(alert_messages.c.id == message.id, alert_messages.c.attempts == message.attempts - tried)
    changed = connection.execute(alert_messages.update().where(ours).values(attempts=message.attempts, due=message.due))
    return bool(changed.rowcount)


def delete_message(connection: Connection, message: Message) -> None:
    """A message was sent, or is not needed any more."""
    connection.execute(alert_messages.delete().where(alert_messages.c.id == message.id))


def select_words(connection: Connection, table: str, owner: str) -> tuple[str, list[str]] | None:
    """What a message says of a table: the game, and the names of the other persons; None if there is no such table."""
    game = connection.execute(sa.select(tables.c.game).where(tables.c.id == table)).scalar()
    others = sa.select(seats.c.name).where(seats.c.table_id == table, seats.c.kind == "person", seats.c.owner != owner)
    return None if game is None else (game, list(connection.execute(others.order_by(seats.c.seat)).scalars()))
