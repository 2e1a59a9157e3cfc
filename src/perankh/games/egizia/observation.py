"""What a player sees of Egizia as a row of numbers, for learning; seats are counted from the player's own."""

from __future__ import annotations

from perankh.engine.api import rule

from .cards import field_colour, has
from .knowledge import seen_cards
from .monuments import obelisk_bricks, pyramid_bricks, statue_bricks
from .printed import (
    BONUS_TILES,
    CARD_SPACES,
    CARDS,
    COLOURS,
    CREWS,
    DOCK_SPACES,
    DOCKS,
    FIELD_CARDS,
    MARKETS,
    OBELISK_SPACES,
    PYRAMID_ROWS,
    PYRAMID_WIDTH,
    SEATS,
    SPHINX_CARDS,
    STARTER,
    STATUES,
    STATUES_IN_PLAY,
    TILE_SPACES,
    TILES,
)
from .scoring import M_GRAIN, M_STONES_MADE, measure
from .sphinx import hand, hand_size
from .table import FINAL, PHASES, STEPS, State

NUMBER_OF_CREWS = len(CREWS)
NUMBER_OF_MARKETS = len(MARKETS)
NUMBER_OF_FIELDS = len(FIELD_CARDS)
NUMBER_OF_COLOURS = len(COLOURS)
NUMBER_OF_STEPS = len(STEPS)
NUMBER_OF_PHASES = len(PHASES)
PARTS_OF_FINAL = len(FINAL)
OPTIONS = len(State.options)

NUMBERS = 19  # single numbers of a seat
SEAT = NUMBERS + SEATS + 2 * NUMBER_OF_CREWS + NUMBER_OF_MARKETS + STATUES_IN_PLAY + PARTS_OF_FINAL + CARDS + NUMBER_OF_COLOURS
SHIPS_SEEN = CARD_SPACES + TILE_SPACES + DOCKS * (DOCK_SPACES + 1) + OBELISK_SPACES + PYRAMID_ROWS * PYRAMID_WIDTH
CARDS_SEEN = CARD_SPACES * CARDS + 4 * CARDS + TILE_SPACES * TILES + 2 * BONUS_TILES + STATUES_IN_PLAY * STATUES
SPHINX_SEEN = 4 * SPHINX_CARDS
TURN = NUMBER_OF_STEPS + NUMBER_OF_PHASES + 24 + OPTIONS + SEATS
OBSERVATION = SEATS * SEAT + SHIPS_SEEN * SEATS + CARDS_SEEN + SPHINX_SEEN + TURN


@rule
def observe(s: State, p: int, out: list[int]) -> None:
    """Seats, ships and bricks wherever they are, cards and tiles, the Sphinx, and the turn."""
    n = observe_seats(s, p, out)
    n = observe_ships(s, p, out, n)
    n = observe_cards(s, out, n)
    n = observe_sphinx(s, p, out, n)
    observe_turn(s, p, out, n)


@rule
def observe_seats(s: State, p: int, out: list[int]) -> int:
    """Everything before each player, from p's seat on."""
    n = 0
    for i in range(SEATS):
        if i < s.players:
            observe_seat(s, (p + i) % s.players, out, n)
        else:
            for k in range(SEAT):
                out[n + k] = 0
        n += SEAT
    return n


@rule
def observe_seat(s: State, q: int, out: list[int], n: int) -> None:
    """One player's tracks, crews, statues and Nile cards."""
    out[n], out[n + 1], out[n + 2], out[n + 3] = s.vp[q], s.stones[q], s.turned[q], s.tokens[q]
    out[n + 4], out[n + 5], out[n + 6], out[n + 7] = s.ships[q], s.frontier[q], (s.passed >> q) & 1, s.columns[q]
    out[n + 8], out[n + 9], out[n + 10] = s.present[q], s.built[q], s.closed_eye[q]
    out[n + 11], out[n + 12] = s.first_berth[q], (s.acted >> q) & 1
    out[n + 13], out[n + 14] = hand_size(s, q), obelisk_bricks(s, q, 0)
    out[n + 15], out[n + 16] = pyramid_bricks(s, q), statue_bricks(s, q)
    out[n + 17], out[n + 18] = measure(s, q, M_GRAIN), measure(s, q, M_STONES_MADE)
    n += NUMBERS
    for i in range(SEATS):
        out[n + i] = 0
    for i in range(s.players):
        if s.order[i] == q:
            out[n + i] = 1
    n += SEATS
    for crew in range(NUMBER_OF_CREWS):
        out[n] = s.strength[q][crew]
        out[n + 1] = (s.flipped[q] >> crew) & 1
        n += 2
    for market in range(NUMBER_OF_MARKETS):
        out[n] = s.market[q][market]
        n += 1
    for place in range(STATUES_IN_PLAY):
        out[n] = s.level[q][place]
        n += 1
    for part in range(PARTS_OF_FINAL):
        out[n] = s.final[q][part]
        n += 1
    for card in range(CARDS):
        out[n] = 1 if has(s.held[q], card) else 0
        n += 1
    observe_fields(s, q, out, n)


@rule
def observe_fields(s: State, q: int, out: list[int], n: int) -> None:
    """How many fields of each colour, improvers included."""
    for colour in range(NUMBER_OF_COLOURS):
        out[n + colour] = 0
    out[n + field_colour(s, q, STARTER)] += 1
    for i in range(NUMBER_OF_FIELDS):
        if has(s.held[q], FIELD_CARDS[i]):
            out[n + field_colour(s, q, FIELD_CARDS[i])] += 1


@rule
def observe_owner(s: State, p: int, owner: int, out: list[int], n: int) -> int:
    """A place for a ship or a brick (1 + its seat): one number a seat, 1 for its owner's."""
    for i in range(SEATS):
        out[n + i] = 1 if i < s.players and owner == 1 + (p + i) % s.players else 0
    return n + SEATS


@rule
def observe_ships(s: State, p: int, out: list[int], n: int) -> int:
    """Ships on card spaces, tiles and docks; bricks on obelisk and pyramid."""
    for space in range(CARD_SPACES):
        n = observe_owner(s, p, s.card_ship[space], out, n)
    for space in range(TILE_SPACES):
        for i in range(SEATS):
            out[n] = s.tile_ships[space][(p + i) % s.players] if i < s.players else 0
            n += 1
    for dock in range(DOCKS):
        for space in range(DOCK_SPACES):
            n = observe_owner(s, p, s.dock[dock][space], out, n)
        n = observe_owner(s, p, s.speculator[dock], out, n)
    for space in range(OBELISK_SPACES):
        n = observe_owner(s, p, s.obelisk[space], out, n)
    for row in range(PYRAMID_ROWS):
        for space in range(PYRAMID_WIDTH):
            n = observe_owner(s, p, s.pyramid[row][space], out, n)
    return n


@rule
def observe_one(value: int, size: int, out: list[int], n: int) -> int:
    """One of so many things: 1 at its place, 0 elsewhere; nothing for a negative value."""
    for i in range(size):
        out[n + i] = 1 if i == value else 0
    return n + size


@rule
def observe_cards(s: State, out: list[int], n: int) -> int:
    """Cards on the river, in decks, discarded and spent; Nile tiles, colonnade tiles and statues."""
    for space in range(CARD_SPACES):
        n = observe_one(s.river[space] - 1, CARDS, out, n)
    for card in range(CARDS):
        out[n] = 1 if has(s.undrawn, card) else 0
        out[n + 1] = 1 if has(s.discarded, card) else 0
        out[n + 2] = 1 if has(s.gone, card) else 0
        out[n + 3] = 1 if has(s.spent, card) else 0
        n += 4
    for space in range(TILE_SPACES):
        n = observe_one(s.laid[space] + 0, TILES, out, n)
    for place in range(2):
        n = observe_one(s.bonus_tile[place] + 0, BONUS_TILES, out, n)
    for place in range(STATUES_IN_PLAY):
        n = observe_one(s.statue[place] - 1, STATUES, out, n)
    return n


@rule
def observe_sphinx(s: State, p: int, out: list[int], n: int) -> int:
    """Of each Sphinx card: in the own hand, seen, known in the deck and how far from the top, in an open hand of another."""
    own = hand(s, p)
    seen = seen_cards(s, p)
    others = 0
    for q in range(s.players):
        if q != p:
            others |= hand(s, q)
    for card in range(SPHINX_CARDS):
        out[n] = 1 if has(own, card) else 0
        out[n + 1] = 1 if has(seen, card) else 0
        out[n + 2] = 0
        for place in range(s.tape_top, s.tape_end):
            if s.tape[place] == 1 + card:
                out[n + 2] = 1 + place - s.tape_top
        out[n + 3] = 1 if has(others, card) else 0
        n += 4
    return n


@rule
def observe_turn(s: State, p: int, out: list[int], n: int) -> None:
    """Step, phase, what is under way, options, and which seat p has."""
    n = observe_one(s.step + 0, NUMBER_OF_STEPS, out, n)
    n = observe_one(s.phase + 0, NUMBER_OF_PHASES, out, n)
    out[n], out[n + 1], out[n + 2], out[n + 3] = s.players, s.round, s.ring, s.turn
    out[n + 4], out[n + 5], out[n + 6], out[n + 7] = s.source, s.part, s.times, s.raised
    out[n + 8], out[n + 9], out[n + 10], out[n + 11] = s.target, s.extra, s.harvest, s.shortage
    out[n + 12], out[n + 13], out[n + 14], out[n + 15] = s.docking, s.berth, s.power, s.budget
    out[n + 16], out[n + 17], out[n + 18], out[n + 19] = s.bricks, s.line, s.carved, s.new_tile
    out[n + 20], out[n + 21] = s.keep_two, s.tape_end - s.tape_top
    out[n + 22], out[n + 23] = s.decided, (s.chooser - p) % s.players
    n += 24
    out[n], out[n + 1], out[n + 2], out[n + 3] = s.crew_max, s.ships_per_player, s.brick_limit, s.stone_market_spaces
    out[n + 4], out[n + 5], out[n + 6], out[n + 7] = s.coop_order, s.coop_needs, s.sphinx_return, s.surplus_sale
    out[n + 8], out[n + 9], out[n + 10] = s.sphinx_max, s.decline_pack, s.colonnade_market_bonus
    out[n + 11], out[n + 12], out[n + 13] = s.g3_start, s.keep2_when, s.improver_waits
    out[n + 14], out[n + 15], out[n + 16] = s.second_ship_stack, s.g10_same_tile, s.tiles_2p_round1
    out[n + 17], out[n + 18] = s.finish_bonus_2p, s.pyramid_majority_zero
    n += OPTIONS
    observe_one(p, SEATS, out, n)
