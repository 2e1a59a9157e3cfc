"""What speaks for and against a move: facts of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from perankh.engine.api import GameEvent

from ..rules import ships
from ..rules.components import Site
from ..rules.events import Event
from ..rules.state import State

REASONS = (
    *(f"for.carries.{site.name.lower()}" for site in Site),
    *(f"against.carries_others.{site.name.lower()}" for site in Site),
    *("for.ready", "for.aboard", "for.sled", "for.obelisk"),
)


def reasons(s: State, p: int, a: int, events: Sequence[GameEvent], after: State | None) -> list[tuple[str, dict[str, int]]]:
    """What is true of p's action, by the names of REASONS."""
    found: list[tuple[str, dict[str, int]]] = []
    for event in events:
        if event.kind == Event.SAILED:
            own = list(s.cargo[event.ship]).count(1 + p)
            site, others = Site(event.site).name.lower(), ships.load_of(s, event.ship) - own
            if own:
                found.append((f"for.carries.{site}", {"stones": own, "others": others}))
            else:
                found.append((f"against.carries_others.{site}", {"stones": others}))
        elif event.kind == Event.LOADED and event.seat == p:
            own = list(s.cargo[event.ship]).count(1 + p) + 1
            if own > 1:
                found.append(("for.aboard", {"stones": own}))
            if ships.ready(s, event.ship, 1) and not ships.ready(s, event.ship, 0):
                found.append(("for.ready", {}))
        elif event.kind == Event.FETCHED and event.stones:
            found.append(("for.sled", {"stones": s.sled[p] + event.stones}))
    if after is not None:
        before, then = (max(state.obelisk[q] for q in range(s.players) if q != p) for state in (s, after))
        if s.obelisk[p] <= before and after.obelisk[p] > then:
            found.append(("for.obelisk", {"stones": after.obelisk[p]}))
    return found
