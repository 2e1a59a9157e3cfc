"""How long a bot's decision takes, and the first one of a server that was just installed: a part of bench/bots.py."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from web_server import Server

from perankh.bots import LEVELS, decide
from perankh.bots.play import play
from perankh.engine.game import get_game

SEARCHING = "pharaoh"


class Timed:
    """A level that decides as at the table: from the bytes of a veiled state. It is asked only where it has a choice."""

    def __init__(self, level: str, times: list[tuple[float, float]]) -> None:
        self.level, self.times = level, times

    def decide(self, game: Any, veiled: Any, p: int, seed: int) -> int:
        """The decision of the level."""
        record = game.State.unpack(veiled).to_bytes()
        began = time.perf_counter(), time.thread_time()
        action = decide(game.place, record, p, self.level, seed)
        self.times.append((time.perf_counter() - began[0], time.thread_time() - began[1]))
        return action


def decisions(games: list[str], players: list[int], decided: int = 2000) -> list[dict[str, Any]]:
    """Of every level that does not search: how long its decisions take, over matches among bots of its kind."""
    found = []
    for name in games:
        game = get_game(name)
        for n in players:
            times: list[tuple[float, float]] = []  # by the clock, and of the processor
            deal = 0
            while len(times) < decided:
                for level in LEVELS:
                    if level != SEARCHING:
                        play(game, n, {}, deal, [Timed(level, times)] * n, deal)
                deal += 1
            (median, _), (p99, p99_processor), (most, _) = np.percentile(times, (50, 99, 100), axis=0).tolist()
            figures = {"median": median, "p99": p99, "p99_processor": p99_processor, "most": most}
            row = {"game": name, "players": n, "decisions": len(times)}
            found.append(row | {f"{figure}_ms": round(1000 * seconds, 2) for figure, seconds in figures.items()})
    return found


def first_moves(games: list[str], rounds: int = 3) -> list[dict[str, Any]]:
    """Of a server with nothing compiled: the seconds from the start of a match to the first move of a bot."""
    found = []
    for name in games:
        times = []
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as folder:
                times.append(first_move(name, Path(folder)))
        found.append({"game": name, "median_s": round(statistics.median(times), 2), "most_s": round(max(times), 2)})
    return found


def first_move(name: str, folder: Path) -> float:
    """The seconds until the first move of a bot at a server that has just started, with an empty folder of compiled code."""
    before = os.environ.get("PERANKH_CACHE")
    os.environ["PERANKH_CACHE"] = str(folder / "compiled")
    server = Server(folder / "data")
    try:
        server.start()
        with httpx.Client(base_url=server.address, timeout=60) as client:
            seats = [{"kind": "me"}, {"kind": "bot", "bot": "scribe"}]
            wanted = {"game": name, "players": 2, "seats": seats, "ready": True, "seed": 1}
            began = time.perf_counter()
            made = client.post("/api/tables", json=wanted).raise_for_status().json()
            client.headers["Authorization"] = f"Bearer {made['token']}"
            return wait_for_bot(client, f"/api/tables/{made['id']}", began)
    finally:
        server.kill()
        if before is None:
            del os.environ["PERANKH_CACHE"]
        else:
            os.environ["PERANKH_CACHE"] = before


def wait_for_bot(client: httpx.Client, table: str, began: float) -> float:
    """Make moves until it is the bot's turn; the seconds until the bot has made one."""
    number = 0
    while True:
        view = client.get(table).raise_for_status().json()
        if any(line["seat"] == 1 and line["n"] for line in view["log"]):
            return time.perf_counter() - began
        if view["moves"] and view["number"] >= number:
            began = time.perf_counter()
            code = view["moves"][0]["code"]
            client.post(f"{table}/moves", json={"number": view["number"], "code": code}).raise_for_status()
            number = view["number"] + 1
        else:
            time.sleep(0.01)
