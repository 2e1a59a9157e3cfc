"""The games in PettingZoo, one seat after the other (AEC)."""

from __future__ import annotations

from operator import index
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from perankh.engine.game import Game, get_game
from perankh.envs.batches import batch
from perankh.envs.pictures import RENDER_MODES, checked_render_mode, render
from perankh.errors import BadOption, IllegalAction


class PettingZooEnv(AECEnv):  # type: ignore[misc]
    """One game. Agents are called player_0, player_1 and so on, by seat; arrays that it hands out are copies."""

    def __init__(
        self, game: Game, players: int | None, render_mode: str | None, limit: int | None, options: dict[str, Any]
    ) -> None:
        super().__init__()
        self.game = game
        self.render_mode = checked_render_mode(render_mode)
        self.metadata = {
            "name": f"perankh_{game.name}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.batch = batch(game, 1, players=players, options=options, seed=None, autoreset="disabled", limit=limit)
        self.possible_agents = [f"player_{p}" for p in range(self.batch.reward.shape[1])]
        self.agents: list[str] = []
        self.seats = {agent: p for p, agent in enumerate(self.possible_agents)}
        features = game.features
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(features.low, features.high, dtype=np.int8),
                    "action_mask": Box(0, 1, (game.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(game.actions) for agent in self.possible_agents}
        self._action = np.zeros(1, np.int64)
        self._mask = self.batch.mask.view(np.int8)[0]
        self._unmasked = np.zeros(game.actions, np.int8)

    def __setstate__(self, known: dict[str, Any]) -> None:
        self.__dict__.update(known)
        self._mask = self.batch.mask.view(np.int8)[0]  # of this copy

    def observation_space(self, agent: str) -> Any:
        """Features and mask of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The actions, of which the mask says which are legal."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002
        """Deal; without a seed, the next game of a series. Options of the rules are given when the environment is made."""
        self.batch.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        """Let the seat that acts be the next one."""
        self.agent_selection = self.possible_agents[self.batch.seat[0]]
        self.infos[self.agent_selection] = {"action_mask": self._mask.copy()}

    def step(self, action: Any) -> None:
        """Carry out the action of the agent that is selected; None if it has finished."""
        if not self.agents:
            raise BadOption("reset the environment: all agents have finished")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            self._action[0] = index(action)
        except (TypeError, OverflowError):
            raise IllegalAction(f"{agent} takes a whole number, not {action!r}") from None
        self.batch.step(self._action)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        if self.batch.seat[0] >= 0:
            self._select()
        else:
            self._finish()

    def _finish(self) -> None:
        """Reward everybody; every agent then has a last look."""
        ended = self.batch
        for agent, p in self.seats.items():
            self.rewards[agent] = float(ended.reward[0, p])
            self.terminations[agent] = bool(ended.terminated[0])
            self.truncations[agent] = bool(ended.truncated[0])
            self.infos[agent] = {"rank": int(ended.ranks[0, p]), "score": int(ended.scores[0, p])}
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and what it may do: nothing unless it is the one that acts."""
        p = self.seats[agent]
        if p == self.batch.seat[0]:
            return {"observation": self.batch.observation[0].copy(), "action_mask": self._mask.copy()}
        seen = self.game.observation_of(self.batch.state(0), p)
        return {"observation": np.array(seen, np.int8), "action_mask": self._unmasked.copy()}

    def render(self) -> str | None:
        """The table as everybody may see it: as text, as a picture (SVG), or printed."""
        return render(self.game, self.batch.state(0), -1, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return f"perankh_{self.game.name}"


def pettingzoo_env(
    game: str | Path | Game,
    players: int | None = None,
    *,
    render_mode: str | None = None,
    limit: int | None = None,
    **options: Any,
) -> PettingZooEnv:
    """A game in PettingZoo's AEC API, with options of its rules. `limit`: moves after which it is truncated."""
    return PettingZooEnv(game if isinstance(game, Game) else get_game(game), players, render_mode, limit, options)
