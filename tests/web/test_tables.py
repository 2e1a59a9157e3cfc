"""Setting up tables, sitting down, watching, coming back, playing again."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from .conftest import FOUR, Person

New = Callable[[], Person]


def test_the_games_are_listed_with_their_options(person: New) -> None:
    games = {game["name"]: game for game in person().ask("GET", "/api/games")}
    assert {"connect_four", "mural"} <= set(games)
    assert games["connect_four"]["title"] == {"en": "Connect Four", "ja": "四目並べ"}
    assert games["mural"]["players"] == [2, 3, 4]
    options = {option["name"]: option for option in games["mural"]["options"]}
    assert options["area_map"]["kind"] == "choice"
    assert set(options["area_map"]["labels"]) == set(options["area_map"]["values"])
    assert options["start_player"]["values"] is None
    assert set(options["start_player"]["title"]) == {"en", "ja"}


def test_two_people_play_to_the_end_and_a_third_watches(person: New) -> None:
    red, yellow, guest = person(), person(), person()
    table = red.table(seats=[{"kind": "me", "name": "Aiko"}, {"kind": "open"}])
    assert red.token
    with red.live(table) as first, guest.live(table, lang="ja", shape="tall") as watching:
        seen = first.view()
        assert (seen["status"], seen["viewer"], seen["own"], seen["moves"]) == ("waiting", 0, [0], [])
        assert red.move(table, 0, "a", 409)["reason"]["ja"]
        assert yellow.sit(table, name="Ben")["seat"] == 1
        assert yellow.token != red.token
        assert first.view(lambda view: view["status"] == "playing")["players"][1]["name"] == "Ben"
        with yellow.live(table) as second:
            lives = [first, second]
            for number, code in enumerate("abababa"):
                mover = lives[number % 2]
                view = mover.view(lambda view, number=number: view["number"] == number)
                assert [move["code"] for move in view["moves"]] == list("abcdefg")
                assert view["moves"][2]["path"] == ["stone-c1"]
                assert {sprite["id"] for sprite in view["scene"]["sprites"]} >= {"stone-c1", "board"}
                assert mover.move(number, code, number % 2) == {"type": "done", "number": number, "made": number}
            over = second.view(lambda view: view["status"] == "over")
        assert over["result"]["ranks"] == [1, 2]
        assert over["result"]["reason"] == "Four in a row stand on the board."
        assert over["result"]["breakdown"] == [{"source": "Four in a row", "points": [1, 0]}]
        assert len(over["seed"]) == 32
        assert [line["n"] for line in over["log"]] == [1, 2, 3, 4, 5, 6, 7, 7]
        assert over["log"][0] == {"n": 1, "seat": 0, "text": "Aiko drops a stone onto a1."}
        last = watching.view(lambda view: view["status"] == "over")
        assert (last["viewer"], last["own"], last["moves"]) == (-1, [], [])
        assert last["scene"]["width"] == 400
        assert last["log"][0]["text"] == "Aikoが a1 に石を落とした。"
        assert [player["kind"] for player in last["players"]] == ["person", "person"]
        assert all(view["seed"] is None for view in map(json.loads, watching.frames) if view["status"] != "over")


def test_one_person_at_several_seats_looks_with_the_eyes_of_each(person: New) -> None:
    alone = person()
    table = alone.table(game="mural", players=3, seats=[{"kind": "me"}] * 3, seed=4, options={"start_player": 1})
    with alone.live(table) as live:
        view = live.view()
        assert view["own"] == [0, 1, 2]
        assert view["moves"] == []
        live.send(type="settings", viewer=1, lang="ja")
        view = live.view(lambda view: view["viewer"] == 1)
        assert view["moves"]
        assert view["title"] == "ナイルの壁画"
        assert live.move(0, view["moves"][0]["code"], 1)["type"] == "done"
    assert alone.move(table, 1, "zzz", 422, seat=1)["error"]


def test_coming_back_with_the_token_is_sitting_at_the_table(person: New) -> None:
    red = person()
    table = red.table(seats=[{"kind": "me"}, {"kind": "me"}])
    red.move(table, 0, "d")
    with red.live(table, viewer=1) as live:
        assert live.view()["moves"]
    with red.live(table, viewer=1) as live:
        assert live.view()["moves"]
        assert live.move(1, "d", 1)["type"] == "done"
    (listed,) = red.ask("GET", "/api/tables")
    assert (listed["id"], listed["status"], listed["number"], listed["your_turn"]) == (table, "playing", 2, True)
    assert [seat["kind"] for seat in listed["seats"]] == ["me", "me"]
    assert person().ask("GET", "/api/tables") == []


def test_seats_are_taken_once(person: New) -> None:
    red, yellow, late = person(), person(), person()
    table = red.table()
    assert yellow.sit(table, seat=1)["seat"] == 1
    assert yellow.sit(table, seat=1)["seat"] == 1
    late.sit(table, 409)
    late.sit(table, 409, seat=0)
    late.sit(table, 404, seat=7)
    assert late.token is None
    late.sit("AAAAAAAAAAAA", 404)
    person().sit(red.table(), 422, name="two\nlines")


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({"game": "senet"}, 404),
        ({"game": "../examples/connect_four"}, 404),
        ({"players": 5}, 422),
        ({"options": {"colour": "blue"}}, 422),
        ({"seats": [{"kind": "me"}]}, 422),
        ({"seats": [{"kind": "me"}, {"kind": "cat"}]}, 422),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "genius"}]}, 422),
        ({"seats": [{"kind": "me", "name": "x" * 41}, {"kind": "open"}]}, 422),
        ({"clock": {"minutes": 0, "increment": 0}}, 422),
        ({"clock": {"minutes": 5, "increment": 301}}, 422),
        ({"seed": -1}, 422),
        ({"extra": 1}, 422),
        ({"players": "2"}, 422),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(person: New, wanted: dict[str, Any], status: int) -> None:
    refusal = person().ask("POST", "/api/tables", FOUR | wanted, status)
    assert refusal["error"] == refusal["reason"]["en"]
    assert refusal["reason"]["ja"]


def test_seats_change_hands(person: New) -> None:
    red, yellow, guest = person(), person(), person()
    table = red.table()
    yellow.sit(table)
    place = f"/api/tables/{table}/seats"
    guest.ask("PATCH", f"{place}/1", {"kind": "bot"}, 403)
    red.ask("PATCH", f"{place}/1", {"name": "Fool"}, 403)
    yellow.ask("PATCH", f"{place}/1", {"name": "Ben"}, 200)
    red.ask("PATCH", f"{place}/1", {"kind": "bot"}, 403)
    yellow.ask("PATCH", f"{place}/1", {"kind": "bot", "bot": "nobody"}, 422)
    yellow.ask("PATCH", f"{place}/1", {"kind": "bot", "bot": "random"}, 200)
    red.move(table, 0, "a")
    with red.live(table) as live:
        view = live.view(lambda view: view["number"] == 2)
        assert (view["players"][1]["kind"], view["players"][1]["bot"]) == ("bot", "random")
    yellow.ask("PATCH", f"{place}/1", {"kind": "me"}, 200)
    red.move(table, 2, "a")
    time.sleep(0.2)
    assert yellow.view(table)["number"] == 3
    yellow.move(table, 3, "b")
    assert [(notice["what"], notice["name"], notice["bot"]) for notice in red.view(table)["notices"]] == [
        ("stand_in", "Ben", "random"),
        ("back", "Ben", None),
    ]


def test_an_open_seat_can_be_given_to_a_bot_and_back(person: New) -> None:
    red = person()
    table = red.table(ready=False)
    place = f"/api/tables/{table}/seats/1"
    assert red.view(table)["prompt"] == "Waiting for players to sit down"
    red.ask("PATCH", place, {"kind": "bot", "bot": "scribe"}, 200)
    assert red.view(table)["prompt"] == "Waiting for Red to start"
    red.ask("PATCH", place, {"kind": "open"}, 200)
    red.start(table)
    view = red.view(table)
    assert [player["started"] for player in view["players"]] == [True, False]
    assert view["status"] == "waiting"
    red.ask("PATCH", place, {"kind": "bot", "bot": "scribe"}, 200)
    assert red.view(table)["status"] == "playing"
    red.move(table, 0, "a")
    for change in ({"kind": "open"}, {"kind": "bot", "bot": "random"}, {"bot": "random"}, {"kind": "me"}):
        red.ask("PATCH", place, change, 403)


def test_a_whole_match_against_a_greedy_bot(person: New) -> None:
    red = person()
    table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "scribe"}])
    with red.live(table) as live:
        while (view := live.view(lambda view: view["moves"] or view["status"] == "over"))["status"] != "over":
            live.move(view["number"], view["moves"][0]["code"])
    assert view["result"]["ranks"] in ([1, 2], [2, 1], [1, 1])


def test_a_rematch_keeps_the_people_and_turns_the_seats(person: New) -> None:
    red, yellow = person(), person()
    table = red.table(clock={"minutes": 5, "increment": 3})
    yellow.sit(table, name="Ben")
    red.ask("POST", f"/api/tables/{table}/rematch", None, 409)
    for number, code in enumerate("abababa"):
        (red, yellow)[number % 2].move(table, number, code)
    person().ask("POST", f"/api/tables/{table}/rematch", None, 403)
    with red.live(table) as live:
        following = yellow.ask("POST", f"/api/tables/{table}/rematch")["id"]
        assert live.view(lambda view: view["next"])["next"] == following
    assert red.ask("POST", f"/api/tables/{table}/rematch")["id"] == following
    view = yellow.view(following)
    assert (view["own"], view["status"], view["number"]) == ([0], "waiting", 0)
    assert view["players"][0]["name"] == "Ben"
    assert view["players"][0]["clock"] == 300
    before, after = (red.view(one)["players"] for one in (table, following))
    assert [player["colour"] for player in after] == [before[1]["colour"], before[0]["colour"]]  # everybody keeps the own one
    assert red.view(following)["own"] == [1]
    red.start(following)
    assert yellow.start(following)["status"] == "playing"
    assert yellow.view(following)["moves"]


def test_browsers_get_a_cookie_that_scripts_cannot_read(person: New) -> None:
    browser = person()
    answer = browser.http.post("/api/tables", json=FOUR, headers={"Origin": browser.server.address})
    assert "token" not in answer.json()
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("perankh=", "HttpOnly", "SameSite=lax", "Path=/", "Max-Age=31536000"))
    assert browser.http.get(f"/api/tables/{answer.json()['id']}").json()["own"] == [0]
    again = browser.http.post("/api/tables", json=FOUR, headers={"Origin": browser.server.address})
    assert "set-cookie" not in again.headers


def test_colours_are_chosen_before_the_deal(person: New) -> None:
    red, other, guest = person(), person(), person()
    mural = {"game": "mural", "players": 3, "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}]}
    table = red.ask("POST", "/api/tables", mural, 201)["id"]

    def colour(who: Person, seat: int, number: int, status: int = 200) -> Any:
        return who.ask("PATCH", f"/api/tables/{table}/seats/{seat}", {"colour": number}, status)

    other.ask("POST", f"/api/tables/{table}/seats", {"seat": 1})
    view = red.view(table)
    assert [one["name"] for one in view["palette"]] == ["Red", "Blue", "Yellow", "Black"]
    colour(red, 0, 3)
    assert [player["colour"] for player in red.view(table)["players"]] == ["black", "blue", "yellow"]
    colour(red, 0, 2)  # the bot's: it gets the other in exchange
    assert [player["colour"] for player in red.view(table)["players"]] == ["yellow", "blue", "black"]
    assert [player["name"] for player in red.view(table)["players"]] == ["Yellow", "Blue", "Chance"]
    assert colour(red, 0, 1, 409)["error"] == "Somebody else has this colour."
    colour(other, 0, 0, 403)
    colour(guest, 0, 0, 403)
    colour(red, 0, 4, 422)
    colour(red, 0, -1, 422)
    for one in (red, other):
        one.ask("POST", f"/api/tables/{table}/start", {})
    view = red.view(table)
    assert view["status"] == "playing"
    seats = {sprite["id"]: sprite for sprite in view["scene"]["sprites"] if sprite["id"] in ("seat-0", "seat-1", "seat-2")}
    assert [seats[f"seat-{p}"]["colour"] for p in range(3)] == ["yellow", "blue", "black"]
    assert colour(red, 0, 0, 409)["error"]
    sources = red.ask("GET", f"/api/tables/{table}/points?lang=en")["sources"]
    assert sources == []  # no marker has moved, so the points would tell nothing
    assert [player["score"] for player in view["players"]] == [None] * 3
