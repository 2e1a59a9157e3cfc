"""Under which names the server is reached, which proxies it believes, and from which address a request comes."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from perankh.errors import BadOption

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)\.?(:(?P<port>[0-9]{1,5}))?")
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
EVERYWHERE = ("0.0.0.0", "::", "")
PORTS = {"http": 80, "https": 443}
ROOT_PATH = re.compile(r"(/[A-Za-z0-9][A-Za-z0-9_.~-]*)*/?")


@dataclass
class Site:
    """Allowed host names, the public address if there is one, and the proxies that are believed."""

    hosts: frozenset[str]
    any_address: bool = False  # is every literal IP address a name of the server? So it is once the network may come
    origin: tuple[str, str, int] | None = None  # the public address: scheme, host, port
    proxies: tuple[Network, ...] = ()
    root: str = ""  # the folder of the public address below which the server stands: /games, or nothing

    def knows(self, header: str) -> bool:
        """Is the Host of a request a name of this server?"""
        parts = host_and_port(header)
        if parts is None:
            return False
        return parts[0] in self.hosts or (self.any_address and literal(parts[0]) is not None)

    def is_own(self, origin: str, host: str) -> bool:
        """Is the Origin of a request a page of this server? `host` is the request's Host, a name that was checked."""
        found = origin_of(origin)
        if found is None or found == self.origin:
            return found is not None
        if self.origin is not None and found[1] == self.origin[1]:
            return False  # the public host under another scheme or port is another site
        asked = host_and_port(host)
        return asked is not None and self.knows(host) and found[1:] == (asked[0], asked[1] or PORTS[found[0]])

    def trusts(self, address: str) -> bool:
        """Is this the address of a trusted proxy?"""
        return bool(self.proxies) and is_within(address, self.proxies)

    def client(self, peer: str, forwarded: Iterable[str]) -> str:
        """The address a request comes from: the peer's, or what trusted proxies say, from the right."""
        if not self.trusts(peer):
            return peer
        for entry in reversed(",".join(forwarded).split(",")):
            address = literal(re.sub(r"^(\[.*\]|[0-9.]+):[0-9]+$", r"\1", entry.strip()))
            if address is None:
                break
            peer = str(address)
            if not self.trusts(peer):
                break
        return peer


def make_site(
    host: str = "127.0.0.1",
    public_address: str | None = None,
    allowed_hosts: Iterable[str] = (),
    trusted_proxies: Iterable[str] = (),
) -> Site:
    """The site of a server that listens on `host`; refuses settings that make no sense."""
    allowed = {checked_host(name) for name in allowed_hosts}
    proxies = tuple(checked_network(text) for text in trusted_proxies)
    if public_address is not None:
        origin = checked_public(public_address)
        return Site(frozenset({origin[1], *allowed}), False, origin, proxies, urlsplit(public_address).path.rstrip("/"))
    own = {*LOOPBACK, *allowed}
    if host in EVERYWHERE:
        name = socket.gethostname().lower()
        short = name.partition(".")[0]
        return Site(frozenset({*own, name, short, f"{short}.local"}), True, None, proxies)
    own.add(checked_host(host))
    return Site(frozenset(own), False, None, proxies)


# --- Reading addresses --------------------------------------------------------------------------------------------------------


def host_and_port(header: str) -> tuple[str, int | None] | None:
    """Name and port of a Host header; None if it is none."""
    found = HOST.fullmatch(header.strip().lower())
    if found is None:
        return None
    name, port = found["name"], int(found["port"]) if found["port"] else None
    if name.startswith("["):
        try:
            name = f"[{ipaddress.IPv6Address(name[1:-1])}]"
        except ValueError:
            return None
    return None if port is not None and port > 65535 else (name, port)


def origin_of(text: str) -> tuple[str, str, int] | None:
    """Scheme, host and port of an origin; None if it is none."""
    scheme, separator, rest = text.lower().partition("://")
    found = host_and_port(rest) if separator and scheme in PORTS else None
    return (scheme, found[0], found[1] or PORTS[scheme]) if found else None


def literal(text: str) -> Address | None:
    """An IP address, in brackets or not; one of IPv4 that is written as IPv6 is one of IPv4."""
    try:
        address = ipaddress.ip_address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


@lru_cache(4096)
def is_within(text: str, networks: tuple[Network, ...]) -> bool:
    """Does an address lie in one of the networks?"""
    address = literal(text)
    return address is not None and any(address in network for network in networks)


@lru_cache(4096)
def group(text: str) -> str:
    """The address as limits count it: IPv6 by the 64 bits that one household or machine gets."""
    address = literal(text)
    if isinstance(address, ipaddress.IPv6Address) and not address.is_link_local:
        return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)))
    return text if address is None else str(address)


# --- Settings -----------------------------------------------------------------------------------------------------------------


def checked_host(name: str) -> str:
    """A host name for which requests are answered."""
    try:
        plain = name if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        plain = ""
    found = host_and_port(f"[{plain}]" if ":" in plain and literal(plain) else plain)
    if found is None or found[1] is not None:
        raise BadOption(f"{name!r} is not a host name: write it without scheme and port, such as games.example.org")
    return found[0]


def checked_network(text: str) -> Network:
    """A trusted proxy: an address, or a network such as 10.0.0.0/8."""
    try:
        return ipaddress.ip_network(text.strip())
    except ValueError as error:
        raise BadOption(f"trusted proxy {text!r} is not an IP address or network: {error}") from None


def checked_public(text: str) -> tuple[str, str, int]:
    """The public address: scheme, host, port. It may name a folder."""
    wrong = BadOption(f"public address {text!r} is not of the form https://games.example.org or https://example.org/games")
    try:
        parts = urlsplit(text)
        found = origin_of(f"{parts.scheme}://{parts.netloc if text.isascii() else parts.netloc.encode('idna').decode()}")
    except (ValueError, UnicodeError):
        raise wrong from None
    if found is None or not ROOT_PATH.fullmatch(parts.path) or parts.query or parts.fragment:
        raise wrong
    return found
