"""The state of a game of Imhotep. A stone is written as 1 + the seat of its owner, 0 is an empty place."""

from __future__ import annotations

from enum import IntEnum

from perankh.engine.api import Record, choice, flag, number, numbers, option, rule, seat

from . import components
from .components import BURIAL_ROOM, BY_SHIP, CAPACITY, KINDS, OBELISKS, PAIR, REDS, ROUNDS, SEATS, SHIPS, SLOTS, SPACES

PLAYERS = range(2, 5)


class Step(IntEnum):
    """What is to be decided now."""

    MAIN = 0  # one of the four actions of a turn
    LEVER_SAIL = 1
    LEVER_ORDER = 2
    HAMMER_FETCH = 3
    HAMMER_LOAD = 4
    SAIL_LOAD = 5
    SAIL_SITE = 6
    CHISEL_FIRST = 7
    CHISEL_SECOND = 8
    OFFER = 9  # a market stone takes a card
    PAIR = 10  # which of the two face-down cards is kept
    PYRAMID = 11  # which small pyramid gets the stone
    BONUS_STONES = 12
    BONUS_LOAD = 13
    TEMPLE = 14  # points or stones for a cell of temple B
    OVER = 15
    GO_ON = 16  # only within a move: nothing to decide, `apply` goes on


class Side(IntEnum):
    """The sides of a site's board."""

    A = 0
    B = 1


class WrathScope(IntEnum):
    """How often the Pharaoh's wrath strikes a player."""

    ONCE = 0
    PER_SITE = 1


class QuarryTake(IntEnum):
    """How many stones a player fetches."""

    CHOICE = 0
    MAX = 1


class BlueParts(IntEnum):
    """Whether all parts of Hammer and Chisel must be possible."""

    ALL = 0
    POSSIBLE = 1


class MarketReturn(IntEnum):
    """When market stones go back to the quarry."""

    AFTER_SHIP = 0
    PER_STONE = 1


class ObeliskPay(IntEnum):
    """When obelisks of side B score."""

    AT_ONCE = 0
    GAME_END = 1


class Berth(IntEnum):
    """Where a ship lies, if it does not lie at a site: that is 1 + site."""

    WAITING = 0
    GONE = 6  # back in the pool after a stall


class FaceDown(IntEnum):
    """A card that lies face down outside the deck; its kind is added to KNOWN and to SECRET."""

    NONE = 0
    UNSEEN = 1  # any of the unseen cards
    KNOWN = 2  # everybody can tell, because no other card is unseen
    SECRET = 2 + KINDS  # seen by one player alone, or by nobody


REJECTED = PAIR  # the first two are the pair of market B; from here on one for each round


class State(Record):
    """The table of Imhotep, and how far the turn has got."""

    market_side: int = choice(*Side.__members__)  # sides of the five sites (IMH-S2)
    pyramid_side: int = choice(*Side.__members__)
    temple_side: int = choice(*Side.__members__)
    burial_side: int = choice(*Side.__members__)
    obelisk_side: int = choice(*Side.__members__)
    wrath: int = flag(False)  # the Pharaoh's wrath at the end (IMH-V2)
    wrath_scope: int = option(WrathScope)  # the wrath once, or for each missing monument
    quarry_take: int = option(QuarryTake)  # whoever fetches chooses the number, or takes all that is possible
    blue_parts: int = option(BlueParts)  # whether all parts of Hammer and Chisel must be possible
    market_return: int = option(MarketReturn)  # when market stones go back to the quarry
    obelisk_b_pay: int = option(ObeliskPay)  # when obelisks of side B score
    discard_open: int = flag(True)  # everybody may look through the discard pile
    start_player: int = seat()  # who begins

    quarry: list[int] = numbers("i1", SEATS)  # stones of each seat not yet fetched, 0 to 29
    sled: list[int] = numbers("i1", SEATS)  # stones on each sled, 0 to 5
    cargo: list[list[int]] = numbers("i1", SHIPS, SPACES)  # [ship][space] a stone or 0, bow first
    berth: list[int] = numbers("i1", SHIPS)  # a Berth, or 1 + site where the ship is docked
    score: list[int] = numbers("i2", SEATS)  # points of each seat, below 0 only by the wrath

    pyramid: list[int] = numbers("i1", components.BUILDING_CELLS)  # stone on each cell; side B: 5 * small pyramid + cell
    beside: list[int] = numbers("i1", SEATS)  # stones of each seat beside the complete pyramid
    temple: list[int] = numbers("i1", BY_SHIP)  # stones in the order of placing, then 0
    burial: list[int] = numbers("i1", BURIAL_ROOM)  # stones in the order of placing, then 0
    obelisk: list[int] = numbers("i1", SEATS)  # stones of each seat at the obelisks, loose and erected
    erected: list[int] = numbers("i1", OBELISKS)  # side B: owner (as a stone) of the obelisk on each slot, then 0

    round: int = number("i1")  # 1 to 6
    round_card: int = number("i1")  # the card of this round, 0 to 6
    turned: list[int] = numbers("i1", components.ROUND_CARDS)  # the round in which each card was turned up, 0: not yet
    unseen: list[int] = numbers("i1", KINDS)  # cards that nobody has seen: in the deck, face down in the market, or buried
    deck: int = number("i1")  # cards in the deck
    market: list[int] = numbers("i1", SLOTS)  # 1 + kind of the face-up card of each slot, 0: none
    hidden: list[int] = numbers("i1", PAIR + ROUNDS)  # face-down cards: the pair, then those rejected onto a closed discard pile
    discard: list[int] = numbers("i1", KINDS)  # cards of the discard pile that all have seen
    buried: int = number("i1")  # cards of a closed discard pile that nobody has seen (pairs never looked at)
    rejecter: list[int] = numbers("i1", ROUNDS)  # who rejected a card in each round onto a closed discard pile
    shuffles: int = number("i1")  # how often the discard pile became the deck
    held: list[list[int]] = numbers("i1", SEATS, KINDS)  # [seat][kind] cards before each seat

    turn: int = number("i1")  # seat on turn
    chooser: int = number("i1")  # seat that decides
    step: int = number("i1")  # what is to be decided, a Step
    turns: int = number("i2")  # turns taken in the game, without forced passes
    passes: int = number("i1")  # forced passes in a row
    played: int = number("i1")  # 1 + kind of the blue card being played, 0: none
    red: list[int] = numbers("i1", REDS)  # red cards of each kind being resolved
    ship: int = number("i1")  # 1 + the ship being sailed or unloaded, 0: none
    queue: list[int] = numbers("i1", SPACES)  # stones in the order in which they leave that ship, then 0
    served: int = number("i1")  # stones of the queue that have left, 0 to 4
    cell: int = number("i1")  # temple cell being scored at the end of the round, 1 to 5, 0: none


@rule
def capacity(s: State, ship: int) -> int:
    """Spaces of one of the round's ships."""
    spaces: int = CAPACITY[s.players - 2][s.round_card][ship]
    return spaces


@rule
def placed(row: list[int], room: int) -> int:
    """How many stones lie in a row that is filled without gaps."""
    n = 0
    while n < room and row[n] > 0:
        n += 1
    return n
