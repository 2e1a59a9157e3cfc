"""Where data are kept: a folder with an SQLite file, or a PostgreSQL database; who may read the files, and the lock.

One server at a time uses the data. Beside an SQLite file lies its lock file, which the operating system releases whenever the
process ends, however it ends. In PostgreSQL an advisory lock does the same.
"""

from __future__ import annotations

import fcntl
import logging
import os
import stat
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine

from perankh.errors import PerankhError

BUSY = 2.0  # seconds to wait for a database that another process has locked
ADVISORY_LOCK = 0x506572416E6B68  # a number of our own among the locks of a PostgreSQL database
logger = logging.getLogger(__name__)


class InUse(PerankhError):
    """Another process holds the lock of the data."""


def address_of(data: str | Path) -> sa.URL:
    """The address of the database: of the SQLite file in a folder, or the given one."""
    if "://" not in str(data):
        return sa.URL.create("sqlite", database=str(Path(data) / "perankh.db"))
    try:
        address = sa.make_url(str(data))
    except (sa.exc.ArgumentError, ValueError):
        raise PerankhError("the address of the data is not one like postgresql://user@host/name") from None
    kind = address.drivername.partition("+")[0]
    if kind in ("postgresql", "postgres"):
        return address.set(drivername="postgresql+psycopg")
    if kind != "sqlite":
        raise PerankhError(f"{shown(address)}: data are kept in a folder, or in a database of PostgreSQL or SQLite")
    if address.database in (None, "", ":memory:"):
        raise PerankhError(f"{shown(address)}: an SQLite database needs a file")
    return sa.URL.create("sqlite", database=address.database)


def shown(address: sa.URL) -> str:
    """An address for messages: the file, or the address without its password."""
    if address.drivername == "sqlite":
        return str(address.database)
    return address.set(drivername=address.drivername.partition("+")[0]).render_as_string(hide_password=True)


def file_of(address: sa.URL) -> Path | None:
    """The file of an SQLite database."""
    return Path(str(address.database)) if address.drivername == "sqlite" else None


def open_engine(address: sa.URL) -> Engine:
    """The engine of a database. Nothing is connected yet."""
    try:
        engine = sa.create_engine(address, pool_pre_ping=address.drivername != "sqlite")
    except ModuleNotFoundError:
        raise PerankhError("PostgreSQL needs its driver: pip install 'perankh[postgresql]'") from None
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", prepare_sqlite)
        sa.event.listen(engine, "begin", begin_sqlite)
    return engine


def prepare_sqlite(connection: Any, _record: Any) -> None:
    """Readers beside the writer, commits that survive a power cut, and transactions begun by us."""
    connection.isolation_level = None
    for pragma in (f"busy_timeout={int(1000 * BUSY)}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def begin_sqlite(connection: Connection) -> None:
    """A writer takes the lock at once."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


def cause_of(error: BaseException) -> str:
    """What the database says about an error, on one line, without the statement and its values."""
    said = str(getattr(error, "orig", None) or error)
    return " ".join(said.partition("[SQL:")[0].split()) or type(error).__name__


# --- Files ---------------------------------------------------------------------------------------------------------------------


def files_of(database: Path) -> list[Path]:
    """An SQLite file and those that SQLite keeps beside it."""
    return [database, *(database.with_name(database.name + end) for end in ("-wal", "-shm", "-journal"))]


def make_private(database: Path) -> None:
    """Make the folder and the file of a database if there are none; nobody else may read the files, whatever the umask is."""
    folder = database.parent
    try:
        if not folder.exists():
            folder.mkdir(parents=True)
            folder.chmod(0o700)
        elif not folder.is_dir():
            raise PerankhError(f"{folder}: cannot be used for data: it is not a folder")
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except (OSError, ValueError) as error:
        raise PerankhError(f"{folder}: cannot be used for data: {getattr(error, 'strerror', error)}") from None
    for path in files_of(database):
        tighten(path)


def tighten(path: Path) -> None:
    """Take from others the right to read or write a file."""
    try:
        if stat.S_IMODE(path.stat().st_mode) != 0o600:
            path.chmod(0o600)
    except FileNotFoundError:
        pass
    except OSError as error:
        logger.warning("%s: other users may be able to read it: %s", path, error.strerror)


# --- The lock ------------------------------------------------------------------------------------------------------------------


class FileLock:
    """The lock beside an SQLite file. It holds the number of the process that has it, for messages only."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_suffix(".lock")
        try:
            self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise PerankhError(f"{self.path}: cannot be used as a lock: {error.strerror}") from None
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(self.file, 20).decode("ascii", "replace").strip()
            os.close(self.file)
            process = f"process {holder}" if holder.isdecimal() else "another process"
            raise InUse(f"{self.path}: {process} uses these data; stop it first, or choose others with --data") from None
        tighten(self.path)
        os.ftruncate(self.file, 0)
        os.pwrite(self.file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let others have the data. The file stays: removing it could give two processes a lock each."""
        os.close(self.file)


class AdvisoryLock:
    """The lock of a PostgreSQL database, held by a connection of its own."""

    def __init__(self, engine: Engine) -> None:
        self.connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not self.connection.scalar(sa.select(sa.func.pg_try_advisory_lock(ADVISORY_LOCK))):
            self.connection.close()
            raise InUse(f"{shown(engine.url)}: another server uses these data; stop it first, or choose others with --data")

    def release(self) -> None:
        """Let others have the data."""
        self.connection.invalidate()  # the lock ends with the connection
        self.connection.close()


def lock_data(engine: Engine) -> FileLock | AdvisoryLock:
    """Take the lock of a database."""
    database = file_of(engine.url)
    return FileLock(database) if database else AdvisoryLock(engine)
