"""What is possible in a position of Cleocatra: which tiles have room, can be moved, swapped with, herded to or scored."""

from __future__ import annotations

from perankh.engine.api import rule

from .table import (
    BASTET,
    HARD,
    INSPECTORS,
    KINDS,
    MAFDET,
    RESCUERS,
    SEATS,
    State,
    beside,
    connected,
    count,
    deck_size,
    layout,
)


@rule
def hand(s: State, p: int) -> int:
    """Rescuers that p has in the hand."""
    return RESCUERS - count(s.rescuers[p])


@rule
def unused_inspectors(s: State) -> int:
    """Inspectors beside the layout (CLE-S4)."""
    return INSPECTORS - count(s.inspectors)


@rule
def room(s: State, p: int) -> int:
    """The tiles with fewer than two rescuers and none of p; inspectors take no room (CLE-T6, CLE-T7)."""
    one, two = 0, 0
    for q in range(SEATS):
        two |= one & s.rescuers[q]
        one |= s.rescuers[q]
    return layout(s) & ~two & ~s.rescuers[p]


@rule
def movable(s: State) -> int:
    """The tiles that Search may move: without token unless Mafdet's, not surrounded, not needed by the rest (CLE-A3 to A5)."""
    bare = layout(s) & ~s.inspectors
    for q in range(SEATS):
        bare &= ~s.rescuers[q]
    if s.mode == HARD:  # CLE-H11
        bare |= s.colour[MAFDET]
    found = 0
    for t in range(s.laid):
        if (bare >> t) & 1:
            neighbours = count(beside(s, 1 << t))
            # A tile with one neighbour joins nothing: no need to look at the rest.
            if neighbours == 1 or (neighbours == 2 and connected(s, layout(s) & ~(1 << t))):
                found |= 1 << t
    return found


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
    for q in range(SEATS):
        found |= swap_partners(s, p, own, q)
    return found


@rule
def swap_owns(s: State, p: int) -> int:
    """The Bastet tiles from which p can swap (CLE-H12)."""
    found = 0
    bastets = s.colour[BASTET] & s.rescuers[p]
    for t in range(s.laid):
        if (bastets >> t) & 1 and swap_others(s, p, 1 << t):
            found |= 1 << t
    return found


@rule
def herd_froms(s: State, p: int) -> int:
    """The tiles from which a rescuer of p can go to a neighbour with room (CLE-H2)."""
    found = 0
    for t in range(s.laid):
        if (s.rescuers[p] >> t) & 1 and beside(s, 1 << t) & room(s, p):
            found |= 1 << t
    return found


@rule
def can_dispatch(s: State, p: int) -> bool:
    """Dispatch needs a rescuer in the hand and an own fresh tile with room (CLE-R1, CLE-R4, CLE-H7)."""
    return p == s.turn and s.fresh & room(s, p) != 0 and hand(s, p) > 0


@rule
def team_cells(s: State, p: int) -> int:
    """The tiles with room beside an own rescuer, if there is one in the hand (CLE-R2, CLE-R4)."""
    return beside(s, s.rescuers[p]) & room(s, p) if hand(s, p) > 0 else 0


@rule
def rescue_tiles(s: State, p: int) -> int:
    """The tiles that p may score: an own rescuer and no inspector (CLE-R3, CLE-P1)."""
    return s.rescuers[p] & ~s.inspectors


@rule
def can_tile_action(s: State, p: int) -> bool:
    """Scout, Search or, in hard mode, Swap (CLE-A1, CLE-A3, CLE-H12)."""
    return deck_size(s) > 0 or movable(s) != 0 or (s.mode == HARD and swap_owns(s, p) != 0)


@rule
def can_rescuer_action(s: State, p: int) -> bool:
    """Rescue, Dispatch, Team up or, in hard mode, Herd (CLE-R1 to CLE-R3, CLE-H2)."""
    if rescue_tiles(s, p) or can_dispatch(s, p) or team_cells(s, p):
        return True
    return s.mode == HARD and herd_froms(s, p) != 0


@rule
def sole_lowest(s: State) -> int:
    """The player with the lowest score, -1 if several share it (CLE-H4, CLE-H5)."""
    lowest, ties = 0, 1
    for q in range(1, s.players):
        if s.score[q] < s.score[lowest]:
            lowest, ties = q, 1
        elif s.score[q] == s.score[lowest]:
            ties += 1
    return lowest if ties == 1 else -1


@rule
def count_group(s: State, tile: int) -> int:
    """The neighbours of a scoring tile that share a colour other than its own: of these one is counted (CLE-P3)."""
    around = beside(s, tile)
    for c in range(KINDS):
        if s.colour[c] & tile == 0 and count(s.colour[c] & around) > 1:
            return s.colour[c] & around
    return 0
