"""What a player sees of Imhotep as a row of numbers, for learning; seats are counted from the player's own."""

from __future__ import annotations

from perankh.engine.api import rule

from .cards import hidden_kind
from .possible import minimum
from .scoring import stones_at
from .table import (
    BUILDING_CELLS,
    BURIAL_ROOM,
    FACE_DOWN,
    KINDS,
    OBELISK,
    OBELISKS,
    PAIR,
    PYRAMID,
    REDS,
    REJECTED,
    ROUND_CARDS,
    ROUNDS,
    SEATS,
    SECRET,
    SHIPS,
    SITES,
    SLOTS,
    SPACES,
    STEPS,
    TEMPLE_CELLS,
    State,
    capacity,
    visible,
    width,
)

NUMBER_OF_STEPS = len(STEPS)
BERTHS = len(SITES) + 2
SEAT = 5 + 4 + KINDS
STONES_SEEN = SHIPS * SPACES + SPACES + BUILDING_CELLS + TEMPLE_CELLS + BURIAL_ROOM + OBELISKS
CARD_ROWS = SLOTS + PAIR + 4  # one-hot or counted rows of KINDS
OBSERVATION = SEATS * SEAT + STONES_SEEN * SEATS + SHIPS * (3 + BERTHS) + CARD_ROWS * KINDS + PAIR + ROUND_CARDS
OBSERVATION += REDS + NUMBER_OF_STEPS + 10 + 12 + SEATS


@rule
def observe(s: State, p: int, out: list[int]) -> None:
    """Seats, stones wherever they lie, ships, cards, and the turn."""
    n = observe_seats(s, p, out)
    n = observe_stones(s, p, out, n)
    n = observe_ships(s, out, n)
    n = observe_cards(s, out, n)
    observe_turn(s, p, out, n)


@rule
def observe_seats(s: State, p: int, out: list[int]) -> int:
    """Of each seat from p's on: quarry, sled, points, turn, choice, stones at the monuments, cards held."""
    n = 0
    for i in range(SEATS):
        q = (p + i) % s.players
        present = 1 if i < s.players else 0
        out[n] = present * s.quarry[q]
        out[n + 1] = present * s.sled[q]
        out[n + 2] = present * s.score[q]
        out[n + 3] = 1 if present and s.turn == q else 0
        out[n + 4] = 1 if present and s.chooser == q else 0
        n += 5
        for site in range(PYRAMID, OBELISK + 1):
            out[n] = present * stones_at(s, site, q)
            n += 1
        for kind in range(KINDS):
            out[n] = present * s.held[q][kind]
            n += 1
    return n


@rule
def observe_stone(s: State, p: int, stone: int, out: list[int], n: int) -> int:
    """A place for a stone: one number a seat, 1 for its owner's."""
    for i in range(SEATS):
        out[n + i] = 1 if i < s.players and stone == 1 + (p + i) % s.players else 0
    return n + SEATS


@rule
def observe_stones(s: State, p: int, out: list[int], n: int) -> int:
    """Ships, the stones still to be unloaded, and the sites."""
    for ship in range(SHIPS):
        for space in range(SPACES):
            n = observe_stone(s, p, s.cargo[ship][space], out, n)
    for i in range(SPACES):
        n = observe_stone(s, p, s.queue[i] if i >= s.served else 0, out, n)
    for cell in range(BUILDING_CELLS):
        n = observe_stone(s, p, s.pyramid[cell], out, n)
    for cell in range(TEMPLE_CELLS):
        n = observe_stone(s, p, visible(s, cell) if cell < width(s) else 0, out, n)
    for k in range(BURIAL_ROOM):
        n = observe_stone(s, p, s.burial[k], out, n)
    for slot in range(OBELISKS):
        n = observe_stone(s, p, s.erected[slot], out, n)
    return n


@rule
def observe_ships(s: State, out: list[int], n: int) -> int:
    """Capacity, minimum load, where the ship is, and whether it is being sailed or unloaded."""
    for ship in range(SHIPS):
        out[n] = capacity(s, ship)
        out[n + 1] = minimum(s, ship)
        out[n + 2] = 1 if s.ship == 1 + ship else 0
        n += 3
        for berth in range(BERTHS):
            out[n] = 1 if s.berth[ship] == berth else 0
            n += 1
    return n


@rule
def observe_cards(s: State, out: list[int], n: int) -> int:
    """Market slots, the pair as far as p knows it, unseen and discarded cards, own rejected ones, and the card in play."""
    for slot in range(SLOTS):
        for kind in range(KINDS):
            out[n] = 1 if s.market[slot] == 1 + kind else 0
            n += 1
    for i in range(PAIR):
        out[n] = 1 if s.hidden[i] == FACE_DOWN else 0
        n += 1
        for kind in range(KINDS):
            out[n] = 1 if hidden_kind(s, i) == kind else 0
            n += 1
    for kind in range(KINDS):
        out[n] = s.unseen[kind]
        out[n + 1] = s.discard[kind]
        out[n + 2] = 0
        for i in range(REJECTED, REJECTED + ROUNDS):
            if s.hidden[i] == SECRET + kind:
                out[n + 2] += 1
        out[n + 3] = 1 if s.played == 1 + kind else 0
        n += 4
    return n


@rule
def observe_turn(s: State, p: int, out: list[int], n: int) -> None:
    """Round cards, step, counters, options, and which seat p has."""
    for card in range(ROUND_CARDS):
        out[n] = s.turned[card]
        n += 1
    for kind in range(REDS):
        out[n] = s.red[kind]
        n += 1
    for step in range(NUMBER_OF_STEPS):
        out[n] = 1 if s.step == step else 0
        n += 1
    out[n], out[n + 1], out[n + 2], out[n + 3], out[n + 4] = s.players, s.round, s.round_card, s.deck, s.buried
    out[n + 5], out[n + 6], out[n + 7], out[n + 8], out[n + 9] = s.shuffles, s.turns, s.passes, s.served, s.cell
    n += 10
    out[n], out[n + 1], out[n + 2] = s.market_side, s.pyramid_side, s.temple_side
    out[n + 3], out[n + 4], out[n + 5], out[n + 6] = s.burial_side, s.obelisk_side, s.wrath, s.wrath_scope
    out[n + 7], out[n + 8], out[n + 9] = s.quarry_take, s.blue_parts, s.market_return
    out[n + 10], out[n + 11] = s.obelisk_b_pay, s.discard_open
    n += 12
    for seat in range(SEATS):
        out[n] = 1 if p == seat else 0
        n += 1
