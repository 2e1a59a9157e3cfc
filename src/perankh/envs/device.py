"""Batches on the GPU: one thread a game. Arrays stay on the device, and a step does not wait for it."""

from __future__ import annotations

from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from perankh.engine import loops
from perankh.engine.cuda import ARCHITECTURE, BLOCK, DeviceTranslation, NoGpu, import_cuda, kept_kernel, pretended_device
from perankh.engine.game import MOST_PLAYERS, Game
from perankh.engine.state import Record
from perankh.envs import kernels
from perankh.envs.batches import Batch
from perankh.envs.kernels import Games, Settings, Work
from perankh.errors import IllegalAction


@lru_cache
def kernels_of(game: Game) -> SimpleNamespace:
    """The kernels of a game, each compiled when first launched. While a thread works on a record, it lies in shared memory."""
    import numba

    cuda = import_cuda()
    translation = DeviceTranslation(game.own_functions)
    run_slot, rollout = translation.part(kernels.run_slot), translation.part(kernels.rollout)
    copy_state = translation.part(loops.copy_state)
    choose_one = translation.part(kernels.choose_one)
    record, actions = numba.from_dtype(game.State.dtype), game.actions
    int16, int64 = np.int16, np.int64

    def run(  # type: ignore[no-untyped-def]
        table, blanks, keys, flags, counters, views, mask, legal, reward, results, s, task, slots, chosen, draw, steps
    ):
        k = cuda.grid(1)
        if k < slots.shape[0]:
            i, j = slots[k], cuda.threadIdx.x
            near = cuda.shared.array(BLOCK, record)
            copy_state(near, j, table, i)
            g = Games(near, blanks, keys, flags, counters, views, mask, legal, reward, results)
            w = Work(cuda.local.array(1, record), cuda.local.array(MOST_PLAYERS, int64))
            run_slot(g, w, Settings(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]), task, i, j, chosen[i], draw, steps)
            copy_state(table, i, near, j)

    def choose(legal, counters, seed, draw, out):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = choose_one(legal, counters, seed, draw, i)

    def take(given, out):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = given[i]

    def roll_out(table, i, keys, seed, limit, total):  # type: ignore[no-untyped-def]
        k = cuda.grid(1)
        if k < total.shape[0]:
            choices = cuda.local.array(actions, int16)
            copy, places = cuda.local.array(1, record), cuda.local.array(MOST_PLAYERS, int64)
            rollout(table, i, copy, places, choices, keys, seed, limit, k, k + 1, total[k])

    make = partial(kept_kernel, game, translation=translation, source=__file__)
    return SimpleNamespace(
        run=make("run_batch", run, kernels.run_slot),
        choose=make("choose", choose, kernels.choose_one),
        take=make("take", take, kernels.choose_one),
        rollout=make("rollout", roll_out, kernels.rollout),
    )


def compile_ptx(game: Game, optimised: bool = True) -> dict[str, str]:
    """The kernels of a game as PTX text. Works without a GPU."""
    import numba
    from numba import types

    cuda, made = import_cuda(), kernels_of(game)
    whole = types.int64

    def array(kind: Any, dimensions: int) -> Any:
        return types.Array(kind, dimensions, "C")

    table, row = array(numba.from_dtype(game.State.dtype), 1), array(whole, 1)
    legal, counters = array(types.int16, 2), array(types.int32, 2)
    flags, views, mask = array(types.int8, 2), array(types.int8, 3), array(types.boolean, 2)
    reward, results = array(types.float32, 2), array(types.int32, 3)
    arrays = Games(table, table, array(whole, 2), flags, counters, views, mask, legal, reward, results)
    signatures = {
        "run": (*arrays, row, whole, row, row, whole, whole),
        "choose": (legal, counters, whole, whole, row),
        "take": (row, row),
        "rollout": (table, whole, row, whole, whole, array(whole, 2)),
    }
    ptx = {}
    for name, signature in signatures.items():
        with pretended_device(cuda, ARCHITECTURE):
            ptx[name] = cuda.compile_ptx(getattr(made, name).py_func, signature, cc=ARCHITECTURE, opt=optimised)[0]
    return ptx


class DeviceRunner:
    """The kernels on the GPU, all on one stream. Memory is read and written from the host only where that is asked for."""

    def __init__(self, game: Game, settings: Settings, stream: Any = None) -> None:
        self.game = game
        self.cuda = import_cuda()
        if not self.cuda.is_available():
            raise NoGpu("no CUDA device was found on this machine; use device=native")
        self.stream = self.cuda.external_stream(stream) if isinstance(stream, int) else stream or self.cuda.default_stream()
        self.kernels = kernels_of(game)
        self.settings = self.copy(np.array(settings, np.int64))

    def array(self, shape: tuple[int, ...], kind: Any) -> Any:
        return self.copy(np.zeros(shape, kind))

    def copy(self, array: Any) -> Any:
        return self.cuda.to_device(array, stream=self.stream)

    def shown(self, array: Any) -> Any:
        return array

    def put(self, array: Any, where: Any, values: Any) -> None:
        host = self.get(array)
        host[where] = values
        array.copy_to_device(host, stream=self.stream)
        self.stream.synchronize()

    def get(self, array: Any) -> Any:
        host = array.copy_to_host(stream=self.stream)
        self.stream.synchronize()
        return host

    def table(self, states: list[Record]) -> Any:
        table = np.zeros(len(states), self.game.State.dtype)
        for i, state in enumerate(states):
            state.pack(table[i])
        return self.copy(table)

    def read(self, table: Any, i: int) -> Record:
        return self.game.State.unpack(self.get(table[i : i + 1])[0])

    def write(self, table: Any, i: int, state: Record) -> None:
        record = np.zeros(1, self.game.State.dtype)
        state.pack(record[0])
        table[i : i + 1].copy_to_device(record, stream=self.stream)
        self.stream.synchronize()

    def launch(self, kernel: Any, threads: int, *arguments: Any) -> None:
        """Start a kernel with so many threads and return at once."""
        kernel[(threads + BLOCK - 1) // BLOCK, BLOCK, self.stream](*arguments)

    def run(self, g: Games, task: int, slots: Any, actions: Any, draw: int, steps: int) -> None:
        if isinstance(slots, np.ndarray):
            slots = self.copy(slots)
        if slots.shape[0]:
            self.launch(self.kernels.run, slots.shape[0], *g, self.settings, task, slots, actions, draw, steps)

    def first_illegal(self, flags: Any, mask: Any, actions: Any, slots: Any) -> int:  # noqa: ARG002
        """Nothing is refused beforehand: the kernel leaves illegal actions out."""
        return -1

    def choose(self, legal: Any, counters: Any, seed: int, draw: int, out: Any) -> None:
        self.launch(self.kernels.choose, out.shape[0], legal, counters, seed, draw, out)

    def take(self, given: Any, out: Any) -> None:
        """Copy actions of any integer type."""
        self.launch(self.kernels.take, out.shape[0], given, out)

    def rollout(self, g: Games, i: int, keys: Any, seed: int, limit: int, count: int) -> list[float]:
        total = self.array((count, MOST_PLAYERS), np.int64)
        self.launch(self.kernels.rollout, count, g.table, i, self.copy(keys), seed, limit, total)
        return [float(gained) for gained in self.get(total).sum(axis=0)]


class DeviceBatch(Batch):
    """A batch whose arrays lie on the GPU; torch, CuPy and JAX read them there through `__cuda_array_interface__`.

    A step does not wait for the GPU, so it cannot refuse the actions of all games. Where illegal actions raise, a game whose
    action is illegal stays as it is, and the next `check` raises; whatever brings states to the host calls it.
    """

    runner: DeviceRunner

    def check(self) -> None:
        """Wait for the GPU and raise IllegalAction if an action was refused since the last check."""
        if self.illegal != "raise":
            return
        counters = self.runner.get(self.games.counters)
        refused = np.flatnonzero(counters[kernels.ILLEGAL])
        if len(refused):
            self.runner.put(self.games.counters, kernels.ILLEGAL, 0)
            i = int(refused[0])
            raise IllegalAction(f"slot {i}: an action is not allowed; it was left out, as in {len(refused)} games in all")

    def state(self, i: int) -> Record:
        self.check()
        return super().state(i)

    def _take(self, actions: Any) -> None:
        self._need_games()
        if not hasattr(actions, "__cuda_array_interface__"):
            given = self.runner.copy(np.asarray(actions))
        else:
            given = self.runner.cuda.as_cuda_array(actions, sync=False)
        self._check_actions(given)
        self.runner.take(given, self.actions)
