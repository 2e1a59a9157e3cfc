"""What a player sees, as features; seats are counted from the player's own.

One-hot rows are collected as bits of a number, which a loop without branches writes out.
"""

from __future__ import annotations

from perankh.engine.api import Constants, Feature, put, put_bits, put_digits, put_row, rule

from . import components
from .components import (
    BURIAL_ROOM,
    BY_SHIP,
    COPIES,
    FIRST_BLUE,
    KINDS,
    PAIR,
    REDS,
    ROUND_CARDS,
    ROUNDS,
    SEATS,
    SHIPS,
    SITES,
    SLOTS,
    SPACES,
    TEMPLE_CELLS,
    WIDTH,
    Card,
)
from .invariants import MOST_OBELISKS, MOST_TURNS
from .state import PLAYERS, REJECTED, Berth, FaceDown, State, Step, capacity

ALL_CARDS = components.ALL_CARDS
MOST_COPIES = max(COPIES)
HELD = KINDS - REDS  # kinds of cards that lie before the players
BLUES = KINDS - FIRST_BLUE
BERTHS = 1 + SITES  # waiting, and the docks
SHIP_OF = Constants(
    ship for ship in range(SHIPS) for _ in range(max(card[ship] for cards in components.CAPACITY for card in cards))
)
SPACE_OF = Constants(k - SHIP_OF.index(ship) for k, ship in enumerate(SHIP_OF))  # of all spaces that a ship may have
THREE = "three a number: whose they are, 0 none, 1 own, 2 to 4 others', as digits of base 5"
BASE = 1 + SEATS
THREE_MOST = BASE**3 - 1
OWN, BACK = SEATS, SEATS + KINDS  # codes of rejected cards
REJECTED_AS = f"0 none, 2 to 4 by another seat, {OWN} + 1 + kind an own one, {BACK} + 1 to 4: whose it was, back in the deck"


def in_threes(room: int) -> int:
    """How many numbers a row of stones takes, three a number."""
    return -(-room // 3)


FEATURES = (
    Feature("seats.quarry", "stones in the quarry", (SEATS,), high=components.STONES, axis="seat"),
    Feature("seats.sled", "stones on the sled", (SEATS,), high=components.SLED, axis="seat"),
    Feature("seats.score", "points, in two digits", (SEATS, 2), low=(-4 * components.WRATH) >> 7, high=127, axis="seat"),
    Feature("seats.beside", "stones beside the pyramid", (SEATS,), high=components.STONES, axis="seat"),
    Feature("seats.temple", "stones in the temple", (SEATS,), high=components.STONES, axis="seat"),
    Feature("seats.obelisk", "stones at the obelisks", (SEATS,), high=components.STONES, axis="seat"),
    Feature("seats.held", "cards held of each kind, but the red ones", (SEATS, HELD), high=MOST_COPIES, axis="seat"),
    Feature("seats.turn", "on turn", (SEATS,), axis="seat"),
    Feature("seats.chooser", "decides now", (SEATS,), axis="seat"),
    Feature("ships.capacity", "spaces of the ship", (SHIPS,), high=SPACES, axis="ship"),
    Feature("ships.berth", "it waits, or lies at a site; none: it is out of the round", (SHIPS, BERTHS), axis="ship"),
    Feature("ships.unloading", "is being sailed or unloaded", (SHIPS,), axis="ship"),
    Feature("spaces.cargo", "whose stone is on each space of the ships, bow first", (len(SHIP_OF), SEATS), axis="space"),
    Feature("queue.stones", "whose stones leave the ship, in this order", (SPACES, SEATS)),
    Feature("queue.served", "how many of them have left", high=SPACES),
    Feature("sites.pyramid", "whose stone is on each cell of the pyramid", (components.BUILDING_CELLS, SEATS)),
    Feature("sites.temple_tops", "whose stone is seen from above in each temple cell", (TEMPLE_CELLS, SEATS)),
    Feature("sites.temple", f"stones of the temple in the order of placing, {THREE}", (in_threes(BY_SHIP),), high=THREE_MOST),
    Feature(
        "sites.burial",
        "stones of the burial chamber in the order of placing: 0 none, 1 own, 2 to 4 others'",
        (BURIAL_ROOM,),
        high=SEATS,
    ),
    Feature(
        "sites.obelisks", f"obelisks of side B in the order of building, {THREE}", (in_threes(MOST_OBELISKS),), high=THREE_MOST
    ),
    Feature("market.slots", "the kind of the face-up card", (SLOTS, KINDS), axis="slot"),
    Feature("market.pair", "face-down cards: 0 none, 1 unknown, 2 known to all, 3 seen by this seat alone", (PAIR,), high=3),
    Feature("market.pair_kinds", "1 + their kinds, 0: unknown", (PAIR,), high=KINDS),
    Feature("cards.unseen", "cards of the kind that this seat has not seen", (KINDS,), high=MOST_COPIES, axis="kind"),
    Feature("cards.discard", "cards of the kind in the discard pile", (KINDS,), high=MOST_COPIES, axis="kind"),
    Feature("cards.entrance", "cards Entrance being resolved", high=MOST_COPIES),
    Feature("cards.played", "the blue card being played", (BLUES,)),
    Feature("cards.deck", "cards in the deck", high=ALL_CARDS),
    Feature("cards.buried", "cards discarded unseen", high=ALL_CARDS),
    Feature("cards.shuffles", "how often the discard pile became the deck", high=1),
    Feature(
        "cards.rejected", f"card rejected in each round onto a closed discard pile: {REJECTED_AS}", (ROUNDS,), high=BACK + SEATS
    ),
    Feature("round.number", "the round", high=ROUNDS),
    Feature("round.cards", "the round in which each round card was turned up, 0: not yet", (ROUND_CARDS,), high=ROUNDS),
    Feature("turn.step", "the decision that is due; none: the game is over", (Step.OVER,)),
    Feature("turn.cell", "1 + the temple cell being scored, 0: none", high=TEMPLE_CELLS),
    Feature("turn.passes", "forced passes in a row", high=SEATS - 1),
    Feature("turn.count", "turns taken in the game, less 128", low=-128, high=max(MOST_TURNS) - 128),
    Feature("table.players", "players at the table", high=SEATS),
    Feature("table.start", "the option start_player: 0 random, 1 this seat, 2 to 4 the others", high=SEATS),
    Feature("table.market_side", "side B of the market"),
    Feature("table.pyramid_side", "side B of the pyramid"),
    Feature("table.temple_side", "side B of the temple"),
    Feature("table.burial_side", "side B of the burial chamber"),
    Feature("table.obelisk_side", "side B of the obelisks"),
    Feature("table.wrath", "the Pharaoh's wrath"),
    Feature("table.wrath_scope", "the wrath strikes for each missing monument"),
    Feature("table.quarry_take", "as many stones as possible are fetched"),
    Feature("table.blue_parts", "Hammer and Chisel: the parts that are possible"),
    Feature("table.market_return", "market stones go back one by one"),
    Feature("table.obelisk_b_pay", "obelisks of side B score at the end"),
    Feature("table.discard_open", "the discard pile is open"),
)
DERIVED = ("round_card",)  # the one turned up in the present round

# [players - 2][viewer][k]: the k-th seat from the viewer's on; those that are empty come last
SEATS_FROM = Constants.of(
    [[[(p + k) % n if k < n else k for k in range(SEATS)] for p in range(SEATS)] for n in PLAYERS],
)
# [players - 2][viewer]: four bits for each stone: whose it is, counted from the viewer on, 0 nobody's, 1 the viewer's
OWNERS = Constants.of(
    [[sum(1 + (q - p) % n << 4 + 4 * q for q in range(SEATS)) for p in range(SEATS)] for n in PLAYERS],
)
# The same as a one-hot row: 1 for the viewer's, 2, 4 and 8 for the others'
MARKS = Constants.of([[sum(1 << (q - p) % n << 4 + 4 * q for q in range(SEATS)) for p in range(SEATS)] for n in PLAYERS])
# [players - 2][stones in the temple][cell]: 1 + the place of the stone on top, 0: none
TOPS = Constants.of(
    [
        [
            [1 + max((k for k in range(n) if k % width == cell), default=-1) for cell in range(TEMPLE_CELLS)]
            for n in range(BY_SHIP + 1)
        ]
        for width in WIDTH
    ]
)


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """Seats, ships, sites, cards, and the turn."""
    owners, marks = OWNERS[s.players - 2][p], MARKS[s.players - 2][p]
    in_temple = temple_counts(s)
    i = put_seats(s, SEATS_FROM[s.players - 2][p], in_temple, out, 0)
    i = put_ships(s, marks, out, i)
    i = put_sites(s, owners, marks, in_temple, out, i)
    i = put_cards(s, out, i)
    i = put_rejected(s, owners, out, i)
    i = put_turn(s, out, i)
    return put_options(s, owners, out, i)


@rule
def one_of(value: int) -> int:
    """A one-hot row as bits, for a value that counts from 1 on; 0 is none of them."""
    return (1 << value) >> 1


@rule
def of(row: int, stone: int) -> int:
    """What OWNERS or MARKS say of a stone."""
    return (row >> 4 * stone) & 15


@rule
def put_seats(s: State, seats: list[int], in_temple: int, out: list[int], i: int) -> int:
    """Stones, points and cards of each seat, and who is on turn."""
    for k in range(SEATS):
        q = seats[k]
        out[i + k] = s.quarry[q]
        out[i + SEATS + k] = s.sled[q]
        put_digits(out, i + 2 * SEATS + 2 * k, s.score[q], 2)
        out[i + 4 * SEATS + k] = s.beside[q]
        out[i + 5 * SEATS + k] = (in_temple >> (8 + 8 * q)) & 255
        out[i + 6 * SEATS + k] = s.obelisk[q]
        for kind in range(HELD):
            out[i + 7 * SEATS + HELD * k + kind] = s.held[q][REDS + kind]
        out[i + (7 + HELD) * SEATS + k] = 1 if s.turn == q else 0
        out[i + (8 + HELD) * SEATS + k] = 1 if s.chooser == q else 0
    return i + (9 + HELD) * SEATS


@rule
def temple_counts(s: State) -> int:
    """Stones in the temple: eight bits for the empty places, then eight for the stones of each seat."""
    counts = 0
    for k in range(BY_SHIP):
        counts += 1 << (8 * s.temple[k])
    return counts


@rule
def put_ships(s: State, marks: int, out: list[int], i: int) -> int:
    """Ships, their stones, and those that are being unloaded."""
    berths, cargo, queue = 0, 0, 0
    for ship in range(SHIPS):
        i = put(out, i, capacity(s, ship))
        berths |= one_of((1 + s.berth[ship]) % (1 + Berth.GONE)) << BERTHS * ship
    for k in range(len(SHIP_OF)):
        cargo |= of(marks, s.cargo[SHIP_OF[k]][SPACE_OF[k]]) << SEATS * k
    for k in range(SPACES):
        queue |= of(marks, s.queue[k]) << SEATS * k
    i = put_bits(out, i, berths, BERTHS * SHIPS)
    i = put_bits(out, i, one_of(s.ship), SHIPS)
    i = put_bits(out, i, cargo, SEATS * len(SHIP_OF))
    i = put_bits(out, i, queue, SEATS * SPACES)
    return put(out, i, s.served)


@rule
def put_sites(s: State, owners: int, marks: int, in_temple: int, out: list[int], i: int) -> int:
    """The stones at the monuments."""
    pyramid, tops = 0, 0
    for cell in range(components.BUILDING_CELLS):
        pyramid |= of(marks, s.pyramid[cell]) << SEATS * cell
    for cell in range(TEMPLE_CELLS):
        top = TOPS[s.players - 2][BY_SHIP - (in_temple & 255)][cell]
        tops |= of(marks, s.temple[max(0, top - 1)] if top > 0 else 0) << SEATS * cell
    i = put_bits(out, i, pyramid, SEATS * components.BUILDING_CELLS)
    i = put_bits(out, i, tops, SEATS * TEMPLE_CELLS)
    i = put_threes(s.temple, BY_SHIP, owners, out, i)
    for k in range(BURIAL_ROOM):
        out[i + k] = of(owners, s.burial[k])
    return put_threes(s.erected, MOST_OBELISKS, owners, out, i + BURIAL_ROOM)


@rule
def put_threes(stones: list[int], room: int, owners: int, out: list[int], i: int) -> int:
    """A row of stones, three a number."""
    for k in range(0, room - 2, 3):
        first, second, third = of(owners, stones[k]), of(owners, stones[k + 1]), of(owners, stones[k + 2])
        i = put(out, i, (first * BASE + second) * BASE + third)
    if room % 3 == 0:
        return i
    first, second = of(owners, stones[room - room % 3]), of(owners, stones[room - 1])
    return put(out, i, first if room % 3 == 1 else first * BASE + second)


@rule
def put_cards(s: State, out: list[int], i: int) -> int:
    """Market, pair, unseen and discarded cards, and those in play."""
    market = 0
    for slot in range(SLOTS):
        market |= one_of(s.market[slot]) << KINDS * slot
    i = put_bits(out, i, market, KINDS * SLOTS)
    for k in range(PAIR):
        card = s.hidden[k]
        i = put(out, i, card if card <= FaceDown.UNSEEN else 2 if card < FaceDown.SECRET else 3)
    for k in range(PAIR):
        card = s.hidden[k]
        i = put(out, i, 0 if card <= FaceDown.UNSEEN else 1 + (card - FaceDown.KNOWN) % KINDS)
    i = put_row(out, i, s.unseen, KINDS)
    i = put_row(out, i, s.discard, KINDS)
    i = put(out, i, s.red[Card.ENTRANCE])  # the other red cards are done within a move
    i = put_bits(out, i, one_of(max(0, s.played - FIRST_BLUE)), BLUES)
    i = put(out, i, s.deck)
    i = put(out, i, s.buried)
    return put(out, i, s.shuffles)


@rule
def put_rejected(s: State, owners: int, out: list[int], i: int) -> int:
    """The cards on a closed discard pile; whose they were is still told when they are back in the deck."""
    for k in range(ROUNDS):
        card, seat = s.hidden[REJECTED + k], of(owners, 1 + s.rejecter[k])
        code = seat if card < FaceDown.SECRET else OWN + 1 + card - FaceDown.SECRET
        back = BACK + seat if s.rejecter[k] > 0 else 0
        out[i + k] = code if card != FaceDown.NONE else back
    return i + ROUNDS


@rule
def put_turn(s: State, out: list[int], i: int) -> int:
    """Round and turn."""
    i = put(out, i, s.round)
    i = put_row(out, i, s.turned, ROUND_CARDS)
    i = put_bits(out, i, 1 << s.step, Step.OVER)
    i = put(out, i, s.cell)
    i = put(out, i, s.passes)
    return put(out, i, s.turns - 128)


@rule
def put_options(s: State, owners: int, out: list[int], i: int) -> int:
    """The number of players, and the options."""
    i = put(out, i, s.players)
    i = put(out, i, of(owners, 1 + s.start_player))
    i = put(out, i, s.market_side)
    i = put(out, i, s.pyramid_side)
    i = put(out, i, s.temple_side)
    i = put(out, i, s.burial_side)
    i = put(out, i, s.obelisk_side)
    i = put(out, i, s.wrath)
    i = put(out, i, s.wrath_scope)
    i = put(out, i, s.quarry_take)
    i = put(out, i, s.blue_parts)
    i = put(out, i, s.market_return)
    i = put(out, i, s.obelisk_b_pay)
    return put(out, i, s.discard_open)
