"""Scenes: what a table looks like, as a list of sprites, and the backend that turns one into an SVG picture.

A game's `scene.py` says where its pieces lie; its `art.svg` holds the symbols. Nothing here knows a game by name, and the
browser draws from the same list.
"""

from perankh.scene.sprite import PALETTE, SHAPES, Scene, Sprite, ink_on, variables
from perankh.scene.svg import draw, symbols_of

__all__ = ["PALETTE", "SHAPES", "Scene", "Sprite", "draw", "ink_on", "symbols_of", "variables"]
