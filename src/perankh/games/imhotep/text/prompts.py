"""What is to be decided, in words for everybody."""

from __future__ import annotations

from ..rules import actions
from ..rules.components import SITES
from ..rules.state import State, Step
from .names import SHIP_LETTERS, WORDS

CHAPTERS = {Step.MAIN: "turn", Step.OFFER: "market"} | dict.fromkeys(
    (Step.PAIR, Step.PYRAMID, Step.BONUS_STONES, Step.BONUS_LOAD, Step.TEMPLE), "sides-b"
)


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    ship = SHIP_LETTERS[s.ship - 1] if s.ship else ""
    return WORDS.say(f"prompt.{Step(s.step).name.lower()}", lang, ship=ship, cell=s.cell)


def chapter(s: State, _p: int) -> str:
    """The chapter of the guides that concerns a decision."""
    return CHAPTERS.get(Step(s.step), "cards")


def next_prompt(_s: State, _p: int, left: list[int], lang: str) -> str:
    """What p is asked when clicks have left these actions."""
    if all(actions.SAIL <= a < actions.PLAY for a in left):
        ships = {(a - actions.SAIL) // SITES for a in left}
        return WORDS.say("prompt.where" if len(ships) == 1 else "prompt.which_ship", lang, ship=SHIP_LETTERS[min(ships)])
    if all(actions.LOAD <= a < actions.SAIL for a in left):
        return WORDS.say("prompt.which_space", lang)
    return WORDS.say("prompt.how_many", lang) if all(actions.FETCH <= a < actions.POINT for a in left) else ""
