"""Sprites, scenes and the palette: plain values, ready for JSON."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from itertools import compress
from operator import ne
from typing import Any

import orjson

from perankh.engine.words import seats_shown

# All colours. Symbols use them by these names too, as CSS variables: fill="var(--gold)".
PALETTE = {
    "papyrus": "#f4e8cb",
    "reed": "#e3cf9f",
    "sand": "#cdb27a",
    "ink": "#2a211a",
    "lapis": "#23479b",
    "gold": "#c8942b",
    "carnelian": "#b3402c",
    "faience": "#1f9a94",
    "malachite": "#3b7a4b",
    "amethyst": "#6d4a97",
    "clay": "#d07a35",
    "alabaster": "#fdf8ec",
    # seats
    "red": "#b3402c",
    "blue": "#23479b",
    "yellow": "#e0ad2f",
    "black": "#332d2b",
    "green": "#3b7a4b",
    "white": "#fffdf6",
    "brown": "#7d4a22",
    "grey": "#85827b",
}
LIGHT = ("yellow", "white")  # marks on these are drawn in ink, on all other seat colours in alabaster


class SeatColours:
    """The colours of a game's pieces. A seat has the one of its number, unless its player has chosen another (`seats_called`)."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __getitem__(self, p: int) -> str:
        """The colour of seat p at this table."""
        chosen = seats_shown().colours
        return self.names[chosen[p] if p < len(chosen) else p]

    def __len__(self) -> int:
        """How many colours there are."""
        return len(self.names)


def ink_on(seat_colour: str) -> str:
    """The colour for marks and texts on a seat colour."""
    return "ink" if seat_colour in LIGHT else "alabaster"


def variables() -> str:
    """The palette as CSS variables: --NAME for each colour, and --on-NAME for marks on a light one."""
    colours = "".join(f"--{name}:{value};" for name, value in PALETTE.items())
    return colours + "".join(f"--on-{name}:var(--{ink_on(name)});" for name in LIGHT)


# The two shapes of a scene, for a laptop screen and for a phone held upright: the width in units. The game chooses the height.
SHAPES = {"wide": 1000, "tall": 400}


@dataclass  # not frozen: each view has hundreds, and making a frozen one takes three times as long
class Sprite:
    """One piece or text of a scene, centred at `x`, `y`. Sprites later in the list are drawn on top.

    A piece keeps its id for the whole match. The browser moves it when its id appears at another place, and turns a card over
    when its symbol changes.
    """

    __slots__ = ("__dict__", "made")  # `made`: its JSON, once it was asked for; nobody changes a sprite after that

    id: str
    symbol: str = ""  # id of a symbol in art.svg or shared.svg; empty: text only
    x: float = 0
    y: float = 0
    width: float = 0  # size of the symbol
    height: float = 0
    turn: float = 0  # degrees, clockwise
    colour: str = ""  # palette colour for the parts of the symbol drawn in currentColor
    text: str = ""  # drawn at the centre
    size: float = 14  # size of the text
    ink: str = "ink"  # palette colour of the text
    bold: bool = False
    align: str = "middle"  # "start", "middle" or "end": the part of the text that is at x
    dim: bool = False  # drawn faintly: not usable now
    glow: bool = False  # highlighted: just moved or placed
    alt: str = ""  # what it is, for screen readers and tooltips; empty: decoration
    # Movement. Identical pieces have no identity: a new sprite continues one of the same pool that has disappeared.
    pool: str = ""  # id of the sprite where identical pieces come from and go to: a supply, a deck
    order: int = 0  # pieces with a number move one after another, the lowest first
    via: str = ""  # id of the sprite that it passes on its way, where it stops for a moment
    on: str = ""  # id of the sprite that carries it: it moves along before it leaves
    stir: str = ""  # how a liquid moves when it appears or changes: tremble, ripple, sink, spring, run or spread

    def values(self) -> dict[str, Any]:
        """The id and all values that are not their defaults."""
        values = vars(self)  # in the order of the fields
        return dict(compress(values.items(), map(ne, values.values(), DEFAULTS)))

    def changed(self, **values: Any) -> Sprite:
        """A copy with other values."""
        twin = object.__new__(Sprite)
        twin.__dict__.update(self.__dict__, **values)
        return twin

    def json(self) -> bytes:
        """The sprite as browsers get it."""
        try:
            return self.made
        except AttributeError:
            self.made: bytes = orjson.dumps(self.values())
            return self.made


DEFAULTS = [part.default for part in fields(Sprite)]  # the id has none


@dataclass(frozen=True)
class Scene:
    """A whole position for one viewer in one language."""

    width: float
    height: float
    sprites: list[Sprite] = field(default_factory=list)
    title: str = ""  # one line for screen readers

    def json(self) -> dict[str, Any]:
        """The scene as plain values, without those that have their default."""
        sprites = [sprite.values() for sprite in self.sprites]
        return {"width": self.width, "height": self.height, "title": self.title, "sprites": sprites}
