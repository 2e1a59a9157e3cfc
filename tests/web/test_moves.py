"""Moves: once each, refused with the reason, raced for, taken back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from perankh.match import Match
from perankh.match.file import text_of

from .conftest import Person, tables_in

New = Callable[[], Person]


def two(person: New, **wanted: Any) -> tuple[Person, Person, str]:
    """Two people at a table, ready to play."""
    red, yellow = person(), person()
    table = red.table(**wanted)
    yellow.sit(table)
    return red, yellow, table


def test_moves_are_refused_with_the_reason(person: New) -> None:
    red, yellow, table = two(person)
    assert "not Yellow's decision" in yellow.move(table, 0, "a", 422)["error"]
    assert yellow.move(table, 0, "a", 403, seat=0)["reason"]["ja"] == "あなたの席ではありません。"
    person().move(table, 0, "a", 403)
    red.move(table, 0, "a", 404, seat=9)
    assert "no move of Connect Four" in red.move(table, 0, "z", 422)["error"]
    red.move(table, 0, "Drop a stone into column a", 422)
    assert red.move(table, 3, "a", 409)["number"] == 0
    for number in range(6):
        (red, yellow)[number % 2].move(table, number, "a")
    assert red.move(table, 6, "a", 422)["reason"]["en"] == "Column a is full: it already holds 6 stones."
    with red.live(table) as live:
        refused = live.move(6, "a")
        assert (refused["type"], refused["number"], refused["code"]) == ("refused", 6, "a")
        assert refused["reason"]["ja"] == "a の列はもう 6 個で埋まっている。"


def test_a_move_sent_again_is_answered_again_and_made_once(person: New) -> None:
    red, yellow, table = two(person)
    assert red.move(table, 0, "a")["number"] == 0
    assert red.move(table, 0, "a")["number"] == 0
    yellow.move(table, 1, "b")
    assert red.move(table, 0, "a", seat=0)["number"] == 0
    assert red.move(table, 0, "b", 409)["number"] == 2
    yellow.move(table, 0, "a", 409, seat=1)
    with red.live(table) as live:
        assert live.move(0, "a", 0)["type"] == "done"
        assert live.move(0, "c", 0)["current"] == 2
    assert red.view(table)["number"] == 2


def test_of_two_moves_with_one_number_only_one_is_made(person: New) -> None:
    red, yellow, table = two(person)
    with red.live(table) as first, red.live(table) as second:
        for number in range(0, 12, 2):
            start, answers = threading.Barrier(2), []

            def race(live: Any, code: str, number: int = number, start: Any = start, answers: list[Any] = answers) -> None:
                start.wait()
                answers.append(live.move(number, code, 0)["type"])

            racers = [threading.Thread(target=race, args=pair) for pair in ((first, "a" if number < 6 else "c"), (second, "b"))]
            for racer in racers:
                racer.start()
            for racer in racers:
                racer.join()
            assert sorted(answers) == ["done", "refused"]
            view = red.view(table)
            assert view["number"] == number + 1
            if view["status"] == "over":
                break
            yellow.move(table, number + 1, "g" if number < 6 else "f")


# --- Taking back ---------------------------------------------------------------------------------------------------------


def ask_undo(who: Person, table: str, status: int = 200) -> Any:
    return who.ask("POST", f"/api/tables/{table}/undo", {}, status)


def vote(who: Person, table: str, agree: bool, status: int = 200) -> Any:
    return who.ask("POST", f"/api/tables/{table}/votes", {"what": "undo", "agree": agree}, status)


def test_a_move_is_taken_back_when_the_others_agree(person: New) -> None:
    red, yellow, table = two(person)
    ask_undo(red, table, 409)
    red.move(table, 0, "a")
    yellow.move(table, 1, "b")
    assert red.view(table)["may_undo"]
    with red.live(table, since=0) as live, yellow.live(table) as other:
        assert live.view()["log_from"] == 1
        live.send(type="undo")
        asked = other.view(lambda view: view["request"])["request"]
        assert asked.pop("id")
        facts = {"what": "undo", "asked_by": 0, "seat": 0, "name": "", "days": 0, "bot": None, "agreed": [], "waiting": [1]}
        assert asked == facts | {"can_vote": True, "mine": False}
        asked = live.view(lambda view: view["request"])["request"]
        assert (asked["can_vote"], asked["mine"]) == (False, True)
        vote(person(), table, True, 403)
        vote(red, table, True, 403)
        vote(yellow, table, False)
        declined = other.view(lambda view: view["request"] is None)["notices"]
        assert [(notice["what"], notice["seat"]) for notice in declined] == [("declined", 1)]
        ask_undo(red, table)
        other.send(type="vote", what="undo", agree=True)
        view = live.view(lambda view: view["number"] == 0)
        assert (view["log"], view["log_from"], view["request"]) == ([], 1, None)
        vote(yellow, table, True, 409)
        assert live.move(0, "c")["type"] == "done"
        view = live.view(lambda view: view["number"] == 1)
        assert [line["text"] for line in view["log"]] == ["Red drops a stone onto c1."]
    ask_undo(red, table)
    yellow.move(table, 1, "c")
    assert red.view(table)["request"] is None


def test_alone_among_bots_it_happens_at_once(person: New) -> None:
    red = person()
    table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    red.move(table, 0, "a")
    with red.live(table) as live:
        live.view(lambda view: view["number"] == 2)
        assert ask_undo(red, table)["number"] == 0
        assert live.view(lambda view: view["number"] == 0)["moves"]


def test_what_was_drawn_is_not_taken_back(person: New) -> None:
    red = person()
    table = red.table(game="mural", seats=[{"kind": "me"}] * 2, options={"start_player": 0})
    red.move(table, 0, "deck")
    assert not red.view(table)["may_undo"]
    assert "hidden" in ask_undo(red, table, 409)["error"]
    codes = [move["code"] for move in red.view(table)["moves"]]
    if "stop" in codes:  # ending a turn draws nothing
        red.move(table, 1, "stop")
        after = red.view(table)
        assert after["may_undo"] == (after["number"] == 2 and ask_undo(red, table)["number"] == 1)


def test_a_bot_hesitates_at_the_start_of_its_turn_and_less_when_it_goes_on_or_chooses_with_others(tmp_path: Path) -> None:
    turns = Match("cleocatra", 2, seed=1)
    while len(turns.played) < 2 or turns.played[-1][0] != turns.actors[0]:
        turns.play(turns.moves()[0])
    together = Match("maqha", 4, seed=1)
    assert len(together.actors) == 4

    async def hesitations() -> list[float]:
        tables = tables_in(tmp_path, bot_pause=(1.0, 1.0))
        going_on = await tables.known(await tables.replay(text_of(turns)))
        bidding = await tables.known(await tables.replay(text_of(together)))
        p = turns.actors[0]
        found = [going_on.hesitation(p), going_on.hesitation(1 - p), bidding.hesitation(2)]
        await tables.services.close()
        return found

    with ThreadPoolExecutor(1) as thread:  # browser tests leave an event loop running in this one
        assert thread.submit(asyncio.run, hesitations()).result() == [0.5, 1.0, 0.5]
