"""Personalities: a bot that chooses among moves that come close prefers those that suit it.

Each of these moves is played in a few worlds that fit what the bot knows, and the network plays on for everybody until the bot
is to decide again. A greedy bot likes moves after which it has more, an aggressive one those after which the others have less.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from perankh.bots.network import UNIT, Network
from perankh.bots.searcher import interpreted_search
from perankh.engine.game import SEED_LIMIT, Game
from perankh.engine.state import Record
from perankh.errors import BadGame

CLOSE = 6.0  # how far below the best preference a move may be to be preferred for what it is like
BIAS = 8.0  # what the move that suits most gains in preference against the one that suits least
MOST_MOVES = 3  # the best, that are compared
WORLDS = 2  # in which each is played
FURTHEST = 6  # decisions that follow it

Outcome = list[int]  # of a move in one world: what each seat has after the turn, by the game's heuristic


def greed(outcomes: Sequence[Outcome], p: int) -> float:
    """What p has."""
    return statistics.fmean(outcome[p] for outcome in outcomes)


def aggression(outcomes: Sequence[Outcome], p: int) -> float:
    """What the others lack."""
    return -statistics.fmean(sum(outcome) - outcome[p] for outcome in outcomes)


PERSONALITIES: dict[str, Callable[[Sequence[Outcome], int], float]] = {
    "greedy": greed,
    "aggressive": aggression,
}


@lru_cache(maxsize=32)  # each game in an edition that is kept takes memory
def personalities_of(game: Game) -> tuple[str, ...]:
    """The personalities that change play in a game: PERSONALITIES of its bots.py."""
    named = tuple(getattr(game.bots, "PERSONALITIES", ()))
    for name in named:
        if name not in PERSONALITIES:
            raise BadGame(
                f"game {game.name}: PERSONALITIES of bots.py names {name!r}, which is not one of {', '.join(PERSONALITIES)}"
            )
    return named


def suited(
    game: Game,
    network: Network,
    state: Record,
    p: int,
    seed: int,
    actions: Sequence[int],
    preferences: Sequence[int],
    personality: str,
) -> list[int]:
    """The preferences for p's actions in a veiled state, with more for those that suit a personality."""
    best = max(preferences)
    close = [k for k in range(len(actions)) if preferences[k] >= best - CLOSE * UNIT]
    close = sorted(close, key=lambda k: -preferences[k])[:MOST_MOVES]
    if len(close) < 2:
        return list(preferences)
    worlds = [game.redealt(state, (seed + number) % SEED_LIMIT) for number in range(WORLDS)]
    tables = [[world.copy() for world in worlds] for _ in close]
    for k, table in zip(close, tables, strict=True):
        for world in table:
            game.rules.apply(world, p, actions[k])
    play_on(game, network, p, [world for table in tables for world in table])
    values = [PERSONALITIES[personality]([standing(game, world) for world in table], p) for table in tables]
    least, most = min(values), max(values)
    after = list(preferences)
    for k, value in zip(close, values, strict=True):
        after[k] += round(BIAS * UNIT * (value - least) / (most - least)) if most > least else 0
    return after


def play_on(game: Game, network: Network, p: int, worlds: Sequence[Record]) -> None:
    """Play on in several worlds, by the moves that the network likes best, until p has had its turn and is to decide again."""
    waiting = list(worlds)
    gone = set()  # worlds in which others have decided since
    for _ in range(FURTHEST):
        going: list[tuple[Record, int, list[int]]] = []
        for world in waiting:
            acting = game.actors(world)
            if acting and acting != [p]:
                gone.add(id(world))
            if acting and (acting != [p] or id(world) not in gone):
                q = acting[0]
                going.append((world, q, [int(action) for action in game.legal(world, q)]))
        if not going:
            return
        preferences, _ = network.run([game.observation_of(world, q) for world, q, _ in going])
        for (world, q, legal), liked in zip(going, preferences, strict=True):
            game.rules.apply(world, q, max(legal, key=lambda action: int(liked[action])))
        waiting = [world for world, _, _ in going]


def standing(game: Game, world: Record) -> Outcome:
    """What each seat has."""
    heuristic: Any = interpreted_search(game).heuristic
    return [int(heuristic(world, q)) for q in range(world.players)]
