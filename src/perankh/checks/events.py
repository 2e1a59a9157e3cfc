"""What the rules say of themselves: events, held to what their viewers may know and to the scores."""

from __future__ import annotations

from typing import Any

from perankh.checks.hidden import CHANCE
from perankh.checks.walk import CheckSkipped, Progress, need, walk
from perankh.engine.events import GameEvent, redacted
from perankh.engine.game import Game

EVERY = 3  # positions between two for which other worlds are tried
WORLDS = 2  # other worlds a viewer
CHOICES = 4  # other actions tried in each


def events_told(game: Game, effort: float, progress: Progress) -> str:
    """Nobody is told what they may not know; the points told add up to the final scores."""
    if game.Event is None:
        raise CheckSkipped("the rules list no Event kinds: the log has nothing to tell")
    told: set[str] = set()
    compared = games = 0
    points: list[int] = []
    scoring = any("points" in kind.names for kind in game.Event)
    for number, (state, p, a, where) in enumerate(walk(game, share=effort)):
        if where.endswith(" move 0"):
            points = points_of(game.setup_events(state), state.players)
        after = state.copy()
        events = game.apply(after, p, a)
        told |= {event.kind.name for event in events}
        points = [had + more for had, more in zip(points, points_of(events, state.players), strict=True)]
        if number % EVERY == 0:
            for viewer in range(-1, state.players):
                compared += check_secrets(game, state, after, p, a, events, viewer, f"viewer {viewer}, {where}")
        if not game.functions["actors"](after):
            games += 1
            if scoring:
                scores = game.scores(after)
                need(points == scores, f"the points told, {points}, are not the scores, {scores} ({where})")
    missing = sorted(kind.name for kind in game.Event if kind.name not in told)
    note = f"; not met in random play: {', '.join(missing)}" if missing else ""
    return f"{games} games, {len(told)} of {len(game.Event)} kinds, {compared} other worlds{note}"


def points_of(events: list[GameEvent], players: int) -> list[int]:
    """What events add to each seat's score."""
    points = [0] * players
    for event in events:
        if "points" in event.kind.names:
            points[event.seat] += event.points
    return points


def same_outcome(game: Game, state: Any, after: Any, p: int, b: int) -> bool:
    """Would this action have led to the very same state, hidden facts included? Then the way there is public."""
    other = state.copy()
    if b in game.legal(state, p):
        game.apply(other, p, b)
    return all(getattr(other, name) == getattr(after, name) for name in game.State.fields if name not in CHANCE)


def check_secrets(game: Game, state: Any, after: Any, p: int, a: int, events: list[GameEvent], viewer: int, where: str) -> int:
    """In every world that looks the same to the viewer, before and after, the viewer is told the same."""
    seen, seen_after, shown = game.veiled(state, viewer), game.veiled(after, viewer), redacted(events, viewer)
    compared = 0
    for number in range(WORLDS):
        world = game.redealt(seen, 1000 + number)
        for name in CHANCE:  # the chance to come is the same
            value = getattr(state, name)
            setattr(world, name, value[:] if isinstance(value, list) else value)
        actions = game.legal(world, p)
        others = [b for b in actions if b != a][: CHOICES if p != viewer else 0]
        tried = [b for b in actions if b == a] + [b for b in others if not same_outcome(game, state, after, p, b)]
        for b in tried:
            other = world.copy()
            told = game.apply(other, p, b)
            if game.veiled(other, viewer) == seen_after:
                same = redacted(told, viewer) == shown
                need(same, f"events tell apart what the viewer cannot: {shown} and {redacted(told, viewer)} ({where})")
                compared += 1
    return compared
