"""The documents: links lead somewhere, every decision is listed, boxes and pictures are right. tests/documents has the rest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from PIL import Image

from perankh.engine.game import game_names, get_game
from perankh.engine.printed_text import fill
from perankh.engine.words import LANGUAGES
from perankh.web.words import WORDS

from .conftest import ROOT

DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
PACKAGE = ROOT / "src" / "perankh"
JAPANESE = [ROOT / "README.ja.md", *(ROOT / "docs" / "ja").glob("*.md"), *PACKAGE.glob("games/*/guide.ja.md")]
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


@pytest.mark.parametrize("document", JAPANESE, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_japanese_is_shown_as_it_is_meant(document: Path) -> None:
    """A line that ends within a Japanese sentence is shown as a space there, and an asterisk after 「：」 as an asterisk."""
    text = document.read_text("utf-8")
    if document.name == "guide.ja.md":
        text = fill(get_game(document.parent.name), text, "ja")
    wrong = [
        token.content
        for token in MarkdownIt("commonmark").enable("table").parse(text)
        for child in token.children or ()
        if child.type == "softbreak" or (child.type == "text" and "*" in child.content)
    ]
    assert wrong == []


def test_every_decision_is_listed_once() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = LINK.findall((folder / "README.md").read_text("utf-8"))
    assert sorted(listed) == sorted(path.name for path in folder.glob("[0-9]*.md"))


def test_every_decision_has_its_three_parts() -> None:
    for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md"):
        text = path.read_text("utf-8")
        assert re.match(rf"# {int(path.name.partition('-')[0])}\. ", text), path
        assert re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE) == ["Context", "Decision", "Consequences"], path


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


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_moving_picture_is_small_and_moves(lang: str) -> None:
    path = ROOT / "docs" / "screenshots" / f"turn-{lang}.webp"
    assert path.stat().st_size < 3_000_000
    with Image.open(path) as picture:
        assert picture.n_frames > 20  # type: ignore[attr-defined]


def test_every_picture_is_shown() -> None:
    shown = {Path(name).name for path in DOCUMENTS for name in re.findall(r"screenshots/([\w.-]+)", path.read_text("utf-8"))}
    assert {path.name for path in (ROOT / "docs" / "screenshots").iterdir()} == shown


def test_the_architecture_names_every_module_of_the_web_application() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    modules = [*(PACKAGE / "web").glob("*.py"), *(PACKAGE / "web" / "static").glob("*.js")]
    assert [path.name for path in sorted(modules) if path.stem != "__init__" and not re.search(rf"[`/]{path.name}`", text)] == []


def test_the_architecture_is_short() -> None:
    words = re.sub(r"^\|.*$", "", (ROOT / "ARCHITECTURE.md").read_text("utf-8"), flags=re.MULTILINE).split()
    assert len(words) < 2000  # a newcomer reads it in ten minutes; tables are for looking up
