"""The monuments on the drawn table of Egizia: obelisk and colonnade, statues and pyramid, the Sphinx."""

from __future__ import annotations

from collections.abc import Iterator

from perankh.engine.api import masks
from perankh.scene import Sprite, group
from perankh.scene.layout import Box, badge, fitting, label, paragraph

from ..rules import components, monuments, scoring, sphinx
from ..rules.components import Dock
from ..rules.state import Action, FinishBonus, State
from ..text import names
from ..text.names import WORDS
from . import pieces
from .layout import Plan

GAP = 5.0  # between the slabs at the double line
PILLAR = 45 / 22  # height of a column in widths


def monument_sprites(s: State, viewer: int, actions: tuple[int, ...], lang: str, plan: Plan) -> Iterator[Sprite]:
    """The grounds of the three docks and what is built on them."""
    yield from grounds(s, lang, plan.monuments)
    box = plan.monuments[Dock.OBELISK]
    yield from obelisk(s, Action.OBELISK in actions, lang, Box(box.x + 4, box.y + 3, 66, box.h - 6))
    yield from colonnade(s, viewer, Action.COLUMN in actions, lang, Box(box.x + 70, box.y + 3, box.w - 75, box.h - 6))
    box = plan.monuments[Dock.STATUES]
    high = 108.0 if plan.wide else 116.0
    yield from statues(s, viewer, actions, lang, Box(box.x + 4, box.y + 4, box.w - 8, high))
    rows = tuple(a - Action.ROW for a in actions if Action.ROW <= a < Action.MARKET)
    yield from pyramid(s, rows, lang, Box(box.x + 6, box.y + high + 6, box.w - 12, box.h - high - 10))
    yield from sphinx_ground(s, lang, plan.monuments[Dock.SPHINX], plan.wide)


@group
def grounds(s: State, lang: str, boxes: tuple[Box, ...]) -> Iterator[Sprite]:
    """The grounds of the three docks."""
    for dock, box in enumerate(boxes):
        now = s.docking == 1 + dock
        yield box.sprite(f"monument-{dock}", "monument-now" if now else "monument", names.capital(names.dock_name(dock, lang)))


def cost_alt(cost: int, points: int, lang: str) -> str:
    """What a space costs and scores."""
    return WORDS.say("scene.space", lang, stones=names.stones_text(cost, lang), points=names.points_text(points, lang))


# --- Obelisk ------------------------------------------------------------------------------------------------------


@group
def obelisk(s: State, is_open: bool, lang: str, box: Box) -> Iterator[Sprite]:
    """Slabs from the bottom up, with a double line; the number of a space is its cost and its points."""
    height, costs, line = (
        components.OBELISK_HEIGHT[monuments.board(s)],
        components.OBELISK_COST[monuments.board(s)],
        components.DOUBLE_LINE[monuments.board(s)],
    )
    name = WORDS.say("scene.obelisk", lang)
    yield label("obelisk-name", name, box.mid_x, box.y + 8, fitting(name, 13, box.w + 4, True), bold=True)
    foot, tip = 10.0, 15.0
    high = min(19.0, (box.h - 18 - foot - tip - GAP) / height)
    base = box.bottom - foot
    top = base - high * height - GAP
    yield Box(box.x + 2, base, box.w - 4, foot).sprite("obelisk-foot", "obelisk-foot")
    yield Box(box.mid_x - 24, top - tip + 1, 48, tip).sprite("obelisk-tip", "obelisk-tip")
    built = monuments.obelisk_height(s)
    for space in range(height):
        bottom = base - high * space - (GAP if space >= line else 0)
        wide = 58 - 10 * space / height
        place = Box(box.mid_x - wide / 2, bottom - high, wide, high)
        if space < built:
            yield pieces.brick(f"brick-obelisk-{space}", s.obelisk[space] - 1, place.inside(0.3), "slab", lang)
            continue
        symbol = "slab-open" if space == built and is_open else "slab-space"
        sprite = place.inside(0.5).sprite(f"obelisk-{space}", symbol, cost_alt(costs[space], costs[space], lang))
        sprite.text, sprite.size, sprite.bold = str(costs[space]), 12 if high > 13 else 11, symbol == "slab-open"
        yield sprite
    y = base - high * line - GAP / 2
    alt = WORDS.say("scene.double_line", lang)
    yield Sprite("double-line", "double-line", box.mid_x, y, box.w - 2, 4, alt=alt)


# --- Colonnade ----------------------------------------------------------------------------------------------------


@group
def colonnade(s: State, viewer: int, is_open: bool, lang: str, box: Box) -> Iterator[Sprite]:
    """A row of columns for each player, the viewer first, the two tiles above their columns, and the points for finishing."""
    name = WORDS.say("scene.colonnade", lang)
    yield label("colonnade-name", name, box.right + 2, box.y + 8, fitting(name, 13, 46, True), bold=True, align="end")
    ground = Box(box.x + 20, box.y + 44, box.w - 44, box.h - 44)
    for place, column in enumerate((components.YELLOW_COLUMN, components.PURPLE_COLUMN)):
        x = ground.x + (column - 0.5) * ground.w / components.COLUMNS
        g = s.bonus_tile[place]
        yield from pieces.bonus_chip(f"bonus-{place}", g, Box(x - 15, box.y + 3, 28, 36), pieces.bonus_alt(g, lang))
    yield Box(ground.x - 4, ground.y - 5, ground.w + 8, 7).sprite("roof", "roof")
    high = min(66.0, ground.h / s.players)
    for k in range(s.players):
        p = (max(viewer, 0) + k) % s.players
        y = ground.mid_y + (k - (s.players - 1) / 2) * high
        yield pieces.emblem(f"row-mark-{p}", p, box.x + 10, y, 18, names.seat_name(p, lang))
        yield from columns(s, p, is_open and p == viewer, lang, Box(ground.x, y - high / 2, ground.w, high))
    yield from finish_bonuses(s, lang, box.right - 10, ground.y + 12)


@group
def columns(s: State, p: int, is_open: bool, lang: str, box: Box) -> Iterator[Sprite]:
    """The columns of a player; the number of a space is its cost and its points."""
    step = box.w / components.COLUMNS
    wide = min(step - 1, (box.h - 4) / PILLAR)
    for column, cost in enumerate(components.COLUMN_COST):
        place = Box(box.x + (column + 0.5) * step - wide / 2, box.mid_y + 1 - wide * PILLAR / 2, wide, wide * PILLAR)
        if column < s.columns[p]:
            yield pieces.brick(f"brick-column-{p}-{column}", p, place, "pillar", lang)
            continue
        now = is_open and column == s.columns[p]
        tint = {components.YELLOW_COLUMN: "yellow", components.PURPLE_COLUMN: "amethyst"}.get(column + 1, "sand")
        sprite = place.sprite(f"column-{p}-{column}", "pillar-open" if now else "pillar-space", cost_alt(cost, cost, lang), tint)
        sprite.text, sprite.size, sprite.bold = str(cost), 12, now
        yield sprite


def finish_bonuses(s: State, lang: str, x: float, y: float) -> Iterator[Sprite]:
    """Points for finishing the colonnade as first, second and so on; those already given are faint."""
    lower = 1 if s.players == 2 and s.finish_bonus_2p == FinishBonus.LOWER else 0
    given = list(s.columns[: s.players]).count(components.COLUMNS)
    for k, points in enumerate(components.FINISH_VP[lower][: s.players]):
        alt = WORDS.say("scene.finish_bonus", lang, n=k + 1, points=names.points_text(points, lang))
        sprite = Sprite(f"finish-{k}", "points", x, y + 23 * k, 20, 20, text=str(points), size=12, bold=True, alt=alt)
        sprite.dim = k < given
        yield sprite


# --- Statues ------------------------------------------------------------------------------------------------------


def statues(s: State, viewer: int, actions: tuple[int, ...], lang: str, box: Box) -> Iterator[Sprite]:
    """The statue cards: four spaces each, with cost, number to reach and points, and the bricks of each player."""
    places = [place for place in range(components.STATUES_IN_PLAY) if s.statue[place]]
    wide = (box.w - 4 * (len(places) - 1)) / len(places)
    for number, place in enumerate(places):
        yield from statue(
            s, viewer, place, Action.STATUE + place in actions, lang, Box(box.x + number * (wide + 4), box.y, wide, box.h)
        )


@group
def statue(s: State, viewer: int, place: int, is_open: bool, lang: str, box: Box) -> Iterator[Sprite]:
    """One statue card, with what the viewer has of what it counts."""
    card = s.statue[place] - 1
    alt = WORDS.say("scene.named", lang, name=names.statue_title(card, lang), text=names.statue_text(card, lang))
    yield box.sprite(f"statue-{place}", "sheet", alt)
    yield Sprite(f"statue-icon-{place}", pieces.measure_icon(components.STATUE_MEASURE[card]), box.x + 13, box.y + 14, 21, 21)
    text = names.capital(names.measure_short(components.STATUE_MEASURE[card], lang))
    own = str(scoring.measure(s, viewer, components.STATUE_MEASURE[card])) if viewer >= 0 else ""
    room = Box(box.x + 25, box.y + 1, box.w - 30 - len(own) * 8, 27)
    yield from paragraph(f"statue-name-{place}", text, room, (13.0, 12.0, 11.0), lang)
    if own:
        alt = WORDS.say("scene.own_measure", lang, n=own)
        yield label(f"statue-own-{place}", own, box.right - 5, box.y + 14, 14, bold=True, align="end", ink="lapis", alt=alt)
    high = (box.h - 32) / components.STATUE_SPACES
    for space in range(components.STATUE_SPACES):
        row = Box(box.x + 2, box.bottom - 2.5 - high * (space + 1), box.w - 4, high - 1)
        now = is_open and space == s.level[viewer][place]
        yield from level(s, place, space, now, lang, row)


@group
def level(s: State, place: int, space: int, is_open: bool, lang: str, box: Box) -> Iterator[Sprite]:
    """A space of a statue: cost, number to reach, points, and who has built it."""
    card, name, y = s.statue[place] - 1, f"{place}-{space}", box.mid_y
    cost, least, points = (
        components.STATUE_COST[card][space],
        components.STATUE_LEAST[card][space],
        components.STATUE_VP[card][space],
    )
    alt = WORDS.say(
        "scene.level", lang, stones=names.stones_text(cost, lang), least=least, points=names.points_text(points, lang)
    )
    yield box.sprite(f"level-{name}", "level-open" if is_open else "level", alt)
    yield Sprite(f"level-cost-{name}", "cost", box.x + 10, y, 16, 16, text=str(cost), size=12, bold=True)
    yield label(f"level-least-{name}", f"{least}+", box.x + 30, y, 12)
    yield Sprite(f"level-vp-{name}", "points", box.x + 52, y, 17, 17, text=str(points), size=11, bold=True)
    step = min(17.0, (box.w - 64) / s.players)
    for p in range(s.players):
        if space < s.level[p][place]:
            x = box.x + 62 + (p + 0.5) * step
            token = pieces.emblem(f"brick-level-{p}-{name}", p, x, y, min(step + 1, box.h - 1), names.seat_name(p, lang))
            token.pool = f"mark-{p}"
            yield token


# --- Pyramid ------------------------------------------------------------------------------------------------------


@group
def pyramid(s: State, open_rows: tuple[int, ...], lang: str, box: Box) -> Iterator[Sprite]:
    """Rows of blocks, the number of a space is its cost and its points; and who has most bricks."""
    rows, which = scoring.rows_of_board(s), monuments.board(s)
    high = min(24.0, box.h / rows)
    wide = min(30.0, high * 30 / 24 + 1)
    middle = box.x + 4 + wide * components.ROW_SPACES[which][0] / 2
    for row in range(rows):
        spaces = components.ROW_SPACES[which][row]
        built = monuments.row_length(s, row)
        y = box.bottom - high * (row + 1)
        for space in range(spaces):
            place = Box(middle + (space - spaces / 2) * wide, y, wide, high)
            if space < built:
                yield pieces.brick(f"brick-row-{row}-{space}", s.pyramid[row][space] - 1, place.inside(0.3), "block", lang)
                continue
            shade = s.players == 2 and space >= components.LIGHT[row]
            symbol = "block-shade" if shade else "block-space"
            if row in open_rows and space == built:
                symbol = "block-open"
            cost = components.ROW_COST[which][row]
            sprite = place.inside(0.5).sprite(f"row-{row}-{space}", symbol, cost_alt(cost, cost, lang))
            sprite.text, sprite.size, sprite.bold = str(cost), 12, symbol == "block-open"
            yield sprite
    yield from majority(s, lang, Box(middle + wide * components.ROW_SPACES[which][0] / 2 + 8, box.y, 0, box.h), box.right)


@group
def majority(s: State, lang: str, box: Box, right: float) -> Iterator[Sprite]:
    """Bricks of each player on the pyramid, and what they bring."""
    name = WORDS.say("scene.pyramid", lang)
    room = right - box.x
    yield label("pyramid-name", name, right - 2, box.y + 8, fitting(name, 13, room, True), bold=True, align="end")
    step = room / s.players
    y = box.bottom - 44
    bricks = [monuments.pyramid_bricks(s, p) for p in range(s.players)]
    for p in range(s.players):
        x = box.x + (p + 0.5) * step
        yield pieces.emblem(
            f"pyramid-mark-{p}", p, x, y, 20, WORDS.say("scene.pyramid_bricks", lang, who=names.seat_name(p, lang), n=bricks[p])
        )
        first = bricks[p] == max(bricks) > 0
        yield label(f"pyramid-n-{p}", str(bricks[p]), x, y + 20, 14, bold=first)
    for number, (key, points) in enumerate((("full_row", components.ROW_VP), ("most_bricks", components.MAJORITY))):
        text = WORDS.say(f"scene.{key}", lang, points=names.points_text(points, lang))
        at = (box.y + 34 + 18 * number) if number == 0 else box.bottom - 8
        size = fitting(text, 12, room)
        yield label(f"pyramid-text-{number}", text, right - 2, at, size, align="end")


# --- Sphinx -------------------------------------------------------------------------------------------------------


@group
def sphinx_ground(s: State, lang: str, box: Box, wide: bool) -> Iterator[Sprite]:
    """The Sphinx and the deck of its cards."""
    name = WORDS.say("scene.sphinx", lang)
    left = s.tape_end - s.tape_top if s.round else masks.count(sphinx.all_sphinx(s)) - 2 * s.players
    alt = WORDS.say("scene.sphinx_deck", lang, cards=names.counted("cards", left, lang))
    if wide:
        yield label("sphinx-name", name, box.mid_x, box.y + 12, fitting(name, 13, box.w - 10, True), bold=True)
        yield Sprite("great-sphinx", "great-sphinx", box.mid_x, box.y + 68, 112, 77)
        deck = Box(box.mid_x - 27, box.y + 124, 54, 72)
        texts = Box(box.x + 5, box.bottom - 36, box.w - 10, 32)
    else:
        yield label("sphinx-name", name, box.x + 10, box.y + 12, 13, bold=True, align="start")
        yield Sprite("great-sphinx", "great-sphinx", box.x + 80, box.y + 64, 122, 84)
        deck = Box(box.x + 168, box.y + 18, 56, 76)
        texts = Box(box.x + 240, box.y + 30, box.w - 248, 50)
    for k in range(min(3, left)):
        yield Box(deck.x + 3 * (2 - k), deck.y + 2 * (2 - k), deck.w, deck.h).sprite(
            "sphinx-deck" if k == min(3, left) - 1 else f"sphinx-below-{k}", "sphinx-back", alt if k == min(3, left) - 1 else ""
        )
    if left == 0:
        yield deck.sprite("sphinx-deck", "nile-gone", alt)
    yield badge("sphinx-count", left, deck.right + 2, deck.y + 3, 24)
    for number, key in enumerate(("sphinx_cost", "sphinx_back")):
        text = WORDS.say(f"scene.{key}", lang, points=names.points_text(components.RETURNED_VP, lang))
        y = texts.y + texts.h * (0.25 + 0.5 * number)
        yield label(f"sphinx-text-{number}", text, texts.mid_x, y, fitting(text, 12, texts.w))
