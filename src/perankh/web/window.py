"""Decisions against the clock: a question that is put to several people at once, where it counts how soon each answers.

A game that has such decisions says so in its face (`window`, `answer_in`, `no_answer`). When an answer came is part of the
action that is stored, so a replay needs no clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from perankh.engine.game import Game
from perankh.engine.state import Record

GRACE = 1.0  # seconds after which the time of somebody who could not be asked runs all the same


def has_windows(game: Game) -> bool:
    """Are there decisions against the clock in a game?"""
    return hasattr(game.face, "window")


def time_to_answer(game: Game, seen: Record) -> float:
    """The seconds for which the question of a position stands open; 0: there is no hurry."""
    return game.face.window(seen) / 1000 if has_windows(game) else 0.0


def answer_in(game: Game, seen: Record, action: int, after: float | None) -> int:
    """What an answer counts for that came so many seconds after the question; None: a computer's."""
    if not time_to_answer(game, seen):
        return action
    counted: int = game.face.answer_in(seen, action, None if after is None else int(after * 1000))
    return counted


@dataclass(eq=False)
class Window:
    """A question that stands open: since when, for how long, for whom, and when it was sent to each of them."""

    opened: float
    length: float
    waiting: set[int]  # seats that have not answered
    asked: dict[int, float] = field(default_factory=dict)

    def sent(self, p: int, now: float) -> None:
        """The question goes out to a seat; the first time counts."""
        self.asked.setdefault(p, min(now, self.opened + GRACE))

    def begin(self, p: int) -> float:
        """When the time of a seat began."""
        return self.asked.get(p, self.opened + GRACE)

    def after(self, p: int, arrived: float) -> float:
        """How long after the question an answer of a seat arrived."""
        return max(0.0, arrived - self.begin(p))

    def late(self, seats: Iterable[int], now: float) -> list[int]:
        """The seats, of those given, whose time is over."""
        return [p for p in seats if now >= self.begin(p) + self.length]

    def left(self, p: int, now: float) -> float:
        """The seconds a seat has left; for those who only watch, as many as anybody asked at once has."""
        begin = self.begin(p) if p in self.waiting else self.opened
        return max(0.0, min(self.length, begin + self.length - now))
