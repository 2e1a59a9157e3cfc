"""Sealed choices of several people at the same time: in any order, seen by nobody, changed until all have chosen."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from .conftest import Live, Person, last_move

New = Callable[[], Person]
SEED = 77
ORDERS = (("bid5", "bid4", "bid1"), ("bid4", "bid3", "bid2"), ("bid2", "bid1", "bid3"))  # no slot is without a winner


def three(new: New, **wanted: Any) -> tuple[list[Person], str]:
    """Three people at a table of sealed bids."""
    people = [new() for _ in range(3)]
    table = people[0].table(game="maqha", players=3, seed=SEED, **wanted)
    for person in people[1:]:
        person.sit(table)
    return people, table


@contextmanager
def watched(people: list[Person], table: str) -> Iterator[list[Live]]:
    """A live connection for each."""
    with ExitStack() as stack:
        lives = [stack.enter_context(person.live(table)) for person in people]
        for live in lives:
            live.view(lambda view: all(player["connected"] for player in view["players"]))
        yield lives


def plain(view: Any) -> Any:
    """A view without what differs between two tables of the same match, and between two orders of the same choices."""
    return {part: value for part, value in view.items() if part not in ("table", "deal", "log", "events", "by", "may_undo")}


def undo(person: Person, table: str, status: int = 200) -> Any:
    return person.ask("POST", f"/api/tables/{table}/undo", {}, status)


# --- At the same moment ------------------------------------------------------------------------------------------------------


def test_all_send_at_the_same_moment_and_all_are_done(person: New) -> None:
    people, table = three(person)
    with watched(people, table) as lives:
        for p, live in enumerate(lives):
            live.send(type="move", number=0, code=ORDERS[p][0])
        answers = [live.answer() for live in lives]
        assert [(answer["type"], answer["number"]) for answer in answers] == [("done", 0)] * 3
        assert {answer["made"] for answer in answers} == {0, 1, 2}
        # Sent again, because the answer was lost: answered again, made once.
        for p, live in enumerate(lives):
            assert live.move(0, ORDERS[p][0])["made"] == answers[p]["made"]
            assert live.move(0, "bid5" if p else "bid1")["type"] == "refused"
        assert people[0].view(table)["number"] == 3


@pytest.mark.parametrize("first", range(3))
def test_the_result_is_the_same_in_any_order(person: New, first: int) -> None:
    found = []
    for turns in ([0, 1, 2] * 3, [p for p in (first, (first + 1) % 3, (first + 2) % 3) for _ in range(3)]):
        people, table = three(person)
        numbers = [0, 0, 0]  # how far each has looked: no further than the own last choice
        for turn, p in enumerate(turns):
            code = ORDERS[p][turns[:turn].count(p)]
            numbers[p] = people[p].move(table, numbers[p], code)["number"] + 1
        found.append([plain(one.view(table, viewer=p)) for p, one in enumerate(people)])
        found[-1].append(plain(person().view(table)))
    assert found[0] == found[1]
    assert "A: Red bids 5, Blue bids 4, Green bids 2. Red wins" in last_move(people[0].view(table))


def test_what_was_decided_before_the_reveal_is_not_taken_for_what_comes_after(person: New) -> None:
    people, table = three(person)
    for slot in range(3):
        for p in range(3):
            people[p].move(table, 3 * slot, ORDERS[p][slot])
    assert people[0].view(table)["number"] == 9
    assert people[0].move(table, 8, "throw", 409)["number"] == 9
    people[1].move(table, 0, "bid1", 409)
    people[0].move(table, 9, "throw")


def test_nobody_sees_a_sealed_order_on_the_wire(person: New) -> None:
    frames: list[dict[tuple[int, int], Any]] = []
    for order in (("bid5", "bid4", "bid1"), ("bid2", "bid5", "bid3")):
        people, table = three(person)
        seen: dict[tuple[int, int], Any] = {}
        with watched([*people, person()], table) as lives:
            moves = [(0, order[0]), (1, "bid4"), (0, order[1]), (2, "bid2"), (0, order[2]), (1, "bid3")]
            for number, (p, code) in enumerate(moves, 1):
                assert lives[p].move(number - 1, code)["type"] == "done"
                for viewer, live in enumerate(lives):
                    view = live.view(lambda view, number=number: view["number"] == number)
                    if viewer:  # everybody but the one whose order it is
                        seen[viewer, number] = json.dumps(view | {"table": None, "deal": None})
            for viewer, live in enumerate(lives):
                for at in range(len(moves) if viewer else 0):
                    live.send(type="look", at=at)
                    view = live.view(lambda view, at=at: view["at"] == at)
                    seen[viewer, -at] = json.dumps(view | {"table": None, "deal": None})
            person().ask("GET", f"/api/tables/{table}/file", None, 409)
            assert "the 5 for slot" in people[0].view(table)["log"][0 if order[0] == "bid5" else 2]["text"]
        frames.append(seen)
    assert frames[0] == frames[1]


# --- Changing one's mind -----------------------------------------------------------------------------------------------------


def test_a_sealed_choice_is_changed_without_a_vote_until_all_have_chosen(person: New) -> None:
    people, table = three(person)
    with watched(people, table) as lives:
        people[0].move(table, 0, "bid1")
        people[1].move(table, 1, "bid4")
        people[0].move(table, 2, "bid2")
        people[2].move(table, 3, "bid2")
        view = lives[0].view(lambda view: view["number"] == 4)
        assert view["may_change"]
        before = [line["text"] for line in people[1].view(table)["log"]]
        lives[0].send(type="undo")  # the 2 for slot B; what Blue and Green chose stands
        view = lives[0].view(lambda view: view["number"] == 3)
        assert [line["text"][:5] for line in view["log"]] == ["Red b", "Blue ", "Green"]
        assert {move["code"] for move in view["moves"]} == {"bid2", "bid3", "bid4", "bid5"}
        assert [line["text"] for line in people[1].view(table)["log"]] == [before[0], before[1], before[3]]
        lives[0].send(type="undo")  # and the 1 for slot A
        view = lives[0].view(lambda view: view["number"] == 2)
        assert len(view["moves"]) == 5
        assert not view["may_change"]
    for number, (p, code) in enumerate([(0, "bid5"), (0, "bid4"), (0, "bid1"), (1, "bid3"), (1, "bid2"), (2, "bid1")], 2):
        people[p].move(table, number, code)
    assert people[0].view(table)["may_change"]
    people[2].move(table, 8, "bid3")  # now all bids lie open
    view = people[0].view(table)
    assert not view["may_change"]
    assert "A: Red bids 5, Blue bids 4, Green bids 2. Red wins" in last_move(view)
    assert "hidden" in undo(people[0], table, 409)["error"]


def test_a_changed_choice_survives_a_crash_and_makes_no_time(own_server: Any) -> None:
    people, table = three(lambda: Person(own_server), clock={"minutes": 1, "increment": 100})
    people[0].move(table, 0, "bid1")
    people[1].move(table, 1, "bid4")
    assert undo(people[0], table)["number"] == 1
    assert people[0].view(table)["players"][0]["clock"] <= 60
    before = people[1].view(table)
    own_server.kill()
    own_server.start()
    after = people[1].view(table)
    for part in ("number", "log", "scene", "text", "moves", "may_change", "may_undo"):
        assert after[part] == before[part], part
    assert after["players"][0]["clock"] <= 60
    people[0].move(table, 0, "bid3")
    assert undo(people[1], table)["number"] == 1
    assert [line["seat"] for line in people[2].view(table)["log"]] == [0]
