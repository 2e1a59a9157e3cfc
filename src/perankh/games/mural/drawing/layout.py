"""Where things lie in each shape, and how cards are laid out."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from perankh.engine.api import sets
from perankh.scene import SeatColours
from perankh.scene.layout import Box

from ..rules import actions
from ..rules.state import State

SEAT_COLOURS = SeatColours("red", "blue", "yellow", "black")
SIZE = 10  # cells in a row of the wall

LEGIBLE = 33.5  # the smallest card whose number can be read

CLOSE = 0.6  # the part of a card that must show to read its number
MOST_ON_RACK, MOST_IN_ROW = 13, 15  # cards that lie in one row on a phone


class Layout(NamedTuple):
    """Where things lie in one shape."""

    width: float
    height: float
    wall: Box  # the cells, without the frame
    frame: float  # its breadth
    sun: float  # the size of the sun at the corner
    head: Box  # whose turn it is
    rack: Box  # the viewer's hand
    ledge: float  # the breadth of its rim, with the name
    stop: Box
    deck: Box
    row: Box
    combo: Box  # the combo table
    tracks: Box
    seats: Box  # a panel for each player

    def __hash__(self) -> int:
        """By the size: there is one for each shape and number of players."""
        return hash((self.width, self.height))


@cache
def layout(shape: str, players: int, listed: bool = False, full_rack: bool = False, full_row: bool = False) -> Layout:
    """The layout of a shape for a number of players; `listed`: without a head, since they are listed beside the drawing.

    On a phone a rack or a row with many cards is higher.
    """
    if shape == "wide":
        return Layout(
            width=1000,
            height=744,
            wall=Box(48, 36, 572, 572) if listed else Box(50, 48, 560, 560),
            frame=13,
            sun=46 if listed else 62,
            head=Box(70, 6, 552, 26),
            rack=Box(37, 628, 586, 110),
            ledge=21,
            stop=Box(640, 476, 350, 40),
            deck=Box(640, 524, 96, 214),
            row=Box(744, 524, 246, 214),
            combo=Box(640, 396, 350, 74),
            tracks=Box(640, 198, 350, 192),
            seats=Box(640, 8, 350, 186),
        )
    wall = Box(29, 26 if listed else 35, 360, 360)
    rack = Box(6, wall.bottom + 10, 388, 94 if full_rack else 76)
    row = Box(72, rack.bottom + 3, 322, 84 if full_row else 50)
    stop = Box(72, row.bottom + 3, 322, 33)
    below = stop.bottom + 5
    return Layout(
        width=400,
        height=below + 258 + 48 * players,
        wall=wall,
        frame=8,
        sun=34,
        head=Box(46, 2, 350, 24),
        rack=rack,
        ledge=16,
        stop=stop,
        deck=Box(6, row.y, 62, 86),
        row=row,
        combo=Box(6, below, 388, 74),
        tracks=Box(6, below + 82, 388, 174),
        seats=Box(6, below + 260, 388, 48 * players - 6),
    )


def layout_of(s: State, near: int, shape: str, listed: bool) -> Layout:
    """The layout for a position, with the hand of the player `near` on the rack."""
    full_rack = shape == "tall" and actions.hand_size(s, near) > MOST_ON_RACK
    return layout(shape, s.players, listed, full_rack, shape == "tall" and sets.count(s.row) > MOST_IN_ROW)


def cell_of(n: int, at: Layout) -> Box:
    """The cell of a card."""
    size = at.wall.w / SIZE
    return Box(at.wall.x + n % SIZE * size, at.wall.y + n // SIZE * size, size, size)


class Spread(NamedTuple):
    """Cards laid out: how well they can be read (the size of what shows), and their middles and sizes."""

    quality: float
    places: list[tuple[float, float, float]]


def spread(weights: Sequence[float], box: Box, biggest: float) -> Spread:
    """Middles and sizes of cards laid out in a box from the left, in as many rows as shows them best.

    A card of weight 1 wants its whole breadth, a lighter one may be covered by its neighbour. Where the room ends, all
    cards move closer together.
    """
    best = Spread(-1, [])
    rows = 1
    while rows == 1 or box.h / rows >= LEGIBLE:
        size = min(biggest, box.h / rows - (2 if rows > 1 else 0), box.w)
        lines = split(weights, rows)
        reach = [sum(line[:-1]) * size * 1.05 for line in lines]
        scale = min(1.0, *((box.w - size) / way for way in reach if way > 0), 1.0)
        places = []
        for number, line in enumerate(lines):
            y = box.y + box.h * (number + 0.5) / rows
            x = box.x + size / 2
            for weight in line:
                places.append((x, y, size))
                x += weight * size * 1.05 * scale
        quality = size * min(1.0, (scale / CLOSE) ** 2)
        if quality > best.quality:
            best = Spread(quality, places)
        rows += 1
    return best


def quality(laid: Spread) -> float:
    """How well cards laid out can be read."""
    return laid.quality


def split(weights: Sequence[float], rows: int) -> list[list[float]]:
    """The weights in rows of about the same length."""
    lines: list[list[float]] = [[] for _ in range(rows)]
    total = sum(weights) or 1
    run = 0.0
    for weight in weights:
        lines[min(rows - 1, int((run + weight / 2) * rows / total))].append(weight)
        run += weight
    return lines
