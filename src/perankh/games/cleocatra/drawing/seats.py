"""Players and points."""

from __future__ import annotations

from perankh.scene import Sprite, group, players_listed
from perankh.scene.layout import length, name_label

from ..rules import components, rescuer_actions
from ..rules.state import State, Step
from ..text.names import actor, say, seat_name
from . import layout
from .layout import LONGEST_TRACK, PAST, SEAT_COLOURS, Plan


def seat(s: State, p: int, viewer: int, lang: str, plan: Plan) -> tuple[Sprite, ...]:
    """A player: emblem, name, points, the places of the hand, and whether it is the turn."""
    won = bool(s.over) and s.score[p] == max(s.score)
    on_turn = not s.over and p == s.turn and s.step != Step.SETUP_CELL
    return seat_board(s, p, p == viewer, not s.over and p == actor(s), won, s.owed if on_turn else -1, lang, plan)


@group
def seat_board(s: State, p: int, mine: bool, acting: bool, won: bool, owed: int, lang: str, plan: Plan) -> list[Sprite]:
    """The board of a player; `owed`: the actions made in this turn, -1 if it is not the player's."""
    box = plan.seats[p]
    wide = plan.wide
    alt = say("scene.seat", lang, who=seat_name(p, lang), points=s.score[p], number=rescuer_actions.hand(s, p))
    found = [box.sprite(f"seat-{p}", "panel-active" if acting or won else "panel", alt)]
    size = min(46.0, box.h * 0.6) if wide else 34.0
    x = box.x + (34 if wide else 22)
    found.append(Sprite(f"emblem-{p}", f"emblem-{p}", x, box.mid_y, size, size, colour=SEAT_COLOURS[p]))
    left, y = box.x + (64 if wide else 42), box.y + (20 if wide else 15)
    name = seat_name(p, lang)
    if mine:
        name = say("scene.you", lang, who=name)
    shown = name_label(f"name-{p}", name, left, y, 17.0 if wide else 14.0, 110 if wide else 84, seat_name(p, lang))
    found.append(shown)
    left += length(shown.text, shown.size, True) + 20
    if p == s.start:
        big = 22.0 if wide else 18.0
        found.append(Sprite(f"first-{p}", "first", left, y, big, big, alt=say("scene.first", lang)))
        left += big + 2
    right = box.x + box.w - (30 if wide else 22)
    if not players_listed():
        points = str(s.score[p])
        found.append(Sprite(f"score-{p}", x=right, y=box.y + box.h * 0.64, text=points, size=30 if wide else 22, bold=True))
    if won:
        found.append(Sprite(f"crown-{p}", "crown", right, box.y + (17 if wide else 13), 30 if wide else 24, 20 if wide else 17))
    elif owed >= 0:
        alt = say("scene.action", lang, number=owed + 1)
        for k in range(2):
            symbol = "pip-now" if k == owed else "pip-done" if k < owed else "pip"
            big = 15.0 if wide else 12.0
            x, y = right - big / 2 - 1 + k * (big + 2), box.y + (16 if wide else 12)
            found.append(Sprite(f"pip-{k}", symbol, x, y, big, big, alt=alt if k == owed else ""))
    for k in range(components.RESCUERS):
        x, y, w, h = layout.in_hand(plan, p, k)
        found.append(Sprite(f"slot-{p}-{k}", "rescuer-slot", x, y, w, h))
    return found


@group
def track(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The score board: a track that goes on beyond the end score, or plain numbers if that is far away."""
    box = plan.track
    found = [box.sprite("track", "strip", say("scene.track", lang, points=s.end_score))]
    if s.end_score > LONGEST_TRACK:
        return found + numbers(s, lang, plan)
    spaces = s.end_score + PAST + 1
    rows = 1 if plan.wide else 2
    across_row = -(-spaces // rows)
    wide, high = min(44.0, (box.w - 10) / across_row), (box.h - 8) / rows
    start = box.mid_x - wide * across_row / 2

    def place(points: int) -> tuple[float, float]:
        row, col = divmod(min(points, spaces - 1), across_row)
        return start + (col + 0.5) * wide, box.y + 4 + (row + 0.5) * high

    for points in range(spaces):
        x, y = place(points)
        symbol = "space" if points < s.end_score else "space-end" if points == s.end_score else "space-past"
        found.append(Sprite(f"space-{points}", symbol, x, y, wide - 1, high - 2))
        text = f"{points}+" if points == spaces - 1 else str(points)
        found.append(Sprite(f"space-text-{points}", x=x, y=y - high / 2 + 9, text=text, size=11, bold=points == s.end_score))
    size = min(wide * 0.5, (high - 18) / 2, 21.0)
    for p in range(s.players):
        x, y = place(s.score[p])
        aside, down = (p % 2 - 0.5) * min(size + 1, wide / 2), (p // 2 - 0.5) * (size + 0.5)
        found.append(marker(s, p, x + aside, y + 7 + down, size, lang))
    return found


def numbers(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The points as numbers, where the track would be."""
    box = plan.track
    shift, size, high = (44.0, 28.0, 20.0) if plan.wide else (34.0, 20.0, 13.0)
    found = []
    for p in range(s.players):
        x = box.x + (p + 0.5) * box.w / s.players - shift
        text = f"{s.score[p]} / {s.end_score}"
        found.append(marker(s, p, x, box.mid_y, size, lang))
        found.append(Sprite(f"points-{p}", x=x + size / 2 + 6, y=box.mid_y, text=text, size=high, align="start"))
    return found


def marker(s: State, p: int, x: float, y: float, size: float, lang: str) -> Sprite:
    """The score marker of a seat."""
    alt = say("scene.marker", lang, who=seat_name(p, lang), points=s.score[p])
    return Sprite(f"marker-{p}", f"emblem-{p}", x, y, size, size, colour=SEAT_COLOURS[p], alt=alt)


def breakdown(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """The points; the state does not keep what they were for."""
    return [(say("scene.points", lang), s.score[: s.players])]
