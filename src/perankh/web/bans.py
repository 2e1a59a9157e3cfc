"""Networks that the host does not let in: stored by `perankh admin ban`, and looked at by every request."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.errors import BadOption
from perankh.web import storage
from perankh.web.site import Network, group, is_within

WIDEST = {4: 8, 6: 16}  # bits of the largest network that can be banned


class Bans:
    """The bans in force in a running server."""

    def __init__(self) -> None:
        self.networks: tuple[Network, ...] = ()

    def cover(self, address: str) -> bool:
        """Is an address, or the network that limits count it by, banned?"""
        if not self.networks:
            return False
        return is_within(address.partition("/")[0], self.networks)


def checked_ban(text: str) -> Network:
    """A network to be banned. One IPv6 address stands for the 64 bits that its owner has."""
    try:
        network = ipaddress.ip_network(group(text.strip()))
    except ValueError as error:
        raise BadOption(f"{text!r} is not an IP address or network: {error}") from None
    if network.is_loopback or network.is_unspecified:
        raise BadOption(f"{text!r} is this computer, or a proxy on it: banning it would shut out everybody")
    if network.prefixlen < WIDEST[network.version]:
        raise BadOption(f"{text!r} is too wide: a network of at least {WIDEST[network.version]} bits is needed")
    return network


def insert_ban(connection: Connection, network: Network, reason: str, until: float | None) -> None:
    """Ban a network; a ban that is there is replaced."""
    delete_ban(connection, network)
    facts = {"network": str(network), "reason": reason, "created": time.time(), "until": until}
    connection.execute(storage.bans.insert().values(**facts))


def delete_ban(connection: Connection, network: Network) -> bool:
    """Lift a ban; was there one?"""
    return bool(connection.execute(storage.bans.delete().where(storage.bans.c.network == str(network))).rowcount)


def select_bans(connection: Connection) -> Sequence[Any]:
    """The bans in force, oldest first."""
    kept = storage.bans
    in_force = sa.or_(kept.c.until.is_(None), kept.c.until > time.time())
    return connection.execute(sa.select(kept).where(in_force).order_by(kept.c.created)).all()
