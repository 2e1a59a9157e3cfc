"""Masked PPO against itself, on a batch of games: python examples/learning/ppo.py examples/connect_four

Works for every game, by its name or by the path of its folder, and for every number of players. One network plays all seats; it
sees each game as the seat that acts sees it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from perankh.envs import Batch, batch

GAMES, STEPS, EPOCHS, MINIBATCH = 512, 32, 3, 4096
RATE, CLIP, ENTROPY, LAMBDA = 1e-3, 0.2, 0.03, 0.9
Tensors = dict[str, torch.Tensor]


class Network(nn.Module):
    """Policy and value of the seat that acts."""

    def __init__(self, game: Any, width: int = 128) -> None:
        super().__init__()
        self.scales = torch.tensor(game.features.scales)
        layers = [nn.Linear(game.features.size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()]
        self.body = nn.Sequential(*layers, nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, game.actions), nn.Linear(width, 1)

    def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The distribution over legal actions, and the reward that is expected."""
        hidden = self.body(observation * self.scales)
        logits = self.policy(hidden).masked_fill(~mask, -1e9)
        return Categorical(logits=logits, validate_args=False), torch.tanh(self.value(hidden))[:, 0]


@torch.no_grad()
def collect(games: Batch, network: Network) -> Tensors:
    """Play some steps in every game. `torch.tensor` copies arrays of the batch, which the next step overwrites."""
    rows: dict[str, list[torch.Tensor]] = {}
    for _ in range(STEPS):
        step = {name: torch.tensor(getattr(games, name)) for name in ("observation", "mask", "seat")}
        policy, step["value"] = network(step["observation"], step["mask"])
        step["action"] = policy.sample()
        step["logp"] = policy.log_prob(step["action"])
        games.step(step["action"].cpu().numpy())
        step["reward"], step["ended"] = torch.tensor(games.reward), torch.tensor(games.terminated | games.truncated)
        for name, values in step.items():
            rows.setdefault(name, []).append(values)
    played = {name: torch.stack(values) for name, values in rows.items()}
    _, last_value = network(torch.tensor(games.observation), torch.tensor(games.mask))
    played["advantage"], played["known"] = advantages(played, last_value, torch.tensor(games.seat).long())
    return played


def advantages(played: Tensors, last_value: torch.Tensor, last_seat: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """GAE from each decision of a seat to the next decision of the same seat, or to the end of its game.

    A decision is known if one of these was seen; others are left out of the loss.
    """
    steps, n, seats = played["reward"].shape
    slots = torch.arange(n)
    value, advantage, reward, seen = (torch.zeros(n, seats) for _ in range(4))
    value[slots, last_seat], seen[slots, last_seat] = last_value, 1.0
    found, known = torch.zeros(steps, n), torch.zeros(steps, n)
    for t in reversed(range(steps)):
        ended, p = played["ended"][t], played["seat"][t].long()
        value[ended], advantage[ended], reward[ended], seen[ended] = 0.0, 0.0, played["reward"][t][ended], 1.0
        known[t] = seen[slots, p]
        delta = reward[slots, p] + value[slots, p] - played["value"][t]
        found[t] = known[t] * (delta + LAMBDA * advantage[slots, p])
        value[slots, p], advantage[slots, p], reward[slots, p], seen[slots, p] = played["value"][t], found[t], 0.0, 1.0
    return found, known.bool()


def minibatches(played: Tensors) -> Iterator[Tensors]:
    """The decisions to learn from, in random parts: known ones with a choice."""
    flat = {name: values.flatten(0, 1) for name, values in played.items()}
    useful = torch.nonzero(flat["known"] & (flat["mask"].sum(dim=1) > 1))[:, 0]
    for part in useful[torch.randperm(len(useful))].split(MINIBATCH):
        yield {name: values[part] for name, values in flat.items()}


def loss_of(network: Network, part: Tensors) -> torch.Tensor:
    """The loss of PPO: clipped gain, squared error of the value, entropy."""
    policy, value = network(part["observation"], part["mask"])
    advantage, target = part["advantage"], part["value"] + part["advantage"]
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    ratio = (policy.log_prob(part["action"]) - part["logp"]).exp()
    gain = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
    return 0.5 * (value - target).square().mean() - gain - ENTROPY * policy.entropy().mean()


def train(game: Any, players: int | None = None, updates: int = 80, report: Callable[..., None] = print) -> Network:
    """Train a network; after every tenth of the updates, `report` gets the steps so far and the reward against random play."""
    torch.manual_seed(1)
    torch.set_default_device("cuda" if torch.cuda.is_available() else "cpu")
    games = batch(game, GAMES, players=players)
    games.reset()
    games.play_random(50)  # so that games are not all at the same move
    network = Network(games.game)
    optimizer = torch.optim.Adam(network.parameters(), eps=1e-5)
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = RATE * (1 - update / updates)
        played = collect(games, network)
        for _ in range(EPOCHS):
            for part in minibatches(played):
                optimizer.zero_grad()
                loss_of(network, part).backward()
                nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                optimizer.step()
        if (update + 1) * 10 // updates > update * 10 // updates:
            report((update + 1) * STEPS * GAMES, evaluate(network, game, players))
    return network


@torch.no_grad()
def evaluate(network: Network, game: Any, players: int | None = None, opponents: Any = "random", n: int = 200) -> float:
    """The mean reward in n games, in a random seat."""
    games = batch(game, n, players=players, seed=12345, opponents=opponents, seat="random", autoreset="disabled", limit=2000)
    games.reset()
    total = np.zeros(n)
    while (games.seat >= 0).any():
        mask = torch.tensor(games.mask)
        mask[:, 0] |= ~mask.any(dim=1)  # games that are over
        policy, _ = network(torch.tensor(games.observation), mask)
        games.step(policy.sample().cpu().numpy())
        total += games.learner_reward
    return float(total.mean())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--updates", type=int, default=80)
    given = parser.parse_args()
    trained = train(given.game, given.players, given.updates)
    print("against random play:", evaluate(trained, given.game, given.players, n=1000))
