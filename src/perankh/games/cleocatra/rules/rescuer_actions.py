"""Rescuer actions: Dispatch, Team up and, in hard mode, Herd. The Rescue itself is in `rescue.py`."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import components, rescue, tiles, turn
from .events import Event
from .state import Mode, State


@rule
def any_possible(s: State, p: int) -> bool:
    """Is Rescue, Dispatch, Team up or, in hard mode, Herd possible for p? (CLE-R1 to CLE-R3, CLE-H2)"""
    if rescue.scorable(s, p) or dispatch_tile(s, p) or team_tiles(s, p):
        return True
    return s.mode == Mode.HARD and herd_origins(s, p) != 0


@rule
def hand(s: State, p: int) -> int:
    """Rescuers that p has in the hand."""
    return components.RESCUERS - masks.count(s.rescuers[p])


@rule
def room(s: State, p: int) -> int:
    """The tiles with fewer than two rescuers and none of p; inspectors take no room (CLE-T6, CLE-T7)."""
    one, two = 0, 0
    for q in range(components.SEATS):
        two |= one & s.rescuers[q]
        one |= s.rescuers[q]
    return tiles.layout(s) & ~two & ~s.rescuers[p]


@rule
def dispatch_tile(s: State, p: int) -> int:
    """The own fresh tile, if it has room and there is a rescuer in the hand (CLE-R1, CLE-R4, CLE-H7)."""
    return s.fresh & room(s, p) if p == s.turn and hand(s, p) > 0 else 0


@rule
def dispatch(s: State, p: int) -> None:
    """Dispatch: put a rescuer on the fresh tile (CLE-R1)."""
    s.rescuers[p] |= s.fresh
    tell(s, Event.DISPATCHED, p, masks.first(s.fresh))
    turn.end_action(s)


@rule
def team_tiles(s: State, p: int) -> int:
    """The tiles with room beside an own rescuer, if there is one in the hand (CLE-R2, CLE-R4)."""
    return tiles.beside(s, s.rescuers[p]) & room(s, p) if hand(s, p) > 0 else 0


@rule
def team_up(s: State, p: int, tile: int) -> None:
    """Team up: put a rescuer on a tile beside an own one (CLE-R2)."""
    s.rescuers[p] |= tile
    tell(s, Event.TEAMED_UP, p, masks.first(tile))
    turn.end_action(s)


@rule
def herd_origins(s: State, p: int) -> int:
    """The tiles from which a rescuer of p can go to a neighbour with room (CLE-H2)."""
    return tiles.beside(s, room(s, p)) & s.rescuers[p]


@rule
def herd_targets(s: State, p: int) -> int:
    """The neighbours with room of the tile that the chosen rescuer stands on (CLE-H2)."""
    return tiles.beside(s, s.chosen) & room(s, p)


@rule
def herd(s: State, p: int, tile: int) -> None:
    """Herd: move the chosen rescuer to a neighbouring tile (CLE-H2)."""
    tell(s, Event.HERDED, p, masks.first(s.chosen), masks.first(tile))
    move_rescuer(s, p, tile)
    turn.end_action(s)


@rule
def move_rescuer(s: State, p: int, tile: int) -> None:
    """The chosen rescuer of p goes to a tile."""
    s.rescuers[p] ^= s.chosen | tile
    s.chosen = 0
