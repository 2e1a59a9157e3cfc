"""Live hands: answers against the clock (MAQ-P5)."""

from __future__ import annotations

from ..rules.actions import RAISE, SINGLE, STAY
from ..rules.components import STAMPS
from ..rules.state import Hands, State, Step
from .names import TICK


def time_to_answer(s: State) -> int:
    """The milliseconds for which a pass waits for hands; 0 at any other decision."""
    return s.hand_window * TICK if s.step == Step.HANDS and s.hands == Hands.LIVE else 0


def answer_at(s: State, a: int, milliseconds: int | None) -> int:
    """What an answer counts for that reached the host so long after the question; None: a computer's."""
    if not RAISE <= a < SINGLE:
        return a
    if milliseconds is None:
        return RAISE + min(s.bot_hand_tick, s.hand_window - 1)
    tick = milliseconds // TICK
    return RAISE + min(tick, STAMPS - 1) if tick < s.hand_window else STAY


def default_answer(s: State) -> int:
    """The answer of whoever gave none in time."""
    return STAY
