"""Where data are kept: a folder with an SQLite file, or a PostgreSQL database; who may read the files, and the lock.

One server at a time uses an SQLite file. Beside it lies its lock file, which the operating system releases whenever the process
ends, however it ends. A PostgreSQL database can have several servers: each holds the same advisory lock, and whoever needs the
database alone, to restore a backup, can have it once they have ended.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine

from perankh.errors import PerankhError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

BUSY = 2.0  # seconds to wait for a database that another process has locked
# Seconds after which a PostgreSQL server that has gone silent is given up; the last in milliseconds.
PATIENCE = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
NOT_INHERITED = getattr(os, "O_CLOEXEC", 0) or getattr(os, "O_NOINHERIT", 0)  # of a file: other programs do not get it
LOCKED_BYTE = 1 << 30  # what is locked on Windows, where others cannot read what is: far behind the number of the process
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
        if address.drivername == "sqlite":
            engine = sa.create_engine(address)
        else:
            engine = sa.create_engine(address, pool_pre_ping=True, connect_args=dict(PATIENCE))
    except ModuleNotFoundError:
        raise PerankhError("PostgreSQL needs its driver: pip install 'perankh[postgres]'") from None
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", prepare_sqlite)
        sa.event.listen(engine, "begin", begin_sqlite)
    return engine


def open_existing(data: str | Path) -> Engine:
    """The engine of data that are there; nothing is made."""
    address = address_of(data)
    database = file_of(address)
    if database and not database.is_file():
        raise PerankhError(f"{database}: there are no data")
    return open_engine(address)


class Prepared:
    """A statement that is run with every move: it is compiled once for each kind of database."""

    def __init__(self, statement: sa.Insert | sa.Update) -> None:
        self.statement = statement
        self.compiled: dict[str, tuple[str, Sequence[str] | None]] = {}  # by database: the text, and the order of the values

    def run(self, connection: Connection, values: dict[str, Any]) -> int:
        """Run the statement with values by name; how many rows it has changed."""
        kind = connection.dialect.name
        if kind not in self.compiled:
            made = self.statement.compile(dialect=connection.dialect)
            self.compiled[kind] = (made.string, made.positiontup)
        text, names = self.compiled[kind]
        return run_in_driver(connection, text, values if names is None else tuple([values[name] for name in names]))


def run_in_driver(connection: Connection, text: str, values: Any = ()) -> int:
    """Have the driver run a statement: what SQLAlchemy does around it takes longer than it. How many rows it has changed."""
    dialect, cursor = connection.dialect, connection.connection.cursor()
    try:
        cursor.execute(text, values)
        return int(cursor.rowcount)
    except dialect.loaded_dbapi.Error as error:
        raise sa.exc.DBAPIError.instance(text, None, error, dialect.loaded_dbapi.Error, dialect=dialect) from error
    finally:
        cursor.close()


def prepare_sqlite(connection: Any, _record: Any) -> None:
    """Readers beside the writer, commits that survive a power cut, transactions begun by us; what is deleted is overwritten."""
    connection.isolation_level = None
    waiting = f"busy_timeout={int(1000 * BUSY)}"
    for pragma in (waiting, "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def begin_sqlite(connection: Connection) -> None:
    """A writer takes the lock at once."""
    run_in_driver(connection, "BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


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
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | NOT_INHERITED, 0o600))
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


def settle(database: Path) -> None:
    """Have SQLite put everything into the one file, if it can."""
    try:
        connection = sqlite3.connect(database, timeout=5)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
    except sqlite3.Error as error:
        logger.warning("%s: %s; its files are kept as they are", database, error)


# --- The lock ------------------------------------------------------------------------------------------------------------------


def lock_file(file: int) -> None:
    """Lock an open file until the process ends or closes it; an OSError if another process has it."""
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    import msvcrt  # Windows

    os.lseek(file, LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    finally:
        os.lseek(file, 0, os.SEEK_SET)


class FileLock:
    """The lock beside an SQLite file. It holds the number of the process that has it, for messages only."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_suffix(".lock")
        try:
            self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | NOT_INHERITED, 0o600)
        except OSError as error:
            raise PerankhError(f"{self.path}: cannot be used as a lock: {error.strerror}") from None
        try:
            lock_file(self.file)
        except OSError:
            holder = os.read(self.file, 20).decode("ascii", "replace").strip()
            os.close(self.file)
            process = f"process {holder}" if holder.isdecimal() else "another process"
            raise InUse(f"{self.path}: {process} uses these data; stop it first, or choose others with --data") from None
        tighten(self.path)
        os.ftruncate(self.file, 0)
        os.write(self.file, f"{os.getpid()}\n".encode())

    def is_held(self) -> bool:
        """Is the lock still ours? A file's is until the process ends."""
        return True

    def release(self) -> None:
        """Let others have the data. The file stays: removing it could give two processes a lock each."""
        os.close(self.file)


class AdvisoryLock:
    """The lock of a PostgreSQL database, held by a connection of its own: together with others, or alone."""

    def __init__(self, engine: Engine, shared: bool) -> None:
        self.engine = engine
        self.shared = shared
        self.take()

    def take(self) -> None:
        """Take the lock, if nobody has it who does not share it."""
        self.connection = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        take = sa.func.pg_try_advisory_lock_shared if self.shared else sa.func.pg_try_advisory_lock
        if not self.connection.scalar(sa.select(take(ADVISORY_LOCK))):
            self.connection.close()
            if self.shared:
                raise InUse(f"{shown(self.engine.url)}: a backup is being restored, or a server of an earlier version runs")
            raise InUse(f"{shown(self.engine.url)}: a server uses these data; stop it first, or choose others with --data")

    def is_held(self) -> bool:
        """Is the lock still ours? It ends with its connection, and is taken again unless somebody wants the data alone."""
        try:
            self.connection.scalar(sa.select(1))
        except sa.exc.SQLAlchemyError:
            self.release()
            try:
                self.take()
            except InUse:
                return False
        return True

    def release(self) -> None:
        """Let others have the data."""
        if not self.connection.closed:
            self.connection.invalidate()  # the lock ends with the connection
            self.connection.close()


def lock_data(engine: Engine, shared: bool = False) -> FileLock | AdvisoryLock:
    """Take the lock of a database; `shared`: several servers can have that of PostgreSQL."""
    database = file_of(engine.url)
    return FileLock(database) if database else AdvisoryLock(engine, shared)


def one_at_a_time(connection: Connection) -> None:
    """Wait until no other server is in a transaction that begins like this one."""
    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_LOCK + 1)))


def servers_connected(connection: Connection) -> int:
    """How many servers hold the lock of a PostgreSQL database."""
    held = "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database WHERE locktype = 'advisory'"
    which = "AND datname = current_database() AND classid = :high AND objid = :low AND granted"
    key = {"high": ADVISORY_LOCK >> 32, "low": ADVISORY_LOCK & 0xFFFFFFFF}
    return int(connection.execute(sa.text(f"{held} {which}"), key).scalar_one())
