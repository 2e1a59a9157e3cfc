"""Names of seats, sites, ships and cards, and lists of them."""

from __future__ import annotations

from pathlib import Path

from perankh.engine.api import Words
from perankh.engine.text import listed

from ..rules.components import CARDS, PYRAMID_NAMES, SITE_NAMES

WORDS = Words(Path(__file__).parent.with_name("words.toml"))
seat_name = WORDS.seat_name
COLOURS = ("black", "white", "brown", "grey")  # in codes, by seat
SHIP_LETTERS = "ABCD"


def card_name(kind: int, lang: str) -> str:
    """The name of a market card."""
    return WORDS.say(f"card.{CARDS[kind]}", lang)


def site_name(site: int, lang: str) -> str:
    """The name of a site."""
    return WORDS.say(f"site.{SITE_NAMES[site]}", lang)


def pyramid_name(pyramid: int, lang: str) -> str:
    """Which of the three small pyramids."""
    return WORDS.say(f"small.{PYRAMID_NAMES[pyramid]}", lang)


def plural(n: int) -> str:
    """The last part of the key of a text about n things."""
    return "one" if n == 1 else "many"


def points_text(n: int, lang: str) -> str:
    """A number of points in words."""
    return WORDS.say(f"points.{plural(n)}", lang, n=n)


def card_list(counts: list[int], lang: str) -> list[str]:
    """Cards with their numbers: "Idol x3"."""
    return [several("cards", card_name(kind, lang), n, lang) for kind, n in enumerate(counts) if n]


def several(what: str, name: str, n: int, lang: str) -> str:
    """A name with the number of its cards or stones, if there are more than one."""
    return WORDS.say(f"several.{what}", lang, name=name, n=n) if n > 1 else name


def stone_list(owners: list[int], lang: str) -> str:
    """Stones in order by their owners; several of one owner in a row are counted: "Black, White x2"."""
    runs: list[list[int]] = []
    for p in owners:
        if runs and runs[-1][0] == p:
            runs[-1][1] += 1
        else:
            runs.append([p, 1])
    return listed([several("stones", seat_name(p, lang), n, lang) for p, n in runs], lang)
