"""What a table keeps of its company: how far each has seen the match, what was said, and the series that is played."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

LENGTHS = (3, 5)  # matches of a series, at most


@dataclass
class Visit:
    """What is kept of a person at a table."""

    seen: int | None = None  # moves that a player has seen
    admitted: bool = False  # has given the password
    muted: list[str] = field(default_factory=list)  # whom he does not want to hear in the chat, by their marks
    listens: bool = False  # does a player read the spectators' channel?
    stored: bool = True  # is it in the database what he has seen?

    def row(self) -> dict[str, Any]:
        """The visit as it is stored."""
        facts = {"seen": self.seen, "admitted": int(self.admitted), "listens": int(self.listens)}
        return facts | {"muted": json.dumps(self.muted)}


@dataclass(frozen=True)
class Message:
    """Something that was said."""

    id: int
    owner: str  # digest of the token
    channel: str
    seat: int | None  # None: a spectator
    name: str
    number: int  # moves made then
    stamp: float
    phrase: str | None  # one of PHRASES, in place of a text
    text: str


class Chat:
    """What was said at a table, the oldest first."""

    def __init__(self, messages: list[Message]) -> None:
        self.messages = messages
        self.last = max((message.id for message in messages), default=0)

    def add(self, messages: Sequence[Message]) -> None:
        """More was said."""
        self.messages = [*self.messages, *messages]
        self.last = max((self.last, *(message.id for message in messages)))


@dataclass(frozen=True)
class Series:
    """A match of a series: its number, and by seat what was won before it."""

    best_of: int
    number: int
    wins: tuple[float, ...]

    @classmethod
    def first(cls, best_of: int, players: int) -> Series:
        """The first match of a series."""
        return cls(best_of, 1, (0.0,) * players)

    @classmethod
    def from_json(cls, text: str, players: int) -> Series:
        """A stored series."""
        stored = json.loads(text)
        found = cls(stored["best_of"], stored["number"], tuple(map(float, stored["wins"])))
        if found.best_of not in LENGTHS or not 1 <= found.number <= found.best_of or len(found.wins) != players:
            raise ValueError("it is no match of a series")
        return found

    def json(self) -> str:
        """The series as it is stored."""
        return json.dumps(asdict(self))

    def after(self, ranks: Sequence[int]) -> tuple[float, ...]:
        """What is won after this match: one for the winner; those who share the first place share it."""
        share = 1 / list(ranks).count(1)
        return tuple(round(won + share * (rank == 1), 2) for won, rank in zip(self.wins, ranks, strict=True))

    def is_over(self, wins: Sequence[float]) -> bool:
        """Can nobody catch up with the leader in the matches that are left?"""
        leader, second = sorted(wins, reverse=True)[:2]
        return self.number == self.best_of or leader > second + self.best_of - self.number

    def following(self, ranks: Sequence[int]) -> Series:
        """The next match, at whose table everybody sits one seat further; the first of a new series if this one is over."""
        wins = self.after(ranks)
        if self.is_over(wins):
            return Series.first(self.best_of, len(wins))
        return Series(self.best_of, self.number + 1, (*wins[1:], wins[0]))
