"""Schedules: for every setting and deal the line-ups of bots, each in all rotations of its seats on the same deal.

A schedule depends on the request alone, so an interrupted run is continued by the keys of its matches.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from perankh.bots import BOTS
from perankh.engine.game import SEED_LIMIT, Game, get_game
from perankh.errors import BadOption


@dataclass(frozen=True)
class Setting:
    """A game with a number of players and the options that differ from the usual ones."""

    name: str
    game: str  # name or folder, as `get_game` takes it
    players: int
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The setting as text: game/players/options."""
        chosen = ",".join(f"{name}={value}" for name, value in sorted(self.options.items()))
        return f"{self.name}/{self.players}/{chosen or 'usual'}"


@dataclass(frozen=True)
class Plan:
    """One match to be played."""

    key: str
    setting: Setting
    deal: int
    bots: tuple[str, ...]  # by seat
    seed: int  # of the game; the same for all matches on the deal
    bot_seed: int  # for the bots' random numbers
    counted: bool = False  # does the result count how often each seat chose each action?

    @property
    def unit(self) -> str:
        """The deal with its setting: the unit that is resampled for error bars."""
        return f"{self.setting.name}/{self.setting.players}/{self.deal}"


@dataclass(frozen=True)
class Schedule:
    """A round robin: every line-up of the bots in every setting, deal by deal."""

    settings: tuple[Setting, ...]
    bots: tuple[str, ...]
    deals: int
    lineups: int = 0  # the most line-ups for each deal, all of them in turn; 0: all
    seed: int = 0
    counted: bool = False

    def matches(self) -> Iterator[Plan]:
        """Every match, deal by deal over all settings, so that an interrupted run is a smaller round robin."""
        for deal in range(self.deals):
            for setting in self.settings:
                yield from self.on_deal(setting, deal)

    def on_deal(self, setting: Setting, deal: int) -> Iterator[Plan]:
        """The matches of one setting on one deal."""
        seed = number_of(self.seed, setting.name, setting.players, deal)
        for lineup in self.lineups_of(setting, deal):
            order = list(lineup)
            random.Random(number_of(self.seed, setting.key, deal, *lineup)).shuffle(order)  # who sits after whom
            for bots in rotations(order):
                key = f"{setting.key}/{deal}/{'+'.join(bots)}"
                yield Plan(key, setting, deal, bots, seed, number_of(self.seed, key), self.counted)

    def lineups_of(self, setting: Setting, deal: int) -> list[tuple[str, ...]]:
        """The line-ups that play a deal: all, or the next few of a shuffled list that repeats."""
        all_of_them = lineups(self.bots, setting.players)
        few = self.lineups
        if few == 0 or few >= len(all_of_them):
            return all_of_them
        random.Random(number_of(self.seed, setting.key, "lineups")).shuffle(all_of_them)
        return [all_of_them[(deal * few + k) % len(all_of_them)] for k in range(few)]

    def header(self) -> dict[str, Any]:
        """What a results file must agree with. Deals are left out: a run may be extended."""
        games = {game.name: game for game in (get_game(setting.game) for setting in self.settings)}
        return {
            "settings": [setting.key for setting in self.settings],
            "bots": {name: repr(BOTS[name]) for name in self.bots},
            "lineups": self.lineups,
            "seed": self.seed,
            "counted": self.counted,
            "rules": {name: f"version {game.version}, components {game.components_fingerprint}" for name, game in games.items()},
        }


def lineups(bots: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Every set of different bots; with fewer bots than seats each plays several, as evenly as possible."""
    most = -(-players // len(bots))
    together = itertools.combinations_with_replacement(bots, players)
    return [lineup for lineup in together if max(Counter(lineup).values()) <= most]


def rotations(order: Sequence[str]) -> list[tuple[str, ...]]:
    """The different seatings with the same order around the table."""
    turned = (tuple(order[k:]) + tuple(order[:k]) for k in range(len(order)))
    return list(dict.fromkeys(turned))


def number_of(*parts: Any) -> int:
    """A seed derived from the parts."""
    return int.from_bytes(hashlib.sha256("\0".join(map(str, parts)).encode()).digest()[:16], "big") % SEED_LIMIT


# --- From a request -------------------------------------------------------------------------------------------------------


def bots_named(names: Sequence[str], fewest: int) -> tuple[str, ...]:
    """The names of bots, checked."""
    for name in names:
        if name not in BOTS:
            raise BadOption(f"there is no bot {name!r}; there are: {', '.join(BOTS)}")
        if names.count(name) > 1:
            raise BadOption(f"bot {name} is named twice")
    if len(names) < fewest:
        raise BadOption(f"an arena needs at least {fewest} bots, not {len(names)}")
    return tuple(names)


def settings_of(games: Sequence[str], players: Sequence[int], options: Mapping[str, Sequence[str]]) -> tuple[Setting, ...]:
    """Each game with each player count it takes and each combination of those options that it has."""
    loaded = [get_game(name) for name in games]
    check_names(loaded)
    for option in options:
        if not any(option in game.options for game in loaded):
            raise BadOption(f"option {option}: none of the games has it")
    found = []
    for name, game in zip(games, loaded, strict=True):
        counts = [n for n in players if n in game.players] if players else list(game.players)
        if not counts:
            game.blank(players[0])  # says which counts it takes
        for n in counts:
            own = {option: values for option, values in options.items() if option in game.options}
            for chosen in itertools.product(*own.values()):
                found.append(setting_of(name, n, dict(zip(own, chosen, strict=True))))
    if len({setting.key for setting in found}) < len(found):
        raise BadOption("a player count or a value of an option is given twice")
    return tuple(found)


def check_names(games: Sequence[Game]) -> None:
    """Refuse two games of the same name, since results are kept by name."""
    for name, times in Counter(game.name for game in games).items():
        if times > 1:
            raise BadOption(f"game {name} is named twice")


def setting_of(name: str, players: int, options: Mapping[str, Any]) -> Setting:
    """A checked setting, with option values as the game writes them."""
    game = get_game(name)
    values = game.shown_options(game.blank(players, dict(options)))
    where = name if name == game.name else str(game.folder)
    return Setting(game.name, where, players, {option: values[option] for option in options})
