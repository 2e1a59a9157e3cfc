"""Worker processes that run module-level functions, with time-outs. A worker that hangs or dies is replaced.

    with WorkerPool(2) as pool:
        job = pool.submit(function, 1, 2, timeout=10)   # a concurrent.futures.Future
        job.result()                                    # or, in asyncio: await asyncio.wrap_future(job)

Each worker is a process with a pipe, and a thread of this process that hands it one job at a time. An exception of a job
is raised by its future as it was raised in the worker; its note holds the worker's traceback. A pool of one process can
send it the next job while it is at work on another (`ahead`), so that it does not wait for the thread in between.

Where the system can, workers are forked from one process that has no threads and has already imported what they need
(`preload`), so that they start faster and share memory. Elsewhere each is started anew.
"""

from __future__ import annotations

import atexit
import contextlib
import math
import multiprocessing
import os
import pickle
import select
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from perankh.errors import PerankhError

START_TIMEOUT = 60.0  # seconds for a process to start and to run the initializer
BEGIN_TIMEOUT = 5.0  # seconds for a process that has nothing to do to begin a job
MOST_AHEAD = 32_768  # bytes of a job that is sent while another runs: so much fits into the pipe, and nobody waits
SHUT_DOWN = "the worker processes have been shut down"

FORKED = "forkserver" in multiprocessing.get_all_start_methods()
CONTEXT: Any = multiprocessing.get_context("forkserver" if FORKED else "spawn")

T = TypeVar("T")
_preloaded: list[str] = []


def preload(module: str) -> None:
    """Have a module imported before the first worker starts, once for all of them."""
    if FORKED and module not in _preloaded:
        _preloaded.append(module)
        CONTEXT.set_forkserver_preload(_preloaded)


class WorkerFailed(PerankhError):
    """A worker process ended, took too long, or could not send its result."""


class NotBegun(WorkerFailed):
    """A worker process ended or hung before it had the job."""


@dataclass(frozen=True)
class Job:
    """A function call for a worker, and the future of its result."""

    name: str
    request: bytes  # the pickled function and arguments
    timeout: float | None
    attempts: int
    future: Future[Any]


class WorkerPool:
    """A number of worker processes; each starts when it gets its first job, and again after a failure."""

    def __init__(
        self,
        size: int = 1,
        *,
        nice: int = 0,
        initializer: Callable[[], None] | None = None,
        idle: float | None = None,
        ahead: bool = False,
    ) -> None:
        """`nice` lowers the priority of the processes; `initializer` runs in each of them before its first job.

        A process that has had nothing to do for `idle` seconds is ended; the next job starts another. `ahead`: if there is only
        one, it is sent the next job while it is at work on another. That job cannot be cancelled any more.
        """
        self.ahead = ahead and size == 1
        self.nice = nice
        self.idle = idle
        self.initializer = initializer
        self.jobs: deque[Job] = deque()
        self.changed = threading.Condition()
        self.closed = False
        self.slots = size  # jobs that run at the same time
        self.workers = [Worker(self, number) for number in range(size)]
        atexit.register(self.shutdown)
        for worker in self.workers:
            worker.start()

    def submit(self, function: Callable[..., T], *arguments: Any, timeout: float | None = None, retry: bool = False) -> Future[T]:
        """Run a function in a worker, at most for `timeout` seconds; `retry` runs it once more if the worker fails."""
        name = f"{function.__module__}.{function.__qualname__}"
        job = Job(name, pickle.dumps((function, arguments)), timeout, 2 if retry else 1, Future())
        with self.changed:
            if self.closed:
                raise WorkerFailed(SHUT_DOWN)
            if not self.ahead or self.jobs or not self.workers[0].send_ahead(job):
                self.jobs.append(job)
                self.changed.notify()
        return job.future

    def next_job(self, timeout: float | None) -> Job | None:
        """Wait for a job; None when there is none in time, and when the pool is shut down."""
        with self.changed:
            self.changed.wait_for(lambda: self.jobs or self.closed, timeout)
            return self.jobs.popleft() if self.jobs and not self.closed else None

    def pids(self) -> list[int]:
        """The process ids of the workers that have been started."""
        return [process.pid for worker in self.workers if (process := worker.process) and process.pid]

    def processes(self) -> int:
        """How many worker processes there are."""
        return len(self.pids())

    def shutdown(self) -> None:
        """Kill the processes. Running jobs fail with WorkerFailed; those that have not begun are cancelled."""
        with self.changed:
            self.closed = True
            waiting, self.jobs = self.jobs, deque()
            self.changed.notify_all()
            for process in [worker.process for worker in self.workers]:
                if process is not None:
                    process.kill()
        for job in waiting:
            if not job.future.cancel():  # it had been sent ahead
                job.future.set_exception(WorkerFailed(SHUT_DOWN))
        for worker in self.workers:
            worker.join()
        atexit.unregister(self.shutdown)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()


class Worker(threading.Thread):
    """The thread that hands jobs to one worker process."""

    def __init__(self, pool: WorkerPool, number: int) -> None:
        super().__init__(name=f"worker-{number}", daemon=True)
        self.pool = pool
        self.process: BaseProcess | None = None
        self.connection: Connection | None = None
        self.begun: Any = CONTEXT.RawValue("L")  # jobs that the process has had: shared memory costs less than a message
        self.answered = 0  # jobs that it has answered
        self.working = False  # may it be sent a job while it is at work on another?
        self.ahead: Job | None = None  # that was sent so
        self.poller: Any = None  # waits for the connection, where the system has such an object; making one each time is slow

    def run(self) -> None:
        """Run one job after the other until the pool is shut down."""
        while not self.pool.closed:
            if self.ahead:
                job, self.ahead = self.ahead, None
                self.run_job(job, sent=True)
                continue
            next_job = self.pool.next_job(self.pool.idle if self.process else None)
            if next_job is None:
                self.stop()
            elif next_job.future.running() or next_job.future.set_running_or_notify_cancel():
                self.run_job(next_job)
        self.stop()

    def send_ahead(self, job: Job) -> bool:
        """Send a job to the process while it is at work on another, if that is possible. The caller holds the pool's lock."""
        if not self.working or self.ahead or len(job.request) > MOST_AHEAD:
            return False
        assert self.connection
        try:
            self.connection.send_bytes(job.request)
        except OSError:
            return False  # it has ended, which the thread will find out
        job.future.set_running_or_notify_cancel()
        self.ahead = job
        return True

    def run_job(self, job: Job, sent: bool = False) -> None:
        """Run a job, once more after a failure of the worker if the job asks for it. `sent`: the process has it already."""
        for attempt in range(1, job.attempts + 1):
            try:
                succeeded, value = self.exchange(job, sent)
            except Exception as error:  # whatever it was: without an answer the job would be waited for without end
                self.stop()
                sent = False
                if attempt == job.attempts or self.pool.closed:
                    job.future.set_exception(error)
                    return
            else:
                if succeeded:
                    job.future.set_result(value)
                else:
                    job.future.set_exception(value)
                return

    def exchange(self, job: Job, sent: bool) -> tuple[bool, Any]:
        """Send a job to the process, started if need be, and receive the answer."""
        if self.process is not None:
            try:
                return self.answer_to(job, sent)
            except NotBegun:  # it ended or hung while it had nothing to do
                self.stop()
        self.start_process()
        self.receive(START_TIMEOUT, "starting")
        return self.answer_to(job)

    def answer_to(self, job: Job, sent: bool = False) -> tuple[bool, Any]:
        """Send a job and receive the answer; NotBegun if the process ends or hangs before it has the job."""
        assert self.connection
        if not sent:
            with contextlib.suppress(ConnectionError):  # `receive` says how the process ended
                self.connection.send_bytes(job.request)
        with self.pool.changed:
            self.working = True
        begin = BEGIN_TIMEOUT if job.timeout is None else min(BEGIN_TIMEOUT, job.timeout)
        try:
            if not self.has_message(begin) and not self.has_begun():
                raise self.too_late(f"beginning {job.name}", begin)
            received = self.receive(job.timeout, f"running {job.name}", begin)
        except WorkerFailed as error:
            raise (error if self.has_begun() else NotBegun(str(error))) from None
        with self.pool.changed:
            self.working = False  # from here on, the thread looks for the next job itself
        self.answered += 1
        answer: tuple[bool, Any] = pickle.loads(received)
        return answer

    def has_begun(self) -> bool:
        """Has the process had the job that is to be answered next?"""
        return bool(self.begun.value > self.answered)

    def start_process(self) -> None:
        """Start the process, unless the pool is shut down."""
        with self.pool.changed:
            if self.pool.closed:
                raise WorkerFailed(SHUT_DOWN)
            self.begun.value = self.answered = 0
            connection, end = CONTEXT.Pipe()
            given = (end, self.begun, self.pool.nice, self.pool.initializer, dict(os.environ))
            process = CONTEXT.Process(target=serve, args=given, daemon=True)
            try:
                process.start()
            except (
                OSError,
                EOFError,
            ) as error:  # EOFError: the process that forks workers has ended; the next start makes another
                connection.close()
                raise WorkerFailed(f"a worker process could not be started: {error}") from None
            finally:
                end.close()  # so that the pipe ends when the process does
            self.process, self.connection = process, connection
        if hasattr(select, "poll"):
            self.poller = select.poll()
            self.poller.register(self.connection.fileno(), select.POLLIN)

    def receive(self, timeout: float | None, doing: str, waited: float = 0.0) -> bytes:
        """The next message of the process, which may take so many seconds, `waited` of which are over."""
        assert self.process
        assert self.connection
        if not self.has_message(None if timeout is None else max(0.0, timeout - waited)):
            raise self.too_late(doing, timeout or 0.0)
        try:
            return self.connection.recv_bytes()
        except (EOFError, ConnectionError):
            self.process.join()
            code = self.process.exitcode or 0
            how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
            raise WorkerFailed(f"worker process {self.process.pid} {how} while {doing}") from None

    def too_late(self, doing: str, timeout: float) -> WorkerFailed:
        """What is said of a process that took too long."""
        pid = self.process.pid if self.process else None
        return WorkerFailed(f"worker process {pid} was stopped: {doing} took more than {timeout:g} seconds")

    def has_message(self, timeout: float | None) -> bool:
        """Wait for a message; is there one in time, or is the pipe closed?"""
        assert self.connection
        if self.poller is None:
            return bool(wait([self.connection], timeout))
        return bool(self.poller.poll(None if timeout is None else math.ceil(1000 * timeout)))

    def stop(self) -> None:
        """Kill the process, if there is one. A job that was sent ahead waits again, as the first."""
        with self.pool.changed:
            self.working = False
            if self.ahead and self.pool.closed:
                self.ahead.future.set_exception(WorkerFailed(SHUT_DOWN))
            elif self.ahead:
                self.pool.jobs.appendleft(self.ahead)
            self.ahead = None
        if self.process is not None and self.connection is not None:
            self.process.kill()
            self.process.join()
            self.connection.close()
            self.process = self.connection = self.poller = None


# --- In the worker process --------------------------------------------------------------------------------------------------


def serve(
    connection: Connection, begun: Any, nice: int, initializer: Callable[[], None] | None, environment: dict[str, str]
) -> None:
    """Answer requests until the parent closes the pipe or ends. `begun` tells it that a request has arrived."""
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt from the keyboard is for the parent
    threading.Thread(target=end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):  # not on Windows
        os.nice(nice)
    if initializer is not None:
        initializer()
    with contextlib.suppress(EOFError, ConnectionError):
        connection.send_bytes(b"")
        while True:
            request = connection.recv_bytes()
            begun.value += 1
            connection.send_bytes(answer(request))


def end_with_parent() -> None:
    """End this process when its parent does, even in the middle of a job."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def answer(request: bytes) -> bytes:
    """Run the function of a request: (True, result) or (False, exception), pickled."""
    try:
        function, arguments = pickle.loads(request)
        return pickle.dumps((True, function(*arguments)))
    except Exception as error:
        error.add_note(f"In worker process {os.getpid()}:\n{traceback.format_exc()}")
        try:
            pickled = pickle.dumps((False, error))
            pickle.loads(pickled)
            return pickled
        except Exception:
            return pickle.dumps((False, WorkerFailed(f"{type(error).__name__}: {error}")))
