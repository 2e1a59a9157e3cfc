"""The line of play that is expected after a move, as far as the seat that asks may know it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from perankh.bots.levels import legal_actions
from perankh.bots.network import evaluated
from perankh.bots.searcher import Budget, searcher_of
from perankh.engine.events import GameEvent, redacted
from perankh.engine.game import Game
from perankh.engine.state import Record

WORLDS = 5  # worlds that a line has to be the same in
AGREED = 0.6  # the share of them in which a move must be the best
LONGEST = 6  # moves of a line
QUICK = 400  # iterations for a move of a line

Moves = tuple[tuple[int, int], ...]  # seat and action


def expected_line(game: Game, veiled: Record, p: int, action: int, seed: int, iterations: int = QUICK) -> Moves:
    """The moves that are expected after p's action, seat and action each.

    Everybody decides by what his own seat may know in worlds dealt in place of what is hidden from p. The line ends where the
    worlds do not agree, or where p would see something that only one of them has.
    """
    worlds = [game.redealt(veiled, seed + number) for number in range(WORLDS)]
    line: list[tuple[int, int]] = []
    if not agree(game, worlds, p, p, action):
        return ()
    while len(line) < LONGEST:
        q = only_actor(game, worlds)
        if q is None:
            break
        answers = Counter(best_answer(game, game.veiled(world, q), q, seed, iterations) for world in worlds)
        answer, times = answers.most_common(1)[0]
        if times < AGREED * WORLDS or not all(answer in game.legal(world, q) for world in worlds):
            break
        if not agree(game, worlds, p, q, answer):
            break
        line.append((q, answer))
    return tuple(line)


def only_actor(game: Game, worlds: Sequence[Record]) -> int | None:
    """The seat that decides in all worlds, if it is the same one alone."""
    acting = game.actors(worlds[0])
    return acting[0] if len(acting) == 1 and all(game.actors(world) == acting for world in worlds) else None


def best_answer(game: Game, veiled: Record, q: int, seed: int, iterations: int) -> int:
    """What q does, by the network or a quick search."""
    actions = legal_actions(game, veiled, q)
    if len(actions) == 1:
        return actions[0]
    if found := evaluated(game, veiled, q):
        return max(actions, key=lambda action: found[0][action])
    return searcher_of(game).search(veiled, q, seed, Budget(iterations)).best


def agree(game: Game, worlds: Sequence[Record], p: int, q: int, action: int) -> bool:
    """Carry out q's action in every world; does p see the same in all of them?"""
    seen = [redacted(game.apply(world, q, action), p) for world in worlds]
    return all(events == seen[0] for events in seen)


def line_in_words(game: Game, veiled: Record, p: int, action: int, line: Moves, lang: str) -> list[str]:
    """What is told of the moves of a line after p's action; ends where a move is not possible."""
    world = game.redealt(veiled, 0)
    game.apply(world, p, action)
    told: list[str] = []
    for q, answer in line:
        if answer not in game.legal(world, q):
            break
        events: list[GameEvent] = redacted(game.apply(world, q, answer), p)
        told += game.text.log_lines(game.veiled(world, p), events, p, lang)
    return told
