"""Egizia as people see it: codes, sentences, log, refusals, texts of the components and the text board."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.engine.text import width
from perankh.games.egizia import log, printed, speech, table
from perankh.games.egizia.face import CODES, board, prompt, refusal, seat_name, sentence, told

from .egizia_positions import CODES as POSITION_CODES
from .egizia_positions import GAME, A, B, C, actor, building, feeding, legal, play, position, random_games

LANGUAGES = ("en", "ja")

# --- Codes and sentences --------------------------------------------------------------------------------------------


def test_codes_are_one_to_one() -> None:
    assert list(CODES) == POSITION_CODES
    assert len(set(CODES)) == GAME.actions == 236


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {}),
        (3, {"keep2_when": "before_draw", "surplus_sale": "automatic"}),
        (4, {"sphinx_return": "chosen", "crew_max": 3, "brick_limit": "20"}),
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_choice_can_be_said_and_told(players: int, options: dict[str, Any], lang: str) -> None:
    for number, (before, p, a, after) in enumerate(random_games(1, players, seed=70 + players, **options)):
        actions = GAME.legal(before, p)
        seen: Any = GAME.veiled(before, p)
        sentences = [sentence(seen, p, b, lang) for b in actions]
        assert len(set(sentences)) == len(actions)
        viewer = number % (players + 1) - 1
        line = told(GAME.veiled(before, viewer), GAME.veiled(after, viewer), p, a, lang)
        assert line.startswith(seat_name(p, lang))
        for text in (line, prompt(seen, p, lang), *sentences):
            assert "{" not in text
            assert "  " not in text
            assert "\n" not in text


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_log_follows_the_match_exactly(players: int) -> None:
    """What is carried out again for the log ends where the match went on."""
    fields = (
        "phase",
        "step",
        "turn",
        "chooser",
        "vp",
        "stones",
        "strength",
        "market",
        "dock",
        "docking",
        "acted",
        "passed",
        "ring",
    )
    for before, p, a, after in random_games(3, players, seed=80 + players):
        seen: Any = GAME.veiled(before, -1)
        *_, last = log.replay(seen, GAME.veiled(after, -1), p, a)
        if before.round == after.round and after.step != table.OVER:
            assert {name: getattr(last, name) for name in fields} == {name: getattr(after, name) for name in fields}
        elif after.step != table.OVER:
            assert (last.round, last.vp, last.order) == (after.round, after.vp, after.order)


SAID: list[tuple[Any, str, str, str, str]] = [
    (position(3), "", "pass", "Pass: no more ships this round", "パスする（このラウンドはもう船を置かない）"),
    (
        position(3, river="N12-01"),
        "",
        "C1",
        "Sail to C1 and take Quarry 3. Gives you 3 stones in every mining phase.",
        "C1に置き「石切場 3」を取る。採掘のたびに石3個を得る。",
    ),
    (
        position(3),
        "",
        "T1",
        "Sail to T1: raise the green crew by 1, then raise the blue crew by 1",
        "T1に置く：緑の職人を1上げる、続いて青の職人を1上げる",
    ),
    (
        position(3),
        "",
        "D1.2",
        "Moor at D1.2 (obelisk and colonnade) to build there later, number 2 in line",
        "D1.2（オベリスクと列柱）に着けて、2番目に建築する",
    ),
    (
        position(3),
        "",
        "D3.2",
        "Moor at D3.2 (Sphinx) to draw up to 4 Sphinx cards later, number 2 in line",
        "D3.2（スフィンクス）に着けて、2番目に4枚まで引く",
    ),
    (
        position(2, ships={B: "D2.1"}),
        "",
        "D2.s",
        "Wait beside the full dock D2 (statues and pyramid): you build only if somebody there does not",
        "満員のD2（立像とピラミッド）の脇で待つ（誰かが建築をやめたときだけ建築できる）",
    ),
    (
        position(3, round=3, river="N34-03", held={A: "N34-15"}, ships={A: "D1.1"}),
        "",
        "C1",
        "Sail to C1 and take Quarry 3. Gives you 3 stones in every mining phase. (upstream, by North wind)",
        "C1に置き「石切場 3」を取る。採掘のたびに石3個を得る。（上流へ：北風）",
    ),
    (
        position(3, held={A: "N12-16"}, ships={B: "T2"}),
        "",
        "T2",
        "Sail to T2: raise the blue crew by 1, then raise the yellow crew by 1 (occupied, by Mooring rights)",
        "T2に置く：青の職人を1上げる、続いて黄の職人を1上げる（船がいる所へ：相乗りの許し）",
    ),
    (position(3), "T6", "leader", "Raise the leader from 2 to 3", "リーダーを2から3に上げる"),
    (position(3), "T7 green", "ring3", "Move the ring to high: all fields", "リングを動かす（高：すべての畑）"),
    (
        position(3, round=5, river="N5-08", strength={A: (3, 1, 2, 2)}),
        "C1",
        "green",
        "Lower the green crew from 3 to 2 and score 4 points",
        "緑の職人を3から2に下げて4点",
    ),
    (
        position(3, river="N12-13", held={A: "N12-08 N12-10"}),
        "C1",
        "N12-10",
        "Improve Red field 7 [N12-10]: it becomes yellow",
        "「赤の畑 7 [N12-10]」を改良して黄にする",
    ),
    (
        feeding(2, held={A: "N12-20"}, strength={A: (3, 3, 3, 3)}),
        "",
        "none",
        "Play no more grain cards: 6 grain missing, 18 points lost",
        "穀物カードはもう使わない：穀物が6足りず18点を失う",
    ),
    (
        feeding(2, held={A: "N12-15"}, strength={A: (3, 3, 3, 3)}, stones=(9, 0), market={A: (4, 1)}),
        "",
        "feed4",
        "Give 4 stones: 2 grain missing, 2 points lost",
        "石4個を出す：穀物が2足りず2点を失う",
    ),
    (
        feeding(2, held={A: "N12-06 N12-08"}, market={A: (3, 1)}),
        "",
        "sell2",
        "Sell 6 grain for 2 points",
        "穀物6を売って2点",
    ),
    (
        building(4, ships={A: "D1.1"}, stones=(9,), strength={A: (2, 4, 1, 3)}, obelisk="ABABABA"),
        "build blue leader",
        "obelisk",
        "Build obelisk space 8, below the double line: 3 stones, 3 points; 4 of the budget left",
        "オベリスクの8段目（二重線の下側）を建てる：石3個、3点、予算残り4",
    ),
    (
        building(4, ships={A: "D1.1"}, stones=(9,), strength={A: (2, 4, 1, 3)}, columns=(2,)),
        "build blue none",
        "column",
        "Build your column 3: 3 stones, 3 points, and win Fertile mud; 1 of the budget left",
        "3本目の列柱を建てる：石3個、3点、「肥沃な泥」を獲得、予算残り1",
    ),
    (
        building(4, ships={A: "D1.1"}, stones=(9,), strength={A: (2, 6, 1, 3)}, columns=(6, 7)),
        "build blue none",
        "column",
        "Build your column 7: 5 stones, 5 points, and 5 points for finishing; 1 of the budget left",
        "7本目の列柱を建てる：石5個、5点、完成ボーナス5点、予算残り1",
    ),
    (
        building(4, ships={A: "D2.1"}, stones=(9,), strength={A: (2, 6, 1, 3)}, statues="A1 B1 A2", levels={A: (0, 1)}),
        "build blue none",
        "statue2",
        "Build space 2 of statue B1 (obelisk bricks): 3 stones; at the end 7 points with 3 or more, now 0; 3 of the budget left",
        "立像B1（オベリスクの煉瓦）の2段目を建てる：石3個、終了時に3以上なら7点、今は0、予算残り3",
    ),
    (
        building(4, ships={A: "D2.1"}, stones=(9,), strength={A: (2, 6, 1, 3)}, pyramid=("BBCCA",)),
        "build blue none",
        "row1",
        "Build in pyramid row 1, space 6: 1 stone, 1 point; the row is complete and pays Red 2 points; 5 of the budget left",
        "ピラミッド1列目の6マス目を建てる：石1個、1点。列が完成し赤に2点、予算残り5",
    ),
    (
        building(4, ships={A: "D3.2"}, stones=(9,), strength={A: (2, 6, 1, 3)}),
        "build blue none",
        "draw4",
        "Draw 4 cards for 4 stones: 4 points or, keeping one, 3 points",
        "石4個で4枚引く：残さなければ4点、1枚残せば3点",
    ),
    (
        building(2, ships={A: "D1.1"}, stones=(1,), market={A: (5, 2)}, strength={A: (1, 1, 1, 1)}),
        "build green none",
        "market-grain",
        "Step beyond the top of the grain market: 2 points",
        "穀物市場の頂上からさらに上がる：2点",
    ),
    (
        building(2, ships={A: "D1.1"}, stones=(1,), market={A: (5, 2)}, strength={A: (1, 1, 1, 1)}),
        "build green none",
        "market-stone",
        "Move up on the stone market to space 3: 2 stones at once",
        "石市場を3段目に上がる：すぐに石2個",
    ),
]


@pytest.mark.parametrize(("start", "before", "code", "en", "ja"), SAID, ids=[f"{c[2]}-{i}" for i, c in enumerate(SAID)])
def test_sentences_name_costs_and_gains(start: Any, before: str, code: str, en: str, ja: str) -> None:
    s = play(start.copy(), before)
    assert code in legal(s)
    seen: Any = GAME.veiled(s, actor(s))
    assert sentence(seen, actor(s), CODES.index(code), "en") == en
    assert sentence(seen, actor(s), CODES.index(code), "ja") == ja


# --- The log ----------------------------------------------------------------------------------------------------------


def told_after(s: Any, codes: str, viewer: int, lang: str = "en") -> str:
    """What is told to a viewer of the last of several choices."""
    *first, last = codes.split()
    play(s, *first)
    before, p = s.copy(), actor(s)
    play(s, last)
    return told(GAME.veiled(before, viewer), GAME.veiled(s, viewer), p, CODES.index(last), lang)


WORK: dict[str, Any] = {"stones": (9, 9, 9, 9), "strength": {A: (2, 6, 1, 3)}}
TOLD: list[tuple[str, Any, str, str, str]] = [
    ("card", position(3, river="N12-01"), "C1", "Red sails to C1 and takes Quarry 3.", "赤がC1で「石切場 3」を取った。"),
    (
        "tile",
        position(3),
        "T1",
        "Red sails to T1: Green crew +1, blue crew +1. Red: green crew 2, blue crew 2.",
        "赤がT1に船を置いた（緑の職人+1、青の職人+1）。赤：緑の職人2、青の職人2。",
    ),
    (
        "market overflow",
        position(3, tiles="NT6 NT1 NT2 NT3 NT4 NT5 NT7", market={A: (5, 4)}),
        "T1",
        "Red sails to T1: Grain market +1, stone market +1. Red: stone market space 5, +3 stones, +2 points.",
        "赤がT1に船を置いた（穀物市場+1、石市場+1）。赤：石市場5段目、石3個獲得、+2点。",
    ),
    (
        "upstream",
        position(3, round=3, river="N34-03", held={A: "N34-15"}, ships={A: "D1.1"}),
        "C1",
        "Red uses North wind. Red sails to C1 and takes Quarry 3.",
        "赤が「北風」を使った。赤がC1で「石切場 3」を取った。",
    ),
    (
        "improver waits",
        position(3, river="N12-13"),
        "C1",
        "Red sails to C1 and takes Canal. Red: Canal waits for a yellow or red field.",
        "赤がC1で「水路」を取った。赤の「水路」は黄か赤の畑を待つ。",
    ),
    (
        "improver",
        position(3, river="N12-08", held={A: "N12-13"}),
        "C1",
        "Red sails to C1 and takes Yellow field 5. Red: Yellow field 5 [N12-08] is green from now on.",
        "赤がC1で「黄の畑 5」を取った。赤の「黄の畑 5 [N12-08]」は以後緑として扱う。",
    ),
    (
        "mining and feeding",
        position(2, ships={B: "C10"}, strength={A: (2, 2, 2, 2)}, stones=(24, 2)),
        "pass pass",
        "Black passes. Mining: Red +3 (25 now, the store is full), Black +3 (5 now). Red harvests 6 grain and needs 8. "
        "2 grain missing: Red loses 6 points. Black harvests 6 grain and needs 5. Round 2 begins. Turn order: Red, Black. ",
        "黒がパスした。採掘：赤+3（計25個、満杯）、黒+3（計5個）。赤は収穫6、必要8。穀物が2足りず、赤は6点を失った。"
        "黒は収穫6、必要5。ラウンド2開始。手番順：赤、黒。",
    ),
    (
        "obelisk above the line",
        building(4, ships={A: "D1.1"}, obelisk="ABABABAB", market={A: (1, 2)}, **WORK),
        "build blue none obelisk",
        "Red builds obelisk space 9: 3 stones, 3 points.",
        "赤がオベリスクの9段目を建てた（石3個、3点）。",
    ),
    (
        "market bonus",
        building(4, ships={A: "D1.1"}, obelisk="ABABABAB", market={A: (1, 2)}, **WORK),
        "build blue none obelisk finish",
        "Red stops building. Red: grain market space 2, stone market space 3, +2 stones. Round 2 begins. Turn order: ",
        "赤が建築を終えた。赤：穀物市場2段目、石市場3段目、石2個獲得。ラウンド2開始。手番順：",
    ),
    (
        "colonnade",
        building(4, ships={A: "D1.1"}, columns=(2,), bonus="G4 G7", **WORK),
        "build blue none column",
        "Red builds column 3: 3 stones, 3 points. Red wins Harvest feast. All four of your crews rise by 1, and your starter "
        "field turns over and yields 10. Red: green crew 3, blue crew 7, yellow crew 2, leader 4.",
        "赤が3本目の列柱を建てた（石3個、3点）。赤が「収穫祭」を獲得。4人の職人がそれぞれ1上がり、初期の畑が裏返って"
        "穀物10を生むようになる。赤：緑の職人3、青の職人7、黄の職人2、リーダー4。",
    ),
    (
        "finished colonnade",
        building(4, ships={A: "D1.1"}, columns=(6,), **WORK),
        "build blue none column",
        "Red builds column 7: 5 stones, 5 points. Red finishes the colonnade: 7 points.",
        "赤が7本目の列柱を建てた（石5個、5点）。赤が列柱を完成させて7点。",
    ),
    (
        "points for bricks",
        building(4, ships={A: "D2.1"}, columns=(3,), bonus="G3 G7", **WORK),
        "build blue none statue1",
        "Red builds space 1 of statue A1: 1 stone, 1 point.",
        "赤が立像A1の1段目を建てた（石1個、1点）。",
    ),
    (
        "row bonus",
        building(4, ships={A: "D2.1"}, pyramid=("BBCCB",), **WORK),
        "build blue none row1",
        "Red builds in pyramid row 1: 1 stone, 1 point. Row 1 is complete: Black scores 3 points.",
        "赤がピラミッドの1列目を建てた（石1個、1点）。1列目が完成し、黒が3点。",
    ),
    (
        "cannot build",
        building(4, ships={A: "D2.1", B: "D2.2", C: "D2.3", 3: "D2.s"}, stones=(9, 0, 9, 9)),
        "decline",
        "Red builds nothing, and the ship leaves D2 (statues and pyramid). Grey's waiting ship moves in at D2 (statues and "
        "pyramid). Black cannot build at D2 (statues and pyramid), as stones are missing, and leaves.",
        "赤は建築せず、船がD2（立像とピラミッド）を離れた。待っていた灰の船がD2（立像とピラミッド）に入った。"
        "黒は石が足りないためD2（立像とピラミッド）で建築できず離れた。",
    ),
    (
        "waited in vain",
        building(2, ships={A: "D1.1", B: "D1.s"}, stones=(1, 9), strength={A: (1, 1, 1, 1)}),
        "build green none market-grain",
        "Red moves up on the grain market. Red: grain market space 2. Black's ship beside D1 (obelisk and colonnade) has waited "
        "in vain. Round 2 begins. Turn order: Black, Red. ",
        "赤が穀物市場を上がる。赤：穀物市場2段目。D1（オベリスクと列柱）の脇の黒の船は無駄になった。ラウンド2開始。手番順：黒、赤。",
    ),
    (
        "cooperation",
        building(2, ships={A: "D1.1 D2.1"}, stones=(3, 0), strength={A: (1, 1, 1, 1)}),
        "build green none market-grain build blue none row1",
        "Red builds in pyramid row 1: 1 stone, 1 point. Cooperation bonus: Red +2. Round 2 begins. Turn order: Black, Red. ",
        "赤がピラミッドの1列目を建てた（石1個、1点）。協力ボーナス：赤+2。ラウンド2開始。手番順：黒、赤。",
    ),
]


@pytest.mark.parametrize(("start", "codes", "en", "ja"), [case[1:] for case in TOLD], ids=[case[0] for case in TOLD])
def test_the_log_tells_what_followed(start: Any, codes: str, en: str, ja: str) -> None:
    for viewer in (-1, A, B):
        for lang, line in (("en", en), ("ja", ja)):
            text = told_after(start.copy(), codes, viewer, lang)
            assert text.startswith(line)
            assert text == line or "2 begins" in line or "2開始" in line


def test_the_log_tells_the_final_scoring_by_source() -> None:
    s = building(2, round=5, ships={A: "D2.1"}, vp=(20, 20), stones=(9, 4), market={B: (1, 4)}, hands={A: "S02", B: "S05"})
    s.strength[A][:] = [1, 1, 1, 1]
    play(s, "build green")
    en = told_after(s.copy(), "none row1", -1)
    assert en == (
        "Red builds in pyramid row 1: 1 stone, 1 point. The last round is over and everything is counted. "
        "Red: 21 on the track, pyramid majority 5, Nile cards 0, Sphinx 0 (S02), statues 0, stones 0, in all 26. "
        "Black: 20 on the track, pyramid majority 0, Nile cards 0, Sphinx 0 (S05), statues 0, stones 2, in all 22. "
        "Red wins with 26 points."
    )
    assert told_after(s, "none row1", -1, "ja").endswith("赤が26点で勝利。")


# --- Secrets ----------------------------------------------------------------------------------------------------------


def test_kept_cards_are_named_to_their_owner_alone() -> None:
    s = building(4, ships={A: "D3.1"}, **WORK)
    play(s, "build blue none draw3")
    card = legal(s)[1]
    assert told_after(s.copy(), card, A).startswith(f"Red keeps {card}. Red returns 2 cards: 2 points.")
    for viewer in (-1, B):
        assert told_after(s.copy(), card, viewer).startswith("Red keeps a card. Red returns 2 cards: 2 points.")
        assert told_after(s.copy(), "none", viewer).startswith("Red keeps none of them. Red returns 3 cards: 3 points.")


@pytest.mark.parametrize("options", [{}, {"sphinx_return": "chosen"}, {"sphinx_return": "shuffled", "keep2_when": "before_draw"}])
def test_nothing_told_or_drawn_names_a_hidden_sphinx_card(options: dict[str, Any]) -> None:
    for before, p, a, after in random_games(1, 3, seed=9, **options):
        for viewer in (-1, *(q for q in range(3) if q != p)):
            old, new = GAME.veiled(before, viewer), GAME.veiled(after, viewer)
            if after.step != table.OVER:
                text = told(old, new, p, a, "en") + (board(new, viewer, "en") if viewer < 0 else "")
                assert not any(name in text for name in printed.SPHINX_NAMES)


# --- Refusals ---------------------------------------------------------------------------------------------------------

REFUSED: list[tuple[Any, str, str, str]] = [
    (position(3), "", "none", "That is not what is to be decided now. Place a ship anywhere along the river"),
    (position(3, ships={A: "D1.1"}), "", "C4", "C4 is not downstream of your ship at D1; ships only go downstream."),
    (position(3, ships={B: "C2"}), "", "C2", "A ship already lies at C2, and its card is gone."),
    (position(3, ships={B: "T2"}), "", "T2", "A ship already lies at T2, and you have no ability to join it."),
    (position(2), "", "C1", "C1 is closed in games with 2 players."),
    (position(2), "", "T2", "T2 is closed in games with 2 players."),
    (position(3), "", "D2.3", "D2.3 is closed in games with 3 players."),
    (position(3, ships={B: "D1.1"}), "", "D1.1", "A ship already lies at D1.1."),
    (
        position(3, ships={A: "D1.1"}),
        "",
        "D1.2",
        "You already have a ship at D1 (obelisk and colonnade); one a dock is the limit.",
    ),
    (position(3, ships={B: "D1.1"}), "", "D1.s", "D1 (obelisk and colonnade) still has a free space"),
    (position(3, round=3, held={A: "N34-16"}), "C1 N34-16", "pass", "The extra ship has to be placed; you cannot pass now."),
    (position(3, strength={A: (9, 1, 1, 2)}), "T6", "green", "The green crew is already as strong as it can get (9)."),
    (position(3, round=5, river="N5-06"), "C1 green", "green", "This has already raised the green crew"),
    (position(3, round=5, river="N5-08", strength={A: (1, 1, 2, 2)}), "C1", "green", "The green crew cannot go below 1."),
    (position(3, ring=1), "T3", "ring3", "The ring can move by at most 1 now."),
    (position(3, river="N12-13", held={A: "N12-08 N12-10"}), "C1", "starter", "Starter field 6 is green already."),
    (position(3, river="N12-13", held={A: "N12-08 N12-10"}), "C1", "N12-09", "Yellow field 4 is not one of your fields."),
    (position(3, round=3, held={A: "N34-16"}), "C1", "G7", "You do not have Twin sails; it comes with column 5."),
    (position(3, round=3, held={A: "N34-16"}), "C1", "G8", "Late berth is not in this game."),
    (feeding(2, held={A: "N12-15"}, strength={A: (3, 3, 3, 3)}, stones=(2, 0)), "", "feed3", "You have only 2 stones."),
    (feeding(2, held={A: "N12-15"}, strength={A: (3, 3, 1, 1)}, stones=(9, 0)), "", "feed3", "Only 2 grain are missing"),
    (
        feeding(2, held={A: "N12-06"}, market={A: (3, 1)}),
        "",
        "sell2",
        "Only 4 grain are left over, and it is sold in groups of 3.",
    ),
    (building(4, ships={A: "D1.1"}, **WORK), "build", "leader", "The leader cannot build alone; a basic crew has to begin."),
    (
        building(4, ships={A: "D1.1 D2.1"}, **WORK),
        "build blue leader obelisk finish market-grain build",
        "blue",
        "The blue crew has already",
    ),
    (building(4, ships={A: "D1.1"}, **WORK), "build blue", "green", "Only the leader can join now"),
    (building(4, ships={A: "D1.1"}, **WORK), "build blue none", "finish", "Whoever builds puts at least one brick."),
    (
        building(4, ships={A: "D1.1"}, **WORK),
        "build blue none",
        "row1",
        "That monument is not built at D1 (obelisk and colonnade).",
    ),
    (building(4, ships={A: "D1.1"}, obelisk="AB" * 7, **WORK), "build blue none", "obelisk", "The obelisk is complete."),
    (building(4, ships={A: "D1.1"}, columns=(7,), **WORK), "build blue none obelisk", "column", "Your colonnade is complete."),
    (building(4, ships={A: "D2.1"}, **WORK), "build blue none statue1", "statue1", "You have already built on that statue"),
    (
        building(4, ships={A: "D2.1"}, levels={A: (4, 0)}, **WORK),
        "build blue none row1",
        "statue1",
        "You have built all spaces of that statue.",
    ),
    (building(2, ships={A: "D2.1"}, **WORK), "build blue none row1", "statue3", "There is no statue in place 3."),
    (building(2, ships={A: "D2.1"}, **WORK), "build blue none row1", "row6", "The pyramid has no row 6 in this game."),
    (
        building(4, ships={A: "D2.1"}, **WORK),
        "build blue none row1",
        "row2",
        "The next space of row 2 needs two bricks below it.",
    ),
    (
        building(4, ships={A: "D2.1"}, pyramid=("AAABBB",), **WORK),
        "build blue none row2",
        "row1",
        "Row 1 of the pyramid is complete.",
    ),
    (
        building(4, ships={A: "D2.1"}, levels={A: (0, 3)}, **WORK),
        "build green none",
        "statue2",
        "That space costs 5, and only 2 of the budget is left.",
    ),
    (building(4, ships={A: "D3.3"}, **WORK), "build blue none", "draw4", "You can draw at most 3"),
]


@pytest.mark.parametrize(("start", "codes", "refused", "why"), REFUSED, ids=[f"{c[2]}-{i}" for i, c in enumerate(REFUSED)])
def test_a_refusal_says_why(start: Any, codes: str, refused: str, why: str) -> None:
    s = play(start.copy(), codes)
    assert refused not in legal(s)
    seen: Any = GAME.veiled(s, actor(s))
    assert refusal(seen, actor(s), CODES.index(refused), "en").startswith(why)
    assert refusal(seen, actor(s), CODES.index(refused), "ja").endswith(("。", "？"))


# --- Texts of the components ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_component_has_a_name_and_a_text(lang: str) -> None:
    texts = [(speech.card_title(c, lang), speech.card_text(c, lang)) for c in range(printed.CARDS + 1)]
    texts += [(speech.tile_title(t, lang), speech.tile_text(t, lang)) for t in range(printed.TILES)]
    texts += [(speech.bonus_title(g, lang), speech.bonus_text(g, lang)) for g in range(printed.BONUS_TILES)]
    texts += [(speech.statue_title(i, lang), speech.statue_text(i, lang)) for i in range(printed.STATUES)]
    texts += [(speech.sphinx_title(c, lang), speech.sphinx_text(c, lang)) for c in range(printed.SPHINX_CARDS)]
    for title, text in texts:
        assert title
        assert title[0] == title[0].upper()
        assert text.endswith("。" if lang == "ja" else ".")
        assert "{" not in title + text


def test_texts_read_their_numbers_from_the_components(monkeypatch: pytest.MonkeyPatch) -> None:
    card, sphinx = printed.CARD_NAMES.index("N12-01"), printed.SPHINX_NAMES.index("S03")
    assert (speech.card_title(card, "en"), speech.sphinx_text(sphinx, "ja")) == (
        f"Quarry {printed.CARD_VALUE[card]}",
        f"終了時、オベリスクに自分の煉瓦が{printed.SPHINX_LEAST[sphinx]}個以上なら{printed.SPHINX_VP[sphinx]}点。",
    )
    monkeypatch.setattr(speech, "CARD_VALUE", [7] * printed.CARDS)
    monkeypatch.setattr(speech, "SPHINX_VP", [77] * printed.SPHINX_CARDS)
    assert speech.card_title(card, "en") == "Quarry 7"
    assert "77" in speech.sphinx_text(sphinx, "ja")


# --- The text board ---------------------------------------------------------------------------------------------------


def test_the_board_shows_ships_monuments_markets_and_own_cards() -> None:
    s = building(
        3,
        ships={A: "D1.1 C5", B: "D1.2", C: "D1.s T6"},
        obelisk="AB",
        columns=(4,),
        pyramid=("AAB", "C"),
        hands={A: "S05", B: "S02"},
        **WORK,
    )
    text = board(GAME.veiled(s, A), A, "en")
    for line in (
        "EGIZIA · round 1 of 5 · building",
        "D1  RBx  = Obelisk and colonnade  beside: W",
        "Obelisk    R B 1 2 2 2 3 3 ‖ 3 4 4 5 5 6",
        "R ####...",
        "W 2 2 2 2",
        "Pyramid    R R B 1 1 1",
        "S05: 5 points at the end if you have 4 or more columns. (now 4)",
        "Red: Build at D1 (obelisk and colonnade), or leave? You have 9 stones.",
    ):
        assert line in text
    assert "S02" not in text
    assert "S05" not in board(GAME.veiled(s, B), B, "en")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", [2, 4])
def test_the_board_is_never_wider_than_a_terminal(players: int, lang: str) -> None:
    for number, (before, p, *_) in enumerate(random_games(1, players, seed=3)):
        if number % 9 == 0:
            assert max(map(width, board(GAME.veiled(before, p), p, lang).splitlines())) <= 100
