"""The deal of a table: who has started with which contribution, and the seed that follows when everybody has."""

from __future__ import annotations

import json
import secrets
from functools import cached_property
from typing import Any

from perankh.errors import BadOption
from perankh.match.deal import BYTES, PLAYER, Contribution, Deal, bytes_of, commitment_to, contributions_of, server_contribution
from perankh.web.refusal import refused


class TableDeal:
    """A secret drawn when the table was set up, and the contributions by seat; None for a seat that has not started."""

    def __init__(self, secret: bytes, contributions: list[Contribution | None], seed: int | None = None) -> None:
        self.secret = secret
        self.contributions = contributions
        self.given_seed = seed  # tests may fix the seed; then nothing follows from the contributions

    @classmethod
    def fresh(cls, players: int, seed: int | None = None) -> TableDeal:
        """A deal to which nobody has contributed."""
        return cls(secrets.token_bytes(BYTES), [None] * players, seed)

    @cached_property
    def commitment(self) -> str:
        """What everybody may see of the secret at once."""
        return commitment_to(self.secret)

    @property
    def is_complete(self) -> bool:
        """Has every seat started?"""
        return None not in self.contributions

    def contribute(self, p: int, value: bytes | None) -> None:
        """Seat p starts, with a contribution of its own or the server's. Once: what was given stands until the seat is left."""
        given = self.contributions[p]
        wanted = server_contribution(self.secret, p) if value is None else Contribution(PLAYER, value)
        if given is not None and given != wanted and value is not None:
            raise refused(409, "contributed")
        self.contributions[p] = given or wanted

    def withdraw(self, p: int) -> None:
        """Somebody else is on seat p, or nobody: it has not started."""
        self.contributions[p] = None

    def made(self) -> Deal | None:
        """The deal that all have made; None if the seed was given."""
        if self.given_seed is not None:
            return None
        return Deal(self.secret, tuple(contribution for contribution in self.contributions if contribution))

    def facts(self, reveal: bool) -> dict[str, Any]:
        """The deal as everybody may see it; the secret once it may be revealed."""
        return {
            "commitment": self.commitment,
            "seed_given": self.given_seed is not None,
            "contributions": [given and {"by": given.by, "value": given.value.hex()} for given in self.contributions],
            "secret": self.secret.hex() if reveal else None,
        }

    def json(self) -> str:
        """The deal as it is stored."""
        rows = [given and [given.by, given.value.hex()] for given in self.contributions]
        seed = None if self.given_seed is None else f"{self.given_seed:032x}"
        return json.dumps({"secret": self.secret.hex(), "contributions": rows, "seed": seed})

    @classmethod
    def from_json(cls, text: str, players: int) -> TableDeal:
        """A stored deal."""
        stored = json.loads(text)
        rows = [contributions_of([row])[0] if row else None for row in stored["contributions"]]
        if len(rows) != players:
            raise ValueError(f"{len(rows)} contributions for {players} seats")
        return cls(bytes_of(stored["secret"]), rows, None if stored["seed"] is None else int(stored["seed"], 16))

    @classmethod
    def of(cls, deal: Deal) -> TableDeal:
        """The deal of a match file."""
        return cls(deal.secret, list(deal.contributions))


def checked_contribution(text: str | None) -> bytes | None:
    """A contribution that came with a request."""
    if text is None:
        return None
    try:
        return bytes_of(text)
    except BadOption:
        raise refused(422, "bad_contribution") from None
