"""The board by itself: a page with a board and nothing else, given scenes made for the test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

Windows = Callable[..., Page]
LIGHT = "/card/mural"  # a page that opens quickly; what is on it is replaced

SET_UP = """async () => {
    const { Board } = await import("/static/board.js");
    document.querySelector("main").innerHTML = '<svg id="b" class="board" viewBox="0 0 400 300" role="group"></svg>';
    for (const sheet of ["board.css"]) {
        const link = document.createElement("link");
        link.rel = "stylesheet"; link.href = "/static/" + sheet;
        document.head.append(link);
        await new Promise(done => link.addEventListener("load", done));
    }
    const art = '<svg xmlns="http://www.w3.org/2000/svg">'
        + '<symbol id="square" viewBox="0 0 10 10"><rect width="10" height="10"/></symbol>'
        + '<symbol id="ring" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4.5" fill="none" stroke="red"/></symbol></svg>';
    window.fetch = async () => new Response(art);
    window.board = new Board(document.getElementById("b"), ({alt, count}) => `${alt}: ${count}`);
    await board.loadArt("art");
    window.made = []; window.idle = 0; window.steps = []; window.said = []; window.under = [];
    board.addEventListener("move", event => {
        made.push(event.detail.code);
        window.sent ? board.pause() : board.offer(board.moves);
    });
    board.addEventListener("idle", event => { idle++; said.push(event.detail.saying); under = event.detail.under; });
    board.addEventListener("step", event => steps.push(event.detail.join()));
}"""


def sprite(id: str, x: int, y: int = 100, **more: Any) -> dict[str, Any]:
    return {"id": id, "symbol": "square", "x": x, "y": y, "width": 40, "height": 40, "alt": id.upper(), **more}


def show(page: Page, *sprites: dict[str, Any], then: str = "") -> Any:
    """Show a scene; `then` is run at once."""
    scene = {"width": 400, "height": 300, "title": "test", "sprites": list(sprites)}
    return page.evaluate(f"scene => {{ board.show(scene); {then} }}", scene)


def offer(page: Page, **moves: list[str]) -> None:
    page.evaluate("moves => board.offer(moves)", [{"code": c, "sentence": f"Do {c}", "path": p} for c, p in moves.items()])


def alias(page: Page, **aliases: list[list[str]]) -> None:
    page.evaluate("aliases => board.offer(board.moves, aliases)", aliases)


def lit(page: Page) -> list[str]:
    return sorted(page.evaluate("() => [...document.querySelectorAll('.lit')].map(g => g.dataset.id)"))


def hit(page: Page, id: str) -> None:
    box = page.locator(f"[data-id={id}]").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.fixture
def page(open_window: Windows) -> Page:
    page = open_window()
    page.goto(LIGHT)
    page.evaluate(SET_UP)
    show(page, sprite("a", 50), sprite("b", 120), sprite("c", 190), sprite("d", 260))
    return page


def test_a_path_is_followed_and_sent_when_it_is_unique(page: Page) -> None:
    offer(page, ac=["a", "c"], ad=["a", "d"], b=["b"])
    assert lit(page) == ["a", "b"]
    label = page.locator("[data-id=a]")
    expect(label).to_have_attribute("aria-label", "A: 2")
    expect(page.locator("[data-id=b]")).to_have_attribute("aria-label", "Do b")
    expect(page.locator("[data-id=b]")).to_have_attribute("role", "button")
    expect(page.locator("[data-id=c]")).to_have_attribute("role", "img")
    hit(page, "a")
    assert lit(page) == ["c", "d"]
    hit(page, "d")
    assert page.evaluate("made") == ["ad"]
    assert lit(page) == ["a", "b"]


def test_a_piece_says_what_it_is_when_nothing_else_is_meant(page: Page) -> None:
    offer(page, b=["b"])
    hit(page, "d")
    assert page.evaluate("said") == ["D"]
    assert page.evaluate("made") == []


def test_a_click_that_completes_a_move_can_be_held_back(page: Page) -> None:
    offer(page, ac=["a", "c"], ad=["a", "d"], b=["b"])
    alias(page, d=[["b"]])
    page.evaluate(
        "() => { window.held = []; board.holds = (id, made) => { held.push([id, made.path.join()]); return held.length < 3; }; }"
    )
    hit(page, "a")  # completes nothing yet
    assert page.evaluate("[held, board.chosen]") == [[], ["a"]]
    hit(page, "c")
    page.evaluate("() => board.stepBack()")
    hit(page, "d")  # stands for b
    assert page.evaluate("held") == [["c", "a,c"], ["d", "b"]]
    assert page.evaluate("made") == []
    hit(page, "b")
    assert page.evaluate("made") == ["b"]


def test_what_cannot_be_chosen_now_is_reached_by_keys_and_says_why(page: Page) -> None:
    page.evaluate("() => board.offer([{code: 'b', sentence: 'Do b', path: ['b']}], {}, {c: 'Not now'})")
    closed = page.locator("[data-id=c]")
    expect(closed).to_have_attribute("aria-disabled", "true")
    expect(closed).to_have_attribute("aria-label", "C · Not now")
    page.locator("[data-id=b]").focus()
    page.keyboard.press("ArrowRight")
    expect(closed).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("made") == []
    page.evaluate("() => board.explore()")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-id=d]")).to_be_focused()
    page.evaluate("() => board.explore()")
    expect(page.locator("[data-id=b]")).to_be_focused()
    offer(page, b=["b"])
    expect(closed).not_to_have_attribute("aria-disabled", "true")


def test_one_can_go_back_and_begin_elsewhere(page: Page) -> None:
    offer(page, ac=["a", "c"], ad=["a", "d"], b=["b"])
    hit(page, "a")
    assert page.evaluate("() => board.stepBack()") is True
    assert page.evaluate("() => board.stepBack()") is False
    assert lit(page) == ["a", "b"]
    hit(page, "a")
    hit(page, "a")  # the sprite itself, once more
    assert lit(page) == ["a", "b"]
    hit(page, "a")
    hit(page, "b")  # another beginning
    assert page.evaluate("made") == ["b"]
    hit(page, "d")
    assert page.evaluate("idle") == 1
    assert page.evaluate("made") == ["b"]


def test_a_sprite_may_stand_for_others(page: Page) -> None:
    offer(page, ac=["a", "c"], ad=["a", "d"], b=["b"])
    alias(page, d=[["a"]], c=[["b"]])
    assert lit(page) == ["a", "b"]  # one target for each choice, for keys and screen readers
    expect(page.locator(".alias")).to_have_count(2)
    expect(page.locator("[data-id=d]")).to_have_attribute("role", "img")
    hit(page, "c")
    assert page.evaluate("made") == ["b"]
    alias(page, d=[["a"]])
    hit(page, "d")
    assert lit(page) == ["c", "d"]
    hit(page, "d")  # now it is meant itself
    assert page.evaluate("made") == ["b", "ad"]


def test_a_sprite_that_stands_for_several_leaves_a_choice(page: Page) -> None:
    offer(page, a=["a"], b=["b"], c=["c"])
    alias(page, d=[["a"], ["b"]])
    hit(page, "d")
    assert lit(page) == ["a", "b"]
    assert page.evaluate("() => board.clicks") == ["d"]
    expect(page.locator(".chosen")).to_have_attribute("data-id", "d")
    hit(page, "d")  # once more: never mind
    assert lit(page) == ["a", "b", "c"]
    hit(page, "d")
    assert page.evaluate("() => board.stepBack()") is True
    hit(page, "d")
    hit(page, "c")  # another beginning
    hit(page, "d")
    hit(page, "b")
    assert page.evaluate("made") == ["c", "b"]


def test_a_path_of_an_alias_goes_on_at_the_next_decision(page: Page) -> None:
    offer(page, a=["a"], b=["b"])
    alias(page, d=[["a", "d"], ["b", "c"]])
    hit(page, "d")
    page.evaluate("() => { window.sent = true; }")  # from here on moves go to a server, and take their time
    hit(page, "a")
    assert page.evaluate("made") == ["a"]
    offer(page, c=["c"], d=["d"])
    assert page.evaluate("made") == ["a", "d"]
    offer(page, a=["a"], b=["b"])
    alias(page, d=[["a", "d"]])
    hit(page, "d")
    offer(page, b=["b"], c=["c"])  # not what was expected: nothing is chosen
    assert page.evaluate("made") == ["a", "d", "a"]
    offer(page, c=["c"], d=["d"])
    assert page.evaluate("made") == ["a", "d", "a"]


def test_a_click_that_means_nothing_tells_what_is_under_it(page: Page) -> None:
    show(page, sprite("a", 50), sprite("b", 120), sprite("on", 120, width=10, height=10))
    offer(page, a=["a"])
    hit(page, "on")
    assert page.evaluate("under") == ["on", "b"]


def test_a_label_on_top_does_not_take_the_click(page: Page) -> None:
    show(
        page,
        sprite("a", 50),
        {"id": "label", "x": 50, "y": 100, "text": "25", "alt": "number"},
        sprite("small", 50, width=10, height=10),
    )
    offer(page, a=["a"])
    hit(page, "small")
    assert page.evaluate("made") == ["a"]


def test_holes_and_small_things_take_clicks(page: Page) -> None:
    show(page, sprite("hole", 50, symbol="ring"), sprite("tiny", 200, width=4, height=4))
    offer(page, hole=["hole"], tiny=["tiny"])
    hit(page, "hole")
    assert page.evaluate("made") == ["hole"]
    box = page.locator("[data-id=tiny]").bounding_box()
    assert box
    page.mouse.click(box["x"] + 12, box["y"])
    assert page.evaluate("made") == ["hole", "tiny"]


def test_a_piece_beside_what_is_lit_is_meant_itself(page: Page) -> None:
    show(page, sprite("a", 50), sprite("b", 80, width=50))
    offer(page, a=["a"])
    box = page.locator("[data-id=b]").bounding_box()
    assert box
    page.mouse.click(box["x"] + 4, box["y"] + 20)  # the lit one lies under it there
    assert page.evaluate("made") == ["a"]
    show(page, sprite("a", 50, symbol="ring"), sprite("b", 60, 110))
    page.locator("[data-id=b]").click(position={"x": 3, "y": 3})  # in the hole of the lit one
    assert page.evaluate("made") == ["a"]
    assert page.evaluate("idle") == 1


def test_keys(page: Page) -> None:
    offer(page, a=["a"], cb=["c", "b"], cd=["c", "d"])
    page.locator("[data-id=a]").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.id") == "c"
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.dataset.id") == "b"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert page.evaluate("made") == ["cd"]


def test_order_follows_the_list_and_groups_persist(page: Page) -> None:
    page.evaluate("() => { window.first = document.querySelector('[data-id=a]'); }")
    show(page, sprite("d", 260), sprite("new", 10), sprite("a", 300, 200), sprite("c", 190))
    order = page.evaluate("() => [...document.querySelectorAll('.sprite')].map(g => g.dataset.id)")
    assert order == ["d", "new", "a", "c"]
    assert page.evaluate("() => first === document.querySelector('[data-id=a]')")
    assert page.locator("[data-id=a]").evaluate("g => g.style.transform") == "translate(300px, 200px) rotate(0deg)"


MOTION = """
    const group = document.querySelector('[data-id=a]');
    const running = group.getAnimations().map(a => a.transitionProperty);
    return [running, new DOMMatrix(getComputedStyle(group).transform).e, document.querySelectorAll(".gone").length];
"""


def test_pieces_glide_turn_over_and_fade(open_window: Windows) -> None:
    page = open_window(reduced_motion="no-preference")
    page.goto(LIGHT)
    page.evaluate(SET_UP)
    show(page, sprite("a", 50), sprite("b", 120), sprite("c", 190))
    page.wait_for_timeout(100)
    # a moves and comes to lie on top at the same time; b turns over; c goes
    running, left, gone = show(page, sprite("b", 120, symbol="ring"), sprite("a", 300), then=MOTION)
    assert "transform" in running
    assert left < 300
    assert gone == 1
    page.wait_for_function("() => document.querySelector('.board').getAnimations({subtree: true}).length === 0")
    expect(page.locator(".gone")).to_have_count(0)
    expect(page.locator("[data-id=b] use").last).to_have_attribute("href", "#ring")
    assert page.locator("[data-id=a]").evaluate("g => new DOMMatrix(getComputedStyle(g).transform).e") == 300


# Where a sprite is at a moment of its travels, in milliseconds: all animations are stopped there.
AT = """([id, time]) => {
    const group = document.querySelector(`[data-id=${id}]`);
    for (const way of group.getAnimations()) { way.pause(); way.currentTime = time; }
    const { a, e, f } = new DOMMatrix(getComputedStyle(group).transform);
    return [Math.round(e), Math.round(f), Math.round(100 * a) / 100];
}"""
OPACITY_AT = AT.replace("const { a, e, f }", "return +getComputedStyle(group).opacity; const { a, e, f }")
PIECES = {"width": 20, "height": 20, "pool": "heap"}


def at(page: Page, id: str, time: int) -> list[float]:
    return page.evaluate(AT, [id, time])  # type: ignore[no-any-return]


@pytest.fixture
def moving(open_window: Windows) -> Page:
    """A ship with two pieces, and a heap of others."""
    page = open_window(reduced_motion="no-preference")
    page.goto(LIGHT)
    page.evaluate(SET_UP)
    stones = [sprite(f"load-{k}", 100 + 20 * k, 50, **PIECES, on="ship", order=k + 1) for k in range(2)]
    show(page, sprite("heap", 20, 200), sprite("ship", 110, 50, width=80), *stones)
    page.evaluate("() => { window.first = document.querySelector('[data-id=load-0]'); }")
    return page


def test_like_pieces_take_over_from_each_other_ride_along_and_go_one_by_one(moving: Page) -> None:
    built = [sprite(f"built-{k}", 300 + 40 * k, 250, **PIECES | {"width": 40}, order=k + 5) for k in range(2)]
    show(moving, sprite("heap", 20, 200), sprite("ship", 300, 50, width=40), *reversed(built))
    assert moving.evaluate("() => first === document.querySelector('[data-id=built-0]')")
    assert moving.locator(".gone").count() == 0
    # Both are on the ship, which is half as large at its new place; then the first leaves, then the second.
    assert at(moving, "built-0", 0) == [100, 50, 0.5]
    assert at(moving, "built-0", 560) == [295, 50, 0.25]
    assert at(moving, "built-1", 560) == [305, 50, 0.25]
    assert at(moving, "built-1", 850) == [305, 50, 0.25]
    assert at(moving, "built-0", 850)[1] > 150
    moving.evaluate("() => document.getAnimations().forEach(way => way.finish())")
    assert [moving.locator(f"[data-id=built-{k}]").evaluate("g => g.style.transform") for k in range(2)] == [
        f"translate({300 + 40 * k}px, 250px) rotate(0deg)" for k in range(2)
    ]


def test_pieces_come_from_their_pool_and_go_back_to_it(moving: Page) -> None:
    lying = [sprite("heap", 20, 200), sprite("ship", 110, 50, width=80), sprite("load-0", 100, 50, **PIECES, on="ship")]
    show(moving, *lying)
    assert moving.locator(".gone").count() == 1
    ends = moving.locator(".gone").evaluate("g => g.getAnimations().flatMap(w => w.effect.getKeyframes()).at(-1).transform")
    assert ends.startswith("translate(20px, 200px)")
    moving.wait_for_function("() => !document.querySelector('.gone')")
    stone = sprite("load-1", 120, 50, **PIECES, on="ship")
    show(moving, *lying, stone)
    assert at(moving, "load-1", 0) == [20, 200, 1]


def test_pieces_with_an_order_start_one_after_the_other(moving: Page) -> None:
    show(moving, sprite("one", 50), sprite("two", 120), sprite("on-two", 125), sprite("three", 190))
    moving.wait_for_timeout(600)
    later = [sprite("one", 50, 200, order=2), sprite("two", 120, 200, order=1), sprite("on-two", 125, 200, order=1)]
    show(moving, *later, sprite("three", 190, 200), sprite("new", 300, order=3))
    assert at(moving, "two", 250)[1] == at(moving, "on-two", 250)[1] > 100
    assert at(moving, "one", 250) == [50, 100, 1]
    assert at(moving, "one", 700)[1] > 150
    assert moving.evaluate(OPACITY_AT, ["new", 590]) == 0
    assert moving.evaluate(OPACITY_AT, ["new", 800]) > 0.5


def test_a_piece_that_turns_over_on_its_way_is_never_larger_than_at_its_ends(moving: Page) -> None:
    show(moving, sprite("one", 50, width=60, height=60, text="4", size=45))
    moving.wait_for_timeout(400)
    show(moving, sprite("one", 250, symbol="ring", width=20, height=20, order=1))
    assert at(moving, "one", 0)[2] == 3
    assert moving.locator("[data-id=one] use").last.get_attribute("width") == "20"  # thrice that is what it was
    assert moving.locator("[data-id=one] text").get_attribute("font-size") == "15"


def test_a_piece_stops_at_what_it_passes(moving: Page) -> None:
    lying = [sprite("heap", 20, 200), sprite("ship", 110, 50)]
    show(moving, *lying)
    show(moving, *lying, sprite("load-9", 300, 50, pool="heap", via="ship"))
    assert at(moving, "load-9", 0)[:2] == [20, 200]
    assert at(moving, "load-9", 530)[:2] == at(moving, "load-9", 1110)[:2] == [110, 50]
    assert at(moving, "load-9", 1600)[0] > 250


def test_a_click_while_pieces_leave_finds_what_is_of_use(moving: Page) -> None:
    offer(moving, load=["load-1"], ship=["ship"])
    assert lit(moving) == ["load-1", "ship"]
    show(moving, sprite("heap", 20, 200), sprite("ship", 110, 50, width=80))
    offer(moving, heap=["heap"])
    assert moving.locator(".gone").count() == 2
    assert lit(moving) == ["heap"]
    hit(moving, "ship")
    assert moving.evaluate("idle") == 1
    hit(moving, "heap")
    assert moving.evaluate("made") == ["heap"]


def test_nothing_travels_where_motion_is_unwelcome(moving: Page) -> None:
    moving.emulate_media(reduced_motion="reduce")
    show(moving, sprite("heap", 20, 200), sprite("ship", 300, 50, width=40), sprite("built-0", 300, 250, **PIECES, order=1))
    assert moving.evaluate("() => document.querySelector('.board').getAnimations({subtree: true}).length") == 0
    assert moving.locator(".sprite").count() == 3
