"""Turns an SVG document of ours into a PNG picture, for where SVG is not shown: link previews, icons of the app.

The renderer (resvg) knows `currentColor` but no CSS variables, so their values are written in first. A symbol with marks that are
drawn in another ink on light pieces is repeated for each such colour.
"""

from __future__ import annotations

import re

import resvg_py

from perankh.scene.sprite import LIGHT, PALETTE, ink_on

MARK = re.compile(r"var\(--mark,\s*([^()]*(?:\([^()]*\))?)\)")
VARIABLE = re.compile(r"var\(--([\w-]+)\)")
DEFINITIONS = re.compile(r"<defs>(.*)</defs>", re.DOTALL)
MARKED = re.compile(r'(<g\b[^>]*) style="--mark:var\(--on-(\w+)\)"([^\n]*?href="#)([^"]+)')
NAME = re.compile(r'\bid="([^"]+)"')
REFERENCE = re.compile(r'(href="#|url\(#)([^")]+)')


def png(svg: str, width: int) -> bytes:
    """The picture of an SVG document, so many pixels wide."""
    return bytes(resvg_py.svg_to_bytes(svg_string=without_variables(svg), width=width))


def without_variables(svg: str) -> str:
    """The same document with every CSS variable replaced by its value."""
    definitions = DEFINITIONS.search(svg)
    if definitions:
        light = {match[2] for match in MARKED.finditer(svg)}
        copies = "".join(marked_on(definitions[1], name) for name in sorted(light))
        svg = MARKED.sub(r"\1\3\4-on-\2", svg)
        svg = DEFINITIONS.sub(lambda match: f"<defs>{match[1]}{copies}</defs>", svg)
    return VARIABLE.sub(value_of, MARK.sub(r"\1", svg))


def marked_on(definitions: str, colour: str) -> str:
    """The symbols with the marks they have on a light colour, under names of their own."""
    copied = MARK.sub(PALETTE[ink_on(colour)], definitions)
    copied = NAME.sub(rf'id="\1-on-{colour}"', copied)
    return REFERENCE.sub(rf"\1\2-on-{colour}", copied)


def value_of(variable: re.Match[str]) -> str:
    """The value of a variable."""
    name = variable[1].removeprefix("on-")
    return PALETTE[ink_on(name)] if variable[1] != name and name in LIGHT else PALETTE[name]
