"""Observations: a game lists the features that learners see, and `observe` writes them, in that order::

    FEATURES = (
        Feature("cards.row", "cards that lie in the row", (CARDS,), axis="card"),
        Feature("turn.deck", "cards left in the deck", high=CARDS),
        Feature("turn.step", "the decision that is due", (len(Step),)),
    )

    @rule
    def observe(s: State, p: int, out: list[int]) -> int:
        i = put_set(out, 0, s.row, CARDS)
        i = put(out, i, s.deck)
        return put_one_hot(out, i, s.step, len(Step))

Each of these functions writes features from place `i` on and returns the place after the last one. Features fit 8 bits; a larger
number is written in digits (`put_digits`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from perankh.engine import bits, sets
from perankh.engine.rule import rule
from perankh.errors import BadGame

LOWEST, HIGHEST = -128, 127  # what a feature may hold


@dataclass(frozen=True)
class Feature:
    """Some numbers of an observation that belong together."""

    name: str  # with its group: "cards.row"
    meaning: str
    shape: tuple[int, ...] = ()  # empty: a single number
    low: int = 0  # the lowest and the highest value
    high: int = 1
    axis: str = ""  # what the first size of the shape counts: cards, tiles, seats from the own one on

    @property
    def group(self) -> str:
        """The part of the name before the dot."""
        return self.name.partition(".")[0]

    @property
    def size(self) -> int:
        """How many numbers these are."""
        return prod(self.shape)

    @property
    def scale(self) -> float:
        """What a number is multiplied by to lie between -1 and 1."""
        return 1 / max(abs(self.low), abs(self.high), 1)


class Features(Sequence[Feature]):
    """The features of a game, in the order in which they are written."""

    def __init__(self, features: Sequence[Feature]) -> None:
        self.all = tuple(features)
        self.places: dict[str, slice] = {}
        at = 0
        for feature in self.all:
            if feature.name in self.places or not feature.group or feature.name == feature.group:
                raise BadGame(f"the feature {feature.name!r} needs a name of its own with a group before it: group.name")
            if not LOWEST <= feature.low <= feature.high <= HIGHEST:
                raise BadGame(f"the feature {feature.name} from {feature.low} to {feature.high} does not fit 8 bits")
            self.places[feature.name] = slice(at, at + feature.size)
            at += feature.size
        self.size = at

    def __getitem__(self, index: Any) -> Any:
        return self.all[index]

    def __len__(self) -> int:
        return len(self.all)

    @cached_property
    def low(self) -> Any:
        """The lowest value of every number."""
        return np.concatenate([np.full(feature.size, feature.low, np.int8) for feature in self.all])

    @cached_property
    def high(self) -> Any:
        """The highest value of every number."""
        return np.concatenate([np.full(feature.size, feature.high, np.int8) for feature in self.all])

    @cached_property
    def scales(self) -> Any:
        """What every number is multiplied by to lie between -1 and 1."""
        return np.concatenate([np.full(feature.size, feature.scale, np.float32) for feature in self.all])

    def named(self, observation: Any) -> dict[str, Any]:
        """Observations (of any leading shape) by the names of the features, each in its shape."""
        return {f.name: observation[..., self.places[f.name]].reshape((*observation.shape[:-1], *f.shape)) for f in self.all}

    @cached_property
    def axes(self) -> Mapping[str, tuple[Feature, ...]]:
        """The features that speak of the same things, by what these are: cards, tiles, seats."""
        names = dict.fromkeys(feature.axis for feature in self.all if feature.axis)
        return {name: tuple(feature for feature in self.all if feature.axis == name) for name in names}

    def tokens(self, observation: Any) -> dict[str, Any]:
        """The entity form: for each axis an array (..., things, numbers of each thing)."""
        return {name: observation[..., columns] for name, columns in self.token_columns.items()}

    @cached_property
    def token_columns(self) -> Mapping[str, Any]:
        """For each axis, where in the observation the numbers of each thing stand."""
        found = {}
        for name, features in self.axes.items():
            counts = {feature.shape[0] for feature in features}
            if len(counts) > 1:
                raise BadGame(f"features of the axis {name} have different sizes: {sorted(counts)}")
            columns = [
                np.arange(p.start, p.stop).reshape(counts.copy().pop(), -1) for p in (self.places[f.name] for f in features)
            ]
            found[name] = np.concatenate(columns, axis=1)
        return found

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Name, place, shape, range and meaning of every feature, for documents."""
        for feature in self.all:
            place = self.places[feature.name]
            shape = " x ".join(map(str, feature.shape)) or "1"
            yield feature.name, f"{place.start}", shape, f"{feature.low} to {feature.high}", feature.meaning


@rule
def put(out: Any, i: int, value: int) -> int:
    """One number; a truth value counts as 0 or 1."""
    out[i] = value
    return i + 1


@rule(native=bits.put_one_hot)
def put_one_hot(out: Any, i: int, value: int, size: int) -> int:
    """`size` features of which number `value` is 1 and the others 0; all 0 if `value` is out of range."""
    for k in range(size):
        out[i + k] = 1 if k == value else 0
    return i + size


@rule
def put_row(out: Any, i: int, row: Any, size: int) -> int:
    """The first `size` numbers of a row."""
    for k in range(size):
        out[i + k] = row[k]
    return i + size


@rule(native=bits.put_word)
def put_word(out: Any, i: int, word: int, size: int) -> int:
    """The lowest `size` bits of a number, at most 32, as features, the lowest first."""
    for k in range(size):
        out[i + k] = (word >> k) & 1
    return i + size


@rule
def put_bits(out: Any, i: int, word: int, size: int) -> int:
    """The lowest `size` bits of a number, at most 63, as features, the lowest first."""
    if size > 32:
        put_word(out, i, word, 32)
        put_word(out, i + 32, word >> 32, size - 32)
    else:
        put_word(out, i, word, size)
    return i + size


@rule(native=bits.add_bits)
def add_bits(out: Any, i: int, word: int, size: int, value: int) -> int:
    """Add `value` to those of `size` features, at most 32, whose bit of a number is 1."""
    left = word & ((1 << size) - 1)
    while left:
        out[i + sets.lowest(left)] += value
        left &= left - 1
    return i + size


@rule
def put_set(out: Any, i: int, bits: Any, size: int) -> int:
    """A set as `size` features, each 1 if its number is in the set."""
    for k in range(size >> 5):
        put_bits(out, i + 32 * k, bits[k], 32)
    if size & 31:
        put_bits(out, i + 32 * (size >> 5), bits[size >> 5], size & 31)
    return i + size


@rule
def add_set(out: Any, i: int, bits: Any, size: int, value: int) -> int:
    """Add `value` to those of `size` features whose number is in the set."""
    for k in range(size >> 5):
        add_bits(out, i + 32 * k, bits[k], 32, value)
    if size & 31:
        add_bits(out, i + 32 * (size >> 5), bits[size >> 5], size & 31, value)
    return i + size


@rule
def put_digits(out: Any, i: int, value: int, digits: int) -> int:
    """A number in so many digits from 0 to 127, the highest first; that one is negative if the number is."""
    for k in range(digits):
        out[i + digits - 1 - k] = value & 127 if k < digits - 1 else value
        value >>= 7
    return i + digits


@rule
def seat_after(s: Any, p: int, k: int) -> int:
    """The seat k places after p; with fewer players than that, seat k, where nobody sits and nothing lies."""
    q = p + k if p + k < s.players else p + k - s.players
    return q if k < s.players else k


@rule
def seats_between(s: Any, p: int, q: int) -> int:
    """How many places after p the seat q is; -1 if q is -1, no seat."""
    if q < 0:
        return -1
    return q - p if q >= p else q - p + s.players


DIGITS_OF = {"i1": 1, "i2": 3, "i4": 5, "u4": 5, "i8": 10}  # how many digits hold any number of a kind


def all_fields(state: Any) -> tuple[tuple[Feature, ...], Any]:
    """The default features of a game and the function that writes them: the viewer's seat and every field of the record."""
    features = [Feature("table.seat", "the seat that looks", high=3), Feature("table.players", "players at the table", high=4)]
    lines = ["def observe(s, p, out):", "    i = put(out, 0, p)", "    i = put(out, i, s.players)"]
    for name, field in state.fields.items():
        if name == "players" or name.startswith("chance_"):
            continue
        digits = DIGITS_OF[field.kind]
        sizes = field.shape[:-1] if field.members else field.shape
        indent, path = "    ", f"s.{name}"
        for depth, size in enumerate(sizes):
            lines.append(f"{indent}for k{depth} in range({size}):")
            indent, path = indent + "    ", f"{path}[k{depth}]"
        if field.members:
            features.append(Feature(f"record.{name}", f"the field {name}", (*sizes, field.members)))
            lines.append(f"{indent}i = put_set(out, i, {path}, {field.members})")
        elif digits == 1:
            features.append(Feature(f"record.{name}", f"the field {name}", sizes, LOWEST, HIGHEST))
            lines.append(f"{indent}i = put(out, i, {path})")
        else:
            features.append(Feature(f"record.{name}", f"the field {name} in digits", (*sizes, digits), LOWEST, HIGHEST))
            lines.append(f"{indent}i = put_digits(out, i, {path}, {digits})")
    namespace: dict[str, Any] = {"__name__": __name__, "put": put, "put_set": put_set, "put_digits": put_digits}
    exec("\n".join([*lines, "    return i"]), namespace)
    return tuple(features), rule(namespace["observe"])
