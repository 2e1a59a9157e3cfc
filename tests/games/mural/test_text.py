"""Prompts, sentences and refusals of Nile Mural."""

from __future__ import annotations

import pytest

from perankh.engine.words import LANGUAGES
from perankh.games.mural.rules.actions import DRAW, STOP
from perankh.games.mural.rules.state import State

from .positions import MURAL, choices, do, draw, table


def prompt(s: State, viewer: int = 0, lang: str = "en") -> str:
    return MURAL.text.prompt(MURAL.veiled(s, viewer), s.turn, lang)


def sentences(s: State) -> list[str]:
    return [MURAL.text.sentence(MURAL.veiled(s, s.turn), s.turn, a, "en") for a in choices(s)]


def test_the_prompt_names_the_shadow_only_where_there_is_one() -> None:
    s = table(2, hands={0: [25, 90, 9]})
    assert prompt(s) == "Red: place the first card of the turn."
    do(s, 25)
    assert prompt(s) == "Red: place card number 2, or stop (below and to the right of 25 is shadow)."
    for card in (90, 9):
        s = do(table(2, hands={0: [card]}), card)
        assert prompt(s) == f"Red: place card number 2, or stop ({card:02} casts no shadow)."


def test_the_prompt_says_when_stopping_is_the_only_choice() -> None:
    s = do(table(2, hands={0: [10, 0, 99], 1: [55]}, deck=[]), 10, 0)
    assert choices(s) == [STOP]
    assert prompt(s) == "Red: no card can be placed, so you must stop."
    assert "or stop" in prompt(s, viewer=1)  # who does not see the hand does not know it
    s = do(table(2, hands={0: [10, 0, 5]}, deck=[]), 10, 0)
    assert "or stop" in prompt(s)


@pytest.mark.parametrize(
    ("row", "deck", "source"), [([], [1, 2], "the deck"), ([3], [], "the row"), ([3], [1], "the deck or the row")]
)
def test_the_prompt_names_where_a_card_can_be_taken_from(row: list[int], deck: list[int], source: str) -> None:
    s = do(table(2, hands={0: [22], 1: [55]}, row=row, deck=deck), 22)
    assert prompt(s) == f"Red: the ankh gives a card; take it from {source}."
    assert MURAL.text.refusal(s, 0, STOP, "en") == f"A card must be taken first, from {source}."
    s = do(table(2, hands={0: [25], 1: [55]}, row=row, deck=deck), 25, STOP)
    assert prompt(s) == f"Red: combo bonus; take from {source} (cards still to take: 1)."


def test_sentences_tell_the_source_the_risk_and_the_bonus() -> None:
    s = do(table(2, hands={0: [88, 70]}, row=[60], wall=list(range(50))), 88)
    assert sentences(s) == [
        "Place 60 from the row",
        "Place 70 from your hand",
        "Turn over the top card of the deck and place it (1 of 47 unseen cards would miss)",
        "Stop here with 1 placed: take 1 card",
    ]
    do(s, STOP)
    assert sentences(s) == ["Take 60 from the row into your hand", "Take the top card of the deck into your hand"]


def test_refusals_say_why() -> None:
    s = do(table(2, hands={0: [25, 37], 1: [55]}, deck=[50, 51]), 25)
    reasons = {37: "shadow of 25", 0: "on the wall", 55: "neither in your hand nor in the row"}
    for a, reason in reasons.items():
        assert reason in MURAL.text.refusal(MURAL.veiled(s, 0), 0, a, "en")
    draw(s, 50)
    do(s, STOP)
    assert "cannot be passed" in MURAL.text.refusal(s, 1, STOP, "en")
    s = do(table(2, hands={0: [25]}, row=[5], deck=[]), 25)
    assert "deck is empty" in MURAL.text.refusal(s, 0, DRAW, "en")
    do(s, STOP)
    assert "cannot be taken" in MURAL.text.refusal(do(table(2, hands={0: [22, 5]}), 22), 0, 5, "en")


def test_japanese_uses_the_words_of_the_rulebook() -> None:
    texts = {key: text["ja"] for key, text in MURAL.words.texts.items()}
    for word in ("報酬", "もらう", "歩数", "シート", "アンクのカード", "得点", "最初の手番", "自然に"):
        assert not any(word in text for text in texts.values()), word
    assert all(text.endswith(("ません。", "ください。", "います。")) for key, text in texts.items() if key.startswith("no."))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_board_shows_hands_as_far_as_they_are_known(lang: str) -> None:
    s = table(2, hands={0: [11], 1: [73, 37]}, opened={1: [45]})
    lines = MURAL.text.board(MURAL.veiled(s, 0), 0, lang).splitlines()
    assert lines[-3].endswith("11")
    assert lines[-2].endswith("45 ?? ??")
