"""Setting up."""

from __future__ import annotations

from perankh.engine.api import below, masks, rule, tell

from . import components, nile, placement, rounds, sphinx
from .components import Place
from .events import Event
from .state import State, Step


@rule
def setup(s: State) -> None:
    """Decks, tiles, statues, tracks, and two Sphinx cards for each player to choose from (EGZ-S1 to S10)."""
    nile.sort_decks(s)
    lay_bonus_tiles(s)
    lay_statues(s)
    sphinx.deal_sphinx(s)
    s.ring = components.RING_START
    for p in range(s.players):
        s.order[p] = p
        s.arrived[p] = p
        for crew in range(components.NUMBER_OF_CREWS):
            s.strength[p][crew] = components.CREW_START[crew]
        for market in range(components.NUMBER_OF_MARKETS):
            s.market[p][market] = 1
    placement.recall_ships(s)
    s.step = Step.START


@rule
def lay_bonus_tiles(s: State) -> None:
    """One tile on the yellow, one on the purple place of the colonnade (EGZ-S4, Q5)."""
    s.bonus_tile[0] = components.YELLOW_IN_TWO
    if s.players > 2:
        s.bonus_tile[0] = random_tile(s, Place.YELLOW)
    s.bonus_tile[1] = random_tile(s, Place.PURPLE)


@rule
def random_tile(s: State, colour: int) -> int:
    """Any tile of a colour that does not lie on the yellow place."""
    tiles = 0
    n = 0
    for tile in range(components.BONUS_TILES):
        if components.BONUS_COLOUR[tile] == colour and (colour == Place.YELLOW or tile != s.bonus_tile[0]):
            tiles = masks.added(tiles, tile)
            n += 1
    return masks.nth(tiles, below(s, n))


@rule
def lay_statues(s: State) -> None:
    """One statue of type A, one of type B, then with 3 or 4 players any other (EGZ-S5, Q6)."""
    left = (1 << components.STATUES) - 1
    for place in range(3 if s.players > 2 else 2):
        fitting = 0
        n = 0
        for statue in range(components.STATUES):
            if masks.has(left, statue) and (place == 2 or components.STATUE_TYPE[statue] == place):
                fitting = masks.added(fitting, statue)
                n += 1
        chosen = masks.nth(fitting, below(s, n))
        left = masks.removed(left, chosen)
        s.statue[place] = 1 + chosen


@rule
def begin_game(s: State) -> None:
    """After the choices: the Sphinx deck, turn order, start stones, and the first round (EGZ-S6, S12 to S14)."""
    s.tape_end = sphinx.fresh_places(s)
    for i in range(s.players - 1, 0, -1):
        j = below(s, i + 1)
        other = s.order[j]
        s.order[j] = s.order[i]
        s.order[i] = other
    for i in range(s.players):
        p = s.order[i]
        s.stones[p] = components.START_STONES[i]
        tell(s, Event.STONES_DEALT, p, s.stones[p])
        s.arrived[s.players - 1 - i] = p
    rounds.begin_round(s)
