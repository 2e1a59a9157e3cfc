"""The page of a person: devices, ways back, standing, data; each person in a browser of his own."""

from __future__ import annotations

import io
import json
import random
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from perankh.web.pages import WORDS

from .test_pages import serious
from .tools import PHONE, click_lit, new_table, send_moves, sit_down, wait_for_choice

Windows = Callable[..., Page]


def open_me(page: Page, path: str = "/me") -> None:
    """Open the page of a person, and wait until everything is drawn."""
    page.goto(path)
    expect(page.locator("main")).not_to_have_attribute("aria-busy", "true")


def confirm(page: Page) -> None:
    page.locator("#ask [data-key=yes]").click()
    expect(page.locator("#ask")).to_be_hidden()


def choose_name(page: Page, name: str) -> None:
    open_me(page)
    page.locator("#name").fill(name)
    page.locator("#profile [type=submit]").click()
    expect(page.locator("#device-list li")).to_have_count(1)


def fits(page: Page) -> None:
    """Nothing serious for axe, and nothing wider than the window."""
    assert serious(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_match_goes_on_on_another_device(open_window: Windows, expected: list[str]) -> None:
    """Ada plays Bo, adds her phone by the link of a code, plays on there, and signs the laptop out."""
    laptop, bo = open_window("en"), open_window("en")
    phone = open_window("ja", size=PHONE)
    choose_name(laptop, "Ada")
    laptop.locator("#colours label").nth(2).click()
    laptop.locator("#profile [type=submit]").click()
    table = new_table(laptop, "imhotep", ["me", "open"], seed=3)
    assert laptop.request.get(f"/api/tables/{table}").json()["players"][0]["name"] == "Ada"
    sit_down(bo, table, "Bo")
    laptop.goto(f"/t/{table}")
    wait_for_choice(laptop)
    click_lit(laptop, random.Random(1))
    other = new_table(phone, "mural", ["me", "random"])  # the phone has been somebody else so far
    open_me(laptop)
    fits(laptop)
    laptop.locator("#add-device").click()
    code = laptop.locator("#code").inner_text()
    fits(laptop)
    open_me(phone, f"/me#code={code}")
    assert "code" not in phone.url  # nor in the history
    expect(phone.locator("#way")).to_have_value(code)
    fits(phone)
    phone.locator("#join-form [type=submit]").click()
    expect(phone.locator("#ask")).to_contain_text(WORDS.say("me.join_along", "ja", count=1))
    fits(phone)
    confirm(phone)
    expect(phone.locator("#name")).to_have_value("Ada")
    expect(phone.locator("#colours input:checked")).to_have_value("blue")
    expect(phone.locator("#device-list li")).to_have_count(2)
    expect(laptop.locator("#ask")).to_be_hidden()  # it has noticed
    expect(laptop.locator("#device-list li")).to_have_count(2)
    assert {row["id"] for row in laptop.request.get("/api/tables").json()} == {table, other}
    phone.goto(f"/t/{table}")
    expect(phone.locator(".player.viewer")).to_have_count(1)
    before = phone.request.get(f"/api/tables/{table}").json()
    assert before["own"] == [0]
    bo.goto(f"/t/{table}")
    chance = random.Random(2)
    while phone.request.get(f"/api/tables/{table}").json()["number"] < before["number"] + 2:
        for window in (bo, phone):
            click_lit(window, chance)
    laptop.goto(f"/t/{table}")
    expect(laptop.locator(".player.viewer")).to_have_count(1)
    watcher = laptop.context.new_page()
    open_me(phone)
    phone.locator("#sign-out-others").click()
    confirm(phone)
    expect(phone.locator("#device-list li")).to_have_count(1)
    expect(laptop.locator(".player.viewer")).to_have_count(0)  # a spectator from now on
    open_me(watcher)
    expect(watcher.locator("#devices")).to_be_hidden()
    phone.locator("#join-form textarea").fill(code)
    phone.locator("#join-form [type=submit]").click()
    confirm(phone)
    expected.append("403")  # the console names the refused request
    expect(phone.locator(".toast.bad")).to_be_visible()  # a code is good once


def test_a_phrase_brings_one_back_and_the_standing_is_there(open_window: Windows) -> None:
    """A phrase that was shown in English is typed in an empty Japanese browser."""
    first = open_window("en")
    choose_name(first, "Ada")
    first.goto(f"/t/{new_table(first, 'mural', ['me', 'random'], seed=1)}")
    send_moves([first], random.Random(1), float("inf"))
    open_me(first)
    expect(first.locator("#matches li")).to_have_count(1)
    expect(first.locator("#figures dd").first).to_have_text("1")
    expect(first.locator("#results tbody th").nth(1)).to_have_text(WORDS.say("bot.random", "en"))
    first.locator("#new-phrase").click()
    expect(first.locator("#phrase li")).to_have_count(10)
    words = first.locator("#phrase li").all_inner_texts()
    fits(first)
    first.locator("#ask .first").click()
    expect(first.locator("#no-phrase")).to_be_visible()
    fits(first)
    found = open_window("ja", size=PHONE)
    open_me(found)
    expect(found.locator("#ways")).to_be_hidden()
    found.locator("#way").fill("\n".join(words))
    found.locator("#join-form [type=submit]").click()
    confirm(found)
    expect(found.locator("#name")).to_have_value("Ada")
    expect(found.locator("#figures dd").first).to_have_text("1")
    expect(found.locator("#results tbody th").nth(1)).to_have_text(WORDS.say("bot.random", "ja"))
    fits(found)
    found.locator("#new-phrase").click()  # the old one is replaced only if that is meant
    found.locator("#ask [value=no]").click()
    found.locator("#no-phrase").click()
    expect(found.locator("#no-phrase")).to_be_hidden()
    expect(found.locator("#add-passkey")).to_be_hidden()  # an address of numbers has none
    expect(found.locator("#passkeys-state")).to_have_text(WORDS.say("me.passkeys_nowhere", "ja"))


def authenticator(page: Page) -> Any:
    """An authenticator as those of phones, and the session that drives it."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": options | {"isUserVerified": True}})
    return session, made["authenticatorId"]


def test_a_passkey_brings_one_back(open_window: Windows, address: str, expected: list[str]) -> None:
    local = address.replace("127.0.0.1", "localhost")
    first, second = open_window(base_url=local), open_window(base_url=local)
    choose_name(first, "Ada")
    session, key = authenticator(first)
    first.locator("#add-passkey").click()
    expect(first.locator("#passkey-list li")).to_have_count(1)
    fits(first)
    (credential,) = session.send("WebAuthn.getCredentials", {"authenticatorId": key})["credentials"]
    first.locator("#add-passkey").click()  # the authenticator holds one already
    expect(first.locator(".toast.bad")).to_have_text(WORDS.say("me.passkey_known", "en"))
    open_me(second)
    other, its_key = authenticator(second)
    second.locator("#use-passkey").click()  # it holds none
    expect(second.locator(".toast.bad")).to_have_text(WORDS.say("me.passkey_failed", "en"))
    # The passkey is kept by the person's provider, and so on the second device too.
    other.send("WebAuthn.addCredential", {"authenticatorId": its_key, "credential": credential})
    second.locator("#use-passkey").click()
    confirm(second)
    expect(second.locator("#name")).to_have_value("Ada")
    expect(second.locator("#device-list li")).to_have_count(2)
    second.locator("#passkey-list button").click()
    expect(second.locator("#passkey-list li")).to_have_count(0)
    third = open_window(base_url=local)
    open_me(third)
    last, last_key = authenticator(third)
    last.send("WebAuthn.addCredential", {"authenticatorId": last_key, "credential": credential})
    third.locator("#use-passkey").click()
    confirm(third)
    expected.append("403")
    expect(third.locator(".toast.bad")).to_be_visible()  # it was removed


def test_everything_is_exported_and_deleted(open_window: Windows, data: Path) -> None:
    page, bo = open_window("ja"), open_window("en")
    choose_name(page, "クレオパトラ七世")
    table = new_table(page, "imhotep", ["me", "open"], seed=3)
    alone = new_table(page, "mural", ["me", "random"])
    sit_down(bo, table, "Bo")
    open_me(page)
    with page.expect_download() as downloading:
        page.locator("#export [type=submit]").click()
    packed = zipfile.ZipFile(io.BytesIO(downloading.value.path().read_bytes()))
    index = json.loads(packed.read("perankh.json"))
    assert index["person"][0]["name"] == "クレオパトラ七世"
    assert {match["table"] for match in index["matches"]} == {table, alone}
    page.locator("#delete").click()
    fits(page)
    page.locator("#ask [value=no]").click()
    expect(page.locator("#device-list li")).to_have_count(1)
    page.locator("#delete").click()
    confirm(page)
    page.wait_for_url(lambda url: not url.endswith("/me"))
    assert page.locator("#tables").count() == 0
    assert [cookie["name"] for cookie in page.context.cookies() if cookie["name"] == "perankh"] == []
    kept = set(page.evaluate("() => Object.keys(localStorage)"))
    assert kept <= {"perankh:confirm", "perankh:moves", "perankh:pace"}  # which every window of these tests is given anew
    with closing(sqlite3.connect(data / "perankh.db")) as database:
        assert "クレオパトラ七世" not in "".join(database.iterdump())
    expect(bo.locator(".player").first).not_to_contain_text("クレオパトラ")
    wait_for_choice(bo)
