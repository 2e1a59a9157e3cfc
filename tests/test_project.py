"""The project itself: facts in documents, levels of dependency, sizes, words."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from perankh.checks import CHECKS
from perankh.cli import describe, markdown
from perankh.engine.game import game_folders, game_names, get_game
from perankh.engine.words import LANGUAGES
from perankh.match.match import WORDS

from .conftest import ROOT

SOURCE = ROOT / "src" / "perankh"
LEVELS = [
    {"errors", "testing"},
    {"engine", "scene"},
    {"games", "arguments"},
    {"match"},
    {"bots"},
    {"arena", "checks", "web"},
    {"terminal", "cli"},
]
ON_CALL = {("match", "bots")}  # imported when it is called for: Match.bot


def tracked() -> list[Path]:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def test_the_list_of_games_is_up_to_date() -> None:
    page = markdown([describe(get_game(name), "en") for name in game_names()])
    assert (ROOT / "docs" / "games.md").read_text("utf-8") == page + "\n"


@pytest.mark.parametrize("name", game_folders())
def test_every_game_has_its_specification_and_is_named_in_the_readme(name: str) -> None:
    assert (ROOT / "docs" / "rules" / f"{name}.md").is_file()
    assert get_game(name).words.say("game.name", "en") in (ROOT / "README.md").read_text("utf-8")


def level_of(part: str) -> int | None:
    return next((number for number, parts in enumerate(LEVELS) if part in parts), None)


def test_modules_import_only_from_their_own_level_and_below() -> None:
    seen = 0
    for path in SOURCE.rglob("*.py"):
        part = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        own = level_of(part)
        if own is None:
            assert part == "__init__", f"{path} has no level in the map of the house"
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("perankh."):
                name = node.module.split(".")[1]
                other = level_of(name)
                assert other is not None, f"{node.module} has no level"
                assert other <= own or ((part, name) in ON_CALL and node.col_offset), f"{path} imports {node.module}"
                seen += 1
    assert seen > 50


@pytest.mark.parametrize("part", ["engine", "match", "arena", "checks", "cli.py", "terminal.py"])
def test_nothing_above_the_games_knows_one_by_name(part: str) -> None:
    place = SOURCE / part
    for path in [place] if place.is_file() else place.rglob("*.py"):
        code = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(code):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
                node.body = node.body[1:]
        for name in game_names():
            assert name not in ast.unparse(code), f"{path} names {name}"


def test_no_file_is_too_long() -> None:
    for path in tracked():
        if path.suffix in (".py", ".js", ".css", ".toml", ".html"):
            assert len(path.read_text("utf-8").splitlines()) <= 1000, path


def test_the_words_of_the_house_are_all_used() -> None:
    source = "".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    assert set(WORDS.texts["play.help"]) == set(LANGUAGES)
    unused = [key for key in WORDS.texts if f'"{key}"' not in source and f"'{key}'" not in source]
    assert unused == []


def test_the_tutorial_explains_every_check() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "your-own-game.md").read_text("utf-8"), re.MULTILINE)
    assert set(CHECKS) <= set(rows)


def test_constraints_pin_versions_and_name_no_address() -> None:
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.+]+", line), line
