"""What is drawn: scenes, click paths and art."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from perankh.checks.walk import Progress, need, walk
from perankh.engine.game import Game
from perankh.engine.words import seats_called
from perankh.scene.clicks import Path, aliases_of, meant_by
from perankh.scene.layout import length
from perankh.scene.picture import Picture
from perankh.scene.sprite import PALETTE, SHAPES, Scene, Sprite
from perankh.scene.svg import SHARED, symbols_of

Area = tuple[float, float, float, float]
Boxes = npt.NDArray[np.float64]
SMALLEST_TEXT = 11
MOST_SHARED = 0.25  # of the smaller of two texts
MOST_COVERED = 0.9  # of the larger of two sprites that are clicked
SMALLEST_ALIAS = 14  # units, the shorter side of a sprite that is clicked in place of another
EVERY = 9  # positions between two that are drawn
OVERLAPS_EVERY = 5  # of the scenes, since it takes time; odd, so that every shape and language has its turn


def scenes_and_paths(game: Game, effort: float, progress: Progress) -> str:
    """Every position can be drawn for every viewer, and every legal move can be clicked."""
    need(len(game.drawing.SEAT_COLOURS) >= game.players[-1], "SEAT_COLOURS must name a colour for each seat")
    symbols = symbols_of(SHARED) | symbols_of(game.art)
    drawn = 0
    for number, (state, p, _, where) in enumerate(walk(game, sets=6, share=effort)):
        if number % EVERY:
            continue
        viewer = p if number % 2 else (number // EVERY) % (state.players + 1) - 1
        listed = number // EVERY % 4 < 2  # half of them as on a page that lists the players
        with seats_called((), listed=listed):
            for shape, width in SHAPES.items():
                for lang in game.words.languages:
                    seen = game.veiled(state, viewer)
                    scene = game.drawing.scene(seen, viewer, lang, shape)
                    need(seen == game.veiled(state, viewer), f"drawing changed the state ({where})")
                    fixed = game.State.from_bytes(seen.to_bytes(), fixed=True)
                    same = Picture.of(game.drawing.scene(fixed, viewer, lang, shape)) == Picture.of(scene)
                    need(same, f"a group that was kept differs from one drawn afresh ({shape}, {lang}, viewer {viewer}, {where})")
                    need(scene.width == width, f"a {shape} scene must be {width} units wide ({where})")
                    check_sprites(scene, symbols, f"{shape}, {lang}, viewer {viewer}, {where}")
                    for one, other in overlapping_texts(scene) if drawn % OVERLAPS_EVERY == 0 else ():
                        need(False, f"the texts of {one} and {other} overlap ({shape}, {lang}, viewer {viewer}, {where})")
                    drawn += 1
                check_paths(game, state, p, shape, where)
    return f"{drawn} scenes, {len(symbols)} symbols"


def check_sprites(scene: Scene, symbols: dict[str, str], where: str) -> None:
    """Sprites have ids of their own, known symbols and colours, legible texts, and lie inside the scene."""
    ids = [sprite.id for sprite in scene.sprites]
    names = {"", *ids}
    if len(names) <= len(ids):
        need(False, f"a sprite id occurs twice: {sorted({i for i in ids if ids.count(i) > 1})} ({where})")
    need(bool(scene.title), f"the scene has no title ({where})")
    for sprite in scene.sprites:
        fault = fault_of(sprite, scene, symbols, names)
        if fault:
            need(False, f"{fault} ({where})")


def fault_of(sprite: Sprite, scene: Scene, symbols: dict[str, str], names: set[str]) -> str:
    """What is wrong with a sprite, nothing if it is sound."""
    if sprite.symbol and sprite.symbol not in symbols:
        return f"there is no symbol {sprite.symbol!r}"
    if (sprite.colour or "ink") not in PALETTE or sprite.ink not in PALETTE:
        return f"{sprite.id} has a colour that is not in the palette"
    if sprite.pool not in names or sprite.on not in names:
        return f"pool and on of {sprite.id} must name sprites of the scene"
    if sprite.text and sprite.size < SMALLEST_TEXT:
        return f"the text of {sprite.id} is too small"
    if not (0 <= sprite.x <= scene.width and 0 <= sprite.y <= scene.height):
        return f"{sprite.id} lies outside the scene at {sprite.x:g}, {sprite.y:g}"
    return ""


def overlapping_texts(scene: Scene) -> Iterator[tuple[str, str]]:
    """The texts that lie on each other, except those that a later symbol covers."""
    texts = [(number, sprite) for number, sprite in enumerate(scene.sprites) if sprite.text]
    symbols = [(number, sprite) for number, sprite in enumerate(scene.sprites) if sprite.symbol]
    boxes = np.array([text_box(sprite) for _, sprite in texts]).reshape(-1, 4)
    shared = shared_areas(boxes, np.array([symbol_box(sprite) for _, sprite in symbols]).reshape(-1, 4))
    later = np.array([n for n, _ in symbols]) > np.array([n for n, _ in texts])[:, None]
    seen = np.logical_not(np.any((shared > MOST_SHARED * areas(boxes)[:, None]) & later, axis=1))
    found = shared_areas(boxes, boxes) > MOST_SHARED * np.minimum(areas(boxes)[:, None], areas(boxes))
    for one, other in np.argwhere(np.triu(found, 1) & np.logical_and.outer(seen, seen)):
        yield texts[one][1].id, texts[other][1].id


def text_box(sprite: Sprite) -> Area:
    """Where the text of a sprite is, roughly: left, top, right, bottom."""
    wide, high = length(sprite.text, sprite.size, sprite.bold), 0.9 * sprite.size
    left = sprite.x - {"start": 0.0, "middle": wide / 2, "end": wide}[sprite.align]
    return left, sprite.y - high / 2, left + wide, sprite.y + high / 2


def symbol_box(sprite: Sprite) -> Area:
    """Where the symbol of a sprite is."""
    return sprite.x - sprite.width / 2, sprite.y - sprite.height / 2, sprite.x + sprite.width / 2, sprite.y + sprite.height / 2


def areas(boxes: Boxes) -> Boxes:
    """The area of each box."""
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def shared_areas(a: Boxes, b: Boxes) -> Boxes:
    """The area that each box of one list shares with each of another."""
    wide = np.minimum(a[:, None, 2], b[:, 2]) - np.maximum(a[:, None, 0], b[:, 0])
    high = np.minimum(a[:, None, 3], b[:, 3]) - np.maximum(a[:, None, 1], b[:, 1])
    shared: Boxes = np.maximum(wide, 0) * np.maximum(high, 0)
    return shared


def check_paths(game: Game, state: Any, p: int, shape: str, where: str) -> None:
    """Each legal action has a path of its own, over sprites that are there."""
    seen = game.veiled(state, p)
    paths = game.drawing.paths(seen, p)
    actions = game.legal(state, p)
    need(sorted(paths) == actions, f"paths are not those of the legal actions ({where})")
    there = {sprite.id: sprite for sprite in game.drawing.scene(seen, p, "en", shape).sprites}
    for action, path in paths.items():
        missing = [name for name in path if name not in there]
        need(
            bool(path) and not missing,
            f"the path of {game.text.CODES[action]} leads over {missing or 'nothing'} ({shape}, {where})",
        )
        need(all(there[name].alt or there[name].text for name in path), f"a sprite of {path} has no alt text ({where})")
        for other, longer in paths.items():
            need(other == action or longer[: len(path)] != path, f"the path {path} begins another ({where})")
    check_aliases(game, state, p, paths, there, f"{shape}, {where}")
    clicked = {path[0] for path in paths.values()} | set(aliases_of(game, seen, p))
    first = [there[name] for name in sorted(clicked) if there[name].symbol]
    boxes = np.array([symbol_box(sprite) for sprite in first]).reshape(-1, 4)
    alike = shared_areas(boxes, boxes) > MOST_COVERED * np.maximum(areas(boxes)[:, None], areas(boxes))
    for one, two in np.argwhere(np.triu(alike, 1)):
        need(False, f"{first[one].id} and {first[two].id}, which are clicked, lie on each other ({shape}, {where})")


def check_aliases(game: Game, state: Any, p: int, paths: dict[int, Path], there: dict[str, Sprite], where: str) -> None:
    """Every alias can be touched and stands for clicks that can be made; every click has at most one meaning."""
    seen = game.veiled(state, p)
    aliases = aliases_of(game, seen, p)
    lit: dict[Path, set[str]] = {}
    for path in paths.values():
        for step, name in enumerate(path):
            lit.setdefault(path[:step], set()).add(name)
    for name, ways in aliases.items():
        sprite = there.get(name)
        need(sprite is not None, f"the alias {name} is not in the scene ({where})")
        need(bool(sprite and sprite.symbol and sprite.alt), f"the alias {name} has no symbol or no alt text ({where})")
        big = min(sprite.width, sprite.height) if sprite else 0
        need(big >= SMALLEST_ALIAS, f"the alias {name} is {big:g} units small, less than {SMALLEST_ALIAS} ({where})")
        need(bool(ways) and len(set(ways)) == len(ways), f"the alias {name} stands for nothing, or twice for the same ({where})")
        for way in ways:
            check_way(game, state, p, paths, name, way, where)
        for clicked, names in lit.items():
            own = name in names and any(way[0] in names for way in ways)
            need(not own, f"a click on {name} after {clicked} is ambiguous: it is on a path and an alias ({where})")
    for name in there:
        action = meant_by(game, seen, p, (name,))
        need(-1 <= action < game.actions, f"meant of {name} is {action}, which is no action ({where})")


def check_way(game: Game, state: Any, p: int, paths: dict[int, Path], name: str, way: Path, where: str) -> None:
    """The clicks that an alias stands for lead along a path, and perhaps on to p's next decision."""
    for action, path in paths.items():
        for left in (path[step:] for step in range(len(path))):
            if left[: len(way)] == way:
                return
            if way[: len(left)] == left:
                after, then = state.copy(), way[len(left)]
                game.apply(after, p, action)
                offered = game.drawing.paths(game.veiled(after, p), p) if p in game.actors(after) else {}
                goes_on = any(later[0] == then for later in offered.values())
                code = game.text.CODES[action]
                need(goes_on, f"the alias {name} goes on with {then}, which is not offered after {code} ({where})")
                return
    need(False, f"the alias {name} stands for {way}, which is on no path ({where})")
