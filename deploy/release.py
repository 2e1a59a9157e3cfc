"""The checklist of a release: `make release` builds the documentation, then runs this.

It checks everything that a program can check, and builds the packages into dist/. At the end it says what is left to do.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

from perankh import __version__

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
LARGEST = 15_000_000  # bytes of the wheel
READMES = ("README.md", "README.ja.md")
PLACEHOLDER = "ADDRESS-OF-THIS-REPOSITORY"


def said(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def version() -> str:
    """The version has the usual form and was not released before."""
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__), f"{__version__} is not MAJOR.MINOR.PATCH"
    assert f"v{__version__}" not in said("git", "tag").split(), (
        f"v{__version__} was released: raise __version__ in src/perankh/__init__.py"
    )
    return __version__


def changelog() -> str:
    """The changes have a section for this version, and nothing is unreleased."""
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings, "CHANGELOG.md has no section"
    assert headings[0].split()[0] == __version__, f"CHANGELOG.md begins with {headings[0]!r}, not with {__version__} and a date"
    return headings[0]


def address() -> str:
    """Readers are told where the project is: in the READMEs, and by the package index."""
    unnamed = [name for name in READMES if PLACEHOLDER in (ROOT / name).read_text("utf-8")]
    assert not unnamed, f"{PLACEHOLDER} is still in {' and '.join(unnamed)}"
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"].get("urls", {})
    assert "Repository" in urls, "pyproject.toml has no [project.urls] with a Repository"
    return str(urls["Repository"])


def tree() -> str:
    """Everything is committed."""
    changed = said("git", "status", "--porcelain").splitlines()
    assert not changed, f"{len(changed)} files are not committed"
    return said("git", "rev-parse", "--short", "HEAD").strip()


def documentation() -> str:
    """The site is built, of this version."""
    home = ROOT / "src" / "perankh" / "web" / "docs" / "index.html"
    assert home.is_file(), "it is not built: perankh docs"
    assert f"Per-Ankh {__version__}" in home.read_text("utf-8"), "it is of another version: perankh docs"
    return f"{sum(1 for _ in home.parent.rglob('*.html'))} pages"


def packages() -> str:
    """The packages are built."""
    shutil.rmtree(DIST, ignore_errors=True)
    for kind in ("sdist", "wheel"):
        said(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(DIST))
    return ", ".join(f"{path.name} {path.stat().st_size:,} bytes" for path in sorted(DIST.iterdir()))


def contents() -> str:
    """The wheel holds the whole package with its documentation, and is small; the source distribution holds the repository."""
    wheel, source = next(DIST.glob("*.whl")), next(DIST.glob("*.tar.gz"))
    tracked = {name for name in said("git", "ls-files", "-z").split("\0") if name}
    with zipfile.ZipFile(wheel) as packed:
        held = set(packed.namelist())
    missing = {name.removeprefix("src/") for name in tracked if name.startswith("src/")} - held
    assert not missing, f"the wheel lacks {sorted(missing)[:5]}"
    assert "perankh/web/docs/index.html" in held, "the wheel lacks the documentation"
    assert wheel.stat().st_size < LARGEST, f"the wheel has {wheel.stat().st_size:,} bytes"
    with tarfile.open(source) as packed_source:
        inside = {name.partition("/")[2] for name in packed_source.getnames()}
    assert not tracked - inside - {".gitignore"}, f"the source distribution lacks {sorted(tracked - inside)[:5]}"
    return f"{len(held)} files in the wheel"


CHECKS: dict[str, Callable[[], str]] = {
    "version": version,
    "changelog": changelog,
    "address": address,
    "tree": tree,
    "documentation": documentation,
    "packages": packages,
    "contents": contents,
}


def main() -> int:
    """Go through the list; 1 if something is missing."""
    wrong = 0
    for name, check in CHECKS.items():
        try:
            print(f"ok       {name:14} {check()}", flush=True)
        except (AssertionError, StopIteration) as error:
            wrong += 1
            print(f"MISSING  {name:14} {error}", flush=True)
    if wrong:
        return 1
    print(f"""Then:
- make test, which also installs the built wheel, and make soak, both green on this commit
- git tag v{__version__}, and push it
- upload the two files of dist/ to the package index
- begin a section "Unreleased" in CHANGELOG.md""")
    return 0


if __name__ == "__main__":
    sys.exit(main())
