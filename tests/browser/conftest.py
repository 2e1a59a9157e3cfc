"""A server for the browser tests of a process, and a watch over the console."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from .found import MISSING
from .tools import CHROMIUM, PATIENCE, server, window

expect.set_options(timeout=PATIENCE)


def pytest_itemcollected(item: pytest.Item) -> None:
    """A group for each file and game; the tests of a worker share a server and a browser."""
    game = item.callspec.params.get("game", "") if hasattr(item, "callspec") else ""
    item.add_marker(pytest.mark.xdist_group(f"browser-{item.path.stem}-{game}"))
    if not CHROMIUM:
        item.add_marker(pytest.mark.skip(reason=MISSING))


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server stores its tables."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def address(data: Path) -> Iterator[str]:
    with server(data) as running:
        yield running


@pytest.fixture
def complaints() -> list[str]:
    """What the consoles of all windows complained about."""
    return []


@pytest.fixture
def expected() -> list[str]:
    """Parts of complaints that a test expects. They may come at any time: the console is slower than the page."""
    return []


@pytest.fixture
def open_window(browser: Browser, address: str, complaints: list[str], expected: list[str]) -> Iterator[Callable[..., Page]]:
    """Windows of different people; none may have complained at the end. Unless asked for, nothing is painted, to save time."""
    contexts = []

    def open_one(lang: str = "en", painted: bool = False, **more: Any) -> Page:
        context = window(browser, address, lang, painted=painted, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [said for said in complaints if not any(part in said for part in expected)] == []
