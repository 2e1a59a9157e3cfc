"""The drawn table of Maqha.

Everything is drawn from a veiled state: the dome from its last reading (MAQ-G15).
"""

from __future__ import annotations

from dataclasses import replace

from perankh.engine.api import sets
from perankh.engine.text import listed
from perankh.scene import SHAPES, Scene, Sprite, group, players_listed
from perankh.scene.layout import Box, fitting, icon_button, paragraph, title_bar

from ..rules import rounds, scoring
from ..rules.actions import RAISE, SINGLE
from ..rules.components import CARD_KIND, CARD_POINTS, CARDS, KINDS, LAST_LOT_TIMES, SET_BONUS
from ..rules.state import RuleSet, State, Step
from ..text import names, prompts
from ..text.board import ROUNDS, vessel_name
from ..text.names import WORDS
from ..text.sentences import sentence
from . import market, seats, vessel
from .clicks import button_name, closed
from .layout import BUTTONS, ICONS, SEAT_COLOURS, Plan, open_actions, plan_of


def scene(s: State, viewer: int, lang: str, shape: str) -> Scene:
    """The table as a viewer sees it, in a language and a shape."""
    plan = plan_of(s, viewer, shape)
    sprites = [*([] if players_listed() else bar(s, viewer, lang, plan)), *vessel.vessel(s, viewer, lang, plan)]
    if s.rules == RuleSet.ADVANCED:
        sprites += market.ground(s, lang, plan)
    for p in range(s.players):
        sprites += seats.seat(s, p, viewer, lang, plan)
    sprites += vessel.supply(s, viewer, lang, plan)
    if s.rules == RuleSet.ADVANCED:
        sprites += [*market.lots(s, lang, plan), *market.bids(s, viewer, lang, plan), *market.hand(s, viewer, lang, plan)]
        sprites += market.mask(s, lang, sprites)
    sprites += buttons(s, viewer, lang, plan)
    return Scene(SHAPES[shape], plan.height, sprites, f"{WORDS.say('game.name', lang)}: {headline(s, viewer, lang)}")


def headline(s: State, viewer: int, lang: str) -> str:
    """Who has to decide (the page asks what), or who has won."""
    if s.step == Step.OVER:
        return prompts.why_over(s, lang) + ("" if lang == "ja" else " ") + prompts.result_of(s, lang)
    waiting = prompts.waited_for(s)
    if viewer in waiting:
        return WORDS.say("scene.yours", lang)
    return WORDS.say("board.waiting", lang, who=listed([names.seat_name(p, lang) for p in waiting], lang))


@group
def bar(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """Who decides what, and how far the game is."""
    waiting = prompts.waited_for(s)
    seats = {p: SEAT_COLOURS[p] for p in ([viewer] if viewer in waiting else waiting)}
    info = ""
    if plan.wide and s.rules == RuleSet.CLASSIC:
        info = f"{WORDS.say('option.rules.classic', lang)} · {vessel_name(s, lang)}"
    elif plan.wide:
        info = WORDS.say("scene.round", lang, round=rounds.number_of(s), rounds=ROUNDS)
        info = f"{vessel_name(s, lang)} · {info}"
    return title_bar(plan.bar, headline(s, viewer, lang), lang, seats=seats, info=info)


# --- Buttons ---------------------------------------------------------------------------------------------------


def button_actions(s: State, viewer: int) -> list[int]:
    """The choices that need a button."""
    return [a for a in open_actions(s, viewer) if a in BUTTONS or RAISE <= a < SINGLE]


@group
def buttons(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The choices without a piece of their own."""
    box = plan.buttons
    actions = button_actions(s, viewer)
    stamps = [a for a in actions if RAISE < a < SINGLE]
    single = sorted((a for a in actions if a not in stamps), key=lambda a: a != RAISE)
    big = [(f"do-{button_name(a)}", button_name(a), sentence(s, viewer, a, lang)) for a in single]
    shut = "do-pass" if "do-pass" in closed(s, viewer) else ""
    if shut:
        big.append((shut, "pass", WORDS.say("button.pass", lang)))
    if s.real_vessel and open_actions(s, viewer):
        big.append(("do-accident", "accident", WORDS.say("scene.accident", lang)))
    if not big:
        return reminder(s, viewer, lang, plan)
    found = []
    ruler = 0.0 if not stamps else 40.0 if plan.wide else 20.0
    for (name, key, alt), place in zip(
        big, button_places(len(big), Box(box.x, box.y, box.w, box.h - ruler), plan.wide), strict=True
    ):
        text = WORDS.say(f"button.{key}", lang)
        icon = min(30.0, place.h - 12)
        size = fitting(text, 16.0, place.w - icon - 24, True)
        button = icon_button(name, text, place, alt, ICONS.get(key, f"do-{key}"), size=size, big=icon)
        found += [replace(sprite, dim=True) for sprite in button] if name == shut else button
    return found + stamp_ruler(s, viewer, stamps, Box(box.x, box.y + box.h - ruler, box.w, ruler), lang)


def button_places(n: int, box: Box, below: bool) -> list[Box]:
    """Places for n buttons in a box, one below the other or side by side."""
    gap = 5.0
    if below:
        high = min(50.0, (box.h - gap * (n - 1)) / n)
        top = box.mid_y - (n * (high + gap) - gap) / 2
        return [Box(box.x, top + k * (high + gap), box.w, high) for k in range(n)]
    wide = min(190.0, (box.w - gap * (n - 1)) / n)
    left = box.mid_x - (n * (wide + gap) - gap) / 2
    return [Box(left + k * (wide + gap), box.y + 2, wide, min(50.0, box.h)) for k in range(n)]


def reminder(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """What there is room for where no button is."""
    if s.rules == RuleSet.CLASSIC or (viewer < 0 and not plan.wide):
        return []
    if plan.wide:
        return legend(lang, plan.buttons)
    return paragraph("reminder", WORDS.say("scene.rule", lang), plan.buttons, (13, 12, 11), lang, "middle")


def legend(lang: str, box: Box) -> list[Sprite]:
    """What some pieces mean, where the buttons would be."""
    found = []
    for number, (symbol, key) in enumerate((("mask", "mask"), ("marker", "marker"), ("sets", "sets"), ("carry", "carry"))):
        y = box.y + (number + 0.5) * box.h / 4
        wide, high = {"sets": (40, 22), "carry": (32, 24)}.get(symbol, (28, 28))
        found.append(Sprite(f"legend-{key}", symbol, box.x + 24, y, wide, high))
        text = WORDS.say(f"legend.{key}", lang, bonus=names.points_name(SET_BONUS, lang))
        found += paragraph(f"legend-text-{key}", text, Box(box.x + 50, y - 19, box.w - 52, 38), (12.5, 11.5), lang)
    return found


def stamp_ruler(s: State, viewer: int, stamps: list[int], box: Box, lang: str) -> list[Sprite]:
    """The later moments at which a hand may go up, for those who keep the time themselves."""
    per_row = 5 if box.h > 20 else 10
    wide = box.w / per_row
    return [
        Sprite(
            f"do-{button_name(a)}",
            "letter",
            box.x + (n % per_row + 0.5) * wide,
            box.y + 10 + n // per_row * 20,
            24,
            18,
            text=names.seconds(a - RAISE),
            size=11,
            ink="alabaster",
            alt=sentence(s, viewer, a, lang),
        )
        for n, a in enumerate(stamps)
    ]


# --- Points ---------------------------------------------------------------------------------------------------


def tie_breaks(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """What decides between players who are level on points."""
    cards = [sets.count(s.banked[p]) for p in range(s.players)]
    return [(WORDS.say("scene.cards_banked", lang), cards)] if s.rules == RuleSet.ADVANCED and s.tie_cards else []


def closing(s: State, lang: str) -> list[str]:
    """Who made the vessel spill, and that the points do not help then."""
    if s.spiller < 0:
        return []
    who = names.seat_name(s.spiller, lang)
    lines = [names.spilled_text(s, s.spiller, lang)]
    if s.rules == RuleSet.ADVANCED:
        lines.append(WORDS.say("result.last", lang, who=who, points=names.points_name(scoring.points(s, s.spiller), lang)))
    return lines


def breakdown(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """The points by source: cards of each kind, sets, and the lot that counts twice."""
    rows = []
    doubles = scoring.last_lot_doubles(s)
    for kind in range(len(KINDS)):
        cards = [card for card in range(CARDS) if CARD_KIND[card] == kind]
        rows.append((WORDS.say(f"kind.{KINDS[kind]}", lang), [printed(s, p, cards) for p in range(s.players)]))
    rows.append((WORDS.say("board.sets", lang), [SET_BONUS * scoring.complete_sets(s, p) for p in range(s.players)]))
    last = sets.members(s.last_lot) if doubles else []
    rows.append((WORDS.say("scene.doubled", lang), [(LAST_LOT_TIMES - 1) * printed(s, p, last) for p in range(s.players)]))
    return rows


def printed(s: State, p: int, cards: list[int]) -> int:
    """The printed points of those of some cards that p has banked."""
    return sum(CARD_POINTS[card] for card in cards if sets.has(s.banked[p], card))
