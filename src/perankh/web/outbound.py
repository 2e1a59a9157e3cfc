"""Requests that the server makes to addresses that people have given: push services and webhooks of chats.

Whoever gives an address must not reach with it what only the server can reach. So a request goes to https on its usual port and
to public IP addresses alone, which are looked up once and checked. It follows no redirect, waits only so long, and nothing of the
answer but its status is used. Hosts that the server's settings name are exempt.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterable
from urllib.parse import urlsplit

from perankh.errors import BadOption, PerankhError
from perankh.web.site import PORTS, Address, host_and_port, literal

LONGEST_ADDRESS = 1000
PATIENCE = 10.0  # seconds for a step of a request
DEADLINE = 20.0  # seconds for all of it
GLOBAL = ipaddress.ip_network("2000::/3")  # all that is given out on the internet; elsewhere an address may stand for one of IPv4
EMBEDDED = tuple(ipaddress.ip_network(text) for text in ("2002::/16", "2001::/32"))  # and so may these


class BadTarget(PerankhError):
    """An address to which nothing may be sent."""


class Unreachable(PerankhError):
    """The other side did not answer; it may do so later."""


def checked_target(url: str, allowed: frozenset[str]) -> tuple[str, str, int, str]:
    """Scheme, host, port and path of an address that may be sent to; `allowed` are hosts with ports that are exempt."""
    try:
        parts = urlsplit(url)
        found = host_and_port(parts.netloc)
    except ValueError:
        found = None
    if len(url) > LONGEST_ADDRESS or not url.isascii() or any(ord(c) <= 32 or ord(c) == 127 for c in url):
        raise BadTarget("the address is too long, or has characters that an address cannot have")
    if found is None or parts.scheme not in PORTS:
        raise BadTarget("this is not an address such as https://chat.example.org/hook")
    port = found[1] or PORTS[parts.scheme]
    if f"{found[0]}:{port}" not in allowed and (parts.scheme != "https" or port != PORTS["https"]):
        raise BadTarget("the address has to begin with https:// and name no port")
    return parts.scheme, found[0], port, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def checked_hosts(given: Iterable[str]) -> frozenset[str]:
    """Hosts with ports that are exempt, as the settings name them."""
    found = []
    for text in given:
        parts = host_and_port(text)
        if parts is None or parts[1] is None:
            raise BadOption(f"alert host {text!r} is not of the form chat.example.org:8443")
        found.append(f"{parts[0]}:{parts[1]}")
    return frozenset(found)


def is_public(address: Address) -> bool:
    """Is this the address of a machine on the internet, and not of one near the server?"""
    if not address.is_global or address.is_multicast or any(address in network for network in EMBEDDED):
        return False
    return address.version == 4 or address in GLOBAL


def resolved(host: str, port: int, anywhere: bool) -> list[tuple[int, str]]:
    """The IP addresses of a host; all have to be public, unless it may be `anywhere`."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(f"{host} is not known") from None
    addresses = [(int(family), str(where[0])) for family, _, _, _, where in found]
    for _, text in addresses:
        address = literal(text.partition("%")[0])
        if address is None or not (anywhere or is_public(address)):
            raise BadTarget(f"{host} is in a private network")
    return addresses


def connected(host: str, port: int, anywhere: bool) -> socket.socket:
    """A connection to one of the checked addresses of a host."""
    problem: OSError | None = None
    for family, address in resolved(host, port, anywhere)[:2]:
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.settimeout(PATIENCE)
        try:
            sock.connect((address, port))
            return sock
        except OSError as error:
            sock.close()
            problem = error
    raise Unreachable(f"{host} does not answer: {problem}")


def post(url: str, body: bytes, headers: dict[str, str], allowed: frozenset[str]) -> int:
    """Send a request, and return the status of the answer. Blocks: runs in a thread."""
    scheme, host, port, path = checked_target(url, allowed)
    sock = connected(host, port, f"{host}:{port}" in allowed)
    end = threading.Timer(DEADLINE, lambda: close(sock))
    end.start()
    try:
        if scheme == "https":
            context = ssl.create_default_context()
            sock = context.wrap_socket(sock, server_hostname=host.strip("[]"), do_handshake_on_connect=False)
            sock.do_handshake()
        connection = http.client.HTTPConnection(host.strip("[]"), port)
        connection.sock = sock
        connection.request("POST", path, body, {"User-Agent": "Per-Ankh", "Connection": "close", **headers})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"{host}: {error}") from None
    finally:
        end.cancel()
        sock.close()


def close(sock: socket.socket) -> None:
    """End a connection that takes too long, from another thread."""
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
