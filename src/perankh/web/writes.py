"""The writes that wait for the writer's thread of the storage, and what can go wrong with them."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.web.data import cause_of

LOG_EVERY = 5.0  # seconds between two log lines about failures
CONFLICTS = ("40001", "40P01")  # what PostgreSQL calls a deadlock and the like
ATTEMPTS = 5  # of a write that gets into another server's way
logger = logging.getLogger(__name__)


class Failures:
    """Log lines about failures of the database: the first at once, then at most one every few seconds, with their number."""

    def __init__(self) -> None:
        self.lasting = False  # did the last write fail because the database does not answer?
        self.lock = threading.Lock()
        self.logged = float("-inf")  # when the last line was written
        self.unlogged = 0

    def report(self, what: str, error: Exception) -> None:
        """Log a failure, unless there was a line just now."""
        with self.lock:
            now = time.monotonic()
            if now - self.logged < LOG_EVERY:
                self.unlogged += 1
                return
            more = f" (and {self.unlogged} failures since the last line)" if self.unlogged else ""
            self.logged, self.unlogged = now, 0
        logger.error("storage: %s: %s%s", what, cause_of(error), more)


class Job:
    """A write that waits for its turn, and then its result."""

    def __init__(self, work: Callable[[Connection], Any], done: asyncio.Future[Any], table: str) -> None:
        self.work = work
        self.done = done
        self.table = table
        self.attempts = 1
        self.loop = done.get_loop()
        self.result: Any = None
        self.error: Exception | None = None

    def run(self, connection: Connection) -> None:
        """Do the work and keep its result, or what went wrong."""
        self.error = None
        try:
            self.result = self.work(connection)
        except Exception as error:
            self.error = error
            raise

    def try_again(self) -> bool:
        """May it be tried once more?"""
        self.attempts += 1
        return self.attempts <= ATTEMPTS

    def settle(self) -> None:
        """Give the result to whoever waits, if somebody still does."""
        if not self.done.done():
            if self.error is not None:
                self.done.set_exception(self.error)
            else:
                self.done.set_result(self.result)


def is_outage(error: Exception) -> bool:
    """Does an error concern the database as a whole (locked, full, gone, broken) rather than one write?"""
    if isinstance(error, (sa.exc.IntegrityError, sa.exc.DataError, sa.exc.ProgrammingError, sa.exc.NotSupportedError)):
        return False
    return isinstance(error, (sa.exc.DBAPIError, sa.exc.TimeoutError)) and not is_conflict(error)


def is_conflict(error: Exception) -> bool:
    """Did two servers get into each other's way? Whoever is told so has lost, and can try again."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) in CONFLICTS


def settle_in(loop: asyncio.AbstractEventLoop, jobs: list[Job]) -> None:
    """Settle the jobs of one event loop there."""

    def settle() -> None:
        for job in jobs:
            job.settle()

    if not loop.is_closed():
        loop.call_soon_threadsafe(settle)
