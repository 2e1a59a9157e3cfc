"""Long names of players fit into the drawn tables of all games."""

from __future__ import annotations

import random

import pytest

from perankh.engine.game import get_game
from perankh.engine.words import seats_called
from perankh.match import Match
from perankh.scene import SHAPES, Sprite
from perankh.scene.layout import length
from perankh.web.catalog import offered_games

NAMES = ["Nefertari Meritmut of the Great House", "ネフェルタリ・メリトムト・大いなる王妃", "Anchesenamun", "ホリ"]


def frame(sprite: Sprite) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of a sprite: of its symbol, or of its text."""
    wide, high = sprite.width, sprite.height
    if not sprite.symbol:
        wide, high = length(sprite.text, sprite.size, sprite.bold), sprite.size * 0.7
    left = sprite.x - wide / 2
    if not sprite.symbol and sprite.align != "middle":
        left = sprite.x - (wide if sprite.align == "end" else 0)
    return left, sprite.y - high / 2, left + wide, sprite.y + high / 2


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", sorted(offered_games()))
def test_long_names_cover_nothing(name: str, lang: str, shape: str) -> None:
    game = get_game(name)
    for players in (2, 4):
        match = Match(name, players, seed=3)
        chance = random.Random(3)
        for _ in range(40):
            if not match.over:
                match.play(chance.choice(match.moves()))
        for viewer in (0, 1):
            with seats_called(NAMES[:players]):
                scene = game.drawing.scene(game.veiled(match.state, viewer), viewer, lang, shape)
            found = [sprite for sprite in scene.sprites if sprite.id.startswith("name-")]
            assert len(found) == players
            for shown in found:
                left, top, right, bottom = frame(shown)
                for other in scene.sprites:
                    x, y, x2, y2 = frame(other)
                    around = x <= left and right <= x2 and y <= top and bottom <= y2
                    if other.id == shown.id or around or not (other.symbol or other.text):
                        continue
                    over = min(right, x2) - max(left, x), min(bottom, y2) - max(top, y)
                    assert min(over) <= 1, (shown.text, other.id)
