"""Finds how the levels of a game play by its networks, so that each beats the one below by about as much.

The highest of these levels plays the move that the network likes best. For each level below, a temperature is searched; where
even the highest is too strong, an earlier network is taken. The matches are played in batches, on the GPU if there is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import torch

from perankh.bots import LEVELS
from perankh.bots.network import FILE, LARGEST, SPREAD, UNIT, Layer, Network, load_network, packed
from perankh.bots.styles import LEVELS_FILE
from perankh.engine.game import Game
from perankh.errors import BadFile, BadOption
from perankh.train.learner import NEVER, drawn
from perankh.train.run import FIRST, SNAPSHOTS, match_shares

AIM = 0.75  # of the opponents of the level below are left behind, or fewer where random play is near
UNEVEN, SMALLER, LEAST_AIM = 0.05, 0.02, 0.65  # by how much a step may miss the aim, else that is lowered by so much, to so much
HOTTEST = 2.5  # temperature; above it moves look senseless
EARLIER = (3, 12, 48)  # after which part of the steps the networks of lower levels were kept
TRIES = 4  # temperatures that are tried for a level
MATCHES = 300  # in each try on a processor
MORE = 8  # times as many on a GPU
GAP = 0.08  # by which a step may be too large
ALL_FILES = 2_000_000  # bytes that the networks of a game take at most
RANDOM = "random"


@dataclass(frozen=True)
class Player:
    """Plays by a network; by none, at random."""

    network: Network | None
    temperature: float = 0.0

    def choose(self, observation: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """An action for each row, as bots choose it."""
        if self.network is None:
            return drawn(torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, NEVER))
        preferences = (run(self.network, observation) / UNIT).masked_fill(~mask, NEVER)
        below = preferences.max(dim=1, keepdim=True).values - preferences
        if self.temperature <= 0:
            return below.argmin(dim=1)
        return drawn((-below / self.temperature).masked_fill(below > SPREAD * self.temperature, NEVER))


def run(network: Network, observation: torch.Tensor) -> torch.Tensor:
    """The preferences of a network where the observations are, nearly as `Network.run` computes them."""
    device = str(observation.device)
    hidden = applied(network.layers["in"], observation.float() * UNIT, device).clamp(min=0)
    for name in ("second", "third"):
        hidden = hidden + applied(network.layers[name], hidden, device).clamp(min=0)
    return applied(network.layers["policy"], hidden, device)


def applied(layer: Layer, numbers: torch.Tensor, device: str) -> torch.Tensor:
    """What a layer makes of numbers."""
    weights, bias = tensors(layer, device)
    return (numbers @ weights * 2.0**-layer.shift + 0.5).floor() + bias


@lru_cache
def tensors(layer: Layer, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Weights and biases of a layer on a device."""
    return torch.as_tensor(layer.weights, device=device).float(), torch.as_tensor(layer.bias, device=device).float()


def ends(game: Game) -> list[int]:
    """The fewest players from two on, and the most."""
    return sorted({max(2, game.players[0]), game.players[-1]})


Way = tuple[int, float]  # to play: the number of the network, and the temperature


@dataclass
class Found:
    """A level that was found, and how it fares against the one below."""

    level: str
    players: dict[int, Way]  # by the number of players
    ahead: list[float]  # of the next lower level, with the fewest and with the most players


def fitted(network: Network, room: int) -> Network:
    """A network with weights as precise as fit into a file of so many bytes."""
    largest = LARGEST
    while len(packed(network)) > room and largest > 1:
        largest //= 2
        network = network.coarser(largest)
    return network


class Search:
    """The search for the levels of a game by the networks in the folder of a training."""

    def __init__(self, game: Game, folder: Path, seed: int, device: str) -> None:
        if not (folder / FILE).is_file():
            raise BadFile(f"{folder} has no {FILE}")
        self.game, self.seed, self.device = game, seed, device
        self.matches = MATCHES * (MORE if device == "cuda" else 1)
        self.files, self.networks = [FILE], [load_network(folder / FILE)]
        room = (ALL_FILES - (folder / FILE).stat().st_size) // len(EARLIER)
        snapshots = earlier_networks(game, folder)
        kept = {number: load_network(path) for number, path in snapshots.items()}
        parts: Sequence[int] = EARLIER
        if (folder / FIRST).is_file():  # the network that searches have improved comes next
            parts = EARLIER[1:]
            self.files.append(f"network-{FIRST}")
            self.networks.append(fitted(load_network(folder / FIRST), room))
        for part in parts:
            early = [number for number in snapshots if steps_of(kept[number]) <= steps_of(self.networks[0]) / part]
            if early and (file := f"network-{early[-1]}.npz") not in self.files:
                self.files.append(file)
                self.networks.append(fitted(kept[early[-1]], room))

    def share(self, players: int, one: Player, other: Player, times: int = 1) -> float:
        """The share of opponents that `one` leaves behind."""
        seed = self.seed + players + 100 * times
        return match_shares(self.game, players, one.choose, other.choose, self.device, times * self.matches, seed)

    def below(self, above: Way, players: int, aim: float) -> Way:
        """Network and temperature that are weaker than a level by as much as wanted, or nearly."""
        player = self.player(above)
        (place, low), high = above, HOTTEST
        too_strong = self.share(players, player, Player(self.networks[place], HOTTEST))
        while too_strong < aim and place + 1 < len(self.networks):
            place, low = place + 1, 0.0
            coldest = self.share(players, player, Player(self.networks[place], 0.0))
            if coldest >= aim + GAP:  # too weak
                place -= 1
                break
            too_strong = self.share(players, player, Player(self.networks[place], HOTTEST))
        if too_strong < aim:  # no network is right: hotter than usual
            low, high = HOTTEST, 2 * HOTTEST
        for _ in range(TRIES):
            middle = (low + high) / 2
            if self.share(players, player, Player(self.networks[place], middle)) < aim:
                low = middle
            else:
                high = middle
        return place, round((low + high) / 2, 2)

    def player(self, way: Way) -> Player:
        """Who plays in a way."""
        place, temperature = way
        return Player(self.networks[place], temperature)

    def steps(self, players: int, count: int) -> tuple[list[Way], list[float]]:
        """How so many levels play, the strongest first, and the share of the next lower one that each leaves behind.

        The steps are as even as can be: where there is no room for the lowest ones above random play, all are made smaller.
        """
        aim = AIM
        while True:
            ways = [(0, 0.0)]
            for _ in range(count - 1):
                ways.append(self.below(ways[-1], players, aim))
            pairs = list(pairwise([*map(self.player, ways), Player(None)]))
            if min(self.share(players, *pair, 2) for pair in pairs[-2:]) >= aim - UNEVEN or aim <= LEAST_AIM:
                return ways, [self.share(players, *pair, 3) for pair in pairs]  # over deals that chose nothing
            aim -= SMALLER


def earlier_networks(game: Game, folder: Path) -> dict[int, Path]:
    """Networks from the way of a training by number, the earliest first; those of the game where the folder has none."""
    found = {int(path.stem): path for path in (folder / SNAPSHOTS).glob("*.npz")}
    if not found:
        numbers = ((path.stem.removeprefix("network-"), path) for path in game.folder.glob("network-*.npz"))
        found = {int(number): path for number, path in numbers if number.isdecimal()}
    return dict(sorted(found.items()))


def steps_of(network: Network) -> int:
    """How many steps a network was trained."""
    return int(network.facts["training"]["steps"])


def find_levels(
    game: Game, folder: Path, top: str, seed: int, device: str | None = None, report: Callable[[str], None] = print
) -> tuple[list[Found], Search]:
    """The levels from `top` down to the lowest, by the networks in the folder of a training."""
    names = list(LEVELS)
    if top not in names[:-1]:
        raise BadOption(f"--top: {top!r} is not one of {', '.join(names[:-1])}")
    torch.manual_seed(seed)
    search = Search(game, folder, seed, device or ("cuda" if torch.cuda.is_available() else "cpu"))
    listed = list(reversed(names[: names.index(top) + 1]))
    steps = {players: search.steps(players, len(listed)) for players in game.players}
    found = [
        Found(
            level,
            {players: ways[place] for players, (ways, _) in steps.items()},
            [steps[players][1][place] for players in ends(game)],
        )
        for place, level in enumerate(listed)
    ]
    for level, lower in pairwise([*found, Found(RANDOM, {}, [])]):
        told = ", ".join(f"{players} players {search.files[place]} at {t}" for players, (place, t) in lower.players.items())
        report(f"{level.level} leaves {shares(level.ahead)} of {lower.level} behind{': ' * bool(told)}{told}")
    return found, search


def shares(found: Sequence[float]) -> str:
    """Shares in words."""
    return " and ".join(f"{share:.0%}" for share in found)


def ratings(found: Sequence[Found]) -> dict[str, int]:
    """Ratings of the levels by the shares between neighbours, with two players; random play is 0."""
    rated, rating = {}, 0.0
    for level in reversed(found):
        share = min(max(level.ahead[0], 0.005), 0.995)
        rating += 400 * math.log10(share / (1 - share))
        rated[level.level] = round(rating)
    return rated


def write_levels(game: Game, folder: Path, found: Sequence[Found], search: Search) -> Path:
    """Write levels.toml into the folder of a training, beside the networks it names."""
    rated, lines = ratings(found), [f"# Written by `perankh train {game.name} --levels`: how the levels play by the networks."]
    named = set()
    for level in reversed(found):
        chosen = sorted(level.players.items())
        files = ", ".join(f'{players} = "{search.files[place]}"' for players, (place, _) in chosen)
        temperatures = ", ".join(f"{players} = {temperature}" for players, (_, temperature) in chosen)
        lines += ["", f"[{level.level}]", f"network = {{ {files} }}", f"temperature = {{ {temperatures} }}"]
        lines += [f"rating = {rated[level.level]}"]
        named |= {place for place, _ in level.players.values()}
    for place in sorted(named - {0}):
        (folder / search.files[place]).write_bytes(packed(search.networks[place]))
    path = folder / LEVELS_FILE
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
