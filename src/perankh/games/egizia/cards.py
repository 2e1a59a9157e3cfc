"""Nile cards of Egizia: decks and river, cards before a player, fields and quarries."""

from __future__ import annotations

from perankh.engine.api import below, rule

from .printed import (
    ACTION_MASK,
    ALL_CARDS,
    CARD_COLOUR,
    CARD_OPEN,
    CARD_SPACES,
    CARD_VALUE,
    CARDS,
    DECK_MASK,
    DECK_OF_ROUND,
    FIELD_CARDS,
    FIELD_GRAIN,
    FIELD_IDS,
    GREEN,
    IMPROVERS,
    KEPT_AFTER_USE,
    MARKED_CARDS,
    PRINTED_TILES,
    QUARRY_CARDS,
    STARTER,
    STARTER_COLOUR,
    STARTER_GRAIN,
    STARTER_QUARRY,
    TILE_IN_GAME,
    TILE_OPEN,
    TILE_SPACES,
    TILES,
)
from .table import CLOSED_SPACE, PRINTED_ROUND, State
from .tracks import tile_number

NUMBER_OF_FIELDS = len(FIELD_CARDS)
NUMBER_OF_QUARRIES = len(QUARRY_CARDS)
NUMBER_OF_IMPROVERS = len(IMPROVERS)

# --- Sets of cards ------------------------------------------------------------------------------------------------


@rule
def has(cards: int, card: int) -> bool:
    """Whether a set holds a card."""
    return (cards >> card) & 1 == 1


@rule
def count(cards: int) -> int:
    """How many cards a set holds."""
    n = 0
    while cards:
        cards &= cards - 1
        n += 1
    return n


@rule
def nth(cards: int, n: int) -> int:
    """The card that follows n others of the set."""
    for _ in range(n):
        cards &= cards - 1
    card = 0
    while not has(cards, card):
        card += 1
    return card


@rule
def list_cards(cards: int, base: int, out: list[int], n: int) -> int:
    """Write base + each card of a set from place n of `out` on, and return the new n."""
    for card in range(CARDS):
        if has(cards, card):
            out[n] = base + card
            n += 1
    return n


@rule
def use_up(s: State, p: int, card: int) -> None:
    """A used card is discarded and never returns (EGZ-N4); a permanent one is spent for the round."""
    if has(KEPT_AFTER_USE, card):
        s.spent |= 1 << card
    else:
        s.held[p] &= ~(1 << card)
        s.discarded |= 1 << card


@rule
def discard_resolved(s: State, p: int, card: int) -> None:
    """An immediate action card leaves once it is resolved; fields and lasting cards stay (EGZ-P11, P12, P13)."""
    if has(ACTION_MASK & ~KEPT_AFTER_USE, card):
        s.held[p] &= ~(1 << card)
        s.discarded |= 1 << card


# --- River phase --------------------------------------------------------------------------------------------------


@rule
def sort_decks(s: State) -> None:
    """All Nile cards are in their decks, without the marked ones with 2 players (EGZ-S2, Q2)."""
    s.gone = MARKED_CARDS if s.players == 2 else 0
    s.undrawn = ALL_CARDS & ~s.gone


@rule
def lay_cards(s: State) -> None:
    """A card of the round's deck on each open card space, the most upstream first (EGZ-R1, R2, Q3)."""
    deck = s.undrawn & DECK_MASK[DECK_OF_ROUND[s.round]]
    left = count(deck)
    for space in range(CARD_SPACES):
        if CARD_OPEN[s.players - 2][space] and left > 0:
            card = nth(deck, below(s, left))
            deck &= ~(1 << card)
            left -= 1
            s.undrawn &= ~(1 << card)
            s.river[space] = 1 + card


@rule
def lay_tiles(s: State) -> None:
    """Printed effects in round 1, shuffled tiles later; with 2 players tiles from round 1 on (EGZ-R3, S3, Q4)."""
    printed = s.round == 1 and (s.players > 2 or s.tiles_2p_round1 == PRINTED_ROUND)
    pool = 0
    left = 0
    for tile in range(TILES):
        if TILE_IN_GAME[s.players - 2][tile]:
            pool |= 1 << tile
            left += 1
    for space in range(TILE_SPACES):
        s.laid[space] = CLOSED_SPACE
        if TILE_OPEN[s.players - 2][space]:
            if printed:
                s.laid[space] = PRINTED_TILES[space]
            else:
                tile = nth(pool, below(s, left))
                pool &= ~(1 << tile)
                left -= 1
                s.laid[space] = tile


@rule
def clear_river(s: State) -> None:
    """Cards nobody took go out of the game, tiles to the pool (EGZ-U3)."""
    for space in range(CARD_SPACES):
        if s.river[space] > 0:
            s.gone |= 1 << (s.river[space] - 1)
            s.river[space] = 0


@rule
def river_cards(s: State) -> int:
    """The cards that lie on the river (EGZ-P14)."""
    cards = 0
    for space in range(CARD_SPACES):
        if s.river[space] > 0:
            cards |= 1 << (s.river[space] - 1)
    return cards


# --- Fields and quarries ------------------------------------------------------------------------------------------


@rule
def owns_field(s: State, p: int, field: int) -> bool:
    """Whether a field, the starter included, lies before p."""
    return field == STARTER or has(s.held[p], field)


@rule
def field_colour(s: State, p: int, field: int) -> int:
    """The colour of p's field after improvers (EGZ-N5)."""
    colour = int(STARTER_COLOUR[s.turned[p]]) if field == STARTER else int(CARD_COLOUR[field])
    for i in range(NUMBER_OF_IMPROVERS):
        if s.improved[i] == 1 + field and has(s.held[p], IMPROVERS[i]):
            colour -= 1
    return max(GREEN, colour)


@rule
def field_grain(s: State, p: int, field: int) -> int:
    """What a field yields if it is watered, without tiles."""
    return int(STARTER_GRAIN[s.turned[p]]) if field == STARTER else int(CARD_VALUE[field])


@rule
def grain_of(s: State, p: int, colours: int) -> int:
    """Grain of p's fields of the first so many colours; a tile adds to each field (EGZ-F2, F9)."""
    more = tile_number(s, p, FIELD_GRAIN, 0)
    grain = 0
    if field_colour(s, p, STARTER) < colours:
        grain += field_grain(s, p, STARTER) + more
    for i in range(NUMBER_OF_FIELDS):
        field = int(FIELD_CARDS[i])
        if has(s.held[p], field) and field_colour(s, p, field) < colours:
            grain += CARD_VALUE[field] + more
    return grain


@rule
def stone_production(s: State, p: int) -> int:
    """The sum of p's quarries, the starter included (EGZ-M1)."""
    stones = STARTER_QUARRY
    for i in range(NUMBER_OF_QUARRIES):
        if has(s.held[p], QUARRY_CARDS[i]):
            stones += CARD_VALUE[QUARRY_CARDS[i]]
    return stones


@rule
def improvable(s: State, p: int, field: int) -> bool:
    """Whether p has this field and it is yellow or red (EGZ-N6)."""
    return owns_field(s, p, field) and field_colour(s, p, field) > GREEN


@rule
def is_field(field: int) -> bool:
    """Whether a number names a field card or the starter."""
    for i in range(NUMBER_OF_FIELDS):
        if FIELD_CARDS[i] == field:
            return True
    return field == STARTER


@rule
def list_improvable(s: State, p: int, base: int, out: list[int], n: int) -> int:
    """Write base + each field that can be improved (EGZ-N6)."""
    for field in range(FIELD_IDS):
        if is_field(field) and improvable(s, p, field):
            out[n] = base + field
            n += 1
    return n


@rule
def only_improvable(s: State, p: int) -> int:
    """The one field that can be improved; -1 for none, -2 for several (EGZ-N6)."""
    found = -1
    for field in range(FIELD_IDS):
        if is_field(field) and improvable(s, p, field):
            if found >= 0:
                return -2
            found = field
    return found


@rule
def attach(s: State, improver: int, field: int) -> None:
    """An improver card goes to a field for the rest of the game (EGZ-N6)."""
    for i in range(NUMBER_OF_IMPROVERS):
        if IMPROVERS[i] == improver:
            s.improved[i] = 1 + field


@rule
def attach_waiting(s: State, p: int, field: int) -> None:
    """Waiting improvers go to the yellow or red field just taken (EGZ-N6)."""
    for i in range(NUMBER_OF_IMPROVERS):
        if has(s.held[p], IMPROVERS[i]) and s.improved[i] == 0 and s.improver_waits and field_colour(s, p, field) > GREEN:
            s.improved[i] = 1 + field
