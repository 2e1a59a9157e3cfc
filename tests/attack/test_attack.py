"""The short form of the attack program; and that the program would notice what it looks for."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from perankh.match import Match
from perankh.web import rendering

from ..conftest import ROOT
from .canary import percentile
from .files import mutated, whole_files
from .house import House
from .people import Person, Tally
from .witness import Witness, view_fault


@pytest.mark.xdist_group("web")
def test_the_server_withstands_the_short_attack() -> None:
    command = [sys.executable, "-m", "tests.attack", "--short", "--seed", "7"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("frames", "requests", "files", "honest players", "hidden cards"):
        assert f"ok      {name} " in done.stdout


def made_view(match: Match, viewer: int) -> Any:
    """A view as the server makes it."""
    game = match.game
    told = match.events(viewer)
    names = tuple(game.seat_name(p, "en") for p in range(match.players))
    seats = rendering.Seats({"en": names}, tuple(range(match.players)))
    drawn = rendering.position(game, game.veiled(match.state, viewer), told[-1], seats, viewer, "en", "wide", False)
    lines = [{"text": line} for texts in match.log_by_move(viewer, "en") for line in texts]
    view = {"type": "view", "table": "t", "status": "playing", "readonly": False, "own": [viewer], "seed": None, "log_from": 1}
    view |= {"viewer": viewer, "at": match.number, "number": match.number, "title": game.words.say("game.name", "en")}
    view |= {"moves": [], "scene": json.loads(drawn["scene"].json()), "text": drawn["text"], "prompt": "", "log": lines}
    colours = game.drawing.SEAT_COLOURS
    view["players"] = [{"score": score, "name": names[p], "colour": colours[p]} for p, score in enumerate(drawn["scores"])]
    view["happened"] = drawn["happened"]
    view["events"] = [
        {"n": n, "kind": event.kind.name.lower(), "seat": event.seat, **event.by_name()}
        for n, events in enumerate(told, 1)
        for event in events
    ]
    return view


@pytest.mark.parametrize("part", ["scene", "text", "events", "log"])
def test_what_another_seat_may_know_is_noticed(part: str) -> None:
    match, luck = Match("mural", 2, 5), random.Random(3)
    for _ in range(20):
        match.play(luck.choice(match.moves()))
    views = {viewer: made_view(match, viewer) for viewer in (-1, 0, 1)}
    positions = list(match.positions())
    noticed = 0
    for view in views.values():
        assert view_fault(match, positions, {}, view) == ""
        for other in views.values():
            if other[part] != view[part]:
                assert view_fault(match, positions, {}, view | {part: other[part]})
                noticed += 1
    assert noticed


def test_a_foreign_view_and_a_seed_are_noticed(tmp_path: Path) -> None:
    witness, somebody = Witness(), Person(House(tmp_path))
    match = Match("mural", 2, 5)
    match.play(match.moves()[0])
    view = made_view(match, 1)
    witness.see(somebody, json.dumps(view))
    assert not witness.faults
    witness.see(somebody, json.dumps(view | {"own": [0]}))
    assert "got the view of seat 1" in witness.faults.pop()
    witness.see(somebody, json.dumps(view | {"seed": "00"}))
    assert "got the seed" in witness.faults.pop()


def test_a_server_error_is_a_fault_and_overload_is_counted_apart() -> None:
    tally = Tally()
    for status in (200, 404, 503):
        tally.count(status, b"GET / HTTP/1.1")
    assert (tally.faults, tally.overload) == ([], 1)
    tally.count(500, b"GET /x HTTP/1.1")
    assert tally.faults == ["500 in answer to b'GET /x HTTP/1.1'"]
    assert percentile([1.0] * 95 + [9.0] * 5, 0.99) == 9.0


def test_a_traceback_in_the_log_is_a_fault(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.log.write_text("Per-Ankh is open\nTraceback (most recent call last):\n")
    assert house.faults() == ["Traceback (most recent call last):"]


def test_mutated_files_differ_and_repeat_with_their_seed() -> None:
    luck, again = random.Random(4), random.Random(4)
    files = [mutated(luck) for _ in range(300)]
    assert files == [mutated(again) for _ in range(300)]
    whole = {text.encode() for text in whole_files()}
    assert len(set(files) - whole) > 250
