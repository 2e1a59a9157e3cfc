"""Pages: languages, looks, accessibility, errors, weight."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect

import perankh.web
from perankh.bots import BOTS, LEVELS
from perankh.bots.personalities import PERSONALITIES
from perankh.engine.box import WEIGHTS
from perankh.engine.illustrations import PARTS
from perankh.web.agreements import NOTICES, ON_TIMEOUT
from perankh.web.alerts import ASKED
from perankh.web.catalog import offered_games
from perankh.web.chat import PHRASES
from perankh.web.pages import ERROR_KINDS, WORDS
from perankh.web.people import COLOURS

from .looks import serious
from .tools import LAPTOP, PHONE, new_table, wait_for_choice

Windows = Callable[..., Page]
GAMES = sorted(offered_games())
HERE = Path(perankh.web.__file__).parent


# In both languages and at both sizes, but each game's pages are examined at one of them; in `make soak` at both.
EXAMINED = [
    pytest.param("en", PHONE, GAMES[::2], id="phone"),
    pytest.param("ja", LAPTOP, GAMES[1::2], id="laptop"),
    pytest.param("en", PHONE, GAMES, id="phone-whole", marks=pytest.mark.soak),
    pytest.param("ja", LAPTOP, GAMES, id="laptop-whole", marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("lang", "size", "games"), EXAMINED)
def test_nothing_serious_for_axe(
    lang: str, size: dict[str, int], games: list[str], open_window: Windows, expected: list[str]
) -> None:
    page = open_window(lang, size=size)
    guides = [f"/guide/{game}" for game in GAMES if (offered_games()[game].folder / f"guide.{lang}.md").is_file()]
    cards = [f"/card/{game}" for game in GAMES if offered_games()[game].card]
    expected.append("404")  # /nothing is not found, and the console says so
    for path in ["/", "/nothing", *(f"/new/{game}" for game in GAMES), *guides, *cards]:
        page.goto(path)
        if path.rpartition("/")[2] not in set(GAMES) - set(games):
            assert serious(page) == [], path
        assert page.evaluate("() => document.documentElement.scrollWidth") <= size["width"], path
    for game in games:
        table = new_table(page, game, ["me", "random", "scribe"], seed=3)
        page.goto(f"/t/{table}")
        wait_for_choice(page)
        assert serious(page) == [], game
        page.locator("[data-key=menu-0]").click()
        assert serious(page) == [], game
    guest = open_window(lang, size=size)
    table = new_table(page, GAMES[0], ["me", "open"], ready=False)
    for window, shown in ((page, "[data-key=start]"), (guest, ".player .sit")):
        window.goto(f"/t/{table}")
        expect(window.locator(shown)).to_be_visible()
        for fold in window.locator(".lobby-part summary").all():
            fold.click()
        assert serious(window) == []
        assert window.evaluate("() => document.documentElement.scrollWidth") <= size["width"]


def test_the_language_is_asked_for_kept_and_guessed(open_window: Windows) -> None:
    page = open_window("ja")
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == "ja"
    page.locator(".langs a", has_text="English").click()
    assert page.locator("html").get_attribute("lang") == "en"
    page.goto(f"/new/{GAMES[0]}")
    assert page.locator("html").get_attribute("lang") == "en"
    page.goto(f"/new/{GAMES[0]}?lang=ja")
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == "ja"


@pytest.mark.parametrize("path", ["/nothing", "/t/short", "/t/aaaaaaaaaaaa", "/new/none", "/guide/none", "/static/none.js"])
def test_what_is_not_there_is_a_page_too(path: str, open_window: Windows, expected: list[str]) -> None:
    page = open_window()
    expected.append("404")
    answer = page.goto(path)
    assert answer
    assert answer.status == 404
    expect(page.locator("h1")).to_have_text(WORDS.say("error.404.title", "en"))


def test_static_files_are_kept_under_their_version_only(address: str) -> None:
    page = urlopen(address).read().decode()
    versioned = re.search(r"/static/base\.css\?v=[0-9a-f]+", page)
    assert versioned
    assert "immutable" in urlopen(address + versioned[0]).headers["cache-control"]
    assert urlopen(address + "/static/base.css").headers["cache-control"] == "no-cache"
    module = urlopen(address + "/static/table.js").read().decode()
    assert re.findall(r'from "\./\w+\.js"', module) == []


def test_first_paint_is_light(open_window: Windows) -> None:
    page = open_window()
    weights: dict[str, int] = {}
    page.on("requestfinished", lambda request: weights.setdefault(request.url, request.sizes()["responseBodySize"]))  # compressed
    page.goto("/", wait_until="networkidle")
    ours = {url: weight for url, weight in weights.items() if "/cover/" not in url}
    assert 10_000 < sum(ours.values()) < 30_000, ours
    assert all(url.startswith(page.url) for url in weights)
    page.goto(f"/t/{new_table(page, GAMES[0], ['me', 'random'])}")
    wait_for_choice(page)
    code = {url: weight for url, weight in weights.items() if "/static/" in url}
    assert 20_000 < sum(code.values()) < 75_000, code


def test_a_guide_shows_its_pictures(open_window: Windows) -> None:
    guides = [game for game in GAMES if (offered_games()[game].folder / "guide.en.md").is_file()]
    page = open_window()
    for game in guides:
        page.goto(f"/guide/{game}")
        pictures = page.locator(".prose img:visible")  # of a replay, its first step
        for picture in pictures.all():
            picture.scroll_into_view_if_needed()
            page.wait_for_function("img => img.complete && img.naturalWidth > 0", arg=picture.element_handle())
            assert picture.get_attribute("alt")
        assert page.locator(".contents a").count() == page.locator(".prose h2").count() > 2


def test_the_policy_forbids_inline_code(address: str) -> None:
    for path in ["/", f"/new/{GAMES[0]}", "/nothing"]:
        request = Request(address + path)
        try:
            answer = urlopen(request)
        except OSError as error:
            answer = error  # type: ignore[assignment]
        html = answer.read().decode()
        assert "unsafe-inline" not in answer.headers["content-security-policy"]
        assert not re.search(r"\sstyle=|\son\w+=|<style|<script(?![^>]*(src=|application/json))", html), path


# --- First contact --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_home_shows_what_each_game_is_light_games_first(lang: str, open_window: Windows) -> None:
    page = open_window(lang)
    page.goto("/")
    cards = page.locator(".game")
    weights = [offered_games()[name].box.weight for name in cards.evaluate_all("cards => cards.map(card => card.dataset.game)")]
    assert weights == sorted(weights, key=WEIGHTS.index)
    assert len(weights) == len(GAMES)
    expect(cards.first.locator(".ribbon")).to_have_text(WORDS.say("home.start_here", lang))
    assert page.locator(".ribbon").count() == 1
    for card in cards.all():
        expect(card.locator(".facts-line li")).to_have_count(3)
        picture = card.locator("img")
        picture.scroll_into_view_if_needed()
        page.wait_for_function("img => img.complete && img.naturalWidth > 0", arg=picture.element_handle())
        assert (picture.bounding_box() or {"width": 0})["width"] > 400
    assert page.locator("#tables").count() == 0
    room = "cards => cards.map(card => [parseFloat(getComputedStyle(card).paddingLeft), card.getBoundingClientRect()])"
    edges = page.locator("main > .card").evaluate_all(room)
    assert len(edges) == 2  # puzzles, and replaying a file
    assert min(inside for inside, _ in edges) >= 14
    assert edges[1][1]["top"] - edges[0][1]["bottom"] >= 14


def test_play_now_starts_what_the_box_shows(open_window: Windows) -> None:
    page = open_window()
    for start in ("/", "/new/maqha"):
        page.goto(start)
        page.locator("[data-alone=maqha]").click()
        if start == "/":  # for the first time: the lesson is offered
            page.locator("dialog.offer [data-key=play]").click()
        page.wait_for_url("**/t/*")
        expect(page.locator(".player")).to_have_count(3)
        view = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()
        assert {option["name"]: option["value"] for option in view["options"]}["rules"] == "advanced"
        assert page.locator("#variants").count() == 0
    page.goto("/")  # now one's own tables come first, those where it is one's turn before all others
    expect(page.locator("#tables h2")).to_have_text(WORDS.say("home.due", "en"))
    expect(page.locator("#tables li")).to_have_count(2)
    expect(page.locator("#tables li").first).to_contain_text("Maqha")
    assert page.evaluate("() => document.querySelector('#tables').getBoundingClientRect().top") < 300


def test_a_new_table_begins_as_in_the_box_and_folds_rulings(open_window: Windows) -> None:
    page = open_window()
    page.goto("/new/maqha")
    assert page.locator("[name=players]:checked").get_attribute("value") == "3"
    expect(page.locator("#o-rules")).to_be_visible()
    expect(page.locator("#o-tie_cards")).to_be_hidden()  # a ruling
    expect(page.locator("#o-steadiness_2")).to_be_visible()
    expect(page.locator("#o-steadiness_3")).to_be_hidden()  # there is no fourth seat
    expect(page.locator("#changes")).to_have_text(WORDS.say("new.as_boxed", "en"))
    page.locator(".pick label", has_text="4").click()
    page.locator("#o-steadiness_3").fill("50")
    page.locator("#o-vessel").select_option("tray")
    expect(page.locator("#changes")).to_have_text(WORDS.say("new.changes", "en", count=2))
    page.locator("#reset").click()
    expect(page.locator("#changes")).to_have_text(WORDS.say("new.as_boxed", "en"))
    expect(page.locator("#o-vessel")).to_have_value("glass")
    page.locator("#o-steadiness_3").fill("50")
    page.locator(".pick label", has_text="3").click()  # what is hidden is not set
    page.locator("#rulings summary").click()
    page.locator("#o-tie_cards").uncheck()
    expect(page.locator("#changes")).to_have_text(WORDS.say("new.change", "en"))
    reading_error = page.locator("#o-reading_error")  # in the unit that is written beside it
    assert (reading_error.input_value(), reading_error.locator("..").inner_text()) == ("0.25", "mm")
    reading_error.fill("0.1")
    reading_error.blur()
    expect(page.locator("#changes")).to_have_text(WORDS.say("new.changes", "en", count=2))
    page.locator("#new [type=submit]").click()
    page.wait_for_url("**/t/*")
    page.locator("#variants button").click()
    assert page.locator("#variants dd").all_inner_texts() == ["no", "0.1 mm"]


def test_a_table_says_what_is_set_otherwise_than_in_the_box(open_window: Windows) -> None:
    page, phone = open_window("ja"), open_window("en", size=PHONE)
    table = new_table(page, "imhotep", ["me", "random"], options={"wrath": True, "market_side": "B", "start_player": 1})
    for window, words in (
        (page, ["市場の面", "B面", "ファラオの怒り", "あり", "スタートプレイヤー", "気まぐれ"]),
        (phone, ["Market", "side B", "The Pharaoh's wrath", "yes", "Start player", "Chance"]),
    ):
        window.goto(f"/t/{table}")
        told = window.locator("#variants")
        expect(told.locator(".set")).to_be_visible(visible=window is page)
        expect(told.locator("dl")).to_be_hidden()
        told.locator("button").click()
        expect(told.locator("dl")).to_be_visible()
        assert told.locator("dt, dd").all_inner_texts() == words
        assert serious(window) == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_reconstructed_numbers_are_named(lang: str, open_window: Windows) -> None:
    page = open_window(lang)
    for name, game in offered_games().items():
        assert game.components
        tables = game.components.reconstructed()
        page.goto(f"/new/{name}")
        expect(page.locator(".sources")).to_contain_text(game.words.say(f"component.{next(iter(tables))}", lang))
        page.locator(".sources a[href*=guide]").click()
        page.wait_for_url(f"**/guide/{name}#sources")
        listed = page.locator(".reconstructed li")
        expect(listed).to_have_count(len(tables))
        for row, (table, (made, all)) in zip(listed.all_inner_texts(), tables.items(), strict=True):
            assert row.startswith(game.words.say(f"component.{table}", lang))
            assert (str(made) in row and str(all) in row) or made == all


# --- Words ----------------------------------------------------------------------------------------------------------


def test_every_word_is_used_and_every_word_used_is_there() -> None:
    sources = [*HERE.glob("templates/*.html"), *HERE.glob("static/*.js"), *HERE.glob("*.py")]
    source = "".join(path.read_text("utf-8") for path in sources)
    composed = {f"error.{kind}.{part}" for kind in (*ERROR_KINDS, "other") for part in ("title", "text")}
    composed |= {f"bot.{bot}" for bot in BOTS} | {f"bot.{bot}_about" for bot in LEVELS}
    composed |= {f"new.{personality}{part}" for personality in PERSONALITIES for part in ("", "_about")}
    composed |= {f"home.weight_{weight}" for weight in WEIGHTS}
    composed |= {f"home.status_{status}" for status in ("waiting", "playing", "over", "broken")}
    composed |= {f"home.asked_{what}" for what in ASKED} | {f"message.{what}{part}" for what in ASKED for part in ("", "_body")}
    composed |= {
        f"{part}_{kind}" for part in ("live.own_time_out", "live.notice_time_out", "new.on_timeout") for kind in ON_TIMEOUT
    }
    composed |= {f"me.{colour}" for colour in COLOURS}
    composed |= {f"live.pace_{pace}" for pace in ("calm", "normal", "quick", "off")}
    composed |= {f"live.notice_{what}" for what in NOTICES if what != "time_out"}
    composed |= {f"page.preview_{status}" for status in ("waiting", "playing", "over")}
    composed |= {f"alerts.{kind}{part}" for kind in ("mail", "webhook") for part in ("", "_address")}
    composed |= {f"invite.{where}{part}" for where in ("near", "far") for part in ("", "_help")}
    composed |= {f"message.{part}" for part in ("turn", "reminder", "confirm", "confirm_body", "hello", "hello_body")}
    composed |= {"live.notice_resigned_on", "live.notice_vacation_one"} | {f"chat.say_{phrase}" for phrase in PHRASES}
    composed |= {f"live.{what}_days" for what in ("ask_time", "give_time", "asked_time", "asked_time_for", "notice_time_back")}
    composed |= {f"box.{source}{part}" for source in ("rulebook", "published", "reconstructed", "box") for part in ("", "_help")}
    composed |= {f"advice.{by}" for by in ("network", "network_only", "planning", "search")}
    composed |= {f"analysis.by_{by}" for by in ("glance", "network")} | {"home.status_stopped"}
    composed |= {f"analysis.part_{part}" for part in ("deal", "luck", "own", "others")}
    composed |= {f"card.{part}" for part in PARTS} | {f"puzzle.{how}" for how in ("easy", "medium", "hard")}
    parts = "|".join(sorted({key.partition(".")[0] for key in WORDS.texts}))
    said = composed | set(re.findall(rf'"((?:{parts})\.(?!js"|css"|html")[a-z_]+)"', source))
    assert set(WORDS.texts) - said == set()
    assert said - set(WORDS.texts) == set()
