"""Finds puzzles in matches of bots: positions in which deep search finds one clearly best move that quick searches miss."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from perankh.bots.hints import Measured, measure
from perankh.bots.lines import expected_line
from perankh.bots.network import network_for
from perankh.bots.searcher import Budget, Searcher, searcher_of
from perankh.engine.game import Game
from perankh.engine.puzzles import Puzzle
from perankh.engine.state import Record

PLAYERS = (2, 2, 3)  # of one match after the other
CHOICES = range(3, 33)  # legal moves of a puzzle
OPENING = 6  # decisions before the first puzzle of a match
APART = 8  # decisions between two puzzles of a match
PLAYED, SCREENED = 400, (1_200, 5_000)  # iterations for a move of a match, and to find out whether it is promising
QUICK, TRIES = 100, 8  # iterations of quick searches, and how many there are
MOST_FOUND, MOST_FOUND_PLANNED = 5, 2  # of them may find the solution; so few if planning one turn ahead finds it
OPEN = (0.12, 0.97)  # chance of winning with the solution: neither lost nor won anyway
MARGIN = 0.06  # by which the solution is better than any other move
SURE = 3.0  # standard errors that the margin must be beyond
SEEDS = 3  # searches that must agree
GUIDED = 2  # searches guided by the network that must agree
SHARE = 0.4  # of the visits that the best move must have to be considered


def mine(
    game: Game, seed: int, iterations: int = 20_000, players: int | None = None, options: Mapping[str, Any] | None = None
) -> Iterator[Puzzle | None]:
    """Puzzles out of one match after the other, without end; None for every match that is over."""
    chosen = dict(game.box.options) | dict(options or {})
    for number in count():
        chance = random.Random(f"puzzles {game.name} {seed} {number}")
        yield from mine_match(game, chance, players or PLAYERS[number % len(PLAYERS)], iterations, chosen)
        yield None


def mine_match(game: Game, chance: random.Random, players: int, iterations: int, options: dict[str, Any]) -> Iterator[Puzzle]:
    """The puzzles of one match."""
    players = players if players in game.players else game.players[0]
    searcher, seed = searcher_of(game), chance.getrandbits(48)
    state = game.new_state(players, seed, options)
    moves: list[int] = []
    decisions, last = 0, -APART
    while acting := game.actors(state):
        p = acting[0]
        legal = game.legal(state, p)
        action = legal[0]
        if len(legal) > 1:
            veiled = game.veiled(state, p)
            decisions += 1
            quick = searcher.search(veiled, p, chance.getrandbits(32), Budget(PLAYED))
            action = quick.best if chance.random() < 0.85 else chance.choice(legal)
            if decisions > OPENING and decisions - last >= APART and len(legal) in CHOICES:
                found = Candidate(game, searcher, veiled, p, chance.getrandbits(32), iterations).puzzle()
                if found:
                    solution, others, easy, error = found
                    figures = {a: figures_of(measured, p) for a, measured in others.items()}
                    line = expected_line(game, veiled, p, solution, seed)
                    name = hashlib.sha256(f"{seed} {moves}".encode()).hexdigest()[:8]
                    shown = game.shown_options(state)
                    yield Puzzle(name, players, p, shown, seed, tuple(moves), solution, line, easy, error, figures)
                    last = decisions
        moves.append(int(action))
        game.functions["apply"](state, p, action)


def figures_of(measured: Measured, p: int) -> tuple[float, float]:
    """The chance of winning in per cent and the lead in points, as a puzzle has them."""
    return round(100 * measured.wins[p], 1), round(measured.lead, 1)


class Candidate:
    """A decision that may make a puzzle."""

    def __init__(self, game: Game, searcher: Searcher, veiled: Record, p: int, seed: int, iterations: int) -> None:
        self.game, self.searcher, self.veiled, self.p, self.seed, self.iterations = game, searcher, veiled, p, seed, iterations

    def puzzle(self) -> tuple[int, dict[int, Measured], int, float] | None:
        """The solution, what each move came to, how many quick searches find it, and the error; None if it makes no puzzle.

        What costs least and rules out most comes first.
        """
        solution = self.promising()
        if solution is None:
            return None
        easy = sum(self.best(QUICK, number) == solution for number in range(TRIES))
        if easy > (MOST_FOUND_PLANNED if self.is_planned(solution) else MOST_FOUND):
            return None
        if self.best(SCREENED[-1], 1) != solution or not self.stands_out(solution):
            return None
        if not upheld(self.game, self.veiled, self.p, solution, self.iterations):
            return None
        found = self.searcher.search(self.veiled, self.p, self.seed + 1, Budget(self.iterations))
        if found.best != solution:
            return None
        ranked = sorted(found.values, key=lambda action: -found.values[action])
        rivals = [action for action in ranked if action != solution][:2]
        if any(self.best(self.iterations // 2, 2 + number) != solution for number in range(1, SEEDS)):
            return None
        choices = {action: self.follow(action, self.iterations // 2) for action in (solution, *rivals)}
        if not self.clear(choices, solution):
            return None
        choices |= {a: self.follow(a, self.iterations // 8) for a in self.game.legal(self.veiled, self.p) if a not in choices}
        best = choices[solution]
        if not OPEN[0] < best.wins[self.p] < OPEN[1] or not self.clear(choices, solution):
            return None
        error = max(deviation(best, choices[rival], self.p) for rival in rivals)
        return solution, choices, easy, round(100 * SURE * error, 1)

    def promising(self) -> int | None:
        """The best move by first searches, if it stands out and is not found by planning and by the first of them alike."""
        for iterations in SCREENED:
            found = self.searcher.search(self.veiled, self.p, self.seed, Budget(iterations))
            best = found.best
            others = [
                value for action, value in found.values.items() if action != best and found.visits[action] > iterations // 200
            ]
            if others and found.values[best] - max(others) < MARGIN / 2:
                return None
            if iterations == SCREENED[0] and self.is_planned(best) and self.best(QUICK, 0) == best:
                return None
        return best if found.visits[best] >= SHARE * found.iterations else None

    def stands_out(self, solution: int) -> bool:
        """Is a move nearly as much better as it has to be, by a first measurement against the next best?"""
        found = self.searcher.search(self.veiled, self.p, self.seed + 3, Budget(SCREENED[0]))
        rival = max((action for action in found.visits if action != solution), key=lambda action: found.visits[action])
        best, other = (self.follow(action, SCREENED[-1] // 2).wins[self.p] for action in (solution, rival))
        return OPEN[0] < best < OPEN[1] and best - other > MARGIN / 2

    def is_planned(self, action: int) -> bool:
        """Is an action the best by planning one turn ahead?"""
        actions, values = self.searcher.action_values(self.veiled, self.p, self.seed)
        return values[actions.index(action)] == max(values)

    def best(self, iterations: int, number: int) -> int:
        """The best move by one more search."""
        return self.searcher.search(self.veiled, self.p, self.seed + 100 * iterations + number, Budget(iterations)).best

    def follow(self, action: int, iterations: int) -> Measured:
        """What following a move comes to."""
        return measure(self.game, self.veiled, self.p, action, iterations, self.seed + 7)

    def clear(self, choices: dict[int, Measured], solution: int) -> bool:
        """Is the solution better than every other move by more than the margin and the error?"""
        best = choices[solution]
        return all(
            best.wins[self.p] - other.wins[self.p] > max(MARGIN, SURE * deviation(best, other, self.p))
            for action, other in choices.items()
            if action != solution
        )


def upheld(game: Game, veiled: Record, p: int, solution: int, iterations: int) -> bool:
    """Do searches that the game's network guides, if it has one, find the solution too?"""
    network = network_for(game, veiled)
    return network is None or all(
        searcher_of(game).guided_search(network, veiled, p, seed, Budget(iterations)).best == solution for seed in range(GUIDED)
    )


def disputed(game: Game, puzzle: Puzzle, iterations: int) -> bool:
    """Do searches that the network guides find another move than a puzzle's solution?"""
    veiled = game.veiled(puzzle.position(game), puzzle.seat)
    return not upheld(game, veiled, puzzle.seat, puzzle.solution, iterations)


def deviation(one: Measured, other: Measured, p: int) -> float:
    """The standard error of the difference between two chances."""
    return float((one.variance(p) + other.variance(p)) ** 0.5)
