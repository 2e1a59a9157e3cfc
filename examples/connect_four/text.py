"""What a person reads and types in Connect Four: codes, sentences, log lines and the board. Ordinary Python, no rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from perankh.engine.api import GameEvent, Words
from perankh.engine.text import explained, kind_and_numbers

from .rules import COLUMN_BITS, COLUMNS, ROWS, Event, Over, State, has_line

WORDS = Words(Path(__file__).with_name("words.toml"))

LETTERS = "abcdefgh"[:COLUMNS]
CODES = tuple(LETTERS)

# Every sign of the board is two columns wide in every terminal; narrow ones such as "●" are wide in some and not in others.
STONES = ("🔴", "🟡")
LINE_STONES = ("🟥", "🟨")
EMPTY = "・"
WIDE_LETTERS = "ａｂｃｄｅｆｇｈ"[:COLUMNS]


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
        return WORDS.say("log.drop", lang, seat=WORDS.seat_name(event.seat, lang), cell=f"{LETTERS[event.column]}{event.row + 1}")
    if event.kind == Event.LINE:
        return WORDS.say("log.line", lang, seat=WORDS.seat_name(event.seat, lang))
    return WORDS.say("log.full", lang)


def explain(s: State, name: str, viewer: int, lang: str) -> str:
    """What a sprite is for; the board explains itself by its words `explain.<kind>`."""
    kind, _ = kind_and_numbers(name)
    return explained(WORDS, kind, lang)


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
    return WORDS.say(key, lang, stone=STONES[s.turn], seat=WORDS.seat_name(s.turn, lang))


REASONS = ("for.three", "for.stops")


def reasons(s: State, p: int, a: int, events: Sequence[GameEvent], after: State | None) -> list[tuple[str, dict[str, int]]]:
    """What is true of p's stone: the cell stops a line of the other, or makes a third stone of lines that can become four."""
    cell = 1 << (COLUMN_BITS * a + s.height[a])
    found: list[tuple[str, dict[str, int]]] = []
    if has_line(s.stones[1 - p] | cell):
        found.append(("for.stops", {"seat": 1 - p}))
    threes = open_threes(s.stones[p] | cell, s.stones[1 - p]) - open_threes(s.stones[p], s.stones[1 - p])
    if threes > 0:
        found.append(("for.three", {"lines": threes}))
    return found


def open_threes(own: int, other: int) -> int:
    """Rows of four cells with three own stones and the fourth cell empty."""
    inside = sum(1 << (COLUMN_BITS * column + row) for column in range(COLUMNS) for row in range(ROWS))
    count = 0
    for distance in (1, COLUMN_BITS, COLUMN_BITS - 1, COLUMN_BITS + 1):
        for first in range(COLUMNS * COLUMN_BITS):
            line = sum(1 << (first + distance * n) for n in range(4))
            count += line & ~inside == 0 and line & other == 0 and (line & own).bit_count() == 3
    return count
