"""The state of a game of Egizia: actions, steps, phases, values of the options, and the record.

Seats, Nile cards, Sphinx cards, statues and tiles are written as 1 + their number where 0 means "none"; the comments say so.
"""

from __future__ import annotations

from enum import IntEnum

from perankh.engine.api import Record, choice, flag, number, numbers, option, whole

from . import components
from .components import CARD_SPACES, DOCK_SPACES, DOCKS, NUMBER_OF_CREWS, NUMBER_OF_MARKETS, SEATS, STATUES_IN_PLAY, TILE_SPACES

PLAYERS = range(2, 5)


class Location(IntEnum):
    """The first location of each kind."""

    CARD = 0  # card spaces C1 to C10
    TILE = CARD_SPACES  # tile spaces T1 to T7
    DOCK = CARD_SPACES + TILE_SPACES  # dock spaces D1.1 to D3.3
    BANK = CARD_SPACES + TILE_SPACES + DOCKS * DOCK_SPACES  # banks for speculation D1.s to D3.s


LOCATIONS = Location.BANK + DOCKS


class Action(IntEnum):
    """The first action of each kind; to it is added what the comment says."""

    PASS = 0  # place no more ships this round
    NONE = 1  # use nothing, keep nothing
    FINISH = 2  # put no more bricks
    BUILD = 3  # build at this dock
    DECLINE = 4  # do not build at this dock
    PLACE = 5  # + location
    CREW = PLACE + LOCATIONS  # + crew
    RING = CREW + NUMBER_OF_CREWS  # + position - 1
    CARD = RING + components.RING_POSITIONS  # + Nile card to use, to take or (a field, STARTER included) to improve
    BONUS = CARD + components.FIELD_IDS  # + colonnade tile to use
    TOKEN = BONUS + components.BONUS_TILES  # use a speculation token
    SPHINX = TOKEN + 1  # + Sphinx card to keep, or to return next
    FEED = SPHINX + components.SPHINX_CARDS  # + stones given for missing grain, 0 to 25
    SELL = FEED + components.STORE + 1  # + groups of surplus grain sold
    NUMBER = SELL + components.SELL_MOST + 1  # + Sphinx cards to draw - 1
    OBELISK = NUMBER + max(components.SPHINX_MOST)  # a brick on the obelisk
    COLUMN = OBELISK + 1  # a brick on the own next column
    STATUE = COLUMN + 1  # + place of the statue, 0 to 2
    ROW = STATUE + STATUES_IN_PLAY  # + row of the pyramid, 0 at the bottom
    MARKET = ROW + components.PYRAMID_ROWS  # + market


ACTIONS = Action.MARKET + NUMBER_OF_MARKETS


class Step(IntEnum):
    """What is to be decided."""

    START = 0  # which of the two Sphinx cards dealt is kept
    LOCATION = 1  # where a ship goes
    OCCUPIED = 2  # by which ability it goes to an occupied tile
    UPSTREAM = 3  # by which ability it goes upstream
    DOUBLE = 4  # whether the tile is carried out twice
    RAISE = 5  # which crew rises
    LOWER = 6  # which crew goes down
    RING = 7  # where the ring goes
    ATTACH = 8  # which field is improved
    SECOND = 9  # whether a second ship is placed
    LEFTOVER = 10  # whether a card left on the river is taken
    GRAIN = 11  # which grain card is played
    FEED = 12  # how many stones are given for grain
    SELL = 13  # how much surplus grain is sold
    BUILD = 14  # build or decline
    BASIC = 15  # which basic crew builds
    BASIC2 = 16  # whether a second one joins
    LEADER = 17  # whether the leader joins
    POWER = 18  # which power card is played
    SPACE = 19  # where the next brick goes
    NUMBER = 20  # how many Sphinx cards are drawn
    KEEP = 21  # which Sphinx card is kept
    KEEP_MORE = 22  # whether a keep-two card is played
    KEEP_SECOND = 23  # which second Sphinx card is kept
    RETURN = 24  # which Sphinx card goes back next
    MARKET = 25  # on which market one moves up
    LATE = 26  # whether a waiting ship builds last
    OVER = 27
    GO_ON = 28  # only within a move: nothing to decide


class Phase(IntEnum):
    """The phases of a round, between set-up and end."""

    SETUP = 0
    TRAINING = 1
    PLACEMENT = 2
    LEFTOVER = 3
    FEEDING = 4
    BUILDING = 5
    END = 6


class Final(IntEnum):
    """Parts of the final scoring."""

    MAJORITY = 0
    NILE = 1
    SPHINX = 2
    STATUES = 3
    STONES = 4


class Touched(IntEnum):
    """Bits for what a build at the first dock has touched."""

    ABOVE = 1  # the obelisk above the double line
    BELOW = 2  # the obelisk below it
    COLUMN = 4


CLOSED_SPACE = -1  # on a tile space
PARTS_OF_FINAL = len(Final)
DRAWS = components.ROUNDS * SEATS  # Sphinx builds in a game, at most one a player and round
TAPE = components.SPHINX_CARDS + components.ROUNDS * (sum(components.SPHINX_MOST) + max(components.SPHINX_MOST))

# --- Values of the options --------------------------------------------------------------------------------------


class BrickLimit(IntEnum):
    """Bricks of each player on monuments."""

    NONE = 0
    BOX = 1


class CoopOrder(IntEnum):
    """Who scores the cooperation bonus first."""

    LEADER_FIRST = 0
    LAST_FIRST = 1


class CoopNeeds(IntEnum):
    """What counts for the cooperation bonus."""

    BUILT = 0
    SHIP_PRESENT = 1


class SphinxReturn(IntEnum):
    """Order of the Sphinx cards that go back."""

    DRAWN_ORDER = 0
    SHUFFLED = 1
    CHOSEN = 2


class SurplusSale(IntEnum):
    """Whether surplus grain may be kept from sale."""

    OPTIONAL = 0
    AUTOMATIC = 1


class SphinxMax(IntEnum):
    """Which dock space limits a Sphinx build."""

    CURRENT_SPACE = 0
    PLACED_SPACE = 1


class DeclinePack(IntEnum):
    """How far ships close up after a decline."""

    FULL = 0
    ONE_STEP = 1


class BrickPoints(IntEnum):
    """When points for bricks of a colonnade tile begin."""

    NEXT_BRICK = 0
    NEXT_BUILD = 1


class KeepTwo(IntEnum):
    """When a keep-two card is played."""

    AFTER_DRAW = 0
    BEFORE_DRAW = 1


class FirstTiles(IntEnum):
    """Tiles of round 1 with 2 players."""

    SHUFFLED = 0
    PRINTED = 1


class FinishBonus(IntEnum):
    """The colonnade finishing bonus with 2 players."""

    USUAL = 0
    LOWER = 1


# --- The record -------------------------------------------------------------------------------------------------


class State(Record):
    """The table of Egizia, and how far the round has got."""

    # strength limit of a crew; 99: none (EGZ-E1)
    crew_max: int = whole(components.CREW_MOST, 2, 99, samples=(components.CREW_MOST, 2, 99))
    ships_per_player: int = whole(components.SHIPS, 1, 30, samples=(components.SHIPS, 1, 30))  # ships of each player (EGZ-P3)
    brick_limit: int = choice("none", str(components.BRICK_LIMIT))  # bricks of each player on monuments (EGZ-E5)
    stone_market_spaces: int = choice("5", "4")  # length of the stone market (EGZ-K2)
    coop_order: int = option(CoopOrder)  # who scores the cooperation bonus first (EGZ-U1)
    coop_needs: int = option(CoopNeeds)  # what counts for the cooperation bonus (EGZ-U2)
    sphinx_return: int = option(SphinxReturn)  # order of Sphinx cards returned (EGZ-X2)
    surplus_sale: int = option(SurplusSale)  # whether surplus grain may be kept from sale (EGZ-F8)
    sphinx_max: int = option(SphinxMax)  # which dock space limits a Sphinx build (EGZ-B8)
    decline_pack: int = option(DeclinePack)  # how far ships close up after a decline (EGZ-B5)
    colonnade_market_bonus: int = flag(False)  # columns alone give the lower market bonus (EGZ-O4)
    g3_start: int = option(BrickPoints)  # when brick VP of a colonnade tile begin (EGZ-L2)
    keep2_when: int = option(KeepTwo)  # when a keep-two card is played (EGZ-N13)
    improver_waits: int = flag(True)  # an improver without a field waits for one (EGZ-N6)
    second_ship_stack: int = flag(True)  # more than one extra ship in a turn (EGZ-N11)
    g10_same_tile: int = flag(True)  # the shared tile may be that of the own last ship (EGZ-N14)
    tiles_2p_round1: int = option(FirstTiles)  # tiles of round 1 with 2 players (EGZ-Q4)
    finish_bonus_2p: int = choice("7_5", "7_3")  # colonnade finishing bonus with 2 players (EGZ-C4)
    pyramid_majority_zero: int = flag(False)  # all score the pyramid majority if nobody has a brick there (EGZ-Z2)

    round: int = number("i1")  # 1 to 5, 0 during set-up
    phase: int = number("i1")  # a Phase
    step: int = number("i1")  # what is to be decided, a Step
    chooser: int = number("i1")  # seat that decides (at `start`: all whose bit is not in `decided`)
    order: list[int] = numbers("i1", SEATS)  # seats in turn order of the round
    turn: int = number("i1")  # index into `order` of who is on turn: training, placing, taking a leftover, feeding

    vp: list[int] = numbers("i2", SEATS)  # victory points, may be below 0
    arrived: list[int] = numbers("i1", SEATS)  # seats by the time of their last change of VP, the earliest first
    strength: list[list[int]] = numbers("i1", SEATS, NUMBER_OF_CREWS)  # [seat][crew] green, blue, yellow, leader
    flipped: list[int] = numbers("i1", SEATS)  # bits of the crews of each seat that are turned face down
    stones: list[int] = numbers("i1", SEATS)  # 0 to 25
    market: list[list[int]] = numbers("i1", SEATS, NUMBER_OF_MARKETS)  # [seat][market] space on grain and stone market, 1 to 5
    turned: list[int] = numbers("i1", SEATS)  # 1: the starter field shows its reverse
    ring: int = number("i1")  # 1 low, 2 middle, 3 high

    undrawn: int = number("i8")  # Nile cards still in their decks (a mask: bit c is card c)
    held: list[int] = numbers("i8", SEATS)  # Nile cards before each seat (mask)
    discarded: int = number("i8")  # Nile cards used up (mask)
    gone: int = number("i8")  # Nile cards out of the game: marked 3+ with 2 players, or left on the river (mask)
    river: list[int] = numbers("i1", CARD_SPACES)  # 1 + card on C1 to C10, 0: none
    spent: int = number("i8")  # permanent cards used up for this round (mask)
    # 1 + field (card or STARTER) each improver is attached to, 0: none
    improved: list[int] = numbers("i1", len(components.IMPROVERS))
    laid: list[int] = numbers("i1", TILE_SPACES)  # Nile tile valid on T1 to T7, CLOSED_SPACE: not in use
    tokens: list[int] = numbers("i1", SEATS)  # speculation tokens
    bonus_tile: list[int] = numbers("i1", 2)  # colonnade tile on the yellow and on the purple place
    closed_eye: list[int] = numbers("i1", SEATS)  # bit 0, 1: each seat's use of the yellow, purple place is spent

    ships: list[int] = numbers("i1", SEATS)  # ships each seat has left this round
    frontier: list[int] = numbers("i1", SEATS)  # highest river index of each seat's ships, 0: none
    passed: int = number("i1")  # bits of the seats that have passed
    card_ship: list[int] = numbers("i1", CARD_SPACES)  # 1 + seat of the ship on C1 to C10, 0: none
    tile_ships: list[list[int]] = numbers("i1", TILE_SPACES, SEATS)  # [tile space][seat] ships on T1 to T7
    dock: list[list[int]] = numbers("i1", DOCKS, DOCK_SPACES)  # [dock][space] 1 + seat of the ship, 0: none
    speculator: list[int] = numbers("i1", DOCKS)  # 1 + seat of the ship beside the monument, 0: none
    present: list[int] = numbers("i1", SEATS)  # bits of the docks to which each seat sent a ship this round
    built: list[int] = numbers("i1", SEATS)  # bits of the docks at which each seat built this round

    obelisk: list[int] = numbers("i1", components.OBELISK_SPACES)  # 1 + seat of the brick on each space from the bottom, then 0
    columns: list[int] = numbers("i1", SEATS)  # columns of each seat, 0 to 7
    statue: list[int] = numbers("i1", STATUES_IN_PLAY)  # 1 + statue on each place, 0: none
    level: list[list[int]] = numbers("i1", SEATS, STATUES_IN_PLAY)  # [seat][place] spaces built on each statue, 0 to 5
    # [row][space] 1 + seat of the brick, 0: none
    pyramid: list[list[int]] = numbers("i1", components.PYRAMID_ROWS, components.PYRAMID_WIDTH)

    dealt: list[list[int]] = numbers("i1", SEATS, 2)  # 1 + the two Sphinx cards dealt; once decided: kept, returned
    decided: int = number("i1")  # bits of the seats that have chosen at set-up
    tape: list[int] = numbers("i1", TAPE)  # 1 + Sphinx card at each place of the deck, from the top after set-up on; 0: unseen
    tape_top: int = number("i1")  # place of the top card: those before it have been drawn
    tape_end: int = number("i1")  # places in all; returned cards are added here
    draws: int = number("i1")  # Sphinx builds so far; the last one may be under way
    draw_by: list[int] = numbers("i1", DRAWS)  # 1 + seat of each Sphinx build
    draw_size: list[int] = numbers("i1", DRAWS)  # cards drawn in it
    draw_keeps: list[int] = numbers("i1", DRAWS)  # how many of them were kept
    draw_kept: list[int] = numbers("i1", DRAWS)  # which: bit i is the card drawn as number i

    source: int = number("i1")  # 1 + the card, or 1 + CARDS + the Nile tile, whose effect is being carried out; 0: none
    part: int = number("i1")  # next part of it
    times: int = number("i1")  # times it is still to be carried out, this one included
    raised: int = number("i1")  # bits of the crews raised by it
    target: int = number("i1")  # 1 + location of the ship being placed, 0: none
    extra: int = number("i1")  # extra ships granted in this turn
    harvest: int = number("i2")  # grain of the feeding player
    shortage: int = number("i2")  # grain the feeding player misses
    docking: int = number("i1")  # 1 + the dock being resolved, 0: none
    acted: int = number("i1")  # bits of the seats that have acted there
    berth: int = number("i1")  # 1 + the dock space of the acting ship, 0: none, or a late ship
    first_berth: list[int] = numbers("i1", SEATS)  # 1 + the space on which each seat's ship came to the Sphinx dock, 0: none
    power: int = number("i2")  # strength of the build so far
    budget: int = number("i1")  # stones that may still be spent in the build
    bricks: int = number("i1")  # bricks put in the build; Sphinx cards named in it
    line: int = number("i1")  # what the build touched: bits of Touched
    carved: int = number("i1")  # bits of the statue places built on in the build
    new_tile: int = number("i1")  # 1: a tile with VP for bricks was gained in this build
    keep_two: int = number("i1")  # 1 + the keep-two card played in this build, 0: none
    final: list[list[int]] = numbers("i2", SEATS, PARTS_OF_FINAL)  # [seat][part] points of the final scoring
