"""Final scoring of Imhotep: burial chamber, obelisk, cards and the Pharaoh's wrath; the end of the game and the places."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import components
from .components import BURIAL_ROOM, BY_SHIP, KINDS, REDS, ROWS, SEATS, SET_VALUES, SITES, SLOT_POINTS, WRATH, Card, Site
from .events import Event, Source
from .state import ObeliskPay, Side, State, Step, WrathScope

ENDINGS = ("six_rounds",)
LAST_VALUE = len(SET_VALUES) - 1
SLOTS_WITH_POINTS = len(SLOT_POINTS)
# Burial stones as bits: stone k is bit k, rows change from bit to bit.
TOP_ROW = sum(1 << k for k in range(0, BURIAL_ROOM, ROWS))
BOTTOM_ROW = sum(1 << k for k in range(ROWS - 1, BURIAL_ROOM, ROWS))

# --- Values ---------------------------------------------------------------------------------------------------


@rule
def set_value(n: int) -> int:
    """Points of a burial group or a set of idols (IMH-G3, F5)."""
    points: int = SET_VALUES[min(n, LAST_VALUE)]
    return points + components.EACH_FURTHER * max(0, n - LAST_VALUE)


@rule
def slot_points(slot: int) -> int:
    """Points of an obelisk by its slot, 0 for the first (IMH-O4, O5)."""
    return SLOT_POINTS[slot] if slot < SLOTS_WITH_POINTS else components.FURTHER_SLOT


@rule
def place_points(places: list[int], ahead: int, tied: int) -> int:
    """What each of `tied` players gets for the places after `ahead` others: an equal share, rounded down (IMH-F6)."""
    total = 0
    for place in range(ahead, ahead + tied):
        total += places[place]
    return total // tied


# --- Stones at the monuments ------------------------------------------------------------------------------------


@rule
def stones_at(s: State, site: int, p: int) -> int:
    """Stones of p lying at a monument, wherever on its board (IMH-V3)."""
    n = 0
    if site == Site.PYRAMID:
        n = s.beside[p]
        for cell in range(components.BUILDING_CELLS):
            if s.pyramid[cell] == 1 + p:
                n += 1
    elif site == Site.TEMPLE:
        for k in range(BY_SHIP):
            if s.temple[k] == 1 + p:
                n += 1
    elif site == Site.BURIAL:
        for k in range(BURIAL_ROOM):
            if s.burial[k] == 1 + p:
                n += 1
    elif site == Site.OBELISK:
        n = s.obelisk[p]
    return n


@rule
def all_stones_at(s: State, site: int) -> int:
    """Stones of all players at a monument (IMH-F4)."""
    n = 0
    for p in range(SEATS):
        n += stones_at(s, site, p)
    return n


# --- Burial chamber ---------------------------------------------------------------------------------------------


@rule
def burial_points(s: State, p: int) -> int:
    """Groups on side A, rows on side B (IMH-F1)."""
    if s.burial_side == Side.B:
        return burial_row_points(s, p)
    return burial_group_points(s, p)


@rule
def burial_group_points(s: State, p: int) -> int:
    """Every group of touching stones of p by its size (IMH-G2, G3)."""
    left = 0
    for k in range(BURIAL_ROOM):
        if s.burial[k] == 1 + p:
            left |= 1 << k
    points = 0
    while left:
        group = left & -left
        size = 0
        while size != group:
            size = group
            below_it = (group & ~BOTTOM_ROW) << 1
            above_it = (group & ~TOP_ROW) >> 1
            group |= (below_it | above_it | (group << ROWS) | (group >> ROWS)) & left
        left &= ~group
        points += set_value(masks.count(group))
    return points


@rule
def stones_in_row(s: State, row: int, p: int) -> int:
    """Stones of p in a row of the burial chamber (IMH-G1)."""
    n = 0
    for k in range(row, BURIAL_ROOM, ROWS):
        if s.burial[k] == 1 + p:
            n += 1
    return n


@rule
def burial_row_points(s: State, p: int) -> int:
    """The place of p in each row that holds a stone of p (IMH-G4 to G6)."""
    points = 0
    for row in range(ROWS):
        own = stones_in_row(s, row, p)
        ahead = 0
        tied = 0
        for q in range(s.players):
            other = stones_in_row(s, row, q)
            if other > own:
                ahead += 1
            elif other == own:
                tied += 1
        if own > 0:
            points += place_points(components.BURIAL_PLACES[s.players - 2], ahead, tied)
    return points


# --- Obelisk ----------------------------------------------------------------------------------------------------


@rule
def obelisk_points(s: State, p: int) -> int:
    """Heights on side A; on side B loose stones, and the slots if they pay at the end (IMH-F2)."""
    if s.obelisk_side != Side.B:
        return height_points(s, p)
    points = components.LOOSE_POINTS * (s.obelisk[p] % components.OBELISK_STONES)
    if s.obelisk_b_pay == ObeliskPay.GAME_END:
        for slot in range(components.OBELISKS):
            if s.erected[slot] == 1 + p:
                points += slot_points(slot)
    return points


@rule
def height_points(s: State, p: int) -> int:
    """The place of p among those who have stones (IMH-O2)."""
    if s.obelisk[p] == 0:
        return 0
    ahead = 0
    tied = 0
    for q in range(s.players):
        if s.obelisk[q] > s.obelisk[p]:
            ahead += 1
        elif s.obelisk[q] == s.obelisk[p]:
            tied += 1
    return place_points(components.OBELISK_PLACES[s.players - 2], ahead, tied)


# --- Cards and wrath --------------------------------------------------------------------------------------------


@rule
def blue_points(s: State, p: int) -> int:
    """Each unplayed blue card (IMH-F3)."""
    points = 0
    for kind in range(components.FIRST_BLUE, KINDS):
        points += components.BLUE_POINTS * s.held[p][kind]
    return points


@rule
def green_points(s: State, p: int) -> int:
    """Each green card by all stones at its site, rounded by itself (IMH-F4)."""
    points = 0
    for kind in range(REDS, components.GREENS_END):
        if s.held[p][kind] > 0:
            points += s.held[p][kind] * (all_stones_at(s, components.SITE_OF[kind]) // components.STONES_PER_POINT)
    return points


@rule
def idol_points(s: State, p: int) -> int:
    """The idols by their number (IMH-F5)."""
    return set_value(s.held[p][Card.IDOL])


@rule
def wrath_points(s: State, p: int) -> int:
    """What the Pharaoh takes from a player who is missing at a monument (IMH-V2, V3)."""
    if not s.wrath:
        return 0
    missing = 0
    for site in range(Site.PYRAMID, SITES):
        if stones_at(s, site, p) == 0:
            missing += 1
    if missing > 0 and s.wrath_scope != WrathScope.PER_SITE:
        missing = 1
    return WRATH * missing


@rule
def final_points(s: State, p: int) -> int:
    """All that the end of the game brings p (IMH-F1 to F7)."""
    points = burial_points(s, p) + obelisk_points(s, p)
    points += blue_points(s, p) + green_points(s, p) + idol_points(s, p)
    return points - wrath_points(s, p)


# --- The end ----------------------------------------------------------------------------------------------------


@rule
def finish(s: State) -> None:
    """The game is over: final scoring (IMH-E1, F1 to F7)."""
    s.step = Step.OVER
    tell(s, Event.GAME_OVER, -1)
    for p in range(s.players):
        s.score[p] += final_points(s, p)
        tell(s, Event.FINAL_SCORED, p, Source.BURIAL, burial_points(s, p))
        tell(s, Event.FINAL_SCORED, p, Source.OBELISK, obelisk_points(s, p))
        tell(s, Event.FINAL_SCORED, p, Source.BLUE, blue_points(s, p))
        tell(s, Event.FINAL_SCORED, p, Source.GREEN, green_points(s, p))
        tell(s, Event.FINAL_SCORED, p, Source.IDOLS, idol_points(s, p))
        if s.wrath:
            tell(s, Event.FINAL_SCORED, p, Source.WRATH, -wrath_points(s, p))


@rule
def ending(s: State) -> int:
    """The game ends after the last round (IMH-E1)."""
    return 1 if s.step == Step.OVER else 0


@rule
def scores(s: State, out: list[int]) -> None:
    """The points of each player so far."""
    for p in range(s.players):
        out[p] = s.score[p]


@rule
def ranks(s: State, out: list[int]) -> None:
    """Most points, then most stones on the sled; still equal players share the place (IMH-E2 to E4)."""
    for p in range(s.players):
        out[p] = 1
        for q in range(s.players):
            lead = s.score[q] - s.score[p]
            if lead > 0 or (lead == 0 and s.sled[q] > s.sled[p]):
                out[p] += 1
