"""The tray of the drawn table of Egizia: what a build or a meal comes to, buttons, Sphinx cards to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from perankh.engine.api import masks
from perankh.scene import Sprite, group, players_listed
from perankh.scene.layout import Box, button, fitting, in_rows, label, wrapped

from ..rules import feeding, sphinx
from ..rules.components import GRAIN_GROUP, GRAIN_LOSS, RETURNED_VP, SPHINX_CARDS, Market
from ..rules.state import Action, State, Step
from ..text import names, sentences
from ..text.names import WORDS
from . import clicks, pieces
from .layout import Plan

HINTS = (Step.GRAIN, Step.FEED, Step.BUILD, Step.BASIC, Step.SPACE, Step.NUMBER)  # steps that are explained in the wide tray
FEW = 8  # choices of a number up to which buttons say what they bring
KEY, KEY_BELOW = 144.0, 54.0  # height of the key of marks, and of what may stand above it
TIMINGS = ("immediate", "anytime", "permanent", "end")

# --- What is in it ------------------------------------------------------------------------------------------------


def sums(s: State, lang: str) -> list[tuple[str, str]]:
    """What a build or a meal comes to so far, as icons and texts."""
    p = s.chooser
    stones = ("stone", WORDS.say("scene.sum.stones", lang, n=s.stones[p]))
    if s.step == Step.BUILD:
        return [stones]
    if Step.BASIC <= s.step <= Step.POWER:
        return [("power", WORDS.say("scene.sum.power", lang, n=s.power)), stones] if s.power else [stones]
    if s.step == Step.SPACE:
        return [
            ("stone", WORDS.say("scene.sum.left", lang, n=s.budget)),
            ("brick", WORDS.say("scene.sum.bricks", lang, n=s.bricks)),
        ]
    if s.step == Step.NUMBER:
        return [("stone", WORDS.say("scene.sum.left", lang, n=s.budget))]
    if s.step in (Step.GRAIN, Step.FEED, Step.SELL):
        return [("grain", WORDS.say("scene.sum.harvest", lang, n=s.harvest, need=feeding.need(s, p))), balance(s, p, lang)]
    return []


def balance(s: State, p: int, lang: str) -> tuple[str, str]:
    """Grain left over, or what the missing grain would cost."""
    missing = feeding.need(s, p) - s.harvest
    if missing <= 0:
        return "grain", WORDS.say("scene.sum.surplus", lang, n=-missing)
    loss = missing * GRAIN_LOSS[s.market[p][Market.GRAIN] - 1]
    return "vp", WORDS.say("scene.sum.missing", lang, n=missing, points=names.points_text(loss, lang))


def choice_cards(s: State, viewer: int, actions: tuple[int, ...]) -> list[int]:
    """The Sphinx cards among which the viewer chooses, or which the viewer has drawn."""
    if (
        s.step == Step.KEEP_MORE
        and viewer == s.chooser
        and s.draw_by[max(0, s.draws - 1)] == 1 + viewer
        and s.draw_keeps[s.draws - 1]
    ):
        left = sphinx.cards_left(s)
        return [card for card in range(SPHINX_CARDS) if masks.has(left, card)]
    return [a - Action.SPHINX for a in actions if Action.SPHINX <= a < Action.FEED]


def button_text(s: State, a: int, few: bool, lang: str) -> str:
    """What is written on a button."""
    if a == Action.NONE:
        return WORDS.say(f"scene.none.{names.step_key(s)}", lang)
    if a in clicks.BUTTONS:
        return WORDS.say(f"scene.do.{clicks.BUTTONS[a]}", lang)
    if a >= Action.NUMBER:
        return WORDS.say("scene.do.draw", lang, n=a - Action.NUMBER + 1) if few else str(a - Action.NUMBER + 1)
    if a >= Action.SELL:
        return (
            WORDS.say("scene.do.sell", lang, grain=(a - Action.SELL) * GRAIN_GROUP, n=a - Action.SELL)
            if few
            else str(a - Action.SELL)
        )
    if not few:
        return str(a - Action.FEED)
    p = s.chooser
    left = max(0, s.shortage - (a - Action.FEED) * feeding.grain_of_stone(s, p))
    return WORDS.say("scene.do.feed", lang, n=a - Action.FEED, loss=left * GRAIN_LOSS[s.market[p][Market.GRAIN] - 1])


# --- Drawing ------------------------------------------------------------------------------------------------------


def tall_tray(s: State, viewer: int, actions: tuple[int, ...]) -> float:
    """How high the tray must be in the tall shape."""
    if s.step == Step.OVER:
        return 0.0 if players_listed() else 190.0  # the points by source
    buttons = sum(map(clicks.is_button, actions)) + len(clicks.closed_buttons(s, actions) if actions else ())
    cards = choice_cards(s, viewer, actions)
    high = 30.0 if sums(s, "en") else 0.0
    if cards:
        high += 112.0
    if buttons:
        high += 44.0 * -(-buttons // tall_columns(buttons)) + 2
    return high


def tall_columns(buttons: int) -> int:
    """Buttons in a row of the tall tray."""
    return max(1, min(buttons, 2 if buttons <= 4 else 3 if buttons <= FEW else 9))


def wide_columns(buttons: int) -> int:
    """Buttons in a row of the wide tray."""
    return 1 if buttons <= 3 else 2 if buttons <= FEW else 7


def tray(s: State, viewer: int, actions: tuple[int, ...], lang: str, plan: Plan) -> tuple[Sprite, ...]:
    """Sums, Sphinx cards, buttons; in the wide shape, where there is room, a word on the step or what the marks mean."""
    if s.step == Step.OVER and not (plan.wide and players_listed()):
        return ()
    shut = clicks.closed_buttons(s, actions) if actions else ()
    buttons, cards = tuple(sorted([*filter(clicks.is_button, actions), *shut])), tuple(choice_cards(s, viewer, actions))
    step = s.step if s.step in HINTS else Step.START  # others make no difference
    lines = tuple(sums(s, lang))
    return filled_tray(s, viewer if buttons else -1, buttons, tuple(shut), cards, lines, step, lang, plan.tray, plan.wide)


@group
def filled_tray(
    s: State,
    viewer: int,
    buttons: tuple[int, ...],
    shut: tuple[int, ...],
    cards: tuple[int, ...],
    lines: tuple[tuple[str, str], ...],
    step: int,
    lang: str,
    box: Box,
    wide: bool,
) -> Iterator[Sprite]:
    """A tray with some buttons, cards and lines."""
    if wide:
        yield box.sprite("tray", "panel-active" if buttons or cards else "panel")
        used = 24.0 * len(lines) + (50 if buttons else 6)
        if not cards and len(buttons) < 2 and used <= KEY_BELOW and step not in HINTS:
            yield from key(lang, Box(box.x, box.bottom - KEY - (0 if buttons or lines else 26), box.w, KEY))
            box = Box(box.x, box.y, box.w, used + 4)
        box = box.inside(6)
    yield from sum_lines(lines, wide, box)
    if lines:
        used = 24.0 * len(lines) + 4 if wide else 30.0
        box = Box(box.x, box.y + used, box.w, box.h - used)
    per_row = (wide_columns if wide else tall_columns)(len(buttons))
    high = 46.0 * -(-len(buttons) // per_row)
    if cards:
        room = box.h - high + 2
        yield from card_row(cards, Box(box.x, box.y, box.w, room), lang)
        box = Box(box.x, box.y + room, box.w, box.h - room)
    foot = box
    if lines and wide:
        box = Box(box.x, box.y, box.w, min(box.h, high))
    yield from button_rows(s, viewer, buttons, shut, per_row, box, lang)
    if wide and step in HINTS:
        yield from hint(s, lang, Box(box.x + 4, box.bottom, box.w - 8, foot.bottom - box.bottom))


def sum_lines(lines: tuple[tuple[str, str], ...], wide: bool, box: Box) -> Iterator[Sprite]:
    """Sums below each other in the wide shape, beside each other in the tall one."""
    for number, (icon, text) in enumerate(lines):
        room = box.w if wide else box.w / len(lines)
        x, y = (box.x, box.y + 12 + 24 * number) if wide else (box.x + 4 + room * number, box.y + 14)
        yield Sprite(f"sum-{number}", icon, x + 12, y, 24, 24)
        yield label(f"sum-text-{number}", text, x + 28, y, fitting(text, 15, room - 32, True), bold=True, align="start")


def hint(s: State, lang: str, box: Box) -> Iterator[Sprite]:
    """A word on what is chosen at this step, if it fits into a box, from its top down."""
    text = WORDS.say(f"scene.hint.{names.step_key(s)}", lang, points=names.points_text(RETURNED_VP, lang))
    lines = wrapped(text, 12.5, box.w, lang)
    if 17 * len(lines) + 6 <= box.h:
        for number, line in enumerate(lines):
            yield label(f"hint-{number}", line, box.x, box.y + 14 + 17 * number, 13, align="start")


def card_row(cards: tuple[int, ...], box: Box, lang: str) -> Iterator[Sprite]:
    """Sphinx cards to choose from: beside each other, or below each other where that would be narrow."""
    per_row = len(cards) if len(cards) <= 3 or box.w > 300 else 1
    rows = -(-len(cards) // per_row)
    size = (box.w if per_row == 1 < rows else min(104.0, box.w / per_row - 4), min(124.0, box.h / rows - 2))
    for card, place in zip(cards, in_rows(box, len(cards), per_row, size, (4, 2)), strict=True):
        yield from pieces.sphinx_card(card, place, lang)


def button_rows(
    s: State, p: int, buttons: tuple[int, ...], shut: tuple[int, ...], per_row: int, box: Box, lang: str
) -> Iterator[Sprite]:
    """Buttons in rows; many numbers in small ones; greyed ones that cannot be chosen."""
    if not buttons:
        return
    rows = -(-len(buttons) // per_row)
    size = (min(190.0, box.w / per_row - 4), min(42.0, box.h / rows - 3))
    for a, place in zip(buttons, in_rows(box, len(buttons), per_row, size, (4, 3)), strict=True):
        text = button_text(s, a, len(buttons) <= FEW, lang)
        alt = text if a in shut else sentences.sentence(s, p, a, lang)
        yield replace(button(clicks.button_id(a), text, place, alt, size=15), dim=a in shut)


@lru_cache
def key(lang: str, box: Box) -> tuple[Sprite, ...]:
    """What the marks of cards and fields mean."""
    found: list[Sprite] = []
    marks = [(f"timing-{name}", f"scene.key.{name}", 19.0) for name in TIMINGS]
    marks += [("waves-2", "scene.key.waves", 24.0), ("vp", "scene.key.vp", 21.0)]
    for number, (icon, word, big) in enumerate(marks):
        y = box.y + 12 + 23.2 * number
        text = WORDS.say(word, lang)
        found.append(Sprite(f"key-{number}", icon, box.x + 21, y, big, big))
        found.append(label(f"key-text-{number}", text, box.x + 38, y, fitting(text, 13, box.w - 46), align="start"))
    return tuple(found)
