"""A server as a host runs it: the real command with a file of settings, on both databases; and what the host does."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed, InvalidStatus

from perankh import load
from perankh.cli import main
from perankh.web import logs
from perankh.web.agreements import Settings
from perankh.web.bans import Bans, checked_ban
from perankh.web.catalog import offered
from perankh.web.limits import Shares
from perankh.web.storage import admin_changes, tables
from perankh.web.table import Watcher
from perankh.web.tables import TABLE_ID, new_id
from perankh.web.upkeep import Upkeep

from ..conftest import ROOT
from .conftest import FOUR, Person, tables_in
from .postgresql import fresh_database
from .receivers import wait_until

TOKEN = "metrics-token-of-the-host"
GUEST = "203.0.113.7"
SETTINGS = f"""
port = 0
no_open = true
trusted_proxy = ["127.0.0.1"]
metrics_token = "{TOKEN}"
log_format = "json"
access_log = true
person_tables = 12
drain = 3
workers = 2
"""


class Hosted:
    """`perankh serve` with a file of settings."""

    def __init__(self, folder: Path, data: str) -> None:
        self.config, self.log, self.data = folder / "perankh.toml", folder / "log", data
        self.config.write_text(f'{SETTINGS}data = "{data}"\n')
        environment = os.environ | {"PERANKH_GAMES": str(ROOT / "examples")}
        command = [sys.executable, "-m", "perankh.cli", "serve", "--config", str(self.config)]
        with self.log.open("w") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
        assert self.process.stdout
        found = re.search(r"http://127\.0\.0\.1:\d+", self.process.stdout.readline())
        assert found, self.log.read_text()
        self.address = found[0]

    def metrics(self) -> dict[tuple[str, tuple[str, ...]], float]:
        """All values, by name and labels."""
        text = (
            httpx.get(f"{self.address}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, verify=False)
            .raise_for_status()
            .text
        )
        found = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                found[sample.name, tuple(sample.labels.values())] = sample.value
        return found

    def lines(self) -> list[dict[str, Any]]:
        """The log so far."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def admin(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
        """What `perankh admin` prints."""
        assert main(["admin", *arguments, "--config", str(self.config)]) == 0, capsys.readouterr().err
        return capsys.readouterr().out


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def hosted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    folder = tmp_path_factory.mktemp("hosted")
    data = str(folder / "data") if request.param == "sqlite" else fresh_database(request.getfixturevalue("database_server"))
    running = Hosted(folder, data)
    yield running
    if running.process.poll() is None:
        running.process.kill()
    running.process.wait(20)


class Guest(Person):
    """Somebody behind the proxy, at an address of the internet."""

    def __init__(self, server: Any, address: str = GUEST) -> None:
        super().__init__(server)
        self.http.headers["X-Forwarded-For"] = self.live_headers["X-Forwarded-For"] = address


# --- Health and metrics ---------------------------------------------------------------------------------------------------------


def test_health_and_metrics(hosted: Hosted) -> None:
    ready = wait_until(
        lambda: (answer := httpx.get(f"{hosted.address}/health/ready", verify=False)).status_code == 200 and answer
    )
    assert ready.json()["status"] == "ready"
    assert ready.json()["database"] == "ok"
    by_address = httpx.get(f"{hosted.address}/health/live", headers={"Host": "10.1.2.3:8000"})  # a load balancer
    assert (by_address.status_code, by_address.json()) == (200, {"status": "alive"})
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}):
        assert httpx.get(f"{hosted.address}/metrics", headers=headers).status_code == 401
    before = hosted.metrics()
    red = Guest(hosted)
    table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    with red.live(table) as live:
        live.view()
        assert live.move(0, "a", 0)["type"] == "done"
        live.view(lambda view: view["number"] == 2)
        wait_until(
            lambda: hosted.metrics()["perankh_move_shown_seconds_count", ()] > before["perankh_move_shown_seconds_count", ()]
        )
        after = hosted.metrics()
        assert after["perankh_sockets", ()] == 1
    assert httpx.get(f"{hosted.address}/nothing-here").status_code == 404

    def more(name: str, *labels: str) -> float:
        return after[name, labels] - before.get((name, labels), 0)

    assert (more("perankh_moves_total", "person"), more("perankh_moves_total", "bot")) == (1, 1)
    assert more("perankh_move_stored_seconds_count") == 1
    assert more("perankh_database_writes_total") >= 3
    assert more("perankh_job_seconds_count", "rendering") >= 1
    assert more("perankh_responses_total", "201") == 1
    assert more("perankh_request_seconds_count", "POST", "/api/tables") == 1
    assert after["perankh_tables_in_memory", ()] >= 1
    assert after["perankh_workers", ("rendering",)] >= 1
    assert {("perankh_jobs_waiting", (pool,)) for pool in ("rendering", "thinking", "replaying", "analysing")} <= set(after)


def test_the_dashboard_asks_for_metrics_that_there_are(hosted: Hosted) -> None:
    board = json.loads((ROOT / "deploy" / "grafana.json").read_text("utf-8"))
    asked = {target["expr"] for panel in board["panels"] for target in panel["targets"]}
    used = {name for expression in asked for name in re.findall(r"\b(perankh_\w+|process_\w+)", expression)}
    text = httpx.get(f"{hosted.address}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, verify=False).text
    there = set(re.findall(r"^# TYPE (\w+) ", text, re.MULTILINE))
    assert {re.sub(r"_(bucket|count|sum)$", "", name) for name in used} <= there
    assert {name for name in there if name.startswith("perankh_") and not name.endswith("_created")} <= {
        *(re.sub(r"_(bucket|count|sum)$", "", name) for name in used),
        "perankh_info",
    }


# --- Logs -----------------------------------------------------------------------------------------------------------------------


def test_the_access_log_has_request_ids_and_no_secrets(hosted: Hosted) -> None:
    red = Guest(hosted)
    table = red.table(password="geheimes Wort")
    answer = red.http.get(f"/t/{table}", params={"key": "in-der-adresse"}, headers={"X-Request-ID": "from-the-proxy-1"})
    assert answer.headers["x-request-id"] == "from-the-proxy-1"  # the proxy is trusted
    red.ask("POST", f"/api/tables/{table}/enter", {"password": "geheimes Wort"})
    assert red.http.get("/alerts/stop/" + "s" * 43).status_code < 500
    with red.live(table, viewer=0) as live:
        live.view()
    wait_until(lambda: [line for line in hosted.lines() if line.get("route") == "/api/tables/{id}/live"])
    lines = hosted.lines()
    (line,) = [line for line in lines if line.get("request") == "from-the-proxy-1"]
    assert (line["method"], line["route"], line["status"], line["address"]) == ("GET", "/t/{table}", answer.status_code, GUEST)
    assert line["milliseconds"] > 0
    assert line["bytes"] == 0 or line["bytes"] > 100
    assert all(set(line) >= {"time", "level", "logger"} for line in lines)
    requests = [line["request"] for line in lines if "route" in line]
    assert len(set(requests)) == len(requests)
    text = hosted.log.read_text()
    assert red.token
    for secret in (red.token, table, "geheimes Wort", "in-der-adresse", "s" * 43, TOKEN):
        assert secret not in text, secret


def test_no_log_line_holds_a_secret(capsys: pytest.CaptureFixture[str]) -> None:
    logs.known_secrets.add("pa/ss wort")
    token = "Ab-_" * 10 + "xyz"
    for line in (
        f"cookie perankh={token}; path=/",
        f"Authorization: Bearer {token}",
        "authorization: bearer kurz",
        "postgresql://user:hunter2@db/perankh failed",
        "smtp_password = hunter2",
        '{"password": "hunter2", "x": 1}',
        "mail: pa/ss wort was refused",
        f"https://games.example.org/alerts/stop/{token}?lang=ja",
    ):
        clean = logs.redacted(line)
        assert "(secret)" in clean
        assert not any(secret in clean for secret in (token, "hunter2", "kurz", "pa/ss wort")), clean
    assert logs.redacted("table AbCdEf123456 is damaged") == "table AbCdEf123456 is damaged"
    logs.known_secrets.clear()


# --- The host -------------------------------------------------------------------------------------------------------------------


def test_bans_take_effect_in_a_running_server(hosted: Hosted, capsys: pytest.CaptureFixture[str]) -> None:
    red, other = Guest(hosted), Guest(hosted, "198.51.100.9")
    table = red.table()
    with red.live(table) as live:
        live.view()
        assert hosted.admin(capsys, "ban", GUEST, "--days", "2", "--reason", "floods").startswith(f"{GUEST}/32 is banned until ")
        with pytest.raises(ConnectionClosed):
            live.until(lambda _: False)
    page = red.http.get("/", headers={"Accept": "text/html", "Accept-Language": "ja"})
    assert (page.status_code, "利用できません" in page.text) == (403, True)
    assert red.http.get("/api/games").json()["error"] == "This server is closed to your network."
    with pytest.raises(InvalidStatus), red.live(table):
        pass
    other.table()
    assert httpx.get(f"{hosted.address}/health/ready", verify=False).status_code == 200
    listed = json.loads(hosted.admin(capsys, "list", "--bans", "--json"))
    assert [(ban["network"], ban["reason"]) for ban in listed] == [(f"{GUEST}/32", "floods")]
    assert f"{GUEST}/32  until" in hosted.admin(capsys, "list", "--bans")
    hosted.admin(capsys, "unban", GUEST)
    wait_until(lambda: red.http.get("/api/games").status_code == 200)
    assert main(["admin", "unban", GUEST, "--config", str(hosted.config)]) == 2
    assert f"{GUEST}/32 is not banned" in capsys.readouterr().err


def test_the_host_lists_exports_closes_and_deletes_tables(
    hosted: Hosted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    red = Guest(hosted)
    going, lobby = red.table(game="mural", seats=[{"kind": "me", "name": "Ada"}, {"kind": "me"}]), red.table()
    red.move(going, 0, "deck")
    listed = {row["id"]: row for row in json.loads(hosted.admin(capsys, "list", "--json"))}
    assert (listed[going]["status"], listed[going]["moves"], listed[going]["seats"][0]) == ("playing", 1, "Ada")
    assert listed[lobby]["status"] == "waiting"
    waiting = hosted.admin(capsys, "list", "--status", "waiting", "--game", "connect_four")
    assert lobby in waiting
    assert going not in waiting
    assert going not in hosted.admin(capsys, "list", "--unchanged", "1")
    file = tmp_path / "match.perankh"
    hosted.admin(capsys, "export", going, "-o", str(file))
    assert file.read_text("utf-8") == hosted.admin(capsys, "export", going)
    assert (match := load(file)).number == 1
    assert match.names[0] == "Ada"
    with red.live(going) as live:
        live.view()
        hosted.admin(capsys, "close", going, lobby)
        with pytest.raises(ConnectionClosed):  # whoever looks connects anew
            live.until(lambda _: False)
    assert red.view(going)["readonly"]
    assert red.move(going, 1, "deck", 409)["error"]
    red.start(lobby, 409)
    assert not [table for table in red.ask("GET", "/api/tables") if table["your_turn"]]
    hosted.admin(capsys, "delete", going)
    wait_until(lambda: red.http.get(f"/api/tables/{going}").status_code == 404)
    for arguments, said in (
        (["delete", lobby, "nowhere12345"], "there is no table 'nowhere12345'; nothing was changed"),
        (["export", lobby], "has not begun"),
        (["ban", "somebody"], "'somebody' is not an IP address or network"),
        (["ban", "127.0.0.1"], "is this computer"),
        (["ban", "0.0.0.0/4"], "is too wide"),
        (["ban", GUEST, "--days", "0"], "--days takes"),
        (["list", "--limit", "0"], "--limit"),
    ):
        assert main(["admin", *arguments, "--config", str(hosted.config)]) == 2
        assert said in capsys.readouterr().err
    assert red.view(lobby)["status"] == "waiting"
    assert main(["admin", "list", "--data", str(tmp_path / "none")]) == 2
    assert "there are no data" in capsys.readouterr().err


def test_a_person_has_so_many_tables(hosted: Hosted) -> None:
    red = Guest(hosted)
    for _ in range(12):
        last = red.table()
    refusal = red.ask("POST", "/api/tables", FOUR, 409)
    assert refusal["error"] == "You have 12 tables that are not over. Finish or delete one first."
    Guest(hosted).table()
    red.ask("DELETE", f"/api/tables/{last}", None, 200)
    red.table()


def test_a_backup_is_taken_while_the_server_runs(hosted: Hosted, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Guest(hosted).table()
    assert main(["backup", str(tmp_path / "backup.db"), "--config", str(hosted.config)]) == 0
    assert re.search(r"holds \d+ tables", capsys.readouterr().out)


def test_zzz_a_server_that_is_told_to_stop_says_so_first(hosted: Hosted) -> None:
    """The last test of each server: it ends it."""
    red = Guest(hosted)
    table = red.table(seats=[{"kind": "me"}] * 2)
    hosted.process.send_signal(signal.SIGTERM)
    draining = wait_until(
        lambda: (answer := httpx.get(f"{hosted.address}/health/ready", verify=False)).status_code == 503 and answer
    )
    assert draining.json()["status"] == "draining"
    assert httpx.get(f"{hosted.address}/health/live").status_code == 200
    assert red.move(table, 0, "a", seat=0)["number"] == 0  # those who are here go on
    assert hosted.process.wait(30) in (0, -signal.SIGTERM)
    lines = [line for line in hosted.lines() if line["logger"] != "perankh.access"]
    assert not [line for line in lines if "traceback" in line], lines


def test_old_tables_are_deleted(tmp_path: Path) -> None:
    """Retention: lobbies sooner than matches; not those at which somebody looks."""

    async def run() -> tuple[int, set[str]]:
        kept = tables_in(tmp_path)
        storage, now, ids = kept.services.storage, time.time(), {}
        for name, days, begun in (
            ("new", 0, True),
            ("old", 40, True),
            ("watched", 40, True),
            ("lobby", 8, False),
            ("match", 8, True),
        ):
            made = [{"kind": "me"}, {"kind": "bot", "bot": "random"}] if begun else [{"kind": "me"}, {"kind": "open"}]
            id, _ = await kept.create("a" * 64, offered("mural"), 2, {}, made, None, None, Settings(60), ready=True)
            ids[id] = name
            stamp = {"updated": now - 86_400 * days}
            await storage.write(lambda c, id=id, stamp=stamp: c.execute(tables.update().where(tables.c.id == id).values(**stamp)))
            if name == "watched":
                kept.tables[id].watchers.add(Watcher("a" * 64, 0, "en", "wide"))
        await storage.write(lambda c: c.execute(admin_changes.insert().values(changed="x", stamp=1.0)))
        deleted = await Upkeep(kept, Bans(), Shares(1, 1), keep_tables=30, keep_lobbies=7).sweep()
        assert not await Upkeep(kept, Bans(), Shares(1, 1)).sweep()
        left = await storage.read(lambda c: {ids[id] for id in c.execute(sa.select(tables.c.id)).scalars()})
        assert await storage.read(lambda c: c.execute(sa.select(admin_changes)).all()) == []
        await kept.services.close()
        storage.close()
        return deleted, left

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, run()).result() == (2, {"new", "watched", "match"})


def test_banned_networks() -> None:
    bans = Bans()
    assert not bans.cover(GUEST)
    bans.networks = (checked_ban(GUEST), checked_ban("2001:db8:1:2::7"), checked_ban("198.51.100.0/24"))
    assert [str(network) for network in bans.networks] == [f"{GUEST}/32", "2001:db8:1:2::/64", "198.51.100.0/24"]
    for address in (GUEST, "2001:db8:1:2:3::9", "2001:db8:1:2::/64", "198.51.100.200"):
        assert bans.cover(address)
    for address in ("203.0.113.8", "2001:db8:1:3::9", "", "testclient"):
        assert not bans.cover(address)


def test_ids_of_tables_are_no_options() -> None:
    ids = {new_id() for _ in range(2000)}
    assert len(ids) == 2000
    assert all(TABLE_ID.fullmatch(id) and not id.startswith("-") for id in ids)
