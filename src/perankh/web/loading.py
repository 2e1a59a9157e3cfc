"""Tables from their stored rows: when they are first asked for, and when another server has changed them."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.engine.state import Record
from perankh.errors import PerankhError
from perankh.match.match import Match
from perankh.web import earlier_rules, storage
from perankh.web.agreements import Notice, Settings
from perankh.web.deal import TableDeal
from perankh.web.position import Position
from perankh.web.refusal import Refused, refused
from perankh.web.row_validation import (
    Faults,
    replay,
    stored_clock,
    stored_match,
    stored_request,
    stored_resigned,
    stored_seats,
    stored_turns,
)
from perankh.web.secrecy import marks_of
from perankh.web.services import FEW_MOVES, LOAD
from perankh.web.table_records import Message, Series, Visit

if TYPE_CHECKING:
    from perankh.web.table import Table

logger = logging.getLogger(__name__)


# --- Rows ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rows:
    """What is stored of a table."""

    table: Any
    seats: Sequence[Any]
    moves: Sequence[Any]  # those after the moves that are known, or all
    held: set[tuple[str, int]]
    visits: dict[str, Visit]
    runs: dict[str, float]
    said: Sequence[Message]  # after the messages that are known; none, if the chat is not in memory
    follow: bool  # do the moves follow those that are known?


def select_rows(connection: Connection, id: str, known: Table | None = None) -> Rows | None:
    """The rows of a table, as they are at one moment; of one that is known, only the moves and messages that are new."""
    row = connection.execute(sa.select(storage.tables).where(storage.tables.c.id == id)).first()
    if row is None:
        return None
    follow = bool(known and known.dealt and known.rewinds == row.rewinds and not known.broken)
    moves, seats = storage.moves.c, storage.seats
    made = sa.select(moves.number, moves.seat, moves.code, moves.stamp, moves.spent).where(moves.table_id == id)
    made = made.where(moves.number >= known.number) if known and follow else made
    said = select_messages(connection, id, known.chat.last) if known and known.chat else []
    return Rows(
        row,
        connection.execute(sa.select(seats).where(seats.c.table_id == id).order_by(seats.c.seat)).all(),
        connection.execute(made.order_by(moves.number)).all(),
        storage.select_holders(connection, id),
        select_visits(connection, id),
        storage.select_runs(connection) if row.clock else {},
        said,
        follow,
    )


def select_visits(connection: Connection, table: str) -> dict[str, Visit]:
    """What is stored of the persons at a table."""
    wanted = sa.select(storage.visits).where(storage.visits.c.table_id == table)
    return {
        row.owner: Visit(row.seen, bool(row.admitted), json.loads(row.muted), bool(row.listens))
        for row in connection.execute(wanted)
    }


def select_messages(connection: Connection, table: str, after: int = 0) -> list[Message]:
    """What was said at a table, after a message."""
    kept = storage.messages
    wanted = sa.select(kept).where(kept.c.table_id == table, kept.c.id > after).order_by(kept.c.id)
    return [Message(**{name: getattr(row, name) for name in Message.__dataclass_fields__}) for row in connection.execute(wanted)]


# --- The table ------------------------------------------------------------------------------------------------------------------


async def fill(table: Table, rows: Rows, anew: bool = True, archive: bytes | None = None) -> None:
    """Make a table what is stored of it; refused if the rows describe no match at all. `anew`: nothing of it is right.

    `archive`: of a finished match of other rules.
    """
    row, faults = rows.table, Faults()
    seats = stored_seats(rows.seats, row.players, faults)
    if row.acting or not row.seed:  # bots that the host does not offer any more do not play on
        seats = [replace(seat, bot=table.services.bots.instead_of(seat.bot)) if seat.bot else seat for seat in seats]
    options = faults.stored("options", lambda: json.loads(row.options))
    deal = faults.stored("deal", lambda: TableDeal.from_json(row.deal, row.players)) if row.deal else None
    position: Position | None = None
    marks: dict[int, tuple[int, Record]] = {}
    if row.seed == "":
        if faults or not deal or row.number or rows.moves or not isinstance(options, dict):
            raise nothing_to_show(table.id, "; ".join(faults) or "there is no deal")
    elif archive is not None:
        names, made = [seat.name for seat in seats], deal.made() if deal else None
        shown_match = await earlier_rules.archived_match(table.services, row, table.game, archive, names, made)
        position, options = Position(shown_match), shown_match.options
    elif rows.follow and len(rows.moves) <= FEW_MOVES:
        known = (table.position, dict(table.marks), rows.moves, row.number, faults)
        position, marks = await asyncio.to_thread(followed, *known)
    else:
        try:
            names = [seat.name for seat in seats]
            given = (table.game, row, options, names, deal, faults)
            dealt = table.match.copy() if rows.follow else await asyncio.to_thread(stored_match, *given)  # practice: many moves
        except PerankhError as error:
            raise nothing_to_show(table.id, str(error)) from None
        match, wrong = await table.services.replay(LOAD, table.id, replay, dealt, rows.moves, row.number)
        faults += wrong
        position, marks = Position(match), {} if faults else await asyncio.to_thread(marks_of, match)
    if position and list(position.match.names) != [seat.name for seat in seats]:
        match = position.match.copy()
        match.rename(*(seat.name for seat in seats))
        position = Position(match)
    before = table.dealt if rows.follow and not rows.moves and not anew else None
    shown = drawn_facts(table) if before else None
    take(table, rows, faults)
    if table.dealt and position and table.rewinds != row.rewinds:
        forget_taken_back(table, position.match)
    elif table.question:
        table.question.waiting.difference_update(move.seat for move in rows.moves)
    table.seats, table.options, table.deal = seats, options or {}, deal
    table.dealt, table.marks = position, marks
    table.spent = [*(table.spent if rows.follow else ()), *(move.spent for move in rows.moves)]
    table.rewinds, table.version = row.rewinds, row.version
    restore_agreements(table, rows, faults)
    table.broken = bool(faults)
    if archive is not None:
        table.clock, table.request = None, None
    if faults:
        logger.error("table %s is damaged and can only be looked at: %s", table.id, "; ".join(faults))
        table.clock, table.request = None, None
    if before and shown == drawn_facts(table):
        table.dealt = before  # what was drawn of it can be used


def drawn_facts(table: Table) -> tuple[Any, ...]:
    """What views draw and word of a table besides its position."""
    seats = [(seat.kind, seat.owner, seat.bot, seat.name) for seat in table.seats]
    return seats, table.settings, table.forfeits, table.readonly, table.broken


def take(table: Table, rows: Rows, faults: Faults) -> None:
    """The facts of a table that need no work, and its company."""
    row = rows.table
    table.next, table.readonly, table.hot_seat, table.holders = row.next, bool(row.readonly), bool(row.hot_seat), rows.held
    table.creator, table.public, table.password, table.ended = row.creator, bool(row.public), row.password, bool(row.ended)
    table.series = faults.stored("series", lambda: Series.from_json(row.series, row.players)) if row.series else None
    for who, visit in table.visits.items():
        if not visit.stored:
            kept = rows.visits.setdefault(who, Visit())
            kept.seen, kept.stored = visit.seen, False
    heard = {who: (visit.muted, visit.listens) for who, visit in table.visits.items()}
    table.visits = rows.visits
    changed = {who for who, visit in rows.visits.items() if heard.get(who, ([], False)) != (visit.muted, visit.listens)}
    if table.chat:
        table.chat.add(rows.said)
    for watcher in table.watchers if changed or rows.said else ():
        watcher.whole_talk = watcher.whole_talk or watcher.who in changed
        watcher.talk.set()


def restore_agreements(table: Table, rows: Rows, faults: Faults) -> None:
    """The stored clock, settings, request and announcements of a table."""
    row, services = rows.table, table.services
    given = (rows.runs, row.players, services.opened, services.clock_run)
    table.clock = faults.stored("clock", lambda: stored_clock(row.clock, *given)) if row.clock else None
    table.settings = Settings(services.away)
    if row.settings:
        table.settings = faults.stored("settings", lambda: Settings(**json.loads(row.settings))) or table.settings
    table.request = faults.stored("request", lambda: stored_request(row.request, row.players)) if row.request else None
    notices = faults.stored("notices", lambda: [Notice(**one) for one in json.loads(row.notices)]) if row.notices else None
    table.notices = notices or []
    table.resigned = faults.stored("resigned", lambda: stored_resigned(row.resigned, row.players)) or [] if row.resigned else []
    turns = faults.stored("turns", lambda: stored_turns(row.turn_since, row.players)) if row.turn_since else None
    table.turn_since = turns or [None] * row.players
    if table.clock and table.clock.since is None and table.dealt and not table.over and not faults:
        table.clock.since = services.now()  # a clock of an earlier version


def followed(
    position: Position, marks: dict[int, tuple[int, Record]], rows: Sequence[Any], number: int, faults: Faults
) -> tuple[Position, dict[int, tuple[int, Record]]]:
    """The position after further moves, and where each seat last had a choice."""
    match: Match = position.match
    if number < match.number:
        faults.append(f"there should be {number} moves, not {match.number}")
    for row in rows:
        legal = len(match.legal(row.seat)) if row.seat in match.actors else 0
        after, wrong = replay(match.copy(), [row], match.number + 1)
        if wrong:
            faults += wrong
            break
        if legal > 1:
            marks[row.seat] = (match.number, match.state)
        match, position = after, Position(after, legal == 1)
    if not faults and match.number != number:
        faults.append(f"there should be {number} moves, not {match.number}")
    return Position(match, position.forced), marks


def forget_taken_back(table: Table, after: Match) -> None:
    """Moves were taken back at another server: those who watch need the log from there on."""
    before = table.match.played
    pairs = zip(before, after.played, strict=False)
    same = next((n for n, (old, new) in enumerate(pairs) if old != new), min(len(before), after.number))
    table.known_choices, table.learned_since = {}, {}
    for watcher in table.watchers:
        if watcher.since is not None:
            watcher.since = min(watcher.since, same)


async def refresh(table: Table, anew: bool = False) -> None:
    """Bring a table in memory up to date. `anew`: a change that was not stored has to be forgotten. The caller holds the lock."""
    try:
        rows = await table.services.storage.read(lambda connection: select_rows(connection, table.id, table))
        if rows is None:
            raise refused(404, "no_table")
        await fill(table, rows, anew)
    except BaseException:
        table.drop()  # or half of it would be old
        raise
    table.changed()


def nothing_to_show(id: str, what: str) -> Refused:
    """The refusal of a table whose stored rows describe no match at all."""
    logger.error("table %s is damaged and cannot be shown: %s", id, what)
    return refused(409, "damaged")
