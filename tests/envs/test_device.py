"""Batches on the GPU, as far as they can be tested without one: kernels compile, and what was compiled is kept on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perankh.engine.cuda import (
    ALL_REGISTERS,
    ARCHITECTURE,
    BLOCK,
    SHARED_MEMORY,
    KernelCache,
    NoGpu,
    import_cuda,
    pretended_device,
    registers,
)
from perankh.engine.game import get_game
from perankh.envs import batch, device
from perankh.errors import BadOption

from ..conftest import CONNECT_FOUR

pytestmark = pytest.mark.xdist_group("connect_four-batch")


def test_the_kernels_compile() -> None:
    ptx = device.compile_ptx(get_game(CONNECT_FOUR), optimised=False)
    assert set(ptx) == {"run", "deal", "choose", "take", "rollout"}
    assert all(".visible .entry" in text for text in ptx.values())


def test_a_compiled_kernel_is_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from numba import types
    from numba.cuda.codegen import CUDACodeLibrary
    from numba.cuda.descriptor import cuda_target
    from numba.cuda.dispatcher import _Kernel

    cuda = import_cuda()
    monkeypatch.setattr(CUDACodeLibrary, "_ensure_cc", lambda self, cc: cc or ARCHITECTURE)  # there need not be a device
    row = types.Array(types.int64, 1, "C")
    taking = device.kernels_of(get_game(CONNECT_FOUR)).take
    cache, other = KernelCache(tmp_path / "take"), KernelCache(tmp_path / "another")
    with pretended_device(cuda, ARCHITECTURE):
        assert cache.load_overload((row, row), cuda_target.target_context) is None
        made = _Kernel(taking.py_func, (row, row), **taking.targetoptions)
        code = made._codelibrary.get_cubin(cc=ARCHITECTURE).code
        cache.save_overload((row, row), made)
        kept = cache.load_overload((row, row), cuda_target.target_context)
        assert kept.entry_name == made.entry_name
        assert kept._codelibrary.get_cubin(cc=ARCHITECTURE).code == code
        assert cache.load_overload((row, types.Array(types.int32, 1, "C")), cuda_target.target_context) is None
        assert other.load_overload((row, row), cuda_target.target_context) is None
    with pretended_device(cuda, (8, 0)):
        assert cache.load_overload((row, row), cuda_target.target_context) is None


def test_kernels_are_kept_by_what_they_are_made_from() -> None:
    game, made = get_game(CONNECT_FOUR), device.kernels_of(get_game(CONNECT_FOUR))
    folders = {kernel._cache.folder for kernel in vars(made).values()} | {game.cuda.games_kernel._cache.folder}
    assert len(folders) == 6
    assert device.kernels_of.__wrapped__(game).run._cache.folder == made.run._cache.folder


def test_registers_leave_room_for_the_blocks_whose_records_fit() -> None:
    for record in (8, 128, 424, 688, 1500, 4000):
        blocks = min(8, SHARED_MEMORY // (BLOCK * record)) or 1
        assert 128 <= registers(record) <= 255
        assert blocks * BLOCK * registers(record) <= ALL_REGISTERS


def test_what_the_gpu_cannot_do_is_refused() -> None:
    arguments: Any
    for arguments, message in (
        ({"opponents": "random"}, "opponents play in batches on the processor"),
        ({"device": "native", "stream": 1}, "stream is for device=cuda"),
    ):
        with pytest.raises(BadOption, match=message):
            batch(CONNECT_FOUR, 1, **{"device": "cuda", **arguments})
    if not import_cuda().is_available():
        with pytest.raises(NoGpu, match="no CUDA device was found"):
            batch(CONNECT_FOUR, 1, device="cuda")
