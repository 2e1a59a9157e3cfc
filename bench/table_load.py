"""What a table costs: random matches with people who watch, against a real server on this machine.

    python bench/table_load.py --game egizia --players 4 --seconds 20

Every table has a person at each seat, and each of them moves as soon as it can. The same matches are played twice in one run: by
programs that get whole views without compression, and by clients that ask for changes, compressed, as the page does. Printed for
both: bytes that a viewer gets for a move (the median over moves and viewers), processor time of a move (the server and its worker
processes together), and the time from sending a move until it is stored, and until its mover and everybody else has the view.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import orjson
from web_load import share
from web_server import Server, workers_of
from websockets.asyncio.client import ClientConnection, connect

TICKS = os.sysconf("SC_CLK_TCK")
MOST_PLAYERS = {"cleocatra": 4, "egizia": 4, "imhotep": 4, "maqha": 4, "mural": 2}
QUIET = 0.3  # seconds without a frame after which nothing more is on its way


class CountedConnection(ClientConnection):
    """A connection that counts the bytes that come in."""

    received = 0

    def data_received(self, data: bytes) -> None:
        """Count what came."""
        self.received += len(data)
        super().data_received(data)


class Figures:
    """What is measured in one way of watching."""

    def __init__(self) -> None:
        self.moves = 0
        self.bytes: list[int] = []  # for each move and viewer
        self.stored: list[float] = []  # seconds, for each move
        self.shown: list[float] = []  # until the mover has the view
        self.shown_to_all: list[float] = []  # until the last viewer has it


class Viewer:
    """A person at a table: what it has been sent, and what it may choose."""

    def __init__(self, socket: CountedConnection) -> None:
        self.socket = socket
        self.view: dict[str, Any] = {}
        self.counted = 0

    async def receive(self) -> dict[str, Any]:
        """The next frame; views and changes are taken in."""
        frame: dict[str, Any] = orjson.loads(await asyncio.wait_for(self.socket.recv(), 60))
        if frame["type"] == "view":
            self.view = frame
        elif frame["type"] == "changes":
            self.view |= frame
        return frame

    async def see(self, number: int) -> float:
        """Wait for a view after so many moves; when it came."""
        while self.view.get("number", -1) < number or self.view["status"] == "waiting":
            await self.receive()
        return time.perf_counter()

    def take_bytes(self) -> int:
        """The bytes received since this was last asked."""
        before, self.counted = self.counted, self.socket.received
        return self.counted - before


async def mover_sees(viewer: Viewer, number: int) -> tuple[float, float]:
    """When the answer to a move came, and when the view with it."""
    stored = 0.0
    while not stored or viewer.view["number"] <= number:
        frame = await viewer.receive()
        if frame["type"] == "done":
            stored = time.perf_counter()
        elif frame["type"] in ("refused", "error"):
            raise SystemExit(f"a move was refused: {frame}")
    return stored, time.perf_counter()


async def play(
    address: str, http: httpx.AsyncClient, game: str, given: Any, until: float, chance: random.Random, found: Figures
) -> None:
    """One random match after another at one table after another."""
    while time.time() < until:
        table, tokens = await seat_everybody(http, game, given.players, chance.getrandbits(64))
        query = f"since=0&lang={given.lang}" + ("&changes=1" if given.changes else "")
        url = f"{address.replace('http', 'ws')}/api/tables/{table}/live?{query}"
        compression = "deflate" if given.changes else None
        settings = {"create_connection": CountedConnection, "max_size": None, "open_timeout": 60, "compression": compression}
        sockets: list[Any] = [
            await connect(url, additional_headers={"Authorization": f"Bearer {token}"}, **settings) for token in tokens
        ]
        viewers = [Viewer(socket) for socket in sockets]
        try:
            number = 0
            await asyncio.gather(*(viewer.see(0) for viewer in viewers))
            await asyncio.gather(*map(settle, viewers))
            while time.time() < until:
                movers = [viewer for viewer in viewers if viewer.view["moves"]]
                if not movers:
                    break
                mover = chance.choice(movers)
                choice = chance.choice(mover.view["moves"])
                for viewer in viewers:
                    viewer.take_bytes()
                sent = time.perf_counter()
                frame = {"type": "move", "number": number, "code": choice["code"], "seat": mover.view["viewer"]}
                await mover.socket.send(orjson.dumps(frame).decode())
                number += 1
                others = [viewer.see(number) for viewer in viewers if viewer is not mover]
                (stored, shown), *rest = await asyncio.gather(mover_sees(mover, number - 1), *others)
                found.moves += 1
                found.bytes += [viewer.take_bytes() for viewer in viewers]
                found.stored.append(stored - sent)
                found.shown.append(shown - sent)
                found.shown_to_all.append(max([shown, *rest]) - sent)
        finally:
            await asyncio.gather(*(socket.close() for socket in sockets))


async def settle(viewer: Viewer) -> None:
    """Take in what is on its way: everybody is told that the others have come."""
    while True:
        try:
            await asyncio.wait_for(viewer.receive(), QUIET)
        except TimeoutError:
            return


async def seat_everybody(http: httpx.AsyncClient, game: str, players: int, seed: int) -> tuple[str, list[str]]:
    """A new table and the tokens of those who sit there."""
    asked = {"game": game, "players": players, "ready": True, "seed": seed}
    made = (await http.post("/api/tables", json=asked)).raise_for_status().json()
    tokens = [made["token"]]
    for _ in range(players - 1):
        sat = (await http.post(f"/api/tables/{made['id']}/seats", json={"ready": True})).raise_for_status().json()
        tokens.append(sat["token"])
    return made["id"], tokens


# --- The server's share -------------------------------------------------------------------------------------------------------


def processor_seconds(pid: int) -> tuple[float, float]:
    """Processor seconds that a server has used, and its worker processes."""
    return used_by(pid), sum(map(used_by, workers_of(pid)))


def used_by(pid: int) -> float:
    """Processor seconds of one process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def measured(server: Server, game: str, given: Any) -> dict[str, float]:
    """Play for a while in one way of watching."""

    async def all_tables(seconds: float, found: Figures) -> None:
        until = time.time() + seconds
        async with httpx.AsyncClient(base_url=server.address, timeout=60) as http:
            chances = [random.Random(f"{given.seed} {number}") for number in range(given.tables)]
            await asyncio.gather(*(play(server.address, http, game, given, until, chance, found) for chance in chances))

    found = Figures()
    asyncio.run(all_tables(given.warm, Figures()))
    before = processor_seconds(server.process.pid)
    asyncio.run(all_tables(given.seconds, found))
    after = processor_seconds(server.process.pid)
    serving, drawing = (1000 * (late - early) / found.moves for early, late in zip(before, after, strict=True))
    times = {"stored": found.stored, "shown": found.shown, "shown_to_all": found.shown_to_all}
    return {
        "moves": found.moves,
        "moves_per_second": round(found.moves / given.seconds, 1),
        "bytes_a_move_median": round(statistics.median(found.bytes)),
        "bytes_a_move_mean": round(statistics.mean(found.bytes)),
        "server_ms_a_move": round(serving, 2),
        "workers_ms_a_move": round(drawing, 2),
        "processor_ms_a_move": round(serving + drawing, 2),
        **{f"{name}_p50_ms": round(1000 * share(sorted(values), 0.5), 1) for name, values in times.items()},
        **{f"{name}_p99_ms": round(1000 * share(sorted(values), 0.99), 1) for name, values in times.items()},
    }


def main() -> None:
    """Run the benchmark and print its figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="a game, several times for several (default: all of them)")
    parser.add_argument("--players", type=int, help="people at a table (default: as many as the game takes; two of Nile Mural)")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--warm", type=float, default=3, help="seconds at the start that do not count")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--seed", type=int, default=0, help="of the deals and the choices")
    parser.add_argument("--only", choices=("full", "changes"), help="measure one way of watching only")
    given = parser.parse_args()
    games = given.game or list(MOST_PLAYERS)
    for game in games:
        given.players = given.players if given.game and given.players else MOST_PLAYERS.get(game, 2)
        figures: dict[str, Any] = {"game": game, "viewers": given.players}
        for way in [given.only] if given.only else ["full", "changes"]:
            given.changes = way == "changes"
            with tempfile.TemporaryDirectory() as folder:
                server = Server(Path(folder)).start()
                try:
                    figures[way] = measured(server, game, given)
                finally:
                    server.kill(signal.SIGTERM)
        if not given.only:
            whole, changes = figures["full"], figures["changes"]
            compared = ("bytes_a_move_median", "processor_ms_a_move", "shown_p50_ms")
            figures["full_by_changes"] = {name: round(whole[name] / changes[name], 1) for name in compared}
        print(json.dumps(figures, indent=2), flush=True)


if __name__ == "__main__":
    main()
