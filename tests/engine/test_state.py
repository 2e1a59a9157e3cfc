"""State records and their plain twins, options and their validation."""

from __future__ import annotations

import copy
import pickle
from enum import IntEnum

import numpy as np
import pytest

from perankh.engine.api import Record, choice, flag, number, numbers, option, seat, whole
from perankh.errors import BadGame, BadOption


class Table(Record):
    mode: int = choice("basic", "hard")
    limit: int = whole(10, 1, 99)
    bonus: int = flag(True)
    start: int = seat()
    turn: int = number("i1")
    row: list[int] = numbers("i2", 3)
    grid: list[list[int]] = numbers("i1", 2, 3)


def test_numbers_have_a_unit_in_which_people_read_them() -> None:
    ticks = whole(3, 0, 9, per=2).option
    assert [ticks.in_units(n) for n in (0, 3, 4)] == ["0", "1.5", "2"]
    assert ticks.stored("ticks", "3", 2) == 3  # files and programs keep the number itself
    assert Table.options["limit"].in_units(10) == "10"
    for per in (0, -1, 0.5, True):
        with pytest.raises(BadGame, match="of them to a unit"):
            whole(3, 0, 9, per=per)  # type: ignore[arg-type]


def filled() -> Table:
    s = Table()
    s.players, s.turn, s.row, s.grid = 3, -2, [1, 300, -5], [[1, 2, 3], [4, 5, 6]]
    s.chance_key = [2**32 - 1, 0, 7, 2**31]
    return s


def test_a_new_state_is_plain_zeros() -> None:
    s = Table()
    assert (s.turn, s.row, s.grid) == (0, [0, 0, 0], [[0, 0, 0], [0, 0, 0]])
    assert type(s.turn) is int
    assert s.grid[0] is not s.grid[1]


def test_pack_and_unpack_are_inverse() -> None:
    s = filled()
    record = s.pack()
    assert Table.unpack(record) == s
    assert type(Table.unpack(record).turn) is int
    assert record["grid"].tolist() == s.grid


def test_a_value_that_does_not_fit_its_field_is_an_error() -> None:
    s = filled()
    s.turn = 200
    with pytest.raises(BadGame, match=r"the field turn \(int8\) cannot hold 200"):
        s.pack()


def test_a_copy_shares_nothing() -> None:
    s = filled()
    twin = s.copy()
    twin.grid[1][2] = 99
    twin.row[0] = 99
    twin.turn = 5
    assert s == filled()
    assert twin != s


def test_a_state_has_no_attributes_but_its_fields() -> None:
    state = Table()
    with pytest.raises(AttributeError, match="stonez"):
        state.stonez = 1  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(state)) == state == copy.deepcopy(state)


def test_an_enumeration_is_an_option() -> None:
    class Mode(IntEnum):
        BASIC = 0
        VERY_HARD = 1

    class Gaps(IntEnum):
        ONE = 1
        TWO = 2

    assert option(Mode) == choice("basic", "very_hard")
    with pytest.raises(TypeError, match="Gaps are not numbered from 0 on"):
        option(Gaps)


def test_a_field_cannot_have_the_name_of_a_method() -> None:
    with pytest.raises(BadGame, match="a field cannot be called copy"):
        type(Record)("State", (Record,), {"copy": number("i1")})


def test_the_record_is_aligned_for_the_gpu() -> None:
    assert Table.dtype.isalignedstruct
    assert Table.dtype.fields["chance_key"][0].base == np.dtype("<u4")


def test_fields_must_be_integers_the_compiled_rules_can_add() -> None:
    with pytest.raises(TypeError, match="u8"):
        number("u8")
    with pytest.raises(TypeError, match="two dimensions"):
        numbers("i1", 2, 2, 2)


@pytest.mark.parametrize(
    ("name", "value", "stored"),
    [
        ("mode", "hard", 1),
        ("mode", "Basic", 0),
        ("limit", "42", 42),
        ("limit", 99, 99),
        ("bonus", False, 0),
        ("bonus", "yes", 1),
        ("start", "random", -1),
        ("start", 2, 2),
    ],
)
def test_option_values(name: str, value: object, stored: int) -> None:
    option = Table.options[name]
    assert option.stored(name, value, 3) == stored
    assert option.stored(name, option.shown(stored), 3) == stored


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("mode", "medium", "option mode: 'medium' is not one of basic, hard"),
        ("limit", "many", "option limit: 'many' is not a whole number"),
        ("limit", 0, "option limit: 0 is not between 1 and 99"),
        ("bonus", "perhaps", "option bonus: 'perhaps' is not true or false"),
        ("start", 3, "option start: 3 is not between 0 and 2"),
        ("start", "me", "option start: 'me' is not random or a seat from 0 to 2"),
    ],
)
def test_a_bad_option_value_says_what_is_wrong(name: str, value: object, message: str) -> None:
    with pytest.raises(BadOption, match=f"^{message}$"):
        Table.options[name].stored(name, value, 3)


def test_options_have_defaults_and_samples() -> None:
    assert {name: option.default for name, option in Table.options.items()} == {
        "mode": "basic",
        "limit": 10,
        "bonus": True,
        "start": "random",
    }
    assert Table.options["mode"].samples(3) == ("basic", "hard")
    assert Table.options["start"].samples(2) == ("random", 0, 1)
    assert Table.options["limit"].samples(2) == (10,)
