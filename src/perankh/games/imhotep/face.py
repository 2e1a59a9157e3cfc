"""What a person sees of Imhotep: codes, sentences and refusals; the log is in `log.py`, the text board in `board.py`."""

from __future__ import annotations

from .board import board
from .cards import hidden_kind
from .log import told
from .possible import fetchable, free_dock, free_spaces, load_of, minimum, ready
from .speech import COLOURS, LETTERS, SHIP_LETTERS, WORDS, card_name, plural, points_text, pyramid_name, seat_name, site_name
from .table import (
    BONUS,
    BONUS_LOAD,
    BONUS_STONES,
    BONUSES,
    BUILD,
    CARDS,
    CHISEL_FIRST,
    CHISEL_SECOND,
    CHOOSE_PAIR,
    CHOOSE_PYRAMID,
    CHOOSE_REWARD,
    DECLINE,
    FETCH,
    FETCH_BONUS,
    FETCH_MOST,
    HAMMER,
    HAMMER_FETCH,
    HAMMER_LOAD,
    KEEP,
    KINDS,
    LEVER,
    LEVER_ORDER,
    LEVER_SAIL,
    LOAD,
    MAIN,
    MAX,
    OFFER,
    ORDER,
    PAIR_SLOT,
    PASS,
    PLAY,
    POINT,
    PYRAMID_B,
    PYRAMIDS,
    SAIL,
    SAIL_CARD,
    SAIL_LOAD,
    SAIL_SITE,
    SEATS,
    SIDE_B,
    SITES,
    SLED,
    SLOTS,
    SPACES,
    STEPS,
    TAKE,
    TEMPLE_POINTS,
    TEMPLE_STONES,
    WAITING,
    State,
    capacity,
    storeys,
)

__all__ = ["CODES", "WORDS", "board", "prompt", "refusal", "seat_name", "sentence", "told"]

CODES = (
    *("pass", "fetch0", "fetch1", "fetch2", "fetch3", "point"),
    *(f"load-{ship}{space}" for ship in SHIP_LETTERS.lower() for space in range(1, SPACES + 1)),
    *(f"sail-{ship}-{site}" for ship in SHIP_LETTERS.lower() for site in SITES),
    *(f"play-{CARDS[kind]}" for kind in range(LEVER, KINDS)),
    *(f"take{slot}" for slot in range(1, SLOTS + 1)),
    *(f"keep-{card}" for card in CARDS),
    *(f"build-{pyramid}" for pyramid in PYRAMIDS),
    *(f"next-{colour}" for colour in COLOURS),
    "decline",
)


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    ship = SHIP_LETTERS[s.ship - 1] if s.ship else ""
    return WORDS.say(f"prompt.{STEPS[s.step]}", lang, ship=ship, cell=s.cell)


# --- Sentences --------------------------------------------------------------------------------------------------


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    if a == PASS:
        return WORDS.say("do.pass", lang)
    if a < POINT:
        return say_fetch(s, a - FETCH, lang)
    if a == POINT:
        return WORDS.say("do.point", lang, points=points_text(TEMPLE_POINTS[s.temple_side][s.cell - 1], lang))
    if a < SAIL:
        ship, space = divmod(a - LOAD, SPACES)
        return WORDS.say("do.load", lang, ship=SHIP_LETTERS[ship], space=space + 1, spaces=capacity(s, ship))
    if a < PLAY:
        ship, site = divmod(a - SAIL, len(SITES))
        return WORDS.say("do.sail", lang, ship=SHIP_LETTERS[ship], site=site_name(site, lang), load=load_text(s, ship, lang))
    if a < TAKE:
        return WORDS.say("do.play", lang, card=card_name(LEVER + a - PLAY, lang))
    if a < KEEP:
        return say_take(s, a - TAKE, lang)
    if a < BUILD:
        return say_keep(s, a - KEEP, lang)
    if a < ORDER:
        return say_build(s, a - BUILD, lang)
    if a < DECLINE:
        return WORDS.say("do.order", lang, who=seat_name(a - ORDER, lang))
    return WORDS.say("do.decline", lang)


def say_fetch(s: State, stones: int, lang: str) -> str:
    """Fetch stones, in a turn, as a bonus or in place of a point."""
    if stones == 0:
        return WORDS.say("do.fetch_none", lang)
    if s.step == CHOOSE_REWARD:
        return WORDS.say(f"do.reward.{plural(stones)}", lang, n=stones)
    return WORDS.say(f"do.fetch.{plural(stones)}", lang, n=stones)


def load_text(s: State, ship: int, lang: str) -> str:
    """The stones on a ship from bow to stern, as letters."""
    stones = " ".join(LETTERS[stone - 1] for stone in s.cargo[ship] if stone)
    return stones or WORDS.say("board.none", lang)


def say_take(s: State, slot: int, lang: str) -> str:
    """Take an offer of the market."""
    if slot == PAIR_SLOT and s.market_side == SIDE_B:
        return WORDS.say("do.take_pair", lang, slot=slot + 1)
    return WORDS.say("do.take", lang, slot=slot + 1, card=card_name(s.market[slot] - 1, lang))


def say_keep(s: State, kind: int, lang: str) -> str:
    """Keep a card of the pair."""
    other = hidden_kind(s, 1) if hidden_kind(s, 0) == kind else hidden_kind(s, 0)
    if other < 0:
        return WORDS.say("do.keep_only", lang, card=card_name(kind, lang))
    return WORDS.say("do.keep", lang, card=card_name(kind, lang), other=card_name(other, lang))


def say_build(s: State, pyramid: int, lang: str) -> str:
    """Build on a small pyramid, with what its next cell gives."""
    cell = storeys(s, pyramid)
    points = points_text(PYRAMID_B[pyramid][cell], lang)
    words = {"pyramid": pyramid_name(pyramid, lang), "cell": cell + 1, "points": points}
    bonus = BONUSES[BONUS[pyramid][cell]]
    if not bonus:
        return WORDS.say("do.build", lang, **words)
    return WORDS.say("do.build_bonus", lang, bonus=WORDS.say(f"bonus.{bonus}", lang), **words)


# --- Refusals ---------------------------------------------------------------------------------------------------


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not open to p now."""
    key = reason(s, p, a)
    words: dict[str, object] = {"prompt": prompt(s, p, lang), "n": fetchable(s, p, fetch_limit(s))}
    if LOAD <= a < PLAY:
        ship, place = divmod(a - LOAD, SPACES) if a < SAIL else divmod(a - SAIL, len(SITES))
        words |= {"ship": SHIP_LETTERS[ship], "spaces": capacity(s, ship), "space": place + 1}
        words |= {"load": load_of(s, ship), "minimum": minimum(s, ship), "site": site_name(place, lang)}
    if PLAY <= a < TAKE:
        words["card"] = card_name(LEVER + a - PLAY, lang)
    if TAKE <= a < KEEP:
        words["slot"] = a - TAKE + 1
    if KEEP <= a < BUILD:
        words["card"] = card_name(a - KEEP, lang)
    if BUILD <= a < ORDER:
        words["pyramid"] = pyramid_name(a - BUILD, lang)
    if ORDER <= a < ORDER + SEATS:
        words["who"] = seat_name(a - ORDER, lang)
    return WORDS.say(f"no.{key}", lang, **words)


def fetch_limit(s: State) -> int:
    """How many stones may be fetched at most at this step."""
    if s.step == CHOOSE_REWARD:
        return int(TEMPLE_STONES[s.temple_side][s.cell - 1])
    return BONUS_STONES if s.step == FETCH_BONUS else FETCH_MOST


FETCH_STEPS = (MAIN, HAMMER_FETCH, FETCH_BONUS, CHOOSE_REWARD)
LOAD_STEPS = (MAIN, HAMMER_LOAD, SAIL_LOAD, CHISEL_FIRST, CHISEL_SECOND, BONUS_LOAD)
SAIL_STEPS = (MAIN, LEVER_SAIL, SAIL_SITE)


def reason(s: State, p: int, a: int) -> str:
    """The key of the reason."""
    if a == PASS:
        return "pass" if s.step == MAIN else "must_take" if s.step == OFFER else "step"
    if a < POINT and s.step in FETCH_STEPS:
        return why_not_fetch(s, p, a - FETCH)
    if LOAD <= a < SAIL and s.step in LOAD_STEPS:
        return why_not_load(s, p, *divmod(a - LOAD, SPACES))
    if SAIL <= a < PLAY and s.step in SAIL_STEPS:
        return why_not_sail(s, *divmod(a - SAIL, len(SITES)))
    if PLAY <= a < TAKE and s.step == MAIN:
        return why_not_play(s, p, LEVER + a - PLAY)
    if TAKE <= a < KEEP and s.step == OFFER:
        return "empty_slot"
    if TAKE <= a < KEEP and s.step == CHOOSE_PAIR:
        return "looked"
    if KEEP <= a < BUILD and s.step == CHOOSE_PAIR:
        return "not_in_pair"
    if BUILD <= a < ORDER and s.step == CHOOSE_PYRAMID:
        return "complete"
    if ORDER <= a < DECLINE and s.step == LEVER_ORDER:
        return "not_aboard"
    if a == DECLINE and s.step == OFFER:
        return "must_take"
    return "step"


def why_not_fetch(s: State, p: int, stones: int) -> str:
    """Why so many stones cannot be fetched."""
    if stones == 0:
        return "reward_zero" if s.step == CHOOSE_REWARD else "fetch_zero"
    if s.sled[p] == SLED:
        return "sled_full"
    if s.quarry[p] == 0:
        return "quarry_empty"
    if s.quarry_take == MAX and stones < fetchable(s, p, fetch_limit(s)):
        return "take_max"
    return "fetch_most"


def why_not_load(s: State, p: int, ship: int, space: int) -> str:
    """Why a stone cannot be loaded there."""
    if s.sled[p] == 0:
        return "sled_empty"
    if s.berth[ship] != WAITING:
        return "sailed"
    if space >= capacity(s, ship):
        return "no_space"
    return "occupied" if s.cargo[ship][space] else "would_not_sail"


def why_not_sail(s: State, ship: int, site: int) -> str:
    """Why a ship cannot sail there."""
    if s.berth[ship] != WAITING:
        return "sailed"
    if s.step == SAIL_SITE and ship != s.ship - 1:
        return "other_ship"
    if not ready(s, ship, 0):
        return "below_minimum"
    return "step" if free_dock(s, site) else "dock"


def why_not_play(s: State, p: int, kind: int) -> str:
    """Why a blue card cannot be played."""
    if s.held[p][kind] == 0:
        return "not_held"
    if kind == LEVER:
        return "no_ship_ready"
    if free_spaces(s) == 0:
        return "no_free_space"
    if kind == SAIL_CARD and s.sled[p] > 0:
        return "no_ship_with_one"
    if kind == HAMMER or s.sled[p] == 0:
        return "card_no_stone"
    return "chisel_stones" if s.sled[p] < 2 else "chisel_spaces"
