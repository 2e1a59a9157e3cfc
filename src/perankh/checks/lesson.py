"""The first match that teaches: every step can be played, every text can be read, every spotlight falls on something."""

from __future__ import annotations

import re
from itertools import product

from perankh.checks.walk import CheckSkipped, Progress, need
from perankh.engine.game import Game
from perankh.engine.lesson import PARTS, Lesson, ScriptedMove, Step
from perankh.engine.state import Record
from perankh.engine.words import seats_called
from perankh.scene.svg import is_meant

STEPS = range(8, 16)
LEAST_MOVES = 4  # that the learner makes himself
MOST_SENTENCES = 2
LENGTHS = {"en": range(20, 261), "ja": range(8, 131)}  # characters of a text; other languages as English
SENTENCE = {"en": re.compile(r"[.!?](?=\s|$)"), "ja": re.compile("[。！？]")}
SHAPES = ("wide", "tall")
MOST_WAYS = 400  # ways through the lesson that are tried


def lesson_can_be_played(game: Game, effort: float, progress: Progress) -> str:
    """`lesson.toml` can be read, whatever will do as a move is legal, and it says and shows enough."""
    lesson = game.lesson
    if lesson is None:
        need(not game.package.startswith("perankh.games."), "there is no lesson.toml")
        raise CheckSkipped("there is no lesson.toml")
    need(len(lesson.steps) in STEPS, f"a lesson has {STEPS[0]} to {STEPS[-1]} steps, not {len(lesson.steps)}")
    made = sum(len(step.do) for step in lesson.steps)
    need(made >= LEAST_MOVES, f"the learner makes {made} moves, at least {LEAST_MOVES} are needed")
    for number, step in enumerate(lesson.steps, 1):
        check_texts(number, step)
    ways = play_all_ways(game, lesson)
    return f"{len(lesson.steps)} steps, {made} moves of the learner, {len(lesson.moves)} in all, {ways} ways"


def check_texts(number: int, step: Step) -> None:
    """A step says one or two sentences, neither too little nor too much, in every language."""
    for lang, text in [*step.text.items(), *step.wrong.items()]:
        length, sentences = LENGTHS.get(lang, LENGTHS["en"]), len(SENTENCE.get(lang, SENTENCE["en"]).findall(text))
        where = f"step {number}, {lang}"
        need(len(text) in length, f"{where}: a text has {length[0]} to {length[-1]} characters, not {len(text)}: {text}")
        need(1 <= sentences <= MOST_SENTENCES, f"{where}: a text has one or two whole sentences, not {sentences}: {text}")
    if "ja" in step.text:
        need(bool(re.search("[ぁ-ん]", step.text["ja"])), f"step {number}, ja: is not Japanese: {step.text['ja']}")


def play_all_ways(game: Game, lesson: Lesson) -> int:
    """Play the lesson with everything that will do; the number of ways."""
    sprites: list[dict[str, set[str]]] = [{shape: set() for shape in SHAPES} for _ in lesson.steps]  # by step and shape
    waiting, ways = [(game.new_state(lesson.players, lesson.seed, lesson.options), 0)], 0
    while waiting:
        state, made = waiting.pop()
        for found, step in zip(sprites, lesson.steps, strict=True):
            if step.at <= made <= step.at + max(0, len(step.do) - 1):
                for shape in SHAPES if set(step.lit) - set(PARTS) else ():
                    found[shape] |= sprites_of(game, lesson, state, shape)
        if made == len(lesson.moves):
            ways += 1
            need(ways <= MOST_WAYS, f"there are more than {MOST_WAYS} ways through the lesson; allow fewer moves")
            continue
        move = lesson.moves[made]
        number = 1 + lesson.steps.index(lesson.step_of(made))
        p = who_moves(game, state, move, number)
        for action in actions_of(game, state, p, move, number):
            after = state.copy()
            game.apply(after, p, action)
            waiting.append((after, made + 1))
    for number, (found, step) in enumerate(zip(sprites, lesson.steps, strict=True), 1):
        check_spotlights(number, step, found)
    return ways


def who_moves(game: Game, state: Record, move: ScriptedMove, number: int) -> int:
    """The seat that makes a move."""
    acting = game.actors(state)
    need(bool(acting), f"step {number}: the match is over before its {move.part} moves")
    if move.seat is None:
        need(len(acting) == 1, f"step {number}: seats {acting} decide: {move.part} must name one before the code")
        return acting[0]
    need(move.seat in acting, f"step {number}: seat {move.seat} does not decide in its {move.part} moves, but {acting}")
    return move.seat


def actions_of(game: Game, state: Record, p: int, move: ScriptedMove, number: int) -> list[int]:
    """What will do as a move, all of it legal."""
    legal = game.legal(state, p)
    wanted = legal if move.actions is None else sorted(move.actions)
    for action in wanted:
        if action not in legal:
            code, reason = game.text.CODES[action], game.text.refusal(game.veiled(state, p), p, action, "en")
            need(False, f"step {number}: {move.part}: {code} is not legal: {reason}")
    return wanted


def sprites_of(game: Game, lesson: Lesson, state: Record, shape: str) -> set[str]:
    """The sprites that the learner sees in a position."""
    seen = game.veiled(state, lesson.seat)
    with seats_called((), listed=True):
        return {sprite.id for sprite in game.drawing.scene(seen, lesson.seat, "en", shape).sprites}


def check_spotlights(number: int, step: Step, sprites: dict[str, set[str]]) -> None:
    """What a step speaks of is there while it lasts, in both shapes of the scene."""
    for shape, name in product(SHAPES, step.lit):
        found = name in PARTS or any(is_meant(name, sprite) for sprite in sprites[shape])
        need(found, f"step {number}: lit: there is no {name} in the {shape} scene, nor among {', '.join(PARTS)}")
