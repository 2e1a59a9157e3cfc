"""How much anybody may ask for, and whose turn it is: rates by key, shares and turns by address, all in bounded memory."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MOST_KEYS = 20_000
FADING = 10.0  # seconds in which what an address has asked for counts less and less
PUT_BACK = 0.02  # seconds by which each request of the last ten seconds puts the next one of its address back
LONGEST_PUT_BACK = 2.0
LITTLE_PUT_BACK = 0.2  # who is put back less does not wait while moves are being made
BESIDE_MOVES = 0.005  # seconds from one beginning to the next, of what is no move, while moves are being made
LONGEST_MOVE = 0.05  # seconds after which others do not wait for a move
Rate = tuple[float, float]  # so many a second, and how many at once


@dataclass(frozen=True)
class Limits:
    """Rates, sizes, numbers and time-outs. An address is one IPv4 address, or one IPv6 network of 64 bits."""

    address: Rate = (60.0, 600.0)  # requests and frames of one address
    token: Rate = (30.0, 120.0)  # those of one token besides; tokens can be invented, so this alone limits nobody
    tables: Rate = (0.1, 30.0)  # tables set up from one address: rematches, lessons and practice too
    uploads: Rate = (0.2, 60.0)  # match files from one address
    hints: Rate = (2.0, 24.0)  # hints for one address
    entries: Rate = (0.1, 20.0)  # codes, phrases and passkeys tried or made by one address, and deletions of everything
    profiles: Rate = (0.5, 60.0)  # changes of one address to a name, a colour or the wishes about alerts
    editions: Rate = (0.5, 60.0)  # drafts and editions of one address, each of which loads a game anew
    new_editions: Rate = (0.02, 60.0)  # new editions of one address
    exports: Rate = (0.05, 4.0)  # exports of everything to one address
    alerts: Rate = (0.02, 12.0)  # channels for alerts set up from one address, each with a first message
    chat: Rate = (1.0, 20.0)  # messages of one address
    passwords: Rate = (0.1, 10.0)  # passwords of tables that one address tries or sets
    body: int = 256_000  # bytes of a request's body
    frame: int = 4096  # bytes of a frame
    header_size: int = 32_768  # bytes of a request's header
    connections: int = 4000  # open connections in all
    address_connections: int = 400  # those of one address
    sockets: int = 200  # live connections of one address
    header_time: float = 10.0  # seconds for the header of a request, from its first byte
    idle_time: float = 15.0  # seconds between two requests of a connection
    proxy_idle_time: float = 90.0  # the same for a trusted proxy, which keeps its connections
    body_time: float = 10.0  # seconds for the body of a request, and one more for every `body_rate` bytes that came
    body_rate: float = 4096.0
    write_time: float = 15.0  # seconds in which a reader must take `write_rate` bytes a second of what waits for it
    write_rate: float = 500.0
    ping_time: float = 20.0  # seconds between pings of a live connection, and until the answer

    @property
    def all_sockets(self) -> int:
        """Live connections in all; the rest of the connections is left to requests."""
        return self.connections * 3 // 4


class Buckets:
    """Buckets that refill at `rate` a second up to `most`; the key longest unused is forgotten first."""

    def __init__(self, rate: float, most: float) -> None:
        self.rate = rate
        self.most = most
        self.levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self.tell: Callable[[str], None] | None = None  # lets other servers know whose bucket something was taken from

    def take(self, key: str) -> bool:
        """Take one from the bucket of a key; False if it is empty."""
        granted = self.lower(key)
        if granted and self.tell:
            self.tell(key)
        return granted

    def lower(self, key: str) -> bool:
        """The same for what another server has granted, and tells of."""
        now = time.monotonic()
        level, since = self.levels.pop(key, (self.most, now))
        level = min(self.most, level + (now - since) * self.rate)
        granted = level >= 1
        self.levels[key] = (level - 1 if granted else level, now)
        if len(self.levels) > MOST_KEYS:
            self.levels.popitem(last=False)
        return granted

    def wait(self, key: str) -> float:
        """Seconds until something can be taken from the bucket of a key."""
        level, since = self.levels.get(key, (self.most, 0.0))
        return max(0.0, (1 - level) / self.rate - (time.monotonic() - since)) if level < 1 else 0.0


class Shares:
    """Places, limited in all and for each address. If all are taken, the address that holds the most gives one up."""

    def __init__(self, most: int, most_each: int) -> None:
        self.most = most
        self.most_each = most_each
        self.count = 0
        self.held: dict[str, list[Callable[[], None]]] = {}  # by address, what ends the use of each place

    def enter(self, address: str, end: Callable[[], None]) -> bool:
        """Take a place; False if there is none. `end` is called if it must be given up for another address."""
        own = len(self.held.get(address, ()))
        if own >= self.most_each:
            return False
        if self.count >= self.most:
            largest = max(self.held, key=lambda other: len(self.held[other]))
            if len(self.held[largest]) <= own + 1:
                return False
            newest = self.held[largest][-1]
            self.leave(largest, newest)
            newest()
        self.held.setdefault(address, []).append(end)
        self.count += 1
        return True

    def leave(self, address: str, end: Callable[[], None]) -> None:
        """Give a place back; nothing happens if it was given up before."""
        held = self.held.get(address, [])
        if end in held:
            held.remove(end)
            self.count -= 1
            if not held:
                del self.held[address]


class Turns:
    """Turns at the event loop, when more comes in than it can do at once: moves go first, then who has asked for little lately.

    One begins in each round of the loop, and what has begun goes on in between. So whoever makes a move now and then does not
    wait for everything that others have sent, however many they are. Nobody is put back for more than two seconds; the moves of
    those who are go with the rest. Making a move takes several rounds and a write in another thread: meanwhile, what is no move
    begins only now and then, unless its address has asked for little.
    """

    def __init__(self) -> None:
        self.asked: OrderedDict[str, tuple[float, float]] = OrderedDict()  # by address: how much it has asked for, and when last
        # Heaps, ordered by the time that counts; the last value: may it begin beside moves?
        self.moves: list[tuple[float, int, asyncio.Future[None], bool]] = []
        self.others: list[tuple[float, int, asyncio.Future[None], bool]] = []
        self.numbers = itertools.count()
        self.is_running = False  # has one begun in this round?
        self.later: asyncio.TimerHandle | None = None  # when something may begin beside moves
        self.being_made = 0  # moves that are being made
        self.move_begun = self.other_begun = -math.inf  # when making the last one, and the last other thing, began

    async def wait(self, address: str, is_move: bool = False) -> None:
        """Wait until it is the turn of an address: not at all, if nothing goes before it."""
        now = time.monotonic()
        put_back = min(LONGEST_PUT_BACK, PUT_BACK * self.note(address, now))
        may_begin = put_back < LITTLE_PUT_BACK
        if is_move and put_back < LONGEST_PUT_BACK:
            put_back -= LONGEST_PUT_BACK
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self.moves if is_move else self.others, (now + put_back, next(self.numbers), turn, may_begin))
        if not self.is_running and (is_move or may_begin or not self.later):
            self.begin_next()
        await turn

    @contextmanager
    def make_move(self) -> Iterator[None]:
        """While a move is being made, other things begin only now and then."""
        self.being_made += 1
        self.move_begun = time.monotonic()
        try:
            yield
        finally:
            self.being_made -= 1
            if not self.being_made and self.later:
                self.begin_next()

    def note(self, address: str, now: float) -> float:
        """Note a request; returns how many the address has made before, each the less the longer ago it was."""
        before, since = self.asked.pop(address, (0.0, now))
        before *= math.exp((since - now) / FADING)
        self.asked[address] = (before + 1, now)
        if len(self.asked) > MOST_KEYS:
            self.asked.popitem(last=False)
        return before

    def begin_next(self) -> None:
        """Let the next one begin, and another one in the next round of the event loop."""
        if self.later:
            self.later.cancel()
        self.is_running, self.later = False, None
        for waiting in (self.moves, self.others):
            while waiting and waiting[0][2].done():  # it has gone away
                heapq.heappop(waiting)
        now, loop = time.monotonic(), asyncio.get_running_loop()
        pause = self.other_begun + BESIDE_MOVES - now
        are_free = not self.being_made or now - self.move_begun > LONGEST_MOVE or (self.others and self.others[0][3])
        if self.others and (pause <= 0 or (are_free and (not self.moves or self.others[0] < self.moves[0]))):
            self.other_begun = now
            heapq.heappop(self.others)[2].set_result(None)
        elif self.moves:
            heapq.heappop(self.moves)[2].set_result(None)
        else:
            if self.others:
                self.later = loop.call_later(pause, self.begin_next)
            return
        self.is_running = True
        loop.call_soon(self.begin_next)
