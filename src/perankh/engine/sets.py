"""Sets of small numbers (cards, cells, tiles) kept as bits, 32 to a word.

A field declared with `subset(100)` holds any of the numbers 0 to 99; `subsets(4, 100)` holds four such sets, one a seat for
example. Interpreted, a set is a list of words; compiled, an array. Rules use the functions here and never see the words::

    if has(s.hand[p], card):
        remove(s.hand[p], card)
        add(s.wall, card)

Questions about whole sets go through all words: compiled, an early exit that the processor cannot foresee costs more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from perankh.engine.chance import below
from perankh.engine.rule import Constants, rule

WORD_BITS = 32
WORD = 0xFFFFFFFF  # `bits[k] & WORD` is a signed 64-bit number when compiled; two unsigned words alone would stay unsigned


def words_for(size: int) -> int:
    """How many words hold a set of numbers below `size`."""
    return -(-size // WORD_BITS)


def bits_of(numbers: Iterable[int], size: int) -> Constants:
    """A constant set as a table, for the set functions; numbers beyond `size` raise."""
    words = [0] * words_for(size)
    for number in numbers:
        if not 0 <= number < size:
            raise ValueError(f"{number} is not between 0 and {size - 1}")
        words[number // WORD_BITS] |= 1 << number % WORD_BITS
    return Constants(words)


def members(bits: Any) -> list[int]:
    """The numbers in a set, ascending. For texts, drawings and tests: rules go through a set with `first` and `after`."""
    found = []
    for k, word in enumerate(bits):
        while word:
            found.append(WORD_BITS * k + (word & -word).bit_length() - 1)
            word &= word - 1
    return found


@intrinsic
def _popcount(typingctx: Any, word: Any) -> Any:
    """The number of ones in a word, as one machine instruction."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def _lowest(typingctx: Any, word: Any) -> Any:
    """The place of the lowest one in a word that is not 0, as one machine instruction."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@rule(native=_popcount)
def popcount(word: int) -> int:
    """The number of ones in a word."""
    return word.bit_count()


@rule(native=_lowest)
def lowest(word: int) -> int:
    """The place of the lowest one in a word that is not 0."""
    return (word & -word).bit_length() - 1


@rule
def has(bits: Any, i: int) -> bool:
    """Is i in the set?"""
    return bool(((bits[i >> 5] & WORD) >> (i & 31)) & 1)


@rule
def add(bits: Any, i: int) -> None:
    """Put i into the set, in place."""
    bits[i >> 5] = bits[i >> 5] & WORD | 1 << (i & 31)


@rule
def remove(bits: Any, i: int) -> None:
    """Take i out of the set, in place; nothing happens if it is not there."""
    bits[i >> 5] = bits[i >> 5] & WORD & ~(1 << (i & 31))


@rule
def clear(bits: Any) -> None:
    """Empty the set, in place."""
    for k in range(len(bits)):
        bits[k] = 0


@rule
def fill(bits: Any, size: int) -> None:
    """Make it the set of all numbers below `size`, in place."""
    for k in range(len(bits)):
        left = size - 32 * k
        bits[k] = 0xFFFFFFFF if left >= 32 else (1 << left) - 1 if left > 0 else 0


@rule
def assign(bits: Any, other: Any) -> None:
    """Make it a copy of another set of the same size, in place."""
    for k in range(len(bits)):
        bits[k] = other[k]


@rule
def unite(bits: Any, other: Any) -> None:
    """Put all members of another set into the set, in place."""
    for k in range(len(bits)):
        bits[k] |= other[k]


@rule
def count(bits: Any) -> int:
    """How many numbers are in the set."""
    n = 0
    for k in range(len(bits)):
        n += popcount(bits[k] & WORD)
    return n


@rule
def count_common(bits: Any, other: Any) -> int:
    """How many numbers are in both sets."""
    n = 0
    for k in range(len(bits)):
        n += popcount(bits[k] & other[k] & WORD)
    return n


@rule
def is_empty(bits: Any) -> bool:
    """Is nothing in the set?"""
    word = 0
    for k in range(len(bits)):
        word |= bits[k] & WORD
    return word == 0


@rule
def includes(bits: Any, other: Any) -> bool:
    """Are all members of another set in the set?"""
    lacking = 0
    for k in range(len(bits)):
        lacking |= other[k] & WORD & ~(bits[k] & WORD)
    return lacking == 0


@rule
def meets(bits: Any, other: Any) -> bool:
    """Is any number in both sets?"""
    common = 0
    for k in range(len(bits)):
        common |= other[k] & bits[k] & WORD
    return common != 0


@rule
def first(bits: Any) -> int:
    """The smallest number in the set, -1 if it is empty."""
    for k in range(len(bits)):
        if bits[k] != 0:
            return 32 * k + lowest(bits[k] & WORD)
    return -1


@rule
def after(bits: Any, i: int) -> int:
    """The smallest number in the set that is larger than i, -1 if there is none."""
    k = (i + 1) >> 5
    if k >= len(bits):
        return -1
    word = ((bits[k] & WORD) >> ((i + 1) & 31)) << ((i + 1) & 31)
    while word == 0:
        k += 1
        if k == len(bits):
            return -1
        word = bits[k] & WORD
    return 32 * k + lowest(word)


@rule
def nth(bits: Any, n: int) -> int:
    """The number in the set that has n smaller ones before it; there must be one."""
    k = 0
    skipped = 0
    passed = 0
    for i in range(len(bits) - 1):
        passed += popcount(bits[i] & WORD)
        if passed <= n:
            k = i + 1
            skipped = passed
    word = bits[k] & WORD
    left = n - skipped
    place = 32 * k
    width = 16
    while width > 0:  # is it in the lower or the upper half of what is left?
        here = popcount(word & ((1 << width) - 1))
        if left >= here:
            left -= here
            word >>= width
            place += width
        width >>= 1
    return place


@rule
def pick(s: Any, bits: Any) -> int:
    """A random member of a set that is not empty, each equally likely; `s` is the state, for its chance."""
    return nth(bits, below(s, count(bits)))


@rule
def draw(s: Any, bits: Any) -> int:
    """Take a random member out of a set that is not empty, in place."""
    i = pick(s, bits)
    remove(bits, i)
    return i


@rule
def write(bits: Any, out: Any, n: int) -> int:
    """Write the members, ascending, into `out` from place n on, and return the place after the last."""
    for k in range(len(bits)):
        word = bits[k] & WORD
        while word != 0:
            out[n] = 32 * k + lowest(word)
            n += 1
            word &= word - 1
    return n


@rule
def write_either(bits: Any, other: Any, without: Any, out: Any, n: int) -> int:
    """Write the numbers that are in either of two sets and not in a third, ascending, like `write`."""
    for k in range(len(bits)):
        word = (bits[k] & WORD | other[k] & WORD) & ~(without[k] & WORD)
        while word != 0:
            out[n] = 32 * k + lowest(word)
            n += 1
            word &= word - 1
    return n


@rule
def number(bits: Any) -> int:
    """A set of numbers below 32 as one number, bit i for member i, as events carry it."""
    return int(bits[0])
