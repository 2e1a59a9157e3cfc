"""The drawn table of Imhotep: sprites, clicks, secrets, pictures, guides."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from perankh.engine.words import LANGUAGES
from perankh.games.imhotep import invariants, scene, table
from perankh.games.imhotep.scene import Box
from perankh.games.imhotep.table import State
from perankh.scene import PALETTE, SHAPES, Scene, Sprite, draw, symbols_of
from perankh.scene.svg import HOUSE

from .imhotep_positions import ALL_B, GAME, K, N, W, final, legal, play, position, step

ART = GAME.folder / "art.svg"
SYMBOLS = symbols_of(HOUSE) | symbols_of(ART)
BOTH = [(shape, lang) for shape in SHAPES for lang in LANGUAGES]
EVERY = 7
GAMES = [
    pytest.param(2, 1, {}, id="two"),
    pytest.param(3, 2, ALL_B, id="three-b"),
    pytest.param(4, 3, {**ALL_B, "discard_open": False, "wrath": True}, id="four-b"),
]


def positions(players: int, seed: int, **options: object) -> Iterator[tuple[Any, int]]:
    """Some positions of a whole random game, with the seat that decides."""
    s: Any = GAME.new_state(players, seed, options)
    chance = random.Random(seed)
    number = 0
    while GAME.actors(s):
        (p,) = GAME.actors(s)
        if number % EVERY == 0 or step(s) not in ("main", "offer"):
            yield s, p
        GAME.rules.apply(s, p, chance.choice(GAME.legal(s, p)))
        number += 1
    yield s, 0


def seen(s: State, viewer: int) -> State:
    veiled = GAME.veiled(s, viewer)
    assert isinstance(veiled, State)
    return veiled


def look(s: State, viewer: int = 0, lang: str = "en", shape: str = "wide") -> Scene:
    return scene.scene(seen(s, viewer), viewer, lang, shape)


def by_id(drawn: Scene) -> dict[str, Sprite]:
    return {sprite.id: sprite for sprite in drawn.sprites}


def box_of(sprite: Sprite) -> Box:
    return Box(sprite.x - sprite.width / 2, sprite.y - sprite.height / 2, sprite.width, sprite.height)


def within(inner: Box, outer: Box) -> bool:
    return (
        inner.x >= outer.x - 0.01
        and inner.y >= outer.y - 0.01
        and inner.right <= outer.right + 0.01
        and inner.bottom <= outer.bottom + 0.01
    )


def check_sprites(s: State, viewer: int, shape: str, lang: str) -> None:
    drawn = look(s, viewer, lang, shape)
    assert drawn.width == SHAPES[shape]
    ids = [sprite.id for sprite in drawn.sprites]
    assert len(ids) == len(set(ids))
    for sprite in drawn.sprites:
        assert sprite.symbol or sprite.text
        assert not sprite.symbol or sprite.symbol in SYMBOLS, sprite
        assert {sprite.colour or "ink", sprite.ink} <= set(PALETTE), sprite
        assert not sprite.text or sprite.size >= 11, sprite
        assert within(box_of(sprite), Box(0, 0, drawn.width, drawn.height)), sprite


# --- Sprites ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_every_position_can_be_drawn(players: int, seed: int, options: dict[str, Any]) -> None:
    for number, (s, p) in enumerate(positions(players, seed, **options)):
        shape, lang = BOTH[number % 4]
        check_sprites(s, p if number % 3 else -1, shape, lang)


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_every_stone_is_drawn_or_counted(players: int, seed: int, options: dict[str, Any]) -> None:
    for s, _ in positions(players, seed + 5, **options):
        drawn = look(s, -1)
        for p in range(players):
            own = [sprite.id for sprite in drawn.sprites if sprite.symbol == f"stone-{p}" and sprite.alt]
            own = [name for name in own if not name.startswith(("beside", "pending"))]
            shown = len(own) + s.beside[p] + 3 * list(s.erected).count(1 + p)
            if s.step == table.CHOOSE_PYRAMID and s.chooser == p:
                shown += 1
            if step(s) in ("offer", "pair") and s.market_return == table.PER_STONE:
                continue
            assert shown + s.quarry[p] == table.STONES, (p, own)


def test_a_ship_keeps_its_id_and_moves_to_the_dock() -> None:
    s = position(ships="WKW. - - -")
    waiting = by_id(look(s))["ship-0"]
    play(s, "sail-a-temple")
    sprites = by_id(look(s))
    assert sprites["ship-0"].x != waiting.x
    assert within(Box(sprites["ship-0"].x, sprites["ship-0"].y, 0, 0), box_of(sprites["dock-temple"]))
    assert {"temple-0", "temple-1", "temple-2"} <= set(sprites)


def test_a_loaded_stone_glides_from_the_sled() -> None:
    s = position(sleds=(3, 2))
    before = by_id(look(s))
    assert within(box_of(before["stone-1-2-0"]), box_of(before["panel-0"]))
    play(s, "load-b3")
    after = by_id(look(s))
    assert after["stone-1-2-0"].alt
    assert "sled-0-2" not in after
    assert before["stone-1-2-0"].x != after["stone-1-2-0"].x


def test_a_taken_card_glides_to_the_hand() -> None:
    s = position(ships="- K.. - -".replace("K..", "KW."), market="idol hammer sail chisel")
    play(s, "sail-b-market")
    assert within(box_of(by_id(look(s))[f"held-{K}-{table.IDOL}-0"]), box_of(by_id(look(s))["offer-0"]))
    play(s, "take1")
    assert within(box_of(by_id(look(s))[f"held-{K}-{table.IDOL}-0"]), box_of(by_id(look(s))[f"panel-{K}"]))


def test_ships_tell_whether_they_may_sail() -> None:
    sprites = by_id(look(position(ships="WK.. KW. - -")))
    assert sprites["status-0"].text == "sails with 3+"
    assert sprites["status-1"].text == "ready to sail"


def test_the_track_goes_round() -> None:
    assert [scene.space_of(n) for n in (-5, 0, 1, 40, 41, 80, 81)] == [0, 0, 1, 40, 1, 40, 1]
    sprites = by_id(look(position(scores=(41, 40))))
    assert "lap-0" in sprites
    assert "lap-1" not in sprites


def test_the_end_names_the_winner() -> None:
    s = position(scores=(20, 30), round=6)
    final(s)
    sprites = by_id(look(s))
    assert sprites["bar-text-0"].text == "White wins with 30 points."
    assert "crown-1" in sprites
    assert "crown-0" not in sprites


# --- Clicks, points, secrets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_every_legal_action_has_one_path(players: int, seed: int, options: dict[str, Any]) -> None:
    for number, (s, p) in enumerate(positions(players, seed + 10, **options)):
        known = seen(s, p)
        paths = scene.paths(known, p)
        assert sorted(paths) == GAME.legal(s, p)
        assert len(set(paths.values())) == len(paths)
        for q in range(players):
            assert q == p or not scene.paths(known, q)
        for shape in SHAPES:
            drawn = by_id(scene.scene(known, p, LANGUAGES[number % 2], shape))
            for path in paths.values():
                assert 1 <= len(path) <= 2
                for name in path:
                    assert drawn[name].alt
                    assert not drawn[name].dim
                    assert drawn[name].y < 660 or shape == "wide"


def test_what_one_clicks() -> None:
    s = position(ships="WK.. KW. - -", held={0: "chisel chisel"})
    paths = {code: scene.paths(s, 0)[GAME.face.CODES.index(code)] for code in legal(s)}
    assert paths["fetch2"] == ("do-fetch-2",)
    assert paths["load-a3"] == ("space-0-2",)
    assert paths["sail-b-temple"] == ("ship-1", "dock-temple")
    assert paths["play-chisel"] == (f"held-0-{table.CHISEL}-1",)


def test_lever_points_at_stones() -> None:
    s = play(position(ships="KWK. - - -", held={0: "lever"}), "play-lever sail-a-pyramid")
    assert set(scene.paths(s, 0).values()) == {("stone-0-0-0",), ("stone-0-1-1",)}
    play(s, "next-white")
    assert step(s) != "lever_order"


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_the_breakdown_adds_up_to_the_scores(players: int, seed: int, options: dict[str, Any]) -> None:
    for s, _ in positions(players, seed + 20, **options):
        rows = scene.breakdown(s, "en")
        assert [sum(column) for column in zip(*(values for _, values in rows), strict=True)] == GAME.scores(s)
        assert all(n >= 0 for name, values in rows for n in values if name != "Wrath")


def test_the_breakdown_of_the_end() -> None:
    s = position(
        4,
        burial="NNNWWKGNGGGGG",
        obelisk="WWWWKKKGGG",
        held={W: "idol idol idol deco_burial lever", N: "chisel"},
        round=6,
    )
    final(s)
    rows = dict(scene.breakdown(s, "en"))
    assert rows["Burial chamber"] == [1, 3, 7, 17]
    assert rows["Obelisk"] == [7, 15, 0, 7]
    assert rows["Idols"] == [0, 6, 0, 0]
    assert rows["Green cards"] == [0, 4, 0, 0]
    assert rows["Blue cards"] == [0, 1, 1, 0]
    assert rows["Temple"] == rows["Pyramid"] == [0, 0, 0, 0]


def test_worlds_that_look_alike_are_drawn_alike() -> None:
    for number, (s, p) in enumerate(positions(3, 31, **ALL_B, discard_open=False)):
        viewer = (p + number) % 3
        world = GAME.redealt(seen(s, viewer), 7 + number)
        assert isinstance(world, State)
        shape, lang = BOTH[number % 4]
        assert look(s, viewer, lang, shape) == look(world, viewer, lang, shape)


def test_the_pair_is_open_for_its_taker_alone() -> None:
    s = play(position(ships="- KW. - -", market_side="B"), "sail-b-market take4")
    assert by_id(look(s, K))["hidden-0"].symbol.startswith("card-")
    assert by_id(look(s, W))["hidden-0"].symbol == "back"
    assert by_id(look(s, -1))["hidden-1"].symbol == "back"


# --- Art, pictures, guides --------------------------------------------------------------------------------------------


def test_the_art_is_well_formed_and_uses_the_palette_alone() -> None:
    text = ART.read_text("utf-8")
    ElementTree.fromstring(text)
    assert set(re.findall(r"var\(--([\w-]+)\)", text)) <= set(PALETTE)
    assert set(re.findall(r"#[0-9a-f]{3,6}\b", re.sub(r'href="#[^"]*"|url\(#[^)]*\)', "", text))) <= {"#fff", "#000"}
    own = symbols_of(ART)
    assert not set(own) & set(symbols_of(HOUSE))
    for name in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text):
        assert "".join(name) in own


@pytest.mark.parametrize("name", scene.PICTURES)
def test_pictures_are_positions_that_can_be(name: str) -> None:
    s = scene.PICTURES[name]()
    world = GAME.redealt(s, 1)
    assert isinstance(world, State)
    fault = invariants.violated(world, world)
    assert not fault, invariants.INVARIANTS[fault - 1]
    assert all(n >= 0 for _, values in scene.breakdown(s, "en") for n in values)
    for shape, lang in BOTH:
        check_sprites(s, 0, shape, lang)
        ElementTree.fromstring(draw(look(s, 0, lang, shape), ART, GAME.face.board(s, 0, lang)))


def test_pictures_show_what_the_guide_says() -> None:
    pictures = {name: make() for name, make in scene.PICTURES.items()}
    assert pictures["pyramid"].score[:3] == [9, 12, 6]
    assert [table.visible(pictures["temple"], cell) - 1 for cell in range(5)] == [N, W, 3, 3, N]
    assert [scene.burial_points(pictures["burial"], p) for p in range(4)] == [1, 3, 7, 17]
    assert [scene.obelisk_points(pictures["burial"], p) for p in range(4)] == [7, 15, 0, 7]
    alts = [by_id(look(pictures["side-b"]))[f"build-{k}"].alt for k in range(3)]
    assert ["2 points" in alts[0], "draw a card" in alts[1], "load a stone" in alts[2]] == [True] * 3


def test_the_guides_are_alike_in_both_languages() -> None:
    shapes = []
    for lang in LANGUAGES:
        text = (GAME.folder / f"guide.{lang}.md").read_text("utf-8")
        rows = re.findall(r"^(#+) |\(scene:([\w-]+)\)|^(\|.*---.*\|)$|^(- )|^(\d\. )|^([|] [^|]*\d.*)$", text, re.MULTILINE)
        shapes.append([tuple(bool(part) if k > 1 else part for k, part in enumerate(row)) for row in rows])
    assert shapes[0] == shapes[1]
    assert sum(bool(row[0]) for row in shapes[0]) > 10
