"""Sprites and scenes: plain values, ready for JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# The colours of the house. Symbols use them by these names too, as CSS variables: fill="var(--gold)".
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
LIGHT = ("yellow", "white")  # what lies on these is drawn in ink, on all other seats in alabaster


def ink_on(seat_colour: str) -> str:
    """The colour of marks and texts on the colour of a seat."""
    return "ink" if seat_colour in LIGHT else "alabaster"


def variables() -> str:
    """The palette as CSS variables: each colour, and under --on-NAME the marks on a light one."""
    colours = "".join(f"--{name}:{value};" for name, value in PALETTE.items())
    return colours + "".join(f"--on-{name}:var(--{ink_on(name)});" for name in LIGHT)


# A scene comes in two shapes: for a laptop's screen and for a phone held upright. Width in units; the height is the game's own.
SHAPES = {"wide": 1000, "tall": 400}


@dataclass  # not frozen: hundreds are made for every view, and a frozen one takes three times as long
class Sprite:
    """One thing on the table. `x`, `y` is its middle; sprites later in the list lie on top. Never changed once made.

    The id stays with a piece for the whole match: a piece glides because its id is found again at another place, and a card
    turns over because its symbol has changed.
    """

    id: str
    symbol: str = ""  # id of a symbol in art.svg or shared.svg; none: text only
    x: float = 0
    y: float = 0
    width: float = 0  # size at which the symbol is drawn
    height: float = 0
    turn: float = 0  # degrees, clockwise
    colour: str = ""  # name out of the palette for the parts of the symbol drawn in currentColor
    text: str = ""  # written in the middle
    size: float = 14  # height of the text
    ink: str = "ink"  # name out of the palette for the text
    bold: bool = False
    align: str = "middle"  # "start", "middle" or "end": where x is in the text
    dim: bool = False  # drawn faintly: not of use now
    glow: bool = False  # stands out: just moved, last placed
    alt: str = ""  # what it is, for screen readers and tooltips; empty: decoration
    # How it travels. Like pieces have no names: what comes takes over from what went of the same pool, and keeps on being it.
    pool: str = ""  # id of the sprite where pieces like this one come from and go to: a supply, a deck
    order: int = 0  # of pieces that travel at the same time those with a number go one after the other, the lowest first
    on: str = ""  # id of the sprite that carries it: it rides along before it leaves
    stir: str = ""  # how a liquid moves when it comes or changes: tremble, ripple, sink, spring, run or spread


@dataclass(frozen=True)
class Scene:
    """A whole table for one viewer in one language."""

    width: float
    height: float
    sprites: list[Sprite] = field(default_factory=list)
    title: str = ""  # one line for screen readers

    def json(self) -> dict[str, Any]:
        """The scene as plain values; what is default is left out, to keep it small."""
        plain = vars(Sprite(""))
        sprites = [{k: v for k, v in vars(s).items() if k == "id" or v != plain[k]} for s in self.sprites]
        return {"width": self.width, "height": self.height, "title": self.title, "sprites": sprites}
