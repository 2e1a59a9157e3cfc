"""Nile Mural, clause by clause, with the figures of the rule specification: bonuses, the end, scoring, and the examples."""

from __future__ import annotations

from collections import Counter

import pytest

from perankh.games.mural.rules import scoring
from perankh.games.mural.rules.actions import DRAW, STOP
from perankh.games.mural.rules.components import AREA_CELLS, AREA_OF, AREA_VALUE, AREAS, Track
from perankh.games.mural.rules.state import Step
from perankh.testing import clause

from .positions import MURAL, choices, do, draw, hand, members, next_from_deck, put, table

# --- Combo bonus ----------------------------------------------------------------------------------------------------

COMBO_TABLE = {1: (0, 1), 2: (0, 0), 3: (0, 1), 4: (1, 1), 5: (0, 2), 6: (2, 1), 7: (0, 3), 8: (3, 1), 9: (0, 4), 10: (5, 1)}


@clause("MUR-C1", "MUR-C2", "MUR-C3", "MUR-C5")
@pytest.mark.parametrize("count", range(1, 11))
def test_the_combo_table(count: int) -> None:
    cards = [90, 80, 70, 60, 50, 30, 20, 10, 0, 1][:count]
    s = do(table(hands={0: cards}), *cards)
    if count < 10:
        do(s, STOP)
    steps, taken = COMBO_TABLE[count]
    assert s.track[Track.COMBO] == [steps, 0, 0, 0]
    for left in range(taken, 0, -1):
        assert (s.turn, s.step, s.takes) == (0, Step.TAKE, left)
        assert STOP not in choices(s)  # the bonus cannot be refused
        do(s, DRAW)
    assert s.turn == 1
    assert len(hand(s, 0)) == taken


@clause("MUR-C3")
def test_bonus_cards_come_one_by_one_from_deck_or_row() -> None:
    s = do(table(hands={0: [90, 80, 70, 60, 50]}, row=[33, 44]), 90, 80, 70, 60, 50, STOP)
    next_from_deck(s, 12)
    do(s, DRAW)
    assert 12 in hand(s, 0)  # seen before the next choice
    assert choices(s) == [33, 44, DRAW]
    do(s, 44)
    assert hand(s, 0) == [12, 44]
    assert s.turn == 1


@clause("MUR-C4")
def test_short_supply_gives_what_there_is_and_all_the_steps() -> None:
    cards = [90, 80, 70, 60, 50, 30, 20, 10]
    s = do(table(hands={0: cards, 1: [5]}, deck=[]), *cards, STOP)
    assert s.track[Track.COMBO][0] == 3
    assert hand(s, 0) == []
    assert s.turn == 1
    s = do(table(hands={0: [*cards[:7]], 1: [5]}, deck=[41], row=[42]), *cards[:7], STOP, DRAW, 42)
    assert hand(s, 0) == [41, 42]  # two of the three there should be
    assert s.turn == 1


# --- Area bonus -----------------------------------------------------------------------------------------------------


@clause("MUR-R1", "MUR-R3")
@pytest.mark.parametrize("area_map", ["regular", "irregular"])
def test_each_area_is_scored_once_by_whoever_fills_it(area_map: str) -> None:
    number = 0 if area_map == "regular" else 1
    for area, letter in enumerate(AREAS):
        cells = members(AREA_CELLS[number][area])
        last, others = cells[-1], cells[:-1]
        s = table(area_map=area_map, wall=others, hands={0: [last]})
        do(s, last)
        value = AREA_VALUE[number][area]
        assert s.track[Track.AREA] == [value, 0, 0, 0], letter
        for lacking in others:
            rest = [card for card in others if card != lacking]
            early = do(table(area_map=area_map, wall=rest, hands={0: [last]}), last)
            assert early.track[Track.AREA] == [0, 0, 0, 0]
    assert sum(AREA_VALUE[number]) == 24


@clause("MUR-R1")
def test_the_cells_of_the_area_maps() -> None:
    regular = {"A": 6, "B": 8, "C": 6, "D": 9, "E": 12, "F": 9, "G": 9, "H": 12, "J": 9, "K": 6, "L": 8, "M": 6}
    sizes = [Counter(AREAS[area] for area in area_of) for area_of in AREA_OF]
    assert sizes[0] == regular
    assert sizes[1] == {**dict.fromkeys("ABCD", 6), **dict.fromkeys("EFGK", 8), **dict.fromkeys("HJLM", 11)}
    for number in range(2):
        assert AREA_VALUE[number][AREA_OF[number][64]] == 3


@clause("MUR-R2")
def test_a_later_miss_does_not_undo_an_area() -> None:
    s = draw(table(wall=[0, 1, 2, 10, 11], hands={0: [12]}))
    do(s, 12)
    draw(s, 23)
    assert s.track[Track.MISS][0] == -1
    assert s.track[Track.AREA][0] == 1


@clause("MUR-R4")
def test_an_ankh_that_fills_an_area_scores_first() -> None:
    s = do(table(wall=[87, 88, 89, 97, 98], hands={0: [99]}), 99)
    assert s.track[Track.AREA][0] == 3
    assert (s.step, s.takes) == (Step.TAKE, 1)


# --- Deck and row exhausted -----------------------------------------------------------------------------------------


@clause("MUR-X1")
def test_without_deck_and_row_a_player_without_hand_is_skipped() -> None:
    s = do(table(hands={0: [5, 6], 2: [7]}, deck=[]), 5, STOP)
    assert s.turn == 2
    assert STOP not in choices(s)  # at least one placement
    do(s, 7, STOP)
    assert s.turn == 0


@clause("MUR-X2")
def test_with_a_row_nobody_is_skipped() -> None:
    s = do(table(hands={0: [5, 6]}, deck=[], row=[88]), 5, 6, STOP)
    assert s.turn == 1
    assert choices(s) == [88]


@clause("MUR-X3", "MUR-X4")
def test_the_turn_goes_on_from_the_hand_when_the_deck_runs_out() -> None:
    s = table(hands={0: [60, 50, 40, 30, 20, 7, 6], 1: [55], 2: []}, deck=[70], wall=[])
    put(s, s.wall, [66])
    do(s, 60, 50, 40)  # 40 is an ankh: the last deck card is taken
    do(s, DRAW)
    assert s.deck == 0
    do(s, 70, 30, 20, 7, 6)
    assert s.placed == 8
    do(s, STOP)
    assert s.track[Track.COMBO][0] == 3
    assert hand(s, 0) == []


@clause("MUR-X5")
def test_the_last_player_with_cards_takes_turn_after_turn() -> None:
    cards = [90, 80, 70, 60, 50, 30, 20, 10]
    one = do(table(hands={0: cards}, deck=[]), *cards, STOP)
    assert (one.track[Track.COMBO][0], one.step) == (3, Step.OVER)
    two = do(table(hands={0: cards}, deck=[]), *cards[:4], STOP, *cards[4:], STOP)
    assert (two.track[Track.COMBO][0], two.step) == (2, Step.OVER)
    eight = table(hands={0: cards}, deck=[])
    for card in reversed(cards):  # each would be in the shadow of none: every first card is free
        do(eight, card, STOP)
    assert (eight.track[Track.COMBO][0], eight.step) == (0, Step.OVER)


@clause("MUR-X6")
def test_hands_and_row_have_no_limit_and_the_deck_is_not_refilled() -> None:
    s = table(row=list(range(1, 60)), hands={0: [0, *range(60, 99)]}, deck=[99])
    assert len(choices(s)) == 59 + 40 + 1
    do(s, 98)
    draw(s, 99)
    do(s, 59)
    assert s.deck == 0
    assert DRAW not in choices(s)


# --- End ------------------------------------------------------------------------------------------------------------


@clause("MUR-E1")
def test_the_last_turn_is_completed_and_counts() -> None:
    s = do(table(hands={0: [90, 80, 70, 60]}, deck=[]), 90, 80, 70, 60)
    assert s.step == Step.PLACE
    assert MURAL.ending(s) is None
    do(s, STOP)
    assert s.track[Track.COMBO][0] == 1
    assert MURAL.ending(s) == "mural_complete"
    assert MURAL.actors(s) == []


@clause("MUR-E1")
def test_without_last_turn_bonus_the_last_card_ends_the_game() -> None:
    s = do(table(hands={0: [90, 80, 70, 60]}, deck=[], last_turn_bonus=False), 90, 80, 70, 60)
    assert s.step == Step.OVER
    assert s.track[Track.COMBO][0] == 0


@clause("MUR-E2")
def test_tracks_have_no_end() -> None:
    s = table(hands={0: [90, 80, 70, 60, 50, 30, 20, 10, 0, 1]}, deck=[2])
    s.track[Track.COMBO][0] = 30
    do(s, 90, 80, 70, 60, 50, 30, 20, 10, 0, 1)
    assert s.track[Track.COMBO][0] == 35
    do(s, DRAW)
    s = table()
    s.track[Track.MISS][0] = -40
    draw(s, 25, 37)
    assert s.track[Track.MISS][0] == -41


FINALS = [
    (2, [9, 9], [13, 11], [-2, -2], [15, 13], [1, 2]),
    (2, [12, 8], [11, 13], [-1, -1], [13, 13], [1, 2]),
    (2, [10, 8], [11, 13], [-1, -1], [13, 13], [1, 1]),
    (3, [8, 12, 5], [10, 6, 8], [0, -3, -1], [13, 9, 8], [1, 2, 3]),
    (3, [5, 5, 5], [8, 8, 8], [-1, -1, -1], [15, 15, 15], [1, 1, 1]),
    (4, [10, 7, 3, 3], [6, 9, 6, 3], [-2, 0, -1, -2], [11, 13, 8, 3], [2, 1, 3, 4]),
    (4, [6, 6, 2, 1], [9, 9, 3, 3], [0, 0, -1, -5], [15, 15, 5, 2], [1, 1, 3, 4]),
]


@clause("MUR-E3", "MUR-E4", "MUR-E6", "MUR-E7")
@pytest.mark.parametrize(("players", "combo", "area", "miss", "points", "places"), FINALS)
def test_final_scoring(
    players: int, combo: list[int], area: list[int], miss: list[int], points: list[int], places: list[int]
) -> None:
    s = table(players)
    rest = [0] * (4 - players)
    s.track = [combo + rest, area + rest, miss + rest]
    assert MURAL.scores(s) == points
    assert MURAL.ranks(s) == places


@clause("MUR-E5")
def test_equal_markers_share_a_place_and_its_points() -> None:
    s = table(4)
    s.track = [[10, 9, 9, 8], [0] * 4, [0] * 4]
    everyone = 6 + 3  # first on the two other tracks
    assert [points - everyone for points in MURAL.scores(s)] == [6, 4, 4, 0]


@clause("MUR-E7")
def test_the_tie_break_adds_the_three_markers() -> None:
    s = table(2)
    s.track = [[10, 0, 0, 0], [6, 0, 0, 0], [-2, 0, 0, 0]]
    assert scoring.marker_sum(s, 0) == 14


@clause("MUR-V1")
def test_there_are_no_variants_but_data_sets_and_rulings() -> None:
    assert set(MURAL.options) == {"area_map", "ankh_set", "combo_table", "track_points", "start_player", "last_turn_bonus"}


# --- The examples of the rulebook -----------------------------------------------------------------------------------


@clause("MUR-B2", "MUR-C5", "MUR-M3", "MUR-R1", "MUR-A3")
def test_three_turns_of_three_players() -> None:
    h_but_64 = [53, 54, 55, 56, 63, 65, 66, 73, 74, 75, 76]
    s = table(hands={0: [3], 1: [5], 2: [45]}, wall=h_but_64)
    draw(s, 25, 8, 37)  # A
    do(s, STOP)
    next_from_deck(s, 13)
    do(s, DRAW)
    assert hand(s, 0) == [3, 13]
    assert s.track[Track.COMBO][0] == 0
    draw(s, 22)  # B
    next_from_deck(s, 62)
    do(s, DRAW, 62)
    draw(s, 81, 95)
    assert members(s.row) == [95]
    assert s.track[Track.MISS] == [0, -1, 0, 0]
    assert hand(s, 1) == [5]
    assert s.turn == 2
    do(s, 95)  # C
    draw(s, 69, 64)
    assert s.track[Track.AREA] == [0, 0, 3, 0]
    do(s, 45, STOP)
    assert s.track[Track.COMBO] == [0, 0, 1, 0]
    next_from_deck(s, 7)
    do(s, DRAW)
    assert hand(s, 2) == [7]
    assert s.turn == 0


@clause("MUR-X1", "MUR-X3", "MUR-C4", "MUR-R1")
def test_three_turns_near_the_end() -> None:
    s = table(hands={0: [90, 80, 70, 60, 50, 20, 10], 1: [12, 44]}, deck=[30])
    do(s, 90, 80, 70, 60, 50)
    draw(s, 30)
    assert s.deck == 0
    do(s, 20, 10, STOP)
    assert s.track[Track.COMBO][0] == 3
    assert hand(s, 0) == []
    assert s.turn == 1
    do(s, 12)
    assert s.track[Track.AREA][1] == 1
    do(s, STOP)
    assert hand(s, 1) == [44]
    assert s.turn == 1  # C and A have no cards and are skipped


@clause("MUR-T8", "MUR-C2", "MUR-A1")
def test_a_run_up_the_first_column() -> None:
    s = table(hands={0: [90, 80, 70, 60, 50, 40, 30, 20, 10, 0]})
    do(s, 90, 80, 70, 60, 50, 40)
    assert s.step == Step.TAKE
    do(s, DRAW)
    do(s, 30, 20, 10, 0)
    assert s.track[Track.COMBO][0] == 5
    assert s.step == Step.TAKE
    do(s, DRAW)
    assert (s.turn, len(hand(s, 0))) == (1, 2)
