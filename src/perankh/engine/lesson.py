"""Reads `lesson.toml`: a first match that teaches a game, step by step, with texts, spotlights and expected moves."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perankh.engine.printed_text import fill
from perankh.engine.words import LANGUAGES
from perankh.errors import BadGame, BadOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perankh.engine.game import Game

ANY = "any"  # instead of a code: every legal move will do
PARTS = ("@prompt", "@players", "@moves")  # what a spotlight can fall on beside the sprites of the scene
LONGEST = 15  # minutes
KEYS = ("minutes", "seed", "players", "seat", "options", "steps")
STEP_KEYS = ("lit", "before", "do", "then", *LANGUAGES, *(f"wrong_{lang}" for lang in LANGUAGES))


@dataclass(frozen=True)
class ScriptedMove:
    """One move of the lesson's match."""

    part: str  # "before", "do" or "then": the part of its step
    seat: int | None  # who makes it; None: the only one who has to decide
    actions: frozenset[int] | None  # what will do; None: every legal move

    def accepts(self, made: tuple[int, int]) -> bool:
        """Is a move, seat and action, what the lesson has in mind?"""
        return self.seat in (None, made[0]) and (self.actions is None or made[1] in self.actions)

    def expects(self, made: tuple[int, int]) -> bool:
        """Is it the learner's move, and this one?"""
        return self.part == "do" and self.accepts(made)


@dataclass(frozen=True)
class Step:
    """One thing that is said, and the moves around it."""

    text: dict[str, str]  # by language
    wrong: dict[str, str]  # by language: what is said to another legal move; may be empty
    lit: tuple[str, ...]  # ids of sprites, beginnings of ids with a star, or PARTS
    before: tuple[ScriptedMove, ...]  # made at once before it, all seats
    do: tuple[ScriptedMove, ...]  # made by the learner
    then: tuple[ScriptedMove, ...]  # made after that by themselves, and shown
    at: int  # moves made when it is said
    end: int  # moves made when it is over


@dataclass(frozen=True)
class Lesson:
    """The whole lesson. The match goes on as any other when it is over."""

    minutes: int
    seed: int
    players: int
    seat: int  # the learner's
    options: dict[str, Any]
    steps: tuple[Step, ...]
    moves: tuple[ScriptedMove, ...]  # of all steps

    def follows(self, played: Sequence[tuple[int, int]]) -> bool:
        """Is this how the lesson goes, as far as it goes?"""
        return len(played) <= len(self.moves) and all(map(ScriptedMove.accepts, self.moves, played))

    def step_of(self, number: int) -> Step:
        """The step to which the move after so many belongs."""
        return next(step for step in self.steps if number < step.end)


def lesson_of(game: Game) -> Lesson | None:
    """The lesson of a game, checked as far as it can be without its rules; None if it has none."""
    path = game.folder / "lesson.toml"
    if not path.is_file():
        return None
    try:
        tree = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadGame(f"{path}: cannot be read: {error}") from None
    return Reader(path, game, tree).lesson()


class Reader:
    """Takes a file apart. Errors name the file, the step and the cause."""

    def __init__(self, path: Path, game: Game, tree: dict[str, Any]) -> None:
        self.path = path
        self.game = game
        self.tree = tree
        self.actions = {code: action for action, code in enumerate(game.text.CODES)}
        self.players = 0
        self.seat = 0

    def lesson(self) -> Lesson:
        """The whole file."""
        self.only_known(self.tree, KEYS, "")
        self.players = self.number("players", self.game.players[0], self.game.players[-1], self.game.box.players)
        self.seat = self.number("seat", 0, self.players - 1, 0)
        given = self.tree.get("steps", [])
        if not isinstance(given, list) or not given or not all(isinstance(step, dict) for step in given):
            raise self.wrong("steps", "must be a list of tables")
        steps: list[Step] = []
        for number, tree in enumerate(given, 1):
            steps.append(self.step(f"step {number}", tree, steps[-1].end if steps else 0))
        return Lesson(
            minutes=self.number("minutes", 1, LONGEST),
            seed=self.number("seed", 0, 2**128 - 1),
            players=self.players,
            seat=self.seat,
            options=self.options(),
            steps=tuple(steps),
            moves=tuple(chain.from_iterable((*step.before, *step.do, *step.then) for step in steps)),
        )

    def wrong(self, key: str, message: str) -> BadGame:
        """The error about one key."""
        return BadGame(f"{self.path}: {key} {message}")

    def only_known(self, tree: dict[str, Any], keys: Sequence[str], where: str) -> None:
        """Refuse keys that mean nothing."""
        unknown = sorted(set(tree) - set(keys))
        if unknown:
            raise self.wrong(f"{where}: {unknown[0]}" if where else unknown[0], f"is not one of {', '.join(keys)}")

    def number(self, key: str, low: int, high: int, usual: int | None = None) -> int:
        """A whole number."""
        value = self.tree.get(key, usual)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.wrong(key, f"must be a number from {low} to {high}, not {value!r}")
        return value

    def options(self) -> dict[str, Any]:
        """The options of the match; those that are not given are as in the usual set-up."""
        given = self.tree.get("options", {})
        if not isinstance(given, dict):
            raise self.wrong("options", "must be a table of options")
        try:
            return self.game.shown_options(self.game.blank(self.players, self.game.box.options | given))
        except BadOption as error:
            raise self.wrong("options", f"cannot be played: {error}") from None

    def step(self, where: str, tree: dict[str, Any], start: int) -> Step:
        """One step; `start`: moves made before it."""
        self.only_known(tree, STEP_KEYS, where)
        before, do, then = (self.moves(where, tree, part) for part in ("before", "do", "then"))
        if then and not do:
            raise self.wrong(f"{where}: then", "needs moves under do, which it follows")
        at = start + len(before)
        text = {lang: self.text(where, tree, lang) for lang in LANGUAGES}
        keys = [f"wrong_{lang}" for lang in LANGUAGES if f"wrong_{lang}" in tree]
        wrong = {lang: self.text(where, tree, f"wrong_{lang}") for lang in LANGUAGES} if keys else {}
        return Step(text, wrong, self.names(where, tree, "lit"), before, do, then, at, at + len(do) + len(then))

    def text(self, where: str, tree: dict[str, Any], key: str) -> str:
        """A text that is there."""
        value = tree.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(where, f"has no text {key}")
        return fill(self.game, value.strip(), key.rpartition("_")[2])

    def names(self, where: str, tree: dict[str, Any], key: str) -> tuple[str, ...]:
        """A list of names."""
        value = tree.get(key, [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise self.wrong(f"{where}: {key}", "must be a list of texts")
        return tuple(value)

    def moves(self, where: str, tree: dict[str, Any], part: str) -> tuple[ScriptedMove, ...]:
        """The moves of a part of a step: codes; with a seat before them where several decide; for the learner, also several."""
        return tuple(self.move(f"{where}: {part}", part, text) for text in self.names(where, tree, part))

    def move(self, where: str, part: str, text: str) -> ScriptedMove:
        """One move."""
        if part == "do":
            codes = [code.strip() for code in text.split("|")]
            actions = None if codes == [ANY] else frozenset(self.action(where, code) for code in codes)
            return ScriptedMove(part, self.seat, actions)
        seat, _, code = text.rpartition(" ")
        if seat and not (seat.isdecimal() and int(seat) < self.players):
            raise self.wrong(where, f"has {text!r}: before a code stands the number of a seat")
        return ScriptedMove(part, int(seat) if seat else None, frozenset([self.action(where, code)]))

    def action(self, where: str, code: str) -> int:
        """The action of a code."""
        if code not in self.actions:
            raise self.wrong(where, f"has {code!r}, which is no code of the game")
        return self.actions[code]
