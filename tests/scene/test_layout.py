"""Helps for laying out scenes: boxes, texts that fit, buttons."""

from __future__ import annotations

import itertools

import pytest

from perankh.scene import PALETTE, ink_on
from perankh.scene.layout import NEVER_FIRST, Box, fitting, icon_button, in_rows, length, paragraph, title_bar, wrapped

SEATS = {0: "red", 1: "blue", 2: "green"}
JAPANESE = "船は積み荷が（最低 3 個）そろうと出航できる。次に、着いた先で石が 1 つずつ降ろされる。"


def overlap(one: Box, other: Box) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def test_a_box_knows_its_edges_and_its_middle() -> None:
    box = Box(10, 20, 30, 40)
    assert (box.right, box.bottom, *box.middle) == (40, 60, 25, 40)
    assert box.inside(5) == Box(15, 25, 20, 30)
    sprite = box.sprite("a", "panel", "an alt", "gold")
    assert (sprite.x, sprite.y, sprite.width, sprite.height) == (25, 40, 30, 40)
    assert (sprite.alt, sprite.colour) == ("an alt", "gold")


def test_places_in_rows_are_apart_and_in_the_middle() -> None:
    box = Box(0, 0, 100, 60)
    places = in_rows(box, 5, 3, (20, 10), (4, 2))
    assert len(places) == 5
    assert not any(overlap(a, b) for k, a in enumerate(places) for b in places[:k])
    assert {place.y for place in places} == {19, 31}
    assert places[1].mid_x == (places[3].mid_x + places[4].mid_x) / 2 == box.mid_x


def test_a_text_shrinks_until_it_fits_but_stays_legible() -> None:
    assert fitting("short", 16, 200) == 16
    size = fitting("a text of some length", 16, 150)
    assert 11 < size < 16
    assert length("a text of some length", size) == pytest.approx(150)
    assert fitting("a text of some length" * 9, 16, 150) == 11


def test_japanese_is_as_wide_as_it_is_high() -> None:
    assert length("石", 20) == 20
    assert length("a", 20) < 20


@pytest.mark.parametrize("room", range(40, 400, 30))
def test_japanese_lines_break_neither_numbers_nor_before_punctuation(room: int) -> None:
    lines = wrapped(JAPANESE.replace("3", "1954"), 14, room, "ja")
    assert "".join(lines).replace(" ", "") == JAPANESE.replace("3", "1954").replace(" ", "")
    assert all(line[0] not in NEVER_FIRST for line in lines)
    assert any("1954" in line for line in lines)


@pytest.mark.parametrize("room", [60, 120, 240])
def test_english_lines_break_between_words(room: int) -> None:
    text = "Everybody who has a stone on board builds where the ship lands."
    lines = wrapped(text, 14, room, "en")
    assert " ".join(lines) == text
    assert all(length(line, 14, True) <= room or " " not in line for line in lines)


def test_a_paragraph_takes_the_largest_size_that_fits() -> None:
    text = "Choose where the ship lands, or load another stone."
    high = paragraph("p", text, Box(0, 0, 200, 100), (18, 14, 11), "en")
    low = paragraph("p", text, Box(0, 0, 200, 52), (18, 14, 11), "en")
    assert {sprite.size for sprite in high} == {18}
    assert {sprite.size for sprite in low} == {14}
    assert [sprite.id for sprite in low] == [f"p-{k}" for k in range(len(low))]
    assert sum(sprite.y for sprite in low) / len(low) == pytest.approx(26)


def test_icon_and_text_of_a_button_stand_side_by_side() -> None:
    box = Box(0, 0, 150, 44)
    face, icon = icon_button("do-pass", "Pass on", box, "Pass on the lot", "ankh", size=16, big=28)
    words = length("Pass on", 16, True)
    left_of_text = face.x + face.size - words / 2  # two ems of indent push the text by one
    assert icon.x + icon.width / 2 <= left_of_text
    assert box.x < icon.x - icon.width / 2


def lightness(colour: str) -> float:
    """The relative luminance of a colour, as contrast is reckoned."""
    parts = [int(PALETTE[colour][k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colour", ["red", "blue", "yellow", "black", "green", "white", "brown", "grey"])
def test_marks_stand_out_on_the_colour_of_every_seat(colour: str) -> None:
    low, high = sorted((lightness(colour), lightness(ink_on(colour))))
    assert (high + 0.05) / (low + 0.05) >= 3


def test_the_greys_among_the_seats_differ_in_lightness() -> None:
    steps = [lightness(colour) for colour in ("black", "brown", "grey", "white")]
    assert all((b + 0.05) / (a + 0.05) > 1.6 for a, b in itertools.pairwise(steps))


def test_the_title_leaves_room_for_emblems_and_for_how_far_the_game_is() -> None:
    text = "Waiting for Red, Blue, Green: choose a card for each slot, and turn them over together."
    for width in (980, 388):
        drawn = {sprite.id: sprite for sprite in title_bar(Box(6, 4, width, 42), text, "en", seats=SEATS, info="3/6")}
        lines = [sprite for name, sprite in drawn.items() if name.startswith("bar-text")]
        assert " ".join(line.text for line in lines) == text
        last = max(SEATS)
        for line in lines:
            assert line.x >= drawn[f"bar-seat-{last}"].x + drawn[f"bar-seat-{last}"].width / 2
            assert line.x + length(line.text, line.size, True) <= drawn["bar-info"].x - length("3/6", drawn["bar-info"].size)
            assert 4 < line.y < 46
