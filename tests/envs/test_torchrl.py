"""The games in TorchRL: its own check, unchanged, and rollouts with masks."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor

from perankh.envs import torchrl_env
from perankh.errors import IllegalAction
from tests.envs.games import CASES, GAMES, SHORT


def make(name: str, n: int, players: int | None = None, **more: Any) -> Any:
    return torchrl_env(GAMES[name], n, players, seed=1, **SHORT.get(name, {}), **more)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_the_check_of_torchrl(name: str, players: int) -> None:
    check_env_specs(make(name, 3, players), seed=5)
    check_env_specs(make(name, 2, players, opponents="random", seat="random"), seed=5)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_rollout_of_a_masked_policy(name: str, players: int) -> None:
    """Every action is legal, games that end are dealt anew, and every seat is rewarded."""
    env = make(name, 4, players, limit=10)
    env.set_seed(3)
    torch.manual_seed(0)
    size, actions = GAMES[name].features.size, GAMES[name].actions

    class Logits(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(size, actions)

        def forward(self, observation: torch.Tensor) -> torch.Tensor:
            return self.layer(observation.float() / 127)

    policy = ProbabilisticActor(
        TensorDictModule(Logits(), in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
    )
    with torch.no_grad():
        played = env.rollout(24, policy, break_when_any_done=False)
    assert played.batch_size == (4, 24)
    assert played["action_mask"].gather(2, played["action"][..., None]).all()
    done, rewards = played["next", "done"][..., 0], played["next", "rewards"]
    assert done.sum() >= 8
    assert rewards[~done].abs().sum() == 0
    assert rewards[done].sum(dim=-1) == pytest.approx(torch.zeros(int(done.sum())), abs=1e-6)
    movers = played["seat"].long()
    assert torch.equal(played["next", "reward"][..., 0], rewards.gather(2, movers[..., None])[..., 0])
    assert (played["next", "seat"][done] == -1).all()
    assert (played["seat"] >= 0).all()
    assert torch.equal(done, (played["next", "terminated"] | played["next", "truncated"])[..., 0])


@pytest.mark.xdist_group("connect_four")
def test_a_seed_gives_the_same_games_and_an_illegal_action_is_refused() -> None:
    env = make("mural", 2)
    env.set_seed(7)
    first = env.reset()
    second = env.reset()
    env.set_seed(7)
    assert torch.equal(env.reset()["observation"], first["observation"])
    assert not torch.equal(second["observation"], first["observation"])
    board = make("connect_four", 2)
    start = board.reset()
    with pytest.raises(IllegalAction, match="slot 1"):
        board.step(TensorDict({"action": torch.tensor([0, 7])}, batch_size=[2]).update(start.exclude("action")))
