"""The table of Maqha as features for learners: the own seat first, then the others clockwise.

Most features are 0 at any time. So all are set to 0 first, and of a one-hot row a single number is written.
"""

from __future__ import annotations

from perankh.engine.api import Constants, Feature, put, put_bits, put_digits, put_row, rule, sets

from . import components, glass
from .components import CARDS, CELLS, EYE, LIQUIDS, READINGS, SEATS, SHAKIEST, SLOTS, STAMPS, TOKENS, VOLUME
from .state import PLAYERS, Answer, Ending, State, Step

KINDS = len(components.KINDS)
MOST_TOKENS = max(TOKENS)
# The energies of waves add up and half a wave is left at the next release, so one is at most 2 / sqrt(3) of the largest kick.
LARGEST_LOAD = sum(VOLUME[k] * TOKENS[k] for k in range(KINDS)) + components.LARGEST_KICK * SHAKIEST * 7 // 600
LARGEST_ERROR = 1000
LOWEST_READING = -max(glass.dome_height(liquid, components.POUR_ERROR) for liquid in range(len(LIQUIDS))) - LARGEST_ERROR


def digits_for(largest: int) -> int:
    """How many digits a number takes."""
    return 2 if largest < 1 << 14 else 3


LOAD_DIGITS = digits_for(LARGEST_LOAD)
IN_DIGITS = "in digits"
WAITS = "negative: it waits for the next round or, at the very end, is set aside"

FEATURES = (
    Feature("seats.thrower", "in turn, or has to throw", (SEATS,), axis="seat"),
    Feature("seats.spiller", "made the vessel spill", (SEATS,), axis="seat"),
    Feature("seats.eye", "holds the Eye of Horus", (SEATS,), axis="seat"),
    Feature("seats.answered", "has answered the pass, or the last one", (SEATS,), axis="seat"),
    Feature("seats.answer", "its answer, 1 stay, 2 + stamp a raised hand", (SEATS,), high=Answer.RAISE + STAMPS - 1, axis="seat"),
    Feature("seats.fixed", "bids fixed in this round", (SEATS,), high=SLOTS, axis="seat"),
    Feature(
        "seats.bids",
        "bid card for each slot, from the first not fixed on those of the last round",
        (SEATS, SLOTS),
        high=EYE,
        axis="seat",
    ),
    Feature("seats.hand", "bid cards 1 to 5 and the Eye in hand, or sealed and not known", (SEATS, EYE), axis="seat"),
    Feature("seats.steadiness", f"per cent of the waves, {IN_DIGITS}", (SEATS, 2), high=127, axis="seat"),
    Feature("seats.banked", "score cards banked", (SEATS, CARDS), axis="seat"),
    Feature("slots.lot", "score cards that wait in the slot", (SLOTS, CARDS), axis="slot"),
    Feature("slots.winner", "who won the slot, in this round or the last one", (SLOTS, SEATS), axis="slot"),
    Feature("slots.proxy", "whose bid bears a proxy marker", (SLOTS, SEATS), axis="slot"),
    Feature("slots.thrown", "its lot is thrown or comes next", (SLOTS,), axis="slot"),
    Feature("cards.last_lot", "belongs to the lot banked last", (CARDS,), axis="card"),
    Feature("cards.mask", "lies under the mask", (CARDS,), axis="card"),
    Feature("cards.turn", f"was turned up as this one, 0: not yet; {WAITS}", (CARDS,), low=-CARDS, high=CARDS, axis="card"),
    Feature(
        "readings.height",
        f"height of the dome as read, {IN_DIGITS}",
        (READINGS, 2),
        low=LOWEST_READING >> 7,
        high=127,
        axis="reading",
    ),
    Feature("readings.volume", f"volume added until then, {IN_DIGITS}", (READINGS, LOAD_DIGITS), high=127, axis="reading"),
    Feature("readings.count", "readings made", high=READINGS),
    Feature("tokens.supply", "tokens of each kind beside the vessel", (KINDS,), high=MOST_TOKENS, axis="kind"),
    Feature("tokens.to_go", "tokens of the lot still to be released", (KINDS,), high=MOST_TOKENS, axis="kind"),
    Feature("tokens.chosen", "the token to be placed on the tray", (KINDS,), axis="kind"),
    Feature("glass.added", f"volume of the tokens put in, {IN_DIGITS}", (LOAD_DIGITS,), high=127),
    Feature("glass.wave", f"strength of the wave, {IN_DIGITS}", (LOAD_DIGITS,), high=127),
    Feature("glass.peak", f"the largest load that held, {IN_DIGITS}", (LOAD_DIGITS,), high=127),
    Feature("glass.surge", f"the largest load of this throw, {IN_DIGITS}", (LOAD_DIGITS,), high=127),
    Feature("glass.sign", "the sign of the rim: 0 calm, 1 warning, 2 alarm", high=2),
    Feature("glass.capacity", f"capacity, known at the end, {IN_DIGITS}", (2,), high=127),
    Feature("glass.first", f"first volume, known at the end, {IN_DIGITS}", (2,), low=-components.POUR_ERROR >> 7, high=127),
    Feature("tray.height", "height of each cell", (CELLS,), high=components.HIGHEST, axis="cell"),
    Feature("tray.top", "the kind of its topmost token", (CELLS, KINDS), axis="cell"),
    Feature("turn.step", "the decision that is due; none: the game is over", (Step.OVER,)),
    Feature("turn.over", "why it is over: 1 a spill, 2 no spill, 3 an accident", high=Ending.ACCIDENT),
    Feature("turn.dealt", "score cards turned up so far", high=CARDS),
    Feature("turn.face_up", "slots of this round whose bids are face up", high=SLOTS),
    Feature("table.players", "players at the table", high=SEATS),
    Feature("table.start", "the option start_player: 0 random, 1 this seat, 2 to 4 the others", high=SEATS),
    Feature("table.classic", "the classic rules"),
    Feature("table.tray", "a tray takes the tokens"),
    Feature("table.liquid", "0 the usual liquid, 1 water, 2 the mix, 3 whisky", high=len(LIQUIDS)),
    Feature("table.classic_limit", "most coins of a classic turn, 0 any number", high=2),
    Feature("table.live_hands", "raised hands bear stamps of time"),
    Feature("table.random_tie", "of equal stamps any is the proxy"),
    Feature("table.hand_window", "ticks that live hands are waited for", high=STAMPS),
    Feature("table.bot_hand_tick", "the stamp of computers", high=STAMPS - 1),
    Feature("table.proxy_limit", "no pass while every proxy marker is out"),
    Feature("table.double_without_spill", "the last lot counts twice in any case"),
    Feature("table.tie_cards", "of equal points more cards win"),
    Feature("table.reading_error", f"how far a reading may be off, {IN_DIGITS}", (2,), high=127),
    Feature("table.rim_line", "the rim has a sign"),
    Feature("table.real_vessel", "the players use their own vessel"),
)
SIZE = sum(feature.size for feature in FEATURES)
# The cards of a round follow from those dealt, the failed lot is what has been turned up and lies nowhere else, and the tokens
# inside are those that are neither in the supply nor to go. Of the deck `cards.turn` shows what is dealt; the last card, which
# random games hardly reach, and the cards to come are the same for everybody.
DERIVED = ("slots", "failed", "inside", "deck")

# [players - 2][viewer][k]: the k-th seat from the viewer's on; those that are empty come last
SEATS_FROM = Constants.of([[[(p + k) % n if k < n else k for k in range(SEATS)] for p in range(SEATS)] for n in PLAYERS])
# [players - 2][viewer][1 + seat]: how far it is from the viewer's, 1 for that one; 0 for nobody
WHO = Constants.of([[[0, *(1 + (q - p) % n for q in range(SEATS))] for p in range(SEATS)] for n in PLAYERS])


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """Seats, slots, cards, readings, vessel, turn and options, one after the other."""
    for k in range(SIZE):
        out[k] = 0
    who = WHO[s.players - 2][p]
    i = put_seats(s, SEATS_FROM[s.players - 2][p], who, out, 0)
    i = put_slots(s, who, out, i)
    i = put_cards(s, out, i)
    i = put_readings(s, out, i)
    i = put_vessel(s, out, i)
    i = put_turn(s, out, i)
    return put_options(s, who, out, i)


@rule
def mark(out: list[int], i: int, value: int, size: int) -> int:
    """A one-hot row of `size` zeros for a value that counts from 1 on; 0 is none of them."""
    out[i + max(0, value - 1)] = 1 if value > 0 else 0
    return i + size


@rule
def put_seats(s: State, seats: list[int], who: list[int], out: list[int], i: int) -> int:
    """Who does what; answers, bids, hand, steadiness and banked cards of each seat."""
    i = mark(out, i, who[1 + s.thrower], SEATS)
    i = mark(out, i, who[1 + s.spiller], SEATS)
    i = mark(out, i, who[1 + s.eye], SEATS)
    answered = sets.number(s.answered)
    for k in range(SEATS):
        q = seats[k]
        out[i + k] = (answered >> q) & 1
        out[i + SEATS + k] = s.answer[q]
        out[i + 2 * SEATS + k] = s.fixed[q]
    i += 3 * SEATS
    for k in range(SEATS):
        i = put_row(out, i, s.order[seats[k]], SLOTS)
    for k in range(SEATS):
        i = put_bits(out, i, sets.number(s.hand[seats[k]]) >> 1, EYE)
    for k in range(SEATS):
        i = put_digits(out, i, glass.steadiness(s, seats[k]), 2)
    for k in range(SEATS):
        i = put_bits(out, i, sets.number(s.banked[seats[k]]), CARDS)
    return i


@rule
def put_slots(s: State, who: list[int], out: list[int], i: int) -> int:
    """The lots, and who won them or throws them for another."""
    for k in range(SLOTS):
        i = put_bits(out, i, sets.number(s.lot[k]), CARDS)
    for k in range(SLOTS):
        i = mark(out, i, who[1 + s.winner[k]], SEATS)
    for k in range(SLOTS):
        i = mark(out, i, who[1 + s.proxy[k]], SEATS)
    return mark(out, i, (1 + s.slot) % (1 + SLOTS), SLOTS)


@rule
def put_cards(s: State, out: list[int], i: int) -> int:
    """The other score cards, and in which order they have come."""
    i = put_bits(out, i, sets.number(s.last_lot), CARDS)
    i = put_bits(out, i, sets.number(s.mask), CARDS)
    waiting = sets.number(s.carried) | sets.number(s.aside)
    for k in range(s.dealt):
        card = s.deck[k]
        out[i + card] = -1 - k if (waiting >> card) & 1 else 1 + k
    return i + CARDS


@rule
def put_readings(s: State, out: list[int], i: int) -> int:
    """Every reading of the dome, and the volume at which it was made."""
    for k in range(READINGS):
        i = put_digits(out, i, s.reading[k], 2)
    for k in range(READINGS):
        i = put_digits(out, i, s.reading_at[k], LOAD_DIGITS)
    return put(out, i, s.readings)


@rule
def put_vessel(s: State, out: list[int], i: int) -> int:
    """Tokens, what is known of the glass, and the tray."""
    i = put_row(out, i, s.supply, KINDS)
    i = put_row(out, i, s.to_go, KINDS)
    i = mark(out, i, 1 + s.kind, KINDS)
    i = put_digits(out, i, s.added, LOAD_DIGITS)
    i = put_digits(out, i, s.wave, LOAD_DIGITS)
    i = put_digits(out, i, s.peak, LOAD_DIGITS)
    i = put_digits(out, i, s.surge, LOAD_DIGITS)
    i = put(out, i, s.sign)
    i = put_digits(out, i, s.vcrit, 2)
    i = put_digits(out, i, s.v0, 2)
    i = put_row(out, i, s.height, CELLS)
    for cell in range(CELLS):
        i = mark(out, i, s.top[cell], KINDS)
    return i


@rule
def put_turn(s: State, out: list[int], i: int) -> int:
    """What is to be decided, and how far the round is."""
    i = mark(out, i, (1 + s.step) % (1 + Step.OVER), Step.OVER)
    i = put(out, i, s.over)
    i = put(out, i, s.dealt)
    return put(out, i, s.face_up)


@rule
def put_options(s: State, who: list[int], out: list[int], i: int) -> int:
    """The number of players, and the options."""
    i = put(out, i, s.players)
    i = put(out, i, who[1 + s.start_player])
    i = put(out, i, s.rules)
    i = put(out, i, s.vessel)
    i = put(out, i, s.liquid)
    i = put(out, i, s.classic_limit)
    i = put(out, i, s.hands)
    i = put(out, i, s.hand_tie)
    i = put(out, i, s.hand_window)
    i = put(out, i, s.bot_hand_tick)
    i = put(out, i, s.proxy_limit)
    i = put(out, i, s.double_without_spill)
    i = put(out, i, s.tie_cards)
    i = put_digits(out, i, s.reading_error, 2)
    i = put(out, i, s.rim_line)
    return put(out, i, s.real_vessel)
