"""A game being played: seats, moves, refusals with their reason, undo, views. Seed and moves determine everything else."""

from __future__ import annotations

import copyreg
import hashlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn, Self

import perankh
from perankh.engine.editions import Edition
from perankh.engine.events import GameEvent, redacted
from perankh.engine.game import Game, checked_seed, game_at, get_game
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES, Words, seats_called
from perankh.errors import AmbiguousMove, BadOption, IllegalMove, InvalidMove, MoveError
from perankh.match.deal import Deal
from perankh.match.forfeits import Forfeits
from perankh.scene.svg import draw

WORDS = Words(Path(perankh.__file__).with_name("words.toml"))
LONGEST_NAME = 40
SNAPSHOTS = 32  # earlier states that a match keeps, so that going back replays few moves

copyreg.pickle(Game, lambda game: (game_at, (game.place,)))  # a game is pickled as the place where it is found


@lru_cache(1000)
def seed_hash(seed: int) -> str:
    """What is shown before the seed may be: SHA-256 of its 32 hexadecimal digits."""
    return hashlib.sha256(f"{seed:032x}".encode()).hexdigest()


@dataclass(frozen=True)
class Move:
    """A move: who makes it, its action number, and its code for files and links. Moves can be compared and hashed."""

    player: int
    action: int
    code: str
    _game: Game = field(repr=False, compare=False)
    _seen: Record = field(repr=False, compare=False)  # the position as the player saw it

    def sentence(self, lang: str = "en") -> str:
        """The move in words."""
        return str(self._game.text.sentence(self._seen, self.player, self.action, lang))

    @property
    def sentences(self) -> dict[str, str]:
        """The move in words, by language."""
        return {lang: self.sentence(lang) for lang in LANGUAGES}

    def __str__(self) -> str:
        return self.code


@dataclass(frozen=True)
class View:
    """What one player (or a spectator, player -1) may see of a match, without anything that is hidden from them."""

    match: Match
    player: int
    state: Record

    @property
    def moves(self) -> list[Move]:
        """The moves this player may make now."""
        return self.match.moves(self.player) if self.player in self.match.actors else []

    def text(self, lang: str = "en") -> str:
        """The table as plain text."""
        return str(self.match.game.text.board(self.state, self.player, lang))

    def __str__(self) -> str:
        return self.text()

    def svg(self, lang: str = "en", shape: str = "wide") -> str:
        """The table as a picture."""
        game = self.match.game
        return draw(game.drawing.scene(self.state, self.player, lang, shape), game.art, self.text(lang))

    def _repr_svg_(self) -> str:
        """The picture a notebook shows."""
        return self.svg()


@dataclass(frozen=True)
class Origin:
    """Where a match that was begun in the middle of another comes from."""

    moves: tuple[tuple[int, int], ...]  # from the deal on, as pairs of seat and action
    redeals: tuple[
        tuple[int, int, int | None], ...
    ]  # after how many of them it was begun, for which seat, and the seed of the world


class Match:
    """A match of one game. `play` makes a move and checks it; `undo`, `redo`, `at`, `copy` and `positions` move in time."""

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
        self._state = self.game.new_state(players, self.seed, options)
        self._decisions: tuple[Record, list[int], dict[int, list[int]]] | None = None  # state, who acts, choices
        self.players = players
        self.options = self.game.shown_options(self._state)
        self._names = checked_names(names, players)
        self._played: tuple[tuple[int, int], ...] = ()
        self._events: tuple[tuple[GameEvent, ...], ...] = ()
        self._undone: tuple[tuple[int, int], ...] = ()
        self.deal: Deal | None = None  # where the seed comes from, if several have drawn it
        self.origin: Origin | None = None  # of a match that was begun in the middle of another
        self.forfeits = Forfeits()  # who has resigned or lost on time; `over` and `ranks` are what the rules say
        self._snapshots = {0: self._state}  # by number of moves: the states that are kept, one every `_interval` moves
        self._interval = 1

    def __repr__(self) -> str:
        return f"<Match of {self.game.name}, {self.players} players, {self.number} moves{', over' if self.over else ''}>"

    def __eq__(self, other: object) -> bool:
        """The same game, players, seed, options and moves; names and moves that were taken back do not matter."""
        return isinstance(other, Match) and self._identity() == other._identity()

    __hash__ = None  # type: ignore[assignment]

    def _identity(self) -> tuple[Any, ...]:
        return self.game.place, self.game.version, self.players, self.seed, self.options, self.origin, self._played

    # --- Position ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> Record:
        """The present state, with everything hidden in it. A move makes a new one; do not change it."""
        return self._state

    @property
    def number(self) -> int:
        """How many moves have been made."""
        return len(self._played)

    @property
    def played(self) -> tuple[tuple[int, int], ...]:
        """The moves made so far, as pairs of seat and action number."""
        return self._played

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the moves made so far."""
        return tuple(self.game.text.CODES[action] for _, action in self._played)

    @property
    def version(self) -> int:
        """The version of the rules it is played under."""
        return self.game.version

    @property
    def components(self) -> str:
        """The fingerprint of the components it is played with."""
        return self.game.components_fingerprint

    @property
    def edition(self) -> Edition | None:
        """The edition it is played with."""
        return self.game.edition

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat; empty where a seat has none."""
        return self._names

    @property
    def seed_hash(self) -> str:
        """The hash of the seed, safe to show while the match runs."""
        return seed_hash(self.seed)

    @property
    def actors(self) -> list[int]:
        """The seats that may act now; empty when the match is over."""
        return list(self._found()[1])

    def legal(self, p: int) -> list[int]:
        """The actions that a seat may choose from now."""
        _, acting, choices = self._found()
        if p not in choices:
            choices[p] = self.game.legal(self._state, p) if p in acting else []
        return list(choices[p])

    def _found(self) -> tuple[Record, list[int], dict[int, list[int]]]:
        """Who may act in the present state, and what has been found out about their choices."""
        if self._decisions is None or self._decisions[0] is not self._state:
            self._decisions = self._state, self.game.actors(self._state), {}
        return self._decisions

    @property
    def over(self) -> bool:
        """Is the match over?"""
        return not self._found()[1]

    @property
    def ending(self) -> str | None:
        """The name of the reason why the match is over."""
        return self.game.ending(self._state)

    def reason(self, lang: str = "en") -> str | None:
        """The reason why the match is over, as a sentence."""
        return self.game.words.say(f"ending.{self.ending}", lang) if self.ending else None

    @property
    def scores(self) -> list[int]:
        """The points of each seat as they stand."""
        return self.game.scores(self._state)

    @property
    def ranks(self) -> list[int]:
        """The place of each seat as it stands, 1 for the best."""
        return self.game.ranks(self._state)

    @property
    def winners(self) -> list[int]:
        """The seats in first place; empty while the match runs."""
        return [p for p, rank in enumerate(self.ranks) if rank == 1] if self.over else []

    def name(self, p: int, lang: str = "en") -> str:
        """A player's name, or the colour of the seat."""
        return self._names[p] or self.game.seat_name(p, lang)

    def told_forfeits(self, lang: str = "en", names: Sequence[str] | None = None) -> list[str]:
        """Who has resigned or lost on time, as sentences. `names`: what the players are called."""
        called = names or [self.name(p, lang) for p in range(self.players)]
        ended = "forfeit.ended_by" if self.forfeits.ended else "forfeit.resigned"
        told = {ended: self.forfeits.resigned, "forfeit.late": self.forfeits.late}
        return [forfeit_words(key, [called[p] for p in seats], lang) for key, seats in told.items() if seats]

    def rename(self, *names: str) -> None:
        """Give the players names, one a seat; an empty name stands for the colour of the seat."""
        self._names = checked_names(names, self.players)

    # --- Moves -------------------------------------------------------------------------------------------------

    def moves(self, player: int | None = None) -> list[Move]:
        """The legal moves of one seat, or of all seats that may act now."""
        seats = self.actors if player is None else [self._seat(player)]
        found = []
        for p in seats:
            seen = self.game.veiled(self._state, p)
            found += [self._move(seen, p, a) for a in self.legal(p)]
        return found

    def _move(self, seen: Record, p: int, a: int) -> Move:
        return Move(p, a, self.game.text.CODES[a], self.game, seen)

    def play(self, move: str | int | Move, player: int | None = None) -> Move:
        """Make a move, given by code, by its sentence, by action number or as a Move; a refusal says why."""
        p, a = self._checked(move, player)
        made = self._move(self.game.veiled(self._state, p), p, a)
        self.act(p, a)
        return made

    def act(self, p: int, a: int) -> None:
        """Make a move, given by seat and action number; refused if it is not legal."""
        if a not in self.legal(p):
            self._refuse(p, a)
        self._apply(p, a)
        self._undone = ()

    def refusal(self, move: str | int | Move, player: int | None = None) -> MoveError | None:
        """Why a move would be refused; None if it may be made."""
        try:
            self._checked(move, player)
        except MoveError as error:
            return error
        return None

    def _checked(self, move: str | int | Move, player: int | None) -> tuple[int, int]:
        """Seat and action of a move that may be made; raises the reason why not."""
        p = self._player_to_move(move.player if isinstance(move, Move) else player)
        a = self.parse(move, p) if isinstance(move, str) else move.action if isinstance(move, Move) else move
        if a not in self.legal(p):
            self._refuse(p, a)
        return p, a

    def _apply(self, p: int, a: int) -> None:
        """Make a legal move. States are never changed once they are made, so that positions can share them."""
        state = self._state.copy()
        self._events = (*self._events, tuple(self.game.apply(state, p, a)))
        self._state = state
        self._played = (*self._played, (p, a))
        if self.number % self._interval == 0:
            self._snapshots[self.number] = state
            if len(self._snapshots) > SNAPSHOTS:
                self._interval *= 2
                self._snapshots = {n: kept for n, kept in self._snapshots.items() if n % self._interval == 0}

    def bot(self, name: str, player: int | None = None, seed: int | None = None) -> Move:
        """The move a bot would make, for a seat or for the first that may act. It sees what that seat may see and no more.

        The same `seed` gives the same move. The first bot of a game waits until the game's search is compiled.
        """
        from perankh.bots import bot_named

        bot = bot_named(self.game, name)
        p = self._player_to_move(self.actors[0] if player is None and self.actors else player)
        seen = self.game.veiled(self._state, p)
        return self._move(seen, p, bot.decide(self.game, seen, p, secrets.randbits(64) if seed is None else seed))

    def parse(self, text: str, player: int | None = None) -> int:
        """The action that a text means for a player: a code, the start of one, or a sentence of a legal move."""
        p = self._player_to_move(player)
        codes = self.game.text.CODES
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

    def _refuse(self, p: int, a: int) -> NoReturn:
        """Raise the refusal of an action that is not legal, with the reason in every language."""
        if isinstance(a, bool) or not 0 <= a < self.game.actions:
            reasons = {lang: WORDS.say("move.invalid", lang, text=a, game=self.title(lang)) for lang in LANGUAGES}
            raise InvalidMove(reasons["en"], reasons)
        seen = self.game.veiled(self._state, p)
        reasons = {lang: self.game.text.refusal(seen, p, a, lang) for lang in LANGUAGES}
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

    def copy(self) -> Self:
        """An independent match in the same position."""
        twin = object.__new__(type(self))
        twin.__dict__ |= vars(self) | {"options": dict(self.options), "_snapshots": dict(self._snapshots)}
        return twin

    __copy__ = copy

    def at(self, number: int) -> Self:
        """The match as it stood after so many moves (negative: counted from the end), without those that followed."""
        if not -self.number - 1 <= number <= self.number:
            raise BadOption(f"there is no position {number}: the match has {self.number} moves")
        earlier = self.copy()
        earlier._undone = ()
        earlier._go_back(number if number >= 0 else self.number + 1 + number)
        return earlier

    def path_to(self, number: int) -> tuple[Record, tuple[tuple[int, int], ...]]:
        """How to get to the position after so many moves: an earlier state that is kept, and the moves that follow it."""
        nearest = max(n for n in self._snapshots if n <= number)
        return self._snapshots[nearest], self._played[nearest:number]

    def positions(self, first: int = 0) -> Iterator[Self]:
        """The match at every number of moves, from the deal (or from number `first` on) to the present."""
        yield self.at(first)
        yield from self.at(first)._played_on(self._played[first:])

    def _played_on(self, moves: Sequence[tuple[int, int]]) -> Iterator[Self]:
        """Make legal moves one by one; yields the match after each."""
        for p, a in moves:
            self._apply(p, a)
            yield self.copy()

    def history(self) -> list[Move]:
        """The moves made so far."""
        made = zip(self._played, self.positions(), strict=False)
        return [position._move(self.game.veiled(position.state, p), p, a) for (p, a), position in made]

    def undo(self, count: int = 1) -> None:
        """Take back the last moves."""
        if not 1 <= count <= self.number:
            raise move_error(MoveError, "undo.nothing")
        undone = self._played[-count:]
        self._go_back(self.number - count)
        self._undone += undone[::-1]

    def redo(self, count: int = 1) -> None:
        """Make moves again that were taken back."""
        if not 1 <= count <= len(self._undone):
            raise move_error(MoveError, "redo.nothing")
        for _ in range(count):
            self._apply(*self._undone[-1])
            self._undone = self._undone[:-1]

    def _go_back(self, number: int) -> None:
        """Return to the position after so many moves, from the last snapshot before it."""
        if number == self.number:
            return
        self.forfeits = Forfeits()  # of a match that came further
        played = self._played[:number]
        self._snapshots = {n: state for n, state in self._snapshots.items() if n <= number}
        nearest = max(self._snapshots)
        self._state, self._played, self._events = self._snapshots[nearest], played[:nearest], self._events[:nearest]
        for p, a in played[nearest:]:
            self._apply(p, a)

    def practice(self, player: int, seed: int | None = None) -> Self:
        """A match that begins in this position. What the player may not know is drawn anew from `seed`; with None it stays."""
        p = self._seat(player)
        before = self.origin or Origin((), ())
        moves = before.moves + self._played
        begun = self.copy()
        if seed is not None:
            begun._state = self.game.redealt(self.game.veiled(self._state, p), checked_seed(seed))
        begun._played, begun._events, begun._undone, begun.deal, begun.forfeits = (), (), (), None, Forfeits()
        begun._snapshots, begun._interval = {0: begun._state}, 1
        begun.origin = Origin(moves, (*before.redeals, (len(moves), p, seed)))
        return begun

    def begun(self, origin: Origin) -> Self:
        """From the deal on: the match that was begun in the middle of this one. The moves are checked."""
        match = self
        for count, player, seed in origin.redeals:
            done = len(match.origin.moves) if match.origin else 0
            for p, a in origin.moves[done:count]:
                match.act(p, a)
            match = match.practice(player, seed)
        return match

    # --- Views ---------------------------------------------------------------------------------------------------

    def view(self, player: int = -1) -> View:
        """What a player may see; -1 is a spectator."""
        if player != -1:
            self._seat(player)
        return View(self.copy(), player, self.game.veiled(self._state, player))

    def events(self, player: int = -1, first: int = 0, last: int | None = None) -> list[list[GameEvent]]:
        """What happened in each move (those after the first so many, up to number `last`), as far as the player may know."""
        return [redacted(events, player) for events in self._events[first:last]]

    def log_by_move(self, player: int = -1, lang: str = "en") -> list[list[str]]:
        """The lines of the log for each move, as far as the player may know, with the players' names where they have any."""
        after = (self.game.veiled(position.state, player) for position in self.at(0)._played_on(self._played))
        lines = self.game.text.log_lines
        with seats_called(self._names):
            return [lines(state, events, player, lang) for state, events in zip(after, self.events(player), strict=True)]

    def log(self, player: int = -1, lang: str = "en") -> list[str]:
        """The match in words, as far as the player may know."""
        return [line for lines in self.log_by_move(player, lang) for line in lines]

    def _repr_svg_(self) -> str:
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
        replayed = replayed.begun(self.origin) if self.origin else replayed
        for p, a in self._played:
            replayed.play(a, p)
        if replayed.state != self._state:
            raise BadOption("replaying the moves from the seed does not give the state of the match")


def forfeit_words(key: str, names: Sequence[str], lang: str) -> str:
    """A sentence about who has forfeited a match."""
    return WORDS.say(key, lang, players=(", " if lang == "en" else "、").join(names))


def move_error(kind: type[MoveError], key: str, **filled: Any) -> MoveError:
    """A refused move with its reason in every language."""
    reasons = {lang: WORDS.say(key, lang, **filled) for lang in LANGUAGES}
    return kind(reasons["en"], reasons)


def shortened(text: str) -> str:
    """A text for a message: one line, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_NAME else line[:LONGEST_NAME] + "..."


def checked_names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    """One name a seat (empty: the seat's colour), fit to stand on one line."""
    if names is None:
        return ("",) * players
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
    return tuple(names)
