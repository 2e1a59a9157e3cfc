"""What runs the kernels of a batch, and the memory they run in: compiled on threads, or interpreted."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np

from perankh.engine.game import MOST_PLAYERS, Game
from perankh.engine.native import Entry
from perankh.engine.rule import bind
from perankh.engine.state import Record
from perankh.envs import kernels
from perankh.envs.kernels import Games, Settings, Work


class Runner(Protocol):
    """Memory and kernels for the games of a batch."""

    def array(self, shape: tuple[int, ...], kind: Any) -> Any:
        """An array of zeros."""

    def rows(self, shape: tuple[int, ...], kind: Any) -> Any:
        """An array of zeros whose last two sizes are games and the numbers that a game writes one after the other."""

    def part(self, array: Any, k: int) -> Any:
        """Part number k of an array made by `rows`."""

    def copy(self, array: Any) -> Any:
        """An array with these numbers."""

    def shown(self, array: Any) -> Any:
        """An array as users get it: not to be written to, as far as that can be prevented."""

    def put(self, array: Any, where: Any, values: Any) -> None:
        """Write numbers into an array."""

    def get(self, array: Any) -> Any:
        """An array for the host."""

    def records(self, states: list[Record]) -> Any:
        """Records with these states."""

    def read(self, records: Any, i: int) -> Record:
        """The state in a record."""

    def write(self, records: Any, i: int, state: Record) -> None:
        """Put a state into a record."""

    def run(self, g: Games, task: int, slots: Any, actions: Any, draw: int, steps: int) -> None:
        """Run a task for some slots."""

    def redeal(self, g: Games, real: Games, number: int) -> None:
        """A random world in every slot, as the seat to act in other games may imagine it."""

    def first_illegal(self, flags: Any, mask: Any, actions: Any, slots: Any) -> int:
        """The first slot with an illegal action, or -1."""

    def choose(self, legal: Any, counters: Any, seed: int, draw: int, out: Any) -> None:
        """Random legal actions."""

    def observe(self, g: Games, seats: Any, hidden: int) -> Any:
        """What these seats see of the games, in an array of its own."""

    def rollout(self, g: Games, slots: Any, keys: Any, seed: int, limit: int, count: int) -> Any:
        """The sum of what each seat has gained in `count` random games from each of these positions, on the host."""


class HostMemory:
    """Arrays of NumPy."""

    def array(self, shape: tuple[int, ...], kind: Any) -> Any:
        return np.zeros(shape, kind)

    rows = array

    def part(self, array: Any, k: int) -> Any:
        return array[k]

    def copy(self, array: Any) -> Any:
        return array.copy()

    def shown(self, array: Any) -> Any:
        view = array.view()
        view.flags.writeable = False
        return view

    def put(self, array: Any, where: Any, values: Any) -> None:
        array[where] = values

    def get(self, array: Any) -> Any:
        return array


class Entries:
    """The compiled kernels of a game."""

    def __init__(self, game: Game) -> None:
        self.run_batch = Entry(game, kernels.run_batch)
        self.first_illegal = Entry(game, kernels.first_illegal)
        self.choose = Entry(game, kernels.choose)
        self.observe_as = Entry(game, kernels.observe_as)
        self.rollouts = Entry(game, kernels.rollouts)
        self.redeal = Entry(game, kernels.redeal_all)


@lru_cache
def entries_of(game: Game) -> Entries:
    """One set of kernels for all batches of a game."""
    return Entries(game)


class NativeRunner(HostMemory):
    """Machine code on one thread or several."""

    def __init__(self, game: Game, settings: Settings, threads: int) -> None:
        self.game, self.made_from = game, (game, settings, threads)
        self.settings = np.array(settings, np.int64)
        entries = entries_of(game)
        self.run_batch, self.rollouts, self.observe_as = entries.run_batch, entries.rollouts, entries.observe_as
        self.redeals = entries.redeal
        self.first_illegal, self.choose = entries.first_illegal, entries.choose
        self.works = [Work(np.zeros(1, game.State.dtype), np.zeros(MOST_PLAYERS, np.int64)) for _ in range(threads)]
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def __reduce__(self) -> Any:
        return NativeRunner, self.made_from

    def records(self, states: list[Record]) -> Any:
        records = np.zeros(len(states), self.game.State.dtype)
        for i, state in enumerate(states):
            state.pack(records[i])
        return records

    def read(self, records: Any, i: int) -> Record:
        return self.game.State.unpack(records[i])

    def write(self, records: Any, i: int, state: Record) -> None:
        state.pack(records[i])

    def run(self, g: Games, task: int, slots: Any, actions: Any, draw: int, steps: int) -> None:
        def part(work: Work, low: int, high: int) -> None:
            self.run_batch(*g, self.settings, *work, task, slots, low, high, actions, draw, steps)

        self.divided(len(slots), part)

    def divided(self, whole: int, part: Callable[[Work, int, int], None]) -> None:
        """Do a whole of so many pieces on all threads."""
        if self.pool is None or whole < len(self.works):
            part(self.works[0], 0, whole)
            return
        bounds = [whole * k // len(self.works) for k in range(len(self.works) + 1)]
        for job in [self.pool.submit(part, *share) for share in zip(self.works, bounds, bounds[1:], strict=False)]:
            job.result()

    def observe(self, g: Games, seats: Any, hidden: int) -> Any:
        out = np.zeros(g.views.shape[1:], np.int8)

        def part(work: Work, low: int, high: int) -> None:
            self.observe_as(g.records, work.record, seats, hidden, out, low, high)

        self.divided(len(seats), part)
        return out

    def redeal(self, g: Games, real: Games, number: int) -> None:
        self.redeals(g.records, g.flags, g.counters, g.keys, real.records, real.flags, number)

    def rollout(self, g: Games, slots: Any, keys: Any, seed: int, limit: int, count: int) -> Any:
        totals = []

        def part(work: Work, low: int, high: int) -> None:
            gained, choices = np.zeros((len(slots), MOST_PLAYERS), np.int64), np.zeros(self.game.actions, np.int16)
            totals.append(gained)
            self.rollouts(g.records, slots, count, *work, choices, keys, seed, limit, low, high, gained)

        self.divided(len(slots) * count, part)
        return np.sum(totals, axis=0)


@lru_cache
def interpreted_kernels(game: Game) -> SimpleNamespace:
    """The kernels as plain Python, bound to a game."""
    return bind(vars(kernels), game.own_functions)


class InterpretedRunner(HostMemory):
    """Plain Python: slow, but without a compiler, and with a traceback where rules fail."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game = game
        self.settings = settings
        self.kernels = interpreted_kernels(game)
        self.work = Work([game.State()], [0] * MOST_PLAYERS)
        self.first_illegal, self.choose = self.kernels.first_illegal, self.kernels.choose

    def __reduce__(self) -> Any:
        return InterpretedRunner, (self.game, self.settings)

    def records(self, states: list[Record]) -> Any:
        return [state.copy() for state in states]

    def read(self, records: Any, i: int) -> Record:
        state: Record = records[i].copy()
        return state

    def write(self, records: Any, i: int, state: Record) -> None:
        records[i] = state.copy()

    def run(self, g: Games, task: int, slots: Any, actions: Any, draw: int, steps: int) -> None:
        self.kernels.run_batch(*g, self.settings, *self.work, task, slots, 0, len(slots), actions, draw, steps)

    def observe(self, g: Games, seats: Any, hidden: int) -> Any:
        out = np.zeros(g.views.shape[1:], np.int8)
        self.kernels.observe_as(g.records, self.work.record, seats, hidden, out, 0, len(seats))
        return out

    def redeal(self, g: Games, real: Games, number: int) -> None:
        self.kernels.redeal_all(g.records, g.flags, g.counters, g.keys, real.records, real.flags, number)

    def rollout(self, g: Games, slots: Any, keys: Any, seed: int, limit: int, count: int) -> Any:
        total, choices = np.zeros((len(slots), MOST_PLAYERS), np.int64), [0] * self.game.actions
        self.kernels.rollouts(g.records, slots, count, *self.work, choices, keys, seed, limit, 0, len(slots) * count, total)
        return total
