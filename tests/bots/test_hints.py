"""Hints: how far off their figures say they may be."""

from __future__ import annotations

from perankh.bots.hints import GUIDED, SHORTFALL, Measured, gain_of, lead_of


def measured(win: float, lead: float = 0.0, iterations: int = 400, **more: float) -> Measured:
    """What following a move of seat 0 came to."""
    made = {"spread": 0.0, "samples": 40} | more
    return Measured(iterations, [win, 1 - win], [0.0, 0.0], lead, places=[win, 1 - win], **made)  # type: ignore[arg-type]


def test_a_gain_is_clear_when_it_is_more_than_noise_drift_and_what_deeper_search_may_change() -> None:
    noise = 1.96 * (2 * 0.25 / 400) ** 0.5
    gain = gain_of(measured(0.5, drift=0.02), measured(0.5, drift=-0.01), 0)
    assert abs(gain.chance.error - (noise + SHORTFALL + 0.03)) < 1e-9
    guided = gain_of(measured(0.5, noise=GUIDED), measured(0.5, noise=GUIDED), 0)
    assert abs(guided.chance.error - (GUIDED * noise + SHORTFALL)) < 1e-9
    assert not gain_of(measured(0.56), measured(0.5), 0).clear
    assert gain_of(measured(0.75), measured(0.5), 0).clear


def test_ends_that_are_all_alike_may_still_not_be_all_there_are() -> None:
    """A few games that all end with the same lead do not make it certain; many nearly do."""
    few, many = (gain_of(measured(0.5, 4.0, samples=n), measured(0.5, 1.0, samples=n), 0).lead for n in (30, 3_000))
    assert few.value == many.value == 3.0
    assert few.error >= 1.0 > 0.02 > many.error > 0.0
    assert lead_of(measured(0.5, 4.0, samples=30)).error >= 1.0
