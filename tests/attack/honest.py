"""Honest players while the server is under attack."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from perankh.engine.game import get_game
from perankh.web.live import GONE

from ..conftest import ROOT
from .house import House
from .people import Broken, Person, addresses, seated
from .witness import Witness

GAMES = (("mural", 3), ("maqha", 3), ("imhotep", 3), ("egizia", 2), ("mural", 2), ("connect_four", 2))
PAUSE = 0.05  # seconds that an honest player thinks


def loaded(name: str) -> Any:
    """A game that the server offers."""
    return get_game(ROOT / "examples" / name if name == "connect_four" else name)


class Honest:
    """Matches with hidden cards, one after the other, each with a spectator, until told to stop."""

    def __init__(self, house: House, witness: Witness, seed: int, number: int) -> None:
        self.house = house
        self.witness = witness
        self.luck = random.Random(f"honest {seed} {number}")
        self.where = addresses(100 + number)
        self.number = number
        self.stopping = False
        self.matches = self.moves = 0
        self.latest: tuple[str, list[Person]] | None = None  # the running match, for attackers to watch

    async def play(self) -> None:
        """Play until told to stop; the last match is played to its end."""
        while not self.stopping:
            game, players = GAMES[(self.number + self.matches) % len(GAMES)]
            table, people = await seated(self.house, self.where, game, players)
            self.latest = table, people
            spectator = Person(self.house, next(self.where))
            await asyncio.gather(self.finish(table, people), self.watch(table, spectator))
            self.latest = None
            await self.witness.over(table, people[0], loaded(game))
            self.matches += 1
            for person in [*people, spectator]:
                person.close()

    async def finish(self, table: str, people: list[Person]) -> None:
        """Play all seats of a match to its end."""
        await asyncio.gather(*(self.seat(p, table, person) for p, person in enumerate(people)))

    async def seat(self, p: int, table: str, person: Person) -> None:
        """Play one seat to the end."""
        sent, used = -1, None
        async for socket, text in frames(person, table, f"since=0&viewer={p}"):
            if socket is not used:
                sent, used = -1, socket  # what was sent last may not have come
            frame = self.witness.see(person, text)
            if frame["type"] in ("refused", "error") and not expected(frame):
                raise Broken(f"an honest move was refused: {frame}")
            if frame["type"] != "view":
                continue
            if frame["status"] == "over":
                return
            if frame["moves"] and frame["number"] == frame["at"] and frame["number"] > sent:
                if not self.stopping:
                    await asyncio.sleep(PAUSE)
                sent = frame["number"]
                code = self.luck.choice(frame["moves"])["code"]
                with suppress(ConnectionClosed):  # whoever reads hears why
                    await socket.send(json.dumps({"type": "move", "number": sent, "seat": p, "code": code}))
                self.moves += 1

    async def watch(self, table: str, person: Person) -> None:
        """Watch to the end."""
        async for _, text in frames(person, table, "lang=ja&since=0"):
            if self.witness.see(person, text).get("status") == "over":
                return


async def frames(person: Person, table: str, query: str) -> AsyncIterator[tuple[ClientConnection, str | bytes]]:
    """What comes over a live connection. As in a browser, it is opened again if the server says that the table is loaded anew."""
    while True:
        async with person.live(table, query) as socket:
            try:
                while True:
                    yield socket, await asyncio.wait_for(socket.recv(), 120)
            except ConnectionClosed as closed:
                if not closed.rcvd or closed.rcvd.code != GONE:
                    raise


def expected(frame: Any) -> bool:
    """May an honest player be refused so? Several who decide at once may choose from an old list; a question may be closed."""
    return frame["type"] == "refused" and "current" in frame and frame["current"] != frame["number"]
