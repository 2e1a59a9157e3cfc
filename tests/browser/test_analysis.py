"""The page of the analysis: the report, the better line on the board, practice, with Connect Four on the shelf."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from ..conftest import ROOT
from .test_hints import open_analysis, replay
from .test_pages import serious
from .tools import PHONE, server, wait_for_choice

Windows = Callable[..., Page]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(tmp_path_factory.mktemp("data"), PERANKH_GAMES=str(ROOT / "examples")) as running:
        yield running


def test_the_report_tells_the_match_and_its_better_line_is_played(open_window: Windows) -> None:
    page = open_window()
    table = replay(page)
    open_analysis(page, table)
    report = page.locator(".report")
    expect(report).to_contain_text("Hori won, 1 to 0 against Ani.")
    expect(report).to_contain_text("The game turned in the endgame, at move 7: Ani drops a stone onto d1.")
    expect(report.locator(".provisional")).to_have_count(0)
    expect(page.locator(".chart .turned")).to_have_count(1)
    expect(page.locator(".chart.first-look")).to_have_count(0)
    tables = page.locator(".figures table")
    expect(tables).to_have_count(2)
    expect(tables.first).to_contain_text("Own decisions")
    expect(tables.last).to_contain_text("Endgame")
    assert serious(page) == []

    page.locator("[data-line]").first.click()
    page.wait_for_url(f"**/t/{table}?at=6")
    card = page.locator(".line-card")
    expect(card).to_contain_text("As Ani could know it.")
    card.locator("[data-key=next]").click()
    expect(card).to_contain_text("Ani drops a stone onto a4.")
    expect(card.locator("[data-key=next]")).to_be_disabled()
    expect(page.locator("#board")).to_contain_text("Ani wins")
    assert serious(page) == []
    card.locator("[data-key=close]").click()
    expect(card).to_be_hidden()
    expect(page.locator("#board")).not_to_contain_text("Ani wins")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_one_tries_again_from_a_position(open_window: Windows, lang: str) -> None:
    page = open_window(lang, size=PHONE)
    table = replay(page)
    open_analysis(page, table)
    expect(page.locator(".report")).to_contain_text("The game turned" if lang == "en" else "勝負が動いたのは終盤、7手目の「")
    page.locator("[data-again]").first.tap()
    dialog = page.locator("#ask")
    expect(dialog).to_be_visible()
    expect(dialog.locator("[name=seat]")).to_have_value("0")
    assert serious(page) == []
    dialog.locator("[name=bot]").select_option("apprentice")
    dialog.locator("[type=submit]").tap()
    page.wait_for_url(lambda url: "/t/" in url and table not in url)
    wait_for_choice(page)
    expect(page.locator("#practice")).to_have_text("Practice from move 6" if lang == "en" else "6手目からの練習")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
