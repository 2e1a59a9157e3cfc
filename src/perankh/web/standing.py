"""Private standing: a person's matches, with their results by game and by the level of the opponents, and streaks.

The places of a match are found by replaying it once, when its person first asks, and are stored. So matches of earlier versions
count too, and a match that goes on is never counted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.bots import BOTS, level_called
from perankh.errors import PerankhError
from perankh.match import forfeits
from perankh.match.match import Match
from perankh.web import earlier_rules, storage
from perankh.web.refusal import Refused
from perankh.web.row_validation import match_before, replay
from perankh.web.services import LOOK, Services
from perankh.web.storage import results, seats, tables

AT_ONCE = 1.0  # seconds for which one question counts matches; the next goes on
PEOPLE, NOBODY = "people", "nobody"  # levels besides those of bots: against other persons, and alone
LEVELS_SHOWN = (NOBODY, *BOTS, PEOPLE)  # the weakest first


@dataclass(frozen=True)
class Played:
    """A match that is over, as one of its persons sees it."""

    id: str
    game: str
    ended: float
    level: str  # of the strongest opponent: a bot's, or PEOPLE
    place: int | None  # None: it does not count, because a bot finished it for the person, or nobody knows the result
    of: int

    @property
    def won(self) -> bool:
        """Did the person win, alone or with others?"""
        return self.place == 1


# --- Results -----------------------------------------------------------------------------------------------------------------


def uncounted(connection: Connection, person: str) -> list[str]:
    """The finished matches of a person whose result is not stored; lessons and practice have none."""
    mine = sa.select(seats.c.table_id).where(seats.c.owner == person)
    known = sa.select(results.c.table_id).where(results.c.table_id == tables.c.id, results.c.number == tables.c.number)
    counted = sa.and_(~storage.was_lesson, ~storage.is_practice)
    over = sa.and_(tables.c.id.in_(mine), tables.c.acting == 0, tables.c.seed != "", ~known.exists(), counted)
    return list(connection.execute(sa.select(tables.c.id).where(over).order_by(tables.c.updated.desc())).scalars())


async def count(services: Services, person: str) -> int:
    """Find results that are not stored, for a while; how many are left."""
    until = time.monotonic() + AT_ONCE
    left = await services.storage.read(lambda connection: uncounted(connection, person))
    while left and time.monotonic() < until:
        await count_one(services, left.pop(0))
    return len(left)


async def count_one(services: Services, id: str) -> None:
    """Store the result of a match that is over; that there is none, if it cannot be replayed."""
    epoch = services.storage.epoch
    stored = await services.storage.read(lambda connection: storage.select_table(connection, id))
    if stored is None:
        return
    row, seated, made, _ = stored
    found = None
    try:
        if earlier_rules.is_current(row):
            dealt = await match_before(row, [seat.name for seat in seated])
            found = await services.replay(LOOK, id, places, dealt, made, row.number)
        else:
            archived = await services.storage.read(lambda connection: earlier_rules.stored_archive(connection, row))
            found = places_of(archived)
    except Refused as refusal:
        if refusal.status in (429, 503):
            raise
    except PerankhError:
        pass
    facts = {"table_id": id, "number": row.number, "places": json.dumps(found), "ended": made[-1].stamp if made else row.updated}

    await services.storage.write(lambda connection: insert_result(connection, facts), epoch)


def insert_result(connection: Connection, facts: dict[str, Any]) -> None:
    """Store the result of a match in place of an earlier one, unless its table is deleted meanwhile."""
    if storage.select_version(connection, facts["table_id"]) is not None:
        connection.execute(results.delete().where(results.c.table_id == facts["table_id"]))
        connection.execute(results.insert().values(**facts))


def places(dealt: Match, rows: Sequence[Any], number: int) -> list[int] | None:
    """The place of each seat after the stored moves: runs in a worker process."""
    match, wrong = replay(dealt, rows, number)
    return None if wrong else places_of(match)


def places_of(match: Match) -> list[int] | None:
    """The place of each seat, if the match is over."""
    return forfeits.places(match.ranks, match.forfeits.seats) if match.over or match.forfeits.ended else None


# --- Matches -----------------------------------------------------------------------------------------------------------------


def select_played(connection: Connection, person: str) -> list[Played]:
    """The finished matches of a person, the newest first. Those at which he had several seats are not counted."""
    mine = sa.select(seats.c.table_id).where(seats.c.owner == person)
    wanted = (
        sa.select(tables.c.id, tables.c.game, tables.c.players, results.c.places, results.c.ended)
        .join(results, sa.and_(results.c.table_id == tables.c.id, results.c.number == tables.c.number))
        .where(tables.c.id.in_(mine), tables.c.acting == 0, tables.c.seed != "")
        .order_by(results.c.ended.desc(), tables.c.id)
    )
    seated: dict[str, list[Any]] = {}
    for seat in connection.execute(sa.select(seats).where(seats.c.table_id.in_(mine)).order_by(seats.c.seat)):
        seated.setdefault(seat.table_id, []).append(seat)
    return [played(row.id, row.game, row.players, row, seated[row.id], person) for row in connection.execute(wanted)]


def played(id: str, game: str, players: int, result: Any, seated: Sequence[Any], person: str) -> Played:
    """A match as its person sees it, from the row of its result and those of its seats."""
    own = [seat for seat in seated if seat.owner == person]
    found = json.loads(result.places)
    counts = found is not None and len(own) == 1 and own[0].kind == "person"
    level = level_of([seat for seat in seated if seat.owner != person])
    return Played(id, game, result.ended, level, found[own[0].seat] if counts else None, players)


def level_of(others: Iterable[Any]) -> str:
    """How strong the opponents of a match were."""
    levels = [PEOPLE if seat.kind == "person" or seat.owner else known_bot(seat) or NOBODY for seat in others]
    return max(levels, key=LEVELS_SHOWN.index, default=NOBODY)


def known_bot(seat: Any) -> str | None:
    """The bot of a seat, of whatever personality, if there still is such a bot."""
    return level_called(seat.bot) if seat.bot in BOTS else None


def with_names(connection: Connection, matches: Sequence[Played], person: str) -> list[dict[str, Any]]:
    """Matches as plain values, with who played."""
    wanted = sa.select(seats).where(seats.c.table_id.in_([match.id for match in matches])).order_by(seats.c.seat)
    seated: dict[str, list[dict[str, Any]]] = {}
    for seat in connection.execute(wanted):
        shown = {"name": seat.name, "kind": seat.kind, "bot": known_bot(seat), "mine": seat.owner == person}
        seated.setdefault(seat.table_id, []).append(shown)
    return [asdict(match) | {"seats": seated.get(match.id, [])} for match in matches]


# --- Figures -----------------------------------------------------------------------------------------------------------------


def figures(matches: Iterable[Played]) -> dict[str, Any]:
    """Matches that count, how many were won, and streaks, of matches with the newest first."""
    counted = [match for match in matches if match.place is not None]
    longest = run = 0
    for match in reversed(counted):
        run = run + 1 if match.won else 0
        longest = max(longest, run)
    return {"played": len(counted), "won": sum(match.won for match in counted), "streak": run, "longest": longest}


def standing(matches: Sequence[Played]) -> dict[str, Any]:
    """The figures of all matches, of each game, and of each game by the level of the opponents."""
    games: list[dict[str, Any]] = []
    for game in sorted({match.game for match in matches if match.place is not None}):
        of_game = [match for match in matches if match.game == game]
        levels = [
            {"level": level} | figures([match for match in of_game if match.level == level])
            for level in LEVELS_SHOWN
            if any(match.level == level and match.place is not None for match in of_game)
        ]
        games.append({"game": game} | figures(of_game) | {"levels": levels})
    return figures(matches) | {"games": games}
