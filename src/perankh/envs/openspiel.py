"""The games in OpenSpiel: Python games with explicit chance, for its algorithms and checks.

Every draw of the rules is a chance node. Rules draw in the middle of a move, so a move is carried out again from its start for
each draw that it needs, with the outcomes known so far. That is right and slow; `chance=sampled` draws inside the moves instead.
Learners that need speed use a batch.

Sealed decisions that several seats make at the same time are made in turn, lowest seat first; the veiled states keep them sealed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

from perankh.engine import chance
from perankh.engine.events import GameEvent, redacted
from perankh.engine.game import SEED_LIMIT, Game, game_names, get_game, seed_words
from perankh.engine.rule import Translation, is_rule, needs_twin
from perankh.engine.sets import lowest
from perankh.engine.state import Field, Option, Record
from perankh.errors import BadGame, BadOption

MOST_OUTCOMES = 4096  # of one draw
MOST_MOVES = 10_000  # decisions after which a game is left, unless a parameter says otherwise
DEAL = (-2, -1)  # in place of a seat and an action
SPECTATOR = -1
MODES = ("explicit", "sampled")


# --- Moves with given draws -----------------------------------------------------------------------------------------------------


class DrawWanted(Exception):
    """The rules ask for a draw whose outcome is not given."""

    def __init__(self, outcomes: int) -> None:
        self.outcomes = outcomes


def scripted_below(s: Record, n: int) -> int:
    """What stands in place of `chance.below`: the next of the outcomes that lie in the record's pool."""
    if n <= 1:
        return 0
    if s.chance_used >= len(s.chance_pool):
        raise DrawWanted(int(n))
    s.chance_used += 1
    return s.chance_pool[s.chance_used - 1]


class ScriptedRules(Translation):
    """The interpreted rules of a game, with draws taken from a script."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.own_functions)
        entries = game.functions["setup"], game.functions["apply"]
        self.setup, self.apply = map(self.part, entries)
        self.draws = any(function is chance.below for entry in entries for function in self.reached(entry))

    def part(self, function: Any) -> Any:
        """The same rule among scripted ones."""
        function = self.bound(function)
        if function is chance.below:
            return scripted_below
        if function.__code__ not in self.parts:
            self.parts[function.__code__] = self.twin(function)
        return self.parts[function.__code__]

    def translated(self, value: Any) -> Any:
        """One global as the scripted rules see it."""
        if is_rule(value):
            return self.part(value)
        return self.module(vars(value)) if needs_twin(value) else value


# --- Positions ------------------------------------------------------------------------------------------------------------------


class Position:
    """A position, and how it came about. It never changes, so copies of states share it.

    While a move waits for draws, `record` is the state before the move, `pending` the move and `drawn` the outcomes so far.
    """

    def __init__(
        self,
        game: Game,
        record: Record,
        before: Position | None = None,
        move: tuple[int, int] | None = None,
        events: tuple[GameEvent, ...] = (),
    ) -> None:
        self.game = game
        self.record = record
        self.before = before  # the position before the last finished move
        self.move = move  # the seat and the action that led here; None: nothing is dealt yet
        self.events = events  # what happened in it
        self.number: int = 0 if before is None or move == DEAL else before.number + 1  # decisions made so far
        self.pending: tuple[int, int] | None = None
        self.drawn: tuple[int, ...] = ()
        self.wanted = 0  # how many outcomes the next draw has
        self._seen: dict[int, str] = {}  # by seat: the information state

    def __deepcopy__(self, memo: Any) -> Position:
        return self

    def __reduce__(self) -> Any:
        """Pickled as rows of plain numbers; a chain of positions would be too deep."""
        rows = [(at.record.to_bytes(), at.move, tuple(event.as_numbers() for event in at.events)) for at in self.line()]
        return restored_position, (self.game, rows[::-1], self.pending, self.drawn, self.wanted)

    def line(self) -> Iterator[Position]:
        """The position and all before it, the latest first."""
        at: Position | None = self
        while at is not None:
            yield at
            at = at.before

    def waiting(self, pending: tuple[int, int] | None, drawn: tuple[int, ...], wanted: int) -> Position:
        """The same position while a move waits for a draw; with None and no draws, while none does."""
        if wanted > MOST_OUTCOMES:
            raise BadGame(
                f"{self.game.name} draws one of {wanted} outcomes; OpenSpiel gets {MOST_OUTCOMES} at most: use chance=sampled"
            )
        twin = object.__new__(Position)
        twin.__dict__ |= vars(self) | {"pending": pending, "drawn": drawn, "wanted": wanted}
        return twin

    @property
    def dealt(self) -> bool:
        """Is there something to see?"""
        return self.move is not None

    @property
    def actor(self) -> int:
        """The seat that decides, the lowest of several; -1 if none does."""
        mask = self.game.functions["actors"](self.record) if self.dealt else 0
        return int(lowest(mask)) if mask else -1

    def moved(self, rules: ScriptedRules | None, move: tuple[int, int], drawn: tuple[int, ...] = ()) -> Position:
        """The position after a move with these draws (or after the deal), or while it waits for the next draw."""
        record = self.record.copy()
        events: list[GameEvent] = []
        record.events = events
        functions = self.game.functions
        if rules:
            record.chance_pool, record.chance_used = list(drawn), 0
        try:
            if move == DEAL:
                (rules.setup if rules else functions["setup"])(record)
            else:
                (rules.apply if rules else functions["apply"])(record, *move)
        except DrawWanted as wanted:
            return self.waiting(move, drawn, wanted.outcomes)
        record.events = None
        if rules:
            record.chance_pool, record.chance_used = [0] * len(self.record.chance_pool), 0
        return Position(self.game, record, self.waiting(None, (), 0) if self.wanted else self, move, tuple(events))

    def seen_by(self, p: int) -> str:
        """The information state of a seat: all that it has seen and done, from the deal on."""
        missing = []
        for at in self.line():
            if p in at._seen:
                break
            missing.append(at)
        for at in reversed(missing):
            at._seen[p] = (at.before._seen[p] if at.before else f"seat {p}") + at.news(p)
        return self._seen[p] + (f"\n> {self.game.text.CODES[self.pending[1]]}" if self.pending and self.pending[0] == p else "")

    def news(self, p: int) -> str:
        """What a seat has learned in the last move: its own action, events, and fields of its view that have changed."""
        if not self.dealt:
            return ""
        assert self.before
        assert self.move
        old = self.game.veiled(self.before.record, p) if self.before.dealt else type(self.record)()
        new = self.game.veiled(self.record, p)
        told = [f"> {self.game.text.CODES[self.move[1]]}"] if self.move[0] == p else []
        told += [f"{e.kind.name} {e.seat} {e.by_name()}" for e in redacted(self.events, p)]
        told += [f"{name}={new.shown(name)}" for name, value in new.items() if value != getattr(old, name)]
        return "".join(f"\n{line}" for line in told)


def restored_position(game: Game, rows: list[Any], pending: Any, drawn: tuple[int, ...], wanted: int) -> Position:
    """A position from what `Position.__reduce__` wrote."""
    position = None
    for record, move, events in rows:
        position = Position(game, game.State.from_bytes(record), position, move, tuple(game.event(row) for row in events))
    assert position
    return position.waiting(pending, drawn, wanted) if wanted else position


# --- The game in OpenSpiel ------------------------------------------------------------------------------------------------------


def is_number(word: Any) -> bool:
    """Would OpenSpiel read this word as a number?"""
    return str(word).isdigit()


def parameter(option: Option) -> Any:
    """The default of the parameter that stands for an option. OpenSpiel fixes its type: true or false, a number or a word."""
    if option.kind == "seat":
        return -1
    if option.kind == "choice" and all(map(is_number, option.values)):
        return int(option.default)
    return spelled(option.default) if option.kind == "choice" else option.default


def spelled(word: Any) -> str:
    """A word of an option; one that OpenSpiel would read as a number gets an underscore in front."""
    return f"_{word}" if is_number(word) else str(word)


def option_value(option: Option, value: Any) -> Any:
    """The value of an option from its parameter."""
    if option.kind == "seat" and value == -1:
        return "random"
    return value.removeprefix("_") if isinstance(value, str) else value


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its number of players and its options. `game` is set in a class for each game."""

    game: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = self.defaults() | (params or {})
        self.players: int = given["players"]
        self.mode: str = given["chance"]
        self.limit: int = given["max_game_length"]
        if self.mode not in MODES:
            raise BadOption(f"chance is {' or '.join(MODES)}, not {self.mode!r}")
        if self.limit < 1:
            raise BadOption(f"max_game_length is at least 1, not {self.limit}")
        options = {name: option_value(option, given[name]) for name, option in self.game.options.items()}
        blank = self.game.blank(self.players, options)
        self.rules = ScriptedRules(self.game) if self.mode == "explicit" else None
        self.seeds = random.Random(None if given["seed"] < 0 else given["seed"])
        self.root = Position(self.game, blank)
        if self.rules:
            self.root = self.root.moved(self.rules, DEAL)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.actions,
            max_chance_outcomes=MOST_OUTCOMES if self.rules and self.rules.draws else 0,
            num_players=self.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.limit,
        )
        super().__init__(self.game_type(self.mode), info, given)

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Every parameter with its default."""
        own = {"players": cls.game.players[0], "chance": MODES[0], "seed": -1, "max_game_length": MOST_MOVES}
        return own | {name: parameter(option) for name, option in cls.game.options.items()}

    @classmethod
    def game_type(cls, mode: str) -> Any:
        """What OpenSpiel asks to know about a game."""
        kinds = pyspiel.GameType
        modes = kinds.ChanceMode
        drawn = modes.EXPLICIT_STOCHASTIC if mode == "explicit" else modes.SAMPLED_STOCHASTIC
        knowledge = kinds.Information
        return kinds(
            short_name=f"perankh_{cls.game.name}",
            long_name=cls.game.words.say("game.name", "en"),
            dynamics=kinds.Dynamics.SEQUENTIAL,
            chance_mode=drawn if ScriptedRules(cls.game).draws else modes.DETERMINISTIC,
            information=knowledge.IMPERFECT_INFORMATION if cls.game.hidden else knowledge.PERFECT_INFORMATION,
            utility=kinds.Utility.ZERO_SUM,
            reward_model=kinds.RewardModel.TERMINAL,
            max_num_players=cls.game.players[-1],
            min_num_players=cls.game.players[0],
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification=cls.defaults(),
        )

    def new_initial_state(self) -> OpenSpielState:
        """A state before the deal, or a dealt one if chance is sampled."""
        return OpenSpielState(self)

    def initial_position(self, seed: int) -> Position:
        """Where a state begins: before the first draw of the deal, or dealt with a seed."""
        if self.rules:
            return self.root
        undealt = Position(self.game, self.root.record.copy())
        chance.seed_chance(undealt.record, *seed_words(seed), 0)
        return undealt.moved(None, DEAL)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a seat sees: the features, and the same as a string; with perfect recall a string of all it has seen."""
        return Observer(self.game, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a game: a position, which OpenSpiel copies and pickles with the state."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.seed = 0 if game.rules else game.seeds.randrange(SEED_LIMIT)
        self._position: Position | None = None

    @property
    def position(self) -> Position:
        """The position. It is dealt when somebody asks for it: OpenSpiel makes a new state for every copy and overwrites it."""
        if self._position is None:
            self._position = self.get_game().initial_position(self.seed)
        return self._position

    def current_player(self) -> int:
        """The seat that decides, or chance, or nobody at the end."""
        if self.position.wanted:
            return int(pyspiel.PlayerId.CHANCE)
        actor = self.position.actor
        return int(pyspiel.PlayerId.TERMINAL) if actor < 0 or self.is_too_long() else actor

    def is_too_long(self) -> bool:
        """Has the game been left because of its length?"""
        return bool(self.position.number >= self.get_game().max_game_length())

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return bool(self.current_player() == pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        """The actions of the seat that decides."""
        if player != self.current_player():
            return []
        return [int(action) for action in self.position.game.legal(self.position.record, player)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the draw, each equally likely."""
        n = self.position.wanted
        return [(outcome, 1 / n) for outcome in range(n)]

    def _apply_action(self, action: int) -> None:
        """Make a move or a draw. OpenSpiel has checked nothing, so an illegal action is refused here."""
        at, rules = self.position, self.get_game().rules
        if at.wanted:
            if not 0 <= action < at.wanted:
                raise BadOption(f"the draw has the outcomes 0 to {at.wanted - 1}, not {action}")
            assert at.pending
            self._position = at.moved(rules, at.pending, (*at.drawn, action))
            return
        player = self.current_player()
        if player < 0:
            raise BadOption("the game is over: nobody may do anything")
        if action not in self._legal_actions(player):
            raise BadOption(f"{action} is not a legal action of seat {player} now")
        self._position = at.moved(rules, (player, action))

    def _action_to_string(self, player: int, action: int) -> str:
        """The code of an action, or the outcome of a draw."""
        return f"draw {action}" if player == pyspiel.PlayerId.CHANCE else str(self.position.game.text.CODES[action])

    def returns(self) -> list[float]:
        """By places: seats behind minus seats ahead, over the other players; 0 while the game runs."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        ranks = self.position.game.ranks(self.position.record)
        return [sum((other > own) - (other < own) for other in ranks) / (len(ranks) - 1) for own in ranks]

    def __str__(self) -> str:
        """The fields of the record that are not empty, and the draw that is due."""
        at = self.position
        fields = [
            f"{name}: {at.record.shown(name)}" for name, field in at.record.fields.items() if is_known(at.record, name, field)
        ]
        if at.wanted:
            assert at.pending
            what = "deal" if at.pending == DEAL else f"move {at.game.text.CODES[at.pending[1]]} of seat {at.pending[0]}"
            fields.append(f"{what}: drawn {list(at.drawn)}, next one of {at.wanted}")
        return "\n".join(fields)


class Observer:
    """What a seat observes: its features, in `tensor` and by name in `dict`, and the same as a string.

    Perfect recall, and what is public or private alone, have strings only.
    """

    def __init__(self, game: Game, kind: Any, params: Any) -> None:
        private = pyspiel.PrivateInfoType
        if params:
            raise BadOption(f"observations take no parameters, not {params}")
        if kind.private_info == private.ALL_PLAYERS:
            raise BadOption("an observer sees what one player may know, not what all know together")
        self.game = game
        self.public, self.own, self.recalls = kind.public_info, kind.private_info == private.SINGLE_PLAYER, kind.perfect_recall
        if self.recalls and not self.public:
            raise BadOption("an observer with perfect recall sees what is public")
        self.has_features = self.public and self.own and not self.recalls
        self.tensor = np.zeros(game.features.size if self.has_features else 0, np.float32)
        self.dict = game.features.named(self.tensor) if self.has_features else {}

    def features(self, at: Position, player: int) -> Any:
        """The features as whole numbers; all 0 before the deal."""
        return np.array(self.game.observation_of(at.record, player) if at.dealt else [0] * self.game.features.size, np.int8)

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what a player observes into `tensor`, scaled to lie between -1 and 1."""
        if self.has_features:
            self.tensor[:] = self.features(state.position, player) * self.game.features.scales

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """What a player observes as text: the features that are not 0, all that it has seen, or fields of the record."""
        at = state.position
        if self.recalls:
            return at.seen_by(player if self.own else SPECTATOR)
        if self.has_features:
            named = self.game.features.named(self.features(at, player))
            return "\n".join(f"{name}: {shown(values)}" for name, values in named.items() if values.any())
        if not at.dealt:
            return ""
        view, public = self.game.veiled(at.record, player), self.game.veiled(at.record, SPECTATOR)
        if self.public:
            return "\n".join(
                f"{name}: {public.shown(name)}" for name, field in public.fields.items() if is_known(public, name, field)
            )
        secret = [name for name in view.fields if self.own and getattr(view, name) != getattr(public, name)]
        return "\n".join(f"{name}: {view.shown(name)}" for name in secret)


def is_known(record: Record, name: str, field: Field) -> bool:
    """Is this a field of the game with something in it?"""
    return not name.startswith("chance_") and getattr(record, name) != field.empty()


def shown(values: Any) -> str:
    """Numbers of a feature: a single one, or the places that are not 0, with their values where these are not 1."""
    if not values.shape:
        return str(values)
    places = (
        ".".join(map(str, place)) + ("" if values[tuple(place)] == 1 else f"={values[tuple(place)]}")
        for place in np.argwhere(values)
    )
    return " ".join(places)


def register_openspiel(*chosen: str | Path | Game) -> list[str]:
    """Register games with OpenSpiel: these, or all that are found by name. Returns their names there, such as perankh_mural."""
    names = []
    for name in chosen or game_names():
        game = name if isinstance(name, Game) else get_game(name)
        kind: Any = type(f"OpenSpiel_{game.name}", (OpenSpielGame,), {"game": game})
        pyspiel.register_game(kind.game_type(MODES[0]), kind)
        names.append(f"perankh_{game.name}")
    return names
