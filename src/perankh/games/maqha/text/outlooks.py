"""What may come of a choice that chance or something hidden decides, in plain words."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from itertools import accumulate

from perankh.engine.chance import seed_chance

from ..rules import actions, glass, hidden
from ..rules.actions import ALL, BID, CELL, DROP, HELD, PASS, RAISE, SINGLE, THROW
from ..rules.components import (
    ANGLE_BASE,
    ANGLE_DIE,
    CLASSIC_FILL,
    ENERGY,
    EYE,
    KICK,
    LEAST_ANGLE,
    MOST_ANGLE,
    NUMBERS,
    VOLUME,
    WAVE_LEFT,
    Kind,
)
from ..rules.state import RuleSet, State, Step, Vessel
from .names import WORDS, tokens_of_lot

WORLDS = 60  # glasses that look like this one, of which is counted how many spill
BANDS = ((3, "safe"), (15, "small"), (40, "risky"), (70, "danger"), (101, "worst"))  # per cent below which a word holds
MOST_COINS = 10  # dropped together, for what the glass still holds
LIKELY, UNLIKELY = 0.75, 0.25  # shares of the glasses that look like this one which hold what is told
NEARLY_SAFE, DANGEROUS = 0.05, 0.33  # shares of the glasses of such a dome that one more coin makes spill, where zones begin


def outlook(s: State, p: int, a: int, lang: str) -> str:
    """What p may expect of an action; "" where nothing is open."""
    if s.step == Step.BID and BID <= a < THROW:
        return WORDS.say(f"outlook.bid.{bid_kind(a - BID + 1)}", lang)
    if a == PASS:
        return WORDS.say("outlook.pass", lang)
    if s.real_vessel or a >= HELD:
        return ""
    if CELL <= a < HELD:
        return risk_text("outlook.tray", spills(s, p, a), lang)
    if s.vessel == Vessel.TRAY:
        return ""
    if s.step == Step.HANDS:
        return risk_text("outlook.raise", spills_of(s, p, tokens_of_lot(s)), lang) if RAISE <= a < SINGLE else ""
    return risk_text("outlook.glass", spills(s, p, a), lang) if DROP <= a < BID or a == THROW or SINGLE <= a <= ALL else ""


def bid_kind(card: int) -> str:
    """What is special about a bid card."""
    return "eye" if card == EYE else {1: "lowest", NUMBERS: "highest"}.get(card, "between")


def risk_text(key: str, percent: int, lang: str) -> str:
    """A risk as a number and in a word."""
    band = next(name for limit, name in BANDS if percent < limit)
    return WORDS.say(key, lang, percent=percent, band=WORDS.say(f"outlook.band.{band}", lang))


def worlds(s: State) -> list[State]:
    """Tables that look the same as a veiled one."""
    found = []
    for number in range(WORLDS):
        world = s.copy()
        seed_chance(world, number, 0, 0, 0, 0)
        hidden.redeal(world)
        found.append(world)
    return found


def spills(s: State, p: int, a: int) -> int:
    """How many per cent of such tables spill by p's action and, in a throw, by the tokens that follow together."""
    spilled = 0
    for world in worlds(s):
        actions.apply(world, p, a)
        while world.step == Step.RELEASE and world.thrower == p:
            actions.apply(world, p, ALL)
        spilled += world.spiller >= 0
    return 100 * spilled // WORLDS


def spills_of(s: State, p: int, tokens: list[int]) -> int:
    """How many per cent of such glasses spill if p lets go so many tokens of each kind together."""
    return 100 * sum(glass.overflows(world, p, *tokens) for world in worlds(s)) // WORLDS


# --- How much more a glass holds ------------------------------------------------------------------------------


@cache
def capacities(liquid: int) -> tuple[list[int], list[float]]:
    """All capacities that a glass may have, rising, and the share of the glasses that have no more than each (MAQ-G3, MAQ-G4)."""
    ways = [1]
    for _ in range(4):
        ways = [sum(ways[max(0, k - ANGLE_DIE + 1) : k + 1]) for k in range(len(ways) + ANGLE_DIE - 1)]
    angles = (min(max(ANGLE_BASE + k, LEAST_ANGLE), MOST_ANGLE) for k in range(len(ways)))
    return [glass.capacity(liquid, angle) for angle in angles], [share / sum(ways) for share in accumulate(ways)]


def holding(liquid: int, volume: float) -> float:
    """The share of glasses whose capacity is not below a volume above the rim."""
    volumes, shares = capacities(liquid)
    place = bisect_left(volumes, volume)
    return 1 - shares[place - 1] if place else 1.0


def coins_left(s: State, p: int) -> tuple[int, int]:
    """How many coins, dropped together by p, a glass that looks like this one likely holds, and more than how many hardly."""
    liquid = glass.liquid_of(s)
    first = (glass.least_volume(s) + glass.most_volume(s)) / 2
    least, most = first + s.peak, float("inf")
    if s.rules == RuleSet.CLASSIC:  # poured by its capacity
        least, most = max(least, 100 * first / CLASSIC_FILL[liquid][1]), 100 * first / CLASSIC_FILL[liquid][0]
    known, above = holding(liquid, least), holding(liquid, most)

    def share(n: int) -> float:
        kick = KICK[Kind.COIN] if n == 1 else glass.isqrt(n * ENERGY[Kind.COIN])
        load = n * VOLUME[Kind.COIN] + kick * glass.steadiness(s, p) // 100 + s.wave * WAVE_LEFT // 100
        hold = holding(liquid, first + s.added + load)
        return min(1.0, max(0.0, hold - above) / max(known - above, 1e-9))

    tried = range(1, MOST_COINS + 1)
    return bisect_left(tried, True, key=lambda n: share(n) < LIKELY), bisect_left(tried, True, key=lambda n: share(n) < UNLIKELY)


def room_text(s: State, p: int, lang: str) -> str:
    """How many coins more the glass holds, as far as one can tell, in words."""
    low, high = coins_left(s, p)
    if not high:
        return WORDS.say("room.none", lang)
    if low == MOST_COINS:
        return WORDS.say("room.more", lang, n=low)
    if low == high:
        return WORDS.say("room.one" if low == 1 else "room.about", lang, n=low)
    if not low:
        return WORDS.say("room.most_one" if high == 1 else "room.most", lang, n=high)
    return WORDS.say("room.range", lang, low=low, high=high)


@cache
def zones(liquid: int) -> tuple[int, int]:
    """The heights of a still dome, in micrometres, from which one more coin is a risk, and from which it is dangerous."""
    volumes, shares = capacities(liquid)
    one = VOLUME[Kind.COIN] + KICK[Kind.COIN]
    limits = [volumes[bisect_left(shares, share)] - one for share in (NEARLY_SAFE, DANGEROUS)]
    return glass.dome_height(liquid, limits[0]), glass.dome_height(liquid, limits[1])
