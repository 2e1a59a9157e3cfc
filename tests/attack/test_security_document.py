"""docs/security.md names tests and attacks that exist, and the limits of the code."""

from __future__ import annotations

import re

from ..conftest import ROOT
from . import __main__ as program
from .document import limits_table
from .registry import ATTACKS

TEXT = (ROOT / "docs" / "security.md").read_text("utf-8")


def test_every_named_test_and_attack_exists() -> None:
    known = {*program.RANDOM, *ATTACKS}
    promises = [line for line in TEXT.splitlines() if line.startswith("| ") and line.count("|") == 3]
    assert len(promises) > 25
    named = set()
    for line in promises:
        holder = line.split("|")[2]
        if holder.strip() in ("tested by", "---", "may"):
            continue
        files, attacks = re.findall(r"`((?:tests|bench)/[\w/]+\.py)`", holder), re.findall(r"\*(\w+)\*", holder)
        assert files or attacks or "visitor who is measured" in holder, line
        for file in files:
            assert (ROOT / file).is_file(), file
        assert set(attacks) <= known, line
        named |= set(attacks)
    assert named == known, f"not in docs/security.md: {known - named}"


def test_the_limits_are_those_of_the_code() -> None:
    assert limits_table() in TEXT, "python -m tests.attack --limits prints the table"
