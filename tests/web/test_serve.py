"""The command `perankh serve`, and the limits that guard a public server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from perankh.web import limits
from perankh.web.limits import Buckets


def test_serve_says_where_it_is_and_stops_when_told(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "perankh.cli", "serve", "--no-open", "--port", "0", "--data", str(tmp_path / "data")]
    environment = {name: value for name, value in os.environ.items() if name != "PERANKH_GAMES"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stdout
    try:
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found, line
        home = httpx.get(found[0])
        assert home.status_code == 200
        assert "text/html" in home.headers["content-type"]
        names = {game["name"] for game in httpx.get(f"{found[0]}api/games").json()}
        assert "mural" in names
        assert "connect_four" not in names
        refused = httpx.post(f"{found[0]}api/tables", json={"game": "mural", "players": 2, "seed": 1})
        assert refused.status_code == 403
        assert (tmp_path / "data" / "perankh.db").is_file()
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors


def test_buckets_refill_and_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    buckets = Buckets(rate=100, most=3)
    assert [buckets.take("a") for _ in range(5)] == [True, True, True, False, False]
    assert buckets.take("b")
    time.sleep(0.03)
    assert buckets.take("a")
    monkeypatch.setattr(limits, "MOST_KEYS", 10)
    for key in range(1000):
        buckets.take(str(key))
    assert len(buckets.levels) <= 11
