"""A server for all browser tests, and a watch over the console."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from .tools import CHROMIUM, server, window

expect.set_options(timeout=15_000)  # processors are shared with tests that compile


def pytest_itemcollected(item: pytest.Item) -> None:
    """All in one worker: they share the server and the browser."""
    item.add_marker(pytest.mark.xdist_group("browser"))
    if not CHROMIUM:
        item.add_marker(pytest.mark.skip(reason="there is no Chromium; make test installs it, or set CHROMIUM"))


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture
def complaints() -> list[str]:
    """What the consoles of all windows complained about; a test that expects a complaint empties it."""
    return []


@pytest.fixture
def open_window(browser: Browser, address: str, complaints: list[str]) -> Iterator[Callable[..., Page]]:
    """Windows of different people; none may have complained at the end."""
    contexts = []

    def open_one(lang: str = "en", **more: Any) -> Page:
        context = window(browser, address, lang, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []
