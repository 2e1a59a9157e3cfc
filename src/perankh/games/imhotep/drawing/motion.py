"""Which sprites an event of Imhotep brings to their places, so that they travel in the order of the events."""

from __future__ import annotations

from perankh.engine.api import EventKind, GameEvent

from ..rules.components import PYRAMID_CELLS
from ..rules.events import Event
from ..rules.state import State

MOVED: dict[EventKind, tuple[str, ...]] = {  # by kind of event: the sprites that it moves
    Event.LOADED: ("stone-{ship}-{space}",),
    Event.ON_PYRAMID: ("pyramid-{cell}", "marker-{seat}"),
    Event.BESIDE_PYRAMID: ("marker-{seat}",),
    Event.IN_TEMPLE: ("temple-{place}",),
    Event.IN_BURIAL: ("burial-{place}",),
    Event.ERECTED: ("marker-{seat}",),
    Event.TEMPLE_SCORED: ("marker-{seat}",),
    Event.TOOK_POINTS: ("marker-{seat}",),
    Event.FINAL_SCORED: ("marker-{seat}",),
    Event.OFFERED: ("offer-{slot}",),
}


def moved_sprites(s: State, event: GameEvent) -> tuple[str, ...]:
    """The ids of the sprites that an event brought to their places."""
    if event.kind == Event.BUILT:
        return f"pyramid-{PYRAMID_CELLS * event.pyramid + event.cell}", f"marker-{event.seat}"
    if event.kind == Event.AT_OBELISK:
        return (f"obelisk-{event.seat}-{event.stones - 1}",)
    if event.kind in (Event.TOOK, Event.KEPT, Event.DREW):
        return (f"held-{event.seat}-{event.card}-{s.held[event.seat][event.card] - 1}",)
    return tuple(name.format(seat=event.seat, **event.by_name()) for name in MOVED.get(event.kind, ()))
