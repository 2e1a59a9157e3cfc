"""Ratings: known strengths are found again, and the error bars are honest."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

from perankh.arena.ratings import ELO, MIDDLE, Race, rate

BOTS = ("a", "b", "c", "d")
TRUE = {"a": 150.0, "b": 50.0, "c": -20.0, "d": -180.0}  # Elo, sum zero


def race(unit: int, bots: Sequence[str], luck: np.random.Generator) -> Race:
    """A race of the model: each seat's time is random, and the shorter the stronger it is."""
    times = [-TRUE[bot] / ELO - luck.gumbel() for bot in bots]
    return Race(str(unit), bots, [1 + sum(other < time for other in times) for time in times])


def races(count: int, seats: int, seed: int) -> list[Race]:
    luck = np.random.default_rng(seed)
    return [race(unit, [str(bot) for bot in luck.permutation(BOTS)[:seats]], luck) for unit in range(count)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_known_strengths_are_recovered_within_the_error_bars(seats: int) -> None:
    found = rate(races(1500, seats, seats), BOTS)
    assert found.bots == BOTS
    for bot in BOTS:
        estimate = found.ratings[bot]
        assert abs(estimate.value - MIDDLE - TRUE[bot]) < 3.5 * estimate.error
        assert 3 < estimate.error < 20
    for bot, other in itertools.pairwise(BOTS):
        assert abs(found.leads[bot].value - (TRUE[bot] - TRUE[other])) < 3.5 * found.leads[bot].error
    chance = 1 / (1 + 10 ** ((TRUE["d"] - TRUE["a"]) / 400))  # in the model others at the table do not matter
    assert abs(found.scores["a", "d"].value - chance) < 3.5 * found.scores["a", "d"].error
    assert found.scores["a", "d"].value + found.scores["d", "a"].value == pytest.approx(1)


def test_error_bars_cover_the_truth_as_often_as_they_say() -> None:
    inside = 0
    for seed in range(60):
        found = rate(races(150, 3, seed), BOTS, seed)
        inside += sum(found.ratings[bot].low < MIDDLE + TRUE[bot] < found.ratings[bot].high for bot in BOTS)
    assert 0.88 < inside / 240 <= 1


def test_seats_and_the_order_of_matches_do_not_matter() -> None:
    given = races(200, 4, 1)
    turned = [Race(r.unit, [*r.bots[1:], r.bots[0]], [*r.ranks[1:], r.ranks[0]]) for r in given]
    first, second = rate(given, BOTS), rate(turned, BOTS)
    for bot in BOTS:
        assert first.ratings[bot].value == pytest.approx(second.ratings[bot].value, abs=1e-6)
        assert first.ratings[bot].error == pytest.approx(second.ratings[bot].error, abs=1e-6)
    random.Random(5).shuffle(turned)
    assert rate(turned, BOTS).ratings["a"].value == pytest.approx(first.ratings["a"].value, abs=1e-6)


def test_a_deal_played_again_with_the_same_result_is_no_news() -> None:
    given = races(200, 3, 2)
    once, five = rate(given, BOTS), rate(given * 5, BOTS)
    assert five.units == once.units == 200
    assert five.races == 5 * once.races
    for bot in BOTS:
        assert five.ratings[bot].error == pytest.approx(once.ratings[bot].error, rel=0.1)


def test_two_bots_are_rated_by_the_elo_formula() -> None:
    found = rate([Race(str(k), ("a", "b"), (1, 2) if k % 4 else (2, 1)) for k in range(4000)], ("a", "b"))
    assert found.leads["a"].value == pytest.approx(400 * math.log10(3), abs=1)
    assert found.scores["a", "b"].value == pytest.approx(0.75)
    assert found.scores["a", "b"].error == pytest.approx(math.sqrt(0.75 * 0.25 / 4000), rel=0.15)


def test_a_shared_place_counts_half() -> None:
    drawn = rate([Race(str(k), BOTS, (1, 1, 1, 1)) for k in range(50)], BOTS)
    assert all(estimate.value == pytest.approx(MIDDLE) for estimate in drawn.ratings.values())
    assert drawn.scores["a", "d"].value == 0.5
    half = rate([Race(str(k), ("a", "b", "c"), (1, 1, 3)) for k in range(50)], ("a", "b", "c"))
    assert half.ratings["a"].value == pytest.approx(half.ratings["b"].value)
    assert half.ratings["b"].value > half.ratings["c"].value


def test_the_same_bot_may_hold_several_seats() -> None:
    found = rate([Race(str(k), ("a", "a", "b", "b"), (1, 3, 2, 4) if k % 2 else (3, 1, 4, 2)) for k in range(60)], ("a", "b"))
    assert found.ratings["a"].value > found.ratings["b"].value
    assert found.meetings["a", "b"] == 4 * 60
    assert found.scores["a", "b"].value == 0.75


def test_a_bot_that_wins_everything_stays_finite_and_its_bar_is_wide() -> None:
    others = [Race(str(k), ("b", "c"), (1, 2) if k % 2 else (2, 1)) for k in range(40)]
    wins = [Race(str(k), ("a", other), (1, 2)) for k in range(40) for other in ("b", "c")]
    found = rate(others + wins, ("a", "b", "c"))
    assert found.separate
    assert found.bots[0] == "a"
    assert 300 < found.leads["a"].value < 3000
    assert found.leads["a"].error > 80
    assert found.scores["a", "b"].value == 1
    assert 0 < found.scores["a", "b"].error < 0.1
    assert not rate(races(200, 2, 0), BOTS).separate
