"""Tables in company: passwords, the public list, resigning, series, deleting, spectators."""

from __future__ import annotations

import asyncio
import io
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from perankh.engine.game import get_game
from perankh.web import access, storage
from perankh.web.agreements import Settings
from perankh.web.refusal import Refused
from perankh.web.table_records import Series

from .conftest import FOUR, Person, Server, in_a_loop, tables_in
from .test_chat import say, seated
from .test_votes import ask, kinds, vote

New = Callable[[], Person]


def rows_about(server: Any, table: str) -> dict[str, int]:
    """How many rows of each kind mention a table."""
    found = {}
    with closing(sqlite3.connect(server.data / "perankh.db")) as database:
        for kept in storage.metadata.sorted_tables:
            for column in {"table_id", "next", "id"} & set(kept.c.keys()):
                count = database.execute(f"SELECT count(*) FROM {kept.name} WHERE {column} = ?", [table]).fetchone()[0]
                found[f"{kept.name}.{column}"] = count
    return found


def play_four(red: Person, yellow: Person, table: str, codes: str = "abababa") -> None:
    for number, code in enumerate(codes):
        (red, yellow)[number % 2].move(table, number, code)


# --- Passwords ------------------------------------------------------------------------------------------------------------


def test_a_table_with_a_password_shows_nothing_to_strangers(person: New) -> None:
    red, yellow, guest = person(), person(), person()
    table = red.table(password="open sesame", seats=[{"kind": "me", "name": "Aiko"}, {"kind": "open"}])
    place = f"/api/tables/{table}"
    doors = [
        *(("GET", f"{place}{path}", None) for path in ("", "?at=0", "/file", "/analysis", "/chat")),
        *(("POST", f"{place}/{path}", {}) for path in ("seats", "start", "undo", "rematch")),
        ("POST", f"{place}/moves", {"number": 0, "code": "a"}),
        ("POST", f"{place}/hint", {}),
        ("POST", f"{place}/why", {"seat": 0, "under": ["x"]}),
        ("POST", f"{place}/requests", {"what": "join", "seat": 1, "name": "Owl"}),
        ("POST", f"{place}/votes", {"what": "undo", "agree": True}),
        ("POST", f"{place}/chat", {"text": "hello", "name": "Owl"}),
        ("POST", f"{place}/resign", {"seat": 0}),
        ("PATCH", f"{place}/seats/0", {"name": "Owl"}),
        ("PATCH", f"{place}/chat", {"mute": "*"}),
        ("PATCH", place, {"public": True}),
        ("DELETE", place, None),
        ("GET", f"{place}/gains?seat=0", None),
        ("POST", f"{place}/preview", {"seat": 0, "chosen": ["deck"]}),
        ("POST", f"{place}/explain", {"under": ["deck"]}),
        ("GET", f"{place}/points", None),
        ("GET", f"{place}/edition", None),
        ("POST", f"{place}/lesson", {"step": 0}),
        ("GET", f"{place}/analysis/line?number=0&step=0", None),
        ("POST", f"{place}/advice", {"number": 0}),
        ("POST", f"{place}/practice", {"number": 0, "seat": 0, "bot": "scribe"}),
        ("GET", f"{place}/invitation", None),
        ("PUT", f"{place}/alerts", {"kinds": ["push"]}),
    ]
    named = {(method, path.partition("?")[0].replace(table, "{table}")) for method, path, _ in doors}
    routes = guest.ask("GET", "/api/openapi.json")["paths"]
    offered = {(method.upper(), path) for path, methods in routes.items() for method in methods if "{table}" in path}
    offered = {(method, path.replace("{seat}", "0")) for method, path in offered}
    assert offered - {("POST", "/api/tables/{table}/enter")} <= named  # a new route is tried here too
    for method, path, body in doors:
        answer = guest.ask(method, path, body, 403)
        assert answer["password"], (method, path)
        assert "Aiko" not in str(answer)
    assert guest.token is None
    page = guest.http.get(f"/t/{table}")
    assert page.status_code == 403
    assert 'id="password"' in page.text
    for secret in ("Aiko", "Connect Four", "四目"):
        assert secret not in page.text
    assert guest.http.get(f"/t/{table}/card.png").status_code == 403
    cover = guest.http.get(f"/t/{table}/preview.png").content
    with guest.live(table) as live:
        assert live.next()["password"]
        with pytest.raises(ConnectionClosed):
            live.next()
    for wrong in ("", "open", "open sesame ", "x" * 1000):
        guest.ask("POST", f"{place}/enter", {"password": wrong}, 403)
    guest.ask("POST", f"{place}/enter", {"password": "open sesame"})
    assert guest.view(table)["password"]
    yellow.ask("POST", f"{place}/enter", {"password": "open sesame"})
    yellow.sit(table, name="Ben")
    with guest.live(table) as live, yellow.live(table) as playing:
        live.view()
        yellow.ask("PATCH", place, {"password": "another"}, 403)
        assert red.ask("PATCH", place, {"password": "another"}) == {"public": False, "password": True}
        with pytest.raises(ConnectionClosed):
            live.view(lambda view: False)
        yellow.move(table, 0, "a", 422)  # not his turn, and no question of passwords: players have none to give
        red.move(table, 0, "a")
        playing.view(lambda view: view["number"] == 1)
    guest.view(table, 403)
    assert guest.http.get(f"/t/{table}/preview.png").content == cover  # not a picture of the position
    red.ask("POST", f"{place}/resign", {"seat": 0})
    assert red.http.get(f"/t/{table}/card.png").headers["cache-control"] == "private, no-store"
    assert guest.http.get(f"/t/{table}/card.png").status_code == 403
    red.ask("PATCH", place, {"password": ""})
    assert not guest.view(table)["password"]


def test_passwords_are_stored_hashed_and_tried_slowly(tmp_path: Path) -> None:
    strict = Server(tmp_path, rate=1000, refill=0.01, costly=4).start()
    try:
        red, guest = Person(strict), Person(strict)
        for bad in ("abc", "x" * 101):
            red.ask("POST", "/api/tables", FOUR | {"password": bad}, 422)
        table = red.table(password="open sesame")
        codes = [guest.http.post(f"/api/tables/{table}/enter", json={"password": f"guess {n}"}).status_code for n in range(5)]
        assert codes == [403] * 4 + [429]
        assert guest.http.post(f"/api/tables/{table}/enter", json={"password": "open sesame"}).status_code == 429
    finally:
        strict.kill()
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert table.encode() in kept
    assert b"sesame" not in kept


def test_a_rematch_keeps_the_door(person: New) -> None:
    red, yellow, guest = person(), person(), person()
    table = red.table(password="open sesame", public=True)
    for who in (yellow, guest):
        who.ask("POST", f"/api/tables/{table}/enter", {"password": "open sesame"})
    yellow.sit(table)
    play_four(red, yellow, table)
    following = yellow.ask("POST", f"/api/tables/{table}/rematch")["id"]
    assert red.view(following)["password"]
    guest.view(following)
    person().view(following, 403)
    assert following in [listed["id"] for listed in person().ask("GET", "/api/public")]


# --- The public list ------------------------------------------------------------------------------------------------------------


def test_public_tables_are_listed_while_they_go_on(person: New) -> None:
    red, yellow, guest = person(), person(), person()
    private = red.table()
    table = red.table(public=True, clock={"days": 2}, best_of=3, seats=[{"kind": "me", "name": "Aiko"}, {"kind": "open"}])

    def listed() -> dict[str, Any]:
        return {one["id"]: one for one in guest.ask("GET", "/api/public")}

    assert private not in listed()
    one = listed()[table]
    assert (one["status"], one["open"], one["password"], one["clock"], one["best_of"]) == ("waiting", 1, False, {"days": 2}, 3)
    assert [seat["name"] for seat in one["seats"]] == ["Aiko", ""]
    assert "owner" not in str(one)
    page = guest.ask("GET", "/?lang=en")
    assert f"/t/{table}" in page
    assert f"/t/{private}" not in page
    with guest.live(table):
        yellow.sit(table, name="<i>Ben</i>")
        assert listed()[table]["spectators"] == 1
    assert "&lt;i&gt;Ben" in guest.ask("GET", "/?lang=en")
    red.ask("PATCH", f"/api/tables/{table}", {"public": False})
    assert table not in listed()
    guest.ask("PATCH", f"/api/tables/{private}", {"public": True}, 403)
    red.ask("PATCH", f"/api/tables/{table}", {"public": True})
    red.ask("POST", f"/api/tables/{table}/resign", {"seat": 0})
    assert table not in listed()


def test_the_number_of_spectators_is_shown(person: New) -> None:
    (red, _), table = seated(person)
    guest = person()
    guest.table()  # has a token now
    with red.live(table) as live:
        assert live.view()["spectators"] == 0
        with guest.live(table), guest.live(table), person().live(table):
            assert live.view(lambda view: view["spectators"] == 2)["number"] == live_number(red, table)
        live.view(lambda view: view["spectators"] == 0)


def live_number(who: Person, table: str) -> int:
    return int(who.view(table)["number"])


# --- Resigning ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["mural", "cleocatra", "imhotep", "egizia", "maqha", "connect_four"])
def test_with_two_players_whoever_resigns_has_lost_and_the_match_is_over(person: New, game: str) -> None:
    red, yellow, guest = person(), person(), person()
    table = red.table(game=game, clock={"minutes": 5, "increment": 0})
    yellow.sit(table, name="Ben")
    place = f"/api/tables/{table}/resign"
    guest.ask("POST", place, {"seat": 0}, 403)
    yellow.ask("POST", place, {"seat": 0}, 403)
    yellow.ask("POST", place, {"seat": 7}, 404)
    assert yellow.ask("POST", place, {"seat": 1}) == {"status": "over"}
    view = red.view(table)
    assert (view["status"], view["result"]["ranks"], view["result"]["resigned"]) == ("over", [1, 2], [1])
    assert view["result"]["reason"] == view["prompt"] == "Ben resigned."
    assert len(view["result"]["scores"]) == 2
    assert len(view["seed"]) == 32
    assert kinds(view) == ["resigned"]
    assert [player["acting"] for player in view["players"]] == [False, False]
    assert view["moves"] == []
    assert guest.view(table, viewer=1, lang="ja")["result"]["reason"] == "Benの投了で対局が終わりました。"
    assert "seed: " in red.ask("GET", f"/api/tables/{table}/file")
    red.ask("POST", place, {"seat": 0}, 409)
    red.ask("POST", f"/api/tables/{table}/undo", {}, 409)
    (listed,) = [one for one in red.ask("GET", "/api/tables") if one["id"] == table]
    assert (listed["status"], listed["your_turn"]) == ("over", False)


def test_moves_after_the_end_are_refused_also_after_a_restart(own_server: Any) -> None:
    red, yellow = Person(own_server), Person(own_server)
    table = red.table()
    yellow.sit(table)
    red.ask("POST", f"/api/tables/{table}/resign", {"seat": 0})
    for _ in range(2):
        assert "over" in red.move(table, 0, "a", 409)["error"]
        assert yellow.view(table)["result"]["ranks"] == [2, 1]
        own_server.kill()
        own_server.start()
    following = red.ask("POST", f"/api/tables/{table}/rematch")["id"]
    assert red.view(following)["status"] == "waiting"
    assert red.view(following)["own"] == [1]


def test_with_more_players_the_stand_in_plays_on_and_the_seat_comes_last(person: New) -> None:
    (red, blue, green), table = seated(person, 3, stand_in="apprentice")
    with red.live(table) as live:
        green.ask("POST", f"/api/tables/{table}/resign", {"seat": 2})
        view = live.view(lambda view: view["players"][2]["resigned"])
        assert (view["status"], view["players"][2]["kind"], view["players"][2]["bot"]) == ("playing", "bot", "apprentice")
        assert (view["notices"][-1]["what"], view["notices"][-1]["bot"]) == ("resigned", "apprentice")
        assert "resigned" in green.ask("PATCH", f"/api/tables/{table}/seats/2", {"kind": "me"}, 409)["error"]
        green.ask("POST", f"/api/tables/{table}/resign", {"seat": 2}, 409)
        # Who has resigned is not asked any more.
        blue.ask("PATCH", f"/api/tables/{table}/seats/1", {"kind": "open"})
        guest = person()
        ask(guest, table, "join", 2, 409, name="Owl")
        ask(guest, table, "join", 1, name="Owl")
        assert red.view(table)["request"]["waiting"] == [0]
        vote(red, table, "join", agree=False)
        # Nobody but bots is left to play against: the match is over when the last person gives up.
        assert red.ask("POST", f"/api/tables/{table}/resign", {"seat": 0}) == {"status": "over"}
        view = live.view(lambda view: view["status"] == "over")
    assert view["result"]["ranks"][1] == 1
    assert sorted(view["result"]["ranks"])[0] < min(view["result"]["ranks"][0], view["result"]["ranks"][2])
    assert view["result"]["resigned"] == [2, 0]
    assert view["result"]["forfeited"] == [0, 2]
    text = red.ask("GET", f"/api/tables/{table}/file")
    shown = guest.view(guest.ask("POST", "/api/replays", None, 201, content=text.encode())["id"])
    assert [shown["result"][key] for key in ("ranks", "resigned")] == [view["result"][key] for key in ("ranks", "resigned")]


def test_the_file_of_a_resigned_match_says_so_wherever_it_comes_from(own_server: Any) -> None:
    red, yellow = Person(own_server), Person(own_server)
    table = red.table(seats=[{"kind": "me", "name": "Ann"}, {"kind": "open"}])
    yellow.sit(table, name="Ben")
    red.move(table, 0, "a")
    yellow.ask("POST", f"/api/tables/{table}/resign", {"seat": 1})
    text = red.ask("GET", f"/api/tables/{table}/file")
    assert "\nresigned: 1\nending: resigned\nscores: 0 0\nseal: " in text
    exported = red.http.post("/api/me/export", headers={"Authorization": f"Bearer {red.token}"}).content
    with zipfile.ZipFile(io.BytesIO(exported)) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".perankh")]
        assert archive.read(name).decode() == text
    answer = red.ask("POST", "/api/replays", None, 201, content=text.encode())["id"]
    for _ in range(2):  # as it was brought, and out of the database
        view = red.view(answer)
        assert (view["status"], view["result"]["ranks"], view["result"]["resigned"]) == ("over", [1, 2], [1])
        assert view["result"]["reason"] == "Ben resigned."
        assert red.ask("GET", f"/api/tables/{answer}/file") == text
        own_server.kill()
        own_server.start()


def test_nobody_resigns_before_the_deal(person: New) -> None:
    red = person()
    table = red.table()
    red.ask("POST", f"/api/tables/{table}/resign", {"seat": 0}, 409)


# --- Series ------------------------------------------------------------------------------------------------------------


def test_a_series_goes_from_table_to_table_with_another_to_begin(person: New) -> None:
    red, yellow = person(), person()
    table = red.table(best_of=3, clock={"minutes": 5, "increment": 3}, seats=[{"kind": "me", "name": "Aiko"}, {"kind": "open"}])
    yellow.sit(table, name="Ben")
    series = red.view(table)["series"]
    assert series == {"best_of": 3, "number": 1, "wins": [0, 0], "over": False, "winners": []}
    play_four(red, yellow, table)
    assert red.view(table)["series"]["wins"] == [1, 0]
    second = red.ask("POST", f"/api/tables/{table}/rematch")["id"]
    assert yellow.ask("POST", f"/api/tables/{table}/rematch")["id"] == second
    view = red.view(second)
    assert (view["series"]["number"], view["series"]["wins"], view["own"]) == (2, [0, 1], [1])
    assert view["deal"]["commitment"] != red.view(table)["deal"]["commitment"]
    for who in (red, yellow):
        who.start(second)
    assert yellow.view(second)["moves"]  # the other begins
    yellow.ask("POST", f"/api/tables/{second}/resign", {"seat": 0})
    view = red.view(second)
    assert (view["series"]["wins"], view["series"]["over"], view["series"]["winners"]) == ([0, 2], True, [1])
    third = red.ask("POST", f"/api/tables/{second}/rematch")["id"]
    assert red.view(third)["series"] == {"best_of": 3, "number": 1, "wins": [0, 0], "over": False, "winners": []}
    for wrong in (0, 1, 2, 4, 7, "3"):
        red.ask("POST", "/api/tables", FOUR | {"best_of": wrong}, 422)


def test_in_a_series_the_first_seat_begins_where_the_lot_would_decide(person: New) -> None:
    red = person()
    for game in ("mural", "imhotep"):
        for options, begins in (({}, "0"), ({"start_player": 1}, "1")):
            table = red.table(game=game, best_of=5, options=options, seats=[{"kind": "me"}, {"kind": "bot"}])
            view = red.view(table)
            chosen = {option["name"]: option["value"] for option in view["options"]}["start_player"]
            assert chosen == view["players"][int(begins)]["name"]
    assert red.view(red.table(game="egizia", best_of=3))["series"]["number"] == 1  # it has no such option


def test_the_score_of_a_series() -> None:
    first = Series.first(3, 2)
    assert first.after([1, 2]) == (1, 0)
    assert first.after([1, 1]) == (0.5, 0.5)
    assert not first.is_over((1, 0))
    second = first.following([1, 2])
    assert (second.number, second.wins) == (2, (0, 1))
    assert second.is_over((0, 2))
    assert not second.is_over((1, 1))
    assert not second.is_over((0.5, 1.5))  # the last match may still make it even
    third = second.following([1, 2])
    assert third.is_over((1.5, 1.5))
    assert third.following([1, 2]) == first
    many = Series.first(5, 4)
    assert many.after([1, 1, 1, 4]) == (0.33, 0.33, 0.33, 0)
    assert Series.from_json(second.json(), 2) == second
    for text in ('{"best_of": 4, "number": 1, "wins": [0, 0]}', '{"best_of": 3, "number": 4, "wins": [0, 0]}', second.json()):
        with pytest.raises(ValueError, match="series"):
            Series.from_json(text, 3)


# --- Deleting ------------------------------------------------------------------------------------------------------------


def test_deleting_a_table_leaves_nothing(own_server: Any) -> None:
    red, yellow, guest = (Person(own_server) for _ in range(3))
    table = red.table()
    yellow.sit(table, name="Ben")
    play_four(red, yellow, table)
    following = red.ask("POST", f"/api/tables/{table}/rematch")["id"]
    third = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    say(red, table, "good game")
    red.ask("PATCH", f"/api/tables/{table}/chat", {"mute": "*"})
    red.view(table)
    place = f"/api/tables/{table}"
    guest.ask("DELETE", place, None, 403)
    assert "ask them" in red.ask("DELETE", place, None, 403)["error"]
    ask(guest, table, "delete", 0, 403)
    ask(red, table, "delete", 0)
    with yellow.live(table) as live:
        asked = live.view(lambda view: view["request"])["request"]
        assert (asked["what"], asked["waiting"], asked["can_vote"]) == ("delete", [1], True)
        vote(yellow, table, "delete", agree=False)
        assert red.view(table)["request"] is None
        ask(red, table, "delete", 0)
        before = rows_about(own_server, table)
        assert min(before[f"{name}.table_id"] for name in ("seats", "moves", "holders", "messages", "visits")) > 0
        vote(yellow, table, "delete")
        with pytest.raises(ConnectionClosed):
            live.view(lambda view: False)
    for who in (red, yellow, guest):
        who.view(table, 404)
        assert table not in [listed["id"] for listed in who.ask("GET", "/api/tables")]
    assert set(rows_about(own_server, table).values()) == {0}
    assert guest.http.get(f"/t/{table}").status_code == 404
    red.view(following)
    # Alone among bots nobody has to be asked; before the deal, whoever has set a table up decides.
    red.ask("DELETE", f"/api/tables/{third}")
    red.view(third, 404)
    yellow.ask("DELETE", f"/api/tables/{following}", None, 403)
    assert yellow.view(following)["may_delete"] is False
    assert red.view(following)["may_delete"]
    red.ask("DELETE", f"/api/tables/{following}")
    assert yellow.ask("GET", "/api/tables") == []


def test_whoever_brought_a_match_file_may_delete_it(person: New) -> None:
    red, guest = person(), person()
    table = red.table(seats=[{"kind": "me"}, {"kind": "me"}])
    red.ask("POST", f"/api/tables/{table}/resign", {"seat": 0})
    text = red.ask("GET", f"/api/tables/{table}/file")
    answer = red.http.post("/api/replays", content=text, headers={"Authorization": f"Bearer {red.token}"}).json()["id"]
    guest.ask("DELETE", f"/api/tables/{answer}", None, 403)
    red.ask("DELETE", f"/api/tables/{answer}")
    red.view(answer, 404)


def test_whoever_waits_while_a_table_is_deleted_is_told_that_it_is_gone(tmp_path: Path) -> None:
    async def delete() -> int:
        tables = tables_in(tmp_path)
        seats = [{"kind": "me"}, {"kind": "open"}]
        made = tables.create("owner", get_game("mural"), 2, {}, seats, None, None, Settings(60))
        table = await tables.known((await made)[0])
        async with table.lock:
            changes = [
                asyncio.create_task(work) for work in (access.delete(table, "owner"), table.sit("guest", 1, "Bo", False, None))
            ]
            await asyncio.sleep(0.01)  # both wait, the deletion first
        await changes[0]
        with pytest.raises(Refused) as caught:
            await changes[1]
        await tables.services.close()
        return caught.value.status

    assert in_a_loop(delete()) == 404
