"""Ships: loading, sailing and unloading."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import building, market, quarry
from .components import MINIMUM, SHIPS, SITES, SPACES, Site
from .events import Event
from .state import Berth, MarketReturn, State, Step, capacity

# --- Waiting ships ----------------------------------------------------------------------------------------------


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
    """The minimum load with which a ship may sail (IMH-T5)."""
    stones: int = MINIMUM[capacity(s, ship)]
    return stones


@rule
def ready(s: State, ship: int, more: int) -> bool:
    """Whether a waiting ship has its minimum load, with so many stones more (IMH-T5, C15)."""
    return s.berth[ship] == Berth.WAITING and load_of(s, ship) + more >= minimum(s, ship)


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
        if s.berth[ship] == Berth.WAITING:
            n += capacity(s, ship) - load_of(s, ship)
    return n


@rule
def taken_docks(s: State) -> int:
    """The sites where a ship lies, as a set (IMH-T5, T7)."""
    docks = 0
    for ship in range(SHIPS):
        if s.berth[ship] != Berth.WAITING:
            docks = masks.added(docks, s.berth[ship] - 1)
    return docks


@rule
def all_sailed(s: State) -> bool:
    """Whether no ship of the round waits any more (IMH-R5)."""
    for ship in range(SHIPS):
        if s.berth[ship] == Berth.WAITING:
            return False
    return True


@rule
def load(s: State, p: int, spot: int) -> None:
    """A stone from the sled to a space of a ship (IMH-T4)."""
    ship, space = spot // SPACES, spot % SPACES
    s.sled[p] -= 1
    s.cargo[ship][space] = 1 + p
    tell(s, Event.LOADED, p, ship, space)


@rule
def stall(s: State) -> None:
    """Nobody can act: stones on waiting ships go back to the quarries, and the ships are gone (IMH-T11)."""
    tell(s, Event.STALLED, -1)
    for ship in range(SHIPS):
        if s.berth[ship] == Berth.WAITING:
            s.berth[ship] = Berth.GONE
            for space in range(SPACES):
                if s.cargo[ship][space] > 0:
                    quarry.take_back(s, s.cargo[ship][space])
                    s.cargo[ship][space] = 0


# --- Sailing ----------------------------------------------------------------------------------------------------


@rule
def sail(s: State, p: int, voyage: int) -> None:
    """A ship docks at a site and is unloaded from bow to stern (IMH-T5, U1)."""
    dock(s, p, voyage)
    line_up(s)


@rule
def dock(s: State, p: int, voyage: int) -> None:
    """A ship goes to the dock of a site and stays there (IMH-T7)."""
    ship, site = voyage // SITES, voyage % SITES
    s.berth[ship] = 1 + site
    s.ship = 1 + ship
    tell(s, Event.SAILED, p, ship, site)


@rule
def stones_aboard(s: State, q: int) -> int:
    """Stones of q still on the ship that is being unloaded."""
    n = 0
    for space in range(SPACES):
        if s.cargo[s.ship - 1][space] == 1 + q:
            n += 1
    return n


@rule
def line_up(s: State) -> None:
    """The stones still aboard leave from bow to stern, empty spaces are skipped (IMH-U1)."""
    for space in range(SPACES):
        if s.cargo[s.ship - 1][space] > 0:
            leave_ship(s, space)


@rule
def leave_ship(s: State, space: int) -> None:
    """The stone on a space is the next in the queue."""
    last = 0
    while s.queue[last] > 0:
        last += 1
    s.queue[last] = s.cargo[s.ship - 1][space]
    s.cargo[s.ship - 1][space] = 0


# --- Unloading --------------------------------------------------------------------------------------------------


@rule
def at_market(s: State) -> bool:
    """Whether the ship being unloaded lies at the market."""
    return s.ship > 0 and s.berth[s.ship - 1] == 1 + Site.MARKET


@rule
def next_stone(s: State) -> None:
    """The next stone of the ship is resolved, or the ship is done (IMH-U2, U3)."""
    if s.served == SPACES or s.queue[s.served] == 0:
        finish_unloading(s)
        return
    p = s.queue[s.served] - 1
    if not at_market(s):
        s.served += 1
        building.place(s, p, s.berth[s.ship - 1] - 1)
    elif market.any_offer(s):
        s.step = Step.OFFER
        s.chooser = p
    else:
        stone_served(s, p)


@rule
def stone_served(s: State, p: int) -> None:
    """A market stone is done; with `market_return` = per_stone it goes back now (IMH-M3, M6)."""
    s.served += 1
    if s.market_return == MarketReturn.PER_STONE:
        quarry.take_back(s, 1 + p)


@rule
def finish_unloading(s: State) -> None:
    """Market stones go back to the quarries together (IMH-M3), and the ship stays empty."""
    go_back = at_market(s) and s.market_return != MarketReturn.PER_STONE
    for i in range(SPACES):
        if go_back and s.queue[i] > 0:
            quarry.take_back(s, s.queue[i])
        s.queue[i] = 0
    s.served = 0
    s.ship = 0
