"""Text in both languages: columns of a terminal, of which East Asian characters take two, and lists."""

from __future__ import annotations

import unicodedata


def width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def pad(text: str, columns: int) -> str:
    """The text filled up with spaces to a number of columns."""
    return text + " " * max(0, columns - width(text))


def listed(items: list[str], lang: str) -> str:
    """Items one after the other."""
    return ("、" if lang == "ja" else ", ").join(items)
