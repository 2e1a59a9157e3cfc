"""What the bots know of Maqha."""

from __future__ import annotations

import random

import pytest

from perankh.engine.game import get_game
from perankh.games.maqha import bots
from perankh.games.maqha.glass import pour
from perankh.games.maqha.table import BIDDING, DECIDE, HANDS, LIQUIDS, PASS, STAY, THROW, State

GAME = get_game("maqha")


def at_step(step: int) -> State:
    """The first position of a random match at a step."""
    luck = random.Random(1)
    state = GAME.new_state(4, 9)
    while state.step != step:
        p = GAME.actors(state)[0]
        GAME.rules.apply(state, p, PASS if state.step == DECIDE and step == HANDS else luck.choice(GAME.legal(state, p)))
    return state


def choice(state: State, luck: int) -> int:
    """What somebody who decides is inclined to choose."""
    p = GAME.actors(state)[0]
    actions = GAME.legal(state, p)
    return actions[bots.inclined(state, p, actions, len(actions), luck)]


@pytest.mark.parametrize("liquid", LIQUIDS)
def test_the_chances_are_those_of_the_glass(liquid: str) -> None:
    state = GAME.new_state(4, 3, {"liquid": liquid})
    margins = []
    for _ in range(3000):
        pour(state)
        margins.append(state.vcrit - state.v0)
    kind = LIQUIDS.index(liquid)
    for load in range(0, 6500, 250):
        held = sum(margin >= load for margin in margins) / len(margins)
        assert bots.holding(kind, load) / 1000 == pytest.approx(held, abs=0.035)


def test_the_risk_grows_with_the_load_and_is_less_where_the_glass_has_held() -> None:
    state = at_step(DECIDE)
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
    for step, safe, risky in ((DECIDE, THROW, PASS), (HANDS, STAY + 1, STAY)):
        state = at_step(step)
        assert choice(state, 0b110) == safe
        state.added = state.peak = 4800
        assert choice(state, 0b110) == risky


def test_bids_are_high_while_it_will_hold_and_low_when_it_will_not() -> None:
    state = at_step(BIDDING)
    p = GAME.actors(state)[0]
    actions = GAME.legal(state, p)
    lucks = [random.Random(seed).getrandbits(32) | 2 for seed in range(200)]
    assert {choice(state, luck) for luck in lucks} == set(actions[2:])
    state.added = state.peak = 4800
    assert {choice(state, luck) for luck in lucks} == set(actions[:3])
