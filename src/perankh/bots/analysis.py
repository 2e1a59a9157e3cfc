"""Analysis of a match by the search: each seat's chances, and what the moves that were played gave away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from perankh.bots.levels import restored
from perankh.bots.searcher import Budget, searcher_of
from perankh.engine.game import Game
from perankh.engine.state import Record

ENOUGH = 0.2  # the share of visits an action needs to be judged by the first search


@dataclass(frozen=True)
class Analysis:
    """The analysis of one decision, from what its player could know."""

    seat: int
    chances: list[float]  # of winning, seat by seat
    played: int
    best: int
    cost: float  # the value of the best action less that of the action played, from 0 to 1


def analyse(game: Game, veiled: Record, p: int, played: int, seed: int, seconds: float) -> Analysis:
    """Compare the action that p played with the best one."""
    searcher = searcher_of(game)
    budget = Budget(iterations=1 << 17, seconds=seconds / 2)
    found = searcher.search(veiled, p, seed, budget)
    chances = found.wins[: veiled.players]
    if played == found.best:
        return Analysis(p, chances, played, played, 0.0)
    best = found.best
    if found.visits.get(played, 0) < ENOUGH * found.iterations:
        found = searcher.search(veiled, p, seed + 1, budget, among=sorted({best, played}))
    cost = max(0.0, found.values[best] - found.values[played])
    return Analysis(p, chances, played, best, round(cost, 4))


def analyse_record(folder: str, record: bytes, p: int, played: int, seed: int, seconds: float) -> dict[str, Any]:
    """The analysis as a dictionary, from the bytes of a veiled state: for worker processes."""
    game, state = restored(folder, record)
    return asdict(analyse(game, state, p, played, seed, seconds))


def decisions(game: Game, start: Record, moves: list[tuple[int, int]]) -> Iterator[tuple[int, int, int, Record]]:
    """The decisions of a match with more than one legal action: move number, seat, action, and the veiled state before it."""
    state = start.copy()
    for number, (p, action) in enumerate(moves):
        if len(game.legal(state, p)) > 1:
            yield number, p, action, game.veiled(state, p)
        game.rules.apply(state, p, action)
