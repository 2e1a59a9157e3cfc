"""The printed numbers of Nile Mural, read from `components.toml`, and tables made from them."""

from enum import IntEnum

from perankh.engine.api import Constants, components, names_of, sets

COMPONENTS = components(__file__)
AREAS = "ABCDEFGHJKLM"
CARDS = COMPONENTS.whole("cards", "count", 100, 100)
MOST_PLACEMENTS = COMPONENTS.whole("turn", "most_placements", 10, 10)
FIRST_HAND = COMPONENTS.whole("turn", "first_hand", 0, 10)

MAPS = COMPONENTS.sets("area_map")
ANKH_SETS = COMPONENTS.sets("ankh_set")
COMBO_TABLES = COMPONENTS.sets("combo_table")
TRACK_POINTS = COMPONENTS.sets("track_points")

SHEETS = [COMPONENTS.grid(f"area_map.{name}", "rows", 10, 10, AREAS) for name in MAPS]
for sheet, map_name in zip(SHEETS, MAPS, strict=True):
    for letter in set(AREAS) - {AREAS[area] for row in sheet for area in row}:
        COMPONENTS.fail(f"area_map.{map_name}", f"area {letter} has no cell", f"エリア{letter}のマスがありません。", "rows")

AREA_OF = Constants.of([[area for row in sheet for area in row] for sheet in SHEETS])  # [map][card] -> area
AREA_VALUE = Constants.of([COMPONENTS.by_name(f"area_map.{name}", "values", AREAS, 1, 9) for name in MAPS])  # [map][area]
AREA_CELLS = Constants.of(  # [map][area] -> the set of its cells
    [[sets.bits_of((n for n in range(CARDS) if of[n] == area), CARDS) for area in range(len(AREAS))] for of in AREA_OF]
)
ANKHS = [COMPONENTS.wholes(f"ankh_set.{name}", "cards", None, 0, CARDS - 1) for name in ANKH_SETS]
IS_ANKH = Constants.of([[int(n in cards) for n in range(CARDS)] for cards in ANKHS])  # [set][card]
COMBO_STEPS = Constants.of([COMPONENTS.wholes(f"combo_table.{name}.steps", "row", 10, 0, 20) for name in COMBO_TABLES])
COMBO_CARDS = Constants.of([COMPONENTS.wholes(f"combo_table.{name}.cards", "row", 10, 0, 20) for name in COMBO_TABLES])


class Track(IntEnum):
    """The three tracks."""

    COMBO = 0
    AREA = 1
    MISS = 2


TRACKS = names_of(Track)
POINTS = Constants.of(  # [set][track][place - 1]
    [[COMPONENTS.wholes(f"track_points.{name}.{track}", "row", 4, 0, 99) for track in TRACKS] for name in TRACK_POINTS]
)
TRACK_CELLS = Constants(COMPONENTS.whole("track_cells", track, 1, 99) for track in TRACKS)  # for drawing only

# [card] -> the set of cards in its shadow: below it and to its right; no card (-1, the last row) shadows nothing
SHADOW = Constants.of(
    [sets.bits_of((n for n in range(CARDS) if n // 10 > card // 10 and n % 10 > card % 10), CARDS) for card in range(CARDS)]
    + [sets.bits_of((), CARDS)]
)
