"""What all tables of a server share: storage, settings, worker processes and background tasks."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from perankh.bots import decide, game_at, is_ready, searcher_of
from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.errors import PerankhError
from perankh.web import catalog, rendering
from perankh.web.storage import Storage
from perankh.workers import WorkerFailed, WorkerPool

T = TypeVar("T")
NICE = 5  # where processors are few, the server that answers goes before its workers
RENDERING_LIMIT = 15.0  # seconds after which a process that renders is given up and replaced
BOT_LIMIT = 60.0  # the same for one that plays for bots; the first decision of a game loads its search
MOST_HEARD = 100_000  # persons at tables whose last sign of life is kept

logger = logging.getLogger(__name__)


class Services:
    """Storage, settings, worker processes and background tasks; tables know these and not each other."""

    def __init__(self, storage: Storage, bot_pause: tuple[float, float], away: float, work_limit: float) -> None:
        self.storage = storage
        self.bot_pause = bot_pause  # seconds a bot seems to think at the start of its turn, at least and at most
        self.away = away  # seconds after which a person counts as away, unless the table has its own time
        self.started = time.monotonic()
        self.heard: OrderedDict[tuple[str, str], float] = OrderedDict()  # when somebody was last heard of at a table
        self.rendering_limit = min(RENDERING_LIMIT, work_limit)
        self.bot_limit = min(BOT_LIMIT, work_limit)
        self.renderers = WorkerPool(nice=NICE, initializer=rendering.load)
        self.bots = WorkerPool(nice=NICE)
        self.compiled: set[str] = set()  # games whose search is known to be compiled
        self.is_compiling = False  # are the searches of all games being compiled?
        self.tasks: set[asyncio.Task[Any]] = set()

    def open(self, compile_all: bool) -> None:
        """Start the process that renders; `compile_all`: have the search of every game compiled meanwhile."""
        self.start(self.run(self.renderers, rendering.load))
        if compile_all:
            self.start(self.compile_searches())

    async def close(self) -> None:
        """Cancel the tasks and end the processes."""
        for task in self.tasks:
            task.cancel()
        await asyncio.to_thread(self.renderers.shutdown)
        await asyncio.to_thread(self.bots.shutdown)

    # --- Who was heard of ----------------------------------------------------------------------------------------------------

    def hear(self, table: str, who: str) -> None:
        """Somebody was heard of at a table; kept while the server runs, whether the table is in memory or not."""
        self.heard[table, who] = time.monotonic()
        self.heard.move_to_end((table, who))
        if len(self.heard) > MOST_HEARD:
            self.heard.popitem(last=False)

    def last_heard(self, table: str, who: str) -> float:
        """When somebody was last heard of at a table. The time before the server started does not count as absence."""
        return self.heard.get((table, who), self.started)

    # --- Background tasks ---------------------------------------------------------------------------------------------------

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task that is kept until it is done."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish a change even if whoever asked for it goes away."""
        return await asyncio.shield(self.start(work))

    # --- Work for other processes ---------------------------------------------------------------------------------------------

    async def run(self, pool: WorkerPool, function: Callable[..., T], *arguments: Any, limit: float | None = None) -> T:
        """The result of a function in a worker process; a process that hangs or ends is replaced and the work done once more."""
        return await asyncio.wrap_future(pool.submit(function, *arguments, timeout=limit, retry=True))

    async def render(self, function: Callable[..., T], *arguments: Any) -> T:
        """The result of one of the functions of `rendering`."""
        return await self.run(self.renderers, function, *arguments, limit=self.rendering_limit)

    async def bot_decision(self, game: Game, seen: Record, p: int, bot: str) -> int | None:
        """A bot's decision from the veiled state alone; None if there is none to be had."""
        return await self.ask_bots(decide, game, seen, p, bot, secrets.randbits(64))

    async def ask_bots(self, function: Callable[..., T], game: Game, seen: Record, *arguments: Any) -> T | None:
        """The result of a function of a game and a veiled state in the bots' process; None if it fails."""
        try:
            return await self.run(self.bots, function, str(game.folder), seen.to_bytes(), *arguments, limit=self.bot_limit)
        except (WorkerFailed, PerankhError, OSError) as error:
            logger.warning("a bot failed: %s", error)
            return None

    # --- Compiled search ----------------------------------------------------------------------------------------------------

    async def check_compiled(self, game: Game) -> bool:
        """Is a game's search compiled? Remembered once it is."""
        if game.name not in self.compiled and await asyncio.to_thread(is_ready, game):
            self.compiled.add(game.name)
        return game.name in self.compiled

    async def compile_searches(self) -> None:
        """Compile the searches that are not on the disk, in a process of its own; until then bots play uncompiled."""
        self.is_compiling = True
        pool = WorkerPool(nice=NICE)
        try:
            for game in catalog.offered_games().values():
                await self.run(pool, compile_search, str(game.folder))
                await self.check_compiled(game)
        except (PerankhError, OSError) as error:
            logger.warning("the bots could not be compiled: %s", error)
        finally:
            self.is_compiling = False
            await asyncio.to_thread(pool.shutdown)


def compile_search(folder: str) -> None:
    """Have a game's search compiled, if it is not: runs in a worker process."""
    game = game_at(folder)
    if not is_ready(game):
        searcher_of(game).warm()
