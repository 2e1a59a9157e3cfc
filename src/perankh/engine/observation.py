"""Writing observations. Each function writes features from place `i` on and returns the place after the last one::

@rule
def observe(s: State, p: int, out: list[int]) -> int:
    i = put_set(out, 0, s.row, CARDS)
    i = put(out, i, s.deck)
    return put_one_hot(out, i, s.step, len(Step))
"""

from __future__ import annotations

from typing import Any

from perankh.engine.rule import rule


@rule
def put(out: Any, i: int, value: int) -> int:
    """One number; a truth value counts as 0 or 1."""
    out[i] = value
    return i + 1


@rule
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


@rule
def put_set(out: Any, i: int, bits: Any, size: int) -> int:
    """A set as `size` features, each 1 if its number is in the set."""
    for k in range(size):
        out[i + k] = (bits[k >> 5] >> (k & 31)) & 1
    return i + size


class Measure(list[int]):
    """An output that takes any number of features, to find out how many a game writes."""

    def __setitem__(self, i: Any, value: Any) -> None:
        self.extend([0] * (i + 1 - len(self)))
        super().__setitem__(i, value)


def all_fields(state: Any) -> Any:
    """The default observation of a game in which nothing is hidden: its options and every field of its record, in order."""
    lines = ["def observe(s, p, out):", "    i = put(out, 0, s.players)", "    i = put(out, i, p)"]
    for name, field in state.fields.items():
        if name == "players" or name.startswith("chance_"):
            continue
        sizes = field.shape[:-1] if field.members else field.shape
        indent, path = "    ", f"s.{name}"
        for depth, size in enumerate(sizes):
            lines.append(f"{indent}for k{depth} in range({size}):")
            indent, path = indent + "    ", f"{path}[k{depth}]"
        lines.append(
            f"{indent}i = put_set(out, i, {path}, {field.members})" if field.members else f"{indent}i = put(out, i, {path})"
        )
    namespace: dict[str, Any] = {"__name__": __name__, "put": put, "put_set": put_set}
    exec("\n".join([*lines, "    return i"]), namespace)
    return rule(namespace["observe"])
