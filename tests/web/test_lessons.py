"""Lessons: what the server lets a learner do, what it does by itself, and what it keeps out of the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from perankh.engine.game import get_game
from perankh.web.refusal import WORDS

from ..conftest import CONNECT_FOUR
from .conftest import Person, counted

New = Callable[[], Person]


def learn(who: Person, game: str = "connect_four") -> str:
    return str(who.ask("POST", f"/api/lessons/{game}", None, 200)["id"])


def until(who: Person, table: str, number: int) -> Any:
    """The view once so many moves are made; the other seats move by themselves."""
    while (view := who.view(table))["number"] < number:
        pass
    return view


def go(who: Person, table: str, step: int, status: int = 200) -> Any:
    return who.ask("POST", f"/api/tables/{table}/lesson", {"step": step}, status)


def test_the_learner_moves_and_the_others_follow_the_lesson(person: New) -> None:
    red = person()
    table = learn(red)
    view = red.view(table)
    assert view["settings"]["lesson"] == "begun"
    assert [player["kind"] for player in view["players"]] == ["me", "bot"]
    assert not view["may_hint"]
    assert all(player["ready"] for player in view["players"])  # no bot has to be prepared
    refused = red.move(table, 0, "a", 422)["reason"]
    lesson = get_game(CONNECT_FOUR).lesson
    assert lesson
    assert refused == lesson.steps[2].wrong
    assert red.ask("POST", f"/api/tables/{table}/hint", {"seat": 0}, 409)["reason"]["ja"] == WORDS.say("lesson", "ja")
    for made in range(0, 6, 2):
        red.move(table, made, "d")
        view = until(red, table, made + 2)
    assert [line["text"] for line in view["log"] if line["seat"] == 1][-1] == "Scribe drops a stone onto d4."
    assert not view["may_undo"]
    assert learn(red) == table  # where it was left
    assert learn(person()) != table


def test_a_lesson_is_no_match_before_it_is_over_and_none_that_counts(person: New) -> None:
    red = person()
    table = learn(red)
    for made, code in enumerate("dede"):
        if made % 2 == 0:
            red.move(table, made, "d")
        view = until(red, table, made + 1)
        assert code in "de"
    (listed,) = red.ask("GET", "/api/tables")
    assert listed["lesson"]
    assert not listed["your_turn"]
    assert red.ask("GET", "/api/due") == []
    go(red, table, 9, 409)  # not yet
    red.move(table, 4, "d")
    until(red, table, 6)
    red.move(table, 6, "e")
    view = until(red, table, 8)
    assert red.move(table, 8, "b", 422)["reason"]["en"] == WORDS.say("lesson", "en")  # the last words come first
    go(red, table, 9)
    view = red.view(table)
    assert (view["settings"]["lesson"], view["number"]) == ("over", 8)
    go(red, table, 9, 409)
    red.move(table, 8, "b")
    assert red.ask("GET", "/api/tables")[0]["lesson"] is False
    assert learn(red) != table  # over: from the start
    red.ask("POST", f"/api/tables/{table}/resign", {"seat": 0})
    assert counted(red)["matches"] == []


def test_moves_are_skipped_over_only_where_the_lesson_does(person: New) -> None:
    red, other = person(), person()
    table = learn(red, "mural")
    game = get_game("mural")
    assert game.lesson
    steps, codes = game.lesson.steps, game.text.CODES
    cut = next(number for number, step in enumerate(steps) if step.before)
    go(red, table, cut, 409)
    go(red, table, 99, 409)
    go(other, table, 0, 403)
    for step in steps[:cut]:
        for made, move in enumerate(step.do):
            assert move.actions
            red.move(table, step.at + made, codes[next(iter(move.actions))])
        until(red, table, step.end)
    assert red.view(table)["number"] == steps[cut - 1].end
    assert go(red, table, cut) == go(red, table, cut) == {"number": steps[cut].at}
    assert "87" in [move["code"] for move in red.view(table)["moves"]]


def test_only_what_has_a_lesson_can_be_learned(person: New) -> None:
    assert "chess" in person().ask("POST", "/api/lessons/chess", None, 404)["error"]
