"""Rules keep to what compiles: found in their source, so that a fault is named by file and line before any compiler sees it."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from perankh.checks.walk import Progress, need
from perankh.engine.game import Game
from perankh.engine.rule import is_rule

BUILTINS = ("abs", "bool", "int", "len", "max", "min", "range")
BANNED: dict[type[ast.AST], str] = {
    ast.Dict: "a dictionary",
    ast.List: "a list",
    ast.Set: "a set",
    ast.ListComp: "a list comprehension",
    ast.SetComp: "a set comprehension",
    ast.DictComp: "a dictionary comprehension",
    ast.GeneratorExp: "a generator",
    ast.JoinedStr: "an f-string",
    ast.Lambda: "a lambda",
    ast.FunctionDef: "a function inside a function",
    ast.ClassDef: "a class",
    ast.Global: "global: rules change only the record",
    ast.Nonlocal: "nonlocal",
    ast.Try: "try",
    ast.Raise: "raise",
    ast.Assert: "assert",
    ast.With: "with",
    ast.Yield: "yield",
    ast.Await: "await",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.Delete: "del",
    ast.Div: "/ makes a float: use //",
}


def rules_compilable(game: Game, effort: float, progress: Progress) -> str:
    """Every rule uses only what means the same interpreted, in machine code and on a GPU."""
    rules = 0
    faults = []
    for module in rule_modules(game):
        path = Path(str(inspect.getsourcefile(module)))
        marked = {f.__code__.co_firstlineno: f for f in vars(module).values() if is_rule(f) and f.__module__ == module.__name__}
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and first_line(node) in marked:
                rules += 1
                place = path.relative_to(game.folder)
                faults += [f"{place}:{line} {node.name}: {fault}" for line, fault in faults_in(node, module, game)]
    need(not faults, "; ".join(faults[:5]) + (f"; and {len(faults) - 5} more" if len(faults) > 5 else ""))
    return f"{rules} rules"


def rule_modules(game: Game) -> list[ModuleType]:
    """The modules of a game that hold rules: its rules, and what it tells the bots."""
    homes = (f"{game.package}.rules", f"{game.package}.bots")
    assert game.bots is None or game.bots  # loads it
    return [module for name, module in sorted(sys.modules.items()) if name in homes or name.startswith(f"{homes[0]}.")]


def first_line(node: ast.FunctionDef) -> int:
    """Where a function begins, decorators included."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def faults_in(function: ast.FunctionDef, module: ModuleType, game: Game) -> Iterator[tuple[int, str]]:
    """What does not compile, or would not mean the same: line and cause."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    for statement in body:
        for node in ast.walk(statement):
            line = getattr(node, "lineno", statement.lineno)
            if type(node) in BANNED:
                yield line, BANNED[type(node)]
            elif isinstance(node, ast.Constant) and isinstance(node.value, float):
                yield line, f"{node.value} is a float"
            elif isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
                yield line, f"{node.value!r} is a text"
            elif isinstance(node, ast.Call):
                fault = fault_of_call(node.func, module)
                if fault:
                    yield line, fault
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    field = game.State.fields.get(target.attr) if isinstance(target, ast.Attribute) else None
                    if field is not None and field.shape:
                        yield line, f"{ast.unparse(target)} is a row: fill it entry by entry"
    returns = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Return) and node.value]
    if returns and falls_through(body):
        yield function.lineno, "a path ends without a return"


def fault_of_call(called: ast.expr, module: ModuleType) -> str | None:
    """Why a function may not be called from a rule, None if it may."""
    name = ast.unparse(called)
    value: Any = None
    if isinstance(called, ast.Name):
        if called.id in BUILTINS and called.id not in vars(module):
            return None
        value = vars(module).get(called.id, getattr(builtins, called.id, None))
    elif isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        home = vars(module).get(called.value.id)
        value = getattr(home, called.attr, None) if isinstance(home, ModuleType) else None
    if is_rule(value):
        return None
    if value is None:
        return f"{name} is not a function that rules can call"
    return f"{name} is not marked @rule" if inspect.isfunction(value) else f"{name}() cannot be compiled"


def falls_through(body: list[ast.stmt]) -> bool:
    """Can control reach the end of these statements?"""
    last = body[-1]
    if isinstance(last, ast.Return):
        return False
    if isinstance(last, ast.If):
        return not last.orelse or falls_through(last.body) or falls_through(last.orelse)
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return any(isinstance(node, ast.Break) for node in ast.walk(last))
    return True
