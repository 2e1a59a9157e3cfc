"""What the table shows before a choice is made, and what it says about pieces."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .looks import serious
from .test_clicks import SPOT, hit, open_table, play_until, view_of, wait_until
from .tools import PHONE

Windows = Callable[..., Page]
CARD = "#aside:not([hidden])"
# From the size of the symbol itself: the box of its element also counts what the symbol clips away.
APART = """id => {
    const group = document.querySelector(`.board [data-id="${id}"]`);
    const { a, e: x, f: y } = group.getScreenCTM();
    const symbol = group.querySelector("use");
    const [w, h] = [symbol.width.baseVal.value * a / 2, symbol.height.baseVal.value * a / 2];
    const card = document.getElementById("aside").getBoundingClientRect();
    return card.right <= x - w || card.left >= x + w || card.bottom <= y - h || card.top >= y + h;
}"""


def rest(page: Page, id: str) -> None:
    """Let the mouse rest on a sprite where nothing lies on it."""
    x, y = page.evaluate(SPOT, id)
    page.mouse.move(x - 2, y)
    page.mouse.move(x, y)


def apart(page: Page, id: str) -> bool:
    """Does the card leave a sprite free?"""
    free: bool = page.evaluate(APART, id)
    return free


def test_resting_on_a_choice_shows_what_it_does_and_pieces_explain_themselves(open_window: Windows) -> None:
    page = open_window()
    sent = open_table(page, "mural")
    card = play_until(page, lambda view: next((m["path"][0] for m in view["moves"] if m["path"][0].startswith("card-")), None))
    rest(page, card)
    expect(page.locator(CARD)).to_contain_text("It belongs on cell")
    expect(page.locator(".board .ghost").first).to_be_attached()
    assert apart(page, card)
    expect(page.locator(f".board [data-id={card}]")).to_have_attribute("aria-describedby", "aside")
    page.keyboard.press("Escape")
    expect(page.locator(CARD)).to_have_count(0)
    expect(page.locator(".board .ghost")).to_have_count(0)
    rest(page, "sun")
    expect(page.locator(CARD)).to_contain_text("shadows fall downwards and to the right")
    page.mouse.move(2, 2)
    expect(page.locator(CARD)).to_have_count(0)
    # With keys: the focus shows the same, and i lets the arrows lead to every piece.
    page.locator(f".board [data-id={card}]").focus()
    page.keyboard.press("i")
    page.keyboard.press("ArrowUp")
    expect(page.locator(CARD)).to_be_visible()
    assert page.evaluate("document.activeElement.dataset.id") != card
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    # What is not possible is greyed, with the reason.
    closed = play_until(page, lambda view: "stop" if "stop" in view["closed"] else None)
    reason = view_of(page)["closed"][closed]
    sent.clear()
    rest(page, closed)
    expect(page.locator(f"{CARD} .closed-reason")).to_have_text(reason)
    hit(page, closed)
    expect(page.locator(".toast.near")).to_have_text(reason)
    assert sent == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_said_beside_a_piece_can_be_read_in_both_themes(theme: str, open_window: Windows) -> None:
    page = open_window(color_scheme=theme)
    open_table(page, "mural")
    closed = play_until(page, lambda view: "stop" if "stop" in view["closed"] else None)
    for piece, part in ((closed, ".closed-reason"), ("sun", ".explanation")):
        rest(page, piece)
        expect(page.locator(f"{CARD} {part}")).to_be_visible()
        assert [fault for fault in serious(page) if "color-contrast" in fault] == []


def test_a_first_tap_shows_and_a_second_one_confirms(open_window: Windows) -> None:
    page = open_window(size=PHONE, confirm="", lang="ja")
    sent = open_table(page, "imhotep")
    space = play_until(page, lambda view: next((m["path"][0] for m in view["moves"] if m["path"][0].startswith("space-")), None))
    sent.clear()

    def tap(id: str) -> None:
        page.touchscreen.tap(*page.evaluate(SPOT, id))

    tap(space)
    expect(page.locator(f"{CARD} .again")).to_have_text(re.compile("もう一度タップで決定"))
    expect(page.locator(f".board .held[data-id={space}]")).to_have_count(1)
    wait_until(page, lambda: apart(page, space))
    tap("deck")  # elsewhere
    expect(page.locator(CARD)).to_have_count(0)
    expect(page.locator(".board .held")).to_have_count(0)
    assert sent == []
    tap(space)
    expect(page.locator(f"{CARD} .again")).to_be_visible()
    tap(space)
    wait_until(page, lambda: len(sent) == 1)
    expect(page.locator(CARD)).to_have_count(0)
    # A long press explains and does nothing else.
    point = page.evaluate(SPOT, "harbour")
    page.evaluate(
        """([x, y]) => document.elementFromPoint(x, y).dispatchEvent(
            new PointerEvent("pointerdown", {pointerType: "touch", clientX: x, clientY: y, bubbles: true}))""",
        point,
    )
    expect(page.locator(CARD)).to_contain_text("4隻の船")
    # Switched off, one tap is enough.
    page.locator("[data-key=settings]").click()
    expect(page.locator("#set-confirm")).to_be_checked()
    page.locator("#set-confirm").click()
    page.locator("#ask button.first").click()
    choice = play_until(page, lambda view: next((m["path"][0] for m in view["moves"] if len(m["path"]) == 1), None))
    sent.clear()
    tap(choice)
    wait_until(page, lambda: len(sent) == 1)


def test_every_tile_that_can_score_says_so(open_window: Windows) -> None:
    page = open_window()
    sent = open_table(page, "cleocatra", players=3)
    play_until(page, lambda view: next((m["code"] for m in view["moves"] if m["code"] == "rescue"), None))
    table, seat = page.url.rpartition("/")[2], view_of(page)["viewer"]

    def told() -> dict[str, dict[str, str]]:
        return page.request.get(f"/api/tables/{table}/gains?seat={seat}").json()

    aliases = told()["aliases"]
    assert aliases
    expect(page.locator(".board .labels text")).to_have_text(list(aliases.values()))
    sent.clear()
    hit(page, "do-rescue")
    wait_until(page, lambda: bool(sent))
    code = play_until(page, lambda view: next(iter(told()["moves"]), None))  # where there is but one tile, the table takes it
    gains = told()["moves"]
    expect(page.locator(".board .labels text")).to_have_text(list(gains.values()))
    tile, gain = next((move["path"][0], gains[code]) for move in view_of(page)["moves"] if move["code"] == code)
    rest(page, tile)
    expect(page.locator(f"{CARD} .doing li").first).to_contain_text(f"scores {gain.lstrip('+')} with a Rescue")
    expect(page.locator(".board .ghosts .plate text")).to_have_text(gain)
