"""What is printed on the components of Egizia, read from `components.toml` and turned into tables of numbers.

Nile cards, Sphinx cards, statues and tiles are numbered in the order of the file. A set of Nile cards is a mask: bit c is card c.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import pairwise
from typing import Any

from perankh.engine.api import Constants, components, names_of

COMPONENTS = components(__file__)
SEATS = 4

# --- Constants ------------------------------------------------------------------------------------------------

SET_MOST = 60  # statues or tiles that fit a set of bits
ROUNDS_MOST = 5
ROUNDS = COMPONENTS.whole("game", "rounds", 1, ROUNDS_MOST)
SHIPS = COMPONENTS.whole("ships", "per_player", 1, 30)
BRICK_LIMIT = COMPONENTS.whole("bricks", "limit", 1, 60)


class Crew(IntEnum):
    """The crews; all but the leader are basic."""

    GREEN = 0
    BLUE = 1
    YELLOW = 2
    LEADER = 3


CREWS = names_of(Crew)
NUMBER_OF_CREWS = len(CREWS)
BASICS = 3  # crews 0 to 2 are basic
CREW_LEAST = COMPONENTS.whole("crews", "least", 0, 2)
CREW_START = COMPONENTS.wholes("crews", "start", len(CREWS), CREW_LEAST, 2)
CREW_MOST = COMPONENTS.whole("crew_limit", "most", 2, 99)
STORE = COMPONENTS.whole("stones", "store", 1, 99)
START_STONES = COMPONENTS.wholes("stones", "start", SEATS, 0, STORE)
RING_POSITIONS = 3  # low, middle, high
RING_START = COMPONENTS.whole("ring", "start", 1, 3)
COOPERATION = COMPONENTS.wholes("cooperation", "vp", 4, 0, 99)
MAJORITY = COMPONENTS.whole("pyramid_majority", "vp", 0, 99)
RETURNED_VP = COMPONENTS.whole("sphinx_returned", "vp", 0, 9)
ROW_VP = COMPONENTS.whole("pyramid_row", "vp", 0, 9)


class Colour(IntEnum):
    """The colours of fields, the most easily watered first."""

    GREEN = 0
    YELLOW = 1
    RED = 2


COLOURS = names_of(Colour)
NUMBER_OF_COLOURS = len(COLOURS)


def one_of(table: str, key: str, words: tuple[str, ...]) -> int:
    """The index of a word that must be one of these."""
    word = COMPONENTS.value(table, key)
    if word not in words:
        listed = ", ".join(filter(None, words))
        COMPONENTS.fail(
            table, f"{key} must be one of {listed}, not {word!r}", f"「{word}」は使えません。使えるのは{listed}です。", key
        )
    return words.index(word)


# The starter field, [front, reverse]
STARTER_SIDES = ("starter_field", "starter_field_reverse")
STARTER_COLOUR = Constants(one_of(side, "colour", COLOURS) for side in STARTER_SIDES)
STARTER_GRAIN = Constants(COMPONENTS.whole(side, "value", 0, 30) for side in STARTER_SIDES)
STARTER_QUARRY = COMPONENTS.whole("starter_quarry", "value", 0, 25)

# --- Effects ----------------------------------------------------------------------------------------------------


class Measure(IntEnum):
    """What statues, Sphinx cards and Nile end cards count."""

    OBELISK = 0
    OBELISK_ABOVE = 1
    OBELISK_FULL = 2
    COLUMNS = 3
    PYRAMID = 4
    PYRAMID_ROWS = 5
    ROWS_FULL = 6
    PYRAMID_FULL = 7
    STATUES = 8
    EVERY_STATUE = 9
    EACH_MONUMENT = 10
    BRICKS = 11
    EACH_BASIC = 12
    LEADER = 13
    STRENGTH = 14
    GRAIN = 15
    STONE_PRODUCTION = 16
    FIELDS = 17
    QUARRIES = 18
    COLOURS = 19
    STONES = 20
    MARKETS = 21
    GRAIN_MARKET_TOP = 22
    STONE_MARKET_TOP = 23
    SPHINX_CARDS = 24


MEASURES = names_of(Measure)


class Market(IntEnum):
    """The two markets."""

    GRAIN = 0
    STONE = 1


MARKETS = names_of(Market)
NUMBER_OF_MARKETS = len(MARKETS)
ANY, OTHER = len(CREWS), len(CREWS) + 1  # a crew to be chosen; one not yet raised by the same effect


class Part(IntEnum):
    """What a part of an effect asks for: (part, a, b)."""

    CREW = 1
    LOWER_CREW = 2
    RING = 3
    MARKET = 4
    STONES = 5
    VP = 6
    SPECULATION = 7
    IMPROVE = 8


PARTS = names_of(Part)

# What a card lets its owner do later: (ability, a, b)
ABILITIES = (
    *("train", "stones_for_grain", "occupied_tile", "grain", "power", "keep_two", "upstream", "second_ship", "double_tile"),
    *("leftover", "vp_per", "vp_per_monument"),
)
TIMING_OF = dict.fromkeys(PARTS, "immediate") | dict.fromkeys(ABILITIES, "anytime")
TIMING_OF |= dict.fromkeys(("improve", "train", "stones_for_grain", "occupied_tile"), "permanent")
TIMING_OF |= dict.fromkeys(("vp_per", "vp_per_monument"), "end")
WORDS_OF = {"crew": (*CREWS, "any", "other"), "market": MARKETS, "vp_per": MEASURES}
NUMBERS_OF = dict.fromkeys((*PARTS, *ABILITIES), 1) | {"lower_crew": 2, "vp_per": 2, "vp_per_monument": 2}
NUMBERS_OF |= dict.fromkeys(
    ("speculation", "improve", "occupied_tile", "keep_two", "upstream", "second_ship", "double_tile", "leftover"), 0
)
PARTS_MOST = 4  # parts of one card or tile


def effect(table: str, text: Any) -> tuple[str, list[int]]:
    """A name and its numbers, such as "market grain 2"; words among them become their index."""
    name, *rest = str(text).split() or [""]
    if name not in NUMBERS_OF:
        listed = ", ".join(NUMBERS_OF)
        ja = f"効果「{name}」はありません。使えるのは{listed}です。"
        COMPONENTS.fail(table, f"there is no effect {name!r}; there are {listed}", ja, "effect")
    found = []
    if name in WORDS_OF:
        if not rest or rest[0] not in WORDS_OF[name]:
            listed = ", ".join(WORDS_OF[name])
            ja = f"{text}：{name}のあとには{listed}のどれかが必要です。"
            COMPONENTS.fail(table, f"{text!r}: after {name} comes one of {listed}", ja, "effect")
        found.append(WORDS_OF[name].index(rest.pop(0)))
    if name == "crew" and len(rest) == 1 and rest[0].startswith("-"):
        return name, [*found, -lowering(table, text, found[0], rest[0][1:])]
    if len(rest) != NUMBERS_OF[name] or not all(n.isdecimal() and 1 <= int(n) <= 99 for n in rest):
        ja = f"{text}：{name}には1から99までの数が{NUMBERS_OF[name]}個必要です。"
        COMPONENTS.fail(table, f"{text!r}: {name} needs {NUMBERS_OF[name]} numbers from 1 to 99", ja, "effect")
    return name, [*found, *map(int, rest)]


def lowering(table: str, text: Any, crew: int, steps: str) -> int:
    """By how much a crew goes down: a named one by any number of steps, one that the player chooses by 1."""
    most = {ANY: 1, OTHER: 0}.get(crew, 9)
    if not (steps.isdecimal() and 1 <= int(steps) <= most):
        message = f"{text!r}: a named crew goes down by 1 to 9, any crew by 1"
        ja = f"{text}：色の決まった職人は1から9、任意の職人（any）は1だけ下げられます。"
        COMPONENTS.fail(table, message, ja, "effect")
    return int(steps)


def effects(table: str, entry: dict[str, Any]) -> list[tuple[str, list[int]]]:
    """All effects of a card or tile."""
    lines = entry.get("effect", [])
    if not isinstance(lines, list) or len(lines) > PARTS_MOST:
        COMPONENTS.fail(
            table, f"effect must be a list of at most {PARTS_MOST} effects", f"効果は{PARTS_MOST}個までです。", "effect"
        )
    return [effect(table, line) for line in lines]


def padded(row: list[int], length: int) -> list[int]:
    """A row filled up with 0."""
    return [*row, *[0] * (length - len(row))]


def part_row(name: str, numbers: list[int]) -> list[int]:
    """A part of an effect as (what, a, b); 0 0 0 for an ability. One of the crews lowered for nothing: no points either way."""
    if name == "crew" and numbers == [ANY, -1]:
        return [Part.LOWER_CREW, 0, 0]
    return [PARTS.index(name) + 1, *padded(numbers, 2)] if name in PARTS else [0, 0, 0]


def marked(table: str, entry: dict[str, Any], marks: tuple[str, ...]) -> int:
    """The place of an entry's mark among those allowed, the first being none."""
    mark = entry.get("mark", "")
    if mark not in marks:
        listed = ", ".join(marks[1:])
        COMPONENTS.fail(table, f"mark must be one of {listed}, not {mark!r}", f"印に使えるのは{listed}です。", "mark")
    return marks.index(mark)


# --- Nile cards ---------------------------------------------------------------------------------------------------


class Kind(IntEnum):
    """The kinds of Nile cards."""

    QUARRY = 0
    FIELD = 1
    ACTION = 2


KINDS = names_of(Kind)
DECKS = ("deck_12", "deck_34", "deck_5")
CARD_NAMES = tuple(name for deck in DECKS for name in COMPONENTS.pieces(f"nile.{deck}"))
CARD_TABLES = tuple(f"nile.{deck}.{name}" for deck in DECKS for name in COMPONENTS.pieces(f"nile.{deck}"))
CARDS = len(CARD_NAMES)
if CARDS > 62 or len(set(CARD_NAMES)) < CARDS:
    COMPONENTS.fail("nile", "holds more than 62 cards, or two with the same id", "カードは62枚まで、番号の重複はできません。")
STARTER = CARDS  # stands for a player's starter field where a field is named
FIELD_IDS = CARDS + 1
CARD_KIND = Constants(one_of(table, "kind", KINDS) for table in CARD_TABLES)
CARD_COLOUR = Constants(
    one_of(table, "colour", COLOURS) if kind == Kind.FIELD else 0 for table, kind in zip(CARD_TABLES, CARD_KIND, strict=True)
)
CARD_VALUE = Constants(
    COMPONENTS.whole(table, "value", 0, 30) if kind != Kind.ACTION else 0
    for table, kind in zip(CARD_TABLES, CARD_KIND, strict=True)
)
CARD_EFFECTS = tuple(effects(table, COMPONENTS.table(table)) for table in CARD_TABLES)
CARD_MARKED = Constants(marked(table, COMPONENTS.table(table), ("", "3+")) for table in CARD_TABLES)  # 1: out with 2 players
for card_table, card_kind, card_effects in zip(CARD_TABLES, CARD_KIND, CARD_EFFECTS, strict=True):
    timing = COMPONENTS.table(card_table).get("timing", "none")
    if any(TIMING_OF[name] != timing for name, _ in card_effects) or (timing == "none") != (not card_effects):
        COMPONENTS.fail(card_table, f"timing {timing!r} does not fit its effects", "タイミングと効果が合っていません。", "timing")
    if any(name not in PARTS for name, _ in card_effects) and len(card_effects) > 1:
        COMPONENTS.fail(card_table, "an anytime, permanent or end effect stands alone", "即時以外の効果は1つだけです。", "effect")
    if (card_kind == Kind.ACTION) != (timing != "none") and timing != "immediate":
        ja = "穀物畑と石切場に付けられるのは即時効果だけで、アクションカードには効果が必要です。"
        COMPONENTS.fail(card_table, "fields and quarries have immediate effects only, action cards have an effect", ja, "kind")
    if any(name == "speculation" for name, _ in card_effects):
        COMPONENTS.fail(card_table, "speculation belongs to a tile", "speculationはタイルだけの効果です。", "effect")


def mask_of(cards: Any) -> int:
    """A set of cards."""
    return sum(1 << card for card in cards)


def with_ability(ability: str) -> int:
    """The cards that have an ability."""
    return mask_of(card for card in range(CARDS) if any(name == ability for name, _ in CARD_EFFECTS[card]))


DECK_OF = tuple(next(i for i, deck in enumerate(DECKS) if f".{deck}." in table) for table in CARD_TABLES)  # [card]
DECK_MASK = Constants(mask_of(card for card in range(CARDS) if DECK_OF[card] == deck) for deck in range(len(DECKS)))
DECK_OF_ROUND = Constants((0, 0, 0, 1, 1, 2))  # [round]
ALL_CARDS = mask_of(range(CARDS))
MARKED_CARDS = mask_of(card for card in range(CARDS) if CARD_MARKED[card])
FIELD_CARDS = Constants(card for card in range(CARDS) if CARD_KIND[card] == Kind.FIELD)
QUARRY_CARDS = Constants(card for card in range(CARDS) if CARD_KIND[card] == Kind.QUARRY)
QUARRY_MASK = mask_of(QUARRY_CARDS)
FIELD_MASK = mask_of(FIELD_CARDS)
ACTION_MASK = ALL_CARDS & ~QUARRY_MASK & ~FIELD_MASK

TRAIN, STONES_FOR_GRAIN, OCCUPIED_TILE = with_ability("train"), with_ability("stones_for_grain"), with_ability("occupied_tile")
GRAIN_CARDS, POWER_CARDS, KEEP_TWO = with_ability("grain"), with_ability("power"), with_ability("keep_two")
UPSTREAM, SECOND_SHIP = with_ability("upstream"), with_ability("second_ship")
DOUBLE_TILE, LEFTOVER = with_ability("double_tile"), with_ability("leftover")
VP_PER, VP_PER_MONUMENT = with_ability("vp_per"), with_ability("vp_per_monument")
IMPROVE = with_ability("improve")
KEPT_AFTER_USE = IMPROVE | TRAIN | STONES_FOR_GRAIN | OCCUPIED_TILE | VP_PER | VP_PER_MONUMENT
IMPROVERS = Constants(card for card in range(CARDS) if IMPROVE >> card & 1) or Constants((CARDS - 1,))
ABILITY_NUMBERS = Constants.of(  # [card] the numbers of its ability
    [padded(found[0][1] if found and found[0][0] in ABILITIES else [], 3) for found in CARD_EFFECTS]
)

# --- Nile tiles ---------------------------------------------------------------------------------------------------

TILE_NAMES = COMPONENTS.pieces("nile_tiles")
TILES = len(TILE_NAMES)
TILE_MARKED = Constants(
    marked(f"nile_tiles.{name}", COMPONENTS.table(f"nile_tiles.{name}"), ("", "3+", "2")) for name in TILE_NAMES
)
TILE_EFFECTS = tuple(effects(f"nile_tiles.{name}", COMPONENTS.table(f"nile_tiles.{name}")) for name in TILE_NAMES)
for tile_name, tile_effects in zip(TILE_NAMES, TILE_EFFECTS, strict=True):
    if not tile_effects or any(name not in PARTS or name == "improve" for name, _ in tile_effects):
        ja = "タイルには即時効果かspeculationが1つ以上必要です。"
        COMPONENTS.fail(f"nile_tiles.{tile_name}", "a tile has immediate effects or speculation, and at least one", ja, "effect")

# Parts of the effects of cards, then of tiles: [source][part] = (what, a, b)
TRAIN_PARTS = {card: [[Part.CREW, ANY, ABILITY_NUMBERS[card][0]]] for card in range(CARDS) if TRAIN >> card & 1}
EFFECT_PARTS = Constants.of(
    [
        [
            *(TRAIN_PARTS.get(source) or [part_row(name, numbers) for name, numbers in found]),
            *[[0, 0, 0]] * (PARTS_MOST + 1 - len(found)),
        ]
        for source, found in enumerate((*CARD_EFFECTS, *TILE_EFFECTS))
    ]
)

# --- River --------------------------------------------------------------------------------------------------------

CARD_SPACES, TILE_SPACES, DOCKS = 10, 7, 3
DOCK_SPACES = COMPONENTS.whole("docks", "spaces", 3, 3)


class Dock(IntEnum):
    """The docks by what is built there."""

    OBELISK = 0  # obelisk and colonnade
    STATUES = 1  # statues and pyramid
    SPHINX = 2


PLACES = (
    *(f"C{n}" for n in range(1, CARD_SPACES + 1)),
    *(f"T{n}" for n in range(1, TILE_SPACES + 1)),
    *(f"D{n}" for n in range(1, DOCKS + 1)),
)
RIVER = COMPONENTS.value("river", "locations")
if not isinstance(RIVER, list) or sorted(map(str, RIVER)) != sorted(PLACES):
    listed = ", ".join(PLACES)
    COMPONENTS.fail("river", f"locations must be each of {listed} once", f"{listed}を1回ずつ書いてください。", "locations")
CARD_INDEX = Constants(1 + RIVER.index(f"C{n + 1}") for n in range(CARD_SPACES))  # river index of each space, 1: most upstream
TILE_INDEX = Constants(1 + RIVER.index(f"T{n + 1}") for n in range(TILE_SPACES))
DOCK_INDEX = Constants(1 + RIVER.index(f"D{n + 1}") for n in range(DOCKS))
# [location] as `state.Location` numbers them: card spaces, tile spaces, dock spaces, banks
INDEX_OF = Constants((*CARD_INDEX, *TILE_INDEX, *(index for index in DOCK_INDEX for _ in range(DOCK_SPACES)), *DOCK_INDEX))
CLOSED = COMPONENTS.value("river_two_players", "closed")
if not isinstance(CLOSED, list) or any(place not in PLACES[: CARD_SPACES + TILE_SPACES] for place in CLOSED):
    COMPONENTS.fail(
        "river_two_players", "closed must name card and tile spaces", "カードかタイルのスペースを書いてください。", "closed"
    )
# [players - 2][space] whether a space is in use
CARD_OPEN = Constants.of([[int(f"C{n + 1}" not in CLOSED) for n in range(CARD_SPACES)], *[[1] * CARD_SPACES] * 2])
TILE_OPEN = Constants.of([[int(f"T{n + 1}" not in CLOSED) for n in range(TILE_SPACES)], *[[1] * TILE_SPACES] * 2])
# [players - 2][tile] whether a tile is in the game
TILE_IN_GAME = Constants.of(
    [[int(mark != 1) for mark in TILE_MARKED], [int(mark != 2) for mark in TILE_MARKED], [int(mark != 2) for mark in TILE_MARKED]]
)
for in_game, open_spaces in zip(TILE_IN_GAME, TILE_OPEN, strict=True):
    if sum(in_game) != sum(open_spaces):
        ja = f"使えるスペース{sum(open_spaces)}に対してタイルが{sum(in_game)}枚です。"
        COMPONENTS.fail("nile_tiles", f"{sum(in_game)} tiles for {sum(open_spaces)} open spaces", ja)
for unmarked, open_cards in ((False, CARD_OPEN[0]), (True, CARD_OPEN[1])):
    for deck_number, rounds in enumerate((2, 2, 1)):
        size = sum(DECK_OF[card] == deck_number and (unmarked or not CARD_MARKED[card]) for card in range(CARDS))
        if size < rounds * sum(open_cards):
            needed = rounds * sum(open_cards)
            ja = f"{size}枚では足りません。{needed}枚必要です。"
            COMPONENTS.fail(f"nile.{DECKS[deck_number]}", f"{size} cards are too few for {needed} spaces", ja)
PRINTED = COMPONENTS.value("printed_tiles", "tiles")
if not isinstance(PRINTED, list) or len(PRINTED) != TILE_SPACES or any(name not in TILE_NAMES for name in PRINTED):
    listed = ", ".join(TILE_NAMES)
    COMPONENTS.fail("printed_tiles", f"tiles must be {TILE_SPACES} of {listed}", f"{listed}のうち{TILE_SPACES}枚です。", "tiles")
PRINTED_TILES = Constants(TILE_NAMES.index(name) for name in PRINTED)  # [tile space]

# --- Monuments ----------------------------------------------------------------------------------------------------


def row(table: str, key: str, low: int, high: int) -> list[int]:
    """A row of numbers of any length."""
    return list(COMPONENTS.wholes(table, key, None, low, high))


# Boards for 2 players come first: [players == 2 ? 0 : 1]
OBELISKS = [[*row(f"obelisk.{board}", "below", 1, 25), *row(f"obelisk.{board}", "above", 1, 25)] for board in ("two", "many")]
OBELISK_SPACES = max(map(len, OBELISKS))
OBELISK_COST = Constants.of([padded(board, OBELISK_SPACES) for board in OBELISKS])  # [board][space]
OBELISK_HEIGHT = Constants(map(len, OBELISKS))
DOUBLE_LINE = Constants(len(row(f"obelisk.{board}", "below", 1, 25)) for board in ("two", "many"))  # spaces below it

COLUMN_COST = Constants.of(row("colonnade", "cost", 1, 25))
COLUMNS = len(COLUMN_COST)
YELLOW_COLUMN = COMPONENTS.whole("colonnade", "yellow", 1, COLUMNS)
PURPLE_COLUMN = COMPONENTS.whole("colonnade", "purple", 1, COLUMNS)
# [0: as printed, 1: the lower bonus for 2 players][rank]
FINISH_VP = Constants.of(
    [
        COMPONENTS.wholes("colonnade_finish", "vp", SEATS, 0, 99),
        padded(list(COMPONENTS.wholes("colonnade_finish", "two_lower", 2, 0, 99)), SEATS),
    ]
)

ROW_SPACES_OF = [row(f"pyramid.{board}", "spaces", 1, 12) for board in ("two", "many")]
PYRAMID_ROWS = max(map(len, ROW_SPACES_OF))
PYRAMID_WIDTH = max(map(max, ROW_SPACES_OF))
ROW_SPACES = Constants.of([padded(spaces, PYRAMID_ROWS) for spaces in ROW_SPACES_OF])  # [board][row], 0: no such row
ROW_COST = Constants.of(
    [
        padded(list(COMPONENTS.wholes(f"pyramid.{board}", "cost", len(spaces), 1, 25)), PYRAMID_ROWS)
        for board, spaces in zip(("two", "many"), ROW_SPACES_OF, strict=True)
    ]
)
if any(upper >= lower for spaces in ROW_SPACES_OF for lower, upper in pairwise(spaces)):
    COMPONENTS.fail("pyramid", "each row must be shorter than the one below", "上の段は下の段より短くなければなりません。")
LIGHT = COMPONENTS.wholes("pyramid.two", "light", len(ROW_SPACES_OF[0]), 0, 12)  # for drawing only
if any(light > spaces for light, spaces in zip(LIGHT, ROW_SPACES_OF[0], strict=True)):
    COMPONENTS.fail("pyramid.two", "light has more spaces than a row", "段のスペースより多い数は使えません。", "light")

STATUES_IN_PLAY = 3
STATUE_NAMES = COMPONENTS.pieces("statues")
STATUES = len(STATUE_NAMES)
TYPES = ("A", "B")
STATUE_TYPE = Constants(one_of(f"statues.{name}", "type", TYPES) for name in STATUE_NAMES)


STATUE_SPACES = len(COMPONENTS.wholes("statue_types.A", "cost", None, 1, 25))  # the same of every statue
if not 1 <= STATUE_SPACES <= ROUNDS_MOST:
    message = f"cost has {STATUE_SPACES} numbers: a statue has 1 to {ROUNDS_MOST} spaces, one for each round at most"
    ja = f"立像のマスは1から{ROUNDS_MOST}までです（1ラウンドに1マス）。"
    COMPONENTS.fail("statue_types.A", message, ja, "cost")


def of_statue(name: str, key: str, low: int, high: int) -> Constants:
    """A row of a statue: the one it has itself, or that of its type."""
    own = f"statues.{name}"
    table = own if key in COMPONENTS.table(own) else f"statue_types.{TYPES[one_of(own, 'type', TYPES)]}"
    return COMPONENTS.wholes(table, key, STATUE_SPACES, low, high)


for letter in TYPES:  # also where every statue of a type has a row of its own
    COMPONENTS.wholes(f"statue_types.{letter}", "cost", STATUE_SPACES, 1, 25)
    COMPONENTS.wholes(f"statue_types.{letter}", "vp", STATUE_SPACES, 0, 99)
STATUE_COST = Constants.of([of_statue(name, "cost", 1, 25) for name in STATUE_NAMES])  # [statue][space]
STATUE_VP = Constants.of([of_statue(name, "vp", 0, 99) for name in STATUE_NAMES])
STATUE_MEASURE = Constants(one_of(f"statues.{name}", "measure", MEASURES) for name in STATUE_NAMES)
STATUE_LEAST = Constants.of([COMPONENTS.wholes(f"statues.{name}", "least", STATUE_SPACES, 0, 999) for name in STATUE_NAMES])
if min(STATUE_TYPE.count(0), STATUE_TYPE.count(1)) < 1 or STATUES < STATUES_IN_PLAY:
    COMPONENTS.fail("statues", "needs a statue of type A, one of type B and a third", "AとBを含む3枚以上が必要です。")
if STATUES > SET_MOST:
    COMPONENTS.fail("statues", f"holds more than {SET_MOST} statues", f"立像は{SET_MOST}枚までです。")

SPHINX_MOST = COMPONENTS.wholes("sphinx_dock", "most", DOCK_SPACES, 1, 7)  # [dock space]
SPHINX_NAMES = COMPONENTS.pieces("sphinx")
SPHINX_CARDS = len(SPHINX_NAMES)
TRACK = len(MEASURES)  # in place of a measure: VP of the track
SPHINX_MEASURE = Constants(
    TRACK if "per" in COMPONENTS.table(f"sphinx.{name}") else one_of(f"sphinx.{name}", "measure", MEASURES)
    for name in SPHINX_NAMES
)
SPHINX_LEAST = Constants(
    COMPONENTS.whole(f"sphinx.{name}", "per" if measure == TRACK else "least", 1, 999)
    for name, measure in zip(SPHINX_NAMES, SPHINX_MEASURE, strict=True)
)
SPHINX_VP = Constants(
    0 if measure == TRACK else COMPONENTS.whole(f"sphinx.{name}", "vp", 0, 99)
    for name, measure in zip(SPHINX_NAMES, SPHINX_MEASURE, strict=True)
)
SPHINX_MARKED = Constants(marked(f"sphinx.{name}", COMPONENTS.table(f"sphinx.{name}"), ("", "3+")) for name in SPHINX_NAMES)
ALL_SPHINX = mask_of(range(SPHINX_CARDS))
UNMARKED_SPHINX = mask_of(card for card in range(SPHINX_CARDS) if not SPHINX_MARKED[card])
if not 12 <= SPHINX_CARDS - sum(SPHINX_MARKED) <= SPHINX_CARDS <= 60:
    COMPONENTS.fail("sphinx", "needs 12 to 60 cards without the mark 3+", "3+の印のないカードが12～60枚必要です。")

# --- Colonnade tiles ----------------------------------------------------------------------------------------------


class Bonus(IntEnum):
    """What a colonnade tile does."""

    FIELD_GRAIN = 0
    STONE_OVERFLOW = 1
    BRICK_VP = 2
    RAISE_ALL = 3
    GRAIN_OVERFLOW = 4
    TWO_BASICS = 5
    SECOND_SHIP = 6
    LATE_SHIP = 7
    UPSTREAM = 8
    SHARED_TILE = 9


class Place(IntEnum):
    """The places of colonnade tiles, and their colours."""

    YELLOW = 0
    PURPLE = 1


class Use(IntEnum):
    """How often a colonnade tile is used."""

    ALWAYS = 0  # it works by itself
    ROUND = 1
    GAME = 2


BONUSES = names_of(Bonus)
NUMBERED = BONUSES[: Bonus.GRAIN_OVERFLOW + 1]  # those with a number, which work by themselves
BONUS_NAMES = COMPONENTS.pieces("colonnade_tiles")
BONUS_TILES = len(BONUS_NAMES)
if BONUS_TILES > SET_MOST:
    COMPONENTS.fail("colonnade_tiles", f"holds more than {SET_MOST} tiles", f"タイルは{SET_MOST}枚までです。")
BONUS_COLOUR = Constants(one_of(f"colonnade_tiles.{name}", "colour", names_of(Place)) for name in BONUS_NAMES)


def bonus(name: str) -> tuple[int, int]:
    """What a colonnade tile does, and its number."""
    table = f"colonnade_tiles.{name}"
    word, *rest = str(COMPONENTS.value(table, "effect")).split() or [""]
    if word not in BONUSES:
        listed = ", ".join(BONUSES)
        ja = f"効果「{word}」はありません。使えるのは{listed}です。"
        COMPONENTS.fail(table, f"there is no effect {word!r}; there are {listed}", ja, "effect")
    needed = 1 if word in NUMBERED else 0
    if len(rest) != needed or not all(n.isdecimal() and 1 <= int(n) <= 25 for n in rest):
        COMPONENTS.fail(
            table, f"{word} needs {needed} numbers from 1 to 25", f"{word}には1～25の数が{needed}個必要です。", "effect"
        )
    return BONUSES.index(word), int(rest[0]) if rest else 0


BONUS_EFFECT = Constants(bonus(name)[0] for name in BONUS_NAMES)
BONUS_NUMBER = Constants(bonus(name)[1] for name in BONUS_NAMES)
USES = ("", "round", "game")
BONUS_USE = Constants(
    Use.ALWAYS if BONUSES[what] in NUMBERED else one_of(f"colonnade_tiles.{name}", "use", USES)
    for name, what in zip(BONUS_NAMES, BONUS_EFFECT, strict=True)
)
YELLOW_IN_TWO = one_of("colonnade_two_players", "yellow", BONUS_NAMES)
if min(BONUS_COLOUR.count(Place.YELLOW), BONUS_COLOUR.count(Place.PURPLE)) < 2:
    COMPONENTS.fail("colonnade_tiles", "needs two tiles of each colour", "各色2枚以上のタイルが必要です。")

# --- Markets ------------------------------------------------------------------------------------------------------

GRAIN_SPACES = 5
GRAIN_LOSS = COMPONENTS.wholes("grain_market", "loss", GRAIN_SPACES, 0, 9)  # [space - 1]
GRAIN_SALE = COMPONENTS.wholes("grain_market", "sale", GRAIN_SPACES, 0, 1)
GRAIN_BEYOND = COMPONENTS.whole("grain_market", "overflow", 0, 25)
GRAIN_GROUP = COMPONENTS.whole("grain_market", "group", 1, 25)
STONE_SPACES = 5
# [stone_market_spaces option][space - 1]
STONE_ENTERING = Constants.of(
    [
        COMPONENTS.wholes("stone_market", "entering", STONE_SPACES, 0, 25),
        [*COMPONENTS.wholes("stone_market_four", "entering", STONE_SPACES - 1, 0, 25), 0],
    ]
)
STONE_END = Constants.of(
    [
        COMPONENTS.wholes("stone_market", "end", STONE_SPACES, 0, 1),
        [*COMPONENTS.wholes("stone_market_four", "end", STONE_SPACES - 1, 0, 1), 0],
    ]
)
STONE_BEYOND = COMPONENTS.whole("stone_market", "overflow", 0, 25)
STONE_GROUP = COMPONENTS.whole("stone_market", "group", 1, 25)

# The most groups of surplus grain that one feeding can sell
HARVEST_MOST = sum(CARD_VALUE[card] for card in FIELD_CARDS) + max(STARTER_GRAIN)
FIELD_BONUS = max((BONUS_NUMBER[i] for i in range(BONUS_TILES) if BONUS_EFFECT[i] == Bonus.FIELD_GRAIN), default=0)
HARVEST_MOST += FIELD_BONUS * (1 + len(FIELD_CARDS))
HARVEST_MOST += sum(ABILITY_NUMBERS[card][0] for card in range(CARDS) if GRAIN_CARDS >> card & 1)
SELL_MOST = HARVEST_MOST // GRAIN_GROUP
