"""Refusals of the table: a status and the reason in every language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perankh.engine.words import LANGUAGES, Words
from perankh.errors import PerankhError

WORDS = Words(Path(__file__).with_name("refusals.toml"))
LONGEST_REASON = 300


class Refused(PerankhError):
    """A request that the table does not grant: HTTP status, reason by language, and facts for programs."""

    def __init__(self, status: int, reason: dict[str, str], **facts: Any) -> None:
        self.status = status
        self.reason = {lang: clean(text) for lang, text in reason.items()}
        self.facts = facts
        super().__init__(self.reason["en"])

    def json(self) -> dict[str, Any]:
        """The answer as plain values."""
        return {"error": self.reason["en"], "reason": self.reason, **self.facts}


def refused(status: int, key: str, **facts: Any) -> Refused:
    """A refusal in the words of refusals.toml; `facts` fill the blanks."""
    return Refused(status, {lang: WORDS.say(key, lang, **facts) for lang in LANGUAGES})


def because(status: int, error: Exception) -> Refused:
    """A refusal with the text of an error."""
    reason = getattr(error, "reason", None)
    return Refused(status, reason if isinstance(reason, dict) else dict.fromkeys(LANGUAGES, str(error)))


def clean(text: str) -> str:
    """A text that can be sent: no broken characters, not too long."""
    sendable = text.encode("utf-8", "replace").decode()
    return sendable if len(sendable) <= LONGEST_REASON else sendable[:LONGEST_REASON] + "..."
