"""Reads `guide.toml` and `card.toml`: the pictures and small replays of a game's guides, and its rules on one card."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perankh.engine.words import LANGUAGES
from perankh.errors import BadGame, PerankhError

if TYPE_CHECKING:
    from perankh.engine.events import GameEvent
    from perankh.engine.game import Game
    from perankh.engine.state import Record

KEYS = ("position", "players", "seed", "options", "moves", "crop", "marks", "replay", "viewer")
PARTS = ("goal", "turn", "end", "scoring")  # of a card, in this order
DETAILS = 3


@dataclass(frozen=True)
class Illustration:
    """A part of a drawn position, with numbered marks; or several positions, one after the other."""

    name: str
    position: str = ""  # one of the drawing's PICTURES; empty: a match is dealt
    players: int = 0
    seed: int = 0
    options: tuple[tuple[str, Any], ...] = ()
    moves: tuple[str, ...] = ()  # made before it is drawn: codes, with a seat before them where several decide
    crop: tuple[str, ...] = ()  # ids of sprites, or beginnings of ids with a star; none: the whole scene
    marks: tuple[str, ...] = ()  # likewise: what bears the numbers 1, 2 and so on
    replay: tuple[str, ...] = ()  # moves that are shown one by one
    viewer: int = 0

    def start(self, game: Game) -> Record:
        """The position before the replay."""
        if self.position:
            state: Record = game.drawing.PICTURES[self.position]()
        else:
            state = game.new_state(self.players or game.box.players, self.seed, game.box.options | dict(self.options))
        for move in self.moves:
            self.make(game, state, move)
        return state

    def positions(self, game: Game) -> list[tuple[Record, list[GameEvent]]]:
        """The positions that are shown, each with what led to it."""
        state = self.start(game)
        found: list[tuple[Record, list[GameEvent]]] = [(state.copy(), [])]
        for move in self.replay:
            events = self.make(game, state, move)
            found.append((state.copy(), events))
        return found

    def make(self, game: Game, state: Record, move: str) -> list[GameEvent]:
        """Make a move, which must be legal."""
        seat, _, code = move.rpartition(" ")
        acting = game.actors(state)
        p = int(seat) if seat.isdecimal() else acting[0] if len(acting) == 1 else -1
        action = game.text.CODES.index(code) if code in game.text.CODES else -1
        if p not in acting or action not in game.legal(state, p):
            raise BadGame(
                f"game {game.name}: guide.toml: [{self.name}]: {move!r} is not a legal move of one of the seats {acting}"
            )
        return game.apply(state, p, action)


@dataclass(frozen=True)
class Detail:
    """A picture of the card."""

    picture: str
    text: dict[str, str]


@dataclass(frozen=True)
class Card:
    """The rules on one screen."""

    parts: dict[str, dict[str, tuple[str, ...]]]  # by name and language: the lines
    details: tuple[Detail, ...]


def illustrations_of(game: Game) -> dict[str, Illustration]:
    """What the guides and the card of a game show: those of `guide.toml`, and every position of the drawing as a whole."""
    found = {name: Illustration(name, position=name) for name in game.drawing.PICTURES}
    path = game.folder / "guide.toml"
    for name, table in read(path).items():
        found[name] = illustration(game, path, name, table)
    return found


def illustration(game: Game, path: Path, name: str, table: Any) -> Illustration:
    """One table of `guide.toml`."""
    if not isinstance(table, dict) or (unknown := sorted(set(table) - set(KEYS))):
        raise BadGame(
            f"{path}: [{name}] {f'has {unknown[0]}, which' if isinstance(table, dict) else 'is no table and'} means nothing"
        )
    position = table.get("position", "")
    if position not in ("", *game.drawing.PICTURES):
        raise BadGame(f"{path}: [{name}] shows the position {position!r}, which is not in PICTURES")
    given: dict[str, Any] = {"options": tuple(sorted(table.get("options", {}).items()))}
    for key in ("players", "seed", "viewer"):
        given[key] = table.get(key, 0)
        if isinstance(given[key], bool) or not isinstance(given[key], int):
            raise BadGame(f"{path}: [{name}] {key} must be a whole number")
    for key in ("moves", "crop", "marks", "replay"):
        texts = table.get(key, [])
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise BadGame(f"{path}: [{name}] {key} must be a list of texts")
        given[key] = tuple(texts)
    return Illustration(name, position, **given)


def card_of(game: Game) -> Card | None:
    """The card of a game; None if it has none."""
    path = game.folder / "card.toml"
    tree = read(path)
    if not tree:
        return None
    if unknown := sorted(set(tree) - {*PARTS, "details"}):
        raise BadGame(f"{path}: {unknown[0]} is not one of {', '.join((*PARTS, 'details'))}")
    parts = {part: {lang: lines(path, part, tree.get(part), lang) for lang in LANGUAGES} for part in PARTS}
    given = tree.get("details", [])
    if not isinstance(given, list) or len(given) != DETAILS:
        raise BadGame(f"{path}: a card has {DETAILS} details")
    details = []
    for number, detail in enumerate(given, 1):
        where = f"detail {number}"
        if not isinstance(detail, dict) or detail.get("picture") not in game.illustrations:
            raise BadGame(f"{path}: {where} shows no picture of guide.toml or PICTURES")
        details.append(Detail(detail["picture"], {lang: lines(path, where, detail, lang)[0] for lang in LANGUAGES}))
    return Card(parts, tuple(details))


def lines(path: Path, where: str, table: Any, lang: str) -> tuple[str, ...]:
    """A text or a list of texts."""
    value = table.get(lang) if isinstance(table, dict) else None
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        raise BadGame(f"{path}: {where} has no text {lang}")
    return tuple(text.strip() for text in texts)


def read(path: Path) -> dict[str, Any]:
    """A file, nothing if it is not there."""
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadGame(f"{path}: cannot be read: {error}") from None


def can_be_drawn(game: Game, name: str) -> bool:
    """Can a picture be drawn with the numbers of this edition? Some positions are thought out for the usual ones."""
    try:
        game.illustrations[name].positions(game)
    except (PerankhError, LookupError, ValueError, OverflowError):
        return False
    return True
