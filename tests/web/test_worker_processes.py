"""Worker processes that end or hang: the table goes on, and they are replaced."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import Live, Person, Server

LIMIT = 10.0  # seconds after which the server gives up a process


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Any]:
    running = Server(tmp_path / "data", work_limit=LIMIT, workers=2).start()
    yield running
    running.kill()


def play(live: Live, number: int, code: str) -> Any:
    """Make a move; the view in which the bot has answered it."""
    begin = time.monotonic()
    assert live.move(number, code)["type"] == "done"
    assert time.monotonic() - begin < LIMIT, "the answer waited for a worker"
    return live.until(lambda frame: frame["type"] == "view" and frame["number"] >= number + 2, timeout=240)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "hanging"])
def test_the_table_goes_on(impatient: Any, how: signal.Signals) -> None:
    red = Person(impatient)
    table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    with red.live(table) as live:
        live.view(lambda view: view["moves"])
        play(live, 0, "a")
        time.sleep(2)  # another process may just be starting; one that is stopped then is given up after a minute
        before = set(impatient.workers())
        assert len(before) >= 2  # at least one that renders and one that plays
        for pid in before:
            os.kill(pid, how)
        view = play(live, 2, "b")
        assert len(view["log"]) == 4
        assert play(live, 4, "a")["number"] == 6  # the processes that play take turns
        assert play(live, 6, "b")["number"] == 8
        assert len(before - set(impatient.workers())) >= 2  # one that has nothing to do is noticed when it is needed


def test_a_hint_comes_though_its_process_hangs(impatient: Any) -> None:
    red = Person(impatient)
    table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    with red.live(table) as live:
        live.view(lambda view: view["moves"])
        play(live, 0, "a")
    for pid in set(impatient.workers()):
        os.kill(pid, signal.SIGSTOP)
    assert red.ask("POST", f"/api/tables/{table}/hint", {}, 200, timeout=90)["code"] in "abcdefg"


def test_what_no_process_does_in_time_is_answered_503_and_the_log_says_so(tmp_path: Path) -> None:
    running = Server(tmp_path / "data", work_limit=0.0001, workers=1)
    running.log = tmp_path / "log"
    running.start()
    try:
        guest = Person(running)
        table = guest.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
        day = guest.ask("GET", "/api/puzzles")["games"][0]
        puzzle = f"/api/puzzles/{day['game']}/{day['daily']}"
        picture, view = f"/t/{table}/preview.png", f"/api/tables/{table}"
        for method, path in (("GET", puzzle), ("POST", puzzle), ("GET", picture), ("GET", view)):
            answer = guest.http.request(method, path, json={} if method == "POST" else None)
            assert answer.status_code == 503, (path, answer.text)
            assert answer.json()["reason"].keys() == {"en", "ja"}
    finally:
        running.kill()
    log = running.log.read_text()
    assert "a view could not be made" in log
    assert "Traceback" not in log
    assert "never retrieved" not in log
