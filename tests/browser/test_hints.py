"""Bots by level, hints, and the analysis of a match, with Connect Four on the shelf."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from perankh.bots import LEVELS
from perankh.engine.game import get_game
from perankh.engine.words import LANGUAGES
from perankh.match import Match
from perankh.match.file import text_of
from perankh.web.levels import USUAL
from perankh.web.pages import WORDS

from ..conftest import CONNECT_FOUR, ROOT
from .test_pages import serious
from .tools import LAPTOP, PHONE, ask, new_table, server, wait_for_choice, window

Windows = Callable[..., Page]
BLUNDER = 6  # red has three in column a and plays d; then yellow wins


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(tmp_path_factory.mktemp("data"), PERANKH_GAMES=str(ROOT / "examples")) as running:
        yield running


def replay(page: Page, codes: str = "agagagdg") -> str:
    """A table for looking only."""
    match = Match(get_game(CONNECT_FOUR), 2, seed=1, names=["Ani", "Hori"])
    for code in codes:
        match.play(code)
    return str(ask(page, "POST", "/api/replays", text_of(match))["id"])


def open_analysis(page: Page, table: str) -> None:
    """Open the analysis of a table and wait until it is done."""
    page.goto(f"/t/{table}")
    page.locator("[data-analyse]").click()
    page.wait_for_selector(".chart .seat", timeout=120_000)
    page.wait_for_function("() => !document.querySelector('.analysis-state progress')", timeout=120_000)


def test_a_table_says_that_its_bots_are_not_ready(tmp_path: Path, browser: Browser) -> None:
    empty = {"PERANKH_GAMES": str(ROOT / "examples"), "PERANKH_CACHE": str(tmp_path / "cache")}
    with server(tmp_path / "data", **empty) as address:
        for lang in LANGUAGES:
            context = window(browser, address, lang)
            page = context.new_page()
            page.goto(f"/t/{new_table(page, 'connect_four', ['me', 'priest'])}")
            expect(page.locator("#moves")).to_contain_text(WORDS.say("live.bots_preparing", lang))
            context.close()


def test_the_levels_are_offered_with_a_word_on_each(open_window: Windows) -> None:
    page = open_window()
    page.goto("/new/connect_four")
    choice = page.locator("[name=kind-1]")
    offered = choice.locator("option").evaluate_all("options => options.map(option => option.value)")
    assert offered == ["me", "open", *(f"bot:{level}" for level in LEVELS)]
    expect(choice).to_have_value(f"bot:{USUAL}")
    for level in LEVELS:
        choice.select_option(f"bot:{level}")
        expect(page.locator("#says")).to_contain_text(WORDS.say(f"bot.{level}_about", "en"))
    page.locator("#new [type=submit]").click()
    page.wait_for_url("**/t/*")
    wait_for_choice(page)
    expect(page.locator(".player .mark")).to_have_attribute("title", "Bot: pharaoh")
    page.locator("[data-key=menu-0]").click()
    expect(page.locator("#ask")).to_be_visible()
    told = page.locator("#ask button[data-action] small").all_text_contents()
    assert told[: len(LEVELS)] == [WORDS.say(f"bot.{level}_about", "en") for level in LEVELS]
    page.locator("#ask [data-action=apprentice]").click()
    expect(page.locator('.player[data-seat="0"] .mark')).to_have_attribute("title", "Bot: apprentice")


@pytest.mark.parametrize(("lang", "size"), [("en", LAPTOP), ("ja", PHONE)], ids=["laptop", "phone"])
def test_a_hint_lights_up_a_move_and_does_not_make_it(lang: str, size: dict[str, int], open_window: Windows) -> None:
    page = open_window(lang, size=size)
    table = new_table(page, "connect_four", ["me", "random"])
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    button = page.locator("[data-key=hint]")
    expect(button).to_have_attribute("title", WORDS.say("live.hint_help", lang))
    expect(page.locator(".board .hinted")).to_have_count(0)
    button.focus()
    page.keyboard.press("Enter")
    hinted = page.locator(".move.hinted")
    expect(hinted).to_have_count(1)
    expect(page.locator("#prompt .more")).to_have_text(WORDS.say("live.hint_says", lang, sentence=hinted.text_content()))
    assert page.locator(".board .hinted").count() > 0
    assert page.locator("#when").get_attribute("max") == "0"
    page.locator(".move").first.hover()
    page.mouse.move(2, 2)
    assert page.locator(".board .hinted").count() > 0  # pointing at another move does not make one forget it
    assert serious(page) == []
    hinted.click()
    page.wait_for_function("() => document.getElementById('when').max === '2'")
    expect(page.locator("#prompt .more, .move.hinted")).to_have_count(0)


def test_among_people_there_is_no_button_for_hints(open_window: Windows) -> None:
    page = open_window()
    page.goto(f"/t/{new_table(page, 'connect_four', ['me', 'me'])}")
    wait_for_choice(page)
    expect(page.locator("[data-key=undo]")).to_be_visible()
    expect(page.locator("[data-key=hint]")).to_have_count(0)
    expect(page.locator("#tab-analysis")).to_be_hidden()


def test_the_analysis_shows_the_chances_and_the_blunder(open_window: Windows) -> None:
    page = open_window()
    table = replay(page)
    open_analysis(page, table)
    assert page.locator(".chart .seat").count() == 2
    strokes = page.locator(".chart .seat path:last-child").evaluate_all(
        "paths => paths.map(path => path.getAttribute('stroke-dasharray'))"
    )
    assert len(set(strokes)) == 2
    chart = page.locator(".chart")
    assert re.fullmatch(r"At the end, Ani 0 %, Hori 100 %", chart.get_attribute("aria-valuetext") or "")
    assert serious(page) == []

    worst = page.locator(".costly button").first
    expect(worst).to_contain_text("Drop a stone into column d")
    expect(worst).to_contain_text("Better: Drop a stone into column a")
    worst.click()
    page.wait_for_url(f"**/t/{table}?at={BLUNDER}")
    expect(page.locator("#prompt .more").last).to_contain_text("Better: Drop a stone into column a")
    expect(page.locator(".player.viewer")).to_have_attribute("data-seat", "0")
    page.wait_for_function("() => document.querySelector('.board .hinted')")
    expect(worst).to_have_attribute("aria-current", "step")

    chart.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**?at={BLUNDER - 1}")
    page.keyboard.press("Home")
    page.wait_for_url("**?at=0")
    assert (chart.get_attribute("aria-valuetext") or "").startswith("Move 1, Ani ")
    box = chart.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    expect(page.locator(".chances .when")).not_to_have_text("Move 1")
    chart.press("ArrowRight")
    expect(page.locator(".chances .when")).to_have_text("Move 2")
    page.mouse.click(box["x"] + box["width"] - 20, box["y"] + 40)
    page.wait_for_url(f"**/t/{table}")
    expect(page.locator(".chances .when")).to_have_text("At the end")
    expect(page.locator(".board .hinted")).to_have_count(0)
    expect(page.locator(".player.viewer")).to_have_count(0)

    page.locator("#tab-analysis").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#log")).to_be_visible()
    expect(page.locator("#analysis")).to_be_hidden()


def test_the_analysis_fits_a_phone(open_window: Windows) -> None:
    page = open_window("ja", size=PHONE)
    table = replay(page)
    open_analysis(page, table)
    assert serious(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator(".costly button").first.tap()
    page.wait_for_url(f"**/t/{table}?at={BLUNDER}")
    expect(page.locator("#log-panel")).not_to_have_class(re.compile("open"))
    expect(page.locator("#prompt .more").last).to_contain_text("もっと良い手：a の列に石を落とす")
    page.locator("[data-key=analyse]").click()
    expect(page.locator(".chart")).to_be_in_viewport()
