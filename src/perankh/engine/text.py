"""Text in both languages: terminal columns, of which East Asian characters take two, and lists."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from perankh.engine.components import sources_in

if TYPE_CHECKING:
    from perankh.engine.components import Components
    from perankh.engine.words import Words


def width(text: str) -> int:
    """How many terminal columns a text takes."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def pad(text: str, columns: int) -> str:
    """The text, padded with spaces to a number of columns."""
    return text + " " * max(0, columns - width(text))


def listed(items: list[str], lang: str) -> str:
    """Items separated by commas."""
    return ("、" if lang == "ja" else ", ").join(items)


def kind_and_numbers(name: str) -> tuple[str, list[int]]:
    """The kind of a sprite and the numbers in its id: ("card-icon", [12, 0]) for "card-12-icon-0"."""
    parts = name.split("-")
    return "-".join(part for part in parts if not part.isdecimal()), [int(part) for part in parts if part.isdecimal()]


def explained(words: Words, kind: str, lang: str, **values: Any) -> str:
    """The text `explain.<kind>` about a kind of sprites, or about what it is a part of: `card` for `card-icon`; "" for none."""
    while kind:
        if f"explain.{kind}" in words.texts:
            return words.say(f"explain.{kind}", lang, **values)
        kind = kind.rpartition("-")[0]
    return ""


def reconstruction_note(words: Words, components: Components, table: str, lang: str) -> str:
    """A line that says so, for an explanation, if something in a table of printed numbers is reconstructed."""
    return "\n" + words.say("explain.reconstructed", lang) if is_reconstructed(components, table) else ""


@lru_cache(maxsize=512)
def is_reconstructed(components: Components, table: str) -> bool:
    """Is something in a table of printed numbers, by its dotted name, reconstructed?"""
    top, _, inside = table.partition(".")
    found = components.tables.get(top, {})
    for part in inside.split(".") if inside else ():
        found = found.get(part, {})
    return "reconstructed" in sources_in(found)
