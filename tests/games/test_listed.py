"""Boards beside which the players are listed: what the page says is not said again, and pictures without a page are complete."""

from __future__ import annotations

import random
import re

import pytest

from perankh.engine.words import seats_called
from perankh.match import Match
from perankh.scene import SHAPES, Sprite
from perankh.web.catalog import offered_games

SAID_BESIDE = re.compile(r"(bar|headline|doing|score|points|rank-n|result)(-|$)")
POINTS = re.compile(r"(score|points)-\d$")


def drawn(match: Match, shape: str, listed: bool) -> tuple[dict[str, Sprite], float]:
    """The sprites that seat 0 sees, and the height of the scene."""
    with seats_called((), listed=listed):
        scene = match.game.drawing.scene(match.game.veiled(match.state, 0), 0, "en", shape)
    return {sprite.id: sprite for sprite in scene.sprites}, scene.height


@pytest.mark.parametrize("game", sorted(offered_games()))
def test_what_the_page_says_is_not_drawn_and_pictures_alone_are_complete(game: str) -> None:
    match, chance = Match(game, 3, seed=5), random.Random(5)
    while True:
        if match.over or len(match.played) % 40 == 0:
            for shape in SHAPES:
                (whole, high), (beside, low) = drawn(match, shape, False), drawn(match, shape, True)
                assert [name for name in beside if SAID_BESIDE.match(name)] == []
                assert len([name for name in whole if POINTS.match(name)]) == 3
                assert {"bar", "headline"} & whole.keys()
                assert low <= high
                kept = {name for name, sprite in whole.items() if sprite.alt and not SAID_BESIDE.match(name)}
                assert kept <= beside.keys()
        if match.over:
            return
        match.play(chance.choice(match.moves()))
