"""The heuristics for Maqha."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from perankh.bots import GreedyBot
from perankh.games.maqha import bots
from perankh.games.maqha.rules.actions import BID, PASS, RAISE, STAY, THROW
from perankh.games.maqha.rules.bidding import slot_winner
from perankh.games.maqha.rules.components import EYE, LIQUIDS, NUMBERS
from perankh.games.maqha.rules.glass import pour
from perankh.games.maqha.rules.state import Step

from .positions import GAME, laid_out


def at_step(step: int) -> Any:
    """The first position of a random match at a step."""
    luck = random.Random(1)
    state: Any = GAME.new_state(4, 9)
    while state.step != step:
        p = GAME.actors(state)[0]
        GAME.rules.apply(
            state, p, PASS if state.step == Step.DECIDE and step == Step.HANDS else luck.choice(GAME.legal(state, p))
        )
    return state


def choice(state: Any, bits: int) -> int:
    """The action that the rollout policy chooses for whoever decides."""
    p = GAME.actors(state)[0]
    actions = GAME.legal(state, p)
    return actions[bots.rollout_choice(state, p, actions, len(actions), bits)]


@pytest.mark.parametrize("liquid", LIQUIDS)
def test_the_chances_are_those_of_the_glass(liquid: str) -> None:
    state: Any = GAME.new_state(4, 3, {"liquid": liquid})
    margins = []
    for _ in range(3000):
        pour(state)
        margins.append(state.vcrit - state.v0)
    kind = LIQUIDS.index(liquid)
    for load in range(0, 6500, 250):
        held = sum(margin >= load for margin in margins) / len(margins)
        assert bots.holding(kind, load) / 1000 == pytest.approx(held, abs=0.035)


def test_the_risk_grows_with_the_load_and_is_less_where_the_glass_has_held() -> None:
    state = at_step(Step.DECIDE)
    risks = []
    for added in range(0, 5000, 500):
        state.added = state.peak = added
        risks.append(bots.risk(state, state.slot))
    assert risks == sorted(risks)
    assert risks[0] == 0
    assert risks[-1] > 50
    state.added, state.peak = 3500, 3500
    careful = bots.risk(state, state.slot)
    state.peak = 3800
    assert 0 < bots.risk(state, state.slot) < careful


def test_who_can_see_the_glass_throws_while_it_will_hold() -> None:
    for step, safe, risky in ((Step.DECIDE, THROW, PASS), (Step.HANDS, STAY + 1, STAY)):
        state = at_step(step)
        assert choice(state, 0b110) == safe
        state.added = state.peak = 4800
        assert choice(state, 0b110) == risky


def test_bids_are_high_while_it_will_hold_and_low_when_it_will_not() -> None:
    state = at_step(Step.BID)
    p = GAME.actors(state)[0]
    actions = GAME.legal(state, p)
    draws = [random.Random(seed).getrandbits(32) | 2 for seed in range(200)]
    assert {choice(state, bits) for bits in draws} == set(actions[2:])
    state.added = state.peak = 4800
    assert {choice(state, bits) for bits in draws} == set(actions[:3])


def test_the_odds_are_those_of_bids_at_random() -> None:
    state: Any = GAME.new_state(4, 1)
    for card in range(1, EYE + 1):
        won = 0
        for others in product(range(1, NUMBERS + 1), repeat=3):
            for p, bid in enumerate((card, *others)):
                state.order[p][0] = bid
            won += slot_winner(state, 0) == 0
        assert bots.ODDS[card] == round(40 * won / NUMBERS**3)


@pytest.mark.parametrize(("slots", "good"), [("coin3 coin1 coin1 coin1 coin1", {4, 5}), ("coin1 coin1 coin1 coin1 coin3", {2})])
def test_a_greedy_bot_bids_well_for_the_lot_that_is_worth_most(slots: str, good: set[int]) -> None:
    """Slot A is bid for first: with a card that often wins if it is the rich one, with the worst if that is yet to come."""
    state = laid_out(slots, players=4)
    assert {GreedyBot().decide(GAME, GAME.veiled(state, 0), 0, seed) - BID + 1 for seed in range(8)} == good


def test_a_greedy_bot_throws_while_the_glass_will_hold_and_passes_when_it_will_not() -> None:
    for step, safe, risky in ((Step.DECIDE, THROW, PASS), (Step.HANDS, RAISE, STAY)):
        state = at_step(step)
        p = GAME.actors(state)[0]
        assert GreedyBot().decide(GAME, GAME.veiled(state, p), p, 1) == safe
        state.added = state.peak = 4800
        assert GreedyBot().decide(GAME, GAME.veiled(state, p), p, 1) == risky
