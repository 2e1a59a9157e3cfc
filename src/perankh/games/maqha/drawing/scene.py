"""The drawn table of Maqha. Everything is drawn from a veiled state: the dome from its last reading (MAQ-G15)."""

from __future__ import annotations

from perankh.engine.api import sets
from perankh.scene import SHAPES, Scene, Sprite
from perankh.scene.layout import title_bar

from ..rules import rounds, scoring
from ..rules.components import CARD_KIND, CARD_POINTS, CARDS, KINDS, LAST_LOT_TIMES, SET_BONUS
from ..rules.state import RuleSet, State, Step
from ..text.board import ROUNDS, vessel_name
from ..text.names import WORDS
from ..text.prompts import asked, result_of, waited_for, why_over
from . import buttons, market, seats, vessel
from .layout import SEAT_COLOURS, Plan, plan_of


def scene(s: State, viewer: int, lang: str, shape: str) -> Scene:
    """The table as a viewer sees it, in a language and a shape."""
    plan = plan_of(s, viewer, shape)
    sprites = [*bar(s, viewer, lang, plan), *vessel.vessel(s, viewer, lang, plan)]
    if s.rules == RuleSet.ADVANCED:
        sprites += market.ground(s, lang, plan)
    for p in range(s.players):
        sprites += seats.seat(s, p, viewer, lang, plan)
    sprites += vessel.supply(s, viewer, lang, plan)
    if s.rules == RuleSet.ADVANCED:
        sprites += [*market.lots(s, lang, plan), *market.bids(s, viewer, lang, plan), *market.hand(s, viewer, lang, plan)]
        sprites += market.mask(s, lang, sprites)
    sprites += buttons.buttons(s, viewer, lang, plan)
    return Scene(SHAPES[shape], plan.height, sprites, f"{WORDS.say('game.name', lang)}: {headline(s, viewer, lang)}")


def headline(s: State, viewer: int, lang: str) -> str:
    """What is to be decided, or who has won."""
    if s.step == Step.OVER:
        return why_over(s, lang) + ("" if lang == "ja" else " ") + result_of(s, lang)
    return asked(s, viewer, lang)


def bar(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """Who decides what, and how far the game is."""
    waiting = waited_for(s)
    seats = {p: SEAT_COLOURS[p] for p in ([viewer] if viewer in waiting else waiting)}
    info = ""
    if plan.wide and s.rules == RuleSet.CLASSIC:
        info = f"{WORDS.say('option.rules.classic', lang)} · {vessel_name(s, lang)}"
    elif plan.wide:
        info = WORDS.say("scene.round", lang, round=rounds.number_of(s), rounds=ROUNDS)
        info = f"{vessel_name(s, lang)} · {info}"
    return title_bar(plan.bar, headline(s, viewer, lang), lang, seats=seats, info=info)


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
