"""The words of Imhotep: names of seats, sites, ships and cards, and lists of them."""

from __future__ import annotations

from pathlib import Path

from perankh.engine.api import Words

from .table import CARDS, PYRAMIDS, SITES

WORDS = Words(Path(__file__).with_name("words.toml"))
COLOURS = ("black", "white", "brown", "grey")
LETTERS = "KWNG"  # a stone on the text board, by seat
SHIP_LETTERS = "ABCD"


def seat_name(p: int, lang: str) -> str:
    """The colour of a seat."""
    return WORDS.say(f"seat.{p}", lang)


def card_name(kind: int, lang: str) -> str:
    """The name of a market card."""
    return WORDS.say(f"card.{CARDS[kind]}", lang)


def site_name(site: int, lang: str) -> str:
    """The name of a site."""
    return WORDS.say(f"site.{SITES[site]}", lang)


def pyramid_name(pyramid: int, lang: str) -> str:
    """Which of the three small pyramids."""
    return WORDS.say(f"small.{PYRAMIDS[pyramid]}", lang)


def plural(n: int) -> str:
    """The last part of the key of a text about n things."""
    return "one" if n == 1 else "many"


def points_text(n: int, lang: str) -> str:
    """A number of points in words."""
    return WORDS.say(f"points.{plural(n)}", lang, n=n)


def card_list(counts: list[int], lang: str) -> list[str]:
    """Cards with their numbers: "Idol x3"."""
    names = [(card_name(kind, lang), n) for kind, n in enumerate(counts) if n]
    return [f"{name} x{n}" if n > 1 else name for name, n in names]
