"""The GPU runner: the same rule functions, called from a kernel with one thread per game."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from perankh.engine import loops
from perankh.engine.native import build_folder, kept_in
from perankh.engine.rule import Translation
from perankh.errors import PerankhError

if TYPE_CHECKING:
    from perankh.engine.game import Game

THREADS = 65_536  # games played at the same time
KERNELS = ("games", "moves")
BLOCK = 64  # threads per block
REGISTERS = 128  # a thread, so that 8 blocks fit a multiprocessor
ALL_REGISTERS, SHARED_MEMORY = 65_536, 227 * 1024  # of a multiprocessor, the memory in bytes
DEALT_TOGETHER = 8  # games of a group of 32 threads
PIECE = 16 * THREADS  # games a launch
ARCHITECTURE = (9, 0)  # compute capability that PTX is compiled for


class NoGpu(PerankhError):
    """The CUDA runner was asked for where it cannot run."""


def import_cuda() -> Any:
    """Numba's CUDA target. It needs three names that newer NumPy versions have removed; they are restored first."""
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    if find_spec("numba_cuda") is None:  # Numba has an older target of its own, which is not enough
        raise NoGpu("running on the GPU needs the package numba-cuda: install perankh[cuda]")
    from numba import cuda

    return cuda


class DeviceTranslation(Translation):
    """The compiled twins of rules, as device functions."""

    def compiler(self, function: Any) -> Any:
        """Hand a twin to Numba's CUDA target."""
        return import_cuda().jit(device=True, error_model="numpy")(function)


class KernelCache:
    """Keeps the machine code of a kernel on disk, one file for each signature and kind of device. Numba calls these methods."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, signature: Any) -> Path:
        """The file of a kernel for the device that is in use."""
        cuda = import_cuda()
        facts = repr((signature, cuda.dispatcher.get_current_device().compute_capability))
        return self.folder / f"{hashlib.sha256(facts.encode()).hexdigest()[:16]}.kernel"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The kernel as it was kept, or None."""
        from numba.cuda.dispatcher import _Kernel
        from numba.cuda.utils import numba_target_override

        target_context.refresh()
        try:
            kept = pickle.loads(self.path(signature).read_bytes())
        except (OSError, EOFError, pickle.UnpicklingError):  # not there, or damaged
            return None
        with numba_target_override():
            return _Kernel._rebuild(**kept)

    def save_overload(self, signature: Any, kernel: Any) -> None:
        """Keep a kernel."""
        from numba.cuda.serialize import dumps

        path, data = self.path(signature), dumps(kernel._reduce_states())
        with contextlib.suppress(OSError), kept_in(self.folder):  # a read-only home: nothing is kept
            unfinished = path.with_suffix(f".{os.getpid()}")
            unfinished.write_bytes(data)
            unfinished.replace(path)


def kept_kernel(game: Game, name: str, function: Any, root: Any, translation: Translation, source: str, **options: Any) -> Any:
    """A kernel that is compiled when first launched and then kept on disk, by all that it is made from.

    `root` is the rule that it calls, `source` the file that it is written in.
    """
    kernel = import_cuda().jit(function, **options)
    kernel._cache = KernelCache(build_folder(game, f"cuda_{name}", kernel_hash(game, root, translation, source, options)))
    return kernel


def kernel_hash(game: Game, root: Any, translation: Translation, source: str, *others: Any) -> str:
    """A hash of all that a kernel is made from."""
    versions = [metadata.version(package) for package in ("numba", "numba-cuda", "llvmlite")]
    code = [Path(file).read_bytes() for file in (__file__, source)]
    facts = (translation.fingerprint(root), game.State.dtype.descr, versions, code, others)
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:24]


def registers(record: int) -> int:
    """How many registers a thread may use whose record of so many bytes lies in shared memory.

    As many blocks as fit there, 8 at most, shall run at the same time: 65,536 games are 8 for each multiprocessor of an H200.
    """
    blocks = max(1, min(ALL_REGISTERS // (BLOCK * REGISTERS), SHARED_MEMORY // (BLOCK * record)))
    return min(255, ALL_REGISTERS // (BLOCK * blocks) // 8 * 8)


class Launcher:
    """Launches a kernel again and again on a stream.

    Numba looks at every argument in every launch, which can take longer than the kernel. Here the first launch is Numba's own;
    then an argument is prepared again only if it is another object than the last time. It must be of the same type.
    """

    def __init__(self, kernel: Any, stream: Any) -> None:
        self.kernel, self.stream = kernel, stream
        self.compiled: Any = None
        self.arguments: list[Any] = []
        self.prepared: list[list[Any]] = []

    def __call__(self, threads: int, *arguments: Any) -> None:
        """Start so many threads and return at once."""
        from cuda.core import LaunchConfig, launch  # type: ignore[import-untyped]

        blocks = (threads + BLOCK - 1) // BLOCK
        if self.compiled is None:
            configured = self.kernel[blocks, BLOCK, self.stream]
            configured(*arguments)
            self.compiled = self.kernel.overloads[tuple(map(self.kernel.typeof_pyval, arguments))]
            self.core_stream, self.code = configured.stream, self.compiled._codelibrary.get_cufunc().kernel
            self.arguments = list(arguments)
            self.prepared = [self._prepared(k, argument) for k, argument in enumerate(arguments)]
            return
        for k, argument in enumerate(arguments):
            if argument is not self.arguments[k]:
                self.arguments[k], self.prepared[k] = argument, self._prepared(k, argument)
        launch(self.core_stream, LaunchConfig(grid=blocks, block=BLOCK), self.code, *chain.from_iterable(self.prepared))

    def _prepared(self, k: int, argument: Any) -> list[Any]:
        """Argument number k as the driver takes it: an array is several values."""
        values: list[Any] = []
        self.compiled._prepare_args(self.compiled.argument_types[k], argument, self.stream, [], values)
        return values


class CudaRunner:
    """A game's loops as GPU kernels, compiled when first launched."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cuda = import_cuda()
        self.translation = DeviceTranslation(game.own_functions)
        make = partial(kept_kernel, game, translation=self.translation, source=__file__)
        self.games_kernel = make("games", self._games(self.translation), loops.play_game)
        self.moves_kernel = make("moves", self._moves(self.translation), loops.play_moves, max_registers=REGISTERS)

    def _games(self, translation: Translation) -> Any:
        """Each thread plays games t, t + threads, t + 2 * threads, ... of a piece of the series and writes their reports."""
        cuda, actions, play_game = self.cuda, self.game.actions, translation.part(loops.play_game)
        int16, Space, Series = np.int16, loops.Space, loops.Series

        def kernel(slots, raw, blank, keys, first, count, seed, limit, watch, report):  # type: ignore[no-untyped-def]
            t = cuda.grid(1)
            space = Space(slots, raw, cuda.local.array(actions, int16))
            series = Series(blank, keys, seed, limit, watch)
            if t < slots.shape[0] // 2:
                for i in range(t, count, slots.shape[0] // 2):
                    play_game(space, 2 * t, series, first + i, report, i)

        return kernel

    def _moves(self, translation: Translation) -> Any:
        """Each thread plays games one after the other, in so many rounds, with the record in shared memory, and counts its moves.

        Threads that run together deal when several of them have to: otherwise each deal would keep the others waiting.
        """
        import numba

        cuda, actions, record = self.cuda, self.game.actions, numba.from_dtype(self.game.State.dtype)
        begin, actors_of = translation.part(loops.begin), translation.part(loops.actors_of)
        random_move = translation.part(loops.random_move)
        int16, Space, Series = np.int16, loops.Space, loops.Series

        def kernel(blank, keys, seed, rounds, made):  # type: ignore[no-untyped-def]
            t, slot = cuda.grid(1), cuda.threadIdx.x
            near = cuda.shared.array(BLOCK, record)
            space, series = Space(near, None, cuda.local.array(actions, int16)), Series(blank, keys, seed, 0, 0)
            index, count, mask = t, 0, 0
            for move in range(rounds):
                over = cuda.popc(cuda.ballot_sync(0xFFFFFFFF, mask == 0))
                if mask != 0:
                    mask = random_move(space, slot, series, index, move, mask)
                    count += 1
                elif over >= DEALT_TOGETHER or move == 0:
                    index += made.shape[0]
                    begin(near, slot, blank, keys, index)
                    mask = actors_of(near, slot)
            made[t] = count

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
            "moves": (self.moves_kernel, (record, row, whole, whole, row)),
        }
        ptx = {}
        for name in names:
            kernel, signature = signatures[name]
            with pretended_device(self.cuda, ARCHITECTURE):
                ptx[name] = self.cuda.compile_ptx(kernel.py_func, signature, cc=ARCHITECTURE, opt=optimised)[0]
        return ptx

    def ptx_size(self, name: str, optimised: bool = True) -> int:
        """How long the PTX of a kernel is, in bytes. What was compiled once is remembered on disk by what it is made from."""
        root = loops.play_game if name == "games" else loops.play_moves
        kept = (
            build_folder(self.game, f"ptx_{name}", kernel_hash(self.game, root, self.translation, __file__, optimised)) / "size"
        )
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
        slots = raw.reshape(-1).view(self.game.State.dtype)
        blank, keys = cuda.to_device(series.blank), cuda.to_device(series.keys)
        launch = self.games_kernel[(threads + BLOCK - 1) // BLOCK, BLOCK]
        reports = [np.zeros((0, loops.REPORT), np.int64)]
        for first in range(0, count, PIECE):
            piece = min(PIECE, count - first)
            report = cuda.to_device(np.zeros((piece, loops.REPORT), np.int64))
            launch(slots, raw, blank, keys, first, piece, series.seed, series.limit, series.watch, report)
            reports.append(report.copy_to_host())
            progress(first + piece)
        return np.concatenate(reports)

    def warm(self, series: loops.Series) -> None:
        """Compile and load the kernel of `run`, so that its time is the games' alone."""
        self.run(series._replace(limit=0), 1)

    def moves_per_second(self, series: loops.Series, games: int, moves: int, repeats: int = 3) -> float:
        """The best rate of `repeats` launches in which each of `games` threads makes up to `moves` random moves."""
        self.need_gpu()
        cuda = self.cuda
        blocks = (games + BLOCK - 1) // BLOCK
        blank, keys = cuda.to_device(series.blank), cuda.to_device(series.keys)
        made = cuda.to_device(np.zeros(blocks * BLOCK, np.int64))
        launch = self.moves_kernel[blocks, BLOCK]
        launch(blank, keys, 1, 1, made)
        best = 0.0
        for attempt in range(repeats):
            cuda.synchronize()
            began = time.perf_counter()
            launch(blank, keys, attempt, moves, made)
            cuda.synchronize()
            spent = time.perf_counter() - began
            best = max(best, float(made.copy_to_host().sum()) / spent)
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
