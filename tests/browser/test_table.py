"""What else one can do at a table: look back, take back, hand over, come back later."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from perankh.match import Match
from perankh.web.catalog import offered_games

from .tools import ask, click_lit, new_table, sit_down, wait_for_choice

GAME = sorted(offered_games())[0]
Windows = Callable[..., Page]


def number(page: Page) -> int:
    return int(page.locator("#when").get_attribute("max") or 0)


def play_some(page: Page, count: int, chance: random.Random | None = None) -> None:
    chance = chance or random.Random(7)
    until = number(page) + count
    while number(page) < until:
        wait_for_choice(page)
        click_lit(page, chance)
    wait_for_choice(page)


def wait_for_board(page: Page) -> None:
    """Wait until the match is dealt."""
    expect(page.locator("#board .sprite").first).to_be_attached()


def lines(page: Page, table: str) -> int:
    """How many lines the log has: those of the moves, of which some have several and some none, and the deal."""
    return 1 + len(ask(page, "GET", f"/api/tables/{table}")["log"])


def test_time_travel(open_window: Windows) -> None:
    page, friend = open_window(), open_window("ja")
    table = new_table(page, GAME, ["me", "random"], seed=21)
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    play_some(page, 8)
    page.locator('#log li[data-n="3"] button').click()
    page.wait_for_url(f"**/t/{table}?at=3")
    newest = "document.getElementById('when').max"  # the bot may still move
    page.wait_for_function(f"() => document.getElementById('prompt').textContent.includes(`3 of ${{{newest}}}`)")
    expect(page.locator(".board .lit")).to_have_count(0)
    page.locator("#later").click()
    page.wait_for_url("**?at=4")

    friend.goto(page.url)  # a link to the position
    expect(friend.locator("#prompt.past")).to_contain_text("4")
    ids = "() => [...document.querySelectorAll('.board .sprite[data-id]')].map(g => g.style.transform).join()"
    spectated = friend.evaluate(ids)
    friend.locator("#now").click()
    friend.wait_for_url(f"**/t/{table}")
    expect(friend.locator("#prompt.past")).to_have_count(0)
    friend.wait_for_function(f"before => ({ids})() !== before", arg=spectated)

    page.locator("#when").focus()
    page.keyboard.press("Home")
    page.wait_for_url("**?at=0")
    page.keyboard.press("End")
    page.wait_for_url(f"**/t/{table}")
    wait_for_choice(page)
    page.locator("#run").click()  # the match as a film
    page.wait_for_url("**?at=1")
    page.locator("#run").click()


def test_news_while_looking_back_do_not_disturb(open_window: Windows) -> None:
    ani, hori = open_window(), open_window()
    table = new_table(ani, GAME, ["me", "open"], seed=22)
    ani.goto(f"/t/{table}")
    sit_down(hori, table, "Hori")
    while number(ani) < 3:
        for page in (ani, hori):
            click_lit(page, random.Random(1))
    watcher = open_window()
    watcher.goto(f"/t/{table}?at=1")
    expect(watcher.locator("#prompt.past")).to_be_visible()
    scene = watcher.locator("#board").inner_html()
    before = number(watcher)
    while not any(click_lit(page, random.Random(1)) for page in (ani, hori)):
        pass
    watcher.wait_for_function("n => Number(document.getElementById('when').max) > n", arg=before)
    assert watcher.locator("#board").inner_html() == scene
    expect(watcher.locator("#log li")).to_have_count(lines(watcher, table))


def test_what_happened_while_one_was_away(open_window: Windows) -> None:
    ani, hori = open_window(), open_window()
    table = new_table(ani, GAME, ["me", "open"], seed=23)
    ani.goto(f"/t/{table}")
    sit_down(hori, table, "Hori")
    while not hori.locator(".board .lit").count():  # until it is Hori's turn
        click_lit(ani, random.Random(1))
        hori.wait_for_timeout(50)
    before = number(hori), lines(hori, table)
    ani.goto("about:blank")
    expect(hori.locator(".player").first.locator(".dot.away")).to_be_visible()
    click_lit(hori, random.Random(1))
    hori.wait_for_function("n => Number(document.getElementById('when').max) > n", arg=before[0])
    new = lines(hori, table) - before[1]
    assert new > 0
    ani.goto(f"/t/{table}")
    expect(ani.locator("#log .unread")).to_have_count(new)


def test_taking_back_alone_and_among_people(open_window: Windows) -> None:
    ani, hori = open_window(), open_window("ja")
    table = new_table(ani, GAME, ["me", "open"], seed=24)
    ani.goto(f"/t/{table}")
    sit_down(hori, table, "ホリ")
    chance = random.Random(1)
    for _ in range(40):  # until somebody's last decision has revealed nothing
        page, other = (ani, hori) if ani.locator(".board .lit").count() else (hori, ani)
        if not click_lit(page, chance):
            continue
        page.wait_for_timeout(50)
        if page.locator("[data-key=undo]:not([disabled])").count():
            break
    before = number(page)
    page.locator("[data-key=undo]").click()
    other.locator("[data-key=refuse]").click()
    expect(page.locator("[data-key=agree], #moves .notice")).to_have_count(0)
    assert number(page) == before
    page.locator("[data-key=undo]").click()
    other.locator("[data-key=agree]").click()
    page.wait_for_function("n => Number(document.getElementById('when').max) < n", arg=before)
    expect(page.locator("#log li")).to_have_count(lines(page, table))


def test_a_seat_is_renamed_handed_to_a_bot_and_taken_back(open_window: Windows) -> None:
    page = open_window()
    friend = open_window()
    table = new_table(page, GAME, ["me", "open"], seed=25)  # somebody else has to agree to nothing and plays nothing
    page.goto(f"/t/{table}")
    sit_down(friend, table, "Hori")
    wait_for_board(page)
    page.locator("[data-key=menu-0]").click()
    page.locator("[data-action=rename]").click()
    page.locator("#ask-name").fill("Nefertari")
    page.keyboard.press("Enter")
    expect(page.locator(".player").first).to_contain_text("Nefertari")
    page.locator("[data-key=menu-0]").click()
    page.locator("[data-action=apprentice]").click()
    expect(page.locator(".player .mark")).to_have_count(1)
    page.locator("[data-key=menu-0]").click()
    page.locator("[data-action=back]").click()
    expect(page.locator(".player .mark")).to_have_count(0)


def test_clocks_run(open_window: Windows) -> None:
    page = open_window()
    table = new_table(page, GAME, ["me", "random"], clock={"minutes": 5, "increment": 5})
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    clock = page.locator(".player.acting .clock")
    shown = clock.inner_text()
    page.wait_for_function("shown => document.querySelector('.player.acting .clock').textContent !== shown", arg=shown)


def test_a_match_file_is_replayed(open_window: Windows, tmp_path: Path) -> None:
    match = Match(GAME, 2, seed=26, names=["Ani", "ホリ"])
    chance = random.Random(26)
    while not match.over:
        match.play(chance.choice(match.moves()))
    match.save(tmp_path / "match.txt")
    page = open_window()
    page.goto("/")
    page.locator("#file").set_input_files(tmp_path / "match.txt")
    page.wait_for_url("**/t/*?at=0")
    expect(page.locator("#when")).to_have_value("0")  # at its beginning
    page.locator("#later").click()
    page.wait_for_url("**/t/*?at=1")
    expect(page.locator("#ending")).to_be_hidden()
    page.locator("#now").click()
    expect(page.locator("#ending")).to_contain_text("ホリ")
    page.keyboard.press("Escape")
    assert number(page) == len(match.played)


def test_a_file_that_is_none_is_refused_with_the_reason(open_window: Windows, tmp_path: Path, expected: list[str]) -> None:
    (tmp_path / "no.txt").write_text("hello")
    expected += ["422", "400"]
    page = open_window("ja")
    page.goto("/")
    page.locator("#file").set_input_files(tmp_path / "no.txt")
    expect(page.locator(".toast.bad")).to_be_visible()


def test_own_tables_are_found_again(open_window: Windows) -> None:
    page = open_window("ja")
    table = new_table(page, GAME, ["me", "random"])
    page.goto("/")
    expect(page.locator(f'#tables a[href="/t/{table}"]')).to_contain_text(offered_games()[GAME].words.say("game.name", "ja"))
    assert ask(page, "GET", "/api/tables")[0]["id"] == table


def test_a_new_table_by_the_form(open_window: Windows) -> None:
    page = open_window()
    page.goto(f"/new/{GAME}")
    page.locator("[name=players][value='3']").check(force=True)
    page.locator("[name=kind-1]").select_option("me")
    expect(page.locator("#says")).to_contain_text("pass it around")
    page.locator("[name=kind-2]").select_option("open")
    page.locator("[name=name-0]").fill("Ani")
    page.locator("#clock").select_option(index=1)
    page.locator("[type=submit]").click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".player")).to_have_count(3)
    expect(page.locator(".player").first).to_contain_text("Ani")
    expect(page.locator(".player .clock")).to_have_count(3)
    page.goto(f"/new/{GAME}")
    expect(page.locator("[name=name-0]")).to_have_value("Ani")
