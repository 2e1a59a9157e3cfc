"""Groups of sprites: drawn again when a number that they have read has changed, and only then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from perankh.engine.state import Record, number, numbers, subset
from perankh.scene import Sprite, group, kept
from perankh.scene import groups as module


class State(Record):
    """A state with a number, a list, a grid and a set."""

    step: int = number("i1")
    row: list[int] = numbers("i2", 4)
    grid: list[list[int]] = numbers("i4", 2, 3)
    cards: list[int] = subset(40)


def fixed(**values: Any) -> State:
    """A state that is not changed any more."""
    state = State()
    for name, value in values.items():
        setattr(state, name, value)
    return State.from_bytes(state.to_bytes(), fixed=True)


Reads = Callable[[State], Any]


def counted(reads: Reads) -> tuple[Callable[[State], tuple[Sprite, ...]], list[int]]:
    """A group that shows what a function reads, and the list that grows with every drawing of it."""
    drawn: list[int] = []

    @group
    def shown(s: State) -> Iterator[Sprite]:
        drawn.append(1)
        yield Sprite("value", text=str(reads(s)))

    return shown, drawn


GRID = [[1, 2, 3], [4, 5, 6]]
OTHER = [[1, 2, 3], [4, 5, 7]]
ROW, FIRST, LAST = [5, 6, 7, 8], [9, 6, 7, 8], [5, 6, 7, 9]


@pytest.mark.parametrize(
    ("reads", "same", "other"),
    [
        (lambda s: s.step, {"row": ROW}, {"step": 2}),
        (lambda s: s.row[0], {"row": LAST}, {"row": FIRST}),
        (lambda s: s.row[-1], {"row": FIRST}, {"row": LAST}),
        (lambda s: sum(s.row), {"step": 2}, {"row": LAST}),
        (lambda s: s.row[:2], {"step": 2}, {"row": FIRST}),
        (lambda s: 9 in s.row, {"step": 2}, {"row": LAST}),
        (lambda s: s.row == [5, 6, 7, 8], {"step": 2}, {"row": LAST}),
        (lambda s: s.row + s.row, {"step": 2}, {"row": LAST}),
        (lambda s: list(range(2)) + s.row, {"step": 2}, {"row": LAST}),
        (lambda s: s.row.index(7) + len(s.row), {"step": 2}, {"row": [7, 6, 7, 8]}),
        (lambda s: s.grid[1][2], {"grid": [[9, 9, 9], [4, 5, 6]]}, {"grid": OTHER}),
        (lambda s: s.grid[1], {"row": LAST}, {"grid": OTHER}),
        (lambda s: list(map(list, s.grid)), {"row": LAST}, {"grid": OTHER}),
        (lambda s: s.row[1] if s.step else 0, {"row": LAST}, {"step": 2}),
        (lambda s: s.copy().row[3], {}, {"row": LAST}),
    ],
)
def test_a_group_is_drawn_when_what_it_reads_has_changed(reads: Reads, same: Any, other: Any) -> None:
    shown, drawn = counted(lambda s: str(reads(s)) if not hasattr(reads(s), "_values") else str(list(reads(s))))
    begin = {"row": ROW, "grid": GRID}
    first = shown(fixed(**begin))
    assert shown(fixed(**begin | same)) is first
    assert len(drawn) == 1
    changed = fixed(**begin | other)
    assert shown(changed)[0].text == str(reads(changed))
    assert len(drawn) == 2
    assert shown(fixed(**begin)) is first
    assert len(drawn) == 2


def test_what_is_read_may_depend_on_what_was_read() -> None:
    shown, drawn = counted(lambda s: s.row[s.step])
    for step, row, times in ((0, ROW, 1), (0, LAST, 1), (3, LAST, 2), (3, ROW, 3), (3, [0, 0, 0, 9], 3), (0, FIRST, 4)):
        state = fixed(step=step, row=row)
        assert shown(state)[0].text == str(row[step])
        assert len(drawn) == times


def test_a_group_in_a_group_passes_on_what_it_read() -> None:
    inner, drawn = counted(lambda s: s.row[1])

    @group
    def outer(s: State, name: str) -> Iterator[Sprite]:
        yield Sprite(name, text=str(s.step))
        yield from inner(s)

    first = outer(fixed(row=ROW), "a")
    assert outer(fixed(row=LAST), "a") is first
    assert outer(fixed(row=[5, 1, 7, 8]), "a")[1].text == "1"
    assert outer(fixed(row=ROW), "b")[1] is first[1]
    assert len(drawn) == 2
    with pytest.raises(TypeError, match="by position"):
        outer(fixed(), name="a")


def test_states_that_may_change_are_drawn_afresh() -> None:
    shown, drawn = counted(lambda s: s.step)
    state = State()
    for step in range(3):
        state.step = step
        assert shown(state)[0].text == str(step)
    assert len(drawn) == 3
    assert fixed().copy().flat is None


def test_other_results_are_kept_too() -> None:
    asked: list[int] = []

    @kept
    def total(s: State, factor: int) -> int:
        asked.append(factor)
        return factor * sum(s.row)

    assert [total(fixed(row=ROW), 2), total(fixed(row=ROW, step=1), 2), total(fixed(row=LAST), 2)] == [52, 52, 54]
    assert asked == [2, 2]


def test_not_everything_is_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 10)
    monkeypatch.setattr(module, "MOST_WAYS", 2)
    results = module.Kept(lambda s: s.row[s.step])
    for step in range(4):
        for value in range(30):
            row = [0, 0, 0, 0]
            row[step] = value
            state = fixed(step=step, row=row)
            assert results.result(state, state.flat or (), ()) == value
            kept_now = [len(way.made) for ways in results.ways.values() for way in ways]
            assert len(kept_now) <= 2
            assert sum(kept_now) <= 11
