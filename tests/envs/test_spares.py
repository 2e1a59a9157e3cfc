"""Games dealt ahead, as the GPU does it: its threads run here one after the other, in orders that can occur there.

What was listed in a turn may be dealt at any time during the next turn, also between two threads of a step.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from perankh.engine.game import Game, get_game
from perankh.engine.native import Entry
from perankh.engine.rule import rule
from perankh.engine.simulate import option_sets
from perankh.envs import Batch, batch
from perankh.envs.batches import kinds_of
from perankh.envs.kernels import (
    DEAL,
    LISTED,
    LISTS,
    NUMBER,
    SPARE_FACTS,
    SPARE_NUMBER,
    TURN,
    Games,
    Settings,
    Spares,
    Work,
    deal_spare,
    run_thread,
)
from perankh.envs.runners import NativeRunner

from ..conftest import CONNECT_FOUR

N = 20
STEPS = 240
ORDERS = ("dealt at once", "dealt late", "mixed")
four = pytest.mark.xdist_group("connect_four-batch")


@rule
def run_threads(
    arrays: Games,
    near: Any,
    s: Any,
    work: Work,
    spares: Spares,
    turn: int,
    task: int,
    slots: Any,
    actions: Any,
    draw: int,
    steps: int,
    order: Any,
) -> None:
    """The threads of a launch, one after the other; -1 - k is thread k of the launch that deals what the last turn has listed."""
    g = Games(
        near,
        arrays.blanks,
        arrays.keys,
        arrays.flags,
        arrays.counters,
        arrays.views,
        arrays.mask,
        arrays.legal,
        arrays.reward,
        arrays.results,
    )
    fixed = Settings(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
    for k in order:
        if k < 0:
            deal_spare(near, arrays.blanks, arrays.keys, fixed, spares, turn - 1, -1 - int(k), 0)
            continue
        i = run_thread(g, work, fixed, arrays.records, spares, turn, task, slots, actions, draw, steps, int(k), 0)
        if i >= 0:
            spares.lists[turn % LISTS, 0] += 1
            spares.lists[turn % LISTS, spares.lists[turn % LISTS, 0]] = i


class Unchecked(NativeRunner):
    """Leaves illegal actions to the kernels, as the GPU does."""

    first_illegal: Any

    def __init__(self, game: Game, settings: Settings) -> None:
        super().__init__(game, settings, 1)
        self.first_illegal = lambda *_: -1


class Launches(Unchecked):
    """Launches as on the GPU."""

    def __init__(self, game: Game, settings: Settings, order: str) -> None:
        super().__init__(game, settings)
        n = settings.games
        self.run_threads = Entry(game, run_threads)
        self.spares = Spares(
            np.zeros(n, game.State.dtype), np.full((SPARE_FACTS, n), -1, np.int64), np.zeros((LISTS, n + 1), np.int32)
        )
        self.near = np.zeros(1, game.State.dtype)
        self.turn, self.steps = 0, 0
        self.undealt: list[int] = []  # threads that deal what the last turn has listed, and have not run yet
        self.order, self.random = order, np.random.default_rng(1)
        self.begun = np.array([0, 0])  # games from spares, and dealt by the slot's own thread

    def run(self, g: Games, task: int, slots: Any, actions: Any, draw: int, steps: int) -> None:
        dealing = 0 if self.order == "dealt late" else len(self.undealt)
        if self.order == "mixed":
            dealing = int(self.random.integers(dealing + 1))
        now, self.undealt = self.undealt[:dealing], self.undealt[dealing:]
        order = np.array([*now, *range(len(slots) + 5)])
        if self.order == "mixed":
            order = self.random.permutation(order)
        facts, number = self.spares.facts.copy(), g.counters[NUMBER].copy()
        self.launch(g, task, slots, actions, draw, steps, order)
        if steps == 1 and len(slots):
            spare = (facts[SPARE_NUMBER] == number + 1) & (facts[LISTED] < self.turn - 1)
            begun = spare[g.counters[NUMBER] != number]
            self.begun += np.array([begun.sum(), (~begun).sum()])
        self.steps += steps
        if self.steps >= TURN:
            self.end_turn(g, slots, actions)

    def launch(self, g: Games, task: int, slots: Any, actions: Any, draw: int, steps: int, order: Any) -> None:
        arguments = (self.turn, task, slots, actions, draw, steps, order)
        self.run_threads(g, self.near, self.settings, self.works[0], self.spares, *arguments)

    def end_turn(self, g: Games, slots: Any, actions: Any) -> None:
        """The next turn waits for the deals of the turn before; those of this one are begun."""
        self.launch(g, DEAL, slots, actions, 0, 1, np.array(self.undealt, np.int64))
        self.undealt = [-1 - k for k in self.random.permutation(len(self.spares.records) + 3)]
        listed = self.spares.facts[LISTED] == self.turn
        if self.order == "dealt late":  # what is dealt during the next turn must not be read in it
            self.spares.records.view(np.uint8).reshape(len(listed), -1)[listed] = 85
        self.turn, self.steps = self.turn + 1, 0


def made(game: Game, order: str, players: list[int], options: list[dict[str, Any]], **settings: Any) -> tuple[Batch, Batch]:
    """A plain batch, and one that runs as on the GPU."""
    plain = batch(game, N, players=players, options=options, seed=3, **settings)
    blanks, facts = kinds_of(game, players, options), (plain.settings, plain.illegal, 3)
    runners = Unchecked(game, plain.settings), Launches(game, plain.settings, order)
    one, other = (Batch(game, N, blanks, facts[0], runner, facts[1], facts[2], None) for runner in runners)
    return one, other


def something_else(b: Batch, t: int, draw: random.Random) -> None:
    """What may happen between two steps."""
    some = sorted(draw.sample(range(N), 5))
    kind = draw.randrange(12)
    if kind == 0:
        b.reset(only=some)
    elif kind == 1:
        b.reset(seed=[draw.randrange(2**100) for _ in some], only=some)
    elif kind == 2:
        b.reset(seed=t)
    elif kind == 3:
        b.reset()
    elif kind == 4:
        b.play_random(draw.randrange(1, 9), observe=draw.random() < 0.5)
    elif kind == 5:
        b.load(some[0], b.save(some[0] if draw.random() < 0.5 else some[1]))


def actions_with_mistakes(b: Batch, draw: random.Random) -> Any:
    actions = b.random_actions().copy()
    for i in range(N):
        if draw.random() < 0.1:
            actions[i] = draw.choice([-1, b.game.actions, draw.randrange(b.game.actions)])
    return actions


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(str(CONNECT_FOUR), marks=four),
        pytest.param("maqha", marks=pytest.mark.xdist_group("maqha")),
        pytest.param("mural", marks=pytest.mark.xdist_group("mural")),
    ],
)
@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_games_dealt_ahead_are_the_same_games(name: str, autoreset: str) -> None:
    """Whichever thread comes first, everything is as in a plain batch."""
    game = get_game(name)
    players = list(game.players)
    options = [{}] if name == "maqha" else option_sets(game, 2, most=4)
    begun = np.array([0, 0])
    for order in ORDERS:
        for illegal, limit, calm in (("raise", None, True), ("end", None, False), ("raise", 1, False), ("end", 2, False)):
            one, other = made(game, order, players, options, autoreset=autoreset, illegal=illegal, limit=limit)
            one.reset()
            other.reset()
            draws, again = random.Random(f"{order} {limit}"), random.Random(f"{order} {limit}")
            for t in range(3 * STEPS if calm else STEPS):
                one.step(one.random_actions() if calm else actions_with_mistakes(one, draws))
                other.step(other.random_actions() if calm else actions_with_mistakes(other, again))
                if not calm and t % 5 == 0:
                    something_else(one, t, draws)
                    something_else(other, t, again)
                if autoreset == "disabled" and t % 3 == 0:
                    one.reset(only=one.seat < 0)
                    other.reset(only=other.seat < 0)
                for field, array in one.games._asdict().items():
                    assert array.tobytes() == getattr(other.games, field).tobytes(), (order, illegal, limit, t, field)
            assert isinstance(other.runner, Launches)
            begun += other.runner.begun
    assert begun.min() > 5 * N


@four
def test_a_game_that_ends_is_followed_by_the_spare() -> None:
    game = get_game(CONNECT_FOUR)
    _, b = made(game, "dealt at once", [2], [{}])
    runner = b.runner
    assert isinstance(runner, Launches)
    b.reset()
    for action in (3, 4, 5, 6, 0, 1, 0, 1, 0, 1):
        b.step([action] * N)
    runner.spares.records["chance_key"][:, 3] = 77
    b.step([0] * N)
    assert b.terminated.all()
    assert all(b.state(i).chance_key[3] == 77 for i in range(N))
    for action in (0, 1, 0, 1, 0, 1, 0):
        b.step([action] * N)
    assert b.number.tolist() == [2] * N
    assert all(b.state(i).chance_key[3] == 0 for i in range(N))


@four
def test_a_spare_that_is_being_dealt_is_not_waited_for() -> None:
    """The first game of every slot is over after one move."""
    game = get_game(CONNECT_FOUR)
    _, b = made(game, "dealt at once", [2], [{}], limit=1)
    runner = b.runner
    assert isinstance(runner, Launches)
    b.reset()
    for number in range(1, 5):
        runner.spares.records["chance_key"][:, 3] = 77
        b.step([0] * N)
        assert b.number.tolist() == [number] * N
        assert all(b.state(i).chance_key[3] == 0 for i in range(N))
