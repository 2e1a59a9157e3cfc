"""A game being played: seats, moves, refusals with their reason, undo, views. The log (seed and moves) is the truth."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import perankh
from perankh.engine.game import Game, checked_seed, get_game
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES, Words
from perankh.errors import AmbiguousMove, BadGame, BadOption, IllegalMove, InvalidMove, MoveError
from perankh.scene.svg import draw

WORDS = Words(Path(perankh.__file__).with_name("words.toml"))
LONGEST_NAME = 40


def seed_hash(seed: int) -> str:
    """What is shown before the seed may be: SHA-256 of its 32 hexadecimal digits."""
    return hashlib.sha256(f"{seed:032x}".encode()).hexdigest()


@dataclass(frozen=True)
class Move:
    """One legal move: who makes it, its action number, its code for files and links, and its sentence by language."""

    player: int
    action: int
    code: str
    sentences: dict[str, str]

    def sentence(self, lang: str = "en") -> str:
        """The move in words."""
        return self.sentences[lang]

    def __str__(self) -> str:
        return self.code


@dataclass(frozen=True)
class View:
    """What one player (or a spectator, player -1) may see of a match: nothing hidden is in it."""

    match: Match
    player: int
    state: Record

    @property
    def moves(self) -> list[Move]:
        """The moves this player may make now."""
        return self.match.moves(self.player) if self.player in self.match.actors else []

    def text(self, lang: str = "en") -> str:
        """The table as plain text."""
        return str(self.match.game.face.board(self.state, self.player, lang))

    def __str__(self) -> str:
        return self.text()

    def svg(self, lang: str = "en", shape: str = "wide") -> str:
        """The table as a picture; a game without a scene cannot be drawn."""
        game = self.match.game
        if game.scene is None:
            raise BadGame(f"{game.name} has no scene.py and cannot be drawn")
        return draw(game.scene.scene(self.state, self.player, lang, shape), game.art, self.text(lang))

    def _repr_svg_(self) -> str | None:
        """The picture a notebook shows."""
        return self.svg() if self.match.game.scene else None


class Match:
    """A match of one game. `play` is the checked door to the rules."""

    def __init__(
        self,
        game: str | Path | Game,
        players: int,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else get_game(game)
        self.seed = checked_seed(seed)
        self.state = self.game.new_state(players, self.seed, options)
        self.players = players
        self.options = self.game.shown_options(self.state)
        self.names = checked_names(names, players)
        self.played: list[tuple[int, int]] = []
        self._undone: list[tuple[int, int]] = []

    def __repr__(self) -> str:
        return f"<Match of {self.game.name}, {self.players} players, {len(self.played)} moves{', over' if self.over else ''}>"

    # --- What stands ------------------------------------------------------------------------------------------

    @property
    def seed_hash(self) -> str:
        """The hash of the seed, safe to show while the match runs."""
        return seed_hash(self.seed)

    @property
    def actors(self) -> list[int]:
        """The seats that may act now; empty when the match is over."""
        return self.game.actors(self.state)

    @property
    def over(self) -> bool:
        """Is the match over?"""
        return not self.actors

    @property
    def ending(self) -> str | None:
        """The name of the reason why the match is over."""
        return self.game.ending(self.state)

    def reason(self, lang: str = "en") -> str | None:
        """The reason why the match is over, as a sentence."""
        return self.game.words.say(f"ending.{self.ending}", lang) if self.ending else None

    @property
    def scores(self) -> list[int]:
        """The points of each seat as they stand."""
        return self.game.scores(self.state)

    @property
    def ranks(self) -> list[int]:
        """The place of each seat as it stands, 1 for the best."""
        return self.game.ranks(self.state)

    @property
    def winners(self) -> list[int]:
        """The seats in first place; empty while the match runs."""
        return [p for p, rank in enumerate(self.ranks) if rank == 1] if self.over else []

    def name(self, p: int, lang: str = "en") -> str:
        """A player's name, or the colour of the seat."""
        return self.names[p] or str(self.game.face.seat_name(p, lang))

    # --- Moves -------------------------------------------------------------------------------------------------

    def moves(self, player: int | None = None) -> list[Move]:
        """The legal moves of one seat, or of all seats that may act now."""
        seats = self.actors if player is None else [self._seat(player)]
        found = []
        for p in seats:
            seen = self.game.veiled(self.state, p)
            found += [self._move(seen, p, a) for a in self.game.legal(self.state, p)]
        return found

    def _move(self, seen: Record, p: int, a: int) -> Move:
        face = self.game.face
        return Move(p, a, face.CODES[a], {lang: face.sentence(seen, p, a, lang) for lang in LANGUAGES})

    def play(self, move: str | int | Move, player: int | None = None) -> Move:
        """Make a move, given by code, by its sentence, by action number or as a Move; a refusal says why."""
        p = self._player_to_move(move.player if isinstance(move, Move) else player)
        a = self.parse(move, p) if isinstance(move, str) else move.action if isinstance(move, Move) else move
        if a not in self.game.legal(self.state, p):
            self.refuse(p, a)
        made = self._move(self.game.veiled(self.state, p), p, a)
        self.game.rules.apply(self.state, p, a)
        self.played.append((p, a))
        self._undone.clear()
        return made

    def parse(self, text: str, player: int | None = None) -> int:
        """The action that a text means for a player: a code, the start of one, or a sentence of a legal move."""
        p = self._player_to_move(player)
        codes = self.game.face.CODES
        wanted = text.strip().casefold()
        folded = [code.casefold() for code in codes]
        if wanted in folded:
            return folded.index(wanted)
        legal = self.moves(p)
        for move in legal:
            if wanted in (sentence.casefold() for sentence in move.sentences.values()):
                return move.action
        fitting = [move for move in legal if wanted and move.code.casefold().startswith(wanted)]
        if len(fitting) == 1:
            return fitting[0].action
        if fitting:
            raise move_error(AmbiguousMove, "move.ambiguous", text=text, codes=", ".join(move.code for move in fitting))
        reasons = {lang: WORDS.say("move.invalid", lang, text=shortened(text), game=self.title(lang)) for lang in LANGUAGES}
        raise InvalidMove(reasons["en"], reasons)

    def refuse(self, p: int, a: int) -> NoReturn:
        """Raise the refusal of an action that is not legal, with the reason in every language."""
        if isinstance(a, bool) or not 0 <= a < self.game.actions:
            reasons = {lang: WORDS.say("move.invalid", lang, text=a, game=self.title(lang)) for lang in LANGUAGES}
            raise InvalidMove(reasons["en"], reasons)
        seen = self.game.veiled(self.state, p)
        reasons = {lang: self.game.face.refusal(seen, p, a, lang) for lang in LANGUAGES}
        raise IllegalMove(reasons["en"], reasons)

    def title(self, lang: str = "en") -> str:
        """The name of the game."""
        return self.game.words.say("game.name", lang)

    def _seat(self, player: int) -> int:
        if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < self.players:
            raise move_error(InvalidMove, "move.no_seat", seat=player, last=self.players - 1)
        return player

    def _player_to_move(self, player: int | None) -> int:
        """The seat a move is for; refuses if it is not that seat's to decide."""
        actors = self.actors
        if not actors:
            reasons = {lang: WORDS.say("move.over", lang, reason=self.reason(lang)) for lang in LANGUAGES}
            raise IllegalMove(reasons["en"], reasons)
        if player is None and len(actors) == 1:
            return actors[0]
        waiting = {lang: ", ".join(self.name(p, lang) for p in actors) for lang in LANGUAGES}
        if player is None:
            reasons = {lang: WORDS.say("move.whose", lang, actors=waiting[lang]) for lang in LANGUAGES}
            raise AmbiguousMove(reasons["en"], reasons)
        p = self._seat(player)
        if p not in actors:
            reasons = {
                lang: WORDS.say("move.not_your_turn", lang, player=self.name(p, lang), actors=waiting[lang]) for lang in LANGUAGES
            }
            raise IllegalMove(reasons["en"], reasons)
        return p

    # --- Time ----------------------------------------------------------------------------------------------------

    def states(self) -> Iterator[Record]:
        """Every state of the match from the deal on; each is a copy."""
        state = self.game.new_state(self.players, self.seed, self.options)
        yield state.copy()
        for p, a in self.played:
            self.game.rules.apply(state, p, a)
            yield state.copy()

    def at(self, number: int) -> Match:
        """The match as it stood after so many moves (negative: counted from the end)."""
        count = len(self.played)
        if not -count - 1 <= number <= count:
            raise BadOption(f"there is no position {number}: the match has {count} moves")
        earlier = Match(self.game, self.players, self.seed, self.options, self.names)
        for p, a in self.played[: number if number >= 0 else count + 1 + number]:
            earlier.game.rules.apply(earlier.state, p, a)
            earlier.played.append((p, a))
        return earlier

    def undo(self, count: int = 1) -> None:
        """Take back the last moves."""
        if not 1 <= count <= len(self.played):
            raise move_error(MoveError, "undo.nothing")
        undone = self.played[-count:]
        earlier = self.at(len(self.played) - count)
        self.state, self.played = earlier.state, earlier.played
        self._undone += reversed(undone)

    def redo(self, count: int = 1) -> None:
        """Make moves again that were taken back."""
        if not 1 <= count <= len(self._undone):
            raise move_error(MoveError, "redo.nothing")
        for _ in range(count):
            p, a = self._undone.pop()
            self.game.rules.apply(self.state, p, a)
            self.played.append((p, a))

    # --- Eyes ----------------------------------------------------------------------------------------------------

    def view(self, player: int = -1) -> View:
        """What a player may see; -1 is a spectator."""
        if player != -1:
            self._seat(player)
        return View(self, player, self.game.veiled(self.state, player))

    def log(self, player: int = -1, lang: str = "en") -> list[str]:
        """The match in words, a line a move, as far as the player may know."""
        lines = []
        states = self.states()
        before = self.game.veiled(next(states), player)
        for (p, a), state in zip(self.played, states, strict=True):
            after = self.game.veiled(state, player)
            lines.append(self.game.face.told(before, after, p, a, lang))
            before = after
        return lines

    def _repr_svg_(self) -> str | None:
        """The picture a notebook shows: what a spectator sees."""
        return self.view()._repr_svg_()

    # --- Files ---------------------------------------------------------------------------------------------------

    def save(self, path: str | Path, *, reveal: bool = True) -> None:
        """Write the match as one readable text file; with `reveal=False` the seed's hash stands in for the seed."""
        from perankh.match.file import write

        write(self, Path(path), reveal)

    def verify(self, expected_hash: str | None = None) -> None:
        """Replay the match from its seed; raises if the hash, a move or the final state is not what it should be."""
        if expected_hash is not None and expected_hash != self.seed_hash:
            raise BadOption("the seed does not belong to the hash shown at the start")
        replayed = Match(self.game, self.players, self.seed, self.options)
        for p, a in self.played:
            replayed.play(a, p)
        if replayed.state != self.state:
            raise BadOption("replaying the moves from the seed does not give the state of the match")


def move_error(kind: type[MoveError], key: str, **filled: Any) -> MoveError:
    """A refusal in the words of the house."""
    reasons = {lang: WORDS.say(key, lang, **filled) for lang in LANGUAGES}
    return kind(reasons["en"], reasons)


def shortened(text: str) -> str:
    """A text for a message: one line, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_NAME else line[:LONGEST_NAME] + "..."


def checked_names(names: Sequence[str] | None, players: int) -> list[str]:
    """One name a seat (empty: the seat's colour), fit to stand on one line."""
    if names is None:
        return [""] * players
    if isinstance(names, str) or len(names) != players:
        raise BadOption(f"{players} names are needed, one a seat")
    for name in names:
        if (
            not isinstance(name, str)
            or len(name) > LONGEST_NAME
            or not (name == "" or name.isprintable())
            or name != name.strip()
        ):
            raise BadOption(f"{name!r} is not a name: printable characters on one line, at most {LONGEST_NAME}")
    return list(names)
