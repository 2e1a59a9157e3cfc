"""The project itself: facts in documents, levels of dependency, sizes, words."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from perankh.checks import CHECKS
from perankh.cli import code_ranges, describe, features_page, markdown
from perankh.engine.game import game_folders, game_names, get_game
from perankh.engine.words import LANGUAGES
from perankh.match.match import WORDS

from .conftest import ROOT

SOURCE = ROOT / "src" / "perankh"
LEVELS = [
    {"errors", "testing", "workers"},
    {"engine", "scene"},
    {"games", "arguments", "create", "template"},
    {"match"},
    {"bots"},
    {"envs"},
    {"arena", "checks", "train", "web"},
    {"site"},
    {"terminal", "cli"},
    {"__main__"},
]
ON_CALL = {("match", "bots")}  # imported when it is called for: Match.bot


def tracked() -> list[Path]:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def test_the_list_of_games_is_up_to_date() -> None:
    page = markdown([describe(get_game(name), "en") for name in game_names()])
    assert (ROOT / "docs" / "games.md").read_text("utf-8") == page + "\n"


def test_the_list_of_features_is_up_to_date() -> None:
    page = features_page([get_game(name) for name in game_names()])
    assert (ROOT / "docs" / "features.md").read_text("utf-8") == page + "\n"


def test_codes_of_actions_are_listed_in_short() -> None:
    codes = ("pass", "stop", "row1", "row2", "row3", "r9", "a-1", "a-2", "01", "02", "03", "end")
    assert list(code_ranges(codes)) == [
        ("0 to 1", "`pass`, `stop`"),
        ("2 to 4", "`row1` to `row3`"),
        ("5", "`r9`"),
        ("6 to 7", "`a-1`, `a-2`"),
        ("8 to 10", "`01` to `03`"),
        ("11", "`end`"),
    ]


@pytest.mark.parametrize("name", game_folders())
def test_every_game_has_its_specification_and_is_named_in_the_readme(name: str) -> None:
    assert (ROOT / "docs" / "rules" / f"{name}.md").is_file()
    assert get_game(name).words.say("game.name", "en") in (ROOT / "README.md").read_text("utf-8")


def level_of(part: str) -> int | None:
    return next((number for number, parts in enumerate(LEVELS) if part in parts), None)


def imported(node: ast.AST, path: Path) -> set[str]:
    """The parts of the package that a node imports from."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        above = ("perankh", *path.relative_to(SOURCE).parts[: -node.level]) if node.level else ()
        module = ".".join((*above, *filter(None, [node.module])))
        names = [f"{module}.{alias.name}" for alias in node.names]
    else:
        return set()
    parts = {name.split(".")[1] for name in names if name.startswith("perankh.")}
    return parts - {"__version__"}


def test_modules_import_only_from_their_own_level_and_below() -> None:
    seen = 0
    for path in SOURCE.rglob("*.py"):
        part = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        own = level_of(part)
        if own is None:
            assert part == "__init__", f"{path} has no level: add it to LEVELS and to ARCHITECTURE.md"
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for name in imported(node, path):
                other = level_of(name)
                assert other is not None, f"{path} imports {name}, which has no level"
                assert other <= own or ((part, name) in ON_CALL and node.col_offset), f"{path} imports {name}"
                seen += 1
    assert seen > 50


def modules_imported(name: str, path: Path, modules: dict[str, Path]) -> set[str]:
    """The modules that a module imports when it is loaded itself: not for types only, and not in its functions."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    nodes: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            parts = {f"{module}.{alias.name}" for alias in node.names}
            found |= parts & set(modules) or {module}
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            nodes += node.orelse
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            nodes += ast.iter_child_nodes(node)
    return found & set(modules) - {name}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """The rules of a game may: the verbs of a rulebook call each other."""
    paths = {".".join(path.relative_to(SOURCE.parent).with_suffix("").parts): path for path in SOURCE.rglob("*.py")}
    modules = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    left = {name: modules_imported(name, path, modules) for name, path in modules.items()}
    left = {name: others for name, others in left.items() if ".rules." not in name}
    assert sum(map(len, left.values())) > 500
    while free := {name for name, others in left.items() if not others & set(left)}:
        left = {name: others for name, others in left.items() if name not in free}
    assert not left, f"these import each other, or are imported by modules that do: {sorted(left)}"


@pytest.mark.parametrize("part", ["engine", "match", "envs", "arena", "checks", "train", "cli.py", "terminal.py"])
def test_nothing_above_the_games_knows_one_by_name(part: str) -> None:
    place = SOURCE / part
    for path in [place] if place.is_file() else place.rglob("*.py"):
        code = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(code):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
                node.body = node.body[1:]
        for name in game_names():
            assert name not in ast.unparse(code), f"{path} names {name}"


DATA = (
    "components.toml",
    "words.toml",
    "box.toml",
    "lesson.toml",
    "card.toml",
    "guide.toml",
    "art.svg",
    "guide.en.md",
    "guide.ja.md",
    "bots.py",
)
# Modules that mean the same in every game that has them. Rules may add the verbs of their rulebook, drawings their parts.
RULES = {"state", "components", "events", "set_up", "actions", "scoring", "observation", "invariants"}
TEXT = {"names", "prompts", "sentences", "log", "refusals", "board", "timed_answers", "explanations", "outlooks", "reasons"}
DRAWING = {"layout", "scene", "pictures"}


def modules_of(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.py")} - {"__init__"}


@pytest.mark.parametrize("name", game_folders())
def test_every_game_folder_has_the_same_plan(name: str) -> None:
    folder = game_folders()[name]
    names = {path.name for path in folder.iterdir() if path.name != "__pycache__"}
    parts = {part for part in ("rules", "text", "drawing") if part in names or f"{part}.py" in names}
    assert parts == {"rules", "text", "drawing"}
    trained = {"levels.toml", *(path.name for path in folder.glob("network*.npz"))}
    allowed = {*DATA, "__init__.py", "puzzles.toml", *trained, *parts, *(f"{part}.py" for part in parts)}
    assert names <= allowed, f"{sorted(names - allowed)} have no place in the plan of a game folder"
    assert set(DATA) <= names
    rules, text, drawing = (modules_of(folder / part) for part in ("rules", "text", "drawing"))
    assert not (folder / "rules").is_dir() or rules >= RULES
    assert not get_game(name).hidden or "hidden" in rules or not rules
    assert text <= TEXT
    assert not (folder / "drawing").is_dir() or drawing >= {"scene"}
    assert not drawing & (RULES | TEXT)
    assert not rules & (TEXT | DRAWING)


def imports_in(source: str) -> int:
    """How many lines of a module are import statements."""
    found = (node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.Import, ast.ImportFrom)))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in found)


def test_imports_are_at_most_one_line_in_twenty_of_game_code() -> None:
    sources = [path.read_text("utf-8") for folder in game_folders().values() for path in folder.rglob("*.py")]
    imports, lines = sum(map(imports_in, sources)), sum(len(source.splitlines()) for source in sources)
    assert imports * 20 <= lines, f"{imports} of {lines} lines"


@pytest.mark.parametrize("name", game_folders())
def test_rules_have_no_casts(name: str) -> None:
    folder = game_folders()[name]
    for path in (folder / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            marked = isinstance(node, ast.FunctionDef) and any(
                ast.unparse(mark).startswith("rule") for mark in node.decorator_list
            )
            if marked:
                text = ast.unparse(node)
                assert not re.search(r"\bint\(|\+ 0\b", text), f"{path}: {node.name}"


def test_no_file_is_too_long() -> None:
    for path in tracked():
        if path.suffix in (".py", ".js", ".css", ".toml", ".html"):
            assert len(path.read_text("utf-8").splitlines()) <= 1000, path


def test_the_shared_words_are_all_used() -> None:
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
