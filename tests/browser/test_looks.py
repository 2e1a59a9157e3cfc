"""How pages look at every size, language and theme: the short form of `make screenshots`; and what helps on small screens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from perankh.web.catalog import offered_games
from perankh.web.words import WORDS

from .looks import faults
from .screenshots import Position, look, positions, see_board
from .tools import LAPTOP, PHONE, SIZES, TOUCHED, ask, new_table, wait_for_choice, window

Windows = Callable[..., Page]
GAMES = sorted(offered_games())
# Each game at another size, so that every size, language and theme has its turn.
LOOKS = {
    "cleocatra": [("tablet", "en", "light")],
    "egizia": [("tablet-wide", "ja", "dark"), ("4k", "en", "light")],
    "imhotep": [("phone-wide", "en", "dark")],
    "maqha": [("phone", "ja", "light")],
    "mural": [("laptop", "ja", "dark")],
}
NARROWEST = ("laptop", "en", "light")  # at the end: the most tools beside the board, in the longer words


@pytest.mark.parametrize("game", GAMES)
def test_nothing_overlaps_and_everything_can_be_read(game: str, browser: Browser, address: str) -> None:
    person = window(browser, address, painted=False)
    looked_at = positions(person.new_page(), [game], "random")
    known = person.storage_state()
    person.close()
    for size, lang, theme in [*LOOKS[game], NARROWEST]:
        whole = (size, lang, theme) != NARROWEST
        context = window(browser, address, lang, SIZES[size], storage_state=known, color_scheme=theme)
        context.add_init_script("localStorage.removeItem('perankh:moves')")
        page = context.new_page()
        for position in looked_at if whole else looked_at[1:]:
            look(page, position)
            assert faults(page, size in TOUCHED, axe=whole) == [], f"{position.name} {size}"
            if position.over:
                see_board(page)
                assert faults(page, size in TOUCHED, axe=False) == [], f"the board of {position.name} {size}"
        context.close()


BACKGROUND = "() => Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])"


def background(page: Page) -> int:
    """How light the page is, from 0 to 255."""
    return int(page.evaluate(BACKGROUND))


def test_the_theme_is_the_system_s_until_it_is_chosen(open_window: Windows) -> None:
    page = open_window(color_scheme="dark")
    page.goto("/")
    assert background(page) < 60
    switch = page.locator("#theme")
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.wait_for_function(f"() => ({BACKGROUND})() > 200")  # with the next frame
    page.goto(f"/new/{GAMES[0]}")  # the page comes in it
    assert page.locator("html").get_attribute("data-theme") == "light"
    assert background(page) > 200
    expect(page.locator("#theme")).to_have_attribute("aria-pressed", "false")


def test_the_list_of_moves_is_folded_until_it_is_opened(open_window: Windows) -> None:
    page = open_window()
    page.add_init_script("localStorage.removeItem('perankh:moves')")
    page.goto(f"/t/{new_table(page, 'imhotep', ['me', 'random'], seed=4)}")
    wait_for_choice(page)
    move = page.locator(".move").first
    expect(move).to_be_hidden()
    page.locator("[data-key=moves]").press("Enter")
    expect(move).to_be_visible()
    move.press("Enter")
    page.wait_for_function("() => document.getElementById('when').max > 0")
    wait_for_choice(page)
    expect(page.locator(".move").first).to_be_visible()  # it stays as one wants it
    page.locator("[data-key=moves]").press("Enter")
    expect(page.locator(".move").first).to_be_hidden()
    log = "document.getElementById('log')"
    page.locator("#log li").last.evaluate("line => line.style.height = '1000px'")
    page.evaluate(f"() => {{ {log}.scrollTop = {log}.scrollHeight; }}")
    page.locator("[data-key=moves]").press("Enter")  # the log has less room now, and still shows its end
    expect(page.locator(".move").first).to_be_visible()
    page.wait_for_function(f"() => {log}.scrollHeight - {log}.scrollTop - {log}.clientHeight < 3")


def test_keys_step_through_the_match(open_window: Windows) -> None:
    page = open_window()
    table = new_table(page, "mural", ["me", "me"], seed=4)
    for number in range(4):
        view = page.request.get(f"/api/tables/{table}?since=100000").json()
        viewer = next(player["seat"] for player in view["players"] if player["acting"])
        view = page.request.get(f"/api/tables/{table}?since=100000&viewer={viewer}").json()
        ask(page, "POST", f"/api/tables/{table}/moves", {"number": number, "code": view["moves"][0]["code"], "seat": viewer})
    page.goto(f"/t/{table}?at=4")
    page.keyboard.press("Escape")
    for key, at in (("ArrowLeft", 3), ("ArrowLeft", 2), ("ArrowRight", 3), ("Home", 0), ("ArrowRight", 1)):
        page.evaluate("() => document.activeElement.blur()")
        page.locator("dialog[open] button").first.click() if page.locator("#curtain[open]").count() else None
        page.keyboard.press(key)
        expect(page.locator("#when")).to_have_value(str(at))


def swipe(page: Page, context: BrowserContext, by: int) -> None:
    """Move a finger across the board."""
    touch = context.new_cdp_session(page)
    box = page.locator("#board").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + 100
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in (0.5, 1.0):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + part * by, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_phone_enlarges_the_board_swipes_through_the_replay_and_shows_what_is_asked(open_window: Windows) -> None:
    page = open_window(size=PHONE)
    position: Position = positions(page, ["imhotep"], "random")[1]
    look(page, position)
    see_board(page)
    page.set_viewport_size(SIZES["phone-wide"])  # on its side, the winner and all points are seen at once
    page.locator("button.tool[data-key=result]").click()
    for part in (".moment", ".points tfoot"):
        expect(page.locator(f"#ending {part}")).to_be_visible()
        box = page.locator(f"#ending {part}").bounding_box()
        assert box
        assert 0 <= box["y"] < box["y"] + box["height"] <= SIZES["phone-wide"]["height"]
    see_board(page)
    page.set_viewport_size(PHONE)
    last = int(page.locator("#when").get_attribute("max") or 0)
    swipe(page, page.context, 120)
    expect(page.locator("#when")).to_have_value(str(last - 1))
    swipe(page, page.context, -120)
    expect(page.locator("#when")).to_have_value(str(last))
    wide = "() => document.getElementById('board').getBoundingClientRect().width"
    before = page.evaluate(wide)
    page.locator("[data-key=enlarge]").click()
    page.wait_for_function(f"least => ({wide})() > least", arg=1.9 * before)  # with the next frame
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator("[data-key=enlarge]").click()
    page.wait_for_function(f"width => ({wide})() === width", arg=before)
    table = new_table(page, "imhotep", ["me", "random"], seed=4)
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    page.locator(".move").first.click()
    page.wait_for_function("() => Number(document.getElementById('when').max) > 1")
    wait_for_choice(page)
    inside = """() => {
        const box = (part) => document.querySelector(part).getBoundingClientRect();
        const [top, bottom] = [box(".prompt").bottom, box(".last").top];
        const all = [...document.querySelectorAll(".board .lit")].map(g => g.getScreenCTM().f);
        return 2 * all.filter(y => y > top && y < bottom).length >= all.length;
    }"""
    page.wait_for_function(inside)
    page.set_viewport_size(SIZES["phone-wide"])
    page.evaluate("() => scrollTo({top: 400, behavior: 'instant'})")  # players, prompt and the last action stay in sight
    page.wait_for_function("""() => {
        const top = (part) => document.querySelector(part).getBoundingClientRect().top;
        return top(".players") === top(".prompt");
    }""")
    players, prompt, last_action = (page.locator(part).bounding_box() for part in (".players", ".prompt", ".last"))
    assert players
    assert prompt
    assert last_action
    assert 0 <= players["y"] == prompt["y"]
    assert last_action["y"] + last_action["height"] <= SIZES["phone-wide"]["height"]
    assert players["height"] + last_action["height"] <= 110


def test_the_essential_of_the_mural_is_in_sight_on_a_phone(open_window: Windows) -> None:
    page = open_window(size=PHONE)
    table = new_table(page, "mural", ["me", "me"], seed=4)
    view = page.request.get(f"/api/tables/{table}").json()
    assert {player["score"] for player in view["players"]} == {None}  # all markers are at the start
    code = next(move["code"] for move in view["moves"] if move["code"] != "deck")
    ask(page, "POST", f"/api/tables/{table}/moves", {"number": 0, "code": code, "seat": view["viewer"]})
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    assert page.locator(".player .score > span:first-child").all_text_contents() == ["–", "–"]
    bar = page.locator(".last").bounding_box()
    assert bar
    for part in ("deck", "risk", "stop", "rack", "row"):
        box = page.locator(f".board [data-id={part}]").bounding_box()
        assert box
        assert 0 < box["y"] < box["y"] + box["height"] <= bar["y"], part


# --- Players: colours, points ---------------------------------------------------------------------------------------


def test_a_player_chooses_a_colour_before_the_deal(open_window: Windows) -> None:
    page = open_window(painted=True)
    table = new_table(page, "imhotep", ["me", "scribe"], ready=False)
    page.goto(f"/t/{table}")
    seat = page.locator(".player[data-seat='0'] .emblem")
    expect(seat).to_have_class("emblem in-black")
    page.locator("[data-key=colour-0-1]").check(force=True)  # the bot's: they swap
    expect(seat).to_have_class("emblem in-white")
    expect(page.locator(".player[data-seat='1'] .emblem")).to_have_class("emblem in-black")
    expect(page.locator(".player[data-seat='1'] .name-text")).to_have_text("Scribe")
    page.locator("[data-key=start]").click()
    wait_for_choice(page)
    stone = page.locator(".board .sprite:has(use[href='#stone-0'])").first
    assert page.evaluate("g => getComputedStyle(g).color", stone.element_handle()) == "rgb(255, 253, 246)"


def test_points_are_told_by_source_at_any_time(open_window: Windows) -> None:
    page = open_window(size=LAPTOP)
    cells = "row => [...row.cells].slice(1).map(cell => Number(cell.textContent))"
    running, _, _, finished = positions(page, ["mural", "egizia"], "random")
    for position, dialog, fewest in ((running, "#ask[open]", 3), (finished, "#ending[open]", 4)):
        look(page, position)
        if position is running:
            page.locator("[data-key=points-0]").click()
            expect(page.locator(f"{dialog} h2")).to_have_text(WORDS.say("live.points_table", "en"))
        rows = [row.evaluate(cells) for row in page.locator(f"{dialog} tbody tr:not(.places)").all()]
        total = page.locator(f"{dialog} tfoot tr").first.evaluate(cells)
        assert [sum(column) for column in zip(*rows, strict=True)] == total
        assert len(rows) >= fewest
