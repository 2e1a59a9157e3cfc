"""The documents: links lead somewhere, every decision is listed, examples run, commands exist, and figures are measured ones."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from perankh.cli import parser
from perankh.engine.game import game_names, get_game
from perankh.engine.words import LANGUAGES
from perankh.web.words import WORDS

from .conftest import ROOT

DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
PACKAGE = ROOT / "src" / "perankh"
HOMES = [ROOT, ROOT / "docs", PACKAGE, PACKAGE / "web", PACKAGE / "template", PACKAGE / "games" / "mural"]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", document.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in LINK.findall(re.sub(r"`[^`]*`", "", text)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("document", [path for path in DOCUMENTS if path.parent.name != "rules"], ids=lambda path: path.name)
def test_named_files_exist(document: Path) -> None:
    """A path in backquotes, such as `engine/rule.py`, leads to a file of the project or of the package."""
    for name in re.findall(r"`([\w./-]+/[\w.-]+\.(?:py|js|css|svg|md|toml))`", document.read_text("utf-8")):
        assert any((home / name).is_file() for home in HOMES), name


def test_every_decision_is_listed_once() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = LINK.findall((folder / "README.md").read_text("utf-8"))
    assert sorted(listed) == sorted(path.name for path in folder.glob("[0-9]*.md"))


def test_every_decision_has_its_three_parts() -> None:
    for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md"):
        text = path.read_text("utf-8")
        assert re.match(rf"# {int(path.name.partition('-')[0])}\. ", text), path
        assert re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE) == ["Context", "Decision", "Consequences"], path


PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The Python of these documents is run elsewhere.
RUN_ELSEWHERE = {
    "api.md": "tests/web/test_api_page.py",
    "environments.md": "tests/envs/test_examples.py",
    "your-own-game.md": "tests/examples/test_tutorial.py",
}


def test_all_python_of_the_documents_is_run() -> None:
    held = {path.name for path in DOCUMENTS if PYTHON.search(path.read_text("utf-8")) and path.parent.name != "decisions"}
    assert held == {"README.md", "bots.md", *RUN_ELSEWHERE}
    for name, test in RUN_ELSEWHERE.items():
        assert name in (ROOT / test).read_text("utf-8")


@pytest.mark.xdist_group("mural")
def test_the_first_example_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example = PYTHON.findall((ROOT / "README.md").read_text("utf-8"))[0]
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "README.md", "exec", dont_inherit=True), {})
    assert "deck" in capsys.readouterr().out
    assert (tmp_path / "match.perankh").is_file()


@pytest.mark.xdist_group("imhotep")
def test_the_other_examples_run() -> None:
    _, environments = PYTHON.findall((ROOT / "README.md").read_text("utf-8"))
    names: dict[str, Any] = {}
    exec(compile(environments, "README.md", "exec", dont_inherit=True), names)
    assert names["step"].reward.shape == (1024, 4)
    (bots,) = PYTHON.findall((ROOT / "docs" / "bots.md").read_text("utf-8"))
    exec(compile(bots, "bots.md", "exec", dont_inherit=True), names)
    assert names["match"].number == 1


def commands(document: Path) -> list[list[str]]:
    """The commands in the blocks of a document, as words; comments and variables before them are left out."""
    lines = re.findall(r"^ {4,}((?:[A-Z_]+=\S+ )?(?:perankh|make) .*)$", document.read_text("utf-8"), re.MULTILINE)
    words = [shlex.split(re.sub(r"^([A-Z_]+=\S+ )+", "", line), comments=True) for line in lines]
    return [line for line in words if "..." not in line]


@pytest.mark.parametrize("document", [path for path in DOCUMENTS if commands(path)], ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_exist(document: Path) -> None:
    """Every command of a document is one that `perankh` takes, with its options, or a target of the Makefile."""
    targets = set(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for program, *given in commands(document):
        if program == "make":
            assert set(given) <= targets, given
        else:
            assert callable(parser().parse_args(given).command), given


FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def test_every_kind_of_block_is_tested() -> None:
    """Python is run, TOML and Markdown are files of the tutorial's game; settings of proxies are those of deploy/."""
    folder = ROOT / "docs"
    documents = [path for path in DOCUMENTS if path.parent.name not in ("decisions", "rules")]
    kinds = {kind for path in documents for kind, _ in FENCED.findall(path.read_text("utf-8"))}
    assert kinds == {"", "markdown", "nginx", "python", "toml"}
    held = {line.strip() for name in ("nginx.conf", "Caddyfile") for line in (ROOT / "deploy" / name).read_text().splitlines()}
    for path in (folder / "hosting.md", folder / "ja" / "hosting.md"):
        for kind, body in FENCED.findall(path.read_text("utf-8")):
            if kind == "nginx":
                lines = [line.partition(" #")[0].strip() for line in body.splitlines()]
                assert [line for line in lines if line not in held and not line.startswith("proxy_pass ")] == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", game_names())
def test_the_readme_says_what_the_box_says(name: str, lang: str) -> None:
    game = get_game(name)
    text = (ROOT / {"en": "README.md", "ja": "README.ja.md"}[lang]).read_text("utf-8")
    title = game.words.say("game.name", lang)
    (row,) = re.findall(rf"^\| \*\*{re.escape(title)}\*\*.*", text, re.MULTILINE)
    dash, person, minute = {"en": ("-", "", ""), "ja": ("～", "人", "分")}[lang]
    assert game.box.minutes
    players = f"{game.players[0]}{dash}{game.players[-1]}{person}"
    minutes = dash.join(map(str, sorted(set(game.box.minutes)))) + minute
    assert row.split(" | ")[1:4] == [players, minutes, WORDS.say(f"home.weight_{game.box.weight}", lang)]


RATE = re.compile(r"\b\d[\d.,]*(?: [kMG]|x)(?= |\b)(?=[^\n]*(?:second|\|))")


def test_rates_in_documents_are_those_of_the_results() -> None:
    """Rates and ratios stand in bench/RESULTS.md, which programs write; records of decisions say what was measured then."""
    results = (ROOT / "bench" / "RESULTS.md").read_text("utf-8")
    rows = re.search(
        r"<!-- rows of bench/RESULTS.md -->\n(.*?)<!-- /rows -->", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
    )
    assert rows
    assert len(rows[1].splitlines()) > 3
    for row in rows[1].splitlines():
        assert f"{row}\n" in results, row
    for path in [*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "ja").glob("*.md")]:
        for found in RATE.findall(path.read_text("utf-8")):
            assert found in results, f"{path.name}: {found}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_moving_picture_is_small_and_moves(lang: str) -> None:
    path = ROOT / "docs" / "screenshots" / f"turn-{lang}.webp"
    assert path.stat().st_size < 3_000_000
    with Image.open(path) as picture:
        assert picture.n_frames > 20  # type: ignore[attr-defined]
