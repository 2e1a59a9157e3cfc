"""A process beside the server for what takes long: bots that think, scenes that are drawn, matches that are studied. It sees
veiled states only.

The two talk over pipes: four bytes of length, then a pickled request or answer. When the server ends, however it ends, the
pipe does too, and with it the worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import sys
from collections import deque
from typing import Any, BinaryIO

from perankh.bots import LEVELS, decide, game_at, is_ready, restored, searcher_of
from perankh.bots.analysis import analyse_fields
from perankh.errors import PerankhError
from perankh.web import views

LENGTH = 4


class WorkerFailed(PerankhError):
    """The worker could not do what it was asked."""


class Worker:
    """The server's end. Requests are answered in their order; a broken worker is replaced by the next request."""

    def __init__(self, nice: int = 5) -> None:
        self.nice = nice  # where processors are few, those who wait for an answer to their move go first
        self.process: asyncio.subprocess.Process | None = None
        self.starting = asyncio.Lock()
        self.waiting: deque[asyncio.Future[Any]] = deque()
        self.reader: asyncio.Task[None] | None = None
        self.ready = False

    async def start(self) -> None:
        """Start the process and wait until it has loaded the games."""
        await self.ask("load")
        self.ready = True

    async def ask(self, name: str, *given: Any) -> Any:
        """Have one of FUNCTIONS run in the worker."""
        async with self.starting:
            if self.process is None:
                command = (sys.executable, "-m", "perankh.web.worker", str(self.nice))
                pipe = asyncio.subprocess.PIPE
                self.process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, start_new_session=True)
                self.reader = asyncio.create_task(self.read(self.process))
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        request = pickle.dumps((name, given), pickle.HIGHEST_PROTOCOL)
        if self.process is None or self.process.stdin is None:
            raise WorkerFailed("the worker has ended")
        self.waiting.append(answer)
        self.process.stdin.write(len(request).to_bytes(LENGTH, "big") + request)
        return await answer

    async def read(self, process: asyncio.subprocess.Process) -> None:
        """Hand out the answers as they come; at the end of the pipe nobody waits in vain."""
        assert process.stdout
        try:
            while True:
                length = int.from_bytes(await process.stdout.readexactly(LENGTH), "big")
                done, value = pickle.loads(await process.stdout.readexactly(length))
                answer = self.waiting.popleft()
                if answer.done():
                    continue
                if done:
                    answer.set_result(value)
                else:
                    answer.set_exception(WorkerFailed(value))
        except (asyncio.IncompleteReadError, ConnectionError):
            logging.getLogger(__name__).warning("a worker process has ended")
        finally:
            self.process, self.ready = None, False
            while self.waiting:
                answer = self.waiting.popleft()
                if not answer.done():
                    answer.set_exception(WorkerFailed("the worker has ended"))

    async def close(self) -> None:
        """End the process."""
        process = self.process
        if self.reader:
            self.reader.cancel()
        if process:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


# --- The worker's end --------------------------------------------------------------------------------------------------------


def load() -> None:
    """Load everything before it is needed."""
    views.offered_games()


def draw(folder: str, fields: dict[str, Any], viewer: int, lang: str, shape: str, may_act: bool) -> dict[str, Any]:
    """The parts of a view that follow from a position."""
    return views.position(*restored(folder, fields), viewer, lang, shape, may_act)


def warm(folder: str) -> None:
    """Have a game's bots compiled, if they are not."""
    game = game_at(folder)
    if not is_ready(game):
        searcher_of(game).warm()


def load_mind(folder: str) -> None:
    """Have a game's bots at hand in this process, so that no time to think is lost to loading them."""
    searcher_of(game_at(folder)).warm()


def advise(folder: str, fields: dict[str, Any], p: int, seed: int) -> int:
    """The decision of the strongest bot."""
    if is_ready(game_at(folder)):
        load_mind(folder)
    return decide(folder, fields, p, list(LEVELS)[-1], seed)


FUNCTIONS = {
    "load": load,
    "think": decide,
    "draw": draw,
    "warm": warm,
    "load_mind": load_mind,
    "advise": advise,
    "judge": analyse_fields,
}


def work(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until there are no more."""
    while len(head := requests.read(LENGTH)) == LENGTH:
        name, given = pickle.loads(requests.read(int.from_bytes(head, "big")))
        try:
            answer: tuple[bool, Any] = (True, FUNCTIONS[name](*given))  # type: ignore[operator]
        except Exception as error:
            answer = (False, f"{type(error).__name__}: {error}")
        packed = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
        answers.write(len(packed).to_bytes(LENGTH, "big") + packed)
        answers.flush()


if __name__ == "__main__":
    answers_out, sys.stdout = sys.stdout.buffer, sys.stderr  # nothing that is printed may get among the answers
    os.nice(int(sys.argv[1]))
    with contextlib.suppress(ConnectionError):
        work(sys.stdin.buffer, answers_out)
