"""The players: what each is doing, banked cards, and the hand that everybody knows of."""

from __future__ import annotations

from perankh.engine.api import sets
from perankh.engine.text import listed
from perankh.scene import Sprite, group, players_listed
from perankh.scene.layout import length, name_label

from ..rules import scoring
from ..rules.components import CARD_KIND, EYE, KINDS
from ..rules.state import Answer, RuleSet, State, Step
from ..text.board import known_hand, notes
from ..text.names import WORDS, bid_name, points_name, seat_name
from ..text.prompts import waited_for
from . import market
from .layout import BID_SHAPE, MINI_SHAPE, SEAT_COLOURS, Plan


def status(s: State, p: int) -> str:
    """The symbol of what a seat is doing, or nothing."""
    waiting = p in waited_for(s)
    if s.step == Step.OVER:
        return "drop" if s.spiller == p else ""
    if waiting:
        return "thinking"
    if s.step == Step.BID or (s.step == Step.HANDS and p != s.thrower):
        return "answered"
    if s.step != Step.HANDS and sets.has(s.answered, p) and s.answer[p] and p != s.thrower:
        return "hand-up" if s.answer[p] >= Answer.RAISE else "hand-down"
    return ""


def status_alt(p: int, symbol: str, lang: str) -> str:
    """The same in words."""
    keys = {"drop": "board.lost", "thinking": "scene.thinking", "answered": "board.answered"}
    if symbol in keys:
        return WORDS.say(keys[symbol], lang)
    return WORDS.say("log.raise" if symbol == "hand-up" else "log.stay", lang, who=seat_name(p, lang))


def seat(s: State, p: int, viewer: int, lang: str, plan: Plan) -> tuple[Sprite, ...]:
    """A seat: name, points, what it is doing, its banked cards by kind, and the hand that everybody knows of."""
    if s.rules == RuleSet.CLASSIC:
        return head(s, p, viewer, lang, plan)
    return (*head(s, p, viewer, lang, plan), *banked(s, p, p == viewer, lang, plan), *hand_known(s, p, p == viewer, lang, plan))


@group
def head(s: State, p: int, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The name of a seat, its points and what it is doing."""
    box = plan.seats[p]
    active = p in waited_for(s) or (s.step == Step.HANDS and s.thrower == p)
    alt = f"{seat_name(p, lang)}: {points_name(scoring.points(s, p), lang)}"
    if s.real_vessel and s.step != Step.OVER:
        alt = f"{alt} ({WORDS.say('do.accident', lang, who=seat_name(p, lang))})"
    found = [box.sprite(f"seat-{p}", "panel-active" if active else "panel", alt)]
    big, name = (32.0, 18.0) if plan.wide else (24.0, 14.0)
    top = box.y + (24 if plan.wide else 17)
    if s.rules == RuleSet.CLASSIC:
        top = box.mid_y - 2
    left = box.x + 8 + big
    found.append(Sprite(f"emblem-seat-{p}", f"emblem-{p}", box.x + 6 + big / 2, top, big, big, colour=SEAT_COLOURS[p]))
    texts = notes(s, p, viewer, lang)
    if s.step == Step.HANDS and s.thrower == p:
        texts[-1] = WORDS.say("scene.passes", lang)
    shown = {WORDS.say("board.answered", lang), WORDS.say("board.lost", lang)}  # told by the symbol beside
    said = listed([text for text in texts if text not in shown], lang)
    lift = name * 0.5 if said else 0
    small = 12.5 if plan.wide else 11.0
    if said:
        found.append(Sprite(f"said-{p}", x=left + 5, y=top + name * 0.5, text=said, size=small, align="start"))
    right = box.x + box.w - 8
    symbol = status(s, p)
    if s.rules == RuleSet.ADVANCED and not players_listed():
        n = scoring.points(s, p)
        text = WORDS.say("scene.point" if n == 1 else "scene.points", lang, n=n)
        size = 20.0 if plan.wide else 15.0
        found.append(Sprite(f"points-{p}", x=right, y=top - lift * 0.2, text=text, size=size, bold=True, align="end"))
        right -= length(text, size, True) + 6
    if symbol:
        size = 26.0 if plan.wide else 20.0
        if s.rules == RuleSet.CLASSIC and plan.wide:
            size = 38.0
        found.append(
            Sprite(f"status-{p}", symbol, right - size / 2, top - lift * 0.2, size, size, alt=status_alt(p, symbol, lang))
        )
        right -= size + 3
    found.append(name_label(f"name-{p}", seat_name(p, lang), left + 5, top - lift, name, right - left - 5))
    return found


def heights(p: int, mine: bool, plan: Plan) -> tuple[float, float]:
    """The heights of banked cards and of hand cards in a panel."""
    box = plan.seats[p]
    if not plan.wide:
        return 36.0, 27.0
    room = box.h - 56
    return (min(50.0, room), 0) if mine else (min(48.0, room * 0.54), min(40.0, room * 0.44))


@group
def banked(s: State, p: int, mine: bool, lang: str, plan: Plan) -> list[Sprite]:
    """The banked cards of a seat by kind, and the sets among them."""
    box = plan.seats[p]
    high, _ = heights(p, mine, plan)
    wide = high * MINI_SHAPE
    y = box.y + (48 if plan.wide else 33) + high / 2
    room = (box.w - 16 - (44 if plan.wide else 36)) / len(KINDS)
    found = []
    for kind in range(len(KINDS)):
        cards = [card for card in sets.members(s.banked[p]) if CARD_KIND[card] == kind]
        x = box.x + 8 + kind * room + wide / 2
        if not cards:
            found.append(Sprite(f"none-{p}-{kind}", f"token-{KINDS[kind]}", x, y, wide * 0.8, wide * 0.8, dim=True))
        step = min(wide + 2, (room - wide - 3) / max(1, len(cards) - 1))
        for n, card in enumerate(cards):
            sprite = market.card_sprite(card, x + n * step, y, high, lang, small=True)
            sprite.width = wide
            sprite.alt = WORDS.say("scene.banked", lang, who=seat_name(p, lang), card=sprite.alt)
            found.append(sprite)
    size = 40.0 if plan.wide else 32.0
    x = box.x + box.w - 6 - size / 2
    alt = f"{WORDS.say('board.sets', lang)}: {scoring.complete_sets(s, p)}"
    found.append(Sprite(f"sets-{p}", "sets", x, y - high * 0.2, size, size * 24 / 44, alt=alt))
    found.append(
        Sprite(
            f"sets-count-{p}",
            x=x,
            y=y + high * 0.26,
            text=f"× {scoring.complete_sets(s, p)}",
            size=14 if plan.wide else 11.5,
            bold=True,
        )
    )
    return found


@group
def hand_known(s: State, p: int, mine: bool, lang: str, plan: Plan) -> list[Sprite]:
    """The hand of another seat; faint while some of its cards lie sealed, as nobody knows which."""
    if mine:
        return []
    box = plan.seats[p]
    _, high = heights(p, mine, plan)
    wide = high * BID_SHAPE
    y = box.y + box.h - high / 2 - 5
    found = []
    for n, card in enumerate(known_hand(s, p)):
        alt = WORDS.say("scene.in_hand", lang, who=seat_name(p, lang), card=bid_name(card, lang))
        name = "eye" if card == EYE else f"hand-{p}-{card}"
        sprite = market.bid_sprite(name, p, card, box.x + 10 + wide / 2 + n * (wide + 4), y, high, alt)
        sprite.dim = s.fixed[p] > s.face_up
        found.append(sprite)
    return found
