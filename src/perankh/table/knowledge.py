"""Who knows what: where each seat last decided, whether somebody has learned something since, which choices are secret."""

from __future__ import annotations

from itertools import islice
from typing import Any

from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.match.match import Match


def nothing_learned(game: Game, before: Record, now: Record, p: int) -> bool:
    """Was nothing drawn between two states, and nothing shown to p that was hidden from p?"""
    if (before.chance_block, before.chance_used) != (now.chance_block, now.chance_used):
        return False
    seen_before, seen_now = game.veiled(before, p), game.veiled(now, p)
    for name in game.rules.HIDDEN:
        rows = zip(*(flat(getattr(state, name)) for state in (before, seen_before, now, seen_now)), strict=True)
        if any(true != shown and true_now == shown_now for true, shown, true_now, shown_now in rows):
            return False
    return True


def flat(value: Any) -> list[int]:
    """The numbers of a field in one row."""
    if not isinstance(value, list):
        return [value]
    return [number for row in value for number in (row if isinstance(row, list) else [row])]


def marks_of(match: Match) -> dict[int, tuple[int, Record]]:
    """By seat: number and state before its last decision, by replay."""
    marks = {}
    for number, ((p, _), state) in enumerate(zip(match.played, match.states(), strict=False)):
        marks[p] = (number, state)
    return marks


def hidden_choices(match: Match) -> bool:
    """Was there a move of which a spectator cannot say what it was? Then the list of moves is a secret while the match runs."""
    game = match.game
    if not game.rules.HIDDEN:
        return False
    for (p, a), before, after in zip(match.played, match.states(), islice(match.states(), 1, None), strict=False):
        seen = game.veiled(after, -1)
        for other in game.legal(before, p):
            world = before.copy()
            game.rules.apply(world, p, other)
            if other != a and game.veiled(world, -1) == seen:
                return True
    return False
