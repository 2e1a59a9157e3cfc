"""Which token belongs to whom. A person has one device or several, each with a token of its own; only digests are stored.

A token that is not stored is a person of its own, so most persons need no row at all. What differs from that is held in memory:
the devices that a person added, and those that were signed out.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.web import storage
from perankh.web.refusal import Refused
from perankh.web.storage import Storage

DAY = 24 * 3600.0
MOST_SEEN = 10_000  # devices of which it is known that today's use is stored
MOST_DEVICES = 20  # of one person
SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Mac OS X", "CrOS", "Linux")  # in this order: Android names Linux too
BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome"}
SHOWN_SYSTEMS = {"Mac OS X": "macOS", "CrOS": "ChromeOS"}


class Devices:
    """The devices of all persons, and the live connections of each."""

    def __init__(self, kept_in: Storage) -> None:
        self.storage = kept_in
        self.persons: dict[str, str | None] = {}  # by device; None: signed out. One that is not here is its own person
        self.open: dict[str, list[Callable[[], None]]] = {}  # what ends the live connections of a device
        self.met: OrderedDict[str, None] = OrderedDict()  # devices that are known to belong to whom `persons` says
        self.seen: OrderedDict[str, float] = OrderedDict()  # the day of which it is stored that a device was used

    async def load(self) -> None:
        """Read what is stored, at the start and after a restore."""
        before, self.persons = self.persons, await self.storage.read(select_persons)
        for device in [device for device in self.open if before.get(device, device) != self.person_of(device)]:
            self.end(device)

    async def learn(self, devices: Sequence[str]) -> None:
        """Another server has changed something about devices."""
        found = await self.storage.read(lambda connection: select_persons(connection, devices))
        self.note(found, [device for device in devices if device not in found])

    async def meet(self, device: str) -> None:
        """Before a device is asked about that this server has not heard of: another server may just have stored whose it is."""
        if self.storage.shared and device not in self.met:
            await self.learn([device])
            self.met[device] = None
            if len(self.met) > MOST_SEEN:
                self.met.popitem(last=False)

    def person_of(self, device: str) -> str | None:
        """Whose device it is; None if it was signed out."""
        return self.persons.get(device, device)

    def is_signed_out(self, device: str) -> bool:
        """Was it signed out?"""
        return self.person_of(device) is None

    def note(self, changed: dict[str, str | None], removed: Iterable[str] = ()) -> None:
        """Take over what was stored about devices, and end the live connections of those that belong to somebody else now."""
        before = {device: self.person_of(device) for device in (*changed, *removed)}
        for device in before:
            self.persons.pop(device, None)
        self.persons |= {device: person for device, person in changed.items() if person != device}
        for device, person in before.items():
            if self.person_of(device) != person:
                self.end(device)

    def end(self, device: str) -> None:
        """End the live connections of a device."""
        for end in self.open.pop(device, []):
            end()

    @contextmanager
    def connected(self, device: str | None, end: Callable[[], None]) -> Iterator[None]:
        """While a live connection is open: `end` is called if its device is signed out."""
        if device is None:
            yield
            return
        self.open.setdefault(device, []).append(end)
        try:
            yield
        finally:
            held = self.open.get(device, [])
            if end in held:
                held.remove(end)
            if not held:
                self.open.pop(device, None)

    async def use(self, device: str | None) -> None:
        """Store that a device was used today, once a day."""
        today = time.time() // DAY * DAY
        if device is None or self.seen.get(device) == today:
            return
        self.seen[device] = today
        if len(self.seen) > MOST_SEEN:
            self.seen.popitem(last=False)
        used = storage.devices.update().where(storage.devices.c.id == device).values(seen=today)
        with suppress(Refused):  # where nothing can be stored just now, this is the least of it
            await self.storage.write(lambda connection: connection.execute(used))


def tell_of(connection: Connection, devices: Iterable[str]) -> None:
    """Let other servers know that it has changed whose some devices are."""
    for part in storage.in_parts(list(devices), 100):
        storage.tell(connection, f"devices {' '.join(part)}")


def select_persons(connection: Connection, among: Sequence[str] | None = None) -> dict[str, str | None]:
    """The devices that are not simply a person of their own; all of them, or some."""
    devices = storage.devices.c
    wanted = sa.select(devices.id, devices.person, devices.ended).where(
        sa.or_(devices.id != devices.person, devices.ended.is_not(None))
    )
    if among is not None:
        wanted = wanted.where(devices.id.in_(among))
    return {row.id: None if row.ended is not None else row.person for row in connection.execute(wanted)}


def insert_device(connection: Connection, person: str, device: str, name: str) -> None:
    """A person has one more device."""
    now = time.time()
    facts = {"id": device, "person": person, "name": name, "created": now, "seen": now // DAY * DAY}
    connection.execute(storage.devices.insert().values(**facts))


def name_of_device(agent: str) -> str:
    """Browser and system by which a person recognises a device; empty if a program asks."""
    system = next((name for name in SYSTEMS if name in agent), "")
    browser = next((name for mark, name in BROWSERS.items() if mark in agent), "Safari" if "Safari" in agent else "")
    return " · ".join(filter(None, (browser, SHOWN_SYSTEMS.get(system, system))))
