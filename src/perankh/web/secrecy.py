"""Who knows what: where each seat last decided, whether somebody has learned something since, which choices are secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from perankh.engine.game import Game
from perankh.engine.sets import WORD_BITS, words_for
from perankh.engine.state import Record
from perankh.match.match import Match

WORLDS = 8  # a choice of two equally likely ones goes unnoticed once in 256 cases


def nothing_learned(game: Game, before: Record, now: Record, p: int) -> bool:
    """Was nothing drawn between two states, and nothing shown to p that was hidden from p?"""
    if (before.chance_block, before.chance_used) != (now.chance_block, now.chance_used):
        return False
    return unknown(game, before, p) <= unknown(game, now, p)


def unknown(game: Game, state: Record, p: int) -> set[tuple[Any, int]]:
    """What p does not know of a state: numbers by their place, and members of sets, that are not where p sees them."""
    found: set[tuple[Any, int]] = set()
    seen = game.veiled(state, p)
    for name in game.hidden:
        if getattr(state, name) == getattr(seen, name):
            continue
        field = game.State.fields[name]
        for place, (true, shown) in enumerate(zip(flat(getattr(state, name)), flat(getattr(seen, name)), strict=True)):
            if true == shown:
                continue
            if not field.members:
                found.add((name, place))
            else:  # the place is a word of a set; a member is the same in all sets of its kind
                first = WORD_BITS * (place % words_for(field.members))
                found |= {(field.members, first + bit) for bit in range(WORD_BITS) if (true ^ shown) >> bit & 1}
    return found


def flat(value: Any) -> list[int]:
    """The numbers of a field in one row."""
    if not isinstance(value, list):
        return [value]
    return [number for row in value for number in (row if isinstance(row, list) else [row])]


def marks_of(match: Match) -> dict[int, tuple[int, Record]]:
    """By seat: number and state before the last decision at which it had a choice."""
    found: dict[int, tuple[int, Record]] = {}
    seats = {p for p, _ in match.played}
    for number in range(match.number - 1, -1, -1):
        p = match.played[number][0]
        if p not in found:
            state = match.at(number).state
            if len(match.game.legal(state, p)) > 1:
                found[p] = (number, state)
        if len(found) == len(seats):
            break
    return found


def applied(game: Game, state: Record, p: int, action: int) -> Record:
    """The state after an action."""
    after = state.copy()
    game.apply(after, p, action)
    return after


def sealed(game: Game, before: Record, p: int, action: int, viewer: int) -> bool:
    """Can a viewer not tell what p did? So it is if another choice, in any world the viewer thinks possible, looks the same.

    The true world alone would not do: where p had one card left, that there was no other choice would itself give it away.
    """
    seen = game.veiled(applied(game, before, p, action), viewer)
    return any(
        game.veiled(applied(game, world, p, other), viewer) == seen
        for world in possible_worlds(game, before, viewer)
        for other in game.legal(world, p)
        if other != action
    )


def possible_worlds(game: Game, state: Record, viewer: int) -> Iterator[Record]:
    """The true world, and others that a viewer cannot tell from it; chance goes on in the same way in all of them."""
    yield state
    if game.hidden:
        seen = game.veiled(state, viewer)
        for seed in range(WORLDS):
            world = game.redealt(seen, seed)
            world.chance_key, world.chance_pool = list(state.chance_key), list(state.chance_pool)
            world.chance_block, world.chance_used = state.chance_block, state.chance_used
            yield world


def open_moves(match: Match, first: int = 0) -> int:
    """How many moves a spectator knows, up to the first of which a spectator cannot say what it was; `first` are known to be so.

    If it is not all of them, the list of moves is a secret while the match runs.
    """
    game = match.game
    if not game.hidden:
        return match.number
    made = enumerate(zip(match.played[first:], match.positions(first), strict=False), first)
    return next((number for number, ((p, a), before) in made if sealed(game, before.state, p, a, -1)), match.number)


def same_decision(game: Game, state: Record, p: int, moves: Sequence[tuple[int, int]]) -> bool:
    """Does p, who decides in a state, still face the same decision after moves of others, all of them sealed to p?"""
    if p not in game.actors(state):
        return False
    choices = game.legal(state, p)
    for q, action in moves:
        if q == p or not sealed(game, state, q, action, p):
            return False
        state = applied(game, state, q, action)
        if p not in game.actors(state) or game.legal(state, p) != choices:
            return False
    return True


def can_be_left_out(game: Game, before: Record, moves: Sequence[tuple[int, int]]) -> bool:
    """Could the first of some moves as well not have been made? It was a choice of one seat among several at the same time,
    still sealed to all others, and what they chose since is sealed to that seat."""
    (p, action), *since = moves
    if not game.hidden or game.actors(before) == [p]:
        return False
    now = applied(game, before, p, action)
    for q, other in since:
        if not sealed(game, now, q, other, p):
            return False
        game.apply(now, q, other)
    choices = [other for other in game.legal(before, p) if other != action]
    worlds = [world for other in choices if (world := replayed(game, before, [(p, other), *since]))]
    for viewer in (-1, *(q for q in range(before.players) if q != p)):
        seen = game.veiled(now, viewer)
        if not any(game.veiled(world, viewer) == seen for world in worlds):
            return False
    return replayed(game, before, since) is not None


def replayed(game: Game, state: Record, moves: Sequence[tuple[int, int]]) -> Record | None:
    """The state after moves; None if they cannot all be made."""
    state = state.copy()
    for p, action in moves:
        if p not in game.actors(state) or action not in game.legal(state, p):
            return None
        game.apply(state, p, action)
    return state
