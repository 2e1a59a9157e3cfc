"""What stored matches cost: a database is filled with very many of them, and a server on it is measured.

    python bench/stored_matches.py --matches 1000000
    python bench/stored_matches.py --matches 1000000 --data postgresql://perankh@/postgres?host=/run/postgresql

A few real tables are played on a real server: short matches that are over, one that goes on with a clock of days, and one that
waits for players. Their rows are then copied, with other ids, persons and times: as many finished matches as asked for, and a
thousandth of that of each other kind. Printed: the time until a server on these data answers, and the times of what grows if
anything reads all rows. A fresh server on a few rows is measured in the same way, to compare.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import results
import sqlalchemy as sa
from web_server import Server

from perankh.web import admin, alert_storage, archives, correspondence, storage, upkeep
from perankh.web.bans import Bans
from perankh.web.data import address_of
from perankh.web.limits import Shares
from perankh.web.services import Services
from perankh.web.storage import Storage
from perankh.web.tables import Tables

MOVES = 6  # of each finished match
PERSONS = 10  # finished matches of one person, on average
PART = 50_000  # tables copied in one transaction
YEAR = 365 * 86_400.0
ROUNDS = 15
Rows = dict[str, list[dict[str, Any]]]
COPIED = ("tables", "seats", "holders", "moves", "visits", "results", "archives")


# --- Rows ---------------------------------------------------------------------------------------------------------------------


def played_tables(server: Server) -> dict[str, str]:
    """Real tables by what they are: `over`, `running` and `waiting`."""
    with httpx.Client(base_url=server.address, timeout=60) as http:

        def table(**more: Any) -> tuple[str, list[dict[str, str]]]:
            asked = {"game": "mural", "players": 2, "ready": True} | more
            made = http.post("/api/tables", json=asked).raise_for_status().json()
            people = [{"Authorization": f"Bearer {made['token']}"}]
            if more.get("ready", True):
                sat = http.post(f"/api/tables/{made['id']}/seats", json={"ready": True}).raise_for_status().json()
                people.append({"Authorization": f"Bearer {sat['token']}"})
            return made["id"], people

        def play(id: str, people: list[dict[str, str]], count: int) -> None:
            for number in range(count):
                views = [(http.get(f"/api/tables/{id}", headers=person).json(), person) for person in people]
                view, person = next((view, person) for view, person in views if view["moves"])
                move = {"number": number, "code": view["moves"][0]["code"]}
                http.post(f"/api/tables/{id}/moves", json=move, headers=person).raise_for_status()

        over, people = table()
        play(over, people, MOVES)
        http.post(f"/api/tables/{over}/resign", json={"seat": 0}, headers=people[0]).raise_for_status()
        http.get("/api/me/matches", headers=people[0]).raise_for_status()  # stores the result
        running, people = table(clock={"days": 3})
        play(running, people, MOVES)
        waiting, _ = table(ready=False, public=True)
        time.sleep(2 * archives.LOOK_EVERY + 1)  # until the finished match is archived
    return {"over": over, "running": running, "waiting": waiting}


def rows_of(connection: sa.Connection, table: str) -> Rows:
    """All rows of a table."""
    found: Rows = {}
    for name in COPIED:
        kept = storage.metadata.tables[name]
        key = kept.c.id if name == "tables" else kept.c.table_id
        found[name] = [dict(row) for row in connection.execute(sa.select(kept).where(key == table)).mappings()]
    return found


def fill(engine: sa.Engine, kinds: dict[str, str], matches: int) -> str:
    """Copy the tables by statements of the database; a person with many of them.

    Copy number n of a kind has an id and two persons that follow from n, and a time within the last year.
    """
    sqlite = engine.dialect.name == "sqlite"
    persons = max(2, matches // PERSONS)
    with engine.connect() as connection:
        found = {kind: rows_of(connection, id) for kind, id in kinds.items()}
    if sqlite:
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA synchronous=OFF")
    hexadecimal = "printf('%0{}x', {})" if sqlite else "lpad(to_hex({1}), {0}, '0')"
    stamp = f"{time.time()} - {YEAR} * ((n * 7919) % 999983) / 999983.0"
    for letter, kind in zip("abc", kinds, strict=True):
        count = matches if kind == "over" else max(1, matches // 1000)
        id = f"'{letter}' || {hexadecimal.format(11, 'n')}"
        owners = [hexadecimal.format(64, f"(n * {step}) % {persons}") for step in (1, 31)]
        known = [row["owner"] for row in found[kind]["holders"] or found[kind]["seats"] if row["owner"]]
        for first in range(0, count, PART):
            numbers = series(first, min(count, first + PART), sqlite)
            with engine.execution_options(writes=True).begin() as connection:
                for name in COPIED:
                    for row in found[kind][name]:
                        copy_row(connection, storage.metadata.tables[name], row, numbers, id, known, owners, stamp)
    if not sqlite:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")  # as its own background process does in time
    return f"{1:064x}"


def series(first: int, end: int, sqlite: bool) -> str:
    """A table expression with the numbers n from `first` up to `end`."""
    if sqlite:
        rest = f"UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < {end}"
        return f"(WITH RECURSIVE numbers(n) AS (SELECT {first} {rest}) SELECT n FROM numbers) AS numbers"
    return f"(SELECT n::bigint FROM generate_series({first}, {end - 1}) AS n) AS numbers"


def copy_row(
    connection: sa.Connection,
    table: sa.Table,
    row: dict[str, Any],
    numbers: str,
    id: str,
    known: list[str],
    owners: list[str],
    stamp: str,
) -> None:
    """Insert one copy of a row for each number."""
    chosen, values = [], {}
    for column, value in row.items():
        if column == "table_id" or (column == "id" and table.name == "tables"):
            chosen.append(id)
        elif column in ("owner", "creator") and value:
            chosen.append(owners[known.index(value) % 2 if value in known else 0])
        elif column in ("created", "updated", "stamp"):
            chosen.append(stamp)
        elif value is None:
            chosen.append("NULL")
        else:
            chosen.append(f":{column}")
            values[column] = value
    names = ", ".join(row)
    connection.execute(sa.text(f"INSERT INTO {table.name} ({names}) SELECT {', '.join(chosen)} FROM {numbers}"), values)


# --- Measuring -----------------------------------------------------------------------------------------------------------------


def times(work: Callable[[], Any], rounds: int = ROUNDS) -> dict[str, float]:
    """Milliseconds of some rounds: the median and the worst."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - start))
    return {"median": round(statistics.median(found), 1), "worst": round(max(found), 1)}


def measure_server(data: Any, tables: list[str]) -> dict[str, Any]:
    """What people wait for."""
    server = Server(data)
    start = time.perf_counter()
    server.start()
    found: dict[str, Any] = {"start_s": round(time.perf_counter() - start, 2)}
    try:
        with httpx.Client(base_url=server.address, timeout=60) as http:
            time.sleep(5)  # until the worker processes have loaded the games
            ids = iter(tables)
            http.get(f"/api/tables/{next(ids)}").raise_for_status()
            found["open_table_ms"] = times(lambda: http.get(f"/api/tables/{next(ids)}").raise_for_status())
            found["home_page_ms"] = times(lambda: http.get("/").raise_for_status())
            found["public_tables_ms"] = times(lambda: http.get("/api/public").raise_for_status())
            made = http.post("/api/tables", json={"game": "mural", "players": 2}).raise_for_status().json()
            mine = {"Authorization": f"Bearer {made['token']}"}
            found["new_table_ms"] = times(
                lambda: http.post("/api/tables", json={"game": "mural", "players": 2}, headers=mine).raise_for_status()
            )
            found["own_tables_ms"] = times(lambda: http.get("/api/tables", headers=mine).raise_for_status())
    finally:
        server.kill(signal.SIGTERM)
    return found


def measure_storage(data: Any, person: str) -> dict[str, Any]:
    """What the server and its host do beside."""
    found: dict[str, Any] = {}

    async def passes() -> None:
        kept = Storage(data)
        services = Services(kept, (0, 0), 60, 60, 1)
        tables = Tables(services, 300)
        old = upkeep.Upkeep(tables, Bans(), Shares(10, 10), 3650, 3650)

        def read(work: Callable[[sa.Connection], Any]) -> dict[str, float]:
            with kept.engine.connect() as connection:
                return times(lambda: work(connection))

        found["own_of_a_person_ms"] = read(lambda connection: storage.select_own(connection, person, 100))
        found["quota_ms"] = read(lambda connection: storage.count_own(connection, person))
        found["clocks_ms"] = read(
            lambda connection: correspondence.due_tables(connection, services.now(), services.opened, services.clock_run)
        )
        found["alerts_ms"] = read(alert_storage.acting)
        found["retention_ms"] = read(old.too_old)
        found["to_archive_ms"] = read(lambda connection: archives.unarchived(connection, 10))
        found["listed_by_host_ms"] = read(admin.listed)
        found["running_for_host_ms"] = read(lambda connection: admin.listed(connection, status="playing"))
        await services.close()
        kept.close()

    asyncio.run(passes())
    command = [sys.executable, "-m", "perankh", "admin", "list", "--data", str(data)]
    found["admin_list_command_ms"] = times(lambda: subprocess.run(command, check=True, capture_output=True), 3)
    return found


def measured(data: Any, matches: int) -> dict[str, Any]:
    """Fill a database and measure it."""
    server = Server(data).start()
    try:
        kinds = played_tables(server)
    finally:
        server.kill(signal.SIGTERM)
    engine = sa.create_engine(address_of(data))
    start = time.perf_counter()
    person = fill(engine, kinds, matches)
    filled = time.perf_counter() - start
    with engine.connect() as connection:
        over = sa.select(storage.tables.c.id).where(storage.tables.c.acting == 0, storage.tables.c.seed != "")
        ids = list(connection.execute(over.limit(ROUNDS + 1)).scalars())
        counts = {name: connection.scalar(sa.select(sa.func.count()).select_from(sa.table(name))) for name in COPIED}
    engine.dispose()
    figures = {"rows": counts, "filled_s": round(filled, 1)}
    return figures | measure_server(data, ids) | measure_storage(data, person)


def main() -> None:
    """Run the benchmark and print its figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--data", help="the address of an empty database (default: SQLite in a folder that is deleted)")
    parser.add_argument("--write", action="store_true", help="write the part of bench/RESULTS.md on stored matches")
    given = parser.parse_args()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        found["few"] = measured(Path(folder) / "few", 20)
        found["many"] = measured(given.data or Path(folder) / "many", given.matches)
    print(json.dumps(found, indent=2))
    if given.write:
        part, database = ("stored_postgresql", "PostgreSQL") if given.data else ("stored", "SQLite")
        results.write(part, results.stored_part(found, given.matches, database))


if __name__ == "__main__":
    main()
