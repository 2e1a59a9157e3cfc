"""Renders a scene as one self-contained SVG document."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from html import escape
from operator import add, sub
from pathlib import Path

from perankh.errors import BadGame
from perankh.scene.sprite import LIGHT, PALETTE, Scene, Sprite, variables

Part = tuple[float, float, float, float]  # left, top, width and height
SHARED = Path(__file__).with_name("shared.svg")
FONT = "'Iowan Old Style','Palatino Linotype',Palatino,'Hiragino Mincho ProN','Yu Mincho','Noto Serif CJK JP',serif"
PART_SCALE = 1.5  # pixels a unit at which a part of a scene is shown
LEAST_MARK = 8.0  # units, the radius of a number
MARK_SHARE = 0.022  # of the longer side of what is shown
SYMBOL = re.compile(r"<symbol\b[^>]*\bid=\"([^\"]+)\"[^>]*>.*?</symbol>", re.DOTALL)
REFERENCE = re.compile(r"(?:href=\"#|url\(#)([^\")]+)")
DEFINITION = re.compile(r"<(linearGradient|radialGradient|pattern|clipPath|filter)\b[^>]*\bid=\"([^\"]+)\".*?</\1>", re.DOTALL)


@lru_cache
def symbols_of(art: Path) -> dict[str, str]:
    """The symbols of an art file, and the gradients and patterns they refer to, by id, as SVG text."""
    try:
        text = art.read_text("utf-8")
    except OSError as error:
        raise BadGame(f"{art}: cannot be read: {error.strerror}") from None
    found = {match[1]: match[0] for match in SYMBOL.finditer(text)}
    outside = SYMBOL.sub("", text)
    return found | {match[2]: match[0] for match in DEFINITION.finditer(outside)}


def draw(scene: Scene, art: Path, description: str = "", part: Part | None = None, marks: Sequence[str] = ()) -> str:
    """The scene, or a part of it, as an SVG document; `description`, the text board, becomes its <desc>.

    `marks`, sprites by their ids or by how ids begin, with a star, get the numbers 1, 2 and so on.
    """
    symbols = symbols_of(SHARED) | symbols_of(art)
    used: dict[str, str] = {}
    size = f' width="{PART_SCALE * part[2]:g}" height="{PART_SCALE * part[3]:g}"' if part else ""
    part = part or whole(scene)
    shown = [sprite for sprite in scene.sprites if touches(sprite, part)]
    wanted = [sprite.symbol for sprite in shown if sprite.symbol]
    while wanted:
        name = wanted.pop()
        if name in used:
            continue
        if name not in symbols:
            raise BadGame(f"{art}: there is no symbol {name!r}")
        used[name] = symbols[name]
        wanted += [other for other in REFERENCE.findall(symbols[name]) if other in symbols]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{" ".join(map("{:g}".format, part))}"{size} role="img" '
        f'style="{variables()}background:{PALETTE["papyrus"]};font-family:{escape(FONT, quote=True)}">',
        f"<title>{escape(scene.title)}</title>",
        f"<desc>{escape(description)}</desc>",
        f"<defs>{''.join(used[name] for name in sorted(used))}</defs>",
        *(sprite_svg(sprite) for sprite in shown),
        *(mark_svg(number, part_around([name], scene), part) for number, name in enumerate(marks, 1)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def whole(scene: Scene) -> Part:
    """All of a scene."""
    return 0, 0, scene.width, scene.height


def part_around(ids: Collection[str], *scenes: Scene) -> Part:
    """The part of one or more scenes that these sprites take up; without any, the whole of the first."""
    chosen = [sprite for scene in scenes for sprite in scene.sprites if any(is_meant(name, sprite.id) for name in ids)]
    if not chosen:
        return whole(scenes[0])
    left, right = min(s.x - s.width / 2 for s in chosen), max(s.x + s.width / 2 for s in chosen)
    half = [max(s.height, s.size if s.text else 0) / 2 for s in chosen]
    top, bottom = min(map(sub, (s.y for s in chosen), half)), max(map(add, (s.y for s in chosen), half))
    return left, top, right - left, bottom - top


def is_meant(name: str, id: str) -> bool:
    """Does a name mean a sprite, by its id or, with a star, by how it begins?"""
    return id.startswith(name[:-1]) if name.endswith("*") else id == name


def mark_svg(number: int, place: Part, part: Part) -> str:
    """A number at the upper left corner of a place, within the part that is shown."""
    radius = max(LEAST_MARK, MARK_SHARE * max(part[2], part[3]))
    x = min(max(place[0], part[0] + radius), part[0] + part[2] - radius)
    y = min(max(place[1], part[1] + radius), part[1] + part[3] - radius)
    return (
        f'<g transform="translate({x:g} {y:g})"><circle r="{radius:g}" fill="{PALETTE["lapis"]}" stroke="{PALETTE["alabaster"]}" '
        f'stroke-width="{radius / 6:g}"/><text y="{0.38 * radius:g}" font-size="{1.15 * radius:g}" text-anchor="middle" '
        f'font-weight="bold" fill="{PALETTE["alabaster"]}">{number}</text></g>'
    )


def touches(sprite: Sprite, part: Part) -> bool:
    """May a sprite reach into a part of the scene? It may be turned, and its text may go either way from its middle."""
    left, top, width, height = part
    down = max(sprite.width, sprite.height, sprite.size)
    across = max(down, 2 * sprite.size * len(sprite.text))
    return abs(sprite.x - left - width / 2) <= (across + width) / 2 and abs(sprite.y - top - height / 2) <= (down + height) / 2


def sprite_svg(sprite: Sprite) -> str:
    """One sprite as a group."""
    place = f"translate({sprite.x:g} {sprite.y:g})" + (f" rotate({sprite.turn:g})" if sprite.turn else "")
    parts = [f'<g data-id="{escape(sprite.id, quote=True)}" transform="{place}"']
    if sprite.colour:
        parts.append(f' color="{PALETTE[sprite.colour]}"')
    if sprite.colour in LIGHT:
        parts.append(f' style="--mark:var(--on-{sprite.colour})"')
    if sprite.dim:
        parts.append(' opacity="0.4"')
    parts.append(">")
    if sprite.alt:
        parts.append(f"<title>{escape(sprite.alt)}</title>")
    if sprite.symbol:
        w, h = sprite.width, sprite.height
        if sprite.glow:
            parts.append(
                f'<rect x="{-w / 2 - 3:g}" y="{-h / 2 - 3:g}" width="{w + 6:g}" height="{h + 6:g}" rx="6" '
                f'fill="none" stroke="{PALETTE["gold"]}" stroke-width="3"/>'
            )
        parts.append(f'<use href="#{sprite.symbol}" x="{-w / 2:g}" y="{-h / 2:g}" width="{w:g}" height="{h:g}"/>')
    if sprite.text:
        weight = ' font-weight="bold"' if sprite.bold else ""
        parts.append(
            f'<text y="{sprite.size * 0.35:g}" font-size="{sprite.size:g}" text-anchor="{sprite.align}"{weight} '
            f'fill="{PALETTE[sprite.ink]}">{escape(sprite.text)}</text>'
        )
    parts.append("</g>")
    return "".join(parts)
