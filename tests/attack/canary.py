"""A visitor in a process of its own, who measures how long everything takes."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from .house import House
from .people import GONE, Broken, Person, addresses, next_view, seated

KINDS = ("page", "move", "bot")


class Canary:
    """Another visitor: the home page, moves among people, answers of a bot; how long each takes, and when it was measured."""

    def __init__(self, house: House, seed: int, ready: Any) -> None:
        self.house = house
        self.ready = ready  # set when everything was measured once
        self.luck = random.Random(f"canary {seed}")
        self.where: Iterator[str] = addresses(90)
        self.samples: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self.faults: list[str] = []
        self.stopping = False

    async def visit(self) -> None:
        """Measure until told to stop."""
        await asyncio.gather(self.again(self.home), self.again(self.people), self.again(self.bot))

    async def again(self, measure: Any) -> None:
        """Repeat a measurement; a connection that ends is a fault."""
        while not self.stopping:
            try:
                await measure()
            except (*GONE, Broken) as error:
                self.faults.append(f"{measure.__name__}: {type(error).__name__} {error}")
                await asyncio.sleep(0.5)

    def note(self, what: str, began: float) -> None:
        """Keep a measurement."""
        self.samples[what].append((began, time.monotonic() - began))
        if len(self.samples) == len(KINDS):
            self.ready.set()

    async def home(self) -> None:
        """Open the home page on a new connection."""
        person = Person(self.house, next(self.where))
        began = time.monotonic()
        answer = await person.ask("GET", "/")
        self.note("page", began)
        if answer.status != 200:
            self.faults.append(f"home page: {answer.status}")
        person.close()
        await asyncio.sleep(0.2)

    async def people(self) -> None:
        """A match between two people, each move timed until it is answered."""
        table, people = await seated(self.house, self.where, "connect_four", 2)
        view = await people[0].view(table)
        for number in range(42):
            if self.stopping:
                break
            view = await people[number % 2].view(table)
            if view["status"] == "over":
                break
            made = {"number": number, "code": self.luck.choice(view["moves"])["code"]}
            began = time.monotonic()
            answer = await people[number % 2].ask("POST", f"/api/tables/{table}/moves", made)
            self.note("move", began)
            if answer.status != 200:
                self.faults.append(f"a move: {answer.status} {answer.body[:200]!r}")
                break
            await asyncio.sleep(0.2)
        for person in people:
            person.close()

    async def bot(self) -> None:
        """A match against a bot, timed from the own move until the bot's."""
        person = Person(self.house, next(self.where))
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "scribe"}]
        table = await person.table("connect_four", 2, seats=seats, ready=True)
        async with person.live(table) as socket:
            view = await next_view(socket)
            while not self.stopping and view["status"] != "over":
                if not view["moves"]:
                    view = await next_view(socket)
                    continue
                number, code = view["number"], self.luck.choice(view["moves"])["code"]
                began = time.monotonic()
                await socket.send(json.dumps({"type": "move", "number": number, "code": code}))
                while view["status"] != "over" and view["number"] < number + 2:
                    view = await next_view(socket)
                if view["number"] == number + 2:
                    self.note("bot", began)
        person.close()


def measure(house: House, seed: int, ready: Any, stop: Any, answers: Any) -> None:
    """Visit until the event is set; then hand over what was measured. Runs in a process of its own."""

    async def visit() -> Canary:
        canary = Canary(house, seed, ready)
        visiting = asyncio.create_task(canary.visit())
        await asyncio.to_thread(stop.wait, 7200)
        canary.stopping = True
        await asyncio.wait([visiting], timeout=90)
        return canary

    canary = asyncio.run(visit())
    answers.put((dict(canary.samples), canary.faults))


class Measuring:
    """The visitor's process. `samples` and `faults` are there once it is stopped."""

    def __init__(self, house: House, seed: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.ready, self.stop_event, self.answers = context.Event(), context.Event(), context.Queue()
        address = House(house.folder)
        address.port = house.port
        self.process = context.Process(target=measure, args=(address, seed, self.ready, self.stop_event, self.answers))
        self.samples: dict[str, list[tuple[float, float]]] = {}
        self.faults: list[str] = []
        self.process.start()
        if not self.ready.wait(120):
            raise Broken("the server does not serve a visitor even in quiet")

    def stop(self) -> None:
        """End the visit and collect what was measured."""
        self.stop_event.set()
        self.samples, self.faults = self.answers.get(timeout=120)
        self.process.join(10)

    def between(self, what: str, begin: float, end: float) -> list[float]:
        """The measurements that began in a time, in seconds."""
        return [taken for began, taken in self.samples.get(what, []) if begin <= began < end]


def percentile(values: list[float], share: float) -> float:
    """The value that a share of the values does not exceed."""
    if len(values) < 2:
        return values[0] if values else 0.0
    return statistics.quantiles(values, n=100, method="inclusive")[round(100 * share) - 1]
