"""The first pages: what they say of games with and without a box, and of one's own tables."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from perankh.engine.game import get_game
from perankh.web.documents import is_built

from .conftest import FOUR

New = Callable[..., Any]


def test_games_are_listed_with_their_boxes(person: New) -> None:
    games = {game["name"]: game for game in person().ask("GET", "/api/games")}
    assert [name for name in games if name != "connect_four"] == ["mural", "maqha", "cleocatra", "imhotep", "egizia"]
    assert (games["maqha"]["minutes"], games["maqha"]["weight"]) == ([10, 20], "light")
    assert games["maqha"]["usual"]["players"] == 3
    assert games["maqha"]["usual"]["options"]["rules"] == "advanced"
    groups = {option["name"]: option["group"] for option in games["imhotep"]["options"]}
    assert (groups["wrath"], groups["quarry_take"]) == ("variant", "ruling")


def test_a_cover_is_cut_down_to_what_the_box_names(person: New) -> None:
    guest = person().http
    drawn = guest.get("/cover/mural.svg?lang=ja")
    assert drawn.headers["content-type"] == "image/svg+xml"
    left, top, width, height = map(float, re.findall(r'viewBox="([^"]+)"', drawn.text)[0].split())
    game = get_game("mural")
    scene = game.drawing.scene(game.veiled(game.drawing.PICTURES["cover"](), 0), 0, "ja", "wide")
    wall = next(sprite for sprite in scene.sprites if sprite.id == "wall")
    assert (left + width / 2, top + height / 2) == (wall.x, wall.y)
    assert (width, height) == (wall.width, wall.height)
    assert guest.get("/cover/senet.svg").status_code == 404


def test_pages_of_a_game_with_few_facts(person: New) -> None:
    guest = person().http
    new = guest.get("/new/connect_four?lang=en").text
    assert "2 players" in new
    assert "reconstructed" not in new  # no table of its components is
    assert 'id="options-title"' not in new  # it has no options
    assert 'id="sources"' not in guest.get("/guide/connect_four").text


def test_a_copy_without_documentation_says_how_to_build_it(person: New) -> None:
    answer = person().http.get("/docs/nothing.html?lang=en")
    assert answer.status_code == 404
    assert ("make docs" in answer.text) is not is_built()


def test_own_tables_come_first_with_ones_turn_before_all(person: New) -> None:
    red = person()
    assert 'id="tables"' not in red.http.get("/").text
    bots = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    mine = red.table(seats=bots)
    waiting = red.ask("POST", "/api/tables", FOUR)["id"]
    page = red.ask("GET", "/?lang=en")
    own, games = page.index('id="tables"'), page.index('class="games"')
    assert own < page.index(f"/t/{mine}") < page.index(f"/t/{waiting}") < games
    assert "you, chance" in page
    assert "you, open seat" in page


def test_home_is_shown_to_whoever_sends_nonsense(person: New) -> None:
    guest = person().http
    assert guest.get("/", headers={"Authorization": "Bearer no"}).status_code == 200
    assert guest.get("/", headers={"Cookie": "perankh=no"}).status_code == 200


def test_a_table_calls_points_as_its_game_does(person: New) -> None:
    red = person()
    for name, lang, word in (("mural", "ja", "勝利点"), ("mural", "en", "Points"), ("imhotep", "ja", "得点")):
        table = red.table(game=name, seats=[{"kind": "me"}, {"kind": "open"}])
        page = red.http.get(f"/t/{table}?lang={lang}").text
        words = json.loads(re.findall(r'id="words">(.*?)</script>', page)[0])
        assert words["live.score"] == word
