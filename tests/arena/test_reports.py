"""Reports: figures that were put in are found, words are complete, pages open without a complaint."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from perankh.arena import report
from perankh.arena.balance import Study, balance_figures, names_of, study_of, words_in
from perankh.arena.charts import round_numbers
from perankh.arena.figures import distribution, plain, share_of
from perankh.arena.report import WORDS, arena_figures, render, write_report
from perankh.arena.run import Played
from perankh.arena.schedule import Schedule, settings_of
from perankh.engine.game import get_game
from tests.browser.tools import CHROMIUM, LAPTOP, PHONE
from tests.conftest import CONNECT_FOUR
from tests.forked import finished

BOTS = ("random", "apprentice", "scribe")


def made_up(schedule: Schedule, strength: dict[str, float], luck: random.Random) -> list[Played]:
    """Results as if the bots had these strengths, and seat 0 an advantage."""
    found = []
    for plan in schedule.matches():
        scores = [round(30 + strength[bot] + (6 if p == 0 else 0) + luck.gauss(0, 6)) for p, bot in enumerate(plan.bots)]
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        found.append(Played(plan, scores, ranks, luck.randint(80, 120), "six_rounds", []))
    return found


@pytest.fixture(scope="module")
def arena() -> tuple[Schedule, list[Played]]:
    settings = settings_of(["imhotep"], [2, 3], {"market_side": ["A", "B"]})
    schedule = Schedule(settings, BOTS, 15)
    return schedule, made_up(schedule, {"random": -8, "apprentice": 0, "scribe": 6}, random.Random(1))


@pytest.fixture(scope="module")
def study() -> tuple[Study, list[Played], list[Played]]:
    """Matches in which a hammer brings points, and side B of the market makes matches longer."""
    wanted = study_of("imhotep", 3, {}, "priest", 150, ["market_side", "wrath"], 60, 0)
    luck = random.Random(2)
    played: dict[str, list[Played]] = {}
    for name, schedule in wanted.schedules.items():
        played[name] = []
        for match in made_up(schedule, {"priest": 0}, luck):
            hammers = [luck.randint(0, 2) for _ in match.scores]
            scores = [score + 10 * (times > 0) for score, times in zip(match.scores, hammers, strict=True)]
            ranks = [1 + sum(other > score for other in scores) for score in scores]
            length = match.length + (40 if match.plan.setting.options.get("market_side") == "B" else 0)
            chosen = [{"fetch3": 5, "take1": luck.randint(0, 1)} | ({"play-hammer": times} if times else {}) for times in hammers]
            played[name].append(Played(match.plan, scores, ranks, length, "six_rounds", chosen))
    return wanted, played["matches"], played["options"]


def test_an_arena_s_figures_are_those_of_its_matches(arena: tuple[Schedule, list[Played]]) -> None:
    schedule, matches = arena
    figures = arena_figures(schedule, matches, "en")
    assert figures["matches"] == len(matches) == 15 * 2 * (3 * 2 + 1 * 3)
    assert [row["bot"] for row in figures["overall"]["ratings"]] == ["scribe", "apprentice", "random"]
    assert all(lead["low"] > 0 for lead in figures["overall"]["leads"])
    assert [(setting["players"], setting["options"][0]["shown"]) for setting in figures["settings"]] == [
        (n, side) for n in (2, 3) for side in ("side A", "side B")
    ]
    for setting in figures["settings"]:
        assert sum(seat["value"] for seat in setting["seats"]) == pytest.approx(1, abs=0.001)
        assert sum(b["count"] for b in setting["length"]["bins"]) == setting["matches"]
        assert setting["points"]["scribe"] > setting["points"]["random"]


def test_what_is_worth_something_is_found(study: tuple[Study, list[Played], list[Played]]) -> None:
    figures = balance_figures(*study, "en")
    assert figures["matches"] == 150
    assert figures["seats"][0]["sure"]
    assert figures["seats"][0]["wins"]["value"] > 1 / 3
    assert sum(seat["wins"]["value"] for seat in figures["seats"]) == pytest.approx(1, abs=0.001)
    actions = {row["code"]: row for row in figures["actions"]}
    assert figures["actions"][0]["code"] == "play-hammer"
    assert actions["play-hammer"]["sure"]
    assert actions["play-hammer"]["points"]["low"] < 10 < actions["play-hammer"]["points"]["high"]
    assert "Hammer" in actions["play-hammer"]["sentence"]
    assert not actions["take1"]["sure"]
    assert actions["fetch3"]["wins"] is None, "everybody does it, so nothing can be compared"
    assert actions["fetch3"]["a_match"] == 15
    options = {(row["option"], row["value"]): row for row in figures["options"]}
    assert set(options) == {("market_side", "B"), ("wrath", True)}
    changed = options["market_side", "B"]["length"]
    assert changed["sure"]
    assert changed["change"]["low"] < 40 < changed["change"]["high"]
    assert not options["wrath", True]["length"]["sure"]
    assert options["wrath", True]["usual"] == "no"
    assert figures["options_in_use"][0]["option"] == "start_player", "the seats are the order of play"


def test_words_of_codes_have_the_names_of_the_game() -> None:
    game = get_game("imhotep")
    words = words_in(game.text.CODES)
    assert [game.text.CODES[action] for action in words["lever"]] == ["play-lever", "keep-lever"]
    names = names_of(game, list(words), "ja")
    assert names["market"] == "市場"
    assert names["lever"] == "てこ"
    assert "load" not in names
    assert words_in(get_game(CONNECT_FOUR).text.CODES) == {}


def test_intervals_of_shares_stay_between_0_and_100_percent() -> None:
    for values in ([1.0] * 9 + [0.0], [0.0] * 9 + [1.0], [1.0] * 5):
        share = plain(share_of(values))
        assert 0 <= share["low"] <= share["value"] <= share["high"] <= 1
        assert share["half"] == pytest.approx(1.96 * share["error"], abs=0.001)
    assert share_of([1.0] * 9 + [0.0]).value + share_of([1.0] * 9 + [0.0]).half > 1  # the limit is needed here


def test_distributions_count_everything() -> None:
    for values in ([3], [0, 0, 1], list(range(1000)), [-40, 7, 7, 300]):
        spread = distribution(values)
        assert sum(b["count"] for b in spread["bins"]) == len(values)
        assert spread["bins"][0]["from"] <= min(values)
        assert spread["bins"][-1]["to"] >= max(values)
    assert round_numbers(0.31, 0.58, 5) == [0.3, 0.4, 0.5, 0.6]


def test_the_words_of_the_reports_are_all_used() -> None:
    source = "".join(
        path.read_text("utf-8") for path in Path(report.__file__).parent.rglob("*") if path.suffix in (".py", ".html")
    )
    assert [key for key in WORDS.texts if f'"{key}"' not in source and f"'{key}'" not in source] == []


def test_text_of_a_game_cannot_break_a_page(arena: tuple[Schedule, list[Played]]) -> None:
    figures = arena_figures(*arena, "en")
    figures["settings"][0]["title"] = "<script>alert(1)</script>"
    figures["overall"]["ratings"][0]["bot"] = '"><b>'
    page = render(figures, "en")
    assert "<script" not in page
    assert '"><b>' not in page


@pytest.mark.xdist_group("browser-reports")
@pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium; make test installs it, or set CHROMIUM")
def test_pages_open_without_a_complaint_and_ask_for_nothing(
    browser: Browser, tmp_path: Path, arena: tuple[Schedule, list[Played]], study: tuple[Study, list[Played], list[Played]]
) -> None:
    pages = []
    for lang in ("en", "ja"):
        for name, figures in (("arena", arena_figures(*arena, lang)), ("balance", balance_figures(*study, lang))):
            folder = tmp_path / f"{name}-{lang}"
            folder.mkdir()
            page, data = write_report(folder, figures, lang)
            assert json.loads(data.read_text("utf-8")) == json.loads(json.dumps(figures))
            pages.append(page)
    for path in pages:
        for size, scheme in ((LAPTOP, "light"), (PHONE, "dark")):
            context = browser.new_context(viewport=size, color_scheme=scheme, offline=True)  # type: ignore[arg-type]
            page = context.new_page()
            said: list[Any] = []
            page.on("console", lambda message, said=said: said.append(message.text))
            page.on("request", lambda request, said=said: said.append(request.url))
            page.goto(path.as_uri())
            assert said == [path.as_uri()]
            assert page.locator("svg.chart").count() >= 4
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            assert not re.search(r"nan|undefined|None", page.locator("body").inner_text())
            context.close()


@pytest.mark.xdist_group("connect_four-arena")
def test_a_balance_is_played_and_reported(tmp_path: Path) -> None:
    wanted = ["--bot", "scribe", "--games", "40", "--out", str(tmp_path), "--workers", "1", "--lang", "en"]
    done = finished("perankh.cli", "balance", str(CONNECT_FOUR), *wanted)
    assert done.returncode == 0, done.stderr
    figures = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert figures["matches"] == 40
    assert {row["code"] for row in figures["actions"]} <= set("abcdefg")
    assert figures["actions"][0]["sentence"].startswith("Drop")
    assert sum(row["a_match"] for row in figures["actions"]) == pytest.approx(figures["length"]["mean"]["value"], abs=0.01)
    assert sum(row["value"] for row in figures["endings"]) == pytest.approx(1, abs=0.001)
    assert figures["options"] == []
    assert "Balance of Connect Four" in (tmp_path / "report.html").read_text("utf-8")
