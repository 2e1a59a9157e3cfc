"""The log of Egizia: lines made from what the rules tell."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.engine.api import GameEvent
from perankh.games.egizia.rules import components
from perankh.games.egizia.rules.events import Event
from perankh.games.egizia.rules.state import Location, Step
from perankh.games.egizia.text import log
from perankh.games.egizia.text.names import sphinx_name

from .positions import GAME, WORK, A, B, C, building, feeding, legal, log_after, log_of, play, position, random_games, sphinx_card

LOGGED: list[tuple[str, Any, str, str, str]] = [
    ("card", position(3, river="N12-01"), "C1", "Red sails to C1 and takes “Quarry 3”.", "赤がC1で「石切場 3」を取った。"),
    (
        "tile",
        position(3),
        "T1",
        "Red sails to T1: Green crew +1, blue crew +1. Red: green crew now 2, blue crew now 2.",
        "赤がT1に船を置いた（緑の職人+1、青の職人+1）。赤：緑の職人が2に、青の職人が2に。",
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
        "Red uses North wind. Red sails to C1 and takes “Quarry 3”.",
        "赤が「北風」を使った。赤がC1で「石切場 3」を取った。",
    ),
    (
        "improver waits",
        position(3, river="N12-13"),
        "C1",
        "Red sails to C1 and takes “Canal”. Red: “Canal” waits for a yellow or red field.",
        "赤がC1で「水路」を取った。赤の「水路」は黄か赤の畑を待つ。",
    ),
    (
        "improver",
        position(3, river="N12-08", held={A: "N12-13"}),
        "C1",
        "Red sails to C1 and takes “Yellow field 5”. Red: “Yellow field 5” is green from now on.",
        "赤がC1で「黄の畑 5」を取った。赤の「黄の畑 5」は以後緑として扱う。",
    ),
    (
        "mining and feeding",
        position(2, ships={B: "C10"}, strength={A: (2, 2, 2, 2)}, stones=(24, 2)),
        "pass pass",
        "Black passes. Mining: Red +3 (25 now, the store is full), Black +3 (5 now). Red harvests 6 grain and needs 8. "
        "Red is 2 grain short and loses 6 points. Black harvests 6 grain and needs 5. Round 2 begins. Turn order: Red, Black. ",
        "黒がパスした。採掘：赤に3個（計25個、満杯）、黒に3個（計5個）。赤は収穫6、必要8。赤は穀物が2足りず、6点を失った。"
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
        "Red builds column 3: 3 stones, 3 points. Red wins Harvest feast. All four crews rise by 1, and the starter "
        "field turns over and yields 10 grain. Red: green crew now 3, blue crew now 7, yellow crew now 2, leader now 4.",
        "赤が3本目の列柱を建てた（石3個、3点）。赤が「収穫祭」を獲得。4人の職人がそれぞれ1上がり、初期の畑が裏返って"
        "穀物10を生むようになる。赤：緑の職人が3に、青の職人が7に、黄の職人が2に、リーダーが4に。",
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
        "Red builds space 1 of the statue “grain production”: 1 stone, 1 point.",
        "赤が立像「穀物の生産」の1段目を建てた（石1個、1点）。",
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
        "Red builds nothing, and the ship leaves D2 (statues and pyramid). Moving up at D2 (statues and pyramid): Black, White. "
        "Grey's waiting ship moves in at D2 (statues and pyramid). Black cannot build at D2 (statues and pyramid), as stones are "
        "missing, and leaves. Moving up at D2 (statues and pyramid): White, Grey.",
        "赤は建築せず、船がD2（立像とピラミッド）を離れた。D2（立像とピラミッド）で前に詰めた：黒、白。"
        "待っていたグレーの船がD2（立像とピラミッド）に入った。黒は石が足りないため、D2（立像とピラミッド）で建築できず離れた。"
        "D2（立像とピラミッド）で前に詰めた：白、グレー。",
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
        "赤がピラミッドの1列目を建てた（石1個、1点）。協力ボーナス：赤に2点。ラウンド2開始。手番順：黒、赤。",
    ),
]


UPSTREAM = position(3, round=3, river="N34-03", ships={A: "D2.1"}, held={A: "N34-15"}, bonus="G1 G9", columns=(5, 0, 0))
LATE = building(
    2, ships={A: "D1.1", B: "D1.s"}, columns=(0, 5), bonus="G6 G8", stones=(9, 9), strength=dict.fromkeys((A, B), (4, 2, 2, 2))
)
LATE.tokens[B] = 1
RARE: list[tuple[str, Any, str, list[str]]] = [
    ("heads upstream", UPSTREAM, "C1", ["Red heads for C1."]),
    ("by a tile", UPSTREAM, "C1 G9", ["Red uses Tow path.", "Red sails to C1 and takes “Quarry 3”."]),
    (
        "no crew to lower",
        position(3, round=5, river="N5-08", strength={A: (1, 1, 1, 1)}),
        "C1",
        [
            "Red sails to C1 and takes “Farewell feast”.",
            "Red has no crew that can go down: 2 points.",
        ],
    ),
    (
        "void improver",
        position(3, river="N12-13", improver_waits=False),
        "C1",
        [
            "Red sails to C1 and takes “Canal”.",
            "Red has no field for “Canal”, which has no effect.",
        ],
    ),
    (
        "late by a token",
        LATE,
        "build green none column finish NT8",
        [
            "Black uses a speculation token: the waiting ship builds last at D1 (obelisk and colonnade).",
        ],
    ),
    (
        "late by a tile",
        LATE,
        "build green none column finish G8",
        [
            "Black uses Late berth: the waiting ship builds last at D1 (obelisk and colonnade).",
        ],
    ),
    (
        "not late",
        LATE,
        "build green none column finish none",
        [
            "Black lets the ship beside D1 (obelisk and colonnade) go.",
        ],
    ),
    (
        "one crew",
        building(4, ships={A: "D1.1"}, bonus="G1 G6", columns=(5,), **WORK),
        "build blue none",
        ["Red adds no second crew."],
    ),
    (
        "two crews",
        building(4, ships={A: "D1.1"}, bonus="G1 G6", columns=(5,), **WORK),
        "build blue green",
        [
            "Red uses Joined crews.",
            "Red flips the green crew: strength 8.",
        ],
    ),
    (
        "paid before the draw",
        building(4, ships={A: "D3.1"}, held={A: "N12-21"}, keep2_when="before_draw", **WORK),
        "build blue none draw3",
        [
            "Red pays 3 stones to draw as many Sphinx cards.",
        ],
    ),
    (
        "drawn with a card",
        building(4, ships={A: "D3.1"}, held={A: "N12-21"}, keep2_when="before_draw", **WORK),
        "build blue none draw3 N12-21",
        [
            "Red uses Second riddle.",
            "Red draws 3 cards of the Sphinx.",
        ],
    ),
]


@pytest.mark.parametrize(("start", "codes", "lines"), [case[1:] for case in RARE], ids=[case[0] for case in RARE])
def test_what_seldom_happens_is_told_too(start: Any, codes: str, lines: list[str]) -> None:
    assert log_after(start.copy(), codes)[: len(lines)] == lines
    for line in log_after(start.copy(), codes, lang="ja"):
        assert line.endswith("。")


@pytest.mark.parametrize(("start", "codes", "en", "ja"), [case[1:] for case in LOGGED], ids=[case[0] for case in LOGGED])
def test_the_log_tells_what_followed(start: Any, codes: str, en: str, ja: str) -> None:
    for viewer in (-1, A, B):
        for lang, expected, space in (("en", en, " "), ("ja", ja, "")):
            text = space.join(log_after(start.copy(), codes, viewer, lang))
            assert text.startswith(expected)
            assert text == expected or "2 begins" in expected or "2開始" in expected


def test_feeding_is_told_in_a_line_for_each_happening() -> None:
    s = position(2, ships={B: "C10"}, strength={A: (2, 2, 2, 2)}, stones=(24, 2))
    assert log_after(s, "pass pass")[:5] == [
        "Black passes.",
        "Mining: Red +3 (25 now, the store is full), Black +3 (5 now).",
        "Red harvests 6 grain and needs 8.",
        "Red is 2 grain short and loses 6 points.",
        "Black harvests 6 grain and needs 5.",
    ]


def test_the_final_scoring_names_sphinx_cards_with_their_points() -> None:
    s = building(2, round=5, ships={A: "D2.1"}, vp=(20, 20), stones=(9, 4), market={B: (1, 4)}, hands={A: "S02", B: "S05 S22"})
    s.strength[A][:] = [1, 1, 1, 1]
    s.columns[B] = 4
    play(s, "build green")
    assert log_after(s.copy(), "none row1") == [
        "Red builds in pyramid row 1: 1 stone, 1 point.",
        "The last round is over and everything is counted.",
        "Red: 21 on the track, pyramid majority 5, Nile cards 0, Sphinx 0, statues 0, stones 0, in all 26.",
        "Red's Sphinx cards: obelisk bricks 3+ (0 points).",
        "Black: 20 on the track, pyramid majority 0, Nile cards 0, Sphinx 5, statues 0, stones 2, in all 27.",
        "Black's Sphinx cards: columns 4+ (5 points), strength in all 22+ (0 points).",
        "Black wins with 27 points.",
    ]
    assert log_after(s, "none row1", -1, "ja")[-2:] == [
        "黒のスフィンクスカード：列柱4以上（5点）、能力値の合計22以上（0点）。",
        "黒が27点で勝利。",
    ]


def test_a_tie_is_told_with_its_reason() -> None:
    s = building(2, round=5, ships={A: "D2.1"}, vp=(20, 26), stones=(9, 0), strength={A: (1, 1, 1, 1)}, order="AB")
    assert log_after(s, "build green none row1")[-1] == "Black wins with 26 points, being later in turn order."


def test_the_grain_prompt_threatens_no_loss_where_there_is_enough() -> None:
    s = feeding(2, held={A: "N12-20"})
    assert GAME.text.prompt(s, A, "en") == "You harvest 6 grain and need 5: your crews are fed. Play a grain card?"
    assert GAME.text.prompt(s, A, "ja") == "収穫は6、必要は5で足りています。穀物カードを使いますか？"
    s = feeding(2, held={A: "N12-20"}, strength={A: (3, 3, 3, 3)})
    assert "each missing grain costs 3 points" in GAME.text.prompt(s, A, "en")


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("kind", list(Event), ids=lambda kind: kind.name.lower())
def test_every_kind_of_event_has_words(kind: Event, lang: str) -> None:
    """Those that are told together with another event follow it here."""
    before = {Event.IN_ORDER: Event.ROUND_BEGAN, Event.BUILDS_LATE: Event.USED_TOKEN} | dict.fromkeys(log.FINALS, Event.ON_TRACK)
    kinds = [before[kind], kind] if kind in before else [kind]
    events = [GameEvent(one, A, tuple(int(Location.DOCK) if name == "location" else 1 for name in one.names)) for one in kinds]
    lines = log.log_lines(position(4), events, A, lang)
    assert lines
    assert not any("{" in line or "None" in line for line in lines)


# --- Secrets ----------------------------------------------------------------------------------------------------------


def test_kept_cards_are_named_to_their_owner_alone() -> None:
    s = building(4, ships={A: "D3.1"}, **WORK)
    play(s, "build blue none draw3")
    code = legal(s)[1]
    name = sphinx_name(sphinx_card(code), "en")
    assert log_after(s.copy(), code, A)[:2] == [f"Red keeps “{name}”.", "Red returns 2 cards: 2 points."]
    for viewer in (-1, B):
        assert log_after(s.copy(), code, viewer)[:2] == ["Red keeps a card.", "Red returns 2 cards: 2 points."]
        assert log_after(s.copy(), "none", viewer)[:2] == ["Red keeps none of them.", "Red returns 3 cards: 3 points."]


@pytest.mark.parametrize("options", [{}, {"sphinx_return": "chosen"}, {"sphinx_return": "shuffled", "keep2_when": "before_draw"}])
def test_nothing_told_or_drawn_names_a_hidden_sphinx_card(options: dict[str, Any]) -> None:
    hidden = [*components.SPHINX_NAMES, *(f"“{sphinx_name(card, 'en')}”" for card in range(components.SPHINX_CARDS))]
    for before, p, a, after in random_games(1, 3, seed=9, **options):
        for viewer in (-1, *(q for q in range(3) if q != p)):
            if after.step != Step.OVER:
                text = " ".join(log_of(before, p, a, viewer))
                text += GAME.text.board(GAME.veiled(after, viewer), viewer, "en") if viewer < 0 else ""
                assert not any(name in text for name in hidden)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_points_told_add_up_to_the_scores(players: int) -> None:
    told = [0] * players
    for before, p, a, after in random_games(3, players, seed=80 + players):
        if before.step == Step.START and before.decided == 0:
            told = [0] * players
        for event in GAME.apply(before.copy(), p, a):
            if "points" in event.kind.names:
                told[event.seat] += event.points
        assert told == GAME.scores(after)
