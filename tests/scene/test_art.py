"""The art of the games: one palette, no symbol twice, nothing that leads nowhere."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import perankh.web
from perankh.engine.game import game_folders, get_game
from perankh.scene import PALETTE, symbols_of
from perankh.scene.svg import SHARED

DRAWN = [name for name in game_folders() if get_game(name).art.is_file()]


def test_symbols_do_not_take_the_names_of_parts_of_a_page() -> None:
    """The art lies in the page of a table or puzzle, whose modules look for parts by their ids."""
    pages = [Path(perankh.web.__file__).parent / "templates" / f"{page}.html" for page in ("base", "table", "puzzle")]
    parts = {part for page in pages for part in re.findall(r'\bid="([\w-]+)"', page.read_text("utf-8"))}
    for name in DRAWN:
        assert not parts & set(symbols_of(get_game(name).art))


@pytest.mark.parametrize("name", DRAWN)
def test_art_is_well_formed_and_keeps_to_the_palette(name: str) -> None:
    art = get_game(name).art
    text = art.read_text("utf-8")
    ids = [element.get("id") for element in ElementTree.fromstring(text).iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r"var\(--([\w-]+)\)", text)) <= set(PALETTE)
    assert set(re.findall(r"#[0-9a-f]{3,6}\b", re.sub(r'href="#[^"]*"|url\(#[^)]*\)', "", text))) <= {"#fff", "#000"}
    own, house = set(symbols_of(art)), set(symbols_of(SHARED))
    assert not own & house
    assert {"".join(pair) for pair in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)} <= own | house
