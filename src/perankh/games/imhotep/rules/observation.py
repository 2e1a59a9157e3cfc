"""What a player sees, as numbers; seats are counted from the player's own."""

from __future__ import annotations

from perankh.engine.api import put, put_one_hot, put_row, rule

from . import building, components, market, scoring, ships
from .components import BURIAL_ROOM, KINDS, OBELISKS, PAIR, REDS, ROUND_CARDS, ROUNDS, SEATS, SHIPS, SITES, SLOTS, SPACES, Site
from .state import FACE_DOWN, REJECTED, SECRET, STEPS, State, capacity

BERTHS = SITES + 2


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """Seats, stones wherever they lie, ships, cards, and the turn."""
    i = observe_seats(s, p, out, 0)
    i = observe_stones(s, p, out, i)
    i = observe_ships(s, out, i)
    i = observe_cards(s, out, i)
    return observe_turn(s, p, out, i)


@rule
def observe_seats(s: State, p: int, out: list[int], i: int) -> int:
    """Of each seat from p's on: quarry, sled, points, turn, choice, stones at the monuments, cards held."""
    for k in range(SEATS):
        q = (p + k) % s.players
        present = 1 if k < s.players else 0
        i = put(out, i, present * s.quarry[q])
        i = put(out, i, present * s.sled[q])
        i = put(out, i, present * s.score[q])
        i = put(out, i, 1 if present and s.turn == q else 0)
        i = put(out, i, 1 if present and s.chooser == q else 0)
        for site in range(Site.PYRAMID, SITES):
            i = put(out, i, present * scoring.stones_at(s, site, q))
        for kind in range(KINDS):
            i = put(out, i, present * s.held[q][kind])
    return i


@rule
def put_stone(s: State, p: int, stone: int, out: list[int], i: int) -> int:
    """A place for a stone: one number a seat, 1 for its owner's."""
    for k in range(SEATS):
        i = put(out, i, 1 if k < s.players and stone == 1 + (p + k) % s.players else 0)
    return i


@rule
def observe_stones(s: State, p: int, out: list[int], i: int) -> int:
    """Ships, the stones still to be unloaded, and the sites."""
    for ship in range(SHIPS):
        for space in range(SPACES):
            i = put_stone(s, p, s.cargo[ship][space], out, i)
    for k in range(SPACES):
        i = put_stone(s, p, s.queue[k] if k >= s.served else 0, out, i)
    for cell in range(components.BUILDING_CELLS):
        i = put_stone(s, p, s.pyramid[cell], out, i)
    for cell in range(components.TEMPLE_CELLS):
        i = put_stone(s, p, building.visible(s, cell) if cell < building.width(s) else 0, out, i)
    for k in range(BURIAL_ROOM):
        i = put_stone(s, p, s.burial[k], out, i)
    for slot in range(OBELISKS):
        i = put_stone(s, p, s.erected[slot], out, i)
    return i


@rule
def observe_ships(s: State, out: list[int], i: int) -> int:
    """Capacity, minimum load, whether the ship is being sailed or unloaded, and where it is."""
    for ship in range(SHIPS):
        i = put(out, i, capacity(s, ship))
        i = put(out, i, ships.minimum(s, ship))
        i = put(out, i, 1 if s.ship == 1 + ship else 0)
        i = put_one_hot(out, i, s.berth[ship], BERTHS)
    return i


@rule
def observe_cards(s: State, out: list[int], i: int) -> int:
    """Market slots, the pair as far as p knows it, unseen and discarded cards, own rejected ones, and the card in play."""
    for slot in range(SLOTS):
        i = put_one_hot(out, i, s.market[slot] - 1, KINDS)
    for k in range(PAIR):
        i = put(out, i, 1 if s.hidden[k] == FACE_DOWN else 0)
        i = put_one_hot(out, i, market.hidden_kind(s, k), KINDS)
    for kind in range(KINDS):
        rejected = 0
        for k in range(REJECTED, REJECTED + ROUNDS):
            if s.hidden[k] == SECRET + kind:
                rejected += 1
        i = put(out, i, s.unseen[kind])
        i = put(out, i, s.discard[kind])
        i = put(out, i, rejected)
        i = put(out, i, 1 if s.played == 1 + kind else 0)
    return i


@rule
def observe_turn(s: State, p: int, out: list[int], i: int) -> int:
    """Round cards, step, counters, options, and which seat p has."""
    i = put_row(out, i, s.turned, ROUND_CARDS)
    i = put_row(out, i, s.red, REDS)
    i = put_one_hot(out, i, s.step, STEPS)
    i = put(out, i, s.players)
    i = put(out, i, s.round)
    i = put(out, i, s.round_card)
    i = put(out, i, s.deck)
    i = put(out, i, s.buried)
    i = put(out, i, s.shuffles)
    i = put(out, i, s.turns)
    i = put(out, i, s.passes)
    i = put(out, i, s.served)
    i = put(out, i, s.cell)
    i = put(out, i, s.market_side)
    i = put(out, i, s.pyramid_side)
    i = put(out, i, s.temple_side)
    i = put(out, i, s.burial_side)
    i = put(out, i, s.obelisk_side)
    i = put(out, i, s.wrath)
    i = put(out, i, s.wrath_scope)
    i = put(out, i, s.quarry_take)
    i = put(out, i, s.blue_parts)
    i = put(out, i, s.market_return)
    i = put(out, i, s.obelisk_b_pay)
    i = put(out, i, s.discard_open)
    return put_one_hot(out, i, p, SEATS)
