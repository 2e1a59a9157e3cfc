"""Texts by key and language, from a TOML file with one table per key."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from perankh.errors import BadGame

LANGUAGES = ("en", "ja")
TABLE_WORDS = ("score", "points_table")  # texts of the table for which a game may have its own, as `table.score` and so on
_seat_names: ContextVar[Mapping[str, str]] = ContextVar("seat_names", default=MappingProxyType({}))  # by key


class SeatsShown(NamedTuple):
    """How seats are shown."""

    names: tuple[str, ...] = ()
    colours: tuple[int, ...] = ()
    listed: bool = False  # are the players listed beside the drawing?


_seats: ContextVar[SeatsShown] = ContextVar("seats", default=SeatsShown())  # noqa: B039 - it cannot be changed


class Words:
    """The texts of a words file, or of all in a folder, in one or more languages, the same for every text. `say` fills blanks."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.texts: dict[str, dict[str, str]] = {}
        for file in sorted(path.glob("*.toml")) if path.is_dir() else [path]:
            try:
                tree = tomllib.loads(file.read_text("utf-8"))
            except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
                raise BadGame(f"{file}: cannot be read: {error}") from None
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
                if prefix + name in self.texts:
                    raise BadGame(f"{self.path}: [{prefix}{name}] stands in two files")
                self.texts[prefix + name] = value
            else:
                self._collect(value, f"{prefix}{name}.")

    def say(self, key: str, lang: str, **filled: Any) -> str:
        """The text of a key with its blanks filled; in the first language of the file if it lacks the one asked for."""
        if (name := _seat_names.get().get(key)) is not None:
            return name
        if key not in self.texts:
            raise BadGame(f"{self.path}: there is no text [{key}]")
        try:
            return self.texts[key][lang if lang in self.languages else self.languages[0]].format(**filled)
        except KeyError as blank:
            raise BadGame(f"{self.path}: [{key}] has the blank {{{blank.args[0]}}}, for which no value was given") from None

    def seat_name(self, p: int, lang: str) -> str:
        """What a seat is called: by its player, or by its colour."""
        return self.say(f"seat.{p}", lang)


@contextmanager
def seats_called(names: Sequence[str], colours: Sequence[int] = (), listed: bool = False) -> Iterator[None]:
    """Let texts call the seats by the names of their players instead of by `seat.0` and so on; empty: no name.

    `colours`: which of the game's colours each seat has in drawings; without them, each has its own.
    `listed`: see `players_listed`.
    """
    token = _seat_names.set({f"seat.{p}": name for p, name in enumerate(names) if name})
    seats = _seats.set(SeatsShown(tuple(names), tuple(colours), listed))
    try:
        yield
    finally:
        _seats.reset(seats)
        _seat_names.reset(token)


def seats_shown() -> SeatsShown:
    """What `seats_called` says of the seats."""
    return _seats.get()


def players_listed() -> bool:
    """Does the page around a drawing list the players with their points, and say whose turn it is and what to decide?

    A drawing then leaves these out. Pictures without a page around them are complete.
    """
    return _seats.get().listed


def blanks(text: str) -> set[str]:
    """The names of the blanks in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}
