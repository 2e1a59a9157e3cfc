"""Codes and sentences of the choices."""

from __future__ import annotations

from ..rules import actions, building, components, market
from ..rules.components import BONUS, BONUS_NAMES, CARDS, FIRST_BLUE, KINDS, PYRAMID_B, SITE_NAMES, SITES, SLOTS, SPACES
from ..rules.state import State, Step, capacity
from .names import COLOURS, SHIP_LETTERS, WORDS, card_name, plural, points_text, pyramid_name, seat_name, site_name, stone_list

CODES = (
    *("pass", "fetch0", "fetch1", "fetch2", "fetch3", "point"),
    *(f"load-{ship}{space}" for ship in SHIP_LETTERS.lower() for space in range(1, SPACES + 1)),
    *(f"sail-{ship}-{site}" for ship in SHIP_LETTERS.lower() for site in SITE_NAMES),
    *(f"play-{CARDS[kind]}" for kind in range(FIRST_BLUE, KINDS)),
    *(f"take{slot}" for slot in range(1, SLOTS + 1)),
    *(f"keep-{card}" for card in CARDS),
    *(f"build-{pyramid}" for pyramid in components.PYRAMID_NAMES),
    *(f"next-{colour}" for colour in COLOURS),
    "decline",
)


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    if a == actions.PASS:
        return WORDS.say("do.pass", lang)
    if a < actions.POINT:
        return say_fetch(s, a - actions.FETCH, lang)
    if a == actions.POINT:
        return WORDS.say("do.point", lang, points=points_text(components.TEMPLE_POINTS[s.temple_side][s.cell - 1], lang))
    if a < actions.SAIL:
        ship, space = divmod(a - actions.LOAD, SPACES)
        return WORDS.say("do.load", lang, ship=SHIP_LETTERS[ship], space=space + 1, spaces=capacity(s, ship))
    if a < actions.PLAY:
        ship, site = divmod(a - actions.SAIL, SITES)
        return WORDS.say("do.sail", lang, ship=SHIP_LETTERS[ship], site=site_name(site, lang), load=load_text(s, ship, lang))
    if a < actions.TAKE:
        return WORDS.say("do.play", lang, card=card_name(FIRST_BLUE + a - actions.PLAY, lang))
    if a < actions.KEEP:
        return say_take(s, a - actions.TAKE, lang)
    if a < actions.BUILD:
        return say_keep(s, a - actions.KEEP, lang)
    if a < actions.ORDER:
        return say_build(s, a - actions.BUILD, lang)
    if a < actions.DECLINE:
        return WORDS.say("do.order", lang, who=seat_name(a - actions.ORDER, lang))
    return WORDS.say("do.decline", lang)


def say_fetch(s: State, stones: int, lang: str) -> str:
    """Fetch stones, in a turn, as a bonus or in place of a point."""
    if stones == 0:
        return WORDS.say("do.fetch_none", lang)
    if s.step == Step.TEMPLE:
        return WORDS.say(f"do.reward.{plural(stones)}", lang, n=stones)
    return WORDS.say(f"do.fetch.{plural(stones)}", lang, n=stones)


def load_text(s: State, ship: int, lang: str) -> str:
    """The stones on a ship from bow to stern, by their owners."""
    return stone_list([stone - 1 for stone in s.cargo[ship] if stone], lang)


def say_take(s: State, slot: int, lang: str) -> str:
    """Take an offer of the market."""
    if market.is_pair_slot(s, slot):
        return WORDS.say("do.take_pair", lang, slot=slot + 1)
    return WORDS.say("do.take", lang, slot=slot + 1, card=card_name(s.market[slot] - 1, lang))


def say_keep(s: State, kind: int, lang: str) -> str:
    """Keep a card of the pair."""
    other = market.hidden_kind(s, 1) if market.hidden_kind(s, 0) == kind else market.hidden_kind(s, 0)
    if other < 0:
        return WORDS.say("do.keep_only", lang, card=card_name(kind, lang))
    return WORDS.say("do.keep", lang, card=card_name(kind, lang), other=card_name(other, lang))


def say_build(s: State, pyramid: int, lang: str) -> str:
    """Build on a small pyramid, with what its next cell gives."""
    cell = building.storeys(s, pyramid)
    points = points_text(PYRAMID_B[pyramid][cell], lang)
    words = {"pyramid": pyramid_name(pyramid, lang), "cell": cell + 1, "points": points}
    bonus = BONUS_NAMES[BONUS[pyramid][cell]]
    if not bonus:
        return WORDS.say("do.build", lang, **words)
    return WORDS.say("do.build_bonus", lang, bonus=WORDS.say(f"bonus.{bonus}", lang), **words)
