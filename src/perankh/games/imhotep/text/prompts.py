"""What is to be decided, in words for everybody."""

from __future__ import annotations

from ..rules.state import State, Step
from .names import SHIP_LETTERS, WORDS


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    ship = SHIP_LETTERS[s.ship - 1] if s.ship else ""
    return WORDS.say(f"prompt.{Step(s.step).name.lower()}", lang, ship=ship, cell=s.cell)
