"""What a move would do, before it is made: what is certain, and no more than its player may know.

A preview is made from the veiled state alone. The move is carried out in several worlds dealt in place of what is hidden. What
the rules tell alike in all of them, before they use chance, is certain; what comes after that is left open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from perankh.engine.words import seats_called
from perankh.scene.clicks import Path, aliases_of
from perankh.scene.event_effects import event_effects

if TYPE_CHECKING:
    from perankh.engine.events import GameEvent
    from perankh.engine.game import Game
    from perankh.scene.sprite import Scene, Sprite

WORLDS = 3
Called = tuple[Sequence[str], Sequence[int]] | tuple[Sequence[str], Sequence[int], bool]  # what `seats_called` takes
MOST_GHOSTS = 40  # sprites that a preview shows


class Told(list["GameEvent"]):
    """The events of a move, of which is noted how many were told before chance was used."""

    def __init__(self, world: Any) -> None:
        super().__init__()
        self.world = world
        self.began = self.drawn()
        self.certain = 0

    def drawn(self) -> tuple[int, int]:
        """How far the generator has come."""
        return self.world.chance_block, self.world.chance_used

    def append(self, event: GameEvent) -> None:
        """Take in an event."""
        super().append(event)
        if self.drawn() == self.began:
            self.certain = len(self)


@dataclass
class Outcome:
    """What clicks would do: the events that are certain, whether more follows that is not, and a state after it, veiled.

    `other` is the state in another world, if they are not the same.
    """

    action: int
    events: list[GameEvent]
    open: bool
    after: Any
    other: Any


class Position:
    """A decision of p on a veiled state, with worlds that look the same."""

    def __init__(self, game: Game, s: Any, p: int) -> None:
        self.game, self.s, self.p = game, s, p
        self.worlds = [game.redealt(s, number) for number in range(WORLDS)]

    @cached_property
    def paths(self) -> dict[int, Path]:
        """The clicks of each move."""
        return self.game.drawing.paths(self.s, self.p)

    def outcome(self, clicks: Path) -> Outcome | None:
        """What clicks would do: those of a move, and perhaps of p's next decisions. None if they make no move."""
        action = first_action(self.paths, clicks)
        if action < 0:
            return None
        return self.tried(action, clicks[len(self.paths[action]) :])

    def tried(self, action: int, rest: Path = ()) -> Outcome:
        """What an action of p would do, and further clicks after it."""
        runs = [self.run(world.copy(), action, rest) for world in self.worlds]
        afters = [self.game.veiled(told.world, self.p) for told in runs]
        seen = [[event.seen_by(self.p) for event in told] for told in runs]
        certain = min(told.certain for told in runs)
        unsure = getattr(self.game.rules, "UNSURE", ())
        for number, event in enumerate(seen[0][:certain]):
            if event.kind in unsure or any(other[number] != event for other in seen[1:]):
                certain = number
                break
        other = next((after for after in afters[1:] if after != afters[0]), None)
        is_open = other is not None or any(len(events) > certain for events in seen)
        return Outcome(action, seen[0][:certain], is_open, afters[0], other)

    def run(self, world: Any, action: int, clicks: Path) -> Told:
        """Carry out an action in a world, and what further clicks choose at p's next decisions; returns what the rules told."""
        told = Told(world)
        while action >= 0:
            world.events = told
            self.game.functions["apply"](world, self.p, action)
            world.events = None
            if not clicks or self.p not in self.game.actors(world):
                break
            paths = self.game.drawing.paths(self.game.veiled(world, self.p), self.p)
            action = first_action(paths, clicks)
            clicks = clicks[len(paths.get(action, ())) :]
        return told


def first_action(paths: dict[int, Path], clicks: Path) -> int:
    """The action whose path clicks begin with, -1 if there is none."""
    return next((a for a, path in paths.items() if clicks[: len(path)] == path), -1)


def gains_of(game: Game, outcome: Outcome, p: int) -> str:
    """What p gains or loses for certain, as a label: points, or what else the game counts; "" for nothing."""
    own = [one for one in event_effects(game, outcome.after, outcome.events, "en") if one.get("seat") == p]
    points = sum(one["points"] for one in own)
    if points:
        return f"{points:+}"
    return next((str(one["amount"]) for one in own if not one["points"]), "")


def labels(game: Game, s: Any, p: int) -> dict[str, dict[str, str]]:
    """What each move of p on a veiled state gains at once: `moves` by code, `aliases` by the sprite that leads further.

    Moves that gain nothing for certain are left out.
    """
    position = Position(game, s, p)
    found: dict[str, dict[str, str]] = {"moves": {}, "aliases": {}}
    for action, path in position.paths.items():
        outcome = position.outcome(path)
        gain = gains_of(game, outcome, p) if outcome else ""
        if gain:
            found["moves"][game.text.CODES[action]] = gain
    known = set(position.paths.values())
    for name, ways in aliases_of(game, s, p).items():
        further = [way for way in ways if any(way[: len(path)] == path and way != path for path in known)]
        gains = [gains_of(game, outcome, p) for way in further if (outcome := position.outcome(way))]
        if any(gains):
            found["aliases"][name] = max(gains, key=amount)
    return found


def amount(gain: str) -> int:
    """The number of a label, for comparing."""
    try:
        return int(gain)
    except ValueError:
        return -1000


def preview(
    game: Game, s: Any, p: int, clicks: Path, lang: str, shape: str, called: Called = ((), ()), drawn: Called = ((), ())
) -> dict[str, Any] | None:
    """What p's clicks on a veiled state would do, in words and sprites; None if they make no move.

    `lines` tell it, `ghosts` are the sprites as they would be then, `gains` name points and where they come from, `open` says
    that chance or something hidden decides the rest, and `outlook` what is known of that. `called` are the names and colours of
    the seats in words, `drawn` those on the board.
    """
    outcome = Position(game, s, p).outcome(clicks)
    if outcome is None:
        return None
    own = getattr(game.text, "outlook", None)
    with seats_called(*called):
        gains = [one for one in event_effects(game, outcome.after, outcome.events, lang) if "amount" in one]
        told = len(outcome.events) > 1 or gains  # a single event that gains nothing is the move itself, which has its sentence
        lines = game.text.log_lines(outcome.after, outcome.events, p, lang) if told else []
        outlook = own(s, p, outcome.action, lang) if own else ""
    with seats_called(*drawn):
        before, after = (game.drawing.scene(fixed(game, state), p, lang, shape) for state in (s, outcome.after))
        other = game.drawing.scene(fixed(game, outcome.other), p, lang, shape) if outcome.other is not None else after
    there = {sprite.id: sprite for sprite in after.sprites}
    return {
        "lines": lines,
        "ghosts": [sprite.values() for sprite in ghosts(game, outcome, before, after, other)],
        "gains": [gain | place_of(there.get(gain["place"])) for gain in gains],
        "open": outcome.open,
        "outlook": outlook,
    }


def fixed(game: Game, state: Any) -> Any:
    """A state that nobody changes any more, of which drawings are kept."""
    return game.State.from_bytes(state.to_bytes(), fixed=True)


def place_of(sprite: Sprite | None) -> dict[str, float | None]:
    """Where a sprite is."""
    return {"x": sprite.x, "y": sprite.y} if sprite else {"x": None, "y": None}


def ghosts(game: Game, outcome: Outcome, before: Scene, after: Scene, other: Scene) -> list[Sprite]:
    """The sprites that the certain events bring to other places, with what is drawn on them, where every world agrees."""
    moved_sprites = getattr(game.drawing, "moved_sprites", None)
    previewed = getattr(game.drawing, "previewed", None)
    names = [name for event in outcome.events for name in moved_sprites(outcome.after, event)] if moved_sprites else []
    names += [name for event in outcome.events for name in previewed(outcome.after, event)] if previewed else []
    begins = tuple(f"{name}-" for name in names)
    old = {sprite.id: facts(sprite) for sprite in before.sprites}
    agreed = {sprite.id: facts(sprite) for sprite in other.sprites}
    found = [
        at_present(sprite, before, after, names)
        for sprite in after.sprites
        if (sprite.id in names or sprite.id.startswith(begins))
        and agreed.get(sprite.id) == facts(sprite)
        and old.get(sprite.id) != facts(sprite)
    ]
    return found[:MOST_GHOSTS]


def at_present(sprite: Sprite, before: Scene, after: Scene, moved: list[str]) -> Sprite:
    """A sprite of the scene after a move, at its place in the scene before it.

    Where all others of its kind have gone the same way, or become larger or smaller, what carries them has: a layout that is
    centred anew.
    """
    kind = (sprite.on or sprite.id).partition("-")[0] + "-"
    was = {one.id: one for one in before.sprites if one.id.startswith(kind) and one.symbol and one.id not in moved}
    pairs = [(was[one.id], one) for one in after.sprites if one.id in was and one.width]
    if not pairs or all((old.x, old.y, old.width) == (new.x, new.y, new.width) for old, new in pairs):
        return sprite
    scale = pairs[0][0].width / pairs[0][1].width
    x, y = pairs[0][0].x - scale * pairs[0][1].x, pairs[0][0].y - scale * pairs[0][1].y
    for old, new in pairs:
        if abs(old.x - scale * new.x - x) + abs(old.y - scale * new.y - y) > 1:
            return sprite
    at = replace(sprite, x=scale * sprite.x + x, y=scale * sprite.y + y)
    return replace(at, width=scale * sprite.width, height=scale * sprite.height, size=scale * sprite.size)


def facts(sprite: Sprite) -> tuple[Any, ...]:
    """Where a sprite is and what it looks like."""
    return sprite.x, sprite.y, sprite.turn, sprite.width, sprite.height, sprite.symbol, sprite.text, sprite.colour
