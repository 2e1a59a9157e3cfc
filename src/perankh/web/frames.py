"""Views as JSON: whole, or what has changed since the last one. Prepared parts of a view are JSON (bytes) or pictures."""

from __future__ import annotations

from typing import Any

import orjson

from perankh.scene import Picture

View = dict[str, Any]
NEW_ALWAYS = ("log", "events", "log_from")  # what a view brings in addition to the last one


def dumps(value: dict[str, Any]) -> bytes:
    """An answer or a frame as JSON."""
    return orjson.dumps(value, default=prepared, option=orjson.OPT_PASSTHROUGH_DATACLASS)


def prepared(part: Any) -> Any:
    """A part that is JSON already, or has it."""
    if isinstance(part, Picture):
        return orjson.Fragment(part.json())
    if isinstance(part, bytes):
        return orjson.Fragment(part)
    raise TypeError(f"{type(part).__name__} is no part of a frame")


class Sent:
    """What a live connection that asks for changes was sent last. The server alone knows: nothing that a client says counts."""

    def __init__(self) -> None:
        self.view: View | None = None
        self.serial = 0

    def forget(self) -> None:
        """Send the next view whole."""
        self.view = None

    def lacks_lines(self, view: View) -> bool:
        """Would a view be sent whole that has only the new lines of the log, after others that the other side has?"""
        return self.view is not None and view["log_from"] > 1 and not is_alike(self.view, view)

    def frame(self, view: View) -> View:
        """What is to be sent so that the other side has a view."""
        before, self.view = self.view, {name: part for name, part in view.items() if name not in NEW_ALWAYS}
        self.serial += 1
        if before is None or not is_alike(before, view):
            return view | {"serial": self.serial}
        return changes(before, view) | {"serial": self.serial}


def is_alike(before: View, view: View) -> bool:
    """Can a view be told by what has changed? Not where it is another's, or of another kind."""
    same = all(before[name] == view[name] for name in ("viewer", "own", "status", "title"))
    return same and isinstance(before["scene"], Picture) and isinstance(view["scene"], Picture)


def changes(before: View, view: View) -> View:
    """The parts of a view that differ from those of an earlier one, and the new lines and events."""
    names = [name for name, part in view.items() if name != "scene" and name in before and part != before[name]]
    found = {name: view[name] for name in names} | {"type": "changes"}
    if "players" in found:
        found["players"] = changed_players(before["players"], view["players"])
    scene = view["scene"].changes_since(before["scene"])
    if scene is not None:
        found["scene"] = scene
    if view["log"] or view["events"] or view["log_from"] <= before["number"]:
        found |= {name: view[name] for name in NEW_ALWAYS}
    return found


def changed_players(before: list[View], players: list[View]) -> list[View]:
    """The players of whom something has changed: the seat, and what has."""
    pairs = zip(before, players, strict=True)
    found = [{name: value for name, value in new.items() if value != old[name]} for old, new in pairs]
    return [{"seat": p} | facts for p, facts in enumerate(found) if facts]
