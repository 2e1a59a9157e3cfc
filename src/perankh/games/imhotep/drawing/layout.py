"""Where things lie on the drawn table of Imhotep."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from perankh.scene import SeatColours, kept, players_listed
from perankh.scene.layout import Box, without_bar

from ..rules.components import SHIPS, SITES
from ..rules.state import State

SEAT_COLOURS = SeatColours("black", "white", "brown", "grey")
STONE = 44 / 40  # a stone is so much higher than wide
CARD = 96 / 72
MINI = 46 / 40
TRACK = 40  # points of a lap of the score track


# --- Places -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """Where the parts of the table are in a shape."""

    wide: bool
    bar: Box
    harbour: Box
    moorings: tuple[Box, ...]  # of the four ships
    scale: float  # of a ship that waits
    docks: tuple[Box, ...]  # of the five sites
    dock_scale: float
    sites: tuple[Box, ...]
    piles: Box
    buttons: Box
    seats: tuple[Box, ...]
    track: Box
    height: float

    def __hash__(self) -> int:
        """By the size: few plans have the same."""
        return hash((self.wide, self.height))

    def body(self, site: int) -> Box:
        """The part of a site below its name and dock."""
        box = self.sites[site]
        head = 48.0 if self.wide else 25.0
        return Box(box.x + 8, box.y + head, box.w - 16, box.h - head - 7)


@kept
def plan_of(s: State, viewer: int, shape: str) -> Plan:
    """The plan of a shape for so many players; the viewer comes first among them."""
    plan = wide_plan(s, max(viewer, 0)) if shape == "wide" else tall_plan(s, max(viewer, 0))
    return without_bar(plan) if players_listed() else plan


@lru_cache
def common_of(plan: Plan) -> Plan:
    """A plan without the seats, which lie in another order for every viewer: what does not need them is the same for all."""
    return replace(plan, seats=())


def wide_plan(s: State, first: int) -> Plan:
    """Sites on the left, the harbour on the right, the players below."""
    sites = (
        Box(10, 56, 330, 172),
        Box(344, 56, 408, 172),
        Box(10, 232, 330, 164),
        Box(10, 400, 440, 152),
        Box(344, 232, 408, 164),
    )
    harbour = Box(758, 56, 232, 438)
    docks = tuple(Box(box.right - 152, box.y + 3, 148, 42) for box in sites)
    wide = (980 - 6 * (s.players - 1)) / s.players
    seats = tuple(Box(10 + (p - first) % s.players * (wide + 6), 600, wide, 144) for p in range(s.players))
    return Plan(
        True,
        Box(10, 8, 980, 42),
        harbour,
        tuple(Box(harbour.x, harbour.y + 26 + 102 * k, harbour.w, 102) for k in range(SHIPS)),
        1.04,
        docks,
        0.62,
        sites,
        Box(454, 400, 298, 152),
        Box(758, 498, 232, 96),
        seats,
        Box(10, 556, 742, 38),
        752,
    )


def tall_plan(s: State, first: int) -> Plan:
    """Harbour, docks, the own sled, buttons, market and pyramid on the first screen; what is not clicked below."""
    harbour = Box(6, 50, 388, 124)
    top = 638.0
    sites = (
        Box(6, 358, 388, 136),
        Box(6, 498, 388, 136),
        Box(6, top, 388, 126),
        Box(6, top + 130, 388, 130),
        Box(6, top + 264, 388, 126),
    )
    top += 394
    seats = [Box(6, 238, 388, 74)] * s.players
    for k in range(1, s.players):
        seats[(first + k) % s.players] = Box(6, top, 388, 74)
        top += 78
    return Plan(
        False,
        Box(6, 4, 388, 42),
        harbour,
        tuple(Box(harbour.x + k % 2 * 194, harbour.y + k // 2 * 62, 194, 62) for k in range(SHIPS)),
        0.72,
        tuple(Box(6 + 78 * site, 178, 76, 56) for site in range(SITES)),
        0.33,
        sites,
        Box(6, top, 388, 112),
        Box(6, 316, 388, 38),
        tuple(seats),
        Box(6, top + 116, 388, 70),
        top + 190,
    )


def capital(text: str) -> str:
    """With a large first letter."""
    return text[0].upper() + text[1:]
