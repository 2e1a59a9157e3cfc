"""How much somebody who wants a lot slows somebody else: measured against a real server, alone and under attack.

    python bench/web_fairness.py                     # 200 tables of four viziers, 60 looks into a long match, 70 analyses
    python bench/web_fairness.py --tables 30 --moves 10

The attackers come from another address (127.0.0.2) than the one who is measured. Printed as JSON: seconds of a bot's answer,
milliseconds of the list of own tables, and analysed decisions of the one who is measured and of the others.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from web_server import Server
from websockets.asyncio.client import connect

from perankh.match import Match
from perankh.match.file import text_of

ATTACKER = "127.0.0.2"
VICTIM_GAME, VICTIM_BOT = "mural", "scribe"


class Visitor:
    """Somebody with a token of their own and an address."""

    def __init__(self, server: Server, address: str = "127.0.0.1") -> None:
        self.address = address
        self.http = httpx.Client(
            base_url=server.address, timeout=120, transport=httpx.HTTPTransport(local_address=address, retries=1)
        )
        self.live_address = server.address.replace("http", "ws")

    def ask(self, method: str, path: str, body: Any = None, **settings: Any) -> Any:
        """The answer to a request that has to succeed."""
        answer = self.http.request(method, path, json=body, **settings).raise_for_status().json()
        if isinstance(answer, dict) and "token" in answer:
            self.http.headers["Authorization"] = f"Bearer {answer['token']}"
        return answer

    def table(self, game: str, seats: list[dict[str, Any]]) -> str:
        """A new table."""
        return str(self.ask("POST", "/api/tables", {"game": game, "players": len(seats), "seats": seats, "ready": True})["id"])

    def upload(self, match: Match) -> str:
        """A table that shows a match."""
        return str(self.ask("POST", "/api/replays", content=text_of(match).encode())["id"])


def bot_answers(visitor: Visitor, moves: int) -> list[float]:
    """Play against one bot: the seconds from each own move until it is one's turn again."""
    chance, took = random.Random(1), []
    while len(took) < moves:
        table = visitor.table(VICTIM_GAME, [{"kind": "me"}, {"kind": "bot", "bot": VICTIM_BOT}])
        view = whole_turn(visitor, table, 0)
        while len(took) < moves and view["moves"]:
            code = chance.choice(view["moves"])["code"]
            begin = time.perf_counter()
            visitor.ask("POST", f"/api/tables/{table}/moves", {"number": view["number"], "code": code})
            before, view = view["number"], whole_turn(visitor, table, view["number"] + 1)
            if view["number"] > before + 1:  # the bot has moved
                took.append(time.perf_counter() - begin)
    return took


def whole_turn(visitor: Visitor, table: str, number: int) -> Any:
    """The view once it is the visitor's turn again, or the match is over."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        view = visitor.ask("GET", f"/api/tables/{table}", params={"since": number})
        if view["moves"] or view["status"] == "over":
            return view
        time.sleep(0.01)
    raise TimeoutError("the bots do not answer")


@contextmanager
def watched_tables(server: Server, count: int, game: str, bot: str, players: int) -> Iterator[list[str]]:
    """Tables of bots alone, each made by a token of its own and watched over a live connection."""
    seats = [{"kind": "bot", "bot": bot}] * players
    tables = [Visitor(server, ATTACKER).table(game, seats) for _ in range(count)]
    address = server.address.replace("http", "ws")
    stop = threading.Event()

    async def watch(table: str) -> None:
        url = f"{address}/api/tables/{table}/live?since=0"
        async with connect(url, local_addr=(ATTACKER, 0), max_size=None, open_timeout=60) as socket:
            async for _ in socket:
                pass

    async def watch_all() -> None:
        watching = [asyncio.create_task(watch(table)) for table in tables]
        while not stop.is_set():
            await asyncio.sleep(0.1)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)

    thread = threading.Thread(target=asyncio.run, args=(watch_all(),))
    thread.start()
    try:
        yield tables
    finally:
        stop.set()
        thread.join()


def bots_under_attack(server: Server, tables: int, moves: int) -> dict[str, Any]:
    """A bot's answers, alone and while others have many strong bots at work."""
    visitor = Visitor(server)
    bot_answers(visitor, 5)  # what is compiled is loaded
    alone = bot_answers(visitor, moves)
    with watched_tables(server, tables, "egizia", "vizier", 4):
        time.sleep(10)
        attacked = bot_answers(visitor, moves)
    figures = {"tables": tables, "alone": seconds(alone), "attacked": seconds(attacked)}
    return figures | {"times_slower": round(statistics.median(attacked) / statistics.median(alone), 2)}


def seconds(took: list[float]) -> dict[str, float]:
    """The median and the longest of some times."""
    return {"median": round(statistics.median(took), 3), "longest": round(max(took), 3)}


def long_match(moves: int) -> Match:
    """A match of Cleocatra that was stopped after so many moves."""
    match, chance = Match("cleocatra", 4, 1, {"end_score": 1000}), random.Random(1)
    while match.number < moves and not match.over:
        match.play(chance.choice(match.moves()))
    return match


def reads_under_attack(server: Server, looks: int, moves: int) -> dict[str, Any]:
    """The list of own tables, alone and while others look back into a long match."""
    visitor, attacker = Visitor(server), Visitor(server, ATTACKER)
    visitor.table("mural", [{"kind": "me"}, {"kind": "open"}])
    table = attacker.upload(long_match(moves))

    def own_tables(times: int) -> list[float]:
        took = []
        for _ in range(times):
            begin = time.perf_counter()
            visitor.ask("GET", "/api/tables")
            took.append(1000 * (time.perf_counter() - begin))
        return took

    def look(number: int) -> int:
        other = Visitor(server, ATTACKER)
        viewer = {"at": number * moves // looks, "viewer": number % 4, "lang": "ja" if number % 2 else "en"}
        return other.http.get(f"/api/tables/{table}", params=viewer).status_code

    alone = own_tables(20)
    with ThreadPoolExecutor(looks) as threads:
        looking = [threads.submit(look, number) for number in range(looks)]
        time.sleep(0.5)
        attacked = own_tables(20)
        still = sum(not done.done() for done in looking)
        statuses = [done.result() for done in looking]
    return {
        "looks": {str(status): statuses.count(status) for status in sorted(set(statuses))},
        "looks_still_waiting": still,
        "own_tables_alone_ms": seconds(alone),
        "own_tables_attacked_ms": seconds(attacked),
    }


def analyses_under_attack(server: Server, others: int, duration: float) -> dict[str, Any]:
    """Decisions analysed in some time, for the one who is measured and for others who ask for many analyses."""
    visitor, attacker = Visitor(server), Visitor(server, ATTACKER)
    match, chance = Match("mural", 2, 1), random.Random(1)
    while not match.over:
        match.play(chance.choice(match.moves()))
    mine, theirs = visitor.upload(match), [attacker.upload(match) for _ in range(others)]
    found: dict[str, int] = {}
    refused = 0
    end = time.monotonic() + duration
    while time.monotonic() < end:
        for table in theirs:
            answer = attacker.http.get(f"/api/tables/{table}/analysis", params={"since": 10_000})
            refused += answer.status_code == 429
            if answer.status_code == 200:
                found[table] = answer.json()["done"]
        found[mine] = visitor.ask("GET", f"/api/tables/{mine}/analysis", params={"since": 10_000})["done"]
        time.sleep(0.5)
    return {
        "analyses": others,
        "own_decisions": found.pop(mine),
        "others_decisions": sum(found.values()),
        "others_refused": refused > 0,
    }


def main() -> None:
    """Run the three attacks and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--pause", type=float, default=0.9, help="seconds for which bots seem to think")
    parser.add_argument("--looks", type=int, default=60)
    parser.add_argument("--match", type=int, default=4900, help="moves of the long match")
    parser.add_argument("--analyses", type=int, default=70)
    parser.add_argument("--seconds", type=float, default=30, help="how long analyses are asked for")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), bot_pause=given.pause).start()
        try:
            print(json.dumps({"reads": reads_under_attack(server, given.looks, given.match)}), flush=True)
            print(json.dumps({"analyses": analyses_under_attack(server, given.analyses, given.seconds)}), flush=True)
            print(json.dumps({"bots": bots_under_attack(server, given.tables, given.moves)}), flush=True)
        finally:
            server.kill(signal.SIGTERM)


if __name__ == "__main__":
    main()
