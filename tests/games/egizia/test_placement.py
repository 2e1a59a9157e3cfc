"""Egizia: placing ships, Nile cards and tiles, and the abilities used while placing."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.games.egizia.rules import nile
from perankh.games.egizia.rules.state import Action, Phase, Step
from perankh.testing import clause

from .positions import (
    CODES,
    GAME,
    A,
    B,
    C,
    actor,
    building,
    card,
    cards,
    feeding,
    legal,
    mask,
    play,
    position,
    random_games,
    step,
)


def took(name: str, **facts: Any) -> Any:
    """A has just taken a card from C1 in a game of three."""
    rounds = {"N12": 1, "N34": 3, "N5": 5}
    return play(position(3, round=rounds[name.partition("-")[0]], river=name, **facts), "C1")


def on_tile(name: str, players: int = 3, **facts: Any) -> Any:
    """A has just placed a ship on a tile (T1; with two players T3)."""
    names = ["NT4", "NT5", "NT6", "NT7", "NT8"] if players == 2 else ["NT1", "NT2", "NT3", "NT4", "NT5", "NT6", "NT7"]
    row = [name, *(other for other in names if other != name)]
    return play(position(players, round=2, tiles=" ".join(row), **facts), "T1" if players > 2 else "T3")


# --- Turns ----------------------------------------------------------------------------------------------------------


@clause("EGZ-P1")
def test_players_place_one_ship_in_turn_until_all_have_passed() -> None:
    s = position(3, order="BCA")
    play(s, "D1.1")
    assert (actor(s), s.ships[B]) == (C, 7)
    play(s, "pass")
    assert actor(s) == A
    play(s, "D1.2")
    assert actor(s) == B
    play(s, "pass D2.1 D3.1")
    assert s.phase == Phase.BUILDING


@clause("EGZ-P2")
def test_who_has_passed_places_no_more_ships() -> None:
    s = position(3)
    assert legal(s)[0] == "pass"
    play(s, "pass D1.1 D1.2 D2.1 D2.2 D3.1 D3.2")
    assert s.ships[:3] == [8, 5, 5]
    for before, p, _, _ in random_games(2, 3, seed=2):
        if before.step == Step.LOCATION:
            assert before.passed >> p & 1 == 0
            assert before.extra or CODES[GAME.legal(before, p)[0]] == "pass"


@clause("EGZ-P3")
def test_without_ship_or_location_a_player_passes_automatically() -> None:
    s = position(3, ships_per_player=1)
    play(s, "D1.1 D1.2")
    play(s, "D2.1")
    assert s.phase == Phase.BUILDING
    s = position(2, ships={A: "D3.1"})
    assert "pass" in legal(s)
    play(s, "pass")
    s = position(3, ships={B: "D3.1"})
    play(s, "D1.1")
    assert (actor(s), s.passed) == (C, 1 << B)
    # Not with an ability that opens a location.
    s = position(3, round=3, ships={B: "D3.1"}, held={B: "N34-15"})
    play(s, "D1.1")
    assert (actor(s), "C1" in legal(s)) == (B, True)


@clause("EGZ-P4")
def test_ships_go_downstream() -> None:
    s = position(3, ships={A: "D1.1"})
    assert ("C4" in legal(s), "C5" in legal(s)) == (False, True)
    s = position(3, ships={A: "T4"})
    assert legal(s)[1:7] == ["C6", "C7", "C8", "C9", "C10", "T5"]
    for before, p, a, after in random_games(3, 4, seed=5):
        if before.step == Step.LOCATION and a >= Action.PLACE and before.round == after.round:
            assert after.frontier[p] >= before.frontier[p]


@clause("EGZ-P5")
def test_a_card_or_tile_space_holds_one_ship() -> None:
    s = position(3, ships={B: "C5 T4"})
    assert not {"C5", "T4"} & set(legal(s))
    assert {"C4", "T3"} <= set(legal(s))


@clause("EGZ-P6")
def test_a_card_is_taken_at_once_and_the_space_stays_occupied() -> None:
    s = took("N12-01")
    assert (cards(s.held[A]), s.river[0], s.card_ship[0]) == (["N12-01"], 0, 1)
    assert (actor(s), "C1" in legal(s)) == (B, False)


@clause("EGZ-P7")
def test_tiles_are_resolved_from_left_to_right_with_an_optional_ring() -> None:
    s = on_tile("NT7")
    assert (step(s), legal(s)) == ("raise", ["green", "blue", "yellow", "leader"])
    play(s, "blue")
    assert (step(s), legal(s), s.strength[A]) == ("ring", ["ring1", "ring2", "ring3"], [1, 2, 1, 2])
    play(s, "ring2")
    assert (s.ring, actor(s)) == (2, B)


@clause("EGZ-P8")
def test_any_empty_space_of_a_dock_but_one_ship_a_player() -> None:
    s = position(4)
    assert {"D2.1", "D2.2", "D2.3"} <= set(legal(s))
    play(s, "D2.3")
    assert (s.dock[1], s.phase) == ([0, 0, 1], Phase.PLACEMENT)
    assert {"D2.1", "D2.2"} <= set(legal(s))
    assert "D2.3" not in legal(s)
    play(s, "pass pass pass")
    assert not any(code.startswith(("D2", "D1")) for code in legal(s))


@clause("EGZ-P9")
def test_speculation_beside_a_full_dock() -> None:
    s = position(2, turn=1, ships={A: "D2.1", B: "T5"})
    assert s.frontier[B] == 12
    assert "D2.s" in legal(s)
    assert "D2.1" not in legal(s)
    play(s, "D2.s")
    assert (s.speculator[1], s.frontier[B]) == (1 + B, 14)
    s = position(2, turn=1, ships={A: "D2.1", B: "C8"})
    assert "D2.s" not in legal(s)
    s = position(2, turn=1, ships={A: "D2.1", B: "D2.s"})
    assert "D2.s" not in legal(s)
    s = position(4, turn=3, ships={A: "D1.1", B: "D1.3"})
    assert "D1.s" not in legal(s)
    s = position(4, turn=2, ships={A: "D1.1", B: "D1.3", C: "D1.2"})
    assert "D1.s" not in legal(s)
    s = position(4, turn=3, ships={A: "D1.1", B: "D1.3", C: "D1.2"})
    assert "D1.s" in legal(s)


# --- Cards ----------------------------------------------------------------------------------------------------------


@clause("EGZ-P10")
def test_fields_and_quarries_count_from_the_same_round_on() -> None:
    s = position(2, river="N12-01 N12-06", stones=(2, 3), strength={A: (3, 3, 3, 3)}, vp=(10, 0))
    play(s, "C3 C4 pass pass")
    # Starter 3 and quarry 3; starter 6 for a need of 12.
    assert (s.stones[A], s.vp[A]) == (2 + 6, 10 - 6 * 3)
    assert s.vp[B] == 0


IMMEDIATE = [
    ("N12-17", "", {"market": [3, 1]}),
    ("N12-18", "", {"market": [1, 3], "stones": 4}),
    ("N12-22", "", {"stones": 6}),
    ("N34-12", "green green", {"strength": [3, 1, 1, 2]}),
    ("N34-12", "green leader", {"strength": [2, 1, 1, 3]}),
    ("N34-13", "", {"strength": [1, 1, 1, 4]}),
    ("N34-14", "", {"market": [2, 2]}),
    ("N5-05", "", {"stones": 8}),
    ("N5-06", "green blue leader", {"strength": [2, 2, 1, 3]}),
    ("N5-07", "", {"vp": 5}),
]


@clause("EGZ-P11")
@pytest.mark.parametrize(("name", "choices", "result"), IMMEDIATE)
def test_immediate_cards_are_resolved_and_discarded(name: str, choices: str, result: dict[str, Any]) -> None:
    s = took(name)
    if choices:
        assert has_card(s, name)
    play(s, choices)
    expected = {"strength": [1, 1, 1, 2], "market": [1, 1], "stones": 2, "vp": 0} | result
    assert {key: getattr(s, key)[A] for key in expected} == expected
    assert (cards(s.held[A]), has_card(s, name), s.discarded) == ([], False, 1 << card(name))
    assert actor(s) == B


def has_card(s: Any, name: str) -> bool:
    """Whether A has a card."""
    return name in cards(s.held[A])


@clause("EGZ-P11")
def test_parts_that_do_nothing_are_executed_too() -> None:
    s = took("N34-13", strength={A: (1, 1, 1, 9)})
    assert (s.strength[A][3], s.discarded) == (9, mask("N34-13"))
    s = took("N12-22", stones=(25, 0, 0))
    assert (s.stones[A], s.discarded) == (25, mask("N12-22"))


@clause("EGZ-P12")
@pytest.mark.parametrize(
    ("name", "result"),
    [("N12-12", {"market": [2, 1]}), ("N34-11", {"stones": 5}), ("N12-11", {}), ("N34-10", {}), ("N5-04", {})],
)
def test_red_fields_with_an_effect_stay(name: str, result: dict[str, Any]) -> None:
    s = took(name)
    if not result:
        assert (step(s), legal(s)) == ("ring", ["ring1", "ring2", "ring3"])
        play(s, "ring3")
        assert s.ring == 3
    assert {key: getattr(s, key)[A] for key in result} == result
    assert (cards(s.held[A]), s.discarded, actor(s)) == ([name], 0, B)


@clause("EGZ-P13")
@pytest.mark.parametrize(
    "name",
    [
        *("N12-13", "N12-14", "N12-15", "N12-16", "N12-19", "N12-20", "N12-21", "N34-15", "N34-16", "N34-17", "N34-18"),
        *("N34-19", "N34-20", "N34-21", "N34-22", "N5-09", "N5-10", "N5-11", "N5-12"),
    ],
)
def test_anytime_permanent_and_end_cards_stay_before_their_owner(name: str) -> None:
    s = took(name)
    if name == "N34-16":
        assert (step(s), legal(s)) == ("second", ["none", "N34-16"])  # usable in the turn in which it was taken
        play(s, "none")
    assert (cards(s.held[A]), s.discarded, s.vp[A], actor(s)) == ([name], 0, 0, B)


@clause("EGZ-P14", "EGZ-U3")
def test_cards_nobody_took_stay_until_clean_up_and_go_out_of_the_game() -> None:
    s = position(3, river="N12-01 N12-02")
    play(s, "C2")
    assert s.river[0] == 1 + card("N12-01")
    left = [c - 1 for c in s.river if c]
    play(s, "pass pass pass")
    assert s.round == 2
    assert all(s.gone >> c & 1 for c in left)
    assert not s.gone >> card("N12-02") & 1


# --- Effects --------------------------------------------------------------------------------------------------------


@clause("EGZ-E1")
def test_a_crew_at_the_limit_cannot_be_chosen() -> None:
    s = on_tile("NT4", strength={A: (9, 8, 9, 2)})
    assert legal(s) == ["blue", "leader"]
    play(s, "blue")
    assert (s.strength[A], actor(s)) == ([9, 9, 9, 3], B)  # the leader alone was left: no question
    s = on_tile("NT4", strength={A: (9, 9, 9, 9)})
    assert (s.strength[A], actor(s)) == ([9, 9, 9, 9], B)
    s = on_tile("NT1", strength={A: (9, 1, 1, 2)})
    assert s.strength[A] == [9, 2, 1, 2]


@clause("EGZ-E1")
@pytest.mark.parametrize(("limit", "result"), [(2, [2, 2, 1, 2]), (12, [10, 2, 1, 2]), (99, [10, 2, 1, 2])])
def test_the_limit_is_an_option(limit: int, result: list[int]) -> None:
    s = on_tile("NT1", strength={A: (min(9, limit), 1, 1, 2)}, crew_max=limit)
    assert s.strength[A] == result


@clause("EGZ-E2", "EGZ-N15")
def test_a_crew_is_lowered_for_four_vp() -> None:
    s = took("N5-08", strength={A: (1, 3, 1, 2)})
    assert (step(s), legal(s)) == ("lower", ["blue", "leader"])
    play(s, "blue")
    assert (s.strength[A], s.vp[A], s.discarded) == ([1, 2, 1, 2], 4, mask("N5-08"))
    s = took("N5-08", strength={A: (1, 1, 1, 2)})
    assert (s.strength[A], s.vp[A], actor(s)) == ([1, 1, 1, 1], 4, B)
    s = took("N5-08", strength={A: (1, 1, 1, 1)})
    assert (s.strength[A], s.vp[A]) == ([1, 1, 1, 1], 2)


@clause("EGZ-E3")
def test_the_ring_moves_as_far_as_the_effect_allows() -> None:
    for ring, steps in ((1, ["ring1", "ring2"]), (2, ["ring1", "ring2", "ring3"]), (3, ["ring2", "ring3"])):
        s = on_tile("NT5", ring=ring)
        assert (legal(s), s.strength[A]) == (steps, [1, 1, 1, 3])
        s = play(on_tile("NT7", ring=ring), "green")
        assert legal(s) == ["ring1", "ring2", "ring3"]
    assert play(s, "ring1").ring == 1


@clause("EGZ-E4")
def test_stones_beyond_the_store_are_lost() -> None:
    assert took("N5-05", stones=(23, 0, 0)).stones[A] == 25


@clause("EGZ-E6")
def test_three_different_crews_or_the_same_crew_twice() -> None:
    s = play(took("N5-06"), "blue")
    assert legal(s) == ["green", "yellow", "leader"]
    play(s, "yellow")
    assert legal(s) == ["green", "leader"]
    s = play(took("N5-06", strength={A: (9, 9, 1, 2)}), "yellow")
    assert (s.strength[A], actor(s)) == ([9, 9, 2, 3], B)  # the third choice is skipped
    s = play(on_tile("NT4"), "yellow yellow")
    assert s.strength[A] == [1, 1, 3, 2]


@pytest.mark.parametrize(
    ("name", "choices", "strength", "market"),
    [
        ("NT1", "", [2, 2, 1, 2], [1, 1]),
        ("NT2", "", [1, 2, 2, 2], [1, 1]),
        ("NT3", "", [2, 1, 2, 2], [1, 1]),
        ("NT4", "green leader", [2, 1, 1, 3], [1, 1]),
        ("NT5", "ring1", [1, 1, 1, 3], [1, 1]),
        ("NT6", "", [1, 1, 1, 2], [2, 2]),
        ("NT7", "yellow ring3", [1, 1, 2, 2], [1, 1]),
    ],
)
def test_what_each_tile_does(name: str, choices: str, strength: list[int], market: list[int]) -> None:
    s = play(on_tile(name), choices)
    assert (s.strength[A], s.market[A], actor(s)) == (strength, market, B)


# --- Windows and cards ------------------------------------------------------------------------------------------------


@clause("EGZ-N1", "EGZ-N2")
def test_a_window_opens_only_for_who_holds_something_usable_and_can_be_declined() -> None:
    assert step(play(position(3, round=3), "T1")) == "location"
    s = play(position(3, round=3, held={A: "N34-17 N34-16 N34-18 N34-19 N12-20"}), "T1")
    assert (step(s), legal(s)) == ("double", ["none", "N34-17"])
    play(s, "none")
    assert (step(s), legal(s)) == ("second", ["none", "N34-16"])
    play(s, "none pass pass pass")
    assert (step(s), actor(s), legal(s)[0]) == ("leftover", A, "none")
    play(s, "none")
    assert (step(s), legal(s)) == ("grain", ["none", "N12-20", "N34-19"])
    play(s, "none")
    assert (s.round, cards(s.held[A])) == (4, ["N12-20", "N34-16", "N34-17", "N34-18", "N34-19"])


@clause("EGZ-N4")
def test_a_used_card_is_discarded_for_good() -> None:
    s = feeding(held={A: "N12-20"})
    play(s, "N12-20")
    assert (cards(s.held[A]), s.discarded & mask("N12-20")) == ([], mask("N12-20"))
    for before, _, _, after in random_games(3, 4, seed=6):
        assert before.discarded & ~after.discarded == 0


@clause("EGZ-N5", "EGZ-N6")
def test_the_improver_is_attached_to_a_yellow_or_red_field() -> None:
    s = took("N12-13", held={A: "N12-08 N12-10 N12-06"})
    assert (step(s), legal(s)) == ("attach", ["N12-08", "N12-10"])
    play(s, "N12-10")
    assert [nile.field_colour(s, A, card(name)) for name in ("N12-06", "N12-08", "N12-10")] == [0, 1, 1]
    assert cards(s.held[A]) == ["N12-06", "N12-08", "N12-10", "N12-13"]
    s = took("N12-13", held={A: "N12-08 N12-06"})
    assert (nile.field_colour(s, A, card("N12-08")), actor(s)) == (0, B)


@clause("EGZ-N6")
def test_an_improver_without_a_field_waits_for_the_next_one() -> None:
    for waits, red in ((True, 1), (False, 2)):
        s = position(2, river="N12-13 N12-06 N12-11", improver_waits=waits)
        play(s, "C3 pass C4 C5")
        assert step(s) == "ring"  # the improver goes to the red field before its effect
        assert (nile.field_colour(s, A, card("N12-11")), nile.field_colour(s, A, card("N12-06"))) == (red, 0)


@clause("EGZ-N7")
def test_a_crew_is_trained_before_every_later_round() -> None:
    s = took("N12-14")
    assert s.strength[A] == [1, 1, 1, 2]
    play(s, "pass pass pass")
    assert (s.round, step(s), actor(s), legal(s)) == (2, "raise", A, ["green", "blue", "yellow", "leader"])
    play(s, "leader")
    assert (s.strength[A], step(s)) == ([1, 1, 1, 3], "location")
    play(s, "pass pass pass")
    assert (s.round, step(s), actor(s)) == (3, "raise", A)


@clause("EGZ-N8")
def test_once_a_round_a_ship_may_go_onto_an_occupied_tile() -> None:
    s = position(3, held={A: "N12-16"}, ships={B: "T2 T4"})
    assert {"T2", "T4"} <= set(legal(s))
    play(s, "T2")
    assert (s.tile_ships[1], s.strength[A], cards(s.held[A])) == ([1, 1, 0, 0], [1, 2, 2, 2], ["N12-16"])
    play(s, "pass pass")
    assert "T4" not in legal(s)
    play(s, "pass")
    assert s.spent == 0
    s = position(3, held={A: "N12-16"}, ships={B: "T2", A: "C5"})
    assert "T2" not in legal(s)
    s = position(3, held={A: "N12-16 N34-15"}, ships={B: "T2", A: "C5"})
    play(s, "T2")
    assert (s.spent, s.discarded & mask("N34-15")) == (mask("N12-16"), mask("N34-15"))


@clause("EGZ-N9")
def test_upstream_by_card_or_tile_leaves_the_frontier() -> None:
    for facts in ({"bonus": "G1 G9", "columns": (5, 0, 0)}, {"held": {A: "N34-15"}}):
        s = position(3, round=3, ships={A: "D2.1"}, **facts)
        assert {"C5", "C1", "T1", "C8"} <= set(legal(s))
        assert "D2.2" not in legal(s)
        play(s, "C5 pass pass")
        assert s.frontier[A] == 14
        assert legal(s)[1] == "C8"
        assert "C7" not in legal(s)
    s = position(3, round=3, ships={A: "D2.1"}, held={A: "N34-15"}, bonus="G1 G9", columns=(5, 0, 0))
    play(s, "C5")
    assert (step(s), legal(s)) == ("upstream", ["N34-15", "G9"])
    play(s, "G9 pass pass")
    assert (s.closed_eye[A], "C1" in legal(s)) == (2, True)
    play(s, "C1")
    assert (s.discarded & mask("N34-15"), s.frontier[A]) == (mask("N34-15"), 14)


@clause("EGZ-N9")
def test_upstream_and_occupied_together_open_the_last_own_tile() -> None:
    s = position(3, held={A: "N12-16 N34-15"}, ships={A: "T4"})
    assert "T4" in legal(s)
    play(s, "T4")
    assert (s.tile_ships[3][A], s.spent, s.discarded & mask("N34-15")) == (2, mask("N12-16"), mask("N34-15"))
    assert "T4" not in legal(position(3, held={A: "N12-16"}, ships={A: "T4"}))
    assert "T4" not in legal(position(3, held={A: "N34-15"}, ships={A: "T4"}))


@clause("EGZ-N10")
def test_a_tile_taken_twice_with_new_choices() -> None:
    s = on_tile("NT7", held={A: "N34-17"})
    assert (step(s), s.strength[A]) == ("double", [1, 1, 1, 2])
    play(s, "N34-17 green ring1 blue ring3")
    assert (s.strength[A], s.ring, s.discarded) == ([2, 2, 1, 2], 3, mask("N34-17"))
    s = on_tile("NT8", players=2, held={A: "N34-17"})
    play(s, "N34-17")
    assert s.tokens[A] == 2
    s = play(on_tile("NT6", held={A: "N34-17"}), "none")
    assert (s.market[A], cards(s.held[A])) == ([2, 2], ["N34-17"])


@clause("EGZ-N11")
def test_a_second_and_a_third_ship_in_a_turn() -> None:
    facts: dict[str, Any] = {"held": {A: "N34-16"}, "bonus": "G1 G7", "columns": (5, 0, 0), "round": 3}
    s = play(position(3, **facts), "D1.1")
    assert (step(s), legal(s)) == ("second", ["none", "N34-16", "G7"])
    play(s, "G7")
    assert (step(s), "pass" in legal(s)) == ("location", False)
    play(s, "D2.1")
    assert (step(s), legal(s)) == ("second", ["none", "N34-16"])
    play(s, "N34-16 D3.1")
    assert (actor(s), s.ships[A], s.closed_eye[A]) == (B, 5, 2)
    s = play(position(3, second_ship_stack=False, **facts), "D1.1 G7 D2.1")
    assert (actor(s), s.ships[A]) == (B, 6)


@clause("EGZ-N11")
def test_a_second_ship_needs_a_ship_and_a_location() -> None:
    assert actor(play(position(3, round=3, held={A: "N34-16"}), "D3.1")) == B
    assert actor(play(position(3, round=3, held={A: "N34-16"}, ships_per_player=1), "D1.1")) == B
    s = play(position(3, round=3, held={A: "N34-16"}, river="N34-10", ships={B: "D3.1", C: "D3.2"}), "C10")
    play(s, "N34-16")
    assert (s.speculator[2], s.ships[A]) == (1 + A, 6)  # one location only: the ship goes there


@clause("EGZ-N12")
def test_a_card_left_on_the_river_is_taken_without_a_ship() -> None:
    s = position(3, round=3, held={B: "N34-18"}, river="N34-13 N34-01", order="CBA")
    play(s, "pass pass pass")
    assert (step(s), actor(s), legal(s)[:3]) == ("leftover", B, ["none", "N34-01", "N34-02"])
    assert len(legal(s)) == 11
    play(s, "N34-13")
    assert (s.strength[B][3], s.discarded & mask("N34-18 N34-13")) == (4, mask("N34-18 N34-13"))
    s = position(3, round=3, held={B: "N34-18"}, river=" ".join("-" * 10))
    play(s, "pass pass pass")
    assert s.round == 4


@clause("EGZ-N14")
def test_the_shared_tile_works_on_the_own_last_tile_too() -> None:
    facts: dict[str, Any] = {"bonus": "G1 G10", "columns": (5, 0, 0)}
    s = position(3, ships={A: "T4", B: "T5"}, **facts)
    assert {"T4", "T5"} <= set(legal(s))
    play(s, "T4")
    assert (s.tile_ships[3][A], s.closed_eye[A], s.strength[A]) == (2, 2, [2, 1, 2, 2])
    s = position(3, ships={A: "T4", B: "T5"}, g10_same_tile=False, **facts)
    assert "T5" in legal(s)
    assert "T4" not in legal(s)
    s = position(3, ships={A: "T4"}, held={A: "N12-16 N34-15"}, **facts)
    play(s, "T4")
    assert (step(s), legal(s)) == ("occupied", ["N12-16", "G10"])
    other = play(s.copy(), "G10")
    assert (other.spent, cards(other.held[A])) == (0, ["N12-16", "N34-15"])
    play(s, "N12-16")
    assert (s.closed_eye[A], cards(s.held[A])) == (0, ["N12-16"])
    s = position(3, ships={A: "C8", B: "T4"}, held={A: "N34-15"}, **facts)
    play(s, "T4")
    assert (s.closed_eye[A], cards(s.held[A])) == (2, [])


@clause("EGZ-L5", "EGZ-L6")
def test_once_a_round_tiles_come_back_and_once_a_game_tiles_do_not() -> None:
    for bonus, back in (("G9", True), ("G10", True), ("G6", True), ("G7", False), ("G8", False)):
        s = position(3, bonus=f"G1 {bonus}", columns=(5, 0, 0))
        s.closed_eye[A] = 2
        play(s, "pass pass pass")
        assert s.closed_eye[A] == (0 if back else 2)
    # Column 5 at the first dock, the second basic crew at the next one.
    s = building(
        4,
        bonus="G1 G6",
        columns=(4, 0, 0, 0),
        ships={A: "D1.1 D2.1"},
        stones=(20, 0, 0, 0),
        strength={A: (4, 3, 3, 2)},
    )
    play(s, "build green none column")
    play(s, "build blue")
    assert (step(s), legal(s)) == ("basic2", ["none", "yellow"])
