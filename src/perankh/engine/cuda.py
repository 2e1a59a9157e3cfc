"""The GPU runner: the same rule functions, called from a kernel with one thread per game."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from perankh.engine import loops
from perankh.engine.native import build_folder
from perankh.engine.rule import Translation
from perankh.errors import PerankhError

if TYPE_CHECKING:
    from perankh.engine.game import Game

THREADS = 65_536  # games played at the same time
KERNELS = ("games", "moves")
BLOCK = 64  # threads per block
PIECE = 16 * THREADS  # games a launch
ARCHITECTURE = (9, 0)  # compute capability that PTX is compiled for


class NoGpu(PerankhError):
    """The CUDA runner was asked for where it cannot run."""


def import_cuda() -> Any:
    """Numba's CUDA target. It needs three names that newer NumPy versions have removed; they are restored first."""
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    try:
        from numba import cuda
    except ImportError:
        raise NoGpu("running on the GPU needs the package numba-cuda: install perankh[cuda]") from None
    return cuda


class DeviceTranslation(Translation):
    """The compiled twins of rules, as device functions."""

    def compiler(self, function: Any) -> Any:
        """Hand a twin to Numba's CUDA target."""
        return import_cuda().jit(device=True, error_model="numpy")(function)


class CudaRunner:
    """A game's loops as GPU kernels, compiled when first launched."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cuda = import_cuda()
        self.translation = DeviceTranslation(game.own_functions)
        self.games_kernel = self.cuda.jit(self._games(self.translation))
        self.moves_kernel = self.cuda.jit(self._moves(self.translation))

    def _games(self, translation: Translation) -> Any:
        """Each thread plays games t, t + threads, t + 2 * threads, ... of a piece of the series and writes their reports."""
        cuda, actions, play_game = self.cuda, self.game.actions, translation.part(loops.play_game)
        int16, Space, Series = np.int16, loops.Space, loops.Series

        def kernel(table, raw, blank, keys, first, count, seed, limit, watch, report):  # type: ignore[no-untyped-def]
            t = cuda.grid(1)
            space = Space(table, raw, cuda.local.array(actions, int16))
            series = Series(blank, keys, seed, limit, watch)
            if t < table.shape[0] // 2:
                for i in range(t, count, table.shape[0] // 2):
                    play_game(space, 2 * t, series, first + i, report, i)

        return kernel

    def _moves(self, translation: Translation) -> Any:
        """Each thread makes the same number of moves, and starts a new game whenever one is over."""
        cuda, actions, play_moves = self.cuda, self.game.actions, translation.part(loops.play_moves)
        int16, Space, Series = np.int16, loops.Space, loops.Series

        def kernel(table, raw, blank, keys, seed, moves, ended):  # type: ignore[no-untyped-def]
            t = cuda.grid(1)
            space = Space(table, raw, cuda.local.array(actions, int16))
            if t < table.shape[0]:
                ended[t] = play_moves(space, t, Series(blank, keys, seed, 0, 0), t, table.shape[0], moves)

        return kernel

    def compile_ptx(self, names: Sequence[str] = KERNELS, optimised: bool = True) -> dict[str, str]:
        """Kernels as PTX text. Works without a GPU."""
        import numba
        from numba import types

        record = types.Array(numba.from_dtype(self.game.State.dtype), 1, "C")
        whole, row = types.int64, types.Array(types.int64, 1, "C")
        raw, report = types.Array(types.uint8, 2, "C"), types.Array(types.int64, 2, "C")
        signatures = {
            "games": (self.games_kernel, (record, raw, record, row, whole, whole, whole, whole, whole, report)),
            "moves": (self.moves_kernel, (record, raw, record, row, whole, whole, row)),
        }
        ptx = {}
        for name in names:
            kernel, signature = signatures[name]
            with pretended_device(self.cuda, ARCHITECTURE):
                ptx[name] = self.cuda.compile_ptx(kernel.py_func, signature, cc=ARCHITECTURE, opt=optimised)[0]
        return ptx

    def ptx_size(self, name: str, optimised: bool = True) -> int:
        """How long the PTX of a kernel is, in bytes. What was compiled once is remembered on disk by what it is made from."""
        code = self.translation.fingerprint(loops.play_game if name == "games" else loops.play_moves)
        facts = (code, self.game.State.dtype.descr, metadata.version("numba-cuda"), Path(__file__).read_bytes(), optimised)
        kept = build_folder(self.game, f"ptx_{name}", hashlib.sha256(repr(facts).encode()).hexdigest()[:24]) / "size"
        if not kept.is_file():
            size = len(self.compile_ptx([name], optimised)[name])
            with contextlib.suppress(OSError):  # a read-only home: nothing is remembered
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(str(size))
            return size
        return int(kept.read_text())

    def need_gpu(self) -> None:
        """Raise NoGpu if there is no GPU."""
        if not self.cuda.is_available():
            raise NoGpu("no CUDA device was found on this machine; use --device native")

    def run(self, series: loops.Series, count: int, progress: Callable[[int], None] = lambda _: None) -> Any:
        """Play random games and return their reports, a row each; `progress` is called with the number of games done."""
        self.need_gpu()
        cuda = self.cuda
        threads = min(THREADS, count)
        raw = cuda.to_device(np.zeros((2 * threads, self.game.State.dtype.itemsize), np.uint8))
        table = raw.reshape(-1).view(self.game.State.dtype)
        blank, keys = cuda.to_device(series.blank), cuda.to_device(series.keys)
        launch = self.games_kernel[(threads + BLOCK - 1) // BLOCK, BLOCK]
        reports = [np.zeros((0, loops.REPORT), np.int64)]
        for first in range(0, count, PIECE):
            piece = min(PIECE, count - first)
            report = cuda.to_device(np.zeros((piece, loops.REPORT), np.int64))
            launch(table, raw, blank, keys, first, piece, series.seed, series.limit, series.watch, report)
            reports.append(report.copy_to_host())
            progress(first + piece)
        return np.concatenate(reports)

    def warm(self, series: loops.Series) -> None:
        """Compile and load the kernel of `run`, so that its time is the games' alone."""
        self.run(series._replace(limit=0), 1)

    def moves_per_second(self, series: loops.Series, games: int, moves: int, repeats: int = 3) -> float:
        """The best rate of `repeats` launches in which each of `games` threads makes `moves` random moves."""
        self.need_gpu()
        cuda = self.cuda
        raw = cuda.to_device(np.zeros((games, self.game.State.dtype.itemsize), np.uint8))
        table = raw.reshape(-1).view(self.game.State.dtype)
        blank, keys = cuda.to_device(series.blank), cuda.to_device(series.keys)
        ended = cuda.to_device(np.zeros(games, np.int64))
        launch = self.moves_kernel[(games + BLOCK - 1) // BLOCK, BLOCK]
        launch(table, raw, blank, keys, 1, 1, ended)
        best = 0.0
        for attempt in range(repeats):
            cuda.synchronize()
            began = time.perf_counter()
            launch(table, raw, blank, keys, attempt, moves, ended)
            cuda.synchronize()
            best = max(best, games * moves / (time.perf_counter() - began))
        return best


class pretended_device:
    """While active, Numba compiles for a device of `capability`, whether or not there is one."""

    def __init__(self, cuda: Any, capability: tuple[int, int]) -> None:
        from types import SimpleNamespace

        self.dispatcher = cuda.dispatcher
        self.device = SimpleNamespace(compute_capability=capability)

    def __enter__(self) -> None:
        self.real = self.dispatcher.get_current_device
        self.dispatcher.get_current_device = lambda: self.device

    def __exit__(self, *_: object) -> None:
        self.dispatcher.get_current_device = self.real
