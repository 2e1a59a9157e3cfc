"""Piling tokens on the twelve cells of the tray, until one slides off the edge."""

from __future__ import annotations

from perankh.engine.api import below, rule, tell

from .components import GRIP, HEIGHT, NEIGHBOUR, OUT, ROUGHNESS, SWAY
from .events import Event
from .state import State


@rule
def falls(s: State, kind: int, cell: int) -> bool:
    """A token arrives on a cell and rests, topples on or falls: does it fall? (MAQ-Y4 to MAQ-Y7)"""
    topples = 0
    while True:
        sway = below(s, SWAY[kind] + 1) + 2 * topples
        drops = 0
        for direction in range(4):
            drops += open_drop(s, kind, cell, direction, sway)
        if drops == 0:
            rest(s, kind, cell)
            return False
        lower = NEIGHBOUR[cell][way_down(s, kind, cell, sway, below(s, drops))]
        if lower == OUT:
            tell(s, Event.FELL, s.thrower, kind, cell)
            return True
        cell = lower
        tell(s, Event.TOPPLED, s.thrower, kind, cell)
        topples += 1


@rule
def open_drop(s: State, kind: int, cell: int, direction: int, sway: int) -> int:
    """The drop in a direction if it is open to the token, else 0 (MAQ-Y4)."""
    limit = GRIP[kind] - ROUGHNESS[s.top[cell]]
    neighbour = NEIGHBOUR[cell][direction]
    drop = s.height[cell]
    if neighbour != OUT:
        drop -= s.height[neighbour]
    return drop if drop >= 1 and drop + sway > limit else 0


@rule
def way_down(s: State, kind: int, cell: int, sway: int, x: int) -> int:
    """The open direction in which x falls: north, east, south, west, each as wide as its drop (MAQ-Y6)."""
    direction = 0
    drop = open_drop(s, kind, cell, direction, sway)
    while x >= drop:
        x -= drop
        direction += 1
        drop = open_drop(s, kind, cell, direction, sway)
    return direction


@rule
def rest(s: State, kind: int, cell: int) -> None:
    """The token stays where it is (MAQ-Y5)."""
    s.height[cell] += HEIGHT[kind]
    s.top[cell] = kind + 1
