"""Work that a server leaves to machines of their own: decisions of bots, hints, analyses. `perankh work` does it (`web/work.py`).

A job is a row of the database: the name of one of a few functions, a game, a state and JSON; so is its answer. A machine
takes the most urgent one by a lease that ends when the machine dies; then another tries it. A server hands out no more jobs
than the machines can do at once: the rest waits in its schedulers, which know whose turn it is and refuse what is too much.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import importlib
import math
import secrets
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql

from perankh import __version__
from perankh.bots import game_at
from perankh.engine.editions import Edition
from perankh.engine.game import place_of
from perankh.errors import BadComponents, PerankhError
from perankh.web import catalog, metrics, storage
from perankh.web.storage import Storage, jobs, machines, servers
from perankh.workers import WorkerFailed

CHANNEL = "perankh_work"  # on which machines hear that there are jobs
LOOK_EVERY = 1.0  # seconds between two looks for answers and machines, besides those that a notification leads to
LEASE = 5.0  # seconds without a sign of life after which a machine counts as dead
FORGOTTEN = 30.0  # seconds after which the rows of a dead server or machine are deleted
ATTEMPTS = 3  # of a job: one that ends its machine is not tried for ever
PEOPLE, BOTS, ANALYSES = range(3)  # how urgent a job is
# What machines can be asked for, and how urgent it is. Each function takes the place of a game, a state, and what JSON can hold.
OFFERED = {
    "perankh.web.hints:hint_in_words": PEOPLE,
    "perankh.bots.levels:decide": BOTS,
    "perankh.web.replays:decision_numbers": ANALYSES,
    "perankh.web.analysis:run_first_pass": ANALYSES,
    "perankh.web.analysis:judge": ANALYSES,
    "perankh.web.analysis:find_line": ANALYSES,
    "perankh.bots.pondering:likely_positions": ANALYSES,
    "perankh.bots.pondering:ponder": ANALYSES,
}
NOW = sa.text("SELECT extract(epoch FROM clock_timestamp())::float8")

# Statements that run for every job; made once, since making them takes longer than running them.
MOMENT: sa.ColumnElement[float] = sa.literal_column("extract(epoch FROM clock_timestamp())::float8")
INSERT = postgresql.insert(jobs).values(stamp=MOMENT).on_conflict_do_nothing()
TAKE_ANSWERS = (
    jobs.delete()
    .where(jobs.c.server == sa.bindparam("asking"), jobs.c.answer.is_not(None))
    .returning(jobs.c.id, jobs.c.answer, jobs.c.attempts)
)
FIRST = (
    sa.select(jobs.c.id)
    .where(jobs.c.answer.is_(None), sa.or_(jobs.c.machine.is_(None), jobs.c.until < MOMENT), jobs.c.attempts < ATTEMPTS)
    .where(jobs.c.needs.in_(sa.bindparam("needed", expanding=True)), jobs.c.urgency <= sa.bindparam("least"))
    .order_by(jobs.c.urgency, jobs.c.stamp)
    .limit(1)
    .with_for_update(skip_locked=True)
)
TAKE = (
    jobs.update()
    .where(jobs.c.id == FIRST.scalar_subquery())
    .values(machine=sa.bindparam("taking"), until=MOMENT + LEASE, attempts=jobs.c.attempts + 1)
    .returning(jobs)
)
ANSWER = (
    jobs.update()
    .where(jobs.c.id == sa.bindparam("answered"), jobs.c.machine == sa.bindparam("taker"))
    .where(jobs.c.attempts == sa.bindparam("attempt"), jobs.c.answer.is_(None))
    .values(answer=sa.bindparam("answer"))
)


# --- What a server and a machine must have in common --------------------------------------------------------------------------


@functools.lru_cache
def offers() -> str:
    """The version and the games of this process, as JSON."""
    games = {name: [game.version, game.components_fingerprint] for name, game in sorted(catalog.offered_games().items())}
    return orjson.dumps({"version": __version__, "games": games}).decode()


@functools.lru_cache
def needs_of(found: str) -> dict[str, str]:
    """By game: what a machine must have for its jobs."""
    known = orjson.loads(found)
    return {name: f"{known['version']} {name} {rules} {numbers}" for name, (rules, numbers) in known["games"].items()}


@functools.lru_cache
def differences(here: str, there: str) -> list[str]:
    """In words: what a machine lacks for the jobs of a server."""
    mine, wanted = orjson.loads(here), orjson.loads(there)
    if mine["version"] != wanted["version"]:
        return [f"this is Per-Ankh {mine['version']}, and the server is {wanted['version']}"]
    found = []
    for name, (rules, numbers) in wanted["games"].items():
        if name not in mine["games"]:
            found.append(f"the game {name} of the server is not here")
        elif mine["games"][name][0] != rules:
            found.append(f"{name} has version {mine['games'][name][0]} of its rules here, and {rules} at the server")
        elif mine["games"][name][1] != numbers:
            found.append(f"the printed numbers of {name} are not those of the server")
    return found


# --- Requests and answers -----------------------------------------------------------------------------------------------------


def name_of(function: Callable[..., Any]) -> str:
    """How a function is called in a request."""
    return f"{function.__module__}:{function.__qualname__}"


def request_for(function: Callable[..., Any], place: str, record: bytes, *given: Any) -> tuple[str, str]:
    """The name of the game, and a call of a function as JSON: without folders of this machine."""
    game = game_at(place)
    edition = game.edition.json() if game.edition else None
    facts = {"function": name_of(function), "game": game.name, "edition": edition, "given": given}
    return game.name, orjson.dumps(facts | {"record": base64.b64encode(record).decode()}).decode()


def place_here(request: str) -> str:
    """Where this machine has the game of a request."""
    asked = orjson.loads(request)
    game = catalog.offered_games().get(asked["game"])
    if game is None:
        raise PerankhError(f"there is no game {asked['game']} here")
    try:
        return place_of(game.folder, Edition.of(asked["edition"]) if asked["edition"] else None)
    except BadComponents as error:
        raise PerankhError(f"an edition of {game.name} is not one: {error}") from None


def answer_to(request: str) -> str:
    """Call the function of a request: runs in a worker process of a machine. Its result as JSON."""
    asked = orjson.loads(request)
    if asked["function"] not in OFFERED:
        raise PerankhError(f"{asked['function']} is not among the work for machines")
    module, _, name = asked["function"].partition(":")
    function = getattr(importlib.import_module(module), name)
    found = function(place_here(request), base64.b64decode(asked["record"]), *asked["given"])
    return orjson.dumps({"result": found}, option=orjson.OPT_SERIALIZE_NUMPY).decode()


# --- On the server ------------------------------------------------------------------------------------------------------------


@dataclass
class Job:
    """A job that a server has handed out, or is about to."""

    game: str
    urgency: int
    seconds: float
    request: str
    written: bool = False
    asked: float = field(default_factory=time.monotonic)
    future: Future[Any] = field(default_factory=Future)


class JobPool:
    """Stands in for a pool of worker processes: has machines do the work."""

    def __init__(self, kept_in: Storage, resized: Callable[[int], None]) -> None:
        """`resized` is called with how many jobs the machines can do at once, when that changes."""
        self.storage = kept_in
        self.resized = resized
        self.server = ""  # the id of this server
        self.waiting: dict[str, Job] = {}
        self.machines = 0  # those that work for this server
        self.slots = 0  # jobs that they can do at once
        self.closed = False
        self.hurry = asyncio.Event()

    def processes(self) -> int:
        """How many worker processes there are."""
        return self.slots

    def submit(self, function: Callable[..., Any], *arguments: Any, timeout: float, retry: bool = True) -> Future[Any]:
        """Have a function called by a machine, for at most so many seconds. A job that ends its machine is always tried again."""
        assert retry
        if self.closed:
            raise WorkerFailed("the server stops")
        game, request = request_for(function, *arguments)
        job = Job(game, OFFERED[name_of(function)], timeout, request)
        job.future.set_running_or_notify_cancel()
        self.waiting[secrets.token_hex(8)] = job
        self.hurry.set()
        return job.future

    async def watch(self) -> None:
        """Hand out jobs, and take the answers."""
        looked = -math.inf
        while not self.closed:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.hurry.wait(), max(0.0, looked + LOOK_EVERY - time.monotonic()))
            self.hurry.clear()
            if time.monotonic() - looked >= LOOK_EVERY:
                looked = time.monotonic()
                await self.run(self.look_after)
            await self.run(self.exchange)

    async def run(self, work: Callable[[Connection], Callable[[], None]]) -> None:
        """Do something in a transaction beside the event loop, and then what follows from it.

        The writer of moves has no part in it, so that moves never wait for machines.
        """

        def begin() -> Callable[[], None]:
            with self.storage.engine.begin() as connection:
                return work(connection)

        try:
            after = await asyncio.to_thread(begin)
        except sa.exc.SQLAlchemyError as error:
            self.storage.failures.report("jobs could not be exchanged with machines", error)
        else:
            after()

    def exchange(self, connection: Connection) -> Callable[[], None]:
        """Write the jobs that are new, and read the answers."""
        new = {id: job for id, job in list(self.waiting.items()) if not job.written}
        if new:
            connection.execute(INSERT, [self.row_of(id, job) for id, job in new.items()])
            storage.tell(connection, "jobs", CHANNEL)
        answers = connection.execute(TAKE_ANSWERS, {"asking": self.server}).all()

        def after() -> None:
            for job in new.values():
                job.written = True
            for row in answers:
                metrics.JOBS_AGAIN.inc(row.attempts > 1)
                if row.id in self.waiting:
                    settle(self.waiting.pop(row.id), row.answer)

        return after

    def row_of(self, id: str, job: Job) -> dict[str, Any]:
        """The row of a new job."""
        facts = {"id": id, "server": self.server, "urgency": job.urgency, "needs": needs_of(offers())[job.game]}
        return facts | {"seconds": job.seconds, "request": job.request, "attempts": 0}

    def look_after(self, connection: Connection) -> Callable[[], None]:
        """See how many machines there are, and what has become of the jobs."""
        late = [id for id, job in list(self.waiting.items()) if is_late(job)]
        handed = [id for id, job in list(self.waiting.items()) if job.written]
        now, mine = connection.execute(NOW).scalar_one(), jobs.c.server == self.server
        tried = sa.and_(mine, jobs.c.answer.is_(None), jobs.c.attempts >= ATTEMPTS, jobs.c.until < now)
        alive = sa.select(servers.c.id).where(servers.c.until > now - FORGOTTEN)
        take_away(connection, sa.and_(~mine, jobs.c.server.not_in(alive)))  # nobody waits for these
        failed = take_away(connection, sa.or_(tried, jobs.c.id.in_(late))) | set(late)
        known = set(connection.execute(sa.select(jobs.c.id).where(mine)).scalars())
        rows = connection.execute(sa.select(machines.c.slots, machines.c.offers).where(machines.c.until > now)).all()
        fit = [row.slots for row in rows if not differences(row.offers, offers())]

        def after() -> None:
            for id in failed:
                if job := self.waiting.pop(id, None):
                    job.future.set_exception(WorkerFailed(f"no machine could do it: {name_in(job.request)}"))
            for id in handed:
                if id not in known and id in self.waiting:
                    self.waiting[id].written = False  # its row is gone: it is handed out again
            self.machines, self.slots, changed = len(fit), sum(fit), sum(fit) != self.slots
            if changed:
                self.resized(self.slots)

        return after

    def shutdown(self) -> None:
        """Take back what is handed out. What waits is cancelled by the schedulers."""
        if not self.closed:
            self.closed = True
            with suppress(sa.exc.SQLAlchemyError), self.storage.engine.begin() as connection:
                take_away(connection, jobs.c.server == self.server)
            for job in self.waiting.values():
                job.future.set_exception(WorkerFailed("the server stops"))
            self.waiting.clear()


def is_late(job: Job) -> bool:
    """Has somebody waited for so long that he is better told that there is no answer? Bots and analyses wait."""
    return job.urgency == PEOPLE and time.monotonic() - job.asked > job.seconds + LEASE


def name_in(request: str) -> str:
    """The name of the function of a request."""
    return str(orjson.loads(request)["function"])


def settle(job: Job, text: str) -> None:
    """Give an answer to whoever waits for it. A machine is not believed to write what it should."""
    try:
        answer = orjson.loads(text)
        if "error" in answer:
            job.future.set_exception(WorkerFailed(str(answer["error"])))
        else:
            job.future.set_result(answer["result"])
    except (ValueError, KeyError, TypeError):
        job.future.set_exception(WorkerFailed(f"a machine has answered {text[:100]!r}"))


def take_away(connection: Connection, which: sa.ColumnElement[bool]) -> set[str]:
    """Delete jobs, but none that a machine is writing to just now; those that were deleted."""
    free = sa.select(jobs.c.id).where(which).with_for_update(skip_locked=True)
    return set(connection.execute(jobs.delete().where(jobs.c.id.in_(free)).returning(jobs.c.id)).scalars())


# --- On the machine -----------------------------------------------------------------------------------------------------------


def take(connection: Connection, machine: str, needs: Iterable[str], least_urgent: int) -> Any:
    """Take the most urgent job that nobody does, or whose machine has died; None if there is none."""
    return connection.execute(TAKE, {"taking": machine, "needed": list(needs), "least": least_urgent}).first()


def write_answer(connection: Connection, row: Any, answer: dict[str, Any] | str) -> bool:
    """Answer a job, unless it was given to another machine meanwhile."""
    text = answer if isinstance(answer, str) else orjson.dumps(answer).decode()
    known = {"answered": row.id, "taker": row.machine, "attempt": row.attempts, "answer": text}
    written = connection.execute(ANSWER, known).rowcount == 1
    if written:
        storage.tell(connection, f"done {row.server}")
    return written


def prolong(connection: Connection, machine: str, slots: int, doing: Iterable[str]) -> list[str]:
    """Say that a machine is alive, and keep the leases of what it does; what the servers offer."""
    now = connection.execute(NOW).scalar_one()
    storage.put(connection, machines, {"id": machine}, {"until": now + LEASE}, {"slots": slots, "offers": offers()})
    held = sa.and_(jobs.c.machine == machine, jobs.c.id.in_(list(doing)), jobs.c.answer.is_(None))
    connection.execute(jobs.update().where(held).values(until=now + LEASE))
    connection.execute(machines.delete().where(machines.c.until < now - FORGOTTEN))
    return served(connection)


def served(connection: Connection) -> list[str]:
    """What the servers that are alive offer."""
    now = connection.execute(NOW).scalar_one()
    found = connection.execute(sa.select(servers.c.offers).where(servers.c.until > now, servers.c.offers.is_not(None)))
    return list(found.scalars())


def leave(connection: Connection, machine: str) -> None:
    """Let others have the jobs of a machine at once."""
    held = sa.and_(jobs.c.machine == machine, jobs.c.answer.is_(None))
    given_back = jobs.update().where(held).values(machine=None, until=None, attempts=jobs.c.attempts - 1)
    if connection.execute(given_back).rowcount:
        storage.tell(connection, "jobs", CHANNEL)
    connection.execute(machines.delete().where(machines.c.id == machine))
