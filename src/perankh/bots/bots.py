"""The bots, by name. A bot is handed a veiled state, the seat it plays and luck, and answers with an action."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from perankh.bots.mind import PLANS, WORLDS, Budget, cores, interpreted_thoughts, is_ready, mind_of
from perankh.bots.thought import SLOTS
from perankh.engine.chance import WORD
from perankh.engine.game import SEED_LIMIT, Game, get_game, seed_words
from perankh.engine.state import Record


class Bot(Protocol):
    """A player. The veiled state is a plain one or a record of the compiled rules."""

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        """P's action; the same for the same state, seat and seed."""
        ...


@dataclass(frozen=True)
class Random:
    """Any legal action, each as likely."""

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        return random.Random(seed).choice(legal_actions(game, veiled, p))


@dataclass(frozen=True)
class Greedy:
    """The action whose turn ends best over a few possible worlds; now and then a slip."""

    worlds: int = WORLDS
    plans: int = PLANS  # ways for the turn to go on that are tried in each world
    slips: float = 0.0  # how often any action is taken instead

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        luck = random.Random(seed)
        if luck.random() < self.slips:
            return luck.choice(legal_actions(game, veiled, p))
        actions, weights = mind_of(game).weights(veiled, p, seed, self.worlds, self.plans)
        best = max(weights)
        return luck.choice([action for action, weight in zip(actions, weights, strict=True) if weight == best])


@dataclass(frozen=True)
class Searching:
    """The action that a search comes to trust."""

    looks: int
    seconds: float = 60.0
    threads: int = 1
    deep: bool = False  # with all that the game's own bots.py knows

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        return mind_of(game).search(veiled, p, seed, Budget(self.looks, self.seconds, self.threads, self.deep)).best


@dataclass(frozen=True)
class Unprepared:
    """Greedy on the interpreted rules: slow and short-sighted, but there before anything is compiled."""

    worlds: int = 2
    plans: int = 2

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        thoughts = interpreted_thoughts(game)
        table = [veiled.copy() for _ in range(SLOTS)]
        choices, total = [0] * game.actions, [[0] * self.plans for _ in range(game.actions)]
        n = thoughts.weigh_actions(
            table, seed_words(seed % SEED_LIMIT), p, self.worlds, self.plans, seed & WORD, False, choices, total
        )
        weights = [max(plans) for plans in total[:n]]
        return random.Random(seed).choice([choices[k] for k in range(n) if weights[k] == max(weights)])


# The five levels, each clearly stronger than the one before, and random play to measure them by.
LEVELS: dict[str, Bot] = {
    "apprentice": Greedy(worlds=2, plans=2, slips=0.4),
    "scribe": Greedy(),
    "priest": Searching(looks=800),
    "architect": Searching(looks=4_000),
    "vizier": Searching(looks=20_000, seconds=1.6, threads=cores(), deep=True),
}
BOTS: dict[str, Bot] = {"random": Random(), **LEVELS}


def legal_actions(game: Game, veiled: Record | Any, p: int) -> list[int]:
    """P's legal actions; a player's own sight shows them all."""
    return game.legal(veiled if isinstance(veiled, Record) else game.State.unpack(veiled), p)


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
    """A bot's decision from the fields of a veiled state: what the worker process runs. It never waits for a compiler."""
    game, state = seen(folder, fields)
    actions = game.legal(state, p)
    if len(actions) == 1:
        return actions[0]
    chosen = BOTS[bot] if bot == "random" or is_ready(game) else Unprepared()
    return chosen.decide(game, state, p, seed)
