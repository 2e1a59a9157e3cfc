"""The log: what happened in a move."""

from __future__ import annotations

from collections.abc import Sequence

from perankh.engine.api import GameEvent

from ..rules import scoring
from ..rules.events import Event
from ..rules.state import End, State
from .names import code_of, kind_name, say, seat_name, tile_name, winners

TOLD_ELSEWHERE = (Event.REVEALED,)  # a tile turned up is told when it is laid

# The end of a Rescue is one happening: the rescuers return in the line of what is done with inspectors and Mut.
BEFORE_RETURN = (Event.INSPECTOR_PUT, Event.INSPECTOR_MOVED, Event.INSPECTORS_LEFT, Event.STAYED)


def log_lines(s: State, events: Sequence[GameEvent], viewer: int, lang: str) -> list[str]:
    """The lines that tell one move. An action has one line, when it is complete; tiles are named by where they lie then."""
    lines: list[str] = []
    before = None
    for event in events:
        if has_words(s, event):
            line = log_line(s, event, lang)
            if event.kind == Event.RETURNED and before in BEFORE_RETURN:
                lines[-1] += ("" if lang == "ja" else " ") + line
            else:
                lines.append(line)
        before = event.kind
    won = [event for event in events if event.kind == Event.WON]
    if won:
        lines.append(winners([event.seat for event in won], won[0].total, lang))
    return lines


def has_words(s: State, event: GameEvent) -> bool:
    """Whether an event has a line of its own: a last round is told when there is one."""
    if event.kind == Event.END_SCORE_REACHED:
        return s.end == End.ROUND and not s.over
    return event.kind not in (*TOLD_ELSEWHERE, Event.WON)


def log_line(s: State, event: GameEvent, lang: str) -> str:
    """The words of one event."""
    if event.kind == Event.GAME_OVER:
        return say(f"ending.{scoring.ENDINGS[event.reason - 1]}", lang)
    words = {name: value_name(s, event, name, lang) for name in event.kind.names} | {"player": seat_name(event.seat, lang)}
    if event.kind in (Event.SET_UP, Event.SCOUTED, Event.SEARCHED):
        words |= {"kind": kind_name(s, 1 << event.tile, lang), "cell": code_of(s, 1 << event.tile)}
    if event.kind == Event.RETURNED:
        words["number"] = str(event.tiles.bit_count())
        return say("log.returned_one" if event.tiles.bit_count() == 1 else "log.returned", lang, **words)
    if event.kind == Event.RESCUED and event.bonus:
        return say("log.rescued_bonus", lang, **words)
    if event.kind == Event.EXTRA_OFFERED and event.seat == event.scorer:
        return say("log.extra_offered_self", lang, **words)
    return say(f"log.{event.kind.name.lower()}", lang, **words)


def value_name(s: State, event: GameEvent, name: str, lang: str) -> str:
    """A value of an event in words."""
    value = getattr(event, name)
    if name in ("tile", "origin", "other"):
        return tile_name(s, 1 << value, lang)
    return seat_name(value, lang) if name in ("owner", "scorer") else str(value)
