"""What a viewer may choose, and the pieces: stones, alike for each player, and the marks of seats."""

from __future__ import annotations

from perankh.scene import Sprite

from ..rules import actions
from ..rules.state import State, Step
from ..text.names import WORDS, seat_name
from .layout import SEAT_COLOURS, STONE


def open_actions(s: State, p: int) -> list[int]:
    """What p may choose now."""
    if s.step == Step.OVER or p != s.chooser:
        return []
    out = [0] * actions.ACTIONS
    return out[: actions.legal(s, p, out)]


def shown_actions(s: State, viewer: int) -> list[int]:
    """The choices that are marked for a viewer: the own ones; a spectator sees those of whoever decides."""
    return open_actions(s, s.chooser if viewer < 0 else viewer)


def block(name: str, p: int, x: float, y: float, wide: float, order: int = 0, alt: str = "") -> Sprite:
    """A stone around its middle. Stones of a player are alike: they come from the quarry and take over from each other."""
    return Sprite(name, f"stone-{p}", x, y, wide, wide * STONE, colour=SEAT_COLOURS[p], alt=alt, pool=f"quarry-{p}", order=order)


def stone(name: str, p: int, x: float, y: float, wide: float, lang: str, order: int = 0) -> Sprite:
    """A stone whose upper face is around a place."""
    return block(name, p, x, y + wide * (STONE - 1) / 2 - 1, wide, order, WORDS.say("scene.stone", lang, who=seat_name(p, lang)))


def stacked(wide: float, room: float, n: int) -> float:
    """How far the stones of a pile rise above each other, so that n of them fit."""
    most = wide * 0.26
    return most if n < 2 else min(most, (room - wide * STONE) / (n - 1))


def emblem(name: str, p: int, x: float, y: float, size: float, alt: str = "") -> Sprite:
    """The mark of a seat."""
    return Sprite(name, f"emblem-{p}", x, y, size, size, colour=SEAT_COLOURS[p], alt=alt)
