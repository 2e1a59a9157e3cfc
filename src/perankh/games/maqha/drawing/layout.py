"""The plan of the drawn table of Maqha: where its parts are, and what can be chosen."""

from __future__ import annotations

from dataclasses import dataclass

from perankh.scene import SeatColours, kept, players_listed
from perankh.scene.layout import Box, without_bar

from ..rules import actions
from ..rules.actions import ALL, HELD, PASS, SPILLED, STAY, THROW
from ..rules.state import RuleSet, State

SEAT_COLOURS = SeatColours("red", "blue", "green", "yellow")
LIQUID_COLOURS = ("faience", "yellow", "gold")  # water, mix, whisky
BUTTONS = {THROW: "throw", PASS: "pass", STAY: "stay", ALL: "all", HELD: "held", SPILLED: "spilled"}
ICONS = {"stay": "hand-down", "raise": "hand-up"}  # other buttons have an icon of their own name
CARD_SHAPE = 60 / 84  # width of a card by its height
BID_SHAPE = 40 / 54
MINI_SHAPE = 30 / 42


# --- Places ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """Where the parts of the table are in a shape; the classic rules have neither market nor hand."""

    wide: bool
    bar: Box
    vessel: Box
    market: Box
    supply: Box
    hand: Box
    buttons: Box
    seats: tuple[Box, ...]
    glass: float  # width of the glass
    height: float

    def __hash__(self) -> int:
        """By the size: few plans have the same."""
        return hash((self.wide, self.height))


NOWHERE = Box(0, 0, 0, 0)


@kept
def plan_of(s: State, viewer: int, shape: str) -> Plan:
    """The plan of a shape for a rule set; the viewer comes first among the players."""
    plan = whole_plan(s, viewer, shape)
    return without_bar(plan) if players_listed() else plan


def whole_plan(s: State, viewer: int, shape: str) -> Plan:
    """The plan with a title bar."""
    order = [(p - max(viewer, 0)) % s.players for p in range(s.players)]
    classic = s.rules == RuleSet.CLASSIC
    if shape == "wide":
        high = min(90.0 if classic else 170.0, 510 / s.players - 6)
        seats = tuple(Box(746, 56 + k * (high + 6), 244, high) for k in order)
        bar = Box(10, 8, 980, 42)
        if classic:
            buttons = Box(746, 572, 244, 160)
            return Plan(True, bar, Box(10, 56, 728, 544), NOWHERE, Box(10, 606, 728, 126), NOWHERE, buttons, seats, 300, 740)
        hand, buttons = Box(378, 566, 424, 166), Box(808, 566, 182, 166)
        return Plan(
            True, bar, Box(10, 56, 360, 504), Box(378, 56, 360, 504), Box(10, 566, 360, 166), hand, buttons, seats, 240, 740
        )
    foot = 76.0 if s.hands and not classic else 54.0
    top = (538.0 if s.real_vessel else 480.0) if classic else 452 + foot
    high = 50.0 if classic else 106.0
    seats = tuple(Box(6 + k % 2 * 196, top + k // 2 * (high + 4), 192, high) for k in order)
    bottom = top + (s.players + 1) // 2 * (high + 4)
    bar = Box(6, 4, 388, 42)
    if classic:
        buttons = Box(6, 480, 388, 54)
        return Plan(False, bar, Box(6, 50, 388, 308), NOWHERE, Box(6, 362, 388, 114), NOWHERE, buttons, seats, 150, bottom)
    hand, buttons = Box(6, 344, 388, 100), Box(6, 448, 388, foot)
    return Plan(False, bar, Box(6, 50, 190, 252), Box(200, 50, 194, 252), Box(6, 306, 388, 34), hand, buttons, seats, 112, bottom)


def open_actions(s: State, p: int) -> list[int]:
    """What p may choose now."""
    if p < 0 or not actions.actors(s) >> p & 1:
        return []
    out = [0] * actions.ACTIONS
    return out[: actions.legal(s, p, out)]
