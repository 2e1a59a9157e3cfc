"""Rules keep to what compiles: found in their source, so that a fault is named by file and line before any compiler sees it."""

from __future__ import annotations

import ast
import builtins
import difflib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from perankh.checks.walk import Progress, need
from perankh.engine.game import Game
from perankh.engine.rule import Constants, is_enum, is_rule
from perankh.engine.state import Record

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
    names = Names(function, module, game)
    for statement in body:
        for node in outside_annotations(statement):
            line = getattr(node, "lineno", statement.lineno)
            if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and (fault := names.fault_of(node)):
                yield line, fault
            if type(node) in BANNED:
                yield line, BANNED[type(node)]
            elif isinstance(node, ast.Constant) and isinstance(node.value, float):
                yield line, f"{node.value} is a float"
            elif isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
                yield line, f"{node.value!r} is a text"
            elif isinstance(node, ast.Call):
                names.called.add(node.func)
                if fault := fault_of_call(node.func, module):
                    yield line, fault
            elif isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Pow):
                exponent = names.value_of(node.right if isinstance(node, ast.BinOp) else node.value)
                if not isinstance(exponent, int) or exponent < 0:
                    yield line, "** needs a constant exponent of 0 or more: other powers may be floats"
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    field = game.State.fields.get(target.attr) if isinstance(target, ast.Attribute) else None
                    if field is not None and field.shape:
                        yield line, f"{ast.unparse(target)} is a row: fill it entry by entry"
    returns = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Return) and node.value]
    if returns and falls_through(body):
        yield function.lineno, "a path ends without a return"


def outside_annotations(statement: ast.stmt) -> Iterator[ast.AST]:
    """All nodes of a statement, each before what it contains, without the types of variables."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if child is not getattr(node, "annotation", None)]


class Names:
    """What the names in a rule stand for."""

    def __init__(self, function: ast.FunctionDef, module: ModuleType, game: Game) -> None:
        arguments = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
        stored = (node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        self.own = {argument.arg for argument in arguments} | set(stored)
        self.module = module
        self.states = {argument.arg for argument in arguments if argument.annotation and self.is_state(argument.annotation)}
        self.fields = game.State.fields
        self.called: set[ast.expr] = set()  # of these, `fault_of_call` says what is wrong

    def is_state(self, annotation: ast.expr) -> bool:
        """Is this the type of a record? It may be written as a name, or as text."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            annotation = ast.parse(annotation.value, mode="eval").body
        kind = self.value_of(annotation)
        return isinstance(kind, type) and issubclass(kind, Record)

    def value_of(self, node: ast.expr) -> Any:
        """The value of a constant, of a name of the module, or of a name in another module; None if it is none of these."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self.value_of(node.operand)
            return -value if isinstance(value, int) else None
        if isinstance(node, ast.Name):
            return None if node.id in self.own else vars(self.module).get(node.id)
        home = self.value_of(node.value) if isinstance(node, ast.Attribute) else None
        return getattr(home, node.attr, None) if isinstance(node, ast.Attribute) and is_home(home) else None

    def fault_of(self, node: ast.Name | ast.Attribute | ast.Subscript) -> str | None:
        """Why a name may not be used so in a rule, None if it may."""
        written = isinstance(node.ctx, ast.Store)
        if isinstance(node, ast.Subscript):
            root: ast.expr = node
            while isinstance(root, (ast.Subscript, ast.Attribute)):
                root = root.value
            outside = isinstance(root, ast.Name) and root.id not in self.own
            return f"{ast.unparse(node)} is changed: rules change only the record" if written and outside else None
        if node in self.called:
            return None
        name = ast.unparse(node)
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id in self.states:
                return None if node.attr in self.fields else f"{name} is no field of the record{similar(node.attr, self.fields)}"
            home = self.value_of(node.value)
            if not is_home(home):
                return None
            if written:
                return f"{name} is changed: rules change only the record"
            if not hasattr(home, node.attr):
                return f"{name} does not exist{similar(node.attr, vars(home))}"
            return fault_of_value(name, getattr(home, node.attr))
        if node.id in self.own or (node.id in BUILTINS and node.id not in vars(self.module)):
            return None
        if node.id not in vars(self.module):
            known = hasattr(builtins, node.id)
            return f"{name} cannot be used in a rule" if known else f"{name} is not defined{similar(name, vars(self.module))}"
        return fault_of_value(name, vars(self.module)[node.id])


def is_home(value: Any) -> bool:
    """Can a rule name something in it: is it a module or an enumeration?"""
    return isinstance(value, ModuleType) or is_enum(value)


def similar(name: str, names: Any) -> str:
    """A hint for a name that may be misspelt."""
    found = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {found[0]}?" if found else ""


def fault_of_value(name: str, value: Any) -> str | None:
    """Why a rule may not use a value of a module, None if it may."""
    if is_rule(value) or is_home(value) or isinstance(value, (Constants, int)):
        return None
    if isinstance(value, tuple) and value and all(isinstance(entry, int) for entry in value):
        return None
    if isinstance(value, float):
        return f"{name} is a float, {value}"
    if isinstance(value, (list, tuple, dict, set, frozenset)):
        return f"{name} is a {type(value).__name__}: rules use a Constants of whole numbers"
    if isinstance(value, str):
        return f"{name} is a text"
    return f"{name} is not marked @rule" if inspect.isfunction(value) else f"{name} cannot be used in a rule"


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
