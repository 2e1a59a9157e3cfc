"""The addresses at which others reach this server: in the same network (near) and from anywhere (far).

A loopback address is one for nobody else, and is never among them.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import psutil

from perankh.web.site import EVERYWHERE, PORTS, Address, Site, host_and_port, literal

MOST_NEAR = 3  # addresses that are shown; the best come first
INSIDE = (
    "docker",
    "br-",
    "veth",
    "virbr",
    "vmnet",
    "vboxnet",
    "lxc",
    "lxd",
    "podman",
    "cni",
    "flannel",
    "kube",
)  # bridges to containers
SHARED = ipaddress.ip_network("100.64.0.0/10")  # private networks over the internet use these


@dataclass(frozen=True)
class Interface:
    """An address of this computer in a network, and the name of the network card or tunnel."""

    name: str
    address: str

    @property
    def literal(self) -> Address:
        """The address as a number."""
        found = literal(self.address.partition("%")[0])
        assert found is not None
        return found

    @property
    def rank(self) -> tuple[int, int, str]:
        """Interfaces whose address others can most likely use come first: home networks, then tunnels."""
        address = self.literal
        order = ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12")
        place = [number for number, text in enumerate(order) if address in ipaddress.ip_network(text)]
        return address.version, place[0] if place else len(order), self.name


def interfaces(found: Mapping[str, Iterable[Any]] | None = None, states: Mapping[str, Any] | None = None) -> list[Interface]:
    """The addresses of this computer that others may use: of networks that are up, and neither loopback nor of containers.

    `found` and `states` are what psutil says of the network cards.
    """
    found = psutil.net_if_addrs() if found is None else found
    states = psutil.net_if_stats() if states is None else states
    listed = []
    for name, addresses in found.items():
        if name.startswith(INSIDE) or (name in states and not states[name].isup):
            continue
        for one in addresses:
            if one.family in (socket.AF_INET, socket.AF_INET6):
                address = literal(one.address.partition("%")[0])
                if address and not (
                    address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast
                ):
                    listed.append(Interface(name, str(address)))
    return sorted(listed, key=lambda interface: interface.rank)


def is_far(address: Address) -> bool:
    """Is an address one that people anywhere can reach?"""
    return address.is_global and address not in SHARED if address.version == 4 else address.is_global


def written(host: str, port: int, scheme: str = "http") -> str:
    """An address for a browser, without a slash at the end."""
    name = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"{scheme}://{name}" + ("" if port == PORTS[scheme] else f":{port}")


def is_loopback(host: str) -> bool:
    """Does a host name or address mean the computer itself?"""
    address = literal(host)
    return host.lower() == "localhost" or (address is not None and address.is_loopback)


@dataclass
class Reach:
    """Where this server listens, and so where others find it. `cards`: the interfaces of the computer, as they are now."""

    site: Site
    host: str
    port: int
    cards: Callable[[], list[Interface]] = interfaces
    opened: list[str] = field(default_factory=list)  # addresses at which it listens besides, since somebody was invited
    listen: Callable[[str], Awaitable[None]] | None = None  # makes the server listen at one more address

    @property
    def own(self) -> str:
        """The address for a browser on this computer."""
        return written("127.0.0.1" if self.host in EVERYWHERE else self.host, self.port)

    def listening(self) -> list[Interface]:
        """The interfaces at which the server answers others."""
        cards = self.cards()
        if self.host in EVERYWHERE:
            return [card for card in cards if self.host == "::" or card.literal.version == 4]
        return [card for card in cards if card.address in (self.host, *self.opened)]

    def near(self) -> list[str]:
        """Addresses for those in the same network, the best first."""
        if self.host not in EVERYWHERE and literal(self.host) is None and not is_loopback(self.host):
            return [written(self.host, self.port)]  # a name
        found = [written(card.address, self.port) for card in self.listening() if not is_far(card.literal) and self.answers(card)]
        four = [address for address in found if "[" not in address]
        return (four or found)[:MOST_NEAR]

    def far(self) -> list[str]:
        """Addresses for those anywhere."""
        if self.site.origin:
            scheme, host, port = self.site.origin
            return [] if is_loopback(host) else [written(host, port, scheme) + self.site.root]
        return [written(card.address, self.port) for card in self.listening() if is_far(card.literal)][:MOST_NEAR]

    def answers(self, card: Interface) -> bool:
        """Is the address a name of the server?"""
        return self.site.knows(written(card.address, self.port).partition("://")[2])

    def to_open(self) -> list[Interface]:
        """The interfaces of near networks at which the server could listen besides, while it listens to this computer only."""
        if self.listen is None or self.site.origin or not is_loopback(self.host):
            return []
        near = [card for card in self.cards() if not is_far(card.literal) and card.address not in self.opened]
        four = [card for card in near if card.literal.version == 4]
        return (four or near)[:MOST_NEAR]

    async def open(self) -> None:
        """Listen to the near networks too, until the server stops."""
        assert self.listen
        for card in self.to_open():
            await self.listen(card.address)
            self.opened.append(card.address)
            self.site.any_address = True

    def links(self, asked: str, scheme: str) -> list[tuple[str, str]]:
        """Where others find the server: `near` or `far`, and the address. `asked`: the Host under which the reader has come."""
        links = [("far", address) for address in self.far()] + [("near", address) for address in self.near()]
        parts = host_and_port(asked)
        if parts and not self.site.origin and not is_loopback(parts[0]):
            # Whoever reads this has come under this name, so it works; perhaps through a proxy that nobody has told us of.
            mine, known = written(parts[0], parts[1] or PORTS[scheme], scheme), literal(parts[0])
            near = is_near_name(parts[0]) if known is None else not is_far(known)
            others = [
                link for link in links if link[1] != mine and (near or link[0] == "far")
            ]  # a stranger is told nothing of our networks
            links = [("near" if near else "far", mine), *others]
        return links


def is_near_name(name: str) -> bool:
    """Is this a host name of a home network?"""
    return "." not in name or name.endswith((".local", ".lan", ".home", ".internal"))
