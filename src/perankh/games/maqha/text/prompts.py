"""What is to be decided, by whom and by when, and how the game ended."""

from __future__ import annotations

from perankh.engine.text import listed

from ..rules import actions, scoring
from ..rules.components import KINDS, SLOTS, STAMPS
from ..rules.state import Ending, Hands, RuleSet, State, Step
from . import names
from .names import SLOT_LETTERS, WORDS, seat_name

CHAPTERS = {
    Step.TURN: "classic",
    Step.BID: "bidding",
    Step.DECIDE: "passing",
    Step.HANDS: "passing",
    Step.KIND: "tray",
    Step.CELL: "tray",
    Step.OUTCOME: "options",
}


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    slot = min(s.fixed[p], SLOTS - 1)
    return WORDS.say(
        f"prompt.{Step(s.step).name.lower()}",
        lang,
        slot=SLOT_LETTERS[slot],
        lot=names.lot_name(s.lot[slot if s.step == Step.BID else s.slot], lang),
        tokens=names.tokens_name(names.tokens_of_lot(s) if s.step in (Step.DECIDE, Step.HANDS) else s.to_go, lang),
        who=seat_name(s.thrower, lang) if s.step == Step.HANDS else "",
        kind=names.kind_name(s.kind, lang) if 0 <= s.kind < len(KINDS) else "",
    )


def chapter(s: State, _p: int) -> str:
    """The chapter of the guides that concerns a decision."""
    return CHAPTERS.get(Step(s.step), "throwing")


def next_prompt(_s: State, _p: int, left: list[int], lang: str) -> str:
    """What p is asked when clicks have left these actions."""
    if min(left) >= actions.ACCIDENT:
        return WORDS.say("prompt.culprit", lang)
    return WORDS.say("prompt.let_go", lang) if actions.SINGLE <= min(left) and max(left) < actions.CELL else ""


def waited_for(s: State) -> list[int]:
    """The seats that have to decide."""
    return [p for p in range(s.players) if actions.actors(s) >> p & 1]


def asked(s: State, viewer: int, lang: str) -> str:
    """What the viewer has to decide, or what another, or who is waited for."""
    waiting = waited_for(s)
    if viewer in waiting:
        return WORDS.say("board.asked", lang, who=seat_name(viewer, lang), prompt=prompt(s, viewer, lang))
    if len(waiting) == 1 and s.step != Step.HANDS:
        return WORDS.say("board.asked", lang, who=seat_name(waiting[0], lang), prompt=prompt(s, waiting[0], lang))
    return WORDS.say("board.waiting", lang, who=listed([seat_name(p, lang) for p in waiting], lang))


# --- Timed answers --------------------------------------------------------------------------------------------


def time_to_answer(s: State) -> int:
    """Live hands: the milliseconds for which a pass waits for them; 0 at any other decision (MAQ-P5)."""
    return s.hand_window * names.TICK if s.step == Step.HANDS and s.hands == Hands.LIVE else 0


def answer_at(s: State, a: int, milliseconds: int | None) -> int:
    """Live hands: what an answer counts for that reached the host so long after the question; None: a computer's (MAQ-P5)."""
    if not actions.RAISE <= a < actions.SINGLE:
        return a
    if milliseconds is None:
        return actions.RAISE + min(s.bot_hand_tick, s.hand_window - 1)
    tick = milliseconds // names.TICK
    return actions.RAISE + min(tick, STAMPS - 1) if tick < s.hand_window else actions.STAY


def default_answer(s: State) -> int:
    """Live hands: the answer of whoever gave none in time (MAQ-P5)."""
    return actions.STAY


# --- The end --------------------------------------------------------------------------------------------------


def why_over(s: State, lang: str) -> str:
    """Why the game is over, and who made the vessel spill."""
    if s.over == Ending.SPILL:
        return names.spilled_text(s, s.spiller, lang)
    return WORDS.say(f"ending.{scoring.ENDINGS[s.over - 1]}", lang)


def result_of(s: State, lang: str) -> str:
    """Who has won."""
    places = [scoring.place_of(s, p) for p in range(s.players)]
    return winners_text(s, places, [scoring.points(s, p) for p in range(s.players)], lang)


def winners_text(s: State, places: list[int], totals: list[int], lang: str) -> str:
    """Who has won (classic: lost), given places and points."""
    if s.rules == RuleSet.CLASSIC:
        return (
            WORDS.say("result.loser", lang, who=seat_name(s.spiller, lang)) if s.spiller >= 0 else WORDS.say("result.draw", lang)
        )
    points = names.points_name(totals[places.index(1)], lang)
    *others, last = [seat_name(p, lang) for p in range(s.players) if places[p] == 1]
    if not others:
        return WORDS.say("result.winner", lang, who=last, points=points)
    who = WORDS.say("thing.and", lang, one=listed(others, lang), two=last)
    return WORDS.say("result.winners", lang, who=who, points=points)
