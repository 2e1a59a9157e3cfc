"""Client programs play many matches against a server that is killed again and again; nothing answered may be lost.

    python bench/web_soak.py --clients 50 --matches 1000 --kills 20

At random moments while moves are being made, the server is killed with SIGKILL and started again on the same data, or one of
its worker processes is killed. A client whose connection breaks connects anew and sends the move that was not answered once
more, under the same number. At the end every match must be over, every answered move must stand in its match file under its
number, and there must be no others.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import hashlib
import json
import os
import queue
import random
import secrets
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import websockets
from web_server import ROOT, Server

from perankh.errors import BadFile
from perankh.match.file import parse
from perankh.workers import CONTEXT

LONGEST_WAIT = 300.0  # seconds without any progress after which a client gives up
BROKEN = (OSError, TimeoutError, websockets.WebSocketException)


class Client:
    """A program that plays one seat of one table after the other."""

    def __init__(self, address: str, name: str) -> None:
        self.address = address
        self.luck = random.Random(name)
        self.http = httpx.AsyncClient(base_url=address, timeout=20)
        self.answered: list[tuple[str, int, int, str]] = []  # table, number, seat, code
        self.resent = self.reconnects = 0

    async def ask(self, path: str, body: dict[str, Any], token: str | None) -> dict[str, Any]:
        """A request that is repeated until the server answers."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        while True:
            try:
                answer = await self.http.post(path, json=body, headers=headers)
                found: dict[str, Any] = answer.raise_for_status().json()
                return found
            except httpx.TransportError:
                await asyncio.sleep(0.1)

    async def play(self, table: str, token: str) -> None:
        """Play a seat to the end of the match, whatever happens to the server."""
        url = f"{self.address.replace('http', 'ws')}/api/tables/{table}/live?since=0"
        headers = {"Authorization": f"Bearer {token}"}
        pending: dict[str, Any] | None = None
        progress = time.monotonic()
        while True:
            if time.monotonic() - progress > LONGEST_WAIT:
                raise RuntimeError(f"table {table}: no progress for {LONGEST_WAIT} seconds")
            try:
                async with websockets.connect(url, additional_headers=headers, compression=None, max_size=None) as socket:
                    if pending:
                        self.resent += 1
                        await socket.send(json.dumps(pending))
                    while True:
                        frame = json.loads(await asyncio.wait_for(socket.recv(), 30))
                        progress = time.monotonic()
                        if frame["type"] == "done":
                            assert pending
                            self.answered.append((table, pending["number"], pending["seat"], pending["code"]))
                            pending = None
                        elif frame["type"] != "view":
                            raise RuntimeError(f"table {table}: {frame}")
                        elif frame["status"] == "over" and pending is None:
                            return
                        elif frame["moves"] and pending is None and frame["number"] == frame["at"]:
                            if self.answered and self.answered[-1][0] == table and self.answered[-1][1] >= frame["number"]:
                                continue  # a view from before the last answer
                            code = self.luck.choice(frame["moves"])["code"]
                            pending = {"type": "move", "number": frame["number"], "seat": frame["viewer"], "code": code}
                            await socket.send(json.dumps(pending))
            except BROKEN:
                self.reconnects += 1
                await asyncio.sleep(0.05 + 0.1 * self.luck.random())


async def pair(address: str, name: str, games: list[str], done: Any) -> dict[str, Any]:
    """Two clients play a series of matches against each other."""
    first, second = Client(address, f"{name} first"), Client(address, f"{name} second")
    tables = []
    for game in games:
        made = await first.ask("/api/tables", {"game": game, "players": 2, "ready": True}, None)
        # A token of the client's own making: sitting down can then be repeated like a move.
        token = base64.urlsafe_b64encode(hashlib.sha256(f"{name} {len(tables)}".encode()).digest()).decode().rstrip("=")
        await second.ask(f"/api/tables/{made['id']}/seats", {"seat": 1, "contribution": secrets.token_hex(32)}, token)
        await asyncio.gather(first.play(made["id"], made["token"]), second.play(made["id"], token))
        tables.append(made["id"])
        with done.get_lock():
            done.value += 1
    await asyncio.gather(first.http.aclose(), second.http.aclose())
    return {
        "tables": tables,
        "answered": first.answered + second.answered,
        "resent": first.resent + second.resent,
        "reconnects": first.reconnects + second.reconnects,
    }


def clients(address: str, pairs: list[tuple[str, list[str]]], done: Any, answers: Any, play: Any = pair) -> None:
    """A process full of pairs of clients, each of which plays a series."""

    async def all_of_them() -> list[dict[str, Any]]:
        return await asyncio.gather(*(play(address, name, games, done) for name, games in pairs))

    try:
        answers.put(asyncio.run(all_of_them()))
    except Exception as error:
        answers.put(f"{type(error).__name__}: {error}")


def check(server: Server, found: list[dict[str, Any]]) -> dict[str, int]:
    """Compare what was answered with what is stored; counts of everything that is wrong."""
    wrong = {"not_over": 0, "missing": 0, "doubled": 0, "unknown": 0, "not_verified": 0}
    moves = 0
    with httpx.Client(base_url=server.address, timeout=60) as http:
        for part in found:
            answered: dict[str, dict[int, tuple[int, str]]] = {table: {} for table in part["tables"]}
            for table, number, seat, code in part["answered"]:
                wrong["doubled"] += number in answered[table]
                answered[table][number] = (seat, code)
            for table in part["tables"]:
                text = http.get(f"/api/tables/{table}/file").text
                if "\nending: " not in text:
                    wrong["not_over"] += 1
                    continue
                wrong["not_verified"] += not fits(text)
                stored = moves_in(text)
                moves += len(stored)
                wrong["missing"] += sum(stored[n : n + 1] != [move] for n, move in answered[table].items())
                wrong["unknown"] += len(stored) - len(answered[table])
    return wrong | {"moves": moves}


def fits(text: str) -> bool:
    """Do deal, moves and result of a match file fit together?"""
    folder = ROOT / "examples" / "connect_four"
    try:
        parse(text, None, folder if "\ngame: connect_four\n" in text else None)
    except BadFile:
        return False
    return True


def kill_one(server: Server, victim: str, luck: random.Random) -> str:
    """Kill the server, which is started again, or one of its worker processes, which it replaces itself."""
    workers = server.workers() if victim == "worker" else []
    if workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(luck.choice(workers), signal.SIGKILL)
        return "worker"
    server.kill()
    server.start()
    return "server"


def moves_in(text: str) -> list[tuple[int, str]]:
    """The moves of a match file."""
    found = []
    for line in text.splitlines():
        seat, colon, codes = line.partition(": ")
        if colon and seat.isdigit():
            found += [(int(seat), code) for code in codes.split()]
    return found


def main() -> int:
    """Run the soak and print its figures as JSON; the status is 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="of the moments and victims of the kills")
    parser.add_argument("--games", default="connect_four,connect_four,connect_four,connect_four,mural")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=30, help="give up after so long")
    given = parser.parse_args()
    names = given.games.split(",")
    couples = max(1, given.clients // 2)
    series = [(f"pair {i}", [names[n % len(names)] for n in range(i, given.matches, couples)]) for i in range(couples)]
    luck = random.Random(given.seed)
    moments = sorted(luck.uniform(0.02, 0.95) * given.matches for _ in range(given.kills))  # in matches done
    victims = [("server", "worker")[n % 2] for n in range(given.kills)]
    luck.shuffle(victims)
    begin, kills = time.monotonic(), {"server": 0, "worker": 0}
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder)).start()
        try:
            answers, done = CONTEXT.Queue(), CONTEXT.Value("i", 0)
            groups = [series[i :: given.processes] for i in range(given.processes)]
            processes = [
                CONTEXT.Process(target=clients, args=(server.address, group, done, answers)) for group in groups if group
            ]
            for process in processes:
                process.start()
            found: list[dict[str, Any]] = []
            waited_for = len(processes)
            while moments or waited_for:
                try:
                    part = answers.get(timeout=0.05)
                except queue.Empty:
                    if time.monotonic() - begin > 60 * given.minutes:
                        raise
                else:
                    if isinstance(part, str):
                        raise SystemExit(part)
                    found += part
                    waited_for -= 1
                if moments and done.value >= moments[0]:
                    time.sleep(0.3 * luck.random())
                    moments.pop(0)
                    kills[kill_one(server, victims.pop(), luck)] += 1
            for process in processes:
                process.join(10)
            server.kill()
            server.start()  # what is checked is what a fresh server finds
            wrong = check(server, found)
        finally:
            server.kill()
    figures = {
        "clients": 2 * couples,
        "matches": sum(len(part["tables"]) for part in found),
        "kills": sum(kills.values()),
        "server_kills": kills["server"],
        "worker_kills": kills["worker"],
        "seconds": round(time.monotonic() - begin, 1),
        "answered_moves": sum(len(part["answered"]) for part in found),
        "resent_moves": sum(part["resent"] for part in found),
        "reconnects": sum(part["reconnects"] for part in found),
        "stored_moves": wrong.pop("moves"),
        **wrong,
    }
    print(json.dumps(figures, indent=2))
    return int(any(wrong.values()) or figures["matches"] != given.matches or figures["kills"] != given.kills)


if __name__ == "__main__":
    sys.exit(main())
