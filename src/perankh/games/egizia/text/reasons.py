"""What speaks for and against a move: facts of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from perankh.engine.api import GameEvent, masks

from ..rules import components, placement
from ..rules.events import Event
from ..rules.state import Location, State

REASONS = ("for.last_space", "for.stones", "for.strength", "for.token", "against.passes")
PLACED = (Event.HEADED, Event.TOOK_CARD, Event.LANDED, Event.MOORED, Event.WAITED)


def reasons(s: State, p: int, a: int, events: Sequence[GameEvent], after: State | None) -> list[tuple[str, dict[str, int]]]:
    """What is true of p's action, by the names of REASONS."""
    found: list[tuple[str, dict[str, int]]] = []
    own = [event for event in events if event.seat == p]
    for event in own:
        if event.kind == Event.MOORED:
            dock, space = divmod(event.location - Location.DOCK, components.DOCK_SPACES)
            others = [n for n in range(placement.open_spaces(s)) if n != space and s.dock[dock][n] == 0]
            if not others:
                found.append(("for.last_space", {"dock": dock + 1}))
        elif event.kind == Event.STONES_GAINED:
            found.append(("for.stones", {"stones": event.stones, "total": event.total}))
        elif event.kind == Event.RAISED:
            found.append(("for.strength", {"strength": event.strength}))
        elif event.kind == Event.TOKEN_GAINED:
            found.append(("for.token", {}))
    ship = next((event for event in own if event.kind in PLACED), None)
    if ship:
        passed = masks.count(skipped(s, p, placement.index_of(ship.location)))
        if passed:
            found.append(("against.passes", {"places": passed}))
    return found


def skipped(s: State, p: int, index: int) -> int:
    """The free places between p's last ship and a river index, as a set."""
    beyond: int = placement.DOWNSTREAM[s.frontier[p]]
    places = placement.free_locations(s, p) & beyond
    return sum(1 << n for n in range(placement.ALL_LOCATIONS.bit_length()) if places >> n & 1 and placement.index_of(n) < index)
