"""What one clicks: buttons, sites and tiles."""

from __future__ import annotations

from dataclasses import replace

from perankh.engine.api import masks
from perankh.scene import Sprite
from perankh.scene.layout import Box, fitting, icon_button, in_rows, length

from ..rules import actions, rescue, rescuer_actions, tile_actions, tiles
from ..rules.state import ACTIONS, CELLS, Action, Mode, State, Step
from ..text.names import actor, say, seat_name
from ..text.sentences import sentence
from .layout import SEAT_COLOURS, Plan

ACTION_STEPS = (Step.ACTION1, Step.ACTION2, Step.EXTRA)
TURN_ACTIONS = (Action.SCOUT, Action.SEARCH, Action.SWAP, Action.DISPATCH, Action.TEAM_UP, Action.RESCUE, Action.HERD)
HARD_ACTIONS = (Action.SWAP, Action.HERD)
SITE_STEPS = (Step.SETUP_CELL, Step.SCOUT_CELL, Step.SEARCH_CELL)


def open_actions(s: State, p: int) -> list[int]:
    """What p may choose now."""
    if s.over or p != actor(s):
        return []
    out = [0] * ACTIONS
    return out[: actions.legal(s, p, out)]


def shown_actions(s: State, viewer: int) -> list[int]:
    """The choices that are marked for a viewer: the own ones; a spectator sees those of whoever decides."""
    return [] if s.over else open_actions(s, actor(s) if viewer < 0 else viewer)


def button_id(a: int) -> str:
    """The id of the button of an action that is no cell."""
    return f"do-owner-{a - Action.OWNER}" if a >= Action.OWNER else f"do-{Action(a).name.lower()}"


def button_text(a: int, lang: str) -> str:
    """What is written on a button."""
    return seat_name(a - Action.OWNER, lang) if a >= Action.OWNER else say(f"button.{Action(a).name.lower()}", lang)


def closed(s: State, p: int) -> dict[str, int]:
    """The actions of a turn that are not possible now; their buttons are greyed."""
    if s.over or p != actor(s) or s.step not in ACTION_STEPS:
        return {}
    known = [a for a in TURN_ACTIONS if s.mode == Mode.HARD or a not in HARD_ACTIONS]
    offered = open_actions(s, p)
    return {button_id(a): a for a in known if a not in offered}


def buttons(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The choices that are not made on the layout."""
    shut = list(closed(s, viewer).values())
    offered = sorted([a for a in shown_actions(s, viewer) if a >= CELLS] + shut)
    if not offered:
        return key(lang, plan)
    box, p = plan.buttons, actor(s)
    n = len(offered)
    rows = 1 if plan.wide or n <= 3 else 2
    per_row = -(-n // rows)
    gap = 6.0 if plan.wide else 4.0
    wide = min(152.0 if plan.wide else 148.0, (box.w - gap * (per_row - 1)) / per_row)
    high = 50.0 if plan.wide else 48.0
    icon = 30.0 if wide > 100 else 24.0
    size = min(fitting(button_text(a, lang), 17.0, wide - icon - 22, True) for a in offered)
    found = []
    room = Box(box.x, box.y + 2, box.w, rows * (high + 2) - 2)
    for a, place in zip(offered, in_rows(room, n, per_row, (wide, high), (gap, 2)), strict=True):
        symbol = f"emblem-{a - Action.OWNER}" if a >= Action.OWNER else button_id(a)
        colour = SEAT_COLOURS[a - Action.OWNER] if a >= Action.OWNER else ""
        alt = button_text(a, lang) if a in shut else sentence(s, p, a, lang)
        button = icon_button(button_id(a), button_text(a, lang), place, alt, symbol, size=size, big=icon, colour=colour)
        found += [replace(sprite, dim=True) for sprite in button] if a in shut else button
    return found


def key(lang: str, plan: Plan) -> list[Sprite]:
    """What the marks mean, where the buttons would be."""
    box = plan.buttons
    marks = {"badge-fresh": "fresh", "badge-scoring": "scoring", "badge-chosen": "chosen", "first": "first"}
    texts = [say(f"scene.{name}", lang) for name in marks.values()]
    size, big = (13.0, 22.0) if plan.wide else (12.0, 20.0)
    found = []
    x = box.mid_x - (sum(length(text, size) + big + 30 for text in texts) - 30) / 2
    for number, (symbol, text) in enumerate(zip(marks, texts, strict=True)):
        y = box.mid_y
        if not plan.wide:
            x, y = box.x + 16 + number % 2 * 210, box.y + 30 + number // 2 * 38
        found.append(Sprite(f"key-{number}", symbol, x + big / 2, y, big, big))
        found.append(Sprite(f"key-text-{number}", x=x + big + 6, y=y, text=text, size=size, align="start"))
        x += length(text, size) + big + 30
    return found


def paths(s: State, p: int) -> dict[int, tuple[str, ...]]:
    """What p clicks for each choice: a site, a tile or a button."""
    found: dict[int, tuple[str, ...]] = {}
    for a in open_actions(s, p):
        if a >= CELLS:
            found[a] = (button_id(a),)
        elif s.step in SITE_STEPS:
            found[a] = (f"site-{a}",)
        else:
            found[a] = (f"tile-{masks.first(tiles.tile_on(s, a))}",)
    return found


def aliases(s: State, p: int) -> dict[str, list[tuple[str, ...]]]:
    """In place of a button: the deck, and the tiles with which an action can go on; they are chosen at once then."""
    offered = open_actions(s, p)
    if not offered or s.step not in ACTION_STEPS:
        return {}
    found: dict[str, list[tuple[str, ...]]] = {"deck": [(button_id(Action.SCOUT),)]} if Action.SCOUT in offered else {}
    first = {
        Action.RESCUE: rescue.scorable(s, p),
        Action.HERD: rescuer_actions.herd_origins(s, p),
        Action.TEAM_UP: rescuer_actions.team_tiles(s, p),
        Action.SEARCH: tile_actions.movable(s),
        Action.SWAP: tile_actions.swap_owns(s, p),
    }
    for t in range(s.laid):
        name = f"tile-{t}"
        ways: list[tuple[str, ...]] = [(button_id(a), name) for a, among in first.items() if a in offered and among >> t & 1]
        if Action.DISPATCH in offered and rescuer_actions.dispatch_tile(s, p) >> t & 1:
            ways.append((button_id(Action.DISPATCH),))
        if ways:
            found[name] = ways
    return found


BUTTONS = {button_id(a): a for a in TURN_ACTIONS}


def meant(s: State, p: int, path: tuple[str, ...]) -> int:
    """The deck means Scout; a tile means itself, or the action that one begins on a tile like it."""
    kind, _, rest = path[-1].partition("-")
    if path[-1] == "deck":
        return Action.SCOUT
    if path[-1] in BUTTONS:
        return BUTTONS[path[-1]]
    if kind != "tile" or int(rest) >= s.laid:
        return -1
    if s.step in ACTION_STEPS:
        wanted = Action.RESCUE if s.rescuers[p] >> int(rest) & 1 else Action.TEAM_UP
        if wanted not in open_actions(s, p):
            return wanted
    return s.cell[int(rest)]
