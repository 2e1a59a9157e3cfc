"""Every command of the documents: its options exist, and what takes a moment is run, with fewer games and folders of its own."""

from __future__ import annotations

import os
import random
import re
import shutil
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from perankh import Match
from perankh.cli import parser
from perankh.match.file import text_of

from ..conftest import CONNECT_FOUR, ROOT
from ..forked import Program, finished
from ..web.conftest import PATIENCE, Person
from .blocks import BLOCKS, DOCUMENTS, Command, command_in, inline_code

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
TARGETS = set(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
# Blocks without a language that hold no commands, by how they begin: output, plans and settings of other programs.
OTHER_BLOCKS = {
    "Per-Ankh is open at": "what the server prints",
    "accuracy = 100 x": "a formula",
    "same_step    reset": "what a step reports",
    "CREATE ROLE worker": "tests/web/test_work.py gives a machine these rights",
    "perankh.json  ": "the files of an archive",
    "example.org {": "test_settings.py",
    "games.example.org {": "test_settings.py",
    "backend servers": "test_settings.py",
    "turn(p):": "a plan of a rule specification",
    ".  0  1  .": "a picture of a rule specification",
    "0 1 2 3 4 5": "a picture of a rule specification",
}
COMMANDS: dict[str, Command] = {}
for block in BLOCKS:
    for line in block.body.splitlines() if block.kind == "" else ():
        if command := command_in(line):
            COMMANDS.setdefault(command.line, command)


class Run(NamedTuple):
    """How a command is run: with options that overrule its own; what it prints and how it ends."""

    more: str = ""
    prints: str = ""
    typed: str = ""
    code: int = 0
    before: str = ""  # a command that comes first


OPEN = "Per-Ankh is open at"
QUICK = "--only words,legal --effort 0.01"
SAME = "the same command runs here with other options"
# By the beginning of a command; the longest that fits counts. A text says why a command is not run here; its options are read.
HOW: dict[str, Run | str] = {
    "cp ": "files of a training, which takes minutes",
    "git clone": "bench/newcomer.py does it, with this repository",
    "make": "runs all tests, or for long; bench/newcomer.py runs `make play` in a clean clone",
    "perankh admin ban": Run(prints="203.0.113.7"),
    "perankh admin close": Run(prints="TABLE"),
    "perankh admin delete": Run(prints="TABLE"),
    "perankh admin export": Run(),
    "perankh admin list": Run("--unchanged 0", prints="connect_four"),
    "perankh admin list --bans": Run(prints="198.51.100.1", before="perankh admin ban 198.51.100.1"),
    "perankh admin unban": Run(prints="203.0.113.7", before="perankh admin ban 203.0.113.7"),
    "perankh analyse": Run("--seconds 0.5", prints="%"),
    "perankh analyse match.perankh --json": Run("--seconds 0.5", prints='"decisions"'),
    "perankh arena": SAME,
    "perankh arena --deals 1000 --ray": "needs a cluster; tests/arena/test_run.py starts one of Ray",
    "perankh arena --ray": "needs Ray; tests/arena/test_run.py starts it",
    "perankh arena cleocatra": Run("--bots random,apprentice --players 2 --deals 1 --workers 1", prints="hard-or-not"),
    "perankh backup": Run("--data DATA", prints="perankh"),
    "perankh balance": SAME,
    "perankh balance cleocatra": Run("--bot random --games 2 --workers 1", prints="hard"),
    "perankh check ./examples": Run("--only words,legal,notation,texts,scenes --effort 0.01", prints="passed"),
    "perankh check ./high_card": Run(QUICK, prints="passed", before="perankh create high_card"),
    "perankh check ./my_game": Run(QUICK, prints="passed", before="perankh create my_game"),
    "perankh create": Run(prints="check"),
    "perankh draw": Run(),
    "perankh export-site": "takes minutes; tests/site/test_export.py writes one with bots that play at random",
    "perankh games": Run("--lang en", prints="Nile Mural"),
    "perankh play": Run("--bot random", prints=">", typed="/quit\n", code=2),
    "perankh play ./high_card": Run("--bot random", prints=">", typed="/quit\n", code=2, before="perankh create high_card"),
    "perankh replay": Run(prints="1."),
    "perankh restore": Run("--data DATA", prints="perankh", before="perankh backup --data DATA BACKUP"),
    "perankh serve": Run("--port 0 --data NEW", OPEN),
    "perankh serve --config": Run("--config perankh.toml", prints="public_address", code=1),
    "perankh serve --data postgresql": "needs that database; tests/web/test_cluster.py starts servers on PostgreSQL",
    "perankh serve --public-address": "needs that mail server; tests/web/test_alerts.py sends mail",
    "perankh simulate": Run("--games 20 --device native", prints="moves"),
    "perankh train": "takes minutes; tests/train/test_train.py runs both commands on Connect Four",
    "perankh verify": Run(prints="moves"),
    "perankh warm": Run(str(CONNECT_FOUR), prints="connect_four"),
    "perankh work": "needs PostgreSQL; tests/web/test_work.py starts machines",
    "pip install": "tests/test_package.py installs the wheel; the extras are read below",
    "python -m tests.attack": "takes minutes; tests/attack/test_attack.py runs the short form",
}


def key_of(command: Command) -> str | None:
    """What of HOW a command is run by."""
    return max((start for start in HOW if command.line.startswith(start)), key=len, default=None)


RUN = [line for line, command in COMMANDS.items() if isinstance(HOW[key_of(command) or "make"], Run)]


def test_every_block_without_a_language_is_known() -> None:
    used = set()
    for block in BLOCKS:
        if block.kind == "" and not all(command_in(line) or not line.strip() for line in block.body.splitlines()):
            starts = [start for start in OTHER_BLOCKS if block.body.strip().startswith(start)]
            assert starts, f"{block} has lines that are no commands"
            used |= {*starts}
    assert used == set(OTHER_BLOCKS)


def test_of_every_command_it_is_said_how_it_is_tested() -> None:
    used = {command.line: key_of(command) for command in COMMANDS.values()}
    assert [line for line, key in used.items() if key is None] == []
    assert set(HOW) - set(used.values()) == set()


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_takes_its_options(line: str) -> None:
    """Every command is one that `perankh` takes, or a target of the Makefile."""
    command = COMMANDS[line]
    words = [word for word in command.arguments if word != "..."]
    if command.program == "make":
        assert set(words) <= TARGETS
    elif command.program == "perankh":
        assert callable(parser().parse_args(words).command)


NO_COMMANDS = {"perankh export 1"}  # the format of an archive


def options_of(words: list[str]) -> str | None:
    """The help on a command, or on the part of it that is named; None if there is no such command."""
    known = parser()
    while known._subparsers and words:
        known = known._subparsers._group_actions[0].choices.get(words[0])  # type: ignore[union-attr]
        if known is None:
            return None
        words = words[1:]
    return known.format_help()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_extras_that_are_named_exist(document: Path) -> None:
    assert set(re.findall(r"perankh\[(\w+)\]", document.read_text("utf-8"))) <= set(EXTRAS)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_within_sentences_exist(document: Path) -> None:
    """A command in backquotes is there, and so are its options; it may leave out what is not the matter."""
    for command in filter(None, map(command_in, inline_code(document))):
        if command.program == "make":
            assert {word for word in command.arguments if "=" not in word} <= TARGETS, command.line
        elif command.program == "perankh" and command.line not in NO_COMMANDS:
            words = [word for word in command.arguments if not word.startswith("-")]
            helped = options_of(words)
            assert helped, command.line
            assert all(word in helped for word in command.arguments if word.startswith("--")), command.line


@contextmanager
def serving(arguments: list[str], variables: dict[str, str], cwd: Path) -> Iterator[str]:
    """A server that a command starts; its address."""
    out = cwd / "said"
    environment = {**os.environ, "PERANKH_NO_OPEN": "yes", **variables}
    process = Program("perankh.cli", arguments, environment, cwd, (os.devnull, str(out), str(out)))
    try:
        until, address = time.monotonic() + PATIENCE, None
        while address is None:
            said = out.read_text("utf-8") if out.exists() else ""
            assert process.poll() is None, said
            assert time.monotonic() < until, said
            address = re.search(rf"{OPEN} (http://127\.0\.0\.1:\d+)/", said)
            time.sleep(0.05)
        yield address[1]
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """A match file, and a server at which tables can be made."""
    folder = tmp_path_factory.mktemp("place")
    match, chance = Match(CONNECT_FOUR, 2, seed=1), random.Random(2)
    while not match.over:
        match.play(chance.choice(match.moves()))
    assert match.number > 17
    (folder / "match.perankh").write_text(text_of(match), "utf-8")
    variables = {"PERANKH_GAMES": str(CONNECT_FOUR.parent)}
    with serving(["serve", "--port", "0", "--data", str(folder / "data")], variables, folder) as address:
        yield SimpleNamespace(folder=folder, person=Person(SimpleNamespace(address=address)))


def group_of(line: str) -> str:
    """Commands that compile a game share its group of tests."""
    return next((game for game in ("cleocatra", "imhotep", "maqha", "mural") if f" {game}" in line), "connect_four")


@pytest.mark.parametrize("line", [pytest.param(line, marks=pytest.mark.xdist_group(group_of(line))) for line in RUN])
def test_a_command_runs(line: str, place: SimpleNamespace, tmp_path: Path) -> None:
    its = HOW[key_of(COMMANDS[line]) or ""]
    assert isinstance(its, Run)
    shutil.copy(place.folder / "match.perankh", tmp_path)
    shutil.copy(ROOT / "deploy" / "perankh.toml", tmp_path)
    (tmp_path / "examples").symlink_to(CONNECT_FOUR.parent, target_is_directory=True)
    stands_for = {
        "DATA": str(place.folder / "data"),
        "NEW": str(tmp_path / "new"),
        "/backups": str(tmp_path),
        "BACKUP": f"{tmp_path}/{line.rpartition('/')[2]}",
        " ...": "",
        "TABLE": place.person.table(seats=[{"kind": "me"}] * 2) if "admin" in line else "",
    }
    variables = {"PERANKH_DATA": stands_for["DATA"], "PERANKH_GAMES": str(CONNECT_FOUR.parent), **COMMANDS[line].variables}

    def filled(text: str) -> str:
        for old, new in stands_for.items():
            text = text.replace(old, new)
        return text

    def run(text: str, typed: str = "") -> tuple[int, str]:
        environment = {**os.environ, "LANG": "C.UTF-8", **variables}
        done = finished("perankh.cli", *filled(text).split()[1:], typed=typed, environment=environment, cwd=tmp_path)
        return done.returncode, done.stdout + done.stderr

    if its.before:
        code, said = run(its.before)
        assert code == 0, said
    if its.prints == OPEN:
        with serving(filled(f"{line} {its.more}").split()[1:], variables, tmp_path) as address:
            assert Person(SimpleNamespace(address=address)).http.get("/health/live").status_code == 200
    else:
        code, said = run(f"{line} {its.more}", its.typed)
        assert code == its.code, said
        assert filled(its.prints) in said
        written = re.search(r" -o (\S+)", line)
        assert not written or (tmp_path / written[1]).stat().st_size > 100
