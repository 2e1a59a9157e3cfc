"""Codes, and the names of seats, colours and tiles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from perankh.engine.api import Words, masks

from ..rules import actions, components, tiles
from ..rules.state import CELLS, Mode, State

WORDS = Words(Path(__file__).parents[1] / "words.toml")
say, seat_name = WORDS.say, WORDS.seat_name

CODES = (
    *(f"{cell // tiles.WIDTH}.{cell % tiles.WIDTH}" for cell in range(CELLS)),
    *("scout", "search", "swap", "dispatch", "team", "rescue", "herd", "decline", "keep", "takeback"),
    *(f"seat{p}" for p in range(components.SEATS)),
)


def actor(s: State) -> int:
    """The seat that decides now."""
    return actions.actors(s).bit_length() - 1


def colour_name(c: int, lang: str) -> str:
    """The name of a tile colour."""
    return say(f"colour.{components.COLOURS[c]}", lang)


def cat_name(c: int, lang: str) -> str:
    """The name of the cat on the tiles of a colour."""
    return say(f"cat.{components.CATS[c]}", lang)


def colour_of(s: State, tile: int) -> int:
    """The colour of a tile, given as a set of one."""
    return next(c for c in range(components.KINDS) if s.colour[c] & tile)


def code_of(s: State, tile: int) -> str:
    """The code of the cell of a tile, given as a set of one."""
    return CODES[s.cell[masks.first(tile)]]


def kind_name(s: State, tile: int, lang: str) -> str:
    """A tile by its colour, in hard mode with its cat."""
    c = colour_of(s, tile)
    return say("tile.hard" if s.mode == Mode.HARD else "tile.basic", lang, colour=colour_name(c, lang), cat=cat_name(c, lang))


def tile_name(s: State, tile: int, lang: str) -> str:
    """A tile, given as a set of one, by its kind and cell; nothing for no tile."""
    return say("tile.on", lang, kind=kind_name(s, tile, lang), cell=code_of(s, tile)) if tile else ""


def winners(seats: Sequence[int], total: int, lang: str) -> str:
    """Who has won, with how many points."""
    names = say("names.and", lang).join(seat_name(p, lang) for p in seats)
    return say("log.won" if len(seats) == 1 else "log.won_together", lang, players=names, total=total)
