"""Clicks that people make by themselves: on what stands for a choice, and on what is not allowed."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .tools import new_table, wait_for_choice

Windows = Callable[..., Page]
# A point at which a sprite is the topmost one that says anything, after bringing it into sight.
SPOT = """id => {
    const group = document.querySelector(`.board [data-id="${id}"]`);
    group.scrollIntoView({block: "center", behavior: "instant"});
    const box = group.getBoundingClientRect();
    const top = (x, y) => document.elementsFromPoint(x, y).map(e => e.closest?.(".sprite")?.dataset.id).find(Boolean);
    for (const v of [.5, .3, .7, .1, .9, .05, .95]) for (const h of [.5, .3, .7, .1, .9, .05, .95]) {
        const [x, y] = [box.left + h * box.width, box.top + v * box.height];
        if (top(x, y) === id) return [x, y];
    }
    return null;
}"""


def view_of(page: Page, lang: str = "en") -> dict[str, Any]:
    """What the page is shown."""
    view: dict[str, Any] = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}?lang={lang}&since=100000").json()
    return view


def play(page: Page, code: str) -> None:
    """Make a move without the board, unless the table has just made a forced one."""
    view = view_of(page)
    move = {"number": view["number"], "code": code, "seat": view["viewer"]}
    answer = page.request.post(f"/api/tables/{page.url.rpartition('/')[2]}/moves", data=move)
    assert answer.ok or answer.status == 409


def open_table(page: Page, game: str, players: int = 2, seed: int = 5, **options: Any) -> list[str]:
    """A table of one person and bots, opened; the codes of the moves that the page sends from now on."""
    sent: list[str] = []

    def watch(message: str | bytes) -> None:
        frame = json.loads(message)
        sent.extend([frame["code"]] if frame["type"] == "move" else [])

    page.on("websocket", lambda line: line.on("framesent", watch))
    page.goto(f"/t/{new_table(page, game, ['me', *['random'] * (players - 1)], seed=seed, options=options)}")
    wait_for_choice(page)
    return sent


def play_until(page: Page, wanted: Callable[[dict[str, Any]], str | None]) -> str:
    """Play at random until there is what is wanted in a view of an own decision; the page has followed."""
    chance = random.Random(3)
    for _ in range(300):
        view = view_of(page)
        assert view["status"] == "playing"
        found = wanted(view) if view["moves"] else None
        if found:
            page.wait_for_function("n => Number(document.getElementById('when').max) >= n", arg=view["number"])
            wait_for_choice(page)
            return found
        if view["moves"]:
            play(page, chance.choice(view["moves"])["code"])
        else:
            page.wait_for_timeout(20)
    raise AssertionError("it never came")


def alias(pattern: str, ways: range = range(1, 99)) -> Callable[[dict[str, Any]], str | None]:
    """An alias by its id and the number of paths it stands for at the beginning of a choice."""

    def wanted(view: dict[str, Any]) -> str | None:
        begins = {move["path"][0] for move in view["moves"]}
        counts = {name: sum(way[0] in begins for way in paths) for name, paths in view["aliases"].items()}
        return next((name for name, count in counts.items() if re.fullmatch(pattern, name) and count in ways), None)

    return wanted


def hit(page: Page, id: str) -> None:
    """Click a sprite where nothing lies on it."""
    point = page.evaluate(SPOT, id)
    assert point, f"nothing of {id} can be clicked"
    page.mouse.click(*point)


def lit(page: Page) -> list[str]:
    return sorted(page.evaluate("() => [...document.querySelectorAll('.board .lit')].map(g => g.dataset.id)"))


def wait_until(page: Page, true: Callable[[], bool]) -> None:
    """Wait until something holds that the page makes happen."""
    for _ in range(300):
        if true():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it never came")


def is_asked(page: Page, text: str) -> None:
    """The page asks this, in the one place where it asks."""
    expect(page.locator("#prompt .said")).to_have_text(text)


# --- Clicks that stand for others -------------------------------------------------------------------------------------------


def test_imhotep_by_quarry_sled_tag_and_site(open_window: Windows) -> None:
    page = open_window()
    sent = open_table(page, "imhotep")
    hit(page, play_until(page, alias(r"quarry-0", range(2, 9))))
    is_asked(page, "From the quarry: how many stones?")
    assert set(lit(page)) <= {"do-fetch-1", "do-fetch-2", "do-fetch-3"}
    page.keyboard.press("Escape")
    hit(page, play_until(page, alias(r"sled-0-\d", range(2, 99))))
    is_asked(page, "A stone from your sled: onto which space?")
    spaces = lit(page)
    assert len(spaces) > 1
    assert all(name.startswith("space-") for name in spaces)
    hit(page, spaces[0])
    wait_until(page, lambda: len(sent) == 1)
    assert sent[0].startswith("load-")
    tag = play_until(page, alias(r"status-\d"))
    hit(page, tag)
    letter = "ABCD"[int(tag[-1])]
    is_asked(page, f"Ship {letter}: where to?")
    dock = lit(page)[0]
    assert dock.startswith("dock-")
    hit(page, dock.replace("dock", "site"))
    wait_until(page, lambda: len(sent) == 2)
    assert sent[1] == f"sail-{letter.lower()}-{dock.removeprefix('dock-')}"


def test_imhotep_never_sails_by_one_click_on_a_site(open_window: Windows) -> None:
    page = open_window("ja")
    sent = open_table(page, "imhotep", seed=6)
    hit(page, play_until(page, alias(r"site-\w+", range(1, 2))))
    expect(page.locator("#prompt .said")).to_have_text(re.compile("船[A-D]：どこへ出しますか？"))
    assert sent == []


def test_mural_by_the_cell_of_a_card(open_window: Windows) -> None:
    page = open_window()
    sent = open_table(page, "mural")
    cell = play_until(page, alias(r"cell-\d\d"))
    hit(page, cell)
    wait_until(page, lambda: len(sent) == 1)
    assert sent == [cell.removeprefix("cell-")]


def test_cleocatra_by_deck_own_tile_and_neighbour(open_window: Windows) -> None:
    page = open_window()
    sent = open_table(page, "cleocatra", seed=4)
    hit(page, play_until(page, alias("deck")))
    wait_until(page, lambda: len(sent) == 1)
    assert sent == ["scout"]

    def one_way(button: str) -> Callable[[dict[str, Any]], str | None]:
        return lambda view: next((n for n, ways in view["aliases"].items() if [way[0] for way in ways] == [button]), None)

    for button, code in (("do-team_up", "team"), ("do-rescue", "rescue")):
        sent.clear()
        tile = play_until(page, one_way(button))
        before = view_of(page)["number"]
        hit(page, tile)
        wait_until(page, lambda before=before: view_of(page)["number"] >= before + 2)
        assert sent[0] == code  # the action, and then the tile that was clicked, unless there is but one


def test_egizia_by_a_monument_and_maqha_by_the_glass(open_window: Windows) -> None:
    page = open_window()
    sent = open_table(page, "egizia")
    monument = play_until(page, alias(r"monument-\d", range(1, 2)))
    ways = view_of(page)["aliases"][monument]
    codes = {tuple(move["path"]): move["code"] for move in view_of(page)["moves"]}
    hit(page, monument)
    wait_until(page, lambda: len(sent) == 1)
    assert sent == [codes[tuple(ways[0])]]
    open_table(page, "egizia", players=4)
    monument = play_until(page, alias(r"monument-\d", range(2, 9)))
    ways = view_of(page)["aliases"][monument]
    hit(page, monument)
    expect(page.locator("#prompt .said")).to_have_text(re.compile("which berth|on which space"))
    assert lit(page) == sorted(way[0] for way in ways)
    sent = open_table(page, "maqha", players=3, seed=7)
    sent.clear()
    play_until(page, lambda view: "throw" if any(move["code"] == "throw" for move in view["moves"]) else None)
    hit(page, "stage")
    wait_until(page, lambda: len(sent) == 1)
    assert sent == ["throw"]


# --- Clicks that are refused --------------------------------------------------------------------------------------------------


def illegal_sprite(pattern: str) -> Callable[[dict[str, Any]], str | None]:
    """A sprite of this kind that is on no path and stands for nothing."""

    def wanted(view: dict[str, Any]) -> str | None:
        of_use = {*view["aliases"], *(name for move in view["moves"] for name in move["path"])}
        names = [sprite["id"] for sprite in view["scene"]["sprites"]]
        return next((name for name in names if re.fullmatch(pattern, name) and name not in of_use), None)

    return wanted


REFUSED = [
    ("imhotep", r"ship-\d", "en", r"[Ss]hip [A-D]"),
    ("mural", r"cell-\d\d", "en", r"\d\d"),
    ("cleocatra", r"tile-\d", "en", r"."),
    ("egizia", r"berth-\d-late", "ja", r"[。！]$"),
    ("maqha", r"eye", "en", r"."),
]


@pytest.mark.parametrize(("game", "sprite", "lang", "reason"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_refused_click_gives_the_reason_of_the_rules(
    game: str, sprite: str, lang: str, reason: str, open_window: Windows
) -> None:
    page = open_window(lang)
    open_table(page, game, players=3, seed=5)
    name = play_until(page, illegal_sprite(sprite))
    view = view_of(page, lang)
    click = {"seat": view["viewer"], "under": [name]}
    told = page.request.post(f"/api/tables/{view['table']}/why?lang={lang}", data=click).json()["reason"]
    assert re.search(reason, told or ""), told
    hit(page, name)
    near = page.locator(".toast.near")
    expect(near).to_have_text(told)
    assert page.evaluate(
        "() => { const box = document.querySelector('.toast.near').getBoundingClientRect();"
        " return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; }"
    )


# --- Forced decisions -----------------------------------------------------------------------------------------------------------


def is_forced(view: dict[str, Any]) -> str | None:
    code: str | None = view["forced"]
    return code


def test_the_only_choice_is_made_by_the_table_and_told(open_window: Windows) -> None:
    page = open_window()
    sent = open_table(page, "mural", players=3)
    play_until(page, is_forced)
    expect(page.locator("#prompt .more")).to_contain_text("The only choice")
    before = len(sent)
    wait_until(page, lambda: len(sent) > before)
    expect(page.locator("#log .forced").first).to_have_text("(the only choice)")


def test_whoever_wants_to_click_clicks(open_window: Windows) -> None:
    page = open_window("ja")
    sent = open_table(page, "mural", players=3)
    page.evaluate("() => localStorage.setItem('perankh:forced', 'off')")
    code = play_until(page, is_forced)
    page.wait_for_timeout(1800)
    assert sent == []
    expect(page.locator("#prompt .more")).to_contain_text("選択肢は1つだけです")
    page.locator("[data-key=forced]").click()
    wait_until(page, lambda: sent == [code])
    assert page.evaluate("() => localStorage.getItem('perankh:forced')") == "on"
