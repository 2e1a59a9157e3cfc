"""The bots by name. A bot is given a veiled state, the seat it plays and a seed, and returns an action."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, Protocol

from perankh.bots.ismcts import SLOTS
from perankh.bots.network import network_for
from perankh.bots.personalities import PERSONALITIES, personalities_of
from perankh.bots.searcher import PLANS, WORLDS, Budget, cores, interpreted_search, is_ready, searcher_of
from perankh.bots.styles import Style, sensible_actions, trained_style
from perankh.engine.chance import WORD
from perankh.engine.game import SEED_LIMIT, Game, seed_words
from perankh.engine.game import game_at as found_at
from perankh.engine.state import Record
from perankh.errors import BadGame, BadOption


class Bot(Protocol):
    """Anything that decides for a seat. The veiled state is a plain state or a record of the compiled rules."""

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        """Return the action for seat p; it is the same for the same state, seat and seed."""
        ...


@dataclass(frozen=True)
class RandomBot:
    """Plays a random legal action."""

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        return random.Random(seed).choice(legal_actions(game, veiled, p))


@dataclass(frozen=True)
class GreedyBot:
    """Plays the action that leads to the best end of the turn over a few determinisations."""

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
        state = plain(game, veiled)
        network = network_for(game, state)
        if network is None:
            return (SearchBot(iterations=4_000) if is_ready(game) else UncompiledBot()).decide(game, state, p, seed)
        return Style(temperature=self.temperature).decide(game, network, state, p, seed)


@dataclass(frozen=True)
class GuidedBot:
    """Plays the action that a search guided by the trained network visits most; without a compiler, by the network alone."""

    iterations: int = 1 << 17
    seconds: float = 0.5
    clock: Callable[[], float] = time.monotonic  # what the seconds are counted by

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        state = plain(game, veiled)
        network = network_for(game, state)
        if network is None:
            return SearchBot(iterations=60_000, seconds=2.0, threads=cores(), expert=True).decide(game, veiled, p, seed)
        if not is_ready(game):
            return NetworkBot().decide(game, state, p, seed)
        among = sensible_actions(game, state, p)
        if len(among) == 1:
            return among[0]
        budget = Budget(self.iterations, self.seconds, clock=self.clock)
        return searcher_of(game).guided_search(network, state, p, seed, budget, among).best


@dataclass(frozen=True)
class UncompiledBot:
    """A smaller greedy bot on the interpreted rules: slow and weak, but needs no compiler."""

    worlds: int = 2
    plans: int = 2

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        slots = [veiled.copy() for _ in range(SLOTS)]
        choices, total = [0] * game.actions, [[0] * self.plans for _ in range(game.actions)]
        n = interpreted_search(game).evaluate_actions(
            slots, seed_words(seed % SEED_LIMIT), p, self.worlds, self.plans, seed & WORD, False, choices, total
        )
        values = [max(plans) for plans in total[:n]]
        return int(random.Random(seed).choice([choices[k] for k in range(n) if values[k] == max(values)]))


@dataclass(frozen=True)
class Level:
    """A bot of a certain strength. Where a network was trained it plays by that, as `levels.toml` of the game says.

    Elsewhere it searches, and blunders: now and then it plays one of the better half of the actions. A game may set how often.
    """

    name: str
    bot: Bot
    blunder_rate: float = 0.0
    personality: str = ""  # one of PERSONALITIES: what it prefers among moves that come close; only where it plays by a network

    def decide(self, game: Game, veiled: Record | Any, p: int, seed: int) -> int:
        state = plain(game, veiled)
        if trained := trained_style(game, self.name, state):
            style, network = trained
            return style.decide(game, network, state, p, seed, self.personality)
        chance = random.Random(f"slips {seed}")  # independent of the bot's own random numbers
        if chance.random() < blunder_rates(game).get(self.name, self.blunder_rate):
            actions, values = searcher_of(game).action_values(veiled, p, seed, worlds=2, plans=2)
            return chance.choice(better_half(actions, values))
        return self.bot.decide(game, veiled, p, seed)


def better_half(actions: list[int], values: list[int]) -> list[int]:
    """The actions that are worth at least as much as the median one."""
    median = sorted(values)[len(values) // 2]
    return [action for action, value in zip(actions, values, strict=True) if value >= median]


# The six levels, each clearly stronger than the one before.
LEVELS = {
    level.name: level
    for level in (
        Level("apprentice", GreedyBot(worlds=2, plans=2), blunder_rate=0.4),
        Level("scribe", GreedyBot()),
        Level("priest", SearchBot(iterations=800), blunder_rate=0.06),
        Level("architect", SearchBot(iterations=4_000), blunder_rate=0.03),
        Level("vizier", SearchBot(iterations=20_000, seconds=1.6, threads=cores(), expert=True)),
        Level("pharaoh", GuidedBot()),
    )
}
# The levels that play by networks, with personalities.
CHARACTERS = {
    f"{personality}-{name}": replace(level, personality=personality)
    for personality in PERSONALITIES
    for name, level in islice(LEVELS.items(), len(LEVELS) - 1)
}
# For comparisons: random play, the network without search, and searches without a network.
BOTS: dict[str, Bot] = {
    "random": RandomBot(),
    **LEVELS,
    **CHARACTERS,
    "seer": NetworkBot(),
    "greedy": GreedyBot(),
    "search-800": SearchBot(iterations=800),
    "search-4000": SearchBot(iterations=4_000),
    "search-20000": SearchBot(iterations=20_000, expert=True),
}


def bot_named(game: Game, name: str) -> Bot:
    """A bot by name; raises BadOption if the game has none."""
    if name not in bots_of(game):
        raise BadOption(f"{game.name} has no bot {name!r}; it has: {', '.join(bots_of(game))}")
    return BOTS[name]


def bots_of(game: Game) -> list[str]:
    """The names of the bots that a game has."""
    return [name for name in BOTS if name not in CHARACTERS or CHARACTERS[name].personality in personalities_of(game)]


def level_called(name: str) -> str:
    """The level of a bot, whatever its personality; the bot itself if it has none."""
    return CHARACTERS[name].name if name in CHARACTERS else name


@lru_cache(maxsize=32)  # each game in an edition that is kept takes memory
def blunder_rates(game: Game) -> dict[str, float]:
    """The blunder rates that a game sets for levels: BLUNDER_RATES of its bots.py."""
    rates: dict[str, float] = getattr(game.bots, "BLUNDER_RATES", {})
    for name, rate in rates.items():
        if name not in LEVELS:
            raise BadGame(f"game {game.name}: BLUNDER_RATES of bots.py names {name!r}, which is not one of {', '.join(LEVELS)}")
        if not 0 <= rate <= 1:
            raise BadGame(f"game {game.name}: BLUNDER_RATES of bots.py gives {name} a rate of {rate!r}, not one from 0 to 1")
    return rates


def plain(game: Game, veiled: Record | Any) -> Record:
    """A state as the interpreted rules take it."""
    return veiled if isinstance(veiled, Record) else game.State.unpack(veiled)


def legal_actions(game: Game, veiled: Record | Any, p: int) -> list[int]:
    """P's legal actions; p's own view contains all that they depend on."""
    actions = game.legal(plain(game, veiled), p)
    return [int(action) for action in actions]  # interpreted rules may write members of an enumeration


# --- Decisions in another process -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def game_at(place: str) -> Game:
    """The game at a place, found once: the lookup takes longer than a decision."""
    return found_at(place)


def restored(folder: str, record: bytes) -> tuple[Game, Record]:
    """A game and a state of it from the state's bytes: how states are sent to worker processes."""
    game = game_at(folder)
    return game, game.State.from_bytes(record)


def decide(folder: str, record: bytes, p: int, bot: str, seed: int) -> int:
    """A bot's decision from the bytes of a veiled state, for worker processes. Uncompiled, UncompiledBot may decide instead."""
    game, state = restored(folder, record)
    actions = legal_actions(game, state, p)
    if len(actions) == 1:
        return actions[0]
    chosen = BOTS[bot] if is_ready(game) or needs_no_compiler(game, bot, state) else UncompiledBot()
    return chosen.decide(game, state, p, seed)


def needs_no_compiler(game: Game, bot: str, state: Record) -> bool:
    """Does a bot play a match with the options of this state at its full level, or nearly, although no search is compiled?"""
    if bot in ("seer", "pharaoh"):
        return network_for(game, state) is not None
    return bot == "random" or trained_style(game, level_called(bot), state) is not None
