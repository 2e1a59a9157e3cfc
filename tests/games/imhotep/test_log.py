"""Imhotep: log lines, made from the events of each choice."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.engine.events import redacted
from perankh.engine.words import LANGUAGES
from perankh.games.imhotep.rules.events import Event
from perankh.games.imhotep.rules.state import State, capacity
from perankh.games.imhotep.text import log_lines

from .positions import ALL_B, GAME, K, N, W, happened, position, told_games


def lines_after(s: State, codes: str, viewer: int, lang: str = "en") -> list[str]:
    """What a viewer reads of the last of several choices; in every language there are as many lines."""
    events = happened(s, codes)
    seen: Any = GAME.veiled(s, viewer)
    told = {each: log_lines(seen, redacted(events, viewer), viewer, each) for each in LANGUAGES}
    assert len({len(lines) for lines in told.values()}) == 1
    return told[lang]


LAST: dict[str, Any] = {"docked": "market pyramid burial", "ships": "- - - K"}
PAIR: dict[str, Any] = {"card": "4322", "ships": "- - K", "market": "- - - idol", "market_side": "B"}

LINES: list[tuple[str, State, str, list[str]]] = [
    ("fetch", position(), "fetch1", ["Black fetches 1 stone."]),
    ("load", position(), "load-a3", ["Black loads a stone on ship A, space 3."]),
    (
        "pyramid",
        position(4, ships="WKWN", pyramid="KKKKKKKK", sleds=(0,) * 4, card="4322"),
        "sail-a-pyramid",
        ["Black sails ship A to the pyramid. Pyramid: White +3, Black +2, White +3, Brown +1."],
    ),
    (
        "temple",
        position(ships="KWWK"),
        "sail-a-temple",
        ["Black sails ship A to the temple. To the temple: Black, White x2, Black."],
    ),
    (
        "burial chamber",
        position(ships="W.KW"),
        "sail-a-burial",
        ["Black sails ship A to the burial chamber. To the burial chamber: White, Black, White."],
    ),
    (
        "obelisk in unloading order",
        position(3, ships="NKNW", card="4322", sleds=(0,) * 3),
        "sail-a-obelisk",
        ["Black sails ship A to the obelisk. To the obelisk: Brown, Black, Brown, White."],
    ),
    (
        "obelisk by lever",
        position(3, ships="NKN", card="4322", held={K: "lever"}, sleds=(0,) * 3),
        "play-lever sail-a-obelisk next-black",
        ["Black lets Black's stone leave next. To the obelisk: Black, Brown x2."],
    ),
    (
        "obelisk B",
        position(ships="- - KW", obelisk="KKKWW", obelisk_side="B"),
        "sail-c-obelisk",
        ["Black sails ship C to the obelisk. To the obelisk: Black, White. White erects an obelisk on slot 2: 9 points."],
    ),
    (
        "obelisk B later",
        position(ships="- - W", obelisk="WW", obelisk_side="B", obelisk_b_pay="game_end"),
        "sail-c-obelisk",
        ["Black sails ship C to the obelisk. To the obelisk: White. White erects an obelisk on slot 1: 10 points at the end."],
    ),
    (
        "market",
        position(ships="- - K", market="sarcophagus - - -"),
        "sail-c-market take1",
        ["Black takes Sarcophagus. To the burial chamber: Black. Back to the quarry: Black."],
    ),
    (
        "no stone",
        position(ships="- - K", market="entrance - - -", quarries=(0, 3)),
        "sail-c-market take1",
        ["Black takes Entrance. Black has no stone in the quarry: Entrance has no effect. Back to the quarry: Black."],
    ),
    (
        "entrance",
        position(ships="- - K", market="entrance - - -", pyramid_side="B"),
        "sail-c-market take1",
        ["Black takes Entrance. Black chooses a pyramid for a stone from the quarry."],
    ),
    (
        "bonus card",
        position(ships="- - K", pyramid="W||", pyramid_side="B", deck="paved_path"),
        "sail-c-pyramid build-left",
        ["Black builds on the left pyramid, cell 2: 1 point.", "Black draws Paved Path. To the obelisk: Black."],
    ),
    (
        "shuffle",
        position(ships="- - K", pyramid="W||", pyramid_side="B", deck="", discard="lever"),
        "sail-c-pyramid build-left",
        [
            "Black builds on the left pyramid, cell 2: 1 point.",
            "The discard pile is shuffled into a new deck.",
            "Black draws Lever.",
        ],
    ),
    (
        "bonus not used",
        position(ships="- - K", pyramid_side="B"),
        "sail-c-pyramid build-middle fetch0",
        ["Black fetches no stone."],
    ),
    (
        "round",
        position(temple="KKW", deck="idol idol idol idol", market="- - - -", **LAST),
        "sail-d-obelisk",
        [
            "Black sails ship D to the obelisk. To the obelisk: Black.",
            "Round 1 is over.",
            "Temple: Black +2, White +1.",
            "Round 2 begins with ships of ...",
            "In the market: Idol, Idol, Idol, Idol.",
        ],
    ),
    (
        "temple B",
        position(temple="KWKW", temple_side="B", sleds=(0, 5), deck="idol " * 6, market="- - - -", **LAST),
        "sail-d-obelisk fetch1",
        ["Black takes 1 stone for temple cell 1.", "Temple: White +2."],
    ),
    (
        "the card of temple B before its stone",
        position(temple="WWKW", temple_side="B", sleds=(0, 5), deck="sarcophagus", round=6, market="- - - -", **LAST),
        "sail-d-obelisk point",
        [
            "Black takes 1 point for temple cell 3.",
            "White draws Sarcophagus. To the burial chamber: White.",
            "All rounds have been played.",
            "Black: burial chamber 0, obelisk 10, blue cards 0, green cards 0, idols 0, in all 11.",
            "White: burial chamber 1, obelisk 0, blue cards 0, green cards 0, idols 0, in all 4.",
            "Black wins with 11 points.",
        ],
    ),
    (
        "stall",
        position(card="4321", ships="KW", docked="- temple burial obelisk", sleds=(0, 0), quarries=(0, 0), turn=1, round=6),
        "pass pass",
        [
            "Black can do nothing and passes.",
            "Nobody can act: the ships still waiting are taken away. Back to the quarry: Black, White.",
            "Round 6 is over.",
            "All rounds have been played.",
            "Black: burial chamber 0, obelisk 0, blue cards 0, green cards 0, idols 0, in all 0.",
            "White: burial chamber 0, obelisk 0, blue cards 0, green cards 0, idols 0, in all 0.",
            "Black, White share the victory with 0 points.",
        ],
    ),
    (
        "the end in separate lines",
        position(temple="K", held={W: "idol", K: "lever"}, scores=(3, 9), wrath=True, round=6, market="- - - -", **LAST),
        "sail-d-obelisk",
        [
            "Black sails ship D to the obelisk. To the obelisk: Black.",
            "Round 6 is over.",
            "Temple: Black +1.",
            "All rounds have been played.",
            "Black: burial chamber 0, obelisk 10, blue cards 1, green cards 0, idols 0, wrath -5, in all 10.",
            "White: burial chamber 0, obelisk 0, blue cards 0, green cards 0, idols 1, wrath -5, in all 5.",
            "Black wins with 10 points.",
        ],
    ),
]


@pytest.mark.parametrize(("start", "codes", "lines"), [case[1:] for case in LINES], ids=[case[0] for case in LINES])
def test_the_log_says_what_followed(start: State, codes: str, lines: list[str]) -> None:
    for viewer in (-1, W):
        told = lines_after(start.copy(), codes, viewer)
        assert len(told) == len(lines)
        for line, expected in zip(told, lines, strict=True):
            assert line.startswith(expected.removesuffix("..."))
            assert line == expected or expected.endswith("...")


def test_the_log_names_the_new_round() -> None:
    s = position(deck="idol idol idol idol", market="- - - -", turn=1, **LAST)
    lines = lines_after(s, "sail-d-obelisk", -1)
    ships = " ".join(str(capacity(s, ship)) for ship in range(4))
    assert lines[-2:] == [f"Round 2 begins with ships of {ships}; Black starts.", "In the market: Idol, Idol, Idol, Idol."]


def test_the_log_names_an_untouched_pair_that_all_see_discarded() -> None:
    s = position(deck="lever hammer idol idol idol idol idol", **PAIR | LAST)
    s.discard_open = 1
    lines = lines_after(s, "sail-d-obelisk", -1)
    assert lines[2].startswith("Nobody took the face-down cards of the market: ")
    assert lines[-1].endswith(", and 2 face down.")
    s = position(deck="lever hammer idol idol idol idol idol", discard_open=False, **PAIR | LAST)
    assert not any("Nobody took" in line for line in lines_after(s, "sail-d-obelisk", -1))


def test_the_log_in_japanese() -> None:
    s = position(3, ships="NNKW", card="4322", sleds=(0,) * 3)
    assert lines_after(s, "sail-a-burial", -1, "ja") == ["黒が船Aを埋葬室へ出した。埋葬室へ：茶が2個、黒、白。"]
    s = position(3, ships="NNK", card="4322", sleds=(0,) * 3)
    assert lines_after(s, "sail-a-pyramid", -1, "ja") == ["黒が船Aをピラミッドへ出した。ピラミッド：茶に2点、茶に1点、黒に3点。"]


def test_the_log_names_the_winners_together() -> None:
    s = position(scores=(3, 13), round=6, sleds=(2, 2), **LAST)
    assert lines_after(s, "sail-d-obelisk", -1)[-1] == "Black, White share the victory with 13 points."
    s = position(scores=(3, 13), round=6, sleds=(2, 2), **LAST)
    assert lines_after(s, "sail-d-obelisk", 1, "ja")[-1] == "黒、白が13点で勝利を分かち合った。"
    s = position(scores=(3, 13), round=6, sleds=(2, 3), **LAST)
    assert lines_after(s, "sail-d-obelisk", 1)[-1] == "White wins with 13 points, by more stones on the sled."
    s = position(scores=(3, 13), round=6, sleds=(2, 3), **LAST)
    assert lines_after(s, "sail-d-obelisk", 1, "ja")[-1] == "白が13点で勝利（同点、石材置き場の石材数で決着）。"


@pytest.mark.parametrize("discard_open", [True, False])
def test_the_log_names_a_rejected_card_to_those_who_know_it(discard_open: bool) -> None:
    def make() -> State:
        return position(deck="lever hammer", discard="idol", discard_open=discard_open, **PAIR)

    codes = "sail-c-market take4 keep-lever"
    known = ["Black keeps Lever and discards Hammer. Back to the quarry: Black."]
    unknown = ["Black keeps Lever and discards the other card unseen. Back to the quarry: Black."]
    assert lines_after(make(), codes, K) == known
    (seen,) = lines_after(make(), "sail-c-market take4", K)
    assert seen in (f"Black looks at the face-down cards: {pair}." for pair in ("Lever, Hammer", "Hammer, Lever"))
    for viewer in (-1, W):
        assert lines_after(make(), codes, viewer) == (known if discard_open else unknown)
        assert lines_after(make(), "sail-c-market take4", viewer) == ["Black looks at the face-down cards."]


def test_a_single_face_down_card_is_taken_without_another_one_discarded() -> None:
    s = position(deck="lever hammer", discard="idol", **PAIR)
    s.hidden[1], s.deck = 0, 1
    happened(s, "sail-c-market take4")
    (only,) = GAME.legal(s, K)
    lines = lines_after(s, GAME.text.CODES[only], W)
    assert lines in [[f"Black takes {card}. Back to the quarry: Black."] for card in ("Lever", "Hammer")]


OPTIONS: list[dict[str, Any]] = [
    {},
    ALL_B,
    {**ALL_B, "wrath": True, "wrath_scope": "per_site", "obelisk_b_pay": "game_end", "market_return": "per_stone"},
    {"pyramid_side": "B", "temple_side": "B", "wrath": True},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_points_of_the_events_are_the_scores(players: int, options: dict[str, Any]) -> None:
    told = [0] * players
    for before, _, _, after, events in told_games(2, players, seed=60, **options):
        if before.turns == 0 and before.round == 1 and before.step == 0:
            told = [0] * players
        for event in events:
            if "points" in event.kind.names:
                told[event.seat] += event.points
        assert told == GAME.scores(after)


def test_stones_are_told_in_the_order_in_which_they_leave_the_ship() -> None:
    stones = (Event.ON_PYRAMID, Event.BESIDE_PYRAMID, Event.IN_TEMPLE, Event.IN_BURIAL, Event.AT_OBELISK)
    events = happened(position(3, ships="NKNW", card="4322", sleds=(0,) * 3), "sail-a-obelisk")
    assert [event.seat for event in events if event.kind in stones] == [N, K, N, W]
    events = happened(position(3, ships="NKNW", card="4322", sleds=(0,) * 3), "sail-a-pyramid")
    assert [(event.seat, event.points) for event in events if event.kind in stones] == [(N, 2), (K, 1), (N, 3), (W, 2)]
