"""Seats that come last whatever their points are: they have resigned, or lost on time. The rules of a game know nothing of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Forfeits:
    """Who has forfeited a match."""

    resigned: tuple[int, ...] = ()  # the first to resign first
    late: tuple[int, ...] = ()  # have run out of time, where that loses the match
    ended: bool = False  # has the last one to resign ended the match?

    @property
    def seats(self) -> list[int]:
        """All who come after the others."""
        return sorted({*self.resigned, *self.late})


def places(ranks: Sequence[int], forfeited: Collection[int]) -> list[int]:
    """Places in which those who have forfeited are behind all others, and among themselves as the game ranks them."""
    order = [(p in forfeited, rank) for p, rank in enumerate(ranks)]
    return [1 + sum(other < own for other in order) for own in order]
