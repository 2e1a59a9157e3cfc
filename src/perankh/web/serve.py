"""The server process: uvicorn with the application, on an address that is free."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
import gc
import os
import socket
import sys
import time
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from perankh.errors import BadOption
from perankh.web import traces
from perankh.web.addresses import Interface, Reach, interfaces
from perankh.web.app import create_app
from perankh.web.connections import Config, Connections
from perankh.web.health import Health
from perankh.web.limits import Limits
from perankh.web.site import make_site
from perankh.web.storage import Storage

with contextlib.suppress(ImportError):
    import resource  # not on Windows

LARGEST_FRAME = 64 * 1024  # larger ones end the connection; between this and the table's own limit they are refused
PATIENCE = 3  # seconds for open requests when the server stops
MOST_FILES = 65_536  # open files we ask the system for
FEWEST_FILES = 512  # what we count on where the system does not say
OWN_FILES = 256  # kept for the database, worker processes and the rest of the server
BACKLOG = 1024  # connections that wait to be accepted


def data_folder() -> Path:
    """Where data are kept unless said otherwise."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "perankh"


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket at an address, to listen with."""
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    # On Windows, an address that may be reused could be taken by two servers at once.
    found.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR), 1)
    try:
        found.bind((host, port))
    except BaseException:
        found.close()
        raise
    return found


def free_socket(host: str, port: int) -> socket.socket:
    """The same; one clear line if the address cannot be had."""
    try:
        return bound_socket(host, port)
    except (OSError, OverflowError) as error:
        in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        why = "is in use; choose another with --port" if in_use else f"cannot be used: {error}"
        raise BadOption(f"port {port} on {host} {why}") from None


def file_limit() -> int:
    """How many files and connections the process may have open, after the soft limit was raised."""
    if "resource" not in globals():
        return FEWEST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return most
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):
        return soft
    return most


def within_files(limits: Limits, files: int) -> tuple[Limits, int]:
    """Limits that leave files for the server itself and for connections just accepted; and how many of the latter may wait."""
    backlog = min(BACKLOG, files // 4)
    most = files - backlog - min(OWN_FILES, files // 4)
    return replace(limits, connections=min(limits.connections, most)), backlog


class Server(uvicorn.Server):
    """Uvicorn that prints its addresses once it listens, and ends connections that are past their deadline."""

    def __init__(self, config: Config, reach: Reach, open_browser: bool, drain: float = 0) -> None:
        """`drain`: seconds for which it goes on, and says at /health/ready that it will stop, after it was told to."""
        super().__init__(config)
        self.drain = drain
        self.told: float | None = None  # when it was told to stop
        self.all_connections = config.all_connections
        self.reach = reach
        self.open_browser = open_browser
        reach.listen = self.listen

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second: look after the connections now and then."""
        if counter % 5 == 0:
            self.all_connections.check(asyncio.get_running_loop().time())
        if self.told is not None and time.monotonic() - self.told >= self.drain:
            self.should_exit = True
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; if visitors are to go elsewhere first, in a while. A second signal stops at once."""
        if self.drain and self.told is None:
            self.told = time.monotonic()
            self.health.draining = True
            return
        super().handle_exit(sig, frame)

    @property
    def health(self) -> Health:
        """What the application knows of its state."""
        found: Health = self.config.app.state.health  # type: ignore[union-attr]
        return found

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then print the addresses and open the browser."""
        await super().startup(sockets)
        if self.started:
            print(f"Per-Ankh is open at {self.reach.own}/ (stop it with Ctrl+C)")
            for where, addresses in (
                ("For others in your network", self.reach.near()),
                ("For others anywhere", self.reach.far()),
            ):
                if addresses:
                    print(f"{where}: {' or '.join(f'{address}/' for address in addresses)}")
            sys.stdout.flush()
            if self.open_browser:
                webbrowser.open(f"{self.reach.own}/")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; the last traces are sent."""
        await super().shutdown(sockets)
        await asyncio.to_thread(traces.stop)

    async def listen(self, address: str) -> None:
        """Listen at one more address, under the same port."""
        kind: Any = self.config.http_protocol_class
        protocol = functools.partial(kind, config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        sock = bound_socket(address, self.reach.port)
        loop = asyncio.get_running_loop()
        self.servers.append(await loop.create_server(protocol, sock=sock, backlog=self.config.backlog))


def serve(
    host: str,
    port: int,
    data: str | None = None,
    open_browser: bool = False,
    *,
    public_address: str | None = None,
    allowed_hosts: Sequence[str] = (),
    trusted_proxies: Sequence[str] = (),
    limits: Limits | None = None,
    cards: Callable[[], list[Interface]] = interfaces,
    drain: float = 0,
    own_logs: bool = False,
    send_traces: str | None = None,
    **settings: Any,
) -> None:
    """Serve until interrupted. `data` is a folder or the address of a database; port 0 takes any free one.

    `cards` lists the addresses of this computer. `drain`: seconds for which the server goes on after it was told to stop.
    `own_logs`: log lines are written as they were set up before. `send_traces`: to this collector.
    """
    if send_traces:
        traces.start(send_traces)
    site = make_site(host, public_address, allowed_hosts, trusted_proxies)
    limits, backlog = within_files(limits or Limits(), file_limit())
    listening = free_socket(host, port)
    reach = Reach(site, host, listening.getsockname()[1], cards)
    settings |= {"limits": limits, "site": site, "reach": reach}
    config = Config(
        create_app(Storage(data or data_folder()), **settings),  # opened here: what is wrong with it is said on one line
        Connections(limits, site),
        log_level="warning",
        log_config=None if own_logs else uvicorn.config.LOGGING_CONFIG,
        ws_max_size=LARGEST_FRAME,
        timeout_graceful_shutdown=PATIENCE,
        server_header=False,
        proxy_headers=False,  # the application believes the proxies that are named, and no others
        backlog=backlog,
        ws_ping_interval=limits.ping_time,
        ws_ping_timeout=limits.ping_time,
    )
    gc.freeze()  # what is loaded by now stays: the collector of unused objects need not look at it
    gc.set_threshold(10_000, 20, 50)
    sys.setswitchinterval(0.001)  # the thread that stores moves must not wait long for the event loop's
    Server(config, reach, open_browser, drain).run(sockets=[listening])
