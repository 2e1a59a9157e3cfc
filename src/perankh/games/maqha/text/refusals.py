"""Why an action is not allowed."""

from __future__ import annotations

from ..rules import passing
from ..rules.actions import ACCIDENT, ALL, BID, CELL, DROP, HELD, PASS, RAISE, SINGLE, THROW
from ..rules.components import EYE
from ..rules.state import Hands, RuleSet, State, Step, Vessel
from .names import SLOT_LETTERS, WORDS, bid_name, kind_name, seconds, tokens_name
from .prompts import prompt


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not open to p now."""
    card = a - BID + 1
    used = [k for k in range(s.fixed[p]) if s.order[p][k] == card]
    return WORDS.say(
        f"no.{reason(s, p, a)}",
        lang,
        prompt=prompt(s, p, lang),
        n=s.players,
        coins=tokens_name([s.supply[0] if a - DROP + 1 > s.supply[0] else s.classic_limit], lang),
        card=bid_name(card, lang) if BID <= a < THROW else "",
        slot=SLOT_LETTERS[used[0]] if used else "",
        kind=kind_name(a - SINGLE, lang) if SINGLE <= a < ALL else "",
        seconds=seconds(s.hand_window),
    )


def reason(s: State, p: int, a: int) -> str:
    """The key of the reason."""
    if a >= HELD and not s.real_vessel:
        return "real"
    if a >= ACCIDENT:
        return "seat"
    if a < BID and s.rules == RuleSet.ADVANCED:
        return "advanced"
    if BID <= a < HELD and s.rules == RuleSet.CLASSIC:
        return "classic"
    if a < BID and s.step == Step.TURN:
        return why_not_so_many(s, a - DROP + 1)
    if s.step == Step.BID and a < THROW:
        return why_no_bid(s, p, a - BID + 1)
    if a == PASS and s.step not in (Step.BID, Step.HANDS):
        return why_no_pass(s)
    if s.step == Step.HANDS and RAISE <= a < SINGLE:
        return "window" if s.hands == Hands.LIVE else "stamp"
    if CELL <= a < HELD and s.vessel == Vessel.GLASS:
        return "tray"
    if a == ALL and s.vessel == Vessel.TRAY:
        return "together"
    if SINGLE <= a < ALL and s.step in (Step.RELEASE, Step.KIND):
        return "kind"
    return "one_by_one" if SINGLE <= a < ALL and s.step == Step.CELL else "step"


def why_not_so_many(s: State, n: int) -> str:
    """Why a turn cannot drop n coins."""
    if n <= s.supply[0]:
        return "limit"
    return "supply_one" if s.supply[0] == 1 else "supply"


def why_no_bid(s: State, p: int, card: int) -> str:
    """Why a bid card cannot be bid."""
    if any(s.order[p][k] == card for k in range(s.fixed[p])):
        return "used"
    return "eye" if card == EYE else "five"


def why_no_pass(s: State) -> str:
    """Why the thrower cannot pass."""
    if s.proxy[s.slot] >= 0:
        return "pass_proxy"
    if not passing.is_allowed(s):
        return "pass_limit"
    return "pass_again" if any(s.answered) else "pass_begun"
