"""The demonstration for any web space: written, served by a plain file server below a folder, clicked through in a browser."""

from __future__ import annotations

import functools
import json
import re
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from perankh.bots.report import chances_at_end
from perankh.cli import main
from perankh.engine.events import GameEvent
from perankh.engine.game import Game, game_names, get_game
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES
from perankh.site.documents import broken_links
from perankh.site.export import NAMES, SEEN_BY, WORDS, analysis_of, export, played, positions_of
from perankh.web import rendering
from perankh.web.words import WORDS as PAGE_WORDS

from ..browser.looks import serious
from ..browser.tools import PATIENCE, PHONE, window

expect.set_options(timeout=PATIENCE)
pytestmark = pytest.mark.xdist_group("browser-demonstration")
GAMES = game_names()
HAS_ROOM = "title => title.scrollWidth <= title.clientWidth || title.clientWidth > 0.4 * innerWidth"
BELOW = "games/demonstration"  # where the demonstration lies on the web space


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A web space with the demonstration of all games. Bots that play at random and networks need no compiler."""
    folder = tmp_path_factory.mktemp("space")
    (folder / BELOW).parent.mkdir(parents=True)
    export(folder / BELOW, [get_game(name) for name in GAMES], "random", seed=1, seconds=0, puzzles=1)
    return folder


@pytest.fixture(scope="module")
def address(space: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(space))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_all_links_lead_to_files_and_pages_hold_no_code(space: Path) -> None:
    assert list(broken_links(space / BELOW)) == []
    for path in (space / BELOW).rglob("*.html"):
        text = path.read_text("utf-8")
        assert not re.search(r'(?:href|src|srcset)="/', text), path
        assert not re.search(r"<style|\sstyle=|<script(?![^>]*(?:src=|application/json))", text), path


@pytest.mark.parametrize(("lang", "phone"), [("en", False), ("ja", True)])
def test_it_is_clicked_through(lang: str, phone: bool, address: str, browser: Browser) -> None:
    complaints: list[str] = []
    scheme = "dark" if phone else "light"
    context = window(browser, address, lang, PHONE if phone else None, painted=False, color_scheme=scheme)
    page = context.new_page()
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for game in GAMES:
        page.goto(f"/{BELOW}/")
        page.wait_for_url(f"**/{BELOW}/{lang}/index.html")
        page.get_by_label(WORDS.say("demo.watch_of", lang, game=get_game(game).words.say("game.name", lang)), exact=True).click()
        expect(page.locator("main[data-ready]")).to_be_visible()
        expect(page.locator("#previous")).to_be_disabled()
        for _ in range(3):
            page.locator("#next").click()
        expect(page.locator("#moment")).to_contain_text("3")
        before = page.locator("#board").inner_html()
        page.locator("#last").click()
        assert page.locator("#board").inner_html() != before
        expect(page.locator("#next")).to_be_disabled()
        page.locator("#previous").click()
        expect(page.locator("#next")).to_be_enabled()
        assert page.locator("#log li").count() > 1
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert serious(page) == []
        expect(page.locator(".report p")).not_to_be_empty()
        page.locator("#analysis .chart").focus()
        page.keyboard.press("Home")
        expect(page.locator("#previous")).to_be_disabled()  # the chart leads to positions
        page.locator("nav a.wordy").first.click()
        page.wait_for_url("**/puzzle.html")
        assert page.locator(".head-title").evaluate(HAS_ROOM)
        expect(page.locator("#asked-title")).not_to_have_text(PAGE_WORDS.say("live.loading", lang))
        page.locator("#show").click()
        expect(page.locator(".answer.right strong").first).to_be_visible()
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert serious(page) == []
        page.locator("nav a.wordy").last.click()
        page.wait_for_url("**/guide.html")
        shown = page.locator("article img").first
        shown.scroll_into_view_if_needed()
        page.wait_for_function("() => document.querySelector('article img').naturalWidth > 0")
        chapters = page.locator(".contents ol")  # beside the text, or in a row above it
        expect(chapters).to_have_css("list-style-type", "none")
        assert chapters.evaluate("list => list.clientHeight < 100") is phone
        replay = page.locator(".example").first
        replay.locator("button").last.click()
        expect(replay.locator("li.shown")).to_have_count(1)
        expect(replay.locator("output")).to_contain_text("2")
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert serious(page) == []
    page.goto(f"/{BELOW}/{lang}/{GAMES[0]}/match.html")
    page.locator("#play").click()
    expect(page.locator("#moment")).to_contain_text("2")
    cloth = page.evaluate("() => getComputedStyle(document.getElementById('board')).backgroundColor")
    assert (cloth == "rgba(0, 0, 0, 0)") == (not phone), "texts of the board are ink, which nobody reads on a dark page"
    assert complaints == []
    context.close()


def test_a_puzzle_is_tried_without_a_server(address: str, space: Path, browser: Browser) -> None:
    """Wrong moves and the right one are answered from the file, as the server answers them."""
    held = json.loads((space / BELOW / "puzzles" / "imhotep-0-en.json").read_bytes())
    context = window(browser, address, "en")
    page = context.new_page()
    page.goto(f"/{BELOW}/en/imhotep/puzzle.html")
    wrong = next(answer for answer in held["answers"].values() if not answer["right"])
    page.locator("#moves button", has_text=wrong["sentence"]).first.click()
    expect(page.locator(".answer.missed")).to_contain_text(wrong["sentence"])
    right = held["answers"][held["solution"]]
    page.locator("#moves button", has_text=right["sentence"]).first.click()
    expect(page.locator(".answer.right")).to_contain_text(right["sentence"])
    context.close()


def test_the_analysis_names_the_players_and_covers_the_match() -> None:
    match = played(get_game("cleocatra"), "random", 1)
    found = analysis_of(match, seconds=0)
    assert len(found["decisions"]) == found["total"] <= found["decided"]
    assert {decision["by"] for decision in found["decisions"]} == {"network"}
    assert found["end"] == chances_at_end(match)
    for lang, sentences in found["report"]["sentences"].items():
        assert any(name in sentences[0] for name in NAMES[lang])


def test_only_what_one_seat_may_know_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, match = rendering.parts, played(get_game("mural"), "random", 1)
    seen = []

    def watched(game: Game, state: Record, events: list[GameEvent], wanted: rendering.Wanted, *more: Any) -> dict[str, Any]:
        assert state == game.veiled(state, SEEN_BY)
        assert (wanted.viewer, wanted.may_act) == (SEEN_BY, False)
        assert events == (match.events(SEEN_BY, len(seen) - 1, len(seen))[0] if seen else [])
        seen.append(state != match.at(len(seen)).state)
        return drawn(game, state, events, wanted, *more)

    monkeypatch.setattr(rendering, "parts", watched)
    assert len(positions_of(match, "en", "wide")) == len(seen) == match.number + 1
    assert any(seen)  # there was something to hide


def test_the_same_seed_gives_the_same_match() -> None:
    one, other = (played(get_game("cleocatra"), "random", 3) for _ in range(2))
    assert one == other
    assert one.over
    assert json.loads(positions_of(one, "ja", "tall")[0])["names"]


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["export-site", str(tmp_path / "new"), "--seconds", "-1"]) == 2
    assert "cannot be negative" in capsys.readouterr().err
    assert main(["export-site", str(tmp_path)]) == 2
    assert "is not an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_words_are_all_used() -> None:
    folder = Path(main.__code__.co_filename).parent / "site"
    source = "".join(path.read_text("utf-8") for path in folder.rglob("*") if path.suffix in (".html", ".js", ".py"))
    steps = {"demo.first", "demo.previous", "demo.next", "demo.last"}  # named by the buttons they belong to
    assert [key for key in WORDS.texts if f'"{key}"' not in source and key not in steps] == []
    assert WORDS.languages == tuple(LANGUAGES)
