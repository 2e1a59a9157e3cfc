"""The `@rule` decorator, and the translation of rule functions to machine code.

`@rule` only marks a function; interpreted play calls it as it stands. For the compiled speeds every module with rules gets a
twin: the same code objects over globals in which each rule is its compiled counterpart, each `Constants` a NumPy array, each
`IntEnum` a set of integers, and each module with rules its own twin. No source is generated, nothing is written twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from enum import IntEnum
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar, overload

import numba
import numpy as np
from numba import types

from perankh.engine import parts

Rule = Callable[..., Any]

# Compiled functions allocate nothing. Without Numba's memory management no references are counted for every row of an array.
SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}

F = TypeVar("F", bound=Rule)


class Constants(tuple[Any, ...]):
    """Printed numbers in one to three dimensions: nested tuples for Python, a constant array for the compiled rules."""

    __slots__ = ()

    @classmethod
    def of(cls, rows: Any) -> Constants:
        """Constants from any nesting of sequences, up to three deep."""
        return cls(cls.of(row) if isinstance(row, (list, tuple)) else int(row) for row in rows)

    def array(self) -> Any:
        """The numbers as an array of the smallest signed integers that hold it."""
        wide = np.array(self, dtype=np.int64)
        for kind in (np.int8, np.int16, np.int32):
            if np.array_equal(wide, wide.astype(kind)):
                return wide.astype(kind)
        return wide


@overload
def rule(function: F) -> F: ...
@overload
def rule(*, native: Any) -> Callable[[F], F]: ...


def rule(function: Any = None, *, native: Any = None) -> Any:
    """Mark a function as a rule. `native` is its replacement for the compiled speeds, where the two must differ."""

    def mark(f: Any) -> Any:
        f.__rule__ = native or f
        return f

    return mark(function) if function is not None else mark


def stand_in(function: F) -> F:
    """Mark a rule that a template calls and a game replaces by its own rule of the same name."""
    function.__stand_in__ = True  # type: ignore[attr-defined]
    return rule(function)


def is_rule(value: Any) -> bool:
    """Is this a function marked with `@rule`?"""
    return isinstance(value, FunctionType) and hasattr(value, "__rule__")


def is_enum(value: Any) -> bool:
    """Is this a subclass of IntEnum with members?"""
    return isinstance(value, type) and issubclass(value, IntEnum) and bool(value.__members__)


def needs_twin(value: Any) -> bool:
    """Is this a module that holds rules, tables or enumerations?"""
    return isinstance(value, ModuleType) and any(
        is_rule(v) or isinstance(v, Constants) or is_enum(v) for v in list(vars(value).values())
    )


def widened(dispatcher: Any) -> Any:
    """Let a compiled function take every integer as 64 bits wide, so that it is compiled once and rules need no casts."""
    resolve = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return resolve(tuple(map(wide, args)), {name: wide(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


def wide(kind: Any) -> Any:
    """The type an argument is passed as."""
    kind = types.unliteral(kind)  # type: ignore[no-untyped-call]
    return types.int64 if isinstance(kind, (types.Integer, types.IntEnumMember)) else kind


class Translation:
    """The compiled twins of all rules reachable from a game, each compiled when first called.

    `bindings` replaces stand-ins by name: this is how one loop template serves every game.
    """

    def __init__(self, bindings: dict[str, Any]) -> None:
        self.bindings = bindings
        self.twins: dict[int, ModuleType] = {}  # by the id of the globals they stand for
        self.parts: dict[CodeType, Any] = {}

    def entry(self, function: Any, cache_file: Path | None = None) -> Any:
        """The compiled twin of a function that Python calls. `cache_file`: Numba keeps the machine code beside this file."""
        twin = self.twin(function.__rule__)
        if cache_file is not None:
            twin.__code__ = twin.__code__.replace(co_filename=str(cache_file), co_firstlineno=1)
        dispatcher = numba.njit(**SETTINGS, **parts.entry_options())(twin)
        if cache_file is not None:
            dispatcher.enable_caching()
        return dispatcher

    def part(self, function: Any) -> Any:
        """The compiled twin of a function that compiled functions call."""
        function = self.bound(function).__rule__
        if not isinstance(function, FunctionType):
            return function  # an intrinsic
        if function.__code__ not in self.parts:
            self.parts[function.__code__] = widened(self.compiler(self.twin(function)))
        return self.parts[function.__code__]

    def compiler(self, function: Any) -> Any:
        """Hand a twin to Numba."""
        return numba.njit(**SETTINGS, **parts.options())(function)

    def bound(self, function: Any) -> Any:
        """The game's own function where this is a stand-in that the game replaces, else the function itself."""
        return self.bindings.get(function.__name__, function) if hasattr(function, "__stand_in__") else function

    def twin(self, function: Any) -> Any:
        """The same function in compiled surroundings."""
        surroundings = self.module(function.__globals__).__dict__
        twin = FunctionType(function.__code__, surroundings, function.__name__, function.__defaults__)
        twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
        return twin

    def module(self, source: dict[str, Any]) -> ModuleType:
        """A module, given by its globals, as compiled code must see it."""
        if id(source) not in self.twins:
            twin = self.twins[id(source)] = ModuleType(source["__name__"])
            twin.__dict__.update(source)
            for name, value in source.items():
                twin.__dict__[name] = self.translated(value)
        return self.twins[id(source)]

    def translated(self, value: Any) -> Any:
        """One global as compiled code must see it."""
        if is_rule(value):
            return self.part(value)
        if isinstance(value, Constants):
            return value.array()
        if is_enum(value):
            return members(value)
        return self.module(vars(value)) if needs_twin(value) else value

    def fingerprint(self, function: Any) -> str:
        """A hash of all that the machine code of an entry is made from: code, constants and tables, not comments or texts."""
        digest = hashlib.sha256(compiler_hash().encode())
        for f in self.reached(function):
            digest.update(repr((f.__name__, f.__defaults__, *code_facts(f.__code__, f.__doc__))).encode())
            for name, value in self.names_used(f):
                compiled = self.bound(value).__rule__ if is_rule(value) else value
                digest.update(f"{name}={described(compiled)}".encode())
        return digest.hexdigest()[:24]

    def reached(self, function: Any) -> Iterator[Any]:
        """A rule function and all that it may call."""
        waiting, seen = [function.__rule__], set()
        while waiting:
            f = waiting.pop()
            if f.__code__ not in seen:
                seen.add(f.__code__)
                called = [self.bound(value).__rule__ for _, value in self.names_used(f) if is_rule(value)]
                waiting += [g for g in called if isinstance(g, FunctionType)]  # the others are intrinsics
                yield f

    def names_used(self, function: Any) -> Iterator[tuple[str, Any]]:
        """The globals, and the attributes of modules among them, that a function may use."""
        names, source = function.__code__.co_names, function.__globals__
        for name in names:
            value = source.get(name)
            if needs_twin(value):
                yield from ((f"{name}.{other}", vars(value)[other]) for other in names if other in vars(value))
            elif name in source:
                yield name, value


@cache
def members(kind: type[IntEnum]) -> ModuleType:
    """An enumeration as a module of plain integers, which the compiler takes for constants."""
    module = ModuleType(kind.__name__)
    module.__dict__.update({member.name: int(member) for member in kind})
    return module


def code_facts(code: CodeType, doc: str | None) -> tuple[Any, ...]:
    """What a code object does, without where it stands or what its docstring says."""
    constants = tuple(code_facts(c, None) if isinstance(c, CodeType) else c for c in code.co_consts if doc is None or c != doc)
    return code.co_code.hex(), code.co_names, code.co_varnames, constants


def described(value: Any) -> str:
    """A global by its content, in words that are the same in every process."""
    if is_enum(value):
        return repr([(member.name, int(member)) for member in value])
    if value is None or isinstance(value, (int, float, str, tuple)):
        return repr(value)
    if isinstance(generator := getattr(value, "_defn", None), FunctionType):  # what Numba's `intrinsic` makes code with
        return repr(code_facts(generator.__code__, generator.__doc__))
    return str(getattr(value, "__qualname__", type(value).__name__))


@cache
def compiler_hash() -> str:
    """A hash of the sources that turn rules into machine code, and of the functions there that are not rules."""
    folder = Path(__file__).parent
    return hashlib.sha256(
        b"".join((folder / name).read_bytes() for name in ("rule.py", "parts.py", "sets.py", "bits.py"))
    ).hexdigest()


def bind(source: dict[str, Any], bindings: dict[str, Any]) -> SimpleNamespace:
    """A template module, given by its globals, interpreted: its rules with a game's own in place of the stand-ins."""
    namespaces: dict[int, dict[str, Any]] = {}

    def bound(template: dict[str, Any]) -> dict[str, Any]:
        if id(template) not in namespaces:
            namespace = namespaces[id(template)] = dict(template)
            for name, value in template.items():
                if is_rule(value) and hasattr(value, "__stand_in__") and value.__name__ in bindings:
                    namespace[name] = bindings[value.__name__]
                elif is_rule(value) and value.__globals__ is template:
                    namespace[name] = FunctionType(value.__code__, namespace, name, value.__defaults__)
                elif is_rule(value) and any(hasattr(other, "__stand_in__") for other in value.__globals__.values()):
                    namespace[name] = bound(value.__globals__)[value.__name__]
        return namespaces[id(template)]

    return SimpleNamespace(**bound(source))
