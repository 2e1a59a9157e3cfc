"""Stones arriving at the monuments, and the bonuses of pyramid B.

Nothing here calls itself again: a stone for pyramid B waits for its owner's choice, and `build` goes on from there.
"""

from __future__ import annotations

from perankh.engine.api import rule, tell

from . import components, market, quarry, scoring, ships
from .components import BESIDE_POINTS, BONUS, BY_SHIP, CELLS_A, PYRAMID_A, PYRAMID_B, PYRAMID_CELLS, SEATS, WIDTH, Bonus, Site
from .events import Event
from .state import ObeliskPay, Side, State, Step, placed


@rule
def place(s: State, p: int, site: int) -> None:
    """A stone of p comes to a monument, from a ship or by a red card (IMH-U2, C3)."""
    if site == Site.PYRAMID:
        place_at_pyramid(s, p)
    elif site == Site.TEMPLE:
        k = placed(s.temple, BY_SHIP)
        s.temple[k] = 1 + p
        tell(s, Event.IN_TEMPLE, p, k)
    elif site == Site.BURIAL:
        k = placed(s.burial, components.BURIAL_ROOM)
        s.burial[k] = 1 + p
        tell(s, Event.IN_BURIAL, p, k)
    else:
        place_at_obelisk(s, p)


@rule
def place_at_pyramid(s: State, p: int) -> None:
    """Side A: the next cell; side B: the owner chooses; a stone that finds no cell lies beside (IMH-P1 to P3, P8)."""
    if s.pyramid_side == Side.B:
        for pyramid in range(components.PYRAMIDS):
            if unfinished(s, pyramid):
                s.step = Step.PYRAMID
                s.chooser = p
                tell(s, Event.CHOOSES_PYRAMID, p)
                return
    else:
        cell = placed(s.pyramid, CELLS_A)
        if cell < CELLS_A:
            s.pyramid[cell] = 1 + p
            s.score[p] += PYRAMID_A[cell]
            tell(s, Event.ON_PYRAMID, p, cell, PYRAMID_A[cell])
            return
    s.beside[p] += 1
    s.score[p] += BESIDE_POINTS[s.pyramid_side]
    tell(s, Event.BESIDE_PYRAMID, p, BESIDE_POINTS[s.pyramid_side])


@rule
def place_at_obelisk(s: State, p: int) -> None:
    """On the own stack; side B: the third stone erects an obelisk on the next slot (IMH-O1, O3, O4)."""
    s.obelisk[p] += 1
    tell(s, Event.AT_OBELISK, p, s.obelisk[p])
    if s.obelisk_side == Side.B and s.obelisk[p] % components.OBELISK_STONES == 0:
        slot = placed(s.erected, components.OBELISKS)
        s.erected[slot] = 1 + p
        if s.obelisk_b_pay == ObeliskPay.GAME_END:
            tell(s, Event.ERECTED_UNPAID, p, slot, scoring.slot_points(slot))
        else:
            s.score[p] += scoring.slot_points(slot)
            tell(s, Event.ERECTED, p, slot, scoring.slot_points(slot))


@rule
def beside_stones(s: State) -> int:
    """All stones beside the pyramid."""
    n = 0
    for p in range(SEATS):
        n += s.beside[p]
    return n


# --- Pyramid B --------------------------------------------------------------------------------------------------


@rule
def storeys(s: State, pyramid: int) -> int:
    """Stones of a small pyramid of side B."""
    n = 0
    while n < PYRAMID_CELLS and s.pyramid[PYRAMID_CELLS * pyramid + n] > 0:
        n += 1
    return n


@rule
def unfinished(s: State, pyramid: int) -> bool:
    """Whether a small pyramid has a free cell (IMH-P3)."""
    return storeys(s, pyramid) < PYRAMID_CELLS


@rule
def build(s: State, p: int, pyramid: int) -> None:
    """The stone goes on the next cell of a small pyramid: points first, then the bonus (IMH-P3, P4)."""
    cell = storeys(s, pyramid)
    s.pyramid[PYRAMID_CELLS * pyramid + cell] = 1 + p
    s.score[p] += PYRAMID_B[pyramid][cell]
    tell(s, Event.BUILT, p, pyramid, cell, PYRAMID_B[pyramid][cell])
    bonus = BONUS[pyramid][cell]
    if bonus == Bonus.CARD:
        market.draw_card(s, p)
    elif bonus == Bonus.STONES:
        offer_stones(s, p)
    elif bonus == Bonus.LOAD:
        offer_load(s, p)


@rule
def offer_stones(s: State, p: int) -> None:
    """P may fetch stones, if that is possible (IMH-P6)."""
    if quarry.fetchable(s, p, components.BONUS_STONES) > 0:
        s.step = Step.BONUS_STONES
        s.chooser = p


@rule
def offer_load(s: State, p: int) -> None:
    """P may load a stone on a ship that still waits, if that is possible (IMH-P7)."""
    if s.sled[p] > 0 and ships.free_spaces(s) > 0:
        s.step = Step.BONUS_LOAD
        s.chooser = p


# --- Temple -----------------------------------------------------------------------------------------------------


@rule
def width(s: State) -> int:
    """Temple cells in use (IMH-N1)."""
    cells: int = WIDTH[s.players - 2]
    return cells


@rule
def visible(s: State, cell: int) -> int:
    """The topmost stone of a temple cell (0 to 4), 0: none (IMH-N2)."""
    stone = 0
    for k in range(cell, BY_SHIP, width(s)):
        if s.temple[k] > 0:
            stone = s.temple[k]
    return stone
