"""A server below a folder of its host: every page, picture, request and live connection stays there."""

from __future__ import annotations

import random
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

from .tools import click_lit, server, wait_for_choice, window


def test_a_server_below_a_folder(browser: Browser, tmp_path: Path) -> None:
    with server(tmp_path, PERANKH_ROOT="/games") as address:
        context = window(browser, address, painted=False)
        page, asked, complaints = context.new_page(), [], []  # type: ignore[var-annotated]
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto("/games")
        page.evaluate("() => localStorage.setItem('perankh:met:mural', 'yes')")  # not asked whether to learn it first
        page.locator("[data-alone=mural]").click()
        page.wait_for_url("**/games/t/*")
        table = page.url.rpartition("/")[2]
        wait_for_choice(page)
        assert click_lit(page, random.Random(1))
        expect(page.locator("a.brand")).to_have_attribute("href", "/games/")
        page.locator("a.brand").click()
        page.wait_for_url("**/games/")
        expect(page.locator(f'a[href="/games/t/{table}"]').first).to_be_visible()
        for path in ("/games/me", "/games/guide/mural", "/games/new/mural", "/games/alerts"):
            page.goto(path)
            expect(page.locator("h1").first).to_be_visible()
            links = page.eval_on_selector_all("a[href], link[href], [src]", "found => found.map(one => one.href ?? one.src)")
            inside = [urlsplit(link).path for link in links if link.startswith(address)]
            assert inside
            assert all(link.startswith("/games") for link in inside), inside
        worker = page.evaluate("async () => { const { serviceWorker } = await import('/games/static/installed.js'); "
                               "return (await serviceWorker()).scope; }")  # fmt: skip
        assert worker == f"{address}/games/"
        manifest = context.request.get(f"{address}/games/manifest-en.webmanifest").json()
        assert {manifest[name] for name in ("id", "start_url", "scope")} == {"/games/"}
        assert context.request.get(f"{address}{urlsplit(manifest['icons'][0]['src']).path}").ok
        assert {cookie["path"] for cookie in context.cookies() if cookie["name"] == "perankh"} == {"/games/"}
        context.close()
    paths = [urlsplit(url).path for url in asked if urlsplit(url).netloc == urlsplit(address).netloc]
    assert any(path.endswith("/live") for path in paths)
    assert all(path == "/games" or path.startswith("/games/") for path in paths), paths
    assert complaints == []
