"""What browser tests and screenshots share: a server, a browser, and hands that play."""

from __future__ import annotations

import os
import random
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.forked import Program

ROOT = Path(__file__).parent.parent.parent
CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--mute-audio",
]
LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

# What a page shows of the course of a match; it changes with every move and every click on a path.
COURSE = """() => document.getElementById("when").max + "|"
    + [...document.querySelectorAll(".board .chosen")].map(g => g.dataset.id) + "|"
    + document.querySelectorAll(".board .lit").length + "|" + document.getElementById("prompt").textContent
    + document.querySelector("dialog[open]")?.id"""
# Bring one of the lit sprites into sight and tell where its middle is.
AIM = """pick => {
    const lit = [...document.querySelectorAll(".board .lit")];
    if (!lit.length || document.querySelector("dialog:modal")) return null;  // a dialog lies over the board
    const group = lit[Math.floor(pick * lit.length)];
    let middle = group.getScreenCTM();  // not the bounding box, which counts what a symbol clips away
    if (middle.f < 120 || middle.f > innerHeight - 140) {
        scrollBy({top: middle.f - innerHeight / 2, behavior: "instant"});
        middle = group.getScreenCTM();
    }
    return [middle.e, middle.f];
}"""

# Nothing is painted, which is most of what a browser without a GPU works at. Layout and clicks are the same.
UNPAINTED = """
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("body { opacity: 0; }");
    document.adoptedStyleSheets = [sheet];
"""


@contextmanager
def server(data: Path, **environment: str) -> Iterator[str]:
    """A real server in a process of its own; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    files = (os.devnull, os.devnull, "/dev/stderr")
    process = Program("tests.browser.serve", [str(data), str(port)], os.environ | environment, files=files)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urlopen(address).close()
                break
            except OSError:
                assert process.poll() is None, "the server did not start"
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def window(
    browser: Browser,
    address: str,
    lang: str = "en",
    size: dict[str, int] | None = None,
    painted: bool = True,
    pace: str = "off",
    **more: Any,
) -> BrowserContext:
    """Somebody with a browser of his own. Unless asked for, motion is reduced and others' moves are not staged, to save time."""
    size = size or LAPTOP
    phone = {"is_mobile": True, "has_touch": True} if size["width"] < 700 else {}
    more = {"reduced_motion": "reduce"} | more
    context = browser.new_context(base_url=address, locale=lang, viewport=size, **phone, **more)  # type: ignore[arg-type]
    context.add_init_script(f'if (location.host) localStorage["perankh:pace"] ??= "{pace}"')
    if not painted:
        context.add_init_script(UNPAINTED)
    return context


def ask(page: Page, method: str, path: str, body: Any = None) -> Any:
    """Ask the API as the page would."""
    if page.url == "about:blank":
        page.goto("/")
    return page.evaluate(
        """async ([method, path, body]) => {
            const text = typeof body === "string" ? body : body === null ? undefined : JSON.stringify(body);
            const headers = {"Content-Type": typeof body === "string" ? "text/plain" : "application/json"};
            const answer = await fetch(path, {method, headers, body: text});
            return answer.json();
        }""",
        [method, path, body],
    )


def new_table(page: Page, game: str, seats: list[str], **more: Any) -> str:
    """A new table at which one is ready, by its id; seats are "me", "open" or the name of a bot."""
    wanted = [{"kind": seat} if seat in ("me", "open") else {"kind": "bot", "bot": seat} for seat in seats]
    usual = {"game": game, "players": len(seats), "seats": wanted, "ready": True, "hot_seat": seats.count("me") > 1}
    made = ask(page, "POST", "/api/tables", usual | more)
    return str(made["id"])


def sit_down(page: Page, table: str, name: str) -> None:
    """Open a table by its link, take the open seat and start, as a person does."""
    page.goto(f"/t/{table}")
    page.locator(".player .sit").first.click()
    page.locator("#ask-name").fill(name)
    page.locator("#ask button.first").click()
    expect(page.locator(".player.viewer")).to_have_count(1)
    page.locator("[data-key=start]").click()


def wait_for_choice(page: Page, timeout: float = 60_000) -> None:
    """Wait until there is something to choose, or the match is over: bots may be loading while other tests compile."""
    page.wait_for_function("() => document.querySelector('.board .lit, dialog[open], [data-key=result]')", timeout=timeout)


def click_lit(page: Page, chance: random.Random) -> bool:
    """Click one of the lit sprites and wait until something has come of it; False if none is lit."""
    aimed = page.evaluate(f"pick => {{ const at = ({AIM})(pick); return at && [at, ({COURSE})()]; }}", chance.random())
    if aimed is None:
        return False
    point, before = aimed
    if (page.viewport_size or LAPTOP)["width"] < 700:
        page.touchscreen.tap(*point)
    else:
        page.mouse.click(*point)
    page.wait_for_function(f"before => ({COURSE})() !== before", arg=before)
    return True


def is_over(page: Page) -> bool:
    """Is the match over, and does the page say so?"""
    return page.locator("[data-key=result]").count() > 0


def play_out(pages: list[Page], chance: random.Random, most: int = 100_000, limit: float = 240.0) -> int:
    """Click through a match to its end, each window for its own seats; the number of clicks.

    After `most` clicks the moves are sent as requests instead, which takes less time.
    """
    clicks, until = 0, time.monotonic() + limit
    while not is_over(pages[0]):
        assert time.monotonic() < until, "the match does not come to its end"
        if clicks >= most:
            send_moves(pages, chance, until)
            expect(pages[0].locator("[data-key=result]").first).to_be_attached(timeout=60_000)  # a slow page follows later
            break
        clicked = [click_lit(page, chance) for page in pages]
        clicks += sum(clicked)
        if not any(clicked):
            pages[0].wait_for_timeout(10)
    return clicks


def send_moves(pages: list[Page], chance: random.Random, until: float) -> None:
    """Play a match to its end without the mouse."""
    address, over = f"/api/tables/{pages[0].url.rpartition('/')[2]}", False
    while not over:
        assert time.monotonic() < until, "the match does not come to its end"
        for page in pages:
            view = page.request.get(f"{address}?since=100000").json()
            over = view["status"] == "over"
            if view["moves"]:
                move = {"number": view["number"], "code": chance.choice(view["moves"])["code"], "seat": view["viewer"]}
                status = page.request.post(f"{address}/moves", data=move).status
                assert status in (200, 409), status  # 409: the page has made a forced decision meanwhile
