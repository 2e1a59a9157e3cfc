"""`perankh create` makes a game that passes every check and can be played at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from perankh.checks import run_checks
from perankh.cli import main
from perankh.create import create
from perankh.engine.game import get_game
from perankh.errors import BadOption
from perankh.match import Match

pytestmark = pytest.mark.xdist_group("connect_four-create")


def test_a_created_game_passes_every_check(tmp_path: Path) -> None:
    game = get_game(create(tmp_path / "sand_castle"))
    outcomes = {outcome.name: outcome for outcome in run_checks(game)}
    assert not [outcome for outcome in outcomes.values() if outcome.verdict == "failed"]
    skipped = {name for name, outcome in outcomes.items() if outcome.verdict == "skipped"}
    assert skipped <= {"guides", "card", "lesson", "playthroughs", "explanations", "puzzles"}
    assert game.words.say("game.name", "ja") == "Sand Castle"  # one language is enough


def test_its_tests_pass_and_it_can_be_played_and_drawn(tmp_path: Path) -> None:
    folder = create(tmp_path / "sand_castle")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)], capture_output=True, text=True, check=False
    )
    assert "3 passed" in done.stdout, done.stdout
    match = Match(folder, 2, seed=5, options={"start_player": 0})
    for code in ("take3", "take1", "take2"):
        match.play(code)
    assert match.log()[0] == "Red takes 3, leaving 12."
    assert "Take 3" in match.view(1).svg()


@pytest.mark.parametrize("name", ["Sand", "1st", "sand-castle", "x", "a" * 40, ".hidden"])
def test_a_bad_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadOption, match="is no name for a game"):
        create(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["create", str(tmp_path / "sand")]) == 0
    assert "perankh check" in capsys.readouterr().out
    (tmp_path / "sand" / "rules.py").write_text("mine")
    assert main(["create", str(tmp_path / "sand")]) == 2
    assert "exists already" in capsys.readouterr().err
    assert (tmp_path / "sand" / "rules.py").read_text() == "mine"
