"""What a player sees, as numbers; seats are counted from the player's own."""

from __future__ import annotations

from perankh.engine.api import put, put_one_hot, put_row, rule

from . import components, hidden, masks, monuments, nile, sphinx
from .components import CARD_SPACES, CARDS, NUMBER_OF_COLOURS, SEATS, SPHINX_CARDS, STATUES_IN_PLAY, TILE_SPACES
from .state import PARTS_OF_FINAL, Phase, State, Step

NUMBER_OF_STEPS = len(Step) - 1  # without GO_ON
NUMBER_OF_PHASES = len(Phase)


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """Seats, ships and bricks wherever they are, cards and tiles, the Sphinx, and the turn."""
    n = observe_seats(s, p, out)
    n = observe_ships(s, p, out, n)
    n = observe_cards(s, out, n)
    n = observe_sphinx(s, p, out, n)
    n = observe_turn(s, p, out, n)
    return observe_options(s, p, out, n)


@rule
def observe_seats(s: State, p: int, out: list[int]) -> int:
    """Everything before each player, from p's seat on; zeros for seats that nobody has."""
    n = 0
    size = 0
    for i in range(SEATS):
        if i < s.players:
            n = observe_seat(s, (p + i) % s.players, out, n)
            size = n // (i + 1)
        else:
            for _ in range(size):
                n = put(out, n, 0)
    return n


@rule
def observe_seat(s: State, q: int, out: list[int], n: int) -> int:
    """One player's tracks, crews, statues and Nile cards."""
    n = put(out, n, s.vp[q])
    n = put(out, n, s.stones[q])
    n = put(out, n, s.turned[q])
    n = put(out, n, s.tokens[q])
    n = put(out, n, s.ships[q])
    n = put(out, n, s.frontier[q])
    n = put(out, n, masks.has(s.passed, q))
    n = put(out, n, s.columns[q])
    n = put(out, n, s.present[q])
    n = put(out, n, s.built[q])
    n = put(out, n, s.closed_eye[q])
    n = put(out, n, s.first_berth[q])
    n = put(out, n, masks.has(s.acted, q))
    n = put(out, n, sphinx.hand_size(s, q))
    n = put(out, n, monuments.obelisk_bricks(s, q, 0))
    n = put(out, n, monuments.pyramid_bricks(s, q))
    n = put(out, n, monuments.statue_bricks(s, q))
    n = put(out, n, nile.grain_of(s, q, NUMBER_OF_COLOURS))
    n = put(out, n, nile.stone_production(s, q))
    for i in range(SEATS):
        n = put(out, n, i < s.players and s.order[i] == q)
    for crew in range(components.NUMBER_OF_CREWS):
        n = put(out, n, s.strength[q][crew])
        n = put(out, n, masks.has(s.flipped[q], crew))
    n = put_row(out, n, s.market[q], components.NUMBER_OF_MARKETS)
    n = put_row(out, n, s.level[q], STATUES_IN_PLAY)
    n = put_row(out, n, s.final[q], PARTS_OF_FINAL)
    for card in range(CARDS):
        n = put(out, n, masks.has(s.held[q], card))
    for colour in range(NUMBER_OF_COLOURS):
        n = put(out, n, fields_of_colour(s, q, colour))
    return n


@rule
def fields_of_colour(s: State, q: int, colour: int) -> int:
    """How many fields of a colour a player has, improvers included."""
    fields = nile.fields_of(s, q)
    found = 0
    while fields:
        found += 1 if nile.field_colour(s, q, masks.first(fields)) == colour else 0
        fields &= fields - 1
    return found


@rule
def observe_owner(s: State, p: int, owner: int, out: list[int], n: int) -> int:
    """A place for a ship or a brick (1 + its seat): one number a seat, 1 for its owner's."""
    for i in range(SEATS):
        n = put(out, n, i < s.players and owner == 1 + (p + i) % s.players)
    return n


@rule
def observe_ships(s: State, p: int, out: list[int], n: int) -> int:
    """Ships on card spaces, tiles and docks; bricks on obelisk and pyramid."""
    for space in range(CARD_SPACES):
        n = observe_owner(s, p, s.card_ship[space], out, n)
    for space in range(TILE_SPACES):
        for i in range(SEATS):
            n = put(out, n, s.tile_ships[space][(p + i) % s.players] if i < s.players else 0)
    for dock in range(components.DOCKS):
        for space in range(components.DOCK_SPACES):
            n = observe_owner(s, p, s.dock[dock][space], out, n)
        n = observe_owner(s, p, s.speculator[dock], out, n)
    for space in range(components.OBELISK_SPACES):
        n = observe_owner(s, p, s.obelisk[space], out, n)
    for row in range(components.PYRAMID_ROWS):
        for space in range(components.PYRAMID_WIDTH):
            n = observe_owner(s, p, s.pyramid[row][space], out, n)
    return n


@rule
def observe_cards(s: State, out: list[int], n: int) -> int:
    """Cards on the river, in decks, discarded, gone and spent; Nile tiles, colonnade tiles and statues."""
    for space in range(CARD_SPACES):
        n = put_one_hot(out, n, s.river[space] - 1, CARDS)
    for card in range(CARDS):
        n = put(out, n, masks.has(s.undrawn, card))
        n = put(out, n, masks.has(s.discarded, card))
        n = put(out, n, masks.has(s.gone, card))
        n = put(out, n, masks.has(s.spent, card))
    for space in range(TILE_SPACES):
        n = put_one_hot(out, n, s.laid[space], components.TILES)
    for place in range(2):
        n = put_one_hot(out, n, s.bonus_tile[place], components.BONUS_TILES)
    for place in range(STATUES_IN_PLAY):
        n = put_one_hot(out, n, s.statue[place] - 1, components.STATUES)
    return n


@rule
def observe_sphinx(s: State, p: int, out: list[int], n: int) -> int:
    """Of each Sphinx card: in the own hand, seen, known in the deck and how far from the top, in an open hand of another."""
    own = sphinx.hand(s, p)
    seen = hidden.seen_cards(s, p)
    others = 0
    for q in range(s.players):
        if q != p:
            others |= sphinx.hand(s, q)
    for card in range(SPHINX_CARDS):
        from_top = 0
        for place in range(s.tape_top, s.tape_end):
            if s.tape[place] == 1 + card:
                from_top = 1 + place - s.tape_top
        n = put(out, n, masks.has(own, card))
        n = put(out, n, masks.has(seen, card))
        n = put(out, n, from_top)
        n = put(out, n, masks.has(others, card))
    return n


@rule
def observe_turn(s: State, p: int, out: list[int], n: int) -> int:
    """Step, phase, and what is under way."""
    n = put_one_hot(out, n, s.step, NUMBER_OF_STEPS)
    n = put_one_hot(out, n, s.phase, NUMBER_OF_PHASES)
    n = put(out, n, s.players)
    n = put(out, n, s.round)
    n = put(out, n, s.ring)
    n = put(out, n, s.turn)
    n = put(out, n, s.source)
    n = put(out, n, s.part)
    n = put(out, n, s.times)
    n = put(out, n, s.raised)
    n = put(out, n, s.target)
    n = put(out, n, s.extra)
    n = put(out, n, s.harvest)
    n = put(out, n, s.shortage)
    n = put(out, n, s.docking)
    n = put(out, n, s.berth)
    n = put(out, n, s.power)
    n = put(out, n, s.budget)
    n = put(out, n, s.bricks)
    n = put(out, n, s.line)
    n = put(out, n, s.carved)
    n = put(out, n, s.new_tile)
    n = put(out, n, s.keep_two)
    n = put(out, n, s.tape_end - s.tape_top)
    n = put(out, n, s.decided)
    return put(out, n, (s.chooser - p) % s.players)


@rule
def observe_options(s: State, p: int, out: list[int], n: int) -> int:
    """Options, and which seat p has."""
    n = put(out, n, s.crew_max)
    n = put(out, n, s.ships_per_player)
    n = put(out, n, s.brick_limit)
    n = put(out, n, s.stone_market_spaces)
    n = put(out, n, s.coop_order)
    n = put(out, n, s.coop_needs)
    n = put(out, n, s.sphinx_return)
    n = put(out, n, s.surplus_sale)
    n = put(out, n, s.sphinx_max)
    n = put(out, n, s.decline_pack)
    n = put(out, n, s.colonnade_market_bonus)
    n = put(out, n, s.g3_start)
    n = put(out, n, s.keep2_when)
    n = put(out, n, s.improver_waits)
    n = put(out, n, s.second_ship_stack)
    n = put(out, n, s.g10_same_tile)
    n = put(out, n, s.tiles_2p_round1)
    n = put(out, n, s.finish_bonus_2p)
    n = put(out, n, s.pyramid_majority_zero)
    return put_one_hot(out, n, p, SEATS)
