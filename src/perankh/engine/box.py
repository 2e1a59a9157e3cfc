"""Reads `box.toml`: what the box says of a game, its usual set-up, and which options are variants and which are rulings."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perankh.errors import BadGame, BadOption

if TYPE_CHECKING:
    from perankh.engine.game import Game

WEIGHTS = ("light", "medium", "heavy")
LONGEST = 24 * 60  # minutes
KEYS = {
    "": ("minutes", "weight", "start_here", "picture", "usual", "options"),
    "picture": ("name", "around"),
    "usual": ("players", "options"),
    "options": ("variants", "rulings", "only_with"),
}


@dataclass(frozen=True)
class Box:
    """What is offered of a game at first sight. A game without a file has the defaults."""

    players: int  # of the usual set-up; default: the fewest
    options: dict[str, Any]  # of the usual set-up, all of them; default: their defaults
    named: tuple[str, ...]  # those of them that the file names
    variants: tuple[str, ...]  # options that make another game of it; default: all options
    rulings: tuple[str, ...] = ()  # options in which one reading of the rules differs from another
    only_with: dict[str, tuple[int, ...]] = field(default_factory=dict)  # numbers of players with which an option matters
    minutes: tuple[int, int] | None = None  # the shortest and the longest match
    weight: str = ""  # one of WEIGHTS
    start_here: bool = False  # is it the game to begin with?
    picture: str = ""  # the name of the drawing's picture that stands for the game; default: the first
    around: tuple[str, ...] = ()  # the ids of the sprites that this picture is cut down to; default: the whole scene

    @property
    def order(self) -> tuple[int, bool, int]:
        """Games are listed by it: light ones first, then those to begin with, then short ones."""
        weight = WEIGHTS.index(self.weight) if self.weight else len(WEIGHTS)
        return weight, not self.start_here, self.minutes[1] if self.minutes else LONGEST

    def matters(self, option: str, players: int) -> bool:
        """Does an option mean anything with this number of players?"""
        return players in self.only_with.get(option, (players,))

    def changes(self, options: dict[str, Any], players: int) -> dict[str, Any]:
        """Those of a match's options that are not as in the usual set-up."""
        return {name: value for name, value in options.items() if value != self.options[name] and self.matters(name, players)}


def box_of(game: Game) -> Box:
    """What the file of a game says, checked; the defaults where it says nothing."""
    path = game.folder / "box.toml"
    if not path.is_file():
        return Reader(path, game, {}).box()
    try:
        tree = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadGame(f"{path}: cannot be read: {error}") from None
    return Reader(path, game, tree).box()


class Reader:
    """Takes a file apart. Errors name the file, the key and the cause."""

    def __init__(self, path: Path, game: Game, tree: dict[str, Any]) -> None:
        self.path = path
        self.game = game
        self.tree = tree

    def box(self) -> Box:
        """The whole file."""
        top = self.part("")
        picture, usual = self.part("picture"), self.part("usual")
        players = usual.get("players", self.game.players[0])
        if isinstance(players, bool) or players not in self.game.players:
            span = f"{self.game.players[0]} to {self.game.players[-1]}"
            raise self.wrong("usual.players", f"must be a number of players from {span}, not {players!r}")
        variants, rulings = self.groups()
        weight = top.get("weight", "")
        if "weight" in top and weight not in WEIGHTS:
            raise self.wrong("weight", f"must be one of {', '.join(WEIGHTS)}, not {weight!r}")
        start_here = top.get("start_here", False)
        if not isinstance(start_here, bool):
            raise self.wrong("start_here", f"must be true or false, not {start_here!r}")
        name = picture.get("name", "")
        if not isinstance(name, str):
            raise self.wrong("picture.name", f"must be the name of a picture, not {name!r}")
        return Box(
            players=players,
            options=self.usual_options(players, usual.get("options", {})),
            named=tuple(usual.get("options", {})),
            variants=variants,
            rulings=rulings,
            only_with=self.only_with(),
            minutes=self.minutes(),
            weight=weight,
            start_here=start_here,
            picture=name,
            around=self.names("picture.around", picture.get("around", [])),
        )

    def wrong(self, key: str, message: str) -> BadGame:
        """The error about one key."""
        return BadGame(f"{self.path}: {key} {message}")

    def part(self, name: str) -> dict[str, Any]:
        """A table of the file, or the file itself, with known keys only."""
        found = self.tree.get(name, {}) if name else self.tree
        if not isinstance(found, dict):
            raise self.wrong(name, "must be a table")
        unknown = sorted(set(found) - set(KEYS[name]))
        if unknown:
            raise self.wrong(f"{name}.{unknown[0]}" if name else unknown[0], f"is not one of {', '.join(KEYS[name])}")
        return found

    def names(self, key: str, value: Any) -> tuple[str, ...]:
        """A list of names."""
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise self.wrong(key, "must be a list of names")
        return tuple(value)

    def minutes(self) -> tuple[int, int] | None:
        """How long a match takes: one number, or the least and the most."""
        given = self.tree.get("minutes")
        if given is None:
            return None
        pair = given if isinstance(given, list) else [given, given]
        whole = all(isinstance(number, int) and not isinstance(number, bool) for number in pair)
        if len(pair) != 2 or not whole or not 1 <= pair[0] <= pair[1] <= LONGEST:
            raise self.wrong("minutes", f"must be a number from 1 to {LONGEST} or two in order, not {given!r}")
        return pair[0], pair[1]

    def usual_options(self, players: int, given: Any) -> dict[str, Any]:
        """Every option as it stands in the usual set-up."""
        if not isinstance(given, dict):
            raise self.wrong("usual.options", "must be a table of options")
        try:
            return self.game.shown_options(self.game.blank(players, given))
        except BadOption as error:
            raise self.wrong("usual.options", f"cannot be played: {error}") from None

    def groups(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Variants and rulings; a file that names either puts every option into one of them."""
        given = self.part("options")
        if "variants" not in given and "rulings" not in given:
            return tuple(self.game.options), ()
        variants, rulings = (self.names(f"options.{key}", given.get(key, [])) for key in ("variants", "rulings"))
        listed = [*variants, *rulings]
        for name in listed:
            if name not in self.game.options:
                raise self.wrong("options", f"names {name}, which is no option of the game")
            if listed.count(name) > 1:
                raise self.wrong("options", f"has {name} twice; an option is a variant or a ruling")
        missing = [name for name in self.game.options if name not in listed]
        if missing:
            raise self.wrong("options", f"must have {', '.join(missing)} among its variants or its rulings")
        return variants, rulings

    def only_with(self) -> dict[str, tuple[int, ...]]:
        """For some options: the numbers of players with which they mean anything."""
        given = self.part("options").get("only_with", {})
        if not isinstance(given, dict):
            raise self.wrong("options.only_with", "must be a table of options")
        for name, players in given.items():
            if name not in self.game.options:
                raise self.wrong("options.only_with", f"names {name}, which is no option of the game")
            if not isinstance(players, list) or not players or any(count not in self.game.players for count in players):
                raise self.wrong(f"options.only_with.{name}", "must be a list of numbers of players")
        return {name: tuple(players) for name, players in given.items()}
