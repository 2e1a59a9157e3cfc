"""Practice: tables that begin in a position of a match that is over."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from perankh.engine.game import get_game
from perankh.match import Match
from perankh.match.file import parse, text_of

from ..conftest import CONNECT_FOUR
from .conftest import Person

New = Callable[[], Person]


def uploaded(who: Person, match: Match) -> str:
    return str(who.ask("POST", "/api/replays", None, 201, content=text_of(match).encode())["id"])


def connect_four(codes: str) -> Match:
    match = Match(get_game(CONNECT_FOUR), 2, seed=1)
    for code in codes:
        match.play(code)
    return match


def played(game: str, moves: int, seed: int = 5) -> Match:
    match = Match(game, 2, seed=seed)
    for _ in range(moves):
        match.play(match.moves()[0])
    return match


def practise(who: Person, table: str, status: int = 201, **wanted: Any) -> Any:
    return who.ask("POST", f"/api/tables/{table}/practice", {"bot": "random", "seat": 0} | wanted, status)


def test_practice_begins_in_the_position_and_is_marked(person: New) -> None:
    red = person()
    table = practise(red, uploaded(red, connect_four("agagagdg")), number=6)["id"]
    view = red.view(table)
    assert (view["status"], view["number"], view["own"]) == ("playing", 0, [0])
    assert view["settings"]["practice"] == {"number": 6, "seat": 0, "known": True}
    assert [player["kind"] for player in view["players"]] == ["me", "bot"]
    assert "Practice from move 6" in red.http.get(f"/t/{table}").text
    assert [listed["practice"] for listed in red.ask("GET", "/api/tables")] == [True]
    red.move(table, 0, "a", seat=0)  # the win that was missed
    view = red.view(table)
    assert (view["status"], view["result"]["ranks"]) == ("over", [1, 2])
    assert red.ask("GET", "/api/me/matches")["matches"] == []  # it does not count
    text = red.http.get(f"/api/tables/{table}/file").text
    again = parse(text, game=CONNECT_FOUR)
    assert again.over
    assert again.origin
    assert len(again.origin.moves) == 6
    assert red.ask("GET", f"/api/tables/{table}/analysis")["state"] in ("preparing", "working", "done")


def test_the_hidden_part_is_dealt_anew_as_the_seat_knew_it_or_stays(own_server: Any) -> None:
    guest, match = Person(own_server), played("mural", 40)
    source = uploaded(guest, match)
    before = guest.view(source, at=30, viewer=1)["scene"]["sprites"]
    known = practise(guest, source, number=30, seat=1)["id"]
    real = practise(guest, source, number=30, seat=1, hidden="real")["id"]
    pages = [guest.http.get(f"/t/{table}").text for table in (source, uploaded(guest, connect_four("a")))]
    assert ["data-hidden" in page for page in pages] == [True, False]  # only where something is hidden there is a choice
    for table in (known, real):
        shown = guest.ask("GET", f"/api/tables/{table}", None, 200, params={"at": 0})["scene"]["sprites"]
        assert pieces(shown) == pieces(before)
    assert [guest.view(table)["settings"]["practice"]["known"] for table in (known, real)] == [True, False]
    numbers = [guest.view(table)["number"] for table in (known, real)]
    own_server.kill()  # what is stored leads to the same positions
    own_server.start()
    for table, number in zip((known, real), numbers, strict=True):
        view = guest.view(table)
        assert view["status"] == "playing"
        assert view["number"] >= number
        shown = guest.ask("GET", f"/api/tables/{table}", None, 200, params={"at": 0})["scene"]["sprites"]
        assert pieces(shown) == pieces(before)


def pieces(sprites: list[Any]) -> set[Any]:
    """The cards of a scene and where they lie."""
    return {(sprite["id"], sprite["x"], sprite["y"], sprite.get("symbol")) for sprite in sprites if "card" in sprite["id"]}


def test_the_seed_of_the_new_world_is_told_to_nobody_while_it_is_played(person: New) -> None:
    guest, match = person(), played("mural", 40)
    table = practise(guest, uploaded(guest, match), number=30, seat=match.at(30).actors[0])["id"]
    view = guest.view(table)
    assert "redeals" not in json.dumps(view)
    text = guest.http.get(f"/api/tables/{table}/file").text
    assert "practice:" not in text
    assert "seed:" not in text.replace("seed-hash:", "")


def test_what_cannot_be_practised_is_refused(person: New) -> None:
    red = person()
    source = uploaded(red, connect_four("agagagdg"))
    assert practise(red, source, 409, number=8)["error"].startswith("The match is over in this position")
    practise(red, source, 404, number=9)
    practise(red, source, 404, number=0, seat=2)
    practise(red, source, 422, number=0, bot="sphinx")
    practise(red, source, 422, number=-1)
    practise(red, source, 422, number=0, hidden="all")
    running = red.table(seats=[{"kind": "me"}] * 2)
    assert practise(red, running, 409, number=0)["error"] == "The match is not over yet."


def test_the_card_shows_the_result_of_a_match_that_is_over(person: New) -> None:
    red = person()
    source = uploaded(red, connect_four("agagagdg"))
    for lang in ("en", "ja"):
        answer = red.http.get(f"/t/{source}/card.png", params={"lang": lang})
        assert answer.headers["content-type"] == "image/png"
        assert [int.from_bytes(answer.content[at : at + 4], "big") for at in (16, 20)] == [1200, 630]
    assert f"/t/{source}/card.png" in red.http.get(f"/t/{source}").text
    running = red.table(seats=[{"kind": "me"}] * 2)
    assert red.http.get(f"/t/{running}/card.png").status_code == 409
    assert f"/t/{running}/preview.png" in red.http.get(f"/t/{running}").text
