"""Cards and guides: the card on one screen, the guide beside the board at the rule in question, replays, and paper."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from perankh.engine.game import game_names, get_game
from perankh.web.words import WORDS

from .tools import LAPTOP, PHONE, ask, new_table, wait_for_choice

Windows = Callable[..., Page]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_card_fits_on_one_screen_of_a_phone(open_window: Windows, lang: str) -> None:
    page = open_window(lang, size=PHONE)
    for game in game_names():
        page.goto(f"/card/{game}")
        expect(page.locator("#rules-card section")).to_have_count(4)
        page.wait_for_function("() => [...document.images].filter(image => image.complete && image.naturalWidth).length === 3")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), game
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), game
        sizes = "e => [...e.querySelectorAll('p, li, figcaption')].map(e => parseFloat(getComputedStyle(e).fontSize))"
        least = min(page.locator("#rules-card").evaluate(sizes))
        assert least >= 11.5, game


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_rules_are_read_without_leaving_the_match(open_window: Windows, size: dict[str, int]) -> None:
    page = open_window(size=size)
    table = new_table(page, "imhotep", ["me", "scribe"], seed=1, options={"start_player": 0})
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    page.keyboard.press("?")
    card = page.locator("#card-dialog")
    expect(card).to_contain_text(WORDS.say("card.turn", "en"))
    assert card.evaluate("dialog => dialog.scrollHeight <= dialog.clientHeight + 1")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.locator("#open-card").click()
    card.locator("[data-key=guide]").click()
    beside = page.locator("#beside")
    expect(beside.locator(".concerned")).to_have_id("turn")  # the game says which chapter concerns the decision
    expect(beside.locator(".concerned")).to_be_in_viewport()
    number = ask(page, "GET", f"/api/tables/{table}")["number"]
    fetch = page.locator('.board [data-id="do-fetch-1"]')
    fetch.click() if size == LAPTOP else fetch.dispatch_event("click")  # on a phone it may lie below the sheet
    page.wait_for_function("number => Number(document.getElementById('when').max) > number", arg=number)
    expect(beside).to_be_visible()
    beside.locator("select").select_option("burial")
    expect(beside.locator("#burial")).to_be_in_viewport()
    beside.locator("[data-key=close-guide]").click()
    expect(beside).to_be_hidden()
    assert page.url.endswith(table)


def test_an_example_is_stepped_through_and_printed_whole(open_window: Windows) -> None:
    page = open_window()
    page.goto("/guide/imhotep#market")
    example = page.locator(".example").first
    steps = len(get_game("imhotep").illustrations["market"].replay) + 1
    expect(example.locator("li")).to_have_count(steps)
    expect(example.locator("li:visible")).to_have_count(1)
    example.get_by_label(WORDS.say("replay.on", "en")).click()
    expect(example.locator("li:visible p")).to_have_text("Black sails ship B to the market.")
    example.press("ArrowRight")
    expect(example.locator("li:visible p")).to_have_text("Black takes Idol.")
    example.press("Home")
    expect(example.locator("output")).to_have_text(f"1 of {steps}")
    page.emulate_media(media="print")
    expect(example.locator("li:visible")).to_have_count(steps)
    expect(page.locator(".head")).to_be_hidden()
