"""The pieces of the drawn table: emblems, ships, bricks, cards, tiles and what is printed on them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from perankh.scene import Sprite, group
from perankh.scene.layout import Box, fitting, label, paragraph

from ..rules import components, nile
from ..rules.components import Kind
from ..rules.state import State
from ..text import names
from ..text.names import WORDS

SHIP = 42 / 48  # height of a ship in widths
CREW_ICONS = (*(f"crew-{crew}" for crew in range(len(components.CREWS))), "crew-any", "crew-other")
MEASURE_ICONS = {
    "obelisk": "obelisk",
    "obelisk_above": "obelisk_line",
    "obelisk_full": "obelisk",
    "columns": "colonnade",
    "pyramid": "pyramid",
    "pyramid_rows": "pyramid_rows",
    "rows_full": "pyramid_rows",
    "pyramid_full": "pyramid",
    "statues": "statue",
    "every_statue": "statue",
    "each_monument": "monuments",
    "bricks": "bricks",
    "each_basic": "crews",
    "leader": "crew-3",
    "strength": "power",
    "grain": "grain",
    "stone_production": "quarry",
    "fields": "field",
    "quarries": "quarry",
    "colours": "fields",
    "stones": "stone",
    "markets": "scales",
    "grain_market_top": "market-grain",
    "stone_market_top": "market-stone",
    "sphinx_cards": "sphinx",
}
FULL = ("obelisk_full", "rows_full", "pyramid_full", "every_statue", "grain_market_top", "stone_market_top")
Item = tuple[str, str]  # an icon and what is written at it


def measure_icon(measure: int) -> str:
    """The icon of what is counted; TRACK is the VP track."""
    return "track" if measure == components.TRACK else MEASURE_ICONS[components.MEASURES[measure]]


# --- Small pieces -------------------------------------------------------------------------------------------------


def emblem(name: str, p: int, x: float, y: float, size: float, alt: str = "") -> Sprite:
    """The mark of a seat."""
    return Sprite(name, f"emblem-{p}", x, y, size, size, colour=names.SEAT_COLOURS[p], alt=alt)


def ship(name: str, p: int, x: float, y: float, wide: float, lang: str) -> Sprite:
    """A ship; those of a player are alike, come from the fleet and take over from each other."""
    alt = WORDS.say("scene.ship", lang, who=names.seat_name(p, lang))
    return Sprite(name, f"ship-{p}", x, y, wide, wide * SHIP, colour=names.SEAT_COLOURS[p], alt=alt, pool=f"fleet-{p}")


def brick(name: str, p: int, box: Box, form: str, lang: str) -> Sprite:
    """A brick of a form: slab, block or pillar. It comes from the mark of its player."""
    sprite = box.sprite(name, f"{form}-{p}", WORDS.say("scene.brick", lang, who=names.seat_name(p, lang)), names.SEAT_COLOURS[p])
    sprite.pool = f"mark-{p}"
    return sprite


def amount(name: str, icon: str, text: str, x: float, y: float, size: float, alt: str, big: float = 0) -> Iterator[Sprite]:
    """An icon and a number beside it, from x on."""
    wide = big or size * 1.5
    yield Sprite(name, icon, x + wide / 2, y, wide, wide, alt=alt)
    yield label(f"{name}-n", text, x + wide + 3, y, size, bold=True, align="start")


# --- What is printed ----------------------------------------------------------------------------------------------


def items_of(effects: list[tuple[str, list[int]]]) -> list[Item]:
    """The icons of an effect, part by part."""
    if len(effects) > 2:
        icon, text = items_of(effects[:1])[0]
        return [(icon, f"{text} x{len(effects)}")]
    return [item for name, numbers in effects for item in effect_items(name, numbers)]


def effect_items(name: str, numbers: list[int]) -> list[Item]:
    """The icons of a part of an effect."""
    if name == "crew":
        return [(CREW_ICONS[numbers[0]], f"{numbers[1]:+}")]
    if name == "lower_crew":
        return [("lower_crew", "-1"), ("vp", f"+{numbers[0]}")]
    if name == "ring":
        return [("ring", f"±{numbers[0]}")]
    if name == "market":
        return [(f"market-{components.MARKETS[numbers[0]]}", f"+{numbers[1]}")]
    if name == "vp_per":
        return [("vp", str(numbers[1])), (measure_icon(numbers[0]), f"/{numbers[2]}")]
    if name == "vp_per_monument":
        return [("vp", str(numbers[0])), ("monuments", f"{numbers[1]}+")]
    icons = {"stones": "stone", "speculation": "late_ship"}
    counted = name in ("stones", "vp", "grain", "power", "train")
    return [(icons.get(name, name), f"+{numbers[0]}" if counted else "")]


def bonus_item(g: int) -> Item:
    """The icon of a colonnade tile."""
    icons = {"shared_tile": "occupied_tile"}
    effect = components.BONUSES[components.BONUS_EFFECT[g]]
    return icons.get(effect, effect), f"+{components.BONUS_NUMBER[g]}" if components.BONUS_NUMBER[g] else ""


def printed(name: str, items: list[Item], box: Box, most: float = 40) -> Iterator[Sprite]:
    """Icons with their numbers in a box: beside each other, a single one in a flat box with its number to the right."""
    if len(items) == 1 and box.w > box.h * 1.1:
        icon, text = items[0]
        big = min(most, box.h, box.w * (0.55 if text else 1))
        size = fitting(text, min(18.0, big * 0.62), box.w - big - 4, True)
        shift = len(text) * size * 0.29 + 2 if text else 0
        yield Sprite(f"{name}-icon-0", icon, box.mid_x - shift, box.mid_y, big, big)
        if text:
            yield label(f"{name}-text-0", text, box.mid_x - shift + big / 2 + 3, box.mid_y, size, bold=True, align="start")
        return
    cell = box.w / len(items)
    for i, (icon, text) in enumerate(items):
        x = box.x + (i + 0.5) * cell
        size = fitting(text, min(17.0, box.h * 0.3), cell + 2, True)
        big = min(most, cell, box.h - (size + 1 if text else 0))
        top = box.mid_y - (big + (size if text else 0)) / 2
        yield Sprite(f"{name}-icon-{i}", icon, x, top + big / 2, big, big)
        if text:
            yield label(f"{name}-text-{i}", text, x, top + big + size * 0.55, size, bold=True)


@lru_cache(1024)
def card(c: int, box: Box, lang: str) -> tuple[Sprite, ...]:
    """A Nile card on the river."""
    return tuple(card_face(c, box, lang))


def card_face(c: int, box: Box, lang: str) -> Iterator[Sprite]:
    """What is printed on a Nile card."""
    name, kind = f"card-{c}", components.CARD_KIND[c]
    alt = WORDS.say("scene.named", lang, name=names.card_title(c, lang), text=names.card_text(c, lang))
    inner = Box(box.x + 6, box.y + 5, box.w - 12, box.h - 10)
    effects = components.CARD_EFFECTS[c]
    if kind == Kind.FIELD:
        yield box.sprite(name, f"nile-field-{components.CARD_COLOUR[c]}", alt)
        yield from field_face(name, components.CARD_COLOUR[c], components.CARD_VALUE[c], inner, items_of(effects))
    else:
        items = [("quarry", f"+{components.CARD_VALUE[c]}")] if kind == Kind.QUARRY else items_of(effects)
        yield box.sprite(name, "nile-quarry" if kind == Kind.QUARRY else "nile-action", alt)
        if kind != Kind.QUARRY and inner.h < 60:
            inner = Box(inner.x + 10, inner.y, inner.w - 10, inner.h)
        yield from printed(name, items, inner)
    if effects:
        yield Sprite(f"{name}-timing", f"timing-{components.TIMING_OF[effects[0][0]]}", box.x + 9, box.y + 9, 16, 16)


def field_face(name: str, colour: int, grain: int, box: Box, more: list[Item]) -> Iterator[Sprite]:
    """Grain, and as many waves as the ring must stand high; an effect on taking it besides."""
    if box.h > 50:
        shift = 12 if more else 0
        yield Sprite(f"{name}-icon-0", "field", box.mid_x - shift, box.y + 20, 34 if not more else 28, 34 if not more else 28)
        yield label(f"{name}-text-0", str(grain), box.mid_x - 11, box.bottom - 14, 20, bold=True)
        yield Sprite(f"{name}-waves", f"waves-{1 + colour}", box.mid_x + 12, box.bottom - 14, 24, 24)
        if more:
            yield from printed(f"{name}-more", more, Box(box.mid_x + 5, box.y + 5, 24, 34), 22)
        return
    if more:
        yield from printed(f"{name}-more", more, Box(box.x + 4, box.y + 2, 26, box.h - 2), 20)
    else:
        yield Sprite(f"{name}-icon-0", "field", box.x + 15, box.mid_y, 30, 30)
    yield label(f"{name}-text-0", str(grain), box.right - 14, box.y + 10, 17, bold=True)
    yield Sprite(f"{name}-waves", f"waves-{1 + colour}", box.right - 14, box.bottom - 10, 20, 20)


@lru_cache(1024)
def tile(t: int, box: Box, lang: str) -> tuple[Sprite, ...]:
    """A Nile tile."""
    alt = WORDS.say("scene.named", lang, name=names.tile_title(t, lang), text=names.tile_text(t, lang))
    face = printed(f"tile-{t}", items_of(components.TILE_EFFECTS[t]), box.inside(6), 34)
    return (box.sprite(f"tile-{t}", "tile", alt), *face)


# --- Cards before a player ----------------------------------------------------------------------------------------


@group
def field_chip(s: State, p: int, field: int, attaching: bool, lang: str, box: Box) -> Iterator[Sprite]:
    """A field before a player in its present colour; faintly if it is not watered, unless fields are chosen from."""
    name = f"field-{p}" if field == components.STARTER else f"card-{field}"
    colour, grain = nile.field_colour(s, p, field), nile.field_grain(s, p, field)
    dim = colour >= s.ring and not attaching
    alt = WORDS.say("scene.named", lang, name=names.field_title(colour, grain, lang), text=names.field_text(colour, grain, lang))
    frame = box.sprite(name, f"nile-field-{colour}", alt)
    number = label(f"{name}-text-0", str(grain), box.mid_x, box.y + box.h * 0.31, max(11.0, box.w * 0.48), bold=True)
    waves = Sprite(f"{name}-waves", f"waves-{1 + colour}", box.mid_x, box.y + box.h * 0.7, box.w * 0.58, box.w * 0.58)
    for sprite in (frame, number, waves):
        sprite.dim = dim
        yield sprite


def quarry_chip(name: str, stones: int, alt: str, box: Box) -> Iterator[Sprite]:
    """A quarry before a player."""
    yield box.sprite(name, "nile-quarry", alt)
    yield Sprite(f"{name}-icon-0", "stone", box.mid_x, box.y + box.h * 0.34, box.w * 0.6, box.w * 0.6)
    yield label(f"{name}-text-0", str(stones), box.mid_x, box.y + box.h * 0.74, max(11.0, box.w * 0.44), bold=True)


def action_chip(c: int, spent: bool, lang: str, box: Box) -> Iterator[Sprite]:
    """An action card before a player; faintly if it is used up for the round."""
    alt = WORDS.say("scene.named", lang, name=names.card_title(c, lang), text=names.card_text(c, lang))
    icon, text = items_of(components.CARD_EFFECTS[c])[-1]
    for sprite in (
        box.sprite(f"card-{c}", "nile-action", alt),
        *printed(f"card-{c}", [(icon, text)], box.inside(3), box.w - 6),
    ):
        sprite.dim = spent
        yield sprite


def bonus_chip(name: str, g: int, box: Box, alt: str, most: float = 26) -> Iterator[Sprite]:
    """A colonnade tile, or the mark of having won it."""
    yield box.sprite(name, "bonus-purple" if components.BONUS_COLOUR[g] else "bonus-yellow", alt)
    yield from printed(name, [bonus_item(g)], box.inside(3), most)


def bonus_alt(g: int, lang: str) -> str:
    """A colonnade tile and what it does."""
    return WORDS.say("scene.named", lang, name=names.bonus_title(g, lang), text=names.bonus_text(g, lang))


def sphinx_alt(c: int, lang: str) -> str:
    """A Sphinx card in words."""
    return WORDS.say("scene.sphinx_card", lang, text=names.sphinx_text(c, lang))


def sphinx_card(c: int, box: Box, lang: str, met: bool = False) -> Iterator[Sprite]:
    """An open Sphinx card: what it counts, how much of it, and its points; a mark if its condition is met."""
    name, measure = f"sphinx-{c}", components.SPHINX_MEASURE[c]
    flat, large = box.w > box.h * 2, box.h > 70
    frame = box.sprite(name, "sphinx-row" if flat else "sphinx-card", sphinx_alt(c, lang))
    frame.pool = "sphinx-deck"
    yield frame
    big = box.h * 0.8 if flat else min(box.w - 10, box.h * 0.4)
    x, y = (box.x + 6 + big / 2, box.mid_y) if flat else (box.mid_x, box.y + 4 + big / 2)
    yield Sprite(f"{name}-icon", measure_icon(measure), x, y, big, big)
    if is_full(measure):
        yield Sprite(f"{name}-full", "full", x + big * 0.4, y + big * 0.3, big * 0.5, big * 0.5)
    text = names.capital(WORDS.say("scene.track", lang) if measure == components.TRACK else names.measure_short(measure, lang))
    if flat:
        room = Box(x + big / 2 + 6, box.y + 1, box.right - x - big / 2 - 74, box.h - 2)
        yield from paragraph(f"{name}-what", text, room, (13.0, 12.0, 11.0), lang)
        yield from worth(c, Box(box.right - 66, box.y, 66, box.h), large=True)
    elif large:
        room = Box(box.x + 5, y + big / 2 + 1, box.w - 10, box.bottom - 30 - y - big / 2)
        yield from paragraph(f"{name}-what", text, room, (13.0, 12.0, 11.0), lang, "middle")
        yield from worth(c, Box(box.x + 4, box.bottom - 28, box.w - 8, 20), large=True)
    else:
        yield from worth(c, Box(box.x, box.bottom - 21, box.w, 18), large=False)
    if met:
        yield Sprite(f"{name}-met", "full", box.right - 6, box.y + 6, 14, 14, alt=WORDS.say("scene.met", lang))


def is_full(measure: int) -> bool:
    """Whether something must be complete, rather than so and so much."""
    return measure != components.TRACK and components.MEASURES[measure] in FULL


def worth(c: int, box: Box, large: bool) -> Iterator[Sprite]:
    """The number to be reached and the points."""
    name, measure = f"sphinx-{c}", components.SPHINX_MEASURE[c]
    alone = is_full(measure) and components.SPHINX_LEAST[c] == 1
    if not alone:
        least = f"/{components.SPHINX_LEAST[c]}" if measure == components.TRACK else f"{components.SPHINX_LEAST[c]}+"
        yield label(f"{name}-least", least, box.x + box.w * 0.28, box.mid_y, 15 if large else 12, bold=True)
    points = "1" if measure == components.TRACK else str(components.SPHINX_VP[c])
    disc = 22.0 if large else 18.0
    x = box.mid_x if alone else box.x + box.w * 0.74
    yield Sprite(f"{name}-vp", "points", x, box.mid_y, disc, disc, text=points, size=13 if large else 11, bold=True)
