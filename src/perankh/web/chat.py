"""The chat of a table: short texts and ready-made phrases, each kept with the number of moves made when it was said.

Players speak at the table, and everybody there hears them. Spectators speak in the gallery: a player hears them after the match,
or if he says so, which all others see. Nobody who has seen a hand speaks in the gallery while the match runs.
"""

from __future__ import annotations

import hashlib
import time
import unicodedata
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection

from perankh.web import loading, storage, visits
from perankh.web.identity import same
from perankh.web.limits import Buckets
from perankh.web.refusal import refused
from perankh.web.seats import checked_name
from perankh.web.table import Table, change
from perankh.web.table_records import Chat, Message

LONGEST_MESSAGE = 300  # characters
MOST_MESSAGES = 1000  # of a channel; the oldest are forgotten
SENT_AT_ONCE = 200  # the newest of those, for whoever comes
PERSONS_PACE = (0.4, 6.0)  # messages of one person a second, and how many at once
EVERYBODY = "*"  # mutes the whole chat
TABLE, GALLERY = "table", "gallery"
PHRASES = ("hello", "luck", "well", "wow", "oops", "thanks", "moment", "turn", "sorry", "game")
UNSEEN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}  # controls, marks that turn the writing round, halves of characters, line ends
JOINERS = {"\u200c", "\u200d"}  # unseen, but some scripts and signs are written with them


def mark(table: Table, owner: str) -> str:
    """What stands for a person in the chat of a table; it tells nothing about the token or about other tables."""
    return hashlib.sha256(f"{table.id} {owner}".encode()).hexdigest()[:12]


def shown(message: Message, table: Table, who: str | None) -> dict[str, Any]:
    """A message as it is sent to somebody."""
    facts = {name: value for name, value in asdict(message).items() if name != "owner"}
    return facts | {"by": mark(table, message.owner), "mine": same(message.owner, who)}


async def load(table: Table) -> Chat:
    """The chat of a table, from memory or from storage."""
    if table.chat is None:
        stored = await table.services.storage.read(lambda connection: loading.select_messages(connection, table.id))
        table.chat = table.chat or Chat(stored)
    return table.chat


# --- Who hears and says what ----------------------------------------------------------------------------------------------------


def listens(table: Table, who: str | None) -> bool:
    """Does a player want to hear the gallery?"""
    visit = table.visits.get(who) if who else None
    return bool(visit and visit.listens)


def channels(table: Table, who: str | None) -> tuple[str, ...]:
    """What somebody hears."""
    open_ = table.over or table.readonly or not table.own(who) or listens(table, who)
    return (TABLE, GALLERY) if open_ else (TABLE,)


def speaks_in(table: Table, who: str | None) -> str | None:
    """Where somebody may speak; None: nowhere, since he has seen a hand of the match and has left it."""
    if table.own(who):
        return TABLE
    held = any(same(owner, who) for owner, _ in table.holders)
    return None if held and not table.over else GALLERY


def muted(table: Table, who: str | None) -> list[str]:
    """Whom somebody does not want to hear, by their marks."""
    visit = table.visits.get(who) if who else None
    return visit.muted if visit else []


def heard(table: Table, who: str | None, since: int = 0) -> list[dict[str, Any]]:
    """What somebody hears of what was said after a message; of very much the newest."""
    assert table.chat
    open_, silent = channels(table, who), muted(table, who)
    if EVERYBODY in silent:
        return []
    wanted = [one for one in table.chat.messages if one.id > since and one.channel in open_]
    return [shown(one, table, who) for one in wanted if mark(table, one.owner) not in silent][-SENT_AT_ONCE:]


def facts(table: Table, who: str | None) -> dict[str, Any]:
    """The chat around the messages, as somebody may know it."""
    owners = [seat.owner for seat in table.seats]
    return {
        "says": speaks_in(table, who),
        "hears": channels(table, who),
        "muted": muted(table, who),
        "listening": [p for p, owner in enumerate(owners) if listens(table, owner)],
        "marks": [mark(table, owner) if owner else None for owner in owners],
    }


async def frame(table: Table, who: str | None, since: int, whole: bool) -> dict[str, Any]:
    """What a live connection is sent: what was said since a message, or everything."""
    await load(table)
    return {"type": "chat", "whole": whole, "messages": heard(table, who, 0 if whole else since)} | facts(table, who)


# --- Saying, muting, listening ------------------------------------------------------------------------------------------------


def checked_text(text: str) -> str:
    """A text fit to be shown on one line: without what cannot be seen."""
    clean = "".join(
        " " if character.isspace() else character
        for character in unicodedata.normalize("NFC", text)
        if character.isspace() or character in JOINERS or unicodedata.category(character) not in UNSEEN
    )
    clean = " ".join(clean.split())
    if not clean.strip("".join(JOINERS) + " "):
        raise refused(422, "nothing_said")
    if len(clean) > LONGEST_MESSAGE:
        raise refused(422, "long_message", limit=LONGEST_MESSAGE)
    return clean


def speakers_name(table: Table, who: str, name: str | None) -> str:
    """Under which name somebody speaks: that of the seat, or that which a spectator gives, which is no player's."""
    own = table.own(who)
    if own:
        return table.seats[own[0]].name
    given = checked_name((name or "").strip())
    if not given:
        raise refused(422, "name_needed")
    if any(seat.name.casefold() == given.casefold() for seat in table.seats):
        raise refused(409, "name_taken")
    return given


class Pace:
    """How fast somebody may speak: by person, and by address, since tokens can be invented."""

    def __init__(self, address: tuple[float, float]) -> None:
        self.persons = Buckets(*PERSONS_PACE)
        self.addresses = Buckets(*address)

    def check(self, who: str, address: str) -> None:
        """Refuse what comes too fast."""
        if not self.addresses.take(address) or not self.persons.take(who):
            raise refused(429, "talks_fast")


@change
async def say(table: Table, who: str, text: str | None, phrase: str | None, name: str | None, pace: Pace, address: str) -> int:
    """Say something; the number of the message once it is stored."""
    chat = await load(table)
    table.check_open()
    channel = speaks_in(table, who)
    if channel is None:
        raise refused(403, "knows_cards")
    if (text is None) == (phrase is None) or (phrase is not None and phrase not in PHRASES):
        raise refused(422, "bad_phrase", phrases=", ".join(PHRASES))
    said, called = checked_text(text) if text is not None else "", speakers_name(table, who, name)
    pace.check(who, address)
    own = table.own(who)
    seat = own[0] if own else None
    message = Message(chat.last + 1, who, channel, seat, called, table.number, time.time(), phrase, said)
    old = [one.id for one in chat.messages if one.channel == channel][: 1 - MOST_MESSAGES]

    def write(connection: Connection) -> None:
        kept = storage.messages
        connection.execute(kept.insert().values(table_id=table.id, **asdict(message)))
        if old:
            connection.execute(kept.delete().where(kept.c.table_id == table.id, kept.c.id.in_(old)))

    await table.keep({}, write)
    chat.messages = [one for one in chat.messages if one.id not in set(old)] if old else chat.messages
    chat.add([message])
    table.touch(who)
    for watcher in table.watchers:
        watcher.talk.set()
    return message.id


@change
async def change_hearing(table: Table, who: str, mute: str | None, unmute: str | None, listen: bool | None) -> None:
    """Mute or hear again a person by his mark, or everybody; hear the gallery or not."""
    chat = await load(table)
    known = {EVERYBODY, *(mark(table, one.owner) for one in chat.messages)}
    known |= {mark(table, seat.owner) for seat in table.seats if seat.owner}
    if mute is not None and (mute not in known or mute == mark(table, who)):
        raise refused(404, "nobody_to_mute")
    if listen is not None and not table.own(who):
        raise refused(403, "not_seated")
    if who not in table.visits and mute is None and listen is None:
        return  # there is nothing to keep
    forgotten = visits.make_room(table, who)
    visit = visits.of(table, who)
    visit.muted = [one for one in visit.muted if one not in (mute, unmute)] + ([mute] if mute else [])
    visit.listens = visit.listens if listen is None else listen
    await visits.keep(table, [who, *forgotten])
    for watcher in table.watchers:
        watcher.whole_talk = watcher.whole_talk or same(watcher.who, who)
        watcher.talk.set()
