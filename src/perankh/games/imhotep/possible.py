"""What is possible in a position of Imhotep: fetching, loading, sailing, and the conditions of the blue cards."""

from __future__ import annotations

from perankh.engine.api import rule

from .table import (
    DECLINE,
    FETCH,
    FETCH_MOST,
    HAMMER,
    LEVER,
    LOAD,
    MAX,
    MINIMUM,
    POSSIBLE,
    PYRAMID_CELLS,
    SAIL,
    SAIL_CARD,
    SHIPS,
    SITES,
    SLED,
    SPACES,
    WAITING,
    State,
    capacity,
    storeys,
)

NUMBER_OF_SITES = len(SITES)

# --- Ships ----------------------------------------------------------------------------------------------------


@rule
def load_of(s: State, ship: int) -> int:
    """Stones on a ship."""
    n = 0
    for space in range(SPACES):
        if s.cargo[ship][space] > 0:
            n += 1
    return n


@rule
def minimum(s: State, ship: int) -> int:
    """The least load with which a ship may sail (IMH-T5)."""
    return int(MINIMUM[capacity(s, ship)])


@rule
def ready(s: State, ship: int, more: int) -> bool:
    """Whether a waiting ship has its minimum load, with so many stones more (IMH-T5, C15)."""
    return s.berth[ship] == WAITING and load_of(s, ship) + more >= minimum(s, ship)


@rule
def any_ready(s: State, more: int) -> bool:
    """Whether some ship is ready, with so many stones more put on free spaces of it (IMH-C10, C15)."""
    for ship in range(SHIPS):
        if ready(s, ship, more) and load_of(s, ship) + more <= capacity(s, ship):
            return True
    return False


@rule
def free_spaces(s: State) -> int:
    """Free spaces of all waiting ships (IMH-T4)."""
    n = 0
    for ship in range(SHIPS):
        if s.berth[ship] == WAITING:
            n += capacity(s, ship) - load_of(s, ship)
    return n


@rule
def free_dock(s: State, site: int) -> bool:
    """Whether no ship lies at a site (IMH-T5, T7)."""
    for ship in range(SHIPS):
        if s.berth[ship] == 1 + site:
            return False
    return True


@rule
def all_sailed(s: State) -> bool:
    """Whether no ship of the round waits any more (IMH-R5)."""
    for ship in range(SHIPS):
        if s.berth[ship] == WAITING:
            return False
    return True


# --- Fetching -------------------------------------------------------------------------------------------------


@rule
def fetchable(s: State, p: int, most: int) -> int:
    """How many stones p can bring from the quarry to the sled: as many as allowed, as fit, as are there (IMH-T2)."""
    return min(most, SLED - int(s.sled[p]), int(s.quarry[p]))


# --- Blue cards -----------------------------------------------------------------------------------------------


@rule
def can_play(s: State, p: int, kind: int) -> bool:
    """Whether the conditions of a blue card hold for p (IMH-C8, C10, C13, C15, C17)."""
    if kind == LEVER:
        return any_ready(s, 0)
    if kind == HAMMER:
        return can_hammer(s, p)
    if kind == SAIL_CARD:
        return s.sled[p] > 0 and any_ready(s, 1)
    least = 1 if s.blue_parts == POSSIBLE else 2
    return s.sled[p] >= least and free_spaces(s) >= least


@rule
def can_hammer(s: State, p: int) -> bool:
    """A space and a stone to load after fetching; with `possible` any stone to move (IMH-C13)."""
    fetch = fetchable(s, p, FETCH_MOST)
    loads = free_spaces(s) > 0 and s.sled[p] + fetch > 0
    return loads or (s.blue_parts == POSSIBLE and fetch > 0)


# --- Lists of choices: each writes its actions from place n of `out` on and returns the new n -------------------


@rule
def list_fetches(s: State, p: int, least: int, most: int, out: list[int], n: int) -> int:
    """Numbers of stones to fetch, of which 0 stays open with `quarry_take` = max (IMH-T2)."""
    high = fetchable(s, p, most)
    for stones in range(least, high + 1):
        if s.quarry_take != MAX or stones == 0 or stones == high:
            out[n] = FETCH + stones
            n += 1
    return n


@rule
def list_loads(s: State, p: int, sail_now: bool, out: list[int], n: int) -> int:
    """Free spaces of the waiting ships (IMH-T4); to sail at once, of those ready with one stone more (IMH-C14)."""
    if s.sled[p] == 0:
        return n
    for ship in range(SHIPS):
        if s.berth[ship] == WAITING and (not sail_now or ready(s, ship, 1)):
            for space in range(capacity(s, ship)):
                if s.cargo[ship][space] == 0:
                    out[n] = LOAD + SPACES * ship + space
                    n += 1
    return n


@rule
def list_sails(s: State, ship: int, out: list[int], n: int) -> int:
    """The free docks for a ship (IMH-T5)."""
    for site in range(NUMBER_OF_SITES):
        if free_dock(s, site):
            out[n] = SAIL + NUMBER_OF_SITES * ship + site
            n += 1
    return n


@rule
def list_ready_sails(s: State, out: list[int], n: int) -> int:
    """The ready ships, each with the free docks (IMH-T5, C10)."""
    docks = 0
    for ship in range(SHIPS):
        if s.berth[ship] > WAITING:
            docks |= 1 << s.berth[ship]
    for ship in range(SHIPS):
        if ready(s, ship, 0):
            for site in range(NUMBER_OF_SITES):
                if (docks >> (1 + site)) & 1 == 0:
                    out[n] = SAIL + NUMBER_OF_SITES * ship + site
                    n += 1
    return n


@rule
def list_bonus_loads(s: State, p: int, out: list[int]) -> int:
    """A space for the stone of the bonus, or none (IMH-P7)."""
    n = list_loads(s, p, False, out, 0)
    out[n] = DECLINE
    return n + 1


@rule
def unfinished(s: State, pyramid: int) -> bool:
    """Whether a small pyramid has a free cell (IMH-P3)."""
    return storeys(s, pyramid) < PYRAMID_CELLS
