"""What a person clicks on the drawn table, and what is meant by it."""

from __future__ import annotations

import re

from ..rules.actions import ACCIDENT, ALL, BID, CELL, DROP, HELD, NOBODY, PASS, RAISE, SINGLE, THROW
from ..rules.components import KINDS, TOKENS
from ..rules.state import RuleSet, State, Step
from . import market, vessel
from .layout import BUTTONS, open_actions


def button_name(a: int) -> str:
    """The name of an action's button."""
    if RAISE <= a < SINGLE:
        return f"raise-{a - RAISE}" if a > RAISE else "raise"
    return BUTTONS[a]


def paths(s: State, p: int) -> dict[int, tuple[str, ...]]:
    """What p clicks for each choice: a coin, a bid card, a token, a cell or a button; an accident and then who caused it."""
    found: dict[int, tuple[str, ...]] = {}
    for a in open_actions(s, p):
        if a < BID:
            found[a] = (f"{KINDS[0]}-{TOKENS[0] - s.supply[0] + a - DROP}",)
        elif a < THROW:
            found[a] = (market.own_id(p, a - BID + 1),)
        elif SINGLE <= a < ALL:
            found[a] = (f"{KINDS[a - SINGLE]}-{vessel.first_in_hand(s, a - SINGLE)}",)
        elif CELL <= a < HELD:
            found[a] = (f"cell-{a - CELL}",)
        elif a == NOBODY:
            found[a] = ("do-accident", "vessel")
        elif a >= ACCIDENT:
            found[a] = ("do-accident", f"seat-{a - ACCIDENT}")
        else:
            found[a] = (f"do-{button_name(a)}",)
    return found


def aliases(s: State, p: int) -> dict[str, list[tuple[str, ...]]]:
    """The vessel for throwing and for letting tokens go; any token in hand for the first of its kind."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for a, path in paths(s, p).items():
        if (a == THROW or SINGLE <= a < CELL) and not s.real_vessel:
            found.setdefault("stage", []).append(path)
        if SINGLE <= a < ALL:
            kind = a - SINGLE
            first = vessel.first_in_hand(s, kind)
            found |= {f"{KINDS[kind]}-{k}": [path] for k in range(first + 1, first + s.to_go[kind])}
    return found


def closed(s: State, p: int) -> dict[str, int]:
    """What p cannot choose now: bid cards that are fixed, more coins than are allowed, and passing once a throw has begun."""
    offered = open_actions(s, p)
    if not offered:
        return {}
    found: dict[str, int] = {}
    if s.step == Step.BID:
        fixed = [s.order[p][k] for k in range(s.face_up, s.fixed[p])]
        found = {market.own_id(p, card): BID + card - 1 for card in fixed if card}
    if s.step == Step.TURN:
        first = TOKENS[0] - s.supply[0]
        found = {f"{KINDS[0]}-{first + n}": DROP + n for n in range(min(s.supply[0], BID - DROP))}
    if s.step == Step.RELEASE:
        found = {"do-pass": PASS}
    return {name: a for name, a in found.items() if a not in offered}


def meant(s: State, p: int, path: tuple[str, ...]) -> int:
    """The coin, bid card, token or cell that was clicked last."""
    if path[-1] == "do-pass":
        return PASS
    piece = re.fullmatch(r"([a-z]+)-(\d+)(?:-(\d+))?", path[-1])
    if path[-1] == "eye" or not piece:
        return BID + market.EYE - 1 if path[-1] == "eye" else -1
    kind, n = piece[1], int(piece[2])
    if kind == "bid" and piece[3]:
        return BID + int(piece[3]) - 1 if n == p else -1
    if kind == "coin" and s.rules == RuleSet.CLASSIC:
        coins = n - (TOKENS[0] - s.supply[0]) + 1
        return DROP + coins - 1 if 1 <= coins <= BID - DROP else -1
    if kind in KINDS:
        return SINGLE + KINDS.index(kind)
    return CELL + n if kind == "cell" else -1
