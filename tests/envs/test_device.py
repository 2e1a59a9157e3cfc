"""Batches on the GPU, as far as they can be tested without one: kernels compile, and what was compiled is kept on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
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
from perankh.engine.game import Game, get_game
from perankh.envs import batch, device, kernels
from perankh.envs.kernels import Games, Settings
from perankh.envs.runners import NativeRunner
from perankh.errors import BadOption, IllegalAction

from ..conftest import CONNECT_FOUR

pytestmark = pytest.mark.xdist_group("connect_four-batch")


def test_the_kernels_compile() -> None:
    ptx = device.compile_ptx(get_game(CONNECT_FOUR), optimised=False)
    assert set(ptx) == {"run", "deal", "choose", "take", "take_for", "judge", "look", "see", "rollout", "redeal"}
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
    assert len(folders) == 11
    assert device.kernels_of.__wrapped__(game).run._cache.folder == made.run._cache.folder


def test_registers_leave_room_for_the_blocks_whose_records_fit() -> None:
    for record in (8, 128, 424, 688, 1500, 4000):
        blocks = min(8, SHARED_MEMORY // (BLOCK * record)) or 1
        assert 128 <= registers(record) <= 255
        assert blocks * BLOCK * registers(record) <= ALL_REGISTERS


class OnTheProcessor(NativeRunner):
    """Takes the place of the runner on the GPU, to test what a batch there does on the host."""

    def __init__(self, game: Game, settings: Settings, stream: Any) -> None:
        super().__init__(game, settings, 1)
        self.acts = self.errs = False

    def take(self, given: Any, out: Any) -> None:
        out[:] = given

    def take_for(self, given: Any, flags: Any, seats: int, out: Any) -> None:
        for i in range(len(out)):
            kernels.take_for(given, flags, seats, out, i)

    def judge(self, g: Games, actions: Any) -> None:
        self.errs = any(kernels.other_errs(g.flags, g.mask, actions, i) for i in range(len(actions)))

    def look(self, g: Games, gained: Any) -> tuple[bool, bool]:
        for i in range(len(gained)):
            gained[i] = kernels.learner_gain(g.flags, g.reward, i)
        errs, self.errs = self.errs, False
        return any(kernels.other_acts(g.flags, i) for i in range(len(gained))), errs


def first_legal(observation: Any, mask: Any, seats: Any) -> Any:
    return mask.argmax(axis=1)


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize("opponents", ["random", first_legal, {0: "random", 1: first_legal, 2: "random"}])
def test_opponents_on_the_gpu_play_as_on_the_processor(opponents: Any, autoreset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "DeviceRunner", OnTheProcessor)
    players = [2] if isinstance(opponents, str) else [3, 4]
    for game, counts in (("maqha", players), (CONNECT_FOUR, [2])):
        chosen = opponents if not isinstance(opponents, dict) else {p: opponents[p % 3] for p in range(max(counts))}
        host, gpu = (
            batch(
                game,
                9,
                players=counts,
                opponents=chosen,
                seat="random",
                autoreset=autoreset,
                limit=12,
                illegal="end",
                device=name,
            )
            for name in ("native", "cuda")
        )
        assert isinstance(gpu, device.DeviceBatch)
        host.reset()
        gpu.reset()
        for t in range(40):
            actions = host.random_actions().copy()
            assert np.array_equal(actions, gpu.random_actions())
            actions[t % 9] = -1 if t % 7 == 6 else actions[t % 9]
            host.step(actions)
            gpu.step(actions)
            for name in ("seat", "observation", "mask", "reward", "terminated", "truncated", "scores", "moves", "learner_reward"):
                assert np.array_equal(getattr(host, name), getattr(gpu, name)), name
            if autoreset == "disabled":
                host.reset(only=host.seat < 0)
                gpu.reset(only=gpu.seat < 0)
        assert host.number.sum() > 20


def test_an_opponent_on_the_gpu_that_errs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "DeviceRunner", OnTheProcessor)
    answers: list[Any] = [np.full(4, 9), np.zeros(4), np.zeros(3, np.int64)]
    b = batch(CONNECT_FOUR, 4, opponents=lambda *_: answers.pop(0), seat=0, device="cuda")
    for message in ("an action of a policy is not allowed", "4 whole numbers, not float64", "not int64 of the shape"):
        b.reset()
        with pytest.raises(IllegalAction, match=message):
            b.step([3] * 4)
        with pytest.raises(BadOption, match="reset the batch"):
            b.step([3] * 4)
    free = batch(CONNECT_FOUR, 4, device="cuda")
    free.reset()
    with pytest.raises(BadOption, match="for batches with opponents"):
        _ = free.learner_reward


def test_what_the_gpu_cannot_do_is_refused() -> None:
    arguments: Any
    for arguments, message in (
        ({"opponents": "priest"}, "on the GPU they are random or policies"),
        ({"device": "native", "stream": 1}, "stream is for device=cuda"),
    ):
        with pytest.raises(BadOption, match=message):
            batch(CONNECT_FOUR, 1, **{"device": "cuda", **arguments})
    if not import_cuda().is_available():
        with pytest.raises(NoGpu, match="no CUDA device was found"):
            batch(CONNECT_FOUR, 1, device="cuda")
