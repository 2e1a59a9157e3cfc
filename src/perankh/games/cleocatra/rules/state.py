"""The state of a game of Cleocatra."""

from __future__ import annotations

from enum import IntEnum

from perankh.engine.api import Record, flag, number, numbers, option, seat, subset, whole

from .components import END_SCORE, KINDS, SEATS, TILES

PLAYERS = range(2, 5)
CELLS = 144  # a cell is 16 * row + col; the frame keeps the layout within 9 rows and 16 columns (CLE-G4 to CLE-G6)


class Step(IntEnum):
    """What is to be decided now."""

    SETUP_CELL = 0
    ACTION1 = 1
    ACTION2 = 2
    EXTRA = 3
    SCOUT_CELL = 4
    SEARCH_TILE = 5
    SEARCH_CELL = 6
    SWAP_OWN = 7
    SWAP_OTHER = 8
    SWAP_OWNER = 9
    TEAM_CELL = 10
    HERD_FROM = 11
    HERD_TO = 12
    RESCUE_TILE = 13
    COUNT_TILE = 14
    INSPECTOR_FROM = 15
    INSPECTOR_TO = 16
    MUT = 17
    ANY_TILE = 18
    RELOCATE_FROM = 19
    RELOCATE_TO = 20
    OVER = 21
    EXTRA_DONE = 22  # these two only within `apply`: what it goes on with
    TURN_DONE = 23


class Action(IntEnum):
    """The actions that are no cells; those below choose a cell. OWNER and the three after it choose a seat."""

    SCOUT = 144
    SEARCH = 145
    SWAP = 146
    DISPATCH = 147
    TEAM_UP = 148
    RESCUE = 149
    HERD = 150
    DECLINE = 151
    KEEP = 152
    TAKE_BACK = 153
    OWNER = 154


ACTIONS = Action.OWNER + SEATS


class Mode(IntEnum):
    """Values of the option `mode`."""

    BASIC = 0
    HARD = 1


class FirstInspector(IntEnum):
    """Values of the option `inspector`."""

    FREE = 0
    SCORED = 1


class InspectorMove(IntEnum):
    """Values of the option `inspector_move`."""

    MAY = 0
    MUST = 1


class Assistants(IntEnum):
    """Values of the option `assistants`."""

    COUNTED = 0
    ALL = 1


class End(IntEnum):
    """Values of the option `end`."""

    ROUND = 0
    TURN = 1


class State(Record):
    """The tiles, the tokens, and how far the turn has got. Tiles are kept as sets: bit t for tile t."""

    mode: int = option(Mode)  # hard adds Herd and the powers of the cats (CLE-H1)
    start_player: int = seat()  # who begins
    inspector: int = option(FirstInspector)  # where the first inspector of a Rescue goes
    inspector_move: int = option(InspectorMove)  # whether one of three inspectors has to move
    assistants: int = option(Assistants)  # which own rescuers beside the scoring tile give a point
    end: int = option(End)  # when the game ends once the score is reached
    end_score: int = whole(END_SCORE, 1, 1000, samples=(END_SCORE, 5))  # points that bring the end
    extra_self: int = flag(True)  # whether the scoring player may get the extra action
    turn_limit: int = whole(0, 0, 100000, samples=(0, 24))  # turns after which the round is the last, 0: none

    deck: list[int] = numbers("i1", KINDS)  # tiles of each colour still face down
    laid: int = number("i1")  # tiles in the layout, 0 to 13
    cell: list[int] = numbers("i2", TILES)  # where each tile lies, 0 if not laid
    neighbours: list[int] = numbers("i2", TILES)  # the set of tiles beside each tile; kept for speed
    loose: int = number("i2")  # the set of tiles neither surrounded nor needed by the others; kept for speed
    sites: list[int] = subset(CELLS)  # cells for the tile that is turned up or lifted, empty if there is none
    colour: list[int] = numbers("i2", KINDS)  # the set of tiles of each colour in the layout
    rescuers: list[int] = numbers("i2", SEATS)  # the set of tiles with a rescuer of each seat
    inspectors: int = number("i2")  # the set of tiles with an inspector
    score: list[int] = numbers("i2", SEATS)  # points of each seat

    start: int = number("i1")  # the start player
    turn: int = number("i1")  # seat on turn, or setting up
    turns: int = number("i4")  # turns completed
    over: int = number("i1")  # 0, or 1 + the index of the reason in ENDINGS
    step: int = number("i1")  # what is to be decided
    owed: int = number("i1")  # 1 once the turn has come to its second action, else 0
    revealed: int = number("i1")  # 1 + colour of a tile that is turned up and not yet laid, 0: none
    fresh: int = number("i2")  # the tile laid or moved in this turn
    chosen: int = number("i2")  # the first tile of a choice in two steps (what is lifted, where it comes from)
    other: int = number("i2")  # the tile chosen for the rescuer to swap with
    extra: int = number("i1")  # 1 + seat that takes the extra action of Cleocatra, 0: none
    interrupted: int = number("i2")  # the scoring tile of the Rescue that waits for the extra action
    scoring: int = number("i2")  # the scoring tile of the Rescue under way
    returning: int = number("i2")  # tiles from which rescuers return when that Rescue is over
    inspector_put: int = number("i2")  # where the first inspector of that Rescue went
    second: int = number("i1")  # 1 while the second inspector of the Princess is handled
