"""The bots by name. A bot is given a veiled state, the seat it plays and a seed, and returns an action."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from perankh.bots.ismcts import SLOTS
from perankh.bots.network import evaluated, network_for, softened
from perankh.bots.searcher import PLANS, WORLDS, Budget, cores, interpreted_search, is_ready, searcher_of
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
class RandomBot:
    """Plays a random legal action."""

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        return random.Random(seed).choice(legal_actions(game, veiled, p))


@dataclass(frozen=True)
class GreedyBot:
    """Plays the action whose turn ends best over a few determinisations."""

    worlds: int = WORLDS
    plans: int = PLANS  # random continuations of the turn that are tried in each world

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        actions, values = searcher_of(game).action_values(veiled, p, seed, self.worlds, self.plans)
        best = max(values)
        return random.Random(seed).choice([action for action, value in zip(actions, values, strict=True) if value == best])


@dataclass(frozen=True)
class SearchBot:
    """Plays the action that ISMCTS visits most."""

    iterations: int
    seconds: float = 60.0
    threads: int = 1
    expert: bool = False  # with the game's long_term_heuristic, PRIOR_WEIGHT and ROLLOUT_DEPTH

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        budget = Budget(self.iterations, self.seconds, self.threads, self.expert)
        return searcher_of(game).search(veiled, p, seed, budget).best


@dataclass(frozen=True)
class NetworkBot:
    """Plays by one evaluation of the game's trained network; where there is none for this game and these options, it searches."""

    temperature: float = 0.0  # 0: the move that the network likes best

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        state = veiled if isinstance(veiled, Record) else game.State.unpack(veiled)
        found = evaluated(game, state, p)
        if found is None:
            return (SearchBot(iterations=4_000) if is_ready(game) else UncompiledBot()).decide(game, state, p, seed)
        actions = legal_actions(game, state, p)
        return actions[softened([int(found[0][action]) for action in actions], self.temperature, seed)]


@dataclass(frozen=True)
class GuidedBot:
    """Plays the action that a search guided by the trained network visits most; without a compiler, by the network alone."""

    iterations: int = 1 << 17
    seconds: float = 0.5

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        state = veiled if isinstance(veiled, Record) else game.State.unpack(veiled)
        network = network_for(game, state)
        if network is None:
            return SearchBot(iterations=20_000, seconds=1.6, expert=True).decide(game, veiled, p, seed)
        if not is_ready(game):
            return NetworkBot().decide(game, state, p, seed)
        return searcher_of(game).guided_search(network, state, p, seed, Budget(self.iterations, self.seconds)).best


@dataclass(frozen=True)
class UncompiledBot:
    """A smaller greedy bot on the interpreted rules: slow and weak, but needs no compiler."""

    worlds: int = 2
    plans: int = 2

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        table = [veiled.copy() for _ in range(SLOTS)]
        choices, total = [0] * game.actions, [[0] * self.plans for _ in range(game.actions)]
        n = interpreted_search(game).evaluate_actions(
            table, seed_words(seed % SEED_LIMIT), p, self.worlds, self.plans, seed & WORD, False, choices, total
        )
        values = [max(plans) for plans in total[:n]]
        return int(random.Random(seed).choice([choices[k] for k in range(n) if values[k] == max(values)]))


@dataclass(frozen=True)
class Level:
    """A bot that blunders: now and then it plays a random action instead. A game may set how often."""

    name: str
    bot: Bot
    blunder_rate: float = 0.0

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        chance = random.Random(f"slips {seed}")  # independent of the bot's own random numbers
        if chance.random() < blunder_rates(game).get(self.name, self.blunder_rate):
            return chance.choice(legal_actions(game, veiled, p))
        return self.bot.decide(game, veiled, p, seed)


# The five levels, each clearly stronger than the one before, and random play as a baseline.
LEVELS = {
    level.name: level
    for level in (
        Level("apprentice", GreedyBot(worlds=2, plans=2), blunder_rate=0.4),
        Level("scribe", GreedyBot()),
        Level("priest", SearchBot(iterations=800), blunder_rate=0.06),
        Level("architect", SearchBot(iterations=4_000), blunder_rate=0.03),
        Level("vizier", SearchBot(iterations=20_000, seconds=1.6, threads=cores(), expert=True)),
    )
}
BOTS: dict[str, Bot] = {"random": RandomBot(), **LEVELS, "seer": NetworkBot(), "pharaoh": GuidedBot()}


@lru_cache
def blunder_rates(game: Game) -> dict[str, float]:
    """The blunder rates that a game sets for levels: BLUNDER_RATES of its bots.py."""
    rates: dict[str, float] = getattr(game.bots, "BLUNDER_RATES", {})
    for name, rate in rates.items():
        if name not in LEVELS:
            raise BadGame(f"game {game.name}: BLUNDER_RATES of bots.py names {name!r}, which is not one of {', '.join(LEVELS)}")
        if not 0 <= rate <= 1:
            raise BadGame(f"game {game.name}: BLUNDER_RATES of bots.py gives {name} a rate of {rate!r}, not one from 0 to 1")
    return rates


def legal_actions(game: Game, veiled: Record | Any, p: int) -> list[int]:
    """P's legal actions; p's own view contains all that they depend on."""
    actions = game.legal(veiled if isinstance(veiled, Record) else game.State.unpack(veiled), p)
    return [int(action) for action in actions]  # interpreted rules may write members of an enumeration


# --- Decisions in another process -----------------------------------------------------------------------------------------------


@lru_cache
def game_at(folder: str) -> Game:
    """The game in a folder, found once: the lookup takes longer than a decision."""
    return get_game(folder)


def restored(folder: str, record: bytes) -> tuple[Game, Record]:
    """A game and a state of it from the state's bytes: how states are sent to worker processes."""
    game = game_at(folder)
    return game, game.State.from_bytes(record)


def decide(folder: str, record: bytes, p: int, bot: str, seed: int) -> int:
    """A bot's decision from the bytes of a veiled state, for worker processes. Uncompiled, UncompiledBot decides instead."""
    game, state = restored(folder, record)
    actions = legal_actions(game, state, p)
    if len(actions) == 1:
        return actions[0]
    trained = isinstance(BOTS[bot], NetworkBot | GuidedBot) and network_for(game, state) is not None
    chosen = BOTS[bot] if bot == "random" or trained or is_ready(game) else UncompiledBot()
    return chosen.decide(game, state, p, seed)
