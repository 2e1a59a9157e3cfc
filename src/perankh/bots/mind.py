"""A game's thoughts compiled, and the threads that have them."""

from __future__ import annotations

import importlib
import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from perankh.bots import thought
from perankh.bots.thought import LEADS, LOOKS, POSITIONS, ROOT, SEATS, SLOTS, VEILED, WINS, Manner, Scratch, Tree
from perankh.engine.chance import WORD
from perankh.engine.game import SEED_LIMIT, Game, seed_words
from perankh.engine.native import build_folder, compiling, kept_in
from perankh.engine.rule import Translation, bind, is_rule
from perankh.engine.state import Record

CURIOSITY, MARGIN_WEIGHT = 0.6, 0.2  # the best of those measured
WORLDS, PLANS = 12, 8  # how broadly one turn ahead is looked into
NEVER = 1 << 30
BATCH = 100  # looks between two glances at the clock and the root
MOST_POSITIONS = 1 << 19  # positions that one tree remembers
READY = "minds-ready"  # the file that says that a game's thoughts lie compiled on the disk


@dataclass(frozen=True)
class Budget:
    """How long to think: at most so many looks, at most so many seconds, on so many threads."""

    looks: int
    seconds: float = 60.0
    threads: int = 1
    deep: bool = False  # with all that the game's own bots.py knows
    keep: bool = False  # go on with the tree of the last search, where nothing is hidden; the result depends on it


class Mind:
    """The compiled thoughts of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.build = mind_folder(game)
        with kept_in(self.build):
            translation = Translation(game.functions | own_thoughts(game))
            self.weigh = translation.entry(thought.weigh_actions, cache=True)
            self.look_often = translation.entry(thought.look_often, cache=True)
        self.open = 0 if game.rules.HIDDEN else own_words(game)
        self.plain = Manner(CURIOSITY, MARGIN_WEIGHT, trust=0.0, deep=False, horizon=NEVER, open=self.open)
        self.deep = self.plain._replace(deep=True, **own_manner(game))
        self.kept: dict[int, Tree] = {}

    def warm(self, report: Callable[[int], None] = lambda _: None) -> None:
        """Compile all thoughts, or load them from the disk; `report` is told how many functions are ready."""
        game = self.game
        state = game.new_state(game.players[0], 0)
        p = game.actors(state)[0]
        with compiling(report):
            self.weights(state, p, 0, 1, 1)
            self.search(state, p, 0, Budget(looks=1))
        if self.build.is_dir():
            (self.build / READY).touch()

    def function_count(self) -> int:
        """How many functions a compilation goes through at most, for a progress bar."""
        return self.game.native.function_count() + sum(map(is_rule, vars(thought).values()))

    def table(self, veiled: Record | Any) -> Any:
        """A thinker's table with the veiled state (a plain one or a record) in its place."""
        table = np.zeros(SLOTS, self.game.State.dtype)
        if isinstance(veiled, Record):
            veiled.pack(table[VEILED])
        else:
            table[VEILED] = veiled
        return table

    def weights(
        self, veiled: Record | Any, p: int, seed: int, worlds: int = WORLDS, plans: int = PLANS, deep: bool = False
    ) -> tuple[list[int], list[int]]:
        """P's legal actions, and what the best of a few plans that begin with each comes to over several worlds."""
        table = self.table(veiled)
        choices, total = np.zeros(self.game.actions, np.int16), np.zeros((self.game.actions, plans), np.int64)
        keys = np.array(seed_words(seed % SEED_LIMIT), np.int64)
        n = self.weigh(table, keys, p, worlds, plans, seed & WORD, deep, choices, total)
        return choices[:n].tolist(), total[:n].max(axis=1).tolist()

    def search(self, veiled: Record | Any, p: int, seed: int, budget: Budget, among: Sequence[int] = ()) -> Search:
        """Look into many worlds and tell what was found; `among` names the actions to choose from, if not all that are legal."""
        threads = max(1, budget.threads)
        share = -(-budget.looks // threads)
        manner = self.deep if budget.deep else self.plain
        prior = self.prior(veiled, p, seed, manner)

        def one(thread: int) -> Tree:
            table, scratch = self.table(veiled), new_scratch(self.game.actions, among)._replace(prior=prior)
            tree = self.tree(thread, share, budget.keep and not among)
            words = table.view("<u4").reshape(SLOTS, -1)
            keys = np.array(seed_words(seed % SEED_LIMIT), np.int64)
            deadline = math.inf
            left, first = share, thread * share
            while left > 0 and time.monotonic() < deadline and not settled(tree, left):
                count = min(BATCH, left)
                self.look_often(tree, scratch, table, words, keys, first, count, p, seed & WORD, manner)
                first, left = first + count, left - count
                if deadline == math.inf:
                    deadline = time.monotonic() + budget.seconds  # loading the compiled code is not thinking
            return tree

        if threads == 1:
            return Search.of([one(0)])
        return Search.of(list(thinkers(threads).map(one, range(threads))))

    def prior(self, veiled: Record | Any, p: int, seed: int, manner: Manner) -> Any:
        """What one turn ahead promises of each action, from 0 to 1."""
        prior = np.zeros(self.game.actions, np.float64)
        if manner.trust:
            actions, weights = self.weights(veiled, p, seed, deep=manner.deep)
            least, most = min(weights), max(weights)
            prior[actions] = [(weight - least) / max(1, most - least) for weight in weights]
        return prior

    def tree(self, thread: int, looks: int, keep: bool) -> Tree:
        """A tree to search in: an empty one, or the one this thread had, if it is still of use and not yet full."""
        size = min(looks, MOST_POSITIONS)
        if not (keep and self.open):
            return new_tree(size)
        tree = self.kept.get(thread)
        if tree is None or tree.counts[POSITIONS] > len(tree.keys) // 2:
            tree = self.kept[thread] = new_tree(MOST_POSITIONS)
        tree.counts[LOOKS:] = 0.0
        return tree


@dataclass(frozen=True)
class Search:
    """What a search found at its root: of each action tried how often, and the mean reward; and how often each seat won."""

    looks: int
    tries: dict[int, int]
    values: dict[int, float]
    wins: list[float]

    @classmethod
    def of(cls, trees: list[Tree]) -> Search:
        """The sum of several trees."""
        tries: dict[int, int] = {}
        rewards: dict[int, float] = {}
        for tree in trees:
            t = int(tree.first[int(tree.counts[ROOT])]) if tree.counts[POSITIONS] else -1
            while t >= 0:
                action = int(tree.action[t])
                tries[action] = tries.get(action, 0) + int(tree.tries[t])
                rewards[action] = rewards.get(action, 0.0) + float(tree.reward[t])
                t = int(tree.next[t])
        looks = sum(int(tree.counts[LOOKS]) for tree in trees)
        wins = sum(tree.counts[WINS:LEADS] for tree in trees) / max(1, looks)
        return cls(looks, tries, {a: rewards[a] / n for a, n in tries.items() if n}, wins.tolist())

    @property
    def best(self) -> int:
        """The action tried most; of equals the one that brought more."""
        return max(self.tries, key=lambda a: (self.tries[a], self.values[a], -a))

    @property
    def value(self) -> float:
        """What the best action brings, from 0 to 1."""
        return self.values[self.best]


def settled(tree: Tree, left: int) -> bool:
    """Is the most tried action so far ahead that the looks left cannot change the choice?"""
    if tree.counts[LOOKS] == 0:
        return False
    t, best, second = int(tree.first[int(tree.counts[ROOT])]), 0, 0
    while t >= 0:
        tries = int(tree.tries[t])
        best, second = max(best, tries), max(second, min(best, tries))
        t = int(tree.next[t])
    return best - second > left


def new_tree(size: int) -> Tree:
    """An empty tree for `size` positions."""
    places = 1 << max(8, (2 * size).bit_length())
    return Tree(
        places=np.zeros(places, np.int32),
        keys=np.zeros(size, np.int64),
        first=np.zeros(size, np.int32),
        next=np.zeros(size, np.int32),
        action=np.zeros(size, np.int16),
        tries=np.zeros(size, np.int32),
        chances=np.zeros(size, np.int32),
        reward=np.zeros(size, np.float64),
        counts=np.zeros(LEADS + SEATS, np.float64),
    )


def new_scratch(actions: int, among: Sequence[int]) -> Scratch:
    """Room to think in."""
    return Scratch(
        among=np.array(among, np.int16),
        choices=np.zeros(actions, np.int16),
        prior=np.zeros(actions, np.float64),
        known=np.full(actions, -1, np.int32),
        path=np.zeros(thought.LONGEST_PATH, np.int32),
        seats=np.zeros(thought.LONGEST_PATH, np.int8),
        points=np.zeros(SEATS, np.int64),
        places=np.zeros(SEATS, np.int64),
        rewards=np.zeros(SEATS, np.float64),
    )


def own_module(game: Game) -> Any:
    """The game's bots.py, None if it has none."""
    return importlib.import_module(f"{game.package}.bots") if (game.folder / "bots.py").is_file() else None


def own_thoughts(game: Game) -> dict[str, Any]:
    """The thoughts a game has of its own: `prospect`, `promise` and `inclined` of its bots.py."""
    module = own_module(game)
    return {name: getattr(module, name) for name in ("prospect", "promise", "inclined") if is_rule(getattr(module, name, None))}


def own_manner(game: Game) -> dict[str, Any]:
    """How those who know a game well search in it: TRUST and HORIZON of its bots.py."""
    module = own_module(game)
    return {name.lower(): getattr(module, name) for name in ("TRUST", "HORIZON") if hasattr(module, name)}


@lru_cache
def interpreted_thoughts(game: Game) -> SimpleNamespace:
    """The thoughts of a game as plain Python."""
    return bind(vars(thought), vars(game.loops) | own_thoughts(game))


@lru_cache
def thinkers(threads: int) -> ThreadPoolExecutor:
    """Threads to think on."""
    return ThreadPoolExecutor(threads, "thinker")


def own_words(game: Game) -> int:
    """Where a game's own words begin in its record, after those of the engine."""
    kind, offset = game.State.dtype.fields["chance_pool"]
    return int(offset + kind.itemsize) // 4


def mind_folder(game: Game) -> Path:
    """Where a game's thoughts are kept compiled."""
    return build_folder(game, [Path(thought.__file__)])


def is_ready(game: Game) -> bool:
    """Can the thoughts of a game be had at once?"""
    mind = _minds.get(game.folder)
    return bool(mind and mind.look_often.signatures) or (mind_folder(game) / READY).is_file()


_minds: dict[Path, Mind] = {}
_making = threading.Lock()


def mind_of(game: Game) -> Mind:
    """The mind of a game, made once."""
    with _making:
        if game.folder not in _minds:
            _minds[game.folder] = Mind(game)
        return _minds[game.folder]


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
