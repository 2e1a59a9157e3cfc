"""Features: what they promise, the entity form, and numbers written by the same functions at two speeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from perankh.engine.api import (
    Constants,
    Feature,
    add_bits,
    add_set,
    put,
    put_bits,
    put_digits,
    put_one_hot,
    put_row,
    put_set,
    rule,
    seat_after,
    seats_between,
)
from perankh.engine.game import Game, game_names, get_game
from perankh.engine.observation import Features
from perankh.engine.rule import Translation
from perankh.errors import BadGame

from ..conftest import CONNECT_FOUR

SMALL = Features(
    (
        Feature("cards.row", "cards in the row", (3,), axis="card"),
        Feature("cards.colour", "red or blue", (3, 2), axis="card"),
        Feature("seats.points", "points", (2,), low=-40, high=80, axis="seat"),
        Feature("turn.deck", "cards in the deck", high=5),
    )
)


def test_features_know_their_places_ranges_and_scales() -> None:
    assert SMALL.size == 12
    assert SMALL.places["seats.points"] == slice(9, 11)
    assert (SMALL.low[9], SMALL.high[9], SMALL.high[11]) == (-40, 80, 5)
    assert SMALL.scales[9:].tolist() == pytest.approx([1 / 80, 1 / 80, 1 / 5])
    assert (SMALL.low * SMALL.scales).min() >= -1
    assert (SMALL.high * SMALL.scales).max() == 1
    assert list(SMALL.rows())[1] == ("cards.colour", "3", "3 x 2", "0 to 1", "red or blue")


def test_an_observation_by_names_and_as_tokens() -> None:
    batch = np.arange(24, dtype=np.int8).reshape(2, 12)
    named = SMALL.named(batch)
    assert named["cards.colour"].shape == (2, 3, 2)
    assert named["turn.deck"].tolist() == [11, 23]
    tokens = SMALL.tokens(batch)
    assert {name: rows.shape for name, rows in tokens.items()} == {"card": (2, 3, 3), "seat": (2, 2, 1)}
    assert tokens["card"][0].tolist() == [[0, 3, 4], [1, 5, 6], [2, 7, 8]]
    assert SMALL.tokens(batch[0])["seat"].tolist() == [[9], [10]]


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ((Feature("row", "no group"),), "'row' needs a name of its own with a group"),
        ((Feature("a.b", "first"), Feature("a.b", "second")), "'a.b' needs a name of its own"),
        ((Feature("a.b", "too large", high=128),), "from 0 to 128 does not fit 8 bits"),
        ((Feature("a.b", "upside down", low=2, high=1),), "from 2 to 1 does not fit"),
    ],
)
def test_bad_features_are_refused(features: tuple[Feature, ...], message: str) -> None:
    with pytest.raises(BadGame, match=message):
        Features(features)


def test_tokens_of_one_kind_must_be_equally_many() -> None:
    features = Features((Feature("a.b", "three", (3,), axis="card"), Feature("a.c", "two", (2,), axis="card")))
    with pytest.raises(BadGame, match=r"axis card have different sizes: \[2, 3\]"):
        features.tokens(np.zeros(5, np.int8))


@pytest.mark.parametrize("name", [*game_names(), str(CONNECT_FOUR)])
def test_every_game_has_tokens_of_its_observations(name: str) -> None:
    game = get_game(name)
    state = game.new_state(game.players[0], 3)
    row = np.array(game.observation_of(state, 0))
    assert row.shape == (game.features.size,)
    for axis, tokens in game.features.tokens(row).items():
        features = game.features.axes[axis]
        assert tokens.shape == (features[0].shape[0], sum(feature.size // feature.shape[0] for feature in features))


def test_observe_without_features_is_refused(altered: Callable[..., Game]) -> None:
    game = altered(rules_py=("FEATURES = (", "OTHERS = ("))
    with pytest.raises(BadGame, match="rules has observe and no FEATURES"):
        game.features  # noqa: B018


def test_a_game_without_observe_shows_every_field(altered: Callable[..., Game]) -> None:
    game = altered(rules_py=("def observe(", "def look("))
    state = game.new_state(2, 1)
    game.apply(state, 0, 3)
    named = game.features.named(np.array(game.observation_of(state, 1)))
    assert named["table.seat"] == 1
    assert named["record.height"].tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert named["record.stones"].shape == (2, 10)


# --- The functions that write ---------------------------------------------------------------------------------------


WORDS = Constants((0x80000001, 0xFFFFFFFF, 0b101101))
SIZES = (1, 7, 31, 32, 33, 64, 70)


@rule
def write_all(numbers: Any, out: Any) -> int:
    """Write with every function, sets in several sizes."""
    i = put(out, 0, numbers[0])
    i = put_one_hot(out, i, numbers[1], 5)
    i = put_one_hot(out, i, -1, 5)
    i = put_one_hot(out, i, 5, 5)
    i = put_row(out, i, numbers, 4)
    i = put_digits(out, i, numbers[2], 3)
    i = put_digits(out, i, numbers[3], 2)
    i = put_bits(out, i, numbers[2], 13)
    for size in SIZES:
        put_set(out, i, WORDS, size)
        i = add_set(out, i, WORDS, size, -3)
        i = put_set(out, i, WORDS, size)
    put_bits(out, i, numbers[3], 20)
    add_bits(out, i, numbers[2], 20, 5)
    return add_bits(out, i, numbers[0], 20, -2)


NUMBERS = (9, 3, 20_000, -200)


def interpreted() -> list[int]:
    """What is written in plain Python."""
    out = [77] * 1000
    return out[: write_all(NUMBERS, out)]


def test_the_functions_write_what_they_say() -> None:
    out = interpreted()
    assert out[:16] == [9, 0, 0, 0, 1, 0, *[0] * 10]
    assert out[20:25] == [1, 28, 32, -2, 56]  # 128 * 128 + 28 * 128 + 32; -2 * 128 + 56
    assert out[25:38] == [20_000 >> k & 1 for k in range(13)]
    first = 38
    assert out[first : first + 2] == [-2, 1]  # the set with -3 for members added, then the set alone
    assert out[-20:] == [(-200 >> k & 1) + 5 * (20_000 >> k & 1) - 2 * (9 >> k & 1) for k in range(20)]
    assert len(out) == 38 + 2 * sum(SIZES) + 20


def test_machine_code_writes_the_same_into_rows_of_any_kind() -> None:
    expected = interpreted()
    compiled = Translation({}).entry(write_all)
    for kind, stride in ((np.int8, 1), (np.int16, 1), (np.int8, 2)):
        room = np.full(stride * (len(expected) + 40), 77, kind)
        out = room[::stride]
        numbers = np.array(NUMBERS, np.int64)
        assert compiled(numbers, out) == len(expected)
        written = np.array(expected, np.int64).astype(kind)
        assert out[: len(expected)].tolist() == written.tolist()
        assert set(out[len(expected) :].tolist()) == {77}
        assert stride == 1 or set(room[1::2].tolist()) == {77}


class Seats:
    """A table with some players."""

    def __init__(self, players: int) -> None:
        self.players = players


def test_seats_are_counted_from_the_own_one() -> None:
    assert [seat_after(Seats(3), 2, k) for k in range(4)] == [2, 0, 1, 3]
    assert [seat_after(Seats(2), 1, k) for k in range(4)] == [1, 0, 2, 3]
    assert [seats_between(Seats(3), 2, q) for q in range(3)] == [1, 2, 0]
