"""Where things lie on the drawn table of Egizia, and small helps to draw them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from perankh.scene.layout import Box, without_bar

from ..rules import placement
from ..rules.components import CARD_INDEX, CARD_SPACES, DOCK_INDEX, DOCKS, TILE_INDEX, TILE_SPACES
from ..rules.state import Phase, State

INDEXES = CARD_SPACES + TILE_SPACES + DOCKS


@dataclass(frozen=True)
class Plan:
    """Where the parts of the table are in a shape."""

    wide: bool
    bar: Box
    gauge: Box
    waters: tuple[Box, ...]  # one lane, or two
    banks: tuple[Box, ...]
    cards: tuple[Box, ...]  # of C1 to C10
    tiles: tuple[Box, ...]  # of T1 to T7
    docks: tuple[Box, ...]
    monuments: tuple[Box, ...]  # of the three docks
    standing: Box
    markets: Box
    tray: Box
    seats: tuple[Box, ...]
    height: float

    def __hash__(self) -> int:
        """By the size: few plans have the same."""
        return hash((self.wide, self.height))

    def lane(self, location: int) -> tuple[float, float]:
        """Where a ship lies in the water beside a location."""
        index = placement.index_of(location)
        return self.middle(index), self.water(index).mid_y

    def water(self, index: int) -> Box:
        """The water at a river index."""
        return self.waters[(index - 1) * len(self.waters) // INDEXES]

    def middle(self, index: int) -> float:
        """The middle of a river index from left to right."""
        return (wide_middle if self.wide else tall_middle)(index)


@lru_cache(256)
def without_title(plan: Plan) -> Plan:
    """The same plan without a title bar."""
    return without_bar(plan)


# --- Wide -------------------------------------------------------------------------------------------------------


def wide_middle(index: int) -> float:
    """The middle of a river index in the wide shape."""
    return 66 + 33.4 * index


def tall_middle(index: int) -> float:
    """The middle of a river index in the tall shape, where the river has two rows."""
    return 40 + 35.5 * ((index - 1) % (INDEXES // 2))


@cache
def wide_plan(players: int, viewer: int) -> Plan:
    """Monuments on top, the river below, markets and choices on the right, the players at the bottom."""
    bank, water, shore = Box(66, 296, 704, 68), Box(66, 364, 704, 40), Box(66, 404, 704, 92)
    seats = wide_seats(players, viewer)
    return Plan(
        True,
        Box(10, 8, 980, 40),
        Box(10, 296, 52, 200),
        (water,),
        (bank, shore),
        tuple(Box(wide_middle(index) - 32, shore.y + 5, 64, 82) for index in CARD_INDEX),
        tuple(Box(wide_middle(index) - 32, bank.y + 4, 64, 60) for index in TILE_INDEX),
        tuple(Box(wide_middle(index) - 33, bank.y + 2, 66, 64) for index in DOCK_INDEX),
        (Box(10, 54, 264, 238), Box(278, 54, 370, 238), Box(652, 54, 118, 238)),
        Box(776, 54, 214, 62),
        Box(776, 120, 214, 176),
        Box(776, 300, 214, 196),
        seats,
        seats[0].bottom + 8,
    )


def wide_seats(players: int, viewer: int) -> tuple[Box, ...]:
    """The players side by side, the viewer first and widest."""
    room = 980 - 6 * (players - 1)
    first = room / players if viewer < 0 else {2: 560.0, 3: 406.0, 4: 350.0}[players]
    other = (room - first) / (players - 1)
    found = [Box(0, 0, 0, 0)] * players
    x = 10.0
    for k in range(players):
        wide = first if k == 0 else other
        found[(max(viewer, 0) + k) % players] = Box(x, 502, wide, 246)
        x += wide + 6
    return tuple(found)


# --- Tall -------------------------------------------------------------------------------------------------------

RIVER, TRAY, OWN, MARKETS, STANDING = "river", "tray", "own", "markets", "standing"
MONUMENTS = ("obelisk", "statues", "sphinx")
HEIGHTS = {RIVER: 296.0, MARKETS: 172.0, STANDING: 58.0, "obelisk": 222.0, "statues": 258.0, "sphinx": 112.0}


def tall_order(s: State) -> tuple[str, ...]:
    """The parts of the table from top to bottom: what the phase is about comes first."""
    now = MONUMENTS[s.docking - 1] if s.docking else ""
    rest = [name for name in MONUMENTS if name != now]
    if s.phase in (Phase.TRAINING, Phase.PLACEMENT, Phase.LEFTOVER):
        return (RIVER, TRAY, OWN, STANDING, MARKETS, *rest)
    if s.phase == Phase.FEEDING:
        return (TRAY, OWN, MARKETS, STANDING, RIVER, *rest)
    if now:
        return (now, TRAY, OWN, MARKETS, STANDING, RIVER, *rest)
    return (TRAY, OWN, STANDING, *rest, MARKETS, RIVER)


@lru_cache(256)
def tall_plan(order: tuple[str, ...], viewer: int, tray: float, heights: tuple[float, ...]) -> Plan:
    """One part below the other in an order, with a tray and seats of some heights; the other players come last."""
    players = len(heights)
    first = max(viewer, 0)
    high = HEIGHTS | {TRAY: tray, OWN: heights[first]}
    boxes = {}
    y = 50.0
    for name in order:
        boxes[name] = Box(6, y, 388, high[name])
        y += high[name] + (4 if high[name] else 0)
    seats = [boxes[OWN]] * players
    for k in range(1, players):
        p = (first + k) % players
        seats[p] = Box(6, y, 388, heights[p])
        y += heights[p] + 4
    tops = (boxes[RIVER].y + 34, boxes[RIVER].y + 166)

    def top(index: int) -> float:
        return tops[(index - 1) * len(tops) // INDEXES]

    return Plan(
        False,
        Box(6, 4, 388, 42),
        Box(6, boxes[RIVER].y, 388, 30),
        tuple(Box(6, at + 51, 388, 27) for at in tops),
        tuple(Box(6, at, 388, 128) for at in tops),
        tuple(Box(tall_middle(index) - 34, top(index) + 79, 68, 47) for index in CARD_INDEX),
        tuple(Box(tall_middle(index) - 34, top(index) + 3, 68, 46) for index in TILE_INDEX),
        tuple(Box(tall_middle(index) - 35, top(index) + 1, 70, 50) for index in DOCK_INDEX),
        tuple(boxes[name] for name in MONUMENTS),
        boxes[STANDING],
        boxes[MARKETS],
        boxes[TRAY],
        tuple(seats),
        y,
    )
