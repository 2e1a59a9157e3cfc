"""The state of a game of Nile Mural."""

from enum import IntEnum

from perankh.engine.api import Record, choice, flag, number, numbers, seat, subset, subsets

from .components import ANKH_SETS, CARDS, COMBO_TABLES, MAPS, TRACK_POINTS

PLAYERS = range(2, 5)


class Step(IntEnum):
    """What the player on turn has to do."""

    PLACE = 0
    TAKE = 1
    OVER = 2


class State(Record):
    """The table of Nile Mural. Every card is in exactly one of unseen, row, wall and the hands."""

    area_map: int = choice(*MAPS)  # which sheet lies on the table
    ankh_set: int = choice(*ANKH_SETS)  # which cards bear an ankh
    combo_table: int = choice(*COMBO_TABLES)  # the bonus by cards placed
    track_points: int = choice(*TRACK_POINTS)  # the points by place
    start_player: int = seat()  # who begins
    last_turn_bonus: int = flag(True)  # the turn that places the last card earns its bonus

    step: int = number("i1")  # what the player on turn has to do
    turn: int = number("i1")  # seat on turn
    placed: int = number("i1")  # cards placed in this turn, 0-10
    pawn: int = number("i1")  # card placed last, -1 before the first
    takes: int = number("i1")  # cards still to be taken in this TAKE
    ending_turn: int = number("i1")  # 1 if the takes are the combo bonus, 0 if they are an ankh's
    unseen: list[int] = subset(CARDS)  # cards in the deck; veiled, also the cards of other hands that came from the deck
    row: list[int] = subset(CARDS)  # cards beside the wall, free for all
    wall: list[int] = subset(CARDS)  # cards on their cells
    hand: list[list[int]] = subsets(4, CARDS)  # cards of each hand
    public: list[int] = subset(CARDS)  # cards of any hand that came from the row, so that everybody knows them
    deck: int = number("i1")  # cards in the deck
    secret: list[int] = numbers("i1", 4)  # cards of each hand that came from the deck
    track: list[list[int]] = numbers("i2", 3, 4)  # [track][seat] marker, MISS at most 0
