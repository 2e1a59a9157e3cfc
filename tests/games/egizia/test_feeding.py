"""Egizia: mining, feeding and the two markets, with the figures of the rule specification."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.games.egizia.rules import components, nile, tracks
from perankh.games.egizia.rules.state import Phase
from perankh.testing import clause

from .positions import A, B, C, actor, at_phase, card, cards, feeding, legal, mask, play, position, step

GRAIN, STONE = 0, 1
FIELDS = "N12-08 N12-10"  # yellow 5, red 7, besides the starter of 6
CREWS = (3, 2, 2, 4)  # need 11


def fed(market: int, **facts: Any) -> Any:
    """A at feeding with the fields and crews of the example; B, who follows, has no surplus to sell."""
    held = facts.pop("held", "")
    columns = (3, 0) if facts.pop("g1", False) else (0, 0)
    improved = facts.pop("improved", "")
    s = position(2, held={A: f"{FIELDS} {held}"}, strength={A: CREWS}, market={A: (market, 1)}, columns=columns, **facts)
    if improved:
        s.held[A] |= mask("N12-13")
        nile.attach(s, A, card("N12-13"), card(improved))
    return at_phase(s, Phase.FEEDING)


def most_sold(s: Any) -> Any:
    """Sell as much as possible."""
    if s.phase == Phase.FEEDING and step(s) == "sell" and actor(s) == A:
        play(s, legal(s)[-1])
    return s


# --- Mining ---------------------------------------------------------------------------------------------------------


@clause("EGZ-M1")
def test_quarries_give_stones_up_to_the_store() -> None:
    s = position(3, held={A: "N12-01 N12-04", B: "N12-02"}, stones=(20, 3, 4))
    assert nile.stone_production(s, A) == 3 + 3 + 2
    play(s, "pass pass pass")
    assert s.stones[:3] == [25, 9, 7]


# --- Feeding --------------------------------------------------------------------------------------------------------


@clause("EGZ-F1")
def test_players_feed_in_turn_order() -> None:
    s = feeding(3, order="CAB", held={A: "N12-20", B: "N34-19", C: "N5-10"})
    seen = []
    for _ in range(3):
        seen.append(actor(s))
        play(s, "none")
    assert seen == [C, A, B]


@clause("EGZ-F2", "EGZ-F3", "EGZ-F5", "EGZ-F7", "EGZ-F8")
@pytest.mark.parametrize(
    ("facts", "harvest", "result"),
    [
        ({"ring": 1}, 6, (-15, -10, -10, -5, -5)),
        ({"ring": 2}, 11, (0, 0, 0, 0, 0)),
        ({"ring": 3}, 18, (0, 0, 2, 2, 2)),
        ({"ring": 1, "g1": True}, 8, (-9, -6, -6, -3, -3)),
        ({"ring": 2, "g1": True}, 15, (0, 0, 1, 1, 1)),
        ({"ring": 3, "g1": True}, 24, (0, 0, 4, 4, 4)),
        ({"ring": 2, "held": "N12-20"}, 15, (0, 0, 1, 1, 1)),
        ({"ring": 1, "held": "N12-15", "stones": (3, 0)}, 6, (-6, -4, -4, -2, -2)),
        ({"ring": 1, "improved": "N12-08"}, 11, (0, 0, 0, 0, 0)),
        ({"ring": 2, "improved": "N12-10"}, 18, (0, 0, 2, 2, 2)),
    ],
)
def test_harvest_and_result_on_each_grain_market(facts: dict[str, Any], harvest: int, result: tuple[int, ...]) -> None:
    for market, expected in enumerate(result, start=1):
        s = fed(market, **facts)
        if step(s) == "grain":
            play(s, "N12-20")
        if step(s) == "feed":
            play(s, "feed3")
            assert s.stones[A] == 0
        most_sold(s)
        assert s.vp[A] == expected, market
    colours = {1: 1, 2: 2, 3: 3}[facts["ring"]]
    s = position(2, held={A: FIELDS}, columns=(3, 0) if facts.get("g1") else (0, 0))
    if facts.get("improved"):
        s.held[A] |= mask("N12-13")
        nile.attach(s, A, card("N12-13"), card(facts["improved"]))
    assert nile.grain_of(s, A, colours) + (4 if facts.get("held") == "N12-20" else 0) == harvest


@clause("EGZ-F4", "EGZ-F9")
def test_grain_cards_are_played_one_at_a_time_and_are_no_production() -> None:
    for name, grain in (("N12-20", 4), ("N34-19", 6), ("N5-10", 8)):
        s = fed(3, ring=2, held=name)
        assert legal(s) == ["none", name]
        play(s, name)
        assert (s.harvest if s.phase == Phase.FEEDING and actor(s) == A else 11 + grain) == 11 + grain
        most_sold(s)
        assert s.vp[A] == grain // 3
    s = fed(3, ring=1, held="N12-20 N34-19 N5-10")
    assert legal(s) == ["none", "N12-20", "N34-19", "N5-10"]
    play(s, "N34-19")
    assert legal(s) == ["none", "N12-20", "N5-10"]
    play(s, "none")
    assert (cards(s.held[A] & mask("N12-20 N34-19 N5-10")), s.vp[A]) == (["N12-20", "N5-10"], 0)
    for ring in (1, 2, 3):
        s = position(2, held={A: f"{FIELDS} N12-20"}, ring=ring)
        assert nile.grain_of(s, A, 3) == 18
        s.columns[A] = 3
        assert nile.grain_of(s, A, 3) == 24


@clause("EGZ-F6")
def test_stones_replace_missing_grain_and_make_no_surplus() -> None:
    s = fed(1, ring=1, held="N12-15", stones=(9, 0))
    assert (step(s), legal(s)) == ("feed", [f"feed{n}" for n in range(6)])
    play(s, "feed5")
    assert (s.stones[A], s.vp[A], cards(s.held[A])[-1]) == (4, 0, "N12-15")
    s = fed(1, ring=1, held="N12-15", stones=(2, 0))
    assert legal(s) == ["feed0", "feed1", "feed2"]
    assert fed(1, ring=2, held="N12-15", stones=(9, 0)).phase != Phase.FEEDING  # no shortage, no question
    assert fed(1, ring=1, held="N12-15", stones=(0, 0)).vp[A] == -15
    assert fed(1, ring=1, stones=(9, 0)).vp[A] == -15


@clause("EGZ-F7")
def test_vp_may_become_negative() -> None:
    s = feeding(strength={A: (9, 9, 9, 9)}, vp=(3, 0), ring=1)
    assert s.vp[A] == 3 - 30 * 3


@clause("EGZ-F8")
def test_surplus_is_sold_by_choice_or_by_option_always() -> None:
    s = fed(3, ring=3)
    assert (step(s), legal(s)) == ("sell", ["sell0", "sell1", "sell2"])
    assert play(s, "sell1").vp[A] == 1
    assert play(fed(3, ring=3), "sell0").vp[A] == 0
    assert fed(3, ring=3, surplus_sale="automatic").vp[A] == 2
    assert fed(2, ring=3, surplus_sale="automatic").vp[A] == 0


# --- Markets --------------------------------------------------------------------------------------------------------


@clause("EGZ-K1", "EGZ-K2", "EGZ-K3", "EGZ-K6")
@pytest.mark.parametrize(
    ("start", "steps", "space", "stones"),
    [(4, 2, 5, 6), (1, 2, 3, 2), (1, 1, 2, 0), (2, 1, 3, 2), (3, 1, 4, 0), (4, 1, 5, 3), (3, 2, 5, 3), (5, 1, 5, 3)],
)
def test_the_stone_market_gives_stones(start: int, steps: int, space: int, stones: int) -> None:
    s = position(3, market={A: (1, start), B: (1, 3)}, stones=(0, 0, 0))
    tracks.move_market(s, A, STONE, steps)
    assert (s.market[A][STONE], s.stones[A], s.market[B]) == (space, stones, [1, 3])


@clause("EGZ-K3", "EGZ-L1")
def test_g2_pays_six_stones_beyond_the_top() -> None:
    s = position(3, bonus="G2 G7", columns=(3, 2, 0), market={A: (1, 5), B: (1, 5)}, stones=(0, 0, 0))
    tracks.move_market(s, A, STONE, 2)
    tracks.move_market(s, B, STONE, 2)
    assert s.stones[:2] == [12, 6]


@clause("EGZ-K2")
def test_a_stone_market_of_four_spaces() -> None:
    s = position(3, market={A: (1, 2)}, stones=(0, 0, 0), stone_market_spaces="4")
    gains = []
    for _ in range(3):
        tracks.move_market(s, A, STONE, 1)
        gains.append((s.market[A][STONE], s.stones[A]))
    assert gains == [(3, 2), (4, 5), (4, 8)]


@clause("EGZ-K4", "EGZ-L1")
@pytest.mark.parametrize(("columns", "vp"), [(0, 2), (3, 4)])
def test_the_grain_market_pays_vp_beyond_the_top(columns: int, vp: int) -> None:
    s = position(3, bonus="G5 G7", columns=(columns, 0, 0), market={A: (4, 1)})
    tracks.move_market(s, A, GRAIN, 2)
    assert (s.market[A][GRAIN], s.vp[A]) == (5, vp)


@clause("EGZ-K5")
def test_grain_moves_before_stone() -> None:
    assert [numbers[0] for _, numbers in components.CARD_EFFECTS[card("N34-14")]] == [GRAIN, STONE]
    assert [numbers[0] for _, numbers in components.TILE_EFFECTS[5]] == [GRAIN, STONE]


@clause("EGZ-K6")
def test_stones_of_the_market_obey_the_store() -> None:
    s = position(3, market={A: (1, 4)}, stones=(23, 0, 0))
    tracks.move_market(s, A, STONE, 1)
    assert (s.market[A][STONE], s.stones[A]) == (5, 25)
    s = position(3, market={A: (1, 5)}, stones=(23, 0, 0))
    tracks.move_market(s, A, STONE, 1)
    assert s.stones[A] == 25


@clause("EGZ-L1")
def test_g1_counts_for_feeding_and_production_from_the_moment_of_gain() -> None:
    s = position(3, columns=(2, 3, 0), held={A: "N12-06", B: "N12-06"})
    assert (nile.grain_of(s, A, 1), nile.grain_of(s, B, 1)) == (9, 13)
    s.columns[A] = 3
    assert nile.grain_of(s, A, 1) == 13
