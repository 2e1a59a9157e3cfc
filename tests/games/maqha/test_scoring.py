"""Maqha: points, places and accidents, with the figures of the rule specification."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.games.maqha.rules.state import Ending
from perankh.testing import clause

from .positions import GAME, cards, finished, laid_out, legal, new, order, play, put, step

EASY = ("345", "234", "123")
FIVE = "coin1 ankh1 anubis1 coin2 ankh2"


def result(s: Any) -> tuple[list[int], list[int]]:
    """Points and places."""
    return GAME.scores(s), GAME.ranks(s)


# --- The tables of the specification --------------------------------------------------------------------------


@clause("MAQ-V2", "MAQ-V3", "MAQ-V4", "MAQ-V7")
def test_ba_spills_and_dedun_wins() -> None:
    hands = ("coin1 ankh1 anubis3", "coin3 ankh2 anubis1", "coin2 coin1", "anubis2 ankh1 coin1")
    assert result(finished(*hands, spiller=1, last="3:anubis2")) == ([6, 7, 3, 7], [2, 4, 3, 1])


@clause("MAQ-V4", "MAQ-V8")
def test_ties_go_to_more_cards_and_the_spiller_may_own_the_last_lot() -> None:
    hands = ("anubis3 coin1", "coin1", "coin1 coin1 ankh1 ankh1")
    assert result(finished(*hands, spiller=1, last="1:coin1")) == ([4, 2, 4], [2, 3, 1])


@clause("MAQ-V5", "MAQ-V8")
def test_ties_may_be_shared_at_once() -> None:
    hands = ("coin2 ankh1 coin1", "", "anubis2 ankh1")
    assert result(finished(*hands, spiller=1, last="2:ankh1")) == ([4, 0, 4], [1, 3, 2])
    assert result(finished(*hands, spiller=1, last="2:ankh1", tie_cards=False)) == ([4, 0, 4], [1, 3, 1])


@clause("MAQ-V3", "MAQ-V4", "MAQ-V5", "MAQ-V8")
def test_a_carried_lot_doubles_as_a_whole_but_not_its_set() -> None:
    s = finished("coin1 anubis2 ankh1", "coin3 anubis3 ankh2", "", spiller=2, last="0:coin1 anubis2 ankh1")
    assert result(s) == ([9, 9, 0], [1, 1, 3])


@clause("MAQ-V3", "MAQ-V6")
def test_without_a_spill_nothing_doubles_unless_the_option_says_so() -> None:
    hands = (
        "coin1 coin1 coin1 anubis1 anubis1 ankh3 ankh1",
        "coin3 coin2 anubis1 anubis1 anubis1 ankh1 ankh1",
        "coin1 coin1 anubis3 anubis2 ankh2 ankh1 ankh1",
    )
    s = finished(*hands, spiller=-1, last="0:ankh3", over=Ending.NO_SPILL)
    assert result(s) == ([11, 12, 13], [3, 2, 1])
    s = finished(*hands, spiller=-1, last="0:ankh3", over=Ending.NO_SPILL, double_without_spill=True)
    assert result(s) == ([14, 12, 13], [1, 3, 2])


@clause("MAQ-V4", "MAQ-V7", "MAQ-V8")
def test_a_spill_with_the_first_throw() -> None:
    s = laid_out(FIVE, 4, spills=True)
    order(s, "512", "234", "345", "423")
    play(s, "throw")
    assert result(s) == ([0, 0, 0, 0], [4, 1, 1, 1])


@clause("MAQ-P6", "MAQ-V4")
def test_a_proxy_banks_and_another_spills() -> None:
    s = laid_out("anubis3 coin1 ankh1 coin2 ankh2", 4)
    order(s, "523", "254", "342", "431")  # A to seat 0, B to seat 1
    play(s, "pass")
    play(s, "stay", 1)
    play(s, "raise0", 2)
    play(s, "stay", 3)
    play(s, "all")
    s.vcrit = 0
    assert s.thrower == 1
    play(s, "throw")
    assert result(s) == ([0, 0, 6, 0], [2, 4, 1, 2])


# --- One by one -----------------------------------------------------------------------------------------------


@clause("MAQ-V1")
def test_only_banked_cards_count() -> None:
    s = finished("coin1", "ankh1", "", spiller=2)
    for card, there in zip(cards("coin3 ankh3 anubis3 anubis2"), (s.failed, s.carried, s.aside, s.lot[0]), strict=True):
        put(s, card, there)
    assert GAME.scores(s) == [1, 1, 0]


@clause("MAQ-V2")
def test_each_card_gives_its_points() -> None:
    for name, points in (("coin1", 1), ("coin2", 2), ("coin3", 3), ("ankh2", 2), ("anubis3", 3)):
        assert GAME.scores(finished(name, "", "", spiller=1)) == [points, 0, 0]


@clause("MAQ-V3")
@pytest.mark.parametrize(
    ("hand", "points"), [("coin1 ankh1", 2), ("coin1 ankh1 anubis1", 4), ("coin3 ankh1 anubis1 coin2 ankh2 anubis2", 13)]
)
def test_sets(hand: str, points: int) -> None:
    assert GAME.scores(finished(hand, "", "", spiller=1))[0] == points


@clause("MAQ-V4")
def test_a_lot_of_an_earlier_round_doubles_too() -> None:
    s = laid_out(FIVE)
    order(s, *EASY)
    while step(s) in ("decide", "release"):
        play(s, "throw" if step(s) == "decide" else "all")
    order(s, "1", "1", "4")  # D to seat 2, E to seat 0
    while step(s) in ("decide", "release"):
        play(s, "throw" if step(s) == "decide" else "all")
    assert GAME.scores(s) == [6, 0, 2]
    assert (s.dealt, s.eye) == (10, 1)
    order(s, "345", "E23", "123")
    s.vcrit = 0
    while not s.over:
        play(s, legal(s).split()[0])
    assert s.spiller == 1
    assert GAME.scores(s) == [8, 0, 2]  # ankh 2, banked last in the first round


@clause("MAQ-V7", "MAQ-V8")
def test_the_spiller_is_last_whatever_the_points() -> None:
    s = finished("coin3 ankh3 anubis3", "coin1", "", "coin1", spiller=0)
    assert result(s) == ([10, 1, 0, 1], [4, 1, 3, 1])


# --- Accidents ------------------------------------------------------------------------------------------------


@clause("MAQ-X1")
def test_with_a_real_vessel_the_outcome_is_entered() -> None:
    s = laid_out("coin2 ankh1 anubis1 coin1 ankh2", real_vessel=True)
    assert (new(3, real_vessel=True).readings, new(3, real_vessel=True).vcrit) == (0, 0)
    accidents = "accident0 accident1 accident2 accident-nobody"
    assert legal(s, 0) == f"bid1 bid2 bid3 bid4 bid5 {accidents}"
    order(s, *EASY)
    play(s, "throw")
    assert legal(s) == f"held spilled {accidents}"
    play(s, "held")
    assert (GAME.scores(s), s.inside) == ([2, 0, 0], [2, 0, 0])
    play(s, "throw spilled")
    assert (GAME.ending(s), s.spiller) == ("spill", 0)
    assert result(s) == ([4, 0, 0], [3, 1, 1])


@clause("MAQ-X1")
def test_accidents_double_the_last_lot_with_and_without_a_culprit() -> None:
    for code, ranks in (("accident0", [3, 1, 1]), ("accident1", [1, 3, 2]), ("accident-nobody", [1, 2, 2])):
        s = laid_out("coin2 ankh1 anubis1 coin1 ankh2", real_vessel=True)
        order(s, *EASY)
        play(s, "throw held pass")
        play(s, "stay", 1)
        play(s, code, 2)
        assert (GAME.ending(s), s.over) == ("accident", Ending.ACCIDENT)
        assert result(s) == ([4, 0, 0], ranks)
        assert s.answer == [0] * 4  # answers that were not shown stay unknown


@clause("MAQ-X1")
def test_accidents_and_outcomes_in_the_classic_rules() -> None:
    s = new(3, rules="classic", real_vessel=True, start_player=0)
    play(s, "drop3")
    assert legal(s) == "held spilled accident0 accident1 accident2 accident-nobody"
    play(s, "held")
    assert (s.thrower, s.supply[0]) == (1, 7)
    t = s.copy()
    play(t, "drop1 spilled")
    assert (t.spiller, GAME.ranks(t)) == (1, [1, 3, 1])
    t = play(s.copy(), "accident2")
    assert (GAME.ending(t), GAME.ranks(t)) == ("accident", [1, 1, 3])
    t = play(s.copy(), "accident-nobody")
    assert GAME.ranks(t) == [1, 1, 1]
    assert "held" not in legal(new(2))
    assert "accident" not in legal(new(2))
