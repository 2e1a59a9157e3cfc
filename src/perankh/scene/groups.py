"""Groups of sprites, kept under the numbers of the state that they show.

    @group
    def wall(s: State, lang: str, at: Layout) -> Iterator[Sprite]: ...

A group is drawn from a state and from values that can be hashed, and reads nothing else. While it is drawn, the numbers of the
state that it reads are noted. If all of them are the same in another state, so is the drawing: it is not made again, whatever
move, viewer or table it is for. Which numbers these are may depend on what is read, so a group may be kept in several ways.

This is done for states that have their numbers in a row (`flat`), which worker processes see to. Others are drawn afresh.
Sprites that are kept belong to many scenes: nobody may change them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from operator import itemgetter
from typing import Any, Concatenate, ParamSpec, TypeVar

from perankh.scene.sprite import Sprite

S = TypeVar("S")
P = ParamSpec("P")
Reads = frozenset[int | tuple[int, int]]  # places in the row of numbers, and ranges of places
MOST_WAYS = 8  # different sets of numbers under which one group with the same arguments is kept
MOST_KEPT = 2000  # drawings of one group


class Way:
    """A set of numbers on which a drawing depends, and the drawings made so far by the values of these numbers."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        ranges = [slice(*place) for place in reads if isinstance(place, tuple)]
        covered = {n for part in ranges for n in range(part.start, part.stop)}
        single = sorted(place for place in reads if isinstance(place, int) and place not in covered)
        self.values: Callable[[tuple[int, ...]], Any] = itemgetter(*single, *ranges) if single or ranges else constant
        self.made: dict[Any, tuple[Sprite, ...]] = {}


def constant(_: tuple[int, ...]) -> None:
    """The values of no numbers."""


class Group:
    """A function that draws a group, and what it has drawn."""

    def __init__(self, function: Callable[..., Iterable[Sprite]]) -> None:
        self.function = function
        self.ways: dict[tuple[Any, ...], list[Way]] = {}
        self.kept = 0

    def draw(self, s: Any, flat: tuple[int, ...], arguments: tuple[Any, ...]) -> tuple[Sprite, ...]:
        """The group, kept or drawn."""
        ways = self.ways.get(arguments)
        for way in ways or ():
            made = way.made.get(way.values(flat))
            if made is not None:
                break
        else:
            way, made = self.draw_afresh(s, flat, arguments)
        if type(s) is Traced:
            s._reads.update(way.reads)
        return made

    def draw_afresh(self, s: Any, flat: tuple[int, ...], arguments: tuple[Any, ...]) -> tuple[Way, tuple[Sprite, ...]]:
        """Draw the group and keep it."""
        traced = Traced(s._state if type(s) is Traced else s, flat)
        made = tuple(self.function(traced, *arguments))
        for sprite in made:
            sprite.json()
        if self.kept >= MOST_KEPT:
            self.ways, self.kept = {}, 0
        reads, ways = frozenset(traced._reads), self.ways.setdefault(arguments, [])
        way = next((way for way in ways if way.reads == reads), None)
        if way is None:
            way = Way(reads)
            ways.append(way)
            if len(ways) > MOST_WAYS:
                self.kept -= len(ways.pop(0).made)
        way.made[way.values(flat)] = made
        self.kept += 1
        return way, made


def group(function: Callable[Concatenate[S, P], Iterable[Sprite]]) -> Callable[Concatenate[S, P], tuple[Sprite, ...]]:
    """Keep what a function of a state draws. Its other arguments are given by position."""
    kept = Group(function)

    @wraps(function)
    def draw(s: S, /, *arguments: P.args, **named: P.kwargs) -> tuple[Sprite, ...]:
        flat = getattr(s, "flat", None)
        if flat is None:
            return tuple(function(s, *arguments, **named))
        if named:
            raise TypeError(f"{function.__name__} takes its arguments by position")
        return kept.draw(s, flat, arguments)

    return draw


# --- Noting what is read -------------------------------------------------------------------------------------------------------


class Traced:
    """A state of which is noted what is read."""

    __slots__ = ("_reads", "_state", "flat")

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
            return value
        return Row(value, self._reads, start, 1 if len(shape) == 1 else shape[1])


class Row:
    """A list of a state of which is noted what is read: single numbers, or all."""

    __slots__ = ("_reads", "_start", "_step", "_values")

    def __init__(self, values: list[Any], reads: set[int | tuple[int, int]], start: int, step: int) -> None:
        self._values = values
        self._reads = reads
        self._start = start
        self._step = step  # numbers in each value

    def __getitem__(self, n: Any) -> Any:
        """A number, or a row of a grid."""
        value = self._values[n]
        if isinstance(n, slice):
            return self._all()[n]
        place = self._start + (n if n >= 0 else n + len(self._values)) * self._step
        if type(value) is list:
            return Row(value, self._reads, place, 1)
        self._reads.add(place)
        return value

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
