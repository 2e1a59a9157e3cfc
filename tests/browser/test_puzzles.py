"""The page of a puzzle: what is asked stands above or beside the board, a wrong try is answered, the solution explained."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from perankh.engine.game import get_game
from perankh.web.puzzles import level_of
from perankh.web.words import WORDS

from .tools import LAPTOP, PHONE

Windows = Callable[..., Page]


@pytest.mark.parametrize(("lang", "size"), [("en", LAPTOP), ("ja", PHONE)], ids=["laptop", "phone"])
def test_a_puzzle_is_tried_and_its_solution_explained(open_window: Windows, lang: str, size: dict[str, int]) -> None:
    game = get_game("egizia")
    puzzle = game.puzzles[0]
    seen = game.veiled(puzzle.position(game), puzzle.seat)
    page = open_window(lang, size=size)
    page.goto(f"/puzzles/egizia?id={puzzle.id}")
    page.wait_for_selector(".board .lit", state="attached")
    expect(page.locator("#how-hard")).to_have_text(WORDS.say(f"puzzle.{level_of(puzzle)}", lang))
    asked, board = page.locator(".asked").bounding_box(), page.locator("#board").bounding_box()
    assert asked
    assert board
    assert asked["y"] + asked["height"] <= board["y"] or asked["x"] >= board["x"] + board["width"]
    assert asked["y"] < size["height"] / 2  # read before the board is scrolled
    wrong = next(action for action in puzzle.choices if action != puzzle.solution)
    sentence = game.text.sentence(seen, puzzle.seat, wrong, lang)
    page.locator("#moves .move", has_text=sentence).first.click()
    answer = page.locator("#answer")
    expect(answer).to_contain_text(WORDS.say("puzzle.wrong", lang, sentence=sentence))
    page.locator("#show").click()
    solution = game.text.sentence(seen, puzzle.seat, puzzle.solution, lang)
    expect(answer).to_contain_text(WORDS.say("puzzle.shown", lang, sentence=solution))
    expect(answer.locator("tbody tr")).to_have_count(len(puzzle.choices))
    assert page.evaluate("() => document.documentElement.scrollWidth") <= size["width"]
