"""Reads and writes `puzzles.toml`: positions of a game with one clearly best move, as `perankh puzzles` finds them."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perankh.errors import BadGame, PerankhError

if TYPE_CHECKING:
    from perankh.engine.game import Game
    from perankh.engine.state import Record

FILE = "puzzles.toml"
KEYS = ("id", "players", "seat", "options", "seed", "moves", "solution", "line", "found", "error", "choices")
HEADER = """\
# Positions with one clearly best move, found and measured by `perankh puzzles {game}`. rules: the version of the rules that the
# figures were taken with. Of each puzzle: seat and deal, the moves that lead to it, the solution, and the line of play that the
# search expects after it (seat and code). choices: of every move, the chance of winning (per cent) and the lead in points at the
# end; error: how far off the first of them may be against the solution; found: how many of eight quick searches find it.
"""


@dataclass(frozen=True)
class Puzzle:
    """One position, its solution and its figures."""

    id: str
    players: int
    seat: int  # who solves it
    options: dict[str, Any]
    seed: int
    moves: tuple[int, ...]  # that lead to it, by whoever is to decide; of several, the first seat
    solution: int
    line: tuple[tuple[int, int], ...]  # moves that the search expects after it: seat and action
    found: int  # how many of eight quick searches find it
    error: float  # of the chances of a choice against the solution, in per cent
    choices: dict[int, tuple[float, float]]  # of every legal action: chance of winning in per cent, and lead in points

    def position(self, game: Game) -> Record:
        """The position to solve; raises BadGame if the moves do not lead to a decision of the seat."""
        try:
            state = game.new_state(self.players, self.seed, self.options)
        except PerankhError as error:
            raise BadGame(f"puzzle {self.id}: cannot be dealt: {error}") from None
        for number, action in enumerate(self.moves):
            acting = game.actors(state)
            if not acting or action not in game.legal(state, acting[0]):
                raise BadGame(f"puzzle {self.id}: move {number + 1}, {game.text.CODES[action]}, is not legal")
            game.functions["apply"](state, acting[0], action)
        if self.seat not in game.actors(state):
            raise BadGame(f"puzzle {self.id}: seat {self.seat} has nothing to decide")
        return state

    def cost(self, action: int) -> tuple[float, float]:
        """What an action costs against the solution: chance of winning in per cent, and points."""
        best, other = self.choices[self.solution], self.choices[action]
        return round(best[0] - other[0], 1), round(best[1] - other[1], 1)


def puzzles_of(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles in a game's folder; none if they were found with other rules or other printed numbers."""
    path = game.folder / FILE
    if not path.is_file() or game.edition:
        return ()
    return read_puzzles(game, path)


def read_puzzles(game: Game, path: Path) -> tuple[Puzzle, ...]:
    """The puzzles of a file; raises BadGame if it is none."""
    try:
        tree = tomllib.loads(path.read_text("utf-8"))
        if tree["rules"] != game.version or tree["components"] != game.components_fingerprint:
            return ()
        actions = {code: action for action, code in enumerate(game.text.CODES)}
        puzzles = tuple(puzzle_of(one, actions) for one in tree.get("puzzles", []))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadGame(f"{path}: cannot be read: {type(error).__name__}: {error}") from None
    if len({puzzle.id for puzzle in puzzles}) < len(puzzles):
        raise BadGame(f"{path}: two puzzles have the same id")
    return puzzles


def puzzle_of(tree: dict[str, Any], actions: dict[str, int]) -> Puzzle:
    """One puzzle of a file."""
    if set(tree) != set(KEYS):
        raise ValueError(f"a puzzle has {', '.join(KEYS)}")
    line = [code.rpartition(" ") for code in tree["line"]]
    return Puzzle(
        id=str(tree["id"]),
        players=int(tree["players"]),
        seat=int(tree["seat"]),
        options=dict(tree["options"]),
        seed=int(tree["seed"]),
        moves=tuple(actions[code] for code in tree["moves"].split()),
        solution=actions[tree["solution"]],
        line=tuple((int(seat), actions[code]) for seat, _, code in line),
        found=int(tree["found"]),
        error=float(tree["error"]),
        choices={actions[code]: (float(chance), float(lead)) for code, (chance, lead) in tree["choices"].items()},
    )


def write_puzzles(game: Game, puzzles: list[Puzzle], path: Path) -> None:
    """Write a file of puzzles."""
    facts = f'rules = {game.version}\ncomponents = "{game.components_fingerprint}"\n'
    text = HEADER.format(game=game.name) + facts + "".join(puzzle_text(game, puzzle) for puzzle in puzzles)
    path.write_text(text, "utf-8")


def puzzle_text(game: Game, puzzle: Puzzle) -> str:
    """One puzzle as TOML."""
    codes = game.text.CODES
    ranked = sorted(puzzle.choices.items(), key=lambda choice: -choice[1][0])
    lines = [
        "",
        "[[puzzles]]",
        f'id = "{puzzle.id}"',
        f"players = {puzzle.players}",
        f"seat = {puzzle.seat}",
        f"options = {inline(puzzle.options)}",
        f"seed = {puzzle.seed}",
        f'moves = "{" ".join(codes[action] for action in puzzle.moves)}"',
        f'solution = "{codes[puzzle.solution]}"',
        f"line = {json.dumps([f'{seat} {codes[action]}' for seat, action in puzzle.line])}",
        f"found = {puzzle.found}",
        f"error = {puzzle.error}",
        f"choices = {inline({codes[action]: list(figures) for action, figures in ranked})}",
    ]
    return "\n".join(lines) + "\n"


def inline(values: dict[str, Any]) -> str:
    """An inline table of TOML; JSON writes numbers, texts and lists alike."""
    return "{" + ", ".join(f"{json.dumps(name)} = {json.dumps(value)}" for name, value in values.items()) + "}"


def daily(puzzles: tuple[Puzzle, ...], day: date) -> Puzzle | None:
    """The puzzle of a day, the same everywhere; every puzzle has its turn."""
    return puzzles[day.toordinal() % len(puzzles)] if puzzles else None
