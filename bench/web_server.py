"""A real server process for benchmarks and tests: started, killed and started again on the same data."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

RATES, COSTLY = (
    ("token", "address"),
    ("tables", "uploads", "hints", "entries", "exports", "alerts", "chat", "passwords", "profiles", "editions", "new_editions"),
)
SIZES = ("connections", "address_connections", "sockets", "header_time", "idle_time", "body_time", "write_time", "ping_time")
ROOT = Path(__file__).resolve().parents[1]


class Server:
    """A server on a free port with its data in a folder or a database. Settings are options of this file's command line."""

    def __init__(self, data: Path | str, games: Path | None = None, **settings: Any) -> None:
        self.data = data
        self.games = games or ROOT / "examples"
        self.settings = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.log: Path | None = None  # where the server's log lines go, if not to our own
        self.process: Any = None

    def start(self) -> Server:
        """Start the process and wait until it answers."""
        games = os.pathsep.join(filter(None, [os.environ.get("PERANKH_GAMES"), str(self.games)]))
        environment = os.environ | {"PERANKH_GAMES": games}
        self.process = self.launch(["--port", str(self.port), "--data", str(self.data), *self.settings], environment)
        deadline = time.monotonic() + 300  # on a machine with much other work, too
        with httpx.Client(base_url=self.address, verify=False) as client:  # certificates take long to load
            while True:
                try:
                    client.get("/api/games").raise_for_status()
                    return self
                except httpx.TransportError:
                    if self.process.poll() is not None or time.monotonic() > deadline:
                        raise RuntimeError("the server does not start") from None
                    time.sleep(0.05)

    def launch(self, arguments: list[str], environment: dict[str, str]) -> Any:
        """Start the process."""
        log = self.log.open("ab") if self.log else None
        process = subprocess.Popen([sys.executable, __file__, *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=log)
        if log:
            log.close()
        return process

    def workers(self) -> list[int]:
        """The ids of the server's worker processes."""
        return workers_of(self.process.pid) if self.process else []

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End the process, by default without any warning."""
        if self.process:
            self.process.send_signal(how)
            self.process.wait(20)
            self.process = None


def workers_of(pid: int) -> list[int]:
    """The worker processes of a process, which are forked from one of its children; none where the system does not tell."""
    return [worker for child in children(pid) if is_forkserver(child) for worker in children(child)]


def children(pid: int) -> list[int]:
    """The child processes of a process."""
    found: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # it has just ended
            found += map(int, thread.read_text().split())
    return found


def is_forkserver(pid: int) -> bool:
    """Is this the process that worker processes are forked from?"""
    with contextlib.suppress(OSError):
        return b"multiprocessing.forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def main() -> None:
    """Serve with generous limits; Connect Four is on the shelf."""
    from perankh.bots import analysis
    from perankh.web.alerts import AlertSettings
    from perankh.web.limits import Limits
    from perankh.web.mail import mail_server
    from perankh.web.serve import serve

    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--rate", type=float, default=100_000)
    parser.add_argument("--refill", type=float, help="requests a second after RATE at once (default: RATE)")
    parser.add_argument("--costly", type=float, help="tables, uploads, hints and the like at once (default: RATE)")
    parser.add_argument("--away", type=float, default=60)
    parser.add_argument("--idle", type=float, default=300)
    parser.add_argument("--bot-pause", type=float, default=0)
    parser.add_argument("--work-limit", type=float, default=60)
    parser.add_argument("--decision-time", type=float, help="seconds for a decision of an analysis at most")
    for name in SIZES:
        parser.add_argument(f"--{name.replace('_', '-')}", type=float if name.endswith("time") else int)
    parser.add_argument("--trusted-proxies", default="", type=lambda text: text.split())
    parser.add_argument("--public-address")
    parser.add_argument("--smtp")
    parser.add_argument("--alert-hosts", default="", type=lambda text: frozenset(text.split()))
    parser.add_argument("--alert-wait", type=float, default=20)
    parser.add_argument("--alert-pause", type=float, default=30)
    parser.add_argument("--rest", type=float, default=120)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--thinking", default="here")
    parser.add_argument("--drain", type=float, default=0)
    parser.add_argument("--levels", default="", type=str.split)
    given = parser.parse_args()
    analysis.LONGEST = given.decision_time or analysis.LONGEST
    sizes = {name: getattr(given, name) for name in SIZES if getattr(given, name) is not None}
    rates = dict.fromkeys(RATES, (given.refill or given.rate, given.rate))
    rates |= dict.fromkeys(COSTLY, (given.refill or given.rate, given.costly or given.rate))
    limits = replace(Limits(**rates, sockets=5000, address_connections=10_000), **sizes)
    site = {"trusted_proxies": given.trusted_proxies, "public_address": given.public_address}
    pause = (given.bot_pause, given.bot_pause)
    settings = {"bot_pause": pause, "limits": limits, "idle": given.idle, "away": given.away, "work_limit": given.work_limit}
    post = mail_server(given.smtp, "games@example.org", "none")
    settings["alerts"] = AlertSettings(post, given.alert_hosts, given.alert_wait, given.alert_pause)
    settings |= {"rest": given.rest, "workers": given.workers, "drain": given.drain, "elsewhere": given.thinking == "elsewhere"}
    settings["levels"] = given.levels
    serve("127.0.0.1", given.port, given.data, allow_seeds=True, **site, **settings)


if __name__ == "__main__":
    main()
