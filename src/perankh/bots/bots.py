"""Generic bots for every game. A bot is handed a veiled state, the seat it plays and luck, and answers with an action."""

from __future__ import annotations

import importlib
import importlib.util
import random
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from perankh.engine.game import SEED_LIMIT, Game, get_game
from perankh.engine.state import Record

Bot = Callable[[Game, Record, int, random.Random], int]
WORLDS = 6  # worlds that greedy looks into
LONGEST_LOOK = 60  # own decisions in a row that greedy follows
PATIENCE = 0.8  # seconds after which greedy decides on what it has seen


def at_random(game: Game, seen: Record, p: int, luck: random.Random) -> int:
    """Any legal action, each as likely."""
    return luck.choice(game.legal(seen, p))


def greedy(game: Game, seen: Record, p: int, luck: random.Random) -> int:
    """The action that stands best, in a few possible worlds, when somebody else has to decide."""
    legal = game.legal(seen, p)
    if len(legal) == 1:
        return legal[0]
    worth = worth_of(game)
    total = dict.fromkeys(legal, 0.0)
    deadline = time.monotonic() + PATIENCE
    for _ in range(WORLDS):
        world = game.redealt(seen, luck.randrange(SEED_LIMIT))
        for action in legal:
            total[action] += outlook(game, world.copy(), p, action, worth, luck)
        if time.monotonic() > deadline:
            break
    best = max(total.values())
    return luck.choice([action for action in legal if total[action] == best])


def outlook(game: Game, world: Record, p: int, action: int, worth: Callable[[Record, int], int], luck: random.Random) -> int:
    """What a world is worth to p after an action and random decisions of p's own, up to somebody else's."""
    game.rules.apply(world, p, action)
    for _ in range(LONGEST_LOOK):
        if game.rules.actors(world) != 1 << p:
            break
        game.rules.apply(world, p, luck.choice(game.legal(world, p)))
    return worth(world, p)


def worth_of(game: Game) -> Callable[[Record, int], int]:
    """The game's own `worth(s, p)` in its bots.py, or else the lead in points."""
    if (game.folder / "bots.py").is_file():
        spec = importlib.util.find_spec(f"{game.package}.bots")
        own = getattr(importlib.import_module(spec.name), "worth", None) if spec else None
        if own is not None:
            return own  # type: ignore[no-any-return]

    def lead(s: Record, p: int) -> int:
        points = game.scores(s)
        return points[p] - max((points[q] for q in range(s.players) if q != p), default=0)

    return lead


BOTS: dict[str, Bot] = {"random": at_random, "greedy": greedy}


@lru_cache
def game_in(folder: str) -> Game:
    """The game of a folder; looking for games takes longer than thinking."""
    return get_game(folder)


def seen(folder: str, fields: dict[str, Any]) -> tuple[Game, Record]:
    """A game and a veiled state of it from its fields: how states come to another process."""
    game = game_in(folder)
    state = game.State()
    vars(state).update(fields)
    return game, state


def think(folder: str, fields: dict[str, Any], p: int, bot: str, seed: int) -> int:
    """A bot's decision from the fields of a veiled state: what the worker process runs."""
    return BOTS[bot](*seen(folder, fields), p, random.Random(seed))
