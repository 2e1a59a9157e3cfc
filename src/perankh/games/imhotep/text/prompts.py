"""What is to be decided, in words for everybody."""

from __future__ import annotations

from bisect import bisect

from perankh.engine.text import listed

from ..rules import actions
from ..rules.components import SITES
from ..rules.state import State, Step
from .names import SHIP_LETTERS, WORDS

CHAPTERS = {Step.MAIN: "turn", Step.OFFER: "market"} | dict.fromkeys(
    (Step.PAIR, Step.PYRAMID, Step.BONUS_STONES, Step.BONUS_LOAD, Step.TEMPLE), "sides-b"
)

TURN = ("pass_turn", "fetch_stones", "load_stone", "sail_ship", "play_card")  # the actions of a turn
STARTS = (actions.FETCH, actions.LOAD, actions.SAIL, actions.PLAY)  # where each but the first begins


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    if s.step == Step.MAIN:
        return turn_prompt(s, p, lang)
    ship = SHIP_LETTERS[s.ship - 1] if s.ship else ""
    return WORDS.say(f"prompt.{Step(s.step).name.lower()}", lang, ship=ship, cell=s.cell)


def turn_prompt(s: State, p: int, lang: str) -> str:
    """The actions of a turn that are possible now."""
    out = [0] * actions.ACTIONS
    possible = {bisect(STARTS, a) for a in out[: actions.legal(s, p, out)]}
    words = [WORDS.say(f"turn.{TURN[k]}", lang) for k in sorted(possible)]
    key = {1: "prompt.turn.only", 2: "prompt.turn.either"}.get(len(words), "prompt.turn.any")
    said = WORDS.say(key, lang, what=listed(words[:-1], lang), last=words[-1])
    return said[0].upper() + said[1:]


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
