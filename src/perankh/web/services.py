"""What all tables of a server share: storage, settings, worker processes and background tasks."""

from __future__ import annotations

import asyncio
import functools
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from perankh.bots import cores, decide, game_at, is_ready, limit_threads, searcher_of
from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.errors import BadOption, PerankhError
from perankh.match.match import Match
from perankh.web import catalog, rendering, replays, traces
from perankh.web.clock import SHARED, this_run
from perankh.web.jobs import JobPool
from perankh.web.levels import OfferedBots
from perankh.web.refusal import Refused, refused
from perankh.web.scheduler import Caller, Kind, Scheduler, caller
from perankh.web.storage import Storage, Unavailable
from perankh.workers import WorkerFailed, WorkerPool, preload

if TYPE_CHECKING:
    from perankh.web.cluster import Cluster

T = TypeVar("T")
COMPILING_NICE = 5  # where processors are few, the server that answers goes before its workers
EDITION_NICE = 15  # anybody can make an edition: bots and views go before its search
REST = 120.0  # seconds without a sign of life from anybody after which the bots of a table rest
FEW_MOVES = 64  # so many are replayed in a thread of the server
IDLE = 60.0  # seconds after which a process that analyses is ended
MOST_HEARD = 100_000  # persons at tables whose last sign of life is kept
PAUSE = 1.0  # seconds before a background task that failed begins again
START_PATIENCE = 60.0  # seconds that a starting server waits for a database that does not answer

# The kinds of work, with the time after which a process that does not finish is replaced.
VIEW = Kind("rendering", 15.0, waiting=200, at_table=50)
BOT = Kind("thinking", 60.0)  # one at a time for a table; the first decision of a game loads its search
HINT = Kind("thinking", 60.0, waiting=4, at_table=2, urgency=0)
LOAD = Kind("replaying", 60.0, waiting=16, urgency=0)
LOG = Kind("replaying", 30.0, waiting=32, urgency=0)
LOOK = Kind("replaying", 30.0, waiting=16, at_table=8)  # earlier positions and files
UPLOAD = Kind("replaying", 20.0, waiting=2)
ANALYSIS = Kind("analysing", 60.0)  # one at a time for a match
REPORT = Kind("replaying", 30.0)  # the same
PONDER = Kind("analysing", 60.0)  # one at a time for a table

logger = logging.getLogger(__name__)
preload("perankh.web.preloaded")


async def when_available(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do something that a starting server needs the database for; if it does not answer, again for a while."""
    until = time.monotonic() + START_PATIENCE
    while True:
        try:
            return await work()
        except Unavailable:  # the storage has told why
            if time.monotonic() > until:
                raise
            await asyncio.sleep(PAUSE)


class Services:
    """Storage, settings, worker processes and background tasks; tables know these and not each other."""

    def __init__(
        self,
        storage: Storage,
        bot_pause: tuple[float, float],
        away: float,
        work_limit: float,
        workers: int | None = None,
        rest: float = REST,
        now: Callable[[], float] | None = None,
        elsewhere: bool = False,
        levels: Sequence[str] = (),
    ) -> None:
        """`workers`: for how many processors there are worker processes; all by default. `now`: what clocks run by.

        `elsewhere`: machines of their own do the work of bots, hints and analyses (`perankh work`). `levels`: the bots offered.
        """
        self.storage = storage
        self.bots = OfferedBots(levels)
        self.bot_pause = bot_pause  # seconds a bot seems to think at the start of its turn, at least and at most
        self.away = away  # seconds after which a person counts as away, unless the table has its own time
        self.started = time.monotonic()
        self.now = now or storage.now
        self.clock_run = SHARED if storage.shared else this_run()  # on whose clock times are measured
        self._opened: float | None = None
        self.heard: OrderedDict[tuple[str, str], float] = OrderedDict()  # when somebody was last heard of at a table
        self.rest = rest  # seconds without a sign of life from anybody after which the bots of a table rest
        self.work_limit = work_limit
        self.cluster: Cluster | None = None  # the other servers on the same database
        if workers is not None and workers < 1:
            raise BadOption(f"at least one worker is needed, not {workers}")
        if elsewhere and not storage.shared:
            raise BadOption("bots can think elsewhere if the data are in PostgreSQL, where machines find the work")
        self.jobs = JobPool(storage, self.resize) if elsewhere else None
        self.schedulers = schedulers(workers or cores(), self.jobs)
        self.compiled: set[str] = set()  # games whose search is known to be compiled
        self.compiles = False  # is it to compile searches?
        self.begun: set[str] = set()  # editions whose search was to be compiled
        self.is_compiling = False  # are searches being compiled?
        self.tasks: set[asyncio.Task[Any]] = set()
        self.observers: list[Callable[[Any], None]] = []  # called with every table that has changed
        # Called with a table, seats, and what the table waits for from their persons besides their turns.
        self.callers: list[Callable[[Any, Sequence[int], str], None]] = []

    def call(self, table: Any, seats: Sequence[int], what: str) -> None:
        """A table waits for the persons of some seats, besides their turns."""
        for ask_for in self.callers:
            ask_for(table, seats, what)

    def open(self, compile_all: bool) -> None:
        """Start the processes that people wait for first; `compile_all`: have the search of every game compiled meanwhile."""
        for kind in (VIEW, LOAD):
            self.start(self.warm(kind))
        if self.jobs:
            self.keep_running(self.jobs.watch)
            return
        self.compiles = compile_all
        if compile_all:
            self.start(self.compile_searches(catalog.offered_games().values()))

    async def warm(self, kind: Kind) -> None:
        """Have a process load the games; one that does not get ready in time is replaced when somebody needs it."""
        with suppress(WorkerFailed):
            await self.run(kind, "", rendering.load)

    async def close(self) -> None:
        """Cancel the tasks and end the processes."""
        for task in self.tasks:
            task.cancel()
        for scheduler in self.schedulers.values():
            scheduler.cancel()
        for scheduler in self.schedulers.values():
            await asyncio.to_thread(scheduler.pool.shutdown)

    @property
    def opened(self) -> float:
        """When the clocks of this run began: when one was first asked for. The time that a start takes counts against nobody."""
        if self._opened is None:
            self._opened = self.now()
        return self._opened

    # --- Who was heard of ----------------------------------------------------------------------------------------------------

    def hear(self, table: str, who: str) -> None:
        """Somebody was heard of at a table; kept while the server runs, whether the table is in memory or not."""
        self.note_presence(table)
        self.heard[table, who] = time.monotonic()
        self.heard.move_to_end((table, who))
        if len(self.heard) > MOST_HEARD:
            self.heard.popitem(last=False)

    def last_heard(self, table: str, who: str) -> float:
        """When somebody was last heard of at a table. The time before the server started does not count as absence."""
        return self.heard.get((table, who), self.started)

    def forget(self, who: str) -> None:
        """Somebody has gone for good."""
        for key in [key for key in self.heard if key[1] == who]:
            del self.heard[key]

    # --- Other servers ------------------------------------------------------------------------------------------------------

    def is_in_charge(self, table: str) -> bool:
        """Is it for this server to look after the clock, the bots and the questions of a table?"""
        return self.cluster is None or self.cluster.holds(table)

    def note_presence(self, table: str, soon: bool = False) -> None:
        """Let other servers know who is at a table: at once if somebody has come or gone (`soon`)."""
        if self.cluster:
            self.cluster.note(table, soon)

    def resize(self, slots: int) -> None:
        """The machines that work for this server can do so many jobs at once: analyses no more than half of them."""
        self.schedulers["thinking"].resize(slots)
        self.schedulers["analysing"].resize(min(slots, max(1, slots // 2)))

    # --- Background tasks ---------------------------------------------------------------------------------------------------

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task that is kept until it is done."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def keep_running(self, watch: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """A task that looks after something as long as the server runs: a fault is logged, and it begins again."""

        async def run() -> None:
            while True:
                try:
                    return await watch()
                except Exception:
                    logger.exception("a background task failed and begins again")
                    await asyncio.sleep(PAUSE)

        self.start(run())

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish a change even if whoever asked for it goes away."""
        return await asyncio.shield(self.start(work))

    # --- Work for other processes ---------------------------------------------------------------------------------------------

    async def run(self, kind: Kind, table: str, function: Callable[..., T], *arguments: Any, payers: Iterable[Caller] = ()) -> T:
        """The result of a function in a worker process; a process that hangs or ends is replaced and the work done once more.

        It is charged to whoever asks, or to that one of the payers who has to wait least.
        """
        scheduler = self.schedulers[kind.pool]
        who = min(payers, key=scheduler.load, default=caller.get())
        with traces.span(f"job {function.__name__}", {"perankh.pool": kind.pool}):
            return await scheduler.submit(kind, who, table, min(kind.seconds, self.work_limit), function, *arguments)

    async def replay(self, kind: Kind, table: str, function: Callable[..., T], *arguments: Any) -> T:
        """The same for one of the functions of `replays`; refused if it takes too long."""
        try:
            return await self.run(kind, table, function, *arguments)
        except WorkerFailed as error:
            logger.error("a match could not be replayed: %s", error)
            raise refused(503, "took_long") from None

    async def state_at(self, table: str, match: Match, number: int) -> Record:
        """The state of a match after so many moves."""
        state, moves = match.path_to(number)
        if len(moves) <= FEW_MOVES:
            return (await asyncio.to_thread(match.at, number)).state
        given = (match.game.place, state.to_bytes(), moves)
        return match.game.State.from_bytes(await self.replay(LOOK, table, replays.record_after, *given))

    async def ask_bots(
        self,
        kind: Kind,
        table: str,
        function: Callable[..., T],
        game: Game,
        seen: Record,
        *given: Any,
        payers: Iterable[Caller] = (),
    ) -> T | None:
        """The result of a function of a game and a veiled state in a process of the bots; None if it fails."""
        if kind is HINT and not self.schedulers[kind.pool].slots:
            return None  # there is no machine now, and somebody waits
        try:
            return await self.run(kind, table, function, game.place, seen.to_bytes(), *given, payers=payers)
        except Refused:
            raise
        except (WorkerFailed, PerankhError, OSError) as error:
            logger.warning("a bot failed: %s", error)
            return None

    async def bot_decision(self, table: str, payers: Iterable[Caller], game: Game, seen: Record, p: int, bot: str) -> int | None:
        """A bot's decision from the veiled state alone; None if there is none to be had."""
        return await self.ask_bots(BOT, table, decide, game, seen, p, bot, secrets.randbits(64), payers=payers)

    # --- Compiled search ----------------------------------------------------------------------------------------------------

    async def check_compiled(self, game: Game) -> bool:
        """Is a game's search compiled? Remembered once it is. That of an edition is compiled when it is first asked for.

        It is looked for again and again: machine code is kept of the latest editions only. Machines see to it themselves.
        """
        if self.jobs:
            self.compiled.add(game.place)
            return True
        if game.edition or game.place not in self.compiled:
            ready = await asyncio.to_thread(is_ready, game)
            (self.compiled.add if ready else self.compiled.discard)(game.place)
        if game.place in self.compiled:
            self.begun.discard(game.place)
        elif game.edition and game.place not in self.begun and self.compiles and not self.is_compiling:
            self.begun.add(game.place)
            self.start(self.compile_searches([game]))
        return game.place in self.compiled

    async def compile_searches(self, games: Collection[Game]) -> None:
        """Compile the searches that are not on the disk, in a process of its own; until then bots play uncompiled."""
        self.is_compiling = True
        pool = WorkerPool(nice=EDITION_NICE if any(game.edition for game in games) else COMPILING_NICE)
        try:
            for game in games:
                await asyncio.wrap_future(pool.submit(compile_search, game.place, retry=True))
                await self.check_compiled(game)
        except (PerankhError, OSError) as error:
            logger.warning("the bots could not be compiled: %s", error)
        finally:
            self.is_compiling = False
            await asyncio.to_thread(pool.shutdown)


def schedulers(processors: int, jobs: JobPool | None = None) -> dict[str, Scheduler]:
    """The worker processes for a number of processors, by what they do; who answers people goes before who thinks.

    There are at least two processes that think, so that nobody takes all of them. They share the processors for their threads.
    There are none if others do these jobs.
    """
    half = max(1, processors // 2)
    thinking = max(2, half)
    threads = functools.partial(limit_threads, max(1, processors // thinking))
    return {
        "rendering": Scheduler(WorkerPool(half, nice=3, initializer=rendering.load, ahead=True), short=True),
        "thinking": Scheduler(jobs or WorkerPool(thinking, nice=8, initializer=threads)),
        "replaying": Scheduler(WorkerPool(max(2, half), nice=5, initializer=rendering.load)),
        "analysing": Scheduler(jobs or WorkerPool(max(1, processors // 4), nice=15, initializer=threads, idle=IDLE)),
    }


def compile_search(folder: str) -> None:
    """Have a game's search compiled, if it is not: runs in a worker process."""
    game = game_at(folder)
    if not is_ready(game):
        searcher_of(game).warm()
