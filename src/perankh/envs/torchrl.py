"""The games in TorchRL: a batch as one environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from perankh.engine.game import Game
from perankh.envs.batches import Batch, batch
from perankh.envs.opponents import Opponent


class TorchRLEnv(EnvBase):  # type: ignore[misc]
    """Games that are stepped together, each by the seat that acts. Tensors that it returns are copies.

    `reward` is that of the seat that has acted, `rewards` that of every seat. Where a game is over nobody acts: `seat` is -1,
    and action 0 alone is true in the mask, so that distributions over masked actions exist.
    """

    batch_locked = True

    def __init__(self, games: Batch) -> None:
        self.batch = games
        self.game = games.game
        n, seats = games.reward.shape
        super().__init__(batch_size=[n])
        features, actions = self.game.features, self.game.actions
        low, high = (torch.from_numpy(bound).expand(n, -1) for bound in (features.low, features.high))
        self.observation_spec = Composite(
            observation=Bounded(low, high, dtype=torch.int8),
            action_mask=Binary(n=actions, shape=(n, actions), dtype=torch.bool),
            seat=Bounded(-1, seats - 1, shape=(n,), dtype=torch.int8),
            rewards=Unbounded(shape=(n, seats), dtype=torch.float32),
            shape=(n,),
        )
        self.action_spec = Categorical(actions, shape=(n,), dtype=torch.int64)
        self.reward_spec = Unbounded(shape=(n, 1), dtype=torch.float32)
        self.done_spec = Composite(
            {name: Categorical(2, shape=(n, 1), dtype=torch.bool) for name in ("done", "terminated", "truncated")}, shape=(n,)
        )
        self.next_seed: int | None = None

    def _set_seed(self, seed: int | None) -> None:
        """The next reset deals by this seed."""
        self.next_seed = seed

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDict:
        """Deal, in all games or in those that `_reset` says."""
        chosen = None if tensordict is None else tensordict.get("_reset", None)
        self.batch.reset(self.next_seed, None if chosen is None else chosen.reshape(-1).cpu().numpy())
        self.next_seed = None
        return self.shown(dict.fromkeys(("terminated", "truncated"), np.zeros(self.batch.n, np.bool_)))

    def _step(self, tensordict: TensorDictBase) -> TensorDict:
        """One action in every game."""
        movers = self.batch.seat.copy()
        self.batch.step(tensordict["action"].cpu().numpy())
        after = self.shown({"terminated": self.batch.terminated, "truncated": self.batch.truncated})
        own = np.take_along_axis(self.batch.reward, np.maximum(movers, 0)[:, None].astype(np.int64), axis=1)
        after["reward"] = torch.tensor(own)
        return after

    def shown(self, ended: dict[str, Any]) -> TensorDict:
        """What the batch shows."""
        reported = self.batch
        mask = torch.tensor(reported.mask)
        mask[:, 0] |= ~mask.any(dim=1)
        self.action_spec.update_mask(mask)
        ends = {name: torch.tensor(values)[:, None] for name, values in ended.items()}
        return TensorDict(
            {
                "observation": torch.tensor(reported.observation),
                "action_mask": mask.clone(),
                "seat": torch.tensor(reported.seat),
                "rewards": torch.tensor(reported.reward),
                "done": ends["terminated"] | ends["truncated"],
                **ends,
            },
            batch_size=self.batch_size,
        )


def torchrl_env(
    game: str | Path | Game,
    n: int,
    players: int | None = None,
    *,
    seed: int | None = None,
    limit: int | None = None,
    threads: int = 1,
    opponents: Opponent | Mapping[int, Opponent] | None = None,
    seat: int | str | None = None,
    **options: Any,
) -> TorchRLEnv:
    """N games in TorchRL's API, with options of the rules. `limit`: moves after which a game is truncated.

    With `opponents` (bots by name, or policies), one `seat` learns and steps return when it acts; else all seats act in turn.
    """
    games = batch(
        game,
        n,
        players=players,
        options=options,
        seed=seed,
        limit=limit,
        threads=threads,
        autoreset="disabled",
        opponents=opponents,
        seat=seat,
    )
    return TorchRLEnv(games)
