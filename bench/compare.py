"""Native speed of every game beside another checkout of this project, in turns on one core, by processor time: prints ratios.

python bench/compare.py ../other-checkout
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import results
from run import CONNECT_FOUR, HERE, Worker

from perankh.engine.game import game_names, get_game


def main() -> int:
    """Measure in turns and print; the exit status is 1 if a game has become slower beyond the noise of the machine."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("other", type=Path, help="the other checkout")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.4, help="a stint of each")
    asked = parser.parse_args()
    slower = 0
    games = [*(get_game(name) for name in game_names() if name != "connect_four"), get_game(CONNECT_FOUR)]
    for name, players in [(game.name, players) for game in games for players in game.players]:
        workers = []
        for tree in (asked.other.resolve(), HERE.parent):
            game = str(tree / Path(CONNECT_FOUR).relative_to(HERE.parent)) if name == "connect_four" else name
            workers.append(Worker(0, "native", f"{players} {game}", tree))
        for worker in workers:
            if why := worker.ready():
                raise SystemExit(f"{name}: {why}")
        rates: list[list[float]] = [[], []]
        for _ in range(asked.rounds):
            for worker, measured in zip(workers, rates, strict=True):
                measured.append(worker.stint(asked.seconds))
        for worker in workers:
            worker.close()
        ratio = results.spread([new / old for old, new in zip(*rates, strict=True)])
        old, new = (results.rates(results.spread(measured)) for measured in rates)
        print(f"{name:14}{players} {old:>28} -> {new:>28}   {results.times(ratio)}", flush=True)
        slower += ratio["high"] < 1
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
