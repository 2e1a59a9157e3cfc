"""Runs as a person starts them: real processes, a real kill, a real Ray."""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from perankh.arena.run import Results
from perankh.arena.schedule import Schedule, settings_of
from tests.conftest import CONNECT_FOUR, ROOT
from tests.forked import finished
from tests.web.conftest import web_server

workers_of = web_server.workers_of

pytestmark = pytest.mark.xdist_group("connect_four-arena")
BOTS = "random,apprentice,scribe"
HEAD = """
import sys, ray
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
print(ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
"""


def command(out: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "perankh.cli", "arena", str(CONNECT_FOUR), "--bots", BOTS, "--out", str(out), *more]


def arena(out: Path, *more: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return finished(*command(out, *more)[2:], environment={**os.environ, "LC_ALL": "C.UTF-8", **environment})


def rows(out: Path) -> list[dict[str, Any]]:
    """The results, without the time they took."""
    found = [json.loads(line) for line in (out / "results.jsonl").read_text("utf-8").splitlines()[1:]]
    return [{name: value for name, value in row.items() if name != "seconds"} for row in found]


def wait_until(true: Any, seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    run = subprocess.Popen(command(tmp_path, "--deals", "60", "--workers", "2"), cwd=ROOT)
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > 20)
    workers = workers_of(run.pid)
    assert len(workers) >= 2 or sys.platform != "linux"
    run.send_signal(signal.SIGKILL)
    run.wait()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    before = path.read_bytes()
    kept = before[: before.rfind(b"\n") + 1]
    assert 20 < kept.count(b"\n") < 361
    path.write_bytes(kept + b'{"key":"connect_four/2/usual/9/scr')

    done = arena(tmp_path, "--deals", "60", "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert path.read_bytes().startswith(kept)
    keys = [row["key"] for row in rows(tmp_path)]
    wanted = [plan.key for plan in Schedule(settings_of([str(CONNECT_FOUR)], [], {}), tuple(BOTS.split(",")), 60).matches()]
    assert sorted(keys) == sorted(wanted)

    again, longer = arena(tmp_path, "--deals", "60"), arena(tmp_path, "--deals", "61")
    assert again.stdout == done.stdout
    assert longer.returncode == 0
    assert len(rows(tmp_path)) == len(keys) + 6
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["matches"] == 366


@pytest.mark.parametrize("inherited", [signal.default_int_handler, signal.SIG_IGN])
def test_a_run_stopped_at_the_keyboard_keeps_its_results(tmp_path: Path, inherited: Any) -> None:
    """Also where the shell started it in the background, with SIGINT ignored."""
    path = tmp_path / "results.jsonl"
    before = signal.signal(signal.SIGINT, inherited)
    try:
        run = subprocess.Popen(command(tmp_path, "--deals", "2000", "--workers", "1"), cwd=ROOT, stderr=subprocess.PIPE)
    finally:
        signal.signal(signal.SIGINT, before)
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > 5)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate()
    assert run.returncode == 130
    assert said.strip() == b""
    assert path.read_bytes().endswith(b"}\n")
    assert 5 <= len(rows(tmp_path)) < 12000


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_match_whose_worker_is_killed_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    run = subprocess.Popen(command(tmp_path, "--deals", "60", "--workers", "2"), cwd=ROOT, stdout=subprocess.DEVNULL)
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > 20)
    workers = workers_of(run.pid)
    assert len(workers) == 2
    os.kill(workers[0], signal.SIGKILL)
    assert run.wait() == 0
    keys = [row["key"] for row in rows(tmp_path)]
    assert len(keys) == len(set(keys)) == 360


def test_the_same_request_gives_the_same_results_whoever_works(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert arena(one, "--deals", "3", "--workers", "1").returncode == 0
    assert arena(two, "--deals", "3", "--workers", "2").returncode == 0
    assert sorted(rows(one), key=str) == sorted(rows(two), key=str)
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed: pip install 'perankh[arena]'")
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}  # a cluster of this test alone
    head = subprocess.Popen(
        [sys.executable, "-c", HEAD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **token}
    )
    try:
        assert head.stdout
        address = head.stdout.readline().strip()
        three = tmp_path / "three"
        done = arena(three, "--deals", "3", "--ray", address, **token)
        assert done.returncode == 0, done.stderr
        assert sorted(rows(three), key=str) == sorted(rows(one), key=str)
    finally:
        head.communicate("")
    assert head.returncode == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('"seed":0', "holds results of another run: its seed were 5, now they are 0"),
        ("version 1", "its rules were"),
        ("RandomBot()", "its bots were"),
        ('"perankh":"arena"', "is not a file of arena results"),
    ],
)
def test_results_of_another_run_are_refused(tmp_path: Path, line: str, message: str) -> None:
    schedule = Schedule(settings_of([str(CONNECT_FOUR)], [], {}), tuple(BOTS.split(",")), 20)
    path = tmp_path / "results.jsonl"
    Results(path, schedule).close()
    text = path.read_text("utf-8")
    assert line in text
    path.write_text(text.replace(line, {'"seed":0': '"seed":5', "version 1": "version 0"}.get(line, "x")), "utf-8")
    if line == '"perankh":"arena"':
        path.write_text('{"perankh":"soak"}\n', "utf-8")
    changed = path.read_bytes()
    done = arena(tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert path.read_bytes() == changed


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    Results(path, Schedule(settings_of([str(CONNECT_FOUR)], [], {}), tuple(BOTS.split(",")), 20)).close()
    with path.open("a") as file:
        file.write("nonsense\n{}\n")
    done = arena(tmp_path)
    assert done.returncode == 2
    assert "line 2 is not a result of an arena" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("arena", "senet"), "there is no game 'senet'"),
        (("arena", "mural", "--bots", "random,sphinx"), "there is no bot 'sphinx'"),
        (("arena", "mural", "--bots", "random"), "an arena needs at least 2 bots"),
        (("arena", "mural", "--bots", "random,"), "write it as a list with commas"),
        (("arena", "mural", "--players", "two"), "--players two: write it as numbers"),
        (("arena", "mural", "--players", "9"), "mural is for 2 to 4 players, not 9"),
        (("arena", "mural", "--set", "colour=red"), "option colour: none of the games has it"),
        (("arena", "mural", "--deals", "0"), "--deals must be at least 1"),
        (("arena", "mural", "--workers", "0"), "--workers must be at least 1"),
        (("arena", "mural", "--workers", "2", "--ray", "auto"), "exclude each other"),
        (("arena", "mural", "--out", "pyproject.toml"), "pyproject.toml"),
        (("balance", "senet"), "there is no game 'senet'"),
        (("balance", "mural", "--bot", "sphinx"), "there is no bot 'sphinx'"),
        (("balance", "mural", "--players", "9"), "mural is for 2 to 4 players, not 9"),
        (("balance", "mural", "--option", "colour"), "mural has no option colour"),
        (("balance", "mural", "--games", "1"), "error bars need at least 2"),
        (("balance", "mural", "--games", "10", "--option-games", "11"), "between 0 and the 10 games"),
    ],
)
def test_a_bad_request_gets_one_line_that_names_the_cause(arguments: tuple[str, ...], message: str) -> None:
    done = finished("perankh.cli", *arguments, environment={**os.environ, "LC_ALL": "C.UTF-8"})
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert not (ROOT / "arena").exists()
