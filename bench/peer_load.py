"""Our server beside boardgame.io's, in one run: the same clients, a state of like size, two viewers a table.

    npm install --no-save --prefix bench/.boardgame_io boardgame.io@0.50.2 node-persist@3.1.3
    python bench/peer_load.py --write

`make bench-web-peers` does both. Ours plays Nile Mural and stores every move before it is answered, in SQLite and in PostgreSQL.
boardgame.io plays a game of `boardgame_io.cjs` with a state of about 32 KB and a player view, once with its storage in memory and
once with its FlatFile storage; it draws nothing and lists no moves. Every table has two clients, and each moves as soon as its
view shows that it may (a closed loop without pause). A move takes from its sending until the mover has the view of it, and until
both have it. The servers take turns several times, because the machine may have other work; processor time of a move is the most
reliable figure then. At the end ours is measured once more at half of its speed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import orjson
import results
from table_load import CountedConnection, seat_everybody, used_by
from web_load import share
from web_server import ROOT, Server, children, workers_of
from websockets.asyncio.client import connect

sys.path.insert(0, str(ROOT))
from tests.web.postgresql import fresh_database, postgresql

HERE = Path(__file__).parent
GAME = "peer"
MATCH = 180  # moves of a match of ours, at least
FASTEST = 2000  # moves a second of which no server can make more
SETTINGS: dict[str, Any] = {"create_connection": CountedConnection, "max_size": None, "open_timeout": 120}


class Table:
    """Two clients at a table, moving in turn, and what their moves took."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.sockets: list[Any] = []
        self.received_before = 0  # bytes, by connections that have been closed
        # For each move: when it was made, and seconds until the mover and until everybody had the view.
        self.taken: list[tuple[float, float, float]] = []

    async def play(self, until: float, pause: float) -> None:
        """Move until a time. `pause`: mean seconds before a move."""
        while time.time() < until:
            if pause:
                await asyncio.sleep(self.chance.expovariate(1 / pause))
            await self.begin_if_over()
            start = time.perf_counter()
            await self.move()
            seen = time.perf_counter() - start
            when = time.time()
            await self.others_see()
            self.taken.append((when, seen, time.perf_counter() - start))

    @property
    def received(self) -> int:
        """Bytes that came."""
        return self.received_before + sum(socket.received for socket in self.sockets)

    async def begin_if_over(self) -> None:
        """Begin another match if this one is over."""

    async def move(self) -> None:
        """Make a move and wait for the mover's view."""
        raise NotImplementedError

    async def others_see(self) -> None:
        """Wait until the others have the view too."""
        raise NotImplementedError

    async def close(self) -> None:
        """End the connections."""
        self.received_before = self.received
        sockets, self.sockets = self.sockets, []
        await asyncio.gather(*(socket.close() for socket in sockets))


# --- Ours ----------------------------------------------------------------------------------------------------------------------


class OurTable(Table):
    """Nile Mural as the page plays it: changes, compressed."""

    async def open(self, address: str, http: httpx.AsyncClient, matches: int) -> None:
        """Sit down at so many matches, which are played one after the other, and wait for the deal of the first."""
        self.address = address
        self.waiting = [await seat_everybody(http, "mural", 2, self.chance.getrandbits(64)) for _ in range(matches)]
        await self.begin()

    async def begin(self) -> None:
        """Look at the next match."""
        await self.close()
        table, tokens = self.waiting.pop()
        url = f"{self.address.replace('http', 'ws')}/api/tables/{table}/live?since=0&changes=1"
        for token in tokens:
            headers = {"Authorization": f"Bearer {token}"}
            self.sockets.append(await connect(url, additional_headers=headers, compression="deflate", **SETTINGS))
        self.views: list[dict[str, Any]] = [{}, {}]
        for viewer in (0, 1):
            await self.see(viewer, 0)

    async def begin_if_over(self) -> None:
        """Look at the next match if this one is over."""
        if self.views[0]["status"] == "over":
            await self.begin()

    async def see(self, viewer: int, number: int) -> None:
        """Take frames until a view after so many moves has come."""
        while self.views[viewer].get("number", -1) < number or self.views[viewer]["status"] == "waiting":
            frame = orjson.loads(await asyncio.wait_for(self.sockets[viewer].recv(), 60))
            if frame["type"] in ("refused", "error"):
                raise SystemExit(f"a move was refused: {frame}")
            if frame["type"] in ("view", "changes"):
                self.views[viewer] |= frame

    async def move(self) -> None:
        """A random legal move."""
        self.mover = next(viewer for viewer in (0, 1) if self.views[viewer]["moves"])
        view = self.views[self.mover]
        frame = {
            "type": "move",
            "number": view["number"],
            "code": self.chance.choice(view["moves"])["code"],
            "seat": view["viewer"],
        }
        await self.sockets[self.mover].send(orjson.dumps(frame).decode())
        await self.see(self.mover, view["number"] + 1)

    async def others_see(self) -> None:
        """The other client too."""
        await self.see(1 - self.mover, self.views[self.mover]["number"])


class OurServer:
    """A server of ours."""

    def __init__(self, database: str | None = None) -> None:
        self.database = database
        self.name = f"Per-Ankh, Nile Mural, {'PostgreSQL' if database else 'SQLite'}"

    def start(self) -> None:
        """Start it."""
        self.folder = tempfile.mkdtemp()
        self.server = Server(self.database or Path(self.folder)).start()

    def stop(self) -> None:
        """End it."""
        self.server.kill(signal.SIGTERM)
        shutil.rmtree(self.folder)

    def used(self) -> dict[str, float]:
        """Processor seconds so far, of the server, of its worker processes and of the database."""
        pid = self.server.process.pid
        database = children(postgres_of(self.database)) if self.database else []
        return {"server": used_by(pid), "drawing": sum(map(used_by, workers_of(pid))), "database": sum(map(used_by, database))}

    async def open_tables(self, tables: list[Table], matches: int) -> None:
        """Sit down at all tables."""
        async with httpx.AsyncClient(base_url=self.server.address, timeout=120) as http:
            for table in tables:
                assert isinstance(table, OurTable)
                await table.open(self.server.address, http, matches)

    table = OurTable


OURS = OurServer()


def postgres_of(database: str) -> int:
    """The process of the database server that is at an address."""
    (folder,) = parse_qs(urlsplit(database).query)["host"]
    return int(Path(folder, "data", "postmaster.pid").read_text().split()[0])


# --- boardgame.io --------------------------------------------------------------------------------------------------------------


class TheirTable(Table):
    """A match over Socket.IO, as boardgame.io's own client plays it."""

    async def open(self, port: int, name: str) -> None:
        """Connect both players."""
        self.name, self.number = name, 0
        self.seen = [-1, -1]
        url = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
        for player in ("0", "1"):
            socket = await connect(url, compression=None, **SETTINGS)
            self.sockets.append(socket)
            await socket.recv()
            await socket.send(f"40/{GAME},")
            await socket.recv()
            await socket.send(self.packet("sync", name, player, None, 2))
            await self.see(int(player), 0)

    def packet(self, *arguments: Any) -> str:
        """An event for the server."""
        return f"42/{GAME}," + orjson.dumps(arguments).decode()

    async def see(self, player: int, number: int) -> None:
        """Take packets until a state after so many moves has come."""
        while self.seen[player] < number:
            text = await asyncio.wait_for(self.sockets[player].recv(), 60)
            if text == "2":
                await self.sockets[player].send("3")  # a sign of life
            elif text.startswith("42"):
                kind, _, state, *_ = orjson.loads(text.partition(",")[2])
                if kind in ("sync", "update"):
                    self.seen[player] = (state["state"] if kind == "sync" else state)["_stateID"]

    async def move(self) -> None:
        """Place some card."""
        player = self.number % 2
        payload = {"type": "place", "args": [self.chance.randrange(400)], "playerID": str(player)}
        packet = self.packet("update", {"type": "MAKE_MOVE", "payload": payload}, self.seen[player], self.name, str(player))
        await self.sockets[player].send(packet)
        await self.see(player, self.seen[player] + 1)
        self.number += 1

    async def others_see(self) -> None:
        """The other client too."""
        mover = (self.number - 1) % 2
        await self.see(1 - mover, self.seen[mover])


class TheirServer:
    """A server of boardgame.io."""

    table = TheirTable

    def __init__(self, storage: str) -> None:
        self.storage = storage
        self.name = f"boardgame.io, {'in memory' if storage == 'memory' else 'FlatFile'}"
        self.opened = 0

    def start(self) -> None:
        """Start it."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.folder = tempfile.mkdtemp()
        command = ["node", str(HERE / "boardgame_io.cjs"), str(self.port), "memory" if self.storage == "memory" else self.folder]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self.process.stdout
        if not self.process.stdout.readline():
            raise SystemExit("boardgame.io does not start; see the head of this file")

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.folder)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Start it, and end it."""
        self.start()
        try:
            yield
        finally:
            self.stop()

    def used(self) -> dict[str, float]:
        """Processor seconds so far."""
        return {"server": used_by(self.process.pid), "drawing": 0.0, "database": 0.0}

    async def open_tables(self, tables: list[Table], _: int) -> None:
        """Connect everybody. A match has no end."""
        for table in tables:
            assert isinstance(table, TheirTable)
            self.opened += 1
            await table.open(self.port, f"match{self.opened}")


# --- Measuring -----------------------------------------------------------------------------------------------------------------


async def round_of(server: Any, count: int, seconds: float, warm: float, pause: float, seed: int) -> dict[str, Any]:
    """Play at a number of tables for a while."""
    tables: list[Table] = [server.table(random.Random(f"{seed} {number}")) for number in range(count)]
    await server.open_tables(tables, math.ceil(FASTEST * (warm + seconds) / count / MATCH))
    begin = time.time() + warm
    playing = [asyncio.create_task(table.play(begin + seconds, pause)) for table in tables]
    await asyncio.sleep(warm)
    before, received = server.used(), sum(table.received for table in tables)
    moved = sum(len(table.taken) for table in tables)
    await asyncio.sleep(seconds)
    after, got = server.used(), sum(table.received for table in tables)
    moves = sum(len(table.taken) for table in tables) - moved
    await asyncio.gather(*playing)
    await asyncio.gather(*(table.close() for table in tables))
    taken = [(seen, by_all) for table in tables for when, seen, by_all in table.taken if begin <= when <= begin + seconds]
    times, times_of_all = sorted(seen for seen, _ in taken), sorted(by_all for _, by_all in taken)
    return {
        "moves_per_second": moves / seconds,
        "p50_ms": 1000 * share(times, 0.5),
        "p99_ms": 1000 * share(times, 0.99),
        "p99_all_ms": 1000 * share(times_of_all, 0.99),
        "bytes_a_move": (got - received) / max(1, moves) / 2,
        **{f"{part}_ms_a_move": 1000 * (after[part] - before[part]) / max(1, moves) for part in after},
    }


def middle(rounds: list[dict[str, Any]]) -> dict[str, float]:
    """The median of every figure."""
    found = {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}
    return found | {"processor_ms_a_move": sum(found[f"{part}_ms_a_move"] for part in ("server", "drawing", "database"))}


def compared(figures: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Ours with SQLite against each of the others: moves a second, and processor time of a move (above 1: ours is better)."""
    ours = figures[OURS.name]
    return {
        name: {
            "moves_per_second": ours["moves_per_second"] / other["moves_per_second"],
            "processor_time": other["processor_ms_a_move"] / ours["processor_ms_a_move"],
        }
        for name, other in figures.items()
        if "boardgame.io" in name
    }


def main() -> None:
    """Run the benchmark and print its figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, action="append", help="tables, several times for several runs (30 and 250)")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--warm", type=float, default=3, help="seconds at the start of a round that do not count")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="write the part of bench/RESULTS.md on boardgame.io")
    given = parser.parse_args()
    found: dict[str, Any] = {"cores": os.cpu_count(), "load_before": results.load(), "tables": {}}
    with contextlib.ExitStack() as running:
        database = fresh_database(running.enter_context(postgresql()))
        ours, theirs = [OURS, OurServer(database)], [TheirServer("memory"), TheirServer("files")]
        servers = [*ours, *theirs]
        for server in ours:
            server.start()
            running.callback(server.stop)
        for count in given.tables or [30, 250]:
            rounds: dict[str, list[dict[str, Any]]] = {server.name: [] for server in servers}
            for number in range(given.rounds):
                for server in servers:
                    # Theirs are new for each round: their folder of files would only grow.
                    with server.running() if server in theirs else contextlib.nullcontext():
                        played = round_of(server, count, given.seconds, given.warm, 0, number)
                        rounds[server.name].append(asyncio.run(played))
            figures = {name: middle(rounds) for name, rounds in rounds.items()}
            found["tables"][count] = {"figures": figures, "ratios": compared(figures)}
            print(json.dumps({count: found["tables"][count]}, indent=2), flush=True)
        speed = found["tables"][min(found["tables"])]["figures"][OURS.name]["moves_per_second"]
        count = 60
        rounds_at_half = []
        for number in range(given.rounds):
            played = round_of(OURS, count, given.seconds, given.warm, count / (speed / 2), 99 + number)
            rounds_at_half.append(asyncio.run(played))
        found["half"] = middle(rounds_at_half)
        found["load_after"] = results.load()
        print(json.dumps({"half": found["half"]}, indent=2))
    if given.write:
        results.write("peers_web", results.peers_web_part(found, given.seconds, given.rounds))


if __name__ == "__main__":
    main()
