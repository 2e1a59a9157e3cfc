"""The harbour, and the ships with their stones."""

from __future__ import annotations

from collections.abc import Iterator

from perankh.scene import Sprite, group, players_listed
from perankh.scene.layout import fitting, label, length

from ..rules import actions, ships
from ..rules.components import ROUNDS, SPACES
from ..rules.state import Berth, MarketReturn, State, Step, capacity
from ..text.names import SHIP_LETTERS, WORDS, seat_name, site_name
from ..text.sentences import sentence
from .layout import Plan
from .pieces import block
from .seats import flat_result, result


@group
def harbour(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The river where ships wait; at the end of the game the points by source lie there, unless they are listed elsewhere."""
    box = plan.harbour
    found = [box.sprite("harbour", "river" if plan.wide else "river-flat", WORDS.say("scene.harbour", lang))]
    if s.step == Step.OVER and not players_listed():
        inside = box.inside(8 if plan.wide else 3)
        return [*found, *(result(s, lang, inside) if plan.wide else flat_result(s, lang, inside))]
    if not plan.wide:
        return [*found, *round_tag(s, lang, plan)]
    text = WORDS.say("scene.harbour", lang)
    found.append(label("harbour-text", text, box.mid_x, box.y + 15, fitting(text, 14, box.w - 16, True), bold=True))
    return found


def round_tag(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The round, where no title bar says it."""
    if not players_listed():
        return []
    alt, text = (WORDS.say(f"scene.{key}", lang, round=s.round, rounds=ROUNDS) for key in ("round", "round_short"))
    box = plan.harbour
    return [Sprite("round", "bubble", box.right - 21, box.bottom - 11, 34, 16, text=text, size=11, bold=True, alt=alt)]


@group
def ship_sprites(s: State, choices: tuple[int, ...], ship: int, lang: str, plan: Plan) -> Iterator[Sprite]:
    """A ship with its spaces and stones, and whether it may sail; `choices` load a stone onto it."""
    if s.berth[ship] == Berth.GONE:
        return
    n = capacity(s, ship)
    x, y, scale = ship_place(s, ship, plan)
    wide = (72 + 36 * n) * scale
    waits = s.berth[ship] == Berth.WAITING
    ready = waits and ships.load_of(s, ship) >= ships.minimum(s, ship)
    if ready:
        state = WORDS.say("board.ready", lang)
    elif waits:
        state = WORDS.say("board.needs", lang, n=ships.minimum(s, ship))
    else:
        state = WORDS.say("board.docked", lang, site=site_name(s.berth[ship] - 1, lang))
    alt = WORDS.say("scene.ship", lang, ship=SHIP_LETTERS[ship], spaces=n, state=state)
    yield Sprite(f"ship-{ship}", f"ship-{n}", x + wide / 2, y + 29 * scale, wide, 58 * scale, alt=alt)
    for space in range(n):
        at = space_place(s, ship, space, plan)
        a = actions.LOAD + SPACES * ship + space
        if s.cargo[ship][space]:
            yield stone_on(s, ship, space, s.cargo[ship][space] - 1, plan, lang, 1 + SPACES + space)  # after those lined up
        elif a in choices:
            text = sentence(s, s.chooser, a, lang)
            yield Sprite(f"space-{ship}-{space}", "space", at[0], at[1], 33 * scale, 28 * scale, alt=text)
        else:
            yield Sprite(f"idle-{ship}-{space}", "space-idle", at[0], at[1], 33 * scale, 27 * scale)
    if ship == s.ship - 1:
        yield from unloading(s, ship, lang, plan)
    big = 20.0 if plan.wide and waits else 17.0 if plan.wide else 16.0
    tag_x, tag_y = x + 20 * scale, y + (48 if plan.wide and waits else 50) * scale
    if scale == plan.dock_scale and not plan.wide:
        tag_x, tag_y = x - 1, y + 9
        tag_x = max(tag_x, plan.docks[s.berth[ship] - 1].x + 8)
    yield Sprite(f"letter-{ship}", "tag", tag_x, tag_y, big, big, text=SHIP_LETTERS[ship], size=12 if big > 16 else 11, bold=True)
    if waits:
        text = WORDS.say("scene.ready" if ready else "scene.needs", lang, n=ships.minimum(s, ship))
        size = 13.0 if plan.wide else 11.0
        room = length(text, size, True) + 12
        left = x + 36 * scale if plan.wide else x + 32 * scale
        middle = y + 72 * scale if plan.wide else y + 50
        symbol = "bubble-ready" if ready else "bubble"
        high = 20.0 if plan.wide else 15.0
        yield Sprite(f"status-{ship}", symbol, left + room / 2, middle, room, high, text=text, size=size, bold=ready, alt=state)


def to_load(choices: list[int], ship: int) -> tuple[int, ...]:
    """Those of some choices that load a stone onto a ship."""
    first = actions.LOAD + SPACES * ship
    return tuple(a for a in choices if first <= a < first + SPACES)


def ship_place(s: State, ship: int, plan: Plan) -> tuple[float, float, float]:
    """The upper left corner of a ship, and its scale."""
    wide = 72 + 36 * capacity(s, ship)
    ordering = s.step == Step.LEVER_ORDER and ship == s.ship - 1 and not plan.wide  # large enough to point at its stones
    if s.berth[ship] == Berth.WAITING or ordering:
        box, scale = plan.moorings[ship], plan.scale
        return box.x + 6, box.y + 4, scale
    box, scale = plan.docks[s.berth[ship] - 1], plan.dock_scale
    down = 4.0 if plan.wide else 31.0
    return box.mid_x - wide * scale / 2, box.y + down, scale


def space_place(s: State, ship: int, space: int, plan: Plan) -> tuple[float, float, float]:
    """The middle of a space of a ship, and the scale."""
    x, y, scale = ship_place(s, ship, plan)
    return x + (64 + 36 * space) * scale, y + 21 * scale, scale


def stone_on(s: State, ship: int, space: int, p: int, plan: Plan, lang: str, order: int) -> Sprite:
    """A stone on a ship."""
    x, y, scale = space_place(s, ship, space, plan)
    alt = WORDS.say("scene.aboard", lang, who=seat_name(p, lang), ship=SHIP_LETTERS[ship], space=space + 1)
    return aboard(block(f"stone-{ship}-{space}", p, x, y - 2 * scale, 32 * scale, order, alt), ship)


def aboard(stone: Sprite, ship: int) -> Sprite:
    """A stone that sails with a ship."""
    stone.on = f"ship-{ship}"
    return stone


def unloading(s: State, ship: int, lang: str, plan: Plan) -> Iterator[Sprite]:
    """Stones that have been lined up to leave a ship: those still to come; at the market the served ones faintly."""
    free = [space for space in range(SPACES) if s.cargo[ship][space] == 0]
    for i in range(SPACES):
        if not s.queue[i]:
            return
        p = s.queue[i] - 1
        if s.step == Step.LEVER_ORDER:
            x, y, scale = space_place(s, ship, free[i], plan)
            alt = WORDS.say("scene.next", lang, who=seat_name(p, lang), n=i + 1)
            lined_up = aboard(block(f"next-{i}", p, x, y, 30 * scale, 1 + i, alt), ship)
            lined_up.dim = True
            yield lined_up
            yield label(f"next-text-{i}", str(i + 1), x, y - 2, 12, bold=True)
        elif i >= s.served or (ships.at_market(s) and s.market_return != MarketReturn.PER_STONE):
            waiting = stone_on(s, ship, i, p, plan, lang, 1 + i)
            waiting.dim = i < s.served
            yield waiting
