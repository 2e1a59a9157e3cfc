"""What a person reads and types in Maqha: codes, sentences, timed answers, refusals and the text board."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.engine.text import width
from perankh.games.maqha.rules.actions import PASS, THROW
from perankh.games.maqha.rules.bidding import take_hands
from perankh.games.maqha.text import CODES, answer_at, board, default_answer, prompt, refusal, sentence, time_to_answer

from .positions import GAME, laid_out, new, order, play, random_games, step

FIVE = "coin1 ankh1 anubis1 coin2 ankh2"
EASY = ("345", "234", "123")
LANGUAGES = ("en", "ja")

# --- Codes and sentences --------------------------------------------------------------------------------------


def test_codes_are_one_to_one() -> None:
    assert len(CODES) == len(set(CODES)) == GAME.actions == 52
    assert (CODES[0], CODES[9], CODES[10], CODES[15], CODES[THROW], CODES[PASS]) == (
        "drop1",
        "drop10",
        "bid1",
        "eye",
        "throw",
        "pass",
    )
    assert CODES[18:30] == ("stay", *(f"raise{t}" for t in range(10)), "coin")
    assert CODES[32:34] == ("all", "cell0")
    assert CODES[45:] == ("held", "spilled", "accident0", "accident1", "accident2", "accident3", "accident-nobody")


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
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_choice_can_be_said(players: int, options: dict[str, Any], lang: str) -> None:
    for before, p, _, _ in random_games(3, players, seed=20 + players, **options):
        seen: Any = GAME.veiled(before, p)
        actions = GAME.legal(before, p)
        assert len({sentence(seen, p, b, lang) for b in actions}) == len(actions)
        for text in (prompt(seen, p, lang), *(sentence(seen, p, b, lang) for b in actions)):
            assert text
            assert "{" not in text
            assert "  " not in text


# --- Timed answers --------------------------------------------------------------------------------------------


def test_answers_against_the_clock_are_always_legal() -> None:
    for ticks in (1, 4, 10):
        s = order(laid_out(FIVE, hands="live", hand_window=ticks), *EASY)
        assert time_to_answer(s) == 0
        play(s, "pass")
        assert time_to_answer(s) == 500 * ticks
        can = GAME.legal(s, 1)
        assert default_answer(s) in can
        assert {answer_at(s, a, time) for a in can for time in (None, 0, 499, 2000, 4999, 5000, 10**9)} <= set(can)
        assert [CODES[a] for a in can if answer_at(s, a, 0) == a] == ["stay", "raise0"]


# --- Refusals -------------------------------------------------------------------------------------------------


def throwing(**options: Any) -> Any:
    """Seat 0 has begun to throw three coins."""
    s = laid_out("coin3 ankh1 anubis1 coin2 ankh2", **options)
    return play(order(s, *EASY), "throw")


def answered(first: str, second: str) -> Any:
    """Seat 0 has passed three coins, and the others have answered."""
    s = play(order(laid_out("coin3 ankh1 anubis1 coin2 ankh2"), *EASY), "pass")
    play(s, first, 1)
    return play(s, second, 2)


def handed(**options: Any) -> Any:
    """Seat 0 has passed; the others are asked."""
    return play(order(laid_out(FIVE, **options), *EASY), "pass")


def few_coins(n: int, **options: Any) -> Any:
    """A classic game with n coins left."""
    s = new(2, start_player=0, **options)
    s.supply[0] = n
    return s


def with_eye() -> Any:
    """Seat 0 holds the Eye."""
    s = laid_out(FIVE)
    s.eye = 0
    take_hands(s)
    return s


def limited() -> Any:
    """All markers are out and passes are limited; seat 0 throws."""
    s = laid_out("coin1 coin1 coin1 coin2 ankh2", proxy_limit="three")
    order(s, *EASY)
    for _ in range(3):
        play(s, "pass")
        play(s, "raise0", 1)
        play(s, "stay", 2)
    return order(s, "2", "5", "5")


REFUSED: list[tuple[Any, str, str]] = [
    (few_coins(3), "drop4", "Only 3 coins are left."),
    (few_coins(1), "drop2", "Only 1 coin is left."),
    (few_coins(9, classic_limit="one"), "drop2", "At most 1 coin may be dropped in a turn."),
    (few_coins(9, classic_limit="two"), "drop3", "At most 2 coins may be dropped in a turn."),
    (few_coins(9), "bid1", "That belongs to the advanced rules"),
    (few_coins(9), "cell3", "That belongs to the advanced rules"),
    (few_coins(9), "held", "Only with a vessel of your own"),
    (laid_out(FIVE), "drop1", "Coins are dropped freely only in the classic rules."),
    (laid_out(FIVE), "eye", "You do not hold the Eye of Horus."),
    (with_eye(), "bid5", "Your 5 lies aside while you hold the Eye"),
    (play(laid_out(FIVE), "bid4", 0), "bid4", "You have used the 4 for slot A in this round."),
    (laid_out(FIVE), "throw", "Not now. Choose your bid for slot A (coin 1)."),
    (laid_out(FIVE), "pass", "Not now."),
    (laid_out(FIVE), "accident0", "Only with a vessel of your own"),
    (laid_out(FIVE, real_vessel=True), "accident3", "There are only 3 players at the table."),
    (laid_out(FIVE, real_vessel=True), "held", "Not now."),
    (throwing(), "pass", "The throw has begun; it is too late to pass."),
    (answered("stay", "stay"), "pass", "Nobody raised a hand, so you have to throw."),
    (answered("raise0", "stay"), "pass", "Whoever throws in another player's place cannot pass."),
    (limited(), "pass", "All proxy markers are out, so nobody can pass."),
    (throwing(), "ankh", "No ankh is left to go in."),
    (throwing(), "cell3", "There is no tray in this game."),
    (throwing(vessel="tray"), "all", "On the tray tokens are placed one by one."),
    (throwing(vessel="tray"), "coin", "The tray takes tokens cell by cell"),
    (handed(), "raise1", "Hands are raised without a time in this game."),
    (handed(hands="live", hand_window=4), "raise4", "Hands are waited for 2.0 s, no longer."),
]


@pytest.mark.parametrize(("s", "code", "reason"), REFUSED, ids=[f"{case[1]}-{number}" for number, case in enumerate(REFUSED)])
def test_refusals_say_why(s: Any, code: str, reason: str) -> None:
    p = GAME.actors(s)[0]
    assert CODES.index(code) not in GAME.legal(s, p)
    assert refusal(GAME.veiled(s, p), p, CODES.index(code), "en").startswith(reason)  # type: ignore[arg-type]
    assert refusal(GAME.veiled(s, p), p, CODES.index(code), "ja")  # type: ignore[arg-type]


# --- The board ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_board_is_narrow_and_shows_nothing_hidden(lang: str) -> None:
    for number, (before, _, _, _) in enumerate(random_games(4, 4, seed=6, rim_line=True, hands="live", proxy_limit="three")):
        if number % 5:
            continue
        for viewer in range(-1, 4):
            text = board(GAME.veiled(before, viewer), viewer, lang)  # type: ignore[arg-type]
            assert max(map(width, text.splitlines())) <= 100
            if number % 15 == 0:
                world = GAME.redealt(GAME.veiled(before, viewer), number)
                assert board(GAME.veiled(world, viewer), viewer, lang) == text  # type: ignore[arg-type]


def test_a_board_shows_cards_bids_and_winners() -> None:
    s = laid_out(FIVE)
    play(s, "bid3", 0)
    play(s, "bid2", 1)
    text = board(GAME.veiled(s, 0), 0, "en")  # type: ignore[arg-type]
    assert "   Red     (3) " in text
    assert "   Blue    (?) " in text
    assert "Red: Choose your bid for slot B (ankh 1)." in text
    order(s, "45", "34", "123")
    text = board(GAME.veiled(s, 1), 1, "en")  # type: ignore[arg-type]
    assert "winner  Red              Red              Red " in text
    assert "Red: You won coin 1: throw 1 coin, or pass?" in text
    play(s, "throw")
    text = board(GAME.veiled(s, 1), 1, "en")  # type: ignore[arg-type]
    assert "1*" in text
    assert "It probably holds at least 10 more coins." in text


def test_a_board_of_the_tray_and_of_an_own_vessel() -> None:
    s = order(laid_out(FIVE, vessel="tray"), *EASY)
    play(s, "throw cell4")
    assert " 4 [ 1.0 o]" in board(s, 0, "en")
    assert "your own glass" in board(new(3, real_vessel=True), 0, "en")
    assert "手元のトレイ" in board(new(3, real_vessel=True, vessel="tray"), 0, "ja")
    assert "Options: Coins per turn: up to two" in board(new(2, classic_limit="two"), 0, "en")
    shown = board(new(3, hands="live", hand_window=4, steadiness_1=50), 0, "en")
    assert "Options: Raised hands: live, Time for hands: 2 s, Handicap of Blue: 50 %" in shown
    assert step(s) == "decide"
