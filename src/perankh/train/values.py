"""What a position promises to the seats that do not act: a part of a network, added after its training.

The network plays against itself; of positions on the way, its last hidden layer is kept, and what every other seat could expect
when it acted next, or got in the end. Two small layers learn the second from the first. All else in the network stays as it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn

from perankh.bots.network import FILE, Layer, Network, columns_of, packed
from perankh.engine.game import Game
from perankh.envs import Batch
from perankh.errors import BadOption
from perankh.train.learner import NEVER, drawn, shown
from perankh.train.network import TorchNetwork, whole_layer
from perankh.train.run import LIMIT, final_rewards, first_network, games_of, kinds_of_games

GAMES = 512  # played at the same time on a processor
MORE = 16  # times as many on a GPU
EVERY = 5  # one of so many positions is kept
TEMPERATURE = 0.5  # of the moves: closer to strong play than those of the training
DECAY = 0.8  # of what later decisions of a seat say about what it can expect
UNITS = 64
SMALL = 127  # weight of the first of the two layers, as a whole number
EPOCHS = 12
MINIBATCH = 512
TESTED = 0.125  # the share of games that are not learned from, but measured
PLAYING = 0.85  # the share of the time in which positions are collected


@dataclass
class Positions:
    """Positions of whole games: what the network makes of them, and what the seats from the acting one on came to."""

    hidden: list[torch.Tensor] = field(default_factory=list)
    players: list[torch.Tensor] = field(default_factory=list)
    value: list[torch.Tensor] = field(default_factory=list)  # of the acting seat
    expected: list[torch.Tensor] = field(default_factory=list)  # by seat, from the acting one on
    outcome: list[torch.Tensor] = field(default_factory=list)
    tested: list[torch.Tensor] = field(default_factory=list)


class SeatValues(nn.Module):
    """The two layers, with the deviations of what they get."""

    def __init__(self, hidden: torch.Tensor, columns: int) -> None:
        super().__init__()
        self.mean, self.scale = hidden.mean(dim=0), 1 / hidden.std(dim=0).clamp(min=1e-2)
        self.others, self.seats = nn.Linear(hidden.shape[1], UNITS), nn.Linear(UNITS, columns)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """The reward that each seat but the acting one expects, by column."""
        return torch.tanh(self.seats(torch.relu(self.others((hidden - self.mean) * self.scale))))


def learn_values(
    game: Game, out: Path, minutes: float, *, seed: int = 1, device: str | None = None, report: Callable[[str], None] = print
) -> Network:
    """Add the values of other seats to the network in a folder, or to that of the game, and write it there."""
    if game.players[-1] < 3:
        raise BadOption("values: with two players, what one seat gains the other loses; there is nothing to learn")
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(seed)
    began = time.monotonic()
    first = first_network(game, out, resume=False)
    network = TorchNetwork.of(first).to(device)
    sets, found = kinds_of_games(game, seed), Positions()
    counts = [players for players in game.players if players > 2]
    games = games_of(game, GAMES * (MORE if device == "cuda" else 1), counts, sets, seed, device, "disabled")
    rounds = 0
    while rounds == 0 or (time.monotonic() - began) * (rounds + 1) / rounds < 60 * minutes * PLAYING:
        games.reset()
        play_round(games, network, found, device)
        rounds += 1
    values = fit(found, columns_of(game.players[-1]))
    for players in counts:
        before, after = explained(found, values, players)
        report(f"{players} players: of what the other seats come to, {before:.0%} was explained and {after:.0%} is")
    facts = {"seconds": round(time.monotonic() - began), "games": rounds * games.n, "device": device}
    made = Network(dict(first.layers) | whole_layers(values), dict(first.facts) | {"values": facts})
    out.mkdir(parents=True, exist_ok=True)
    (out / FILE).write_bytes(packed(made))
    return made


@torch.no_grad()
def play_round(games: Batch, network: TorchNetwork, found: Positions, device: str) -> None:
    """Play the games of a batch to their end, and add positions of them."""
    rows = torch.arange(games.n, device=device)
    players = shown(games, "players", device).long()
    moved: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]] = []  # slots, seats, values, hidden of those kept
    action, tested = torch.zeros_like(rows), torch.rand(games.n, device=device) < TESTED
    for step in range(LIMIT):
        seat, mask, observation = (shown(games, name, device) for name in ("seat", "mask", "observation"))
        acting = rows[seat >= 0]
        if len(acting) == 0:
            break
        hidden = network.last_hidden(observation[acting])
        preferences, value = network.judged(hidden)
        action[acting] = drawn((preferences / TEMPERATURE).masked_fill(~mask[acting], NEVER))
        moved.append((acting, seat[acting].long(), value, hidden if step % EVERY == 0 else hidden[:0]))
        games.step(action if device == "cuda" else action.numpy())
    outcome = final_rewards(games, device)
    expected = outcome.clone()
    offsets = torch.arange(outcome.shape[1], device=device)
    for acting, seat, value, hidden in reversed(moved):
        if len(hidden):
            order = (seat[:, None] + offsets) % players[acting, None]
            found.hidden.append(hidden.half())
            found.players.append(players[acting])
            found.value.append(value)
            found.expected.append(expected[acting].gather(1, order))
            found.outcome.append(outcome[acting].gather(1, order))
            found.tested.append(tested[acting])
        expected[acting, seat] = DECAY * expected[acting, seat] + (1 - DECAY) * value


def fit(found: Positions, columns: int) -> SeatValues:
    """The two layers, fitted to the positions that are learned from."""
    train = ~torch.cat(found.tested)
    hidden, players, expected = (torch.cat(rows)[train] for rows in (found.hidden, found.players, found.expected))
    values, counts = SeatValues(hidden.float(), columns).to(hidden.device), sorted(set(players.tolist()))
    optimizer = torch.optim.AdamW(values.parameters(), lr=1e-3, weight_decay=0.05)
    rounds = EPOCHS * -(-len(hidden) // MINIBATCH)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, rounds)
    for _ in range(EPOCHS):
        for part in torch.split(torch.randperm(len(hidden), device=hidden.device), MINIBATCH):
            promised: Any = values(hidden[part].float())
            error: Any = 0.0
            for count in counts:
                rows, first = players[part] == count, columns_of(count - 1)
                error = error + (promised[rows, first : first + count - 1] - expected[part][rows, 1:count]).square().sum()
            optimizer.zero_grad()
            (error / len(part)).backward()
            optimizer.step()
            schedule.step()
    return values


@torch.no_grad()
def explained(found: Positions, values: SeatValues, players: int) -> tuple[float, float]:
    """Which share of the variance of the other seats' results was explained, and which is, in games not learned from."""
    count, tested = torch.cat(found.players), torch.cat(found.tested)
    rows, first = tested & (count == players), columns_of(players - 1)
    hidden, value, outcome = (torch.cat(kept)[rows] for kept in (found.hidden, found.value, found.outcome))
    outcome = outcome[:, 1:players]
    promised = values(hidden.float())[:, first : first + players - 1]
    promised = promised - (promised.sum(dim=1) + value)[:, None] / (players - 1)
    alike = -value[:, None] / (players - 1)
    errors = [float((guess - outcome).square().mean()) for guess in (alike, promised)]
    variance = float(outcome.var(dim=0).mean())
    return 1 - errors[0] / variance, 1 - errors[1] / variance


def whole_layers(values: SeatValues) -> dict[str, Layer]:
    """The two layers in whole numbers, the first in small ones: its file has to be small."""
    mean, scale = values.mean.double(), values.scale.double()
    weights = values.others.weight.double() * scale
    others = whole_layer(weights, values.others.bias.double() - weights @ mean)
    return {"others": others.coarser(SMALL), "seats": whole_layer(values.seats.weight.double(), values.seats.bias.double())}
