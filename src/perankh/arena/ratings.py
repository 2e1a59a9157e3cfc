"""Ratings of bots from their ranks: a Plackett-Luce model, with error bars from a bootstrap over deals.

In the model a match is a race: each seat takes first place with a probability proportional to its strength, then second place
likewise among the others, and so on. For two players that is Bradley-Terry and the Elo formula. A tie counts as every order of
the tied seats with equal weight, so a draw is half a win. A weak prior keeps the rating of a bot that always wins finite.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

ELO = 400 / math.log(10)  # points of Elo for a strength e times as large
MIDDLE = 1500  # the rating of the average bot
PRIOR = 800 / ELO  # standard deviation of the prior of strengths
DRAWS = 400  # of the bootstrap
STEPS, LONGEST_STEP, CLOSE_ENOUGH = 100, 2.0, 1e-10  # of Newton's method
WIDTH = 1.96  # standard errors on either side of a 95% interval


@dataclass(frozen=True)
class Race:
    """The result of a match for the ratings."""

    unit: str  # the deal; all matches on it are resampled together
    bots: Sequence[str]  # by seat
    ranks: Sequence[int]  # by seat, 1 for the best


@dataclass(frozen=True)
class Estimate:
    """A figure and its standard error."""

    value: float
    error: float
    least: float = -math.inf  # what the figure cannot be below
    most: float = math.inf  # what it cannot be above

    @property
    def low(self) -> float:
        """The lower end of the 95% interval."""
        return max(self.least, self.value - WIDTH * self.error)

    @property
    def high(self) -> float:
        """The upper end of the 95% interval."""
        return min(self.most, self.value + WIDTH * self.error)

    @property
    def half(self) -> float:
        """Half the width of the 95% interval, before limits: the figure after the plus-minus sign."""
        return WIDTH * self.error


@dataclass(frozen=True)
class Ratings:
    """Ratings on the Elo scale, and who finished ahead of whom how often."""

    bots: tuple[str, ...]  # best first
    ratings: dict[str, Estimate]
    leads: dict[str, Estimate]  # of each bot but the last: how far it is ahead of the next
    scores: dict[tuple[str, str], Estimate]  # share of meetings in which the first finished ahead of the second
    meetings: dict[tuple[str, str], int]
    races: int
    units: int
    separate: bool  # some bots never lost to some others: only the prior keeps them near


def rate(races: Sequence[Race], bots: Sequence[str], seed: int = 0) -> Ratings:
    """Rate bots by all their races."""
    counts = RaceCounts(races, bots)
    choice_sets, wins = counts.choices(np.ones(len(counts.units)))
    strengths = fit(choice_sets, wins)
    draws = counts.draws(seed)
    drawn = np.array([fit(*counts.choices(weights), start=strengths) for weights in draws])
    separate = not connected(counts.ahead.sum(axis=0))
    spread = np.linalg.inv(derivatives(strengths, choice_sets, wins)[1]) if separate else np.zeros((len(bots),) * 2)

    def error(weights: Any) -> float:
        """Of a weighted sum of ratings: from the bootstrap, and from the curvature where that has too little to draw on."""
        return ELO * max(float(np.std(drawn @ weights)), math.sqrt(max(0.0, float(weights @ spread @ weights))))

    order = np.argsort(-strengths, kind="stable")
    unit = np.eye(len(bots))
    ratings = {
        bots[i]: Estimate(MIDDLE + ELO * float(strengths[i] - strengths.mean()), error(unit[i] - 1 / len(bots))) for i in order
    }
    leads = {
        bots[i]: Estimate(ELO * float(strengths[i] - strengths[j]), error(unit[i] - unit[j]))
        for i, j in itertools.pairwise(order)
    }
    names = tuple(bots[i] for i in order)
    scores, meetings = counts.head_to_head(draws)
    return Ratings(names, ratings, leads, scores, meetings, len(races), len(counts.units), separate)


class RaceCounts:
    """Races as arrays: in each deal, how often each bot came first out of each set of seats (a choice set)."""

    def __init__(self, races: Sequence[Race], bots: Sequence[str]) -> None:
        self.bots = tuple(bots)
        number = {bot: i for i, bot in enumerate(bots)}
        self.units = list(dict.fromkeys(race.unit for race in races))
        unit_number = {unit: i for i, unit in enumerate(self.units)}
        choice_sets: dict[tuple[int, ...], int] = {}
        found = []
        size = len(bots)
        self.ahead = np.zeros((len(self.units), size, size))
        self.met = np.zeros((len(self.units), size, size))
        for race in races:
            u, who = unit_number[race.unit], [number[bot] for bot in race.bots]
            for choice_set, winner, weight in choices_of(who, race.ranks, size):
                found.append((u, choice_sets.setdefault(choice_set, len(choice_sets)), winner, weight))
            for p, q in itertools.permutations(range(len(who)), 2):
                if who[p] != who[q]:
                    self.met[u, who[p], who[q]] += 1
                    self.ahead[u, who[p], who[q]] += 0.5 + 0.5 * np.sign(race.ranks[q] - race.ranks[p])
        self.choice_sets = np.array(list(choice_sets), float).reshape(len(choice_sets), size)
        self.wins = np.zeros((len(self.units), len(choice_sets), size))
        for u, set_number, winner, weight in found:
            self.wins[u, set_number, winner] += weight

    def choices(self, weights: Any) -> tuple[Any, Any]:
        """The choice sets, and how often each bot was chosen out of each, the deals weighted."""
        return self.choice_sets, np.tensordot(weights, self.wins, 1)

    def draws(self, seed: int) -> Any:
        """How often each deal is drawn in each draw of the bootstrap."""
        generator = np.random.default_rng(seed)
        n = len(self.units)
        return generator.multinomial(n, np.full(n, 1 / n), DRAWS).astype(float)

    def head_to_head(self, draws: Any) -> tuple[dict[tuple[str, str], Estimate], dict[tuple[str, str], int]]:
        """For each pair that met: the share of meetings in which the first finished ahead, and the number of meetings."""
        scores, meetings = {}, {}
        for i, j in itertools.permutations(range(len(self.bots)), 2):
            met, ahead = self.met[:, i, j], self.ahead[:, i, j]
            if not met.any():
                continue
            pair = self.bots[i], self.bots[j]
            meetings[pair] = int(met.sum())
            drawn = draws @ met
            drawn_shares = (draws @ ahead)[drawn > 0] / drawn[drawn > 0]
            share = float(ahead.sum() / met.sum())
            error = float(np.std(drawn_shares)) or share_error(share, float(np.count_nonzero(met)))
            scores[pair] = Estimate(share, error, 0.0, 1.0)
        return scores, meetings


def share_error(share: float, n: float) -> float:
    """The standard error of a share of n, wide enough for one that is 0 or 1."""
    smooth = (share * n + 1) / (n + 2)
    return math.sqrt(smooth * (1 - smooth) / n)


def choices_of(who: Sequence[int], ranks: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], int, float]]:
    """A race as choices: the choice set (how many seats of each bot were left), who came first of it, and a weight."""
    seats = sorted(range(len(who)), key=lambda p: ranks[p])
    tied = [list(group) for _, group in itertools.groupby(seats, key=lambda p: ranks[p])]
    orders = list(itertools.product(*(itertools.permutations(group) for group in tied)))
    for groups in orders:
        order = [who[p] for group in groups for p in group]
        for place in range(len(order) - 1):
            left = order[place:]
            if len(set(left)) > 1:
                yield tuple(left.count(bot) for bot in range(size)), order[place], 1 / len(orders)


def fit(choice_sets: Any, wins: Any, start: Any = None) -> Any:
    """The most likely strengths (logarithms) under the prior, by Newton's method: the likelihood is concave."""
    strengths = np.zeros(choice_sets.shape[1]) if start is None else start.copy()
    for _ in range(STEPS):
        slope, curvature = derivatives(strengths, choice_sets, wins)
        step = np.linalg.solve(curvature, slope)
        longest = float(np.abs(step).max())
        strengths = strengths + step * min(1.0, LONGEST_STEP / max(longest, 1e-300))
        if longest < CLOSE_ENOUGH:
            break
    return strengths


def derivatives(strengths: Any, choice_sets: Any, wins: Any) -> tuple[Any, Any]:
    """The slope of the logarithmic likelihood with the prior, and its curvature (positive)."""
    weights = choice_sets * np.exp(strengths - strengths.max())
    chances = weights / weights.sum(axis=1, keepdims=True)
    times = wins.sum(axis=1)
    slope = wins.sum(axis=0) - times @ chances - strengths / PRIOR**2
    curvature = np.diag(times @ chances + 1 / PRIOR**2) - (chances * times[:, None]).T @ chances
    return slope, curvature


def connected(ahead: Any) -> bool:
    """Whether everybody has beaten everybody, by way of others if need be: only then do the results alone bound all ratings."""
    reach = (ahead > 0) | np.eye(len(ahead), dtype=bool)
    for _ in range(len(ahead)):
        reach = reach @ reach
    return bool(reach.all())
