"""OpenSpiel's Monte Carlo tree search, unchanged, against random play: python examples/learning/openspiel_search.py cleocatra

Chance is explicit, so the search averages over what may be drawn. It looks at the whole state; for games with hidden information
use a search over information sets, such as the bots of this package.
"""

from __future__ import annotations

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import evaluate_bots, mcts
from open_spiel.python.bots import uniform_random

from perankh.engine.game import get_game
from perankh.envs import register_openspiel


def play(game: str, simulations: int, games: int, seed: int = 1, options: str = "") -> float:
    """The mean reward of the search, which takes the seats in turn."""
    if get_game(game).hidden:
        raise SystemExit(f"{game} has hidden information, at which this search would look")
    (name,) = register_openspiel(game)
    loaded = pyspiel.load_game(f"{name}({options})")
    random = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    total = 0.0
    for number in range(games):
        own = number % loaded.num_players()
        bots = [uniform_random.UniformRandomBot(p, random) for p in range(loaded.num_players())]
        bots[own] = mcts.MCTSBot(loaded, 1.4, simulations, evaluator, random_state=random)
        total += evaluate_bots.evaluate_bots(loaded.new_initial_state(), bots, random)[own]
    return total / games


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="a name, or the path of a game's folder")
    parser.add_argument("--simulations", type=int, default=30)
    parser.add_argument("--games", type=int, default=10)
    given = parser.parse_args()
    print("against random play:", play(given.game, given.simulations, given.games))
