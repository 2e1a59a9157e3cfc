"""The server process: uvicorn with the application, on an address that is free."""

from __future__ import annotations

import errno
import os
import socket
import sys
import webbrowser
from pathlib import Path
from typing import Any

import uvicorn

from perankh.errors import BadOption
from perankh.web.app import create_app
from perankh.web.storage import Storage

LARGEST_FRAME = 64 * 1024  # larger ones end the connection; between this and the table's own limit they are refused
PATIENCE = 3  # seconds for open requests when the server stops


def data_folder() -> Path:
    """Where data are kept unless said otherwise."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "perankh"


def free_socket(host: str, port: int) -> socket.socket:
    """A listening socket; one clear line if the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except (OSError, OverflowError) as error:
        found.close()
        in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        why = "is in use; choose another with --port" if in_use else f"cannot be used: {error}"
        raise BadOption(f"port {port} on {host} {why}") from None
    return found


class Server(uvicorn.Server):
    """Uvicorn that prints its address once it listens."""

    def __init__(self, config: uvicorn.Config, address: str, open_browser: bool) -> None:
        super().__init__(config)
        self.address = address
        self.open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then print the address and open the browser."""
        await super().startup(sockets)
        if self.started:
            print(f"Per-Ankh is open at {self.address} (stop it with Ctrl+C)", flush=True)
            if self.open_browser:
                webbrowser.open(self.address)


def serve(host: str, port: int, data: str | None = None, open_browser: bool = False, **settings: Any) -> None:
    """Serve until interrupted. `data` is a folder or the address of a database; port 0 takes any free one."""
    listening = free_socket(host, port)
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{listening.getsockname()[1]}/"
    config = uvicorn.Config(
        create_app(Storage(data or data_folder()), **settings),  # opened here: what is wrong with it is said on one line
        log_level="warning",
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,  # views are shared among connections; compressing each would cost more than it saves
        timeout_graceful_shutdown=PATIENCE,
        server_header=False,
    )
    sys.setswitchinterval(0.001)  # the thread that stores moves must not wait long for the event loop's
    Server(config, address, open_browser).run(sockets=[listening])
