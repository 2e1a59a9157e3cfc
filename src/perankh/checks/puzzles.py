"""The puzzles of a game: every position can be reached, every move has its figures, and the solution is clearly the best."""

from __future__ import annotations

from perankh.bots.lines import line_in_words
from perankh.bots.reasons import reasons
from perankh.checks.walk import CheckSkipped, Progress, need
from perankh.engine.game import Game
from perankh.engine.puzzles import FILE, Puzzle, read_puzzles
from perankh.engine.words import LANGUAGES

CHOICES = 3  # legal moves that a puzzle has at least
MARGIN = 5.0  # per cent by which the solution is better than any other move
QUICK_SEARCHES = 8


def puzzles_can_be_solved(game: Game, effort: float, progress: Progress) -> str:
    """`puzzles.toml` can be read; positions, solutions and expected lines are legal; the texts of the answers are there."""
    path = game.folder / FILE
    if not path.is_file():
        raise CheckSkipped(f"there is no {FILE}")
    puzzles = read_puzzles(game, path)
    need(bool(puzzles), f"{FILE} was made with other rules or other printed numbers; run perankh puzzles {game.name} anew")
    for puzzle in puzzles:
        check_puzzle(game, puzzle)
    return f"{len(puzzles)} puzzles, {sum(len(puzzle.choices) for puzzle in puzzles)} moves"


def check_puzzle(game: Game, puzzle: Puzzle) -> None:
    """One puzzle."""
    p, where = puzzle.seat, f"puzzle {puzzle.id}"
    seen = game.veiled(puzzle.position(game), p)
    legal = game.legal(seen, p)
    need(len(legal) >= CHOICES, f"{where}: there are {len(legal)} moves, a puzzle has at least {CHOICES}")
    need(sorted(puzzle.choices) == sorted(legal), f"{where}: choices are not the legal moves")
    need(puzzle.solution in puzzle.choices, f"{where}: the solution {game.text.CODES[puzzle.solution]} is not legal")
    margin = min(puzzle.cost(action)[0] for action in legal if action != puzzle.solution)
    need(margin >= MARGIN, f"{where}: another move is within {margin} per cent of the solution, at least {MARGIN} are needed")
    need(margin > puzzle.error, f"{where}: another move is within the error of the solution")
    need(0 <= puzzle.found < QUICK_SEARCHES, f"{where}: {puzzle.found} of {QUICK_SEARCHES} quick searches find the solution")
    for lang in LANGUAGES:
        told = line_in_words(game, seen, p, puzzle.solution, puzzle.line, lang)
        need(all(told), f"{where}: the expected line has an empty text in {lang}")
    for action in legal:
        need(all(all(one.text.values()) for one in reasons(game, seen, p, action)), f"{where}: a reason has no text")
