"""What a player sees, as numbers."""

from perankh.engine.api import put, put_one_hot, put_set, rule, sets

from .components import CARDS
from .state import State


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """Sets of cards: row, wall, own hand, its public part, others' public cards; the pawn; each seat from p on; the turn."""
    i = put_set(out, 0, s.row, CARDS)
    i = put_set(out, i, s.wall, CARDS)
    i = put_set(out, i, s.hand[p], CARDS)
    i = put_set(out, i, s.public, CARDS)
    for k in range(1, 4):
        for card in range(CARDS):
            i = put(out, i, 1 if k < s.players and sets.has(s.hand[(p + k) % s.players], card) else 0)
    i = put_one_hot(out, i, s.pawn, CARDS)
    for k in range(4):
        q = (p + k) % s.players
        here = 1 if k < s.players else 0
        for track in range(3):
            i = put(out, i, here * s.track[track][q])
        i = put(out, i, here * s.secret[q])
        i = put(out, i, 1 if here and s.turn == q else 0)
    i = put(out, i, s.players)
    i = put(out, i, s.step)
    i = put(out, i, s.placed)
    i = put(out, i, s.takes)
    i = put(out, i, s.ending_turn)
    i = put(out, i, s.deck)
    i = put(out, i, s.area_map)
    i = put(out, i, s.ankh_set)
    i = put(out, i, s.combo_table)
    i = put(out, i, s.track_points)
    return put(out, i, s.last_turn_bonus)
