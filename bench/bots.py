"""How strong and how fast the bots are: each level against the one below, against random play, and against OpenSpiel's search.

python bench/bots.py --write                   everything, into RESULTS.md
python bench/bots.py --part strength --minutes 60 --json strength.json
python bench/bots.py --exploiter FOLDER        the report of `perankh train GAME --against NETWORK --out FOLDER`
python bench/bots.py --join bench/bots.json --join strength.json --json bench/bots.json --write

bots.json keeps the figures of RESULTS.md: join it to add to them. Duels are added up; of other parts the file named last counts.
On a machine with 16 cores each of these lines ends within ten minutes, the time for compiling included:

--part strength --players 2 --duels seer-search-20000 pharaoh-search-20000 --first 600 --minutes 8
--part strength --players 4 --duels seer-search-20000 pharaoh-search-20000 --first 600 --minutes 8
--part strength --duels vizier-random pharaoh-random --games maqha --deals 300 --minutes 5
--part strength --duels scribe-steady --games egizia --deals 200 --minutes 3
--part openspiel --deals 40 --seconds 0.05
--part latency --part first

`steady` is a plain player of Egizia, which exists here only (steady.py).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from bots_latency import decisions, first_moves
from bots_openspiel import CONNECT_FOUR, connect_four, imhotep
from results import bots_part, machine, mean, write
from steady import Steady
from tqdm import tqdm

from perankh.bots import BOTS, LEVELS, Bot, Budget, GuidedBot, Level, SearchBot, searcher_of
from perankh.bots.ismcts import share_beaten
from perankh.bots.network import FILE, load_network
from perankh.bots.play import play
from perankh.engine.game import game_names, get_game
from perankh.workers import WorkerPool

PARTS = ("strength", "speed", "openspiel", "latency", "first", "training")
PLAYERS = {**BOTS, "steady": Steady()}
Duel = tuple[str, int, str, str]  # game, players, bot, and the bot on all other seats


# --- Strength -------------------------------------------------------------------------------------------------------------


PAIRS = [("vizier", "random"), ("vizier", "scribe"), *((b, a) for a, b in pairwise(["random", *LEVELS]))]


def duels(games: list[str], players: list[int], pairs: list[tuple[str, str]] = PAIRS) -> list[Duel]:
    """Who meets whom: the top against random play and greedy, and each level against the one below."""
    return [(name, n, a, b) for name in games for n in players if n in get_game(name).players for a, b in pairs]


def undisturbed(bot: Bot) -> Bot:
    """A bot on one thread that other work on the machine does not weaken: it runs all its iterations.

    The guided search has its seconds in processor time.
    """
    if isinstance(bot, Level) and isinstance(bot.bot, SearchBot):
        return replace(bot, bot=replace(bot.bot, seconds=3600.0, threads=1))
    if isinstance(bot, Level) and isinstance(bot.bot, GuidedBot):
        return replace(bot, bot=replace(bot.bot, clock=time.thread_time))
    return bot


def prepare(name: str) -> None:
    """Have a game compiled and kept on disk."""
    game = get_game(name)
    searcher_of(game).warm()
    play(game, game.players[0], {}, 0, [BOTS["random"]] * game.players[0], 0)


def play_match(duel: Duel, deal: int, seat: int) -> tuple[Duel, int, float, float]:
    """One match with the first bot on one seat: its share of the win, and of how many of the others it was ahead."""
    name, players, a, b = duel
    seats = [undisturbed(PLAYERS[b])] * players
    seats[seat] = undisturbed(PLAYERS[a])
    ranks = play(get_game(name), players, {}, deal, seats, deal * players + seat).ranks
    return duel, deal, (ranks[seat] == 1) / ranks.count(1), share_beaten(ranks, players, seat)


def strength(listed: list[Duel], deals: range, minutes: float, workers: int) -> list[dict[str, Any]]:
    """Play deal after deal, all duels in turn and each from every seat, until there are enough or the time is up."""
    waiting: Iterator[tuple[Duel, int, int]] = (
        (duel, deal, seat) for deal in deals for duel in listed for seat in range(duel[1])
    )
    played: dict[tuple[Duel, int], list[tuple[float, float]]] = {}
    end = time.monotonic() + 60 * minutes
    with (
        WorkerPool(workers) as pool,  # leaving it stops matches that come too late
        tqdm(total=len(deals) * sum(duel[1] for duel in listed), unit=" matches", disable=None) as bar,
    ):
        wait([pool.submit(prepare, name) for name in sorted({duel[0] for duel in listed})])
        running: set[Future[Any]] = {pool.submit(play_match, *job) for job in islice(waiting, workers)}
        while running and (left := end - time.monotonic()) > 0:
            done, running = wait(running, left, return_when=FIRST_COMPLETED)
            for job in done:
                duel, deal, won, ahead = job.result()
                played.setdefault((duel, deal), []).append((won, ahead))
                bar.update()
            running |= {pool.submit(play_match, *job) for job in islice(waiting, len(done))}
    return [row for duel in listed if (row := summary(duel, played))["won"]]


def summary(duel: Duel, played: dict[tuple[Duel, int], list[tuple[float, float]]]) -> dict[str, Any]:
    """What came of a duel, deal by deal, over the deals that were played from every seat."""
    name, players, a, b = duel
    whole = [seats for (other, _), seats in played.items() if other == duel and len(seats) == players]
    won, ahead = ([mean([share[k] for share in seats]) for seats in whole] for k in (0, 1))
    return {"game": name, "players": players, "bot": a, "against": b, "won": won, "ahead": ahead}


def joined(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Duels of several runs, each over other deals, as one list."""
    found: dict[Duel, dict[str, Any]] = {}
    for row in rows:
        duel = row["game"], row["players"], row["bot"], row["against"]
        kept = found.setdefault(duel, row | {"won": [], "ahead": []})
        kept["won"] += row["won"]
        kept["ahead"] += row["ahead"]
    order = {duel: place for place, duel in enumerate(duels(game_names(), [2, 4]))}
    return sorted(
        found.values(), key=lambda row: order.get((row["game"], row["players"], row["bot"], row["against"]), len(order))
    )


# --- Speed ----------------------------------------------------------------------------------------------------------------


def speed(games: list[str], seconds: float = 3.0) -> list[dict[str, Any]]:
    """Iterations a second of a search from the deal, on one and two threads."""
    found = []
    for name in games:
        game = get_game(name)
        for players in sorted({game.players[0], game.players[-1]}):
            state = game.new_state(players, 1)
            p = game.actors(state)[0]
            searcher_of(game).search(state, p, 1, Budget(iterations=1))
            row: dict[str, Any] = {"game": game.name, "players": players}
            for threads in (1, 2):
                began = time.perf_counter()
                iterations = (
                    searcher_of(game).search(state, p, 1, Budget(iterations=10**8, seconds=seconds, threads=threads)).iterations
                )
                row[f"threads_{threads}"] = round(iterations / (time.perf_counter() - began))
            found.append(row)
    return found


# --- Training -------------------------------------------------------------------------------------------------------------


def trainings(games: list[str]) -> list[dict[str, Any]]:
    """What the networks of the package cost, as their files say, and how large all files of a game are."""
    found = []
    for name in games:
        game = get_game(name)
        costs = {path.name: load_network(path).facts["training"] for path in game.folder.glob("*.npz")}
        earlier = sorted(cost["seconds"] for file, cost in costs.items() if file != FILE)
        size = sum((game.folder / file).stat().st_size for file in costs)
        found.append({"game": name, "earlier": earlier, "bytes": size} | costs[FILE])
    return found


# --- Exploiters -----------------------------------------------------------------------------------------------------------


def exploiter(folder: Path) -> dict[str, Any]:
    """What a network came to that was trained against another, from the report of its training."""
    training = json.loads((folder / "training.json").read_text("utf-8"))
    beaten = {name: share for name, share in training["curve"][-1].items() if name.startswith("against the rival")}
    if not beaten:
        raise SystemExit(f"{folder}: this was no training against another network")
    shares = {int(name.split(", ")[1].split()[0]): round(share, 4) for name, share in beaten.items()}
    facts = {name: training[name] for name in ("game", "device", "seconds", "steps", "seed")}
    return facts | {"games": training["settings"]["evaluated"], "players": list(shares), "ahead": list(shares.values())}


# --- All of it ------------------------------------------------------------------------------------------------------------


def main() -> None:
    """Measure what was asked for; write it down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; repeat it")
    parser.add_argument("--games", nargs="*", default=game_names())
    parser.add_argument("--players", type=int, nargs="*", default=[2, 4])
    parser.add_argument("--duels", nargs="*", metavar="A-B", help="only these duels, of any two bots")
    parser.add_argument("--deals", type=int, default=50, help="deals of each duel, each played from every seat")
    parser.add_argument("--first", type=int, default=0, help="the first deal, to add to an earlier run")
    parser.add_argument("--minutes", type=float, default=600.0, help="time for the duels and compiling; what is late is left out")
    parser.add_argument(
        "--seconds", type=float, default=0.1, help="thinking time of a move against OpenSpiel, in Imhotep four times that"
    )
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--join", type=Path, action="append", default=[], help="figures measured before; repeat it")
    parser.add_argument("--exploiter", type=Path, nargs="*", default=[], metavar="FOLDER", help="of trainings against a network")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md")
    chosen = parser.parse_args()
    figures: dict[str, Any] = {}
    for path in chosen.join:
        for part, found in json.loads(path.read_text("utf-8")).items():
            if part == "strength" and part in figures:
                figures[part] = {name: figures[part][name] + found[name] for name in ("runs", "figures")}
            else:
                figures[part] = found
    if chosen.exploiter:
        figures["exploiter"] = {"figures": [exploiter(folder) for folder in chosen.exploiter]}
    for part in PARTS if not (chosen.part or chosen.join or chosen.exploiter) else chosen.part or ():
        measured: Any
        if part == "strength":
            deals = range(chosen.first, chosen.first + chosen.deals)
            pairs = [(a, b) for a, _, b in (duel.partition("-") for duel in chosen.duels)] if chosen.duels else PAIRS
            measured = strength(duels(chosen.games, chosen.players, pairs), deals, chosen.minutes, chosen.workers)
        elif part == "speed":
            measured = speed([*chosen.games, CONNECT_FOUR])
        elif part == "openspiel":
            measured = [connect_four(kind, chosen.deals, chosen.seconds) for kind in ("C++", "Python")]
            measured.append(imhotep(max(1, chosen.deals // 4), 4 * chosen.seconds))
        elif part == "latency":
            measured = decisions(chosen.games, chosen.players)
        elif part == "training":
            measured = trainings(chosen.games)
        else:
            measured = first_moves(chosen.games)
        figures[part] = {"runs": [machine(("numba", "numpy", "open_spiel"))], "figures": measured}
    if "strength" in figures:
        figures["strength"]["figures"] = joined(figures["strength"]["figures"])
    if chosen.json:
        chosen.json.write_text(json.dumps(figures) + "\n", "utf-8")
    if chosen.write:
        write("bots", bots_part(figures))
    else:
        print(bots_part(figures))


if __name__ == "__main__":
    main()
