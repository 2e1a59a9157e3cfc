"""Scenes: a position as a list of sprites, and its rendering as SVG.

A game's `drawing` places its pieces; its `art.svg` holds the symbols. Nothing here refers to a specific game. The browser
draws from the same list.
"""

from perankh.engine.words import players_listed
from perankh.scene.groups import group, kept
from perankh.scene.picture import Difference, Picture
from perankh.scene.sprite import PALETTE, SHAPES, Scene, SeatColours, Sprite, ink_on, variables
from perankh.scene.svg import draw, symbols_of

__all__ = [
    "PALETTE",
    "SHAPES",
    "Difference",
    "Picture",
    "Scene",
    "SeatColours",
    "Sprite",
    "draw",
    "group",
    "ink_on",
    "kept",
    "players_listed",
    "symbols_of",
    "variables",
]
