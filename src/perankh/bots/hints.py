"""Hints on a decision: its moves ranked, with the chances and points that each can expect, and how sure that is.

The network of a game answers at once with its preferences. Search deepens that: it ranks the moves, then follows each of the
best few on its own. What the second half of these iterations came to is the figure: by then the tree has found good answers. How
far it differs from the first half says how far deeper search may still change it.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from perankh.bots.ismcts import ITERATIONS, SLOTS, WINS, WORLD
from perankh.bots.levels import UncompiledBot
from perankh.bots.network import UNIT, network_for
from perankh.bots.searcher import Budget, Searcher, SearchResult, new_tree, new_workspace, searcher_of
from perankh.engine.chance import WORD
from perankh.engine.game import SEED_LIMIT, Game, seed_words
from perankh.engine.state import Record

FOLLOWED = 4  # moves that are followed on their own
STRIDE = 10  # iterations from one final position that is counted to the next, at most
COUNTED = 400  # final positions that are counted at least, where there are so many iterations
SURE = 1.96  # standard errors on each side of a figure
SHORTFALL = 0.06  # by how much deeper search may still change a chance, measured by bench/hints.py
GUIDED = 0.7  # standard errors by a network's values, as a share of those of wins and losses: the values vary less
UNGUIDED = 2.0  # without a network, deeper search changes a chance by so many times what the second half of the iterations did
POINTS_SHORTFALL = 0.15  # the same of points, as a share of how far they are spread
UNSEEN = 10.0  # points that an end may bring which was not among those counted; it comes in fewer than RARE of them
RARE = 3.0
POINTS_WEIGHT = 0.05  # what a lead as large as it is spread counts for beside a chance of winning


@dataclass(frozen=True)
class Figure:
    """A number and how far off it may be, on each side, at 95 per cent."""

    value: float
    error: float


@dataclass
class Measured:
    """What following one move came to."""

    iterations: int
    wins: list[float]  # of each seat: its chance of winning
    points: list[float]  # of each seat: its points at the end
    lead: float  # of the seat that decides: its points less those of the best of the others
    spread: float  # standard deviation of the lead
    samples: int  # final positions that were counted
    places: list[float]  # of the seat that decides: how often it came first, second and so on
    drift: float = 0.0  # by how much its chance of winning rose from the first iterations to the later ones, which count
    noise: float = 1.0  # of the chances, as a share of that of wins and losses

    def worth(self, p: int) -> float:
        """What moves are ranked by: the chance of winning, and the lead beside it."""
        return self.wins[p] + POINTS_WEIGHT * self.lead / max(1.0, self.spread)

    def chance(self, p: int) -> Figure:
        """The chance of winning."""
        return Figure(self.wins[p], SURE * math.sqrt(self.variance(p)) + SHORTFALL + abs(self.drift))

    def variance(self, p: int) -> float:
        """Of the chance of winning, by the number of iterations it stands on."""
        chance = min(max(self.wins[p], 0.02), 0.98)
        return chance * (1 - chance) / max(1, self.iterations) * self.noise**2

    def unseen(self) -> float:
        """By how much the lead may be off because of ends that were not among those counted."""
        return RARE * UNSEEN / max(1, self.samples)


def measure(game: Game, veiled: Record, p: int, action: int, iterations: int, seed: int, seconds: float = math.inf) -> Measured:
    """Follow one move of p: what comes of it when everybody goes on as the search finds best."""
    searcher = searcher_of(game)
    slots, work, tree = searcher.slots(veiled), new_workspace(game.actions, [action]), new_tree(iterations)
    words = slots.view("<u4").reshape(SLOTS, -1)
    keys = np.array(seed_words(seed % SEED_LIMIT), np.int64)
    began, first, half = time.monotonic(), 0, None
    stride = max(1, min(STRIDE, iterations // COUNTED))
    points: list[list[int]] = []
    ranks: list[list[int]] = []
    while first < iterations:
        count = min(stride, iterations - first)
        searcher.run_iterations(tree, work, slots, words, keys, first, count, p, seed & WORD, searcher.parameters)
        first += count
        if half is None and (2 * first >= iterations or time.monotonic() - began > seconds / 2):
            half = tree.totals.copy()
        elif half is not None:
            final = game.State.unpack(slots[WORLD])
            points.append(game.scores(final))
            ranks.append(game.ranks(final))
            if time.monotonic() - began > seconds:
                break
    assert half is not None
    measured = counted(veiled.players, p, tree.totals - half, points, ranks)
    measured.drift = measured.wins[p] - float(half[WINS + p] / half[ITERATIONS])
    return measured


def counted(players: int, p: int, totals: Any, points: list[list[int]], ranks: list[list[int]]) -> Measured:
    """The figures of the second half of the iterations."""
    iterations = max(1, int(totals[ITERATIONS]))
    rows = np.array(points, float).reshape(-1, players)
    others = np.delete(rows, p, axis=1)
    leads = rows[:, p] - others.max(axis=1) if others.size else rows[:, p]
    places = Counter(row[p] for row in ranks)
    return Measured(
        iterations=iterations,
        wins=(totals[WINS : WINS + players] / iterations).tolist(),
        points=rows.mean(axis=0).tolist() if len(rows) else [0.0] * players,
        lead=float(leads.mean()) if len(rows) else 0.0,
        spread=float(leads.std()) if len(rows) else 0.0,
        samples=len(rows),
        places=[places[place] / max(1, len(ranks)) for place in range(1, players + 1)],
    )


# --- Hints ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """One move and what it can expect. Figures are None where only the network, or planning, was asked."""

    action: int
    share: float  # of the network's preferences, or of the visits of the search
    chance: Figure | None = None  # of winning; with a network, of beating another player
    lead: Figure | None = None  # points at the end, less those of the best of the others
    places: tuple[float, ...] = ()  # how often it ends first, second and so on
    iterations: int = 0


@dataclass(frozen=True)
class Gain:
    """What the best move is expected to bring against the next best."""

    chance: Figure
    lead: Figure

    @property
    def clear(self) -> bool:
        """Is it more than it may be off?"""
        return self.chance.value > self.chance.error


@dataclass(frozen=True)
class Hint:
    """The moves of a decision, the best first."""

    source: str  # "network", "search", or "planning" where nothing is compiled
    iterations: int  # of all searches together
    choices: list[Choice] = field(default_factory=list)
    gain: Gain | None = None  # None if there is no next best, or nothing was measured
    first: int | None = None  # what the network says at once, if there is one
    expected: float | None = None  # and which share of the others it expects to be left behind

    @property
    def best(self) -> int:
        """The best move."""
        return self.choices[0].action


def quick_hint(game: Game, veiled: Record, p: int) -> Hint | None:
    """What can be said at once: the network's preferences. None if there is no network for this match."""
    network = network_for(game, veiled)
    if network is None:
        return None
    preferences, value = network.evaluate(game.observation_of(veiled, p))
    actions = game.legal(veiled, p)
    best = max(preferences[action] for action in actions)
    weights = {action: math.exp(float(preferences[action] - best) / UNIT) for action in actions}
    whole = sum(weights.values())
    choices = [Choice(action, weights[action] / whole) for action in sorted(actions, key=lambda action: -weights[action])]
    return Hint("network", 0, choices, first=choices[0].action, expected=0.5 + 0.5 * value)


def full_hint(game: Game, veiled: Record, p: int, seed: int, iterations: int = 1 << 17, seconds: float = 2.4) -> Hint:
    """Moves ranked by a search, the best few of them followed on their own. Half of the budget each."""
    first = quick_hint(game, veiled, p)
    searcher = searcher_of(game)
    if not searcher.ready:
        return first or Hint("planning", 0, [Choice(UncompiledBot().decide(game, veiled, p, seed), 1.0)])
    ranking = Ranking(game, searcher, veiled, p, seed)
    # A search that has proved a win at once has visited nothing else.
    visits = dict.fromkeys(game.legal(veiled, p), 0) | ranking.visits(Budget(iterations // 2, seconds / 2))
    every, whole = sorted(visits, key=lambda action: -visits[action]), sum(visits.values())
    followed = every[:FOLLOWED]
    share = seconds / 2 / len(followed)
    measured = {action: ranking.follow(action, iterations // 2 // len(followed), share) for action in followed}
    ranked = sorted(followed, key=lambda action: -measured[action].worth(p))
    choices = [choice_of(measured[action], action, visits[action] / whole, p) for action in ranked]
    choices += [Choice(action, visits[action] / whole) for action in every[FOLLOWED:]]
    gain = gain_of(measured[ranked[0]], measured[ranked[1]], p) if len(ranked) > 1 else None
    spent = whole + sum(one.iterations for one in measured.values())
    return Hint("search", spent, choices, gain, *((first.best, first.expected) if first else ()))


def choice_of(measured: Measured, action: int, share: float, p: int) -> Choice:
    """A move that was followed."""
    return Choice(action, share, measured.chance(p), lead_of(measured), tuple(measured.places), measured.iterations)


def lead_of(measured: Measured) -> Figure:
    """The lead in points, with its error."""
    error = SURE * measured.spread / math.sqrt(max(1, measured.samples))
    return Figure(measured.lead, error + POINTS_SHORTFALL * measured.spread + measured.unseen())


def gain_of(best: Measured, other: Measured, p: int) -> Gain:
    """What one move brings against another."""
    error = SURE * math.sqrt(best.variance(p) + other.variance(p)) + SHORTFALL + abs(best.drift - other.drift)
    spread = math.hypot(
        best.spread / math.sqrt(max(1, best.samples)),
        other.spread / math.sqrt(max(1, other.samples)),
    )
    lead = SURE * spread + POINTS_SHORTFALL * max(best.spread, other.spread) + max(best.unseen(), other.unseen())
    return Gain(Figure(best.wins[p] - other.wins[p], error), Figure(best.lead - other.lead, lead))


class Ranking:
    """Searches of one decision, guided by the network where there is one."""

    def __init__(self, game: Game, searcher: Searcher, veiled: Record, p: int, seed: int) -> None:
        self.game, self.searcher, self.veiled, self.p, self.seed = game, searcher, veiled, p, seed
        self.network = network_for(game, veiled)

    def visits(self, budget: Budget) -> dict[int, int]:
        """How often each move was visited by a search among all."""
        if self.network:
            found = self.searcher.guided_search(self.network, self.veiled, self.p, self.seed, budget)
        else:
            found = self.searcher.search(self.veiled, self.p, self.seed, budget)
        return found.visits

    def follow(self, action: int, iterations: int, seconds: float) -> Measured:
        """What comes of one move. With a network, chances are by the search that it guides; points by play to the end.

        A guided search of half the size, in other worlds, says how far off the chances may be.
        """
        if not self.network:
            measured = measure(self.game, self.veiled, self.p, action, iterations, self.seed + 1, seconds)
            measured.drift *= UNGUIDED
            return measured
        measured = measure(self.game, self.veiled, self.p, action, iterations // 4, self.seed + 1, seconds / 2)
        early, found = (self.guided(action, part, part * iterations // 3, part * seconds / 6) for part in (1, 2))
        measured.iterations, measured.noise = found.iterations, GUIDED
        measured.wins = found.wins[: self.veiled.players]
        measured.drift = measured.wins[self.p] - early.wins[self.p]
        return measured

    def guided(self, action: int, part: int, iterations: int, seconds: float) -> SearchResult:
        """A search of one move that the network guides; each part in worlds of its own."""
        assert self.network
        budget = Budget(iterations, seconds)
        return self.searcher.guided_search(self.network, self.veiled, self.p, self.seed + 1 + part, budget, among=[action])
