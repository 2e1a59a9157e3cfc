"""Whether stored rows are what a table wrote: moves numbered, known and legal, seats complete, JSON well-formed.

Everything that is wrong is noted. What is sound up to there is shown, read-only; nothing is guessed.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from perankh.bots import BOTS
from perankh.engine.game import Game
from perankh.errors import BadOption, MoveError, PerankhError
from perankh.match.forfeits import Forfeits
from perankh.match.match import Match, Origin, checked_names
from perankh.web import catalog
from perankh.web.agreements import REQUESTS, Request
from perankh.web.clock import Clock
from perankh.web.deal import TableDeal
from perankh.web.refusal import refused
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
    origin = faults.stored("practice", lambda: stored_origin(game, row.settings))
    return match.begun(origin) if origin else match


def stored_origin(game: Game, text: str | None) -> Origin | None:
    """Where a match of practice was begun, from the stored settings of its table; None if it is none."""
    practice = json.loads(text or "{}").get("practice")
    if practice is None:
        return None
    actions = catalog.action_of(game)
    moves = tuple((p, actions[code]) for p, code in practice["moves"])
    seeds = ((count, p, None if seed is None else int(seed, 16)) for count, p, seed in practice["redeals"])
    return Origin(moves, tuple(seeds))


async def match_before(row: Any, names: Sequence[str]) -> Match:
    """A stored match before its first move; PerankhError if it cannot be played under the present rules."""
    return dealt_match(await catalog.stored_game(row), row, names)


def dealt_match(game: Game, row: Any, names: Sequence[str]) -> Match:
    """The same of a game that is loaded."""
    faults = Faults()
    options = faults.stored("options", lambda: json.loads(row.options))
    deal = faults.stored("deal", lambda: TableDeal.from_json(row.deal, row.players)) if row.deal else None
    match = stored_match(game, row, options, names, deal, faults)
    match.forfeits = faults.stored("forfeits", lambda: stored_forfeits(row)) or Forfeits()
    if faults:
        raise refused(409, "damaged")
    return match


def stored_clock(text: str, runs: dict[str, float], players: int, opened: float, run: str) -> Clock:
    """A clock as a run of the server stored it, if it makes sense. `runs`: when each was last alive.

    `run`: this one, and `opened`: when it began.
    """
    clock = Clock.restored(json.loads(text), runs, opened, run)
    numbers = [*clock.left, *clock.used, *clock.vacation, clock.minutes, clock.days, clock.increment, clock.since or 0]
    if (
        len(clock.left) != players
        or len(clock.used) != players
        or len(clock.vacation) != players
        or not set(clock.out) <= set(range(players))
    ):
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


def stored_forfeits(row: Any) -> Forfeits:
    """Who has resigned or lost on time at a stored table, as `Table.forfeits` says."""
    settings, clock = json.loads(row.settings or "{}"), json.loads(row.clock or "null")
    late = clock["out"] if clock and settings.get("on_timeout") == "forfeit" else settings.get("late", ())
    return Forfeits(tuple(stored_resigned(row.resigned or "[]", row.players)), tuple(late), bool(row.ended))


def stored_resigned(text: str, players: int) -> list[int]:
    """The seats that have resigned."""
    seats: list[int] = json.loads(text)
    if not set(seats) <= set(range(players)) or len(set(seats)) != len(seats):
        raise ValueError("not all of them are seats")
    return seats


def stored_turns(text: str, players: int) -> list[float | None]:
    """Since when each seat has to decide."""
    since: list[float | None] = json.loads(text)
    if len(since) != players or not all(stamp is None or math.isfinite(stamp) for stamp in since):
        raise ValueError("they do not fit the players")
    return since


def replay(match: Match, rows: Sequence[Any], number: int) -> tuple[Match, list[str]]:
    """Make the stored moves, which follow those of the match, up to the first that is missing, unknown or not legal.

    The match, and what is wrong. Runs in a worker process.
    """
    actions = catalog.action_of(match.game)
    for place, row in enumerate(rows, match.number):
        if row.number != place:
            return match, [f"move {place} is missing"]
        if row.code not in actions or type(row.stamp) not in (int, float) or not math.isfinite(row.stamp):
            return match, [f"move {place} ({row.code!r}) is not one of {match.game.name}"]
        try:
            match.play(actions[row.code], row.seat)
        except MoveError as error:
            return match, [f"move {place} ({row.code}) by seat {row.seat}: {error}"]
    return match, [] if number == match.number else [f"there should be {number} moves, not {match.number}"]
