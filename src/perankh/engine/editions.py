"""An edition: a named set of corrections to the printed numbers of a game, as somebody reads them off the own box.

An edition holds what differs from the game's `components.toml`, by dotted names. It is stored, sent and written into files as it
is; a game is loaded with it by `game.game_with`, and its rules judge the numbers as they judge those of the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from perankh.engine.components import Changes
from perankh.errors import BadComponents

PACKAGE = "perankh_edition_"  # begins the names of the packages that games in an edition are loaded under
LONGEST_NAME = 40
LONGEST_ENTRY = 80  # characters of the dotted name of an entry
LONGEST_TEXT = 80  # characters of a word
LONGEST_LIST = 60
LARGEST = 99_999
MOST_CHANGES = 1000


@dataclass(frozen=True)
class Edition:
    """Corrections under a name."""

    name: str
    changes: Changes = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """As plain values."""
        return {"name": self.name, "changes": dict(self.changes)}

    def text(self) -> str:
        """As it is stored: the same text for the same edition."""
        return json.dumps(self.json(), sort_keys=True, ensure_ascii=False)

    @classmethod
    def of(cls, facts: Any) -> Edition:
        """An edition from plain values, which may come from anybody."""
        if not isinstance(facts, Mapping) or set(facts) != {"name", "changes"} or not isinstance(facts["changes"], Mapping):
            raise refused("an edition is a name and its changes", "版には名前と変更点が必要です。")
        name, changes = facts["name"], facts["changes"]
        if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            ja = f"版の名前は1文字以上{LONGEST_NAME}文字以内にしてください。"
            raise refused(f"the name of an edition has 1 to {LONGEST_NAME} characters that can be printed", ja)
        if len(changes) > MOST_CHANGES:
            raise refused(f"an edition changes at most {MOST_CHANGES} numbers", f"変更できる数値は{MOST_CHANGES}個までです。")
        for entry, value in changes.items():
            check(entry, value)
        return cls(name.strip(), dict(changes))


def check(entry: Any, value: Any) -> None:
    """Refuse a change that is not even of the right form."""
    if (
        not isinstance(entry, str)
        or not 1 <= len(entry) <= LONGEST_ENTRY
        or not entry.isprintable()
        or " " in entry
        or ":" in entry
    ):
        raise refused(f"{str(entry)[:LONGEST_ENTRY]!r} is not the name of a printed number", "数値の名前が正しくありません。")
    table, _, key = entry.rpartition(".")
    items = value if isinstance(value, list) else [value]
    if value is not None and (len(items) > LONGEST_LIST or len({type(item) for item in items}) > 1 or not all(map(fits, items))):
        sizes = f"a whole number up to {LARGEST}, a word of {LONGEST_TEXT} characters, or a list of {LONGEST_LIST}"
        ja = f"{key}は{LARGEST}までの整数、{LONGEST_TEXT}文字以内の語、または{LONGEST_LIST}個以内の並びにしてください。"
        raise refused(f"{key} must be at most {sizes}", ja, table, key)


def fits(item: Any) -> bool:
    """Is it a number or a word of sane size?"""
    if isinstance(item, str):
        return len(item) <= LONGEST_TEXT and (item == "" or item.isprintable())
    return isinstance(item, int) and not isinstance(item, bool) and abs(item) <= LARGEST


def refused(message: str, ja: str, table: str = "", key: str = "") -> BadComponents:
    """The error about an edition that cannot be one."""
    where = f"table [{table}]: " if table else ""
    return BadComponents(f"edition: {where}{message}", table, key, {"en": message, "ja": ja})
