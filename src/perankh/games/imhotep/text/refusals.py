"""Why a choice is refused."""

from __future__ import annotations

from ..rules import actions, quarry, ships
from ..rules.components import BONUS_STONES, FETCH_MOST, FIRST_BLUE, SEATS, SITES, SLED, SPACES, TEMPLE_STONES, Card
from ..rules.state import Berth, QuarryTake, State, Step, capacity
from .names import SHIP_LETTERS, WORDS, card_name, pyramid_name, seat_name, site_name
from .prompts import prompt

FETCH_STEPS = (Step.MAIN, Step.HAMMER_FETCH, Step.BONUS_STONES, Step.TEMPLE)
LOAD_STEPS = (Step.MAIN, Step.HAMMER_LOAD, Step.SAIL_LOAD, Step.CHISEL_FIRST, Step.CHISEL_SECOND, Step.BONUS_LOAD)
SAIL_STEPS = (Step.MAIN, Step.LEVER_SAIL, Step.SAIL_SITE)


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not open to p now."""
    key = reason(s, p, a)
    words: dict[str, object] = {"prompt": prompt(s, p, lang), "n": quarry.fetchable(s, p, fetch_limit(s))}
    if actions.LOAD <= a < actions.PLAY:
        ship, place = divmod(a - actions.LOAD, SPACES) if a < actions.SAIL else divmod(a - actions.SAIL, SITES)
        words |= {"ship": SHIP_LETTERS[ship], "spaces": capacity(s, ship), "space": place + 1}
        words |= {"load": ships.load_of(s, ship), "minimum": ships.minimum(s, ship), "site": site_name(place, lang)}
    if actions.PLAY <= a < actions.TAKE:
        words["card"] = card_name(FIRST_BLUE + a - actions.PLAY, lang)
    if actions.TAKE <= a < actions.KEEP:
        words["slot"] = a - actions.TAKE + 1
    if actions.KEEP <= a < actions.BUILD:
        words["card"] = card_name(a - actions.KEEP, lang)
    if actions.BUILD <= a < actions.ORDER:
        words["pyramid"] = pyramid_name(a - actions.BUILD, lang)
    if actions.ORDER <= a < actions.ORDER + SEATS:
        words["who"] = seat_name(a - actions.ORDER, lang)
    return WORDS.say(f"no.{key}", lang, **words)


def fetch_limit(s: State) -> int:
    """How many stones may be fetched at most at this step."""
    if s.step == Step.TEMPLE:
        return int(TEMPLE_STONES[s.temple_side][s.cell - 1])
    return BONUS_STONES if s.step == Step.BONUS_STONES else FETCH_MOST


def reason(s: State, p: int, a: int) -> str:
    """The key of the reason."""
    if a == actions.PASS:
        return "pass" if s.step == Step.MAIN else "must_take" if s.step == Step.OFFER else "step"
    if a < actions.POINT and s.step in FETCH_STEPS:
        return why_not_fetch(s, p, a - actions.FETCH)
    if actions.LOAD <= a < actions.SAIL and s.step in LOAD_STEPS:
        return why_not_load(s, p, *divmod(a - actions.LOAD, SPACES))
    if actions.SAIL <= a < actions.PLAY and s.step in SAIL_STEPS:
        return why_not_sail(s, *divmod(a - actions.SAIL, SITES))
    if actions.PLAY <= a < actions.TAKE and s.step == Step.MAIN:
        return why_not_play(s, p, FIRST_BLUE + a - actions.PLAY)
    if actions.TAKE <= a < actions.KEEP and s.step == Step.OFFER:
        return "empty_slot"
    if actions.TAKE <= a < actions.KEEP and s.step == Step.PAIR:
        return "looked"
    if actions.KEEP <= a < actions.BUILD and s.step == Step.PAIR:
        return "not_in_pair"
    if actions.BUILD <= a < actions.ORDER and s.step == Step.PYRAMID:
        return "complete"
    if actions.ORDER <= a < actions.DECLINE and s.step == Step.LEVER_ORDER:
        return "not_aboard"
    if a == actions.DECLINE and s.step == Step.OFFER:
        return "must_take"
    return "step"


def why_not_fetch(s: State, p: int, stones: int) -> str:
    """Why so many stones cannot be fetched."""
    if stones == 0:
        return "reward_zero" if s.step == Step.TEMPLE else "fetch_zero"
    if s.sled[p] == SLED:
        return "sled_full"
    if s.quarry[p] == 0:
        return "quarry_empty"
    if s.quarry_take == QuarryTake.MAX and stones < quarry.fetchable(s, p, fetch_limit(s)):
        return "take_max"
    return "fetch_most"


def why_not_load(s: State, p: int, ship: int, space: int) -> str:
    """Why a stone cannot be loaded there."""
    if s.sled[p] == 0:
        return "sled_empty"
    if s.berth[ship] != Berth.WAITING:
        return "sailed"
    if space >= capacity(s, ship):
        return "no_space"
    return "occupied" if s.cargo[ship][space] else "would_not_sail"


def why_not_sail(s: State, ship: int, site: int) -> str:
    """Why a ship cannot sail there."""
    if s.berth[ship] != Berth.WAITING:
        return "sailed"
    if s.step == Step.SAIL_SITE and ship != s.ship - 1:
        return "other_ship"
    if not ships.ready(s, ship, 0):
        return "below_minimum"
    return "dock" if (ships.taken_docks(s) >> site) & 1 else "step"


def why_not_play(s: State, p: int, kind: int) -> str:
    """Why a blue card cannot be played."""
    if s.held[p][kind] == 0:
        return "not_held"
    if kind == Card.LEVER:
        return "no_ship_ready"
    if ships.free_spaces(s) == 0:
        return "no_free_space"
    if kind == Card.SAIL and s.sled[p] > 0:
        return "no_ship_with_one"
    if kind == Card.HAMMER or s.sled[p] == 0:
        return "card_no_stone"
    return "chisel_stones" if s.sled[p] < 2 else "chisel_spaces"
