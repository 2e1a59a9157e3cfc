"""Hints: what is answered, and to whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from perankh.bots import is_ready, searcher_of
from perankh.engine.game import get_game
from perankh.web.hints import RATE, checked

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


def ask(who: Person, table: str, status: int = 200, lang: str = "en", **body: int) -> dict[str, Any]:
    answer: dict[str, Any] = who.ask("POST", f"/api/tables/{table}/hint?lang={lang}", body, status)
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
    assert {"code": "a", "sentence": "Drop a stone into column a", "number": number}.items() <= hint.items()
    assert hint["source"] == "search"
    assert hint["reasons"] == [{"good": True, "text": "Wins the match at once."}]
    assert hint["line"] == []
    best, second = hint["choices"][:2]
    assert best["chance"][0] == 1.0 > second["chance"][0]
    gain = hint["gain"]
    assert abs(gain["chance"][0] - (best["chance"][0] - second["chance"][0])) < 0.002
    assert gain["chance"][1] > 0
    assert gain["clear"] == (gain["chance"][0] > gain["chance"][1])
    assert ask(red, table, lang="ja")["sentence"] == "a の列に石を落とす"
    assert red.view(table)["number"] == number
    red.move(table, number, "a")
    assert red.view(table)["status"] == "over"
    assert not red.view(table)["may_hint"]
    ask(red, table, 409)


@pytest.mark.parametrize("made", [None, 7, [], {}, {"choices": []}, {"choices": [{"code": "a"}], "reasons": {}, "line": {}}])
def test_what_a_machine_answers_instead_of_a_hint_counts_as_none(made: Any) -> None:
    assert checked(made) is None


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
        for other in [red.table(seats=ALONE) for _ in range(2 * int(RATE[1]) + 4)]
    ]
    refusals = [answer.json()["error"] for answer in answers if answer.status_code == 429]
    assert refusals
    assert set(refusals) == {"Too many hints; think for a moment first."}


def back(who: Person, table: str, status: int = 200, **body: int) -> dict[str, Any]:
    answer: dict[str, Any] = who.ask("POST", f"/api/tables/{table}/advice?lang=en", body, status)
    return answer


def test_earlier_decisions_can_be_asked_about_by_those_who_play_alone(person: New) -> None:
    red, guest = person(), person()
    table, number = three_in_a_column(red)
    found = back(red, table, number=number - 2)
    assert found["number"] == number - 2
    assert found["seat"] == 0
    assert len(found["choices"]) > 1
    back(red, table, 403, number=number - 1)  # the bot's decision, while the match runs
    back(red, table, 409, number=number)  # nothing was decided there
    back(guest, table, 403, number=number - 2)
    back(red, table, 422, number=-1)
    red.move(table, number, "a")
    assert back(guest, table, number=number - 1)["seat"] == 1  # the match is over: anybody, any decision
    assert back(guest, table, number=number)["code"] == "a"


def test_among_people_nothing_is_said_before_the_end(person: New) -> None:
    red, yellow = person(), person()
    table = red.table()
    yellow.sit(table)
    red.move(table, 0, "d")
    yellow.move(table, 1, "d")
    for who, number in ((red, 0), (yellow, 1)):
        assert "unfair" in str(back(who, table, 409, number=number)["error"])
    back(red, table, 403, number=1)
