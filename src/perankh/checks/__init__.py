"""Checks that any game can be held to. `perankh check GAME` runs them all.

A check is a function of a `Game`, an effort (1 for everyday use, more for longer runs) and a progress report. It returns what
it found in one line, raises `CheckFailed` with the fault, or `CheckSkipped` with the reason why it does not apply.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from perankh.checks.bots import levels_in_order
from perankh.checks.box import box_of_the_game
from perankh.checks.clauses import clauses_cited
from perankh.checks.drawings import scenes_and_paths
from perankh.checks.events import events_told
from perankh.checks.guides import card_on_one_screen, pictures_and_guides
from perankh.checks.hidden import hidden_stays_hidden
from perankh.checks.lesson import lesson_can_be_played
from perankh.checks.observations import observations_complete, observations_fit
from perankh.checks.playthroughs import playthroughs_unchanged
from perankh.checks.previews import pieces_explained, previews_true
from perankh.checks.puzzles import puzzles_can_be_solved
from perankh.checks.redeal import same_in_other_worlds
from perankh.checks.rules import endings_reached, kernels_compile, legal_actions, modes_agree, random_games, seats_alike
from perankh.checks.subset import rules_compilable
from perankh.checks.texts import codes_and_sentences, save_and_replay, texts_for_every_viewer, words_complete
from perankh.checks.walk import CheckFailed, CheckSkipped, Progress
from perankh.checks.watchdog import EndlessRules, in_worker, watching
from perankh.engine.game import Game, place_in
from perankh.errors import PerankhError

Check = Callable[[Game, float, Progress], str]

CHECKS: dict[str, Check] = {
    "clauses": clauses_cited,
    "words": words_complete,
    "box": box_of_the_game,
    "subset": rules_compilable,
    "legal": legal_actions,
    "notation": codes_and_sentences,
    "texts": texts_for_every_viewer,
    "scenes": scenes_and_paths,
    "previews": previews_true,
    "explanations": pieces_explained,
    "guides": pictures_and_guides,
    "card": card_on_one_screen,
    "lesson": lesson_can_be_played,
    "puzzles": puzzles_can_be_solved,
    "hidden": hidden_stays_hidden,
    "events": events_told,
    "observations": observations_fit,
    "complete": observations_complete,
    "files": save_and_replay,
    "playthroughs": playthroughs_unchanged,
    "modes": modes_agree,
    "invariants": random_games,
    "endings": endings_reached,
    "seats": seats_alike,
    "redeal": same_in_other_worlds,
    "bots": levels_in_order,
    "cuda": kernels_compile,
}

STATIC = ("clauses", "words", "box", "subset")  # these play nothing; all others need rules that end
COMPILED = ("modes", "invariants", "endings", "seats", "redeal", "bots", "cuda")  # these need rules that compile

__all__ = ["CHECKS", "Check", "CheckFailed", "CheckSkipped", "Outcome", "run_checks"]


@dataclass(frozen=True)
class Outcome:
    """How one check ended: `verdict` is "passed", "failed" or "skipped"."""

    name: str
    verdict: str
    detail: str
    seconds: float


def run_checks(
    game: Game,
    effort: float = 1.0,
    names: Iterable[str] = tuple(CHECKS),
    progress: Callable[[str, float], None] = lambda _name, _share: None,
) -> Iterator[Outcome]:
    """Run the checks one after the other, yielding each outcome as it comes; `progress` is called with the share done of each.

    A rule or a game that does not end fails its check, and the checks after it that play are skipped. Compiled rules cannot be
    interrupted: checks that run them do so in a process of their own.
    """
    endless = uncompilable = False
    crashes: dict[str, str] = {}  # the check that met each first
    for name in names:
        began = time.perf_counter()
        try:
            if endless and name not in STATIC:
                raise CheckSkipped("not run, because play does not end")
            if uncompilable and name in COMPILED:
                raise CheckSkipped("not run, because the rules do not compile")
            check, report = CHECKS[name], partial(progress, name)
            if name in COMPILED:
                detail = in_worker(check, game, effort, report)
            else:
                with watching(game):
                    detail = check(game, effort, report)
            verdict = "passed"
        except CheckSkipped as skipped:
            verdict, detail = "skipped", str(skipped)
        except EndlessRules as failure:
            verdict, detail, endless = "failed", str(failure), True
        except PerankhError as failure:
            verdict, detail = "failed", f"{place_in(game.folder, failure)}{failure}"
            uncompilable = uncompilable or name == "subset"
        except Exception as crash:
            fault = f"{place_in(game.folder, crash)}{type(crash).__name__}: {crash}"
            verdict, detail = "failed", f"{fault}, {', '.join(getattr(crash, '__notes__', ()))}".removesuffix(", ")
            if fault in crashes:
                detail = f"{fault}, as in {crashes[fault]}"
            crashes.setdefault(fault, name)
        yield Outcome(name, verdict, detail, time.perf_counter() - began)
