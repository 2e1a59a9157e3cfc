"""How a check says that it failed or does not apply, and the walk through random games that several checks share."""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from perankh.engine.game import Game
from perankh.engine.simulate import option_sets, random_moves
from perankh.errors import PerankhError

Progress = Callable[[float], None]  # called with the share that is done, 0 to 1

MOST_WALKS = 20  # option sets beyond which a player count does not take all of them
LONGEST_MOVE = 20.0  # seconds that one interpreted move, or the work of a check on it, may take
SETS = 12  # option sets a player count that the interpreted checks walk through


class CheckFailed(PerankhError):
    """The game broke what the check holds it to."""


class EndlessRules(CheckFailed):
    """A rule does not come to an end."""


class CheckSkipped(PerankhError):
    """The check does not apply; the message says why."""


def need(condition: bool, message: str) -> None:
    """Fail the check unless the condition holds."""
    if not condition:
        raise CheckFailed(message)


def some_sets(game: Game, players: int, most: int) -> list[dict[str, Any]]:
    """Option sets for slow checks: where there are many, each player count takes some, so that all have their turn."""
    tried = option_sets(game, players, most)
    stride = min(len(game.players), -(-len(tried) // MOST_WALKS))
    return tried[players % stride :: stride]


def walk(
    game: Game, games: int = 1, sets: int = SETS, longest: int = 2000, share: float = 1.0, by_policy: bool = False
) -> Iterator[tuple[Any, int, int, str]]:
    """Every position of random games over player counts and option sets: the state, who acts, the action chosen next, and a
    label for messages. The state must not be changed. A game is left after `longest` moves; a move that does not end fails.
    `share` below 1: of the option sets only so many are taken.
    `by_policy`: the game's rollout policy plays every second game, which reaches more than moves at random do."""
    number = 0
    with Watchdog() as watchdog:
        for players in game.players:
            tried = some_sets(game, players, sets)
            for options in tried[: math.ceil(min(1.0, share) * len(tried))]:
                for _ in range(games):
                    start = f"{players} players, {options or 'default options'}, seed {number}"
                    watchdog.expect(f"setting up ({start})")
                    state = game.new_state(players, number, options)
                    for move, (p, a) in enumerate(random_moves(game, state, number, 7, by_policy and number % 2 == 1)):
                        watchdog.expect(f"action {a} of seat {p} ({start}, move {move})")
                        yield state, p, a, f"{start}, move {move}"
                        if move >= longest:
                            break
                    number += 1


class Hung(BaseException):
    """Raised by the watchdog in the thread it watches."""


class Watchdog:
    """Ends interpreted rules that do not come to an end, and says where that was."""

    def __init__(self, seconds: float = LONGEST_MOVE) -> None:
        self.seconds = seconds
        self.doing = ""
        self.since = time.monotonic()
        self.stop = threading.Event()
        self.watched = threading.get_ident()

    def expect(self, doing: str) -> None:
        """Something new begins: the time runs anew."""
        self.doing, self.since = doing, time.monotonic()

    def watch(self) -> None:
        """Wait for the end, or for something that takes too long."""
        while not self.stop.wait(0.2):
            if time.monotonic() - self.since > self.seconds:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.watched), ctypes.py_object(Hung))
                return

    def __enter__(self) -> Watchdog:
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.stop.set()
        self.thread.join()
        if kind is Hung:
            raise EndlessRules(f"not at its end after {self.seconds:g} s: {self.doing}") from None


def companion(game: Game, in_house: str, in_folder: str) -> Path | None:
    """A file or folder that belongs to a game: in the project for the games of this package, in its folder for any other."""
    outside = game.folder / in_folder
    if outside.exists():
        return outside
    root = Path(__file__).resolve().parents[3]
    inside = root / in_house
    return inside if game.package.startswith("perankh.games.") and (root / "pyproject.toml").is_file() else None
