"""Tables in company, in the browser: chat, requests on a scrolled phone, rematches above the result, series, play over days."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from ..conftest import ROOT
from .test_pages import serious
from .tools import LAPTOP, PATIENCE, PHONE, ask, click_lit, server, sit_down, wait_for_choice, window

Windows = Callable[..., Page]
GAME = "mural"
DAY = 86_400


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that says by how many seconds the clocks of the server are moved."""
    path: Path = tmp_path_factory.mktemp("time") / "moved"
    path.write_text("0")
    return path


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, moved: Path) -> Iterator[str]:
    """A server whose clocks can be moved."""
    with server(tmp_path_factory.mktemp("company"), PERANKH_MOVED=str(moved), PERANKH_GAMES=str(ROOT / "examples")) as running:
        yield running


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Windows]:
    """Windows of different people. Unlike in `open_window`, the console may tell of refusals: passwords are tried here."""
    contexts, complaints = [], []

    def open_one(lang: str = "en", size: dict[str, int] | None = None, **more: Any) -> Page:
        contexts.append(window(browser, address, lang, size, painted=False, **more))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []


def together(ani: Page, hori: Page, **wanted: Any) -> str:
    """A match of two, dealt; Ani begins."""
    seats = [{"kind": "me", "name": "Ani"}, {"kind": "open"}]
    options = {"start_player": 0} if wanted.get("game", GAME) == GAME else {}
    usual = {"game": GAME, "players": 2, "options": options, "ready": True}
    table = ask(ani, "POST", "/api/tables", usual | {"seats": seats} | wanted)["id"]
    ani.goto(f"/t/{table}")
    sit_down(hori, table, "ホリ")
    for page in (ani, hori):
        expect(page.locator("#board .sprite").first).to_be_attached()
    return str(table)


def top_of(page: Page, selector: str) -> Any:
    """Is an element in the window, and on top of whatever else is there?"""
    return page.evaluate(
        """selector => {
            const place = document.querySelector(selector), {x, y, width, height} = place.getBoundingClientRect();
            const hit = document.elementFromPoint(x + width / 2, y + height / 2);
            return x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight && place.contains(hit);
        }""",
        selector,
    )


def messages(page: Page) -> list[str]:
    return page.locator("#chat .message p").all_text_contents()


def test_people_chat_and_mute_and_spectators_talk_among_themselves(opened: Windows) -> None:
    ani, hori, owl = opened(), opened("ja", PHONE, color_scheme="dark"), opened()
    table = together(ani, hori)
    owl.goto(f"/t/{table}")
    expect(ani.locator("#watching")).to_have_text("1Spectators: 1")
    expect(hori.locator("#watching")).to_be_visible()
    width, seen = hori.locator("#title span").evaluate("title => [title.clientWidth, getComputedStyle(title).opacity]")
    assert (width >= 72) == (seen == "1")  # no title of a letter or two
    ani.locator("#tab-chat").click()
    ani.locator("#chat-text").fill("<b>Hello</b> & welcome")
    ani.locator("#chat-text").press("Enter")
    expect(ani.locator("#chat .message")).to_have_count(1)
    expect(ani.locator("#chat-text")).to_have_value("")
    # On the phone a number tells of it; the quick phrase is read in each one's own language.
    expect(hori.locator("[data-key=chat] .unread-count")).to_have_text("1")
    hori.locator("[data-key=chat]").click()
    expect(hori.locator("#chat .message p")).to_have_text("<b>Hello</b> & welcome")
    assert hori.locator("#chat .message p b").count() == 0
    expect(hori.locator("[data-key=chat] .unread-count")).to_have_count(0)
    hori.locator("[data-phrase=luck]").click()
    expect(ani.locator("#chat .message").nth(1)).to_contain_text("Good luck!")
    assert messages(hori)[1] == "よろしくお願いします"
    for page in (ani, hori):
        assert serious(page) == []
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    for place in ("#tab-chat", "#chat .message >> nth=1", "[data-phrase=hello]"):  # the list of moves leaves it room
        expect(ani.locator(place)).to_be_in_viewport(ratio=1)
    # A spectator hears the players; they do not hear him.
    owl.locator("#tab-chat").click()
    owl.locator("#chat-text").fill("she has the sphinx")
    owl.locator("#chat-text").press("Enter")
    owl.locator("#ask-name").fill("Owl")
    owl.locator("#ask button.first").click()
    expect(owl.locator("#chat .message.gallery p")).to_have_text("she has the sphinx")
    hori.locator("[data-phrase=thanks]").click()
    expect(ani.locator("#chat .message")).to_have_count(3)
    assert "she has the sphinx" not in "".join(messages(ani) + messages(hori))
    # Ani mutes Hori, alone and for herself.
    ani.locator("#chat .mute").first.click()
    expect(ani.locator("#chat .message")).to_have_count(1)
    hori.locator("[data-phrase=wow]").click()
    expect(hori.locator("#chat .message")).to_have_count(4)
    ani.reload()
    ani.locator("#tab-chat").click()
    expect(ani.locator("#chat .message")).to_have_count(1)
    ani.locator("[data-key=unmute]").click()
    expect(ani.locator("#chat .message")).to_have_count(4)
    ani.locator("[data-key=listen]").click()
    expect(ani.locator("#chat .message.gallery")).to_have_count(1)
    expect(hori.locator("#chat")).to_contain_text("Aniは観戦席の会話を見ています。")
    # Each message leads to the move it was said at.
    click_lit(ani, random.Random(1))
    ani.wait_for_function("() => Number(document.getElementById('when').max) > 0")  # the move has been made
    ani.locator("#chat .beside").first.click()
    expect(ani.locator("#prompt")).to_contain_text("Move 0 of")


def test_a_request_is_in_view_on_a_scrolled_phone_and_a_rematch_above_the_result(opened: Windows) -> None:
    ani, hori = opened(), opened("ja", PHONE)
    table = together(ani, hori, game="connect_four", best_of=3, clock={"days": 2})
    expect(ani.locator(".player .clock").first).not_to_be_empty()
    for seat in range(2):  # name, wins, clock, points and menu
        expect(ani.locator(".player").nth(seat)).to_be_in_viewport(ratio=1)
        assert ani.locator(".player").nth(seat).evaluate("row => row.scrollWidth <= row.clientWidth")
    for page, code in ((ani, "a"), (hori, "b")):
        number = 0 if page is ani else 1
        ask(page, "POST", f"/api/tables/{table}/moves", {"number": number, "code": code})
    hori.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    ani.locator("[data-key=undo]:enabled").click()
    expect(hori.locator("#asked")).to_contain_text("待った")
    for _ in range(2):  # wherever the page is
        assert top_of(hori, "#asked [data-key=agree]")
        hori.evaluate("() => scrollTo(0, 0)")
    assert serious(hori) == []
    expect(ani.locator("#asked")).to_contain_text("Waiting for ホリ to agree.")
    hori.locator("#asked [data-key=agree]").tap()
    expect(ani.locator("#asked")).to_be_hidden()
    assert ask(ani, "GET", f"/api/tables/{table}")["number"] == 0
    # The series: a win, the score, and the next match from above the result.
    for number, code in enumerate("abababa"):
        ask((ani, hori)[number % 2], "POST", f"/api/tables/{table}/moves", {"number": number, "code": code})
    for page in (ani, hori):
        expect(page.locator("#ending[open]")).to_be_visible()
        expect(page.locator("#ending .series-score li").first).to_contain_text("1")
    assert serious(ani) == []
    expect(ani.locator("#series")).to_have_text("Best of 3: match 1")
    ani.locator("#ending .first").click()
    ani.wait_for_url(lambda url: table not in url)
    expect(hori.locator("#asked [data-key=next]")).to_be_visible()
    assert top_of(hori, "#asked [data-key=next]")
    assert hori.evaluate("() => document.querySelector('#ending').contains(document.querySelector('#asked'))")
    assert serious(hori) == []
    hori.locator("#asked [data-key=next]").tap()
    hori.wait_for_url(lambda url: table not in url)
    assert hori.url.rpartition("/")[2] == ani.url.rpartition("/")[2]
    for page in (ani, hori):
        page.locator("[data-key=start]").click()
    wait_for_choice(hori)  # who came second begins
    expect(ani.locator("#series")).to_have_text("Best of 3: match 2")
    expect(ani.locator(".player .wins").nth(1)).to_contain_text("1")
    # The second match ends by resigning, and with it the series.
    hori.locator("[data-key=menu-0]").click()
    hori.locator("[data-action=resign]").click()
    expect(hori.locator("#ask")).to_contain_text("あなたの負け")
    hori.locator("#ask [data-key=resign]").click()
    for page, words in ((ani, "Ani has won the series."), (hori, "番勝負はAniの勝ちです。")):
        expect(page.locator("#ending[open]")).to_contain_text(words)
    expect(ani.locator("#ending")).to_contain_text("ホリ resigned.")
    text = ani.request.get(f"/api/tables/{ani.url.rpartition('/')[2]}/file").text()
    shown = opened(color_scheme="dark")
    shown.goto(f"/t/{ask(shown, 'POST', '/api/replays', text)['id']}")
    expect(shown.locator("#ending[open]")).to_contain_text("ホリ resigned.")
    assert serious(shown) == []


def test_play_over_days(opened: Windows, moved: Path) -> None:
    ani, hori = opened(), opened("ja", PHONE)
    table = together(ani, hori, clock={"days": 3})
    other = together(ani, hori, clock={"days": 1})
    # The turn that waits longest comes first, and one leads to the next.
    ani.goto("/")
    expect(ani.locator("#tables .tables").first.locator("a").first).to_have_attribute("href", f"/t/{table}")
    expect(ani.locator("#tables [data-left]").first).to_have_text("2 days left")
    assert serious(ani) == []
    ani.goto(f"/t/{table}")
    wait_for_choice(ani)
    expect(ani.locator(".player .clock").first).to_contain_text("2 d 23 h")
    while ani.locator("#prompt.mine").count():
        click_lit(ani, random.Random(3))
    ani.locator("[data-key=next-table]").click()
    ani.wait_for_url(f"**/t/{other}")
    # A vacation, by consent.
    hori.goto(f"/t/{other}")
    ani.locator("[data-key=menu-0]").click()
    ani.locator("[data-action=vacation]").click()
    ani.locator("#ask-days").fill("5")
    assert serious(ani) == []
    ani.locator("#ask button.first").click()
    expect(hori.locator("#asked")).to_contain_text("5日間の休暇")
    hori.locator("#asked [data-key=agree]").tap()
    expect(ani.locator(".player .clock").first).to_contain_text("away to")
    expect(hori.locator(".player .clock").first).to_contain_text("休暇～")
    # Four days later: at the first table Hori's time has run out and the scribe has played, at the other nothing has happened.
    later = moved.with_suffix(".new")
    later.write_text(str(4 * DAY))
    later.replace(moved)  # never half written: the server reads it all the time
    ani.goto(f"/t/{table}")
    expect(ani.locator("#log .announced")).to_contain_text("ホリ has run out of time. The scribe plays on.")
    expect(ani.locator("#prompt.mine")).to_be_attached()
    hori.goto(f"/t/{table}")
    expect(hori.locator("[data-key=time-1]")).to_contain_text("1日の追加を頼む")
    ani.goto(f"/t/{other}")
    expect(ani.locator(".player .clock").first).to_contain_text("away to")
    expect(ani.locator("#prompt.mine")).to_be_attached()
    assert ani.locator("#log .announced").count() == 1  # the vacation alone


def test_the_list_of_tables_follows_what_happens(opened: Windows) -> None:
    """Whoever has left a table open and reads the home page sees that a friend has come, and since when his turn waits."""
    ani, hori = opened(), opened("en", PHONE)
    seats = [{"kind": "me", "name": "Ani"}, {"kind": "open"}]
    wanted = {"game": GAME, "players": 2, "options": {"start_player": 0}, "clock": {"days": 2}, "seats": seats}
    table = ask(ani, "POST", "/api/tables", wanted)["id"]
    ani.goto("/")
    row = ani.locator(f"#tables a[href='/t/{table}']")
    expect(row.locator(".tag")).to_have_text("waiting")
    ask(hori, "POST", f"/api/tables/{table}/seats", {"ready": True, "name": "ホリ"})
    look = "() => document.dispatchEvent(new Event('visibilitychange'))"
    ani.evaluate(look)
    expect(row.locator(".tag.yours")).to_have_text("Press Start")
    expect(ani.locator("#yours")).to_have_text("Waiting for you")
    expect(row.locator("[data-since]")).to_have_text("for 1 minute")
    assert ani.title().startswith("(1) ")
    ask(ani, "POST", f"/api/tables/{table}/start", {})
    ani.evaluate(look)
    expect(row.locator(".tag.yours")).to_have_text("Your turn")
    expect(row.locator("[data-left]")).to_have_text(re.compile(r"^[12] days? left$"))
    hori.goto(f"/t/{table}")
    hori.locator("[data-key=settings]").tap()
    for key in ("delete", "delete-yes"):  # its words are long
        button = hori.locator(f"[data-key={key}]")
        assert button.evaluate(
            "button => button.getBoundingClientRect().right <= button.parentNode.getBoundingClientRect().right"
        )
        button.tap()
    ani.goto(f"/t/{table}")
    expect(ani.locator("#asked")).to_contain_text("ホリ asks to delete this table")
    ani.locator("#asked [data-key=agree]").click()
    expect(hori.locator("#prompt")).to_contain_text("There is no such table")


def test_catching_up_on_another_device(browser: Browser, address: str, opened: Windows) -> None:
    ani, hori = opened(), opened()
    table = together(ani, hori)
    while ani.locator("#prompt.mine").count():
        click_lit(ani, random.Random(3))
    seen = ask(ani, "GET", f"/api/tables/{table}")["number"]
    cookies = ani.context.cookies()
    ani.goto("about:blank")
    luck = random.Random(5)
    while True:
        view = ask(hori, "GET", f"/api/tables/{table}")
        if not view["moves"]:
            break
        ask(hori, "POST", f"/api/tables/{table}/moves", {"number": view["number"], "code": luck.choice(view["moves"])["code"]})
    assert view["number"] > seen
    phone = window(browser, address, "ja", PHONE, painted=False, pace="quick")
    phone.add_cookies(cookies)  # type: ignore[arg-type]
    page = phone.new_page()
    page.goto(f"/t/{table}")
    expect(page.locator("#prompt")).to_contain_text("これまでの行動")  # what happened since, step by step
    expect(page.locator("#prompt.mine")).to_be_attached()
    unread = page.locator("#log .unread").evaluate_all("lines => lines.map(line => Number(line.dataset.n))")
    assert min(unread) == seen + 1
    expect(page.locator("[data-key=recap]")).to_be_attached()
    phone.close()


def test_a_password_a_public_table_and_its_end(opened: Windows) -> None:
    ani, hori, owl = opened(), opened("ja", PHONE), opened(size=LAPTOP)
    ani.goto(f"/new/{GAME}")
    ani.locator("input[name=players][value='2']").check()
    ani.locator("[name=kind-1]").select_option("open")
    ani.locator("#public").check()
    ani.locator("#table-password").fill("sesame")
    ani.locator("#best_of").select_option("3")
    ani.locator("#clock").select_option("days,2")
    assert ani.locator("#absence").input_value() == "1440"
    ani.locator("[type=submit]").click()
    ani.wait_for_url("**/t/*")
    table = ani.url.rpartition("/")[2]
    expect(ani.locator("#moves")).to_contain_text("This table is listed on the home page.")
    hori.goto("/")
    row = hori.locator(f"#public a[href='/t/{table}']")
    expect(row).to_contain_text("パスワード")
    expect(row).to_contain_text("空席1")
    assert serious(hori) == []
    row.click()
    hori.locator("#password").fill("wrong")
    hori.locator("#door button.first").click()
    expect(hori.locator(".toast")).to_contain_text("パスワードが違います")
    assert serious(hori) == []
    hori.locator("#password").fill("sesame")
    hori.locator("#door button.first").click()
    expect(hori.locator(".player .sit")).to_be_visible()
    # In the lobby one can talk already.
    hori.locator("[data-phrase=hello]").click()
    hori.locator("#ask-name").fill("ホリ")
    hori.locator("#ask button.first").click()
    expect(hori.locator("#chat .message")).to_have_count(1)
    # Whoever has set the table up deletes it; the others see that it is gone.
    owl.goto(f"/t/{table}")
    expect(owl.locator("#door")).to_be_visible()
    ask(ani, "PATCH", f"/api/tables/{table}/seats/1", {"kind": "bot", "bot": "random"})
    ani.locator("[data-key=start]").click()
    expect(ani.locator("#board .sprite").first).to_be_attached()
    ani.locator("[data-key=settings]").click()
    expect(ani.locator("#set-public")).to_be_checked()
    ani.locator("[data-key=delete]").click()
    ani.locator("[data-key=delete-yes]").click()
    ani.wait_for_url("**/")
    expect(hori.locator("#prompt")).to_contain_text("このテーブルはありません")
