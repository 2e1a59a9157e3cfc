"""The state of a game of Maqha."""

from __future__ import annotations

from enum import IntEnum

from perankh.engine.api import Record, choice, flag, number, numbers, option, seat, subset, subsets, whole

from .components import (
    BID_CARDS,
    CARDS,
    CELLS,
    COMPONENTS,
    LIQUIDS,
    READING_ERROR,
    READINGS,
    SEATS,
    SHAKIEST,
    SLOTS,
    STAMPS,
    STEADIEST,
    TICKS,
)

PLAYERS = range(2, 5)


class RuleSet(IntEnum):
    """The option `rules`."""

    ADVANCED = 0
    CLASSIC = 1


class Vessel(IntEnum):
    """The option `vessel`."""

    GLASS = 0
    TRAY = 1


class Hands(IntEnum):
    """The option `hands`: raised hands without or with stamps of time."""

    TURN = 0
    LIVE = 1


class HandTie(IntEnum):
    """The option `hand_tie`: who throws if several hands came first."""

    LEFT = 0
    RANDOM = 1


class Step(IntEnum):
    """What is to be decided, or, in the last four, what follows by itself."""

    TURN = 0  # classic: how many coins
    BID = 1
    DECIDE = 2  # throw or pass
    HANDS = 3  # the others answer a pass
    RELEASE = 4  # one token, or all that are left
    KIND = 5  # tray: the token to place
    CELL = 6  # tray: its cell
    OUTCOME = 7  # what the players' own vessel did
    OVER = 8
    NEXT_LOT = 9
    THROWING = 10
    THROWN = 11
    ROUND_DONE = 12


class Ending(IntEnum):
    """Why a game is over."""

    NONE = 0
    SPILL = 1
    NO_SPILL = 2
    ACCIDENT = 3


class Answer(IntEnum):
    """The answer to a pass."""

    NONE = 0
    STAY = 1
    RAISE = 2  # RAISE + stamp


class State(Record):
    """The table of Maqha. Every score card is in the deck or in one of lot, carried, aside, failed and banked."""

    rules: int = option(RuleSet)  # the rule set; two players always play the classic rules
    vessel: int = option(Vessel)  # what takes the tokens; the classic rules always use the glass
    liquid: int = choice("usual", *LIQUIDS)  # usual: whisky in the classic rules, water in the advanced
    classic_limit: int = choice("none", "one", "two")  # most coins a classic turn, 0 for any number
    start_player: int = seat()  # who begins a classic game
    hands: int = option(Hands)  # raised hands without or with stamps of time
    hand_tie: int = option(HandTie)  # who of those with equal stamps is the proxy
    hand_window: int = whole(
        COMPONENTS.whole("hands", "window", 1, STAMPS), 1, STAMPS, per=TICKS
    )  # ticks that live hands are waited for
    bot_hand_tick: int = whole(
        COMPONENTS.whole("hands", "bot_tick", 0, STAMPS - 1), 0, STAMPS - 1, per=TICKS
    )  # stamp of computers
    proxy_limit: int = choice("none", "three")  # no pass while every proxy marker is out
    double_without_spill: int = flag(False)  # the last banked lot counts twice in any case
    tie_cards: int = flag(True)  # of equal points more cards win
    reading_error: int = whole(READING_ERROR, 0, 1000, per=1000)  # how far a reading may be off, in micrometres
    rim_line: int = flag(False)  # a sign tells how far the liquid has crept over the rim
    steadiness_0: int = whole(100, STEADIEST, SHAKIEST)  # per cent of the waves that seat 0 makes
    steadiness_1: int = whole(100, STEADIEST, SHAKIEST)  # the same for seat 1
    steadiness_2: int = whole(100, STEADIEST, SHAKIEST)  # the same for seat 2
    steadiness_3: int = whole(100, STEADIEST, SHAKIEST)  # the same for seat 3
    real_vessel: int = flag(False)  # the players use their own vessel and enter what it does

    step: int = number("i1")  # what is to be decided
    over: int = number("i1")  # why the game is over
    spiller: int = number("i1")  # seat that made the vessel spill, -1 none
    thrower: int = number("i1")  # seat in turn (classic), or that has to throw the lot of `slot`; -1 between throws

    deck: list[int] = numbers("i1", CARDS)  # the score cards in the order in which they come; veiled: -1 for those to come
    dealt: int = number("i1")  # cards revealed so far, 0-21
    slots: int = number("i1")  # cards revealed in this round, 1-5
    lot: list[list[int]] = subsets(SLOTS, CARDS)  # cards that wait in each slot, with those carried to it
    carried: list[int] = subset(CARDS)  # cards that wait for the next round
    aside: list[int] = subset(CARDS)  # cards that nobody won at the very end
    failed: list[int] = subset(CARDS)  # cards of the lot that was spilled
    banked: list[list[int]] = subsets(SEATS, CARDS)  # cards of each seat
    last_lot: list[int] = subset(CARDS)  # the lot banked last, still among `banked`
    mask: list[int] = subset(CARDS)  # the lot under the pharaoh's mask, still among `banked`
    eye: int = number("i1")  # seat that holds the Eye of Horus, -1 nobody

    # Bids and winners of slots not yet fixed in this round are those of the round before, for drawing only.
    hand: list[list[int]] = subsets(SEATS, BID_CARDS)  # bid cards not used in this round; veiled: with others' sealed ones
    order: list[list[int]] = numbers("i1", SEATS, SLOTS)  # [seat][slot] bid card 1-5 or EYE; veiled: 0 for others' sealed ones
    fixed: list[int] = numbers("i1", SEATS)  # bids that each seat has fixed in this round, 0-5
    face_up: int = number("i1")  # slots of this round whose bids are face up, 0-5
    winner: list[int] = numbers("i1", SLOTS)  # seat that won the slot, -1 nobody
    proxy: list[int] = numbers("i1", SLOTS)  # seat whose bid bears a proxy marker, -1 none
    slot: int = number("i1")  # slot whose lot is thrown or comes next
    answered: list[int] = subset(SEATS)  # seats that have answered the pass, or had answered the last one
    answer: list[int] = numbers("i1", SEATS)  # answer of each seat; veiled: NONE for others' while answers are open

    supply: list[int] = numbers("i1", 3)  # tokens of each kind beside the vessel, 0-10
    to_go: list[int] = numbers("i1", 3)  # tokens of the lot still to be released, 0-10
    inside: list[int] = numbers("i1", 3)  # tokens in (or fallen off) the vessel, 0-10
    kind: int = number("i1")  # tray: kind of the token to be placed, -1 not chosen

    vcrit: int = number("i2")  # capacity in microlitres above the rim; veiled: 0
    v0: int = number("i2")  # first volume above the rim, -360 up; veiled: 0
    added: int = number("i2")  # volume of the tokens put in, 0-6300
    wave: int = number("i2")  # strength of the wave, as volume
    peak: int = number("i2")  # the largest added + wave that held
    surge: int = number("i2")  # the largest added + wave of this throw
    readings: int = number("i1")  # readings made, 0-22
    reading: list[int] = numbers("i2", READINGS)  # height of the dome as read, in micrometres
    reading_at: list[int] = numbers("i2", READINGS)  # volume added when it was read
    sign: int = number("i1")  # rim line: 0 calm, 1 warning, 2 alarm

    height: list[int] = numbers("i1", CELLS)  # tray: height of each cell in half millimetres
    top: list[int] = numbers("i1", CELLS)  # tray: kind + 1 of the topmost token, 0 for a bare cell
