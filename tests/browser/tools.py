"""What browser tests and screenshots share: a server, a browser, and hands that play."""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from tests.forked import Program

from .found import browser

ROOT = Path(__file__).parent.parent.parent
WHOLE = browser()
# The headless shell makes a window in a tenth of the time: it has none of the browser's own buttons and bars.
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or WHOLE
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--mute-audio",
]
PATIENCE = 90_000  # milliseconds in which everything comes: processors are shared with tests that compile
LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SIZES = {
    "laptop": LAPTOP,
    "tablet": {"width": 820, "height": 1180},
    "tablet-wide": {"width": 1180, "height": 820},
    "phone": PHONE,
    "phone-wide": {"width": 844, "height": 390},
    "4k": {"width": 3840, "height": 2160},
}
TOUCHED = ("tablet", "tablet-wide", "phone", "phone-wide")

# What a page shows of the course of a match; it changes with every move and every click on a path.
COURSE = """() => document.getElementById("when").max + "|"
    + [...document.querySelectorAll(".board .chosen")].map(g => g.dataset.id) + "|"
    + document.querySelectorAll(".board .lit").length + "|" + document.getElementById("prompt").textContent
    + document.querySelector("dialog[open]")?.id"""
# Bring one of the lit sprites into sight and tell where its middle is; one of some kinds if there is one among them.
AIM = """(pick, kinds = []) => {
    const all = [...document.querySelectorAll(".board .lit")];
    const known = all.filter(one => kinds.includes(one.dataset.id.replace(/\\d+/g, "")));
    const lit = known.length ? known : all;
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
        probe.bind(("0.0.0.0", 0))  # free at all addresses of this computer
        port = probe.getsockname()[1]
    files = (os.devnull, os.devnull, "/dev/stderr")
    process = Program("tests.browser.serve", [str(data), str(port)], os.environ | environment, files=files)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(2000):
            try:
                urlopen(address).close()
                break
            except OSError:
                assert process.poll() is None, "the server did not start"
                time.sleep(0.05)
        yield address
    finally:
        process.terminate()
        process.wait(60)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser."""
    with sync_playwright() as playwright, launched(playwright) as browser:
        yield browser


@contextmanager
def launched(playwright: Playwright, program: str | None = CHROMIUM) -> Iterator[Browser]:
    """A running browser."""
    browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
    yield browser
    browser.close()


def window(
    browser: Browser,
    address: str,
    lang: str = "en",
    size: dict[str, int] | None = None,
    painted: bool = True,
    pace: str = "off",
    confirm: str = "off",
    **more: Any,
) -> BrowserContext:
    """Somebody with a browser of his own, who has the list of moves open.

    Unless asked for, motion is reduced, others' moves are not staged and touches need no confirmation, to save time.
    """
    size = size or LAPTOP
    touched = size in [SIZES[name] for name in TOUCHED]
    phone = {"is_mobile": True, "has_touch": True} if touched else {}
    more = {"reduced_motion": "reduce", "base_url": address} | more
    context = browser.new_context(locale=lang, viewport=size, **phone, **more)  # type: ignore[arg-type]
    kept = f'localStorage["perankh:pace"] ??= "{pace}"; localStorage["perankh:moves"] ??= "open";'
    context.add_init_script(f"if (location.host) {{ {kept} }}")
    if confirm:  # empty: as the device is
        context.add_init_script(f'if (location.host) localStorage["perankh:confirm"] ??= "{confirm}"')
    if not painted:
        context.add_init_script(UNPAINTED)
    return context


def ask(page: Page, method: str, path: str, body: Any = None) -> Any:
    """Ask the API as the page would."""
    if page.url == "about:blank":  # to load a page first takes long
        kind = {"Content-Type": "text/plain"} if isinstance(body, str) else {}
        headers = {"Sec-Fetch-Site": "same-origin"} | kind
        return page.request.fetch(path, method=method, headers=headers, data=body, timeout=PATIENCE).json()
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


def wait_for_choice(page: Page, timeout: float = PATIENCE) -> None:
    """Wait until there is something to choose, or the match is over: bots may be loading while other tests compile."""
    page.wait_for_function("() => document.querySelector('.board .lit, dialog[open], [data-key=result]')", timeout=timeout)


def kind_of(sprite: str) -> str:
    """What a sprite is, without the numbers that tell it from others of its kind."""
    return re.sub(r"\d+", "", sprite)


def click_lit(page: Page, chance: random.Random, kinds: Collection[str] = ()) -> bool:
    """Click one of the lit sprites, one of some kinds if there is one, and wait until something has come of it.

    False if none is lit.
    """
    look = f"([pick, kinds]) => {{ const at = ({AIM})(pick, kinds); return at && [at, ({COURSE})()]; }}"
    aimed = page.evaluate(look, [chance.random(), sorted(kinds)])
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


def play_out(pages: list[Page], chance: random.Random, most: int = 100_000, limit: float = 240.0, unseen: int = 0) -> int:
    """Click through a match to its end, each window for its own seats; the number of clicks.

    After `most` clicks the moves are sent as requests instead, which takes less time: about `unseen` of them while the windows
    are elsewhere, which takes less still, and the others before their eyes.
    """
    clicks, until = 0, time.monotonic() + limit
    while not is_over(pages[0]):
        assert time.monotonic() < until, "the match does not come to its end"
        if clicks >= most:
            table = pages[0].url
            if unseen:
                for page in pages:
                    page.goto("about:blank")
                send_moves(pages, chance, until, table, unseen)
                for page in pages:
                    page.goto(table)
                    expect(page.locator("#board .sprite").first).to_be_attached()
            send_moves(pages, chance, until)
            expect(pages[0].locator("[data-key=result]").first).to_be_attached(timeout=PATIENCE)  # a slow page follows later
            break
        clicked = [click_lit(page, chance) for page in pages]
        clicks += sum(clicked)
        if not any(clicked):
            pages[0].wait_for_timeout(10)
    return clicks


def send_moves(pages: list[Page], chance: random.Random, until: float, table: str = "", most: float = float("inf")) -> None:
    """Play a match without the mouse, to its end or for about so many moves."""
    address, over, made = f"/api/tables/{(table or pages[0].url).rpartition('/')[2]}", False, 0
    while not over and made < most:
        assert time.monotonic() < until, "the match does not come to its end"
        for page in pages:
            while (view := page.request.get(f"{address}?since=100000").json())["moves"] and made < most:
                move = {"number": view["number"], "code": chance.choice(view["moves"])["code"], "seat": view["viewer"]}
                status = page.request.post(f"{address}/moves", data=move).status
                assert status in (200, 409), status  # 409: the page has made a forced decision meanwhile
                made += status == 200
            over = view["status"] == "over"
