"""The compiled rules: never stale, the same on any number of threads, with a corrected component at once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from perankh.engine import loops
from perankh.engine.cuda import NoGpu
from perankh.engine.game import Game, game_names, get_game
from perankh.engine.rule import Table
from perankh.engine.simulate import DEVICES, option_sets, random_moves, simulate
from perankh.errors import BadGame, BadOption, UnknownGame

from ..conftest import CONNECT_FOUR

pytestmark = pytest.mark.xdist_group("connect_four")


def test_tables_become_the_smallest_arrays_that_hold_them() -> None:
    assert Table.of([[1, 2], [3, 4]]).array().dtype == np.int8
    assert Table.of([1000]).array().dtype == np.int16
    assert Table.of([100_000]).array().dtype == np.int32
    assert Table.of([2**40]).array().tolist() == [2**40]


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
from perankh.engine.native import build_folder
print(build_folder(get_game(sys.argv[1])))
"""


def test_machine_code_is_kept_apart_by_processor_and_compiler_settings() -> None:
    def folder(**environment: str) -> str:
        command = [sys.executable, "-c", FOLDER, str(CONNECT_FOUR)]
        return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True).stdout

    here = folder()
    assert folder() == here
    others = {folder(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES=""), folder(NUMBA_OPT="1"), folder(NUMBA_BOUNDSCHECK="1")}
    assert len(others | {here}) == 4


def test_an_edited_rule_or_component_is_never_run_stale(altered: Callable[..., Game], tmp_path: Path) -> None:
    folder = altered().folder
    cache = tmp_path / "cache"
    first = moves_in_fresh_process(folder, cache)
    builds = {path.name for path in cache.glob("*/*")}
    assert moves_in_fresh_process(folder, cache) == first
    assert {path.name for path in cache.glob("*/*")} == builds  # found on disk again
    components = folder / "components.toml"
    components.write_text(components.read_text("utf-8").replace("rows = 6", "rows = 4"), "utf-8")
    lower = moves_in_fresh_process(folder, cache)
    assert lower < first  # a lower board fills sooner, in machine code too
    rules = folder / "rules.py"
    rules.write_text(
        rules.read_text("utf-8").replace("if has_line(s.stones[p]):", "if False and has_line(s.stones[p]):"), "utf-8"
    )
    assert moves_in_fresh_process(folder, cache) == 300 * 28  # no line ends the game now


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in (*game_names(), str(CONNECT_FOUR))]
)
def test_the_compiled_rules_stay_within_bounds(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "perankh.cli", "check", name, "--only", "invariants", "--effort", "0.1"],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1"},  # compiles sooner, and few games are played
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("passed") == 1


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


@pytest.mark.parametrize("missing", ["invariants.py", "face.py", "components.toml", "words.toml"])
def test_a_folder_without_a_file_says_what_to_add(altered: Callable[..., Game], missing: str) -> None:
    folder = altered().folder
    copy = folder.with_name(f"without_{missing.partition('.')[0]}")
    folder.rename(copy)
    (copy / missing).unlink()
    with pytest.raises(BadGame, match=f"has no {missing}"):
        get_game(copy)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("rules_py", "ENDINGS = ", "ENDING_NAMES = ", "does not say ENDINGS"),
        ("rules_py", "def veil(", "def veiled(", "no @rule function veil"),
        ("rules_py", "from __future__", "from __past__", "rules.py cannot be loaded"),
        ("invariants_py", "INVARIANTS = ", "ALWAYS = ", "does not list its INVARIANTS"),
    ],
)
def test_a_folder_that_breaks_the_contract_says_how(
    altered: Callable[..., Game], file: str, old: str, new: str, message: str
) -> None:
    with pytest.raises(BadGame, match=message):
        altered(**{file: (old, new)})
