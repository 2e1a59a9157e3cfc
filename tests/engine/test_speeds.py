"""The compiled rules: never stale, the same on any number of threads, with a corrected component at once."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from perankh.cli import main
from perankh.create import create
from perankh.engine import loops, parts
from perankh.engine.cuda import NoGpu
from perankh.engine.game import Game, get_game
from perankh.engine.rule import Constants
from perankh.engine.simulate import DEVICES, option_sets, random_moves, simulate
from perankh.errors import BadGame, BadOption, UnknownGame

from ..conftest import CONNECT_FOUR, ROOT

pytestmark = pytest.mark.xdist_group("connect_four-speeds")


def test_tables_become_the_smallest_arrays_that_hold_them() -> None:
    assert Constants.of([[1, 2], [3, 4]]).array().dtype == np.int8
    assert Constants.of([1000]).array().dtype == np.int16
    assert Constants.of([100_000]).array().dtype == np.int32
    assert Constants.of([2**40]).array().tolist() == [2**40]


def test_threads_do_not_change_the_games() -> None:
    game = get_game(CONNECT_FOUR)
    one = simulate(game, 2, 999, seed=5, threads=1)
    three = simulate(game, 2, 999, seed=5, threads=3)
    assert np.array_equal(one.report, three.report)
    assert not np.array_equal(one.report, simulate(game, 2, 999, seed=6, threads=1).report)


def test_game_number_i_can_be_played_again_from_its_seed() -> None:
    game = get_game("mural")
    run = simulate(game, 3, 5, seed=2**100, device="interpreted", watch=0)
    state = game.new_state(3, 2**100 + 4)
    moves = len(list(random_moves(game, state, 4, 2**100)))
    assert moves == run.report[4, loops.MOVES]
    assert game.scores(state) == run.scores[4].tolist()


PROGRAM = """
import sys
from perankh.engine.game import get_game
from perankh.engine.simulate import simulate
print(simulate(get_game(sys.argv[1]), 2, 300, seed=1).moves)
"""


def moves_in_fresh_process(folder: Path, cache: Path, **environment: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)],
        env={**os.environ, "PERANKH_CACHE": str(cache), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


FOLDER = """
import sys
from perankh.engine.game import get_game
print(get_game(sys.argv[1]).native.play_games.folder)
"""


def test_machine_code_is_kept_apart_by_processor_and_compiler_settings() -> None:
    def folder(**environment: str) -> str:
        command = [sys.executable, "-c", FOLDER, str(CONNECT_FOUR)]
        return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True).stdout

    here = folder()
    assert folder(PYTHONHASHSEED="7") == here
    settings: list[dict[str, str]] = [
        {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
        {"NUMBA_OPT": "1"},
        {"NUMBA_BOUNDSCHECK": "1"},
        {"PERANKH_PLAIN_COMPILE": "1"},
    ]
    assert len({here, *(folder(**setting) for setting in settings)}) == 5


def entry_folder(game: Game) -> str:
    return game.native.play_games.folder.name


def test_machine_code_depends_on_code_and_tables_and_on_nothing_else(altered: Callable[..., Game]) -> None:
    same = entry_folder(altered())
    untouched = [
        {"rules_py": ('"""Every column with room: its top cell is empty (C4-T1)."""', '"""Another."""\n    # and a comment\n')},
        {"text_py": ("ordinary Python".title(), "Ordinary  Python")},
        {"words_toml": ("Choose a column", "Pick a column")},
        {"rules_py": ("def observe(", "def observe_otherwise(")},  # no part of the loop of random games
    ]
    for change in untouched:
        assert entry_folder(altered(**change)) == same, change
    changed = [
        {"rules_py": ("s.turn = 1 - p", "s.turn = p")},
        {"components_toml": ("rows = 6", "rows = 5")},
        {"rules_py": ("LINE = 1\n", "LINE = 2\n")},
        {"rules_py": ('numbers("i1", COLUMNS)', 'numbers("i2", COLUMNS)')},
    ]
    assert len({same, *(entry_folder(altered(**change)) for change in changed)}) == 1 + len(changed)


def test_plain_compilation_plays_the_same_games(tmp_path: Path) -> None:
    """The fallback for versions of Numba that `parts` was not tested with."""
    plain = moves_in_fresh_process(CONNECT_FOUR, tmp_path / "cache", PERANKH_PLAIN_COMPILE="1")
    assert plain == simulate(get_game(CONNECT_FOUR), 2, 300, seed=1).moves


def test_the_versions_of_numba_are_capped_to_those_tried() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    (numba_range,) = (line for line in wanted if line.startswith("numba"))
    newest = max(tuple(map(int, version.split("."))) for version in parts.TESTED)
    assert numba_range.endswith(f"<{newest[0]}.{newest[1] + 1}")
    assert parts.supported(), "this version of Numba is compiled plainly: try it and add it to TESTED"


def test_a_compiler_error_is_one_line_with_file_line_and_cause(altered: Callable[..., Game]) -> None:
    game = altered(rules_py=("    drop(s, p, a)\n", "    drop(s, p, a.halves)\n"))
    with pytest.raises(BadGame, match=r"rules\.py:\d+: rules do not compile: .+") as failed:
        simulate(game, 2, 10)
    assert "\n" not in str(failed.value)


def test_an_edited_rule_or_component_is_never_run_stale(altered: Callable[..., Game], tmp_path: Path) -> None:
    folder = altered().folder
    cache = tmp_path / "cache"
    first = moves_in_fresh_process(folder, cache)
    builds = {path.name for path in cache.glob("*/*/*")}
    assert moves_in_fresh_process(folder, cache) == first
    assert {path.name for path in cache.glob("*/*/*")} == builds  # found on disk again
    components = folder / "components.toml"
    components.write_text(components.read_text("utf-8").replace("rows = 6", "rows = 4"), "utf-8")
    lower = moves_in_fresh_process(folder, cache)
    assert lower < first  # a lower board fills sooner, in machine code too
    rules = folder / "rules.py"
    rules.write_text(
        rules.read_text("utf-8").replace("if has_line(s.stones[p]):", "if False and has_line(s.stones[p]):"), "utf-8"
    )
    assert moves_in_fresh_process(folder, cache) == 300 * 28  # no line ends the game now


def test_an_index_out_of_bounds_is_found(altered: Callable[..., Game], tmp_path: Path) -> None:
    folder = altered(rules_py=("if has_line(s.stones[p]):", "if s.height[s.players + 9] or has_line(s.stones[p]):")).folder
    with pytest.raises(subprocess.CalledProcessError) as failed:
        moves_in_fresh_process(folder, tmp_path / "cache", NUMBA_BOUNDSCHECK="1")
    assert failed.value.stderr.endswith("IndexError: index is out of bounds\n")


def test_the_gpu_is_asked_for_in_vain_with_a_clear_word() -> None:
    game = get_game(CONNECT_FOUR)
    if game.cuda.cuda.is_available():
        pytest.skip("this machine has a GPU: the check `modes` compares it bit for bit")
    with pytest.raises(NoGpu, match="no CUDA device"):
        simulate(game, 2, 10, device="cuda")


def test_bad_requests() -> None:
    game = get_game(CONNECT_FOUR)
    with pytest.raises(BadOption, match="at least 1"):
        simulate(game, 2, 0)
    with pytest.raises(BadOption, match=f"not one of {', '.join(DEVICES)}"):
        simulate(game, 2, 1, device="abacus")
    with pytest.raises(BadOption, match="2 to 2 players"):
        simulate(game, 3, 1)


def test_option_sets_cover_every_value() -> None:
    game = get_game("cleocatra")
    for most in (None, 40):
        sets = option_sets(game, 3, most)
        assert any(len(options) > 1 for options in sets)
        for name, option in game.options.items():
            met = {options.get(name, option.default) for options in sets}
            assert met >= set(option.samples(3))


# --- Finding games ----------------------------------------------------------------------------------------------------


def test_games_are_found_by_name_path_shelf_and_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert get_game("mural") is get_game("mural")
    by_path = get_game(CONNECT_FOUR)
    assert by_path.name == "connect_four"
    monkeypatch.setenv("PERANKH_GAMES", str(CONNECT_FOUR.parent))
    assert get_game("connect_four") is by_path
    monkeypatch.delenv("PERANKH_GAMES")
    with pytest.raises(UnknownGame, match=r"there is no game 'connect_four'; there are: cleocatra, .*mural"):
        get_game("connect_four")
    installed = tmp_path / "site"
    (installed / "strangers").mkdir(parents=True)
    (installed / "strangers" / "drop").symlink_to(CONNECT_FOUR)
    (installed / "strangers" / "__init__.py").touch()
    information = installed / "strangers-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[perankh.games]\ndrop = strangers.drop\n")
    monkeypatch.syspath_prepend(str(installed))
    assert get_game("drop").actions == 7


@pytest.mark.parametrize("missing", ["rules.py", "text.py", "words.toml"])
def test_a_folder_without_a_file_says_what_to_add(altered: Callable[..., Game], missing: str) -> None:
    folder = altered().folder
    copy = folder.with_name(f"without_{missing.partition('.')[0]}")
    folder.rename(copy)
    (copy / missing).unlink()
    kind, message = (UnknownGame, "there is no game") if missing == "rules.py" else (BadGame, f"there is no {missing}")
    with pytest.raises(kind, match=message):
        assert get_game(copy).text


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("rules_py", "ENDINGS = ", "ENDING_NAMES = ", "rules lacks ENDINGS"),
        ("rules_py", "@rule\ndef actors(", "def actors(", "not marked @rule in rules: actors"),
        ("rules_py", "from __future__", "from __past__", "rules cannot be loaded"),
        (
            "rules_py",
            'numbers("i8", 2)',
            'number("i8", 2)',
            r"rules cannot be loaded: rules\.py:\d+ State: TypeError",
        ),
        ("rules_py", "ACTIONS = COLUMNS", "ACTIONS = COLUMS", r"rules cannot be loaded: rules\.py:\d+: NameError"),
        ("text_py", "def board(", "def plan(", "text lacks board"),
        ("drawing_py", "def paths(", "def ways(", "drawing lacks paths"),
    ],
)
def test_a_folder_that_breaks_the_contract_says_how(
    altered: Callable[..., Game], file: str, old: str, new: str, message: str
) -> None:
    def load() -> None:
        game = altered(**{file: (old, new)})
        assert game.text
        assert game.drawing

    with pytest.raises(BadGame, match=message):
        load()


def test_everything_that_a_folder_lacks_is_named_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = create(tmp_path / "heaps")
    lacking = {"rules.py": ("ENDINGS =", "def scores(", "@rule\ndef actors("), "text.py": ("def prompt(", "def board(")}
    for file, pieces in lacking.items():
        text = (folder / file).read_text("utf-8")
        for piece in pieces:
            assert piece in text
            text = text.replace(
                piece, "def actors(" if "actors" in piece else piece.replace("def ", "def no_").replace("ENDI", "NO_ENDI")
            )
        (folder / file).write_text(text, "utf-8")
    (folder / "drawing.py").write_text("PICTURES = {}\n", "utf-8")
    (folder / "words.toml").unlink()
    assert main(["check", str(folder)]) == 2
    said = capsys.readouterr().err
    for fault in (
        "rules lacks ENDINGS, scores",
        "not marked @rule in rules: actors",
        "text lacks prompt, board",
        "drawing lacks",
        "no words.toml",
    ):
        assert fault in said
    assert said.count("\n") == 1
