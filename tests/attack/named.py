"""Attacks on single weaknesses, each in a function with a plain name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from .house import House

ATTACKS: dict[str, Attack] = {}


@dataclass(frozen=True)
class Attack:
    """An attack: a function that returns figures, or raises Broken with the promise that was broken."""

    make: Callable[[House, int], Awaitable[str]]
    about: str
    long: bool  # too long for everyday tests


def attack(*, long: bool = False) -> Callable[[Callable[[House, int], Awaitable[str]]], Callable[[House, int], Awaitable[str]]]:
    """List a function among the attacks, under its name."""

    def listed(make: Callable[[House, int], Awaitable[str]]) -> Callable[[House, int], Awaitable[str]]:
        ATTACKS[make.__name__] = Attack(make, (make.__doc__ or "").splitlines()[0], long)
        return make

    return listed
