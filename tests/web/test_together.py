"""Games in which several seats decide at the same time."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from typing import Any

import pytest

from ..conftest import CONNECT_FOUR
from .conftest import Person, Server

CHANGES = {
    "rules.py": [("return 0 if s.over else 1 << s.turn", "return 0 if s.over else 3")],
    "drawing.py": [("if s.over or s.turn != p:", "if s.over:")],
}


@pytest.fixture(scope="module")
def hurry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server with a Connect Four in which both may always drop a stone."""
    folder = tmp_path_factory.mktemp("shelf")
    shutil.copytree(CONNECT_FOUR, folder / "hurry", ignore=shutil.ignore_patterns("__pycache__"))
    for file, changes in CHANGES.items():
        path = folder / "hurry" / file
        text = path.read_text("utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, "utf-8")
    running = Server(folder / "data", folder).start()
    yield running
    running.kill()


def test_both_may_move_and_numbers_keep_order(hurry: Any) -> None:
    red, yellow = Person(hurry), Person(hurry)
    table = red.table(game="hurry", clock={"minutes": 1, "increment": 0})
    yellow.sit(table)
    with red.live(table) as first, yellow.live(table) as second:
        for live in (first, second):
            view = live.view(lambda view: view["status"] == "playing")
            assert len(view["moves"]) == 7
            assert [player["acting"] for player in view["players"]] == [True, True]
        second.send(type="move", number=0, code="a")
        first.send(type="move", number=0, code="b")
        answers = [first.answer(), second.answer()]
        assert sorted(answer["type"] for answer in answers) == ["done", "refused"]
        late = next(live for live, answer in zip((first, second), answers, strict=True) if answer["type"] == "refused")
        assert late.move(1, "c")["type"] == "done"
        time.sleep(0.3)  # the clocks run in tenths of a second
        assert late.move(2, "c")["type"] == "done"  # nobody has to wait
        clocks = [player["clock"] for player in red.view(table)["players"]]
        assert all(clock < 60 for clock in clocks)


def test_one_person_with_both_seats_says_which(hurry: Any) -> None:
    red = Person(hurry)
    table = red.table(game="hurry", seats=[{"kind": "me"}, {"kind": "me"}])
    assert "which of your seats" in red.move(table, 0, "a", 422)["error"]
    red.move(table, 0, "a", seat=1)
    assert red.move(table, 0, "a")["number"] == 0
    assert len(red.view(table, viewer=1)["moves"]) == 7


def test_bots_decide_at_the_same_time_as_persons(hurry: Any) -> None:
    red = Person(hurry)
    table = red.table(game="hurry", seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    with red.live(table) as live:
        view = live.view(lambda view: view["status"] == "over")
    assert view["result"]
