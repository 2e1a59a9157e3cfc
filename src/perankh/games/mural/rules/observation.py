"""What a player sees, as numbers."""

from perankh.engine.api import Feature, add_set, put, put_digits, put_one_hot, put_set, rule, seat_after, seats_between, sets

from .components import (
    ANKH_SETS,
    AREA_VALUE,
    CARDS,
    COMBO_CARDS,
    COMBO_STEPS,
    COMBO_TABLES,
    MAPS,
    MOST_PLACEMENTS,
    SHADOW,
    TRACK_POINTS,
    Track,
)
from .state import PLAYERS, State, Step

SEATS = PLAYERS[-1]
MOST_COMBO = max(CARDS * steps // (n + 1) for row in COMBO_STEPS for n, steps in enumerate(row))  # all cards in such turns
COMBO_DIGITS = 1 if MOST_COMBO < 128 else 2
COMBO_SHAPE = (SEATS,) if COMBO_DIGITS == 1 else (SEATS, COMBO_DIGITS)
MOST_AREA = max(sum(values) for values in AREA_VALUE)
MOST_MISSES = sum(any(sets.has(shadow, card) for shadow in SHADOW) for card in range(CARDS))  # a card is missed once at most
MOST_TAKES = max(1, *(max(row) for row in COMBO_CARDS))  # an ankh gives one
STEPS = int(Step.OVER)  # those at which somebody decides
MORE_MAPS, MORE_ANKH_SETS = len(MAPS) - 1, len(ANKH_SETS) - 1  # beside the first: with one only there is nothing to see
MORE_COMBO_TABLES, MORE_TRACK_POINTS = len(COMBO_TABLES) - 1, len(TRACK_POINTS) - 1
HANDS = "own hand: 1 secret, 2 known to all; other hands, if known to all: -1 to -3, so many seats after the own one"
ALL_FEATURES = (
    Feature("cards.table", "1 on the wall, -1 in the row beside it", (CARDS,), low=-1, axis="card"),
    Feature("cards.hands", HANDS, (CARDS,), low=1 - SEATS, high=2, axis="card"),
    Feature("cards.pawn", "the card placed last: the pawn stands there", (CARDS,), axis="card"),
    Feature("seats.combo", "place on the Combo track", COMBO_SHAPE, high=min(MOST_COMBO, 127), axis="seat"),
    Feature("seats.area", "place on the Area track", (SEATS,), high=MOST_AREA, axis="seat"),
    Feature("seats.miss", "place on the Miss track", (SEATS,), low=-MOST_MISSES, high=0, axis="seat"),
    Feature("seats.secret", "cards in the hand that came from the deck", (SEATS,), high=CARDS, axis="seat"),
    Feature("seats.turn", "the seat on turn", (SEATS,), axis="seat"),
    Feature("turn.step", "what is to be done: place a card, or take one; neither when the game is over", (STEPS,)),
    Feature("turn.placed", "how many cards were placed in this turn", (MOST_PLACEMENTS + 1,)),
    Feature("turn.takes", "cards still to be taken", high=MOST_TAKES),
    Feature("turn.bonus", "these cards are the bonus at the end of the turn"),
    Feature("table.deck", "cards in the deck", high=CARDS),
    Feature("table.players", "players at the table", low=PLAYERS[0], high=SEATS),
    Feature("options.start_player", "0: drawn at random; else 1 + how many seats after the own one", high=SEATS),
    Feature("options.area_map", "the sheet on the table, none for the first", (MORE_MAPS,)),
    Feature("options.ankh_set", "which cards bear an ankh, none for the first set", (MORE_ANKH_SETS,)),
    Feature("options.combo_table", "which bonus table is used, none for the first", (MORE_COMBO_TABLES,)),
    Feature("options.track_points", "which points the places give, none for the first set", (MORE_TRACK_POINTS,)),
    Feature("options.last_turn_bonus", "the turn that places the last card earns its bonus"),
)
FEATURES = tuple(feature for feature in ALL_FEATURES if feature.size)
DERIVED = ("unseen",)  # every card that is nowhere else


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """What FEATURES lists, seats from p on."""
    put_set(out, 0, s.wall, CARDS)
    i = add_set(out, 0, s.row, CARDS, -1)
    put_set(out, i, s.hand[p], CARDS)
    add_set(out, i, s.public, CARDS, 1)
    for k in range(1, SEATS):
        add_set(out, i, s.hand[seat_after(s, p, k)], CARDS, -k - 1)
    i += CARDS
    i = put_one_hot(out, i, s.pawn, CARDS)
    for k in range(SEATS):
        i = put_digits(out, i, s.track[Track.COMBO][seat_after(s, p, k)], COMBO_DIGITS)
    for k in range(SEATS):
        i = put(out, i, s.track[Track.AREA][seat_after(s, p, k)])
    for k in range(SEATS):
        i = put(out, i, s.track[Track.MISS][seat_after(s, p, k)])
    for k in range(SEATS):
        i = put(out, i, s.secret[seat_after(s, p, k)])
    i = put_one_hot(out, i, seats_between(s, p, s.turn), SEATS)
    i = put_one_hot(out, i, s.step, STEPS)
    i = put_one_hot(out, i, s.placed, MOST_PLACEMENTS + 1)
    i = put(out, i, s.takes)
    i = put(out, i, s.ending_turn)
    i = put(out, i, s.deck)
    i = put(out, i, s.players)
    i = put(out, i, 1 + seats_between(s, p, s.start_player))
    i = put_one_hot(out, i, s.area_map - 1, MORE_MAPS)
    i = put_one_hot(out, i, s.ankh_set - 1, MORE_ANKH_SETS)
    i = put_one_hot(out, i, s.combo_table - 1, MORE_COMBO_TABLES)
    i = put_one_hot(out, i, s.track_points - 1, MORE_TRACK_POINTS)
    return put(out, i, s.last_turn_bonus)
