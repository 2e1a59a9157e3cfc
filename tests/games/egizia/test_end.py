"""Egizia: VP and their order, clean-up, and the final scoring, with the figures of the rule specification."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.games.egizia.rules import components, rounds, scoring, tracks
from perankh.games.egizia.rules.state import Phase
from perankh.testing import clause

from .positions import GAME, A, B, C, D, building, card, final, mask, play, position, random_games, sphinx_card, step

# --- VP -------------------------------------------------------------------------------------------------------------


@clause("EGZ-V1")
def test_whoever_enters_a_vp_space_joins_its_rear() -> None:
    s = position(2, vp=(7, 5), arrived="BA")
    tracks.score(s, B, 2)
    assert (tracks.rank(s, A), tracks.rank(s, B)) == (0, 1)
    tracks.score(s, A, 0)
    assert (tracks.rank(s, A), tracks.rank(s, B)) == (0, 1)  # a change of 0 moves nothing
    tracks.score(s, A, 1)
    tracks.score(s, A, -1)
    assert (tracks.rank(s, A), tracks.rank(s, B)) == (1, 0)  # a loss joins the rear, too
    s.phase = Phase.BUILDING
    rounds.clean_up(s)
    assert s.order[:2] == [A, B]


@clause("EGZ-V2")
def test_the_rank_list_is_by_vp_then_by_arrival() -> None:
    s = position(4, vp=(10, 12, 10, 8), arrived="CADB")
    assert [tracks.rank(s, p) for p in (B, C, A, D)] == [0, 1, 2, 3]


@clause("EGZ-V3")
def test_row_bonus_follows_the_brick() -> None:
    """The last brick of a row brings A to 7 after B's bonus has not yet moved B."""
    s = building(4, ships={A: "D2.1"}, pyramid=("BBBBB",), vp=(6, 2, 0, 0), stones=(9, 0, 0, 0), strength={A: (3, 1, 1, 2)})
    play(s, "build green none row1")
    assert (s.vp[:2], s.arrived[2:]) == ([7, 7], [A, B])


# --- Clean-up -------------------------------------------------------------------------------------------------------


@clause("EGZ-U1", "EGZ-U5")
@pytest.mark.parametrize(("option", "order"), [("leader_first", [D, C, A, B]), ("last_first", [C, D, A, B])])
def test_cooperation_and_the_next_turn_order(option: str, order: list[int]) -> None:
    s = position(4, vp=(30, 28, 25, 25), arrived="ABCD", coop_order=option)
    s.built[:] = [0b011, 0b111, 0b111, 0b111]
    s.present[:] = [0b111] * 4
    s.phase = Phase.BUILDING
    rounds.clean_up(s)
    assert (s.vp, s.order) == ([32, 33, 30, 30], order)


@clause("EGZ-U1")
@pytest.mark.parametrize(("docks", "vp"), [(0, 0), (0b001, 0), (0b100, 0), (0b011, 2), (0b101, 2), (0b111, 5)])
def test_cooperation_bonus(docks: int, vp: int) -> None:
    s = position(3)
    s.built[B] = docks
    rounds.cooperate(s)
    assert s.vp[:3] == [0, vp, 0]


@clause("EGZ-U2")
def test_a_declined_or_wasted_ship_does_not_count_but_by_option() -> None:
    for option, vp in (("built", 0), ("ship_present", 2)):
        s = building(2, ships={A: "D1.1 D2.1"}, stones=(9, 0), strength={A: (3, 3, 1, 2)}, coop_needs=option)
        play(s, "decline decline")
        assert (s.round, s.vp[A]) == (2, vp)
    s = building(2, ships={A: "D1.1 D2.1", B: "D2.s"}, stones=(9, 9), strength={A: (3, 3, 1, 2), B: (3, 3, 3, 2)})
    play(s, "build green none column finish build blue none row1 finish")
    assert (s.vp[:2], s.round) == ([2 + 1 + 2, 0], 2)
    # A former speculating ship counts: B builds at two docks.
    s = building(2, ships={A: "D1.1", B: "D1.s D2.1"}, stones=(9, 9), strength={B: (2, 1, 1, 2)})
    play(s, "decline build green none column build blue none row1")
    assert (s.vp[B], s.round) == (2 + 1 + 2, 2)


@clause("EGZ-U3")
def test_after_clean_up_everything_is_back() -> None:
    rounds = 0
    for before, _, _, s in random_games(3, 4, seed=12):
        if s.round > before.round > 0:
            rounds += 1
            assert (s.flipped, s.spent & ~mask("N12-14"), s.tokens, s.built, s.present) == ([0] * 4, 0, [0] * 4, [0] * 4, [0] * 4)
            assert (s.ships, s.frontier, s.card_ship, sum(map(sum, s.dock))) == ([8] * 4, [0] * 4, [0] * 10, 0)
            assert (s.passed, s.speculator, sum(map(sum, s.tile_ships))) == (0, [0] * 3, 0)
    assert rounds == 12


@clause("EGZ-U4")
def test_the_game_ends_after_round_5_without_a_new_turn_order() -> None:
    s = position(3, round=5, order="CAB", vp=(5, 50, 20))
    play(s, "pass pass pass")
    assert (step(s), s.round, s.order[:3], GAME.ending(s)) == ("over", 5, [C, A, B], "five_rounds")
    assert GAME.actors(s) == []


@clause("EGZ-U5")
def test_lowest_vp_first_and_of_equals_the_later_arrival() -> None:
    s = position(3, vp=(10, 10, 8), arrived="ABC")
    s.phase = Phase.BUILDING
    rounds.clean_up(s)
    assert s.order[:3] == [C, B, A]


# --- Parts of the final scoring ---------------------------------------------------------------------------------------


@clause("EGZ-Z2")
@pytest.mark.parametrize(
    ("pyramid", "zero", "points"),
    [
        ("AAB", False, [5, 0, 0]),
        ("AABB", False, [5, 5, 0]),
        ("", False, [0, 0, 0]),
        ("", True, [5, 5, 5]),
        ("C", True, [0, 0, 5]),
    ],
)
def test_pyramid_majority(pyramid: str, zero: bool, points: list[int]) -> None:
    s = position(3, pyramid=(pyramid,), pyramid_majority_zero=zero)
    assert [scoring.majority_points(s, p) for p in range(3)] == points


@clause("EGZ-Z3", "EGZ-N3")
def test_nile_cards_that_score_at_the_end() -> None:
    assert scoring.nile_points(position(3, held={A: "N34-22 N12-01 N12-04 N34-01"}), A) == 6
    for bricks, points in ((2, 0), (3, 1), (5, 1), (6, 2)):
        assert scoring.nile_points(position(3, held={A: "N5-11"}, obelisk="A" * bricks), A) == points
    s = position(3, held={A: "N5-12"}, obelisk="AAA", columns=(3, 0, 0), levels={A: (1, 1, 0)}, pyramid=("AA",))
    assert scoring.nile_points(s, A) == 4
    s.level[A][2] = 1
    assert scoring.nile_points(s, A) == 6
    s.pyramid[0][2] = 1
    assert scoring.nile_points(s, A) == 8
    unused = "N12-13 N12-14 N12-15 N12-16 N12-19 N12-20 N12-21 N34-15 N34-16 N34-17 N34-18 N34-19 N34-20 N34-21 N5-09 N5-10"
    assert scoring.nile_points(position(3, held={A: unused}), A) == 0


SPHINX: list[tuple[str, int, dict[str, Any], dict[str, Any]]] = [
    # card, VP, a position that meets it, one that just does not
    ("S01", 5, {"obelisk": "B" * 14}, {"obelisk": "A" * 13}),
    ("S02", 5, {"obelisk": "ABAA"}, {"obelisk": "ABAB"}),
    ("S03", 9, {"obelisk": "AAABAA"}, {"obelisk": "AAABAB"}),
    ("S04", 7, {"obelisk": "BBBBBBBBAA"}, {"obelisk": "AAAAAAAABA"}),
    ("S05", 5, {"columns": (4,)}, {"columns": (3,)}),
    ("S06", 8, {"columns": (6,)}, {"columns": (5,)}),
    ("S07", 10, {"columns": (7,)}, {"columns": (6,)}),
    ("S08", 6, {"pyramid": ("AABAA",)}, {"pyramid": ("AABA",)}),
    ("S09", 9, {"pyramid": ("AAAAA", "A")}, {"pyramid": ("AAAA", "A")}),
    ("S10", 6, {"pyramid": ("AAA", "BA", "A")}, {"pyramid": ("BBB", "AA", "A")}),
    ("S11", 4, {"pyramid": ("BBBBBB", "BBBBB")}, {"pyramid": ("AAAAAA", "AAAA")}),
    ("S12", 8, {"pyramid": ("BBBBBB", "BBBBB", "BBBB", "BBB", "BB", "B")}, {"pyramid": ("AAAAAA", "AAAAA", "AAAA", "AAA", "AA")}),
    ("S13", 5, {"levels": {A: (4, 0, 0)}}, {"levels": {A: (3, 0, 0)}}),
    ("S14", 9, {"levels": {A: (4, 2, 1)}}, {"levels": {A: (4, 2, 0)}}),
    ("S15", 4, {"levels": {A: (1, 1, 1)}}, {"levels": {A: (4, 4, 0)}}),
    (
        *("S16", 8),
        {"obelisk": "AA", "columns": (2,), "levels": {A: (1, 1, 0)}, "pyramid": ("AA",)},
        {"obelisk": "AA", "columns": (2,), "levels": {A: (1, 1, 0)}, "pyramid": ("AB",)},
    ),
    (
        *("S17", 12),
        {"obelisk": "AAA", "columns": (3,), "levels": {A: (1, 1, 1)}, "pyramid": ("AA", "A")},
        {"obelisk": "AAA", "columns": (2,), "levels": {A: (1, 1, 1)}, "pyramid": ("AA", "A")},
    ),
    ("S18", 6, {"obelisk": "A" * 7, "columns": (7,)}, {"obelisk": "A" * 6, "columns": (7,)}),
    (
        *("S19", 10),
        {"obelisk": "A" * 7, "columns": (7,), "levels": {A: (4, 0, 0)}, "pyramid": ("AA",)},
        {"obelisk": "A" * 7, "columns": (7,), "levels": {A: (4, 0, 0)}, "pyramid": ("A",)},
    ),
    ("S20", 6, {"strength": {A: (5, 6, 5, 2)}}, {"strength": {A: (9, 9, 4, 9)}}),
    ("S21", 6, {"strength": {A: (1, 1, 1, 6)}}, {"strength": {A: (9, 9, 9, 5)}}),
    ("S22", 8, {"strength": {A: (6, 6, 5, 5)}}, {"strength": {A: (6, 6, 5, 4)}}),
    ("S23", 6, {"held": {A: "N34-09 N34-07"}}, {"held": {A: "N34-09 N34-08"}}),
    ("S24", 7, {"held": {A: "N34-01 N5-02"}}, {"held": {A: "N34-01 N34-02"}}),
    ("S25", 5, {"held": {A: "N12-08 N12-10"}}, {"held": {A: "N12-08 N12-09"}}),
    ("S26", 5, {"stones": (8,)}, {"stones": (7,)}),
    ("S27", 6, {"market": {A: (5, 1)}}, {"market": {A: (4, 5)}}),
    ("S28", 6, {"market": {A: (1, 5)}}, {"market": {A: (5, 4)}}),
]


@clause("EGZ-Z4")
@pytest.mark.parametrize(("name", "vp", "met", "unmet"), SPHINX, ids=[row[0] for row in SPHINX])
def test_sphinx_cards(name: str, vp: int, met: dict[str, Any], unmet: dict[str, Any]) -> None:
    assert scoring.sphinx_card_points(position(3, **met), A, sphinx_card(name)) == vp
    assert scoring.sphinx_card_points(position(3, **unmet), A, sphinx_card(name)) == 0


@clause("EGZ-Z4", "EGZ-Z1")
@pytest.mark.parametrize(("vp", "points"), [(0, 0), (9, 0), (10, 1), (47, 4), (-12, 0)])
def test_s29_counts_the_track_before_final_scoring(vp: int, points: int) -> None:
    s = position(3, vp=(vp, 0, 0), hands={A: "S29 S26"}, stones=(8, 0, 0), market={A: (1, 5)}, pyramid=("A",))
    assert scoring.sphinx_card_points(s, A, sphinx_card("S29")) == points
    final(s)
    assert s.final[A] == [5, 0, points + 5, 0, 4]
    assert s.vp[A] == vp + 5 + points + 5 + 4


@clause("EGZ-N5", "EGZ-Z4")
def test_the_improved_colour_counts_for_three_colours() -> None:
    s = position(3, held={A: "N12-08 N12-10 N12-13"})
    s.improved[0] = 1 + card("N12-10")
    assert scoring.sphinx_card_points(s, A, sphinx_card("S25")) == 0


STATUES: list[tuple[str, tuple[int, ...], list[dict[str, Any]]]] = [
    # statue, thresholds, positions that reach exactly each threshold
    ("A1", (10, 14, 18, 22), [{"held": {A: h}} for h in ("N34-06", "N12-06 N12-08", "N12-08 N12-10", "N34-09 N34-07")]),
    ("A2", (6, 8, 10, 12), [{"held": {A: h}} for h in ("N12-01", "N12-01 N12-04", "N34-01 N34-03", "N34-01 N5-02")]),
    ("A3", (12, 15, 18, 21), [{"strength": {A: (1, 1, 1, n - 3)}} for n in (12, 15, 18, 21)]),
    (
        *("A4", (2, 3, 4, 5)),
        [{"held": {A: h}} for h in ("N12-06", "N12-06 N12-07", "N12-06 N12-07 N12-08", "N12-06 N12-07 N12-08 N12-09")],
    ),
    ("A5", (5, 6, 8, 9), [{"market": {A: m}} for m in ((1, 4), (4, 2), (5, 3), (4, 5))]),
    ("B1", (2, 3, 4, 5), [{"obelisk": "B" + "A" * n} for n in (2, 3, 4, 5)]),
    ("B2", (3, 4, 5, 7), [{"columns": (n, 0, 0)} for n in (3, 4, 5, 7)]),
    ("B3", (2, 4, 5, 7), [{"pyramid": p} for p in (("AAB",), ("AAAA",), ("AAAAA",), ("AAAAA", "AA"))]),
    ("B4", (2, 3, 4, 5), [{"hands": {A: " ".join(f"S{i:02}" for i in range(1, n + 1))}} for n in (2, 3, 4, 5)]),
    ("B5", (8, 12, 16, 20), [{"obelisk": "A" * (n - 7), "columns": (7, 0, 0)} for n in (8, 12, 16, 20)]),
]


@clause("EGZ-Z5", "EGZ-E5")
@pytest.mark.parametrize(("name", "thresholds", "reached"), STATUES, ids=[row[0] for row in STATUES])
def test_statues(name: str, thresholds: tuple[int, ...], reached: list[dict[str, Any]]) -> None:
    """A position that meets threshold n scores space n if it is built, and space n if more is built."""
    vp = [2, 5, 9, 14] if name[0] == "A" else [3, 7, 12, 18]
    assert tuple(components.STATUE_LEAST[components.STATUE_NAMES.index(name)]) == thresholds
    others = "B2 A1" if name in ("B1", "A4") else "B1 A4"
    for space, facts in enumerate(reached):
        s = position(3, statues=f"{name} {others}", **facts)
        for level in range(5):
            s.level[A][0] = level
            if name == "B5":
                s.columns[A] = 7 - level  # the bricks on the statue count, too
            assert scoring.one_statue(s, A, 0) == (vp[min(level, space + 1) - 1] if level else 0), (space, level)


@clause("EGZ-Z5")
@pytest.mark.parametrize(
    ("statues", "level", "facts", "points"),
    [
        ("A1 B1 B5", (0, 3, 0), {"obelisk": "AAA"}, 7),
        ("A1 B1 B5", (0, 0, 3), {"obelisk": "AAAAA", "columns": (7, 0, 0)}, 7),  # 5 + 7 + 3 = 15 bricks
        ("A3 B1 B5", (1, 0, 0), {"strength": {A: (3, 3, 3, 2)}}, 0),
    ],
)
def test_the_highest_space_built_whose_threshold_is_met(
    statues: str, level: tuple[int, ...], facts: dict[str, Any], points: int
) -> None:
    s = position(3, statues=statues, levels={A: level}, **facts)
    assert sum(scoring.one_statue(s, A, place) for place in range(3)) == points


@clause("EGZ-Z6")
@pytest.mark.parametrize(("market", "points"), [(1, 0), (2, 0), (3, 0), (4, 3), (5, 3)])
def test_stones_on_the_upper_stone_market(market: int, points: int) -> None:
    assert scoring.stone_points(position(3, stones=(7, 0, 0), market={A: (1, market)}), A) == points


@clause("EGZ-Z6", "EGZ-K2")
def test_stones_on_a_stone_market_of_four_spaces() -> None:
    for market, points in ((2, 0), (3, 3), (4, 3)):
        assert scoring.stone_points(position(3, stones=(7, 0, 0), market={A: (1, market)}, stone_market_spaces="4"), A) == points
    s = position(3, stones=(8, 0, 0), market={A: (1, 4)}, stone_market_spaces="4")
    assert (scoring.sphinx_card_points(s, A, sphinx_card("S28")), scoring.sphinx_card_points(s, A, sphinx_card("S26"))) == (6, 5)


# --- The whole --------------------------------------------------------------------------------------------------------


@clause("EGZ-Z1", "EGZ-Z7")
def test_the_complete_example_of_a_final_scoring() -> None:
    s = position(
        4,
        round=5,
        order="CADB",
        vp=(52, 61, 58, 66),
        statues="A3 B1 B5",
        obelisk="AABBACCAABD",
        pyramid=("AACCDD", "CCDDD", "DCA"),
        columns=(4, 7, 5, 3),
        levels={A: (2, 3, 1), B: (1, 0, 2), C: (3, 1, 3), D: (2, 0, 2)},
        strength={A: (4, 4, 4, 5), B: (3, 3, 3, 2), C: (5, 4, 4, 5), D: (4, 4, 3, 4)},
        market={A: (1, 4), B: (1, 5), C: (1, 3), D: (1, 4)},
        stones=(7, 4, 9, 11),
        held={A: "N5-11", B: "N34-22 N12-01 N12-02 N34-01", C: "N5-12"},
        hands={A: "S03 S16", B: "S07 S17 S29", C: "S10 S14 S20", D: "S09 S18"},
    )
    assert final(s) == [98, 92, 103, 103]
    assert [row[0] for row in s.final] == [0, 0, 0, 5]
    assert [row[1] for row in s.final] == [6, 6, 6, 0]
    assert [row[2] for row in s.final] == [17, 16, 15, 15]
    assert [row[3] for row in s.final] == [20, 7, 24, 12]
    assert [row[4] for row in s.final] == [3, 2, 0, 5]
    assert GAME.ranks(s) == [3, 4, 2, 1]


@clause("EGZ-Z7")
def test_of_equals_the_later_in_the_turn_order_of_round_5_wins() -> None:
    for order, ranks in (("ABC", [2, 1, 3]), ("BAC", [1, 2, 3]), ("CBA", [1, 2, 3])):
        s = position(3, round=5, order=order, vp=(20, 20, 3), stones=(0, 0, 0))
        final(s)
        assert GAME.ranks(s) == ranks
