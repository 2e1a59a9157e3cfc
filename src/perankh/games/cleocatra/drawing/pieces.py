"""The layout: sites, tiles, and the rescuers and inspectors on them or in reserve."""

from __future__ import annotations

from perankh.engine.api import sets
from perankh.engine.text import listed
from perankh.scene import Sprite, group

from ..rules import components, tiles
from ..rules.state import Mode, State
from ..text.names import CODES, actor, colour_name, colour_of, say, seat_name, tile_name
from ..text.sentences import sentence
from . import layout
from .layout import RISE, SEAT_COLOURS, Grid, Plan

# Tokens on a tile of side 1: size, how far from the middle to the side, how far from the flat edge.
RESCUER = (0.23, 0.27, 0.215, 0.155)
INSPECTOR = (0.18, 0.229, 0.0, 0.588)
BADGE = (0.165, 0.165, 0.19, 0.4)
RINGS = {"chosen": "ink", "scoring": "carnelian", "fresh": "faience"}


@group
def board(s: State, sites: tuple[int, ...], lang: str, plan: Plan, grid: Grid) -> list[Sprite]:
    """The ground, and the sites that can be chosen."""
    box = plan.board
    wide = 230.0 if plan.wide else 130.0
    found = [
        box.sprite("board", "sand"),
        Sprite("pyramids", "pyramids", box.x + wide * 0.56, box.y + box.h - wide * 0.26, wide, wide / 2),
    ]
    p = actor(s) if sites else -1
    for a in sites:
        x, y = grid.middle(a)
        symbol = "site-up" if tiles.points_up(a) else "site-down"
        alt = sentence(s, p, a, lang)
        found.append(Sprite(f"site-{a}", symbol, x, y, grid.side, grid.side * RISE, alt=alt))
        found.append(code(f"code-at-{a}", a, grid))
    return found


def code(name: str, cell: int, grid: Grid) -> Sprite:
    """The code of a cell at its flat edge, as the words use it."""
    x, y = grid.on(cell, 0, 0.09)
    size = max(11.0, min(13.0, grid.side * 0.1))
    return Sprite(name, "bubble", x, y, 2.3 * size, 1.3 * size, text=CODES[cell], size=size, bold=True)


def tile_symbol(s: State, c: int, up: bool) -> str:
    """The symbol of a tile of a colour."""
    return f"tile-{components.CATS[c]}-{'up' if up else 'down'}" + ("-hard" if s.mode == Mode.HARD else "")


@group
def laid_tiles(s: State, open_cells: tuple[int, ...], lang: str, plan: Plan, grid: Grid) -> list[Sprite]:
    """The tiles of the layout with what marks them, and the one turned up; those on some cells can be chosen."""
    side = grid.side
    found = []
    for t in sorted(range(s.laid), key=lambda t: (s.chosen >> t & 1, t)):
        x, y = grid.middle(s.cell[t])
        symbol = tile_symbol(s, colour_of(s, 1 << t), tiles.points_up(s.cell[t]))
        found.append(Sprite(f"tile-{t}", symbol, x, y, side, side * RISE, alt=tile_alt(s, t, lang)))
    if s.revealed:
        found.append(revealed(s, lang, plan))
    badges = []
    for t in range(s.laid):
        cell = s.cell[t]
        badges.append(code(f"code-{t}", cell, grid))
        x, y = grid.middle(cell)
        way = "up" if tiles.points_up(cell) else "down"
        mark = mark_of(s, t)
        if cell in open_cells:
            found.append(Sprite(f"pick-{t}", f"pick-{way}", x, y, side, side * RISE))
        elif mark:
            found.append(Sprite(f"ring-{t}", f"ring-{way}", x, y, side, side * RISE, colour=RINGS[mark]))
        if mark:
            w, h, aside, rise = BADGE
            x, y = grid.on(cell, -aside, rise)
            alt = say(f"scene.{mark}", lang)
            badges.append(Sprite(f"badge-{t}", f"badge-{mark}", x, y, w * side, h * side, alt=alt))
    return found + badges


def mark_of(s: State, t: int) -> str:
    """What is special about a tile now: chosen before, scored, laid or moved in this turn; or nothing."""
    if (s.chosen | s.other) >> t & 1:
        return "chosen"
    if (s.scoring | s.interrupted) >> t & 1:
        return "scoring"
    return "fresh" if s.fresh >> t & 1 else ""


def tile_alt(s: State, t: int, lang: str) -> str:
    """A tile and what stands on it."""
    name = tile_name(s, 1 << t, lang)
    here = [say("board.rescuer", lang, who=seat_name(p, lang)) for p in range(s.players) if s.rescuers[p] >> t & 1]
    if s.inspectors >> t & 1:
        here.append(say("board.inspector", lang))
    return say("names.value", lang, name=name, value=listed(here, lang)) if here else name


def revealed(s: State, lang: str, plan: Plan) -> Sprite:
    """The tile turned up, which is the next to be laid."""
    x, y, side = layout.revealed_place(plan)
    c = s.revealed - 1
    alt = say("board.revealed", lang, colour=colour_name(c, lang))
    return Sprite(f"tile-{s.laid}", tile_symbol(s, c, True), x, y, side, side * RISE, alt=alt)


@group
def tokens(s: State, lang: str, plan: Plan, grid: Grid) -> list[Sprite]:
    """All rescuers and inspectors, on tiles or in reserve."""
    found = []
    for p in range(s.players):
        standing = on_tiles(s.rescuers[p], components.RESCUERS)
        alt = say("board.rescuer", lang, who=seat_name(p, lang))
        for k in range(components.RESCUERS):
            if k in standing:
                w, h, aside, rise = RESCUER
                x, y = grid.on(s.cell[standing[k]], side_of(s, p, standing[k]) * aside, rise)
                w, h = w * grid.side, h * grid.side
            else:
                x, y, w, h = layout.in_hand(plan, p, k)
            on = f"tile-{standing[k]}" if k in standing else ""
            found.append(Sprite(f"rescuer-{p}-{k}", f"rescuer-{p}", x, y, w, h, colour=SEAT_COLOURS[p], alt=alt, on=on))
    watching = on_tiles(s.inspectors, components.INSPECTORS)
    for k in range(components.INSPECTORS):
        if k in watching:
            w, h, aside, rise = INSPECTOR
            x, y = grid.on(s.cell[watching[k]], aside, rise)
            w, h = w * grid.side, h * grid.side
        else:
            x, y, w, h = layout.in_reserve(plan, k)
        found.append(Sprite(f"inspector-{k}", "inspector", x, y, w, h, alt=say("board.inspector", lang)))
    return found


def on_tiles(where: int, pieces: int) -> dict[int, int]:
    """Which of a number of like pieces stands on which tile: {piece: tile}; those not named are off the layout.

    The state knows only the tiles. A tile has a favourite piece, so that a piece mostly stays itself when another moves.
    """
    found: dict[int, int] = {}
    rest = []
    for t in sets.members([where]):
        if t % pieces in found:
            rest.append(t)
        else:
            found[t % pieces] = t
    for t in rest:
        found[next(k for k in range(pieces) if k not in found)] = t
    return found


def side_of(s: State, p: int, t: int) -> int:
    """Where p stands on a tile: even seats on the left, odd ones on the right, unless that is taken."""
    others = [q for q in range(s.players) if q != p and s.rescuers[q] >> t & 1]
    if others and others[0] % 2 == p % 2:
        return -1 if p < others[0] else 1
    return -1 if p % 2 == 0 else 1
