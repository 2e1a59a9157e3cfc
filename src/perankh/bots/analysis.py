"""Analysis of a match: each seat's chances before and after every decision, and what the move that was played gave away.

A first pass takes about a second for a whole match: one evaluation of the trained network a decision, or a short search where
there is none. The search then judges decision by decision. Both know what the player could know, and nothing more.
`docs/analysis.md` has the definitions.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from perankh.bots.network import network_for
from perankh.bots.searcher import Budget, SearchResult, searcher_of
from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES

MOST_DECISIONS = 300  # of a match with more, so many are analysed, evenly spread
WHOLE, LONGEST = 45.0, 0.4  # seconds for a match, and at most for one decision
FIRST_PASS = 1.2  # seconds for the first pass over a match
ITERATIONS = 1 << 17  # of one search at most
ERRORS = 2.0  # standard errors by which a move has to be worse to be called so
TRIED = 3  # random moves that are followed, to tell what a random move would give away
LONGEST_LINE = 8  # moves of a line that is expected after a better move
LINE_SECONDS = 0.1  # for each of them

Moves = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Analysis:
    """The analysis of one decision, from what its player could know."""

    seat: int
    chances: list[float]  # of winning, seat by seat, if the best action is played
    after: list[float]  # with the action that was played
    played: int
    best: int
    cost: float  # the acting seat's chance with the best action less that with the action played
    loss: float  # the expected reward of the best action found, which counts every place, less that of the action played
    stake: float  # the same less that of a random action


def search(game: Game, veiled: Record, p: int, seed: int, budget: Budget, among: Sequence[int] = ()) -> SearchResult:
    """Search, guided by the network if one was trained for this match. `wins` of the result are chances of winning."""
    network, searcher = network_for(game, veiled), searcher_of(game)
    if network is None:
        found = searcher.search(veiled, p, seed, budget, among)
        return SearchResult(found.iterations, found.visits, found.values, found.wins[: veiled.players])
    found = searcher.guided_search(network, veiled, p, seed, budget, among)
    return SearchResult(found.iterations, found.visits, found.values, chances_of(found.wins[: veiled.players]))


def chances_of(rewards: Sequence[float]) -> list[float]:
    """Chances of winning from expected rewards, the shares of the others that each seat will beat.

    Whoever beats each other seat with chance r, one as likely as the next, beats all with chance r ** (players - 1).
    """
    weights = [max(0.0, reward) ** (len(rewards) - 1) for reward in rewards]
    total = sum(weights)
    return [weight / total if total else 1 / len(rewards) for weight in weights]


def analyse(game: Game, veiled: Record, p: int, played: int, seed: int, seconds: float) -> Analysis:
    """Compare the action that p played with the best one, and both with random ones.

    A third of the time finds the best action. Then single actions are followed, in the same worlds: the best, the one played, and
    some at random. Each has a search of its own, because a search among all hardly visits what it thinks bad.
    """

    def follow(action: int, share: float) -> SearchResult:
        return search(game, veiled, p, seed, spending(share * seconds), [action])

    best = search(game, veiled, p, seed, spending(seconds / 3)).best
    best = played if same_answer(game, veiled, played, best) else best
    with_best = follow(best, 1 / 6)
    with_played = with_best if best == played else follow(played, 1 / 6)
    others = [action for action in map(int, game.legal(veiled, p)) if action not in (best, played)]
    tried = random.Random(seed).sample(others, min(TRIED, len(others)))
    loss = with_best.value - with_played.value
    losses = [with_best.value - follow(action, 1 / 3 / TRIED).value for action in tried]
    stake = (loss + (mean(losses) * len(others) if losses else 0.0)) / len(game.legal(veiled, p))
    cost = with_best.wins[p] - with_played.wins[p]
    if cost <= ERRORS * (error(with_best, p) ** 2 + error(with_played, p) ** 2) ** 0.5:  # no worse, as far as can be told
        return Analysis(p, with_played.wins, with_played.wins, played, played, 0.0, loss, stake)
    return Analysis(p, with_best.wins, with_played.wins, played, best, cost, loss, stake)


def spending(seconds: float) -> Budget:
    """A budget for one search."""
    return Budget(ITERATIONS, seconds, settles=False, clock=patient_time)


def patient_time() -> float:
    """Seconds on a processor, and a quarter of those spent waiting for one: other work may slow a search down four times."""
    return 0.75 * time.thread_time() + 0.25 * time.monotonic()


def error(found: SearchResult, p: int) -> float:
    """The standard error of p's chance in a search; iterations are counted as if each were a match."""
    return float((found.wins[p] * (1 - found.wins[p]) / max(1, found.iterations)) ** 0.5)


def same_answer(game: Game, veiled: Record, one: int, other: int) -> bool:
    """Are two actions the same, or the same answer to a question at another moment?"""
    text: Any = game.text
    if one == other or not hasattr(text, "time_to_answer") or not text.time_to_answer(veiled):
        return one == other
    return bool(text.answer_at(veiled, one, 0) == text.answer_at(veiled, other, 0))


# --- Whole matches --------------------------------------------------------------------------------------------------------------


def decisions(game: Game, start: Record, moves: Moves) -> Iterator[tuple[int, int, int, Record]]:
    """The decisions of a match with more than one legal action: move number, seat, action, and the veiled state before it."""
    state = start.copy()
    for number, (p, action) in enumerate(moves):
        if len(game.legal(state, p)) > 1:
            yield number, p, action, game.veiled(state, p)
        game.rules.apply(state, p, action)


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """At most so many of the numbers, evenly spread, the first and the last among them."""
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[k * (len(numbers) - 1) // (most - 1)] for k in range(most)]


def seconds_each(count: int) -> float:
    """Time for each of so many decisions."""
    return min(LONGEST, WHOLE / max(1, count))


def first_pass(game: Game, start: Record, moves: Moves, most: int = MOST_DECISIONS) -> tuple[int, list[dict[str, Any]]]:
    """How many decisions a match has, and the chances before each of them, found at once; nothing is judged yet."""
    found = list(decisions(game, start, moves))
    chosen = set(spread([number for number, *_ in found], most))
    network = network_for(game, start)
    rewards = [0.5] * start.players
    figures = []
    for number, p, played, veiled in found:
        if number not in chosen:
            continue
        if network:
            told = network.rewards(game.observation_of(veiled, p), start.players)
            if network.knows_others:
                rewards = [0.5 + 0.5 * told[(q - p) % start.players] for q in range(start.players)]
            else:
                rewards = expected_rewards(rewards, p, told[0])
            chances = chances_of(rewards)
        else:
            chances = search(game, veiled, p, number, spending(FIRST_PASS / len(chosen))).wins
        figures.append(first_figures(game, veiled, number, p, played, chances, "network" if network else "glance"))
    return len(found), figures


def expected_rewards(before: Sequence[float], p: int, value: float) -> list[float]:
    """What each seat can expect, when p expects `value`, from -1 to 1; the others share the rest as they did before."""
    own = 0.5 + 0.5 * value
    others = sum(before) - before[p]
    rest = len(before) / 2 - own
    return [own if q == p else reward * rest / others if others else rest for q, reward in enumerate(before)]


def first_figures(
    game: Game, veiled: Record, number: int, p: int, played: int, chances: Sequence[float], by: str
) -> dict[str, Any]:
    """A decision of which only the chances are known."""
    move, shown = move_facts(game, veiled, p, played), rounded(chances)
    nothing = {"cost": None, "loss": None, "stake": None}
    return {"number": number, "seat": p, "by": by, "chances": shown, "after": shown, **nothing, "played": move, "best": move}


def judge(game: Game, veiled: Record, number: int, p: int, played: int, seconds: float) -> dict[str, Any]:
    """The analysis of a decision as a dictionary, with the moves in words."""
    found = analyse(game, veiled, p, played, number, seconds)
    return {
        "number": number,
        "seat": p,
        "by": "search",
        "chances": rounded(found.chances),
        "after": rounded(found.after),
        "cost": round(found.cost, 4),
        "loss": round(found.loss, 4),
        "stake": round(found.stake, 4),
        "played": move_facts(game, veiled, p, played),
        "best": move_facts(game, veiled, p, found.best),
    }


def rounded(chances: Sequence[float]) -> list[float]:
    """Chances as they are shown and stored."""
    return [round(chance, 4) for chance in chances]


def move_facts(game: Game, veiled: Record, p: int, action: int) -> dict[str, Any]:
    """A move by its code and its sentence in every language."""
    return {
        "code": game.text.CODES[action],
        "sentence": {lang: game.text.sentence(veiled, p, action, lang) for lang in LANGUAGES},
    }


# --- What would have followed -------------------------------------------------------------------------------------------------


def expected_line(game: Game, veiled: Record, p: int, action: int, seed: int) -> tuple[Record, list[tuple[int, int]]]:
    """A world that fits what p knew, and the moves that are expected there: the action, and what strong players make of it.

    Everybody decides from what the own seat knows. The line ends where p has to decide again after another has moved, after
    LONGEST_LINE moves, or with the match.
    """
    world = game.redealt(veiled, seed)
    state, line = world.copy(), [(p, action)]
    game.rules.apply(state, p, action)
    while len(line) < LONGEST_LINE and (acting := game.actors(state)):
        q = acting[0]
        if q == p and any(seat != p for seat, _ in line):
            break
        choices = game.legal(state, q)
        found = search(game, game.veiled(state, q), q, seed, spending(LINE_SECONDS)) if len(choices) > 1 else None
        chosen = found.best if found else int(choices[0])
        game.rules.apply(state, q, chosen)
        line.append((q, chosen))
    return world, line


def line_in_words(game: Game, world: Record, line: Moves) -> list[dict[str, Any]]:
    """The moves of a line, each as its own player would be asked for it."""
    state, told = world.copy(), []
    for p, action in line:
        told.append({"seat": p} | move_facts(game, game.veiled(state, p), p, action))
        game.rules.apply(state, p, action)
    return told
