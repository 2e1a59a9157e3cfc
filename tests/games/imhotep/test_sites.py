"""Imhotep: market, pyramid, temple, burial chamber and obelisk, with the figures of the rule specification."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.games.imhotep.rules import building, components, state
from perankh.games.imhotep.rules.components import Card, Site
from perankh.games.imhotep.rules.scoring import (
    burial_points,
    height_points,
    obelisk_points,
    place_points,
    set_value,
    slot_points,
    stones_in_row,
)
from perankh.games.imhotep.rules.state import State, Step
from perankh.testing import clause

from .positions import (
    ALL_B,
    GAME,
    G,
    K,
    N,
    W,
    actor,
    begins,
    cards,
    final,
    legal,
    letters,
    play,
    points,
    position,
    random_games,
    step,
)

# --- Market -------------------------------------------------------------------------------------------------------


@clause("IMH-M1", "IMH-M3")
def test_the_market_example_of_the_rulebook() -> None:
    s = position(4, card="4322", ships="W.NG", market="sail idol lever deco_temple", sleds=(2, 2, 2, 2))
    quarries = list(s.quarry)
    play(s, "sail-a-market")
    assert (actor(s), legal(s)) == (W, ["take1", "take2", "take3", "take4"])
    play(s, "take1")
    assert (actor(s), legal(s)) == (N, ["take2", "take3", "take4"])
    play(s, "take2")
    assert (actor(s), legal(s), s.quarry) == (G, ["take3", "take4"], quarries)
    play(s, "take3")
    assert [cards(s.held[p]) for p in (W, N, G)] == [{"sail": 1}, {"idol": 1}, {"lever": 1}]
    assert s.market == [0, 0, 0, 1 + components.CARDS.index("deco_temple")]
    assert [s.quarry[p] - quarries[p] for p in range(4)] == [0, 1, 1, 1]
    assert begins(s, "sail-b", "take") == []


@clause("IMH-M2")
def test_a_red_card_is_resolved_before_the_next_owner_chooses() -> None:
    s = position(card="4322", ships="- - KW", market="sarcophagus idol - -", sleds=(2, 2))
    play(s, "sail-c-market", "take1")
    assert (letters(s.burial), actor(s), step(s)) == ("K", W, "offer")
    assert (cards(s.discard), cards(s.held[K])) == ({"sarcophagus": 1}, {})
    play(s, "take2")
    assert cards(s.held[W]) == {"idol": 1}


@clause("IMH-M3", "IMH-C4")
def test_stones_return_when_the_ship_is_done() -> None:
    s = position(card="4322", ships="- - WW", market="entrance idol - -", sleds=(2, 2), quarries=(20, 0))
    play(s, "sail-c-market", "take1")
    assert (letters(s.pyramid), s.quarry[W], s.discard[0]) == ("", 0, 1)
    play(s, "take2")
    assert s.quarry[W] == 2


@clause("IMH-M3")
def test_stones_may_return_one_by_one() -> None:
    s = position(
        card="4322", ships="- - WW", market="entrance idol - -", sleds=(2, 2), quarries=(20, 0), market_return="per_stone"
    )
    play(s, "sail-c-market", "take1")
    assert (letters(s.pyramid), s.quarry[W], points(s)) == ("W", 0, [0, 2])
    play(s, "take2")
    assert s.quarry[W] == 1


def pair_position(pair: str, **more: Any) -> State:
    """Black's stones at market B, with certain cards face down."""
    first, second = (components.CARDS.index(name) for name in pair.split())
    s = position(card="4322", ships="- - KW", market_side="B", market="- - - idol", **{"sleds": (2, 2), **more})
    play(s, "sail-c-market")
    for i, kind in enumerate((first, second)):
        s.hidden[i] = state.FaceDown.SECRET + kind
        s.unseen[kind] -= 1
    return s


@clause("IMH-M4")
def test_the_pair_is_one_offer_seen_by_its_taker_alone() -> None:
    s = pair_position("idol lever")
    s.market[1] = 1 + Card.CHISEL
    assert legal(s) == ["take2", "take4"]
    play(s, "take4")
    assert (step(s), actor(s), legal(s)) == ("pair", K, ["keep-idol", "keep-lever"])
    for viewer in (-1, W):
        seen: Any = GAME.veiled(s, viewer)
        assert seen.hidden[:2] == [state.FaceDown.UNSEEN] * 2
        assert seen.unseen == [n + (kind in (Card.IDOL, Card.LEVER)) for kind, n in enumerate(s.unseen)]
    assert GAME.veiled(s, K).hidden == s.hidden  # type: ignore[attr-defined]
    play(s, "keep-lever")
    assert (cards(s.held[K]), cards(s.discard), s.hidden[:2]) == ({"lever": 1}, {"idol": 1}, [0, 0])
    assert (actor(s), legal(s)) == (W, ["take2"])


@clause("IMH-M4")
def test_two_equal_cards_are_one_choice() -> None:
    s = play(pair_position("idol idol"), "take4")
    assert legal(s) == ["keep-idol"]
    play(s, "keep-idol")
    assert (cards(s.held[K]), cards(s.discard)) == ({"idol": 1}, {"idol": 1})


@clause("IMH-M4")
def test_the_rejected_card_is_discarded_before_the_kept_one_has_an_effect() -> None:
    s = pair_position("entrance hammer", pyramid_side="B")
    play(s, "take4 keep-entrance")
    assert (step(s), cards(s.discard), s.red[0]) == ("pyramid", {"hammer": 1}, 1)


@clause("IMH-M5")
@pytest.mark.parametrize(("kept", "site"), [("sarcophagus", "burial"), ("paved_path", "obelisk")])
def test_a_red_card_from_the_pair_is_resolved_at_once(kept: str, site: str) -> None:
    s = play(pair_position(f"{kept} idol"), f"take4 keep-{kept}")
    assert (letters(s.burial), s.obelisk[K]) == (("K", 0) if site == "burial" else ("", 1))
    assert cards(s.discard) == {"idol": 1, kept: 1}
    s = play(pair_position(f"{kept} idol"), "take4 keep-idol")
    assert (cards(s.held[K]), letters(s.burial), s.obelisk[K]) == ({"idol": 1}, "", 0)


@clause("IMH-M6")
def test_a_stone_that_finds_no_offer_gets_nothing() -> None:
    for way in ("after_ship", "per_stone"):
        s = position(card="4322", ships="- - KW", market="idol - - -", sleds=(2, 2), market_return=way)
        quarries = list(s.quarry)
        play(s, "sail-c-market", "take1")
        assert (step(s), actor(s), cards(s.held[W])) == ("main", W, {})
        assert [s.quarry[p] - quarries[p] for p in (K, W)] == [1, 1]


@clause("IMH-M6")
def test_a_pair_may_consist_of_one_card() -> None:
    s = position(card="4322", ships="- - K", market_side="B", market="- - - idol", sleds=(2, 2))
    s.hidden[1] = state.FaceDown.NONE
    s.unseen = [0] * 12
    s.unseen[Card.CHISEL], s.deck = 1, 0
    play(s, "sail-c-market take4")
    assert legal(s) == ["keep-chisel"]
    play(s, "keep-chisel")
    assert (cards(s.held[K]), cards(s.discard)) == ({"chisel": 1}, {})


# --- Pyramid A ----------------------------------------------------------------------------------------------------


@clause("IMH-P1", "IMH-P2")
def test_the_pyramid_is_filled_cell_by_cell() -> None:
    s = position(4, card="4322", ships="WKWN", pyramid="KKKKKKKK", sleds=(0,) * 4)
    play(s, "sail-a-pyramid")
    assert letters(s.pyramid) == "KKKKKKKKWKWN"
    assert points(s) == [2, 6, 1, 0]


@clause("IMH-P2")
def test_the_points_of_pyramid_a() -> None:
    """Known totals: 16 stones of one colour make 36; two players alternating 20 and 14."""
    s = position(sleds=(0, 0))
    for _ in range(16):
        building.place(s, K, Site.PYRAMID)
    assert points(s) == [36, 0]
    assert (len(letters(s.pyramid)), s.beside[:2]) == (14, [2, 0])
    s = position(sleds=(0, 0))
    for k in range(14):
        building.place(s, k % 2, Site.PYRAMID)
    assert points(s) == [20, 14]
    assert list(components.PYRAMID_A) == [2, 1, 3, 2, 4, 3, 2, 1, 3, 2, 3, 1, 3, 4]


# --- Pyramid B ----------------------------------------------------------------------------------------------------


@clause("IMH-P3")
def test_the_owner_chooses_an_unfinished_small_pyramid() -> None:
    s = position(card="4322", ships="- - K", pyramid="|WWWWW|KK", pyramid_side="B", sleds=(0, 0))
    play(s, "sail-c-pyramid")
    assert legal(s) == ["build-left", "build-right"]
    play(s, "build-right")
    assert s.pyramid[10:] == [1, 1, 1, 0, 0]
    s = position(card="4322", ships="- - K", pyramid="KKKKK|WWWWW|KKKK", pyramid_side="B", sleds=(0, 0))
    play(s, "sail-c-pyramid")
    assert legal(s) == ["build-right"]


@clause("IMH-P4")
def test_the_example_of_pyramid_b() -> None:
    s = position(4, card="4322", ships="NKNW", pyramid_side="B", sleds=(0,) * 4, deck="idol")
    play(s, "sail-a-pyramid", "build-middle")
    assert (step(s), actor(s), points(s)) == ("bonus_stones", N, [0, 0, 1, 0])
    play(s, "fetch2", "build-middle")
    assert points(s) == [3, 0, 1, 0]
    play(s, "build-middle")
    assert (points(s), cards(s.held[N]), actor(s)) == ([3, 0, 2, 0], {"idol": 1}, W)
    play(s, "build-left")
    assert points(s) == [3, 2, 2, 0]


PYRAMID_B = {
    "left": [(2, ""), (1, "card"), (2, ""), (1, "load"), (4, "")],
    "middle": [(1, "stones"), (3, ""), (1, "card"), (1, ""), (4, "")],
    "right": [(3, ""), (1, "load"), (1, ""), (1, "stones"), (4, "")],
}


@clause("IMH-P4")
@pytest.mark.parametrize("name", PYRAMID_B)
def test_points_and_bonus_of_each_cell(name: str) -> None:
    for cell, (gain, bonus) in enumerate(PYRAMID_B[name]):
        filled = {part: "W" * cell if part == name else "" for part in PYRAMID_B}
        s = position(card="4322", ships="- - K", pyramid="|".join(filled.values()), pyramid_side="B", sleds=(2, 2), deck="idol")
        play(s, "sail-c-pyramid", f"build-{name}")
        assert points(s) == [gain, 0]
        expected = {"": "main", "card": "main", "load": "bonus_load", "stones": "bonus_stones"}[bonus]
        assert (step(s), cards(s.held[K])) == (expected, {"idol": 1} if bonus == "card" else {})


@clause("IMH-P5")
def test_the_card_bonus() -> None:
    s = position(card="4322", ships="- - K", pyramid="W||", pyramid_side="B", sleds=(2, 2), deck="sarcophagus")
    play(s, "sail-c-pyramid", "build-left")
    assert (letters(s.burial), s.discard[1], s.deck, points(s)) == ("K", 2, 0, [1, 0])
    s = position(card="4322", ships="- - K", pyramid="W||", pyramid_side="B", sleds=(2, 2), deck="chisel")
    play(s, "sail-c-pyramid", "build-left")
    assert cards(s.held[K]) == {"chisel": 1}


@clause("IMH-P6")
def test_the_stones_bonus_is_optional() -> None:
    def ask(**more: Any) -> State:
        s = position(card="4322", ships="- - K", pyramid_side="B", **more)
        return play(s, "sail-c-pyramid", "build-middle")

    assert legal(ask(sleds=(0, 0))) == ["fetch0", "fetch1", "fetch2", "fetch3"]
    assert legal(ask(sleds=(4, 0))) == ["fetch0", "fetch1"]
    assert legal(ask(sleds=(0, 0), quarries=(2, 9))) == ["fetch0", "fetch1", "fetch2"]
    assert legal(ask(sleds=(1, 0), quarry_take="max")) == ["fetch0", "fetch3"]
    assert step(ask(sleds=(5, 0))) == "main"
    s = play(ask(sleds=(0, 0)), "fetch0")
    assert (s.sled[K], step(s)) == (0, "main")
    s = play(ask(sleds=(0, 0)), "fetch3")
    assert s.sled[K] == 3


@clause("IMH-P7")
def test_the_load_bonus_is_optional_and_excludes_ships_that_have_sailed() -> None:
    def ask(**more: Any) -> State:
        more = {"sleds": (2, 2), "docked": "- temple", **more}
        s = position(card="4322", ships="K.W. - K", pyramid="|W|W", pyramid_side="B", **more)
        return play(s, "sail-c-pyramid", "build-right")

    s = ask()
    assert (step(s), legal(s)) == ("bonus_load", ["load-a2", "load-a4", "load-d1", "load-d2", "decline"])
    play(s, "load-a4")
    assert (s.cargo[0], s.sled[K], step(s)) == ([1, 0, 2, 1], 1, "main")
    s = play(ask(), "decline")
    assert (s.cargo[0], s.sled[K]) == ([1, 0, 2, 0], 2)
    assert step(ask(sleds=(0, 2))) == "main"
    s = position(card="4322", ships="KWKW KWK K W.", pyramid="|W|W", pyramid_side="B", sleds=(1, 2))
    assert legal(play(s, "sail-c-pyramid", "build-right")) == ["load-d2", "decline"]


@clause("IMH-P7")
def test_the_load_bonus_is_void_without_a_waiting_ship() -> None:
    s = position(card="4322", ships="- - - K", docked="temple market burial", pyramid="|W|W", pyramid_side="B", sleds=(2, 2))
    play(s, "sail-d-pyramid", "build-right")
    assert (step(s), s.round, s.sled[K]) == ("main", 2, 2)
    s = position(card="4322", ships="KKKK KKK KK K", pyramid="|W|W", pyramid_side="B", sleds=(2, 2))
    play(s, "sail-d-pyramid", "build-right")
    assert step(s) == "main"


@clause("IMH-P8")
def test_stones_beside_the_small_pyramids() -> None:
    s = position(card="4322", ships="- - KW", pyramid="KKKKK|WWWWW|KWKW", pyramid_side="B", sleds=(0, 0))
    play(s, "sail-c-pyramid", "build-right")
    assert (s.beside[:2], points(s), step(s)) == ([0, 1], [4, 1], "main")


@clause("IMH-P9", "IMH-C5")
def test_the_chain_of_the_specification() -> None:
    s = position(
        card="4322", ships="- - WK", pyramid="K|KK|K", pyramid_side="B", sleds=(1, 2), deck="entrance entrance", discard="idol"
    )
    quarry = s.quarry[W]
    play(s, "sail-c-pyramid", "build-left")
    assert (step(s), actor(s), s.red[0], points(s)) == ("pyramid", W, 1, [0, 1])
    play(s, "build-middle")
    assert (step(s), actor(s), s.red[0], points(s)) == ("pyramid", W, 2, [0, 2])
    play(s, "build-right")
    assert (step(s), actor(s), points(s), cards(s.discard)) == ("bonus_load", W, [0, 3], {"idol": 1})
    play(s, "load-d2")
    # Now the outer effects are done, the cards are discarded, and the next stone of the ship comes.
    assert (s.quarry[W], cards(s.discard), s.red[0]) == (quarry - 2, {"entrance": 2, "idol": 1}, 0)
    assert (step(s), actor(s)) == ("pyramid", K)


def test_pyramid_b_filled_by_one_player() -> None:
    """Known total: 10 + 10 + 10 points and two cards; a 16th stone 1 more."""
    s = position(sleds=(5, 0), pyramid_side="B", deck="idol idol idol")
    for pyramid in range(3):
        for _ in range(5):
            building.build(s, K, pyramid)
            s.step = Step.MAIN
    assert (points(s), cards(s.held[K])) == ([30, 0], {"idol": 2})
    building.place(s, K, Site.PYRAMID)
    assert points(s) == [31, 0]


# --- Temple -------------------------------------------------------------------------------------------------------


@clause("IMH-N1", "IMH-N2")
def test_the_temple_is_filled_level_by_level() -> None:
    s = position(4, card="4322", ships="NNW", temple="KKKK", sleds=(0,) * 4)
    play(s, "sail-a-temple")
    assert letters(s.temple) == "KKKKNNW"
    assert "".join("KWNG"[building.visible(s, cell) - 1] for cell in range(5)) == "NWKKN"
    assert [building.width(position(n)) if n == 2 else components.WIDTH[n - 2] for n in (2, 3, 4)] == [4, 5, 5]


@clause("IMH-N1", "IMH-N2", "IMH-N4")
@pytest.mark.parametrize(("players", "card", "seen", "gain"), [(2, "4322", "KKWW", [2, 2]), (3, "4322", "KKWWK", [3, 2, 0])])
def test_known_temples_of_side_a(players: int, card: str, seen: str, gain: list[int]) -> None:
    """Known total 10."""
    s = position(players, card=card, ships="- - - K", docked="market pyramid burial", temple="WKWWKK", sleds=(0, 0, 0))
    assert "".join("KWNG"[building.visible(s, cell) - 1] for cell in range(len(seen))) == seen
    play(s, "sail-d-obelisk")
    assert points(s) == gain


@clause("IMH-N4")
def test_the_temple_example_of_side_a() -> None:
    """Known total 4."""
    s = position(4, card="4322", ships="- - - K", docked="market pyramid burial", temple="GWGNK", sleds=(0,) * 4)
    play(s, "sail-d-obelisk")
    assert points(s) == [1, 1, 1, 2]


def temple_b(players: int = 4, **more: Any) -> State:
    """The fourth ship sails; then temple B is scored."""
    more = {"sleds": (0, 0, 0, 0), "temple": "GNWWK", **more}
    s = position(players, card="4322", ships="- - - K", docked="market pyramid burial", temple_side="B", **more)
    return play(s, "sail-d-obelisk")


@clause("IMH-N5", "IMH-N6", "IMH-N7", "IMH-N8")
def test_the_temple_example_of_side_b() -> None:
    """Known total 5: everybody takes points where possible."""
    s = temple_b(deck="idol " * 5)
    assert (step(s), actor(s), legal(s), s.cell) == ("temple", G, ["fetch1", "fetch2", "point"], 1)
    play(s, "point")
    assert (actor(s), points(s), legal(s), s.cell) == (W, [0, 0, 2, 1], ["fetch1", "fetch2", "point"], 3)
    play(s, "point")
    assert (actor(s), points(s), cards(s.held[W]), s.cell) == (K, [0, 1, 2, 1], {"idol": 1}, 5)
    assert legal(s) == ["fetch1", "fetch2", "point"]
    play(s, "point")
    assert (points(s), s.round) == ([1, 1, 2, 1], 2)


@clause("IMH-N5")
def test_empty_cells_of_temple_b_give_nothing_and_choices_follow_one_another() -> None:
    s = temple_b(temple="KKK", sleds=(3, 0, 0, 0))
    assert legal(s) == ["fetch1", "fetch2", "point"]
    play(s, "fetch2")
    # The sled is full now, so the third cell gives its point without a choice.
    assert (points(s), s.sled[K], s.round) == ([3, 0, 0, 0], 5, 2)


@clause("IMH-N6")
def test_stones_in_place_of_a_point() -> None:
    assert legal(temple_b(sleds=(0, 0, 0, 4))) == ["fetch1", "point"]
    assert legal(temple_b(quarries=(9, 9, 9, 1))) == ["fetch1", "point"]
    assert legal(temple_b(quarry_take="max")) == ["fetch2", "point"]
    s = temple_b(sleds=(0, 0, 0, 5))
    assert (actor(s), points(s)) == (W, [0, 0, 2, 1])
    s = temple_b(quarries=(9, 9, 9, 0))
    assert (actor(s), points(s)) == (W, [0, 0, 2, 1])
    s = play(temple_b(), "fetch2")
    assert (s.sled[G], s.quarry[G], points(s)[G]) == (2, 28 - 2, 0)


@clause("IMH-N8", "IMH-C2")
def test_a_red_card_of_the_temple_is_resolved_before_the_fifth_cell() -> None:
    s = play(temple_b(deck="sarcophagus"), "point", "point")
    assert (letters(s.burial), step(s), actor(s), points(s)[W], s.discard[1]) == ("W", "temple", K, 1, 2)
    s = play(temple_b(deck="entrance", pyramid_side="B"), "point", "point")
    assert (step(s), actor(s), s.cell) == ("pyramid", W, 4)
    play(s, "build-right")
    assert (step(s), actor(s), s.cell, points(s)[W]) == ("temple", K, 5, 4)


@clause("IMH-N1", "IMH-N8")
def test_temple_b_with_two_players_has_four_cells() -> None:
    s = temple_b(2, temple="KWKWW", sleds=(5, 5), deck="idol " * 5)
    # Cell 1 was covered by white; cell 4 gives white a card.
    assert (points(s), cards(s.held[W]), s.round) == ([1, 1 + 2], {"idol": 1}, 2)


# --- Burial chamber -----------------------------------------------------------------------------------------------


@clause("IMH-G1")
def test_the_burial_chamber_is_filled_by_columns() -> None:
    s = position(4, card="4322", ships="WKNG", burial="KK", sleds=(0,) * 4, burial_side="B")
    play(s, "sail-a-burial")
    assert letters(s.burial) == "KKWKNG"
    assert [[stones_in_row(s, row, p) for p in range(4)] for row in range(3)] == [[2, 0, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]]


@clause("IMH-G2")
@pytest.mark.parametrize(
    ("burial", "black"),
    [
        ("KKW", 3),  # above one another
        ("KWWKWW", 3),  # beside one another
        ("KWWWKW", 2),  # diagonal
        ("WWKKWW", 2),  # the end of a column does not touch the top of the next
        ("WWKWKK", 6),
        ("KKKKWKKKK", 15 + 2 * 3),  # a ring
    ],
)
def test_groups_touch_along_edges(burial: str, black: int) -> None:
    assert burial_points(position(burial=burial), K) == black


@clause("IMH-G3")
def test_the_burial_example() -> None:
    """Known total 2."""
    s = position(4, burial="NNNWWKGNGGGGG")
    assert [burial_points(s, p) for p in (W, K, N, G)] == [3, 1, 7, 17]


@clause("IMH-G3", "IMH-F5")
def test_the_value_table() -> None:
    """Known total 8."""
    assert [set_value(n) for n in range(13)] == [0, 1, 3, 6, 10, 15, 17, 19, 21, 23, 25, 27, 29]


@clause("IMH-G1", "IMH-G3")
def test_columns_beyond_the_printed_ones_count() -> None:
    s = position(burial="WKW" * 9 + "K", quarries=(5, 5))
    assert burial_points(s, K) == 15 + 2 * 4 + 1


@clause("IMH-G4", "IMH-G5", "IMH-G6")
def test_the_example_of_burial_b() -> None:
    """Known total 3."""
    s = position(4, burial="WKGWKGWKGNWGG", burial_side="B")
    assert [burial_points(s, p) for p in (W, K, N, G)] == [12, 8, 3, 11]


BURIAL_ROWS = {
    2: {"12": (8, 4), "11": (6, 6), "10": (8, 0)},
    3: {"123": (8, 4, 2), "112": (6, 6, 2), "122": (8, 3, 3), "111": (4, 4, 4), "110": (6, 6, 0)},
    4: {
        "1234": (8, 4, 2, 1),
        "1123": (6, 6, 2, 1),
        "1223": (8, 3, 3, 1),
        "1233": (8, 4, 1, 1),
        "1112": (4, 4, 4, 1),
        "1222": (8, 2, 2, 2),
        "1122": (6, 6, 1, 1),
        "1111": (3, 3, 3, 3),
    },
}


@clause("IMH-G4", "IMH-G5", "IMH-G6", "IMH-F6")
@pytest.mark.parametrize(("players", "pattern"), [(n, pattern) for n, rows in BURIAL_ROWS.items() for pattern in rows])
def test_places_in_a_row(players: int, pattern: str) -> None:
    """Known total 12: the same digit is a tie, 0 no stone. Each row by itself."""
    stones = [0 if place == "0" else int(max(pattern)) - int(place) + 1 for place in pattern]
    for row in range(3):
        s: Any = GAME.blank(players, {"burial_side": "B"})
        cells = list(range(row, components.BURIAL_ROOM, 3))
        if sum(stones) <= len(cells):
            owners = [1 + p for p, n in enumerate(stones) for _ in range(n)]
            for cell, owner in zip(cells, owners, strict=False):
                s.burial[cell] = owner
            assert tuple(burial_points(s, p) for p in range(players)) == BURIAL_ROWS[players][pattern]
        else:
            assert (row > 0, pattern) == (True, "1234")


@clause("IMH-F6")
@pytest.mark.parametrize(("players", "pattern"), [(n, pattern) for n, rows in BURIAL_ROWS.items() for pattern in rows])
def test_shares_of_places_in_a_row(players: int, pattern: str) -> None:
    for p, place in enumerate(pattern):
        if place != "0":
            ahead = sum(1 for other in pattern if other != "0" and other < place)
            share = place_points(components.BURIAL_PLACES[players - 2], ahead, pattern.count(place))
            assert share == BURIAL_ROWS[players][pattern][p]


# --- Obelisk ------------------------------------------------------------------------------------------------------

HEIGHTS = {
    2: {"12": (10, 1), "11": (5, 5), "10": (10, 0)},
    3: {"123": (12, 6, 1), "112": (9, 9, 1), "122": (12, 3, 3), "111": (6, 6, 6), "110": (9, 9, 0), "120": (12, 6, 0)},
    4: {
        "1234": (15, 10, 5, 1),
        "1123": (12, 12, 5, 1),
        "1223": (15, 7, 7, 1),
        "1233": (15, 10, 3, 3),
        "1112": (10, 10, 10, 1),
        "1222": (15, 5, 5, 5),
        "1122": (12, 12, 3, 3),
        "1111": (7, 7, 7, 7),
        "1100": (12, 12, 0, 0),
        "1110": (10, 10, 10, 0),
        "0000": (0, 0, 0, 0),
    },
}


@clause("IMH-O1")
def test_stones_of_side_a_are_stacked_by_colour() -> None:
    s = position(4, card="4322", ships="WKW", obelisk="KKG", sleds=(0,) * 4)
    play(s, "sail-a-obelisk")
    assert (s.obelisk, points(s), letters(s.erected)) == ([3, 2, 0, 1], [0] * 4, "")


@clause("IMH-O2", "IMH-F6")
@pytest.mark.parametrize(("players", "pattern"), [(n, pattern) for n, rows in HEIGHTS.items() for pattern in rows])
def test_places_of_the_obelisks(players: int, pattern: str) -> None:
    """Known total 11."""
    s: Any = GAME.blank(players)
    for p, place in enumerate(pattern):
        s.obelisk[p] = 6 - int(place) if place != "0" else 0
    assert tuple(height_points(s, p) for p in range(players)) == HEIGHTS[players][pattern]


@clause("IMH-O2")
def test_the_obelisk_example_of_side_a() -> None:
    """Known total 1."""
    s = position(4, obelisk="WWWWKKKGGG", sleds=(0,) * 4)
    assert [obelisk_points(s, p) for p in (W, K, G, N)] == [15, 7, 7, 0]


@clause("IMH-O3", "IMH-O4")
def test_the_obelisk_example_of_side_b() -> None:
    """Known total 6."""
    s = position(4, card="4322", ships="KWG", obelisk="NNNWW", obelisk_side="B", sleds=(0,) * 4)
    play(s, "sail-a-obelisk")
    assert (points(s), letters(s.erected), s.obelisk) == ([0, 9, 0, 0], "NW", [1, 3, 3, 1])


@clause("IMH-O4", "IMH-O5", "IMH-O6")
def test_obelisks_of_one_colour() -> None:
    """Known total 13: eight stones of one colour give 10 + 9 at once and 2 at the end."""
    for pay, at_once in (("at_once", 19), ("game_end", 0)):
        s = position(obelisk_side="B", obelisk_b_pay=pay, sleds=(0, 0))
        for _ in range(8):
            building.place(s, K, Site.OBELISK)
        assert (points(s), letters(s.erected)) == ([at_once, 0], "KK")
        assert at_once + obelisk_points(s, K) == 21
    s = position(obelisk_side="B", obelisk_b_pay="game_end", obelisk="KKKWWWKKKW", sleds=(0, 0))
    assert [obelisk_points(s, p) for p in (K, W)] == [18, 10]


@clause("IMH-O4")
def test_slots_are_shared_and_fall_by_one() -> None:
    assert [slot_points(slot) for slot in range(10)] == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert sum(slot_points(slot) for slot in range(8)) == 52
    s = position(2, obelisk_side="B", sleds=(0, 0))
    for p in (K, K, W, W, W, K):
        building.place(s, p, Site.OBELISK)
    assert (points(s), letters(s.erected)) == ([9, 10], "WK")


@clause("IMH-O5")
def test_beyond_the_last_slot_an_obelisk_gives_one_point() -> None:
    assert [slot_points(slot) for slot in (9, 10, 11)] == [1, 1, 1]
    s: Any = GAME.blank(2, {"obelisk_side": "B"})
    for _ in range(33):
        building.place(s, K, Site.OBELISK)
    assert (s.score[K], len(letters(s.erected))) == (55 + 1, 11)


@clause("IMH-O6")
def test_loose_stones_give_a_point_each_at_the_end() -> None:
    s = position(obelisk="KKKKWW", obelisk_side="B", sleds=(0, 0))
    assert [obelisk_points(s, p) for p in (K, W)] == [1, 2]
    assert final(s) == [1, 2]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_on_side_b_touch_every_site(players: int) -> None:
    seen = set()
    for before, _, _, after in random_games(2, players, seed=31, **ALL_B):
        seen.add(step(before))
        assert after.score[0] >= before.score[0]
    assert {"main", "offer", "pair", "pyramid", "bonus_stones", "bonus_load", "temple"} <= seen
