"""Puzzles: the page and the API, the daily choice, and what an answer says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from perankh.engine.game import game_names, get_game
from perankh.engine.puzzles import Puzzle, daily, read_puzzles, write_puzzles
from perankh.errors import BadGame
from perankh.web.puzzles import today

from .conftest import Person

New = Callable[[], Person]
WITH_PUZZLES = [name for name in game_names() if get_game(name).puzzles]


def of_day(name: str) -> Puzzle:
    found = daily(get_game(name).puzzles, today())
    assert found
    return found


def test_every_puzzle_has_its_day_and_the_day_its_puzzle() -> None:
    puzzles = get_game("imhotep").puzzles
    days = [daily(puzzles, date(2026, 1, 1) + timedelta(n)) for n in range(len(puzzles))]
    assert {puzzle.id for puzzle in days if puzzle} == {puzzle.id for puzzle in puzzles}
    assert daily(puzzles, date(2026, 1, 1)) == days[0]
    assert daily((), date(2026, 1, 1)) is None


@pytest.mark.parametrize("name", WITH_PUZZLES)
def test_a_wrong_try_says_what_it_costs_and_the_solution_is_explained(name: str, person: New) -> None:
    who, puzzle, game = person(), of_day(name), get_game(name)
    place = f"/api/puzzles/{name}/{puzzle.id}"
    view = who.ask("GET", f"{place}?lang=en", None, 200)
    assert {move["code"] for move in view["moves"]} == {game.text.CODES[action] for action in puzzle.choices}
    assert "solution" not in view
    assert "choices" not in view
    wrong = next(action for action in puzzle.choices if action != puzzle.solution)
    answer = who.ask("POST", f"{place}?lang=ja", {"code": game.text.CODES[wrong]}, 200)
    assert not answer["right"]
    assert answer["cost"] == list(puzzle.cost(wrong))
    assert answer["cost"][0] > 5
    assert not {"code", "choices", "line", "scene"} & set(answer)  # nothing is given away
    answer = who.ask("POST", f"{place}?lang=en", {"code": game.text.CODES[puzzle.solution]}, 200)
    assert answer["right"]
    assert answer["choices"][0]["chance"] == max(chance for chance, _ in puzzle.choices.values())
    assert answer["scene"]["sprites"]
    assert answer["rival"]["sentence"] in [choice["sentence"] for choice in answer["choices"][1:]]
    shown = who.ask("POST", f"{place}?lang=en", {}, 200)
    assert shown["code"] == game.text.CODES[puzzle.solution]


def test_what_is_no_puzzle_and_no_move_is_refused(person: New) -> None:
    who, puzzle = person(), of_day("imhotep")
    assert "imhotep" in who.ask("GET", "/api/puzzles/imhotep/nothing", None, 404)["error"]
    who.ask("GET", "/api/puzzles/chess/nothing", None, 404)
    who.ask("POST", f"/api/puzzles/imhotep/{puzzle.id}", {"code": "no-move"}, 409)
    who.ask("POST", f"/api/puzzles/imhotep/{puzzle.id}", {"code": 3}, 422)
    who.ask("POST", f"/api/puzzles/imhotep/{puzzle.id}", {"kode": "x"}, 422)
    assert who.http.get("/puzzles/chess").status_code == 404
    assert who.http.get("/puzzles/imhotep?id=nothing").status_code == 404


def test_pages_name_the_puzzle_and_not_its_solution(person: New) -> None:
    who = person()
    listed = who.ask("GET", "/api/puzzles", None, 200)
    assert sorted(one["game"] for one in listed["games"]) == WITH_PUZZLES
    assert "/puzzles/imhotep" in who.http.get("/").text
    assert "/puzzles/imhotep" in who.http.get("/puzzles").text
    puzzle = of_day("imhotep")
    page = who.http.get("/puzzles/imhotep").text
    assert puzzle.id in page
    assert "data-daily" in page
    assert get_game("imhotep").text.CODES[puzzle.solution] not in page


def test_a_file_of_puzzles_is_read_as_it_was_written(tmp_path) -> None:  # type: ignore[no-untyped-def]
    game = get_game("imhotep")
    path = tmp_path / "puzzles.toml"
    write_puzzles(game, list(game.puzzles), path)
    assert read_puzzles(game, path) == game.puzzles
    text = path.read_text("utf-8")
    path.write_text(text.replace("rules = ", "rules = 9"), "utf-8")
    assert read_puzzles(game, path) == ()  # of other rules
    path.write_text(text.replace('solution = "', 'solution = "x'), "utf-8")
    with pytest.raises(BadGame, match="cannot be read"):
        read_puzzles(game, path)
