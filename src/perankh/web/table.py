"""A table at which a match is played: seats, clock, moves, bots, and those who watch. Every change is stored first."""

from __future__ import annotations

import asyncio
import json
import math
import random
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import takewhile
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from perankh.engine.game import Game
from perankh.engine.lesson import Lesson, ScriptedMove
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES
from perankh.errors import PerankhError
from perankh.match.forfeits import Forfeits
from perankh.match.match import Match
from perankh.web import catalog, cluster, loading, metrics, storage, traces
from perankh.web.agreements import KEPT_NOTICES, Notice, Request, Settings
from perankh.web.clock import Clock
from perankh.web.deal import TableDeal, checked_contribution
from perankh.web.identity import same
from perankh.web.pondering import Pondering
from perankh.web.position import SPECTATOR, Position
from perankh.web.refusal import Refused, because, refused
from perankh.web.scheduler import NOBODY, Attendance, Caller, caller
from perankh.web.seats import Seat, checked_name, names_shown, swapped
from perankh.web.secrecy import marks_of, same_decision
from perankh.web.services import Services
from perankh.web.table_records import Chat, Series, Visit
from perankh.web.timed_answers import Question, answer_at, default_answer, has_timed_answers, time_to_answer

Changed = TypeVar("Changed")
Given = ParamSpec("Given")
ATTEMPTS = 20  # of a change that other servers get in the way of
NOTIFY_AFTER = 0.004  # seconds from a change to the views of it: whoever moved is answered first
SLOWLY = 2.0  # the same for what nobody waits for: spectators who come and go
CHECK_EVERY = 0.1  # seconds between two checks of an open question
MOST_KNOWN = 100  # persons whose seats are known without looking


@dataclass(eq=False)
class Watcher:
    """A live connection: whose it is, which seat's view it wants, and the event that is set when there is something new."""

    who: str | None
    viewer: int | None
    lang: str
    shape: str
    since: int | None = None  # moves whose log lines it has; None: it wants all lines every time
    changes: bool = False  # does it want what has changed instead of whole views?
    renames: int = 0  # of the table, when it was sent a view last
    looking: bool = True  # is the page in front?
    chat: bool = False  # does it want to hear what is said?
    talk: asyncio.Event = field(default_factory=asyncio.Event)  # set when something was said
    whole_talk: bool = True  # does it need all messages anew?
    news: asyncio.Event = field(default_factory=asyncio.Event)
    caller: Caller = field(default_factory=caller.get)


def change(
    work: Callable[Concatenate[Table, Given], Awaitable[Changed]],
) -> Callable[Concatenate[Table, Given], Coroutine[Any, Any, Changed]]:
    """For functions that change a table: they hold its lock, and decide on what is stored.

    What another server has changed meanwhile is taken over, and the change is tried again on top of it.
    """

    @wraps(work)
    async def run(table: Table, /, *given: Given.args, **named: Given.kwargs) -> Changed:
        async with table.lock:
            await table.catch_up()
            return await until_stored(work, table, *given, **named)

    return run


def change_unread(
    work: Callable[Concatenate[Table, Given], Awaitable[Changed]],
) -> Callable[Concatenate[Table, Given], Coroutine[Any, Any, Changed]]:
    """The same for functions that nearly always store something, and do no harm if they are tried again: nothing is read before.

    That something was stored shows that the table was up to date. If nothing was, that is found out, and the function decides
    anew on what another server has changed.
    """

    @wraps(work)
    async def run(table: Table, /, *given: Given.args, **named: Given.kwargs) -> Changed:
        async with table.lock:
            if table.question:  # other servers may have told when it was sent
                await table.catch_up()
            known, refusal = table.version, None
            try:
                done = await until_stored(work, table, *given, **named)
            except Refused as refused_now:
                refusal = refused_now
            if table.version == known and await table.catch_up():
                return await until_stored(work, table, *given, **named)
            if refusal:
                raise refusal
            return done

    return run


async def until_stored(
    work: Callable[Concatenate[Table, Given], Awaitable[Changed]], table: Table, *given: Given.args, **named: Given.kwargs
) -> Changed:
    """Try a change until no other server gets in its way."""
    for _ in range(ATTEMPTS):
        try:
            return await work(table, *given, **named)
        except storage.Stale:
            await loading.refresh(table, anew=True)
            await table.learn_asked()
    raise storage.Unavailable


def nothing(_: Connection) -> None:
    """Nothing more is to be stored."""


class Table:
    """A table in memory. Changes hold the lock, are written, and only then become visible.

    It begins as a lobby: without a match, until every seat is taken and every person has started.
    """

    def __init__(self, services: Services, id: str, game: Game, options: dict[str, Any], seats: list[Seat]) -> None:
        self.services = services
        self.id = id
        self.game = game
        self.options = options
        self.seats = seats
        self.dealt: Position | None = None  # the present position; there is none before the deal
        self.deal: TableDeal | None = None
        self.hot_seat = False  # may somebody have several seats?
        self.holders: set[tuple[str, int]] = set()  # who has held which seat since the deal, and so knows its hand
        self.clock: Clock | None = None
        self.settings = Settings(services.away)
        self.request: Request | None = None  # waits for the consent of the others
        self.turned_down = -math.inf  # when a newcomer was last turned down
        self.notices: list[Notice] = []
        self.moved = (0, 0.0)  # the number of moves after the last one made here, and when it was stored
        self.trace: Any = None  # what the last move was a part of, for the spans of its views
        self.spent: list[float | None] = []  # seconds of each decision, at tables with a clock
        self.away_stages: list[int] = []  # how long the persons of the seats have been away, as last shown
        self.next: str | None = None  # the table of the rematch
        self.creator: str | None = None  # digest of the token of whoever set it up
        self.public = False  # is it listed on the home page?
        self.password: str | None = None  # salt and hash of the word that visitors need
        self.series: Series | None = None  # that the match belongs to
        self.resigned: list[int] = []  # seats, the first to do so first
        self.ended = False  # is the match over because of who has resigned?
        self.turn_since: list[float | None] = [None] * len(seats)  # by seat: since when it has to decide, in seconds since 1970
        self.visits: dict[str, Visit] = {}  # by person: what is kept of him
        self.chat: Chat | None = None  # what was said, once somebody has asked for it
        self.readonly = False
        self.broken = False  # the stored rows make no sense: the last sound position is shown, and nothing can be changed
        self.epoch = services.storage.epoch  # of the rows that this object knows
        self.version = 0  # of the row that this object knows
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.elsewhere: dict[str, cluster.People] = {}  # who is here by way of other servers
        self.attendance = Attendance()
        self.used = time.monotonic()
        self.gone = False  # no longer what is stored; whoever watches connects anew
        self.deleted = False  # is nothing stored any more?
        self.notifying: asyncio.TimerHandle | None = None
        self.bot_task: asyncio.Task[None] | None = None
        self.pondering = Pondering(self)
        self.hint: tuple[Record, int, asyncio.Task[dict[str, Any] | None]] | None = None  # the last: state, seat, move
        self.question: Question | None = None  # the question that has to be answered in time
        self.open_moves: tuple[tuple[int, int], ...] = ()  # the first moves, if they are known to be no secret
        self.rewinds = 0  # how often moves were taken back
        self.renames = 0  # how often the players' names, which the log uses, have changed
        self.names: tuple[str, ...] = ()  # what the players were called last
        self.marks: dict[int, tuple[int, Record]] = {}  # by seat: number and state before its last real choice
        self.known_choices: dict[int, Record] = {}  # by seat: the state before a real choice that is no secret any more
        self.learned_since: dict[int, Record] = {}  # by seat: the state before a real choice after which it has learned something
        self._owners: list[str | None] = []  # of the seats, when `_own` was found out
        self._own: dict[str | None, tuple[int, ...]] = {}

    # --- Facts -------------------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The match as it stands, with what is known about it; refused before the deal."""
        if self.dealt is None:
            raise refused(409, "waiting")
        return self.dealt

    @position.setter
    def position(self, position: Position) -> None:
        self.dealt = position

    @property
    def match(self) -> Match:
        """The match as it stands; a change replaces it. Refused before the deal."""
        return self.position.match

    @property
    def number(self) -> int:
        """Moves made."""
        return self.match.number if self.dealt else 0

    @property
    def over(self) -> bool:
        """Is the match over?"""
        return self.dealt is not None and (self.ended or self.dealt.over)

    @property
    def status(self) -> str:
        """Waiting for players to sit down and start, playing, over, or broken."""
        if self.broken:
            return "broken"
        if self.dealt is None:
            return "waiting"
        return "over" if self.ended or self.dealt.over else "playing"

    def own(self, who: str | None) -> tuple[int, ...]:
        """The seats of a token; found out once, since every view asks for it many times."""
        owners = [seat.owner for seat in self.seats]
        if owners != self._owners or len(self._own) > MOST_KNOWN:
            self._owners, self._own = owners, {}
        found = self._own.get(who)
        if found is None:
            found = self._own[who] = tuple(p for p, owner in enumerate(owners) if same(owner, who))
        return found

    def checked_viewer(self, who: str | None, viewer: int | None) -> int:
        """Whose view somebody gets: an own seat's, a spectator's, and any seat's once nothing is secret."""
        own = self.own(who)
        if viewer is None:
            return own[0] if own else SPECTATOR
        if viewer == SPECTATOR or viewer in own:
            return viewer
        if not 0 <= viewer < len(self.seats):
            raise refused(404, "no_seat", seat=viewer)
        if self.readonly or self.over:
            return viewer
        raise refused(403, "not_yours")

    def acting_persons(self) -> list[int]:
        """The seats whose clock runs."""
        return [p for p in self.match.actors if self.seats[p].kind == "person"] if self.status == "playing" else []

    @property
    def spectators(self) -> int:
        """How many watch without a seat; somebody with several windows counts once."""
        watching = {watcher.who or id(watcher) for watcher in self.watchers if not self.own(watcher.who)}
        watching |= {who for people in self.others() for who in people.watching if not self.own(who)}
        return len(watching) + sum(people.strangers for people in self.others())

    def connected(self, p: int) -> bool:
        """Does the person of a seat watch?"""
        owner = self.seats[p].owner
        return any(same(owner, watcher.who) for watcher in self.watchers) or any(
            owner in people.watching for people in self.others()
        )

    def looking(self, who: str) -> bool:
        """Does somebody look at the table just now?"""
        return any(watcher.looking and same(watcher.who, who) for watcher in self.watchers) or any(
            people.watching.get(who) for people in self.others()
        )

    def others(self) -> list[cluster.People]:
        """Who is here by way of other servers, as far as they are alive."""
        known = self.services.cluster
        return [people for server, people in self.elsewhere.items() if known and server in known.alive]

    def away_for(self, p: int) -> float:
        """For how many seconds nothing has been heard of the person of a seat."""
        if self.connected(p):
            return 0.0
        owner, now = self.seats[p].owner or "", self.services.now()
        elsewhere = [now - people.heard[owner] for people in self.others() if owner in people.heard]
        return max(0.0, min(time.monotonic() - self.services.last_heard(self.id, owner), *elsewhere, math.inf))

    def away(self, p: int) -> bool:
        """Has nothing been heard of the person of a seat for the absence time of the table?"""
        return self.away_for(p) >= self.settings.absence

    def touch(self, who: str | None) -> None:
        """Somebody was heard of."""
        self.used = time.monotonic()
        if who and self.own(who):
            self.services.hear(self.id, who)
        self.attendance.note(caller.get())
        self.wake_bots()

    def attending(self) -> set[Caller]:
        """Those who watch or were heard of lately."""
        here = {watcher.caller for watcher in self.watchers} | set(self.attendance.since(self.services.rest))
        since = self.services.now() - self.services.rest
        for people in self.others():
            heard = [who for who, when in people.heard.items() if when > since]
            here |= {Caller("", who) for who in (*people.watching, *heard)} | ({NOBODY} if people.strangers else set())
        return here

    def payers(self) -> list[Caller]:
        """Those on whose behalf the bots decide: of those attending, the persons who play; if there are none, all."""
        attending = self.attending()
        return [who for who in attending if self.own(who.person)] or list(attending)

    def check_open(self) -> None:
        """Refuse changes to tables that are only for looking."""
        if self.broken:
            raise refused(409, "damaged")
        if self.readonly:
            raise refused(409, "readonly")

    def checked_seat(self, p: int) -> int:
        """A seat number that exists."""
        if not 0 <= p < len(self.seats):
            raise refused(404, "no_seat", seat=p)
        return p

    # --- Storing ----------------------------------------------------------------------------------------------------------

    def facts(self, match: Match | None) -> dict[str, Any]:
        """What changes with every move."""
        acting, stamp = match.actors if match and not self.ended else [], time.time()
        self.turn_since = [(since or stamp) if p in acting else None for p, since in enumerate(self.turn_since)]
        facts = {"number": match.number if match else 0, "acting": sum(1 << p for p in acting), "updated": stamp}
        return facts | {"turn_since": json.dumps(self.turn_since)}

    def new_holders(self) -> list[tuple[str, int]]:
        """Who has come to hold a seat of the match since this was last asked."""
        found = {(seat.owner, p) for p, seat in enumerate(self.seats) if seat.owner} - self.holders
        self.holders |= found
        return sorted(found)

    def save(
        self, later: Match | None = None, first: int = 0, spent: Sequence[float | None] = ()
    ) -> tuple[dict[str, Any], Callable[[Connection], None]]:
        """Everything but the moves, for `keep`; the clock is brought to a checkpoint.

        `later`: the moves from number `first` on are replaced by those of this match, whose decisions took so many seconds.
        """
        codes, stamp, match = self.game.text.CODES, time.time(), later or (self.match if self.dealt else None)
        made = zip(later.played[first:], spent[first:], strict=True) if later else ()
        kept = [(p, codes[action], stamp, spent) for (p, action), spent in made]
        if self.clock:
            now = self.services.now()
            self.clock.advance(self.acting_persons(), now)
            self.clock.since = now if match and not match.over and not self.ended and not self.readonly else None
        facts = self.facts(match) | {
            "clock": json.dumps(self.clock.json()) if self.clock else None,
            "request": json.dumps(self.request.json()) if self.request else None,
            "notices": json.dumps([notice.json() for notice in self.notices]),
            "next": self.next,
            "public": int(self.public),
            "password": self.password,
            "resigned": json.dumps(self.resigned),
            "ended": int(self.ended),
            "seed": f"{match.seed:032x}" if match else "",
            "deal": self.deal.json() if self.deal else None,
            "settings": json.dumps(self.settings.json()),
        }
        rows = [dict(vars(seat)) for seat in self.seats]
        held = self.new_holders() if match else []

        def write(connection: Connection) -> None:
            if held:
                storage.insert_holders(connection, self.id, held)
            if later:
                storage.delete_moves(connection, self.id, first)
            if kept:
                storage.insert_moves(connection, self.id, first, kept)
            storage.update_seats(connection, self.id, rows)

        return facts, write

    async def keep(self, facts: dict[str, Any], also: Callable[[Connection], None] = nothing) -> None:
        """Store changed facts of the table, and what belongs to them. If that fails the table is dropped: what is stored counts.

        Stale if another server has changed the table meanwhile; then nothing is stored.
        """
        version = self.version

        def write(connection: Connection) -> None:
            storage.change_table(connection, self.id, version, facts)
            also(connection)

        await self.store(write)
        self.version = version + 1

    async def store(self, write: Callable[[Connection], None]) -> None:
        """Write something; if that fails the table is dropped."""
        try:
            if self.gone:
                raise refused(404, "no_table") if self.deleted else storage.Unavailable
            await self.services.storage.write(write, self.epoch, self.id)
        except storage.Taken:
            self.drop()
            raise refused(409, "number_used", number=self.number + 1) from None
        except storage.Unavailable:
            self.drop()
            raise

    async def catch_up(self) -> bool:
        """See whether another server has changed the table, and take that over. The caller holds the lock."""
        if not self.services.storage.shared or self.gone:
            return False
        stored = await self.services.storage.read(lambda connection: storage.select_version(connection, self.id))
        changed: bool = stored != self.version
        if changed:
            await loading.refresh(self)
        await self.learn_asked()
        return changed

    @change
    async def look_again(self) -> None:
        """The same for whoever only looks."""

    def drop(self, deleted: bool = False) -> None:
        """Make this object invalid; those who watch connect anew and get the table as it is stored, if it still is."""
        self.gone, self.deleted = True, deleted
        self.notify()

    def changed(self) -> None:
        """Let everybody know, and have the bots play."""
        self.update_question()
        names = names_shown(self.game, self.seats, self.colours, LANGUAGES[0])
        self.renames += names != self.names
        self.names = names
        if self.notifying and self.notifying.when() > asyncio.get_running_loop().time() + NOTIFY_AFTER:
            self.notifying.cancel()
            self.notifying = None
        if self.notifying is None:
            self.notifying = asyncio.get_running_loop().call_later(NOTIFY_AFTER, self.notify)
        for observe in self.services.observers:
            observe(self)
        self.wake_bots()

    def changed_slowly(self) -> None:
        """Let everybody know of something that can wait: the next news bring it."""
        if self.notifying is None:
            self.notifying = asyncio.get_running_loop().call_later(SLOWLY, self.notify)

    def wake_bots(self) -> None:
        """Have the bots play if it is their turn, or ponder if it is not; they rest while nobody attends."""
        self.pondering.update()
        if self.acting_bot() is None or not self.attending() or (self.bot_task and not self.bot_task.done()):
            return
        if self.services.is_in_charge(self.id):
            self.bot_task = self.services.start(self.play_bots())

    def notify(self) -> None:
        """Tell those who watch that there is something new."""
        self.notifying = None
        for watcher in self.watchers:
            watcher.news.set()

    # --- Seats ------------------------------------------------------------------------------------------------------------

    @change
    async def sit(
        self, who: str, seat: int | None, name: str | None, ready: bool, contribution: str | None, colour: str = ""
    ) -> int:
        """Sit down on an open seat, before the match is dealt: any, that of a colour if it is free, or the one asked for.

        `ready`: and start at once, with a contribution or without.
        """
        value = checked_contribution(contribution)
        self.check_open()
        free = [p for p, taken in enumerate(self.seats) if taken.kind == "open"]
        if seat is None or self.checked_seat(seat) not in self.own(who):
            if self.deal is None or self.dealt:
                raise refused(409, "dealt")
            if self.own(who) and not self.hot_seat:
                raise refused(409, "one_seat")
            if seat is not None and seat not in free:
                raise refused(409, "taken")
            if not free:
                raise refused(409, "full")
            colours = self.game.drawing.SEAT_COLOURS
            seat = next((p for p in free if colours[self.colours[p]] == colour), free[0]) if seat is None else seat
            self.seats[seat] = Seat("person", who, None, checked_name(name or ""))
        elif self.dealt:
            return seat
        if self.deal and (ready or value is not None):
            self.deal.contribute(seat, value)
        await self.keep_seats()
        self.touch(who)
        self.call_late(who)
        return seat

    def call_late(self, who: str | None) -> None:
        """Somebody has filled the table: it waits for the others to start."""
        if self.deal and not self.dealt and all(seat.kind != "open" for seat in self.seats):
            given, owners = self.deal.contributions, [seat.owner for seat in self.seats]
            late = [p for p, owner in enumerate(owners) if owner and given[p] is None and not same(owner, who)]
            self.services.call(self, late, "start")

    @change
    async def start(self, who: str | None, seat: int | None, contribution: str | None) -> None:
        """Somebody is ready, for one own seat or for all of them; when all are, the match is dealt."""
        value = checked_contribution(contribution)
        self.check_open()
        own = self.own(who)
        if seat is not None and self.checked_seat(seat) not in own:
            raise refused(403, "not_yours")
        if not own:
            raise refused(403, "not_seated")
        if self.deal is None:
            raise refused(409, "dealt")
        before = list(self.deal.contributions)
        for p in own if seat is None else [seat]:
            self.deal.contribute(p, value)
        if self.deal.contributions != before:  # or it was sent again
            await self.keep_seats()
            self.touch(who)

    @property
    def colours(self) -> tuple[int, ...]:
        """Which of the game's colours each seat has."""
        return self.settings.colours or tuple(range(len(self.seats)))

    @change
    async def change_seat(
        self, who: str | None, p: int, name: str | None, kind: str | None, bot: str | None, colour: int | None = None
    ) -> None:
        """Rename an own seat, hand it over, take it back or leave it; before the deal, choose its colour, and give bots seats."""
        self.check_open()
        seat = self.seats[self.checked_seat(p)]
        mine = same(seat.owner, who)
        if not self.own(who):
            raise refused(403, "not_seated")
        if colour is not None:
            if not mine:
                raise refused(403, "not_yours")
            if self.dealt:
                raise refused(409, "dealt")
            number = len(self.game.drawing.SEAT_COLOURS)
            self.settings = replace(self.settings, colours=swapped(self.colours, self.seats, p, colour, number))
        chosen = self.services.bots.checked(self.game, bot) if bot is not None or not seat.bot else seat.bot
        if not mine:
            self.check_foreign(seat, p, name, kind)
        after = Seat(seat.kind, seat.owner, seat.bot, seat.name if name is None else checked_name(name))
        if kind == "bot" or (bot is not None and seat.kind == "bot"):
            after.kind, after.bot = "bot", chosen
            if self.dealt is None and seat.kind == "person":
                after = Seat("bot", None, chosen)  # nobody can come back to what is not dealt
        elif kind == "open":
            if self.over:
                raise refused(409, "over")
            # Whoever sat down next would see the hand, so a bot goes on; a newcomer needs the consent of all.
            after = Seat("bot", None, self.stand_in) if self.dealt else Seat("open")
        elif kind == "me":
            if seat.kind == "bot" and self.clock and p in self.clock.out:
                raise refused(409, "out_of_time")
            if p in self.resigned:
                raise refused(409, "resigned")
            after.kind, after.bot = "person", None
            self.end_vacation(p)
        await self.replace_seat(p, after)

    async def replace_seat(self, p: int, after: Seat) -> None:
        """Change who plays a seat, and announce it. The caller holds the lock."""
        before = self.seats[p]
        if self.status == "playing" and (before.kind, before.owner) != (after.kind, after.owner):
            if before.owner is None or after.owner is None:
                self.announce("joined" if after.owner else "left", p, after.name or before.name, after.bot)
            else:
                self.announce("stand_in" if after.kind == "bot" else "back", p, before.name, after.bot)
        if self.clock:
            self.clock.advance(self.acting_persons(), self.services.now())
        if self.deal and not self.dealt and (after.kind, after.owner) != (before.kind, before.owner):
            self.deal.withdraw(p)
        self.seats[p] = after
        await self.keep_seats()

    def end_vacation(self, p: int) -> None:
        """Whoever comes back earlier has no vacation any more."""
        if self.clock and self.clock.vacation_left(p, self.services.now()):
            self.clock.advance(self.acting_persons(), self.services.now())
            self.clock.vacation[p] = 0.0
            self.announce("back", p)

    def announce(self, what: str, p: int, name: str | None = None, bot: str | None = None, days: int = 0) -> None:
        """Let everybody know, with the next view, what has happened to a seat."""
        id = self.notices[-1].id + 1 if self.notices else 0
        notice = Notice(id, what, p, self.number, self.seats[p].name if name is None else name, bot, days)
        self.notices = [*self.notices[1 - KEPT_NOTICES :], notice]

    def check_foreign(self, seat: Seat, p: int, name: str | None, kind: str | None) -> None:
        """What anybody at the table may do with a seat before the deal: give a bot one that is open or whose person is away."""
        if name is not None or kind not in ("bot", "open"):
            raise refused(403, "not_yours")
        if seat.kind == "bot" and (seat.owner is not None or self.dealt):
            raise refused(403, "not_yours")
        if kind == "open" and seat.kind != "bot":
            raise refused(403, "not_yours")
        if kind == "bot" and seat.kind == "person" and self.dealt:
            raise refused(403, "needs_consent")
        if kind == "bot" and seat.kind == "person" and not self.away(p):
            raise refused(409, "not_away")

    async def keep_seats(self) -> None:
        """Store changed seats. Before the deal: deal the match once everybody has started."""
        if self.request and self.request.what == "undo":
            self.request = None  # whoever had to agree may have gone
        if self.dealt is None:
            dealt = self.new_match()
            await self.keep(*self.save(dealt))
            if dealt:
                self.position = Position(dealt)
            self.changed()
            return
        await self.keep(*self.save())
        match = self.match.copy()
        match.rename(*(seat.name for seat in self.seats))
        self.position = Position(match)
        self.changed()

    def new_match(self) -> Match | None:
        """The match that is dealt now; None if somebody has not started."""
        assert self.deal
        for p, seat in enumerate(self.seats):
            if seat.kind == "bot":
                self.deal.contribute(p, None)
        if not self.deal.is_complete:
            return None
        deal = self.deal.made()
        seed = deal.seed if deal else self.deal.given_seed
        match = Match(self.game, len(self.seats), seed, self.options, [seat.name for seat in self.seats])
        match.deal = deal
        return match

    # --- Moves ------------------------------------------------------------------------------------------------------------

    async def move(self, who: str | None, number: int, code: str, seat: int | None) -> int:
        """Make a move, once however often it is sent; returns its number when it is stored."""
        return await self.move_at(time.monotonic(), who, number, code, seat)

    @change_unread
    async def move_at(self, arrived: float, who: str | None, number: int, code: str, seat: int | None) -> int:
        """The same for a move that arrived at a moment."""
        p = self.seat_for(who, number, seat)
        await self.tick()
        action = catalog.action_of(self.game).get(code)
        made = await self.number_made(p, number, action)
        if made is not None:
            return made
        self.check_open()
        if self.status == "waiting":
            raise refused(409, "waiting")
        if self.ended:
            raise refused(409, "over")
        if self.seats[p].kind != "person" and not self.match.over:
            raise refused(409, "with_bot")
        if action is None or action not in self.match.legal(p):
            error = await asyncio.to_thread(self.match.refusal, code if action is None else action, p)
            raise because(422, error) if error else refused(422, "bad_request", what="code")  # only whole codes here
        number = self.number
        after = self.question.after(p, arrived) if self.question else 0.0
        self.check_lesson(p, action)
        await self.make(p, answer_at(self.game, self.position.seen_by(p), action, after))
        metrics.MOVE_STORED.observe(time.monotonic() - arrived)
        self.touch(who)
        return number

    async def number_made(self, p: int, number: int, action: int | None) -> int | None:
        """The number of a move that was made already, or None if it is to be made now.

        Several who decide at the same time do not see each other's choices, so all of them may send the same number: what
        others chose meanwhile makes no difference.
        """
        if number == self.number:
            return None
        since = self.match.played[number:] if 0 <= number < self.number else ()
        first = next((n for n, (q, _) in enumerate(since) if q == p), len(since))  # p's first move since
        if first < len(since) and first == 0 and since[0] == (p, action):
            return number
        if since and action is not None:
            before = await self.services.state_at(self.id, self.match, number)
            if await asyncio.to_thread(same_decision, self.game, before, p, since[:first]):
                if first == len(since):
                    return None
                seen = self.game.veiled(before, p)
                if answer_at(self.game, seen, since[first][1], 0) == answer_at(self.game, seen, action, 0):
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
        """Make a legal move: it is stored first. The caller holds the lock."""
        before, after, spent = self.match, self.match.copy(), None
        after.act(p, action)
        self.turn_since[p] = None  # if it has to decide again, that has just begun
        facts = self.facts(after)
        if self.clock:
            spent = self.clock.moved(p, self.acting_persons(), self.services.now())
            if after.over:
                self.clock.since = None
            facts["clock"] = json.dumps(self.clock.json())
        if self.request and (self.request.what == "undo" or after.over):
            self.request = facts["request"] = None
        made = (p, self.game.text.CODES[action], time.time(), spent)

        await self.keep(facts, lambda connection: storage.insert_moves(connection, self.id, before.number, [made]))
        self.moved, self.trace = (after.number, time.monotonic()), traces.current()
        metrics.MOVES.labels(self.seats[p].kind).inc()
        self.spent.append(spent)
        forced = len(before.legal(p)) == 1
        if not forced:
            self.marks[p] = (before.number, before.state)
        self.position = Position(after, forced)
        if self.question:
            self.question.waiting.discard(p)
        self.changed()

    @change
    async def check_clock(self) -> None:
        """See whose time has run out."""
        await self.tick()

    async def tick(self) -> None:
        """Announce whose time has run out; unless the table just goes on, a bot plays their seats. The caller holds the lock."""
        if self.clock is None:
            return
        now = self.services.now()
        fallen = self.clock.fallen(self.acting_persons(), now)
        if fallen:
            self.clock.advance(self.acting_persons(), now)
            for p in fallen:
                self.clock.fall(p)
                seat = self.seats[p]
                if self.settings.on_timeout != "go_on":
                    seat.kind, seat.bot = "bot", self.stand_in
                self.announce("time_out", p, bot=seat.bot)
            await self.keep_seats()

    @property
    def stand_in(self) -> str:
        """The bot that plays for persons who are absent, have left or have run out of time."""
        return self.services.bots.instead_of(self.settings.stand_in)

    @property
    def forfeits(self) -> Forfeits:
        """Who has resigned or lost on time."""
        late = self.clock.out if self.clock and self.settings.on_timeout == "forfeit" else self.settings.late
        return Forfeits(tuple(self.resigned), tuple(late), self.ended)

    def recorded(self) -> Match:
        """The match with what files and reports say of it besides its moves."""
        match = self.match.copy()
        match.forfeits = self.forfeits
        return match

    @property
    def lesson(self) -> Lesson | None:
        """What is taught at the table; None if nothing is, or nothing any more."""
        lesson = self.game.lesson if self.settings.lesson == "begun" and self.status == "playing" else None
        return lesson if lesson and lesson.follows(self.match.played) else None

    def scripted_moves(self) -> Sequence[ScriptedMove]:
        """The moves with which the lesson goes on by itself."""
        later = self.lesson.moves[self.number :] if self.lesson else ()
        return tuple(takewhile(lambda move: move.part == "then", later))

    def check_lesson(self, p: int, action: int) -> None:
        """Refuse a legal move that is not the one a lesson speaks of."""
        lesson, number = self.lesson, self.number
        if lesson is None or (number < len(lesson.moves) and lesson.moves[number].expects((p, action))):
            return
        wrong = lesson.step_of(number).wrong if number < len(lesson.moves) else {}
        raise Refused(422, wrong) if wrong else refused(422, "lesson")

    async def skip(self, moves: Sequence[ScriptedMove]) -> None:
        """Make moves that a lesson skips over, all at once. The caller holds the lock."""
        before = self.match
        after = await asyncio.to_thread(played_on, before, moves)
        codes, stamp, facts = self.game.text.CODES, time.time(), self.facts(after)
        made = [(p, codes[action], stamp, None) for p, action in after.played[before.number :]]

        await self.keep(facts, lambda connection: storage.insert_moves(connection, self.id, before.number, made))
        self.spent += [None] * len(made)
        self.marks = await asyncio.to_thread(marks_of, after)
        self.position = Position(after)
        self.changed()

    def acting_bot(self) -> int | None:
        """A bot's seat that has to decide; in a lesson, a seat whose move follows by itself."""
        if self.status != "playing" or self.readonly:
            return None
        if self.lesson:
            return self.match.actors[0] if self.scripted_moves() else None
        return next((p for p in self.match.actors if self.seats[p].kind == "bot"), None)

    def hesitation(self, p: int) -> float:
        """Seconds for which bot p seems to think: half as long when it goes on with its turn or chooses unseen with others."""
        seconds = random.uniform(*self.services.bot_pause)
        goes_on = bool(self.match.played) and self.match.played[-1][0] == p
        return seconds / 2 if goes_on or len(self.match.actors) > 1 else seconds

    async def play_bots(self) -> None:
        """Let the bots decide, one after the other, until a person has to or nobody attends."""
        while (p := self.acting_bot()) is not None and (payers := self.payers()) and self.services.is_in_charge(self.id):
            if self.lesson:
                if not await self.play_lesson(p):
                    return
                continue
            asked, rewinds = self.match, self.rewinds
            seen, bot = self.position.seen_by(p), self.seats[p].bot or "random"
            deciding = self.pondering.decision(p, bot, seen, payers)
            action, _ = await asyncio.gather(deciding, asyncio.sleep(self.hesitation(p)))
            await self.services.check_compiled(self.game)
            try:
                await self.make_for_bot(p, action, asked, rewinds)
            except Refused:
                return  # the table was dropped; the next request loads it again
            self.used = time.monotonic()

    @change
    async def make_for_bot(self, p: int, action: int | None, asked: Match, rewinds: int) -> None:
        """Make what a bot has decided, unless it faces another decision by now; any move, if it could not decide."""
        # What others chose meanwhile, sealed, changes nothing; moves taken back do.
        since = self.match.played[asked.number :] if self.rewinds == rewinds and self.status == "playing" else None
        if since is not None and self.seats[p].kind == "bot" and same_decision(self.game, asked.state, p, since):
            legal = self.game.legal(self.match.state, p)
            chosen = next((one for one in legal if one == action), None)  # a machine may have answered anything
            chosen = random.choice(legal) if chosen is None else chosen
            await self.make(p, answer_at(self.game, self.position.seen_by(p), chosen, None))

    async def play_lesson(self, p: int) -> bool:
        """Make the next move that follows by itself in a lesson; False if it could not be made."""
        asked = self.match
        await asyncio.sleep(self.hesitation(p))
        try:
            await self.make_scripted(asked.number)
        except PerankhError:
            return False  # the table was dropped, and the next request loads it again; or the lesson is another now
        self.used = time.monotonic()
        return self.match is not asked

    @change
    async def make_scripted(self, number: int) -> None:
        """Make the next move of a lesson, unless it was made."""
        if self.number == number:
            await self.skip(self.scripted_moves()[:1])

    # --- Timed answers ---------------------------------------------------------------------------------------------------------

    def update_question(self) -> None:
        """Open a question when the position has one that must be answered in time, and forget it when it is answered."""
        timed = has_timed_answers(self.game) and self.status == "playing" and not self.readonly and not self.lesson
        length = time_to_answer(self.game, self.position.seen_by(SPECTATOR)) if timed else 0.0
        if not length:
            self.question = None
        elif self.question is None or not set(self.match.actors) <= self.question.waiting:
            tell = self.tell_asked if self.services.cluster else None
            self.question = Question(time.monotonic(), length, set(self.match.actors), tell=tell)
            self.services.start(self.watch_question(self.question))

    def decision_of(self, p: int) -> str:
        """Names a decision of a seat, the same at every server."""
        return f"{self.rewinds} {sum(q == p for q, _ in self.match.played)}"

    def tell_asked(self, p: int, when: float) -> None:
        """Let other servers know when a question was first sent to a seat."""
        stamp, decision = when + self.services.now() - time.monotonic(), self.decision_of(p)
        work = self.services.storage.write(lambda connection: cluster.write_asked(connection, self.id, p, decision, stamp))
        self.services.start(cluster.quietly(work))

    async def learn_asked(self) -> None:
        """See to whom other servers have sent the open question."""
        question = self.question
        if question is None:
            return
        ahead = self.services.now() - time.monotonic()
        rows = await self.services.storage.read(lambda connection: cluster.select_asked(connection, self.id))
        for p, decision, stamp in rows:
            if p in question.waiting and decision == self.decision_of(p):
                question.learn(p, stamp - ahead)

    def start_answer_time(self, who: str | None) -> None:
        """Somebody is about to learn of the open question, in whatever way: his time to answer it begins."""
        if self.question:
            self.question.send(self.own(who), time.monotonic())

    async def hold_back(self, who: str | None) -> None:
        """Let those who are not asked wait until the time of all who are has begun: they could be a player's other eyes."""
        question = self.question
        if question and not question.waiting.intersection(self.own(who)):
            await question.wait_until_asked(self.acting_persons())

    async def watch_question(self, question: Question) -> None:
        """Answer for the persons who let their time pass."""
        while self.question is question and not self.gone:
            await asyncio.sleep(CHECK_EVERY)
            if question.late(self.acting_persons(), time.monotonic()) and self.services.is_in_charge(self.id):
                try:
                    await self.answer_late(question)
                except Refused:
                    return  # the table was dropped; the next request loads it again
            self.used = time.monotonic()

    @change
    async def answer_late(self, question: Question) -> None:
        """Answer a question for those whose time is over."""
        for p in question.late(self.acting_persons(), time.monotonic()):
            if self.question is question:
                await self.make(p, default_answer(self.game, self.position.seen_by(p)))


def played_on(match: Match, moves: Sequence[ScriptedMove]) -> Match:
    """A match after further moves, which the rules have to allow."""
    after = match.copy()
    for move in moves:
        p = after.actors[0] if move.seat is None else move.seat
        for action in move.actions or ():
            after.act(p, action)
    return after
