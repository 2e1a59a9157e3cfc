"""Egizia: docks, payments, obelisk, colonnade, statues and pyramid, with the figures of the rule specification."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.games.egizia.rules import actions, monuments, nile, tracks
from perankh.games.egizia.rules.components import Bonus
from perankh.games.egizia.rules.state import Action, Phase, Step
from perankh.testing import clause

from .positions import A, B, C, D, actor, building, cards, legal, letters, play, position, random_games, step

RICH: dict[str, Any] = {"stones": (25, 25, 25, 25), "strength": dict.fromkeys(range(4), (9, 5, 5, 5))}


def docked(ships: dict[int, str], players: int = 4, **facts: Any) -> Any:
    """The building phase with rich players and these ships."""
    return building(players, ships=ships, **{**RICH, **facts})


# --- Docks ----------------------------------------------------------------------------------------------------------


@clause("EGZ-B1", "EGZ-B2")
def test_docks_from_upstream_and_ships_from_the_river() -> None:
    s = docked({A: "D3.1 D1.3", B: "D2.2 D1.2", C: "D2.3", D: "D2.1"})
    seen = []
    while step(s) == "build":
        seen.append((s.docking, actor(s)))
        play(s, "build green none" if s.flipped[actor(s)] == 0 else "build blue none")
        while step(s) != "build" and s.phase == Phase.BUILDING:
            play(s, "finish" if "finish" in legal(s) else legal(s)[0])
    assert seen == [(1, B), (1, A), (2, D), (2, B), (2, C), (3, A)]


@clause("EGZ-B3", "EGZ-B4")
def test_build_or_decline_and_who_cannot_pay_declines_automatically() -> None:
    s = docked({A: "D1.1", B: "D1.2"}, stones=(0, 9, 0, 0))
    assert (actor(s), legal(s), s.dock[0]) == (B, ["build", "decline"], [2, 0, 0])
    s = docked(
        {A: "D2.1", B: "D2.2"}, pyramid=("AAAAAA", "AAAAA", "AAAA", "AAA", "AA"), strength={A: (1, 1, 1, 2), B: (9, 1, 1, 1)}
    )
    assert actor(s) == A  # a statue of type A still costs 1
    s = docked(
        {A: "D2.1", B: "D2.2"},
        pyramid=("AAAAAA", "AAAAA", "AAAA", "AAA", "AA"),
        statues="B1 B2 B3",
        levels={A: (3, 3, 3)},
        strength={A: (2, 1, 1, 2), B: (9, 1, 1, 1)},
    )
    assert actor(s) == B


@clause("EGZ-B5")
@pytest.mark.parametrize(("pack", "space"), [("full", 0), ("one_step", 1)])
def test_ships_close_up_after_a_decline(pack: str, space: int) -> None:
    s = docked({A: "D3.1", B: "D3.3"}, decline_pack=pack)
    play(s, "decline")
    assert (actor(s), s.dock[2].index(1 + B), s.berth) == (B, space, 1 + space)


@clause("EGZ-B5", "EGZ-B6", "EGZ-B8")
def test_a_speculating_ship_takes_the_free_space_behind_all_others() -> None:
    s = docked({A: "D3.1", B: "D3.2", C: "D3.3", D: "D3.s"})
    play(s, "build green none draw1 none")
    assert actor(s) == B
    play(s, "decline")
    assert (letters(s.dock[2]), s.speculator[2], actor(s)) == ("ACD", 0, C)
    play(s, "build green none")
    assert legal(s) == ["draw1", "draw2", "draw3", "draw4"]
    play(s, "draw4 none")
    assert actor(s) == D
    play(s, "build green none")
    assert legal(s) == ["draw1", "draw2", "draw3"]


@clause("EGZ-B8")
@pytest.mark.parametrize(("option", "most"), [("current_space", 5), ("placed_space", 3)])
def test_the_sphinx_maximum_is_that_of_the_space(option: str, most: int) -> None:
    s = docked({A: "D3.1", B: "D3.3"}, sphinx_max=option)
    play(s, "decline build green none")
    assert legal(s) == [f"draw{n}" for n in range(1, most + 1)]


@clause("EGZ-B7")
def test_a_speculating_ship_is_wasted_if_nobody_declines() -> None:
    s = docked({A: "D1.1", B: "D1.s"}, players=2)
    play(s, "build green none column finish")
    assert (s.round, s.vp[:2]) == (2, [2, 0])


@clause("EGZ-B9")
def test_one_basic_crew_and_perhaps_the_leader_pay() -> None:
    s = docked({A: "D1.1"}, strength={A: (3, 4, 5, 6)})
    play(s, "build")
    assert (step(s), legal(s)) == ("basic", ["green", "blue", "yellow"])
    play(s, "blue")
    assert (step(s), legal(s), s.power) == ("leader", ["none", "leader"], 4)
    play(s.copy(), "none")
    play(s, "leader")
    assert (s.power, s.budget, s.flipped[A]) == (10, 10, 0b1010)
    s = docked({A: "D1.1 D2.1"}, strength={A: (3, 4, 5, 6)})
    s.flipped[A] = 0b0111
    s.step = Step.GO_ON
    actions.go_on(s)
    assert s.round == 2  # the leader alone cannot build


@clause("EGZ-B10")
def test_power_cards_add_to_the_build() -> None:
    for name, power in (("N12-19", 3), ("N34-20", 4), ("N5-09", 5)):
        s = docked({A: "D1.1"}, held={A: name}, strength={A: (2, 1, 1, 2)})
        play(s, "build green none")
        assert (step(s), legal(s)) == ("power", ["none", name])
        play(s, name)
        assert (s.power, cards(s.held[A])) == (2 + power, [])
    s = docked({A: "D1.1"}, held={A: "N12-19 N34-20 N5-09"})
    play(s, "build green leader N34-20 N12-19 none")
    assert (s.power, cards(s.held[A])) == (9 + 5 + 4 + 3, ["N5-09"])
    s = docked({A: "D1.1"}, held={A: "N12-19"})
    assert s.flipped[A] == 0
    assert "N12-19" not in legal(s)


@clause("EGZ-B11", "EGZ-B12")
def test_the_budget_is_the_smaller_of_stones_and_strength_and_fixed() -> None:
    s = docked({A: "D1.1"}, stones=(4, 0, 0, 0))
    play(s, "build green none")
    assert (s.power, s.budget) == (9, 4)
    play(s, "column")
    assert (s.budget, s.stones[A]) == (2, 2)
    # 2 columns, green 3 alone, 5 stones, G4: column 3 raises the crews, the budget stays used up.
    s = docked({A: "D1.1"}, stones=(5, 0, 0, 0), strength={A: (3, 1, 1, 2)}, columns=(2, 0, 0, 0), bonus="G4 G7")
    play(s, "build green none column")
    assert (s.vp[A], s.strength[A], s.turned[A], s.stones[A], s.round) == (3, [4, 2, 2, 3], 1, 2, 2)


@clause("EGZ-B13", "EGZ-B14")
def test_both_monuments_of_a_dock_share_one_budget_in_any_order() -> None:
    s = docked({A: "D1.1"})
    play(s, "build green none")
    assert legal(s) == ["obelisk", "column"]
    play(s, "obelisk")
    assert legal(s) == ["finish", "obelisk", "column"]
    play(s, "column obelisk column obelisk")
    assert (s.vp[A], letters(s.obelisk[:3]), s.columns[A], s.budget) == (7, "AAA", 2, 2)
    assert legal(s) == ["finish", "obelisk"]
    play(s, "finish")
    assert step(s) == "market"
    s = docked({A: "D2.1"})
    play(s, "build green none row1 statue1 row1 row2")
    assert (letters(s.pyramid[0][:2]), letters(s.pyramid[1][:1]), s.level[A]) == ("AA", "A", [1, 0, 0])
    assert s.vp[A] == 1 + 1 + 2


@clause("EGZ-B15")
def test_a_payment_must_leave_something_to_build() -> None:
    facts: dict[str, Any] = {"obelisk": "AAAAAAAAAAAAA", "columns": (6, 0, 0, 0)}  # obelisk 6, column 5
    s = docked({A: "D1.1"}, strength={A: (5, 2, 4, 2)}, **facts)
    play(s, "build")
    assert legal(s) == ["green", "yellow"]
    play(s, "yellow")
    assert (s.flipped[A], step(s), legal(s)) == (0b1100, "space", ["obelisk", "column"])  # the leader was needed
    s = docked({A: "D1.1"}, strength={A: (2, 2, 2, 2)}, held={A: "N12-19"}, **facts)
    play(s, "build green")
    assert (step(s), legal(s)) == ("leader", ["none", "leader"])
    play(s, "none")
    assert (s.columns[A], cards(s.held[A])) == (7, [])  # the power card was needed
    s = docked({A: "D1.1"}, strength={A: (2, 2, 2, 2)}, held={A: "N12-19 N34-20"}, **facts)
    play(s, "build green none")
    assert legal(s) == ["N12-19", "N34-20"]
    s = docked({A: "D1.1"}, strength={A: (2, 2, 2, 2)}, **facts)
    assert s.round == 2  # 4 at most: declined automatically


@clause("EGZ-B16")
def test_each_crew_flips_once_a_round_and_keeps_its_strength() -> None:
    s = docked({A: "D1.1 D2.1 D3.1"}, strength={A: (2, 2, 2, 2)})
    play(s, "build green leader column")
    play(s, "finish build")
    assert legal(s) == ["blue", "yellow"]
    assert s.strength[A] == [2, 2, 2, 2]
    play(s, "blue")
    assert step(s) == "space"  # no leader left to ask for
    for before, p, _, after in random_games(3, 4, seed=9):
        if before.phase == after.phase == Phase.BUILDING and after.round == before.round:
            assert before.flipped[p] & ~after.flipped[p] == 0


@clause("EGZ-B17")
def test_a_player_builds_once_at_a_dock() -> None:
    for before, p, a, after in random_games(4, 3, seed=10):
        if before.step == Step.BUILD and a == Action.BUILD:
            assert before.built[p] >> (before.docking - 1) & 1 == 0
            assert after.round >= before.round


@clause("EGZ-B18")
def test_stones_of_the_market_bonus_come_after_the_build() -> None:
    s = docked({A: "D1.1 D2.1"}, stones=(1, 0, 0, 0), market={A: (1, 2)})
    play(s, "build green none")
    assert (s.stones[A], step(s)) == (0, "market")
    play(s, "market-stone")
    assert (s.stones[A], step(s), s.docking, actor(s)) == (2, "build", 2, A)


@clause("EGZ-B19")
@pytest.mark.parametrize(("players", "most"), [(4, 3), (3, 4), (2, 5)])
def test_a_late_ship_acts_last_with_the_outermost_maximum(players: int, most: int) -> None:
    ships = {p: f"D3.{p + 1}" for p in range(players - 1)} | {players - 1: "D3.s"}
    columns = tuple(5 if p == players - 1 else 0 for p in range(players))
    s = docked(ships, players=players, bonus="G1 G8" if players > 2 else "G6 G8", columns=columns)
    for _ in range(players - 1):
        play(s, "build green none draw1 none")
    assert (step(s), actor(s), legal(s)) == ("late", players - 1, ["none", "G8"])
    declined = play(s.copy(), "none")
    assert (declined.round, declined.closed_eye[players - 1]) == (2, 0)
    play(s, "G8 build green none" if players > 2 else "G8 build green none none")
    assert (legal(s), s.closed_eye[players - 1] & 2) == ([f"draw{n}" for n in range(1, most + 1)], 2)


@clause("EGZ-B19", "EGZ-B20")
def test_a_token_does_the_same_and_each_dock_needs_its_own() -> None:
    s = position(2, ships={A: "D1.1 D2.1", B: "D1.s D2.s"}, **{**RICH, "stones": (25, 25)})
    s.tokens[B] = 1
    s.passed, s.phase, s.step = 3, Phase.BUILDING, Step.GO_ON
    actions.go_on(s)
    play(s, "build green none column finish")
    assert (step(s), actor(s), legal(s)) == ("late", B, ["none", "NT8"])
    play(s, "NT8 build green none column finish")
    assert (s.columns[B], s.tokens[B], s.built[B]) == (1, 0, 1)
    play(s, "build blue none row1 finish")
    assert s.round == 2  # no second token for the second dock
    s = docked({A: "D1.1", B: "D1.s"}, players=2, columns=(0, 5), bonus="G6 G8")
    s.tokens[B] = 1
    play(s, "build green none column finish")
    assert legal(s) == ["none", "G8", "NT8"]


@clause("EGZ-L6")
def test_g8_gained_at_the_first_dock_works_at_the_next() -> None:
    s = docked({A: "D1.1 D2.s", B: "D2.1", C: "D2.2"}, players=3, columns=(4, 0, 0), bonus="G1 G8")
    play(s, "build green none column finish")
    play(s, "build green none row1 finish build green none row1 finish")
    assert (step(s), actor(s), legal(s)) == ("late", A, ["none", "G8"])


# --- Obelisk --------------------------------------------------------------------------------------------------------


@clause("EGZ-O1", "EGZ-O2", "EGZ-O3")
def test_obelisk_over_the_double_line() -> None:
    """9 stones, blue 4 and leader 3: two spaces of 3, both markets up, 3 stones left."""
    s = docked({A: "D1.1"}, obelisk="BBBBBBB", stones=(9, 0, 0, 0), strength={A: (1, 4, 1, 3)})
    play(s, "build blue leader obelisk obelisk")
    assert (letters(s.obelisk[7:10]), s.vp[A], s.market[A], s.stones[A]) == ("AA.", 6, [2, 2], 3)
    assert s.round == 2


@clause("EGZ-O3", "EGZ-O4")
def test_obelisk_below_the_line_moves_one_market_of_choice() -> None:
    s = docked({A: "D1.1"}, obelisk="BBBBBBB", stones=(9, 0, 0, 0), strength={A: (1, 4, 1, 3)})
    play(s, "build blue leader obelisk column")
    assert (s.vp[A], s.budget, legal(s)) == (5, 2, ["finish", "column"])
    play(s, "finish")
    assert (step(s), legal(s)) == ("market", ["market-grain", "market-stone"])
    play(s, "market-grain")
    assert (s.market[A], s.stones[A], s.round) == ([2, 1], 4, 2)
    s = docked({A: "D1.1"})
    play(s, "build green none obelisk obelisk obelisk finish")
    play(s, "market-stone")
    assert s.market[A] == [1, 2]  # one step for three spaces


@clause("EGZ-O4")
def test_columns_give_no_market_step_but_by_option() -> None:
    s = play(docked({A: "D1.1"}), "build green none column finish")
    assert (s.market[A], s.round) == ([1, 1], 2)
    s = play(docked({A: "D1.1"}, colonnade_market_bonus=True), "build green none column finish")
    assert step(s) == "market"
    s = docked({A: "D1.1"}, obelisk="BBBBBBBB", colonnade_market_bonus=True)
    play(s, "build green none obelisk column finish")
    assert s.market[A] == [2, 2]


@clause("EGZ-O5")
def test_a_complete_obelisk_offers_no_space() -> None:
    s = docked({A: "D1.1"}, obelisk="A" * 14)
    play(s, "build green none")
    assert (s.columns[A], legal(s)) == (1, ["finish", "column"])
    s = docked({A: "D1.1"}, obelisk="A" * 14, columns=(7, 0, 0, 0))
    assert s.round == 2


# --- Colonnade ------------------------------------------------------------------------------------------------------


@clause("EGZ-C1")
def test_columns_are_built_from_the_left_each_player_his_own() -> None:
    s = docked({A: "D1.1", B: "D1.2"}, strength={A: (9, 1, 1, 9), B: (2, 1, 1, 2)})
    play(s, "build green leader column column column column column finish")
    assert (s.columns[:2], s.vp[A]) == ([5, 0], 2 + 2 + 3 + 3 + 4)
    play(s, "build green none column")
    assert s.columns[:2] == [5, 1]


@clause("EGZ-C2", "EGZ-C3", "EGZ-C5")
def test_tiles_of_columns_3_and_5_are_gained_by_everybody() -> None:
    s = position(4, bonus="G1 G9", columns=(2, 3, 4, 5))
    assert [tracks.place_of_tile(s, p, Bonus.FIELD_GRAIN) for p in range(4)] == [-1, 0, 0, 0]
    assert [tracks.usable_tile(s, p, Bonus.UPSTREAM) for p in range(4)] == [-1, -1, -1, 1]
    s.columns[A] = 5
    assert [tracks.usable_tile(s, p, Bonus.UPSTREAM) for p in (A, D)] == [1, 1]
    s.closed_eye[A] = 2
    assert [tracks.usable_tile(s, p, Bonus.UPSTREAM) for p in (A, D)] == [-1, 1]


@clause("EGZ-C4")
@pytest.mark.parametrize(("players", "others", "bonus"), [(3, 0, 7), (4, 1, 5), (4, 2, 3), (4, 3, 1), (2, 0, 7), (2, 1, 5)])
def test_the_finishing_bonus_follows_column_7(players: int, others: int, bonus: int) -> None:
    columns = (6, *(7 if p <= others else 0 for p in range(1, players)))
    s = docked({A: "D1.1"}, players=players, columns=columns, bonus="G6 G7" if players == 2 else "G1 G7", obelisk="B" * 14)
    play(s, "build green none" if players > 2 else "build green none none")
    assert (s.columns[A], s.vp[A]) == (7, 5 + bonus)


@clause("EGZ-C4")
def test_the_lower_bonus_for_two_is_an_option() -> None:
    s = docked({A: "D1.1"}, players=2, columns=(6, 7), bonus="G6 G7", obelisk="B" * 9, finish_bonus_2p="7_3")
    play(s, "build green none none")
    assert s.vp[A] == 5 + 3


@clause("EGZ-L2", "EGZ-V3")
@pytest.mark.parametrize(("start", "points"), [("next_brick", 10), ("next_build", 8)])
def test_g3_pays_for_bricks_after_column_3(start: str, points: int) -> None:
    """Column 3, column 4, then an obelisk space of 2: 3 + (3 + 1) + (2 + 1)."""
    s = docked({A: "D1.1 D2.1"}, bonus="G3 G7", columns=(2, 0, 0, 0), obelisk="BBB", strength={A: (8, 9, 1, 2)}, g3_start=start)
    play(s, "build green none column column obelisk market-grain")
    assert s.vp[A] == points
    play(s, "build blue none statue1")
    assert s.vp[A] == points + 1
    play(s, "row1")
    assert s.vp[A] == points + 3


@clause("EGZ-L3")
def test_g4_raises_all_crews_once_and_turns_the_starter_field() -> None:
    s = docked({A: "D1.1"}, bonus="G4 G7", columns=(2, 3, 0, 0), strength={A: (9, 5, 1, 2)})
    assert (nile.grain_of(s, A, 1), s.strength[B]) == (6, [1, 1, 1, 2])
    play(s, "build green none column finish")
    assert (s.strength[A], nile.grain_of(s, A, 1), s.strength[B]) == ([9, 6, 2, 3], 10, [1, 1, 1, 2])


@clause("EGZ-L4")
def test_g6_adds_a_second_basic_crew_once_a_round() -> None:
    s = docked({A: "D1.1 D2.1"}, bonus="G1 G6", columns=(5, 0, 0, 0), strength={A: (3, 2, 4, 2)})
    play(s, "build green")
    assert (step(s), legal(s)) == ("basic2", ["none", "blue", "yellow"])
    play(s, "yellow leader")
    assert (s.power, s.flipped[A], s.closed_eye[A]) == (9, 0b1101, 2)
    play(s, "column finish build")
    assert (s.flipped[A], step(s)) == (0b1111, "space")  # blue alone: no question, and no second crew any more
    # Column 7 for 5: green 2 and the leader 2 need one more, so that a second crew must join.
    s = docked({A: "D1.1"}, bonus="G1 G6", columns=(6, 0, 0, 0), obelisk="B" * 13, strength={A: (2, 1, 1, 2)})
    play(s, "build green")
    assert (step(s), legal(s)) == ("basic2", ["blue", "yellow"])
    assert play(s, "blue").columns[A] == 7


# --- Statues --------------------------------------------------------------------------------------------------------


@clause("EGZ-T1", "EGZ-T2", "EGZ-T3", "EGZ-T4", "EGZ-T5")
def test_statues_are_built_by_each_player_from_the_bottom_one_space_a_build() -> None:
    s = docked({A: "D2.1", B: "D2.2"}, statues="A3 B1 A1", levels={A: (2, 0, 0), B: (2, 0, 1)})
    play(s, "build green leader")
    assert legal(s) == ["statue1", "statue2", "statue3", "row1"]
    stones = s.stones[A]
    play(s, "statue1 statue2")
    assert (s.level[A], stones - s.stones[A], s.vp[A]) == ([3, 1, 0], 3 + 2, 0)
    assert legal(s) == ["finish", "statue3", "row1"]
    play(s, "finish")
    play(s, "build green none statue3")
    assert (s.level[B], s.stones[B]) == ([2, 0, 2], 23)
    s = docked({A: "D2.1"}, levels={A: (4, 4, 4)})
    play(s, "build green none")
    assert (letters(s.pyramid[0]), legal(s)) == ("A.....", ["finish", "row1"])


@clause("EGZ-T4")
def test_a_statue_brick_pays_only_g3() -> None:
    for bonus, vp in (("G1 G7", 0), ("G3 G7", 1)):
        s = docked({A: "D2.1"}, bonus=bonus, columns=(3, 0, 0, 0))
        assert play(s, "build green none statue1").vp[A] == vp


# --- Pyramid --------------------------------------------------------------------------------------------------------


@clause("EGZ-Y1", "EGZ-Y2", "EGZ-Y3")
def test_a_row_rests_on_two_bricks() -> None:
    s = docked({A: "D2.1"}, pyramid=("B",), levels={A: (4, 4, 4)})
    play(s, "build green none")
    assert (letters(s.pyramid[0][:2]), s.vp[A], legal(s)) == ("BA", 1, ["finish", "row1", "row2"])
    play(s, "row2")
    assert (s.vp[A], legal(s)) == (3, ["finish", "row1"])
    play(s, "row1 row2")
    assert (letters(s.pyramid[1][:2]), s.vp[A], legal(s)) == ("AA", 6, ["finish", "row1", "row3"])


@clause("EGZ-Y4", "EGZ-Y5")
def test_a_full_row_pays_who_has_most_or_is_furthest_right() -> None:
    s = docked({D: "D2.1"}, pyramid=("AACCD",))
    assert play(s, "build green none row1").vp == [0, 0, 0, 1 + 2]  # 2-2-2, D furthest right
    s = docked({A: "D2.1"}, pyramid=("AABBCC", "CCDD"))
    assert play(s, "build green none row2").vp == [2, 0, 0, 2]  # C and D tie, D further right
    s = docked({C: "D2.1"}, pyramid=("AABBC",))
    assert play(s, "build green none row1").vp == [0, 0, 1 + 2, 0]
    s = docked({C: "D2.1"}, pyramid=("AAABBC", "AABB"))
    assert play(s, "build green none row2").vp == [0, 2, 2, 0]
    s = docked({C: "D2.1"}, pyramid=("AAABB",))
    assert play(s, "build green none row1").vp == [3, 0, 1, 0]


@clause("EGZ-Y6")
def test_the_top_is_a_full_row() -> None:
    s = docked({A: "D2.1"}, pyramid=("BBBBBB", "BBBBB", "BBBB", "BBB", "BB"), levels={A: (4, 4, 4)})
    assert play(s, "build green none").vp[A] == 6 + 1


# --- Options --------------------------------------------------------------------------------------------------------


@clause("EGZ-E5")
def test_bricks_count_one_each_and_may_be_limited() -> None:
    facts: dict[str, Any] = {"obelisk": "AABA", "columns": (6, 0, 0, 0), "levels": {A: (3, 2, 2)}, "pyramid": ("AAB",)}
    s = docked({A: "D1.1 D2.1"}, **facts)
    assert (monuments.all_bricks(s, A), monuments.all_bricks(s, B), monuments.all_bricks(s, C)) == (3 + 6 + 7 + 2, 2, 0)
    s = docked({A: "D1.1 D2.1"}, brick_limit="20", **facts)
    play(s, "build green leader obelisk obelisk")
    assert (step(s), monuments.all_bricks(s, A)) == ("market", 20)
    play(s, "market-grain")
    assert s.round == 2  # without a brick the second dock is declined
