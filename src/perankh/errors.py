"""The errors that people can meet. Each message is one line that names the cause."""

from __future__ import annotations


class PerankhError(Exception):
    """Base class of all errors about bad input; the command line prints them without a traceback."""


class UnknownGame(PerankhError):
    """No game of that name or path."""


class BadOption(PerankhError):
    """An option, a player count or a seed that a game does not accept."""


class BadComponents(PerankhError):
    """Printed numbers that cannot be used: names the file, the table and what is wrong.

    `table` and `key` say where the fault is ("" where it concerns no single one), `reason` what it is, in each language.
    """

    def __init__(self, message: str, table: str = "", key: str = "", reason: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.table = table
        self.key = key
        self.reason = reason or {"en": message, "ja": message}


class BadGame(PerankhError):
    """A game folder that does not fulfil the contract; the message says what to add."""


class BadFile(PerankhError):
    """A match file that is damaged, was changed by hand, or belongs to other rules."""


class MoveError(PerankhError):
    """A move that was refused. `reason` holds the sentence in each language."""

    def __init__(self, message: str, reason: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.reason = reason or {"en": message, "ja": message}


class InvalidMove(MoveError):
    """Text that means no move of this game."""


class IllegalMove(MoveError):
    """A move of this game that is not allowed now."""


class IllegalAction(PerankhError):
    """Actions that a batch of games refuses: the message names slot, seat and action."""


class AmbiguousMove(MoveError):
    """Text that fits several legal moves."""


class MissingPackage(PerankhError, ImportError):
    """A package that an optional part needs is not installed."""
