"""What lies on the table of Imhotep: the printed numbers and the state.

Kinds of market cards are numbered in the order of the rulebook's list: red, green, purple, blue. Sites are numbered market,
pyramid, temple, burial chamber, obelisk. A stone is written as 1 + the seat of its owner, 0 is an empty place.
"""

from __future__ import annotations

from perankh.engine.api import Record, Table, choice, components, flag, number, numbers, rule, seat

COMPONENTS = components(__file__)
SEATS = 4

# --- Stones and ships -----------------------------------------------------------------------------------------

MARKERS = COMPONENTS.whole("stones", "score_markers", 1, 1)
STONES = COMPONENTS.whole("stones", "per_colour", 30, 30) - MARKERS  # of one player in play
SLED = COMPONENTS.whole("sled", "spaces", 5, 9)
START_STONES = COMPONENTS.wholes("sled", "start", SEATS, 0, SLED)
FETCH_MOST = COMPONENTS.whole("quarry", "fetch", 1, 3)
ROUNDS = COMPONENTS.whole("rounds", "count", 1, 6)

SHIPS, SPACES = 4, 4  # ships in a round, and the most spaces of one
TOKENS = COMPONENTS.wholes("ships", "tokens", SPACES, 0, 9)
MINIMUM = Table((0, *COMPONENTS.wholes("ship_minimum", "loads", SPACES, 1, SPACES)))  # [capacity]
if any(MINIMUM[capacity] > capacity for capacity in range(1, SPACES + 1)):
    COMPONENTS.fail("ship_minimum", "loads ask for more stones than a ship carries")
ROUND_CARDS = 7
CARD_NAMES = tuple(tuple(f"R{n}-{card}" for card in range(1, ROUND_CARDS + 1)) for n in (2, 3, 4))
CAPACITY = Table.of(  # [players - 2][card][ship]
    [
        [COMPONENTS.wholes(f"round_cards.{word}", name, SHIPS, 1, SPACES) for name in names]
        for word, names in zip(("two", "three", "four"), CARD_NAMES, strict=True)
    ]
)
for names, cards in zip(CARD_NAMES, CAPACITY, strict=True):
    for name, card in zip(names, cards, strict=True):
        if any(card.count(capacity + 1) > TOKENS[capacity] for capacity in range(SPACES)):
            COMPONENTS.fail(f"round_cards ({name})", f"needs ships {card} of which there are not enough")

# --- Sites ----------------------------------------------------------------------------------------------------

SITES = ("market", "pyramid", "temple", "burial", "obelisk")
MARKET, PYRAMID, TEMPLE, BURIAL, OBELISK = range(5)

SLOTS = COMPONENTS.whole("market", "slots", 4, 4)
PAIR = COMPONENTS.whole("market", "face_down", 2, 2)
PAIR_SLOT = SLOTS - 1  # the slot of the face-down cards on side B

PYRAMID_A = COMPONENTS.wholes("pyramid_a", "points", 14, 0, 99)
PYRAMIDS = ("left", "middle", "right")
PYRAMID_CELLS = 5  # of each small pyramid
PYRAMID_B = Table.of([COMPONENTS.wholes("pyramid_b", name, PYRAMID_CELLS, 0, 99) for name in PYRAMIDS])
BESIDE_POINTS = Table(COMPONENTS.whole(f"pyramid_{side}", "beside", 0, 99) for side in "ab")  # [side]
BONUSES = ("", "card", "stones", "load")
NO_BONUS, CARD_BONUS, STONES_BONUS, LOAD_BONUS = range(4)
BONUS_STONES = COMPONENTS.whole("pyramid_b_bonus", "stones", 1, 3)
BUILDING_CELLS = len(PYRAMIDS) * PYRAMID_CELLS


def bonuses(pyramid: str) -> list[int]:
    """The bonus of each cell of a small pyramid, as numbers."""
    row = COMPONENTS.value("pyramid_b", f"{pyramid}_bonus")
    if not isinstance(row, list) or len(row) != PYRAMID_CELLS or any(name not in BONUSES for name in row):
        COMPONENTS.fail("pyramid_b", f'{pyramid}_bonus must be {PYRAMID_CELLS} of "", "card", "stones", "load"')
    return [BONUSES.index(name) for name in row]


BONUS = Table.of([bonuses(pyramid) for pyramid in PYRAMIDS])  # [pyramid][cell]

TEMPLE_CELLS = 5
WIDTH = COMPONENTS.wholes("temple", "width", 3, 1, TEMPLE_CELLS)  # [players - 2]
TEMPLE_POINTS = Table.of([COMPONENTS.wholes(f"temple_{side}", "points", TEMPLE_CELLS, 0, 99) for side in "ab"])
TEMPLE_STONES = Table.of([[0] * TEMPLE_CELLS, COMPONENTS.wholes("temple_b", "stones", TEMPLE_CELLS, 0, 3)])
TEMPLE_CARD = Table.of([[0] * TEMPLE_CELLS, COMPONENTS.wholes("temple_b", "card", TEMPLE_CELLS, 0, 1)])

ROWS = COMPONENTS.whole("burial", "rows", 3, 3)
PRINTED_COLUMNS = COMPONENTS.whole("burial", "printed_columns", 1, 20)  # for drawing only
OBELISK_STONES = COMPONENTS.whole("obelisk_b", "stones", 2, 9)
LOOSE_POINTS = COMPONENTS.whole("obelisk_b", "loose", 0, 9)
SLOT_POINTS = COMPONENTS.wholes("obelisk_b", "slots", 10, 0, 99)
FURTHER_SLOT = COMPONENTS.whole("obelisk_b", "further", 0, 99)

# Points of the places: [which][players - 2][place]
BURIAL_PLACES, OBELISK_PLACES = 0, 1
BURIAL_ROW = COMPONENTS.wholes("burial_b", "places", SEATS, 0, 99)
PLACES = Table.of(
    [
        [[*BURIAL_ROW[:n], *[0] * (SEATS - n)] for n in (2, 3, 4)],
        [
            [*COMPONENTS.wholes("obelisk_a", word, n, 0, 99), *[0] * (SEATS - n)]
            for n, word in ((2, "two"), (3, "three"), (4, "four"))
        ],
    ]
)
WRATH = COMPONENTS.whole("wrath", "points", 0, 99)

# --- Market cards ---------------------------------------------------------------------------------------------

CARDS = (
    *("entrance", "sarcophagus", "paved_path", "deco_pyramid", "deco_temple", "deco_burial", "deco_obelisk"),
    *("idol", "lever", "hammer", "sail", "chisel"),
)
KINDS = len(CARDS)
IDOL, LEVER, HAMMER, SAIL_CARD, CHISEL = range(7, KINDS)
REDS = 3  # kinds 0 to 2 are red, 3 to 6 green
COLOURS_OF_CARDS = ("red",) * REDS + ("green",) * 4 + ("purple",) + ("blue",) * 4
SITE_OF_CARDS = (*("pyramid", "burial", "obelisk"), *("pyramid", "temple", "burial", "obelisk"), *[None] * 5)
if COMPONENTS.sets("cards") != CARDS:
    COMPONENTS.fail("cards", f"must hold {', '.join(CARDS)}, in this order")
for card_name, colour, site_name in zip(CARDS, COLOURS_OF_CARDS, SITE_OF_CARDS, strict=True):
    if COMPONENTS.value(f"cards.{card_name}", "colour") != colour:
        COMPONENTS.fail(f"cards.{card_name}", f"colour must be {colour}")
    if COMPONENTS.table(f"cards.{card_name}").get("site") != site_name:
        COMPONENTS.fail(f"cards.{card_name}", f"site must be {site_name}" if site_name else "names no site")
COPIES = Table(COMPONENTS.whole(f"cards.{name}", "copies", 0, 34) for name in CARDS)
ALL_CARDS = COMPONENTS.whole("card_count", "all", 34, 34)
if sum(COPIES) != ALL_CARDS:
    COMPONENTS.fail("cards", f"copies make {sum(COPIES)} cards, not {ALL_CARDS}")
SITE_OF = Table(SITES.index(name) if name else -1 for name in SITE_OF_CARDS)  # [kind]; -1: none
BLUE_POINTS = COMPONENTS.whole("card_points", "blue", 0, 9)
STONES_PER_POINT = COMPONENTS.whole("card_points", "stones_per_green_point", 1, 99)
SET_VALUES = COMPONENTS.wholes("set_values", "points", 6, 0, 99)
EACH_FURTHER = COMPONENTS.whole("set_values", "each_further", 0, 9)

# The discard pile is shuffled at most once, so a red card comes at most twice.
BY_SHIP = ROUNDS * SPACES  # stones that ships can bring to one site
BURIAL_ROOM = BY_SHIP + 2 * COPIES[1]
OBELISKS = len(SLOT_POINTS) + 2  # room for more obelisks than can be built

# --- Facts of the game ----------------------------------------------------------------------------------------

# Actions
PASS, FETCH, POINT, LOAD = 0, 1, 5, 6  # FETCH + number of stones; LOAD + 4 * ship + space
SAIL = LOAD + SHIPS * SPACES  # + 5 * ship + site
PLAY = SAIL + SHIPS * len(SITES)  # + kind of blue card - LEVER
TAKE = PLAY + 4  # + slot
KEEP = TAKE + SLOTS  # + kind
BUILD = KEEP + KINDS  # + small pyramid
ORDER = BUILD + len(PYRAMIDS)  # + owner of the stone that comes next
DECLINE = ORDER + SEATS
ACTIONS = DECLINE + 1

# Steps: what is to be decided now.
STEPS = (
    *("main", "lever_sail", "lever_order", "hammer_fetch", "hammer_load", "sail_load", "sail_site", "chisel_first"),
    *("chisel_second", "offer", "pair", "pyramid", "bonus_stones", "bonus_load", "temple", "over"),
)
MAIN, LEVER_SAIL, LEVER_ORDER, HAMMER_FETCH, HAMMER_LOAD, SAIL_LOAD, SAIL_SITE, CHISEL_FIRST = range(8)
CHISEL_SECOND, OFFER, CHOOSE_PAIR, CHOOSE_PYRAMID, FETCH_BONUS, BONUS_LOAD, CHOOSE_REWARD, OVER = range(8, 16)
GO_ON = 16  # only within a choice: nothing to decide, `apply` goes on

# Values of the options
SIDE_B, MAX, POSSIBLE, PER_STONE, GAME_END, PER_SITE = 1, 1, 1, 1, 1, 1

# A ship's berth: WAITING, 1 + site, or GONE (back in the pool after a stall).
WAITING, GONE = 0, 6

# A card that lies face down outside the deck: NONE, FACE_DOWN (any of the unseen cards), KNOWN + kind (everybody can tell,
# because no other card is unseen), SECRET + kind (seen by one player alone, or by nobody).
NONE, FACE_DOWN, KNOWN, SECRET = 0, 1, 2, 2 + KINDS
REJECTED = PAIR  # the first two are the pair of market B; from here on one for each round


class State(Record):
    """The table of Imhotep, and how far the turn has got."""

    market_side: int = choice("A", "B")  # sides of the five sites (IMH-S2)
    pyramid_side: int = choice("A", "B")
    temple_side: int = choice("A", "B")
    burial_side: int = choice("A", "B")
    obelisk_side: int = choice("A", "B")
    wrath: int = flag(False)  # the Pharaoh's wrath at the end (IMH-V2)
    wrath_scope: int = choice("once", "per_site")  # the wrath once, or for each missing monument
    quarry_take: int = choice("choice", "max")  # whoever fetches chooses the number, or takes all that is possible
    blue_parts: int = choice("all", "possible")  # whether all parts of Hammer and Chisel must be possible
    market_return: int = choice("after_ship", "per_stone")  # when market stones go back to the quarry
    obelisk_b_pay: int = choice("at_once", "game_end")  # when obelisks of side B score
    discard_open: int = flag(True)  # everybody may look through the discard pile
    start_player: int = seat()  # who begins

    quarry: list[int] = numbers("i1", SEATS)  # stones of each seat not yet fetched, 0 to 29
    sled: list[int] = numbers("i1", SEATS)  # stones on each sled, 0 to 5
    cargo: list[list[int]] = numbers("i1", SHIPS, SPACES)  # [ship][space] a stone or 0, bow first
    berth: list[int] = numbers("i1", SHIPS)  # WAITING, 1 + site where the ship is docked, or GONE
    score: list[int] = numbers("i2", SEATS)  # points of each seat, below 0 only by the wrath

    pyramid: list[int] = numbers("i1", BUILDING_CELLS)  # stone on each cell; side B: 5 * small pyramid + cell
    beside: list[int] = numbers("i1", SEATS)  # stones of each seat beside the complete pyramid
    temple: list[int] = numbers("i1", BY_SHIP)  # stones in the order of placing, then 0
    burial: list[int] = numbers("i1", BURIAL_ROOM)  # stones in the order of placing, then 0
    obelisk: list[int] = numbers("i1", SEATS)  # stones of each seat at the obelisks, loose and erected
    erected: list[int] = numbers("i1", OBELISKS)  # side B: owner (as a stone) of the obelisk on each slot, then 0

    round: int = number("i1")  # 1 to 6
    round_card: int = number("i1")  # the card of this round, 0 to 6
    turned: list[int] = numbers("i1", ROUND_CARDS)  # the round in which each card was turned up, 0: not yet
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
    step: int = number("i1")  # what is to be decided, an index into STEPS
    turns: int = number("i2")  # turns taken in the game, without forced passes
    passes: int = number("i1")  # forced passes in a row
    played: int = number("i1")  # 1 + kind of the blue card being played, 0: none
    red: list[int] = numbers("i1", REDS)  # red cards of each kind being resolved
    ship: int = number("i1")  # 1 + the ship being sailed or unloaded, 0: none
    queue: list[int] = numbers("i1", SPACES)  # stones in the order in which they leave that ship, then 0
    served: int = number("i1")  # stones of the queue that have left, 0 to 4
    cell: int = number("i1")  # temple cell being scored at the end of the round, 1 to 5, 0: none
    drawn: list[int] = numbers("i1", 2)  # 1 + kind of the single cards that the last choice brought from the deck
    drawn_by: list[int] = numbers("i1", 2)  # who received them


# --- Counting -------------------------------------------------------------------------------------------------


@rule
def capacity(s: State, ship: int) -> int:
    """Spaces of one of the round's ships."""
    return int(CAPACITY[s.players - 2][s.round_card][ship])


@rule
def width(s: State) -> int:
    """Temple cells in use (IMH-N1)."""
    return int(WIDTH[s.players - 2])


@rule
def unseen_cards(s: State) -> int:
    """How many cards nobody has seen."""
    n = 0
    for kind in range(KINDS):
        n += s.unseen[kind]
    return n


@rule
def placed(row: list[int], room: int) -> int:
    """How many stones lie in a row that is filled without gaps."""
    n = 0
    while n < room and row[n] > 0:
        n += 1
    return n


@rule
def visible(s: State, cell: int) -> int:
    """The topmost stone of a temple cell (0 to 4), 0: none (IMH-N2)."""
    stone = 0
    for k in range(cell, BY_SHIP, width(s)):
        if s.temple[k] > 0:
            stone = int(s.temple[k])
    return stone


@rule
def beside_stones(s: State) -> int:
    """All stones beside the pyramid."""
    n = 0
    for p in range(SEATS):
        n += s.beside[p]
    return n


@rule
def storeys(s: State, pyramid: int) -> int:
    """Stones of a small pyramid of side B."""
    n = 0
    while n < PYRAMID_CELLS and s.pyramid[PYRAMID_CELLS * pyramid + n] > 0:
        n += 1
    return n
