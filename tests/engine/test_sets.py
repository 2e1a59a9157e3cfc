"""Sets as bits: they do what Python's sets do, interpreted and compiled."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from perankh.engine import masks, sets
from perankh.engine.chance import seed_chance
from perankh.engine.rule import Constants, Translation, rule
from perankh.engine.state import Record, subset, subsets

SIZE = 100
pytestmark = pytest.mark.xdist_group("connect_four")


class Cards(Record):
    deck: list[int] = subset(SIZE)
    hands: list[list[int]] = subsets(2, SIZE)


@rule
def everything(bits: Any, other: Any, third: Any, i: int, out: Any) -> None:
    """Ask a set everything, then change it."""
    out[0] = sets.count(bits)
    out[1] = sets.first(bits)
    out[2] = sets.after(bits, i)
    out[3] = sets.nth(bits, i % sets.count(bits)) if sets.count(bits) > 0 else -1
    out[4] = 1 if sets.has(bits, i) else 0
    out[5] = 1 if sets.includes(bits, other) else 0
    out[6] = 1 if sets.meets(bits, other) else 0
    out[7] = sets.count_common(bits, other)
    out[8] = 1 if sets.is_empty(bits) else 0
    n = sets.write(bits, out, 10)
    out[9] = sets.write_either(bits, other, third, out, n) - n
    sets.add(bits, i)
    sets.remove(bits, (i + 1) % 100)
    sets.unite(other, third)


@rule
def draw_all(s: Any, out: Any) -> None:
    """Take every card out of the deck, in random order."""
    n = sets.count(s.deck)
    out[n] = sets.pick(s, s.deck)
    for k in range(n):
        out[k] = sets.draw(s, s.deck)


def test_drawing_takes_every_member_once_and_the_same_at_both_speeds() -> None:
    state = Cards()
    cards = random.Random(4).sample(range(SIZE), 30)
    for card in cards:
        sets.add(state.deck, card)
    seed_chance(state, 1, 2, 3, 4, 0)
    record = state.pack()
    drawn, compiled = [0] * 31, np.zeros(31, np.int64)
    draw_all(state, drawn)
    Translation({}).entry(draw_all)(record, compiled)
    assert sorted(drawn[:30]) == sorted(cards) != drawn[:30]
    assert drawn[30] in cards
    assert sets.is_empty(state.deck)
    assert compiled.tolist() == drawn
    assert Cards.unpack(record) == state


def expected(bits: set[int], other: set[int], third: set[int], i: int) -> list[int]:
    members, either = sorted(bits), sorted((bits | other) - third)
    return [
        len(bits),
        min(bits, default=-1),
        min((n for n in bits if n > i), default=-1),
        members[i % len(bits)] if bits else -1,
        i in bits,
        other <= bits,
        bool(bits & other),
        len(bits & other),
        not bits,
        len(either),
        *members,
        *either,
    ]


def test_sets_do_what_pythons_sets_do_interpreted_and_compiled() -> None:
    compiled = Translation({}).entry(everything)
    chance = random.Random(4)
    for trial in range(300):
        share = chance.choice((0.0, 0.02, 0.5, 0.98, 1.0))
        plain = [{n for n in range(SIZE) if chance.random() < share} for _ in range(3)]
        if trial % 3 == 0:
            plain[1] = {n for n in plain[0] if chance.random() < 0.5}
        i = chance.randrange(SIZE)
        rows: list[list[int]] = [list(sets.bits_of(numbers, SIZE)) for numbers in plain]
        arrays = [np.array(row, np.uint32) for row in rows]
        answers: list[int] = [0] * 400
        array = np.zeros(400, np.int64)
        everything(*rows, i, answers)
        compiled(*arrays, i, array)
        want = expected(*plain, i)
        assert answers[: len(want)] == want
        assert array.tolist() == answers
        a, b, c = plain
        after = (a | {i}) - ({(i + 1) % 100})
        assert [set(sets.members(row)) for row in rows] == [after, b | c, c]
        assert [row.tolist() for row in arrays] == rows


def test_a_full_set_and_its_copies() -> None:
    for size in (1, 31, 32, 33, 100, 144):
        bits = [0] * sets.words_for(size)
        sets.fill(bits, size)
        assert sets.members(bits) == list(range(size))
        other = [7] * len(bits)
        sets.assign(other, bits)
        assert other == bits
        sets.clear(bits)
        assert sets.members(bits) == []


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="100 is not between 0 and 99"):
        sets.bits_of([3, 100], 100)
    assert isinstance(sets.bits_of([3], 100), Constants)


def test_sets_are_fields_of_a_record_and_shown_by_their_members() -> None:
    s = Cards()
    sets.add(s.deck, 99)
    sets.add(s.hands[1], 0)
    assert Cards.from_bytes(s.to_bytes()) == s
    assert "deck=[99]" in repr(s)
    assert s.shown("hands") == [[], [0]]
    twin = s.copy()
    sets.remove(twin.hands[1], 0)
    assert s.shown("hands") == [[], [0]]


@rule
def everything_of_a_number(mask: int, i: int, out: Any) -> int:
    """Ask a set in one number everything; return how many answers there are."""
    out[0] = 1 if masks.has(mask, i) else 0
    out[1] = masks.added(mask, i)
    out[2] = masks.removed(mask, i)
    out[3] = masks.all_below(i)
    out[4] = masks.count(mask)
    n = 5
    if mask != 0:
        out[5] = masks.first(mask)
        out[6] = masks.rest(mask)
        out[7] = masks.nth(mask, i % masks.count(mask))
        n = 8
    return masks.write(mask, 100, out, n)


def expected_of_a_number(members: set[int], i: int) -> list[int]:
    """What Python's sets say."""

    def number(numbers: set[int]) -> int:
        return sum(1 << member for member in numbers)

    found = [int(i in members), number(members | {i}), number(members - {i}), number(set(range(i))), len(members)]
    if members:
        ordered = sorted(members)
        found += [ordered[0], number(set(ordered[1:])), ordered[i % len(ordered)]]
    return found + [100 + member for member in sorted(members)]


def test_sets_in_one_number_do_what_sets_do_at_both_speeds() -> None:
    compiled = Translation({}).entry(everything_of_a_number)
    draw = random.Random(3)
    for size in (0, 1, 5, 62, 63):
        for _ in range(20):
            members, i = set(draw.sample(range(63), size)), draw.randrange(63)
            mask = sum(1 << member for member in members)
            for ask, out in ((everything_of_a_number, [0] * 80), (compiled, np.zeros(80, np.int64))):
                n = ask(mask, i, out)
                assert [int(answer) for answer in out[:n]] == expected_of_a_number(members, i)
