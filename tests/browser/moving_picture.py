"""The moving picture of the READMEs: `python -m tests.browser.moving_picture` writes docs/screenshots/turn-LANG.webp.

Somebody takes a turn of Nile Mural by clicks, and two bots take theirs. The browser runs slowly while pictures are taken as fast
as they come; shown at their true pace, they move as the table does.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from perankh.engine.words import LANGUAGES

from .screenshots import FOLDER, NAMES, play_some
from .tools import AIM, ask, chromium, new_table, server, wait_for_choice, window

SLOWER = 6  # how many times slower the browser runs
LONGEST = 11.0  # seconds shown
LEAST = 0.07  # seconds between two pictures
SIZE = (960, 600)
LARGEST = 3_000_000  # bytes
CLICKS = 4
REST = 1.5  # seconds that the last picture stays
# Timers take longer, as animations do by the debugger's command.
SLOW = f"const soon = setTimeout; window.setTimeout = (f, ms = 0, ...rest) => soon(f, ms * {SLOWER}, ...rest);"


def record(browser: Browser, address: str, lang: str) -> list[tuple[float, Image.Image]]:
    """Play a turn; the pictures, each with its time in seconds."""
    context = window(browser, address, lang, pace="normal", reduced_motion="no-preference")
    page = context.new_page()
    table = new_table(page, "mural", ["me", "scribe", "scribe"], seed=4)
    ask(page, "PATCH", f"/api/tables/{table}/seats/0", {"name": NAMES[0]})
    play_some(page, table, random.Random(4))
    context.add_init_script(SLOW)
    context.add_init_script("localStorage.removeItem('perankh:moves')")  # folded, as people see it
    page.goto(f"/t/{table}")
    wait_for_choice(page)
    session = context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWER})
    taken, began, clicked = [], time.monotonic(), 0.0
    clicks, chance = 0, random.Random(2)
    while (now := (time.monotonic() - began) / SLOWER) < LONGEST:
        shot = Image.open(BytesIO(page.screenshot())).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
        taken.append((now, shot))
        if clicks < CLICKS and now - clicked > 1.1 and (at := page.evaluate(AIM, chance.random())):
            page.mouse.move(*at)
            page.mouse.click(*at)
            clicks, clicked = clicks + 1, now
    context.close()
    return taken


def write(taken: list[tuple[float, Image.Image]], path: Path) -> None:
    """Write the pictures as one that moves; those that show nothing new, or come too soon, are left out."""
    kept = [taken[0]]
    for moment, shot in taken[1:]:
        if moment - kept[-1][0] >= LEAST and shot.tobytes() != kept[-1][1].tobytes():
            kept.append((moment, shot))
    times = [moment for moment, _ in kept] + [taken[-1][0] + REST]
    lengths = [round(1000 * (after - before)) for before, after in pairwise(times)]
    kept[0][1].save(
        path, save_all=True, append_images=[shot for _, shot in kept[1:]], duration=lengths, loop=0, quality=72, method=4
    )
    assert path.stat().st_size < LARGEST, f"{path} is too large"
    print(f"{path.name}: {len(kept)} pictures, {sum(lengths) / 1000:.1f} s, {path.stat().st_size:,} bytes")


def main() -> int:
    """Record a turn in each language."""
    with tempfile.TemporaryDirectory() as data, server(Path(data)) as address, chromium() as browser:
        for lang in LANGUAGES:
            write(record(browser, address, lang), FOLDER / f"turn-{lang}.webp")
    return 0


if __name__ == "__main__":
    sys.exit(main())
