"""Clicks that are refused with the reason of the rules, and decisions that are none."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from perankh.engine.game import get_game
from perankh.match import Match
from perankh.web.rendering import is_forced
from perankh.web.secrecy import marks_of

from .conftest import Person

CONNECT_FOUR = str(Path(__file__).parents[2] / "examples" / "connect_four")
New = Callable[[], Person]


def why(who: Person, table: str, under: list[str], status: int = 200, **more: Any) -> Any:
    query = {"lang": more.pop("lang", "en")}
    body = {"seat": 0, "under": under} | more
    return who.ask("POST", f"/api/tables/{table}/why", body, status, params=query)


def test_a_click_is_refused_with_the_reason(person: New) -> None:
    red = person()
    table = red.table(seats=[{"kind": "me"}] * 2)
    for number in range(6):
        red.move(table, number, "a", seat=number % 2)
    full = "Column a is full: it already holds 6 stones."
    assert why(red, table, ["stone-a6"]) == {"reason": full}
    assert why(red, table, ["stone-a6"], lang="ja") == {"reason": "a の列はもう 6 個で埋まっている。"}
    assert why(red, table, ["board", "letter-b", "letter-a"]) == {"reason": full}  # b may be clicked: it cannot be meant
    assert why(red, table, ["board"]) == {"reason": None}
    for nothing in ({"under": ["stone-z9"]}, {"chosen": ["none"]}, {"seat": 1}):
        assert why(red, table, **{"under": ["stone-a6"]} | nothing) == {"reason": None}
    assert why(person(), table, ["stone-a6"], 403)["reason"]["en"]
    why(red, table, ["stone-a6"], 404, seat=9)
    why(red, table, ["stone-a6"] * 17, 422)
    why(red, table, ["x" * 101], 422)


def one_column_left() -> list[str]:
    """A match of Connect Four with one open column, which does not end with the next stone."""
    for seed in range(1000):
        chance, match = random.Random(seed), Match(CONNECT_FOUR, 2, 1)
        while not match.over:
            if is_forced(match.game, match.state, match.actors[0]):
                return [match.game.text.CODES[a] for _, a in match.played]
            match.play(chance.choice(match.game.legal(match.state, match.actors[0])))
    raise AssertionError("no match came to it")


def test_a_forced_move_is_named_told_and_passed_over_when_taken_back(person: New) -> None:
    red = person()
    table = red.table(seats=[{"kind": "me"}] * 2)
    assert red.view(table, viewer=0)["forced"] is None
    codes = one_column_left()
    for number, code in enumerate(codes):
        red.move(table, number, code, seat=number % 2)
    p, number = len(codes) % 2, len(codes)
    view = red.view(table, viewer=p)
    assert [view["forced"]] == [move["code"] for move in view["moves"]]
    assert red.view(table, viewer=1 - p)["forced"] is None
    red.move(table, number, view["forced"], seat=p)
    for viewer in (p, 1 - p, -1):
        last = red.view(table, viewer=viewer)["log"][-1]
        assert last.get("forced", False) == (viewer == p)
    match = Match(CONNECT_FOUR, 2, 1)
    for code in [*codes, view["forced"]]:
        match.play(code)
    mark = marks_of(match)[p][0]
    assert mark < number
    red.ask("POST", f"/api/tables/{table}/undo", {"seat": p})
    again = red.view(table, viewer=p)
    assert (again["number"], again["forced"]) == (mark, None)
    assert len(again["moves"]) > 1


def test_marks_are_the_last_real_choices() -> None:
    match, chance = Match("cleocatra", 3, 4), random.Random(2)
    real: dict[int, int] = {}
    forced = 0
    for number in range(120):
        p = match.actors[0]
        legal = match.game.legal(match.state, p)
        if len(legal) > 1:
            real[p] = number
        match.play(chance.choice(legal), p)
        if len(legal) == 1:
            forced += 1
            assert {seat: first for seat, (first, _) in marks_of(match).items()} == real
    assert forced > 5


def test_the_end_sealed_choices_and_timed_ones_are_left_to_people() -> None:
    forced = asked = 0
    for name in ("maqha", "mural"):
        game = get_game(name)
        for seed in range(4):
            state, chance = game.new_state(3, seed), random.Random(seed)
            while game.actors(state):
                for p in game.actors(state):
                    seen = game.veiled(state, p)
                    if is_forced(game, seen, p):
                        forced += 1
                        assert game.actors(state) == [p]
                    elif len(game.legal(seen, p)) == 1:
                        asked += 1
                p = game.actors(state)[0]
                game.apply(state, p, chance.choice(game.legal(state, p)))
    assert forced > 20
    assert asked > 0
