"""The clock of a table: a total for each seat and an increment a move.

Time is measured on the monotonic clock of the server process. Stored are the seconds left at a checkpoint, and when that was on
the clock of which run of the server. A later run counts the time from the checkpoint until the earlier one was last known to be
alive, and nothing of the time in which no server ran.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from typing import Any

TIME_BACK = 60.0  # seconds for a seat that is given time after a time-out
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

    @classmethod
    def fresh(cls, minutes: int, increment: int, players: int) -> Clock:
        """A clock before the match."""
        return cls(minutes, increment, [60.0 * minutes] * players, [0.0] * players)

    @classmethod
    def restored(cls, stored: dict[str, Any], runs: dict[str, float], now: float) -> Clock:
        """A stored clock; `runs`: when each run of the server was last known to be alive, on its own clock."""
        clock = cls(**stored)
        if clock.run != this_run():
            if clock.since is not None:
                clock.since = now - max(0.0, runs.get(clock.run, 0.0) - clock.since)
            clock.run = this_run()
        return clock

    def advance(self, acting: list[int], now: float) -> None:
        """Count the time up to now against those who had to act."""
        if self.since is None:
            return
        spent = max(0.0, now - self.since)
        for p in acting:
            if p not in self.out:
                self.left[p] -= spent
                self.used[p] += spent
        self.since = now

    def moved(self, p: int, acting: list[int], now: float) -> float:
        """A person or a bot moved: count the time, give a person the increment; returns the seconds of this decision."""
        self.advance(acting, now)
        if p in acting and p not in self.out:
            self.left[p] += self.increment
        spent, self.used[p] = self.used[p], 0.0
        return round(spent, 3)

    def shown(self, p: int, acting: list[int], now: float) -> float:
        """The seconds a seat has left now."""
        runs = self.since is not None and p in acting and p not in self.out
        spent = now - self.since if runs and self.since is not None else 0.0
        return round(max(0.0, self.left[p] - max(0.0, spent)), 1)

    def fallen(self, acting: list[int], now: float) -> list[int]:
        """The acting seats whose time has run out just now."""
        if self.since is None:
            return []
        return [p for p in acting if p not in self.out and self.left[p] <= now - self.since]

    def fall(self, p: int) -> None:
        """The time of a seat has run out."""
        self.left[p] = 0.0
        self.out.append(p)

    def give_time(self, p: int) -> None:
        """A seat whose time had run out gets some back."""
        self.out.remove(p)
        self.left[p] = TIME_BACK

    def json(self) -> dict[str, Any]:
        """The clock as it is stored."""
        return dict(vars(self))
