"""What pages make visible of the events of a move: banners, and gains with their reason and place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from perankh.engine.events import GameEvent
    from perankh.engine.game import Game


def event_effects(game: Game, state: Any, events: Sequence[GameEvent], lang: str) -> list[dict[str, Any]]:
    """What a page makes visible of a move, in order: banners, and gains with their reason and the sprite they came from.

    The game's words say which kinds of events these are: `banner.<kind>` and `gain.<kind>`, or `gain.<kind>.<first value>`.
    """
    moved_sprites = getattr(game.drawing, "moved_sprites", None)
    found: list[dict[str, Any]] = []
    for event in events:
        kind, values = event.kind.name.lower(), event.by_name()
        if None in event.values:
            continue  # partly unknown to the viewer
        words = values | {"who": game.seat_name(event.seat, lang) if event.seat >= 0 else ""}
        if f"banner.{kind}" in game.words.texts:
            banner = {"banner": game.words.say(f"banner.{kind}", lang, **words)}
            if banner not in found:
                found.append(banner)
        keys = [f"gain.{kind}.{value}" for value in event.values[:1]] + [f"gain.{kind}"]
        key = next((key for key in keys if key in game.words.texts), None)
        amount, _, reason = game.words.say(key, lang, **words).partition(" ") if key else ("+0", "", "")
        if amount != "+0":
            places = moved_sprites(state, event) if moved_sprites else ()
            gain = {"seat": event.seat, "amount": amount, "reason": reason, "points": values.get("points", 0)}
            found.append(gain | {"place": places[0] if places else None})
    return found
