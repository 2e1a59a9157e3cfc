"""Tile actions: Scout, Search and, in hard mode, Swap."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import components, set_up, tiles, turn
from .events import Event
from .state import Mode, State, Step


@rule
def any_possible(s: State, p: int) -> bool:
    """Is a tile action possible for p? (CLE-A1, CLE-A3, CLE-H12)"""
    return tiles.deck_size(s) > 0 or movable(s) != 0 or (s.mode == Mode.HARD and swap_owns(s, p) != 0)


# --- Scout and Search -----------------------------------------------------------------------------------------


@rule
def begin_scout(s: State, p: int) -> None:
    """Scout: the top tile of the deck is turned up (CLE-A1)."""
    set_up.reveal(s, p)
    s.step = Step.SCOUT_CELL


@rule
def scout(s: State, p: int, cell: int) -> None:
    """Scout: lay the revealed tile; it is the fresh tile (CLE-A1, CLE-A8)."""
    s.fresh = set_up.lay(s, cell)
    tell(s, Event.SCOUTED, p, masks.first(s.fresh))
    turn.end_action(s)


@rule
def movable(s: State) -> int:
    """The tiles that Search may move: without token unless Mafdet's, not surrounded, not needed by the rest (CLE-A3 to A5)."""
    bare = ~s.inspectors
    for q in range(components.SEATS):
        bare &= ~s.rescuers[q]
    if s.mode == Mode.HARD:  # CLE-H11
        bare |= s.colour[components.MAFDET]
    return s.loose & bare


@rule
def lift(s: State, tile: int) -> None:
    """Search: a tile is lifted; the frame stays as it was (CLE-A3, CLE-G8)."""
    s.chosen = tile
    tiles.mark_sites(s)
    s.step = Step.SEARCH_CELL


@rule
def search(s: State, p: int, cell: int) -> None:
    """Search: put the lifted tile down elsewhere, tokens and all; it is the fresh tile (CLE-A3, CLE-A8, CLE-H11)."""
    s.fresh = s.chosen
    s.chosen = 0
    tiles.put_tile(s, masks.first(s.fresh), cell)
    tell(s, Event.SEARCHED, p, masks.first(s.fresh))
    turn.end_action(s)


# --- Swap -----------------------------------------------------------------------------------------------------


@rule
def swap_partners(s: State, p: int, own: int, q: int) -> int:
    """The tiles whose rescuer of q can be exchanged with p's on a Bastet tile (CLE-H12, CLE-H13)."""
    if q == p or s.rescuers[q] & own:
        return 0
    return s.rescuers[q] & ~s.rescuers[p]


@rule
def swap_others(s: State, p: int, own: int) -> int:
    """The tiles with a rescuer, of any other player, that can be exchanged with p's on a Bastet tile (CLE-H13)."""
    found = 0
    for q in range(components.SEATS):
        found |= swap_partners(s, p, own, q)
    return found


@rule
def swap_owns(s: State, p: int) -> int:
    """The Bastet tiles from which p can swap (CLE-H12)."""
    found = 0
    bastets = s.colour[components.BASTET] & s.rescuers[p]
    while bastets:
        tile = bastets & -bastets
        if swap_others(s, p, tile):
            found |= tile
        bastets &= ~tile
    return found


@rule
def choose_other(s: State, p: int, tile: int) -> None:
    """Swap: the other tile is chosen; ask for the owner if two rescuers on it fit (CLE-H12)."""
    s.other = tile
    owner, fitting = 0, 0
    for q in range(components.SEATS):
        if swap_partners(s, p, s.chosen, q) & tile:
            owner = q
            fitting += 1
    if fitting > 1:
        s.step = Step.SWAP_OWNER
    else:
        swap(s, p, owner)


@rule
def swap(s: State, p: int, q: int) -> None:
    """Swap: p's rescuer on the Bastet tile and q's on the other tile change places (CLE-H12, CLE-H14)."""
    tell(s, Event.SWAPPED, p, masks.first(s.chosen), masks.first(s.other), q)
    s.rescuers[p] ^= s.chosen | s.other
    s.rescuers[q] ^= s.chosen | s.other
    s.chosen = 0
    s.other = 0
    turn.end_action(s)
