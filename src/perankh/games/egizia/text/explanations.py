"""What the pieces on the table are for."""

from __future__ import annotations

import re

from perankh.engine.text import explained, kind_and_numbers, listed, reconstruction_note

from ..rules import components, monuments, scoring
from ..rules.components import Kind
from ..rules.state import State
from .names import WORDS

# Kinds of sprites, their parts included, whose printed numbers are in a table of the components.
TABLES = {
    "obelisk": "obelisk",
    "brick-obelisk": "obelisk",
    "column": "colonnade",
    "brick-column": "colonnade",
    "finish": "colonnade_finish",
    "row": "pyramid",
    "brick-row": "pyramid",
    "brick-level": "statue_types",
    "berth": "river",
    "space": "river",
}
SPHINX_PARTS = ("", "-met", "-full", "-icon", "-least", "-vp", "-what")
TIMINGS = {Kind.QUARRY: "quarry", Kind.FIELD: "field"}


def explain(s: State, name: str, viewer: int, lang: str) -> str:
    """What a sprite is for; "" if there is nothing to say about it."""
    kind, numbers = kind_and_numbers(re.sub(r"-[CTD](\d+)", r"-\1", name))
    if kind in ("card", "chosen-card") or kind.startswith("card-"):
        return explain_card(numbers[0], lang)
    if numbers and kind.removeprefix("sphinx") in SPHINX_PARTS:
        return explain_sphinx(s, numbers[0], viewer, lang)
    if kind.startswith("market") and numbers:
        said = WORDS.say(f"explain.market.{components.MARKETS[numbers[0]]}", lang, **values(s, lang))
        return said + (reconstruction_note(WORDS, components.COMPONENTS, "stone_market", lang) if numbers[0] else "")
    said = explained(WORDS, kind, lang, **values(s, lang))
    table = table_of(s, kind, numbers)
    return said + reconstruction_note(WORDS, components.COMPONENTS, table, lang) if said and table else said


def table_of(s: State, kind: str, numbers: list[int]) -> str:
    """The table of the components that has the printed numbers of a sprite, or ""."""
    first = kind.partition("-")[0]
    if first == "tile" and numbers:
        return f"nile_tiles.{components.TILE_NAMES[numbers[0]]}"
    if first in ("statue", "level") and kind != "level-waves":
        return f"statues.{components.STATUE_NAMES[s.statue[numbers[0]] - 1]}"
    while kind and kind not in TABLES:
        kind = kind.rpartition("-")[0]
    return TABLES.get(kind, "")


def explain_card(c: int, lang: str) -> str:
    """A Nile card: what its kind does, and when."""
    if components.CARD_KIND[c] in TIMINGS:
        key = TIMINGS[components.CARD_KIND[c]]
    else:
        name = components.CARD_EFFECTS[c][0][0]
        key = "immediate" if name == "improve" else components.TIMING_OF[name]
    said = WORDS.say(f"explain.card.{key}", lang)
    return said + source_note(components.CARD_TABLES[c], lang)


def explain_sphinx(s: State, c: int, viewer: int, lang: str) -> str:
    """A Sphinx card: how far the viewer has got with it."""
    said = WORDS.say("explain.sphinx-card", lang)
    what = components.SPHINX_MEASURE[c]
    if viewer >= 0 and what != components.TRACK:
        said += "\n" + WORDS.say("explain.sphinx-now", lang, now=scoring.measure(s, viewer, what), n=components.SPHINX_LEAST[c])
    return said + source_note(f"sphinx.{components.SPHINX_NAMES[c]}", lang)


def source_note(table: str, lang: str) -> str:
    """A line that says so, if a printed card is reconstructed."""
    known = components.COMPONENTS.table(table).get("source") != "reconstructed"
    return "" if known else "\n" + WORDS.say("explain.reconstructed", lang)


def values(s: State, lang: str) -> dict[str, object]:
    """The printed numbers that explanations name."""
    return {
        "ships": components.SHIPS,
        "rounds": components.ROUNDS,
        "store": components.STORE,
        "most": s.crew_max,
        "returned": components.RETURNED_VP,
        "majority": components.MAJORITY,
        "row_points": components.ROW_VP,
        "height": components.OBELISK_HEIGHT[monuments.board(s)],
        "columns": components.COLUMNS,
        "yellow": components.YELLOW_COLUMN,
        "purple": components.PURPLE_COLUMN,
        "grain_beyond": components.GRAIN_BEYOND,
        "stone_beyond": components.STONE_BEYOND,
        "group": components.GRAIN_GROUP,
        "stone_group": components.STONE_GROUP,
        "draws": listed([str(n) for n in components.SPHINX_MOST], lang),
        "together": listed([str(n) for n in components.COOPERATION], lang),
    }
