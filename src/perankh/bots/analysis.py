"""What a strong player thinks of a match: the chances of each seat, and what the moves that were made gave away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from perankh.bots.bots import seen
from perankh.bots.mind import Budget, mind_of
from perankh.engine.game import Game
from perankh.engine.state import Record

ENOUGH = 0.2  # the share of looks an action needs to be judged by the first search


@dataclass(frozen=True)
class Opinion:
    """What is thought of one decision, from what its player could know."""

    seat: int
    chances: list[float]  # of winning, seat by seat
    played: int
    best: int
    cost: float  # how much of what the best move brings (the place, the lead) was given away, from 0 to 1


def opinion(game: Game, veiled: Record, p: int, played: int, seed: int, seconds: float) -> Opinion:
    """Judge the action that p chose."""
    mind = mind_of(game)
    budget = Budget(looks=1 << 17, seconds=seconds / 2)
    found = mind.search(veiled, p, seed, budget)
    chances = found.wins[: veiled.players]
    if played == found.best:
        return Opinion(p, chances, played, played, 0.0)
    best = found.best
    if found.tries.get(played, 0) < ENOUGH * found.looks:
        found = mind.search(veiled, p, seed + 1, budget, among=sorted({best, played}))
    cost = max(0.0, found.values[best] - found.values[played])
    return Opinion(p, chances, played, best, round(cost, 4))


def judge(folder: str, fields: dict[str, Any], p: int, played: int, seed: int, seconds: float) -> dict[str, Any]:
    """The same from the fields of a veiled state: what the worker process runs."""
    game, state = seen(folder, fields)
    return asdict(opinion(game, state, p, played, seed, seconds))


def decisions(game: Game, start: Record, moves: list[tuple[int, int]]) -> Iterator[tuple[int, int, int, Record]]:
    """The real decisions of a match: move number, seat, action, and the veiled state they were made from."""
    state = start.copy()
    for number, (p, action) in enumerate(moves):
        if len(game.legal(state, p)) > 1:
            yield number, p, action, game.veiled(state, p)
        game.rules.apply(state, p, action)
