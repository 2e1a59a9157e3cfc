"""Backup and restore, while a server runs or not.

A backup is one SQLite file, whatever database the rows come from, so that it also moves data from SQLite to PostgreSQL and back.
A server that runs on SQLite restores by itself: `perankh restore` lays the checked file beside its database, the server takes it,
replaces all rows in one transaction, drops its tables from memory, and answers with another file.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine

from perankh.errors import PerankhError
from perankh.web import storage
from perankh.web.data import (
    NOT_INHERITED,
    InUse,
    address_of,
    cause_of,
    file_of,
    files_of,
    lock_data,
    make_private,
    open_engine,
    open_existing,
    settle,
    shown,
    tighten,
)

if TYPE_CHECKING:
    from perankh.web.devices import Devices
    from perankh.web.tables import Tables

ROWS = 1000  # copied at a time
LOOK_EVERY = 0.5  # seconds between two looks of a server for a file to restore
TAKEN_WITHIN = 20.0  # seconds for a running server to take the file
DONE_WITHIN = 600.0  # and to restore it
logger = logging.getLogger(__name__)
Counts = dict[str, int]


# --- Rows ------------------------------------------------------------------------------------------------------------------


def open_file(path: Path) -> Engine:
    """The engine of a backup file. Faults in the data are copied as they are: nothing is enforced."""
    return sa.create_engine(sa.URL.create("sqlite", database=str(path)), poolclass=sa.NullPool)


def copy_rows(source: Connection, target: Connection, metadata: sa.MetaData) -> Counts:
    """Copy all rows of all tables; returns how many there are of each."""
    counts = {}
    for table in metadata.sorted_tables:
        counts[table.name] = 0
        result = source.execute(sa.select(table).execution_options(yield_per=ROWS))
        for rows in result.mappings().partitions(ROWS):
            target.execute(table.insert(), [dict(row) for row in rows])
            counts[table.name] += len(rows)
    return counts


def export(connection: Connection, path: Path) -> Counts:
    """Write all rows that a connection sees as a new backup file: whole, checked and for our eyes only, or not at all."""
    if path.exists():
        raise PerankhError(f"{path}: there is such a file already; choose another name")
    found = sa.MetaData()
    found.reflect(connection, only=lambda name, _: name in storage.metadata.tables)
    if "schema" not in found.tables:
        raise PerankhError("there are no data to be kept")
    for table in found.tables.values():
        for column in table.columns:
            # PostgreSQL writes types and defaults in its own way; the rows are complete without defaults.
            column.type, column.server_default = column.type.as_generic(), None
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | NOT_INHERITED, 0o600))
        tighten(temporary)
        with open_file(temporary).begin() as target:
            found.create_all(target)
            counts = copy_rows(connection, target, found)
        if checked(temporary) != counts:
            raise PerankhError(f"{path}: does not hold what was written")
        with temporary.open("rb+") as file:  # Windows flushes only what may be written
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise PerankhError(f"{path}: cannot be written: {error.strerror}") from None
    except sa.exc.SQLAlchemyError as error:
        raise PerankhError(f"{path}: cannot be written: {cause_of(error)}") from None
    finally:
        temporary.unlink(missing_ok=True)
    return counts


def checked(path: Path) -> Counts:
    """How many rows a backup file holds; PerankhError if it is damaged or none of ours."""
    try:
        with path.open("rb"):
            pass
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    except OSError as error:
        raise PerankhError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not {"schema", "tables", "seats", "moves"} <= names:
            raise PerankhError(f"{path}: is no backup of Per-Ankh")
        if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise PerankhError(f"{path}: is damaged")
        versions = database.execute("SELECT version FROM schema").fetchall()
        if len(versions) != 1 or not isinstance(versions[0][0], int):
            raise PerankhError(f"{path}: is no backup of Per-Ankh")
        if versions[0][0] > storage.VERSION:
            raise PerankhError(f"{path}: is of version {versions[0][0]}; this Per-Ankh knows up to {storage.VERSION}")
        ours = sorted(names & set(storage.metadata.tables))
        return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ours}
    except sqlite3.Error as error:
        raise PerankhError(f"{path}: is no backup of Per-Ankh, or is damaged: {error}") from None
    finally:
        database.close()


def kept_name(beside: Path) -> Path:
    """A new file for data that are replaced, in the folder of another."""
    return beside.with_name(f"perankh-replaced-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}.db")


def replace_rows(connection: Connection, prepared: Path, kept: Path) -> Counts:
    """Put the rows of a backup of this version in place of all others, which are kept as a backup themselves."""
    kept.unlink(missing_ok=True)  # of a transaction that failed
    export(connection, kept)
    for table in reversed(storage.metadata.sorted_tables):
        connection.execute(table.delete())
    with open_file(prepared).connect() as source:
        return copy_rows(source, connection, storage.metadata)


# --- The commands ----------------------------------------------------------------------------------------------------------


def backup(data: str | Path, path: Path) -> Counts:
    """Write all data into one file, as they are at one moment; a server may go on writing meanwhile."""
    engine = open_existing(data)
    try:
        with engine.connect() as connection:
            if engine.dialect.name != "sqlite":
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            return export(connection, path)
    except sa.exc.SQLAlchemyError as error:
        raise PerankhError(f"{shown(engine.url)}: cannot be read: {cause_of(error)}") from None
    finally:
        engine.dispose()


def restore(data: str | Path, path: Path, force: bool) -> tuple[Counts, Path | None]:
    """Put a backup in place of all data; returns what it held, and where the data that were there are kept."""
    address = address_of(data)
    database = file_of(address)
    checked(path)
    if database is None:
        with prepared_copy(path, None) as prepared:
            return restore_database(open_engine(address), prepared, kept_name(path), force)
    is_new = not database.exists()
    make_private(database)
    try:
        with prepared_copy(path, database.parent) as prepared:
            if not is_new and not force and has_data(database):
                raise PerankhError(f"{database}: there are tables already; --force replaces them and keeps a copy")
            kept = kept_name(database)
            try:
                lock = lock_data(open_engine(address))
            except InUse:
                return ask_server(database, prepared)
            try:
                counts = checked(prepared)
                if is_new:
                    os.replace(prepared, database)
                    return counts, None
                settle(database)
                for old, new in zip(files_of(database), files_of(kept), strict=True):
                    if old.exists():
                        os.replace(old, new)
                os.replace(prepared, database)
                return counts, kept
            finally:
                lock.release()
    except OSError as error:
        raise PerankhError(f"{database.parent}: cannot be written: {error.strerror}") from None


@contextmanager
def prepared_copy(path: Path, folder: Path | None) -> Iterator[Path]:
    """A copy of a backup, brought to this version."""
    with tempfile.TemporaryDirectory(prefix=".perankh-restore-", dir=folder) as place:
        copy = Path(place) / "prepared.db"
        try:
            shutil.copyfile(path, copy)
            tighten(copy)
            with open_file(copy).begin() as connection:
                storage.migrate(connection)
        except OSError as error:
            raise PerankhError(f"{path}: cannot be copied: {error.strerror}") from None
        except sa.exc.SQLAlchemyError as error:
            raise PerankhError(f"{path}: cannot be brought to this version: {cause_of(error)}") from None
        yield copy


def has_data(database: Path) -> bool:
    """Are there tables in an SQLite file, or is it one that cannot be read?"""
    engine = open_engine(sa.URL.create("sqlite", database=str(database)))
    try:
        with engine.connect() as connection:
            if not sa.inspect(connection).has_table("tables"):
                return bool(sa.inspect(connection).get_table_names())
            return bool(connection.scalar(sa.select(sa.func.count()).select_from(storage.tables)))
    except sa.exc.SQLAlchemyError:
        return True
    finally:
        engine.dispose()


def restore_database(engine: Engine, prepared: Path, kept: Path, force: bool) -> tuple[Counts, Path]:
    """Put a backup in place of the rows of a PostgreSQL database that no server uses."""
    try:
        lock = lock_data(engine)
        try:
            with engine.begin() as connection:
                storage.migrate(connection)
                if not force and connection.scalar(sa.select(sa.func.count()).select_from(storage.tables)):
                    raise PerankhError(f"{shown(engine.url)}: there are tables already; --force replaces them and keeps a copy")
                return replace_rows(connection, prepared, kept), kept
        finally:
            lock.release()
    except sa.exc.SQLAlchemyError as error:
        raise PerankhError(f"{shown(engine.url)}: cannot be restored: {cause_of(error)}") from None
    finally:
        engine.dispose()


# --- Restoring while a server runs -----------------------------------------------------------------------------------------


class Exchange:
    """The files by which `perankh restore` and a running server understand each other, beside the database."""

    def __init__(self, database: Path) -> None:
        self.wanted = database.with_suffix(".restore")  # the backup that the server shall restore
        self.taken = database.with_suffix(".restoring")  # the same while it does
        self.answer = database.with_suffix(".restored")  # JSON: what it did

    def clear(self) -> None:
        """Forget what was left over."""
        for path in (self.wanted, self.taken, self.answer):
            path.unlink(missing_ok=True)


def ask_server(database: Path, prepared: Path) -> tuple[Counts, Path]:
    """Have the running server restore a prepared backup."""
    exchange = Exchange(database)
    exchange.answer.unlink(missing_ok=True)
    try:
        os.link(prepared, exchange.wanted)
    except FileExistsError:
        raise PerankhError(f"{exchange.wanted}: another restore is under way") from None
    except OSError as error:  # a file system without links
        raise PerankhError(f"{exchange.wanted}: {error.strerror}; stop the server, and restore again") from None
    began = time.monotonic()
    while not exchange.answer.exists():
        waited = time.monotonic() - began
        is_waiting = exchange.wanted.exists()
        if (is_waiting and waited > TAKEN_WITHIN) or waited > DONE_WITHIN:
            exchange.wanted.unlink(missing_ok=True)
            raise PerankhError("the running server does not answer; stop it, and restore again")
        if not is_waiting and not exchange.taken.exists() and not exchange.answer.exists():
            raise PerankhError("the running server did not restore it; try again")
        time.sleep(0.1)
    answer = json.loads(exchange.answer.read_text("utf-8"))
    exchange.answer.unlink()
    if "error" in answer:
        raise PerankhError(f"the running server could not restore: {answer['error']}")
    return answer["counts"], Path(answer["kept"])


async def watch(kept_in: storage.Storage, tables: Tables, devices: Devices) -> None:
    """For the running server: restore whatever `perankh restore` lays beside the database. Everybody connects anew then."""
    database = file_of(kept_in.engine.url)
    if database is None:
        return
    exchange = Exchange(database)
    exchange.clear()
    while True:
        await asyncio.sleep(LOOK_EVERY)
        if not exchange.wanted.exists():
            continue
        answer: dict[str, Any]
        try:
            os.replace(exchange.wanted, exchange.taken)
            kept = kept_name(database)
            checked(exchange.taken)
            counts = await kept_in.replace(partial(replace_rows, prepared=exchange.taken, kept=kept))
            answer = {"counts": counts, "kept": str(kept)}
            logger.warning("a backup of %d tables was restored; the data before it are in %s", counts["tables"], kept)
        except (PerankhError, OSError) as error:
            answer = {"error": str(error)}
            logger.error("a backup could not be restored: %s", error)
        await devices.load()
        tables.drop_all()
        temporary = exchange.answer.with_suffix(".answer")
        temporary.write_text(json.dumps(answer), "utf-8")
        os.replace(temporary, exchange.answer)
        exchange.taken.unlink(missing_ok=True)
