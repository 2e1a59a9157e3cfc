"""The table of limits in docs/security.md: `python -m tests.attack --limits` prints it, a test compares."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields

from perankh.web import access, analysis, chat, connections, limits, serve, tables, visits
from perankh.web.limits import Limits

CONSTANTS = (
    (tables, "LONGEST_FILE", "bytes of a match file"),
    (tables, "LONGEST_MATCH", "moves of a match file"),
    (serve, "LARGEST_FRAME", "bytes of a frame that ends the connection"),
    (connections, "MOST_UNREAD", "bytes that wait for the reader of a live connection"),
    (chat, "LONGEST_MESSAGE", "characters of a message"),
    (chat, "MOST_MESSAGES", "messages of a channel; the oldest are forgotten"),
    (chat, "PERSONS_PACE", "messages of one person"),
    (access, "AT_TABLE", "tries of a table's password, by all addresses together"),
    (visits, "MOST_VISITS", "persons of whom something is kept at one table"),
    (limits, "LONGEST_PUT_BACK", "seconds for which a request waits behind later ones of addresses that ask for less"),
    (analysis, "MOST_ASKED", "analyses that go on at the same time for one person"),
    (analysis, "MOST_DECISIONS", "decisions of a match that are analysed"),
)


def limits_table() -> str:
    """All limits with their values and meanings, as rows of a table."""
    source = inspect.getsource(Limits)
    about = dict(re.findall(r"^    (\w+): .*?  # (.*)$", source, re.MULTILINE))
    rows = [(field.name, shown(field.default), about.get(field.name, "")) for field in fields(Limits)]
    rows += [(name, shown(getattr(module, name)), meaning) for module, name, meaning in CONSTANTS]
    lines = ["| limit | value | of what |", "|---|---|---|", *(f"| `{name}` | {value} | {what} |" for name, value, what in rows)]
    return "\n".join(lines) + "\n"


def shown(value: object) -> str:
    """A limit in words."""
    if isinstance(value, tuple):
        return f"{value[0]:g} a second, {value[1]:g} at once"
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"
