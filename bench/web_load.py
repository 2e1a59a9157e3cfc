"""How fast the server answers: many people at many tables, each moving now and then, on one machine with the server.

    python bench/web_load.py --tables 200 --people 500 --seconds 60

Every table makes a move about every two seconds. Two times are taken for each move, both from the client's send: until the
answer that the move is stored, and until the mover has the view with the move in it. Views are received and parsed by every
client meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import resource
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import orjson
import results
import websockets
from web_server import Server


def plan(tables: int, people: int, game: str) -> list[int]:
    """How many people sit at each table: as even as can be, two to four."""
    sizes = [people // tables + (i < people % tables) for i in range(tables)]
    if not all(2 <= size <= 4 for size in sizes):
        raise SystemExit(f"{people} people at {tables} tables of {game}: a table takes two to four")
    return sizes


async def person(address: str, table: str, token: str, until: float, pause: float, found: dict[str, Any]) -> None:
    """One client: watch, think, move."""
    chance = random.Random(token)
    sent: dict[int, float] = {}  # by number of the move, those that are not stored yet
    shown: dict[int, float] = {}  # the same, those that no view has shown yet
    url = f"{address.replace('http', 'ws')}/api/tables/{table}/live?since=0"
    headers = {"Authorization": f"Bearer {token}"}
    async with websockets.connect(url, additional_headers=headers, compression=None, max_size=None, open_timeout=60) as socket:
        thinking: asyncio.Task[None] | None = None

        async def move(view: dict[str, Any]) -> None:
            await asyncio.sleep(chance.uniform(0.5, 1.5) * pause)
            choice = chance.choice(view["moves"])
            sent[view["number"]] = shown[view["number"]] = time.perf_counter()
            frame = {"type": "move", "number": view["number"], "code": choice["code"], "seat": view["viewer"]}
            await socket.send(orjson.dumps(frame).decode())

        moved = -1
        while time.time() < until:
            try:
                frame = orjson.loads(await asyncio.wait_for(socket.recv(), max(0.01, until - time.time())))
            except TimeoutError:
                break
            if frame["type"] == "view":
                found["views"] += 1
                for number in [number for number in shown if number < frame["number"]]:
                    found["shown"].append((time.time(), time.perf_counter() - shown.pop(number)))
                if frame["moves"] and frame["number"] > moved:
                    moved = frame["number"]
                    thinking = asyncio.create_task(move(frame))
            elif frame["type"] == "done":
                found["stored"].append((time.time(), time.perf_counter() - sent.pop(frame["number"])))
            else:
                found["refused"].append(frame)
        if thinking:
            thinking.cancel()


def clients(address: str, seated: list[tuple[str, str]], until: float, pause: float, answers: Any) -> None:
    """A process full of clients."""
    found: dict[str, Any] = {"stored": [], "shown": [], "refused": [], "views": 0, "lost": 0}

    async def all_of_them() -> None:
        people = [person(address, table, token, until, pause, found) for table, token in seated]
        ended = await asyncio.gather(*people, return_exceptions=True)
        found["lost"] = sum(isinstance(end, Exception) for end in ended)

    asyncio.run(all_of_them())
    answers.put(found)


def seat_everybody(address: str, sizes: list[int], game: str) -> list[tuple[str, str]]:
    """Set up the tables."""
    seated = []
    with httpx.Client(base_url=address, timeout=60) as http:
        for size in sizes:
            made = http.post("/api/tables", json={"game": game, "players": size, "ready": True}).raise_for_status().json()
            seated.append((made["id"], made["token"]))
            for _ in range(size - 1):
                sat = http.post(f"/api/tables/{made['id']}/seats", json={"ready": True}).raise_for_status().json()
                seated.append((made["id"], sat["token"]))
    return seated


def processor_seconds() -> tuple[float, float]:
    """Seconds for which the processors of this machine were busy, and those of them that our ended children used."""
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    ours = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (sum(fields[:3]) + sum(fields[5:8])) / os.sysconf("SC_CLK_TCK"), ours.ru_utime + ours.ru_stime


def share(sorted_values: list[float], part: float) -> float:
    """A quantile."""
    return sorted_values[min(len(sorted_values) - 1, int(part * len(sorted_values)))] if sorted_values else float("nan")


def main() -> None:
    """Run the benchmark and print its figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="mural")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm", type=float, default=15, help="seconds at the start that do not count")
    parser.add_argument("--pause", type=float, default=2, help="mean seconds between two moves of a table")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="write the part of bench/RESULTS.md on the web server")
    given = parser.parse_args()
    start, busy = time.monotonic(), processor_seconds()
    sizes = plan(given.tables, given.people, given.game)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder)).start()
        try:
            seated = seat_everybody(server.address, sizes, given.game)
            context = multiprocessing.get_context("spawn")
            answers = context.Queue()
            begin = time.time() + given.warm
            until = begin + given.seconds
            groups = [seated[i :: given.processes] for i in range(given.processes)]
            processes = [
                context.Process(target=clients, args=(server.address, group, until, given.pause, answers)) for group in groups
            ]
            for process in processes:
                process.start()
            found = [answers.get(timeout=given.warm + given.seconds + 60) for _ in processes]
            for process in processes:
                process.join(10)
        finally:
            server.kill(signal.SIGTERM)
    busy_after = processor_seconds()
    foreign = (busy_after[0] - busy[0]) - (busy_after[1] - busy[1])
    stored, shown = (
        sorted(1000 * latency for part in found for when, latency in part[what] if begin <= when <= until)
        for what in ("stored", "shown")
    )
    figures = {
        "tables": given.tables,
        "people": given.people,
        "game": given.game,
        "moves": len(stored),
        "moves_per_second": round(len(stored) / given.seconds, 1),
        "views_per_second": round(sum(part["views"] for part in found) / (given.seconds + given.warm), 1),
        "stored_p50_ms": round(share(stored, 0.5), 1),
        "stored_p99_ms": round(share(stored, 0.99), 1),
        "view_p50_ms": round(share(shown, 0.5), 1),
        "view_p99_ms": round(share(shown, 0.99), 1),
        "view_worst_ms": round(share(shown, 1), 1),
        "processors": os.cpu_count(),
        "processors_used_by_others": round(max(0.0, foreign) / (time.monotonic() - start), 2),
        "refused": sum(len(part["refused"]) for part in found),
        "lost_connections": sum(part["lost"] for part in found),
    }
    print(json.dumps(figures, indent=2))
    if given.write:
        results.write("web", results.web_part(figures, given.seconds))


if __name__ == "__main__":
    main()
