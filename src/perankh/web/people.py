"""Persons: the name and colour they keep, their devices, the ways by which a device comes to belong to them, and how they go."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from starlette.requests import HTTPConnection

from perankh.web import alert_storage, one_time, ownership, passkeys, personal, recovery, storage
from perankh.web.codes import KIND as CODE
from perankh.web.codes import checked_code, make_code, person_of, take_code
from perankh.web.data import file_of, settle
from perankh.web.devices import MOST_DEVICES, Devices, insert_device, name_of_device, tell_of
from perankh.web.identity import digest, new_token
from perankh.web.loading import refresh
from perankh.web.passkeys import Party
from perankh.web.refusal import Refused, refused
from perankh.web.storage import Storage, devices, persons
from perankh.web.table import Table
from perankh.web.tables import Tables

COLOURS = ("red", "blue", "yellow", "green", "black", "white", "brown", "grey")  # those of seats
SLOW_AT_ONCE = 2  # recovery phrases that are worked on at the same time
SHORT_ID = 12  # characters by which a person's device is named to the outside


@dataclass(frozen=True)
class Me:
    """Who asks: a person, the device, and what the device is called."""

    person: str
    device: str
    name: str


class People:
    """What persons can do about themselves."""

    def __init__(self, tables: Tables, known: Devices) -> None:
        self.tables = tables
        self.storage: Storage = tables.services.storage
        self.devices = known
        self.slowly = asyncio.Semaphore(SLOW_AT_ONCE)

    # --- What is kept --------------------------------------------------------------------------------------------------------

    async def facts(self, me: Me) -> dict[str, Any]:
        """What a person sees of himself."""
        await self.devices.use(me.device)
        row, listed, keys = await self.storage.read(lambda connection: select_person(connection, me.person))
        here = {"id": me.device[:SHORT_ID], "name": me.name, "created": None, "seen": None, "here": True}
        return {
            "name": row.name if row else "",
            "colour": row.colour if row else "",
            "devices": [device_facts(device, me.device) for device in listed] or [here],
            "recovery": row.recovery_made if row else None,
            "passkeys": [{"id": key.id, "name": key.name, "created": key.created, "used": key.used} for key in keys],
        }

    async def profile(self, person: str | None) -> tuple[str, str]:
        """The name and the colour that somebody has chosen; empty if none."""
        if person is None:
            return "", ""
        wanted = sa.select(persons.c.name, persons.c.colour).where(persons.c.id == person)
        found = await self.storage.read(lambda connection: connection.execute(wanted).first())
        return (found.name, found.colour) if found else ("", "")

    async def change(self, me: Me, **changed: Any) -> None:
        """Keep something about a person."""

        def write(connection: Connection) -> None:
            ensure_person(connection, me)
            if changed:
                connection.execute(persons.update().where(persons.c.id == me.person).values(**changed))

        await self.storage.write(write)

    async def keep_name(self, me: Me, name: str) -> None:
        """Keep the first name under which somebody sits down."""
        if name and not (await self.profile(me.person))[0]:
            await self.change(me, name=name)

    # --- Ways to oneself --------------------------------------------------------------------------------------------------------

    async def new_code(self, me: Me) -> str:
        """A code that makes another device one of this person's."""
        await self.change(me)
        return await self.storage.write(lambda connection: make_code(connection, me.person))

    async def new_phrase(self, me: Me) -> dict[str, list[str]]:
        """A recovery phrase in every language, instead of the last one. It is shown this once."""
        phrase = recovery.new_phrase()
        await self.change(me, recovery=await self.verifier(phrase), recovery_made=time.time())
        return recovery.words_of(phrase)

    async def verifier(self, phrase: bytes) -> str:
        """What is stored of a phrase."""
        async with self.slowly:
            return await asyncio.to_thread(recovery.verifier_of, phrase)

    async def passkey_options(self, me: Me, party: Party) -> Any:
        """What the browser needs to make a passkey."""
        row, _, keys = await self.storage.read(lambda connection: select_person(connection, me.person))
        if len(keys) >= passkeys.MOST_PASSKEYS:
            raise refused(409, "many_passkeys", most=passkeys.MOST_PASSKEYS)
        known = [key.id for key in keys]
        return await self.challenge(passkeys.creation_options(party, me.person, row.name if row else "", known), me.person)

    async def challenge(self, options: passkeys.Options, who: str = "") -> Any:
        """Keep the challenge in what a browser is given; `who` may answer it, or anybody."""
        kept = (passkeys.KIND, options.challenge, who, passkeys.LIFETIME)
        await self.storage.write(lambda connection: one_time.keep(connection, *kept))
        return options.facts

    async def answered(self, credential: dict[str, Any], who: str = "") -> bytes:
        """The challenge that a credential answers; refused if there is none, or none any more, for whoever answers."""
        challenge = passkeys.challenge_in(credential)
        if await self.storage.write(lambda connection: one_time.take(connection, passkeys.KIND, challenge)) != who:
            raise refused(409, "old_passkey")
        return challenge

    async def add_passkey(self, me: Me, party: Party, credential: dict[str, Any]) -> None:
        """Keep a passkey that the browser has made."""
        challenge = await self.answered(credential, me.person)
        made = await asyncio.to_thread(passkeys.made_passkey, challenge, party, me.person, credential)

        def write(connection: Connection) -> None:
            ensure_person(connection, me)
            if passkeys.select_passkey(connection, made):
                raise refused(409, "known_passkey")
            connection.execute(storage.passkeys.insert().values(**made, name=me.name))

        await self.storage.write(write)

    async def remove_passkey(self, me: Me, id: str) -> None:
        """A passkey is no longer good."""
        table = storage.passkeys
        removed = table.delete().where(table.c.id == id, table.c.person == me.person)
        if not (await self.storage.write(lambda connection: connection.execute(removed).rowcount)):
            raise refused(404, "no_passkey")

    async def person_by_phrase(self, text: str) -> str:
        """Whose recovery phrase it is."""
        verifier = await self.verifier(recovery.phrase_in(text))
        wanted = sa.select(persons.c.id).where(persons.c.recovery == verifier)
        found = await self.storage.read(lambda connection: connection.execute(wanted).scalar())
        if found is None:
            raise refused(403, "no_phrase")
        return str(found)

    async def person_by_passkey(self, party: Party, credential: dict[str, Any]) -> str:
        """Whose passkey it is."""
        challenge = await self.answered(credential)
        row = await self.storage.read(lambda connection: passkeys.select_passkey(connection, credential))
        if row is None:
            raise refused(403, "no_passkey")
        count = await asyncio.to_thread(passkeys.new_count, challenge, party, row, credential)
        used = storage.passkeys.update().where(storage.passkeys.c.id == row.id).values(sign_count=count, used=time.time())
        await self.storage.write(lambda connection: connection.execute(used))
        return str(row.person)

    async def person_by_code(self, text: str, old: str | None) -> str:
        """Whose transfer code it is. On a device of the same person it is not used up."""
        code = checked_code(text)
        found = await self.storage.read(lambda connection: person_of(connection, code))
        if found is not None and found != old:
            found = await self.storage.write(lambda connection: take_code(connection, code))
        if found is None:
            raise refused(403, "no_code")
        return found

    # --- Devices -------------------------------------------------------------------------------------------------------------

    async def join(self, old: str | None, device: str | None, name: str, person: str) -> str:
        """Let a device belong to a person, with a new token. What it had as a person of its own comes along."""
        if old == person:
            raise refused(409, "same_person")
        token = new_token()
        added = digest(token)

        def write(connection: Connection) -> list[str]:
            active = sa.select(sa.func.count()).where(devices.c.person == person, devices.c.ended.is_(None))
            if not connection.scalar(sa.select(sa.func.count()).where(persons.c.id == person)):
                raise refused(403, "no_person")  # deleted meanwhile
            if (connection.scalar(active) or 0) >= MOST_DEVICES:
                raise refused(409, "many_devices", most=MOST_DEVICES)
            along = []
            if old:
                if ownership.shared_table(connection, old, person):
                    raise refused(409, "same_table")
                connection.execute(devices.delete().where(devices.c.id == device))
                along = list(connection.execute(sa.select(devices.c.id).where(devices.c.person == old)).scalars())
                personal.move(connection, old, person)
                channels = storage.alert_channels
                connection.execute(channels.update().where(channels.c.device == device).values(device=added))
            insert_device(connection, person, added, name)
            tell_of(connection, [*along, added, *([device] if device else [])])
            return along

        async with self.held(old):
            along = await self.storage.write(write)
        self.devices.note(dict.fromkeys((*along, added), person), [device] if device else [])
        if old and device:
            self.devices.end(device)
        return token

    async def sign_out(self, me: Me, wanted: str | None) -> int:
        """Sign out one device, or all but this one; the number of those that were."""

        def write(connection: Connection) -> list[str]:
            ensure_person(connection, me)
            chosen = devices.c.id.startswith(wanted, autoescape=True) if wanted else devices.c.id != me.device
            mine = sa.and_(devices.c.person == me.person, devices.c.ended.is_(None), chosen)
            found = list(connection.execute(sa.select(devices.c.id).where(mine)).scalars())
            connection.execute(devices.update().where(mine).values(ended=time.time()))
            alert_storage.forget_devices(connection, me.person, found, unknown=not wanted)
            tell_of(connection, found)
            if found or not wanted:
                one_time.withdraw(connection, CODE, me.person)
            return found

        ended = await self.storage.write(write)
        if wanted and not ended:
            raise refused(404, "no_device")
        self.devices.note(dict.fromkeys(ended))
        return len(ended)

    # --- Going ---------------------------------------------------------------------------------------------------------------

    async def delete(self, me: Me) -> None:
        """Delete everything that is stored about a person."""

        def write(connection: Connection) -> list[str]:
            known = list(connection.execute(sa.select(devices.c.id).where(devices.c.person == me.person)).scalars())
            personal.erase(connection, me.person)
            tell_of(connection, known)
            return known

        async with self.held(me.person):
            known = await self.storage.write(write)
        self.devices.note({}, known)
        for device in (me.device, *known):
            self.devices.end(device)
        self.tables.services.forget(me.person)
        database = file_of(self.storage.engine.url)
        if database:
            await asyncio.to_thread(settle, database)  # or what was deleted would stay in the journal for a while

    @asynccontextmanager
    async def held(self, person: str | None) -> AsyncIterator[None]:
        """Nobody changes the tables of a person meanwhile. Then those in memory are read anew; others there go on undisturbed."""
        ids = set(await self.storage.read(lambda connection: ownership.tables_about(connection, person))) if person else set()
        await self.loaded(ids)
        found = [self.tables.tables[id] for id in sorted(ids) if id in self.tables.tables]
        async with AsyncExitStack() as stack:
            for table in found:
                await stack.enter_async_context(table.lock)
            try:
                yield
            finally:
                for table in found:
                    await forget_at(table, person)
        await self.loaded(ids)
        for id in ids:
            if id in self.tables.tables and self.tables.tables[id] not in found:
                self.tables.tables[id].drop()  # it was read meanwhile

    async def loaded(self, ids: set[str]) -> None:
        """Wait until none of the tables is being read."""
        reading = [self.tables.loading[id] for id in ids if id in self.tables.loading]
        if reading:
            await asyncio.wait(reading)


async def forget_at(table: Table, person: str | None) -> None:
    """Read a table anew from which a person may have gone. The caller holds the lock."""
    table.visits.pop(person or "", None)
    table.chat = None
    for watcher in table.watchers:
        watcher.whole_talk = True
        watcher.talk.set()
    if not table.gone:
        with suppress(Refused):  # deleted, or it cannot be read just now: it is dropped
            await refresh(table)


def device_name(connection: HTTPConnection) -> str:
    """What the device that a request comes from is called."""
    return name_of_device(connection.headers.get("user-agent", ""))


# --- Rows ----------------------------------------------------------------------------------------------------------------------


def ensure_person(connection: Connection, me: Me) -> None:
    """Have a row for a person of whom something is kept, and for the device."""
    if not connection.scalar(sa.select(sa.func.count()).where(persons.c.id == me.person)):
        connection.execute(persons.insert().values(id=me.person, name="", colour="", created=time.time()))
    if not connection.scalar(sa.select(sa.func.count()).where(devices.c.id == me.device)):
        insert_device(connection, me.person, me.device, me.name)


def select_person(connection: Connection, person: str) -> tuple[Any, list[Any], list[Any]]:
    """The row of a person, the devices that are signed in, and the passkeys; the newest last."""
    row = connection.execute(sa.select(persons).where(persons.c.id == person)).first()
    mine = sa.select(devices).where(devices.c.person == person, devices.c.ended.is_(None)).order_by(devices.c.created)
    table = storage.passkeys
    keys = sa.select(table).where(table.c.person == person).order_by(table.c.created)
    return row, list(connection.execute(mine).all()), list(connection.execute(keys).all())


def device_facts(row: Any, here: str) -> dict[str, Any]:
    """A device as its person sees it."""
    return {"id": row.id[:SHORT_ID], "name": row.name, "created": row.created, "seen": row.seen, "here": row.id == here}
