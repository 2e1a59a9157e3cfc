"""Match files: of one table, and of everything that is a person's in one archive."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import AsyncIterator, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh import __version__
from perankh.errors import PerankhError
from perankh.match.file import text_of
from perankh.match.match import Match
from perankh.web import earlier_rules, ownership, personal, replays, storage
from perankh.web.refusal import refused
from perankh.web.row_validation import match_before, replay
from perankh.web.services import LOOK
from perankh.web.standing import played
from perankh.web.table import Table
from perankh.web.tables import Tables

FORMAT = "perankh export 1"


def file_name(game: str, table: str) -> str:
    """What the match file of a table is called."""
    return f"{game}-{table}.perankh"


async def match_text(table: Table, who: str | None) -> str:
    """The match file of a table; with the seed once the match is over. Refused while it would tell a hidden choice."""
    await table.hold_back(who)
    match = table.recorded()
    open_, known = table.over or table.readonly, table.open_moves
    first = len(known) if match.played[: len(known)] == known else 0
    count, text = await table.services.replay(LOOK, table.id, replays.file_text, match, open_, first)
    table.open_moves = match.played[:count]
    if text is None:
        raise refused(409, "secret_moves")
    return text


# --- Everything of a person ---------------------------------------------------------------------------------------------------


class Pieces(io.RawIOBase):
    """A file that is taken away while it is written."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Keep what is written until it is taken."""
        self.waiting.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        """What was written since."""
        taken, self.waiting = b"".join(self.waiting), []
        return taken


async def archive(tables: Tables, person: str) -> AsyncIterator[bytes]:
    """Everything of a person as the pieces of a ZIP archive, which docs/privacy.md describes."""
    read = tables.services.storage.read
    facts = await read(lambda connection: personal.export(connection, person))
    ids = await read(lambda connection: ownership.tables_of(connection, person))
    pieces = Pieces()
    matches = []
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED) as packed:
        for id in ids:
            described, text = await exported_match(tables, id, person)
            if described is None:
                continue
            if text is not None:
                described["file"] = f"matches/{file_name(described['game'], id)}"
                packed.writestr(described["file"], text)
            matches.append(described)
            yield pieces.take()
        index = {"format": FORMAT, "version": __version__, "exported": time.time(), **facts, "matches": matches}
        packed.writestr("perankh.json", json.dumps(index, ensure_ascii=False, indent=2))
    yield pieces.take()


async def exported_match(tables: Tables, id: str, person: str) -> tuple[dict[str, Any] | None, str | None]:
    """A match in the index of an archive, and its match file if there is one."""
    services = tables.services
    stored = await services.storage.read(lambda connection: storage.select_table(connection, id))
    if stored is None:
        return None, None  # deleted meanwhile
    row, seated, made, held = stored
    status = "waiting" if not row.seed else "playing" if row.acting else "over"
    described: dict[str, Any] = {
        "table": id,
        "game": row.game,
        "status": status,
        "created": row.created,
        "updated": row.updated,
        "moves": row.number,
        "seats": [{"seat": seat.seat, "name": seat.name, "bot": seat.bot, "mine": seat.owner == person} for seat in seated],
        "held": sorted(seat for owner, seat in held if owner == person),
        "place": await services.storage.read(lambda connection: stored_place(connection, row, seated, person)),
        "file": None,
    }
    text = None
    try:
        if status == "over" and not earlier_rules.is_current(row):
            names = [seat.name for seat in seated]
            text = text_of(await services.storage.read(lambda connection: earlier_rules.stored_archive(connection, row, names)))
        elif status == "over":
            dealt = await match_before(row, [seat.name for seat in seated])
            text = await services.replay(LOOK, id, text_after, dealt, made, row.number)
        elif status == "playing":
            text = await match_text(await tables.get(id, person), person)
    except PerankhError as error:
        described["reason"] = str(error)  # why there is no file
    return described, text


def stored_place(connection: Connection, row: Any, seated: Sequence[Any], person: str) -> int | None:
    """The place of a person in a match, if it counts and is known."""
    results = storage.results
    wanted = sa.select(results.c.places, results.c.ended).where(results.c.table_id == row.id, results.c.number == row.number)
    found = connection.execute(wanted).first() if row.seed and not row.acting else None
    if found is None or not any(seat.owner == person for seat in seated):
        return None
    return played(row.id, row.game, row.players, found, seated, person).place


def text_after(dealt: Match, rows: Sequence[Any], number: int) -> str:
    """The file of a match that is over: runs in a worker process."""
    match, wrong = replay(dealt, rows, number)
    if wrong:
        raise refused(409, "damaged")
    return text_of(match)
