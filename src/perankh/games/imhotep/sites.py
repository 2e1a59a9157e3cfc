"""Stones arriving at the sites of Imhotep, cards received, and the bonuses of pyramid B.

Nothing here calls itself again: a stone for pyramid B waits for its owner's choice, and `build` goes on from there.
"""

from __future__ import annotations

from perankh.engine.api import rule

from .cards import take_from_deck, turn_up
from .possible import fetchable, free_spaces, unfinished
from .scoring import slot_points
from .table import (
    BESIDE_POINTS,
    BONUS,
    BONUS_LOAD,
    BONUS_STONES,
    BURIAL,
    BURIAL_ROOM,
    BY_SHIP,
    CARD_BONUS,
    CHOOSE_PYRAMID,
    FETCH_BONUS,
    GAME_END,
    LOAD_BONUS,
    OBELISK_STONES,
    OBELISKS,
    PYRAMID,
    PYRAMID_A,
    PYRAMID_B,
    PYRAMID_CELLS,
    PYRAMIDS,
    REDS,
    SIDE_B,
    SITE_OF,
    STONES_BONUS,
    TEMPLE,
    State,
    placed,
    storeys,
)

SMALL_PYRAMIDS = len(PYRAMIDS)
CELLS_A = len(PYRAMID_A)

# --- Placing ----------------------------------------------------------------------------------------------------


@rule
def place(s: State, p: int, site: int) -> None:
    """A stone of p comes to a monument, from a ship or by a red card (IMH-U2, C3)."""
    if site == PYRAMID:
        place_at_pyramid(s, p)
    elif site == TEMPLE:
        s.temple[placed(s.temple, BY_SHIP)] = 1 + p
    elif site == BURIAL:
        s.burial[placed(s.burial, BURIAL_ROOM)] = 1 + p
    else:
        place_at_obelisk(s, p)


@rule
def place_at_pyramid(s: State, p: int) -> None:
    """Side A: the next cell; side B: the owner chooses; a stone that finds no cell lies beside (IMH-P1 to P3, P8)."""
    if s.pyramid_side == SIDE_B:
        for pyramid in range(SMALL_PYRAMIDS):
            if unfinished(s, pyramid):
                s.step = CHOOSE_PYRAMID
                s.chooser = p
                return
    else:
        cell = placed(s.pyramid, CELLS_A)
        if cell < CELLS_A:
            s.pyramid[cell] = 1 + p
            s.score[p] += PYRAMID_A[cell]
            return
    s.beside[p] += 1
    s.score[p] += BESIDE_POINTS[s.pyramid_side]


@rule
def place_at_obelisk(s: State, p: int) -> None:
    """On the own stack; side B: the third stone erects an obelisk on the next slot (IMH-O1, O3, O4)."""
    s.obelisk[p] += 1
    if s.obelisk_side == SIDE_B and s.obelisk[p] % OBELISK_STONES == 0:
        slot = placed(s.erected, OBELISKS)
        s.erected[slot] = 1 + p
        if s.obelisk_b_pay != GAME_END:
            s.score[p] += slot_points(slot)


# --- Pyramid B --------------------------------------------------------------------------------------------------


@rule
def build(s: State, p: int, pyramid: int) -> None:
    """The stone goes on the next cell of a small pyramid: points first, then the bonus (IMH-P3, P4)."""
    cell = storeys(s, pyramid)
    s.pyramid[PYRAMID_CELLS * pyramid + cell] = 1 + p
    s.score[p] += PYRAMID_B[pyramid][cell]
    bonus = BONUS[pyramid][cell]
    if bonus == CARD_BONUS:
        draw_card(s, p)
    elif bonus == STONES_BONUS:
        bonus_stones(s, p)
    elif bonus == LOAD_BONUS:
        bonus_load(s, p)


@rule
def bonus_stones(s: State, p: int) -> None:
    """P may fetch stones, if that is possible (IMH-P6)."""
    if fetchable(s, p, BONUS_STONES) > 0:
        s.step = FETCH_BONUS
        s.chooser = p


@rule
def bonus_load(s: State, p: int) -> None:
    """P may load a stone on a ship that still waits, if that is possible (IMH-P7)."""
    if s.sled[p] > 0 and free_spaces(s) > 0:
        s.step = BONUS_LOAD
        s.chooser = p


# --- Cards ------------------------------------------------------------------------------------------------------


@rule
def draw_card(s: State, p: int) -> None:
    """P receives the top card of the deck (IMH-P5, N8)."""
    if take_from_deck(s):
        kind = turn_up(s)
        i = 0 if s.drawn[0] == 0 else 1
        s.drawn[i] = 1 + kind
        s.drawn_by[i] = p
        receive(s, p, kind)


@rule
def receive(s: State, p: int, kind: int) -> None:
    """A red card places a quarry stone at once, any other lies face up before p (IMH-M2, C1 to C4)."""
    if kind >= REDS:
        s.held[p][kind] += 1
        return
    s.red[kind] += 1
    if s.quarry[p] > 0:
        s.quarry[p] -= 1
        place(s, p, SITE_OF[kind])


@rule
def discard_reds(s: State) -> None:
    """Red cards go to the discard pile when all that they set off is resolved (IMH-C5)."""
    for kind in range(REDS):
        s.discard[kind] += s.red[kind]
        s.red[kind] = 0
