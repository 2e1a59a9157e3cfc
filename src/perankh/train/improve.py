"""Expert iteration: a network learns what a search guided by it finds, in many games at once."""

from __future__ import annotations

import torch
from torch import nn

from perankh.envs import Batch
from perankh.train.learner import NEVER, Learner, Settings
from perankh.train.network import TorchNetwork
from perankh.train.search import BatchSearch


class SearchLearner(Learner):
    """A network that learns from searches in the games of a batch: its preferences become the better ones that the search finds,
    and its value what the searches expected later in the same game, and what it brought."""

    def __init__(self, games: Batch, worlds: Batch, network: TorchNetwork, settings: Settings, device: str) -> None:
        super().__init__(games, network, settings, device)
        self.search = BatchSearch(games, worlds, settings.search, device)
        shape = settings.steps, games.n, games.game.actions
        self.played["chances"] = torch.zeros(shape, dtype=torch.float16, device=device)
        self.played["own"].fill_(True)

    @torch.no_grad()
    def collect(self) -> None:
        """Play some steps in every game, each searched."""
        rows = self.played
        for t in range(self.settings.steps):
            for name in ("observation", "mask", "seat"):
                rows[name][t].copy_(self.see(name)[0])
            with self.lower_precision():
                found = self.search.run(self.network)
            rows["chances"][t], rows["value"][t] = found.chances, found.value
            self.step(found.action, t)
        observation, seat = self.see("observation", "seat")
        with self.lower_precision():
            _, value = self.network(observation)
        rows["advantage"], rows["known"] = self.advantages(value, seat.long())

    def learn(self, progress: float) -> dict[str, float]:
        """Play, and learn from it; `progress` is how much of the training is over. Returns figures for the curve."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.rate * (1 - 0.95 * progress)
        self.collect()
        sums, count = torch.zeros(2, device=self.device), 0
        for part in self.parts():
            with self.lower_precision():
                logits, value = self.network(part["observation"])
            logp = logits.masked_fill(~part["mask"], NEVER).log_softmax(dim=1)
            policy = -(part["chances"].float() * logp).sum(dim=1).mean()
            error = (value - part["value"] - part["advantage"]).square().mean()
            self.optimizer.zero_grad(set_to_none=True)
            (policy + error).backward()
            nn.utils.clip_grad_norm_(self.parameters, 1.0)
            self.optimizer.step()
            sums += torch.stack((policy.detach(), error.detach()))
            count += 1
        policy_mean, error_mean = (sums / max(count, 1)).tolist()
        return {"policy": policy_mean, "error": error_mean}
