"""Which sprites an event of Cleocatra brings to their places, so that they travel in the order of the events."""

from __future__ import annotations

from perankh.engine.api import GameEvent

from ..rules import components
from ..rules.events import Event
from ..rules.state import State
from .pieces import on_tiles

ON_TILE = (  # the rescuer of the seat that stands on `tile` came there, perhaps with the tile
    Event.SET_UP,
    Event.SCOUTED,
    Event.SEARCHED,
    Event.DISPATCHED,
    Event.TEAMED_UP,
    Event.HERDED,
    Event.PLACED,
    Event.RELOCATED,
)


def moved_sprites(s: State, event: GameEvent) -> tuple[str, ...]:
    """The ids of the sprites that an event brought to their places."""
    p, kind = event.seat, event.kind
    if kind in ON_TILE:
        return f"tile-{event.tile}", *rescuer(s, p, event.tile)
    if kind == Event.SWAPPED:
        return *rescuer(s, p, event.other), *rescuer(s, event.owner, event.tile)
    if kind == Event.REVEALED:
        return (f"tile-{s.laid}",)
    if kind == Event.RESCUED:
        return (f"marker-{p}",)
    if kind in (Event.INSPECTOR_PUT, Event.INSPECTOR_MOVED):
        return tuple(f"inspector-{k}" for k, tile in on_tiles(s.inspectors, components.INSPECTORS).items() if tile == event.tile)
    if kind == Event.RETURNED:
        standing = on_tiles(s.rescuers[p], components.RESCUERS)
        return tuple(f"rescuer-{p}-{k}" for k in range(components.RESCUERS) if k not in standing)
    return ()


def rescuer(s: State, p: int, tile: int) -> tuple[str, ...]:
    """The sprite of the rescuer of p on a tile, if there is one."""
    return tuple(f"rescuer-{p}-{k}" for k, t in on_tiles(s.rescuers[p], components.RESCUERS).items() if t == tile)
