"""Texts that name printed numbers: `{sled.spaces}` in a guide, a card or a lesson stands for the number in the components file.

A blank holds names of tables and entries, joined by dots or in brackets (`{pyramid_a.points[0]}`), with + - * / // and the
functions `sum`, `len`, `min`, `max`, `number`, `listed` and `joined`. After a colon stands how it is written: `word` for an
English word, and a noun as `point|points`. A text in quotes (`{'25'}`) stands for itself: a number that is a name, or belongs to
the words. `box.players` and `box.minutes` are the least and the greatest number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from perankh.errors import BadGame

if TYPE_CHECKING:
    from perankh.engine.game import Game

BLANK = re.compile(r"\{([^{}#][^{}]*)\}")
SPELLED = re.compile(r"(word|Word)?\s*(?:([\w -]+)\|([\w -]+))?$", re.ASCII)
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
RECONSTRUCTED = ("\ue000", "\ue001")  # around a number that is reconstructed, where it is to be marked
OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
}


def fill(game: Game, text: str, lang: str, mark: bool = False) -> str:
    """A text with the printed numbers of a game; `mark`: reconstructed ones stand between two signs that no text holds."""

    def number(blank: re.Match[str]) -> str:
        reader = Reader(game, lang)
        try:
            found = reader.written(blank[1])
        except (SyntaxError, LookupError, TypeError, ValueError, ArithmeticError) as error:
            raise BadGame(f"game {game.name}: {blank[0]} names no printed number: {error}") from None
        return found.join(RECONSTRUCTED) if mark and reader.reconstructed else found

    return BLANK.sub(number, text)


class Reader:
    """Works out one blank, and remembers whether a number in it is reconstructed."""

    def __init__(self, game: Game, lang: str) -> None:
        self.lang = lang
        self.reconstructed = False
        box = {"players": [game.players[0], game.players[-1]], "minutes": list(game.box.minutes or ())}
        self.tables: Mapping[str, Any] = {"box": box} | (dict(game.components.tables) if game.components else {})

    def written(self, blank: str) -> str:
        """The text that stands for a blank."""
        expression, _, how = blank.rpartition(":")
        spelled = SPELLED.fullmatch(how.strip()) if expression else None
        if spelled is None:  # a colon of a slice, or none
            expression, spelled = blank, SPELLED.fullmatch("")
        value = self.value(ast.parse(expression.strip(), mode="eval").body)
        if spelled is None or isinstance(value, dict | list):
            raise ValueError("it is more than one number")
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        if spelled[1] and value in range(len(NUMBER_WORDS)):
            shown = NUMBER_WORDS[int(value)]
            shown = shown.capitalize() if spelled[1] == "Word" else shown
        return f"{shown} {spelled[2] if value == 1 else spelled[3]}" if spelled[2] else shown

    def value(self, node: ast.expr) -> Any:
        """What a part of an expression stands for."""
        match node:
            case ast.Constant(value=int() | str() as value):
                return value
            case ast.Name(id=name):
                return self.inside(self.tables, name)
            case ast.Attribute(value=table, attr=name):
                return self.inside(self.value(table), name)
            case ast.Subscript(value=table, slice=ast.Slice(lower=lower, upper=upper)):
                return self.value(table)[slice(self.value(lower) if lower else None, self.value(upper) if upper else None)]
            case ast.Subscript(value=table, slice=place):
                return self.inside(self.value(table), self.value(place))
            case ast.BinOp(left=left, op=operation, right=right) if type(operation) in OPERATIONS:
                return OPERATIONS[type(operation)](self.value(left), self.value(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.value(operand)
            case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in FUNCTIONS:
                return FUNCTIONS[name](self, *map(self.value, given))
        raise ValueError(f"{ast.unparse(node)} cannot be read")

    def inside(self, table: Any, name: str | int) -> Any:
        """An entry of a table or of a row. Read past `Entries`, which notes what the rules ask for."""
        if isinstance(table, dict):
            self.reconstructed |= dict.get(table, "source") == "reconstructed"
            found = dict.__getitem__(table, name)
            self.reconstructed |= isinstance(found, dict) and dict.get(found, "source") == "reconstructed"
            return found
        return table[name]

    def listed(self, values: Any) -> str:
        """Numbers one after the other, the last after an "and"."""
        texts = [str(value) for value in plain(values)]
        if self.lang == "ja" or len(texts) < 2:
            return "、".join(texts)
        return f"{', '.join(texts[:-1])} and {texts[-1]}"


def plain(values: Any) -> list[Any]:
    """The values of a row, or of a table without what is said about it."""
    return [value for key, value in values.items() if key not in ("source", "note")] if isinstance(values, dict) else list(values)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sum": lambda _, values: sum(plain(values)),
    "len": lambda _, values: len(plain(values)),
    "min": lambda _, values: min(plain(values)),
    "max": lambda _, values: max(plain(values)),
    "number": lambda _, effect, place=0: int(re.findall(r"-?\d+", effect)[place]),  # of an effect such as "grain 4"
    "listed": Reader.listed,
    "joined": lambda _, values, between: between.join(map(str, plain(values))),
}
