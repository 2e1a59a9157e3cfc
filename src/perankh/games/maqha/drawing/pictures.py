"""Positions of Maqha for the pictures of its guide."""

from __future__ import annotations

from collections.abc import Callable

from perankh.engine.api import sets

from ..rules import glass, rounds
from ..rules.actions import BID, PASS, SINGLE, THROW, actors, apply
from ..rules.components import CARD_KIND, CARD_TOKENS, CARDS, VOLUME
from ..rules.set_up import setup
from ..rules.state import RuleSet, State

COIN_1, COIN_2, COIN_3 = 0, 5, 6
ANUBIS_1, ANUBIS_2, ANUBIS_3 = 7, 12, 13
ANKH_1, ANKH_2, ANKH_3 = 14, 19, 20


FIRST = (ANUBIS_1, ANKH_1, COIN_3, COIN_1, ANKH_2)  # in slots A to E
BEFORE = (
    (COIN_1 + 1, ANKH_1 + 1, ANUBIS_3),
    (COIN_2, ANKH_1 + 2, ANUBIS_1 + 1),
    (COIN_1 + 2, COIN_1 + 3),
    (ANUBIS_2, ANKH_1 + 3),
)


def position(players: int, hands: tuple[tuple[int, ...], ...] = (), height: int = 0, **options: str) -> State:
    """A table at the start of a round, with certain cards in the slots, cards banked before, and a last reading."""
    s = State()
    s.players = players
    for name, option in State.options.items():
        setattr(s, name, option.stored(name, options.get(name, option.default), players))
    setup(s)
    if s.rules == RuleSet.CLASSIC:
        return s
    earlier = [card for cards in hands for card in cards]
    rest = [card for card in range(CARDS) if card not in earlier and card not in FIRST]
    s.deck = [*earlier, *FIRST, *rest]
    for lot in s.lot:
        sets.clear(lot)
    for p, cards in enumerate(hands):
        for card in cards:
            sets.add(s.banked[p], card)
            sets.clear(s.last_lot)
            sets.add(s.last_lot, card)
            put_in(s, CARD_KIND[card], CARD_TOKENS[card])
    sets.assign(s.mask, s.last_lot)
    s.dealt = len(earlier)
    rounds.reveal(s)
    if glass.is_used(s):
        with_glass(s, 0, 4064, (height * 2 // 3, s.added * 2 // 3), (height, s.added))
    return s


def put_in(s: State, kind: int, n: int) -> None:
    """Tokens that are in the vessel already."""
    s.supply[kind] -= n
    s.inside[kind] += n
    if glass.is_used(s):
        s.added += n * VOLUME[kind]
        s.peak = s.added


def with_glass(s: State, v0: int, vcrit: int, *readings: tuple[int, int]) -> State:
    """The same with a certain glass, and readings (height, volume added) that were made."""
    s.v0, s.vcrit = v0, vcrit
    for k, (height, added) in enumerate(readings):
        s.reading[k], s.reading_at[k] = height, added
    s.readings = len(readings)
    return s


def ordered(s: State, *orders: str) -> State:
    """The table after seats have fixed bids, written as their numbers."""
    for p, order in enumerate(orders):
        for letter in order:
            apply(s, p, BID + int(letter) - 1)
    return s


def after(s: State, *actions: int) -> State:
    """The table after some choices of whoever decides."""
    for a in actions:
        apply(s, next(p for p in range(s.players) if actors(s) >> p & 1), a)
    return s


def classic() -> State:
    """A classic glass after two turns, Red to drop."""
    s = position(3, rules="classic")
    s.thrower = 0
    put_in(s, 0, 5)
    return with_glass(s, 1954, 2917, (1509, 0), (1842, 450), (2059, 750))


def cover() -> State:
    """The third round: Red may choose the last of three bids, the others have fixed theirs."""
    return ordered(position(4, BEFORE, 2120), "31", "254", "324", "513")


def revealed() -> State:
    """A 1 beats a 5; two 5 strike each other out; two pairs leave a lot to be carried over."""
    return ordered(position(4, BEFORE, 2120), "153", "254", "324", "513")


def passed() -> State:
    """Green passes the lot of slot B."""
    return after(revealed(), THROW, PASS)


def throwing() -> State:
    """Two lots were carried to C; Red throws all three cards and has let go the anubis."""
    return after(ordered(position(3, BEFORE[:2], 1450), "235", "234", "234"), THROW, SINGLE + 2)


def spilled() -> State:
    """Red throws for slot A, and the glass overflows."""
    s = ordered(position(4, BEFORE, 2480), "153", "254", "324", "513")
    s.vcrit = s.added + 200
    return after(s, THROW)


def on_the_tray() -> State:
    """A tray with ten tokens; Red has to place an anubis."""
    s = position(3, BEFORE[:2], vessel="tray")
    for cell, (height, top) in {3: (4, 1), 4: (6, 3), 7: (9, 2), 8: (6, 3), 0: (2, 1), 9: (6, 3), 10: (3, 2)}.items():
        s.height[cell], s.top[cell] = height, top
    return after(ordered(s, "542", "413", "321"), THROW)


PICTURES: dict[str, Callable[[], State]] = {
    "cover": cover,
    "classic": classic,
    "setup": lambda: position(3),
    "bids": revealed,
    "throw": throwing,
    "pass": passed,
    "spill": spilled,
    "tray": on_the_tray,
}
