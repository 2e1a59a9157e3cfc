"""Choices before they are made."""

from __future__ import annotations

from ..rules import tiles
from ..rules.state import CELLS, Action, State, Step
from .names import CODES, colour_name, say, seat_name, tile_name


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    return say(
        f"do.{choice_key(s, a)}",
        lang,
        cell=CODES[a],
        tile=tile_name(s, tiles.tile_on(s, a), lang),
        colour=colour_name(s.revealed - 1, lang) if s.revealed else "",
        fresh=tile_name(s, s.fresh, lang),
        scoring=tile_name(s, s.scoring, lang),
        owner=seat_name(a - Action.OWNER, lang) if a >= Action.OWNER else "",
    )


def choice_key(s: State, a: int) -> str:
    """The last part of the word key of a choice: the step for a cell, the action for anything else."""
    if a < CELLS:
        return Step(s.step).name.lower()
    if a >= Action.OWNER:
        return "owner"
    if a == Action.DECLINE:
        return "decline_extra" if s.step == Step.EXTRA else "decline_inspector"
    if a == Action.RESCUE and s.step == Step.EXTRA:
        return "rescue_extra"
    return Action(a).name.lower()
