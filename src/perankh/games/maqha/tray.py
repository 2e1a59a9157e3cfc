"""The tray: tokens piled on twelve cells, until one slides off the edge."""

from __future__ import annotations

from perankh.engine.api import below, rule

from .table import GRIP, HEIGHT, NEIGHBOUR, OUT, ROUGHNESS, SWAY, State


@rule
def place_token(s: State, kind: int, cell: int) -> bool:
    """A token arrives on a cell and rests, topples on or falls; has it fallen? (MAQ-Y4 to MAQ-Y7)"""
    topples = 0
    while True:
        sway = below(s, SWAY[kind] + 1) + 2 * topples
        drops = 0
        for direction in range(4):
            drops += open_drop(s, kind, cell, direction, sway)
        if drops == 0:
            rest(s, kind, cell)
            return False
        cell = NEIGHBOUR[cell][way_down(s, kind, cell, sway, below(s, drops))]
        if cell == OUT:
            return True
        topples += 1


@rule
def open_drop(s: State, kind: int, cell: int, direction: int, sway: int) -> int:
    """The drop in a direction if it is open to the token, else 0 (MAQ-Y4)."""
    limit = GRIP[kind] - ROUGHNESS[s.top[cell]]
    neighbour = NEIGHBOUR[cell][direction]
    drop = int(s.height[cell])
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
