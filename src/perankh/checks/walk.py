"""How a check says that it failed or does not apply, and the walk through random games that several checks share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from perankh.checks.watchdog import EndlessRules, expect
from perankh.engine.game import Game
from perankh.engine.simulate import option_sets, random_moves
from perankh.errors import PerankhError

Progress = Callable[[float], None]  # called with the share that is done, 0 to 1

MOST_WALKS = 20  # option sets beyond which a player count does not take all of them
SETS = 12  # option sets a player count that the interpreted checks walk through


class CheckFailed(PerankhError):
    """The game broke what the check holds it to."""


class CheckSkipped(PerankhError):
    """The check does not apply; the message says why."""


def need(condition: bool, message: str) -> None:
    """Fail the check unless the condition holds."""
    if not condition:
        raise CheckFailed(message)


def within(progress: Progress, part: int, parts: int, count: int) -> Callable[[int], None]:
    """A report of games done, out of `count` in one of several parts of a check."""
    return lambda done: progress((part + done / count) / parts)


def some_sets(game: Game, players: int, most: int, share: float = 1.0) -> list[dict[str, Any]]:
    """Option sets for slow checks: where there are many, each player count takes some, so that all have their turn.

    `share` below 1: only so many of them, at least one."""
    tried = option_sets(game, players, most)
    stride = min(len(game.players), -(-len(tried) // MOST_WALKS))
    taken = tried[players % stride :: stride]
    return taken[: math.ceil(min(1.0, share) * len(taken))]


def walk(
    game: Game,
    games: int = 1,
    sets: int = SETS,
    longest: int = 2000,
    share: float = 1.0,
    by_policy: bool = False,
    ends: bool = False,
) -> Iterator[tuple[Any, int, int, str]]:
    """Every position of random games over player counts and option sets: the state, who acts, the action chosen next, and a
    label for messages. The state must not be changed. A game is left after `longest` moves.
    `share` below 1: of the option sets only so many are taken.
    `by_policy`: the game's rollout policy plays every second game, which reaches more than moves at random do.
    `ends`: the last position of every game comes too, with -1 for who acts and for the action; a game may not be longer."""
    number = 0
    try:
        for players in game.players:
            for options in some_sets(game, players, sets, share):
                for _ in range(games):
                    start = f"{players} players, {options or 'default options'}, seed {number}"
                    expect(f"{start}, set-up")
                    state = game.new_state(players, number, options)
                    for move, (p, a) in enumerate(random_moves(game, state, number, 7, by_policy and number % 2 == 1)):
                        expect(f"{start}, move {move}")
                        yield state, p, a, f"{start}, move {move}"
                        if move >= longest:
                            if ends:
                                raise EndlessRules(f"not over after {longest} moves ({start})")
                            break
                    else:
                        if ends:
                            expect(f"{start}, the end")
                            yield state, -1, -1, f"{start}, the end"
                    number += 1
        expect("")
    finally:
        expect("")


def companion(game: Game, in_house: str, in_folder: str) -> Path | None:
    """A file or folder that belongs to a game: in the project for the games of this package, in its folder for any other."""
    outside = game.folder / in_folder
    if outside.exists():
        return outside
    root = Path(__file__).resolve().parents[3]
    inside = root / in_house
    return inside if game.package.startswith("perankh.games.") and (root / "pyproject.toml").is_file() else None
