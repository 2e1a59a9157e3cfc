"""The seats of a table: who plays them, and who may change what about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from perankh.bots import BOTS
from perankh.errors import BadOption
from perankh.match.match import checked_names
from perankh.web.refusal import because, refused

DEFAULT_BOT = "scribe"
KINDS = ("person", "open", "bot")


@dataclass
class Seat:
    """Who plays a seat. A bot's seat that has an owner was handed over and can be taken back."""

    kind: str  # one of KINDS
    owner: str | None = None
    bot: str | None = None
    name: str = ""

    def at_next_table(self) -> Seat:
        """The seat at the table of a rematch; an owner who handed his seat to a bot plays himself again."""
        return Seat("person", self.owner, None, self.name) if self.owner else Seat(self.kind, None, self.bot, self.name)


def checked_name(name: str) -> str:
    """A name fit to be shown."""
    try:
        return checked_names([name], 1)[0]
    except BadOption as error:
        raise because(422, error) from None


def checked_bot(bot: str | None) -> str:
    """The name of a bot that exists; the default for none."""
    if bot is not None and bot not in BOTS:
        raise refused(422, "no_bot", bot=bot, bots=", ".join(BOTS))
    return bot or DEFAULT_BOT


def seats_wanted(who: str, players: int, wanted: list[dict[str, Any]] | None, hot_seat: bool) -> list[Seat]:
    """The seats of a new table: the first for oneself and the others open, unless something else is asked for."""
    if wanted is None:
        return [Seat("person", who), *(Seat("open") for _ in range(players - 1))]
    if len(wanted) != players:
        raise refused(422, "seats_count", players=players)
    seats = []
    for seat in wanted:
        name = checked_name(seat.get("name") or "")
        if seat["kind"] == "me":
            seats.append(Seat("person", who, None, name))
        elif seat["kind"] == "bot":
            seats.append(Seat("bot", None, checked_bot(seat.get("bot") or None), name))
        else:
            seats.append(Seat("open", name=name))
    if not hot_seat and sum(seat.owner is not None for seat in seats) > 1:
        raise refused(422, "hot_seat")
    return seats
