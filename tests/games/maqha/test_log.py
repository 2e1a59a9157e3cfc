"""The log of Maqha: what each viewer reads of a move."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.engine.events import redacted
from perankh.games.maqha.rules.events import Event

from .positions import GAME, laid_out, log_of, new, order, play, random_games

FIVE = "coin1 ankh1 anubis1 coin2 ankh2"
EASY = ("345", "234", "123")  # seat 0 wins A, B and C


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {}),
        (3, {}),
        (4, {"vessel": "tray", "hands": "live"}),
        (3, {"real_vessel": True}),
        (4, {"rim_line": True, "proxy_limit": "three"}),
    ],
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_move_is_told_in_whole_sentences(players: int, options: dict[str, Any], lang: str) -> None:
    for before, p, a, _ in random_games(3, players, seed=20 + players, **options):
        events = GAME.apply(before, p, a)
        for viewer in range(-1, players):
            lines = GAME.text.log_lines(GAME.veiled(before, viewer), redacted(events, viewer), viewer, lang)
            assert lines
            for line in lines:
                assert line[-1] in ("。！" if lang == "ja" else ".!")
                assert line[0].isupper() or lang == "ja"
                assert "{" not in line
                assert "  " not in line
                assert "\n" not in line


# --- Bidding --------------------------------------------------------------------------------------------------


def test_a_sealed_bid_is_told_to_its_owner_alone() -> None:
    assert log_of(laid_out(FIVE), "bid4", 1, 1) == ["Blue bids the 4 for slot A, face down."]
    for viewer in (-1, 0, 2):
        assert log_of(laid_out(FIVE), "bid4", viewer, 1) == ["Blue has placed a bid for slot A."]
        assert log_of(laid_out(FIVE), "bid4", viewer, 1, "ja") == ["青がAへの入札を決めた。"]


def test_the_bids_for_d_and_e_are_one_choice() -> None:
    s = order(laid_out(FIVE), "123", "123", "123")
    assert log_of(s.copy(), "bid4", 1, 1) == ["Blue bids the 4 for slot D and the 5 for slot E, face down."]
    assert log_of(s, "bid4", 0, 1) == ["Blue has placed bids for slots D and E."]


def test_shown_bids_are_told_with_winners_and_carry_over() -> None:
    s = laid_out(FIVE)
    order(s, "123", "124", "12")
    assert log_of(s, "bid3", 0, 2) == [
        "Green has placed a bid for slot C.",
        "A: Red bids 1, Blue bids 1, Green bids 1. Nobody wins: coin 1 is carried over to slot B.",
        "B: Red bids 2, Blue bids 2, Green bids 2. Nobody wins: coin 1, ankh 1 is carried over to slot C.",
        "C: Red bids 3, Blue bids 4, Green bids 3. Blue wins coin 1, anubis 1, ankh 1.",
    ]


def test_a_half_without_winners_and_a_new_round_are_told() -> None:
    s = laid_out(FIVE)
    order(s, "123", "123", "12")
    assert log_of(s, "bid3", 1, 2)[-1] == "Bids for slots D and E follow."
    order(s, "4", "4")
    lines = log_of(s, "bid4", 1, 2)
    assert lines[2].startswith("E: Red bids 5, Blue bids 5, Green bids 5. Nobody wins: ")
    assert lines[2].endswith(" is carried over to the next round.")
    assert lines[3] == "Nobody gets the Eye of Horus."
    assert lines[4].startswith("Round 2: A ")
    assert len(lines) == 5


def test_a_lot_that_nobody_wins_at_the_very_end_is_told() -> None:
    s = laid_out(FIVE)
    s.slots, s.dealt = 1, 21
    s.deck = s.deck[1:] + s.deck[:1]
    s.lot[1:] = [[0]] * 4
    order(s, "3", "3")
    lines = log_of(s, "bid3", 0, 2)
    assert lines[1] == "A: Red bids 3, Blue bids 3, Green bids 3. Nobody wins: coin 1 is set aside."
    assert lines[2] == "Nothing was spilled, and there is nothing left to throw."
    assert lines[-1] == "Red, Blue and Green win together with 0 points."


def test_who_takes_the_eye_is_told() -> None:
    s = order(laid_out(FIVE), *EASY)
    play(s, "throw throw throw")
    order(s, "2", "5", "5")  # D to Red, E to Green
    play(s, "throw all")
    lines = log_of(s, "throw all", 0)
    assert "Blue has the fewest cards and takes the Eye of Horus for the 5." in lines
    assert lines[-1].startswith("Round 2: A ")


# --- Passing --------------------------------------------------------------------------------------------------


def test_passes_and_hands_are_told_when_all_have_answered() -> None:
    s = order(laid_out(FIVE, hands="live"), *EASY)
    assert log_of(s, "pass", 2) == ["Red passes coin 1."]
    assert log_of(s.copy(), "raise3", 1, 1) == ["Blue raises a hand after 1.5 s."]
    assert log_of(s.copy(), "stay", 1, 1) == ["Blue keeps the hand down."]
    assert log_of(s, "raise3", 2, 1) == ["Blue has answered."]
    t = s.copy()
    for viewer in (-1, 0, 2):
        lines = log_of(t.copy(), "raise2", viewer, 2)
        assert lines[0] == (
            "Blue raises a hand after 1.5 s. Green raises a hand after 1.0 s. Green throws in Red's place: 1 coin."
        )
        assert lines[1] == "Green banks coin 1: 1 point."
        assert lines[2].startswith("The dome reads ")


def test_a_pass_that_nobody_takes_is_told() -> None:
    s = play(order(laid_out("coin3 ankh1 anubis1 coin2 ankh2"), *EASY), "pass")
    play(s, "stay", 1)
    assert log_of(s, "stay", 0, 2) == [
        "Blue keeps the hand down. Green keeps the hand down. Nobody steps in: Red has to throw 3 coins."
    ]


# --- Throwing -------------------------------------------------------------------------------------------------


def test_a_throw_that_cannot_be_passed_is_told() -> None:
    s = order(laid_out("coin1 coin1 coin1 coin2 ankh2", proxy_limit="three"), *EASY)
    for _ in range(2):
        play(s, "pass")
        play(s, "raise0", 1)
        play(s, "stay", 2)
    play(s, "pass")
    play(s, "raise0", 1)
    play(s, "stay", 2)
    order(s, "2", "5")
    assert "Red throws coin 2: 2 coins." in log_of(s, "bid5", 0, 2)


def test_points_are_told_with_their_reason() -> None:
    s = order(laid_out(FIVE), *EASY)
    play(s, "throw throw")
    assert log_of(s, "throw", 1)[:3] == [
        "Red throws anubis 1: 1 anubis.",
        "Red banks anubis 1: 1 point.",
        "Red completes a set: 1 point.",
    ]
    order(s, "2", "5", "5")
    s.vcrit = 0
    assert "The lot banked last, anubis 1, counts twice: 1 point more for Red." in log_of(s, "throw all", 1)


def test_the_last_token_follows_by_itself() -> None:
    s = order(laid_out("coin2 coin1 anubis1 coin3 ankh2"), *EASY)
    assert log_of(s, "throw coin", 1)[:3] == [
        "Red lets go 1 coin.",
        "The last one follows: 1 coin.",
        "Red banks coin 2: 2 points.",
    ]


def test_the_way_of_a_token_on_the_tray_is_told() -> None:
    s = order(laid_out("coin2 coin1 anubis1 coin3 ankh2", vessel="tray"), *EASY)
    assert log_of(s, "throw cell3", 1) == ["Red puts the coin on cell 3."]
    s.height, s.top = [0] * 12, [0] * 12
    s.height[0], s.top[0] = 40, 1
    for cell in (1, 3):
        s.height[cell], s.top[cell] = 41, 1
    line, *others = log_of(s, "cell0", 1)
    assert line == "Red puts the coin on cell 0. It falls off the tray from cell 0!"
    assert others[0] == "Red made a token fall off the tray."


def test_each_topple_is_told() -> None:
    s = order(laid_out("coin2 coin1 anubis1 coin3 ankh2", vessel="tray"), *EASY)
    play(s, "throw cell3")
    s.height, s.top = [0] * 12, [0] * 12
    for cell, height in ((3, 30), (0, 30), (2, 30), (7, 30), (4, 20), (1, 30), (8, 30), (5, 5), (9, 30)):
        s.height[cell], s.top[cell] = height, 1
    line = log_of(s, "cell3", 1)[0]
    assert line.startswith("Red puts the coin on cell 3. It topples onto cell 4. It topples onto cell 5.")


def test_a_vessel_of_the_players_own_is_told() -> None:
    s = order(laid_out(FIVE, real_vessel=True), *EASY)
    assert log_of(s, "throw", 1) == ["Red throws coin 1: 1 coin."]
    assert log_of(s, "held", 1)[0] == "Red's throw held: 1 coin."
    play(s, "throw")
    assert log_of(s, "spilled", 1)[0] == "Red made the glass overflow."


def test_the_rim_line_is_told_with_the_reading() -> None:
    s = order(laid_out(FIVE, rim_line=True), *EASY)
    assert log_of(s, "throw", 1)[-1].endswith(" mm. The rim is dry.")


# --- The end --------------------------------------------------------------------------------------------------


def test_a_spill_is_told_with_who_made_it_and_why_the_leader_is_last() -> None:
    s = order(laid_out("coin1 coin3 anubis1 coin2 ankh2"), *EASY)
    play(s, "throw throw")
    s.vcrit = 0
    assert log_of(s, "all", 1) == [
        "Red lets go 3 coins.",
        "Red made the glass overflow.",
        "Nobody scores for coin 3.",
        "This glass held up to 0.00 mm.",
        "The lot banked last, coin 1, counts twice: 1 point more for Red.",
        "Blue and Green win together with 0 points.",
        "Red comes last because of the spill, with 2 points.",
    ]


def test_the_end_of_a_classic_game_is_told() -> None:
    s = new(2, start_player=1)
    s.vcrit = 0
    lines = log_of(s, "drop2", 0)
    assert lines[:2] == ["Blue drops 2 coins.", "Blue made the glass overflow."]
    assert lines[-1] == "Blue has lost; all others win."
    s = new(2, start_player=1)
    s.vcrit = 32000
    lines = log_of(s, "drop10", 0)
    assert lines[2] == "Nothing was spilled, and there is nothing left to throw."
    assert lines[-1] == "A draw."


def test_accidents_are_told() -> None:
    s = new(3, real_vessel=True)
    lines = log_of(s.copy(), "accident2", 0, 0)
    assert lines[0] == "Red reports an accident caused by Green."
    assert lines[-1] == "Green comes last because of the spill, with 0 points."
    assert log_of(s, "accident-nobody", 0, 0)[0] == "Red reports an accident that nobody caused."


def test_the_japanese_log_has_one_word_for_one_thing() -> None:
    s = order(laid_out("coin1 coin3 anubis1 coin2 ankh2"), *EASY)
    play(s, "throw throw")
    s.vcrit = 0
    assert log_of(s, "all", 1, lang="ja") == [
        "赤がコイン3枚を入れた。",
        "赤がグラスをあふれさせた。",
        "コイン3は誰の得点にもならない。",
        "このグラスの限界は0.00mmだった。",
        "最後に成功したコイン1は2倍。赤にさらに1点。",
        "青と緑が0点で共同勝利。",
        "赤は失敗したため、2点でも最下位。",
    ]


# --- Events ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"double_without_spill": True, "vessel": "tray"}, {"real_vessel": True}])
def test_the_points_told_add_up_to_the_scores(options: dict[str, Any]) -> None:
    for seed in range(6):
        s: Any = GAME.new_state(4, seed, options)
        told = [0] * 4
        while acting := GAME.actors(s):
            actions = GAME.legal(s, acting[0])
            for event in GAME.apply(s, acting[0], actions[seed % min(3, len(actions))]):
                if "points" in event.kind.names:
                    told[event.seat] += event.points
        assert told == GAME.scores(s)


def test_what_was_bid_and_answered_is_known_to_the_seat_alone_until_it_is_shown() -> None:
    s = laid_out(FIVE)
    (event,) = GAME.apply(s, 1, 13)
    assert (event.kind, event.seen_by(1).card, event.seen_by(0).card, event.seen_by(-1).card) == (Event.BID, 4, None, None)
    s = play(order(laid_out(FIVE, hands="live"), *EASY), "pass")
    (event,) = GAME.apply(s, 1, 22)
    assert (event.kind, event.seen_by(1).stamp, event.seen_by(2).stamp) == (Event.ANSWERED, 3, None)
    shown = [e.kind for e in GAME.apply(s, 2, 18)]
    assert shown[1:4] == [Event.HAND_UP, Event.HAND_DOWN, Event.PROXY]
