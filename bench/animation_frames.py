"""How long the browser works at a frame while others' moves are staged, on a laptop's screen: `python bench/animation_frames.py`.

The processor time of every task of the page's main thread is taken from the browser's own trace, so that other work on the
machine does not count. A frame that takes longer than 50 ms would be seen as a stutter.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.browser.tools import chromium, new_table, server, window

from perankh.web.catalog import offered_games

SECONDS = 25
LIMIT = 50.0  # milliseconds


class Task(NamedTuple):
    """A task of a page's main thread."""

    time: float  # of the processor, in milliseconds
    parts: str  # what took most of it


def tasks(trace: bytes) -> list[Task]:
    """All tasks of pages' main threads."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    named = (event for event in events if event["name"] == "thread_name")
    mains = {(event["pid"], event["tid"]) for event in named if event["args"]["name"] == "CrRendererMain"}
    timed = [event for event in events if "dur" in event and (event["pid"], event["tid"]) in mains]
    found = []
    for task in (event for event in timed if event["name"] == "RunTask"):
        time, parts = task.get("tdur", task["dur"]) / 1000, Counter[str]()
        if time > LIMIT / 2:
            end = task["ts"] + task["dur"]
            for event in timed:
                if event["tid"] == task["tid"] and task["ts"] <= event["ts"] <= end and "RunTask" not in event["name"]:
                    parts[event["name"]] += event.get("tdur", event["dur"]) / 1000
        found.append(Task(time, ", ".join(f"{name} {spent:.0f}" for name, spent in parts.most_common(5))))
    return found


def main() -> int:
    """Watch bots play each game for a while; 1 if a frame took too long."""
    worst = 0.0
    with tempfile.TemporaryDirectory() as data, server(Path(data)) as address, chromium() as browser:
        for game in sys.argv[1:] or sorted(offered_games()):
            page = window(browser, address, pace="normal", reduced_motion="no-preference").new_page()
            table = new_table(page, game, ["random"] * 3 if game != "mural" else ["random"] * 2, seed=4)
            page.goto(f"/t/{table}")
            page.wait_for_selector(".board .sprite")
            page.wait_for_timeout(3000)  # loading is no animation
            browser.start_tracing(
                page=page, categories=["toplevel", "__metadata", "devtools.timeline", "disabled-by-default-devtools.timeline"]
            )
            before = int(page.locator("#when").input_value())
            page.wait_for_timeout(1000 * SECONDS)
            steps = int(page.locator("#when").input_value()) - before
            times = tasks(browser.stop_tracing())
            longest = max(times)
            spread = Counter("over 50 ms" if time > LIMIT else "16 to 50 ms" if time > 16 else "under 16 ms" for time, _ in times)
            print(f"{game}: {steps} moves, {len(times)} tasks, longest {longest.time:.1f} ms, {dict(spread)}", flush=True)
            print(f"    in the longest: {longest.parts}", flush=True)
            worst = max(worst, longest.time)
            page.context.close()
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
