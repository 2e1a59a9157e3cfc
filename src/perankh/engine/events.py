"""Events: what happens during a move, said by the rules while it happens.

A game lists its kinds of events, with the names of the values each carries. A value marked `secret` is known to the seat that
the event concerns and to nobody else::

    class Event(EventKind):
        PLACED = "card", "source"
        DREW = secret("card")

    tell(s, Event.DREW, p, card)

`tell` records only while a person's match is played interpreted; compiled it is nothing at all. A value named `points` is what
the event's seat gains (or loses, if negative) in the final score: the points told over a match add up to its scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Self

from perankh.engine.rule import rule


class secret(str):
    """The name of a value that only the event's own seat may know."""

    __slots__ = ()


class EventKind(IntEnum):
    """Base of a game's kinds of events; each member's definition lists the names of its values."""

    names: tuple[str, ...]

    def __new__(cls, *names: str) -> Self:
        """Number the members from 0 on, and keep the names of the values."""
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.names = tuple(name for name in names if name)
        return member


@dataclass(frozen=True)
class GameEvent:
    """One thing that happened: its kind, the seat it concerns (-1: nobody), and its values, None where they may not be known."""

    kind: EventKind
    seat: int
    values: tuple[int | None, ...]

    def __getattr__(self, name: str) -> Any:
        """A value by its name."""
        if name.startswith("_") or name in ("kind", "seat", "values") or name not in self.kind.names:
            raise AttributeError(f"the event has no value {name!r}")
        return self.values[self.kind.names.index(name)]

    def by_name(self) -> dict[str, int | None]:
        """The values by their names."""
        return {str(name): value for name, value in zip(self.kind.names, self.values, strict=True)}

    def as_numbers(self) -> tuple[int, int, tuple[int | None, ...]]:
        """The event as plain numbers, for other processes."""
        return int(self.kind), self.seat, self.values

    def seen_by(self, viewer: int) -> GameEvent:
        """The event as a viewer may know it (-1: a spectator)."""
        if viewer == self.seat or not any(isinstance(name, secret) for name in self.kind.names):
            return self
        pairs = zip(self.kind.names, self.values, strict=True)
        return GameEvent(self.kind, self.seat, tuple(None if isinstance(name, secret) else value for name, value in pairs))


def redacted(events: Iterable[GameEvent], viewer: int) -> list[GameEvent]:
    """Events as a viewer may know them."""
    return [event.seen_by(viewer) for event in events]


def _tell_nothing(s: Any, kind: int, seat: int, *values: int) -> None:
    pass


@rule(native=_tell_nothing)
def tell(s: Any, kind: Any, seat: int, *values: int) -> None:
    """Say that something happened: its kind, the seat it concerns (-1: nobody) and the values that the kind names."""
    if s.events is not None:
        if len(values) != len(kind.names):
            raise TypeError(f"{kind!r} takes the values {', '.join(kind.names) or 'none'}, not {values}")
        s.events.append(GameEvent(kind, int(seat), tuple(map(int, values))))
