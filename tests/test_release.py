"""The checklist of a release: every item that it checks before it builds anything says what is missing."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from perankh import __version__

from .conftest import ROOT


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """deploy/release.py, for a project in which nothing is missing."""
    spec = importlib.util.spec_from_file_location("release", ROOT / "deploy" / "release.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changes\n\n## {__version__} (2026-12-01)\n\n- New.\n", "utf-8")
    (tmp_path / "pyproject.toml").write_text('[project.urls]\nRepository = "https://example.org/per-ankh"\n', "utf-8")
    for name in module.READMES:
        (tmp_path / name).write_text("git clone https://example.org/per-ankh\n", "utf-8")
    home = tmp_path / "src" / "perankh" / "web" / "docs" / "index.html"
    home.parent.mkdir(parents=True)
    home.write_text(f"<title>Per-Ankh {__version__}</title>", "utf-8")
    (tmp_path / ".gitignore").write_text("src/perankh/web/docs\n", "utf-8")
    for command in (
        ("init", "--quiet"),
        ("add", "."),
        ("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "A"),
    ):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return module


EARLY = ("version", "changelog", "address", "tree", "documentation")


def test_nothing_is_missing(release: ModuleType) -> None:
    assert tuple(release.CHECKS) == (*EARLY, "packages", "contents")
    for name in EARLY:
        assert release.CHECKS[name]()


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize(
    ("check", "file", "old", "new", "says"),
    [
        ("changelog", "CHANGELOG.md", f"## {__version__}", "## Unreleased\n\n## 0.0.1", "begins with 'Unreleased'"),
        ("address", "README.ja.md", "https://example.org/per-ankh", "ADDRESS-OF-THIS-REPOSITORY", "is still in README.ja.md"),
        ("address", "pyproject.toml", "Repository", "Elsewhere", "no [project.urls] with a Repository"),
        ("tree", "README.md", "git", "hg", "1 files are not committed"),
        ("documentation", "src/perankh/web/docs/index.html", __version__, "0.0.0", "of another version"),
    ],
)
def test_what_is_missing_is_said(release: ModuleType, check: str, file: str, old: str, new: str, says: str) -> None:
    replaced(release.ROOT / file, old, new)
    with pytest.raises(AssertionError, match=re.escape(says)):
        release.CHECKS[check]()


def test_a_version_is_released_once(release: ModuleType) -> None:
    subprocess.run(["git", "tag", f"v{__version__}"], cwd=release.ROOT, check=True)
    with pytest.raises(AssertionError, match="was released"):
        release.version()


def test_the_placeholder_is_the_one_of_the_readmes(release: ModuleType) -> None:
    """Until the repository has an address, the READMEs say so in this one way."""
    for name in release.READMES:
        text = (ROOT / name).read_text("utf-8")
        assert release.PLACEHOLDER in text or re.search(r"git clone https?://", text)
