"""The code of the tutorial is the code of the example; its other snippets run, interpreted and compiled."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perankh.checks import CHECKS
from perankh.engine.chance import forget_chance, seed_chance
from perankh.engine.contract import NAMES
from perankh.engine.rule import Translation

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs" / "your-own-game.md").read_text("utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)
SOURCE = re.compile(r"(?:# |<!-- )(examples/\S+)(?: -->)?\n")
EXCERPTS = [(found[1], block[found.end() :]) for _, block in BLOCKS if (found := SOURCE.match(block))]
SNIPPETS = "\n\n".join(block for language, block in BLOCKS if language == "python" and not SOURCE.match(block))


@pytest.mark.parametrize(("path", "excerpt"), EXCERPTS, ids=[f"{i}-{path}" for i, (path, _) in enumerate(EXCERPTS)])
def test_an_excerpt_stands_in_its_file(path: str, excerpt: str) -> None:
    assert excerpt.strip()
    assert excerpt in (ROOT / path).read_text("utf-8")


def test_each_file_of_the_example_is_shown() -> None:
    shown = {Path(path).name for path, _ in EXCERPTS}
    assert shown >= {"rules.md", "components.toml", "rules.py", "invariants.py", "words.toml", "face.py", "test_connect_four.py"}


def test_every_check_and_every_rule_function_is_explained() -> None:
    missing = [name for name in CHECKS if f"| `{name}` |" not in TUTORIAL]
    missing += [name for name in NAMES if f"`{name}(" not in TUTORIAL and f"`{name}`" not in TUTORIAL]
    assert not missing


def test_no_check_is_explained_that_does_not_exist() -> None:
    explained = re.findall(r"^\| `(\w+)` \|", TUTORIAL.partition("| check |")[2].partition("\n\n")[0], re.MULTILINE)
    assert explained == list(CHECKS)


def test_stated_lengths_are_about_right() -> None:
    """A file may grow by a tenth before its number in the first table has to follow."""
    for name, lines in re.findall(r"^\| `(\S+)` \|.*\| (\d+) \|$", TUTORIAL, re.MULTILINE):
        real = len((ROOT / "examples/connect_four" / name).read_text("utf-8").splitlines())
        assert abs(real - int(lines)) <= max(2, real // 10), f"{name} has {real} lines"


# --- The card game of section 9 ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game() -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "tutorial_snippets"}
    exec(compile(SNIPPETS, "your-own-game.md", "exec", dont_inherit=True), namespace)
    return namespace


def dealt(game: dict[str, Any], seed: int, open_hands: int = 0) -> Any:
    s = game["State"]()
    s.players, s.hand_size, s.open_hands = 3, 4, open_hands
    seed_chance(s, seed, 0, 0, 0, 0)
    game["setup"](s)
    return s


@pytest.mark.parametrize("open_hands", [0, 1])
def test_the_snippets_deal_hide_and_redeal(game: dict[str, Any], open_hands: int) -> None:
    worlds = set()
    for seed in range(30):
        s = dealt(game, 1, open_hands)
        assert sorted(s.where.count(game["HAND"] + p) for p in range(3)) == [4, 4, 4]
        for p in (-1, 0, 1, 2):
            veiled = s.copy()
            game["veil"](veiled, p)
            world = veiled.copy()
            seed_chance(world, seed, 1, 0, 0, 0)
            game["redeal"](world)
            assert (world.held, world.deck) == (s.held, s.deck)
            assert [world.where.count(game["HAND"] + q) for q in range(3)] == [4, 4, 4]
            worlds.add(tuple(world.where))
            game["veil"](world, p)
            forget_chance(world)
            forget_chance(veiled)
            assert world == veiled
    assert len(worlds) == 1 if open_hands else len(worlds) > 50


def test_the_snippets_compile_to_the_same_game(game: dict[str, Any]) -> None:
    translation = Translation({})
    s = dealt(game, 5)
    table = np.zeros(1, game["State"].dtype)
    blank = game["State"]()
    blank.players, blank.hand_size = 3, 4
    seed_chance(blank, 5, 0, 0, 0, 0)
    blank.pack(table[0])
    for name, seat in (("setup", None), ("veil", 1), ("redeal", None)):
        if name != "setup":
            game[name](s, *(() if seat is None else (seat,)))
        translation.entry(game[name])(table[0], *(() if seat is None else (seat,)))
        assert game["State"].unpack(table[0]) == s
