"""The rules themselves: legal actions, invariants, agreement of the speeds, endings, seats."""

from __future__ import annotations

from typing import Any

import numpy as np

from perankh.checks.walk import CheckSkipped, Progress, need, some_sets, walk, within
from perankh.engine import loops
from perankh.engine.cuda import KERNELS, NoGpu
from perankh.engine.game import Game
from perankh.engine.simulate import LONGEST_GAME, option_sets, simulate
from perankh.errors import PerankhError

GAMES = 6_000  # random games a player count at effort 1
MOST_SETS = 30_000  # option sets a player count in a long run; beyond, a sample
SURE = 5.5  # standard deviations before a difference between seats is called one


def legal_actions(game: Game, effort: float, progress: Progress) -> str:
    """Legal actions are ascending and in range, asking changes nothing, fields hold their values, games end for a reason."""
    positions = 0
    for state, p, _, where in walk(game, longest=LONGEST_GAME, share=effort, ends=True):
        try:
            state.pack()
        except PerankhError as error:
            need(False, f"{error} ({where})")
        reason = game.functions["ending"](state)
        if p < 0:
            need(0 < reason <= len(game.endings), f"nobody is to act, and ending returns {reason} ({where})")
            continue
        need(reason == 0, f"somebody is to act, and ending returns {reason} ({where})")
        before = state.copy()
        mask = game.functions["actors"](state)
        need(0 < mask < 1 << state.players, f"actors {mask:b} names a seat that is not at the table ({where})")
        actions = game.legal(state, p)
        need(bool(actions), f"no legal action ({where})")
        need(actions == sorted(set(actions)), f"legal actions are not ascending and distinct: {actions} ({where})")
        need(0 <= actions[0] and actions[-1] < game.actions, f"legal actions out of range: {actions} ({where})")
        game.scores(state)
        game.ranks(state)
        need(state == before, f"asking for actors, legal, scores or ranks changed the state ({where})")
        positions += 1
    return f"{positions} positions"


def random_games(game: Game, effort: float, progress: Progress) -> str:
    """Random games at every player count and over option sets, with the invariants checked in every state."""
    played = moves = 0
    for players in game.players:
        sets = option_sets(game, players, 64 if effort <= 1 else MOST_SETS)
        for number, options in enumerate(sets):
            count = max(10, round(GAMES * effort / len(sets)))
            report = within(progress, game.players.index(players) * len(sets) + number, len(game.players) * len(sets), count)
            seed = 1_000_003 * number
            run = simulate(game, players, count, seed=seed, options=options, watch=loops.INVARIANTS, progress=report)
            for index, move, what in run.faults()[:1]:
                need(False, f"{players} players, {options}: game with seed {run.seed + index}, after move {move}: {what}")
            played += run.games
            moves += run.moves
    return f"{played} games, {moves} moves, no violation"


def modes_agree(game: Game, effort: float, progress: Progress) -> str:
    """Interpreted, native and, where a GPU is there, CUDA give the same bits in every state of the same games."""
    compared = 0
    watch = loops.INVARIANTS | loops.DIGESTS
    speeds = ["interpreted", "native"]
    try:
        game.cuda.need_gpu()
        speeds.append("cuda")
    except NoGpu:
        pass
    tried = [(players, options) for players in game.players for options in some_sets(game, players, 12)]
    for number, (players, options) in enumerate(tried):
        count = max(2, round(4 * effort))
        report = within(progress, number, len(tried), count)
        runs = [
            simulate(game, players, count, seed=11, options=options, device=device, watch=watch, progress=report)
            for device in speeds
        ]
        for run in runs[1:]:
            need(
                np.array_equal(run.report, runs[0].report),
                f"{run.device} and interpreted differ: {players} players, {options}",
            )
        compared += count
    return f"{compared} games bit for bit: {', '.join(speeds)}"


def endings_reached(game: Game, effort: float, progress: Progress) -> str:
    """Every reason for the end of a game is met in random play, and scores and places are sound."""
    met: dict[int, int] = {}
    tried = [(players, options) for players in game.players for options in option_sets(game, players, 64)]
    games = max(50, round(200 * effort))
    for number, (players, options) in enumerate(tried):
        report = within(progress, number, len(tried), games)
        run = simulate(game, players, games, seed=5, options=options, watch=0, progress=report)
        for code, count in zip(*np.unique(run.report[:, loops.ENDING], return_counts=True), strict=True):
            met[int(code)] = met.get(int(code), 0) + int(count)
        without = np.flatnonzero(run.report[:, loops.ENDING] == 0)[:1]
        need(not len(without), f"a game stopped without an ending: {players} players, {options}, seed {run.seed + without.sum()}")
        check_places(run)
    missing = [name for i, name in enumerate(game.endings) if i + 1 not in met]
    need(not missing, f"no random game ended by: {', '.join(missing)}")
    return ", ".join(f"{name} {met[i + 1]}" for i, name in enumerate(game.endings))


def check_places(run: Any) -> None:
    """Places are 1 for somebody, and k players ahead of a seat mean place k + 1."""
    ahead = (run.ranks[:, :, None] > run.ranks[:, None, :]).sum(axis=2) + 1
    need(bool((ahead == run.ranks).all()), f"places are not counted from 1 with shared places skipped: {run.players} players")


def seats_alike(game: Game, effort: float, progress: Progress) -> str:
    """Rules know no favourite: with another start player the same results come, moved round the table."""
    if "start_player" not in game.options:
        raise CheckSkipped("the game has no option start_player")
    worst = 0.0
    for players in game.players:
        means, errors = [], []
        for start in range(players):
            count = round(8_000 * max(1.0, effort))
            report = within(progress, game.players.index(players) * players + start, len(game.players) * players, count)
            run = simulate(game, players, count, seed=77 * start, options={"start_player": start}, watch=0, progress=report)
            order = [(start + k) % players for k in range(players)]
            means.append(run.scores[:, order].mean(axis=0))
            errors.append(run.scores[:, order].std(axis=0) / np.sqrt(count))
        for start in range(1, players):
            error = np.sqrt(errors[0] ** 2 + errors[start] ** 2) + 1e-9
            worst = max(worst, float((abs(means[0] - means[start]) / error).max()))
    need(worst < SURE, f"seats are not treated alike: scores differ by {worst:.1f} standard deviations")
    return f"largest difference {worst:.1f} standard deviations"


def kernels_compile(game: Game, effort: float, progress: Progress) -> str:
    """The rules compile to PTX, the GPU's assembly language; no GPU is needed for that.

    One kernel is compiled without optimising, which takes half the time; a long run compiles every kernel with it.
    """
    long = effort > 1
    sizes: dict[str, int] = {}
    try:
        for name in KERNELS if long else KERNELS[:1]:
            sizes[name] = game.cuda.ptx_size(name, optimised=long)
            progress(len(sizes) / len(KERNELS))
    except NoGpu as missing:
        raise CheckSkipped(str(missing)) from None
    return ", ".join(f"{name} {size // 1024} KiB of PTX" for name, size in sizes.items())
