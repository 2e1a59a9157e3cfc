"""What happens to seats during a match, by consent: stand-ins for absent persons, newcomers on seats that were left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import Person, Server

New = Callable[[], Person]
AWAY = 1.0  # seconds; a long absence is five times that


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server at which people count as away after a second."""
    running = Server(tmp_path_factory.mktemp("votes"), away=AWAY).start()
    yield running
    running.kill()


@pytest.fixture
def person(impatient: Any) -> New:
    """Somebody new each time it is called."""
    return lambda: Person(impatient)


def seated(person: New, count: int, **wanted: Any) -> tuple[list[Person], str]:
    """So many people at a table, ready to play."""
    people = [person() for _ in range(count)]
    game = {"game": "connect_four"} if count == 2 else {"game": "mural"}
    table = people[0].table(**game | {"players": count} | wanted)
    for p, who in enumerate(people[1:], 1):
        who.sit(table, name=f"Player {p}")
    return people, table


def ask(who: Person, table: str, what: str, seat: int, status: int = 200, **more: Any) -> Any:
    return who.ask("POST", f"/api/tables/{table}/requests", {"what": what, "seat": seat, **more}, status)


def vote(who: Person, table: str, what: str, agree: bool = True, status: int = 200, **more: Any) -> Any:
    return who.ask("POST", f"/api/tables/{table}/votes", {"what": what, "agree": agree, **more}, status)


def change(who: Person, table: str, seat: int, kind: str, status: int = 200) -> Any:
    return who.ask("PATCH", f"/api/tables/{table}/seats/{seat}", {"kind": kind}, status)


def kinds(view: Any) -> list[str]:
    return [notice["what"] for notice in view["notices"]]


# --- Absent persons -----------------------------------------------------------------------------------------------------------


def test_nobody_alone_hands_over_the_seat_of_somebody_who_is_away(person: New) -> None:
    (red, blue, green), table = seated(person, 3)
    with red.live(table) as first, blue.live(table):
        with green.live(table):
            ask(red, table, "stand_in", 2, 409)  # not away
        first.view(lambda view: view["players"][2]["askable"] == ["stand_in"])
        for body in ({"kind": "bot"}, {"kind": "bot", "bot": "random"}, {"kind": "open"}):
            red.ask("PATCH", f"/api/tables/{table}/seats/2", body, 403)
        ask(person(), table, "stand_in", 2, 403)
        ask(red, table, "stand_in", 2)
        view = first.view(lambda view: view["request"])
        assert (view["request"]["what"], view["request"]["bot"], view["request"]["waiting"]) == ("stand_in", "scribe", [1])
        assert view["players"][2]["kind"] == "person"
        vote(red, table, "stand_in", status=403)
        vote(blue, table, "stand_in", agree=False)
        assert red.view(table)["players"][2]["kind"] == "person"
        ask(red, table, "stand_in", 2)
        vote(blue, table, "stand_in", id="00000000", status=409)  # another request than the one that was shown
        vote(blue, table, "join", status=409)
        vote(blue, table, "stand_in")
        view = first.view(lambda view: view["players"][2]["kind"] == "bot")
        assert (view["players"][2]["bot"], view["request"]) == ("scribe", None)
        assert kinds(view) == ["declined", "stand_in"]
        # With one request the owner plays again, whenever he likes.
        change(blue, table, 2, "me", 403)
        change(green, table, 2, "me")
        view = first.view(lambda view: view["players"][2]["kind"] == "person")
        assert kinds(view) == ["declined", "stand_in", "back"]


def test_whoever_comes_back_ends_the_request_for_a_stand_in(person: New) -> None:
    (red, blue, green), table = seated(person, 3)
    with red.live(table) as first, blue.live(table):
        first.view(lambda view: view["players"][2]["askable"])
        ask(red, table, "stand_in", 2)
        with green.live(table) as third:
            assert third.view()["request"] is None
        vote(blue, table, "stand_in", status=409)
        assert green.view(table)["players"][2]["kind"] == "me"


def test_one_person_alone_waits_longer(person: New) -> None:
    in_time = False
    while not in_time:  # between a short absence and a long one; where the machine is too slow for it, at another table
        begin = time.monotonic()
        (red, _), table = seated(person, 2, stand_in="apprentice")
        with red.live(table):
            time.sleep(AWAY + 0.6)
            headers = {"Authorization": f"Bearer {red.token}"}
            wanted = {"what": "stand_in", "seat": 1}
            asked = red.http.post(f"/api/tables/{table}/requests", json=wanted, headers=headers)
            in_time = time.monotonic() - begin < 5 * AWAY
            assert not in_time or (asked.status_code, "alone" in asked.json()["error"]) == (409, True)
    with red.live(table) as first:
        first.view(lambda view: view["players"][1]["askable"] == ["stand_in"])
        ask(red, table, "stand_in", 1)
        view = first.view(lambda view: view["players"][1]["kind"] == "bot")
        assert view["players"][1]["bot"] == "apprentice"


def test_a_voter_who_goes_away_does_not_block_but_taking_back_waits_for_him(person: New) -> None:
    (red, blue, _), table = seated(person, 3)
    with red.live(table) as first:
        with blue.live(table):
            first.view(lambda view: view["players"][2]["askable"])
            ask(red, table, "stand_in", 2)
            assert first.view(lambda view: view["request"])["request"]["waiting"] == [1]
        view = first.view(lambda view: view["players"][2]["kind"] == "bot")  # after the long absence
        assert view["players"][1]["kind"] == "person"
    (red, yellow), table = seated(person, 2)
    red.move(table, 0, "a")
    yellow.move(table, 1, "b")
    with red.live(table) as first:
        red.ask("POST", f"/api/tables/{table}/undo", {})
        time.sleep(5 * AWAY + 1)
        assert red.view(table)["request"]["waiting"] == [1]
        vote(yellow, table, "undo")
        first.view(lambda view: view["number"] == 0)


def test_levels_of_stand_ins(person: New) -> None:
    for level in ("random", "nobody"):
        person().ask("POST", "/api/tables", {"game": "connect_four", "players": 2, "stand_in": level}, 422)
    person().ask("POST", "/api/tables", {"game": "connect_four", "players": 2, "on_timeout": "explode"}, 422)
    person().ask("POST", "/api/tables", {"game": "connect_four", "players": 2, "absence": 0}, 422)
    red = person()
    settings = red.view(red.table(stand_in="vizier", absence=3, on_timeout="go_on"))["settings"]
    assert settings == {
        "absence": 180.0,
        "on_timeout": "go_on",
        "stand_in": "vizier",
        "colours": [],
        "lesson": "",
        "practice": None,
    }


# --- Seats that were left -------------------------------------------------------------------------------------------------------


def test_a_newcomer_takes_a_seat_that_was_left_when_all_agree(person: New) -> None:
    (red, blue, green), table = seated(person, 3)
    guest, other = person(), person()
    with red.live(table) as first, blue.live(table):
        ask(guest, table, "join", 2, 409, name="Guest")  # nobody has left it
        change(green, table, 2, "open")
        view = first.view(lambda view: view["players"][2]["vacant"])
        assert (view["status"], view["players"][2]["kind"], view["players"][2]["bot"]) == ("playing", "bot", "scribe")
        assert view["notices"][-1] | {"id": 0} == {
            "id": 0,
            "what": "left",
            "seat": 2,
            "number": 0,  # when it was left; the bot may have moved since
            "name": "Player 2",
            "bot": "scribe",
            "days": 0,
        }
        guest.sit(table, 409, seat=2)
        assert guest.view(table)["players"][2]["askable"] == ["join"]
        ask(guest, table, "join", 2, 422)
        ask(guest, table, "join", 2, 422, name="two\nlines")
        ask(guest, table, "join", 2, 409, name="player 1")  # somebody else's name
        ask(guest, table, "join", 2, name="Guest")
        asked = first.view(lambda view: view["request"])["request"]
        assert (asked["what"], asked["name"], asked["asked_by"], asked["waiting"]) == ("join", "Guest", None, [0, 1])
        assert not asked["mine"]
        mine = guest.view(table)
        assert (mine["own"], mine["viewer"], mine["request"]["mine"]) == ([], -1, True)
        guest.view(table, 403, viewer=2)
        ask(other, table, "join", 2, 409, name="Other")
        vote(guest, table, "join", status=403)
        vote(red, table, "join", id=asked["id"])
        assert guest.view(table)["own"] == []
        vote(blue, table, "join", id=asked["id"])
        view = first.view(lambda view: view["players"][2]["name"] == "Guest")
        assert (view["players"][2]["kind"], view["players"][2]["vacant"], view["request"]) == ("person", False, None)
        assert view["notices"][-1]["what"] == "joined"
        assert guest.view(table)["own"] == [2]
        assert green.view(table)["own"] == []
        green.view(table, 403, viewer=2)


def test_whoever_knows_another_hand_does_not_join(person: New) -> None:
    (red, blue, green), table = seated(person, 3)
    with red.live(table):
        change(green, table, 2, "open")
        change(blue, table, 1, "open")
        for who, seat in ((red, 2), (green, 1), (blue, 2)):
            assert "another hand" in ask(who, table, "join", seat, 409, name="Again")["error"]
        assert [player["askable"] for player in green.view(table)["players"]] == [[], [], ["join"]]
        ask(green, table, "join", 2, name="Green")  # the own seat again
        vote(red, table, "join")
        assert green.view(table)["own"] == [2]
        ask(person(), table, "join", 1, name="Newcomer")
        vote(green, table, "join")
        vote(red, table, "join", agree=False)
        ask(person(), table, "join", 1, 409, name="Newcomer")  # not again at once


def test_a_newcomer_does_not_stand_in_the_way_of_the_players(person: New) -> None:
    (red, blue, green), table = seated(person, 3)
    guest = person()
    change(green, table, 2, "open")
    ask(guest, table, "join", 2, name="Guest")
    with red.live(table) as first:
        first.view(lambda view: view["players"][1]["askable"])
        ask(red, table, "stand_in", 1)
        first.view(lambda view: view["players"][1]["kind"] == "bot")
    ask(guest, table, "join", 2, name="Guest")
    vote(guest, table, "join", agree=False)  # withdrawn
    assert kinds(blue.view(table)) == ["left", "stand_in"]
    vote(red, table, "join", status=409)


def test_a_shared_screen_needs_no_votes(person: New) -> None:
    alone = person()
    table = alone.table(seats=[{"kind": "me"}, {"kind": "me"}])
    change(alone, table, 1, "open")
    assert alone.view(table)["players"][1]["vacant"]
    ask(alone, table, "join", 1, name="Second")
    assert alone.view(table)["own"] == [0, 1]


def test_requests_and_notices_outlive_a_crash(tmp_path: Path) -> None:
    server = Server(tmp_path).start()  # nobody counts as away while it starts again
    try:
        (red, blue, green), table = seated(lambda: Person(server), 3)
        guest = Person(server)
        change(green, table, 2, "open")
        ask(guest, table, "join", 2, name="Guest")
        vote(red, table, "join")
        before = blue.view(table)
        server.kill()
        server.start()
        after = blue.view(table)
        assert after["request"]["agreed"] == [0]
        for part in ("request", "notices", "settings"):
            assert after[part] == before[part], part
        vote(blue, table, "join", id=after["request"]["id"])
        assert guest.view(table)["own"] == [2]
        change(red, table, 0, "open")
        assert "another hand" in ask(green, table, "join", 0, 409, name="Green")["error"]
    finally:
        server.kill()
