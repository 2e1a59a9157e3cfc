"""Groups of sprites, kept under the numbers of the state that they show.

    @group
    def wall(s: State, lang: str, at: Layout) -> Iterator[Sprite]: ...

A group is drawn from a state, from values that can be hashed and from what the seats are called, and reads nothing else. While it
is drawn, the numbers of the state that it reads are noted. If all of them are the same in another state, so is the drawing: it is
not made again, whatever move, viewer or table it is for. Which numbers these are may depend on what is read, so a group may be
kept in several ways.

This is done for states that have their numbers in a row (`flat`), which worker processes see to. Others are drawn afresh.
Sprites that are kept belong to many scenes: nobody may change them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from operator import itemgetter
from typing import Any, Concatenate, ParamSpec, TypeVar

from perankh.engine.words import seats_shown
from perankh.scene.sprite import Sprite

S = TypeVar("S")
T = TypeVar("T")
P = ParamSpec("P")
Reads = frozenset[int | tuple[int, int]]  # places in the row of numbers, and ranges of places
MOST_WAYS = 8  # different sets of numbers under which the results of one function with the same arguments are kept
MOST_KEPT = 2000  # results of one function


class Way:
    """A set of numbers on which a result depends, and the results so far by the values of these numbers."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        ranges = [slice(*place) for place in reads if isinstance(place, tuple)]
        covered = {n for part in ranges for n in range(part.start, part.stop)}
        single = sorted(place for place in reads if isinstance(place, int) and place not in covered)
        self.values: Callable[[tuple[int, ...]], Any] = itemgetter(*single, *ranges) if single or ranges else constant
        self.made: dict[Any, Any] = {}


def constant(_: tuple[int, ...]) -> None:
    """The values of no numbers."""


class Kept:
    """A function of a state, and the results that it has had."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.ways: dict[tuple[Any, tuple[Any, ...]], list[Way]] = {}  # by the seats' names and colours, and the arguments
        self.kept = 0

    def result(self, s: Any, flat: tuple[int, ...], arguments: tuple[Any, ...]) -> Any:
        """The result, kept or found now."""
        key = (seats_shown(), arguments)
        ways = self.ways.get(key)
        for way in ways or ():
            made = way.made.get(way.values(flat))
            if made is not None:
                break
        else:
            way, made = self.call(s, flat, key)
        if type(s) is Traced:
            s._reads.update(way.reads)
        return made

    def call(self, s: Any, flat: tuple[int, ...], key: tuple[Any, tuple[Any, ...]]) -> tuple[Way, Any]:
        """Call the function and keep what it returns."""
        traced = Traced(s._state if type(s) is Traced else s, flat)
        made = self.function(traced, *key[1])
        if self.kept >= MOST_KEPT:
            self.ways, self.kept = {}, 0
        reads, ways = frozenset(traced._reads), self.ways.setdefault(key, [])
        way = next((way for way in ways if way.reads == reads), None)
        if way is None:
            way = Way(reads)
            ways.append(way)
            if len(ways) > MOST_WAYS:
                self.kept -= len(ways.pop(0).made)
        way.made[way.values(flat)] = made
        self.kept += 1
        return way, made


def kept(function: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Cache what a function of a state returns; nobody may change the result. Give the other arguments by position."""
    results = Kept(function)

    @wraps(function)
    def found(s: S, /, *arguments: P.args, **named: P.kwargs) -> T:
        flat = getattr(s, "flat", None)
        if flat is None:
            return function(s, *arguments, **named)
        if named:
            raise TypeError(f"{function.__name__} takes its arguments by position")
        result: T = results.result(s, flat, arguments)
        return result

    return found


def group(function: Callable[Concatenate[S, P], Iterable[Sprite]]) -> Callable[Concatenate[S, P], tuple[Sprite, ...]]:
    """Cache what a function of a state draws. Give its other arguments by position."""

    @wraps(function)
    def draw(s: S, /, *arguments: P.args, **named: P.kwargs) -> tuple[Sprite, ...]:
        return tuple(function(s, *arguments, **named))

    return kept(draw)


# --- Noting what is read -------------------------------------------------------------------------------------------------------


class Traced:
    """A state of which is noted what is read. What was read once is an attribute of its own, and costs nothing any more."""

    def __init__(self, state: Any, flat: tuple[int, ...]) -> None:
        self._state = state
        self._reads: set[int | tuple[int, int]] = set()
        self.flat = flat

    def __getattr__(self, name: str) -> Any:
        """A field; anything else may read everything."""
        value, place = getattr(self._state, name), self._state.places.get(name)
        if place is None:
            self._reads.add((0, len(self.flat)))
            return value
        start, shape = place
        if not shape:
            self._reads.add(start)
        else:
            value = part(value, self._state.fields[name].members, len(shape), self._reads, start, math.prod(shape[1:]))
        self.__dict__[name] = value
        return value


def part(values: list[Any], is_set: int, depth: int, reads: set[int | tuple[int, int]], start: int, step: int) -> Any:
    """A list of a state of which is noted what is read. Of a set it is everything: its words say nothing alone."""
    if is_set and depth == 1:
        reads.add((start, start + len(values)))
        return values
    return Row(values, is_set, depth, reads, start, step)


class Row:
    """A list of a state of which is noted what is read: single numbers, or all."""

    __slots__ = ("_depth", "_is_set", "_parts", "_reads", "_start", "_step", "_values")

    def __init__(
        self, values: list[Any], is_set: int, depth: int, reads: set[int | tuple[int, int]], start: int, step: int
    ) -> None:
        self._values = values
        self._is_set = is_set
        self._depth = depth  # 2: of a grid
        self._reads = reads
        self._start = start
        self._step = step  # numbers in each value
        self._parts: dict[int, Any] = {}  # the rows of a grid that were read

    def __getitem__(self, n: Any) -> Any:
        """A number, or a row of a grid."""
        if n.__class__ is slice:
            return self._all()[n]
        if self._depth == 1:
            self._reads.add(self._start + (n if n >= 0 else n + len(self._values)))
            return self._values[n]
        found = self._parts.get(n)
        if found is None:
            values = self._values[n]
            place = self._start + (n if n >= 0 else n + len(self._values)) * self._step
            found = self._parts[n] = part(values, self._is_set, 1, self._reads, place, 1)
        return found

    def __len__(self) -> int:
        """Lists of a state do not change their length."""
        return len(self._values)

    def _all(self) -> list[Any]:
        """The list itself."""
        self._reads.add((self._start, self._start + len(self._values) * self._step))
        return self._values

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all())

    def __contains__(self, value: Any) -> bool:
        return value in self._all()

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, Row) else other)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Any) -> Any:
        return self._all() + list(other)

    def __radd__(self, other: Any) -> Any:
        return other + self._all()

    def __getattr__(self, name: str) -> Any:
        """What else lists can do reads everything."""
        return getattr(self._all(), name)
