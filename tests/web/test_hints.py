"""Hints: what is answered, and to whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from perankh.bots import is_ready, searcher_of
from perankh.engine.game import get_game
from perankh.web.hints import RATE

from ..conftest import CONNECT_FOUR
from .conftest import Person

New = Callable[[], Person]
BOT = {"kind": "bot", "bot": "random"}
ALONE = [{"kind": "me"}, BOT]


@pytest.fixture(scope="module", autouse=True)
def prepared() -> None:
    """Connect Four compiled, so that the strongest bot is there."""
    game = get_game(CONNECT_FOUR)
    if not is_ready(game):
        searcher_of(game).warm()


def ask(who: Person, table: str, status: int = 200, lang: str = "en", **body: int) -> dict[str, object]:
    answer: dict[str, object] = who.ask("POST", f"/api/tables/{table}/hint?lang={lang}", body, status)
    return answer


def three_in_a_column(red: Person) -> tuple[str, int]:
    """A table at which red, alone with a bot that has played elsewhere, has three stones in column a; and the number of moves."""
    for seed in range(40):
        table = red.table(seats=ALONE, seed=seed)
        with red.live(table) as live:
            for _ in range(3):
                view = live.view(lambda view: view["moves"])
                live.move(view["number"], "a")
            view = live.view(lambda view: view["moves"] or view["status"] == "over")
        played = [line["text"] for line in view["log"] if line["seat"] == 1]
        if not any("onto a" in text for text in played):
            return table, view["number"]
    raise AssertionError("the bot always plays column a")


def test_a_hint_names_the_winning_move_and_plays_nothing(person: New) -> None:
    red = person()
    table, number = three_in_a_column(red)
    assert red.view(table)["may_hint"]
    hint = ask(red, table, seat=0, number=number)
    assert hint == {"code": "a", "sentence": "Drop a stone into column a", "number": number}
    assert ask(red, table, lang="ja")["sentence"] == "a の列に石を落とす"
    assert red.view(table)["number"] == number
    red.move(table, number, "a")
    assert red.view(table)["status"] == "over"
    assert not red.view(table)["may_hint"]
    ask(red, table, 409)


def test_hints_are_for_those_who_play_alone(person: New) -> None:
    red, yellow = person(), person()
    table = red.table()
    assert "begins when every seat is taken" in str(ask(red, table, 409)["error"])
    yellow.sit(table)
    assert "alone" in str(ask(red, table, 409)["error"])
    assert not red.view(table)["may_hint"]
    yellow.ask("PATCH", f"/api/tables/{table}/seats/1", {"kind": "bot", "bot": "random"}, 200)
    assert not red.view(table)["may_hint"]  # yellow may come back
    ask(red, table, 409)
    passed_around = red.table(seats=[{"kind": "me"}] * 2)
    assert not red.view(passed_around)["may_hint"]
    ask(red, passed_around, 409, seat=0)


def test_hints_are_refused_clearly(person: New) -> None:
    red, guest = person(), person()
    table = red.table(seats=ALONE)
    assert ask(guest, table, 403)["error"] == "Only those who sit at the table may do that."
    assert ask(red, table, 403, seat=1)["error"] == "That is not your seat."
    ask(red, table, 404, seat=7)
    ahead = ask(red, table, 409, number=3)
    assert ahead["number"] == 0
    with red.live(table) as live:
        live.move(0, "d")
        live.view(lambda view: view["number"] == 2)
    assert ask(red, table, 409, number=0)["number"] == 2
    red.ask("PATCH", f"/api/tables/{table}/seats/0", {"kind": "bot", "bot": "random"}, 200)
    ask(red, table, 409)
    red.ask("POST", f"/api/tables/{table}/hint", {"seat": "0"}, 422)


def test_it_must_be_ones_turn(own_server: Any) -> None:
    own_server.kill()
    own_server.settings.append("--bot-pause=600")
    own_server.start()
    red = Person(own_server)
    table = red.table(seats=ALONE)
    red.move(table, 0, "d")
    assert red.view(table)["may_hint"]
    assert ask(red, table, 409)["error"] == "It is not your turn."


def test_the_same_hint_costs_nothing_and_many_are_refused(person: New) -> None:
    red = person()
    table = red.table(seats=ALONE)
    first = ask(red, table)
    assert [ask(red, table) for _ in range(20)] == [first] * 20
    answers = [
        red.http.post(f"/api/tables/{other}/hint", json={}, headers={"Authorization": f"Bearer {red.token}"})
        for other in [red.table(seats=ALONE) for _ in range(4 * int(RATE[1]))]
    ]
    refusals = [answer.json()["error"] for answer in answers if answer.status_code == 429]
    assert refusals
    assert set(refusals) == {"Too many hints; think for a moment first."}
