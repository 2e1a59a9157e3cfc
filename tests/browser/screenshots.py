"""Pictures of every game, and what is wrong with their looks: `python -m tests.browser.screenshots` (make screenshots).

Every game in mid-match and at its end, at all sizes, in both languages and both themes. The pictures that documents show are
written to docs/screenshots, all of them to the folder given with `--to`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page

from perankh.engine.words import LANGUAGES
from perankh.match import Match
from perankh.match.file import text_of
from perankh.web.catalog import offered_games

from .looks import faults
from .tools import ROOT, SIZES, TOUCHED, ask, chromium, new_table, server, wait_for_choice, window

FOLDER = ROOT / "docs" / "screenshots"
SHOWN = ("cleocatra-phone-ja", "imhotep-tablet-en-dark")  # in README.md and README.ja.md; moving_picture.py makes the others
NAMES = ["Nefertari", "Ani", "ホリ"]
THEMES = ("light", "dark")
MOVES = 14  # of one's own, before the picture of a running match


class Position(NamedTuple):
    """A table to be looked at."""

    name: str  # the game, and what of it
    table: str
    over: bool


def finished(game: str) -> str:
    """A whole match, as a file."""
    match = Match(game, 3, seed=1, names=NAMES)
    chance = random.Random(1)
    while not match.over:
        match.play(chance.choice(match.moves()))
    return text_of(match)


def positions(page: Page, games: list[str], bot: str = "scribe") -> list[Position]:
    """A running match, with two bots, and a finished match of each game."""
    found = []
    for game in games:
        table = running(page, game, bot)
        replay = ask(page, "POST", "/api/replays", finished(game))["id"]
        found += [Position(game, table, False), Position(f"{game}-end", replay, True)]
    return found


def running(page: Page, game: str, bot: str) -> str:
    """A table in mid-match; another one, where the match was over too soon."""
    for seed in range(4, 12):
        table = new_table(page, game, ["me", bot, bot], seed=seed)
        ask(page, "PATCH", f"/api/tables/{table}/seats/0", {"name": NAMES[0]})
        if play_some(page, table, random.Random(seed)):
            return table
    raise AssertionError(f"every match of {game} was over too soon")


def play_some(page: Page, table: str, chance: random.Random) -> bool:
    """Make some moves of one's own, without the mouse, until it is one's turn again and the bots are at their level.

    False if the match is over before.
    """
    made, until, said = 0, time.monotonic() + 180, "nothing"
    while made <= MOVES:
        assert time.monotonic() < until, f"{table} does not go on: {said}"
        view = page.request.get(f"/api/tables/{table}?since=100000").json()
        if view["status"] == "over":
            return False
        if not view["moves"]:
            said = f"{view['number']} moves were made, and the match is {view['status']}"
            time.sleep(0.03)
        elif made < MOVES:
            move = {"number": view["number"], "code": chance.choice(view["moves"])["code"], "seat": view["viewer"]}
            answer = page.request.post(f"/api/tables/{table}/moves", data=move)
            made += answer.ok
            said = answer.text()
        elif all(player["ready"] for player in view["players"]):
            break
        else:
            said = "the bots are still being prepared"
            time.sleep(0.3)
    return True


def take(page: Page, path: Path) -> None:
    """One picture of what the window shows."""
    shot = Image.open(BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    # 256 colours are enough for flat art, and keep a repository of pictures small.
    shot.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE).save(path, optimize=True)


def look(page: Page, position: Position) -> None:
    """Open a table and wait until it rests."""
    page.goto(f"/t/{position.table}")
    if position.over:
        page.locator("#ending[open]").wait_for()
    else:
        wait_for_choice(page)
    page.wait_for_timeout(300)  # the last piece comes to rest


def see_board(page: Page) -> None:
    """Close the result of a match."""
    page.locator("[data-board]").click()
    page.locator("#ending").wait_for(state="hidden")


def main() -> int:
    """Look at everything, or at what is named; 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=sorted(offered_games()))
    parser.add_argument("--sizes", nargs="*", default=list(SIZES))
    parser.add_argument("--langs", nargs="*", default=LANGUAGES)
    parser.add_argument("--themes", nargs="*", default=THEMES)
    parser.add_argument("--to", type=Path, help="write all pictures to this folder")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as data, server(Path(data)) as address, chromium() as browser:
        return look_at_all(browser, address, wanted)


def look_at_all(browser: Browser, address: str, wanted: argparse.Namespace) -> int:
    """Every position at every size, in every language and theme."""
    person = window(browser, address)
    looked_at = positions(person.new_page(), wanted.games)
    known, wrong = person.storage_state(), 0
    person.close()
    for size, lang, theme in product(wanted.sizes, wanted.langs, wanted.themes):
        context = window(browser, address, lang, SIZES[size], storage_state=known, color_scheme=theme)
        context.add_init_script("localStorage.removeItem('perankh:moves')")  # folded, as people see it
        page = context.new_page()
        for position in looked_at:
            look(page, position)
            wrong += judge(page, position.name, size, lang, theme, wanted.to)
            if position.over:
                see_board(page)
                wrong += judge(page, f"{position.name}-board", size, lang, theme, wanted.to)
        context.close()
    print(f"{wrong} faults")
    return int(wrong > 0)


def judge(page: Page, what: str, size: str, lang: str, theme: str, folder: Path | None) -> int:
    """Print what is wrong with a page, and keep its picture; how much is wrong."""
    name = "-".join([what, size, lang] + ([theme] if theme != "light" else []))
    found = faults(page, size in TOUCHED)
    print(name, *found, sep="\n    ", flush=True)
    if name in SHOWN and folder is None:
        take(page, FOLDER / f"{name}.png")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png", animations="disabled")
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
