"""A scene as JSON, sprite by sprite, and what has changed from one to the next."""

from __future__ import annotations

from itertools import compress, count
from operator import ne
from typing import Any, NamedTuple

import orjson

from perankh.scene.sprite import Scene


class Picture(NamedTuple):
    """A scene that is ready to be sent: its sprites as JSON, by id, in the order in which they are drawn."""

    width: float
    height: float
    title: str
    sprites: dict[str, bytes]

    @classmethod
    def of(cls, scene: Scene) -> Picture:
        """The picture of a scene."""
        try:
            sprites = {sprite.id: sprite.made for sprite in scene.sprites}  # most are kept, and have their JSON already
        except AttributeError:
            sprites = {sprite.id: sprite.json() for sprite in scene.sprites}
        return cls(scene.width, scene.height, scene.title, sprites)

    def frame(self) -> dict[str, Any]:
        """Everything but the sprites."""
        return {"width": self.width, "height": self.height, "title": self.title}

    def json(self) -> bytes:
        """The whole scene."""
        frame = orjson.dumps(self.frame())
        return b'%s,"sprites":[%s]}' % (frame[:-1], b",".join(self.sprites.values()))

    def changes_since(self, before: Picture) -> bytes | None:
        """What differs from an earlier picture; None if nothing does.

        `sprites` are those that came or changed, `gone` the ids of those that went. `order`, where it is another one, lists the
        ids from the bottom to the top: a pair of numbers stands for so many ids of the earlier order from that place on.
        """
        old, new = before.sprites, self.sprites
        changed = list(compress(new.values(), map(ne, new.values(), map(old.get, new))))
        gone = sorted(old.keys() - new.keys())
        order = runs(list(old), list(new))
        own, its = self.frame(), before.frame()
        found: dict[str, Any] = {name: value for name, value in own.items() if value != its[name]}
        if changed:
            found["sprites"] = [orjson.Fragment(json) for json in changed]
        if gone:
            found["gone"] = gone
        if order is not None:
            found["order"] = order
        return orjson.dumps(found) if found else None


def runs(old: list[str], new: list[str]) -> list[str | int] | None:
    """An order of ids by an earlier one: an id, or where a run of the earlier order begins and how long it is. None: the same."""
    if old == new:
        return None
    same = next(compress(count(), map(ne, old, new)), min(len(old), len(new)))  # ids at the beginning
    place = {id: n for n, id in enumerate(old[same:], same)}
    found: list[str | int] = []
    first, follows = (0, same) if same else (-1, -1)
    for id in new[same:]:
        n = place.get(id, -1)
        if n == follows and n >= 0:
            follows += 1
            continue
        if first >= 0:
            found += (first, follows - first)
        if n < 0:
            found.append(id)
            first = follows = -1
        else:
            first, follows = n, n + 1
    if first >= 0:
        found += (first, follows - first)
    return found
