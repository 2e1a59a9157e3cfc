"""What a person reads and types in Connect Four: codes, sentences, log lines and the board. Ordinary Python, no rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from perankh.engine.api import GameEvent, Words

from .rules import COLUMN_BITS, COLUMNS, ROWS, Event, Over, State

WORDS = Words(Path(__file__).with_name("words.toml"))

LETTERS = "abcdefgh"[:COLUMNS]
CODES = tuple(LETTERS)

# Every sign of the board is two columns wide in every terminal; narrow ones such as "●" are wide in some and not in others.
STONES = ("🔴", "🟡")
LINE_STONES = ("🟥", "🟨")
EMPTY = "・"
WIDE_LETTERS = "ａｂｃｄｅｆｇｈ"[:COLUMNS]


def seat_name(p: int, lang: str) -> str:
    """The colour of a seat."""
    return WORDS.say(f"seat.{p}", lang)


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    return WORDS.say("prompt", lang)


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    return WORDS.say("sentence", lang, column=LETTERS[a])


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not allowed now: there is one reason only."""
    return WORDS.say("refusal", lang, column=LETTERS[a], rows=s.height[a])


def log_lines(s: State, events: Sequence[GameEvent], viewer: int, lang: str) -> list[str]:
    """What happened in one move."""
    return [line for event in events if (line := log_line(event, lang))]


def log_line(event: GameEvent, lang: str) -> str:
    """What one event says."""
    if event.kind == Event.DROPPED:
        return WORDS.say("log.drop", lang, seat=seat_name(event.seat, lang), cell=f"{LETTERS[event.column]}{event.row + 1}")
    if event.kind == Event.LINE:
        return WORDS.say("log.line", lang, seat=seat_name(event.seat, lang))
    return WORDS.say("log.full", lang)


def board(s: State, viewer: int, lang: str) -> str:
    """The board as text, the top row first. Square stones are those of a line."""
    lines = [line_cells(s.stones[p]) for p in range(2)]
    rows = []
    for row in reversed(range(ROWS)):
        cells = "".join(cell(s, lines, COLUMN_BITS * column + row) for column in range(COLUMNS))
        rows.append(f"{row + 1} |{cells}|")
    edge = "  +" + "-" * (2 * COLUMNS) + "+"
    return "\n".join([*rows, edge, f"   {WIDE_LETTERS}", "", "  " + standing(s, lang)])


def cell(s: State, lines: list[int], bit: int) -> str:
    """The sign of one cell."""
    for p in range(2):
        if s.stones[p] >> bit & 1:
            return LINE_STONES[p] if lines[p] >> bit & 1 else STONES[p]
    return EMPTY


def line_cells(stones: int) -> int:
    """The stones that are part of four in a row, as bits."""
    cells = 0
    for distance in (1, COLUMN_BITS, COLUMN_BITS - 1, COLUMN_BITS + 1):
        starts = stones & stones >> distance & stones >> 2 * distance & stones >> 3 * distance
        cells |= starts | starts << distance | starts << 2 * distance | starts << 3 * distance
    return cells


def standing(s: State, lang: str) -> str:
    """Whose turn it is, or how the game ended."""
    if s.over == Over.FULL:
        return WORDS.say("board.drawn", lang)
    key = "board.won" if s.over == Over.LINE else "board.turn"
    return WORDS.say(key, lang, stone=STONES[s.turn], seat=seat_name(s.turn, lang))
