"""The strongest bot of a table thinks while persons do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perankh.web.agreements import Settings
from perankh.web.catalog import offered_games
from perankh.web.pondering import POSITIONS
from perankh.web.scheduler import NOBODY
from perankh.web.table import Table
from perankh.web.tables import Tables

from .conftest import in_a_loop, tables_in

RED = "digest of red"
PATIENCE = 300  # seconds: processes that ponder go last where others want the processors


async def dealt(tables: Tables, bot: str) -> Table:
    """A table of Imhotep at which a person begins against a bot. Nothing is compiled here: the bot plays by its network."""
    game = offered_games()["imhotep"]
    tables.services.compiled.add(game.place)
    seats = [{"kind": "me", "name": None}, {"kind": "bot", "bot": bot}]
    begins = {"start_player": 0}
    id, _ = await tables.create(RED, game, 2, begins, seats, None, 3, Settings(60.0), ready=True)
    table = await tables.known(id)
    table.attendance.note(NOBODY)
    table.wake_bots()
    return table


async def until(fits: Callable[[], bool]) -> None:
    for _ in range(PATIENCE * 20):
        if fits():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it does not happen")


def in_tables(folder: Path, work: Callable[[Tables], Any]) -> None:
    async def run() -> None:
        tables = tables_in(folder)
        try:
            await work(tables)
        finally:
            await tables.services.close()
            tables.services.storage.close()

    in_a_loop(run())


async def reply(table: Table, code: str) -> int:
    """Make a move for the person, and wait for what the bot plays."""
    number = table.number
    await table.move(RED, number, code, 0)
    await until(lambda: table.number > number + 1)
    return table.match.played[number + 1][1]


def test_what_was_thought_of_is_played_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(tables: Tables) -> None:
        table = await dealt(tables, "pharaoh")
        pondering = table.pondering
        await until(lambda: pondering.task is not None and pondering.task.done())
        assert 0 < len(pondering.found) <= POSITIONS
        game, state = table.game, table.match.state
        after = {}
        for action in game.legal(state, 0):
            then = state.copy()
            game.rules.apply(then, 0, action)
            after[1, game.veiled(then, 1).to_bytes()] = action
        (key, chosen), *_ = ((key, found) for key, found in pondering.found.items() if key in after)

        async def none(*_: Any, **__: Any) -> None:
            raise AssertionError("the bot thinks again")

        monkeypatch.setattr(tables.services, "bot_decision", none)
        assert await reply(table, game.text.CODES[after[key]]) == chosen

    in_tables(tmp_path, work)


def test_pondering_stops_when_somebody_has_moved_and_when_nobody_is_there(tmp_path: Path) -> None:
    async def work(tables: Tables) -> None:
        table = await dealt(tables, "pharaoh")
        first = table.pondering.task
        assert first
        await reply(table, table.game.text.CODES[int(table.game.legal(table.match.state, 0)[0])])
        assert first.done()
        await until(lambda: table.pondering.task is not None and table.pondering.task is not first)
        second = table.pondering.task
        assert second
        table.attendance.heard.clear()
        table.wake_bots()
        await until(second.done)
        assert table.pondering.task is None

    in_tables(tmp_path, work)


def test_other_levels_do_not_ponder(tmp_path: Path) -> None:
    async def work(tables: Tables) -> None:
        table = await dealt(tables, "vizier")
        assert table.pondering.task is None

    in_tables(tmp_path, work)
