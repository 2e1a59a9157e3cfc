"""Who may enter a table, and who may end it: passwords, the list on the home page, deleting.

A table is known to those who were told its address, and listed for everybody if its creator says so. A table with a password
shows nothing of itself to others than its players, its creator and those who have given the password once.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets

from perankh.web import storage, visits
from perankh.web.identity import same
from perankh.web.limits import Buckets
from perankh.web.refusal import Refused, refused
from perankh.web.table import Table, change

SHORTEST_PASSWORD, LONGEST_PASSWORD = 4, 100
AT_TABLE = (0.5, 30.0)  # tries of a table's password a second, and how many at once, by all addresses together
COST = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}  # of scrypt: 16 MiB and some 50 ms a try


# --- Passwords --------------------------------------------------------------------------------------------------------------


async def hashed(password: str | None) -> str | None:
    """What is stored of a password: a salt and a slow hash; None for none."""
    if not password:
        return None
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise refused(422, "bad_password", least=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)
    salt = secrets.token_bytes(16)
    return f"{salt.hex()} {(await scrypt(password, salt)).hex()}"


async def scrypt(password: str, salt: bytes) -> bytes:
    """The slow hash of a password, away from the event loop."""
    return await asyncio.to_thread(hashlib.scrypt, password.encode("utf-8", "surrogatepass"), salt=salt, **COST)


def may_enter(table: Table, who: str | None) -> bool:
    """Does a table show itself to somebody?"""
    if table.password is None:
        return True
    visit = table.visits.get(who) if who else None
    return bool(table.own(who)) or same(table.creator, who) or bool(visit and visit.admitted)


def check(table: Table, who: str | None) -> None:
    """Refuse whoever has to give the password first."""
    if not may_enter(table, who):
        raise Refused(403, refused(403, "password_needed").reason, password=True)


async def enter(table: Table, who: str, password: str, tries: Buckets) -> None:
    """Give the password; from then on the table is open to that person."""
    if may_enter(table, who):
        return
    if not tries.take(table.id):
        raise refused(429, "too_many")
    salt, kept = (bytes.fromhex(part) for part in (table.password or "").split())
    if not hmac.compare_digest(await scrypt(password, salt), kept):
        raise Refused(403, refused(403, "wrong_password").reason, password=True)
    await admit(table, who)


@change
async def admit(table: Table, who: str) -> None:
    """Let somebody in who has given the password."""
    forgotten = visits.make_room(table, who)
    visits.of(table, who).admitted = True
    await visits.keep(table, [who, *forgotten])


# --- What the creator decides -------------------------------------------------------------------------------------------------


async def change_access(table: Table, who: str | None, public: bool | None, password: str | None) -> None:
    """List a table on the home page or not; give it another password, or none (an empty one)."""
    await set_access(table, who, public, password is not None, await hashed(password))


@change
async def set_access(table: Table, who: str | None, public: bool | None, change_password: bool, password: str | None) -> None:
    """List a table or not; set what is stored of its password, if it is to change."""
    table.check_open()
    if not same(table.creator, who):
        raise refused(403, "not_creator")
    table.public = table.public if public is None else public
    shut_out = []
    if change_password:
        table.password = password
        shut_out = [who for who, visit in table.visits.items() if visit.admitted]  # whoever watches has to give the new one
        for one in shut_out:
            table.visits[one].admitted = False
    facts, also = table.save()
    await visits.keep(table, shut_out, facts, also)
    table.changed()


# --- Deleting -----------------------------------------------------------------------------------------------------------------


def others(table: Table, who: str | None) -> list[int]:
    """The seats of other persons."""
    return [p for p, seat in enumerate(table.seats) if seat.owner and not same(seat.owner, who)]


def may_delete(table: Table, who: str | None) -> bool:
    """May somebody delete a table without asking? Those whose match it is have to agree otherwise (`votes`)."""
    if who is None or not (table.own(who) or same(table.creator, who)):
        return False
    if table.status == "waiting":
        return same(table.creator, who) or not others(table, who)
    return not others(table, who)


@change
async def delete(table: Table, who: str | None) -> None:
    """Delete a table with everything that belongs to it."""
    if not may_delete(table, who):
        raise refused(403, "delete_asks" if table.own(who) else "not_creator")
    await remove(table)


async def remove(table: Table) -> None:
    """Delete a table from the data, and from memory. The caller holds the lock."""
    await table.keep({}, lambda connection: storage.delete_tables(connection, [table.id]))
    table.drop(deleted=True)
