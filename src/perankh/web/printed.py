"""The printed numbers of a game as pages show them: in sections, pieces and entries, each with its name and its source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from perankh.engine.components import ABOUT, Components, names_of_entries
from perankh.engine.game import Game
from perankh.engine.words import Words

NOTHING = "-"  # how an empty word of a list is typed


@dataclass(frozen=True)
class Entry:
    """A printed number, or a row of them, as the page asks for it."""

    name: str  # its dotted name
    label: str
    kind: str  # whole, wholes, word or words
    value: Any  # None: there is none
    known: list[str]  # words that other entries of the same name hold

    @property
    def text(self) -> str:
        """The value as a person types it."""
        if isinstance(self.value, list):
            return ("\n" if self.kind == "words" else ", ").join(str(item) if item != "" else NOTHING for item in self.value)
        return "" if self.value is None else str(self.value)

    @property
    def base(self) -> str:
        """The value for the browser."""
        return json.dumps(self.value, ensure_ascii=False)


@dataclass(frozen=True)
class Piece:
    """A card, a tile, a board: what has one source."""

    name: str
    title: str
    source: str
    marked: bool  # does it name its source itself?
    entries: list[Entry]
    group: str = ""  # the table it belongs to, if a box may hold more or fewer of its kind
    called: str = ""  # what it says, in a few words


@dataclass(frozen=True)
class Section:
    """A table at the top of the components file."""

    name: str
    title: str
    pieces: list[Piece]

    @property
    def reconstructed(self) -> int:
        """How many of its pieces are reconstructed."""
        return sum(piece.source == "reconstructed" for piece in self.pieces)


def sections(game: Game, lang: str) -> list[Section]:
    """All that can be corrected, with its names."""
    assert game.components
    components, words = game.components, game.words
    called = piece_names(game, lang)

    def named(name: str) -> str:
        return words.say(f"printed.{name}", lang) if f"printed.{name}" in words.texts else name

    def entry(path: str, key: str, kind: str, value: Any, label: str = "") -> Entry:
        return Entry(f"{path}.{key}", label + named(key), kind, value, known.get(key, []) if kind == "word" else [])

    def entries(table: dict[str, Any], path: str, others: list[dict[str, Any]], label: str = "") -> Iterator[Entry]:
        for key, value in table.items():
            if isinstance(value, dict):
                yield from entries(value, f"{path}.{key}", [], f"{named(key)} ")
            elif key not in ABOUT:
                yield entry(path, key, kind_of(value), value, label)
        alike = [other for other in others if other.keys() & table.keys() - set(ABOUT)]
        there = {key: value for other in alike for key, value in other.items()}
        asked = {name.rpartition(".")[2] for name in components.read if name.rpartition(".")[0] == path}
        for key in sorted((there.keys() | asked) - table.keys() - set(ABOUT)):
            yield entry(path, key, kind_of(there.get(key, [0])), None, label)  # what only the rules know of is a row of numbers

    def pieces(table: dict[str, Any], path: str, title: list[str], source: str, others: list[dict[str, Any]]) -> Iterator[Piece]:
        source = dict.get(table, "source", source)
        if source and not any(isinstance(value, dict) and dict.get(value, "source") for value in table.values()):
            inside = [value for value in table.values() if isinstance(value, dict)]
            if inside and len(inside) == len([key for key in table if key not in ABOUT]):
                for key, value in table.items():
                    if isinstance(value, dict):
                        found = list(entries(value, f"{path}.{key}", inside))
                        yield Piece(f"{path}.{key}", " · ".join([*title, named(key)]), source, False, found)
            else:
                group = path.rpartition(".")[0]
                group = group if group in components.varied else ""
                marked = dict.__contains__(table, "source")
                found = list(entries(table, path, others))
                yield Piece(path, " · ".join(title), source, marked, found, group, called.get(path, ""))
            return
        siblings = [value for value in table.values() if isinstance(value, dict)]
        for key, value in table.items():
            if isinstance(value, dict):
                yield from pieces(value, f"{path}.{key}", [*title, named(key)], source, siblings)

    known = words_known(components.tables)
    found = []
    for name, table in components.tables.items():
        key = f"component.{name}"
        title = words.say(key, lang) if key in words.texts else name.replace("_", " ")
        found.append(Section(name, title, list(pieces(table, name, [], "", []))))
    return found


def piece_names(game: Game, lang: str) -> dict[str, str]:
    """What the pieces of a game say in a few words, by their dotted names, if the game tells it."""
    found: dict[str, str] = game.text.piece_names(lang) if hasattr(game.text, "piece_names") else {}
    return found


def word_meanings(components: Components, words: Words, lang: str) -> dict[str, dict[str, str]]:
    """The words that entries hold, by the last part of their names, with what they mean: the text `ENTRY.WORD` of the game."""
    texts = {key: of[lang] for key, of in words.texts.items() if lang in of and "{" not in of[lang]}
    known = words_known(components.tables)
    return {key: {word: texts.get(f"{key}.{word}", "") for word in found} for key, found in known.items()}


def words_known(tables: dict[str, Any]) -> dict[str, list[str]]:
    """The words that entries hold, by the last part of their names."""
    found: dict[str, set[str]] = {}
    for name in names_of_entries(tables):
        value: Any = tables
        for part in name.split("."):
            value = value[part]
        if isinstance(value, str):
            found.setdefault(name.rpartition(".")[2], set()).add(value)
    return {key: sorted(values) for key, values in found.items()}


def kind_of(value: Any) -> str:
    """How a value is typed."""
    if isinstance(value, list):
        return "words" if value and isinstance(value[0], str) else "wholes"
    return "word" if isinstance(value, str) else "whole"


@lru_cache(maxsize=32)
def corrections(base: Game, game: Game, lang: str) -> list[tuple[str, str, str]]:
    """What an edition has otherwise than its game: the name of each entry, its value and the game's own."""
    if not base.components or not game.components or not game.edition:
        return []
    found = []
    own: dict[str, str] = {}
    for section in sections(base, lang):
        for piece in section.pieces:
            own |= {entry.name: entry.text for entry in piece.entries}
            if piece.name in game.edition.changes:  # it was taken out
                printed = "; ".join(f"{entry.label} {entry.text}" for entry in piece.entries if entry.text)
                found.append((" · ".join(filter(None, (section.title, piece.title, piece.called))), NOTHING, printed))
    for section in sections(game, lang):
        for piece in section.pieces:
            for entry in piece.entries:
                if entry.name in game.edition.changes:
                    named = " · ".join(filter(None, (section.title, piece.title, piece.called, entry.label)))
                    found.append((named, entry.text or NOTHING, own.get(entry.name) or NOTHING))
    return found
