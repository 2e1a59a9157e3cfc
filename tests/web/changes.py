"""What a client does with changes, in Python: the reference for the page's own code."""

from __future__ import annotations

from typing import Any


def with_changes(view: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A view after changes, as the API document describes them."""
    after = view | changes | {"type": "view"}
    changed = {player["seat"]: player for player in changes.get("players", [])}
    after["players"] = [player | changed.get(player["seat"], {}) for player in view["players"]]
    if "scene" in changes:
        after["scene"] = scene_after(view["scene"], changes["scene"])
    if "log_from" in changes:
        for part in ("log", "events"):
            after[part] = [line for line in view[part] if line["n"] < changes["log_from"]] + changes[part]
        after["log_from"] = view["log_from"]
    return after


def scene_after(scene: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A scene after changes."""
    before = [sprite["id"] for sprite in scene["sprites"]]
    sprites = {sprite["id"]: sprite for sprite in [*scene["sprites"], *changes.get("sprites", [])]}
    for id in changes.get("gone", []):
        del sprites[id]
    order = iter(changes.get("order", before))
    ids: list[str] = []
    for part in order:
        ids += [part] if isinstance(part, str) else before[part : part + next(order)]
    assert len(ids) == len(sprites)
    frame = {name: changes.get(name, scene[name]) for name in ("width", "height", "title")}
    return frame | {"sprites": [sprites[id] for id in ids]}
