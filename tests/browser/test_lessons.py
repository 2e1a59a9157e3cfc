"""Lessons: each is clicked to its end as a learner does; wrong tries, leaving and coming back, and where a lesson is offered."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from perankh.engine.game import game_names, get_game
from perankh.engine.lesson import Step
from perankh.web.refusal import WORDS as REFUSALS
from perankh.web.words import WORDS

from ..conftest import CONNECT_FOUR, ROOT
from .tools import LAPTOP, PHONE, SIZES, click_lit, is_over, kind_of, new_table, server, wait_for_choice

Windows = Callable[..., Page]
GAMES = [*game_names(), "connect_four"]
FEW, WHOLE = 10, 1_000  # clicks of the newcomer's first own match; a whole one in `make soak`
WAYS = [("en", "laptop"), ("ja", "phone"), ("ja", "laptop"), ("en", "phone")]
# Each game in one of the first two ways, in turn; in all ways in `make soak`.
LEARNED = [
    pytest.param(game, *way, FEW if usual else WHOLE, marks=() if usual else pytest.mark.soak, id="-".join((game, *way)))
    for way in WAYS
    for number, game in enumerate(GAMES)
    for usual in (WAYS.index(way) == number % 2,)
]
# The step that is shown; 0 while something moves.
STEP = """() => document.querySelector("#lesson:not([hidden]) .row :is(button.first, .mine)")
    ? document.querySelector("#lesson progress").value : 0"""
# Bring a sprite above the card and tell where its middle is.
AIM = """id => {
    const group = document.querySelector(`.board [data-id="${id}"]`);
    scrollBy({top: group.getScreenCTM().f - innerHeight / 3, behavior: "instant"});
    const middle = group.getScreenCTM();
    return [middle.e, middle.f];
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(tmp_path_factory.mktemp("data"), PERANKH_GAMES=str(ROOT / "examples")) as running:
        yield running


def steps_of(game: str) -> tuple[Step, ...]:
    lesson = get_game(CONNECT_FOUR if game == "connect_four" else game).lesson
    assert lesson
    return lesson.steps


def begin(page: Page, game: str) -> str:
    """Open a lesson from the page of a new table."""
    page.goto(f"/new/{game}")
    page.locator("[data-learn]").click()
    page.wait_for_url("**/t/*")
    return page.url.split("/t/")[1].split("?")[0]


def click(page: Page, sprite: str) -> None:
    """Click a sprite where a person would."""
    point = page.evaluate(AIM, sprite)
    if page.viewport_size == PHONE:
        page.touchscreen.tap(*point)
    else:
        page.mouse.click(*point)


def play(page: Page, table: str, codes: list[str]) -> list[str]:
    """Make the first of some moves that may be made, by clicks on the board; the sprites that were clicked."""
    page.wait_for_function("() => document.querySelector('.board .lit')")
    view = page.request.get(f"/api/tables/{table}?since=100000&shape={'tall' if page.viewport_size == PHONE else 'wide'}").json()
    move = next(move for move in view["moves"] if not codes or move["code"] in codes)
    for sprite in move["path"]:
        page.wait_for_selector(f'.board [data-id="{sprite}"].lit', state="attached")
        click(page, sprite)
    page.wait_for_function("number => Number(document.getElementById('when').max) > number", arg=view["number"])
    return list(move["path"])


def follow(page: Page, game: str, table: str, step: int) -> list[str]:
    """Do what a step asks for; the sprites that it taught to click."""
    shown, codes = steps_of(game)[step], get_game(CONNECT_FOUR if game == "connect_four" else game).text.CODES
    if not shown.do:
        page.locator("[data-key=lesson-next]").click()
    moves = [play(page, table, [codes[action] for action in move.actions or ()]) for move in shown.do]
    return [sprite for path in moves for sprite in path]


@pytest.mark.parametrize(("game", "lang", "size", "clicks"), LEARNED)
def test_a_lesson_is_clicked_to_its_end_and_a_match_of_ones_own_after_it(
    open_window: Windows, game: str, lang: str, size: str, clicks: int
) -> None:
    page = open_window(lang, size=SIZES[size])
    table, steps = begin(page, game), steps_of(game)
    explained: set[str] = set()  # kinds of sprites that the learner was told to click
    for number, step in enumerate(steps):
        page.wait_for_function(f"n => ({STEP})() === n", arg=number + 1)
        expect(page.locator("#lesson")).to_contain_text(step.text[lang])
        if step.lit:
            page.wait_for_selector(".spotlight .ring", state="attached")
        if number + 1 < len(steps):
            explained |= set(map(kind_of, follow(page, game, table, number)))
    page.locator("[data-key=lesson-next]").click()  # the match goes on as any other
    expect(page.locator("#lesson")).to_be_hidden()
    page.wait_for_function("() => document.querySelector('.board .lit')")
    assert page.request.get(f"/api/tables/{table}").json()["settings"]["lesson"] == "over"
    play_alone(page, game, lang, explained, clicks)


def play_alone(page: Page, game: str, lang: str, explained: set[str], clicks: int) -> None:
    """The newcomer's first own match: what the lesson taught to click is there to be clicked, and no click is refused."""
    box = get_game(CONNECT_FOUR if game == "connect_four" else game).box
    table = new_table(page, game, ["me", *["scribe"] * (box.players - 1)], options=box.options)
    page.goto(f"/t/{table}")
    page.evaluate("""() => {
        window.said = new Set();
        new MutationObserver(() => document.querySelectorAll(".toast").forEach(one => window.said.add(one.textContent)))
            .observe(document.body, {childList: true, subtree: true});
    }""")
    chance, known = random.Random(game), 0
    for _ in range(clicks):
        wait_for_choice(page)
        if is_over(page):
            break
        lit = page.evaluate("() => [...document.querySelectorAll('.board .lit')].map(one => one.dataset.id)")
        known += not explained.isdisjoint(map(kind_of, lit))
        click_lit(page, chance, explained)
    assert known > 0, f"nothing of {sorted(explained)} was offered"
    early, late = REFUSALS.say("number_used", lang, number="|").split("|")  # others may be quicker than a click
    assert [text for text in page.evaluate("[...window.said]") if not (text.startswith(early) and text.endswith(late))] == []


def test_a_newcomer_is_asked_tries_something_else_leaves_and_comes_back(open_window: Windows) -> None:
    page = open_window(size=LAPTOP)
    page.goto("/")
    page.locator('[data-alone="imhotep"]').click()
    expect(page.locator("dialog.offer")).to_contain_text("Imhotep")
    page.keyboard.press("Escape")  # neither
    assert page.url.endswith("/")
    page.locator('[data-alone="imhotep"]').click()
    page.locator("dialog.offer [data-key=learn]").click()
    page.wait_for_url("**/t/*")
    table = page.url.split("/t/")[1]
    page.wait_for_function(f"() => ({STEP})() === 1")
    click(page, "space-0-0")  # not before it was said what to do
    assert page.request.get(f"/api/tables/{table}").json()["number"] == 0
    follow(page, "imhotep", table, 0)
    page.locator("[data-key=lesson-next]").click()
    click(page, "space-1-0")  # legal, but not what the lesson speaks of
    expect(page.locator("#lesson .note")).to_contain_text(steps_of("imhotep")[2].wrong["en"])
    click(page, "status-0")  # not legal: the rules' own reason
    expect(page.locator(".toast")).to_contain_text("2")
    play(page, table, ["load-a1"])
    page.wait_for_function(f"() => ({STEP})() === 4")
    page.locator("[data-key=lesson-leave]").click()
    expect(page.locator(f'#tables a[href="/t/{table}"] .tag')).to_contain_text(WORDS.say("lesson.title", "en"))
    page.goto("/guide/imhotep")
    page.locator("[data-learn]").click()
    page.wait_for_url(f"**/t/{table}")
    page.wait_for_function(f"() => ({STEP})() === 4")
    play(page, table, ["sail-a-pyramid"])
    page.wait_for_function(f"() => ({STEP})() === 5")
    page.goto("/")  # whoever has met a game is not asked again
    page.locator('[data-alone="imhotep"]').click()
    page.wait_for_url(lambda url: "/t/" in url and not url.endswith(table))
