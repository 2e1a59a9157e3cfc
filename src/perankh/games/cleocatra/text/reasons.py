"""What speaks for and against a move: facts of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from perankh.engine.api import GameEvent

from ..rules import rescue, tiles
from ..rules.events import Event
from ..rules.state import State

REASONS = ("for.colours", "against.colours", "for.blocks", "for.end")


def reasons(s: State, p: int, a: int, events: Sequence[GameEvent], after: State | None) -> list[tuple[str, dict[str, int]]]:
    """What is true of p's action, by the names of REASONS."""
    found: list[tuple[str, dict[str, int]]] = []
    for event in events:
        if event.kind in (Event.INSPECTOR_PUT, Event.INSPECTOR_MOVED):
            others = [q for q in range(s.players) if q != p and s.rescuers[q] >> event.tile & 1]
            found += [("for.blocks", {"seat": q}) for q in others]
        elif event.kind == Event.END_SCORE_REACHED:
            found.append(("for.end", {"end_score": event.end_score}))
    if after is not None and not any(event.kind == Event.RESCUED for event in events):
        before, then = most_colours(s, p), most_colours(after, p)
        if before != then:
            found.append(("for.colours" if then > before else "against.colours", {"before": before, "colours": then}))
    return found


def most_colours(s: State, p: int) -> int:
    """The most colours on and around a tile that p may score now."""
    open_to = [1 << tile for tile in range(s.laid) if rescue.scorable(s, p) >> tile & 1]
    return max((rescue.count_colours(s, tile | tiles.beside(s, tile)) for tile in open_to), default=0)
