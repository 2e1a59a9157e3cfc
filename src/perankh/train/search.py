"""Gumbel search in all games of a batch at once: with few simulations, it finds better chances than the network has.

Each simulation plays in a random world that fits what the seat to move knows, from the position to a new node of the tree, where
the network evaluates. Nodes stand for the actions that led to them. At the root, actions are drawn without replacement by the
network's chances, and those that do worse drop out by halves; elsewhere the search follows the chances that are best so far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch

from perankh.envs import Batch
from perankh.train.learner import NEVER, shown
from perankh.train.network import TorchNetwork

CONSIDERED = 16  # actions at the root, at most
DEEPEST = 12  # decisions of a simulation
FIRST_VISITS = 50  # what is added to the visits of the most visited action in the weight of values


class Tree:
    """The nodes of all games; node 0 is the root. Arrays are [games, nodes, actions], values [games, nodes]."""

    def __init__(self, games: int, nodes: int, actions: int, device: str) -> None:
        self.preferences = torch.zeros(games, nodes, actions, device=device)
        self.value = torch.zeros(games, nodes, device=device)
        self.visits = torch.zeros(games, nodes, actions, device=device)
        self.total = torch.zeros(games, nodes, actions, device=device)  # rewards of the seat that acts there
        self.child = torch.zeros(games, nodes, actions, dtype=torch.int64, device=device)  # 0: none yet

    def clear(self) -> None:
        """Forget everything."""
        for array in (self.visits, self.total, self.child):
            array.zero_()


class Found(NamedTuple):
    """What a search has found in each game."""

    chances: torch.Tensor  # of the actions of the seat that acts
    value: torch.Tensor  # the reward it can expect with these
    action: torch.Tensor  # the best of those that were drawn


@dataclass(frozen=True)
class Improvement:
    """How chances follow from preferences and values."""

    softness: float = 1.0  # temperature of the network's preferences
    weight: float = 0.25  # of values

    def __call__(
        self, preferences: torch.Tensor, visits: torch.Tensor, total: torch.Tensor, value: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Better preferences, and the reward expected with those of the network; actions without visits count as that."""
        softened, tried = preferences / self.softness, visits > 0
        weights = softened.softmax(dim=1) * tried
        found = total / visits.clamp(min=1)
        every = visits.sum(dim=1)
        seen = (weights * found).sum(dim=1) / weights.sum(dim=1).clamp(min=1e-9)
        expected = (value + every * seen) / (1 + every)
        gain = torch.where(tried, found - expected[:, None], 0.0)
        return softened + self.weight * (FIRST_VISITS + visits.amax(dim=1, keepdim=True)) * gain, expected


class BatchSearch:
    """Searches in the games of a batch. `worlds` is another batch of the same kinds of games, to play on in."""

    def __init__(
        self, games: Batch, worlds: Batch, simulations: int, device: str, improvement: Improvement | None = None
    ) -> None:
        self.games, self.worlds, self.simulations, self.device = games, worlds, simulations, device
        self.improvement = improvement or Improvement()
        self.tree = Tree(games.n, simulations + 1, games.game.actions, device)
        self.rows = torch.arange(games.n, device=device)
        self.turns = torch.tensor([turns(k, simulations) for k in range(CONSIDERED + 1)], device=device)
        self.shared: dict[tuple[int, str], torch.Tensor] = {}  # memory of the batches on a GPU

    def see(self, games: Batch, name: str) -> torch.Tensor:
        """An array of a batch as it is now."""
        if self.device != "cuda":
            return shown(games, name, self.device)
        if (id(games), name) not in self.shared:
            self.shared[id(games), name] = shown(games, name, self.device)
        return self.shared[id(games), name]

    @torch.no_grad()
    def run(self, network: TorchNetwork) -> Found:
        """Search in every game for the seat that acts."""
        tree, mask = self.tree, self.see(self.games, "mask")
        tree.clear()
        preferences, tree.value[:, 0] = network(self.see(self.games, "observation"))
        preferences = preferences.masked_fill(~mask, NEVER)
        tree.preferences[:, 0] = preferences
        luck = -torch.empty_like(preferences).exponential_().log()
        turn = self.turns[mask.sum(dim=1).clamp(max=CONSIDERED)]
        for k in range(self.simulations):
            self.simulate(network, k, luck, turn[:, k])
        better, expected = self.better(torch.zeros_like(self.rows), mask)
        chances, visits = better.softmax(dim=1), tree.visits[:, 0]
        found = torch.where(visits > 0, tree.total[:, 0] / visits.clamp(min=1), expected[:, None])
        most = visits.amax(dim=1, keepdim=True)
        action = (better + luck).masked_fill((visits < most) | ~mask, -torch.inf).argmax(dim=1)
        return Found(chances, (chances * found).sum(dim=1), action)

    def better(self, node: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Better preferences at one node of each game, and what is expected there."""
        tree, rows = self.tree, self.rows
        preferences = tree.preferences[rows, node].masked_fill(~mask, NEVER)
        found, expected = self.improvement(preferences, tree.visits[rows, node], tree.total[rows, node], tree.value[rows, node])
        return found.masked_fill(~mask, NEVER), expected

    def simulate(self, network: TorchNetwork, number: int, luck: torch.Tensor, turn: torch.Tensor) -> None:
        """Play on in new worlds, until a node is added or the game ends; `turn`: the visits that the next root action has."""
        tree, rows, worlds = self.tree, self.rows, self.worlds
        worlds.redeal(self.games)
        node, path = torch.zeros_like(rows), []
        going = self.see(worlds, "seat") >= 0
        over, outcome = ~going, torch.zeros(worlds.reward.shape, device=self.device)
        for depth in range(min(number + 1, DEEPEST)):
            mask, seat = self.see(worlds, "mask"), self.see(worlds, "seat").long()
            better, _ = self.better(node, mask)
            visits = tree.visits[rows, node]
            if depth == 0:
                scores = (better + luck).masked_fill(visits != turn[:, None], 2 * NEVER)
            else:
                scores = better.softmax(dim=1) - visits / (1 + visits.sum(dim=1, keepdim=True))
            action = scores.masked_fill(~mask, 4 * NEVER).argmax(dim=1)
            path.append((node, action, seat.clamp(min=0), going))
            action_of = torch.where(going, action, -1)
            worlds.advance(action_of if self.device == "cuda" else action_of.numpy())
            ended = going & (self.see(worlds, "terminated") | self.see(worlds, "truncated"))
            outcome = torch.where(ended[:, None], self.see(worlds, "reward"), outcome)
            over, going = over | ended, going & ~ended
            following = tree.child[rows, node, action]
            fresh = going & (following == 0)
            tree.child[rows, node, action] = torch.where(fresh, number + 1, following)
            going = going & ~fresh
            node = torch.where(going, following, node)
            if not bool(going.any()):
                break
        tree.preferences[:, number + 1], value = network(self.see(worlds, "observation"))
        tree.value[:, number + 1] = value
        seat, others = self.see(worlds, "seat").long().clamp(min=0), self.see(worlds, "players").float() - 1
        promised = (-value / others)[:, None].expand(outcome.shape).scatter(1, seat[:, None], value[:, None])
        outcome = torch.where(over[:, None], outcome, promised)
        for place, action, actor, counted in path:
            tree.visits[rows, place, action] += counted
            tree.total[rows, place, action] += counted * outcome.gather(1, actor[:, None])[:, 0]


def turns(considered: int, simulations: int) -> list[int]:
    """For each simulation, how many visits the root action has that is to be tried next, if so many are considered.

    All are tried equally often; then the better half, and so on, until two are left.
    """
    order: list[int] = []
    visits, left = [0] * max(considered, 1), max(considered, 1)
    rounds = max(1, math.ceil(math.log2(left)))
    while len(order) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            order += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(min(2, considered), left // 2, 1)
    return order[:simulations]
