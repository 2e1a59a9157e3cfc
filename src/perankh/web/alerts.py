"""Calls people when it is their turn: by push, by e-mail, by a webhook; only those who have asked for it.

`note` looks at every table that has changed and notes whose turn has begun or ended. A turn that goes on for a moment while its
person does not look at the table becomes one message for each channel, in the transaction that notes that it was told. Reminders
follow later, the last before a clock of days runs out. A table also calls for a start, and for answers to requests (`ask_for`).
Messages wait in the database and are tried again, longer apart each time, also by the next run of the server. Just before one is
sent, it is checked that the table still waits. Threads do the sending: nothing here makes a move wait.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from perankh.web import alert_storage, catalog, mail, metrics
from perankh.web.alert_storage import Message, Person, Turn
from perankh.web.cluster import ALERTS, is_looking
from perankh.web.limits import Buckets
from perankh.web.mail import MailServer
from perankh.web.outbound import BadTarget, Unreachable, post
from perankh.web.push import Push, new_key
from perankh.web.refusal import Refused
from perankh.web.services import Services
from perankh.web.storage import Unavailable, tell
from perankh.web.table import Table
from perankh.web.tables import Tables
from perankh.web.words import WORDS

HOUR = 3600.0
WAIT = 20.0  # seconds that a turn goes on before its person is called: whoever is about to look is not disturbed
MOST_REMINDERS = 3
LAST_CALL = 8 * HOUR  # before a clock of days runs out: a reminder that comes then at the latest
FIRST_PAUSE, LONGEST_PAUSE = 30.0, 2 * HOUR  # seconds before a message is tried again
MOST_ATTEMPTS = 10
MOST_FAILURES = 10  # messages in a row after which a channel is forgotten
THREADS = 32  # they mostly wait
MOST_AT_HOST = 2  # messages that are sent to one host at the same time: a slow one does not hold up the others
SLOW = 2.0  # seconds after which a host counts as slow, until it answers sooner
MOST_AT_SLOW = 8  # messages that are sent to slow hosts at the same time, however many hosts there are
SLOW_HOSTS = 1000  # that are remembered
CLEAN_EVERY = HOUR
READ_EVERY = 2.0  # seconds between two looks at what other servers have noted
ASKED = ("start", "answer")  # the kinds of messages that are not about a turn: what a table waits for
CALLS = (1 / 1800, 2.0)  # of these to one person by one table, a second and at once: anybody can ask, and ask again
GONE = (404, 410)  # what push services and chats answer when there is nobody any more
TEMPORARY = (408, 425, 429)
TEXT_ONLY = ("chat.googleapis.com",)  # chats that refuse a message with anything but `text`
PLAIN = {ord(mark): ord(mark) + 0xFEE0 for mark in "<>@&[]()*_~`|#"}  # what chats read as mentions and links becomes full-width
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class AlertSettings:
    """What the host has configured: a mail server, and hosts of his own network that may be sent to; and times in seconds."""

    mail: MailServer | None = None
    hosts: frozenset[str] = frozenset()  # with ports
    wait: float = WAIT
    pause: float = FIRST_PAUSE


@dataclass(frozen=True)
class Letter:
    """What a message says, in the language of its channel."""

    title: str
    body: str
    url: str
    stop: str
    facts: dict[str, Any] = field(default_factory=dict)


def awake_from(now: float, person: Person) -> float:
    """When somebody may be called next: now, or at the end of his quiet hours."""
    if person.quiet_from is None or person.quiet_to is None or person.quiet_from == person.quiet_to:
        return now
    local = datetime.fromtimestamp(now, ZoneInfo(person.timezone))
    minute = 60 * local.hour + local.minute
    begin, end = person.quiet_from, person.quiet_to
    quiet = begin <= minute < end if begin < end else minute >= begin or minute < end
    if not quiet:
        return now
    day = local.date() + timedelta(days=minute >= end)
    return datetime(day.year, day.month, day.day, end // 60, end % 60, tzinfo=local.tzinfo).timestamp()


def next_call(now: float, person: Person, told: int, left: tuple[float, float] | None = None) -> float | None:
    """When to remind somebody of a turn after so many messages about it; None: not any more.

    `left`: seconds at a clock of days, and of the vacation before. Nobody is reminded on vacation.
    """
    if not person.remind:
        return None
    seconds, vacation = left or (math.inf, 0.0)
    usual = now + max(HOUR * person.remind, vacation) if told <= MOST_REMINDERS else math.inf
    last = now + vacation + seconds - LAST_CALL
    due = min(usual, last if last > now else math.inf)
    return due if due < now + vacation + seconds else None


class Alerts:
    """Notes turns, and sends messages about them."""

    def __init__(self, services: Services, tables: Tables, settings: AlertSettings) -> None:
        self.services = services
        self.tables = tables
        self.settings = settings
        self.storage = services.storage
        self.epoch = -1  # of the rows that are known
        self.push: Push
        self.people: set[str] = set()  # those who can be called
        self.turns: dict[str, dict[str, Turn]] = {}  # by table and owner
        self.messages: dict[str, Message] = {}
        self.sending: set[str] = set()
        self.at_hosts: Counter[str] = Counter()
        self.slow: OrderedDict[str, None] = OrderedDict()  # hosts that have taken their time
        self.at_slow = 0
        self.calls = Buckets(*CALLS)
        self.cleaned = 0.0
        self.looked = 0.0  # when it was last seen what other servers have noted
        self.threads = ThreadPoolExecutor(THREADS, "perankh-alerts")
        # First messages go to any address that a stranger gives: a slow one must not hold up what others are waiting for.
        self.greeting_threads = ThreadPoolExecutor(THREADS, "perankh-greetings")

    async def open(self) -> None:
        """Read what is stored; note the turns that began or ended while nobody noted them."""
        self.epoch = self.storage.epoch
        now = time.time()

        def read(connection: Connection) -> tuple[str, set[str], list[Turn], list[Message]]:
            key = alert_storage.key_of_server(connection, "vapid", new_key())
            stored = {(turn.table_id, turn.owner): turn for turn in alert_storage.select_turns(connection)}
            acting = alert_storage.acting(connection)
            for place, turn in list(stored.items()):
                if place not in acting or alert_storage.is_past(connection, turn):
                    alert_storage.delete_turn(connection, stored.pop(place))
            for (table, owner), number in acting.items():
                if (table, owner) not in stored:
                    alert_storage.put_turn(connection, Turn(table, owner, number, now + self.settings.wait))
            turns = alert_storage.select_turns(connection)
            return key, alert_storage.owners(connection), turns, alert_storage.select_messages(connection)

        key, self.people, turns, messages = await self.storage.write(read)
        self.push = Push(key)
        self.messages = {message.id: message for message in messages}
        self.turns.clear()
        for turn in turns:
            self.turns.setdefault(turn.table_id, {})[turn.owner] = turn
        if self.note not in self.services.observers:
            self.services.observers.append(self.note)
            self.services.callers.append(self.ask_for)

    def close(self) -> None:
        """What has not been sent is sent by the next run."""
        for threads in (self.threads, self.greeting_threads):
            threads.shutdown(wait=False, cancel_futures=True)

    # --- Turns --------------------------------------------------------------------------------------------------------------

    def note(self, table: Table) -> None:
        """A table has changed: note whose turn has begun and whose has ended."""
        if not self.people and table.id not in self.turns:
            return
        turns = self.turns.get(table.id, {})
        acting = {table.seats[p].owner or "" for p in table.acting_persons() if table.settings.lesson != "begun"} & self.people
        for owner in list(turns):
            if owner not in acting:
                self.end(turns[owner])
        for owner in acting:
            if owner not in turns:
                self.begin(Turn(table.id, owner, table.number, time.time() + self.settings.wait))

    def begin(self, turn: Turn) -> None:
        """A turn has begun."""
        self.turns.setdefault(turn.table_id, {})[turn.owner] = turn
        noted = replace(turn)
        self.store(lambda connection: alert_storage.begin_turn(connection, noted))

    def end(self, turn: Turn) -> None:
        """A turn is over, or its person is not to be called any more."""
        del self.turns[turn.table_id][turn.owner]
        if not self.turns[turn.table_id]:
            del self.turns[turn.table_id]
        self.store(lambda connection: alert_storage.delete_turn(connection, turn))

    def ask_for(self, table: Table, seats: Sequence[int], what: str) -> None:
        """A table waits for the persons of some seats to start, or to answer: one message, unless they look or do it soon.

        Whoever sits down and leaves, or asks and takes it back, again and again does not have them called again and again.
        """
        wanted = {table.seats[p].owner or "" for p in seats} & self.people
        people = [owner for owner in wanted if self.calls.take(f"{table.id} {owner} {what}")]
        id, number, due = table.id, table.number, time.time() + self.settings.wait

        def write(connection: Connection) -> list[Message]:
            waiting = alert_storage.channels_with(connection, id, what)
            made = [message for owner in people for message in messages_to(connection, owner, id, number, what, due)]
            made = [message for message in made if message.channel not in waiting]
            alert_storage.insert_messages(connection, made)
            return made

        async def insert() -> None:
            with suppress(Refused):
                made = await self.storage.write(write, self.epoch)
                self.messages |= {message.id: message for message in made}

        if people:
            self.services.start(insert())

    def store(self, work: Callable[[Connection], None]) -> None:
        """Store something without waiting for it; what the database cannot take now is found again at the next start."""

        async def write() -> None:
            with suppress(Refused):
                await self.storage.write(work, self.epoch)

        self.services.start(write())

    def count(self, owner: str) -> int:
        """At how many tables it is somebody's turn, as far as that is noted."""
        return sum(owner in turns for turns in self.turns.values())

    def looking(self, table: str, owner: str) -> bool:
        """Does somebody look at a table just now?"""
        found = self.tables.tables.get(table)
        return found is not None and found.looking(owner)

    # --- The watch ----------------------------------------------------------------------------------------------------------

    async def watch(self) -> None:
        """Make messages of turns that go on, and send what is due."""
        while True:
            await asyncio.sleep(min(1.0, max(0.05, self.settings.wait / 4)))
            try:
                if self.epoch != self.storage.epoch:
                    await self.open()  # all rows were replaced by others
                await self.step(time.time())
            except Unavailable:
                pass  # the storage has told it
            except Refused as error:
                logger.warning("alerts: %s", error)

    async def step(self, now: float) -> None:
        """What is to be done at one moment, by one of the servers that share a database."""
        if self.services.cluster:
            if not self.services.cluster.holds(ALERTS):
                return
            await self.read_again(now)
        due = [turn for turns in self.turns.values() for turn in turns.values() if turn.due is not None and turn.due <= now]
        for turn in due:
            await self.call(turn, now)
        for message in list(self.messages.values()):
            if message.due <= now and message.id not in self.sending:
                self.sending.add(message.id)
                self.services.start(self.deliver(message))
        if now - self.cleaned > CLEAN_EVERY:
            self.cleaned = now
            await self.storage.write(alert_storage.delete_unconfirmed, self.epoch)

    async def read_again(self, now: float) -> None:
        """See what other servers have noted."""
        if now - self.looked < READ_EVERY:
            return
        self.looked = now
        turns, messages = await self.storage.read(
            lambda connection: (alert_storage.select_turns(connection), alert_storage.select_messages(connection))
        )
        self.turns.clear()
        for turn in turns:
            self.turns.setdefault(turn.table_id, {})[turn.owner] = turn
        self.messages = {message.id: message for message in messages} | {id: self.messages[id] for id in self.sending}

    async def call(self, turn: Turn, now: float) -> None:
        """Make the messages about a turn, unless its person looks at the table or wants to be left alone now."""
        looks_here = self.looking(turn.table_id, turn.owner)

        def write(connection: Connection) -> tuple[Turn | None, list[Message]]:
            looks = looks_here or is_looking(connection, turn.table_id, turn.owner)
            person = alert_storage.select_person(connection, turn.owner)
            after, made = replace(turn), list[Message]()
            if not alert_storage.has_turn(connection, turn.owner, turn.table_id, turn.number):
                alert_storage.delete_turn(connection, turn)
                return None, []
            awake = awake_from(now, person)
            if awake > now and not looks:
                after.due = awake
            else:
                if not looks:
                    kind = "reminder" if turn.told else "turn"
                    made = messages_to(connection, turn.owner, turn.table_id, turn.number, kind, now)
                if made or not turn.told:
                    after.told += 1
                left = alert_storage.left_of(connection, turn.owner, turn.table_id, self.services)
                after.due = next_call(now, person, after.told, left)
            alert_storage.put_turn(connection, after)
            alert_storage.insert_messages(connection, made)
            return after, made

        after, made = await self.storage.write(write, self.epoch)
        if self.turns.get(turn.table_id, {}).get(turn.owner) is turn:  # it has not ended meanwhile
            if after is None:
                self.end(turn)
            else:
                turn.due, turn.told = after.due, after.told
        self.messages |= {message.id: message for message in made}

    # --- Sending ------------------------------------------------------------------------------------------------------------

    async def deliver(self, message: Message) -> None:
        """Send a message, if it is still wanted; otherwise drop it."""
        try:
            await self.try_once(message)
        except Refused:
            pass  # the database does not answer; the message is there when it does
        finally:
            self.sending.discard(message.id)

    async def try_once(self, message: Message) -> None:
        """One attempt. It is counted first: a server that is killed now tries again later, not at once."""
        channel, words, awake = await self.storage.read(lambda connection: prepared(connection, message, self.services))
        if words is None or (message.kind != "confirm" and self.looking(message.table_id, channel.owner)):
            await self.drop(message)
            return
        letter = (
            confirmation(channel)
            if message.kind == "confirm"
            else about_table(channel, message, *words, self.count(channel.owner))
        )
        host = host_of(channel)
        if awake > time.time():
            message.due = awake
            await self.storage.write(lambda connection: alert_storage.update_message(connection, message, 0), self.epoch)
            return
        slow = host in self.slow
        if self.at_hosts[host] >= MOST_AT_HOST or (slow and self.at_slow >= MOST_AT_SLOW):
            return  # its turn comes
        self.at_hosts[host] += 1
        self.at_slow += slow
        try:
            message.attempts += 1
            message.due = time.time() + min(LONGEST_PAUSE, self.settings.pause * 3 ** (message.attempts - 1))
            if not await self.storage.write(lambda connection: alert_storage.update_message(connection, message), self.epoch):
                self.messages.pop(message.id, None)  # another server has tried it
                return
            loop = asyncio.get_running_loop()
            sent, seconds = await loop.run_in_executor(self.threads, self.send_timed, channel, letter, message.id)
            self.note_pace(host, seconds)
        finally:
            self.at_hosts[host] -= 1
            self.at_slow -= slow
        await self.settle(message, channel, sent)

    def send_timed(self, channel: Any, letter: Letter, id: str) -> tuple[int, float]:
        """Send a letter; the status of the answer, and how many seconds that took."""
        began = time.monotonic()
        return self.send(channel, letter, id), time.monotonic() - began

    def note_pace(self, host: str, seconds: float) -> None:
        """Remember a host that took its time; of very many those that did so last."""
        self.slow.pop(host, None)
        if seconds > SLOW:
            self.slow[host] = None
            if len(self.slow) > SLOW_HOSTS:
                self.slow.popitem(last=False)

    def send(self, channel: Any, letter: Letter, id: str) -> int:
        """Send a letter now, in a thread; returns the status of the answer, 200 for a mail that was taken, 0 for no answer."""
        try:
            if channel.kind == "mail":
                assert self.settings.mail
                text = f"{letter.body}\n\n{letter.url}\n\n-- \n{letter.facts['why']}\n{letter.stop}\n"
                name = WORDS.say("page.name", channel.lang)
                mail.send(self.settings.mail, name, channel.target, letter.title, text, letter.stop, id)
                return 200
            if channel.kind == "webhook":
                return post(
                    channel.target, hook_body(letter, host_of(channel)), {"Content-Type": "application/json"}, self.settings.hosts
                )
            subscription = json.loads(channel.target)
            said = {"title": letter.title, "body": letter.body, "url": letter.url, "stop": letter.stop, **letter.facts}
            topic = letter.facts["tag"]
            body, headers = self.push.message(subscription, said, channel.origin, topic)
            return post(subscription["endpoint"], body, headers, self.settings.hosts)
        except BadTarget as error:
            logger.info("alerts: a %s message was refused: %s", channel.kind, error)
            return 400
        except Unreachable as error:
            ours = channel.kind == "mail"  # the host's own mail server does not answer
            logger.log(logging.WARNING if ours else logging.INFO, "alerts: a %s message has to wait: %s", channel.kind, error)
            return 0

    async def settle(self, message: Message, channel: Any, status: int) -> None:
        """Keep what came of an attempt."""
        done = 200 <= status < 300
        metrics.ALERTS.labels(channel.kind, "sent" if done else "failed").inc()
        later = not done and (status == 0 or status >= 500 or status in TEMPORARY) and message.attempts < MOST_ATTEMPTS
        if later:
            return
        failures = 0 if done else channel.failures + 1
        forget = status in GONE or failures >= MOST_FAILURES

        def write(connection: Connection) -> None:
            alert_storage.delete_message(connection, message)
            if forget:
                alert_storage.delete_channel(connection, channel.id)
            elif failures != channel.failures:
                alert_storage.update_channel(connection, channel.id, failures=failures)

        await self.storage.write(write, self.epoch)
        self.messages.pop(message.id, None)
        if forget:
            await self.know_people()

    async def drop(self, message: Message) -> None:
        """Forget a message."""
        await self.storage.write(lambda connection: alert_storage.delete_message(connection, message), self.epoch)
        self.messages.pop(message.id, None)

    # --- Changes of channels ------------------------------------------------------------------------------------------------

    async def know_people(self, fresh: str | None = None) -> None:
        """Learn anew who can be called. `fresh`: somebody who has just asked for it knows already where it is his turn."""

        def write(connection: Connection) -> tuple[set[str], list[Turn]]:
            people, begun = alert_storage.owners(connection), []
            if fresh in people:
                person = alert_storage.select_person(connection, fresh)
                for (table, owner), number in alert_storage.acting(connection, fresh).items():
                    if owner not in self.turns.get(table, {}):
                        left = alert_storage.left_of(connection, owner, table, self.services)
                        due = next_call(time.time(), person, 1, left)
                        begun.append(Turn(table, owner, number, due, told=1))
                        alert_storage.put_turn(connection, begun[-1])
            if self.services.cluster:
                tell(connection, f"alerts {self.services.cluster.id}")
            return people, begun

        self.people, begun = await self.storage.write(write, self.epoch)
        for turn in begun:
            self.turns.setdefault(turn.table_id, {})[turn.owner] = turn
        for turns in list(self.turns.values()):
            for turn in list(turns.values()):
                if turn.owner not in self.people:
                    self.end(turn)

    async def learn_people(self) -> None:
        """Another server has changed who can be called."""
        self.people = await self.storage.read(alert_storage.owners)

    async def ask_to_confirm(self, channel: str) -> None:
        """Send a mail that asks its owner to confirm the address."""
        message = Message(secrets.token_hex(8), channel, "", 0, "confirm", time.time())
        await self.storage.write(lambda connection: alert_storage.insert_messages(connection, [message]), self.epoch)
        self.messages[message.id] = message


def messages_to(connection: Connection, owner: str, table: str, number: int, kind: str, due: float) -> list[Message]:
    """A message to somebody by each channel that they have chosen for a table."""
    wanted, channels = alert_storage.kinds_at(connection, owner, table), alert_storage.select_channels(connection, owner)
    chosen = [channel.id for channel in channels if channel.confirmed and channel.kind in wanted]
    return [Message(secrets.token_hex(8), channel, table, number, kind, due) for channel in chosen]


Words = tuple[str, list[str], float | None]  # the game, the names of the others, seconds left at a clock of days


def prepared(connection: Connection, message: Message, services: Services) -> tuple[Any, Words | None, float]:
    """The channel of a message, what it is about (nothing if it is not wanted any more), and when it may be sent."""
    channel = alert_storage.channel_by(connection, id=message.channel)
    if channel is None or (message.kind == "confirm") == bool(channel.confirmed):
        return channel, None, 0.0
    if message.kind == "confirm":
        return channel, ("", [], None), 0.0
    person = alert_storage.select_person(connection, channel.owner)
    kinds = alert_storage.kinds_at(connection, channel.owner, message.table_id)
    left = None
    if message.kind in ASKED:
        looks = is_looking(connection, message.table_id, channel.owner)
        going_on = not looks and alert_storage.is_awaited(connection, channel.owner, message)
    else:
        going_on = alert_storage.has_turn(connection, channel.owner, message.table_id, message.number)
        left = alert_storage.left_of(connection, channel.owner, message.table_id, services)
    words = alert_storage.select_words(connection, message.table_id, channel.owner)
    if not going_on or channel.kind not in kinds or words is None:
        return channel, None, 0.0
    return channel, (*words, left[0] if left else None), awake_from(time.time(), person)


# --- Words ----------------------------------------------------------------------------------------------------------------------


def host_of(channel: Any) -> str:
    """Where the messages of a channel go: the mail server is one host for all."""
    if channel.kind == "mail":
        return ""
    return urlsplit(str(channel.target if channel.kind == "webhook" else json.loads(channel.target)["endpoint"])).netloc


def about_table(channel: Any, message: Message, game: str, names: list[str], left: float | None, count: int) -> Letter:
    """The message about a turn, or about what else a table waits for. It says nothing that anybody at the table does not know."""
    lang, games = channel.lang, catalog.offered_games()
    title = games[game].words.say("game.name", lang) if game in games else game
    others = [name or WORDS.say("home.somebody", lang) for name in names]
    comma = WORDS.say("home.list_comma", lang)
    lines = [WORDS.say("message.with", lang, names=comma.join(others)) if others else WORDS.say("message.alone", lang)]
    if message.kind in ASKED:
        lines.append(WORDS.say(f"message.{message.kind}_body", lang))
    if left is not None:
        lines.append(WORDS.say("message.left", lang, time=time_text(left, lang)))
    body = "\n".join(lines)
    head = WORDS.say(f"message.{message.kind}", lang, game=title)
    facts = {"tag": f"turn-{message.table_id}", "count": count, "lang": lang, "stop_words": WORDS.say("alerts.stop", lang)}
    facts["why"] = WORDS.say("message.why", lang)
    table = message.table_id
    return Letter(
        head, body, f"{channel.origin}/t/{table}", f"{channel.origin}/alerts/stop/{channel.secret}?table={table}", facts
    )


def time_text(seconds: float, lang: str) -> str:
    """How much time is left, to the hour; the last hours to the minute."""
    minutes = int(seconds // 60)
    if minutes >= 24 * 60:
        return WORDS.say("ui.days_hours", lang, days=minutes // (24 * 60), hours=minutes // 60 % 24)
    return WORDS.say("message.hours", lang, hours=minutes // 60, minutes=minutes % 60)


def confirmation(channel: Any) -> Letter:
    """The mail that asks whether an address is somebody's own."""
    title, body = (WORDS.say(f"message.{part}", channel.lang) for part in ("confirm", "confirm_body"))
    facts = {"why": WORDS.say("message.confirm_why", channel.lang)}
    yes, no = (f"{channel.origin}/alerts/{what}/{channel.secret}" for what in ("confirm", "stop"))
    return Letter(title, body, yes, no, facts)


def greeting(channel: Any) -> Letter:
    """The first message of a webhook."""
    title, body = (WORDS.say(f"message.{part}", channel.lang) for part in ("hello", "hello_body"))
    facts = {"why": WORDS.say("message.why", channel.lang)}
    return Letter(title, body, f"{channel.origin}/alerts", f"{channel.origin}/alerts/stop/{channel.secret}", facts)


def hook_body(letter: Letter, host: str) -> bytes:
    """A message for a chat: some read `text`, others `content`. A player's name is text there, and calls nobody."""
    text = f"{letter.title}\n{letter.body.translate(PLAIN)}\n{letter.url}\n{letter.facts['why']} {letter.stop}"
    said: dict[str, Any] = {"text": text}
    if host not in TEXT_ONLY:
        said |= {"content": text, "url": letter.url, "stop": letter.stop, "allowed_mentions": {"parse": []}}
    return json.dumps(said, ensure_ascii=False).encode()
