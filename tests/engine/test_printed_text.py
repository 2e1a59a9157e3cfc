"""Texts that name printed numbers, and what an edition changes in guides, cards, lessons and boards."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.engine.editions import Edition
from perankh.engine.game import Game, game_with, get_game
from perankh.engine.illustrations import PARTS
from perankh.engine.printed_text import RECONSTRUCTED, fill
from perankh.engine.words import LANGUAGES
from perankh.errors import BadGame
from perankh.scene import draw

IMHOTEP = get_game("imhotep")
# A number of each game that its board, its guide, its card and its lesson show, and another one.
CHANGES: dict[str, tuple[str, Any]] = {
    "imhotep": ("sled.spaces", 6),
    "mural": ("track_points.standard.miss.row", [4, 3, 2, 1]),
    "cleocatra": ("end.score", 21),
    "egizia": ("cooperation.vp", [0, 0, 3, 7]),
    "maqha": ("scoring.set_bonus", 2),
}
UNDRAWN = ("egizia",)  # the number is drawn at no start of a match, but counted at its end


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The sled holds {sled.spaces}.", "The sled holds 5."),
        ("{sled.spaces:word} spaces", "five spaces"),
        ("{sled.spaces:Word} spaces", "Five spaces"),
        ("{stones.per_colour - stones.score_markers} stones", "29 stones"),
        ("{card_points.blue:point|points}, {wrath.points:point|points}", "1 point, 5 points"),
        ("{quarry.fetch:word stone|stones}", "three stones"),
        ("{listed(burial_b.places)}", "8, 4, 2 and 1"),
        ("{joined(obelisk_b.slots[0:3], '/')}", "10/9/8"),
        ("{round_cards.two['R2-1'][0]} of {len(round_cards.two)}", "4 of 7"),
        ("{'25'}", "25"),
        ("{sled.spaces / 2}", "2.5"),
        ("A heading {#name}", "A heading {#name}"),
    ],
)
def test_blanks_are_filled(text: str, shown: str) -> None:
    assert fill(IMHOTEP, text, "en") == shown


@pytest.mark.parametrize(
    "blank",
    ["{sled}", "{sled.wheels}", "{nothing}", "{sled.start[9]}", "{sled.start}", "{1 +}", "{open('x')}", "{sled.spaces ** 99}"],
)
def test_what_names_no_number_is_refused(blank: str) -> None:
    with pytest.raises(BadGame, match="names no printed number"):
        fill(IMHOTEP, blank, "en")


def test_reconstructed_numbers_are_marked_until_a_box_says_otherwise() -> None:
    begin, end = RECONSTRUCTED
    assert fill(IMHOTEP, "{burial_b.places[0]} {sled.spaces}", "en", mark=True) == f"{begin}8{end} 5"
    corrected = game_with(IMHOTEP, Edition("Mine", {"burial_b.places": [9, 4, 2, 1]}))
    assert fill(corrected, "{burial_b.places[0]}", "en", mark=True) == "9"


def texts_of(game: Game, lang: str) -> dict[str, str]:
    """All that players read of the rules."""
    assert game.card
    assert game.lesson
    card = [fill(game, line, lang) for part in PARTS for line in game.card.parts[part][lang]]
    guide = fill(game, (game.folder / f"guide.{lang}.md").read_text("utf-8"), lang)
    return {"guide": guide, "card": "\n".join(card), "lesson": "\n".join(step.text[lang] for step in game.lesson.steps)}


def start_of(game: Game) -> str:
    """The board at the start of a match."""
    state = game.new_state(game.box.players, 1, game.box.options)
    return draw(game.drawing.scene(game.veiled(state, 0), 0, "en", "wide"), game.art)


@pytest.mark.parametrize("name", CHANGES)
def test_a_corrected_number_changes_guide_card_lesson_and_board(name: str) -> None:
    entry, value = CHANGES[name]
    base = get_game(name)
    edition = game_with(base, Edition("Mine", {entry: value}))
    for lang in LANGUAGES:
        before, after = texts_of(base, lang), texts_of(edition, lang)
        assert [part for part in before if before[part] == after[part]] == []
    assert (start_of(base) == start_of(edition)) == (name in UNDRAWN)
