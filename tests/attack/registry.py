"""The attacks by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from .house import House

Make = Callable[[House, int], Awaitable[str]]


@dataclass(frozen=True)
class Attack:
    """An attack: a function that returns figures, or raises Broken with the promise that was broken."""

    make: Make
    about: str
    long: bool  # too long for everyday tests


ATTACKS: dict[str, Attack] = {}


def attack(*, long: bool = False) -> Callable[[Make], Make]:
    """List a function among the attacks, under its name."""

    def listed(make: Make) -> Make:
        ATTACKS[make.__name__] = Attack(make, (make.__doc__ or "").splitlines()[0], long)
        return make

    return listed
