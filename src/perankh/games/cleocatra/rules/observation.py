"""What a player sees, as numbers."""

from __future__ import annotations

from perankh.engine.api import put, put_one_hot, rule

from . import rescue, rescuer_actions
from .components import KINDS, SEATS
from .state import CELLS, State, Step

MOST = 32767  # features fit 16 bits
PLANES = KINDS + SEATS + 5  # of one number a cell
STEPS = Step.OVER + 1


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """Planes of the layout, cell by cell as the actions are numbered, then seats from p on, deck, step, turn and options."""
    i = PLANES * CELLS
    for k in range(i):
        out[k] = 0
    for t in range(s.laid):
        observe_tile(s, p, t, out)
    for k in range(SEATS):
        i = observe_seat(s, (p + k) % s.players, k < s.players, out, i)
    for c in range(KINDS):
        i = put(out, i, s.deck[c])
        i = put(out, i, 1 if s.revealed == c + 1 else 0)
    i = put_one_hot(out, i, s.step, STEPS)
    i = put(out, i, s.players)
    i = put(out, i, rescue.unused_inspectors(s))
    i = put(out, i, min(s.turns, MOST))
    i = put(out, i, s.over)
    i = put(out, i, s.owed)
    i = put(out, i, s.second)
    i = put(out, i, 1 if s.extra else 0)
    i = put(out, i, s.mode)
    i = put(out, i, s.inspector)
    i = put(out, i, s.inspector_move)
    i = put(out, i, s.assistants)
    i = put(out, i, s.end)
    i = put(out, i, s.end_score)
    i = put(out, i, s.extra_self)
    return put(out, i, min(s.turn_limit, MOST))


@rule
def observe_tile(s: State, p: int, t: int, out: list[int]) -> None:
    """Colour, rescuers from p's seat on, inspector (2: just put), and the tile's part in the choice under way."""
    i = s.cell[t]
    for c in range(KINDS):
        out[i + CELLS * c] = (s.colour[c] >> t) & 1
    i += CELLS * KINDS
    for k in range(s.players):
        out[i + CELLS * k] = (s.rescuers[(p + k) % s.players] >> t) & 1
    i += CELLS * SEATS
    out[i] = ((s.inspectors >> t) & 1) + ((s.inspector_put >> t) & 1)
    out[i + CELLS] = (s.fresh >> t) & 1
    out[i + 2 * CELLS] = ((s.chosen >> t) & 1) + 2 * ((s.other >> t) & 1)
    out[i + 3 * CELLS] = ((s.scoring >> t) & 1) + 2 * ((s.interrupted >> t) & 1)
    out[i + 4 * CELLS] = (s.returning >> t) & 1


@rule
def observe_seat(s: State, q: int, present: bool, out: list[int], i: int) -> int:
    """Hand, points, being on turn and having started."""
    i = put(out, i, rescuer_actions.hand(s, q) if present else 0)
    i = put(out, i, s.score[q] if present else 0)
    i = put(out, i, 1 if present and s.turn == q else 0)
    return put(out, i, 1 if present and s.start == q else 0)
