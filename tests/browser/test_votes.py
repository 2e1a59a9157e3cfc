"""Consent in the browser: stand-ins, seats that were left, time-outs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from .tools import LAPTOP, PHONE, new_table, server, sit_down, window

Windows = Callable[..., Page]
GAME = "mural"
AWAY = "0.5"  # seconds


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server at which people count as away at once."""
    with server(tmp_path_factory.mktemp("votes"), PERANKH_AWAY=AWAY) as running:
        yield running


@pytest.fixture
def opened(browser: Browser, impatient: str) -> Iterator[Windows]:
    """Windows of different people."""
    contexts = []

    def open_one(lang: str = "en", size: dict[str, int] | None = None) -> Page:
        contexts.append(window(browser, impatient, lang, size))
        page = contexts[-1].new_page()
        page.set_default_timeout(30_000)
        return page

    yield open_one
    for context in contexts:
        context.close()


def test_a_stand_in_is_voted_on_and_the_player_takes_the_seat_back(opened: Windows) -> None:
    ani, hori, meryt = opened(), opened("ja", PHONE), opened()
    table = new_table(ani, GAME, ["me", "open", "open"])
    ani.goto(f"/t/{table}")
    sit_down(hori, table, "ホリ")
    sit_down(meryt, table, "Meryt")
    expect(meryt.locator("#board .sprite").first).to_be_visible()  # the match is dealt
    expect(ani.locator("[data-key=stand-in-2]")).to_have_count(0)
    meryt.goto("about:blank")
    ani.locator("[data-key=stand-in-2]").click()
    expect(ani.locator("#asked")).to_contain_text("Waiting for ホリ to agree.")
    expect(ani.locator("[data-key=withdraw]")).to_be_visible()
    expect(hori.locator("#asked")).to_contain_text("Merytは離席中です。")
    hori.locator("[data-key=agree]").click()
    expect(ani.locator(".player").nth(2).locator(".mark")).to_be_visible()
    expect(ani.locator(".toast")).to_contain_text("The scribe plays for Meryt.")
    expect(ani.locator("#log .announced")).to_contain_text("The scribe plays for Meryt.")
    meryt.goto(f"/t/{table}")
    expect(meryt.locator("#moves")).to_contain_text("The scribe plays for you.")
    meryt.locator("[data-key=back-2]").click()
    expect(hori.locator("#log .announced")).to_have_count(2)
    expect(meryt.locator(".player").nth(2).locator(".mark")).to_have_count(0)


def test_leaving_and_joining(opened: Windows) -> None:
    ani, hori, guest = opened(), opened("ja"), opened(size=PHONE)
    table = new_table(ani, GAME, ["me", "open"])
    ani.goto(f"/t/{table}")
    sit_down(hori, table, "ホリ")
    expect(hori.locator("#board .sprite").first).to_be_visible()  # the match is dealt
    hori.locator("[data-key=menu-1]").click()
    hori.locator("[data-action=leave]").click()
    hori.locator("#ask [data-key=leave]").click()
    expect(ani.locator("#log .announced")).to_contain_text("ホリ has left. The scribe plays on.")
    guest.goto(f"/t/{table}")
    guest.locator("[data-key=join-1]").click()
    guest.locator("#ask-name").fill("Senet")
    guest.locator("#ask button.first").click()
    expect(guest.locator("#asked")).to_contain_text("Waiting for")
    expect(ani.locator("#asked")).to_contain_text("Senet would like to join")
    ani.locator("[data-key=agree]").click()
    expect(guest.locator(".player.viewer")).to_contain_text("Senet")
    expect(ani.locator(".player").nth(1)).to_contain_text("Senet")
    expect(ani.locator("#log .announced")).to_have_count(2)


def test_the_new_table_page_offers_what_happens_on_time_outs(opened: Windows) -> None:
    page = opened()
    page.goto(f"/new/{GAME}")
    expect(page.locator("#on_timeout")).to_be_hidden()
    page.locator("#clock").select_option(index=1)
    page.locator("#on_timeout").select_option("forfeit")
    page.locator("#stand_in").select_option("priest")
    page.locator("#absence").select_option("10")
    page.locator("[type=submit]").click()
    page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    settings = page.evaluate("async table => (await (await fetch(`/api/tables/${table}`)).json()).settings", table)
    assert settings == {
        "absence": 600,
        "on_timeout": "forfeit",
        "stand_in": "priest",
        "colours": [],
        "lesson": "",
        "practice": None,
    }


@pytest.mark.parametrize(("lang", "size"), [("en", LAPTOP), ("ja", PHONE)], ids=["laptop", "phone"])
def test_running_out_of_time(browser: Browser, tmp_path: Path, lang: str, size: dict[str, int]) -> None:
    def people(address: str, table: str | None, cookies: Any = None) -> tuple[Page, Any]:
        context = window(browser, address, lang, size)
        context.add_cookies(cookies or [])
        page = context.new_page()
        page.set_default_timeout(30_000)
        if table:
            page.goto(f"/t/{table}")
        return page, context

    with server(tmp_path) as address:
        ani, first = people(address, None)
        table = new_table(ani, GAME, ["me", "open"], clock={"minutes": 1}, on_timeout="forfeit", options={"start_player": 0})
        hori, second = people(address, None)
        sit_down(hori, table, "Hori")
        expect(hori.locator("#board .sprite").first).to_be_visible()  # the match is dealt
        kept = [context.cookies() for context in (first, second)]
        first.close()
        second.close()
    with sqlite3.connect(tmp_path / "perankh.db") as database:
        clock = json.loads(database.execute("SELECT clock FROM tables").fetchone()[0]) | {"left": [1.5, 60], "since": None}
        database.execute("UPDATE tables SET clock = ?", [json.dumps(clock)])
    database.close()
    with server(tmp_path) as address:
        for cookies in kept:
            for cookie in cookies:
                cookie["domain"] = "127.0.0.1"
        ani, first = people(address, table, kept[0])
        hori, second = people(address, table, kept[1])
        expect(ani.locator(".player .clock.out")).to_have_text("0:00")
        expect(hori.locator("#log .announced")).to_contain_text("lost on time" if lang == "en" else "時間切れ負け")
        ani.locator("[data-key=time-0]").click()
        hori.locator("[data-key=agree]").click()
        expect(ani.locator(".player .clock.out")).to_have_count(0)
        expect(hori.locator("#log .announced")).to_have_count(2)
        first.close()
        second.close()
