"""Sets of numbers below 63 as one number: bit i is member i.

For sets that a rule works out or passes on, and for small ones in a field `number` or `numbers`. The functions return a new set
and change nothing: `s.held[p] = masks.added(s.held[p], card)`. The empty set is 0, `|` unites two sets, `&` is what is in both,
and `& ~` what is in the first alone. Larger sets are fields `subset`, with the functions of `sets`.
"""

from __future__ import annotations

from perankh.engine import sets
from perankh.engine.rule import rule


@rule
def has(mask: int, i: int) -> bool:
    """Is i in the set?"""
    return (mask >> i) & 1 == 1


@rule
def added(mask: int, i: int) -> int:
    """The set with i."""
    return mask | 1 << i


@rule
def removed(mask: int, i: int) -> int:
    """The set without i."""
    return mask & ~(1 << i)


@rule
def all_below(size: int) -> int:
    """The set of all numbers below `size`."""
    return (1 << size) - 1


@rule
def count(mask: int) -> int:
    """How many numbers are in the set."""
    return sets.popcount(mask)


@rule
def first(mask: int) -> int:
    """The smallest number of a set that is not empty."""
    return sets.lowest(mask)


@rule
def rest(mask: int) -> int:
    """A set that is not empty, without its smallest number."""
    return mask & (mask - 1)


@rule
def nth(mask: int, n: int) -> int:
    """The number of the set that has n smaller ones before it; there must be one."""
    for _ in range(n):
        mask = rest(mask)
    return sets.lowest(mask)


@rule
def write(mask: int, base: int, out: list[int], n: int) -> int:
    """Write base + each number of the set into `out` from place n on, and return the place after the last."""
    while mask:
        out[n] = base + sets.lowest(mask)
        n += 1
        mask = rest(mask)
    return n
