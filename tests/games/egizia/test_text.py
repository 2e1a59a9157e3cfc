"""Codes, prompts, sentences, refusals, texts of the components and the text board of Egizia."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.engine.text import width
from perankh.games.egizia.rules import components
from perankh.games.egizia.text import CODES, board, names, prompt, refusal, sentence

from .positions import CODES as POSITION_CODES
from .positions import GAME, WORK, A, B, C, actor, building, feeding, legal, log_of, play, position, random_games

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
def test_every_choice_has_a_sentence_and_log_lines(players: int, options: dict[str, Any], lang: str) -> None:
    for number, (before, p, a, _) in enumerate(random_games(1, players, seed=70 + players, **options)):
        actions = GAME.legal(before, p)
        seen: Any = GAME.veiled(before, p)
        sentences = [sentence(seen, p, b, lang) for b in actions]
        assert len(set(sentences)) == len(actions)
        viewer = number % (players + 1) - 1
        lines = log_of(before, p, a, viewer, lang)
        assert lines[0].startswith(GAME.seat_name(p, lang))
        assert all(line.endswith("。" if lang == "ja" else ".") for line in lines)
        for text in (*lines, prompt(seen, p, lang), *sentences):
            assert "{" not in text
            assert "  " not in text
            assert "\n" not in text


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
        "T2に置く：青の職人を1上げる、続いて黄の職人を1上げる（船がいる所へ：係留権）",
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
        "Improve Red field 7: it becomes yellow",
        "「赤の畑 7」を改良して黄にする",
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
        "Build space 2 of the statue “obelisk bricks”: 3 stones; at the end 7 points with 3 or more, now 0; 3 of the budget left",
        "立像「オベリスクの煉瓦」の2段目を建てる：石3個、終了時に3以上なら7点、今は0、予算残り3",
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


# --- Refusals ---------------------------------------------------------------------------------------------------------

REFUSED: list[tuple[Any, str, str, str]] = [
    (position(3), "", "none", "Not now. Place a ship anywhere along the river"),
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
    texts = [(names.card_title(c, lang), names.card_text(c, lang)) for c in range(components.CARDS + 1)]
    texts += [(names.tile_title(t, lang), names.tile_text(t, lang)) for t in range(components.TILES)]
    texts += [(names.bonus_title(g, lang), names.bonus_text(g, lang)) for g in range(components.BONUS_TILES)]
    texts += [(names.statue_title(i, lang), names.statue_text(i, lang)) for i in range(components.STATUES)]
    texts += [(names.capital(names.sphinx_name(c, lang)), names.sphinx_text(c, lang)) for c in range(components.SPHINX_CARDS)]
    for title, text in texts:
        assert title
        assert title[0] == title[0].upper()
        assert text.endswith("。" if lang == "ja" else ".")
        assert "{" not in title + text


def test_texts_read_their_numbers_from_the_components(monkeypatch: pytest.MonkeyPatch) -> None:
    card, sphinx = components.CARD_NAMES.index("N12-01"), components.SPHINX_NAMES.index("S03")
    assert (names.card_title(card, "en"), names.sphinx_text(sphinx, "ja")) == (
        f"Quarry {components.CARD_VALUE[card]}",
        f"終了時、オベリスクに自分の煉瓦が{components.SPHINX_LEAST[sphinx]}個以上なら{components.SPHINX_VP[sphinx]}点。",
    )
    monkeypatch.setattr(components, "CARD_VALUE", [7] * components.CARDS)
    monkeypatch.setattr(components, "SPHINX_VP", [77] * components.SPHINX_CARDS)
    assert names.card_title(card, "en") == "Quarry 7"
    assert "77" in names.sphinx_text(sphinx, "ja")


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
        "“columns 4+”: 5 points at the end if you have 4 or more columns. (now 4)",
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
