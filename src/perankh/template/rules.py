"""New Game: take one to three stones from the heap in turn; the last stone wins.

Replace this by your game. The names in capitals and the functions that are explained in `perankh.engine.contract` are what every
game offers; everything else is yours. The ids in brackets are the clauses of rules.md.
"""

from __future__ import annotations

from perankh.engine.api import (
    EventKind,
    Feature,
    Record,
    below,
    components,
    number,
    put,
    put_one_hot,
    rule,
    seat,
    seats_between,
    tell,
)

COMPONENTS = components(__file__)
STONES = COMPONENTS.whole("heap", "stones", 1, 100)
MOST_TAKEN = COMPONENTS.whole("heap", "most_taken", 1, 9)

PLAYERS = range(2, 5)
SEATS = PLAYERS[-1]
ACTIONS = MOST_TAKEN  # action a: take a + 1 stones
ENDINGS = ("heap_empty",)
VERSION = 1
INVARIANTS = ("stones are never put back", "somebody at the table is on turn")


class Event(EventKind):
    """What happens, with the names of its values."""

    TOOK = "count", "left"
    WON = "points"


class State(Record):
    """The table."""

    start_player: int = seat()  # an option: who begins
    stones: int = number("i1")  # stones in the heap
    turn: int = number("i1")  # seat to move; when the heap is empty, the winner


@rule
def setup(s: State) -> None:
    """Put the stones in a heap; the start player begins (GAME-S1)."""
    s.stones = STONES
    s.turn = below(s, s.players) if s.start_player < 0 else s.start_player


@rule
def actors(s: State) -> int:
    """The seat to move, until the heap is empty (GAME-T1)."""
    return 1 << s.turn if s.stones > 0 else 0


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """One stone or more, as many as there are (GAME-T1)."""
    n = min(MOST_TAKEN, s.stones)
    for a in range(n):
        out[a] = a
    return n


@rule
def apply(s: State, p: int, a: int) -> None:
    """Take stones; whoever takes the last one wins (GAME-T1, GAME-E1)."""
    s.stones -= a + 1
    tell(s, Event.TOOK, p, a + 1, s.stones)
    if s.stones == 0:
        tell(s, Event.WON, p, 1)
    else:
        s.turn = (p + 1) % s.players


@rule
def ending(s: State) -> int:
    """The heap is empty (GAME-E1)."""
    return 1 if s.stones == 0 else 0


@rule
def scores(s: State, out: list[int]) -> None:
    """One point for the last stone (GAME-E1)."""
    for p in range(s.players):
        out[p] = 1 if s.stones == 0 and s.turn == p else 0


FEATURES = (  # what learners see, in the order in which observe writes it
    Feature("heap.stones", "stones in the heap", high=STONES),
    Feature("seats.turn", "the seat to move, from the own one on", (SEATS,), axis="seat"),
    Feature("table.players", "players at the table", low=PLAYERS[0], high=SEATS),
    Feature("options.start_player", "0: drawn at random; else 1 + how many seats after the own one", high=SEATS),
)


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """The heap, who is to move as seen from p, and the options."""
    i = put(out, 0, s.stones)
    i = put_one_hot(out, i, seats_between(s, p, s.turn), SEATS)
    i = put(out, i, s.players)
    return put(out, i, 1 + seats_between(s, p, s.start_player))


@rule
def violated(s: State, before: State) -> int:
    """The first invariant that does not hold, counted from 1, or 0."""
    if s.stones > before.stones:
        return 1
    return 2 if s.turn < 0 or s.turn >= s.players else 0
