"""The printed numbers of Cleocatra, read from `components.toml`."""

from __future__ import annotations

from perankh.engine.api import components

COMPONENTS = components(__file__)
COLOURS = tuple(COMPONENTS.value("tiles", "colours"))
CATS = tuple(COMPONENTS.value("tiles", "cats"))  # the cat of each colour
if sorted(CATS) != ["bastet", "cleocatra", "mafdet", "mut", "princess"]:
    COMPONENTS.fail(
        "tiles",
        "cats must name mafdet, bastet, mut, princess and cleocatra, each once",
        "mafdet、bastet、mut、princess、cleocatraを1回ずつ書いてください。",
        "cats",
    )
if len(set(COLOURS)) != 5 or len(COLOURS) != 5 or not all(isinstance(name, str) and name.isidentifier() for name in COLOURS):
    COMPONENTS.fail(
        "tiles", "colours must be five different words, one for each cat", "5匹のネコに別々の色が必要です。", "colours"
    )
MAFDET, BASTET, MUT, PRINCESS, CLEOCATRA = (CATS.index(cat) for cat in ("mafdet", "bastet", "mut", "princess", "cleocatra"))
if not set(COLOURS) <= {"purple", "blue", "orange", "green", "yellow"}:
    COMPONENTS.fail(
        "tiles",
        "colours are purple, blue, orange, green and yellow",
        "使える色はpurple、blue、orange、green、yellowです。",
        "colours",
    )
KINDS = len(COLOURS)

SEATS = 4
TILE_COUNTS = COMPONENTS.wholes("tiles", "counts", KINDS, 0, 13)
REMOVED = COMPONENTS.wholes("tiles_removed_with_2_players", "counts", KINDS, 0, 13)
if any(removed > count for removed, count in zip(REMOVED, TILE_COUNTS, strict=True)):
    COMPONENTS.fail(
        "tiles_removed_with_2_players",
        "counts take away more tiles of a colour than there are",
        "除くタイルが、その色のタイルより多くなっています。",
        "counts",
    )
TILES = sum(TILE_COUNTS)
RESCUERS = COMPONENTS.whole("rescuers", "per_player", 1, 9)
INSPECTORS = COMPONENTS.whole("inspectors", "count", 1, 9)
if TILES > 13:
    COMPONENTS.fail(
        "tiles", f"counts make {TILES} tiles; the grid holds 13", f"タイルは合計{TILES}枚ですが、置けるのは13枚です。", "counts"
    )
for seats, tiles in ((4, TILES), (2, TILES - sum(REMOVED))):
    # Own rescuers and full pairs of others leave a tile: so everybody always has something to do.
    if tiles <= RESCUERS + (seats - 1) * RESCUERS // 2:
        ja = f"{seats}人で隊員が{RESCUERS}人ずつなら、タイル{tiles}枚では足りません。"
        COMPONENTS.fail("tiles", f"{tiles} tiles with {seats} players are too few for {RESCUERS} rescuers each", ja, "counts")
COLOUR_POINTS = COMPONENTS.whole("scoring", "per_colour", 1, 9)
ASSISTANT_POINTS = COMPONENTS.whole("scoring", "per_assistant", 0, 9)
CLEOCATRA_BONUS = COMPONENTS.whole("scoring", "cleocatra_bonus", 0, 9)
END_SCORE = COMPONENTS.whole("end", "score", 1, 1000)
