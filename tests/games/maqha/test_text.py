"""Maqha as people see it: codes, sentences, log, refusals and the text board."""

from __future__ import annotations

from typing import Any

import pytest
from perankh.games.maqha.face import CODES, answer_in, board, no_answer, prompt, refusal, sentence, told, window
from perankh.games.maqha.table import PASS, THROW, VOLUME

from perankh.engine.text import width

from .maqha_positions import GAME, laid_out, new, order, play, random_games, step

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
def test_every_choice_can_be_said_and_told(players: int, options: dict[str, Any], lang: str) -> None:
    for before, p, a, after in random_games(3, players, seed=20 + players, **options):
        seen: Any = GAME.veiled(before, p)
        actions = GAME.legal(before, p)
        assert len({sentence(seen, p, b, lang) for b in actions}) == len(actions)
        line = told(seen, GAME.veiled(after, p), p, a, lang)  # type: ignore[arg-type]
        assert line.startswith(GAME.face.seat_name(p, lang))
        for text in (line, prompt(seen, p, lang), *(sentence(seen, p, b, lang) for b in actions)):
            assert text
            assert "{" not in text
            assert "  " not in text


# --- The log --------------------------------------------------------------------------------------------------


def told_after(s: Any, codes: str, viewer: int, p: int | None = None, lang: str = "en") -> str:
    """What a viewer is told of the last of several choices."""
    *first, last = codes.split()
    play(s, " ".join(first), p)
    q = GAME.actors(s)[0] if p is None else p
    before = s.copy()
    play(s, last, q)
    return told(GAME.veiled(before, viewer), GAME.veiled(s, viewer), q, CODES.index(last), lang)  # type: ignore[arg-type]


def test_a_sealed_bid_is_told_to_its_owner_alone() -> None:
    assert told_after(laid_out(FIVE), "bid4", 1, 1) == "Blue bids the 4 for slot A, face down."
    for viewer in (-1, 0, 2):
        assert told_after(laid_out(FIVE), "bid4", viewer, 1) == "Blue has fixed the bid for slot A."
        assert told_after(laid_out(FIVE), "bid4", viewer, 1, "ja") == "青がAへの入札を決めた。"


def test_shown_bids_are_told_with_winners_and_carry_over() -> None:
    s = laid_out(FIVE)
    order(s, "123", "124", "12")
    assert told_after(s, "bid3", 0, 2) == (
        "Green has fixed the bid for slot C. A: Red 1, Blue 1, Green 1. Nobody wins: coin 1 is carried over. "
        "B: Red 2, Blue 2, Green 2. Nobody wins: coin 1, ankh 1 is carried over. C: Red 3, Blue 4, Green 3. "
        "Blue wins coin 1, ankh 1, anubis 1."
    )


def test_a_half_without_winners_and_a_new_round_are_told() -> None:
    s = laid_out(FIVE)
    order(s, "123", "123", "12")
    assert told_after(s, "bid3", 1, 2).endswith("is carried over. Now bids for D and E.")
    order(s, "4", "4")
    line = told_after(s, "bid4", 1, 2)
    assert "E: Red 5, Blue 5, Green 5. Nobody wins" in line
    assert "Nobody gets the Eye of Horus. Round 2: A " in line


def test_answers_against_the_clock_are_always_legal() -> None:
    for ticks in (1, 4, 10):
        s = order(laid_out(FIVE, hands="live", hand_window=ticks), *EASY)
        assert window(s) == 0
        play(s, "pass")
        assert window(s) == 500 * ticks
        can = GAME.legal(s, 1)
        assert no_answer(s) in can
        assert {answer_in(s, a, time) for a in can for time in (None, 0, 499, 2000, 4999, 5000, 10**9)} <= set(can)
        assert [CODES[a] for a in can if answer_in(s, a, 0) == a] == ["stay", "raise0"]


def test_passes_and_hands_are_told_when_the_window_closes() -> None:
    s = order(laid_out("coin1 ankh1 anubis1 coin2 ankh2", hands="live"), *EASY)
    assert told_after(s, "pass", 2) == "Red passes coin 1."
    assert told_after(s.copy(), "raise3", 1, 1) == "Blue raises a hand after 1.5 s."
    assert told_after(s, "raise3", 2, 1) == "Blue has answered."
    line = told_after(s, "raise2", 0, 2)
    assert line.startswith(
        "Green has answered. Blue raises a hand after 1.5 s. Green raises a hand after 1.0 s. "
        "Green throws in the place of Red: 1 coin. Green banks coin 1. The dome reads "
    )


def test_a_spill_and_the_end_are_told() -> None:
    s = order(laid_out("coin1 coin3 anubis1 coin2 ankh2"), *EASY)
    play(s, "throw throw")
    s.vcrit = 0
    assert told_after(s, "all", 1) == (
        "Red lets go 3 coins. The glass overflows! Nobody scores for coin 3. A throw made the vessel spill. "
        "The glass began at 0 µl and would have held 0 µl above the rim. Blue and Green win together with 0 points."
    )
    s = new(2, start_player=1)
    s.vcrit = 0
    assert told_after(s, "drop2", 0).endswith("Blue has lost; all others win.")
    s = new(2, start_player=1)
    s.vcrit = 32000
    assert told_after(s, "drop10", 0).endswith("A draw.")


def test_the_last_token_and_topples_are_told() -> None:
    s = order(laid_out("coin2 coin1 anubis1 coin3 ankh2"), *EASY)
    assert "Red lets go 1 coin. The last one follows: 1 coin. Red banks coin 2." in told_after(s, "throw coin", 1)
    s = order(laid_out("coin2 coin1 anubis1 coin3 ankh2", vessel="tray"), *EASY)
    play(s, "throw cell3")
    s.height, s.top = [0] * 12, [0] * 12
    s.height[3], s.top[3] = 40, 1
    line = told_after(s, "cell3", 1)
    assert line.startswith("Red puts the coin on cell 3. It topples and comes to rest on cell ") or "falls off" in line


def test_accidents_are_told() -> None:
    s = new(3, real_vessel=True)
    assert told_after(s.copy(), "accident2", 0, 0).startswith("Red reports an accident caused by Green.")
    assert told_after(s, "accident-nobody", 0, 0).startswith("Red reports an accident that nobody caused.")


def test_the_rim_line_is_told() -> None:
    s = order(laid_out(FIVE, rim_line=True), *EASY)
    assert told_after(s, "throw", 1).endswith("The rim is dry.")


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
    (few_coins(9, classic_limit="two"), "drop3", "At most 2 coins may be dropped in a turn."),
    (few_coins(9), "bid1", "That belongs to the advanced rules"),
    (few_coins(9), "cell3", "That belongs to the advanced rules"),
    (few_coins(9), "held", "Only with a vessel of your own"),
    (laid_out(FIVE), "drop1", "Coins are dropped freely only in the classic rules."),
    (laid_out(FIVE), "eye", "You do not hold the Eye of Horus."),
    (with_eye(), "bid5", "Your 5 lies aside while you hold the Eye"),
    (play(laid_out(FIVE), "bid4", 0), "bid4", "You have used the 4 for slot A in this round."),
    (laid_out(FIVE), "throw", "That is not what is to be decided now: Choose your bid for slot A (coin 1)."),
    (laid_out(FIVE), "pass", "That is not what is to be decided now"),
    (laid_out(FIVE), "accident0", "Only with a vessel of your own"),
    (laid_out(FIVE, real_vessel=True), "accident3", "There are only 3 players at the table."),
    (laid_out(FIVE, real_vessel=True), "held", "That is not what is to be decided now"),
    (throwing(), "pass", "The throw has begun; it is too late to pass."),
    (answered("stay", "stay"), "pass", "Nobody raised a hand, so you have to throw."),
    (answered("raise0", "stay"), "pass", "Who throws in another's place cannot pass."),
    (limited(), "pass", "All proxy markers are out, so nobody can pass."),
    (throwing(), "ankh", "No ankh is left to go in."),
    (throwing(), "cell3", "There is no tray in this game."),
    (throwing(vessel="tray"), "all", "On the tray tokens are placed one by one."),
    (throwing(vessel="tray"), "coin", "The tray takes tokens cell by cell"),
    (handed(), "raise1", "Hands are raised without a stamp of time in this game."),
    (handed(hands="live", hand_window=4), "raise4", "The window for hands is closed after 2.0 s."),
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
    assert f"added {VOLUME[0]} µl" in text


def test_a_board_of_the_tray_and_of_an_own_vessel() -> None:
    s = order(laid_out(FIVE, vessel="tray"), *EASY)
    play(s, "throw cell4")
    assert " 4 [ 1.0 o]" in board(s, 0, "en")
    assert "your own glass" in board(new(3, real_vessel=True), 0, "en")
    assert "手元のトレイ" in board(new(3, real_vessel=True, vessel="tray"), 0, "ja")
    assert "Options: Coins a turn: up to two" in board(new(2, classic_limit="two"), 0, "en")
    assert step(s) == "decide"
