"""One table being played: a match, its seats, its clock, its votes, and those who watch. Every change is stored first."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.bots import BOTS
from perankh.engine.state import Record
from perankh.errors import BadOption, MoveError
from perankh.match.match import Match, checked_names
from perankh.web import storage, views
from perankh.web.clock import Clock
from perankh.web.identity import same
from perankh.web.knowledge import can_be_left_out, marks_of, nothing_learned, same_decision
from perankh.web.refusal import Refused, because, refused
from perankh.web.sight import Sight
from perankh.web.window import Window, answer_in, has_windows, time_to_answer

if TYPE_CHECKING:
    from perankh.web.rooms import Rooms

SOON = 0.004  # seconds from a change to the views of it: whoever moved is answered first
LOOK = 0.1  # seconds between two looks at an open question


@dataclass
class Seat:
    """Who plays a seat. A bot's seat that has an owner was handed over and can be taken back."""

    kind: str  # "person", "open" or "bot"
    owner: str | None = None
    bot: str | None = None
    name: str = ""


@dataclass(eq=False)
class Watcher:
    """A live connection: whose it is, with which eyes it looks, and the bell that says there is something new."""

    who: str | None
    viewer: int | None
    lang: str
    shape: str
    told: int | None = None  # lines of the log it has; None: it wants all of them every time
    bell: asyncio.Event = field(default_factory=asyncio.Event)


class Room:
    """A table in memory. Changes hold the lock, are written, and only then become visible."""

    def __init__(self, rooms: Rooms, id: str, match: Match, seats: list[Seat]) -> None:
        self.rooms = rooms
        self.id = id
        self.match = match
        self.game = match.game
        self.seats = seats
        self.clock: Clock | None = None
        self.undo: dict[str, Any] | None = None
        self.next: str | None = None
        self.readonly = False
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.seen: dict[str, float] = {}  # when somebody was last heard of
        self.used = self.loaded = time.time()
        self.gone = False  # dropped from memory; whoever watches connects anew
        self.bells: asyncio.TimerHandle | None = None
        self.bot_task: asyncio.Task[None] | None = None
        self.advice: tuple[Record, int, asyncio.Task[int]] | None = None  # the last hint: position, seat, action
        self.window: Window | None = None  # the question that stands open against the clock
        self.rewinds = 0  # how often moves were taken back
        self.marks: dict[int, tuple[int, Record]] = {}  # by seat: number and state before its last decision
        self.sight = Sight(self)

    # --- What stands -------------------------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """Moves made."""
        return self.match.number

    @property
    def status(self) -> str:
        """Waiting for players, playing, or over."""
        if self.match.over:
            return "over"
        return "waiting" if any(seat.kind == "open" for seat in self.seats) else "playing"

    def own(self, who: str | None) -> tuple[int, ...]:
        """The seats of a token."""
        return tuple(p for p, seat in enumerate(self.seats) if same(seat.owner, who))

    def eyes(self, who: str | None, viewer: int | None) -> int:
        """Whose eyes somebody may look with: the own seats', a spectator's, and anybody's once nothing is secret."""
        own = self.own(who)
        if viewer is None:
            return own[0] if own else views.SPECTATOR
        if viewer == views.SPECTATOR or viewer in own:
            return viewer
        if not 0 <= viewer < self.match.players:
            raise refused(404, "no_seat", seat=viewer)
        if self.readonly or self.match.over:
            return viewer
        raise refused(403, "not_yours")

    def acting_persons(self) -> list[int]:
        """The seats whose clock runs."""
        return [p for p in self.match.actors if self.seats[p].kind == "person"] if self.status == "playing" else []

    def connected(self, p: int) -> bool:
        """Does the person of a seat watch?"""
        return any(same(self.seats[p].owner, watcher.who) for watcher in self.watchers)

    def away(self, p: int) -> bool:
        """Has nothing been heard of the person of a seat for a while?"""
        return not self.connected(p) and time.time() - self.seen.get(self.seats[p].owner or "", self.loaded) > self.rooms.away

    def touch(self, who: str | None) -> None:
        """Somebody was heard of."""
        self.used = time.time()
        if who and self.own(who):
            self.seen[who] = self.used

    def check_open(self) -> None:
        """Refuse changes to tables that are for looking only."""
        if self.readonly:
            raise refused(409, "readonly")

    def checked_seat(self, p: int) -> int:
        """A seat number that exists."""
        if not 0 <= p < self.match.players:
            raise refused(404, "no_seat", seat=p)
        return p

    # --- Storing ----------------------------------------------------------------------------------------------------------

    def facts(self, match: Match) -> dict[str, Any]:
        """What changes with every move."""
        return {"number": match.number, "acting": self.game.rules.actors(match.state), "updated": time.time()}

    def save(self, later: Match | None = None, first: int = 0) -> Callable[[Connection], None]:
        """The write that keeps everything but the moves; the clock is brought to a checkpoint.

        `later`: the moves from number `first` on are replaced by those of this match.
        """
        codes, stamp, match = self.game.face.CODES, time.time(), later or self.match
        kept = [(p, codes[action], stamp) for p, action in match.played[first:]] if later else []
        if self.clock:
            now = time.time()
            self.clock.run(self.acting_persons(), now)
            self.clock.since = now if self.status == "playing" and not self.readonly else None
            self.clock.base = match.number
        facts = self.facts(match) | {
            "clock": json.dumps(self.clock.json()) if self.clock else None,
            "undo": json.dumps(self.undo) if self.undo and not later else None,
            "next": self.next,
        }
        rows = [dict(vars(seat)) for seat in self.seats]

        def write(connection: Connection) -> None:
            if later:
                storage.delete_moves(connection, self.id, first)
            if kept:
                storage.insert_moves(connection, self.id, first, kept)
            storage.update_table(connection, self.id, facts)
            storage.update_seats(connection, self.id, rows)

        return write

    async def keep(self, write: Callable[[Connection], None]) -> None:
        """Store a change. If that fails the room is dropped: what is stored is the truth."""
        try:
            if self.gone:
                raise refused(503, "storage")  # this room no longer tells what is stored
            await self.rooms.storage.write(write)
        except storage.Taken:
            self.rooms.drop(self)
            raise refused(409, "number_used", number=self.number + 1) from None
        except sa.exc.SQLAlchemyError:
            self.rooms.drop(self)
            raise refused(503, "storage") from None

    def changed(self) -> None:
        """Let everybody know, and wake the bots."""
        self.sight.shared.clear()
        self.mind_window()
        if self.bells is None:
            self.bells = asyncio.get_running_loop().call_later(SOON, self.ring)
        if self.acting_bot() is not None and (self.bot_task is None or self.bot_task.done()):
            self.bot_task = asyncio.create_task(self.play_bots())

    def ring(self) -> None:
        """Tell those who watch that there is something new."""
        self.bells = None
        for watcher in self.watchers:
            watcher.bell.set()

    # --- Seats ------------------------------------------------------------------------------------------------------------

    async def sit(self, who: str, seat: int | None, name: str | None) -> int:
        """Sit down on an open seat."""
        async with self.lock:
            self.check_open()
            free = [p for p, taken in enumerate(self.seats) if taken.kind == "open"]
            if seat is not None:
                if self.checked_seat(seat) in self.own(who) and self.seats[seat].kind == "person":
                    return seat
                if seat not in free:
                    raise refused(409, "taken")
            elif not free:
                raise refused(409, "full")
            p = free[0] if seat is None else seat
            self.seats[p] = Seat("person", who, None, self.checked_name(name or ""))
            await self.keep_seats()
            self.touch(who)
            return p

    async def change_seat(self, who: str | None, p: int, name: str | None, kind: str | None, bot: str | None) -> None:
        """Rename an own seat, hand it over or leave it; give a bot the seat of somebody who is away or never came."""
        async with self.lock:
            self.check_open()
            seat = self.seats[self.checked_seat(p)]
            mine = same(seat.owner, who)
            if not self.own(who):
                raise refused(403, "not_seated")
            if bot is not None and bot not in BOTS:
                raise refused(422, "no_bot", bot=bot, bots=", ".join(BOTS))
            if not mine:
                self.check_foreign(seat, p, name, kind)
            after = Seat(seat.kind, seat.owner, seat.bot, seat.name if name is None else self.checked_name(name))
            if kind == "bot" or (bot is not None and seat.kind == "bot"):
                after.kind, after.bot = "bot", bot or seat.bot or "scribe"
            elif kind == "open":
                if self.match.over:
                    raise refused(409, "over")
                after = Seat("open")
            elif kind == "me":
                if self.clock and self.clock.left[p] <= 0:
                    raise refused(409, "out_of_time")
                after.kind, after.bot = "person", None
            if self.clock:
                self.clock.run(self.acting_persons(), time.time())
            self.seats[p] = after
            await self.keep_seats()

    def check_foreign(self, seat: Seat, p: int, name: str | None, kind: str | None) -> None:
        """What others may do with a seat: give a bot an open one or one whose person is away; change a bot's before the start."""
        if name is not None or kind not in ("bot", "open"):
            raise refused(403, "not_yours")
        if seat.kind == "bot" and (seat.owner is not None or self.number):
            raise refused(403, "not_yours")
        if kind == "open" and seat.kind != "bot":
            raise refused(403, "not_yours")
        if kind == "bot" and seat.kind == "person" and not self.away(p):
            raise refused(409, "not_away")

    async def keep_seats(self) -> None:
        """Store changed seats."""
        self.match.rename(*(seat.name for seat in self.seats))
        if self.undo:
            self.undo = None  # whoever had to agree may have gone
        await self.keep(self.save())
        self.sight.forget()
        self.changed()

    def checked_name(self, name: str) -> str:
        """A name fit to be shown."""
        try:
            return checked_names([name], 1)[0]
        except BadOption as error:
            raise because(422, error) from None

    # --- Moves ------------------------------------------------------------------------------------------------------------

    async def move(self, who: str | None, number: int, code: str, seat: int | None) -> int:
        """Make a move, once however often it is sent; answers its number when it is stored."""
        arrived = time.monotonic()
        async with self.lock:
            p = self.seat_for(who, number, seat)
            await self.tick()
            action = views.action_of(self.game).get(code)
            made = await self.made(p, number, action)
            if made is not None:
                return made
            self.check_open()
            if self.status == "waiting":
                raise refused(409, "waiting")
            if self.seats[p].kind != "person" and not self.match.over:
                raise refused(409, "with_bot")
            try:
                if action is None:
                    self.match.parse(code, p)  # raises, unless it is a sentence or the start of a code: only whole codes here
                    raise refused(422, "bad_request", what="code")
                if action not in self.game.legal(self.match.state, p):
                    self.match.play(action, p)  # raises the reason
            except MoveError as error:
                raise because(422, error) from None
            number = self.number
            after = self.window.after(p, arrived) if self.window else 0.0
            await self.make(p, answer_in(self.game, self.sight.veil(p), action, after))
            self.touch(who)
            return number

    async def made(self, p: int, number: int, action: int | None) -> int | None:
        """The number of a move that was made already, or None if it is to be made now.

        Several who decide at the same time do not see each other's choices, so all of them may send the same number: what
        others chose meanwhile does not stand in the way.
        """
        if number == self.number:
            return None
        since = self.match.played[number:] if 0 <= number < self.number else ()
        first = next((n for n, (q, _) in enumerate(since) if q == p), len(since))  # p's first move since
        if first < len(since) and first == 0 and since[0] == (p, action):
            return number
        if since and action is not None:
            before = (await asyncio.to_thread(self.match.at, number)).state
            if same_decision(self.game, before, p, since[:first]):
                if first == len(since):
                    return None
                seen = self.game.veiled(before, p)
                if answer_in(self.game, seen, since[first][1], 0) == answer_in(self.game, seen, action, 0):
                    return number + first
        key = "number_used" if number < self.number else "number_ahead"
        raise Refused(409, refused(409, key, number=self.number).reason, number=self.number)

    def seat_for(self, who: str | None, number: int, seat: int | None) -> int:
        """The own seat that a move is for."""
        own = self.own(who)
        if seat is not None:
            if self.checked_seat(seat) not in own:
                raise refused(403, "not_yours")
            return seat
        if not own:
            raise refused(403, "not_seated")
        if 0 <= number < self.number and self.match.played[number][0] in own:
            return self.match.played[number][0]
        acting = [p for p in own if p in self.match.actors]
        if len(acting) > 1:
            raise refused(422, "which_seat")
        return acting[0] if acting else own[0]

    async def make(self, p: int, action: int) -> None:
        """Carry out a legal action: stored first, then made. The caller holds the lock."""
        before, after, stamp = self.match, self.match.copy(), time.time()
        after.play(action, p)
        facts = self.facts(after)
        if self.undo:
            facts["undo"] = None
        code = self.game.face.CODES[action]

        def write(connection: Connection) -> None:
            storage.insert_moves(connection, self.id, before.number, [(p, code, stamp)])
            storage.update_table(connection, self.id, facts)

        await self.keep(write)
        if self.clock:
            self.clock.moved(p, self.acting_persons(), stamp)
        self.undo = None
        self.marks[p] = (before.number, before.state)
        self.match = after
        if self.clock and self.match.over:
            self.clock.since = None
        if self.window:
            self.window.waiting.discard(p)
        self.sight.advance(p, action)
        self.changed()

    async def tick(self) -> None:
        """Hand the seats whose time has run out to a bot. The caller holds the lock."""
        if self.clock is None:
            return
        now = time.time()
        fallen = self.clock.fallen(self.acting_persons(), now)
        if fallen:
            self.clock.run(self.acting_persons(), now)
            for p in fallen:
                self.clock.left[p] = 0.0
                self.seats[p].kind, self.seats[p].bot = "bot", "random"
            await self.keep_seats()

    def acting_bot(self) -> int | None:
        """A bot's seat that has to decide."""
        if self.status != "playing" or self.readonly:
            return None
        return next((p for p in self.match.actors if self.seats[p].kind == "bot"), None)

    def hesitation(self, p: int) -> float:
        """Seconds for which bot p seems to think: half as long when it goes on with its turn or chooses unseen with others."""
        seconds = random.uniform(*self.rooms.bot_pause)
        goes_on = bool(self.match.played) and self.match.played[-1][0] == p
        return seconds / 2 if goes_on or len(self.match.actors) > 1 else seconds

    async def play_bots(self) -> None:
        """Let the bots decide, one after the other, until a person has to."""
        while (p := self.acting_bot()) is not None:
            state, rewinds, number = self.match.state, self.rewinds, self.number
            thinking = self.rooms.think(self.game, self.sight.veil(p), p, self.seats[p].bot or "random")
            action, _ = await asyncio.gather(thinking, asyncio.sleep(self.hesitation(p)))
            async with self.lock:
                # What others chose meanwhile, sealed, changes nothing; moves taken back do.
                same = self.rewinds == rewinds and same_decision(self.game, state, p, self.match.played[number:])
                if same and self.seats[p].kind == "bot" and self.status == "playing":
                    legal = self.game.legal(self.match.state, p)
                    chosen = action if action in legal else random.choice(legal)
                    try:
                        await self.make(p, answer_in(self.game, self.sight.veil(p), chosen, None))
                    except Refused:
                        return  # the room was dropped; whoever looks next loads it again
            self.used = time.time()

    # --- Decisions against the clock -----------------------------------------------------------------------------------------

    def mind_window(self) -> None:
        """Open a window when the position has a question against the clock, and forget it when it is answered."""
        timed = has_windows(self.game) and self.status == "playing" and not self.readonly
        length = time_to_answer(self.game, self.sight.veil(views.SPECTATOR)) if timed else 0.0
        if not length:
            self.window = None
        elif self.window is None or not set(self.match.actors) <= self.window.waiting:
            self.window = Window(time.monotonic(), length, set(self.match.actors))
            self.rooms.start(self.watch_window(self.window))

    async def watch_window(self, window: Window) -> None:
        """Answer for the persons who let their time pass."""
        while self.window is window and not self.gone:
            await asyncio.sleep(LOOK)
            async with self.lock:
                for p in window.late(self.acting_persons(), time.monotonic()):
                    if self.window is window and not self.gone:
                        try:
                            await self.make(p, self.game.face.no_answer(self.sight.veil(p)))
                        except Refused:
                            return  # the room was dropped; whoever looks next loads it again
            self.used = time.time()

    # --- Taking back -----------------------------------------------------------------------------------------------------

    def undo_refusal(self, p: int) -> str | None:
        """Why seat p's last decision stands, or None."""
        if p not in self.marks or self.match.over or self.readonly:
            return "undo_nothing"
        if p not in self.sight.undoable:
            self.sight.undoable[p] = nothing_learned(self.game, self.marks[p][1], self.match.state, p)
        return None if self.sight.undoable[p] else "undo_seen"

    def voters(self, p: int) -> list[int]:
        """The persons who have to agree when seat p takes a move back."""
        owner = self.seats[p].owner
        return [q for q, seat in enumerate(self.seats) if seat.kind == "person" and not same(seat.owner, owner)]

    def still_sealed(self, p: int) -> bool:
        """Can seat p take its last choice back freely: nobody knows it yet, and p has learned nothing since?"""
        if p not in self.marks or self.match.over or self.readonly:
            return False
        if p not in self.sight.sealed:
            number, before = self.marks[p]
            timed = time_to_answer(self.game, self.game.veiled(before, p))  # who has raised a hand has raised it
            self.sight.sealed[p] = not timed and can_be_left_out(self.game, before, self.match.played[number:])
        return self.sight.sealed[p]

    async def ask_undo(self, who: str | None, seat: int | None) -> None:
        """Ask to take back the last own decision; alone among bots, and while it is sealed, it happens at once."""
        own = self.own(who)
        if seat is not None and self.checked_seat(seat) not in own:
            raise refused(403, "not_yours")
        if not own:
            raise refused(403, "not_seated")
        async with self.lock:
            self.check_open()
            decided = [p for p, _ in self.match.played if p in own]
            p = seat if seat is not None else decided[-1] if decided else own[0]
            if self.still_sealed(p):
                await self.take_back(p, self.match.played[self.marks[p][0] + 1 :])
                return
            refusal = self.undo_refusal(p)
            if refusal:
                raise refused(409, refusal)
            if not self.voters(p):
                await self.take_back(p)
                return
            if self.undo is None:
                self.undo = {"asked_by": p, "agreed": []}
                await self.keep(self.save())
                self.changed()

    async def vote(self, who: str | None, agree: bool) -> None:
        """Agree to the request, or end it."""
        own = self.own(who)
        if not own:
            raise refused(403, "not_seated")
        async with self.lock:
            self.check_open()
            if self.undo is None:
                raise refused(409, "no_vote")
            asker = self.undo["asked_by"]
            voters = self.voters(asker)
            mine = [p for p in voters if p in own]
            if not mine:
                if not agree and asker in own:
                    mine = [asker]  # whoever asked may think better of it
                else:
                    raise refused(403, "not_yours")
            agreed = sorted({*self.undo["agreed"], *mine}) if agree else []
            if agree and set(voters) <= set(agreed):
                await self.take_back(asker)
                return
            self.undo = {"asked_by": asker, "agreed": agreed} if agree else None
            await self.keep(self.save())
            self.changed()

    async def take_back(self, p: int, kept: Sequence[tuple[int, int]] = ()) -> None:
        """Return to the position before seat p's last decision; `kept`: moves of others that stand. The caller holds the lock."""
        number = self.marks[p][0]
        earlier = await asyncio.to_thread(self.match.at, number)
        later = earlier.copy()
        for q, action in kept:
            later.play(action, q)
        marks = await asyncio.to_thread(marks_of, later)
        if self.clock and self.still_sealed(p):
            self.clock.left[p] -= self.clock.increment  # or choosing again and again would make time
        await self.keep(self.save(later, number))
        self.match, self.undo, self.marks = earlier, None, marks
        self.rewinds += 1
        self.sight.rewind()
        for q, action in kept:
            self.match.play(action, q)
            self.sight.advance(q, action)
        for watcher in self.watchers:
            if watcher.told is not None:
                watcher.told = min(watcher.told, number)
        self.changed()
