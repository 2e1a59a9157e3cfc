"""Match files, replays, verification, time travel, pictures."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from perankh.match import load, seed_hash

from ..conftest import CONNECT_FOUR, ROOT
from .conftest import Person

New = Callable[[], Person]


def played(red: Person) -> str:
    """A table at which red won against himself."""
    table = red.table(seats=[{"kind": "me", "name": "Aiko"}, {"kind": "me"}])
    for number, code in enumerate("abababa"):
        red.move(table, number, code, seat=number % 2)
    return table


def test_the_file_has_the_seed_only_after_the_end(person: New, tmp_path: Path) -> None:
    red = person()
    table = red.table(seats=[{"kind": "me"}] * 2)
    running = red.http.get(f"/api/tables/{table}/file")
    assert "\nseed:" not in running.text
    assert f"seed-hash: {red.view(table)['seed_hash']}" in running.text
    assert running.headers["content-disposition"].startswith("attachment")
    over = played(red)
    path = tmp_path / "match.perankh"
    path.write_text(red.ask("GET", f"/api/tables/{over}/file"), "utf-8")
    match = load(path, game=CONNECT_FOUR)
    assert match.names == ("Aiko", "")
    view = red.view(over)
    assert (view["seed"], view["seed_hash"], len(match.played)) == (f"{match.seed:032x}", seed_hash(match.seed), 7)
    assert match.deal
    assert match.deal.commitment == view["deal"]["commitment"]
    assert match.deal.secret.hex() == view["deal"]["secret"]


def test_a_file_becomes_a_table_for_looking(person: New) -> None:
    red, guest = person(), person()
    text = red.ask("GET", f"/api/tables/{played(red)}/file")
    table = guest.ask("POST", "/api/replays", None, 201, content=text.encode())["id"]
    view = guest.view(table)
    assert (view["readonly"], view["status"], view["number"], view["own"]) == (True, "over", 7, [])
    assert view["players"][0]["name"] == "Aiko"
    for at in range(8):
        earlier = guest.view(table, at=at, since=at, viewer=0)
        assert (earlier["at"], earlier["number"], earlier["moves"]) == (at, 7, [])
        assert sum(sprite["id"].startswith("stone-") and sprite["y"] > 132 for sprite in earlier["scene"]["sprites"]) == at
        assert sorted({line["n"] for line in earlier["log"]}) == list(range(at + 1, 8))
        assert (earlier["result"] is None) == (at < 7)
    guest.view(table, 404, at=8)
    guest.view(table, 404, at=-1)
    guest.sit(table, 409)
    guest.move(table, 7, "a", 403)
    assert view["deal"]["secret"]
    with guest.live(table) as live:
        live.view()
        live.send(type="look", at=3, since=2)
        assert live.view(lambda view: view["at"] == 3)["log_from"] == 3
        live.send(type="look", at=None, since=0)
        assert live.view(lambda view: view["at"] == 7)["result"]
        live.send(type="look", at=99)
        assert "no position 99" in live.answer()["error"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "perankh match 1\n",
        "perankh match 1\ngame: ../../tmp\n",
        "perankh match 1\ngame: connect_four\nseal: x\n",
        "\x00",
        "é" * 9,
    ],
)
def test_a_broken_file_is_refused(person: New, text: str) -> None:
    assert "match file" in person().ask("POST", "/api/replays", None, 422, content=text.encode())["error"] or "game" in text


def test_files_that_are_too_large_or_tampered_with_are_refused(person: New) -> None:
    red = person()
    text = red.ask("GET", f"/api/tables/{played(red)}/file")
    red.ask("POST", "/api/replays", None, 422, content=text.replace("Aiko", "Fool").encode())
    red.ask("POST", "/api/replays", None, 422, content=text.encode("utf-16"))
    red.ask("POST", "/api/replays", None, 413, content=b"x" * 200_001)
    red.ask("POST", "/api/replays", None, 413, content=b"x" * 300_000)

    def endless() -> object:
        for _ in range(300):
            yield b"x" * 1000

    assert red.http.post("/api/replays", content=endless()).status_code == 413  # type: ignore[arg-type]


def sealed(text: str) -> bytes:
    """A match file with a fitting seal, as a careful forger would make it."""
    body = text.rpartition("seal: ")[0]
    return f"{body}seal: {hashlib.sha256(body.encode()).hexdigest()}\n".encode()


def test_a_file_can_name_only_games_that_are_offered(person: New, tmp_path: Path) -> None:
    """A well-sealed file that names a folder on the server's disk: nothing in that folder runs, and no path is disclosed."""
    red = person()
    text = red.ask("GET", f"/api/tables/{played(red)}/file")
    (tmp_path / "words.toml").touch()
    (tmp_path / "rules.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n", "utf-8")
    names = (
        tmp_path,
        f"{tmp_path}/.",
        f"{tmp_path}{'/.' * 100}",
        f"../../../../../../../{tmp_path}",
        "x" * 5000,
        "",
        "a/b",
        "..",
    )
    for name in names:
        forged = text.replace("game: connect_four\n", f"game: {name}\n")
        for content in (sealed(forged), sealed(forged).replace(b"\n", b"\r\n"), sealed(forged.replace("\n", "\r\n"))):
            refusal = red.ask("POST", "/api/replays", None, 422, content=content)
            assert set(refusal["reason"]) == {"en", "ja"}
            assert len(refusal["error"]) < 400
        red.ask("POST", "/api/tables", {"game": str(name)[:100], "players": 2}, 404)
        red.http.get("/new/" + str(name)[:100].replace("/", "%2f"))
    assert not (tmp_path / "ran").exists()
    components = sealed(re.sub("components: .*", "components: " + "0" * 64, text))
    assert "/" not in red.ask("POST", "/api/replays", None, 422, content=components)["error"]


def test_a_file_with_other_line_ends_is_the_same_file(person: New) -> None:
    red = person()
    text = red.ask("GET", f"/api/tables/{played(red)}/file")
    table = red.ask("POST", "/api/replays", None, 201, content=text.replace("\n", "\r\n").encode())["id"]
    assert red.view(table)["number"] == 7
    for odd in ("\r", "\x85", "\u2028", "\x00"):
        red.ask("POST", "/api/replays", None, 422, content=sealed(text.replace("Aiko", f"Ai{odd}ko")))


@pytest.mark.parametrize("line", range(1, 8))
def test_a_file_without_one_of_its_lines_is_refused(person: New, line: int) -> None:
    red = person()
    lines = red.ask("GET", f"/api/tables/{played(red)}/file").splitlines(keepends=True)
    if lines[line - 1].startswith("name"):
        return
    red.ask("POST", "/api/replays", None, 422, content=sealed("".join(lines[: line - 1] + lines[line:])))


def test_pictures(person: New) -> None:
    guest = person().http
    art = guest.get("/art/connect_four.svg")
    assert art.headers["content-type"] == "image/svg+xml"
    assert '<symbol id="stone-0"' in art.text
    assert '<symbol id="button"' in art.text
    picture = guest.get("/picture/connect_four/line.svg?lang=ja&shape=tall&step=1")
    assert picture.text.startswith("<svg")
    assert "赤の勝ち" in picture.text
    for missing in ("/art/senet.svg", "/art/..%2Fx.svg", "/picture/connect_four/none.svg", "/picture/senet/setup.svg"):
        assert guest.get(missing).status_code == 404
    assert guest.get("/api/openapi.json").json()["info"]["title"] == "Per-Ankh"


def test_draw_writes_a_picture_of_a_position(person: New, tmp_path: Path) -> None:
    red = person()
    file, picture = tmp_path / "a.perankh", tmp_path / "a.svg"
    file.write_text(red.ask("GET", f"/api/tables/{played(red)}/file"), "utf-8")

    def draw(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "perankh.cli", "draw", str(file), "--game", str(CONNECT_FOUR), *more]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, "LC_ALL": "C"})

    done = draw("--at", "3", "--shape", "tall", "--lang", "ja", "-o", str(picture))
    assert done.returncode == 0, done.stderr
    assert picture.read_text("utf-8").count('data-id="stone-') == 3 + 7  # those that may fall next, too
    assert draw("-o", str(tmp_path / "no" / "where.svg")).returncode == 2
    assert draw("--at", "99", "-o", str(picture)).returncode == 2
