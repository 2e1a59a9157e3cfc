"""Positions of Cleocatra set up by hand, as the specification writes them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from perankh.engine.game import get_game
from perankh.games.cleocatra.rules import tiles as grid
from perankh.games.cleocatra.rules import turn as turn_rules
from perankh.games.cleocatra.rules.components import REMOVED, TILE_COUNTS
from perankh.games.cleocatra.rules.state import Action, State, Step

GAME = get_game("cleocatra")
LETTERS = "PBOGY"
SCOUT, SEARCH, SWAP, DISPATCH, TEAM_UP, RESCUE, HERD, DECLINE, KEEP, TAKE_BACK, OWNER = Action


def position(
    tiles: str,
    *,
    players: int = 2,
    rescuers: dict[int, list[int]] | None = None,
    inspectors: tuple[int, ...] = (),
    turn: int = 0,
    scores: tuple[int, ...] = (),
    deck: str | None = None,
    **options: Any,
) -> State:
    """A position at the start of a turn.

    `tiles` is written as in the specification ("17 P, 18 B"), `rescuers` gives the cells of each seat, `deck` the letters of
    the tiles still face down (None: all that are left in the box).
    """
    s: Any = GAME.blank(players, {"start_player": 0, **options})
    for number, entry in enumerate(tiles.split(",")):
        cell, letter = entry.split()
        s.colour[LETTERS.index(letter)] |= 1 << number
        s.laid = number + 1
        grid.join(s, number, int(cell))
    s.loose = grid.find_loose(s)
    for c, letter in enumerate(LETTERS):
        box = TILE_COUNTS[c] - (REMOVED[c] if players == 2 else 0)
        s.deck[c] = max(0, box - s.colour[c].bit_count()) if deck is None else deck.count(letter)
    for p, cells in (rescuers or {}).items():
        s.rescuers[p] = sum(grid.tile_on(s, cell) for cell in cells)
    s.inspectors = sum(grid.tile_on(s, cell) for cell in inspectors)
    for p, points in enumerate(scores):
        s.score[p] = points
    s.turn = turn
    s.turns = turn
    turn_rules.begin_turn(s)
    return s


def row(first: int, letters: str) -> str:
    """Tiles in a row from a cell on, in the writing of `position`."""
    return ", ".join(f"{first + i} {letter}" for i, letter in enumerate(letters))


def legal(s: State) -> list[int]:
    """What the seat that decides may choose."""
    return GAME.legal(s, actor(s))


def actor(s: State) -> int:
    """The seat that decides."""
    (p,) = GAME.actors(s)
    return p


def play(s: State, *actions: int) -> State:
    """Make choices, each of which must be legal; returns the same state."""
    for a in actions:
        assert a in legal(s), (a, legal(s), step(s))
        GAME.rules.apply(s, actor(s), a)
    return s


def lay(s: State, letter: str, cell: int) -> State:
    """Lay a tile of a colour where any was revealed: swaps the revealed tile for one out of the deck."""
    assert s.revealed
    s.deck[s.revealed - 1] += 1
    s.revealed = LETTERS.index(letter) + 1
    s.deck[s.revealed - 1] -= 1
    return play(s, cell)


def cells(s: State, tiles: int) -> list[int]:
    """The cells of a set of tiles, ascending."""
    return sorted(s.cell[t] for t in range(s.laid) if tiles >> t & 1)


def stands(s: State, p: int) -> list[int]:
    """The cells with a rescuer of p."""
    return cells(s, s.rescuers[p])


def inspected(s: State) -> list[int]:
    """The cells with an inspector."""
    return cells(s, s.inspectors)


def hand(s: State, p: int) -> int:
    """Rescuers in p's hand."""
    return 3 - len(stands(s, p))


def layout(s: State) -> dict[int, str]:
    """The letter on each cell in use."""
    return {s.cell[t]: next(LETTERS[c] for c in range(5) if s.colour[c] >> t & 1) for t in range(s.laid)}


def step(s: State) -> str:
    """The name of the step."""
    return Step(s.step).name.lower()


def random_games(games: int, players: int, seed: int = 1, **options: Any) -> Iterator[tuple[Any, int, int, Any]]:
    """Every state of random games with the choice made in it: yields (state before, p, action, state after)."""
    dice = random.Random(seed)
    for number in range(games):
        s: Any = GAME.new_state(players, 1000 * seed + number, options)
        while GAME.rules.actors(s):
            before = s.copy()
            p = actor(s)
            a = dice.choice(GAME.legal(s, p))
            GAME.rules.apply(s, p, a)
            yield before, p, a, s
