"""The network while it is trained, and as whole numbers for the bots."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import nn

from perankh.bots.network import LARGEST, LAYERS, UNIT, Layer, Network

WIDTH = 256
LEAST_DEVIATION = 0.05  # of the range of a feature


class TorchNetwork(nn.Module):
    """Features of the seat that acts, three layers, of which two add to what they get; then policy and value."""

    def __init__(self, features: int, actions: int, width: int = WIDTH) -> None:
        super().__init__()
        self.mean: torch.Tensor
        self.scale: torch.Tensor
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("scale", torch.ones(features))
        self.first, self.second, self.third = nn.Linear(features, width), nn.Linear(width, width), nn.Linear(width, width)
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        for layer in (self.first, self.second, self.third):
            nn.init.orthogonal_(layer.weight, 2**0.5)
            nn.init.zeros_(layer.bias)
        for layer in (self.policy, self.value):
            nn.init.orthogonal_(layer.weight, 0.01)
            nn.init.zeros_(layer.bias)

    @classmethod
    def of(cls, network: Network) -> TorchNetwork:
        """A network of whole numbers, to be trained on."""
        layers = network.layers
        features, width = layers["in"].weights.shape
        made = cls(features, layers["policy"].weights.shape[1], width)
        for name in LAYERS:
            layer, part = layers[name], getattr(made, "first" if name == "in" else name)
            part.weight.data = torch.tensor(layer.weights.T * 2.0**-layer.shift, dtype=torch.float32)
            part.bias.data = torch.tensor(layer.bias / UNIT, dtype=torch.float32)
        return made

    @torch.no_grad()
    def normalise(self, observations: torch.Tensor, reach: torch.Tensor, keep: bool = False) -> None:
        """Take mean and deviation of every feature from examples; `reach` is the largest value that each can have.

        `keep`: the first layer changes with them, so that the network finds what it found before.
        """
        examples = observations.float()
        if keep:
            raw = self.first.weight * self.scale
            self.first.bias.sub_(raw @ self.mean)
        self.mean.copy_(examples.mean(dim=0))
        self.scale.copy_(1 / torch.maximum(examples.std(dim=0), LEAST_DEVIATION * reach))
        if keep:
            self.first.weight.copy_(raw / self.scale)
            self.first.bias.add_(raw @ self.mean)

    def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The preferences for all actions, and the reward that is expected."""
        return self.judged(self.last_hidden(observation))

    def last_hidden(self, observation: torch.Tensor) -> torch.Tensor:
        """What the three layers make of observations."""
        hidden = torch.relu(self.first((observation - self.mean) * self.scale))
        hidden = hidden + torch.relu(self.second(hidden))
        return hidden + torch.relu(self.third(hidden))

    def judged(self, hidden: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Preferences and expected reward by the last hidden layer."""
        return self.policy(hidden).float(), torch.tanh(self.value(hidden).float())[:, 0]

    def whole(self, facts: dict[str, Any]) -> Network:
        """The same network in whole numbers."""
        first, mean, scale = self.first, self.mean.double(), self.scale.double()
        weights, bias = first.weight.double() * scale, first.bias.double() - first.weight.double() @ (mean * scale)
        layers = {"in": whole_layer(weights, bias)}
        for name in ("second", "third", "policy", "value"):
            layer = getattr(self, name)
            layers[name] = whole_layer(layer.weight.double(), layer.bias.double())
        return Network(layers, facts)


def whole_layer(weights: torch.Tensor, bias: torch.Tensor) -> Layer:
    """A layer in whole numbers, as precise as 16 bits allow."""
    found = weights.detach().cpu().numpy().T
    shift = math.floor(math.log2(LARGEST / max(float(np.abs(found).max()), 1e-9)))
    return Layer(np.round(found * 2.0**shift), np.round(bias.detach().cpu().numpy() * UNIT), shift)
