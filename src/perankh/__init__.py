"""Board games with rules in Python: play, save and replay matches, ask bots for moves.

>>> import perankh
>>> m = perankh.new("mural", players=3, seed=7)
>>> m.play(m.moves()[0]).code
'83'
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perankh import errors
from perankh.errors import (
    AmbiguousMove,
    BadComponents,
    BadFile,
    BadGame,
    BadOption,
    IllegalMove,
    InvalidMove,
    MoveError,
    PerankhError,
    UnknownGame,
)

if TYPE_CHECKING:
    from perankh.match import Match, Move, View

__version__ = "0.1.0"

__all__ = [
    "AmbiguousMove",
    "BadComponents",
    "BadFile",
    "BadGame",
    "BadOption",
    "IllegalMove",
    "InvalidMove",
    "Match",
    "Move",
    "MoveError",
    "PerankhError",
    "UnknownGame",
    "View",
    "bot_names",
    "errors",
    "game_names",
    "load",
    "new",
]


def new(game: str | Path, players: int, seed: int | None = None, names: Sequence[str] | None = None, **options: Any) -> Match:
    """Begin a match. `game` is a name or the path of a game folder; options are the game's own, such as `mode="hard"`."""
    from perankh.match import Match

    return Match(game, players, seed, options, names)


def load(path: str | Path, *, seed: int | None = None, game: str | Path | None = None) -> Match:
    """Read a match file and replay it to its last position.

    `seed` opens a file that holds only the hash of its seed; `game` is the folder of a game that is not found by name.
    """
    from perankh.match import load

    return load(path, seed=seed, game=game)


def game_names() -> list[str]:
    """The names of the games that can be played."""
    from perankh.engine.game import game_names

    return game_names()


def bot_names() -> list[str]:
    """The names of the bots, from the weakest to the strongest."""
    from perankh.bots import BOTS

    return list(BOTS)


def __getattr__(name: str) -> Any:
    """Load the classes when they are first used: importing them all takes a while."""
    if name in ("Match", "Move", "View"):
        from perankh import match

        return getattr(match, name)
    raise AttributeError(f"module 'perankh' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
