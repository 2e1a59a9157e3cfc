"""The `@rule` decorator and the translation of rule functions to machine code.

`@rule` only marks a function; interpreted play calls it as it stands. For the compiled speeds the same code objects are
given a second set of globals in which every marked function is its compiled twin and every `Table` a NumPy array. No
source is generated and nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any, TypeVar, overload

import numba
import numpy as np

from perankh.engine.parts import PartCompiler

Rule = Callable[..., Any]
F = TypeVar("F", bound=Rule)


class Table(tuple[Any, ...]):
    """A table of printed numbers: a (nested) tuple for Python, a constant array for the compiled rules."""

    __slots__ = ()

    @classmethod
    def of(cls, rows: Any) -> Table:
        """A table from any nesting of sequences, up to three deep."""
        return cls(cls.of(row) if isinstance(row, (list, tuple)) else int(row) for row in rows)

    def array(self) -> Any:
        """The table as an array of the smallest signed integers that hold it."""
        wide = np.array(self, dtype=np.int64)
        for kind in (np.int8, np.int16, np.int32):
            if np.array_equal(wide, wide.astype(kind)):
                return wide.astype(kind)
        return wide


@overload
def rule(function: F) -> F: ...
@overload
def rule(*, native: Rule) -> Callable[[F], F]: ...


def rule(function: Any = None, *, native: Any = None) -> Any:
    """Mark a function as a rule. `native` names a replacement for the compiled speeds, where the two must differ."""

    def mark(f: Any) -> Any:
        f.__rule__ = native or f
        return f

    return mark(function) if function is not None else mark


def is_rule(value: Any) -> bool:
    """Is this a function marked with `@rule`?"""
    return isinstance(value, FunctionType) and hasattr(value, "__rule__")


class Translation:
    """The compiled twins of all rule functions reachable from a game, compiled when first called.

    `bindings` replaces globals by name: this is how one loop template serves every game.
    """

    def __init__(self, bindings: dict[str, Any]) -> None:
        self.bindings = bindings
        self.globals_of: dict[int, dict[str, Any]] = {}
        self.parts: dict[CodeType, Any] = {}

    def entry(self, function: Any, cache: bool = False) -> Any:
        """The compiled twin of a function that Python calls; `cache`: kept on disk, with all that it calls."""
        dispatcher = numba.njit(nogil=True, error_model="numpy")(self.twin(function.__rule__))
        if cache:
            dispatcher.enable_caching()
        return dispatcher

    def part(self, function: Any) -> Any:
        """The compiled twin of a function that compiled functions call."""
        function = function.__rule__
        if function.__code__ not in self.parts:
            compiler = numba.njit(nogil=True, error_model="numpy", pipeline_class=PartCompiler)
            self.parts[function.__code__] = compiler(self.twin(function))
        return self.parts[function.__code__]

    def twin(self, function: Any) -> Any:
        """The same function in compiled surroundings."""
        twin = FunctionType(function.__code__, self.translated(function.__globals__), function.__name__, function.__defaults__)
        twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
        return twin

    def translated(self, source: dict[str, Any]) -> dict[str, Any]:
        """A module's globals as compiled code must see them."""
        if id(source) not in self.globals_of:
            target = self.globals_of[id(source)] = dict(source)
            for name, value in source.items():
                value = self.bindings.get(name, value) if is_rule(value) else value
                if is_rule(value):
                    target[name] = self.part(value)
                elif isinstance(value, Table):
                    target[name] = value.array()
        return self.globals_of[id(source)]


def bind(source: dict[str, Any], bindings: dict[str, Any]) -> SimpleNamespace:
    """The interpreted twin of a template module: its rule functions, with a game's own in place of the stand-ins."""
    namespace = dict(source)
    for name, value in source.items():
        if is_rule(value) and name in bindings:
            namespace[name] = bindings[name]
        elif is_rule(value) and value.__globals__ is source:
            namespace[name] = FunctionType(value.__code__, namespace, name, value.__defaults__)
    return SimpleNamespace(**namespace)
