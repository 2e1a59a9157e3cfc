"""Imhotep as people see it: codes, sentences, log, refusals and the text board."""

from __future__ import annotations

import re
from typing import Any

import pytest

from perankh.engine.events import redacted
from perankh.engine.text import width
from perankh.games.imhotep.rules import actions, components, state
from perankh.games.imhotep.rules.state import State, Step
from perankh.games.imhotep.text import CODES, board, log_lines, prompt, refusal, sentence

from .positions import ALL_B, GAME, K, N, actor, legal, play, position, random_games, step, told_games

LANGUAGES = ("en", "ja")

# --- Codes and sentences --------------------------------------------------------------------------------------------


def test_codes_are_one_to_one() -> None:
    assert len(CODES) == len(set(CODES)) == GAME.actions == 70
    assert (CODES[actions.PASS], CODES[actions.FETCH + 3], CODES[actions.POINT], CODES[actions.LOAD + 6]) == (
        "pass",
        "fetch3",
        "point",
        "load-b3",
    )
    assert (CODES[actions.SAIL + 19], CODES[actions.PLAY], CODES[actions.TAKE + 3]) == ("sail-d-obelisk", "play-lever", "take4")
    assert (CODES[actions.KEEP + 7], CODES[actions.BUILD], CODES[actions.ORDER + 3]) == ("keep-idol", "build-left", "next-grey")
    assert CODES[-1] == CODES[actions.DECLINE] == "decline"


@pytest.mark.parametrize(("players", "options"), [(2, {}), (3, ALL_B), (4, {**ALL_B, "discard_open": False, "wrath": True})])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_choice_can_be_said_and_told(players: int, options: dict[str, Any], lang: str) -> None:
    for number, (before, p, _, after, events) in enumerate(told_games(1, players, seed=50 + players, **options)):
        actions = GAME.legal(before, p)
        seen: Any = GAME.veiled(before, p)
        sentences = [sentence(seen, p, b, lang) for b in actions]
        assert len(set(sentences)) == len(actions)
        viewer = number % (players + 1) - 1
        lines = log_lines(GAME.veiled(after, viewer), redacted(events, viewer), viewer, lang)  # type: ignore[arg-type]
        assert lines[0].startswith(GAME.seat_name(p, lang))
        assert prompt(seen, p, lang)
        for text in (*lines, *sentences):
            assert "{" not in text
            assert "  " not in text


SAID: list[tuple[State, str, str, str, str]] = [
    (position(), "", "fetch1", "Fetch 1 stone from the quarry", "石材を1個採石する"),
    (position(), "", "fetch3", "Fetch 3 stones from the quarry", "石材を3個採石する"),
    (position(), "", "load-b2", "Load a stone on ship B, space 2 of 3", "船Bの2番目のマスに石材を積む（全3マス）"),
    (
        position(ships="K.WK"),
        "",
        "sail-a-burial",
        "Sail ship A (Black, White, Black) to the burial chamber",
        "船A（黒、白、黒）を埋葬室へ出す",
    ),
    (position(held={K: "chisel"}), "", "play-chisel", "Play Chisel", "「のみ」を使う"),
    (position(ships="- - K"), "sail-c-market", "take2", "Take Idol (slot 2)", "「偶像」を取る（枠2）"),
    (
        position(ships="- - K", pyramid_side="B"),
        "sail-c-pyramid",
        "build-middle",
        "Build on the middle pyramid, cell 1: 1 point, and you may fetch stones",
        "中央のピラミッドのマス1に積む（1点、さらに採石してよい）",
    ),
    (
        position(ships="- - K", pyramid_side="B"),
        "sail-c-pyramid",
        "build-right",
        "Build on the right pyramid, cell 1: 3 points",
        "右のピラミッドのマス1に積む（3点）",
    ),
    (
        position(ships="- - KW", held={K: "lever"}),
        "play-lever sail-c-temple",
        "next-white",
        "White's stone leaves next",
        "次に白の石材を降ろす",
    ),
]


@pytest.mark.parametrize(("start", "before", "code", "en", "ja"), SAID, ids=[case[3][:30] for case in SAID])
def test_sentences(start: State, before: str, code: str, en: str, ja: str) -> None:
    s = play(start.copy(), before)
    assert code in legal(s)
    assert sentence(s, actor(s), CODES.index(code), "en") == en
    assert sentence(s, actor(s), CODES.index(code), "ja") == ja


LAST = {"docked": "market pyramid burial", "ships": "- - - K"}
PAIR = {"card": "4322", "ships": "- - K", "market": "- - - idol", "market_side": "B"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_prompts_are_for_everybody(lang: str) -> None:
    """The prompt of another player is shown with the player's name, so it must not say "your"."""
    for step_ in Step:
        if step_ != Step.GO_ON:
            s = position()
            s.step, s.cell, s.ship = step_, 1, 1
            assert not re.search(r"\byou|自分|あなた", prompt(s, K, lang), re.IGNORECASE)


# --- Refusals ---------------------------------------------------------------------------------------------------------

EMPTY: dict[str, Any] = {"sleds": (0, 2), "quarries": (0, 9)}
READY: dict[str, Any] = {"ships": "KWK W KW"}

REFUSED: list[tuple[State, str, str, str]] = [
    (position(), "", "pass", "You may pass only when you can do nothing at all."),
    (position(), "", "fetch0", "Fetching no stone is not an action."),
    (position(sleds=(5, 0)), "", "fetch1", "Your sled is full."),
    (position(quarries=(0, 0)), "", "fetch1", "There is no stone of yours left in the quarry."),
    (position(sleds=(4, 0)), "", "fetch2", "You can fetch at most 1 now."),
    (position(quarry_take="max"), "", "fetch1", "Whoever fetches takes as many stones as possible: 3."),
    (position(), "", "point", "Not now. Fetch stones or load a stone"),
    (position(sleds=(0, 0)), "", "load-a1", "There is no stone on your sled."),
    (position(docked="temple"), "", "load-a1", "Ship A has already sailed."),
    (position(), "", "load-c3", "Ship C has no space 3; it has 2."),
    (position(**READY), "", "load-a2", "A stone already lies on space 2 of ship A."),
    (position(**READY), "", "sail-b-temple", "Ship B needs 2 stones to sail and carries 1."),
    (position(docked="- - - temple", **READY), "", "sail-a-temple", "A ship already lies at the temple."),
    (position(docked="temple"), "", "sail-a-pyramid", "Ship A has already sailed."),
    (position(), "", "play-lever", "You do not hold Lever."),
    (position(held={K: "lever"}), "", "play-lever", "Lever needs a ship that is ready to sail, and there is none."),
    (position(held={K: "hammer"}, **EMPTY), "", "play-hammer", "Hammer needs a stone to load, and you have none."),
    (position(held={K: "hammer"}, ships="KKKK WWW KK WW"), "", "play-hammer", "Hammer needs a free space on a waiting ship"),
    (position(held={K: "sail"}, **EMPTY), "", "play-sail", "Sail needs a stone to load, and you have none."),
    (
        position(held={K: "sail"}, ships="K . WW WW"),
        "",
        "play-sail",
        "Sail needs a ship that could sail with one stone more, and there is none.",
    ),
    (position(held={K: "chisel"}, sleds=(1, 0)), "", "play-chisel", "Chisel needs two stones on your sled."),
    (position(held={K: "chisel"}, **EMPTY), "", "play-chisel", "Chisel needs a stone to load, and you have none."),
    (position(held={K: "chisel"}, ships="KKKK WWW KK W"), "", "play-chisel", "Chisel needs two free spaces on waiting ships."),
    (position(), "", "take1", "Not now."),
    # Blue cards
    (position(held={K: "lever"}, **READY), "play-lever", "sail-b-temple", "Ship B needs 2 stones to sail and carries 1."),
    (
        position(held={K: "lever"}, **READY),
        "play-lever",
        "load-b2",
        "Not now. Lever: choose the ship",
    ),
    (
        position(held={K: "lever"}, ships="- - KW"),
        "play-lever sail-c-temple",
        "next-brown",
        "No stone of Brown is left on the ship.",
    ),
    (position(held={K: "hammer"}), "play-hammer", "fetch0", "Fetching no stone is not an action."),
    (
        position(held={K: "hammer"}),
        "play-hammer fetch1",
        "fetch1",
        "Not now. Hammer: choose the space",
    ),
    (
        position(held={K: "sail"}, ships="K W"),
        "play-sail",
        "load-a2",
        "Ship A could not sail even with this stone: it needs 3 and carries 1.",
    ),
    (position(held={K: "sail"}, **READY), "play-sail load-b2", "sail-a-temple", "Only the ship just loaded sails, not ship A."),
    (
        position(held={K: "sail"}, docked="- - - temple", **READY),
        "play-sail load-b2",
        "sail-b-temple",
        "A ship already lies at the temple.",
    ),
    (position(held={K: "chisel"}), "play-chisel load-a1", "load-a1", "A stone already lies on space 1 of ship A."),
    # Sites
    (position(ships="- - K", market="idol - - -"), "sail-c-market", "take2", "Slot 2 of the market is empty."),
    (position(ships="- - K"), "sail-c-market", "pass", "Every stone at the market has to take a card."),
    (position(ships="- - K"), "sail-c-market", "decline", "Every stone at the market has to take a card."),
    (
        position(deck="idol lever", **PAIR),
        "sail-c-market take4",
        "take4",
        "You have looked at the two cards: one of them is yours.",
    ),
    (position(deck="idol lever", **PAIR), "sail-c-market take4", "keep-sail", "Sail is not one of the two cards."),
    (position(ships="- - K", pyramid="KKKKK", pyramid_side="B"), "sail-c-pyramid", "build-left", "The left pyramid is complete."),
    (
        position(ships="- - K", pyramid_side="B"),
        "sail-c-pyramid",
        "pass",
        "Not now. Choose the pyramid",
    ),
    (
        position(ships="- - K", pyramid_side="B", sleds=(4, 0)),
        "sail-c-pyramid build-middle",
        "fetch2",
        "You can fetch at most 1 now.",
    ),
    (
        position(ships="- - K", pyramid="||K", pyramid_side="B"),
        "sail-c-pyramid build-right",
        "load-c1",
        "Ship C has already sailed.",
    ),
    (position(temple="K", temple_side="B", **LAST), "sail-d-obelisk", "fetch0", "Take the points, or at least one stone."),
    (position(temple="K", temple_side="B", **LAST), "sail-d-obelisk", "fetch3", "You can fetch at most 2 now."),
]


@pytest.mark.parametrize(("start", "codes", "refused", "why"), REFUSED, ids=[f"{c[2]}-{i}" for i, c in enumerate(REFUSED)])
def test_a_refusal_says_why(start: State, codes: str, refused: str, why: str) -> None:
    s = play(start.copy(), codes)
    assert refused not in legal(s)
    assert refusal(s, actor(s), CODES.index(refused), "en").startswith(why)
    assert refusal(s, actor(s), CODES.index(refused), "ja").endswith("。")


# --- The text board ---------------------------------------------------------------------------------------------------

BOARD_A = """
IMHOTEP · round 3 of 6 · turn 1

Ships (bow first)                                Market (A)
  A  <Bk .  Wh . ]  sails with 3 or more           1  Idol
  B  <.  .  . ]     at the pyramid                 2  -
  C  <Br . ]        ready                          3  Lever
  D  <.  . ]        sails with 1 or more           4  Temple Decoration

Pyramid (A)                                      Temple (A)
  Bk Bk Bk     Bk 1      4                         on top  Br   Wh   Br   Bk   Wh
  Wh Wh Wh     Wh 3                                height  2    1    1    1    1
  Br Br Br                                         reward  1    1    1    1    1

Burial chamber (A)                               Obelisk (A)
  Bk Bk .  .  .  .  .  .                           heights  Bk 2  Wh 1  Br 0
  Wh Wh .  .  .  .  .  .
  Br .  .  .  .  .  .  .

                    points  sled        quarry   cards
  Bk Black          12      1/5         17       Idol x2, Sail
> Wh White (you)    3       3/5         16
  Br Brown          40      5/5         17       Burial Chamber Decoration

Deck 27 · discard pile: -
Round cards to come, one of them out of the game: 4 3 2 1, 4 2 2 1, 3 3 3 2, 3 3 2 2

White: Fetch stones, load a stone or sail a ship.
"""

BOARD_B = """
イムホテップ · ラウンド 1/6 · 手番 1
ファラオの怒り：あり

船（左が船首）                                   市場（B面）
  A  <.  .  .  . ]  3個以上で出航可                1  ハンマー
  B  <.  .  . ]     2個以上で出航可                2  -
  C  <.  . ]        市場に係留                     3  -
  D  <.  . ]        1個以上で出航可                4  伏せ札
  これから降ろす石材：黒、白                          伏せ札

ピラミッド（B面）                                神殿（B面）
  左            中央          右                   最上段  黒   白   黒   .
  黒 2    4     黒 1c   4     3  1    4            高さ    1    1    1    0
  白 1l         3  1          1l 1s                獲得    1/2s 2    1/2s c
  c カード、s 採石、l 積み込み                     1/2s 1点か石材2個、c カード

埋葬室（B面）                                    オベリスク（B面）
  黒 黒 .  .  .  .  .  .                           未使用  黒 0  白 2
  白 白 .  .  .  .  .  .                           10:黒 9:. 8:. 7:.
  黒 .  .  .  .  .  .  .

                    得点    石材置き場  採石場   カード
> 黒                0       2/5         16       偶像
  白（自分）        0       2/5         20

山札1枚 · 捨て札：エントランス2枚、石棺2枚、舗装された道2枚、ピラミッドの装飾2枚、神殿の装飾2枚、
                  埋葬室の装飾2枚、オベリスクの装飾2枚、偶像8枚、てこ、ハンマー、出航2枚、のみ3枚
残りのラウンドカード（うち1枚は使わない）：4 3 3 1, 4 3 2 1, 4 2 2 1, 3 3 2 2, 3 3 2 1, 3 2 2 1

黒：2枚のうち1枚を残します。もう1枚は捨て札になります。
"""


def test_the_board_of_side_a() -> None:
    s = position(
        3,
        turn=1,
        card="4322",
        ships="K.W. - N -",
        docked="- pyramid",
        sleds=(1, 3, 5),
        pyramid="KWNKWNKWNKW",
        temple="KWNKWN",
        burial="KWNKW",
        obelisk="KKW",
        held={K: "idol idol sail", N: "deco_burial"},
        market="idol - lever deco_temple",
        scores=(12, 3, 40),
        round=3,
    )
    assert board(s, 1, "en") == BOARD_A.strip()


def test_the_board_of_side_b() -> None:
    s = position(
        2,
        card="4322",
        ships="- - KW",
        pyramid="KW|K|",
        temple="KWK",
        burial="KWKKW",
        obelisk="KKKWW",
        held={K: "idol"},
        market="hammer - - idol",
        deck="lever sail idol",
        wrath=True,
        **ALL_B,
    )
    play(s, "sail-c-market take4")
    assert "face down" not in board(s, 0, "en")
    text = board(GAME.veiled(s, 1), 1, "ja")  # type: ignore[arg-type]
    assert text == BOARD_B.strip()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_fullest_board_fits_the_terminal(lang: str) -> None:
    s = position(
        4,
        card="4322",
        ships="KWNG",
        burial="KWNG" * 7,
        temple="KWNG" * 6,
        obelisk="KKKKKKKKKWWWWWWWWWNNNNNNNNNGG",
        market="deco_burial deco_burial - idol",
        quarries=(0, 0, 0, 0),
        sleds=(5, 5, 5, 5),
        scores=(100, 100, 100, 100),
        held=dict.fromkeys(range(2), "lever hammer chisel sail idol idol deco_pyramid deco_temple deco_obelisk"),
        beside="KWNG",
        round=1,
        **ALL_B,
    )
    play(s, "sail-a-market", "take4")
    s.hidden[:2] = [state.FaceDown.SECRET + components.CARDS.index("deco_burial")] * 2
    text = board(s, 0, lang)
    assert max(map(width, text.splitlines())) <= 100
    assert ("2:Br 1:. 1:. 1:." if lang == "en" else "2:茶 1:. 1:. 1:.") in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_board_fits_the_terminal_in_every_position(lang: str) -> None:
    for number, (_, _, _, after) in enumerate(random_games(2, 4, seed=33, discard_open=False, wrath=True, **ALL_B)):
        if number % 9 == 0 or step(after) == "over":
            viewer = number % 5 - 1
            text = board(GAME.veiled(after, viewer), viewer, lang)  # type: ignore[arg-type]
            assert max(map(width, text.splitlines())) <= 100
            assert all(GAME.seat_name(p, lang) in text for p in range(4))
