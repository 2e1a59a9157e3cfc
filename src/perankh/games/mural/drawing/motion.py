"""Which sprites an event of Nile Mural brings to their places, so that they travel in the order of the events."""

from __future__ import annotations

from perankh.engine.api import GameEvent

from ..rules.events import Event, Source
from ..rules.state import State
from .cards import known_and_hidden


def moved_sprites(s: State, event: GameEvent) -> tuple[str, ...]:
    """The ids of the sprites that an event brought to their places."""
    p, kind = event.seat, event.kind
    if kind in (Event.PLACED, Event.TOOK):
        return (f"card-{event.card:02}",)
    if kind == Event.DREW:
        return (f"card-{event.card:02}" if event.card is not None else f"hidden-{p}-{known_and_hidden(s, p)[1] - 1}",)
    if kind == Event.MISSED:
        return f"card-{event.card:02}", "pawn", f"marker-miss-{p}", f"lap-miss-{p}"
    if kind == Event.AREA_FULL:
        return f"marker-area-{p}", f"lap-area-{p}"
    return (f"marker-combo-{p}", f"lap-combo-{p}") if kind == Event.TURN_ENDED else ()


def previewed(_s: State, event: GameEvent) -> tuple[str, ...]:
    """What else a preview shows: where the pawn would stand, and the shadow."""
    return ("pawn", "shadow") if event.kind == Event.PLACED else ()


def routes(s: State, event: GameEvent) -> dict[str, tuple[str, str]]:
    """Where the sprites of an event come from, and what they pass: a miss stops at its cell in the shadow."""
    if event.kind == Event.MISSED:
        return {f"card-{event.card:02}": ("deck", f"cell-{event.card:02}")}
    if event.kind == Event.DREW or (event.kind == Event.PLACED and event.source == Source.DECK):
        return {moved_sprites(s, event)[0]: ("deck", "")}
    if event.kind == Event.PLACED:
        return {f"card-{event.card:02}": (f"hidden-{event.seat}-0", "")}
    return {}
