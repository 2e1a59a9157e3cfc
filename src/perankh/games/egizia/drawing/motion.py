"""Which sprites an event of Egizia brings to their places, so that they travel in the order of the events."""

from __future__ import annotations

from perankh.engine.api import EventKind, GameEvent

from ..rules.components import DOCK_SPACES
from ..rules.events import Event
from ..rules.state import Location, State

MOVED: dict[EventKind, tuple[str, ...]] = {  # by kind of event: the sprites that it moves
    Event.CARD_LAID: ("card-{card}",),
    Event.TILE_LAID: ("tile-{tile}",),
    Event.RING_MOVED: ("the-ring",),
    Event.RING_LEFT: ("the-ring",),
    Event.MARKET_MOVED: ("market-{market}-{seat}",),
    Event.IN_ORDER: ("order-{seat}",),
    Event.SAW: ("sphinx-{card}",),
    Event.KEPT: ("sphinx-{card}",),
    Event.KEPT_DEALT: ("sphinx-{card}",),
}
BRICKS: dict[EventKind, tuple[str, str]] = {  # by kind of event: the sprite of the brick laid, and the value that counts up to it
    Event.OBELISK_BUILT: ("obelisk", "space"),
    Event.COLUMN_BUILT: ("column-{seat}", "column"),
    Event.STATUE_BUILT: ("level-{seat}-{place}", "level"),
    Event.ROW_BUILT: ("row-{row}", "space"),
}


def moved_sprites(s: State, event: GameEvent) -> tuple[str, ...]:
    """The ids of the sprites that an event brought to their places."""
    values = event.by_name()
    if event.kind in (Event.TOOK_CARD, Event.TOOK_LEFTOVER):
        return ship(s, event.seat, event.location), f"card-{event.card}"
    if event.kind in (Event.LANDED, Event.MOORED, Event.WAITED):
        return (ship(s, event.seat, event.location),)
    if event.kind in BRICKS:
        before, last = BRICKS[event.kind]
        return f"brick-{before.format(seat=event.seat, **values)}-{(values[last] or 0) - 1}", f"rank-{event.seat}"
    if event.kind in (Event.CLOSED_UP, Event.JOINED):
        return (f"ship-{event.seat}-D{event.dock + 1}-{event.space}",)
    named = tuple(name.format(seat=event.seat, **values) for name in MOVED.get(event.kind, ()))
    return named or ((f"rank-{event.seat}",) if values.get("points") else ())


def ship(s: State, p: int, location: int) -> str:
    """The sprite of the ship of p that came to a location last."""
    if location < Location.TILE:
        return f"ship-{p}-C{location + 1}"
    if location < Location.DOCK:
        space = location - Location.TILE
        return f"ship-{p}-T{space + 1}-{s.tile_ships[space][p] - 1}"
    if location < Location.BANK:
        dock, space = divmod(location - Location.DOCK, DOCK_SPACES)
        return f"ship-{p}-D{dock + 1}-{space}"
    return f"ship-{p}-D{location - Location.BANK + 1}-{DOCK_SPACES}"
