"""The chance generator: the published cipher, fair draws, the same at every speed, secret."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perankh.engine.api import Record, below, number, rule
from perankh.engine.chance import WORD, forget_chance, next_block, seed_chance, word
from perankh.engine.game import SEED_LIMIT, checked_seed, fresh_seed, seed_words
from perankh.engine.rule import Translation
from perankh.errors import BadOption

# The published test vectors of ChaCha with 8 rounds and a 128-bit key of zeros.
ZERO_KEY_BLOCK = (
    "e28a5fa4a67f8c5defed3e6fb7303486aa8427d31419a729572d777953491120"
    "b64ab8e72b8deb85cd6aea7cb6089a101824beeb08814a428aab1fa2c816081b"
)


class Dice(Record):
    result: int = number("i4")


def seeded(seed: int) -> Dice:
    s = Dice()
    seed_chance(s, *seed_words(seed), 0)
    return s


def test_the_generator_is_chacha8() -> None:
    s = seeded(0)
    next_block(s)
    assert b"".join(w.to_bytes(4, "little") for w in s.chance_pool).hex() == ZERO_KEY_BLOCK


def test_words_come_from_the_blocks_in_order_and_are_wiped() -> None:
    s = seeded(9)
    drawn = [word(s) for _ in range(40)]
    expected = []
    t = seeded(9)
    for _ in range(3):
        next_block(t)
        expected += t.chance_pool
    assert drawn == expected[:40]
    assert s.chance_block == 3
    assert s.chance_pool[:8] == [0] * 8  # 40 = 2 * 16 + 8
    assert all(s.chance_pool[8:])


@given(st.integers(0, SEED_LIMIT - 1), st.integers(0, 2**31 - 1))
def test_the_seed_of_a_later_game_is_the_sum(seed: int, index: int) -> None:
    s = Dice()
    seed_chance(s, *seed_words(seed), index)
    assert s.chance_key == list(seed_words((seed + index) % SEED_LIMIT))


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 100, 1000])
def test_draws_are_fair(n: int) -> None:
    s = seeded(n)
    draws = 3000 if n < 100 else 20 * n
    counts = Counter(below(s, n) for _ in range(draws))
    assert set(counts) <= set(range(n))
    expected = draws / n
    chi_square = sum((counts[k] - expected) ** 2 / expected for k in range(n))
    assert chi_square < n + 6 * (2 * n) ** 0.5 + 1


def test_words_that_would_favour_small_numbers_are_drawn_again() -> None:
    n = 3 * 2**29  # 2**32 mod n is large: a quarter of all words must be refused
    s = seeded(1)
    s.chance_used = 14
    s.chance_pool[14], s.chance_pool[15] = 0, 2**31 + 1
    assert below(s, n) == ((2**31 + 1) * n) >> 32
    assert s.chance_used == 16


def test_python_and_machine_code_draw_the_same() -> None:
    translation = Translation({})
    native_draws = translation.entry(hundred_draws)
    s = seeded(2**127 + 12345)
    record = np.zeros(1, Dice.dtype)
    s.pack(record[0])
    assert native_draws(record[0]) == hundred_draws(s)
    assert Dice.unpack(record[0]) == s


@rule
def hundred_draws(s: Record) -> int:
    total = 0
    for n in range(1, 101):
        total = (total * 31 + below(s, n)) & WORD
    return total


def test_nothing_of_the_generator_is_left_when_forgotten() -> None:
    s = seeded(77)
    word(s)
    forget_chance(s)
    assert s == Dice()


def test_seeds() -> None:
    assert checked_seed(7) == 7
    assert len({fresh_seed() for _ in range(100)}) == 100
    assert any(fresh_seed() >> 120 for _ in range(100))
    for bad in (-1, SEED_LIMIT, 1.5, True):
        with pytest.raises(BadOption, match="seed"):
            checked_seed(bad)  # type: ignore[arg-type]
