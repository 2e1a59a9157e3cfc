"""The page builds its views from changes, and asks for the text board only when somebody wants it."""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.changes import with_changes
from tests.web.test_changes import frames_of

from .tools import click_lit, new_table, wait_for_choice

Windows = Callable[..., Page]

BUILD = """async frames => {
    const { withChanges } = await import("/static/live.js");
    let view = null;
    return frames.map(frame => view = frame.type === "changes" ? withChanges(view, frame) : frame);
}"""
# A connection to nobody: what the page sends, and what it takes from frames that are given to it.
GAP = """async ([first, second, third]) => {
    const sent = [], seen = [];
    class Nobody extends EventTarget {
        static OPEN = 1;
        readyState = 1;
        send(text) { sent.push(JSON.parse(text)); }
        close() {}
    }
    const real = window.WebSocket;
    window.WebSocket = Nobody;
    const { Live } = await import("/static/live.js");
    const live = new Live("none", { lang: "en", shape: "wide" });
    window.WebSocket = real;
    live.addEventListener("view", ({ detail }) => seen.push(detail.serial ?? null));
    const give = frame => live.socket.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
    give(second);  // before anything whole
    give(first);
    give(third);  // one is missing
    give({ ...first, serial: undefined, at: 0 });  // an earlier position
    give(second);
    give(third);
    return { sent, seen };
}"""


def test_the_page_builds_what_programs_build(open_window: Windows) -> None:
    page = open_window()
    page.goto("/")
    for game in ("egizia", "maqha"):
        frames = frames_of(game, 3)
        built = page.evaluate(BUILD, frames)
        expected = {}
        for frame, found in zip(frames, built, strict=True):
            expected = with_changes(expected, frame) if frame["type"] == "changes" else frame
            assert found == expected
    given = frames_of("mural", 3)[:3]
    assert [frame["serial"] for frame in given] == [1, 2, 3]
    told = page.evaluate(GAP, given)
    assert told["sent"] == [{"type": "whole"}, {"type": "whole"}]
    assert told["seen"] == [1, None, 2, 3]


def test_the_text_board_comes_when_it_is_opened(open_window: Windows) -> None:
    page = open_window()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "since=" in request.url else None)
    table = new_table(page, "mural", ["me", "me"], seed=3)
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    assert asked == []
    page.locator("#text-board summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#text")).to_contain_text("deck 9")
    before = page.locator("#text").text_content()
    click_lit(page, random.Random(1))
    page.wait_for_function("before => document.getElementById('text').textContent !== before", arg=before)
    expect(page.locator("#text")).to_contain_text("deck 9")
