"""The positions that the guides show."""

from __future__ import annotations

from collections.abc import Callable

from ..rules import actions, components, tiles, turn
from ..rules.state import Action, Mode, State
from ..text.names import actor


def position(
    layout: str,
    rescuers: dict[int, list[int]],
    inspectors: tuple[int, ...] = (),
    points: tuple[int, ...] = (),
    players: int = 2,
    hard: bool = False,
    seat: int = 0,
) -> State:
    """A table at the start of a turn; the layout is written as cells and first letters of colours: "17 p, 18 b"."""
    s = State()
    s.players = players
    for name, option in State.options.items():
        setattr(s, name, option.stored(name, option.default, players))
    s.mode = Mode.HARD if hard else Mode.BASIC
    for t, entry in enumerate(layout.split(", ")):
        cell, letter = entry.split()
        c = next(c for c in range(components.KINDS) if components.COLOURS[c].startswith(letter))
        s.colour[c] |= 1 << t
        s.laid = t + 1
        tiles.join(s, t, int(cell))
    s.loose = tiles.find_loose(s)
    for c in range(components.KINDS):
        left = components.TILE_COUNTS[c] - (components.REMOVED[c] if players == 2 else 0) - s.colour[c].bit_count()
        s.deck[c] = max(0, left)
    for p, where in rescuers.items():
        s.rescuers[p] = sum(tiles.tile_on(s, cell) for cell in where)
    s.inspectors = sum(tiles.tile_on(s, cell) for cell in inspectors)
    for p, number in enumerate(points):
        s.score[p] = number
    s.turn, s.turns = seat, seat + players * (max(s.score) // 2)
    turn.begin_turn(s)
    return s


def after(s: State, *choices: int) -> State:
    """The table after some choices."""
    for a in choices:
        actions.apply(s, actor(s), a)
    return s


def turned_up(s: State, c: int) -> State:
    """The same with a tile of a certain colour turned up, whatever chance had brought."""
    s.deck[s.revealed - 1] += 1
    s.deck[c] -= 1
    s.revealed = c + 1
    return s


STAR = "18 b, 19 p, 20 o, 35 g"
PAIR = "18 b, 19 p, 20 b"
FIVE = "17 p, 18 b, 19 y, 20 o, 35 g"
PICTURES: dict[str, Callable[[], State]] = {
    "cover": lambda: after(
        position(
            "18 o, 19 p, 20 b, 21 g, 34 g, 35 y, 36 o, 37 b, 52 p",
            {0: [35, 20, 52], 1: [18, 36], 2: [35, 21], 3: [37]},
            (19, 36),
            (14, 9, 12, 17),
            players=4,
            hard=True,
        ),
        Action.RESCUE,
    ),
    "setup": lambda: position("18 o, 19 p, 20 g", {0: [19], 1: [18], 2: [20]}, players=3),
    "scout": lambda: turned_up(after(position("17 p, 18 b, 19 o", {0: [17], 1: [18]}), Action.SCOUT), 3),
    "search": lambda: after(position("18 b, 19 p, 20 o, 21 g, 35 g", {0: [19], 1: [18]}, (20,)), Action.SEARCH),
    "dispatch": lambda: after(position("18 b, 19 p, 20 o, 35 g", {0: [18], 1: [20]}), Action.SEARCH, 35, 21),
    "team": lambda: after(position("17 g, 18 b, 19 p, 20 o, 35 g", {0: [19], 1: [18, 35]}), Action.TEAM_UP),
    "rescue": lambda: after(position(STAR, {0: [18, 19, 20], 1: [35]}, points=(4, 6)), Action.RESCUE),
    "choice": lambda: after(position(PAIR, {0: [18, 19, 20]}, points=(4, 6)), Action.RESCUE, 19),
    "inspector": lambda: after(position(STAR, {0: [18, 19], 1: [20]}, points=(4, 6)), Action.RESCUE, 19),
    "mafdet": lambda: after(position("17 p, 18 b, 19 o, 20 g", {0: [17], 1: [17, 19]}, (17,), hard=True), Action.SEARCH, 17),
    "bastet": lambda: after(position("17 p, 18 b, 19 o, 20 g", {0: [18], 1: [17, 20]}, hard=True), Action.SWAP, 18),
    "mut": lambda: after(position("18 b, 19 o, 20 g", {0: [18, 19], 1: [20]}, (18,), hard=True), Action.RESCUE, 19, 20),
    "princess": lambda: after(
        position("18 b, 19 g, 20 o, 35 p", {0: [19], 1: [20]}, (18, 35), hard=True, points=(3, 8)), Action.RESCUE, 19, 20
    ),
    "cleocatra": lambda: after(
        position(FIVE, {0: [20], 1: [19], 2: [17]}, points=(5, 10, 7), players=3, hard=True, seat=1), Action.RESCUE, 19
    ),
}
