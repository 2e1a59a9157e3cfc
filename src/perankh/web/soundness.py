"""Whether stored rows are what a table wrote: moves numbered, known and legal, seats complete, JSON well-formed.

Everything that is wrong is noted. What is sound up to there is shown, read-only; nothing is guessed.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from perankh.bots import BOTS
from perankh.engine.game import Game
from perankh.errors import BadOption, MoveError, PerankhError
from perankh.match.match import Match, checked_names
from perankh.web import catalog
from perankh.web.agreements import REQUESTS, Request
from perankh.web.clock import Clock
from perankh.web.deal import TableDeal
from perankh.web.seats import KINDS, Seat

T = TypeVar("T")
SEED = re.compile("[0-9a-f]{32}")


class Faults(list[str]):
    """What is wrong with the stored rows of a table, one sentence each."""

    def stored(self, what: str, make: Callable[[], T]) -> T | None:
        """What a function makes of a stored value; None, and a fault, if it makes nothing of it."""
        try:
            return make()
        except (PerankhError, ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            self.append(f"{what}: {type(error).__name__}: {error}")
            return None


def stored_seats(rows: Sequence[Any], players: int, faults: Faults) -> list[Seat]:
    """The seats of a table; one that is missing or makes no sense is open."""
    if [row.seat for row in rows] != list(range(players)):
        faults.append(f"there are rows of the seats {[row.seat for row in rows]} for {players} players")
    seats = [Seat("open") for _ in range(players)]
    for row in rows:
        named = faults.stored(f"name of seat {row.seat}", partial(checked_names, [row.name], 1)) is not None
        known = row.kind in KINDS and (row.kind != "bot" or row.bot in BOTS)
        if named and known and row.seat in range(players):
            seats[row.seat] = Seat(row.kind, row.owner, row.bot, row.name)
        else:
            faults.append(f"seat {row.seat} is not one")
    return seats


def stored_match(game: Game, row: Any, options: Any, names: Sequence[str], deal: TableDeal | None, faults: Faults) -> Match:
    """The match of a table before its first move; PerankhError if the row does not describe one."""
    if not isinstance(row.seed, str) or not SEED.fullmatch(row.seed) or not isinstance(options, dict):
        raise BadOption("the seed or the options are not readable")
    match = Match(game, row.players, int(row.seed, 16), options, names)
    match.deal = deal.made() if deal else None
    if match.deal and match.deal.seed != match.seed:
        faults.append("the seed does not follow from the deal")
    return match


def stored_clock(text: str, runs: dict[str, float], players: int) -> Clock:
    """A clock as a run of the server stored it, if it makes sense; `runs`: when each was last alive."""
    clock = Clock.restored(json.loads(text), runs, time.monotonic())
    numbers = [*clock.left, *clock.used, clock.minutes, clock.increment, clock.since or 0]
    if len(clock.left) != players or len(clock.used) != players or not set(clock.out) <= set(range(players)):
        raise ValueError("it does not fit the players")
    if any(isinstance(number, bool) or not math.isfinite(number) for number in numbers):
        raise ValueError("it holds something else than numbers")
    return clock


def stored_request(text: str, players: int) -> Request:
    """A request that waits for consent."""
    request = Request(**json.loads(text))
    if request.what not in REQUESTS or not {request.seat, request.asked_by or 0, *request.agreed} <= set(range(players)):
        raise ValueError("it is no request of a player's")
    return request


def replay(match: Match, rows: Sequence[Any], number: int) -> tuple[Match, list[str]]:
    """Make the stored moves up to the first that is missing, unknown or not legal: runs in a worker process.

    The match, and what is wrong.
    """
    actions = catalog.action_of(match.game)
    for place, row in enumerate(rows):
        if row.number != place:
            return match, [f"move {place} is missing"]
        if row.code not in actions or type(row.stamp) not in (int, float) or not math.isfinite(row.stamp):
            return match, [f"move {place} ({row.code!r}) is not one of {match.game.name}"]
        try:
            match.play(actions[row.code], row.seat)
        except MoveError as error:
            return match, [f"move {place} ({row.code}) by seat {row.seat}: {error}"]
    return match, [] if number == len(rows) else [f"there should be {number} moves, not {len(rows)}"]
