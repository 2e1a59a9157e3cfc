"""The GPU runner: the same rule functions called from one kernel, one thread a game."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from perankh.engine import loops
from perankh.engine.rule import Translation
from perankh.engine.state import Record
from perankh.errors import PerankhError

if TYPE_CHECKING:
    from perankh.engine.game import Game

THREADS = 65_536  # games under way at once
BLOCK = 64  # threads a block
ARCHITECTURE = (9, 0)  # what PTX is compiled for where no GPU is there to ask


class NoGpu(PerankhError):
    """The CUDA runner was asked for where it cannot run."""


def import_cuda() -> Any:
    """Numba's CUDA target. It wants three names that newer NumPy dropped; they are given back first."""
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    try:
        from numba import cuda
    except ImportError:
        raise NoGpu("running on the GPU needs the package numba-cuda: install perankh[cuda]") from None
    return cuda


class DeviceTranslation(Translation):
    """The twins of rules as functions of the GPU."""

    def compiler(self, function: Any) -> Any:
        """Hand a twin to Numba's CUDA target."""
        return import_cuda().jit(device=True, error_model="numpy")(function)


class CudaRunner:
    """A game's loops as GPU kernels, compiled when first launched."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cuda = import_cuda()
        translation = DeviceTranslation(game.own_functions)
        self.games_kernel = self.cuda.jit(self._games(translation))
        self.moves_kernel = self.cuda.jit(self._moves(translation))

    def _games(self, translation: Translation) -> Any:
        """Each thread plays games t, t + threads, t + 2 * threads, ... and writes their reports."""
        cuda, actions, play_game = self.cuda, self.game.actions, translation.part(loops.play_game)
        int16 = np.int16

        def kernel(table, raw, blank, keys, count, seed, limit, watch, report):  # type: ignore[no-untyped-def]
            t = cuda.grid(1)
            choices = cuda.local.array(actions, int16)
            if t < table.shape[0] // 2:
                for i in range(t, count, table.shape[0] // 2):
                    play_game(table, raw, 2 * t, blank, keys, i, seed, limit, watch, choices, report, i)

        return kernel

    def _moves(self, translation: Translation) -> Any:
        """Each thread makes the same number of moves, starting a new game whenever one is over."""
        cuda, actions, play_moves = self.cuda, self.game.actions, translation.part(loops.play_moves)
        int16 = np.int16

        def kernel(table, blank, keys, seed, moves, ended):  # type: ignore[no-untyped-def]
            t = cuda.grid(1)
            choices = cuda.local.array(actions, int16)
            if t < table.shape[0]:
                ended[t] = play_moves(table, t, blank, keys, t, table.shape[0], seed, moves, choices)

        return kernel

    def compile_ptx(self, capability: tuple[int, int] = ARCHITECTURE) -> dict[str, str]:
        """The kernels as PTX text. Works without a GPU."""
        import numba
        from numba import types

        record = types.Array(numba.from_dtype(self.game.State.dtype), 1, "C")
        whole, row = types.int64, types.Array(types.int64, 1, "C")
        raw, report = types.Array(types.uint8, 2, "C"), types.Array(types.int64, 2, "C")
        signatures = {
            "games": (self.games_kernel, (record, raw, record, row, whole, whole, whole, whole, report)),
            "moves": (self.moves_kernel, (record, record, row, whole, whole, row)),
        }
        ptx = {}
        for name, (kernel, signature) in signatures.items():
            with pretended_device(self.cuda, capability):
                ptx[name] = self.cuda.compile_ptx(kernel.py_func, signature, cc=capability)[0]
        return ptx

    def need_gpu(self) -> None:
        """Say clearly that there is no GPU before anything else fails on it."""
        if not self.cuda.is_available():
            raise NoGpu("no CUDA device was found on this machine; use --device native")

    def run(self, blank: Record, keys: tuple[int, int, int, int], *, count: int, seed: int, limit: int, watch: int) -> Any:
        """Play `count` random games and return their reports, a row each."""
        self.need_gpu()
        cuda = self.cuda
        threads = min(THREADS, count)
        table = np.zeros(2 * threads, self.game.State.dtype)
        table_there = cuda.to_device(table.view(np.uint8).reshape(2 * threads, -1))
        report = cuda.to_device(np.zeros((count, loops.REPORT), np.int64))
        records = table_there.view(np.uint8).reshape(-1).view(self.game.State.dtype)
        launch = self.games_kernel[(threads + BLOCK - 1) // BLOCK, BLOCK]
        launch(
            records, table_there, self._there(blank), cuda.to_device(np.array(keys, np.int64)), count, seed, limit, watch, report
        )
        return report.copy_to_host()

    def moves_per_second(self, blank: Record, games: int, moves: int, repeats: int = 3) -> float:
        """The best rate of `repeats` launches in which each of `games` threads makes `moves` random moves."""
        self.need_gpu()
        cuda = self.cuda
        table = cuda.to_device(np.zeros(games, self.game.State.dtype))
        keys, ended = cuda.to_device(np.array([1, 0, 0, 0], np.int64)), cuda.to_device(np.zeros(games, np.int64))
        launch = self.moves_kernel[(games + BLOCK - 1) // BLOCK, BLOCK]
        start = self._there(blank)
        launch(table, start, keys, 1, 1, ended)
        best = 0.0
        for attempt in range(repeats):
            cuda.synchronize()
            began = time.perf_counter()
            launch(table, start, keys, attempt, moves, ended)
            cuda.synchronize()
            best = max(best, games * moves / (time.perf_counter() - began))
        return best

    def _there(self, blank: Record) -> Any:
        records = np.zeros(1, self.game.State.dtype)
        blank.pack(records[0])
        return self.cuda.to_device(records)


class pretended_device:
    """Let Numba compile for a GPU that is not there: while active, the current device is one of `capability`."""

    def __init__(self, cuda: Any, capability: tuple[int, int]) -> None:
        from types import SimpleNamespace

        self.dispatcher = cuda.dispatcher
        self.device = SimpleNamespace(compute_capability=capability)

    def __enter__(self) -> None:
        self.real = self.dispatcher.get_current_device
        self.dispatcher.get_current_device = lambda: self.device

    def __exit__(self, *_: object) -> None:
        self.dispatcher.get_current_device = self.real
