"""What is asked of the database again and again uses indexes: its cost grows with the tables in play, not with those stored."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from perankh.web import (
    admin,
    alert_storage,
    archives,
    correspondence,
    loading,
    ownership,
    people,
    personal,
    standing,
    storage,
    upkeep,
)
from perankh.web.analysis import select_analysis
from perankh.web.bans import Bans
from perankh.web.limits import Shares
from perankh.web.storage import Storage, metadata, tables

MANY = 3000
ME = "a" * 64
# Tables that grow with what is stored. The others grow with the server's starts, its host's decisions, or those who are called.
LARGE = {"tables", "seats", "moves", "holders", "visits", "messages", "analyses", "results", "archives", "devices", "persons"}
# Indexes that hold only what is in play: to read them whole is allowed.
FEW = {name for name in (str(index.name) for index in tables.indexes) if name not in ("tables_by_updated", "tables_by_creator")}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A database with some thousand matches that are over, and a few in play."""
    kept = Storage(tmp_path_factory.mktemp("rows"))
    made = []
    for number in range(MANY):
        playing, waiting = number % 500 == 0, number % 500 == 1
        facts = {"id": f"{number:012}", "game": "mural", "rules": 1, "components": "none", "players": 2, "options": "{}"}
        facts |= {"seed": "" if waiting else f"{number:032x}", "readonly": 0, "number": 3, "acting": int(playing), "archived": 3}
        facts |= {"clock": "{}" if playing else None, "created": float(number), "updated": float(number), "creator": ME}
        made.append(facts | {"public": number % 2})
    with kept.engine.execution_options(writes=True).begin() as connection:
        connection.execute(tables.insert(), made)
        seats = [{"table_id": row["id"], "seat": p, "kind": "person", "owner": ME, "name": ""} for row in made for p in (0, 1)]
        connection.execute(storage.seats.insert(), seats)
    yield kept
    kept.close()


def statements_of(kept: Storage, work: Callable[[sa.Connection], Any]) -> list[tuple[str, Any]]:
    """The statements that some work executes."""
    found: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool) -> None:
        found.append((statement, values[0] if many else values))

    sa.event.listen(kept.engine, "before_cursor_execute", note)
    try:
        with kept.engine.connect() as connection:
            work(connection)
            connection.rollback()
    finally:
        sa.event.remove(kept.engine, "before_cursor_execute", note)
    return [(statement, values) for statement, values in found if statement.split()[0] in ("SELECT", "UPDATE", "DELETE")]


def plan_of(kept: Storage, statement: str, values: Any) -> list[str]:
    """How SQLite carries out a statement."""
    with kept.engine.connect() as connection:
        return [str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]


def whole_reads(plan: list[str]) -> list[str]:
    """The steps of a plan that read a large table from its first row to its last."""
    found = []
    for step in plan:
        scanned = re.match(r"SCAN (\w+)(?: AS \w+)?(?: USING (?:COVERING )?INDEX (\w+))?", step)
        if scanned and scanned[1] in LARGE and scanned[2] not in FEW:
            found.append(step)
    return found


def old_tables(kept: Storage) -> upkeep.Upkeep:
    idle: Any = SimpleNamespace(services=SimpleNamespace(storage=kept), tables={})
    return upkeep.Upkeep(idle, Bans(), Shares(10, 10), 1, 1)


ASKED: dict[str, Callable[[Storage], Callable[[sa.Connection], Any]]] = {
    "a table": lambda _: lambda c: storage.select_table(c, "000000000001"),
    "its visits": lambda _: lambda c: loading.select_visits(c, "000000000001"),
    "its chat": lambda _: lambda c: loading.select_messages(c, "000000000001"),
    "its analysis": lambda _: lambda c: select_analysis(c, "000000000001"),
    "its archive": lambda _: lambda c: archives.select_archive(c, "000000000001", 3),
    "a move": lambda _: (
        lambda c: (
            storage.insert_moves(c, "000000000000", 3, [(0, "a", 1.0, None)]),
            storage.update_table(c, "000000000000", {"number": 4, "updated": 1.0}),
        )
    ),
    "taking back": lambda _: lambda c: storage.delete_moves(c, "000000000000", 2),
    "seats": lambda _: lambda c: storage.update_seats(c, "000000000000", [{"name": "x"}]),
    "own tables": lambda _: lambda c: storage.select_own(c, ME, 100),
    "public tables": lambda _: lambda c: storage.select_public(c, 0.0, 30),
    "quota": lambda _: lambda c: storage.count_own(c, ME),
    "results to count": lambda _: lambda c: standing.uncounted(c, ME),
    "standing": lambda _: lambda c: standing.select_played(c, ME),
    "clocks": lambda _: lambda c: correspondence.due_tables(c, 0.0, 0.0, "this"),
    "whose turn": lambda _: alert_storage.acting,
    "one's turns": lambda _: lambda c: alert_storage.acting(c, ME),
    "matches to archive": lambda _: lambda c: archives.unarchived(c, 10),
    "writing an archive": lambda _: lambda c: archives.insert_archive(c, "000000000002", 3, b"x"),
    "tables that are too old": lambda kept: old_tables(kept).too_old,
    "deleting tables": lambda _: lambda c: storage.delete_tables(c, ["000000000001", "000000000002"]),
    "closing tables": lambda _: lambda c: storage.close_tables(c, ["000000000001"]),
    "a person": lambda _: lambda c: people.select_person(c, ME),
    "a person's export": lambda _: lambda c: personal.export(c, ME),
    "a person's tables": lambda _: lambda c: ownership.tables_about(c, "b" * 64),
    "a person who goes": lambda _: lambda c: personal.erase(c, "b" * 64),
    "two who become one": lambda _: lambda c: ownership.move(c, "b" * 64, "c" * 64),
    "the host's list": lambda _: admin.listed,
    "the host's list of running matches": lambda _: lambda c: admin.listed(c, status="playing"),
    "the host's list of lobbies": lambda _: lambda c: admin.listed(c, status="waiting"),
    "the host's list of closed tables": lambda _: lambda c: admin.listed(c, status="closed"),
}
LISTED_BY_TIME = ("the host's list",)  # read from the newest on, up to a limit


@pytest.mark.parametrize("what", ASKED)
def test_nothing_reads_all_stored_rows(filled: Storage, what: str) -> None:
    asked = statements_of(filled, ASKED[what](filled))
    assert asked
    for statement, values in asked:
        plan = plan_of(filled, statement, values)
        found = whole_reads(plan)
        if what in LISTED_BY_TIME:
            found = [step for step in found if not step.endswith("USING INDEX tables_by_updated")]
            assert not any("ORDER BY" in step for step in plan)
        assert not found, (statement, plan)


def test_a_statement_that_reads_all_rows_is_found(filled: Storage) -> None:
    without_index = sa.select(tables.c.id).where(tables.c.game == "mural")
    ((statement, values),) = statements_of(filled, lambda c: c.execute(without_index).all())
    assert whole_reads(plan_of(filled, statement, values))


def test_every_index_of_what_is_in_play_is_made_on_both_databases(any_data: str) -> None:
    kept = Storage(any_data)
    try:
        found = {index["name"] for index in sa.inspect(kept.engine).get_indexes("tables")}
        assert found == {index.name for index in metadata.tables["tables"].indexes}
    finally:
        kept.close()
