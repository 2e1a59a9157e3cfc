"""Whole matches, clicked through by people with a window each."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from perankh.engine.simulate import random_moves
from perankh.engine.words import seats_called
from perankh.match import Match
from perankh.web.catalog import offered_games

from .tools import PHONE, click_lit, new_table, play_out, sit_down, wait_for_choice

GAMES = sorted(offered_games())
SHORT = {"end_score": 5}  # options that make for a short match, where a game has them

Windows = Callable[..., Page]


def short(game: str) -> dict[str, Any]:
    return {name: value for name, value in SHORT.items() if name in offered_games()[game].options}


def other_sides(game: str) -> dict[str, Any]:
    """The second side of everything that has two."""
    return {name: "B" for name in offered_games()[game].options if name.endswith("_side")}


CLICKS = 30  # after which a match goes on without the mouse, but in `make soak`
WHOLE = 100_000
MATCHES = [pytest.param(game, {}, CLICKS, id=game) for game in GAMES]
MATCHES += [pytest.param(game, {}, WHOLE, id=f"{game}-whole", marks=pytest.mark.soak) for game in GAMES]
MATCHES += [
    pytest.param(game, other_sides(game), WHOLE, id=f"{game}-b", marks=pytest.mark.soak) for game in GAMES if other_sides(game)
]

# What works alike in all games: two of them, and the others in `make soak`.
SOME = [pytest.param(game, marks=() if game in ("imhotep", "mural") else pytest.mark.soak) for game in GAMES]


@cache
def length(game: str, players: int) -> int:
    """How many moves a match of some players is long."""
    found = offered_games()[game]
    return sum(1 for _ in random_moves(found, found.new_state(players, 2, short(game)), 0, 1))


@cache
def enough(game: str) -> int:
    """The least number of players with whom a match is more than a few moves long."""
    return next(n for n in offered_games()[game].players if length(game, n) > 15)


LARGER = [(game, n) for game in GAMES for n in offered_games()[game].players if n > enough(game)]


def with_bots(game: str, *seats: str) -> list[str]:
    """These seats, and bots on as many more as the game needs."""
    return [*seats, *["random"] * (enough(game) - len(seats))]


def number(page: Page) -> int:
    return int(page.locator("#when").get_attribute("max") or 0)


@pytest.mark.parametrize(("game", "options", "clicks"), MATCHES)
def test_two_windows_play_to_the_end(game: str, options: dict[str, Any], clicks: int, open_window: Windows) -> None:
    ani, hori = open_window("en"), open_window("ja")
    table = new_table(ani, game, with_bots(game, "me", "open"), options=short(game) | options, seed=2)
    ani.goto(f"/t/{table}")
    sit_down(hori, table, "ホリ")
    expect(ani.locator(".player").nth(1)).to_contain_text("ホリ")
    unseen = 0 if clicks == WHOLE else length(game, enough(game)) // 2
    assert play_out([ani, hori], random.Random(1), clicks, unseen=unseen) > 5

    for page in (ani, hori):
        dialog = page.locator("#ending")
        expect(dialog).to_be_visible()
        rows = dialog.locator("tbody tr:not(.places)").all()
        points = [[int(text) for text in row.locator("td").all_inner_texts()] for row in rows]
        total = [int(text) for text in dialog.locator("tfoot tr:first-child td").all_inner_texts()]
        assert [sum(column) for column in zip(*points, strict=True)] == total
        dialog.locator("summary").click()
        expect(dialog.locator(".checks li")).to_have_count(2)  # the seed has its hash; it was given, which proves nothing
        expect(dialog.locator(".checks .bad")).to_have_count(0)
    # The end on both screens is the same, each in its own language.
    assert ani.locator("#ending tfoot td").all_inner_texts() == hori.locator("#ending tfoot td").all_inner_texts()
    assert ani.locator("html").get_attribute("lang") == "en"
    assert hori.locator("html").get_attribute("lang") == "ja"

    # Both go on to the same next table.
    ani.locator("#ending button.first").click()
    ani.wait_for_url(lambda url: not url.endswith(table))
    hori.locator("#ending [data-board]").click()
    hori.locator("[data-key=next]").click()
    hori.wait_for_url(ani.url)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "players"), LARGER)
def test_a_match_with_every_number_of_players(game: str, players: int, open_window: Windows) -> None:
    page = open_window("en")
    table = new_table(page, game, ["me", *["random"] * (players - 1)], options=short(game), seed=3)
    page.goto(f"/t/{table}")
    expect(page.locator(".player")).to_have_count(players)
    assert play_out([page], random.Random(4)) > 0
    expect(page.locator("#ending .places td:not(:empty)")).to_have_count(players)


@pytest.mark.parametrize("game", SOME)
def test_alone_against_bots_in_one_click(game: str, open_window: Windows) -> None:
    page = open_window("ja", painted=True)
    page.goto("/")
    page.evaluate("game => localStorage.setItem(`perankh:met:${game}`, 'yes')", game)  # not asked whether to learn it first
    page.locator(f"[data-alone={game}]").click()
    page.wait_for_url("**/t/*")
    wait_for_choice(page)
    before = number(page)
    click_lit(page, random.Random(3))
    page.wait_for_function("n => Number(document.getElementById('when').max) > n", arg=before)
    expect(page.locator(".player .mark")).to_have_count(offered_games()[game].box.players - 1)


def test_a_dropped_connection_comes_back_and_no_move_is_lost_or_doubled(open_window: Windows, data: Path) -> None:
    page = open_window()
    table = new_table(page, GAMES[0], ["me", "random"], seed=4)
    lines: list[WebSocketRoute] = []
    sent: list[dict[str, Any]] = []
    deaf = False  # the answer to a move is on its way when the line breaks

    def through(line: WebSocketRoute) -> None:
        far = line.connect_to_server()
        lines.append(line)

        def up(message: str | bytes) -> None:
            frame = json.loads(message)
            sent.append(frame) if frame["type"] == "move" else None
            far.send(message)

        def down(message: str | bytes) -> None:
            nonlocal deaf
            if deaf and json.loads(message)["type"] in ("done", "view"):
                return
            line.send(message)

        line.on_message(up)
        far.on_message(down)

    page.route_web_socket("**/live*", through)
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    deaf = True
    page.locator(".move").first.click()
    page.wait_for_function("() => !document.querySelector('.move')")
    before = len(lines)
    page.wait_for_timeout(300)
    lines[-1].close()
    expect(page.locator("#link")).to_have_class("link-state lost")
    deaf = False
    expect(page.locator("#link")).to_have_class("link-state connected")
    wait_for_choice(page)
    assert len(lines) > before
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert sum(p == 0 for p, _ in match_of(data, table).played) == 1


def test_a_click_that_does_nothing_says_why(open_window: Windows) -> None:
    page, watcher = open_window(), open_window()
    table = new_table(page, GAMES[0], ["me", "random"], seed=4)
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    page.locator("#board").click(position={"x": 5, "y": 300})
    expect(page.locator(".toast")).to_contain_text("golden edge")
    watcher.goto(f"/t/{table}")
    expect(watcher.locator("#moves")).to_contain_text("watching")
    watcher.locator("#board").click(position={"x": 5, "y": 300})
    expect(watcher.locator(".toast")).to_contain_text("You are watching this match.")


@pytest.mark.parametrize("game", GAMES)
def test_a_spectator_sees_nothing_hidden(game: str, open_window: Windows, data: Path) -> None:
    player, watcher = open_window(), open_window()
    table = new_table(player, game, with_bots(game, "me", "random"), seed=11)
    player.goto(f"/t/{table}")
    for _ in range(4):
        wait_for_choice(player)
        click_lit(player, random.Random(5))
    wait_for_choice(player)
    frames: list[str] = []
    watcher.on("websocket", lambda line: line.on("framereceived", lambda frame: frames.append(str(frame))))
    watcher.goto(f"/t/{table}")
    expect(watcher.locator("#moves")).to_contain_text("watching")
    expect(watcher.locator(".board .lit")).to_have_count(0)
    assert frames
    # What is drawn is the scene of a state from which everything hidden was erased.
    assert not any(f"{11:032x}" in frame for frame in frames)
    deadline = time.monotonic() + 90
    while (drawn := sprites_drawn(watcher)) != (expected := sprites_expected(match_of(data, table))):
        assert time.monotonic() < deadline, (drawn, expected)  # bots may still be choosing
        watcher.wait_for_timeout(100)


def sprites_drawn(page: Page) -> list[str]:
    """The sprites of a page, each by its id and its symbol."""
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('.board .sprite[data-id]')]"
        ".map(g => g.dataset.id + ' ' + (g.querySelector('use')?.getAttribute('href') ?? ''))"
    )
    return found


def sprites_expected(match: Match) -> list[str]:
    """The sprites that a spectator should see."""
    with seats_called((), listed=True):
        scene = match.game.drawing.scene(match.game.veiled(match.state, -1), -1, "en", "wide")
    return [f"{sprite.id} {'#' + sprite.symbol if sprite.symbol else ''}" for sprite in scene.sprites]


def match_of(data: Path, table: str) -> Match:
    """A match that still runs, with everything hidden in it, from the server's storage."""
    with closing(sqlite3.connect(data / "perankh.db")) as database:
        wanted = "SELECT game, players, seed, options FROM tables WHERE id = ?"
        game, players, seed, options = database.execute(wanted, [table]).fetchone()
        match = Match(game, players, int(seed, 16), json.loads(options))
        for seat, code in database.execute("SELECT seat, code FROM moves WHERE table_id = ? ORDER BY number", [table]):
            match.play(code, seat)
    return match


@pytest.mark.parametrize("game", GAMES)
def test_a_phone(game: str, open_window: Windows) -> None:
    page = open_window("ja", painted=True, size=PHONE)
    table = new_table(page, game, ["me", "random", "random"], seed=8)
    page.goto(f"/t/{table}")
    for _ in range(5):
        wait_for_choice(page)
        click_lit(page, random.Random(8))
    wait_for_choice(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    heights = page.evaluate("() => [...document.querySelectorAll('.move, .tool')].map(b => b.getBoundingClientRect().height)")
    assert min(heights) >= 44
    before = number(page)
    page.locator(".move").first.tap()
    page.wait_for_function("n => Number(document.getElementById('when').max) > n", arg=before)
    page.locator("[data-key=log]").tap()
    expect(page.locator("#log li").last).to_be_in_viewport()
    page.locator("#log-close").tap()
    expect(page.locator("#log")).not_to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_keyboard_only(game: str, open_window: Windows) -> None:
    page = open_window()
    table = new_table(page, game, with_bots(game, "me", "random"), seed=9)
    page.goto(f"/t/{table}")
    for turn in range(4):
        wait_for_choice(page)
        before = page.evaluate("() => document.getElementById('when').max")
        wanted = ".lit" if turn % 2 else ".move"  # once on the board, once in the list
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
                break
        else:
            raise AssertionError(f"Tab never comes to {wanted}")
        assert page.evaluate("() => document.activeElement.getAttribute('aria-label') || document.activeElement.textContent")
        for _ in range(4):
            page.keyboard.press("Enter")
            page.wait_for_timeout(60)
            if page.evaluate("() => document.getElementById('when').max") != before or not page.locator(".board .chosen").count():
                break
        page.wait_for_function("n => document.getElementById('when').max !== n", arg=before)


@pytest.mark.parametrize("game", SOME)
def test_several_people_on_one_screen(game: str, open_window: Windows) -> None:
    page = open_window()
    table = new_table(page, game, with_bots(game, "me", "me"), seed=12)
    page.goto(f"/t/{table}")
    page.locator("body[data-table]").wait_for()
    chance, seen = random.Random(2), set()
    for _ in range(60):
        page.wait_for_function("() => document.querySelector('.board .lit, dialog[open]')")
        if page.locator("#curtain[open]").count():
            page.keyboard.press("Escape")  # the curtain does not open by accident
            expect(page.locator("#curtain")).to_be_visible()
            page.locator("#curtain button").click()
            page.wait_for_function("() => document.querySelector('.board .lit')")
        seen.add(page.locator(".player.viewer").get_attribute("data-seat"))
        if len(seen) == 2:
            break
        click_lit(page, chance)
    assert seen == {"0", "1"}
