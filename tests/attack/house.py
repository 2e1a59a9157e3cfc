"""The server under attack: a real `perankh serve`, with its own data folder and its log in a file."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

from ..conftest import ROOT
from ..web.conftest import web_server

FAULT = re.compile(r"Traceback|Error\b|Exception|never retrieved|never awaited")
EXPECTED = re.compile(r"storage|is damaged and can")  # what attacks on the data may leave in the log


class House:
    """A server process on a free port. The games of `examples` are offered too."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.log = folder / "log"
        self.arguments = arguments
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def host(self) -> str:
        """The value of the header `Host`."""
        return f"127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        """The command line of the server."""
        serve = ["serve", "--no-open", "--port", str(self.port), "--data", str(self.data)]
        return [sys.executable, "-m", "perankh.cli", *serve, *self.arguments]

    def environment(self) -> dict[str, str]:
        """The environment of the server."""
        return os.environ | {"PERANKH_GAMES": str(ROOT / "examples")}

    def start(self) -> House:
        """Start the process and wait until it listens."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), env=self.environment(), stdout=log, stderr=log, cwd=self.folder, start_new_session=True
            )
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"the server does not start: {self.log.read_text()[-500:]}") from None
                time.sleep(0.05)

    def stop(self, how: int = signal.SIGTERM) -> float:
        """End the process; returns how many seconds that took."""
        began = time.monotonic()
        if self.process:
            self.process.send_signal(how)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(20)
            self.process = None
        return time.monotonic() - began

    def workers(self) -> list[int]:
        """The ids of the server's worker processes."""
        assert self.process
        found: list[int] = web_server.workers_of(self.process.pid)
        return found

    def faults(self) -> list[str]:
        """The lines of the log that no attack may cause."""
        lines = self.log.read_text("utf-8", "replace").splitlines() if self.log.exists() else []
        return [line for line in lines if FAULT.search(line) and not EXPECTED.search(line)]

    def __enter__(self) -> House:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop(signal.SIGKILL)
