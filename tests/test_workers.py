"""Worker processes: results, errors, time-outs, deaths, shutdown. All with real processes."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from perankh.errors import BadOption, MoveError
from perankh.workers import FORKED, WorkerFailed, WorkerPool

LOADED: list[str] = []


def add(a: int, b: int) -> int:
    return a + b


def pid() -> int:
    return os.getpid()


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def fail(message: str) -> None:
    raise BadOption(message)


class Awkward(Exception):
    """An error that cannot be unpickled."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail_awkwardly() -> None:
    raise Awkward(1, 2)


def unpicklable() -> object:
    return threading.Lock()


def exit_now(status: int) -> None:
    os._exit(status)


def exit_after(seconds: float) -> None:
    time.sleep(seconds)
    os._exit(3)


def die_the_first_time(mark: str) -> str:
    """Be killed, unless this was tried before."""
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def load() -> None:
    LOADED.append("loaded")


def priority_and_loaded() -> tuple[int, list[str]]:
    return os.nice(0), LOADED


def alive(process: int) -> bool:
    """Is there such a process, and is it not a zombie?"""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # the latter where it ends while its state is read
        return False


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(1) as pool:
        yield pool


def test_results_come_from_another_process(pool: WorkerPool) -> None:
    assert pool.submit(add, 2, 3).result(60) == 5
    assert pool.submit(pid).result(60) == pool.pids()[0] != os.getpid()


def test_an_exception_is_raised_as_it_was(pool: WorkerPool) -> None:
    with pytest.raises(BadOption, match="too small") as caught:
        pool.submit(fail, "too small").result(60)
    assert "in fail" in caught.value.__notes__[0]
    with pytest.raises(WorkerFailed, match="Awkward: 1 and 2"):
        pool.submit(fail_awkwardly).result(60)
    with pytest.raises(TypeError, match="pickle"):
        pool.submit(unpicklable).result(60)
    assert pool.submit(add, 1, 1).result(60) == 2


def test_a_function_that_no_worker_can_import_is_refused_at_once(pool: WorkerPool) -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pool.submit(lambda: 1)


def test_a_job_that_hangs_is_stopped_and_its_worker_replaced(pool: WorkerPool) -> None:
    first = pool.submit(pid).result(60)
    began = time.monotonic()
    waiting = pool.submit(sleep, 600, timeout=0.3)
    after = pool.submit(pid)
    with pytest.raises(WorkerFailed, match=rf"worker process {first} was stopped: running .*sleep took more than 0.3 seconds"):
        waiting.result(60)
    assert time.monotonic() - began < 30
    assert after.result(60) != first
    assert not alive(first)


def test_a_killed_worker_is_named_and_replaced(pool: WorkerPool) -> None:
    first = pool.submit(pid).result(60)
    waiting = pool.submit(sleep, 600)
    while not waiting.running():
        time.sleep(0.01)
    time.sleep(0.2)
    os.kill(first, signal.SIGKILL)
    with pytest.raises(WorkerFailed, match=rf"worker process {first} was killed by SIGKILL while running .*sleep"):
        waiting.result(60)
    with pytest.raises(WorkerFailed, match=r"ended with status 3 while running .*exit_now"):
        pool.submit(exit_now, 3).result(60)
    assert pool.submit(add, 1, 2).result(60) == 3


def test_a_worker_killed_between_jobs_is_replaced_unnoticed(pool: WorkerPool) -> None:
    first = pool.submit(pid).result(60)
    os.kill(first, signal.SIGKILL)
    while alive(first):
        time.sleep(0.01)
    assert pool.submit(pid).result(60) != first


def test_a_worker_killed_with_a_job_it_has_not_begun_is_replaced_unnoticed(pool: WorkerPool) -> None:
    first = pool.submit(pid).result(60)
    os.kill(first, signal.SIGSTOP)
    waiting = pool.submit(pid)
    while not waiting.running():
        time.sleep(0.01)
    time.sleep(0.2)
    os.kill(first, signal.SIGKILL)
    assert waiting.result(60) != first


UNFORKABLE = """
import math, os, time
from pathlib import Path
from perankh.workers import FORKED, WorkerFailed, WorkerPool, preload

broken = Path(os.environ["PYTHONPATH"], "broken.py")
broken.write_text("import os; os._exit(3)" if FORKED else "")
preload("broken")
with WorkerPool(1) as pool:
    try:
        pool.submit(math.isqrt, 4).result(60)
    except WorkerFailed as error:
        print(error)
    broken.write_text("")
    result = None
    while result is None:  # what could not fork may take a moment to be gone
        try:
            result = pool.submit(math.isqrt, 9).result(60)
        except WorkerFailed:
            time.sleep(0.1)
    print(result)
"""


def test_a_job_is_answered_even_if_no_process_could_be_forked(tmp_path: Path) -> None:
    """Without an answer a table would wait without end."""
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", UNFORKABLE], capture_output=True, text=True, env=environment, timeout=120)
    *failure, result = ran.stdout.splitlines()
    assert result == "3"
    assert len(failure) == FORKED
    assert all("could not be started" in line for line in failure)


def test_a_job_is_tried_again_if_it_asks_for_it(pool: WorkerPool, tmp_path: Path) -> None:
    assert pool.submit(die_the_first_time, str(tmp_path / "again"), retry=True).result(60) == "done"
    with pytest.raises(WorkerFailed, match="SIGKILL"):
        pool.submit(die_the_first_time, str(tmp_path / "once")).result(60)


def test_a_job_can_be_cancelled_before_it_begins(pool: WorkerPool) -> None:
    first, second = pool.submit(sleep, 0.3), pool.submit(sleep, 600)
    assert second.cancel()
    assert first.result(60) == 0.3
    assert pool.submit(add, 0, 1).result(60) == 1


def test_futures_can_be_awaited(pool: WorkerPool) -> None:
    async def both() -> list[int]:
        return await asyncio.gather(*(asyncio.wrap_future(pool.submit(add, 1, n)) for n in (1, 2)))

    with ThreadPoolExecutor(1) as thread:  # this one may have an event loop, of a browser
        assert thread.submit(asyncio.run, both()).result() == [2, 3]


def test_workers_run_side_by_side_at_low_priority_once_initialised() -> None:
    before = os.nice(0)
    with WorkerPool(2, nice=3, initializer=load) as pool:
        began = time.monotonic()
        assert [job.result(60) for job in [pool.submit(sleep, 0.5), pool.submit(sleep, 0.5)]] == [0.5, 0.5]
        assert len(set(pool.pids())) == 2
        assert pool.submit(priority_and_loaded).result(60) == (min(19, before + 3), ["loaded"])
    assert time.monotonic() - began < 60


def test_a_shutdown_ends_processes_and_jobs() -> None:
    pool = WorkerPool(1)
    process = pool.submit(pid).result(60)
    running, waiting = pool.submit(sleep, 600), pool.submit(sleep, 600)
    while not running.running():
        time.sleep(0.01)
    pool.shutdown()
    with pytest.raises(WorkerFailed):
        running.result(1)
    with pytest.raises(CancelledError):
        waiting.result(1)
    with pytest.raises(WorkerFailed, match="shut down"):
        pool.submit(add, 1, 2)
    assert not alive(process)
    assert not any(worker.is_alive() for worker in pool.workers)


@pytest.fixture
def ahead() -> Iterator[WorkerPool]:
    """A pool whose process gets the next job while it is at work."""
    with WorkerPool(1, ahead=True) as pool:
        pool.submit(add, 0, 0).result(60)
        yield pool


def note(path: str, line: str, seconds: float = 0.0) -> str:
    """Add a line to a file, and take a while."""
    with Path(path).open("a") as file:
        file.write(f"{line}\n")
    time.sleep(seconds)
    return line


def submit_behind(pool: WorkerPool, function: Callable[..., Any], *arguments: Any, timeout: float | None = None) -> Future[Any]:
    """Submit a job when the process is at work on another: it is sent at once."""
    (worker,) = pool.workers
    while not worker.working:
        time.sleep(0.001)
    job = pool.submit(function, *arguments, timeout=timeout)
    assert worker.ahead
    assert worker.ahead.future is job
    assert job.running()
    return job


def test_a_process_goes_on_with_the_next_job_by_itself(ahead: WorkerPool, tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    first = ahead.submit(note, str(lines), "first", 0.3)
    second = submit_behind(ahead, note, str(lines), "second")
    with ahead.changed:  # the thread cannot take the first answer
        while not lines.exists() or lines.read_text() != "first\nsecond\n":
            time.sleep(0.01)
        assert not first.done()
    assert [first.result(60), second.result(60)] == ["first", "second"]
    assert [ahead.submit(add, n, 1) for n in range(3)][-1].result(60) == 3


def test_answers_belong_to_their_jobs(ahead: WorkerPool) -> None:
    jobs = [ahead.submit(add, n, n) for n in range(500)]
    assert [job.result(60) for job in jobs] == [2 * n for n in range(500)]
    lengths = [ahead.submit(len, "x" * size) for size in range(0, 200_000, 10_000)]  # large jobs are not sent ahead
    assert [job.result(60) for job in lengths] == list(range(0, 200_000, 10_000))


@pytest.mark.parametrize("how", ["it hangs", "it is killed", "it ends"])
def test_a_job_sent_ahead_survives_the_process_and_is_run_once(ahead: WorkerPool, tmp_path: Path, how: str) -> None:
    lines, process = tmp_path / "lines", ahead.pids()[0]
    work = {"it hangs": (sleep, 600), "it is killed": (sleep, 600), "it ends": (exit_after, 0.3)}[how]
    first = ahead.submit(*work, timeout=0.3 if how == "it hangs" else None)
    second = submit_behind(ahead, note, str(lines), "second", timeout=30)
    if how == "it is killed":
        os.kill(process, signal.SIGKILL)
    with pytest.raises(WorkerFailed, match=f"worker process {process} "):
        first.result(60)
    assert second.result(60) == "second"
    assert lines.read_text() == "second\n"
    assert ahead.pids() != [process]


def test_the_time_of_a_job_sent_ahead_begins_when_the_one_before_is_done(ahead: WorkerPool) -> None:
    first = ahead.submit(sleep, 1.0)
    second = submit_behind(ahead, sleep, 0.0, timeout=0.5)
    assert [first.result(60), second.result(60)] == [1.0, 0.0]
    first = ahead.submit(sleep, 0.2)
    second = submit_behind(ahead, sleep, 600, timeout=0.3)
    assert first.result(60) == 0.2
    with pytest.raises(WorkerFailed, match=r"sleep took more than 0.3 seconds"):
        second.result(60)
    assert ahead.submit(add, 1, 1).result(60) == 2


def test_a_shutdown_ends_a_job_sent_ahead() -> None:
    pool = WorkerPool(1, ahead=True)
    running = pool.submit(sleep, 600)
    waiting = submit_behind(pool, sleep, 600)
    pool.shutdown()
    for job in (running, waiting):
        with pytest.raises(WorkerFailed):
            job.result(1)


@pytest.mark.parametrize("kill", [True, False])
def test_workers_do_not_outlive_their_parent(kill: bool) -> None:
    program = (
        "import sys, time\n"
        "from perankh.workers import WorkerPool\n"
        "from tests.test_workers import pid, sleep\n"
        "if __name__ == '__main__':\n"
        "    pool = WorkerPool(1)\n"
        "    print(pool.submit(pid).result(), flush=True)\n"
        "    pool.submit(sleep, 600)\n"
        "    sys.stdin.readline()\n"
    )
    root = Path(__file__).parent.parent
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert parent.stdin
    assert parent.stdout
    worker = int(parent.stdout.readline())
    assert alive(worker)
    if kill:
        parent.kill()
    else:
        parent.stdin.write("\n")
        parent.stdin.close()
    parent.wait(60)
    for _ in range(600):
        if not alive(worker):
            break
        time.sleep(0.1)
    assert not alive(worker)
    assert kill or parent.returncode == 0


def test_refusals_of_moves_come_back_as_they_are() -> None:
    error = MoveError("no", {"en": "no", "ja": "いいえ"})
    assert pickle.loads(pickle.dumps(error)).reason == error.reason
