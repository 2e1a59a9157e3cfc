"""Blocks that are neither Python nor commands: TOML is read, settings of proxies are those of deploy/ and pass their checks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from perankh.engine import game

from ..conftest import ROOT
from .blocks import BLOCKS, Block

DEPLOY = ROOT / "deploy"
PLACES = [Path("/usr/sbin"), *(ROOT / ".venv" / "proxies" / "usr" / folder for folder in ("bin", "sbin"))]
KINDS = {"", "markdown", "nginx", "python", "toml"}
TOML = [block for block in BLOCKS if block.kind == "toml"]
EXCERPTS = [block for block in BLOCKS if block.kind in ("toml", "markdown") and block.source]
# Settings of proxies: how a block begins, the file of deploy/ that has its lines, and lines of its own.
PROXIES = {
    "games.example.org {": ("Caddyfile", {"games.example.org {", "reverse_proxy 127.0.0.1:8000"}),
    "example.org {": ("Caddyfile", {"example.org {", "reverse_proxy /games* 127.0.0.1:8000"}),
    "location / {": ("nginx.conf", {"proxy_pass http://127.0.0.1:8000;"}),
    "backend servers": ("haproxy.cfg", set[str]()),
}
SETTINGS = [block for block in BLOCKS if any(block.body.strip().startswith(start) for start in PROXIES)]


def test_there_are_no_other_kinds_of_blocks() -> None:
    assert {block.kind for block in BLOCKS} == KINDS
    assert all(block.source for block in BLOCKS if block.kind == "markdown")
    assert all(block in SETTINGS for block in BLOCKS if block.kind == "nginx")


@pytest.mark.parametrize("block", EXCERPTS, ids=str)
def test_an_excerpt_stands_in_its_file(block: Block) -> None:
    assert block.source
    assert block.code.strip()
    assert block.code in (ROOT / block.source).read_text("utf-8")


@pytest.mark.parametrize("block", TOML, ids=str)
def test_toml_can_be_read(block: Block) -> None:
    """What is no excerpt names the group of entry points that games are found by."""
    found = tomllib.loads(block.body)
    if not block.source:
        (group,) = found["project"]["entry-points"]
        assert f'group="{group}"' in Path(game.__file__).read_text("utf-8")


@pytest.mark.parametrize("block", SETTINGS, ids=str)
def test_settings_of_proxies_are_those_of_the_files(block: Block) -> None:
    name, own = next(found for start, found in PROXIES.items() if block.body.strip().startswith(start))
    held = {line.strip() for line in (DEPLOY / name).read_text("utf-8").splitlines()}
    lines = [re.sub(r" +# .*", "", line).strip() for line in block.body.splitlines()]
    assert [line for line in lines if line and line not in held and line not in own] == []


def certificate(folder: Path) -> Path:
    """A certificate with its key in one file, as proxies want it."""
    path = folder / "games.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=games.example.org"]
    done = subprocess.run([*command, "-keyout", folder / "key.pem", "-out", path], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("openssl makes no certificate here")
    path.write_text(path.read_text() + (folder / "key.pem").read_text())
    return path


def accepted(program: str, *arguments: str | Path) -> None:
    """Have a proxy judge its settings; where there is none (see `install.sh`), nobody can."""
    found = shutil.which(program) or shutil.which(program, path=os.pathsep.join(map(str, PLACES)))
    if not found:
        pytest.skip(f"{program} is not installed")
    done = subprocess.run([found, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_haproxy_takes_its_file(tmp_path: Path) -> None:
    text = (DEPLOY / "haproxy.cfg").read_text("utf-8")
    path = tmp_path / "haproxy.cfg"
    path.write_text(text.replace("/etc/haproxy/games.example.org.pem", str(certificate(tmp_path))), "utf-8")
    accepted("haproxy", "-c", "-f", path)


def test_nginx_takes_its_file(tmp_path: Path) -> None:
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    text = re.sub(r"/etc/letsencrypt/\S+pem", str(certificate(tmp_path)), text)
    own = " ".join(f"{part}_temp_path {tmp_path};" for part in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    logs = f"pid {tmp_path}/pid; error_log {tmp_path}/log;"
    path = tmp_path / "nginx.conf"
    path.write_text(f"{logs} events {{}} http {{ access_log off; {own}\n{text}\n}}\n", "utf-8")
    accepted("nginx", "-t", "-p", tmp_path, "-c", path)


@pytest.mark.parametrize("block", [block for block in SETTINGS if ".org {" in block.body], ids=str)
def test_caddy_takes_the_blocks(block: Block, tmp_path: Path) -> None:
    path = tmp_path / "Caddyfile"
    path.write_text(block.body, "utf-8")
    accepted("caddy", "adapt", "--adapter", "caddyfile", "--config", path)


def test_caddy_takes_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERANKH_SITE", "games.example.org")
    accepted("caddy", "adapt", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile")
