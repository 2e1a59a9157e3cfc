"""The clock of a table: a total for each seat and an increment a move, or so many days for each move.

Time is measured on the monotonic clock of the server process. Stored are the seconds left at a checkpoint, and when that was on
the clock of which run of the server. A later run counts the time from the checkpoint until the earlier one was last known to be
alive, and nothing of the time in which no server ran. Servers that share a database measure by its time, as if they were one run.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from typing import Any

TIME_BACK = 60.0  # seconds for a seat that is given time after a time-out
DAY = 86_400.0  # seconds; so many at a clock of days
DAYS = (1, 2, 3, 7, 14)  # that a clock may give for a move
LONGEST_VACATION = 30  # days
SHARED = "shared"  # the run of all servers that share a database
_runs: dict[int, str] = {}  # by process id: a forked process is another run


def this_run() -> str:
    """Names this process, whose monotonic clock no other shares."""
    return _runs.setdefault(os.getpid(), secrets.token_hex(8))


@dataclass
class Clock:
    """Seconds left for each seat at `since`; the time of the acting persons runs from there (None: it stands)."""

    minutes: int
    increment: int
    left: list[float]
    used: list[float]  # by seat: seconds of its present decision
    out: list[int] = field(default_factory=list)  # seats whose time has run out; it stands at 0
    since: float | None = None
    run: str = field(default_factory=this_run)  # on whose clock `since` was measured
    days: int = 0  # for each move, in place of a total
    vacation: list[float] = field(default_factory=list)  # by seat: seconds of its vacation that are left at `since`

    def __post_init__(self) -> None:
        """Clocks of earlier versions know no vacations."""
        self.vacation = self.vacation or [0.0] * len(self.left)

    @classmethod
    def fresh(cls, minutes: int, increment: int, players: int, days: int = 0) -> Clock:
        """A clock before the match: of days a move if there are any."""
        return cls(minutes, increment, [DAY * days or 60.0 * minutes] * players, [0.0] * players, days=days)

    def for_next_match(self) -> Clock:
        """The same clock at the table of a rematch."""
        return Clock.fresh(self.minutes, self.increment, len(self.left), self.days)

    @classmethod
    def restored(cls, stored: dict[str, Any], runs: dict[str, float], now: float, run: str) -> Clock:
        """A stored clock; `runs`: when each run of the server was last known to be alive, on its own clock.

        `run`: this one, and `now`: when it began, if another stored the clock.
        """
        clock = cls(**stored)
        if clock.run != run:
            if clock.since is not None:
                clock.since = now - max(0.0, runs.get(clock.run, 0.0) - clock.since)
            clock.run = run
        return clock

    def advance(self, acting: list[int], now: float) -> None:
        """Count the time up to now against those who had to act."""
        if self.since is None:
            return
        for p in acting:
            if p not in self.out:
                spent = self.counted(p, now)
                self.left[p] -= spent
                self.used[p] += spent
        passed = max(0.0, now - self.since)
        self.vacation = [max(0.0, rest - passed) for rest in self.vacation]
        self.since = now

    def counted(self, p: int, now: float) -> float:
        """The seconds since the checkpoint that count against a seat if it has to act: not those of its vacation."""
        return max(0.0, now - self.since - self.vacation[p]) if self.since is not None else 0.0

    def moved(self, p: int, acting: list[int], now: float) -> float:
        """A person or a bot moved: count the time, give a person the increment; returns the seconds of this decision."""
        self.advance(acting, now)
        if p in acting and p not in self.out:
            self.left[p] = DAY * self.days or self.left[p] + self.increment
        spent, self.used[p] = self.used[p], 0.0
        return round(spent, 3)

    def shown(self, p: int, acting: list[int], now: float) -> float:
        """The seconds a seat has left now."""
        spent = self.counted(p, now) if p in acting and p not in self.out else 0.0
        return round(max(0.0, self.left[p] - spent), 1)

    def fallen(self, acting: list[int], now: float) -> list[int]:
        """The acting seats whose time has run out just now."""
        if self.since is None:
            return []
        return [p for p in acting if p not in self.out and self.left[p] <= self.counted(p, now)]

    def vacation_left(self, p: int, now: float) -> float:
        """The seconds that the vacation of a seat still lasts."""
        passed = max(0.0, now - self.since) if self.since is not None else 0.0
        return round(max(0.0, self.vacation[p] - passed), 1)

    def choose_again(self, p: int, spent: float | None) -> None:
        """Seat p takes back a choice that nobody knows: choosing again and again must not make time."""
        if self.days:
            self.used[p] = spent or 0.0
            self.left[p] = DAY * self.days - self.used[p]
        else:
            self.left[p] -= self.increment

    def fall(self, p: int) -> None:
        """The time of a seat has run out."""
        self.left[p] = 0.0
        self.out.append(p)

    def give_time(self, p: int) -> None:
        """A seat whose time had run out gets some back."""
        self.out.remove(p)
        self.left[p] = DAY if self.days else TIME_BACK

    def json(self) -> dict[str, Any]:
        """The clock as it is stored."""
        return dict(vars(self))
