"""Masked PPO on a batch of games in which the network plays itself, and, in some games, what it was before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from perankh.envs import Batch
from perankh.train.network import TorchNetwork

Tensors = dict[str, torch.Tensor]
NEVER = -1e9  # the preference for an action that is not allowed


@dataclass(frozen=True)
class Settings:
    """How to learn."""

    games: int = 8_192
    steps: int = 128  # that are played before learning from them; short ones cut off the last decisions of long turns
    epochs: int = 2
    minibatch: int = 32_768
    rate: float = 7e-4  # at the beginning; falls to a twentieth
    entropy: float = 0.022  # at the beginning; falls to a tenth
    clip: float = 0.2
    decay: float = 0.97  # of what later decisions say about earlier ones: lambda of GAE
    critic: bool = True  # judge decisions by what is hidden too, where anything is
    league: float = 0.25  # the share of games with earlier selves
    selves: int = 4  # how many of them are kept
    evaluated: int = 512  # games of each evaluation
    search: int = 0  # simulations by which every decision is searched (SearchLearner); 0: none


class League:
    """Earlier selves, each playing all seats but one in its own part of the games."""

    def __init__(self, games: Batch, share: float, count: int, device: str) -> None:
        self.networks: list[TorchNetwork | None] = [None] * count
        size = int(games.n * share) // max(count, 1)
        self.parts = [(games.n - (k + 1) * size, games.n - k * size) for k in range(count)]
        slots = torch.arange(games.n, device=device)
        players = shown(games, "players", device).long()
        self.learner = (slots // 97) % players  # 97: not in step with the kinds of games

    def replace(self, k: int, network: TorchNetwork) -> None:
        """Put a copy of a network in place k."""
        copy = TorchNetwork(network.first.in_features, network.policy.out_features, network.first.out_features)
        copy.load_state_dict(network.state_dict())
        self.networks[k] = copy.to(network.mean.device).requires_grad_(False)

    def decide(self, observation: torch.Tensor, mask: torch.Tensor, seat: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """Replace the actions of seats that earlier selves play. Returns which decisions are the learner's own."""
        own = torch.ones_like(seat, dtype=torch.bool)
        for (low, high), network in zip(self.parts, self.networks, strict=True):
            if network is not None:
                theirs = drawn(network(observation[low:high])[0].masked_fill(~mask[low:high], NEVER))
                own[low:high] = seat[low:high] == self.learner[low:high]
                action[low:high] = torch.where(own[low:high], action[low:high], theirs)
        return own


def shown(games: Batch, name: str, device: str) -> torch.Tensor:
    """An array of the batch: on the GPU the same memory, otherwise a copy."""
    array = getattr(games, name)
    return torch.as_tensor(array, device=device) if device == "cuda" else torch.tensor(array)


def drawn(logits: torch.Tensor) -> torch.Tensor:
    """An action for each row, by its chances."""
    return (logits - torch.empty_like(logits).exponential_().log_()).argmax(dim=1)


class Learner:
    """A network that learns from the games of a batch."""

    def __init__(self, games: Batch, network: TorchNetwork, settings: Settings, device: str) -> None:
        self.games, self.network, self.settings, self.device = games, network, settings, device
        self.shared: Tensors = {}  # memory of the batch on a GPU, by name
        # Sees what is hidden too, and judges what the network's decisions have led to; the network in play does without it.
        self.critic = TorchNetwork(games.game.features.size, 1).to(device) if games.unveiled is not None else None
        self.parameters = [*network.parameters(), *(self.critic.parameters() if self.critic else ())]
        self.optimizer = torch.optim.Adam(self.parameters, eps=1e-5, fused=device == "cuda")
        self.league = League(games, settings.league, settings.selves, device)
        n, steps, game = games.n, settings.steps, games.game
        kinds = {
            "observation": ((game.features.size,), torch.int8),
            "unveiled": ((game.features.size if self.critic else 0,), torch.int8),
            "mask": ((game.actions,), torch.bool),
            "seat": ((), torch.int64),
            "action": ((), torch.int64),
            "logp": ((), torch.float32),
            "value": ((), torch.float32),
            "own": ((), torch.bool),
            "reward": ((games.reward.shape[1],), torch.float32),
            "ended": ((), torch.bool),
        }
        self.played = {name: torch.zeros(steps, n, *shape, dtype=kind, device=device) for name, (shape, kind) in kinds.items()}

    def lower_precision(self) -> Any:
        """16-bit numbers for the network on a GPU."""
        return torch.autocast("cuda", torch.bfloat16) if self.device == "cuda" else nullcontext()

    def see(self, *names: str) -> list[torch.Tensor]:
        """Arrays of the batch as they are now."""
        if self.device != "cuda":
            return [shown(self.games, name, self.device) for name in names]
        for name in names:
            if name not in self.shared:
                self.shared[name] = shown(self.games, name, self.device)
        return [self.shared[name] for name in names]

    @torch.no_grad()
    def collect(self) -> None:
        """Play some steps in every game."""
        rows = self.played
        for t in range(self.settings.steps):
            observation, mask, seat = rows["observation"][t], rows["mask"][t], rows["seat"][t]
            for target, source in zip((observation, mask, seat), self.see("observation", "mask", "seat"), strict=True):
                target.copy_(source)
            with self.lower_precision():
                logits, rows["value"][t] = self.network(observation)
                if self.critic:
                    rows["unveiled"][t].copy_(self.see("unveiled")[0])
                    rows["value"][t] = self.critic(rows["unveiled"][t])[1]
                logits = logits.masked_fill(~mask, NEVER)
                action = drawn(logits)
                rows["own"][t] = self.league.decide(observation, mask, seat, action)
            rows["action"][t] = action
            rows["logp"][t] = logits.log_softmax(dim=1).gather(1, action[:, None])[:, 0]
            self.step(action, t)
        judge, seen = (self.critic, "unveiled") if self.critic else (self.network, "observation")
        observation, seat = self.see(seen, "seat")
        with self.lower_precision():
            _, value = judge(observation)
        rows["advantage"], rows["known"] = self.advantages(value, seat.long())

    def step(self, action: torch.Tensor, t: int) -> None:
        """Carry out the actions of step t."""
        self.games.step(action if self.device == "cuda" else action.numpy())
        reward, terminated, truncated = self.see("reward", "terminated", "truncated")
        self.played["reward"][t] = reward
        self.played["ended"][t] = terminated | truncated

    def advantages(self, last_value: torch.Tensor, last_seat: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """GAE from each decision of a seat to the next one of the same seat, or to the end of its game.

        The last decision of a seat that does not act after these steps has led to nothing that is known; it is not learned from.
        """
        rows, decay = self.played, self.settings.decay
        steps, n, seats = rows["reward"].shape
        value, advantage, reward, seen = (torch.zeros(n, seats, device=self.device) for _ in range(4))
        value.scatter_(1, last_seat[:, None], last_value[:, None])
        seen.scatter_(1, last_seat[:, None], 1.0)
        found, known = torch.zeros(steps, n, device=self.device), torch.zeros(steps, n, dtype=torch.bool, device=self.device)
        for t in reversed(range(steps)):
            ended, p, promised = rows["ended"][t][:, None], rows["seat"][t][:, None], rows["value"][t]
            value, advantage, seen = (old.masked_fill(ended, new) for old, new in ((value, 0.0), (advantage, 0.0), (seen, 1.0)))
            reward = torch.where(ended, rows["reward"][t], reward)
            known[t] = seen.gather(1, p)[:, 0] > 0
            found[t] = known[t] * ((reward + value + decay * advantage).gather(1, p)[:, 0] - promised)
            value.scatter_(1, p, promised[:, None])
            advantage.scatter_(1, p, found[t][:, None])
            reward.scatter_(1, p, 0.0)
            seen.scatter_(1, p, 1.0)
        return found, known

    def parts(self) -> Iterator[Tensors]:
        """The decisions to learn from, in random parts: own ones, with a choice and a known outcome."""
        flat = {name: values.flatten(0, 1) for name, values in self.played.items() if name not in ("reward", "ended", "seat")}
        useful = torch.nonzero(flat["own"] & flat["known"] & (flat["mask"].sum(dim=1) > 1))[:, 0]
        for _ in range(self.settings.epochs):
            order = useful[torch.randperm(len(useful), device=self.device)]
            for part in torch.split(order, self.settings.minibatch):
                if len(part) > 1:
                    yield {name: values[part] for name, values in flat.items()}

    def learn(self, progress: float) -> dict[str, float]:
        """Play, and learn from it; `progress` is how much of the training is over. Returns figures for the curve."""
        settings = self.settings
        entropy_weight = settings.entropy * (1 - 0.9 * progress)
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate * (1 - 0.95 * progress)
        self.collect()
        sums, count = torch.zeros(2, device=self.device), 0
        for part in self.parts():
            with self.lower_precision():
                logits, value = self.network(part["observation"])
                judged = self.critic(part["unveiled"])[1] if self.critic else value
            logp = logits.masked_fill(~part["mask"], NEVER).log_softmax(dim=1)
            advantage, target = part["advantage"], part["value"] + part["advantage"]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
            ratio = (logp.gather(1, part["action"][:, None])[:, 0] - part["logp"]).exp()
            gain = torch.minimum(ratio * advantage, ratio.clamp(1 - settings.clip, 1 + settings.clip) * advantage).mean()
            entropy = -(logp.exp() * logp.masked_fill(~part["mask"], 0.0)).sum(dim=1).mean()
            error = (value - target).square().mean()
            self.optimizer.zero_grad(set_to_none=True)
            errors = 0.5 * error + (0.5 * (judged - target).square().mean() if self.critic else 0.0)
            (errors - gain - entropy_weight * entropy).backward()
            nn.utils.clip_grad_norm_(self.parameters, 0.5)
            self.optimizer.step()
            sums += torch.stack((entropy.detach(), error.detach()))
            count += 1
        entropy_mean, error_mean = (sums / max(count, 1)).tolist()
        return {"entropy": entropy_mean, "error": error_mean}
