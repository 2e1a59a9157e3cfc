"""Texts by key and language, from a TOML file with one table per key."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any

from perankh.errors import BadGame

LANGUAGES = ("en", "ja")
_seat_names: ContextVar[Mapping[str, str]] = ContextVar("seat_names", default=MappingProxyType({}))  # by key


class Words:
    """The texts of one words file, in one or more languages; every text has the same languages. `say` fills the blanks."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            tree = tomllib.loads(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BadGame(f"{path}: cannot be read: {error}") from None
        self.texts: dict[str, dict[str, str]] = {}
        self._collect(tree, "")
        used = {lang for texts in self.texts.values() for lang in texts}
        self.languages = tuple(lang for lang in LANGUAGES if lang in used)
        for key, texts in self.texts.items():
            if not texts or set(texts) != set(self.languages):
                raise BadGame(f"{path}: [{key}] must have exactly the languages {', '.join(self.languages or LANGUAGES)}")
            if len({frozenset(blanks(text)) for text in texts.values()}) > 1:
                raise BadGame(f"{path}: [{key}] does not have the same blanks in every language")

    def _collect(self, tree: dict[str, Any], prefix: str) -> None:
        for name, value in tree.items():
            if not isinstance(value, dict):
                raise BadGame(f"{self.path}: {prefix}{name} must be a table with {', '.join(LANGUAGES)}")
            if all(isinstance(text, str) for text in value.values()):
                self.texts[prefix + name] = value
            else:
                self._collect(value, f"{prefix}{name}.")

    def say(self, key: str, lang: str, **filled: Any) -> str:
        """The text of a key with its blanks filled; in the first language of the file if it lacks the one asked for."""
        if (name := _seat_names.get().get(key)) is not None:
            return name
        if key not in self.texts:
            raise BadGame(f"{self.path}: there is no text [{key}]")
        return self.texts[key][lang if lang in self.languages else self.languages[0]].format(**filled)


@contextmanager
def seats_called(names: Sequence[str]) -> Iterator[None]:
    """Let texts call the seats by the names of their players instead of by `seat.0` and so on; empty: no name."""
    token = _seat_names.set({f"seat.{p}": name for p, name in enumerate(names) if name})
    try:
        yield
    finally:
        _seat_names.reset(token)


def blanks(text: str) -> set[str]:
    """The names of the blanks in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}
