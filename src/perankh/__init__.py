"""Per-Ankh: a house for board games.

>>> import perankh
>>> m = perankh.new("mural", players=3, seed=7)
>>> m.play(m.moves()[0]).code
'83'
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from perankh.match import Match

__all__ = ["load", "new"]


def new(game: str | Path, players: int, seed: int | None = None, names: Sequence[str] | None = None, **options: Any) -> Match:
    """Begin a match. `game` is a name or the path of a game folder; options are the game's own, such as `mode="hard"`."""
    from perankh.match import Match

    return Match(game, players, seed, options, names)


def load(path: str | Path, *, seed: int | None = None, game: str | Path | None = None) -> Match:
    """Read a match file and replay it to its last position."""
    from perankh.match import load

    return load(path, seed=seed, game=game)
