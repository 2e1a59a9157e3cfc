"""Nile Mural, clause by clause, with the figures of the rule specification: set-up, turn, shadow, miss and ankh."""

from __future__ import annotations

from collections import Counter

import pytest

from perankh.engine import sets
from perankh.errors import BadOption
from perankh.games.mural.rules import actions
from perankh.games.mural.rules.actions import DRAW, STOP
from perankh.games.mural.rules.components import IS_ANKH, Track
from perankh.games.mural.rules.state import State, Step
from perankh.testing import clause

from .positions import MURAL, choices, do, draw, hand, members, next_from_deck, put, table

# --- Set-up ---------------------------------------------------------------------------------------------------------


@clause("MUR-S1")
def test_two_to_four_players_each_of_a_colour() -> None:
    for players in (2, 3, 4):
        s = MURAL.new_state(players, 1)
        colours = {MURAL.seat_name(p, "en") for p in range(players)}
        assert len(colours) == players
        assert colours <= {"Red", "Blue", "Yellow", "Black"}
        assert actions.hand_size(s, 0) == 1
    for players in (0, 1, 5):
        with pytest.raises(BadOption, match="2 to 4 players"):
            MURAL.new_state(players, 1)


@clause("MUR-S2", "MUR-S3", "MUR-S4")
@pytest.mark.parametrize(("players", "deck"), [(2, 98), (3, 97), (4, 96)])
def test_the_deal(players: int, deck: int) -> None:
    s = MURAL.new_state(players, 5)
    assert isinstance(s, State)
    assert s.deck == deck == sets.count(s.unseen)
    assert [len(hand(s, p)) for p in range(players)] == [1] * players
    assert members(s.wall) == members(s.row) == []
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
        draw(s, members(s.unseen)[0])
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
        assert actions.hand_size(seen, 1) == 3
        assert seen.deck == s.deck
        assert members(seen.row) == [55]
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
    assert s.step == Step.TAKE  # the turn ended by itself after the tenth
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
    assert sets.has(s.wall, 57)
    assert hand(s, 0) == [30]
    assert s.pawn == 57
    assert members(s.wall) == [57]


@clause("MUR-T5")
def test_stop_or_go_on_after_each_placement_and_its_effects() -> None:
    s = table(wall=[0, 1, 2, 10, 11], hands={0: [12]})
    do(s, 12)
    assert s.track[Track.AREA][0] == 1  # scored before the choice
    assert STOP in choices(s)
    assert DRAW in choices(s)
    draw(s, 22)
    assert choices(s) == [DRAW]  # the ankh take comes before stopping
    do(s, DRAW)
    assert STOP in choices(s)


@clause("MUR-T8", "MUR-T10")
def test_a_turn_ends_by_stopping_by_the_tenth_card_or_by_a_miss() -> None:
    stopped = do(table(hands={0: [5, 3]}), 5, 3, STOP)
    assert (stopped.turn, stopped.placed, stopped.step) == (1, 0, Step.PLACE)
    tenth = do(
        table(hands={0: [90, 80, 70, 60, 50, 30, 20, 10, 0, 1]}, deck=[41, 42]), 90, 80, 70, 60, 50, 30, 20, 10, 0, 1, DRAW
    )
    assert (tenth.turn, tenth.placed) == (1, 0)
    missed = draw(table(), 25, 37)
    assert (missed.turn, missed.placed, missed.step) == (1, 0, Step.PLACE)
    last = do(table(hands={0: [5]}, players=2), 5, STOP, DRAW)
    assert last.turn == 1
    put(last, last.hand[1], [6])
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
    assert s.track[Track.COMBO][0] == 1
    assert s.track[Track.MISS][0] == 0


# --- Shadow ---------------------------------------------------------------------------------------------------------


@clause("MUR-B1")
def test_the_first_card_of_a_turn_is_free() -> None:
    s = do(table(hands={0: [0], 1: [99, 55]}), 0, STOP, DRAW)
    assert s.turn == 1
    assert {55, 99} <= set(choices(s))


@clause("MUR-B2", "MUR-B3")
def test_the_shadow_lies_below_and_to_the_right_of_the_card_just_before() -> None:
    missed = draw(table(), 25, 37)
    assert members(missed.row) == [37]
    s = draw(table(), 25, 8, 37)
    assert members(s.wall) == [8, 25, 37]
    s = draw(table(), 22)
    next_from_deck(s, 62)  # the ankh's card
    do(s, DRAW, 62)
    draw(s, 81)
    assert {22, 62, 81} <= set(members(s.wall))
    draw(s, 95)
    assert members(s.row) == [95]


@clause("MUR-B2", "MUR-B4", "MUR-B5", "MUR-B6")
def test_the_size_and_the_shape_of_every_shadow() -> None:
    s = table()
    s.placed = 1
    for pawn in range(100):
        s.pawn = pawn
        shadow = [card for card in range(100) if actions.forbidden(s, card)]
        tens, ones = divmod(pawn, 10)
        assert len(shadow) == (9 - tens) * (9 - ones)
        assert all(card // 10 > tens and card % 10 > ones for card in shadow)
    sizes = {0: 81, 22: 49, 25: 28, 88: 1, 90: 0}
    for pawn, size in sizes.items():
        s.pawn = pawn
        assert sum(actions.forbidden(s, card) for card in range(100)) == size


@clause("MUR-B4", "MUR-B5")
def test_same_row_and_column_are_allowed_and_the_last_row_and_column_cast_no_shadow() -> None:
    s = do(table(hands={0: [22, 82, 25]}, deck=[]), 22)
    assert {82, 25} <= set(choices(s))
    s = draw(table(hands={0: [45]}), 95, 69, 64)
    do(s, 45)
    assert set(members(s.wall)) == {95, 69, 64, 45}


@clause("MUR-B7")
def test_a_shadowed_card_of_hand_or_row_cannot_be_chosen() -> None:
    s = do(table(hands={0: [22 + 1, 99, 24]}, row=[88, 5]), 23)
    assert 99 not in choices(s)
    assert 88 not in choices(s)
    assert {5, 24} <= set(choices(s))
    assert "shadow" in MURAL.text.refusal(s, 0, 99, "en")


@clause("MUR-B2")
def test_after_00_only_its_row_and_column_are_allowed() -> None:
    s = do(table(hands={0: list(range(100))}, deck=[]), 0)
    allowed = [card for card in choices(s) if card < 100]
    assert len(allowed) == 18
    assert all(card < 10 or card % 10 == 0 for card in allowed)


# --- Miss -----------------------------------------------------------------------------------------------------------


@clause("MUR-M1", "MUR-M2", "MUR-M3", "MUR-M4", "MUR-M5")
def test_a_miss_goes_to_the_row_and_ends_the_turn_without_bonus() -> None:
    s = table(players=2, wall=[0, 1, 2, 10, 11], row=[70], hands={0: [8]})
    draw(s, 12)  # completes area A
    do(s, 8)
    draw(s, 5, 4)  # 04 is an ankh
    do(s, 70)
    cards_before = hand(s, 0)
    assert s.placed == 4
    draw(s, 99)  # an ankh, and the last card an area could need
    assert members(s.row) == [99]
    assert s.track[Track.MISS][0] == -1
    assert s.track[Track.COMBO] == [0, 0, 0, 0]
    assert s.track[Track.AREA][0] == 1  # kept
    assert hand(s, 0) == cards_before == [70]  # kept, nothing taken
    assert (s.turn, s.step) == (1, Step.PLACE)
    assert set(members(s.wall)) == {0, 1, 2, 10, 11, 12, 8, 5, 4}


@clause("MUR-M2")
def test_missed_cards_lie_side_by_side() -> None:
    s = draw(table(row=[50]), 25, 37)
    draw(s, 11, 88)
    assert members(s.row) == [37, 50, 88]


@clause("MUR-M6")
def test_only_a_later_deck_card_can_miss() -> None:
    s = draw(table(hands={1: [8]}), 0, 1)
    do(s, STOP)
    assert s.turn == 1
    draw(s, 99)  # the first placement never misses
    assert sets.has(s.wall, 99)
    next_from_deck(s, 98)
    do(s, DRAW)  # nor does a card taken into the hand
    assert 98 in hand(s, 1)
    assert s.track[Track.MISS] == [0, 0, 0, 0]


# --- Ankh -----------------------------------------------------------------------------------------------------------


@clause("MUR-A1", "MUR-A2", "MUR-A3")
def test_an_ankh_takes_a_card_that_may_be_placed_next() -> None:
    s = draw(table(row=[50, 60]), 22)
    assert (s.step, s.takes) == (Step.TAKE, 1)
    assert choices(s) == [50, 60, DRAW]
    next_from_deck(s, 62)
    do(s, DRAW)
    assert 62 in choices(s)
    do(s, 62)
    assert sets.has(s.wall, 62)
    from_row = do(draw(table(row=[50, 60]), 22), 60)
    assert hand(from_row, 0) == [60]
    assert sets.has(from_row.public, 60)
    from_hand = do(table(hands={0: [22]}), 22)
    from_the_row = do(table(row=[22]), 22)
    assert from_hand.step == from_the_row.step == Step.TAKE


@clause("MUR-A2")
def test_an_ankh_without_deck_and_row_does_nothing() -> None:
    s = do(table(hands={0: [22, 5]}, deck=[]), 22)
    assert s.step == Step.PLACE
    assert choices(s) == [5, STOP]


@clause("MUR-A4")
def test_an_ankh_acts_only_when_placed() -> None:
    s = do(table(hands={0: [5]}, row=[22]), 5, STOP, 22)  # taken as the bonus of one card
    assert hand(s, 0) == [22]
    assert (s.turn, s.step) == (1, Step.PLACE)
    missed = draw(table(), 11, 22)
    assert members(missed.row) == [22]
    assert missed.step == Step.PLACE


@clause("MUR-A5")
def test_an_ankh_as_the_tenth_card() -> None:
    s = table(hands={0: [90, 80, 70, 60, 50, 30, 20, 10, 0, 4]}, deck=[88, 89, 91])
    do(s, 90, 80, 70, 60, 50, 30, 20, 10, 0, 4)
    assert (s.step, s.ending_turn, s.track[Track.COMBO][0]) == (Step.TAKE, 0, 0)
    do(s, DRAW)
    assert (s.step, s.ending_turn, s.track[Track.COMBO][0]) == (Step.TAKE, 1, 5)
    do(s, DRAW)
    assert s.turn == 1


@clause("MUR-A1")
def test_the_thirteen_ankh_cards() -> None:
    ankhs = {card for card in range(100) if IS_ANKH[0][card]}
    assert len(ankhs) == 13
    assert 22 in ankhs
    assert not ankhs & {8, 25, 37, 45, 62, 64, 69, 81, 95}
