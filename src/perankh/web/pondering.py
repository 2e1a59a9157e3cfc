"""The strongest bot of a table thinks while persons do. It stops when somebody has moved, and when nobody is there."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from perankh.bots.pondering import likely_positions, ponder
from perankh.engine.state import Record
from perankh.web.scheduler import Caller
from perankh.web.services import PONDER

if TYPE_CHECKING:
    from perankh.web.table import Table

T = TypeVar("T")
LEVEL = "pharaoh"  # who ponders
POSITIONS = 4  # that are searched for a decision of a person, for all bots of a table together
BUSY = 1.0  # seconds until the next look whether analyses are done: they go first


class Pondering:
    """What the bots of a table have found for positions that may come."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.position: Record | None = None  # the one that is, or was, pondered on
        self.task: asyncio.Task[None] | None = None
        self.found: dict[tuple[int, bytes], int] = {}  # by seat and what it would see: the move

    def update(self) -> None:
        """Begin when a person has to decide, and stop when that has changed."""
        table = self.table
        bots = self.bots()
        position = table.match.state if bots else None
        if position is self.position:
            return
        if self.task:
            self.task.cancel()
        self.position, self.task = position, None
        if position is not None:
            self.task = table.services.start(self.run(position, bots))

    def bots(self) -> list[int]:
        """The seats that may ponder now."""
        table = self.table
        bots = [p for p, seat in enumerate(table.seats) if seat.kind == "bot" and seat.bot == LEVEL]
        if not bots or table.status != "playing" or table.readonly or table.lesson or table.gone:
            return []
        waits = table.acting_bot() is None and table.attending() and table.services.is_in_charge(table.id)
        return bots if waits else []

    async def run(self, position: Record, bots: list[int]) -> None:
        """Search the likeliest positions for each bot, one after the other."""
        self.found.clear()
        table, services, most = self.table, self.table.services, max(1, POSITIONS // len(bots))
        if not await services.check_compiled(table.game):
            return
        for p in bots:
            likely = await self.ask(bots, likely_positions, table.game.veiled(position, p), p, most)
            for record in map(bytes.fromhex, likely or []):
                action = await self.ask(bots, ponder, table.game.State.from_bytes(record), p)
                if action is not None:
                    self.found[p, record] = action

    async def ask(self, bots: list[int], function: Callable[..., T], seen: Record, p: int, *given: int) -> T | None:
        """The result of a function, when the processes have nothing else to do; None if the bots need not ponder any more."""
        services = self.table.services
        scheduler = services.schedulers[PONDER.pool]
        while self.bots() == bots:
            if scheduler.slots and not scheduler.all.active:
                asked = (PONDER, self.table.id, function, self.table.game, seen, p, secrets.randbits(48))
                return await services.ask_bots(*asked, *given, payers=self.table.payers())
            await asyncio.sleep(BUSY)
        return None

    async def decision(self, p: int, bot: str, seen: Record, payers: Iterable[Caller]) -> int | None:
        """A bot's decision: what was found while others thought, if that came about; None if there is none to be had."""
        found = self.found.get((p, seen.to_bytes())) if bot == LEVEL else None
        table = self.table
        return found if found is not None else await table.services.bot_decision(table.id, payers, table.game, seen, p, bot)
