"""The log, made from events: a line for what one reads as one happening."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from perankh.engine.text import listed

from ..rules.components import EYE
from ..rules.events import Event
from ..rules.state import Ending, Hands, RuleSet, State
from .names import SLOT_LETTERS, WORDS, bid_name, kind_name, lot_name, millimetres, points_name, seat_name, seconds
from .names import spilled_text, tokens_name
from .prompts import winners_text

CONTINUED = {  # events that are told in the line of another
    *(Event.SHOWN, Event.REVEALED, Event.HAND_DOWN, Event.HAND_UP, Event.TOPPLED, Event.FELL, Event.RIM, Event.MASK_LAID),
    *(Event.SET_COMPLETED,),
}


def log_lines(s: State, events: Sequence[Any], viewer: int, lang: str) -> list[str]:
    """The lines that tell one move."""
    log = Log(s, events, lang)
    return [line for i, event in enumerate(events) if event.kind not in CONTINUED for line in log.lines(i, event)]


class Log:
    """The events of one move, and the state after it, in a language."""

    def __init__(self, s: State, events: Sequence[Any], lang: str) -> None:
        self.s = s
        self.events = events
        self.lang = lang

    def lines(self, i: int, event: Any) -> list[str]:
        """The lines of one event, with those that belong to it."""
        method = getattr(self, event.kind.name.lower(), None)
        if method is None:
            who = seat_name(event.seat, self.lang) if event.seat >= 0 else ""
            return [WORDS.say(f"log.{event.kind.name.lower()}", self.lang, who=who, **self.named(event))]
        text = method(i, event)
        return [text] if isinstance(text, str) and text else list(text)
