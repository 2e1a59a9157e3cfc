"""What others do is shown step by step, can be skipped, and can be seen again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from playwright.sync_api import Page, expect

from .tools import PHONE, ask, new_table, send_moves, wait_for_choice

Windows = Callable[..., Page]

# Note every change of the last-action line: the move it tells, and what the page shows at that moment.
RECORD = """() => {
    const place = document.getElementById("last");
    window.steps = [];
    new MutationObserver(() => {
        const text = place.querySelector(".last-text");
        const n = Number(text.dataset.n);
        if (window.steps.at(-1)?.n === n) return;
        window.steps.push({
            n,
            text: text.textContent,
            drawn: [...document.querySelectorAll(".board .sprite[data-id]")]
                .map(g => g.dataset.id + " " + (g.getAttribute("aria-label") ?? "")),
            scores: [...document.querySelectorAll(".player .score > span:first-child")].map(score => Number(score.textContent)),
            acting: document.querySelector(".player.acting")?.dataset.seat,
            logged: Number(document.querySelector("#log li:last-child").dataset.n),
            lit: document.querySelectorAll(".board .lit").length,
            moving: document.querySelector(".board").getAnimations({subtree: true})
                .filter(one => one.effect.getComputedTiming().duration > 1).length,
        });
    }).observe(place, {childList: true});
}"""
WATCH_FOR_SKIP = """() => new MutationObserver(() => (window.skip ||= Boolean(document.querySelector("[data-key=skip]"))))
    .observe(document.body, {subtree: true, childList: true})"""
SHOWN = "number => Number(document.querySelector('#last .last-text')?.dataset.n) === number"


def number(page: Page) -> int:
    return int(page.locator("#when").get_attribute("max") or 0)


def steps(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("() => window.steps.splice(0)")
    return found


def make_a_move(page: Page) -> int:
    """Make the first move of the list; the number that it has."""
    before = number(page)
    page.locator(".move").first.click()
    page.wait_for_function("n => Number(document.getElementById('when').max) > n", arg=before)
    return before + 1


def test_the_bots_are_seen_step_by_step_skipped_and_seen_again(open_window: Windows) -> None:
    page = open_window(pace="quick")
    table = new_table(page, "imhotep", ["me", "random", "random", "random"], seed=5)
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    page.evaluate(RECORD)

    # A whole round of the table: one's own move at once, then every decision of the bots in order, on the board as it stood then.
    own = make_a_move(page)
    wait_for_choice(page)
    seen = [step for step in steps(page) if step["n"] >= own]
    assert [step["n"] for step in seen] == list(range(own, number(page) + 1))
    assert number(page) >= own + 3
    view = ask(page, "GET", f"/api/tables/{table}?lang=en")
    for step in seen:
        past = ask(page, "GET", f"/api/tables/{table}?at={step['n']}&lang=en&since=1000")
        assert step["text"] == " ".join(line["text"] for line in view["log"] if line["n"] == step["n"])
        assert step["scores"] == [player["score"] for player in past["players"]]
        assert step["logged"] == step["n"]
        assert step["moving"] == 0  # motion is reduced
        if step["n"] < number(page):
            assert step["drawn"] == [f"{sprite['id']} {sprite.get('alt', '')}" for sprite in past["scene"]["sprites"]]
            assert step["lit"] == 0
    assert len({tuple(step["drawn"]) for step in seen}) == len(seen)

    # What the others did can be seen again, and skipped by a key or by a click on the board.
    page.evaluate("() => localStorage.setItem('perankh:pace', 'calm')")
    page.locator("[data-key=recap]").click()
    page.wait_for_function(SHOWN, arg=own + 1)
    assert page.locator(".board .lit, .move").count() == 0
    page.keyboard.press("Space")
    assert page.locator(".board .lit").count() > 0
    again = steps(page)
    assert [step["n"] for step in again] == [own, own + 1, number(page)]
    assert [step["acting"] for step in again] == ["0", "1", "0"]  # on the way, who made the decision
    page.locator("[data-key=recap]").click()
    page.wait_for_function(SHOWN, arg=own + 1)
    page.locator("#board").click(position={"x": 5, "y": 300})
    page.wait_for_function(SHOWN, arg=number(page))
    assert page.locator(".board .lit").count() > 0
    assert page.locator(".toast").count() == 0  # the click did nothing else

    # Without a pace nothing waits.
    page.locator("[data-key=settings]").click()
    page.locator("#ask [value=off]").check()
    page.locator("#ask button.first").click()
    page.evaluate(WATCH_FOR_SKIP)
    make_a_move(page)
    wait_for_choice(page)
    assert page.evaluate("() => !window.skip")
    assert page.evaluate("() => localStorage.getItem('perankh:pace')") == "off"


def test_points_and_banners_of_what_was_missed(open_window: Windows) -> None:
    player = open_window()
    table = new_table(player, "imhotep", ["me", "me"], seed=3)
    for seat, name in enumerate(("Ani", "Hori")):
        ask(player, "PATCH", f"/api/tables/{table}/seats/{seat}", {"name": name})
    happened: list[dict[str, Any]] = []
    while not {"banner", "amount"} <= {key for one in happened for key in one}:  # until a round ends with points
        view = ask(player, "GET", f"/api/tables/{table}?lang=en&since=1000")
        acting = next(p["seat"] for p in view["players"] if p["acting"])
        view = ask(player, "GET", f"/api/tables/{table}?lang=en&since=1000&viewer={acting}")
        codes = {move["sentence"]: move["code"] for move in view["moves"]}
        wanted = [code for text, code in codes.items() if "temple" in text or "Load" in text] or list(codes.values())
        ask(player, "POST", f"/api/tables/{table}/moves", {"number": view["number"], "code": wanted[-1], "seat": acting})
        happened = ask(player, "GET", f"/api/tables/{table}?lang=en&since=1000")["happened"]
    last = ask(player, "GET", f"/api/tables/{table}?lang=en&since=1000")["number"]

    # A spectator who comes back sees the last move with its points, where they were gained and at their players; and hears it.
    watcher = open_window(pace="quick", reduced_motion="no-preference")
    watcher.goto("/")
    watcher.evaluate(
        f"() => {{ localStorage.setItem('perankh:seen:{table}', {last - 1}); localStorage.setItem('perankh:sound', 'on'); }}"
    )
    watcher.add_init_script("""
        window.tones = 0;
        window.OscillatorNode = class extends OscillatorNode { constructor(...given) { super(...given); window.tones += 1; } };
        window.shown = [];
        new MutationObserver((changes) => {
            for (const {addedNodes} of changes) for (const node of addedNodes) {
                const shown = node.matches?.(".gain, .rising, .banner") && node.getAttribute("class");
                if (shown) window.shown.push(`${shown}: ${node.textContent}`);
            }
        }).observe(document, {subtree: true, childList: true});
    """)
    watcher.goto(f"/t/{table}")
    gains = [f"gain: {one['amount']} {one['reason']}" for one in happened if "amount" in one]
    banners = [one["banner"] for one in happened if "banner" in one]
    watcher.wait_for_function(
        "count => window.shown.filter(text => /^(gain|banner)/.test(text)).length === count", arg=len(happened)
    )
    shown: list[str] = watcher.evaluate("() => window.shown")
    assert [text for text in shown if text.startswith("gain")] == gains
    rising = [text for text in shown if text.startswith("rising")]
    assert rising == [f"rising: {one['amount']}" for one in happened if one.get("place")]
    over = [text for text in shown if text.startswith("banner")]
    assert all(text.startswith(f"banner: {banner}") for text, banner in zip(over, banners, strict=True))
    assert any("Ani" in text or "Hori" in text for text in shown)  # the banner says who got how much
    expect(watcher.locator(".gain, .rising, .banner")).to_have_count(0)
    assert watcher.evaluate("() => window.tones") > 0
    player.goto(f"/t/{table}")
    assert player.evaluate("() => localStorage.getItem('perankh:sound')") is None  # no sound unless it was asked for
    turns = watcher.locator("#log .turn-of").all_inner_texts()
    assert set(turns) == {"Ani", "Hori"}
    assert all(one != other for one, other in pairwise(turns))
    assert "Ani" in watcher.locator("#log").inner_text().replace("\nAni\n", "")  # in the lines too


def test_the_result_is_offered_when_the_end_was_seen(open_window: Windows) -> None:
    page = open_window(size=PHONE, pace="quick")
    table = new_table(page, "maqha", ["me", "random", "random", "random"], seed=4)
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    page.evaluate("""() => {
        const has = (key) => Boolean(document.querySelector(`[data-key=${key}]`));
        window.told = [];
        const last = document.getElementById("last");
        new MutationObserver(() => has("skip") && (has("result") || last.hidden) && window.told.push(1))
            .observe(document.body, {subtree: true, childList: true});
    }""")
    send_moves([page], random.Random(1), time.monotonic() + 240)
    expect(page.locator(".tool[data-key=result]")).to_be_visible()
    assert page.evaluate("() => window.told.length") == 0
    lines = ask(page, "GET", f"/api/tables/{table}?lang=en")["log"]
    expect(page.locator("#log li")).to_have_count(len(lines) + 1)  # of the whole match, and the deal
    page.locator("#ending[open]").wait_for()
    points = page.locator("#ending .points-scroll")
    assert points.evaluate("place => place.scrollWidth - place.clientWidth") <= 1  # four players fit
