"""Maqha: rounds of the advanced rules: bidding, carry-over, throwing, passing and the Eye, clause by clause."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from perankh.engine.api import sets
from perankh.games.maqha.rules.actions import RAISE, STAY
from perankh.games.maqha.rules.bidding import slot_winner, take_hands
from perankh.games.maqha.rules.components import CARDS, EYE
from perankh.games.maqha.rules.glass import kick_of
from perankh.games.maqha.rules.rounds import hand_out_eye
from perankh.games.maqha.rules.set_up import shuffle
from perankh.games.maqha.rules.state import Hands
from perankh.games.maqha.text import answer_at, default_answer, time_to_answer
from perankh.testing import clause

from .positions import (
    CODES,
    GAME,
    banked,
    cards,
    draws,
    laid_out,
    legal,
    lot,
    name,
    new,
    order,
    place,
    play,
    put,
    random_games,
    step,
)

FIVE = "coin1 ankh1 anubis1 coin2 ankh2"
EASY = ("345", "234", "123")  # seat 0 wins A, B and C


def hand(s: Any, p: int) -> list[int]:
    """The bid cards in p's hand."""
    return sets.members(s.hand[p])


def last_lot(s: Any) -> list[str]:
    """The cards of the lot banked last."""
    return sorted(name(card) for card in sets.members(s.last_lot))


def throw_all(s: Any) -> Any:
    """Throw every lot of the half in one go."""
    while step(s) in ("decide", "release"):
        play(s, "throw" if step(s) == "decide" else "all")
    return s


# --- Set-up and rounds ----------------------------------------------------------------------------------------


@clause("MAQ-S4")
@pytest.mark.parametrize("players", [3, 4])
def test_the_set_up(players: int) -> None:
    for options in ({}, {"vessel": "tray"}):
        s = new(players, **options)
        assert s.supply == [10, 10, 10]
        assert [hand(s, p) for p in range(players)] == [[1, 2, 3, 4, 5]] * players
        assert s.eye == -1
        assert abs(s.v0) <= 360
        assert s.height == [0] * 12


@clause("MAQ-S5")
def test_the_shuffle_and_that_nobody_knows_it() -> None:
    s = GAME.blank(3, {"vessel": "tray"})
    with draws(*[0] * 20):
        shuffle(s)  # type: ignore[arg-type]
    assert s.deck == [*range(1, 21), 0]  # type: ignore[attr-defined]
    s = new(3)
    assert sorted(s.deck) == list(range(CARDS))
    for viewer in range(-1, 3):
        seen: Any = GAME.veiled(s, viewer)
        assert seen.deck == s.deck[:5] + [-1] * 16
    assert {new(3, seed).deck[0] for seed in range(300)} == set(range(CARDS))


@clause("MAQ-R1")
def test_five_cards_a_round_and_one_in_the_last() -> None:
    s = laid_out(FIVE, vessel="tray", real_vessel=True)
    assert [lot(s, k) for k in range(5)] == [["coin1"], ["ankh1"], ["anubis1"], ["coin2"], ["ankh2"]]
    sizes = []
    while not s.over:
        if s.face_up == 0 and s.fixed == [0] * 4:
            sizes.append(s.slots)
        p = GAME.actors(s)[0]
        codes = legal(s, p).split()
        play(s, codes[min(p, 1)] if step(s) == "bid" else codes[0], p)
    assert sizes == [5, 5, 5, 5, 1]
    assert GAME.ending(s) == "no_spill"


@clause("MAQ-R2")
def test_the_order_of_a_round() -> None:
    s = laid_out(FIVE)
    assert (step(s), s.face_up) == ("bid", 0)
    order(s, *EASY)
    assert (step(s), s.face_up, s.winner[:3]) == ("decide", 3, [0, 0, 0])
    throw_all(s)
    assert (step(s), s.face_up) == ("bid", 3)
    order(s, "2", "5", "5")
    assert (step(s), s.face_up, s.slot) == ("decide", 5, 3)
    throw_all(s)
    assert (step(s), s.face_up, s.dealt, s.fixed) == ("bid", 0, 10, [0, 0, 0, 0])


@clause("MAQ-R2", "MAQ-B3", "MAQ-B4")
@pytest.mark.parametrize(("slots", "first", "second"), [(1, 1, 0), (2, 2, 0), (3, 3, 0), (4, 3, 1), (5, 3, 1)])
def test_rounds_of_fewer_cards(slots: int, first: int, second: int) -> None:
    s = laid_out(FIVE)
    for k in range(slots, 5):
        put(s, s.deck[k], None)
    s.slots = s.dealt = slots
    for p in range(3):
        for k in range(first):
            play(s, f"bid{(p + k) % 3 + 1}", p)
    throw_all(s)
    if second:
        assert s.face_up == 3
        assert GAME.legal(s, 0) == [CODES.index("bid4"), CODES.index("bid5")]
        order(s, "4", "5", "4")
        assert s.fixed == ([5, 5, 5, 0] if slots == 5 else [4, 4, 4, 0])
        throw_all(s)
    assert (s.face_up, s.dealt) == (0, slots + 5)


# --- Bidding --------------------------------------------------------------------------------------------------


@clause("MAQ-B1")
def test_all_bid_at_the_same_time_a_different_card_for_each_slot() -> None:
    s = laid_out(FIVE)
    assert GAME.actors(s) == [0, 1, 2]
    play(s, "bid2", 1)
    assert legal(s, 1) == "bid1 bid3 bid4 bid5"
    play(s, "bid5 bid1", 1)
    assert GAME.actors(s) == [0, 2]
    assert legal(s, 0) == "bid1 bid2 bid3 bid4 bid5"


@clause("MAQ-B1")
def test_nothing_of_a_sealed_order_is_seen_by_others() -> None:
    for first, second in itertools.permutations(("123", "541", "352"), 2):
        views = []
        for row in (first, second):
            s = laid_out(FIVE)
            play(s, " ".join(f"bid{letter}" for letter in row), 1)
            views.append([GAME.veiled(s, viewer) for viewer in (-1, 0, 2)])
            assert views[-1][0].order[1] == [0] * 5  # type: ignore[attr-defined]
            assert GAME.veiled(s, 1).order[1] == [*map(int, row), 0, 0]  # type: ignore[attr-defined]
        assert views[0] == views[1]


@clause("MAQ-B2")
def test_bids_are_fixed_before_any_is_shown() -> None:
    s = laid_out(FIVE)
    order(s, "345", "234")
    play(s, "bid1 bid2", 2)
    assert (s.face_up, s.winner) == (0, [-1] * 5)
    assert GAME.actors(s) == [2]
    play(s, "bid3", 2)
    assert s.face_up == 3
    assert "bid" not in legal(s)
    for before, _, _, after in random_games(4, 4, seed=3):
        if before.dealt == after.dealt:
            assert [row[: before.face_up] for row in after.order] == [row[: before.face_up] for row in before.order]


@clause("MAQ-B1", "MAQ-P2")
@pytest.mark.parametrize("options", [{}, {"hands": "live"}, {"hand_tie": "random", "vessel": "tray"}])
def test_the_order_of_arrival_does_not_matter(options: dict[str, Any]) -> None:
    dice = random.Random(8)
    for seed in range(12):
        s: Any = GAME.new_state(4, seed, options)
        while GAME.actors(s):
            acting = GAME.actors(s)
            if len(acting) == 1:
                GAME.rules.apply(s, acting[0], dice.choice(GAME.legal(s, acting[0])))
                continue
            ends = []
            plan: dict[int, list[int]] = {}
            for attempt in range(3):
                t, dealt, kind = s.copy(), s.dealt, s.step
                made = dict.fromkeys(acting, 0)
                shown, seats = t.face_up, acting[:]
                while (waiting := GAME.actors(t)) and len(seats) and t.step == kind and (t.face_up, t.dealt) == (shown, dealt):
                    p = dice.choice(waiting)
                    row = plan.setdefault(p, [])
                    if made[p] == len(row):
                        row.append(dice.choice(GAME.legal(t, p)))
                    GAME.rules.apply(t, p, row[made[p]])
                    made[p] += 1
                ends.append(t)
                assert attempt == 0 or ends[0] == t
            s = ends[0]


@clause("MAQ-B3")
def test_the_last_two_cards_go_to_d_and_e() -> None:
    s = throw_all(order(laid_out(FIVE), *EASY))
    assert legal(s, 0) == "bid1 bid2"
    play(s, "bid2", 0)
    assert s.order[0] == [3, 4, 5, 2, 1]
    assert GAME.actors(s) == [1, 2]
    assert GAME.veiled(s, 1).order[0] == [3, 4, 5, 0, 0]  # type: ignore[attr-defined]


@clause("MAQ-B4")
def test_one_card_left_one_bid() -> None:
    s = laid_out(FIVE)
    s.slots, s.dealt = 1, 21
    for k in range(1, CARDS):
        put(s, s.deck[k], s.aside)
    s.deck = s.deck[1:] + s.deck[:1]
    order(s, "3", "2", "1")
    assert (s.face_up, s.winner[0]) == (1, 0)
    play(s, "throw")
    assert GAME.ending(s) == "no_spill"


@clause("MAQ-B5", "MAQ-B6")
@pytest.mark.parametrize(
    ("bids", "winner"),
    [
        ("1255", "2"),
        ("1235", "1"),
        ("2233", ""),
        ("555", ""),
        ("E15", "E"),
        ("1155", ""),
        ("115", "5"),
        ("441", "1"),
        ("145", "1"),
        ("234", "4"),
        ("E555", "E"),
        ("1145", "5"),
        ("E11", "E"),
        ("51E", "E"),
    ],
)
def test_who_wins_a_slot(bids: str, winner: str) -> None:
    for row in set(itertools.permutations(bids)):
        s = laid_out(FIVE, len(row))
        for p, letter in enumerate(row):
            s.order[p][0] = EYE if letter == "E" else int(letter)
        won = slot_winner(s, 0)
        assert (row[won] if won >= 0 else "") == winner


@clause("MAQ-B7")
def test_used_cards_stay_until_collection() -> None:
    s = throw_all(order(laid_out(FIVE), *EASY))
    assert [hand(s, p) for p in range(3)] == [[1, 2], [1, 5], [4, 5]]
    assert [row[:3] for row in s.order[:3]] == [[3, 4, 5], [2, 3, 4], [1, 2, 3]]
    throw_all(order(s, "2", "5", "5"))
    assert [hand(s, p) for p in range(3)] == [[1, 2, 3, 4, 5], [1, 2, 3, 4, EYE], [1, 2, 3, 4, 5]]


# --- Carry-over -----------------------------------------------------------------------------------------------


@clause("MAQ-K1", "MAQ-K3")
def test_a_carried_lot_is_won_and_thrown_as_one() -> None:
    s = laid_out("coin1 ankh2 anubis1 coin2 ankh1")
    order(s, "123", "124", "123")
    assert s.winner[:3] == [-1, -1, 1]
    assert lot(s, 2) == ["ankh2", "anubis1", "coin1"]
    assert (step(s), s.slot, s.thrower) == ("decide", 2, 1)
    play(s, "throw")
    assert s.to_go == [1, 2, 1]
    play(s, "all")
    assert s.added == 810
    assert banked(s, 1) == ["ankh2", "anubis1", "coin1"]
    assert sets.count(s.last_lot) == 3
    assert (step(s), s.face_up) == ("bid", 3)


@clause("MAQ-K2")
def test_what_is_left_at_c_waits_for_d() -> None:
    s = laid_out("coin1 ankh2 anubis1 coin2 ankh1")
    order(s, "123", "123", "123")
    assert (step(s), s.face_up, s.inside) == ("bid", 3, [0, 0, 0])
    assert lot(s, 3) == ["ankh2", "anubis1", "coin1", "coin2"]
    order(s, "4", "5", "5")
    assert (s.winner[3], s.slot) == (0, 3)
    play(s, "throw")
    assert s.to_go == [3, 2, 1]


@clause("MAQ-K2")
def test_what_is_left_at_e_waits_for_a_of_the_next_round() -> None:
    s = laid_out(FIVE)
    order(s, "123", "123", "123")
    order(s, "4", "4", "4")
    assert (s.dealt, s.inside) == (10, [0, 0, 0])
    assert len(lot(s, 0)) == 6
    assert set(FIVE.split()) <= set(lot(s, 0))


@clause("MAQ-K2")
def test_a_lot_carried_from_e_is_not_thrown_with_d() -> None:
    s = laid_out(FIVE, 4)
    throw_all(order(s, "345", "145", "123", "234"))
    order(s, "1", "3", "4", "1")  # D: 1, 3, 4, 1; E: 2, 2, 5, 5
    assert s.winner[3:] == [2, -1]
    assert place(s, cards("ankh2")[0]) == "carried"
    play(s, "throw")
    assert s.to_go == [2, 0, 0]
    play(s, "all")
    assert "ankh2" in lot(s, 0)
    assert s.dealt == 10


@clause("MAQ-K4")
def test_a_lot_that_nobody_wins_at_the_very_end_is_set_aside() -> None:
    s = laid_out(FIVE)
    s.slots, s.dealt = 1, 21
    s.deck = s.deck[1:] + s.deck[:1]
    for card in s.deck[:20]:
        put(s, card, s.failed)
    put(s, s.deck[3], s.lot[0])  # carried to A from the round before
    order(s, "3", "3", "3")
    assert (GAME.ending(s), s.spiller) == ("no_spill", -1)
    assert place(s, s.deck[20]) == place(s, s.deck[3]) == "aside"
    assert (s.supply, GAME.scores(s)) == ([10, 10, 10], [0, 0, 0])


# --- Throwing -------------------------------------------------------------------------------------------------


@clause("MAQ-T1")
def test_lots_are_thrown_in_slot_order_by_their_winners() -> None:
    s = laid_out("anubis1 ankh1 anubis3 coin2 ankh2")
    order(s, "425", "234", "352")  # Aten wins A and C, Chons B
    assert s.winner[:3] == [0, 2, 0]
    thrown = []
    while step(s) in ("decide", "release"):
        if step(s) == "decide":
            thrown.append((s.thrower, lot(s, s.slot)))
        play(s, "throw" if step(s) == "decide" else "all")
    assert thrown == [(0, ["anubis1"]), (2, ["ankh1"]), (0, ["anubis3"])]
    assert s.inside == [0, 1, 4]


@clause("MAQ-T2")
def test_a_throw_is_one_go_of_one_thrower() -> None:
    s = order(laid_out("anubis3 ankh1 coin1 coin2 ankh2"), *EASY)
    play(s, "throw")
    assert (s.supply, s.to_go) == ([10, 10, 7], [0, 0, 3])
    while s.slot == 0:
        assert GAME.actors(s) == [0]
        assert step(s) == "release"
        play(s, "anubis")
    assert (s.inside, s.to_go) == ([0, 0, 3], [0, 0, 0])


@clause("MAQ-T3")
def test_one_token_of_a_kind_or_all_the_rest() -> None:
    s = laid_out("coin2 ankh1 anubis1 coin1 ankh2")
    order(s, "125", "124", "123")
    play(s, "throw")
    assert legal(s) == "coin ankh anubis all"
    play(s, "anubis")
    assert legal(s) == "coin ankh all"
    play(s, "ankh")
    assert legal(s) == "coin all"
    with draws(20, 20, 20, 20, 250) as bounds:
        play(s, "coin")  # the last coin has no choice
    assert bounds == [41, 41, 41, 41, 501]
    assert step(s) == "bid"
    s = order(laid_out("coin2 ankh1 anubis1 coin1 ankh2"), "125", "124", "123")
    play(s, "throw")
    with draws(20, 20, 40, 40, 250) as bounds:
        play(s, "anubis all")  # a single one first and the rest together
    assert bounds == [41, 41, 81, 81, 501]


@clause("MAQ-T4", "MAQ-G12")
def test_a_lot_is_banked_when_all_its_tokens_are_in() -> None:
    s = order(laid_out("coin2 ankh1 anubis1 coin1 ankh2"), *EASY)
    play(s, "throw")
    assert (banked(s, 0), last_lot(s)) == ([], [])
    play(s, "all")
    assert (banked(s, 0), last_lot(s)) == (["coin2"], ["coin2"])
    assert (s.wave, s.readings) == (0, 2)
    play(s, "throw")
    assert last_lot(s) == ["ankh1"]


@clause("MAQ-T5")
def test_a_spill_fails_the_whole_lot_and_ends_the_game() -> None:
    s = order(laid_out("coin1 anubis3 ankh1 coin2 ankh2"), *EASY)
    play(s, "throw throw")
    play(s, "anubis")
    s.vcrit = 0
    play(s, "anubis")
    assert (GAME.ending(s), s.spiller, s.to_go) == ("spill", 0, [0, 0, 1])
    assert place(s, cards("anubis3")[0]) == "failed"
    assert lot(s, 2) == ["ankh1"]  # not thrown any more
    assert banked(s, 0) == ["coin1"]
    assert GAME.actors(s) == []


@clause("MAQ-T6")
def test_banked_cards_count_at_once() -> None:
    s = order(laid_out("coin1 ankh1 anubis1 coin2 ankh2"), *EASY)
    play(s, "throw")
    assert GAME.scores(s) == [1, 0, 0]
    play(s, "throw throw")
    assert GAME.scores(s) == [4, 0, 0]  # with the set
    order(s, "2", "5", "5")
    s.vcrit = 0
    play(s, "throw all")
    assert GAME.scores(s) == [5, 0, 0]  # the anubis banked before the spill counts twice


@clause("MAQ-T7")
def test_a_short_supply_is_thrown_as_far_as_it_goes() -> None:
    s = order(laid_out("coin3 ankh2 anubis1 coin2 ankh1"), *EASY)
    s.supply[0] = 2
    play(s, "throw")
    assert (s.to_go, s.supply) == ([2, 0, 0], [0, 10, 10])
    play(s, "all")
    assert banked(s, 0) == ["coin3"]
    s.supply[1] = 0
    with draws(250):  # a throw of nothing succeeds
        play(s, "throw")
    assert banked(s, 0) == ["ankh2", "coin3"]


# --- Passing --------------------------------------------------------------------------------------------------


def passed(players: int = 4, **options: Any) -> Any:
    """Seat 0 has won A and passes."""
    s = laid_out("anubis3 ankh1 coin1 coin2 ankh2", players, **options)
    order(s, "512", "234", "345", "423")
    return play(s, "pass")


@clause("MAQ-P1")
def test_throw_or_pass_before_the_first_token() -> None:
    s = order(laid_out("anubis3 ankh1 coin1 coin2 ankh2"), *EASY)
    assert legal(s) == "throw pass"
    play(s, "throw")
    assert legal(s) == "anubis all"
    play(s, "anubis")
    assert legal(s) == "anubis all"


@clause("MAQ-P2")
def test_all_others_answer_a_pass_unseen() -> None:
    s = passed()
    assert GAME.actors(s) == [1, 2, 3]
    assert legal(s, 2) == "stay raise0"
    play(s, "raise0", 2)
    assert GAME.actors(s) == [1, 3]
    other = play(passed(), "stay", 2)
    for viewer in (-1, 0, 1, 3):
        assert GAME.veiled(s, viewer) == GAME.veiled(other, viewer)
        assert GAME.veiled(s, viewer).answer == [0] * 4  # type: ignore[attr-defined]
    assert GAME.veiled(s, 2) != GAME.veiled(other, 2)
    play(s, "raise0", 3)
    play(s, "stay", 1)
    assert (s.thrower, s.proxy[0]) == (2, 2)  # one proxy of two that raised


@clause("MAQ-P3")
def test_the_smallest_stamp_wins_and_then_the_first_to_the_left() -> None:
    for answers, proxy in (
        (("raise4", "raise2", "raise2"), 2),
        (("raise4", "raise3", "raise2"), 3),
        (("raise0", "raise0", "raise0"), 1),
        (("stay", "raise9", "stay"), 2),
    ):
        for seats in itertools.permutations((1, 2, 3)):
            s = passed(hands="live")
            for p in seats:
                play(s, answers[p - 1], p)
            assert s.thrower == proxy
    s = laid_out("anubis3 ankh1 coin1 coin2 ankh2", 4, hands="live")
    order(s, "412", "234", "543", "351")
    play(s, "pass")
    assert s.thrower == 2
    for p in (0, 1, 3):
        play(s, "raise1", p)
    assert s.thrower == 3  # clockwise from the passer, not from seat 0


@clause("MAQ-P3")
def test_equal_stamps_may_be_drawn() -> None:
    for number, proxy in ((0, 1), (1, 3)):
        s = passed(hand_tie="random")
        play(s, "raise0", 1)
        play(s, "stay", 2)
        with draws(number) as bounds:
            play(s, "raise0", 3)
        assert (bounds, s.thrower) == ([2], proxy)
    s = passed(hand_tie="random")
    play(s, "stay", 1)
    play(s, "stay", 2)
    with draws():  # no draw for a single hand
        play(s, "raise0", 3)
    assert s.thrower == 3


@clause("MAQ-P4")
def test_in_turn_mode_the_seat_order_alone_decides() -> None:
    for answers in itertools.product(("stay", "raise0"), repeat=3):
        for seats in itertools.permutations((1, 2, 3)):
            s = passed()
            for p in seats:
                assert legal(s, p) == "stay raise0"
                play(s, answers[p - 1], p)
            assert s.thrower == next((p for p in (1, 2, 3) if answers[p - 1] == "raise0"), 0)


@clause("MAQ-P5")
def test_live_hands_have_stamps_within_the_time_to_answer() -> None:
    s = passed(hands="live")
    assert s.hands == Hands.LIVE
    assert legal(s, 1) == "stay " + " ".join(f"raise{t}" for t in range(10))
    assert time_to_answer(s) == 5000
    assert [answer_at(s, RAISE, t) for t in (0, 499, 500, 4999)] == [RAISE, RAISE, RAISE + 1, RAISE + 9]
    assert answer_at(s, RAISE + 7, 499) == RAISE  # whatever a program claims
    assert answer_at(s, RAISE, 5000) == default_answer(s) == STAY
    assert answer_at(s, STAY, 700) == answer_at(s, STAY, None) == STAY
    assert answer_at(s, RAISE, None) == RAISE + 3
    s = passed(hands="live", hand_window=4, bot_hand_tick=2)
    assert legal(s, 1) == "stay raise0 raise1 raise2 raise3"
    assert time_to_answer(s) == 2000
    assert [answer_at(s, RAISE, t) for t in (1999, 2000)] == [RAISE + 3, STAY]
    assert answer_at(s, RAISE, None) == RAISE + 2
    assert time_to_answer(passed()) == 0
    play(s, "raise2", 1)
    play(s, "stay", 2)
    play(s, "raise1", 3)
    assert GAME.veiled(s, 0).answer == [0, 4, 1, 3]  # type: ignore[attr-defined]


@clause("MAQ-P6")
def test_the_proxy_throws_may_not_pass_and_banks_or_spills() -> None:
    for vcrit in (32000, 0):
        s = passed()
        play(s, "stay", 1)
        play(s, "raise0", 2)
        play(s, "stay", 3)
        assert legal(s) == "anubis all"
        assert GAME.actors(s) == [2]
        s.vcrit = vcrit
        play(s, "all")
        assert banked(s, 0) == []
        assert (banked(s, 2), s.spiller) == ((["anubis3"], -1) if vcrit else ([], 2))


@clause("MAQ-P7")
def test_without_a_hand_the_passer_throws() -> None:
    s = passed()
    for p in (3, 1, 2):
        play(s, "stay", p)
    assert GAME.actors(s) == [0]
    assert legal(s) == "anubis all"
    assert s.proxy == [-1] * 5
    play(s, "all")
    assert banked(s, 0) == ["anubis3"]


@clause("MAQ-P8")
def test_the_marker_is_a_reminder_unless_it_limits_the_passes() -> None:
    for limit in ("none", "three"):
        s = laid_out("coin1 coin1 coin1 coin2 ankh2", proxy_limit=limit)
        order(s, *EASY)
        for slot in range(3):
            play(s, "pass")
            play(s, "raise0", 1)
            play(s, "stay", 2)
            assert s.proxy[slot] == 1
        assert banked(s, 1) == ["coin1"] * 3
        order(s, "2", "5", "5")
        assert s.thrower == 0
        assert step(s) == ("decide" if limit == "none" else "release")
        throw_all(s)
        assert s.proxy == [-1] * 5  # the markers return


# --- End of a round -------------------------------------------------------------------------------------------


@clause("MAQ-E1", "MAQ-E5")
def test_cards_and_markers_return_and_a_new_round_begins() -> None:
    s = order(laid_out(FIVE), *EASY)
    play(s, "pass")
    play(s, "raise0", 1)
    play(s, "stay", 2)
    throw_all(s)
    throw_all(order(s, "2", "5", "5"))
    assert s.proxy == [-1] * 5
    assert s.fixed == [0] * 4
    assert all(len(hand(s, p)) == 5 for p in range(3))
    assert (s.dealt, s.slots, step(s)) == (10, 5, "bid")
    assert banked(s, 1) == ["coin1"]


@clause("MAQ-E2")
def test_the_mask_lies_on_the_last_banked_lot() -> None:
    s = throw_all(order(laid_out("coin1 ankh1 anubis1 coin2 ankh2"), *EASY))
    assert s.mask == [0]  # only at collection
    order(s, "1", "1", "4")
    throw_all(s)
    assert s.mask == s.last_lot == [1 << cards("ankh2")[0]]
    s.eye = -1
    take_hands(s)
    order(s, "123", "123", "123")
    order(s, "4", "4", "4")
    assert s.dealt == 15
    assert s.mask == [1 << cards("ankh2")[0]]  # nothing was banked in this round


@clause("MAQ-E3", "MAQ-E4")
@pytest.mark.parametrize(
    ("counts", "seat"), [((2, 1, 2), 1), ((1, 1, 3), -1), ((0, 2, 3), 0), ((1, 2, 1, 1), -1), ((2, 1, 2, 0), 3)]
)
def test_who_gets_the_eye(counts: tuple[int, ...], seat: int) -> None:
    for holder in (-1, 0, 1):
        s = laid_out(FIVE, len(counts))
        s.eye = holder
        card = iter(range(CARDS))
        for p, n in enumerate(counts):
            for _ in range(n):
                put(s, next(card), s.banked[p])
        hand_out_eye(s)
        assert s.eye == seat
        for p in range(len(counts)):
            assert hand(s, p) == ([1, 2, 3, 4, EYE] if p == seat else [1, 2, 3, 4, 5])


@clause("MAQ-E4")
def test_nobody_has_the_eye_in_the_first_round_and_cards_are_counted_not_lots() -> None:
    assert all(new(4, seed).eye == -1 for seed in range(20))
    s = laid_out("coin1 ankh1 anubis1 coin2 ankh2")
    order(s, "125", "124", "123")  # seat 0 banks three cards in one lot
    throw_all(s)
    order(s, "3", "5", "5")  # D: 3, 5, 5 to seat 0; E: 4, 3, 4 to seat 1
    throw_all(s)
    assert [len(banked(s, p)) for p in range(3)] == [4, 1, 0]
    assert s.eye == 2
    assert legal(s, 2) == "bid1 bid2 bid3 bid4 eye"


@clause("MAQ-E5", "MAQ-F1")
def test_the_game_ends_with_the_deck_or_with_the_tokens() -> None:
    s = laid_out(FIVE)
    s.slots, s.dealt = 1, 21
    s.deck = s.deck[1:] + s.deck[:1]
    for card in s.deck[:20]:
        put(s, card, s.failed)
    order(s, "3", "2", "1")
    play(s, "throw")
    assert (GAME.ending(s), s.dealt) == ("no_spill", 21)
    s = order(laid_out(FIVE), *EASY)
    s.supply, s.inside = [1, 0, 0], [9, 10, 10]
    play(s, "throw")
    assert GAME.ending(s) == "no_spill"  # all tokens are in; B and C are not thrown
    assert lot(s, 1) == ["ankh1"]


@clause("MAQ-F1")
def test_after_a_spill_nothing_is_collected() -> None:
    s = order(laid_out(FIVE, spills=True), *EASY)
    play(s, "throw")
    assert GAME.ending(s) == "spill"
    assert (s.mask, s.eye, s.dealt, s.fixed[:3]) == ([0], -1, 5, [3, 3, 3])


# --- A lot in the glass ---------------------------------------------------------------------------------------


def test_what_the_choice_of_waves_means() -> None:
    dice = new(3, 77)
    n = 4000

    def mean(count: int, together: bool) -> float:
        total = 0.0
        for _ in range(n):
            if together:
                total += kick_of(dice, count, 0, 0)
            else:
                wave = 0
                for _ in range(count):
                    wave = wave // 2 + kick_of(dice, 1, 0, 0)
                total += wave
        return total / n / 150

    assert abs(mean(2, True) - 1.41) < 0.03
    assert abs(mean(2, False) - 1.5) < 0.03
    assert abs(mean(4, True) - 2.0) < 0.04
    assert abs(mean(4, False) - 1.88) < 0.04
