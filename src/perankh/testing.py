"""Helpers for the tests of a game, in this package or outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def clause(*ids: str) -> Callable[[F], F]:
    """Name the clauses of the rule specification that a test covers. The check `clauses` reads them from the source."""

    def mark(test: F) -> F:
        test.clauses = (*getattr(test, "clauses", ()), *ids)  # type: ignore[attr-defined]
        return test

    return mark
