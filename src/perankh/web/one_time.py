"""Secrets that are good once and for some minutes: transfer codes, and challenges to passkeys. Only their digests are stored."""

from __future__ import annotations

import hashlib
import time

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.web.storage import one_time_secrets

MOST = 10_000  # of each kind; the oldest is forgotten first


def digest(secret: bytes) -> str:
    """What is kept of a secret; looking it up tells nothing about others by the time it takes."""
    return hashlib.sha256(secret).hexdigest()


def keep(connection: Connection, kind: str, secret: bytes, owner: str, lifetime: float) -> None:
    """A new secret, good for so many seconds; `owner` is empty if it is for anybody."""
    now, kept = time.time(), one_time_secrets.c
    connection.execute(one_time_secrets.insert().values(digest=digest(secret), kind=kind, owner=owner, until=now + lifetime))
    newest = sa.select(kept.until).where(kept.kind == kind).order_by(kept.until.desc()).offset(MOST - 1).limit(1)
    old = sa.or_(kept.until < now, kept.until < newest.scalar_subquery())
    connection.execute(one_time_secrets.delete().where(kept.kind == kind, old))


def owner_of(connection: Connection, kind: str, secret: bytes) -> str | None:
    """Whom a secret is for; None if there is none, or none any more."""
    kept = one_time_secrets.c
    good = sa.and_(kept.digest == digest(secret), kept.kind == kind, kept.until >= time.time())
    return connection.execute(sa.select(kept.owner).where(good)).scalar()


def take(connection: Connection, kind: str, secret: bytes) -> str | None:
    """The same, and nobody can use it again: of several who try at the same moment, one does."""
    kept = one_time_secrets.c
    taken = one_time_secrets.delete().where(kept.digest == digest(secret), kept.kind == kind)
    row = connection.execute(taken.returning(kept.owner, kept.until)).first()
    return row.owner if row and row.until >= time.time() else None


def withdraw(connection: Connection, kind: str, owner: str) -> None:
    """The secrets of a person are no longer good."""
    kept = one_time_secrets.c
    connection.execute(one_time_secrets.delete().where(kept.owner == owner, kept.kind == kind))


def forget(connection: Connection, owner: str, new: str = "") -> None:  # noqa: ARG001
    """A person goes, or turns out to be another: whatever was for him is no longer good."""
    connection.execute(one_time_secrets.delete().where(one_time_secrets.c.owner == owner))
