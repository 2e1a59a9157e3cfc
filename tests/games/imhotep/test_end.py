"""Imhotep: the end of the game, final scoring, the variants, and the known totals of whole positions."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.games.imhotep.rules import components
from perankh.games.imhotep.rules.scoring import (
    blue_points,
    burial_points,
    final_points,
    green_points,
    idol_points,
    obelisk_points,
    wrath_points,
)
from perankh.testing import clause

from .positions import ALL_B, GAME, G, K, N, W, actor, cards, final, letters, play, points, position, random_games, step

# --- The end ------------------------------------------------------------------------------------------------------


@clause("IMH-E1", "IMH-R6")
def test_the_game_ends_after_the_temple_of_round_6() -> None:
    s = position(card="4322", ships="- - - K", docked="market pyramid burial", temple="KW", round=6)
    assert GAME.ending(s) is None
    play(s, "sail-d-obelisk")
    assert (GAME.ending(s), GAME.actors(s), points(s)) == ("six_rounds", [], [1 + 10, 1])
    s = position(card="4322", ships="- - - K", docked="market pyramid burial", temple="KW", round=5)
    assert GAME.ending(play(s, "sail-d-obelisk")) is None


@clause("IMH-E2", "IMH-E3", "IMH-E4")
@pytest.mark.parametrize(
    ("scores", "sleds", "ranks"),
    [
        ((30, 40, 20), (5, 0, 1), [2, 1, 3]),
        ((40, 40, 20), (1, 3, 5), [2, 1, 3]),
        ((40, 40, 20), (2, 2, 5), [1, 1, 3]),
        ((40, 40, 40), (2, 2, 2), [1, 1, 1]),
        ((20, 40, 20), (1, 0, 2), [3, 1, 2]),
    ],
)
def test_places(scores: tuple[int, ...], sleds: tuple[int, ...], ranks: list[int]) -> None:
    s = position(3, scores=scores, sleds=sleds, quarries=(1, 2, 3), card="4322", temple="KWN", round=6)
    s.quarry = [20, 1, 9, 0]
    assert GAME.ranks(s) == ranks


# --- Final scoring --------------------------------------------------------------------------------------------------


@clause("IMH-F1")
@pytest.mark.parametrize(("side", "gain"), [("A", [3 + 1, 6, 0]), ("B", [8 + (8 + 4) // 2, 8 + (8 + 4) // 2, 0])])
def test_the_burial_chamber_is_scored(side: str, gain: list[int]) -> None:
    """Rows: K K / W W / K W."""
    assert final(position(3, burial="KWKKWW", burial_side=side, sleds=(0, 0, 0))) == gain


@clause("IMH-F2")
def test_the_obelisk_is_scored() -> None:
    assert final(position(3, obelisk="KKW", sleds=(0,) * 3)) == [12, 6, 0]
    assert final(position(3, obelisk="KKW", obelisk_side="B", sleds=(0,) * 3)) == [2, 1, 0]
    assert final(position(3, obelisk="KKKKW", obelisk_side="B", obelisk_b_pay="game_end", sleds=(0,) * 3)) == [11, 1, 0]


@clause("IMH-F3")
def test_unplayed_blue_cards() -> None:
    s = position(held={K: "lever hammer sail sail chisel", W: "idol deco_temple lever"})
    assert [blue_points(s, p) for p in (K, W)] == [5, 1]
    assert final(s) == [5, 2]


@clause("IMH-F4")
@pytest.mark.parametrize(
    ("card", "places"),
    [
        ("deco_pyramid", {"pyramid": "KWKWKWKWKWKWKW", "beside": "KKW"}),
        ("deco_temple", {"temple": "KWKWKWKWKWKWKWKWK"}),
        ("deco_burial", {"burial": "KWKWKWKWKWKWKWKWK"}),
        ("deco_obelisk", {"obelisk": "KKKKKKKWWWWWWWWWW"}),
    ],
)
def test_green_cards_count_all_stones_of_a_site(card: str, places: dict[str, str]) -> None:
    """17 stones: 5 points a card, each card by itself."""
    for n in (1, 2):
        s = position(held={W: f"{card} " * n}, sleds=(0, 0), **places)  # type: ignore[arg-type]
        assert [green_points(s, p) for p in (K, W)] == [0, 5 * n]
    assert green_points(position(held={W: card}, temple="" if card != "deco_temple" else "KK"), W) == 0


@clause("IMH-F4")
def test_the_green_card_examples() -> None:
    """Known total 7: 13 stones in the burial chamber give 4; at obelisk B erected and loose stones count."""
    assert green_points(position(4, burial="NNNWWKGNGGGGG", held={K: "deco_burial"}), K) == 4
    assert green_points(position(obelisk="KKKKKW", obelisk_side="B", held={K: "deco_obelisk"}), K) == 2


@clause("IMH-F5")
@pytest.mark.parametrize(("n", "value"), [(0, 0), (1, 1), (3, 6), (5, 15), (6, 17), (10, 25)])
def test_idols(n: int, value: int) -> None:
    assert idol_points(position(held={W: "idol " * n}, market="- - - -"), W) == value


@clause("IMH-F6")
def test_ties_share_exactly_their_places() -> None:
    assert [obelisk_points(position(obelisk="KW"), p) for p in (K, W)] == [5, 5]
    s = position(4, obelisk="KWNN", sleds=(0,) * 4)
    assert [obelisk_points(s, p) for p in range(4)] == [(10 + 5) // 2, (10 + 5) // 2, 15, 0]


@clause("IMH-F7", "IMH-V2", "IMH-V3")
def test_the_wrath_comes_last_and_may_lead_below_zero() -> None:
    places = {"temple": "K", "burial": "K", "obelisk": "", "pyramid": "K"}
    s = position(scores=(2, 40), held={}, wrath=True, **places)  # type: ignore[arg-type]
    assert final(s) == [2 + 1 - 5, 40 - 5]
    assert GAME.ranks(s) == [2, 1]
    assert final(position(scores=(2, 40), **places)) == [3, 40]  # type: ignore[arg-type]


@clause("IMH-V2")
def test_the_wrath_for_each_monument() -> None:
    s = position(temple="K", wrath=True, wrath_scope="per_site")
    assert [wrath_points(s, p) for p in (K, W)] == [15, 20]
    s = position(temple="K", wrath=True)
    assert [wrath_points(s, p) for p in (K, W)] == [5, 5]
    assert wrath_points(position(temple="K", wrath_scope="per_site"), W) == 0


@clause("IMH-V3")
@pytest.mark.parametrize(
    "places",
    [
        {"pyramid": "W" * 14, "beside": "K", "temple": "KWWWW", "burial": "KW", "obelisk": "KW"},
        {"pyramid": "KW", "temple": "WK", "burial": "WK", "obelisk": "KKKW", "obelisk_side": "B"},
        {"pyramid": "KW", "temple": "WK", "burial": "WK", "obelisk": "KW", "obelisk_side": "B"},
        {"pyramid": "||WK", "temple": "WK", "burial": "WK", "obelisk": "KW", "pyramid_side": "B"},
    ],
)
def test_every_stone_at_a_monument_holds_off_the_wrath(places: dict[str, Any]) -> None:
    assert [wrath_points(position(wrath=True, **places), p) for p in (K, W)] == [0, 0]
    for site in ("temple", "burial", "obelisk"):
        fewer = {**places, site: places[site].replace("K", "")}
        assert [wrath_points(position(wrath=True, **fewer), p) for p in (K, W)] == [5, 0]


# --- Known totals ---------------------------------------------------------------------------------------------------


def known_15(wrath: bool) -> Any:
    """Four players, all A, before final scoring."""
    return position(
        4,
        scores=(28, 21, 24, 15),
        pyramid="KWNGKWNGKWNGKW",
        beside="NGN",
        temple="WKNGWKNGWKN",
        burial="NNNWWKGNGGGGG",
        obelisk="WWWWKKKGGG",
        held={
            W: "idol idol idol deco_burial lever",
            N: "idol idol idol idol idol idol deco_pyramid",
            K: "deco_temple deco_temple chisel sail",
            G: "idol deco_obelisk hammer",
        },
        market="- - - -",
        sleds=(0, 0, 0, 0),
        wrath=wrath,
    )


@clause("IMH-F1", "IMH-F2", "IMH-F3", "IMH-F4", "IMH-F5", "IMH-F7", "IMH-E2")
def test_known_total_15() -> None:
    s = known_15(False)
    table_ = [[f(s, p) for p in (W, N, K, G)] for f in (burial_points, obelisk_points, blue_points, green_points, idol_points)]
    assert table_ == [[3, 7, 1, 17], [15, 0, 7, 7], [1, 0, 2, 1], [4, 5, 6, 3], [6, 17, 0, 1]]
    totals = final(s)
    assert [totals[p] for p in (W, N, K, G)] == [50, 53, 44, 44]
    assert GAME.ranks(s)[N] == 1
    s = known_15(True)
    totals = final(s)
    assert [totals[p] for p in (W, N, K, G)] == [50, 48, 44, 44]
    assert GAME.ranks(s)[W] == 1


@clause("IMH-V1", "IMH-V2", "IMH-E3", "IMH-E4", "IMH-F1", "IMH-F2")
def test_known_total_16() -> None:
    def make(sleds: tuple[int, ...], wrath: bool = True) -> Any:
        s = position(
            3,
            scores=(32, 30, 22),
            pyramid="KWNKW|NKWNK|WN",
            temple="WNKWNKWNK",
            burial="WNKWNNKNKKW",
            obelisk="WWWKKKWWK",
            held={
                W: "idol idol idol idol deco_pyramid",
                N: "idol idol idol idol idol deco_temple deco_obelisk lever",
                K: "idol deco_burial deco_burial sail chisel",
            },
            market="- - - -",
            sleds=sleds,
            wrath=wrath,
            **ALL_B,
        )
        assert letters(s.erected) == "WK"
        return s

    s = make((1, 3, 0))
    parts = [
        [f(s, p) for p in (W, N, K)]
        for f in (burial_points, obelisk_points, blue_points, green_points, idol_points, wrath_points)
    ]
    assert parts == [[10, 12, 14], [2, 0, 1], [0, 1, 2], [4, 6, 6], [10, 15, 1], [0, 5, 0]]
    totals = final(s)
    assert [totals[p] for p in (W, N, K)] == [56, 51, 56]
    assert [GAME.ranks(s)[p] for p in (W, N, K)] == [1, 3, 2]
    s = make((3, 3, 0))
    final(s)
    assert [GAME.ranks(s)[p] for p in (W, N, K)] == [1, 3, 1]
    s = make((1, 3, 4), wrath=False)
    assert final(s) == [56, 56, 56]
    assert [GAME.ranks(s)[p] for p in (W, N, K)] == [2, 1, 3]


@clause("IMH-R4", "IMH-R5", "IMH-R7", "IMH-R8", "IMH-U1", "IMH-M2", "IMH-M3")
def test_known_total_17_a_whole_round() -> None:
    s = position(2, turn=W, card="3221", sleds=(3, 2), market="sarcophagus idol hammer deco_pyramid")
    assert s.quarry[:2] == [26, 27]
    for p, code in enumerate(["load-d1", "sail-d-temple", "load-a2", "load-a1", "fetch3", "load-b2", "sail-a-market"], start=1):
        assert actor(s) == p % 2
        play(s, code)
    assert (s.sled[:2], s.quarry[:2], actor(s)) == ([1, 3], [26, 24], K)
    play(s, "take1")
    assert (letters(s.burial), s.quarry[K], actor(s)) == ("K", 25, W)
    play(s, "take2")
    assert s.quarry[:2] == [26, 25]
    play(s, "sail-b-pyramid load-c1 load-c2 sail-c-obelisk")
    assert (points(s), s.sled[:2], s.quarry[:2]) == ([2, 1], [0, 2], [26, 25])
    assert (cards(s.held[W]), cards(s.held[K])) == ({"idol": 1}, {})
    assert cards(s.discard) == {"sarcophagus": 1, "hammer": 1, "deco_pyramid": 1}
    assert (s.round, actor(s), s.turns) == (2, K, 11)


def test_final_points_are_the_sum_of_their_parts() -> None:
    s = known_15(True)
    for p in range(4):
        parts = burial_points(s, p) + obelisk_points(s, p) + blue_points(s, p) + green_points(s, p) + idol_points(s, p)
        assert final_points(s, p) == parts - wrath_points(s, p)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_lengths_of_games(players: int) -> None:
    *_, (_, _, _, after) = random_games(1, players, seed=41)
    assert step(after) == "over"
    assert 60 < after.turns < 130
    assert components.ROUNDS == 6
