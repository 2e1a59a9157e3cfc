"""Archives of matches that are over: written soon after a match has ended, so that it can be shown when its rules have changed.

What is not archived is found by an index of its own. So a match that ended just before the server was killed, or under an earlier
version of Per-Ankh, gets its archive too, as long as its rules are installed. Nobody waits for this work.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.errors import PerankhError
from perankh.match.archive import packed
from perankh.match.match import Match
from perankh.web import storage
from perankh.web.refusal import Refused
from perankh.web.row_validation import match_before, replay
from perankh.web.scheduler import Kind
from perankh.web.services import Services
from perankh.web.storage import archives, tables

LOOK_EVERY = 2.0  # seconds between two looks for matches without an archive
AT_ONCE = 10  # matches archived at one look
ARCHIVE = Kind("replaying", 30.0, urgency=2)
logger = logging.getLogger(__name__)


async def watch(services: Services) -> None:
    """Archive matches that are over, again and again."""
    while True:
        await asyncio.sleep(LOOK_EVERY)
        try:
            for id in await services.storage.read(lambda connection: unarchived(connection, AT_ONCE)):
                await archive(services, id)
        except PerankhError:
            pass  # the database or the worker processes do not answer; the next look will tell


async def archive(services: Services, id: str) -> None:
    """Store the archive of a match; that there is none, if it cannot be replayed."""
    epoch = services.storage.epoch
    stored = await services.storage.read(lambda connection: storage.select_table(connection, id))
    if stored is None:
        return
    row, seated, made, _ = stored
    content = None
    try:
        dealt = await match_before(row, [seat.name for seat in seated])
        content = await services.replay(ARCHIVE, id, content_of, dealt, made, row.number)
    except Refused as refusal:
        if refusal.status in (429, 503):
            raise
    except PerankhError as error:
        logger.warning("table %s cannot be archived: %s", id, error)

    await services.storage.write(lambda connection: insert_archive(connection, id, row.number, content), epoch)


def content_of(dealt: Match, rows: Sequence[Any], number: int) -> bytes | None:
    """The archive of a stored match; None if it is damaged: runs in a worker process."""
    match, wrong = replay(dealt, rows, number)
    return None if wrong else packed(match)


# --- Rows ---------------------------------------------------------------------------------------------------------------------


def unarchived(connection: Connection, limit: int) -> list[str]:
    """Some of the tables whose match is over, or can only be looked at, and has no archive yet."""
    return list(connection.execute(sa.select(tables.c.id).where(storage.to_archive).limit(limit)).scalars())


def insert_archive(connection: Connection, id: str, number: int, content: bytes | None) -> None:
    """Store the archive of a match, unless moves were made or taken back since it was read."""
    same = sa.and_(tables.c.id == id, tables.c.number == number)
    if connection.execute(tables.update().where(same).values(archived=number)).rowcount:
        connection.execute(archives.delete().where(archives.c.table_id == id))
        if content is not None:
            connection.execute(archives.insert().values(table_id=id, number=number, content=content))


def select_archive(connection: Connection, id: str, number: int) -> bytes | None:
    """The archive of a match with so many moves, if there is one."""
    wanted = sa.select(archives.c.content).where(archives.c.table_id == id, archives.c.number == number)
    found: bytes | None = connection.execute(wanted).scalar()
    return found
