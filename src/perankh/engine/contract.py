"""The rule functions every game has. `loops.py` is written against these names; a game's own functions take their place.

`s` is the game's state record, `p` a seat, `a` an action. "Out" arguments are modified in place.
"""

from __future__ import annotations

from typing import Any

from perankh.engine.rule import rule

NAMES = ("setup", "actors", "legal", "apply", "ending", "scores", "ranks", "veil", "redeal", "observe", "violated")


@rule
def setup(s: Any) -> None:
    """Deal. Players, seed and options already stand in the record."""
    raise NotImplementedError


@rule
def actors(s: Any) -> int:
    """Bit mask of the seats that may act now; several bits: they decide at the same time, in any order. 0: the end."""
    raise NotImplementedError


@rule
def legal(s: Any, p: int, out: list[int]) -> int:
    """Write p's legal actions into `out`, ascending, and return how many there are."""
    raise NotImplementedError


@rule
def apply(s: Any, p: int, a: int) -> None:
    """Carry out one legal action, up to the next decision. An illegal action is the caller's bug."""
    raise NotImplementedError


@rule
def ending(s: Any) -> int:
    """0 while the game runs, else 1 + the index into the game's ENDINGS of the reason why it is over."""
    raise NotImplementedError


@rule
def scores(s: Any, out: list[int]) -> None:
    """Write each seat's points."""
    raise NotImplementedError


@rule
def ranks(s: Any, out: list[int]) -> None:
    """Write each seat's place, 1 for the best, with every tie-break; equal seats share a place and the next is skipped."""
    raise NotImplementedError


@rule
def veil(s: Any, p: int) -> None:
    """Erase, in place, everything p cannot know (p = -1: a spectator). The engine erases the generator itself."""
    raise NotImplementedError


@rule
def redeal(s: Any) -> None:
    """Fill what is erased with a random world consistent with what is left, drawing from the record's generator."""
    raise NotImplementedError


@rule
def observe(s: Any, p: int, out: list[int]) -> None:
    """Write the veiled state as OBSERVATION features, p's seat first."""
    raise NotImplementedError


@rule
def violated(s: Any, before: Any) -> int:
    """0 if every invariant holds after the step from `before` to `s`, else 1 + the index into the game's INVARIANTS."""
    raise NotImplementedError
