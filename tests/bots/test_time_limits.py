"""A search ends in time however slow the machine is: by a clock that runs as fast as iterations are made."""

from __future__ import annotations

import pytest

from perankh.bots import Budget, searcher_of
from perankh.bots.searcher import Searcher, SearchResult
from perankh.engine.game import Game, get_game

from ..conftest import CONNECT_FOUR
from .test_network import random_network

pytestmark = pytest.mark.xdist_group("connect_four")
LIMIT = 0.5


class SlowMachine:
    """A clock that runs on by so many seconds for each iteration of a searcher; the first call also loads its code."""

    def __init__(self, searcher: Searcher, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.loaded, self.batches = 0.0, 0.0, 0
        for name, count_at in (("run_iterations", 6), ("run_guided_iterations", 8)):
            monkeypatch.setattr(searcher, name, self.timed(getattr(searcher, name), count_at, seconds))

    def timed(self, run: object, count_at: int, seconds: float) -> object:
        """Iterations that take their time."""

        def timed_run(*given: object) -> None:
            run(*given)  # type: ignore[operator]
            self.batches += 1
            self.now += seconds * given[count_at]  # type: ignore[operator]
            if self.batches == 1:
                self.loaded = self.now = self.now + 3.0

        return timed_run

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("guided", [False, True])
@pytest.mark.parametrize("seconds", [0.00001, 0.001, 0.02, 0.3])
def test_a_search_ends_in_time_on_any_machine(guided: bool, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    game = get_game(CONNECT_FOUR)
    clock = SlowMachine(searcher_of(game), seconds, monkeypatch)
    found = searched(game, guided, Budget(1 << 15, LIMIT, settles=False, clock=clock))
    assert clock.now - clock.loaded <= LIMIT + max(LIMIT / 4, seconds)
    assert found.iterations == 1 << 15 or clock.now - clock.loaded >= LIMIT
    assert found.best in game.legal(game.new_state(2, 1), 0)


def test_the_clock_is_seldom_read_on_a_fast_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    game = get_game(CONNECT_FOUR)
    clock = SlowMachine(searcher_of(game), 1e-6, monkeypatch)
    searched(game, False, Budget(20_000, LIMIT, settles=False, clock=clock))
    assert clock.batches < 220


def searched(game: Game, guided: bool, budget: Budget) -> SearchResult:
    """A search from the empty board."""
    searcher, state = searcher_of(game), game.new_state(2, 1)
    if guided:
        return searcher.guided_search(random_network(game, 1), state, 0, 1, budget)
    return searcher.search(state, 0, 1, budget)
