"""The documents: links lead somewhere, every decision is listed, and the example of the README runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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
        assert re.match(rf"# {int(path.name[:2])}\. ", text), path
        assert re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE) == ["Context", "Decision", "Consequences"], path


@pytest.mark.xdist_group("mural")
def test_the_example_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "README.md", "exec", dont_inherit=True), {})
    assert "deck" in capsys.readouterr().out
    assert (tmp_path / "match.perankh").is_file()
