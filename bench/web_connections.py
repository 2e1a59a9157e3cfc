"""Does a new visitor get in while others hold connections open and send nothing?

    python bench/web_connections.py --idle 5000 --half 500

Starts a server with its usual limits, opens silent connections and half-sent requests, and asks for the home page from an address
of its own and from the address of those connections. Everything once from one address and once from fifty (127.0.0.2 and up,
where the system has them).
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import selectors
import socket
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from web_server import Server

HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/h"
HALF_BODY = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 200\r\n\r\n{"
HOME = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


def sources(count: int) -> list[str]:
    """Addresses of this machine to connect from; the first visitor's, 127.0.0.1, is not among them."""
    return [f"127.0.{number // 250}.{number % 250 + 2}" for number in range(count)]


def connect(port: int, source: str = "127.0.0.1", timeout: float = 10) -> socket.socket:
    """A connection from one of this machine's addresses."""
    return socket.create_connection(("127.0.0.1", port), timeout, source_address=(source, 0))


@contextlib.contextmanager
def held(port: int, count: int, sent: Sequence[bytes] = (b"",), origins: Sequence[str] = ("127.0.0.1",)) -> Iterator[list[Any]]:
    """Connections that have sent a beginning, or nothing, and are left open."""
    found: list[socket.socket] = []
    try:
        for number in range(count):
            one = connect(port, origins[number % len(origins)])
            found.append(one)
            with contextlib.suppress(OSError):  # closed already to make room
                one.sendall(sent[number % len(sent)])
        yield found
    finally:
        for one in found:
            one.close()


def still_open(held: Sequence[socket.socket]) -> int:
    """How many connections the server has not closed."""
    with selectors.PollSelector() as selector:
        for one in held:
            selector.register(one, selectors.EVENT_READ)
        closed = 0
        for key, _ in selector.select(0):
            assert isinstance(key.fileobj, socket.socket)
            try:
                closed += not key.fileobj.recv(65_536, socket.MSG_PEEK) or key.fileobj.recv(65_536).startswith(b"HTTP/1.1 ")
            except OSError:
                closed += 1
    return len(held) - closed


def visit(port: int, source: str = "127.0.0.1", timeout: float = 30) -> float:
    """Seconds until the whole home page is there; an error if it does not come."""
    began = time.perf_counter()
    with connect(port, source, timeout) as visitor:
        visitor.sendall(HOME)
        answer = b""
        while piece := visitor.recv(65_536):
            answer += piece
    if not answer.startswith(b"HTTP/1.1 200 ") or b"</html>" not in answer:
        raise RuntimeError(f"no home page but {answer[:80]!r}")
    return time.perf_counter() - began


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--idle", type=int, default=5000)
    parser.add_argument("--half", type=int, default=500)
    parser.add_argument("--visits", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=2, help="a visit from a new address that takes longer is a failure")
    given = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for count in (1, 50):
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder), address_connections=400).start()
            try:
                visit(server.port)
                origins = sources(count)
                began = time.perf_counter()
                with (
                    held(server.port, given.idle, (b"",), origins) as idle,
                    held(server.port, given.half, (HALF_HEAD, HALF_BODY), origins) as half,
                ):
                    took = time.perf_counter() - began
                    other = [visit(server.port) for _ in range(given.visits)]
                    same = [visit(server.port, origins[0]) for _ in range(given.visits)]
                    left = still_open([*idle, *half])
                print(
                    f"{given.idle} idle and {given.half} half-sent from {count} addresses in {took:.1f} s, {left} left open; "
                    f"home page: new address median {statistics.median(other):.3f} s, longest {max(other):.3f} s; "
                    f"same address median {statistics.median(same):.3f} s, longest {max(same):.3f} s",
                    flush=True,
                )
                if max(other) > given.seconds:
                    raise SystemExit(f"a visitor waited {max(other):.1f} s")
            finally:
                server.kill()


if __name__ == "__main__":
    main()
