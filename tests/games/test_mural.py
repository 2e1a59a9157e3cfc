"""Nile Mural, clause by clause, with the figures of the rule specification."""

from __future__ import annotations

from collections import Counter

import pytest

from perankh.errors import BadOption
from perankh.games.mural.rules import (
    AREA,
    AREA_CELLS,
    AREA_OF,
    AREA_VALUE,
    AREAS,
    COMBO,
    HAND,
    IS_ANKH,
    MISS,
    OPEN,
    OVER,
    PLACE,
    State,
    forbidden,
    hand_size,
)
from perankh.testing import clause

from .mural_positions import DRAW, MURAL, ROW, SHEET, STOP, TAKE, cards_in, choices, do, draw, hand, next_from_deck, table

# --- Set-up ---------------------------------------------------------------------------------------------------------


@clause("MUR-S1")
def test_two_to_four_players_each_of_a_colour() -> None:
    for players in (2, 3, 4):
        s = MURAL.new_state(players, 1)
        colours = {MURAL.face.seat_name(p, "en") for p in range(players)}
        assert len(colours) == players
        assert colours <= {"Red", "Blue", "Yellow", "Black"}
        assert hand_size(s, 0) == 1
    for players in (0, 1, 5):
        with pytest.raises(BadOption, match="2 to 4 players"):
            MURAL.new_state(players, 1)


@clause("MUR-S2", "MUR-S3", "MUR-S4")
@pytest.mark.parametrize(("players", "deck"), [(2, 98), (3, 97), (4, 96)])
def test_the_deal(players: int, deck: int) -> None:
    s = MURAL.new_state(players, 5)
    assert isinstance(s, State)
    assert s.deck == deck == s.where.count(0)
    assert [len(hand(s, p)) for p in range(players)] == [1] * players
    assert cards_in(s, SHEET) == cards_in(s, ROW) == []
    assert s.track == [[0] * 4] * 3
    assert s.pawn == -1  # the pawn stands beside the sheet


@clause("MUR-S2")
def test_every_card_is_as_likely_to_be_dealt() -> None:
    first = Counter(hand(MURAL.new_state(2, seed), 0)[0] for seed in range(4000))
    assert set(first) == set(range(100))
    assert max(first.values()) < 80  # 40 expected, standard deviation 6.3


@clause("MUR-S5")
def test_the_start_player_is_random_or_chosen_and_turns_go_clockwise() -> None:
    starts = Counter(MURAL.new_state(4, seed).turn for seed in range(400))
    assert sorted(starts) == [0, 1, 2, 3]
    assert min(starts.values()) > 60
    for seat in range(3):
        s = MURAL.new_state(3, 9, {"start_player": seat})
        assert s.turn == seat
        draw(s, next(c for c in range(100) if s.where[c] == 0))
        while s.turn == seat:
            do(s, choices(s)[-1])
        assert s.turn == (seat + 1) % 3


@clause("MUR-S6")
def test_a_hand_is_seen_by_its_owner_alone() -> None:
    s = table(hands={0: [11], 1: [22, 33]}, opened={1: [44]}, row=[55])
    for viewer in (0, 2, -1):
        seen = MURAL.veiled(s, viewer)
        assert isinstance(seen, State)
        assert hand(seen, 1) == [44]  # taken from the row, so known
        assert hand_size(seen, 1) == 3
        assert seen.deck == s.deck
        assert cards_in(seen, ROW) == [55]
        assert hand(seen, 0) == ([11] if viewer == 0 else [])
    assert hand(MURAL.veiled(s, 1), 1) == [22, 33, 44]


# --- Turn -----------------------------------------------------------------------------------------------------------


@clause("MUR-T1")
def test_at_least_one_and_at_most_ten_placements() -> None:
    s = table(hands={0: [90, 80, 70, 60, 50, 30, 20, 10, 0, 1, 2]}, deck=[41])
    assert STOP not in choices(s)
    do(s, 90)
    assert STOP in choices(s)
    do(s, 80, 70, 60, 50, 30, 20, 10, 0, 1)
    assert hand(s, 0) == [2]
    assert s.step == TAKE  # the turn ended by itself after the tenth
    assert s.ending_turn == 1


@clause("MUR-T2", "MUR-T7")
def test_each_placement_chooses_its_source_anew() -> None:
    s = table(hands={0: [30, 7], 1: [8]}, row=[50, 60])
    assert choices(s) == [7, 30, 50, 60, DRAW]
    do(s, 60)
    do(s, 50)
    assert choices(s) == [7, 30, DRAW, STOP]
    draw(s, 40)  # an ankh
    do(s, DRAW)
    draw(s, 20, 10)
    do(s, 7)
    assert s.placed == 6
    s = table(deck=[12], hands={0: [30]})
    draw(s, 12)
    assert choices(s) == [30, STOP]  # the deck is empty


@clause("MUR-T3", "MUR-T4", "MUR-T6")
def test_a_drawn_card_is_placed_on_its_own_cell_at_once() -> None:
    s = table(hands={0: [30]})
    draw(s, 57)
    assert s.where[57] == SHEET
    assert hand(s, 0) == [30]
    assert s.pawn == 57
    assert cards_in(s, SHEET) == [57]


@clause("MUR-T5")
def test_stop_or_go_on_after_each_placement_and_its_effects() -> None:
    s = table(sheet=[0, 1, 2, 10, 11], hands={0: [12]})
    do(s, 12)
    assert s.track[AREA][0] == 1  # scored before the choice
    assert STOP in choices(s)
    assert DRAW in choices(s)
    draw(s, 22)
    assert choices(s) == [DRAW]  # the ankh take comes before stopping
    do(s, DRAW)
    assert STOP in choices(s)


@clause("MUR-T8", "MUR-T10")
def test_a_turn_ends_by_stopping_by_the_tenth_card_or_by_a_miss() -> None:
    stopped = do(table(hands={0: [5, 3]}), 5, 3, STOP)
    assert (stopped.turn, stopped.placed, stopped.step) == (1, 0, PLACE)
    tenth = do(
        table(hands={0: [90, 80, 70, 60, 50, 30, 20, 10, 0, 1]}, deck=[41, 42]), 90, 80, 70, 60, 50, 30, 20, 10, 0, 1, DRAW
    )
    assert (tenth.turn, tenth.placed) == (1, 0)
    missed = draw(table(), 25, 37)
    assert (missed.turn, missed.placed, missed.step) == (1, 0, PLACE)
    last = do(table(hands={0: [5]}, players=2), 5, STOP, DRAW)
    assert last.turn == 1
    last.where[6] = HAND + 1
    do(last, 6, STOP, DRAW)
    assert last.turn == 0  # round to the first again


@clause("MUR-T9")
def test_with_nothing_to_place_stopping_is_the_only_choice_and_earns_the_bonus() -> None:
    s = table(hands={0: [10, 0, 99, 55]}, deck=[], row=[])
    do(s, 10, 0)
    assert choices(s) == [STOP]
    assert hand(s, 0) == [55, 99]
    s = table(hands={0: [33, 23, 13, 0, 99]}, deck=[])
    do(s, 33, 23, 13, 0)
    assert choices(s) == [STOP]
    do(s, STOP)
    assert s.track[COMBO][0] == 1
    assert s.track[MISS][0] == 0


# --- Shadow ---------------------------------------------------------------------------------------------------------


@clause("MUR-B1")
def test_the_first_card_of_a_turn_is_free() -> None:
    s = do(table(hands={0: [0], 1: [99, 55]}), 0, STOP, DRAW)
    assert s.turn == 1
    assert {55, 99} <= set(choices(s))


@clause("MUR-B2", "MUR-B3")
def test_the_shadow_lies_below_and_to_the_right_of_the_card_just_before() -> None:
    missed = draw(table(), 25, 37)
    assert cards_in(missed, ROW) == [37]
    s = draw(table(), 25, 8, 37)
    assert cards_in(s, SHEET) == [8, 25, 37]
    s = draw(table(), 22)
    next_from_deck(s, 62)  # the ankh's card
    do(s, DRAW, 62)
    draw(s, 81)
    assert {22, 62, 81} <= set(cards_in(s, SHEET))
    draw(s, 95)
    assert cards_in(s, ROW) == [95]


@clause("MUR-B2", "MUR-B4", "MUR-B5", "MUR-B6")
def test_the_size_and_the_shape_of_every_shadow() -> None:
    s = table()
    s.placed = 1
    for pawn in range(100):
        s.pawn = pawn
        shadow = [card for card in range(100) if forbidden(s, card)]
        tens, ones = divmod(pawn, 10)
        assert len(shadow) == (9 - tens) * (9 - ones)
        assert all(card // 10 > tens and card % 10 > ones for card in shadow)
    sizes = {0: 81, 22: 49, 25: 28, 88: 1, 90: 0}
    for pawn, size in sizes.items():
        s.pawn = pawn
        assert sum(forbidden(s, card) for card in range(100)) == size


@clause("MUR-B4", "MUR-B5")
def test_same_row_and_column_are_allowed_and_the_last_row_and_column_cast_no_shadow() -> None:
    s = do(table(hands={0: [22, 82, 25]}, deck=[]), 22)
    assert {82, 25} <= set(choices(s))
    s = draw(table(hands={0: [45]}), 95, 69, 64)
    do(s, 45)
    assert set(cards_in(s, SHEET)) == {95, 69, 64, 45}


@clause("MUR-B7")
def test_a_shadowed_card_of_hand_or_row_cannot_be_chosen() -> None:
    s = do(table(hands={0: [22 + 1, 99, 24]}, row=[88, 5]), 23)
    assert 99 not in choices(s)
    assert 88 not in choices(s)
    assert {5, 24} <= set(choices(s))
    assert "shadow" in MURAL.face.refusal(s, 0, 99, "en")


@clause("MUR-B2")
def test_after_00_only_its_row_and_column_are_allowed() -> None:
    s = do(table(hands={0: list(range(100))}, deck=[]), 0)
    allowed = [card for card in choices(s) if card < 100]
    assert len(allowed) == 18
    assert all(card < 10 or card % 10 == 0 for card in allowed)


# --- Miss -----------------------------------------------------------------------------------------------------------


@clause("MUR-M1", "MUR-M2", "MUR-M3", "MUR-M4", "MUR-M5")
def test_a_miss_goes_to_the_row_and_ends_the_turn_without_bonus() -> None:
    s = table(players=2, sheet=[0, 1, 2, 10, 11], row=[70], hands={0: [8]})
    draw(s, 12)  # completes area A
    do(s, 8)
    draw(s, 5, 4)  # 04 is an ankh
    do(s, 70)
    cards_before = hand(s, 0)
    assert s.placed == 4
    draw(s, 99)  # an ankh, and the last card an area could need
    assert cards_in(s, ROW) == [99]
    assert s.track[MISS][0] == -1
    assert s.track[COMBO] == [0, 0, 0, 0]
    assert s.track[AREA][0] == 1  # kept
    assert hand(s, 0) == cards_before == [70]  # kept, nothing taken
    assert (s.turn, s.step) == (1, PLACE)
    assert set(cards_in(s, SHEET)) == {0, 1, 2, 10, 11, 12, 8, 5, 4}


@clause("MUR-M2")
def test_missed_cards_lie_side_by_side() -> None:
    s = draw(table(row=[50]), 25, 37)
    draw(s, 11, 88)
    assert cards_in(s, ROW) == [37, 50, 88]


@clause("MUR-M6")
def test_only_a_later_deck_card_can_miss() -> None:
    s = draw(table(hands={1: [8]}), 0, 1)
    do(s, STOP)
    assert s.turn == 1
    draw(s, 99)  # the first placement never misses
    assert s.where[99] == SHEET
    next_from_deck(s, 98)
    do(s, DRAW)  # nor does a card taken into the hand
    assert s.where[98] == HAND + 1
    assert s.track[MISS] == [0, 0, 0, 0]


# --- Ankh -----------------------------------------------------------------------------------------------------------


@clause("MUR-A1", "MUR-A2", "MUR-A3")
def test_an_ankh_takes_a_card_that_may_be_placed_next() -> None:
    s = draw(table(row=[50, 60]), 22)
    assert (s.step, s.takes) == (TAKE, 1)
    assert choices(s) == [50, 60, DRAW]
    next_from_deck(s, 62)
    do(s, DRAW)
    assert 62 in choices(s)
    do(s, 62)
    assert s.where[62] == SHEET
    from_row = do(draw(table(row=[50, 60]), 22), 60)
    assert hand(from_row, 0) == [60]
    assert from_row.where[60] == OPEN
    from_hand = do(table(hands={0: [22]}), 22)
    from_the_row = do(table(row=[22]), 22)
    assert from_hand.step == from_the_row.step == TAKE


@clause("MUR-A2")
def test_an_ankh_without_deck_and_row_does_nothing() -> None:
    s = do(table(hands={0: [22, 5]}, deck=[]), 22)
    assert s.step == PLACE
    assert choices(s) == [5, STOP]


@clause("MUR-A4")
def test_an_ankh_acts_only_when_placed() -> None:
    s = do(table(hands={0: [5]}, row=[22]), 5, STOP, 22)  # taken as the bonus of one card
    assert hand(s, 0) == [22]
    assert (s.turn, s.step) == (1, PLACE)
    missed = draw(table(), 11, 22)
    assert cards_in(missed, ROW) == [22]
    assert missed.step == PLACE


@clause("MUR-A5")
def test_an_ankh_as_the_tenth_card() -> None:
    s = table(hands={0: [90, 80, 70, 60, 50, 30, 20, 10, 0, 4]}, deck=[88, 89, 91])
    do(s, 90, 80, 70, 60, 50, 30, 20, 10, 0, 4)
    assert (s.step, s.ending_turn, s.track[COMBO][0]) == (TAKE, 0, 0)
    do(s, DRAW)
    assert (s.step, s.ending_turn, s.track[COMBO][0]) == (TAKE, 1, 5)
    do(s, DRAW)
    assert s.turn == 1


@clause("MUR-A1")
def test_the_thirteen_ankh_cards() -> None:
    ankhs = {card for card in range(100) if IS_ANKH[0][card]}
    assert len(ankhs) == 13
    assert 22 in ankhs
    assert not ankhs & {8, 25, 37, 45, 62, 64, 69, 81, 95}


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
    assert s.track[COMBO] == [steps, 0, 0, 0]
    for left in range(taken, 0, -1):
        assert (s.turn, s.step, s.takes) == (0, TAKE, left)
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
    assert s.track[COMBO][0] == 3
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
        cells = [card for card in AREA_CELLS[number][area] if card >= 0]
        last, others = cells[-1], cells[:-1]
        s = table(area_map=area_map, sheet=others, hands={0: [last]})
        do(s, last)
        value = AREA_VALUE[number][area]
        assert s.track[AREA] == [value, 0, 0, 0], letter
        for lacking in others:
            rest = [card for card in others if card != lacking]
            early = do(table(area_map=area_map, sheet=rest, hands={0: [last]}), last)
            assert early.track[AREA] == [0, 0, 0, 0]
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
    s = draw(table(sheet=[0, 1, 2, 10, 11], hands={0: [12]}))
    do(s, 12)
    draw(s, 23)
    assert s.track[MISS][0] == -1
    assert s.track[AREA][0] == 1


@clause("MUR-R4")
def test_an_ankh_that_fills_an_area_scores_first() -> None:
    s = do(table(sheet=[87, 88, 89, 97, 98], hands={0: [99]}), 99)
    assert s.track[AREA][0] == 3
    assert (s.step, s.takes) == (TAKE, 1)


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
    s = table(hands={0: [60, 50, 40, 30, 20, 7, 6], 1: [55], 2: []}, deck=[70], sheet=[])
    s.where[66] = SHEET
    do(s, 60, 50, 40)  # 40 is an ankh: the last deck card is taken
    do(s, DRAW)
    assert s.deck == 0
    do(s, 70, 30, 20, 7, 6)
    assert s.placed == 8
    do(s, STOP)
    assert s.track[COMBO][0] == 3
    assert hand(s, 0) == []


@clause("MUR-X5")
def test_the_last_player_with_cards_takes_turn_after_turn() -> None:
    cards = [90, 80, 70, 60, 50, 30, 20, 10]
    one = do(table(hands={0: cards}, deck=[]), *cards, STOP)
    assert (one.track[COMBO][0], one.step) == (3, OVER)
    two = do(table(hands={0: cards}, deck=[]), *cards[:4], STOP, *cards[4:], STOP)
    assert (two.track[COMBO][0], two.step) == (2, OVER)
    eight = table(hands={0: cards}, deck=[])
    for card in reversed(cards):  # each would be in the shadow of none: every first card is free
        do(eight, card, STOP)
    assert (eight.track[COMBO][0], eight.step) == (0, OVER)


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
    assert s.step == PLACE
    assert MURAL.ending(s) is None
    do(s, STOP)
    assert s.track[COMBO][0] == 1
    assert MURAL.ending(s) == "mural_complete"
    assert MURAL.actors(s) == []


@clause("MUR-E1")
def test_without_last_turn_bonus_the_last_card_ends_the_game() -> None:
    s = do(table(hands={0: [90, 80, 70, 60]}, deck=[], last_turn_bonus=False), 90, 80, 70, 60)
    assert s.step == OVER
    assert s.track[COMBO][0] == 0


@clause("MUR-E2")
def test_tracks_have_no_end() -> None:
    s = table(hands={0: [90, 80, 70, 60, 50, 30, 20, 10, 0, 1]}, deck=[2])
    s.track[COMBO][0] = 30
    do(s, 90, 80, 70, 60, 50, 30, 20, 10, 0, 1)
    assert s.track[COMBO][0] == 35
    do(s, DRAW)
    s = table()
    s.track[MISS][0] = -40
    draw(s, 25, 37)
    assert s.track[MISS][0] == -41


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
    assert MURAL.rules.marker_sum(s, 0) == 14


@clause("MUR-V1")
def test_there_are_no_variants_but_data_sets_and_rulings() -> None:
    assert set(MURAL.options) == {"area_map", "ankh_set", "combo_table", "track_points", "start_player", "last_turn_bonus"}


# --- The examples of the rulebook -----------------------------------------------------------------------------------


@clause("MUR-B2", "MUR-C5", "MUR-M3", "MUR-R1", "MUR-A3")
def test_three_turns_of_three_players() -> None:
    h_but_64 = [53, 54, 55, 56, 63, 65, 66, 73, 74, 75, 76]
    s = table(hands={0: [3], 1: [5], 2: [45]}, sheet=h_but_64)
    draw(s, 25, 8, 37)  # A
    do(s, STOP)
    next_from_deck(s, 13)
    do(s, DRAW)
    assert hand(s, 0) == [3, 13]
    assert s.track[COMBO][0] == 0
    draw(s, 22)  # B
    next_from_deck(s, 62)
    do(s, DRAW, 62)
    draw(s, 81, 95)
    assert cards_in(s, ROW) == [95]
    assert s.track[MISS] == [0, -1, 0, 0]
    assert hand(s, 1) == [5]
    assert s.turn == 2
    do(s, 95)  # C
    draw(s, 69, 64)
    assert s.track[AREA] == [0, 0, 3, 0]
    do(s, 45, STOP)
    assert s.track[COMBO] == [0, 0, 1, 0]
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
    assert s.track[COMBO][0] == 3
    assert hand(s, 0) == []
    assert s.turn == 1
    do(s, 12)
    assert s.track[AREA][1] == 1
    do(s, STOP)
    assert hand(s, 1) == [44]
    assert s.turn == 1  # C and A have no cards and are skipped


@clause("MUR-T8", "MUR-C2", "MUR-A1")
def test_a_run_up_the_first_column() -> None:
    s = table(hands={0: [90, 80, 70, 60, 50, 40, 30, 20, 10, 0]})
    do(s, 90, 80, 70, 60, 50, 40)
    assert s.step == TAKE
    do(s, DRAW)
    do(s, 30, 20, 10, 0)
    assert s.track[COMBO][0] == 5
    assert s.step == TAKE
    do(s, DRAW)
    assert (s.turn, len(hand(s, 0))) == (1, 2)
