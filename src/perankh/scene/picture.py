"""A scene as JSON, sprite by sprite, and what has changed from one to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import compress, count
from operator import ne
from typing import Any, NamedTuple

import orjson

from perankh.scene.sprite import Scene


@dataclass(slots=True)
class Picture:
    """A scene that is ready to be sent: its sprites as JSON, by id, in the order in which they are drawn."""

    width: float
    height: float
    title: str
    sprites: dict[str, bytes]
    serial: int = field(default=0, compare=False)  # by which the process that made it knows it; 0: it does not
    earlier: tuple[Picture, bytes | None] | None = field(default=None, compare=False)  # another, and what has changed since

    @classmethod
    def of(cls, scene: Scene) -> Picture:
        """The picture of a scene."""
        sprites: dict[str, bytes] = {}
        for sprite in scene.sprites:
            try:
                sprites[sprite.id] = sprite.made  # most are kept, and have their JSON already
            except AttributeError:
                sprites[sprite.id] = sprite.json()
        return cls(scene.width, scene.height, scene.title, sprites)

    def frame(self) -> dict[str, Any]:
        """Everything but the sprites."""
        return {"width": self.width, "height": self.height, "title": self.title}

    def json(self) -> bytes:
        """The whole scene."""
        frame = orjson.dumps(self.frame())
        return b'%s,"sprites":[%s]}' % (frame[:-1], b",".join(self.sprites.values()))

    def since(self, before: Picture) -> Difference:
        """What differs from an earlier picture."""
        old, new = before.sprites, self.sprites
        own, its = self.frame(), before.frame()
        frame = {name: value for name, value in own.items() if value != its[name]}
        order = runs(old, new)
        if order is None:
            return Difference(frame, dict(compress(new.items(), map(ne, new.values(), old.values()))), [], None)
        changed = dict(compress(new.items(), map(ne, new.values(), map(old.get, new))))
        return Difference(frame, changed, sorted(old.keys() - new.keys()), order)

    def changes_since(self, before: Picture) -> bytes | None:
        """What differs from an earlier picture, as browsers get it; None if nothing does."""
        if self.earlier and self.earlier[0] is before:
            return self.earlier[1]
        return None if self is before else self.since(before).json()


class Difference(NamedTuple):
    """What differs between a picture and an earlier one."""

    frame: dict[str, Any]  # of its width, height and title
    sprites: dict[str, bytes]  # those that came or changed
    gone: list[str]  # the ids of those that went
    order: list[str | int] | None  # the ids from the bottom to the top (see `runs`); None if the order is the same

    def json(self) -> bytes | None:
        """As browsers get it; None if nothing differs."""
        found = dict(self.frame)
        if self.sprites:
            found["sprites"] = [orjson.Fragment(json) for json in self.sprites.values()]
        if self.gone:
            found["gone"] = self.gone
        if self.order is not None:
            found["order"] = self.order
        return orjson.dumps(found) if found else None

    def applied_to(self, before: Picture) -> Picture:
        """The picture that differs so from an earlier one, of which it is known how it came to be."""
        sprites = before.sprites | self.sprites
        if self.order is not None:
            sprites = {id: sprites[id] for id in ordered(list(before.sprites), self.order)}
        before.earlier = None  # or all pictures of a match would be kept
        return Picture(**(before.frame() | self.frame), sprites=sprites, earlier=(before, self.json()))


def ordered(old: list[str], order: list[str | int]) -> list[str]:
    """The ids of an order that was told by an earlier one."""
    found: list[str] = []
    parts = iter(order)
    for part in parts:
        found += [part] if isinstance(part, str) else old[part : part + int(next(parts))]
    return found


def runs(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str | int] | None:
    """An order of ids by an earlier one: an id, or where a run of the earlier order begins and how long it is. None: the same."""
    old, new = list(before), list(after)
    if old == new:
        return None
    found: list[str | int] = []
    at = first = length = 0  # where in the new order, and the last run
    while at < len(new):
        if new[at] not in before:
            found += (first, length, new[at]) if length else (new[at],)
            length, at = 0, at + 1
            continue
        if length:
            found += (first, length)
        first = old.index(new[at])
        length = next(compress(count(), map(ne, old[first:], new[at:])), min(len(old) - first, len(new) - at))
        at += length
    return [*found, first, length] if length else found
