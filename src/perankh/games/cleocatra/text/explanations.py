"""What the pieces on the table are for."""

from __future__ import annotations

from perankh.engine.text import explained, kind_and_numbers, reconstruction_note

from ..rules import components
from ..rules.state import Mode, State
from .names import WORDS, colour_of, say

NUMBERS = {
    "rescuers": components.RESCUERS,
    "inspectors": components.INSPECTORS,
    "colour": components.COLOUR_POINTS,
    "assistant": components.ASSISTANT_POINTS,
    "bonus": components.CLEOCATRA_BONUS,
}


def explain(s: State, name: str, _viewer: int, lang: str) -> str:
    """What a sprite is for; "" if there is nothing to say about it."""
    kind, numbers = kind_and_numbers(name)
    if kind == "tile" and numbers[0] >= s.laid:
        kind = "revealed"
    said = explained(WORDS, kind, lang, **NUMBERS, end=s.end_score)
    if kind == "left":
        return said + reconstruction_note(WORDS, components.COMPONENTS, "tiles", lang)
    if kind == "tile":
        return said + power(s, colour_of(s, 1 << numbers[0]), lang)
    return said + power(s, numbers[0], lang) if kind in ("cat", "cat-name", "cat-power", "power") else said


def power(s: State, c: int, lang: str) -> str:
    """What the cat of a colour can do in hard mode."""
    if s.mode != Mode.HARD:
        return ""
    return "\n" + say(f"explain.ability.{components.CATS[c]}", lang, **NUMBERS)
