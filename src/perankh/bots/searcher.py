"""Compiles and runs one game's search."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from perankh.bots import guided, ismcts
from perankh.bots.ismcts import (
    EDGES,
    ITERATIONS,
    LEADS,
    LOST,
    NODES,
    ROOT,
    SEATS,
    SLOTS,
    VEILED,
    WINS,
    WON,
    SearchParameters,
    Tree,
    Workspace,
)
from perankh.bots.network import SEAT_LAYERS, UNIT, Network, fitting_network
from perankh.engine.chance import WORD
from perankh.engine.game import SEED_LIMIT, Game, seed_words
from perankh.engine.native import Entry, compiling
from perankh.engine.rule import bind, is_rule
from perankh.engine.state import Record
from perankh.errors import BadGame

EXPLORATION, MARGIN_WEIGHT = 0.6, 0.2  # the best of those measured
WORLDS, PLANS = 12, 8  # determinisations and plans of one-turn planning
NO_LIMIT = 1 << 30  # a rollout depth, or a number of threads, that is never reached
BATCH = 1000  # iterations between two looks at the clock and the root, at most
MOST_NODES = 1 << 19  # nodes of one tree
FASTEST = 2_000_000  # iterations a second: no search makes more, and each adds one node at most
GROWTH = np.array([math.sqrt(math.log(k + 1.0)) for k in range(4096)])  # by the visits of most nodes
ROOTS = np.array([1.0 / math.sqrt(max(1, k)) for k in range(4096)])  # by the visits of most edges
CERTAINTY = {LOST: 0, 0: 1, WON: 2}  # which actions are chosen first
GUIDED_EXPLORATION, GUIDED_SOFTNESS, GUIDED_CAUTION = 0.3, 6.0, 0.1  # the best of those measured
GUIDED_RANGES = {"exploration": (0, 10), "softness": (1, 100), "rollouts": (0, 1)}
SOONEST = 100  # iterations after which a search may end because its choice is settled
EDGES_EACH = 8  # room for edges of a tree, by nodes
GUIDED_EDGES = 24  # room for edges of a tree, by nodes
GUIDED_BATCH = 100  # the same of a guided search


@dataclass(frozen=True)
class Budget:
    """The limits of a search (iterations or seconds, whichever ends first, and threads), and how it searches."""

    iterations: int
    seconds: float = 60.0
    threads: int = 1
    expert: bool = False  # with the game's long_term_heuristic, PRIOR_WEIGHT and ROLLOUT_DEPTH
    keep_tree: bool = False  # continue the tree of the last search, where nothing is hidden; the result depends on it
    settles: bool = True  # stop when the iterations that are left cannot change the choice; not where values are wanted
    clock: Callable[[], float] = time.monotonic  # what the seconds are counted by


class Pace:
    """How many iterations a search runs until it looks at the clock again.

    So few that it ends in time however slow the machine is: a batch that took long is followed by a smaller one.
    """

    def __init__(self, budget: Budget, most: int) -> None:
        self.budget, self.most = budget, most
        self.count = 1
        self.last: float | None = None  # when the last batch ended
        self.deadline = math.inf

    @property
    def over(self) -> bool:
        """Is the time up?"""
        return self.last is not None and self.last >= self.deadline

    def note(self) -> None:
        """A batch has ended. The time of the first one, which may have loaded compiled code, does not count."""
        now = self.budget.clock()
        if self.last is None:
            self.deadline = now + self.budget.seconds
        elif now - self.last > self.budget.seconds / 16:
            self.count = max(1, self.count // 4)
        else:
            self.count = min(2 * self.count, self.most)
        self.last = now


class Searcher:
    """The compiled search of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.evaluate_actions = Entry(game, ismcts.evaluate_actions)
        self.run_iterations = Entry(game, ismcts.run_iterations)
        self.state_words = 0 if game.hidden else first_game_word(game)
        self.parameters = SearchParameters(
            EXPLORATION,
            MARGIN_WEIGHT,
            prior_weight=0.0,
            long_term=False,
            rollout_depth=NO_LIMIT,
            state_words=self.state_words,
        )
        self.expert_parameters = self.parameters._replace(long_term=True, **game_parameters(game))
        self.run_guided_iterations = Entry(game, guided.run_guided_iterations)
        self.kept_trees: dict[int, Tree] = {}

    def warm(self, report: Callable[[int], None] = lambda _: None) -> None:
        """Compile the search, or load it from disk; `report` is called with the number of functions compiled so far."""
        game = self.game
        state = game.new_state(game.players[0], 0)
        p = game.actors(state)[0]
        with compiling(report):
            self.action_values(state, p, 0, 1, 1)
            self.search(state, p, 0, Budget(iterations=1))
            if network := fitting_network(game):
                self.guided_search(network, state, p, 0, Budget(iterations=1))

    @property
    def ready(self) -> bool:
        """Is the search compiled, in this process or on disk?"""
        guided_ready = fitting_network(self.game) is None or self.run_guided_iterations.ready
        return self.evaluate_actions.ready and self.run_iterations.ready and guided_ready

    def function_count(self) -> int:
        """How many functions a compilation goes through at most, for a progress bar."""
        return self.game.native.function_count() + sum(map(is_rule, vars(ismcts).values()))

    def slots(self, veiled: Record | Any) -> Any:
        """The state slots of a search, with the veiled state (a plain one or a record) in its slot."""
        slots = np.zeros(SLOTS, self.game.State.dtype)
        if isinstance(veiled, Record):
            veiled.pack(slots[VEILED])
        else:
            slots[VEILED] = veiled
        return slots

    def action_values(
        self, veiled: Record | Any, p: int, seed: int, worlds: int = WORLDS, plans: int = PLANS, long_term: bool = False
    ) -> tuple[list[int], list[int]]:
        """P's legal actions and the value of each: its best plan for the turn, summed over several determinisations."""
        slots = self.slots(veiled)
        choices, total = np.zeros(self.game.actions, np.int16), np.zeros((self.game.actions, plans), np.int64)
        keys = np.array(seed_words(seed % SEED_LIMIT), np.int64)
        n = self.evaluate_actions(slots, keys, p, worlds, plans, seed & WORD, long_term, choices, total)
        return choices[:n].tolist(), total[:n].max(axis=1).tolist()

    def search(self, veiled: Record | Any, p: int, seed: int, budget: Budget, among: Sequence[int] = ()) -> SearchResult:
        """Search within a budget; `among` restricts the actions at the root."""
        threads = max(1, min(budget.threads, _most_threads))
        share = -(-budget.iterations // threads)
        parameters = self.expert_parameters if budget.expert else self.parameters
        prior = self.prior(veiled, p, seed, parameters)

        def search_in_thread(thread: int) -> Tree:
            slots, work = self.slots(veiled), new_workspace(self.game.actions, among)._replace(prior=prior)
            tree = self.tree(thread, min(share, math.ceil(FASTEST * budget.seconds)), budget.keep_tree and not among)
            words = slots.view("<u4").reshape(SLOTS, -1)
            keys = np.array(seed_words(seed % SEED_LIMIT), np.int64)
            pace, left, first = Pace(budget, BATCH), share, thread * share
            while left > 0 and not pace.over and not (budget.settles and is_settled(tree, left)):
                count = min(pace.count, left)
                self.run_iterations(tree, work, slots, words, keys, first, count, p, seed & WORD, parameters)
                first, left = first + count, left - count
                pace.note()
            return tree

        if threads == 1:
            return SearchResult.of([search_in_thread(0)])
        return SearchResult.of(list(thread_pool(threads).map(search_in_thread, range(threads))))

    def guided_search(
        self, network: Network, veiled: Record | Any, p: int, seed: int, budget: Budget, among: Sequence[int] = ()
    ) -> SearchResult:
        """Search within a budget, guided by a network, on one thread; `among` restricts the actions at the root."""
        size = min(budget.iterations, MOST_NODES)
        slots, work, tree = self.slots(veiled), new_workspace(self.game.actions, among), new_tree(size, GUIDED_EDGES * size)
        words, keys = slots.view("<u4").reshape(SLOTS, -1), np.array(seed_words(seed % SEED_LIMIT), np.int64)
        weights = weights_of(network)
        guide = guided.Guide(
            prior=np.zeros(GUIDED_EDGES * size, np.float32),
            row=np.zeros(self.game.features.size, np.int8),
            inputs=np.zeros(self.game.features.size, np.float32),
            live=np.zeros(max(self.game.features.size, len(weights.first_bias)), np.int32),
            hidden=np.zeros((2, max(len(weights.first_bias), len(weights.others_bias))), np.float32),
            chances=np.zeros(self.game.actions, np.float32),
            expected=np.zeros(SEATS, np.float64),
        )
        parameters = guided_parameters(self.game, int(slots[VEILED]["players"]), self.parameters)
        pace, first = Pace(budget, GUIDED_BATCH), 0
        while (left := budget.iterations - first) > 0 and not pace.over:
            if budget.settles and len(among) != 1 and is_settled(tree, left):
                break
            count = min(pace.count, left)
            self.run_guided_iterations(tree, work, guide, weights, slots, words, keys, first, count, p, seed & WORD, parameters)
            first += count
            pace.note()
        return SearchResult.of([tree])

    def prior(self, veiled: Record | Any, p: int, seed: int, parameters: SearchParameters) -> Any:
        """The prior of each action at the root: its value by one-turn planning, scaled to 0 to 1."""
        prior = np.zeros(self.game.actions, np.float64)
        if parameters.prior_weight:
            actions, values = self.action_values(veiled, p, seed, long_term=parameters.long_term)
            least, most = min(values), max(values)
            prior[actions] = [(value - least) / max(1, most - least) for value in values]
        return prior

    def tree(self, thread: int, iterations: int, keep: bool) -> Tree:
        """The tree to search in: an empty one, or the one this thread had, unless it is more than half full."""
        if not (keep and self.state_words):
            return new_tree(min(iterations, MOST_NODES))
        tree = self.kept_trees.get(thread)
        if tree is None or max(tree.totals[NODES], tree.totals[EDGES]) > MOST_NODES // 2:
            tree = self.kept_trees[thread] = new_tree(MOST_NODES)
        tree.totals[ITERATIONS:] = 0.0
        return tree


@dataclass(frozen=True)
class SearchResult:
    """What a search found at its root: visits and mean reward of each action, and the share of wins of each seat."""

    iterations: int
    visits: dict[int, int]
    values: dict[int, float]
    wins: list[float]
    proven: dict[int, int] = field(default_factory=dict)  # WON or LOST, of the actions of which that is known

    @classmethod
    def of(cls, trees: list[Tree]) -> SearchResult:
        """The sum of several trees."""
        visits: dict[int, int] = {}
        rewards: dict[int, float] = {}
        proven: dict[int, int] = {}
        for tree in trees:
            for edge in root_edges(tree):
                if not tree.visits[edge]:
                    continue  # a guided search has an edge for every action
                action = int(tree.action[edge])
                visits[action] = visits.get(action, 0) + int(tree.visits[edge])
                rewards[action] = rewards.get(action, 0.0) + float(tree.reward[edge])
                if tree.proven[edge]:
                    proven[action] = int(tree.proven[edge])
        iterations = sum(int(tree.totals[ITERATIONS]) for tree in trees)
        wins = sum(tree.totals[WINS:LEADS] for tree in trees) / max(1, iterations)
        return cls(iterations, visits, {a: rewards[a] / n for a, n in visits.items() if n}, wins.tolist(), proven)

    @property
    def best(self) -> int:
        """One that is proven to win; else the most visited that is not proven to lose, among equals the one of higher value."""
        return max(self.visits, key=lambda a: (CERTAINTY[self.proven.get(a, 0)], self.visits[a], self.values[a], -a))

    @property
    def value(self) -> float:
        """The value of the best action, from 0 to 1."""
        return self.values[self.best]


def root_edges(tree: Tree) -> list[int]:
    """The edges of the root, newest first."""
    edges = []
    edge = int(tree.first_edge[int(tree.totals[ROOT])]) if tree.totals[NODES] else -1
    while edge >= 0:
        edges.append(edge)
        edge = int(tree.next_edge[edge])
    return edges


def is_settled(tree: Tree, left: int) -> bool:
    """Is the choice proven, or the most visited action so far ahead that the iterations left cannot change it?"""
    if tree.totals[ITERATIONS] < SOONEST:
        return False
    edges = root_edges(tree)
    proven = [int(tree.proven[edge]) for edge in edges]
    if WON in proven or proven.count(LOST) >= len(edges) - 1:
        return True
    visits = sorted(int(tree.visits[edge]) for edge, fate in zip(edges, proven, strict=True) if fate != LOST)
    return visits[-1] - visits[-2] > left


def new_tree(size: int, edges: int | None = None) -> Tree:
    """An empty tree with room for `size` nodes and so many edges; memory is taken when it is used."""
    edges = EDGES_EACH * size if edges is None else edges
    return Tree(
        buckets=np.zeros(1 << max(8, (2 * size).bit_length()), np.int32),
        keys=np.zeros(size, np.int64),
        first_edge=np.zeros(size, np.int32),
        edge_count=np.zeros(size, np.int16),
        next_edge=np.zeros(edges, np.int32),
        action=np.zeros(edges, np.int16),
        visits=np.zeros(edges, np.int32),
        available=np.zeros(edges, np.int32),
        reward=np.zeros(edges, np.float64),
        child=np.zeros(edges, np.int32),
        proven=np.zeros(edges, np.int8),
        totals=np.zeros(LEADS + SEATS, np.float64),
    )


def new_workspace(actions: int, among: Sequence[int]) -> Workspace:
    """The arrays for one thread of a search."""
    return Workspace(
        root_actions=np.array(among, np.int16),
        choices=np.zeros(actions, np.int16),
        prior=np.zeros(actions, np.float64),
        growth=GROWTH,
        roots=ROOTS,
        edge_of=np.full(actions, -1, np.int32),
        path=np.zeros(ismcts.LONGEST_PATH, np.int32),
        path_seats=np.zeros(ismcts.LONGEST_PATH, np.int8),
        path_nodes=np.zeros(ismcts.LONGEST_PATH, np.int32),
        path_sure=np.zeros(ismcts.LONGEST_PATH, np.int8),
        points=np.zeros(SEATS, np.int64),
        ranks=np.zeros(SEATS, np.int64),
        rewards=np.zeros(SEATS, np.float64),
        wins=np.zeros(SEATS, np.float64),
    )


def game_parameters(game: Game) -> dict[str, Any]:
    """The search parameters a game sets in its bots.py for the strongest level: PRIOR_WEIGHT and ROLLOUT_DEPTH."""
    names = ("PRIOR_WEIGHT", "ROLLOUT_DEPTH")
    return {name.lower(): getattr(game.bots, name) for name in names if hasattr(game.bots, name)}


def guided_parameters(game: Game, players: int, plain: SearchParameters) -> guided.GuidedParameters:
    """How a search that a network guides goes about it; with more than two players as GUIDED of the game's bots.py says."""
    usual = {"exploration": GUIDED_EXPLORATION, "softness": GUIDED_SOFTNESS, "rollouts": 0.0}
    chosen = usual | guided_changes(game) if players > 2 else usual
    return guided.GuidedParameters(caution=GUIDED_CAUTION, plain=plain, **chosen)


@lru_cache(maxsize=32)  # each game in an edition that is kept takes memory
def guided_changes(game: Game) -> dict[str, float]:
    """GUIDED of a game's bots.py."""
    given = getattr(game.bots, "GUIDED", {})
    for name, value in given.items():
        low, high = GUIDED_RANGES.get(name, (0, -1))
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            allowed = ", ".join(f"{known} from {least} to {most}" for known, (least, most) in GUIDED_RANGES.items())
            raise BadGame(f"game {game.name}: GUIDED of bots.py has {name} = {value!r}; it may have {allowed}")
    return {name: float(value) for name, value in given.items()}


@lru_cache
def weights_of(network: Network) -> guided.Weights:
    """The layers of a network as the compiled search takes them."""
    found: dict[str, Any] = {}
    for name, layer in network.layers.items():
        name = "first" if name == "in" else name
        weights = np.ascontiguousarray(layer.weights * 2.0**-layer.shift, np.float32)
        found[name], found[f"{name}_bias"] = weights, np.array(layer.bias / UNIT, np.float32)
    for name in SEAT_LAYERS:
        found.setdefault(name, np.zeros((0, 0), np.float32))
        found.setdefault(f"{name}_bias", np.zeros(0, np.float32))
    for name in ("policy", "seats"):
        found[name] = np.ascontiguousarray(found[name].T)
    found["value"] = np.ascontiguousarray(found["value"][:, 0])
    return guided.Weights(**found)


@lru_cache(maxsize=32)  # each game in an edition that is kept takes memory
def interpreted_search(game: Game) -> SimpleNamespace:
    """The functions of `ismcts` for a game as plain Python."""
    return bind(vars(ismcts), game.translation.bindings)


@lru_cache
def thread_pool(threads: int) -> ThreadPoolExecutor:
    """Threads to search on."""
    return ThreadPoolExecutor(threads, "search")


def first_game_word(game: Game) -> int:
    """The first 32-bit word of a state record that belongs to the game, after the engine's own."""
    kind, offset = game.State.dtype.fields["chance_pool"]
    return int(offset + kind.itemsize) // 4


_searchers: dict[str, Searcher] = {}
_creating = threading.Lock()


def searcher_of(game: Game) -> Searcher:
    """The searcher of a game, created once."""
    with _creating:
        if game.place not in _searchers:
            _searchers[game.place] = Searcher(game)
        return _searchers[game.place]


def is_ready(game: Game) -> bool:
    """Return whether the search of a game is compiled, in this process or on disk."""
    return searcher_of(game).ready


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_most_threads = NO_LIMIT


def limit_threads(most: int) -> None:
    """Limit the threads of every search in this process, for processes that share the processors."""
    global _most_threads
    _most_threads = most
