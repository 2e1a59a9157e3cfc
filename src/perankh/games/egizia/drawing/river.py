"""The river on the drawn table of Egizia: the ring, cards and tiles on the banks, docks, ships."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from perankh.scene import Sprite, group
from perankh.scene.layout import Box, label

from ..rules import placement
from ..rules.components import CARD_OPEN, CARD_SPACES, DOCK_SPACES, DOCKS, SPHINX_MOST, TILE_OPEN, TILE_SPACES, Dock
from ..rules.state import Action, Location, State, Step
from ..text import names
from ..text.names import WORDS
from . import pieces
from .layout import Plan

POSITIONS = 3  # of the ring
TILE_LOCATIONS = range(Location.TILE, Location.TILE + TILE_SPACES)
DOCK_ICONS: dict[int, str] = {Dock.OBELISK: "obelisk", Dock.STATUES: "pyramid", Dock.SPHINX: "sphinx"}


def river(s: State, actions: tuple[int, ...], lang: str, plan: Plan) -> Iterator[Sprite]:
    """Everything along the Nile."""
    yield from banks(plan.banks, plan.waters, plan.wide)
    yield from codes(plan)
    rings = tuple(a - Action.RING + 1 for a in actions if Action.RING <= a < Action.CARD)
    yield from gauge(s, rings, lang, plan.gauge, plan.wide)
    open_places = {a - Action.PLACE for a in actions if Action.PLACE <= a < Action.CREW}
    open_cards = {a - Action.CARD for a in actions if Action.CARD <= a < Action.BONUS}  # left on the river
    for space, box in enumerate(plan.cards):
        yield from card_space(s, space, box, space in open_places or s.river[space] - 1 in open_cards, lang)
    for space, box in enumerate(plan.tiles):
        yield from tile_space(s, space, box, Location.TILE + space in open_places, lang)
    for dock, box in enumerate(plan.docks):
        first = Location.DOCK + DOCK_SPACES * dock
        here = tuple(sorted(open_places.intersection((*range(first, first + DOCK_SPACES), Location.BANK + dock))))
        yield from dock_spaces(s, dock, box, here, lang)
    yield from ships(s, lang, plan.cards, tuple(map(plan.lane, TILE_LOCATIONS)), plan.docks, 40.0 if plan.wide else 28.0)
    if s.step == Step.LOCATION:
        yield from needs(s, open_places, lang, plan)


@lru_cache(256)
def banks(lands: tuple[Box, ...], waters: tuple[Box, ...], wide: bool) -> tuple[Sprite, ...]:
    """Land and water, with the direction of the current."""
    found = [box.sprite(f"bank-{number}", "bank") for number, box in enumerate(lands)]
    if wide:
        found.append(Sprite("palm-0", "palm", lands[0].x + 17, lands[0].mid_y + 2, 32, 45))
        found.append(Sprite("palm-1", "palm", lands[1].right - 18, lands[1].mid_y, 34, 48))
    for number, box in enumerate(waters):
        found.append(box.sprite(f"water-{number}", "water"))
        for k in range(3):
            found.append(Sprite(f"current-{number}-{k}", "current", box.x + box.w * (0.02 + 0.48 * k), box.mid_y, 11, 13))
    return tuple(found)


@lru_cache(256)
def codes(plan: Plan) -> tuple[Sprite, ...]:
    """The codes of the places, as the words use them, in the water beside each."""
    found = []
    for space, box in enumerate(plan.tiles):
        water = plan.water(placement.index_of(Location.TILE + space))
        found.append(label(f"code-T{space + 1}", f"T{space + 1}", box.mid_x - 26, water.y + 7, 11, bold=True))
    for dock, box in enumerate(plan.docks):
        water = plan.water(placement.index_of(Location.DOCK + DOCK_SPACES * dock))
        found.append(label(f"code-D{dock + 1}", f"D{dock + 1}", box.mid_x, water.y + 7, 11, bold=True))
    for space, box in enumerate(plan.cards):
        water = plan.water(placement.index_of(space))
        found.append(label(f"code-C{space + 1}", f"C{space + 1}", box.mid_x, water.bottom - 6, 11, bold=True))
    return tuple(found)


# --- The ring -----------------------------------------------------------------------------------------------------


@group
def gauge(s: State, rings: tuple[int, ...], lang: str, box: Box, wide: bool) -> Iterator[Sprite]:
    """Three levels of the flood and which fields they water, with the ring on one of them, and those it may go to."""
    yield box.sprite("gauge", "sheet", names.ring_text(s.ring, lang))
    spots = []
    for position in range(1, POSITIONS + 1):
        if wide:
            x, y = box.mid_x, box.bottom - 38 - (position - 1) * 65
            label_x, label_y = x, y + 27
        else:
            x, y = box.x + 44 + (position - 1) * 130, box.mid_y
            label_x, label_y = x + 44, y
        spots.append((x, y))
        big = 42.0 if wide else 28.0
        symbol = "ring-open" if position in rings else "ring-space"
        yield Sprite(f"ring-{position}", symbol, x, y, big, big, alt=names.ring_text(position, lang))
        if position != s.ring:
            yield Sprite(f"level-waves-{position}", f"waves-{position}", x, y, big * 0.56, big * 0.56)
        for colour in range(position):
            at = label_x + (colour - (position - 1) / 2) * 14
            chip = Box(at - 6, label_y - 5, 12, 11)
            yield chip.sprite(f"watered-{position}-{colour}", f"nile-field-{colour}")
    x, y = spots[s.ring - 1]
    big = 38.0 if wide else 27.0
    alt = WORDS.say("scene.ring", lang, text=names.ring_text(s.ring, lang))
    yield Sprite("the-ring", "ring", x, y, big, big, alt=alt)


# --- Banks --------------------------------------------------------------------------------------------------------


@group
def card_space(s: State, space: int, box: Box, free: bool, lang: str) -> Iterator[Sprite]:
    """A card space, and the card on it."""
    name = names.location_name(space, lang)
    if not CARD_OPEN[s.players - 2][space]:
        yield from closed(f"space-C{space + 1}", box, name, lang)
        return
    if free:
        yield box.inside(-3).sprite(f"free-C{space + 1}", "chosen")
    yield box.sprite(f"space-C{space + 1}", "nile-gone", names.capital(name))
    if s.river[space]:
        yield from pieces.card(s.river[space] - 1, box, lang)


@group
def tile_space(s: State, space: int, box: Box, free: bool, lang: str) -> Iterator[Sprite]:
    """A tile space, and the tile on it."""
    name = names.location_name(Location.TILE + space, lang)
    if not TILE_OPEN[s.players - 2][space]:
        yield from closed(f"space-T{space + 1}", box, name, lang)
        return
    if free:
        yield box.inside(-2).sprite(f"free-T{space + 1}", "chosen")
    yield box.sprite(f"space-T{space + 1}", "nile-gone", names.capital(name))
    if s.round:
        yield from pieces.tile(s.laid[space], box, lang)


def closed(name: str, box: Box, place: str, lang: str) -> Iterator[Sprite]:
    """A space that is not used with so few players."""
    yield box.sprite(name, "nile-closed", WORDS.say("scene.closed", lang, place=names.capital(place)))
    yield Sprite(f"{name}-cross", "closed", box.mid_x, box.mid_y, 30, 30)


# --- Docks --------------------------------------------------------------------------------------------------------


def berth(box: Box, space: int) -> Box:
    """The place of a dock space; 1 and 2 at the river, 3 and the speculating ship behind them."""
    wide, high = box.w / 2, box.h / 2
    row, column = divmod(space, 2)
    return Box(box.x + column * wide + 1, box.y + (1 - row) * high + 1, wide - 2, high - 2)


@group
def dock_spaces(s: State, dock: int, box: Box, open_places: tuple[int, ...], lang: str) -> Iterator[Sprite]:
    """The spaces of a dock and the place beside its monument."""
    for space in range(DOCK_SPACES):
        location = Location.DOCK + DOCK_SPACES * dock + space
        place = berth(box, space)
        alt = names.capital(names.location_name(location, lang))
        if space >= placement.open_spaces(s):
            yield place.sprite(f"berth-{dock}-{space}", "berth-closed", WORDS.say("scene.closed", lang, place=alt))
            continue
        if dock == Dock.SPHINX:
            alt = WORDS.say("scene.sphinx_most", lang, place=alt, n=SPHINX_MOST[space])
        sprite = place.sprite(f"berth-{dock}-{space}", "berth-open" if location in open_places else "berth", alt)
        if s.dock[dock][space] == 0:
            sprite.text, sprite.size, sprite.bold = str(space + 1), 13, True
        yield sprite
        if dock == Dock.SPHINX and s.dock[dock][space] == 0:
            sprite.text, sprite.size = f"{space + 1} ≤{SPHINX_MOST[space]}", 11
    location = Location.BANK + dock
    place = berth(box, DOCK_SPACES)
    alt = names.capital(names.location_name(location, lang))
    yield place.sprite(f"berth-{dock}-late", "berth-open" if location in open_places else "berth-late", alt)
    if s.speculator[dock] == 0:
        big = min(place.w, place.h) - 4
        yield Sprite(f"dock-icon-{dock}", DOCK_ICONS[dock], place.mid_x, place.mid_y, big, big)


# --- Ships --------------------------------------------------------------------------------------------------------


@group
def ships(
    s: State, lang: str, cards: tuple[Box, ...], lanes: tuple[tuple[float, float], ...], docks: tuple[Box, ...], wide: float
) -> Iterator[Sprite]:
    """All ships on the river, each beside its location: on a card, in the water beside a tile, in a dock."""
    for space in range(CARD_SPACES):
        if s.card_ship[space]:
            box = cards[space]
            p = s.card_ship[space] - 1
            yield pieces.ship(f"ship-{p}-C{space + 1}", p, box.mid_x, box.mid_y, min(box.w, box.h) * 0.74, lang)
    for space in range(TILE_SPACES):
        here = [(p, k) for p in range(s.players) for k in range(s.tile_ships[space][p])]
        x, y = lanes[space]
        for number, (p, k) in enumerate(here):
            step = min(wide + 1, 62.0 / len(here))
            at = x + (number - (len(here) - 1) / 2) * step
            yield pieces.ship(f"ship-{p}-T{space + 1}-{k}", p, at, y, min(wide, 68.0 / len(here)), lang)
    for dock in range(DOCKS):
        for space in range(DOCK_SPACES + 1):
            seat = s.speculator[dock] if space == DOCK_SPACES else s.dock[dock][space]
            if seat:
                place = berth(docks[dock], space)
                big = min(place.w - 4, (place.h - 3) / 0.875)
                yield pieces.ship(f"ship-{seat - 1}-D{dock + 1}-{space}", seat - 1, place.mid_x, place.mid_y, big, lang)


def needs(s: State, open_places: set[int], lang: str, plan: Plan) -> Iterator[Sprite]:
    """Marks at locations that can be reached by an ability only: upstream, or onto an occupied tile."""
    p = s.chooser
    for location in sorted(open_places):
        index = placement.index_of(location)
        marks = ["upstream"] if index <= s.frontier[p] else []
        if placement.is_occupied_tile(s, location):
            marks.append("occupied_tile")
        box = place_box(location, plan)
        y = box.bottom + 3 if Location.TILE <= location < Location.DOCK else box.y + 3  # at the water
        for number, mark in enumerate(marks):
            x = box.right - 8 - 20 * number
            alt = WORDS.say(f"scene.needs.{mark}", lang)
            yield Sprite(f"needs-{location}-{mark}", "tag", x, y, 20, 20, alt=alt)
            yield Sprite(f"needs-icon-{location}-{mark}", mark, x, y, 15, 15)


def place_box(location: int, plan: Plan) -> Box:
    """Where a location is."""
    if location < Location.TILE:
        return plan.cards[location]
    if location < Location.DOCK:
        return plan.tiles[location - Location.TILE]
    if location < Location.BANK:
        dock, space = divmod(location - Location.DOCK, DOCK_SPACES)
        return berth(plan.docks[dock], space)
    return berth(plan.docks[location - Location.BANK], DOCK_SPACES)
