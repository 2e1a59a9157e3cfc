"""Tables whose game has other rules, or other components, than when they were played."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from perankh.engine.words import LANGUAGES

from ..conftest import ROOT
from .conftest import Person, Server, counted

WON = ("a", "b", "a", "b", "a", "b", "a")  # the first seat has four in a column
NEW_FIELD = '    over: int = number("i1")'


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder with a copy of Connect Four, whose rules a test changes."""
    shutil.copytree(
        ROOT / "examples" / "connect_four", tmp_path / "games" / "connect_four", ignore=shutil.ignore_patterns("tests")
    )
    return tmp_path / "games"


@pytest.fixture
def server(tmp_path: Path, shelf: Path) -> Iterator[Any]:
    running = Server(tmp_path / "data", games=shelf).start()
    yield running
    running.kill()


def change(shelf: Path, name: str, *changes: tuple[str, str]) -> None:
    """Change a file of the game; every change must find its place.

    Python knows compiled modules by size and second, so the time of the file goes on by more than one.
    """
    path = shelf / "connect_four" / name
    text, later = path.read_text(), path.stat().st_mtime + 2
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    os.utime(path, (later, later))


def raised(shelf: Path, *changes: tuple[str, str]) -> None:
    """The next version of the rules, with whatever is changed in them."""
    change(shelf, "rules.py", ("VERSION = 1\n", "VERSION = 2\n"), *changes)


def start_again(server: Any) -> None:
    """A server on the same data, with the game as it is now."""
    server.kill()
    server.start()


def rows(server: Any, question: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(server.data / "perankh.db")) as database:
        return database.execute(question, values).fetchall()


def wait_until(fits: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 120
    while not fits():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def archived(server: Any, table: str) -> None:
    wait_until(lambda: rows(server, "SELECT 1 FROM archives WHERE table_id = ?", table))


def finished(server: Any, codes: tuple[str, ...] = WON) -> tuple[str, Person, Person]:
    """A match of two persons."""
    red, yellow = Person(server), Person(server)
    red.http.timeout = yellow.http.timeout = 120
    table = red.table(seats=[{"kind": "me", "name": "Aiko"}, {"kind": "open"}])
    yellow.sit(table, name="Ben")
    for number, code in enumerate(codes):
        (red, yellow)[number % 2].move(table, number, code)
    return table, red, yellow


def looked_at(person: Person, table: str, count: int) -> list[Any]:
    """Every position of a match as a person gets it, without what may change from one start to the next."""
    views = [person.view(table, at=number) for number in range(count + 1)]
    return [{name: view[name] for name in ("scene", "text", "number", "at", "by", "log", "events", "viewer")} for view in views]


def test_a_finished_match_is_replayed_as_it_was_under_rules_of_a_later_version(server: Any, shelf: Path) -> None:
    table, red, yellow = finished(server)
    before, seen = red.view(table), looked_at(yellow, table, len(WON))
    file = red.ask("GET", f"/api/tables/{table}/file")
    archived(server, table)
    raised(shelf, (NEW_FIELD, '    extra: list[int] = numbers("i4", 5)  # new\n' + NEW_FIELD))
    start_again(server)
    after = red.view(table)
    assert (before["earlier_rules"], after["earlier_rules"]) == (False, True)
    same = ("status", "number", "log", "events", "scene", "text", "result", "seed", "deal", "options", "title", "prompt", "own")
    assert {name: after[name] for name in same if after[name] != before[name]} == {}
    assert [player["score"] for player in after["players"]] == [player["score"] for player in before["players"]]
    assert looked_at(yellow, table, len(WON)) == seen
    assert red.ask("GET", f"/api/tables/{table}/file") == file
    assert file.splitlines()[2] == "rules: 1"
    assert "earlier rules" in red.ask("GET", f"/api/tables/{table}/analysis", status=409)["error"]
    with red.live(table, since=0) as live:
        assert live.view()["number"] == len(WON)
        live.send(type="look", at=3)
        assert live.view(lambda view: view["at"] == 3)["by"] == 0


def test_results_files_and_rematches_of_matches_under_earlier_rules(server: Any, shelf: Path) -> None:
    table, red, yellow = finished(server)
    archived(server, table)
    raised(shelf)
    start_again(server)
    assert [match["place"] for match in counted(red)["matches"]] == [1]
    assert [match["place"] for match in counted(yellow)["matches"]] == [2]
    assert "0: a\n1: b" in red.ask("GET", f"/api/tables/{table}/file")
    following = red.ask("POST", f"/api/tables/{table}/rematch")["id"]
    red.start(following)
    yellow.start(following)
    assert red.view(following)["status"] == "playing"  # under the present rules


def test_scores_and_ends_are_those_of_then_though_the_rules_count_otherwise(server: Any, shelf: Path) -> None:
    table, red, _ = finished(server)
    before = red.view(table)
    archived(server, table)
    raised(shelf, ('ENDINGS = ("line", "full")', 'ENDINGS = ("row", "full")'))
    change(shelf, "words.toml", ("[ending.line]", "[ending.row]"))
    change(shelf, "components.toml", ("rows = 6", "rows = 5"))
    start_again(server)
    after = red.view(table)
    assert after["result"]["scores"] == before["result"]["scores"]
    assert after["result"]["ranks"] == before["result"]["ranks"] == [1, 2]
    assert after["number"] == len(WON)


def test_what_cannot_be_drawn_or_told_any_more_is_said_in_words(server: Any, shelf: Path) -> None:
    table, red, _ = finished(server)
    archived(server, table)
    raised(shelf)
    for name, function in (("drawing.py", "def scene("), ("text.py", "def log_lines(")):
        change(shelf, name, (function, function.replace("def ", "def earlier_")))
        with (shelf / "connect_four" / name).open("a") as file:
            file.write(f"\n\n{function}*given):\n    raise IndexError('no such card')\n")
    start_again(server)
    view = red.view(table)
    assert "cannot be drawn any more" in view["text"]
    assert [line["text"] for line in view["log"]][:2] == ["Aiko: a", "Ben: b"]
    assert red.view(table, at=2, lang="ja")["text"].startswith("この局面は以前のルール")


def test_a_running_match_of_earlier_rules_is_refused_in_both_languages(server: Any, shelf: Path) -> None:
    table, red, _ = finished(server, WON[:3])
    raised(shelf)
    start_again(server)
    said = red.ask("GET", f"/api/tables/{table}", status=409)
    assert "was begun under other rules" in said["reason"]["en"]
    assert "続けることができません" in said["reason"]["ja"]
    assert said["reason"].keys() == set(LANGUAGES)
    with red.live(table) as live:
        assert live.next()["reason"] == said["reason"]
    red.move(table, 3, "a", status=409)
    (listed,) = red.ask("GET", "/api/tables")
    assert (listed["status"], listed["your_turn"]) == ("stopped", False)
    assert "begun under earlier rules" in red.ask("GET", "/")
    change(shelf, "rules.py", ("VERSION = 2\n", "VERSION = 1\n"))
    start_again(server)
    assert red.view(table)["number"] == 3  # with the earlier rules installed again, it goes on


def test_a_table_that_waits_is_played_under_the_present_rules(server: Any, shelf: Path) -> None:
    red, yellow = Person(server), Person(server)
    red.http.timeout = yellow.http.timeout = 120
    table = red.table(ready=False)
    raised(shelf)
    start_again(server)
    yellow.sit(table)
    red.start(table)
    assert red.view(table)["status"] == "playing"
    assert rows(server, "SELECT rules FROM tables WHERE id = ?", table) == [(2,)]


def test_archives_of_matches_that_ended_before_there_were_any_are_made(server: Any) -> None:
    table, _, _ = finished(server)
    archived(server, table)
    server.kill()
    with closing(sqlite3.connect(server.data / "perankh.db")) as database:
        database.execute("DELETE FROM archives")
        database.execute("UPDATE tables SET archived = -1")
        database.commit()
    server.start()
    archived(server, table)


def test_a_match_without_an_archive_and_a_damaged_one_are_refused(server: Any, shelf: Path) -> None:
    first, red, _ = finished(server)
    second, blue, _ = finished(server)
    archived(server, first)
    archived(server, second)
    raised(shelf)
    server.kill()
    with closing(sqlite3.connect(server.data / "perankh.db")) as database:
        database.execute("DELETE FROM archives WHERE table_id = ?", [first])
        database.execute("UPDATE archives SET content = substr(content, 1, 40) WHERE table_id = ?", [second])
        database.commit()
    server.start()
    for person, table in ((red, first), (blue, second)):
        assert "positions were not kept" in person.ask("GET", f"/api/tables/{table}", status=409)["error"]


def test_an_archive_names_nobody(server: Any) -> None:
    from perankh.match.archive import unpacked

    table, _, _ = finished(server)
    archived(server, table)
    ((content,),) = rows(server, "SELECT content FROM archives WHERE table_id = ?", table)
    facts, states = unpacked(content)
    assert len(states) == len(WON) + 1
    assert not {"Aiko", "Ben"} & set(str(facts).replace("'", " ").split())
