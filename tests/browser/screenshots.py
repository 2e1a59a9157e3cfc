"""Pictures of every page for docs/screenshots: `python -m tests.browser.screenshots` (make screenshots)."""

from __future__ import annotations

import random
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

from perankh.engine.words import LANGUAGES
from perankh.match import Match
from perankh.match.file import text_of
from perankh.web.catalog import offered_games

from .tools import LAPTOP, PHONE, ROOT, ask, chromium, click_lit, new_table, server, wait_for_choice, window

FOLDER = ROOT / "docs" / "screenshots"
NAMES = {"en": ["Ani", "Nefertari", "Hori"], "ja": ["アニ", "ネフェルタリ", "ホリ"]}
SIZES = {"laptop": LAPTOP, "phone": PHONE}
MOVES = 12  # of one's own, before the picture of a running match


def finished(game: str, lang: str) -> str:
    """A whole match, as a file."""
    match = Match(game, 3, seed=1, names=NAMES[lang])
    chance = random.Random(1)
    while not match.over:
        match.play(chance.choice(match.moves()))
    return text_of(match)


def take(page: Page, name: str) -> None:
    """One picture of what the window shows."""
    page.wait_for_timeout(700)  # pieces come to rest
    shot = Image.open(BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    # 256 colours are enough for flat art, and keep a repository of pictures small.
    shot.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)
    print(name)


def pictures(browser: Browser, address: str, lang: str, size: str) -> None:
    """Every page in one language and one size."""
    page = window(browser, address, lang, SIZES[size], reduced_motion="no-preference").new_page()
    end = f"{size}-{lang}"
    games = sorted(offered_games())
    for game in games:
        table = new_table(page, game, ["me", "scribe", "scribe"], seed=4)
        ask(page, "PATCH", f"/api/tables/{table}/seats/0", {"name": NAMES[lang][0]})
        page.goto(f"/t/{table}")
        chance = random.Random(4)
        for _ in range(MOVES):
            wait_for_choice(page)
            click_lit(page, chance)
        wait_for_choice(page)
        page.mouse.move(2, 2)
        page.evaluate("() => scrollTo(0, 0)")
        take(page, f"{game}-{end}")
        page.goto(f"/t/{table}?at=6")
        if size == "phone":
            page.locator("[data-key=log]").click()
        take(page, f"{game}-back-{end}")
        page.goto(f"/new/{game}")
        take(page, f"{game}-new-{end}")
        page.goto(f"/guide/{game}")
        take(page, f"{game}-guide-{end}")
        replay = ask(page, "POST", "/api/replays", finished(game, lang))["id"]
        page.goto(f"/t/{replay}")
        page.locator("#ending[open]").wait_for()
        take(page, f"{game}-end-{end}")
    waiting = new_table(page, games[0], ["me", "open", "open"], ready=False)
    page.goto(f"/t/{waiting}")
    page.locator("[data-key=start]").wait_for()
    take(page, f"waiting-{end}")
    page.goto("/")
    page.locator("#tables a").first.wait_for()
    take(page, f"home-{end}")
    page.goto("/nothing")
    take(page, f"error-{end}")


def main() -> None:
    """All pictures, or those of the sizes named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[1:] or list(SIZES)
    with tempfile.TemporaryDirectory() as data, server(Path(data)) as address, chromium() as browser:
        for size in wanted:
            for lang in LANGUAGES:
                pictures(browser, address, lang, size)


if __name__ == "__main__":
    main()
