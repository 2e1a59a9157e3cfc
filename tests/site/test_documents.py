"""The documentation site: built without a warning, in both languages; read in a browser under the server's policy."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Browser, expect

import perankh
from perankh.cli import main
from perankh.engine.game import game_names
from perankh.site import documents
from perankh.web import documents as served
from perankh.web.bans import Bans
from perankh.web.guard import Guard, costly_buckets
from perankh.web.limits import Buckets, Limits, Turns
from perankh.web.site import make_site

from ..browser.looks import serious
from ..browser.tools import LAPTOP, PHONE, window

pytestmark = [
    pytest.mark.xdist_group("connect_four"),  # which the notebook plays
    pytest.mark.filterwarnings("ignore:'myst_parser:DeprecationWarning", "ignore:'myst_parser:PendingDeprecationWarning"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site; its notebook learns for a moment only. A warning or a link that leads nowhere is an error."""
    folder = tmp_path_factory.mktemp("site") / "docs"
    documents.build(folder, lambda code: code.replace("UPDATES = 80", "UPDATES = 1"))
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The site under /docs, behind the guard of the server."""
    limits, patch = Limits(), pytest.MonkeyPatch()
    patch.setattr(served, "FOLDER", site)
    app = FastAPI(docs_url=None)
    app.include_router(served.router)
    shared = {"addresses": Buckets(*limits.address), "turns": Turns(), "costly": costly_buckets(limits)}
    app.add_middleware(Guard, limits=limits, site=make_site(), bans=Bans(), **shared)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()
    patch.undo()


def test_every_listed_page_is_there(site: Path) -> None:
    for lang, top in (("en", site), ("ja", site / "ja")):
        home = (top / "index.html").read_text("utf-8")
        assert f'<html class="no-js" lang="{lang}"' in home
        for pages in documents.Sources(lang, site, str).listed.values():
            for page in map(documents.page_of, pages):
                assert (top / f"{page}.html").is_file(), page
                assert f'href="{page}.html"' in home, page
        assert all((top / "games" / f"{game}.html").is_file() for game in game_names())


def test_pages_hold_no_code_and_load_nothing_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|<[^>]*\sstyle=", text), path
        assert not re.search(r"<(?:script|img|link)\b[^>]*(?:src|href)=\"(?:https?:)?//", text), path
    for path in [*site.rglob("*.css"), *site.rglob("*.js")]:
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//|@import", path.read_text("utf-8")), path


def test_the_notebook_was_run(site: Path) -> None:
    page = (site / "curve.html").read_text("utf-8")
    assert "reward against random play:" in page
    assert page.count("What the cell above shows") == 2


def test_docstrings_and_guides_are_in_it(site: Path) -> None:
    assert 'id="perankh.engine.contract.veil"' in (site / "python" / "perankh.engine.contract.html").read_text("utf-8")
    assert 'id="perankh.match.Match.undo"' in (site / "python" / "perankh.match.html").read_text("utf-8")
    assert 'id="perankh.envs.batch"' in (site / "python" / "perankh.envs.html").read_text("utf-8")
    package = (site / "python" / "perankh.html").read_text("utf-8")
    for name in perankh.__all__:  # explained here, or on the page that is linked to
        assert f'id="perankh.{name}"' in package or f'.{name}"' in package or name == "errors", name
    assert "_images/mural-" in (site / "ja" / "games" / "mural.html").read_text("utf-8")


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="b.html#there">1</a> <a href="#here">2</a> <a href="https://x.org">3</a>'
    )
    (tmp_path / "b.html").write_text('<a href="a.html#here">1</a> <img src="gone.png">')
    assert sorted(documents.broken_links(tmp_path)) == ["a.html: b.html#there", "b.html: gone.png"]


def test_without_the_documents_the_command_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(documents, "PROJECT", tmp_path)
    assert main(["docs", "--to", str(tmp_path / "docs")]) == 2
    assert "the documents are not here" in capsys.readouterr().err
    assert not (tmp_path / "docs").exists()


def test_nothing_but_the_site_is_served(address: str, site: Path) -> None:
    (site.parent / "secret.txt").write_text("secret")
    with httpx.Client(base_url=address) as http:
        assert http.get("/docs").headers["location"] == "docs/"
        assert http.get("/docs/").headers["content-security-policy"]
        assert http.get("/docs/ja/hosting.html").status_code == 200
        for path in ("../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "nothing.html", "a%00b", "x" * 3000, "/etc/passwd"):
            answer = http.get(f"/docs/{path}")
            assert answer.status_code == 404, path
            assert "secret" not in answer.text


def test_it_is_read_in_a_browser(address: str, browser: Browser) -> None:
    for lang, size, scheme in (("en", None, "light"), ("ja", PHONE, "dark")):
        complaints: list[str] = []
        context = window(browser, address, lang, size, color_scheme=scheme)
        page = context.new_page()
        page.on("console", lambda said, kept=complaints: kept.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error, kept=complaints: kept.append(str(error)))
        top = "/docs/" if lang == "en" else "/docs/ja/"
        for name in ("", "playing.html", "hosting.html", "games/imhotep.html"):
            page.goto(top + name)
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), name
            assert serious(page) == [], name
        wanted, found = ("obelisk", "Imhotep") if lang == "en" else ("神殿", "イムホテップ")
        page.goto(f"{top}search.html?q={wanted}")
        expect(page.locator("#search-results a", has_text=found).first).to_be_visible()
        assert complaints == []
        page.set_viewport_size(LAPTOP)
        page.goto(top)
        tables = "() => [...document.querySelectorAll('.table-wrapper')].map(table => table.scrollWidth - table.clientWidth)"
        assert max(page.evaluate(tables)) <= 0  # on a laptop, no column is out of sight
        context.close()
