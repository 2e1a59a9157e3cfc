"""What is on the table of Maqha: pieces, options, the record. The clause ids (MAQ-...) are those of the rule specification."""

from __future__ import annotations

import math
from itertools import pairwise

from perankh.engine.api import Record, Table, choice, components, flag, number, numbers, rule, seat, whole

COMPONENTS = components(__file__)
SEATS = 4

# --- Tokens and cards -----------------------------------------------------------------------------------------

KINDS = ("coin", "ankh", "anubis")
COIN, ANKH, ANUBIS = 0, 1, 2
TOKENS = COMPONENTS.by_name("tokens", "count", KINDS, 10, 10)
ALL_TOKENS = sum(TOKENS)
MARKERS = COMPONENTS.whole("proxy_markers", "count", 1, 5)
SLOTS = 5
FIRST_HALF = 3  # slots A, B and C
NUMBERS = 5  # the numbers of the bid cards
EYE = 6  # the Eye of Horus among the bid cards 1 to 5

CARD_KINDS = ("coin", "anubis", "ankh")  # in the order of the card numbers
PER_KIND = 7
CARDS = PER_KIND * len(CARD_KINDS)
CARD_KIND = Table(KINDS.index(name) for name in CARD_KINDS for _ in range(PER_KIND))  # [card] -> COIN, ANKH or ANUBIS
CARD_TOKENS = Table(n for name in CARD_KINDS for n in COMPONENTS.wholes(f"score_cards.{name}", "tokens", PER_KIND, 0, 10))
CARD_POINTS = Table(n for name in CARD_KINDS for n in COMPONENTS.wholes(f"score_cards.{name}", "points", PER_KIND, 0, 10))
SET_BONUS = COMPONENTS.whole("scoring", "set_bonus", 0, 10)
LAST_LOT_TIMES = COMPONENTS.whole("scoring", "last_lot_times", 1, 10)

# --- The glass ------------------------------------------------------------------------------------------------

LIQUIDS = ("water", "mix", "whisky")
WATER, MIX, WHISKY = 0, 1, 2
ANGLES = 12  # rows of the dome, ten degrees apart
VOLUME = COMPONENTS.by_name("token_in_glass", "volume", KINDS, 1, 500)
KICK = COMPONENTS.by_name("token_in_glass", "kick", KINDS, 1, 300)
ENERGY = Table(kick * kick for kick in KICK)  # of the wave of one token: the energies of several add up
DOME_VOLUME = Table.of([COMPONENTS.wholes(f"dome.{name}", "volume", ANGLES, 0, 9999) for name in LIQUIDS])  # [liquid][angle]
DOME_HEIGHT = Table.of([COMPONENTS.wholes(f"dome.{name}", "height", ANGLES, 0, 9999) for name in LIQUIDS])  # [liquid][angle]
CLASSIC_FILL = Table.of([COMPONENTS.wholes(f"dome.{name}", "classic_fill", 2, 1, 99) for name in LIQUIDS])  # [liquid][low, high]
for liquid_name, volumes, heights, fill in zip(LIQUIDS, DOME_VOLUME, DOME_HEIGHT, CLASSIC_FILL, strict=True):
    for row_name, row in (("volume", volumes), ("height", heights)):
        if row[0] != 0 or any(a >= b for a, b in pairwise(row)):
            COMPONENTS.fail(f"dome.{liquid_name}", f"{row_name} must begin with 0 and rise with every angle")
    if fill[0] > fill[1]:
        COMPONENTS.fail(f"dome.{liquid_name}", "classic_fill must be the lower share and the higher one")
ANGLE_BASE = COMPONENTS.whole("rim_angle", "base", 0, 900)
ANGLE_DIE = COMPONENTS.whole("rim_angle", "die", 1, 300)
LEAST_ANGLE = COMPONENTS.whole("rim_angle", "least", 100, 1100)
MOST_ANGLE = COMPONENTS.whole("rim_angle", "most", 100, 1100)
if LEAST_ANGLE > MOST_ANGLE:
    COMPONENTS.fail("rim_angle", "least must not be above most")
POUR_ERROR = COMPONENTS.whole("pour", "error", 0, 1000)
SINGLE_BASE = COMPONENTS.whole("kick", "single_base", 0, 200)
SINGLE_DIE = COMPONENTS.whole("kick", "single_die", 1, 200)
TOGETHER_BASE = COMPONENTS.whole("kick", "together_base", 0, 200)
TOGETHER_DIE = COMPONENTS.whole("kick", "together_die", 1, 200)
STEADIEST, SHAKIEST = 25, 300  # per cent
LARGEST_KICK = (  # of all tokens together, for every hand of 100 per cent
    math.isqrt(sum(ENERGY[k] * TOKENS[k] for k in range(len(KINDS)))) * (TOGETHER_BASE + 2 * TOGETHER_DIE - 2) // 100
)
if sum(VOLUME[k] * TOKENS[k] for k in range(len(KINDS))) + 2 * LARGEST_KICK * SHAKIEST // 100 > 32767:
    COMPONENTS.fail("kick", "all tokens together would make too large a wave")
WAVE_LEFT = COMPONENTS.whole("kick", "wave_left", 0, 50)
READING_ERROR = COMPONENTS.whole("reading", "error", 0, 1000)
RIM_ERROR = COMPONENTS.whole("rim_line", "error", 0, 50)
WARNING = COMPONENTS.whole("rim_line", "warning", 1, 100)
ALARM = COMPONENTS.whole("rim_line", "alarm", WARNING, 100)
READINGS = CARDS + 1  # one at the start and one a throw

# For hints, simple bots and drawing only.
MARGIN_SHARE = COMPONENTS.wholes("margin", "permille", 11, 0, 1000)
MARGIN = Table.of([COMPONENTS.wholes("margin", name, 11, 0, 9999) for name in LIQUIDS])  # [liquid][share]
PROFILE_RADIUS = COMPONENTS.wholes("profile", "radius", 11, 0, 1000)
PROFILE = Table.of(  # [0 water, 1 whisky and mix][30, 60, 90 degrees][radius] -> per mille of the dome's height
    [[COMPONENTS.wholes("profile", f"{name}_{angle}", 11, 0, 1000) for angle in (30, 60, 90)] for name in ("water", "whisky")]
)

# --- The tray -------------------------------------------------------------------------------------------------

TRAY_ROWS = 4
TRAY_GRID = COMPONENTS.grid("tray", "grid", TRAY_ROWS, TRAY_ROWS, ".#")
PLACES = [(row, column) for row in range(TRAY_ROWS) for column in range(TRAY_ROWS) if TRAY_GRID[row][column]]
CELLS = 12
if len(PLACES) != CELLS:
    COMPONENTS.fail("tray", f"grid shows {len(PLACES)} cells, {CELLS} are needed")
NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
OUT = -1
COMPASS = ((-1, 0), (0, 1), (1, 0), (0, -1))
NEIGHBOUR = Table.of(  # [cell][direction] -> cell or OUT
    [[PLACES.index((r + dr, c + dc)) if (r + dr, c + dc) in PLACES else OUT for dr, dc in COMPASS] for r, c in PLACES]
)
HEIGHT = COMPONENTS.by_name("token_on_tray", "height", KINDS, 1, 50)
GRIP = COMPONENTS.by_name("token_on_tray", "grip", KINDS, 0, 50)
SWAY = COMPONENTS.by_name("token_on_tray", "sway", KINDS, 0, 50)
ROUGHNESS = Table((0, *COMPONENTS.by_name("token_on_tray", "roughness", KINDS, 0, 50)))  # [0 bare, kind + 1]
HIGHEST = sum(HEIGHT[k] * TOKENS[k] for k in range(len(KINDS)))
if HIGHEST > 127:
    COMPONENTS.fail("token_on_tray", f"all tokens on one cell would be {HIGHEST} high, more than 127")

# --- Actions, steps, places -----------------------------------------------------------------------------------

DROP = 0  # DROP + n - 1: n coins, classic rules
BID = 10  # BID + card - 1: a bid card, the Eye last
THROW, PASS, STAY = 16, 17, 18
RAISE = 19  # RAISE + stamp
STAMPS = 10
SINGLE = 29  # SINGLE + kind: one token of it (tray: the next token)
ALL = 32  # all tokens left together
CELL = 33  # CELL + cell of the tray
HELD, SPILLED = 45, 46  # what a real vessel did
ACCIDENT = 47  # ACCIDENT + seat
NOBODY = 51  # an accident that nobody caused
ACTIONS = 52

STEPS = ("turn", "bid", "decide", "hands", "release", "kind", "cell", "outcome", "over")
TURN, BIDDING, DECIDE, HANDS, RELEASE, CHOOSE_KIND, CHOOSE_CELL, OUTCOME, OVER = range(9)
NEXT_LOT, THROWING, THROWN, ROUND_DONE = range(9, 13)  # steps in which nobody has anything to decide

DECK, SLOT, CARRIED, ASIDE, FAILED, BANKED = 0, 1, 6, 7, 8, 9  # where a card is; SLOT + slot, BANKED + seat
SPILL, NO_SPILL, ACCIDENTAL = 1, 2, 3  # how a game ended
ANSWERED_STAY = 1  # answers to a pass: 0 none, ANSWERED_STAY, ANSWERED_RAISE + stamp
ANSWERED_RAISE = 2

CLASSIC, TRAY, LIVE = 1, 1, 1  # values of options
RANDOM_TIE = 1


class State(Record):
    """The table of Maqha."""

    rules: int = choice("advanced", "classic")  # option: the rule set; two players always play the classic rules
    vessel: int = choice("glass", "tray")  # option: what takes the tokens; the classic rules always use the glass
    liquid: int = choice("usual", *LIQUIDS)  # option: usual is whisky in the classic rules, water in the advanced
    classic_limit: int = choice("none", "one", "two")  # option: most coins a classic turn, 0 for any number
    start_player: int = seat()  # option: who begins a classic game
    hands: int = choice("turn", "live")  # option: raised hands without or with stamps of time
    hand_tie: int = choice("left", "random")  # option: who of those with equal stamps is the proxy
    hand_window: int = whole(COMPONENTS.whole("hands", "window", 1, STAMPS), 1, STAMPS)  # option: ticks a live window is open
    bot_hand_tick: int = whole(COMPONENTS.whole("hands", "bot_tick", 0, STAMPS - 1), 0, STAMPS - 1)  # option: stamp of computers
    proxy_limit: int = choice("none", "three")  # option: no pass while every proxy marker is out
    double_without_spill: int = flag(False)  # option: the last banked lot counts twice in any case
    tie_cards: int = flag(True)  # option: equal points are parted by the number of cards
    reading_error: int = whole(READING_ERROR, 0, 1000)  # option: how far a reading may be off
    rim_line: int = flag(False)  # option: a sign tells how far the liquid has crept over the rim
    steadiness_0: int = whole(100, STEADIEST, SHAKIEST)  # option: per cent of the waves that seat 0 makes
    steadiness_1: int = whole(100, STEADIEST, SHAKIEST)  # option: the same for seat 1
    steadiness_2: int = whole(100, STEADIEST, SHAKIEST)  # option: the same for seat 2
    steadiness_3: int = whole(100, STEADIEST, SHAKIEST)  # option: the same for seat 3
    real_vessel: int = flag(False)  # option: the players use their own vessel and enter what it does

    step: int = number("i1")  # what is to be decided, one of STEPS
    over: int = number("i1")  # 0, SPILL, NO_SPILL or ACCIDENTAL
    spiller: int = number("i1")  # seat that made the vessel spill, -1 none
    thrower: int = number("i1")  # seat in turn (classic), or that has to throw the lot of `slot`; -1 between throws

    deck: list[int] = numbers("i1", CARDS)  # the score cards in the order in which they come; veiled: -1 for those to come
    dealt: int = number("i1")  # cards revealed so far, 0-21
    slots: int = number("i1")  # cards revealed in this round, 1-5
    place: list[int] = numbers("i1", CARDS)  # of each card: DECK, SLOT + slot of its lot, CARRIED, ASIDE, FAILED, BANKED + seat
    last_lot: int = number("i4")  # the lot banked last, bit c for card c
    mask: int = number("i4")  # the lot under the pharaoh's mask, bit c for card c
    eye: int = number("i1")  # seat that holds the Eye of Horus, -1 nobody

    # Bids and winners of slots not yet fixed in this round are those of the round before, for the eye only.
    order: list[list[int]] = numbers("i1", SEATS, SLOTS)  # [seat][slot] bid card 1-5 or EYE; veiled: 0 for others' sealed ones
    fixed: list[int] = numbers("i1", SEATS)  # bids that each seat has fixed in this round, 0-5
    shown: int = number("i1")  # slots of this round whose bids are face up, 0-5
    winner: list[int] = numbers("i1", SLOTS)  # seat that won the slot, -1 nobody
    proxy: list[int] = numbers("i1", SLOTS)  # seat whose bid bears a proxy marker, -1 none
    slot: int = number("i1")  # slot whose lot is thrown or comes next
    answered: int = number("i1")  # bit p: seat p has answered the pass, or had answered the last one
    answer: list[int] = numbers("i1", SEATS)  # answer of each seat, 0 none; veiled: 0 for others' while the window is open

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


@rule
def is_classic(s: State) -> bool:
    """Classic rules are played: chosen, or because the advanced ones need three players (MAQ-S1)."""
    return s.rules == CLASSIC or s.players < 3


@rule
def on_tray(s: State) -> bool:
    """The tray takes the tokens, in the advanced rules alone (MAQ-S2)."""
    return s.vessel == TRAY and not is_classic(s)


@rule
def has_glass(s: State) -> bool:
    """The liquid is reckoned with: neither a tray nor a vessel of the players' own (MAQ-Y1, MAQ-X1)."""
    return not s.real_vessel and not on_tray(s)


@rule
def liquid_of(s: State) -> int:
    """The liquid in the glass (option `liquid`)."""
    if s.liquid:
        return s.liquid - 1
    return WHISKY if is_classic(s) else WATER


@rule
def steadiness(s: State, p: int) -> int:
    """Per cent of the waves that p makes (MAQ-G18)."""
    if p == 0:
        return s.steadiness_0
    if p == 1:
        return s.steadiness_1
    return s.steadiness_2 if p == 2 else s.steadiness_3


@rule
def tokens_to_go(s: State) -> int:
    """Tokens of the lot still to be released (MAQ-T3)."""
    return int(s.to_go[COIN]) + int(s.to_go[ANKH]) + int(s.to_go[ANUBIS])


@rule
def half_end(s: State) -> int:
    """How many slots have their bids when the half under way is bid for (MAQ-R2, MAQ-B1, MAQ-B3)."""
    return min(FIRST_HALF, int(s.slots)) if s.shown == 0 else int(s.slots)


@rule
def holds(s: State, p: int, card: int) -> bool:
    """Is the bid card in p's hand: one of the own five and not used in this round? (MAQ-B7, MAQ-E4)"""
    if card == EYE:
        if s.eye != p:
            return False
    elif card == NUMBERS and s.eye == p:
        return False
    for k in range(s.fixed[p]):
        if s.order[p][k] == card:
            return False
    return True


@rule
def in_lot(s: State, card: int, slot: int) -> bool:
    """Does the card belong to the lot of a slot? (MAQ-K1)"""
    return s.place[card] == SLOT + slot


@rule
def markers_out(s: State) -> int:
    """Proxy markers on bid cards of this round (MAQ-P8)."""
    n = 0
    for k in range(SLOTS):
        if s.proxy[k] >= 0:
            n += 1
    return n


@rule
def may_pass(s: State) -> bool:
    """A pass is always allowed, unless all markers are out and limit it (MAQ-P1, MAQ-P8)."""
    return not s.proxy_limit or markers_out(s) < MARKERS
