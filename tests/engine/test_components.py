"""Components files: what is accepted, and what is said about a faulty one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perankh.engine.components import SOURCES, Components
from perankh.engine.game import game_folders
from perankh.errors import BadComponents

GOOD = """
[board]
source = "rulebook"
size = 3
row = [1, 2, 3]
values = { A = 1, B = 2 }
rows = ["AB", "BA"]

[maps.one]
source = "reconstructed"
note = "a note"
x = 1
[maps.two]
source = "published"
x = 2
"""


def write(folder: Path, text: str) -> Components:
    path = folder / "components.toml"
    path.write_text(text, "utf-8")
    return Components(path)


def read_all(folder: Path, text: str) -> None:
    parts = write(folder, text)
    parts.whole("board", "size", 1, 9)
    parts.wholes("board", "row", 3, 0, 9)
    parts.by_name("board", "values", "AB", 0, 9)
    parts.grid("board", "rows", 2, 2, "AB")


def test_a_good_file(tmp_path: Path) -> None:
    parts = write(tmp_path, GOOD)
    assert parts.whole("board", "size", 1, 9) == 3
    assert parts.wholes("board", "row", 3, 0, 9) == (1, 2, 3)
    assert parts.by_name("board", "values", "AB", 0, 9) == (1, 2)
    assert parts.grid("board", "rows", 2, 2, "AB") == ((0, 1), (1, 0))
    assert parts.sets("maps") == ("one", "two")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'source = "rulebook"',
            'source = "hearsay"',
            "table [board]: source must be one of rulebook, published, reconstructed, box, not 'hearsay'",
        ),
        ('source = "rulebook"\n', "", "table [board]: source must be one of"),
        ("size = 3", "size = 30", "table [board]: size: 30 is not between 1 and 9"),
        ("size = 3", "size = 3.5", "table [board]: size must be a whole number, not 3.5"),
        ("size = 3", "size = true", "table [board]: size must be a whole number, not True"),
        ("size = 3\n", "", "table [board]: size is missing"),
        ("row = [1, 2, 3]", "row = [1, 2]", "table [board]: row has 2 numbers, 3 are needed"),
        ("row = [1, 2, 3]", "row = [1, 2, 33]", "table [board]: row[2]: 33 is not between 0 and 9"),
        ("row = [1, 2, 3]", "row = 5", "table [board]: row must be a list of whole numbers"),
        ("B = 2", "C = 2", "table [board]: values must give a number for each of A, B and nothing else"),
        ('"BA"', '"B"', "table [board]: rows: row 1 has 1 cells, 2 are needed"),
        ('"BA"', '"BX"', "table [board]: rows: row 1 holds 'X', not one of AB"),
        ("[board]", "[bored]", "table [board]: is missing"),
        ("[board]", "[board", "is not TOML"),
        ("[board]", "loose = 1\n[board]", "loose: must stand in a table with a source"),
    ],
)
def test_a_fault_is_named_with_file_and_table(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(BadComponents, match=re.escape(message)) as caught:
        read_all(tmp_path, GOOD.replace(old, new, 1))
    assert str(tmp_path / "components.toml") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_or_unreadable_file(tmp_path: Path) -> None:
    with pytest.raises(BadComponents, match="there is no such file"):
        Components(tmp_path / "components.toml")
    (tmp_path / "components.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadComponents, match="is not UTF-8 text"):
        Components(tmp_path / "components.toml")


def test_the_fingerprint_follows_the_numbers_not_the_notes(tmp_path: Path) -> None:
    before = write(tmp_path, GOOD).fingerprint
    assert write(tmp_path, GOOD.replace("a note", "another note")).fingerprint == before
    assert write(tmp_path, GOOD.replace("size = 3", "size = 4")).fingerprint != before


@pytest.mark.parametrize("name", game_folders())
def test_every_table_of_the_house_says_where_it_comes_from(name: str) -> None:
    parts = Components(game_folders()[name] / "components.toml")
    text = parts.path.read_text("utf-8")
    assert parts.tables
    assert text.count("source = ") >= len(parts.tables)
    assert set(re.findall(r'^source = "(\w+)"', text, re.MULTILINE)) <= set(SOURCES)
