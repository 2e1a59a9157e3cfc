"""The players on the drawn table of Egizia: their boards, who is ahead, and the two markets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial

from perankh.engine.api import masks
from perankh.scene import Sprite, group, kept, players_listed
from perankh.scene.layout import Box, badge, button, fitting, label, name_label

from ..rules import components, feeding, nile, scoring, sphinx, tracks
from ..rules.components import Kind, Market
from ..rules.state import Action, Phase, State, Step
from ..text import names
from ..text.names import WORDS
from . import clicks, pieces
from .layout import Plan
from .pieces import Item

Chip = Callable[[Box], Iterable[Sprite]]  # draws a card in a place
CHIP = 1.26  # height of a chip in widths
CHIP_WIDTHS = (40.0, 38.0, 36.0, 34.0, 32.0, 30.0, 28.0, 26.0, 24.0, 22.0)
TALL_CHIP = 30.0
SPHINX_HIGH = 52.0
NOTHING: frozenset[str] = frozenset()


def places(s: State) -> list[int]:
    """The place of each seat: in the rank list, 0 for the leader; once the game is over that of the result, 1 for who has won."""
    if s.step != Step.OVER:
        return [tracks.rank(s, p) for p in range(s.players)]
    found = [0] * len(s.vp)
    scoring.ranks(s, found)
    return found[: s.players]


def winners(s: State) -> list[int]:
    """Who shares the first place, once the game is over."""
    return [p for p, place in enumerate(places(s)) if place == 1] if s.step == Step.OVER else []


# --- Boards -------------------------------------------------------------------------------------------------------


def seat(s: State, p: int, viewer: int, actions: tuple[int, ...], lang: str, plan: Plan) -> tuple[Sprite, ...]:
    """A player's board."""
    mine, box = p == viewer, plan.seats[p]
    won = p in winners(s)
    mark = "crown" if won else "passed" if s.phase == Phase.PLACEMENT and s.passed >> p & 1 else ""
    acting = s.step != Step.OVER and p == s.chooser and s.phase != Phase.SETUP
    usable = frozenset(clicks.piece_id(s, p, a) for a in actions if not clicks.is_button(a)) if mine else NOTHING
    step = s.step if s.step in (Step.OVER, Step.ATTACH) else Step.START  # others make no difference
    shown = (p, mine, usable & own_pieces(p), step, s.spent & s.held[p])
    if plan.wide:
        return (
            *panel(s, p, won or acting, lang, box),
            *wide_head(s, p, mine, mark, lang, box),
            *crews(s, p, usable & crew_ids(p), lang, Box(box.x + 6, box.y + 40, box.w - 12, 40)),
            *stores(s, p, lang, Box(box.x + 8, box.y + 84, box.w - 16, 26)),
            *chips(s, *shown, lang, Box(box.x + 6, box.y + 114, box.w - 12, box.h - 118)),
        )
    top = 76 if mine else 68
    return (
        *panel(s, p, won or acting, lang, box),
        *tall_head(s, p, mine, mark, lang, box),
        *crews(s, p, usable & crew_ids(p), lang, Box(box.x + 6, box.y + 32, box.w - 12, 42 if mine else 34)),
        *chips(s, *shown, lang, Box(box.x + 6, box.y + top, box.w - 12, box.h - top - 4)),
    )


@cache
def crew_ids(p: int) -> frozenset[str]:
    """The sprites of a player's crews."""
    return frozenset(f"crew-{p}-{crew}" for crew in range(len(components.CREWS)))


@cache
def own_pieces(p: int) -> frozenset[str]:
    """The sprites of what may lie before a player."""
    eyes = (f"eye-{p}-{place}" for place in range(2))
    return frozenset([f"field-{p}", f"token-{p}", *eyes, *(f"card-{card}" for card in range(components.CARDS))])


@group
def panel(s: State, p: int, active: bool, lang: str, box: Box) -> Iterator[Sprite]:
    """The ground of a player's board."""
    alt = WORDS.say("scene.seat", lang, who=names.seat_name(p, lang), points=names.points_text(s.vp[p], lang))
    yield box.sprite(f"panel-{p}", "panel-active" if active else "panel", alt)


def tall_height(s: State, p: int, viewer: int) -> float:
    """How high a board in the tall shape must be."""
    per_row = int(378 // (TALL_CHIP + 2))
    opened = open_cards(s, p, p == viewer or s.step == Step.OVER)
    rows = -(-len(chips_of(s, p, len(opened), False, 0, "en")) // per_row)
    cards = SPHINX_HIGH + 3 if opened else 0
    return (76 if p == viewer else 68) + rows * (TALL_CHIP * CHIP + 2) + cards + 5


def name_of(p: int, mine: bool, lang: str) -> str:
    """The name of a seat, marked if it is the viewer's."""
    return WORDS.say("scene.you", lang, who=names.seat_name(p, lang)) if mine else names.seat_name(p, lang)


@group
def wide_head(s: State, p: int, mine: bool, mark: str, lang: str, box: Box) -> Iterator[Sprite]:
    """Mark, name and points."""
    y = box.y + 21
    yield pieces.emblem(f"mark-{p}", p, box.x + 21, y, 30)
    name = name_of(p, mine, lang)
    yield name_label(f"name-{p}", name, box.x + 41, y, 17, box.w - 128, names.seat_name(p, lang))
    x = box.right + 6
    if not players_listed():
        points = str(s.vp[p])
        yield label(f"score-{p}", points, box.right - 10, y, 25, bold=True, align="end", alt=names.points_text(s.vp[p], lang))
        x = box.right - 26 - len(points) * 14
        yield Sprite(f"score-icon-{p}", "vp", x, y, 24, 24)
    yield from state_mark(mark, p, x - 28, y, 24, lang)


@group
def tall_head(s: State, p: int, mine: bool, mark: str, lang: str, box: Box) -> Iterator[Sprite]:
    """Mark, name, stores and points in one line."""
    y = box.y + 17
    yield pieces.emblem(f"mark-{p}", p, box.x + 17, y, 26)
    name = name_of(p, mine, lang)
    yield name_label(f"name-{p}", name, box.x + 33, y, 14, 70, names.seat_name(p, lang))
    yield from stores(s, p, lang, Box(box.x + 108, box.y + 5, 190, 24))
    x = box.right + 6
    if not players_listed():
        points = str(s.vp[p])
        yield label(f"score-{p}", points, box.right - 8, y, 20, bold=True, align="end", alt=names.points_text(s.vp[p], lang))
        x = box.right - 20 - len(points) * 11
        yield Sprite(f"score-icon-{p}", "vp", x, y, 20, 20)
    yield from state_mark(mark, p, x - 22, y, 18, lang)


def state_mark(mark: str, p: int, x: float, y: float, size: float, lang: str) -> Iterator[Sprite]:
    """A crown for who has won, a mark for who has passed."""
    if mark == "crown":
        yield Sprite(f"crown-{p}", "crown", x, y, size, size * 0.75)
    elif mark:
        yield Sprite(f"passed-{p}", "passed", x, y, size * 0.85, size * 0.85, alt=WORDS.say("scene.passed", lang))


@group
def crews(s: State, p: int, usable: frozenset[str], lang: str, box: Box) -> Iterator[Sprite]:
    """The four crews with their strengths; those that have built are turned over."""
    step = min(box.w / len(components.CREWS), 120.0)
    for crew in range(len(components.CREWS)):
        down = s.flipped[p] >> crew & 1
        x = box.x + step * crew
        big = min(box.h - 2, step * 0.56)
        key = "scene.crew_down" if down else "scene.crew"
        alt = WORDS.say(key, lang, crew=names.capital(names.crew_name(crew, lang)), n=s.strength[p][crew])
        if f"crew-{p}-{crew}" in usable:
            yield Box(x, box.y - 1, step - 3, box.h + 2).sprite(f"chosen-crew-{p}-{crew}", "chosen")
        yield Sprite(f"crew-{p}-{crew}", f"{'down' if down else 'crew'}-{crew}", x + 3 + big / 2, box.mid_y, big, big, alt=alt)
        n = label(f"crew-{p}-{crew}-n", str(s.strength[p][crew]), x + big + 6, box.mid_y, 19, bold=True, align="start")
        n.ink = "grey" if down else "ink"
        yield n


@kept
def harvest(s: State, p: int) -> tuple[int, int, int]:
    """The stones that a player's quarries bring, the grain of the fields, and the grain that is needed."""
    return nile.stone_production(s, p), nile.grain_of(s, p, s.ring), feeding.need(s, p)


def stores(s: State, p: int, lang: str, box: Box) -> tuple[Sprite, ...]:
    """What a player has in store and will get."""
    return shown_stores(s, p, *harvest(s, p), lang, box)


@group
def shown_stores(s: State, p: int, production: int, grain: int, wanted: int, lang: str, box: Box) -> Iterator[Sprite]:
    """Stones with what the quarries bring, grain against need, and ships left."""
    size = 15.0 if box.w > 186 else 14.0
    alt = WORDS.say(
        "scene.stones",
        lang,
        stones=names.stones_text(s.stones[p], lang),
        most=components.STORE,
        more=names.stones_text(production, lang),
    )
    yield from pieces.amount(f"stones-{p}", "stone", str(s.stones[p]), box.x, box.mid_y, size, alt)
    x = box.x + size * 1.5 + 4 + size * 0.58 * len(str(s.stones[p]))
    yield label(f"production-{p}", f"+{production}", x + 2, box.mid_y, 12, align="start", alt=alt)
    alt = WORDS.say("scene.grain", lang, n=grain, need=wanted)
    x = box.x + max(72.0, box.w * 0.385)
    found = list(pieces.amount(f"grain-{p}", "grain", f"{grain}/{wanted}", x, box.mid_y, size, alt))
    if grain < wanted:
        found[1].ink = "carnelian"
    yield from found
    alt = WORDS.say("scene.ships", lang, n=s.ships[p])
    yield from pieces.amount(f"fleet-{p}", "boat", str(s.ships[p]), box.right - size * 2.2 - 5, box.mid_y, size, alt)


# --- Cards before a player ----------------------------------------------------------------------------------------


def chips_of(s: State, p: int, opened: int, attaching: bool, spent: int, lang: str) -> list[Chip]:
    """Everything small before a player: fields, quarries, cards, tiles won, tokens, hidden Sphinx cards.

    `opened`: how many Sphinx cards are shown. `attaching`: fields are chosen from. `spent`: the cards used up for the round.
    """
    found: list[Chip] = []
    held = s.held[p]
    for field in (components.STARTER, *(card for card in components.FIELD_CARDS if masks.has(held, card))):
        found.append(partial(pieces.field_chip, s, p, field, attaching, lang))
    alt = WORDS.say("scene.named", lang, name=names.starter_quarry_title(lang), text=names.starter_quarry_text(lang))
    found.append(partial(pieces.quarry_chip, f"quarry-{p}", components.STARTER_QUARRY, alt))
    for card in components.QUARRY_CARDS:
        if masks.has(held, card):
            alt = WORDS.say("scene.named", lang, name=names.card_title(card, lang), text=names.card_text(card, lang))
            found.append(partial(pieces.quarry_chip, f"card-{card}", components.CARD_VALUE[card], alt))
    for card in range(components.CARDS):
        if masks.has(held, card) and components.CARD_KIND[card] not in (Kind.FIELD, Kind.QUARRY):
            found.append(partial(pieces.action_chip, card, bool(spent >> card & 1), lang))
    for place, column in enumerate((components.YELLOW_COLUMN, components.PURPLE_COLUMN)):
        if s.columns[p] >= column:
            found.append(partial(eye_chip, s, p, place, lang))
    if s.tokens[p]:
        found.append(partial(token_chip, s, p, lang))
    hidden = sphinx.hand_size(s, p) - opened
    if hidden:
        found.append(partial(hidden_chip, p, hidden, lang))
    return found


def eye_chip(s: State, p: int, place: int, lang: str, box: Box) -> Iterator[Sprite]:
    """A colonnade tile that a player has won, with an eye if it is to be used: open or closed."""
    g = s.bonus_tile[place]
    used = s.closed_eye[p] >> place & 1
    alt = pieces.bonus_alt(g, lang)
    if components.BONUS_USE[g]:
        alt = WORDS.say("scene.used" if used else "scene.unused", lang, tile=alt)
    for sprite in pieces.bonus_chip(
        f"eye-{p}-{place}", g, Box(box.x, box.y, box.w, box.h * (0.74 if components.BONUS_USE[g] else 1)), alt
    ):
        sprite.dim = bool(used)
        yield sprite
    if components.BONUS_USE[g]:
        yield Sprite(
            f"eye-mark-{p}-{place}",
            "eye-closed" if used else "eye-open",
            box.mid_x,
            box.bottom - box.h * 0.14,
            box.w * 0.66,
            box.w * 0.46,
        )


def token_chip(s: State, p: int, lang: str, box: Box) -> Iterator[Sprite]:
    """Speculation tokens."""
    alt = WORDS.say("scene.token", lang, n=s.tokens[p])
    yield Sprite(f"token-{p}", "token", box.mid_x, box.mid_y, box.w, box.w, alt=alt)
    if s.tokens[p] > 1:
        yield badge(f"token-n-{p}", s.tokens[p], box.right - 4, box.y + 6)


def hidden_chip(p: int, n: int, lang: str, box: Box) -> Iterator[Sprite]:
    """Sphinx cards that the viewer does not see."""
    alt = WORDS.say("scene.hidden", lang, cards=names.counted("cards", n, lang))
    for k in range(n):
        shift = k * min(2.0, 8.0 / n)
        card = Box(box.x + shift, box.y - shift / 2, box.w - 4, box.h - 1).sprite(f"hidden-{p}-{k}", "sphinx-back", alt)
        card.pool = "sphinx-deck"
        yield card
    yield badge(f"hidden-n-{p}", n, box.right - 3, box.bottom - 7)


def open_cards(s: State, p: int, shown: bool) -> list[int]:
    """Sphinx cards of a player that the viewer sees: the own ones, at the end all."""
    cards = sphinx.hand(s, p) if shown else 0
    return [card for card in range(components.SPHINX_CARDS) if masks.has(cards, card)]


@group
def chips(s: State, p: int, mine: bool, usable: frozenset[str], step: int, spent: int, lang: str, box: Box) -> Iterator[Sprite]:
    """What lies before a player in rows, as large as it fits; open Sphinx cards in a row of their own."""
    cards = open_cards(s, p, mine or step == Step.OVER)
    if cards:
        wide = min(50.0, (box.w + 2) / len(cards) - 2)
        y = box.bottom - SPHINX_HIGH
        for number, card in enumerate(cards):
            place = Box(box.x + number * (wide + 2), y, wide, SPHINX_HIGH)
            yield from pieces.sphinx_card(card, place, lang, scoring.sphinx_card_points(s, p, card) > 0)
        box = Box(box.x, box.y, box.w, box.h - SPHINX_HIGH - 3)
    found = chips_of(s, p, len(cards), step == Step.ATTACH, spent, lang)
    for wide in CHIP_WIDTHS:
        per_row = int((box.w + 2) // (wide + 2))
        rows = -(-len(found) // per_row)
        if rows * (wide * CHIP + 2) <= box.h + 2:
            break
    for number, chip in enumerate(found):
        row, column = divmod(number, per_row)
        place = Box(box.x + column * (wide + 2), box.y + row * (wide * CHIP + 2), wide, wide * CHIP)
        sprites = list(chip(place))
        if sprites[0].id in usable:
            yield place.inside(-2).sprite(f"chosen-{sprites[0].id}", "chosen")
        yield from sprites


# --- Standing and markets -----------------------------------------------------------------------------------------


@group
def standing(s: State, lang: str, box: Box) -> Iterator[Sprite]:
    """Who is ahead: more points first, of equals who came there earlier."""
    yield box.sprite("standing", "panel", WORDS.say("scene.standing_alt", lang))
    title = WORDS.say("scene.standing", lang)
    yield label("standing-name", title, box.x + 8, box.y + 12, fitting(title, 12, box.w - 16, True), bold=True, align="start")
    step = (box.w - 8) / s.players
    order = places(s)
    for place, p in enumerate(sorted(range(s.players), key=lambda seat: order[seat])):
        x = box.x + 4 + step * place
        alt = WORDS.say("scene.rank", lang, n=place + 1, who=names.seat_name(p, lang), points=names.points_text(s.vp[p], lang))
        yield pieces.emblem(f"rank-{p}", p, x + 13, box.bottom - 19, 22, alt)
        size = fitting(str(s.vp[p]), 16, step - 27, True)
        yield label(f"rank-n-{p}", str(s.vp[p]), x + 26, box.bottom - 19, size, bold=True, align="start")


@group
def orders(s: State, lang: str, box: Box) -> Iterator[Sprite]:
    """The round and its phase, the turn order, and who is ahead: the points themselves are listed beside the drawing."""
    yield box.sprite("standing", "panel", WORDS.say("scene.standing_alt", lang))
    phase = WORDS.say(f"scene.phase.{Phase(s.phase).name.lower()}", lang)
    title = (
        WORDS.say("scene.round", lang, round=s.round, rounds=components.ROUNDS, phase=phase) if s.round else names.capital(phase)
    )
    yield label("round", title, box.x + 8, box.y + 12, fitting(title, 13, box.w - 16, True), bold=True, align="start")
    order = places(s)
    ahead = sorted(range(s.players), key=lambda seat: order[seat])
    rows = (("order", s.order[: s.players] if s.round else []), ("rank", ahead))
    for row, (name, seats) in enumerate(rows):
        left = box.x + 8 + row * box.w / 2
        text = WORDS.say(f"scene.{'turn_order_short' if name == 'order' else 'standing'}", lang)
        yield label(f"{name}-name", text, left, box.y + 29, 11, align="start")
        for place, p in enumerate(seats):
            who = names.seat_name(p, lang)
            words = {"points": names.points_text(s.vp[p], lang)} if name == "rank" else {}
            alt = WORDS.say(f"scene.{name}", lang, n=place + 1, who=who, **words)
            yield pieces.emblem(f"{name}-{p}", p, left + 10 + 22 * place, box.bottom - 14, 20, alt)


def markets(s: State, actions: tuple[int, ...], lang: str, plan: Plan) -> Iterator[Sprite]:
    """Grain and stone market, from the bottom up."""
    box = plan.markets
    wide = (box.w - 4) / len(components.MARKETS)
    for market in range(len(components.MARKETS)):
        place = Box(box.x + market * (wide + 4), box.y, wide, box.h)
        yield from one_market(s, market, Action.MARKET + market in actions, lang, place)


@group
def one_market(s: State, market: int, is_open: bool, lang: str, box: Box) -> Iterator[Sprite]:
    """A market: its name, what a step beyond its top brings, and its spaces."""
    name = names.capital(names.market_name(market, lang))
    yield box.sprite(f"market-ground-{market}", "monument")
    head = Box(box.x + 3, box.y + 3, box.w - 6, 26)
    alt = WORDS.say(f"scene.market.{components.MARKETS[market]}", lang)
    if is_open:
        yield button(f"market-{market}", name, head, alt, size=13)
    else:
        sprite = head.sprite(f"market-{market}", "bubble", alt)
        sprite.text, sprite.size, sprite.bold = name, fitting(name, 13, head.w - 8, True), True
        yield sprite
    top = components.GRAIN_SPACES if market == Market.GRAIN else tracks.stone_top(s)
    beyond = WORDS.say(
        f"scene.beyond.{components.MARKETS[market]}",
        lang,
        n=components.GRAIN_BEYOND if market == Market.GRAIN else components.STONE_BEYOND,
    )
    yield label(f"beyond-{market}", beyond, box.mid_x, box.y + 37, fitting(beyond, 12, box.w - 8))
    high = (box.h - 48) / top
    for space in range(1, top + 1):
        yield from market_space(s, market, space, lang, Box(box.x + 3, box.bottom - 3 - high * space, box.w - 6, high - 1))


@group
def market_space(s: State, market: int, space: int, lang: str, box: Box) -> Iterator[Sprite]:
    """A space of a market: what it means, and who stands there."""
    yield box.sprite(f"market-space-{market}-{space}", "sheet", space_alt(s, market, space, lang))
    x = box.x + 3
    for number, (icon, text) in enumerate(space_items(s, market, space)):
        if icon:
            yield Sprite(f"market-icon-{market}-{space}-{number}", icon, x + 6.5, box.mid_y, 13, 13)
            x += 14
        yield label(f"market-text-{market}-{space}-{number}", text, x, box.mid_y, 12, align="start", bold=True)
        x += 3 + 6.2 * len(text)
    here = [p for p in range(s.players) if s.market[p][market] == space]
    size = min(box.h - 2, 20.0 if box.w > 150 else 17.0)
    step = min(size + 1, (box.right - x - size - 3) / max(1, len(here) - 1))
    for number, p in enumerate(reversed(here)):
        yield pieces.emblem(
            f"market-{market}-{p}", p, box.right - 2 - size / 2 - number * step, box.mid_y, size, names.seat_name(p, lang)
        )


def space_items(s: State, market: int, space: int) -> list[Item]:
    """What a market space means: VP lost for a missing grain, grain for a point; stones on entering, stones for a point."""
    if market == Market.GRAIN:
        return [
            ("", f"-{components.GRAIN_LOSS[space - 1]}"),
            *([("grain", f"{components.GRAIN_GROUP}:1")] if components.GRAIN_SALE[space - 1] else []),
        ]
    stones, at_end = (
        components.STONE_ENTERING[s.stone_market_spaces][space - 1],
        components.STONE_END[s.stone_market_spaces][space - 1],
    )
    return [*([("stone", f"+{stones}")] if stones else []), *([("vp", f"{components.STONE_GROUP}:1")] if at_end else [])]


def space_alt(s: State, market: int, space: int, lang: str) -> str:
    """A market space in words."""
    if market == Market.GRAIN:
        key = "grain_sale" if components.GRAIN_SALE[space - 1] else "grain_space"
        return WORDS.say(
            f"scene.{key}",
            lang,
            n=space,
            points=names.points_text(components.GRAIN_LOSS[space - 1], lang),
            group=components.GRAIN_GROUP,
        )
    stones, at_end = (
        components.STONE_ENTERING[s.stone_market_spaces][space - 1],
        components.STONE_END[s.stone_market_spaces][space - 1],
    )
    key = "stone_end" if at_end else "stone_space"
    return WORDS.say(f"scene.{key}", lang, n=space, stones=names.stones_text(stones, lang), group=components.STONE_GROUP)
