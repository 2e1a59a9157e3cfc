"""Nile cards of Egizia: decks and river, cards before a player, fields and quarries."""

from __future__ import annotations

from perankh.engine.api import below, masks, rule, tell

from . import components, tracks
from .components import Bonus, Colour
from .events import Event
from .state import CLOSED_SPACE, Action, FirstTiles, Location, State

# --- Used cards ------------------------------------------------------------------------------------------------


@rule
def use_up(s: State, p: int, card: int) -> None:
    """A used card is discarded and never returns (EGZ-N4); a permanent one is spent for the round."""
    if masks.has(components.KEPT_AFTER_USE, card):
        s.spent = masks.added(s.spent, card)
    else:
        s.held[p] = masks.removed(s.held[p], card)
        s.discarded = masks.added(s.discarded, card)


@rule
def discard_resolved(s: State, p: int, card: int) -> None:
    """An immediate action card leaves once it is resolved; fields and lasting cards stay (EGZ-P11, P12, P13)."""
    if masks.has(components.ACTION_MASK & ~components.KEPT_AFTER_USE, card):
        s.held[p] = masks.removed(s.held[p], card)
        s.discarded = masks.added(s.discarded, card)


# --- River phase --------------------------------------------------------------------------------------------------


@rule
def sort_decks(s: State) -> None:
    """All Nile cards are in their decks, without the marked ones with 2 players (EGZ-S2, Q2)."""
    s.gone = components.MARKED_CARDS if s.players == 2 else 0
    s.undrawn = components.ALL_CARDS & ~s.gone


@rule
def lay_cards(s: State) -> None:
    """A card of the round's deck on each open card space, the most upstream first (EGZ-R1, R2, Q3)."""
    deck = s.undrawn & components.DECK_MASK[components.DECK_OF_ROUND[s.round]]
    left = masks.count(deck)
    for space in range(components.CARD_SPACES):
        if components.CARD_OPEN[s.players - 2][space] and left > 0:
            card = masks.nth(deck, below(s, left))
            deck = masks.removed(deck, card)
            left -= 1
            s.undrawn = masks.removed(s.undrawn, card)
            s.river[space] = 1 + card
            tell(s, Event.CARD_LAID, -1, card, space)


@rule
def lay_tiles(s: State) -> None:
    """Printed effects in round 1, shuffled tiles later; with 2 players tiles from round 1 on (EGZ-R3, S3, Q4)."""
    printed = s.round == 1 and (s.players > 2 or s.tiles_2p_round1 == FirstTiles.PRINTED)
    pool = 0
    left = 0
    for tile in range(components.TILES):
        if components.TILE_IN_GAME[s.players - 2][tile]:
            pool = masks.added(pool, tile)
            left += 1
    for space in range(components.TILE_SPACES):
        s.laid[space] = CLOSED_SPACE
        if components.TILE_OPEN[s.players - 2][space]:
            if printed:
                s.laid[space] = components.PRINTED_TILES[space]
            else:
                tile = masks.nth(pool, below(s, left))
                pool = masks.removed(pool, tile)
                left -= 1
                s.laid[space] = tile
            tell(s, Event.TILE_LAID, -1, s.laid[space], Location.TILE + space)


@rule
def clear_river(s: State) -> None:
    """Cards nobody took go out of the game, tiles to the pool (EGZ-U3)."""
    for space in range(components.CARD_SPACES):
        if s.river[space] > 0:
            s.gone = masks.added(s.gone, s.river[space] - 1)
            s.river[space] = 0


@rule
def river_cards(s: State) -> int:
    """The cards that lie on the river (EGZ-P14)."""
    cards = 0
    for space in range(components.CARD_SPACES):
        if s.river[space] > 0:
            cards = masks.added(cards, s.river[space] - 1)
    return cards


# --- Fields and quarries ------------------------------------------------------------------------------------------


@rule
def field_colour(s: State, p: int, field: int) -> int:
    """The colour of p's field after improvers (EGZ-N5)."""
    colour: int = components.STARTER_COLOUR[s.turned[p]] if field == components.STARTER else components.CARD_COLOUR[field]
    for i in range(len(components.IMPROVERS)):
        if s.improved[i] == 1 + field and masks.has(s.held[p], components.IMPROVERS[i]):
            colour -= 1
    return max(Colour.GREEN, colour)


@rule
def field_grain(s: State, p: int, field: int) -> int:
    """What a field yields if it is watered, without tiles."""
    grain: int = components.STARTER_GRAIN[s.turned[p]] if field == components.STARTER else components.CARD_VALUE[field]
    return grain


@rule
def fields_of(s: State, p: int) -> int:
    """P's fields, the starter included, as a set."""
    return (s.held[p] & components.FIELD_MASK) | (1 << components.STARTER)


@rule
def grain_of(s: State, p: int, colours: int) -> int:
    """Grain of p's fields of the first so many colours; a tile adds to each field (EGZ-F2, F9)."""
    more = tracks.tile_number(s, p, Bonus.FIELD_GRAIN, 0)
    grain = 0
    fields = fields_of(s, p)
    while fields:
        field = masks.first(fields)
        fields = masks.rest(fields)
        if field_colour(s, p, field) < colours:
            grain += field_grain(s, p, field) + more
    return grain


@rule
def stone_production(s: State, p: int) -> int:
    """The sum of p's quarries, the starter included (EGZ-M1)."""
    stones = components.STARTER_QUARRY
    quarries = s.held[p] & components.QUARRY_MASK
    while quarries:
        stones += components.CARD_VALUE[masks.first(quarries)]
        quarries = masks.rest(quarries)
    return stones


@rule
def improvable(s: State, p: int) -> int:
    """P's yellow and red fields, as a set (EGZ-N6)."""
    found = 0
    fields = fields_of(s, p)
    while fields:
        field = masks.first(fields)
        fields = masks.rest(fields)
        if field_colour(s, p, field) > Colour.GREEN:
            found = masks.added(found, field)
    return found


@rule
def list_improvable(s: State, p: int, out: list[int]) -> int:
    """Fields that can be improved (EGZ-N6)."""
    return masks.write(improvable(s, p), Action.CARD, out, 0)


@rule
def attach(s: State, p: int, improver: int, field: int) -> None:
    """An improver card goes to a field for the rest of the game (EGZ-N6)."""
    for i in range(len(components.IMPROVERS)):
        if components.IMPROVERS[i] == improver:
            s.improved[i] = 1 + field
            tell(s, Event.IMPROVED, p, field, field_colour(s, p, field))


@rule
def attach_waiting(s: State, p: int, field: int) -> None:
    """Waiting improvers go to the yellow or red field just taken (EGZ-N6)."""
    for i in range(len(components.IMPROVERS)):
        waiting = masks.has(s.held[p], components.IMPROVERS[i]) and s.improved[i] == 0 and s.improver_waits
        if waiting and field_colour(s, p, field) > Colour.GREEN:
            s.improved[i] = 1 + field
            tell(s, Event.IMPROVED, p, field, field_colour(s, p, field))
