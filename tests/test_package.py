"""The built wheel and source distribution: everything is in them, and the wheel works where nothing else of the project is."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import sysconfig
import tarfile
import time
import venv
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from importlib import metadata
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from packaging.requirements import Requirement

from perankh import game_names

from .conftest import ROOT
from .web.conftest import Person

GAMES = game_names()
pytestmark = pytest.mark.xdist_group("package")
LARGEST = 15_000_000  # bytes


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("perankh-*.whl"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of an environment with the wheel and with what it depends on, and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=os.name != "nt")
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
        (about,) = (packed.read(name).decode() for name in packed.namelist() if name.endswith("/METADATA"))
    for line in Parser().parsestr(about, headersonly=True).get_all("Requires-Dist", []):
        link_with_dependencies(Requirement(line), site)
    return str(Path(sysconfig.get_path("scripts", vars={"base": str(folder)})) / "python")


def link_with_dependencies(wanted: Requirement, site: Path, extras: frozenset[str] = frozenset({""})) -> None:
    """Link a package of the environment of the tests into another one, with all that it asks for."""
    if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in extras):
        return
    found = metadata.distribution(wanted.name)
    names = {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}
    missing = [name for name in names if not (site / name).exists()]
    for name in missing:
        (site / name).symlink_to(str(found.locate_file(name)))
    if missing:
        for line in found.requires or ():
            link_with_dependencies(Requirement(line), site, frozenset(wanted.extras or {""}))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked source distribution."""
    folder = tmp_path_factory.mktemp("source")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)], cwd=ROOT, check=True, capture_output=True
    )
    with tarfile.open(next(folder.glob("perankh-*.tar.gz"))) as packed:
        packed.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir())


def run(python: str, *arguments: str, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([python, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_everything_is_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        held = set(packed.namelist())
        (entry,) = (packed.read(name).decode() for name in held if name.endswith("entry_points.txt"))
        (about,) = (packed.read(name).decode() for name in held if name.endswith("/METADATA"))
    listed = subprocess.run(["git", "ls-files", "src/perankh"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    assert {name.removeprefix("src/") for name in listed} <= held
    assert not any(name.startswith("tests/") or "__pycache__" in name for name in held)
    assert "perankh = perankh.cli:main" in entry
    assert "Requires-Python: >=3.11" in about
    assert wheel.stat().st_size < LARGEST


def test_the_source_distribution_gives_the_same_wheel(source: Path, wheel: Path, tmp_path: Path) -> None:
    """Whoever builds from it gets what we build, but for the documentation, which is built before a release."""
    for name in (
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "docs/navigation.toml",
        "tests/test_package.py",
        "examples/connect_four/rules.py",
    ):
        assert (source / name).is_file(), name
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as built, zipfile.ZipFile(wheel) as ours:
        ours_without_docs = {name for name in ours.namelist() if not name.startswith("perankh/web/docs/")}
        assert set(built.namelist()) == ours_without_docs
        for name in ours_without_docs:
            assert name.endswith("RECORD") or built.read(name) == ours.read(name), name


# What the wheel can be held to in a short time. tests/test_checks.py runs every check at length, in the repository.
FROM_THE_WHEEL = "words,box,subset,legal,notation,texts,scenes,guides,lesson,files"


def test_games_pass_checks_from_the_wheel(python: str, tmp_path: Path) -> None:
    options = ("--only", FROM_THE_WHEEL, "--effort", "0.002", "--json")
    outcomes = json.loads(run(python, "-m", "perankh", "check", "all", *options, cwd=tmp_path))
    assert {(outcome["game"], outcome["name"]) for outcome in outcomes} == set(product(GAMES, FROM_THE_WHEEL.split(",")))
    assert [outcome for outcome in outcomes if outcome["verdict"] != "passed"] == []


def test_without_the_extra_for_gpus_checks_say_so(python: str, tmp_path: Path) -> None:
    (outcome,) = json.loads(run(python, "-m", "perankh", "check", "mural", "--only", "cuda", "--json", cwd=tmp_path))
    assert (outcome["verdict"], outcome["detail"]) == (
        "skipped",
        "running on the GPU needs the package numba-cuda: install perankh[cuda]",
    )


def test_commands_work_without_the_project(python: str, tmp_path: Path) -> None:
    where = run(python, "-c", "import perankh; print(perankh.__file__)", cwd=tmp_path).strip()
    assert not Path(where).is_relative_to(ROOT)
    assert re.fullmatch(r"perankh \d+\.\d+\.\d+\S*\n", run(python, "-m", "perankh", "--version", cwd=tmp_path))
    assert all(game in run(python, "-m", "perankh", "games", "--lang", "ja", cwd=tmp_path) for game in GAMES)
    run(python, "-m", "perankh", "create", "my_game", cwd=tmp_path)
    run(python, "-m", "perankh", "check", "./my_game", "--only", "words,legal,texts,scenes", "--effort", "0.1", cwd=tmp_path)


@pytest.fixture(scope="module")
def house(python: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """A server of the wheel, opened without any option."""
    folder = tmp_path_factory.mktemp("house")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"PERANKH_PORT": "0", "PERANKH_NO_OPEN": "1", "PERANKH_DATA": str(folder / "data")}
    command = [python, "-u", "-m", "perankh"]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        try:
            assert process.stdout
            address = None
            while not address:
                line = process.stdout.readline()
                assert line, "the server did not start"
                address = re.search(r"http://127\.0\.0\.1:\d+", line)
            yield SimpleNamespace(address=address[0])
        finally:
            process.terminate()


class Patient(httpx.HTTPTransport):
    """A program that waits when it has asked too often, as the answer says."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        while (answer := super().handle_request(request)).status_code == 429:
            time.sleep(float(answer.headers["retry-after"]) / 4)
        return answer


@pytest.mark.parametrize("game", GAMES)
def test_the_house_opens_and_a_match_is_played(game: str, house: SimpleNamespace) -> None:
    """Every game to its end, by two programs, over the API."""
    people, chance = (Person(house), Person(house)), random.Random(1)
    for person in people:
        person.http = httpx.Client(base_url=house.address, transport=Patient(), timeout=30)
    person, other = people
    assert "Per-Ankh" in person.http.get("/?lang=en").text
    assert person.http.get(f"/guide/{game}").status_code == 200
    table = person.table(game=game, players=2)
    other.sit(table)
    view = person.view(table)
    while view["status"] == "playing":
        seat = next(p for p, player in enumerate(view["players"]) if player["acting"])
        if view["viewer"] == seat:
            people[seat].move(table, view["number"], chance.choice(view["moves"])["code"])
        view = people[seat].view(table, since=100_000)
    assert sorted(view["result"]["ranks"])[0] == 1
    assert person.http.get(f"/t/{table}").status_code == 200
