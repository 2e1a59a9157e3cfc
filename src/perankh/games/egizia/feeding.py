"""Mining and feeding in Egizia."""

from __future__ import annotations

from perankh.engine.api import rule

from .cards import grain_of, nth, stone_production, use_up
from .printed import ABILITY_NUMBERS, GRAIN_CARDS, GRAIN_GROUP, GRAIN_LOSS, GRAIN_SALE, STONES_FOR_GRAIN
from .table import AUTOMATIC, FEED, FEED_STONES, GRAIN_CARD, SELL, SELL_GRAIN, State
from .tracks import gain_stones, score, strength_of


@rule
def mine(s: State) -> None:
    """Everybody gains the stones of the own quarries (EGZ-M1)."""
    for p in range(s.players):
        gain_stones(s, p, stone_production(s, p))


@rule
def need(s: State, p: int) -> int:
    """Grain that p's crews need, the leader included (EGZ-F3)."""
    return strength_of(s, p)


@rule
def harvest(s: State, p: int) -> None:
    """Grain of the watered fields; then grain cards may be played (EGZ-F2, F4)."""
    s.harvest = grain_of(s, p, int(s.ring))
    ask_grain(s, p)


@rule
def ask_grain(s: State, p: int) -> None:
    """Grain cards are played one at a time, before the shortage is counted (EGZ-F4)."""
    if int(s.held[p]) & GRAIN_CARDS:
        s.step = GRAIN_CARD
        s.chooser = p
    else:
        count_shortage(s, p)


@rule
def play_grain(s: State, p: int, card: int) -> None:
    """A grain card adds to the harvest (EGZ-F4)."""
    s.harvest += ABILITY_NUMBERS[card][0]
    use_up(s, p, card)
    ask_grain(s, p)


@rule
def count_shortage(s: State, p: int) -> None:
    """What is missing may be replaced by stones with the card for it (EGZ-F5, F6)."""
    s.shortage = max(0, need(s, p) - s.harvest)
    if stones_wanted(s, p) > 0:
        s.step = FEED_STONES
        s.chooser = p
    else:
        pay_shortage(s, p)


@rule
def grain_of_stone(s: State, p: int) -> int:
    """Missing grain that one of p's stones replaces, 0 without the card (EGZ-F6)."""
    cards = int(s.held[p]) & STONES_FOR_GRAIN
    return int(ABILITY_NUMBERS[nth(cards, 0)][0]) if cards else 0


@rule
def stones_wanted(s: State, p: int) -> int:
    """The most stones that p may give for missing grain; they never make a surplus (EGZ-F6)."""
    worth = grain_of_stone(s, p)
    return min(int(s.stones[p]), (s.shortage + worth - 1) // worth) if worth else 0


@rule
def feed_stones(s: State, p: int, stones: int) -> None:
    """Stones for missing grain (EGZ-F6)."""
    s.stones[p] -= stones
    s.shortage = max(0, s.shortage - stones * grain_of_stone(s, p))
    pay_shortage(s, p)


@rule
def pay_shortage(s: State, p: int) -> None:
    """VP are lost for what is still missing; then a surplus may be sold (EGZ-F7, F8)."""
    score(s, p, -s.shortage * GRAIN_LOSS[s.market[p][0] - 1])
    most = groups_for_sale(s, p)
    if most > 0 and s.surplus_sale != AUTOMATIC:
        s.step = SELL_GRAIN
        s.chooser = p
    else:
        sell(s, p, most)


@rule
def groups_for_sale(s: State, p: int) -> int:
    """Full groups of surplus grain that p's market space allows to sell (EGZ-F8)."""
    surplus = s.harvest - need(s, p)
    return surplus // GRAIN_GROUP if surplus > 0 and GRAIN_SALE[s.market[p][0] - 1] else 0


@rule
def sell(s: State, p: int, groups: int) -> None:
    """1 VP a group; the rest is lost, and the next player feeds (EGZ-F1, F8)."""
    score(s, p, groups)
    s.harvest = 0
    s.shortage = 0
    s.turn += 1


@rule
def list_stones(s: State, p: int, out: list[int]) -> int:
    """Numbers of stones to give (EGZ-F6)."""
    most = stones_wanted(s, p)
    for stones in range(most + 1):
        out[stones] = FEED + stones
    return most + 1


@rule
def list_sales(s: State, p: int, out: list[int]) -> int:
    """Numbers of groups to sell (EGZ-F8)."""
    most = groups_for_sale(s, p)
    for groups in range(most + 1):
        out[groups] = SELL + groups
    return most + 1
