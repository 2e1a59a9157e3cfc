"""Layout helpers for drawings: boxes, texts that fit, buttons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeVar

from perankh.engine.text import width as columns
from perankh.scene.sprite import SHAPES, Sprite

SMALLEST = 11.0  # the smallest text size on a board
LEADING = 1.2  # line height, in text sizes
INDENT = "\u2003\u2003"  # room for the icon before the text of a button: two ems
WORD = re.compile(r"[!-~µ±]+|.")  # never broken in a Japanese text: Latin words, and numbers with their units
NEVER_FIRST = "。、)）」"  # characters that never begin a line
# A phrase of a Japanese text: no line breaks before the kana that belong to a word.
PHRASE = re.compile(r"[（(「『]*(?:[!-~µ±]+|[^ぁ-ゖ（「『。、）」』：！？・　 ])*[ぁ-ゖ]*[。、）」』：！？・　 ]*")


# --- Places -----------------------------------------------------------------------------------------------------------


class Box(NamedTuple):
    """A rectangle, given by its upper left corner and its size."""

    x: float
    y: float
    w: float
    h: float

    @property
    def mid_x(self) -> float:
        """The horizontal centre."""
        return self.x + self.w / 2

    @property
    def mid_y(self) -> float:
        """The vertical centre."""
        return self.y + self.h / 2

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return self.mid_x, self.mid_y

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The bottom edge."""
        return self.y + self.h

    def inside(self, by: float) -> Box:
        """The box without a margin; a negative margin makes it larger."""
        return Box(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)

    def sprite(self, name: str, symbol: str, alt: str = "", colour: str = "") -> Sprite:
        """A sprite whose symbol fills the box."""
        return Sprite(name, symbol, self.mid_x, self.mid_y, self.w, self.h, colour=colour, alt=alt)


P = TypeVar("P")


def without_bar(plan: P) -> P:
    """A plan without the title bar at its top: everything else moves up.

    A plan is a dataclass of boxes, tuples of boxes and numbers. Its `bar` is the bar, its `height` that of the scene.
    """
    bar: Box = plan.bar  # type: ignore[attr-defined]
    boxes = [getattr(plan, field.name) for field in fields(plan)]  # type: ignore[arg-type]
    below = [box for part in boxes for box in (part if isinstance(part, tuple) and not isinstance(part, Box) else (part,))]
    by = min(box.y for box in below if isinstance(box, Box) and box.h and box.y >= bar.bottom) - bar.y

    def raised(part: Any) -> Any:
        if isinstance(part, Box):
            return part._replace(y=part.y - by)
        return tuple(map(raised, part)) if isinstance(part, tuple) else part

    changes = {field.name: raised(part) for field, part in zip(fields(plan), boxes, strict=True)}  # type: ignore[arg-type]
    return replace(plan, **changes | {"height": plan.height - by})  # type: ignore[type-var, attr-defined]


def in_rows(box: Box, count: int, per_row: int, size: tuple[float, float], gap: tuple[float, float]) -> list[Box]:
    """Boxes of one size (width, height) in rows, with gaps (between columns, between rows), centred in a box."""
    wide, high = size
    rows = -(-count // per_row)
    places = []
    for number in range(count):
        row, column = divmod(number, per_row)
        here = min(per_row, count - row * per_row)
        x = box.mid_x + (column - (here - 1) / 2) * (wide + gap[0])
        y = box.mid_y + (row - (rows - 1) / 2) * (high + gap[1])
        places.append(Box(x - wide / 2, y - high / 2, wide, high))
    return places


# --- Texts ------------------------------------------------------------------------------------------------------------


def length(text: str, size: float, bold: bool = False) -> float:
    """The approximate width of a text; Japanese characters are square."""
    broad = columns(text) - len(text)
    return size * (broad + (len(text) - broad) * (0.58 if bold else 0.52))


def fitting(text: str, size: float, room: float, bold: bool = False) -> float:
    """The largest size, up to `size`, at which a text fits; never below SMALLEST."""
    return max(SMALLEST, min(size, size * room / max(1.0, length(text, size, bold))))


def cut(text: str, size: float, room: float, bold: bool = False) -> str:
    """A text that fits, with an ellipsis for what does not."""
    if length(text, size, bold) <= room + 0.1:
        return text
    while text and length(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def name_label(name: str, text: str, x: float, y: float, size: float, room: float, plain: str = "") -> Sprite:
    """The name of a player, from the left: smaller where it is long, then without what is added to the `plain` name, then cut."""
    room /= 1 + 0.9 * sum(map(text.count, "MW")) / max(1, len(text))  # which are wider than they are high
    if plain and length(text, SMALLEST, True) > room:
        text = plain
    size = fitting(text, size, room, True)
    return label(name, cut(text, size, room, True), x, y, size, bold=True, align="start")


def wrapped(text: str, size: float, room: float, lang: str) -> list[str]:
    """A bold text in lines that fit: broken between words, in Japanese between phrases; a longer phrase as by `broken`."""
    if lang != "ja":
        return broken([word + " " for word in text.split()], size, room)
    parts = []
    for phrase in filter(None, PHRASE.findall(text)):
        parts += [phrase] if length(phrase.rstrip(), size, True) <= room else WORD.findall(phrase)
    return broken(parts, size, room)


def broken(parts: list[str], size: float, room: float) -> list[str]:
    """The parts of a bold text in lines that fit; no line begins with punctuation."""
    lines: list[list[str]] = [[]]
    for part in parts:
        if lines[-1] and length("".join((*lines[-1], part)).rstrip(), size, True) > room:
            lines.append([])
            if part in NEVER_FIRST and len(lines[-2]) > 1:
                lines[-1].append(lines[-2].pop())  # the character before it moves to the new line too
        lines[-1].append(part)
    return ["".join(line).strip() for line in lines]


def label(
    name: str,
    text: str,
    x: float,
    y: float,
    size: float = 12,
    *,
    bold: bool = False,
    align: str = "middle",
    ink: str = "ink",
    dim: bool = False,
    alt: str = "",
) -> Sprite:
    """A sprite that is only a text."""
    return Sprite(name, x=x, y=y, text=text, size=size, ink=ink, bold=bold, align=align, dim=dim, alt=alt)


def paragraph(name: str, text: str, box: Box, sizes: tuple[float, ...], lang: str, align: str = "start") -> list[Sprite]:
    """A bold text in lines, in the largest of the given sizes at which they fit into a box."""
    for size in sizes:
        lines = wrapped(text, size, box.w, lang)
        if size * LEADING * len(lines) <= box.h:
            break
    else:
        lines = broken(WORD.findall(text), size, box.w) if lang == "ja" else lines  # where there is no room for phrases
    x = box.x if align == "start" else box.mid_x
    top = box.mid_y - (len(lines) - 1) / 2 * size * LEADING
    return [
        label(f"{name}-{number}", line, x, top + number * size * LEADING, size, bold=True, align=align)
        for number, line in enumerate(lines)
    ]


def title_bar(box: Box, text: str, lang: str, *, seats: Mapping[int, str], info: str = "") -> list[Sprite]:
    """A bar with the emblems of some seats (seat: colour), a text after them, and a note at the right end."""
    wide = box.w > SHAPES["tall"]
    big = 32.0 if wide else 26.0
    found = [box.sprite("bar", "strip")]
    left, right = box.x + 8, box.right - 10
    for p, colour in seats.items():
        found.append(Sprite(f"bar-seat-{p}", f"emblem-{p}", left + big / 2, box.mid_y, big, big, colour=colour))
        left += big + 3
    if info:
        size = 15.0 if wide else 13.0
        found.append(label("bar-info", info, right, box.mid_y, size, align="end"))
        right -= length(info, size) + 18
    room = Box(left + 4, box.y + 2, right - left - 4, box.h - 4)
    return found + paragraph("bar-text", text, room, (18, 16, 14) if wide else (14.5, 13.5, 12.5, 11.5, 11), lang)


def badge(name: str, n: int, x: float, y: float, size: float = 18) -> Sprite:
    """A number on a pile."""
    return Sprite(name, "badge", x, y, size, size, text=str(n), size=11 if size < 20 else 12, ink="alabaster", bold=True)


# --- Buttons ----------------------------------------------------------------------------------------------------------


def button(name: str, text: str, box: Box, alt: str, *, size: float = 16) -> Sprite:
    """A button; its text is made small enough to fit."""
    sprite = box.sprite(name, "button", alt)
    sprite.text, sprite.size, sprite.bold = text, fitting(text, size, box.w - 18, True), True
    return sprite


def icon_button(
    name: str, text: str, box: Box, alt: str, icon: str, *, size: float, big: float, colour: str = ""
) -> list[Sprite]:
    """A button with an icon of size `big` before its text, centred together."""
    sprite = box.sprite(name, "button", alt)
    sprite.text, sprite.size, sprite.bold = INDENT + text, size, True
    aside = length(text, size, True) / 2 - size + big / 2 + 4  # distance of the icon from the centre
    return [sprite, Sprite(f"icon-{name}", icon, box.mid_x - aside, box.mid_y, big, big, colour=colour)]
