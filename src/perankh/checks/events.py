"""What the rules say of themselves: events, held to what their viewers may know and to the scores."""

from __future__ import annotations

from collections import Counter
from typing import Any

from perankh.checks.hidden import CHANCE
from perankh.checks.walk import CheckSkipped, Progress, need, walk
from perankh.engine.events import GameEvent, redacted
from perankh.engine.game import Game

EVERY = 3  # positions between two for which other worlds are tried
WORLDS = 2  # other worlds a viewer
OFTEN = 20  # times that a kind is met before it must have been told: some are told in certain positions only
CHOICES = 4  # other actions tried in each


def events_told(game: Game, effort: float, progress: Progress) -> str:
    """Every kind of event has its words in the log, in every language; nobody is told what they may not know; the points told
    add up to the final scores. Above 1, `effort` is the number of games for each option set."""
    if game.Event is None:
        raise CheckSkipped("the rules list no Event kinds: the log has nothing to tell")
    met: Counter[str] = Counter()
    worded: dict[str, set[str]] = {lang: set() for lang in game.words.languages}  # kinds that the log tells
    compared = games = moves = 0
    points: list[int] = []
    scoring = any("points" in kind.names for kind in game.Event)
    for number, (state, p, a, where) in enumerate(walk(game, games=max(1, round(effort)), share=effort)):
        moves += 1
        if where.endswith(" move 0"):
            points = points_of(game.setup_events(state), state.players)
        after = state.copy()
        events = game.apply(after, p, a)
        met.update(event.kind.name for event in events)
        for lang, known in worded.items():
            if any(event.kind.name not in known for event in events):
                known |= kinds_worded(game, after, events, lang)
        points = [had + more for had, more in zip(points, points_of(events, state.players), strict=True)]
        if number % EVERY == 0:
            for viewer in range(-1, state.players):
                compared += check_secrets(game, state, after, p, a, events, viewer, f"viewer {viewer}, {where}")
        if not game.functions["actors"](after):
            games += 1
            if scoring:
                scores = game.scores(after)
                need(points == scores, f"the points told, {points}, are not the scores, {scores} ({where})")
    for lang, known in worded.items():
        elsewhere = {kind.name for kind in getattr(game.text, "TOLD_ELSEWHERE", ())}
        silent = sorted(name for name, times in met.items() if times >= OFTEN and name not in known | elsewhere)
        need(not silent, f"the log says nothing of {', '.join(silent)} ({lang})")
    missing = sorted(kind.name for kind in game.Event if kind.name not in met)
    note = f"; not met in random play: {', '.join(missing)}" if missing else ""
    return f"{games} games, {moves} moves, {len(met)} of {len(game.Event)} kinds, {compared} other worlds{note}"


def kinds_worded(game: Game, after: Any, events: list[GameEvent], lang: str) -> set[str]:
    """The kinds of events without which the log would tell a move otherwise, or not at all."""
    state = game.veiled(after, -1)
    whole = game.text.log_lines(state, events, -1, lang)
    found = set()
    for name in {event.kind.name for event in events}:
        others = [event for event in events if event.kind.name != name]
        try:
            if game.text.log_lines(state, others, -1, lang) != whole:
                found.add(name)
        except Exception:  # it cannot be told without it
            found.add(name)
    return found


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
