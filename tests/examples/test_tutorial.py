"""The tutorial: its excerpts are the code of the example, its card game passes the checks, its signatures are the code's."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from perankh.checks import CHECKS, run_checks
from perankh.engine import api, masks, sets, text
from perankh.engine.contract import FUNCTIONS, Drawing, FullRules, Rules, Text, names_of
from perankh.engine.game import BOT_FUNCTIONS, Game, get_game
from perankh.scene import Sprite, layout

pytestmark = pytest.mark.xdist_group("tutorial")

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs" / "your-own-game.md").read_text("utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)
SOURCE = re.compile(r"(?:# |<!-- )((?:examples/)?\S+\.\w+)(?: -->)?\n")
EXCERPTS = [(found[1], block[found.end() :]) for _, block in BLOCKS if (found := SOURCE.match(block)) and "/" in found[1]]


@pytest.mark.parametrize(("path", "excerpt"), EXCERPTS, ids=[f"{i}-{path}" for i, (path, _) in enumerate(EXCERPTS)])
def test_an_excerpt_stands_in_its_file(path: str, excerpt: str) -> None:
    assert excerpt.strip()
    assert excerpt in (ROOT / path).read_text("utf-8")


def test_each_file_of_the_example_is_shown() -> None:
    shown = {Path(path).name for path, _ in EXCERPTS}
    assert shown >= {"rules.md", "components.toml", "rules.py", "words.toml", "text.py", "drawing.py", "test_connect_four.py"}


def test_everything_that_a_game_offers_is_explained() -> None:
    names = {*FUNCTIONS, *BOT_FUNCTIONS}
    for protocol in (Rules, FullRules, Text, Drawing):
        names |= set(names_of(protocol))
    assert not [name for name in names if f"`{name}(" not in TUTORIAL and f"`{name}`" not in TUTORIAL]


def test_every_check_is_explained_in_order_and_no_other() -> None:
    explained = re.findall(r"^\| `(\w+)` \|", TUTORIAL.partition("| check |")[2].partition("\n\n")[0], re.MULTILINE)
    assert explained == list(CHECKS)


def test_stated_lengths_are_about_right() -> None:
    """A file may grow by a tenth before its number in the table has to follow."""
    stated = re.findall(r"^\| `(\S+)` \|.*\| (\d+) \|$", TUTORIAL, re.MULTILINE)
    assert len(stated) == 7
    for name, lines in stated:
        real = len((ROOT / "examples/connect_four" / name).read_text("utf-8").splitlines())
        assert abs(real - int(lines)) <= max(2, real // 10), f"{name} has {real} lines"


# --- Signatures -----------------------------------------------------------------------------------------------------

HOMES: dict[str, list[Any]] = {
    "Fields": [api],
    "Rules": [api],
    "Sets": [sets],
    "Sets in one number": [masks],
    "Observations": [api],
    "Components": [api.Components],
    "Text helpers": [api, text],
    "Game": [Game],
    "Scenes": [layout],
}
SIGNATURES = [
    (heading, *signature)
    for heading, section in re.findall(r"^### (.+?)\n(.*?)(?=^### |\Z)", TUTORIAL.partition("## 6. Reference")[2], re.M | re.S)
    for signature in re.findall(r"^\| `([\w.]+)\((.*?)\)` \|", section, re.MULTILINE)
]


@pytest.mark.parametrize(("heading", "name", "stated"), SIGNATURES, ids=[f"{row[0]}-{row[1]}" for row in SIGNATURES])
def test_a_signature_is_that_of_the_code(heading: str, name: str, stated: str) -> None:
    found: Any = None
    for home in HOMES[heading]:
        found = home
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is not None:
            break
    parameters = [p for p in inspect.signature(found).parameters.values() if p.name not in ("self", "native")]
    expected = [p.name if p.default is p.empty else f"{p.name}={p.default!r}".replace("'", '"') for p in parameters]
    written = [part.strip().lstrip("*") for part in stated.split(",")] if stated else []
    assert written == [part.removesuffix("=None") if heading == "Rules" else part for part in expected]


def functions_of(module: Any) -> set[str]:
    """The names of the functions that a module defines."""
    return {name for name, value in vars(module).items() if inspect.isfunction(value) and value.__module__ == module.__name__}


def test_every_set_and_observation_function_and_every_sprite_field_is_listed() -> None:
    listed = {name for heading, name, _ in SIGNATURES if heading in ("Sets", "Observations")}
    public = functions_of(sets)
    writing = {name for name in api.__all__ if name.startswith(("put", "add_", "seat_", "seats_"))}
    assert listed == public - {"words_for", "popcount", "lowest", "_popcount", "_lowest"} | writing | {"Feature"}
    assert functions_of(masks) == {name for heading, name, _ in SIGNATURES if heading == "Sets in one number"}
    rows = "".join(re.findall(r"^\| (`.*?) \|", TUTORIAL.partition("| field of `Sprite` |")[2], re.MULTILINE))
    assert not [field.name for field in fields(Sprite) if f"`{field.name}`" not in rows]


# --- The card game -----------------------------------------------------------------------------------------------------

REST_OF_TEXT = """
from pathlib import Path

from perankh.engine.api import Words, sets

from .rules import CARDS, Event

WORDS = Words(Path(__file__).with_name("words.toml"))
say = WORDS.say
CODES = (*(f"{card:02}" for card in range(CARDS)), "ready")


def prompt(s, p, lang):
    return say("prompt", lang)


def sentence(s, p, a, lang):
    return CODES[a]


def refusal(s, p, a, lang):
    return say("refusal", lang)


def board(s, viewer, lang):
    return "\\n".join([f"{s.round}", *(str(sets.members(hand)) for hand in s.hand)])


"""
WORDS = ["game.name", "game.tagline", "ending.rounds_played", "prompt", "refusal", *(f"seat.{p}" for p in range(4))]
WORDS += [f"option.{name}.{part}" for name in ("hand_size", "peek") for part in ("name", "help")]
LOG = {
    "picked": "{player} picks {card}.",
    "picked_hidden": "{player} picks.",
    "showed": "{player} shows {card}.",
    "won": "{player} wins.",
}


def files_of_the_card_game() -> dict[str, str]:
    """The modules of the `python` blocks, with the texts that the tutorial does not show."""
    files: dict[str, str] = {"text.py": REST_OF_TEXT}
    for language, block in BLOCKS:
        found = SOURCE.match(block)
        name = found[1] if found else "rules.py"
        if language == "python" and "/" not in name and (found or re.search(r"^(?:class|def) ", block, re.MULTILINE)):
            files[name] = files.get(name, "") + (block[found.end() :] if found else block) + "\n\n"
    texts = {key: key for key in WORDS} | {f"log.{key}": line for key, line in LOG.items()}
    files["words.toml"] = "\n".join(f'[{key}]\nen = "{line}"\n' for key, line in texts.items())
    return files


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The card game of the tutorial."""
    folder = tmp_path_factory.mktemp("games") / "high_card"
    folder.mkdir()
    for name, content in files_of_the_card_game().items():
        (folder / name).write_text(content, "utf-8")
    return get_game(folder)


@pytest.mark.parametrize("check", [name for name in CHECKS if name not in ("bots", "cuda")])
def test_the_card_game_passes_every_check(game: Game, check: str) -> None:
    (outcome,) = run_checks(game, names=[check])
    skipped = check in ("clauses", "explanations", "guides", "card", "lesson", "puzzles", "playthroughs", "seats")
    assert outcome.verdict == "passed" or (skipped and outcome.verdict == "skipped"), outcome.detail


def test_the_card_game_keeps_its_secrets(game: Game) -> None:
    state = game.new_state(3, seed=4)
    own = [card for card in sets.members(state.hand[0]) if state.seen[card] >> 1 & 1]  # type: ignore[attr-defined]
    for viewer, known in ((0, 3), (1, 1), (2, 0), (-1, 0)):
        seen: Any = game.veiled(state, viewer)
        assert sets.count(seen.hand[0]) == known
        worlds = {tuple(map(tuple, dict(game.redealt(seen, seed).items())["hand"])) for seed in range(20)}
        assert len(worlds) > 10
    assert sets.members(dict(game.veiled(state, 1).items())["hand"][0]) == own


def test_the_cards_stay_open_until_everybody_has_confirmed(game: Game) -> None:
    state: Any = game.new_state(2, seed=4)
    for p in range(2):
        events = game.apply(state, p, game.legal(state, p)[0])
        lines = game.text.log_lines(state, [event.seen_by(0) for event in events], 0, "en")
        assert lines[0] == (f"seat.0 picks {game.text.CODES[state.pick[0]]}." if p == 0 else "seat.1 picks.")
    assert len(lines) == 4
    assert game.veiled(state, -1).hand == state.hand  # type: ignore[attr-defined]
    assert game.actors(state) == [0, 1]
    game.apply(state, 1, game.rules.READY)
    assert game.actors(state) == [0]
    game.apply(state, 0, game.rules.READY)
    assert state.step == game.rules.Step.PICK


def test_the_heuristic_of_the_card_game_values_high_cards(game: Game) -> None:
    bots: Any = game.bots
    state: Any = game.new_state(2, seed=4)
    assert bots.heuristic(state, 0) == sets.members(state.hand[0])[-1]
    assert bots.rollout_choice(state, 0, [1, 5, 9], 3, 1) == 2
    assert bots.rollout_choice(state, 0, [1, 5, 9], 3, (1 << 31) & ~3) == 1
