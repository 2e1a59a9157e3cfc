"""The end of the game, points and places."""

from __future__ import annotations

from perankh.engine.api import rule, tell

from .components import SEATS
from .events import Event
from .state import End, State

ENDINGS = ("score", "turn_limit")
TRUNCATING = ("turn_limit",)


@rule
def end_score_reached(s: State) -> bool:
    """Has anybody the points that bring the end? (CLE-E1)"""
    for p in range(SEATS):
        if s.score[p] >= s.end_score:
            return True
    return False


@rule
def reason_to_end(s: State) -> int:
    """The score is reached and the round complete, or the limit of turns is (CLE-E1, CLE-E4)."""
    round_complete = s.turns % s.players == 0
    if end_score_reached(s) and (round_complete or s.end == End.TURN):
        return 1
    if s.turn_limit > 0 and s.turns >= s.turn_limit and round_complete:
        return 2
    return 0


@rule
def tell_end(s: State) -> None:
    """Say why the game is over and who has won (CLE-E3)."""
    tell(s, Event.GAME_OVER, -1, s.over)
    for p in range(s.players):
        if place(s, p) == 1:
            tell(s, Event.WON, p, s.score[p])


@rule
def ending(s: State) -> int:
    """Score or turn limit (CLE-E1)."""
    return s.over


@rule
def scores(s: State, out: list[int]) -> None:
    """The points; those beyond the end score count (CLE-E2)."""
    for p in range(s.players):
        out[p] = s.score[p]


@rule
def place(s: State, p: int) -> int:
    """Most points win, equal points together (CLE-E3)."""
    ahead = 0
    for q in range(s.players):
        if s.score[q] > s.score[p]:
            ahead += 1
    return 1 + ahead


@rule
def ranks(s: State, out: list[int]) -> None:
    """The place of each player (CLE-E3)."""
    for p in range(s.players):
        out[p] = place(s, p)
