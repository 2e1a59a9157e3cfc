"""Maqha: the tray variant, with the figures of the rule specification."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from perankh.games.maqha.rules.components import NEIGHBOUR, OUT, Kind
from perankh.games.maqha.rules.piling import falls, open_drop, way_down
from perankh.testing import clause

from . import calibration
from .positions import GAME, banked, draws, laid_out, legal, new, order, play, step

COIN, ANKH, ANUBIS = Kind


def tray(**cells: tuple[int, int]) -> Any:
    """A tray with height and topmost kind of the named cells (c0, c1, ...)."""
    s = new(3, vessel="tray")
    for name, (height, kind) in cells.items():
        s.height[int(name[1:])], s.top[int(name[1:])] = height, kind + 1
    return s


def arrive(s: Any, kind: int, cell: int, *numbers: int) -> bool:
    """Place a token with the draws written out; has it fallen?"""
    with draws(*numbers):
        return falls(s, kind, cell)


def test_the_cells_and_their_neighbours() -> None:
    rows = {
        "north": [OUT, OUT, OUT, 0, 1, OUT, 2, 3, 4, 5, 7, 8],
        "east": [1, OUT, 3, 4, 5, OUT, 7, 8, 9, OUT, 11, OUT],
        "south": [3, 4, 6, 7, 8, 9, OUT, 10, 11, OUT, OUT, OUT],
        "west": [OUT, 0, OUT, 2, 3, 4, OUT, 6, 7, 8, OUT, 10],
    }
    for direction, row in enumerate(rows.values()):
        assert [NEIGHBOUR[cell][direction] for cell in range(12)] == row


@clause("MAQ-Y1")
def test_the_advanced_rules_hold_with_a_tray() -> None:
    s = laid_out("coin1 ankh1 anubis1 coin2 ankh2", vessel="tray")
    order(s, "345", "234", "123")
    play(s, "throw")
    assert step(s) == "cell"
    play(s, "cell5")
    assert (s.readings, s.wave, s.added) == (0, 0, 0)
    assert banked(s, 0) == ["coin1"]
    assert s.height[5] == 2
    for viewer in range(-1, 3):
        seen: Any = GAME.veiled(s, viewer)
        assert (seen.height, seen.top) == (s.height, s.top)
    s.height, s.top = [100] * 12, [3] * 12
    play(s, "throw")
    with draws(4, 10):
        play(s, "cell0")
    assert (GAME.ending(s), s.spiller, GAME.ranks(s)[0]) == ("spill", 0, 3)


@clause("MAQ-Y2")
def test_a_tray_starts_bare_and_the_outside_is_low() -> None:
    s = new(4, vessel="tray")
    assert (s.height, s.top) == ([0] * 12, [0] * 12)
    s = tray(c0=(6, ANUBIS), c1=(6, COIN), c3=(6, COIN))
    assert [open_drop(s, COIN, 0, direction, 9) for direction in range(4)] == [6, 0, 0, 6]


@clause("MAQ-Y3")
def test_the_thrower_chooses_kind_and_cell_token_by_token() -> None:
    s = laid_out("coin1 ankh2 anubis1 coin2 ankh1", vessel="tray")
    order(s, "125", "124", "123")  # nobody wins A and B; seat 0 wins all at C
    play(s, "throw")
    assert legal(s) == "coin ankh anubis"
    play(s, "ankh")
    assert legal(s) == " ".join(f"cell{cell}" for cell in range(12))
    play(s, "cell3")
    assert legal(s) == "coin ankh anubis"
    play(s, "coin cell5 anubis cell8")
    assert step(s) == "cell"  # one kind is left: no choice of kind
    play(s, "cell7")
    assert (s.top[3], s.top[5], s.top[8], s.top[7]) == (2, 1, 3, 2)
    assert banked(s, 0) == ["ankh2", "anubis1", "coin1"]


@clause("MAQ-Y4", "MAQ-Y5", "MAQ-Y6")
def test_the_arrivals_of_the_specification() -> None:
    s = tray()
    assert not arrive(s, ANUBIS, 0, 5)
    assert (s.height[0], s.top[0]) == (6, 3)
    assert not arrive(s, COIN, 0, 0, 13, 3)  # limit 4, all open: south to cell 3
    assert (s.height[0], s.height[3], s.top[3]) == (6, 2, 1)
    s = tray(c0=(2, COIN))
    assert not arrive(s, COIN, 0, 3)
    assert s.height[0] == 4
    assert not arrive(s, COIN, 0, 3, 4, 0)  # 4 + 3 > 6: x = 4 is east
    assert (s.height[0], s.height[1]) == (4, 2)
    assert arrive(tray(c0=(4, COIN)), COIN, 0, 3, 3)  # x = 3 is north: off the tray
    s = tray(c0=(2, COIN))
    assert not arrive(s, ANKH, 0, 0)
    assert (s.height[0], s.top[0]) == (5, ANKH + 1)  # what rests on top is what the next token meets


@clause("MAQ-Y4", "MAQ-Y6")
def test_a_direction_is_open_by_drop_and_sway() -> None:
    s = tray(c3=(3, ANKH), c0=(2, COIN))
    assert [open_drop(s, ANUBIS, 3, direction, 0) for direction in range(4)] == [0, 3, 3, 3]
    assert [open_drop(s, ANUBIS, 3, direction, 1) for direction in range(4)] == [0, 3, 3, 3]
    assert [open_drop(s, ANUBIS, 3, direction, 2) for direction in range(4)] == [1, 3, 3, 3]
    assert not arrive(s, ANUBIS, 3, 0, 8, 2)
    assert (s.height[2], s.top[2], s.height[3]) == (6, 3, 3)


@clause("MAQ-Y6")
def test_the_way_down_is_drawn_by_the_drops() -> None:
    s = tray(c0=(6, ANUBIS))  # the example: weights 6, 6, 6, 6
    ways = [way_down(s, COIN, 0, 0, x) for x in range(24)]
    assert ways == [0] * 6 + [1] * 6 + [2] * 6 + [3] * 6
    for x, fallen in ((5, True), (6, False), (17, False), (18, True)):
        assert arrive(tray(c0=(6, ANUBIS)), COIN, 0, 0, x, *([] if fallen else [0])) == fallen
    one = tray(c3=(7, COIN), c0=(7, COIN), c2=(7, COIN), c7=(7, COIN))
    with draws(0, 0, 0) as bounds:  # drawn also with one open direction
        assert not falls(one, COIN, 3)
    assert (bounds, one.height[4]) == ([4, 7, 4], 2)


@clause("MAQ-Y7")
def test_only_the_arriving_token_moves_and_each_topple_adds_two_to_its_sway() -> None:
    # From 3 (height 12) a coin slides to 4 (height 5): there drop 5 and sway 0 + 2 exceed the grip of 6.
    s = tray(c3=(12, COIN), c4=(5, COIN), c0=(12, COIN), c2=(12, COIN), c7=(12, COIN))
    before = s.height[:]
    with draws(0, 0, 0, 0, 0) as bounds:
        assert not falls(s, COIN, 3)
    assert bounds == [4, 7, 4, 15, 4]  # 5 each to north, east and south; west is higher
    assert s.height[1] == 2
    before[1] = 2
    assert s.height == before


@clause("MAQ-Y8")
def test_a_token_on_a_bare_cell_always_rests() -> None:
    for cell in range(12):
        for kind, sway in ((COIN, 3), (ANKH, 4), (ANUBIS, 5)):
            s = new(3, vessel="tray")
            s.height = [0 if c == cell else 50 for c in range(12)]
            assert not arrive(s, kind, cell, sway)
            assert s.top[cell] == kind + 1


@pytest.mark.parametrize(
    ("how", "games", "card", "sd"),
    [
        (calibration.RANDOM_CELL, 10_000, 6.4, 2.6),
        (calibration.LOWEST_CELL, 10_000, 10.9, 1.9),
        (calibration.SAFEST_CELL, 1_000, 12.7, 2.0),
        (calibration.PACKED_CELL, 1_000, 13.2, 1.8),
    ],
)
def test_when_a_token_falls(how: int, games: int, card: float, sd: float) -> None:
    cards, tokens = calibration.tray(how, games).T
    assert abs(cards.mean() - card) < 0.25
    assert abs(cards.std() - sd) < 0.2
    assert tokens.max() < 30


def test_the_risk_of_the_safest_cell() -> None:
    risks = np.zeros((31, 2))
    calibration.tray(calibration.SAFEST_CELL, 1_000, risks=risks)
    found = [100 * risks[n, 0] / risks[n, 1] for n in (12, 13, 15, 17, 19, 21)]
    for mean, measured in zip(found, (0, 1, 10, 22, 34, 53), strict=True):
        assert abs(mean - measured) < 5
