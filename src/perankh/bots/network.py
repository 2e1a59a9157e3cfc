"""Trained networks: what a position promises to the seat that acts, and which move is best, by one evaluation.

A network is a file `network.npz` in a game's folder. Its numbers are whole, and so are all sums; NumPy computes them in floating
point without rounding. So the same position gives the same numbers on every machine, in whatever order they are added.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import random
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.errors import BadFile

FILE = "network.npz"
FORMAT = 1
NONE = "the game has no trained network"
UNIT = 256  # activations, logits and values are whole numbers of 1/256
LARGEST = 32_767  # weight, as a whole number
SPREAD = 3.0  # temperatures below the best that a move may be
LAYERS = ("in", "second", "third", "policy", "value")
SEAT_LAYERS = ("others", "seats")  # from the last hidden layer to what the other seats expect; not every network has them


def columns_of(players: int) -> int:
    """How many outputs the layer `seats` has for up to so many players, from three on: each seat but the acting one."""
    return players * (players - 1) // 2 - 1


@dataclass(frozen=True, eq=False)
class Layer:
    """Weights as whole numbers of 2 ** -shift, biases as whole numbers of 1/256."""

    weights: Any  # [inputs, outputs]
    bias: Any
    shift: int

    def __call__(self, numbers: Any) -> Any:
        """Weighted sums, rounded to whole numbers."""
        return np.floor(numbers @ self.weights * 2.0**-self.shift + 0.5) + self.bias

    def coarser(self, largest: int) -> Layer:
        """The same layer with smaller whole numbers as weights."""
        bits = max(0, math.ceil(math.log2(max(float(np.abs(self.weights).max()), 1.0) / largest)))
        return Layer(np.round(self.weights * 2.0**-bits), self.bias, self.shift - bits)


@dataclass(frozen=True, eq=False)
class Network:
    """A trained network and what it was trained for."""

    layers: Mapping[str, Layer]
    facts: Mapping[str, Any]

    def coarser(self, largest: int) -> Network:
        """The same network with smaller whole numbers as weights: a smaller file, and nearly the same moves."""
        return Network({name: layer.coarser(largest) for name, layer in self.layers.items()}, self.facts)

    @property
    def knows_others(self) -> bool:
        """Does it say what the seats expect that do not act?"""
        return "seats" in self.layers

    def run(self, observations: Any) -> tuple[Any, Any]:
        """Of a position, or of rows of them: the preference for every action, and the value. Both are whole numbers of 1/256."""
        hidden = self.last_hidden(observations)
        return self.layers["policy"](hidden).astype(np.int64), self.layers["value"](hidden)[..., 0]

    def last_hidden(self, observations: Any) -> Any:
        """What the three layers make of a position, or of rows of them."""
        hidden = np.maximum(self.layers["in"](np.asarray(observations, np.float64) * UNIT), 0)
        for name in ("second", "third"):
            hidden = hidden + np.maximum(self.layers[name](hidden), 0)
        return hidden

    def evaluate(self, observation: Sequence[int]) -> tuple[Any, float]:
        """The preference for every action, in whole numbers of 1/256, and the reward that the seat can expect, from -1 to 1."""
        preferences, value = self.run(observation)
        return preferences, math.tanh(float(value) / UNIT)

    def rewards(self, observation: Sequence[int], players: int) -> list[float]:
        """The reward that each seat can expect, from the acting one on; together they are 0."""
        hidden = self.last_hidden(observation)
        own, others = math.tanh(float(self.layers["value"](hidden)[0]) / UNIT), [0.0] * (players - 1)
        first = columns_of(players - 1)
        if players > 2 and self.knows_others:
            found = self.layers["seats"](np.maximum(self.layers["others"](hidden), 0))[first : first + players - 1]
            others = [math.tanh(float(number) / UNIT) for number in found]
        excess = (own + sum(others)) / max(1, players - 1)
        return [own, *(other - excess for other in others)]

    def missing(self, game: Game, options: Mapping[str, Any]) -> str:
        """What keeps the network from playing this game with these options, or an empty string."""
        for name, wanted in facts_of(game).items():
            if self.facts.get(name) != wanted:
                return f"the network was trained with other {name} than the game has now"
        for name, value in options.items():
            option = game.options[name]
            if option.kind != "seat" and value not in self.facts.get("options", {}).get(name, [option.default]):
                return f"the network was not trained with {name} = {value}"
        return ""


@lru_cache
def facts_of(game: Game) -> dict[str, Any]:
    """What a network must have been trained with to play a game."""
    features = hashlib.sha256(repr([(f.name, f.shape, f.low, f.high) for f in game.features]).encode()).hexdigest()[:16]
    return {
        "game": game.name,
        "rules": game.version,
        "components": game.components_fingerprint,
        "features": features,
        "actions": game.actions,
    }


def packed(network: Network) -> bytes:
    """A network as the bytes of its file."""
    arrays = {}
    for name, layer in network.layers.items():
        arrays[f"{name}_weights"] = layer.weights.astype(np.int8 if np.abs(layer.weights).max() <= 127 else np.int16)
        arrays[f"{name}_bias"] = layer.bias.astype(np.int32)
        arrays[f"{name}_shift"] = np.array(layer.shift)
    file = io.BytesIO()
    np.savez_compressed(file, facts=np.array(json.dumps({"format": FORMAT} | dict(network.facts))), **arrays)
    return file.getvalue()


def load_network(path: Path) -> Network:
    """Read a network from a file; raises BadFile if it is none."""
    try:
        return unpacked(path.read_bytes())
    except (OSError, BadFile) as error:
        raise BadFile(f"{path.name}: {error}") from None


def unpacked(content: bytes) -> Network:
    """A network from the bytes of its file; raises BadFile if they are none."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as kept:
            facts = json.loads(str(kept["facts"]))
            if facts.get("format") != FORMAT:
                raise BadFile("this is a network of another version")
            layers = {
                name: Layer(kept[f"{name}_weights"].astype(float), kept[f"{name}_bias"].astype(float), int(kept[f"{name}_shift"]))
                for name in (*LAYERS, *(SEAT_LAYERS if "seats_shift" in kept else ()))
            }
    except (OSError, EOFError, KeyError, ValueError, TypeError, AttributeError, zipfile.BadZipFile):
        raise BadFile("this is no network") from None
    return Network(layers, facts)


@lru_cache
def opened(path: Path) -> Network | str:
    """The network of a file, the same for a game in all its editions, or why there is none."""
    if not path.is_file():
        return NONE
    try:
        return load_network(path)
    except BadFile as error:
        return str(error)


def network_of(game: Game, file: str = FILE) -> Network | None:
    """A network in a game's folder, or None, also where the file cannot be read."""
    found = opened(game.folder / file)
    return found if isinstance(found, Network) else None


def fitting_network(game: Game) -> Network | None:
    """The network of a game, if it was trained for these rules, components and features and for the usual options."""
    network = network_of(game)
    return None if network is None or network.missing(game, {}) else network


@lru_cache(maxsize=128)  # each of them keeps a game, which may be one in an edition that nobody plays any more
def trained_for(game: Game, options: tuple[tuple[str, Any], ...], file: str = FILE) -> str:
    """Why a network cannot play with these options, or an empty string."""
    network = network_of(game, file)
    return str(opened(game.folder / file)) if network is None else network.missing(game, dict(options))


def untrained(game: Game, state: Record) -> str:
    """Why the network that a game has cannot play a match, or an empty string; also empty where there is none."""
    reason = trained_for(game, tuple(game.shown_options(state).items()))
    return "" if reason == NONE else reason


def network_for(game: Game, state: Record, file: str = FILE) -> Network | None:
    """A network of a game, if it was trained with the options of this match."""
    return None if trained_for(game, tuple(game.shown_options(state).items()), file) else network_of(game, file)


def evaluated(game: Game, state: Record, p: int) -> tuple[Any, float] | None:
    """Preferences and expected reward of p, who acts in a veiled state, or None if no network was trained for it."""
    network = network_for(game, state)
    return network.evaluate(game.observation_of(state, p)) if network else None


def softened(preferences: Sequence[int], temperature: float, random_seed: int) -> int:
    """The number of a preference drawn by its weight, exp(preference / temperature); the largest if the temperature is 0.

    What is more than SPREAD temperatures below the largest is never drawn. Weights are whole numbers, so that a seed means the
    same draw on every machine.
    """
    best = max(preferences)
    if temperature <= 0:
        return list(preferences).index(best)
    below = [(best - preference) / (UNIT * temperature) for preference in preferences]
    weights = [round(65_536 * math.exp(-gap)) if gap <= SPREAD else 0 for gap in below]
    return random.Random(random_seed).choices(range(len(weights)), weights)[0]
