"""The placement phase of Egizia: where a ship may go, by which ability, and what happens there."""

from __future__ import annotations

from perankh.engine.api import Constants, masks, rule, tell

from . import components, effects, nile, tracks
from .components import Bonus, Dock
from .events import Event
from .state import LOCATIONS, Action, Location, Phase, State, Step

ALL_LOCATIONS = (1 << LOCATIONS) - 1
# [river index] the locations further down the river, as a set
DOWNSTREAM = Constants(
    sum(1 << location for location in range(LOCATIONS) if components.INDEX_OF[location] > index)
    for index in range(max(components.INDEX_OF) + 1)
)

# --- Where a ship may go ----------------------------------------------------------------------------------------


@rule
def index_of(location: int) -> int:
    """The river index of a location, 1 for the most upstream."""
    index: int = components.INDEX_OF[location]
    return index


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
    return s.held[p] & components.UPSTREAM


@rule
def can_go_upstream(s: State, p: int) -> bool:
    """Whether p holds a way to place upstream (EGZ-N9)."""
    return upstream_cards(s, p) != 0 or tracks.usable_tile(s, p, Bonus.UPSTREAM) >= 0


@rule
def occupied_cards(s: State, p: int) -> int:
    """P's cards that let a ship go onto an occupied tile this round (EGZ-N8)."""
    return s.held[p] & components.OCCUPIED_TILE & ~s.spent


@rule
def shares_last_tile(s: State, p: int, index: int) -> bool:
    """Whether the shared-tile ability works for this index without going upstream (EGZ-N14)."""
    return index > s.frontier[p] or (index == s.frontier[p] and bool(s.g10_same_tile))


@rule
def shared_tile_opens(s: State, p: int, index: int) -> bool:
    """Whether p's shared tile (G10) can open an occupied tile (EGZ-N14)."""
    return tracks.usable_tile(s, p, Bonus.SHARED_TILE) >= 0 and (shares_last_tile(s, p, index) or can_go_upstream(s, p))


@rule
def occupied_cards_for(s: State, p: int, index: int) -> int:
    """The cards that can open an occupied tile (EGZ-N8)."""
    return occupied_cards(s, p) if index > s.frontier[p] or can_go_upstream(s, p) else 0


@rule
def is_occupied_tile(s: State, location: int) -> bool:
    """Whether a location is a tile space with a ship on it (EGZ-P5)."""
    return Location.TILE <= location < Location.DOCK and ships_on_tile(s, location - Location.TILE) > 0


@rule
def free_locations(s: State, p: int) -> int:
    """The locations with room for p's ship, whatever their river index, as a set; occupied tiles apart (EGZ-P5, P8, P9)."""
    found = 0
    for space in range(components.CARD_SPACES):
        if s.river[space] > 0 and s.card_ship[space] == 0:
            found = masks.added(found, space)
    for space in range(components.TILE_SPACES):
        if s.laid[space] >= 0 and ships_on_tile(s, space) == 0:
            found = masks.added(found, Location.TILE + space)
    for dock in range(components.DOCKS):
        if not masks.has(s.present[p], dock):
            full = True
            for space in range(open_spaces(s)):
                if s.dock[dock][space] == 0:
                    full = False
                    found = masks.added(found, Location.DOCK + components.DOCK_SPACES * dock + space)
            if full and s.speculator[dock] == 0:
                found = masks.added(found, Location.BANK + dock)
    return found


@rule
def occupied_tiles(s: State) -> int:
    """The tile spaces with a ship, as a set of locations (EGZ-P5)."""
    found = 0
    for space in range(components.TILE_SPACES):
        if ships_on_tile(s, space) > 0:
            found = masks.added(found, Location.TILE + space)
    return found


@rule
def locations(s: State, p: int) -> int:
    """The locations for p's next ship, if needed by an ability, as a set (EGZ-P1, P4, P5, N8, N9, N14)."""
    upstream = can_go_upstream(s, p)
    reached: int = ALL_LOCATIONS if upstream else DOWNSTREAM[s.frontier[p]]
    found = free_locations(s, p) & reached
    if occupied_cards(s, p):
        found |= occupied_tiles(s) & reached
    if tracks.usable_tile(s, p, Bonus.SHARED_TILE) >= 0:
        if not upstream and s.g10_same_tile:
            reached = DOWNSTREAM[max(0, s.frontier[p] - 1)]
        found |= occupied_tiles(s) & reached
    return found


@rule
def can_place(s: State, p: int) -> bool:
    """Whether p has a ship left and a location for it (EGZ-P3)."""
    return s.ships[p] > 0 and locations(s, p) != 0


@rule
def only_location(s: State, p: int) -> int:
    """The one place where an extra ship can go; -1 if there are several, or the player may pass (EGZ-N11)."""
    if s.extra == 0:
        return -1
    found = locations(s, p)
    return Action.PLACE + masks.first(found) if masks.count(found) == 1 else -1


@rule
def list_locations(s: State, p: int, out: list[int]) -> int:
    """Pass, or a location; an extra ship must be placed (EGZ-P1, P2, N11)."""
    n = 0
    if s.extra == 0:
        out[n] = Action.PASS
        n += 1
    return masks.write(locations(s, p), Action.PLACE, out, n)


@rule
def list_occupied(s: State, p: int, out: list[int]) -> int:
    """Abilities that let the ship onto the occupied tile (EGZ-N8, N14)."""
    index = index_of(s.target - 1)
    place = tracks.usable_tile(s, p, Bonus.SHARED_TILE) if shared_tile_opens(s, p, index) else -1
    return list_abilities(s, occupied_cards_for(s, p, index), place, False, out)


# --- The turn ---------------------------------------------------------------------------------------------------


@rule
def ask_location(s: State) -> None:
    """The next player who can place is asked; the others have passed, by themselves or for want of a place (EGZ-P1, P3)."""
    while s.passed != masks.all_below(s.players):
        p = tracks.on_turn(s)
        if not masks.has(s.passed, p):
            if can_place(s, p):
                s.step = Step.LOCATION
                s.chooser = p
                return
            s.passed = masks.added(s.passed, p)
            tell(s, Event.CANNOT_PLACE, p)
        s.turn = (s.turn + 1) % s.players
    s.phase = Phase.LEFTOVER
    s.turn = 0


@rule
def pass_turn(s: State, p: int) -> None:
    """P places no more ships this round (EGZ-P2)."""
    s.passed = masks.added(s.passed, p)
    tell(s, Event.PASSED, p)
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
    if masks.count(cards) + (1 if shared else 0) > 1:
        s.step = Step.OCCUPIED
        s.chooser = p
        tell(s, Event.HEADED, p, location)
    elif shared:
        open_tile(s, p, Action.BONUS + s.bonus_tile[tracks.usable_tile(s, p, Bonus.SHARED_TILE)])
    else:
        open_tile(s, p, Action.CARD + masks.first(cards))


@rule
def open_tile(s: State, p: int, a: int) -> None:
    """An ability lets the ship onto an occupied tile; the tile may lie upstream besides (EGZ-N8, N14)."""
    index = index_of(s.target - 1)
    upstream = index <= s.frontier[p]
    if a >= Action.BONUS and shares_last_tile(s, p, index):
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
    place = tracks.usable_tile(s, p, Bonus.UPSTREAM)
    if masks.count(cards) + (1 if place >= 0 else 0) > 1:
        s.step = Step.UPSTREAM
        s.chooser = p
        tell(s, Event.HEADED, p, s.target - 1)
        return
    use_ability(s, p, Action.BONUS + s.bonus_tile[place] if place >= 0 else Action.CARD + masks.first(cards))
    land(s, p)


@rule
def use_ability(s: State, p: int, a: int) -> None:
    """A card or a colonnade tile is used (EGZ-N4, L5)."""
    if a >= Action.BONUS:
        tracks.use_tile(s, p, a - Action.BONUS)
    else:
        nile.use_up(s, p, a - Action.CARD)
        tell(s, Event.USED_CARD, p, a - Action.CARD)


@rule
def land(s: State, p: int) -> None:
    """The ship arrives: take the card, resolve the tile, or wait at the dock (EGZ-P6 to P9)."""
    location = s.target - 1
    s.ships[p] -= 1
    s.frontier[p] = max(s.frontier[p], index_of(location))
    if location < Location.TILE:
        s.card_ship[location] = 1 + p
        card = s.river[location] - 1
        s.river[location] = 0
        tell(s, Event.TOOK_CARD, p, card, location)
        effects.take_card(s, p, card)
    elif location < Location.DOCK:
        s.tile_ships[location - Location.TILE][p] += 1
        tell(s, Event.LANDED, p, s.laid[location - Location.TILE], location)
        if s.held[p] & components.DOUBLE_TILE:
            s.step = Step.DOUBLE
            s.chooser = p
        else:
            resolve_tile(s, 1)
    elif location < Location.BANK:
        moor(s, p, (location - Location.DOCK) // components.DOCK_SPACES, (location - Location.DOCK) % components.DOCK_SPACES)
        tell(s, Event.MOORED, p, location)
    else:
        s.speculator[location - Location.BANK] = 1 + p
        s.present[p] = masks.added(s.present[p], location - Location.BANK)
        tell(s, Event.WAITED, p, location)


@rule
def moor(s: State, p: int, dock: int, space: int) -> None:
    """A ship lies on a dock space (EGZ-P8)."""
    s.dock[dock][space] = 1 + p
    s.present[p] = masks.added(s.present[p], dock)
    if dock == Dock.SPHINX:
        s.first_berth[p] = 1 + space


@rule
def double_tile(s: State, p: int, a: int) -> None:
    """A card doubles the tile's effect, or none does (EGZ-N10)."""
    if a == Action.NONE:
        tell(s, Event.TOOK_ONCE, p)
        resolve_tile(s, 1)
    else:
        use_ability(s, p, a)
        resolve_tile(s, 2)


@rule
def resolve_tile(s: State, times: int) -> None:
    """The tile's effect, once or twice (EGZ-P7, N10)."""
    effects.begin_effect(s, components.CARDS + s.laid[s.target - 1 - Location.TILE], times)


# --- A second ship ----------------------------------------------------------------------------------------------


@rule
def ship_placed(s: State, p: int) -> None:
    """After the location is resolved a second ship may be placed; else the turn passes (EGZ-N11)."""
    s.target = 0
    cards = s.held[p] & components.SECOND_SHIP
    able = cards != 0 or tracks.usable_tile(s, p, Bonus.SECOND_SHIP) >= 0
    if able and (s.extra == 0 or s.second_ship_stack) and can_place(s, p):
        s.step = Step.SECOND
        s.chooser = p
    else:
        end_turn(s)


@rule
def decide_second(s: State, p: int, a: int) -> None:
    """No second ship, and the turn passes; or an ability for it, and then it must be placed (EGZ-N11)."""
    if a == Action.NONE:
        tell(s, Event.NO_SECOND_SHIP, p)
        end_turn(s)
        return
    use_ability(s, p, a)
    s.extra += 1
    s.step = Step.LOCATION
    s.chooser = p


@rule
def list_abilities(s: State, cards: int, place: int, may_decline: bool, out: list[int]) -> int:
    """Cards and a colonnade tile of which one may be used."""
    n = 0
    if may_decline:
        out[n] = Action.NONE
        n += 1
    n = masks.write(cards, Action.CARD, out, n)
    if place >= 0:
        out[n] = Action.BONUS + s.bonus_tile[place]
        n += 1
    return n


# --- Leftover cards ---------------------------------------------------------------------------------------------


@rule
def ask_leftover(s: State) -> bool:
    """In turn order, who can take a card left on the river is asked; False when all are through (EGZ-N12)."""
    while s.turn < s.players:
        p = tracks.on_turn(s)
        if s.held[p] & components.LEFTOVER and nile.river_cards(s) != 0:
            s.step = Step.LEFTOVER
            s.chooser = p
            return True
        s.turn += 1
    return False


@rule
def decide_leftover(s: State, p: int, a: int) -> None:
    """No leftover card, and the next player is asked; or the card used is discarded, the river card taken (EGZ-N2, N12)."""
    if a == Action.NONE:
        tell(s, Event.NO_LEFTOVER, p)
        s.turn += 1
        return
    use_ability(s, p, Action.CARD + masks.first(s.held[p] & components.LEFTOVER))
    for space in range(components.CARD_SPACES):
        if s.river[space] == 1 + a - Action.CARD:
            s.river[space] = 0
            tell(s, Event.TOOK_LEFTOVER, p, a - Action.CARD, space)
    effects.take_card(s, p, a - Action.CARD)


# --- Clean-up ---------------------------------------------------------------------------------------------------


@rule
def recall_ships(s: State) -> None:
    """All ships return to their owners (EGZ-U3)."""
    for space in range(components.CARD_SPACES):
        s.card_ship[space] = 0
    for space in range(components.TILE_SPACES):
        for p in range(s.players):
            s.tile_ships[space][p] = 0
    for dock in range(components.DOCKS):
        s.speculator[dock] = 0
        for space in range(components.DOCK_SPACES):
            s.dock[dock][space] = 0
    for p in range(s.players):
        s.ships[p] = s.ships_per_player
        s.frontier[p] = 0
        s.present[p] = 0
        s.built[p] = 0
        s.first_berth[p] = 0
    s.passed = 0
