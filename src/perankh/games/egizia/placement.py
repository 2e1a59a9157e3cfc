"""The placement phase of Egizia: where a ship may go, by which ability, and what happens there."""

from __future__ import annotations

from perankh.engine.api import rule

from .cards import count, list_cards, nth, river_cards, use_up
from .effects import begin_effect, take_card
from .printed import (
    CARD_INDEX,
    CARD_SPACES,
    CARDS,
    DOCK_INDEX,
    DOCK_SPACES,
    DOCKS,
    DOUBLE_TILE,
    EXTRA_SHIP,
    LEFTOVER,
    OCCUPIED_TILE,
    SECOND_SHIP,
    SHARED_TILE,
    SPHINX_DOCK,
    TILE_INDEX,
    TILE_SPACES,
    UPSTREAM,
    UPSTREAM_TILE,
)
from .table import (
    BONUS,
    CARD,
    DOUBLE,
    FIRST_DOCK,
    FIRST_SPECULATION,
    FIRST_TILE,
    LEFT_OVER,
    LEFTOVERS,
    LOCATION,
    LOCATIONS,
    NONE,
    OCCUPIED,
    PASS,
    PLACE,
    SECOND,
    State,
)
from .table import UPSTREAM as CHOOSE_UPSTREAM
from .tracks import on_turn, usable_tile, use_tile

# --- Where a ship may go ----------------------------------------------------------------------------------------


@rule
def index_of(location: int) -> int:
    """The river index of a location, 1 for the most upstream."""
    if location < FIRST_TILE:
        return int(CARD_INDEX[location])
    if location < FIRST_DOCK:
        return int(TILE_INDEX[location - FIRST_TILE])
    if location < FIRST_SPECULATION:
        return int(DOCK_INDEX[(location - FIRST_DOCK) // DOCK_SPACES])
    return int(DOCK_INDEX[location - FIRST_SPECULATION])


@rule
def ships_on_tile(s: State, space: int) -> int:
    """Ships on a tile space."""
    n = 0
    for p in range(s.players):
        n += s.tile_ships[space][p]
    return n


@rule
def open_spaces(s: State) -> int:
    """Open spaces of every dock: one fewer than players (EGZ-S11, Q8)."""
    return s.players - 1


@rule
def dock_full(s: State, dock: int) -> bool:
    """Whether every open space of a dock holds a ship (EGZ-P9)."""
    for space in range(open_spaces(s)):
        if s.dock[dock][space] == 0:
            return False
    return True


@rule
def upstream_cards(s: State, p: int) -> int:
    """P's cards that let a ship go upstream (EGZ-N9)."""
    return int(s.held[p]) & UPSTREAM


@rule
def can_go_upstream(s: State, p: int) -> bool:
    """Whether p holds a way to place upstream (EGZ-N9)."""
    return upstream_cards(s, p) != 0 or usable_tile(s, p, UPSTREAM_TILE) >= 0


@rule
def occupied_cards(s: State, p: int) -> int:
    """P's cards that let a ship go onto an occupied tile this round (EGZ-N8)."""
    return int(s.held[p]) & OCCUPIED_TILE & ~s.spent


@rule
def shares_last_tile(s: State, p: int, index: int) -> bool:
    """Whether the shared-tile ability works for this index without going upstream (EGZ-N14)."""
    return index > s.frontier[p] or (index == s.frontier[p] and s.g10_same_tile == 1)


@rule
def shared_tile_opens(s: State, p: int, index: int) -> bool:
    """Whether p's shared tile (G10) can open an occupied tile (EGZ-N14)."""
    return usable_tile(s, p, SHARED_TILE) >= 0 and (shares_last_tile(s, p, index) or can_go_upstream(s, p))


@rule
def occupied_cards_for(s: State, p: int, index: int) -> int:
    """The cards that can open an occupied tile (EGZ-N8)."""
    return occupied_cards(s, p) if index > s.frontier[p] or can_go_upstream(s, p) else 0


@rule
def is_free(s: State, p: int, location: int) -> bool:
    """Whether a location has room for p's ship, whatever its river index; occupied tiles apart (EGZ-P5, P8, P9)."""
    if location < FIRST_TILE:
        return s.river[location] > 0 and s.card_ship[location] == 0
    if location < FIRST_DOCK:
        return s.laid[location - FIRST_TILE] >= 0 and ships_on_tile(s, location - FIRST_TILE) == 0
    if location < FIRST_SPECULATION:
        dock = (location - FIRST_DOCK) // DOCK_SPACES
        space = (location - FIRST_DOCK) % DOCK_SPACES
        return space < open_spaces(s) and s.dock[dock][space] == 0 and (s.present[p] >> dock) & 1 == 0
    dock = location - FIRST_SPECULATION
    return (s.present[p] >> dock) & 1 == 0 and s.speculator[dock] == 0 and dock_full(s, dock)


@rule
def is_occupied_tile(s: State, location: int) -> bool:
    """Whether a location is a tile space with a ship on it (EGZ-P5)."""
    return FIRST_TILE <= location < FIRST_DOCK and ships_on_tile(s, location - FIRST_TILE) > 0


@rule
def may_place(s: State, p: int, location: int) -> bool:
    """Whether p's next ship may go to a location, abilities included (EGZ-P4, P5, N8, N9, N14)."""
    index = index_of(location)
    if is_occupied_tile(s, location):
        return occupied_cards_for(s, p, index) != 0 or shared_tile_opens(s, p, index)
    return is_free(s, p, location) and (index > s.frontier[p] or can_go_upstream(s, p))


@rule
def locations_for(s: State, p: int, enough: int) -> int:
    """How many locations are legal for p's next ship, counted up to `enough`; 0 without a ship (EGZ-P3)."""
    n = 0
    if s.ships[p] > 0:
        for location in range(LOCATIONS - 1, -1, -1):
            if may_place(s, p, location):
                n += 1
                if n == enough:
                    return n
    return n


@rule
def only_location(s: State, p: int) -> int:
    """The one place where an extra ship can go; -1 if there are several, or the player may pass (EGZ-N11)."""
    if s.extra == 0 or locations_for(s, p, 2) > 1:
        return -1
    location = LOCATIONS - 1
    while not may_place(s, p, location):
        location -= 1
    return PLACE + location


@rule
def list_locations(s: State, p: int, out: list[int]) -> int:
    """Pass, or a location; an extra ship must be placed (EGZ-P1, P2, N11)."""
    n = 0
    if s.extra == 0:
        out[n] = PASS
        n += 1
    for location in range(LOCATIONS):
        if may_place(s, p, location):
            out[n] = PLACE + location
            n += 1
    return n


# --- The turn ---------------------------------------------------------------------------------------------------


@rule
def ask_location(s: State) -> None:
    """The next player who can place is asked; the others have passed, by themselves or for want of a place (EGZ-P1, P3)."""
    while s.passed != (1 << s.players) - 1:
        p = on_turn(s)
        if (s.passed >> p) & 1 == 0:
            if locations_for(s, p, 1) > 0:
                s.step = LOCATION
                s.chooser = p
                return
            s.passed |= 1 << p
        s.turn = (s.turn + 1) % s.players
    s.phase = LEFTOVERS
    s.turn = 0


@rule
def pass_turn(s: State, p: int) -> None:
    """P places no more ships this round (EGZ-P2)."""
    s.passed |= 1 << p
    end_turn(s)


@rule
def end_turn(s: State) -> None:
    """The turn goes to the next player in turn order (EGZ-P1)."""
    s.extra = 0
    s.turn = (s.turn + 1) % s.players


@rule
def place_ship(s: State, p: int, location: int) -> None:
    """A ship is to go to a location; if it needs an ability and several would do, its owner says which (EGZ-P1, N1)."""
    s.target = 1 + location
    index = index_of(location)
    if not is_occupied_tile(s, location):
        go_upstream(s, p, index <= s.frontier[p])
        return
    cards = occupied_cards_for(s, p, index)
    shared = shared_tile_opens(s, p, index)
    if count(cards) + (1 if shared else 0) > 1:
        s.step = OCCUPIED
        s.chooser = p
    elif shared:
        open_tile(s, p, BONUS + s.bonus_tile[usable_tile(s, p, SHARED_TILE)])
    else:
        open_tile(s, p, CARD + nth(cards, 0))


@rule
def open_tile(s: State, p: int, a: int) -> None:
    """An ability lets the ship onto an occupied tile; the tile may lie upstream besides (EGZ-N8, N14)."""
    index = index_of(s.target - 1)
    upstream = index <= s.frontier[p]
    if a >= BONUS and shares_last_tile(s, p, index):
        upstream = False
    use_ability(s, p, a)
    go_upstream(s, p, upstream)


@rule
def go_upstream(s: State, p: int, needed: bool) -> None:
    """A ship that goes upstream needs an ability for it (EGZ-N9)."""
    if not needed:
        land(s, p)
        return
    cards = upstream_cards(s, p)
    place = usable_tile(s, p, UPSTREAM_TILE)
    if count(cards) + (1 if place >= 0 else 0) > 1:
        s.step = CHOOSE_UPSTREAM
        s.chooser = p
        return
    use_ability(s, p, BONUS + s.bonus_tile[place] if place >= 0 else CARD + nth(cards, 0))
    land(s, p)


@rule
def use_ability(s: State, p: int, a: int) -> None:
    """A card or a colonnade tile is used (EGZ-N4, L5)."""
    if a >= BONUS:
        use_tile(s, p, a - BONUS)
    else:
        use_up(s, p, a - CARD)


@rule
def land(s: State, p: int) -> None:
    """The ship arrives: take the card, resolve the tile, or wait at the dock (EGZ-P6 to P9)."""
    location = s.target - 1
    s.ships[p] -= 1
    s.frontier[p] = max(int(s.frontier[p]), index_of(location))
    if location < FIRST_TILE:
        s.card_ship[location] = 1 + p
        card = s.river[location] - 1
        s.river[location] = 0
        take_card(s, p, card)
    elif location < FIRST_DOCK:
        s.tile_ships[location - FIRST_TILE][p] += 1
        if int(s.held[p]) & DOUBLE_TILE:
            s.step = DOUBLE
            s.chooser = p
        else:
            resolve_tile(s, 1)
    elif location < FIRST_SPECULATION:
        moor(s, p, (location - FIRST_DOCK) // DOCK_SPACES, (location - FIRST_DOCK) % DOCK_SPACES)
    else:
        s.speculator[location - FIRST_SPECULATION] = 1 + p
        s.present[p] |= 1 << (location - FIRST_SPECULATION)


@rule
def moor(s: State, p: int, dock: int, space: int) -> None:
    """A ship lies on a dock space (EGZ-P8)."""
    s.dock[dock][space] = 1 + p
    s.present[p] |= 1 << dock
    if dock == SPHINX_DOCK:
        s.first_berth[p] = 1 + space


@rule
def resolve_tile(s: State, times: int) -> None:
    """The tile's effect, once or twice (EGZ-P7, N10)."""
    begin_effect(s, CARDS + s.laid[s.target - 1 - FIRST_TILE], times)


# --- A second ship ----------------------------------------------------------------------------------------------


@rule
def ship_placed(s: State, p: int) -> None:
    """After the location is resolved a second ship may be placed; else the turn passes (EGZ-N11)."""
    s.target = 0
    cards = int(s.held[p]) & SECOND_SHIP
    able = cards != 0 or usable_tile(s, p, EXTRA_SHIP) >= 0
    if able and (s.extra == 0 or s.second_ship_stack == 1) and locations_for(s, p, 1) > 0:
        s.step = SECOND
        s.chooser = p
    else:
        end_turn(s)


@rule
def place_extra(s: State, p: int) -> None:
    """The extra ship must be placed (EGZ-N11)."""
    s.extra += 1
    s.step = LOCATION
    s.chooser = p


@rule
def list_abilities(s: State, cards: int, place: int, may_decline: bool, out: list[int]) -> int:
    """Cards and a colonnade tile of which one may be used."""
    n = 0
    if may_decline:
        out[n] = NONE
        n += 1
    n = list_cards(cards, CARD, out, n)
    if place >= 0:
        out[n] = BONUS + s.bonus_tile[place]
        n += 1
    return n


# --- Leftover cards ---------------------------------------------------------------------------------------------


@rule
def ask_leftover(s: State) -> bool:
    """In turn order, who can take a card left on the river is asked; False when all are through (EGZ-N12)."""
    while s.turn < s.players:
        p = on_turn(s)
        if int(s.held[p]) & LEFTOVER and river_cards(s) != 0:
            s.step = LEFT_OVER
            s.chooser = p
            return True
        s.turn += 1
    return False


@rule
def take_leftover(s: State, p: int, card: int) -> None:
    """The card used is discarded, the river card taken; no ship is placed (EGZ-N12)."""
    use_up(s, p, nth(int(s.held[p]) & LEFTOVER, 0))
    for space in range(CARD_SPACES):
        if s.river[space] == 1 + card:
            s.river[space] = 0
    take_card(s, p, card)


# --- Clean-up ---------------------------------------------------------------------------------------------------


@rule
def recall_ships(s: State) -> None:
    """All ships return to their owners (EGZ-U3)."""
    for space in range(CARD_SPACES):
        s.card_ship[space] = 0
    for space in range(TILE_SPACES):
        for p in range(s.players):
            s.tile_ships[space][p] = 0
    for dock in range(DOCKS):
        s.speculator[dock] = 0
        for space in range(DOCK_SPACES):
            s.dock[dock][space] = 0
    for p in range(s.players):
        s.ships[p] = s.ships_per_player
        s.frontier[p] = 0
        s.present[p] = 0
        s.built[p] = 0
        s.first_berth[p] = 0
    s.passed = 0
