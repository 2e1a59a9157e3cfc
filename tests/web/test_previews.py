"""What is said before a move: previews, gains, choices that are not open, and what pieces are for."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from perankh.engine.game import game_names

from .conftest import Person

New = Callable[[], Person]


def previewed(who: Person, table: str, chosen: list[str], status: int = 200, **more: Any) -> Any:
    query = {"lang": more.pop("lang", "en"), "shape": more.pop("shape", "wide")}
    return who.ask("POST", f"/api/tables/{table}/preview", {"seat": 0, "chosen": chosen} | more, status, params=query)


def gains(who: Person, table: str, seat: int = 0, status: int = 200) -> Any:
    return who.ask("GET", f"/api/tables/{table}/gains", None, status, params={"seat": seat})


def explained(who: Person, table: str, under: list[str], status: int = 200, **more: Any) -> Any:
    lang = more.pop("lang", "en")
    return who.ask("POST", f"/api/tables/{table}/explain", {"under": under} | more, status, params={"lang": lang})


@pytest.mark.parametrize("game", game_names())
def test_what_is_shown_before_a_move_happens_then(person: New, game: str) -> None:
    me, chance = person(), random.Random(5)
    players = 3 if game == "maqha" else 2
    table = me.table(game=game, players=players, seats=[{"kind": "me"}] * players, seed=11)
    told = shown = 0
    for number in range(14):
        seat = next(player["seat"] for player in me.view(table)["players"] if player["acting"])
        view = me.view(table, viewer=seat)
        move = chance.choice(view["moves"])
        labels = gains(me, table, seat)
        before = {player["seat"]: player["score"] for player in view["players"]}
        preview = previewed(me, table, move["path"], seat=seat)["preview"]
        assert set(preview) == {"lines", "ghosts", "gains", "open", "outlook"}
        me.move(table, number, move["code"], seat=seat)
        after = me.view(table, viewer=seat, since=number)
        lines = [line["text"] for line in after["log"] if line["n"] == number + 1]
        assert lines[: len(preview["lines"])] == preview["lines"] or preview["open"]
        points = sum(gain["points"] for gain in preview["gains"] if gain["seat"] == seat)
        if labels["moves"].get(move["code"], "+0").lstrip("+-").isdigit() and game != "mural":
            assert int(labels["moves"].get(move["code"], "0")) == points
        if not preview["open"] and game != "mural":  # whose points depend on the places of all
            assert after["players"][seat]["score"] - before[seat] == points
        there = {sprite["id"]: sprite for sprite in after["scene"]["sprites"]}
        if not preview["open"] and game != "cleocatra":  # whose layout is centred anew
            assert all(there[ghost["id"]].get("x") == ghost.get("x") for ghost in preview["ghosts"] if ghost["id"] in there)
        told, shown = told + len(preview["lines"]), shown + len(preview["ghosts"])
        if after["status"] == "over":
            break
    assert told + shown > 5


def test_a_preview_shows_no_card_that_is_hidden(person: New) -> None:
    me = person()
    table = me.table(game="mural", players=2, seats=[{"kind": "me"}] * 2, seed=3)
    seat = next(player["seat"] for player in me.view(table)["players"] if player["acting"])
    preview = previewed(me, table, ["deck"], seat=seat)["preview"]
    assert (preview["open"], preview["ghosts"], preview["gains"], preview["lines"]) == (True, [], [], [])
    card = next(move["path"][0] for move in me.view(table, viewer=seat)["moves"] if move["path"][0].startswith("card-"))
    preview = previewed(me, table, [card], seat=seat)["preview"]
    assert not preview["open"]
    assert {"pawn", card} <= {ghost["id"] for ghost in preview["ghosts"]}


def test_previews_are_for_those_who_decide(person: New) -> None:
    me, other = person(), person()
    table = me.table(game="imhotep", players=2, seats=[{"kind": "me"}, {"kind": "open"}])
    assert previewed(me, table, ["space-0-0"]) == {"preview": None}  # not dealt yet
    assert gains(me, table) == {"moves": {}, "aliases": {}}
    assert explained(me, table, ["deck"]) == {"explanation": None}
    other.sit(table)
    acting = next(player["seat"] for player in me.view(table)["players"] if player["acting"])
    mine, others = (me, other) if acting == 0 else (other, me)
    path = mine.view(table)["moves"][-1]["path"]
    assert previewed(mine, table, path, seat=acting)["preview"]
    assert previewed(mine, table, ["deck"], seat=acting) == {"preview": None}
    assert previewed(mine, table, [*path, "nothing"], seat=acting)["preview"]  # what goes on after the move leads nowhere
    assert previewed(others, table, path, seat=1 - acting) == {"preview": None}  # not their turn
    assert gains(others, table, 1 - acting) == {"moves": {}, "aliases": {}}
    assert previewed(others, table, path, 403, seat=acting)["reason"]["ja"]
    gains(others, table, acting, 403)
    gains(others, table, 9, 404)
    for bad in ([], ["x"] * 17, ["x" * 101], [7]):
        previewed(mine, table, bad, 422, seat=acting)


def test_closed_choices_are_listed_with_their_reason(person: New) -> None:
    me = person()
    table = me.table(game="mural", players=2, seats=[{"kind": "me"}] * 2, seed=3)
    seat = next(player["seat"] for player in me.view(table)["players"] if player["acting"])
    view = me.view(table, viewer=seat, lang="en")
    assert view["closed"]["stop"] == "A turn cannot be passed: place at least one card first."
    assert next(sprite for sprite in view["scene"]["sprites"] if sprite["id"] == "stop")["dim"]
    assert me.view(table, viewer=1 - seat)["closed"] == {}


def test_pieces_are_explained_to_everybody_now_and_in_the_past(person: New) -> None:
    me, guest = person(), person()
    table = me.table(game="cleocatra", players=2, seats=[{"kind": "me"}] * 2, seed=3)
    seat = next(player["seat"] for player in me.view(table)["players"] if player["acting"])
    me.move(table, 0, me.view(table, viewer=seat)["moves"][0]["code"], seat=seat)
    for who in (me, guest):
        found = explained(who, table, ["nothing", "deck", "track"])["explanation"]
        assert found["id"] == "deck"
        assert "Scout" in found["text"]
        assert "偵察" in explained(who, table, ["deck"], lang="ja")["explanation"]["text"]
        turned_up, laid = (explained(who, table, ["tile-1"], at=at)["explanation"] for at in (0, 1))
        assert "turned up" in turned_up["text"]
        assert "Rescue" in laid["text"]
    assert explained(me, table, ["board"]) == {"explanation": None}
    explained(me, table, ["deck"], 404, at=9)
    explained(guest, table, ["deck"], 403, viewer=0)
    for bad in ([], ["x"] * 17, ["x" * 101]):
        explained(me, table, bad, 422)
