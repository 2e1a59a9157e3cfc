"""Mining and feeding in Egizia."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import nile, tracks
from .components import ABILITY_NUMBERS, GRAIN_CARDS, GRAIN_GROUP, GRAIN_LOSS, GRAIN_SALE, STONES_FOR_GRAIN, STORE, Market
from .events import Event
from .state import Action, State, Step, SurplusSale


@rule
def mine(s: State) -> None:
    """Everybody gains the stones of the own quarries (EGZ-M1)."""
    for p in range(s.players):
        stones = nile.stone_production(s, p)
        s.stones[p] = min(STORE, s.stones[p] + stones)
        tell(s, Event.MINED, p, stones, s.stones[p])


@rule
def need(s: State, p: int) -> int:
    """Grain that p's crews need, the leader included (EGZ-F3)."""
    return tracks.strength_of(s, p)


@rule
def harvest(s: State, p: int) -> None:
    """Grain of the watered fields; then grain cards may be played (EGZ-F2, F4)."""
    s.harvest = nile.grain_of(s, p, s.ring)
    tell(s, Event.HARVESTED, p, s.harvest, need(s, p))
    ask_grain(s, p)


@rule
def ask_grain(s: State, p: int) -> None:
    """Grain cards are played one at a time, before the shortage is counted (EGZ-F4)."""
    if s.held[p] & GRAIN_CARDS:
        s.step = Step.GRAIN
        s.chooser = p
    else:
        count_shortage(s, p)


@rule
def play_grain(s: State, p: int, card: int) -> None:
    """A grain card adds to the harvest (EGZ-F4)."""
    s.harvest += ABILITY_NUMBERS[card][0]
    nile.use_up(s, p, card)
    tell(s, Event.GRAIN_PLAYED, p, card, s.harvest, need(s, p))
    ask_grain(s, p)


@rule
def count_shortage(s: State, p: int) -> None:
    """What is missing may be replaced by stones with the card for it (EGZ-F5, F6)."""
    s.shortage = max(0, need(s, p) - s.harvest)
    if stones_wanted(s, p) > 0:
        s.step = Step.FEED
        s.chooser = p
    else:
        pay_shortage(s, p)


@rule
def grain_of_stone(s: State, p: int) -> int:
    """Missing grain that one of p's stones replaces, 0 without the card (EGZ-F6)."""
    cards = s.held[p] & STONES_FOR_GRAIN
    return ABILITY_NUMBERS[masks.first(cards)][0] if cards else 0


@rule
def stones_wanted(s: State, p: int) -> int:
    """The most stones that p may give for missing grain; they never make a surplus (EGZ-F6)."""
    worth = grain_of_stone(s, p)
    return min(s.stones[p], (s.shortage + worth - 1) // worth) if worth else 0


@rule
def feed_stones(s: State, p: int, stones: int) -> None:
    """Stones for missing grain (EGZ-F6)."""
    s.stones[p] -= stones
    tell(s, Event.STONES_FED, p, stones)
    s.shortage = max(0, s.shortage - stones * grain_of_stone(s, p))
    pay_shortage(s, p)


@rule
def pay_shortage(s: State, p: int) -> None:
    """VP are lost for what is still missing; then a surplus may be sold (EGZ-F7, F8)."""
    loss = s.shortage * GRAIN_LOSS[s.market[p][Market.GRAIN] - 1]
    tracks.score(s, p, -loss)
    if s.shortage > 0:
        tell(s, Event.MISSED_GRAIN, p, s.shortage, -loss)
    most = groups_for_sale(s, p)
    if most > 0 and s.surplus_sale != SurplusSale.AUTOMATIC:
        s.step = Step.SELL
        s.chooser = p
    else:
        sell(s, p, most)


@rule
def groups_for_sale(s: State, p: int) -> int:
    """Full groups of surplus grain that p's market space allows to sell (EGZ-F8)."""
    surplus = s.harvest - need(s, p)
    return surplus // GRAIN_GROUP if surplus > 0 and GRAIN_SALE[s.market[p][Market.GRAIN] - 1] else 0


@rule
def decide_sale(s: State, p: int, groups: int) -> None:
    """Groups of surplus grain are sold by choice, or none (EGZ-F8)."""
    if groups == 0:
        tell(s, Event.NOT_SOLD, p)
    sell(s, p, groups)


@rule
def sell(s: State, p: int, groups: int) -> None:
    """1 VP a group; the rest is lost, and the next player feeds (EGZ-F1, F8)."""
    tracks.score(s, p, groups)
    if groups > 0:
        tell(s, Event.SOLD, p, groups * GRAIN_GROUP, groups)
    s.harvest = 0
    s.shortage = 0
    s.turn += 1


@rule
def list_stones(s: State, p: int, out: list[int]) -> int:
    """Numbers of stones to give (EGZ-F6)."""
    most = stones_wanted(s, p)
    for stones in range(most + 1):
        out[stones] = Action.FEED + stones
    return most + 1


@rule
def list_sales(s: State, p: int, out: list[int]) -> int:
    """Numbers of groups to sell (EGZ-F8)."""
    most = groups_for_sale(s, p)
    for groups in range(most + 1):
        out[groups] = Action.SELL + groups
    return most + 1
