"""What speaks for and against a move: facts of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from perankh.engine.api import GameEvent

from ..rules import scoring
from ..rules.events import Event
from ..rules.state import State

REASONS = ("for.bid", "for.throw", "against.pass")


def reasons(s: State, p: int, a: int, events: Sequence[GameEvent], after: State | None) -> list[tuple[str, dict[str, int]]]:
    """What is true of p's action, by the names of REASONS."""
    found: list[tuple[str, dict[str, int]]] = []
    for event in events:
        if event.seat != p:
            continue
        if event.kind == Event.BID:
            found.append(("for.bid", {"points": scoring.printed_points(s.lot[event.slot])}))
        elif event.kind == Event.THROW_BEGAN and event.lot:
            found.append(("for.throw", {"points": scoring.printed_points(s.lot[s.slot])}))
        elif event.kind == Event.PASSED:
            found.append(("against.pass", {"points": scoring.printed_points(s.lot[s.slot])}))
    return found
