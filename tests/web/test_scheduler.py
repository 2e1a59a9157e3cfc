"""Fair turns at the worker processes: who goes first, how much may wait, what nobody waits for any more."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from perankh.web.refusal import Refused
from perankh.web.scheduler import ADDRESS_FACTOR, Attendance, Caller, Kind, Scheduler, Share
from perankh.workers import WorkerPool

ANY = Kind("test", 60.0)
URGENT = Kind("test", 60.0, urgency=0)
FEW = Kind("test", 60.0, waiting=3, at_table=2)
ANN, BEN = Caller("10.0.0.1", "ann"), Caller("10.0.0.2", "ben")


def same(value: Any) -> Any:
    """A short job."""
    return value


def wait_for(file: str, value: Any) -> Any:
    """A job that ends when a file appears."""
    while not Path(file).exists():
        time.sleep(0.01)
    return value


class Served:
    """A scheduler in an event loop; `order` lists the jobs as they end."""

    def __init__(self, size: int) -> None:
        self.scheduler = Scheduler(WorkerPool(size))
        self.order: list[Any] = []

    def submit(self, who: Caller, name: Any, kind: Kind = ANY, table: str = "", file: Path | None = None) -> asyncio.Future[Any]:
        """A short job, or one that waits for a file."""
        given = (wait_for, str(file), name) if file else (same, name)
        job = self.scheduler.submit(kind, who, table, 60.0, *given)
        job.add_done_callback(lambda done: None if done.cancelled() else self.order.append(done.result()))
        return job


def serve(test: Callable[[Served], Coroutine[Any, Any, None]], size: int = 1) -> None:
    """Run a test with a scheduler of its own."""

    async def run() -> None:
        served = Served(size)
        try:
            await test(served)
        finally:
            served.scheduler.cancel()
            served.scheduler.pool.shutdown()

    with ThreadPoolExecutor(1) as thread:  # browser tests leave an event loop running in this one
        thread.submit(asyncio.run, run()).result()


def test_many_tables_of_one_person_do_not_keep_another_waiting() -> None:
    async def test(served: Served) -> None:
        jobs = [served.submit(ANN, ("ann", n), table=f"table {n}") for n in range(200)]
        jobs.append(served.submit(BEN, "ben"))
        await asyncio.gather(*jobs)
        assert served.order.index("ben") == 1  # the first was running

    serve(test)


def test_many_tokens_of_one_address_have_the_turns_of_one_address() -> None:
    async def test(served: Served) -> None:
        jobs = [served.submit(Caller("10.0.0.1", f"ann {n}"), ("ann", n)) for n in range(50)]
        jobs += [served.submit(BEN, ("ben", n)) for n in range(3)]
        await asyncio.gather(*jobs)
        assert served.order.index(("ben", 0)) == 1

    serve(test)


def test_persons_of_one_address_take_turns_and_so_do_the_tables_of_one_person() -> None:
    async def test(served: Served) -> None:
        cat = Caller(ANN.address, "cat")
        jobs = [served.submit(ANN, n, table="first") for n in range(20)]
        jobs += [served.submit(ANN, "second table", table="second"), served.submit(cat, "cat")]
        await asyncio.gather(*jobs)
        assert served.order.index("cat") == 1
        assert served.order.index("second table") <= 3

    serve(test)


def test_time_not_used_is_not_saved_up() -> None:
    everybody = Share(0.0)
    ann = everybody.part("ann")
    ann.waiting, ann.spent, everybody.floor = 1, 30.0, 30.0
    assert everybody.part("ben").spent == 30.0
    ann.spent = 31.0
    everybody.part("ben").waiting = 1
    assert everybody.next_part() is everybody.part("ben")


def test_what_is_urgent_goes_first_among_the_jobs_of_one_person() -> None:
    async def test(served: Served) -> None:
        jobs = [served.submit(ANN, n, table=f"table {n}") for n in range(10)]
        jobs.append(served.submit(ANN, "hint", kind=URGENT))
        await asyncio.gather(*jobs)
        assert served.order.index("hint") == 1

    serve(test)


def test_one_address_does_not_take_all_processes(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        jobs = [served.submit(ANN, ("ann", n), file=tmp_path / "go") for n in range(5)]
        assert await served.submit(BEN, "ben") == "ben"
        assert served.scheduler.all.running == 1
        (tmp_path / "go").touch()
        await asyncio.gather(*jobs)
        assert served.order[0] == "ben"

    serve(test, size=2)


def test_so_much_may_wait_for_one_person_at_one_table_and_for_one_address(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        jobs = [served.submit(ANN, "running", file=tmp_path / "go")]
        jobs += [served.submit(ANN, n, kind=FEW, table="one") for n in range(2)]
        with pytest.raises(Refused) as refusal:
            served.submit(ANN, "too many at the table", kind=FEW, table="one")
        assert refusal.value.status == 429
        cancelled = served.submit(ANN, "elsewhere", kind=FEW, table="other")
        with pytest.raises(Refused):
            served.submit(ANN, "too many", kind=FEW, table="third")
        cancelled.cancel()
        await asyncio.sleep(0)
        jobs.append(served.submit(ANN, "room again", kind=FEW, table="third"))
        jobs += [served.submit(Caller(ANN.address, f"cat {n}"), n, kind=FEW) for n in range(3 * (ADDRESS_FACTOR - 1))]
        with pytest.raises(Refused):
            served.submit(Caller(ANN.address, "another token"), "too many of the address", kind=FEW)
        jobs.append(served.submit(BEN, "ben", kind=FEW))
        jobs.append(served.submit(ANN, "a bot", kind=ANY))
        (tmp_path / "go").touch()
        await asyncio.gather(*jobs)
        assert "elsewhere" not in served.order
        assert not served.scheduler.counts
        assert not served.scheduler.all.parts

    serve(test)


def test_the_one_who_pays_is_the_one_who_waits_least(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        job = served.submit(ANN, "running", file=tmp_path / "go")
        assert min([ANN, BEN], key=served.scheduler.load) == BEN
        (tmp_path / "go").touch()
        await job

    serve(test)


def test_those_heard_of_lately_are_known() -> None:
    attendance = Attendance()
    assert attendance.since(60) == []
    attendance.note(ANN)
    attendance.note(BEN)
    assert attendance.since(60) == [ANN, BEN]
    assert attendance.since(0) == []
