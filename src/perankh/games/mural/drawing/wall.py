"""The wall: cells, light and shadow, cards, areas, and the pawn."""

from dataclasses import replace
from functools import cache, lru_cache
from itertools import groupby

from perankh.engine.api import sets
from perankh.scene import Sprite, group
from perankh.scene.layout import Box, label

from ..rules import actions
from ..rules.components import AREA_CELLS, AREA_OF, AREA_VALUE, AREAS, CARDS, IS_ANKH, SHADOW
from ..rules.state import State, Step
from ..text import CODES, say
from .cards import face, under_way
from .layout import SIZE, Layout, cell_of

VALUE_COLOURS = ("faience", "clay", "amethyst")  # areas of value I, II, III


@group
def wall(s: State, lang: str, at: Layout) -> list[Sprite]:
    """The sheet: cells, light and shadow, cards, and the outlines of the areas over all."""
    off = at.sun * 0.26
    sun = Box(max(0, at.wall.x - off - at.sun / 2), at.wall.y - off - at.sun / 2, at.sun, at.sun)
    if s.step == Step.OVER:
        sheet = [at.wall.inside(-at.frame).sprite("wall", "wall"), sun.sprite("sun", "sun", alt=say("scene.sun", lang))]
        return sheet + list(uncovered(s.ankh_set, lang, at))
    area_map, pawn = s.area_map, s.pawn
    taken = set(sets.members(s.wall))
    gilt = frozenset(area for area in range(len(AREAS)) if taken.issuperset(area_cells(area_map, area)))
    faces = placed_cards(s.ankh_set, lang, at, False)
    return [
        at.wall.inside(-at.frame).sprite("wall", "wall"),
        *(cell for n, cell in enumerate(cells(area_map, lang, at)) if n not in taken),
        at.wall.sprite("light", "light"),
        *shadow(s, lang, at),
        *outlines(area_map, gilt, at, False),
        *letters(area_map, taken, at),
        sun.sprite("sun", "sun", alt=say("scene.sun", lang)),
        *(faces[n] for n in sorted(taken) if n != pawn),
        *outlines(area_map, gilt, at, True),
        *([placed_cards(s.ankh_set, lang, at, under_way(s))[pawn]] if pawn in taken else []),
    ]


@lru_cache
def placed_cards(ankh_set: int, lang: str, at: Layout, glow: bool) -> tuple[Sprite, ...]:
    """All cards as they lie on the wall."""
    size = at.wall.w / SIZE - 3.4
    return tuple(face(IS_ANKH[ankh_set][n], n, *cell_of(n, at).middle, size, lang, False, glow) for n in range(CARDS))


@lru_cache
def uncovered(ankh_set: int, lang: str, at: Layout) -> tuple[Sprite, ...]:
    """The finished mural without numbers and borders, uncovered from the sun on."""
    size = at.wall.w / SIZE + 0.4  # no gaps between the pieces
    cards = (face(IS_ANKH[ankh_set][n], n, *cell_of(n, at).middle, size, lang, False, False) for n in range(CARDS))
    return tuple(replace(card, symbol=f"piece-{n:02}", order=1 + n // SIZE + n % SIZE) for n, card in enumerate(cards))


@lru_cache
def cells(area_map: int, lang: str, at: Layout) -> tuple[Sprite, ...]:
    """All cells, with number and value, as they are while they are empty."""
    drawn = []
    for n in range(CARDS):
        area = AREA_OF[area_map][n]
        value = AREA_VALUE[area_map][area]
        x, y = cell_of(n, at).middle
        size = at.wall.w / SIZE
        drawn.append(
            Sprite(
                f"cell-{n:02}",
                symbol=f"cell-{value}",
                x=x,
                y=y,
                width=size,
                height=size,
                colour=VALUE_COLOURS[(value - 1) % len(VALUE_COLOURS)],
                text=CODES[n],
                size=15 if size > 50 else 12,
                alt=say("scene.cell", lang, card=CODES[n], area=AREAS[area], value=value),
            )
        )
    return tuple(drawn)


def shadow(s: State, lang: str, at: Layout) -> tuple[Sprite, ...]:
    """The shadow of the card placed last, over the cells that may not be used."""
    return shadow_of(actions.shadowing(s), lang, at) if under_way(s) else ()


@lru_cache(512)
def shadow_of(card: int, lang: str, at: Layout) -> tuple[Sprite, ...]:
    """The shadow that a card throws."""
    dark = sets.members(SHADOW[card])
    if not dark:
        return ()
    first, last = cell_of(min(dark), at), cell_of(max(dark), at)
    box = Box(first.x, first.y, last.x + last.w - first.x, last.y + last.h - first.y)
    return (box.sprite("shadow", "shade", alt=say("scene.shadow", lang, pawn=CODES[card])),)


@lru_cache(512)
def outlines(area_map: int, gilt: frozenset[int], at: Layout, full: bool) -> tuple[Sprite, ...]:
    """The borders between cells of different areas, in as few lines as possible; those of full areas are gilt."""
    size = at.wall.w / SIZE
    thick = (5.0 if full else 4.0) if size > 50 else (4.0 if full else 3.0)
    drawn = []
    for upright in (False, True):
        for k in range(SIZE + 1):
            drawn_here = [i for i, areas in edges(area_map, upright, k) if areas.isdisjoint(gilt) != full]
            for _, together in groupby(enumerate(drawn_here), lambda pair: pair[1] - pair[0]):
                run = [i for _, i in together]
                along, across = run[0] * size, k * size
                long = len(run) * size + thick
                box = Box(at.wall.x + along - thick / 2, at.wall.y + across - thick / 2, long, thick)
                if upright:
                    box = Box(at.wall.x + across - thick / 2, at.wall.y + along - thick / 2, thick, long)
                symbol = ("gilt-upright" if upright else "gilt") if full else "border"
                kind = f"{'gilt' if full else 'line'}-{'v' if upright else 'h'}"
                drawn.append(box.sprite(f"{kind}-{k}-{run[0]}", symbol, colour="ink"))
    return tuple(drawn)


@cache
def edges(area_map: int, upright: bool, k: int) -> list[tuple[int, frozenset[int]]]:
    """The edges before row (or column) k that part two areas or an area from the frame: each place, and the areas it bounds."""
    found = []
    for i in range(SIZE):
        pairs = ((i, k - 1), (i, k)) if upright else ((k - 1, i), (k, i))
        areas = [AREA_OF[area_map][SIZE * row + column] for row, column in pairs if 0 <= row < SIZE and 0 <= column < SIZE]
        if len(areas) == 1 or areas[0] != areas[1]:
            found.append((i, frozenset(areas)))
    return found


def letters(area_map: int, taken: set[int], at: Layout) -> list[Sprite]:
    """The name of each area in its first empty cell."""
    drawn: list[Sprite] = []
    for area, letter in enumerate(AREAS):
        first = next((n for n in area_cells(area_map, area) if n not in taken), -1)
        if first >= 0:
            drawn += tag(letter, first, at)
    return drawn


@cache
def area_cells(area_map: int, area: int) -> list[int]:
    """The cells of an area."""
    return list(sets.members(AREA_CELLS[area_map][area]))


@lru_cache(1024)
def tag(letter: str, n: int, at: Layout) -> tuple[Sprite, ...]:
    """The name of an area in a cell."""
    box = cell_of(n, at)
    size = 16 if box.w > 50 else 13
    badge = Box(box.x + 1.5, box.y + 1.5, size, size)
    x, y = badge.middle
    return (
        badge.sprite(f"badge-{letter}", "area-tag"),
        label(f"letter-{letter}", letter, x - 0.5, y - 0.5, 11, bold=True, ink="alabaster"),
    )


@group
def pawn(s: State, lang: str, at: Layout) -> list[Sprite]:
    """The pawn on the card placed last."""
    if s.pawn < 0 or s.step == Step.OVER:
        return []
    box = cell_of(s.pawn, at)
    height = box.h * 0.74
    alt = say("scene.pawn", lang, card=CODES[s.pawn])
    return [
        Sprite(
            "pawn", symbol="pawn", x=box.x + box.w * 0.72, y=box.y + box.h * 0.58, width=height * 40 / 56, height=height, alt=alt
        )
    ]
