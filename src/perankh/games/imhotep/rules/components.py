"""The printed numbers of Imhotep, read from `components.toml`, and tables made from them.

Kinds of market cards are numbered in the order of the rulebook's list: red, green, purple, blue.
"""

from __future__ import annotations

from enum import IntEnum

from perankh.engine.api import Constants, components

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
MINIMUM = Constants((0, *COMPONENTS.wholes("ship_minimum", "loads", SPACES, 1, SPACES)))  # [capacity]
if any(MINIMUM[capacity] > capacity for capacity in range(1, SPACES + 1)):
    COMPONENTS.fail("ship_minimum", "loads ask for more stones than a ship carries", "船に積める数を超えています。", "loads")
ROUND_CARDS = 7
CARD_NAMES = tuple(tuple(f"R{n}-{card}" for card in range(1, ROUND_CARDS + 1)) for n in (2, 3, 4))
CAPACITY = Constants.of(  # [players - 2][card][ship]
    [
        [COMPONENTS.wholes(f"round_cards.{word}", name, SHIPS, 1, SPACES) for name in names]
        for word, names in zip(("two", "three", "four"), CARD_NAMES, strict=True)
    ]
)
for names, cards in zip(CARD_NAMES, CAPACITY, strict=True):
    for name, card in zip(names, cards, strict=True):
        if any(card.count(capacity + 1) > TOKENS[capacity] for capacity in range(SPACES)):
            word = ("two", "three", "four")[int(name[1]) - 2]
            message = f"{name} needs ships {list(card)} of which there are not enough"
            COMPONENTS.fail(f"round_cards.{word}", message, f"{name}に必要な船が足りません。", name)

# --- Sites ----------------------------------------------------------------------------------------------------


class Site(IntEnum):
    """The five building sites. All but the market are monuments."""

    MARKET = 0
    PYRAMID = 1
    TEMPLE = 2
    BURIAL = 3
    OBELISK = 4


SITE_NAMES = tuple(site.name.lower() for site in Site)
SITES = len(Site)

SLOTS = COMPONENTS.whole("market", "slots", 4, 4)
PAIR = COMPONENTS.whole("market", "face_down", 2, 2)
PAIR_SLOT = SLOTS - 1  # the slot of the face-down cards on side B

PYRAMID_A = COMPONENTS.wholes("pyramid_a", "points", 14, 0, 99)
CELLS_A = len(PYRAMID_A)
PYRAMID_NAMES = ("left", "middle", "right")
PYRAMIDS, PYRAMID_CELLS = len(PYRAMID_NAMES), 5  # small pyramids, and the cells of each
PYRAMID_B = Constants.of([COMPONENTS.wholes("pyramid_b", name, PYRAMID_CELLS, 0, 99) for name in PYRAMID_NAMES])
BESIDE_POINTS = Constants(COMPONENTS.whole(f"pyramid_{side}", "beside", 0, 99) for side in "ab")  # [side]
BUILDING_CELLS = PYRAMIDS * PYRAMID_CELLS


class Bonus(IntEnum):
    """What a cell of pyramid B gives besides points."""

    NONE = 0
    CARD = 1
    STONES = 2
    LOAD = 3


BONUS_NAMES = ("", "card", "stones", "load")
BONUS_STONES = COMPONENTS.whole("pyramid_b_bonus", "stones", 1, 3)


def bonuses(pyramid: str) -> list[int]:
    """The bonus of each cell of a small pyramid, as numbers."""
    row = COMPONENTS.value("pyramid_b", f"{pyramid}_bonus")
    if not isinstance(row, list) or len(row) != PYRAMID_CELLS or any(name not in BONUS_NAMES for name in row):
        message = f'{pyramid}_bonus must be {PYRAMID_CELLS} of "", "card", "stones", "load"'
        ja = f"-（なし）、card、stones、loadから{PYRAMID_CELLS}個書いてください。"
        COMPONENTS.fail("pyramid_b", message, ja, f"{pyramid}_bonus")
    return [BONUS_NAMES.index(name) for name in row]


BONUS = Constants.of([bonuses(pyramid) for pyramid in PYRAMID_NAMES])  # [pyramid][cell]

TEMPLE_CELLS = 5
WIDTH = COMPONENTS.wholes("temple", "width", 3, 1, TEMPLE_CELLS)  # [players - 2]
TEMPLE_POINTS = Constants.of([COMPONENTS.wholes(f"temple_{side}", "points", TEMPLE_CELLS, 0, 99) for side in "ab"])
TEMPLE_STONES = Constants.of([[0] * TEMPLE_CELLS, COMPONENTS.wholes("temple_b", "stones", TEMPLE_CELLS, 0, 3)])
TEMPLE_CARD = Constants.of([[0] * TEMPLE_CELLS, COMPONENTS.wholes("temple_b", "card", TEMPLE_CELLS, 0, 1)])

ROWS = COMPONENTS.whole("burial", "rows", 3, 3)
PRINTED_COLUMNS = COMPONENTS.whole("burial", "printed_columns", 1, 20)  # for drawing only
OBELISK_STONES = COMPONENTS.whole("obelisk_b", "stones", 2, 9)
LOOSE_POINTS = COMPONENTS.whole("obelisk_b", "loose", 0, 9)
SLOT_POINTS = COMPONENTS.wholes("obelisk_b", "slots", 10, 0, 99)
FURTHER_SLOT = COMPONENTS.whole("obelisk_b", "further", 0, 99)

# The points of each place, [players - 2][place]
BURIAL_ROW = COMPONENTS.wholes("burial_b", "places", SEATS, 0, 99)
BURIAL_PLACES = Constants.of([[*BURIAL_ROW[:n], *[0] * (SEATS - n)] for n in (2, 3, 4)])
OBELISK_PLACES = Constants.of(
    [[*COMPONENTS.wholes("obelisk_a", word, n, 0, 99), *[0] * (SEATS - n)] for n, word in ((2, "two"), (3, "three"), (4, "four"))]
)
WRATH = COMPONENTS.whole("wrath", "points", 0, 99)

# --- Market cards ---------------------------------------------------------------------------------------------


class Card(IntEnum):
    """The kinds of market cards."""

    ENTRANCE = 0
    SARCOPHAGUS = 1
    PAVED_PATH = 2
    DECO_PYRAMID = 3
    DECO_TEMPLE = 4
    DECO_BURIAL = 5
    DECO_OBELISK = 6
    IDOL = 7
    LEVER = 8
    HAMMER = 9
    SAIL = 10
    CHISEL = 11


CARDS = tuple(card.name.lower() for card in Card)
KINDS = len(CARDS)
REDS = 3  # kinds below are red
GREENS_END, FIRST_BLUE = 7, 8  # green are the kinds from REDS to before GREENS_END, blue those from FIRST_BLUE on
COLOURS_OF_CARDS = ("red",) * REDS + ("green",) * 4 + ("purple",) + ("blue",) * 4
SITE_OF_CARDS = (*("pyramid", "burial", "obelisk"), *("pyramid", "temple", "burial", "obelisk"), *[None] * 5)
if COMPONENTS.sets("cards") != CARDS:
    COMPONENTS.fail("cards", f"must hold {', '.join(CARDS)}, in this order", "カードの種類と順番は変えられません。")
for card_name, colour, site_name in zip(CARDS, COLOURS_OF_CARDS, SITE_OF_CARDS, strict=True):
    if COMPONENTS.value(f"cards.{card_name}", "colour") != colour:
        COMPONENTS.fail(f"cards.{card_name}", f"colour must be {colour}", f"このカードの色は{colour}です。", "colour")
    if COMPONENTS.table(f"cards.{card_name}").get("site") != site_name:
        ja = f"このカードの建設地は{site_name}です。" if site_name else "このカードに建設地はありません。"
        COMPONENTS.fail(f"cards.{card_name}", f"site must be {site_name}" if site_name else "names no site", ja, "site")
COPIES = Constants(COMPONENTS.whole(f"cards.{name}", "copies", 0, 34) for name in CARDS)
ALL_CARDS = COMPONENTS.whole("card_count", "all", 34, 34)
if sum(COPIES) != ALL_CARDS:
    COMPONENTS.fail(
        "cards",
        f"copies make {sum(COPIES)} cards, not {ALL_CARDS}",
        f"合計{sum(COPIES)}枚ですが、{ALL_CARDS}枚でなければなりません。",
    )
SITE_OF = Constants(SITE_NAMES.index(name) if name else -1 for name in SITE_OF_CARDS)  # [kind]; -1: none
BLUE_POINTS = COMPONENTS.whole("card_points", "blue", 0, 9)
STONES_PER_POINT = COMPONENTS.whole("card_points", "stones_per_green_point", 1, 99)
SET_VALUES = COMPONENTS.wholes("set_values", "points", 6, 0, 99)
EACH_FURTHER = COMPONENTS.whole("set_values", "each_further", 0, 9)

# --- Room for stones: the discard pile is shuffled at most once, so a red card comes at most twice ----------------

BY_SHIP = ROUNDS * SPACES  # stones that ships can bring to one site
BURIAL_ROOM = BY_SHIP + 2 * COPIES[Card.SARCOPHAGUS]
OBELISKS = len(SLOT_POINTS) + 2  # room for more obelisks than can be built
