"""Many games of one kind, or of several, stepped together."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from perankh.engine.chance import WORD
from perankh.engine.game import Game, checked_seed, get_game, seed_words
from perankh.engine.state import Record
from perankh.envs import kernels
from perankh.envs.kernels import Games, Settings
from perankh.envs.opponents import Opponent, Opponents
from perankh.envs.runners import InterpretedRunner, NativeRunner, Runner
from perankh.errors import BadFile, BadGame, BadOption, IllegalAction

DEVICES = ("native", "interpreted", "cuda")
AUTORESET = {"same_step": kernels.SAME_STEP, "next_step": kernels.NEXT_STEP, "disabled": kernels.DISABLED}
ILLEGAL = ("raise", "end")
MAGIC = b"perankh game 1\n"  # what a saved game begins with
MOST_UNDECIDED = 1000  # games in a row that may end before the learner decides anything
COUNTED = kernels.FLAGS + 4 * kernels.COUNTERS  # bytes of the flags and counters of a game


class Step(NamedTuple):
    """What a step returns: each array has one row per game. The arrays belong to the batch and change with the next step."""

    seat: Any  # who acts; -1: nobody
    observation: Any  # what this seat sees
    mask: Any  # what it may do
    reward: Any  # of every seat, when a game has ended in this step
    terminated: Any
    truncated: Any


class Batch:
    """Games that are stepped together. `batch` makes one; docs/environments.md describes every array."""

    def __init__(
        self,
        game: Game,
        n: int,
        blanks: list[Record],
        settings: Settings,
        runner: Runner,
        illegal: str,
        seed: int,
        opponents: Opponents | None,
        unveiled: bool = False,
    ) -> None:
        self.game, self.n, self.blanks, self.settings, self.runner = game, n, blanks, settings, runner
        self.illegal, self.opponents = illegal, opponents
        seats, features, actions = max(blank.players for blank in blanks), game.features.size, game.actions
        self.games = g = Games(
            records=runner.records([blanks[0]] * n),
            blanks=runner.records(blanks),
            keys=runner.array((n, 4), np.int64),
            flags=runner.array((kernels.FLAGS, n), np.int8),
            counters=runner.array((kernels.COUNTERS, n), np.int32),
            views=runner.rows((3 if unveiled else 2, n, features), np.int8),
            mask=runner.array((n, actions), np.bool_),
            legal=runner.rows((n, actions), np.int16),
            reward=runner.rows((n, seats), np.float32),
            results=runner.rows((kernels.RESULTS, n, seats), np.int32),
        )
        self.seat = runner.shown(g.flags[kernels.SEAT])
        self.observation = runner.shown(runner.part(g.views, kernels.OBSERVATION))
        self.unveiled = runner.shown(runner.part(g.views, kernels.UNVEILED)) if unveiled else None
        self.mask = runner.shown(g.mask)
        self.reward = runner.shown(g.reward)
        self.terminated = runner.shown(g.flags[kernels.TERMINATED].view(np.bool_))
        self.truncated = runner.shown(g.flags[kernels.TRUNCATED].view(np.bool_))
        self.final_observation = runner.shown(runner.part(g.views, kernels.FINAL_OBSERVATION))
        self.ranks = runner.shown(runner.part(g.results, kernels.RANKS))
        self.scores = runner.shown(runner.part(g.results, kernels.SCORES))
        self.moves = runner.shown(g.counters[kernels.MOVES])
        self.players = runner.shown(g.flags[kernels.PLAYERS])
        self.learner = runner.shown(g.flags[kernels.LEARNER])
        self.number = runner.shown(g.counters[kernels.NUMBER])
        self.legal = runner.shown(g.legal)
        self.legal_count = runner.shown(g.counters[kernels.LEGAL_COUNT])
        self.reported = Step(self.seat, self.observation, self.mask, self.reward, self.terminated, self.truncated)
        self.all_slots = runner.copy(np.arange(n))
        self.actions = runner.array((n,), np.int64)
        self.random = runner.array((n,), np.int64)
        self.draws, self.dealt = 0, False
        self._set_seeds(seed, np.arange(n))

    # --- Playing ------------------------------------------------------------------------------------------------

    def reset(self, seed: int | Sequence[int] | np.ndarray[Any, Any] | None = None, only: Any = None) -> Step:
        """Deal the next game in every slot, or `only` in some: slot numbers or a mask.

        With a seed, slot i begins again with game 0 of the series seed + i; with a seed for each slot (of `only`), with that one.
        """
        slots = self._slots(only)
        if only is None:
            self.dealt = True
        elif not self.dealt:
            raise BadOption("reset all games of a batch before some")
        if seed is not None:
            self._set_seeds(seed, slots)
        return self._advance(kernels.DEAL, self.all_slots if only is None else slots)

    def step(self, actions: Any) -> Step:
        """Carry out an action in every game. Where nobody acts (seat -1), the action is ignored."""
        self._take(actions)
        if self.illegal == "raise":
            self._refuse_illegal(self.all_slots)
        return self._advance(kernels.STEP, self.all_slots)

    def random_actions(self) -> Any:
        """A random legal action for every game, 0 where nobody acts. The array is used again by the next call."""
        self._need_games()
        self.runner.choose(self.games.legal, self.games.counters, self.settings.seed, self.draws, self.random)
        self.draws += 1
        return self.random

    def play_random(self, steps: int, observe: bool = False) -> Step:
        """Make random steps in every game without returning to Python; the same games as `step(random_actions())` plays.

        Masks and observations are written after the last step; with `observe` after every one, for measurements.
        """
        self._need_games()
        whole_from(0, steps=steps)
        if self.opponents:
            raise BadOption("random steps are for batches without opponents")
        if steps > 0:
            self._run(kernels.PLAY_OBSERVED if observe else kernels.PLAY, self.all_slots, steps)
            self.draws += steps
        return self.reported

    def observe(self, seat: int | Sequence[int] | np.ndarray[Any, Any]) -> Any:
        """What a seat sees of every game, or for each game the seat that is given for it. The games stay as they are."""
        self._need_games()
        players = self.runner.get(self.games.flags)[kernels.PLAYERS]
        seats = np.asarray(seat)
        if seats.dtype.kind not in "iu" or seats.shape not in ((), (self.n,)):
            raise BadOption(f"observe takes a seat, or {self.n} seats, not {seat!r}")
        seats = np.broadcast_to(seats, self.n).astype(np.int64)
        wrong = np.flatnonzero((seats < 0) | (seats >= players))
        if len(wrong):
            raise BadOption(f"slot {wrong[0]} has the seats 0 to {players[wrong[0]] - 1}, not {seats[wrong[0]]}")
        return self.runner.observe(self.games, seats, self.settings.hidden)

    def rollout(self, slots: int | Sequence[int] | np.ndarray[Any, Any], count: int) -> Any:
        """The mean reward of each seat in `count` random games from the position in a slot, which stays as it is.

        Of several slots: an array with a row for each. What is hidden there is as it is; what chance brings later is drawn anew
        for each game.
        """
        self._need_games()
        several = isinstance(slots, (Sequence, np.ndarray)) and not isinstance(slots, str)
        chosen = np.array([self._slot(i) for i in slots] if several else [self._slot(slots)], np.int64)  # type: ignore[union-attr, arg-type]
        whole_from(1, count=count)
        limit = self.settings.limit or kernels.ROLLOUT_LIMIT
        keys = np.array(seed_words(self.seed), np.int64)
        total = self.runner.rollout(self.games, chosen, keys, self.settings.seed ^ self.draws, limit, int(count))
        self.draws += 1
        players = self.runner.get(self.games.flags)[kernels.PLAYERS][chosen].astype(np.int64)
        means = total[:, : self.reward.shape[1]] / (players - 1)[:, None] / count
        return means if several else means[0, : players[0]].tolist()

    def redeal(self, real: Batch) -> Step:
        """In every slot, a random world that fits what the seat knows that is to act in the same slot of another batch.

        What is hidden from this seat is dealt anew, and so is what chance brings later: for searches.
        """
        real._need_games()
        if (real.game, real.reward.shape, type(real.runner)) != (self.game, self.reward.shape, type(self.runner)):
            raise BadOption(
                "worlds are dealt for a batch of as many games of the same game, with as many seats, on the same device"
            )
        self.runner.redeal(self.games, real.games, self.draws * self.n)
        self.draws, self.dealt = self.draws + 1, True
        return self._advance(kernels.SHOW, self.all_slots)

    def advance(self, actions: Any) -> Step:
        """A step in the games whose action is legal; the others stay as they are. For batches in which illegal actions raise."""
        self._take(actions)
        return self._advance(kernels.STEP, self.all_slots)

    def wait(self) -> None:
        """Wait until all steps are done. On the GPU, a step returns before it is done; readers on another stream have to wait."""

    @property
    def illegal_count(self) -> int:
        """How many illegal actions have ended games."""
        return int(self.runner.get(self.games.counters)[kernels.ILLEGAL].sum())

    @property
    def learner_reward(self) -> Any:
        """The reward of the learner's seat in each game, in a batch with opponents."""
        ended = self.terminated | self.truncated
        return np.where(ended, self.reward[self.all_slots, self.games.flags[kernels.VIEWER]], np.float32(0))

    # --- Copies ------------------------------------------------------------------------------------------------

    def copy(self) -> Batch:
        """Another batch with the same games in the same positions; each then goes on by itself."""
        made_from, *now = self._parts()
        return restored((*made_from[:4], copy(self.runner), *made_from[5:]), *now)

    def __deepcopy__(self, memo: Any) -> Batch:
        return self.copy()

    def __reduce__(self) -> Any:
        return restored, self._parts()

    def _parts(self) -> tuple[Any, ...]:
        """What a batch is made from, and where it is now."""
        opponents, unveiled = self.opponents, self.unveiled is not None
        made_from = self.game, self.n, self.blanks, self.settings, self.runner, self.illegal, self.seed, opponents, unveiled
        return made_from, [copied(array) for array in self.games], self.draws, self.dealt

    # --- Single games -------------------------------------------------------------------------------------------

    def state(self, i: int) -> Record:
        """A copy of the whole state in slot i, to look at."""
        self._need_games()
        return self.runner.read(self.games.records, self._slot(i))

    def save(self, i: int) -> bytes:
        """The game in slot i with its counters."""
        record = self.state(i).to_bytes()
        flags, counters = self.runner.get(self.games.flags)[:, i], self.runner.get(self.games.counters)[:, i]
        body = bytes(flags.tobytes() + counters.tobytes()) + record
        return MAGIC + self._identity + hashlib.sha256(body).digest()[:8] + body

    def load(self, i: int, data: bytes) -> None:
        """Put a saved game into slot i; after it, the slot continues with the games of its own series."""
        self._need_games()
        i = self._slot(i)
        head = MAGIC + self._identity
        if not isinstance(data, bytes) or data[: len(MAGIC)] != MAGIC:
            raise BadFile("this is no game saved by a batch")
        if data[: len(head)] != head:
            raise BadFile(f"this game was saved by another game than {self.game.name}, or by another version of its rules")
        check, body = data[len(head) : len(head) + 8], data[len(head) + 8 :]
        if len(body) != COUNTED + self.game.State.dtype.itemsize or hashlib.sha256(body).digest()[:8] != check:
            raise BadFile("this saved game is damaged")
        state = self.game.State.from_bytes(body[COUNTED:])
        if state.players > self.reward.shape[1]:
            raise BadOption(f"this batch is for {self.reward.shape[1]} players at most, not {state.players}")
        g = self.games
        self.runner.write(g.records, i, state)
        count, learner = int(g.counters[kernels.LEGAL_COUNT, i]), min(int(self.learner[i]), state.players - 1)
        self.runner.put(g.flags, np.s_[:, i], np.frombuffer(body, np.int8, kernels.FLAGS))
        self.runner.put(g.flags, (kernels.LEARNER, i), learner)
        self.runner.put(g.counters, np.s_[:, i], np.frombuffer(body, np.int32, kernels.COUNTERS, kernels.FLAGS))
        self.runner.put(g.counters, (kernels.LEGAL_COUNT, i), count)  # the mask is of the game that was here
        self._advance(kernels.SHOW, np.array([i]))

    @property
    def _identity(self) -> bytes:
        """What a saved game must have in common with this batch: game, version of the rules, components, record."""
        game = self.game
        facts = (game.name, game.version, game.components_fingerprint, game.State.dtype.descr)
        return hashlib.sha256(repr(facts).encode()).digest()[:16]

    # --- Inside -------------------------------------------------------------------------------------------------

    def _run(self, task: int, slots: Any, steps: int = 1) -> None:
        self.runner.run(self.games, task, slots, self.actions, self.draws, steps)

    def _advance(self, task: int, slots: Any) -> Step:
        """Run a task; then opponents play until the learner acts everywhere. If one of them fails, nothing has happened."""
        if self.opponents is None:
            self._run(task, slots)
            return self.reported
        kept = [copied(array) for array in self.games] if self.opponents.may_fail else None
        try:
            self._run(task, slots)
            numbers = self.number.copy()
            while len(others := np.flatnonzero((self.seat >= 0) & (self.seat != self.learner))):
                if (self.number[others] - numbers[others]).max() > MOST_UNDECIDED:
                    raise BadGame(f"game {self.game.name}: the learner's seat never decides anything")
                self.opponents.decide(self, others)
                if self.illegal == "raise":
                    self._refuse_illegal(others)
                self._run(kernels.CONTINUE, others)
        except BaseException:
            for array, before in zip(self.games, kept or (), strict=bool(kept)):
                array[:] = before
            raise
        return self.reported

    def _need_games(self) -> None:
        if not self.dealt:
            raise BadOption("reset the batch before its first step")

    def _slot(self, i: int) -> int:
        """A slot number that exists."""
        if isinstance(i, bool) or not isinstance(i, (int, np.integer)) or not 0 <= i < self.n:
            raise BadOption(f"a batch of {self.n} games has no slot {i!r}")
        return int(i)

    def _slots(self, only: Any) -> Any:
        """Slot numbers from what a person gives: nothing (all), numbers or a mask."""
        if only is None:
            return np.arange(self.n)
        chosen = np.asarray(only)
        if chosen.dtype == np.bool_ and chosen.shape == (self.n,):
            return np.flatnonzero(chosen)
        if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
            raise BadOption(f"only: slot numbers, or a mask of {self.n} truth values")
        if chosen.size and not (0 <= int(chosen.min()) and int(chosen.max()) < self.n):
            raise BadOption(f"only: slots are numbered from 0 to {self.n - 1}")
        return np.unique(chosen.astype(np.int64))

    def _set_seeds(self, seed: int | Sequence[int] | np.ndarray[Any, Any], slots: Any) -> None:
        """Begin the series of these slots anew: seed + slot, or a seed for each."""
        if isinstance(seed, (Sequence, np.ndarray)) and not isinstance(seed, str):
            if len(seed) != len(slots):
                raise BadOption(f"{len(slots)} games need {len(slots)} seeds, not {len(seed)}")
            words = np.array([seed_words(checked_seed(one)) for one in seed], np.int64).reshape(-1, 4)
        else:
            self.seed, self.draws = checked_seed(seed), 0
            words = np.array([seed_words(self.seed)] * len(slots), np.int64).reshape(-1, 4)
            words[:, 0] += slots
            for k in range(3):
                words[:, k + 1] += words[:, k] >> 32
            words &= WORD
        self.runner.put(self.games.keys, slots, words)
        self.runner.put(self.games.counters, (kernels.NUMBER, slots), -1)

    def _take(self, actions: Any) -> None:
        """Copy actions into the batch, if they are whole numbers, one a game."""
        self._need_games()
        given = np.asarray(actions)
        self._check_actions(given)
        np.copyto(self.actions, given, casting="unsafe")

    def _check_actions(self, given: Any) -> None:
        """Raise IllegalAction if these are not whole numbers, one a game."""
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise IllegalAction(f"a step takes {self.n} whole numbers, not {given.dtype} of the shape {given.shape}")

    def _refuse_illegal(self, slots: Any) -> None:
        """Raise IllegalAction if one of the actions is not allowed."""
        i = self.runner.first_illegal(self.games.flags, self.games.mask, self.actions, slots)
        if i >= 0:
            seat, action = int(self.seat[i]), int(self.actions[i])
            raise IllegalAction(f"slot {i}, seat {seat}: action {self._named(action)} is not allowed; nothing was changed")

    def _named(self, action: int) -> str:
        """An action with its code."""
        if not 0 <= action < self.game.actions:
            return f"{action} (there are 0 to {self.game.actions - 1})"
        return f"{action} ({self.game.text.CODES[action]})"


def restored(made_from: tuple[Any, ...], arrays: list[Any], draws: int, dealt: bool) -> Batch:
    """A batch that continues where another one was."""
    twin = Batch(*made_from)
    for array, now in zip(twin.games, arrays, strict=True):
        array[:] = now
    twin.draws, twin.dealt = draws, dealt
    return twin


def copied(array: Any) -> Any:
    """An array, or the states of the interpreted rules, as they are now."""
    return [state.copy() for state in array] if isinstance(array, list) else array.copy()


def batch(
    game: str | Path | Game,
    n: int,
    *,
    players: int | Sequence[int] | None = None,
    options: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    seed: int | None = 0,
    device: str = "native",
    threads: int = 1,
    autoreset: str = "same_step",
    illegal: str = "raise",
    limit: int | None = None,
    opponents: Opponent | Mapping[int, Opponent] | None = None,
    seat: int | str | None = None,
    unveiled: bool = False,
    stream: Any = None,
) -> Batch:
    """N games that are stepped together; reset them before the first step.

    With several player counts or option sets, slots take the combinations in turn. `limit`: moves after which a game is
    truncated. `illegal`: an illegal action raises IllegalAction and nothing is changed, or it ends that game.
    `opponents`: a bot's name, a policy or a mapping from seats to these. They play all seats but `seat` (a number, or "random"
    for another one in each game), and steps return when this seat acts. `unveiled`: the batch also writes observations in which
    nothing is hidden, for critics in training. `stream`: on the GPU, the stream to use.
    """
    game = game if isinstance(game, Game) else get_game(game)
    whole_from(1, n=n, threads=threads, **({} if limit is None else {"limit": limit}))
    one_of(AUTORESET, autoreset=autoreset)
    one_of(ILLEGAL, illegal=illegal)
    one_of(DEVICES, device=device)
    blanks = kinds_of(game, players, options)
    seed = checked_seed(seed)
    others, learner = None, kernels.EVERYBODY
    if opponents is not None:
        learner = learner_of(seat, min(blank.players for blank in blanks))
        taken = range(max(blank.players for blank in blanks))
        others = Opponents(opponents, [p for p in taken if p != learner], len(taken))
    elif seat is not None:
        raise BadOption("seat: whoever learns in one seat needs opponents in the others")
    hidden = int("veil" in game.own_functions)
    settings = Settings(
        games=int(n),
        limit=int(limit or 0),
        autoreset=AUTORESET[autoreset],
        learner=learner,
        truncating=game.truncating,
        seed=seed & WORD,
        hidden=hidden,
        refuse=int(illegal == "raise"),
    )
    if device == "cuda":
        from perankh.envs.device import DeviceBatch, DeviceRunner

        if others:
            others.need_no_host()
        return DeviceBatch(game, int(n), blanks, settings, DeviceRunner(game, settings, stream), illegal, seed, others, unveiled)
    if stream is not None:
        raise BadOption("stream is for device=cuda")
    runner = InterpretedRunner(game, settings) if device == "interpreted" else NativeRunner(game, settings, int(threads))
    return Batch(game, int(n), blanks, settings, runner, illegal, seed, others, unveiled)


def learner_of(seat: int | str | None, players: int) -> int:
    """The seat that learns, as a number of the kernels; the first one if none is given."""
    if seat == "random":
        return kernels.RANDOM_SEAT
    if seat is None:
        return 0
    whole_from(0, seat=seat)
    if int(seat) >= players:
        raise BadOption(f"seat is random or a number from 0 to {players - 1}, not {seat!r}")
    return int(seat)


def kinds_of(
    game: Game, players: int | Sequence[int] | None, options: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
) -> list[Record]:
    """A state with nothing dealt for every combination of a player count and a set of options."""
    counts = [game.players[0]] if players is None else players if isinstance(players, Sequence) else [players]
    sets = [options or {}] if options is None or isinstance(options, Mapping) else options
    if not all(isinstance(chosen, Mapping) for chosen in sets):
        raise BadOption(f"options are a dict, or several dicts, not {options!r}")
    if not counts or not sets:
        raise BadOption("a batch needs at least one player count and one set of options")
    for count in counts:
        whole_from(1, players=count)
    return [game.blank(int(count), dict(chosen)) for chosen, count in product(sets, counts)]


def whole_from(low: int, **values: Any) -> None:
    """Raise BadOption if a value is not a whole number from `low` on."""
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < low:
            raise BadOption(f"{name} is a whole number from {low} on, not {value!r}")


def one_of(allowed: Any, **values: Any) -> None:
    """Raise BadOption if a value is not one of those allowed."""
    for name, value in values.items():
        if not isinstance(value, str) or value not in allowed:
            raise BadOption(f"{name} is {', '.join(allowed)}, not {value!r}")
