"""The levels of bots that a host offers, wherever a bot comes to play; and what becomes of tables with others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from perankh.bots import LEVELS
from perankh.engine.game import get_game
from perankh.web.levels import OfferedBots

from .conftest import Person, Server
from .test_clock import leave_seconds

OFFERED = ("apprentice", "architect")


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    running = Server(tmp_path_factory.mktemp("levels"), levels=" ".join(OFFERED)).start()
    yield running
    running.kill()


def bot(name: str | None) -> dict[str, Any]:
    return {"kind": "bot"} | ({"bot": name} if name else {})


def bots(view: Any) -> list[str | None]:
    return [player["bot"] for player in view["players"]]


@pytest.mark.parametrize(("options", "trained"), [({}, True), ({"end_score": 20}, False)])
def test_where_no_network_was_trained_it_is_said(hosted: Any, options: dict[str, Any], trained: bool) -> None:
    red = Person(hosted)
    table = red.table(game="cleocatra", options=options, seats=[{"kind": "me"}, bot("apprentice")])
    assert [player["trained"] for player in red.view(table)["players"]] == [True, trained]


@pytest.mark.parametrize("wanted", ["scribe", "pharaoh", "random", "search-800", "greedy-scribe"])
def test_a_level_that_is_not_offered_is_refused_with_the_reason(hosted: Any, wanted: str) -> None:
    red, game = Person(hosted), "imhotep"
    said = f"The bot {wanted} is not offered here; there are: apprentice, architect"
    seats = [{"kind": "me"}, bot(wanted)]
    answer = red.ask("POST", "/api/tables", {"game": game, "players": 2, "seats": seats}, 422)
    assert said in answer["error"]
    table = red.table(game=game, seats=[{"kind": "me"}, bot("architect")])
    answer = red.ask("PATCH", f"/api/tables/{table}/seats/0", {"kind": "bot", "bot": wanted}, 422)
    assert said in answer["error"]
    red.ask("POST", f"/api/tables/{table}/resign", {"seat": 0})
    practice = {"number": 0, "seat": 0, "bot": wanted}
    assert said in red.ask("POST", f"/api/tables/{table}/practice", practice, 422)["error"]
    answer = red.ask("POST", "/api/tables", {"game": game, "players": 2, "stand_in": wanted}, 422)
    assert ("is not offered here" if wanted in LEVELS else "There is no bot") in answer["error"]
    answer = red.ask("POST", "/api/tables", {"game": game, "players": 2, "seats": [{"kind": "me"}, bot("sphinx")]}, 422)
    assert answer["error"].startswith("There is no bot sphinx; there are: apprentice, architect, greedy-apprentice,")


def test_levels_that_are_offered_play_with_their_personalities(hosted: Any) -> None:
    red = Person(hosted)
    seats = [{"kind": "me"}, bot("architect"), bot("greedy-architect"), bot(None)]
    table = red.table(game="imhotep", players=4, seats=seats)
    assert bots(red.view(table)) == [None, "architect", "greedy-architect", "apprentice"]
    assert red.view(table)["settings"]["stand_in"] == "apprentice"
    red.ask("PATCH", f"/api/tables/{table}/seats/0", {"kind": "bot"})
    assert bots(red.view(table))[0] == "apprentice"
    red.ask("PATCH", f"/api/tables/{table}/seats/0", {"kind": "bot", "bot": "architect"})
    assert bots(red.view(table))[0] == "architect"
    red.ask("PATCH", f"/api/tables/{table}/seats/0", {"name": "Ani"})
    assert bots(red.view(table))[0] == "architect"


def test_the_pages_and_the_list_of_games_offer_them(hosted: Any) -> None:
    red = Person(hosted)
    page = red.ask("GET", "/new/imhotep")
    assert set(re.findall(r'value="bot:(\w+)"', page)) == set(OFFERED)
    assert re.findall(r'<option value="(\w+)"( selected)?>[^<]*', page.partition('name="stand_in"')[2])[:2] == [
        ("apprentice", " selected"),
        ("architect", ""),
    ]
    assert "4/6" in page or "4 of 6" in page
    assert set(re.findall(r'data-alone="\w+"[^>]* data-bot="(\w+)"', red.ask("GET", "/"))) == {"apprentice"}
    table = red.table(seats=[{"kind": "me"}, bot("architect")])
    assert 'data-bots="apprentice architect"' in red.ask("GET", f"/t/{table}")
    offered = {game["name"]: game["bots"] for game in red.ask("GET", "/api/games")}
    assert offered["connect_four"] == list(OFFERED)
    assert "greedy-architect" in offered["imhotep"]
    assert "greedy-scribe" not in offered["imhotep"]
    lesson = red.ask("POST", "/api/lessons/connect_four")["id"]
    assert [name for name in bots(red.view(lesson)) if name] == ["apprentice"]


def test_tables_of_before_go_on_with_a_level_that_is_offered(own_server: Any) -> None:
    red, yellow = Person(own_server), Person(own_server)
    seats = [{"kind": "me"}, {"kind": "open"}, bot("pharaoh"), bot("random")]
    table = red.table(game="imhotep", players=4, seats=seats, stand_in="vizier", clock={"minutes": 1, "increment": 0})
    yellow.sit(table)
    over = red.table(game="imhotep", seats=[{"kind": "me"}, bot("pharaoh")])
    red.ask("POST", f"/api/tables/{over}/resign", {"seat": 0})
    own_server.settings.append("--levels=apprentice scribe")
    own_server.kill()
    own_server.start()
    view = red.view(table)
    assert bots(view) == [None, None, "scribe", "apprentice"]
    assert bots(red.view(over)) == [None, "pharaoh"]  # what was
    following = red.ask("POST", f"/api/tables/{over}/rematch")["id"]
    assert [name for name in bots(red.view(following)) if name] == ["scribe"]
    red.ask("PATCH", f"/api/tables/{table}/seats/0", {"kind": "open"})  # leaves the match to the stand-in
    assert bots(yellow.view(table))[0] == "scribe"


def test_a_stand_in_after_a_time_out_is_of_a_level_that_is_offered(own_server: Any) -> None:
    red, yellow = Person(own_server), Person(own_server)
    table = red.table(stand_in="vizier", clock={"minutes": 1, "increment": 0}, seats=[{"kind": "me"}, {"kind": "open"}])
    yellow.sit(table)
    own_server.settings.append("--levels=priest scribe")
    leave_seconds(own_server, 0, 0.2)
    with yellow.live(table) as live:
        view = live.view(lambda view: view["notices"])
    assert (view["notices"][0]["what"], view["notices"][0]["bot"], bots(view)[0]) == ("time_out", "priest", "priest")


def test_what_plays_in_place_of_what_is_not_offered() -> None:
    everything = OfferedBots()
    assert (everything.usual, everything.levels, everything.instead_of("random")) == ("scribe", list(LEVELS), "random")
    some = OfferedBots(["pharaoh", "priest"])
    assert (some.levels, some.usual) == (["priest", "pharaoh"], "priest")
    found = [some.instead_of(name) for name in ("random", "scribe", "priest", "vizier", "greedy-scribe", "pharaoh")]
    assert found == ["priest", "priest", "priest", "priest", "priest", "pharaoh"]
    assert "random" not in some.of(get_game("mural"))
