"""How the levels of a game play by its trained networks: `levels.toml` in the game's folder.

`perankh train GAME --levels` writes it. A level names a network of the folder and a temperature, or those for each number of
players: it draws among the moves that the network likes nearly as well as the best one. Ratings are on one scale, on which random
play is 0.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from perankh.bots.network import FILE, Network, network_for, softened
from perankh.bots.personalities import suited
from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.errors import BadGame

LEVELS_FILE = "levels.toml"
KEYS = {"network", "temperature", "rating"}


@dataclass(frozen=True)
class Style:
    """How one level plays one game."""

    network: str | Mapping[str, str] = FILE  # for all, or by the number of players
    temperature: float | Mapping[str, float] = 0.0
    rating: int | None = None

    def network_for(self, players: int) -> str:
        """The file of the network with so many players."""
        return self.network.get(str(players), FILE) if isinstance(self.network, Mapping) else self.network

    def temperature_for(self, players: int) -> float:
        """The temperature with so many players."""
        return self.temperature.get(str(players), 0.0) if isinstance(self.temperature, Mapping) else self.temperature

    def decide(self, game: Game, network: Network, state: Record, p: int, seed: int, personality: str = "") -> int:
        """P's action by one evaluation of a network; with a personality, among the best moves by what they lead to."""
        every, _ = network.run(game.observation_of(state, p))
        actions = sensible_actions(game, state, p)
        preferences = [int(every[action]) for action in actions]
        if personality:
            preferences = suited(game, network, state, p, seed, actions, preferences, personality)
        return actions[softened(preferences, self.temperature_for(state.players), seed)]


def sensible_actions(game: Game, state: Record, p: int) -> list[int]:
    """P's legal actions without those that no level plays: `absurd` of the game's bots.py; all, if nothing else is left."""
    actions = [int(action) for action in game.legal(state, p)]
    absurd = getattr(game.bots, "absurd", None)
    return [action for action in actions if not absurd(state, p, action)] or actions if absurd else actions


@lru_cache(maxsize=32)  # each game in an edition that is kept takes memory
def styles_of(game: Game) -> Mapping[str, Style]:
    """The styles of a game's levels, by level; none where the game has no levels.toml."""
    path = game.folder / LEVELS_FILE
    return read_styles(path) if path.is_file() else {}


def read_styles(path: Path) -> dict[str, Style]:
    """Read a levels.toml; raises BadGame if anything in it is wrong."""
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadGame(f"{path.name}: {error}") from None
    return {level: checked_style(path, level, values) for level, values in given.items()}


def checked_style(path: Path, level: str, values: Any) -> Style:
    """One level of a levels.toml."""
    if not isinstance(values, dict) or not set(values) <= KEYS:
        raise BadGame(f"{path.name}: {level} may have {', '.join(sorted(KEYS))} and nothing else")
    style = Style(**values)
    for network in each(style.network):
        if not isinstance(network, str) or not (path.parent / Path(network).name).is_file():
            raise BadGame(f"{path.name}: {level} plays by the network {network!r}, which is not in the folder")
    for temperature in each(style.temperature):
        if isinstance(temperature, bool) or not isinstance(temperature, int | float) or not 0 <= temperature <= 10:
            raise BadGame(f"{path.name}: {level} has the temperature {temperature!r}, not one from 0 to 10")
    if style.rating is not None and (isinstance(style.rating, bool) or not isinstance(style.rating, int)):
        raise BadGame(f"{path.name}: {level} has the rating {style.rating!r}, not a whole number")
    return style


def each(given: Any) -> list[Any]:
    """What is given for all, or for each number of players."""
    return list(given.values()) if isinstance(given, Mapping) else [given]


def trained_style(game: Game, level: str, state: Record) -> tuple[Style, Network] | None:
    """The style of a level and its network, if that was trained with the options of this match."""
    style = styles_of(game).get(level)
    network = network_for(game, state, style.network_for(state.players)) if style else None
    return (style, network) if style and network else None
