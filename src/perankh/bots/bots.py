"""The bots, by name. A bot is handed a veiled state, the seat it plays and luck, and answers with an action."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from perankh.bots.mind import PLANS, WORLDS, Budget, cores, interpreted_thoughts, is_ready, mind_of, own_module
from perankh.bots.thought import SLOTS
from perankh.engine.chance import WORD
from perankh.engine.game import SEED_LIMIT, Game, get_game, seed_words
from perankh.engine.state import Record
from perankh.errors import BadGame


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
    """The action whose turn ends best over a few possible worlds."""

    worlds: int = WORLDS
    plans: int = PLANS  # ways for the turn to go on that are tried in each world

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        actions, weights = mind_of(game).weights(veiled, p, seed, self.worlds, self.plans)
        best = max(weights)
        return random.Random(seed).choice([action for action, weight in zip(actions, weights, strict=True) if weight == best])


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


@dataclass(frozen=True)
class Level:
    """A bot that now and then takes any action instead of its own, more or less often if the game says so."""

    name: str
    bot: Bot
    slips: float = 0.0

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        luck = random.Random(f"slips {seed}")  # other luck than the bot's own
        if luck.random() < own_slips(game).get(self.name, self.slips):
            return luck.choice(legal_actions(game, veiled, p))
        return self.bot.decide(game, veiled, p, seed)


# The five levels, each clearly stronger than the one before, and random play to measure them by.
LEVELS = {
    level.name: level
    for level in (
        Level("apprentice", Greedy(worlds=2, plans=2), slips=0.4),
        Level("scribe", Greedy()),
        Level("priest", Searching(looks=800), slips=0.06),
        Level("architect", Searching(looks=4_000), slips=0.03),
        Level("vizier", Searching(looks=20_000, seconds=1.6, threads=cores(), deep=True)),
    )
}
BOTS: dict[str, Bot] = {"random": Random(), **LEVELS}


@lru_cache
def own_slips(game: Game) -> dict[str, float]:
    """How often the levels slip in a game, as far as it says so itself: SLIPS of its bots.py."""
    slips: dict[str, float] = getattr(own_module(game), "SLIPS", {})
    for name, share in slips.items():
        if name not in LEVELS:
            raise BadGame(f"game {game.name}: SLIPS of bots.py names {name!r}, which is not one of {', '.join(LEVELS)}")
        if not 0 <= share <= 1:
            raise BadGame(f"game {game.name}: SLIPS of bots.py gives {name} a share of {share!r}, not one from 0 to 1")
    return slips


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
