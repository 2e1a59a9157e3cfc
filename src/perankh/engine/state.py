"""State records: one class a game, usable as a plain Python object and as a NumPy record.

A game lists its facts as annotated fields::

    class State(Record):
        turn: int = number("i1")           # seat on turn, 0 to players - 1
        marker: list[int] = numbers("i2", 4)   # a number for each seat
        row: list[int] = subset(100)           # a set of cards, as bits (see `sets`)
        mode: int = option(Mode)               # an option, set before the deal: a member of an IntEnum

An instance is used by interpreted rules. It has plain ints and (nested) lists, and no NumPy types.
`State.dtype` is the same record for the compiled rules; `pack` and `unpack` convert between the two.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from operator import attrgetter
from typing import Any, ClassVar, Self

import numpy as np

from perankh.engine.sets import members, words_for
from perankh.errors import BadGame, BadOption

# Signed kinds: Numba makes floats of sums of signed and unsigned 64-bit words. Unsigned 32-bit words are safe (sets, chance).
KINDS = ("i1", "i2", "i4", "i8", "u4")
CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u4": "I"}  # of the module struct


@dataclass(frozen=True)
class Field:
    """One field of the record: its integer kind, its shape (empty: a single number), and whether it is a set or an option."""

    kind: str
    shape: tuple[int, ...] = ()
    option: Option | None = None
    members: int = 0  # of a set: the numbers below this may be in it

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise TypeError(f"field kind {self.kind!r} is not one of {', '.join(KINDS)}")
        if len(self.shape) > 2:
            raise TypeError("a field has at most two dimensions")

    def empty(self) -> Any:
        if not self.shape:
            return 0
        if len(self.shape) == 1:
            return [0] * self.shape[0]
        return [[0] * self.shape[1] for _ in range(self.shape[0])]


def number(kind: str) -> Any:
    """A single integer of a NumPy kind such as "i1" or "i4"."""
    return Field(kind)


def numbers(kind: str, *shape: int) -> Any:
    """A row (one size) or a grid (two sizes) of integers."""
    return Field(kind, shape)


def subset(size: int) -> Any:
    """A set of numbers below `size`."""
    return Field("u4", (words_for(size),), members=size)


def subsets(count: int, size: int) -> Any:
    """A row of sets of numbers below `size`, one a seat for example."""
    return Field("u4", (count, words_for(size)), members=size)


# --- Options: fields with a name, a default and a validation -----------------------------------------------


@dataclass(frozen=True)
class Option:
    """The values that an option field accepts. `values` are the words or numbers that people choose from."""

    kind: str  # "choice", "flag", "whole" or "seat"
    default: Any
    values: tuple[Any, ...] = ()
    low: int = 0
    high: int = 0
    per: int = 1  # so many of a number make one of the unit in which people read it

    def stored(self, name: str, value: Any, players: int) -> int:
        """The integer that stands in the record for `value`; BadOption if the option does not take it."""
        text = str(value).strip().lower()
        if self.kind == "flag":
            for words, number_ in ((("true", "yes", "on", "1"), 1), (("false", "no", "off", "0"), 0)):
                if text in words:
                    return number_
            raise BadOption(f"option {name}: {value!r} is not true or false")
        if self.kind == "choice":
            for index, word in enumerate(self.values):
                if text == str(word).lower():
                    return index
            raise BadOption(f"option {name}: {value!r} is not one of {', '.join(map(str, self.values))}")
        if self.kind == "seat" and text == "random":
            return -1
        try:
            whole_number = int(text)
        except ValueError:
            wanted = f"random or a seat from 0 to {players - 1}" if self.kind == "seat" else "a whole number"
            raise BadOption(f"option {name}: {value!r} is not {wanted}") from None
        low, high = (0, players - 1) if self.kind == "seat" else (self.low, self.high)
        if not low <= whole_number <= high:
            raise BadOption(f"option {name}: {whole_number} is not between {low} and {high}")
        return whole_number

    def shown(self, stored: int) -> Any:
        """The value as a person writes it."""
        if self.kind == "flag":
            return bool(stored)
        if self.kind == "choice":
            return self.values[stored]
        if self.kind == "seat":
            return "random" if stored < 0 else stored
        return stored

    def in_units(self, number_: int) -> str:
        """A number as people read it, in the unit of the option."""
        return f"{number_ / self.per:g}"

    def samples(self, players: int) -> tuple[Any, ...]:
        """Values that exercise the option in checks: all of them, or the default and the bounds given."""
        if self.kind == "flag":
            return (True, False)
        if self.kind == "choice":
            return self.values
        if self.kind == "seat":
            return ("random", *range(players))
        return self.values or (self.default,)


def choice(*values: str) -> Any:
    """An option with named values; the first is the default. Stored as the index of the value."""
    return Field("i1", (), Option("choice", values[0], values))


def names_of(kind: type[IntEnum]) -> tuple[str, ...]:
    """The names of the members of an enumeration, in lower case, as files write them."""
    return tuple(member.name.lower() for member in kind)


def option(kind: type[IntEnum]) -> Any:
    """An option whose values are the members of an enumeration; the first is the default."""
    if [int(member) for member in kind] != list(range(len(kind))):
        raise TypeError(f"the members of {kind.__name__} are not numbered from 0 on")
    return choice(*names_of(kind))


def flag(default: bool) -> Any:
    """A yes-or-no option, stored as 1 or 0."""
    return Field("i1", (), Option("flag", default))


def whole(default: int, low: int, high: int, samples: tuple[int, ...] = (), per: int = 1) -> Any:
    """A whole-number option; `samples` are the values that checks try, and `per` make one of the unit in which people read it."""
    if isinstance(per, bool) or not isinstance(per, int) or per < 1:
        raise BadGame(f"an option of whole numbers cannot have {per!r} of them to a unit, only 1 or more")
    return Field("i4", (), Option("whole", default, samples, low, high, per))


def seat() -> Any:
    """An option naming a seat; "random" (stored as -1) is the default."""
    return Field("i1", (), Option("seat", "random"))


def row_layout(dtype: Any, fields: dict[str, Field]) -> tuple[struct.Struct, dict[str, tuple[int, tuple[int, ...]]]]:
    """How the bytes of a record are made from its numbers in a row, and where in the row each field begins."""
    codes, places, at, count = ["<"], {}, 0, 0
    for name, field in fields.items():
        kind, offset = dtype.fields[name]
        size = math.prod(field.shape)
        codes += [f"{offset - at}x", f"{size}{CODES[field.kind]}"]
        places[name] = (count, field.shape)
        at, count = offset + kind.itemsize, count + size
    return struct.Struct("".join([*codes, f"{dtype.itemsize - at}x"])), places


# --- The record ----------------------------------------------------------------------------------------------


def written_out(cls: type[Record]) -> dict[str, Any]:
    """Functions of a class of records that go through all fields, one line a field: they run for every move and every view.

    `copy` makes a copy of a state, `in_a_row` the list of its numbers, and `fill` sets its fields from such a list.
    """
    copy, row, fill = [], [], []
    for name, (start, shape) in cls.places.items():
        wide, many = math.prod(shape[1:]), range(shape[0]) if shape else ()
        rows = ", ".join(f"n[{start + wide * k}:{start + wide * (k + 1)}]" for k in many)
        value, end = f"self.{name}", start + math.prod(shape)
        copied = (value, f"{value}[:]", f"[row[:] for row in {value}]")[len(shape)]
        taken = (f"n[{start}]", f"n[{start}:{end}]", f"[{rows}]")[len(shape)]
        copy.append(f" twin.{name} = {copied}")
        row.append((value, f"*{value}", ", ".join(f"*{value}[{k}]" for k in many))[len(shape)])
        fill.append(f" {value} = {taken}")
    source = ["def copy(self):", " twin = new(cls)", " twin.events = twin.flat = None", *copy, " return twin"]
    source += ["def in_a_row(self):", f" return [{', '.join(row)}]", "def fill(self, n):", *fill]
    namespace: dict[str, Any] = {"new": object.__new__, "cls": cls}
    exec("\n".join(source), namespace)
    return namespace


class RecordType(type):
    """Makes slots of the fields of a record, so that a state has no attribute that is not one of them."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> RecordType:
        own = {key: value for key, value in namespace.items() if isinstance(value, Field)}
        rest = {key: value for key, value in namespace.items() if key not in own}
        rest["__slots__"] = (*own, *(() if bases else ("events", "flat")))
        inherited = {key: value for base in bases for key, value in getattr(base, "fields", {}).items()}
        rest["fields"] = inherited | own
        if taken := [key for key in own if key not in inherited and any(hasattr(base, key) for base in bases)]:
            raise BadGame(f"{name}: a field cannot be called {taken[0]}, which every record has already")
        return super().__new__(mcs, name, bases, rest)


class Record(metaclass=RecordType):
    """Base of every game's State. Its own fields belong to the engine.

    `events` is no part of the state: while it is a list, `tell` adds to it what happens. Nor is `flat`: all numbers in a row, for
    states that will not be changed any more and are drawn for many viewers.
    """

    events: list[Any] | None
    flat: tuple[int, ...] | None

    players: int = number("i1")  # seats at the table, filled before setup
    chance_key: list[int] = numbers("u4", 4)  # the seed; secret, erased by veil
    chance_block: int = number("u4")  # blocks of chance made so far
    chance_used: int = number("i1")  # words of the current block already drawn
    chance_pool: list[int] = numbers("u4", 16)  # the current block

    fields: ClassVar[dict[str, Field]]
    options: ClassVar[dict[str, Option]] = {}
    dtype: ClassVar[Any]
    layout: ClassVar[struct.Struct]  # the same, for numbers in a row
    all_values: ClassVar[Any]  # a function: the values of all fields of a state
    places: ClassVar[dict[str, tuple[int, tuple[int, ...]]]]  # by field: where its numbers begin in the row, and its shape
    in_a_row: ClassVar[Callable[[Any], list[int]]]  # the numbers of the fields of a state
    fill: ClassVar[Callable[[Any, list[int]], None]]  # sets them from such numbers

    def __init_subclass__(cls) -> None:
        cls.options = {name: field.option for name, field in cls.fields.items() if field.option}
        columns = [(name, "<" + f.kind, f.shape) if f.shape else (name, "<" + f.kind) for name, f in cls.fields.items()]
        # CUDA refuses nested arrays in a record that is not aligned.
        cls.dtype = np.dtype(columns, align=True)
        cls.layout, cls.places = row_layout(cls.dtype, cls.fields)
        cls.all_values = attrgetter(*cls.fields)
        made = written_out(cls)
        cls.copy, cls.in_a_row, cls.fill = made["copy"], made["in_a_row"], made["fill"]  # type: ignore[method-assign]

    def __init__(self) -> None:
        self.events = self.flat = None
        for name, field in self.fields.items():
            setattr(self, name, field.empty())

    def copy(self) -> Self:
        """A copy that shares nothing with this state."""
        raise NotImplementedError  # every subclass has its own, made by `written_out`

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and bool(self.all_values(self) == self.all_values(other))

    __hash__ = None  # type: ignore[assignment]

    def items(self) -> Iterator[tuple[str, Any]]:
        """Field names and values, in the order of the record."""
        return zip(self.fields, self.all_values(self), strict=True)

    def pack(self, into: Any = None) -> Any:
        """Write the state into a NumPy record (a new array of one if none is given). Out-of-range values raise."""
        record = np.zeros(1, self.dtype)[0] if into is None else into
        for name, value in self.items():
            try:
                record[name] = value
            except (OverflowError, TypeError, ValueError):
                raise BadGame(f"the field {name} ({self.dtype[name].base}) cannot hold {value!r}") from None
        return record

    @classmethod
    def unpack(cls, record: Any) -> Self:
        """The plain state with the values of a NumPy record."""
        state = object.__new__(cls)
        state.events = state.flat = None
        for name in cls.fields:
            setattr(state, name, record[name].tolist())
        return state

    def to_bytes(self) -> bytes:
        """The record's bytes, for files and other processes."""
        try:
            return self.layout.pack(*self.in_a_row())
        except (struct.error, IndexError):
            return bytes(self.pack().tobytes())  # this says which field cannot hold its value

    @classmethod
    def from_bytes(cls, data: bytes, fixed: bool = False) -> Self:
        """The state whose record has these bytes; `fixed`: it will not be changed any more."""
        state = object.__new__(cls)
        numbers = cls.layout.unpack(data)
        state.events, state.flat = None, numbers if fixed else None
        state.fill(list(numbers))
        return state

    def shown(self, name: str) -> Any:
        """A field for a reader: plain integers, and sets by their members."""
        value, field = getattr(self, name), self.fields[name]
        if field.members:
            return members(value) if len(field.shape) == 1 else [members(row) for row in value]
        if not field.shape:
            return int(value)
        return [int(x) if len(field.shape) == 1 else list(map(int, x)) for x in value]

    def __repr__(self) -> str:
        shown = (f"{name}={self.shown(name)!r}" for name in self.fields if not name.startswith("chance_"))
        return f"{type(self).__name__}({', '.join(shown)})"
