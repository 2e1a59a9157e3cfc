"""`perankh serve --check`: tries what a server will need, and says what is wrong."""

from __future__ import annotations

import os
import shutil
import smtplib
import socket
import ssl
import stat
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import sqlalchemy as sa

from perankh.bots import is_ready
from perankh.errors import BadOption, PerankhError
from perankh.web import catalog, jobs, storage, traces
from perankh.web.addresses import is_loopback
from perankh.web.data import InUse, address_of, cause_of, file_of, lock_data, open_engine, shown
from perankh.web.limits import Limits
from perankh.web.mail import mail_server, opened
from perankh.web.outbound import is_public
from perankh.web.serve import data_folder, file_limit, free_socket, within_files
from perankh.web.settings import PASSWORD, Found, Settings, unknown_variables
from perankh.web.site import checked_network, checked_public, literal

PATIENCE = 5.0  # seconds for another server to answer
LEAST_FREE = 1_000_000_000  # bytes on the disk
SOON = 14 * 86_400.0  # seconds before its end in which a certificate has to be renewed
WRONG, DOUBTFUL, NOTE = "wrong", "doubtful", "note"


@dataclass(frozen=True)
class Finding:
    """Something worth saying: `wrong` keeps the server, or a part of it, from working."""

    level: str
    text: str


def all_findings(found: Found) -> Iterator[Finding]:
    """Everything worth saying about settings and what they name."""
    settings = found.settings
    yield from about_file(found)
    yield from about_port(settings)
    yield from about_data(settings)
    yield from about_address(settings)
    yield from about_mail(settings)
    yield from about_traces(settings)
    yield from about_machine(settings)
    yield from about_games()


def about_file(found: Found) -> Iterator[Finding]:
    """Secrets that others can read, and variables that do nothing."""
    secret = [one.name for one in fields(Settings) if one.metadata["secret"] and found.sources[one.name] == "file"]
    if found.file and secret and found.file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        yield Finding(WRONG, f"{found.file}: other users can read {', '.join(secret)}; chmod 600 it")
    for name in unknown_variables(os.environ):
        yield Finding(DOUBTFUL, f"{name}: there is no such setting")


def about_port(settings: Settings) -> Iterator[Finding]:
    """Can the server listen there?"""
    try:
        free_socket(settings.host, settings.port).close()
    except BadOption as error:
        yield Finding(WRONG, str(error))


# --- Data ----------------------------------------------------------------------------------------------------------------------


def about_data(settings: Settings) -> Iterator[Finding]:
    """Are there data that can be used? Nothing is made or changed."""
    try:
        address = address_of(settings.data or data_folder())
        database = file_of(address)
        if database:
            yield from about_folder(database)
        if database is None or (database.is_file() and os.access(database, os.R_OK | os.W_OK)):
            yield from about_database(address, settings.thinking == "elsewhere")
    except PerankhError as error:
        yield Finding(WRONG, str(error))
    except sa.exc.SQLAlchemyError as error:
        yield Finding(WRONG, f"{shown(address)}: cannot be used for data: {cause_of(error)}")


def about_folder(database: Path) -> Iterator[Finding]:
    """The folder of an SQLite file, or the first one above it that is there."""
    folder = next(path for path in (database.parent, *database.absolute().parents) if path.exists())
    for path in (folder, *([database] if database.exists() else ())):
        right = os.R_OK | os.W_OK | (os.X_OK if path == folder else 0)
        if path == folder and not path.is_dir():
            yield Finding(WRONG, f"{path}: cannot be used for data: it is not a folder")
            return
        if not os.access(path, right):
            yield Finding(WRONG, f"{path}: cannot be used for data: this user may not write there")
    if not database.exists():
        yield Finding(NOTE, f"{database}: there are no data yet; they will be made")
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        yield Finding(DOUBTFUL, f"{folder}: only {free // 1_000_000} MB are free")


def about_machines(engine: sa.Engine) -> Iterator[Finding]:
    """Are there machines on which bots think, and can they work for this server?"""
    with engine.connect() as connection:
        now = connection.execute(jobs.NOW).scalar_one()
        there = sa.select(storage.machines.c.offers).where(storage.machines.c.until > now)
        found = [jobs.differences(offers, jobs.offers()) for offers in connection.execute(there).scalars()]
    if not found:
        yield Finding(DOUBTFUL, "bots think elsewhere, but no machine runs perankh work: they wait for one")
    elif all(found):
        yield Finding(WRONG, f"no machine that runs perankh work is like this server: {found[0][0]}")


def about_database(address: sa.URL, elsewhere: bool) -> Iterator[Finding]:
    """Does the database answer, is it of a version we know, and is it free?"""
    far = address.drivername != "sqlite"
    if elsewhere and not far:
        yield Finding(WRONG, "thinking = elsewhere: machines find their work in a PostgreSQL database")
    engine = open_engine(address.update_query_dict({"connect_timeout": f"{PATIENCE:.0f}"}) if far else address)
    try:
        with engine.connect() as connection:
            known = sa.inspect(connection).has_table("schema")
            version = connection.execute(sa.select(storage.schema.c.version)).scalar_one() if known else None
            if far:
                may = connection.scalar(sa.text("SELECT has_schema_privilege(current_schema(), 'CREATE')"))
                if not may:
                    yield Finding(WRONG, f"{shown(address)}: this user may not make tables")
        if version is None:
            yield Finding(NOTE, f"{shown(address)}: there are no data yet; they will be made")
        elif version > storage.VERSION:
            said = f"the data are of version {version}; this Per-Ankh knows up to {storage.VERSION}: use a newer one"
            yield Finding(WRONG, f"{shown(address)}: {said}")
        elif version < storage.VERSION:
            yield Finding(NOTE, f"{shown(address)}: the data of version {version} will be brought to {storage.VERSION}")
        lock_data(engine, shared=True).release()
        if elsewhere and far and version == storage.VERSION:
            yield from about_machines(engine)
    except InUse as error:
        yield Finding(WRONG, str(error))
    finally:
        engine.dispose()


# --- Addresses -----------------------------------------------------------------------------------------------------------------


def about_address(settings: Settings) -> Iterator[Finding]:
    """The public address, its certificate, and the proxies that are believed."""
    for proxy in settings.trusted_proxy:
        if checked_network(proxy).prefixlen == 0:
            yield Finding(WRONG, f"trusted proxy {proxy}: everybody would be believed, and could take any address")
    if settings.public_address is None:
        if not is_loopback(settings.host):
            yield Finding(NOTE, "no public address: for your own network only; on the internet use a proxy with https")
        return
    scheme, host, port = checked_public(settings.public_address)
    address = literal(host)
    near = is_loopback(host) or (address is not None and not is_public(address))
    if scheme == "http" and not near:
        yield Finding(WRONG, f"{settings.public_address}: not https: everything can be read on its way, cookies too")
    if not settings.trusted_proxy:
        yield Finding(DOUBTFUL, "no trusted proxy: everybody behind the proxy counts as one address and shares its limits")
    if scheme == "https":
        yield from about_certificate(host.strip("[]"), port)


def about_certificate(host: str, port: int) -> Iterator[Finding]:
    """The certificate that visitors get to see, if somebody answers there already."""
    context = ssl.create_default_context()
    try:
        with socket.create_connection((host, port), PATIENCE) as plain, context.wrap_socket(plain, server_hostname=host) as safe:
            ends = ssl.cert_time_to_seconds(str((safe.getpeercert() or {})["notAfter"]))
    except ssl.SSLCertVerificationError as error:
        yield Finding(WRONG, f"the certificate of {host}:{port} is not accepted: {error.verify_message}")
        return
    except (OSError, ssl.SSLError) as error:
        yield Finding(DOUBTFUL, f"{host}:{port} does not answer with https yet: {error}")
        return
    if ends - time.time() < SOON:
        yield Finding(DOUBTFUL, f"the certificate of {host}:{port} ends in {max(0, int((ends - time.time()) // 86_400))} days")


def about_mail(settings: Settings) -> Iterator[Finding]:
    """Does the mail server answer, and take the user?"""
    try:
        server = mail_server(
            settings.smtp, settings.mail_from, settings.smtp_security, settings.smtp_user, settings.smtp_password
        )
        if server:
            with opened(server, PATIENCE) as connection:
                connection.noop()
    except BadOption as error:
        yield Finding(WRONG, str(error))
    except smtplib.SMTPAuthenticationError as error:
        yield Finding(WRONG, f"mail server {settings.smtp}: user and password are refused ({error.smtp_code})")
    except (smtplib.SMTPException, OSError) as error:
        yield Finding(WRONG, f"mail server {settings.smtp} does not answer: {error}")


def about_traces(settings: Settings) -> Iterator[Finding]:
    """Can traces be made, and does the collector take them? It is sent none."""
    if settings.traces is None:
        return
    try:
        traces.modules()
    except PerankhError as error:
        yield Finding(WRONG, str(error))
    address = traces.endpoint_of(settings.traces)
    shown_address = PASSWORD.sub("(secret)", address)
    asked = urllib.request.Request(address, b"", {"Content-Type": "application/x-protobuf"}, method="POST")
    try:
        urllib.request.urlopen(asked, timeout=PATIENCE).close()
    except urllib.error.HTTPError as error:
        yield Finding(WRONG, f"the collector of traces {shown_address} answers {error.code} {error.reason}")
    except OSError as error:
        yield Finding(WRONG, f"the collector of traces {shown_address} does not answer: {getattr(error, 'reason', error)}")


# --- The machine ---------------------------------------------------------------------------------------------------------------


def about_machine(settings: Settings) -> Iterator[Finding]:
    """Are there enough open files, and who runs the server?"""
    files = file_limit()
    most = within_files(Limits(connections=settings.connections), files)[0].connections
    if most < settings.connections:
        yield Finding(DOUBTFUL, f"the system allows {files} open files, so {most} connections instead of {settings.connections}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield Finding(DOUBTFUL, "runs as root: use a user of its own")


def about_games() -> Iterator[Finding]:
    """Can the games be loaded, and are their bots compiled?"""
    try:
        games = catalog.offered_games()
    except PerankhError as error:
        yield Finding(WRONG, f"a game cannot be loaded: {error}")
        return
    cold = [name for name, game in games.items() if not is_ready(game)]
    if cold:
        yield Finding(NOTE, f"bots of {', '.join(cold)} are not compiled yet: run perankh warm")
