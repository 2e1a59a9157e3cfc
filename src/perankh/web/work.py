"""`perankh work`: a machine that does work for servers on the same PostgreSQL database (`web/jobs.py`).

It needs the rows of three tables of the database and no others, listens to nobody but the database, and is told no more than
a bot may know. Several can run, on as many machines as one likes.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import secrets
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.bots import cores, limit_threads
from perankh.errors import PerankhError
from perankh.web import catalog, jobs, storage
from perankh.web.cluster import Listener
from perankh.web.data import address_of, cause_of, open_engine, shown
from perankh.web.services import COMPILING_NICE, compile_search
from perankh.workers import WorkerPool, preload

T = TypeVar("T")
BEAT = 1.0  # seconds between two signs of life, and between two looks for jobs that no notification told of
PATIENCE = 60.0  # seconds for which jobs are finished after the machine was told to stop
NICE = 5  # the process that talks to the database goes before those that think
logger = logging.getLogger(__name__)


def work(data: str, slots: int | None = None) -> None:
    """Work for the servers on a database until told to stop. `slots`: how many jobs at once; as many as there are processors."""
    address = address_of(data)
    if address.drivername == "sqlite":
        raise PerankhError(
            f"{shown(address)}: machines work for servers that share a PostgreSQL database: --data postgresql://..."
        )
    engine = open_engine(address)
    try:
        check_version(engine)
        asyncio.run(Machine(engine, slots or cores()).run())
    except sa.exc.SQLAlchemyError as error:
        raise PerankhError(f"{shown(address)}: cannot be used for work: {cause_of(error)}") from None
    finally:
        engine.dispose()


def check_version(engine: sa.Engine) -> None:
    """Refuse data of another version, or none. A machine changes nothing about them."""
    with engine.connect() as connection:
        known = sa.inspect(connection).has_table("schema")
        version = connection.execute(sa.select(storage.schema.c.version)).scalar() if known else None
    if version is None:
        raise PerankhError(f"{shown(engine.url)}: there are no data yet: start a server first")
    if version != storage.VERSION:
        raise PerankhError(f"the data are of version {version}, and this Per-Ankh is for version {storage.VERSION}")


def set_when_told_to_stop(event: asyncio.Event) -> None:
    """Set an event when the process is interrupted or told to end. Python's own handlers: loops of Windows have none."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(event.set))


class Machine:
    """Takes jobs, has them done by worker processes, and answers."""

    def __init__(self, engine: sa.Engine, slots: int) -> None:
        self.id = secrets.token_hex(8)
        self.engine = engine
        self.slots = slots
        self.needs = jobs.needs_of(jobs.offers()).values()
        self.doing: set[str] = set()  # jobs
        self.analysing = 0  # of them, analyses
        self.compiled: set[str] = set()  # places of games whose search is compiled
        self.compiling = asyncio.Lock()
        self.news = [asyncio.Event() for _ in range(slots)]  # by lane: there may be a job
        self.stopping = asyncio.Event()
        self.tasks: set[asyncio.Task[Any]] = set()

    async def run(self) -> None:
        """Work until told to stop, or until no server is like this machine."""
        servers = await self.write(jobs.served)
        self.check(servers)
        preload("perankh.web.preloaded")
        threads = functools.partial(limit_threads, max(1, cores() // self.slots))
        self.pool = WorkerPool(self.slots, nice=NICE, initializer=threads)
        self.compiler = WorkerPool(1, nice=NICE + COMPILING_NICE)
        listener = Listener(self.engine, self.hear, self.look, jobs.CHANNEL)
        set_when_told_to_stop(self.stopping)
        print(f"Servers to work for: {len(servers)}; jobs at a time: {self.slots} (stop it with Ctrl+C)", flush=True)
        try:
            listener.start()
            await self.prolong()
            self.start(self.compile_all())
            lanes = [self.start(self.lane(news)) for news in self.news]
            await self.watch()
            self.look()
            await asyncio.wait(lanes, timeout=PATIENCE)
        finally:
            listener.stop()
            for task in self.tasks:
                task.cancel()
            with suppress(sa.exc.SQLAlchemyError):
                await self.write(lambda connection: jobs.leave(connection, self.id))
            for pool in (self.pool, self.compiler):
                await asyncio.to_thread(pool.shutdown)

    def start(self, task: Any) -> asyncio.Task[Any]:
        """A task that is kept until it is done."""
        started: asyncio.Task[Any] = asyncio.create_task(task)
        self.tasks.add(started)
        started.add_done_callback(self.tasks.discard)
        return started

    async def write(self, change: Callable[[Connection], T]) -> T:
        """Run a function in a transaction, beside the event loop."""

        def run() -> T:
            with self.engine.begin() as connection:
                return change(connection)

        return await asyncio.to_thread(run)

    # --- Signs of life --------------------------------------------------------------------------------------------------------

    async def prolong(self) -> list[str]:
        """Say that this machine is alive; what the servers offer."""
        return await self.write(lambda connection: jobs.prolong(connection, self.id, self.slots, self.doing))

    def check(self, servers: list[str]) -> None:
        """Refuse to work if there are servers and all of them are of another kind."""
        found = [jobs.differences(jobs.offers(), offered) for offered in servers]
        if found and all(found):
            raise PerankhError(f"this machine cannot work for the servers on this database: {'; '.join(found[0])}")

    async def watch(self) -> None:
        """Say again and again that this machine is alive, until it is told to stop."""
        well = True
        while not self.stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), BEAT)
            try:
                self.check(await self.prolong())
                well = True
            except sa.exc.SQLAlchemyError as error:
                if well:
                    logger.warning("the database does not answer: %s", cause_of(error))
                well = False

    # --- Jobs -----------------------------------------------------------------------------------------------------------------

    def hear(self, _: str) -> None:
        """Somebody has handed out a job."""
        self.look()

    def look(self) -> None:
        """Have all lanes look for jobs."""
        for news in self.news:
            news.set()

    async def lane(self, news: asyncio.Event) -> None:
        """Do one job after the other."""
        while not self.stopping.is_set():
            news.clear()
            job = None
            with suppress(sa.exc.SQLAlchemyError):  # `watch` tells it
                job = await self.take()
            if job is None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), BEAT)
                continue
            try:
                await self.do(job)
            finally:
                self.doing.discard(job.id)
                self.analysing -= job.urgency == jobs.ANALYSES

    async def take(self) -> Any:
        """Take a job. Analyses take no more than half of the lanes: people and bots find another free."""
        least = jobs.ANALYSES if self.analysing < max(1, self.slots // 2) else jobs.BOTS
        self.analysing += least == jobs.ANALYSES  # until it is known what was taken
        job = None
        try:
            job = await self.write(lambda connection: jobs.take(connection, self.id, self.needs, least))
            if job is not None:
                self.doing.add(job.id)
        finally:
            self.analysing -= least == jobs.ANALYSES and (job is None or job.urgency != jobs.ANALYSES)
        return job

    async def do(self, job: Any) -> None:
        """Do a job and answer it, also when it fails."""
        answer: dict[str, Any] | str
        try:
            place = jobs.place_here(job.request)
            if job.urgency == jobs.ANALYSES:
                await self.compile(place)
            elif place not in self.compiled and not self.compiling.locked():
                self.start(self.compile(place))
            answer = await asyncio.wrap_future(self.pool.submit(jobs.answer_to, job.request, timeout=job.seconds, retry=True))
        except Exception as error:  # whatever it was, somebody waits for an answer
            logger.warning("a job failed: %s", error)
            answer = {"error": f"{type(error).__name__}: {error}"}
        for _ in range(jobs.ATTEMPTS):
            try:
                await self.write(lambda connection: jobs.write_answer(connection, job, answer))
                return
            except sa.exc.SQLAlchemyError:  # or another machine does it when the lease ends
                await asyncio.sleep(BEAT)

    # --- Compiled search --------------------------------------------------------------------------------------------------------

    async def compile_all(self) -> None:
        """Compile the searches of all games; until then bots play uncompiled, and analyses wait."""
        for game in catalog.offered_games().values():
            await self.compile(game.place)

    async def compile(self, place: str) -> None:
        """See that a game's search is compiled."""
        async with self.compiling:
            if place not in self.compiled:
                try:
                    await asyncio.wrap_future(self.compiler.submit(compile_search, place, retry=True))
                except (PerankhError, OSError) as error:
                    logger.warning("a search could not be compiled: %s", error)
                self.compiled.add(place)
