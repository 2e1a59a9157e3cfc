"""An owner corrects printed numbers in the browser, and plays with them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .test_me import fits
from .tools import LAPTOP, PHONE

Windows = Callable[..., Page]


def test_a_corrected_number_is_drawn_refused_saved_and_played_with(open_window: Windows, expected: list[str]) -> None:
    expected.append("422")  # the browser tells that a draft was refused
    page = open_window("en")
    page.goto("/box/mural")
    picture, said = page.locator("#picture"), page.locator("#said")
    expect(picture).to_be_visible()
    before = picture.get_attribute("src") or ""
    page.locator("[data-section=area_map] summary").click()
    value = page.locator("[data-entry='area_map.regular.values.A']")
    piece = page.locator("[data-piece='area_map.regular']")
    expect(piece.locator(".source")).to_have_text("reconstructed")
    value.fill("99")  # no number of the rules: the reason stands at the field
    expect(page.locator(".entry", has=value).locator(".fault")).to_have_text("99 is not between 1 and 9.")
    expect(value).to_have_attribute("aria-invalid", "true")
    value.fill("7")
    expect(said).to_have_text("")
    expect(value).not_to_have_attribute("aria-invalid", "true")
    expect(piece.locator(".source")).to_have_text("your box")
    expect(picture).not_to_have_attribute("src", before)
    fits(page)
    page.locator("#name").fill("Aiko's box")
    page.locator("#save").click()
    page.wait_for_url("**/box/mural?edition=*")
    expect(page.locator("[data-entry='area_map.regular.values.A']")).to_have_value("7")
    address = page.url

    phone = open_window("ja", size=PHONE)  # somebody else, by the link
    phone.goto(address)
    expect(phone.locator("#picture")).to_be_visible()
    expect(phone.locator("#delete")).to_have_count(0)
    phone.locator("[data-section=area_map] summary").click()
    fits(phone)

    page.get_by_role("link", name="Set up a table with it").click()
    expect(page.locator("#edition option:checked")).to_have_text("Aiko's box")
    page.locator("#new [type=submit]").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#variants")).to_contain_text("Edition: Aiko's box")
    expect(page.locator(".board .lit").first).to_be_visible()


@pytest.mark.parametrize(("lang", "size"), [("en", LAPTOP), ("ja", PHONE)], ids=["laptop", "phone"])
def test_a_box_with_other_cards_is_entered_and_saved(
    open_window: Windows, expected: list[str], lang: str, size: dict[str, int]
) -> None:
    expected.append("422")
    page = open_window(lang, size=size)
    page.goto("/box/egizia")
    said, group = page.locator("#said"), page.locator("[data-section=sphinx]")
    expect(page.locator("#picture")).to_be_visible()
    group.locator("summary").click()
    gone, added = page.locator("[data-gone='sphinx.S03']"), page.locator("[data-piece='sphinx.S30']")
    gone.check()
    expect(page.locator("[data-entry='sphinx.S03.vp']")).to_be_disabled()
    page.locator("[data-more=sphinx]").click()
    expect(added.locator("legend")).to_contain_text("S30")
    expect(page.locator("[data-entry='sphinx.S30.per']")).to_have_value(
        page.locator("[data-entry='sphinx.S29.per']").input_value()
    )
    page.locator("[data-more=sphinx]").click()
    page.locator("[data-piece='sphinx.S31'] [data-less]").click()
    page.locator("[data-entry='sphinx.S30.per']").fill("1000")
    expect(added.locator(".fault:visible")).to_contain_text("999")  # the reason stands at the field
    page.locator("[data-entry='sphinx.S30.per']").fill("3")
    expect(said).to_have_text("")
    called = page.locator("[data-piece='sphinx.S02'] .says")
    before = called.inner_text()
    page.locator("[data-entry='sphinx.S02.least']").fill("7")
    expect(called).to_have_text(before.replace("3", "7"))  # what the card says follows
    page.locator("[data-entry='sphinx.S02.least']").fill("3")
    expect(called).to_have_text(before)
    fits(page)
    page.locator("#name").fill("Aiko")
    page.locator("#save").click()
    page.wait_for_url("**/box/egizia?edition=*")
    expect(page.locator("[data-entry='sphinx.S30.per']")).to_have_value("3")
    expect(gone).to_be_checked()
    expect(page.locator("[data-piece='sphinx.S31']")).to_have_count(0)
    page.locator("#reset").click()
    expect(added).to_have_count(0)
    expect(gone).not_to_be_checked()
