"""The browser that is on this computer: any Chrome, Chromium or Edge. `python -m tests.browser.found` names it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "microsoft-edge")
APPLICATIONS = ("Google Chrome", "Chromium", "Microsoft Edge")  # macOS
PROGRAMS = ("Google/Chrome/Application/chrome.exe", "Chromium/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe")
MISSING = "There is no Chrome, Chromium or Edge: the browser tests are left out. Install one, or name it with CHROMIUM=PATH."


def places() -> Iterator[str | None]:
    """Where a browser may be, the best first."""
    yield os.environ.get("CHROMIUM")
    yield from map(shutil.which, COMMANDS)
    for name in APPLICATIONS:
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            yield str(folder / f"{name}.app" / "Contents" / "MacOS" / name)
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if folder_of_programs := os.environ.get(variable):
            yield from (str(Path(folder_of_programs) / program) for program in PROGRAMS)


def browser() -> str | None:
    """The program of the browser; None if there is none."""
    return next((place for place in places() if place and Path(place).is_file()), None)


if __name__ == "__main__":
    print(browser() or MISSING)
    sys.exit(browser() is None)
