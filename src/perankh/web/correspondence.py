"""Play over days: whose turn has waited how long, and clocks that run out while nobody looks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.web import storage
from perankh.web.clock import Clock

if TYPE_CHECKING:
    from perankh.web.services import Services

SWEEP_EVERY = 30.0  # seconds between two looks at the clocks of all tables
AT_ONCE = 20  # tables that are loaded by one look
Bad = (ValueError, TypeError, KeyError, AttributeError, IndexError)  # what a damaged row leads to


# --- Clocks of tables that are not in memory --------------------------------------------------------------------------------


def due_tables(connection: Connection, now: float, opened: float, run: str) -> tuple[bool, list[str]]:
    """Whether any clock runs, and the tables where the time of a person has run out or, at a clock of days, a bot has to play."""
    kept, seats, runs = storage.tables.c, storage.seats.c, storage.select_runs(connection)
    wanted = sa.select(kept.id, kept.acting, kept.clock).where(storage.has_clock, kept.readonly == 0)
    rows = connection.execute(wanted).all()
    bots = set()
    if rows:
        playing = sa.select(kept.id).where(storage.has_clock)
        chosen = sa.select(seats.table_id, seats.seat).where(seats.kind == "bot", seats.table_id.in_(playing))
        bots = {(row.table_id, row.seat) for row in connection.execute(chosen)}
    due = []
    for row in rows:
        with suppress(*Bad):
            clock = Clock.restored(json.loads(row.clock), runs, opened, run)
            acting = [p for p in range(len(clock.left)) if row.acting >> p & 1]
            persons = [p for p in acting if (row.id, p) not in bots]
            if clock.fallen(persons, now) or (clock.days and persons != acting):
                due.append(row.id)
    return bool(rows), due


# --- What lists of tables tell ------------------------------------------------------------------------------------------------


def turn_since(row: Any, mine: list[int]) -> float:
    """Since when the first of some seats has to decide; tables of earlier versions know their last change."""
    with suppress(*Bad):
        found = [stamp for p, stamp in enumerate(json.loads(row.turn_since)) if p in mine and stamp is not None]
        if found:
            return float(min(found))
    return float(row.updated)


def time_left(row: Any, mine: list[int], runs: dict[str, float], services: Services) -> float | None:
    """The seconds that those of some seats have left who are to decide; None without a clock."""
    with suppress(*Bad):
        clock = Clock.restored(json.loads(row.clock or ""), runs, services.opened, services.clock_run)
        acting = [p for p in mine if row.acting >> p & 1]
        return min((clock.shown(p, acting, services.now()) for p in acting), default=None)
    return None


def days_left(row: Any, mine: list[int], runs: dict[str, float], services: Services) -> tuple[float, float] | None:
    """At a clock of days: the seconds left for the first of some seats that are to decide, and of its vacation before that."""
    with suppress(*Bad):
        clock, now = Clock.restored(json.loads(row.clock or ""), runs, services.opened, services.clock_run), services.now()
        acting = [p for p in mine if row.acting >> p & 1 and p not in clock.out]
        left = [(clock.shown(p, acting, now), clock.vacation_left(p, now)) for p in acting if clock.days]
        return min(left, key=sum, default=None)
    return None


def asked_of(row: Any, seated: Sequence[Any], owner: str) -> str | None:
    """What a table waits for from somebody besides a turn: `start`, `answer` (to a request), or nothing. `seated`: its seats."""
    own = [seat.seat for seat in seated if seat.owner == owner]
    with suppress(*Bad):
        if row.readonly or not own:
            return None
        if not row.seed:
            given = json.loads(row.deal)["contributions"]
            full = all(seat.kind != "open" for seat in seated)
            return "start" if full and any(given[p] is None for p in own) else None
        asked = json.loads(row.request or "null")
        if (
            not asked
            or owner in (asked["by"], seated[asked["seat"]].owner)
            or (asked["what"] == "undo" and asked["number"] != row.number)
        ):
            return None
        gone = [] if asked["what"] == "delete" else json.loads(row.resigned or "[]")
        return "answer" if any(p not in (*asked["agreed"], *gone) for p in own) else None
    return None


def due(own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of somebody's tables those that wait for a turn, a start or an answer; the one that has waited longest comes first."""
    return sorted((table for table in own if table["your_turn"] or table["asked"]), key=lambda table: float(table["since"]))


def clock_facts(text: str | None) -> dict[str, int] | None:
    """The rules of a stored clock."""
    with suppress(*Bad):
        stored = json.loads(text or "")
        if stored.get("days"):
            return {"days": stored["days"]}
        return {"minutes": stored["minutes"], "increment": stored["increment"]}
    return None


def is_lesson(text: str | None) -> bool:
    """Does a table with these stored settings teach?"""
    with suppress(*Bad):
        return bool(json.loads(text or "{}").get("lesson") == "begun")
    return False


def is_practice(text: str | None) -> bool:
    """Was the match of a table with these stored settings begun in the middle of another?"""
    with suppress(*Bad):
        return bool(json.loads(text or "{}").get("practice"))
    return False


def best_of(text: str | None) -> int | None:
    """How many matches a stored series has at most."""
    with suppress(*Bad):
        return int(json.loads(text or "")["best_of"])
    return None
