"""Maqha in the browser: whole matches in each of its modes, sealed bids, and hands raised against the clock."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from perankh.match.file import parse

from .tools import ask, new_table, play_out, sit_down

Windows = Callable[..., Page]
MODES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "classic": (["me", "open"], {"rules": "classic", "classic_limit": "one"}),
    "advanced": (["me", "open", "random"], {"liquid": "whisky"}),
    "tray": (["me", "open", "random"], {"vessel": "tray"}),
}
ORDERS = (("bid5", "bid4", "bid1"), ("bid4", "bid3", "bid2"), ("bid2", "bid1", "bid3"))


def make(page: Page, table: str, number: int, code: str) -> None:
    """A move without the hands."""
    made = ask(page, "POST", f"/api/tables/{table}/moves", {"number": number, "code": code})
    assert "number" in made, made


@pytest.mark.parametrize("mode", MODES)
def test_two_windows_play_a_whole_match(mode: str, open_window: Windows) -> None:
    seats, options = MODES[mode]
    ani, hori = open_window("en"), open_window("ja")
    table = new_table(ani, "maqha", seats, options=options, seed=5)
    ani.goto(f"/t/{table}")
    sit_down(hori, table, "ホリ")
    clicks = play_out([ani, hori], random.Random(6), 20)
    assert clicks > (2 if mode == "classic" else 12)
    for page in (ani, hori):
        expect(page.locator("#ending")).to_be_visible()
    shown = [page.locator("#ending .points td").all_inner_texts() for page in (ani, hori)]
    assert shown[0] == shown[1]
    assert page.locator("#ending tfoot tr:not(.tie)").count() == (0 if mode == "classic" else 1)  # classic: no points
    spill = {"classic": "#splash", "advanced": "#splash", "tray": "#burst"}[mode]
    for page in (ani, hori):  # everybody sees it
        expect(page.locator(f'.board use[href="{spill}"]').first).to_be_attached()
    assert parse(ani.request.get(f"/api/tables/{table}/file").text()).over


def test_a_sealed_bid_is_changed_with_a_button(open_window: Windows) -> None:
    ani, hori = open_window(), open_window()
    table = new_table(ani, "maqha", ["me", "open", "random"], seed=5)
    ani.goto(f"/t/{table}")
    sit_down(hori, table, "Hori")
    change = ani.locator("[data-key=change]")
    expect(ani.locator(".move")).to_have_count(5)
    expect(change).to_have_count(0)
    ani.locator(".move[data-code=bid4]").click()
    expect(ani.locator(".move")).to_have_count(4)
    hori.locator(".move[data-code=bid2]").click()
    expect(hori.locator(".move")).to_have_count(4)
    expect(ani.locator('.board [data-id^="seal-0-"]')).to_have_count(1)
    change.click()
    expect(ani.locator(".move")).to_have_count(5)
    expect(ani.locator('.board [data-id^="seal-0-"]')).to_have_count(0)
    expect(hori.locator(".move")).to_have_count(4)  # nobody else's choice is touched
    ani.locator(".move[data-code=bid1]").click()
    expect(ani.locator(".move")).to_have_count(4)


def test_live_hands(open_window: Windows) -> None:
    ani, hori, meri = open_window("en"), open_window("ja"), open_window("en")
    table = new_table(ani, "maqha", ["me", "open", "open"], options={"hands": "live", "hand_window": 6}, seed=77)
    for page in (hori, meri):
        page.goto("/")
        ask(page, "POST", f"/api/tables/{table}/seats", {"ready": True})
    for slot in range(3):
        for p, page in enumerate((ani, hori, meri)):
            make(page, table, 3 * slot, ORDERS[p][slot])
    for page in (ani, hori):
        page.goto(f"/t/{table}")
    ani.locator(".move[data-code=pass]").click()
    button = hori.locator(".hurry .move:not(.quiet)")
    expect(button).to_have_attribute("data-code", "raise0")
    expect(hori.locator(".move")).to_have_count(2)
    expect(hori.locator(".board .lit")).to_have_count(2)
    for page in (ani, hori):  # the passer watches the time run out as well
        first = page.locator(".question span").bounding_box()
        page.wait_for_timeout(250)
        later = page.locator(".question span").bounding_box()
        assert first
        assert later
        assert later["width"] < first["width"]
    box = button.bounding_box()
    assert box
    assert box["height"] >= 70
    button.click()
    # Meri does not answer: the window closes by itself.
    expect(ani.locator("#log")).to_contain_text("Blue raises a hand after")
    expect(ani.locator("#log")).to_contain_text("Green keeps the hand down.")
    expect(ani.locator("#log")).to_contain_text("Blue throws")
    expect(ani.locator(".question")).to_have_count(0)
    expect(hori.locator("#log")).to_contain_text("青が")
