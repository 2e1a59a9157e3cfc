"""Match files that earlier versions saved still replay, move by move, to the same result."""

from __future__ import annotations

from pathlib import Path

import pytest

from perankh.engine.game import game_names
from perankh.match import load

FILES = sorted((Path(__file__).parent / "files").glob("*.perankh"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_an_earlier_version_replays(path: Path) -> None:
    """Loading refuses a file whose moves are not legal, or whose ending or scores are not those of the replay."""
    match = load(path)
    lines = dict(line.split(": ", 1) for line in path.read_text("utf-8").splitlines()[1:] if ": " in line)
    assert match.over
    assert match.ending == lines["ending"]
    assert match.scores == [int(points) for points in lines["scores"].split()]
    match.verify(lines["seed-hash"])
    assert match.log(-1, "ja")


def test_there_is_a_file_of_every_game() -> None:
    assert {path.stem.partition("-")[0] for path in FILES} == set(game_names())
