"""The clock of a table: a total for each seat and an increment a move, counted from stored stamps alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Clock:
    """Seconds left for each seat at `since`; the time of the acting persons runs from there (None: it stands)."""

    minutes: int
    increment: int
    left: list[float]
    since: float | None = None
    base: int = 0  # number of the move from which on stamps are still to be counted

    @classmethod
    def fresh(cls, minutes: int, increment: int, players: int) -> Clock:
        """A clock before the match."""
        return cls(minutes, increment, [60.0 * minutes] * players)

    def run(self, acting: list[int], now: float) -> None:
        """Count the time up to now against those who had to act."""
        if self.since is not None:
            for p in acting:
                self.left[p] -= max(0.0, now - self.since)
            self.since = now

    def moved(self, p: int, acting: list[int], now: float) -> None:
        """A person or a bot moved: count the time, give a person the increment."""
        self.run(acting, now)
        if p in acting:
            self.left[p] += self.increment

    def shown(self, p: int, acting: list[int], now: float) -> float:
        """The seconds a seat has left now."""
        spent = now - self.since if self.since is not None and p in acting else 0.0
        return round(max(0.0, self.left[p] - max(0.0, spent)), 1)

    def fallen(self, acting: list[int], now: float) -> list[int]:
        """The acting seats whose time has run out."""
        return [] if self.since is None else [p for p in acting if self.left[p] <= now - self.since]

    def json(self) -> dict[str, Any]:
        """The clock as it is stored."""
        return dict(vars(self))
