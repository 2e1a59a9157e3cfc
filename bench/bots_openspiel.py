"""Our bots against OpenSpiel's tree search with random rollouts, the same processor time a move: a part of bench/bots.py."""

from __future__ import annotations

import random
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
from results import error, mean
from tqdm import tqdm

from perankh.bots import Budget, GuidedBot, searcher_of
from perankh.engine.game import Game, get_game
from perankh.engine.state import Record

CONNECT_FOUR = str(Path(__file__).parent.parent / "examples" / "connect_four")
ROUNDS = 9  # measurements of playouts a second, in turn


class Spiel:
    """OpenSpiel's search for a game, with random rollouts and its solver. It takes a number of simulations, not a time."""

    def __init__(self, game: str, kind: str) -> None:
        import pyspiel
        from open_spiel.python.algorithms import mcts

        self.kind, self.pyspiel, self.mcts = kind, pyspiel, mcts
        self.game = pyspiel.load_game(game)

    def bot(self, simulations: int, seed: int) -> Any:
        """Their bot, in Python (which takes every game) or in C++."""
        if self.kind == "C++":
            evaluator = self.pyspiel.RandomRolloutEvaluator(1, seed)
            return self.pyspiel.MCTSBot(self.game, evaluator, 2.0, simulations, 1000, True, seed, False)
        generator = np.random.RandomState(seed)
        return self.mcts.MCTSBot(
            self.game, 2.0, simulations, self.mcts.RandomRolloutEvaluator(1, generator), random_state=generator
        )

    def first_position(self, seed: int = 1) -> Any:
        """The first position in which somebody decides."""
        state = self.game.new_initial_state()
        pass_chance(state, random.Random(seed))
        return state

    def rate(self, seconds: float) -> float:
        """How many simulations it makes in a second, from the first position, when it thinks about so long."""
        count = 2
        self.bot(count, 1).step(self.first_position())  # the first time takes longer
        while True:
            began = time.thread_time()
            self.bot(count, 1).step(self.first_position())
            spent = time.thread_time() - began
            if spent > 0.7 * seconds:
                return count / spent
            count = max(count + 1, round(count * min(4.0, 1.1 * seconds / max(spent, 1e-6))))


def pass_chance(state: Any, draw: random.Random) -> None:
    """Draw what chance decides, until a player does."""
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(draw.choices(outcomes, chances)[0])


def our_rate(game: Game, seconds: float) -> float:
    """How many iterations our plain search makes in a second, from the first position."""
    state, began = game.new_state(2, 1), time.thread_time()
    budget = Budget(iterations=10**8, seconds=seconds, settles=False, clock=time.thread_time)
    found = searcher_of(game).search(state, game.actors(state)[0], 1, budget)
    return found.iterations / (time.thread_time() - began)


class Contest:
    """Matches with two players at OpenSpiel's board, and the seconds that each side took for a move."""

    def __init__(self, spiel: Spiel, seconds: float) -> None:
        self.spiel, self.seconds = spiel, seconds
        self.rate = spiel.rate(seconds)
        self.times: dict[str, list[float]] = {"ours": [], "theirs": []}

    def choice(self, board: Any, seed: int) -> int:
        """Our move, by a bot that searches as long as they do."""
        raise NotImplementedError

    def play(self, deal: int, seat: int) -> float:
        """One match with our bot on one seat: its share of the win."""
        draw, chance = random.Random(2 * deal + seat), random.Random(deal)
        board, pace = self.spiel.first_position(deal), self.rate
        while not board.is_terminal():
            began = time.thread_time()
            if board.current_player() == seat:
                action = self.choice(board, draw.getrandbits(64))
                self.times["ours"].append(time.thread_time() - began)
            else:
                simulations = max(2, round(pace * self.seconds))
                action = self.spiel.bot(simulations, draw.getrandbits(31)).step(board)
                self.times["theirs"].append(time.thread_time() - began)
                # Later in a match their simulations are shorter: as many more as fill the time. A solved position takes none.
                pace = min(3 * self.rate, simulations / self.times["theirs"][-1])
            board.apply_action(action)
            pass_chance(board, chance)
        ours = board.returns()[seat]
        return 1.0 if ours > 0 else 0.5 if ours == 0 else 0.0

    def figures(self, deals: int) -> dict[str, Any]:
        """What came of so many deals, each played from both seats."""
        shares = [(self.play(deal, 0) + self.play(deal, 1)) / 2 for deal in tqdm(range(deals), unit=" pairs", disable=None)]
        return {
            "kind": self.spiel.kind,
            "games": 2 * deals,
            "seconds": round(statistics.fmean(self.times["ours"]), 3),
            "their_seconds": round(statistics.fmean(self.times["theirs"]), 3),
            "won": mean(shares),
            "error": error(shares),
        }


class ConnectFour(Contest):
    """Their own Connect Four; ours is the plain search."""

    def choice(self, board: Any, seed: int) -> int:
        game = get_game(CONNECT_FOUR)
        state = game.new_state(2, 1)
        for action in board.history():
            game.rules.apply(state, game.actors(state)[0], action)
        budget = Budget(iterations=10**8, seconds=self.seconds, clock=time.thread_time)
        return searcher_of(game).search(state, game.actors(state)[0], seed, budget).best


class OurGame(Contest):
    """A game of ours, which their search plays through the adapter; ours is the strongest level."""

    def choice(self, board: Any, seed: int) -> int:
        record: Record = board.position.record
        game, p = get_game(self.spiel.game.game.name), board.current_player()
        bot = GuidedBot(seconds=self.seconds, clock=time.thread_time)
        return bot.decide(game, game.veiled(record, p), p, seed)


def connect_four(kind: str, deals: int, seconds: float) -> dict[str, Any]:
    """Connect Four against one of their searches, with the playouts a second of both, measured in turn."""
    contest, game = ConnectFour(Spiel("connect_four", kind), seconds), get_game(CONNECT_FOUR)
    our_rate(game, seconds)
    pairs = [(our_rate(game, seconds), contest.spiel.rate(seconds)) for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    rates = {"ours": round(ours), "theirs": round(theirs)}
    return {"game": "connect_four", "bot": "plain search"} | contest.figures(deals) | rates


def imhotep(deals: int, seconds: float) -> dict[str, Any]:
    """Imhotep through the adapter, against their search in Python: the one in C++ takes no games that are written in Python."""
    from perankh.envs import register_openspiel

    (name,) = register_openspiel("imhotep")
    searcher_of(get_game("imhotep")).warm()
    contest = OurGame(Spiel(name, "Python"), seconds)
    found = contest.figures(deals)
    return {"game": "imhotep", "bot": "pharaoh"} | found | {"ours": None, "theirs": round(contest.rate, 1)}
