"""What is drawn of Connect Four, and what is clicked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perankh.engine.game import get_game
from perankh.scene import PALETTE, SHAPES, draw, symbols_of
from perankh.scene.svg import SHARED

GAME = get_game(Path(__file__).parents[1])
SCENE: Any = __import__(f"{GAME.package}.scene", fromlist=["scene"])
ART = GAME.folder / "art.svg"
POSITIONS = ["", "ddcebdcc", "abbccdcddgd", "bbbbbb", "fgfdgcafdbfgefaacegeaaeefeggdacccddbbbdcbb"]


def fallen(scene: Any) -> list[str]:
    """The stones that lie in the board."""
    top = next(sprite.y - sprite.height / 2 for sprite in scene.sprites if sprite.id == "board")
    return [sprite.id for sprite in scene.sprites if sprite.id.startswith("stone-") and sprite.y > top]


@pytest.mark.parametrize("columns", POSITIONS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_everything_lies_on_the_table_and_can_be_drawn(columns: str, shape: str, lang: str) -> None:
    s = SCENE.after(columns)
    symbols = symbols_of(SHARED) | symbols_of(ART)
    for viewer in (-1, 0, 1):
        scene = SCENE.scene(s, viewer, lang, shape)
        assert scene.width == SHAPES[shape]
        assert scene.height < (780 if shape == "wide" else 620)
        ids = [sprite.id for sprite in scene.sprites]
        assert len(ids) == len(set(ids))
        for sprite in scene.sprites:
            assert sprite.width / 2 <= sprite.x <= scene.width - sprite.width / 2
            assert sprite.height / 2 <= sprite.y <= scene.height - sprite.height / 2
            assert not sprite.symbol or sprite.symbol in symbols
            assert not sprite.text or sprite.size >= 11
            assert not sprite.colour or sprite.colour in PALETTE
        assert len(fallen(scene)) == len(columns)
        assert draw(scene, ART, GAME.face.board(s, viewer, lang)).startswith("<svg")


def test_stones_keep_their_names_and_lie_where_they_fell() -> None:
    before = {sprite.id: sprite for sprite in SCENE.scene(SCENE.after("dd"), 0, "en", "wide").sprites}
    after = {sprite.id: sprite for sprite in SCENE.scene(SCENE.after("dda"), 0, "en", "wide").sprites}
    for name in ("stone-d1", "stone-d2"):
        assert before[name] == after[name]
    assert after["stone-d1"].y > after["stone-d2"].y
    assert after["stone-d1"].symbol != after["stone-d2"].symbol
    assert after["stone-a1"].alt == "Red a1"


@pytest.mark.parametrize("columns", POSITIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_each_legal_move_has_a_click_of_its_own(columns: str, shape: str) -> None:
    s = SCENE.after(columns)
    for p in (0, 1):
        paths = SCENE.paths(s, p)
        assert sorted(paths) == GAME.legal(s, p)
        assert len(set(paths.values())) == len(paths)
        shown = {sprite.id for sprite in SCENE.scene(s, p, "en", shape).sprites if sprite.alt}
        assert {name for path in paths.values() for name in path} <= shown


def test_a_stone_waits_above_each_open_column_and_falls_under_its_name() -> None:
    s = SCENE.after("dbbbbbb")
    for viewer in (-1, 0, 1):
        scene = SCENE.scene(s, viewer, "en", "wide")
        above = {
            sprite.id: sprite for sprite in scene.sprites if sprite.id.startswith("stone-") and sprite.id not in fallen(scene)
        }
        assert set(above) == {"stone-a1", "stone-c1", "stone-d2", "stone-e1", "stone-f1", "stone-g1"}
        assert all(sprite.dim == (viewer != 1) and sprite.symbol == "stone-1" for sprite in above.values())
    after = {sprite.id: sprite for sprite in SCENE.scene(SCENE.after("dbbbbbbe"), 1, "en", "wide").sprites}
    assert (after["stone-e1"].x, after["stone-e1"].symbol) == (above["stone-e1"].x, "stone-1")
    assert after["stone-e1"].y > above["stone-e1"].y
    assert after["stone-e2"].symbol == "stone-0"


def test_a_line_is_ringed_and_counted() -> None:
    s = SCENE.after("abbccdcddgd")
    rings = {sprite.id for sprite in SCENE.scene(s, -1, "ja", "tall").sprites if sprite.symbol == "line-mark"}
    assert rings == {"mark-a1", "mark-b2", "mark-c3", "mark-d4"}
    assert SCENE.breakdown(s, "ja") == [("四つ並べ", GAME.scores(s))]


def test_pictures_for_the_guide() -> None:
    for make in SCENE.PICTURES.values():
        assert SCENE.scene(make(), 0, "en", "wide").sprites
