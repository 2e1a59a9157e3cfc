"""Timed answers: a question put to several people at once, where it counts how soon each of them answers.

A game with such questions has `time_to_answer`, `answer_at` and `default_answer` in its `text`. When an answer came is part of
the action that is stored, so a replay needs no clock.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from perankh.engine.game import Game
from perankh.engine.state import Record

UNSENT = 1.0  # seconds after which a question counts as sent, if it could be sent to nobody
GRACE = 0.2  # seconds from sending it to one of those asked until the time of all runs, also of those it could not be sent to


def has_timed_answers(game: Game) -> bool:
    """Has a game questions that have to be answered in time?"""
    return hasattr(game.text, "time_to_answer")


def time_to_answer(game: Game, seen: Record) -> float:
    """The seconds for which the question of a position is open; 0: there is no limit."""
    text: Any = game.text
    return text.time_to_answer(seen) / 1000 if has_timed_answers(game) else 0.0


def answer_at(game: Game, seen: Record, action: int, after: float | None) -> int:
    """The action that counts for an answer that came so many seconds after the question; None: a bot's answer."""
    if not time_to_answer(game, seen):
        return action
    text: Any = game.text
    counted: int = text.answer_at(seen, action, None if after is None else int(after * 1000))
    return counted


def default_answer(game: Game, seen: Record) -> int:
    """The action that counts for somebody who does not answer in time."""
    text: Any = game.text
    action: int = text.default_answer(seen)
    return action


@dataclass(eq=False)
class Question:
    """An open question: since when, for how long, for whom, and when it was sent to each of them.

    The time of a person begins when the question is first sent to any of his connections, and at the latest shortly after it
    was sent to another who is asked. Those who are not asked see it after that: no second connection shows it any earlier.
    """

    opened: float
    length: float
    waiting: set[int]  # seats that have not answered
    sent: dict[int, float] = field(default_factory=dict)
    first: float | None = None  # when it was first sent to one of them
    news: asyncio.Event = field(default_factory=asyncio.Event)
    tell: Callable[[int, float], None] | None = None  # lets other servers know when it was sent to a seat

    def send(self, seats: Iterable[int], now: float) -> None:
        """The question goes out to a person with these seats; the first time counts."""
        for p in self.waiting.intersection(seats):
            if p not in self.sent and self.tell:
                self.tell(p, now)
            self.learn(p, now)

    def learn(self, p: int, when: float) -> None:
        """It was sent to a seat, here or by another server."""
        self.sent[p] = min(when, self.sent.get(p, math.inf))
        self.first = min(when, self.opened + UNSENT, math.inf if self.first is None else self.first)
        self.news.set()

    def start(self) -> float:
        """When the question was first sent, or would have been."""
        return self.opened + UNSENT if self.first is None else self.first

    def begin(self, p: int) -> float:
        """When the time of a seat began, or will begin at the latest."""
        return min(self.sent.get(p, math.inf), self.start() + GRACE)

    async def wait_until_asked(self, seats: Iterable[int]) -> None:
        """Wait until the time of all these seats has begun."""
        asked = [p for p in seats if p in self.waiting]
        while asked and (wait := max(self.begin(p) for p in asked) - time.monotonic()) > 0:
            self.news.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.news.wait(), wait)

    def after(self, p: int, arrived: float) -> float:
        """How long after the question an answer of a seat arrived."""
        return max(0.0, arrived - self.begin(p))

    def late(self, seats: Iterable[int], now: float) -> list[int]:
        """The seats, of those given, whose time is over."""
        return [p for p in seats if now >= self.begin(p) + self.length]

    def left(self, p: int, now: float) -> float:
        """The seconds a seat has left; for those who only watch, as many as somebody has who was asked first."""
        begin = self.begin(p) if p in self.waiting else self.start()
        return max(0.0, min(self.length, begin + self.length - now))
