"""Attacks and accidents on the machine of the server: killed and stopped processes, locked and damaged data, second servers."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..conftest import ROOT
from .house import House
from .people import addresses, need, seated
from .registry import attack

TIMES_SLOWER = 10.0  # how much slower anything may be for others
BOTS_SLOWER = 2.0  # and another's bot beside many tables of bots


@contextmanager
def own_house(*arguments: str) -> Iterator[House]:
    """A server of one's own, which an attack may kill."""
    with tempfile.TemporaryDirectory() as folder, House(Path(folder) / "house", *arguments) as house:
        yield house


def database(house: House) -> Path:
    """The file with the tables."""
    return house.data / "perankh.db"


@attack(long=True)
async def lock_the_database(shared: House, seed: int) -> str:
    """While the database is locked, moves are answered 503 soon, the log says so, and the server stops in time."""
    with own_house() as house:
        where = addresses(70)
        tables = [await seated(house, where, "connect_four", 2) for _ in range(20)]
        blocker = sqlite3.connect(database(house), isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        move = {"number": 0, "code": "a"}
        asked = (people[0].ask("POST", f"/api/tables/{table}/moves", move, patience=60) for table, people in tables)
        answers = await asyncio.gather(*asked)
        took = time.monotonic() - began
        need(all(answer.status == 503 for answer in answers), f"{[answer.status for answer in answers]}")
        need(took < 30, f"20 moves on a locked database took {took:.0f} s to be refused")
        need("storage" in house.log.read_text() or "database" in house.log.read_text(), "the log says nothing of the failure")
        late = [asyncio.create_task(people[0].ask("POST", f"/api/tables/{t}/moves", move)) for t, people in tables[:5]]
        await asyncio.sleep(0.2)
        stopping = await asyncio.to_thread(house.stop)
        await asyncio.gather(*late, return_exceptions=True)
        blocker.close()
        need(stopping < 20, f"the server took {stopping:.0f} s to stop")
        text = house.log.read_text()
        need("Traceback" not in text, f"a traceback in the log: {text[text.find('Traceback') :][-1500:]}")
        house.start()
        view = await tables[0][1][0].view(tables[0][0])
        need(view["number"] == 0, "a move that was refused stands")
        return f"20 refusals in {took:.1f} s, stopped in {stopping:.1f} s"


@attack(long=True)
async def second_server_on_the_same_data(house: House, seed: int) -> str:
    """A second server on the same data does not start, and says why in one line."""
    other = House(house.folder / "second")
    other.data = house.data
    done = await asyncio.to_thread(
        subprocess.run, other.command(), env=other.environment(), capture_output=True, text=True, timeout=60, check=False
    )
    need(done.returncode == 2, f"a second server on the same data ended with status {done.returncode}")
    need("Traceback" not in done.stderr and done.stderr.count("\n") == 1, f"not one clear line: {done.stderr[-500:]!r}")
    return done.stderr.strip()[:80]


@attack(long=True)
async def data_that_cannot_be_used(house: House, seed: int) -> str:
    """A data folder that cannot be made, and databases that are not there, are refused with one line."""
    tried = 0
    for data in ("/dev/null/x", str(house.log), "postgresql://nobody@127.0.0.1:1/x", "nonsense://x", "sqlite:////dev/null/x/y"):
        other = House(house.folder / "bad")
        command = [*other.command()[:-1], data]
        done = await asyncio.to_thread(
            subprocess.run, command, env=other.environment(), capture_output=True, text=True, timeout=60, check=False
        )
        need(done.returncode == 2, f"--data {data}: status {done.returncode} {done.stderr[-300:]}")
        need("Traceback" not in done.stderr and done.stderr.count("\n") == 1, f"--data {data}: {done.stderr[-300:]!r}")
        tried += 1
    return f"{tried} refused"


@attack()
async def read_the_data_as_another_user(house: House, seed: int) -> str:
    """Other users of the machine cannot read the database, which holds the seeds of running matches."""
    for path in (house.data, *house.data.iterdir()):
        need(path.stat().st_mode & 0o077 == 0, f"{path.name} has the mode {path.stat().st_mode & 0o777:o}")
    return "private"


@attack(long=True)
async def downtime_on_the_clock(shared: House, seed: int) -> str:
    """Time during which the server is down does not count against anybody."""
    with own_house() as house:
        table, people = await seated(house, addresses(71), "connect_four", 2, clock={"minutes": 1, "increment": 0})
        before = min(player["clock"] for player in (await people[0].view(table))["players"])
        house.stop(signal.SIGKILL)
        await asyncio.sleep(12)
        house.start()
        after = min(player["clock"] for player in (await people[0].view(table))["players"])
        need(before - after < 8, f"{before - after:.0f} s were counted for 12 s of downtime")
        return f"{max(0.0, before - after):.1f} s counted for 12 s of downtime"


@attack(long=True)
async def stop_the_workers(shared: House, seed: int) -> str:
    """Worker processes that hang, or are killed, are replaced: views come again."""
    with own_house() as house:
        table, people = await seated(house, addresses(72), "mural", 2)
        await people[0].view(table)
        figures = []
        for how in (signal.SIGSTOP, signal.SIGKILL):
            workers = house.workers()
            need(bool(workers), "the worker processes are not found")
            for pid in workers:
                os.kill(pid, how)
            began = time.monotonic()
            while True:
                need(time.monotonic() - began < 60, f"no view for a minute after {how.name} of the workers")
                answer = await people[0].ask(
                    "GET", f"/api/tables/{table}?lang={'ja' if how == signal.SIGKILL else 'en'}&shape=tall"
                )
                need(answer.status in (200, 503), f"{answer.status}")
                if answer.status == 200:
                    break
                await asyncio.sleep(0.5)
            figures.append(f"{how.name}: a view after {time.monotonic() - began:.1f} s")
        return ", ".join(figures)


DAMAGE = (
    "DELETE FROM moves WHERE number = 0",
    "DELETE FROM moves WHERE number = 1",
    "UPDATE moves SET seat = 7 WHERE number = 0",
    "UPDATE moves SET seat = -1 WHERE number = 0",
    "UPDATE moves SET code = 'zz' WHERE number = 0",
    "UPDATE moves SET code = 'b', seat = 0 WHERE number = 1",
    "UPDATE tables SET number = 99",
    "UPDATE tables SET rules = 99",
    "UPDATE tables SET components = 'x'",
    "UPDATE tables SET options = '{]'",
    "UPDATE tables SET options = '{\"x\": 1}'",
    "UPDATE tables SET clock = '[1'",
    "UPDATE tables SET players = 9",
    "UPDATE tables SET players = 1",
    "UPDATE tables SET game = '/tmp'",
    "UPDATE tables SET seed = 'xyz'",
    "DELETE FROM seats WHERE seat = 1",
    "UPDATE seats SET kind = 'king'",
    "UPDATE seats SET kind = 'bot', bot = 'nobody'",
)


@attack(long=True)
async def damaged_tables(shared: House, seed: int) -> str:
    """Tables whose stored rows were damaged open with a refusal, not with another match or a server error."""
    with own_house() as house:
        where = addresses(73)
        tables = []
        for _ in DAMAGE:
            table, people = await seated(house, where, "connect_four", 2)
            for number, code in enumerate("abc"):
                await people[number % 2].must("POST", f"/api/tables/{table}/moves", {"number": number, "code": code})
            tables.append((table, people))
        house.stop()
        for (table, _), damage in zip(tables, DAMAGE, strict=True):
            key = "id" if damage.startswith("UPDATE tables") else "table_id"
            joint = "AND" if " WHERE " in damage else "WHERE"
            with sqlite3.connect(database(house)) as connection:
                connection.execute(f"{damage} {joint} {key} = ?", [table])
            connection.close()
        house.start()
        for (table, people), damage in zip(tables, DAMAGE, strict=True):
            for path in (f"/api/tables/{table}", f"/api/tables/{table}/file", f"/t/{table}"):
                answer = await people[0].ask("GET", path)
                need(answer.status < 500, f"{damage}: {path} is answered {answer.status}")
                if answer.status == 200 and path == f"/api/tables/{table}" and " moves " in damage:
                    need(answer.json()["status"] == "broken", f"{damage}: the table opens as another match")
            listed = await people[0].ask("GET", "/api/tables")
            need(listed.status == 200, f"{damage}: the list of tables is answered {listed.status}")
        need(not house.faults(), f"the log: {house.faults()[:3]}")
        return f"{len(DAMAGE)} damaged tables"


async def bench(name: str, *arguments: str) -> str:
    """What a program under `bench` prints; it starts a server of its own."""
    command = [sys.executable, str(ROOT / "bench" / name), *arguments]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))}
    done = await asyncio.to_thread(subprocess.run, command, env=environment, capture_output=True, text=True, check=False)
    need(done.returncode == 0, f"{name}: {(done.stdout + done.stderr)[-800:]}")
    return done.stdout


@attack(long=True)
async def five_thousand_silent_connections(shared: House, seed: int) -> str:
    """5,000 silent connections and 500 half-sent requests, from one address and from fifty: a visitor gets in at once."""
    return "; ".join((await bench("web_connections.py", "--idle", "5000", "--half", "500")).splitlines())


@attack(long=True)
async def more_work_than_there_is_time(shared: House, seed: int) -> str:
    """200 tables of four strong bots, 60 looks into a long match, 70 analyses: somebody else's work goes on."""
    printed = (await bench("web_fairness.py")).splitlines()
    figures = {name: found for line in printed for name, found in json.loads(line).items()}
    bots, reads, analyses = figures["bots"], figures["reads"], figures["analyses"]
    need(bots["times_slower"] < BOTS_SLOWER, f"another's bot answers {bots['times_slower']} times as slowly: {bots}")
    quiet, attacked = reads["own_tables_alone_ms"]["median"], reads["own_tables_attacked_ms"]["median"]
    need(attacked <= max(250, TIMES_SLOWER * quiet), f"another's list of tables takes {attacked} ms, alone {quiet} ms")
    need(analyses["own_decisions"] > 0, f"another's analysis does not go on: {analyses}")
    return f"bots {bots['times_slower']} times as slow, lists {quiet} and {attacked} ms, {analyses['own_decisions']} decisions"
