"""What worker processes make for viewers, also for games that they have not loaded yet."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from perankh.engine.events import GameEvent
from perankh.engine.game import get_game
from perankh.engine.words import seats_called
from perankh.match.match import Match
from perankh.web import rendering
from perankh.web.seats import Seat, names_shown
from perankh.workers import WorkerPool

from ..conftest import CONNECT_FOUR
from .conftest import Person, Server

MOVED = {
    "cleocatra": ["tile", "rescuer", "inspector", "marker"],
    "egizia": ["card", "tile", "ship", "market", "order", "brick"],
    "imhotep": ["stone", "pyramid", "temple", "burial", "obelisk", "marker", "held"],
    "maqha": ["card", "coin", "ankh", "order", "bid"],
    "mural": ["card", "hidden", "marker"],
}


def test_a_worker_renders_a_game_outside_the_package() -> None:
    """States go over as bytes: their enumerations live in modules that a fresh process cannot import."""
    game = get_game(CONNECT_FOUR)
    state = game.new_state(2, 1)
    for number, column in enumerate("abababa"):
        game.apply(state, number % 2, "abcdefg".index(column))
    assert type(state.over) is not int  # type: ignore[attr-defined]
    record = state.to_bytes()
    seats = rendering.Seats({"en": ("Red", "Kai")}, (0, 1))
    facts = {"seats": seats, "options": {}, "acting": [], "final": record, "told": [], "broken": False, "forfeited": []}
    facts["moved"] = False
    facts |= {"resigned": [], "ended": False, "archived": None}
    given = ({-1: (record, [])}, [rendering.Wanted(-1, "en", "wide", False, True)], facts)
    with WorkerPool(1) as pool:
        (made,) = pool.submit(rendering.render, str(CONNECT_FOUR), *given).result(60)
    assert isinstance(made, dict)
    assert made["names"] == ["Red", "Kai"]
    assert made["result"]["ranks"] == [1, 2]
    assert "stone-a4" in made["scene"].sprites


def test_a_fault_in_a_drawing_costs_that_view_alone(tmp_path: Path) -> None:
    """The connection stays, and the next position is shown."""
    shutil.copytree(CONNECT_FOUR, tmp_path / "games" / "connect_four", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "games" / "connect_four" / "drawing.py").open("a", encoding="utf-8") as drawing:
        drawing.write("\n\nsound = scene\n\n\ndef scene(s, *how):\n    return sound(s, *how) if s.placed != 1 else 1 // 0\n")
    server = Server(tmp_path / "data", games=tmp_path / "games").start()
    try:
        red = Person(server)
        table = red.table(seats=[{"kind": "me"}, {"kind": "me"}])
        with red.live(table) as live:
            live.view(lambda view: view["moves"])
            assert live.move(0, "a", 0)["type"] == "done"
            answer = red.http.get(f"/api/tables/{table}", headers={"Authorization": f"Bearer {red.token}"})
            assert answer.status_code == 503
            assert "view" in answer.json()["error"]
            assert live.move(1, "b", 1)["type"] == "done"
            assert live.view(lambda view: view["number"] == 2)["scene"]
            live.send(type="look", at=1)
            assert "view" in live.answer()["error"]
            live.send(type="look", at=0)
            assert live.view(lambda view: view["at"] == 0)["scene"]
    finally:
        server.kill()


def test_pieces_travel_in_the_order_of_the_events() -> None:
    """Imhotep's stones go to the obelisk as they leave the ship, whoever owns them."""
    game = get_game("imhotep")
    kind: Any = game.Event
    state: Any = game.new_state(2, 1)
    state.obelisk[0], state.obelisk[1] = 2, 1
    events = [GameEvent(kind.AT_OBELISK, seat, (n,)) for seat, n in ((0, 1), (1, 1), (0, 2))]
    scene = game.drawing.scene(state, -1, "en", "wide")
    rendering.set_travel_order(game, state, scene, events)
    stones = sorted((sprite for sprite in scene.sprites if sprite.id.startswith("obelisk-")), key=lambda sprite: sprite.order)
    assert [sprite.id for sprite in stones] == ["obelisk-0-0", "obelisk-1-0", "obelisk-0-1"]


def test_prompts_and_boards_show_players_by_their_names_and_in_their_colours() -> None:
    match = Match("mural", 2, 3, names=["Ani", "Hori"])
    (p,) = match.actors
    game = match.game
    facts = {"options": match.options, "acting": [p], "final": None, "forfeited": [], "broken": False, "moved": False}
    facts |= {"resigned": [], "ended": False, "archived": None}
    seen = {p: (game.veiled(match.state, p).to_bytes(), [])}
    wanted = [rendering.Wanted(p, "en", "wide", may_act=True, text=True)]
    for names, colours in ((match.names, (0, 1)), (("Meri", "Nofret"), (3, 0)), (match.names, (1, 0))):  # drawings are kept
        seats = rendering.Seats({"en": names}, colours)
        (parts,) = rendering.render(str(game.folder), seen, wanted, facts | {"seats": seats})
        assert isinstance(parts, dict)
        sprites = {name: orjson.loads(sprite) for name, sprite in parts["scene"].sprites.items()}
        assert names[p] in parts["prompt"]
        assert all(name in parts["text"] for name in names)
        expected = [game.drawing.SEAT_COLOURS.names[colour] for colour in colours]
        assert parts["colours"] == expected
        for seat, name in enumerate(names):
            assert sprites[f"seat-{seat}"]["alt"] == name
            assert sprites[f"seat-{seat}"]["colour"] == expected[seat]


def test_long_names_are_cut_on_boards() -> None:
    seats = rendering.Seats({"ja": ("ネフェルタリ大王妃様", "Nefertari", "Tutankhamun Nebkheperure", "アニ")}, (0, 1, 2, 3))
    assert seats.on_boards("ja") == ["ネフェルタリ大…", "Nefertari", "Tutankhamun Neb…", "アニ"]


def test_bots_are_called_by_their_level() -> None:
    game = get_game("mural")
    seats = [Seat("person", "x"), Seat("bot", bot="scribe"), Seat("bot", bot="vizier"), Seat("bot", bot="scribe")]
    assert names_shown(game, seats, (3, 1, 2, 0), "en") == ("Black", "Scribe 1", "Vizier", "Scribe 2")
    assert names_shown(game, seats[:2], (0, 1), "ja") == ("赤", "書記")


def test_a_miss_comes_from_the_deck_and_stops_at_its_cell() -> None:
    match, rng = Match("mural", 2, 3), random.Random(3)
    while not any(event.kind.name == "MISSED" for event in (match.events(-1, match.number - 1)[0] if match.number else ())):
        match.play(rng.choice(match.moves()))
    game, (events,) = match.game, match.events(-1, match.number - 1)
    state = game.veiled(match.state, -1)
    missed = next(event.card for event in events if event.kind.name == "MISSED")
    scene = game.drawing.scene(state, -1, "en", "wide")
    rendering.set_travel_order(game, state, scene, events)
    sprites = {sprite.id: sprite for sprite in scene.sprites}
    card = sprites[f"card-{missed:02}"]
    assert (card.pool, card.via) == ("deck", f"cell-{missed:02}")
    assert {card.pool, card.via} <= set(sprites)
    (gain,) = [one for one in rendering.event_effects(game, state, events, "en") if "reason" in one]
    assert (gain["reason"], gain["place"]) == ("miss", card.id)


def test_events_are_shown_with_points_reasons_and_banners_and_the_names_of_players() -> None:
    game = get_game("egizia")
    kind: Any = game.Event
    state = game.new_state(3, 1)
    told = [(kind.MINED, 0, (2, 4)), (kind.MINED, 1, (1, 3)), (kind.MISSED_GRAIN, 1, (3, -9)), (kind.SOLD, 0, (0, 0))]
    events = [GameEvent(*event) for event in told]
    shown = rendering.event_effects(game, state, events, "en")
    hunger = {"seat": 1, "amount": "-9", "reason": "hunger", "points": -9, "place": "rank-1"}
    assert shown == [{"banner": "Mining and feeding"}, hunger]  # a banner once, and nothing of nothing
    maqha = get_game("maqha")
    spilled: Any = maqha.Event
    with seats_called(["", "Ani"]):
        for seat, text in ((0, "Red spilled!"), (1, "Ani spilled!")):
            events = [GameEvent(spilled.SPILLED, seat, ())]
            assert rendering.event_effects(maqha, maqha.new_state(3, 1), events, "en") == [{"banner": text}]


@pytest.mark.parametrize("name", ["cleocatra", "egizia", "imhotep", "maqha", "mural"])
def test_the_sprites_that_an_event_moves_are_drawn(name: str) -> None:
    """Nearly always: a piece may go on to another place within the same move."""
    game, rng = get_game(name), random.Random(7)
    named, drawn, moved = 0, 0, Counter[str]()
    for seed in range(3):
        match = Match(game, 3, seed)
        for _ in range(120):
            if match.over:
                break
            viewer, p = rng.randrange(-1, 3), rng.choice(match.actors)
            before = {
                sprite.id: sprite for sprite in game.drawing.scene(game.veiled(match.state, viewer), viewer, "en", "wide").sprites
            }
            match.play(rng.choice(game.legal(match.state, p)), p)
            state, (events,) = game.veiled(match.state, viewer), match.events(viewer, match.number - 1)
            scene = game.drawing.scene(state, viewer, "en", "wide")
            ids = {sprite.id.rsplit("-", n)[0] for sprite in scene.sprites for n in range(2)}
            for event in events:
                wanted = game.drawing.moved_sprites(state, event)  # type: ignore[attr-defined]
                named, drawn = named + bool(wanted), drawn + bool(ids.intersection(wanted))
            for sprite in scene.sprites:
                sprite.order = 0
            rendering.set_travel_order(game, state, scene, events)
            for sprite in scene.sprites:
                was = before.get(sprite.id)
                if sprite.order and (was is None or (was.x, was.y) != (sprite.x, sprite.y)):
                    moved[sprite.id.split("-")[0]] += 1
    assert drawn >= 0.95 * named
    assert set(MOVED[name]) <= set(moved), moved


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", ["cleocatra", "egizia", "imhotep", "maqha", "mural"])
def test_the_end_names_every_source_of_points(name: str, lang: str) -> None:
    """What the events tell is not lumped together ("On the track"), and nothing is named that brought nobody a point."""
    match = Match(name, 3, seed=1)
    chance = random.Random(1)
    while not match.over:
        match.play(chance.choice(match.moves()))
    told = [event for events in match.events() for event in events]
    rows = rendering.sources(match.game, match.state, told, lang)
    assert [sum(row["points"][p] for row in rows) for p in range(3)] == match.game.scores(match.state)
    assert all(any(row["points"]) for row in rows) or name == "maqha"
    named = [row["source"] for row in rows]
    assert len(set(named)) == len(named)
    assert not {"On the track", "得点トラック"} & set(named)
