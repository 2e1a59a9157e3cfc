"""A server that is killed comes back with everything it had answered."""

from __future__ import annotations

import importlib
import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from perankh.errors import PerankhError
from perankh.web.storage import VERSION, Storage

from ..conftest import ROOT
from .conftest import Person, Server, web_server


def test_kill_and_come_back(own_server: Any) -> None:
    red, yellow = Person(own_server), Person(own_server)
    table = red.table(seats=[{"kind": "me", "name": "Aiko"}, {"kind": "open"}], clock={"minutes": 9, "increment": 0})
    yellow.sit(table, name="Ben")
    for number, code in enumerate("abcd"):
        (red, yellow)[number % 2].move(table, number, code)
    red.ask("POST", f"/api/tables/{table}/undo", {})
    yellow.ask("PATCH", f"/api/tables/{table}/seats/1", {"name": "Benjamin"})
    red.ask("POST", f"/api/tables/{table}/undo", {})
    before = red.view(table)
    assert before["request"]
    own_server.kill()
    own_server.start()
    after = red.view(table)
    for part in ("number", "own", "log", "scene", "text", "request", "notices", "seed_hash", "status", "may_undo"):
        assert after[part] == before[part], part
    assert [player["name"] for player in after["players"]] == ["Aiko", "Benjamin"]
    yellow.ask("POST", f"/api/tables/{table}/votes", {"what": "undo", "agree": True})
    own_server.kill()
    own_server.start()
    assert red.view(table)["number"] == 2
    red.move(table, 2, "g")


def test_a_bot_goes_on_after_a_crash(tmp_path: Path) -> None:
    server = Server(tmp_path, bot_pause=1.5).start()
    try:
        red = Person(server)
        table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
        red.move(table, 0, "a")
        server.kill()
        server.start()
        with red.live(table) as live:
            assert live.view(lambda view: view["number"] == 2)["moves"]
    finally:
        server.kill()


def test_no_process_is_left_behind(own_server: Any) -> None:
    red = Person(own_server)
    table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    red.move(table, 0, "a")
    with red.live(table) as live:
        live.view(lambda view: view["number"] == 2)
    pid = own_server.process.pid
    workers = own_server.workers()
    assert len(workers) >= 2
    children = [*workers, *web_server.children(pid)]
    own_server.kill()
    deadline = time.monotonic() + 60
    while any(
        Path(f"/proc/{child}/stat").exists() and " Z " not in Path(f"/proc/{child}/stat").read_text() for child in children
    ):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_idle_tables_are_dropped_and_loaded_again(tmp_path: Path) -> None:
    server = Server(tmp_path, idle=0.2).start()
    try:
        red = Person(server)
        table = red.table(seats=[{"kind": "me"}] * 2)
        red.move(table, 0, "a")
        time.sleep(1.2)
        assert red.view(table)["number"] == 1
        with red.live(table, viewer=1) as live:
            live.view()
            time.sleep(1.2)
            assert live.move(1, "b", 1)["type"] == "done"
    finally:
        server.kill()


def test_a_match_under_other_rules_is_not_changed_silently(own_server: Any) -> None:
    red = Person(own_server)
    table = red.table(seats=[{"kind": "me"}] * 2)
    red.move(table, 0, "a")
    own_server.kill()
    with sqlite3.connect(own_server.data / "perankh.db") as database:
        database.execute("UPDATE tables SET rules = 99")
    database.close()
    own_server.start()
    assert "other rules" in red.view(table, 409)["error"]


def test_data_of_a_newer_version_are_refused(tmp_path: Path) -> None:
    Storage(tmp_path).close()
    Storage(tmp_path).close()
    with sqlite3.connect(tmp_path / "perankh.db") as database:
        database.execute("UPDATE schema SET version = ?", [VERSION + 1])
    database.close()
    with pytest.raises(PerankhError, match="use a newer one"):
        Storage(tmp_path)
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(PerankhError, match="cannot be used"):
        Storage(file / "folder")


@pytest.fixture
def soaked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run a soak of `bench` here, with servers that start at once; its figures."""
    monkeypatch.syspath_prepend(ROOT / "bench")

    def soak(name: str, arguments: str, **replaced: Any) -> Any:
        program = importlib.import_module(name)
        for part, other in ({"Server": Server} | replaced).items():
            monkeypatch.setattr(program, part, other)
        monkeypatch.setattr(sys, "argv", [name, *arguments.split()])
        status, said = program.main(), capsys.readouterr().out
        assert status == 0, said
        return json.loads(said)

    return soak


def test_a_small_soak(soaked: Callable[..., Any]) -> None:
    figures = soaked("web_soak", "--clients 8 --matches 16 --kills 2 --games connect_four --processes 1 --minutes 3")
    assert figures["kills"] == 2
    assert figures["matches"] == 16
    assert figures["answered_moves"] == figures["stored_moves"] > 100


def test_a_small_soak_of_several_servers(soaked: Callable[..., Any], database_server: str) -> None:
    sizes = "--servers 2 --clients 6 --matches 18 --kills 4 --rolling 0 --games connect_four --processes 1 --minutes 4"
    figures = soaked("cluster_soak", sizes, postgresql=lambda: nullcontext(database_server))
    assert (figures["matches"], figures["with_bots"]) == (18, 6)
    assert (figures["server_kills"], figures["cuts"]) == (2, 2)
    assert figures["positions_seen"] > 100


def test_two_servers_on_one_port(own_server: Any) -> None:
    command = [sys.executable, "-m", "perankh.cli", "serve", "--no-open", "--port", str(own_server.port)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr == f"perankh: port {own_server.port} on 127.0.0.1 is in use; choose another with --port\n"
