"""The games in Gymnasium: one seat learns, bots or policies play the others."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from perankh.engine.game import Game
from perankh.envs.batches import Batch, batch
from perankh.envs.opponents import Opponent
from perankh.envs.pictures import RENDER_MODES, checked_render_mode, render
from perankh.errors import BadOption, IllegalAction

MODES = {"same_step": AutoresetMode.SAME_STEP, "next_step": AutoresetMode.NEXT_STEP, "disabled": AutoresetMode.DISABLED}


def spaces_of(game: Game) -> tuple[Box, Discrete]:
    """What a seat sees and what it may choose from."""
    return Box(game.features.low, game.features.high, dtype=np.int8), Discrete(game.actions)


def are_illegal(games: Batch, actions: Any) -> Any:
    """The games in which the action is not one that the seat may choose."""
    inside = (actions >= 0) & (actions < games.game.actions)
    return (games.seat >= 0) & ~(inside & games.mask[games.all_slots, np.where(inside, actions, 0)])


class GymnasiumEnv(gymnasium.Env[Any, Any]):
    """One game. Arrays that it hands out are copies."""

    def __init__(self, games: Batch, render_mode: str | None) -> None:
        self.batch = games
        self.game = games.game
        self.render_mode = checked_render_mode(render_mode)
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}
        self.observation_space, self.action_space = spaces_of(self.game)
        self._action = np.zeros(1, np.int64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal, and let the opponents play until the learner decides. Without a seed: the next game of a series."""
        super().reset(seed=seed, options=options)
        self.batch.reset(seed)
        return self.batch.observation[0].copy(), self._info()

    def _info(self) -> dict[str, Any]:
        """What the learner may do, and its seat."""
        return {"action_mask": self.batch.mask[0].astype(np.int8), "seat": int(self.batch.learner[0])}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's action, and let the opponents play until it decides again."""
        try:
            self._action[0] = index(action)
        except (TypeError, OverflowError):
            raise IllegalAction(f"an action is a whole number, not {action!r}") from None
        if self.batch.dealt and self.batch.seat[0] < 0:
            raise BadOption("reset the environment: the game is over")
        lost = self.batch.dealt and bool(are_illegal(self.batch, self._action)[0])
        games = self.batch
        games.step(self._action)
        info = self._info()
        terminated, truncated = bool(games.terminated[0]), bool(games.truncated[0])
        if terminated or truncated:
            info |= {"ranks": games.ranks[0].copy(), "scores": games.scores[0].copy()}
        if lost:
            terminated, truncated = True, False
        return games.observation[0].copy(), float(games.learner_reward[0]), terminated, truncated, info

    def action_masks(self) -> Any:
        """What the learner may do, as truth values: MaskablePPO of sb3-contrib asks for them by this name."""
        return self.batch.mask[0].copy()

    def render(self) -> Any:
        """What the learner sees: as text, as a picture (SVG), or printed."""
        return render(self.game, self.batch.state(0), int(self.batch.learner[0]), self.render_mode)


class GymnasiumVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Games that are stepped together. Arrays that it hands out are copies."""

    def __init__(self, games: Batch, autoreset: AutoresetMode, render_mode: str | None) -> None:
        self.batch = games
        self.game = games.game
        self.num_envs = games.n
        self.render_mode = checked_render_mode(render_mode)
        self.autoreset_mode = autoreset
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1, "autoreset_mode": autoreset}
        self.single_observation_space, self.single_action_space = spaces_of(self.game)
        self.observation_space = batch_space(self.single_observation_space, games.n)
        self.action_space = batch_space(self.single_action_space, games.n)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal in every game, or in those of `options["reset_mask"]`. Game i gets the seed + i, or one of a list."""
        super().reset(seed=None if isinstance(seed, list) else seed)
        only = (options or {}).get("reset_mask")
        if isinstance(seed, list):
            given = [one for one in seed if one is not None]
            if len(given) != self.num_envs:
                raise BadOption("seed: a number for every game, or none at all")
            self.batch.reset(given if only is None else np.array(given, object)[only].tolist(), only)
        else:
            self.batch.reset(seed, only)
        return self.batch.observation.copy(), self._infos(np.ones(self.num_envs, np.bool_) if only is None else np.array(only))

    def _infos(self, there: Any) -> dict[str, Any]:
        """What the learners may do, and their seats."""
        return {
            "action_mask": self.batch.mask.astype(np.int8),
            "_action_mask": there,
            "seat": self.batch.learner.astype(np.int64),
            "_seat": there.copy(),
        }

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One action of each learner. What happens at the end of a game, `metadata["autoreset_mode"]` says."""
        games = self.batch
        chosen = np.asarray(actions)
        if self.autoreset_mode == AutoresetMode.DISABLED and games.dealt and (games.seat < 0).any():
            raise BadOption('games are over: reset them with options={"reset_mask": ...}')
        lost = are_illegal(games, chosen) if chosen.shape == (self.num_envs,) and chosen.dtype.kind in "iu" else False
        games.step(chosen)
        terminated, truncated = games.terminated | lost, games.truncated & ~np.asarray(lost)
        infos = self._infos(np.ones(self.num_envs, np.bool_))
        ended = terminated | truncated
        if ended.any():
            infos |= self._final(ended)
        return games.observation.copy(), games.learner_reward.astype(np.float64), terminated, truncated, infos

    def _final(self, ended: Any) -> dict[str, Any]:
        """Places and points of the games that have ended; where the next one is dealt already, their last observation too."""
        results = {"ranks": self.batch.ranks.copy(), "_ranks": ended, "scores": self.batch.scores.copy(), "_scores": ended}
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            return results
        last = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended).tolist():
            last[i] = self.batch.final_observation[i].copy()
        return {"final_obs": last, "_final_obs": ended, "final_info": results, "_final_info": ended}

    def render(self) -> Any:
        """What each learner sees: as text or as a picture (SVG), or printed."""
        return tuple(
            render(self.game, self.batch.state(i), int(self.batch.learner[i]), self.render_mode) for i in range(self.num_envs)
        )


def gymnasium_env(
    game: str | Path | Game,
    seat: int | str = 0,
    opponents: Opponent | Mapping[int, Opponent] = "priest",
    players: int | None = None,
    *,
    render_mode: str | None = None,
    limit: int | None = None,
    illegal: str = "raise",
    **options: Any,
) -> GymnasiumEnv:
    """A seat (a number, or "random" for another one in each game) of a game with opponents: bots by name, or policies.

    `limit`: moves after which a game is truncated. `illegal`: an illegal action raises IllegalAction, or loses the game ("end").
    """
    games = batch(
        game,
        1,
        players=players,
        options=options,
        seed=None,
        autoreset="disabled",
        illegal=illegal,
        limit=limit,
        opponents=opponents,
        seat=seat,
    )
    return GymnasiumEnv(games, render_mode)


def gymnasium_vector_env(
    game: str | Path | Game,
    n: int,
    seat: int | str = 0,
    opponents: Opponent | Mapping[int, Opponent] = "priest",
    players: int | None = None,
    *,
    render_mode: str | None = None,
    limit: int | None = None,
    illegal: str = "raise",
    autoreset: str = "next_step",
    threads: int = 1,
    **options: Any,
) -> GymnasiumVectorEnv:
    """N games like those of `gymnasium_env`, stepped together. `autoreset`: next_step, same_step or disabled."""
    games = batch(
        game,
        n,
        players=players,
        options=options,
        seed=None,
        autoreset=autoreset,
        illegal=illegal,
        limit=limit,
        threads=threads,
        opponents=opponents,
        seat=seat,
    )
    return GymnasiumVectorEnv(games, MODES[autoreset], render_mode)
