"""The words of all pages, in a file for each kind of page."""

from pathlib import Path

from perankh.engine.words import Words

WORDS = Words(Path(__file__).parent)
