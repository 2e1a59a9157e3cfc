"""Match files carry the edition they were played with; files of editions carry nothing else."""

from __future__ import annotations

import random

import pytest

from perankh.engine.editions import Edition
from perankh.engine.game import game_named, game_with
from perankh.errors import BadFile
from perankh.match.file import edition_text, parse, parse_edition, sealed, text_of
from perankh.match.match import Match

EDITION = Edition(
    "Aikoの箱", {"turn.first_hand": 2, "track_points.standard.area.row": [9, 4, 2, 0], "ankh_set.standard.source": "box"}
)
GAME = game_with(game_named("mural"), EDITION)


def played() -> Match:
    match, chance = Match(GAME, 2, seed=3), random.Random(1)
    for _ in range(20):
        p = GAME.actors(match.state)[0]
        match.play(chance.choice(GAME.legal(match.state, p)), p)
    return match


def resealed(text: str, old: str, new: str) -> str:
    assert old in text
    return sealed(text.replace(old, new).splitlines()[:-1])


def test_a_match_file_opens_with_its_edition_and_is_refused_without() -> None:
    match = played()
    text = text_of(match)
    assert "edition: Aikoの箱\n" in text
    assert "change turn.first_hand: 2\n" in text
    opened = parse(text)
    assert opened == match
    assert opened.game.edition == EDITION
    kept = [line for line in text.splitlines()[:-1] if not line.startswith(("edition:", "change "))]
    with pytest.raises(BadFile, match="other components of mural than those installed, and does not carry them"):
        parse(sealed(kept))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("first_hand: 2", "first_hand: 3", "than those of its edition Aikoの箱"),
        ("first_hand: 2", "first_hand: 99", r"cannot be played: turn: 99 is not between 0 and 10"),
        ("first_hand: 2", "first_hand: [", "is no value"),
        ("first_hand: 2", "first_hand: {}", "edition: "),
        ("change turn.first_hand: 2\n", "change turn.first_hand: 2\nchange turn.first_hand: 2\n", "is changed twice"),
        ("edition: Aikoの箱", "edition: ", "the name of an edition"),
    ],
)
def test_a_wrong_edition_in_a_match_file_is_refused_with_the_reason(old: str, new: str, reason: str) -> None:
    with pytest.raises(BadFile, match=reason) as caught:
        parse(resealed(text_of(played()), old, new))
    assert "components.toml" not in str(caught.value)


def test_the_file_of_an_edition_is_read_back() -> None:
    text = edition_text(GAME)
    assert parse_edition(text) == ("mural", EDITION)
    for broken in ("", text[:-5], text_of(played()), text.replace("2", "4"), sealed([*text.splitlines()[:-1], "more: 1"])):
        with pytest.raises(BadFile):
            parse_edition(broken)
