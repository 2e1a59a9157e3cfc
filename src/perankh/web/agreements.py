"""What the persons at a table have agreed on: its settings, a request that waits for their consent, and announcements."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field
from typing import Any

from perankh.web.levels import USUAL

ON_TIMEOUT = ("bot", "forfeit", "go_on")  # what happens to a seat whose time has run out
REQUESTS = ("undo", "time", "stand_in", "join", "vacation", "delete")
NOTICES = ("time_out", "time_back", "stand_in", "back", "left", "joined", "declined", "vacation", "resigned")  # what is announced
KEPT_NOTICES = 50


@dataclass(frozen=True)
class Settings:
    """How a table treats time-outs and absent persons, chosen when it is set up; who has which colour; and whether it teaches."""

    absence: float  # seconds after which a person counts as away
    on_timeout: str = "bot"
    stand_in: str = USUAL  # level of the bot that plays for persons who are absent, have left or have run out of time
    colours: tuple[int, ...] = ()  # which of the game's colours each seat has; empty: each its own
    lesson: str = ""  # "begun" while it teaches, by the game's lesson, "over" after that; empty: it never did
    practice: dict[str, Any] | None = None  # where its match was begun in the middle of another, as `web.practice` stores it
    late: tuple[int, ...] = ()  # of a match file that is shown: the seats that lost on time

    def __post_init__(self) -> None:
        for name in ("colours", "late"):  # stored as lists
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def json(self) -> dict[str, Any]:
        """The settings as they are stored."""
        return dict(vars(self))

    def shown(self) -> dict[str, Any]:
        """The settings as views show them: of practice only from where on, and whether the hidden part was drawn anew."""
        shown = {name: value for name, value in self.json().items() if name != "late"}  # the result has it
        if self.practice is None:
            return shown
        number, seat, seed = self.practice["redeals"][-1]
        return shown | {"practice": {"number": number, "seat": seat, "known": seed is not None}}


@dataclass
class Request:
    """Something that the other persons at a table have to agree to."""

    what: str  # one of REQUESTS
    by: str  # digest of the token of whoever asks
    asked_by: int | None  # the seat of whoever asks; None: a newcomer
    seat: int  # the seat it is about
    number: int  # moves made when it was asked
    name: str = ""  # a newcomer's
    agreed: list[int] = field(default_factory=list)  # seats whose persons have agreed
    id: str = field(default_factory=lambda: secrets.token_hex(4))
    days: int = 0  # of a vacation

    def json(self) -> dict[str, Any]:
        """The request as it is stored."""
        return asdict(self)


@dataclass(frozen=True)
class Notice:
    """An announcement to everybody at the table."""

    id: int
    what: str  # one of NOTICES
    seat: int
    number: int  # moves made then
    name: str  # of the person it is about
    bot: str | None = None
    days: int = 0  # of a vacation

    def json(self) -> dict[str, Any]:
        """The notice as it is stored and shown."""
        return dict(vars(self))
