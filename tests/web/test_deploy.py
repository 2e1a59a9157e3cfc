"""The files of `deploy/` name settings, commands and addresses that there are."""

from __future__ import annotations

import configparser
import re
import subprocess
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from perankh.cli import parser
from perankh.web.cli import run_work
from perankh.web.settings import OTHER_VARIABLES, Settings, read_settings, variable_of
from perankh.web.work import PATIENCE

from ..conftest import ROOT

FOLDER = ROOT / "deploy"
VARIABLES = {variable_of(one.name) for one in fields(Settings)}
FILLED = {
    "POSTGRES_PASSWORD": "word",
    "PERANKH_SITE": "games.example.org",
    "PERANKH_METRICS_TOKEN": "a-token-of-enough-characters",
}
ROUTES = ("/health/live", "/health/ready", "/metrics")


def served(*arguments: str, environment: dict[str, str]) -> Settings:
    return read_settings(parser().parse_args(["serve", *arguments]), environment).settings


def test_the_file_of_settings() -> None:
    its = served("--config", str(FOLDER / "perankh.toml"), environment={})
    assert (its.no_open, its.log_format, its.public_address) == (True, "json", "https://games.example.org")
    assert its.trusted_proxy == ("127.0.0.1", "::1")


def test_the_unit_of_systemd() -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    text = (FOLDER / "perankh.service").read_text("utf-8")
    unit.read_string(text)
    service = unit["Service"]
    for key in ("ExecStart", "ExecStartPre"):
        program, *arguments = service[key].split()
        assert Path(program).name == "perankh"
        assert parser().parse_args(arguments).command
    variables = dict(line.partition("=")[2].split("=", 1) for line in text.splitlines() if line.startswith("Environment="))
    assert set(variables) <= {*VARIABLES, *OTHER_VARIABLES}
    assert variables["PERANKH_CONFIG"] == "/etc/perankh/perankh.toml"
    assert service["StateDirectory"] == Path(served("--config", str(FOLDER / "perankh.toml"), environment={}).data or "").name


def container_variables() -> dict[str, str]:
    """What the container file sets."""
    text = (FOLDER / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    (line,) = re.findall(r"^ENV (.*)$", text, re.MULTILINE)
    return dict(pair.split("=", 1) for pair in line.split())


def test_the_container_file() -> None:
    text = (FOLDER / "Containerfile").read_text("utf-8")
    variables = container_variables()
    assert {name for name in variables if name.startswith("PERANKH_")} <= {*VARIABLES, *OTHER_VARIABLES}
    its = served(environment=variables)
    assert (its.host, its.data, its.no_open) == ("0.0.0.0", "/var/lib/perankh", True)
    assert f"EXPOSE {its.port}\n" in text
    assert f"http://127.0.0.1:{its.port}/health/live" in text
    assert "USER perankh" in text
    (extra,) = re.findall(r"'\.\[(\w+)\]'", text)
    assert f"\n{extra} = [" in (ROOT / "pyproject.toml").read_text("utf-8")
    for path in re.findall(r"^VOLUME \[(.*)\]", text, re.MULTILINE)[0].replace('"', "").split(", "):
        assert path in variables.values()


def filled(value: Any) -> str:
    """A value of the compose file with the variables that its comment asks for."""
    return re.sub(r"\$\{(\w+):\?\}", lambda found: FILLED[found[1]], str(value))


def test_the_compose_file() -> None:
    compose = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))
    services = compose["services"]
    assert set(services) == {"database", "first", "second", "worker", "proxy"}
    caddy = (FOLDER / "Caddyfile").read_text("utf-8")
    for name in ("first", "second"):
        server = services[name]
        assert (FOLDER / server["build"]["context"] / server["build"]["dockerfile"]).resolve() == FOLDER / "Containerfile"
        variables = {key: filled(value) for key, value in server["environment"].items()}
        assert set(variables) <= VARIABLES
        its = served(environment=container_variables() | variables)
        assert its.data == "postgresql://perankh:word@database/perankh"
        assert its.public_address == "https://games.example.org"
        assert its.trusted_proxy == (compose["networks"]["inside"]["ipam"]["config"][0]["subnet"],)
        assert int(server["stop_grace_period"].removesuffix("s")) > its.drain
        assert f"{name}:{its.port}" in caddy
        assert its.thinking == "elsewhere"
    worker = services["worker"]
    assert worker["build"] == services["first"]["build"]
    assert parser().parse_args(worker["command"][1:]).command is run_work
    assert filled(worker["environment"]["PERANKH_DATA"]) == its.data
    assert set(worker["environment"]) <= VARIABLES
    assert int(worker["stop_grace_period"].removesuffix("s")) > PATIENCE
    base = services["database"]["environment"]
    assert (base["POSTGRES_USER"], base["POSTGRES_DB"]) == ("perankh", "perankh")
    mounted = [volume.partition(":")[0] for service in services.values() for volume in service.get("volumes", ())]
    assert {name for name in mounted if not name.startswith(".")} == set(compose["volumes"])
    assert all((FOLDER / name).is_file() for name in mounted if name.startswith("."))


@pytest.mark.parametrize("name", ["Caddyfile", "nginx.conf", "prometheus.yml", "compose.yaml", "Containerfile"])
def test_addresses_that_the_files_ask_for(name: str) -> None:
    text = (FOLDER / name).read_text("utf-8")
    for path in re.findall(r"(?<![\w.])/(?:health/\w+|metrics)\b", text):
        assert path in ROUTES
    assert text.count("{") == text.count("}")


def test_the_guide_shows_every_file() -> None:
    guide = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    tracked = subprocess.run(["git", "ls-files", "deploy"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert len(tracked) >= 8
    for path in tracked:
        assert path == "deploy/release.py" or f"(../{path})" in guide, path  # releases are no concern of hosts
