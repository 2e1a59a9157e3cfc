"""Where everything is drawn. Positions are worked out from the state alone.

The layout of tiles moves in its frame (CLE-G4), so it is drawn around the middle of its own bounding box, sites included, at the
largest side that fits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt

from perankh.scene import SeatColours, kept, players_listed
from perankh.scene.layout import Box, without_bar

from ..rules import components, tiles
from ..rules.state import Mode, State

SEAT_COLOURS = SeatColours("red", "blue", "black", "green")

# A triangle of side 1.
RISE = sqrt(3) / 2  # its height
SIDES = {"wide": 156.0, "tall": 112.0}  # the largest side at which tiles are drawn
STEP = 2.0  # sides are multiples of this, so that small changes of the layout leave the scale alone
PAST = 5  # spaces of the score track beyond the end score
LONGEST_TRACK = 30  # the largest end score for which there is a track


@dataclass(frozen=True)
class Plan:
    """Where the parts of the table are in a shape."""

    wide: bool
    bar: Box
    board: Box
    buttons: Box
    seats: tuple[Box, ...]
    stock: Box
    track: Box
    cats: Box
    height: float

    def __hash__(self) -> int:
        """By the size: few plans have the same."""
        return hash((self.wide, self.height))


@kept
def plan_of(s: State, viewer: int, shape: str) -> Plan:
    """The plan of a shape for so many players; the viewer comes first among them."""
    plan = whole_plan(s, viewer, shape)
    return without_bar(plan) if players_listed() else plan


def whole_plan(s: State, viewer: int, shape: str) -> Plan:
    """The plan with a title bar."""
    order = [(p - max(viewer, 0)) % s.players for p in range(s.players)]
    if shape == "wide":
        gap, top, bottom = 6.0, 56.0, 380.0
        high = min(104.0, (bottom - top) / s.players - gap)
        seats = tuple(Box(742, top + k * (high + gap), 248, high) for k in order)
        stock = top + s.players * (high + gap)
        return Plan(
            True,
            Box(10, 8, 980, 42),
            Box(10, 56, 724, 540),
            Box(10, 602, 724, 54),
            seats,
            Box(742, stock, 248, 110),
            Box(10, 662, 980, 70),
            Box(742, stock + 110, 248, 656 - stock - 110),
            740,
        )
    top = 602.0
    seats = tuple(Box(6 + k % 2 * 196, top + k // 2 * 70, 192, 66) for k in order)
    top += (s.players + 1) // 2 * 70
    track = Box(6, top, 388, 104 if s.end_score <= LONGEST_TRACK else 40)
    cats = Box(6, track.y + track.h + 4, 388, 182 if s.mode == Mode.HARD else 0)
    return Plan(
        False,
        Box(6, 4, 388, 42),
        Box(6, 116, 388, 378),
        Box(6, 498, 388, 100),
        seats,
        Box(6, 50, 388, 62),
        track,
        cats,
        cats.y + cats.h + (4 if cats.h else 0),
    )


@lru_cache
def common_of(plan: Plan) -> Plan:
    """A plan without the seats, which lie in another order for every viewer: what does not need them is the same for all."""
    return replace(plan, seats=())


@dataclass(frozen=True)
class Grid:
    """Where cells are drawn: the side of a triangle, and where the frame's corner lies."""

    side: float
    x: float
    y: float

    def middle(self, cell: int) -> tuple[float, float]:
        """The middle of a cell's box."""
        row, col = divmod(cell, tiles.WIDTH)
        return self.x + (col + 1) * self.side / 2, self.y + (row + 0.5) * self.side * RISE

    def on(self, cell: int, right: float, rise: float) -> tuple[float, float]:
        """A point of a cell, by the distances to the right of its middle and from its flat edge, in sides."""
        x, y = self.middle(cell)
        down = self.side * (RISE / 2 - rise)
        return x + right * self.side, y + (down if tiles.points_up(cell) else -down)


@kept
def grid_of(s: State, plan: Plan) -> Grid:
    """The layout with all cells around it, in the middle of the board and as large as fits."""
    cells = {c for t in range(s.laid) for c in (s.cell[t], s.cell[t] - 1, s.cell[t] + 1, tiles.across(s.cell[t]))}
    rows, cols = [c // tiles.WIDTH for c in cells], [c % tiles.WIDTH for c in cells]
    width, height = (max(cols) - min(cols) + 2) / 2, (max(rows) - min(rows) + 1) * RISE
    margin = 8.0 if plan.wide else 3.0
    side = min((plan.board.w - 2 * margin) / width, (plan.board.h - 2 * margin) / height)
    side = min(SIDES["wide" if plan.wide else "tall"], side // STEP * STEP)
    middle = (min(cols) + max(cols) + 2) / 4, (min(rows) + max(rows) + 1) / 2 * RISE
    return Grid(side, plan.board.mid_x - middle[0] * side, plan.board.mid_y - middle[1] * side)


def in_hand(plan: Plan, p: int, k: int) -> tuple[float, float, float, float]:
    """Place and size of a rescuer in its player's hand."""
    box = plan.seats[p]
    h = min(36.0, box.h * 0.42) if plan.wide else 30.0
    w = h * 46 / 54
    left = box.x + (78 if plan.wide else 52)
    return left + k * (w + (8 if plan.wide else 4)), box.y + box.h - h / 2 - (8 if plan.wide else 5), w, h


def in_reserve(plan: Plan, k: int) -> tuple[float, float, float, float]:
    """Place and size of an inspector beside the layout."""
    box = plan.stock
    if plan.wide:
        return box.x + box.w - 20 - (components.INSPECTORS - 1 - k) * 25, box.y + 46, 27, 34.4
    return box.x + box.w - 18 - (components.INSPECTORS - 1 - k) * 25, box.y + 34, 26, 33


def deck_place(plan: Plan) -> tuple[float, float, float]:
    """The middle of the deck and the side of its triangles."""
    return (plan.stock.x + 46, plan.stock.y + 48, 72) if plan.wide else (plan.stock.x + 34, plan.stock.y + 32, 54)


def revealed_place(plan: Plan) -> tuple[float, float, float]:
    """The middle of the tile turned up, and its side."""
    return (plan.stock.x + 124, plan.stock.y + 46, 84) if plan.wide else (plan.stock.x + 278, plan.stock.y + 31, 62)
