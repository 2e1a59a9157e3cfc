"""The printed and measured numbers of Maqha, read from `components.toml`, and tables made from them."""

from __future__ import annotations

import math
from enum import IntEnum
from itertools import pairwise

from perankh.engine.api import Constants, components, names_of, sets

COMPONENTS = components(__file__)
SEATS = 4

# --- Tokens and cards -----------------------------------------------------------------------------------------


class Kind(IntEnum):
    """The kinds of tokens."""

    COIN = 0
    ANKH = 1
    ANUBIS = 2


KINDS = names_of(Kind)
TOKENS = COMPONENTS.by_name("tokens", "count", KINDS, 10, 10)
ALL_TOKENS = sum(TOKENS)
MARKERS = COMPONENTS.whole("proxy_markers", "count", 1, 5)
SLOTS = 5
FIRST_HALF = 3  # slots A, B and C
NUMBERS = 5  # the numbers of the bid cards
EYE = 6  # the Eye of Horus among the bid cards 1 to 5
BID_CARDS = EYE + 1  # sets of bid cards hold numbers below this
USUAL_HAND = sets.bits_of(range(1, NUMBERS + 1), BID_CARDS)
EYE_HAND = sets.bits_of((*range(1, NUMBERS), EYE), BID_CARDS)
STAMPS = 10  # most ticks that live hands are waited for
TICKS = 2  # in a second

CARD_KINDS = (Kind.COIN, Kind.ANUBIS, Kind.ANKH)  # in the order of the card numbers
PER_KIND = 7
CARDS = PER_KIND * len(CARD_KINDS)
CARD_KIND = Constants(kind for kind in CARD_KINDS for _ in range(PER_KIND))  # [card] -> kind of token
CARD_TABLES = [f"score_cards.{KINDS[kind]}" for kind in CARD_KINDS]
CARD_TOKENS = Constants(n for table in CARD_TABLES for n in COMPONENTS.wholes(table, "tokens", PER_KIND, 0, 10))
CARD_POINTS = Constants(n for table in CARD_TABLES for n in COMPONENTS.wholes(table, "points", PER_KIND, 0, 10))
OF_KIND = Constants.of([sets.bits_of((c for c in range(CARDS) if CARD_KIND[c] == kind), CARDS) for kind in range(len(KINDS))])
SET_BONUS = COMPONENTS.whole("scoring", "set_bonus", 0, 10)
LAST_LOT_TIMES = COMPONENTS.whole("scoring", "last_lot_times", 1, 10)

# --- The glass ------------------------------------------------------------------------------------------------


class Liquid(IntEnum):
    """What is in the glass."""

    WATER = 0
    MIX = 1
    WHISKY = 2


LIQUIDS = names_of(Liquid)
ANGLES = 12  # rows of the dome, ten degrees apart
VOLUME = COMPONENTS.by_name("token_in_glass", "volume", KINDS, 1, 500)
KICK = COMPONENTS.by_name("token_in_glass", "kick", KINDS, 1, 300)
ENERGY = Constants(kick * kick for kick in KICK)  # of the wave of one token: the energies of several add up
DOME_VOLUME = Constants.of([COMPONENTS.wholes(f"dome.{name}", "volume", ANGLES, 0, 9999) for name in LIQUIDS])  # [liquid][angle]
DOME_HEIGHT = Constants.of([COMPONENTS.wholes(f"dome.{name}", "height", ANGLES, 0, 9999) for name in LIQUIDS])  # [liquid][angle]
CLASSIC_FILL = Constants.of(
    [COMPONENTS.wholes(f"dome.{name}", "classic_fill", 2, 1, 99) for name in LIQUIDS]
)  # [liquid][low, high]
for liquid_name, volumes, heights, fill in zip(LIQUIDS, DOME_VOLUME, DOME_HEIGHT, CLASSIC_FILL, strict=True):
    for row_name, row in (("volume", volumes), ("height", heights)):
        if row[0] != 0 or any(a >= b for a, b in pairwise(row)):
            ja = "0から始め、角度ごとに大きくしてください。"
            COMPONENTS.fail(f"dome.{liquid_name}", f"{row_name} must begin with 0 and rise with every angle", ja, row_name)
    if fill[0] > fill[1]:
        ja = "小さい割合、大きい割合の順に書いてください。"
        COMPONENTS.fail(f"dome.{liquid_name}", "classic_fill must be the lower share and the higher one", ja, "classic_fill")
ANGLE_BASE = COMPONENTS.whole("rim_angle", "base", 0, 900)
ANGLE_DIE = COMPONENTS.whole("rim_angle", "die", 1, 300)
LEAST_ANGLE = COMPONENTS.whole("rim_angle", "least", 100, 1100)
MOST_ANGLE = COMPONENTS.whole("rim_angle", "most", 100, 1100)
if LEAST_ANGLE > MOST_ANGLE:
    COMPONENTS.fail("rim_angle", "least must not be above most", "下限が上限を超えています。", "least")
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
    COMPONENTS.fail("kick", "all tokens together would make too large a wave", "トークン全部で起こす波が大きすぎます。")
WAVE_LEFT = COMPONENTS.whole("kick", "wave_left", 0, 50)
READING_ERROR = COMPONENTS.whole("reading", "error", 0, 1000)
RIM_ERROR = COMPONENTS.whole("rim_line", "error", 0, 50)
WARNING = COMPONENTS.whole("rim_line", "warning", 1, 100)
ALARM = COMPONENTS.whole("rim_line", "alarm", WARNING, 100)
READINGS = CARDS + 1  # one at the start and one a throw

# For hints, simple bots and drawing only.
MARGIN_SHARE = COMPONENTS.wholes("margin", "permille", 11, 0, 1000)
MARGIN = Constants.of([COMPONENTS.wholes("margin", name, 11, 0, 9999) for name in LIQUIDS])  # [liquid][share]
PROFILE_RADIUS = COMPONENTS.wholes("profile", "radius", 11, 0, 1000)
PROFILE = Constants.of(  # [0 water, 1 whisky and mix][30, 60, 90 degrees][radius] -> per mille of the dome's height
    [[COMPONENTS.wholes("profile", f"{name}_{angle}", 11, 0, 1000) for angle in (30, 60, 90)] for name in ("water", "whisky")]
)

COMPONENTS.keep(
    "profile",
    "The symbols of the dome are drawn after these numbers: they change only together with the art.",
    "液面の絵柄はこの数値をもとに描かれているため、変更できません。",
)

# --- The tray -------------------------------------------------------------------------------------------------

TRAY_ROWS = 4
TRAY_GRID = COMPONENTS.grid("tray", "grid", TRAY_ROWS, TRAY_ROWS, ".#")
PLACES = [(row, column) for row in range(TRAY_ROWS) for column in range(TRAY_ROWS) if TRAY_GRID[row][column]]
CELLS = 12
if len(PLACES) != CELLS:
    COMPONENTS.fail("tray", f"grid shows {len(PLACES)} cells, {CELLS} are needed", f"マスは{CELLS}個必要です。", "grid")
OUT = -1
COMPASS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west
NEIGHBOUR = Constants.of(  # [cell][direction] -> cell or OUT
    [[PLACES.index((r + dr, c + dc)) if (r + dr, c + dc) in PLACES else OUT for dr, dc in COMPASS] for r, c in PLACES]
)
HEIGHT = COMPONENTS.by_name("token_on_tray", "height", KINDS, 1, 50)
GRIP = COMPONENTS.by_name("token_on_tray", "grip", KINDS, 0, 50)
SWAY = COMPONENTS.by_name("token_on_tray", "sway", KINDS, 0, 50)
ROUGHNESS = Constants((0, *COMPONENTS.by_name("token_on_tray", "roughness", KINDS, 0, 50)))  # [0 bare, kind + 1]
HIGHEST = sum(HEIGHT[k] * TOKENS[k] for k in range(len(KINDS)))
if HIGHEST > 127:
    ja = f"全部を1マスに積むと高さ{HIGHEST}となり、127を超えます。"
    COMPONENTS.fail("token_on_tray", f"all tokens on one cell would be {HIGHEST} high, more than 127", ja, "height")
