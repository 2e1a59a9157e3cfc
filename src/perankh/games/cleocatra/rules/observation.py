"""What a player sees, as numbers."""

from __future__ import annotations

from perankh.engine.api import Feature, add_bits, put, put_bits, put_digits, put_one_hot, put_row, rule, seat_after, seats_between

from . import rescue, rescuer_actions, tiles
from .components import COLOURS, INSPECTORS, KINDS, RESCUERS, SEATS, TILE_COUNTS, TILES
from .scoring import ENDINGS
from .state import PLAYERS, State, Step

HIGHEST_ROW, HIGHEST_COLUMN = 7, 14  # of the frame (CLE-G5)
SCORE_DIGITS, LIMIT_DIGITS, TURN_DIGITS = 2, 3, 5  # for the highest end score, the highest limit and any number of turns
DIGIT = 127
STEP_NAMES = [step.name.lower() for step in Step if step < Step.OVER]  # those at which somebody decides
STEPS = len(STEP_NAMES)
SEAT_NAMES = {"own": "own seat", "next": "next seat", "second": "second next seat", "third": "third next seat"}

FEATURES = (
    Feature(
        "tiles.row",
        "row of the tile, 0 if it is not laid; the action that chooses it is 16 x row + column",
        (TILES,),
        high=HIGHEST_ROW,
        axis="tile",
    ),
    Feature("tiles.column", "column of the tile", (TILES,), high=HIGHEST_COLUMN, axis="tile"),
    Feature("tiles.beside", "tiles that share an edge with the tile, and itself", (TILES, TILES), axis="tile"),
    *(Feature(f"tiles.colour_{colour}", f"the tile is {colour}", (TILES,), axis="tile") for colour in COLOURS),
    *(Feature(f"tiles.rescuer_{name}", f"a rescuer of the {which}", (TILES,), axis="tile") for name, which in SEAT_NAMES.items()),
    Feature("tiles.inspector", "1: an inspector; 2: the one put first in this Rescue", (TILES,), high=2, axis="tile"),
    Feature("tiles.loose", "it could be moved if there were no tokens on it", (TILES,), axis="tile"),
    Feature("tiles.fresh", "laid or moved in this turn", (TILES,), axis="tile"),
    Feature("tiles.chosen", "1: chosen first, lifted or origin of a move; 2: chosen to swap with", (TILES,), high=2, axis="tile"),
    Feature(
        "tiles.scoring",
        "1: scored by the Rescue under way; 2: by the Rescue that waits for the extra action; 3: both",
        (TILES,),
        high=3,
        axis="tile",
    ),
    Feature("tiles.returning", "a rescuer returns from here when the Rescue is over", (TILES,), axis="tile"),
    Feature("seats.hand", "rescuers in the hand", (SEATS,), high=RESCUERS, axis="seat"),
    Feature("seats.score", "points, in digits", (SEATS, SCORE_DIGITS), high=DIGIT, axis="seat"),
    Feature("seats.turn", "the seat on turn", (SEATS,), axis="seat"),
    Feature("seats.start", "the start player", (SEATS,), axis="seat"),
    Feature("seats.extra", "the seat that takes the extra action", (SEATS,), axis="seat"),
    Feature("deck.left", f"tiles face down: {', '.join(COLOURS)}", (KINDS,), high=max(TILE_COUNTS)),
    Feature("deck.revealed", "colour of the tile that is turned up", (KINDS,)),
    Feature("turn.step", f"what is to be decided: {', '.join(STEP_NAMES)}", (STEPS,)),
    Feature("turn.owed", "the turn has come to its second action"),
    Feature("turn.second", "the second inspector of the Princess is handled"),
    Feature("turn.turns", "turns completed, in digits", (TURN_DIGITS,), high=DIGIT),
    Feature("turn.over", "how the game ended, 0 while it goes on", high=len(ENDINGS)),
    Feature("table.inspectors", "inspectors beside the layout", high=INSPECTORS),
    Feature("table.players", "players at the table", low=PLAYERS[0], high=SEATS),
    Feature("options.mode", "hard mode"),
    Feature("options.start_player", "0: drawn at random; else 1 + how many seats after the own one", high=SEATS),
    Feature("options.inspector", "the first inspector of a Rescue goes to the tile scored"),
    Feature("options.inspector_move", "one inspector has to move when all are out"),
    Feature("options.assistants", "all own rescuers beside the tile scored give a point"),
    Feature("options.end", "the game ends with the turn, not with the round"),
    Feature("options.end_score", "points that bring the end, in digits", (SCORE_DIGITS,), high=DIGIT),
    Feature("options.extra_self", "the scoring player may get the extra action"),
    Feature("options.turn_limit", "turns after which the round is the last, in digits", (LIMIT_DIGITS,), high=DIGIT),
)
DERIVED = ("laid", "sites")  # tiles that have a row; while a tile is to be laid, the empty cells beside tiles


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """What FEATURES lists: tiles in the order in which they were laid, seats from p on."""
    for t in range(TILES):
        out[t] = s.cell[t] >> 4
        out[TILES + t] = s.cell[t] & 15
    i = 2 * TILES
    for t in range(TILES):
        i = put_bits(out, i, s.neighbours[t] | tiles.layout(s) & 1 << t, TILES)
    for c in range(KINDS):
        i = put_bits(out, i, s.colour[c], TILES)
    for k in range(SEATS):
        i = put_bits(out, i, s.rescuers[seat_after(s, p, k)], TILES)
    put_bits(out, i, s.inspectors, TILES)
    i = add_bits(out, i, s.inspector_put, TILES, 1)
    i = put_bits(out, i, s.loose, TILES)
    i = put_bits(out, i, s.fresh, TILES)
    put_bits(out, i, s.chosen, TILES)
    i = add_bits(out, i, s.other, TILES, 2)
    put_bits(out, i, s.scoring, TILES)
    i = add_bits(out, i, s.interrupted, TILES, 2)
    i = put_bits(out, i, s.returning, TILES)
    i = observe_seats(s, p, out, i)
    i = put_row(out, i, s.deck, KINDS)
    i = put_one_hot(out, i, s.revealed - 1, KINDS)
    i = put_one_hot(out, i, s.step, STEPS)
    i = put(out, i, s.owed)
    i = put(out, i, s.second)
    i = put_digits(out, i, s.turns, TURN_DIGITS)
    i = put(out, i, s.over)
    i = put(out, i, rescue.unused_inspectors(s))
    i = put(out, i, s.players)
    i = put(out, i, s.mode)
    i = put(out, i, 1 + seats_between(s, p, s.start_player))
    i = put(out, i, s.inspector)
    i = put(out, i, s.inspector_move)
    i = put(out, i, s.assistants)
    i = put(out, i, s.end)
    i = put_digits(out, i, s.end_score, SCORE_DIGITS)
    i = put(out, i, s.extra_self)
    return put_digits(out, i, s.turn_limit, LIMIT_DIGITS)


@rule
def observe_seats(s: State, p: int, out: list[int], i: int) -> int:
    """Hands, points, and who is on turn, has started and takes the extra action."""
    for k in range(SEATS):
        i = put(out, i, hand_after(s, p, k))
    for k in range(SEATS):
        i = put_digits(out, i, s.score[seat_after(s, p, k)], SCORE_DIGITS)
    i = put_one_hot(out, i, seats_between(s, p, s.turn), SEATS)
    i = put_one_hot(out, i, seats_between(s, p, s.start), SEATS)
    return put_one_hot(out, i, seats_between(s, p, s.extra - 1), SEATS)


@rule
def hand_after(s: State, p: int, k: int) -> int:
    """Rescuers in the hand of the seat k places after p, 0 if nobody sits there."""
    return rescuer_actions.hand(s, seat_after(s, p, k)) if k < s.players else 0
