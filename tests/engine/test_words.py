"""Words files: one file or all of a folder."""

from pathlib import Path

import pytest

from perankh.engine.words import Words
from perankh.errors import BadGame

HELLO = '[page.hello]\nen = "Hello {who}"\nja = "{who}さん、こんにちは"\n'
LEAVE = '[page.leave]\nen = "Goodbye"\nja = "さようなら"\n'


def test_the_files_of_a_folder_are_read_as_one(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(HELLO, "utf-8")
    (tmp_path / "b.toml").write_text(LEAVE, "utf-8")
    words = Words(tmp_path)
    assert words.say("page.hello", "en", who="Ra") == "Hello Ra"
    assert words.say("page.leave", "ja") == "さようなら"


def test_a_text_that_stands_in_two_files_is_refused(tmp_path: Path) -> None:
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(HELLO, "utf-8")
    with pytest.raises(BadGame, match=r"\[page.hello\] stands in two files"):
        Words(tmp_path)


def test_a_damaged_file_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(HELLO, "utf-8")
    (tmp_path / "b.toml").write_text("[page", "utf-8")
    with pytest.raises(BadGame, match=r"b\.toml: cannot be read"):
        Words(tmp_path)
