"""Fair turns at the worker processes: among addresses, then among the persons of an address, then among their tables.

Who has the fewest jobs running goes first, then who has used the least time. Somebody who comes anew begins with as much as the
one who is served: time that was not used is not saved up. So 200 tables of one visitor get the turns of one visitor, and a
visitor with many tokens those of one address.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from perankh.web import metrics
from perankh.web.identity import who_is
from perankh.web.refusal import Refused, refused
from perankh.workers import WorkerFailed, WorkerPool

if TYPE_CHECKING:
    from perankh.web.jobs import JobPool

T = TypeVar("T")
MOST_REMEMBERED = 1000  # addresses, persons or tables whose used time is kept while they want nothing
FAILING = 3  # failures in a row after which a pool does not count as well
ADDRESS_FACTOR = 4  # an address may have so many times as much waiting as a person


# --- On whose behalf ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Caller:
    """On whose behalf work is done: a network address and the digest of a token; each empty if there is none."""

    address: str = ""
    person: str = ""


NOBODY = Caller()
caller: ContextVar[Caller] = ContextVar("caller", default=NOBODY)


class KnowCaller:
    """Middleware that notes who a request or a live connection comes from; Guard has found out the address."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note the caller for whatever the request leads to."""
        if scope["type"] in ("http", "websocket"):
            person = None
            with suppress(Refused):
                person = who_is(HTTPConnection(scope))
            caller.set(Caller(scope["state"]["address"], person or ""))
        await self.app(scope, receive, send)


class Attendance:
    """Who was heard of lately about a table: the work done for it is charged to one of them."""

    def __init__(self) -> None:
        self.heard: dict[Caller, float] = {}  # when, by the monotonic clock; the one heard of last at the end

    def note(self, who: Caller) -> None:
        """Somebody was heard of."""
        self.heard.pop(who, None)
        self.heard[who] = time.monotonic()
        if len(self.heard) > MOST_REMEMBERED:
            del self.heard[next(iter(self.heard))]

    def since(self, seconds: float) -> list[Caller]:
        """Those heard of in the last so many seconds."""
        begin = time.monotonic() - seconds
        return [who for who, when in self.heard.items() if when > begin]


# --- Jobs -----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)  # each is one of a kind: hashing the values would take longer than all else about a job
class Kind:
    """A kind of work: the processes that do it, the time limit of a job, and how many jobs of it may wait for one person."""

    pool: str
    seconds: float
    waiting: int | None = None  # None: any number
    at_table: int | None = None  # the same for one person at one table
    urgency: int = 1  # of the jobs of one person, those with the lowest number go first


@dataclass(eq=False)
class Job:
    """A call of a function in a worker process, and its future result."""

    kind: Kind
    limit: float  # seconds
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    path: list[Share]  # what it belongs to: all, the address, the person and the table
    counted: list[tuple[Any, int]]  # what the limits on waiting jobs count, with the limit of each
    done: asyncio.Future[Any]
    asked: float = field(default_factory=time.monotonic)


def counted(kind: Kind, who: Caller, table: str) -> list[tuple[Any, int]]:
    """What the limits on waiting jobs count, with the limit of each."""
    found: list[tuple[Any, int]] = []
    if kind.waiting is not None:
        found.append(((kind, who.address), ADDRESS_FACTOR * kind.waiting))
        found.append(((kind, who.address, who.person), kind.waiting))
    if kind.at_table is not None:
        found.append(((kind, who.address, who.person, table), kind.at_table))
    return found


class Share:
    """The part of an address, a person or a table: what it has used, what runs, and what waits."""

    def __init__(self, spent: float) -> None:
        self.spent = spent  # seconds
        self.running = 0
        self.waiting = 0
        self.parts: dict[Any, Share] = {}
        self.look_again = 0  # with how many parts to see which can be forgotten
        self.floor = 0.0  # what the part served last had used: those who come anew begin there
        self.jobs: deque[Job] = deque()

    @property
    def active(self) -> bool:
        """Does anything wait or run?"""
        return bool(self.waiting or self.running)

    def part(self, key: Any) -> Share:
        """The part with a key; one that was not active has saved up nothing."""
        share = self.parts.setdefault(key, Share(self.floor))
        if not share.active:
            share.spent = max(share.spent, self.floor)
        return share

    def forget(self) -> None:
        """Forget the parts that want nothing and have used no more than others; all such parts if they are too many.

        While something is active, they are looked through only when they have become twice as many.
        """
        if self.active and len(self.parts) < self.look_again:
            return
        many = not self.active or len(self.parts) > MOST_REMEMBERED
        self.parts = {k: part for k, part in self.parts.items() if part.active or (part.spent > self.floor and not many)}
        self.look_again = min(2 * len(self.parts) + 8, max(len(self.parts), MOST_REMEMBERED) + 1)

    def urgency(self) -> int:
        """The urgency of the first job that waits."""
        return self.jobs[0].kind.urgency if self.jobs else 0

    def next_part(self, most_running: float = math.inf) -> Share | None:
        """The part whose turn it is, among those of which fewer than so many jobs run."""
        wanting = [part for part in self.parts.values() if part.waiting and part.running < most_running]
        if len(wanting) < 2:
            return wanting[0] if wanting else None
        return min(wanting, key=lambda part: (part.urgency(), part.running, part.spent))


class Scheduler:
    """The jobs that wait for the processes of a pool; no more are handed to the pool than it can run at once."""

    def __init__(self, pool: WorkerPool | JobPool, short: bool = False) -> None:
        """`short`: jobs are so short that one more waits at the processes, so that they follow each other without a pause."""
        self.pool = pool
        self.short = short
        self.all = Share(0.0)
        self.counts: dict[Any, int] = {}  # waiting jobs, by what limits count
        self.finished = 0  # jobs that a process has done
        self.failed = 0  # how many of the last ones in a row no process could do
        self.resize(pool.slots)

    def resize(self, size: int) -> None:
        """So many jobs can run at the same time; none, while there is no machine that works for this server."""
        self.slots = size + 1 if self.short else size
        self.most_running = self.slots if self.short else max(1, size - 1)  # of one address: others need not wait for its jobs
        self.start_jobs()

    def state(self) -> str:
        """How the processes are."""
        if self.failed >= FAILING or self.pool.closed:
            return "failing"
        if not self.slots:
            return "no machine"
        return "ok" if self.finished else "starting" if self.all.active else "resting"

    def load(self, who: Caller) -> tuple[int, float]:
        """How long somebody's job would have to wait, to be compared: jobs of the address, and seconds it has used."""
        address = self.all.parts.get(who.address)
        return (address.running + address.waiting, address.spent) if address else (0, 0.0)

    def submit(
        self, kind: Kind, who: Caller, table: str, limit: float, function: Callable[..., T], *arguments: Any
    ) -> asyncio.Future[T]:
        """Have a function called in a worker process; refuses if too much waits already."""
        address = self.all.part(who.address)
        person = address.part(who.person)
        path = [self.all, address, person, person.part((kind.urgency, table))]
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        job = Job(kind, limit, function, arguments, path, counted(kind, who, table), done)
        for key, most in job.counted:
            if self.counts.get(key, 0) >= most:
                raise refused(429, "busy")
        for key, _ in job.counted:
            self.counts[key] = self.counts.get(key, 0) + 1
        for share in path:
            share.waiting += 1
        path[-1].jobs.append(job)
        done.add_done_callback(lambda _: self.withdraw(job))
        self.start_jobs()
        return done

    def withdraw(self, job: Job) -> None:
        """Take a job out of the queue if it is still there: nobody waits for it any more."""
        if job in job.path[-1].jobs:
            job.path[-1].jobs.remove(job)
            self.leave_queue(job)

    def leave_queue(self, job: Job) -> None:
        """Count a job no longer as waiting."""
        for share in job.path:
            share.waiting -= 1
        for key, _ in job.counted:
            self.counts[key] -= 1
            if not self.counts[key]:
                del self.counts[key]

    def start_jobs(self) -> None:
        """Hand jobs to the pool as long as it has processes for them."""
        while self.all.running < self.slots and (job := self.next_job(self.most_running)):
            self.leave_queue(job)
            for parent, share in pairwise(job.path):
                parent.floor = max(parent.floor, share.spent)
            for share in job.path:
                share.running += 1
            self.start(job)

    def next_job(self, most_running: float = math.inf) -> Job | None:
        """Take the job whose turn it is out of the queue: of an address of which fewer than so many jobs run."""
        address = self.all.next_part(most_running)
        person = address.next_part() if address else None
        table = person.next_part() if person else None
        return table.jobs.popleft() if table else None

    def start(self, job: Job) -> None:
        """Hand a job to the pool."""
        begun = time.monotonic()
        metrics.JOB_WAITED.labels(job.kind.pool).observe(begun - job.asked)
        try:
            running = self.pool.submit(job.function, *job.arguments, timeout=job.limit, retry=True)
        except WorkerFailed as error:  # the pool is shut down
            running = Future()
            running.set_exception(error)

        def tell(ended: Future[Any]) -> None:
            loop, seconds = job.done.get_loop(), time.monotonic() - begun
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(self.end, job, ended, seconds)

        running.add_done_callback(tell)

    def end(self, job: Job, ended: Future[Any], seconds: float) -> None:
        """Charge a job that has ended, pass its result on, and start others."""
        for share in job.path:
            share.running -= 1
            share.spent += seconds
        for share in job.path:
            share.forget()
        error = None if ended.cancelled() else ended.exception()
        metrics.JOB.labels(job.kind.pool).observe(seconds)
        if isinstance(error, WorkerFailed):
            metrics.JOB_FAILED.labels(job.kind.pool).inc()
            self.failed += 1
        elif not ended.cancelled():
            self.finished, self.failed = self.finished + 1, 0
        if ended.cancelled():
            job.done.cancel()
        elif not job.done.done():
            if error:
                job.done.set_exception(error)
            else:
                job.done.set_result(ended.result())
        self.start_jobs()

    def cancel(self) -> None:
        """Cancel what waits."""
        while job := self.next_job():
            self.leave_queue(job)
            job.done.cancel()
