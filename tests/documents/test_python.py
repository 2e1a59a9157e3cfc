"""All Python of the documents is run, block by block."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perankh.engine.game import game_names, get_game

from ..conftest import CONNECT_FOUR, ROOT
from ..examples.test_tutorial import files_of_the_card_game
from ..web import test_api_page
from .blocks import BLOCKS, Block

PYTHON = [block for block in BLOCKS if block.kind == "python"]
# Whole programs that need arguments, and the test that runs each.
PROGRAMS: dict[str, Callable[..., None]] = {"examples/api_bot.py": test_api_page.test_the_example_plays_a_match}


def program_of(block: Block) -> str | None:
    """The program in examples/ that a block shows as a whole."""
    return next((path for path in PROGRAMS if block.body == (ROOT / path).read_text("utf-8")), None)


def defines(block: Block) -> bool:
    """Whether a block is a part of a module, with functions or classes, and not a few lines to be run."""
    return any(isinstance(node, (ast.ClassDef, ast.FunctionDef)) for node in ast.parse(block.code).body)


EXCERPTS = [block for block in PYTHON if block.source and "/" in block.source]
SHOWN_WHOLE = [block for block in PYTHON if program_of(block)]
PARTS = [block for block in PYTHON if block not in EXCERPTS and block not in SHOWN_WHOLE and (block.source or defines(block))]
EXAMPLES = [block for block in PYTHON if block not in EXCERPTS and block not in SHOWN_WHOLE and block not in PARTS]


def test_every_document_with_python_is_looked_at() -> None:
    """The blocks are those that a plain search for the word finds; none is lost by the way it is written."""
    for path in {ROOT / block.document for block in PYTHON}:
        written = len(re.findall(r"^ *```python$", path.read_text("utf-8"), re.MULTILINE))
        assert written == sum(ROOT / block.document == path for block in PYTHON)
    assert {block.document for block in PYTHON} >= {"README.md", "docs/api.md", "docs/environments.md"}
    assert len(PYTHON) > 30


@pytest.mark.parametrize("block", EXCERPTS, ids=str)
def test_an_excerpt_stands_in_a_file_that_is_run(block: Block) -> None:
    """A module of the example is loaded with its game; a file of tests is one that pytest collects."""
    assert block.source
    path = ROOT / block.source
    assert block.code.strip()
    assert block.code in path.read_text("utf-8")
    game = get_game(CONNECT_FOUR)
    loaded = {Path(str(part.__file__)) for part in (game.rules, game.text, game.drawing, game.bots) if hasattr(part, "__file__")}
    assert path in loaded or (path.name.startswith("test_") and path.is_relative_to(ROOT / "examples"))


@pytest.mark.parametrize("block", SHOWN_WHOLE, ids=str)
def test_a_program_that_is_shown_whole_is_run_by_a_test(block: Block) -> None:
    name = program_of(block)
    assert name
    assert Path(name).name in PROGRAMS[name].__code__.co_consts


@pytest.mark.parametrize("block", PARTS, ids=str)
def test_a_part_of_a_module_is_part_of_the_card_game(block: Block) -> None:
    """tests/examples/test_tutorial.py puts these blocks together to a game, which passes every check."""
    assert block.code in files_of_the_card_game()[block.source or "rules.py"]


# What is true after the example with this piece of code; `out` is what it has printed.
EXPECTED = {
    'perankh.new("mural", players=3': "'deck' in out and m.number == 2 and perankh.load('match.perankh') == m",
    'batch("imhotep", 1024, players=4)': "step.reward.shape == (1024, 4)",
    'match.bot("architect")': "match.number == 1",
    'batch("mural", 1024, players=2, seed=7)': "step.observation.shape[0] == 1024 and games.moves.min() > 0",
    "features.tokens(step.observation)": "table.shape == cards.shape[:2] == (8, 100) and 'cards.table' in out",
    'batch("mural", 65_536, device="cuda")': "logits.shape == mask.shape and int(games.moves.sum()) > 0",
    'pettingzoo_env("mural"': "'deck' in out",
    'gymnasium_env("imhotep"': "over and rewards.shape == (16,)",
    "register_openspiel()": "state.is_terminal() and '=' in out",
    'torchrl_env("mural", 64': "'tensor([' in out",
    'game_with(get_game("mural"), Edition("My box"': "game.place != get_game('mural').place",
}
# What is for a GPU is run on the processor: the same code with these pieces replaced.
ON_THE_PROCESSOR = {
    'batch("mural", 65_536, device="cuda")': 'batch("mural", 64)',
    'device="cuda"': 'device="cpu"',
    "range(1000)": "range(20)",
}


def expected(block: Block) -> str:
    """What is true after an example; nothing where no piece of it is listed."""
    return " and ".join(said for piece, said in EXPECTED.items() if piece in block.code)


def test_of_every_example_it_is_said_what_it_does() -> None:
    assert [str(block) for block in EXAMPLES if not expected(block)] == []
    assert [piece for piece in EXPECTED if not any(piece in block.code for block in EXAMPLES)] == []


def named_game(block: Block) -> str:
    """The game of a block: its tests share what is compiled."""
    return next((game for game in game_names() if f'"{game}' in block.body or f"_{game}" in block.body), "connect_four")


@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")
@pytest.mark.parametrize(
    "block", [pytest.param(block, marks=pytest.mark.xdist_group(named_game(block))) for block in EXAMPLES], ids=str
)
def test_an_example_runs(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, names = block.code, dict[str, Any]()
    if re.search('^[^#]*"cuda"', code, re.MULTILINE):
        for old, new in ON_THE_PROCESSOR.items():
            assert old in code
            code = code.replace(old, new)
    exec(compile(code, block.document, "exec", dont_inherit=True), names)
    assert eval(expected(block), names | {"out": capsys.readouterr().out})
