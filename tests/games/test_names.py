"""Long names of players fit into the drawn tables of all games, and names that end in a digit stay apart from numbers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

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


NUMBERED = ["Ani 7", "気まぐれな書記の弟子8", "Teti Merneferre 79", "ホリ7"]
NAMES_WITH_DIGITS = f"({'|'.join(map(re.escape, NUMBERED))})"


def texts_of(match: Match, viewer: int, lang: str) -> Iterator[str]:
    """What a viewer reads at the position of a match: the drawn board, what is asked and what can be chosen."""
    game = match.game
    seen = game.veiled(match.state, viewer)
    for sprite in game.drawing.scene(seen, viewer, lang, "wide").sprites:
        yield sprite.text
        yield sprite.alt
    for p in match.actors:
        yield game.text.prompt(seen, p, lang)
    for move in match.moves() if viewer in match.actors else ():
        yield move.sentence(lang)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", sorted(offered_games()))
def test_a_number_does_not_follow_a_name_that_ends_in_one(name: str, lang: str) -> None:
    """In sentences there is a word or a mark between them, in columns of the text board two blanks or more."""
    for seed in range(4):
        players = 2 + seed % 3
        match = Match(name, players, seed=seed)
        chance = random.Random(seed)
        with seats_called(NUMBERED[:players]):
            while not match.over and match.number < 3000:
                match.play(chance.choice(match.moves()))
                if match.over or chance.random() < 0.05:
                    viewer = chance.randrange(players)
                    for text in texts_of(match, viewer, lang):
                        assert not re.search(NAMES_WITH_DIGITS + r"\s*\d", text), text
                    board = match.game.text.board(match.game.veiled(match.state, viewer), viewer, lang)
                    assert not re.search(NAMES_WITH_DIGITS + r"\s?\d", board), board
            for line in match.log(seed % players, lang):
                assert not re.search(NAMES_WITH_DIGITS + r"\s*\d", line), line
