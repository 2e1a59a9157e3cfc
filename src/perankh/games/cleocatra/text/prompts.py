"""What is to be decided."""

from __future__ import annotations

from ..rules.state import State, Step
from .names import colour_name, say, seat_name, tile_name


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    own_rescue = s.step == Step.EXTRA and p == s.turn
    return say(
        "prompt.extra_self" if own_rescue else f"prompt.{Step(s.step).name.lower()}",
        lang,
        colour=colour_name(s.revealed - 1, lang) if s.revealed else "",
        chosen=tile_name(s, s.chosen, lang),
        scorer=seat_name(s.turn, lang),
    )
