"""Batches on the GPU: one thread a game. Arrays stay on the device, and a step does not wait for it.

Threads that run together write the same number of their games at the same time. So these lie side by side in memory: rows of
games are columns there, which readers do not notice. A deal takes a thread longer than a step. So every slot has a spare with its
next game, and the spares that some steps have used up are dealt on a stream of their own, beside the steps that follow.
"""

from __future__ import annotations

from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from perankh.engine.cuda import (
    ARCHITECTURE,
    BLOCK,
    DeviceTranslation,
    Launcher,
    NoGpu,
    import_cuda,
    kept_kernel,
    pretended_device,
    registers,
)
from perankh.engine.game import MOST_PLAYERS, Game
from perankh.engine.state import Record
from perankh.envs import kernels
from perankh.envs.batches import Batch, Step
from perankh.envs.kernels import Games, Settings, Spares, Work
from perankh.envs.opponents import RANDOM, Opponents
from perankh.errors import BadGame, BadOption, IllegalAction

MOST_MOVES = 100_000  # of opponents that a step waits for
ACTS, ERRS = 0, 1  # what is looked for where opponents play: does one act, and was an action not allowed


@lru_cache
def kernels_of(game: Game) -> SimpleNamespace:
    """The kernels of a game, each compiled when first launched. While a thread works on a record, it lies in shared memory."""
    import numba

    cuda = import_cuda()
    translation = DeviceTranslation(game.own_functions)
    run_thread, rollout = translation.part(kernels.run_thread), translation.part(kernels.rollout)
    choose_one, deal_spare = translation.part(kernels.choose_one), translation.part(kernels.deal_spare)
    observe_as, take_one = translation.part(kernels.observe_as), translation.part(kernels.take_for)
    other_acts, other_errs = translation.part(kernels.other_acts), translation.part(kernels.other_errs)
    learner_gain, redeal_one = translation.part(kernels.learner_gain), translation.part(kernels.redeal_one)
    record, actions = numba.from_dtype(game.State.dtype), game.actions
    int16, int64, LISTS = np.int16, np.int64, kernels.LISTS

    def run(  # type: ignore[no-untyped-def]
        records,
        blanks,
        keys,
        flags,
        counters,
        views,
        mask,
        legal,
        reward,
        results,
        s,
        spare,
        facts,
        lists,
        turn,
        task,
        slots,
        chosen,
        draw,
        steps,
    ):
        near = cuda.shared.array(BLOCK, record)
        g = Games(near, blanks, keys, flags, counters, views, mask, legal, reward, results)
        w = Work(cuda.local.array(1, record), cuda.local.array(MOST_PLAYERS, int64))
        fixed = Settings(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
        spares = Spares(spare, facts, lists)
        k, j = cuda.grid(1), cuda.threadIdx.x
        i = run_thread(g, w, fixed, records, spares, turn, task, slots, chosen, draw, steps, k, j)
        if i >= 0:
            lists[turn % LISTS, cuda.atomic.add(lists, (turn % LISTS, 0), 1) + 1] = i

    def deal(blanks, keys, s, spare, facts, lists, turn):  # type: ignore[no-untyped-def]
        near = cuda.shared.array(BLOCK, record)
        fixed = Settings(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
        deal_spare(near, blanks, keys, fixed, Spares(spare, facts, lists), turn, cuda.grid(1), cuda.threadIdx.x)

    def choose(legal, counters, seed, draw, out):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = choose_one(legal, counters, seed, draw, i)

    def take(given, out):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = given[i]

    def take_for(given, flags, seats, out):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < out.shape[0]:
            take_one(given, flags, seats, out, i)

    def look(flags, reward, gained, found):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < gained.shape[0]:
            gained[i] = learner_gain(flags, reward, i)
            if other_acts(flags, i):
                found[ACTS] = 1

    def judge(flags, mask, chosen, found):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < chosen.shape[0] and other_errs(flags, mask, chosen, i):
            found[ERRS] = 1

    def see(records, seats, hidden, out):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < out.shape[0]:
            observe_as(records, cuda.local.array(1, record), seats, hidden, out, i, i + 1)

    def roll_out(records, slots, count, keys, seed, limit, total):  # type: ignore[no-untyped-def]
        number = cuda.grid(1)
        if number < slots.shape[0] * count:
            k = number // count
            w = Work(cuda.local.array(1, record), cuda.local.array(MOST_PLAYERS, int64))
            choices, gained = cuda.local.array(actions, int16), cuda.local.array(MOST_PLAYERS, int64)
            for p in range(MOST_PLAYERS):
                gained[p] = 0
            rollout(records, slots[k], w, choices, keys, seed, limit, number, gained)
            for p in range(MOST_PLAYERS):
                cuda.atomic.add(total, (k, p), gained[p])

    def redeal(records, flags, counters, keys, real, real_flags, number):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < keys.shape[0]:
            redeal_one(records, flags, counters, keys, real, real_flags, number, i)

    make = partial(kept_kernel, game, translation=translation, source=__file__)
    return SimpleNamespace(
        run=make("run_batch", run, kernels.run_thread, max_registers=registers(game.State.dtype.itemsize)),
        deal=make("deal", deal, kernels.deal_spare),
        choose=make("choose", choose, kernels.choose_one),
        take=make("take", take, kernels.choose_one),
        take_for=make("take_for", take_for, kernels.take_for),
        judge=make("judge", judge, kernels.other_errs),
        look=make("look", look, kernels.learner_gain),
        see=make("see", see, kernels.observe_as),
        rollout=make("rollout", roll_out, kernels.rollout),
        redeal=make("redeal", redeal, kernels.redeal_one),
    )


def compile_ptx(game: Game, optimised: bool = True) -> dict[str, str]:
    """The kernels of a game as PTX text. Works without a GPU."""
    import numba
    from numba import types

    cuda, made = import_cuda(), kernels_of(game)
    whole = types.int64

    def array(kind: Any, dimensions: int) -> Any:
        return types.Array(kind, dimensions, "C")

    def rows(kind: Any, dimensions: int) -> Any:
        return types.Array(kind, dimensions, "F" if dimensions == 2 else "A")

    records, row = array(numba.from_dtype(game.State.dtype), 1), array(whole, 1)
    legal, counters = rows(types.int16, 2), array(types.int32, 2)
    flags, views, mask = array(types.int8, 2), rows(types.int8, 3), array(types.boolean, 2)
    reward, results = rows(types.float32, 2), rows(types.int32, 3)
    arrays = Games(records, records, array(whole, 2), flags, counters, views, mask, legal, reward, results)
    spares = Spares(records, array(whole, 2), counters)
    signatures = {
        "run": (*arrays, row, *spares, whole, whole, row, row, whole, whole),
        "deal": (records, array(whole, 2), row, *spares, whole),
        "choose": (legal, counters, whole, whole, row),
        "take": (row, row),
        "take_for": (row, flags, whole, row),
        "judge": (flags, mask, row, row),
        "look": (flags, reward, types.Array(types.float32, 1, "C"), row),
        "see": (records, row, whole, rows(types.int8, 2)),
        "rollout": (records, row, whole, row, whole, whole, array(whole, 2)),
        "redeal": (records, flags, counters, array(whole, 2), records, flags, whole),
    }
    ptx = {}
    for name, signature in signatures.items():
        with pretended_device(cuda, ARCHITECTURE):
            ptx[name] = cuda.compile_ptx(getattr(made, name).py_func, signature, cc=ARCHITECTURE, opt=optimised)[0]
    return ptx


class DeviceRunner:
    """The kernels on the GPU, on one stream, and deals ahead on another.

    Memory is read and written from the host only where that is asked for.
    """

    def __init__(self, game: Game, settings: Settings, stream: Any = None) -> None:
        self.game = game
        self.cuda = import_cuda()
        if not self.cuda.is_available():
            raise NoGpu("no CUDA device was found on this machine; use device=native")
        self.stream = (
            self.cuda.external_stream(stream) if isinstance(stream, int) else stream or self.cuda.legacy_default_stream()
        )
        self.kernels = kernels_of(game)
        self.launchers: dict[Any, Launcher] = {}
        self.settings = self.copy(np.array(settings, np.int64))
        n = settings.games
        self.spares = Spares(
            records=self.copy(np.zeros(n, game.State.dtype)),
            facts=self.copy(np.full((kernels.SPARE_FACTS, n), -1, np.int64)),
            lists=self.array((kernels.LISTS, n + 1), np.int32),
        )
        self.found = self.array((2,), np.int64)  # ACTS, ERRS: of opponents
        self.turn, self.steps = 0, 0  # see kernels.run_thread; steps in this turn
        self.dealing = self.new_stream()
        self.deals = Launcher(self.kernels.deal, self.cuda.external_stream(int(self.dealing.handle)))
        self.stepped, self.dealt = self.cuda.event(timing=False), self.cuda.event(timing=False)

    def new_stream(self) -> Any:
        """A stream that does not wait for the default stream, as Numba's own do."""
        from cuda.core import Device  # type: ignore[import-untyped]

        device = Device(self.cuda.current_context().device.id)
        device.set_current()
        return device.create_stream()

    def array(self, shape: tuple[int, ...], kind: Any) -> Any:
        return self.copy(np.zeros(shape, kind))

    def rows(self, shape: tuple[int, ...], kind: Any) -> Any:
        return self.turned(self.array((*shape[:-2], shape[-1], shape[-2]), kind))

    def part(self, array: Any, k: int) -> Any:
        return self.turned(self.turned(array)[k])  # Numba would look at every number of a turned array

    def turned(self, array: Any) -> Any:
        """The same memory with the last two sizes in the other order."""
        facts = dict(array.__cuda_array_interface__)
        for name in ("shape", "strides"):
            *first, a, b = getattr(array, name)
            facts[name] = (*first, b, a)
        return self.cuda.from_cuda_array_interface(facts, owner=array, sync=False)

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
        turned = array.strides[-1] != array.dtype.itemsize
        host = (self.turned(array) if turned else array).copy_to_host(stream=self.stream)
        self.stream.synchronize()
        return np.swapaxes(host, -1, -2) if turned else host

    def records(self, states: list[Record]) -> Any:
        records = np.zeros(len(states), self.game.State.dtype)
        for i, state in enumerate(states):
            state.pack(records[i])
        return self.copy(records)

    def read(self, records: Any, i: int) -> Record:
        return self.game.State.unpack(self.get(records[i : i + 1])[0])

    def write(self, records: Any, i: int, state: Record) -> None:
        record = np.zeros(1, self.game.State.dtype)
        state.pack(record[0])
        records[i : i + 1].copy_to_device(record, stream=self.stream)
        self.stream.synchronize()

    def launch(self, name: str, threads: int, *arguments: Any) -> None:
        """Start a kernel with so many threads and return at once. What its first argument is may vary."""
        key = name, arguments[0].dtype.str, arguments[0].strides
        if key not in self.launchers:
            self.launchers[key] = Launcher(getattr(self.kernels, name), self.stream)
        self.launchers[key](threads, *arguments)

    def run(self, g: Games, task: int, slots: Any, actions: Any, draw: int, steps: int) -> None:
        if isinstance(slots, np.ndarray):
            slots = self.copy(slots)
        if slots.shape[0]:
            arguments = (self.turn, task, slots, actions, draw, steps)
            self.launch("run", slots.shape[0], *g, self.settings, *self.spares, *arguments)
        self.steps += steps
        if self.steps >= kernels.TURN:
            self.end_turn(g)

    def end_turn(self, g: Games) -> None:
        """Deal what was listed in this turn, beside the next one, which waits for what was listed in the turn before."""
        self.dealt.wait(self.stream)
        self.stepped.record(self.stream)
        self.stepped.wait(self.deals.stream)
        self.deals(self.spares.facts.shape[1], g.blanks, g.keys, self.settings, *self.spares, self.turn)
        self.dealt.record(self.deals.stream)
        self.turn, self.steps = self.turn + 1, 0

    def redeal(self, g: Games, real: Games, number: int) -> None:
        self.launch("redeal", g.keys.shape[0], g.records, g.flags, g.counters, g.keys, real.records, real.flags, number)

    def first_illegal(self, flags: Any, mask: Any, actions: Any, slots: Any) -> int:  # noqa: ARG002
        """Nothing is refused beforehand: the kernel leaves illegal actions out."""
        return -1

    def choose(self, legal: Any, counters: Any, seed: int, draw: int, out: Any) -> None:
        self.launch("choose", out.shape[0], legal, counters, seed, draw, out)

    def take(self, given: Any, out: Any) -> None:
        """Copy actions of any integer type."""
        self.launch("take", out.shape[0], given, out)

    def take_for(self, given: Any, flags: Any, seats: int, out: Any) -> None:
        """Copy the actions of games in which opponents in these seats (bits) act."""
        self.launch("take_for", out.shape[0], given, flags, seats, out)

    def judge(self, g: Games, actions: Any) -> None:
        """Note whether an opponent has chosen what it may not do."""
        self.launch("judge", actions.shape[0], g.flags, g.mask, actions, self.found)

    def look(self, g: Games, gained: Any) -> tuple[bool, bool]:
        """Write what the learners have gained. Does an opponent act somewhere, and was an action of one not allowed?"""
        self.launch("look", gained.shape[0], g.flags, g.reward, gained, self.found)
        acts, errs = self.get(self.found)
        self.found.copy_to_device(np.zeros(2, np.int64), stream=self.stream)
        return bool(acts), bool(errs)

    def observe(self, g: Games, seats: Any, hidden: int) -> Any:
        out = self.rows(g.views.shape[1:], np.int8)
        self.launch("see", out.shape[0], g.records, self.copy(seats), hidden, out)
        return out

    def rollout(self, g: Games, slots: Any, keys: Any, seed: int, limit: int, count: int) -> Any:
        total = self.array((len(slots), MOST_PLAYERS), np.int64)
        arguments = (count, self.copy(keys), seed, limit, total)
        self.launch("rollout", len(slots) * count, g.records, self.copy(slots), *arguments)
        return self.get(total)


class DeviceBatch(Batch):
    """A batch whose arrays lie on the GPU; torch, CuPy and JAX read them there through `__cuda_array_interface__`.

    A step does not wait for the GPU, so it cannot refuse the actions of all games. Where illegal actions raise, a game whose
    action is illegal stays as it is, and the next `check` raises; whatever brings states to the host calls it.
    """

    runner: DeviceRunner

    def __init__(self, *made_from: Any) -> None:
        super().__init__(*made_from)
        self.gained = self.runner.array((self.n,), np.float32)

    @property
    def learner_reward(self) -> Any:
        if self.opponents is None:
            raise BadOption("learner_reward is for batches with opponents")
        return self.gained

    def _advance(self, task: int, slots: Any) -> Step:
        """Run a task; then opponents play until the learner acts everywhere, which the host has to wait for."""
        self._run(task, slots)
        if self.opponents is None:
            return self.reported
        try:
            moves = 0
            while True:
                acts, errs = self.runner.look(self.games, self.gained)
                if errs:
                    raise IllegalAction("opponents: an action of a policy is not allowed; reset the batch")
                if not acts:
                    return self.reported
                if (moves := moves + 1) > MOST_MOVES:
                    raise BadGame(f"game {self.game.name}: the learner's seat never decides anything")
                self._let_others_choose(self.opponents)
                self._run(kernels.CONTINUE, self.all_slots)
        except BaseException:
            self.dealt = False  # some games wait for an opponent
            raise

    def _let_others_choose(self, opponents: Opponents) -> None:
        """Write the actions of opponents; a policy is asked for all games at once, and answers where its seats act."""
        for opponent, seats in opponents.groups():
            if opponent == RANDOM:
                given = self.random_actions()
            else:
                given = self._on_device(opponent(self.observation, self.mask, self.seat))
                if given.shape != (self.n,) or given.dtype.kind not in "iu":
                    raise IllegalAction(
                        f"opponents: a policy returns {self.n} whole numbers, not {given.dtype} of the shape {given.shape}"
                    )
            self.runner.take_for(given, self.games.flags, seats, self.actions)
        if self.illegal == "raise":
            self.runner.judge(self.games, self.actions)

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

    def wait(self) -> None:
        self.runner.stream.synchronize()

    def _parts(self) -> tuple[Any, ...]:
        raise BadOption("batches on the GPU are not copied; save and load their games")

    def state(self, i: int) -> Record:
        self.check()
        return super().state(i)

    def _take(self, actions: Any) -> None:
        self._need_games()
        given = self._on_device(actions)
        self._check_actions(given)
        self.runner.take(given, self.actions)

    def _on_device(self, actions: Any) -> Any:
        """Actions in the memory of the GPU, copied only from the host."""
        if not hasattr(actions, "__cuda_array_interface__"):
            return self.runner.copy(np.ascontiguousarray(actions))
        return self.runner.cuda.as_cuda_array(actions, sync=False)
