"""How a seed is drawn by several hands: from a secret that somebody has committed to, and a contribution for every seat.

The commitment is shown before anybody contributes, so whoever knows the secret cannot fit it to the contributions; whoever
contributes does not know the secret. docs/api.md describes the calculation for programs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from perankh.errors import BadOption

BYTES = 32  # of a secret and of a contribution
SEED_BYTES = 16
SEAT_DOMAIN = b"perankh contribution\n"
SEED_DOMAIN = b"perankh deal\n"
SERVER, PLAYER = "server", "player"


class Contribution(NamedTuple):
    """What one seat adds to a deal, and whether its player chose it or the server derived it from its secret."""

    by: str
    value: bytes


def commitment_to(secret: bytes) -> str:
    """What is shown of a secret before anybody contributes."""
    return hashlib.sha256(secret).hexdigest()


def server_contribution(secret: bytes, seat: int) -> Contribution:
    """The contribution of a seat whose player gives none: it follows from the secret, so the commitment binds it too."""
    return Contribution(SERVER, hashlib.sha256(SEAT_DOMAIN + secret + bytes([seat])).digest())


@dataclass(frozen=True)
class Deal:
    """A secret, and the contributions by seat."""

    secret: bytes
    contributions: tuple[Contribution, ...]

    @property
    def commitment(self) -> str:
        """The hash of the secret."""
        return commitment_to(self.secret)

    @property
    def seed(self) -> int:
        """The seed that follows: the first 128 bits of a hash over everything."""
        values = b"".join(contribution.value for contribution in self.contributions)
        return int.from_bytes(hashlib.sha256(SEED_DOMAIN + self.secret + values).digest()[:SEED_BYTES])

    def check(self, commitment: str, seed: int) -> None:
        """Raise what does not fit together."""
        if self.commitment != commitment:
            raise BadOption("the secret is not the one that was committed to")
        for seat, contribution in enumerate(self.contributions):
            if contribution.by == SERVER and contribution != server_contribution(self.secret, seat):
                raise BadOption(f"the server's contribution for seat {seat} does not follow from the secret")
        if self.seed != seed:
            raise BadOption("the seed does not follow from the secret and the contributions")

    @property
    def players(self) -> list[int]:
        """The seats whose players contributed themselves."""
        return [seat for seat, contribution in enumerate(self.contributions) if contribution.by == PLAYER]


def bytes_of(text: str) -> bytes:
    """The 32 bytes written as 64 lower-case hexadecimal digits."""
    if len(text) != 2 * BYTES or not set(text) <= set("0123456789abcdef"):
        raise BadOption(f"{2 * BYTES} hexadecimal digits are needed")
    return bytes.fromhex(text)


def contributions_of(rows: Sequence[tuple[str, str]]) -> tuple[Contribution, ...]:
    """Contributions from pairs of author and hexadecimal digits."""
    for by, _ in rows:
        if by not in (SERVER, PLAYER):
            raise BadOption(f"a contribution is by {SERVER!r} or {PLAYER!r}, not {by[:20]!r}")
    return tuple(Contribution(by, bytes_of(value)) for by, value in rows)
