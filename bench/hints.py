"""Are hints as sure as they say? Compares the named gain of hints with that of searches with 20 times the iterations.

    python bench/hints.py mural imhotep --log hints.jsonl --minutes 10     # again to go on where it ended
    python bench/hints.py --log hints.jsonl --write                        # what the log has, into RESULTS.md

In positions of bot matches the best move is compared with the next best: its gain in the chance of winning and in points, each
with its error. The same search with 20 times the iterations then follows both moves. A hint holds if the deeper gain is within
its error. Every position is a line of the log.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import results

from perankh.bots.hints import FOLLOWED, Ranking, full_hint, gain_of
from perankh.bots.searcher import Budget, searcher_of
from perankh.engine.game import Game, get_game
from perankh.engine.state import Record

DEEPER = 20
PLAYED = 200  # iterations for a move of the matches that positions come from
OF_A_MATCH = 6  # positions at most
GOAL = 0.95


def positions(game: Game, first: int) -> Iterator[tuple[int, Record, int]]:
    """Decisions of matches of quick searches, without end: the match's seed, what the seat sees, and the seat."""
    for seed in count(first):
        chance = random.Random(f"hints {game.name} {seed}")
        state = game.new_state(chance.choice([n for n in game.players if n < 4]), chance.getrandbits(64), dict(game.box.options))
        found = []
        while acting := game.actors(state):
            p = chance.choice(acting)
            legal = game.legal(state, p)
            action = legal[0]
            if len(legal) > 1:
                veiled = game.veiled(state, p)
                found.append((seed, veiled, p))
                action = searcher_of(game).search(veiled, p, chance.getrandbits(32), Budget(PLAYED)).best
            game.apply(state, p, action)
        yield from chance.sample(found, min(OF_A_MATCH, len(found)))


def compared(game: Game, seed: int, veiled: Record, p: int, iterations: int) -> dict[str, Any] | None:
    """The gain that a hint names and that of the deeper search; None if there is no next best."""
    hint = full_hint(game, veiled, p, seed, iterations, seconds=1e9)
    if hint.gain is None:
        return None
    each = DEEPER * iterations // 2 // min(FOLLOWED, len(hint.choices))
    deeper = Ranking(game, searcher_of(game), veiled, p, seed + 9_000)
    one, two = (deeper.follow(choice.action, each, 1e9) for choice in hint.choices[:2])
    gain, deep = hint.gain, gain_of(one, two, p)
    row: dict[str, Any] = {"game": game.name, "seed": seed, "iterations": iterations, "clear": gain.clear}
    for name, named, found in (("chance", gain.chance, deep.chance), ("points", gain.lead, deep.lead)):
        row[name] = [round(named.value, 5), round(named.error, 5), round(found.value, 5)]
    return row


def run(place: str, log: Path, wanted: int, iterations: int, first: int, ends: float) -> None:
    """Go on with a game until the log has as many positions with a gain as wanted, or the time is over."""
    game = get_game(place)
    searcher_of(game).warm()
    known = [row for row in read(log) if row["game"] == game.name]
    left = wanted - sum(row["clear"] is not None for row in known)
    for number, (seed, veiled, p) in enumerate(positions(game, first)):
        if left <= 0 or time.monotonic() > ends:
            return
        if number < len(known):
            continue  # is in the log
        row = compared(game, seed, veiled, p, iterations)
        left -= row is not None
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row or {"game": game.name, "seed": seed, "iterations": iterations, "clear": None}) + "\n")


def read(log: Path) -> list[dict[str, Any]]:
    """The positions of a log."""
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.is_file() else []


def holds(figures: list[float]) -> bool:
    """Is the deeper gain within the error of the one that was named?"""
    value, error, deeper = figures
    return abs(value - deeper) <= error


def part(rows: list[dict[str, Any]]) -> str:
    """The chapter of RESULTS.md."""
    lines = []
    for game in dict.fromkeys(row["game"] for row in rows):
        own = [row for row in rows if row["game"] == game and row["clear"] is not None]
        chance, points = ([row[name] for row in own] for name in ("chance", "points"))
        clear = [row["chance"] for row in own if row["clear"]]
        lines.append(
            (
                game,
                str(len(own)),
                f"{statistics.fmean(map(holds, chance)):.1%}",
                f"{statistics.fmean(map(holds, points)):.1%}",
                f"{statistics.median(error for _, error, _ in chance):.3f}",
                f"{sum(deeper > 0 for _, _, deeper in clear)} of {len(clear)}",
            )
        )
    head = ("game", "positions", "gain in chances", "gain in points", "median error of chances", "called clear, and still better")
    iterations = ", ".join(f"{number:,}" for number in sorted({row["iterations"] for row in rows}))
    return (
        f"## Hints\n\n{results.described(results.machine(('perankh', 'numba', 'numpy')))}\n\nHow often the gain that a hint "
        f"names, of its best move against the next best, is within its error of the gain that a search with {DEEPER} times the "
        f"iterations finds; {iterations} iterations a hint, matches of two and three players with the usual options. "
        f"The goal is {GOAL:.0%}.\n\n"
        f"{results.table(head, *lines)}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare the gains that hints name with those of deeper searches.")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--iterations", type=int, default=4_000)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first match")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--write", action="store_true", help="into RESULTS.md")
    given = parser.parse_args()
    until = time.monotonic() + 60 * given.minutes
    for name in given.games:
        run(name, given.log, given.positions, given.iterations, given.first, until)
    text = part(read(given.log))
    print(text)
    if given.write:
        results.write("hints", text)
