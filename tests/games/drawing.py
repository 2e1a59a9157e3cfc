"""What the tests of drawn tables share: where sprites lie, and what every scene keeps to."""

from __future__ import annotations

from pathlib import Path

from perankh.scene import PALETTE, SHAPES, Scene, Sprite, symbols_of
from perankh.scene.layout import SMALLEST, Box, length
from perankh.scene.svg import SHARED


def by_id(scene: Scene) -> dict[str, Sprite]:
    return {sprite.id: sprite for sprite in scene.sprites}


def box_of(sprite: Sprite) -> Box:
    """The room a sprite takes, symbol and text."""
    left = right = sprite.width / 2
    up = max(sprite.height, sprite.size if sprite.text else 0) / 2
    if sprite.text:
        long = length(sprite.text, sprite.size, sprite.bold)
        left = max(left, {"start": 0, "middle": long / 2, "end": long}[sprite.align])
        right = max(right, {"start": long, "middle": long / 2, "end": 0}[sprite.align])
    return Box(sprite.x - left, sprite.y - up, left + right, 2 * up)


def within(inner: Box, outer: Box, slack: float = 0.01) -> bool:
    return (
        inner.x >= outer.x - slack
        and inner.y >= outer.y - slack
        and inner.right <= outer.right + slack
        and inner.bottom <= outer.bottom + slack
    )


def check_sprites(scene: Scene, shape: str, art: Path, where: object = "") -> None:
    """Sprites have ids of their own, known symbols and colours and legible texts, and lie in the scene."""
    symbols = symbols_of(SHARED) | symbols_of(art)
    assert scene.width == SHAPES[shape], where
    assert scene.title, where
    assert len(by_id(scene)) == len(scene.sprites), where
    for sprite in scene.sprites:
        assert sprite.symbol or sprite.text, (sprite, where)
        assert not sprite.symbol or sprite.symbol in symbols, (sprite, where)
        assert {sprite.colour or "ink", sprite.ink} <= set(PALETTE), (sprite, where)
        assert not sprite.text or sprite.size >= SMALLEST, (sprite, where)
        assert within(box_of(sprite), Box(0, 0, scene.width, scene.height)), (sprite, where)
