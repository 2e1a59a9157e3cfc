"""Client programs play many matches by way of a load balancer that sends every connection to any of several servers.

    python bench/cluster_soak.py --servers 3 --clients 400 --matches 2000 --kills 60 --write

The servers share one PostgreSQL database. Again and again a server is killed with SIGKILL and started again, or all connections
to the database are cut; once, all servers are restarted one after the other, each in an orderly way. A client whose connection
breaks connects anew, wherever the balancer sends it, and sends the move that was not answered once more. In some matches a bot
plays. At the end every match must be over, every answered move must stand in its match file under its number, there must be no
others but the bots', and every position that anybody was shown must have been one of the match.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import functools
import hashlib
import json
import random
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import psycopg
import results
import websockets
from web_server import ROOT, Server
from web_soak import BROKEN, LONGEST_WAIT, check, clients, moves_in

sys.path.insert(0, str(ROOT))
from tests.web.postgresql import fresh_database, postgresql

from perankh.web.refusal import refused
from perankh.workers import CONTEXT

BALANCER = ROOT / "deploy" / "haproxy.cfg"
PASSING = {refused(503, key).reason["en"] for key in ("storage", "stopping", "no_view", "took_long", "busy")}
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid != pg_backend_pid() AND backend_type = 'client backend'"


class Broken(Exception):
    """A connection is of no use any more."""


class Client:
    """A program that plays one seat of one table after the other, and keeps what it was shown."""

    def __init__(self, address: str, name: str) -> None:
        self.address = address
        self.luck = random.Random(name)
        # Everybody comes from an address of his own, as the balancer tells it: limits on addresses are not what is tried here.
        self.headers = {"X-Forwarded-For": f"10.{'.'.join(str(self.luck.randrange(256)) for _ in range(3))}"}
        self.http = httpx.AsyncClient(base_url=address, timeout=60, headers=self.headers)
        self.answered: list[tuple[str, int, int, str]] = []  # table, number, seat, code
        self.shown: set[tuple[str, int, int, str]] = set()  # table, number, viewer, digest of the position
        self.resent = self.reconnects = 0

    async def ask(self, method: str, path: str, token: str | None, body: Any = None) -> dict[str, Any]:
        """A request that is repeated until a server answers it."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        began = time.monotonic()
        while time.monotonic() - began < LONGEST_WAIT:
            with contextlib.suppress(httpx.TransportError):
                answer = await self.http.request(method, path, json=body, headers=headers)
                if answer.status_code < 500 and answer.status_code != 429:
                    found: dict[str, Any] = answer.raise_for_status().json()
                    return found
            await asyncio.sleep(0.1)
        raise RuntimeError(f"{path}: no answer for {LONGEST_WAIT} seconds")

    async def play(self, table: str, token: str) -> None:
        """Play a seat to the end of the match, whatever happens to the servers."""
        url = f"{self.address.replace('http', 'ws')}/api/tables/{table}/live?since=0"
        headers = {"Authorization": f"Bearer {token}"} | self.headers
        self.pending: dict[str, Any] | None = None
        self.made = -1  # the number of the last move that was answered
        self.progress = time.monotonic()
        while True:
            if time.monotonic() - self.progress > LONGEST_WAIT:
                raise RuntimeError(f"table {table}: no progress for {LONGEST_WAIT} seconds, {self.pending}")
            try:
                async with websockets.connect(url, additional_headers=headers, compression=None, max_size=None) as live:
                    if self.pending:
                        self.resent += 1
                        await live.send(json.dumps(self.pending))
                    while not await self.take(table, live, json.loads(await asyncio.wait_for(live.recv(), 60))):
                        pass
                    return
            except (*BROKEN, Broken):
                self.reconnects += 1
                await asyncio.sleep(0.05 + 0.2 * self.luck.random())

    async def take(self, table: str, live: Any, frame: dict[str, Any]) -> bool:
        """Take a frame, and move if it is one's turn; is the match over?"""
        if frame["type"] == "done":
            assert self.pending
            self.answered.append((table, self.pending["number"], self.pending["seat"], self.pending["code"]))
            self.made, self.pending, self.progress = self.pending["number"], None, time.monotonic()
        elif frame["type"] != "view":
            if frame.get("error") in PASSING:
                raise Broken
            raise RuntimeError(f"table {table}: {frame}")
        else:
            if frame["number"] == frame["at"] and frame["status"] != "waiting":
                board = hashlib.sha256(json.dumps(frame["text"]).encode()).hexdigest()[:16]
                self.shown.add((table, frame["number"], frame["viewer"], board))
            if frame["status"] == "over" and self.pending is None:
                return True
            if frame["moves"] and self.pending is None and frame["number"] == frame["at"] and frame["number"] > self.made:
                code = self.luck.choice(frame["moves"])["code"]
                self.pending = {"type": "move", "number": frame["number"], "seat": frame["viewer"], "code": code}
                self.progress = time.monotonic()
                await live.send(json.dumps(self.pending))
        return False


async def pair(address: str, name: str, games: list[str], done: Any, until: float) -> dict[str, Any]:
    """Two clients play a series of matches against each other; in every third the first plays against a bot.

    After the moment `until` they begin no more matches.
    """
    first, second = Client(address, f"{name} first"), Client(address, f"{name} second")
    tables, with_bots = [], []
    for place, game in enumerate(games):
        if time.time() > until:
            break
        with_bot = place % 3 == 2
        wanted: dict[str, Any] = {"game": game, "players": 2, "ready": True}
        if with_bot:
            wanted["seats"] = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        made = await first.ask("POST", "/api/tables", None, wanted)
        table = made["id"]
        if with_bot:
            with_bots.append(table)
            await first.play(table, made["token"])
        else:
            # A token of the client's own making: sitting down can then be repeated like a move.
            token = base64.urlsafe_b64encode(hashlib.sha256(f"{name} {place}".encode()).digest()).decode().rstrip("=")
            given = {"seat": 1, "contribution": secrets.token_hex(32)}
            await second.ask("POST", f"/api/tables/{table}/seats", token, given)
            await asyncio.gather(first.play(table, made["token"]), second.play(table, token))
        tables.append(table)
        with done.get_lock():
            done.value += 1
    await asyncio.gather(first.http.aclose(), second.http.aclose())
    return {
        "tables": tables,
        "with_bots": with_bots,
        "answered": first.answered + second.answered,
        "shown": sorted(first.shown | second.shown),
        "resent": first.resent + second.resent,
        "reconnects": first.reconnects + second.reconnects,
    }


def false_positions(server: Server, found: list[dict[str, Any]], tables: int) -> tuple[int, int]:
    """How many positions were shown that did not happen, and how many were looked at: those of one number and viewer are compared
    with each other, and those of some tables with the match as it is stored."""
    wrong = looked = 0
    with httpx.Client(base_url=server.address, timeout=60) as http:
        for part in found:
            by_place: dict[tuple[str, int, int], set[str]] = {}
            for table, number, viewer, board in part["shown"]:
                by_place.setdefault((table, number, viewer), set()).add(board)
            wrong += sum(len(boards) > 1 for boards in by_place.values())
            looked += len(by_place)
            for table in part["tables"][:tables]:
                for place in sorted(place for place in by_place if place[0] == table):
                    wanted = {"at": place[1], "viewer": place[2]}
                    text = http.get(f"/api/tables/{table}", params=wanted).raise_for_status().json()["text"]
                    wrong += by_place[place] != {hashlib.sha256(json.dumps(text).encode()).hexdigest()[:16]}
    return wrong, looked


def bots_moves(server: Server, found: list[dict[str, Any]]) -> int:
    """How many moves the bots have made."""
    with httpx.Client(base_url=server.address, timeout=60) as http:
        files = [http.get(f"/api/tables/{table}/file").text for part in found for table in part["with_bots"]]
    return sum(seat == 1 for text in files for seat, _ in moves_in(text))


@contextlib.contextmanager
def balancer(servers: list[Server]) -> Any:
    """HAProxy before the servers; its address."""
    subprocess.run(["bash", str(Path(__file__).with_name("install_haproxy.sh"))], check=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    checked = "check inter 250ms fall 1 rise 1 on-marked-down shutdown-sessions"
    lines = [f"    server s{n} 127.0.0.1:{server.port} {checked}" for n, server in enumerate(servers)]
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
        text = re.sub(r"^    bind .*$", f"    bind 127.0.0.1:{port}", BALANCER.read_text("utf-8"), flags=re.MULTILINE)
        file.write(re.sub(r"(?:^    server .*\n?)+", "\n".join(lines) + "\n", text, flags=re.MULTILINE))
        file.flush()
        process = subprocess.Popen(["/usr/sbin/haproxy", "-q", "-f", file.name], stderr=subprocess.DEVNULL)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)


class Trouble:
    """Does something to the servers or the database every few seconds."""

    def __init__(self, servers: list[Server], database: str, luck: random.Random) -> None:
        self.servers = servers
        self.database = database
        self.luck = luck
        self.starting: dict[Server, threading.Thread] = {}
        self.done = {"server_kills": 0, "cuts": 0, "rolling_restarts": 0}

    def kill(self) -> None:
        """Kill a server, and start it again while the others go on; the last one that runs is left alone until then."""
        while len(running := [one for one in self.servers if not self.is_starting(one)]) < 2:
            time.sleep(0.1)
        server = self.luck.choice(running)
        server.kill()
        self.starting[server] = threading.Thread(target=server.start)
        self.starting[server].start()
        self.done["server_kills"] += 1

    def is_starting(self, server: Server) -> bool:
        """Is a server being started again?"""
        return server in self.starting and self.starting[server].is_alive()

    def wait(self) -> None:
        """Wait until all servers run."""
        for thread in self.starting.values():
            thread.join()

    def cut(self) -> None:
        """Cut all connections to the database."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            connection.execute(CUT)
        self.done["cuts"] += 1

    def restart_all(self) -> None:
        """Restart the servers one after the other; each tells the balancer first."""
        self.wait()
        for server in self.servers:
            server.kill(signal.SIGTERM)
            server.start()
            time.sleep(1)
        self.done["rolling_restarts"] += 1


def main() -> int:
    """Run the soak and print its figures as JSON; the status is 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--clients", type=int, default=400)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=60, help="of servers and of connections to the database, in turn")
    parser.add_argument("--seed", type=int, default=1, help="of the moments and victims of the kills")
    parser.add_argument("--games", default="connect_four,connect_four,connect_four,connect_four,mural")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rolling", type=int, default=1, help="restarts of all servers, one after the other")
    parser.add_argument("--drain", type=float, default=1.0, help="seconds for which a server that is told to stop goes on")
    parser.add_argument("--compared", type=int, default=1, help="tables of each pair whose positions are compared with the file")
    parser.add_argument("--minutes", type=float, default=60, help="begin no more matches after so long")
    parser.add_argument("--write", action="store_true", help="write the part of bench/RESULTS.md on several servers")
    given = parser.parse_args()
    names, couples = given.games.split(","), max(1, given.clients // 2)
    series = [(f"pair {i}", [names[n % len(names)] for n in range(i, given.matches, couples)]) for i in range(couples)]
    luck = random.Random(given.seed)
    events = [("kill", "cut")[n % 2] for n in range(given.kills)] + ["restart_all"] * given.rolling
    luck.shuffle(events)
    moments = sorted(luck.uniform(0.02, 0.9) * given.matches for _ in events)  # in matches done
    begin, load_before = time.monotonic(), results.load()
    with postgresql() as address:
        database = fresh_database(address)
        settings = {"workers": 1, "drain": given.drain, "away": 600, "trusted_proxies": "127.0.0.1"}
        servers = [Server(database, **settings) for _ in range(given.servers)]
        trouble = Trouble(servers, address, luck)
        try:
            for server in servers:
                server.start()
            with balancer(servers) as entrance:
                answers, done = CONTEXT.Queue(), CONTEXT.Value("i", 0)
                groups = [series[i :: given.processes] for i in range(given.processes)]
                play = functools.partial(pair, until=time.time() + 60 * given.minutes)
                processes = [
                    CONTEXT.Process(target=clients, args=(entrance, group, done, answers, play)) for group in groups if group
                ]
                for process in processes:
                    process.start()
                while moments and time.monotonic() - begin < 60 * given.minutes and (answers.empty() or done.value >= moments[0]):
                    time.sleep(0.05)
                    if done.value >= moments[0]:
                        time.sleep(0.3 * luck.random())
                        moments.pop(0)
                        getattr(trouble, events.pop())()
                found: list[dict[str, Any]] = []
                for _ in processes:
                    part = answers.get(timeout=max(1, 60 * given.minutes + LONGEST_WAIT - (time.monotonic() - begin)))
                    if isinstance(part, str):
                        raise SystemExit(part)
                    found += part
                for process in processes:
                    process.join(10)
            played = time.monotonic() - begin
            trouble.wait()
            for server in servers:
                server.kill()
            servers[0].start()  # what is checked is what a fresh server finds
            wrong = check(servers[0], found)
            wrong["unknown"] -= bots_moves(servers[0], found)
            wrong["false_positions"], looked = false_positions(servers[0], found, given.compared)
        finally:
            trouble.wait()
            for server in servers:
                server.kill()
    figures = {
        "servers": given.servers,
        "clients": 2 * couples,
        "matches": sum(len(part["tables"]) for part in found),
        "with_bots": sum(len(part["with_bots"]) for part in found),
        **trouble.done,
        "seconds": round(played, 1),
        "answered_moves": sum(len(part["answered"]) for part in found),
        "resent_moves": sum(part["resent"] for part in found),
        "reconnects": sum(part["reconnects"] for part in found),
        "positions_seen": looked,
        "stored_moves": wrong.pop("moves"),
        "load_before": load_before,
        "load_after": results.load(),
        **wrong,
    }
    print(json.dumps(figures, indent=2))
    if given.write:
        results.write("cluster", results.cluster_part(figures, wrong))
    return int(any(wrong.values()) or figures["matches"] != given.matches or bool(events))


if __name__ == "__main__":
    sys.exit(main())
