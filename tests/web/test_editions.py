"""Editions over the API: kept, used at tables, carried by match files, limited, and refused with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from perankh.engine.editions import Edition
from perankh.engine.game import game_with, get_game
from perankh.match import Match
from perankh.match.file import sealed, text_of
from perankh.web import editions, printed
from perankh.web.refusal import Refused

from .conftest import Person, in_a_loop, tables_in

New = Callable[[], Person]
CHANGES = {"turn.first_hand": 2, "track_points.standard.area.row": [9, 4, 2, 0]}
ALONE = {"seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}


def wanted(name: str = "My box", game: str = "mural", **more: Any) -> dict[str, Any]:
    return {"game": game, "name": name, "changes": CHANGES} | more


def sent(somebody: Person, path: str, text: str | bytes) -> httpx.Response:
    return somebody.http.post(path, content=text, headers={"Authorization": f"Bearer {somebody.token}"} if somebody.token else {})


def test_an_edition_is_kept_used_at_a_table_and_travels_with_the_match_file(person: New, own_server: Any) -> None:
    owner, friend = Person(own_server), Person(own_server)
    id = owner.ask("POST", "/api/editions", wanted(), 201)["id"]
    assert [(one["id"], one["name"]) for one in owner.ask("GET", "/api/editions")] == [(id, "My box")]
    assert friend.ask("GET", "/api/editions") == []
    table = friend.table(game="mural", edition=id, **ALONE)  # whoever knows its id can use it
    view = friend.view(table)
    assert view["edition"] == "My box"
    assert friend.view(friend.table(game="mural", **ALONE))["edition"] is None
    owner.ask("PUT", f"/api/editions/{id}", wanted("Other", changes={"turn.first_hand": 3}), 200)
    owner.ask("DELETE", f"/api/editions/{id}", status=200)
    friend.ask("POST", "/api/tables", {"game": "mural", "players": 2, "edition": id}, 404)
    own_server.kill()
    own_server.start()  # the table goes on with the numbers it began with
    assert friend.view(table)["edition"] == "My box"
    with friend.live(table) as watched:
        due = watched.view(lambda view: view["moves"])  # the bot may begin
    friend.move(table, due["number"], due["moves"][0]["code"])
    text = friend.ask("GET", f"/api/tables/{table}/file")
    assert "\nedition: My box\nchange track_points.standard.area.row: [9, 4, 2, 0]\nchange turn.first_hand: 2\n" in text
    assert "\nchange turn.first_hand: 2\n" in friend.ask("GET", f"/api/tables/{table}/edition")
    # A finished match opens on a server that has never heard of the edition.
    friend.ask("POST", f"/api/tables/{table}/resign", {"seat": 0}, 200)
    elsewhere = person()
    answer = sent(elsewhere, "/api/replays", friend.ask("GET", f"/api/tables/{table}/file"))
    assert answer.status_code == 201, answer.text
    assert elsewhere.view(answer.json()["id"])["edition"] == "My box"
    lines = friend.ask("GET", f"/api/tables/{table}/file").splitlines()[:-1]
    without = sealed([line for line in lines if not line.startswith(("edition:", "change "))])
    answer = sent(elsewhere, "/api/replays", without)
    assert answer.status_code == 422, answer.text
    assert "other components of mural than those installed, and does not carry them" in answer.json()["error"]
    page = friend.http.get(f"/guide/mural?table={table}&lang=en", headers={"Authorization": f"Bearer {friend.token}"}).text
    assert "2 (otherwise 1)" in page
    assert "everybody takes two cards as the first hand" in page


def test_drafts_are_drawn_or_refused_at_the_entry_at_fault(person: New) -> None:
    somebody = person()
    draft = {"game": "imhotep", "players": 2, "changes": {"pyramid_b.left": [9, 9, 9, 9, 9]}, "options": {"pyramid_side": "b"}}
    usual = somebody.ask("POST", "/api/editions/draft", draft | {"changes": {}})["picture"]
    assert somebody.ask("POST", "/api/editions/draft", draft)["picture"] != usual
    assert usual.startswith("<svg")
    refusal = somebody.ask("POST", "/api/editions/draft", draft | {"changes": {"pyramid_b.left": [9, 9, 9, 9, 100]}}, 422)
    assert (refusal["table"], refusal["key"]) == ("pyramid_b", "left")
    assert refusal["reason"] == {"en": "100 is not between 0 and 99.", "ja": "100は使えません。0から99までの数にしてください。"}
    for bad in (
        {"game": "chess"},
        {"players": 9},
        {"options": {"pyramid_side": "z"}},
        {"changes": {"no.such": 1}},
        {"changes": {"pyramid_b.left": [1.5]}},
        {"changes": {"pyramid_b.left": {"x": 1}}},
        {"changes": {f"x.y{n}": 1 for n in range(1001)}},
    ):
        assert somebody.ask("POST", "/api/editions/draft", draft | bad, 404 if "game" in bad else 422)["reason"]["ja"]


@pytest.mark.parametrize(
    ("game", "entry", "value"),
    [
        ("egizia", "pyramid.two.spaces", []),  # the rules cannot even be loaded
        ("egizia", "nile.deck_12", None),  # a table is gone that they need
        ("mural", "foo", 1),  # stands in no table
        ("mural", "source", "box"),
    ],
)
def test_numbers_with_which_rules_do_not_load_are_refused_without_a_word_about_the_disk(
    own_server: Any, game: str, entry: str, value: Any
) -> None:
    somebody = Person(own_server)
    changed = {"game": game, "changes": {entry: value}}
    lines = text_of(Match(get_game(game), 2, 5)).splitlines()[:-1]
    lines[4:4] = ["edition: x", f"change {entry}: {json.dumps(value)}"]
    for answer in (
        somebody.http.post("/api/editions/draft", json=changed | {"players": 2}),
        somebody.http.post("/api/editions", json=changed | {"name": "x"}),
        sent(somebody, "/api/replays", sealed(lines)),
    ):
        assert answer.status_code == 422, answer.text
        assert answer.json()["reason"]["ja"]
        for place in ("/", "components.toml", "perankh.engine"):
            assert place not in answer.text, answer.text


def test_numbers_that_only_fail_in_play_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = editions.game_at("mural")
    monkeypatch.setattr(editions, "show", lambda *_: 1 // 0)
    with pytest.raises(editions.BadComponents) as caught:
        editions.tried(game.place, editions.Edition("x", {"turn.first_hand": 2}))
    assert "together they do not fit the rules" in caught.value.reason["en"]


def test_an_edition_belongs_to_whoever_made_it_and_there_are_not_too_many(own_server: Any) -> None:
    owner, other = Person(own_server), Person(own_server)  # nobody else has used up what one address may send
    id = owner.ask("POST", "/api/editions", wanted(), 201)["id"]
    other.ask("PATCH", "/api/me", {"name": "Other"}, 200)
    assert other.ask("GET", f"/api/editions/{id}")["mine"] is False
    assert "somebody else" in other.ask("PUT", f"/api/editions/{id}", wanted(), 403)["error"]
    other.ask("DELETE", f"/api/editions/{id}", status=403)
    owner.ask("PUT", f"/api/editions/{id}", wanted(game="imhotep", changes={"wrath.points": 4}), 422)
    owner.ask("POST", "/api/tables", {"game": "imhotep", "players": 2, "edition": id}, 422)
    owner.ask("POST", "/api/editions", wanted(changes={}), 422)
    owner.ask("POST", "/api/editions", wanted("x" * 41), 422)
    owner.ask("POST", "/api/editions", wanted(game="chess"), 404)
    for unknown in ("GET", "DELETE"):
        owner.ask(unknown, "/api/editions/nothing", status=404)
    owner.ask("GET", "/api/editions/nothing/file", status=404)
    for number in range(1, editions.MOST_OWN):
        owner.ask("POST", "/api/editions", wanted(f"Box {number}", "connect_four", changes={"board.rows": 5}), 201)
    assert str(editions.MOST_OWN) in owner.ask("POST", "/api/editions", wanted(), 409)["error"]


def test_a_server_that_keeps_no_further_editions_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editions, "MOST", 1)
    edition = Edition.of({"name": "My box", "changes": CHANGES})

    async def keep() -> str:
        tables = tables_in(tmp_path)
        kept = editions.Editions(tables.services)
        id = await kept.keep("first", "mural", edition)
        with pytest.raises(Refused) as caught:
            await kept.keep("second", "mural", edition)
        assert await kept.keep("first", "mural", edition, id) == id  # the own one can be changed
        await tables.services.close()
        return str(caught.value)

    assert "This server keeps no further editions" in in_a_loop(keep())


def test_the_corrections_of_an_edition_are_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    sections = printed.sections
    monkeypatch.setattr(printed, "sections", lambda *given: calls.append(given) or sections(*given))
    base = get_game("egizia")
    changed = game_with(base, Edition.of({"name": "My box", "changes": {"bricks.limit": 9}}))
    assert printed.corrections(base, changed, "en") == printed.corrections(base, changed, "en") != []
    assert len(calls) == 2  # of the game and of the edition: it takes long, and everybody can ask for the page of a guide


def test_files_of_editions_go_out_and_come_in(own_server: Any) -> None:
    owner = Person(own_server)
    id = owner.ask("POST", "/api/editions", wanted(), 201)["id"]
    text = owner.ask("GET", f"/api/editions/{id}/file")
    assert sent(owner, "/api/editions/file", text).json() == wanted()
    for bad in (b"", b"\xff", text[:-3], text.replace("mural", "chess"), "perankh match 1\n", "x" * 50_000):
        answer = sent(owner, "/api/editions/file", bad)
        assert answer.status_code in (413, 422), answer.text
        assert answer.json()["reason"]["ja"]


def test_the_page_asks_for_every_printed_number_in_both_languages(person: New) -> None:
    somebody = person()
    for game in ("mural", "cleocatra", "imhotep", "egizia", "maqha", "connect_four"):
        for lang in ("en", "ja"):
            page = somebody.http.get(f"/box/{game}?lang={lang}")
            assert page.status_code == 200
            assert "data-entry=" in page.text
    assert somebody.http.get("/box/chess").status_code == 404
    assert somebody.http.get("/box/mural?edition=nothing").status_code == 404
    assert "/box/egizia" in somebody.http.get("/new/egizia").text
    assert "/box/egizia" in somebody.http.get("/guide/egizia").text
