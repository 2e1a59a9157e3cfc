"""The page docs/api.md: its example is the file that is tested, and its lists are complete."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable

from perankh.web.live import FRAMES

from ..conftest import ROOT
from .conftest import Person
from .test_secrets import KEYS

PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")


def test_the_example_stands_in_the_page() -> None:
    assert f"```python\n{(ROOT / 'examples' / 'api_bot.py').read_text('utf-8')}```\n" in PAGE


def test_the_example_plays_a_match(person: Callable[[], Person]) -> None:
    red = person()
    table = red.table(seats=[{"kind": "open"}, {"kind": "bot", "bot": "random"}])
    command = [sys.executable, str(ROOT / "examples" / "api_bot.py"), red.server.address, table]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    view = red.view(table)
    assert view["status"] == "over"
    assert view["players"][0]["name"] == "Thoth"
    assert done.stdout.strip() == f"{view['result']['reason']} {view['result']['scores']}"


def test_every_request_frame_and_part_of_a_view_is_explained(person: Callable[[], Person]) -> None:
    schema = person().ask("GET", "/api/openapi.json")
    for path, methods in schema["paths"].items():
        for method in methods:
            assert f"`{method.upper()} {path.replace('{table}', '{id}')}`" in PAGE, (method, path)
    for kind in FRAMES:
        assert f'{{"type": "{kind}"' in PAGE
    explained = set(re.findall(r"`(\w+)`", PAGE))
    assert KEYS - {"type"} <= explained
