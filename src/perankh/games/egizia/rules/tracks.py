"""Tracks of Egizia: VP and their queues, strengths, stones, the two markets, and the tiles won at the colonnade."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import components
from .components import Bonus, Market
from .events import Event
from .state import State


@rule
def on_turn(s: State) -> int:
    """The seat on turn."""
    return s.order[s.turn]


# --- VP ---------------------------------------------------------------------------------------------------------


@rule
def score(s: State, p: int, points: int) -> None:
    """VP change, and p joins the rear of the new space; a change of 0 moves nothing (EGZ-V1)."""
    if points == 0:
        return
    s.vp[p] += points
    for i in range(arrival(s, p), s.players - 1):
        s.arrived[i] = s.arrived[i + 1]
    s.arrived[s.players - 1] = p


@rule
def arrival(s: State, p: int) -> int:
    """When p's VP changed last, compared with the others: 0 for the earliest."""
    i = 0
    while i < s.players and s.arrived[i] != p:
        i += 1
    return i


@rule
def rank(s: State, p: int) -> int:
    """P's place in the rank list, 0 for the leader: higher VP first, then earlier arrival (EGZ-V2)."""
    place = 0
    for q in range(s.players):
        if s.vp[q] > s.vp[p] or (s.vp[q] == s.vp[p] and arrival(s, q) < arrival(s, p)):
            place += 1
    return place


@rule
def rank_list(s: State) -> int:
    """The rank list packed into one number, four bits a seat, the leader lowest (EGZ-V2)."""
    packed = 0
    for p in range(s.players):
        packed |= p << (4 * rank(s, p))
    return packed


@rule
def seat_at(ranking: int, place: int) -> int:
    """The seat at a place of the rank list; 0 is the leader's."""
    return (ranking >> (4 * place)) & 15


# --- Crews and stones -------------------------------------------------------------------------------------------


@rule
def raise_crew(s: State, p: int, crew: int, steps: int) -> None:
    """Single steps up to the limit; beyond it nothing happens (EGZ-E1)."""
    if can_raise(s, p, crew):
        s.strength[p][crew] = min(s.crew_max, s.strength[p][crew] + steps)
        tell(s, Event.RAISED, p, crew, s.strength[p][crew])


@rule
def lower_crew(s: State, p: int, crew: int, steps: int) -> None:
    """Single steps down, but not below the least strength (EGZ-E2)."""
    lowered = max(components.CREW_LEAST, s.strength[p][crew] - steps)
    if lowered < s.strength[p][crew]:
        s.strength[p][crew] = lowered
        tell(s, Event.LOWERED, p, crew, lowered, 0)


@rule
def can_raise(s: State, p: int, crew: int) -> bool:
    """Whether a crew is below the limit (EGZ-E1)."""
    return s.strength[p][crew] < s.crew_max


@rule
def strength_of(s: State, p: int) -> int:
    """The sum of the four strengths."""
    total = 0
    for crew in range(components.NUMBER_OF_CREWS):
        total += s.strength[p][crew]
    return total


@rule
def gain_stones(s: State, p: int, stones: int) -> None:
    """Stones beyond the store are lost (EGZ-E4)."""
    before = s.stones[p]
    s.stones[p] = min(components.STORE, before + stones)
    if s.stones[p] > before:
        tell(s, Event.STONES_GAINED, p, s.stones[p] - before, s.stones[p])


# --- Colonnade tiles --------------------------------------------------------------------------------------------


@rule
def place_of_tile(s: State, p: int, effect: int) -> int:
    """The place (0 yellow, 1 purple) of a tile with this effect that p has won, -1 for none (EGZ-C2, C3, C5)."""
    if s.columns[p] >= components.YELLOW_COLUMN and components.BONUS_EFFECT[s.bonus_tile[0]] == effect:
        return 0
    if s.columns[p] >= components.PURPLE_COLUMN and components.BONUS_EFFECT[s.bonus_tile[1]] == effect:
        return 1
    return -1


@rule
def tile_number(s: State, p: int, effect: int, otherwise: int) -> int:
    """The number of p's tile with this effect, or what holds without it."""
    place = place_of_tile(s, p, effect)
    return components.BONUS_NUMBER[s.bonus_tile[place]] if place >= 0 else otherwise


@rule
def usable_tile(s: State, p: int, effect: int) -> int:
    """The place of a tile with this effect whose use p has not spent, or -1 (EGZ-L5)."""
    place = place_of_tile(s, p, effect)
    if place >= 0 and masks.has(s.closed_eye[p], place):
        return -1
    return place


@rule
def use_tile(s: State, p: int, tile: int) -> None:
    """Close the eye of the token (EGZ-C3)."""
    tell(s, Event.USED_BONUS, p, tile)
    s.closed_eye[p] |= 1 if s.bonus_tile[0] == tile else 2


# --- Markets ----------------------------------------------------------------------------------------------------


@rule
def stone_top(s: State) -> int:
    """The top space of the stone market, 5 or by option 4 (EGZ-K2)."""
    return components.STONE_SPACES - s.stone_market_spaces


@rule
def step_grain(s: State, p: int) -> None:
    """One step on the grain market; beyond the top VP (EGZ-K4)."""
    if s.market[p][Market.GRAIN] < components.GRAIN_SPACES:
        s.market[p][Market.GRAIN] += 1
        tell(s, Event.MARKET_MOVED, p, Market.GRAIN, s.market[p][Market.GRAIN])
    else:
        points = tile_number(s, p, Bonus.GRAIN_OVERFLOW, components.GRAIN_BEYOND)
        score(s, p, points)
        tell(s, Event.BEYOND_GRAIN, p, points)


@rule
def step_stone(s: State, p: int) -> None:
    """One step on the stone market, with the stones of the space entered; beyond the top stones (EGZ-K2, K3, K6)."""
    if s.market[p][Market.STONE] < stone_top(s):
        s.market[p][Market.STONE] += 1
        tell(s, Event.MARKET_MOVED, p, Market.STONE, s.market[p][Market.STONE])
        gain_stones(s, p, components.STONE_ENTERING[s.stone_market_spaces][s.market[p][Market.STONE] - 1])
    else:
        gain_stones(s, p, tile_number(s, p, Bonus.STONE_OVERFLOW, components.STONE_BEYOND))


@rule
def move_market(s: State, p: int, market: int, steps: int) -> None:
    """Steps are done one by one (EGZ-K1)."""
    for _ in range(steps):
        if market == Market.GRAIN:
            step_grain(s, p)
        else:
            step_stone(s, p)
