"""What a player sees of Cleocatra as a row of numbers, for learning."""

from __future__ import annotations

from perankh.engine.api import rule

from .table import CELLS, INSPECTORS, KINDS, OVER, RESCUERS, SEATS, State, count

MOST = 32767  # features fit 16 bits
# Planes of one number a cell, then numbers about seats, deck, step, turn and options.
PLANES = KINDS + SEATS + 5
OBSERVATION = PLANES * CELLS + 4 * SEATS + 2 * KINDS + (OVER + 1) + 15


@rule
def observe(s: State, p: int, out: list[int]) -> None:
    """Planes of the layout, cell by cell as the actions are numbered, then the table; seats counted from p."""
    for i in range(PLANES * CELLS):
        out[i] = 0
    for t in range(s.laid):
        observe_tile(s, p, t, out)
    n = observe_seats(s, p, PLANES * CELLS, out)
    for c in range(KINDS):
        out[n] = s.deck[c]
        out[n + 1] = 1 if s.revealed == c + 1 else 0
        n += 2
    for step in range(OVER + 1):
        out[n] = 1 if s.step == step else 0
        n += 1
    out[n], out[n + 1], out[n + 2], out[n + 3] = s.players, INSPECTORS - count(s.inspectors), min(s.turns, MOST), s.over
    out[n + 4], out[n + 5], out[n + 6] = s.owed, s.second, 1 if s.extra else 0
    out[n + 7], out[n + 8], out[n + 9], out[n + 10] = s.mode, s.inspector, s.inspector_move, s.assistants
    out[n + 11], out[n + 12], out[n + 13], out[n + 14] = s.end, s.end_score, s.extra_self, min(s.turn_limit, MOST)


@rule
def observe_tile(s: State, p: int, t: int, out: list[int]) -> None:
    """Colour, rescuers from p's seat on, inspector (2: just put), and the tile's part in the choice under way."""
    i = int(s.cell[t])
    for c in range(KINDS):
        out[i] = (s.colour[c] >> t) & 1
        i += CELLS
    for q in range(SEATS):
        if q < s.players:
            out[i] = (s.rescuers[(p + q) % s.players] >> t) & 1
        i += CELLS
    out[i] = ((s.inspectors >> t) & 1) + ((s.inspector_put >> t) & 1)
    out[i + CELLS] = (s.fresh >> t) & 1
    out[i + 2 * CELLS] = ((s.chosen >> t) & 1) + 2 * ((s.other >> t) & 1)
    out[i + 3 * CELLS] = ((s.scoring >> t) & 1) + 2 * ((s.interrupted >> t) & 1)
    out[i + 4 * CELLS] = (s.returning >> t) & 1


@rule
def observe_seats(s: State, p: int, n: int, out: list[int]) -> int:
    """Hand, points, being on turn and having started, of each seat from p's on."""
    for i in range(SEATS):
        q = (p + i) % s.players
        present = i < s.players
        out[n] = RESCUERS - count(s.rescuers[q]) if present else 0
        out[n + 1] = s.score[q] if present else 0
        out[n + 2] = 1 if present and s.turn == q else 0
        out[n + 3] = 1 if present and s.start == q else 0
        n += 4
    return n
