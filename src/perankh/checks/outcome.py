"""How a check says that it failed or does not apply, and the walk through random games that several checks share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from perankh.engine.game import Game
from perankh.engine.simulate import option_sets, random_moves
from perankh.errors import PerankhError

Progress = Callable[[float], None]  # told the share that is done, 0 to 1

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


def some_sets(game: Game, players: int, most: int) -> list[dict[str, Any]]:
    """Option sets for slow checks: where there are many, each player count takes some, so that all have their turn."""
    tried = option_sets(game, players, most)
    stride = min(len(game.players), -(-len(tried) // MOST_WALKS))
    return tried[players % stride :: stride]


def walk(game: Game, games: int = 1, sets: int = SETS, longest: int = 2000) -> Iterator[tuple[Any, int, int, str]]:
    """Every position of random games over player counts and option sets: the state, who acts, the action chosen next, and a
    label for messages. The state must not be changed. A game is left after `longest` moves."""
    number = 0
    for players in game.players:
        for options in some_sets(game, players, sets):
            for _ in range(games):
                state = game.new_state(players, number, options)
                for move, (p, a) in enumerate(random_moves(game, state, number, 7)):
                    yield state, p, a, f"{players} players, {options or 'default options'}, seed {number}, move {move}"
                    if move >= longest:
                        break
                number += 1


def companion(game: Game, in_house: str, in_folder: str) -> Path | None:
    """A file or folder that belongs to a game: in the project for the house's own games, in its folder for any other."""
    outside = game.folder / in_folder
    if outside.exists():
        return outside
    root = Path(__file__).resolve().parents[3]
    inside = root / in_house
    return inside if game.package.startswith("perankh.games.") and (root / "pyproject.toml").is_file() else None
