"""What worker processes find by replaying matches: earlier positions, log lines, decisions.

A match is given by a state and the moves from there on. States arrive whole; what leaves a process is veiled for its viewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from perankh.bots import game_at, restored
from perankh.bots.analysis import decisions
from perankh.engine.events import redacted
from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.engine.words import seats_called
from perankh.match.archive import ArchivedMatch
from perankh.match.file import parse, text_of
from perankh.match.match import Match
from perankh.web import rendering
from perankh.web.secrecy import open_moves

Moves = Sequence[tuple[int, int]]


def state_after(folder: str, record: bytes, moves: Moves) -> tuple[Game, Record]:
    """A game, and the state after legal moves."""
    game, state = restored(folder, record)
    for p, action in moves:
        game.apply(state, p, action)
    return game, state


def record_after(folder: str, record: bytes, moves: Moves) -> bytes:
    """The bytes of the state after legal moves."""
    return state_after(folder, record, moves)[1].to_bytes()


def decision_numbers(folder: str, record: bytes, moves: Moves) -> list[int]:
    """The numbers of the moves at which there was a choice."""
    game, state = restored(folder, record)
    return [number for number, *_ in decisions(game, state, list(moves))]


def look_back(
    folder: str, record: bytes, moves: Moves, events: list[Any], wanted: rendering.Wanted, facts: dict[str, Any]
) -> dict[str, Any]:
    """The parts of a view of the position after some moves; `events` are those of the last move, the rest as for `render`."""
    game, state = state_after(folder, record, moves)
    seen, led = game.veiled(state, wanted.viewer), [game.event(row) for row in events]
    make = rendering.parts_of_archive if facts["archived"] else rendering.parts
    made = make(game, seen, led, wanted, facts["seats"], facts["moved"])
    return made | rendering.public_words(game, facts, wanted.lang)


def explanation(
    folder: str, record: bytes, moves: Moves, viewer: int, under: list[str], lang: str, shape: str, seats: rendering.Seats
) -> dict[str, str] | None:
    """What a sprite of the position after some moves is for; the rest as for `rendering.explanation`."""
    game, state = state_after(folder, record, moves)
    return rendering.explained(game, game.veiled(state, viewer), viewer, under, lang, shape, seats)


def log_lines(
    folder: str, record: bytes, moves: Moves, skipped: int, viewer: int, lang: str, names: tuple[str, ...]
) -> list[tuple[list[str], bool]]:
    """The log lines of moves, and whether each was forced, without those of the first `skipped`."""
    game, state = restored(folder, record)
    lines = []
    for number, (p, action) in enumerate(moves):
        forced = number >= skipped and p == viewer and len(game.legal(state, p)) == 1
        events = game.apply(state, p, action)
        if number >= skipped:
            with seats_called(names):
                told = game.text.log_lines(game.veiled(state, viewer), redacted(events, viewer), viewer, lang)
            lines.append((told, forced))
    return lines


def archived_lines(
    match: ArchivedMatch, first: int, last: int, viewer: int, lang: str, names: tuple[str, ...]
) -> list[tuple[list[str], bool]]:
    """The same of a match that was played under other rules; a move that the texts cannot tell any more is told by its code."""
    lines: list[tuple[list[str], bool]] = []
    for number, events in enumerate(match.events(viewer, first, last), first):
        state, p = match.path_to(number + 1)[0], match.played[number][0]
        try:
            with seats_called(names):
                told = match.game.text.log_lines(match.game.veiled(state, viewer), events, viewer, lang)
        except Exception:
            told = []
        lines.append((told or [f"{names[p]}: {match.codes[number]}"], match.forced(number) and p == viewer))
    return lines


# --- Whole matches ------------------------------------------------------------------------------------------------------------


def match_in(text: str, folder: str) -> Match:
    """The match in the text of a match file of a game."""
    return parse(text, game=game_at(folder))


def file_text(match: Match, reveal: bool, first: int) -> tuple[int, str | None]:
    """How many moves are no secret, of which the first are known to be none; and the match file, if it is all of them."""
    count = match.number if reveal else open_moves(match, first)
    return count, text_of(match, reveal) if count == match.number else None
