"""The glass: a dome of liquid over the rim, the waves of the tokens, and what can be read off it.

Volumes are microlitres above "level with the rim", heights micrometres. A quotient is only ever taken of numbers that are not
negative.
"""

from __future__ import annotations

from perankh.engine.api import below, rule, tell

from . import components
from .components import DOME_HEIGHT, DOME_VOLUME, ENERGY, KICK, VOLUME, Kind, Liquid
from .events import Event
from .state import RuleSet, State, Vessel

TRIES = 256  # worlds drawn in a redraw before one is made to fit
SLACK = 300  # how far above the peak the capacity of such a world may lie

# --- Which glass ----------------------------------------------------------------------------------------------


@rule
def is_used(s: State) -> bool:
    """The liquid is reckoned with: neither a tray nor a vessel of the players' own (MAQ-Y1, MAQ-X1)."""
    return not s.real_vessel and s.vessel == Vessel.GLASS


@rule
def liquid_of(s: State) -> int:
    """The liquid in the glass (option `liquid`)."""
    if s.liquid:
        return s.liquid - 1
    return Liquid.WHISKY if s.rules == RuleSet.CLASSIC else Liquid.WATER


@rule
def steadiness(s: State, p: int) -> int:
    """Per cent of the waves that p makes (MAQ-G18)."""
    if p == 0:
        return s.steadiness_0
    if p == 1:
        return s.steadiness_1
    return s.steadiness_2 if p == 2 else s.steadiness_3


# --- Filling --------------------------------------------------------------------------------------------------


@rule
def fill(s: State) -> None:
    """Draw the capacity, pour, and read the dome for the first time (MAQ-S6, MAQ-G2)."""
    pour(s)
    read_dome(s)


@rule
def pour(s: State) -> None:
    """Draw capacity and first volume: level, or a slight dome in the classic rules (MAQ-G3 to MAQ-G6)."""
    liquid = liquid_of(s)
    s.vcrit = capacity(liquid, rim_angle(s))
    if s.rules == RuleSet.CLASSIC:
        least, most = components.CLASSIC_FILL[liquid][0], components.CLASSIC_FILL[liquid][1]
        s.v0 = s.vcrit * (least + below(s, most - least + 1)) // 100
    else:
        volume = -components.POUR_ERROR
        for _ in range(2):
            volume += below(s, components.POUR_ERROR + 1)
        s.v0 = volume


@rule
def rim_angle(s: State) -> int:
    """The angle at the rim at which the dome breaks, in tenths of a degree (MAQ-G3)."""
    angle = components.ANGLE_BASE
    for _ in range(4):
        angle += below(s, components.ANGLE_DIE)
    return min(max(angle, components.LEAST_ANGLE), components.MOST_ANGLE)


@rule
def capacity(liquid: int, angle: int) -> int:
    """The volume of the dome that meets the rim at an angle (MAQ-G4)."""
    i = angle // 100
    low: int = DOME_VOLUME[liquid][i]
    if i == components.ANGLES - 1:
        return low
    step: int = DOME_VOLUME[liquid][i + 1] - low
    return low + step * (angle % 100) // 100


# --- Releasing tokens -----------------------------------------------------------------------------------------


@rule
def overflows(s: State, p: int, coins: int, ankhs: int, anubis: int) -> bool:
    """P lets go tokens, several together: does the glass overflow? (MAQ-G7, MAQ-G10, MAQ-G11)"""
    kick = kick_of(s, coins, ankhs, anubis) * steadiness(s, p) // 100
    s.added += coins * VOLUME[Kind.COIN] + ankhs * VOLUME[Kind.ANKH] + anubis * VOLUME[Kind.ANUBIS]
    s.wave = s.wave * components.WAVE_LEFT // 100 + kick
    load = s.added + s.wave
    s.surge = max(s.surge, load)
    if s.v0 + load > s.vcrit:
        return True
    s.peak = max(s.peak, load)
    return False


@rule
def kick_of(s: State, coins: int, ankhs: int, anubis: int) -> int:
    """The kick of one token, or of several together (MAQ-G8, MAQ-G9)."""
    if coins + ankhs + anubis == 1:
        strength: int = coins * KICK[Kind.COIN] + ankhs * KICK[Kind.ANKH] + anubis * KICK[Kind.ANUBIS]
        percent, die = components.SINGLE_BASE, components.SINGLE_DIE
    else:
        strength = isqrt(coins * ENERGY[Kind.COIN] + ankhs * ENERGY[Kind.ANKH] + anubis * ENERGY[Kind.ANUBIS])
        percent, die = components.TOGETHER_BASE, components.TOGETHER_DIE
    for _ in range(2):
        percent += below(s, die)
    return strength * percent // 100


@rule
def isqrt(x: int) -> int:
    """The largest whole number whose square is at most x (MAQ-G9)."""
    root = 0
    for bit in range(10, -1, -1):
        if (root + (1 << bit)) * (root + (1 << bit)) <= x:
            root += 1 << bit
    return root


@rule
def settle(s: State) -> None:
    """The waves die, and the dome is read (MAQ-G12, MAQ-G17)."""
    s.wave = 0
    read_dome(s)
    if s.rim_line:
        crest = max(0, s.v0 + s.surge)
        share = 100 * crest // s.vcrit + below(s, 2 * components.RIM_ERROR + 1) - components.RIM_ERROR
        s.sign = 0 if share < components.WARNING else 1 if share < components.ALARM else 2
        tell(s, Event.RIM, -1, s.sign)
    s.surge = 0


# --- Reading --------------------------------------------------------------------------------------------------


@rule
def dome_height(liquid: int, volume: int) -> int:
    """The height of the dome of a volume; below the rim it is negative (MAQ-G13)."""
    x = abs(volume)
    i = components.ANGLES - 2
    while DOME_VOLUME[liquid][i] > x:
        i -= 1
    low, step = DOME_VOLUME[liquid][i], DOME_VOLUME[liquid][i + 1] - DOME_VOLUME[liquid][i]
    rise = DOME_HEIGHT[liquid][i + 1] - DOME_HEIGHT[liquid][i]
    y: int = DOME_HEIGHT[liquid][i] + rise * (x - low) // step
    return y if volume >= 0 else -y


@rule
def read_dome(s: State) -> None:
    """Read the height of the dome with an error, the same for all (MAQ-G14)."""
    error = below(s, 2 * s.reading_error + 1) - s.reading_error
    s.reading[s.readings] = dome_height(liquid_of(s), s.v0 + s.added) + error
    s.reading_at[s.readings] = s.added
    tell(s, Event.READ, -1, s.reading[s.readings], s.reading_error)
    s.readings += 1


# --- Worlds that fit what was seen ----------------------------------------------------------------------------


@rule
def redraw(s: State) -> None:
    """Draw capacity and first volume that fit every reading and have held the peak; one that fits is made up if none comes."""
    low, high = least_volume(s), most_volume(s)
    for _ in range(TRIES):
        pour(s)
        if low <= s.v0 <= high and s.vcrit - s.v0 >= s.peak:
            return
    liquid = liquid_of(s)
    least, most = capacity(liquid, components.LEAST_ANGLE), capacity(liquid, components.MOST_ANGLE)
    s.v0 = min((low + high) >> 1, most - s.peak)
    s.vcrit = min(most, max(least, s.v0 + s.peak + 1 + below(s, SLACK)))


@rule
def most_poured(s: State) -> int:
    """The largest first volume there is."""
    if s.rules == RuleSet.CLASSIC:
        liquid = liquid_of(s)
        share: int = components.CLASSIC_FILL[liquid][1]
        return capacity(liquid, components.MOST_ANGLE) * share // 100
    return components.POUR_ERROR


@rule
def least_volume(s: State) -> int:
    """The smallest first volume with which no reading is too high for it."""
    low, high = -components.POUR_ERROR, most_poured(s)
    while low < high:
        middle = (low + high) >> 1
        if reads_too_high(s, middle):
            low = middle + 1
        else:
            high = middle
    return low


@rule
def most_volume(s: State) -> int:
    """The largest first volume with which no reading is too low for it."""
    low, high = -components.POUR_ERROR, most_poured(s)
    while low < high:
        middle = (low + high + 1) >> 1
        if reads_too_low(s, middle):
            high = middle - 1
        else:
            low = middle
    return low


@rule
def reads_too_high(s: State, v0: int) -> bool:
    """Is a reading higher than the first volume and the error allow?"""
    liquid = liquid_of(s)
    for i in range(s.readings):
        if s.reading[i] > dome_height(liquid, v0 + s.reading_at[i]) + s.reading_error:
            return True
    return False


@rule
def reads_too_low(s: State, v0: int) -> bool:
    """Is a reading lower than the first volume and the error allow?"""
    liquid = liquid_of(s)
    for i in range(s.readings):
        if s.reading[i] < dome_height(liquid, v0 + s.reading_at[i]) - s.reading_error:
            return True
    return False
