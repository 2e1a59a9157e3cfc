"""Timed answers: hands that go up at the same time. The server's clock counts; a replay needs none."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from perankh.match.file import parse

from .conftest import Live, Person, last_move
from .test_sealed import ORDERS, three, watched

New = Callable[[], Person]
LIVE = {"hands": "live", "hand_window": 10, "bot_hand_tick": 1}  # five seconds


NUMBER = 10  # moves made when hands are asked for


def won(new: New) -> tuple[list[Person], str]:
    """A table at which Red has won a lot and may pass it to Blue and Green."""
    people, table = three(new, options=LIVE)
    for slot in range(3):
        for p in range(3):
            people[p].move(table, 3 * slot, ORDERS[p][slot])
    return people, table


def asked(live: Live) -> Any:
    """The view with which the question came."""
    return live.view(lambda view: view["question"])


def test_the_time_of_a_hand_is_measured_and_the_window_closes_by_itself(person: New) -> None:
    people, table = won(person)
    with watched(people, table) as (red, blue, green):
        begin = time.monotonic()
        red.move(9, "pass")
        view = asked(blue)
        assert view["question"] == {"left": view["question"]["left"], "of": 5000, "default": "stay"}
        assert 0 < view["question"]["left"] <= 5000
        assert [move["code"] for move in view["moves"]] == ["stay", "raise0"]
        assert asked(red)["moves"] == []
        asked(green)
        time.sleep(0.7)
        assert blue.move(NUMBER, "raise3")["type"] == "done"  # a program cannot choose its stamp
        longest = time.monotonic() - begin
        assert blue.move(NUMBER, "raise0")["made"] == NUMBER  # answered again, made once
        view = green.view(lambda view: view["number"] == NUMBER + 1)
        assert last_move(view) == "Blue has answered."
        assert not view["may_change"]
        assert not people[1].view(table)["may_change"]  # a hand that is up stays up
        # Green does nothing, and nobody else does.
        view = red.view(lambda view: view["number"] == NUMBER + 2)
        assert time.monotonic() - begin > 4.5
        assert view["question"] is None
        hand = re.search(r"Blue raises a hand after (.*) s. Green keeps the hand down. Blue throws", last_move(view))
        assert hand
        assert 0.5 <= float(hand[1]) <= longest
        assert green.move(NUMBER, "raise0")["type"] == "refused"


def test_the_first_hand_wins_whoever_is_stored_first(person: New) -> None:
    people, table = won(person)
    with watched(people, table) as (red, blue, green):
        red.move(9, "pass")
        asked(blue)
        asked(green)
        assert green.move(NUMBER, "raise0")["type"] == "done"
        time.sleep(1.2)
        assert blue.move(NUMBER, "raise0")["type"] == "done"  # under the number both were asked with
        text = last_move(blue.view(lambda view: view["number"] == NUMBER + 2))
    assert "Green throws in Red's place" in text


def test_nobody_raises_and_nobody_is_there(person: New) -> None:
    people, table = won(person)
    with person().live(table) as spectator:
        people[0].move(table, 9, "pass")
        assert asked(spectator)["moves"] == []
        view = spectator.view(lambda view: view["number"] == NUMBER + 2)
    assert "Nobody steps in: Red has to throw" in last_move(view)


# --- Looking without being asked --------------------------------------------------------------------------------------------


def race(people: list[Person], table: str, look: Callable[[], Any]) -> str:
    """Blue looks on without his own view and answers after 1.30 s; Green answers honestly after 0.60 s."""
    with people[0].live(table) as red, people[2].live(table) as green:
        red.view(lambda view: view["players"][2]["connected"])
        assert red.move(9, "pass")["type"] == "done"
        looking = threading.Thread(target=look)
        looking.start()
        asked(green)
        begin = time.monotonic()
        time.sleep(0.6)
        assert green.move(NUMBER, "raise0")["type"] == "done"
        time.sleep(max(0.75, begin + 1.3 - time.monotonic()))  # also where the machine is slow, a tick later than Green
        people[1].move(table, NUMBER, "raise0")
        looking.join()
        return last_move(red.view(lambda view: view["number"] == NUMBER + 2))


def check_race(text: str) -> None:
    """Blue's time has run, and Green has won."""
    times = {name: float(after) for name, after in re.findall(r"(Blue|Green) raises a hand after (.*?) s\.", text)}
    assert times["Blue"] >= 1.0, text
    assert times["Green"] < times["Blue"]
    assert "Green throws in Red's place" in text


def watch_as(live: Live) -> None:
    """See the question, as a spectator does."""
    assert asked(live)["viewer"] == -1


@pytest.mark.parametrize("way", ["spectator", "get", "past", "list", "nothing"])
def test_the_time_runs_whoevers_eyes_the_question_is_seen_with(person: New, way: str) -> None:
    people, table = won(person)
    blue = people[1]
    ways: dict[str, Callable[[], Any]] = {
        "get": lambda: blue.view(table, viewer=-1),
        "past": lambda: blue.view(table, at=0),
        "list": lambda: blue.ask("GET", "/api/tables"),
        "nothing": lambda: None,
    }
    if way == "spectator":
        with blue.live(table, viewer=-1) as live:
            live.view()
            check_race(race(people, table, lambda: watch_as(live)))
    else:
        check_race(race(people, table, ways[way]))


def test_a_second_token_sees_the_question_no_sooner_than_the_time_begins(person: New) -> None:
    people, table = won(person)
    stranger = person()
    seen: list[float] = []
    with people[0].live(table) as red, people[2].live(table) as green, stranger.live(table) as spectator:
        red.view(lambda view: view["players"][2]["connected"])
        spectator.view()

        def watch() -> None:
            assert asked(spectator)
            seen.append(time.monotonic())

        watching = threading.Thread(target=watch)
        watching.start()
        red.move(9, "pass")
        asked(green)
        watching.join()
        # Blue has not looked. The answer counts from the moment at which the stranger could tell him, or earlier.
        time.sleep(0.75)
        people[1].move(table, NUMBER, "raise0")
        after = time.monotonic() - seen[0]
        green.send(type="move", number=NUMBER, code="stay")
        text = last_move(red.view(lambda view: view["number"] == NUMBER + 2))
    hand = re.search(r"Blue raises a hand after (.*?) s\.", text)
    assert hand, text
    assert 0.5 <= float(hand[1])
    assert float(hand[1]) <= after + 1


def test_a_second_token_gets_no_answer_before_the_time_begins(person: New) -> None:
    people, table = won(person)
    people[0].move(table, 9, "pass")
    begin = time.monotonic()
    view = person().view(table)  # nobody is connected: everybody's time begins after 1.2 s
    assert view["question"]
    assert time.monotonic() - begin > 0.9
    assert view["question"]["left"] <= 4900


@pytest.mark.parametrize("path", ["/api/tables/{}/points", "/api/tables/{}/file", "/t/{}/preview.png"])
def test_nor_anything_else_that_tells_of_the_question(person: New, path: str) -> None:
    people, table = won(person)
    stranger = person()
    stranger.http.get(path.format(table), timeout=60)  # whatever has to be loaded is
    people[0].move(table, 9, "pass")
    begin = time.monotonic()
    answer = stranger.http.get(path.format(table), timeout=60)
    assert answer.status_code in (200, 409), answer.text
    assert time.monotonic() - begin > 0.9


def test_a_crash_in_the_middle_of_a_window(own_server: Any) -> None:
    people, table = won(lambda: Person(own_server))
    people[0].move(table, 9, "pass")
    people[1].move(table, NUMBER, "raise0")
    own_server.kill()
    own_server.start()
    with people[1].live(table) as blue, people[2].live(table) as green, people[0].live(table) as red:
        assert asked(blue)["moves"] == []
        view = asked(green)
        assert view["question"]["left"] > 3000
        assert len(view["moves"]) == 2
        view = red.view(lambda view: view["number"] == NUMBER + 2)
    assert "Blue throws in Red's place" in last_move(view)


def test_bots_answer_at_their_tick_and_the_match_replays_without_a_clock(person: New) -> None:
    red = person()
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": "random"} for _ in range(3))]
    hands = 0
    for seed in range(4, 20):
        table = red.table(game="maqha", players=4, seed=seed, seats=seats, options=LIVE)
        with red.live(table) as live:
            while (view := live.view(lambda view: view["moves"] or view["result"]))["result"] is None:
                codes = [move["code"] for move in view["moves"]]
                code = "pass" if "pass" in codes else codes[0]
                live.send(type="move", number=view["number"], code=code)
        lines = [line["text"] for line in view["log"] if " raises a hand after " in line["text"]]
        hands += len(lines)
        assert all(line.count(" raises a hand after ") == line.count(" raises a hand after 0.5 s.") for line in lines)
        assert parse(red.ask("GET", f"/api/tables/{table}/file")).over
        if hands:
            return
    raise AssertionError("no bot has raised a hand")
