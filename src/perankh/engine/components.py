"""Reads `components.toml`: every printed number of a game, each table with its source, validated when loaded."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from perankh.engine.rule import Table
from perankh.errors import BadComponents

SOURCES = ("rulebook", "published", "reconstructed", "box")


class Components:
    """The tables of one components file. Errors name the file, the table and the cause."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            text = path.read_text("utf-8")
            self.tables: dict[str, Any] = tomllib.loads(text)
        except FileNotFoundError:
            raise BadComponents(f"{path}: there is no such file") from None
        except UnicodeDecodeError:
            raise BadComponents(f"{path}: is not UTF-8 text") from None
        except tomllib.TOMLDecodeError as error:
            raise BadComponents(f"{path}: is not TOML: {error}") from None
        self.fingerprint = hashlib.sha256(repr(sorted_tree(self.tables)).encode()).hexdigest()[:16]
        self._check_sources(self.tables, "")

    def _check_sources(self, tables: dict[str, Any], prefix: str) -> None:
        """Every table with values names its source; tables inside it need not repeat it."""
        for name, table in tables.items():
            where = f"{prefix}{name}"
            if not isinstance(table, dict):
                raise BadComponents(f"{self.path}: {where}: must stand in a table with a source")
            if "source" in table or any(not isinstance(value, dict) for value in table.values()):
                if table.get("source") not in SOURCES:
                    self.fail(where, f"source must be one of {', '.join(SOURCES)}, not {table.get('source')!r}")
            else:
                self._check_sources(table, f"{where}.")

    def fail(self, table: str, message: str) -> None:
        """Refuse the file because of a fault in one table."""
        raise BadComponents(f"{self.path}: table [{table}]: {message}")

    def sources(self) -> dict[str, list[str]]:
        """For each table at the top of the file, the sources that it and the tables inside it name."""

        def named(table: dict[str, Any]) -> list[str]:
            own = [str(table["source"])] if "source" in table else []
            return own + [source for inside in table.values() if isinstance(inside, dict) for source in named(inside)]

        return {name: named(table) for name, table in self.tables.items()}

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
                raise BadComponents(f"{self.path}: table [{name}] is missing")
            found = found[part]
        if not isinstance(found, dict):
            raise BadComponents(f"{self.path}: {name} must be a table")
        return found

    def sets(self, name: str) -> tuple[str, ...]:
        """The names of the data sets under a table, such as alternative maps."""
        names = tuple(key for key, value in self.table(name).items() if isinstance(value, dict))
        if not names:
            self.fail(name, "holds no data set")
        return names

    def value(self, table: str, key: str) -> Any:
        """One entry of a table."""
        found = self.table(table)
        if key not in found:
            self.fail(table, f"{key} is missing")
        return found[key]

    def whole(self, table: str, key: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        return self._whole(table, key, self.value(table, key), low, high)

    def _whole(self, table: str, key: str, value: Any, low: int, high: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(table, f"{key} must be a whole number, not {value!r}")
        if not low <= value <= high:
            self.fail(table, f"{key}: {value} is not between {low} and {high}")
        return int(value)

    def wholes(self, table: str, key: str, length: int | None, low: int, high: int) -> Table:
        """A row of `length` whole numbers within bounds (None: any length)."""
        return Table(self._wholes(table, key, self.value(table, key), length, low, high))

    def _wholes(self, table: str, key: str, row: Any, length: int | None, low: int, high: int) -> list[int]:
        if not isinstance(row, list):
            self.fail(table, f"{key} must be a list of whole numbers")
        if length is not None and len(row) != length:
            self.fail(table, f"{key} has {len(row)} numbers, {length} are needed")
        return [self._whole(table, f"{key}[{i}]", value, low, high) for i, value in enumerate(row)]

    def grid(self, table: str, key: str, rows: int, columns: int, letters: str) -> Table:
        """A map drawn as strings with a letter for each cell; cells become indices into `letters`."""
        lines = self.value(table, key)
        if not isinstance(lines, list) or len(lines) != rows:
            self.fail(table, f"{key} must be {rows} strings, one a row")
        grid = []
        for number, line in enumerate(lines):
            cells = str(line).replace(" ", "")
            if len(cells) != columns:
                self.fail(table, f"{key}: row {number} has {len(cells)} cells, {columns} are needed")
            for cell in cells:
                if cell not in letters:
                    self.fail(table, f"{key}: row {number} holds {cell!r}, not one of {letters}")
            grid.append([letters.index(cell) for cell in cells])
        return Table.of(grid)

    def by_name(self, table: str, key: str, names: Sequence[str], low: int, high: int) -> Table:
        """A whole number for each name, from a sub-table, in the order of `names`."""
        entries = self.value(table, key)
        if not isinstance(entries, dict) or set(entries) != set(names):
            self.fail(table, f"{key} must give a number for each of {', '.join(names)} and nothing else")
        return Table(self._whole(table, f"{key}.{name}", entries[name], low, high) for name in names)


def sorted_tree(value: Any) -> Any:
    """The same content in a fixed order, without sources and notes, which change no rule."""
    if isinstance(value, dict):
        return [(key, sorted_tree(value[key])) for key in sorted(value) if key not in ("source", "note")]
    return [sorted_tree(item) for item in value] if isinstance(value, list) else value


def components(rules_file: str) -> Components:
    """The components file of a game, found from a module of its rules: in the same folder or in the one above."""
    here = Path(rules_file).with_name("components.toml")
    return Components(here if here.is_file() else here.parent.with_name("components.toml"))
