"""OpenSpiel's tabular Q-learner on a small game: python examples/learning/tabular.py

The game is the heap of stones that `perankh create` starts with: whoever takes the last one wins. The table finds what is known
of it: leave a multiple of four. States are told apart by their observations, of which there are few.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import random_agent, tabular_qlearner

import perankh
from perankh.envs import register_openspiel

HEAP = Path(perankh.__file__).parent / "template"


def play(environment: Any, agents: list[Any], learning: bool) -> float:
    """One game; returns the reward of the first seat."""
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = environment.step([agents[player].step(step, is_evaluation=not learning).action])
    for agent in agents:
        agent.step(step, is_evaluation=not learning)
    return float(step.rewards[0])


def train(episodes: int, seed: int = 1) -> tuple[Any, list[Any]]:
    """Two learners play each other."""
    np.random.seed(seed)
    (name,) = register_openspiel(HEAP)
    environment = rl_environment.Environment(f"{name}(start_player=0,chance=sampled)")
    actions = environment.action_spec()["num_actions"]
    learners = [tabular_qlearner.QLearner(p, actions, step_size=0.5, discount_factor=1.0) for p in range(2)]
    for _ in range(episodes):
        play(environment, learners, learning=True)
    return environment, learners


def evaluate(environment: Any, learners: list[Any], games: int = 200) -> float:
    """The mean reward of the first learner against random play."""
    opponent = random_agent.RandomAgent(player_id=1, num_actions=environment.action_spec()["num_actions"])
    return float(np.mean([play(environment, [learners[0], opponent], learning=False) for _ in range(games)]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=20_000)
    table, players = train(parser.parse_args().episodes)
    print("against random play:", evaluate(table, players))
