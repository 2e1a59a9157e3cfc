"""Transfer codes: shown on one device, typed or scanned on another, which then belongs to the same person.

A code is good once and for some minutes, at every server (`web/one_time.py`). Ten signs of 32 are 50 bits: with a thousand codes
open and a thousand tries a second, a hit takes decades, and an address may try once in ten seconds.
"""

from __future__ import annotations

import re
import secrets
import unicodedata

from sqlalchemy import Connection

from perankh.web import one_time
from perankh.web.refusal import refused

SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # without letters that look like digits or like each other
LENGTH = 10
LIFETIME = 600.0  # seconds
KIND = "code"  # of one-time secret
MISREAD = str.maketrans("OIL", "011")


def make_code(connection: Connection, person: str) -> str:
    """A new code for a person, instead of the last one."""
    one_time.withdraw(connection, KIND, person)
    code = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
    one_time.keep(connection, KIND, code.encode(), person, LIFETIME)
    return code


def person_of(connection: Connection, code: str) -> str | None:
    """Whose code it is; None if there is no such code, or none any more."""
    return one_time.owner_of(connection, KIND, code.encode())


def take_code(connection: Connection, code: str) -> str | None:
    """The same, and nobody can use it again."""
    return one_time.take(connection, KIND, code.encode())


def checked_code(text: str) -> str:
    """A code as somebody has typed it: small letters, wide letters, spaces and dashes do not matter, nor O for 0."""
    typed = re.sub(r"[\s\-‐-―−ー・]", "", unicodedata.normalize("NFKC", text)).upper().translate(MISREAD)
    if len(typed) != LENGTH or not set(typed) <= set(SIGNS):
        raise refused(422, "bad_code", length=LENGTH)
    return typed


def shown(code: str) -> str:
    """A code as it is read: in two halves."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"
