"""Reads `components.toml`: every printed number of a game, each table with its source, validated when loaded.

An owner of the box can correct numbers: `changes` give other values to entries, by dotted names (see `engine/editions.py`).
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NoReturn

from perankh.engine.rule import Constants
from perankh.errors import BadComponents

SOURCES = ("rulebook", "published", "reconstructed", "box")
ABOUT = ("source", "note")  # what is said about a table, and changes no rule
Value = int | str | list[int] | list[str] | None  # of an entry; None: there is no such entry
Changes = Mapping[str, Value]  # by dotted name, such as "sphinx.S02.vp"
_changes: ContextVar[Changes] = ContextVar("changes", default={})  # noqa: B039  (never changed in place)


class Entries(dict[str, Any]):
    """A table that notes which of its entries are read, and which are asked for in vain."""

    def __init__(self, name: str, read: set[str], content: Mapping[str, Any]) -> None:
        inside = {
            key: Entries(f"{name}{key}.", read, value) if isinstance(value, dict) else value for key, value in content.items()
        }
        super().__init__(inside)
        self.name = name
        self.read = read

    def __getitem__(self, key: str) -> Any:
        self.read.add(f"{self.name}{key}")
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.read.add(f"{self.name}{key}")
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.read.add(f"{self.name}{key}")
        return super().__contains__(key)


class Components:
    """The tables of one components file. Errors name the file, the table and the cause."""

    def __init__(self, path: Path, changes: Changes | None = None) -> None:
        self.path = path
        try:
            printed = tomllib.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            raise BadComponents(f"{path}: there is no such file") from None
        except UnicodeDecodeError:
            raise BadComponents(f"{path}: is not UTF-8 text") from None
        except tomllib.TOMLDecodeError as error:
            raise BadComponents(f"{path}: is not TOML: {error}") from None
        self.changes = dict(changes or {})
        self.altered: dict[str, str] = {}  # pieces that were added or taken out: name and the table they belong to
        for name, value in self.changes.items():
            self._change(printed, name, value)
        self.read: set[str] = set()  # the dotted names of all entries that were asked for
        self.varied: set[str] = set()  # the tables with any number of pieces
        self.tables = Entries("", self.read, printed)
        self.fingerprint = hashlib.sha256(repr(sorted_tree(self.tables)).encode()).hexdigest()[:16]
        self._check_sources(self.tables, "")

    def _change(self, tables: dict[str, Any], name: str, value: Value) -> None:
        """Give an entry another value. The innermost table around it that names a source is now known from a box."""
        *around, key = name.split(".")
        table, known = tables, tables
        for part in around:
            if part not in table and table is not tables and is_piece(part, table):
                table[part] = {"source": "box"}
                self.altered[".".join(around)] = ".".join(around[:-1])
            table = table.get(part)  # type: ignore[assignment]
            if not isinstance(table, dict):
                self.fail(".".join(around), f"there is no such table for {key}", f"{key}の表がありません。", key)
            known = table if "source" in table else known
        old = table.get(key)
        if value is None and isinstance(old, dict) and is_piece(key, table):
            del table[key]
            self.altered[name] = ".".join(around)
            return
        if key == "note" or (key == "source" and value != "box"):
            self.fail(".".join(around), f"{key} cannot be changed so", f"{key}はこのようには変更できません。", key)
        if isinstance(old, dict):
            self.fail(".".join(around), f"{key} is a table", f"{key}は表です。", key)
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value
        if known is not tables:
            known["source"] = "box"

    def _check_sources(self, tables: dict[str, Any], prefix: str) -> None:
        """Every table with values names its source; tables inside it need not repeat it."""
        for name, table in tables.items():
            where = f"{prefix}{name}"
            if not isinstance(table, dict):
                where, _, key = where.rpartition(".")
                ja = "出典のある表の中に置いてください。"
                self.fail(where, f"{key}: must stand in a table with a source", ja, key)
            if "source" in table or any(not isinstance(value, dict) for value in table.values()):
                if table.get("source") not in SOURCES:
                    self.fail(where, f"source must be one of {', '.join(SOURCES)}, not {table.get('source')!r}")
            else:
                self._check_sources(table, f"{where}.")

    def fail(self, table: str, message: str, ja: str = "", key: str = "", shown: str = "") -> NoReturn:
        """Refuse the file because of a fault in one table; at its entry `key` the fault is `shown` as this, in Japanese `ja`."""
        reason = {"en": shown or message, "ja": ja or message}
        raise BadComponents(f"{self.path}: table [{table}]: {message}", table, key, reason)

    def check_all_read(self) -> None:
        """Refuse a number that no rule has read, and a piece too many or too few where the rules fix their number."""
        for name, table in self.altered.items():
            if table not in self.varied:
                shown, ja = "The number of these pieces cannot be changed.", "枚数や個数は変えられません。"
                self.fail(table, f"{name}: the number of these pieces cannot be changed", ja, "", shown)
        for name in names_of_entries(self.tables):
            table, _, key = name.rpartition(".")
            if name not in self.read:
                shown = "This has no meaning here and would be ignored: leave it empty."
                ja = "ここでは使われない値です。空欄にしてください。"
                self.fail(table, f"{key} has no meaning here and would be ignored", ja, key, shown)

    def keep(self, table: str, message: str, ja: str) -> None:
        """Refuse an edition that changes a table which other files of the game depend on."""
        for name in self.changes:
            if name.startswith(f"{table}.") and not name.endswith(".source"):
                self.fail(table, message, ja, name.rpartition(".")[2])

    def sources(self) -> dict[str, list[str]]:
        """For each table at the top of the file, the sources that it and the tables inside it name."""
        return {name: sources_in(table) for name, table in self.tables.items()}

    def reconstructed(self) -> dict[str, tuple[int, int]]:
        """The tables in which something is reconstructed: how many of the entries with a source are, and how many there are."""
        return {
            name: (sources.count("reconstructed"), len(sources))
            for name, sources in self.sources().items()
            if "reconstructed" in sources
        }

    def table(self, name: str) -> dict[str, Any]:
        """A table by its dotted name."""
        found: Any = self.tables
        for part in name.split("."):
            if not isinstance(found, dict) or part not in found:
                self.fail(name, "is missing", "この表が必要です。", shown="This table is needed.")
            found = found[part]
        if not isinstance(found, dict):
            self.fail(name, "must be a table", "ここには表が必要です。")
        return found

    def sets(self, name: str) -> tuple[str, ...]:
        """The names of the data sets under a table, such as alternative maps."""
        names = tuple(key for key, value in self.table(name).items() if isinstance(value, dict))
        if not names:
            self.fail(name, "holds no data set")
        return names

    def pieces(self, name: str) -> tuple[str, ...]:
        """The names of the pieces under a table, such as the cards of a deck: a box may hold more or fewer of them."""
        self.varied.add(name)
        return self.sets(name)

    def value(self, table: str, key: str) -> Any:
        """One entry of a table."""
        found = self.table(table)
        if key not in found:
            self.fail(table, f"{key} is missing", "値が必要です。", key, "A value is needed.")
        return found[key]

    def whole(self, table: str, key: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        return self._whole(table, key, self.value(table, key), low, high)

    def _whole(self, table: str, key: str, value: Any, low: int, high: int, part: str = "") -> int:
        """A number of an entry, or one of its `part`s."""
        name = f"{key}{part}"
        if not isinstance(value, int) or isinstance(value, bool):
            shown = f"{value!r} is not a whole number."
            self.fail(table, f"{name} must be a whole number, not {value!r}", "整数で入力してください。", key, shown)
        if low == high != value:
            shown = f"{value} cannot be played: the rules are made for {low}."
            ja = f"{value}では遊べません。ルールは{low}を前提としています。"
            self.fail(table, f"{name}: {value} cannot be played; the rules are made for {low}", ja, key, shown)
        if not low <= value <= high:
            shown, ja = (
                f"{value} is not between {low} and {high}.",
                f"{value}は使えません。{low}から{high}までの数にしてください。",
            )
            self.fail(table, f"{name}: {value} is not between {low} and {high}", ja, key, shown)
        return int(value)

    def wholes(self, table: str, key: str, length: int | None, low: int, high: int) -> Constants:
        """A row of `length` whole numbers within bounds (None: any length)."""
        return Constants(self._wholes(table, key, self.value(table, key), length, low, high))

    def _wholes(self, table: str, key: str, row: Any, length: int | None, low: int, high: int) -> list[int]:
        if not isinstance(row, list):
            shown = "These must be whole numbers."
            self.fail(table, f"{key} must be a list of whole numbers", "整数を並べて入力してください。", key, shown)
        if length is not None and len(row) != length:
            shown, ja = f"{length} numbers are needed, not {len(row)}.", f"数値は{len(row)}個ではなく{length}個必要です。"
            self.fail(table, f"{key} has {len(row)} numbers, {length} are needed", ja, key, shown)
        return [self._whole(table, key, value, low, high, f"[{i}]") for i, value in enumerate(row)]

    def grid(self, table: str, key: str, rows: int, columns: int, letters: str) -> Constants:
        """A map drawn as strings with a letter for each cell; cells become indices into `letters`."""
        lines = self.value(table, key)
        if not isinstance(lines, list) or len(lines) != rows:
            shown = f"{rows} rows are needed."
            self.fail(table, f"{key} must be {rows} strings, one a row", f"{rows}行必要です。", key, shown)
        grid = []
        for number, line in enumerate(lines):
            cells = str(line).replace(" ", "")
            if len(cells) != columns:
                ja = f"{number + 1}行目のマスは{len(cells)}個ですが、{columns}個必要です。"
                self.fail(table, f"{key}: row {number} has {len(cells)} cells, {columns} are needed", ja, key)
            for cell in cells:
                if cell not in letters:
                    ja = f"{number + 1}行目の「{cell}」は使えません。使えるのは{letters}です。"
                    self.fail(table, f"{key}: row {number} holds {cell!r}, not one of {letters}", ja, key)
            grid.append([letters.index(cell) for cell in cells])
        return Constants.of(grid)

    def by_name(self, table: str, key: str, names: Sequence[str], low: int, high: int) -> Constants:
        """A whole number for each name, from a sub-table, in the order of `names`."""
        entries = self.value(table, key)
        if not isinstance(entries, dict) or set(entries) != set(names):
            listed = ", ".join(names)
            ja = f"{listed}の数値がそれぞれ1つずつ必要です。"
            self.fail(table, f"{key} must give a number for each of {listed} and nothing else", ja, key)
        return Constants(self._whole(table, key, entries[name], low, high, f".{name}") for name in names)


def is_piece(name: str, table: Mapping[str, Any]) -> bool:
    """Is this, but for a number at its end, the name of a piece of the table: a table like the others in it?"""
    kind = re.fullmatch(r"(.*?)\d{1,3}", name)
    others = [key for key, value in table.items() if isinstance(value, dict)]
    return kind is not None and any(re.fullmatch(re.escape(kind[1]) + r"\d+", other) for other in others)


def sorted_tree(value: Any) -> Any:
    """The same content in a fixed order, without sources and notes, which change no rule."""
    if isinstance(value, dict):
        return [(key, sorted_tree(item)) for key, item in sorted(value.items()) if key not in ABOUT]
    return [sorted_tree(item) for item in value] if isinstance(value, list) else value


def sources_in(table: Mapping[str, Any]) -> list[str]:
    """The sources that a table and the tables inside it name."""
    own = [str(table["source"])] if "source" in table else []
    return own + [source for inside in table.values() if isinstance(inside, dict) for source in sources_in(inside)]


def names_of_entries(tables: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The dotted names of all entries, without sources and notes."""
    for key, value in tables.items():
        if isinstance(value, dict):
            yield from names_of_entries(value, f"{prefix}{key}.")
        elif key not in ABOUT:
            yield f"{prefix}{key}"


@contextmanager
def changed_by(changes: Changes) -> Iterator[None]:
    """While rules are loaded: what the components files that they read have otherwise."""
    token = _changes.set(changes)
    try:
        yield
    finally:
        _changes.reset(token)


def components(rules_file: str) -> Components:
    """The components file of a game, found from a module of its rules: in the same folder or in the one above."""
    here = Path(rules_file).with_name("components.toml")
    return Components(here if here.is_file() else here.parent.with_name("components.toml"), _changes.get())
