"""The lobby, and the browser that verifies the shuffle by itself."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from perankh.web.pages import WORDS

from .tools import PHONE, ask, new_table, send_moves, sit_down, wait_for_choice

Windows = Callable[..., Page]
SHORT = {"options": {"rules": "classic", "classic_limit": "one"}}
OTHER = "ab" * 32


def said(key: str, lang: str = "en") -> str:
    return WORDS.say(key, lang)


def open_lobby(page: Page, seats: list[str], **more: Any) -> str:
    """A table at which nobody is ready."""
    table = new_table(page, "maqha", seats, ready=False, **more)
    page.goto(f"/t/{table}")
    expect(page.locator("[data-key=start]")).to_be_visible()
    return table


@pytest.fixture
def finished(open_window: Windows) -> tuple[Page, str]:
    """Somebody who started in the lobby, and whose match is over."""
    page = open_window()
    table = open_lobby(page, ["me", "random"], **SHORT)
    page.locator("[data-key=start]").click()
    wait_for_choice(page)
    send_moves([page], random.Random(1), time.monotonic() + 60)
    expect(page.locator("#ending")).to_be_visible()
    return page, table


# --- SHA-256 -------------------------------------------------------------------------------------------------------------------


def test_hashes_are_those_of_hashlib(open_window: Windows) -> None:
    page = open_window()
    page.goto("/")
    luck = random.Random(5)
    inputs = [luck.randbytes(length) for length in (*range(130), 1000, 4096, 70_000)]
    found = page.evaluate(
        """async inputs => {
            const { sha256 } = await import("/static/verify.js");
            return inputs.map(bytes => [...sha256(Uint8Array.from(bytes))]);
        }""",
        [list(data) for data in inputs],
    )
    assert [bytes(digest) for digest in found] == [hashlib.sha256(data).digest() for data in inputs]


# --- The lobby -----------------------------------------------------------------------------------------------------------------


def test_friends_meet_in_the_lobby_and_the_match_begins_when_both_have_started(open_window: Windows) -> None:
    ani, hori = open_window("en"), open_window("ja", size=PHONE)
    table = open_lobby(ani, ["me", "open", "random"])
    for place in ("#board", "#tools"):
        expect(ani.locator(place)).to_be_hidden()
    expect(ani.locator("#cover img")).to_be_visible()
    expect(ani.locator(".player .sit")).to_have_count(0)  # one seat for one person
    ani.locator("[data-key=start]").click()
    expect(ani.locator("#moves")).to_contain_text(said("live.ready_open"))
    expect(ani.locator(".player .started.yes")).to_have_count(2)  # Ani and the bot
    hori.goto(f"/t/{table}")
    hori.locator("[data-key=fold-fair]").click()
    commitment = ask(hori, "GET", f"/api/tables/{table}")["deal"]["commitment"]
    expect(hori.locator(".lobby-part[open]")).to_contain_text(commitment)
    assert hori.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    sit_down(hori, table, "ホリ")
    for page in (ani, hori):
        expect(page.locator("#board .sprite").first).to_be_visible()
        expect(page.locator("#cover")).to_be_hidden()
        expect(page.locator("#tools")).to_be_visible()
    deal = ask(ani, "GET", f"/api/tables/{table}")["deal"]
    assert [given["by"] for given in deal["contributions"]] == ["player", "player", "server"]
    kept = json.loads(ani.evaluate(f"localStorage['perankh:deal:{table}']"))
    assert kept["commitment"] == commitment
    assert kept["own"] == {"0": deal["contributions"][0]["value"]}
    assert kept["hash"] == ask(ani, "GET", f"/api/tables/{table}")["seed_hash"]


def test_seats_are_left_and_given_to_bots_in_the_lobby(open_window: Windows) -> None:
    ani, hori = open_window(), open_window()
    table = open_lobby(ani, ["me", "open", "open"])
    sit_down(hori, table, "Hori")
    expect(ani.locator(".player").nth(1)).to_contain_text(said("live.started"))
    hori.locator("[data-key=menu-1]").click()
    hori.locator("[data-action=leave]").click()
    expect(hori.locator(".player .sit")).to_have_count(2)
    expect(hori.locator(".player.viewer")).to_have_count(0)
    assert json.loads(hori.evaluate(f"localStorage['perankh:deal:{table}']"))["own"] == {}
    ani.locator("[data-key=menu-1]").click()
    ani.locator("[data-action=scribe]").click()
    expect(ani.locator(".player .mark")).to_have_count(1)
    ani.locator("[data-key=menu-1]").click()
    ani.locator("[data-action=open]").click()
    expect(ani.locator(".player .mark")).to_have_count(0)
    ani.locator("[data-key=start]").click()
    for seat in (1, 2):
        ani.locator(f"[data-key=menu-{seat}]").click()
        ani.locator("[data-action=apprentice]").click()
    wait_for_choice(ani)


def test_a_shared_device(open_window: Windows) -> None:
    page = open_window("ja")
    page.goto("/new/maqha")
    page.locator(".pick label", has_text="2").click()
    page.locator("[name=kind-1]").select_option("me")
    expect(page.locator("[name=hot_seat]")).to_be_checked()
    page.locator("[name=hot_seat]").uncheck()
    expect(page.locator("[name=kind-1]")).to_have_value("open")
    page.locator("[name=hot_seat]").check()
    page.locator("[type=submit]").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#moves")).to_contain_text(said("live.hot_seat", "ja"))
    page.locator("[data-key=sit-1]").click()
    page.locator("#ask button.first").click()
    expect(page.locator(".player .started")).to_have_count(2)
    page.locator("[data-key=start]").click()
    page.wait_for_function("() => document.querySelector('.board .lit, #curtain[open]')")
    deal = ask(page, "GET", f"/api/tables/{page.url.rpartition('/')[2]}")["deal"]
    assert [given["by"] for given in deal["contributions"]] == ["player", "player"]


def test_nobody_starts_under_another_commitment(open_window: Windows) -> None:
    page = open_window()
    table = open_lobby(page, ["me", "random"])
    page.evaluate(f"localStorage['perankh:deal:{table}'] = JSON.stringify({{commitment: '{OTHER}', given: false, own: {{}}}})")
    page.locator("[data-key=start]").click()
    expect(page.locator(".toast.bad")).to_contain_text(said("ui.commitment"))
    assert ask(page, "GET", f"/api/tables/{table}")["status"] == "waiting"


# --- Verification --------------------------------------------------------------------------------------------------------------


def test_an_honest_shuffle_is_verified_step_by_step(finished: tuple[Page, str]) -> None:
    page, _ = finished
    page.locator("#ending summary").click()
    expect(page.locator("#ending .verdict")).to_have_text(said("proof.good"))
    lines = [said(f"proof.{part}") for part in ("hash", "commitment", "own", "seed")]
    expect(page.locator("#ending .checks li")).to_have_text(lines)
    expect(page.locator("#ending .proof")).to_contain_text("perankh verify maqha-")


def test_whoever_comes_later_is_told_what_cannot_be_checked(finished: tuple[Page, str], open_window: Windows) -> None:
    guest = open_window("ja")
    guest.goto(f"/t/{finished[1]}")
    guest.locator("#ending summary").click()
    expect(guest.locator("#ending .verdict")).to_have_text(said("proof.partly", "ja"))
    expect(guest.locator("#ending .checks")).to_contain_text(said("proof.not_seen", "ja"))


def derived(secret: str, seat: int) -> str:
    return hashlib.sha256(b"perankh contribution\n" + bytes.fromhex(secret) + bytes([seat])).hexdigest()


def forge(view: Any, secret: str | None = None, mine: str | None = None, yours: str | None = None) -> Any:
    """What a server shows that has exchanged parts of a deal, and made everything else fit."""
    deal = view["deal"]
    secret = secret or deal["secret"]
    values = [mine or deal["contributions"][0]["value"], yours or derived(secret, 1)]
    seed = hashlib.sha256(b"perankh deal\n" + bytes.fromhex(secret) + b"".join(map(bytes.fromhex, values))).hexdigest()[:32]
    made = {"commitment": hashlib.sha256(bytes.fromhex(secret)).hexdigest(), "seed_given": False, "secret": secret}
    made["contributions"] = [{"by": "player", "value": values[0]}, {"by": "player" if yours else "server", "value": values[1]}]
    return view | {"deal": made, "seed": seed, "seed_hash": hashlib.sha256(seed.encode()).hexdigest()}


def test_whatever_the_server_exchanges_is_noticed(finished: tuple[Page, str]) -> None:
    page, table = finished
    view = ask(page, "GET", f"/api/tables/{table}")
    deal = view["deal"]

    def findings(shown: Any) -> dict[str, Any]:
        found = page.evaluate("async view => (await import('/static/verify.js')).verify(view)", shown)
        return {words.removeprefix("proof."): good for good, words in found}

    assert set(findings(view).values()) == {True}
    assert set(findings(forge(view)).values()) == {True}  # the forger makes no mistakes
    bad = {name for name, good in findings(forge(view, secret=OTHER)).items() if good is False}
    assert bad == {"not_commitment", "not_hash"}
    bad = {name for name, good in findings(forge(view, mine=OTHER)).items() if good is False}
    assert bad == {"not_own", "not_hash"}
    bad = {name for name, good in findings(forge(view, yours=OTHER)).items() if good is False}
    assert bad == {"not_hash"}
    assert findings(view | {"seed": "0" * 32, "seed_hash": hashlib.sha256(b"0" * 32).hexdigest()})["not_seed"] is False
    swapped = [deal["contributions"][0], {"by": "server", "value": OTHER}]
    assert findings(view | {"deal": deal | {"contributions": swapped}})["not_seed"] is False
    gone = [{"by": "server", "value": derived(deal["secret"], 0)}, deal["contributions"][1]]
    assert findings(view | {"deal": deal | {"contributions": gone}})["not_own"] is False
    # Whatever is left out or makes no sense proves nothing.
    for nothing in (
        None,
        {},
        deal | {"seed_given": True},
        deal | {"secret": None},
        deal | {"secret": deal["secret"].upper()},
        deal | {"secret": deal["secret"] + "00"},
        deal | {"contributions": None},
        deal | {"contributions": []},
        deal | {"contributions": [None, None]},
        deal | {"contributions": [*deal["contributions"], deal["contributions"][0]]},
        deal | {"contributions": [{"by": "player", "value": 5}, deal["contributions"][1]]},
    ):
        assert findings(view | {"deal": nothing})["no_deal"] is False, nothing
    assert findings(view | {"seed": None})["not_hash"] is False
    assert findings(view | {"own": []})["no_own"] is None  # the seat was another's: it is not said that all is well


def test_the_page_says_that_something_is_wrong(open_window: Windows) -> None:
    """A server that shows another deal after the end than the one it was bound to, from the lobby to the end screen."""
    page = open_window()

    def through(line: WebSocketRoute) -> None:
        far = line.connect_to_server()

        def down(message: str | bytes) -> None:
            frame = json.loads(message)
            line.send(json.dumps(forge(frame, secret=OTHER)) if frame.get("status") == "over" else message)

        line.on_message(far.send)
        far.on_message(down)

    page.route_web_socket("**/live*", through)
    open_lobby(page, ["me", "random"], **SHORT)
    page.locator("[data-key=start]").click()
    wait_for_choice(page)
    send_moves([page], random.Random(1), time.monotonic() + 60)
    page.locator("#ending summary").click()
    expect(page.locator("#ending .verdict.bad")).to_have_text(said("proof.bad"))
    expect(page.locator("#ending .checks .bad").first).to_contain_text("exchanged")
