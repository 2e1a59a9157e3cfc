"""What a person reads and types. Ordinary Python: it is given states without what the viewer may not know."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from perankh.engine.api import GameEvent, Words

from .rules import MOST_TAKEN, Event, State

WORDS = Words(Path(__file__).with_name("words.toml"))
CODES = tuple(f"take{count}" for count in range(1, MOST_TAKEN + 1))


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide."""
    return WORDS.say("prompt", lang, stones=s.stones)


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    return WORDS.say("sentence", lang, count=a + 1)


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not allowed now."""
    return WORDS.say("refusal", lang, stones=s.stones)


def log_lines(s: State, events: Sequence[GameEvent], viewer: int, lang: str) -> list[str]:
    """What happened in a move."""
    return [log_line(event, lang) for event in events]


def log_line(event: GameEvent, lang: str) -> str:
    """One event in words."""
    player = WORDS.seat_name(event.seat, lang)
    if event.kind == Event.TOOK:
        return WORDS.say("log.took", lang, player=player, count=event.count, left=event.left)
    return WORDS.say("log.won", lang, player=player)


def board(s: State, viewer: int, lang: str) -> str:
    """The table as plain text. As long as there is no drawing.py, the browser shows it too."""
    heap = "o " * s.stones or "-"
    turn = WORDS.say("board.turn" if s.stones else "board.won", lang, player=WORDS.seat_name(s.turn, lang))
    return f"{WORDS.say('board.heap', lang, stones=s.stones)}\n\n  {heap}\n\n{turn}"
