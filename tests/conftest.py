"""What several test files share."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from perankh.engine.game import Game, get_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

ROOT = Path(__file__).parent.parent
CONNECT_FOUR = ROOT / "examples" / "connect_four"
FIRST = ("egizia", "imhotep", "maqha", "cleocatra", "mural", "connect_four", "tutorial", "browser", "web")  # groups of tests


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Groups that compile come first, then browsers and servers, then all the short tests, which fill what time is left."""

    def place(item: pytest.Item) -> int:
        mark = item.get_closest_marker("xdist_group")
        if mark is None:
            return len(FIRST) + 1
        return next((n for n, name in enumerate(FIRST) if str(mark.args[0]).startswith(name)), len(FIRST))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """The thousands of tests and what they import stay: the collector of unused objects need not look at them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives browsers: there cannot be two in a process."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One browser for all tests of a process."""
    from tests.browser.tools import launched

    with launched(playwright) as running:
        yield running


@pytest.fixture
def altered(tmp_path: Path) -> Callable[..., Game]:
    """Make a copy of Connect Four with pieces of its files replaced, and load it as a game of its own."""

    def alter(**replaced: tuple[str, str] | list[tuple[str, str]]) -> Game:
        folder = tmp_path / f"altered_{len(list(tmp_path.iterdir()))}"
        shutil.copytree(CONNECT_FOUR, folder, ignore=shutil.ignore_patterns("__pycache__"))
        for file, changes in replaced.items():
            path = folder / file.replace("_", ".")
            text = path.read_text("utf-8")
            for old, new in changes if isinstance(changes, list) else [changes]:
                assert old in text, f"{old!r} is not in {path.name}"
                text = text.replace(old, new)
            path.write_text(text, "utf-8")
        return get_game(folder)

    return alter


def with_components(game: Game, tmp_path: Path, old: str, new: str) -> Game:
    """A copy of a game with something replaced, once, in its components."""
    folder = tmp_path / f"{game.name}_{len(list(tmp_path.iterdir()))}"
    shutil.copytree(game.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / "components.toml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return get_game(folder)


@pytest.fixture(scope="module")
def mails() -> Iterator[Any]:
    """A mail server that keeps what it gets."""
    from .web.receivers import MailServer

    found = MailServer()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def receiver() -> Iterator[Any]:
    """A push service that keeps what it gets."""
    from .web.receivers import Receiver

    found = Receiver()
    yield found
    found.stop()
