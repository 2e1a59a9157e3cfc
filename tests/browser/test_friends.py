"""Friends find the table and come back to it: invitation, QR code, alerts, notifications, the offline page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.web.receivers import MailServer, Receiver, Subscriber, wait_until
from tests.web.test_addresses import read_code

from .test_pages import serious
from .tools import PHONE, WHOLE, launched, new_table, server, wait_for_choice, window

Windows = Callable[..., Page]
# What every page does by itself a few seconds after it has been loaded.
REGISTER = """async () => {
    const { serviceWorker } = await import(document.querySelector("script[src*=installed]").src);
    await serviceWorker();
    await navigator.serviceWorker.ready;
}"""
NOTIFICATIONS = """async () => {
    const shown = await (await navigator.serviceWorker.ready).getNotifications();
    const told = ({ title, body, tag, data, actions }) => ({ title, body, tag, ...data, out: actions[0].title });
    return shown.length && shown.map(told);
}"""


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The whole browser: its headless shell shows no notifications."""
    with launched(playwright, WHOLE) as running:
        yield running


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, mails: MailServer, receiver: Receiver) -> Iterator[str]:
    """A server of our own: what these tests open stays open."""
    hosts = {"PERANKH_SMTP": f"127.0.0.1:{mails.port}", "PERANKH_ALERT_HOST": receiver.host}
    with server(tmp_path_factory.mktemp("friends"), **hosts) as running:
        yield running


def test_a_friend_comes_by_the_code_and_is_called(address: str, open_window: Windows, mails: MailServer) -> None:
    """Local until somebody is invited; one click lets the network in; a phone follows the QR code, and is called later."""
    ann = open_window("en")
    shared: list[Any] = []
    ann.expose_function("shared", lambda what: shared.append(what))
    ann.add_init_script("navigator.share = async (what) => shared(what)")
    table = new_table(ann, "mural", ["me", "open"], ready=False)
    ann.goto(f"/t/{table}")
    expect(ann.locator(".invitation")).to_contain_text("only this computer")
    assert ann.locator(".invitation input").count() == 0  # no link that leads nowhere
    assert serious(ann) == []
    ann.locator("[data-key=open-network]").click()
    expect(ann.locator(".toast")).to_have_text("The network can come in now.")
    for place in (".qr", ".address", "[data-key^=share]"):
        expect(ann.locator(f".invitation {place}")).to_be_in_viewport(ratio=1)
    link = ann.locator(".invitation .qr").get_attribute("src")
    assert link
    printed = read_code(link)
    assert printed == ann.locator(".invitation .address").input_value()
    near = urlsplit(printed)
    assert (near.hostname, near.path) == ("127.0.0.2", f"/t/{table}")
    ann.locator(".invitation [data-key^=share]").click()
    wait_until(lambda: shared)
    assert (shared[0]["url"], shared[0]["text"]) == (printed, "Come and play Nile Mural with me.")
    assert serious(ann) == []
    ann.locator("[data-key=enter-name]").click()  # whoever set the table up was not asked for a name
    ann.locator("#ask-name").fill("Ann")
    ann.locator("#ask button[value=yes]").click()
    expect(ann.locator(".player.viewer")).to_contain_text("Ann")
    expect(ann.locator("[data-key=enter-name]")).to_have_count(0)

    phone = open_window("ja", size=PHONE)
    phone.goto(printed)
    phone.locator(".player .sit").click()
    phone.locator("#ask-name").fill("ベン")
    phone.locator("#ask button[value=yes]").click()
    phone.locator("[data-key=alerts]").click()
    phone.locator("#ask input[type=email]").fill("ben@example.org")
    phone.locator("[data-key=add-mail]").click()
    expect(phone.locator("#alert-mail")).to_be_checked()
    assert serious(phone) == []
    assert phone.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    phone.locator("#ask button.first", has_text="閉じる").click()
    phone.locator("[data-key=start]").click()

    (question,) = wait_until(lambda: mails.to("ben@example.org"))
    confirm = re.search(r"http://\S+/alerts/confirm/\S+", question.get_content())
    assert confirm
    assert urlsplit(confirm[0]).netloc == near.netloc  # links lead where Ben has come from
    later = phone.context.new_page()
    later.goto(confirm[0])
    assert serious(later) == []
    later.get_by_role("button", name="はい").click()
    expect(later.locator("h1")).to_have_text("アドレスを確認しました")
    later.close()

    phone.goto("about:blank")  # Ben goes away, and the server sees it: who looks at the table when his turn begins is not called
    expect(ann.locator(".player[data-seat='1'] .dot.away")).to_be_attached()
    ann.locator("[data-key=start]").click()
    until_turn_of_other(ann, table)  # whoever is drawn to begin
    (mail,) = wait_until(lambda: mails.to("ben@example.org")[1:])
    assert mail["Subject"] == "あなたの番です：ナイルの壁画"
    phone.goto(re.search(r"http://\S+/t/\S+", mail.get_content())[0])  # type: ignore[index]
    wait_for_choice(phone)
    assert phone.title().startswith("● ")
    assert "favicon_turn" in str(phone.locator("link[rel=icon]").get_attribute("href"))
    phone.goto("/alerts", wait_until="load")
    phone.goto(mail["List-Unsubscribe"].strip("<>"))
    assert serious(phone) == []
    phone.get_by_role("button", name="このテーブルだけ").click()
    expect(phone.locator("h1")).to_have_text("このテーブルのお知らせを停止しました")
    ann.goto("/")
    ann.locator(".alerts-link a").click()
    ann.locator("#alert-quiet").check()
    expect(ann.locator("input[type=time]").first).to_be_enabled()
    ann.locator("#alert-remind").select_option("48")
    assert serious(ann) == []
    ann.reload()
    expect(ann.locator("#alert-quiet")).to_be_checked()
    expect(ann.locator("#alert-remind")).to_have_value("48")


def test_the_network_is_let_in_to_add_a_device(browser: Browser, tmp_path: Path) -> None:
    """A transfer code is of no use while no other device can come: the page says so, and lets the network in at one click."""
    with server(tmp_path / "data") as address:
        page = window(browser, address).new_page()
        new_table(page, "mural", ["me", "open"], ready=False)
        page.goto("/me")
        page.locator("#add-device").click()
        expect(page.locator("#ask")).to_contain_text("only this computer")
        expect(page.locator("#ask .qr")).to_have_count(0)
        assert serious(page) == []
        page.locator("#ask [data-key=open-network]").click()
        expect(page.locator("#ask .qr")).to_be_visible()
        expect(page.locator("#ask [data-key=open-network]")).to_have_count(0)
        link = urlsplit(read_code(page.locator("#ask .qr").get_attribute("src") or ""))
        assert (link.hostname, link.path, link.fragment) == ("127.0.0.2", "/me", f"code={page.locator('#code').inner_text()}")


def until_turn_of_other(page: Page, table: str) -> None:
    """Make moves until it is the other player's turn."""
    while True:
        view = page.request.get(f"/api/tables/{table}?since=100000").json()
        if view["players"][0]["acting"]:
            page.request.post(f"/api/tables/{table}/moves", data={"number": view["number"], "code": view["moves"][0]["code"]})
        elif view["status"] == "playing":
            return


def test_the_browser_is_called_and_works_offline(browser: Browser, address: str) -> None:
    """Service worker: a push message is shown as a notification; without a server, the offline page comes."""
    context = window(browser, address, "ja", permissions=["notifications"])
    page = context.new_page()
    page.goto("/alerts")
    page.evaluate(REGISTER)
    devtools = context.new_cdp_session(page)
    registrations: list[Any] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    said = {
        "title": "あなたの番です",
        "body": "アンとの対局です。",
        "url": f"{address}/t/abcdefghijkl",
        "tag": "turn-abcdefghijkl",
    }
    said |= {"stop": f"{address}/alerts", "stop_words": "停止する", "lang": "ja", "count": 1}
    pushed = {"origin": address, "registrationId": registrations[-1]["registrationId"], "data": json.dumps(said)}

    def delivered() -> Any:
        """What is shown once a message has come: the browser drops those that come before it has stored the worker."""
        devtools.send("ServiceWorker.deliverPushMessage", pushed)
        page.wait_for_timeout(3000)
        return page.evaluate(NOTIFICATIONS)

    shown = wait_until(delivered)
    assert shown == [{name: said[name] for name in ("title", "body", "tag", "url", "stop")} | {"out": said["stop_words"]}]
    context.set_offline(True)
    page.goto(f"{address}/t/abcdefghijkl")
    expect(page.locator("h1")).to_have_text("ナイルへの道が途切れています")
    assert serious(page) == []
    context.set_offline(False)
    page.get_by_role("link", name="もう一度つなぐ").click()
    expect(page.locator("h1")).to_have_text("ここには砂しかありません")  # the server says itself that there is no such table
    context.close()


def test_a_page_in_the_background_is_no_page_looked_at(address: str, open_window: Windows, receiver: Receiver) -> None:
    """Whoever has hidden the page is called, once; a page that can do no more shows a notification itself, and vibrates."""
    page = open_window("en", permissions=["notifications"])
    table = new_table(page, "mural", ["me", "open"], ready=True)
    ben = open_window("en")
    ben.goto("/")
    taken = ben.request.post(f"/api/tables/{table}/seats", data={"ready": True}, headers={"Origin": address})
    assert taken.ok
    subscriber = Subscriber(receiver, "/push/hidden")
    channel = {"kind": "push", "subscription": subscriber.subscription}
    assert page.request.post("/api/alerts/channels", data=channel, headers={"Origin": address}).ok
    assert page.request.patch("/api/alerts", data={"kinds": ["push"]}, headers={"Origin": address}).ok
    page.add_init_script(
        """localStorage["perankh:notify"] = localStorage["perankh:vibration"] = "on";
        globalThis.felt = []; navigator.vibrate = (how) => felt.push(how);
        let hidden = false; Object.defineProperty(document, "hidden", { get: () => hidden });
        globalThis.hide = () => { hidden = true; document.dispatchEvent(new Event("visibilitychange")); };"""
    )
    page.goto(f"/t/{table}")
    page.wait_for_function("() => document.querySelector('#main:not([aria-busy])')")
    page.evaluate(REGISTER)
    until_turn_of_other(page, table)
    page.evaluate("() => hide()")
    until_turn_of(ben, table)
    page.wait_for_function("() => felt.length")
    (shown,) = wait_until(lambda: page.evaluate(NOTIFICATIONS))
    assert (shown["title"], shown["tag"], shown["url"]) == ("Your turn: Nile Mural", f"turn-{table}", f"/t/{table}")
    assert (shown["stop"], shown["out"]) == ("/alerts", "End these")
    wait_until(lambda: receiver.at("/push/hidden"))
    key = page.request.get("/api/alerts").json()["push_key"]
    assert [said["tag"] for said in subscriber.read(key)] == [f"turn-{table}"]


def until_turn_of(page: Page, table: str) -> None:
    """Make moves for the second player until it is the first one's turn."""
    while True:
        view = page.request.get(f"/api/tables/{table}?since=100000").json()
        if view["players"][0]["acting"]:
            return
        move = {"number": view["number"], "code": view["moves"][0]["code"]}
        page.request.post(f"/api/tables/{table}/moves", data=move)
