"""Renders a scene as one self-contained SVG document."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from html import escape
from pathlib import Path

from perankh.errors import BadGame
from perankh.scene.sprite import LIGHT, PALETTE, Scene, Sprite, variables

SHARED = Path(__file__).with_name("shared.svg")
FONT = "'Iowan Old Style','Palatino Linotype',Palatino,'Hiragino Mincho ProN','Yu Mincho','Noto Serif CJK JP',serif"
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


def draw(scene: Scene, art: Path, description: str = "", around: Collection[str] = ()) -> str:
    """The scene, or its part `around` some sprites, as an SVG document; `description`, the text board, becomes its <desc>."""
    symbols = symbols_of(SHARED) | symbols_of(art)
    used: dict[str, str] = {}
    part = part_around(scene, around)
    shown = [sprite for sprite in scene.sprites if not around or touches(sprite, part)]
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
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{" ".join(map("{:g}".format, part))}" role="img" '
        f'style="{variables()}background:{PALETTE["papyrus"]};font-family:{escape(FONT, quote=True)}">',
        f"<title>{escape(scene.title)}</title>",
        f"<desc>{escape(description)}</desc>",
        f"<defs>{''.join(used[name] for name in sorted(used))}</defs>",
        *(sprite_svg(sprite) for sprite in shown),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def part_around(scene: Scene, ids: Collection[str]) -> tuple[float, float, float, float]:
    """Left, top, width and height of the part of a scene that these sprites take up; without any, the whole scene."""
    chosen = [sprite for sprite in scene.sprites if sprite.id in ids]
    if not chosen:
        return 0, 0, scene.width, scene.height
    left, right = min(s.x - s.width / 2 for s in chosen), max(s.x + s.width / 2 for s in chosen)
    top, bottom = min(s.y - s.height / 2 for s in chosen), max(s.y + s.height / 2 for s in chosen)
    return left, top, right - left, bottom - top


def touches(sprite: Sprite, part: tuple[float, float, float, float]) -> bool:
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
