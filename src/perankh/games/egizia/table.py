"""The table of Egizia: actions, steps, and the state.

Seats, Nile cards, Sphinx cards, statues and tiles are written as 1 + their number where 0 means "none"; the comments say so.
"""

from __future__ import annotations

from perankh.engine.api import Record, choice, flag, number, numbers, whole

from .printed import (
    BONUS_TILES,
    BRICK_LIMIT,
    CARD_SPACES,
    CREW_MOST,
    CREWS,
    DOCK_SPACES,
    DOCKS,
    FIELD_IDS,
    IMPROVERS,
    MARKETS,
    OBELISK_SPACES,
    PYRAMID_ROWS,
    PYRAMID_WIDTH,
    ROUNDS,
    SEATS,
    SELL_MOST,
    SHIPS,
    SPHINX_CARDS,
    SPHINX_MOST,
    STATUES_IN_PLAY,
    STORE,
    TILE_SPACES,
)

# --- Actions --------------------------------------------------------------------------------------------------

PASS = 0  # place no more ships this round
NONE = 1  # use nothing, keep nothing
FINISH = 2  # put no more bricks
BUILD = 3  # build at this dock
DECLINE = 4  # do not build at this dock
PLACE = 5  # + location: card spaces C1 to C10, tile spaces T1 to T7, dock spaces D1.1 to D3.3, speculation D1.s to D3.s
FIRST_TILE = CARD_SPACES  # the first location of each kind
FIRST_DOCK = FIRST_TILE + TILE_SPACES
FIRST_SPECULATION = FIRST_DOCK + DOCKS * DOCK_SPACES
LOCATIONS = FIRST_SPECULATION + DOCKS
CREW = PLACE + LOCATIONS  # + crew: green, blue, yellow, leader
RING = CREW + len(CREWS)  # + position - 1
CARD = RING + 3  # + Nile card to use, to take or (a field, STARTER included) to improve
BONUS = CARD + FIELD_IDS  # + colonnade tile to use
TOKEN = BONUS + BONUS_TILES  # use a speculation token
SPHINX = TOKEN + 1  # + Sphinx card to keep, or to return next
FEED = SPHINX + SPHINX_CARDS  # + stones given for missing grain, 0 to 25
SELL = FEED + STORE + 1  # + groups of surplus grain sold
NUMBER = SELL + SELL_MOST + 1  # + Sphinx cards to draw - 1
OBELISK = NUMBER + int(max(SPHINX_MOST))  # a brick on the obelisk
COLUMN = OBELISK + 1  # a brick on the own next column
STATUE = COLUMN + 1  # + place of the statue, 0 to 2
ROW = STATUE + STATUES_IN_PLAY  # + row of the pyramid, 0 at the bottom
MARKET = ROW + PYRAMID_ROWS  # + market: grain, stone
ACTIONS = MARKET + len(MARKETS)

# --- Steps ----------------------------------------------------------------------------------------------------

STEPS = (
    *("start", "location", "occupied", "upstream", "double", "crew", "lower", "ring", "attach", "second", "leftover"),
    *("grain", "feed", "sell", "build", "basic", "basic2", "leader", "power", "space", "number", "keep", "keep_more"),
    *("keep_second", "return", "market", "late", "over"),
)
START, LOCATION, OCCUPIED, UPSTREAM, DOUBLE, RAISE, LOWER, MOVE_RING, ATTACH, SECOND, LEFT_OVER = range(11)
GRAIN_CARD, FEED_STONES, SELL_GRAIN, CHOOSE_BUILD, BASIC, BASIC_2, ADD_LEADER, POWER, SPACE, NAME_NUMBER, KEEP, KEEP_MORE = range(
    11, 23
)
KEEP_SECOND, RETURN, CHOOSE_MARKET, LATE, OVER = range(23, 28)
GO_ON = 28  # only within a choice: nothing to decide, `apply` goes on

PHASES = ("setup", "training", "placement", "leftover", "feeding", "building", "end")
SETUP, TRAINING, PLACEMENT, LEFTOVERS, FEEDING, BUILDING, END = range(7)

# Values of the options
LIMITED, FOUR, LAST_FIRST, SHIP_PRESENT, SHUFFLED, CHOSEN, AUTOMATIC = 1, 1, 1, 1, 1, 2, 1
PLACED_SPACE, ONE_STEP, NEXT_BUILD, BEFORE_DRAW, PRINTED_ROUND, LOWER_BONUS = 1, 1, 1, 1, 1, 1

CLOSED_SPACE = -1  # on a tile space
FINAL = ("majority", "nile", "sphinx", "statues", "stones")  # parts of the final scoring
DRAWS = ROUNDS * SEATS  # Sphinx builds in a game, at most one a player and round
TAPE = SPHINX_CARDS + ROUNDS * (sum(SPHINX_MOST) + max(SPHINX_MOST))
ABOVE_LINE, BELOW_LINE, COLUMN_BUILT = 1, 2, 4  # bits of `line`


class State(Record):
    """The table of Egizia, and how far the round has got."""

    crew_max: int = whole(CREW_MOST, 2, 99, samples=(CREW_MOST, 2, 99))  # strength limit of a crew; 99: none (EGZ-E1)
    ships_per_player: int = whole(SHIPS, 1, 30, samples=(SHIPS, 1, 30))  # ships of each player (EGZ-P3)
    brick_limit: int = choice("none", str(BRICK_LIMIT))  # bricks of each player on monuments (EGZ-E5)
    stone_market_spaces: int = choice("5", "4")  # length of the stone market (EGZ-K2)
    coop_order: int = choice("leader_first", "last_first")  # who scores the cooperation bonus first (EGZ-U1)
    coop_needs: int = choice("built", "ship_present")  # what counts for the cooperation bonus (EGZ-U2)
    sphinx_return: int = choice("drawn_order", "shuffled", "chosen")  # order of Sphinx cards returned (EGZ-X2)
    surplus_sale: int = choice("optional", "automatic")  # whether surplus grain may be kept from sale (EGZ-F8)
    sphinx_max: int = choice("current_space", "placed_space")  # which dock space limits a Sphinx build (EGZ-B8)
    decline_pack: int = choice("full", "one_step")  # how far ships close up after a decline (EGZ-B5)
    colonnade_market_bonus: int = flag(False)  # columns alone give the lower market bonus (EGZ-O4)
    g3_start: int = choice("next_brick", "next_build")  # when brick VP of a colonnade tile begin (EGZ-L2)
    keep2_when: int = choice("after_draw", "before_draw")  # when a keep-two card is played (EGZ-N13)
    improver_waits: int = flag(True)  # an improver without a field waits for one (EGZ-N6)
    second_ship_stack: int = flag(True)  # more than one extra ship in a turn (EGZ-N11)
    g10_same_tile: int = flag(True)  # the shared tile may be that of the own last ship (EGZ-N14)
    tiles_2p_round1: int = choice("shuffled", "printed")  # tiles of round 1 with 2 players (EGZ-Q4)
    finish_bonus_2p: int = choice("7_5", "7_3")  # colonnade finishing bonus with 2 players (EGZ-C4)
    pyramid_majority_zero: int = flag(False)  # all score the pyramid majority if nobody has a brick there (EGZ-Z2)

    round: int = number("i1")  # 1 to 5, 0 during set-up
    phase: int = number("i1")  # an index into PHASES
    step: int = number("i1")  # what is to be decided, an index into STEPS
    chooser: int = number("i1")  # seat that decides (at `start`: all whose bit is not in `decided`)
    order: list[int] = numbers("i1", SEATS)  # seats in turn order of the round
    turn: int = number("i1")  # index into `order` of who is on turn: training, placing, taking a leftover, feeding

    vp: list[int] = numbers("i2", SEATS)  # victory points, may be below 0
    arrived: list[int] = numbers("i1", SEATS)  # seats by the time of their last change of VP, the earliest first
    strength: list[list[int]] = numbers("i1", SEATS, len(CREWS))  # [seat][crew] green, blue, yellow, leader
    flipped: list[int] = numbers("i1", SEATS)  # bits of the crews of each seat that are turned face down
    stones: list[int] = numbers("i1", SEATS)  # 0 to 25
    market: list[list[int]] = numbers("i1", SEATS, len(MARKETS))  # [seat][market] space on grain and stone market, 1 to 5
    turned: list[int] = numbers("i1", SEATS)  # 1: the starter field shows its reverse
    ring: int = number("i1")  # 1 low, 2 middle, 3 high

    undrawn: int = number("i8")  # Nile cards still in their decks (a mask: bit c is card c)
    held: list[int] = numbers("i8", SEATS)  # Nile cards before each seat (mask)
    discarded: int = number("i8")  # Nile cards used up (mask)
    gone: int = number("i8")  # Nile cards out of the game: marked 3+ with 2 players, or left on the river (mask)
    river: list[int] = numbers("i1", CARD_SPACES)  # 1 + card on C1 to C10, 0: none
    spent: int = number("i8")  # permanent cards used up for this round (mask)
    improved: list[int] = numbers("i1", len(IMPROVERS))  # 1 + field (card or STARTER) each improver is attached to, 0: none
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

    obelisk: list[int] = numbers("i1", OBELISK_SPACES)  # 1 + seat of the brick on each space from the bottom, then 0
    columns: list[int] = numbers("i1", SEATS)  # columns of each seat, 0 to 7
    statue: list[int] = numbers("i1", STATUES_IN_PLAY)  # 1 + statue on each place, 0: none
    level: list[list[int]] = numbers("i1", SEATS, STATUES_IN_PLAY)  # [seat][place] spaces built on each statue, 0 to 4
    pyramid: list[list[int]] = numbers("i1", PYRAMID_ROWS, PYRAMID_WIDTH)  # [row][space] 1 + seat of the brick, 0: none

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
    line: int = number("i1")  # what the build touched: bits ABOVE_LINE, BELOW_LINE, COLUMN_BUILT
    carved: int = number("i1")  # bits of the statue places built on in the build
    new_tile: int = number("i1")  # 1: a tile with VP for bricks was gained in this build
    keep_two: int = number("i1")  # 1 + the keep-two card played in this build, 0: none
    final: list[list[int]] = numbers("i2", SEATS, len(FINAL))  # [seat][part] points of the final scoring
