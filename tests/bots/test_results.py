"""The chapter on bots in bench/RESULTS.md is what the program writes from the figures that are kept."""

from __future__ import annotations

import importlib.util
import json
import re

from ..conftest import ROOT

spec = importlib.util.spec_from_file_location("results", ROOT / "bench" / "results.py")
assert spec
assert spec.loader
results = importlib.util.module_from_spec(spec)
spec.loader.exec_module(results)

FIGURES = json.loads((ROOT / "bench" / "bots.json").read_text("utf-8"))


def test_the_chapter_is_what_the_program_writes() -> None:
    written = (ROOT / "bench" / "RESULTS.md").read_text("utf-8")
    assert f"<!-- bots -->\n{results.bots_part(FIGURES)}\n<!-- /bots -->" in written


def test_every_part_that_was_measured_is_written() -> None:
    chapters = {
        part: set(re.findall("^### .*", results.bots_part({part: found}), re.MULTILINE)) for part, found in FIGURES.items()
    }
    assert all(len(titles) == 1 for titles in chapters.values()), chapters
