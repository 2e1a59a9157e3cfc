"""Imhotep as people see it: codes, sentences, log, refusals and the text board."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.engine.text import width
from perankh.games.imhotep import table
from perankh.games.imhotep.face import CODES, board, prompt, refusal, seat_name, sentence, told
from perankh.games.imhotep.table import State

from .imhotep_positions import ALL_B, GAME, K, N, W, actor, legal, play, position, random_games, step

LANGUAGES = ("en", "ja")

# --- Codes and sentences --------------------------------------------------------------------------------------------


def test_codes_are_one_to_one() -> None:
    assert len(CODES) == len(set(CODES)) == GAME.actions == 70
    assert (CODES[table.PASS], CODES[table.FETCH + 3], CODES[table.POINT], CODES[table.LOAD + 6]) == (
        "pass",
        "fetch3",
        "point",
        "load-b3",
    )
    assert (CODES[table.SAIL + 19], CODES[table.PLAY], CODES[table.TAKE + 3]) == ("sail-d-obelisk", "play-lever", "take4")
    assert (CODES[table.KEEP + 7], CODES[table.BUILD], CODES[table.ORDER + 3]) == ("keep-idol", "build-left", "next-grey")
    assert CODES[-1] == CODES[table.DECLINE] == "decline"


@pytest.mark.parametrize(("players", "options"), [(2, {}), (3, ALL_B), (4, {**ALL_B, "discard_open": False, "wrath": True})])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_choice_can_be_said_and_told(players: int, options: dict[str, Any], lang: str) -> None:
    for number, (before, p, a, after) in enumerate(random_games(1, players, seed=50 + players, **options)):
        actions = GAME.legal(before, p)
        seen: Any = GAME.veiled(before, p)
        sentences = [sentence(seen, p, b, lang) for b in actions]
        assert len(set(sentences)) == len(actions)
        viewer = number % (players + 1) - 1
        line = told(GAME.veiled(before, viewer), GAME.veiled(after, viewer), p, a, lang)  # type: ignore[arg-type]
        assert line.startswith(seat_name(p, lang))
        assert prompt(seen, p, lang)
        for text in (line, *sentences):
            assert "{" not in text
            assert "  " not in text


SAID: list[tuple[State, str, str, str, str]] = [
    (position(), "", "fetch1", "Fetch 1 stone from the quarry", "石材を1個採石する"),
    (position(), "", "fetch3", "Fetch 3 stones from the quarry", "石材を3個採石する"),
    (position(), "", "load-b2", "Load a stone on ship B, space 2 of 3", "船Bの2番目のマスに石材を積む（全3マス）"),
    (position(ships="K.WK"), "", "sail-a-burial", "Sail ship A (K W K) to the burial chamber", "船A（K W K）を埋葬室へ出す"),
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


# --- The log ----------------------------------------------------------------------------------------------------------


def told_after(s: State, codes: str, viewer: int, lang: str = "en") -> str:
    """What is told to a viewer of the last of several choices."""
    *first, last = codes.split()
    play(s, *first)
    before, p = s.copy(), actor(s)
    play(s, last)
    seen: Any = (GAME.veiled(before, viewer), GAME.veiled(s, viewer))
    return told(*seen, p, CODES.index(last), lang)


LAST = {"docked": "market pyramid burial", "ships": "- - - K"}
PAIR = {"card": "4322", "ships": "- - K", "market": "- - - idol", "market_side": "B"}

TOLD: list[tuple[str, State, str, str]] = [
    ("fetch", position(), "fetch1", "Black fetches 1 stone."),
    ("load", position(), "load-a3", "Black loads a stone on ship A, space 3."),
    (
        "pyramid",
        position(4, ships="WKWN", pyramid="KKKKKKKK", sleds=(0,) * 4, card="4322"),
        "sail-a-pyramid",
        "Black sails ship A to the pyramid. Pyramid: Black +2, White +6, Brown +1.",
    ),
    (
        "temple",
        position(ships="KWWK"),
        "sail-a-temple",
        "Black sails ship A to the temple. To the temple: Black, White x2, Black.",
    ),
    (
        "obelisk",
        position(ships="- - KW", obelisk="KKKWW", obelisk_side="B"),
        "sail-c-obelisk",
        "Black sails ship C to the obelisk. To the obelisk: Black, White. White erects an obelisk on slot 2: 9 points.",
    ),
    (
        "obelisk later",
        position(ships="- - W", obelisk="WW", obelisk_side="B", obelisk_b_pay="game_end"),
        "sail-c-obelisk",
        "Black sails ship C to the obelisk. To the obelisk: White. White erects an obelisk on slot 1: 10 points at the end.",
    ),
    (
        "market",
        position(ships="- - K", market="sarcophagus - - -"),
        "sail-c-market take1",
        "Black takes Sarcophagus. To the burial chamber: Black. The stones of the ship go back to the quarries.",
    ),
    (
        "no stone",
        position(ships="- - K", market="entrance - - -", quarries=(0, 3)),
        "sail-c-market take1",
        "Black takes Entrance. Black has no stone in the quarry: the red card has no effect. "
        "The stones of the ship go back to the quarries.",
    ),
    (
        "entrance",
        position(ships="- - K", market="entrance - - -", pyramid_side="B"),
        "sail-c-market take1",
        "Black takes Entrance. Black chooses a pyramid for a stone from the quarry.",
    ),
    (
        "bonus card",
        position(ships="- - K", pyramid="W||", pyramid_side="B", deck="paved_path"),
        "sail-c-pyramid build-left",
        "Black builds on the left pyramid, cell 2: 1 point. To the obelisk: Black. Black draws Paved Path.",
    ),
    (
        "shuffle",
        position(ships="- - K", pyramid="W||", pyramid_side="B", deck="", discard="lever"),
        "sail-c-pyramid build-left",
        "Black builds on the left pyramid, cell 2: 1 point. Black draws Lever. The discard pile is shuffled into a new deck.",
    ),
    (
        "round",
        position(temple="KKW", deck="idol idol idol idol", market="- - - -", **LAST),  # type: ignore[arg-type]
        "sail-d-obelisk",
        "Black sails ship D to the obelisk. To the obelisk: Black. Round 1 is over. Temple: Black +2, White +1. ",
    ),
    (
        "temple b",
        position(temple="KWKW", temple_side="B", sleds=(0, 5), deck="idol " * 6, market="- - - -", **LAST),  # type: ignore[arg-type]
        "sail-d-obelisk fetch1",
        "Black takes 1 stone for temple cell 1. Temple: White +2.",
    ),
    (
        "temple card",
        position(temple="WWKW", temple_side="B", sleds=(0, 5), deck="idol " * 5, market="- - - -", **LAST),  # type: ignore[arg-type]
        "sail-d-obelisk point",
        "Black takes 1 point for temple cell 3. White draws Idol. Round 2 begins with ships of ",
    ),
    (
        "stall",
        position(card="4321", ships="KW", docked="- temple burial obelisk", sleds=(0, 0), quarries=(0, 0), turn=1, round=6),
        "pass pass",
        "Black can do nothing and passes. Nobody can act: the stones on waiting ships go back to the quarries. Round 6 is over. "
        "All six rounds have been played. Black: burial chamber 0,",
    ),
    (
        "end",
        position(temple="K", held={W: "idol"}, scores=(3, 9), wrath=True, round=6, market="- - - -", **LAST),  # type: ignore[arg-type]
        "sail-d-obelisk",
        "Black sails ship D to the obelisk. To the obelisk: Black. Round 6 is over. Temple: Black +1. "
        "All six rounds have been played. "
        "Black: burial chamber 0, obelisk 10, blue and green cards 0, idols 0, wrath -5, in all 9. "
        "White: burial chamber 0, obelisk 0, blue and green cards 0, idols 1, wrath -5, in all 5. Black wins with 9 points.",
    ),
]


@pytest.mark.parametrize(("start", "codes", "line"), [case[1:] for case in TOLD], ids=[case[0] for case in TOLD])
def test_the_log_tells_what_followed(start: State, codes: str, line: str) -> None:
    for viewer in (-1, W):
        text = told_after(start.copy(), codes, viewer)
        assert text.startswith(line)
        assert text == line or line.endswith((" ", ","))


def test_the_log_names_the_new_round() -> None:
    s = position(deck="idol idol idol idol", market="- - - -", turn=1, **LAST)  # type: ignore[arg-type]
    text = told_after(s, "sail-d-obelisk", -1)
    ships = " ".join(str(table.capacity(s, ship)) for ship in range(4))
    assert text.endswith(f"Round 2 begins with ships of {ships}; Black starts. In the market: Idol, Idol, Idol, Idol.")


def test_the_log_names_the_winners_together() -> None:
    s = position(scores=(3, 13), round=6, sleds=(2, 2), **LAST)  # type: ignore[arg-type]
    assert told_after(s, "sail-d-obelisk", -1).endswith("Black, White share the victory with 13 points.")
    s = position(scores=(3, 13), round=6, sleds=(2, 2), **LAST)  # type: ignore[arg-type]
    assert told_after(s, "sail-d-obelisk", 1, "ja").endswith("黒、白が13点で勝利を分かち合った。")


@pytest.mark.parametrize("discard_open", [True, False])
def test_the_log_names_a_rejected_card_to_those_who_know_it(discard_open: bool) -> None:
    def make() -> State:
        return position(deck="lever hammer", discard="idol", discard_open=discard_open, **PAIR)  # type: ignore[arg-type]

    codes = "sail-c-market take4 keep-lever"
    known = "Black keeps Lever and discards Hammer. The stones of the ship go back to the quarries."
    unknown = "Black keeps Lever and discards the other card unseen. The stones of the ship go back to the quarries."
    assert told_after(make(), codes, K) == known
    for viewer in (-1, W):
        assert told_after(make(), codes, viewer) == (known if discard_open else unknown)
        assert told_after(make(), "sail-c-market take4", viewer) == "Black looks at the face-down cards."


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
    (position(), "", "point", "That is not what is to be decided now. Fetch stones, load a stone"),
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
    (position(), "", "take1", "That is not what is to be decided now."),
    # Blue cards
    (position(held={K: "lever"}, **READY), "play-lever", "sail-b-temple", "Ship B needs 2 stones to sail and carries 1."),
    (
        position(held={K: "lever"}, **READY),
        "play-lever",
        "load-b2",
        "That is not what is to be decided now. Lever: choose the ship",
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
        "That is not what is to be decided now. Hammer: choose the space",
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
        "That is not what is to be decided now. Choose the pyramid",
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
  A  <K . W .]   sails with 3 or more              1  Idol
  B  <. . .]     at the pyramid                    2  -
  C  <N .]       ready                             3  Lever
  D  <. .]       sails with 1 or more              4  Temple Decoration

Pyramid (A)                                      Temple (A)
  K  K  K     K  1     4                           on top  N    W    N    K    W
  W  W  W     W  3                                 height  2    1    1    1    1
  N  N  N                                          reward  1    1    1    1    1

Burial chamber (A)                               Obelisk (A)
  K K . . . . . .                                  heights  K 2  W 1  N 0
  W W . . . . . .
  N . . . . . . .

                  points  sled           quarry   cards
  K Black         12      K.... 1        17       Idol x2, Sail
> W White (you)   3       WWW.. 3        16
  N Brown         40      NNNNN 5        17       Burial Chamber Decoration

Deck 27 · discard pile: -
Round cards to come, one of them out of the game: 4 3 2 1, 4 2 2 1, 3 3 3 2, 3 3 2 2

White: Fetch stones, load a stone, sail a ship or play a blue card.
"""

BOARD_B = """
イムホテップ · ラウンド 1/6 · 手番 1
ファラオの怒り：あり

船（左が船首）                                   市場（B面）
  A  <. . . .]   3個以上で出航可                   1  ハンマー
  B  <. . .]     2個以上で出航可                   2  -
  C  <. .]       市場に係留                        3  -
  D  <. .]       1個以上で出航可                   4  伏せ札
  これから降ろす石材：K W                             伏せ札

ピラミッド（B面）                                神殿（B面）
  左            中央          右                   最上段  K    W    K    .
  K  2    4     K  1c   4     3  1    4            高さ    1    1    1    0
  W  1l         3  1          1l 1s                報酬    1/2s 2    1/2s c
  c カード、s 採石、l 積み込み                     1/2s 1点か石材2個、c カード

埋葬室（B面）                                    オベリスク（B面）
  K K . . . . . .                                  未使用  K 0  W 2
  W W . . . . . .                                  10:K 9:. 8:. 7:.
  K . . . . . . .

                  得点    石材置き場     採石場   カード
> K 黒            0       KK... 2        16       偶像
  W 白（自分）    0       WW... 2        20

山札1枚 · 捨て札：エントランス x2、石棺 x2、舗装された道 x2、ピラミッドの装飾 x2、神殿の装飾 x2、
                  埋葬室の装飾 x2、オベリスクの装飾 x2、偶像 x8、てこ、ハンマー、出航 x2、のみ x3
残りのラウンドカード（うち1枚は使わない）：4 3 3 1, 4 3 2 1, 4 2 2 1, 3 3 2 2, 3 3 2 1, 3 2 2 1

黒：2枚のうち1枚を残す。もう1枚は捨て札になる。
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
    s.hidden[:2] = [table.SECRET + table.CARDS.index("deco_burial")] * 2
    text = board(s, 0, lang)
    assert max(map(width, text.splitlines())) <= 100
    assert "2:N 1:. 1:. 1:." in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_board_fits_the_terminal_in_every_position(lang: str) -> None:
    for number, (_, _, _, after) in enumerate(random_games(2, 4, seed=33, discard_open=False, wrath=True, **ALL_B)):
        if number % 9 == 0 or step(after) == "over":
            viewer = number % 5 - 1
            text = board(GAME.veiled(after, viewer), viewer, lang)  # type: ignore[arg-type]
            assert max(map(width, text.splitlines())) <= 100
            assert all(seat_name(p, lang) in text for p in range(4))
