"""Text in both languages: terminal columns, of which East Asian characters take two, and lists."""

from __future__ import annotations

import unicodedata


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
