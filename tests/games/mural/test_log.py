"""What the log of Nile Mural tells: what happened, once, and nothing that did not happen."""

from __future__ import annotations

import random

import pytest

from perankh.engine.words import LANGUAGES
from perankh.games.mural.rules.actions import DRAW, STOP
from perankh.games.mural.rules.state import State, Step
from perankh.testing import clause

from .positions import MURAL, choices, do, draw, hand, log, next_from_deck, table

NINE = [90, 80, 70, 60, 50, 30, 20, 10, 0]  # cards that can be placed in this order


def test_where_a_card_came_from() -> None:
    s = table(2, hands={0: [70]}, row=[60])
    assert log(s, 70) == ["Red places 70 from the hand."]
    assert log(s, 60) == ["Red places 60 from the row."]
    next_from_deck(s, 50)
    assert log(s, DRAW) == ["Red turns over 50 and places it."]


@clause("MUR-M1", "MUR-M3")
def test_a_miss_is_told_with_the_shadow_and_the_marker() -> None:
    s = draw(table(2), 25)
    next_from_deck(s, 37)
    line = "Red turns over 37, which lies in the shadow of 25: a miss. The Miss marker goes to -1, and the turn is over."
    assert log(s, DRAW) == [line]


@clause("MUR-S6")
def test_only_the_taker_reads_which_card_came_from_the_deck() -> None:
    for viewer, line in (
        (0, "Red takes 62 from the deck."),
        (1, "Red takes a card from the deck."),
        (-1, "Red takes a card from the deck."),
    ):
        s = do(table(2, hands={0: [22]}), 22)
        next_from_deck(s, 62)
        assert log(s, DRAW, viewer=viewer) == [line]
    s = do(table(2, hands={0: [22]}, row=[5]), 22)
    assert log(s, 5, viewer=1) == ["Red takes 05 from the row."]


@clause("MUR-R4")
def test_an_area_and_an_ankh_are_told_after_the_card() -> None:
    s = table(2, wall=[87, 88, 89, 97, 98], hands={0: [99]})
    assert log(s, 99) == ["Red places 99 from the hand.", "Red completes area M: Area +3.", "The ankh lets Red take a card."]


@clause("MUR-C1", "MUR-C4")
@pytest.mark.parametrize(
    ("count", "deck", "bonus"),
    [
        (1, [41, 42], "take 1 card"),
        (2, [41, 42], "no bonus"),
        (4, [41, 42], "Combo +1, take 1 card"),
        (7, [41, 42], "take 2 cards"),
        (8, [], "Combo +3"),
    ],
)
def test_stopping_tells_the_bonus_there_is(count: int, deck: list[int], bonus: str) -> None:
    s = do(table(2, hands={0: NINE[:count], 1: [99]}, deck=deck), *NINE[:count])
    assert log(s, STOP)[0] == f"Red stops with {count} placed: {bonus}."


@clause("MUR-T8")
def test_the_tenth_card_ends_the_turn() -> None:
    s = do(table(2, hands={0: [*NINE, 1]}), *NINE)
    assert log(s, 1) == ["Red places 01 from the hand.", "Red has placed 10 cards, so the turn ends: Combo +5, take 1 card."]


@clause("MUR-A5")
def test_an_ankh_as_the_tenth_card_takes_first_and_then_ends_the_turn() -> None:
    s = do(table(2, hands={0: [*NINE, 4]}, deck=[88, 89, 91]), *NINE)
    assert log(s, 4) == [
        "Red places 04 from the hand.",
        "Red completes area B: Area +1.",
        "The ankh lets Red take a card.",
    ]
    assert log(s, DRAW) == [
        "Red takes a card from the deck.",
        "Red has placed 10 cards, so the turn ends: Combo +5, take 1 card.",
    ]
    assert log(s, DRAW) == ["Red takes a card from the deck."]


@clause("MUR-C4")
def test_no_cards_are_promised_where_none_are_left() -> None:
    s = do(table(2, hands={0: NINE, 1: [99]}, deck=[1]), *NINE)
    assert log(s, DRAW) == [
        "Red turns over 01 and places it.",
        "Red completes area A: Area +1.",
        "Red has placed 10 cards, so the turn ends: Combo +5.",
        "Red has no cards left and is skipped from now on.",
    ]


@clause("MUR-E1")
def test_without_the_bonus_of_the_last_turn_none_is_told() -> None:
    s = do(table(2, hands={0: [*NINE, 1]}, deck=[], last_turn_bonus=False), *NINE)
    lines = log(s, 1)
    assert lines[0] == "Red places 01 from the hand."
    assert lines[1] == "Red completes area A: Area +1."
    assert lines[2] == "All hundred cards are on the wall."
    assert not any("so the turn ends" in line or "bonus" in line for line in lines)
    assert lines[3] == "Points for Combo: 6 for Red (marker on 0), 6 for Blue (marker on 0)."
    s = do(table(2, hands={0: [*NINE, 1]}, deck=[]), *NINE)
    assert log(s, 1)[2] == "Red has placed 10 cards, so the turn ends: Combo +5."


@clause("MUR-X1", "MUR-X5")
def test_a_player_without_cards_is_named_once() -> None:
    s = table(3, hands={0: [90, 80, 70], 1: [5]}, deck=[99])
    do(s, 90)
    assert log(s, DRAW) == [
        "Red turns over 99 and places it.",
        "Red completes area M: Area +3.",
        "Yellow has no cards left and is skipped from now on.",
    ]
    assert log(s, STOP) == ["Red stops with 2 placed: no bonus."]
    assert log(s, 5, STOP) == [
        "Blue places 05 from the hand.",
        "Blue completes area B: Area +1.",
        "Blue stops with 1 placed: no bonus.",
        "Blue has no cards left and is skipped from now on.",
    ]
    assert log(s, 80, STOP)[-1] == "Red stops with 1 placed: no bonus."  # and nobody is named again
    assert s.turn == 0


@clause("MUR-X1")
def test_a_player_without_cards_is_named_when_the_last_card_is_taken() -> None:
    s = do(table(3, hands={0: [90], 1: [5]}, deck=[99]), 90)
    assert log(s, STOP, DRAW) == [
        "Red stops with 1 placed: take 1 card.",
        "Red takes a card from the deck.",
        "Yellow has no cards left and is skipped from now on.",
    ]


def final(players: int, *tracks: list[int]) -> list[str]:
    """The lines that tell the end of a game with these markers; seat 0 places the last card."""
    s = do(table(players, hands={0: [35]}, deck=[], area_map="regular"), 35)
    s.track = [row + [0] * (4 - players) for row in tracks]
    return log(s, STOP)


@clause("MUR-E3", "MUR-E5")
def test_the_end_tells_the_points_of_each_track_and_the_winner() -> None:
    assert final(4, [10, 9, 9, 8], [6, 9, 4, 5], [-2, -1, 0, -1]) == [
        "Red stops with 1 placed: no bonus.",
        "All hundred cards are on the wall.",
        "Points for Combo: 6 for Red (marker on 10), 4 for Blue (marker on 9), "
        "4 for Yellow (marker on 9), 0 for Black (marker on 8).",
        "Points for Area: 6 for Blue (marker on 9), 4 for Red (marker on 6), "
        "2 for Black (marker on 5), 0 for Yellow (marker on 4).",
        "Points for Miss: 3 for Yellow (marker on 0), 2 for Blue (marker on -1), "
        "2 for Black (marker on -1), 0 for Red (marker on -2).",
        "Blue wins with 12 points.",
    ]


@clause("MUR-E7")
def test_a_tie_is_told_with_the_sums_that_break_it() -> None:
    assert final(2, [12, 8], [11, 13], [-1, -1])[-2:] == [
        "Red and Blue have 13 points each. The sum of the three markers decides: 22 for Red, 20 for Blue.",
        "Red wins with 13 points.",
    ]
    assert final(2, [10, 8], [11, 13], [-1, -1])[-2:] == [
        "Red and Blue have 13 points each. The sum of the three markers decides: 20 for Red, 20 for Blue.",
        "Red and Blue share the win with 13 points each.",
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_line_is_a_sentence(players: int, lang: str) -> None:
    s = MURAL.new_state(players, players)
    assert isinstance(s, State)
    chance = random.Random(players)
    skipped = []
    while s.step != Step.OVER:
        lines = log(s, chance.choice(choices(s)), lang=lang)
        skipped += [line for line in lines if "skipped" in line or "飛ばされる" in line]
        assert lines
        assert all(line.endswith("." if lang == "en" else "。") and "\n" not in line for line in lines)
        assert lang == "ja" or all(line[0].isupper() for line in lines)
    assert len(set(skipped)) == len(skipped) < players
    assert not any(hand(s, p) for p in range(players))
