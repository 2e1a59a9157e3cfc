"""Many random games at one of the three speeds, and statistics about them."""

from __future__ import annotations

import itertools
import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from perankh.engine import loops
from perankh.engine.chance import WORD
from perankh.engine.game import Game, seed_words
from perankh.errors import BadGame, BadOption

DEVICES = ("interpreted", "native", "cuda")
MIXTURES = 6  # random combinations of options that are always tried
LONGEST_GAME = 100_000  # moves; a longer random game counts as unfinished
LOOP_FAULTS = {
    loops.NO_MOVE: "a player who must act has no legal action",
    loops.TOO_LONG: f"the game is not over after the limit of {LONGEST_GAME} moves",
    loops.END_UNCLEAR: "actors and ending do not agree on whether the game is over",
}


@dataclass(frozen=True)
class Simulation:
    """The reports of a series of random games; game number i has the seed `seed + i`."""

    game: Game
    players: int
    options: dict[str, Any]
    device: str
    seed: int
    seconds: float
    report: Any

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.report)

    @property
    def moves(self) -> int:
        """How many moves were made in all games."""
        return int(self.report[:, loops.MOVES].sum())

    @property
    def scores(self) -> Any:
        """Final points: a row for each game, a column for each seat."""
        return self.report[:, loops.SCORES : loops.SCORES + self.players]

    @property
    def ranks(self) -> Any:
        """Final places: a row for each game, a column for each seat."""
        return self.report[:, loops.RANKS : loops.RANKS + self.players]

    def faults(self) -> list[tuple[int, int, str]]:
        """The games that broke an invariant: number, moves made, and what was wrong."""
        broken = np.flatnonzero(self.report[:, loops.VIOLATION])
        return [(int(i), int(self.report[i, loops.MOVES]), self._fault(int(self.report[i, loops.VIOLATION]))) for i in broken]

    def _fault(self, code: int) -> str:
        return LOOP_FAULTS[code] if code < 0 else self.game.invariants[code - 1]

    def summary(self) -> dict[str, Any]:
        """The statistics as plain values, ready for JSON."""
        lengths = self.report[:, loops.MOVES]
        endings = self.report[:, loops.ENDING]
        return {
            "game": self.game.name,
            "players": self.players,
            "options": self.options,
            "device": self.device,
            "seed": self.seed,
            "games": self.games,
            "moves": self.moves,
            "seconds": round(self.seconds, 6),
            "moves_per_second": round(self.moves / self.seconds) if self.seconds else 0,
            "length": {"mean": round(float(lengths.mean()), 3), "min": int(lengths.min()), "max": int(lengths.max())},
            "seats": [self._seat(p) for p in range(self.players)],
            "endings": {name: int((endings == i + 1).sum()) for i, name in enumerate(self.game.endings)},
            "violations": [{"game": i, "seed": self.seed + i, "move": move, "what": what} for i, move, what in self.faults()],
        }

    def _seat(self, p: int) -> dict[str, Any]:
        scores, ranks = self.scores[:, p], self.ranks[:, p]
        shared = (self.ranks == 1).sum(axis=1)
        return {
            "score_mean": round(float(scores.mean()), 4),
            "score_deviation": round(float(scores.std()), 4),
            "score_min": int(scores.min()),
            "score_max": int(scores.max()),
            "win_share": round(float(((ranks == 1) / np.maximum(shared, 1)).mean()), 4),
            "ranks": [int((ranks == place).sum()) for place in range(1, self.players + 1)],
        }


def simulate(
    game: Game,
    players: int,
    games: int,
    *,
    seed: int = 0,
    options: dict[str, Any] | None = None,
    device: str = "native",
    threads: int | None = None,
    watch: int = loops.INVARIANTS,
    limit: int = LONGEST_GAME,
    progress: Callable[[int], None] = lambda _: None,
) -> Simulation:
    """Play random games. All devices give the same reports for the same arguments."""
    if games < 1:
        raise BadOption(f"the number of games must be at least 1, not {games}")
    if device not in DEVICES:
        raise BadOption(f"device {device!r} is not one of {', '.join(DEVICES)}")
    blank = game.blank(players, options)
    keys, choice_seed = seed_words(seed), seed & WORD
    series = loops.Series([blank], keys, choice_seed, limit, watch)
    if device != "interpreted":
        series = game.native.series(blank, keys, choice_seed, limit, watch)
        game.native.warm() if device == "native" else game.cuda.warm(series)
    began = time.perf_counter()
    if device == "native":
        report = game.native.run_threads(series, games, threads or os.cpu_count() or 1, progress)
    elif device == "cuda":
        report = game.cuda.run(series, games, progress)
    else:
        report = _run_interpreted(game, series, games, progress)
    seconds = time.perf_counter() - began
    return Simulation(game, players, game.shown_options(blank), device, seed, seconds, report)


def _run_interpreted(game: Game, series: loops.Series, games: int, progress: Callable[[int], None]) -> Any:
    space = loops.Space([series.blank[0]] * 2, None, [0] * game.actions)
    report = np.zeros((games, loops.REPORT), np.int64)
    for i in range(games):
        game.loops.play_game(space, 0, series, i, report, i)
        progress(i + 1)
    return report


def random_moves(game: Game, state: Any, index: int, seed: int, by_policy: bool = False) -> Any:
    """Play game number `index` of a series on `state`, one move at a time; yields each (seat, action) before it is made.

    `by_policy`: actions are chosen by the game's rollout policy, if it has one, and not each equally often.
    """
    choose = getattr(game.bots, "rollout_choice", None) if by_policy else None
    move = 0
    while mask := game.functions["actors"](state):
        p = game.loops.pick_actor(mask, seed & WORD, index, move)
        actions = game.legal(state, p)
        if not actions:
            raise BadGame(f"{game.name}: seat {p} must act and has no legal action after {move} moves")
        if choose:
            chosen = choose(state, p, actions, len(actions), game.loops.random_below(seed & WORD, index, move, WORD + 1))
        else:
            chosen = game.loops.random_below(seed & WORD, index, move, len(actions))
        a = actions[chosen]
        yield p, a
        game.functions["apply"](state, p, a)
        move += 1


def option_sets(game: Game, players: int, most: int | None = None) -> list[dict[str, Any]]:
    """Option sets to try: all combinations of the samples, or about `most`: each value alone, and random combinations."""
    names = list(game.options)
    values = [game.options[name].samples(players) for name in names]
    total = int(np.prod([len(v) for v in values], dtype=np.int64)) if names else 1
    if most is None or total <= most:
        found = [dict(zip(names, combination, strict=True)) for combination in itertools.product(*values)]
    else:
        singles = [{name: value} for k, name in enumerate(names) for value in values[k]]
        pick = random.Random(20)
        mixed = max(MIXTURES, most - len(singles))
        found = singles + [{name: pick.choice(values[k]) for k, name in enumerate(names)} for _ in range(mixed)]
    return [options for options in found if allowed(game, players, options)]


def allowed(game: Game, players: int, options: dict[str, Any]) -> bool:
    """May these options be combined?"""
    try:
        game.blank(players, options)
    except BadOption:
        return False
    return True
